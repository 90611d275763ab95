/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Products of signed bytes by the four warps of a warp group (wgmma), compute capability 9.0a: sums += a (64 x 32) by
 * b (32 x N). Both operands are rows of 64 bytes in shared memory, in the order that is called a swizzle of 64 bytes.
 * Thread t of the group has of row 16 (t / 32) + t % 32 / 4 + 8 h the columns 8 j + 2 (t % 4) and the next in
 * sums[4 j + 2 h] and the next.
 */

#include <stdint.h>

/* --- shared memory, and barriers in it ------------------------------------------------------------------------ */

static __device__ __forceinline__ uint32_t
shared_address (const void *at)
{
  return (uint32_t) __cvta_generic_to_shared (at);
}

static __device__ __forceinline__ void
barrier_init (uint64_t *barrier, unsigned count)
{
  asm volatile ("mbarrier.init.shared.b64 [%0], %1;" :: "r" (shared_address (barrier)), "r" (count) : "memory");
}

/* Of the thread block `block` of the cluster: what was read there is no longer needed. */
static __device__ __forceinline__ void
barrier_arrive_at (uint64_t *barrier, unsigned block)
{
  asm volatile ("{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, %1; "
                "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; }"
                :: "r" (shared_address (barrier)), "r" (block) : "memory");
}

static __device__ __forceinline__ void
barrier_wait (uint64_t *barrier, unsigned phase)
{
  const uint32_t address = shared_address (barrier);
  uint32_t done;

  do
    asm volatile ("{ .reg .pred p; mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2; "
                  "selp.u32 %0, 1, 0, p; }" : "=r" (done) : "r" (address), "r" (phase) : "memory");
  while (done == 0);
}

static __device__ __forceinline__ void
cluster_sync (void)
{
  asm volatile ("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

static __device__ __forceinline__ uint4
load_vector (uint32_t at)
{
  uint4 x;

  asm volatile ("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r" (x.x), "=r" (x.y), "=r" (x.z), "=r" (x.w) : "r" (at)
                : "memory");
  return x;
}

static __device__ __forceinline__ void
store_vector (uint32_t at, uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
  asm volatile ("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" :: "r" (at), "r" (x), "r" (y), "r" (z), "r" (w) : "memory");
}

/* --- products --------------------------------------------------------------------------------------------------- */

#define ESK_GROUP_ROW 64               /* bytes */

/* Byte at which vector v (16 bytes) of a row lies, from the first row of the operand on. */
static __device__ __forceinline__ uint32_t
group_place (uint32_t row,
             uint32_t vector)
{
  return row * ESK_GROUP_ROW + ((vector ^ (row >> 1 & 3)) << 4);
}

/* What tells the tensor cores where an operand is: its address, 512 bytes from eight rows to the next, the order. */
static __device__ __forceinline__ uint64_t
group_operand (uint32_t address)
{
  return (uint64_t) (address >> 4 & 0x3fff) | (uint64_t) 1 << 16 | (uint64_t) (512 >> 4) << 32 | (uint64_t) 2 << 62;
}

static __device__ __forceinline__ void
group_begin (void)
{
  asm volatile ("wgmma.fence.sync.aligned;" ::: "memory");
}

static __device__ __forceinline__ void
group_commit (void)
{
  asm volatile ("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Until no more than N of what was committed is under way. */
template <int N>
static __device__ __forceinline__ void
group_wait (void)
{
  asm volatile ("wgmma.wait_group.sync.aligned %0;" :: "n" (N) : "memory");
}

/* Operands of the assembler. */
#define ESK_GROUP_FROM_0 \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, " \
  "%19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define ESK_GROUP_FROM_32 \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, " \
  "%49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define ESK_GROUP_FROM_64 \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, " \
  "%81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define ESK_GROUP_64_TO_79 \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define ESK_GROUP_FROM_96 \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, " \
  "%111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, " \
  "%125, %126, %127"
#define ESK_GROUP_96_TO_111 \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, " \
  "%111"
#define ESK_GROUP_8(d, i) \
  "+r" (d[i]), "+r" (d[i + 1]), "+r" (d[i + 2]), "+r" (d[i + 3]), "+r" (d[i + 4]), "+r" (d[i + 5]), \
  "+r" (d[i + 6]), "+r" (d[i + 7])
#define ESK_GROUP_16(d, i) ESK_GROUP_8 (d, i), ESK_GROUP_8 (d, i + 8)
#define ESK_GROUP_32(d, i) ESK_GROUP_16 (d, i), ESK_GROUP_16 (d, i + 16)
#define ESK_GROUP_64(d, i) ESK_GROUP_32 (d, i), ESK_GROUP_32 (d, i + 32)
#define ESK_GROUP_96(d, i) ESK_GROUP_64 (d, i), ESK_GROUP_32 (d, i + 64)

/* add: 0 where the sums begin. */
template <int N>
static __device__ __forceinline__ void group_multiply (int (&d)[N / 2], uint64_t a, uint64_t b, int add);

#define ESK_GROUP_MULTIPLY(n, registers, a_at, b_at, add_at, ...)                                                    \
  template <>                                                                                                        \
  __device__ __forceinline__ void                                                                                    \
  group_multiply<n> (int (&d)[n / 2], uint64_t a, uint64_t b, int add)                                               \
  {                                                                                                                  \
    asm volatile ("{ .reg .pred p; setp.ne.b32 p, %" #add_at ", 0; "                                                 \
                  "wgmma.mma_async.sync.aligned.m64n" #n "k32.s32.s8.s8 {" registers "}, %" #a_at ", %" #b_at        \
                  ", p; }" : __VA_ARGS__ : "l" (a), "l" (b), "r" (add));                                             \
  }

ESK_GROUP_MULTIPLY (64, ESK_GROUP_FROM_0,
                    32, 33, 34, ESK_GROUP_32 (d, 0))
ESK_GROUP_MULTIPLY (128, ESK_GROUP_FROM_0 ", " ESK_GROUP_FROM_32,
                    64, 65, 66, ESK_GROUP_64 (d, 0))
ESK_GROUP_MULTIPLY (160, ESK_GROUP_FROM_0 ", " ESK_GROUP_FROM_32 ", " ESK_GROUP_64_TO_79,
                    80, 81, 82, ESK_GROUP_64 (d, 0), ESK_GROUP_16 (d, 64))
ESK_GROUP_MULTIPLY (192, ESK_GROUP_FROM_0 ", " ESK_GROUP_FROM_32 ", " ESK_GROUP_FROM_64,
                    96, 97, 98, ESK_GROUP_96 (d, 0))
ESK_GROUP_MULTIPLY (224, ESK_GROUP_FROM_0 ", " ESK_GROUP_FROM_32 ", " ESK_GROUP_FROM_64 ", " ESK_GROUP_96_TO_111,
                    112, 113, 114, ESK_GROUP_96 (d, 0), ESK_GROUP_16 (d, 96))
ESK_GROUP_MULTIPLY (256, ESK_GROUP_FROM_0 ", " ESK_GROUP_FROM_32 ", " ESK_GROUP_FROM_64 ", " ESK_GROUP_FROM_96,
                    128, 129, 130, ESK_GROUP_96 (d, 0), ESK_GROUP_32 (d, 96))

#undef ESK_GROUP_MULTIPLY
