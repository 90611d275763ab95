/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Residuals of a row, which the compiler vectorises by itself (hyperspectral.md 2.4). Included by
 * es-cpu-noise-portable.c and, compiled for AVX2, by es-cpu-noise-avx2.c: hence no include guard, and everything
 * static. Both give the same bits.
 */

#include "es-cpu-noise-private.h"

#ifdef __SSE2__
#include <immintrin.h>
#endif

/* Pixels at a time: what lies between two loops stays in the first-level cache. */
#define BLOCK 512
/* The same where few samples are far from each other. */
#define NEAR 128

#define EACH_EXACT(X) X (uint8_t, u8) X (int8_t, i8) X (uint16_t, u16) X (int16_t, i16)
#define EACH_OTHER(X)                                                                         \
  X (uint32_t, u32) X (int32_t, i32) X (uint64_t, u64) X (int64_t, i64) X (float, f32) X (double, f64)

/* --- integers ------------------------------------------------------------------------------------------------- */

static inline int16_t
clamped (int32_t x)
{
  return (int16_t) (x < INT16_MIN ? INT16_MIN : x > INT16_MAX ? INT16_MAX : x);
}

static inline int32_t
low_of (int32_t r)
{
  return (int32_t) (int8_t) (uint8_t) (uint32_t) r;
}

/* The compiler widens before it packs; the processor clamps as it packs. Returns whether any is at an end of the range,
 * as all are that have been clamped. */
static bool
pack_whole (const int32_t *r,
            size_t         n,
            int16_t       *restrict out)
{
  size_t k = 0;
  uint16_t any = 0;

#if defined (__AVX2__)
  for (; k + 16 <= n; k += 16)
    {
      __m256i x = _mm256_loadu_si256 ((const __m256i *) (r + k));
      __m256i y = _mm256_loadu_si256 ((const __m256i *) (r + k + 8));

      _mm256_storeu_si256 ((__m256i *) (out + k), _mm256_permute4x64_epi64 (_mm256_packs_epi32 (x, y), 0xd8));
    }
#elif defined (__SSE2__)
  for (; k + 8 <= n; k += 8)
    {
      __m128i x = _mm_loadu_si128 ((const __m128i *) (r + k)), y = _mm_loadu_si128 ((const __m128i *) (r + k + 4));

      _mm_storeu_si128 ((__m128i *) (out + k), _mm_packs_epi32 (x, y));
    }
#endif
  for (; k < n; k++)
    out[k] = clamped (r[k]);
  for (k = 0; k < n; k++)
    any |= (uint16_t) ((out[k] == INT16_MAX) | (out[k] == INT16_MIN));

  return any != 0;
}

static bool
store_part (EskNoisePart   part,
            const int32_t *r,
            size_t         n,
            int16_t       *restrict out)
{
  switch (part)
    {
    case ESK_NOISE_HIGH:
      for (size_t k = 0; k < n; k++)
        out[k] = (int16_t) ((r[k] - low_of (r[k])) / 256);
      break;
    case ESK_NOISE_LOW:
      for (size_t k = 0; k < n; k++)
        out[k] = (int16_t) low_of (r[k]);
      break;
    case ESK_NOISE_SUM:
      for (size_t k = 0; k < n; k++)
        out[k] = (int16_t) ((r[k] - low_of (r[k])) / 256 + low_of (r[k]));
      break;
    default:
      return pack_whole (r, n, out);
    }

  return false;
}

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define MIDDLE(a, b, c) LARGER (SMALLER (a, b), SMALLER (LARGER (a, b), c))

/*
 * The median of 3 x 3: every column in order, then the middle of the largest of the lowest, the middle of the middle
 * and the smallest of the highest.
 */
#define DEFINE_MEDIAN(type, suffix)                                                           \
  static void                                                                                 \
  median_##suffix (const type *a, const type *h, const type *b, size_t n,                     \
                   type *restrict out)                                                        \
  {                                                                                           \
    type low[BLOCK + 2], middle[BLOCK + 2], high[BLOCK + 2];                                  \
                                                                                              \
    a--, h--, b--;                                                                            \
    for (size_t k = 0; k < n + 2; k++)                                                        \
      {                                                                                       \
        type x = SMALLER (a[k], h[k]), y = LARGER (a[k], h[k]), z = SMALLER (y, b[k]);        \
                                                                                              \
        low[k] = SMALLER (x, b[k]);                                                           \
        middle[k] = LARGER (x, z);                                                            \
        high[k] = LARGER (y, b[k]);                                                           \
      }                                                                                       \
    for (size_t k = 0; k < n; k++)                                                            \
      {                                                                                       \
        type x = LARGER (low[k], low[k + 1]), y = SMALLER (high[k], high[k + 1]);             \
        type z = SMALLER (middle[k], middle[k + 1]), w = LARGER (middle[k], middle[k + 1]);   \
                                                                                              \
        x = LARGER (x, low[k + 2]);                                                           \
        y = SMALLER (y, high[k + 2]);                                                         \
        w = SMALLER (w, middle[k + 2]);                                                       \
        z = LARGER (z, w);                                                                    \
        w = SMALLER (x, y);                                                                   \
        x = LARGER (x, y);                                                                    \
        x = SMALLER (x, z);                                                                   \
        out[k] = LARGER (w, x);                                                               \
      }                                                                                       \
  }
EACH_EXACT (DEFINE_MEDIAN)
EACH_OTHER (DEFINE_MEDIAN)

#define DEFINE_EXACT(type, suffix)                                                            \
  static void                                                                                 \
  mean_##suffix (const type *a, const type *h, const type *b, size_t n, int32_t *restrict r)  \
  {                                                                                           \
    int32_t column[BLOCK + 2];                                                                \
                                                                                              \
    a--, b--;                                                                                 \
    for (size_t k = 0; k < n + 2; k++)                                                        \
      column[k] = (int32_t) a[k] + h[(ptrdiff_t) k - 1] + b[k];                               \
    for (size_t k = 0; k < n; k++)                                                            \
      r[k] = 9 * (int32_t) h[k] - (column[k] + column[k + 1] + column[k + 2]);                \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  difference_##suffix (const type *p, const type *q, size_t n, int32_t *restrict r)           \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      r[k] = (int32_t) p[k] - (int32_t) q[k];                                                 \
  }                                                                                           \
                                                                                              \
  static bool                                                                                 \
  exact_##suffix (EskNoiseKind kind, EskNoisePart part, const type *a, const type *h,         \
                  const type *b, size_t n, int16_t *out)                                      \
  {                                                                                           \
    int32_t r[BLOCK];                                                                         \
    type median[BLOCK];                                                                       \
                                                                                              \
    switch (kind)                                                                             \
      {                                                                                       \
      case ESK_NOISE_MEAN: mean_##suffix (a, h, b, n, r); break;                              \
      case ESK_NOISE_MEDIAN:                                                                  \
        median_##suffix (a, h, b, n, median);                                                 \
        difference_##suffix (h, median, n, r);                                                \
        break;                                                                                \
      case ESK_NOISE_RIGHT: difference_##suffix (h, h + 1, n, r); break;                      \
      case ESK_NOISE_LOWER: difference_##suffix (h, b, n, r); break;                          \
      default: difference_##suffix (h, b + 1, n, r); break;                                   \
      }                                                                                       \
    return store_part (part, r, n, out);                                                      \
  }
EACH_EXACT (DEFINE_EXACT)

/* Residuals of bytes fit 16 bits, whatever the kind, and none comes near the ends of their range. */
#define DEFINE_BYTES(type, suffix)                                                            \
  static void                                                                                 \
  bytes_whole_##suffix (EskNoiseKind kind, const type *a, const type *h, const type *b,       \
                        size_t n, int16_t *restrict out)                                      \
  {                                                                                           \
    int16_t column[BLOCK + 2];                                                                \
    type median[BLOCK];                                                                       \
    const type *other = kind == ESK_NOISE_RIGHT ? h + 1 : kind == ESK_NOISE_LOWER ? b : b + 1; \
                                                                                              \
    if (kind == ESK_NOISE_MEAN)                                                               \
      {                                                                                       \
        a--, b--, h--;                                                                        \
        for (size_t k = 0; k < n + 2; k++)                                                    \
          column[k] = (int16_t) (a[k] + h[k] + b[k]);                                         \
        for (size_t k = 0; k < n; k++)                                                        \
          out[k] = (int16_t) (9 * h[k + 1] - (column[k] + column[k + 1] + column[k + 2]));    \
        return;                                                                               \
      }                                                                                       \
    if (kind == ESK_NOISE_MEDIAN)                                                             \
      {                                                                                       \
        median_##suffix (a, h, b, n, median);                                                 \
        other = median;                                                                       \
      }                                                                                       \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = (int16_t) (h[k] - other[k]);                                                   \
  }
DEFINE_BYTES (uint8_t, u8)
DEFINE_BYTES (int8_t, i8)

/*
 * The mean where all samples of three rows are so near to each other that no residual can be too large: in 16 bits, in
 * which sums wrap around and come back. False: they are not.
 */
#define DEFINE_NEAR(type, suffix)                                                             \
  static bool                                                                                 \
  mean_of_near_##suffix (const type *a, const type *h, const type *b, size_t n,               \
                         int16_t *restrict out)                                               \
  {                                                                                           \
    uint16_t column[NEAR + 2];                                                                \
    type lowest = h[0], highest = h[0];                                                       \
                                                                                              \
    a--, b--, h--;                                                                            \
    for (size_t k = 0; k < n + 2; k++)                                                        \
      {                                                                                       \
        type low = SMALLER (a[k], h[k]), high = LARGER (a[k], h[k]);                          \
                                                                                              \
        low = SMALLER (low, b[k]);                                                            \
        high = LARGER (high, b[k]);                                                           \
        lowest = SMALLER (lowest, low);                                                       \
        highest = LARGER (highest, high);                                                     \
        column[k] = (uint16_t) ((uint16_t) a[k] + (uint16_t) h[k] + (uint16_t) b[k]);         \
      }                                                                                       \
    if (8 * ((int32_t) highest - (int32_t) lowest) > INT16_MAX)                               \
      return false;                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = (int16_t) (uint16_t) (9 * (unsigned) (uint16_t) h[k + 1] - column[k]           \
                                     - column[k + 1] - column[k + 2]);                        \
    return true;                                                                              \
  }                                                                                           \
                                                                                              \
  static bool                                                                                 \
  mean_whole_##suffix (const type *a, const type *h, const type *b, size_t n, int16_t *out)   \
  {                                                                                           \
    bool at_ends = false;                                                                     \
                                                                                              \
    for (size_t k = 0; k < n; k += NEAR)                                                      \
      {                                                                                       \
        size_t length = SMALLER (n - k, NEAR);                                                \
                                                                                              \
        if (!mean_of_near_##suffix (a + k, h + k, b + k, length, out + k))                    \
          at_ends |= exact_##suffix (ESK_NOISE_MEAN, ESK_NOISE_WHOLE, a + k, h + k, b + k,    \
                                     length, out + k);                                        \
      }                                                                                       \
    return at_ends;                                                                           \
  }
DEFINE_NEAR (uint16_t, u16)
DEFINE_NEAR (int16_t, i16)

/*
 * Differences of 16 bits without a way through 32: they wrap around, and where the sign says so the end of the range is
 * put instead. flip: 0x8000 where the samples are unsigned, which makes them signed ones as far from each other. As
 * pack_whole () does.
 */
static bool
difference_whole (const uint16_t *p,
                  const uint16_t *q,
                  uint16_t        flip,
                  size_t          n,
                  int16_t        *restrict out)
{
  uint16_t any = 0;

  for (size_t k = 0; k < n; k++)
    {
      int16_t x = (int16_t) (p[k] ^ flip), y = (int16_t) (q[k] ^ flip);
      int16_t difference = (int16_t) (uint16_t) ((uint16_t) x - (uint16_t) y);
      int16_t wrapped = (int16_t) ((x ^ y) & (x ^ difference));
      int16_t end = (int16_t) ((x >> 15) ^ INT16_MAX);

      out[k] = wrapped < 0 ? end : difference;
    }
  for (size_t k = 0; k < n; k++)
    any |= (uint16_t) ((out[k] == INT16_MAX) | (out[k] == INT16_MIN));

  return any != 0;
}

#if defined (__AVX2__)
#include "es-cpu-noise-bytes-private.h"
#else
static bool
whole_row_of_bytes (EskType           type,
                    EskNoiseKind      kind,
                    const void *const rows[3],
                    size_t            n,
                    int16_t          *out)
{
  return false;
}
#endif

/* --- the rest, in float64 ------------------------------------------------------------------------------------- */

/* Of rows that begin one pixel to the left. */
static void
mean_f64 (const double *a,
          const double *h,
          const double *b,
          size_t        n,
          float        *restrict out)
{
  for (size_t k = 0; k < n; k++)
    {
      double above = (a[k] + a[k + 1]) + a[k + 2], at = (h[k] + h[k + 1]) + h[k + 2];
      double below = (b[k] + b[k + 1]) + b[k + 2];

      out[k] = (float) (h[k + 1] - ((above + at) + below) * (1.0 / 9.0));
    }
}

#define DEFINE_OTHER(type, suffix)                                                            \
  static void                                                                                 \
  widen_##suffix (const type *x, size_t n, double *restrict out)                              \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = (double) x[k];                                                                 \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  difference_##suffix (const type *p, const type *q, size_t n, float *restrict out)           \
  {                                                                                           \
    for (size_t k = 0; k < n; k++)                                                            \
      out[k] = (float) ((double) p[k] - (double) q[k]);                                       \
  }                                                                                           \
                                                                                              \
  static void                                                                                 \
  other_##suffix (EskNoiseKind kind, const type *a, const type *h, const type *b, size_t n,   \
                  float *out)                                                                 \
  {                                                                                           \
    double rows[3][BLOCK + 2];                                                                \
    type median[BLOCK];                                                                       \
                                                                                              \
    switch (kind)                                                                             \
      {                                                                                       \
      case ESK_NOISE_MEAN:                                                                    \
        widen_##suffix (a - 1, n + 2, rows[0]);                                               \
        widen_##suffix (h - 1, n + 2, rows[1]);                                               \
        widen_##suffix (b - 1, n + 2, rows[2]);                                               \
        mean_f64 (rows[0], rows[1], rows[2], n, out);                                         \
        break;                                                                                \
      case ESK_NOISE_MEDIAN:                                                                  \
        median_##suffix (a, h, b, n, median);                                                 \
        difference_##suffix (h, median, n, out);                                              \
        break;                                                                                \
      case ESK_NOISE_RIGHT: difference_##suffix (h, h + 1, n, out); break;                    \
      case ESK_NOISE_LOWER: difference_##suffix (h, b, n, out); break;                        \
      default: difference_##suffix (h, b + 1, n, out); break;                                 \
      }                                                                                       \
  }
EACH_OTHER (DEFINE_OTHER)

static __attribute__ ((noinline)) bool
any_row (EskType           type,
         EskNoiseKind      kind,
         EskNoisePart      part,
         const void *const rows[3],
         size_t            n,
         void             *out)
{
  const size_t size = esk_type_size (type);
  const bool mean_whole = kind == ESK_NOISE_MEAN && part == ESK_NOISE_WHOLE;
  /* What the whole difference of 16 bits is taken from; NULL: another residual. */
  const void *other_whole = NULL;
  bool at_ends = false;

  if (part == ESK_NOISE_WHOLE && size == sizeof (uint16_t))
    other_whole = kind == ESK_NOISE_RIGHT ? (const uint16_t *) rows[1] + 1
                  : kind == ESK_NOISE_LOWER ? (const uint16_t *) rows[2]
                  : kind == ESK_NOISE_LOWER_RIGHT ? (const uint16_t *) rows[2] + 1 : NULL;

  for (size_t start = 0; start < n; start += BLOCK)
    {
      const char *at = (const char *) rows[1] + start * size;
      /* What the kind does not look at may not be there. */
      const char *above = rows[0] != NULL ? (const char *) rows[0] + start * size : at;
      const char *below = rows[2] != NULL ? (const char *) rows[2] + start * size : at;
      size_t length = n - start < BLOCK ? n - start : BLOCK;

#define ROWS(type) (const type *) (const void *) above, (const type *) (const void *) at, \
                   (const type *) (const void *) below
#define BYTES(code, type, suffix) \
      case code: \
        if (part == ESK_NOISE_WHOLE) \
          bytes_whole_##suffix (kind, ROWS (type), length, (int16_t *) out + start); \
        else \
          at_ends |= exact_##suffix (kind, part, ROWS (type), length, (int16_t *) out + start); \
        break;
#define WORDS(code, type, suffix) \
      case code: \
        if (mean_whole) \
          at_ends |= mean_whole_##suffix (ROWS (type), length, (int16_t *) out + start); \
        else if (other_whole != NULL) \
          at_ends |= difference_whole ((const uint16_t *) (const void *) at, (const uint16_t *) other_whole + start, \
                                       code == ESK_U16 ? 0x8000 : 0, length, (int16_t *) out + start); \
        else \
          at_ends |= exact_##suffix (kind, part, ROWS (type), length, (int16_t *) out + start); \
        break;
#define OTHER(code, type, suffix) \
      case code: other_##suffix (kind, ROWS (type), length, (float *) out + start); break;
      switch (type)
        {
        BYTES (ESK_U8, uint8_t, u8)
        BYTES (ESK_I8, int8_t, i8)
        WORDS (ESK_U16, uint16_t, u16)
        WORDS (ESK_I16, int16_t, i16)
        OTHER (ESK_U32, uint32_t, u32)
        OTHER (ESK_I32, int32_t, i32)
        OTHER (ESK_U64, uint64_t, u64)
        OTHER (ESK_I64, int64_t, i64)
        OTHER (ESK_F32, float, f32)
        OTHER (ESK_F64, double, f64)
        default: break;
        }
#undef OTHER
#undef WORDS
#undef BYTES
#undef ROWS
    }

  return at_ends;
}

/* Rows of bytes do without the registers and the room that any others need. */
static inline bool
noise_row (EskType           type,
           EskNoiseKind      kind,
           EskNoisePart      part,
           const void *const rows[3],
           size_t            n,
           void             *out)
{
  if (part == ESK_NOISE_WHOLE && (type == ESK_U8 || type == ESK_I8) && whole_row_of_bytes (type, kind, rows, n, out))
    return false;

  return any_row (type, kind, part, rows, n, out);
}
