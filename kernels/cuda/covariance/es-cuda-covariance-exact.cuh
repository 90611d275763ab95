/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Device code of the exact covariance on tensor cores, compute capability 8.0 and above.
 *
 * The product of a matrix with its own transpose: both operands of mma.sync m16n8k32 are bands (rows) of pixels
 * (contiguous), so that one load of 16 bands x 32 bytes, a "slab", serves as the left operand (16 rows) and, by
 * halves, as two right operands (8 columns each). The order of the pixels within a product does not matter as long as
 * it is the same for both, which is what makes 16-bit samples cheap to split: high and low bytes of two registers are
 * picked apart where they are.
 */

#include "es-cuda-covariance-exact-private.h"

#if !defined (__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

template <typename Left, typename Right>
__device__ __forceinline__ void
exact_mma (int (&d)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1);

#define ESK_EXACT_MMA(Left, Right, types)                                                                            \
  template <>                                                                                                        \
  __device__ __forceinline__ void                                                                                    \
  exact_mma<Left, Right> (int (&d)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1) \
  {                                                                                                                  \
    asm volatile ("mma.sync.aligned.m16n8k32.row.col.s32." types ".s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},"         \
                  "{%0,%1,%2,%3};"                                                                                   \
                  : "+r" (d[0]), "+r" (d[1]), "+r" (d[2]), "+r" (d[3])                                               \
                  : "r" (a0), "r" (a1), "r" (a2), "r" (a3), "r" (b0), "r" (b1));                                     \
  }

ESK_EXACT_MMA (uint8_t, uint8_t, "u8.u8")
ESK_EXACT_MMA (uint8_t, int8_t, "u8.s8")
ESK_EXACT_MMA (int8_t, uint8_t, "s8.u8")
ESK_EXACT_MMA (int8_t, int8_t, "s8.s8")

#undef ESK_EXACT_MMA

/* Four 8 x 16 byte matrices. */
__device__ __forceinline__ void
exact_load_matrices (uint32_t (&r)[4],
                     uint32_t address)
{
  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                : "=r" (r[0]), "=r" (r[1]), "=r" (r[2]), "=r" (r[3]) : "r" (address) : "memory");
}

/*
 * 16 bytes from global to shared memory, the first n_bytes of them read and the rest zero. What is there in part, at
 * the end of a band, is copied by the thread itself, and is there before it arrives at a barrier: tools take an
 * asynchronous copy of a part for one of all.
 */
__device__ __forceinline__ void
exact_copy_async (uint32_t    to,
                  const void *from,
                  int         n_bytes)
{
  if (n_bytes > 0 && n_bytes < 16)
    {
#pragma unroll 1
      for (int k = 0; k < 16; k++)
        asm volatile ("st.shared.u8 [%0], %1;"
                      :: "r" (to + k), "h" ((short) (k < n_bytes ? ((const unsigned char *) from)[k] : 0)) : "memory");
      __threadfence_block ();
      return;
    }
  asm volatile ("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" :: "r" (to), "l" (from), "r" (n_bytes)
                : "memory");
}

__device__ __forceinline__ void
exact_wait_barrier (uint32_t barrier,
                    uint32_t phase)
{
  uint32_t done;

  do
#if __CUDA_ARCH__ >= 900
    asm volatile ("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r" (done) : "r" (barrier), "r" (phase) : "memory");
#else
    asm volatile ("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r" (done) : "r" (barrier), "r" (phase) : "memory");
#endif
  while (done == 0);
}

/*
 * Stages of a block, in a ring in shared memory: each has a barrier that tells when its samples are there ("full") and
 * one that tells when all warps are through with them ("empty"). Every warp loads its share of each stage and
 * multiplies at its own pace: where stages suffice, the one overwritten was needed a while ago, so that no warp has to
 * wait for another that is a little slower.
 *
 * In shared memory: [stages] [full, empty] of each stage.
 */
struct ExactRing {
  uint32_t base, barriers;
  unsigned n, stage_bytes;
  unsigned read, read_phase, write, write_phase, done;

  /* All threads; a barrier of the block has to follow. */
  __device__ __forceinline__ void
  start (const EskExactPlan &plan, uint32_t shared)
  {
    base = shared;
    stage_bytes = plan.stage_bytes;
    n = plan.n_pipeline;
    barriers = base + n * stage_bytes;
    read = read_phase = write = write_phase = done = 0;
    if (threadIdx.x < 2 * n)
      asm volatile ("mbarrier.init.shared.b64 [%0], %1;" :: "r" (barriers + threadIdx.x * 8),
                    "r" (threadIdx.x % 2 == 0 ? 32 * ESK_EXACT_WARPS : ESK_EXACT_WARPS) : "memory");
  }

  /* Stages to load before the first is multiplied, where a warp holds `held` of them when it asks for one more. */
  __device__ __forceinline__ unsigned
  ahead (unsigned held) const
  {
    return n > 4 ? n - 1 - held : n - held;
  }

  /* Asks for one more stage: load (where) copies this thread's share. */
  template <typename Load>
  __device__ __forceinline__ void
  fill (const Load &load)
  {
    exact_wait_barrier (barriers + write * 16 + 8, write_phase ^ 1);
    load (base + write * stage_bytes);
    asm volatile ("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" :: "r" (barriers + write * 16) : "memory");
    if (++write == n)
      {
        write = 0;
        write_phase ^= 1;
      }
  }

  /* Until the next stage is there; where it is. */
  __device__ __forceinline__ uint32_t
  wait (void)
  {
    const uint32_t stage = base + read * stage_bytes;

    exact_wait_barrier (barriers + read * 16, read_phase);
    if (++read == n)
      {
        read = 0;
        read_phase ^= 1;
      }

    return stage;
  }

  /* The oldest that was waited for is no longer needed. */
  __device__ __forceinline__ void
  release (void)
  {
    __syncwarp ();
    if (threadIdx.x % 32 == 0)
      asm volatile ("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" :: "r" (barriers + done * 16 + 8)
                    : "memory");
    if (++done == n)
      done = 0;
  }
};

/* Byte of a stage at which 16 bytes of a row lie: rows of 128 bytes, their vectors exchanged so that eight rows' same
 * vectors meet no bank twice. */
__device__ __forceinline__ uint32_t
exact_place (uint32_t row,
             uint32_t vector)
{
  return row * ESK_EXACT_ROW + ((vector ^ (row & 7)) << 4);
}

/* The same of 16 bytes that are all there. */
__device__ __forceinline__ void
exact_copy_async (uint32_t    to,
                  const void *from)
{
  asm volatile ("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" :: "r" (to), "l" (from) : "memory");
}

/* How many of the 16 bytes at `at` of a band count. */
__device__ __forceinline__ int
exact_bytes_left (size_t row_bytes,
                  size_t at)
{
  return at >= row_bytes ? 0 : row_bytes - at < 16 ? (int) (row_bytes - at) : 16;
}

/* The mask of a stage, one byte a pixel, by the first threads of a block. */
__device__ __forceinline__ void
exact_load_mask (const EskExactRun &run,
                 unsigned           sample_bytes,
                 unsigned           stage,
                 uint32_t           to)
{
  const unsigned t = threadIdx.x, stage_pixels = ESK_EXACT_ROW / sample_bytes;

  if (run.valid != NULL && t < stage_pixels / 16)
    {
      size_t at = (size_t) stage * stage_pixels + t * 16;
      int n_bytes = exact_bytes_left (run.row_bytes / sample_bytes, at);

      exact_copy_async (to + t * 16, n_bytes > 0 ? run.valid + at : run.valid, n_bytes);
    }
}

/* Where there is no mask: ones, once for all stages; the next barrier makes them visible. */
__device__ __forceinline__ void
exact_set_masks (uint32_t first,
                 uint32_t stage_bytes,
                 unsigned n_pipeline)
{
  for (unsigned w = threadIdx.x; w < n_pipeline * (ESK_EXACT_ROW / 4); w += blockDim.x)
    asm volatile ("st.shared.u32 [%0], %1;" :: "r" (first + w / (ESK_EXACT_ROW / 4) * stage_bytes
                                                    + w % (ESK_EXACT_ROW / 4) * 4), "r" (0x01010101) : "memory");
}

/* Keeps what is computed of x where it stands: addresses of totals are needed once in 65,536 pixels, and must not take
 * registers all the time. */
__device__ __forceinline__ unsigned
exact_here (unsigned x)
{
  asm volatile ("" : "+r" (x));
  return x;
}

/*
 * A slab's 32 bytes in registers: r[0] and r[1] are rows 0-7, r[2] and r[3] rows 8-15, first and second 16 bytes: two
 * right operands as they are. The left operand is (r[0], r[2], r[1], r[3]), made anew where the mask is put on it.
 *
 * A lane's byte in a slab for that.
 */
__device__ __forceinline__ uint32_t
exact_slab_lane (uint32_t lane)
{
  return exact_place ((lane & 7) + (lane >> 4) * 8, lane >> 3 & 1);
}

/* Its address for vectors 2k and 2k + 1; stages begin at multiples of 128 bytes. */
__device__ __forceinline__ uint32_t
exact_slab_address (uint32_t stage,
                    uint32_t slab,
                    uint32_t slab_lane,
                    uint32_t k)
{
  return (stage + slab * (16 * ESK_EXACT_ROW) + slab_lane) ^ (k << 5);
}

/* The stages of a slice, one after the other. */
struct ExactStages {
  unsigned next, end, chunk, left, skip;

  /* How many there are. */
  __device__ __forceinline__ unsigned
  start (const EskExactRun &run, const EskExactPlan &plan, unsigned slice)
  {
    const unsigned round = plan.n_slices * plan.chunk, rest = run.n_stages % round, before = slice * plan.chunk;

    chunk = left = plan.chunk;
    skip = round - chunk;
    next = before;
    end = run.n_stages;

    return run.n_stages / round * chunk + (rest <= before ? 0 : rest - before < chunk ? rest - before : chunk);
  }

  __device__ __forceinline__ void
  advance (void)
  {
    next++;
    if (--left == 0)
      {
        left = chunk;
        next += skip;
      }
  }
};

/* Four bytes of the mask: 1 where a pixel counts. */
__device__ __forceinline__ uint32_t
exact_mask_word (uint32_t address)
{
  uint32_t v;

  asm volatile ("ld.shared.u32 %0, [%1];" : "=r" (v) : "r" (address) : "memory");
  return v;
}

__device__ __forceinline__ uint32_t
exact_mask_half (uint32_t address)
{
  uint32_t v;

  asm volatile ("ld.shared.u16 %0, [%1];" : "=r" (v) : "r" (address) : "memory");
  return v;
}

/* Sum of four bytes of x where the bytes of v are one. */
template <typename Byte>
__device__ __forceinline__ int
exact_sum_bytes (uint32_t x,
                 uint32_t v,
                 int      total)
{
  if ((Byte) -1 < 0)
    return __dp4a ((int) x, (int) v, total);
  return (int) __dp4a (x, v, (uint32_t) total);
}

#define ESK_EXACT_ONES 0x01010101u

#endif

/* What an accumulator of products of Bytes holds. */
template <typename Byte>
__device__ __forceinline__ int64_t
exact_widen (int value)
{
  return (Byte) -1 < 0 ? (int64_t) value : (int64_t) (uint32_t) value;
}

/* One value to the 64-bit totals; only the lower triangle. */
__device__ __forceinline__ void
exact_add (const EskExactTotals &totals,
           unsigned              n,
           unsigned              row,
           unsigned              column,
           int64_t               value)
{
  if (row < n && column <= row)
    atomicAdd (totals.product + (size_t) row * n + column, (unsigned long long) value);
}

/*
 * Four values of a row to the totals: of columns `column`, + 1, + 8, + 9, as two accumulators of 16 x 8 hold them. ANY:
 * only those of the lower triangle; otherwise the caller knows that they are.
 */
template <bool ANY>
__device__ __forceinline__ void
exact_add_row (const EskExactTotals &totals,
               unsigned              n,
               unsigned              row,
               unsigned              column,
               int64_t               v0,
               int64_t               v1,
               int64_t               v8,
               int64_t               v9)
{
  if (row < n)
    {
      unsigned long long *to = totals.product + (size_t) row * n + column;

      if (!ANY || column <= row)
        atomicAdd (to, (unsigned long long) v0);
      if (!ANY || column + 1 <= row)
        atomicAdd (to + 1, (unsigned long long) v1);
      if (!ANY || column + 8 <= row)
        atomicAdd (to + 8, (unsigned long long) v8);
      if (!ANY || column + 9 <= row)
        atomicAdd (to + 9, (unsigned long long) v9);
    }
}

/* Sums of four lanes side by side to the totals of a band. */
__device__ __forceinline__ void
exact_add_sum (const EskExactTotals &totals,
               unsigned              n,
               unsigned              band,
               int64_t               value)
{
  value += __shfl_xor_sync (0xffffffff, value, 1);
  value += __shfl_xor_sync (0xffffffff, value, 2);
  if ((threadIdx.x & 3) == 0 && band < n)
    atomicAdd (totals.sum + band, (unsigned long long) value);
}

/* The same of the bands of a slab that a lane has, which begin anew. */
template <typename Byte>
__device__ __forceinline__ void
exact_add_sums (const EskExactTotals &totals,
                unsigned              n_bands,
                unsigned              slab,
                int                 (&sum)[2])
{
  const unsigned band = slab * 16 + threadIdx.x % 32 / 4;

  exact_add_sum (totals, n_bands, band, exact_widen<Byte> (sum[0]));
  exact_add_sum (totals, n_bands, band + 8, exact_widen<Byte> (sum[1]));
  sum[0] = sum[1] = 0;
}
