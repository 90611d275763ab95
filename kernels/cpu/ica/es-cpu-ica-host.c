/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ica-host.h"

#include "host/es-blas-internal.h"
#include "es-cpu-fourth-private.h"
#include "cpu/core/es-cpu-internal.h"
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

/* Of rows of vectors, in bytes. */
#define ALIGNMENT (ESK_FOURTH_ROUND * sizeof (double))
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

/* In how many orders i, j, k, l can be written, i >= j >= k >= l. */
static int
orders_of (size_t i, size_t j, size_t k, size_t l)
{
  const size_t index[4] = { i, j, k, l };
  int orders = 24, run = 1;

  for (int n = 1; n < 4; n++)
    {
      run = index[n] == index[n - 1] ? run + 1 : 1;
      orders /= run;
    }
  return orders;
}

static void
fill_fourth (EskMomentTable *table, const EskCovariance *sums)
{
  const size_t m = table->m;
  double *out = table->fourth;

  for (size_t j = 0; j < m; j++)
    for (size_t i = j; i < m; i++)
      {
        double *row = out;

        for (size_t k = 0; k <= j; k++)
          for (size_t l = 0; l <= k; l++)
            *row++ = orders_of (i, j, k, l) / 4.0
                     * mean_of_product (sums, esk_monomial (m, i, j), esk_monomial (m, k, l));
        out += esk_fourth_stride (j);
        memset (row, 0, (size_t) (out - row) * sizeof (double));
      }
}

/* Numbers of `fourth`, with the padding. false: too many to be counted. */
static bool
count_fourth (size_t m, size_t *count)
{
  size_t bytes;

  *count = 0;
  for (size_t j = 0; j < m; j++)
    if (__builtin_mul_overflow (esk_fourth_stride (j), m - j, &bytes) || __builtin_add_overflow (*count, bytes, count))
      return false;
  return *count <= (SIZE_MAX - ALIGNMENT) / sizeof (double);
}

int
esk_moment_table_init (EskMomentTable *table, size_t m, const EskCovariance *sums)
{
  size_t n_fourth;

  memset (table, 0, sizeof *table);
  if (m == 0 || m > INT_MAX || sums == NULL || sums->exact || sums->count < 1 || sums->n_bands != esk_n_monomials (m))
    return ESK_ERROR_ARGUMENT;

  table->m = m;
  table->n_pairs = m * (m + 1) / 2;
  table->count = sums->count;
  if (!count_fourth (m, &n_fourth))
    return ESK_ERROR_MEMORY;
  table->second = calloc (table->n_pairs, sizeof (double));
  table->third = calloc (m * table->n_pairs, sizeof (double));
  /* Rows of vectors: a multiple of their size, as aligned_alloc () asks for. */
  table->fourth = aligned_alloc (ALIGNMENT, n_fourth * sizeof (double));
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
    }
  fill_fourth (table, sums);
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

static EskFourthContract *
choose_contract (void)
{
  return esk_cpu_has_avx2 () && esk_cpu_fourth_avx2 != NULL ? esk_cpu_fourth_avx2 : esk_cpu_fourth_portable;
}

/* Room for contract_fourth (). NULL: no memory. */
static double *
new_scratch (size_t m)
{
  size_t bytes;

  if (__builtin_mul_overflow (esk_fourth_stride (m - 1), 3 * ESK_FOURTH_ROWS * sizeof (double), &bytes))
    return NULL;
  return aligned_alloc (ALIGNMENT, bytes);
}

/* How many of `rows` vectors to take next: four are two and two, rather than three and one. */
static size_t
rows_at_once (size_t rows)
{
  return rows == 4 ? 2 : rows < ESK_FOURTH_ROWS ? rows : ESK_FOURTH_ROWS;
}

/*
 * q of each of ESK_FOURTH_ROWS vectors w or less, then lower of each, then upper (es-cpu-fourth-private.h). With t the
 * table, E (w'z)^4 / 4 = sum_ij,p q_ij t_ij,p q_p = sum_ij q_ij lower_ij.
 */
static void
contract_fourth (const EskMomentTable *table, size_t rows, const double *w, double *scratch)
{
  const size_t m = table->m, stride = esk_fourth_stride (m - 1);

  for (size_t r = 0; r < rows; r++)
    {
      const double *row = w + r * m;
      double *out = scratch + r * stride, *end = out + stride;

      for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++)
          *out++ = row[i] * row[j];
      while (out < end)
        *out++ = 0;
    }
  choose_contract () (m, rows, table->fourth, scratch, scratch + rows * stride, scratch + 2 * rows * stride);
}

/* Four sums, which do not wait for each other. */
static double
dot (size_t n, const double *a, const double *b)
{
  double sum[4] = { 0 };
  size_t i = 0;

  for (; i + 4 <= n; i += 4)
    for (int k = 0; k < 4; k++)
      sum[k] += a[i + k] * b[i + k];
  for (; i < n; i++)
    sum[i % 4] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* sum_a u_a q_a with u_a = 1 where i = j, otherwise 2, where a sum over all i and j is meant. */
static double
dot_pairs (size_t m, const double *q, const double *values)
{
  double twice = 0, once = 0;

  for (size_t i = 0; i < m; i++)
    {
      twice += dot (i, q, values);
      once += q[i] * values[i];
      q += i + 1;
      values += i + 1;
    }
  return 2 * twice + once;
}

/* product = E z (w'z)^3 is the derivative of E (w'z)^4 / 4, in which q_ij = w_i w_j is on either side of the table. */
static void
derive_fourth (size_t m, const double *w, const double *lower, const double *upper, double *product)
{
  for (size_t i = 0; i < m; i++)
    {
      product[i] = dot (i, w, lower) + dot (i, w, upper) + 2 * w[i] * (lower[i] + upper[i]);
      for (size_t j = 0; j < i; j++)
        product[j] += w[i] * (lower[j] + upper[j]);
      lower += i + 1;
      upper += i + 1;
    }
}

int
esk_moment_table_step (const EskMomentTable *table, size_t rows, const double *w, double *product, double *derivative)
{
  const size_t m = table->m, stride = esk_fourth_stride (m - 1);
  double *q;

  if (rows == 0 || rows > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  q = new_scratch (m);
  if (q == NULL)
    return ESK_ERROR_MEMORY;

  for (size_t first = 0, now; first < rows; first += now)
    {
      now = rows_at_once (rows - first);
      contract_fourth (table, now, w + first * m, q);
      for (size_t r = 0; r < now; r++)
        {
          const size_t row = first + r;

          derive_fourth (m, w + row * m, q + (now + r) * stride, q + (2 * now + r) * stride, product + row * m);
          derivative[row] = 3 * dot_pairs (m, q + r * stride, table->second);
        }
    }
  free (q);
  return ESK_OK;
}

int
esk_moment_table_moments (const EskMomentTable *table, size_t rows, const double *w, EskIcaMoments *moments)
{
  const size_t m = table->m, stride = esk_fourth_stride (m - 1);
  double *q;

  if (rows == 0 || rows > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  q = new_scratch (m);
  if (q == NULL)
    return ESK_ERROR_MEMORY;

  for (size_t first = 0, now; first < rows; first += now)
    {
      now = rows_at_once (rows - first);
      contract_fourth (table, now, w + first * m, q);
      for (size_t r = 0; r < now; r++)
        {
          const double *own = q + r * stride, *row = w + (first + r) * m;
          EskIcaMoments *out = &moments[first + r];

          out->second = dot_pairs (m, own, table->second);
          out->third = 0;
          for (size_t i = 0; i < m; i++)
            out->third += row[i] * dot_pairs (m, own, table->third + i * table->n_pairs);
          out->contrast = dot (table->n_pairs, own, own + now * stride);
          out->fourth = 4 * out->contrast;
        }
    }
  free (q);
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
  if (memory == NULL || esk_blas_enter () != ESK_OK)
    {
      free (memory);
      return ESK_ERROR_MEMORY;
    }

  code = orthonormalise_once (m, w, memory, memory + 3 * n, memory + n, memory + 2 * n);
  /* Rounding grows with the condition of w; mostly one look is enough. */
  for (int i = 0; code == ESK_OK && i < 5; i++)
    if (polish_rows (m, w, memory, memory + n) < 1e-8)
      break;
  esk_blas_leave ();
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
