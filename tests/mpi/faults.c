/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What goes wrong on one host of several: a library that is loaded before all others (LD_PRELOAD), and that does what
 * such a host would do, in the process of the rank $ES_FAULT_RANK, or in all where that is not set.
 *
 *   ES_FAULT_FOLDER    the folder that it is about, as the system knows it
 *   ES_FAULT_BYTES     so many bytes can still be written to files in it; then its disk is full
 *   ES_FAULT_RESERVE   room for files in it cannot be reserved: "full", or "never" where its file system knows no such
 *                      thing
 *   ES_FAULT_OPEN      the number that opening a file in it for writing fails with
 *   ES_FAULT_SYNC      the number that fsync () of a file in it fails with
 *   ES_FAULT_CLOCK     seconds by which the clock of the host is wrong
 */

/* Functions of both widths have to be there under their own names. */
#undef _FILE_OFFSET_BITS
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* The function of that name that would have been called. */
#define REAL(name)                                     \
  static __typeof__ (&name) real;                      \
                                                       \
  if (real == NULL)                                    \
    real = (__typeof__ (real)) dlsym (RTLD_NEXT, #name);

static const char *folder;     /* NULL: nothing is wrong with any */
static const char *reserve;
static int open_error, sync_error;
static long clock_seconds;
static atomic_llong left = LLONG_MAX;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *wanted = getenv ("ES_FAULT_RANK"), *rank = getenv ("OMPI_COMM_WORLD_RANK"), *text;

  if (wanted != NULL && (rank == NULL || strcmp (wanted, rank) != 0))
    return;
  folder = getenv ("ES_FAULT_FOLDER");
  reserve = getenv ("ES_FAULT_RESERVE");
  if ((text = getenv ("ES_FAULT_BYTES")) != NULL)
    atomic_store (&left, atoll (text));
  if ((text = getenv ("ES_FAULT_OPEN")) != NULL)
    open_error = atoi (text);
  if ((text = getenv ("ES_FAULT_SYNC")) != NULL)
    sync_error = atoi (text);
  if ((text = getenv ("ES_FAULT_CLOCK")) != NULL)
    clock_seconds = atol (text);
}

/* ---- which file ---- */

static int
is_in_folder (const char *path)
{
  return folder != NULL && strncmp (path, folder, strlen (folder)) == 0 && path[strlen (folder)] == '/';
}

static int
is_of_folder (int fd)
{
  char name[64], path[PATH_MAX];
  ssize_t length;

  if (folder == NULL)
    return 0;
  snprintf (name, sizeof name, "/proc/self/fd/%d", fd);
  length = readlink (name, path, sizeof path - 1);
  if (length < 0)
    return 0;
  path[length] = '\0';
  return is_in_folder (path);
}

/* How many of the bytes there is still room for; 0: none, as errno says. */
static size_t
take_room (int fd, size_t bytes)
{
  long long before = atomic_load (&left), taken;

  if (bytes == 0 || before == LLONG_MAX || !is_of_folder (fd))
    return bytes;
  do
    taken = before < (long long) bytes ? before : (long long) bytes;
  while (!atomic_compare_exchange_weak (&left, &before, before - taken));
  if (taken == 0)
    errno = ENOSPC;
  return (size_t) taken;
}

/* ---- writing ---- */

ssize_t
write (int fd, const void *data, size_t bytes)
{
  REAL (write)
  const size_t room = take_room (fd, bytes);

  return room == 0 && bytes > 0 ? -1 : real (fd, data, room);
}

ssize_t
pwrite (int fd, const void *data, size_t bytes, off_t offset)
{
  REAL (pwrite)
  const size_t room = take_room (fd, bytes);

  return room == 0 && bytes > 0 ? -1 : real (fd, data, room, offset);
}

ssize_t
pwrite64 (int fd, const void *data, size_t bytes, off64_t offset)
{
  REAL (pwrite64)
  const size_t room = take_room (fd, bytes);

  return room == 0 && bytes > 0 ? -1 : real (fd, data, room, offset);
}

/* 0: as the system says. */
static int
reserving (int fd)
{
  return reserve == NULL || !is_of_folder (fd) ? 0 : strcmp (reserve, "full") == 0 ? ENOSPC : EINVAL;
}

int
posix_fallocate (int fd, off_t offset, off_t length)
{
  REAL (posix_fallocate)
  const int code = reserving (fd);

  return code != 0 ? code : real (fd, offset, length);
}

int
posix_fallocate64 (int fd, off64_t offset, off64_t length)
{
  REAL (posix_fallocate64)
  const int code = reserving (fd);

  return code != 0 ? code : real (fd, offset, length);
}

int
fsync (int fd)
{
  REAL (fsync)

  if (sync_error == 0 || !is_of_folder (fd))
    return real (fd);
  errno = sync_error;
  return -1;
}

/* ---- opening ---- */

static int
may_open (const char *path, int flags)
{
  char whole[PATH_MAX], here[PATH_MAX / 2];

  if (open_error == 0 || (flags & O_ACCMODE) == O_RDONLY)
    return 1;
  if (*path != '/' && getcwd (here, sizeof here) != NULL)
    {
      snprintf (whole, sizeof whole, "%s/%s", here, path);
      path = whole;
    }
  if (!is_in_folder (path))
    return 1;
  errno = open_error;
  return 0;
}

#define OPEN(name)                                     \
  int                                                  \
  name (const char *path, int flags, ...)              \
  {                                                    \
    va_list arguments;                                 \
    mode_t mode;                                       \
    REAL (name)                                        \
                                                       \
    va_start (arguments, flags);                       \
    mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg (arguments, mode_t) : 0; \
    va_end (arguments);                                \
    return may_open (path, flags) ? real (path, flags, mode) : -1; \
  }

OPEN (open)
OPEN (open64)

/* ---- the clock ---- */

int
clock_gettime (clockid_t clock, struct timespec *now)
{
  REAL (clock_gettime)
  const int code = real (clock, now);

  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    now->tv_sec += clock_seconds;
  return code;
}

int
gettimeofday (struct timeval *restrict now, void *restrict zone)
{
  REAL (gettimeofday)
  const int code = real (now, zone);

  if (code == 0)
    now->tv_sec += clock_seconds;
  return code;
}

time_t
time (time_t *to)
{
  REAL (time)
  const time_t now = real (NULL) + clock_seconds;

  if (to != NULL)
    *to = now;
  return now;
}
