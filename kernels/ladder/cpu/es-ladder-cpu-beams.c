/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conventional beams on the processor: what each rung needs, and what it takes. */

#include "es-ladder-cpu-beams-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST, BLOCKED, RECURRENCE, VECTORISED, THREADED, LIBRARY, PRODUCTION, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [FIRST] = { "first", ESK_RUNG_STEP, "", NULL, NULL },
  [BLOCKED] = { "blocked", ESK_RUNG_STEP, "B", "first", NULL },
  [RECURRENCE] = { "recurrence", ESK_RUNG_STEP, "B A", "blocked", NULL },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "B A V", "recurrence", NULL },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "B A V P", "vectorised", NULL },
  [LIBRARY] = { "library", ESK_RUNG_LIBRARY, "V P", NULL, NULL },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "B A V P", "threaded", NULL },
};

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  LadderBeams *self = calloc (1, sizeof *self);
  int code;

  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = esk_beams_work_init (ladder, &self->of, size);
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
  LadderBeams *self = work;

  esk_beams_work_clear (&self->of);
  free (self);
}

/* ---- what rungs lay out ---- */

/* Frequencies and sums of the bins; and for vectors, spectra whose bins fill whole ones. */
static int
lay_out (EskLadder     *ladder,
         LadderBeams   *self,
         unsigned       rung,
         EskRungResult *result)
{
  const EskBeamsWork *of = &self->of;
  const size_t threads = rung == THREADED ? ladder_threads (ladder) : 1;
  const double began = esk_ladder_now (), wave = ESK_BEAMS_RATE / ESK_BEAMS_LENGTH / ESK_BEAMS_SPEED;

  /* A cache line at least, so that threads do not share one. */
  self->stride = (of->bins + 15) / 16 * 16;
  self->sums = ladder_more (threads * 2 * self->stride * sizeof (float), result);
  self->waves = ladder_more (of->bins * sizeof (float), result);
  if (self->sums == NULL || self->waves == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t b = 0; b < of->bins; b++)
    self->waves[b] = (float) (wave * (double) (ESK_BEAMS_FIRST_BIN + b));
  self->step = (float) wave;
  if (rung < VECTORISED)
    return ESK_LADDER_OK;
  self->real = ladder_more (of->elements * self->stride * sizeof (float), result);
  self->imaginary = ladder_more (of->elements * self->stride * sizeof (float), result);
  if (self->real == NULL || self->imaginary == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  memset (self->real, 0, of->elements * self->stride * sizeof (float));
  memset (self->imaginary, 0, of->elements * self->stride * sizeof (float));
  for (size_t k = 0; k < of->elements; k++)
    {
      memcpy (self->real + k * self->stride, of->real + k * of->bins, of->bins * sizeof (float));
      memcpy (self->imaginary + k * self->stride, of->imaginary + k * of->bins, of->bins * sizeof (float));
    }
  result->preparation = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

static int
lay_out_matrices (EskLadder     *ladder,
                  LadderBeams   *self,
                  EskRungResult *result)
{
  const EskBeamsWork *of = &self->of;
  const size_t foci = of->ranges * of->angles, rows = of->bins * foci;
  const double began = esk_ladder_now ();

  ESK_LADDER_TRY (ladder_room (8.0 * (double) rows * (double) of->elements, result));
  self->steering = ladder_more (rows * of->elements * 2 * sizeof (float), result);
  self->columns = ladder_more (of->bins * of->elements * 2 * sizeof (float), result);
  self->beams = ladder_more (rows * 2 * sizeof (float), result);
  self->turning = ladder_memory (ladder_threads (ladder) * 4 * of->elements * sizeof (double));
  if (self->steering == NULL || self->columns == NULL || self->beams == NULL || self->turning == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  memset (self->beams, 0, rows * 2 * sizeof (float));
  for (size_t k = 0; k < of->elements; k++)
    for (size_t b = 0; b < of->bins; b++)
      {
        self->columns[2 * (b * of->elements + k)] = of->real[k * of->bins + b];
        self->columns[2 * (b * of->elements + k) + 1] = of->imaginary[k * of->bins + b];
      }
  ESK_LADDER_TRY (ladder_share (ladder, foci, ladder_beams_steer, self));
  result->setup = esk_ladder_now () - began;

  return ESK_LADDER_OK;
}

/* ---- a rung ---- */

/* What it asks of memory, caches or not, and its arithmetic; a cosine and a sine count as two polynomials of four
 * multiply-adds. */
static void
count (const EskBeamsWork *of,
       unsigned            rung,
       EskRungResult      *result)
{
  const double rays = (double) of->elements * (double) (of->ranges * of->angles), bins = (double) of->bins;
  const double starts = rung == VECTORISED || rung == THREADED ? ceil (bins / (LADDER_BEAMS_LANES * LADDER_BEAMS_STEPS))
                        : rung == RECURRENCE ? ceil (bins / LADDER_BEAMS_STEPS) : bins;

  /* Spectra and a path each time; spectra and sums, there and back, and a path for all bins; a matrix and spectra. */
  result->bytes = rays * (rung == FIRST ? 12.0 * bins : rung == LIBRARY ? 16.0 * bins : 24.0 * bins + 4.0);
  /* A complex multiply-add, a phasor, and the product that turns it on. */
  result->operations = rays * (rung == LIBRARY ? 8.0 * bins : rung <= BLOCKED ? 26.0 * bins
                               : 8.0 * bins + 18.0 * (starts + 1.0) + 6.0 * bins
                                 + (rung == RECURRENCE ? 0.0 : 6.0 * LADDER_BEAMS_LANES));
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  LadderBeams *self = work;

  esk_beams_forget (&self->of);
  self->failed = 0;
  result->threads = rung < THREADED ? 1 : ladder_threads (ladder);
  if (rung == PRODUCTION)
    {
      if (ladder->production != NULL)
        esk_hotspots_set_threads (ladder->production, ladder->stream, (int) ladder_threads (ladder));
      return esk_beams_produce_begin (ladder, &self->of, &self->produced, result);
    }
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 1;
  count (&self->of, rung, result);
  if (rung == LIBRARY)
    return lay_out_matrices (ladder, self, result);
  if (rung == VECTORISED || rung == THREADED)
    ESK_LADDER_TRY (ladder_vectors ("avx2", result));

  return lay_out (ladder, self, rung, result);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  static int (*const climb[PRODUCTION]) (EskLadder *, LadderBeams *) = {
    [FIRST] = ladder_beams_first, [BLOCKED] = ladder_beams_blocked, [RECURRENCE] = ladder_beams_recurrence,
    [VECTORISED] = ladder_beams_vectorised, [THREADED] = ladder_beams_threaded, [LIBRARY] = ladder_beams_library,
  };
  LadderBeams *self = work;

  return rung == PRODUCTION ? esk_beams_produce_run (ladder, &self->produced) : climb[rung] (ladder, self);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  LadderBeams *self = work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_beams_produce_finish (ladder, &self->produced, &self->of));
  esk_beams_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  LadderBeams *self = work;

  if (rung == PRODUCTION)
    esk_beams_produce_end (ladder, &self->produced);
  free (self->real);
  free (self->imaginary);
  free (self->waves);
  free (self->sums);
  free (self->steering);
  free (self->columns);
  free (self->beams);
  free (self->turning);
  self->real = self->imaginary = self->waves = self->sums = self->steering = self->columns = self->beams = NULL;
  self->turning = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  LadderBeams *self = work;

  return esk_beams_output (&self->of, values, n);
}

const EskSubject ladder_beams = {
  rungs, N_RUNGS, esk_beams_least, prepare, clear, begin, run, finish, end, output,
};
