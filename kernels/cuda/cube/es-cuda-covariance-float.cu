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

/* Bits of the largest |x - centre| among four pixels: positive floats have the order of their bits. */
static __device__ unsigned
quad_range (const EskFloatPlanes *planes,
            unsigned              band,
            float                 centre,
            size_t                quad)
{
  float4 x = *(const float4 *) (planes->data + band * planes->stride + quad * 4);
  uchar4 valid = planes->valid != NULL ? *(const uchar4 *) (planes->valid + quad * 4) : make_uchar4 (1, 1, 1, 1);
  unsigned range = 0;

  range = max (range, valid.x ? __float_as_uint (fabsf (x.x - centre)) : 0u);
  range = max (range, valid.y ? __float_as_uint (fabsf (x.y - centre)) : 0u);
  range = max (range, valid.z ? __float_as_uint (fabsf (x.z - centre)) : 0u);
  range = max (range, valid.w ? __float_as_uint (fabsf (x.w - centre)) : 0u);

  return range;
}

static __device__ unsigned
block_maximum (unsigned value)
{
  __shared__ unsigned largest[THREADS / 32];

  for (int distance = 16; distance > 0; distance /= 2)
    value = max (value, __shfl_xor_sync (0xffffffffu, value, distance));
  if (threadIdx.x % 32 == 0)
    largest[threadIdx.x / 32] = value;
  __syncthreads ();
  for (int i = 0; i < THREADS / 32; i++)
    value = max (value, largest[i]);

  return value;
}

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

/* A block a band: its centre, the mean of the sample, and the range about it. Bands that are constant all over the
 * sample are left to find_ranges (). */
static __global__ void
sample_bands (EskFloatPlanes planes,
              EskFloatTables tables)
{
  unsigned band = blockIdx.x, range = 0;
  double shift = planes.shift != NULL ? planes.shift[band] : 0.0, sum = 0.0, n = 0.0;
  size_t n_quads = planes.n_pixels / 4;
  size_t step = (n_quads + SAMPLED_QUADS - 1) / SAMPLED_QUADS;

  for (size_t quad = threadIdx.x * step; quad < n_quads; quad += THREADS * step)
    for (int i = 0; i < 4; i++)
      {
        float x = planes.data[band * planes.stride + quad * 4 + i];

        if (isfinite (x) && (planes.valid == NULL || planes.valid[quad * 4 + i] != 0))
          {
            sum += (double) x - shift;
            n += 1.0;
          }
      }
  sum = block_sum (sum);
  n = block_sum (n);

  float centre = n > 0.0 && isfinite ((float) (shift + sum / n)) ? (float) (shift + sum / n) : (float) shift;

  for (size_t quad = threadIdx.x * step; quad < n_quads; quad += THREADS * step)
    range = max (range, quad_range (&planes, band, centre, quad));
  range = block_maximum (range);
  if (threadIdx.x == 0)
    {
      tables.centre[band] = centre;
      tables.range[band] = range;
      tables.exact[band] = step == 1 ? 1 : range == 0 ? 2 : 0;
      if (band == 0)
        {
          *tables.overflow = 0;
          *tables.count = 0;
        }
    }
}

/* Ranges of all pixels: of bands where the sample told nothing, or of all where a scale was too large. */
static __global__ void
find_ranges (EskFloatPlanes planes,
             EskFloatTables tables,
             bool           again)
{
  size_t n_quads = planes.n_pixels / 4;

  if (again && *tables.overflow == 0)
    return;
  for (unsigned band = blockIdx.y; band < planes.n_bands; band += gridDim.y)
    {
      float centre = tables.centre[band];
      unsigned range = 0;

      if (!again && tables.exact[band] != 2)
        continue;
      for (size_t quad = (size_t) blockIdx.x * THREADS + threadIdx.x; quad < n_quads;
           quad += (size_t) gridDim.x * THREADS)
        range = max (range, quad_range (&planes, band, centre, quad));
      for (int distance = 16; distance > 0; distance /= 2)
        range = max (range, __shfl_xor_sync (0xffffffffu, range, distance));
      if (threadIdx.x % 32 == 0 && range != 0)
        atomicMax (&tables.range[band], range);
    }
}

static __global__ void
count_valid (const uint8_t      *valid,
             size_t              n_pixels,
             unsigned long long *count)
{
  unsigned long long n = 0;

  for (size_t i = (size_t) blockIdx.x * THREADS + threadIdx.x; i < n_pixels / 16; i += (size_t) gridDim.x * THREADS)
    {
      uint4 v = ((const uint4 *) valid)[i];

      n += __popc (__vcmpne4 (v.x, 0)) + __popc (__vcmpne4 (v.y, 0)) + __popc (__vcmpne4 (v.z, 0))
           + __popc (__vcmpne4 (v.w, 0));
    }
  n /= 8;
  if (blockIdx.x == 0 && threadIdx.x < n_pixels % 16)
    n += valid[n_pixels / 16 * 16 + threadIdx.x] != 0;
  for (int distance = 16; distance > 0; distance /= 2)
    n += __shfl_xor_sync (0xffffffffu, n, distance);
  if (threadIdx.x % 32 == 0 && n != 0)
    atomicAdd (count, n);
}

/* Which product an element of a slot is; false where it is none, or one above the diagonal. */
static __device__ bool
locate (const EskFloatPlan *plan,
        unsigned            task,
        unsigned            element,
        unsigned           *row,
        unsigned           *column)
{
  unsigned block_row = 0, block_column = 0;

  if (plan->engine != ESK_FLOAT_WHOLE)
    esk_float_pair (task, &block_row, &block_column);
  if (plan->engine == ESK_FLOAT_SIMT)
    {
      *row = block_row * ESK_FLOAT_SIMT_BLOCK + element / ESK_FLOAT_SIMT_BLOCK;
      *column = block_column * ESK_FLOAT_SIMT_BLOCK + element % ESK_FLOAT_SIMT_BLOCK;
      return *row >= *column;
    }

  /* As esk_float_element () has it. */
  unsigned step = element / 256 % (plan->n_columns * 4), row_block = element / 256 / (plan->n_columns * 4);
  unsigned lane = element / 2 % 32, column_block = step / 4;
  unsigned r = element / 128 % 2 * 16 + element / 64 % 2 * 8 + lane / 4;
  unsigned c = step % 4 * 8 + lane % 4 * 2 + element % 2;

  if (plan->engine == ESK_FLOAT_PAIRS)
    {
      *row = block_row * ESK_FLOAT_PAIR_BLOCK + row_block / 2 * 32 + r;
      *column = block_column * ESK_FLOAT_PAIR_BLOCK + (row_block % 2 * 2 + column_block) * 32 + c;
      return *row >= *column;
    }

  /* Every block of rows with itself and the next half of the others, round the circle. */
  unsigned n = plan->n_blocks, other = (row_block + column_block) % n;
  bool used = column_block * 2 < n || (column_block * 2 == n && row_block < n / 2);

  *row = row_block * 32 + r;
  *column = other * 32 + c;
  if (*row < *column && row_block != other)
    {
      unsigned swap = *row;

      *row = *column;
      *column = swap;
    }

  return used && *row >= *column;
}

static __device__ double
add_slots (const double *partial,
           size_t        stride,
           unsigned      n_slots)
{
  double total = 0.0;

#pragma unroll 12
  for (unsigned slot = 0; slot < n_slots; slot++)
    total += partial[slot * stride];

  return total;
}

/* A thread an element, then a thread a band. */
static __global__ void
reduce (EskFloatPlanes planes,
        EskFloatPlan   plan,
        EskFloatTables tables,
        bool           again)
{
  size_t index = (size_t) blockIdx.x * THREADS + threadIdx.x;
  size_t n_products = (size_t) plan.n_tasks * plan.n_elements;
  unsigned row, column;
  double total;

  if (again && *tables.overflow == 0)
    return;
  if (index < n_products)
    {
      unsigned task = (unsigned) (index / plan.n_elements), element = (unsigned) (index % plan.n_elements);

      if (!locate (&plan, task, element, &row, &column) || row >= planes.n_bands)
        return;
      total = add_slots (tables.partial + (size_t) task * plan.n_slots * plan.n_elements + element, plan.n_elements,
                         plan.n_slots);
      tables.product[(size_t) row * planes.n_bands + column]
        = ldexp (total, -esk_float_exponent (&tables, row, again) - esk_float_exponent (&tables, column, again));
    }
  else if (index - n_products < planes.n_bands)
    {
      row = (unsigned) (index - n_products);
      total = add_slots (tables.partial_sum + row, plan.sum_stride, plan.n_slots);
      tables.sum[row] = ldexp (total, -esk_float_exponent (&tables, row, again));
    }
  else
    return;

  if (!again && !isfinite (total))
    *tables.overflow = 1;
}

/* What the totals are added to. */
typedef struct {
  int64_t *count;
  double  *sum, *product;
} Totals;

/*
 * Adds. Engines subtract a centre: with d = centre - shift, sums of x - shift are sum + n d and
 * product_ij + d_i sum_j + d_j sum_i + n d_i d_j. The last one to three pixels are added here in float64.
 */
static __global__ void
add_totals (EskFloatPlanes planes,
            size_t         n_tail,
            EskFloatTables tables,
            Totals         totals)
{
  size_t index = (size_t) blockIdx.x * THREADS + threadIdx.x;
  size_t n_bands = planes.n_bands, i = index / n_bands, j = index % n_bands;
  unsigned long long n = planes.valid != NULL ? *tables.count : planes.n_pixels;
  double n_pixels = (double) n;

  if (i >= n_bands || j > i)
    return;

  double shift_i = planes.shift != NULL ? planes.shift[i] : 0.0, shift_j = planes.shift != NULL ? planes.shift[j] : 0.0;
  double sum = 0.0, product = 0.0;
  unsigned n_added = 0;

  if (planes.n_pixels > 0)
    {
      double d_i = (double) tables.centre[i] - shift_i, d_j = (double) tables.centre[j] - shift_j;

      product = tables.product[i * n_bands + j] + d_i * tables.sum[j] + d_j * tables.sum[i] + n_pixels * d_i * d_j;
      sum = tables.sum[i] + n_pixels * d_i;
    }
  for (size_t p = planes.n_pixels; p < planes.n_pixels + n_tail; p++)
    if (planes.valid == NULL || planes.valid[p] != 0)
      {
        double x_i = (double) planes.data[i * planes.stride + p] - shift_i;
        double x_j = (double) planes.data[j * planes.stride + p] - shift_j;

        product += x_i * x_j;
        sum += x_i;
        n_added++;
      }

  totals.product[i * n_bands + j] += product;
  if (j == 0)
    totals.sum[i] += sum;
  if (index == 0)
    *totals.count += (int64_t) (n + n_added);
}

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
