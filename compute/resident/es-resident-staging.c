/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes in page-locked memory. */

#include "es-resident-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

#define PORTION ((guint64) 16 << 20)

typedef struct
{
  EsDevice *device;
  void     *data;
  gsize     bytes;
} Block;

static void
block_free (gpointer data)
{
  Block *block = data;

  es_staging_give (block->device, block->data, block->bytes);
  g_free (block);
}

static EskTile
describe (void *data, EskType type, const char *interleave, guint64 width, guint64 height, guint bands)
{
  EskTile tile = { .data = data, .type = type, .width = width, .height = height, .bands = bands };

  tile.column_stride = tile.row_stride = tile.band_stride = 1;
  if (strcmp (interleave, "bip") == 0)
    {
      tile.column_stride = (ptrdiff_t) bands;
      tile.row_stride = (ptrdiff_t) (bands * width);
    }
  else if (strcmp (interleave, "bil") == 0)
    {
      tile.row_stride = (ptrdiff_t) (bands * width);
      tile.band_stride = (ptrdiff_t) width;
    }
  else
    {
      tile.row_stride = (ptrdiff_t) width;
      tile.band_stride = (ptrdiff_t) (width * height);
    }
  return tile;
}

/* Gives the cube to be memory for its samples. On error what info points to is freed. */
static gboolean
give_memory (EsDevice *device, EsCubeInfo *info, const char *interleave, EskTile *samples, GError **error)
{
  Block *block;
  gsize bytes;

  if (__builtin_mul_overflow (info->width, info->height, &bytes)
      || __builtin_mul_overflow (bytes, info->bands * esk_type_size (info->type), &bytes) || bytes == 0)
    {
      es_cube_info_clear (info);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, _("A cube of this size cannot be made."));
      return FALSE;
    }
  block = g_new0 (Block, 1);
  block->device = device;
  block->bytes = bytes;
  block->data = es_staging_take (device, bytes);
  if (block->data == NULL)
    {
      g_autofree char *size = g_format_size (bytes);
      g_free (block);
      es_cube_info_clear (info);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("There is no page-locked memory of %s."), size);
      return FALSE;
    }
  *samples = describe (block->data, info->type, interleave, info->width, info->height, info->bands);
  info->format_name = g_strdup (_("memory"));
  info->source = es_staging_source_new (block->data, info->type, samples->column_stride, samples->row_stride,
                                        samples->band_stride, info->bands, block, block_free);
  return TRUE;
}

EsCube *
es_cube_new_in_staging (EsDevice *device, guint64 width, guint64 height, guint bands, const char *type,
                        const char *interleave, gpointer *samples, GError **error)
{
  EsCubeInfo info = { .width = width, .height = height, .bands = bands, .type = ESK_N_TYPES,
                      .default_bands = { -1, -1, -1 } };
  EskTile whole;

  for (EskType t = 0; t < ESK_N_TYPES; t++)
    if (strcmp (esk_type_name (t), type) == 0)
      info.type = t;
  if (!give_memory (device, &info, interleave, &whole, error))
    return NULL;
  *samples = (gpointer) whole.data;
  /* A new cube is looked at for bands that hold nothing: chance must not say so. */
  if (info.type == ESK_F32 || info.type == ESK_F64)
    memset (*samples, 0, width * height * bands * esk_type_size (info.type));
  return es_cube_new (NULL, &info, error);
}

static double *
per_band (EsCube *cube, double (*get) (EsCube *cube, guint band))
{
  const guint bands = es_cube_get_bands (cube);
  double *values = g_new (double, bands);

  for (guint i = 0; i < bands; i++)
    values[i] = get (cube, i);
  return values;
}

static double
no_data_of (EsCube *cube, guint band)
{
  double value;

  return es_cube_get_no_data (cube, band, &value) ? value : NAN;
}

/* One window, sample by sample: any order to any other. */
static void
copy_samples (const EskTile *from, const EskTile *to, const EsCubeWindow *window)
{
  const gsize size = esk_type_size (from->type);
  const gboolean rows = from->column_stride == 1 && to->column_stride == 1 && !from->byte_swapped;

  for (gsize b = 0; b < from->bands; b++)
    for (gsize y = 0; y < from->height; y++)
      {
        const guint8 *in = (const guint8 *) from->data
                           + ((ptrdiff_t) y * from->row_stride + (ptrdiff_t) b * from->band_stride) * (ptrdiff_t) size;
        guint8 *out = (guint8 *) to->data
                      + ((ptrdiff_t) window->x * to->column_stride + (ptrdiff_t) (window->y + y) * to->row_stride
                         + (ptrdiff_t) b * to->band_stride) * (ptrdiff_t) size;

        if (rows)
          {
            memcpy (out, in, from->width * size);
            continue;
          }
        for (gsize x = 0; x < from->width; x++)
          {
            for (gsize k = 0; k < size; k++)
              out[k] = in[from->byte_swapped ? size - 1 - k : k];
            in += from->column_stride * (ptrdiff_t) size;
            out += to->column_stride * (ptrdiff_t) size;
          }
      }
}

EsCube *
es_cube_copy_to_staging (EsCube *cube, EsDevice *device, const char *interleave, GCancellable *cancellable,
                         GError **error)
{
  g_autofree guint8 *mask = NULL;
  g_autofree guint32 *good = NULL;
  gsize n_good = 0;
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const guint bands = es_cube_get_bands (cube);
  const double *wavelengths = es_cube_get_wavelengths (cube), *fwhm = es_cube_get_fwhm (cube);
  const double *geotransform = es_cube_get_geotransform (cube);
  guint64 block_width, rows;
  EsCubeInfo info = {
    .width = width, .height = height, .bands = bands, .type = es_cube_get_type_code (cube),
    .wavelengths = wavelengths != NULL ? g_memdup2 (wavelengths, bands * sizeof (double)) : NULL,
    .wavelength_unit = wavelengths != NULL ? g_strdup ("nanometers") : NULL,
    .fwhm = fwhm != NULL ? g_memdup2 (fwhm, bands * sizeof (double)) : NULL,
    .good_bands = g_memdup2 (es_cube_get_good_bands (cube), bands * sizeof (gboolean)),
    .no_data = per_band (cube, no_data_of), .scale = per_band (cube, es_cube_get_scale),
    .offset = per_band (cube, es_cube_get_offset), .default_bands = { -1, -1, -1 },
    .unit = g_strdup (es_cube_get_unit (cube)),
    .geotransform = geotransform != NULL ? g_memdup2 (geotransform, 6 * sizeof (double)) : NULL,
    .projection = g_strdup (es_cube_get_projection (cube)),
  };
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (cube, error);
  EskTile samples;

  if (reader == NULL)
    {
      es_cube_info_clear (&info);
      return NULL;
    }
  if (!give_memory (device, &info, interleave, &samples, error))
    return NULL;

  /* Pixels that are missing in some of the bands that count are missing in the copy. */
  if (es_cube_has_mask (cube))
    {
      mask = g_malloc (width * height);
      memset (mask, 1, width * height);
      good = g_new (guint32, bands);
      for (guint b = 0; b < bands; b++)
        if (es_cube_get_good_bands (cube)[b])
          good[n_good++] = b;
    }
  es_cube_get_block (cube, &block_width, &rows);
  rows = MAX (PORTION / (width * bands * esk_type_size (samples.type)) / MAX (rows, 1), 1) * MAX (rows, 1);
  for (guint64 y = 0; y < height; y += rows)
    {
      const EsCubeWindow window = { 0, y, width, MIN (rows, height - y) };
      EskTile tile;

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !es_cube_reader_read (reader, &window, &tile, error)
          || (mask != NULL && !es_cube_reader_mask (reader, &window, good, n_good, mask + y * width, error)))
        {
          es_cube_info_clear (&info);
          return NULL;
        }
      copy_samples (&tile, &samples, &window);
    }
  if (mask != NULL)
    es_memory_source_set_mask (info.source, g_steal_pointer (&mask), width);
  return es_cube_new (NULL, &info, error);
}
