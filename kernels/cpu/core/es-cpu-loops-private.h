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

#include "es-cpu-loops-bytes-private.h"

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

#include "es-cpu-loops-quantise-private.h"

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

static void
flip_8 (EskType     type,
        const void *samples,
        size_t      n,
        uint8_t    *restrict out,
        int64_t    *total)
{
  const uint8_t *u = samples;
  const int8_t *s = samples;
  int32_t part = 0;

  for (size_t k = 0; k < n; k++)
    out[k] = u[k] ^ 0x80;
  if (type == ESK_U8)
    for (size_t k = 0; k < n; k++)
      part += u[k];
  else
    for (size_t k = 0; k < n; k++)
      part += s[k];
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
  .range_16 = range_16, .offset_16 = offset_16, .widen_8 = widen_8, .flip_8 = flip_8,         \
  .to_float = to_float, .to_double = to_double, .centre = centre
