/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Squared distances in float64, the same bytes as the CPU's, and the smallest of them in order. */

#include "es-cuda-neighbours-private.h"

/* Threads that add up one distance: the lanes of es-hotspots-neighbours.h. */
#define LANES 8
#define THREADS 256
#define GROUPS (THREADS / LANES)
/* Queries of a block of squares: a point is read once for all of them. */
#define QUERIES 4
/* Threads of a block that selects, and bits of a digit. */
#define SELECT_THREADS 512
#define DIGIT 8
#define BINS (1 << DIGIT)

/* Of the lanes of a group: ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). */
static __device__ double
add_lanes (double sum)
{
  sum += __shfl_xor_sync (0xffffffffu, sum, 4);
  sum += __shfl_xor_sync (0xffffffffu, sum, 2);
  sum += __shfl_xor_sync (0xffffffffu, sum, 1);

  return sum;
}

static __device__ bool
is_before (double  a,
           int32_t i,
           double  b,
           int32_t j)
{
  return a < b || (a == b && i < j);
}

/* ---- candidates ---- */

/* A warp a query. */
static __global__ void
measure (EskNearTiles  tiles,
         double       *keys,
         int32_t      *index,
         float        *distance,
         uint8_t      *hard)
{
  const size_t query = (size_t) blockIdx.x * (THREADS / 32) + threadIdx.x / 32;
  const int lane = threadIdx.x % 32, group = lane / LANES, part = lane % LANES;
  const float *row;
  bool is_hard = false;

  if (query >= tiles.queries.n)
    return;
  row = tiles.queries.rows + query * tiles.pitch;
  for (unsigned s = 0; s < tiles.slices; s++)
    is_hard = is_hard || tiles.counts[s * tiles.queries.n + query] < 0;
  if (lane == 0)
    hard[query] = is_hard;
  if (is_hard)
    return;

  for (unsigned s = 0; s < tiles.slices; s++)
    {
      const size_t place = (s * tiles.queries.n + query) * tiles.capacity;
      const int count = tiles.counts[s * tiles.queries.n + query];

      /* All lanes go round together, for they hand on their sums. */
      for (int c = 0; c < count; c += 32 / LANES)
        {
          const bool is_one = c + group < count;
          const float *point = tiles.points.rows
                               + (size_t) (is_one ? tiles.candidates[place + c + group] : 0) * tiles.pitch;
          double sum = 0.0;

          for (size_t b = part; b < tiles.pitch; b += LANES)
            {
              const double x = (double) row[b] - (double) point[b];

              sum = fma (x, x, sum);
            }
          sum = add_lanes (sum);
          if (is_one && part == 0)
            keys[place + c + group] = sum;
        }
    }
  __syncwarp ();

  /* The place of each is how many come before it. */
  for (unsigned s = 0; s < tiles.slices; s++)
    {
      const size_t place = (s * tiles.queries.n + query) * tiles.capacity;
      const int count = tiles.counts[s * tiles.queries.n + query];

      for (int c = lane; c < count; c += 32)
        {
          const double key = keys[place + c];
          const int32_t candidate = tiles.candidates[place + c];
          unsigned rank = 0;

          for (unsigned t = 0; t < tiles.slices; t++)
            {
              const size_t other = (t * tiles.queries.n + query) * tiles.capacity;
              const int others = tiles.counts[t * tiles.queries.n + query];

              for (int o = 0; o < others; o++)
                rank += is_before (keys[other + o], tiles.candidates[other + o], key, candidate);
            }
          if (rank < tiles.k)
            {
              index[query * tiles.k + rank] = candidate;
              distance[query * tiles.k + rank] = __double2float_rn (__dsqrt_rn (key));
            }
        }
    }
}

int
esk_near_measure (EskStream          *stream,
                  const EskNearTiles *tiles,
                  double             *keys,
                  int32_t            *index,
                  float              *distance,
                  uint8_t            *hard)
{
  const unsigned blocks = (unsigned) ((tiles->queries.n + THREADS / 32 - 1) / (THREADS / 32));

  measure<<<blocks, THREADS, 0, stream->stream>>> (*tiles, keys, index, distance, hard);

  return esk_cuda_launched (stream, "the distances of neighbours");
}

/* ---- whole rows ---- */

/* Grid: groups of points (as far as there are blocks) x queries / QUERIES. */
static __global__ void
find_squares (EskNearRows    points,
              const float   *queries,
              const int32_t *which,
              size_t         n_queries,
              size_t         pitch,
              double        *square)
{
  const size_t first = (size_t) blockIdx.y * QUERIES;
  const int group = threadIdx.x / LANES, part = threadIdx.x % LANES;
  const float *row[QUERIES];

#pragma unroll
  for (int q = 0; q < QUERIES; q++)
    {
      const size_t at = first + q < n_queries ? first + q : first;

      row[q] = queries + (which != NULL ? (size_t) which[at] : at) * pitch;
    }
  /* Groups of a warp go round together. */
  for (size_t base = (size_t) blockIdx.x * GROUPS; base < points.n; base += (size_t) gridDim.x * GROUPS)
    {
      const size_t p = base + group;
      const float *point = points.rows + (p < points.n ? p : 0) * pitch;
      double sum[QUERIES] = { 0.0, 0.0, 0.0, 0.0 };

      for (size_t b = part; b < pitch; b += LANES)
        {
          const double value = (double) point[b];

#pragma unroll
          for (int q = 0; q < QUERIES; q++)
            {
              const double x = (double) row[q][b] - value;

              sum[q] = fma (x, x, sum[q]);
            }
        }
#pragma unroll
      for (int q = 0; q < QUERIES; q++)
        {
          const double all = add_lanes (sum[q]);

          if (part == 0 && p < points.n && first + q < n_queries)
            square[(first + q) * points.n + p] = all;
        }
    }
}

int
esk_near_squares (EskStream         *stream,
                  const EskNearRows *points,
                  const float       *queries,
                  const int32_t     *which,
                  size_t             n_queries,
                  size_t             pitch,
                  double            *square)
{
  const size_t blocks = (points->n + GROUPS - 1) / GROUPS;
  const dim3 grid ((unsigned) (blocks < 4096 ? blocks : 4096), (unsigned) ((n_queries + QUERIES - 1) / QUERIES));

  find_squares<<<grid, THREADS, 0, stream->stream>>> (*points, queries, which, n_queries, pitch, square);

  return esk_cuda_launched (stream, "distances");
}

/*
 * A block a row. Squares are not negative, so that their bits ascend as they do: digit by digit from the top, the
 * bits of the k-th smallest are found by counting. Then those below it are taken, and of those equal to it the first
 * ones, and are put in order by how many come before each.
 */
static __global__ void __launch_bounds__ (SELECT_THREADS)
select_row (const double  *square,
            size_t         n_points,
            const int32_t *which,
            size_t         k,
            long long      own_first,
            double        *keys,
            int32_t       *picked,
            int32_t       *index,
            float         *distance)
{
  __shared__ unsigned bins[BINS];
  __shared__ unsigned long long known;       /* bits that are known so far */
  __shared__ unsigned left;                  /* how many of those with these bits are still wanted */
  __shared__ unsigned n_picked, n_equal, before[SELECT_THREADS / 32];
  const double *row = square + blockIdx.x * n_points;
  const size_t query = which != NULL ? (size_t) which[blockIdx.x] : blockIdx.x;
  const long long own = own_first < 0 ? -1 : own_first + (long long) query;
  const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;

  keys += blockIdx.x * k;
  picked += blockIdx.x * k;
  if (thread == 0)
    {
      known = 0;
      left = (unsigned) k;
      n_picked = 0;
      n_equal = 0;
    }
  for (int shift = 64 - DIGIT; shift >= 0; shift -= DIGIT)
    {
      unsigned long long above;

      for (int b = thread; b < BINS; b += SELECT_THREADS)
        bins[b] = 0;
      __syncthreads ();
      above = known;
      for (size_t p = thread; p < n_points; p += SELECT_THREADS)
        {
          const unsigned long long bits = (unsigned long long) __double_as_longlong (row[p]);

          /* Shifting by 64 is undefined: at first every number has the bits that are known, none. */
          if ((shift == 64 - DIGIT || bits >> (shift + DIGIT) == above >> (shift + DIGIT)) && (long long) p != own)
            atomicAdd (&bins[bits >> shift & (BINS - 1)], 1u);
        }
      __syncthreads ();
      if (thread == 0)
        {
          unsigned digit = 0;

          while (bins[digit] < left)
            left -= bins[digit++];
          known |= (unsigned long long) digit << shift;
        }
      __syncthreads ();
    }

  /* In the order of the points, so that of the equal ones the first are taken. */
  for (size_t base = 0; base < n_points; base += SELECT_THREADS)
    {
      const size_t p = base + thread;
      const bool there = p < n_points && (long long) p != own;
      const unsigned long long bits = there ? (unsigned long long) __double_as_longlong (row[p]) : ~0ull;
      const bool equal = there && bits == known;
      const unsigned equals = __ballot_sync (0xffffffffu, equal);
      unsigned rank = n_equal + __popc (equals & ((1u << lane) - 1));

      if (lane == 0)
        before[warp] = __popc (equals);
      __syncthreads ();
      for (int w = 0; w < warp; w++)
        rank += before[w];
      if (there && (bits < known || (equal && rank < left)))
        {
          const unsigned at = atomicAdd (&n_picked, 1u);

          keys[at] = row[p];
          picked[at] = (int32_t) p;
        }
      __syncthreads ();
      if (thread == 0)
        for (int w = 0; w < SELECT_THREADS / 32; w++)
          n_equal += before[w];
      __syncthreads ();
    }

  for (size_t c = thread; c < k; c += SELECT_THREADS)
    {
      const double key = keys[c];
      const int32_t candidate = picked[c];
      size_t rank = 0;

      for (size_t o = 0; o < k; o++)
        rank += is_before (keys[o], picked[o], key, candidate);
      index[query * k + rank] = candidate;
      distance[query * k + rank] = __double2float_rn (__dsqrt_rn (key));
    }
}

int
esk_cuda_near_select (EskStream     *stream,
                      const double  *square,
                      size_t         n_points,
                      const int32_t *which,
                      size_t         n_queries,
                      size_t         k,
                      long long      own_first,
                      double        *keys,
                      int32_t       *picked,
                      int32_t       *index,
                      float         *distance)
{
  select_row<<<(unsigned) n_queries, SELECT_THREADS, 0, stream->stream>>> (square, n_points, which, k, own_first, keys,
                                                                         picked, index, distance);

  return esk_cuda_launched (stream, "the order of neighbours");
}
