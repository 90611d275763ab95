/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The line of a profile in the picture: it is drawn and dragged there, and a cursor goes along both. */

#include "es-profile-pane-private.h"

#include <math.h>

/* Pixels of the screen round the line within which the pointer in the picture is a place of it. */
#define NEAR_LINE 24

static void
draw_cursor (EsProfilePane *self)
{
  const double cursor = es_plot_get_cursor (self->plot);
  guint nearest = 0;

  if (self->image == NULL || isnan (cursor) || self->profile == NULL)
    {
      if (self->image != NULL)
        es_image_view_set_line_cursor (self->image, NAN, NAN);
      return;
    }
  for (guint i = 1; i < self->profile->n; i++)
    if (fabs (_es_profile_pane_distance (self, i) - cursor)
        < fabs (_es_profile_pane_distance (self, nearest) - cursor))
      nearest = i;
  es_image_view_set_line_cursor (self->image, self->profile->places[nearest].x + 0.5,
                                 self->profile->places[nearest].y + 0.5);
}

void
_es_profile_pane_draw_line (EsProfilePane *self)
{
  /* One that is being drawn is ahead of what is read along it. */
  const EsProfileLine *line = self->kind == ES_PROFILE_LINE ? self->line : self->of;
  g_autofree double *places = NULL;

  if (self->image == NULL)
    return;
  if (line == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      es_image_view_set_line (self->image, 0, NULL, FALSE);
      return;
    }
  places = g_new (double, 2 * line->n);
  for (guint i = 0; i < line->n; i++)
    {
      places[2 * i] = line->places[i].x + 0.5;
      places[2 * i + 1] = line->places[i].y + 0.5;
    }
  es_image_view_set_line (self->image, line->n, places, self->kind == ES_PROFILE_LINE);
}

/* The cursor of the plot is where the pointer is in the picture: on a row or a column above or beside it, on a line
 * where it is near. */
void
_es_profile_pane_follow (EsProfilePane *self)
{
  double away = 0;
  guint i;

  if (!self->hovered.any)
    {
      es_plot_set_cursor (self->plot, NAN);
      return;
    }
  i = es_profile_find_nearest (self->profile, self->hovered.x, self->hovered.y, &away);
  if (self->kind == ES_PROFILE_LINE && self->image != NULL
      && away * es_image_view_get_zoom (self->image) / gtk_widget_get_scale_factor (GTK_WIDGET (self)) > NEAR_LINE)
    es_plot_set_cursor (self->plot, NAN);
  else
    es_plot_set_cursor (self->plot, _es_profile_pane_distance (self, i));
}

/* In the middle of pixels: ends that can be told by whole numbers, and values that are in the file. */
static EsProfilePlace
snap (EsProfilePane *self, double x, double y)
{
  EsPlaneSource *source = es_display_get_source (self->display);

  return (EsProfilePlace) { CLAMP (floor (x), 0, es_plane_source_get_width (source) - 1.),
                            CLAMP (floor (y), 0, es_plane_source_get_height (source) - 1.) };
}

static void
on_line_drawn (EsProfilePane *self, guint n, const double *drawn)
{
  g_autofree EsProfilePlace *places = NULL;
  g_autoptr (EsProfileLine) line = NULL;

  if (es_display_get_source (self->display) == NULL || n < 2)
    return;
  n = MIN (n, ES_PROFILE_MOST_PLACES);
  places = g_new (EsProfilePlace, n);
  for (guint i = 0; i < n; i++)
    places[i] = snap (self, drawn[2 * i], drawn[2 * i + 1]);
  line = es_profile_line_new (n, places, self->sampling, self->width);
  es_profile_pane_set_line (self, line);
}

static void
on_line_moved (EsProfilePane *self, guint which, double x, double y, gboolean final)
{
  g_autoptr (EsProfileLine) line = NULL;

  if (self->line == NULL || which >= self->line->n || es_display_get_source (self->display) == NULL)
    return;
  line = es_profile_line_copy (self->line);
  line->places[which] = snap (self, x, y);
  es_profile_pane_set_line (self, line);
}

void
es_profile_pane_set_image (EsProfilePane *self, EsImageView *image)
{
  g_return_if_fail (ES_IS_PROFILE_PANE (self));
  g_return_if_fail (self->image == NULL);

  g_set_weak_pointer (&self->image, image);
  g_signal_connect_object (self->plot, "changed", G_CALLBACK (draw_cursor), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (image, "line-drawn", G_CALLBACK (on_line_drawn), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (image, "line-moved", G_CALLBACK (on_line_moved), self, G_CONNECT_SWAPPED);
}
