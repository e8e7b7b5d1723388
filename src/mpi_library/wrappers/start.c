/* The start of a program that rondo-cc, rondo-cxx or rondo-fc links: a shared object, as smpirun and kind `program`
 * load it once a rank, that runs by itself too, as configure scripts want of what they compile. The wrappers' build
 * adds the C library's _start to this object. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/auxv.h>

#if defined(__x86_64__)
#define LOADER "/lib64/ld-linux-x86-64.so.2"
#elif defined(__aarch64__)
#define LOADER "/lib/ld-linux-aarch64.so.1"
#endif
#ifdef LOADER
__attribute__((section(".interp"), used)) static char const interpreter[] = LOADER;
#endif

__attribute__((visibility("hidden"))) extern void _start(void);

/* SMPI's headers make this of exit(). Its own knows only simulated ranks, and crashes in a program that runs by itself:
 * one whose first instruction is this object's. */
__attribute__((visibility("hidden"), noreturn)) void smpi_exit(int code) {
  void (*simulated)(int) = NULL;
  if (getauxval(AT_ENTRY) == (unsigned long)&_start) exit(code);
  *(void**)&simulated = dlsym(RTLD_DEFAULT, "smpi_exit");
  if (simulated != NULL) simulated(code);
  abort();
}
