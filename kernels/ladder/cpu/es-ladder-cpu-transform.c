/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The transform's ladder of the processor: its rungs, and what they ask of memory and do. */

#include "es-ladder-cpu-transform-private.h"

#include <stdlib.h>

enum { FIRST, INTERCHANGED, BLOCKED, VECTORISED, THREADED, PRODUCTION, LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [FIRST] = { "first", ESK_RUNG_STEP, "", NULL, NULL },
  [INTERCHANGED] = { "interchanged", ESK_RUNG_STEP, "I", "first", NULL },
  [BLOCKED] = { "blocked", ESK_RUNG_STEP, "I B", "interchanged", NULL },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "I B V", "blocked", NULL },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "I B V P", "vectorised", NULL },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "I B V P", "threaded", NULL },
  [LIBRARY] = { "library", ESK_RUNG_LIBRARY, "I B V P", NULL, NULL },
};

static int (*const runs[N_RUNGS]) (EskLadder *ladder, TransformOfCpu *self) = {
  [FIRST] = transform_first,
  [INTERCHANGED] = transform_interchanged,
  [BLOCKED] = transform_blocked,
  [VECTORISED] = transform_vectorised,
  [THREADED] = transform_threaded,
  [PRODUCTION] = transform_production,
  [LIBRARY] = transform_library,
};

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  TransformOfCpu *self = calloc (1, sizeof *self);
  int code;

  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = esk_transform_work_init (ladder, &self->of, size);
  if (code != ESK_LADDER_OK)
    free (self);
  else
    *work = self;
  return code;
}

static void
clear (EskLadder *ladder,
       void      *work)
{
  TransformOfCpu *self = work;

  esk_transform_work_clear (&self->of);
  free (self);
}

/* What the loads and stores of a rung ask of memory. */
static double
bytes_of (const EskTransformWork *work,
          unsigned                rung)
{
  const double pixels = (double) work->pixels, samples = pixels * (double) work->bands, rows = (double) work->rows;

  switch (rung)
    {
    /* A sample and a factor each time. */
    case FIRST: return samples * rows * 5.0 + 4.0 * pixels * rows;
    /* A sample, and a result that comes and goes. */
    case INTERCHANGED: return samples * rows * 9.0 + 4.0 * pixels * rows;
    /* Samples are converted; then of four rows two samples and four factors, for eight products, or two vectors. */
    case BLOCKED: return samples * 5.0 + samples * rows * 24.0 / 8.0 + 4.0 * pixels * rows;
    default: return samples * 5.0 + samples * rows * (64.0 + 16.0) / 64.0 + 4.0 * pixels * rows;
    }
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  TransformOfCpu *self = work;
  const int shared = rung >= THREADED;

  esk_transform_forget (&self->of);
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->threads = shared ? ladder_threads (ladder) : 1;
  result->launches = 1;
  result->operations = 2.0 * (double) self->of.pixels * (double) self->of.bands * (double) self->of.rows;
  if (rung == PRODUCTION)
    return transform_production_begin (ladder, self, result);
  if (rung == VECTORISED || rung == THREADED)
    ESK_LADDER_TRY (ladder_vectors ("avx2", result));
  result->bytes = bytes_of (&self->of, rung);
  return rung >= BLOCKED ? transform_panels (self, result->threads, result) : ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  return runs[rung] (ladder, work);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  const TransformOfCpu *self = work;

  esk_transform_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  transform_end (ladder, work);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  const TransformOfCpu *self = work;

  return esk_transform_output (&self->of, values, n);
}

const EskSubject ladder_transform = {
  rungs, N_RUNGS, esk_transform_least, prepare, clear, begin, run, finish, end, output,
};
