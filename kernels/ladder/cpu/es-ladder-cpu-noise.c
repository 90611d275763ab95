/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Noise residuals on the processor: what each rung takes, and the hot spot beside them. */

#include "es-ladder-cpu-noise-private.h"

#include <stdlib.h>
#include <string.h>

/* Rows of an item of the hot spot's. */
#define PRODUCTION_ROWS 64
/* Of the rung of the median that works on so many side by side. */
#define LEAST_WIDTH 34

enum {
  MEDIAN, MEAN, COLUMNS, VECTORISED, THREADED, PRODUCTION, EXCHANGES, MEDIAN_VECTORISED, PRODUCTION_MEDIAN, N_RUNGS
};

#define OF_MEAN ESK_RESIDUAL_MEAN
#define OF_MEDIAN ESK_RESIDUAL_MEDIAN

static const EskRung rungs[N_RUNGS] = {
  [MEDIAN] = { "median", ESK_RUNG_STEP, "", NULL, NULL, OF_MEDIAN },
  [MEAN] = { "mean", ESK_RUNG_STEP, "R_3", "median", NULL, OF_MEAN },
  [COLUMNS] = { "columns", ESK_RUNG_STEP, "R_3 S_6", "mean", NULL, OF_MEAN },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "R_3 S_6 V", "columns", NULL, OF_MEAN },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "R_3 S_6 V P", "vectorised", NULL, OF_MEAN },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "R_3 S_6 V P", "threaded", NULL, OF_MEAN },
  [EXCHANGES] = { "exchanges", ESK_RUNG_STEP, "R_1", "median", NULL, OF_MEDIAN },
  [MEDIAN_VECTORISED] = { "median-vectorised", ESK_RUNG_STEP, "R_1 V", "exchanges", NULL, OF_MEDIAN },
  [PRODUCTION_MEDIAN] = { "production-median", ESK_RUNG_PRODUCTION, "R_1 S_6 V P", "median-vectorised", NULL,
                          OF_MEDIAN },
};

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  NoiseCpuWork *self = calloc (1, sizeof *self);
  int code = ESK_LADDER_ERROR_MEMORY;

  if (self == NULL)
    return code;
  code = esk_residual_work_init (ladder, &self->of, size);
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
  NoiseCpuWork *self = work;

  esk_residual_work_clear (&self->of);
  free (self);
}

/* ---- the hot spot, as the program calls it: a stream a thread ---- */

static int
begin_production (EskLadder     *ladder,
                  NoiseCpuWork  *self,
                  unsigned       rung,
                  EskRungResult *result)
{
  const unsigned threads = ladder_threads (ladder);

  ESK_LADDER_TRY (esk_residual_produce_begin (ladder, &self->of, rungs[rung].definition, &self->produced, result));
  result->threads = threads;
  for (unsigned t = 0; t < threads; t++)
    if ((self->streams[t] = ladder->production->stream->stream_new ((int) ladder->index)) == NULL)
      return ESK_LADDER_ERROR_MEMORY;

  return ESK_LADDER_OK;
}

static void
produce_rows (void    *data,
              size_t   item,
              unsigned worker)
{
  EskLadder *ladder = data;
  NoiseCpuWork *self = ladder->work;
  const size_t first = item * PRODUCTION_ROWS, left = self->of.inner_height - first;
  const int code = esk_residual_produce_some (ladder, self->streams[worker], &self->of, &self->produced, first,
                                              left < PRODUCTION_ROWS ? left : PRODUCTION_ROWS);

  if (code != ESK_OK)
    __atomic_store_n (&self->failed, code, __ATOMIC_RELAXED);
}

static int
run_production (EskLadder    *ladder,
                NoiseCpuWork *self)
{
  self->failed = ESK_OK;
  ESK_LADDER_TRY (ladder_share (ladder, (self->of.inner_height + PRODUCTION_ROWS - 1) / PRODUCTION_ROWS, produce_rows,
                                ladder));
  return esk_ladder_produced (ladder, self->failed);
}

static void
end_production (EskLadder    *ladder,
                NoiseCpuWork *self)
{
  for (unsigned t = 0; t < ESK_MOST_THREADS; t++)
    if (self->streams[t] != NULL)
      ladder->production->stream->stream_free (self->streams[t]);
  memset (self->streams, 0, sizeof self->streams);
  esk_residual_produce_end (ladder, &self->produced);
}

/* ---- rungs ---- */

/* Loads and stores of a pixel in bytes, and operations: nine are put in order by 18 comparisons and as many moves, or
 * by 38 of smaller and larger. */
static void
count (EskRungResult         *result,
       const EskResidualWork *work,
       unsigned               rung)
{
  static const double bytes[N_RUNGS] = {
    [MEDIAN] = 12, [MEAN] = 12, [COLUMNS] = 14, [VECTORISED] = 14, [THREADED] = 14, [EXCHANGES] = 12,
    [MEDIAN_VECTORISED] = 11,
  };
  static const double operations[N_RUNGS] = {
    [MEDIAN] = 37, [MEAN] = 11, [COLUMNS] = 6, [VECTORISED] = 6, [THREADED] = 6, [EXCHANGES] = 39,
    [MEDIAN_VECTORISED] = 39,
  };
  const double pixels = (double) work->inner_width * (double) work->inner_height * (double) work->bands;

  result->bytes = pixels * bytes[rung];
  result->operations = pixels * operations[rung];
  result->type = ESK_TYPE_LAB_INT32;
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  NoiseCpuWork *self = work;

  memset (self->of.out, 0, self->of.pixels * self->of.bands * sizeof *self->of.out);
  if (rung == PRODUCTION || rung == PRODUCTION_MEDIAN)
    return begin_production (ladder, self, rung, result);
  if (rung == VECTORISED || rung == THREADED || rung == MEDIAN_VECTORISED)
    ESK_LADDER_TRY (ladder_vectors ("avx2", result));
  if (rung == MEDIAN_VECTORISED && self->of.width < LEAST_WIDTH)
    return esk_ladder_refuse (result, ESK_WHY_SIZE, 0, 0, "34 pixels side by side");
  count (result, &self->of, rung);
  result->launches = 1;
  result->threads = rung == THREADED ? ladder_threads (ladder) : 1;
  if (rung == COLUMNS || rung == VECTORISED || rung == THREADED)
    for (; self->n_columns < result->threads; self->n_columns++)
      if ((self->columns[self->n_columns] = ladder_more (self->of.width * sizeof (uint16_t), result)) == NULL)
        return ESK_LADDER_ERROR_MEMORY;

  return ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  static int (*const steps[N_RUNGS]) (EskLadder *ladder, NoiseCpuWork *work) = {
    [MEDIAN] = noise_median, [MEAN] = noise_mean, [COLUMNS] = noise_columns, [VECTORISED] = noise_vectorised,
    [THREADED] = noise_threaded, [PRODUCTION] = run_production, [EXCHANGES] = noise_exchanges,
    [MEDIAN_VECTORISED] = noise_median_vectorised, [PRODUCTION_MEDIAN] = run_production,
  };

  return steps[rung] (ladder, work);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  NoiseCpuWork *self = work;

  esk_residual_work_check (&self->of, rungs[rung].definition, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  NoiseCpuWork *self = work;

  if (rung == PRODUCTION || rung == PRODUCTION_MEDIAN)
    end_production (ladder, self);
  for (; self->n_columns > 0; self->n_columns--)
    free (self->columns[self->n_columns - 1]);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  NoiseCpuWork *self = work;

  return esk_residual_work_output (&self->of, values, n);
}

const EskSubject ladder_noise = {
  rungs, N_RUNGS, esk_residual_work_least, prepare, clear, begin, run, finish, end, output,
};
