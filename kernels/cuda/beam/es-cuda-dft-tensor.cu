/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Transforms of 2,048, 4,096 or 8,192 samples of 16 bits, channel beside channel, from where the samples lie to some
 * neighbouring bins of them in one pass, as two products of matrices on tensor cores.
 *
 * N = 32 T samples: n = t + T j with j < 32, and bin k = r + 32 m. For each t the 32 samples x[t + T j] are transformed
 * to y_r[t], of which r = 0 .. 16 suffice, as they are real: a product of a 32 x 32 matrix, whose rows are the real and
 * imaginary parts of r = 1 .. 15, r = 16 and r = 0. With z_r[t] = y_r[t] e^(-2 pi j t (r - 16) / N), and
 * C, S = cos, sin (2 pi (m + 1/2) t / T):
 *   X[32 m + r]       = (sum C re z + sum S im z) + j (sum C im z - sum S re z)
 *   X[32 (m + 1) - r] = (sum C re z - sum S im z) - j (sum C im z + sum S re z)
 * that is one product of the 32 rows of z, as they are in registers, by T x (two columns for each m): what half a bin
 * in the middle is good for. y_0 has m instead of m + 1/2; the sixteen elements of a block make one product more of it.
 *
 * Operands are pairs of float16, 22 bits: high by high, high by low and low by high, in float32. Products of 16 or 32
 * terms are begun at 0 and added to the sums as float32 are, as tensor cores cut off what does not fit. Samples are
 * exact in two float16; z is divided by 32, so that it is not larger than a sample may be.
 *
 * Predicted for 16,384 elements of 8,000 samples and 459 bins on an H100: 0.12 ms of reading and writing once, as much
 * of issue, 0.25 ms in all. Measured: 0.29 ms, by es-cuda-dft-own.cu from rows 0.56. Instructions are issued in 51 % of
 * the cycles of 16 warps, which have all registers and wait for results (tensor cores: 30 %, memory: 33 %). Without
 * products it is 0.26 ms, without reading samples 0.26 ms. Against float64 the largest error is 2.3e-7 of the largest
 * bin, where samples have a constant of nearly twice their deviation. Two elements a warp, matrices in shared memory
 * and prefetching made it slower.
 */

#include "es-cuda-dft-tensor.cuh"

#include <math.h>
#include <stdlib.h>

/* Buffers of samples: with weights there is room for fewer. */
#define BUFFERS(weighted) ((weighted) ? 2u : 3u)
/* Each of so many parts of t sums the bins 32 m. */
#define PARTS (ELEMENTS / MOST_TILES)
#define WHOLE (4 * MOST_TILES * 2 * ELEMENTS)

/* Where the parts of shared memory begin, in bytes. */
struct TensorShape
{
  size_t   turns, second, weights, samples, first, found, whole, barriers, bins, bytes;   /* bytes: all */
  unsigned part;                                                             /* floats of the bins' real parts */
};

static TensorShape
tensor_shape (size_t   length,
              unsigned first_bin,
              unsigned bins,
              bool     weighted)
{
  const unsigned tiles = esk_cuda_tensor_dft_tiles (first_bin, bins);
  const unsigned more = (first_bin + bins - 1) / RESIDUES - first_bin / RESIDUES;
  const size_t turns = length / RESIDUES;
  TensorShape shape;

  shape.turns = 0;
  shape.second = shape.turns + TURN_VECTORS (turns) * sizeof (uint4);
  shape.weights = shape.second + SECOND_VECTORS (turns, tiles) * sizeof (uint4);
  shape.samples = shape.weights + (weighted ? length * sizeof (float) : 0);
  shape.first = shape.samples + BUFFERS (weighted) * ELEMENTS * STEP * RESIDUES * sizeof (int16_t);
  shape.found = shape.first + ELEMENTS * (turns + 8) * sizeof (float);
  shape.whole = shape.found + 2 * ELEMENTS * sizeof (uint32_t);
  shape.barriers = shape.whole + PARTS * WHOLE * sizeof (float);
  shape.bins = shape.barriers + 2 * 4 * sizeof (uint64_t);
  /* The two parts of a bin are half of the banks apart. */
  shape.part = (bins * (ELEMENTS + 1) + 8 * more + 31) / 32 * 32 + 16;
  shape.bytes = shape.bins + 2 * shape.part * sizeof (float);

  return shape;
}

/* Of a bin's elements; those that a warp writes at once are in different banks. */
static __device__ __forceinline__ unsigned
bin_place (unsigned bin,
           unsigned first_bin)
{
  return (bin - first_bin) * (ELEMENTS + 1) + 8 * (bin / RESIDUES - first_bin / RESIDUES);
}

/* Tables that all elements need. */
template <bool weighted>
static __device__ void
bring_tables (const EskCudaTensorRows &call,
              unsigned                 turns,
              size_t                   n,
              uint4                   *tables,
              float                   *weights)
{
  const uint4 *from = (const uint4 *) call.tables + FIRST_VECTORS;

  for (size_t k = threadIdx.x; k < n; k += THREADS)
    tables[k] = __ldg (from + k);
  if (weighted)
    for (unsigned k = threadIdx.x; k < turns * RESIDUES; k += THREADS)
      {
        const unsigned lane = k / 4 % WARP, j = 8 * (lane % 4) + k / 128 % 2 * 4 + k % 4;

        weights[k] = __ldg (call.window + 8 * (k / 256) + lane / 4 + turns * j);
      }
}

/* Rows of z of sixteen values of t of an element: those of r = 1 .. 8 and of r = 9 .. 16. */
struct Rows
{
  uint32_t high[2][4], low[2][4];
};

/* y of eight values of t to z; keeps y_0. */
static __device__ __forceinline__ void
turn_rows (const float *y,
           float4       w,
           unsigned     tile,
           unsigned     half,
           float       *first,
           Rows        *rows)
{
  if (tile == 1 && threadIdx.x % WARP / 4 == 7)
    *(float2 *) first = make_float2 (y[2], y[3]);
  split (y[0] * w.x - y[2] * w.y, y[1] * w.z - y[3] * w.w, &rows->high[tile][2 * half], &rows->low[tile][2 * half]);
  split (y[0] * w.y + y[2] * w.x, y[1] * w.w + y[3] * w.z, &rows->high[tile][2 * half + 1],
         &rows->low[tile][2 * half + 1]);
}

/* Sums of four bins 32 m, a part of t, of all elements. A constant, which samples may have much of, has no part in them
 * but in bin 0: it is taken off, so that it leaves no error there. */
static __device__ __forceinline__ void
sum_whole (const float *first,
           const uint4 *factors,
           unsigned     turns,
           unsigned     tiles,
           bool         has_zero,
           float       *whole)
{
  const unsigned lane = threadIdx.x % WARP, g = lane / 4, q = lane % 4, steps = turns / STEP;
  const unsigned tile = threadIdx.x / WARP % MOST_TILES, part = threadIdx.x / WARP / MOST_TILES;
  const float constant[2] = { first[g * (turns + 8)], first[(g + 8) * (turns + 8)] };
  float v[4] = { 0.0f };

  if (tile >= tiles)
    return;
#pragma unroll 2
  for (unsigned step = part * steps / PARTS; step < (part + 1) * steps / PARTS; step++)
    {
      const uint4 b = __ldg (factors + (step * tiles + tile) * WARP + lane);
      uint32_t a[4], rest[4];
      float more[4] = { 0.0f };

#pragma unroll
      for (unsigned k = 0; k < 4; k++)
        {
          const float2 y = *(const float2 *) (first + (g + k % 2 * 8) * (turns + 8) + step * STEP + 2 * q + k / 2 * 8);

          split ((y.x - constant[k % 2]) * (1.0f / SCALE), (y.y - constant[k % 2]) * (1.0f / SCALE), &a[k], &rest[k]);
        }
      multiply (more, rest, b.x, b.y);
      multiply (more, a, b.z, b.w);
      multiply (more, a, b.x, b.y);
#pragma unroll
      for (unsigned k = 0; k < 4; k++)
        v[k] += more[k];
    }
  if (has_zero && tile == 0 && q == 0 && part == 0)
    {
      v[0] += constant[0] * ((float) turns / SCALE);
      v[2] += constant[1] * ((float) turns / SCALE);
    }
#pragma unroll
  for (unsigned k = 0; k < 4; k++)
    whole[part * WHOLE + ((4 * tile + q) * 2 + k % 2) * ELEMENTS + g + k / 2 * 8] = v[k];
}

/* A part of bin 32 m of four elements, of what sum_whole () left. */
static __device__ __forceinline__ void
write_whole (const EskCudaTensorRows &call,
             const float             *whole,
             unsigned                 row,
             unsigned                 element,
             float                   *to)
{
  const unsigned bin = call.first_bin + row / 2, m = bin / RESIDUES - call.first_bin / RESIDUES;
  const float scale = (bin == 0 || bin == call.length / 2 ? 0.70710678118654752440f : 1.0f)
                      * (row % 2 == 0 ? SCALE : -SCALE);

  whole += (m * 2 + row % 2) * ELEMENTS + element % ELEMENTS;
  for (unsigned e = 0; e < 4; e++)
    {
      float sum = 0.0f;

      for (unsigned part = 0; part < PARTS; part++)
        sum += whole[part * WHOLE + e];
      to[e] = element + e < call.elements ? sum * scale * __ldg (call.gains + element + e) : 0.0f;
    }
}

/* An element's bins to their places in shared memory. */
template <unsigned tiles>
static __device__ __forceinline__ void
put_bins (const EskCudaTensorRows &call,
          float                    sums[2][tiles][4],
          float                    gain,
          float                   *bins,
          unsigned                 part)
{
  const unsigned g = threadIdx.x % WARP / 4, q = threadIdx.x % 4, m = call.first_bin / RESIDUES + q;
  /* Bins 32 m + r and 32 (m + 1) - r, from r = g + 1 and the first m on. */
  const unsigned up = m * RESIDUES + g + 1 - call.first_bin, down = (m + 1) * RESIDUES - (g + 1) - call.first_bin;
  float *upwards = bins + (int) up * (ELEMENTS + 1) + 8 * (int) q;
  float *downwards = bins + (int) down * (ELEMENTS + 1) + 8 * (int) q;

#pragma unroll
  for (unsigned tile = 0; tile < 2; tile++)
#pragma unroll
    for (unsigned n = 0; n < tiles; n++)
      {
        const float *v = sums[tile][n];
        const bool last = tile == 1 && g == 7;
        const int to = n * (4 * RESIDUES * (ELEMENTS + 1) + 32), by = tile * 8 * (ELEMENTS + 1);

        if (up + n * 4 * RESIDUES + tile * 8 < call.bins)
          {
            upwards[to + by] = (last ? v[0] : v[0] + v[3]) * gain;
            upwards[to + by + (int) part] = (last ? -v[1] : v[2] - v[1]) * gain;
          }
        if (down + n * 4 * RESIDUES - tile * 8 < call.bins && !last)
          {
            downwards[to - by] = (v[0] - v[3]) * gain;
            downwards[to - by + (int) part] = (v[2] + v[1]) * -gain;
          }
      }
}

template <unsigned tiles, bool weighted>
static __global__ void
__launch_bounds__ (THREADS, 1)
tensor_rows (EskCudaTensorRows call,
             TensorShape       shape)
{
  extern __shared__ uint4 shared[];
  const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, q = lane % 4;
  const unsigned turns = (unsigned) (call.length / RESIDUES), steps = turns / STEP;
  const unsigned of_snapshot = (unsigned) (call.stride / ELEMENTS), groups = of_snapshot * (unsigned) call.snapshots;
  const size_t n_tables = TURN_VECTORS (turns) + SECOND_VECTORS (turns, tiles);
  const size_t apart = (size_t) turns * sizeof (int16_t) * (size_t) call.frames.frame_stride;
  const int shift = 31 - __clz ((int) turns);
  const float4 *turn = (const float4 *) ((char *) shared + shape.turns);
  const float4 *weights = (const float4 *) ((char *) shared + shape.weights) + lane;
  const uint4 *second = (const uint4 *) ((char *) shared + shape.second);
  uint4 *samples = (uint4 *) ((char *) shared + shape.samples);
  float *first = (float *) ((char *) shared + shape.first), *whole = (float *) ((char *) shared + shape.whole);
  float *bins = (float *) ((char *) shared + shape.bins);
  uint32_t *found = (uint32_t *) ((char *) shared + shape.found);
  /* Whether a buffer is filled, and whether it was read, which it is a round later. */
  uint64_t *full = (uint64_t *) ((char *) shared + shape.barriers), *read = full + 4;
  unsigned here = 0, round = 0;
  uint4 matrix[2][2][2];
  Loader loader;
  Findings findings;

  bring_tables<weighted> (call, turns, n_tables, shared, (float *) ((char *) shared + shape.weights));
#pragma unroll
  for (unsigned k = 0; k < 8; k++)
    matrix[k / 4][k / 2 % 2][k % 2] = __ldg ((const uint4 *) call.tables + k * WARP + lane);
  if (threadIdx.x < 2 * ELEMENTS)
    found[threadIdx.x] = 0;
  if (threadIdx.x < BUFFERS (weighted))
    {
      barrier_init (&full[threadIdx.x]);
      barrier_init (&read[threadIdx.x]);
    }
  findings.clear ();
  loader.start (call, blockIdx.x);
  loader.ask (call, turns, shift, apart);
  __syncthreads ();
  loader.keep (call, samples);
  barrier_arrive (&full[0]);
  findings.look_at (loader.two);
  loader.ask (call, turns, shift, apart);

  for (unsigned group = blockIdx.x; group < groups; group += gridDim.x)
    {
      const unsigned snapshot = group / of_snapshot, element = group % of_snapshot * ELEMENTS;
      float sums[2][tiles][4] = { { { 0.0f } } };

      for (unsigned step = 0; step < steps; step++)
        {
          const unsigned next = here + 1 < BUFFERS (weighted) ? here + 1 : 0, next_round = round ^ (next == 0);
          const uint4 *own = samples + here * (ELEMENTS * STEP * 4);
          Rows rows;

          /* What is found of this group is complete; the next step may be another's. */
          if (step + 1 == steps && call.health != NULL)
            findings.tell (found);
          barrier_wait (&read[next], next_round ^ 1);
          loader.keep (call, samples + next * (ELEMENTS * STEP * 4));
          barrier_arrive (&full[next]);
          findings.look_at (loader.two);
          loader.ask (call, turns, shift, apart);
          barrier_wait (&full[here], round);

#pragma unroll
          for (unsigned half = 0; half < 2; half++)
            {
              const unsigned eight = step * 2 + half;
              uint32_t x[4], rest[4];

              split_samples<weighted> (kept_samples (own, warp, half), weights + eight * 2 * WARP, x, rest);
#pragma unroll
              for (unsigned tile = 0; tile < 2; tile++)
                {
                  float y[4] = { 0.0f };

                  /* Small ones first. */
#pragma unroll
                  for (unsigned k = 0; k < 2; k++)
                    {
                      multiply (y, &matrix[tile][k][1].x, x[2 * k], x[2 * k + 1]);
                      multiply (y, &matrix[tile][k][0].x, rest[2 * k], rest[2 * k + 1]);
                    }
#pragma unroll
                  for (unsigned k = 0; k < 2; k++)
                    multiply (y, &matrix[tile][k][0].x, x[2 * k], x[2 * k + 1]);
                  turn_rows (y, turn[(eight * 2 + tile) * WARP + lane], tile, half,
                             first + warp * (turns + 8) + eight * 8 + 2 * q, &rows);
                }
            }
#pragma unroll
          for (unsigned n = 0; n < tiles; n++)
            {
              const uint4 factors = second[(step * tiles + n) * WARP + lane];

#pragma unroll
              for (unsigned tile = 0; tile < 2; tile++)
                {
                  float more[4] = { 0.0f };

                  multiply (more, rows.low[tile], factors.x, factors.y);
                  multiply (more, rows.high[tile], factors.z, factors.w);
                  multiply (more, rows.high[tile], factors.x, factors.y);
#pragma unroll
                  for (unsigned k = 0; k < 4; k++)
                    sums[tile][n][k] += more[k];
                }
            }
          barrier_arrive (&read[here]);
          here = next;
          round = next_round;
        }
      __syncthreads ();

      if (call.health != NULL && threadIdx.x < ELEMENTS)
        {
          const EskFindings all = { 0, found[ELEMENTS + threadIdx.x], (uint32_t) call.window_length,
                                    (float) found[threadIdx.x] };

          if (element + threadIdx.x < call.elements)
            esk_tell_health<int16_t> (&call.health[element + threadIdx.x], &all);
          found[threadIdx.x] = found[ELEMENTS + threadIdx.x] = 0;
        }
      put_bins<tiles> (call, sums, element + warp < call.elements ? __ldg (call.gains + element + warp) * SCALE : 0.0f,
                       bins + warp, shape.part);
      sum_whole (first, (const uint4 *) call.tables + FIRST_VECTORS + n_tables, turns, tiles,
                 call.first_bin < RESIDUES, whole);
      __syncthreads ();
      for (unsigned row = threadIdx.x / 4; row < 2 * call.bins; row += THREADS / 4)
        {
          const unsigned bin = call.first_bin + row / 2, of = threadIdx.x % 4 * 4;
          const float *from = bins + row % 2 * shape.part + bin_place (bin, call.first_bin) + of;
          float *to = call.values + (((size_t) (row / 2) * call.snapshots + snapshot) * 2 + row % 2) * call.stride
                      + element + of;

          if (bin % RESIDUES != 0)
            *(float4 *) to = make_float4 (from[0], from[1], from[2], from[3]);
          else
            write_whole (call, whole, row, element + of, to);
        }
    }
}

/* ---- calls ---- */

typedef void (*TensorKernel) (EskCudaTensorRows call, TensorShape shape);

template <bool weighted>
static TensorKernel
kernel_of (unsigned tiles)
{
  switch (tiles)
    {
    case 1:
      return tensor_rows<1, weighted>;
    case 2:
      return tensor_rows<2, weighted>;
    case 3:
      return tensor_rows<3, weighted>;
    default:
      return tensor_rows<4, weighted>;
    }
}

bool
esk_cuda_tensor_dft_suits (const EskStream *stream,
                           size_t           length,
                           size_t           first_bin,
                           size_t           bins,
                           bool             weighted)
{
  const EskCudaProperties *properties = esk_cuda_properties (stream);

  return properties->major >= 9 && (length == 2048 || length == 4096 || length == 8192)
         && esk_cuda_tensor_dft_tiles (first_bin, bins) <= MOST_TILES
         && tensor_shape (length, (unsigned) first_bin, (unsigned) bins, weighted).bytes <= properties->shared_optin;
}

bool
esk_cuda_suits_tensor_rows (const EskStream         *stream,
                            const EskCudaTensorRows *call)
{
  const size_t groups = call->stride / ELEMENTS * call->snapshots;

  return call->frames.type == ESK_I16 && call->frames.channel_stride == 1 && call->frames.frame_stride > 1
         && call->frames.frame_stride % 2 == 0 && call->elements % 2 == 0 && (uintptr_t) call->frames.data % 4 == 0
         && 5 * groups >= 2 * (size_t) esk_cuda_properties (stream)->multiprocessors && groups <= INT_MAX / 2;
}

int
esk_cuda_tensor_dft (EskStream               *stream,
                     const EskCudaTensorRows *call)
{
  const bool weighted = call->window != NULL;
  const unsigned tiles = esk_cuda_tensor_dft_tiles (call->first_bin, call->bins);
  const TensorShape shape = tensor_shape (call->length, call->first_bin, call->bins, weighted);
  const TensorKernel kernel = weighted ? kernel_of<true> (tiles) : kernel_of<false> (tiles);
  const size_t groups = call->stride / ELEMENTS * call->snapshots;
  const size_t most = (size_t) esk_cuda_properties (stream)->multiprocessors;
  int code = esk_cuda_check (stream, cudaFuncSetAttribute (kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                           (int) shape.bytes), "transforms");

  if (code != ESK_OK)
    return code;
  kernel<<<(unsigned) (groups < most ? groups : most), THREADS, shape.bytes, stream->stream>>> (*call, shape);

  return esk_cuda_launched (stream, "transforms");
}
