/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-covariance-float.cu. What is done on the device before and after the engines: scales and totals. */

#include "es-cuda-covariance-float-private.h"

/* Bits of the largest |x - centre| among four pixels: positive floats have the order of their bits. */
static __device__ unsigned
quad_range (const EskFloatPlanes *planes,
            unsigned              band,
            float                 centre,
            size_t                quad)
{
  float4 x = *(const float4 *) (planes->data + band * planes->stride + quad * 4);
  uchar4 valid = planes->valid != NULL ? *(const uchar4 *) (planes->valid + quad * 4) : make_uchar4 (1, 1, 1, 1);
  unsigned range = 0;

  range = max (range, valid.x ? __float_as_uint (fabsf (x.x - centre)) : 0u);
  range = max (range, valid.y ? __float_as_uint (fabsf (x.y - centre)) : 0u);
  range = max (range, valid.z ? __float_as_uint (fabsf (x.z - centre)) : 0u);
  range = max (range, valid.w ? __float_as_uint (fabsf (x.w - centre)) : 0u);

  return range;
}

static __device__ unsigned
block_maximum (unsigned value)
{
  __shared__ unsigned largest[THREADS / 32];

  for (int distance = 16; distance > 0; distance /= 2)
    value = max (value, __shfl_xor_sync (0xffffffffu, value, distance));
  if (threadIdx.x % 32 == 0)
    largest[threadIdx.x / 32] = value;
  __syncthreads ();
  for (int i = 0; i < THREADS / 32; i++)
    value = max (value, largest[i]);

  return value;
}

static __device__ double
block_sum (double value)
{
  __shared__ double sums[THREADS / 32];
  double sum = 0.0;

  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync (0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = value;
  __syncthreads ();
  for (int i = 0; i < THREADS / 32; i++)
    sum += sums[i];
  __syncthreads ();

  return sum;
}

/* A block a band: its centre, the mean of the sample, and the range about it. Bands that are constant all over the
 * sample are left to find_ranges (). */
static __global__ void
sample_bands (EskFloatPlanes planes,
              EskFloatTables tables)
{
  unsigned band = blockIdx.x, range = 0;
  double shift = planes.shift != NULL ? planes.shift[band] : 0.0, sum = 0.0, n = 0.0;
  size_t n_quads = planes.n_pixels / 4;
  size_t step = (n_quads + SAMPLED_QUADS - 1) / SAMPLED_QUADS;

  for (size_t quad = threadIdx.x * step; quad < n_quads; quad += THREADS * step)
    for (int i = 0; i < 4; i++)
      {
        float x = planes.data[band * planes.stride + quad * 4 + i];

        if (isfinite (x) && (planes.valid == NULL || planes.valid[quad * 4 + i] != 0))
          {
            sum += (double) x - shift;
            n += 1.0;
          }
      }
  sum = block_sum (sum);
  n = block_sum (n);

  float centre = n > 0.0 && isfinite ((float) (shift + sum / n)) ? (float) (shift + sum / n) : (float) shift;

  for (size_t quad = threadIdx.x * step; quad < n_quads; quad += THREADS * step)
    range = max (range, quad_range (&planes, band, centre, quad));
  range = block_maximum (range);
  if (threadIdx.x == 0)
    {
      tables.centre[band] = centre;
      tables.range[band] = range;
      tables.exact[band] = step == 1 ? 1 : range == 0 ? 2 : 0;
      if (band == 0)
        {
          *tables.overflow = 0;
          *tables.count = 0;
        }
    }
}

/* Ranges of all pixels: of bands where the sample told nothing, or of all where a scale was too large. */
static __global__ void
find_ranges (EskFloatPlanes planes,
             EskFloatTables tables,
             bool           again)
{
  size_t n_quads = planes.n_pixels / 4;

  if (again && *tables.overflow == 0)
    return;
  for (unsigned band = blockIdx.y; band < planes.n_bands; band += gridDim.y)
    {
      float centre = tables.centre[band];
      unsigned range = 0;

      if (!again && tables.exact[band] != 2)
        continue;
      for (size_t quad = (size_t) blockIdx.x * THREADS + threadIdx.x; quad < n_quads;
           quad += (size_t) gridDim.x * THREADS)
        range = max (range, quad_range (&planes, band, centre, quad));
      for (int distance = 16; distance > 0; distance /= 2)
        range = max (range, __shfl_xor_sync (0xffffffffu, range, distance));
      if (threadIdx.x % 32 == 0 && range != 0)
        atomicMax (&tables.range[band], range);
    }
}

static __global__ void
count_valid (const uint8_t      *valid,
             size_t              n_pixels,
             unsigned long long *count)
{
  unsigned long long n = 0;

  for (size_t i = (size_t) blockIdx.x * THREADS + threadIdx.x; i < n_pixels / 16; i += (size_t) gridDim.x * THREADS)
    {
      uint4 v = ((const uint4 *) valid)[i];

      n += __popc (__vcmpne4 (v.x, 0)) + __popc (__vcmpne4 (v.y, 0)) + __popc (__vcmpne4 (v.z, 0))
           + __popc (__vcmpne4 (v.w, 0));
    }
  n /= 8;
  if (blockIdx.x == 0 && threadIdx.x < n_pixels % 16)
    n += valid[n_pixels / 16 * 16 + threadIdx.x] != 0;
  for (int distance = 16; distance > 0; distance /= 2)
    n += __shfl_xor_sync (0xffffffffu, n, distance);
  if (threadIdx.x % 32 == 0 && n != 0)
    atomicAdd (count, n);
}

/* Which product an element of a slot is; false where it is none, or one above the diagonal. */
static __device__ bool
locate (const EskFloatPlan *plan,
        unsigned            task,
        unsigned            element,
        unsigned           *row,
        unsigned           *column)
{
  unsigned block_row = 0, block_column = 0;

  if (plan->engine != ESK_FLOAT_WHOLE)
    esk_float_pair (task, &block_row, &block_column);
  if (plan->engine == ESK_FLOAT_SIMT)
    {
      *row = block_row * ESK_FLOAT_SIMT_BLOCK + element / ESK_FLOAT_SIMT_BLOCK;
      *column = block_column * ESK_FLOAT_SIMT_BLOCK + element % ESK_FLOAT_SIMT_BLOCK;
      return *row >= *column;
    }

  /* As esk_float_element () has it. */
  unsigned step = element / 256 % (plan->n_columns * 4), row_block = element / 256 / (plan->n_columns * 4);
  unsigned lane = element / 2 % 32, column_block = step / 4;
  unsigned r = element / 128 % 2 * 16 + element / 64 % 2 * 8 + lane / 4;
  unsigned c = step % 4 * 8 + lane % 4 * 2 + element % 2;

  if (plan->engine == ESK_FLOAT_PAIRS)
    {
      *row = block_row * ESK_FLOAT_PAIR_BLOCK + row_block / 2 * 32 + r;
      *column = block_column * ESK_FLOAT_PAIR_BLOCK + (row_block % 2 * 2 + column_block) * 32 + c;
      return *row >= *column;
    }

  /* Every block of rows with itself and the next half of the others, round the circle. */
  unsigned n = plan->n_blocks, other = (row_block + column_block) % n;
  bool used = column_block * 2 < n || (column_block * 2 == n && row_block < n / 2);

  *row = row_block * 32 + r;
  *column = other * 32 + c;
  if (*row < *column && row_block != other)
    {
      unsigned swap = *row;

      *row = *column;
      *column = swap;
    }

  return used && *row >= *column;
}

static __device__ double
add_slots (const double *partial,
           size_t        stride,
           unsigned      n_slots)
{
  double total = 0.0;

#pragma unroll 12
  for (unsigned slot = 0; slot < n_slots; slot++)
    total += partial[slot * stride];

  return total;
}

/* A thread an element, then a thread a band. */
static __global__ void
reduce (EskFloatPlanes planes,
        EskFloatPlan   plan,
        EskFloatTables tables,
        bool           again)
{
  size_t index = (size_t) blockIdx.x * THREADS + threadIdx.x;
  size_t n_products = (size_t) plan.n_tasks * plan.n_elements;
  unsigned row, column;
  double total;

  if (again && *tables.overflow == 0)
    return;
  if (index < n_products)
    {
      unsigned task = (unsigned) (index / plan.n_elements), element = (unsigned) (index % plan.n_elements);

      if (!locate (&plan, task, element, &row, &column) || row >= planes.n_bands)
        return;
      total = add_slots (tables.partial + (size_t) task * plan.n_slots * plan.n_elements + element, plan.n_elements,
                         plan.n_slots);
      tables.product[(size_t) row * planes.n_bands + column]
        = ldexp (total, -esk_float_exponent (&tables, row, again) - esk_float_exponent (&tables, column, again));
    }
  else if (index - n_products < planes.n_bands)
    {
      row = (unsigned) (index - n_products);
      total = add_slots (tables.partial_sum + row, plan.sum_stride, plan.n_slots);
      tables.sum[row] = ldexp (total, -esk_float_exponent (&tables, row, again));
    }
  else
    return;

  if (!again && !isfinite (total))
    *tables.overflow = 1;
}

/* What the totals are added to. */
typedef struct {
  int64_t *count;
  double  *sum, *product;
} Totals;

/*
 * Adds. Engines subtract a centre: with d = centre - shift, sums of x - shift are sum + n d and
 * product_ij + d_i sum_j + d_j sum_i + n d_i d_j. The last one to three pixels are added here in float64.
 */
static __global__ void
add_totals (EskFloatPlanes planes,
            size_t         n_tail,
            EskFloatTables tables,
            Totals         totals)
{
  size_t index = (size_t) blockIdx.x * THREADS + threadIdx.x;
  size_t n_bands = planes.n_bands, i = index / n_bands, j = index % n_bands;
  unsigned long long n = planes.valid != NULL ? *tables.count : planes.n_pixels;
  double n_pixels = (double) n;

  if (i >= n_bands || j > i)
    return;

  double shift_i = planes.shift != NULL ? planes.shift[i] : 0.0, shift_j = planes.shift != NULL ? planes.shift[j] : 0.0;
  double sum = 0.0, product = 0.0;
  unsigned n_added = 0;

  if (planes.n_pixels > 0)
    {
      double d_i = (double) tables.centre[i] - shift_i, d_j = (double) tables.centre[j] - shift_j;

      product = tables.product[i * n_bands + j] + d_i * tables.sum[j] + d_j * tables.sum[i] + n_pixels * d_i * d_j;
      sum = tables.sum[i] + n_pixels * d_i;
    }
  for (size_t p = planes.n_pixels; p < planes.n_pixels + n_tail; p++)
    if (planes.valid == NULL || planes.valid[p] != 0)
      {
        double x_i = (double) planes.data[i * planes.stride + p] - shift_i;
        double x_j = (double) planes.data[j * planes.stride + p] - shift_j;

        product += x_i * x_j;
        sum += x_i;
        n_added++;
      }

  totals.product[i * n_bands + j] += product;
  if (j == 0)
    totals.sum[i] += sum;
  if (index == 0)
    *totals.count += (int64_t) (n + n_added);
}
