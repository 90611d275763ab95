/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The published inner product (sparse.md 1.6): blocks leave their sums in mapped memory of the host, which adds them
 * up. Two defects of the printed kernel are mended: it read beyond vectors that fill no whole block, and its last steps
 * relied on the lanes of a warp going together.
 */

#include "es-cuda-vectors-private.h"

#define MOST_THREADS 512
#define MOST_GROUPS 512

static __global__ void __launch_bounds__ (MOST_THREADS)
inner (size_t       n,
       size_t       length,
       const float *x,
       const float *y,
       float       *groups)
{
  __shared__ float sums[MOST_THREADS];
  const size_t first = blockIdx.x * length, rest = n - first, own = rest < length ? rest : length;
  const unsigned thread = threadIdx.x;
  float sum = 0.0f;

  for (size_t k = thread; k < own; k += blockDim.x)
    sum = __fadd_rn (sum, __fmul_rn (x[first + k], y[first + k]));
  sums[thread] = sum;
  __syncthreads ();
  for (unsigned half = blockDim.x / 2; half >= 32; half /= 2)
    {
      if (thread < half)
        sums[thread] = __fadd_rn (sums[thread], sums[thread + half]);
      __syncthreads ();
    }
  /* The first warp alone. */
  if (thread < 32)
    for (unsigned half = 16; half > 0; half /= 2)
      {
        if (thread < half)
          sums[thread] = __fadd_rn (sums[thread], sums[thread + half]);
        __syncwarp ();
      }
  if (thread == 0)
    groups[blockIdx.x] = sums[0];
}

int
esk_cuda_inner_published (EskStream   *stream,
                          size_t       n,
                          const float *x,
                          const float *y,
                          double      *slot)
{
  const EskInnerShape shape = esk_inner_shape (n);
  /* The last groups of a long vector may have nothing to do. */
  const size_t groups = shape.length > 0 ? (n + shape.length - 1) / shape.length : 0;
  float *host, *mapped = NULL;
  double total = 0.0;
  int code;

  if (stream == NULL || slot == NULL || (n > 0 && (x == NULL || y == NULL)))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;
  if (groups > 0)
    {
      host = (float *) esk_cuda_pinned (stream, MOST_GROUPS * sizeof *host);
      if (host == NULL)
        return ESK_ERROR_MEMORY;
      code = esk_cuda_check (stream, cudaHostGetDevicePointer ((void **) &mapped, host, 0), "an inner product");
      if (code != ESK_OK)
        return code;
      inner<<<(unsigned) groups, (unsigned) shape.block, 0, stream->stream>>> (n, shape.length, x, y, mapped);
      code = esk_cuda_launched (stream, "an inner product");
      if (code == ESK_OK)
        code = esk_cuda_check (stream, cudaStreamSynchronize (stream->stream), "an inner product");
      for (size_t g = 0; g < groups && code == ESK_OK; g++)
        total += (double) host[g];
    }

  return code == ESK_OK ? esk_cuda_upload_table (stream, slot, &total, sizeof total) : code;
}
