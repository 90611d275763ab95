/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Three planes as red, green and blue, in a file: the pixels that the window would save. */

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-batch-channel-private.h"
#include "es-batch-composite.h"
#include "plane/es-composite.h"
#include "tool/es-batch-tool.h"
#include "writers/es-writer.h"

static const EsParamChoice curves[] = {
  { "linear", N_("Linear") },
  { "square-root", N_("Square root") },
  { "logarithm", N_("Logarithm") },
  { "gaussian", N_("Gaussian") },
  { "equalise", N_("Equalized") },
  { .id = NULL }
};

const EsParamSpec es_batch_composite_params[] = {
  { .key = "rgb", .label = N_("Red, green and blue"), .type = ES_PARAM_TEXT,
    .help = N_("Three planes with commas between them, or a preset.") },
  { .key = "cut", .label = N_("Cut"), .type = ES_PARAM_FLOAT, .unit = "%", .maximum = 0.49, .default_value = 0.02,
    .digits = 1, .help = N_("How much of the histogram is cut off at both ends.") },
  { .key = "deviations", .label = N_("Standard deviations"), .type = ES_PARAM_FLOAT, .maximum = 100, .digits = 1,
    .help = N_("Instead: so many of them either way of the mean.") },
  { .key = "curve", .label = N_("Curve"), .type = ES_PARAM_CHOICE, .choices = curves,
    .help = N_("How values are spread between both ends.") },
  { .key = "linked", .label = N_("Linked"), .type = ES_PARAM_BOOL,
    .help = N_("Red, green and blue have one stretch, the widest of theirs.") },
  { .key = "limits", .label = N_("Limits"), .type = ES_PARAM_TEXT,
    .help = N_("Instead: LOW:HIGH for all three, or three of them with commas between; an empty one is worked out.") },
  { .type = ES_PARAM_END }
};

/* ---- how planes are stretched ---- */

static gboolean
parse_limits (const char *text, EsCompositeLook *look, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", 4);
  const guint n = g_strv_length (parts);

  if (*text == '\0')
    return TRUE;
  if (n != 1 && n != 3)
    return es_batch_refuse (error, _("limits cannot be “%s”: expected one pair LOW:HIGH, or three."), text);
  for (guint i = 0; i < 3; i++)
    {
      const char *part = g_strstrip (parts[n == 1 ? 0 : i]);
      char *end;

      if (*part == '\0')
        continue;
      look->limits[i][0] = g_ascii_strtod (part, &end);
      if (end == part || *end != ':')
        return es_batch_refuse (error, _("“%s” is no pair of limits: expected LOW:HIGH."), part);
      part = end + 1;
      look->limits[i][1] = g_ascii_strtod (part, &end);
      if (end == part || *end != '\0' || !isfinite (look->limits[i][0]) || !isfinite (look->limits[i][1]))
        return es_batch_refuse (error, _("“%s” is no pair of limits: expected LOW:HIGH."), parts[n == 1 ? 0 : i]);
      look->limited[i] = TRUE;
    }
  return TRUE;
}

EsParams *
es_batch_composite_parse (const char *text, GError **error)
{
  g_autoptr (EsParams) params = es_params_new (es_batch_composite_params);
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  g_autoptr (GString) planes = g_string_new (NULL);
  EsCompositeLook look;

  for (guint i = 0; words[i] != NULL; i++)
    if (strchr (words[i], '=') != NULL)
      {
        if (!es_batch_parse_parameter (params, words[i], error))
          return NULL;
      }
    else if (*words[i] != '\0')
      /* "PC 1" is of two words. */
      g_string_append_printf (planes, "%s%s", planes->len > 0 ? " " : "", words[i]);
  if (planes->len > 0)
    es_params_set_text (params, "rgb", planes->str);
  if (!es_batch_channels_check (es_params_get_text (params, "rgb"), error)
      || !parse_limits (es_params_get_text (params, "limits"), &look, error))
    return NULL;
  return g_steal_pointer (&params);
}

gboolean
es_batch_composite_check (EsJob *job, EsParams *params, GError **error)
{
  EsBatchExpected expected = { 0 };
  g_auto (GStrv) titles = expected.titles = es_job_list_planes (job, &expected.width, &expected.height);
  g_autoptr (GPtrArray) list = g_ptr_array_new ();
  const EsBatchThings things = { list, &expected };
  EsBatchChannel channels[3] = { 0 };

  g_ptr_array_add (list, NULL);
  g_ptr_array_add (list, es_job_get_dataset (job));
  return es_batch_channels_choose (&things, es_params_get_text (params, "rgb"), channels, error);
}

/* ---- the picture ---- */

static EsPlane *
read_plane (const EsBatchChannel *channel, guint step, GCancellable *cancellable, GError **error)
{
  const guint width = (guint) ((es_batch_channel_get_width (channel) + step - 1) / step);
  const guint height = (guint) ((es_batch_channel_get_height (channel) + step - 1) / step);
  gsize bytes;
  float *values = g_size_checked_mul (&bytes, width, height) && g_size_checked_mul (&bytes, bytes, sizeof (float))
                  ? g_try_malloc (bytes) : NULL;
  g_autoptr (GBytes) samples = NULL;

  if (values == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("A plane of %u × %u pixels does not fit in memory."), width, height);
      return NULL;
    }
  samples = g_bytes_new_take (values, bytes);
  if (!(channel->cube != NULL
        ? es_cube_read_band_means (channel->cube, channel->plane, step, values, cancellable, error)
        : es_image_stack_read_means (channel->stack, channel->plane, step, values, cancellable, error)))
    return NULL;
  return es_plane_new (samples, width, height);
}

/* Where a channel lies: of a stack of another size than its cube's nobody knows. */
static EsCube *
find_place (const EsBatchChannel *channel)
{
  EsCube *cube = channel->of;

  return cube != NULL && es_cube_get_geotransform (cube) != NULL
         && es_cube_get_width (cube) == es_batch_channel_get_width (channel)
         && es_cube_get_height (cube) == es_batch_channel_get_height (channel) ? cube : NULL;
}

static gboolean
is_same_place (EsCube *one, EsCube *other)
{
  return one == other
         || (one != NULL && other != NULL
             && memcmp (es_cube_get_geotransform (one), es_cube_get_geotransform (other), 6 * sizeof (double)) == 0
             && g_strcmp0 (es_cube_get_projection (one), es_cube_get_projection (other)) == 0);
}

/* The place of all three; else none, which is noted. */
static EsCube *
settle_place (const EsBatchChannel channels[3], GFile *target, GPtrArray *notes)
{
  EsCube *first = find_place (&channels[0]);

  for (guint i = 1; i < 3; i++)
    if (!is_same_place (first, find_place (&channels[i])))
      {
        if (es_written_image_is_geotiff (target))
          g_ptr_array_add (notes, g_strdup (_("Red, green and blue do not lie at one place of a map: the picture is "
                                              "written without a place.")));
        return NULL;
      }
  return first;
}

gboolean
es_batch_composite_write (GPtrArray *things, EsParams *params, GFile *target, GPtrArray *notes,
                          GCancellable *cancellable, GError **error)
{
  EsCompositeLook look = { .cut = es_params_get_float (params, "cut"),
                           .deviations = es_params_get_float (params, "deviations"),
                           .curve = (EsStretch) es_params_get_choice (params, "curve"),
                           .linked = es_params_get_bool (params, "linked") };
  EsBatchChannel channels[3] = { 0 };
  EsPlane *planes[3] = { NULL };
  g_autoptr (GBytes) pixels = NULL;
  g_autoptr (GString) description = g_string_new (NULL);
  gboolean written = FALSE;
  guint step;

  if (!es_batch_channels_choose (&(EsBatchThings) { things, NULL }, es_params_get_text (params, "rgb"), channels, error)
      || !parse_limits (es_params_get_text (params, "limits"), &look, error))
    return FALSE;
  step = es_composite_pick_step (es_batch_channel_get_width (&channels[0]), es_batch_channel_get_height (&channels[0]));
  for (guint i = 0; i < 3 && (i == 0 || planes[i - 1] != NULL); i++)
    {
      g_autofree char *title = es_batch_channel_make_title (&channels[i], channels[i].plane);

      g_string_append_printf (description, "%s%c %s", i > 0 ? ", " : "", "RGB"[i], title);
      planes[i] = read_plane (&channels[i], step, cancellable, error);
    }
  if (planes[2] != NULL)
    {
      pixels = es_composite_paint (planes, &look, step, (guint) es_batch_channel_get_width (&channels[0]),
                                   (guint) es_batch_channel_get_height (&channels[0]));
      if (pixels == NULL)
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, _("The picture does not fit in memory."));
    }
  if (pixels != NULL)
    {
      EsWrittenImage image = { .width = (guint) ((es_batch_channel_get_width (&channels[0]) + step - 1) / step),
                               .height = (guint) ((es_batch_channel_get_height (&channels[0]) + step - 1) / step),
                               .pixels = g_bytes_get_data (pixels, NULL), .step = step,
                               .cube = settle_place (channels, target, notes),
                               .description = description->str, .keeps = TRUE };

      written = es_write_image (&image, target, notes, cancellable, error);
    }
  for (guint i = 0; i < 3; i++)
    g_clear_pointer (&planes[i], es_plane_unref);
  return written;
}
