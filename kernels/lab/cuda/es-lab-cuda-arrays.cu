/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Whether a thread's own array is in registers or in memory: a property of the compiled kernel, which the runtime tells
 * (gpu-lab 8). Every size is a kernel of its own. */

#include "es-lab-cuda-private.h"

/* lab: arrays */
/* One loop: places are known once it is unrolled. */
template <int N>
static __global__ void
lab_array_add (const float *a, const float *b, float *sum)
{
  const int id = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  float own[N];

#pragma unroll
  for (int k = 0; k < N; k++)
    own[k] = a[k * 1024 + id];
#pragma unroll
  for (int k = 0; k < N; k++)
    own[k] += b[k * 1024 + id];
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < N; k++)
    sum[k * 1024 + id] = own[k];
}

/* Three loops, over matrices of N x N. */
template <int N>
static __global__ void
lab_array_multiply (const float *a, const float *b, float *product)
{
  const int id = (int) (blockIdx.x * blockDim.x + threadIdx.x);
  float x[N][N], y[N][N], z[N][N];

  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      {
        x[i][j] = a[(i * N + j) * 1024 + id];
        y[i][j] = b[(i * N + j) * 1024 + id];
        z[i][j] = 0.0f;
      }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        z[i][j] += x[i][k] * y[k][j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      product[(i * N + j) * 1024 + id] = z[i][j];
}

/* Elements change places, and how many there are is told when it runs. */
template <int N>
static __global__ void
lab_array_sort (const float *a, const int *length, float *sorted)
{
  const int id = (int) (blockIdx.x * blockDim.x + threadIdx.x), n = *length < N ? *length : N;
  float own[N];

  for (int k = 0; k < n; k++)
    own[k] = a[k * 1024 + id];
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < n - 1 - i; j++)
      if (own[j] > own[j + 1])
        {
          const float moved = own[j];

          own[j] = own[j + 1];
          own[j + 1] = moved;
        }
  for (int k = 0; k < n; k++)
    sorted[k * 1024 + id] = own[k];
}
/* lab end */

typedef struct {
  uint32_t    variant, ways;
  const void *kernel;
} Row;

#define ADD(n) { 0, n, (const void *) lab_array_add<n> },
#define MULTIPLY(n) { 1, n, (const void *) lab_array_multiply<n> },
#define SORT(n) { 2, n, (const void *) lab_array_sort<n> },

/* In the order of their sizes. */
static const Row rows[] = {
  ADD (8) ADD (16) ADD (32) ADD (64) ADD (128) ADD (192) ADD (224) ADD (232) ADD (240) ADD (244) ADD (248) ADD (256)
  MULTIPLY (1) MULTIPLY (2) MULTIPLY (3) MULTIPLY (4) MULTIPLY (5) MULTIPLY (6) MULTIPLY (7) MULTIPLY (8) MULTIPLY (9)
  MULTIPLY (10) MULTIPLY (11)
  SORT (1) SORT (2) SORT (3) SORT (4) SORT (8) SORT (16) SORT (32)
};

static const Row *
find (const EskProbe *probe)
{
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    if (rows[r].variant == probe->variant && rows[r].ways == probe->ways)
      return &rows[r];

  return NULL;
}

static int
has (const EskLab   *lab,
     const EskProbe *probe)
{
  return find (probe) != NULL;
}

static int
measure (EskLab         *lab,
         const EskProbe *probe,
         EskProbeResult *result)
{
  const Row *row = find (probe);

  return lab_repeat (lab, probe, result, [&] (double *sample) -> int
    {
      struct cudaFuncAttributes attributes;

      LAB_TRY (lab_check (lab, cudaFuncGetAttributes (&attributes, row->kernel), "cudaFuncGetAttributes"));
      *sample = (double) attributes.localSizeBytes;
      return ESK_LAB_OK;
    });
}

const LabKind lab_kind_private_array = { has, measure, "arrays", false };
