/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Bands that hold no data are left out, or no pixel of the cube would count.
 *
 * Some hundred pixels tell which bands may be empty; what is found there is not empty. The others are looked at as a
 * whole, up to the first sample that is one, where that reads no more than LOOK_BYTES. Beyond that a look costs as much
 * as a pass, and the note says that it was no more than a look.
 */

#include "es-cube-bands-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#define SAMPLE_WINDOWS 8u
#define SAMPLE_PIXELS  64u
#define SAMPLE_BYTES   ((gsize) 64 * 1024 * 1024)
/* All bands that may be empty together. */
#define LOOK_BYTES     ((guint64) 256 * 1024 * 1024)
#define PORTION        ((guint64) 1024 * 1024)

static gboolean
take_pixel (EsCube *self, const EskTile *tile, guint64 x, double *spectrum, const guint8 *valid, guint64 columns,
            gboolean by_band, guint *found)
{
  const guint bands = es_cube_get_bands (self);
  gboolean any = FALSE;

  if (esk_convert_pixel (tile, x, 0, spectrum) != ESK_OK)
    return FALSE;
  for (guint b = 0; b < bands; b++)
    {
      double no_data;

      if (isfinite (spectrum[b]) && valid[by_band ? b * columns + x : x]
          && !(es_cube_get_no_data (self, b, &no_data) && spectrum[b] == no_data))
        {
          found[b]++;
          any = TRUE;
        }
    }
  return any;
}

/* How many samples of each band are some, in a few rows; *seen: pixels with any. The same every time. */
static gboolean
sample_windows (EsCube *self, EsCubeReader *reader, guint *found, guint *seen)
{
  const guint64 width = es_cube_get_width (self), height = es_cube_get_height (self);
  const guint bands = es_cube_get_bands (self);
  const gboolean by_band = es_cube_has_mask (self) && es_cube_get_source (self)->mask_by_band;
  guint64 block_width, block_height, rows = MIN ((guint64) SAMPLE_WINDOWS, height), bytes;
  guint64 columns = MIN (width, SAMPLE_PIXELS);
  const guint masks = by_band ? bands : 1;
  g_autofree double *spectrum = g_new (double, bands);
  g_autofree guint8 *valid = g_malloc (columns * masks);

  es_cube_get_block (self, &block_width, &block_height);
  /* What has to be unpacked for one window is a whole block of all bands. */
  if (__builtin_mul_overflow (MAX (block_width, columns), block_height, &bytes) ||
      __builtin_mul_overflow (bytes, (guint64) bands * esk_type_size (es_cube_get_type_code (self)), &bytes) ||
      bytes > SAMPLE_BYTES / rows)
    return FALSE;

  for (guint64 i = 0; i < rows; i++)
    {
      EsCubeWindow window = { .y = (2 * i + 1) * height / (2 * rows), .width = columns, .height = 1 };
      EskTile tile;

      window.x = rows > 1 ? (width - columns) / (rows - 1) * i : (width - columns) / 2;
      memset (valid, 1, columns * masks);
      if (!es_cube_reader_read (reader, &window, &tile, NULL))
        return FALSE;
      for (guint32 b = 0; b < masks; b++)
        if (!es_cube_reader_mask (reader, &window, &b, 1, valid + b * columns, NULL))
          return FALSE;
      for (guint64 x = 0; x < columns; x++)
        *seen += take_pixel (self, &tile, x, spectrum, valid, columns, by_band, found);
    }
  return TRUE;
}

static gboolean
holds_any (EsCube *self, guint band, guint64 y, guint64 rows, guint step, float *values)
{
  const guint64 width = es_cube_get_width (self);
  const guint64 n = ((width - 1) / step + 1) * ((rows - 1) / step + 1);

  /* What cannot be read is no reason to leave a band out. */
  if (!es_cube_read_band (self, band, 0, y, width, rows, step, values, NULL, NULL))
    return TRUE;
  for (guint64 i = 0; i < n; i++)
    if (!isnan (values[i]))
      return TRUE;
  return FALSE;
}

/* Spread over all of it; whole: every sample. */
static gboolean
holds_nothing (EsCube *self, guint band, gboolean whole)
{
  const guint64 width = es_cube_get_width (self), height = es_cube_get_height (self);
  const guint64 longest = MAX (width, height);
  const guint step = whole ? 1 : (guint) MAX (1, (longest + SAMPLE_PIXELS - 1) / SAMPLE_PIXELS);
  guint64 block_width, block_height, rows = height;

  es_cube_get_block (self, &block_width, &block_height);
  if (whole)
    rows = MIN (MAX (PORTION / width / block_height, 1) * block_height, height);
  g_autofree float *values = g_new (float, ((width - 1) / step + 1) * ((rows - 1) / step + 1));
  for (guint64 y = 0; y < height; y += rows)
    if (holds_any (self, band, y, MIN (rows, height - y), step, values))
      return FALSE;
  return TRUE;
}

void
es_cube_leave_out_empty_bands (EsCube *self, gboolean *good)
{
  const guint bands = es_cube_get_bands (self);
  const guint64 bytes = es_cube_get_bytes (self);
  const EskType type = es_cube_get_type_code (self);
  EsSampleSource *source = es_cube_get_source (self);
  g_autofree guint *found = g_new0 (guint, bands);
  g_autoptr (EsCubeReader) reader = NULL;
  gboolean missing = type == ESK_F32 || type == ESK_F64 || (es_cube_has_mask (self) && source->mask_by_band);
  guint seen = 0, suspects = 0, empty = 0;

  for (guint b = 0; b < bands && !missing; b++)
    missing = es_cube_get_no_data (self, b, NULL);
  reader = missing ? es_cube_reader_new (self, NULL) : NULL;
  if (reader == NULL || !sample_windows (self, reader, found, &seen) || seen == 0)
    return;
  for (guint b = 0; b < bands; b++)
    {
      found[b] = good[b] && found[b] == 0 && holds_nothing (self, b, FALSE);
      suspects += found[b];
    }
  if (suspects == 0)
    return;

  const gboolean whole = (source->bands_apart ? bytes / bands : bytes) <= LOOK_BYTES / suspects;
  for (guint b = 0; b < bands; b++)
    if (found[b] && (!whole || holds_nothing (self, b, TRUE)))
      {
        good[b] = FALSE;
        empty++;
      }
  if (empty > 0 && whole)
    _es_dataset_add_note (ES_DATASET (self),
                          g_dngettext (GETTEXT_PACKAGE, "%u band holds no data and is left out.",
                                       "%u bands hold no data and are left out.", empty), empty);
  else if (empty > 0)
    _es_dataset_add_note (ES_DATASET (self),
                          g_dngettext (GETTEXT_PACKAGE, "%u band holds no data in any of the places that were looked "
                                       "at, some thousand pixels, and is left out.",
                                       "%u bands hold no data in any of the places that were looked at, some thousand "
                                       "pixels, and are left out.", empty), empty);
}
