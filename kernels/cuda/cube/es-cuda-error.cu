/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * How far planes are from what few components tell of them.
 *
 * The components are a projection, in slices of pixels. Then a block takes 256 pixels at a time and brings their
 * components to shared memory; its warps take eight bands at a time, a lane eight of the pixels: 64 estimates in
 * registers, as in a matrix product, which are compared where they are made. So every sample is read once, and no
 * estimate leaves the registers. Sums over pixels go to float64 totals that belong to a warp, in an order that depends
 * on nothing but the number of pixels.
 */

#include "es-cuda-cube-private.h"

#include "cuda/core/es-cuda-samples-internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

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
/* Blocks of a launch, on any card. */
#define MOST_BLOCKS 2112
/* Components of a slice. */
#define SLICE_BYTES ((size_t) 192 << 20)
#define SLICE_ROUND 1024
#define DEGREES (180.0 / 3.14159265358979323846)

/* What a block has summed over its pixels. */
typedef struct {
  double  angle, largest;
  int64_t count;
} PixelSums;

/* A launch. */
typedef struct {
  const void    *data;
  size_t         band_stride, n_pixels;
  int            n_bands, n_components;
  int            n_held;               /* components in shared memory at a time */
  const uint8_t *valid;                /* nullable */
  const float   *components;           /* planes */
  size_t         component_stride;
  const float   *backward;             /* a row a component, `columns` wide, zeros behind the bands */
  size_t         columns;              /* the bands, a multiple of WARPS * BANDS */
  const float4  *bands;                /* columns: centre, mean - centre, scale, scale * centre + offset; or zeros */
  const double  *means;                /* columns: the centres of samples that float32 does not hold */
  double         unit;                 /* what errors are in, so that their squares fit float32 */
  float         *rmse, *angle;         /* nullable */
  double        *sums;                 /* nullable: a row a block: of each column the sums of e and e^2 */
  PixelSums     *pixel_sums;           /* one a block */
} Work;

template <typename Sample> static __device__ __forceinline__ constexpr bool
is_wide ()
{
  return sizeof (Sample) > 4 || (sizeof (Sample) == 4 && (Sample) 0.5f == (Sample) 0);
}

/* Read before the estimates are made, to be on their way meanwhile: where there are registers for them. */
template <typename Sample> static __device__ __forceinline__ constexpr bool
is_early ()
{
  return sizeof (Sample) <= 2;
}

template <typename Sample>
struct alignas (RUN * sizeof (Sample) < 16 ? RUN * sizeof (Sample) : 16) Run
{
  Sample x[RUN];
};

/* A lane's samples of a band. `whole`: there are 256 pixels. */
template <typename Sample>
static __device__ __forceinline__ void
read_samples (const Sample *band,
              size_t        pixel,
              size_t        n_pixels,
              bool          whole,
              Run<Sample>  *x)
{
#pragma unroll
  for (int h = 0; h < 2; h++)
    {
      size_t first = pixel + h * (PIXELS / 2);

      if (whole)
        {
          x[h] = *(const Run<Sample> *) (band + first);
        }
      else
        {
#pragma unroll
          for (int i = 0; i < RUN; i++)
            x[h].x[i] = band[min (first + i, n_pixels - 1)];
        }
    }
}

/* Of the pixel sums a = |v|^2, p = v.e, q = |e|^2. */
static __device__ double
angle_of (double a,
          double p,
          double q)
{
  return atan2 (sqrt (fmax (a * q - p * p, 0.0)), a - p) * DEGREES;
}

/* 2 n values become n: lanes `distance` apart share the sums between them. */
template <int n, int distance>
static __device__ __forceinline__ void
share_sums (float *values,
            int    lane)
{
  const bool upper = (lane & distance) != 0;

#pragma unroll
  for (int k = 0; k < n; k++)
    {
      float mine = upper ? values[k + n] : values[k], other = upper ? values[k] : values[k + n];

      values[k] = mine + __shfl_xor_sync (0xffffffffu, other, distance);
    }
}

/* Sums each of 16 values over the warp; that of value lane / 2 is returned. */
static __device__ __forceinline__ float
add_lanes (float *values,
           int    lane)
{
  static_assert (2 * BANDS == 16, "as many steps as there are");
  share_sums<8, 16> (values, lane);
  share_sums<4, 8> (values, lane);
  share_sums<2, 4> (values, lane);
  share_sums<1, 2> (values, lane);

  return values[0] + __shfl_xor_sync (0xffffffffu, values[0], 1);
}

/* Components first .. first + n of 256 pixels to shared memory. */
static __device__ void
bring_components (const Work &work,
                  size_t      tile,
                  int         first,
                  int         n,
                  float      *shared)
{
  for (int k = threadIdx.x; k < n * (PIXELS / 4); k += THREADS)
    {
      int component = k / (PIXELS / 4), pixel = k % (PIXELS / 4) * 4;
      const float *plane = work.components + (first + component) * work.component_stride;
      float4 four = make_float4 (0.0f, 0.0f, 0.0f, 0.0f);

      if (tile + pixel + 4 <= work.n_pixels)
        {
          four = *(const float4 *) (plane + tile + pixel);
        }
      else if (tile + pixel < work.n_pixels)
        {
          four.x = plane[tile + pixel];
          four.y = tile + pixel + 1 < work.n_pixels ? plane[tile + pixel + 1] : 0.0f;
          four.z = tile + pixel + 2 < work.n_pixels ? plane[tile + pixel + 2] : 0.0f;
        }
      *(float4 *) (shared + component * PIXELS + pixel) = four;
    }
}

/* estimates += components of the lane's pixels times n rows of `backward`. */
static __device__ __forceinline__ void
add_products (const float *shared,
              const float *backward,
              size_t       columns,
              int          n,
              float      (*estimates)[LANE_PIXELS])
{
#pragma unroll 2
  for (int k = 0; k < n; k++)
    {
      float4 y[2], f[2];

#pragma unroll
      for (int h = 0; h < 2; h++)
        {
          y[h] = *(const float4 *) (shared + k * PIXELS + h * (PIXELS / 2));
          f[h] = __ldg ((const float4 *) (backward + k * columns) + h);
        }
      const float pixels[LANE_PIXELS] = { y[0].x, y[0].y, y[0].z, y[0].w, y[1].x, y[1].y, y[1].z, y[1].w };
      const float factors[BANDS] = { f[0].x, f[0].y, f[0].z, f[0].w, f[1].x, f[1].y, f[1].z, f[1].w };
#pragma unroll
      for (int j = 0; j < BANDS; j++)
#pragma unroll
        for (int i = 0; i < LANE_PIXELS; i++)
          estimates[j][i] = fmaf (factors[j], pixels[i], estimates[j][i]);
    }
}

/* A lane's sums over bands, of its pixels: |v|^2, v.e, |e|^2. */
struct Totals
{
  float lengths[LANE_PIXELS], products[LANE_PIXELS], squares[LANE_PIXELS];
};

/* Compares the samples of eight bands with their estimates. Small samples have been read. */
template <typename Sample>
static __device__ __forceinline__ void
compare_bands (const Work        &work,
               Run<Sample>      (*x)[2],
               const Sample      *samples,
               size_t             pixel,
               bool               whole,
               int                first,
               unsigned           counts,
               const float      (*estimates)[LANE_PIXELS],
               Totals            *totals,
               float             *sums)
{
#pragma unroll
  for (int j = 0; j < BANDS; j++)
    {
      float4 table = __ldg (work.bands + first + j);
      double centre = is_wide<Sample> () ? __ldg (work.means + first + j) : 0.0;

      if (!is_early<Sample> ())
        read_samples (samples + (size_t) min (first + j, work.n_bands - 1) * work.band_stride, pixel, work.n_pixels,
                      whole, x[j]);
      sums[2 * j] = sums[2 * j + 1] = 0.0f;
#pragma unroll
      for (int i = 0; i < LANE_PIXELS; i++)
        {
          Sample sample = x[j][i / RUN].x[i % RUN];
          float d = is_wide<Sample> () ? (float) ((double) sample - centre) : (float) sample - table.x;
          float e = counts >> i & 1 ? table.z * (d - table.y - estimates[j][i]) : 0.0f, v = fmaf (table.z, d, table.w);

          totals->lengths[i] = fmaf (v, v, totals->lengths[i]);
          totals->products[i] = fmaf (v, e, totals->products[i]);
          totals->squares[i] = fmaf (e, e, totals->squares[i]);
          sums[2 * j] += e;
          sums[2 * j + 1] = fmaf (e, e, sums[2 * j + 1]);
        }
    }
}

/* Adds up the warps' sums of 256 pixels, and makes of them what was asked for. */
static __device__ void
finish_pixels (const Work   &work,
               size_t        tile,
               const Totals &totals,
               float        *shared,
               PixelSums    *sums)
{
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float *mine = shared + warp * 3 * PIXELS;

  __syncthreads ();
#pragma unroll
  for (int i = 0; i < LANE_PIXELS; i++)
    {
      int pixel = i / RUN * (PIXELS / 2) + lane * RUN + i % RUN;

      mine[pixel] = totals.lengths[i];
      mine[PIXELS + pixel] = totals.products[i];
      mine[2 * PIXELS + pixel] = totals.squares[i];
    }
  __syncthreads ();
  for (int k = threadIdx.x; k < PIXELS && tile + k < work.n_pixels; k += THREADS)
    {
      bool counts = work.valid == NULL || work.valid[tile + k] != 0;
      double three[3] = { 0.0, 0.0, 0.0 }, mean_square, degrees;

      for (int w = 0; w < WARPS; w++)
        for (int t = 0; t < 3; t++)
          three[t] += (double) shared[(3 * w + t) * PIXELS + k];
      mean_square = three[2] / (double) work.n_bands * work.unit * work.unit;
      degrees = angle_of (three[0], three[1], three[2]);
      if (work.rmse != NULL)
        work.rmse[tile + k] = counts ? (float) sqrt (mean_square) : nanf ("");
      if (work.angle != NULL)
        work.angle[tile + k] = counts ? (float) degrees : nanf ("");
      if (counts)
        {
          sums->angle += degrees;
          sums->largest = fmax (sums->largest, mean_square);
          sums->count++;
        }
    }
  __syncthreads ();
}

template <typename Sample>
static __global__ void __launch_bounds__ (THREADS, RESIDENT)
find_errors (const Work work)
{
  extern __shared__ float4 memory[];
  __shared__ PixelSums warps[WARPS];
  float *shared = (float *) memory;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const Sample *samples = (const Sample *) work.data;
  double *sums = work.sums != NULL ? work.sums + blockIdx.x * 2 * work.columns : NULL;
  PixelSums pixel_sums = { 0.0, 0.0, 0 };

  for (size_t tile = (size_t) blockIdx.x * PIXELS; tile < work.n_pixels; tile += (size_t) gridDim.x * PIXELS)
    {
      const bool whole = tile + PIXELS <= work.n_pixels;
      const size_t pixel = tile + lane * RUN;
      Totals totals = { };
      unsigned counts = 0;

#pragma unroll
      for (int i = 0; i < LANE_PIXELS; i++)
        {
          size_t at = pixel + i / RUN * (PIXELS / 2) + i % RUN;

          if (at < work.n_pixels && (work.valid == NULL || work.valid[at] != 0))
            counts |= 1u << i;
        }
      if (work.n_components <= work.n_held)
        {
          bring_components (work, tile, 0, work.n_components, shared);
          __syncthreads ();
        }

      for (size_t group = 0; group < work.columns; group += WARPS * BANDS)
        {
          const int first = (int) group + warp * BANDS;
          Run<Sample> x[BANDS][2];
          float estimates[BANDS][LANE_PIXELS] = { }, of_bands[2 * BANDS], total;

          if (is_early<Sample> ())
#pragma unroll
            for (int j = 0; j < BANDS; j++)
              read_samples (samples + (size_t) min (first + j, work.n_bands - 1) * work.band_stride, pixel,
                            work.n_pixels, whole, x[j]);
          for (int k = 0; k < work.n_components; k += work.n_held)
            {
              int n = min (work.n_components - k, work.n_held);

              if (work.n_components > work.n_held)
                {
                  __syncthreads ();
                  bring_components (work, tile, k, n, shared);
                  __syncthreads ();
                }
              add_products (shared + lane * RUN, work.backward + (size_t) k * work.columns + first, work.columns, n,
                            estimates);
            }
          compare_bands (work, x, samples, pixel, whole, first, counts, estimates, &totals, of_bands);
          if (sums != NULL)
            {
              total = add_lanes (of_bands, lane);
              if (lane % 2 == 0)
                sums[2 * first + lane / 2] += (double) total;
            }
        }
      finish_pixels (work, tile, totals, shared, &pixel_sums);
    }

  if (sums == NULL)
    return;
  for (int distance = 16; distance > 0; distance /= 2)
    {
      pixel_sums.angle += __shfl_down_sync (0xffffffffu, pixel_sums.angle, distance);
      pixel_sums.largest = fmax (pixel_sums.largest, __shfl_down_sync (0xffffffffu, pixel_sums.largest, distance));
      pixel_sums.count += __shfl_down_sync (0xffffffffu, pixel_sums.count, distance);
    }
  if (lane == 0)
    warps[warp] = pixel_sums;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      PixelSums *mine = work.pixel_sums + blockIdx.x;

      for (int w = 0; w < WARPS; w++)
        {
          mine->angle += warps[w].angle;
          mine->largest = fmax (mine->largest, warps[w].largest);
          mine->count += warps[w].count;
        }
    }
}

/* --- totals --------------------------------------------------------------------------------------------------- */

#define PARTS 8

/* A column of the blocks' rows by PARTS threads; the first block adds up the pixels' sums too. */
static __global__ void __launch_bounds__ (32 * PARTS)
add_up (const double    *sums,
        size_t           n_columns,
        const PixelSums *pixel_sums,
        size_t           n_blocks,
        double          *totals,
        PixelSums       *pixel_total)
{
  __shared__ double parts[PARTS][32];
  size_t column = (size_t) blockIdx.x * 32 + threadIdx.x;
  double total = 0.0;

  if (column < n_columns)
    for (size_t k = threadIdx.y; k < n_blocks; k += PARTS)
      total += sums[k * n_columns + column];
  parts[threadIdx.y][threadIdx.x] = total;
  __syncthreads ();
  if (threadIdx.y == 0 && column < n_columns)
    {
      for (int part = 1; part < PARTS; part++)
        total += parts[part][threadIdx.x];
      totals[column] = total;
    }

  if (blockIdx.x == 0 && threadIdx.y == 0)
    {
      PixelSums mine = { };

      for (size_t k = threadIdx.x; k < n_blocks; k += 32)
        {
          mine.angle += pixel_sums[k].angle;
          mine.largest = fmax (mine.largest, pixel_sums[k].largest);
          mine.count += pixel_sums[k].count;
        }
      for (int distance = 16; distance > 0; distance /= 2)
        {
          mine.angle += __shfl_down_sync (0xffffffffu, mine.angle, distance);
          mine.largest = fmax (mine.largest, __shfl_down_sync (0xffffffffu, mine.largest, distance));
          mine.count += __shfl_down_sync (0xffffffffu, mine.count, distance);
        }
      if (threadIdx.x == 0)
        *pixel_total = mine;
    }
}

/* --- launches ------------------------------------------------------------------------------------------------- */

template <typename Sample>
static int
launch_type (EskStream  *stream,
             unsigned    n_blocks,
             const Work *work)
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
        const Work *work)
{
  int code = ESK_ERROR_ARGUMENT;

  ESK_CUDA_FOR_TYPE (type, Sample, (code = launch_type<Sample> (stream, n_blocks, work)))

  return code;
}

/* Where the parts of ESK_SCRATCH_TABLES are, in bytes. */
typedef struct {
  size_t bands, means, backward, bytes;
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

/* Makes the tables of a call and brings them to the card. */
static int
make_tables (EskStream       *stream,
             EskType          type,
             const EskMatrix *backward,
             const double    *mean,
             const double    *scale,
             const double    *offset,
             Work            *work)
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
      for (size_t r = 0; r < m; r++)
        factors[r * columns + b] = backward->values[b * m + r];
    }
  code = esk_cuda_upload_table (stream, device, host, layout.bytes);
  free (host);
  work->bands = (const float4 *) (device + layout.bands);
  work->means = (const double *) (device + layout.means);
  work->backward = (const float *) (device + layout.backward);

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
            Work             *work)
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

  return code == ESK_OK ? launch (stream, run->type, n_blocks, work) : code;
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
         const Work    *work,
         size_t         n_blocks,
         double        *totals,
         PixelSums     *pixel_total,
         EskErrorSums  *sums)
{
  size_t n_columns = 2 * work->columns;
  double *host = (double *) malloc (n_columns * sizeof (double));
  PixelSums pixels;
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
  Work work = { };
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
  code = make_tables (stream, quantises ? ESK_U8 : run.type, backward, mean, scale, offset, &work);
  if (code != ESK_OK)
    return code;

  slice = SLICE_BYTES / (forward->rows * sizeof (float) + (quantises ? run.n_bands : 0)) / SLICE_ROUND * SLICE_ROUND;
  slice = slice < SLICE_ROUND ? SLICE_ROUND : slice;
  slice = slice < run.n_pixels ? slice : run.n_pixels;
  stride = esk_cuda_round_up (slice, SLICE_ROUND);
  if (__builtin_mul_overflow (forward->rows, stride * sizeof (float), &bytes))
    return ESK_ERROR_MEMORY;
  planes = (float *) esk_cuda_scratch (stream, ESK_SCRATCH_IMPORT, bytes);

  n_blocks = esk_cuda_ceil_div (slice, PIXELS) < MOST_BLOCKS ? esk_cuda_ceil_div (slice, PIXELS) : MOST_BLOCKS;
  row_bytes = 2 * work.columns * sizeof (double);
  /* A row more for the totals. */
  partial = (uint8_t *) esk_cuda_scratch (stream, ESK_SCRATCH_PARTIAL,
                                          (n_blocks + 1) * (row_bytes + sizeof (PixelSums)));
  if (planes == NULL || partial == NULL)
    return ESK_ERROR_MEMORY;
  if (sums != NULL)
    {
      code = esk_cuda_check (stream, cudaMemsetAsync (partial, 0, (n_blocks + 1) * (row_bytes + sizeof (PixelSums)),
                                                      stream->stream), "clearing sums");
      work.sums = (double *) partial;
      work.pixel_sums = (PixelSums *) (partial + (n_blocks + 1) * row_bytes);
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
                           stride, (unsigned) n_blocks, &work);
    }
  if (code == ESK_OK && sums != NULL)
    code = collect (stream, &work, n_blocks, (double *) (partial + n_blocks * row_bytes),
                    work.pixel_sums + n_blocks, sums);

  return code;
}
