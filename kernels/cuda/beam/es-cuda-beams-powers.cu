/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From sums to powers of beams: parts and snapshots are added up in a fixed order. */

#include "es-cuda-arrays-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#define GROUPS 8

/* ---- the elements' own power ---- */

static __global__ void
__launch_bounds__ (256)
own_power (const float *values,
           size_t       stride,
           double      *own)
{
  __shared__ double sums[8];
  const float *row = values + (size_t) blockIdx.x * 2 * stride;
  double total = 0.0;

  /* Real and imaginary parts lie one behind the other, and between them zeros. */
  for (size_t k = threadIdx.x; k < 2 * stride; k += 256)
    total += (double) (row[k] * row[k]);
  for (int distance = 16; distance > 0; distance /= 2)
    total += __shfl_xor_sync (0xffffffffu, total, distance);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = total;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      for (int k = 1; k < 8; k++)
        total += sums[k];
      own[blockIdx.x] = total;
    }
}

int
esk_cuda_beam_own (EskStream        *stream,
                   const EskSpectra *spectra,
                   size_t            first_bin,
                   size_t            bins,
                   double           *own)
{
  own_power<<<(unsigned) (bins * spectra->snapshots), 256, 0, stream->stream>>>
    (spectra->values + first_bin * spectra->snapshots * 2 * spectra->stride, spectra->stride, own);

  return esk_cuda_launched (stream, "power of the elements");
}

/* ---- powers ---- */

/* A thread a bin of a pair: the powers of its two foci. */
static __global__ void
__launch_bounds__ (256)
powers (EskCudaBeamPowers call)
{
  const size_t pair = (size_t) blockIdx.y * 32 + threadIdx.x % 32;
  const size_t bin = (size_t) blockIdx.x * GROUPS + threadIdx.x / 32;
  const int parts = call.mode == ESK_BEAMS_PLAIN ? 2 : 4;
  double first = 0.0, second = 0.0;
  int2 foci;

  if (pair >= call.n_pairs || bin >= call.bins)
    return;
  foci = call.pairs[pair];
  for (size_t s = 0; s < call.snapshots; s++)
    {
      const size_t row = bin * call.snapshots + s;
      const double own = call.own != NULL ? call.own[row] : 0.0;
      const float *from = call.partial + row * 4 * call.partial_stride + pair;
      float v[4] = { 0.0f }, y[4];

#pragma unroll 4
      for (unsigned k = 0; k < call.splits; k++)
        {
          for (int part = 0; part < parts; part++)
            v[part] += from[part * call.partial_stride];
          from += call.rows_stride * 4 * call.partial_stride;
        }

      if (call.mode == ESK_BEAMS_PLAIN)
        {
          y[0] = v[0];
          y[1] = v[1];
          y[2] = y[3] = 0.0f;
        }
      else if (call.mode == ESK_BEAMS_MIRROR)
        {
          y[0] = 0.5f * (v[0] + v[2]);
          y[1] = 0.5f * (v[1] + v[3]);
          y[2] = 0.5f * (v[0] - v[2]);
          y[3] = 0.5f * (v[1] - v[3]);
        }
      else
        {
          y[0] = v[0] + v[2];
          y[1] = v[1] + v[3];
          y[2] = v[0] - v[2];
          y[3] = v[1] - v[3];
        }
      first += (double) y[0] * y[0] + (double) y[1] * y[1] - own;
      second += (double) y[2] * y[2] + (double) y[3] * y[3] - own;
    }

  if (call.by_bin != NULL)
    {
      call.by_bin[(size_t) foci.x * call.by_bin_stride + bin] = (float) (first * call.factor);
      if (foci.y >= 0)
        call.by_bin[(size_t) foci.y * call.by_bin_stride + bin] = (float) (second * call.factor);
    }
  if (call.band != NULL)
    {
      call.power[2 * bin * call.partial_stride + pair] = (float) (first * call.factor);
      call.power[(2 * bin + 1) * call.partial_stride + pair] = (float) (second * call.factor);
    }
}

/* A lane a pair, and GROUPS bins at a time. */
static __global__ void
__launch_bounds__ (256)
bands (EskCudaBeamPowers call)
{
  __shared__ double sums[GROUPS][32];
  const unsigned lane = threadIdx.x % 32, group = threadIdx.x / 32, which = blockIdx.y;
  const size_t pair = (size_t) blockIdx.x * 32 + lane;
  double total = 0.0;

  if (pair < call.n_pairs)
#pragma unroll 4
    for (size_t bin = group; bin < call.bins; bin += GROUPS)
      total += (double) call.power[(2 * bin + which) * call.partial_stride + pair];
  sums[group][lane] = total;
  __syncthreads ();
  if (group > 0 || pair >= call.n_pairs)
    return;

  const int2 foci = call.pairs[pair];
  const int focus = which == 0 ? foci.x : foci.y;

  if (focus < 0)
    return;
  for (int k = 1; k < GROUPS; k++)
    total += sums[k][lane];
  call.band[focus] = (float) (call.add ? (double) call.band[focus] + total : total);
}

int
esk_cuda_beam_powers (EskStream               *stream,
                      const EskCudaBeamPowers *call)
{
  const unsigned pair_blocks = (unsigned) esk_cuda_ceil_div (call->n_pairs, 32);
  int code;

  powers<<<dim3 ((unsigned) esk_cuda_ceil_div (call->bins, GROUPS), pair_blocks), 256, 0, stream->stream>>> (*call);
  code = esk_cuda_launched (stream, "powers of beams");
  if (code == ESK_OK && call->band != NULL)
    {
      bands<<<dim3 (pair_blocks, call->mode == ESK_BEAMS_PLAIN ? 1 : 2), 256, 0, stream->stream>>> (*call);
      code = esk_cuda_launched (stream, "powers of beams");
    }

  return code;
}
