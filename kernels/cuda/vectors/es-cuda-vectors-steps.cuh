/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Steps over vectors, element by element, with sums of what they make. A step says of its own type:
 *
 *   Number               float or double
 *   N_IN, N_OUT, N_SUMS  vectors that are read and written, sums
 *   LARGEST              whether these are maxima
 *   in, out              the vectors
 *   begin ()             brings numbers that lie on the device into `coefficient`, of a thread's own copy of the step
 *   apply (i, o, sums)   one element of each
 *
 * A thread reads 16 bytes of each vector at a time; an element's own thread alone writes it, after it has read all. The
 * first are on their way while begin () waits for its numbers.
 */

#include "cuda/core/es-cuda-slots.cuh"

#include "es-cuda-vectors-private.h"

template <typename T>
struct EskPack {
  static constexpr int N = 16 / sizeof (T);
  T v[N];
};

static __device__ __forceinline__ void
esk_pack_read (EskPack<float> &pack,
               const float    *from)
{
  const float4 all = *(const float4 *) from;

  pack.v[0] = all.x;
  pack.v[1] = all.y;
  pack.v[2] = all.z;
  pack.v[3] = all.w;
}

static __device__ __forceinline__ void
esk_pack_read (EskPack<double> &pack,
               const double    *from)
{
  const double2 all = *(const double2 *) from;

  pack.v[0] = all.x;
  pack.v[1] = all.y;
}

static __device__ __forceinline__ void
esk_pack_write (const EskPack<float> &pack,
                float                *to)
{
  *(float4 *) to = make_float4 (pack.v[0], pack.v[1], pack.v[2], pack.v[3]);
}

static __device__ __forceinline__ void
esk_pack_write (const EskPack<double> &pack,
                double                *to)
{
  *(double2 *) to = make_double2 (pack.v[0], pack.v[1]);
}

/* The same of what nobody reads before much else has been: it leaves the cache to others. */
static __device__ __forceinline__ void
esk_pack_read_once (EskPack<float> &pack,
                    const float    *from)
{
  const float4 all = __ldcs ((const float4 *) from);

  pack.v[0] = all.x;
  pack.v[1] = all.y;
  pack.v[2] = all.z;
  pack.v[3] = all.w;
}

static __device__ __forceinline__ void
esk_pack_read_once (EskPack<double> &pack,
                    const double    *from)
{
  const double2 all = __ldcs ((const double2 *) from);

  pack.v[0] = all.x;
  pack.v[1] = all.y;
}

static __device__ __forceinline__ void
esk_pack_write_once (const EskPack<float> &pack,
                     float                *to)
{
  __stcs ((float4 *) to, make_float4 (pack.v[0], pack.v[1], pack.v[2], pack.v[3]));
}

static __device__ __forceinline__ void
esk_pack_write_once (const EskPack<double> &pack,
                     double                *to)
{
  __stcs ((double2 *) to, make_double2 (pack.v[0], pack.v[1]));
}

/* How a step goes through its vectors; said otherwise of steps that know what comes before and after them.
 *
 *   BACKWARD         from the last element to the first: what the launch before has written last is still in the cache
 *   ONCE_IN, ONCE_OUT  bits of vectors, 1 << index, that nobody reads before much else has been */
template <typename Step>
struct EskStepOrder {
  static constexpr bool BACKWARD = false;
  static constexpr unsigned ONCE_IN = 0, ONCE_OUT = 0;
};

static __device__ __forceinline__ double
esk_scalar_of (const EskScalar &scalar)
{
  double value = 1.0;

#pragma unroll
  for (int i = 0; i < 2; i++)
    {
      const double over = scalar.over[i] != NULL ? *scalar.over[i] : 1.0;
      const double under = scalar.under[i] != NULL ? *scalar.under[i] : 1.0;

      value *= under == 0.0 ? 0.0 : over / under;
    }

  return scalar.factor * (scalar.root ? sqrt (value) : value);
}

template <typename Step>
static __device__ __forceinline__ void
esk_step_read (const Step                           &step,
               size_t                                i,
               EskPack<typename Step::Number>      (&in)[Step::N_IN + 1])
{
#pragma unroll
  for (int k = 0; k < Step::N_IN; k++)
    if ((EskStepOrder<Step>::ONCE_IN >> k & 1) != 0)
      esk_pack_read_once (in[k], step.in[k] + i);
    else
      esk_pack_read (in[k], step.in[k] + i);
}

/* What has been read of elements from i on. */
template <typename Step>
static __device__ __forceinline__ void
esk_step_some (const Step                                &step,
               size_t                                     i,
               const EskPack<typename Step::Number>     (&in)[Step::N_IN + 1],
               double                                   (&sums)[Step::N_SUMS + 1])
{
  using T = typename Step::Number;
  constexpr int N = EskPack<T>::N;
  EskPack<T> out[Step::N_OUT + 1];

#pragma unroll
  for (int e = 0; e < N; e++)
    {
      T from[Step::N_IN + 1], to[Step::N_OUT + 1];

#pragma unroll
      for (int k = 0; k < Step::N_IN; k++)
        from[k] = in[k].v[e];
      step.apply (from, to, sums);
#pragma unroll
      for (int k = 0; k < Step::N_OUT; k++)
        out[k].v[e] = to[k];
    }
#pragma unroll
  for (int k = 0; k < Step::N_OUT; k++)
    if ((EskStepOrder<Step>::ONCE_OUT >> k & 1) != 0)
      esk_pack_write_once (out[k], step.out[k] + i);
    else
      esk_pack_write (out[k], step.out[k] + i);
}

/* The last elements, fewer than a pack. */
template <typename Step>
static __device__ __forceinline__ void
esk_step_rest (const Step &step,
               size_t      i,
               size_t      n,
               double    (&sums)[Step::N_SUMS + 1])
{
  using T = typename Step::Number;

  for (; i < n; i++)
    {
      T from[Step::N_IN + 1], to[Step::N_OUT + 1];

#pragma unroll
      for (int k = 0; k < Step::N_IN; k++)
        from[k] = step.in[k][i];
      step.apply (from, to, sums);
#pragma unroll
      for (int k = 0; k < Step::N_OUT; k++)
        step.out[k][i] = to[k];
    }
}

template <typename Step>
static __global__ void __launch_bounds__ (ESK_SLOTS_THREADS)
esk_step_kernel (Step         step,
                 size_t       n,
                 EskCudaSlots room)
{
  using T = typename Step::Number;
  constexpr size_t N = EskPack<T>::N;
  const size_t n_packs = n / N, stride = (size_t) gridDim.x * ESK_SLOTS_THREADS;
  size_t pack = (size_t) blockIdx.x * ESK_SLOTS_THREADS + threadIdx.x;
  const bool is_rest = pack == n_packs % stride && n % N != 0;
  EskPack<T> in[Step::N_IN + 1];
  double sums[Step::N_SUMS + 1];

#pragma unroll
  for (int d = 0; d <= Step::N_SUMS; d++)
    sums[d] = 0.0;
  if (pack < n_packs)
    esk_step_read (step, (EskStepOrder<Step>::BACKWARD ? n_packs - 1 - pack : pack) * N, in);
  step.begin ();
  while (pack < n_packs)
    {
      esk_step_some (step, (EskStepOrder<Step>::BACKWARD ? n_packs - 1 - pack : pack) * N, in, sums);
      pack += stride;
      if (pack < n_packs)
        esk_step_read (step, (EskStepOrder<Step>::BACKWARD ? n_packs - 1 - pack : pack) * N, in);
    }
  if (is_rest)
    esk_step_rest (step, n_packs * N, n, sums);

  if constexpr (Step::N_SUMS > 0)
    {
      double wanted[Step::N_SUMS];

#pragma unroll
      for (int d = 0; d < Step::N_SUMS; d++)
        wanted[d] = sums[d];
      esk_slots_finish<Step::N_SUMS, Step::LARGEST> (wanted, room);
    }
}

/* Blocks of a launch of `kernel` over n elements, so many of them a thread at a time. */
template <typename Kernel>
static inline int
esk_step_blocks (EskStream *stream,
                 Kernel     kernel,
                 size_t     n,
                 size_t     of_thread,
                 size_t    *n_blocks)
{
  return esk_slots_blocks (stream, kernel, (n + ESK_SLOTS_THREADS * of_thread - 1) / (ESK_SLOTS_THREADS * of_thread),
                           n_blocks);
}

/* slots: of sums, where there are any. */
template <typename Step>
static int
esk_step_run (EskStream  *stream,
              const Step &step,
              size_t      n,
              double     *slots,
              const char *what)
{
  EskCudaSlots room = { NULL, NULL, NULL };
  size_t n_blocks;
  int code;

  if (n == 0 && Step::N_SUMS == 0)
    return ESK_OK;
  code = esk_step_blocks (stream, esk_step_kernel<Step>, n, EskPack<typename Step::Number>::N, &n_blocks);
  if (code == ESK_OK && Step::N_SUMS > 0)
    code = esk_cuda_slots (stream, n_blocks, Step::N_SUMS, slots, &room);
  if (code != ESK_OK)
    return code;
  esk_step_kernel<Step><<<(unsigned) n_blocks, ESK_SLOTS_THREADS, 0, stream->stream>>> (step, n, room);

  return esk_cuda_launched (stream, what);
}
