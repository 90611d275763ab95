/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix, from three loops on. */

#include "ladder/es-ladder-covariance-internal.h"
#include "es-ladder-cpu-private.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  EskCovarianceWork     of;
  EskCovarianceProduced produced;
} Work;

enum { LOOPS, PRODUCTION, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [LOOPS] = { "loops", ESK_RUNG_STEP, "", NULL, NULL },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "H V P", "loops", NULL },
};

/* lab: covariance-loops */
/* Every entry, one after the other: a pass over two bands each. */
static int
loops (EskLadder         *ladder,
       EskCovarianceWork *work)
{
  for (size_t i = 0; i < work->bands; i++)
    {
      for (size_t j = 0; j < work->bands; j++)
        {
          const uint8_t *a = work->planes + i * work->pixels, *b = work->planes + j * work->pixels;
          int64_t product = 0;

          for (size_t p = 0; p < work->pixels; p++)
            product += a[p] * b[p];
          work->product[i * work->bands + j] = product;
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (i + 1) / (double) work->bands));
    }
  for (size_t b = 0; b < work->bands; b++)
    {
      work->sum[b] = 0;
      for (size_t p = 0; p < work->pixels; p++)
        work->sum[b] += work->planes[b * work->pixels + p];
    }

  return ESK_LADDER_OK;
}
/* lab end */

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  Work *self = calloc (1, sizeof *self);
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
  Work *self = work;

  esk_covariance_work_clear (&self->of);
  free (self);
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = work;
  const double pixels = (double) self->of.pixels, bands = (double) self->of.bands;

  memset (self->of.product, 0, self->of.bands * self->of.bands * sizeof *self->of.product);
  if (rung == PRODUCTION)
    return esk_covariance_produce_begin (ladder, &self->of, &self->produced, result);
  result->type = ESK_TYPE_LAB_INT32;
  result->threads = 1;
  result->launches = 1;
  result->bytes = 2.0 * pixels * bands * bands;
  result->operations = 2.0 * pixels * bands * bands;
  return ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = work;

  return rung == PRODUCTION ? esk_covariance_produce_run (ladder, &self->produced) : loops (ladder, &self->of);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_covariance_produce_finish (ladder, &self->produced, &self->of));
  esk_covariance_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = work;

  if (rung == PRODUCTION)
    esk_covariance_produce_end (ladder, &self->produced);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  Work *self = work;

  return esk_covariance_output (&self->of, values, n);
}

const EskSubject ladder_covariance = {
  rungs, N_RUNGS, esk_covariance_least, prepare, clear, begin, run, finish, end, output,
};
