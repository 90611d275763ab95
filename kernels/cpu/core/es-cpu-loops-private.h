/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The inner loops that the compiler vectorises by itself. Included by es-cpu-portable.c and, compiled for AVX2, by
 * es-cpu-avx2.c: hence no include guard, and everything static. Every one of them gives the same bits in both: no
 * sum of floats depends on the width of a register, and products and sums are not contracted.
 */

#include "es-cpu-internal.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

__extension__ typedef __int128 int128;

/* Samples of a file lie at any address. */
typedef uint8_t  Element1 __attribute__ ((may_alias));
typedef uint16_t Element2 __attribute__ ((aligned (1), may_alias));
typedef uint32_t Element4 __attribute__ ((aligned (1), may_alias));
typedef uint64_t Element8 __attribute__ ((aligned (1), may_alias));

#define EACH_INTEGER(X)                                                                       \
  X (ESK_U8, uint8_t, u8, 0, UINT8_MAX) X (ESK_I8, int8_t, i8, INT8_MIN, INT8_MAX)            \
  X (ESK_U16, uint16_t, u16, 0, UINT16_MAX) X (ESK_I16, int16_t, i16, INT16_MIN, INT16_MAX)   \
  X (ESK_U32, uint32_t, u32, 0, UINT32_MAX) X (ESK_I32, int32_t, i32, INT32_MIN, INT32_MAX)   \
  X (ESK_U64, uint64_t, u64, 0, UINT64_MAX) X (ESK_I64, int64_t, i64, INT64_MIN, INT64_MAX)

#define EACH_FLOAT(X) X (ESK_F32, float, f32, -FLT_MAX, FLT_MAX) X (ESK_F64, double, f64, -DBL_MAX, DBL_MAX)

#define EACH_TYPE(X) EACH_INTEGER (X) EACH_FLOAT (X)

/* --- bytes ------------------------------------------------------------------------------------------------- */

static void
swap_elements (size_t  element_size,
               void   *samples,
               size_t  n)
{
  if (element_size == 2)
    {
      uint16_t *x = samples;

      for (size_t k = 0; k < n; k++)
        x[k] = __builtin_bswap16 (x[k]);
    }
  else if (element_size == 4)
    {
      uint32_t *x = samples;

      for (size_t k = 0; k < n; k++)
        x[k] = __builtin_bswap32 (x[k]);
    }
  else if (element_size == 8)
    {
      uint64_t *x = samples;

      for (size_t k = 0; k < n; k++)
        x[k] = __builtin_bswap64 (x[k]);
    }
}

#define DEFINE_GATHER(size, native)                                                           \
  static void                                                                                 \
  gather_##size (const Element##size *samples, const ptrdiff_t *offsets, size_t n,            \
                 native *restrict out)                                                        \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = samples[offsets[k]];                                                           \
  }
DEFINE_GATHER (1, uint8_t)
DEFINE_GATHER (2, uint16_t)
DEFINE_GATHER (4, uint32_t)
DEFINE_GATHER (8, uint64_t)

static void
gather_elements (size_t           element_size,
                 const void      *samples,
                 const ptrdiff_t *offsets,
                 size_t           n,
                 void            *out)
{
  switch (element_size)
    {
    case 1: gather_1 (samples, offsets, n, out); break;
    case 2: gather_2 (samples, offsets, n, out); break;
    case 4: gather_4 (samples, offsets, n, out); break;
    case 8: gather_8 (samples, offsets, n, out); break;
    default: break;
    }
}

/* Square blocks, pixels by bands: EDGE_n pixels are read, EDGE_n rows written. */
#ifdef __SSE2__
#define EDGE_1 8
#define EDGE_2 8
#define EDGE_4 4
#define EDGE_8 2

static inline void
transpose_block_1 (const Element1  *samples,
                   const ptrdiff_t *offsets,
                   uint8_t         *out,
                   size_t           stride)
{
  __m128i x[8], y[4], z[4];

  for (int k = 0; k < 8; k++)
    x[k] = _mm_loadl_epi64 ((const __m128i *) (samples + offsets[k]));
  for (int k = 0; k < 4; k++)
    y[k] = _mm_unpacklo_epi8 (x[2 * k], x[2 * k + 1]);
  z[0] = _mm_unpacklo_epi16 (y[0], y[1]);
  z[1] = _mm_unpackhi_epi16 (y[0], y[1]);
  z[2] = _mm_unpacklo_epi16 (y[2], y[3]);
  z[3] = _mm_unpackhi_epi16 (y[2], y[3]);
  for (int h = 0; h < 2; h++)
    {
      __m128i low = _mm_unpacklo_epi32 (z[h], z[h + 2]), high = _mm_unpackhi_epi32 (z[h], z[h + 2]);

      _mm_storel_epi64 ((__m128i *) (out + (4 * h) * stride), low);
      _mm_storel_epi64 ((__m128i *) (out + (4 * h + 1) * stride), _mm_unpackhi_epi64 (low, low));
      _mm_storel_epi64 ((__m128i *) (out + (4 * h + 2) * stride), high);
      _mm_storel_epi64 ((__m128i *) (out + (4 * h + 3) * stride), _mm_unpackhi_epi64 (high, high));
    }
}

static inline void
transpose_block_2 (const Element2  *samples,
                   const ptrdiff_t *offsets,
                   uint16_t        *out,
                   size_t           stride)
{
  __m128i x[8], y[8], z[8];

  for (int k = 0; k < 8; k++)
    x[k] = _mm_loadu_si128 ((const __m128i *) (samples + offsets[k]));
  for (int k = 0; k < 4; k++)
    {
      y[k] = _mm_unpacklo_epi16 (x[2 * k], x[2 * k + 1]);
      y[k + 4] = _mm_unpackhi_epi16 (x[2 * k], x[2 * k + 1]);
    }
  for (int h = 0; h < 8; h += 4)
    {
      z[h] = _mm_unpacklo_epi32 (y[h], y[h + 1]);
      z[h + 1] = _mm_unpackhi_epi32 (y[h], y[h + 1]);
      z[h + 2] = _mm_unpacklo_epi32 (y[h + 2], y[h + 3]);
      z[h + 3] = _mm_unpackhi_epi32 (y[h + 2], y[h + 3]);
      for (int k = 0; k < 2; k++)
        {
          _mm_storeu_si128 ((__m128i *) (out + (h + 2 * k) * stride),
                            _mm_unpacklo_epi64 (z[h + k], z[h + k + 2]));
          _mm_storeu_si128 ((__m128i *) (out + (h + 2 * k + 1) * stride),
                            _mm_unpackhi_epi64 (z[h + k], z[h + k + 2]));
        }
    }
}

static inline void
transpose_block_4 (const Element4  *samples,
                   const ptrdiff_t *offsets,
                   uint32_t        *out,
                   size_t           stride)
{
  __m128i x[4], y[4];

  for (int k = 0; k < 4; k++)
    x[k] = _mm_loadu_si128 ((const __m128i *) (samples + offsets[k]));
  y[0] = _mm_unpacklo_epi32 (x[0], x[1]);
  y[1] = _mm_unpackhi_epi32 (x[0], x[1]);
  y[2] = _mm_unpacklo_epi32 (x[2], x[3]);
  y[3] = _mm_unpackhi_epi32 (x[2], x[3]);
  for (int k = 0; k < 2; k++)
    {
      _mm_storeu_si128 ((__m128i *) (out + (2 * k) * stride), _mm_unpacklo_epi64 (y[k], y[k + 2]));
      _mm_storeu_si128 ((__m128i *) (out + (2 * k + 1) * stride), _mm_unpackhi_epi64 (y[k], y[k + 2]));
    }
}

static inline void
transpose_block_8 (const Element8  *samples,
                   const ptrdiff_t *offsets,
                   uint64_t        *out,
                   size_t           stride)
{
  __m128i x = _mm_loadu_si128 ((const __m128i *) (samples + offsets[0]));
  __m128i y = _mm_loadu_si128 ((const __m128i *) (samples + offsets[1]));

  _mm_storeu_si128 ((__m128i *) out, _mm_unpacklo_epi64 (x, y));
  _mm_storeu_si128 ((__m128i *) (out + stride), _mm_unpackhi_epi64 (x, y));
}
#else
#define EDGE_1 4
#define EDGE_2 4
#define EDGE_4 4
#define EDGE_8 4
#define DEFINE_TRANSPOSE_BLOCK(size, native)                                                  \
  static inline void                                                                          \
  transpose_block_##size (const Element##size *samples, const ptrdiff_t *offsets,             \
                          native *out, size_t stride)                                         \
  {                                                                                           \
    for (size_t b = 0; b < EDGE_##size; b++)                                                  \
      for (size_t k = 0; k < EDGE_##size; k++)                                                \
        out[b * stride + k] = samples[offsets[k] + (ptrdiff_t) b];                            \
  }
DEFINE_TRANSPOSE_BLOCK (1, uint8_t)
DEFINE_TRANSPOSE_BLOCK (2, uint16_t)
DEFINE_TRANSPOSE_BLOCK (4, uint32_t)
DEFINE_TRANSPOSE_BLOCK (8, uint64_t)
#endif

/* Blocks at the end overlap the ones before them, so that no block is ever cut. */
#define DEFINE_TRANSPOSE(size, native)                                                        \
  static void                                                                                 \
  transpose_##size (const Element##size *samples, const ptrdiff_t *offsets, size_t n,         \
                    size_t n_bands, native *out, size_t stride)                               \
  {                                                                                           \
    const size_t edge = EDGE_##size;                                                          \
                                                                                              \
    if (n < edge || n_bands < edge)                                                           \
      {                                                                                       \
        for (size_t b = 0; b < n_bands; b++)                                                  \
          gather_##size (samples + b, offsets, n, out + b * stride);                          \
        return;                                                                               \
      }                                                                                       \
    for (size_t k = 0; k < n; k += edge)                                                      \
      {                                                                                       \
        size_t pixel = k + edge <= n ? k : n - edge;                                          \
                                                                                              \
        for (size_t b = 0; b < n_bands; b += edge)                                            \
          {                                                                                   \
            size_t band = b + edge <= n_bands ? b : n_bands - edge;                           \
                                                                                              \
            transpose_block_##size (samples + band, offsets + pixel,                          \
                                    out + band * stride + pixel, stride);                     \
          }                                                                                   \
      }                                                                                       \
  }
DEFINE_TRANSPOSE (1, uint8_t)
DEFINE_TRANSPOSE (2, uint16_t)
DEFINE_TRANSPOSE (4, uint32_t)
DEFINE_TRANSPOSE (8, uint64_t)

static void
transpose_elements (size_t           element_size,
                    const void      *samples,
                    const ptrdiff_t *offsets,
                    size_t           n,
                    size_t           n_bands,
                    void            *out,
                    size_t           stride)
{
  switch (element_size)
    {
    case 1: transpose_1 (samples, offsets, n, n_bands, out, stride); break;
    case 2: transpose_2 (samples, offsets, n, n_bands, out, stride); break;
    case 4: transpose_4 (samples, offsets, n, n_bands, out, stride); break;
    case 8: transpose_8 (samples, offsets, n, n_bands, out, stride); break;
    default: break;
    }
}

/* --- missing samples ------------------------------------------------------------------------------------------ */

/* A no-data value that is no whole number, or outside the type, marks nothing. UINT64_MAX rounds up to 2^64. */
#define DEFINE_FIND_MISSING_INTEGER(code, type, suffix, lowest, highest)                      \
  static void                                                                                 \
  find_missing_##suffix (const type *x, size_t n, double no_data, uint8_t *restrict bad)      \
  {                                                                                           \
    type missing;                                                                             \
                                                                                              \
    if (!(no_data >= (double) (lowest) && no_data < (double) (highest) + 1.0)                 \
        || no_data != trunc (no_data))                                                        \
      return;                                                                                 \
    missing = (type) no_data;                                                                 \
    for (size_t k = 0; k < n; k++)                                                            \
      bad[k] |= x[k] == missing;                                                              \
  }
EACH_INTEGER (DEFINE_FIND_MISSING_INTEGER)

#define DEFINE_FIND_MISSING_FLOAT(code, type, suffix, lowest, highest)                        \
  static void                                                                                 \
  find_missing_##suffix (const type *x, size_t n, double no_data, uint8_t *restrict bad)      \
  {                                                                                           \
    /* As written by a program that kept it in the file's own type. NAN equals nothing. */    \
    type missing = (type) no_data;                                                            \
                                                                                              \
    for (size_t k = 0; k < n; k++)                                                            \
      bad[k] |= !(fabs (x[k]) <= (highest)) | (x[k] == missing);                              \
  }
EACH_FLOAT (DEFINE_FIND_MISSING_FLOAT)

static void
find_missing (EskType     type,
              const void *samples,
              size_t      n,
              double      no_data,
              uint8_t    *bad)
{
  switch (type)
    {
#define CASE(code, native, suffix, lowest, highest) \
    case code: find_missing_##suffix (samples, n, no_data, bad); break;
    EACH_TYPE (CASE)
#undef CASE
    default: break;
    }
}

/* --- ranges and sums ------------------------------------------------------------------------------------------ */

#define DEFINE_RANGE(code, type, suffix, lowest, highest)                                     \
  static void                                                                                 \
  range_##suffix (const type *x, size_t n, double *minimum, double *maximum)                  \
  {                                                                                           \
    type low[8], high[8];                                                                     \
    size_t k = 0;                                                                             \
                                                                                              \
    for (int l = 0; l < 8; l++)                                                               \
      {                                                                                       \
        low[l] = (type) (highest);                                                            \
        high[l] = (type) (lowest);                                                            \
      }                                                                                       \
    for (; k + 8 <= n; k += 8)                                                                \
      for (int l = 0; l < 8; l++)                                                             \
        {                                                                                     \
          low[l] = x[k + l] < low[l] ? x[k + l] : low[l];                                     \
          high[l] = x[k + l] > high[l] ? x[k + l] : high[l];                                  \
        }                                                                                     \
    for (; k < n; k++)                                                                        \
      {                                                                                       \
        low[0] = x[k] < low[0] ? x[k] : low[0];                                               \
        high[0] = x[k] > high[0] ? x[k] : high[0];                                            \
      }                                                                                       \
    for (int l = 0; l < 8; l++)                                                               \
      {                                                                                       \
        *minimum = (double) low[l] < *minimum ? (double) low[l] : *minimum;                   \
        *maximum = (double) high[l] > *maximum ? (double) high[l] : *maximum;                 \
      }                                                                                       \
  }
EACH_TYPE (DEFINE_RANGE)

static void
range (EskType     type,
       const void *samples,
       size_t      n,
       double     *minimum,
       double     *maximum)
{
  if (n == 0)
    return;
  switch (type)
    {
#define CASE(code, native, suffix, lowest, highest) \
    case code: range_##suffix (samples, n, minimum, maximum); break;
    EACH_TYPE (CASE)
#undef CASE
    default: break;
    }
}

#define DEFINE_SUM_INTEGER(code, type, suffix, lowest, highest)                               \
  static double                                                                               \
  sum_##suffix (const type *x, size_t n)                                                      \
  {                                                                                           \
    int64_t total = 0;                                                                        \
                                                                                              \
    for (size_t k = 0; k < n; k++)                                                            \
      total += x[k];                                                                          \
    return (double) total;                                                                    \
  }
DEFINE_SUM_INTEGER (ESK_U8, uint8_t, u8, 0, 0)
DEFINE_SUM_INTEGER (ESK_I8, int8_t, i8, 0, 0)
DEFINE_SUM_INTEGER (ESK_U16, uint16_t, u16, 0, 0)
DEFINE_SUM_INTEGER (ESK_I16, int16_t, i16, 0, 0)
DEFINE_SUM_INTEGER (ESK_U32, uint32_t, u32, 0, 0)
DEFINE_SUM_INTEGER (ESK_I32, int32_t, i32, 0, 0)

/* Eight totals, so that the order of the additions is the same on every processor. */
#define DEFINE_SUM_FLOAT(code, type, suffix, lowest, highest)                                 \
  static double                                                                               \
  sum_##suffix (const type *x, size_t n)                                                      \
  {                                                                                           \
    double total[8] = { 0.0 };                                                                \
    size_t k = 0;                                                                             \
                                                                                              \
    for (; k + 8 <= n; k += 8)                                                                \
      for (int l = 0; l < 8; l++)                                                             \
        total[l] += (double) x[k + l];                                                        \
    for (; k < n; k++)                                                                        \
      total[0] += (double) x[k];                                                              \
    return ((total[0] + total[4]) + (total[2] + total[6]))                                    \
           + ((total[1] + total[5]) + (total[3] + total[7]));                                 \
  }
DEFINE_SUM_FLOAT (ESK_U64, uint64_t, u64, 0, 0)
DEFINE_SUM_FLOAT (ESK_I64, int64_t, i64, 0, 0)
DEFINE_SUM_FLOAT (ESK_F32, float, f32, 0, 0)
DEFINE_SUM_FLOAT (ESK_F64, double, f64, 0, 0)

static double
sum (EskType     type,
     const void *samples,
     size_t      n)
{
  switch (type)
    {
#define CASE(code, native, suffix, lowest, highest) \
    case code: return sum_##suffix (samples, n);
    EACH_TYPE (CASE)
#undef CASE
    default: return 0.0;
    }
}

/* --- quantising ----------------------------------------------------------------------------------------------- */

/*
 * 8- and 16-bit samples and a whole-numbered range of at most 65535: the numerator is below 2^24, exact in float32,
 * and the quotient is below 256 with at least 1/65535 to the next whole number above it, twice its rounding error.
 * So one float32 division truncates to the exact result.
 */
#define DEFINE_QUANTISE_SMALL(type, suffix)                                                   \
  static void                                                                                 \
  quantise_small_##suffix (const type *x, size_t n, int32_t minimum, int32_t range,           \
                           uint8_t *restrict out)                                             \
  {                                                                                           \
    float divisor = (float) range;                                                            \
                                                                                              \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        int32_t t = (int32_t) x[k] - minimum;                                                 \
                                                                                              \
        t = t < 0 ? 0 : t;                                                                    \
        t = t > range ? range : t;                                                            \
        out[k] = (uint8_t) (int32_t) ((float) (t * 255) / divisor);                           \
      }                                                                                       \
  }
DEFINE_QUANTISE_SMALL (uint8_t, u8)
DEFINE_QUANTISE_SMALL (int8_t, i8)
DEFINE_QUANTISE_SMALL (uint16_t, u16)
DEFINE_QUANTISE_SMALL (int16_t, i16)

/* The same argument in float64: whole-numbered minimum and maximum below 2^40, samples of at most 32 bits. */
#define DEFINE_QUANTISE_MIDDLE(type, suffix)                                                  \
  static void                                                                                 \
  quantise_middle_##suffix (const type *x, size_t n, double minimum, double range,            \
                            uint8_t *restrict out)                                            \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        double t = (double) x[k] - minimum;                                                   \
                                                                                              \
        t = t > 0.0 ? t : 0.0;                                                                \
        t = t < range ? t : range;                                                            \
        out[k] = (uint8_t) (int32_t) (t * 255.0 / range);                                     \
      }                                                                                       \
  }
DEFINE_QUANTISE_MIDDLE (uint8_t, u8)
DEFINE_QUANTISE_MIDDLE (int8_t, i8)
DEFINE_QUANTISE_MIDDLE (uint16_t, u16)
DEFINE_QUANTISE_MIDDLE (int16_t, i16)
DEFINE_QUANTISE_MIDDLE (uint32_t, u32)
DEFINE_QUANTISE_MIDDLE (int32_t, i32)

/* Any integers, and whole-numbered minimum and maximum below 2^100. */
#define DEFINE_QUANTISE_WIDE(code, type, suffix, lowest, highest)                             \
  static void                                                                                 \
  quantise_wide_##suffix (const type *x, size_t n, int128 minimum, int128 range,              \
                          uint8_t *restrict out)                                              \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        int128 t = (int128) x[k] - minimum;                                                   \
                                                                                              \
        t = t < 0 ? 0 : t > range ? range : t;                                                \
        out[k] = (uint8_t) (t * 255 / range);                                                 \
      }                                                                                       \
  }
EACH_INTEGER (DEFINE_QUANTISE_WIDE)

#define DEFINE_QUANTISE_FLOAT(code, type, suffix, lowest, highest)                            \
  static void                                                                                 \
  quantise_float_##suffix (const type *x, size_t n, double minimum, double range,             \
                           double scale, uint8_t *restrict out)                               \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        double t = ((double) x[k] * scale - minimum) * 255.0 / range;                         \
                                                                                              \
        t = t > 0.0 ? t : 0.0;                                                                \
        t = t < 255.0 ? t : 255.0;                                                            \
        out[k] = (uint8_t) (int32_t) t;                                                       \
      }                                                                                       \
  }
EACH_TYPE (DEFINE_QUANTISE_FLOAT)

static void
quantise_float (EskType     type,
                const void *samples,
                size_t      n,
                double      minimum,
                double      maximum,
                uint8_t    *out)
{
  double scale = 1.0;

  /* A power of two keeps what cannot be multiplied by 255 in the range of a double, and changes no other bit. */
  if (fabs (minimum) > DBL_MAX / 1024 || fabs (maximum) > DBL_MAX / 1024)
    scale = 1.0 / 1024;
  minimum *= scale;
  maximum *= scale;

  switch (type)
    {
#define CASE(code, native, suffix, lowest, highest) \
    case code: quantise_float_##suffix (samples, n, minimum, maximum - minimum, scale, out); break;
    EACH_TYPE (CASE)
#undef CASE
    default: break;
    }
}

static void
quantise (EskType     type,
          const void *samples,
          size_t      n,
          double      minimum,
          double      maximum,
          uint8_t    *out)
{
  const double middle = 0x1p40, wide = 0x1p100;
  double magnitude = fmax (fabs (minimum), fabs (maximum));
  bool whole = minimum == trunc (minimum) && maximum == trunc (maximum);

  if (!(maximum > minimum))
    {
      memset (out, 0, n);
      return;
    }

  if (whole && magnitude <= 65536.0 && maximum - minimum <= 65535.0)
    {
      int32_t low = (int32_t) minimum, distance = (int32_t) (maximum - minimum);

      switch (type)
        {
        case ESK_U8: quantise_small_u8 (samples, n, low, distance, out); return;
        case ESK_I8: quantise_small_i8 (samples, n, low, distance, out); return;
        case ESK_U16: quantise_small_u16 (samples, n, low, distance, out); return;
        case ESK_I16: quantise_small_i16 (samples, n, low, distance, out); return;
        default: break;
        }
    }
  if (whole && magnitude < middle)
    {
      double distance = maximum - minimum;

      switch (type)
        {
        case ESK_U8: quantise_middle_u8 (samples, n, minimum, distance, out); return;
        case ESK_I8: quantise_middle_i8 (samples, n, minimum, distance, out); return;
        case ESK_U16: quantise_middle_u16 (samples, n, minimum, distance, out); return;
        case ESK_I16: quantise_middle_i16 (samples, n, minimum, distance, out); return;
        case ESK_U32: quantise_middle_u32 (samples, n, minimum, distance, out); return;
        case ESK_I32: quantise_middle_i32 (samples, n, minimum, distance, out); return;
        default: break;
        }
    }
  if (whole && magnitude < wide)
    switch (type)
      {
#define CASE(code, native, suffix, lowest, highest) \
      case code: \
        quantise_wide_##suffix (samples, n, (int128) minimum, (int128) maximum - (int128) minimum, out); \
        return;
      EACH_INTEGER (CASE)
#undef CASE
      default: break;
      }

  quantise_float (type, samples, n, minimum, maximum, out);
}

/* --- 8 and 16 bits -------------------------------------------------------------------------------------------- */

#define DEFINE_RANGE_16(type, suffix)                                                         \
  static void                                                                                 \
  range_16_##suffix (const type *x, size_t n, int32_t *minimum, int32_t *maximum,             \
                     int64_t *total)                                                          \
  {                                                                                           \
    type low = x[0], high = x[0];                                                             \
    int32_t part = 0;                                                                         \
    size_t k;                                                                                 \
                                                                                              \
    *total = 0;                                                                               \
    for (k = 0; k < n; k++)                                                                   \
      {                                                                                       \
        low = x[k] < low ? x[k] : low;                                                        \
        high = x[k] > high ? x[k] : high;                                                     \
      }                                                                                       \
    /* 2^15 samples of 16 bits fit an int32. */                                               \
    for (size_t start = 0; start < n; start += 32768)                                         \
      {                                                                                       \
        size_t end = n - start < 32768 ? n : start + 32768;                                   \
                                                                                              \
        for (k = start, part = 0; k < end; k++)                                               \
          part += x[k];                                                                       \
        *total += part;                                                                       \
      }                                                                                       \
    *minimum = low;                                                                           \
    *maximum = high;                                                                          \
  }
DEFINE_RANGE_16 (uint16_t, u16)
DEFINE_RANGE_16 (int16_t, i16)

static void
range_16 (EskType     type,
          const void *samples,
          size_t      n,
          int32_t    *minimum,
          int32_t    *maximum,
          int64_t    *total)
{
  if (type == ESK_U16)
    range_16_u16 (samples, n, minimum, maximum, total);
  else
    range_16_i16 (samples, n, minimum, maximum, total);
}

static void
offset_16 (const void *samples,
           size_t      n,
           int32_t     offset,
           int16_t    *out)
{
  const uint16_t *x = samples;
  uint16_t *y = (uint16_t *) out;

  for (size_t k = 0; k < n; k++)
    y[k] = (uint16_t) (x[k] - (uint16_t) offset);
}

static void
widen_8 (EskType     type,
         const void *samples,
         size_t      n,
         int16_t    *restrict out,
         int64_t    *total)
{
  const uint8_t *u = samples;
  const int8_t *s = samples;
  int32_t part = 0;

  if (type == ESK_U8)
    for (size_t k = 0; k < n; k++)
      out[k] = u[k];
  else
    for (size_t k = 0; k < n; k++)
      out[k] = s[k];
  for (size_t k = 0; k < n; k++)
    part += out[k];
  *total = part;
}

/* --- floats --------------------------------------------------------------------------------------------------- */

#define DEFINE_TO_FLOAT(code, type, suffix, lowest, highest)                                  \
  static void                                                                                 \
  to_float_##suffix (const type *x, size_t n, double shift, float *restrict out)              \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = (float) ((double) x[k] - shift);                                               \
  }
EACH_TYPE (DEFINE_TO_FLOAT)

static void
to_float (EskType     type,
          const void *samples,
          size_t      n,
          double      shift,
          float      *out,
          double     *total)
{
  switch (type)
    {
#define CASE(code, native, suffix, lowest, highest) \
    case code: to_float_##suffix (samples, n, shift, out); break;
    EACH_TYPE (CASE)
#undef CASE
    default: break;
    }
  if (total != NULL)
    *total = sum_f32 (out, n);
}

#define DEFINE_TO_DOUBLE(code, type, suffix, lowest, highest)                                 \
  static void                                                                                 \
  to_double_##suffix (const type *x, size_t n, double shift, double *restrict out)            \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = (double) x[k] - shift;                                                         \
  }
EACH_TYPE (DEFINE_TO_DOUBLE)

static void
to_double (EskType     type,
           const void *samples,
           size_t      n,
           double      shift,
           double     *out,
           double     *total)
{
  switch (type)
    {
#define CASE(code, native, suffix, lowest, highest) \
    case code: to_double_##suffix (samples, n, shift, out); break;
    EACH_TYPE (CASE)
#undef CASE
    default: break;
    }
  if (total != NULL)
    *total = sum_f64 (out, n);
}

#define DEFINE_CENTRE(type, suffix)                                                           \
  static void                                                                                 \
  centre_##suffix (const type *x, size_t n, float shift, float *restrict out)                 \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = (float) x[k] - shift;                                                          \
  }
DEFINE_CENTRE (uint8_t, u8)
DEFINE_CENTRE (int8_t, i8)
DEFINE_CENTRE (uint16_t, u16)
DEFINE_CENTRE (int16_t, i16)
DEFINE_CENTRE (float, f32)

static void
centre (EskType     type,
        const void *samples,
        size_t      n,
        float       shift,
        float      *out)
{
  switch (type)
    {
    case ESK_U8: centre_u8 (samples, n, shift, out); break;
    case ESK_I8: centre_i8 (samples, n, shift, out); break;
    case ESK_U16: centre_u16 (samples, n, shift, out); break;
    case ESK_I16: centre_i16 (samples, n, shift, out); break;
    case ESK_F32: centre_f32 (samples, n, shift, out); break;
    default: break;
    }
}

#define ESK_COMMON_LOOPS                                                                      \
  .swap = swap_elements, .gather = gather_elements, .transpose = transpose_elements,          \
  .find_missing = find_missing, .range = range, .sum = sum, .quantise = quantise,             \
  .range_16 = range_16, .offset_16 = offset_16, .widen_8 = widen_8,                           \
  .to_float = to_float, .to_double = to_double, .centre = centre
