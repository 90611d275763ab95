/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A product of two vectors that are read once: copied, or read in place over the link (gpu-lab 15). */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"

#include <math.h>

#define THREADS 256
#define BLOCKS 4               /* a multiprocessor */
#define LOOK (1u << 20)        /* numbers between which the host looks whether it was cancelled */

/* lab: dot */
/* A partial sum of each block. */
static __global__ void
lab_dot (const float4 *x,
         const float4 *y,
         uint64_t      n,
         double       *partial)
{
  __shared__ double sums[THREADS / 32];
  double sum = 0.0;

  for (uint64_t i = blockIdx.x * (uint64_t) blockDim.x + threadIdx.x; i < n; i += (uint64_t) gridDim.x * blockDim.x)
    {
      const float4 a = x[i], b = y[i];

      sum += (double) (a.x * b.x + a.y * b.y) + (double) (a.z * b.z + a.w * b.w);
    }
  for (int half = 16; half > 0; half /= 2)
    sum += __shfl_down_sync (0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      for (int w = 1; w < THREADS / 32; w++)
        sum += sums[w];
      partial[blockIdx.x] = sum;
    }
}
/* lab end */

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  return probe->variant <= 2 && probe->bytes >= 32 && probe->bytes % 32 == 0 && probe->bytes <= lab->memory / 4
         && (probe->variant < 2 || lab->can_map);
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const EskLabMemory memory = probe->variant == 0 ? ESK_MEMORY_PAGEABLE
                              : probe->variant == 1 ? ESK_MEMORY_PINNED : ESK_MEMORY_MAPPED;
  const uint64_t n = probe->bytes / 8, half = probe->bytes / 2;
  const uint32_t most = (uint32_t) (BLOCKS * lab->units);
  const uint32_t blocks = n / 4 / THREADS + 1 < most ? (uint32_t) (n / 4 / THREADS) + 1 : most;
  double expected = 0.0, size = 0.0, *sums;
  char *card = NULL;
  int code;
  float *host = (float *) lab_host_memory (lab, memory, probe->bytes, &code), *x, *y;
  double *partial;

  if (host == NULL)
    return code;
  partial = (double *) lab_device_memory (lab, blocks * sizeof *partial, &code);
  if (partial == NULL)
    return code;
  sums = (double *) lab_host_memory (lab, ESK_MEMORY_PINNED, blocks * sizeof *sums, &code);
  if (sums == NULL)
    return code;
  if (probe->variant < 2 && (card = (char *) lab_device_memory (lab, probe->bytes, &code)) == NULL)
    return code;

  for (uint64_t i = 0; i < n; i++)
    {
      if (i % LOOK == 0)
        LAB_TRY (lab_cancelled (lab));
      host[i] = (float) (i % 1021) / 1021.0f - 0.25f;
      host[n + i] = (float) (i % 2039) / 2039.0f - 0.75f;
      expected += (double) host[i] * host[n + i];
      size += fabs ((double) host[i] * host[n + i]);
    }
  x = (float *) card;
  y = (float *) (card + half);
  if (probe->variant == 2)
    {
      LAB_TRY (lab_check (lab, cudaHostGetDevicePointer ((void **) &x, host, 0), "cudaHostGetDevicePointer"));
      y = x + n;
    }

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      double began = lab_now (), sum = 0.0;

      if (probe->variant < 2)
        LAB_TRY (lab_check (lab, cudaMemcpyAsync (card, host, probe->bytes, cudaMemcpyHostToDevice, lab->stream),
                            "cudaMemcpyAsync"));
      lab_dot<<<blocks, THREADS, 0, lab->stream>>> ((const float4 *) x, (const float4 *) y, n / 4, partial);
      LAB_TRY (lab_check (lab, cudaGetLastError (), "the launch of a kernel"));
      LAB_TRY (lab_check (lab, cudaMemcpyAsync (sums, partial, blocks * sizeof *sums, cudaMemcpyDeviceToHost,
                                                lab->stream), "cudaMemcpyAsync"));
      LAB_TRY (lab_check (lab, cudaStreamSynchronize (lab->stream), "cudaStreamSynchronize"));
      for (uint32_t b = 0; b < blocks; b++)
        sum += sums[b];
      *sample = lab_now () - began;

      /* Two products are added in float32. */
      return fabs (sum - expected) <= 1e-6 * size + 1e-12 ? ESK_LAB_OK
             : lab_refuse (lab, ESK_LAB_ERROR_WRONG, "The product of two vectors came out wrong");
    });
}

const LabKind lab_kind_dot = { has, measure, "dot", true };
