/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From eigenvalues, and products of steering vectors with eigenvectors, to powers: sum |v'a|^2 / d, and MUSIC. */

#include "es-cuda-adaptive-eigen-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

#include <float.h>

#define THREADS 256
#define LANES 32
#define ROWS 8
#define MOST_GRID 65535
/* MUSIC's pseudo-spectrum is at most the inverse. */
#define LEAST_DISTANCE 1e-12

static __device__ double
block_reduce (double  x,
              double *room,
              bool    largest)
{
  room[threadIdx.x] = x;
  for (unsigned half = THREADS / 2; half > 0; half /= 2)
    {
      __syncthreads ();
      if (threadIdx.x < half)
        room[threadIdx.x] = largest ? fmax (room[threadIdx.x], room[threadIdx.x + half])
                                    : room[threadIdx.x] + room[threadIdx.x + half];
    }
  __syncthreads ();
  x = room[0];
  __syncthreads ();

  return x;
}

/* A thread a value: its place among the others. A block of them has THREADS of a bin's. */
static __global__ void
__launch_bounds__ (THREADS)
prepare_pairs (EskCudaPairs        pairs,
               double              loading,
               size_t              sources,
               bool                gram,
               EskCudaAdaptiveBin *singular)
{
  __shared__ double room[THREADS];
  const size_t n = pairs.n, base = blockIdx.y * n, k = (size_t) blockIdx.x * THREADS + threadIdx.x;
  const EskCudaAdaptiveBin bin = pairs.state[blockIdx.y];
  const double delta = bin.live > 0 ? loading * bin.trace / (double) bin.live : 0.0;
  const double own = k < n ? pairs.values[base + k] : 0.0;
  double largest = 0.0, least, regular = 0.0;
  size_t place = 0;

  for (size_t first = 0; first < n; first += THREADS)
    {
      const size_t here = n - first < THREADS ? n - first : THREADS;

      __syncthreads ();
      if (threadIdx.x < here)
        {
          room[threadIdx.x] = pairs.values[base + first + threadIdx.x];
          largest = fmax (largest, room[threadIdx.x]);
        }
      __syncthreads ();
      for (size_t j = 0; j < here; j++)
        place += room[j] > own || (room[j] == own && first + j < k);
    }
  __syncthreads ();
  largest = block_reduce (largest, room, true);
  /* What rounding leaves of an eigenvalue that is none. */
  least = (double) (n < 16 ? 16 : n) * DBL_EPSILON * largest;

  if (k < n)
    {
      const double value = own > least ? own : 0.0;

      pairs.sorted[base + place] = value;
      pairs.inverse[base + k] = value + delta > 0.0 ? 1.0 / (value + delta) : 0.0;
      pairs.signal[base + k] = place >= sources || value == 0.0 ? 0.0 : gram ? 1.0 / value : 1.0;
    }
  if (singular != NULL && blockIdx.x == 0)
    {
      for (size_t j = threadIdx.x; j < n; j += THREADS)
        regular += pairs.values[base + j] > least || delta > 0.0 ? 1.0 : 0.0;
      regular = block_reduce (regular, room, false);
      if (threadIdx.x == 0 && regular < (double) bin.live)
        singular[blockIdx.y].singular = 1;
    }
}

int
esk_cuda_pairs_prepare (EskStream          *stream,
                        const EskCudaPairs *pairs,
                        double              loading,
                        size_t              sources,
                        bool                gram,
                        EskCudaAdaptiveBin *singular)
{
  const dim3 grid ((unsigned) esk_cuda_ceil_div (pairs->n, THREADS), (unsigned) pairs->bins);

  prepare_pairs<<<grid, THREADS, 0, stream->stream>>> (*pairs, loading, sources, gram, singular);

  return esk_cuda_launched (stream, "eigenvalues");
}

static __device__ void
write_sums (const EskCudaPairs        *pairs,
            const EskCudaPairProducts *call,
            size_t                     bin,
            size_t                     focus,
            double                     inverse,
            double                     signal)
{
  const size_t at = bin * call->n_foci + call->first_focus + focus;
  const double live = (double) pairs->state[bin].live;

  if (call->spectrum != NULL)
    call->spectrum[at] = live > 0.0 ? 1.0 / inverse : 0.0;
  if (call->music != NULL)
    call->music[at] = live > 0.0 ? fmin (fmax (1.0 - signal / live, LEAST_DISTANCE), 1.0) : 1.0;
}

static __device__ __forceinline__ void
add_product (double2 z,
             double  inverse,
             double  signal,
             double *inverse_sum,
             double *signal_sum)
{
  const double power = fma (z.x, z.x, z.y * z.y);

  *inverse_sum = fma (power, inverse, *inverse_sum);
  *signal_sum = fma (power, signal, *signal_sum);
}

/* A warp a focus. */
static __global__ void
__launch_bounds__ (LANES * ROWS)
sum_by_focus (EskCudaPairs        pairs,
              EskCudaPairProducts call)
{
  const size_t bin = blockIdx.y, f = (size_t) blockIdx.x * ROWS + threadIdx.y;
  const double2 *products = call.products + (bin * call.foci + f) * pairs.n;
  double inverse = 0.0, signal = 0.0;

  if (f >= call.foci)
    return;
#pragma unroll 4
  for (size_t k = threadIdx.x; k < pairs.n; k += LANES)
    add_product (products[k], pairs.inverse[bin * pairs.n + k], pairs.signal[bin * pairs.n + k], &inverse, &signal);
  for (int distance = LANES / 2; distance > 0; distance /= 2)
    {
      inverse += __shfl_xor_sync (0xffffffffu, inverse, distance);
      signal += __shfl_xor_sync (0xffffffffu, signal, distance);
    }
  if (threadIdx.x == 0)
    write_sums (&pairs, &call, bin, f, inverse, signal);
}

/* A thread a focus and some of the pairs. */
static __global__ void
__launch_bounds__ (LANES * ROWS)
sum_by_pair (EskCudaPairs        pairs,
             EskCudaPairProducts call)
{
  __shared__ double sums[2][ROWS][LANES];
  const size_t bin = blockIdx.y, f = (size_t) blockIdx.x * LANES + threadIdx.x;
  const double2 *products = call.products + bin * pairs.n * call.foci + f;
  double inverse = 0.0, signal = 0.0;

  if (f < call.foci)
    {
#pragma unroll 4
      for (size_t k = threadIdx.y; k < pairs.n; k += ROWS)
        add_product (products[k * call.foci], pairs.inverse[bin * pairs.n + k], pairs.signal[bin * pairs.n + k],
                     &inverse, &signal);
    }
  sums[0][threadIdx.y][threadIdx.x] = inverse;
  sums[1][threadIdx.y][threadIdx.x] = signal;
  __syncthreads ();
  if (threadIdx.y == 0 && f < call.foci)
    {
      for (int row = 1; row < ROWS; row++)
        {
          inverse += sums[0][row][threadIdx.x];
          signal += sums[1][row][threadIdx.x];
        }
      write_sums (&pairs, &call, bin, f, inverse, signal);
    }
}

int
esk_cuda_pairs_sum (EskStream                 *stream,
                    const EskCudaPairs        *pairs,
                    const EskCudaPairProducts *call)
{
  const dim3 block (LANES, ROWS);

  if (call->by_pair)
    sum_by_pair<<<dim3 ((unsigned) esk_cuda_ceil_div (call->foci, LANES), (unsigned) pairs->bins), block, 0,
                  stream->stream>>> (*pairs, *call);
  else
    sum_by_focus<<<dim3 ((unsigned) esk_cuda_ceil_div (call->foci, ROWS), (unsigned) pairs->bins), block, 0,
                   stream->stream>>> (*pairs, *call);

  return esk_cuda_launched (stream, "powers of eigenvectors");
}

/* ---- what is carried along ---- */

static __global__ void
__launch_bounds__ (LANES * ROWS)
turn_steering (const double2 *steering,
               size_t         n,
               size_t         foci,
               double2       *to,
               size_t         columns)
{
  __shared__ double2 tile[LANES][LANES + 1];
  const size_t bin = blockIdx.z, first_k = (size_t) blockIdx.x * LANES;

  for (size_t first_f = (size_t) blockIdx.y * LANES; first_f < foci; first_f += (size_t) gridDim.y * LANES)
    {
      __syncthreads ();
      for (unsigned row = threadIdx.y; row < LANES; row += ROWS)
        if (first_f + row < foci && first_k + threadIdx.x < n)
          tile[row][threadIdx.x] = steering[(bin * foci + first_f + row) * n + first_k + threadIdx.x];
      __syncthreads ();
      for (unsigned row = threadIdx.y; row < LANES; row += ROWS)
        if (first_k + row < n && first_f + threadIdx.x < foci)
          {
            const double2 a = tile[threadIdx.x][row];

            to[(bin * n + first_k + row) * columns + first_f + threadIdx.x] = make_double2 (a.x, -a.y);
          }
    }
}

int
esk_cuda_pairs_turn (EskStream     *stream,
                     const double2 *steering,
                     size_t         n,
                     size_t         foci,
                     size_t         bins,
                     double2       *to,
                     size_t         columns,
                     size_t         first)
{
  const size_t rows = esk_cuda_ceil_div (foci, LANES);
  const dim3 grid ((unsigned) esk_cuda_ceil_div (n, LANES), (unsigned) (rows < MOST_GRID ? rows : MOST_GRID),
                   (unsigned) bins);

  turn_steering<<<grid, dim3 (LANES, ROWS), 0, stream->stream>>> (steering, n, foci, to + first, columns);

  return esk_cuda_launched (stream, "steering vectors");
}

static __global__ void
__launch_bounds__ (THREADS)
make_identity (size_t   n,
               double2 *to)
{
  const size_t k = (size_t) blockIdx.x * THREADS + threadIdx.x;

  for (size_t row = blockIdx.y; row < n; row += gridDim.y)
    if (k < n)
      to[(blockIdx.z * n + row) * n + k] = make_double2 (k == row ? 1.0 : 0.0, 0.0);
}

int
esk_cuda_pairs_identity (EskStream *stream,
                         size_t     n,
                         size_t     bins,
                         double2   *to)
{
  const dim3 grid ((unsigned) esk_cuda_ceil_div (n, THREADS), (unsigned) (n < MOST_GRID ? n : MOST_GRID),
                   (unsigned) bins);

  make_identity<<<grid, THREADS, 0, stream->stream>>> (n, to);

  return esk_cuda_launched (stream, "identities");
}
