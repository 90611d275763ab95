/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What the two engines of covariance sums in float64 share. */

#include "es-cuda-covariance-internal.h"

#include "cuda/core/es-cuda-samples-internal.h"

/* es-cuda-covariance-precise-panels.cu: whether that engine is the faster one; then as esk_cuda_covariance_precise (),
 * of a run that this one has checked and that is not empty. */
bool esk_cuda_precise_panels_suit (EskStream *stream, const EskCudaRun *run);
int  esk_cuda_precise_panels      (EskStream *stream, const EskCudaRun *run, EskCudaSums *sums);

/* The longest run: its pixels, and a few stages more than there are, are counted in 32 bits. */
#define MOST_PIXELS ((size_t) 1 << 30)
/* What all runs leave. */
#define PARTIAL_BYTES ((size_t) 256 << 20)
#define TOTALS_THREADS 256

/* Four samples of a band, as they came. */
template <typename Sample>
struct alignas (sizeof (Sample) < 4 ? 4 * sizeof (Sample) : 16) Quad
{
  Sample sample[4];
};

/* Row and column of pair `index` of a lower triangle, row after row. */
static __device__ void
find_pair (unsigned  index,
           unsigned *row,
           unsigned *column)
{
  unsigned r = (unsigned) ((sqrtf (8.0f * (float) index + 1.0f) - 1.0f) / 2.0f);

  while (r * (r + 1) / 2 > index)
    r--;
  while ((r + 1) * (r + 2) / 2 <= index)
    r++;
  *row = r;
  *column = index - r * (r + 1) / 2;
}

/* The slots' values `stride` apart, in their order. */
static __device__ double
add_slots (const double *values,
           size_t        stride,
           unsigned      n)
{
  double total = 0.0;
  unsigned k = 0;

  for (; k + 8 <= n; k += 8)
    {
      double value[8];

#pragma unroll
      for (int i = 0; i < 8; i++)
        value[i] = values[(k + i) * stride];
#pragma unroll
      for (int i = 0; i < 8; i++)
        total += value[i];
    }
  for (; k < n; k++)
    total += values[k * stride];

  return total;
}
