/* Lets file operations of a process fail, or take long, on chosen paths: loaded before the C library of a program under test. What fails and
   how stands in a file that the test writes and this maps; see failing-disk.ts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { OPEN = 1, WRITE = 2, SYNC = 4, NAME = 8 };

struct fault {
  volatile uint32_t operations; /* 0: nothing fails */
  volatile uint32_t error;      /* 0: it only takes long */
  volatile uint32_t delay_ms;
  volatile uint32_t struck;
  char part[240]; /* of the paths that are meant */
};

static struct fault *fault;

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAILING_DISK");
  int descriptor = file ? open(file, O_RDWR | O_CLOEXEC) : -1;
  if (descriptor < 0) return;
  void *mapped = mmap(0, sizeof(struct fault), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped != MAP_FAILED) fault = mapped;
  close(descriptor);
}

/* Whether an operation on a path is to fail; waits first where it is to take long. */
static int strikes(uint32_t operation, const char *path) {
  if (!fault || !(fault->operations & operation) || !path || !strstr(path, fault->part)) return 0;
  __sync_fetch_and_add(&fault->struck, 1);
  uint32_t ms = fault->delay_ms;
  if (ms) {
    struct timespec pause = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&pause, 0);
  }
  if (!fault->error) return 0;
  errno = (int)fault->error;
  return 1;
}

static int strikes_file(uint32_t operation, int file) {
  if (!fault || !(fault->operations & operation)) return 0;
  char link[32], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strikes(operation, path);
}

#define NEXT(type, name, ...)                                 \
  static type (*next)(__VA_ARGS__);                           \
  if (!next) next = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Opening writes nothing where the file is there and only found to be so; a full disk refuses new files alone. */
static int opens(const char *path, int flags) {
  if ((flags & O_ACCMODE) == O_RDONLY && !(flags & (O_CREAT | O_TRUNC))) return 0;
  int is_there = access(path, F_OK) == 0;
  if (is_there && ((flags & O_EXCL) || (fault && fault->error == ENOSPC))) return 0;
  return strikes(OPEN, path);
}

#define MODE(flags)                                           \
  mode_t mode = 0;                                            \
  if ((flags) & (O_CREAT | O_TMPFILE)) {                      \
    va_list more;                                             \
    va_start(more, flags);                                    \
    mode = va_arg(more, mode_t);                              \
    va_end(more);                                             \
  }

#define OPENS(name)                                           \
  int name(const char *path, int flags, ...) {                \
    MODE(flags)                                               \
    NEXT(int, #name, const char *, int, ...);                 \
    return opens(path, flags) ? -1 : next(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                        \
  int name(int folder, const char *path, int flags, ...) {    \
    MODE(flags)                                               \
    NEXT(int, #name, int, const char *, int, ...);            \
    return opens(path, flags) ? -1 : next(folder, path, flags, mode); \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

#define ON_FILE(type, name, operation, parameters, ...)       \
  type name parameters {                                      \
    static type (*next) parameters;                           \
    if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
    return strikes_file(operation, file) ? -1 : next(__VA_ARGS__); \
  }
ON_FILE(ssize_t, write, WRITE, (int file, const void *bytes, size_t count), file, bytes, count)
ON_FILE(ssize_t, pwrite, WRITE, (int file, const void *bytes, size_t count, off_t at), file, bytes, count, at)
ON_FILE(ssize_t, pwrite64, WRITE, (int file, const void *bytes, size_t count, off64_t at), file, bytes, count, at)
ON_FILE(ssize_t, writev, WRITE, (int file, const struct iovec *parts, int count), file, parts, count)
ON_FILE(ssize_t, pwritev, WRITE, (int file, const struct iovec *parts, int count, off_t at), file, parts, count, at)
ON_FILE(ssize_t, pwritev64, WRITE, (int file, const struct iovec *parts, int count, off64_t at), file, parts, count, at)
ON_FILE(int, ftruncate, WRITE, (int file, off_t bytes), file, bytes)
ON_FILE(int, ftruncate64, WRITE, (int file, off64_t bytes), file, bytes)
ON_FILE(int, posix_fallocate, WRITE, (int file, off_t at, off_t bytes), file, at, bytes)
ON_FILE(ssize_t, copy_file_range, WRITE, (int from, off64_t *from_at, int file, off64_t *at, size_t bytes, unsigned flags), from, from_at, file, at, bytes, flags)
ON_FILE(ssize_t, sendfile64, WRITE, (int file, int from, off64_t *at, size_t bytes), file, from, at, bytes)
ON_FILE(int, fsync, SYNC, (int file), file)
ON_FILE(int, fdatasync, SYNC, (int file), file)

int rename(const char *from, const char *to) {
  NEXT(int, "rename", const char *, const char *);
  return strikes(NAME, from) || strikes(NAME, to) ? -1 : next(from, to);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(int, "mkdir", const char *, mode_t);
  return strikes(NAME, path) ? -1 : next(path, mode);
}

int unlink(const char *path) {
  NEXT(int, "unlink", const char *);
  return strikes(NAME, path) ? -1 : next(path);
}
