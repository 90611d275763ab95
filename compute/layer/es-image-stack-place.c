/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where the samples of a stack are: in memory, or in a file, in the layout that the file's name tells. */

#include "es-image-stack-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"
#include "es-plane-layout-internal.h"
#include "es-store-internal.h"

/* So much is put into the file's order at a time. */
#define TOGETHER_BYTES ((guint64) 4 << 20)

static const struct
{
  const char *name, *ending;
} formats[] = {
  [ES_STACK_ENVI] = { "envi", ".img" },
  [ES_STACK_GEOTIFF] = { "geotiff", ".tif" },
  [ES_STACK_BIL] = { "bil", ".bil" },
  [ES_STACK_BIP] = { "bip", ".bip" },
  [ES_STACK_HDF5] = { "hdf5", ".h5" },
};

const char *
es_stack_format_get_ending (EsStackFormat format)
{
  g_return_val_if_fail (format < G_N_ELEMENTS (formats), NULL);
  return formats[format].ending;
}

gboolean
es_stack_format_find (const char *name, EsStackFormat *format)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (strcmp (name, formats[i].name) == 0)
      {
        *format = (EsStackFormat) i;
        return TRUE;
      }
  return FALSE;
}

EsStackFormat
es_stack_format_of_path (const char *path)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (path, formats[i].ending))
      return (EsStackFormat) i;
  return ES_STACK_ENVI;
}

static gboolean
make_file (EsImageStack *self, const char *path, GError **error)
{
  const gboolean geotiff = self->format == ES_STACK_GEOTIFF;
  EsPlaneLayout layout = { .width = self->width, .height = self->height, .planes = self->planes };

  switch (self->format)
    {
    case ES_STACK_GEOTIFF:
    case ES_STACK_HDF5:
      if (!es_store_allocate_prepared (self->samples, path, geotiff ? es_tiff_layout_make : es_hdf5_layout_make,
                                       &layout, sizeof layout, error))
        return FALSE;
      self->start = layout.start;
      self->pitch = layout.pitch;
      return TRUE;
    case ES_STACK_BIL:
      self->pitch = self->width * sizeof (float);
      self->row_pitch = self->pitch * self->planes;
      break;
    case ES_STACK_BIP:
      self->pitch = sizeof (float);
      self->row_pitch = self->width * self->planes * sizeof (float);
      break;
    case ES_STACK_ENVI:
    default:
      break;
    }
  return es_store_allocate_file (self->samples, path, es_image_stack_get_bytes (self), error);
}

gboolean
es_image_stack_find_place (EsImageStack *self, const char *path, GError **error)
{
  const gsize bytes = es_image_stack_get_bytes (self);

  self->format = path != NULL ? es_stack_format_of_path (path) : ES_STACK_ENVI;
  self->pitch = self->plane_pixels * sizeof (float);
  self->row_pitch = self->width * sizeof (float);
  if (path != NULL || !es_store_fits (self->samples, bytes))
    return make_file (self, path, error);
  if (!es_store_allocate (self->samples, bytes))
    {
      g_autofree char *size = g_format_size (bytes);

      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("The layer “%s” needs %s of memory, more than there is."), es_layer_get_title (ES_LAYER (self)),
                   size);
      return FALSE;
    }
  return TRUE;
}

/* Of a file by pixels: every planes-th sample. */
static gboolean
take_pixels (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, float *out,
             GError **error)
{
  const gsize samples = width * self->planes;
  g_autofree float *row = g_try_new (float, samples);

  if (row == NULL)
    return es_compute_error_no_memory (es_layer_get_title (ES_LAYER (self)), error);
  for (guint64 j = 0; j < height; j++, out += width)
    {
      if (!es_store_read (self->samples, row, samples * sizeof (float),
                          self->start + (y + j) * self->row_pitch + x * self->planes * sizeof (float), error))
        return FALSE;
      for (guint64 i = 0; i < width; i++)
        out[i] = row[i * self->planes + plane];
    }
  return TRUE;
}

gboolean
es_image_stack_take (EsImageStack *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, float *out,
                     GError **error)
{
  const guint64 start = self->start + plane * self->pitch + y * self->row_pitch + x * sizeof (float);

  if (self->format == ES_STACK_BIP)
    return take_pixels (self, plane, x, y, width, height, out, error);
  if (width * sizeof (float) == self->row_pitch)
    return es_store_read (self->samples, out, width * height * sizeof (float), start, error);
  for (guint64 j = 0; j < height; j++)
    if (!es_store_read (self->samples, out + j * width, width * sizeof (float), start + j * self->row_pitch, error))
      return FALSE;
  return TRUE;
}

/* n rows in the order of the file, of that part of a row. */
static void
put_in_order (EsImageStack *self, guint64 width, guint64 n, const float *values, gsize plane_stride, float *out)
{
  for (guint64 j = 0; j < n; j++)
    for (guint plane = 0; plane < self->planes; plane++)
      {
        const float *from = values + plane * plane_stride + j * width;
        float *to = out + j * width * self->planes;

        if (self->format == ES_STACK_BIL)
          memcpy (to + plane * width, from, width * sizeof (float));
        else
          for (guint64 i = 0; i < width; i++)
            to[i * self->planes + plane] = from[i];
      }
}

gboolean
es_image_stack_put_together (EsImageStack *self, guint64 x, guint64 y, guint64 width, guint64 height,
                             const float *values, gsize plane_stride, GError **error)
{
  const guint64 row = width * self->planes;
  const gboolean whole = width == self->width, by_rows = self->format == ES_STACK_BIL;
  const guint64 at_once = whole ? CLAMP (TOGETHER_BYTES / sizeof (float) / row, 1, height) : 1;
  g_autofree float *buffer = g_try_new (float, at_once * row);

  if (buffer == NULL)
    return es_compute_error_no_memory (es_layer_get_title (ES_LAYER (self)), error);
  for (guint64 j = 0; j < height; j += at_once)
    {
      const guint64 n = MIN (at_once, height - j), start = self->start + (y + j) * self->row_pitch;

      put_in_order (self, width, n, values + j * width, plane_stride, buffer);
      /* A part of a row lies in one piece by pixels, and in one a plane by rows. */
      if (whole || !by_rows)
        {
          if (!es_store_write (self->samples, buffer, n * row * sizeof (float),
                               start + x * self->planes * sizeof (float), error))
            return FALSE;
          continue;
        }
      for (guint plane = 0; plane < self->planes; plane++)
        if (!es_store_write (self->samples, buffer + plane * width, width * sizeof (float),
                             start + plane * self->pitch + x * sizeof (float), error))
          return FALSE;
    }
  return TRUE;
}
