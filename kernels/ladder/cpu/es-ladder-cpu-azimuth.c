/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The azimuth spectrum on the processor, from one product after the other on. */

#include "es-ladder-cpu-azimuth-private.h"

#include "host/es-blas-internal.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  EskAzimuthWork   of;
  EskArrayProduced produced;
  Azimuth          work;
  Complex         *products;   /* the library's: [angle][eigen] */
  double           eigen_seconds;       /* 0: not known yet */
} Work;

enum { LOOPS, BLOCKED, VECTORISED, THREADED, PRODUCTION, LIBRARY, N_RUNGS };

static const EskRung rungs[N_RUNGS] = {
  [LOOPS] = { "loops", ESK_RUNG_STEP, "", NULL, NULL },
  [BLOCKED] = { "blocked", ESK_RUNG_STEP, "B", "loops", NULL },
  [VECTORISED] = { "vectorised", ESK_RUNG_STEP, "B V", "blocked", NULL },
  [THREADED] = { "threaded", ESK_RUNG_STEP, "B V P", "vectorised", NULL },
  [PRODUCTION] = { "production", ESK_RUNG_PRODUCTION, "B V", NULL, NULL },
  [LIBRARY] = { "library", ESK_RUNG_LIBRARY, "", NULL, NULL },
};

static int
prepare (EskLadder           *ladder,
         const EskLadderSize *size,
         void               **work)
{
  Work *self = calloc (1, sizeof *self);
  int code;

  if (self == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  code = esk_azimuth_work_init (ladder, &self->of, size);
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

  esk_azimuth_work_clear (&self->of);
  free (self);
}

/* Angles whose directions there is room for at a time. */
static size_t
room (EskLadder *ladder,
      unsigned   rung,
      size_t     angles)
{
  return rung == LOOPS ? 1 : rung == LIBRARY ? angles : AZIMUTH_TILE * (rung == THREADED ? ladder_threads (ladder) : 1);
}

/* What it takes to have eigenvectors, as the program has them of LAPACK: once for each matrix. */
static int
time_eigenproblem (Work *self)
{
  const size_t n = self->of.n;
  double *matrix = esk_azimuth_matrix (n), *values = ladder_memory (n * sizeof *values);
  double *vectors = ladder_memory (2 * n * n * sizeof *vectors), began = esk_ladder_now ();
  int code = ESK_LADDER_ERROR_MEMORY;

  if (matrix != NULL && values != NULL && vectors != NULL)
    code = esk_eigen_hermitian_lapack (n, matrix, values, vectors) == ESK_OK ? ESK_LADDER_OK : ESK_LADDER_ERROR_DEVICE;
  self->eigen_seconds = esk_ladder_now () - began;
  free (matrix);
  free (values);
  free (vectors);

  return code;
}

static int
begin (EskLadder     *ladder,
       void          *work,
       unsigned       rung,
       EskRungResult *result)
{
  Work *self = work;
  const size_t n = self->of.n, angles = self->of.angles, bytes = room (ladder, rung, angles) * n * sizeof (Complex);
  double least_bytes;

  memset (self->of.power, 0, angles * sizeof *self->of.power);
  /* The program's threads share bins, of which there is one. */
  result->threads = rung == THREADED ? ladder_threads (ladder) : 1;
  if (rung == PRODUCTION)
    return esk_azimuth_produce_begin (ladder, &self->of, &self->produced, result);
  if (rung == VECTORISED || rung == THREADED)
    ESK_LADDER_TRY (ladder_vectors ("avx2", result));
  result->type = ESK_TYPE_LAB_FLOAT32;
  result->launches = 1;
  esk_azimuth_least (&ladder->size, &least_bytes, &result->operations);
  result->bytes = (double) (rung == LOOPS ? angles : (angles + AZIMUTH_TILE - 1) / AZIMUTH_TILE) * 8.0 * (double) n
                  * (double) n + (double) angles * 8.0 * (double) n * (double) (n + 1);
  if (rung == LIBRARY)
    result->bytes = 0.0;
  self->work = (Azimuth) { n, angles, (const Complex *) self->of.vectors, self->of.inverse, self->of.cosines,
                           self->of.power, ladder_more (bytes, result) };
  self->products = rung == LIBRARY ? ladder_more (angles * n * sizeof *self->products, result) : NULL;
  if (self->work.directions == NULL || (rung == LIBRARY && self->products == NULL))
    return esk_ladder_refuse (result, ESK_WHY_MEMORY, (double) bytes, 0, NULL);
  if (self->eigen_seconds == 0.0)
    {
      ESK_LADDER_TRY (ladder_eigen (ladder, n, result));
      ESK_LADDER_TRY (time_eigenproblem (self));
    }
  result->preparation = self->eigen_seconds;

  return ESK_LADDER_OK;
}

/* cgemm of all directions with all eigenvectors, by OpenBLAS, which has one thread in this program; the directions
 * before and the sums after are ours. */
static int
run_library (EskLadder *ladder,
             Work      *self)
{
  static const float one[2] = { 1.0f, 0.0f }, zero[2] = { 0.0f, 0.0f };
  const blasint n = (blasint) self->of.n, angles = (blasint) self->of.angles;

  for (size_t a = 0; a < self->of.angles; a++)
    azimuth_steer (&self->work, a, self->work.directions + a * self->of.n);
  if (esk_blas_enter () != ESK_OK)
    return ESK_LADDER_ERROR_MEMORY;
  /* [angle][eigen]: a v*, the conjugate of a' v, whose square is the same. */
  cblas_cgemm (CblasRowMajor, CblasNoTrans, CblasConjTrans, angles, n, n, one, self->work.directions, n,
               self->work.vectors, n, zero, self->products, n);
  esk_blas_leave ();
  for (size_t a = 0; a < self->of.angles; a++)
    {
      const Complex *z = self->products + a * self->of.n;
      float sum = 0.0f;

      for (size_t m = 0; m < self->of.n; m++)
        sum += (z[m].re * z[m].re + z[m].im * z[m].im) * self->of.inverse[m];
      self->of.power[a] = 1.0f / sum;
    }

  return ESK_LADDER_OK;
}

static int
run (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = work;

  switch (rung)
    {
    case LOOPS:
      return azimuth_loops (ladder, &self->work);
    case BLOCKED:
      return azimuth_blocked (ladder, &self->work);
    case VECTORISED:
      return azimuth_vectorised (ladder, &self->work);
    case THREADED:
      return azimuth_threaded (ladder, &self->work);
    case PRODUCTION:
      return esk_array_produce_run (ladder, &self->produced);
    default:
      return run_library (ladder, self);
    }
}

static int
finish (EskLadder     *ladder,
        void          *work,
        unsigned       rung,
        EskRungResult *result)
{
  Work *self = work;

  if (rung == PRODUCTION)
    ESK_LADDER_TRY (esk_array_produce_finish (ladder, &self->produced, self->of.power));
  esk_azimuth_check (&self->of, result);
  return ESK_LADDER_OK;
}

static void
end (EskLadder *ladder,
     void      *work,
     unsigned   rung)
{
  Work *self = work;

  if (rung == PRODUCTION)
    esk_array_produce_end (ladder, &self->produced);
  free (self->work.directions);
  free (self->products);
  self->work.directions = self->products = NULL;
}

static int64_t
output (void   *work,
        double *values,
        size_t  n)
{
  return esk_azimuth_output (&((Work *) work)->of, values, n);
}

const EskSubject ladder_azimuth = {
  rungs, N_RUNGS, esk_azimuth_least, prepare, clear, begin, run, finish, end, output,
};
