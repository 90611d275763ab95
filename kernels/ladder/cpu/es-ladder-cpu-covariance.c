/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance's ladder of the processor: its rungs, and what they ask of memory and do. */

#include "es-ladder-cpu-covariance-private.h"

#include <stdlib.h>
#include <string.h>

enum { LOOPS, FUSED, TRIANGLE, INTERCHANGED, BLOCKED, VECTORISED, THREADED, COMPENSATED, DOTS, PRODUCTION,
       LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [LOOPS] = { "loops", ESK_RUNG_STEP, "", NULL, NULL },
  [FUSED] = { "fused", ESK_RUNG_STEP, "F", "loops", NULL },
  [TRIANGLE] = { "triangle", ESK_RUNG_STEP, "F H", "fused", NULL },
  [INTERCHANGED] = { "interchanged", ESK_RUNG_STEP, "F H I", "triangle", NULL },
  [BLOCKED] = { "blocked", ESK_RUNG_STEP, "F H I B", "interchanged", NULL },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "F H I B V", "blocked", NULL },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "F H I B V P", "vectorised", NULL },
  [COMPENSATED] = { "compensated", ESK_RUNG_STEP, "F H I B V P K", "threaded", NULL },
  [DOTS] = { "dots", ESK_RUNG_STEP, "F H I B V P K D", "compensated", NULL },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "F H I B V P", "compensated", NULL },
  [LIBRARY] = { "library", ESK_RUNG_LIBRARY, "F H I B V P", NULL, NULL },
};

/* The steps, what they ask of memory and what they do. */
static const struct {
  int     (*run) (EskLadder *ladder, EskCovarianceWork *work);
  unsigned  eighths;           /* of a byte, loaded and stored for one entry and pixel */
  unsigned  additions;         /* besides a multiplication and its addition */
  int       whole;             /* all entries, not a triangle */
} steps[] = {
  [LOOPS] = { covariance_loops, 32, 2, 1 },
  [FUSED] = { covariance_fused, 16, 2, 1 },
  [TRIANGLE] = { covariance_triangle, 16, 2, 0 },
  /* A sample of 32 bits, and a sum of 64 that comes and goes. */
  [INTERCHANGED] = { covariance_interchanged, 8 * 20, 0, 0 },
  /* Six samples for eight entries. */
  [BLOCKED] = { covariance_blocked, 6, 0, 0 },
  [VECTORISED] = { covariance_vectorised, 6, 0, 0 },
  [THREADED] = { covariance_threaded, 6, 0, 0 },
  [COMPENSATED] = { covariance_compensated, 6, 0, 0 },
  /* Eight for sixteen. */
  [DOTS] = { covariance_dots, 4, 0, 0 },
};

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  CovarianceOfCpu *self = calloc (1, sizeof *self);
  int code;

  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = esk_covariance_work_init (ladder, &self->of, size);
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
  CovarianceOfCpu *self = work;

  esk_covariance_work_clear (&self->of);
  free (self);
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  CovarianceOfCpu *self = work;
  const double pixels = (double) self->of.pixels, bands = (double) self->of.bands;

  memset (self->of.product, 0, self->of.bands * self->of.bands * sizeof *self->of.product);
  memset (self->of.sum, 0, self->of.bands * sizeof *self->of.sum);
  if (rung == PRODUCTION)
    return covariance_production_begin (ladder, self, result);
  if (rung == LIBRARY)
    return covariance_library_begin (ladder, self, result);
  if (rung >= VECTORISED)
    ESK_LADDER_TRY (rung == DOTS ? covariance_dots_suit (result) : ladder_vectors ("avx2", result));
  result->type = rung == DOTS ? ESK_TYPE_LAB_INT8 : ESK_TYPE_LAB_INT32;
  result->matrix = rung == DOTS;
  result->threads = rung >= THREADED ? ladder_threads (ladder) : 1;
  result->launches = 1;
  result->bytes = pixels * (steps[rung].whole ? bands * bands : bands * (bands + 1.0) / 2.0);
  result->operations = result->bytes * (2.0 + steps[rung].additions);
  result->bytes *= steps[rung].eighths / 8.0;

  return ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  CovarianceOfCpu *self = work;

  switch (rung)
    {
    case PRODUCTION: return covariance_production (ladder, self);
    case LIBRARY: return covariance_library (ladder, self);
    default: return steps[rung].run (ladder, &self->of);
    }
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  CovarianceOfCpu *self = work;

  esk_covariance_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  CovarianceOfCpu *self = work;

  if (rung == PRODUCTION)
    covariance_production_end (ladder, self);
  if (rung == LIBRARY)
    covariance_library_end (self);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  const CovarianceOfCpu *self = work;

  return esk_covariance_output (&self->of, values, n);
}

const EskSubject ladder_covariance = {
  rungs, N_RUNGS, esk_covariance_least, prepare, clear, begin, run, finish, end, output,
};
