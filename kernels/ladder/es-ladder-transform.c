/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-transform-internal.h"
#include "es-ladder-covariance-internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 11
#define MOST 4096

/* Rows of about unit length, and means near those of the samples, which are no numbers of float32. */
static int
fill (EskLadder        *ladder,
      EskTransformWork *work)
{
  const double scale = sqrt (3.0 / (double) work->bands);

  ESK_LADDER_TRY (esk_covariance_samples (ladder, work->planes, work->pixels, work->bands));
  for (size_t b = 0; b < work->bands; b++)
    work->mean[b] = 95.0 + (double) (b % 64) + 0.7 * esk_ladder_random (SEED, b);
  for (size_t r = 0; r < work->rows; r++)
    {
      double offset = 0.0, largest = 0.0;

      for (size_t b = 0; b < work->bands; b++)
        {
          const float value = (float) (scale * esk_ladder_random (SEED + 1, r * work->bands + b));

          work->basis[r * work->bands + b] = value;
          offset += (double) value * work->mean[b];
          largest += fabs ((double) value);
        }
      work->offset[r] = (float) offset;
      work->tolerance = fmax (work->tolerance, 1e-6 * 255.0 * largest);
    }

  return ESK_LADDER_OK;
}

/* ---- what is right ---- */

static double
value_of (const EskTransformWork *work,
          size_t                  row,
          size_t                  p)
{
  double sum = 0.0;

  for (size_t b = 0; b < work->bands; b++)
    sum += (double) work->basis[row * work->bands + b]
           * ((double) work->planes[b * work->pixels + p] - work->mean[b]);
  return sum;
}

static int
expect (EskLadder        *ladder,
        EskTransformWork *work)
{
  for (size_t b = 0; b < work->bands; b++)
    {
      int64_t sum = 0;
      double whole;

      ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
      for (size_t p = 0; p < work->pixels; p++)
        sum += work->planes[b * work->pixels + p];
      whole = (double) sum - (double) work->pixels * work->mean[b];
      for (size_t r = 0; r < work->rows; r++)
        work->right_sum[r] += (double) work->basis[r * work->bands + b] * whole;
    }
  for (size_t k = 0; k < ESK_TRANSFORM_CHECKED; k++)
    {
      work->pixel[k] = k == 0 ? 0 : k == 1 ? work->pixels - 1 : esk_ladder_hash (SEED + 2, k) % work->pixels;
      for (size_t r = 0; r < work->rows; r++)
        {
          const double value = value_of (work, r, work->pixel[k]);

          work->right[r * ESK_TRANSFORM_CHECKED + k] = value;
          work->largest = fmax (work->largest, fabs (value));
        }
    }

  return ESK_LADDER_OK;
}

int
esk_transform_work_init (EskLadder           *ladder,
                         EskTransformWork    *work,
                         const EskLadderSize *size)
{
  int code;

  memset (work, 0, sizeof *work);
  work->width = size->width;
  work->height = size->height;
  work->pixels = work->width * work->height;
  work->bands = size->bands;
  work->rows = size->rows;
  if (work->pixels == 0 || work->bands == 0 || work->bands > MOST || work->rows == 0 || work->rows > MOST
      || work->pixels > INT32_MAX)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT, "1 to 4096 bands and rows and 1 to 2147483647 pixels "
                            "were expected");
  ESK_LADDER_TRY (esk_ladder_room ((double) work->pixels * ((double) work->bands + 4.0 * (double) work->rows)));
  work->planes = malloc (work->pixels * work->bands);
  work->basis = malloc (work->rows * work->bands * sizeof *work->basis);
  work->offset = malloc (work->rows * sizeof *work->offset);
  work->mean = malloc (work->bands * sizeof *work->mean);
  work->out = malloc (work->rows * work->pixels * sizeof *work->out);
  work->right = malloc (work->rows * ESK_TRANSFORM_CHECKED * sizeof *work->right);
  work->right_sum = calloc (work->rows, sizeof *work->right_sum);
  if (work->planes == NULL || work->basis == NULL || work->offset == NULL || work->mean == NULL || work->out == NULL
      || work->right == NULL || work->right_sum == NULL)
    {
      esk_transform_work_clear (work);
      return ESK_LADDER_ERROR_MEMORY;
    }
  code = fill (ladder, work);
  if (code == ESK_LADDER_OK)
    code = expect (ladder, work);
  if (code != ESK_LADDER_OK)
    esk_transform_work_clear (work);

  return code;
}

void
esk_transform_work_clear (EskTransformWork *work)
{
  free (work->planes);
  free (work->basis);
  free (work->offset);
  free (work->mean);
  free (work->out);
  free (work->right);
  free (work->right_sum);
  memset (work, 0, sizeof *work);
}

void
esk_transform_least (const EskLadderSize *size,
                     double              *bytes,
                     double              *operations)
{
  const double pixels = (double) size->width * size->height, bands = size->bands, rows = size->rows;

  *bytes = pixels * bands + 4.0 * rows * bands + 4.0 * pixels * rows;
  *operations = 2.0 * pixels * bands * rows;
}

/* ---- what came out ---- */

void
esk_transform_forget (EskTransformWork *work)
{
  memset (work->out, 0xff, work->rows * work->pixels * sizeof *work->out);
}

/* Of a row, over all pixels; NAN where one of them is. */
static double
sum_of (const EskTransformWork *work,
        size_t                  row)
{
  double sum = 0.0;

  for (size_t p = 0; p < work->pixels; p++)
    sum += (double) work->out[row * work->pixels + p];
  return sum;
}

void
esk_transform_check (const EskTransformWork *work,
                     EskRungResult          *result)
{
  const double largest = work->largest > 0.0 ? work->largest : 1.0;
  double error = 0.0;

  for (size_t r = 0; r < work->rows; r++)
    {
      const double whole = fabs (sum_of (work, r) - work->right_sum[r]) / (double) work->pixels;

      /* Not fmax (), which thinks nothing of what is no number. */
      error = whole <= error ? error : whole;
      for (size_t k = 0; k < ESK_TRANSFORM_CHECKED; k++)
        {
          const double off = fabs ((double) work->out[r * work->pixels + work->pixel[k]]
                                   - work->right[r * ESK_TRANSFORM_CHECKED + k]);

          error = off <= error ? error : off;
        }
    }
  result->error = error / largest;
  result->tolerance = work->tolerance / largest;
}

int64_t
esk_transform_output (const EskTransformWork *work,
                      double                 *values,
                      size_t                  n)
{
  const size_t whole = work->rows * work->pixels;

  for (size_t k = 0; k < n && k < whole; k++)
    values[k] = (double) work->out[k];

  return (int64_t) whole;
}

/* ---- the hot spot of a card ---- */

static int
bring (EskLadder              *ladder,
       const EskTransformWork *work,
       EskTransformProduced   *produced)
{
  const EskHotspots *hotspots = ladder->production;
  const EskTile host = produced->tile;
  const size_t plane = esk_ladder_plane (work->width, work->height);
  const int device = (int) ladder->index;

  produced->memory = hotspots->device->memory_new (device, plane * work->bands);
  produced->out = hotspots->device->memory_new (device, work->pixels * work->rows * sizeof (float));
  if (produced->memory == NULL || produced->out == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  produced->tile.data = produced->memory;
  produced->tile.band_stride = (ptrdiff_t) plane;
  ESK_LADDER_TRY (esk_ladder_produced (ladder, hotspots->device->load (ladder->stream, &host, &produced->selection,
                                                                       &produced->tile, NULL)));
  return esk_ladder_produced (ladder, hotspots->device->wait (ladder->stream));
}

int
esk_transform_produce_begin (EskLadder              *ladder,
                             const EskTransformWork *work,
                             EskTransformProduced   *produced,
                             EskRungResult          *result)
{
  memset (produced, 0, sizeof *produced);
  if (ladder->production == NULL || !ESK_HAS (ladder->production, cube, project)
      || ladder->production->device == NULL)
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  produced->bands = malloc (work->bands * sizeof *produced->bands);
  if (produced->bands == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t b = 0; b < work->bands; b++)
    produced->bands[b] = (uint32_t) b;
  produced->selection = (EskSelection) { .bands = produced->bands, .n_bands = work->bands };
  produced->basis = (EskMatrix) { work->rows, work->bands, work->basis };
  produced->tile = (EskTile) { .data = work->planes, .type = ESK_U8, .width = work->width, .height = work->height,
                               .bands = work->bands, .column_stride = 1, .row_stride = (ptrdiff_t) work->width,
                               .band_stride = (ptrdiff_t) work->pixels };
  result->type = ESK_TYPE_LAB_INT8;
  result->matrix = 1;
  result->launches = 1;
  esk_transform_least (&ladder->size, &result->bytes, &result->operations);

  return bring (ladder, work, produced);
}

int
esk_transform_produce_run (EskLadder              *ladder,
                           const EskTransformWork *work,
                           EskTransformProduced   *produced)
{
  return esk_ladder_produced (ladder, ladder->production->cube->project (ladder->stream, &produced->tile,
                                                                         &produced->selection, NULL,
                                                                         &produced->basis, work->mean, produced->out,
                                                                         work->pixels));
}

int
esk_transform_produce_finish (EskLadder            *ladder,
                              EskTransformProduced *produced,
                              EskTransformWork     *work)
{
  const size_t bytes = work->rows * work->pixels * sizeof (float);

  ESK_LADDER_TRY (esk_ladder_produced (ladder, ladder->production->device->download (ladder->stream, work->out, bytes,
                                                                                     produced->out, bytes, bytes, 1)));
  return esk_ladder_produced (ladder, ladder->production->device->wait (ladder->stream));
}

void
esk_transform_produce_end (EskLadder            *ladder,
                           EskTransformProduced *produced)
{
  const EskDeviceHotspots *device = ladder->production != NULL ? ladder->production->device : NULL;

  free (produced->bands);
  if (device != NULL)
    {
      device->memory_free ((int) ladder->index, produced->memory);
      device->memory_free ((int) ladder->index, produced->out);
    }
  memset (produced, 0, sizeof *produced);
}
