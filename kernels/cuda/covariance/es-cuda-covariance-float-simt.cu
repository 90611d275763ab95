/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Covariance sums by plain float32 arithmetic: every card has it, and it is what the matrix instructions are compared
 * with. A thread block makes a 64 x 64 block of products of its share of the pixels; 256 threads, 4 x 4 products each,
 * in float32 over 256 pixels and float64 beyond.
 */

#include "es-cuda-covariance-float-private.h"

#define BLOCK ESK_FLOAT_SIMT_BLOCK
#define THREADS 256
#define TILE 32                 /* pixels in shared memory */
#define RUN 256                 /* pixels in float32 */
#define PITCH (BLOCK + 4)

typedef struct {
  float scale, offset;
} Centre;

/* Eight pixels of one band of a tile, as y, zero where they do not count; transposed into `to`. Their sum. */
static __device__ float
load_part (const EskFloatPlanes *planes,
           unsigned              band,
           Centre                centre,
           size_t                pixel,
           float                *to)
{
  float sum = 0.0f;

  for (int k = 0; k < 8; k++)
    {
      size_t p = pixel + k;
      bool counts = band < planes->n_bands && p < planes->n_pixels
                    && (planes->valid == NULL || planes->valid[p] != 0);
      float y = counts ? fmaf (planes->data[band * planes->stride + p], centre.scale, centre.offset) : 0.0f;

      to[k * PITCH] = y;
      sum += y;
    }

  return sum;
}

static __device__ Centre
centre_of (const EskFloatPlanes *planes,
           const EskFloatTables *tables,
           unsigned              band,
           bool                  again)
{
  Centre centre = { 0.0f, 0.0f };

  if (band < planes->n_bands)
    {
      centre.scale = esk_float_scale (esk_float_exponent (tables, band, again));
      centre.offset = -tables->centre[band] * centre.scale;
    }

  return centre;
}

static __global__ void __launch_bounds__ (THREADS)
simt_sums (EskFloatPlanes planes,
           EskFloatPlan   plan,
           EskFloatTables tables,
           bool           again)
{
  __shared__ float rows[TILE][PITCH], columns[TILE][PITCH];
  unsigned task = blockIdx.x % plan.n_tasks, split = blockIdx.x / plan.n_tasks, block_row, block_column;
  unsigned band_of_thread = threadIdx.x / 4, part = threadIdx.x % 4 * 8;
  unsigned y = threadIdx.x / 16 * 4, x = threadIdx.x % 16 * 4;
  size_t n_runs = (planes.n_pixels + RUN - 1) / RUN;
  double total[4][4] = { { 0.0 } }, total_sum = 0.0;

  if (again && *tables.overflow == 0)
    return;
  esk_float_pair (task, &block_row, &block_column);

  unsigned row_band = block_row * BLOCK + band_of_thread, column_band = block_column * BLOCK + band_of_thread;
  Centre row_centre = centre_of (&planes, &tables, row_band, again);
  Centre column_centre = centre_of (&planes, &tables, column_band, again);

  for (size_t run = split; run < n_runs; run += plan.n_splits)
    {
      float product[4][4] = { { 0.0f } }, sum = 0.0f;

      for (int tile = 0; tile < RUN; tile += TILE)
        {
          size_t pixel = run * RUN + tile + part;

          __syncthreads ();
          sum += load_part (&planes, row_band, row_centre, pixel, &rows[part][band_of_thread]);
          load_part (&planes, column_band, column_centre, pixel, &columns[part][band_of_thread]);
          __syncthreads ();
#pragma unroll 8
          for (int p = 0; p < TILE; p++)
            {
              float4 a = *(const float4 *) &rows[p][y], b = *(const float4 *) &columns[p][x];
              const float left[4] = { a.x, a.y, a.z, a.w }, right[4] = { b.x, b.y, b.z, b.w };

#pragma unroll
              for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++)
                  product[i][j] = fmaf (left[i], right[j], product[i][j]);
            }
        }
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
          total[i][j] += (double) product[i][j];
      total_sum += (double) sum;
    }

  double *out = tables.partial + ((size_t) task * plan.n_slots + split) * plan.n_elements;

  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      out[(y + i) * BLOCK + x + j] = total[i][j];
  if (block_row == block_column)
    {
      total_sum += __shfl_xor_sync (0xffffffffu, total_sum, 1);
      total_sum += __shfl_xor_sync (0xffffffffu, total_sum, 2);
      if (threadIdx.x % 4 == 0)
        tables.partial_sum[(size_t) split * plan.sum_stride + row_band] = total_sum;
    }
}

void
esk_float_plan_simt (const EskCudaProperties *properties,
                     size_t                   n_pixels,
                     unsigned                 n_bands,
                     EskFloatPlan            *plan)
{
  unsigned n_blocks = (n_bands + BLOCK - 1) / BLOCK;
  unsigned n_tasks = n_blocks * (n_blocks + 1) / 2;
  size_t n_runs = (n_pixels + RUN - 1) / RUN;
  size_t splits = ((size_t) properties->multiprocessors * 8 + n_tasks - 1) / n_tasks;

  if (splits > (n_runs + 3) / 4)
    splits = (n_runs + 3) / 4;
  plan->engine = ESK_FLOAT_SIMT;
  plan->n_blocks = n_blocks;
  plan->n_groups = 1;
  plan->n_columns = 0;
  plan->n_tasks = n_tasks;
  plan->n_splits = plan->n_slots = splits > 0 ? (unsigned) splits : 1;
  plan->n_elements = BLOCK * BLOCK;
  plan->sum_stride = n_blocks * BLOCK;
}

int
esk_float_simt (EskStream            *stream,
                const EskFloatPlanes *planes,
                const EskFloatPlan   *plan,
                const EskFloatTables *tables,
                bool                  again)
{
  simt_sums<<<plan->n_tasks * plan->n_splits, THREADS, 0, stream->stream>>> (*planes, *plan, *tables, again);

  return esk_cuda_launched (stream, "covariance sums");
}
