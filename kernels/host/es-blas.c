/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Who may be inside OpenBLAS, and whether there is memory: it and FFTW do not say that there is none. */

#include "es-blas-internal.h"

#include "es-blas-core.h"
#include "es-hotspots-stream.h"

#include <cblas.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* What OpenBLAS takes for itself for each thread that is inside it, and keeps; where it is not there it asks again and
 * again, for ever. And what others may take between the question and its own, which may come late: for all threads but
 * the first, which bring speed alone, a buffer more is asked for besides. */
#define BUFFER_BYTES (((size_t) 128 << 20) + 65536)
#define SLACK_BYTES ((size_t) 32 << 20)

#define READY "ES_BLAS_READY"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static unsigned inside, buffers;       /* threads; how many of them OpenBLAS has memory for */
static _Thread_local unsigned depth;

bool
esk_memory_is_there (size_t bytes)
{
  void *memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

  if (memory == MAP_FAILED)
    return false;
  munmap (memory, bytes);
  return true;
}

/* Not in its headers; also called by what it does before a fork. It begins its threads anew for who asks for them. */
extern int blas_thread_shutdown_ (void) __attribute__ ((weak));

/* A module that has this file too is opened when others may be inside: the program has done it then. The number tells
 * the process itself from the one that began it. */
static bool
was_made_ready (void)
{
  const char *told = getenv (READY);
  char own[32];

  snprintf (own, sizeof own, "%ld", (long) getpid ());
  if (told != NULL && strcmp (told, own) == 0)
    return true;
  setenv (READY, own, 1);
  return false;
}

/* Before main (), after OpenBLAS's own: nobody is inside it, and no other thread asks for the environment. Its threads,
 * which no call of ours uses, would ask for work without a pause for 2^26 cycles first and keep a processor from us.
 * Where addresses are short each may still be asking for its buffer, for ever, and would never be ended. */
static __attribute__ ((constructor)) void
make_ready (void)
{
  if (was_made_ready ())
    return;
  esk_blas_fit_processor ();
  if (blas_thread_shutdown_ != NULL
      && esk_memory_is_there ((size_t) openblas_get_num_threads () * BUFFER_BYTES + SLACK_BYTES))
    blas_thread_shutdown_ ();
}

/* Nobody is inside. What multiplies by a symmetric matrix takes a buffer at once, whatever the size. */
static void
take_first_buffer (void)
{
  const double matrix = 1.0, x = 1.0;
  double y = 0.0;

  openblas_set_num_threads (1);
  cblas_dsymv (CblasColMajor, CblasUpper, 1, 1.0, &matrix, 1, &x, 1, 0.0, &y, 1);
}

int
esk_blas_enter (void)
{
  if (depth++ > 0)
    return ESK_OK;
  pthread_mutex_lock (&lock);
  while (inside == buffers)
    /* Those that were counted before may not have been taken yet, but for the first. */
    if (esk_memory_is_there (buffers == 0 ? BUFFER_BYTES + SLACK_BYTES : (buffers + 1) * BUFFER_BYTES))
      {
        if (buffers++ == 0)
          take_first_buffer ();
      }
    else if (buffers > 0)
      pthread_cond_wait (&left, &lock);
    else
      {
        pthread_mutex_unlock (&lock);
        depth--;
        return ESK_ERROR_MEMORY;
      }
  inside++;
  pthread_mutex_unlock (&lock);

  return ESK_OK;
}

void
esk_blas_leave (void)
{
  if (--depth > 0)
    return;
  pthread_mutex_lock (&lock);
  inside--;
  pthread_cond_signal (&left);
  pthread_mutex_unlock (&lock);
}
