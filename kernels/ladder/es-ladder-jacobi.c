/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-jacobi-internal.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 61
/* Of the trace over n: the default of sonar.md 6.1. */
#define LOADING 1e-2
#define SOURCES 3
#define NOISE 0.3
/* Eigenpairs that are looked at one by one; matrices that LAPACK is asked about. */
#define CHECKED 6
#define SMALL 256
/* Operations a second of the hot spot on a processor's thread: more than any does. */
#define FASTEST 1e10
/* Seconds after which one may tell how long a run will take. */
#define FIRST_MOMENTS 0.25

/* Three plane waves, each with a phase and a strength of its own in every snapshot, and noise. */
static int
hear (EskLadder     *ladder,
      EskJacobiWork *work)
{
  static const double degrees[SOURCES] = { 57.0, 90.0, 123.0 }, strengths[SOURCES] = { 1.0, 0.7, 0.5 };
  const size_t n = work->n, stride = esk_spectra_stride (n);
  double *steering = malloc (SOURCES * 2 * n * sizeof *steering);

  if (steering == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t j = 0; j < SOURCES; j++)
    esk_array_steering (n, cos (degrees[j] * M_PI / 180.0), steering + 2 * j * n);
  for (size_t s = 0; s < work->snapshots && esk_ladder_cancelled (ladder) == ESK_LADDER_OK; s++)
    {
      float *re = work->spectra + 2 * s * stride, *im = re + stride;

      for (size_t k = 0; k < n; k++)
        {
          double x = NOISE * esk_ladder_random (SEED, 2 * (s * n + k));
          double y = NOISE * esk_ladder_random (SEED, 2 * (s * n + k) + 1);

          for (size_t j = 0; j < SOURCES; j++)
            {
              const double *a = steering + 2 * (j * n + k);
              const double g = strengths[j] * esk_ladder_random (SEED + 1, 2 * (s * SOURCES + j));
              const double h = strengths[j] * esk_ladder_random (SEED + 1, 2 * (s * SOURCES + j) + 1);

              x += g * a[0] - h * a[1];
              y += g * a[1] + h * a[0];
            }
          re[k] = (float) x;
          im[k] = (float) y;
        }
    }
  free (steering);

  return esk_ladder_cancelled (ladder);
}

/* R = sum X X' / snapshots, and the loading. */
static int
form_matrix (EskLadder     *ladder,
             EskJacobiWork *work)
{
  const size_t n = work->n, stride = esk_spectra_stride (n);

  for (size_t i = 0; i < n; i++)
    {
      double *row = work->matrix + 2 * i * n;

      for (size_t s = 0; s < work->snapshots; s++)
        {
          const float *re = work->spectra + 2 * s * stride, *im = re + stride;
          const double x = (double) re[i] / (double) work->snapshots, y = (double) im[i] / (double) work->snapshots;

          ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
          for (size_t j = i; j < n; j++)
            {
              row[2 * j] += x * (double) re[j] + y * (double) im[j];
              row[2 * j + 1] += y * (double) re[j] - x * (double) im[j];
            }
        }
      row[2 * i + 1] = 0.0;
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++)
      {
        work->matrix[2 * (i * n + j)] = work->matrix[2 * (j * n + i)];
        work->matrix[2 * (i * n + j) + 1] = -work->matrix[2 * (j * n + i) + 1];
      }
  for (size_t i = 0; i < n; i++)
    work->trace += work->matrix[2 * (i * n + i)];
  work->loading = LOADING * work->trace / (double) n;
  work->trace += (double) n * work->loading;
  for (size_t i = 0; i < n; i++)
    work->matrix[2 * (i * n + i)] += work->loading;
  for (size_t k = 0; k < 2 * n * n; k++)
    work->norm += work->matrix[k] * work->matrix[k];
  work->norm = sqrt (work->norm);

  return ESK_LADDER_OK;
}

static int
make (EskLadder     *ladder,
      EskJacobiWork *work)
{
  const size_t n = work->n;

  ESK_LADDER_TRY (esk_ladder_room (8.0 * (double) n * (4.0 * (double) n + (double) work->snapshots)));
  work->spectra = esk_array_spectra (n, work->snapshots);
  work->matrix = calloc (n * n, 2 * sizeof *work->matrix);
  work->values = calloc (n, sizeof *work->values);
  work->vectors = calloc (n * n, 2 * sizeof *work->vectors);
  work->sought = calloc (n, sizeof *work->sought);
  work->cosines = calloc (n, sizeof *work->cosines);
  work->powers = calloc (n, sizeof *work->powers);
  if (work->spectra == NULL || work->matrix == NULL || work->values == NULL || work->vectors == NULL
      || work->sought == NULL || work->cosines == NULL || work->powers == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  ESK_LADDER_TRY (hear (ladder, work));

  return form_matrix (ladder, work);
}

int
esk_jacobi_work_init (EskLadder           *ladder,
                      EskJacobiWork       *work,
                      const EskLadderSize *size)
{
  int code;

  memset (work, 0, sizeof *work);
  work->n = size->elements;
  work->snapshots = size->samples > 0 ? size->samples : 1;
  if (work->n < 1 || work->n > 32768 || work->snapshots > 1048576)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "1 to 32768 elements and at most 1048576 snapshots were "
                            "expected");
  code = make (ladder, work);
  if (code != ESK_LADDER_OK)
    esk_jacobi_work_clear (work);

  return code;
}

void
esk_jacobi_work_clear (EskJacobiWork *work)
{
  free (work->spectra);
  free (work->matrix);
  free (work->values);
  free (work->vectors);
  free (work->sought);
  free (work->cosines);
  free (work->powers);
  memset (work, 0, sizeof *work);
}

void
esk_jacobi_least (const EskLadderSize *size,
                  double              *bytes,
                  double              *operations)
{
  const double n = size->elements, rotations = size->samples > 1 ? n * (n - 1.0) / 2.0 : n - 1.0;

  /* A rotation turns two rows, whose columns are their conjugates, and two vectors: 20 operations a pair of numbers. */
  *bytes = 2.0 * 16.0 * n * n + 8.0 * n;
  *operations = rotations * 2.0 * n * 20.0;
}

int
esk_jacobi_pause (EskLadder           *ladder,
                  const EskJacobiWork *work,
                  size_t               steps,
                  size_t               rotations)
{
  const double circle = (double) (work->n + work->n % 2 - 1);
  const double share = work->snapshots > 1 ? (double) steps / (circle * ESK_JACOBI_USUAL_SWEEPS)
                                           : (double) rotations / (double) work->n;
  const bool early = esk_ladder_now () - ladder->began < FIRST_MOMENTS;

  return esk_ladder_pause (ladder, early ? 1.0 : fmin (share, 1.0));
}

/* ---- the outcome ---- */

typedef struct {
  double value;
  size_t index;
} Place;

static int
compare_places (const void *a,
                const void *b)
{
  const Place *x = a, *y = b;

  if (x->value != y->value)
    return x->value > y->value ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

int
esk_jacobi_bring (EskJacobiWork *work,
                  const double  *diagonal,
                  const double  *vectors,
                  int            transposed)
{
  const size_t n = work->n;
  Place *places = malloc (n * sizeof *places);

  if (places == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t k = 0; k < n; k++)
    places[k] = (Place) { diagonal[k], k };
  qsort (places, n, sizeof *places, compare_places);
  for (size_t k = 0; k < n; k++)
    {
      const size_t from = places[k].index;

      work->values[k] = places[k].value;
      for (size_t i = 0; i < n; i++)
        memcpy (work->vectors + 2 * (k * n + i), vectors + 2 * (transposed ? from * n + i : i * n + from),
                2 * sizeof *vectors);
    }
  work->has_vectors = 1;
  free (places);

  return ESK_LADDER_OK;
}

/* |A v - v d| over the norm. */
static double
residual (const EskJacobiWork *work,
          size_t               which)
{
  const double *v = work->vectors + 2 * which * work->n;
  double square = 0.0;

  for (size_t i = 0; i < work->n; i++)
    {
      const double *row = work->matrix + 2 * i * work->n;
      double x = -work->values[which] * v[2 * i], y = -work->values[which] * v[2 * i + 1];

      for (size_t j = 0; j < work->n; j++)
        {
          x += row[2 * j] * v[2 * j] - row[2 * j + 1] * v[2 * j + 1];
          y += row[2 * j] * v[2 * j + 1] + row[2 * j + 1] * v[2 * j];
        }
      square += x * x + y * y;
    }

  return sqrt (square) / work->norm;
}

/* |u'v| where the two differ, else | |v|^2 - 1 |. */
static double
askew (const EskJacobiWork *work,
       size_t               one,
       size_t               other)
{
  const double *u = work->vectors + 2 * one * work->n, *v = work->vectors + 2 * other * work->n;
  double x = one == other ? -1.0 : 0.0, y = 0.0;

  for (size_t i = 0; i < work->n; i++)
    {
      x += u[2 * i] * v[2 * i] + u[2 * i + 1] * v[2 * i + 1];
      y += u[2 * i] * v[2 * i + 1] - u[2 * i + 1] * v[2 * i];
    }

  return hypot (x, y);
}

static double
check_vectors (const EskJacobiWork *work)
{
  const size_t n = work->n;
  size_t chosen[CHECKED];
  double error = 0.0;

  for (size_t k = 0; k < CHECKED; k++)
    {
      chosen[k] = k == 0 ? 0 : k == 1 ? n - 1 : esk_ladder_hash (SEED + 2, k) % n;
      error = fmax (error, residual (work, chosen[k]));
      for (size_t l = 0; l <= k; l++)
        error = fmax (error, askew (work, chosen[k], chosen[l]));
    }

  return error;
}

/* What they must be; false: nobody knows. */
static int
expect (const EskJacobiWork *work,
        double              *expected,
        bool                *known)
{
  *known = work->snapshots == 1 || work->n <= SMALL;
  if (work->snapshots == 1)
    {
      for (size_t k = 0; k < work->n; k++)
        expected[k] = work->loading;
      expected[0] = work->trace - (double) (work->n - 1) * work->loading;
      return ESK_LADDER_OK;
    }
  if (!*known)
    return ESK_LADDER_OK;
  return esk_eigen_hermitian_lapack (work->n, work->matrix, expected, NULL) == ESK_OK ? ESK_LADDER_OK
                                                                                      : ESK_LADDER_ERROR_MEMORY;
}

/*
 * What is left off the diagonal is ESK_JACOBI_OFF of the norm at most, and so is what is left of A v - v d. An element
 * is turned some n times a sweep, each time with an error of some units in its last place, which add up to as many at
 * worst.
 */
int
esk_jacobi_check (const EskJacobiWork *work,
                  EskRungResult       *result)
{
  const size_t n = work->n;
  double *expected = malloc (n * sizeof *expected), sum = 0.0, squares = 0.0, error;
  bool known = false;

  if (expected == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  if (expect (work, expected, &known) != ESK_LADDER_OK)
    {
      free (expected);
      return ESK_LADDER_ERROR_MEMORY;
    }
  for (size_t k = 0; k < n; k++)
    {
      sum += work->values[k];
      squares += work->values[k] * work->values[k];
    }
  error = fmax (fabs (sum - work->trace) / work->trace, fabs (sqrt (squares) - work->norm) / work->norm);
  for (size_t k = 0; k < n && known; k++)
    error = fmax (error, fabs (work->values[k] - expected[k]) / work->norm);
  if (work->has_vectors)
    error = fmax (error, check_vectors (work));
  free (expected);
  result->error = error;
  result->tolerance = ESK_JACOBI_OFF + 4.0 * DBL_EPSILON * (double) n * (work->snapshots > 1 ? ESK_JACOBI_USUAL_SWEEPS
                                                                                             : 1);

  return ESK_LADDER_OK;
}

int64_t
esk_jacobi_output (const EskJacobiWork *work,
                   double              *values,
                   size_t               n)
{
  for (size_t k = 0; k < work->n && k < n; k++)
    values[k] = work->values[k];
  return (int64_t) work->n;
}

/* ---- the hot spot ---- */

/*
 * On a card the program turns what it wants of the eigenvectors, their products with the directions, instead of the
 * vectors themselves: one direction less than there are elements makes as much work of it as vectors are. The processor
 * turns the vectors, and one direction is enough to be asked for.
 */
int
esk_jacobi_produce_begin (EskLadder        *ladder,
                          EskJacobiWork    *work,
                          EskArrayProduced *produced,
                          EskRungResult    *result)
{
  const bool card = ladder->production != NULL && ladder->production->device != NULL;
  const size_t n_foci = card && work->n > 1 ? work->n - 1 : 1;

  for (size_t f = 0; f < n_foci; f++)
    work->cosines[f] = 1.0 - 2.0 * ((double) f + 0.5) / (double) n_foci;
  work->has_vectors = 0;
  result->launches = 1;

  return esk_array_produce_begin (ladder, work->n, work->snapshots, work->spectra, n_foci, work->cosines,
                                  ESK_ADAPTIVE_JACOBI, LOADING, work->sought, produced, result);
}

int
esk_jacobi_produce_run (EskLadder           *ladder,
                        const EskJacobiWork *work,
                        EskArrayProduced    *produced)
{
  const double n = (double) work->n, rotations = ESK_JACOBI_USUAL_SWEEPS * n * n / 2.0;
  const unsigned threads = ladder->result->threads > 0 ? ladder->result->threads : 1;
  const double seconds = rotations * 3.0 * n * 20.0 / (FASTEST * threads);

  if (ladder->production->device == NULL && work->snapshots > 1 && ladder->limit > 0.0 && seconds > ladder->limit)
    return esk_ladder_refuse (ladder->result, ESK_WHY_TIME, seconds, ladder->limit, NULL);
  return esk_array_produce_run (ladder, produced);
}

int
esk_jacobi_produce_finish (EskLadder        *ladder,
                           EskJacobiWork    *work,
                           EskArrayProduced *produced,
                           EskRungResult    *result)
{
  const double n = (double) work->n, rotations = (double) produced->report.rotations;

  ESK_LADDER_TRY (esk_array_produce_finish (ladder, produced, work->powers));
  /* Eigenvalues beyond the rank are told as 0. */
  for (size_t k = 0; k < work->n; k++)
    work->values[k] = work->sought[k] + work->loading;
  for (size_t f = 0; f < produced->n_foci; f++)
    if (!(work->powers[f] > 0.0f))
      return esk_ladder_fail (ladder, ESK_LADDER_ERROR_DEVICE, "the hot spot brought powers that cannot be");
  result->bytes = rotations * 2.0 * n * 64.0;
  result->operations = rotations * 3.0 * n * 20.0;

  return ESK_LADDER_OK;
}
