/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-covariance-float-tensor.cu. What a warp does in one step: operands, products, copies, sums. */

#include "es-cuda-covariance-float-private.h"

#include <cuda_fp16.h>

/* All bands in a thread block; the same, several runs of pixels beside each other; pairs of blocks of 128 bands. */
typedef enum { WHOLE, GROUPED, PAIRS } Kind;

template <Kind kind>
struct Shape {
  static const int columns = kind == WHOLE ? 4 : 2;    /* blocks of 32 bands that a warp multiplies its own with */
  static const int steps = columns * 4;                /* of 8 bands */
  static const int loads = kind == PAIRS ? 8 : 7;      /* blocks of 32 bands in shared memory */
  static const int words = kind == GROUPED ? loads : 1;  /* runs of pixels, with a mask each */
};

typedef struct {
  float scale, offset;
} Centre;

static __device__ inline void
load_matrices (unsigned address,
               unsigned out[4])
{
  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3]) : "r"(address));
}

/* sum += a (16 x 16) * b (16 x 8) */
static __device__ inline void
multiply (float          sum[4],
          const unsigned a[4],
          const unsigned b[2])
{
#if __CUDA_ARCH__ >= 800
  /* Volatile to stay where it is: what stands between two that wait for each other is done meanwhile. */
  asm volatile ("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

/* What a warp multiplies, and where the sums go. */
typedef struct {
  unsigned row;                /* block in shared memory; its columns are others */
  unsigned n_columns;          /* 0: nothing */
  unsigned first, wrap, base;  /* column j is block base + (first + j) mod wrap */
  double  *partial;
} Work;

template <Kind kind>
static __device__ Work
work_of_warp (const EskFloatPlan   *plan,
              const EskFloatTables *tables,
              unsigned              warp,
              unsigned              task,
              unsigned              split,
              bool                  diagonal)
{
  Work work;
  unsigned n = plan->n_blocks, slot = split, layout_row = warp;

  if (kind == PAIRS)
    {
      unsigned row = warp / 2, column = warp % 2 * 2;

      work.row = row;
      work.n_columns = !diagonal || column + 1 <= row ? 2 : column <= row ? 1 : 0;
      work.base = diagonal ? 0 : 4;
      work.first = column;
      work.wrap = 4;
    }
  else
    {
      unsigned group = warp / n;

      layout_row = warp % n;
      work.row = warp;
      work.n_columns = group >= plan->n_groups ? 0 : n % 2 == 1 || layout_row < n / 2 ? n / 2 + 1 : n / 2;
      work.base = group * n;
      work.first = layout_row;
      work.wrap = n;
      slot = split * plan->n_groups + group;
    }
  work.partial = tables->partial + ((size_t) task * plan->n_slots + slot) * plan->n_elements
                 + esk_float_element (Shape<kind>::columns, layout_row, 0, threadIdx.x % 32);

  return work;
}

/* Adds to float64 in memory. Nobody else adds there, and one thread's additions to one address keep their order, so
 * that the sums are the same every time; as they are reductions, nothing waits for them. */
static __device__ inline void
add_to (double *to,
        double  value)
{
  asm volatile ("red.relaxed.gpu.global.add.f64 [%0], %1;" : : "l"(to), "d"(value) : "memory");
}

/* What a warp has of 32 x 8 products. */
static __device__ inline void
flush (double *partial,
       float   sum[2][4],
       bool    first)
{
#pragma unroll
  for (int m = 0; m < 2; m++)
#pragma unroll
    for (int half = 0; half < 2; half++)
      {
        double *to = partial + m * 128 + half * 64;
        double x = (double) sum[m][half * 2], y = (double) sum[m][half * 2 + 1];

        if (first)
          *(double2 *) to = make_double2 (x, y);
        else
          {
            add_to (to, x);
            add_to (to + 1, y);
          }
        sum[m][half * 2] = sum[m][half * 2 + 1] = 0.0f;
      }
}

/* Eight bands over 32 pixels, as operands. */
typedef struct {
  unsigned high[4], low[4];
} Columns;

/* 32 bands over 32 pixels. */
typedef struct {
  unsigned high[2][2][4], low[2][2][4];
} Rows;

static __device__ inline Columns
load_columns (unsigned high_at,
              unsigned low_at)
{
  Columns columns;

  load_matrices (high_at, columns.high);
  load_matrices (low_at, columns.low);

  return columns;
}

static __device__ inline Rows
load_rows (unsigned at)
{
  Rows rows;

#pragma unroll
  for (int m = 0; m < 2; m++)
#pragma unroll
    for (int k = 0; k < 2; k++)
      {
        load_matrices ((at + m * 16 * ROW_BYTES) ^ (k * 32), rows.high[m][k]);
        load_matrices ((at + m * 16 * ROW_BYTES) ^ (k * 32) ^ LOW_HALVES, rows.low[m][k]);
      }

  return rows;
}

/*
 * The small products of one step (from the `m0`-th 16 rows on), and the large ones of the step before, on top of its
 * small ones: turn about, for an instruction waits for the one before in its sum. between (turn) does something else
 * meanwhile.
 */
template <int m0, int m0_before, typename Between>
static __device__ inline void
multiply_step (const Rows    *rows,
               const Columns *columns,
               float          sum[2][4],
               const unsigned high_before[4],
               float          sum_before[2][4],
               Between        between)
{
#pragma unroll
  for (int turn = 0; turn < 4; turn++)
    {
#pragma unroll
      for (int m = m0; m < 2; m++)
        multiply (sum[m], turn % 2 == 0 ? rows->low[m][turn / 2] : rows->high[m][turn / 2],
                  (turn % 2 == 0 ? columns->high : columns->low) + turn / 2 * 2);
      if (turn < 2)
#pragma unroll
        for (int m = m0_before; m < 2; m++)
          multiply (sum_before[m], rows->high[m][turn], high_before + turn * 2);
      between (turn);
    }
}

/* Into shared memory, past the first-level cache; nothing is read where `bytes` is 0, and zeros are written. */
static __device__ inline void
copy_quad (unsigned    to,
           const void *from,
           unsigned    bytes)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
#endif
}

static __device__ inline void
copy_word (unsigned    to,
           const void *from,
           unsigned    bytes)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
#endif
}

static __device__ inline void
close_copies (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.commit_group;" : : : "memory");
#endif
}

/* Until all but the last `n` groups of this thread's copies are there. */
template <int n>
static __device__ inline void
wait_for_copies (void)
{
#if __CUDA_ARCH__ >= 800
  asm volatile ("cp.async.wait_group %0;" : : "n"(n) : "memory");
#endif
}
