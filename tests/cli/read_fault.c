/* Preloaded into the program: read() of the file that FAULT_FILE names fails as a broken device does, once FAULT_BYTES
   bytes of it have been read. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t read(int file, void* into, size_t most) {
  static ssize_t (*real)(int, void*, size_t);
  if (!real) *(void**)(&real) = dlsym(RTLD_NEXT, "read"); /* as POSIX has it: ISO C knows no such conversion */
  char const* victim = getenv("FAULT_FILE");
  char link[64], name[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t const length = victim ? readlink(link, name, sizeof name - 1) : -1;
  if (length < 0) return real(file, into, most);
  name[length] = '\0';
  if (strcmp(name, victim) != 0) return real(file, into, most);
  off_t const left = atol(getenv("FAULT_BYTES")) - lseek(file, 0, SEEK_CUR);
  if (left <= 0) {
    errno = EIO;
    return -1;
  }
  return real(file, into, most < (size_t)left ? most : (size_t)left);
}
