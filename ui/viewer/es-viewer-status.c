/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the status line says of the pixel under the pointer, else of the one that is selected. */

#include "es-viewer-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-task.h"
#include "cube/es-cube.h"
#include "widgets/es-format.h"

static void
append_unit (GString *text, const char *unit)
{
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (text, " %s", unit);
}

/* Of planes of several sources: each has its own. */
static gboolean
has_units (EsPlaneSource *source, guint n, const guint *planes)
{
  for (guint i = 1; i < n; i++)
    if (g_strcmp0 (es_plane_source_get_plane_unit (source, planes[i]),
                   es_plane_source_get_plane_unit (source, planes[0])) != 0)
      return TRUE;
  return FALSE;
}

/* step: how many pixels a side the samples are means of. */
static void
append_samples (GString *text, EsPicture *picture, EsDisplay *display, const double *samples, guint step)
{
  const char *letters[3] = { C_("channel", "R"), C_("channel", "G"), C_("channel", "B") };
  EsPlaneSource *source = display != NULL ? es_display_get_source (display) : NULL;
  guint n = es_picture_get_n_planes (picture), planes[3];
  /* Others may be on their way to the picture. */
  gboolean known = source != NULL && es_display_get_planes (display, planes) == n;
  gboolean units = known && has_units (source, n, planes);
  gboolean any = FALSE;

  for (guint i = 0; i < n; i++)
    any = any || !isnan (samples[i]);
  if (!any)
    {
      g_string_append (text, _("no data"));
      return;
    }
  if (n == 1 && source != NULL && es_plane_source_get_classes (source) != NULL)
    {
      g_autofree char *name = es_class_table_name (es_plane_source_get_classes (source), (gint64) samples[0]);

      /* TRANSLATORS: of a classification: the number of the class under the pointer, and its name */
      g_string_append_printf (text, _("%lld  %s"), (long long) samples[0], name);
      if (es_class_table_find_sample (es_plane_source_get_classes (source), samples[0]) == NULL)
        g_string_append (text, _(" (not in the file's list)"));
      return;
    }
  for (guint i = 0; i < n; i++)
    {
      const EsPlaneStatistics *statistics = es_picture_get_statistics (picture, i);
      double range = statistics != NULL ? statistics->quantiles[990] - statistics->quantiles[10] : 0;
      g_autofree char *value = es_format_number (samples[i], range);
      g_autofree char *title = known && n == 3 ? es_plane_source_get_plane_title (source, planes[i]) : NULL;

      if (title != NULL)
        /* Translators: in the status line: channel, what it shows, and the value there: "R PC 1: 0.25". */
        g_string_append_printf (text, _("%s%s %s: %s"), i > 0 ? "  " : "", letters[i], title, value);
      else if (n == 3)
        g_string_append_printf (text, "%s%s %s", i > 0 ? "  " : "", letters[i], value);
      else
        g_string_append (text, value);
      if (units)
        append_unit (text, es_plane_source_get_plane_unit (source, planes[i]));
    }
  if (known && !units)
    append_unit (text, es_plane_source_get_plane_unit (source, planes[0]));
  if (step > 1)
    {
      g_string_append_c (text, ' ');
      /* TRANSLATORS: behind a value that is read out of a picture of so many pixels in one */
      g_string_append_printf (text, _("(mean of %u × %u)"), step, step);
    }
}

void
_es_viewer_append_values (GString *text, EsPicture *picture, EsDisplay *display, guint x, guint y)
{
  double samples[3];

  for (guint i = 0; i < es_picture_get_n_planes (picture); i++)
    samples[i] = es_picture_get_sample (picture, i, x + 0.5, y + 0.5);
  append_samples (text, picture, display, samples, es_picture_get_step (picture));
}

gboolean
_es_viewer_append_side_values (GString *text, EsViewerSide *side, guint x, guint y)
{
  EsPlaneSource *source = es_display_get_source (side->display);
  guint planes[3], n = es_display_get_planes (side->display, planes);
  double samples[3];

  if (source == NULL || es_picture_get_step (side->picture) == 1 || n != es_picture_get_n_planes (side->picture)
      || !es_plane_source_is_complete (source))
    {
      _es_viewer_append_values (text, side->picture, side->display, x, y);
      return TRUE;
    }
  if (es_pixel_probe_get (side->probe, source, n, planes, x, y, samples))
    {
      append_samples (text, side->picture, side->display, samples, 1);
      return TRUE;
    }
  if (es_pixel_probe_is_busy (side->probe))
    return FALSE;
  _es_viewer_append_values (text, side->picture, side->display, x, y);
  return TRUE;
}

/* NULL: some of it is being read. */
static char *
make_status (EsViewer *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *zoom = NULL;
  guint x = self->hovered.x, y = self->hovered.y;
  gboolean known = TRUE, any = self->hovered.any || es_image_view_get_selected (self->left.view, &x, &y);

  if (es_picture_is_empty (self->left.picture))
    return g_strdup ("");

  if (any)
    {
      double latitude, longitude;

      g_string_append_printf (text, _("x %u  y %u"), x, y);
      if (self->geographic
          && es_cube_get_geographic (ES_CUBE (self->dataset), x, y, &latitude, &longitude))
        {
          g_autofree char *place = es_format_geographic (latitude, longitude);

          g_string_append_printf (text, "   %s", place);
        }
      g_string_append (text, "   ");
      if (self->preview.stack != NULL)
        _es_viewer_append_values (text, self->left.picture, self->left.display, x, y);
      else
        known = _es_viewer_append_side_values (text, &self->left, x, y);
      if (_es_viewer_is_comparing (self))
        known = _es_viewer_append_right_values (self, text, x, y) && known;
      if (!known)
        return NULL;
      g_string_append (text, "   ");
    }
  zoom = es_format_zoom (es_image_view_get_zoom (self->left.view));
  g_string_append_printf (text, _("zoom %s"), zoom);
  return g_strdup (text->str);
}

static gboolean
update_status (gpointer data)
{
  EsViewer *self = ES_VIEWER (data);
  g_autofree char *status = make_status (self);

  self->status_idle = 0;
  /* What is being read comes in a moment: until then it says what it said. */
  if (status != NULL && g_strcmp0 (status, self->status) != 0)
    {
      g_free (self->status);
      self->status = g_steal_pointer (&status);
      _es_viewer_notify_status (self);
    }
  return G_SOURCE_REMOVE;
}

/* Not at once: it may be asked for while widgets get their sizes. */
void
_es_viewer_queue_status (EsViewer *self)
{
  if (self->status_idle == 0)
    self->status_idle = g_idle_add_full (G_PRIORITY_HIGH_IDLE, update_status, self, NULL);
}

typedef struct
{
  gboolean geographic;
  double   pixel_metres;
} Projection;

/* The first coordinate loads the projection's database, which is no work for the UI thread. */
static void
load_projection (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Projection *projection = g_new0 (Projection, 1);
  double latitude, longitude;

  projection->pixel_metres = es_cube_get_pixel_metres (ES_CUBE (data));
  /* Of a swath a corner may lie nowhere. */
  projection->geographic = es_cube_get_geographic (ES_CUBE (data), 0, 0, &latitude, &longitude)
                           || es_cube_get_geographic (ES_CUBE (data), (double) es_cube_get_width (ES_CUBE (data)) / 2,
                                                      (double) es_cube_get_height (ES_CUBE (data)) / 2, &latitude,
                                                      &longitude);
  g_task_return_pointer (task, projection, g_free);
}

static void
on_projection_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  EsViewer *self = ES_VIEWER (source);
  g_autofree Projection *projection = g_task_propagate_pointer (G_TASK (result), NULL);

  if (projection == NULL || g_task_get_task_data (G_TASK (result)) != self->dataset)
    return;
  self->geographic = projection->geographic;
  es_image_view_set_pixel_metres (self->left.view, projection->pixel_metres);
  _es_viewer_queue_status (self);
}

void
_es_viewer_find_projection (EsViewer *self)
{
  EsCube *cube = ES_IS_CUBE (self->dataset) ? ES_CUBE (self->dataset) : NULL;
  g_autoptr (GTask) task = NULL;

  self->geographic = FALSE;
  es_image_view_set_pixel_metres (self->left.view, 0);
  if (cube == NULL)
    return;
  task = g_task_new (self, NULL, on_projection_loaded, NULL);
  g_task_set_task_data (task, g_object_ref (cube), g_object_unref);
  es_task_run_in_thread (task, load_projection);
}
