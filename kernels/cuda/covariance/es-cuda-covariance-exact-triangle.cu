/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Exact covariance of 8-bit samples, at most 256 bands: a block computes the whole lower triangle of its pixels, so
 * that every byte is read once. Bands are four groups of 16-band slabs, two of FIRST and two of SECOND slabs each;
 * eight warps share the triangle of the groups as below, such that the two of a scheduler (w and w + 4) have about as
 * much to do as any other two. D: the triangle of a group itself.
 *
 *            0     1     2     3
 *      0     D5
 *      1     0     D6
 *      2     1     3     D5
 *      3     2     7     4     D6
 */

#include "es-cuda-covariance-exact.cuh"

#define LIMIT (ESK_EXACT_PIXELS_8 / ESK_EXACT_ROW)

#if !defined (__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

/* The pixels of a block as a thread loads them: eight threads a row. */
template <int ROWS>
struct Feed {
  enum { STEP = ESK_EXACT_THREADS / 8 };

  const EskExactRun &run;
  ExactRing ring;
  ExactStages stages;
  const char *from;                    /* this thread's first vector of stage 0 */
  unsigned n_vectors;                  /* of this thread in a stage */
  unsigned n_whole;                    /* stages without an end of the band in them */
  uint32_t place;

  __device__ __forceinline__
  Feed (const EskExactRun &of)
  : run (of)
  {
    const unsigned row = threadIdx.x / 8, vector = threadIdx.x % 8;

    from = run.data + row * run.band_bytes + vector * 16;
    n_vectors = row < run.n_bands ? (run.n_bands - row + STEP - 1) / STEP : 0;
    n_whole = (unsigned) (run.row_bytes / ESK_EXACT_ROW);
    place = exact_place (row, vector);
  }

  /* Rows behind the last band keep what was there: nothing of them reaches the totals. */
  __device__ __forceinline__ void
  fill (void)
  {
    enum { VECTORS = (ROWS + STEP - 1) / STEP };

    if (stages.next < stages.end)
      ring.fill ([this] (uint32_t to)
                 {
                   const size_t at = (size_t) stages.next * ESK_EXACT_ROW;
                   const char *source = from + at;

                   if (stages.next < n_whole)
                     {
#pragma unroll
                       for (unsigned v = 0; v < VECTORS; v++, source += STEP * run.band_bytes)
                         if (v < n_vectors)
                           exact_copy_async (to + place + v * (STEP * ESK_EXACT_ROW), source);
                     }
                   else
                     {
                       const int n_bytes = exact_bytes_left (run.row_bytes, at + threadIdx.x % 8 * 16);

#pragma unroll 1
                       for (unsigned v = 0; v < n_vectors; v++, source += STEP * run.band_bytes)
                         exact_copy_async (to + place + v * (STEP * ESK_EXACT_ROW), n_bytes > 0 ? source : run.data,
                                           n_bytes);
                     }
                   if (run.valid != NULL)
                     exact_load_mask (run, 1, stages.next, to + ROWS * ESK_EXACT_ROW);
                 });
    stages.advance ();
  }

  __device__ __forceinline__ uint32_t
  next (void)
  {
    fill ();
    return ring.wait ();
  }
};

/* Two products of 16 x 8: rows a, columns b. keep: all bits of the pixels that count. */
template <typename Byte>
__device__ __forceinline__ void
multiply (int (&left)[4],
          int (&right)[4],
          const uint32_t (&a)[4],
          const uint32_t (&keep)[2],
          const uint32_t (&b)[4])
{
  exact_mma<Byte, Byte> (left, a[0] & keep[0], a[2] & keep[0], a[1] & keep[1], a[3] & keep[1], b[0], b[1]);
  exact_mma<Byte, Byte> (right, a[0] & keep[0], a[2] & keep[0], a[1] & keep[1], a[3] & keep[1], b[2], b[3]);
}

/* Sums of a slab's bands: rows 0-7, rows 8-15. */
template <typename Byte>
__device__ __forceinline__ void
add_bytes (int (&sum)[2],
           const uint32_t (&x)[4],
           const uint32_t (&v)[2])
{
  sum[0] = exact_sum_bytes<Byte> (x[1], v[1], exact_sum_bytes<Byte> (x[0], v[0], sum[0]));
  sum[1] = exact_sum_bytes<Byte> (x[3], v[1], exact_sum_bytes<Byte> (x[2], v[0], sum[1]));
}

/* 16 x 16 accumulators to the totals, and zero. */
template <typename Byte, bool DIAGONAL>
__device__ __forceinline__ void
add_products (const EskExactTotals &totals,
              unsigned              n_bands,
              unsigned              row_slab,
              unsigned              column_slab,
              int                 (&left)[4],
              int                 (&right)[4])
{
  const unsigned lane = threadIdx.x % 32, row = row_slab * 16 + lane / 4, column = column_slab * 16 + lane % 4 * 2;

#pragma unroll
  for (int h = 0; h < 2; h++)
    exact_add_row<DIAGONAL> (totals, n_bands, row + 8 * h, column, exact_widen<Byte> (left[2 * h]),
                             exact_widen<Byte> (left[2 * h + 1]), exact_widen<Byte> (right[2 * h]),
                             exact_widen<Byte> (right[2 * h + 1]));
#pragma unroll
  for (int e = 0; e < 4; e++)
    left[e] = right[e] = 0;
}

/* A rectangle of M x N slabs; SUMS: and the sums of its bands. */
template <typename Byte, int ROWS, int M, int N, bool SUMS>
__device__ __forceinline__ void
rectangle (Feed<ROWS>            &feed,
           unsigned               n_stages,
           unsigned               n_bands,
           bool                   masked,
           const EskExactTotals  &totals,
           unsigned               row,
           unsigned               column)
{
  const uint32_t lane = threadIdx.x % 32, slab_lane = exact_slab_lane (lane);
  int left[M][N][4] = {}, right[M][N][4] = {}, row_sum[SUMS ? M : 1][2] = {}, column_sum[SUMS ? N : 1][2] = {};
  unsigned count = 0, since = 0;

  uint32_t stage = feed.next (), a[2][4], b[2][N][4];

#pragma unroll
  for (int j = 0; j < N; j++)
    exact_load_matrices (b[0][j], exact_slab_address (stage, column + j, slab_lane, 0));
  exact_load_matrices (a[0], exact_slab_address (stage, row, slab_lane, 0));

  /* Half a stage at a time, two times 32 pixels: k and k + 1. */
#pragma unroll 1
  for (unsigned half = 0; half < 2 * n_stages; half++)
    {
      const unsigned k = half % 2 * 2;
      uint32_t next = stage;

#pragma unroll
      for (int h = 0; h < 2; h++)
        {
          const uint32_t mask = stage + ROWS * ESK_EXACT_ROW + (k + h) * 32 + lane % 4 * 4;
          const uint32_t v[2] = { exact_mask_word (mask), exact_mask_word (mask + 16) };
          const uint32_t keep[2] = { v[0] * 255, v[1] * 255 };

          if (h == 1 && k == 2 && half + 1 < 2 * n_stages)
            next = feed.next ();
          if (SUMS)
            count = __dp4a (v[0], ESK_EXACT_ONES, __dp4a (v[1], ESK_EXACT_ONES, count));
#pragma unroll
          for (int i = 0; i < M; i++)
            {
              const int now = (h * M + i) % 2;
              const unsigned then = h == 0 ? k + 1 : k ^ 2;

              /* The next row, and the columns of the next 32 pixels, are on their way while this row is multiplied. */
              if (i + 1 < M)
                exact_load_matrices (a[1 - now], exact_slab_address (stage, row + i + 1, slab_lane, k + h));
              else
                exact_load_matrices (a[1 - now], exact_slab_address (next, row, slab_lane, then));
#pragma unroll
              for (int j = i * N / M; j < (i + 1) * N / M; j++)
                exact_load_matrices (b[1 - h][j], exact_slab_address (next, column + j, slab_lane, then));
              if (SUMS)
                {
                  add_bytes<Byte> (row_sum[i], a[now], v);
#pragma unroll
                  for (int j = i * N / M; j < (i + 1) * N / M; j++)
                    add_bytes<Byte> (column_sum[j], b[h][j], v);
                }
#pragma unroll
              for (int j = 0; j < N; j++)
                multiply<Byte> (left[i][j], right[i][j], a[now], keep, b[h][j]);
            }
        }
      if (k == 0)
        continue;

      feed.ring.release ();
      stage = next;
      if (++since == LIMIT || half + 1 == 2 * n_stages)
        {
          const unsigned n = exact_here (n_bands), r = exact_here (row), c = exact_here (column);

          since = 0;
#pragma unroll
          for (int i = 0; i < M; i++)
#pragma unroll
            for (int j = 0; j < N; j++)
              add_products<Byte, false> (totals, n, r + i, c + j, left[i][j], right[i][j]);
          if (SUMS)
            {
#pragma unroll
              for (int i = 0; i < M; i++)
                exact_add_sums<Byte> (totals, n, r + i, row_sum[i]);
#pragma unroll
              for (int j = 0; j < N; j++)
                exact_add_sums<Byte> (totals, n, c + j, column_sum[j]);
              count += __shfl_xor_sync (0xffffffff, count, 1);
              count += __shfl_xor_sync (0xffffffff, count, 2);
              if (c == 0 && lane == 0 && masked)
                atomicAdd (totals.count, (unsigned long long) count);
              count = 0;
            }
        }
    }
}

template <int N>
__device__ __forceinline__ void
load_slabs (uint32_t (&x)[N][4],
            uint32_t   stage,
            unsigned   first,
            uint32_t   slab_lane,
            unsigned   k)
{
#pragma unroll
  for (int i = 0; i < N; i++)
    exact_load_matrices (x[i], exact_slab_address (stage, first + i, slab_lane, k));
}

template <typename Byte, int N>
__device__ __forceinline__ void
multiply_triangle (int (&left)[N][N][4],
                   int (&right)[N][N][4],
                   const uint32_t (&x)[N][4],
                   const uint32_t (&keep)[2])
{
#pragma unroll
  for (int i = 0; i < N; i++)
#pragma unroll
    for (int j = 0; j <= i; j++)
      multiply<Byte> (left[i][j], right[i][j], x[i], keep, x[j]);
}

template <typename Byte, int N>
__device__ __forceinline__ void
add_triangle (const EskExactTotals &totals,
              unsigned              n_bands,
              unsigned              first,
              int                 (&left)[N][N][4],
              int                 (&right)[N][N][4])
{
#pragma unroll
  for (int i = 0; i < N; i++)
#pragma unroll
    for (int j = 0; j < i; j++)
      add_products<Byte, false> (totals, n_bands, first + i, first + j, left[i][j], right[i][j]);
#pragma unroll
  for (int i = 0; i < N; i++)
    add_products<Byte, true> (totals, n_bands, first + i, first + i, left[i][i], right[i][i]);
}

/* The triangles of two groups. */
template <typename Byte, int ROWS, int M, int N>
__device__ __forceinline__ void
two_triangles (Feed<ROWS>            &feed,
               unsigned               n_stages,
               unsigned               n_bands,
               const EskExactTotals  &totals,
               unsigned               first,
               unsigned               second)
{
  const uint32_t lane = threadIdx.x % 32, slab_lane = exact_slab_lane (lane);
  int first_left[M][M][4] = {}, first_right[M][M][4] = {}, second_left[N][N][4] = {}, second_right[N][N][4] = {};
  unsigned since = 0;

  uint32_t stage = feed.next (), x[M][4], y[N][4];

  load_slabs<M> (x, stage, first, slab_lane, 0);
#pragma unroll 1
  for (unsigned half = 0; half < 2 * n_stages; half++)
    {
      const unsigned k = half % 2 * 2;
      uint32_t next = stage;

#pragma unroll
      for (int h = 0; h < 2; h++)
        {
          const uint32_t mask = stage + ROWS * ESK_EXACT_ROW + (k + h) * 32 + lane % 4 * 4;
          const uint32_t keep[2] = { exact_mask_word (mask) * 255, exact_mask_word (mask + 16) * 255 };

          load_slabs<N> (y, stage, second, slab_lane, k + h);
          if (h == 1 && k == 2 && half + 1 < 2 * n_stages)
            next = feed.next ();
          multiply_triangle<Byte, M> (first_left, first_right, x, keep);
          load_slabs<M> (x, next, first, slab_lane, h == 0 ? k + 1 : k ^ 2);
          multiply_triangle<Byte, N> (second_left, second_right, y, keep);
        }
      if (k == 0)
        continue;

      feed.ring.release ();
      stage = next;
      if (++since == LIMIT || half + 1 == 2 * n_stages)
        {
          const unsigned n = exact_here (n_bands);

          since = 0;
          add_triangle<Byte, M> (totals, n, exact_here (first), first_left, first_right);
          add_triangle<Byte, N> (totals, n, exact_here (second), second_left, second_right);
        }
    }
}

#endif

template <typename Byte, int FIRST, int SECOND>
__global__ void
__launch_bounds__ (ESK_EXACT_THREADS, FIRST <= 2 ? 2 : 1)
exact_triangle (EskExactRun    run,
                EskExactPlan   plan,
                EskExactTotals totals)
{
#if __CUDA_ARCH__ >= 800
  enum { ROWS = 32 * (FIRST + SECOND), A = FIRST, B = SECOND, G1 = FIRST, G2 = 2 * FIRST, G3 = 2 * FIRST + SECOND };
  extern __shared__ __align__ (128) char shared[];
  const unsigned n = run.n_bands, warp = threadIdx.x / 32;
  const bool masked = run.valid != NULL;
  Feed<ROWS> feed (run);
  unsigned n_stages;

  feed.ring.start (plan, (uint32_t) __cvta_generic_to_shared (shared));
  if (!masked)
    exact_set_masks (feed.ring.base + ROWS * ESK_EXACT_ROW, plan.stage_bytes, plan.n_pipeline);
  n_stages = feed.stages.start (run, plan, blockIdx.x);
  __syncthreads ();
  for (unsigned s = 0; s < feed.ring.ahead (2); s++)
    feed.fill ();

  /* As few pieces of code as there can be: together they must fit the instruction caches. */
  switch (warp)
    {
    case 0:
      rectangle<Byte, ROWS, A, A, true> (feed, n_stages, n, masked, totals, G1, 0);
      break;
    case 4:
      rectangle<Byte, ROWS, B, B, true> (feed, n_stages, n, masked, totals, G3, G2);
      break;
    case 5: case 6:
      two_triangles<Byte, ROWS, A, B> (feed, n_stages, n, totals, warp == 5 ? 0 : G1, warp == 5 ? G2 : G3);
      break;
    default:
      rectangle<Byte, ROWS, B, A, false> (feed, n_stages, n, masked, totals, warp == 1 || warp == 3 ? G2 : G3,
                                          warp <= 2 ? 0 : G1);
      break;
    }
  if (run.valid == NULL && blockIdx.x == 0 && threadIdx.x == 0)
    atomicAdd (totals.count, (unsigned long long) run.row_bytes);
#endif
}

template <typename Byte, int FIRST, int SECOND>
static int
launch_triangle (EskStream         *stream,
                 const EskExactRun *run,
                 EskExactTotals     totals)
{
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  enum { ROWS = 32 * (FIRST + SECOND) };
  const unsigned per_multiprocessor = FIRST <= 2 ? 2 : 1;
  EskExactPlan plan = { 0, 1, 1, 0, 0, 0, 0 };
  int code;

  if (!esk_cuda_exact_pipeline (&plan, ROWS, (properties->shared_optin + 1024) / per_multiprocessor - 1024))
    return esk_cuda_check (stream, cudaErrorInvalidConfiguration, "covariance");
  plan.n_blocks = (unsigned) properties->multiprocessors * per_multiprocessor;
  if (plan.n_blocks > run->n_stages)
    plan.n_blocks = run->n_stages;
  plan.n_slices = plan.n_blocks;

  code = esk_cuda_check (stream, cudaFuncSetAttribute (exact_triangle<Byte, FIRST, SECOND>,
                                                       cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                       (int) plan.shared_bytes), "covariance");
  if (code != ESK_OK)
    return code;
  exact_triangle<Byte, FIRST, SECOND><<<plan.n_blocks, ESK_EXACT_THREADS, plan.shared_bytes, stream->stream>>>
    (*run, plan, totals);

  return esk_cuda_launched (stream, "covariance");
}

template <typename Byte>
static int
choose_triangle (EskStream         *stream,
                 const EskExactRun *run,
                 EskExactTotals     totals)
{
  if (run->n_bands <= 64)
    return launch_triangle<Byte, 1, 1> (stream, run, totals);
  if (run->n_bands <= 128)
    return launch_triangle<Byte, 2, 2> (stream, run, totals);
  if (run->n_bands <= 192)
    return launch_triangle<Byte, 3, 3> (stream, run, totals);
  if (run->n_bands <= 224)
    return launch_triangle<Byte, 4, 3> (stream, run, totals);

  return launch_triangle<Byte, 4, 4> (stream, run, totals);
}

int
esk_cuda_exact_triangle (EskStream         *stream,
                         const EskExactRun *run,
                         EskType            type,
                         EskExactTotals     totals)
{
  if (run->n_bands > ESK_EXACT_TRIANGLE_BANDS)
    return ESK_ERROR_ARGUMENT;

  return type == ESK_U8 ? choose_triangle<uint8_t> (stream, run, totals)
         : type == ESK_I8 ? choose_triangle<int8_t> (stream, run, totals) : ESK_ERROR_ARGUMENT;
}
