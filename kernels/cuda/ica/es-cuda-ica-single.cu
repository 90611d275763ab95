/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A step for one component, which only has to read the samples: a thread holds all planes of one sample, and its sums
 * of as many products. Predicted: 27 planes of 5.4 million samples, 0.59 GB, 0.14 ms at the H200's 4.3 TB/s; its
 * arithmetic is a sixth of that. Measured: 0.166 ms with the launches and the way of the sums to the host.
 */

#include "es-cuda-ica-private.h"

#define THREADS 256
/* Samples that a thread adds up in float32 at most. */
#define RUN 128

/* partial: [block][columns + 1]. */
template <EskContrastKind kind, int most>
static __global__ void
__launch_bounds__ (THREADS, most <= 16 ? 4 : most <= 32 ? 3 : 1)
single_step (const __grid_constant__ EskIcaCall  call,
             double                             *partial)
{
  __shared__ float4 w[most / 4];
  __shared__ float sums[most / 2 + 1][THREADS];
  const size_t step = (size_t) gridDim.x * THREADS;
  const float factor = kind == ESK_CONTRAST_TANH ? call.slope * ESK_ICA_TANH_FACTOR : 1.0f;
  float product[most], missing = 0.0f;

  if (threadIdx.x < most)
    ((float *) w)[threadIdx.x] = threadIdx.x < call.columns ? esk_ica_weight (call, threadIdx.x) * factor : 0.0f;
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < most; i++)
    product[i] = 0.0f;

  for (size_t sample = (size_t) blockIdx.x * THREADS + threadIdx.x; sample < call.n; sample += step)
    {
      const float *at = call.z + sample;
      float z[most], y[4] = { 0.0f }, g;

#pragma unroll
      for (int i = 0; i < most; i++)
        z[i] = i < call.columns ? __ldcs (at + i * call.stride) : 0.0f;
#pragma unroll
      for (int i = 0; i < most / 4; i++)
        {
          float4 factor = w[i];

          y[0] = fmaf (factor.x, z[4 * i], y[0]);
          y[1] = fmaf (factor.y, z[4 * i + 1], y[1]);
          y[2] = fmaf (factor.z, z[4 * i + 2], y[2]);
          y[3] = fmaf (factor.w, z[4 * i + 3], y[3]);
        }
      g = esk_ica_contrast<kind> ((y[0] + y[1]) + (y[2] + y[3]), &missing);
#pragma unroll
      for (int i = 0; i < most; i++)
        product[i] = fmaf (g, z[i], product[i]);
    }

  /* In halves, so that they fit the shared memory. */
#pragma unroll
  for (int half = 0; half < 2; half++)
    {
      __syncthreads ();
#pragma unroll
      for (int i = 0; i < most / 2; i++)
        sums[i][threadIdx.x] = product[half * (most / 2) + i];
      sums[most / 2][threadIdx.x] = missing;
      __syncthreads ();
      for (int i = threadIdx.x / 32; i < most / 2 + 1; i += THREADS / 32)
        {
          int value = i == most / 2 ? (int) call.columns : half * (most / 2) + i;
          double total = 0.0;

          for (int k = threadIdx.x % 32; k < THREADS; k += 32)
            total += (double) sums[i][k];
          for (int distance = 16; distance > 0; distance /= 2)
            total += __shfl_xor_sync (0xffffffffu, total, distance);
          if (threadIdx.x % 32 == 0 && (i == most / 2 ? half == 0 : value < call.columns))
            partial[(size_t) blockIdx.x * (call.columns + 1) + value] = total;
        }
    }
}

template <EskContrastKind kind, int most>
static int
launch (EskStream        *stream,
        const EskIcaCall *call,
        double           *totals)
{
  size_t needed = (call->n + THREADS - 1) / THREADS, n_blocks = (needed + RUN - 1) / RUN, least;
  int at_once = 1;
  double *partial;
  int code = esk_cuda_check (stream, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&at_once, single_step<kind, most>,
                                                                                   THREADS, 0), "step of a component");

  if (code != ESK_OK)
    return code;
  least = (size_t) at_once * esk_cuda_properties (stream)->multiprocessors;
  if (n_blocks < least)
    n_blocks = needed < least ? needed : least;
  partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL,
                                         n_blocks * (call->columns + 1) * sizeof (double));
  if (partial == NULL)
    return ESK_ERROR_MEMORY;
  single_step<kind, most><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>> (*call, partial);
  code = esk_cuda_launched (stream, "step of a component");

  return code == ESK_OK ? esk_cuda_ica_sum_slots (stream, partial, n_blocks, call->columns + 1, totals) : code;
}

template <EskContrastKind kind>
static int
launch_kind (EskStream        *stream,
             const EskIcaCall *call,
             double           *totals)
{
  return call->columns <= 8 ? launch<kind, 8> (stream, call, totals)
         : call->columns <= 16 ? launch<kind, 16> (stream, call, totals)
         : call->columns <= 32 ? launch<kind, 32> (stream, call, totals)
                               : launch<kind, ESK_ICA_SINGLE_COLUMNS> (stream, call, totals);
}

int
esk_cuda_ica_single (EskStream        *stream,
                     const EskIcaCall *call,
                     EskContrastKind   kind,
                     double           *totals)
{
  int code;

  ESK_ICA_BY_KIND (kind, code, launch_kind, stream, call, totals)

  return code;
}
