/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Covariance sums by matrix instructions. A scaled sample y is split into two half precision numbers, y = h + l with
 * 11 significant bits each, and y_i y_j is taken as h_i h_j + h_i l_j + l_i h_j; what is left out, l_i l_j, is below
 * 2^-22 of the product. Products of halves are exact. The instructions add in float32 but cut off instead of rounding,
 * and sums of squares come out too small: a sum is therefore started anew every 32 pixels, the small products first,
 * and added, with rounding, to one in registers; this goes to float64 in memory after 2048 pixels (512 take a quarter
 * longer: additions in memory; and are not more accurate). What is left of the cutting off makes variances too small by
 * 1.3e-7 of themselves (Hopper).
 *
 * A thread block (8 warps) converts 32 pixels of its bands, 128 bytes a band, into shared memory: 64 bytes of h, 64 of
 * l, in units of 16 bytes that are swapped about by the band's number so that nothing meets in a bank. A warp
 * multiplies 32 bands with up to 4 x 32 others. Up to 224 bands are in one thread block: of the 7 blocks of 32, each
 * with itself and the next three round the circle, so that every pair comes once and warps have the same to do. Up to
 * 96 bands leave room for several runs of pixels beside each other. More than 224 are taken in pairs of blocks of 128.
 *
 * Operand layouts: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type"; the cut-off and the remedy:
 * Ootomo and Yokota, "Recovering single precision accuracy from Tensor Cores while surpassing the FP32 theoretical peak
 * performance", 2022.
 */

#include "es-cuda-covariance-float-private.h"

#include <cuda_fp16.h>

#define THREADS 256
#define BLOCK_BANDS 32
#define STAGE 32                /* pixels in shared memory */
#define CHUNK_STAGES 4          /* stages of neighbouring pixels, 512 bytes a band */
#define CHUNK (STAGE * CHUNK_STAGES)
#define PERIOD 64               /* stages between two additions to float64 */
#define ROW_BYTES 128
#define BLOCK_BYTES (BLOCK_BANDS * ROW_BYTES)
#define LOW_HALVES 64           /* address of l: that of h with this bit flipped */

#include "es-cuda-covariance-float-steps.cuh"

/* What is in shared memory behind the two buffers of operands; in bytes from its beginning. */
template <Kind kind>
struct Layout {
  static const unsigned buffer = Shape<kind>::loads * BLOCK_BYTES;
  static const unsigned staged = 2 * buffer;                              /* samples as they are, a thread's own */
  static const unsigned centres = staged + Shape<kind>::loads * THREADS * 16;
  static const unsigned valid = centres + Shape<kind>::loads * BLOCK_BANDS * sizeof (Centre);
  static const unsigned end = valid + 2 * Shape<kind>::words * STAGE;
};

template <Kind kind>
static __global__ void __launch_bounds__ (THREADS, 1)
tensor_sums (EskFloatPlanes planes,
             EskFloatPlan   plan,
             EskFloatTables tables,
             bool           again)
{
  const int loads = Shape<kind>::loads, steps = Shape<kind>::steps, words = Shape<kind>::words;
  extern __shared__ __align__ (128) unsigned char shared[];
  Centre *centres = (Centre *) (shared + Layout<kind>::centres);
  unsigned warp = __shfl_sync (0xffffffffu, threadIdx.x / 32, 0), lane = threadIdx.x % 32;
  unsigned task = blockIdx.x % plan.n_tasks, split = blockIdx.x / plan.n_tasks;
  unsigned block_row = 0, block_column = 0;

  if (again && *tables.overflow == 0)
    return;
  if (kind == PAIRS)
    esk_float_pair (task, &block_row, &block_column);

  const bool diagonal = block_row == block_column;
  const unsigned n_used = kind == PAIRS ? (diagonal ? 4 : 8) : plan.n_blocks * plan.n_groups;
  const Work work = work_of_warp<kind> (&plan, &tables, warp, task, split, diagonal);

  /* First band of a block in shared memory, and the run of pixels that it is of. */
  auto band_of = [&] (unsigned block) -> unsigned
    {
      if (kind == PAIRS)
        return (block < 4 ? block_row : block_column) * ESK_FLOAT_PAIR_BLOCK + block % 4 * BLOCK_BANDS;
      return (kind == GROUPED ? block % plan.n_blocks : block) * BLOCK_BANDS;
    };
  auto group_of = [&] (unsigned block) -> unsigned { return kind == GROUPED ? block / plan.n_blocks : 0; };

  for (unsigned i = threadIdx.x; i < loads * BLOCK_BANDS; i += THREADS)
    {
      unsigned band = band_of (i / BLOCK_BANDS) + i % BLOCK_BANDS;
      Centre centre = { 0.0f, 0.0f };

      if (i / BLOCK_BANDS < n_used && band < planes.n_bands)
        {
          centre.scale = esk_float_scale (esk_float_exponent (&tables, band, again));
          centre.offset = -tables.centre[band] * centre.scale;
        }
      centres[i] = centre;
    }

  /* A thread converts four pixels of one band of each block. Sixteen lanes that store together have bands 4 apart. */
  const unsigned address = (unsigned) __cvta_generic_to_shared (shared);
  const unsigned quad = lane % 8, turn = lane / 8;
  const unsigned own_band = warp / 2 * 8 + warp % 2 * 2 + turn / 2 + turn % 2 * 4;
  const unsigned store_at = own_band * ROW_BYTES + (((quad / 2) ^ (own_band % 8)) * 16) + quad % 2 * 8;
  const unsigned staged_at = Layout<kind>::staged + threadIdx.x * 16;
  const unsigned n_groups = kind == GROUPED ? plan.n_groups : 1;
  const size_t chunk_step = (size_t) plan.n_splits * n_groups * CHUNK;
  const size_t n_chunks = (planes.n_pixels + (size_t) CHUNK * n_groups - 1) / ((size_t) CHUNK * n_groups);
  const unsigned n_stages = (unsigned) ((n_chunks - split + plan.n_splits - 1) / plan.n_splits) * CHUNK_STAGES;
  float sums[loads] = { 0.0f };

  auto pixel_of = [&] (unsigned stage, unsigned block) -> size_t
    {
      return ((size_t) split * n_groups + group_of (block)) * CHUNK + stage / CHUNK_STAGES * chunk_step
             + stage % CHUNK_STAGES * STAGE + quad * 4;
    };
  /* Bits of the blocks that have this thread's band. Others are zero. */
  unsigned present = 0;

  for (unsigned block = 0; block < n_used; block++)
    if (band_of (block) + own_band < planes.n_bands)
      present |= 1u << block;

  /* Where the next copy comes from: it moves from block to block. */
  const size_t block_step = (size_t) BLOCK_BANDS * planes.stride;
  const size_t pair_step = kind == PAIRS ? (size_t) (block_row - block_column) * 4 * block_step : 0;
  size_t pixel = pixel_of (0, 0);
  const float *source = planes.data + (size_t) (band_of (0) + own_band) * planes.stride + pixel;
  unsigned there = pixel < planes.n_pixels ? present : 0, there_before = 0;

  /* From the stage of that number to the next. */
  auto advance = [&] (unsigned stage)
    {
      size_t distance = stage % CHUNK_STAGES == CHUNK_STAGES - 1 ? chunk_step - CHUNK + STAGE : STAGE;

      pixel += distance;
      source = source + distance - loads * block_step + (kind == PAIRS ? 4 * block_step + pair_step : 0);
      there_before = there;
      there = pixel < planes.n_pixels ? present : 0;
    };
  /* One group of copies, of the stage aimed at. */
  auto copy = [&] (unsigned block, unsigned stage)
    {
      const float *from = source;
      bool copies = (there >> block & 1) != 0;

      /* A pair's second four blocks are before its first. */
      source = source + block_step - (kind == PAIRS && block == 3 ? 4 * block_step + pair_step : 0);
      if (kind == GROUPED)
        {
          size_t at = pixel_of (stage, block);

          copies = at < planes.n_pixels && (present >> block & 1) != 0;
          from = planes.data + (copies ? (size_t) (band_of (block) + own_band) * planes.stride + at : 0);
        }
      if (kind != PAIRS || block < n_used)
        copy_quad (address + staged_at + block * THREADS * 16, from, copies ? 16 : 0);
      if (block == 0 && planes.valid != NULL && threadIdx.x < words * 8)
        {
          size_t at = pixel_of (stage, threadIdx.x / 8);

          copy_word (address + Layout<kind>::valid + stage % 2 * words * STAGE + threadIdx.x * 4,
                     planes.valid + (at < planes.n_pixels ? at : 0), at < planes.n_pixels ? 4 : 0);
        }
      close_copies ();
    };
  /* Which of four pixels count, a byte each: of the stage before the one that is copied. */
  auto marks_of = [&] (unsigned block, unsigned stage) -> unsigned
    {
      bool counts = words > 1 ? pixel_of (stage, block) < planes.n_pixels : there_before != 0;

      return !counts ? 0u
             : planes.valid == NULL ? 0x01010101u
             : *(const unsigned *) (shared + Layout<kind>::valid
                                    + (stage % 2 * words + (words > 1 ? block : 0)) * STAGE + quad * 4);
    };

  /* Conversion of the thread's samples of a block, in five parts. */
  float4 y;
  Centre centre;
  __half2 high[2], low[2];
  unsigned marks = 0;
  auto convert = [&] (int part, unsigned block, unsigned stage)
    {
      if (part == 0)
        {
          wait_for_copies<loads - 1> ();
          y = *(const float4 *) (shared + staged_at + block * THREADS * 16);
          centre = centres[block * BLOCK_BANDS + own_band];
          if (words > 1)
            marks = marks_of (block, stage);
        }
      else if (part == 1)
        {
          y.x = marks & 0xffu ? fmaf (y.x, centre.scale, centre.offset) : 0.0f;
          y.y = marks & 0xff00u ? fmaf (y.y, centre.scale, centre.offset) : 0.0f;
          y.z = marks & 0xff0000u ? fmaf (y.z, centre.scale, centre.offset) : 0.0f;
          y.w = marks & 0xff000000u ? fmaf (y.w, centre.scale, centre.offset) : 0.0f;
        }
      else if (part == 2)
        {
          high[0] = __floats2half2_rn (y.x, y.y);
          high[1] = __floats2half2_rn (y.z, y.w);
          sums[block] += (y.x + y.y) + (y.z + y.w);
        }
      else if (part == 3)
        {
          float2 a = __half22float2 (high[0]), b = __half22float2 (high[1]);

          low[0] = __floats2half2_rn (y.x - a.x, y.y - a.y);
          low[1] = __floats2half2_rn (y.z - b.x, y.w - b.y);
        }
      else
        {
          unsigned char *to = shared + stage % 2 * Layout<kind>::buffer + block * BLOCK_BYTES;

          *(uint2 *) (to + store_at) = *(const uint2 *) high;
          *(uint2 *) (to + (store_at ^ LOW_HALVES)) = *(const uint2 *) low;
          copy (block, stage + 1);
        }
    };
  auto convert_block = [&] (unsigned block, unsigned stage)
    {
#pragma unroll
      for (int part = 0; part < 5; part++)
        convert (part, block, stage);
    };
  auto flush_sums = [&] (bool first)
    {
#pragma unroll
      for (int block = 0; block < loads; block++)
        {
          double *to = tables.partial_sum + ((size_t) split * n_groups + group_of (block)) * plan.sum_stride
                       + band_of (block) + own_band;
          float sum = sums[block];

          sum += __shfl_xor_sync (0xffffffffu, sum, 1);
          sum += __shfl_xor_sync (0xffffffffu, sum, 2);
          sum += __shfl_xor_sync (0xffffffffu, sum, 4);
          if (quad == 0 && diagonal && block < n_used && first)
            *to = (double) sum;
          else if (quad == 0 && diagonal && block < n_used)
            add_to (to, (double) sum);
          sums[block] = 0.0f;
        }
    };

#pragma unroll
  for (int block = 0; block < loads; block++)
    copy (block, 0);
  wait_for_copies<0> ();
  __syncthreads ();
  advance (0);
  marks = marks_of (0, 0);
#pragma unroll
  for (int block = 0; block < loads; block++)
    convert_block (block, 0);
  wait_for_copies<loads - 1> ();
  __syncthreads ();

  const unsigned r = lane % 8, matrix = lane / 8;
  const unsigned a_at = address + work.row * BLOCK_BYTES + (r + matrix % 2 * 8) * ROW_BYTES + ((matrix / 2) ^ r) * 16;
  const unsigned b_at = address + work.base * BLOCK_BYTES + r * ROW_BYTES + (matrix ^ r) * 16;
  float total[steps][2][4];

#pragma unroll
  for (int step = 0; step < steps; step++)
#pragma unroll
    for (int i = 0; i < 8; i++)
      total[step][i / 4][i % 4] = 0.0f;

  /* Between the instructions of a step: what was copied while the last stage was worked on becomes operands of the next
   * one, and its place is filled again. A block takes two steps of sixteen or one of eight. */
  auto convert_between = [&] (int step, int turn, unsigned stage)
    {
      const int block = steps == 8 ? step : step / 2;

      if (block >= loads)
        return;
      if (steps == 8 || step % 2 == 1)
        convert (turn + 1, block, stage + 1);
      else if (turn == 3)
        convert (0, block, stage + 1);
    };

  for (unsigned stage = 0; stage < n_stages; stage++)
    {
      unsigned turn_to_add = (stage + warp / 4 * (PERIOD / 2)) % PERIOD;
      const unsigned buffer_at = stage % 2 * Layout<kind>::buffer;

      advance (stage + 1);
      if (words == 1)
        marks = marks_of (0, stage + 1);
      if (work.n_columns == Shape<kind>::columns)
        {
          Rows rows = load_rows (a_at + buffer_at);
          Columns columns[2];
          float sum[2][2][4];
          unsigned high_at = 0, low_at = 0;

#pragma unroll
          for (int step = 0; step <= steps; step++)
            {
              const int now = step % 2, before = 1 - now;
              /* Above the diagonal nothing is wanted. */
              const bool half = kind != PAIRS && (step == 2 || step == 3);
              const bool half_before = kind != PAIRS && (step == 3 || step == 4);
              auto between = [&] (int turn) { convert_between (step, turn, stage); };

              if (step < steps && step % 4 == 0)
                {
                  unsigned column = work.first + step / 4;

                  column -= column >= work.wrap ? work.wrap : 0;
                  high_at = b_at + buffer_at + column * BLOCK_BYTES;
                  low_at = high_at ^ LOW_HALVES;
                }
              if (step < steps)
                columns[now] = load_columns (high_at + step % 4 * 8 * ROW_BYTES, low_at + step % 4 * 8 * ROW_BYTES);
              if (steps == 8 && step < loads)
                convert (0, step, stage + 1);
#pragma unroll
              for (int i = 0; i < 8; i++)
                sum[now][i / 4][i % 4] = 0.0f;
              if (step == 0)
                multiply_step<0, 2> (&rows, &columns[now], sum[now], columns[before].high, sum[before], between);
              else if (step == steps)
                multiply_step<2, 0> (&rows, &columns[now], sum[now], columns[before].high, sum[before], [] (int) {});
              else if (half && half_before)
                multiply_step<1, 1> (&rows, &columns[now], sum[now], columns[before].high, sum[before], between);
              else if (half)
                multiply_step<1, 0> (&rows, &columns[now], sum[now], columns[before].high, sum[before], between);
              else if (half_before)
                multiply_step<0, 1> (&rows, &columns[now], sum[now], columns[before].high, sum[before], between);
              else
                multiply_step<0, 0> (&rows, &columns[now], sum[now], columns[before].high, sum[before], between);
              if (step > 0)
#pragma unroll
                for (int m = half_before ? 1 : 0; m < 2; m++)
#pragma unroll
                  for (int i = 0; i < 4; i++)
                    total[step - 1][m][i] += sum[before][m][i];
            }
        }
      else
        {
          Rows rows;

          if (work.n_columns > 0)
            rows = load_rows (a_at + buffer_at);
#pragma unroll
          for (int step = 0; step < steps; step++)
            {
              if (step / 4 < work.n_columns)
                {
                  unsigned column = work.first + step / 4, at;
                  float sum[2][4] = { { 0.0f } };

                  column -= column >= work.wrap ? work.wrap : 0;
                  at = b_at + buffer_at + column * BLOCK_BYTES + step % 4 * 8 * ROW_BYTES;

                  Columns columns = load_columns (at, at ^ LOW_HALVES);

                  multiply_step<0, 2> (&rows, &columns, sum, columns.high, sum, [] (int) {});
                  multiply_step<2, 0> (&rows, &columns, sum, columns.high, sum, [] (int) {});
#pragma unroll
                  for (int i = 0; i < 8; i++)
                    total[step][i / 4][i % 4] += sum[i / 4][i % 4];
                }
              if (step < loads)
                convert_block (step, stage + 1);
            }
        }
      if (stage % PERIOD == PERIOD - 1)
        flush_sums (stage < PERIOD);
      /* Warps that share a scheduler take turns. */
#pragma unroll
      for (int column = 0; column < Shape<kind>::columns; column++)
        if (turn_to_add / 4 == column && column < work.n_columns)
          {
#pragma unroll
            for (int step = column * 4; step < column * 4 + 4; step++)
              {
                /* Volatile, or sums are put in memory, to be found by their number. */
                asm volatile ("" : "+r"(turn_to_add));
                if (turn_to_add == step)
                  flush (work.partial + step * 256, total[step], stage < PERIOD);
              }
          }
      wait_for_copies<loads - 1> ();
      __syncthreads ();
    }

  wait_for_copies<0> ();
  flush_sums (n_stages < PERIOD);
#pragma unroll
  for (int step = 0; step < steps; step++)
    if (step / 4 < work.n_columns)
      flush (work.partial + step * 256, total[step], n_stages <= (step + PERIOD - warp / 4 * (PERIOD / 2)) % PERIOD);
}

/* Thread blocks a task: few enough for a run of stages each, and so many that those at work at once end together. */
static unsigned
best_splits (unsigned at_once,
             unsigned n_tasks,
             size_t   n_chunks)
{
  size_t most = (n_chunks + 3) / 4;
  unsigned best = 1;
  double best_use = 0.0;

  for (unsigned splits = 1; splits <= most && (splits == 1 || (size_t) splits * n_tasks <= 4u * at_once);
       splits++)
    {
      size_t n = (size_t) splits * n_tasks, waves = (n + at_once - 1) / at_once;
      double use = (double) n / (double) (waves * at_once);

      if (use > best_use + 0.01)
        {
          best_use = use;
          best = splits;
        }
    }

  return best;
}

bool
esk_float_plan_tensor (const EskCudaProperties *properties,
                       size_t                   n_pixels,
                       unsigned                 n_bands,
                       EskFloatPlan            *plan)
{
  bool whole = n_bands <= ESK_FLOAT_WHOLE_BANDS;
  unsigned block = whole ? BLOCK_BANDS : ESK_FLOAT_PAIR_BLOCK;
  size_t n_chunks;

  if (properties->major < 8 || (whole ? Layout<GROUPED>::end : Layout<PAIRS>::end) > properties->shared_optin)
    return false;

  plan->engine = whole ? ESK_FLOAT_WHOLE : ESK_FLOAT_PAIRS;
  plan->n_blocks = (n_bands + block - 1) / block;
  plan->n_groups = whole ? Shape<WHOLE>::loads / plan->n_blocks : 1;
  plan->n_columns = whole && plan->n_groups == 1 ? Shape<WHOLE>::columns : Shape<PAIRS>::columns;
  plan->n_tasks = whole ? 1 : plan->n_blocks * (plan->n_blocks + 1) / 2;
  n_chunks = (n_pixels + (size_t) CHUNK * plan->n_groups - 1) / ((size_t) CHUNK * plan->n_groups);
  plan->n_splits = best_splits (properties->multiprocessors, plan->n_tasks, n_chunks);
  plan->n_slots = plan->n_splits * plan->n_groups;
  plan->n_elements = (whole ? plan->n_blocks : THREADS / 32) * plan->n_columns * 4 * 256;
  plan->sum_stride = plan->n_blocks * block;

  return true;
}

template <Kind kind>
static int
launch (EskStream            *stream,
        const EskFloatPlanes *planes,
        const EskFloatPlan   *plan,
        const EskFloatTables *tables,
        bool                  again)
{
  size_t bytes = Layout<kind>::end;
  int code = esk_cuda_check (stream, cudaFuncSetAttribute (tensor_sums<kind>,
                                                           cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes),
                             "covariance sums");

  if (code != ESK_OK)
    return code;
  tensor_sums<kind><<<plan->n_tasks * plan->n_splits, THREADS, bytes, stream->stream>>> (*planes, *plan, *tables,
                                                                                        again);

  return esk_cuda_launched (stream, "covariance sums");
}

int
esk_float_tensor (EskStream            *stream,
                  const EskFloatPlanes *planes,
                  const EskFloatPlan   *plan,
                  const EskFloatTables *tables,
                  bool                  again)
{
  return plan->engine == ESK_FLOAT_PAIRS ? launch<PAIRS> (stream, planes, plan, tables, again)
         : plan->n_groups > 1 ? launch<GROUPED> (stream, planes, plan, tables, again)
                              : launch<WHOLE> (stream, planes, plan, tables, again);
}
