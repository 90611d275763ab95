/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tiles of pairs: sums of squared differences in float32, and the candidates among them. */

#include "es-cuda-neighbours-private.h"

#include <math.h>

#define TILE ESK_NEAR_TILE
#define STEP ESK_NEAR_ROUND
#define THREADS 256
#define WARPS (THREADS / 32)
/* Of shared memory: rows begin in other banks. */
#define STRIDE (TILE + 4)
/* Pairs of a thread: 8 x 8, the rows and columns 4 * i .. 4 * i + 3 and 64 behind these. */
#define HALF (TILE / 2)

unsigned
esk_near_capacity (size_t k)
{
  /* A tile may add 128, and twins of the k-th need some room. */
  return k <= 64 ? 256 : k <= 256 ? 512 : k <= ESK_NEAR_MOST ? 768 : 0;
}

/*
 * A warp leaves of `count` candidates those that may be among the k nearest: the reach becomes what the k-th smallest
 * sum allows. Returns how many are left, the same in all lanes; *reach likewise. Sums are not negative, so that their
 * bits ascend as they do.
 */
template <int items>
static __device__ int
thin_out (float   *sums,
          int32_t *candidates,
          int      count,
          int      k,
          float    growth,
          float    smallest,
          float   *reach)
{
  const int lane = threadIdx.x % 32;
  const unsigned below_lane = (1u << lane) - 1;
  uint32_t bits[items], low = 0, high = 0x7f800000u;
  int32_t which[items];
  float most;
  int left = 0;

#pragma unroll
  for (int i = 0; i < items; i++)
    {
      const int at = 32 * i + lane;

      bits[i] = at < count ? __float_as_uint (sums[at]) : 0xffffffffu;
      which[i] = at < count ? candidates[at] : 0;
    }
  /* The smallest number that k of them do not exceed. */
  while (low < high)
    {
      const uint32_t middle = low + (high - low) / 2;
      int not_above = 0;

#pragma unroll
      for (int i = 0; i < items; i++)
        not_above += __popc (__ballot_sync (0xffffffffu, bits[i] <= middle));
      if (not_above >= k)
        high = middle;
      else
        low = middle + 1;
    }
  most = __uint_as_float (low) * growth + smallest;
  *reach = most;

  __syncwarp ();
#pragma unroll
  for (int i = 0; i < items; i++)
    {
      const bool stays = 32 * i + lane < count && __uint_as_float (bits[i]) <= most;
      const unsigned all = __ballot_sync (0xffffffffu, stays);

      if (stays)
        {
          const int to = left + __popc (all & below_lane);

          sums[to] = __uint_as_float (bits[i]);
          candidates[to] = which[i];
        }
      left += __popc (all);
    }
  __syncwarp ();

  return left;
}

/* Grid: queries / TILE x slices. */
template <int items>
static __global__ void __launch_bounds__ (THREADS, 2)
find_candidates (EskNearTiles tiles)
{
  constexpr int capacity = 32 * items;
  __shared__ __align__ (16) float query_step[2][STEP][STRIDE], point_step[2][STEP][STRIDE];
  __shared__ float reach[TILE];
  __shared__ int count[TILE];

  const int thread = threadIdx.x, row = thread / 16 * 4, column = thread % 16 * 4;
  const int load_row = thread / 2, load_part = thread % 2 * 4;
  const size_t first_query = (size_t) blockIdx.x * TILE, n_points = tiles.points.n, n_queries = tiles.queries.n;
  const size_t n_tiles = (n_points + TILE - 1) / TILE;
  const size_t from = n_tiles * blockIdx.y / gridDim.y, until = n_tiles * (blockIdx.y + 1) / gridDim.y;
  const int n_steps = (int) (tiles.pitch / STEP);
  const bool has_query = first_query + load_row < n_queries;
  const float *query_row = tiles.queries.rows + (has_query ? first_query + load_row : 0) * tiles.pitch + load_part;
  const size_t place = (size_t) blockIdx.y * n_queries + first_query;
  float *sums = tiles.sums + place * capacity;
  int32_t *candidates = tiles.candidates + place * capacity;

  if (thread < TILE)
    {
      reach[thread] = first_query + thread < n_queries ? INFINITY : -1.0f;
      count[thread] = 0;
    }
  __syncthreads ();

  for (size_t tile = from; tile < until; tile++)
    {
      const size_t first_point = tile * TILE;
      const bool has_point = first_point + load_row < n_points;
      const float *point_row = tiles.points.rows + (has_point ? first_point + load_row : 0) * tiles.pitch + load_part;
      float sum[8][8];
      float4 q, p;

#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++)
          sum[i][j] = 0.0f;

      q = *(const float4 *) query_row;
      p = *(const float4 *) point_row;
      for (int step = 0; step < n_steps; step++)
        {
          const int buffer = step % 2;

          query_step[buffer][load_part][load_row] = q.x;
          query_step[buffer][load_part + 1][load_row] = q.y;
          query_step[buffer][load_part + 2][load_row] = q.z;
          query_step[buffer][load_part + 3][load_row] = q.w;
          point_step[buffer][load_part][load_row] = p.x;
          point_step[buffer][load_part + 1][load_row] = p.y;
          point_step[buffer][load_part + 2][load_row] = p.z;
          point_step[buffer][load_part + 3][load_row] = p.w;
          /* Whoever still reads the other buffer has to be done before it is written the next time: one barrier a
           * step is enough for both. */
          __syncthreads ();
          if (step + 1 < n_steps)
            {
              q = *(const float4 *) (query_row + (size_t) (step + 1) * STEP);
              p = *(const float4 *) (point_row + (size_t) (step + 1) * STEP);
            }
#pragma unroll
          for (int b = 0; b < STEP; b++)
            {
              const float4 q0 = *(const float4 *) &query_step[buffer][b][row];
              const float4 q1 = *(const float4 *) &query_step[buffer][b][row + HALF];
              const float4 p0 = *(const float4 *) &point_step[buffer][b][column];
              const float4 p1 = *(const float4 *) &point_step[buffer][b][column + HALF];
              const float qs[8] = { q0.x, q0.y, q0.z, q0.w, q1.x, q1.y, q1.z, q1.w };
              const float ps[8] = { p0.x, p0.y, p0.z, p0.w, p1.x, p1.y, p1.z, p1.w };

#pragma unroll
              for (int i = 0; i < 8; i++)
#pragma unroll
                for (int j = 0; j < 8; j++)
                  {
                    const float x = qs[i] - ps[j];

                    sum[i][j] = fmaf (x, x, sum[i][j]);
                  }
            }
        }

      /* There is room for a whole tile. */
#pragma unroll
      for (int i = 0; i < 8; i++)
        {
          const int r = row + i % 4 + i / 4 * HALF;
          const float most = reach[r];
          const long long own = tiles.own_first < 0 ? -1 : tiles.own_first + (long long) (first_query + r);

#pragma unroll
          for (int j = 0; j < 8; j++)
            {
              const size_t point = first_point + column + j % 4 + j / 4 * HALF;

              if (sum[i][j] <= most && point < n_points && (long long) point != own)
                {
                  const int at = atomicAdd (&count[r], 1);

                  sums[(size_t) r * capacity + at] = sum[i][j];
                  candidates[(size_t) r * capacity + at] = (int32_t) point;
                }
            }
        }
      __syncthreads ();
      for (int r = thread / 32; r < TILE; r += WARPS)
        if (count[r] > (tile + 1 < until ? capacity - TILE : (int) tiles.k))
          {
            float most;
            const int left = thin_out<items> (sums + (size_t) r * capacity, candidates + (size_t) r * capacity,
                                              count[r], (int) tiles.k, tiles.growth, tiles.smallest, &most);

            /* More are as near as the k-th than there is room for: nothing is collected any more. */
            if (thread % 32 == 0)
              {
                const bool full = tile + 1 < until && left > capacity - TILE;

                count[r] = full ? -1 : left;
                reach[r] = full ? -1.0f : most;
              }
          }
      __syncthreads ();
    }

  if (thread < TILE && first_query + thread < n_queries)
    tiles.counts[place + thread] = count[thread];
}

int
esk_near_tiles (EskStream          *stream,
                const EskNearTiles *tiles)
{
  const dim3 grid ((unsigned) ((tiles->queries.n + ESK_NEAR_TILE - 1) / ESK_NEAR_TILE), tiles->slices);

  switch (tiles->capacity)
    {
    case 256:
      find_candidates<8><<<grid, THREADS, 0, stream->stream>>> (*tiles);
      break;
    case 512:
      find_candidates<16><<<grid, THREADS, 0, stream->stream>>> (*tiles);
      break;
    default:
      find_candidates<24><<<grid, THREADS, 0, stream->stream>>> (*tiles);
    }

  return esk_cuda_launched (stream, "the search of neighbours");
}
