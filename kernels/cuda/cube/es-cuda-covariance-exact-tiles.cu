/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Exact covariance, any number of bands, in tasks of one warp and blocks of eight (es-cuda-covariance-exact-kinds.cu).
 * The slabs that a block needs are brought once through a pipeline in shared memory.
 *
 * 8 bits: 64 x 64 products a warp. 16 bits: value = 256 high + low, three sums of products of bytes a tile (high x
 * high, high x low and low x high, low x low), and 7 tiles of 16 x 16 a warp, which is what the registers of a
 * multiprocessor hold: 224 bands are 15 tasks, two blocks' work. Blocks of the same pixels run side by side, so that
 * the second reads them from the level 2 cache.
 */

#include "es-cuda-covariance-exact.cuh"

#include <stdlib.h>

#define SLAB_BYTES (16 * ESK_EXACT_ROW)
/* Of shared memory that is not the pipeline's, and some more. */
#define STATIC_BYTES (sizeof (EskExactKind) + ESK_EXACT_SLOTS * 16 * sizeof (uint64_t) + 256)

template <typename Sample> struct ByteOf;
template <> struct ByteOf<uint8_t> { typedef uint8_t Type; };
template <> struct ByteOf<int8_t> { typedef int8_t Type; };
template <> struct ByteOf<uint16_t> { typedef uint8_t Type; };
template <> struct ByteOf<int16_t> { typedef int8_t Type; };

#if !defined (__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

/* Two 16-bit numbers of x by the two low bytes of v, added up. */
template <typename Byte>
__device__ __forceinline__ int
sum_shorts (uint32_t x, uint32_t v, int total)
{
  if ((Byte) -1 < 0)
    return __dp2a_lo ((int) x, (int) v, total);
  return (int) __dp2a_lo (x, v, (uint32_t) total);
}

template <typename Byte>
__device__ __forceinline__ void
add_sums (const EskExactTotals &totals,
          unsigned              n_bands,
          unsigned              slab,
          int                 (&sum)[2])
{
  const unsigned band = slab * 16 + threadIdx.x % 32 / 4;

  exact_add_sum (totals, n_bands, band, exact_widen<Byte> (sum[0]));
  exact_add_sum (totals, n_bands, band + 8, exact_widen<Byte> (sum[1]));
  sum[0] = sum[1] = 0;
}

/* A warp's square of 8-bit samples. */
template <typename Byte>
struct Square {
  enum { N = 4, LIMIT = ESK_EXACT_PIXELS_8 / ESK_EXACT_ROW };

  int left[N][N][4], right[N][N][4], sum[N][2];
  unsigned row, column, count;
  bool sums;

  __device__ __forceinline__ void
  start (const EskExactTask &task)
  {
    row = task.row[0];
    column = task.column[0];
    sums = task.sums != 0;
    count = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
      {
        sum[i][0] = sum[i][1] = 0;
#pragma unroll
        for (int j = 0; j < N; j++)
#pragma unroll
          for (int e = 0; e < 4; e++)
            left[i][j][e] = right[i][j][e] = 0;
      }
  }

  template <bool SUMS>
  __device__ __forceinline__ void
  multiply_square (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
#pragma unroll 2
    for (int k = 0; k < 4; k++)
      {
        const uint32_t v[2] = { exact_mask_word (mask + k * 32), exact_mask_word (mask + k * 32 + 16) };
        const uint32_t keep[2] = { v[0] * 255, v[1] * 255 };
        uint32_t a[2][4], b[N][4];

        if (SUMS)
          count = __dp4a (v[0], ESK_EXACT_ONES, __dp4a (v[1], ESK_EXACT_ONES, count));
        exact_load_matrices (a[0], exact_slab_address (stage, row, slab_lane, k));
#pragma unroll
        for (int j = 0; j < N; j++)
          exact_load_matrices (b[j], exact_slab_address (stage, column + j, slab_lane, k));
#pragma unroll
        for (int i = 0; i < N; i++)
          {
            const uint32_t *x = a[i % 2];

            /* The next row is on its way while this one is multiplied. */
            if (i + 1 < N)
              exact_load_matrices (a[1 - i % 2], exact_slab_address (stage, row + i + 1, slab_lane, k));
            if (SUMS)
              {
                sum[i][0] = exact_sum_bytes<Byte> (x[1], v[1], exact_sum_bytes<Byte> (x[0], v[0], sum[i][0]));
                sum[i][1] = exact_sum_bytes<Byte> (x[3], v[1], exact_sum_bytes<Byte> (x[2], v[0], sum[i][1]));
              }
#pragma unroll
            for (int j = 0; j < N; j++)
              {
                exact_mma<Byte, Byte> (left[i][j], x[0] & keep[0], x[2] & keep[0], x[1] & keep[1], x[3] & keep[1],
                                       b[j][0], b[j][1]);
                exact_mma<Byte, Byte> (right[i][j], x[0] & keep[0], x[2] & keep[0], x[1] & keep[1], x[3] & keep[1],
                                       b[j][2], b[j][3]);
              }
          }
      }
  }

  __device__ __forceinline__ void
  multiply (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
    if (sums)
      multiply_square<true> (stage, mask, slab_lane);
    else
      multiply_square<false> (stage, mask, slab_lane);
  }

  __device__ __forceinline__ void
  flush (const EskExactTotals &totals, unsigned n_bands, const uint16_t *slab, bool masked)
  {
    const unsigned lane = threadIdx.x % 32, r = slab[row], c = slab[column];

#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
      for (int j = 0; j < N; j++)
        {
          const unsigned band = (r + i) * 16 + lane / 4, other = (c + j) * 16 + lane % 4 * 2;

#pragma unroll
          for (int h = 0; h < 2; h++)
            exact_add_row<true> (totals, n_bands, band + 8 * h, other, exact_widen<Byte> (left[i][j][2 * h]),
                                 exact_widen<Byte> (left[i][j][2 * h + 1]), exact_widen<Byte> (right[i][j][2 * h]),
                                 exact_widen<Byte> (right[i][j][2 * h + 1]));
#pragma unroll
          for (int e = 0; e < 4; e++)
            left[i][j][e] = right[i][j][e] = 0;
        }
    if (sums)
      {
#pragma unroll
        for (int i = 0; i < N; i++)
          add_sums<Byte> (totals, n_bands, r + i, sum[i]);
        count += __shfl_xor_sync (0xffffffff, count, 1);
        count += __shfl_xor_sync (0xffffffff, count, 2);
        if (masked && r == 0 && lane == 0)
          atomicAdd (totals.count, (unsigned long long) count);
        count = 0;
      }
  }
};

/* 32 pixels of a slab of 16-bit samples: high and low bytes of rows 0-7 and 8-15, pixels 0-15 and 16-31. */
struct Split {
  uint32_t high[2][2], low[2][2];

  __device__ __forceinline__ void
  take (const uint32_t (&x)[2][4])
  {
#pragma unroll
    for (int h = 0; h < 2; h++)
#pragma unroll
      for (int p = 0; p < 2; p++)
        {
          high[h][p] = __byte_perm (x[p][2 * h], x[p][2 * h + 1], 0x7531);
          low[h][p] = __byte_perm (x[p][2 * h], x[p][2 * h + 1], 0x6420);
        }
  }
};

template <typename Left, typename Right>
__device__ __forceinline__ void
multiply_split (int (&d)[4],
                const uint32_t (&a)[2][2],
                const uint32_t (&b)[2])
{
  exact_mma<Left, Right> (d, a[0][0], a[1][0], a[0][1], a[1][1], b[0], b[1]);
}

/* A warp's strip of 16-bit samples. */
template <typename Byte>
struct Strip {
  enum { N = ESK_EXACT_STRIP, LIMIT = ESK_EXACT_PIXELS_16 / (ESK_EXACT_ROW / 2) };

  int high[N][2][4], cross[N][2][4], low[N][2][4], sum[2][2];
  unsigned n_tiles, first, sums, count;
  uint32_t row[2], columns[2];         /* slots, the columns' a byte each */

  __device__ __forceinline__ void
  start (const EskExactTask &task)
  {
    n_tiles = task.n_tiles;
    first = task.first;
    sums = task.sums;
    row[0] = task.row[0];
    row[1] = task.row[1];
    columns[0] = columns[1] = 0;
#pragma unroll
    for (int j = 0; j < N; j++)
      columns[j / 4] |= (uint32_t) task.column[j] << (j % 4 * 8);
    count = 0;
    sum[0][0] = sum[0][1] = sum[1][0] = sum[1][1] = 0;
#pragma unroll
    for (int j = 0; j < N; j++)
#pragma unroll
      for (int h = 0; h < 2; h++)
#pragma unroll
        for (int e = 0; e < 4; e++)
          high[j][h][e] = cross[j][h][e] = low[j][h][e] = 0;
  }

  __device__ __forceinline__ uint32_t
  column (int j) const
  {
    return columns[j / 4] >> (j % 4 * 8) & 255;
  }

  static __device__ __forceinline__ void
  load (uint32_t (&x)[2][4], uint32_t stage, uint32_t slot, uint32_t slab_lane, int k)
  {
    exact_load_matrices (x[0], exact_slab_address (stage, slot, slab_lane, 2 * k));
    exact_load_matrices (x[1], exact_slab_address (stage, slot, slab_lane, 2 * k + 1));
  }

  /* A slab as left operand, and its bands' sums. v: the mask of the pixels that a lane has. */
  __device__ __forceinline__ void
  take_row (Split &a, const uint32_t (&y)[2][4], const uint32_t (&v)[2][2], int (&total)[2])
  {
#pragma unroll
    for (int p = 0; p < 2; p++)
      {
        const uint32_t bits = (v[p][0] | v[p][1] << 16) * 255;

#pragma unroll
        for (int h = 0; h < 2; h++)
          {
            a.high[h][p] = __byte_perm (y[p][2 * h], y[p][2 * h + 1], 0x7531) & bits;
            a.low[h][p] = __byte_perm (y[p][2 * h], y[p][2 * h + 1], 0x6420) & bits;
            total[h] = sum_shorts<Byte> (y[p][2 * h], v[p][0], total[h]);
            total[h] = sum_shorts<Byte> (y[p][2 * h + 1], v[p][1], total[h]);
          }
      }
  }

  /* TILES of the strip, FIRST of the first row. No branches: tensor cores would have to come to rest at each. Tiles
   * that the strip does not have are multiplied in vain. */
  template <int TILES, int FIRST>
  __device__ __forceinline__ void
  multiply_tiles (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
    uint32_t x[2][4], y[2][4];

    load (y, stage, row[0], slab_lane, 0);
    load (x, stage, column (0), slab_lane, 0);
#pragma unroll
    for (int k = 0; k < 2; k++)
      {
        const uint32_t at = mask + k * 32;
        const uint32_t v[2][2] = {
          { exact_mask_half (at), exact_mask_half (at + 8) }, { exact_mask_half (at + 16), exact_mask_half (at + 24) }
        };
        Split a;

        count = __dp4a (v[0][0] | v[0][1] << 16, ESK_EXACT_ONES, count);
        count = __dp4a (v[1][0] | v[1][1] << 16, ESK_EXACT_ONES, count);
#pragma unroll
        for (int j = 0; j < TILES; j++)
          {
            const int next = j + 1 < TILES ? j + 1 : 0, next_k = j + 1 < TILES ? k : k + 1;
            Split b;

            if (j == 0 || j == FIRST)
              take_row (a, y, v, sum[j == 0 ? 0 : 1]);
            b.take (x);
            /* The next tile's are on their way while this one is multiplied. */
            if (next_k < 2)
              {
                if (next == 0 || next == FIRST)
                  load (y, stage, row[next == 0 ? 0 : 1], slab_lane, next_k);
                load (x, stage, column (next), slab_lane, next_k);
              }
#pragma unroll
            for (int h = 0; h < 2; h++)
              {
                multiply_split<Byte, Byte> (high[j][h], a.high, b.high[h]);
                multiply_split<uint8_t, uint8_t> (low[j][h], a.low, b.low[h]);
                multiply_split<Byte, uint8_t> (cross[j][h], a.high, b.low[h]);
              }
#pragma unroll
            for (int h = 0; h < 2; h++)
              multiply_split<uint8_t, Byte> (cross[j][h], a.low, b.high[h]);
          }
      }
  }

  /* Two rows in a strip have 7 tiles together, the first row the longer part. */
  __device__ __forceinline__ void
  multiply (uint32_t stage, uint32_t mask, uint32_t slab_lane)
  {
    if (n_tiles <= 2)
      multiply_tiles<2, 2> (stage, mask, slab_lane);
    else if (first == n_tiles)
      multiply_tiles<N, N> (stage, mask, slab_lane);
    else if (first == 6)
      multiply_tiles<N, 6> (stage, mask, slab_lane);
    else if (first == 5)
      multiply_tiles<N, 5> (stage, mask, slab_lane);
    else
      multiply_tiles<N, 4> (stage, mask, slab_lane);
  }

  __device__ __forceinline__ int64_t
  value (int j, int h, int e) const
  {
    return exact_widen<Byte> (high[j][h][e]) * 65536 + exact_widen<Byte> (cross[j][h][e]) * 256
           + exact_widen<uint8_t> (low[j][h][e]);
  }

  __device__ __forceinline__ void
  flush (const EskExactTotals &totals, unsigned n_bands, const uint16_t *slab, bool masked)
  {
    const unsigned lane = threadIdx.x % 32;

#pragma unroll
    for (int j = 0; j < N; j++)
      if (j < n_tiles)
        {
          const unsigned band = slab[j < first ? row[0] : row[1]] * 16 + lane / 4;
          const unsigned other = slab[column (j)] * 16 + lane % 4 * 2;

#pragma unroll
          for (int h = 0; h < 2; h++)
            exact_add_row<true> (totals, n_bands, band + 8 * h, other, value (j, 0, 2 * h), value (j, 0, 2 * h + 1),
                                 value (j, 1, 2 * h), value (j, 1, 2 * h + 1));
#pragma unroll
          for (int h = 0; h < 2; h++)
#pragma unroll
            for (int e = 0; e < 4; e++)
              high[j][h][e] = cross[j][h][e] = low[j][h][e] = 0;
        }
    if (sums != 0)
      {
        add_sums<Byte> (totals, n_bands, slab[row[0]], sum[0]);
        if ((sums & 2) != 0)
          add_sums<Byte> (totals, n_bands, slab[row[1]], sum[1]);
        count += __shfl_xor_sync (0xffffffff, count, 1);
        count += __shfl_xor_sync (0xffffffff, count, 2);
        if (masked && lane == 0 && (slab[row[0]] == 0 || ((sums & 2) != 0 && slab[row[1]] == 0)))
          atomicAdd (totals.count, (unsigned long long) count);
      }
    count = 0;
    sum[0][0] = sum[0][1] = sum[1][0] = sum[1][1] = 0;
  }
};

#define NO_BAND (~(uint64_t) 0)

/* What a thread loads of a stage: eight threads a row, half of them all a slab. offset: of each row of the slots. Rows
 * of bands that do not exist keep what was there: nothing of them reaches the totals. */
__device__ __forceinline__ void
load_share (const EskExactRun &run,
            const uint64_t    *offset,
            unsigned           n_slots,
            unsigned           stage,
            uint32_t           to)
{
  const unsigned row = threadIdx.x % 128 / 8, vector = threadIdx.x % 8;
  const size_t at = (size_t) stage * ESK_EXACT_ROW + vector * 16;
  const int n_bytes = exact_bytes_left (run.row_bytes, at);
  const char *from = run.data + at;

  to += exact_place (row, vector);
  if (stage < run.row_bytes / ESK_EXACT_ROW)
    {
#pragma unroll 4
      for (unsigned slot = threadIdx.x / 128; slot < n_slots; slot += ESK_EXACT_THREADS / 128)
        {
          const uint64_t band = offset[slot * 16 + row];

          if (band != NO_BAND)
            exact_copy_async (to + slot * SLAB_BYTES, from + band);
        }
    }
  else
    {
#pragma unroll 1
      for (unsigned slot = threadIdx.x / 128; slot < n_slots; slot += ESK_EXACT_THREADS / 128)
        {
          const uint64_t band = offset[slot * 16 + row];

          if (band != NO_BAND)
            exact_copy_async (to + slot * SLAB_BYTES, n_bytes > 0 ? from + band : run.data, n_bytes);
        }
    }
}

template <typename Byte, int BYTES> struct WorkOf;
template <typename Byte> struct WorkOf<Byte, 1> { typedef Square<Byte> Type; };
template <typename Byte> struct WorkOf<Byte, 2> { typedef Strip<Byte> Type; };

#endif

template <typename Sample>
__global__ void
__launch_bounds__ (ESK_EXACT_THREADS, 1)
exact_tiles (EskExactRun         run,
             EskExactPlan        plan,
             const EskExactKind *kinds,
             EskExactTotals      totals)
{
#if __CUDA_ARCH__ >= 800
  typedef typename WorkOf<typename ByteOf<Sample>::Type, sizeof (Sample)>::Type Work;
  extern __shared__ __align__ (128) char shared[];
  __shared__ EskExactKind kind;
  __shared__ uint64_t offset[ESK_EXACT_SLOTS * 16];
  const uint32_t mask_place = plan.stage_bytes - ESK_EXACT_ROW;
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned n_items = plan.n_slices * plan.n_kinds;
  ExactRing ring;

  ring.start (plan, (uint32_t) __cvta_generic_to_shared (shared));
  if (run.valid == NULL)
    exact_set_masks (ring.base + mask_place, plan.stage_bytes, plan.n_pipeline);

  for (unsigned item = blockIdx.x; item < n_items; item += gridDim.x)
    {
      ExactStages stages;
      const unsigned n_stages = stages.start (run, plan, item / plan.n_kinds);

      __syncthreads ();
      for (unsigned w = threadIdx.x; w < sizeof kind / 2; w += ESK_EXACT_THREADS)
        ((uint16_t *) &kind)[w] = ((const uint16_t *) (kinds + item % plan.n_kinds))[w];
      __syncthreads ();
      for (unsigned r = threadIdx.x; r < kind.n_slots * 16; r += ESK_EXACT_THREADS)
        {
          const unsigned band = kind.slab[r / 16] * 16 + r % 16;

          offset[r] = band < run.n_bands ? band * run.band_bytes : NO_BAND;
        }
      __syncthreads ();

      auto fill = [&] (void)
      {
        if (stages.next < stages.end)
          ring.fill ([&] (uint32_t to)
                     {
                       load_share (run, offset, kind.n_slots, stages.next, to);
                       exact_load_mask (run, sizeof (Sample), stages.next, to + mask_place);
                     });
        stages.advance ();
      };

      for (unsigned s = 0; s < ring.ahead (1); s++)
        fill ();
      if (warp < kind.n_tasks)
        {
          const uint32_t slab_lane = exact_slab_lane (lane), mask_lane = mask_place + lane % 4 * (4 / sizeof (Sample));
          unsigned since = 0;
          Work work;

          work.start (kind.task[warp]);
#pragma unroll 1
          for (unsigned s = 0; s < n_stages; s++)
            {
              uint32_t stage;

              fill ();
              stage = ring.wait ();
              work.multiply (stage, stage + mask_lane, slab_lane);
              ring.release ();
              if (++since == Work::LIMIT || s + 1 == n_stages)
                {
                  work.flush (totals, exact_here (run.n_bands), kind.slab, run.valid != NULL);
                  since = 0;
                }
            }
        }
      else
        for (unsigned s = 0; s < n_stages; s++)
          {
            fill ();
            ring.wait ();
            ring.release ();
          }
    }
  if (run.valid == NULL && blockIdx.x == 0 && threadIdx.x == 0)
    atomicAdd (totals.count, (unsigned long long) (run.row_bytes / sizeof (Sample)));
#endif
}

template <typename Sample>
static int
launch_tiles (EskStream         *stream,
              const EskExactRun *run,
              EskExactTotals     totals)
{
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  const bool wide = sizeof (Sample) == 2;
  const size_t shared = properties->shared_optin - STATIC_BYTES;
  unsigned most_slots = (unsigned) (shared / 2 / SLAB_BYTES) - 1;
  EskExactPlan plan = { 0, 1, 0, 0, 0, 0, 0 };
  EskExactKind *kinds, *table;
  int code;

  kinds = (EskExactKind *) calloc (esk_cuda_exact_most_kinds (run->n_bands, wide), sizeof *kinds);
  if (kinds == NULL)
    return ESK_ERROR_MEMORY;
  plan.n_kinds = esk_cuda_exact_pack (kinds, run->n_bands, wide,
                                      most_slots < ESK_EXACT_SLOTS ? most_slots : ESK_EXACT_SLOTS);
  most_slots = 0;
  for (unsigned k = 0; k < plan.n_kinds; k++)
    most_slots = kinds[k].n_slots > most_slots ? kinds[k].n_slots : most_slots;

  table = (EskExactKind *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, plan.n_kinds * sizeof *kinds);
  code = table == NULL ? ESK_ERROR_MEMORY : esk_cuda_upload_table (stream, table, kinds, plan.n_kinds * sizeof *kinds);
  free (kinds);
  if (code != ESK_OK)
    return code;

  if (!esk_cuda_exact_pipeline (&plan, most_slots * 16, shared))
    return esk_cuda_check (stream, cudaErrorInvalidConfiguration, "covariance");
  plan.n_blocks = (unsigned) properties->multiprocessors;
  plan.n_slices = esk_cuda_exact_slices (run->n_stages, plan.n_kinds, plan.n_blocks, 8);
  if ((uint64_t) plan.n_slices * plan.n_kinds < plan.n_blocks)
    plan.n_blocks = plan.n_slices * plan.n_kinds;

  code = esk_cuda_check (stream, cudaFuncSetAttribute (exact_tiles<Sample>,
                                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int) plan.shared_bytes), "covariance");
  if (code != ESK_OK)
    return code;
  exact_tiles<Sample><<<plan.n_blocks, ESK_EXACT_THREADS, plan.shared_bytes, stream->stream>>>
    (*run, plan, table, totals);

  return esk_cuda_launched (stream, "covariance");
}

int
esk_cuda_exact_tiles (EskStream         *stream,
                      const EskExactRun *run,
                      EskType            type,
                      EskExactTotals     totals)
{
  switch (type)
    {
    case ESK_U8: return launch_tiles<uint8_t> (stream, run, totals);
    case ESK_I8: return launch_tiles<int8_t> (stream, run, totals);
    case ESK_U16: return launch_tiles<uint16_t> (stream, run, totals);
    case ESK_I16: return launch_tiles<int16_t> (stream, run, totals);
    default: return ESK_ERROR_ARGUMENT;
    }
}
