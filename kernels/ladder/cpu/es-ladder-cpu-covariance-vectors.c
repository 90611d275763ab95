/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix by vectors of 16 samples, and by many threads. */

#include "es-ladder-cpu-covariance-private.h"

#include <stdlib.h>
#include <string.h>

#if defined (__x86_64__)

#include <immintrin.h>

#define AVX2 __attribute__ ((target ("avx2,fma")))

/* lab: covariance-vectorised covariance-threaded covariance-compensated */
/* So many pixels of all bands stay in the second-level cache while all entries take their share of them. */
#define PANEL 1024
/* Entries that are summed at a time, in registers: each sample that is loaded counts for two or four of them. */
#define TILE_ROWS 4
#define TILE_COLUMNS 2

/* 16 samples, or as many as are left and zeros behind them. */
AVX2 static inline __m128i
load (const uint8_t *from,
      size_t         left)
{
  uint8_t last[16] = { 0 };

  if (left >= 16)
    return _mm_loadu_si128 ((const __m128i *) (const void *) from);
  memcpy (last, from, left);
  return _mm_loadu_si128 ((const __m128i *) (const void *) last);
}

/* Of 8 numbers. */
AVX2 static inline int64_t
sum_of (__m256i v)
{
  int32_t lanes[8];
  int64_t sum = 0;

  _mm256_storeu_si256 ((__m256i *) (void *) lanes, v);
  for (size_t l = 0; l < 8; l++)
    sum += lanes[l];
  return sum;
}

/* The entries of bands i to i + 3 and j, j + 1, of pixels `first` to first + n. Bands behind the last stand for it, and
 * nothing is kept of them. 16 pixels at a time: samples become 16 bits wide, neighbouring products are added. */
AVX2 static void
tile (EskCovarianceWork *work,
      size_t             first,
      size_t             n,
      size_t             i,
      size_t             j)
{
  const uint8_t *a[TILE_ROWS], *b[TILE_COLUMNS];
  __m256i product[TILE_ROWS][TILE_COLUMNS], y[TILE_COLUMNS];

#pragma GCC unroll 4
  for (size_t r = 0; r < TILE_ROWS; r++)
    a[r] = work->planes + (i + r < work->bands ? i + r : work->bands - 1) * work->pixels + first;
#pragma GCC unroll 2
  for (size_t c = 0; c < TILE_COLUMNS; c++)
    b[c] = work->planes + (j + c < work->bands ? j + c : work->bands - 1) * work->pixels + first;
#pragma GCC unroll 8
  for (size_t k = 0; k < TILE_ROWS * TILE_COLUMNS; k++)
    product[k / TILE_COLUMNS][k % TILE_COLUMNS] = _mm256_setzero_si256 ();
  for (size_t p = 0; p < n; p += 16)
    {
#pragma GCC unroll 2
      for (size_t c = 0; c < TILE_COLUMNS; c++)
        y[c] = _mm256_cvtepu8_epi16 (load (b[c] + p, n - p));
#pragma GCC unroll 4
      for (size_t r = 0; r < TILE_ROWS; r++)
        {
          const __m256i x = _mm256_cvtepu8_epi16 (load (a[r] + p, n - p));

#pragma GCC unroll 2
          for (size_t c = 0; c < TILE_COLUMNS; c++)
            product[r][c] = _mm256_add_epi32 (product[r][c], _mm256_madd_epi16 (x, y[c]));
        }
    }
#pragma GCC unroll 4
  for (size_t r = 0; r < TILE_ROWS; r++)
#pragma GCC unroll 2
    for (size_t c = 0; c < TILE_COLUMNS; c++)
      if (i + r < work->bands && j + c <= i + r)
        work->product[(i + r) * work->bands + j + c] += sum_of (product[r][c]);
}

/* Of some pixels, the sums of bands i to i + 3 and all entries of these rows. */
AVX2 static void
row_of_tiles (EskCovarianceWork *work,
              size_t             first,
              size_t             n,
              size_t             i)
{
  for (size_t r = i; r < i + TILE_ROWS && r < work->bands; r++)
    for (size_t p = 0; p < n; p += 16)
      {
        const __m128i x = load (work->planes + r * work->pixels + first + p, n - p);
        const __m128i sums = _mm_sad_epu8 (x, _mm_setzero_si128 ());

        work->sum[r] += _mm_cvtsi128_si64 (sums) + _mm_extract_epi64 (sums, 1);
      }
  for (size_t j = 0; j < i + TILE_ROWS; j += TILE_COLUMNS)
    tile (work, first, n, i, j);
}
/* lab end */

/* lab: covariance-vectorised */

int
covariance_vectorised (EskLadder         *ladder,
                       EskCovarianceWork *work)
{
  memset (work->product, 0, work->bands * work->bands * sizeof *work->product);
  memset (work->sum, 0, work->bands * sizeof *work->sum);
  for (size_t first = 0; first < work->pixels; first += PANEL)
    {
      const size_t n = work->pixels - first < PANEL ? work->pixels - first : PANEL;

      for (size_t i = 0; i < work->bands; i += TILE_ROWS)
        row_of_tiles (work, first, n, i);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (first + n) / (double) work->pixels));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: covariance-threaded covariance-compensated */

typedef struct {
  EskLadder         *ladder;
  EskCovarianceWork *work;
  size_t             n_strips;
} Strips;
/* lab end */

/* lab: covariance-threaded */

/* What a thread does: some rows side by side, of all panels. Lower rows are longer, and so is the last strip. */
static void
strip (void    *data,
       size_t   at,
       unsigned worker)
{
  const Strips *strips = data;
  EskCovarianceWork *work = strips->work;
  const size_t rows = (work->bands + TILE_ROWS - 1) / TILE_ROWS;
  const size_t begin = rows * at / strips->n_strips, end = rows * (at + 1) / strips->n_strips;

  for (size_t first = 0; first < work->pixels && esk_ladder_cancelled (strips->ladder) == ESK_LADDER_OK;
       first += PANEL)
    {
      const size_t n = work->pixels - first < PANEL ? work->pixels - first : PANEL;

      for (size_t row = begin; row < end; row++)
        row_of_tiles (work, first, n, row * TILE_ROWS);
    }
}

int
covariance_threaded (EskLadder         *ladder,
                     EskCovarianceWork *work)
{
  Strips strips = { ladder, work, ladder_threads (ladder) };

  memset (work->product, 0, work->bands * work->bands * sizeof *work->product);
  memset (work->sum, 0, work->bands * sizeof *work->sum);
  return ladder_share (ladder, strips.n_strips, strip, &strips);
}
/* lab end */

/* lab: covariance-compensated */

/* What a thread does: the triangle is folded, so that the first row lies beside the last, the second beside the last
 * but one: all pairs are as long. Some of them, of all panels. */
static void
strip_folded (void    *data,
              size_t   at,
              unsigned worker)
{
  const Strips *strips = data;
  EskCovarianceWork *work = strips->work;
  const size_t rows = (work->bands + TILE_ROWS - 1) / TILE_ROWS, pairs = (rows + 1) / 2;
  const size_t begin = pairs * at / strips->n_strips, end = pairs * (at + 1) / strips->n_strips;

  for (size_t first = 0; first < work->pixels && esk_ladder_cancelled (strips->ladder) == ESK_LADDER_OK;
       first += PANEL)
    {
      const size_t n = work->pixels - first < PANEL ? work->pixels - first : PANEL;

      for (size_t pair = begin; pair < end; pair++)
        {
          row_of_tiles (work, first, n, pair * TILE_ROWS);
          if (rows - 1 - pair != pair)         /* of an odd number of rows the middle one is alone */
            row_of_tiles (work, first, n, (rows - 1 - pair) * TILE_ROWS);
        }
    }
}

int
covariance_compensated (EskLadder         *ladder,
                        EskCovarianceWork *work)
{
  Strips strips = { ladder, work, ladder_threads (ladder) };

  memset (work->product, 0, work->bands * work->bands * sizeof *work->product);
  memset (work->sum, 0, work->bands * sizeof *work->sum);
  return ladder_share (ladder, strips.n_strips, strip_folded, &strips);
}
/* lab end */

#else

/* ladder_vectors () has refused them. */

int
covariance_vectorised (EskLadder         *ladder,
                       EskCovarianceWork *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

int
covariance_threaded (EskLadder         *ladder,
                     EskCovarianceWork *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

int
covariance_compensated (EskLadder         *ladder,
                        EskCovarianceWork *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

#endif
