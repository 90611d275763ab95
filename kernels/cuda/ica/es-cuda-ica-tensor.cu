/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A step for several components in one pass, with matrix instructions (compute capability 8.0 and later).
 *
 * A warp takes 16 samples at a time. They stay in its registers: Y = W Z, then G = g (Y), then G Z' is added to sums
 * that stay there too. The result of the first product is the left operand of the second as it lies; the right operand
 * of the first is that of the second, transposed.
 *
 * Sums of 16 samples start at zero, since matrix instructions cut off what does not fit, and are added in float32 up
 * to 512 samples, then in float64 in shared memory. Predicted for 27 planes of 5.4 million samples on the H200: 0.11 ms
 * of matrix instructions, 0.1 ms of issuing the others, 0.14 ms of reading. On an H100, whose memory takes 0.20 ms, it
 * is 0.26 ms, 0.28 with the launches and the way of the sums: memory is two thirds busy, matrix instructions are 42 %
 * of their peak, and the scheduler issues in half of its cycles. A fifth fewer instructions were 5 % of the time; fewer
 * transcendental functions, other numbers of warps, or twice the samples of a warp were none.
 */

#include "es-cuda-ica-tensor.cuh"

#define PERIOD 32              /* chunks that are added up in float32 */

/* Rows of 16 and columns of 16. */
template <int row_tiles, int column_tiles>
struct Shape {
  static const int octets = 2 * column_tiles;
  static const int products = row_tiles * octets * 4;          /* of a lane */
  static const int values = products + row_tiles * 2;
  static const int shared = WARPS * 32 * values * (int) sizeof (double);
};

/*
 * blockIdx.y: which rows, row_tiles x 16 of them. partial: [block][rows x columns, then rows].
 * Cubes have a wide range: those of a chunk are divided by a power of two, so that none exceeds float16.
 */
template <EskContrastKind kind, int row_tiles, int column_tiles>
static __global__ void
__launch_bounds__ (THREADS, column_tiles > 2 ? 3 : 4)
tensor_step (const __grid_constant__ EskIcaCall  call,
             bool                                aligned,
             double                             *partial)
{
  typedef Shape<row_tiles, column_tiles> Own;
  constexpr int octets = Own::octets;
  extern __shared__ double totals[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned first_row = blockIdx.y * (row_tiles * 16);
  double *own = totals + (size_t) warp * Own::values * 32 + lane;
  const float factor = kind == ESK_CONTRAST_TANH ? call.slope * ESK_ICA_TANH_FACTOR : 1.0f;
  __shared__ uint4 factors[row_tiles * column_tiles * 2][32];
  float sum[row_tiles][octets][4], missing[row_tiles][2];
  float4 next[octets];

  fill_factors<row_tiles, column_tiles> (call, first_row, factor, factors);
  __syncthreads ();
#pragma unroll
  for (int r = 0; r < row_tiles; r++)
    {
      missing[r][0] = missing[r][1] = 0.0f;
#pragma unroll
      for (int i = 0; i < octets * 4; i++)
        sum[r][i / 4][i % 4] = 0.0f;
    }
#pragma unroll
  for (int i = 0; i < Own::values; i++)
    own[i * 32] = 0.0;

  auto flush = [&] ()
    {
#pragma unroll
      for (int r = 0; r < row_tiles; r++)
        {
#pragma unroll
          for (int i = 0; i < octets * 4; i++)
            {
              own[(r * octets * 4 + i) * 32] += (double) sum[r][i / 4][i % 4];
              sum[r][i / 4][i % 4] = 0.0f;
            }
#pragma unroll
          for (int i = 0; i < 2; i++)
            {
              own[(Own::products + r * 2 + i) * 32] += (double) missing[r][i];
              missing[r][i] = 0.0f;
            }
        }
    };

  Chunks<octets> chunks (call, aligned);
  bool more = chunks.left > 0;

  if (more)
    chunks.load (call, next);
  while (more)
    {
      Split z[octets][2];
      float y[row_tiles][2][4];
      float back = 1.0f;

      split_chunk<octets> (next, z);
      more = chunks.left > 0;
      if (more)
        chunks.load (call, next);
      project_chunk<row_tiles, column_tiles> (z, factors, y);

      if (kind == ESK_CONTRAST_CUBIC)
        {
          float largest = 0.0f, shrink;
          int exponent;

#pragma unroll
          for (int r = 0; r < row_tiles; r++)
#pragma unroll
            for (int i = 0; i < 8; i++)
              largest = fmaxf (largest, fabsf (y[r][i / 4][i % 4]));
          for (int distance = 16; distance > 0; distance /= 2)
            largest = fmaxf (largest, __shfl_xor_sync (0xffffffffu, largest, distance));
          /* |y| < 2^(exponent + 1) */
          exponent = (int) (__float_as_uint (largest) >> 23) - 127;
          exponent = exponent > 3 ? exponent - 3 : 0;
          shrink = __int_as_float ((127 - exponent) << 23);
          back = exponent > 40 ? INFINITY : __int_as_float ((127 + 3 * exponent) << 23);
#pragma unroll
          for (int r = 0; r < row_tiles; r++)
#pragma unroll
            for (int i = 0; i < 8; i++)
              {
                float x = y[r][i / 4][i % 4], small = x * shrink;

                missing[r][i % 4 / 2] = fmaf (x, x, missing[r][i % 4 / 2]);
                y[r][i / 4][i % 4] = small * small * small;
              }
        }
      else
#pragma unroll
        for (int r = 0; r < row_tiles; r++)
#pragma unroll
          for (int i = 0; i < 8; i++)
            y[r][i / 4][i % 4] = esk_ica_contrast<kind> (y[r][i / 4][i % 4], &missing[r][i % 4 / 2]);

#pragma unroll
      for (int r = 0; r < row_tiles; r++)
        {
          unsigned high[4], low[4];

#pragma unroll
          for (int i = 0; i < 4; i++)
            {
              Split s = split (y[r][i / 2][i % 2 * 2], y[r][i / 2][i % 2 * 2 + 1]);

              high[i] = s.high;
              low[i] = s.low;
            }
#pragma unroll
          for (int i = 0; i < octets; i++)
            {
              float part[4] = { 0.0f, 0.0f, 0.0f, 0.0f };

              multiply (part, low, z[i][0].high, z[i][1].high);
              multiply (part, high, z[i][0].low, z[i][1].low);
              multiply (part, high, z[i][0].high, z[i][1].high);
#pragma unroll
              for (int k = 0; k < 4; k++)
                sum[r][i][k] = kind == ESK_CONTRAST_CUBIC ? fmaf (part[k], back, sum[r][i][k]) : sum[r][i][k] + part[k];
            }
        }

      if (chunks.left % PERIOD == 0)
        flush ();
    }
  __syncthreads ();

  /* Lane 4 g + t of every warp has the products of row g (and g + 8) with columns 2 t and 2 t + 1 of every eight. */
  double *to = partial + (size_t) blockIdx.x * call.rows * (call.columns + 1);

  for (unsigned e = threadIdx.x; e < Own::values * 32; e += THREADS)
    {
      unsigned at = e % 32, value = e / 32, row, column;
      double total = 0.0;

      for (unsigned i = 0; i < WARPS; i++)
        total += totals[(size_t) i * Own::values * 32 + e];
      if (value < Own::products)
        {
          row = first_row + value / (octets * 4) * 16 + value % 4 / 2 * 8 + at / 4;
          column = value / 4 % octets * 8 + at % 4 * 2 + value % 2;
          if (row < call.rows && column < call.columns)
            to[(size_t) row * call.columns + column] = total;
        }
      else
        {
          value -= Own::products;
          row = first_row + value / 2 * 16 + value % 2 * 8 + at / 4;
          total += __shfl_xor_sync (0xffffffffu, total, 1);
          total += __shfl_xor_sync (0xffffffffu, total, 2);
          if (at % 4 == 0 && row < call.rows)
            to[(size_t) call.rows * call.columns + row] = total;
        }
    }
}

template <EskContrastKind kind, int row_tiles, int column_tiles>
static int
launch (EskStream        *stream,
        const EskIcaCall *call,
        double           *totals)
{
  typedef Shape<row_tiles, column_tiles> Own;
  size_t n_values = esk_ica_step_values (call), n_blocks = (call->n + CHUNK * WARPS - 1) / (CHUNK * WARPS), most;
  unsigned groups = (call->rows + row_tiles * 16 - 1) / (row_tiles * 16);
  bool aligned = (uintptr_t) call->z % 16 == 0 && call->stride % 4 == 0;
  int at_once = 1;
  double *partial;
  int code = esk_cuda_check (stream, cudaFuncSetAttribute (tensor_step<kind, row_tiles, column_tiles>,
                                                           cudaFuncAttributeMaxDynamicSharedMemorySize, Own::shared),
                             "step of components");

  if (code == ESK_OK)
    code = esk_cuda_check (stream,
                           cudaOccupancyMaxActiveBlocksPerMultiprocessor (&at_once,
                                                                          tensor_step<kind, row_tiles, column_tiles>,
                                                                          THREADS, Own::shared),
                           "step of components");
  if (code != ESK_OK)
    return code;
  most = (size_t) (at_once < 1 ? 1 : at_once) * esk_cuda_properties (stream)->multiprocessors;
  if (n_blocks > most)
    n_blocks = most;
  partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, n_blocks * n_values * sizeof (double));
  if (partial == NULL)
    return ESK_ERROR_MEMORY;
  tensor_step<kind, row_tiles, column_tiles><<<dim3 ((unsigned) n_blocks, groups), THREADS, Own::shared,
                                               stream->stream>>> (*call, aligned, partial);
  code = esk_cuda_launched (stream, "step of components");

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
esk_cuda_ica_tensor (EskStream        *stream,
                     const EskIcaCall *call,
                     EskContrastKind   kind,
                     double           *totals)
{
  int code;

  ESK_ICA_BY_KIND (kind, code, launch_kind, stream, call, totals)

  return code;
}
