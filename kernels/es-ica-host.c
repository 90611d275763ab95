/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ica-host.h"

#include "es-blas-private.h"
#include "es-eigen.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK, from OpenBLAS: singular values and vectors by divide and conquer. */
extern void dgesdd_ (const char *jobz, const blasint *m, const blasint *n, double *a, const blasint *lda, double *s,
                     double *u, const blasint *ldu, double *vt, const blasint *ldvt, double *work,
                     const blasint *lwork, blasint *iwork, blasint *info);

/* Directions of w that are shorter than this, relative to the longest, are not there. */
#define SMALLEST_DIRECTION 1e-13
/* Squares of lengths further apart than this are too inexact for the square of w to tell them. */
#define SMALLEST_SQUARE 1e-9

/* ---- moments instead of samples ---- */

/* Mean of the product of monomials a and b. */
static double
mean_of_product (const EskCovariance *sums, size_t a, size_t b)
{
  const size_t n = sums->n_bands;
  const double product = a >= b ? sums->product[a * n + b] : sums->product[b * n + a];
  const double count = (double) sums->count;

  return product / count + sums->shift[a] * (sums->sum[b] / count) + sums->shift[b] * (sums->sum[a] / count)
         + sums->shift[a] * sums->shift[b];
}

int
esk_moment_table_init (EskMomentTable *table, size_t m, const EskCovariance *sums)
{
  size_t n_fourth, bytes;

  memset (table, 0, sizeof *table);
  if (m == 0 || sums == NULL || sums->exact || sums->count < 1 || sums->n_bands != esk_n_monomials (m))
    return ESK_ERROR_ARGUMENT;

  table->m = m;
  table->n_pairs = m * (m + 1) / 2;
  table->count = sums->count;
  if (__builtin_mul_overflow (table->n_pairs, table->n_pairs, &n_fourth)
      || __builtin_mul_overflow (n_fourth, sizeof (double), &bytes))
    return ESK_ERROR_MEMORY;
  table->second = calloc (table->n_pairs, sizeof (double));
  table->third = calloc (m * table->n_pairs, sizeof (double));
  table->fourth = malloc (bytes);
  if (table->second == NULL || table->third == NULL || table->fourth == NULL)
    {
      esk_moment_table_clear (table);
      return ESK_ERROR_MEMORY;
    }

  for (size_t a = 0; a < table->n_pairs; a++)
    {
      table->second[a] = sums->sum[m + a] / (double) sums->count + sums->shift[m + a];
      for (size_t i = 0; i < m; i++)
        table->third[i * table->n_pairs + a] = mean_of_product (sums, i, m + a);
      for (size_t b = 0; b <= a; b++)
        table->fourth[a * table->n_pairs + b] = table->fourth[b * table->n_pairs + a]
          = mean_of_product (sums, m + a, m + b);
    }
  return ESK_OK;
}

void
esk_moment_table_clear (EskMomentTable *table)
{
  free (table->second);
  free (table->third);
  free (table->fourth);
  memset (table, 0, sizeof *table);
}

/* (w'z)^2 = sum_a u_a q_a with u_a = w_i w_j, twice where i and j differ. */
static void
square_coefficients (size_t m, const double *w, double *u)
{
  for (size_t i = 0; i < m; i++)
    {
      for (size_t j = 0; j < i; j++)
        *u++ = 2 * w[i] * w[j];
      *u++ = w[i] * w[i];
    }
}

/* u and v = fourth u of every row, v_a = E q_a (w'z)^2; one block of memory, u first. NULL: no memory. */
static double *
contract_fourth (const EskMomentTable *table, size_t rows, const double *w)
{
  const size_t n = table->n_pairs;
  double *u = malloc (2 * rows * n * sizeof (double)), *v;

  if (u == NULL)
    return NULL;
  v = u + rows * n;
  for (size_t r = 0; r < rows; r++)
    square_coefficients (table->m, w + r * table->m, u + r * n);
  esk_blas_prepare ();
  /* fourth is symmetric: rows of v are rows of u times it. */
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) rows, (int) n, (int) n, 1.0, u, (int) n, table->fourth,
               (int) n, 0.0, v, (int) n);
  return u;
}

static double
dot (size_t n, const double *a, const double *b)
{
  double sum = 0;

  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

int
esk_moment_table_step (const EskMomentTable *table, size_t rows, const double *w, double *product, double *derivative)
{
  const size_t m = table->m, n = table->n_pairs;
  double *u;

  if (rows == 0 || rows > INT_MAX || n > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  u = contract_fourth (table, rows, w);
  if (u == NULL)
    return ESK_ERROR_MEMORY;

  /* E z_i (w'z)^3 = sum_j w_j E z_i z_j (w'z)^2. */
  for (size_t r = 0; r < rows; r++)
    {
      const double *v = u + rows * n + r * n, *row = w + r * m;
      double *out = product + r * m;

      memset (out, 0, m * sizeof (double));
      for (size_t i = 0; i < m; i++)
        {
          for (size_t j = 0; j < i; j++, v++)
            {
              out[i] += row[j] * *v;
              out[j] += row[i] * *v;
            }
          out[i] += row[i] * *v++;
        }
      derivative[r] = 3 * dot (n, u + r * n, table->second);
    }
  free (u);
  return ESK_OK;
}

int
esk_moment_table_moments (const EskMomentTable *table, size_t rows, const double *w, EskIcaMoments *moments)
{
  const size_t m = table->m, n = table->n_pairs;
  double *u;

  if (rows == 0 || rows > INT_MAX || n > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  u = contract_fourth (table, rows, w);
  if (u == NULL)
    return ESK_ERROR_MEMORY;

  for (size_t r = 0; r < rows; r++)
    {
      const double *coefficients = u + r * n;

      moments[r].second = dot (n, coefficients, table->second);
      moments[r].third = 0;
      for (size_t i = 0; i < m; i++)
        moments[r].third += w[r * m + i] * dot (n, coefficients, table->third + i * n);
      moments[r].fourth = dot (n, coefficients, u + rows * n + r * n);
      moments[r].contrast = moments[r].fourth / 4;
    }
  free (u);
  return ESK_OK;
}

/* ---- orthonormal rows ---- */

/* w = (3 - w w') w / 2, Newton and Schulz's: by how much w w' is not the unit is squared. Returns how much it was. */
static double
polish_rows (size_t m, double *w, double *square, double *copy)
{
  double worst = 0;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) m, (int) m, (int) m, 1.0, w, (int) m, w, (int) m, 0.0,
               square, (int) m);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < m; j++)
      worst = fmax (worst, fabs (square[i * m + j] - (i == j)));
  memcpy (copy, w, m * m * sizeof (double));
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) m, (int) m, -0.5, square, (int) m, copy,
               (int) m, 1.5, w, (int) m);
  return worst;
}

/* By singular values, which squares would lose: w = U V' of w = U S V'. Slower by some times. */
static int
orthonormalise_by_singular_values (size_t m, double *w, double *u, double *values, double *vectors, double *copy)
{
  const blasint n = (blasint) m;
  blasint info = 0, work_size = -1, *integers = malloc (8 * m * sizeof *integers);
  double wanted = 0, *work = NULL;

  if (integers == NULL)
    return ESK_ERROR_MEMORY;
  /* Column by column w is w', and what comes out is the transpose, too. */
  memcpy (copy, w, m * m * sizeof (double));
  dgesdd_ ("A", &n, &n, copy, &n, values, u, &n, vectors, &n, &wanted, &work_size, integers, &info);
  work_size = (blasint) wanted;
  if (info == 0 && work_size > 0)
    work = malloc ((size_t) work_size * sizeof (double));
  if (work != NULL)
    dgesdd_ ("A", &n, &n, copy, &n, values, u, &n, vectors, &n, work, &work_size, integers, &info);
  free (integers);
  free (work);
  if (work == NULL)
    return ESK_ERROR_MEMORY;
  if (info != 0 || !(values[m - 1] > SMALLEST_DIRECTION * values[0]))
    return ESK_ERROR_NO_CONVERGENCE;
  cblas_dgemm (CblasColMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) m, (int) m, 1.0, u, (int) m, vectors, (int) m,
               0.0, w, (int) m);
  return ESK_OK;
}

static int
orthonormalise_once (size_t m, double *w, double *square, double *values, double *vectors, double *scaled)
{
  int code;

  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (int) m, (int) m, (int) m, 1.0, w, (int) m, w, (int) m, 0.0,
               square, (int) m);
  code = esk_eigen_lapack (m, square, values, vectors);
  if (code != ESK_OK)
    return code == ESK_ERROR_ARGUMENT ? ESK_ERROR_NO_CONVERGENCE : code;
  if (!(values[m - 1] > SMALLEST_SQUARE * values[0]))
    return orthonormalise_by_singular_values (m, w, square, values, vectors, scaled);

  /* Rows of `vectors` are eigenvectors: the inverse root is vectors' diag vectors. */
  for (size_t k = 0; k < m; k++)
    for (size_t j = 0; j < m; j++)
      scaled[k * m + j] = vectors[k * m + j] / sqrt (values[k]);
  cblas_dgemm (CblasRowMajor, CblasTrans, CblasNoTrans, (int) m, (int) m, (int) m, 1.0, vectors, (int) m, scaled,
               (int) m, 0.0, square, (int) m);
  memcpy (scaled, w, m * m * sizeof (double));
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (int) m, (int) m, (int) m, 1.0, square, (int) m, scaled,
               (int) m, 0.0, w, (int) m);
  return ESK_OK;
}

int
esk_orthonormalise_rows (size_t m, double *w)
{
  size_t n;
  double *memory;
  int code;

  if (m == 0 || m > INT_MAX || __builtin_mul_overflow (m, m, &n))
    return ESK_ERROR_ARGUMENT;
  memory = malloc ((3 * n + m) * sizeof (double));
  if (memory == NULL)
    return ESK_ERROR_MEMORY;

  esk_blas_prepare ();
  code = orthonormalise_once (m, w, memory, memory + 3 * n, memory + n, memory + 2 * n);
  /* Rounding grows with the condition of w; mostly one look is enough. */
  for (int i = 0; code == ESK_OK && i < 5; i++)
    if (polish_rows (m, w, memory, memory + n) < 1e-8)
      break;
  free (memory);
  return code;
}

int
esk_orthonormalise_vector (size_t m, size_t n, const double *w, double *vector)
{
  const double before = dot (m, vector, vector);
  double *copy;
  double square = before;

  if (!(before > 0) || !isfinite (before))
    return ESK_ERROR_NO_CONVERGENCE;
  copy = malloc (m * sizeof (double));
  if (copy == NULL)
    return ESK_ERROR_MEMORY;
  memcpy (copy, vector, m * sizeof (double));

  /* Twice is enough. */
  for (int pass = 0; pass < 2; pass++)
    {
      for (size_t i = 0; i < n; i++)
        {
          const double along = dot (m, copy, w + i * m);
          for (size_t j = 0; j < m; j++)
            copy[j] -= along * w[i * m + j];
        }
      square = dot (m, copy, copy);
    }
  if (square > SMALLEST_DIRECTION * SMALLEST_DIRECTION * before)
    for (size_t j = 0; j < m; j++)
      vector[j] = copy[j] / sqrt (square);
  free (copy);
  return square > SMALLEST_DIRECTION * SMALLEST_DIRECTION * before ? ESK_OK : ESK_ERROR_NO_CONVERGENCE;
}

/* ---- numbers ---- */

/* Box and Muller's, of two hashes a pair. */
void
esk_fill_normal (uint64_t seed, size_t n, double *out)
{
  for (size_t i = 0; i < n; i += 2)
    {
      const double u = ((double) (esk_sample_hash (seed, i) >> 11) + 1) * 0x1p-53;
      const double v = (double) (esk_sample_hash (seed, i + 1) >> 11) * 0x1p-53;
      const double radius = sqrt (-2 * log (u)), angle = 2 * 3.14159265358979323846 * v;

      out[i] = radius * cos (angle);
      if (i + 1 < n)
        out[i + 1] = radius * sin (angle);
    }
}

/* log cosh x without overflow. */
static double
log_cosh (double x)
{
  return fabs (x) + log1p (exp (-2 * fabs (x))) - 0.69314718055994530942;
}

double
esk_contrast_of_normal (const EskContrast *contrast)
{
  double sum = 0, weight = 0;

  switch (contrast->kind)
    {
    case ESK_CONTRAST_CUBIC:
      return 0.75;
    case ESK_CONTRAST_GAUSS:
      return -0.70710678118654752440;          /* -1 / sqrt 2 */
    case ESK_CONTRAST_TANH:
    case ESK_N_CONTRASTS:
    default:
      break;
    }
  /* Of smooth functions that vanish at the ends the trapezoidal rule is exact to rounding. */
  for (int i = -1200; i <= 1200; i++)
    {
      const double x = i * 0.01, density = exp (-0.5 * x * x);
      sum += density * log_cosh (contrast->slope * x) / contrast->slope;
      weight += density;
    }
  return sum / weight;
}
