/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Hermitian eigenproblems by LAPACK, and the order of Jacobi's rotations (which are in cpu/es-cpu-jacobi.c). */

#include "es-adaptive.h"
#include "es-hotspots-stream.h"

#include "es-blas-internal.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* zgemv of OpenBLAS 0.3.21 (Debian 12's) reads columns beyond the last one: there have to be some. What is there does
 * not matter to it. */
#define COLUMNS_BEYOND 8

extern void zheevd_ (const char *jobz, const char *uplo, const blasint *n, double *a, const blasint *lda, double *w,
                     double *work, const blasint *lwork, double *rwork, const blasint *lrwork, blasint *iwork,
                     const blasint *liwork, blasint *info);

/* ESK_OK where the matrix is finite and its size can be squared. *numbers: reals in it. */
static int
check_matrix (size_t        n,
              const double *matrix,
              const double *values,
              size_t       *numbers)
{
  if (n == 0 || n > INT_MAX || matrix == NULL || values == NULL || __builtin_mul_overflow (n, n, numbers)
      || __builtin_mul_overflow (*numbers, (size_t) 2, numbers) || *numbers > SIZE_MAX / (2 * sizeof (double)))
    return ESK_ERROR_ARGUMENT;
  for (size_t k = 0; k < *numbers; k++)
    if (!isfinite (matrix[k]))
      return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

int
esk_eigen_hermitian_lapack (size_t        n,
                            const double *matrix,
                            double       *values,
                            double       *vectors)
{
  const char *job = vectors != NULL ? "V" : "N";
  const blasint order = (blasint) n;
  size_t numbers, work_size, real_size;
  blasint lwork, lrwork, liwork, info = 0;
  double *a, *w, *work, *real_work;
  blasint *integer_work;
  int code = check_matrix (n, matrix, values, &numbers);

  if (code != ESK_OK)
    return code;
  /* What zheevd's documentation asks for. */
  work_size = vectors != NULL ? 2 * n + numbers / 2 : n + 1;
  real_size = vectors != NULL ? 1 + 5 * n + numbers : n;
  if (work_size > INT_MAX || real_size > INT_MAX)
    return ESK_ERROR_MEMORY;
  lwork = (blasint) work_size;
  lrwork = (blasint) real_size;
  liwork = vectors != NULL ? (blasint) (3 + 5 * n) : 1;

  a = calloc (numbers + COLUMNS_BEYOND * 2 * n, sizeof (double));
  w = malloc (n * sizeof (double));
  work = malloc (work_size * 2 * sizeof (double));
  real_work = malloc (real_size * sizeof (double));
  integer_work = malloc ((size_t) liwork * sizeof (blasint));
  code = ESK_ERROR_MEMORY;
  if (a == NULL || w == NULL || work == NULL || real_work == NULL || integer_work == NULL
      || esk_blas_enter () != ESK_OK)
    goto out;

  /* Row by row it is the conjugate to those who read by columns: so are its vectors. */
  memcpy (a, matrix, numbers * sizeof (double));
  zheevd_ (job, "U", &order, a, &order, w, work, &lwork, real_work, &lrwork, integer_work, &liwork, &info);
  esk_blas_leave ();
  code = info == 0 ? ESK_OK : info > 0 ? ESK_ERROR_NO_CONVERGENCE : ESK_ERROR_ARGUMENT;
  for (size_t k = 0; code == ESK_OK && k < n; k++)
    {
      const double *from = a + 2 * (n - 1 - k) * n;

      values[k] = w[n - 1 - k];
      for (size_t i = 0; vectors != NULL && i < n; i++)
        {
          vectors[2 * (k * n + i)] = from[2 * i];
          vectors[2 * (k * n + i) + 1] = -from[2 * i + 1];
        }
    }

out:
  free (a);
  free (w);
  free (work);
  free (real_work);
  free (integer_work);
  return code;
}

size_t
esk_round_robin (size_t    n,
                 size_t    step,
                 uint32_t *pairs)
{
  /* The first keeps its place, the others go round: at place p stands the one that was (step) places before. */
  const size_t even = n + n % 2, round = even - 1;
  size_t count = 0;

  for (size_t place = 0; place < even / 2; place++)
    {
      const size_t other = even - 1 - place;
      size_t a = place == 0 ? 0 : 1 + (place - 1 + round - step % round) % round;
      size_t b = 1 + (other - 1 + round - step % round) % round;

      if (a > b)
        {
          const size_t c = a;

          a = b;
          b = c;
        }
      if (b >= n)
        continue;
      pairs[2 * count] = (uint32_t) a;
      pairs[2 * count + 1] = (uint32_t) b;
      count++;
    }

  return count;
}
