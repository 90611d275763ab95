/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The inner loops in plain C, for any processor; OpenBLAS, which has kernels for many, multiplies floats. */

#include "es-cpu-loops-private.h"
#include "es-cpu-loops-table-private.h"

#include "host/es-blas-internal.h"

#include <cblas.h>

static void
products_i16 (size_t         n,
              const int16_t *panel,
              size_t         stride,
              size_t         count,
              const int32_t *magnitude,
              int64_t       *product,
              void          *scratch)
{
  (void) magnitude;
  (void) scratch;

  for (size_t i = 0; i < n; i++)
    {
      const int16_t *x = panel + i * stride;

      for (size_t j = 0; j <= i; j++)
        {
          const int16_t *y = panel + j * stride;
          int64_t total = 0;

          for (size_t k = 0; k < count; k++)
            total += (int64_t) ((int32_t) x[k] * y[k]);
          product[i * n + j] += total;
        }
    }
}

static void
products_f32 (size_t       n,
              const float *panel,
              size_t       stride,
              size_t       count,
              double      *product,
              float       *scratch)
{
  for (size_t start = 0; start < count; start += ESK_FLOAT_RUN)
    {
      size_t length = count - start < ESK_FLOAT_RUN ? count - start : ESK_FLOAT_RUN;

      (void) esk_blas_enter ();
      cblas_ssyrk (CblasRowMajor, CblasLower, CblasNoTrans, (blasint) n, (blasint) length, 1.0f, panel + start,
                   (blasint) stride, 0.0f, scratch, (blasint) n);
      esk_blas_leave ();
      for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
          product[i * n + j] += (double) scratch[i * n + j];
    }
}

static void
products_f64 (size_t        n,
              const double *panel,
              size_t        stride,
              size_t        count,
              double       *product,
              double       *scratch)
{
  (void) esk_blas_enter ();
  cblas_dsyrk (CblasRowMajor, CblasLower, CblasNoTrans, (blasint) n, (blasint) count, 1.0, panel, (blasint) stride,
               0.0, scratch, (blasint) n);
  esk_blas_leave ();
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      product[i * n + j] += scratch[i * n + j];
}

static void
pack (size_t       rows,
      size_t       n,
      const float *basis,
      float       *packed)
{
  memcpy (packed, basis, rows * n * sizeof (float));
}

static void
multiply (size_t       rows,
          size_t       n,
          const float *basis,
          const float *packed,
          const float *constants,
          const float *panel,
          size_t       stride,
          size_t       count,
          float       *out,
          size_t       out_stride)
{
  (void) packed;

  for (size_t r = 0; r < rows; r++)
    for (size_t k = 0; k < count; k++)
      out[r * out_stride + k] = constants[r];
  (void) esk_blas_enter ();
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasNoTrans, (blasint) rows, (blasint) count, (blasint) n, 1.0f,
               basis, (blasint) n, panel, (blasint) stride, 1.0f, out, (blasint) out_stride);
  esk_blas_leave ();
}

static const EskCpuProducts products = { products_i16, products_f32, products_f64, .float_room = true };

const EskCpuLoops esk_cpu_loops_portable = {
  .name = "portable",
  ESK_COMMON_LOOPS,
  .products = &products,
  .pack = pack,
  .multiply = multiply,
};
