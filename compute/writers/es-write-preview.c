/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gdal.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "base/es-gdal-internal.h"
#include "layer/es-layer-internal.h"
#include "es-writer.h"

#define LARGEST_SIDE 2048

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

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
  qsort (sorted, count, sizeof (float), compare_floats);
  *low = sorted[(gsize) (0.02 * (count - 1))];
  *high = sorted[(gsize) (0.98 * (count - 1))];
  if (is_signed)
    {
      *high = MAX (fabsf (*low), fabsf (*high));
      *low = -*high;
    }
}

static gboolean
write_png (const float *values, guint width, guint height, gboolean is_signed, const char *path, GError **error)
{
  g_autofree guint8 *gray = g_malloc ((gsize) width * height);
  g_autofree guint8 *alpha = g_malloc ((gsize) width * height);
  g_autofree char *part = NULL;
  float low, high;
  GDALDriverH memory = GDALGetDriverByName ("MEM"), png = GDALGetDriverByName ("PNG");
  GDALDatasetH picture, written = NULL;
  gboolean done;
  int fd = es_file_open_beside (path, &part, error);

  if (fd < 0)
    return FALSE;
  close (fd);
  find_stretch (values, (gsize) width * height, is_signed, &low, &high);
  for (gsize i = 0; i < (gsize) width * height; i++)
    {
      float t = high > low ? (values[i] - low) / (high - low) : 0.5f;
      alpha[i] = isfinite (values[i]) ? 255 : 0;
      gray[i] = alpha[i] == 0 ? 0 : (guint8) (CLAMP (t, 0.0f, 1.0f) * 255 + 0.5f);
    }

  CPLPushErrorHandler (CPLQuietErrorHandler);
  picture = memory != NULL ? GDALCreate (memory, "", width, height, 2, GDT_Byte, NULL) : NULL;
  if (picture != NULL && png != NULL
      && GDALRasterIO (GDALGetRasterBand (picture, 1), GF_Write, 0, 0, width, height, gray, width, height,
                       GDT_Byte, 0, 0) == CE_None
      && GDALRasterIO (GDALGetRasterBand (picture, 2), GF_Write, 0, 0, width, height, alpha, width, height,
                       GDT_Byte, 0, 0) == CE_None)
    {
      char *options[] = { (char *) "WORLDFILE=NO", NULL };
      GDALSetRasterColorInterpretation (GDALGetRasterBand (picture, 2), GCI_AlphaBand);
      written = GDALCreateCopy (png, part, picture, FALSE, options, NULL, NULL);
    }
  done = written != NULL;
  if (written != NULL)
    GDALClose (written);
  if (picture != NULL)
    GDALClose (picture);
  done = done && CPLGetLastErrorType () < CE_Failure && g_rename (part, path) == 0;
  if (!done)
    {
      const char *reason = CPLGetLastErrorMsg ();
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE, _("The picture “%s” cannot be written: %s."), path,
                   *reason != '\0' ? reason : _("no reason given"));
      g_unlink (part);
    }
  CPLPopErrorHandler ();

  /* GDAL may leave a side file behind. */
  g_autofree char *side = g_strconcat (part, ".aux.xml", NULL);
  g_unlink (side);
  return done;
}

/* Where the whole result was written its fields have their pictures already. */
static gboolean
write_field (EsField *field, const char *directory, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = g_strconcat (es_layer_get_name (ES_LAYER (field)), ".png", NULL);
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);

  return g_file_test (path, G_FILE_TEST_EXISTS) || es_write_field_png (field, target, cancellable, error);
}

static gboolean
write_planes (EsImageStack *stack, const char *directory, GCancellable *cancellable, GError **error)
{
  guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  guint step = (MAX (width, height) + LARGEST_SIDE - 1) / LARGEST_SIDE;
  guint w = (width + step - 1) / step, h = (height + step - 1) / step;
  g_autofree float *plane = g_new (float, (gsize) w * h);

  for (guint i = 0; i < es_image_stack_get_planes (stack); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s-%03u.png", es_layer_get_name (ES_LAYER (stack)), i + 1);
      g_autofree char *path = g_build_filename (directory, name, NULL);

      if (g_cancellable_set_error_if_cancelled (cancellable, error)
          || !es_image_stack_read (stack, i, 0, 0, width, height, step, plane, error)
          || !write_png (plane, w, h, es_image_stack_get_signed (stack), path, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
es_write_previews (EsResult *result, GFile *directory, GCancellable *cancellable, GError **error)
{
  GListModel *layers = es_result_get_layers (result);
  g_autofree char *path = g_file_get_path (directory);

  es_gdal_prepare ();
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      /* A cube has hundreds of planes, which nobody looks through as files. */
      if (ES_IS_IMAGE_STACK (layer) && !es_image_stack_has_read_rows (ES_IMAGE_STACK (layer))
          && es_image_stack_get_wavelengths (ES_IMAGE_STACK (layer)) == NULL
          && !write_planes (ES_IMAGE_STACK (layer), path, cancellable, error))
        return FALSE;
      if (ES_IS_FIELD (layer) && !write_field (ES_FIELD (layer), path, cancellable, error))
        return FALSE;
    }
  return TRUE;
}
