/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * How the kernels of products read and write. Numbers of a matrix are read once: they leave the first level of the
 * cache to x.
 */

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#define ESK_SPARSE_FULL 0xffffffffu

static __device__ __forceinline__ int32_t
esk_sparse_read (const int32_t *from)
{
  int32_t value;

  asm ("ld.global.nc.L1::no_allocate.s32 %0, [%1];" : "=r" (value) : "l" (from));
  return value;
}

static __device__ __forceinline__ float
esk_sparse_read (const float *from)
{
  float value;

  asm ("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f" (value) : "l" (from));
  return value;
}

static __device__ __forceinline__ double
esk_sparse_read (const double *from)
{
  double value;

  asm ("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d" (value) : "l" (from));
  return value;
}

/*
 * The same of a matrix whose vectors the next launches read: its numbers are the first to leave the second level of the
 * cache, too, from 8.0 on. once: of esk_sparse_once ().
 */
static __device__ __forceinline__ uint64_t
esk_sparse_once (void)
{
  uint64_t once = 0;

#if __CUDA_ARCH__ >= 800
  asm ("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l" (once));
#endif
  return once;
}

static __device__ __forceinline__ int32_t
esk_sparse_read_once (const int32_t *from,
                      uint64_t       once)
{
#if __CUDA_ARCH__ >= 800
  int32_t value;

  asm ("ld.global.nc.L1::no_allocate.L2::cache_hint.s32 %0, [%1], %2;" : "=r" (value) : "l" (from), "l" (once));
  return value;
#else
  (void) once;
  return esk_sparse_read (from);
#endif
}

static __device__ __forceinline__ float
esk_sparse_read_once (const float *from,
                      uint64_t     once)
{
#if __CUDA_ARCH__ >= 800
  float value;

  asm ("ld.global.nc.L1::no_allocate.L2::cache_hint.f32 %0, [%1], %2;" : "=f" (value) : "l" (from), "l" (once));
  return value;
#else
  (void) once;
  return esk_sparse_read (from);
#endif
}

static __device__ __forceinline__ double
esk_sparse_read_once (const double *from,
                      uint64_t      once)
{
#if __CUDA_ARCH__ >= 800
  double value;

  asm ("ld.global.nc.L1::no_allocate.L2::cache_hint.f64 %0, [%1], %2;" : "=d" (value) : "l" (from), "l" (once));
  return value;
#else
  (void) once;
  return esk_sparse_read (from);
#endif
}

/* Either. */
template <bool ONCE, typename N>
static __device__ __forceinline__ N
esk_sparse_read_as (const N  *from,
                    uint64_t  once)
{
  if constexpr (ONCE)
    return esk_sparse_read_once (from, once);
  else
    return esk_sparse_read (from);
}

/* 16 bytes of values and their columns, 4 of float32 or 2 of float64; both at multiples of so many. */
static __device__ __forceinline__ void
esk_sparse_read_some (const float   *value,
                      const int32_t *column,
                      float        (&v)[4],
                      int32_t      (&c)[4])
{
  asm ("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4];"
       : "=f" (v[0]), "=f" (v[1]), "=f" (v[2]), "=f" (v[3]) : "l" (value));
  asm ("ld.global.nc.L1::no_allocate.v4.s32 {%0, %1, %2, %3}, [%4];"
       : "=r" (c[0]), "=r" (c[1]), "=r" (c[2]), "=r" (c[3]) : "l" (column));
}

static __device__ __forceinline__ void
esk_sparse_read_some (const double  *value,
                      const int32_t *column,
                      double       (&v)[2],
                      int32_t      (&c)[2])
{
  asm ("ld.global.nc.L1::no_allocate.v2.f64 {%0, %1}, [%2];" : "=d" (v[0]), "=d" (v[1]) : "l" (value));
  asm ("ld.global.nc.L1::no_allocate.v2.s32 {%0, %1}, [%2];" : "=r" (c[0]), "=r" (c[1]) : "l" (column));
}

/* The same to shared memory, at a multiple of 16 bytes. */
static __device__ __forceinline__ void
esk_sparse_keep_some (float        *to,
                      const float (&v)[4])
{
  *(float4 *) to = make_float4 (v[0], v[1], v[2], v[3]);
}

static __device__ __forceinline__ void
esk_sparse_keep_some (double        *to,
                      const double (&v)[2])
{
  *(double2 *) to = make_double2 (v[0], v[1]);
}

/* y[row] = alpha sum + beta y[row]; beta 0: y is not read. */
template <typename T>
static __device__ __forceinline__ void
esk_sparse_put (T      *y,
                size_t  row,
                T       sum,
                T       alpha,
                T       beta)
{
  T value = alpha * sum;

  if (beta != T (0))
    value += beta * y[row];
  y[row] = value;
}

/* Of `lanes` neighbouring lanes, a power of two, the same in each; all lanes of the warp take part. */
template <typename T>
static __device__ __forceinline__ T
esk_sparse_sum_lanes (T        sum,
                      unsigned lanes)
{
  for (unsigned step = lanes / 2; step > 0; step /= 2)
    sum += __shfl_xor_sync (ESK_SPARSE_FULL, sum, step);
  return sum;
}

/* Of all threads of a block of THREADS, told to thread 0. */
template <typename T, int THREADS>
static __device__ __forceinline__ T
esk_sparse_sum_block (T sum)
{
  __shared__ T sums[THREADS / 32];

  sum = esk_sparse_sum_lanes (sum, 32);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = sum;
  __syncthreads ();
  if (threadIdx.x == 0)
    for (int w = 1; w < THREADS / 32; w++)
      sum += sums[w];
  return sum;
}
