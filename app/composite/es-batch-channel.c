/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which planes are red, green and blue. */

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-batch-channel-private.h"
#include "plane/es-composite.h"
#include "result/es-result.h"

gboolean
es_batch_refuse (GError **error, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *sentence = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, sentence);
  return FALSE;
}

static gboolean
is_known (const EsBatchChannel *channel)
{
  return channel->cube != NULL || channel->stack != NULL || channel->expected != NULL;
}

guint64
es_batch_channel_get_width (const EsBatchChannel *channel)
{
  return channel->expected != NULL ? channel->expected->width
         : channel->cube != NULL ? es_cube_get_width (channel->cube) : es_image_stack_get_width (channel->stack);
}

guint64
es_batch_channel_get_height (const EsBatchChannel *channel)
{
  return channel->expected != NULL ? channel->expected->height
         : channel->cube != NULL ? es_cube_get_height (channel->cube) : es_image_stack_get_height (channel->stack);
}

static guint
get_n (const EsBatchChannel *channel)
{
  return channel->expected != NULL ? g_strv_length (channel->expected->titles)
         : channel->cube != NULL ? es_cube_get_bands (channel->cube) : es_image_stack_get_planes (channel->stack);
}

char *
es_batch_channel_make_title (const EsBatchChannel *channel, guint plane)
{
  const char *title;

  if (channel->expected != NULL)
    return g_strdup (channel->expected->titles[plane]);
  if (channel->cube != NULL)
    return es_cube_get_band_label (channel->cube, plane);
  title = es_image_stack_get_plane_title (channel->stack, plane);
  return title != NULL ? g_strdup (title) : g_strdup_printf (_("plane %u"), plane + 1);
}

static int
find_wavelength (const EsBatchChannel *channel, double nanometres)
{
  const double *wavelengths;
  int nearest = -1;

  if (channel->cube != NULL)
    return es_cube_find_wavelength (channel->cube, nanometres);
  wavelengths = channel->stack != NULL ? es_image_stack_get_wavelengths (channel->stack) : NULL;
  for (guint i = 0; wavelengths != NULL && i < get_n (channel); i++)
    if (isfinite (wavelengths[i]) && (nearest < 0 || fabs (wavelengths[i] - nanometres)
                                                     < fabs (wavelengths[nearest] - nanometres)))
      nearest = (int) i;
  return nearest;
}

/* The first stack of a result are its components. */
static EsImageStack *
find_stack (EsResult *result, const char *name)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (ES_IS_IMAGE_STACK (layer) && (name == NULL || strcmp (es_layer_get_name (layer), name) == 0))
        return ES_IMAGE_STACK (layer);
    }
  return NULL;
}

static gboolean
choose_thing (const EsBatchThings *things, guint number, const char *layer, EsBatchChannel *channel, GError **error)
{
  EsDataset *dataset;
  gpointer thing;

  if (number < 1 || number > things->list->len)
    return es_batch_refuse (error, _("There is no file %u: %u are given."), number, things->list->len);
  thing = g_ptr_array_index (things->list, number - 1);
  if (thing == NULL)
    {
      /* The layers that there will be beside the first have no names yet. */
      channel->expected = layer == NULL && things->expected->titles != NULL && *things->expected->titles != NULL
                          ? things->expected : NULL;
      return TRUE;
    }
  dataset = ES_IS_CUBE (thing) ? thing : es_result_get_dataset (thing);
  channel->of = ES_IS_CUBE (dataset) ? ES_CUBE (dataset) : NULL;
  if (ES_IS_CUBE (thing) && layer == NULL)
    channel->cube = thing;
  else if (ES_IS_CUBE (thing))
    return es_batch_refuse (error, _("“%s” is a cube, which has no layer “%s”."), es_dataset_get_name (thing),
                            layer);
  else if ((channel->stack = find_stack (thing, layer)) == NULL)
    return layer != NULL
           ? es_batch_refuse (error, _("“%s” has no images called “%s”."), es_result_get_title (thing), layer)
           : es_batch_refuse (error, _("“%s” has no images."), es_result_get_title (thing));
  return TRUE;
}

/* "12", "640nm", "2.2 um", "PC 3". */
static gboolean
find_plane (EsBatchChannel *channel, const char *text, GError **error)
{
  const guint n = get_n (channel);
  char *end;
  double number = g_ascii_strtod (text, &end);
  int found = -1;

  if (end != text)
    {
      while (*end == ' ')
        end++;
      if (*end == '\0' && number >= 1 && number <= n && number == floor (number))
        found = (int) number - 1;
      else if (*end == '\0')
        return es_batch_refuse (error, _("There is no plane %s: expected a number from 1 to %u."), text, n);
      else if (strcmp (end, "nm") == 0)
        found = find_wavelength (channel, number);
      else if (strcmp (end, "um") == 0 || strcmp (end, "µm") == 0 || strcmp (end, "μm") == 0)
        found = find_wavelength (channel, 1000 * number);
    }
  for (guint i = 0; found < 0 && i < n; i++)
    {
      g_autofree char *title = es_batch_channel_make_title (channel, i);

      if (g_ascii_strcasecmp (title, text) == 0)
        found = (int) i;
    }
  if (found < 0)
    return es_batch_refuse (error, _("There is no plane “%s”: expected its number, a wavelength such as 640nm, or its "
                                     "name."), text);
  channel->plane = (guint) found;
  return TRUE;
}

/* "[FILE[/LAYER]:]PLANE". */
static gboolean
parse_channel (const EsBatchThings *things, const char *text, EsBatchChannel *channel, GError **error)
{
  const char *colon = strchr (text, ':');
  g_autofree char *of = colon != NULL ? g_strndup (text, colon - text) : NULL;
  g_autofree char *plane = g_strstrip (g_strdup (colon != NULL ? colon + 1 : text));
  char *layer = of != NULL ? strchr (of, '/') : NULL;
  guint64 number = 1;

  if (layer != NULL)
    *layer++ = '\0';
  if (of != NULL && !g_ascii_string_to_unsigned (g_strstrip (of), 10, 1, G_MAXUINT, &number, NULL))
    return es_batch_refuse (error, _("“%s” is no plane: expected FILE:PLANE, the file by its number."), text);
  return choose_thing (things, (guint) number, layer, channel, error)
         && (!is_known (channel) || find_plane (channel, plane, error));
}

static gboolean
choose_preset (const EsBatchThings *things, const EsCompositePreset *preset, EsBatchChannel channels[3],
               GError **error)
{
  guint bands[3];

  for (guint i = 0; i < things->list->len; i++)
    {
      gpointer thing = g_ptr_array_index (things->list, i);
      EsCube *cube = ES_IS_CUBE (thing) ? thing : NULL;

      if (cube == NULL)
        continue;
      if (!es_cube_pick_near (cube, preset->nanometres, bands))
        return es_batch_refuse (error, _("“%s” has no bands for “%s”: expected some near %g, %g and %g nm."),
                                es_dataset_get_name (ES_DATASET (cube)), preset->id, preset->nanometres[0],
                                preset->nanometres[1], preset->nanometres[2]);
      for (guint k = 0; k < 3; k++)
        channels[k] = (EsBatchChannel) { .cube = cube, .plane = bands[k], .of = cube };
      return TRUE;
    }
  return es_batch_refuse (error, _("“%s” is of the bands of a cube, and none is given."), preset->id);
}

/* What the window would show first. */
static gboolean
choose_usual (const EsBatchThings *things, EsBatchChannel channels[3], GError **error)
{
  guint bands[3] = { 0, 1, 2 };

  for (guint i = 0; i < 3; i++)
    if (!choose_thing (things, 1, NULL, &channels[i], error))
      return FALSE;
  if (channels[0].cube != NULL)
    es_cube_pick_rgb (channels[0].cube, bands);
  for (guint i = 0; i < 3; i++)
    channels[i].plane = is_known (&channels[i]) ? MIN (bands[i], get_n (&channels[i]) - 1) : 0;
  return TRUE;
}

/* What can be told of it without the files. */
gboolean
es_batch_channels_check (const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 4);
  g_autofree char *ids = NULL;

  if (*text == '\0' || es_composite_find_preset (text) != NULL || g_strv_length (parts) == 3)
    return TRUE;
  ids = es_composite_list_presets ();
  return es_batch_refuse (error, _("rgb cannot be “%s”: expected three planes with commas between them, or one of "
                                   "%s."), text, ids);
}

static gboolean
is_of_size (const EsBatchChannel *channel, const EsBatchChannel *other)
{
  return es_batch_channel_get_width (channel) == es_batch_channel_get_width (other)
         && es_batch_channel_get_height (channel) == es_batch_channel_get_height (other);
}

gboolean
es_batch_channels_choose (const EsBatchThings *things, const char *text, EsBatchChannel channels[3], GError **error)
{
  const EsCompositePreset *preset = es_composite_find_preset (text);
  g_auto (GStrv) parts = g_strsplit (text, ",", 4);

  if (*text == '\0')
    return choose_usual (things, channels, error);
  if (preset != NULL)
    return choose_preset (things, preset, channels, error);
  if (!es_batch_channels_check (text, error))
    return FALSE;
  for (guint i = 0; i < 3; i++)
    if (!parse_channel (things, parts[i], &channels[i], error))
      return FALSE;
  for (guint i = 1; i < 3; i++)
    if (is_known (&channels[0]) && is_known (&channels[i]) && !is_of_size (&channels[i], &channels[0]))
      return es_batch_refuse (error,
                              _("Red, green and blue have to be of one size: one has %u × %u pixels, another %u × %u."),
                              (guint) es_batch_channel_get_width (&channels[0]),
                              (guint) es_batch_channel_get_height (&channels[0]),
                              (guint) es_batch_channel_get_width (&channels[i]),
                              (guint) es_batch_channel_get_height (&channels[i]));
  return TRUE;
}
