/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How far planes are from what few components tell of them.
 *
 * The components are a projection, in slices of pixels. Then the engine of es-cuda-error-tensor.cu compares samples
 * with their estimates, or, of types, cards and numbers of components that it is not for, the one here: a block takes
 * 256 pixels at a time and brings their components to shared memory; its warps take eight bands at a time, a lane eight
 * of the pixels: 64 estimates in registers, as in a matrix product, which are compared where they are made. So every
 * sample is read once, and no estimate leaves the registers. Sums over pixels go to float64 totals that belong to a
 * warp, in an order that depends on nothing but the number of pixels.
 */

#include "es-cuda-cube-internal.h"

#include "cuda/core/es-cuda-samples-internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WARPS 4
#define THREADS (WARPS * 32)
/* Of a block: pixels at a time, those of a lane in two runs of four that are 128 apart. */
#define PIXELS 256
#define RUN 4
#define LANE_PIXELS (2 * RUN)
/* Of a warp: bands at a time. */
#define BANDS 8
/* Components in shared memory at a time. */
#define MOST_COMPONENTS 64
/* Blocks that a multiprocessor is to have room for. */
#define RESIDENT 3
/* Blocks of a launch, on any card; of the engine with matrix instructions, which bring more with them. */
#define MOST_BLOCKS 2112
#define MOST_TENSOR_BLOCKS 528
/* Components of a slice. */
#define SLICE_BYTES ((size_t) 192 << 20)
#define SLICE_ROUND 1024

#include "es-cuda-error-kernels.cuh"

/* --- launches ------------------------------------------------------------------------------------------------- */

template <typename Sample>
static int
launch_type (EskStream  *stream,
             unsigned    n_blocks,
             const EskErrorWork *work)
{
  size_t floats = (size_t) (work->n_held > 3 * WARPS ? work->n_held : 3 * WARPS) * PIXELS, bytes = floats * 4;
  int code = ESK_OK;

  /* Beyond 48 KiB with what the kernel has of its own. */
  if (bytes > 40 * 1024)
    code = esk_cuda_check (stream, cudaFuncSetAttribute (find_errors<Sample>,
                                                         cudaFuncAttributeMaxDynamicSharedMemorySize, (int) bytes),
                           "errors of a reduction");
  if (code != ESK_OK)
    return code;
  find_errors<Sample><<<n_blocks, THREADS, bytes, stream->stream>>> (*work);

  return esk_cuda_launched (stream, "errors of a reduction");
}

static int
launch (EskStream  *stream,
        EskType     type,
        unsigned    n_blocks,
        const EskErrorWork *work)
{
  int code = ESK_ERROR_ARGUMENT;

  ESK_CUDA_FOR_TYPE (type, Sample, (code = launch_type<Sample> (stream, n_blocks, work)))

  return code;
}

/* Where the parts of ESK_SCRATCH_TABLES are, in bytes. */
typedef struct {
  size_t bands, means, backward, tensor, bytes;
} Layout;

/* What errors are in: 1, or a power of two where squares of the numbers would not fit float32. */
static double
choose_unit (EskType       type,
             size_t        n,
             const double *mean,
             const double *scale,
             const double *offset)
{
  double largest = 0.0;
  int exponent;

  for (size_t b = 0; b < n; b++)
    {
      double value = mean != NULL ? fabs (mean[b]) : 0.0;

      if (type == ESK_U64 || type == ESK_I64)
        value = fmax (value, 0x1p63);
      value = value * (scale != NULL ? fabs (scale[b]) : 1.0) + (offset != NULL ? fabs (offset[b]) : 0.0);
      largest = fmax (largest, value);
    }
  if (!isfinite (largest) || largest == 0.0)
    return 1.0;
  frexp (largest, &exponent);
  return abs (exponent) > 30 ? ldexp (1.0, exponent) : 1.0;
}

/* ES_CUDA_ERROR=plain keeps off the engine with matrix instructions. */
static bool
wants_plain (void)
{
  const char *variant = getenv ("ES_CUDA_ERROR");

  return variant != NULL && strcmp (variant, "plain") == 0;
}

/* Makes the tables of a call and brings them to the card. *tensor: those of the engine with matrix instructions; NULL:
 * it is not for this. */
static int
make_tables (EskStream       *stream,
             EskType          type,
             const EskMatrix *backward,
             const double    *mean,
             const double    *scale,
             const double    *offset,
             EskErrorWork    *work,
             const void     **tensor)
{
  size_t n = backward->rows, m = backward->columns, columns = work->columns;
  Layout layout;
  uint8_t *host, *device;
  float4 *bands;
  double *means;
  float *factors;
  int code;

  layout.bands = 0;
  layout.means = columns * sizeof (float4);
  layout.backward = layout.means + columns * sizeof (double);
  if (__builtin_mul_overflow (m, columns * sizeof (float), &layout.bytes)
      || __builtin_add_overflow (layout.bytes, layout.backward, &layout.bytes))
    return ESK_ERROR_MEMORY;
  /* One engine's factors or the other's. */
  layout.tensor = 0;
  if (esk_cuda_error_suits_tensor (stream, type, backward) && !wants_plain ())
    {
      layout.tensor = esk_cuda_round_up (layout.backward, 256);
      layout.bytes = layout.tensor + esk_cuda_error_tensor_bytes (backward);
    }
  device = (uint8_t *) esk_cuda_scratch (stream, ESK_SCRATCH_TABLES, layout.bytes);
  host = (uint8_t *) calloc (1, layout.bytes);
  if (device == NULL || host == NULL)
    {
      free (host);
      return ESK_ERROR_MEMORY;
    }

  work->unit = choose_unit (type, n, mean, scale, offset);
  bands = (float4 *) (host + layout.bands);
  means = (double *) (host + layout.means);
  factors = (float *) (host + layout.backward);
  for (size_t b = 0; b < n; b++)
    {
      double value = mean != NULL ? mean[b] : 0.0, factor = (scale != NULL ? scale[b] : 1.0) / work->unit;
      bool whole = esk_type_is_exact (type), wide = !whole && type != ESK_F32;
      /* Integers less a whole number are exact. */
      double centre = wide ? value : (double) (float) (whole ? rint (value) : value);

      bands[b] = make_float4 ((float) centre, (float) (value - centre), (float) factor,
                              (float) (factor * centre + (offset != NULL ? offset[b] / work->unit : 0.0)));
      means[b] = centre;
      for (size_t r = 0; r < m && layout.tensor == 0; r++)
        factors[r * columns + b] = backward->values[b * m + r];
    }
  if (layout.tensor > 0)
    esk_cuda_error_tensor_tables (backward, mean, scale, offset, work->unit, host + layout.tensor);
  code = esk_cuda_upload_table (stream, device, host, layout.bytes);
  free (host);
  work->bands = (const float4 *) (device + layout.bands);
  work->means = (const double *) (device + layout.means);
  work->backward = (const float *) (device + layout.backward);
  *tensor = layout.tensor > 0 ? device + layout.tensor : NULL;

  return code;
}

/* Components of n pixels of a run; then their errors. */
static int
work_slice (EskStream        *stream,
            const EskCudaRun *run,
            size_t            first,
            size_t            n,
            const uint8_t    *valid,
            const EskMatrix  *forward,
            const double     *mean,
            float            *planes,
            size_t            stride,
            unsigned          n_blocks,
            const void       *tensor,
            EskErrorWork     *work)
{
  const uint8_t *data = (const uint8_t *) run->data + first * esk_type_size (run->type);
  EskTile tile = { data, run->type, false, n, 1, run->n_bands, 1, (ptrdiff_t) n, (ptrdiff_t) run->band_stride };
  int code = esk_cuda_project (stream, &tile, NULL, valid, forward, mean, planes, stride);

  work->data = data;
  work->band_stride = run->band_stride;
  work->n_pixels = n;
  work->valid = valid;
  work->components = planes;
  work->component_stride = stride;

  /* Tiles of pixels are read whole. */
  if (code == ESK_OK && tensor != NULL && n % ESK_ERROR_TENSOR_PIXELS != 0)
    code = esk_cuda_check (stream, cudaMemset2DAsync (planes + n, stride * sizeof (float), 0,
                                                      (ESK_ERROR_TENSOR_PIXELS - n % ESK_ERROR_TENSOR_PIXELS)
                                                      * sizeof (float), forward->rows, stream->stream),
                           "errors of a reduction");
  if (code != ESK_OK)
    return code;

  return tensor != NULL ? esk_cuda_error_tensor (stream, run->type, n_blocks, work, tensor)
                        : launch (stream, run->type, n_blocks, work);
}

static bool
are_right (const EskTile      *tile,
           const EskSelection *selection,
           const EskMatrix    *forward,
           const EskMatrix    *backward,
           const float        *rmse,
           const float        *angle,
           const EskErrorSums *sums)
{
  size_t n = tile->bands;

  if (forward == NULL || backward == NULL || forward->values == NULL || backward->values == NULL || forward->rows == 0
      || forward->columns != n || backward->rows != n || backward->columns != forward->rows
      || forward->rows > (size_t) INT32_MAX / 2 || n > SIZE_MAX / 64 / MOST_BLOCKS
      || (uintptr_t) rmse % sizeof (float) != 0 || (uintptr_t) angle % sizeof (float) != 0)
    return false;
  if (selection != NULL
      && (selection->n_bands != n || (selection->minimum == NULL) != (selection->maximum == NULL)))
    return false;

  return sums == NULL || sums->n_bands == n;
}

/* Brings the sums of the blocks to the caller's. */
static int
collect (EskStream     *stream,
         const EskErrorWork    *work,
         size_t         n_blocks,
         double        *totals,
         EskErrorPixels     *pixel_total,
         EskErrorSums  *sums)
{
  size_t n_columns = 2 * work->columns;
  double *host = (double *) malloc (n_columns * sizeof (double));
  EskErrorPixels pixels;
  int code;

  if (host == NULL)
    return ESK_ERROR_MEMORY;
  add_up<<<(unsigned) esk_cuda_ceil_div (n_columns, 32), dim3 (32, PARTS), 0, stream->stream>>>
    (work->sums, n_columns, work->pixel_sums, n_blocks, totals, pixel_total);
  code = esk_cuda_launched (stream, "sums of errors");
  if (code == ESK_OK)
    code = esk_cuda_fetch (stream, host, totals, n_columns * sizeof (double));
  if (code == ESK_OK)
    code = esk_cuda_fetch (stream, &pixels, pixel_total, sizeof pixels);
  if (code == ESK_OK)
    {
      for (size_t b = 0; b < sums->n_bands; b++)
        {
          sums->error[b] += host[2 * b] * work->unit;
          sums->square[b] += host[2 * b + 1] * work->unit * work->unit;
        }
      sums->count += pixels.count;
      sums->angle += pixels.angle;
      sums->largest = fmax (sums->largest, pixels.largest);
    }
  free (host);

  return code;
}

int
esk_cuda_project_error (EskStream          *stream,
                        const EskTile      *tile,
                        const EskSelection *selection,
                        const uint8_t      *valid,
                        const EskMatrix    *forward,
                        const EskMatrix    *backward,
                        const double       *mean,
                        const double       *scale,
                        const double       *offset,
                        float              *rmse,
                        float              *angle,
                        EskErrorSums       *sums)
{
  size_t slice, stride, n_blocks, row_bytes, bytes;
  bool quantises;
  EskCudaRun run, part;
  float *planes;
  uint8_t *partial;
  EskErrorWork work = { };
  const void *tensor = NULL;
  int code;

  if (stream == NULL || esk_cuda_check_planes (tile) != ESK_OK
      || !are_right (tile, selection, forward, backward, rmse, angle, sums))
    return ESK_ERROR_ARGUMENT;
  code = esk_cuda_enter (stream);
  if (code == ESK_OK)
    code = esk_cuda_run (stream, tile, valid, true, &run);
  if (code != ESK_OK)
    return code;

  quantises = selection != NULL && selection->minimum != NULL;
  work.n_bands = (int) run.n_bands;
  work.columns = esk_cuda_round_up (run.n_bands, WARPS * BANDS);
  work.n_components = (int) forward->rows;
  work.n_held = work.n_components < MOST_COMPONENTS ? work.n_components : MOST_COMPONENTS;
  code = make_tables (stream, quantises ? ESK_U8 : run.type, backward, mean, scale, offset, &work, &tensor);
  if (code != ESK_OK)
    return code;

  slice = SLICE_BYTES / (forward->rows * sizeof (float) + (quantises ? run.n_bands : 0)) / SLICE_ROUND * SLICE_ROUND;
  slice = slice < SLICE_ROUND ? SLICE_ROUND : slice;
  slice = slice < run.n_pixels ? slice : run.n_pixels;
  stride = esk_cuda_round_up (slice, SLICE_ROUND);
  if (__builtin_mul_overflow (forward->rows, stride * sizeof (float), &bytes))
    return ESK_ERROR_MEMORY;
  planes = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT, bytes);

  n_blocks = tensor != NULL ? MOST_TENSOR_BLOCKS : MOST_BLOCKS;
  n_blocks = esk_cuda_ceil_div (slice, PIXELS) < n_blocks ? esk_cuda_ceil_div (slice, PIXELS) : n_blocks;
  row_bytes = 2 * work.columns * sizeof (double);
  /* A row more for the totals. */
  partial = (uint8_t *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL,
                                          (n_blocks + 1) * (row_bytes + sizeof (EskErrorPixels)));
  if (planes == NULL || partial == NULL)
    return ESK_ERROR_MEMORY;
  if (sums != NULL)
    {
      code = esk_cuda_check (stream, cudaMemsetAsync (partial, 0,
                                                      (n_blocks + 1) * (row_bytes + sizeof (EskErrorPixels)),
                                                      stream->stream), "clearing sums");
      work.sums = (double *) partial;
      work.pixel_sums = (EskErrorPixels *) (partial + (n_blocks + 1) * row_bytes);
    }

  for (size_t first = 0; code == ESK_OK && first < run.n_pixels; first += slice)
    {
      size_t n = run.n_pixels - first < slice ? run.n_pixels - first : slice;
      const uint8_t *marks = run.valid != NULL ? run.valid + first : NULL;

      work.rmse = rmse != NULL ? rmse + first : NULL;
      work.angle = angle != NULL ? angle + first : NULL;
      if (quantises)
        code = esk_cuda_quantise (stream, &run, selection, first, n, &part);
      if (code == ESK_OK)
        code = work_slice (stream, quantises ? &part : &run, quantises ? 0 : first, n, marks, forward, mean, planes,
                           stride, (unsigned) n_blocks, tensor, &work);
    }
  if (code == ESK_OK && sums != NULL)
    code = collect (stream, &work, n_blocks, (double *) (partial + n_blocks * row_bytes),
                    work.pixel_sums + n_blocks, sums);

  return code;
}
