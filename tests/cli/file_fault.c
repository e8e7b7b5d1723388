/* Preloaded into the program: read() of the file that FAULT_FILE names fails as a broken device does, once FAULT_BYTES
   bytes of it have been read. Where FAULT_NO_TMPFILE is set, open() makes no file without a name, as on file systems
   that know none. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
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

int open(char const* path, int flags, ...) {
  static int (*real)(char const*, int, ...);
  if (!real) *(void**)(&real) = dlsym(RTLD_NEXT, "open");
  if ((flags & O_TMPFILE) == O_TMPFILE && getenv("FAULT_NO_TMPFILE")) {
    errno = EOPNOTSUPP;
    return -1;
  }
  va_list words;
  va_start(words, flags);
  mode_t const mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(words, mode_t) : 0;
  va_end(words);
  return real(path, flags, mode);
}
