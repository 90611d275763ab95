/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Projection in plain float32 arithmetic: every card and every type that is read as it is. */

#include "es-cuda-project-private.h"

#include <math.h>

#define THREADS 128
/* Components that a block computes at once, and bands whose basis it holds in shared memory meanwhile. */
#define GROUP 32
#define CHUNK 32

/* A thread computes GROUP components of two pixels, THREADS apart. */
template <typename Sample>
static __global__ void
__launch_bounds__ (THREADS)
project_plain (EskProjection projection)
{
  __shared__ float4 basis[CHUNK][GROUP / 4];
  __shared__ float centres[CHUNK];

  const Sample *data = (const Sample *) projection.data;
  size_t first = (size_t) blockIdx.x * (2 * THREADS) + threadIdx.x;
  bool inside[2] = { first < projection.n_pixels, first + THREADS < projection.n_pixels };
  bool counts[2];

  for (int i = 0; i < 2; i++)
    counts[i] = inside[i] && (projection.valid == NULL || projection.valid[first + i * THREADS] != 0);

  for (size_t row = 0; row < projection.n_rows; row += GROUP)
    {
      int n_rows = projection.n_rows - row < GROUP ? (int) (projection.n_rows - row) : GROUP;
      float sums[2][GROUP] = {};

      for (size_t band = 0; band < projection.n_bands; band += CHUNK)
        {
          int n_bands = projection.n_bands - band < CHUNK ? (int) (projection.n_bands - band) : CHUNK;

          __syncthreads ();
          for (int i = threadIdx.x; i < CHUNK * GROUP; i += THREADS)
            {
              int r = i / CHUNK, b = i % CHUNK;

              ((float *) basis[b])[r] = r < n_rows && b < n_bands
                                        ? projection.basis[(row + r) * projection.n_bands + band + b] : 0.0f;
            }
          for (int b = threadIdx.x; b < n_bands; b += THREADS)
            centres[b] = projection.centres[band + b];
          __syncthreads ();

#pragma unroll 4
          for (int b = 0; b < n_bands; b++)
            {
              const Sample *samples = data + (band + b) * projection.band_stride + first;
              float x[2];

              for (int i = 0; i < 2; i++)
                x[i] = inside[i] ? (float) samples[i * THREADS] - centres[b] : 0.0f;
#pragma unroll
              for (int r = 0; r < GROUP / 4; r++)
                {
                  float4 v = basis[b][r];

                  for (int i = 0; i < 2; i++)
                    {
                      sums[i][4 * r] = fmaf (v.x, x[i], sums[i][4 * r]);
                      sums[i][4 * r + 1] = fmaf (v.y, x[i], sums[i][4 * r + 1]);
                      sums[i][4 * r + 2] = fmaf (v.z, x[i], sums[i][4 * r + 2]);
                      sums[i][4 * r + 3] = fmaf (v.w, x[i], sums[i][4 * r + 3]);
                    }
                }
            }
        }

#pragma unroll
      for (int r = 0; r < GROUP; r++)
        {
          if (r >= n_rows)
            break;
          for (int i = 0; i < 2; i++)
            if (inside[i])
              projection.out[(row + r) * projection.plane_stride + first + i * THREADS]
                = counts[i] ? sums[i][r] + projection.constants[row + r] : NAN;
        }
    }
}

int
esk_cuda_project_simt (EskStream           *stream,
                       const EskProjection *projection)
{
  size_t n_blocks = (projection->n_pixels + 2 * THREADS - 1) / (2 * THREADS);

  if (n_blocks > INT32_MAX)
    return ESK_ERROR_ARGUMENT;
  switch (projection->type)
    {
    case ESK_U8:
      project_plain<uint8_t><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (*projection);
      break;
    case ESK_I8:
      project_plain<int8_t><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (*projection);
      break;
    case ESK_U16:
      project_plain<uint16_t><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (*projection);
      break;
    case ESK_I16:
      project_plain<int16_t><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (*projection);
      break;
    case ESK_F32:
      project_plain<float><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (*projection);
      break;
    default:
      return ESK_ERROR_ARGUMENT;
    }

  return esk_cuda_launched (stream, "projection");
}
