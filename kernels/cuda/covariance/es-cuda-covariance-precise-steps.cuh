/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Part of es-cuda-covariance-precise-panels.cu. What its warps do: some bring samples into shared memory as float64,
 * the others multiply them. */

#include "es-cuda-covariance-precise.cuh"

#define DEPTH 32                /* pixels of a stage */
#define STEPS (DEPTH / 8)       /* of as many pixels as an instruction multiplies */
#define BAND_BYTES (8 * sizeof (double))
#define STAGES 2
#define MULTIPLIERS 8           /* warps */
#define SCHEDULER_REGISTERS 504 /* of a lane, of all warps that share a scheduler */

/* Two panels of 16 M bands, a step after the other: of each band 64 bytes, in the order of place (). */
template <int M>
struct Shape {
  static const unsigned panel = 16 * M, panel_values = panel * panel;
  static const unsigned step_bytes = 2 * panel * BAND_BYTES, stage_bytes = STEPS * step_bytes + 128;
  /* Products of 16 x 8 by 8 pixels that a scheduler does for two triangles, and for two pairs of panels. */
  static const int triangle_products = M == 8 ? 44 : 35, pair_products = M == 8 ? 72 : 63;
  /* Warps that bring; and registers of those that multiply, of which 16 M (M = 8: 18 M) hold sums, and of these. */
  static const int bringers = M == 8 ? 4 : 8, threads = (MULTIPLIERS + bringers) * 32;
  static const int many_registers = M == 8 ? 200 : 176;
  static const int few_registers = (SCHEDULER_REGISTERS - MULTIPLIERS / 4 * many_registers) / (bringers / 4) / 8 * 8;
  /* What a warp brings of a stage at once: 16 bands by 16 pixels, four of them a lane, of two bands. */
  static const int units = (4 * M + bringers - 1) / bringers;
  /* Samples as they came, a thread's own; and how many stages before they are converted they are asked for. */
  static const int raw_stages = M == 8 ? 2 : 3;
  static const unsigned raw_bytes = units * 2 * bringers * 32 * 16, mark_bytes = 2 * bringers * 32 * 4;
  static const unsigned raw_at = STAGES * stage_bytes, marks_at = raw_at + raw_stages * raw_bytes;
  static const unsigned bytes = marks_at + raw_stages * mark_bytes;

  /* Where a step of a stage begins: so that eight threads that write at once meet in no bank. */
  static __host__ __device__ constexpr unsigned
  step_at (unsigned step)
  {
    return step * step_bytes + step % 2 * 16 + step / 2 * 64;
  }
};

/* Of a band's 64 bytes in a step: vectors of the lower words of pixels 0 to 3, the upper ones, those of 4 to 7. Eight
 * rows that are read at once lie in different banks. */
static __device__ __forceinline__ unsigned
place (unsigned row,
       unsigned vector)
{
  return row * BAND_BYTES + (vector ^ row / 2 % 4) * 16;
}

/* One side of what is multiplied: a panel, and the run of pixels. */
typedef struct {
  unsigned panel, split;
  size_t   first;
  unsigned n_pixels;
} Side;

/* A panel's triangle each, or (diagonal: false) the panel of side 1 by that of side 0. */
typedef struct {
  bool diagonal;
  Side side[2];
} Task;

typedef struct {
  const void    *data;
  size_t         stride, n_pixels;  /* a multiple of 4 */
  unsigned       n_bands;
  const uint8_t *valid;        /* NULL: all */
  const double  *shift;
  unsigned       n_panels;
  unsigned       n_pairs;      /* of panels, each with itself and all before */
  unsigned       together;     /* splits whose tasks are counted together: as many triangles as make pairs */
  unsigned       n_diagonal, n_tasks;  /* of these splits: thread blocks of triangles, all */
  unsigned       n_splits;     /* a multiple of together; the last one may be empty */
  size_t         split_pixels; /* a multiple of DEPTH */
  unsigned       sum_stride;   /* more than n_bands: the count of valid pixels is behind the sums */
  double        *partial;      /* [pair][split][panel_values] */
  double        *partial_sum;  /* [split][sum_stride] */
} Plan;

typedef struct {
  uint64_t full[STAGES], empty[STAGES];
} Barriers;

/* Of the bands in shared memory, of the pixels that the two halves of those who bring have; and of the two sides. */
template <int M>
struct Sums {
  double   sum[2][Shape<M>::panel * 2];
  unsigned count[2][2];
};

/* --- shared memory -------------------------------------------------------------------------------------------- */

static __device__ __forceinline__ uint32_t
shared_address (const void *at)
{
  return (uint32_t) __cvta_generic_to_shared (at);
}

static __device__ __forceinline__ void
barrier_init (uint64_t *barrier,
              unsigned  count)
{
  asm volatile ("mbarrier.init.shared.b64 [%0], %1;" : : "r"(shared_address (barrier)), "r"(count) : "memory");
}

/* Every lane, for itself: one for all is as right, but not what compute-sanitizer knows to be right. */
static __device__ __forceinline__ void
barrier_arrive (uint64_t *barrier)
{
  asm volatile ("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }"
                : : "r"(shared_address (barrier)) : "memory");
}

static __device__ __forceinline__ void
barrier_wait (uint64_t *barrier,
              unsigned  phase)
{
  uint32_t done;

  do
    asm volatile ("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                  : "=r"(done) : "r"(shared_address (barrier)), "r"(phase) : "memory");
  while (done == 0);
}

/* --- products ------------------------------------------------------------------------------------------------- */

/*
 * Matrices of 8 rows of 16 bytes, of which a lane gets word lane % 4 of row lane / 4: lower and upper words of four
 * pixels each make two float64, in the registers in which the matrix instructions want them.
 */
static __device__ __forceinline__ void
load_matrices (uint32_t at,
               double   out[2])
{
  uint32_t x[4];

  asm volatile ("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]) : "r"(at) : "memory");
  out[0] = __hiloint2double ((int) x[1], (int) x[0]);
  out[1] = __hiloint2double ((int) x[3], (int) x[2]);
}

/* c += a b of 16 x 8 and 8 x 8 (PTX ISA, "Matrix Fragments for mma.m16n8k8 with floating point type": .f64). */
static __device__ __forceinline__ void
multiply (double       c[4],
          const double a[4],
          const double b[2])
{
  asm ("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
       : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
       : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}

/* Where a warp's products lie: bands in shared memory, and in its panels. */
typedef struct {
  unsigned rows, columns;      /* of the panels in shared memory */
  unsigned row[2];             /* the first of 16, two times */
  unsigned column;             /* the first */
} Part;

/* The products of 16 rows with 8 N0 columns, and of 16 others with the first 8 N1 of these; `to` has a pair's
 * panel_values. */
template <int M, int N0, int N1>
static __device__ __forceinline__ void
multiply_stages (uint32_t    stages,
                 Barriers   *barriers,
                 unsigned    n_stages,
                 const Part &part,
                 double     *to)
{
  typedef Shape<M> S;
  constexpr int N = N1 > 0 ? N1 : 1;
  const unsigned lane = threadIdx.x % 32;
  const uint32_t lane_rows = place (lane / 16 * 8 + lane % 8, lane / 8 % 2), rows = stages + part.rows * BAND_BYTES;
  const uint32_t near = rows + lane_rows, far = rows + (lane_rows ^ 32);
  const uint32_t columns = stages + (part.columns + part.column) * BAND_BYTES + place (lane % 8, lane / 8);
  double c_0[N0][4] = {}, c_1[N][4] = {};

  for (unsigned stage = 0, slot = 0, phase = 0; stage < n_stages; stage++)
    {
      barrier_wait (&barriers->full[slot], phase);
#pragma unroll
      for (int step = 0; step < STEPS; step++)
        {
          const uint32_t here = slot * S::stage_bytes + S::step_at (step);
          double a_0[4], a_1[4];

          load_matrices (near + here + part.row[0] * BAND_BYTES, a_0);
          load_matrices (far + here + part.row[0] * BAND_BYTES, a_0 + 2);
          if (N1 > 0)
            {
              load_matrices (near + here + part.row[1] * BAND_BYTES, a_1);
              load_matrices (far + here + part.row[1] * BAND_BYTES, a_1 + 2);
            }
#pragma unroll
          for (int j = 0; j < N0; j++)
            {
              double b[2];

              load_matrices (columns + here + j * 8 * BAND_BYTES, b);
              multiply (c_0[j], a_0, b);
              if (j < N1)
                multiply (c_1[j < N1 ? j : 0], a_1, b);
            }
        }
      barrier_arrive (&barriers->empty[slot]);
      if (++slot == STAGES)
        {
          slot = 0;
          phase ^= 1;
        }
    }

  to += (part.rows % S::panel + lane / 4) * S::panel + part.column + lane % 4 * 2;
#pragma unroll
  for (int j = 0; j < N0; j++)
#pragma unroll
    for (int half = 0; half < 2; half++)
      {
        *(double2 *) (to + (part.row[0] + half * 8) * S::panel + j * 8)
          = make_double2 (c_0[j][half * 2], c_0[j][half * 2 + 1]);
        if (j < N1)
          *(double2 *) (to + (part.row[1] + half * 8) * S::panel + j * 8)
            = make_double2 (c_1[j < N1 ? j : 0][half * 2], c_1[j < N1 ? j : 0][half * 2 + 1]);
      }
}

/*
 * A warp's part of a task. Of a triangle, whose 16 M bands are M rows of 16 with 2, 4 .. 2 M products of 16 x 8, four
 * warps have two rows each, a long one and a short one, which are as much for all of them; on the other side four more.
 * Of two panels eight warps have 32 by 8 M each.
 */
template <int M>
static __device__ __forceinline__ void
multiply_task (const Plan &plan,
               const Task &task,
               uint32_t    stages,
               Barriers   *barriers,
               unsigned    n_stages)
{
  typedef Shape<M> S;
  constexpr int odd = M % 2;
  const unsigned warp = __shfl_sync (0xffffffffu, threadIdx.x / 32, 0), which = warp / 4, part = warp % 4;
  const unsigned row = which != 0 || !task.diagonal ? task.side[1].panel : task.side[0].panel;
  const unsigned column = which != 0 && task.diagonal ? task.side[1].panel : task.side[0].panel;
  const unsigned split = which != 0 ? task.side[1].split : task.side[0].split, own = which * S::panel;
  double *to = plan.partial + ((size_t) (row * (row + 1) / 2 + column) * plan.n_splits + split) * S::panel_values;

#define MULTIPLY(n_0, n_1, ...) multiply_stages<M, n_0, n_1> (stages, barriers, n_stages, { __VA_ARGS__ }, to)
#define ROWS_OF(k) \
  MULTIPLY (2 * (M - k), 2 * (k + 1 - odd), own, own, { (M - 1 - k) * 16, (k < odd ? 0 : k - odd) * 16 }, 0)
  if (task.diagonal)
    switch (part)
      {
      case 0: ROWS_OF (0); break;
      case 1: ROWS_OF (1); break;
      case 2: ROWS_OF (2); break;
      default: ROWS_OF (3); break;
      }
  else if (part < M / 2)
    MULTIPLY (M, M, S::panel + part * 32, 0, { 0, 16 }, which * S::panel / 2);
  else if (odd)
    MULTIPLY (M, 0, S::panel + (M - 1) * 16, 0, { 0, 0 }, which * S::panel / 2);
#undef ROWS_OF
#undef MULTIPLY
}

/* --- samples -------------------------------------------------------------------------------------------------- */

/* Into shared memory, past the first-level cache; nothing is read where `bytes` is 0, and zeros are written. */
static __device__ __forceinline__ void
copy_quad (uint32_t    to,
           const void *from,
           unsigned    bytes)
{
  asm volatile ("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
}

static __device__ __forceinline__ void
copy_word (uint32_t    to,
           const void *from,
           unsigned    bytes)
{
  asm volatile ("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(to), "l"(from), "r"(bytes) : "memory");
}

static __device__ __forceinline__ float4
load_quad (uint32_t at)
{
  float4 x;

  asm volatile ("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w) : "r"(at)
                : "memory");
  return x;
}

static __device__ __forceinline__ void
store_words (uint32_t at,
             int      x,
             int      y,
             int      z,
             int      w)
{
  asm volatile ("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" : : "r"(at), "r"(x), "r"(y), "r"(z), "r"(w) : "memory");
}

/* Sums of bands, each in two halves, which are added here. */
template <int M>
static __device__ __forceinline__ void
leave_sums (const Plan &plan,
            const Task &task,
            Sums<M>    *sums,
            double      sum[4],
            unsigned    count[2],
            unsigned    n_units)
{
  typedef Shape<M> S;
  const unsigned thread = threadIdx.x - MULTIPLIERS * 32, lane = thread % 32, warp = thread / 32;
  const unsigned first_row = warp / 2 * 16 + lane / 4;

  for (int distance = 1; distance < 4; distance *= 2)
    {
      count[0] += __shfl_xor_sync (0xffffffffu, count[0], distance);
      count[1] += __shfl_xor_sync (0xffffffffu, count[1], distance);
    }
#pragma unroll
  for (int i = 0; i < S::units; i++)
    if ((unsigned) i < n_units && lane % 4 == i / 2)
      {
        sums->sum[warp % 2][first_row + i * (S::bringers * 8)] = sum[i % 2];
        sums->sum[warp % 2][first_row + i * (S::bringers * 8) + 8] = sum[2 + i % 2];
      }
  if (warp < 2 && lane < 2)
    sums->count[warp][lane] = lane == 0 ? count[0] : count[1];
  asm volatile ("bar.sync 1, %0;" : : "n"(S::bringers * 32) : "memory");
  for (unsigned row = thread; row < 2 * S::panel; row += S::bringers * 32)
    {
      const unsigned s = row / S::panel;
      const Side &side = s == 0 ? task.side[0] : task.side[1];
      const unsigned band = side.panel * S::panel + row - s * S::panel;
      double *to = plan.partial_sum + (size_t) side.split * plan.sum_stride;

      if (band < plan.n_bands)
        to[band] = sums->sum[0][row] + sums->sum[1][row];
      if (band == 0)
        to[plan.n_bands] = (double) (sums->count[0][s] + sums->count[1][s]);
    }
}

/*
 * Brings the samples of both sides, less their shifts (of the bands of both, negative), zeros where there are none or
 * where they do not count; sums of bands are taken on that occasion.
 *
 * The instructions for float64 share a pipe with the matrix instructions and hardly get a turn beside them. So these
 * subtract, too: x - shift is x by a matrix of ones and zeros, less the shift; each other product is 0, and the one
 * rounding is that of a subtraction. As the matrix puts k and k + 4 side by side a lane gets back what it gave. Sums
 * are products with ones in a column, another one for each unit. (What counts is finite: a band that is not makes sums
 * of others NAN.)
 */
template <int M, bool summing>
static __device__ __forceinline__ void
bring_task (const Plan   &plan,
            const Task   &task,
            uint32_t      shared,
            Barriers     *barriers,
            const double *shifts,
            bool          shifted,
            Sums<M>      *sums,
            unsigned      n_stages)
{
  typedef Shape<M> S;
  constexpr int n = S::units;
  const unsigned thread = threadIdx.x - MULTIPLIERS * 32, lane = thread % 32;
  const unsigned warp = __shfl_sync (0xffffffffu, thread / 32, 0);
  /* Units are halves of 16 bands, warp, warp + bringers ..; all of a warp have the same pixels. */
  const unsigned quad = warp % 2 * 4 + lane % 4, first_row = warp / 2 * 16 + lane / 4;
  const unsigned n_units = (4 * M - warp + S::bringers - 1) / S::bringers;
  const uint32_t lower = shared + S::step_at (quad / 2) + place (first_row, quad % 2 * 2);
  const uint32_t upper = shared + S::step_at (quad / 2) + place (first_row, quad % 2 * 2 + 1);
  const uint32_t raw = shared + S::raw_at + thread * 16, marks_at = shared + S::marks_at + thread * 4;
  const double exchange[2] = { lane / 4 == lane % 4 * 2 ? 1.0 : 0.0, lane / 4 == lane % 4 * 2 + 1 ? 1.0 : 0.0 };
  const float *from[2];
  const uint8_t *valid[2];
  unsigned n_pixels[2], present = 0, count[2] = { 0, 0 };
  double sum[4] = { };

#pragma unroll
  for (int s = 0; s < 2; s++)
    {
      const Side &side = task.side[s];

      /* Of first_row, were it of this panel. */
      from[s] = (const float *) plan.data + side.first + quad * 4
                + (ptrdiff_t) plan.stride * ((ptrdiff_t) (side.panel * S::panel) + (int) (first_row - s * S::panel));
      valid[s] = plan.valid != NULL ? plan.valid + side.first + quad * 4 : NULL;
      /* From this thread's on. */
      n_pixels[s] = side.n_pixels > quad * 4 ? side.n_pixels - quad * 4 : 0;
    }
#pragma unroll
  for (int i = 0; i < 2 * n; i++)
    {
      unsigned row = first_row + i / 2 * (S::bringers * 8) + i % 2 * 8, s = row / S::panel;

      if ((unsigned) i / 2 < n_units
          && (s == 0 ? task.side[0].panel : task.side[1].panel) * S::panel + row - s * S::panel < plan.n_bands)
        present |= 1u << i;
    }

  auto side_of = [&] (int i) -> unsigned { return warp / 2 + i * (S::bringers / 2) >= M ? 1 : 0; };
  /* Asks for the samples of a stage. */
  auto copy = [&] (unsigned stage, unsigned slot)
    {
      const bool there_0 = stage * DEPTH < n_pixels[0], there_1 = stage * DEPTH < n_pixels[1];

#pragma unroll
      for (int i = 0; i < n; i++)
        if ((unsigned) i < n_units)
        {
          const bool other = side_of (i) != 0, there = other ? there_1 : there_0;
          const float *at = (other ? from[1] : from[0]) + (size_t) (i * S::bringers * 8) * plan.stride + stage * DEPTH;

          copy_quad (raw + slot * S::raw_bytes + i * 2 * (S::bringers * 512), at,
                     there && (present >> (2 * i) & 1) != 0 ? 16 : 0);
          copy_quad (raw + slot * S::raw_bytes + (i * 2 + 1) * (S::bringers * 512), at + 8 * plan.stride,
                     there && (present >> (2 * i + 1) & 1) != 0 ? 16 : 0);
        }
      if (plan.valid != NULL)
        {
          copy_word (marks_at + slot * S::mark_bytes, valid[0] + stage * DEPTH, there_0 ? 4 : 0);
          copy_word (marks_at + slot * S::mark_bytes + S::bringers * 128, valid[1] + stage * DEPTH, there_1 ? 4 : 0);
        }
      asm volatile ("cp.async.commit_group;" : : : "memory");
    };

#pragma unroll
  for (int stage = 0; stage < S::raw_stages; stage++)
    copy (stage, stage);
  for (unsigned stage = 0, slot = 0, phase = 1, raw_slot = 0; stage < n_stages; stage++)
    {
      unsigned marks[2];

      asm volatile ("cp.async.wait_group %0;" : : "n"(S::raw_stages - 1) : "memory");
#pragma unroll
      for (int s = 0; s < 2; s++)
        {
          marks[s] = stage * DEPTH < n_pixels[s] ? 0x01010101u : 0;
          if (plan.valid != NULL)
            asm volatile ("ld.shared.u32 %0, [%1];" : "=r"(marks[s])
                          : "r"(marks_at + raw_slot * S::mark_bytes + s * (S::bringers * 128)) : "memory");
          if (summing)
            count[s] += __popc (__vcmpne4 (marks[s], 0)) / 8;
        }
      const bool whole = __all_sync (0xffffffffu, (__vcmpne4 (marks[0], 0) & __vcmpne4 (marks[1], 0)) == 0xffffffffu);

      barrier_wait (&barriers->empty[slot], phase);
#pragma unroll
      for (int i = 0; i < n; i++)
        if ((unsigned) i < n_units)
        {
          const unsigned row = i * (S::bringers * 8);
          const uint32_t at = slot * S::stage_bytes + row * BAND_BYTES;
          const unsigned mark = side_of (i) != 0 ? marks[1] : marks[0];
          float4 x = load_quad (raw + raw_slot * S::raw_bytes + i * 2 * (S::bringers * 512));
          float4 y = load_quad (raw + raw_slot * S::raw_bytes + (i * 2 + 1) * (S::bringers * 512));

          /* NAN times zero is not zero. */
          if (!whole)
            {
              x.x = (mark & 0xffu) != 0 ? x.x : 0.0f;
              y.x = (mark & 0xffu) != 0 ? y.x : 0.0f;
              x.y = (mark & 0xff00u) != 0 ? x.y : 0.0f;
              y.y = (mark & 0xff00u) != 0 ? y.y : 0.0f;
              x.z = (mark & 0xff0000u) != 0 ? x.z : 0.0f;
              y.z = (mark & 0xff0000u) != 0 ? y.z : 0.0f;
              x.w = (mark & 0xff000000u) != 0 ? x.w : 0.0f;
              y.w = (mark & 0xff000000u) != 0 ? y.w : 0.0f;
            }

          double a[2][4] = { { (double) x.x, (double) y.x, (double) x.y, (double) y.y },
                             { (double) x.z, (double) y.z, (double) x.w, (double) y.w } };

          if (shifted)
            {
              const double shift = shifts[first_row + row], shift_8 = shifts[first_row + row + 8];

#pragma unroll
              for (int k = 0; k < 2; k++)
                {
                  double c[4] = { shift, shift, shift_8, shift_8 };

                  multiply (c, a[k], exchange);
                  a[k][0] = c[0];
                  a[k][1] = c[2];
                  a[k][2] = c[1];
                  a[k][3] = c[3];
                }
            }
          if (!whole && shifted)
#pragma unroll
            for (int k = 0; k < 4; k++)
              if ((mark >> (8 * k) & 0xffu) == 0)
                a[k / 2][k % 2 * 2] = a[k / 2][k % 2 * 2 + 1] = 0.0;
          if (summing)
            {
              const double column = lane / 4 == (unsigned) i ? 1.0 : 0.0, ones[2] = { column, column };

              multiply (sum, a[0], ones);
              multiply (sum, a[1], ones);
            }
#pragma unroll
          for (int k = 0; k < 2; k++)
            {
              store_words (lower + at + k * 8 * BAND_BYTES, __double2loint (a[0][k]), __double2loint (a[0][k + 2]),
                           __double2loint (a[1][k]), __double2loint (a[1][k + 2]));
              store_words (upper + at + k * 8 * BAND_BYTES, __double2hiint (a[0][k]), __double2hiint (a[0][k + 2]),
                           __double2hiint (a[1][k]), __double2hiint (a[1][k + 2]));
            }
        }
      barrier_arrive (&barriers->full[slot]);
      copy (stage + S::raw_stages, raw_slot);
      raw_slot = raw_slot + 1 == S::raw_stages ? 0 : raw_slot + 1;
      if (++slot == STAGES)
        {
          slot = 0;
          phase ^= 1;
        }
    }
  asm volatile ("cp.async.wait_group 0;" : : : "memory");

  if (summing)
    leave_sums<M> (plan, task, sums, sum, count, n_units);
}
