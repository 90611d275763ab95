/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The one file that knows MPI: a module, which only a program loads that a launcher has started. */

#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "es-ranks-engine-private.h"

#define TAG 20
/* An array's length is an int, and what is under way is held in memory by some engines: pieces. */
#define LARGEST_PIECE ((size_t) 1 << 26)
#define WORDS 64

/* Calls, and the words beside them. */
static MPI_Comm calls = MPI_COMM_NULL, words = MPI_COMM_NULL;
static MPI_Datatype wide_type = MPI_DATATYPE_NULL;
static MPI_Op wide_sum = MPI_OP_NULL;
static char why[MPI_MAX_ERROR_STRING];
/* One call at a time, whatever the engine could do: what arrives does so in whichever call comes next, also in one of
 * the thread that listens, and who takes it sees it then. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Words on their way. */
static struct
{
  int64_t     word;
  MPI_Request request;
} sent[WORDS];

typedef struct
{
  int        *places;          /* where each piece of what is gathered goes, or comes from */
  size_t      n;               /* pieces */
  MPI_Request pieces[];
} Request;

static int
check (int code)
{
  int length;

  if (code == MPI_SUCCESS)
    return 0;
  if (MPI_Error_string (code, why, &length) != MPI_SUCCESS)
    why[0] = '\0';
  return -1;
}

static void
add_wide (void *in, void *inout, int *n, MPI_Datatype *type)
{
  for (int i = 0; i < *n; i++)
    {
      __int128 a, b;

      memcpy (&a, (char *) in + i * sizeof a, sizeof a);
      memcpy (&b, (char *) inout + i * sizeof b, sizeof b);
      b += a;
      memcpy ((char *) inout + i * sizeof b, &b, sizeof b);
    }
}

/*
 * Transports of fast networks look for their devices for a fifth of a second, which is most of what starting takes on a
 * host that has none. There they would not be chosen either; what somebody has chosen stays.
 */
static void
leave_out_transports (void)
{
  static const char *const devices[] = { "/dev/infiniband", "/sys/class/infiniband", "/dev/ipath", "/dev/ipath0",
                                         "/dev/hfi1", "/dev/hfi1_0", "/dev/cxi0", "/sys/class/cxi", "/dev/gni",
                                         "/dev/kgni0" };

  if (getenv ("OMPI_MCA_pml") != NULL || getenv ("OMPI_MCA_mtl") != NULL)
    return;
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    if (access (devices[i], F_OK) == 0)
      return;
  setenv ("OMPI_MCA_mtl", "^ofi,psm,psm2", 0);
}

static int
engine_start (EsRanksPlace *place)
{
  MPI_Comm host = MPI_COMM_NULL;
  int provided = MPI_THREAD_SINGLE, begun = 0;

  MPI_Initialized (&begun);
  if (!begun)
    leave_out_transports ();
  if (begun || check (MPI_Init_thread (NULL, NULL, MPI_THREAD_MULTIPLE, &provided)) < 0)
    return -1;
  MPI_Comm_set_errhandler (MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (check (MPI_Comm_dup (MPI_COMM_WORLD, &calls)) < 0 || check (MPI_Comm_dup (MPI_COMM_WORLD, &words)) < 0
      || check (MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host)) < 0
      || check (MPI_Type_contiguous (sizeof (__int128), MPI_BYTE, &wide_type)) < 0
      || check (MPI_Type_commit (&wide_type)) < 0 || check (MPI_Op_create (add_wide, 1, &wide_sum)) < 0)
    return -1;
  MPI_Comm_set_errhandler (calls, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler (words, MPI_ERRORS_RETURN);
  MPI_Comm_rank (calls, &place->rank);
  MPI_Comm_size (calls, &place->size);
  MPI_Comm_rank (host, &place->host_rank);
  MPI_Comm_size (host, &place->host_size);
  MPI_Comm_free (&host);
  place->threads = provided >= MPI_THREAD_SERIALIZED;
  for (size_t i = 0; i < WORDS; i++)
    sent[i].request = MPI_REQUEST_NULL;
  return provided >= MPI_THREAD_SERIALIZED ? 0 : -1;
}

static void
engine_end (void)
{
  MPI_Finalize ();
}

static void
engine_end_all (int status)
{
  MPI_Abort (MPI_COMM_WORLD, status);
}

static const char *
engine_explain (void)
{
  return why;
}

static int
begin_piece (EsRanksCall call, char *values, int n, MPI_Request *request)
{
  switch (call)
    {
    case ES_RANKS_SUM_INTEGERS:
      return MPI_Iallreduce (MPI_IN_PLACE, values, n, MPI_INT64_T, MPI_SUM, calls, request);
    case ES_RANKS_SUM_WIDE:
      return MPI_Iallreduce (MPI_IN_PLACE, values, n, wide_type, wide_sum, calls, request);
    case ES_RANKS_SUM_DOUBLES:
      return MPI_Iallreduce (MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_SUM, calls, request);
    case ES_RANKS_LEAST_INTEGERS:
      return MPI_Iallreduce (MPI_IN_PLACE, values, n, MPI_INT64_T, MPI_MIN, calls, request);
    case ES_RANKS_LEAST:
      return MPI_Iallreduce (MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MIN, calls, request);
    case ES_RANKS_GREATEST:
      return MPI_Iallreduce (MPI_IN_PLACE, values, n, MPI_DOUBLE, MPI_MAX, calls, request);
    case ES_RANKS_BROADCAST:
    default:
      return MPI_Ibcast (values, n, MPI_BYTE, 0, calls, request);
    }
}

static int
begin_locked (EsRanksCall call, void *values, size_t n, void **request)
{
  const size_t size = call == ES_RANKS_BROADCAST ? 1 : call == ES_RANKS_SUM_WIDE ? sizeof (__int128) : 8;
  const size_t pieces = (n + LARGEST_PIECE - 1) / LARGEST_PIECE;
  Request *self = malloc (sizeof *self + pieces * sizeof self->pieces[0]);

  *request = self;
  if (self == NULL)
    {
      strcpy (why, "no memory");
      return -1;
    }
  self->places = NULL;
  self->n = 0;
  for (size_t from = 0; from < n; from += LARGEST_PIECE)
    {
      const size_t length = n - from < LARGEST_PIECE ? n - from : LARGEST_PIECE;

      if (check (begin_piece (call, (char *) values + from * size, (int) length, &self->pieces[self->n])) < 0)
        return -1;
      self->n++;
    }
  return 0;
}

static int
engine_begin (EsRanksCall call, void *values, size_t n, void **request)
{
  pthread_mutex_lock (&lock);
  const int code = begin_locked (call, values, n, request);
  pthread_mutex_unlock (&lock);
  return code;
}

static int
engine_test (void **request)
{
  Request *self = *request;
  int done = 0;

  pthread_mutex_lock (&lock);
  const int code = check (MPI_Testall ((int) self->n, self->pieces, &done, MPI_STATUSES_IGNORE));
  pthread_mutex_unlock (&lock);
  if (code < 0)
    return -1;
  if (done)
    {
      free (self->places);
      free (self);
      *request = NULL;
    }
  return done;
}

/* Where pieces lie that follow each other, from places + at on. */
static int
place (Request *self, int at, const int *lengths, int size)
{
  long long total = 0;

  for (int i = 0; i < size && total <= INT_MAX; i++)
    {
      self->places[at + i] = (int) total;
      total += lengths[i];
    }
  if (total <= INT_MAX)
    return 0;
  strcpy (why, "too much is gathered");
  return -1;
}

/* One request with room for so many places a process. */
static Request *
new_placed (int places, int *size)
{
  Request *self = malloc (sizeof *self + sizeof self->pieces[0]);

  MPI_Comm_size (calls, size);
  if (self == NULL || (self->places = malloc (sizeof *self->places * (size_t) (places * *size))) == NULL)
    {
      free (self);
      strcpy (why, "no memory");
      return NULL;
    }
  self->n = 1;
  return self;
}

static int
gather_locked (const void *piece, size_t n, void *all, const int *lengths, void **request)
{
  int size;
  Request *self = new_placed (1, &size);

  *request = self;
  if (self == NULL || place (self, 0, lengths, size) < 0)
    return -1;
  return check (MPI_Iallgatherv (piece, (int) n, MPI_BYTE, all, lengths, self->places, MPI_BYTE, calls,
                                 &self->pieces[0]));
}

static int
collect_locked (const void *piece, size_t n, void *all, const int *lengths, void **request)
{
  int size;
  Request *self = new_placed (1, &size);

  *request = self;
  if (self == NULL || place (self, 0, lengths, size) < 0)
    return -1;
  return check (MPI_Igatherv (piece, (int) n, MPI_BYTE, all, lengths, self->places, MPI_BYTE, 0, calls,
                              &self->pieces[0]));
}

static int
exchange_locked (const void *out, const int *out_lengths, void *in, const int *in_lengths, void **request)
{
  int size;
  Request *self = new_placed (2, &size);

  *request = self;
  if (self == NULL || place (self, 0, out_lengths, size) < 0 || place (self, size, in_lengths, size) < 0)
    return -1;
  return check (MPI_Ialltoallv (out, out_lengths, self->places, MPI_BYTE, in, in_lengths, self->places + size, MPI_BYTE,
                                calls, &self->pieces[0]));
}

static int
engine_gather (const void *piece, size_t n, void *all, const int *lengths, void **request)
{
  pthread_mutex_lock (&lock);
  const int code = gather_locked (piece, n, all, lengths, request);
  pthread_mutex_unlock (&lock);
  return code;
}

static int
engine_collect (const void *piece, size_t n, void *all, const int *lengths, void **request)
{
  pthread_mutex_lock (&lock);
  const int code = collect_locked (piece, n, all, lengths, request);
  pthread_mutex_unlock (&lock);
  return code;
}

static int
engine_exchange (const void *out, const int *out_lengths, void *in, const int *in_lengths, void **request)
{
  pthread_mutex_lock (&lock);
  const int code = exchange_locked (out, out_lengths, in, in_lengths, request);
  pthread_mutex_unlock (&lock);
  return code;
}

static void
engine_name (char *host)
{
  char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int length = 0;

  MPI_Get_processor_name (name, &length);
  const size_t n = strnlen (name, ES_RANKS_NAME - 1);
  memcpy (host, name, n);
  host[n] = '\0';
}

static int
tell_locked (int rank, int64_t word)
{
  for (size_t i = 0; i < WORDS; i++)
    {
      int done = 1;

      if (sent[i].request != MPI_REQUEST_NULL)
        MPI_Test (&sent[i].request, &done, MPI_STATUS_IGNORE);
      if (!done)
        continue;
      sent[i].word = word;
      return check (MPI_Isend (&sent[i].word, 1, MPI_INT64_T, rank, TAG, words, &sent[i].request));
    }
  /* Nobody takes them: one more would not be heard either. */
  return 0;
}

static int
engine_tell (int rank, int64_t word)
{
  pthread_mutex_lock (&lock);
  const int code = tell_locked (rank, word);
  pthread_mutex_unlock (&lock);
  return code;
}

static int
hear_locked (int *rank, int64_t *word)
{
  MPI_Status status;
  int there = 0;

  if (check (MPI_Iprobe (MPI_ANY_SOURCE, TAG, words, &there, &status)) < 0)
    return -1;
  if (!there)
    return 0;
  *rank = status.MPI_SOURCE;
  return check (MPI_Recv (word, 1, MPI_INT64_T, status.MPI_SOURCE, TAG, words, MPI_STATUS_IGNORE)) < 0 ? -1 : 1;
}

static int
engine_hear (int *rank, int64_t *word)
{
  pthread_mutex_lock (&lock);
  const int code = hear_locked (rank, word);
  pthread_mutex_unlock (&lock);
  return code;
}

static const EsRanksEngine engine = {
  .abi = ES_RANKS_ABI, .start = engine_start, .end = engine_end, .end_all = engine_end_all, .explain = engine_explain,
  .begin = engine_begin, .test = engine_test, .gather = engine_gather, .collect = engine_collect,
  .exchange = engine_exchange, .name = engine_name, .tell = engine_tell, .hear = engine_hear,
};

__attribute__ ((visibility ("default"))) const EsRanksEngine *es_ranks_engine (unsigned abi);

const EsRanksEngine *
es_ranks_engine (unsigned abi)
{
  return abi == ES_RANKS_ABI ? &engine : NULL;
}
