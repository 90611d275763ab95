/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * A step for several components in one pass, with matrix instructions (compute capability 8.0 and later).
 *
 * A warp takes 16 samples at a time. They stay in its registers: Y = W Z, then G = g (Y), then G Z' is added to sums
 * that stay there too. Numbers are split into two float16 (22 bits), and three of the four products are formed, in
 * float32. The result of the first product is the left operand of the second as it lies; the right operand of the first
 * is that of the second, transposed among the lanes (movmatrix). Lane (g, t) = (lane / 4, lane % 4) reads samples
 * 4 t .. 4 t + 3 of plane g of every eight; which of them is which column of a matrix does not matter to the sums.
 *
 * Sums of 16 samples start at zero, since matrix instructions cut off what does not fit, and are added in float32 up
 * to 256 samples, then in float64 in shared memory. Predicted for 27 planes of 5.4 million samples on the H200: 0.11 ms
 * of matrix instructions, 0.1 ms of issuing the others, 0.14 ms of reading. Measured: 0.28 ms; the scheduler issues in
 * 56 % of its cycles, and waits for the chains of dependent instructions in the others.
 */

#include "es-cuda-ica-private.h"

#include <cuda_fp16.h>

#define THREADS 128
#define WARPS (THREADS / 32)
#define CHUNK 16               /* samples of a warp */
#define PERIOD 16              /* chunks that are added up in float32 */

/* Two float32 as float16, and what is left of them as float16. */
struct Split {
  unsigned high, low;
};

static __device__ __forceinline__ Split
split (float x,
       float y)
{
  __half2 high = __floats2half2_rn (x, y);
  float2 back = __half22float2 (high);
  __half2 low = __floats2half2_rn (x - back.x, y - back.y);
  Split result;

  result.high = *(unsigned *) &high;
  result.low = *(unsigned *) &low;

  return result;
}

static __device__ __forceinline__ unsigned
transpose (unsigned x)
{
  unsigned y;

#if __CUDA_ARCH__ >= 800
  asm ("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
#else
  y = x;
#endif

  return y;
}

static __device__ __forceinline__ void
multiply (float    sum[4],
          const unsigned a[4],
          unsigned b0,
          unsigned b1)
{
#if __CUDA_ARCH__ >= 800
  asm ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
       "{%0, %1, %2, %3};"
       : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
       : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/* Volatile: in registers for good, they would take the place of a block. */
static __device__ __forceinline__ void
load_factors (unsigned     a[4],
              const uint4 *from)
{
  asm volatile ("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                : "r"((unsigned) __cvta_generic_to_shared (from)));
}

/* Rows of 16 and columns of 16. */
template <int row_tiles, int column_tiles>
struct Shape {
  static const int octets = 2 * column_tiles;
  static const int products = row_tiles * octets * 4;          /* of a lane */
  static const int values = products + row_tiles * 2;
  static const int shared = WARPS * 32 * values * (int) sizeof (double);
};

/* Four samples of each plane that is the lane's; zeros where there are none. */
template <int octets>
static __device__ __forceinline__ void
load (const EskIcaCall *call,
      size_t            first,
      bool              aligned,
      float4            z[octets])
{
  const unsigned plane = threadIdx.x % 32 / 4;
  const size_t sample = first + threadIdx.x % 4 * 4;

#pragma unroll
  for (int i = 0; i < octets; i++)
    {
      const float *at = call->z + (i * 8 + plane) * call->stride + sample;

      z[i] = make_float4 (0.0f, 0.0f, 0.0f, 0.0f);
      if (i * 8 + plane >= call->columns || sample >= call->n)
        continue;
      if (aligned && sample + 3 < call->n)
        z[i] = __ldcs ((const float4 *) at);
      else
        {
          z[i].x = at[0];
          z[i].y = sample + 1 < call->n ? at[1] : 0.0f;
          z[i].z = sample + 2 < call->n ? at[2] : 0.0f;
          z[i].w = sample + 3 < call->n ? at[3] : 0.0f;
        }
    }
}

/*
 * blockIdx.y: which rows, row_tiles x 16 of them. partial: [block][rows x columns, then rows].
 * Cubes have a wide range: those of a chunk are divided by a power of two, so that none exceeds float16.
 */
template <EskContrastKind kind, int row_tiles, int column_tiles>
static __global__ void
__launch_bounds__ (THREADS, column_tiles > 2 ? 3 : 4)
tensor_step (EskIcaCall  call,
             bool        aligned,
             double     *partial)
{
  typedef Shape<row_tiles, column_tiles> Own;
  constexpr int octets = Own::octets;
  extern __shared__ double totals[];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, g = lane / 4, t = lane % 4;
  const unsigned first_row = blockIdx.y * (row_tiles * 16);
  const size_t n_chunks = (call.n + CHUNK - 1) / CHUNK, step = (size_t) gridDim.x * WARPS;
  double *own = totals + (size_t) warp * Own::values * 32 + lane;
  const float factor = kind == ESK_CONTRAST_TANH ? call.slope * ESK_ICA_TANH_FACTOR : 1.0f;
  __shared__ uint4 factors[row_tiles * column_tiles * 2][32];
  float sum[row_tiles][octets][4], missing[row_tiles][2];
  float4 next[octets];
  unsigned turn = 0;

  /* W as operands: high halves, then low ones, of each tile. */
  for (unsigned e = warp; e < row_tiles * column_tiles; e += WARPS)
    {
      unsigned high[4], low[4];

      for (int i = 0; i < 4; i++)
        {
          unsigned row = first_row + e / column_tiles * 16 + i % 2 * 8 + g;
          unsigned column = e % column_tiles * 16 + i / 2 * 8 + t * 2;
          const float *at = call.w + (size_t) row * call.columns + column;
          Split s = split (row < call.rows && column < call.columns ? at[0] * factor : 0.0f,
                           row < call.rows && column + 1 < call.columns ? at[1] * factor : 0.0f);

          high[i] = s.high;
          low[i] = s.low;
        }
      factors[2 * e][lane] = *(const uint4 *) high;
      factors[2 * e + 1][lane] = *(const uint4 *) low;
    }
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

  size_t chunk = (size_t) blockIdx.x * WARPS + warp;

  if (chunk < n_chunks)
    load<octets> (&call, chunk * CHUNK, aligned, next);
  for (; chunk < n_chunks; chunk += step)
    {
      Split z[octets][2];
      float y[row_tiles][2][4];
      float back = 1.0f;

#pragma unroll
      for (int i = 0; i < octets; i++)
        {
          z[i][0] = split (next[i].x, next[i].y);
          z[i][1] = split (next[i].z, next[i].w);
        }
      if (chunk + step < n_chunks)
        load<octets> (&call, (chunk + step) * CHUNK, aligned, next);

#pragma unroll
      for (int half = 0; half < 2; half++)
        {
          unsigned high[octets], low[octets];

#pragma unroll
          for (int i = 0; i < octets; i++)
            {
              high[i] = transpose (z[i][half].high);
              low[i] = transpose (z[i][half].low);
            }
#pragma unroll
          for (int r = 0; r < row_tiles; r++)
            {
#pragma unroll
              for (int i = 0; i < 4; i++)
                y[r][half][i] = 0.0f;
#pragma unroll
              for (int c = 0; c < column_tiles; c++)
                {
                  unsigned w_high[4], w_low[4];

                  load_factors (w_high, factors[2 * (r * column_tiles + c)] + lane);
                  load_factors (w_low, factors[2 * (r * column_tiles + c) + 1] + lane);
                  multiply (y[r][half], w_low, high[2 * c], high[2 * c + 1]);
                  multiply (y[r][half], w_high, low[2 * c], low[2 * c + 1]);
                  multiply (y[r][half], w_high, high[2 * c], high[2 * c + 1]);
                }
            }
        }

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

      if (++turn % PERIOD == 0)
        flush ();
    }
  flush ();
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

  return code == ESK_OK ? esk_cuda_ica_add_slots (stream, partial, n_blocks, n_values, totals) : code;
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
