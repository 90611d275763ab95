/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Sums of the monomials of degree one and two, and of their products: by es-cuda-moments-tensor.cu where it can, else
 * the monomials are written out, slice by slice, and are the bands of covariance sums.
 */

#include "es-cuda-ica-private.h"

#include "cuda/covariance/es-cuda-covariance-internal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 256
#define SLICE_BYTES ((size_t) 256 << 20)
#define SLICE_ROUND 1024
#define LARGEST_GRID_Y 65535

/* A block writes THREADS samples of z_i and of every z_i z_j, j <= i. */
static __global__ void
expand (const float *z,
        size_t       n,
        size_t       stride,
        unsigned     m,
        float       *out,
        size_t       out_stride)
{
  size_t sample = (size_t) blockIdx.x * THREADS + threadIdx.x;

  if (sample >= n)
    return;
  for (unsigned i = blockIdx.y; i < m; i += gridDim.y)
    {
      float x = z[i * stride + sample];

      out[i * out_stride + sample] = x;
      for (unsigned j = 0; j <= i; j++)
        out[((size_t) m + (size_t) i * (i + 1) / 2 + j) * out_stride + sample] = x * z[j * stride + sample];
    }
}

/* ES_CUDA_ICA=plain: see es-cuda-ica.cu. */
static bool
wants_plain (void)
{
  const char *variant = getenv ("ES_CUDA_ICA");

  return variant != NULL && strcmp (variant, "plain") == 0;
}

int
esk_cuda_moment_sums (EskStream     *stream,
                      const float   *whitened,
                      size_t         count,
                      size_t         plane_stride,
                      size_t         m,
                      EskCovariance *sums)
{
  size_t n_bands, slice, whole, bytes;
  float *monomials;
  int code;

  if (stream == NULL || sums == NULL || m == 0 || m > SHRT_MAX || sums->exact || sums->n_bands != esk_n_monomials (m))
    return ESK_ERROR_ARGUMENT;
  if (count > 0 && (whitened == NULL || count > (size_t) PTRDIFF_MAX || (m > 1 && plane_stride < count)))
    return ESK_ERROR_ARGUMENT;
  if (count == 0)
    return ESK_OK;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  code = wants_plain () ? ESK_ERROR_ARGUMENT
                        : esk_cuda_moments_tensor (stream, whitened, count, plane_stride, (unsigned) m, sums);
  if (code != ESK_ERROR_ARGUMENT)
    return code;
  code = ESK_OK;

  n_bands = sums->n_bands;
  whole = (count + SLICE_ROUND - 1) / SLICE_ROUND * SLICE_ROUND;
  slice = SLICE_BYTES / sizeof (float) / n_bands / SLICE_ROUND * SLICE_ROUND;
  slice = slice == 0 ? SLICE_ROUND : slice;
  slice = slice > whole ? whole : slice;
  if (__builtin_mul_overflow (slice * sizeof (float), n_bands, &bytes))
    return ESK_ERROR_MEMORY;
  monomials = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT, bytes);
  if (monomials == NULL)
    return ESK_ERROR_MEMORY;

  for (size_t first = 0, n; first < count && code == ESK_OK; first += n)
    {
      EskSelection selection = { NULL, n_bands, NULL, NULL, NULL };
      EskTile tile = { monomials, ESK_F32, false, 0, 1, n_bands, 1, 0, (ptrdiff_t) slice };
      dim3 grid;

      n = count - first < slice ? count - first : slice;
      tile.width = n;
      tile.row_stride = (ptrdiff_t) n;
      grid = dim3 ((unsigned) ((n + THREADS - 1) / THREADS), (unsigned) (m < LARGEST_GRID_Y ? m : LARGEST_GRID_Y));
      expand<<<grid, THREADS, 0, stream->stream>>> (whitened + first, n, plane_stride, (unsigned) m, monomials, slice);
      code = esk_cuda_launched (stream, "monomials");
      if (code == ESK_OK)
        code = esk_cuda_covariance_sums (stream, &tile, &selection, NULL, sums);
    }

  return code;
}
