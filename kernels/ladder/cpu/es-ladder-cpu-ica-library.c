/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A step of FastICA by the program's library of matrices. */

#include "es-ladder-cpu-ica-vectors-private.h"

#include "host/es-blas-internal.h"

#include <cblas.h>
#include <math.h>

#ifdef __x86_64__

static VECTORS void
apply_8 (float  *y,
         size_t  n,
         double *missing)
{
  __m256 sum = _mm256_setzero_ps ();

  for (size_t p = 0; p + 8 <= n; p += 8)
    {
      const __m256 g = tanh_8 (_mm256_loadu_ps (y + p));

      _mm256_storeu_ps (y + p, g);
      sum = _mm256_fmadd_ps (g, g, sum);
    }
  *missing = sum_8 (sum);
}

static size_t
apply_vectors (float  *y,
               size_t  n,
               double *missing)
{
  if (!__builtin_cpu_supports ("avx2") || !__builtin_cpu_supports ("fma"))
    return 0;
  apply_8 (y, n, missing);
  return n / 8 * 8;
}

#else

static size_t
apply_vectors (float  *y,
               size_t  n,
               double *missing)
{
  return 0;
}

#endif

/* lab: ica-library */
/* g in place; 1 - g^2 less 1 added up. */
static double
apply (float  *y,
       size_t  n)
{
  double missing = 0.0;

  for (size_t p = apply_vectors (y, n, &missing); p < n; p++)
    {
      y[p] = tanhf (y[p]);
      missing += y[p] * y[p];
    }
  return missing;
}

/* An item of samples, by a thread: the library multiplies W with Z, and g of that with Z, as matrices; between the two
 * g is taken by vectors of eight. */
static void
multiply_item (void    *data,
               size_t   item,
               unsigned worker)
{
  IcaCpuWork *work = data;
  const size_t rows = work->of.rows, n = work->of.pixels, first = item * work->item;
  const size_t count = n - first < work->item ? n - first : work->item;
  const int m = (int) rows, k = (int) count;
  const float *z = work->of.z + first;
  float *g = work->rooms[worker].z, *product = work->rooms[worker].g;
  double *sums = work->sums + item * rows * (rows + 1);

  if (esk_blas_enter () != ESK_OK)
    {
      __atomic_store_n (&work->failed, 1, __ATOMIC_RELAXED);
      return;
    }
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, m, k, m, 1.0f, work->of.w, m, z, (int) n, 0.0f, g, k);
  for (size_t r = 0; r < rows; r++)
    sums[rows * rows + r] += (double) count - apply (g + r * count, count);
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, m, m, k, 1.0f, g, k, z, (int) n, 0.0f, product, m);
  esk_blas_leave ();
  for (size_t e = 0; e < rows * rows; e++)
    sums[e] += product[e];
}

int
ica_library (EskLadder  *ladder,
             IcaCpuWork *work)
{
  ESK_LADDER_TRY (ladder_share (ladder, work->n_items, multiply_item, work));
  ica_add_items (work);

  return work->failed ? ESK_LADDER_ERROR_MEMORY : ESK_LADDER_OK;
}
/* lab end */
