/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-eigen.h"

#include "es-blas-internal.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LAPACK, from OpenBLAS: all eigenvalues and vectors by divide and conquer. */
extern void dsyevd_ (const char *jobz, const char *uplo, const blasint *n, double *a, const blasint *lda, double *w,
                     double *work, const blasint *lwork, blasint *iwork, const blasint *liwork, blasint *info);

/* ESK_OK where the matrix is finite and its size can be squared and handed to LAPACK. */
static int
check_matrix (size_t        n,
              const double *matrix,
              size_t       *n_elements)
{
  if (n == 0 || n > INT_MAX || matrix == NULL || __builtin_mul_overflow (n, n, n_elements))
    return ESK_ERROR_ARGUMENT;

  for (size_t i = 0; i < *n_elements; i++)
    if (!isfinite (matrix[i]))
      return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

static void
fix_sign (size_t  n,
          double *vector)
{
  size_t largest = 0;

  for (size_t i = 1; i < n; i++)
    if (fabs (vector[i]) > fabs (vector[largest]))
      largest = i;
  if (vector[largest] < 0.0)
    for (size_t i = 0; i < n; i++)
      vector[i] = -vector[i];
}

static int
multiply (CBLAS_TRANSPOSE across,
          size_t          rows,
          size_t          inner,
          size_t          columns,
          const double   *a,
          const double   *b,
          double         *out)
{
  if (rows == 0 || inner == 0 || columns == 0 || rows > INT_MAX || inner > INT_MAX || columns > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  if (esk_blas_enter () != ESK_OK)
    return ESK_ERROR_MEMORY;
  cblas_dgemm (CblasRowMajor, across, CblasNoTrans, (blasint) rows, (blasint) columns, (blasint) inner, 1.0, a,
               (blasint) (across == CblasTrans ? rows : inner), b, (blasint) columns, 0.0, out, (blasint) columns);
  esk_blas_leave ();
  return ESK_OK;
}

int
esk_multiply (size_t        rows,
              size_t        inner,
              size_t        columns,
              const double *a,
              const double *b,
              double       *out)
{
  return multiply (CblasNoTrans, rows, inner, columns, a, b, out);
}

int
esk_multiply_across (size_t        rows,
                     size_t        inner,
                     size_t        columns,
                     const double *a,
                     const double *b,
                     double       *out)
{
  return multiply (CblasTrans, rows, inner, columns, a, b, out);
}

int
esk_eigen_lapack (size_t        n,
                  const double *matrix,
                  double       *values,
                  double       *vectors)
{
  size_t n_elements, work_size;
  double *a = NULL, *w = NULL, *work = NULL;
  blasint *integer_work = NULL;
  blasint order, lwork, liwork, info = 0;
  int code;

  code = check_matrix (n, matrix, &n_elements);
  if (code != ESK_OK)
    return code;
  if (values == NULL || vectors == NULL)
    return ESK_ERROR_ARGUMENT;

  /* The sizes dsyevd's documentation asks for. */
  if (__builtin_mul_overflow (n_elements, (size_t) 2, &work_size) || work_size > (size_t) INT_MAX - 6 * n - 1)
    return ESK_ERROR_MEMORY;
  work_size += 6 * n + 1;
  order = (blasint) n;
  lwork = (blasint) work_size;
  liwork = (blasint) (3 + 5 * n);

  a = malloc (n_elements * sizeof (double));
  w = malloc (n * sizeof (double));
  work = malloc (work_size * sizeof (double));
  integer_work = malloc ((size_t) liwork * sizeof (blasint));
  if (a == NULL || w == NULL || work == NULL || integer_work == NULL || esk_blas_enter () != ESK_OK)
    {
      code = ESK_ERROR_MEMORY;
      goto out;
    }

  memcpy (a, matrix, n_elements * sizeof (double));
  /* Row-major lower is column-major upper. */
  dsyevd_ ("V", "U", &order, a, &order, w, work, &lwork, integer_work, &liwork, &info);
  esk_blas_leave ();
  if (info != 0)
    {
      code = info > 0 ? ESK_ERROR_NO_CONVERGENCE : ESK_ERROR_ARGUMENT;
      goto out;
    }

  /* LAPACK's eigenvalues ascend, and its eigenvectors are columns of a column-major matrix: rows of ours. */
  for (size_t k = 0; k < n; k++)
    {
      values[k] = w[n - 1 - k];
      memcpy (vectors + k * n, a + (n - 1 - k) * n, n * sizeof (double));
      fix_sign (n, vectors + k * n);
    }

out:
  free (a);
  free (w);
  free (work);
  free (integer_work);
  return code;
}

static double
relative_off_norm (size_t        n,
                   const double *a)
{
  double off = 0.0, diagonal = 0.0;

  for (size_t i = 0; i < n; i++)
    {
      diagonal += a[i * n + i] * a[i * n + i];
      for (size_t j = 0; j < i; j++)
        off += 2.0 * a[i * n + j] * a[i * n + j];
    }

  return off > 0.0 ? sqrt (off / (off + diagonal)) : 0.0;
}

static void
rotate_rows (double *restrict p,
             double *restrict q,
             size_t           n,
             double           cosine,
             double           sine)
{
  for (size_t k = 0; k < n; k++)
    {
      double x = p[k], y = q[k];

      p[k] = cosine * x - sine * y;
      q[k] = sine * x + cosine * y;
    }
}

/* One rotation that makes a[p][q] zero (Golub and Van Loan, 8.5.2). */
static void
rotate (size_t  n,
        double *a,
        double *vectors,
        size_t  p,
        size_t  q)
{
  double app = a[p * n + p], aqq = a[q * n + q], apq = a[p * n + q];
  double tau = (aqq - app) / (2.0 * apq);
  double tangent = copysign (1.0, tau) / (fabs (tau) + hypot (1.0, tau));
  double cosine = 1.0 / sqrt (1.0 + tangent * tangent);
  double sine = tangent * cosine;

  rotate_rows (a + p * n, a + q * n, n, cosine, sine);
  /* The columns follow from symmetry; only the 2 x 2 block in the corner has been turned on one side alone. */
  a[p * n + p] = app - tangent * apq;
  a[q * n + q] = aqq + tangent * apq;
  a[p * n + q] = a[q * n + p] = 0.0;
  for (size_t k = 0; k < n; k++)
    {
      a[k * n + p] = a[p * n + k];
      a[k * n + q] = a[q * n + k];
    }
  rotate_rows (vectors + p * n, vectors + q * n, n, cosine, sine);
}

typedef struct
{
  double value;
  size_t index;
} Pair;

static int
compare_pairs (const void *a,
               const void *b)
{
  const Pair *x = a, *y = b;

  if (x->value != y->value)
    return x->value > y->value ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

int
esk_eigen_jacobi (size_t        n,
                  const double *matrix,
                  const int    *cancelled,
                  double       *values,
                  double       *vectors,
                  unsigned      max_sweeps,
                  unsigned     *sweeps,
                  double       *off_norm)
{
  const double tolerance = 1e-12;
  size_t n_elements;
  double *a = NULL, *v = NULL;
  Pair *order = NULL;
  double largest = 0.0, off;
  unsigned done = 0;
  int exponent = 0, code;

  code = check_matrix (n, matrix, &n_elements);
  if (code != ESK_OK)
    return code;
  if (values == NULL || vectors == NULL)
    return ESK_ERROR_ARGUMENT;

  if (n_elements > SIZE_MAX / sizeof (double))
    return ESK_ERROR_MEMORY;
  a = malloc (n_elements * sizeof (double));
  v = calloc (n_elements, sizeof (double));
  order = malloc (n * sizeof (Pair));
  if (a == NULL || v == NULL || order == NULL)
    {
      code = ESK_ERROR_MEMORY;
      goto out;
    }

  /* A power of two near the largest element is taken out, so that no square overflows or vanishes. */
  for (size_t i = 0; i < n_elements; i++)
    largest = fmax (largest, fabs (matrix[i]));
  if (largest > 0.0)
    (void) frexp (largest, &exponent);
  for (size_t i = 0; i < n_elements; i++)
    a[i] = ldexp (matrix[i], -exponent);
  for (size_t i = 0; i < n; i++)
    v[i * n + i] = 1.0;

  off = relative_off_norm (n, a);
  while (off > tolerance && done < max_sweeps)
    {
      for (size_t p = 0; p + 1 < n; p++)
        {
          if (esk_is_cancelled (cancelled))
            {
              code = ESK_ERROR_CANCELLED;
              goto out;
            }
          for (size_t q = p + 1; q < n; q++)
            if (a[p * n + q] != 0.0)
              rotate (n, a, v, p, q);
        }
      off = relative_off_norm (n, a);
      done++;
    }
  code = off > tolerance ? ESK_ERROR_NO_CONVERGENCE : ESK_OK;

  for (size_t k = 0; k < n; k++)
    order[k] = (Pair) { a[k * n + k], k };
  qsort (order, n, sizeof (Pair), compare_pairs);
  for (size_t k = 0; k < n; k++)
    {
      values[k] = ldexp (order[k].value, exponent);
      memcpy (vectors + k * n, v + order[k].index * n, n * sizeof (double));
      fix_sign (n, vectors + k * n);
    }
  if (sweeps != NULL)
    *sweeps = done;
  if (off_norm != NULL)
    *off_norm = off;

out:
  free (a);
  free (v);
  free (order);
  return code;
}

double
esk_eigen_residual (size_t        n,
                    const double *matrix,
                    const double *values,
                    const double *vectors)
{
  double largest = 0.0, worst = 0.0;

  if (n == 0 || n > INT_MAX)
    return NAN;

  for (size_t k = 0; k < n; k++)
    {
      const double *vector = vectors + k * n;
      double square = 0.0;

      for (size_t i = 0; i < n; i++)
        {
          double d = cblas_ddot ((blasint) n, matrix + i * n, 1, vector, 1) - values[k] * vector[i];

          square += d * d;
        }
      if (isnan (square))
        return NAN;
      worst = fmax (worst, sqrt (square));
      largest = fmax (largest, fabs (values[k]));
    }

  return largest > 0.0 ? worst / largest : worst;
}
