/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the text of a product tells of the bands of its image goes before what the image says itself. */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "es-gdal-metadata-private.h"
#include "products/es-product-internal.h"

static double *
pick (const double *values, const int *list, guint bands)
{
  double *picked = g_new (double, bands);

  for (guint b = 0; b < bands; b++)
    picked[b] = values[list[b] - 1];
  return picked;
}

static gboolean
is_complete (const double *values, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!(values[i] > 0))
      return FALSE;
  return TRUE;
}

static gboolean
is_integer (EskType type)
{
  return type != ESK_F32 && type != ESK_F64;
}

static void
take_lists (EsReaderInput *input, const EsProduct *product, const int *list, EsCubeInfo *info)
{
  const guint n = info->bands;

  if (is_complete (product->wavelengths, product->n))
    {
      g_clear_pointer (&info->wavelengths, g_free);
      g_clear_pointer (&info->wavelength_unit, g_free);
      g_clear_pointer (&info->fwhm, g_free);
      info->wavelengths = pick (product->wavelengths, list, n);
      info->wavelength_unit = g_strdup ("nm");
      if (is_complete (product->fwhm, product->n))
        info->fwhm = pick (product->fwhm, list, n);
    }
  else
    {
      g_autoptr (GFile) file = g_file_new_for_path (product->metadata);
      g_autofree char *name = es_error_file_name (file);

      es_reader_note (input, _("The wavelengths in “%s” are 0, missing or no numbers and were ignored."), name);
    }
  if (product->uncounted && is_integer (info->type))
    {
      g_autoptr (GFile) file = g_file_new_for_path (product->metadata);
      g_autofree char *name = es_error_file_name (file);

      es_reader_note (input, _("The gains and offsets in “%s” are 0, missing or no numbers for some bands and were "
                               "ignored: samples are shown as they are stored."), name);
    }
  else if (is_integer (info->type))
    {
      g_free (info->scale);
      g_free (info->offset);
      info->scale = pick (product->scale, list, n);
      info->offset = pick (product->offset, list, n);
    }
  else
    es_reader_note (input, _("The samples are no integers as in the product, and are taken for physical numbers "
                             "already: gains and offsets of its bands were not applied."));
  if (product->good != NULL)
    {
      g_free (info->good_bands);
      info->good_bands = g_new (gboolean, n);
      for (guint b = 0; b < n; b++)
        info->good_bands[b] = product->good[list[b] - 1];
    }
}

void
es_reader_take_product (EsReaderInput *input, GDALDatasetH handle, const int *list, EsCubeInfo *info)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsProduct) product = es_product_read (input->path, (guint) MAX (GDALGetRasterCount (handle), 0), &error);

  if (error != NULL)
    es_reader_note (input, _("What is told beside the image was ignored: %s."), error->message);
  if (product == NULL)
    return;
  take_lists (input, product, list, info);
  if (product->unit != NULL && !product->uncounted)
    {
      g_free (info->unit);
      info->unit = g_strdup (product->unit);
    }
  if (info->no_data == NULL && product->has_background)
    info->no_data = es_reader_repeat (product->background, info->bands);
  g_free (info->format_name);
  info->format_name = g_strdup (product->sensor);
  es_reader_add_file (input, product->metadata);
}
