/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Transforms of 2,048, 4,096 or 8,192 samples that go from rows of samples to the bins that are wanted in one pass: a
 * library's write all bins of all elements to memory, of which few are read again.
 *
 * Two neighbouring samples are one complex number, so that M = N / 2 of them are transformed: M = 16 x 16 x R with R of
 * 4, 8 or 16, in three steps between which they lie in shared memory; a thread has 16 of them. With n = t + 16 R j and
 * t = u + R v, k = k1 + 16 k2 + 256 k3: 16 over j to k1, 16 over v to k2, R over u to k3. The bin k of the real samples
 * is then made of the numbers k and M - k, and only of bins that are wanted. A block has several elements one after the
 * other, whose bins are written together.
 *
 * Predicted for 16,384 elements of 8,000 samples of 16 bits on an H200: 0.14 ms for the samples' way to rows, and
 * 0.2 ms here, 1,250 instructions a thread. Measured on an H100: 0.19 and 0.37 ms, instructions being issued in 40 % of
 * the cycles of 24 warps, which wait for shared memory and for one another; by cuFFT all was 0.75 ms.
 */

#include "es-cuda-arrays-private.h"

#include <math.h>
#include <stdlib.h>

/* Of one thread. */
#define POINTS 16
/* Elements of a block. */
#define ELEMENTS 4
/* Bins of a block's elements in shared memory, at most. */
#define MOST_BIN_BYTES ((size_t) 48 << 10)

/* --- small transforms, e^(-j), in natural order ------------------------------------------------------------------ */

/* lab: fourier-production */
static __device__ __forceinline__ float2
times (float2 a,
       float2 b)
{
  return make_float2 (a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

static __device__ __forceinline__ float2
plus (float2 a,
      float2 b)
{
  return make_float2 (a.x + b.x, a.y + b.y);
}

static __device__ __forceinline__ float2
minus (float2 a,
       float2 b)
{
  return make_float2 (a.x - b.x, a.y - b.y);
}

static __device__ __forceinline__ void
transform_4 (float2 &a,
             float2 &b,
             float2 &c,
             float2 &d)
{
  const float2 s = plus (a, c), t = minus (a, c), u = plus (b, d), v = minus (b, d);

  a = plus (s, u);
  b = make_float2 (t.x + v.y, t.y - v.x);
  c = minus (s, u);
  d = make_float2 (t.x - v.y, t.y + v.x);
}

/* e^(-2 pi j k / 16) times z. */
template <int k>
static __device__ __forceinline__ float2
turn (float2 z)
{
  constexpr float c = 0.92387953251128674f, s = 0.38268343236508977f, h = 0.70710678118654752f;

  if (k == 0)
    return z;
  if (k == 1)
    return make_float2 (z.x * c + z.y * s, z.y * c - z.x * s);
  if (k == 2)
    return make_float2 ((z.x + z.y) * h, (z.y - z.x) * h);
  if (k == 3)
    return make_float2 (z.x * s + z.y * c, z.y * s - z.x * c);
  if (k == 4)
    return make_float2 (z.y, -z.x);
  if (k == 6)
    return make_float2 ((z.y - z.x) * h, -(z.x + z.y) * h);

  /* 9 */
  return make_float2 (-z.x * c - z.y * s, -z.y * c + z.x * s);
}

template <int n>
struct Transform;

template <>
struct Transform<4>
{
  static __device__ __forceinline__ void
  run (float2 *z)
  {
    transform_4 (z[0], z[1], z[2], z[3]);
  }
};

template <>
struct Transform<8>
{
  static __device__ __forceinline__ void
  run (float2 *z)
  {
    transform_4 (z[0], z[2], z[4], z[6]);
    transform_4 (z[1], z[3], z[5], z[7]);
    z[3] = turn<2> (z[3]);
    z[5] = turn<4> (z[5]);
    z[7] = turn<6> (z[7]);

    const float2 even[4] = { z[0], z[2], z[4], z[6] }, odd[4] = { z[1], z[3], z[5], z[7] };
#pragma unroll
    for (int q = 0; q < 4; q++)
      {
        z[q] = plus (even[q], odd[q]);
        z[q + 4] = minus (even[q], odd[q]);
      }
  }
};

template <>
struct Transform<16>
{
  static __device__ __forceinline__ void
  run (float2 *z)
  {
#pragma unroll
    for (int i = 0; i < 4; i++)
      transform_4 (z[i], z[i + 4], z[i + 8], z[i + 12]);
    z[5] = turn<1> (z[5]);
    z[9] = turn<2> (z[9]);
    z[13] = turn<3> (z[13]);
    z[6] = turn<2> (z[6]);
    z[10] = turn<4> (z[10]);
    z[14] = turn<6> (z[14]);
    z[7] = turn<3> (z[7]);
    z[11] = turn<6> (z[11]);
    z[15] = turn<9> (z[15]);
#pragma unroll
    for (int q = 0; q < 4; q++)
      transform_4 (z[4 * q], z[4 * q + 1], z[4 * q + 2], z[4 * q + 3]);

    /* z[4 q + p] is k = q + 4 p. */
    float2 out[16];
#pragma unroll
    for (int q = 0; q < 4; q++)
#pragma unroll
      for (int p = 0; p < 4; p++)
        out[q + 4 * p] = z[4 * q + p];
#pragma unroll
    for (int k = 0; k < 16; k++)
      z[k] = out[k];
  }
};

/* z[k] times w^k, of w, w^2, w^4 and w^8. */
static __device__ __forceinline__ void
turn_all (float2 *z,
          float2  w1,
          float2  w2,
          float2  w4,
          float2  w8)
{
  const float2 w3 = times (w1, w2), w5 = times (w1, w4), w6 = times (w2, w4), w7 = times (w3, w4);

  z[1] = times (z[1], w1);
  z[2] = times (z[2], w2);
  z[3] = times (z[3], w3);
  z[4] = times (z[4], w4);
  z[5] = times (z[5], w5);
  z[6] = times (z[6], w6);
  z[7] = times (z[7], w7);
  z[8] = times (z[8], w8);
  z[9] = times (z[9], times (w1, w8));
  z[10] = times (z[10], times (w2, w8));
  z[11] = times (z[11], times (w3, w8));
  z[12] = times (z[12], times (w4, w8));
  z[13] = times (z[13], times (w5, w8));
  z[14] = times (z[14], times (w6, w8));
  z[15] = times (z[15], times (w7, w8));
}
/* lab end */

/* --- a block ------------------------------------------------------------------------------------------------------ */

/* Complex numbers of shared memory: the rows of either exchange, with gaps against conflicts of banks. */
template <int R>
struct Shape
{
  static constexpr int threads = 16 * R, points = 256 * R, length = 512 * R;
  static constexpr int gap = R < 16 ? R : 0;
  static constexpr int first = 16 * (threads + gap), second = 256 * (R + 1);
  static constexpr int numbers = first > second ? first : second;
  static constexpr int turns = 4 * (threads + R);
};

/* Two samples of a row as they lie there. */
template <typename Row> struct Two;
template <> struct Two<float>
{
  typedef float2 Type;
};
template <> struct Two<int16_t>
{
  typedef unsigned Type;
};

/* Asks for a thread's samples of a row. */
template <int R, typename Row>
static __device__ __forceinline__ void
ask_for (typename Two<Row>::Type *two,
         const EskCudaOwnRows    &call,
         size_t                   row)
{
  typedef typename Two<Row>::Type Type;
  const Type *from = (const Type *) call.rows + row * Shape<R>::points + threadIdx.x;

#pragma unroll
  for (int j = 0; j < POINTS; j++)
    two[j] = __ldcs (from + Shape<R>::threads * j);
}

/* Two samples as one number: weighted ones, or short ones, which are weighted here. */
static __device__ __forceinline__ float2
number_of (float2                two,
           unsigned              n,
           const EskCudaOwnRows &call)
{
  return two;
}

static __device__ __forceinline__ float2
number_of (unsigned              two,
           unsigned              n,
           const EskCudaOwnRows &call)
{
  const float2 x = make_float2 ((float) (int16_t) two, (float) (int16_t) (two >> 16));
  float2 weight;

  if (call.window == NULL)
    return x;
  weight = __ldg ((const float2 *) call.window + n);

  return make_float2 (x.x * weight.x, x.y * weight.y);
}

/* w, w^2, w^4 and w^8 of every t and, behind them, of every u: W_M^t and W_16R^u. */
template <int R>
static __device__ void
bring_turns (const EskCudaOwnRows &call,
             float2               *turns)
{
  const unsigned t = threadIdx.x;

#pragma unroll
  for (unsigned k = 0; k < 4; k++)
    {
      turns[k * Shape<R>::threads + t] = __ldg (call.turns + (2 * t << k));
      if (t < R)
        turns[4 * Shape<R>::threads + k * R + t] = __ldg (call.turns + (32 * t << k));
    }
}

/* lab: fourier-production */
template <int R, typename Row>
static __global__ void
__launch_bounds__ (16 * R, 48 / R)
transform_rows (EskCudaOwnRows call)
{
  typedef Shape<R> Own;
  typedef typename Two<Row>::Type Type;
  extern __shared__ float2 numbers[];
  float2 *turns = numbers + Own::numbers, *bins = turns + Own::turns;
  const unsigned t = threadIdx.x, k1 = t / R, u = t % R;
  const size_t first = (size_t) blockIdx.x * ELEMENTS, snapshot = blockIdx.y;
  const float2 *of_t = turns + t, *of_u = turns + 4 * Own::threads + u;
  /* Of short rows the next element's are on their way while bins are made; for others there are no registers. */
  constexpr bool early = sizeof (Row) == 2;
  Type two[POINTS];

  bring_turns<R> (call, turns);
  if (early && first < call.elements)
    ask_for<R, Row> (two, call, snapshot * call.elements + first);
  __syncthreads ();
  for (unsigned e = 0; e < ELEMENTS && first + e < call.elements; e++)
    {
      const float gain = sizeof (Row) == 2 ? __ldg (call.gains + call.first_element + first + e) : 1.0f;
      float2 z[POINTS];

      if (!early)
        ask_for<R, Row> (two, call, snapshot * call.elements + first + e);
#pragma unroll
      for (int j = 0; j < 16; j++)
        z[j] = number_of (two[j], t + Own::threads * j, call);
      Transform<16>::run (z);
      turn_all (z, of_t[0], of_t[Own::threads], of_t[2 * Own::threads], of_t[3 * Own::threads]);
#pragma unroll
      for (int k = 0; k < 16; k++)
        numbers[k * (Own::threads + Own::gap) + t] = z[k];
      __syncthreads ();

#pragma unroll
      for (int v = 0; v < 16; v++)
        z[v] = numbers[k1 * (Own::threads + Own::gap) + u + R * v];
      Transform<16>::run (z);
      turn_all (z, of_u[0], of_u[R], of_u[2 * R], of_u[3 * R]);
      __syncthreads ();
#pragma unroll
      for (int k = 0; k < 16; k++)
        numbers[(k * 16 + k1) * (R + 1) + u] = z[k];
      __syncthreads ();

#pragma unroll
      for (int i = 0; i < 16 / R; i++)
        {
#pragma unroll
          for (int v = 0; v < R; v++)
            z[i * R + v] = numbers[(t + Own::threads * i) * (R + 1) + v];
          Transform<R>::run (z + i * R);
        }
      __syncthreads ();
#pragma unroll
      for (int i = 0; i < 16 / R; i++)
#pragma unroll
        for (int k3 = 0; k3 < R; k3++)
          numbers[t + Own::threads * i + 256 * k3] = z[i * R + k3];
      if (early && e + 1 < ELEMENTS && first + e + 1 < call.elements)
        ask_for<R, Row> (two, call, snapshot * call.elements + first + e + 1);
      __syncthreads ();

      for (unsigned b = t; b < call.bins; b += Own::threads)
        {
          const unsigned k = call.first_bin + b;
          const float2 one = numbers[k % Own::points], other = numbers[(Own::points - k) % Own::points];
          /* Half of what even and what odd samples have of it. */
          const float2 even = make_float2 (one.x + other.x, one.y - other.y);
          const float2 odd = make_float2 (one.y + other.y, other.x - one.x);
          const float2 turned = times (odd, k < Own::points ? __ldg (call.turns + k) : make_float2 (-1.0f, 0.0f));
          const float half = (k == 0 || k == Own::points ? 0.35355339059327376f : 0.5f) * gain;

          bins[e * call.bins + b] = make_float2 ((even.x + turned.x) * half, (even.y + turned.y) * half);
        }
      __syncthreads ();
    }
  for (unsigned e = first < call.elements ? (unsigned) (call.elements - first) : 0; e < ELEMENTS; e++)
    for (unsigned b = t; b < call.bins; b += Own::threads)
      bins[e * call.bins + b] = make_float2 (0.0f, 0.0f);
  __syncthreads ();

  /* Elements behind the last, up to `end`, are zeros. */
  for (unsigned r = t; r < 2 * call.bins; r += Own::threads)
    {
      const float *from = (const float *) bins + r;
      const unsigned apart = 2 * call.bins;
      float *to = call.values + (((size_t) (r / 2) * call.all_snapshots + call.first_snapshot + snapshot) * 2 + r % 2)
                                * call.stride + call.first_element + first;

      if (call.first_element + first + ELEMENTS <= call.end && call.first_element % ELEMENTS == 0)
        *(float4 *) to = make_float4 (from[0], from[apart], from[2 * apart], from[3 * apart]);
      else
        for (unsigned e = 0; e < ELEMENTS && call.first_element + first + e < call.end; e++)
          to[e] = from[e * apart];
    }
}
/* lab end */

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* Bytes of shared memory; 0: there are no transforms of that length. */
static size_t
shared_bytes (size_t length,
              size_t bins)
{
  size_t numbers = 0;

  if (length == Shape<4>::length)
    numbers = Shape<4>::numbers + Shape<4>::turns;
  else if (length == Shape<8>::length)
    numbers = Shape<8>::numbers + Shape<8>::turns;
  else if (length == Shape<16>::length)
    numbers = Shape<16>::numbers + Shape<16>::turns;

  return numbers > 0 ? (numbers + bins * ELEMENTS) * sizeof (float2) : 0;
}

bool
esk_cuda_own_dft_suits (const EskStream *stream,
                        size_t           length,
                        size_t           bins)
{
  const size_t bytes = shared_bytes (length, bins);

  return bytes > 0 && bins * ELEMENTS * sizeof (float2) <= MOST_BIN_BYTES
         && bytes <= esk_cuda_properties (stream)->shared_optin;
}

float2 *
esk_cuda_own_dft_turns (size_t length)
{
  float2 *turns = (float2 *) reallocarray (NULL, length / 2, sizeof *turns);

  for (size_t k = 0; turns != NULL && k < length / 2; k++)
    {
      const double angle = 2.0 * 3.14159265358979323846 * (double) k / (double) length;

      turns[k] = make_float2 ((float) cos (angle), (float) -sin (angle));
    }

  return turns;
}

template <int R, typename Row>
static int
launch (EskStream            *stream,
        const EskCudaOwnRows *call)
{
  const size_t bytes = shared_bytes (Shape<R>::length, call->bins);
  const size_t elements = call->end - call->first_element;
  int code = esk_cuda_check (stream, cudaFuncSetAttribute (transform_rows<R, Row>,
                                                           cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes),
                             "transforms");

  if (code != ESK_OK)
    return code;
  transform_rows<R, Row><<<dim3 ((unsigned) ((elements + ELEMENTS - 1) / ELEMENTS), (unsigned) call->snapshots),
                           Shape<R>::threads, bytes, stream->stream>>> (*call);

  return esk_cuda_launched (stream, "transforms");
}

int
esk_cuda_own_dft (EskStream            *stream,
                  size_t                length,
                  bool                  is_short,
                  const EskCudaOwnRows *call)
{
  switch (length)
    {
    case 2048:
      return is_short ? launch<4, int16_t> (stream, call) : launch<4, float> (stream, call);
    case 4096:
      return is_short ? launch<8, int16_t> (stream, call) : launch<8, float> (stream, call);
    case 8192:
      return is_short ? launch<16, int16_t> (stream, call) : launch<16, float> (stream, call);
    default:
      return ESK_ERROR_ARGUMENT;
    }
}
