/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The functions of NCCL that are used, for cards that are the host's memory: numbers are added through a file that all
 * processes have mapped, in the order of their ranks.
 *
 *   FAKE_NCCL_VERSION     22703 where not set
 *   FAKE_NCCL_FAIL_JOIN   the process of this rank cannot join
 *   FAKE_NCCL_FAIL_AT     the n-th sum fails, in the process of rank FAKE_NCCL_FAIL_RANK (0)
 *   FAKE_NCCL_PATIENCE    seconds until another process counts as gone (20)
 *   FAKE_NCCL_LOG         a file that gets a line of how many sums there were from each process that leaves
 */

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MOST_PROCESSES 16
#define AT_ONCE 4096
enum { FINE, SYSTEM_ERROR = 2, REMOTE_ERROR = 6 };
enum { INT64 = 4, FLOAT64 = 8 };

typedef union {
  int64_t integer;
  double  real;
} Number;

typedef struct {
  atomic_uint joined, written, taken;      /* counted on, over all sums */
  Number      numbers[MOST_PROCESSES][AT_ONCE];
} Shared;

typedef struct {
  char internal[128];
} Id;

typedef struct {
  Shared   *shared;
  int       rank, size;
  unsigned  turn, sums;
} Comm;

int ncclGetVersion (int *version);
int ncclGetUniqueId (Id *id);
int ncclCommInitRank (Comm **comm, int size, Id id, int rank);
int ncclAllReduce (const void *from, void *to, size_t n, int type, int operation, Comm *comm, void *stream);
int ncclCommGetAsyncError (Comm *comm, int *error);
int ncclCommAbort (Comm *comm);
const char *ncclGetErrorString (int code);

static int
number_of (const char *name, int otherwise)
{
  const char *text = getenv (name);

  return text != NULL ? atoi (text) : otherwise;
}

int
ncclGetVersion (int *version)
{
  *version = number_of ("FAKE_NCCL_VERSION", 22703);
  return FINE;
}

int
ncclGetUniqueId (Id *id)
{
  int file;

  memset (id, 0, sizeof *id);
  snprintf (id->internal, sizeof id->internal, "/tmp/fake-nccl-XXXXXX");
  file = mkstemp (id->internal);
  if (file < 0 || ftruncate (file, sizeof (Shared)) < 0)
    return SYSTEM_ERROR;
  close (file);
  return FINE;
}

/* Until there are so many. */
static int
wait_for (atomic_uint *counter, unsigned wanted)
{
  const time_t end = time (NULL) + number_of ("FAKE_NCCL_PATIENCE", 20);

  while (atomic_load (counter) < wanted)
    {
      if (time (NULL) > end)
        return REMOTE_ERROR;
      sched_yield ();
    }
  return FINE;
}

int
ncclCommInitRank (Comm **made, int size, Id id, int rank)
{
  const int file = open (id.internal, O_RDWR | O_CLOEXEC);
  Comm *comm = calloc (1, sizeof *comm);
  Shared *shared = MAP_FAILED;
  int code;

  if (file >= 0)
    {
      shared = mmap (NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      close (file);
    }
  if (comm == NULL || shared == MAP_FAILED || size > MOST_PROCESSES)
    {
      free (comm);
      return SYSTEM_ERROR;
    }
  atomic_fetch_add (&shared->joined, 1);
  code = wait_for (&shared->joined, (unsigned) size);
  unlink (id.internal);
  if (code != FINE || number_of ("FAKE_NCCL_FAIL_JOIN", -1) == rank)
    {
      munmap (shared, sizeof *shared);
      free (comm);
      return code != FINE ? code : SYSTEM_ERROR;
    }
  *comm = (Comm) { .shared = shared, .rank = rank, .size = size };
  *made = comm;
  return FINE;
}

static int
add (Comm *comm, const Number *from, Number *to, size_t n, int type)
{
  Shared *shared = comm->shared;
  const unsigned all = (unsigned) comm->size * ++comm->turn;
  int code;

  memcpy (shared->numbers[comm->rank], from, n * sizeof *from);
  atomic_fetch_add (&shared->written, 1);
  code = wait_for (&shared->written, all);
  if (code != FINE)
    return code;
  memcpy (to, shared->numbers[0], n * sizeof *to);
  for (int rank = 1; rank < comm->size; rank++)
    for (size_t i = 0; i < n; i++)
      {
        if (type == INT64)
          to[i].integer += shared->numbers[rank][i].integer;
        else
          to[i].real += shared->numbers[rank][i].real;
      }
  atomic_fetch_add (&shared->taken, 1);
  return wait_for (&shared->taken, all);
}

int
ncclAllReduce (const void *from, void *to, size_t n, int type, int operation, Comm *comm, void *stream)
{
  int code = FINE;

  (void) stream;
  if ((type != INT64 && type != FLOAT64) || operation != 0)
    return SYSTEM_ERROR;
  comm->sums++;
  if (number_of ("FAKE_NCCL_FAIL_AT", -1) == (int) comm->sums && number_of ("FAKE_NCCL_FAIL_RANK", 0) == comm->rank)
    return SYSTEM_ERROR;
  for (size_t at = 0; at < n && code == FINE; at += AT_ONCE)
    code = add (comm, (const Number *) from + at, (Number *) to + at, n - at < AT_ONCE ? n - at : AT_ONCE, type);
  return code;
}

int
ncclCommGetAsyncError (Comm *comm, int *error)
{
  (void) comm;
  *error = FINE;
  return FINE;
}

int
ncclCommAbort (Comm *comm)
{
  const char *path = getenv ("FAKE_NCCL_LOG");
  FILE *log = path != NULL ? fopen (path, "a") : NULL;

  if (log != NULL)
    {
      fprintf (log, "%u\n", comm->sums);
      fclose (log);
    }
  munmap (comm->shared, sizeof *comm->shared);
  free (comm);
  return FINE;
}

const char *
ncclGetErrorString (int code)
{
  return code == SYSTEM_ERROR ? "unhandled system error" : code == REMOTE_ERROR ? "remote process exited" : "no error";
}
