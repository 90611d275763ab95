/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Named regions as an ENVI classification, and their mean spectra as CSV. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-companion-internal.h"
#include "es-strays-internal.h"
#include "es-envi-text-internal.h"
#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "saving/es-output-internal.h"
#include "cube/es-region-set.h"
#include "base/es-text-internal.h"
#include "es-writer.h"

#define STRIP_PIXELS ((guint64) 4 << 20)
#define LINE_END "\r\n"

static EsNamedRegion *
peek (EsRegionSet *self, guint i)
{
  g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (self), i);

  return region;
}

static guint
count (EsRegionSet *self)
{
  return g_list_model_get_n_items (G_LIST_MODEL (self));
}

static GString *
make_header (EsRegionSet *self, EsCube *cube)
{
  const guint n = count (self);
  GString *header = g_string_new ("ENVI\n");
  g_autofree const char **names = g_new0 (const char *, n + 1);
  const double *transform = es_cube_get_geotransform (cube);

  g_string_append_printf (header,
                          "samples = %" G_GUINT64_FORMAT "\nlines = %" G_GUINT64_FORMAT "\nbands = 1\n"
                          "header offset = 0\nfile type = ENVI Classification\ndata type = 1\ninterleave = bsq\n"
                          "byte order = 0\nclasses = %u\n",
                          es_cube_get_width (cube), es_cube_get_height (cube), n + 1);
  g_string_append (header, "class lookup = {0, 0, 0");
  for (guint i = 0; i < n; i++)
    {
      const guint32 colour = es_named_region_get_colour (peek (self, i));
      g_string_append_printf (header, ", %u, %u, %u", colour >> 16, colour >> 8 & 0xff, colour & 0xff);
    }
  g_string_append (header, "}\n");
  /* Not translated: programs look for it. */
  names[0] = "Unclassified";
  for (guint i = 0; i < n; i++)
    names[i + 1] = es_named_region_get_name (peek (self, i));
  es_envi_append_names (header, "class names", names, n + 1);
  if (transform != NULL && !es_envi_append_georeference (header, transform, es_cube_get_projection (cube)))
    g_string_append (header, "; The georeference has a shear, which an ENVI header cannot express.\n");
  return header;
}

static gboolean
write_classes (EsRegionSet *self, EsCube *cube, const EsOutput *output, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  const guint64 strip = CLAMP (STRIP_PIXELS / width, 1, height);
  g_autofree guint8 *classes = g_malloc (strip * width), *mask = g_malloc (strip * width);

  for (guint64 y = 0; y < height; y += strip)
    {
      const guint64 rows = MIN (strip, height - y);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      memset (classes, 0, rows * width);
      for (guint i = 0; i < count (self); i++)
        {
          es_region_fill_mask (es_named_region_get_region (peek (self, i)), 0, y, width, rows, mask);
          for (gsize p = 0; p < rows * width; p++)
            if (mask[p])
              classes[p] = i + 1;
        }
      if (!es_file_write_at (output->fd, output->path, classes, rows * width, y * width, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
es_region_set_write_classification (EsRegionSet *self, GFile *target, GCancellable *cancellable, GError **error)
{
  EsCube *cube = es_region_set_get_cube (self);
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = NULL, *data_path = NULL, *header_path = NULL;
  const EsOutput *output;

  g_return_val_if_fail (cube != NULL, FALSE);
  if (count (self) > 255)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("A classification has room for 255 classes, and there are %u."), count (self));
      return FALSE;
    }
  path = es_output_local_path (target, error);
  if (path == NULL)
    return FALSE;
  es_envi_paths (path, &data_path, &header_path, NULL);
  if ((!es_companion_is_agreed (target) && !es_companion_check (data_path, header_path, NULL, error))
      || !es_strays_check (data_path, error))
    return FALSE;
  output = es_outputs_add (outputs, data_path, FALSE, error);
  if (output == NULL || !write_classes (self, cube, output, cancellable, error))
    return FALSE;
  output = es_outputs_add (outputs, header_path, FALSE, error);
  if (output == NULL)
    return FALSE;
  g_autoptr (GString) header = make_header (self, cube);
  return es_file_write (output->fd, output->path, header->str, header->len, error)
         && es_outputs_commit (outputs, error);
}

static GString *
make_spectra (EsRegionSet *self, EsCube *cube)
{
  GString *text = g_string_new (NULL);
  const double *wavelengths = es_cube_get_wavelengths (cube);
  gboolean scaled = FALSE;

  /* Values in the cube's unit, and what is stored beside them where that is something else. */
  for (guint band = 0; band < es_cube_get_bands (cube); band++)
    scaled = scaled || es_cube_is_scaled (cube, band);
  es_text_append_title (text, wavelengths != NULL ? _("Wavelength") : _("Band"), wavelengths != NULL ? "nm" : "1");
  for (guint i = 0; i < count (self); i++)
    if (es_named_region_get_mean (peek (self, i)) != NULL)
      {
        const char *name = es_named_region_get_name (peek (self, i));
        g_autofree char *deviation = g_strdup_printf (_("%s, standard deviation"), name);

        g_string_append_c (text, ',');
        es_text_append_title (text, name, es_cube_name_unit (cube));
        g_string_append_c (text, ',');
        es_text_append_title (text, deviation, es_cube_name_unit (cube));
        if (scaled)
          {
            g_string_append_c (text, ',');
            es_text_append_title (text, name, _("stored"));
            g_string_append_c (text, ',');
            es_text_append_title (text, deviation, _("stored"));
          }
      }
  g_string_append (text, LINE_END);
  for (guint band = 0; band < es_cube_get_bands (cube); band++)
    {
      es_text_append_number (text, wavelengths != NULL ? wavelengths[band] : band + 1);
      for (guint i = 0; i < count (self); i++)
        {
          const double *spectra[] = { es_named_region_get_mean (peek (self, i)),
                                      es_named_region_get_deviation (peek (self, i)) };
          for (guint k = 0; k < 2 && spectra[0] != NULL; k++)
            {
              g_string_append_c (text, ',');
              es_text_append_cell (text, spectra[k][band]);
            }
          for (guint k = 0; k < 2 && spectra[0] != NULL && scaled; k++)
            {
              const double scale = es_cube_get_scale (cube, band), offset = es_cube_get_offset (cube, band);
              const double value = spectra[k][band];

              g_string_append_c (text, ',');
              es_text_append_cell (text, k == 0 ? (value - offset) / scale : value / fabs (scale));
            }
        }
      g_string_append (text, LINE_END);
    }
  return text;
}

gboolean
es_region_set_write_spectra (EsRegionSet *self, GFile *target, GError **error)
{
  EsCube *cube = es_region_set_get_cube (self);
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = NULL;
  const EsOutput *output;

  g_return_val_if_fail (cube != NULL, FALSE);
  path = es_output_local_path (target, error);
  if (path == NULL || (output = es_outputs_add (outputs, path, TRUE, error)) == NULL)
    return FALSE;
  g_autoptr (GString) text = make_spectra (self, cube);
  return es_file_write (output->fd, output->path, text->str, text->len, error) && es_outputs_commit (outputs, error);
}
