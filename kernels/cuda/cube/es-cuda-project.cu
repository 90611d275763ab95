/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Projection on a basis: checks, tables, and slices of what has to be converted first. */

#include "es-cuda-project-private.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 128
/* Converted or quantised samples are made and used in slices of this size, which stay in the second-level cache. */
#define SLICE_BYTES ((size_t) 24 << 20)
/* Pixels of a slice are a multiple of this. */
#define SLICE_ROUND 1024
#define LARGEST_GRID_Y 65535

static size_t
round_up (size_t n,
          size_t multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

/* What is subtracted from samples of a type, given the mean. */
static __device__ float
centre_of (EskType type,
           double  mean)
{
  double lowest = type == ESK_I8 ? -128.0 : type == ESK_I16 ? -32768.0 : 0.0;
  double highest = lowest + (type == ESK_I8 || type == ESK_U8 ? 255.0 : 65535.0);

  /* A mean that is no number or outside of what samples can be loses accuracy and nothing else. */
  return type == ESK_F32 ? (float) mean : (float) fmin (fmax (rint (mean), lowest), highest);
}

/* A block makes a row's constant; the first one the centres also. The order of the sum is fixed. */
static __global__ void
make_tables (EskType       type,
             size_t        n_bands,
             const float  *basis,
             const double *mean,
             float        *centres,
             float        *constants)
{
  __shared__ double sums[THREADS];
  double sum = 0.0;

  for (size_t b = threadIdx.x; b < n_bands; b += THREADS)
    {
      float centre = mean != NULL ? centre_of (type, mean[b]) : 0.0f;

      if (blockIdx.x == 0)
        centres[b] = centre;
      if (mean != NULL)
        sum -= (double) basis[blockIdx.x * n_bands + b] * (mean[b] - (double) centre);
    }
  sums[threadIdx.x] = sum;
  __syncthreads ();
  for (int half = THREADS / 2; half > 0; half /= 2)
    {
      if (threadIdx.x < half)
        sums[threadIdx.x] += sums[threadIdx.x + half];
      __syncthreads ();
    }
  if (threadIdx.x == 0)
    constants[blockIdx.x] = (float) sums[0];
}

/* to[band * to_stride + pixel] = from[band * from_stride + pixel] - mean[band], rounded once. */
template <typename Sample>
static __global__ void
convert (const Sample *from,
         size_t        from_stride,
         size_t        n_pixels,
         size_t        n_bands,
         const double *mean,
         float        *to,
         size_t        to_stride)
{
  size_t pixel = (size_t) blockIdx.x * THREADS + threadIdx.x;

  if (pixel >= n_pixels)
    return;
  for (size_t band = blockIdx.y; band < n_bands; band += gridDim.y)
    to[band * to_stride + pixel] = (float) ((double) from[band * from_stride + pixel]
                                            - (mean != NULL ? mean[band] : 0.0));
}

static int
launch_convert (EskStream       *stream,
                const EskCudaRun *run,
                size_t           first,
                size_t           n_pixels,
                const double    *mean,
                float           *to,
                size_t           to_stride)
{
  dim3 grid ((unsigned) ((n_pixels + THREADS - 1) / THREADS),
             (unsigned) (run->n_bands < LARGEST_GRID_Y ? run->n_bands : LARGEST_GRID_Y));

#define CONVERT(Sample)                                                                                     \
  convert<Sample><<<grid, THREADS, 0, stream->stream>>> ((const Sample *) run->data + first, run->band_stride, \
                                                         n_pixels, run->n_bands, mean, to, to_stride)
  switch (run->type)
    {
    case ESK_U32: CONVERT (uint32_t); break;
    case ESK_I32: CONVERT (int32_t); break;
    case ESK_U64: CONVERT (uint64_t); break;
    case ESK_I64: CONVERT (int64_t); break;
    case ESK_F64: CONVERT (double); break;
    default: return ESK_ERROR_ARGUMENT;
    }
#undef CONVERT

  return esk_cuda_launched (stream, "conversion to float32");
}

/* ES_CUDA_PROJECT=simt keeps off the matrix instructions. */
static bool
is_plain (void)
{
  static int known;            /* 0: not asked yet; every thread finds the same */
  int answer = __atomic_load_n (&known, __ATOMIC_RELAXED);

  if (answer == 0)
    {
      const char *variant = getenv ("ES_CUDA_PROJECT");

      answer = variant != NULL && strcmp (variant, "simt") == 0 ? 2 : 1;
      __atomic_store_n (&known, answer, __ATOMIC_RELAXED);
    }

  return answer == 2;
}

/* Where the parts of the table are in one block of memory, in bytes. */
typedef struct {
  size_t mean, basis, centres, constants, operands, bytes;
} Layout;

static bool
lay_out (Layout *layout,
         size_t  n_rows,
         size_t  n_bands,
         bool    has_mean,
         size_t  operand_bytes)
{
  size_t n_values;

  if (n_bands > INT_MAX / 2 || n_rows > INT_MAX / 2 || __builtin_mul_overflow (n_rows, n_bands, &n_values)
      || n_values > SIZE_MAX / 64)
    return false;

  layout->mean = 0;
  layout->basis = has_mean ? round_up (n_bands * sizeof (double), 256) : 0;
  layout->centres = layout->basis + round_up (n_values * sizeof (float), 256);
  layout->constants = layout->centres + round_up (n_bands * sizeof (float), 256);
  layout->operands = layout->constants + round_up (n_rows * sizeof (float), 256);

  return !__builtin_add_overflow (layout->operands, operand_bytes, &layout->bytes);
}

/* The projection of n pixels of a run from `first` on; their samples are at data. */
static int
project_slice (EskStream     *stream,
               EskProjection *projection,
               const void    *data,
               size_t         band_stride,
               const uint8_t *valid,
               size_t         first,
               size_t         n,
               float         *out)
{
  projection->data = data;
  projection->band_stride = band_stride;
  projection->n_pixels = n;
  projection->valid = valid != NULL ? valid + first : NULL;
  projection->out = out + first;

  return projection->operands != NULL ? esk_cuda_project_tensor (stream, projection)
                                      : esk_cuda_project_simt (stream, projection);
}

int
esk_cuda_project (EskStream          *stream,
                  const EskTile      *tile,
                  const EskSelection *selection,
                  const uint8_t      *valid,
                  const EskMatrix    *basis,
                  const double       *mean,
                  float              *out,
                  size_t              plane_stride)
{
  EskProjection projection = {};
  EskCudaRun run;
  Layout layout;
  uint8_t *tables;
  double *device_mean = NULL;
  bool quantises, converts;
  size_t operand_bytes, slice, stride = 0;
  float *converted = NULL;
  int code;

  if (stream == NULL || tile == NULL || tile->data == NULL || basis == NULL || basis->values == NULL || out == NULL
      || (uintptr_t) out % sizeof (float) != 0 || basis->rows == 0 || basis->columns != tile->bands)
    return ESK_ERROR_ARGUMENT;
  if (selection != NULL
      && (selection->n_bands != tile->bands || (selection->minimum == NULL) != (selection->maximum == NULL)))
    return ESK_ERROR_ARGUMENT;

  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    code = esk_cuda_run (stream, tile, valid, true, &run);
  if (code != ESK_OK)
    return code;
  if (basis->rows > 1 && plane_stride < run.n_pixels)
    return ESK_ERROR_ARGUMENT;

  quantises = selection != NULL && selection->minimum != NULL;
  converts = !quantises && !esk_type_is_exact (run.type) && run.type != ESK_F32;
  projection.type = quantises ? ESK_U8 : converts ? ESK_F32 : run.type;
  projection.n_bands = run.n_bands;
  projection.n_rows = basis->rows;
  projection.plane_stride = plane_stride;
  operand_bytes = is_plain () ? 0 : esk_cuda_project_tensor_bytes (stream, projection.type, basis->rows, run.n_bands);

  if (!lay_out (&layout, basis->rows, run.n_bands, mean != NULL, operand_bytes))
    return ESK_ERROR_MEMORY;
  tables = (uint8_t *) esk_cuda_scratch (stream, ESK_SCRATCH_BASIS, layout.bytes);
  if (tables == NULL)
    return ESK_ERROR_MEMORY;
  if (mean != NULL)
    {
      device_mean = (double *) (tables + layout.mean);
      code = esk_cuda_upload_table (stream, device_mean, mean, run.n_bands * sizeof (double));
    }
  if (code == ESK_OK)
    code = esk_cuda_upload_table (stream, tables + layout.basis, basis->values,
                                  basis->rows * run.n_bands * sizeof (float));
  if (code != ESK_OK)
    return code;
  projection.basis = (const float *) (tables + layout.basis);
  projection.centres = (const float *) (tables + layout.centres);
  projection.constants = (const float *) (tables + layout.constants);
  make_tables<<<(unsigned) basis->rows, THREADS, 0, stream->stream>>> (projection.type, run.n_bands, projection.basis,
                                                                       converts ? NULL : device_mean,
                                                                       (float *) (tables + layout.centres),
                                                                       (float *) (tables + layout.constants));
  code = esk_cuda_launched (stream, "tables of a projection");
  if (code == ESK_OK && operand_bytes > 0)
    code = esk_cuda_project_tensor_tables (stream, &projection, tables + layout.operands);
  if (code != ESK_OK)
    return code;

  if (!quantises && !converts)
    return project_slice (stream, &projection, run.data, run.band_stride, run.valid, 0, run.n_pixels, out);

  slice = SLICE_BYTES / run.n_bands / (converts ? sizeof (float) : 1) / SLICE_ROUND * SLICE_ROUND;
  if (slice == 0)
    slice = SLICE_ROUND;
  if (slice > run.n_pixels)
    slice = run.n_pixels;
  if (converts)
    {
      size_t n_values;

      stride = round_up (slice, SLICE_ROUND);
      if (__builtin_mul_overflow (stride, run.n_bands, &n_values) || n_values > SIZE_MAX / sizeof (float))
        return ESK_ERROR_MEMORY;
      converted = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, n_values * sizeof (float));
      if (converted == NULL)
        return ESK_ERROR_MEMORY;
    }

  for (size_t first = 0; code == ESK_OK && first < run.n_pixels; first += slice)
    {
      size_t n = run.n_pixels - first < slice ? run.n_pixels - first : slice;

      if (converts)
        {
          code = launch_convert (stream, &run, first, n, device_mean, converted, stride);
          if (code == ESK_OK)
            code = project_slice (stream, &projection, converted, stride, run.valid, first, n, out);
        }
      else
        {
          EskCudaRun quantised;

          code = esk_cuda_quantise (stream, &run, selection, first, n, &quantised);
          if (code == ESK_OK)
            code = project_slice (stream, &projection, quantised.data, quantised.band_stride, run.valid, first, n,
                                  out);
        }
    }

  return code;
}
