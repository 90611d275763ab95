/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jacobi's rotations on the processor, from rows and columns one after the other on. */

#include "es-ladder-cpu-jacobi-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  EskJacobiWork    of;
  EskArrayProduced produced;
  JacobiSweep      sweep;
  size_t           steps, rotations;   /* of the last run */
} Work;

enum { LOOPS, BLOCKED, VECTORISED, THREADED, ROTATIONS, PRODUCTION, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [LOOPS] = { "loops", ESK_RUNG_STEP, "", NULL, NULL },
  [BLOCKED] = { "blocked", ESK_RUNG_STEP, "B", "loops", NULL },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "B V", "blocked", NULL },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "B V P", "vectorised", NULL },
  /* Of MVDR by rotations, where somebody asks for that method. */
  [ROTATIONS] = { "rotations", ESK_RUNG_STEP, "B V P", "threaded", NULL },
  /* LAPACK, which is how the program finds eigenvectors of Hermitian matrices. */
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "", NULL, NULL },
};

/* ---- sweeps ---- */

static void
begin_sweeps (Work *self)
{
  const size_t n = self->of.n;
  JacobiSweep *sweep = &self->sweep;

  memcpy (sweep->a, self->of.matrix, n * n * sizeof *sweep->a);
  memset (sweep->v, 0, n * n * sizeof *sweep->v);
  for (size_t k = 0; k < n; k++)
    sweep->v[k * n + k].re = 1.0;
  self->steps = self->rotations = 0;
}

static double
off_diagonal (const JacobiSweep *sweep)
{
  double off = 0.0;

  for (size_t i = 0; i < sweep->n; i++)
    for (size_t j = 0; j < sweep->n; j++)
      if (i != j)
        off += sweep->a[i * sweep->n + j].re * sweep->a[i * sweep->n + j].re
               + sweep->a[i * sweep->n + j].im * sweep->a[i * sweep->n + j].im;

  return sqrt (off);
}

static int
do_step (EskLadder *ladder,
         Work      *self,
         unsigned   rung)
{
  if (rung == LOOPS)
    jacobi_loops (&self->sweep);
  else if (rung == BLOCKED)
    jacobi_blocked (&self->sweep);
  else if (rung == VECTORISED)
    jacobi_vectorised (&self->sweep);
  else
    return jacobi_threaded (ladder, &self->sweep);
  return ESK_LADDER_OK;
}

static int
run_sweeps (EskLadder *ladder,
            Work      *self,
            unsigned   rung)
{
  const size_t n = self->of.n, circle = n + n % 2 - 1;

  begin_sweeps (self);
  for (unsigned sweep = 0; sweep < ESK_JACOBI_MOST_SWEEPS; sweep++)
    {
      if (off_diagonal (&self->sweep) <= ESK_JACOBI_OFF * self->of.norm)
        return ESK_LADDER_OK;
      for (size_t step = 0; step < circle; step++)
        {
          jacobi_find (&self->sweep, step, ESK_JACOBI_PIVOT * self->of.norm);
          self->steps++;
          self->rotations += self->sweep.n_rotations;
          if (self->sweep.n_rotations > 0)
            ESK_LADDER_TRY (do_step (ladder, self, rung));
          ESK_LADDER_TRY (esk_jacobi_pause (ladder, &self->of, self->steps, self->rotations));
        }
    }

  return ESK_LADDER_OK;
}

/* ---- the ladder ---- */

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  Work *self = calloc (1, sizeof *self);
  int code;

  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = esk_jacobi_work_init (ladder, &self->of, size);
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

  esk_jacobi_work_clear (&self->of);
  free (self);
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = work;
  const size_t n = self->of.n, bytes = n * n * sizeof (Complex);
  JacobiSweep *sweep = &self->sweep;

  self->steps = self->rotations = 0;
  if (rung == ROTATIONS)
    {
      result->threads = ladder_threads (ladder);
      if (ladder->production != NULL)
        esk_hotspots_set_threads (ladder->production, ladder->stream, (int) result->threads);
      return esk_jacobi_produce_begin (ladder, &self->of, &self->produced, result);
    }
  result->type = ESK_TYPE_LAB_FLOAT64;
  result->threads = rung == THREADED ? ladder_threads (ladder) : 1;
  if (rung == PRODUCTION)
    return ladder_eigen (ladder, self->of.n, result);
  if (rung >= VECTORISED)
    ESK_LADDER_TRY (ladder_vectors ("avx2", result));
  sweep->n = n;
  sweep->a = ladder_more (bytes, result);
  sweep->v = ladder_memory (bytes);
  sweep->pairs = ladder_memory ((n + 1) * sizeof *sweep->pairs);
  sweep->turned = ladder_memory ((n / 2 + 1) * sizeof *sweep->turned);
  sweep->rotations = ladder_memory ((n / 2 + 1) * sizeof *sweep->rotations);
  sweep->columns = ladder_memory ((n / 4 + 1) * sizeof *sweep->columns);
  if (sweep->a == NULL || sweep->v == NULL || sweep->pairs == NULL || sweep->turned == NULL || sweep->rotations == NULL
      || sweep->columns == NULL)
    return esk_ladder_refuse (result, ESK_WHY_MEMORY, 2.0 * (double) bytes, 0, NULL);

  return ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = work;

  if (rung == ROTATIONS)
    return esk_jacobi_produce_run (ladder, &self->of, &self->produced);
  if (rung != PRODUCTION)
    return run_sweeps (ladder, self, rung);
  self->of.has_vectors = 1;
  return esk_eigen_hermitian_lapack (self->of.n, self->of.matrix, self->of.values, self->of.vectors) == ESK_OK
         ? ESK_LADDER_OK : esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "zheevd did not come to an end");
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = work;
  const size_t n = self->of.n;

  if (rung == ROTATIONS)
    ESK_LADDER_TRY (esk_jacobi_produce_finish (ladder, &self->of, &self->produced, result));
  else if (rung == PRODUCTION)
    result->launches = 1;
  else
    {
      double *diagonal = malloc (n * sizeof *diagonal);
      int code;

      if (diagonal == NULL)
        return ESK_LADDER_ERROR_MEMORY;
      for (size_t k = 0; k < n; k++)
        diagonal[k] = self->sweep.a[k * n + k].re;
      code = esk_jacobi_bring (&self->of, diagonal, &self->sweep.v->re, rung != LOOPS);
      free (diagonal);
      ESK_LADDER_TRY (code);
      /* So many steps it took, n - 1 a sweep. */
      result->launches = (uint32_t) self->steps;
      result->bytes = (double) self->rotations * 3.0 * (double) n * 64.0;
      result->operations = (double) self->rotations * 3.0 * (double) n * 20.0;
    }
  return esk_jacobi_check (&self->of, result);
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = work;
  JacobiSweep *sweep = &self->sweep;

  if (rung == ROTATIONS)
    esk_array_produce_end (ladder, &self->produced);
  free (sweep->a);
  free (sweep->v);
  free (sweep->pairs);
  free (sweep->turned);
  free (sweep->rotations);
  free (sweep->columns);
  memset (sweep, 0, sizeof *sweep);
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_jacobi_output (&((Work *) work)->of, values, n);
}

const EskSubject ladder_jacobi = {
  rungs, N_RUNGS, esk_jacobi_least, prepare, clear, begin, run, finish, end, output,
};
