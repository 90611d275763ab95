/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-covariance-internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1

/* Pixels at a time: what is kept of them stays in the first-level cache. */
#define STRETCH 1024

/* A pixel is like its neighbours in the spectrum, as those of scenes are: its brightness, some noise (of a hash, which
 * is enough for eight), and what the band adds. */
int
esk_covariance_samples (EskLadder *ladder,
                        uint8_t   *planes,
                        size_t     pixels,
                        size_t     bands)
{
  uint8_t brightness[STRETCH];

  for (size_t first = 0; first < pixels; first += STRETCH)
    {
      const size_t n = pixels - first < STRETCH ? pixels - first : STRETCH;

      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      for (size_t p = 0; p < n; p++)
        brightness[p] = (uint8_t) (esk_ladder_hash (SEED, first + p) >> 57);
      for (size_t b = 0; b < bands; b++)
        for (size_t p = 0; p < n; p += 8)
          {
            const uint64_t noise = esk_ladder_hash (SEED + 1, b * pixels + first + p);

            for (size_t k = p; k < p + 8 && k < n; k++)
              planes[b * pixels + first + k] = (uint8_t) (brightness[k] + (noise >> 8 * (k - p)) % 64 + b % 64);
          }
    }

  return ESK_LADDER_OK;
}

/* ---- what is right ---- */

static int64_t
product_of (const EskCovarianceWork *work,
            size_t                   i,
            size_t                   j)
{
  const uint8_t *a = work->planes + i * work->pixels, *b = work->planes + j * work->pixels;
  int64_t product = 0;

  for (size_t p = 0; p < work->pixels; p++)
    product += a[p] * b[p];
  return product;
}

/* Of all pixels, the square of the sum over the bands; and the sums of bands. */
static int
sum_up (EskLadder         *ladder,
        EskCovarianceWork *work)
{
  int64_t *sum = work->right_sum, total = 0, whole[STRETCH];

  for (size_t first = 0; first < work->pixels; first += STRETCH)
    {
      const size_t n = work->pixels - first < STRETCH ? work->pixels - first : STRETCH;

      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      memset (whole, 0, sizeof whole);
      for (size_t b = 0; b < work->bands; b++)
        for (size_t p = 0; p < n; p++)
          {
            whole[p] += work->planes[b * work->pixels + first + p];
            sum[b] += work->planes[b * work->pixels + first + p];
          }
      for (size_t p = 0; p < n; p++)
        total += whole[p] * whole[p];
    }
  work->right_squares = total;

  return ESK_LADDER_OK;
}

static int
expect (EskLadder         *ladder,
        EskCovarianceWork *work)
{
  for (size_t k = 0; k < ESK_COVARIANCE_CHECKED; k++)
    {
      work->row[k] = k == 0 ? work->bands - 1 : esk_ladder_hash (SEED + 2, k) % work->bands;
      work->column[k] = k == 0 ? 0 : esk_ladder_hash (SEED + 3, k) % (work->row[k] + 1);
      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      work->right_product[k] = product_of (work, work->row[k], work->column[k]);
    }

  return sum_up (ladder, work);
}

int
esk_covariance_work_init (EskLadder           *ladder,
                          EskCovarianceWork   *work,
                          const EskLadderSize *size)
{
  int code;

  memset (work, 0, sizeof *work);
  work->width = size->width;
  work->height = size->height;
  work->pixels = work->width * work->height;
  work->bands = size->bands;
  if (work->pixels == 0 || work->bands == 0 || work->bands > ESK_COVARIANCE_MOST_BANDS || work->pixels > UINT32_MAX)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "1 to 4096 bands of 1 to 4294967295 pixels were "
                            "expected");
  ESK_LADDER_TRY (esk_ladder_room ((double) work->pixels * (double) work->bands));
  work->planes = malloc (work->pixels * work->bands);
  work->product = calloc (work->bands * work->bands, sizeof *work->product);
  work->sum = calloc (work->bands, sizeof *work->sum);
  work->right_sum = calloc (work->bands, sizeof *work->right_sum);
  if (work->planes == NULL || work->product == NULL || work->sum == NULL || work->right_sum == NULL)
    {
      esk_covariance_work_clear (work);
      return ESK_LADDER_ERROR_MEMORY;
    }
  code = esk_covariance_samples (ladder, work->planes, work->pixels, work->bands);
  if (code == ESK_LADDER_OK)
    code = expect (ladder, work);
  if (code != ESK_LADDER_OK)
    esk_covariance_work_clear (work);

  return code;
}

void
esk_covariance_work_clear (EskCovarianceWork *work)
{
  free (work->planes);
  free (work->product);
  free (work->sum);
  free (work->right_sum);
  memset (work, 0, sizeof *work);
}

void
esk_covariance_least (const EskLadderSize *size,
                      double              *bytes,
                      double              *operations)
{
  const double pixels = (double) size->width * size->height, bands = size->bands;

  *bytes = pixels * bands + 8.0 * bands * (bands + 1.0) / 2.0;
  *operations = 2.0 * pixels * bands * (bands + 1.0) / 2.0;
}

/* ---- what came out ---- */

static double
difference (int64_t right,
            int64_t found)
{
  return fabs ((double) (right - found)) / (double) (right > 0 ? right : 1);
}

void
esk_covariance_check (const EskCovarianceWork *work,
                      EskRungResult           *result)
{
  int64_t squares = 0;
  double error;

  for (size_t i = 0; i < work->bands; i++)
    for (size_t j = 0; j <= i; j++)
      squares += (i == j ? 1 : 2) * work->product[i * work->bands + j];
  error = difference (work->right_squares, squares);
  for (size_t k = 0; k < ESK_COVARIANCE_CHECKED; k++)
    error = fmax (error, difference (work->right_product[k],
                                     work->product[work->row[k] * work->bands + work->column[k]]));
  for (size_t b = 0; b < work->bands; b++)
    error = fmax (error, difference (work->right_sum[b], work->sum[b]));
  result->error = error;
  result->tolerance = 0.0;
}

int64_t
esk_covariance_output (const EskCovarianceWork *work,
                       double                  *values,
                       size_t                   n)
{
  const size_t whole = work->bands * (work->bands + 1) / 2 + work->bands;
  size_t at = 0;

  for (size_t i = 0; i < work->bands; i++)
    for (size_t j = 0; j <= i; j++, at++)
      if (at < n)
        values[at] = (double) work->product[i * work->bands + j];
  for (size_t b = 0; b < work->bands; b++, at++)
    if (at < n)
      values[at] = (double) work->sum[b];

  return (int64_t) whole;
}

/* ---- the hot spot ---- */

/* The planes where the device's hot spots read them. */
static int
bring (EskLadder               *ladder,
       const EskCovarianceWork *work,
       EskCovarianceProduced   *produced)
{
  const EskHotspots *hotspots = ladder->production;
  const EskTile host = produced->tile;
  const size_t plane = esk_ladder_plane (work->width, work->height);

  produced->memory = hotspots->device->memory_new ((int) ladder->index, plane * work->bands);
  if (produced->memory == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  produced->tile.data = produced->memory;
  produced->tile.band_stride = (ptrdiff_t) plane;
  ESK_LADDER_TRY (esk_ladder_produced (ladder, hotspots->device->load (ladder->stream, &host, &produced->selection,
                                                                       &produced->tile, NULL)));
  return esk_ladder_produced (ladder, hotspots->device->wait (ladder->stream));
}

int
esk_covariance_produce_begin (EskLadder               *ladder,
                              const EskCovarianceWork *work,
                              EskCovarianceProduced   *produced,
                              EskRungResult           *result)
{
  memset (produced, 0, sizeof *produced);
  if (ladder->production == NULL || !ESK_HAS (ladder->production, cube, covariance_sums)
      || ladder->production->device == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  produced->bands = malloc (work->bands * sizeof *produced->bands);
  if (produced->bands == NULL || esk_covariance_init (&produced->sums, work->bands, true, NULL) != ESK_OK)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t b = 0; b < work->bands; b++)
    produced->bands[b] = (uint32_t) b;
  produced->selection = (EskSelection) { .bands = produced->bands, .n_bands = work->bands };
  produced->tile = (EskTile) { .data = work->planes, .type = ESK_U8, .width = work->width, .height = work->height,
                               .bands = work->bands, .column_stride = 1, .row_stride = (ptrdiff_t) work->width,
                               .band_stride = (ptrdiff_t) work->pixels };
  result->type = ESK_TYPE_LAB_INT8;
  result->matrix = 1;
  result->launches = 1;
  esk_covariance_least (&ladder->size, &result->bytes, &result->operations);

  return bring (ladder, work, produced);
}

int
esk_covariance_produce_run (EskLadder             *ladder,
                            EskCovarianceProduced *produced)
{
  const EskHotspots *hotspots = ladder->production;

  esk_covariance_reset (&produced->sums);
  ESK_LADDER_TRY (esk_ladder_produced (ladder, hotspots->cube->covariance_sums (ladder->stream, &produced->tile,
                                                                                &produced->selection, NULL,
                                                                                &produced->sums)));
  return esk_ladder_produced (ladder, esk_hotspots_collect (hotspots, ladder->stream, &produced->sums));
}

int
esk_covariance_produce_finish (EskLadder             *ladder,
                               EskCovarianceProduced *produced,
                               EskCovarianceWork     *work)
{
  memcpy (work->product, produced->sums.integer_product, work->bands * work->bands * sizeof *work->product);
  memcpy (work->sum, produced->sums.integer_sum, work->bands * sizeof *work->sum);
  return ESK_LADDER_OK;
}

void
esk_covariance_produce_end (EskLadder             *ladder,
                            EskCovarianceProduced *produced)
{
  const EskDeviceHotspots *device = ladder->production != NULL ? ladder->production->device : NULL;

  esk_covariance_clear (&produced->sums);
  free (produced->bands);
  if (device != NULL)
    device->memory_free ((int) ladder->index, produced->memory);
  memset (produced, 0, sizeof *produced);
}
