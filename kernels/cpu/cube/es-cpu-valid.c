/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a first look at the samples tells: which pixels count, and the range and total of each band. */

#include "es-cpu-cube-private.h"

#include <math.h>
#include <string.h>

static bool
may_be_missing (const EskTile      *tile,
                const EskSelection *selection)
{
  if (tile->type == ESK_F32 || tile->type == ESK_F64)
    return true;
  for (size_t b = 0; selection->no_data != NULL && b < selection->n_bands; b++)
    if (!isnan (selection->no_data[b]))
      return true;

  return false;
}

int
esk_cpu_valid_pixels (EskStream          *stream,
                      const EskTile      *tile,
                      const EskSelection *selection,
                      uint8_t            *valid,
                      size_t             *n_valid)
{
  size_t n_pixels, total = 0;
  int code;

  code = esk_cpu_check (stream, tile, selection);
  if (code != ESK_OK)
    return code;
  if (valid == NULL || n_valid == NULL)
    return ESK_ERROR_ARGUMENT;

  n_pixels = tile->width * tile->height;
  for (size_t p = 0; p < n_pixels; p++)
    valid[p] = valid[p] != 0;

  if (may_be_missing (tile, selection))
    {
      size_t capacity = esk_cpu_capacity (selection->n_bands, esk_type_size (tile->type));
      bool integer = tile->type != ESK_F32 && tile->type != ESK_F64;
      EskPanelReader reader;
      EskPanel panel;
      uint8_t *bad;

      code = esk_panel_start (&reader, stream, tile, selection, valid, capacity);
      if (code != ESK_OK)
        return code;
      bad = esk_scratch_get (&stream->quantised, capacity, 1);
      if (bad == NULL)
        return ESK_ERROR_MEMORY;

      /* The reader looks at the mask only ahead of the panel that is marked here. */
      while (esk_panel_next (&reader, &panel))
        {
          const uint8_t *next = bad;

          memset (bad, 0, panel.n_pixels);
          for (size_t b = 0; b < selection->n_bands; b++)
            {
              double no_data = selection->no_data != NULL ? selection->no_data[b] : NAN;

              if (!integer || !isnan (no_data))
                stream->loops->find_missing (panel.type, panel.rows[b], panel.n_pixels, no_data, bad);
            }
          for (size_t r = 0; r < panel.n_runs; r++)
            for (size_t k = 0; k < panel.runs[r].length; k++)
              valid[panel.runs[r].pixel + k] = !*next++;
        }
      code = reader.code;
    }

  for (size_t p = 0; p < n_pixels; p++)
    total += valid[p];
  *n_valid = total;

  return code;
}

int
esk_cpu_band_ranges (EskStream          *stream,
                     const EskTile      *tile,
                     const EskSelection *selection,
                     const uint8_t      *valid,
                     double             *minimum,
                     double             *maximum)
{
  EskPanelReader reader;
  EskPanel panel;
  int code;

  code = esk_cpu_check (stream, tile, selection);
  if (code != ESK_OK)
    return code;
  if (minimum == NULL || maximum == NULL)
    return ESK_ERROR_ARGUMENT;
  code = esk_panel_start (&reader, stream, tile, selection, valid,
                          esk_cpu_capacity (selection->n_bands, esk_type_size (tile->type)));
  if (code != ESK_OK)
    return code;

  while (esk_panel_next (&reader, &panel))
    for (size_t b = 0; b < selection->n_bands; b++)
      stream->loops->range (panel.type, panel.rows[b], panel.n_pixels, &minimum[b], &maximum[b]);

  return reader.code;
}

int
esk_cpu_band_sums (EskStream          *stream,
                   const EskTile      *tile,
                   const EskSelection *selection,
                   const uint8_t      *valid,
                   double             *sum,
                   int64_t            *count)
{
  const EskCpuLoops *loops;
  EskPanelReader reader;
  EskPanel panel;
  uint8_t *quantised = NULL;
  size_t capacity;
  int code;

  code = esk_cpu_check (stream, tile, selection);
  if (code != ESK_OK)
    return code;
  if (sum == NULL || count == NULL)
    return ESK_ERROR_ARGUMENT;

  loops = stream->loops;
  capacity = esk_cpu_capacity (selection->n_bands, esk_type_size (tile->type));
  code = esk_panel_start (&reader, stream, tile, selection, valid, capacity);
  if (code != ESK_OK)
    return code;
  if (selection->minimum != NULL)
    {
      quantised = esk_scratch_get (&stream->quantised, capacity, 1);
      if (quantised == NULL)
        return ESK_ERROR_MEMORY;
    }

  while (esk_panel_next (&reader, &panel))
    {
      for (size_t b = 0; b < selection->n_bands; b++)
        if (quantised != NULL)
          {
            loops->quantise (panel.type, panel.rows[b], panel.n_pixels, selection->minimum[b],
                             selection->maximum[b], quantised);
            sum[b] += loops->sum (ESK_U8, quantised, panel.n_pixels);
          }
        else
          {
            sum[b] += loops->sum (panel.type, panel.rows[b], panel.n_pixels);
          }
      *count += (int64_t) panel.n_pixels;
    }

  return reader.code;
}
