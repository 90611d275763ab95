/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of independent components for any processor; OpenBLAS, which has kernels for many, multiplies. */

#include "es-cpu-ica-loops-private.h"

#include "host/es-blas-internal.h"

#include <cblas.h>

static void
cross (size_t       rows,
       const float *a,
       size_t       columns,
       const float *b,
       size_t       stride,
       size_t       count,
       double      *product,
       size_t       product_stride,
       float       *scratch)
{
  /* cpu_stream_new () has made sure that there is memory for one. */
  (void) esk_blas_enter ();
  cblas_sgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (blasint) rows, (blasint) columns, (blasint) count, 1.0f, a,
               (blasint) stride, b, (blasint) stride, 0.0f, scratch, (blasint) columns);
  esk_blas_leave ();
  for (size_t r = 0; r < rows; r++)
    for (size_t c = 0; c < columns; c++)
      product[r * product_stride + c] += (double) scratch[r * columns + c];
}

const EskCpuIcaLoops esk_cpu_ica_loops_portable = {
  .cross = cross,
  .contrast = contrast_in_place,
  .moments = add_moments,
  .multiply = multiply_rows,
};
