/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The rungs of noise residuals, from a sort for every pixel on. */

#include "es-ladder-cpu-noise-private.h"

#ifdef __x86_64__
#include <immintrin.h>
#define VECTORS __attribute__ ((target ("avx2,fma")))
#endif

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define LARGER(a, b) ((a) > (b) ? (a) : (b))

/* Of the rungs all have the same name where people read them. */
#define step noise_median
#define residuals residuals_median

/* lab: noise-median */
/* Of a row: each pixel less the median of the nine, which are put in order one by one. */
static void
residuals (const uint8_t *row,
           size_t         width,
           uint16_t      *columns,
           int16_t       *out)
{
  for (size_t x = 1; x + 1 < width; x++)
    {
      const uint8_t *nine = row - width + x - 1;
      int sorted[9], n = 0;

      for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
          {
            const int value = nine[i * width + j];
            int place = n++;

            for (; place > 0 && sorted[place - 1] > value; place--)
              sorted[place] = sorted[place - 1];
            sorted[place] = value;
          }
      out[x] = (int16_t) (row[x] - sorted[4]);
    }
}

int
step (EskLadder    *ladder,
      NoiseCpuWork *work)
{
  const size_t width = work->of.width, pixels = work->of.pixels;

  for (size_t b = 0; b < work->of.bands; b++)
    {
      for (size_t y = 1; y + 1 < work->of.height; y++)
        {
          const size_t at = b * pixels + y * width;

          residuals (work->of.planes + at, width, work->columns[0], work->of.out + at);
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (b + 1) / (double) work->of.bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#undef step
#undef residuals
#define step noise_mean
#define residuals residuals_mean

/* lab: noise-mean */
/* Of a row: nine times each pixel less the sum of the nine, which needs no order. */
static void
residuals (const uint8_t *row,
           size_t         width,
           uint16_t      *columns,
           int16_t       *out)
{
  for (size_t x = 1; x + 1 < width; x++)
    {
      const uint8_t *nine = row - width + x - 1;
      int sum = 0;

      for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
          sum += nine[i * width + j];
      out[x] = (int16_t) (9 * row[x] - sum);
    }
}

int
step (EskLadder    *ladder,
      NoiseCpuWork *work)
{
  const size_t width = work->of.width, pixels = work->of.pixels;

  for (size_t b = 0; b < work->of.bands; b++)
    {
      for (size_t y = 1; y + 1 < work->of.height; y++)
        {
          const size_t at = b * pixels + y * width;

          residuals (work->of.planes + at, width, work->columns[0], work->of.out + at);
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (b + 1) / (double) work->of.bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#undef step
#undef residuals
#define step noise_columns
#define residuals residuals_columns

/* lab: noise-columns */
/* Of a row: nine times each pixel less the sum of the nine, as the sum of three columns, each of which is added up once
 * for the three pixels that it belongs to. */
static void
residuals (const uint8_t *row,
           size_t         width,
           uint16_t      *columns,
           int16_t       *out)
{
  const uint8_t *above = row - width, *below = row + width;
  size_t x = 0;

  for (; x < width; x++)
    columns[x] = (uint16_t) (above[x] + row[x] + below[x]);
  x = 1;
  for (; x + 1 < width; x++)
    out[x] = (int16_t) (9 * row[x] - (columns[x - 1] + columns[x] + columns[x + 1]));
}

int
step (EskLadder    *ladder,
      NoiseCpuWork *work)
{
  const size_t width = work->of.width, pixels = work->of.pixels;

  for (size_t b = 0; b < work->of.bands; b++)
    {
      for (size_t y = 1; y + 1 < work->of.height; y++)
        {
          const size_t at = b * pixels + y * width;

          residuals (work->of.planes + at, width, work->columns[0], work->of.out + at);
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (b + 1) / (double) work->of.bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#ifdef __x86_64__

#undef step
#undef residuals
#define step noise_vectorised
#define residuals residuals_vectorised

/* lab: noise-vectorised noise-threaded */
/* Sixteen pixels as numbers of 16 bits. */
static VECTORS inline __m256i
wide (const uint8_t *row)
{
  return _mm256_cvtepu8_epi16 (_mm_loadu_si128 ((const __m128i *) row));
}

static VECTORS inline __m256i
sums (const uint16_t *columns)
{
  return _mm256_loadu_si256 ((const __m256i *) columns);
}

/* Of a row: nine times each pixel less the sum of the nine, as the sum of three columns, each of which is added up once
 * for the three pixels that it belongs to; sixteen at a time. */
static VECTORS void
residuals (const uint8_t *row,
           size_t         width,
           uint16_t      *columns,
           int16_t       *out)
{
  const uint8_t *above = row - width, *below = row + width;
  const __m256i nine = _mm256_set1_epi16 (9);
  size_t x = 0;

  for (; x + 16 <= width; x += 16)
    _mm256_storeu_si256 ((__m256i *) (columns + x),
                         _mm256_add_epi16 (_mm256_add_epi16 (wide (above + x), wide (row + x)), wide (below + x)));
  for (; x < width; x++)
    columns[x] = (uint16_t) (above[x] + row[x] + below[x]);
  x = 1;
  for (; x + 16 < width; x += 16)
    {
      const __m256i sum = _mm256_add_epi16 (_mm256_add_epi16 (sums (columns + x - 1), sums (columns + x)),
                                            sums (columns + x + 1));

      _mm256_storeu_si256 ((__m256i *) (out + x), _mm256_sub_epi16 (_mm256_mullo_epi16 (wide (row + x), nine), sum));
    }
  for (; x + 1 < width; x++)
    out[x] = (int16_t) (9 * row[x] - (columns[x - 1] + columns[x] + columns[x + 1]));
}
/* lab end */

/* lab: noise-vectorised */
int
step (EskLadder    *ladder,
      NoiseCpuWork *work)
{
  const size_t width = work->of.width, pixels = work->of.pixels;

  for (size_t b = 0; b < work->of.bands; b++)
    {
      for (size_t y = 1; y + 1 < work->of.height; y++)
        {
          const size_t at = b * pixels + y * width;

          residuals (work->of.planes + at, width, work->columns[0], work->of.out + at);
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (b + 1) / (double) work->of.bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#undef step
#define step noise_threaded

/* lab: noise-threaded */
/* Some rows of a band are an item, which a thread takes. */
static void
some_rows (void    *data,
           size_t   item,
           unsigned worker)
{
  const NoiseCpuWork *work = data;
  const size_t width = work->of.width, pixels = work->of.pixels, inner = work->of.inner_height;
  const size_t pieces = (inner + NOISE_ROWS - 1) / NOISE_ROWS, b = item / pieces, first = item % pieces * NOISE_ROWS;

  for (size_t y = first + 1; y <= first + NOISE_ROWS && y <= inner; y++)
    {
      const size_t at = b * pixels + y * width;

      residuals (work->of.planes + at, width, work->columns[worker], work->of.out + at);
    }
}

int
step (EskLadder    *ladder,
      NoiseCpuWork *work)
{
  const size_t pieces = (work->of.inner_height + NOISE_ROWS - 1) / NOISE_ROWS;

  return ladder_share (ladder, work->of.bands * pieces, some_rows, work);
}
/* lab end */

#endif

/* lab: noise-exchanges noise-median-vectorised */
/* Which of nine are exchanged, where they are not in order, until the fifth is the median (J. L. Smith, Implementing
 * median filters in XC4000E FPGAs, XCell 23, 1996). */
static const int exchanges[19][2] = {
  { 1, 2 }, { 4, 5 }, { 7, 8 }, { 0, 1 }, { 3, 4 }, { 6, 7 }, { 1, 2 }, { 4, 5 }, { 7, 8 }, { 0, 3 },
  { 5, 8 }, { 4, 7 }, { 3, 6 }, { 1, 4 }, { 2, 5 }, { 4, 7 }, { 4, 2 }, { 6, 4 }, { 4, 2 },
};
/* lab end */

#undef step
#undef residuals
#define step noise_exchanges
#define residuals residuals_exchanges

/* lab: noise-exchanges */
/* Of a row: each pixel less the median of the nine, by exchanges that are the same whatever the pixels are: no branch,
 * and all nine in registers. */
static void
residuals (const uint8_t *row,
           size_t         width,
           uint16_t      *columns,
           int16_t       *out)
{
  size_t x = 1;

  for (; x + 1 < width; x++)
    {
      int nine[9];

#pragma GCC unroll 9
      for (int k = 0; k < 9; k++)
        nine[k] = row[x - 1 - width + (size_t) (k / 3) * width + k % 3];
#pragma GCC unroll 19
      for (int k = 0; k < 19; k++)
        {
          const int a = nine[exchanges[k][0]], b = nine[exchanges[k][1]];

          nine[exchanges[k][0]] = SMALLER (a, b);
          nine[exchanges[k][1]] = LARGER (a, b);
        }
      out[x] = (int16_t) (row[x] - nine[4]);
    }
}

int
step (EskLadder    *ladder,
      NoiseCpuWork *work)
{
  const size_t width = work->of.width, pixels = work->of.pixels;

  for (size_t b = 0; b < work->of.bands; b++)
    {
      for (size_t y = 1; y + 1 < work->of.height; y++)
        {
          const size_t at = b * pixels + y * width;

          residuals (work->of.planes + at, width, work->columns[0], work->of.out + at);
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (b + 1) / (double) work->of.bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#ifdef __x86_64__

#undef step
#define step noise_median_vectorised

#undef residuals
#define residuals residuals_median_vectorised

/* lab: noise-median-vectorised */
/* Of a row: each pixel less the median of the nine, by exchanges that are the same whatever the pixels are: no branch,
 * and all nine in registers; thirty-two at a time, the last of a row once more where they are fewer. */
static VECTORS void
residuals (const uint8_t *row,
           size_t         width,
           uint16_t      *columns,
           int16_t       *out)
{
  size_t x = 1;

  for (; x + 1 < width; x += 32)
    {
      __m256i nine[9], at;

      x = x + 33 > width ? width - 33 : x;
#pragma GCC unroll 9
      for (int k = 0; k < 9; k++)
        nine[k] = _mm256_loadu_si256 ((const __m256i *) (row + x - 1 - width + (size_t) (k / 3) * width + k % 3));
      at = nine[4];
#pragma GCC unroll 19
      for (int k = 0; k < 19; k++)
        {
          const __m256i a = nine[exchanges[k][0]], b = nine[exchanges[k][1]];

          nine[exchanges[k][0]] = _mm256_min_epu8 (a, b);
          nine[exchanges[k][1]] = _mm256_max_epu8 (a, b);
        }
      _mm256_storeu_si256 ((__m256i *) (out + x),
                           _mm256_sub_epi16 (_mm256_cvtepu8_epi16 (_mm256_castsi256_si128 (at)),
                                             _mm256_cvtepu8_epi16 (_mm256_castsi256_si128 (nine[4]))));
      _mm256_storeu_si256 ((__m256i *) (out + x + 16),
                           _mm256_sub_epi16 (_mm256_cvtepu8_epi16 (_mm256_extracti128_si256 (at, 1)),
                                             _mm256_cvtepu8_epi16 (_mm256_extracti128_si256 (nine[4], 1))));
    }
}

int
step (EskLadder    *ladder,
      NoiseCpuWork *work)
{
  const size_t width = work->of.width, pixels = work->of.pixels;

  for (size_t b = 0; b < work->of.bands; b++)
    {
      for (size_t y = 1; y + 1 < work->of.height; y++)
        {
          const size_t at = b * pixels + y * width;

          residuals (work->of.planes + at, width, work->columns[0], work->of.out + at);
        }
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (b + 1) / (double) work->of.bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

#else

int
noise_vectorised (EskLadder    *ladder,
                  NoiseCpuWork *work)
{
  return ESK_LADDER_ERROR_REFUSED;
}

int
noise_threaded (EskLadder    *ladder,
                NoiseCpuWork *work)
{
  return ESK_LADDER_ERROR_REFUSED;
}

int
noise_median_vectorised (EskLadder    *ladder,
                         NoiseCpuWork *work)
{
  return ESK_LADDER_ERROR_REFUSED;
}

#endif
