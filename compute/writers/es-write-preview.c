/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-file-name.h"
#include "base/es-order.h"
#include "es-write-png-internal.h"
#include "es-write-result-private.h"
#include "layer/es-layer-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-gdal-library-internal.h"

#define LARGEST_SIDE 2048

/* The 2 % and 98 % quantiles of the finite values; symmetric about zero for signed planes. */
static void
find_stretch (const float *values, gsize n, gboolean is_signed, float *low, float *high)
{
  g_autofree float *sorted = g_new (float, n);
  gsize count = 0;

  for (gsize i = 0; i < n; i++)
    if (isfinite (values[i]))
      sorted[count++] = values[i];
  *low = 0;
  *high = 1;
  if (count == 0)
    return;
  qsort (sorted, count, sizeof (float), es_compare_floats);
  *low = sorted[(gsize) (0.02 * (count - 1))];
  *high = sorted[(gsize) (0.98 * (count - 1))];
  if (is_signed)
    {
      *high = MAX (fabsf (*low), fabsf (*high));
      *low = -*high;
    }
}

static gboolean
write_png (const float *values, guint width, guint height, gboolean is_signed, const EsOutput *output, GError **error)
{
  g_autofree guint8 *gray = g_malloc ((gsize) width * height);
  g_autofree guint8 *alpha = g_malloc ((gsize) width * height);
  float low, high;
  GDALDriverH memory = GDALGetDriverByName ("MEM");
  char *options[] = { (char *) "WORLDFILE=NO", NULL };
  GDALDatasetH picture;
  gboolean done;

  find_stretch (values, (gsize) width * height, is_signed, &low, &high);
  for (gsize i = 0; i < (gsize) width * height; i++)
    {
      float t = high > low ? (values[i] - low) / (high - low) : 0.5f;
      alpha[i] = isfinite (values[i]) ? 255 : 0;
      gray[i] = alpha[i] == 0 ? 0 : (guint8) (CLAMP (t, 0.0f, 1.0f) * 255 + 0.5f);
    }

  picture = memory != NULL ? GDALCreate (memory, "", width, height, 2, GDT_Byte, NULL) : NULL;
  done = picture != NULL
         && GDALRasterIO (GDALGetRasterBand (picture, 1), GF_Write, 0, 0, width, height, gray, width, height,
                          GDT_Byte, 0, 0) == CE_None
         && GDALRasterIO (GDALGetRasterBand (picture, 2), GF_Write, 0, 0, width, height, alpha, width, height,
                          GDT_Byte, 0, 0) == CE_None;
  if (done)
    GDALSetRasterColorInterpretation (GDALGetRasterBand (picture, 2), GCI_AlphaBand);
  done = es_write_png (done ? picture : NULL, options, output, error);
  if (picture != NULL)
    GDALClose (picture);
  return done;
}

gboolean
es_write_stack_previews (EsImageStack *stack, const char *stem, EsWrittenSet *set, GError **error)
{
  guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  guint step = (MAX (width, height) + LARGEST_SIDE - 1) / LARGEST_SIDE;
  guint w = (width + step - 1) / step, h = (height + step - 1) / step;
  g_autofree float *plane = NULL;

  /* A cube has hundreds of planes, which nobody looks through as files. */
  if (es_image_stack_has_read_rows (stack) || es_image_stack_get_wavelengths (stack) != NULL)
    return TRUE;
  if (!es_gdal_prepare (NULL, error))
    return FALSE;
  plane = g_new (float, (gsize) w * h);
  for (guint i = 0; i < es_image_stack_get_planes (stack); i++)
    {
      g_autofree char *wanted = g_strdup_printf ("%s-%03u", stem, i + 1);
      g_autofree char *unique = es_file_name_make (wanted, set->taken);
      g_autofree char *name = g_strconcat (unique, ".png", NULL);
      g_autofree char *path = es_written_set_add (set, name, es_layer_get_name (ES_LAYER (stack)));
      const EsOutput *output;

      if (g_cancellable_set_error_if_cancelled (set->cancellable, error)
          || !es_image_stack_read_means (stack, i, step, plane, set->cancellable, error))
        return FALSE;
      output = es_outputs_add (set->outputs, path, FALSE, error);
      if (output == NULL)
        return FALSE;
      if (!write_png (plane, w, h, es_image_stack_get_signed (stack), output, error))
        return FALSE;
    }
  return TRUE;
}
