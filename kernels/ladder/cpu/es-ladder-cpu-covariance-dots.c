/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix by dot products of bytes: AVX-512 with VNNI. */

#include "es-ladder-cpu-covariance-private.h"

#include <string.h>

#if defined (__x86_64__)

#include <immintrin.h>

#define VNNI __attribute__ ((target ("avx512f,avx512bw,avx512vnni")))

/* lab: covariance-dots */
/* So many pixels of all bands stay in the second-level cache while all entries take their share of them. */
#define PANEL 4096
/* Entries that are summed at a time, in registers: each sample that is loaded counts for four of them. */
#define TILE_ROWS 4
#define TILE_COLUMNS 4

/* 64 samples, or as many as are left and zeros behind them. */
VNNI static inline __m512i
load (const uint8_t *from,
      size_t         left)
{
  return left >= 64 ? _mm512_loadu_si512 (from) : _mm512_maskz_loadu_epi8 (((__mmask64) 1 << left) - 1, from);
}

/* The entries of bands i to i + 3 and j to j + 3, of pixels `first` to first + n. Bands behind the last stand for it,
 * and nothing is kept of them. 64 pixels at a time: four neighbouring products of bytes are added at once. One factor
 * has to be signed, and is the sample less 128; 128 times the sum of the other makes up for it. */
VNNI static void
tile (EskCovarianceWork *work,
      const int64_t     *sum,
      size_t             first,
      size_t             n,
      size_t             i,
      size_t             j)
{
  const uint8_t *a[TILE_ROWS], *b[TILE_COLUMNS];
  const __m512i flip = _mm512_set1_epi8 ((char) 0x80);
  __m512i product[TILE_ROWS][TILE_COLUMNS], y[TILE_COLUMNS];

#pragma GCC unroll 4
  for (size_t r = 0; r < TILE_ROWS; r++)
    a[r] = work->planes + (i + r < work->bands ? i + r : work->bands - 1) * work->pixels + first;
#pragma GCC unroll 4
  for (size_t c = 0; c < TILE_COLUMNS; c++)
    b[c] = work->planes + (j + c < work->bands ? j + c : work->bands - 1) * work->pixels + first;
#pragma GCC unroll 16
  for (size_t k = 0; k < TILE_ROWS * TILE_COLUMNS; k++)
    product[k / TILE_COLUMNS][k % TILE_COLUMNS] = _mm512_setzero_si512 ();
  for (size_t p = 0; p < n; p += 64)
    {
#pragma GCC unroll 4
      for (size_t c = 0; c < TILE_COLUMNS; c++)
        y[c] = _mm512_xor_si512 (load (b[c] + p, n - p), flip);
#pragma GCC unroll 4
      for (size_t r = 0; r < TILE_ROWS; r++)
        {
          const __m512i x = load (a[r] + p, n - p);

#pragma GCC unroll 4
          for (size_t c = 0; c < TILE_COLUMNS; c++)
            product[r][c] = _mm512_dpbusd_epi32 (product[r][c], x, y[c]);
        }
    }
#pragma GCC unroll 4
  for (size_t r = 0; r < TILE_ROWS; r++)
#pragma GCC unroll 4
    for (size_t c = 0; c < TILE_COLUMNS; c++)
      if (i + r < work->bands && j + c <= i + r)
        work->product[(i + r) * work->bands + j + c] += _mm512_reduce_add_epi32 (product[r][c]) + 128 * sum[r];
}

/* Of some pixels, the sums of bands i to i + 3 and all entries of these rows. */
VNNI static void
row_of_tiles (EskCovarianceWork *work,
              size_t             first,
              size_t             n,
              size_t             i)
{
  int64_t sum[TILE_ROWS] = { 0 };

  for (size_t r = i; r < i + TILE_ROWS && r < work->bands; r++)
    {
      __m512i sums = _mm512_setzero_si512 ();

      for (size_t p = 0; p < n; p += 64)
        sums = _mm512_add_epi64 (sums, _mm512_sad_epu8 (load (work->planes + r * work->pixels + first + p, n - p),
                                                        _mm512_setzero_si512 ()));
      sum[r - i] = _mm512_reduce_add_epi64 (sums);
      work->sum[r] += sum[r - i];
    }
  for (size_t j = 0; j < i + TILE_ROWS; j += TILE_COLUMNS)
    tile (work, sum, first, n, i, j);
}

typedef struct {
  EskLadder         *ladder;
  EskCovarianceWork *work;
  size_t             n_strips;
} Strips;

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
covariance_dots (EskLadder         *ladder,
                 EskCovarianceWork *work)
{
  Strips strips = { ladder, work, ladder_threads (ladder) };

  memset (work->product, 0, work->bands * work->bands * sizeof *work->product);
  memset (work->sum, 0, work->bands * sizeof *work->sum);
  return ladder_share (ladder, strips.n_strips, strip_folded, &strips);
}
/* lab end */

int
covariance_dots_suit (EskRungResult *result)
{
  return __builtin_cpu_supports ("avx512bw") && __builtin_cpu_supports ("avx512vnni")
         ? ESK_LADDER_OK : esk_ladder_refuse (result, ESK_WHY_FEATURE, 0, 0, "AVX-512 VNNI");
}

#else

int
covariance_dots (EskLadder         *ladder,
                 EskCovarianceWork *work)
{
  return ESK_LADDER_ERROR_ARGUMENT;
}

int
covariance_dots_suit (EskRungResult *result)
{
  return esk_ladder_refuse (result, ESK_WHY_FEATURE, 0, 0, "x86-64");
}

#endif
