/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Columns and matrices of adaptive beams. The products are cuBLAS's, a block of rows at a time for all bins of a chunk,
 * so that little more than the lower triangle is computed.
 */

#include "es-cuda-adaptive-private.h"
#include "cuda/core/es-cuda-samples-internal.h"

/* Of a square of threads that goes through a matrix. */
#define TILE 32
#define ROWS 8
/* Blocks of rows of a product, at most, and rows of one, at least. */
#define ROW_BLOCKS 8
#define LEAST_ROWS 256
#define MOST_GRID 65535

/* ---- columns ---- */

/* columns[(bin * count + c) * elements + e] of values[(bin * all + (first + c) % all)][part][stride]. */
static __global__ void
__launch_bounds__ (256)
make_columns (const float  *values,
              size_t        stride,
              size_t        all,
              size_t        first,
              size_t        count,
              size_t        elements,
              const double *factors,
              double2      *columns)
{
  const size_t e = (size_t) blockIdx.x * 256 + threadIdx.x;

  if (e >= elements)
    return;
  for (size_t c = blockIdx.y; c < count; c += gridDim.y)
    {
      const size_t place = first + c < all ? first + c : first + c - all;
      const float *re = values + (blockIdx.z * all + place) * 2 * stride;
      const double factor = factors != NULL ? factors[c] : 1.0;

      columns[(blockIdx.z * count + c) * elements + e] = make_double2 (factor * re[e], factor * re[stride + e]);
    }
}

static int
launch_columns (EskStream    *stream,
                const float  *values,
                size_t        stride,
                size_t        all,
                size_t        first,
                size_t        count,
                size_t        elements,
                size_t        bins,
                const double *factors,
                double2      *columns)
{
  const dim3 grid ((unsigned) esk_cuda_ceil_div (elements, 256), (unsigned) (count < MOST_GRID ? count : MOST_GRID),
                   (unsigned) bins);

  make_columns<<<grid, 256, 0, stream->stream>>> (values, stride, all, first, count, elements, factors, columns);

  return esk_cuda_launched (stream, "columns of adaptive beams");
}

int
esk_cuda_adaptive_columns (EskStream   *stream,
                           EskAdaptive *adaptive,
                           size_t       first,
                           size_t       bins,
                           double2     *columns)
{
  const size_t all = adaptive->plan.columns;

  return launch_columns (stream, adaptive->ring + first * all * 2 * adaptive->stride, adaptive->stride, all,
                         adaptive->oldest, adaptive->used, adaptive->plan.elements, bins, adaptive->factors, columns);
}

/* ---- products ---- */

/* The lower triangles, and more, of alpha Y Y' + beta C (of Y'Y where `gram`); Y is rows x columns. */
static int
multiply (EskStream     *stream,
          EskAdaptive   *adaptive,
          bool           gram,
          size_t         rows,
          size_t         columns,
          size_t         bins,
          double         alpha,
          const double2 *y,
          double         beta,
          double2       *c)
{
  const size_t n = gram ? columns : rows, inner = gram ? rows : columns;
  const size_t block = esk_cuda_round_up (esk_cuda_ceil_div (n, ROW_BLOCKS), 64);
  const size_t step = block < LEAST_ROWS ? LEAST_ROWS : block;
  const cuDoubleComplex scale = make_cuDoubleComplex (alpha, 0.0), keep = make_cuDoubleComplex (beta, 0.0);
  int code = ESK_OK;

  for (size_t first = 0; first < n && code == ESK_OK; first += step)
    {
      const size_t m = n - first < step ? n - first : step;

      code = esk_cuda_check_blas (stream,
                                  cublasZgemmStridedBatched (adaptive->blas, gram ? CUBLAS_OP_C : CUBLAS_OP_N,
                                                             gram ? CUBLAS_OP_N : CUBLAS_OP_C, (int) m,
                                                             (int) (first + m), (int) inner, &scale,
                                                             y + (gram ? first * rows : first), (int) rows,
                                                             (long long) (rows * columns), y, (int) rows,
                                                             (long long) (rows * columns), &keep, c + first, (int) n,
                                                             (long long) (n * n), (int) bins),
                                  "matrices of adaptive beams");
    }

  return code;
}

/* ---- loading ---- */

static __device__ double
load_of (const EskCudaAdaptiveBin *bin,
         double                    loading)
{
  return bin->live > 0 ? loading * bin->trace / (double) bin->live : 0.0;
}

/* What is on the diagonal: power NULL: a Gram matrix, of which nothing is dead but all. */
static __device__ double
loaded (double                    value,
        const double             *power,
        size_t                    at,
        const EskCudaAdaptiveBin *bin,
        double                    loading,
        bool                      regular)
{
  const bool dead = bin->live == 0 || (power != NULL && power[at] == 0.0);

  return dead && regular ? 1.0 : (dead ? 0.0 : value) + load_of (bin, loading);
}

static __global__ void
__launch_bounds__ (256)
load_diagonal (double2                  *matrices,
               size_t                    n,
               const double             *power,
               const EskCudaAdaptiveBin *bins,
               double                    loading,
               bool                      regular)
{
  const size_t i = (size_t) blockIdx.x * 256 + threadIdx.x, b = blockIdx.y;
  double2 *at = matrices + (b * n + i) * n + i;

  if (i < n)
    *at = make_double2 (loaded (at->x, power != NULL ? power + b * n : NULL, i, &bins[b], loading, regular), 0.0);
}

/* The lower triangles of `from` times scale, loaded, to both triangles; from and to may be the same. */
static __global__ void
__launch_bounds__ (TILE * ROWS)
finish_matrices (const double2            *from,
                 double2                  *to,
                 size_t                    n,
                 double                    scale,
                 const double             *power,
                 const EskCudaAdaptiveBin *bins,
                 double                    loading,
                 bool                      regular,
                 bool                      full)
{
  __shared__ double2 tile[TILE][TILE + 1];
  const size_t b = blockIdx.z, low = (size_t) blockIdx.x * TILE, left = (size_t) blockIdx.y * TILE;
  const double *own_power = power != NULL ? power + b * n : NULL;

  if (left > low)
    return;
  for (unsigned c = threadIdx.y; c < TILE; c += ROWS)
    {
      const size_t i = low + threadIdx.x, j = left + c;
      double2 value = make_double2 (0.0, 0.0);

      if (i < n && j <= i)
        {
          value = from[(b * n + j) * n + i];
          value.x *= scale;
          value.y *= scale;
          if (i == j)
            value = make_double2 (loaded (value.x, own_power, i, &bins[b], loading, regular), 0.0);
        }
      tile[c][threadIdx.x] = value;
    }
  __syncthreads ();
  for (unsigned c = threadIdx.y; c < TILE; c += ROWS)
    {
      size_t i = low + threadIdx.x, j = left + c;

      if (i < n && j <= i)
        to[(b * n + j) * n + i] = tile[c][threadIdx.x];
      /* The mirror image: columns of it are rows of the tile. */
      i = left + threadIdx.x;
      j = low + c;
      if (full && j < n && i < j)
        to[(b * n + j) * n + i] = make_double2 (tile[threadIdx.x][c].x, -tile[threadIdx.x][c].y);
    }
}

static int
finish (EskStream          *stream,
        const double2      *from,
        double2            *to,
        size_t              n,
        size_t              bins,
        double              scale,
        const double       *power,
        EskCudaAdaptiveBin *state,
        double              loading,
        bool                regular,
        EskMatrixPart       part)
{
  const unsigned tiles = (unsigned) esk_cuda_ceil_div (n, TILE);

  if (from == to && part == ESK_MATRIX_LOWER)
    load_diagonal<<<dim3 ((unsigned) esk_cuda_ceil_div (n, 256), (unsigned) bins), 256, 0, stream->stream>>>
      (to, n, power, state, loading, regular);
  else
    finish_matrices<<<dim3 (tiles, tiles, (unsigned) bins), dim3 (TILE, ROWS), 0, stream->stream>>>
      (from, to, n, scale, power, state, loading, regular, part == ESK_MATRIX_FULL);

  return esk_cuda_launched (stream, "loading of adaptive beams");
}

int
esk_cuda_adaptive_matrices (EskStream     *stream,
                            EskAdaptive   *adaptive,
                            size_t         first,
                            size_t         bins,
                            double         loading,
                            bool           regular,
                            EskMatrixPart  part,
                            double2       *matrices)
{
  const size_t n = adaptive->plan.elements;
  const double2 *from = matrices;
  double scale = 1.0;
  int code = ESK_OK;

  if (adaptive->ring == NULL)
    {
      from = adaptive->sums + first * n * n;
      scale = 1.0 / adaptive->total;
    }
  else
    {
      double2 *columns = (double2 *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_COLUMNS,
                                                       bins * esk_cuda_adaptive_column_bytes (adaptive));

      if (columns == NULL)
        return ESK_ERROR_MEMORY;
      code = esk_cuda_adaptive_columns (stream, adaptive, first, bins, columns);
      if (code == ESK_OK)
        code = multiply (stream, adaptive, false, n, adaptive->used, bins, 1.0, columns, 0.0, matrices);
    }
  if (code == ESK_OK)
    code = finish (stream, from, matrices, n, bins, scale, adaptive->power + first * n, adaptive->bins + first,
                   loading, regular, part);

  return code;
}

int
esk_cuda_adaptive_gram (EskStream     *stream,
                        EskAdaptive   *adaptive,
                        size_t         first,
                        size_t         bins,
                        double         loading,
                        bool           regular,
                        EskMatrixPart  part,
                        const double2 *columns,
                        double2       *gram)
{
  int code = multiply (stream, adaptive, true, adaptive->plan.elements, adaptive->used, bins, 1.0, columns, 0.0, gram);

  if (code == ESK_OK)
    code = finish (stream, gram, gram, adaptive->used, bins, 1.0, NULL, adaptive->bins + first, loading, regular,
                   part);

  return code;
}

int
esk_cuda_adaptive_accumulate (EskStream        *stream,
                              EskAdaptive      *adaptive,
                              const EskSpectra *spectra,
                              size_t            first_bin,
                              double            keep,
                              double            weight)
{
  const size_t n = adaptive->plan.elements, bytes = spectra->snapshots * n * sizeof (double2);
  const size_t chunk = esk_cuda_adaptive_chunk (adaptive, bytes);
  double2 *columns = (double2 *) esk_cuda_scratch (stream, (EskScratchUse) ESK_ADAPTIVE_COLUMNS, chunk * bytes);
  int code = columns != NULL ? ESK_OK : ESK_ERROR_MEMORY;

  for (size_t first = 0; first < adaptive->plan.bins && code == ESK_OK; first += chunk)
    {
      const size_t bins = adaptive->plan.bins - first < chunk ? adaptive->plan.bins - first : chunk;

      code = launch_columns (stream, spectra->values + (first_bin + first) * spectra->snapshots * 2 * spectra->stride,
                             spectra->stride, spectra->snapshots, 0, spectra->snapshots, n, bins, NULL, columns);
      if (code == ESK_OK)
        code = multiply (stream, adaptive, false, n, spectra->snapshots, bins, weight, columns, keep,
                         adaptive->sums + first * n * n);
    }

  return code;
}

/* ---- what every evaluation needs ---- */

static __global__ void
__launch_bounds__ (128)
ring_power (const float  *ring,
            size_t        stride,
            size_t        all,
            size_t        oldest,
            size_t        used,
            size_t        elements,
            const double *factors,
            double       *power)
{
  const size_t e = (size_t) blockIdx.x * 128 + threadIdx.x, b = blockIdx.y;
  double sum = 0.0;

  if (e >= elements)
    return;
  for (size_t c = 0; c < used; c++)
    {
      const size_t place = oldest + c < all ? oldest + c : oldest + c - all;
      const float *re = ring + (b * all + place) * 2 * stride;
      const double x = factors[c] * re[e], y = factors[c] * re[stride + e];

      sum += x * x + y * y;
    }
  power[b * elements + e] = sum;
}

static __global__ void
__launch_bounds__ (128)
sums_power (const double2 *sums,
            size_t         elements,
            double         scale,
            double        *power)
{
  const size_t e = (size_t) blockIdx.x * 128 + threadIdx.x, b = blockIdx.y;

  if (e < elements)
    power[b * elements + e] = scale * sums[(b * elements + e) * elements + e].x;
}

/* A block a bin, always in the same order. */
static __global__ void
__launch_bounds__ (256)
bin_state (const double       *power,
           size_t              elements,
           EskCudaAdaptiveBin *bins)
{
  __shared__ double sums[256];
  __shared__ uint32_t counts[256];
  double sum = 0.0;
  uint32_t live = 0;

  for (size_t e = threadIdx.x; e < elements; e += 256)
    {
      const double value = power[blockIdx.x * elements + e];

      sum += value;
      live += value != 0.0;
    }
  sums[threadIdx.x] = sum;
  counts[threadIdx.x] = live;
  __syncthreads ();
  for (unsigned half = 128; half > 0; half /= 2)
    {
      if (threadIdx.x < half)
        {
          sums[threadIdx.x] += sums[threadIdx.x + half];
          counts[threadIdx.x] += counts[threadIdx.x + half];
        }
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    {
      const EskCudaAdaptiveBin state = { sums[0], counts[0], 0 };

      bins[blockIdx.x] = state;
    }
}

int
esk_cuda_adaptive_prepare (EskStream   *stream,
                           EskAdaptive *adaptive)
{
  const size_t n = adaptive->plan.elements, bins = adaptive->plan.bins;
  int code = ESK_OK;

  for (size_t first = 0; first < bins && code == ESK_OK; first += MOST_GRID)
    {
      const size_t some = bins - first < MOST_GRID ? bins - first : MOST_GRID;
      const dim3 grid ((unsigned) esk_cuda_ceil_div (n, 128), (unsigned) some);
      double *power = adaptive->power + first * n;

      if (adaptive->ring != NULL)
        ring_power<<<grid, 128, 0, stream->stream>>> (adaptive->ring + first * adaptive->plan.columns * 2
                                                                       * adaptive->stride,
                                                      adaptive->stride, adaptive->plan.columns, adaptive->oldest,
                                                      adaptive->used, n, adaptive->factors, power);
      else
        sums_power<<<grid, 128, 0, stream->stream>>> (adaptive->sums + first * n * n, n, 1.0 / adaptive->total, power);
      code = esk_cuda_launched (stream, "power of adaptive beams");
    }
  if (code == ESK_OK)
    {
      bin_state<<<(unsigned) bins, 256, 0, stream->stream>>> (adaptive->power, n, adaptive->bins);
      code = esk_cuda_launched (stream, "power of adaptive beams");
    }

  return code;
}
