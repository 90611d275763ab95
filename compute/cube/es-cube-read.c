/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-cube-line-internal.h"
#include "signal/es-area-means-internal.h"
#include "base/es-error.h"
#include "device/es-device-internal.h"

/* Rows are read in portions of about this many bytes, so that cancelling is prompt and memory stays small. */
#define PORTION ((gsize) 4 * 1024 * 1024)

struct _EsCubeReader
{
  EsCube   *cube;
  gpointer  handle;
  void     *buffer;
  gsize     size;
};

gsize
es_cube_window_bytes (EsCube *cube, const EsCubeWindow *window)
{
  /* No more than the whole cube, which es_cube_new () has checked. */
  return (gsize) window->width * window->height * es_cube_get_bands (cube)
         * esk_type_size (es_cube_get_type_code (cube));
}

EsCubeReader *
es_cube_reader_new (EsCube *cube, GError **error)
{
  EsSampleSource *source = es_cube_get_source (cube);
  gpointer handle = source->handle_new (source, error);
  EsCubeReader *self;

  if (handle == NULL)
    return NULL;
  self = g_new0 (EsCubeReader, 1);
  self->cube = g_object_ref (cube);
  self->handle = handle;
  return self;
}

void
es_cube_reader_free (EsCubeReader *self)
{
  EsSampleSource *source = es_cube_get_source (self->cube);

  source->handle_free (source, self->handle);
  g_free (self->buffer);
  g_object_unref (self->cube);
  g_free (self);
}

static gboolean
reserve (EsCubeReader *self, const EsCubeWindow *window, GError **error)
{
  gsize size = es_cube_window_bytes (self->cube, window);
  void *buffer;

  if (size <= self->size)
    return TRUE;
  g_clear_pointer (&self->buffer, g_free);
  self->size = 0;
  buffer = g_try_malloc (size);
  if (buffer == NULL)
    {
      g_autofree char *wanted = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);

      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no memory for a tile of %s"),
                   wanted);
      return FALSE;
    }
  self->buffer = buffer;
  self->size = size;
  return TRUE;
}

static gboolean
lies_inside (EsCube *cube, const EsCubeWindow *window)
{
  guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);

  return window->width > 0 && window->height > 0 && window->x < width && window->width <= width - window->x &&
         window->y < height && window->height <= height - window->y;
}

gboolean
es_cube_reader_read (EsCubeReader *self, const EsCubeWindow *window, EskTile *tile, GError **error)
{
  EsSampleSource *source = es_cube_get_source (self->cube);

  g_return_val_if_fail (lies_inside (self->cube, window), FALSE);

  return reserve (self, window, error) &&
         source->read (source, self->handle, window, self->buffer, tile, error);
}

gboolean
es_cube_reader_read_into (EsCubeReader *self, const EsCubeWindow *window, void *buffer, EskTile *tile, GError **error)
{
  EsSampleSource *source = es_cube_get_source (self->cube);

  g_return_val_if_fail (lies_inside (self->cube, window), FALSE);

  return source->read (source, self->handle, window, buffer, tile, error);
}

gboolean
es_cube_reader_read_band_into (EsCubeReader *self, guint band, const EsCubeWindow *window, void *buffer, EskTile *tile,
                               GError **error)
{
  EsSampleSource *source = es_cube_get_source (self->cube);

  g_return_val_if_fail (source->read_band != NULL && lies_inside (self->cube, window), FALSE);

  return source->read_band (source, self->handle, band, window, buffer, tile, error);
}

gboolean
es_cube_reader_mask (EsCubeReader *self, const EsCubeWindow *window, const guint32 *bands, gsize n, guint8 *valid,
                     GError **error)
{
  EsSampleSource *source = es_cube_get_source (self->cube);

  g_return_val_if_fail (lies_inside (self->cube, window), FALSE);

  return source->read_mask == NULL || source->read_mask (source, self->handle, bands, n, window, valid, error);
}

/* One band of a window; *band becomes its index in the tile. */
static gboolean
read_band_window (EsCubeReader *self, guint *band, const EsCubeWindow *window, EskTile *tile, GError **error)
{
  EsSampleSource *source = es_cube_get_source (self->cube);

  if (!reserve (self, window, error))
    return FALSE;
  if (source->read_band == NULL)
    return source->read (source, self->handle, window, self->buffer, tile, error);
  if (!source->read_band (source, self->handle, *band, window, self->buffer, tile, error))
    return FALSE;
  *band = 0;
  return TRUE;
}

/* How many rows one read takes: whole blocks, and where rows are skipped and blocks allow it, just one. */
static guint64
rows_a_read (EsCube *cube, guint64 width, guint64 y, guint step)
{
  guint64 block_width, block_height;
  EsCubeWindow row = { .width = width, .height = 1 };
  gsize bytes = es_cube_window_bytes (cube, &row);
  guint64 rows;

  es_cube_get_block (cube, &block_width, &block_height);
  if (block_height == 1)
    return step > 1 ? 1 : MAX (1, PORTION / bytes);
  rows = MAX (1, PORTION / bytes / block_height) * block_height;
  /* Up to the next edge of a block. */
  return rows - y % block_height;
}

/* Every step-th pixel of every step-th row of the window becomes NAN where the mask says so. */
static gboolean
blank_band (EsCubeReader *self, guint band, const EsCubeWindow *window, guint step, float *out, GError **error)
{
  const guint32 index = band;
  g_autofree guint8 *valid = NULL;

  if (!es_cube_has_mask (self->cube))
    return TRUE;
  valid = g_try_malloc (window->width * window->height);
  if (valid == NULL)
    return es_compute_error_no_memory (_("a mask"), error);
  memset (valid, 1, window->width * window->height);
  if (!es_cube_reader_mask (self, window, &index, 1, valid, error))
    return FALSE;
  for (guint64 y = 0; y < window->height; y += step)
    for (guint64 x = 0; x < window->width; x += step, out++)
      if (!valid[y * window->width + x])
        *out = NAN;
  return TRUE;
}

static gboolean
read_band (EsCubeReader *reader, guint band, guint64 x, guint64 y, guint64 width, guint64 height, guint step,
           float *out, GCancellable *cancellable, GError **error)
{
  EsCube *self = reader->cube;
  guint64 columns, row = 0;
  double no_data = NAN;

  es_cube_get_no_data (self, band, &no_data);
  columns = (width - 1) / step + 1;

  /* row is always a multiple of step: the next one that is wanted. */
  while (row < height)
    {
      EsCubeWindow window = { x, y + row, width, MIN (height - row, rows_a_read (self, width, y + row, step)) };
      guint64 taken = (window.height - 1) / step + 1;
      guint index = band;
      EskTile tile;

      if (g_cancellable_set_error_if_cancelled (cancellable, error) ||
          !read_band_window (reader, &index, &window, &tile, error))
        return FALSE;

      tile.width = columns;
      tile.height = taken;
      tile.column_stride *= (ptrdiff_t) step;
      tile.row_stride *= (ptrdiff_t) step;
      if (esk_convert_band (&tile, index, no_data, es_cube_get_scale (self, band),
                            es_cube_get_offset (self, band), out) != ESK_OK)
        {
          g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                               _("A band could not be turned into numbers"));
          return FALSE;
        }
      if (!blank_band (reader, band, &window, step, out, error))
        return FALSE;
      out += columns * taken;
      row += taken * step;
    }
  return TRUE;
}

/* So many bands at once cost more one by one than the whole window does. */
#define FEW_BANDS 4

gboolean
es_cube_reader_read_bands (EsCubeReader *self, const EsCubeWindow *window, guint n, const guint *bands, float *out,
                           GCancellable *cancellable, GError **error)
{
  EsSampleSource *source = es_cube_get_source (self->cube);
  const gsize pixels = window->width * window->height;
  EskTile tile;

  g_return_val_if_fail (lies_inside (self->cube, window), FALSE);

  if (source->read_band != NULL && (n <= FEW_BANDS || source->bands_apart))
    {
      for (guint i = 0; i < n; i++)
        if (!read_band (self, bands[i], window->x, window->y, window->width, window->height, 1, out + i * pixels,
                        cancellable, error))
          return FALSE;
      return TRUE;
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error)
      || !es_cube_reader_read (self, window, &tile, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      double no_data = NAN;

      es_cube_get_no_data (self->cube, bands[i], &no_data);
      if (esk_convert_band (&tile, bands[i], no_data, es_cube_get_scale (self->cube, bands[i]),
                            es_cube_get_offset (self->cube, bands[i]), out + i * pixels) != ESK_OK)
        {
          g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                               _("A band could not be turned into numbers"));
          return FALSE;
        }
      if (!blank_band (self, bands[i], window, 1, out + i * pixels, error))
        return FALSE;
    }
  return TRUE;
}

/* One pixel: what the mask says of each band. */
static gboolean
blank_spectrum (EsCubeReader *self, const EsCubeWindow *pixel, double *out, GError **error)
{
  const guint bands = es_cube_get_bands (self->cube);
  const gboolean by_band = es_cube_get_source (self->cube)->mask_by_band;
  guint8 valid = 1;

  for (guint32 b = 0; es_cube_has_mask (self->cube) && b < bands; b++)
    {
      if (b == 0 || by_band)
        {
          valid = 1;
          if (!es_cube_reader_mask (self, pixel, &b, 1, &valid, error))
            return FALSE;
        }
      if (!valid)
        out[b] = NAN;
    }
  return TRUE;
}

gboolean
es_cube_read_band (EsCube *self, guint band, guint64 x, guint64 y, guint64 width, guint64 height, guint step,
                   float *out, GCancellable *cancellable, GError **error)
{
  EsCubeWindow whole = { x, y, width, height };
  g_autoptr (EsCubeReader) reader = NULL;

  g_return_val_if_fail (ES_IS_CUBE (self) && band < es_cube_get_bands (self), FALSE);
  g_return_val_if_fail (lies_inside (self, &whole) && step >= 1, FALSE);

  reader = es_cube_reader_new (self, error);
  return reader != NULL && read_band (reader, band, x, y, width, height, step, out, cancellable, error);
}

typedef struct
{
  EsCubeReader *reader;
  guint         band;
  GCancellable *cancellable;
} BandRows;

static gboolean
read_band_rows (gpointer data, guint64 y, guint64 n, float *out, GError **error)
{
  BandRows *rows = data;

  return read_band (rows->reader, rows->band, 0, y, es_cube_get_width (rows->reader->cube), n, 1, out,
                    rows->cancellable, error);
}

gboolean
es_cube_read_band_means (EsCube *self, guint band, guint step, float *out, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsCubeReader) reader = NULL;
  BandRows rows = { .band = band, .cancellable = cancellable };
  EsCubeWindow row = { .height = 1 };
  guint64 bytes;

  g_return_val_if_fail (ES_IS_CUBE (self) && band < es_cube_get_bands (self) && step >= 1, FALSE);

  row.width = es_cube_get_width (self);
  if (step == 1)
    return es_cube_read_band (self, band, 0, 0, row.width, es_cube_get_height (self), 1, out, cancellable, error);
  rows.reader = reader = es_cube_reader_new (self, error);
  if (reader == NULL)
    return FALSE;
  /* Where bands are interleaved a row of one is a row of them all. */
  bytes = es_cube_window_bytes (self, &row);
  if (es_cube_get_source (self)->read_band != NULL)
    bytes /= es_cube_get_bands (self);
  return es_area_means (row.width, es_cube_get_height (self), step, bytes, read_band_rows, &rows, out, cancellable,
                        error);
}

gboolean
es_cube_read_spectrum (EsCube *self, guint64 x, guint64 y, double *out, GError **error)
{
  EsCubeWindow pixel = { x, y, 1, 1 };
  g_autoptr (EsCubeReader) reader = NULL;
  guint bands;
  EskTile tile;

  g_return_val_if_fail (ES_IS_CUBE (self) && lies_inside (self, &pixel), FALSE);

  reader = es_cube_reader_new (self, error);
  if (reader == NULL || !es_cube_reader_read (reader, &pixel, &tile, error))
    return FALSE;
  if (esk_convert_pixel (&tile, 0, 0, out) != ESK_OK)
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                           _("A pixel could not be turned into numbers"));
      return FALSE;
    }

  bands = es_cube_get_bands (self);
  for (guint b = 0; b < bands; b++)
    {
      double no_data;

      if (!isfinite (out[b]) || (es_cube_get_no_data (self, b, &no_data) && out[b] == no_data))
        out[b] = NAN;
      else
        out[b] = out[b] * es_cube_get_scale (self, b) + es_cube_get_offset (self, b);
    }
  return blank_spectrum (reader, &pixel, out, error);
}
