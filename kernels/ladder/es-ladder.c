/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a rung is measured, on whatever machine. */

#include "es-ladder-internal.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A sample takes at least so long, of as many runs as that needs: the clock and a card's launch cost microseconds. */
#define LEAST_SAMPLE 2e-3
#define MOST_RUNS 4096
/* Of the memory that there is, what a rung may take; and the work itself, which rungs may need once more. */
#define SHARE_OF_MEMORY 0.6
#define SHARE_OF_WORK 0.7
/* Of the seconds that are granted: before so much of them is gone, nobody knows how long a run would take. A machine
 * that others use, too, may stop for a moment just then. */
#define LEAST_SHARE 0.25

double
esk_ladder_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

int
esk_ladder_cancelled (EskLadder *ladder)
{
  return __atomic_load_n (&ladder->cancelled, __ATOMIC_ACQUIRE) ? ESK_LADDER_ERROR_CANCELLED : ESK_LADDER_OK;
}

double
esk_ladder_memory_there (void)
{
  FILE *file = fopen ("/proc/meminfo", "r");
  unsigned long long kilobytes = 0;
  char line[128];

  while (file != NULL && kilobytes == 0 && fgets (line, sizeof line, file) != NULL)
    if (sscanf (line, "MemAvailable: %llu kB", &kilobytes) != 1)
      kilobytes = 0;
  if (file != NULL)
    fclose (file);

  return kilobytes > 0 ? SHARE_OF_MEMORY * 1024.0 * (double) kilobytes : HUGE_VAL;
}

int
esk_ladder_room (double bytes)
{
  return bytes <= SHARE_OF_WORK * esk_ladder_memory_there () ? ESK_LADDER_OK : ESK_LADDER_ERROR_MEMORY;
}

int
esk_ladder_pause (EskLadder *ladder,
                  double     share)
{
  double gone, whole;

  ESK_LADDER_TRY (ladder->engine->wait (ladder));
  ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
  gone = esk_ladder_now () - ladder->began;
  whole = share > 0.0 ? gone / share : 0.0;
  if (ladder->limit > 0.0 && gone > LEAST_SHARE * ladder->limit && whole > ladder->limit)
    return esk_ladder_refuse (ladder->result, ESK_WHY_TIME, whole, ladder->limit, NULL);

  return ESK_LADDER_OK;
}

int
esk_ladder_refuse (EskRungResult *result,
                   EskRungWhy     why,
                   double         amount,
                   double         limit,
                   const char    *needs)
{
  result->why = why;
  result->amount = amount;
  result->limit = limit;
  snprintf (result->needs, sizeof result->needs, "%s", needs != NULL ? needs : "");
  return ESK_LADDER_ERROR_REFUSED;
}

int
esk_ladder_fail (EskLadder  *ladder,
                 int         code,
                 const char *sentence)
{
  snprintf (ladder->error, sizeof ladder->error, "%s", sentence);
  return code;
}

int
esk_ladder_produced (EskLadder *ladder,
                     int        code)
{
  const char *said;

  if (code == ESK_OK)
    return ESK_LADDER_OK;
  if (code == ESK_ERROR_CANCELLED)
    return ESK_LADDER_ERROR_CANCELLED;
  if (code == ESK_ERROR_MEMORY)
    return ESK_LADDER_ERROR_MEMORY;
  said = ladder->production->stream->last_error (ladder->stream);
  return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, said != NULL && *said != '\0' ? said
                          : "the hot spot failed");
}

unsigned
esk_ladder_find (const EskSubject *subject,
                 const char       *id)
{
  for (unsigned r = 0; r < subject->n_rungs; r++)
    if (strcmp (subject->rungs[r].id, id) == 0)
      return r;

  return subject->n_rungs;
}

/* ---- one run and its repeats ---- */

static int
run_timed (EskLadder *ladder,
           unsigned   rung,
           unsigned   runs,
           double    *seconds)
{
  ladder->began = esk_ladder_now ();
  for (unsigned k = 0; k < runs; k++)
    {
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      ESK_LADDER_TRY (ladder->subject->run (ladder, ladder->work, rung));
    }
  ESK_LADDER_TRY (ladder->engine->wait (ladder));
  *seconds = (esk_ladder_now () - ladder->began) / runs;

  return esk_ladder_cancelled (ladder);
}

static int
repeat (EskLadder     *ladder,
        unsigned       rung,
        unsigned       repeats,
        double         seconds,
        EskRungResult *result)
{
  double once, again;
  unsigned runs;

  /* What a first run costs besides (code that is loaded, pages that are touched, clocks that rise) does not count; of
   * one that takes long it is little. */
  ladder->limit = seconds;
  ESK_LADDER_TRY (run_timed (ladder, rung, 1, &once));
  ladder->limit = 0.0;
  if (once > seconds)
    return esk_ladder_refuse (result, ESK_WHY_TIME, once, seconds, NULL);
  if (2.0 * once > seconds)
    {
      result->samples[result->n++] = once;
      return ESK_LADDER_OK;
    }
  if (once < LEAST_SAMPLE)
    {
      ESK_LADDER_TRY (run_timed (ladder, rung, 1, &again));
      once = again;
    }
  runs = once < LEAST_SAMPLE ? (unsigned) ceil (LEAST_SAMPLE / (once > 1e-7 ? once : 1e-7)) : 1;
  runs = runs < MOST_RUNS ? runs : MOST_RUNS;
  while (result->n < repeats && (result->n == 0 || (result->n + 1) * runs * once <= seconds))
    {
      ESK_LADDER_TRY (run_timed (ladder, rung, runs, &again));
      result->samples[result->n++] = again;
    }

  return ESK_LADDER_OK;
}

static int
measure_begun (EskLadder     *ladder,
               unsigned       rung,
               unsigned       repeats,
               double         seconds,
               EskRungResult *result)
{
  ESK_LADDER_TRY (repeat (ladder, rung, repeats, seconds, result));
  ESK_LADDER_TRY (ladder->subject->finish (ladder, ladder->work, rung, result));
  ladder->finished = 1;

  return ESK_LADDER_OK;
}

int
esk_ladder_measure (EskLadder     *ladder,
                    unsigned       rung,
                    unsigned       repeats,
                    double         seconds,
                    EskRungResult *result)
{
  int code;

  memset (result, 0, sizeof *result);
  ladder->error[0] = '\0';
  ladder->finished = 0;
  if (ladder->subject == NULL || rung >= ladder->subject->n_rungs || repeats < 1 || repeats > ESK_LAB_MOST_REPEATS
      || !(seconds > 0.0))
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "a rung of what was prepared, 1 to 64 repeats and some "
                            "seconds were expected");
  ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
  ESK_LADDER_TRY (ladder->engine->enter (ladder));
  ladder->result = result;
  ladder->limit = 0.0;
  code = ladder->subject->begin (ladder, ladder->work, rung, result);
  if (code == ESK_LADDER_OK)
    code = measure_begun (ladder, rung, repeats, seconds, result);
  if (code != ESK_LADDER_OK)
    {
      ladder->engine->wait (ladder);
      result->n = 0;
    }
  ladder->subject->end (ladder, ladder->work, rung);
  ladder->result = NULL;

  return code;
}

int64_t
esk_ladder_output (EskLadder *ladder,
                   double    *values,
                   size_t     n)
{
  if (ladder->subject == NULL || !ladder->finished)
    return ESK_LADDER_ERROR_ARGUMENT;

  return ladder->subject->output (ladder->work, values, n);
}

/* ---- a ladder ---- */

/* In the order of EskLadderKind. */
static const char *const names[ESK_N_LADDERS] = {
  "covariance", "transform", "ica", "noise", "fourier", "beams", "jacobi", "azimuth",
};

const EskRung *
esk_ladder_rungs (const EskLadderEngine *engine,
                  EskLadderKind          kind,
                  unsigned              *n)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const EskSubject *subject = (unsigned) kind < ESK_N_LADDERS ? engine->subjects[kind] : NULL;
  EskRung *told = subject != NULL ? engine->told[kind] : NULL;

  *n = subject != NULL ? subject->n_rungs : 0;
  pthread_mutex_lock (&lock);
  for (unsigned r = 0; r < *n && told[r].id == NULL; r++)
    {
      char name[64];

      snprintf (name, sizeof name, "%s-%s", names[kind], subject->rungs[r].id);
      told[r] = subject->rungs[r];
      told[r].source = engine->text (name);
    }
  pthread_mutex_unlock (&lock);

  return told;
}

void
esk_ladder_least (const EskLadderEngine *engine,
                  EskLadderKind          kind,
                  const EskLadderSize   *size,
                  double                *bytes,
                  double                *operations)
{
  const EskSubject *subject = (unsigned) kind < ESK_N_LADDERS ? engine->subjects[kind] : NULL;

  *bytes = *operations = 0.0;
  if (subject != NULL)
    subject->least (size, bytes, operations);
}

static void
forget (EskLadder *ladder)
{
  if (ladder->subject == NULL)
    return;
  ladder->engine->wait (ladder);
  ladder->subject->clear (ladder, ladder->work);
  ladder->subject = NULL;
  ladder->work = NULL;
  ladder->finished = 0;
}

int
esk_ladder_prepare (EskLadder           *ladder,
                    EskLadderKind        kind,
                    const EskLadderSize *size)
{
  const EskSubject *subject = (unsigned) kind < ESK_N_LADDERS ? ladder->engine->subjects[kind] : NULL;

  ladder->error[0] = '\0';
  ESK_LADDER_TRY (ladder->engine->enter (ladder));
  forget (ladder);
  ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
  if (subject == NULL)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "there is no such ladder");
  ESK_LADDER_TRY (subject->prepare (ladder, size, &ladder->work));
  ladder->size = *size;
  ladder->subject = subject;

  return ESK_LADDER_OK;
}

int
esk_ladder_open (const EskLadderEngine *engine,
                 unsigned               index,
                 const EskHotspots     *production,
                 EskLadder            **ladder,
                 char                  *reason,
                 size_t                 n)
{
  EskLadder *self = calloc (1, sizeof *self);
  int code;

  if (n > 0)
    reason[0] = '\0';
  *ladder = NULL;
  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  self->engine = engine;
  self->index = index;
  code = engine->open (self, reason, n);
  if (code != ESK_LADDER_OK)
    {
      free (self);
      return code;
    }
  if (production != NULL)
    self->stream = production->stream->stream_new ((int) index);
  if (self->stream != NULL)
    self->production = production;
  *ladder = self;

  return ESK_LADDER_OK;
}

void
esk_ladder_close (EskLadder *ladder)
{
  if (ladder == NULL)
    return;
  if (ladder->engine->enter (ladder) == ESK_LADDER_OK)
    forget (ladder);
  if (ladder->stream != NULL)
    ladder->production->stream->stream_free (ladder->stream);
  ladder->engine->close (ladder);
  free (ladder);
}

void
esk_ladder_cancel (EskLadder *ladder)
{
  __atomic_store_n (&ladder->cancelled, 1, __ATOMIC_RELEASE);
}

void
esk_ladder_resume (EskLadder *ladder)
{
  __atomic_store_n (&ladder->cancelled, 0, __ATOMIC_RELEASE);
}

const char *
esk_ladder_last_error (EskLadder *ladder)
{
  return ladder->error;
}

int
esk_ladder_same_abi (unsigned abi,
                     char    *reason,
                     size_t   n)
{
  if (n > 0)
    reason[0] = '\0';
  if (abi == ESK_LADDER_ABI)
    return 1;
  snprintf (reason, n, "The module of ladders has interface %d, and the program asks for %u; both must be of one "
            "version", ESK_LADDER_ABI, abi);
  return 0;
}
