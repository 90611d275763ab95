/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a typed text means: a wavelength, the number of a band, or a part of a name. */

#include "es-band-chooser-private.h"

#include <math.h>
#include <string.h>

#include "widgets/es-format.h"

const double *
_es_band_chooser_wavelengths (EsPlaneSource *source)
{
  EsCube *cube = source != NULL ? es_plane_source_get_cube (source) : NULL;

  return cube != NULL ? es_cube_get_wavelengths (cube) : NULL;
}

/* A number is a wavelength where it lies among the wavelengths, else a band counted from 1. */
static gboolean
is_wavelength (EsPlaneSource *source, double number)
{
  const double *wavelengths = _es_band_chooser_wavelengths (source);
  double least = INFINITY, most = -INFINITY;

  if (wavelengths == NULL)
    return FALSE;
  for (guint i = 0; i < es_plane_source_get_n_planes (source); i++)
    {
      least = fmin (least, wavelengths[i]);
      most = fmax (most, wavelengths[i]);
    }
  return number >= least - 100 && number <= most + 100;
}

static int
find_in (EsPlaneSource *source, const char *text)
{
  const guint n = es_plane_source_get_n_planes (source);
  double number;

  if (es_format_parse (text, &number))
    {
      /* "2.2 um" */
      if (number < 100 && (strstr (text, "um") != NULL || strstr (text, "µm") != NULL
                           || strstr (text, "μm") != NULL))
        number *= 1000;
      if (is_wavelength (source, number))
        return es_cube_find_wavelength (es_plane_source_get_cube (source), number);
      if (number >= 1 && number <= n && number == floor (number))
        return (int) number - 1;
      /* Among wavelengths a number means nothing else. */
      if (_es_band_chooser_wavelengths (source) != NULL)
        return -1;
    }
  for (guint i = 0; *text != '\0' && i < n; i++)
    {
      g_autofree char *title = es_plane_source_get_plane_title (source, i);

      if (g_str_match_string (text, title, TRUE))
        return (int) i;
    }
  return -1;
}

int
es_band_chooser_find (EsBandChooser *self, const char *text)
{
  g_return_val_if_fail (ES_IS_BAND_CHOOSER (self), -1);
  g_return_val_if_fail (text != NULL, -1);

  return self->source != NULL ? find_in (self->source, text) : -1;
}

/* What a text means: one of the source's own, else of the first of the others that has such a one. */
int
_es_band_chooser_find_anywhere (EsBandChooser *self, const char *text, EsPlaneGroup **group)
{
  int found = es_band_chooser_find (self, text);

  *group = NULL;
  for (guint i = 0; found < 0 && self->groups != NULL && i < g_list_model_get_n_items (self->groups); i++)
    {
      g_autoptr (EsPlaneGroup) other = g_list_model_get_item (self->groups, i);

      found = find_in (es_plane_group_get_source (other), text);
      if (found >= 0)
        *group = other;
    }
  return found;
}

EsPlaneSource *
_es_band_chooser_source_of (EsBandChooser *self, gpointer item)
{
  EsPlaneGroup *group = g_object_get_data (item, "es-group");

  return group != NULL ? es_plane_group_get_source (group) : self->source;
}

/* The list narrows to what is near a typed number, or contains a typed text. */
gboolean
_es_band_chooser_matches (gpointer item, gpointer user_data)
{
  EsBandChooser *self = ES_BAND_CHOOSER (user_data);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  const char *title = gtk_string_object_get_string (item);
  guint plane = GPOINTER_TO_UINT (g_object_get_data (item, "es-plane"));
  EsPlaneSource *source = _es_band_chooser_source_of (self, item);
  double number;

  if (*text == '\0')
    return TRUE;
  /* What is found says itself what it is of. */
  if (g_object_get_data (item, "es-heading") != NULL || source == NULL)
    return FALSE;
  if (strstr (title, text) != NULL)
    return TRUE;
  if (es_format_parse (text, &number))
    {
      const double *wavelengths = _es_band_chooser_wavelengths (source);

      if (is_wavelength (source, number))
        return fabs (wavelengths[plane] - number) <= 25;
      return plane + 1 == number;
    }
  return g_str_match_string (text, title, TRUE)
         || (g_object_get_data (item, "es-group") != NULL
             && g_str_match_string (text, es_plane_group_get_title (g_object_get_data (item, "es-group")), TRUE));
}
