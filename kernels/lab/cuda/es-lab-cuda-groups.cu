/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Products of matrices by the four warps of a warp group (wgmma), which compute capability 9.0 alone has: its tensor
 * cores take nearly twice as much as mma.sync brings them. Operands are in shared memory, sums in registers. */

#include "es-lab-cuda-private.h"
#include "es-lab-cuda-clock-private.h"
#include "es-lab-cuda-matrix-private.h"

#ifdef ESK_CUDA_WARP_GROUPS

#define GROUPS 2               /* of a block, one block a multiprocessor: one multiplies while the other waits */
#define THREADS (128 * GROUPS)
#define ROWS 64                /* of A, and of the sums */
#define COLUMNS 256            /* of B, and of the sums */
#define SUMS (ROWS * COLUMNS / 128)        /* of a thread */
#define ROW_BYTES 128          /* of each operand; an instruction takes 32 of them */
#define SLICES (ROW_BYTES / 32)
#define ROUNDS 8               /* of all slices in a trip */

/* lab: groups */
/* Registers of a thread's sums, as the assembler counts its operands. */
#define LAB_SUMS \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
  "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, " \
  "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
  "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, " \
  "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
  "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
  "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define LAB_8(d, i) \
  "+r" (d[i]), "+r" (d[i + 1]), "+r" (d[i + 2]), "+r" (d[i + 3]), "+r" (d[i + 4]), "+r" (d[i + 5]), "+r" (d[i + 6]), \
  "+r" (d[i + 7])
#define LAB_32(d, i) LAB_8 (d, i), LAB_8 (d, i + 8), LAB_8 (d, i + 16), LAB_8 (d, i + 24)

/* One instruction each: 64 x 256 sums of products of so many numbers, 32 bytes of them. Sums begin at nothing, which
 * has the same bits as an integer and as a float. */
#define LAB_GROUP_PRODUCT(name, depth, kinds, signs) \
  struct name \
  { \
    enum { DEPTH = depth }; \
    static __device__ __forceinline__ void \
    multiply (uint32_t *d, uint64_t a, uint64_t b) \
    { \
      asm volatile ("{ .reg .pred add; setp.ne.b32 add, %130, 0; wgmma.mma_async.sync.aligned.m64n256k" #depth \
                    "." kinds " {" LAB_SUMS "}, %128, %129, add" signs "; }" \
                    : LAB_32 (d, 0), LAB_32 (d, 32), LAB_32 (d, 64), LAB_32 (d, 96) : "l"(a), "l"(b), "r"(1)); \
    } \
  };
LAB_GROUP_PRODUCT (GroupFloat16, 16, "f32.f16.f16", ", 1, 1, 0, 0")
LAB_GROUP_PRODUCT (GroupBfloat16, 16, "f32.bf16.bf16", ", 1, 1, 0, 0")
LAB_GROUP_PRODUCT (GroupTf32, 8, "f32.tf32.tf32", ", 1, 1")
LAB_GROUP_PRODUCT (GroupInt8, 32, "s32.s8.s8", "")
LAB_GROUP_PRODUCT (GroupFloat8, 32, "f32.e4m3.e4m3", ", 1, 1")

/* What tells the tensor cores where an operand is: its address, 1,024 bytes from eight rows to the next, and that its
 * rows of 128 bytes have their vectors exchanged so that eight rows' are in different banks. */
static __device__ __forceinline__ uint64_t
lab_operand (const void *at)
{
  return (uint64_t) (__cvta_generic_to_shared (at) >> 4 & 0x3fff) | (uint64_t) 1 << 16 | (uint64_t) (1024 >> 4) << 32
         | (uint64_t) 1 << 62;
}

template <typename Product>
static __global__ void
__launch_bounds__ (THREADS, 1)
lab_group_products (const uint32_t *operands,
                    int             trips,
                    uint32_t       *kept,
                    LabMatrixTold  *told)
{
  __shared__ __align__ (1024) uint32_t shared[(ROWS + COLUMNS) * ROW_BYTES / 4];
  uint32_t sums[SUMS];

  for (unsigned i = threadIdx.x; i < sizeof shared / 4; i += THREADS)
    shared[i] = operands[i % LAB_MATRIX_WORDS];
  /* What threads wrote is there for the tensor cores, too. */
  asm volatile ("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads ();
#pragma unroll
  for (int k = 0; k < SUMS; k++)
    sums[k] = 0;

  const uint64_t a = lab_operand (shared), b = lab_operand (shared + ROWS * ROW_BYTES / 4);
  const long long began = lab_nanoseconds (), from = lab_clock ();

#pragma unroll 1
  for (int t = 0; t < trips; t++)
    {
      asm volatile ("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
      for (int k = 0; k < ROUNDS * SLICES; k++)
        Product::multiply (sums, a + k % SLICES * (32 >> 4), b + k % SLICES * (32 >> 4));
      asm volatile ("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
    }

  const long long clocks = lab_clock () - from, nanoseconds = lab_nanoseconds () - began;

#pragma unroll
  for (int k = 0; k < SUMS; k++)
    kept[((uint64_t) blockIdx.x * SUMS + k) * THREADS + threadIdx.x] = sums[k];
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *told = { GROUPS * ROUNDS * SLICES * 2 * ROWS * COLUMNS * Product::DEPTH, ROUNDS * SLICES * Product::DEPTH,
              clocks, nanoseconds };
}
/* lab end */

template <typename Product>
static void
launch (EskLab        *lab,
        const void    *operands,
        int            trips,
        void          *kept,
        LabMatrixTold *told)
{
  lab_group_products<Product><<<lab->units, THREADS, 0, lab->stream>>> ((const uint32_t *) operands, trips,
                                                                        (uint32_t *) kept, told);
}

bool
lab_has_groups (const EskLab *lab)
{
  return lab->major == 9 && lab->minor == 0;
}

LabMatrixLaunch
lab_group_launch (EskLabType type)
{
  switch (type)
    {
    case ESK_TYPE_LAB_FLOAT16:
      return launch<GroupFloat16>;
    case ESK_TYPE_LAB_BFLOAT16:
      return launch<GroupBfloat16>;
    case ESK_TYPE_LAB_TF32:
      return launch<GroupTf32>;
    case ESK_TYPE_LAB_INT8:
      return launch<GroupInt8>;
    case ESK_TYPE_LAB_FLOAT8:
      return launch<GroupFloat8>;
    default:
      return NULL;
    }
}

uint64_t
lab_group_kept (const EskLab *lab)
{
  return (uint64_t) lab->units * SUMS * THREADS * sizeof (uint32_t);
}

#else

bool
lab_has_groups (const EskLab *lab)
{
  return false;
}

LabMatrixLaunch
lab_group_launch (EskLabType type)
{
  return NULL;
}

uint64_t
lab_group_kept (const EskLab *lab)
{
  return 0;
}

#endif
