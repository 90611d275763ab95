/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The moments of several components in one pass, with matrix instructions (compute capability 8.0 and later): Y = W Z
 * is nowhere but in registers. Sums are in float32 up to 256 samples, then in float64 in shared memory.
 */

#include "es-cuda-ica-tensor.cuh"

#define PERIOD 16              /* chunks that are added up in float32 */

/* blockIdx.y: which rows, row_tiles x 16 of them. partial: [block][rows][ESK_ICA_MOMENTS]. */
template <EskContrastKind kind, int row_tiles, int column_tiles>
static __global__ void
__launch_bounds__ (THREADS, column_tiles > 2 ? 4 : 5)
tensor_moments (const __grid_constant__ EskIcaCall  call,
                bool                                aligned,
                double                             *partial)
{
  constexpr int octets = 2 * column_tiles, values = row_tiles * 2 * ESK_ICA_MOMENTS;
  __shared__ double totals[WARPS][values][32];
  __shared__ uint4 factors[row_tiles * column_tiles * 2][32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first_row = blockIdx.y * (row_tiles * 16);
  float sum[row_tiles][2][ESK_ICA_MOMENTS] = { };
  float4 next[octets];
  Chunks<octets> chunks (call, aligned);
  bool more = chunks.left > 0;

  fill_factors<row_tiles, column_tiles> (call, first_row, 1.0f, factors);
#pragma unroll
  for (int i = 0; i < values; i++)
    totals[warp][i][lane] = 0.0;
  __syncthreads ();

  if (more)
    chunks.load (call, next);
  while (more)
    {
      Split z[octets][2];
      float y[row_tiles][2][4];

      split_chunk<octets> (next, z);
      more = chunks.left > 0;
      if (more)
        chunks.load (call, next);
      project_chunk<row_tiles, column_tiles> (z, factors, y);
#pragma unroll
      for (int r = 0; r < row_tiles; r++)
#pragma unroll
        for (int i = 0; i < 8; i++)
          esk_ica_add_moments<kind> (y[r][i / 4][i % 4], call.slope, sum[r][i % 4 / 2]);

      if (chunks.left % PERIOD == 0)
#pragma unroll
        for (int i = 0; i < values; i++)
          {
            float *of = &sum[i / (2 * ESK_ICA_MOMENTS)][i / ESK_ICA_MOMENTS % 2][i % ESK_ICA_MOMENTS];

            totals[warp][i][lane] += (double) *of;
            *of = 0.0f;
          }
    }
  __syncthreads ();

  /* Lanes 4 g .. 4 g + 3 have other samples of the same row. */
  for (unsigned e = threadIdx.x; e < values * 32; e += THREADS)
    {
      const unsigned value = e / 32, row = first_row + value / (2 * ESK_ICA_MOMENTS) * 16
                                           + value / ESK_ICA_MOMENTS % 2 * 8 + lane / 4;
      double total = 0.0;

      for (unsigned i = 0; i < WARPS; i++)
        total += totals[i][value][lane];
      total += __shfl_xor_sync (0xffffffffu, total, 1);
      total += __shfl_xor_sync (0xffffffffu, total, 2);
      if (lane % 4 == 0 && row < call.rows)
        partial[((size_t) blockIdx.x * call.rows + row) * ESK_ICA_MOMENTS + value % ESK_ICA_MOMENTS] = total;
    }
}

template <EskContrastKind kind, int row_tiles, int column_tiles>
static int
launch (EskStream        *stream,
        const EskIcaCall *call,
        double           *totals)
{
  size_t n_values = (size_t) call->rows * ESK_ICA_MOMENTS;
  size_t n_blocks = (call->n + CHUNK * WARPS - 1) / (CHUNK * WARPS), most;
  unsigned groups = (call->rows + row_tiles * 16 - 1) / (row_tiles * 16);
  bool aligned = (uintptr_t) call->z % 16 == 0 && call->stride % 4 == 0;
  int at_once = 1;
  double *partial;
  auto kernel = tensor_moments<kind, row_tiles, column_tiles>;
  int code = esk_cuda_check (stream, cudaOccupancyMaxActiveBlocksPerMultiprocessor (&at_once, kernel, THREADS, 0),
                             "moments of components");

  if (code != ESK_OK)
    return code;
  most = (size_t) (at_once < 1 ? 1 : at_once) * esk_cuda_properties (stream)->multiprocessors;
  if (n_blocks > most)
    n_blocks = most;
  partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, n_blocks * n_values * sizeof (double));
  if (partial == NULL)
    return ESK_ERROR_MEMORY;
  kernel<<<dim3 ((unsigned) n_blocks, groups), THREADS, 0, stream->stream>>> (*call, aligned, partial);
  code = esk_cuda_launched (stream, "moments of components");

  return code == ESK_OK ? esk_cuda_ica_sum_slots (stream, partial, n_blocks, n_values, totals) : code;
}

template <EskContrastKind kind>
static int
launch_kind (EskStream        *stream,
             const EskIcaCall *call,
             double           *totals)
{
  return call->columns <= 16 ? launch<kind, 1, 1> (stream, call, totals)
         : call->columns <= 32 ? launch<kind, 2, 2> (stream, call, totals)
                               : launch<kind, 1, 4> (stream, call, totals);
}

int
esk_cuda_ica_tensor_moments (EskStream        *stream,
                             const EskIcaCall *call,
                             EskContrastKind   kind,
                             double           *totals)
{
  int code;

  ESK_ICA_BY_KIND (kind, code, launch_kind, stream, call, totals)

  return code;
}
