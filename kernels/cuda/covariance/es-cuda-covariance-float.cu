/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Covariance sums of samples that have no exact totals: scales, engines, and adding to the totals.
 *
 * Float32 planes are used where they are; other types are made float32 planes of x - shift, formed in float64, slice
 * by slice. Centres and scales come from a sample of the pixels, so that a shift far from the mean costs no accuracy.
 * Where a scale turns out too large for a pixel elsewhere, the partial sums are not finite, and the same is done again
 * with the ranges of all pixels: kernels that find nothing to do leave at once, so that the host need not look.
 */

#include "es-cuda-covariance-float-private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 256
#define SLICE_BYTES ((size_t) 256 << 20)
#define SLICE_ROUND 1024
#define SAMPLED_QUADS 2048      /* groups of four pixels that a band's scale is taken from */
#define RANGE_BLOCKS 64
#define LARGEST_GRID_Y 65535

static size_t
round_up (size_t n,
          size_t multiple)
{
  return (n + multiple - 1) / multiple * multiple;
}

#include "es-cuda-covariance-float-kernels.cuh"

/* to[band * to_stride + pixel] = from[band * from_stride + pixel] - shift[band], rounded once. */
template <typename Sample>
static __global__ void
centre (const Sample *from,
        size_t        from_stride,
        size_t        n_pixels,
        unsigned      n_bands,
        const double *shift,
        float        *to,
        size_t        to_stride)
{
  size_t pixel = (size_t) blockIdx.x * THREADS + threadIdx.x;

  if (pixel >= n_pixels)
    return;
  for (unsigned band = blockIdx.y; band < n_bands; band += gridDim.y)
    to[band * to_stride + pixel] = (float) ((double) from[band * from_stride + pixel] - shift[band]);
}

static int
launch_centre (EskStream        *stream,
               const EskCudaRun *run,
               const double     *shift,
               size_t            first,
               size_t            n_pixels,
               float            *to,
               size_t            to_stride)
{
  dim3 grid ((unsigned) ((n_pixels + THREADS - 1) / THREADS),
             (unsigned) (run->n_bands < LARGEST_GRID_Y ? run->n_bands : LARGEST_GRID_Y));

#define CENTRE(Sample)                                                                                        \
  centre<Sample><<<grid, THREADS, 0, stream->stream>>> ((const Sample *) run->data + first, run->band_stride, \
                                                        n_pixels, (unsigned) run->n_bands, shift, to, to_stride)
  switch (run->type)
    {
    case ESK_U8: CENTRE (uint8_t); break;
    case ESK_I8: CENTRE (int8_t); break;
    case ESK_U16: CENTRE (uint16_t); break;
    case ESK_I16: CENTRE (int16_t); break;
    case ESK_U32: CENTRE (uint32_t); break;
    case ESK_I32: CENTRE (int32_t); break;
    case ESK_U64: CENTRE (uint64_t); break;
    case ESK_I64: CENTRE (int64_t); break;
    case ESK_F32: CENTRE (float); break;
    case ESK_F64: CENTRE (double); break;
    default: return ESK_ERROR_ARGUMENT;
    }
#undef CENTRE

  return esk_cuda_launched (stream, "conversion to float32");
}

/* ES_CUDA_COVARIANCE=simt keeps off the matrix instructions. */
static bool
wants_simt (void)
{
  static int wanted = -1;      /* the same whoever sets it first */

  if (wanted < 0)
    {
      const char *variant = getenv ("ES_CUDA_COVARIANCE");

      wanted = variant != NULL && strcmp (variant, "simt") == 0;
    }

  return wanted > 0;
}

/* Takes the next `bytes` of a block of scratch, or counts them where `block` is NULL. */
static void *
take (char   *block,
      size_t *used,
      size_t  bytes)
{
  void *taken = block != NULL ? block + *used : NULL;

  *used += round_up (bytes, 256);

  return taken;
}

static void
lay_out (char           *block,
         size_t          n_bands,
         EskFloatTables *tables,
         size_t         *used)
{
  *used = 0;
  tables->overflow = (unsigned *) take (block, used, sizeof (unsigned));
  tables->count = (unsigned long long *) take (block, used, sizeof (unsigned long long));
  tables->centre = (float *) take (block, used, n_bands * sizeof (float));
  tables->range = (unsigned *) take (block, used, n_bands * sizeof (unsigned));
  tables->exact = (unsigned *) take (block, used, n_bands * sizeof (unsigned));
  tables->sum = (double *) take (block, used, n_bands * sizeof (double));
  tables->product = (double *) take (block, used, n_bands * n_bands * sizeof (double));
}

static int
run_engine (EskStream            *stream,
            const EskFloatPlanes *planes,
            const EskFloatPlan   *plan,
            const EskFloatTables *tables,
            bool                  again)
{
  dim3 range_grid (RANGE_BLOCKS, planes->n_bands < LARGEST_GRID_Y ? planes->n_bands : LARGEST_GRID_Y);
  size_t n_threads = (size_t) plan->n_tasks * plan->n_elements + planes->n_bands;
  int code;

  find_ranges<<<range_grid, THREADS, 0, stream->stream>>> (*planes, *tables, again);
  code = esk_cuda_launched (stream, "ranges");
  if (code == ESK_OK)
    code = plan->engine == ESK_FLOAT_SIMT ? esk_float_simt (stream, planes, plan, tables, again)
                                          : esk_float_tensor (stream, planes, plan, tables, again);
  if (code != ESK_OK)
    return code;
  reduce<<<(unsigned) ((n_threads + THREADS - 1) / THREADS), THREADS, 0, stream->stream>>> (*planes, *plan, *tables,
                                                                                           again);

  return esk_cuda_launched (stream, "covariance totals");
}

/* Adds float32 planes. */
static int
add_planes (EskStream      *stream,
            EskFloatPlanes  planes,
            EskCudaSums    *sums)
{
  const EskCudaProperties *properties = esk_cuda_properties (stream);
  Totals totals = { sums->count, sums->sum, sums->product };
  size_t n_tail = planes.n_pixels % 4, n_products = (size_t) planes.n_bands * planes.n_bands, bytes;
  EskFloatTables tables = { NULL };
  EskFloatPlan plan;
  char *block;
  int code = ESK_OK;

  planes.n_pixels -= n_tail;
  if (wants_simt () || !esk_float_plan_tensor (properties, planes.n_pixels, planes.n_bands, &plan))
    esk_float_plan_simt (properties, planes.n_pixels, planes.n_bands, &plan);

  lay_out (NULL, planes.n_bands, &tables, &bytes);
  block = (char *) esk_cuda_scratch (stream, ESK_SCRATCH_WORK, bytes);
  if (block == NULL)
    return ESK_ERROR_MEMORY;
  lay_out (block, planes.n_bands, &tables, &bytes);

  bytes = (size_t) plan.n_tasks * plan.n_slots * plan.n_elements * sizeof (double);
  tables.partial = (double *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL,
                                                bytes + (size_t) plan.n_slots * plan.sum_stride * sizeof (double));
  if (tables.partial == NULL)
    return ESK_ERROR_MEMORY;
  tables.partial_sum = (double *) ((char *) tables.partial + bytes);

  if (planes.n_pixels > 0)
    {
      sample_bands<<<planes.n_bands, THREADS, 0, stream->stream>>> (planes, tables);
      code = esk_cuda_launched (stream, "ranges");
      if (code == ESK_OK && planes.valid != NULL)
        {
          count_valid<<<RANGE_BLOCKS, THREADS, 0, stream->stream>>> (planes.valid, planes.n_pixels, tables.count);
          code = esk_cuda_launched (stream, "count of pixels");
        }
      for (int again = 0; again < 2 && code == ESK_OK; again++)
        code = run_engine (stream, &planes, &plan, &tables, again != 0);
    }
  else if (planes.valid != NULL)
    code = esk_cuda_check (stream, cudaMemsetAsync (tables.count, 0, sizeof (*tables.count), stream->stream),
                           "count of pixels");
  if (code != ESK_OK)
    return code;

  add_totals<<<(unsigned) ((n_products + THREADS - 1) / THREADS), THREADS, 0, stream->stream>>> (planes, n_tail, tables,
                                                                                                totals);

  return esk_cuda_launched (stream, "covariance totals");
}

static bool
is_aligned (const EskCudaRun *run)
{
  return (uintptr_t) run->data % 16 == 0 && run->band_stride % 4 == 0 && (uintptr_t) run->valid % 16 == 0;
}

int
esk_cuda_covariance_float (EskStream        *stream,
                           const EskCudaRun *run,
                           EskCudaSums      *sums)
{
  size_t n_bands = run->n_bands, slice, bytes;
  int code;
  float *planes;
  uint8_t *valid = NULL;

  if (n_bands == 0 || n_bands != sums->n_bands || n_bands > INT_MAX / 2 || esk_type_size (run->type) == 0)
    return ESK_ERROR_ARGUMENT;
  if (run->n_pixels == 0)
    return ESK_OK;
  code = esk_cuda_enter (stream);
  if (code != ESK_OK)
    return code;

  if (run->type == ESK_F32 && is_aligned (run))
    {
      EskFloatPlanes direct = { (const float *) run->data, run->band_stride, run->n_pixels, (unsigned) n_bands,
                                run->valid, sums->shift };

      return add_planes (stream, direct, sums);
    }

  slice = round_up (SLICE_BYTES / sizeof (float) / n_bands, SLICE_ROUND);
  if (slice > round_up (run->n_pixels, SLICE_ROUND))
    slice = round_up (run->n_pixels, SLICE_ROUND);
  if (__builtin_mul_overflow (slice * sizeof (float), n_bands, &bytes))
    return ESK_ERROR_MEMORY;
  /* Not ESK_SCRATCH_QUANTISED: the run may be in it. */
  planes = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT, bytes + slice);
  if (planes == NULL)
    return ESK_ERROR_MEMORY;
  if (run->valid != NULL)
    valid = (uint8_t *) planes + bytes;

  for (size_t first = 0; first < run->n_pixels && code == ESK_OK; first += slice)
    {
      size_t n = run->n_pixels - first < slice ? run->n_pixels - first : slice;
      EskFloatPlanes converted = { planes, slice, n, (unsigned) n_bands, valid, NULL };

      code = launch_centre (stream, run, sums->shift, first, n, planes, slice);
      if (code == ESK_OK && valid != NULL)
        code = esk_cuda_check (stream, cudaMemcpyAsync (valid, run->valid + first, n, cudaMemcpyDeviceToDevice,
                                                        stream->stream), "copy of the mask");
      if (code == ESK_OK)
        code = add_planes (stream, converted, sums);
    }

  return code;
}
