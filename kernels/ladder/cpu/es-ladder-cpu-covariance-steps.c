/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The covariance matrix, from three loops an entry on to tiles of entries in registers. */

#include "es-ladder-cpu-covariance-private.h"

#include <stdlib.h>
#include <string.h>

/* lab: covariance-loops */
/* Every entry, one after the other: a loop over the pixels for each of its three sums. */
static void
entry (EskCovarianceWork *work,
       size_t             i,
       size_t             j)
{
  const uint8_t *a = work->planes + i * work->pixels, *b = work->planes + j * work->pixels;
  int64_t sum_a = 0, sum_b = 0, product = 0;

  for (size_t p = 0; p < work->pixels; p++)
    sum_a += a[p];
  for (size_t p = 0; p < work->pixels; p++)
    sum_b += b[p];
  for (size_t p = 0; p < work->pixels; p++)
    product += a[p] * b[p];
  work->sum[i] = sum_a;
  work->sum[j] = sum_b;
  work->product[i * work->bands + j] = product;
}

int
covariance_loops (EskLadder         *ladder,
                  EskCovarianceWork *work)
{
  for (size_t i = 0; i < work->bands; i++)
    {
      for (size_t j = 0; j < work->bands; j++)
        entry (work, i, j);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (i + 1) / (double) work->bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: covariance-fused covariance-triangle */
/* Every entry, one after the other: one loop over the pixels for all three sums. */
static void
entry_fused (EskCovarianceWork *work,
             size_t             i,
             size_t             j)
{
  const uint8_t *a = work->planes + i * work->pixels, *b = work->planes + j * work->pixels;
  int64_t sum_a = 0, sum_b = 0, product = 0;

  for (size_t p = 0; p < work->pixels; p++)
    {
      sum_a += a[p];
      sum_b += b[p];
      product += a[p] * b[p];
    }
  work->sum[i] = sum_a;
  work->sum[j] = sum_b;
  work->product[i * work->bands + j] = product;
}
/* lab end */

/* lab: covariance-fused */
int
covariance_fused (EskLadder         *ladder,
                  EskCovarianceWork *work)
{
  for (size_t i = 0; i < work->bands; i++)
    {
      for (size_t j = 0; j < work->bands; j++)
        entry_fused (work, i, j);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (i + 1) / (double) work->bands));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: covariance-triangle */
/* The matrix is symmetric: entries on and below its diagonal are enough. */
int
covariance_triangle (EskLadder         *ladder,
                     EskCovarianceWork *work)
{
  const double entries = (double) work->bands * ((double) work->bands + 1.0);

  for (size_t i = 0; i < work->bands; i++)
    {
      for (size_t j = 0; j <= i; j++)
        entry_fused (work, i, j);
      ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (i + 1) * (double) (i + 2) / entries));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: covariance-interchanged */
/* Pixels are the outer loop: every sample is read from memory once, and added at once to all entries that it is in. */
static void
pixel (EskCovarianceWork *work,
       size_t             p,
       int32_t           *spectrum)
{
  for (size_t i = 0; i < work->bands; i++)
    {
      spectrum[i] = work->planes[i * work->pixels + p];
      work->sum[i] += spectrum[i];
      for (size_t j = 0; j <= i; j++)
        work->product[i * work->bands + j] += spectrum[i] * spectrum[j];
    }
}

int
covariance_interchanged (EskLadder         *ladder,
                         EskCovarianceWork *work)
{
  int32_t spectrum[ESK_COVARIANCE_MOST_BANDS];

  memset (work->product, 0, work->bands * work->bands * sizeof *work->product);
  memset (work->sum, 0, work->bands * sizeof *work->sum);
  for (size_t p = 0; p < work->pixels; p++)
    {
      pixel (work, p, spectrum);
      if (p % 1024 == 1023)
        ESK_LADDER_TRY (esk_ladder_pause (ladder, (double) (p + 1) / (double) work->pixels));
    }

  return ESK_LADDER_OK;
}
/* lab end */

/* lab: covariance-blocked */
/* So many pixels of all bands stay in the second-level cache while all entries take their share of them. */
#define PANEL 1024
/* Entries that are summed at a time, in registers: each sample that is loaded counts for two or four of them. */
#define TILE_ROWS 4
#define TILE_COLUMNS 2

/* The entries of bands i to i + 3 and j, j + 1, of pixels `first` to first + n. Bands behind the last stand for it, and
 * nothing is kept of them. */
static void
tile (EskCovarianceWork *work,
      size_t             first,
      size_t             n,
      size_t             i,
      size_t             j)
{
  const uint8_t *a[TILE_ROWS], *b[TILE_COLUMNS];
  int32_t product[TILE_ROWS][TILE_COLUMNS] = { 0 };

#pragma GCC unroll 4
  for (size_t r = 0; r < TILE_ROWS; r++)
    a[r] = work->planes + (i + r < work->bands ? i + r : work->bands - 1) * work->pixels + first;
#pragma GCC unroll 2
  for (size_t c = 0; c < TILE_COLUMNS; c++)
    b[c] = work->planes + (j + c < work->bands ? j + c : work->bands - 1) * work->pixels + first;
  for (size_t p = 0; p < n; p++)
#pragma GCC unroll 4
    for (size_t r = 0; r < TILE_ROWS; r++)
#pragma GCC unroll 2
      for (size_t c = 0; c < TILE_COLUMNS; c++)
        product[r][c] += a[r][p] * b[c][p];
#pragma GCC unroll 4
  for (size_t r = 0; r < TILE_ROWS; r++)
#pragma GCC unroll 2
    for (size_t c = 0; c < TILE_COLUMNS; c++)
      if (i + r < work->bands && j + c <= i + r)
        work->product[(i + r) * work->bands + j + c] += product[r][c];
}

/* Of some pixels, the sums of bands i to i + 3 and all entries of these rows. */
static void
row_of_tiles (EskCovarianceWork *work,
              size_t             first,
              size_t             n,
              size_t             i)
{
  for (size_t r = i; r < i + TILE_ROWS && r < work->bands; r++)
    for (size_t p = first; p < first + n; p++)
      work->sum[r] += work->planes[r * work->pixels + p];
  for (size_t j = 0; j < i + TILE_ROWS; j += TILE_COLUMNS)
    tile (work, first, n, i, j);
}

int
covariance_blocked (EskLadder         *ladder,
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
