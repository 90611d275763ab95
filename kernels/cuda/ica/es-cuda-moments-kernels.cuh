/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-moments-tensor.cu. What is done on the device: scales, monomials, products, and their totals. */

#include "es-cuda-ica-private.h"

#include "cuda/covariance/es-cuda-covariance-internal.h"

#include <cuda_fp16.h>

/* Tables on the device. Features are the monomials of degree two, then those of degree one, then one. */
typedef struct {
  unsigned *units;             /* [n_slots] UNIT_NEW where a warp needs other rows than before; group; columns / 8 */
  unsigned *starts;            /* [n_groups] a group's first unit */
  uint16_t *pairs;             /* [n_padded] a feature's planes, i in the upper half; plane m is one */
  uint16_t *rows;              /* [n_groups x 32] the feature of each row */
  uint16_t *places;            /* [n_features] the row of each feature */
  unsigned *ranges;            /* [m] bits of the largest |z| */
  double   *first;             /* [m] sums of z */
  double   *totals;            /* [n_slots][256] */
} Tables;

typedef struct {
  const float *z;
  size_t       n, stride;
  unsigned     m, n_quadratic, n_features, n_padded, n_groups, n_units, n_slots;
  unsigned     n_buffers;      /* of monomials */
  Tables       tables;
} Moments;

/* Binary exponent k of a plane's scale: |z| 2^k < 128, its squares and their halves fit float16. */
static __device__ int
exponent_of (unsigned range)
{
  int k = 6 - ((int) (range >> 23) - 127);

  return range == 0 ? 0 : k > 60 ? 60 : k < -60 ? -60 : k;
}

/* Largest magnitudes, and sums: partial is [block][plane]. */
static __global__ void
find_ranges (const float *z,
             size_t       n,
             size_t       stride,
             unsigned    *ranges,
             double      *partial)
{
  __shared__ double sums[RANGE_THREADS / 32];
  size_t first = (size_t) blockIdx.x * RANGE_SAMPLES;
  const float *plane = z + blockIdx.y * stride;
  float sum = 0.0f;
  unsigned range = 0;
  double total;

#pragma unroll 8
  for (size_t k = first + threadIdx.x; k < first + RANGE_SAMPLES; k += RANGE_THREADS)
    if (k < n)
      {
        float x = plane[k];

        sum += x;
        range = max (range, __float_as_uint (fabsf (x)));
      }
  total = (double) sum;
  for (int distance = 16; distance > 0; distance /= 2)
    {
      total += __shfl_xor_sync (0xffffffffu, total, distance);
      range = max (range, __shfl_xor_sync (0xffffffffu, range, distance));
    }
  if (threadIdx.x % 32 == 0)
    {
      sums[threadIdx.x / 32] = total;
      atomicMax (&ranges[blockIdx.y], range);
    }
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      total = 0.0;
      for (int i = 0; i < RANGE_THREADS / 32; i++)
        total += sums[i];
      partial[(size_t) blockIdx.x * gridDim.y + blockIdx.y] = total;
    }
}

static __device__ __forceinline__ void
load_matrices (unsigned x[4],
               unsigned address)
{
  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(address));
}

static __device__ __forceinline__ void
multiply (float          sum[4],
          const unsigned a[4],
          const unsigned b[2])
{
#if __CUDA_ARCH__ >= 800
  asm ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
       "{%0, %1, %2, %3};"
       : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
       : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* Where in a block's shared memory what is, in bytes. */
typedef struct {
  unsigned samples, scales, pairs, rows, units, monomials, end;
} Layout;

static __host__ __device__ Layout
layout_of (const Moments *moments)
{
  Layout layout;

  layout.samples = 0;
  layout.scales = layout.samples + 2 * (moments->m + 1) * PITCH * 4;
  layout.units = layout.scales + moments->n_padded * 4;
  layout.pairs = layout.units + moments->n_slots * 4;
  layout.rows = layout.pairs + moments->n_padded * 2;
  layout.monomials = (layout.rows + moments->n_groups * 64 + 127) / 128 * 128;
  layout.end = layout.monomials + moments->n_buffers * moments->n_padded * ROW_BYTES;

  return layout;
}

/* The samples of a stage; zeros behind the last, and ones in the last plane where there are samples. */
static __device__ void
copy_samples (const Moments *moments,
              float         *to,
              size_t         stage)
{
  for (unsigned e = threadIdx.x; e < (moments->m + 1) * STAGE; e += THREADS)
    {
      unsigned plane = e / STAGE, k = e % STAGE;
      size_t sample = stage * STAGE + k;
      float *at = to + plane * PITCH + k;

      if (plane == moments->m)
        *at = sample < moments->n ? 1.0f : 0.0f;
      else if (sample < moments->n)
#if __CUDA_ARCH__ >= 800
        asm volatile ("cp.async.ca.shared.global [%0], [%1], 4;"
                      :: "r"((unsigned) __cvta_generic_to_shared (at)),
                         "l"(moments->z + plane * moments->stride + sample) : "memory");
#else
        *at = moments->z[plane * moments->stride + sample];
#endif
      else
        *at = 0.0f;
    }
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.commit_group;" ::: "memory");
#endif
}

static __device__ void
wait_for_samples (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.wait_all;" ::: "memory");
#endif
}

/* All monomials of a stage. Eight samples of a row, 16 bytes, are where they are no conflict of banks: at their number
 * exclusive-or the row's. */
static __device__ void
make_monomials (const Moments  *moments,
                const float    *samples,
                const float    *scales,
                const uint16_t *pairs,
                unsigned char  *to)
{
  for (unsigned e = threadIdx.x; e < moments->n_padded * 4; e += THREADS)
    {
      unsigned feature = e / 32 * 8 + e % 8, part = e / 8 % 4, pair = pairs[feature];
      const float4 *x = (const float4 *) (samples + (pair >> 8) * PITCH + part * 8);
      const float4 *y = (const float4 *) (samples + (pair & 255) * PITCH + part * 8);
      float scale = scales[feature];
      __half2 high[4], low[4];

#pragma unroll
      for (int i = 0; i < 2; i++)
        {
          float4 a = x[i], b = y[i];
          float2 back;

          a.x = a.x * b.x * scale;
          a.y = a.y * b.y * scale;
          a.z = a.z * b.z * scale;
          a.w = a.w * b.w * scale;
          high[2 * i] = __floats2half2_rn (a.x, a.y);
          high[2 * i + 1] = __floats2half2_rn (a.z, a.w);
          back = __half22float2 (high[2 * i]);
          low[2 * i] = __floats2half2_rn (a.x - back.x, a.y - back.y);
          back = __half22float2 (high[2 * i + 1]);
          low[2 * i + 1] = __floats2half2_rn (a.z - back.x, a.w - back.y);
        }
      *(uint4 *) (to + feature * ROW_BYTES + ((part ^ feature % 8) * 16)) = *(const uint4 *) high;
      *(uint4 *) (to + feature * ROW_BYTES + (((part + 4) ^ feature % 8) * 16)) = *(const uint4 *) low;
    }
}

/* Adds sums to float64. Nobody else adds to the same: the order is the thread's own. As reductions, nothing waits for
 * them. */
template <int most>
static __device__ __forceinline__ void
flush (double *to,
       float   sum[most][8])
{
#pragma unroll
  for (int u = 0; u < most; u++)
#pragma unroll
    for (int i = 0; i < 8; i++)
      {
        asm volatile ("red.relaxed.gpu.global.add.f64 [%0], %1;"
                      :: "l"(to + (u * 8 + i) * 32), "d"((double) sum[u][i]) : "memory");
        sum[u][i] = 0.0f;
      }
}

/* most: units of a warp. blockIdx.y: which WARPS * most of them. partial: [block][n_slots][256],
 * zeros. */
template <int most>
static __global__ void
__launch_bounds__ (THREADS, 1)
sum_products (Moments  moments,
              double  *partial)
{
  extern __shared__ __align__ (128) unsigned char shared[];
  const Layout layout = layout_of (&moments);
  float *samples = (float *) (shared + layout.samples), *scales = (float *) (shared + layout.scales);
  unsigned *units = (unsigned *) (shared + layout.units);
  uint16_t *pairs = (uint16_t *) (shared + layout.pairs), *rows = (uint16_t *) (shared + layout.rows);
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const unsigned samples_size = (moments.m + 1) * PITCH, buffer = moments.n_padded * ROW_BYTES;
  const unsigned address = (unsigned) __cvta_generic_to_shared (shared + layout.monomials);
  const unsigned first_unit = (blockIdx.y * WARPS + warp) * most;
  const size_t n_stages = (moments.n + STAGE - 1) / STAGE;
  double *own = partial + ((size_t) blockIdx.x * moments.n_slots + first_unit) * 256 + lane;
  float total[most][8];
  unsigned turn = 0;

  for (unsigned e = threadIdx.x; e < moments.n_padded; e += THREADS)
    {
      unsigned pair = moments.tables.pairs[e], i = pair >> 8, j = pair & 255;
      int k = i < moments.m ? exponent_of (moments.tables.ranges[i]) : 0;

      k += j < moments.m ? exponent_of (moments.tables.ranges[j]) : 0;
      pairs[e] = (uint16_t) pair;
      scales[e] = e < moments.n_features ? __int_as_float ((127 + k) << 23) : 0.0f;
    }
  for (unsigned e = threadIdx.x; e < moments.n_slots; e += THREADS)
    units[e] = moments.tables.units[e];
  for (unsigned e = threadIdx.x; e < moments.n_groups * 32; e += THREADS)
    rows[e] = moments.tables.rows[e];
#pragma unroll
  for (int u = 0; u < most; u++)
#pragma unroll
    for (int i = 0; i < 8; i++)
      total[u][i] = 0.0f;

  auto multiply_stage = [&] (unsigned monomials)
    {
#pragma unroll 1
      for (unsigned k = 0; k < 2; k++)
        {
          unsigned a_high[2][4], a_low[2][4], b[2][4];
          /* Of the columns: a row for each lane of eight; high or low; the first or second eight samples. */
          const unsigned part = lane / 16 * 4 + 2 * k + lane / 8 % 2;
          const unsigned b_at = monomials + lane % 8 * ROW_BYTES + ((part ^ lane % 8) * 16);
          unsigned unit = units[first_unit], following = 0;

          load_matrices (b[0], b_at + (unit & UNIT_COLUMNS) * (8 * ROW_BYTES));
#pragma unroll
          for (int u = 0; u < most; u++)
            {
              float sum[2][4];

              if (u + 1 < most)
                following = units[first_unit + u + 1];
              if (unit & UNIT_NEW)
                {
                  unsigned group = (unit & ~UNIT_NEW) >> UNIT_GROUP;

#pragma unroll
                  for (int half = 0; half < 2; half++)
                    {
                      unsigned row = rows[group * 32 + half * 16 + lane % 16];
                      unsigned at = monomials + row * ROW_BYTES;

                      load_matrices (a_high[half], at + (((2 * k + lane / 16) ^ row % 8) * 16));
                      load_matrices (a_low[half], at + (((4 + 2 * k + lane / 16) ^ row % 8) * 16));
                    }
                }
              if (u + 1 < most)
                load_matrices (b[(u + 1) % 2], b_at + (following & UNIT_COLUMNS) * (8 * ROW_BYTES));
              unit = following;
#pragma unroll
              for (int half = 0; half < 2; half++)
                for (int i = 0; i < 4; i++)
                  sum[half][i] = 0.0f;
#pragma unroll
              for (int half = 0; half < 2; half++)
                multiply (sum[half], a_low[half], b[u % 2]);
#pragma unroll
              for (int half = 0; half < 2; half++)
                multiply (sum[half], a_high[half], b[u % 2] + 2);
#pragma unroll
              for (int half = 0; half < 2; half++)
                multiply (sum[half], a_high[half], b[u % 2]);
#pragma unroll
              for (int i = 0; i < 8; i++)
                total[u][i] += sum[i / 4][i % 4];
            }
        }
    };

  size_t stage = blockIdx.x;

  if (stage < n_stages)
    copy_samples (&moments, samples, stage);
  wait_for_samples ();
  __syncthreads ();
  if (stage < n_stages)
    make_monomials (&moments, samples, scales, pairs, shared + layout.monomials);
  if (stage + gridDim.x < n_stages)
    copy_samples (&moments, samples + samples_size, stage + gridDim.x);
  wait_for_samples ();
  __syncthreads ();

  for (; stage < n_stages; stage += gridDim.x, turn++)
    {
      unsigned now = turn % moments.n_buffers, next = (turn + 1) % moments.n_buffers;
      bool more = stage + gridDim.x < n_stages;

      if (stage + 2 * gridDim.x < n_stages)
        copy_samples (&moments, samples + turn % 2 * samples_size, stage + 2 * gridDim.x);
      /* Warps that share a scheduler do one or the other first. */
      if (moments.n_buffers > 1 && warp / 4 % 2 == 0 && more)
        make_monomials (&moments, samples + (turn + 1) % 2 * samples_size, scales, pairs,
                        shared + layout.monomials + next * buffer);
      multiply_stage (address + now * buffer);
      if (moments.n_buffers == 1)
        __syncthreads ();
      if ((moments.n_buffers == 1 || warp / 4 % 2 != 0) && more)
        make_monomials (&moments, samples + (turn + 1) % 2 * samples_size, scales, pairs,
                        shared + layout.monomials + next * buffer);
      if ((turn + warp) % PERIOD == PERIOD - 1)
        flush<most> (own, total);
      wait_for_samples ();
      __syncthreads ();
    }
  flush<most> (own, total);
}

/* The sum of the products of a row with a column. */
static __device__ double
total_of (const Moments *moments,
          unsigned       feature,
          unsigned       column)
{
  unsigned row = moments->tables.places[feature], unit = moments->tables.starts[row / 32] + column / 8;
  unsigned half = row / 16 % 2, i = row / 8 % 2 * 2 + column % 2, lane = row % 8 * 4 + column % 8 / 2;

  return moments->tables.totals[(size_t) unit * 256 + (half * 4 + i) * 32 + lane];
}

static __device__ unsigned
triangle (unsigned n)
{
  return n * (n + 1) / 2;
}

/* A monomial of EskCovariance's order: its planes, i >= j; j is m for degree one. */
static __device__ void
planes_of (unsigned  m,
           unsigned  monomial,
           unsigned *i,
           unsigned *j)
{
  *i = monomial;
  *j = m;
  if (monomial < m)
    return;
  monomial -= m;
  *i = (unsigned) ((sqrtf (8.0f * (float) monomial + 1.0f) - 1.0f) * 0.5f);
  while (triangle (*i) > monomial)
    --*i;
  while (triangle (*i + 1) <= monomial)
    ++*i;
  *j = monomial - triangle (*i);
}

/* The sum of a monomial itself. */
static __device__ double
sum_of (const Moments *moments,
        unsigned       i,
        unsigned       j,
        const int     *k)
{
  return j == moments->m ? moments->tables.first[i]
                         : ldexp (total_of (moments, moments->n_features - 1, triangle (i) + j), -k[0]);
}

/* Adds to the sums: a thread a pair of monomials. */
static __global__ void
add_to_sums (Moments     moments,
             EskCudaSums sums)
{
  unsigned m = moments.m, n_bands = (unsigned) sums.n_bands, index = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = index / n_bands, y = index % n_bands, planes[4];
  double count = (double) moments.n, first, second, product;
  int k[4], own[2];

  if (x >= n_bands || y > x)
    return;
  planes_of (m, x, &planes[0], &planes[1]);
  planes_of (m, y, &planes[2], &planes[3]);
  for (int i = 0; i < 4; i++)
    k[i] = planes[i] < m ? exponent_of (moments.tables.ranges[planes[i]]) : 0;
  own[0] = k[0] + k[1];
  own[1] = k[2] + k[3];
  first = sum_of (&moments, planes[0], planes[1], &own[0]);
  second = sum_of (&moments, planes[2], planes[3], &own[1]);

  unsigned highest = max (planes[0], planes[2]), other = min (planes[0], planes[2]);

  if (x < m)
    product = total_of (&moments, moments.n_features - 1, triangle (highest) + other);
  else if (y < m)
    {
      unsigned middle = max (other, planes[1]), lowest = min (other, planes[1]);

      product = total_of (&moments, moments.n_quadratic + highest, triangle (middle) + lowest);
    }
  else
    {
      unsigned second_first = max (planes[1], planes[3]), lowest = min (planes[1], planes[3]);
      unsigned b = max (other, second_first), c = min (other, second_first);

      product = total_of (&moments, triangle (highest) + b, triangle (c) + lowest);
    }
  product = ldexp (product, -own[0] - own[1]);

  sums.product[(size_t) x * n_bands + y] += product - sums.shift[x] * second - sums.shift[y] * first
                                            + count * sums.shift[x] * sums.shift[y];
  if (x == y)
    sums.sum[x] += first - count * sums.shift[x];
  if (index == 0)
    *sums.count += (int64_t) moments.n;
}
