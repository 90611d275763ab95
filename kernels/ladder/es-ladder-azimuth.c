/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-azimuth-internal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 71
#define SOURCES 3
/* Angles that are held against the definition, besides those of the sources. */
#define CHECKED 24

static const double degrees[SOURCES] = { 57.0, 90.0, 123.0 };

/* ---- eigenvectors as of an array that hears some plane waves ---- */

/* Those of the waves: their directions, at right angles to one another. Returns how many there are. */
static size_t
find_waves (size_t  n,
            double *waves)
{
  size_t count = 0;

  for (size_t j = 0; j < SOURCES && count < n; j++)
    {
      double *a = waves + 2 * count * n, square = 0.0;

      esk_array_steering (n, cos (degrees[j] * M_PI / 180.0), a);
      for (size_t other = 0; other < count; other++)
        {
          const double *b = waves + 2 * other * n;
          double x = 0.0, y = 0.0;

          for (size_t k = 0; k < n; k++)
            {
              x += b[2 * k] * a[2 * k] + b[2 * k + 1] * a[2 * k + 1];
              y += b[2 * k] * a[2 * k + 1] - b[2 * k + 1] * a[2 * k];
            }
          for (size_t k = 0; k < n; k++)
            {
              a[2 * k] -= x * b[2 * k] - y * b[2 * k + 1];
              a[2 * k + 1] -= x * b[2 * k + 1] + y * b[2 * k];
            }
        }
      for (size_t k = 0; k < 2 * n; k++)
        square += a[k] * a[k];
      if (square < 1e-6 * (double) n)
        continue;
      for (size_t k = 0; k < 2 * n; k++)
        a[k] /= sqrt (square);
      count++;
    }

  return count;
}

/*
 * Mirrors that bring the first unit vectors to the waves (but for a factor of magnitude 1), one after the other: H_j is
 * I - 2 u u' with u along w - e^(i phase) e_j, w the wave as the mirrors before have left it.
 */
static void
find_mirrors (size_t  n,
              size_t  count,
              double *waves)
{
  for (size_t j = 0; j < count; j++)
    {
      double *w = waves + 2 * j * n, square = 0.0, length;

      for (size_t m = 0; m < j; m++)
        {
          const double *u = waves + 2 * m * n;
          double x = 0.0, y = 0.0;

          for (size_t k = 0; k < n; k++)
            {
              x += u[2 * k] * w[2 * k] + u[2 * k + 1] * w[2 * k + 1];
              y += u[2 * k] * w[2 * k + 1] - u[2 * k + 1] * w[2 * k];
            }
          for (size_t k = 0; k < n; k++)
            {
              w[2 * k] -= 2.0 * (x * u[2 * k] - y * u[2 * k + 1]);
              w[2 * k + 1] -= 2.0 * (x * u[2 * k + 1] + y * u[2 * k]);
            }
        }
      length = hypot (w[2 * j], w[2 * j + 1]);
      w[2 * j] += length > 0.0 ? w[2 * j] / length : 1.0;
      w[2 * j + 1] += length > 0.0 ? w[2 * j + 1] / length : 0.0;
      for (size_t k = 0; k < 2 * n; k++)
        square += w[k] * w[k];
      for (size_t k = 0; k < 2 * n; k++)
        w[k] /= sqrt (square);
    }
}

/* Column m of a unitary matrix that leaves the first `count` unit vectors alone: of the others a Fourier transform with
 * phases of a hash, so that no number is near 0. */
static void
fill_column (size_t  n,
             size_t  count,
             size_t  m,
             double *column)
{
  const size_t rest = n - count;

  memset (column, 0, 2 * n * sizeof *column);
  if (m < count)
    {
      column[2 * m] = 1.0;
      return;
    }
  for (size_t k = 0; k < rest; k++)
    {
      const double turns = (double) (k * (m - count) % rest) / (double) rest + 0.5 * esk_ladder_random (SEED, k);

      column[2 * (count + k)] = cos (2.0 * M_PI * turns) / sqrt ((double) rest);
      column[2 * (count + k) + 1] = sin (2.0 * M_PI * turns) / sqrt ((double) rest);
    }
}

static int
fill_vectors (EskLadder      *ladder,
              EskAzimuthWork *work,
              size_t         *n_waves)
{
  const size_t n = work->n;
  double *waves = malloc (SOURCES * 2 * n * sizeof *waves), *column = malloc (2 * n * sizeof *column);
  size_t count = 0;

  for (size_t m = 0; waves != NULL && column != NULL && m < n && esk_ladder_cancelled (ladder) == ESK_LADDER_OK; m++)
    {
      if (m == 0)
        {
          count = find_waves (n, waves);
          find_mirrors (n, count, waves);
        }
      fill_column (n, count, m, column);
      for (size_t j = count; j-- > 0;)
        {
          const double *u = waves + 2 * j * n;
          double x = 0.0, y = 0.0;

          for (size_t k = 0; k < n; k++)
            {
              x += u[2 * k] * column[2 * k] + u[2 * k + 1] * column[2 * k + 1];
              y += u[2 * k] * column[2 * k + 1] - u[2 * k + 1] * column[2 * k];
            }
          for (size_t k = 0; k < n; k++)
            {
              column[2 * k] -= 2.0 * (x * u[2 * k] - y * u[2 * k + 1]);
              column[2 * k + 1] -= 2.0 * (x * u[2 * k + 1] + y * u[2 * k]);
            }
        }
      for (size_t k = 0; k < 2 * n; k++)
        work->vectors[2 * m * n + k] = (float) column[k];
    }
  free (waves);
  free (column);
  *n_waves = count;
  ESK_LADDER_TRY (esk_ladder_cancelled (ladder));

  return count > 0 ? ESK_LADDER_OK : ESK_LADDER_ERROR_MEMORY;
}

/* Waves as strong as the noise at each element, half as strong, and so on; and noise whose eigenvalues are spread as
 * those of some snapshots are. */
static void
fill_values (EskAzimuthWork *work,
             size_t          count)
{
  const double rest = (double) (work->n - count);

  for (size_t m = 0; m < work->n; m++)
    {
      work->values[m] = m < count ? 2.0 + (double) work->n * pow (0.5, (double) m)
                                  : 1.5 - ((double) (m - count) + 0.5) / rest;
      work->inverse[m] = (float) (1.0 / work->values[m]);
    }
}

/* ---- what is right ---- */

static double
define (const EskAzimuthWork *work,
        double                cosine,
        double               *steering)
{
  double sum = 0.0;

  esk_array_steering (work->n, cosine, steering);
  for (size_t m = 0; m < work->n; m++)
    {
      const float *v = work->vectors + 2 * m * work->n;
      double x = 0.0, y = 0.0;

      for (size_t k = 0; k < work->n; k++)
        {
          x += steering[2 * k] * (double) v[2 * k] + steering[2 * k + 1] * (double) v[2 * k + 1];
          y += steering[2 * k] * (double) v[2 * k + 1] - steering[2 * k + 1] * (double) v[2 * k];
        }
      sum += (x * x + y * y) / work->values[m];
    }

  return 1.0 / sum;
}

static int
fill_expected (EskLadder      *ladder,
               EskAzimuthWork *work)
{
  double *steering = malloc (2 * work->n * sizeof *steering);

  if (steering == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t c = 0; c < CHECKED + SOURCES && esk_ladder_cancelled (ladder) == ESK_LADDER_OK; c++)
    {
      const double wave = c < SOURCES ? rint (degrees[c] / 180.0 * (double) work->angles) : 0.0;
      const size_t angle = (c < SOURCES ? (size_t) wave : esk_ladder_hash (SEED + 1, c)) % work->angles;

      work->checked[c] = angle;
      work->expected[c] = define (work, work->cosines[angle], steering);
    }
  work->n_checked = CHECKED + SOURCES;
  free (steering);

  return esk_ladder_cancelled (ladder);
}

static int
make (EskLadder      *ladder,
      EskAzimuthWork *work)
{
  const size_t n = work->n;
  size_t count;

  ESK_LADDER_TRY (esk_ladder_room (8.0 * (double) n * (double) n));
  work->vectors = malloc (n * n * 2 * sizeof *work->vectors);
  work->values = malloc (n * sizeof *work->values);
  work->inverse = malloc (n * sizeof *work->inverse);
  work->cosines = malloc (work->angles * sizeof *work->cosines);
  work->power = calloc (work->angles, sizeof *work->power);
  work->checked = malloc ((CHECKED + SOURCES) * sizeof *work->checked);
  work->expected = malloc ((CHECKED + SOURCES) * sizeof *work->expected);
  if (work->vectors == NULL || work->values == NULL || work->inverse == NULL || work->cosines == NULL
      || work->power == NULL || work->checked == NULL || work->expected == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t a = 0; a < work->angles; a++)
    work->cosines[a] = cos ((double) a / (double) work->angles * M_PI);
  ESK_LADDER_TRY (fill_vectors (ladder, work, &count));
  fill_values (work, count);

  return fill_expected (ladder, work);
}

int
esk_azimuth_work_init (EskLadder           *ladder,
                       EskAzimuthWork      *work,
                       const EskLadderSize *size)
{
  int code;

  memset (work, 0, sizeof *work);
  work->n = size->elements;
  work->angles = size->angles;
  if (work->n < 1 || work->n > 32768 || work->angles < 1 || work->angles > 1048576)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "1 to 32768 elements and 1 to 1048576 angles were "
                            "expected");
  code = make (ladder, work);
  if (code != ESK_LADDER_OK)
    esk_azimuth_work_clear (work);

  return code;
}

void
esk_azimuth_work_clear (EskAzimuthWork *work)
{
  free (work->vectors);
  free (work->values);
  free (work->inverse);
  free (work->cosines);
  free (work->power);
  free (work->checked);
  free (work->expected);
  memset (work, 0, sizeof *work);
}

void
esk_azimuth_least (const EskLadderSize *size,
                   double              *bytes,
                   double              *operations)
{
  const double n = size->elements, angles = size->angles;

  /* Eigenvectors and values once, cosines in and powers out; products and sums of complex numbers, and squares. */
  *bytes = 8.0 * n * n + 4.0 * n + 12.0 * angles;
  *operations = angles * (8.0 * n * n + 5.0 * n);
}

/*
 * In the direction of a wave the terms of the product with its eigenvector are n times the same, 1 / sqrt (n): sums of
 * up to sqrt (n), one after the other rounded by at most half a unit in their last place, which comes to n / 2 times
 * FLT_EPSILON / 2 of the product at worst, and twice that in its square. Elsewhere terms have all phases, and errors of
 * all signs, which is less; 16 for directions and reciprocals.
 */
void
esk_azimuth_check (const EskAzimuthWork *work,
                   EskRungResult        *result)
{
  const double n = (double) work->n, tolerance = 0.5 * FLT_EPSILON * (16.0 + n);
  const double least = work->values[work->n - 1] / n, most = work->values[0] / n;
  double error = 0.0;

  for (size_t c = 0; c < work->n_checked; c++)
    error = fmax (error, fabs ((double) work->power[work->checked[c]] - work->expected[c]) / work->expected[c]);
  for (size_t a = 0; a < work->angles; a++)
    {
      const double power = (double) work->power[a];

      if (!(power >= least * (1.0 - tolerance) && power <= most * (1.0 + tolerance)))
        error = 1.0;
    }
  result->error = error;
  result->tolerance = tolerance;
}

double *
esk_azimuth_matrix (size_t n)
{
  double *matrix = malloc (2 * n * n * sizeof *matrix);

  for (size_t i = 0; matrix != NULL && i < n; i++)
    for (size_t j = 0; j <= i; j++)
      {
        const double real = i == j ? (double) n : esk_ladder_random (SEED + 7, 2 * (i * n + j));
        const double imaginary = i == j ? 0.0 : esk_ladder_random (SEED + 7, 2 * (i * n + j) + 1);

        matrix[2 * (i * n + j)] = matrix[2 * (j * n + i)] = real;
        matrix[2 * (i * n + j) + 1] = imaginary;
        matrix[2 * (j * n + i) + 1] = -imaginary;
      }

  return matrix;
}

int64_t
esk_azimuth_output (const EskAzimuthWork *work,
                    double               *values,
                    size_t                n)
{
  for (size_t a = 0; a < work->angles && a < n; a++)
    values[a] = (double) work->power[a];
  return (int64_t) work->angles;
}

/* ---- the hot spot ---- */

/* Snapshots sqrt (n d_m) v_m, n of them: their matrix has these eigenvectors and values. */
int
esk_azimuth_produce_begin (EskLadder            *ladder,
                           const EskAzimuthWork *work,
                           EskArrayProduced     *produced,
                           EskRungResult        *result)
{
  const size_t n = work->n, stride = esk_spectra_stride (n);
  float *spectra = esk_array_spectra (n, n);
  int code;

  if (spectra == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t m = 0; m < n; m++)
    for (size_t k = 0; k < n; k++)
      {
        const double factor = sqrt ((double) n * work->values[m]);

        spectra[2 * m * stride + k] = (float) (factor * (double) work->vectors[2 * (m * n + k)]);
        spectra[(2 * m + 1) * stride + k] = (float) (factor * (double) work->vectors[2 * (m * n + k) + 1]);
      }
  code = esk_array_produce_begin (ladder, n, n, spectra, work->angles, work->cosines, ESK_ADAPTIVE_CHOLESKY, 0.0, NULL,
                                  produced, result);
  free (spectra);
  result->launches = 1;
  /* The matrix; its factor, n^3 / 3 complex products with as many sums, half of them of the triangle; a triangle an
   * angle. */
  result->bytes = 16.0 * (double) n * (double) n;
  result->operations = 8.0 * (double) n * (double) n * ((double) n / 6.0 + (double) work->angles / 2.0);

  return code;
}
