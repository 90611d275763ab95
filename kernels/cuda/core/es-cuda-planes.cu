/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Planes as one run of pixels, and their samples as 8-bit numbers. */

#include "es-cuda-samples-internal.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

__extension__ typedef __int128 int128;

#define THREADS 256
/* Bands of copies start at multiples of this many samples, and what lies between is zero. */
#define BAND_ROUND 128
#define LARGEST_GRID_Y 65535

int
esk_cuda_check_planes (const EskTile *planes)
{
  size_t size, n_pixels, span = 0, bytes;

  if (planes == NULL || planes->data == NULL || planes->byte_swapped)
    return ESK_ERROR_ARGUMENT;
  size = esk_type_size (planes->type);
  if (size == 0 || planes->width == 0 || planes->height == 0 || planes->bands == 0 || planes->bands > INT_MAX / 2
      || (uintptr_t) planes->data % size != 0
      || __builtin_mul_overflow (planes->width, planes->height, &n_pixels) || n_pixels > PTRDIFF_MAX / size)
    return ESK_ERROR_ARGUMENT;
  if (planes->width > 1 && planes->column_stride != 1)
    return ESK_ERROR_ARGUMENT;

  if (planes->height > 1
      && (planes->row_stride < (ptrdiff_t) planes->width
          || __builtin_mul_overflow (planes->height - 1, (size_t) planes->row_stride, &span)))
    return ESK_ERROR_ARGUMENT;
  if (__builtin_add_overflow (span, planes->width, &span) || span > PTRDIFF_MAX / size)
    return ESK_ERROR_ARGUMENT;
  if (planes->bands > 1
      && (planes->band_stride < 0 || (size_t) planes->band_stride < span
          || __builtin_mul_overflow (planes->bands - 1, (size_t) planes->band_stride * size, &bytes)
          || bytes > PTRDIFF_MAX - span * size))
    return ESK_ERROR_ARGUMENT;

  return ESK_OK;
}

/* --- one run ------------------------------------------------------------------------------------------------- */

/*
 * to[band * to_stride + row * width + column] = from[band * from_stride + row * row_stride + column]; zero from
 * n_pixels up to to_stride, which is a multiple of 16 bytes. A thread writes 16 bytes.
 */
template <typename Element>
static __global__ void
compact (const Element *from,
         size_t         row_stride,
         size_t         from_stride,
         size_t         width,
         size_t         n_pixels,
         size_t         n_bands,
         Element       *to,
         size_t         to_stride)
{
  constexpr int per_thread = 16 / sizeof (Element);
  size_t first = ((size_t) blockIdx.x * THREADS + threadIdx.x) * per_thread;
  size_t row, column;

  if (first >= to_stride)
    return;
  if (n_pixels <= UINT32_MAX)
    {
      row = (uint32_t) first / (uint32_t) width;
      column = (uint32_t) first % (uint32_t) width;
    }
  else
    {
      row = first / width;
      column = first % width;
    }

  for (size_t band = blockIdx.y; band < n_bands; band += gridDim.y)
    {
      const Element *plane = from + band * from_stride;
      EskCudaPack<Element> pack;
      size_t r = row, c = column;

#pragma unroll
      for (int k = 0; k < per_thread; k++)
        {
          pack.sample[k] = first + k < n_pixels ? plane[r * row_stride + c] : (Element) 0;
          if (++c == width)
            {
              c = 0;
              r++;
            }
        }
      *(uint4 *) (to + band * to_stride + first) = pack.vector;
    }
}

template <typename Element>
static void
launch_compact (EskStream     *stream,
                const EskTile *planes,
                Element       *to,
                size_t         to_stride)
{
  size_t groups = esk_cuda_ceil_div (to_stride * sizeof (Element), 16);
  dim3 grid ((unsigned) esk_cuda_ceil_div (groups, THREADS),
             (unsigned) (planes->bands < LARGEST_GRID_Y ? planes->bands : LARGEST_GRID_Y));

  compact<Element><<<grid, THREADS, 0, stream->stream>>>
    ((const Element *) planes->data, (size_t) planes->row_stride, (size_t) planes->band_stride, planes->width,
     planes->width * planes->height, planes->bands, to, to_stride);
}

static bool
is_aligned (const void *address)
{
  return (uintptr_t) address % 16 == 0;
}

int
esk_cuda_run (EskStream     *stream,
              const EskTile *planes,
              const uint8_t *valid,
              bool           aligned,
              EskCudaRun    *run)
{
  size_t size, n_pixels, stride, bytes;
  bool contiguous, data_fits, valid_fits;
  int code;

  code = esk_cuda_check_planes (planes);
  if (code != ESK_OK)
    return code;

  size = esk_type_size (planes->type);
  n_pixels = planes->width * planes->height;
  contiguous = planes->height == 1 || planes->row_stride == (ptrdiff_t) planes->width;
  data_fits = contiguous
              && (!aligned || (is_aligned (planes->data)
                               && (planes->bands == 1 || (size_t) planes->band_stride * size % 16 == 0)));
  valid_fits = valid == NULL || (contiguous && (!aligned || is_aligned (valid)));

  *run = (EskCudaRun) {
    planes->data, planes->type, n_pixels, planes->bands,
    planes->bands > 1 ? (size_t) planes->band_stride : esk_cuda_round_up (n_pixels, BAND_ROUND), valid
  };
  stride = esk_cuda_round_up (n_pixels, BAND_ROUND);

  if (!data_fits)
    {
      void *copy;

      if (__builtin_mul_overflow (stride * size, planes->bands, &bytes))
        return ESK_ERROR_MEMORY;
      copy = esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT, bytes);
      if (copy == NULL)
        return ESK_ERROR_MEMORY;
      ESK_CUDA_FOR_SIZE (size, Element, launch_compact (stream, planes, (Element *) copy, stride))
      code = esk_cuda_launched (stream, "rows side by side");
      if (code != ESK_OK)
        return code;
      run->data = copy;
      run->band_stride = stride;
    }
  if (!valid_fits)
    {
      EskTile mask = *planes;
      uint8_t *copy = (uint8_t *) esk_cuda_scratch (stream, ESK_SCRATCH_COMPACT_VALID, stride);

      if (copy == NULL)
        return ESK_ERROR_MEMORY;
      mask.data = valid;
      mask.bands = 1;
      launch_compact (stream, &mask, copy, stride);
      code = esk_cuda_launched (stream, "mask rows side by side");
      if (code != ESK_OK)
        return code;
      run->valid = copy;
    }

  return ESK_OK;
}

/* --- 8 bits -------------------------------------------------------------------------------------------------- */

/* Which arithmetic gives the CPU's result for a band. */
typedef enum
{
  QUANTISE_ZERO,               /* minimum and maximum are equal */
  QUANTISE_SMALL,              /* 8- and 16-bit integers, whole range of at most 65535 */
  QUANTISE_MIDDLE,             /* up to 32-bit integers, whole minimum and maximum below 2^40 */
  QUANTISE_WIDE,               /* any integers, whole minimum and maximum below 2^100 */
  QUANTISE_FLOAT
} QuantiseKind;

typedef struct
{
  int128       wide_minimum, wide_range;
  double       minimum, range, scale;
  double       factor;         /* 255 / range; 0 where only a division will do */
  int32_t      small_minimum, small_range;
  float        small_factor;   /* 255 / range, rounded upwards */
  QuantiseKind kind;
} QuantiseBand;

/* 255 / range where products with it are as good as divisions but for the last bits. */
static double
factor_of (double range)
{
  return range > 0x1p-900 && range < 0x1p900 ? 255.0 / range : 0.0;
}

static QuantiseBand
quantise_band (EskType type,
               double  minimum,
               double  maximum)
{
  double magnitude = fmax (fabs (minimum), fabs (maximum));
  bool whole = minimum == trunc (minimum) && maximum == trunc (maximum);
  bool integer = type != ESK_F32 && type != ESK_F64;
  QuantiseBand band = { };

  if (!(maximum > minimum))
    {
      band.kind = QUANTISE_ZERO;
    }
  else if (esk_type_is_exact (type) && whole && magnitude <= 65536.0 && maximum - minimum <= 65535.0)
    {
      band.kind = QUANTISE_SMALL;
      band.small_minimum = (int32_t) minimum;
      band.small_range = (int32_t) (maximum - minimum);
      band.small_factor = (float) (255.0 / (maximum - minimum));
      if ((double) band.small_factor * (maximum - minimum) < 255.0)
        band.small_factor = nextafterf (band.small_factor, INFINITY);
    }
  else if (integer && type != ESK_U64 && type != ESK_I64 && whole && magnitude < 0x1p40)
    {
      band.kind = QUANTISE_MIDDLE;
      band.minimum = minimum;
      band.range = maximum - minimum;
      band.factor = factor_of (band.range);
    }
  else if (integer && whole && magnitude < 0x1p100)
    {
      band.kind = QUANTISE_WIDE;
      band.wide_minimum = (int128) minimum;
      band.wide_range = (int128) maximum - (int128) minimum;
    }
  else
    {
      band.kind = QUANTISE_FLOAT;
      /* A power of two keeps what cannot be multiplied by 255 in the range of a double. */
      band.scale = fabs (minimum) > 0x1.fffffffffffffp1013 || fabs (maximum) > 0x1.fffffffffffffp1013 ? 1.0 / 1024
                                                                                                      : 1.0;
      band.minimum = minimum * band.scale;
      band.range = maximum * band.scale - band.minimum;
      band.factor = factor_of (band.range);
    }

  return band;
}

/*
 * The exact quotient t * 255 / range of integers below 2^24. Every rounding is upwards, by less than 2^-13 in all: the
 * integer part is the quotient's or one more, which an exact remainder below zero tells. Adding 2^23 leaves an integer
 * in the low bits of a float, where neither conversion costs a slow instruction. `bias`: what these bits bring into the
 * remainder.
 */
#define TWO_TO_23 8388608.0f
#define TWO_TO_23_BITS 0x4b000000u

template <typename Sample>
static __device__ inline uint32_t
quantise_small (Sample   sample,
                int32_t  minimum,
                int32_t  range,
                float    factor,
                uint32_t bias)
{
  uint32_t t = (uint32_t) min (max ((int32_t) sample - minimum, 0), range);
  float quotient = __fmul_ru (__fsub_rn (__uint_as_float (TWO_TO_23_BITS | t), TWO_TO_23), factor);
  uint32_t bits = __float_as_uint (__fadd_rz (quotient, TWO_TO_23));
  int32_t rest = (int32_t) (t * 255 + bias - bits * (uint32_t) range);

  return bits + (uint32_t) (rest >> 31);
}

/* The integer part of x in 0..256, and how far x is above it: by adding 2^52. */
static __device__ inline uint32_t
integer_part (double  x,
              double *fraction)
{
  double shifted = __dadd_rd (x, 0x1p52);

  *fraction = __dsub_rn (x, __dsub_rn (shifted, 0x1p52));
  return (uint32_t) __double2loint (shifted);
}

/* Nearer to an integer than this, a product does not tell on which side the quotient is. */
#define UNSURE 1e-9

/* Each operation rounded by itself, as the CPU does it: nothing is contracted. */
template <typename Sample>
static __device__ inline uint32_t
quantise_middle (Sample sample,
                 double minimum,
                 double range,
                 double factor)
{
  double t = __dsub_rn ((double) sample, minimum), fraction;
  uint32_t quotient;

  t = t > 0.0 ? t : 0.0;
  t = t < range ? t : range;
  quotient = integer_part (t * factor, &fraction);
  if (fraction > UNSURE && fraction < 1.0 - UNSURE)
    return quotient;
  return (uint32_t) __double2int_rz (__ddiv_rn (__dmul_rn (t, 255.0), range));
}

template <typename Sample>
static __device__ __noinline__ uint32_t
quantise_wide (Sample sample,
               int128 minimum,
               int128 range)
{
  int128 t = (int128) sample - minimum;

  t = t < 0 ? 0 : t > range ? range : t;
  return (uint32_t) (t * 255 / range);
}

template <typename Sample>
static __device__ inline uint32_t
quantise_float (Sample sample,
                double minimum,
                double range,
                double scale,
                double factor)
{
  double t = __dsub_rn (__dmul_rn ((double) sample, scale), minimum), y = t * factor, fraction;
  uint32_t quotient;

  /* NAN is 0. */
  if (!(t > 0.0))
    return 0;
  if (y > 255.5)
    return 255;
  quotient = integer_part (y, &fraction);
  if (fraction > UNSURE && fraction < 1.0 - UNSURE)
    return quotient;
  t = __ddiv_rn (__dmul_rn (t, 255.0), range);
  return (uint32_t) __double2int_rz (t < 255.0 ? t : 255.0);
}

/* Four 8-bit numbers in a word, of the lowest byte of each. */
static __device__ inline uint32_t
pack_bytes (const uint32_t *numbers)
{
  return __byte_perm (__byte_perm (numbers[0], numbers[1], 0x0040), __byte_perm (numbers[2], numbers[3], 0x0040),
                      0x5410);
}

/* N samples from `from` on; zero from the n-th. `vectors`: `from` is a multiple of 16 bytes. */
template <typename Sample, int N>
static __device__ inline void
read_samples (const Sample *from,
              size_t        n,
              bool          vectors,
              Sample       *samples)
{
  constexpr int per_pack = 16 / sizeof (Sample);

  if (vectors && n >= N)
    {
#pragma unroll
      for (int v = 0; v < N / per_pack; v++)
        {
          EskCudaPack<Sample> pack;

          pack.vector = __ldg ((const uint4 *) from + v);
#pragma unroll
          for (int k = 0; k < per_pack; k++)
            samples[v * per_pack + k] = pack.sample[k];
        }
    }
  else
    {
#pragma unroll
      for (int k = 0; k < N; k++)
        samples[k] = (size_t) k < n ? from[k] : (Sample) 0;
    }
}

/* A thread makes 16 numbers of a band. `vectors`: every band starts at a multiple of 16 bytes. */
template <typename Sample>
static __global__ void
quantise (const Sample       *from,
          size_t              from_stride,
          size_t              n_pixels,
          size_t              n_bands,
          bool                vectors,
          const QuantiseBand *table,
          uint8_t            *to,
          size_t              to_stride)
{
  size_t first = ((size_t) blockIdx.x * THREADS + threadIdx.x) * 16;

  if (first >= to_stride)
    return;

  for (size_t b = blockIdx.y; b < n_bands; b += gridDim.y)
    {
      const QuantiseBand *band = table + b;
      EskCudaPack<uint8_t> pack = { };
      uint32_t numbers[16];
      Sample samples[16];

      if (first < n_pixels && band->kind != QUANTISE_ZERO)
        {
          read_samples<Sample, 16> (from + b * from_stride + first, n_pixels - first, vectors, samples);
          switch (band->kind)
            {
            case QUANTISE_SMALL:
              if (sizeof (Sample) <= 2)
                {
                  int32_t minimum = band->small_minimum, range = band->small_range;
                  float factor = band->small_factor;
                  uint32_t bias = TWO_TO_23_BITS * (uint32_t) range;

#pragma unroll
                  for (int k = 0; k < 16; k++)
                    numbers[k] = quantise_small (samples[k], minimum, range, factor, bias);
                }
              break;

            case QUANTISE_MIDDLE:
              {
                double minimum = band->minimum, range = band->range, factor = band->factor;

#pragma unroll
                for (int k = 0; k < 16; k++)
                  numbers[k] = quantise_middle (samples[k], minimum, range, factor);
              }
              break;

            case QUANTISE_WIDE:
              {
                int128 minimum = band->wide_minimum, range = band->wide_range;

#pragma unroll
                for (int k = 0; k < 16; k++)
                  numbers[k] = quantise_wide (samples[k], minimum, range);
              }
              break;

            default:
              {
                double minimum = band->minimum, range = band->range, scale = band->scale, factor = band->factor;

#pragma unroll
                for (int k = 0; k < 16; k++)
                  numbers[k] = quantise_float (samples[k], minimum, range, scale, factor);
              }
            }
          pack.vector = make_uint4 (pack_bytes (numbers), pack_bytes (numbers + 4), pack_bytes (numbers + 8),
                                    pack_bytes (numbers + 12));
          /* What lies behind the last pixel stays zero. */
          if (n_pixels - first < 16)
#pragma unroll
            for (int k = 0; k < 16; k++)
              if (first + k >= n_pixels)
                pack.sample[k] = 0;
        }
      *(uint4 *) (to + b * to_stride + first) = pack.vector;
    }
}

int
esk_cuda_quantise (EskStream          *stream,
                   const EskCudaRun   *run,
                   const EskSelection *selection,
                   size_t              first,
                   size_t              n,
                   EskCudaRun         *out)
{
  size_t size = esk_type_size (run->type), stride = esk_cuda_round_up (n, BAND_ROUND), planes_bytes, bytes;
  QuantiseBand *bands;
  const QuantiseBand *table;
  uint8_t *planes;
  const uint8_t *from;
  bool vectors;
  dim3 grid;
  int code;

  if (n == 0 || first > run->n_pixels || n > run->n_pixels - first || selection->minimum == NULL
      || selection->maximum == NULL || selection->n_bands != run->n_bands)
    return ESK_ERROR_ARGUMENT;
  if (__builtin_mul_overflow (stride, run->n_bands, &planes_bytes)
      || __builtin_add_overflow (planes_bytes, run->n_bands * sizeof (QuantiseBand), &bytes))
    return ESK_ERROR_MEMORY;

  /* The table lies behind the planes: what a caller keeps in other scratch stays. */
  planes = (uint8_t *) esk_cuda_scratch (stream, ESK_SCRATCH_QUANTISED, bytes);
  if (planes == NULL)
    return ESK_ERROR_MEMORY;
  table = (const QuantiseBand *) (planes + planes_bytes);
  bands = (QuantiseBand *) malloc (run->n_bands * sizeof (QuantiseBand));
  if (bands == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t b = 0; b < run->n_bands; b++)
    bands[b] = quantise_band (run->type, selection->minimum[b], selection->maximum[b]);
  code = esk_cuda_upload_table (stream, planes + planes_bytes, bands, run->n_bands * sizeof (QuantiseBand));
  free (bands);
  if (code != ESK_OK)
    return code;

  from = (const uint8_t *) run->data + first * size;
  vectors = is_aligned (from) && (run->n_bands == 1 || run->band_stride * size % 16 == 0);
  grid = dim3 ((unsigned) esk_cuda_ceil_div (stride, THREADS * 16),
               (unsigned) (run->n_bands < LARGEST_GRID_Y ? run->n_bands : LARGEST_GRID_Y));
  ESK_CUDA_FOR_TYPE (run->type, Sample,
                     (quantise<Sample><<<grid, THREADS, 0, stream->stream>>>
                      ((const Sample *) from, run->band_stride, n, run->n_bands, vectors, table, planes, stride)))
  code = esk_cuda_launched (stream, "8-bit numbers");
  if (code != ESK_OK)
    return code;

  *out = (EskCudaRun) { planes, ESK_U8, n, run->n_bands, stride, run->valid != NULL ? run->valid + first : NULL };
  return ESK_OK;
}
