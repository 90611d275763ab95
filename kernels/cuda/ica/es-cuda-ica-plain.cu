/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Independent components on any card, of any number: w'z by the projection into scratch memory, slice by slice, then
 * the contrast in place, then the products with z, in tiles of 64 x 64.
 */

#include "es-cuda-ica-private.h"

#include "cuda/cube/es-cuda-cube-internal.h"

#include <limits.h>

#define THREADS 256
#define SLICE_BYTES ((size_t) 128 << 20)
#define SLICE_ROUND 1024
/* Samples of a block of the contrast; a thread adds up CONTRAST_SAMPLES / THREADS in float32. */
#define CONTRAST_SAMPLES 16384
/* Of the products. */
#define TILE 64
#define STEP 32                /* samples in shared memory */
#define RUN 256                /* samples that are added up in float32 */
#define SAMPLES 8192           /* samples of a block at least */

static __device__ double
block_sum (double value)
{
  __shared__ double sums[THREADS / 32];
  double sum = 0.0;

  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_xor_sync (0xffffffffu, value, distance);
  if (threadIdx.x % 32 == 0)
    sums[threadIdx.x / 32] = value;
  __syncthreads ();
  for (int i = 0; i < THREADS / 32; i++)
    sum += sums[i];
  __syncthreads ();

  return sum;
}

/* Rows y become g (y): a block CONTRAST_SAMPLES samples of a row. partial: [block][row]. */
template <EskContrastKind kind>
static __global__ void
apply_contrast (float   *y,
                size_t   n,
                size_t   stride,
                float    slope,
                double  *partial)
{
  size_t first = (size_t) blockIdx.x * CONTRAST_SAMPLES;
  const float factor = kind == ESK_CONTRAST_TANH ? slope * ESK_ICA_TANH_FACTOR : 1.0f;
  float *row = y + blockIdx.y * stride, missing = 0.0f;
  double sum;

  for (size_t k = first + threadIdx.x; k < first + CONTRAST_SAMPLES && k < n; k += THREADS)
    row[k] = esk_ica_contrast<kind> (row[k] * factor, &missing);
  sum = block_sum ((double) missing);
  if (threadIdx.x == 0)
    partial[(size_t) blockIdx.x * gridDim.y + blockIdx.y] = sum;
}

/* partial: [block][row][ESK_ICA_MOMENTS]. */
template <EskContrastKind kind>
static __global__ void
sum_moments (const float *y,
             size_t       n,
             size_t       stride,
             float        slope,
             double      *partial)
{
  size_t first = (size_t) blockIdx.x * CONTRAST_SAMPLES;
  const float *row = y + blockIdx.y * stride;
  float moments[ESK_ICA_MOMENTS] = { 0.0f };

  for (size_t k = first + threadIdx.x; k < first + CONTRAST_SAMPLES && k < n; k += THREADS)
    esk_ica_add_moments<kind> (row[k], slope, moments);
  for (int i = 0; i < ESK_ICA_MOMENTS; i++)
    {
      double sum = block_sum ((double) moments[i]);

      if (threadIdx.x == 0)
        partial[((size_t) blockIdx.x * gridDim.y + blockIdx.y) * ESK_ICA_MOMENTS + i] = sum;
    }
}

/* One tile of the products of rows g with rows z, over a share of the samples. partial: [share][rows][columns]. */
static __global__ void
multiply (const float *g,
          size_t       g_stride,
          unsigned     rows,
          const float *z,
          size_t       z_stride,
          unsigned     columns,
          size_t       n,
          size_t       samples,
          double      *partial)
{
  __shared__ float left[STEP][TILE + 1], right[STEP][TILE + 1];
  unsigned n_across = (columns + TILE - 1) / TILE;
  unsigned first_row = blockIdx.x / n_across * TILE, first_column = blockIdx.x % n_across * TILE;
  unsigned row = threadIdx.x / 16, column = threadIdx.x % 16;
  size_t first = blockIdx.y * samples, end = first + samples < n ? first + samples : n;
  float sum[4][4] = { { 0.0f } };
  double total[4][4] = { { 0.0 } };

  for (size_t start = first; start < end; start += STEP)
    {
      for (unsigned e = threadIdx.x; e < STEP * TILE; e += THREADS)
        {
          unsigned k = e % STEP, i = e / STEP;
          size_t sample = start + k;

          left[k][i] = sample < end && first_row + i < rows ? g[(first_row + i) * g_stride + sample] : 0.0f;
          right[k][i] = sample < end && first_column + i < columns ? z[(first_column + i) * z_stride + sample] : 0.0f;
        }
      __syncthreads ();
      for (unsigned k = 0; k < STEP; k++)
        {
          float a[4], b[4];

          for (int i = 0; i < 4; i++)
            {
              a[i] = left[k][row + 16 * i];
              b[i] = right[k][column + 16 * i];
            }
          for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
              sum[i][j] = fmaf (a[i], b[j], sum[i][j]);
        }
      __syncthreads ();
      if ((start - first) % RUN == RUN - STEP || start + STEP >= end)
        for (int i = 0; i < 4; i++)
          for (int j = 0; j < 4; j++)
            {
              total[i][j] += (double) sum[i][j];
              sum[i][j] = 0.0f;
            }
    }

  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (first_row + row + 16 * i < rows && first_column + column + 16 * j < columns)
        partial[((size_t) blockIdx.y * rows + first_row + row + 16 * i) * columns + first_column + column + 16 * j]
          = total[i][j];
}

/* Slices of the samples, of which w'z is in scratch memory. */
typedef struct {
  float  *y;
  size_t  samples;             /* of a slice, and from row to row of y */
} Slices;

static int
slices_init (EskStream        *stream,
             const EskIcaCall *call,
             Slices           *slices)
{
  size_t whole = (call->n + SLICE_ROUND - 1) / SLICE_ROUND * SLICE_ROUND;

  slices->samples = SLICE_BYTES / sizeof (float) / call->rows / SLICE_ROUND * SLICE_ROUND;
  if (slices->samples == 0)
    slices->samples = SLICE_ROUND;
  if (slices->samples > whole)
    slices->samples = whole;
  slices->y = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT, call->rows * slices->samples * sizeof (float));

  return slices->y != NULL ? ESK_OK : ESK_ERROR_MEMORY;
}

/* w'z of n samples from `first` on. */
static int
slices_fill (EskStream        *stream,
             const EskIcaCall *call,
             const Slices     *slices,
             size_t            first,
             size_t            n)
{
  EskTile tile = { call->z + first, ESK_F32, false, n, 1, call->columns, 1, (ptrdiff_t) n, (ptrdiff_t) call->stride };
  EskSelection selection = { NULL, call->columns, NULL, NULL, NULL };

  return esk_cuda_project (stream, &tile, &selection, NULL, call->matrix, NULL, slices->y, slices->samples);
}

template <EskContrastKind kind>
static int
step_slice (EskStream        *stream,
            const EskIcaCall *call,
            const Slices     *slices,
            size_t            first,
            size_t            n,
            double           *totals)
{
  size_t n_products = (size_t) call->rows * call->columns, n_blocks = (n + CONTRAST_SAMPLES - 1) / CONTRAST_SAMPLES;
  unsigned tiles = ((call->rows + TILE - 1) / TILE) * ((call->columns + TILE - 1) / TILE);
  size_t wanted = 4 * (size_t) esk_cuda_properties (stream)->multiprocessors / tiles + 1;
  size_t samples = ((n + wanted - 1) / wanted + RUN - 1) / RUN * RUN, shares;
  double *partial;
  int code;

  samples = samples < SAMPLES ? SAMPLES : samples;
  shares = (n + samples - 1) / samples;
  partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL,
                                         (n_blocks * call->rows + shares * n_products) * sizeof (double));
  if (partial == NULL)
    return ESK_ERROR_MEMORY;

  apply_contrast<kind><<<dim3 ((unsigned) n_blocks, call->rows), THREADS, 0, stream->stream>>>
    (slices->y, n, slices->samples, call->slope, partial);
  code = esk_cuda_launched (stream, "contrast");
  if (code == ESK_OK)
    code = esk_cuda_ica_add_slots (stream, partial, n_blocks, call->rows, totals + n_products);
  if (code != ESK_OK)
    return code;
  partial += n_blocks * call->rows;
  multiply<<<dim3 (tiles, (unsigned) shares), THREADS, 0, stream->stream>>>
    (slices->y, slices->samples, call->rows, call->z + first, call->stride, call->columns, n, samples, partial);
  code = esk_cuda_launched (stream, "products of components");

  return code == ESK_OK ? esk_cuda_ica_add_slots (stream, partial, shares, n_products, totals) : code;
}

template <EskContrastKind kind>
static int
moments_slice (EskStream        *stream,
               const EskIcaCall *call,
               const Slices     *slices,
               size_t            first,
               size_t            n,
               double           *totals)
{
  size_t n_blocks = (n + CONTRAST_SAMPLES - 1) / CONTRAST_SAMPLES, n_values = (size_t) call->rows * ESK_ICA_MOMENTS;
  double *partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL, n_blocks * n_values * sizeof (double));
  int code;

  if (partial == NULL)
    return ESK_ERROR_MEMORY;
  sum_moments<kind><<<dim3 ((unsigned) n_blocks, call->rows), THREADS, 0, stream->stream>>>
    (slices->y, n, slices->samples, call->slope, partial);
  code = esk_cuda_launched (stream, "moments of components");

  return code == ESK_OK ? esk_cuda_ica_add_slots (stream, partial, n_blocks, n_values, totals) : code;
}

int
esk_cuda_ica_plain (EskStream        *stream,
                    const EskIcaCall *call,
                    EskContrastKind   kind,
                    double           *totals)
{
  Slices slices;
  int code = slices_init (stream, call, &slices);

  for (size_t first = 0, n; first < call->n && code == ESK_OK; first += n)
    {
      n = call->n - first < slices.samples ? call->n - first : slices.samples;
      code = slices_fill (stream, call, &slices, first, n);
      if (code == ESK_OK)
        ESK_ICA_BY_KIND (kind, code, step_slice, stream, call, &slices, first, n, totals)
    }

  return code;
}

int
esk_cuda_ica_plain_moments (EskStream        *stream,
                            const EskIcaCall *call,
                            EskContrastKind   kind,
                            double           *totals)
{
  Slices slices;
  int code = slices_init (stream, call, &slices);

  for (size_t first = 0, n; first < call->n && code == ESK_OK; first += n)
    {
      n = call->n - first < slices.samples ? call->n - first : slices.samples;
      code = slices_fill (stream, call, &slices, first, n);
      if (code == ESK_OK)
        ESK_ICA_BY_KIND (kind, code, moments_slice, stream, call, &slices, first, n, totals)
    }

  return code;
}
