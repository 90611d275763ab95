/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "es-ladder-noise-internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 41
/* Rows of all bands that are held against the definition. */
#define CHECKED 4096
/* The largest residual there is: a pixel of 255 among zeros, nine times less once. */
#define LARGEST 2040.0

/* ---- samples ---- */

/* A slope with noise, and now and then what is darkest and brightest. */
static int
fill (EskLadder       *ladder,
      EskResidualWork *work)
{
  for (size_t b = 0; b < work->bands; b++)
    for (size_t y = 0; y < work->height; y++)
      {
        ESK_LADDER_TRY (esk_ladder_cancelled (ladder));
        for (size_t x = 0; x < work->width; x++)
          {
            const size_t at = b * work->pixels + y * work->width + x;
            const uint64_t hash = esk_ladder_hash (SEED, at);
            const unsigned rare = (unsigned) (hash & 255), slope = (unsigned) (x / 3 + 2 * y / 5 + b) % 128;

            work->planes[at] = rare == 0 ? 0 : rare == 1 ? 255 : (uint8_t) (slope + (unsigned) (hash >> 58));
          }
      }

  return ESK_LADDER_OK;
}

int
esk_residual_work_init (EskLadder           *ladder,
                        EskResidualWork     *work,
                        const EskLadderSize *size)
{
  int code;

  memset (work, 0, sizeof *work);
  work->width = size->width;
  work->height = size->height;
  work->bands = size->bands;
  work->pixels = work->width * work->height;
  if (work->pixels == 0 || work->bands == 0 || work->bands > 4096 || work->pixels > INT32_MAX)
    return esk_ladder_fail (ladder, ESK_LADDER_ERROR_ARGUMENT,
                            "1 to 4096 bands of 1 to 2147483647 pixels were expected");
  if (work->width > 2 && work->height > 2)
    {
      work->inner_width = work->width - 2;
      work->inner_height = work->height - 2;
    }
  ESK_LADDER_TRY (esk_ladder_room (3.0 * (double) work->pixels * (double) work->bands));
  work->planes = malloc (work->pixels * work->bands);
  work->out = calloc (work->pixels * work->bands, sizeof *work->out);
  if (work->planes == NULL || work->out == NULL)
    {
      esk_residual_work_clear (work);
      return ESK_LADDER_ERROR_MEMORY;
    }
  code = fill (ladder, work);
  if (code != ESK_LADDER_OK)
    esk_residual_work_clear (work);

  return code;
}

void
esk_residual_work_clear (EskResidualWork *work)
{
  free (work->planes);
  free (work->out);
  memset (work, 0, sizeof *work);
}

void
esk_residual_work_least (const EskLadderSize *size,
                         double              *bytes,
                         double              *operations)
{
  const double pixels = (double) size->width * size->height * size->bands;

  *bytes = 3.0 * pixels;
  *operations = 10.0 * pixels;
}

/* ---- what is right ---- */

static int
median_of_nine (const int *values)
{
  for (int k = 0; k < 9; k++)
    {
      int below = 0, equal = 0;

      for (int j = 0; j < 9; j++)
        {
          below += values[j] < values[k];
          equal += values[j] == values[k];
        }
      if (below <= 4 && below + equal > 4)
        return values[k];
    }

  return values[0];
}

/* The residual of a pixel of the plane, by the definition. */
static int
residual (const EskResidualWork *work,
          const uint8_t         *plane,
          size_t                 x,
          size_t                 y,
          unsigned               definition)
{
  const uint8_t *at = plane + y * work->width + x;
  int values[9], sum = 0;

  if (x < 1 || y < 1 || x + 1 >= work->width || y + 1 >= work->height)
    return 0;
  for (int k = 0; k < 9; k++)
    {
      values[k] = at[(k / 3 - 1) * (ptrdiff_t) work->width + k % 3 - 1];
      sum += values[k];
    }

  return definition == ESK_RESIDUAL_MEDIAN ? *at - median_of_nine (values) : 9 * *at - sum;
}

void
esk_residual_work_check (const EskResidualWork *work,
                         unsigned               definition,
                         EskRungResult         *result)
{
  const size_t rows = work->height * work->bands, n = rows < CHECKED ? rows : CHECKED;
  int worst = 0;

  for (size_t k = 0; k < n; k++)
    {
      /* A row of each n-th part of them, and the last. */
      const size_t part = rows / n, row = k + 1 == n ? rows - 1 : k * part + esk_ladder_hash (SEED + 1, k) % part;
      const uint8_t *plane = work->planes + row / work->height * work->pixels;

      for (size_t x = 0; x < work->width; x++)
        {
          const int difference = residual (work, plane, x, row % work->height, definition)
                                 - work->out[row * work->width + x];

          worst = abs (difference) > worst ? abs (difference) : worst;
        }
    }
  result->error = worst / LARGEST;
  result->tolerance = 0.0;
}

int64_t
esk_residual_work_output (const EskResidualWork *work,
                          double                *values,
                          size_t                 n)
{
  const size_t whole = work->pixels * work->bands;

  for (size_t k = 0; k < whole && k < n; k++)
    values[k] = work->out[k];

  return (int64_t) whole;
}

/* ---- the hot spot ---- */

static int
bring (EskLadder             *ladder,
       const EskResidualWork *work,
       EskResidualProduced   *produced)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t plane = esk_ladder_plane (work->width, work->height), n = plane * work->bands;

  produced->memory = device->memory_new ((int) ladder->index, n);
  produced->out_memory = device->memory_new ((int) ladder->index, n * sizeof (int16_t));
  if (produced->memory == NULL || produced->out_memory == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  produced->tile.data = produced->memory;
  produced->out.data = (int16_t *) produced->out_memory + work->width + 1;
  produced->tile.band_stride = produced->out.band_stride = (ptrdiff_t) plane;
  for (size_t b = 0; b < work->bands; b++)
    {
      uint8_t *to = (uint8_t *) produced->memory + b * plane;

      ESK_LADDER_TRY (esk_ladder_produced (ladder, device->upload (ladder->stream, to, work->planes + b * work->pixels,
                                                                   work->pixels)));
    }
  return esk_ladder_produced (ladder, device->wait (ladder->stream));
}

int
esk_residual_produce_begin (EskLadder             *ladder,
                            const EskResidualWork *work,
                            unsigned               definition,
                            EskResidualProduced   *produced,
                            EskRungResult         *result)
{
  const EskHotspots *hotspots = ladder->production;

  memset (produced, 0, sizeof *produced);
  if (hotspots == NULL || !ESK_HAS (hotspots, cube, noise_residual))
    return esk_ladder_refuse (result, ESK_WHY_LIBRARY, 0, 0, "the back end");
  produced->bands = malloc (work->bands * sizeof *produced->bands);
  if (produced->bands == NULL)
    return ESK_LADDER_ERROR_MEMORY;
  for (size_t b = 0; b < work->bands; b++)
    produced->bands[b] = (uint32_t) b;
  produced->kind = definition == ESK_RESIDUAL_MEDIAN ? ESK_NOISE_MEDIAN : ESK_NOISE_MEAN;
  produced->selection = (EskSelection) { .bands = produced->bands, .n_bands = work->bands };
  produced->tile = (EskTile) { .data = work->planes, .type = ESK_U8, .width = work->width, .height = work->height,
                               .bands = work->bands, .column_stride = 1, .row_stride = (ptrdiff_t) work->width,
                               .band_stride = (ptrdiff_t) work->pixels };
  produced->out = produced->tile;
  produced->out.type = ESK_I16;
  produced->out.data = work->out + work->width + 1;
  produced->out.width = work->inner_width;
  produced->out.height = work->inner_height;
  result->type = ESK_TYPE_LAB_INT32;
  result->launches = 1;
  esk_residual_work_least (&ladder->size, &result->bytes, &result->operations);

  return hotspots->device != NULL ? bring (ladder, work, produced) : ESK_LADDER_OK;
}

int
esk_residual_produce_some (EskLadder                 *ladder,
                           EskStream                 *stream,
                           const EskResidualWork     *work,
                           const EskResidualProduced *produced,
                           size_t                     first,
                           size_t                     rows)
{
  const EskMargin margin = { 1, 1, 1, 1 };
  EskTile tile = produced->tile, out = produced->out;

  if (rows == 0)
    return ESK_OK;
  tile.data = (const uint8_t *) tile.data + first * work->width;
  tile.height = rows + 2;
  out.data = (const int16_t *) out.data + first * work->width;
  out.height = rows;
  return ladder->production->cube->noise_residual (stream, &tile, &produced->selection, NULL, produced->kind,
                                                   ESK_NOISE_WHOLE, &margin, &out, NULL, NULL);
}

int
esk_residual_produce_run (EskLadder             *ladder,
                          const EskResidualWork *work,
                          EskResidualProduced   *produced)
{
  return esk_ladder_produced (ladder, esk_residual_produce_some (ladder, ladder->stream, work, produced, 0,
                                                                 work->inner_height));
}

int
esk_residual_produce_finish (EskLadder                 *ladder,
                             const EskResidualProduced *produced,
                             EskResidualWork           *work)
{
  const EskDeviceHotspots *device = ladder->production->device;
  const size_t stride = work->width * sizeof (int16_t), row = work->inner_width * sizeof (int16_t);

  if (device == NULL || work->inner_height == 0)
    return ESK_LADDER_OK;
  for (size_t b = 0; b < work->bands; b++)
    {
      int16_t *to = work->out + b * work->pixels + work->width + 1;
      const int16_t *from = (const int16_t *) produced->out.data + (ptrdiff_t) b * produced->out.band_stride;

      ESK_LADDER_TRY (esk_ladder_produced (ladder, device->download (ladder->stream, to, stride, from, stride, row,
                                                                     work->inner_height)));
    }
  return esk_ladder_produced (ladder, device->wait (ladder->stream));
}

void
esk_residual_produce_end (EskLadder           *ladder,
                          EskResidualProduced *produced)
{
  const EskDeviceHotspots *device = ladder->production != NULL ? ladder->production->device : NULL;

  if (device != NULL)
    {
      device->memory_free ((int) ladder->index, produced->memory);
      device->memory_free ((int) ladder->index, produced->out_memory);
    }
  free (produced->bands);
  memset (produced, 0, sizeof *produced);
}
