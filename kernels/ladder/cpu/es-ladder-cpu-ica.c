/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A step of FastICA on the processor: what each rung takes, and the hot spot and the library beside them. */

#include "es-ladder-cpu-ica-private.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples of an item, of the library's and of the hot spot's: a plane's share of either's cache, or more. */
#define LIBRARY_ITEM 2048
#define PRODUCTION_ITEM 32768

enum { LOOPS, BLOCKED, VECTORISED, REGISTERS, THREADED, PRODUCTION, LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [LOOPS] = { "loops", ESK_RUNG_STEP, "", NULL, NULL },
  [BLOCKED] = { "blocked", ESK_RUNG_STEP, "B", "loops", NULL },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "B V", "blocked", NULL },
  [REGISTERS] = { "registers", ESK_RUNG_STEP, "B V R_5 S_6", "vectorised", NULL },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "B V R_5 S_6 P", "registers", NULL },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "B V R_5 S_6 P", "threaded", NULL },
  [LIBRARY] = { "library", ESK_RUNG_LIBRARY, "", NULL, NULL },
};

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  IcaCpuWork *self = calloc (1, sizeof *self);
  int code = ESK_LADDER_ERROR_MEMORY;

  if (self == NULL)
    return code;
  code = esk_ica_work_init (ladder, &self->of, size);
  if (code != ESK_LADDER_OK)
    {
      free (self);
      return code;
    }
  self->padded = (self->of.rows + ICA_ROUND - 1) / ICA_ROUND * ICA_ROUND;
  *work = self;

  return ESK_LADDER_OK;
}

static void
clear (EskLadder *ladder,
       void      *work)
{
  IcaCpuWork *self = work;

  esk_ica_work_clear (&self->of);
  free (self);
}

/* ---- what a rung takes ---- */

/* A room a thread: z and g of so many floats. */
static int
take_rooms (IcaCpuWork    *self,
            size_t         z,
            size_t         g,
            unsigned       n,
            EskRungResult *result)
{
  result->threads = n;
  for (; self->n_rooms < n; self->n_rooms++)
    {
      IcaRoom *room = &self->rooms[self->n_rooms];

      room->z = ladder_more (z * sizeof (float), result);
      room->g = ladder_more (g * sizeof (float), result);
      if (room->z == NULL || room->g == NULL)
        {
          self->n_rooms++;
          return ESK_LADDER_ERROR_MEMORY;
        }
      memset (room->z, 0, z * sizeof (float));
    }
  self->w = ladder_more (self->padded * self->of.rows * sizeof (float), result);
  if (self->w == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  memset (self->w, 0, self->padded * self->of.rows * sizeof (float));
  memcpy (self->w, self->of.w, self->of.rows * self->of.rows * sizeof (float));

  return ESK_LADDER_OK;
}

static int
take_items (IcaCpuWork    *self,
            size_t         item,
            EskRungResult *result)
{
  self->item = item;
  self->n_items = (self->of.pixels + item - 1) / item;
  self->sums = ladder_more (self->n_items * self->of.rows * (self->of.rows + 1) * sizeof *self->sums, result);

  return self->sums != NULL ? ESK_LADDER_OK : ESK_LADDER_ERROR_MEMORY;
}

void
ica_add_items (IcaCpuWork *work)
{
  const size_t rows = work->of.rows;
  const double *sums = work->sums;

  for (size_t item = 0; item < work->n_items; item++, sums += rows * (rows + 1))
    {
      for (size_t e = 0; e < rows * rows; e++)
        work->of.product[e] += sums[e];
      for (size_t r = 0; r < rows; r++)
        work->of.derivative[r] += sums[rows * rows + r];
    }
}

static void
forget (IcaCpuWork *self)
{
  memset (self->of.product, 0, self->of.rows * self->of.rows * sizeof *self->of.product);
  memset (self->of.derivative, 0, self->of.rows * sizeof *self->of.derivative);
  if (self->sums != NULL)
    memset (self->sums, 0, self->n_items * self->of.rows * (self->of.rows + 1) * sizeof *self->sums);
  self->failed = 0;
}

/* ---- the hot spot, as the program calls it: a stream a thread ---- */

static int
begin_production (EskLadder     *ladder,
                  IcaCpuWork    *self,
                  EskRungResult *result)
{
  const unsigned threads = ladder_threads (ladder);

  ESK_LADDER_TRY (esk_ica_produce_begin (ladder, &self->of, &self->produced, result));
  ESK_LADDER_TRY (take_items (self, PRODUCTION_ITEM, result));
  result->threads = threads;
  for (unsigned t = 0; t < threads; t++)
    if ((self->streams[t] = ladder->production->stream->stream_new ((int) ladder->index)) == NULL)
      return ESK_LADDER_ERROR_MEMORY;

  return ESK_LADDER_OK;
}

static void
produce_item (void    *data,
              size_t   item,
              unsigned worker)
{
  EskLadder *ladder = data;
  IcaCpuWork *self = ladder->work;
  const size_t first = item * self->item, left = self->of.pixels - first, n = self->of.rows * (self->of.rows + 1);
  const int code = esk_ica_produce_some (ladder, self->streams[worker], &self->of, &self->produced, first,
                                         left < self->item ? left : self->item, self->sums + item * n);

  if (code != ESK_OK)
    __atomic_store_n (&self->failed, code, __ATOMIC_RELAXED);
}

static int
run_production (EskLadder  *ladder,
                IcaCpuWork *self)
{
  ESK_LADDER_TRY (ladder_share (ladder, self->n_items, produce_item, ladder));
  ica_add_items (self);

  return esk_ladder_produced (ladder, self->failed);
}

static void
end_production (EskLadder  *ladder,
                IcaCpuWork *self)
{
  for (unsigned t = 0; t < ESK_MOST_THREADS; t++)
    if (self->streams[t] != NULL)
      ladder->production->stream->stream_free (self->streams[t]);
  memset (self->streams, 0, sizeof self->streams);
  esk_ica_produce_end (ladder, &self->produced);
}

/* ---- rungs ---- */

static int
begin_step (EskLadder     *ladder,
            IcaCpuWork    *self,
            unsigned       rung,
            EskRungResult *result)
{
  const double pixels = (double) self->of.pixels, rows = (double) self->of.rows;
  const size_t block = self->padded * ICA_BLOCK;

  result->type = ESK_TYPE_LAB_FLOAT32;
  result->threads = result->launches = 1;
  result->operations = esk_ica_operations (&self->of);
  /* Blocks read the planes once, whatever becomes of them then is in the cache; loops read them twice for each vector,
   * and write w'z and read it again for each plane. */
  result->bytes = 4.0 * pixels * rows;
  switch (rung)
    {
    case LOOPS:
      result->bytes = 4.0 * pixels * rows * (3.0 * rows + 1.0);
      self->y = ladder_more (self->of.pixels * sizeof (float), result);
      return self->y != NULL ? ESK_LADDER_OK : ESK_LADDER_ERROR_MEMORY;
    case BLOCKED:
      return take_rooms (self, block, ICA_BLOCK, 1, result);
    case VECTORISED:
    case REGISTERS:
      ESK_LADDER_TRY (ladder_vectors ("avx2", result));
      return take_rooms (self, block, ICA_ROUND * ICA_BLOCK, 1, result);
    case THREADED:
      ESK_LADDER_TRY (ladder_vectors ("avx2", result));
      ESK_LADDER_TRY (take_rooms (self, block, ICA_ROUND * ICA_BLOCK, ladder_threads (ladder), result));
      return take_items (self, ICA_BLOCKS * ICA_BLOCK, result);
    default:
      if (self->of.pixels > INT_MAX)
        return esk_ladder_refuse (result, ESK_WHY_SIZE, 0, 0, "at most 2147483647 samples");
      ESK_LADDER_TRY (take_rooms (self, self->of.rows * LIBRARY_ITEM, self->of.rows * self->of.rows,
                                  ladder_threads (ladder), result));
      return take_items (self, LIBRARY_ITEM, result);
    }
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  IcaCpuWork *self = work;

  forget (self);
  return rung == PRODUCTION ? begin_production (ladder, self, result) : begin_step (ladder, self, rung, result);
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  static int (*const steps[N_RUNGS]) (EskLadder *ladder, IcaCpuWork *work) = {
    [LOOPS] = ica_loops, [BLOCKED] = ica_blocked, [VECTORISED] = ica_vectorised, [REGISTERS] = ica_registers,
    [THREADED] = ica_threaded, [PRODUCTION] = run_production, [LIBRARY] = ica_library,
  };

  forget (work);
  return steps[rung] (ladder, work);
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  IcaCpuWork *self = work;

  /* Terms that are added up in float32: of a block, in eight sums; of what the library does with an item we know
   * nothing better than all of it. */
  return esk_ica_work_check (&self->of, rung == LOOPS ? 1.0 : rung == LIBRARY ? LIBRARY_ITEM : ICA_BLOCK, result);
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  IcaCpuWork *self = work;

  if (rung == PRODUCTION)
    end_production (ladder, self);
  for (; self->n_rooms > 0; self->n_rooms--)
    {
      free (self->rooms[self->n_rooms - 1].z);
      free (self->rooms[self->n_rooms - 1].g);
    }
  memset (self->rooms, 0, sizeof self->rooms);
  free (self->w);
  free (self->y);
  free (self->sums);
  self->w = self->y = NULL;
  self->sums = NULL;
  self->n_items = 0;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  IcaCpuWork *self = work;

  return esk_ica_work_output (&self->of, values, n);
}

const EskSubject ladder_ica = {
  rungs, N_RUNGS, esk_ica_work_least, prepare, clear, begin, run, finish, end, output,
};
