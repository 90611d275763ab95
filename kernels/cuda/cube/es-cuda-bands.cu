/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a first look at planes tells: which pixels count, and the range and the total of each band. */

#include "es-cuda-cube-internal.h"

#include "cuda/core/es-cuda-samples-internal.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>

#define THREADS 256

/* A block takes this many bytes of one band at a time: how a plane is cut, and so the order of the additions, does not
 * depend on the card. */
#define PIECE_BYTES 65536

#include "es-cuda-bands-totals.cuh"

/* Total of a block's, valid in thread 0. */
template <typename Total>
static __device__ inline Total
reduce_block (Total total)
{
  __shared__ Total shared[THREADS / 32];

  for (int distance = 16; distance > 0; distance /= 2)
    {
      Total other;

      (decltype (total.shuffled (0)) &) other = total.shuffled (distance);
      total.merge (other);
    }
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = total;
  __syncthreads ();
  if (threadIdx.x == 0)
    for (int w = 1; w < THREADS / 32; w++)
      total.merge (shared[w]);

  return total;
}

/* Block = one piece of one band; neighbouring blocks are the bands of the same pixels, so that `valid` is read once. */
template <typename Sample, typename Total, bool masked>
static __global__ void __launch_bounds__ (THREADS)
reduce_pieces (const Sample  *planes,
               size_t         band_stride,
               size_t         n_pixels,
               unsigned       n_bands,
               const uint8_t *valid,
               Total         *partial)
{
  constexpr int per_pack = 16 / sizeof (Sample);
  constexpr size_t piece = PIECE_BYTES / sizeof (Sample);
  size_t chunk = blockIdx.x / n_bands, first = chunk * piece;
  unsigned band = blockIdx.x % n_bands;
  const Sample *from = planes + band * band_stride + first;
  size_t n = n_pixels - first < piece ? n_pixels - first : piece;
  Packs<Sample, Total> packs;
  Total total;

  packs.start ();
#pragma unroll 4
  for (size_t k = (size_t) threadIdx.x * per_pack; k + per_pack <= n; k += THREADS * per_pack)
    {
      EskCudaPack<Sample> pack;
      Marks<Sample> marks;

      pack.vector = __ldg ((const uint4 *) (from + k));
      if (masked)
        marks.read (valid + first + k);
      packs.template add<masked> (pack, marks);
    }
  total = packs.result ();
  for (size_t k = n / per_pack * per_pack + threadIdx.x; k < n; k += THREADS)
    total.add (from[k], !masked || valid[first + k] != 0);

  total = reduce_block (total);
  if (threadIdx.x == 0)
    partial[chunk * n_bands + band] = total;
}

/* A warp a band. */
template <typename Total>
static __global__ void
reduce_partials (const Total              *partial,
                 size_t                    n_pieces,
                 unsigned                  n_bands,
                 typename Total::Result   *out)
{
  unsigned band = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
  Total total;

  if (band >= n_bands)
    return;
  total.start ();
  for (size_t k = lane; k < n_pieces; k += 32)
    total.merge (partial[k * n_bands + band]);
  for (int distance = 16; distance > 0; distance /= 2)
    {
      Total other;

      (decltype (total.shuffled (0)) &) other = total.shuffled (distance);
      total.merge (other);
    }
  if (lane == 0)
    out[band] = total.result ();
}

/* Reduces every band of the run; `out` in the host's memory. */
template <typename Sample, typename Total>
static int
reduce (EskStream               *stream,
        const EskCudaRun        *run,
        typename Total::Result  *out)
{
  size_t n_pieces = esk_cuda_ceil_div (run->n_pixels, PIECE_BYTES / sizeof (Sample)), n_bands = run->n_bands, n_blocks;
  Total *partial;
  typename Total::Result *results;
  int code;

  if (__builtin_mul_overflow (n_pieces, n_bands, &n_blocks) || n_blocks > INT_MAX)
    return ESK_ERROR_ARGUMENT;
  partial = (Total *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, n_blocks * sizeof (Total));
  results = (typename Total::Result *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, n_bands * sizeof *results);
  if (partial == NULL || results == NULL)
    return ESK_ERROR_MEMORY;

  if (run->valid != NULL)
    reduce_pieces<Sample, Total, true><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>>
      ((const Sample *) run->data, run->band_stride, run->n_pixels, (unsigned) n_bands, run->valid, partial);
  else
    reduce_pieces<Sample, Total, false><<<(unsigned) n_blocks, THREADS, 0, stream->stream>>>
      ((const Sample *) run->data, run->band_stride, run->n_pixels, (unsigned) n_bands, NULL, partial);
  code = esk_cuda_launched (stream, "reducing bands");
  if (code != ESK_OK)
    return code;
  reduce_partials<Total><<<(unsigned) esk_cuda_ceil_div (n_bands, THREADS / 32), THREADS, 0, stream->stream>>>
    (partial, n_pieces, (unsigned) n_bands, results);
  code = esk_cuda_launched (stream, "reducing bands");
  if (code != ESK_OK)
    return code;

  return esk_cuda_fetch (stream, out, results, n_bands * sizeof *results);
}

/* --- which pixels count -------------------------------------------------------------------------------------- */

int
esk_cuda_valid_pixels (EskStream          *stream,
                       const EskTile      *tile,
                       const EskSelection *selection,
                       uint8_t            *valid,
                       size_t             *n_valid)
{
  int64_t count = 0;
  bool one;
  int code;

  code = esk_cuda_check_planes (tile);
  if (code != ESK_OK)
    return code;
  if (selection == NULL || selection->n_bands != tile->bands || valid == NULL || n_valid == NULL)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    code = esk_cuda_mark_valid (stream, tile, selection->no_data, valid, false);
  /* Rows without a gap are counted as one. */
  one = tile->height == 1 || tile->row_stride == (ptrdiff_t) tile->width;
  if (code == ESK_OK)
    code = esk_cuda_count_valid (stream, valid, one ? tile->width * tile->height : tile->width, one ? 1 : tile->height,
                                 one ? tile->width * tile->height : (size_t) tile->row_stride, &count);
  if (code == ESK_OK)
    *n_valid = (size_t) count;

  return code;
}

/* --- ranges and totals --------------------------------------------------------------------------------------- */

static int
check (const EskTile      *tile,
       const EskSelection *selection)
{
  int code = esk_cuda_check_planes (tile);

  if (code != ESK_OK)
    return code;
  return selection == NULL || selection->n_bands != tile->bands
         || (selection->minimum == NULL) != (selection->maximum == NULL) ? ESK_ERROR_ARGUMENT : ESK_OK;
}

template <typename Sample>
static int
ranges (EskStream        *stream,
        const EskCudaRun *run,
        double           *minimum,
        double           *maximum)
{
  typedef typename Range<Sample>::Result Result;
  Result *results = (Result *) malloc (run->n_bands * sizeof (Result));
  int code;

  if (results == NULL)
    return ESK_ERROR_MEMORY;
  code = reduce<Sample, Range<Sample>> (stream, run, results);
  for (size_t b = 0; code == ESK_OK && b < run->n_bands; b++)
    if (results[b].any)
      {
        minimum[b] = results[b].minimum < minimum[b] ? results[b].minimum : minimum[b];
        maximum[b] = results[b].maximum > maximum[b] ? results[b].maximum : maximum[b];
      }
  free (results);

  return code;
}

int
esk_cuda_band_ranges (EskStream          *stream,
                      const EskTile      *tile,
                      const EskSelection *selection,
                      const uint8_t      *valid,
                      double             *minimum,
                      double             *maximum)
{
  EskCudaRun run;
  int code;

  code = check (tile, selection);
  if (code != ESK_OK)
    return code;
  if (minimum == NULL || maximum == NULL)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    code = esk_cuda_run (stream, tile, valid, true, &run);
  if (code != ESK_OK)
    return code;
  ESK_CUDA_FOR_TYPE (run.type, Sample, (code = ranges<Sample> (stream, &run, minimum, maximum)))

  return code;
}

/* Adds the totals of a run to sum[]. */
static int
add_sums (EskStream        *stream,
          const EskCudaRun *run,
          double           *scratch,
          double           *sum)
{
  int code = ESK_ERROR_ARGUMENT;

  ESK_CUDA_FOR_TYPE (run->type, Sample, (code = reduce<Sample, Sum<Sample>> (stream, run, scratch)))
  for (size_t b = 0; code == ESK_OK && b < run->n_bands; b++)
    sum[b] += scratch[b];

  return code;
}

/* 8-bit numbers are made of at most this many samples at a time. */
#define QUANTISED_BYTES ((size_t) 1 << 28)

int
esk_cuda_band_sums (EskStream          *stream,
                    const EskTile      *tile,
                    const EskSelection *selection,
                    const uint8_t      *valid,
                    double             *sum,
                    int64_t            *count)
{
  EskCudaRun run;
  double *scratch;
  int64_t n;
  int code;

  code = check (tile, selection);
  if (code != ESK_OK)
    return code;
  if (sum == NULL || count == NULL)
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    code = esk_cuda_run (stream, tile, valid, true, &run);
  if (code != ESK_OK)
    return code;

  n = (int64_t) run.n_pixels;
  if (run.valid != NULL)
    code = esk_cuda_count_valid (stream, run.valid, run.n_pixels, 1, run.n_pixels, &n);
  if (code != ESK_OK)
    return code;

  /* Twice n_bands: nothing is added before all of it has gone well. */
  scratch = (double *) calloc (2 * run.n_bands, sizeof (double));
  if (scratch == NULL)
    return ESK_ERROR_MEMORY;
  if (selection->minimum == NULL)
    {
      code = add_sums (stream, &run, scratch, scratch + run.n_bands);
    }
  else
    {
      size_t most = QUANTISED_BYTES / run.n_bands / 4096 * 4096, part;

      most = most < 4096 ? 4096 : most;
      for (size_t first = 0; code == ESK_OK && first < run.n_pixels; first += part)
        {
          EskCudaRun quantised;

          part = run.n_pixels - first < most ? run.n_pixels - first : most;
          code = esk_cuda_quantise (stream, &run, selection, first, part, &quantised);
          if (code == ESK_OK)
            code = add_sums (stream, &quantised, scratch, scratch + run.n_bands);
        }
    }
  for (size_t b = 0; code == ESK_OK && b < run.n_bands; b++)
    sum[b] += scratch[run.n_bands + b];
  if (code == ESK_OK)
    *count += n;
  free (scratch);

  return code;
}
