/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Part of es-cpu-loops-private.h: samples as bytes. Turned round, gathered, and transposed from BIP to rows. */

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
