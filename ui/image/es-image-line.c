/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A line over the picture, of which somebody else knows the values: its corners can be dragged. */

#include "es-image-view-private.h"

#include <math.h>

#include "es-image-overlay.h"
#include "widgets/es-capture.h"

#define CORNER_DISTANCE 8       /* widget pixels within which a corner is meant */
#define CORNER_SIZE     7

typedef struct { double x, y; } Place;

static const GdkRGBA line_color = { 1, 0.82f, 0.15f, 1 };

static Place
point_of (EsImageView *self, const EsViewport *viewport, guint i)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  const Place place = g_array_index (self->line, Place, i);

  return (Place) { (place.x - viewport->left) * viewport->zoom / scale,
                   (place.y - viewport->top) * viewport->zoom / scale };
}

static void
trace (EsImageView *self, const EsViewport *viewport, cairo_t *cr)
{
  for (guint i = 0; i < self->line->len; i++)
    {
      const Place point = point_of (self, viewport, i);

      cairo_line_to (cr, point.x, point.y);
    }
}

void
_es_image_view_draw_line (EsImageView *self, GtkSnapshot *snapshot, const EsViewport *viewport)
{
  const int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  cairo_t *cr;

  if (self->line->len < 2)
    return;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                                       gtk_widget_get_height (GTK_WIDGET (self))));
  /* Dark beneath light: seen on any picture. */
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  trace (self, viewport, cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.6);
  cairo_set_line_width (cr, 3.5);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &line_color);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  for (guint i = 0; self->line_handles && i < self->line->len; i++)
    {
      const Place point = point_of (self, viewport, i);

      cairo_rectangle (cr, point.x - CORNER_SIZE / 2., point.y - CORNER_SIZE / 2., CORNER_SIZE, CORNER_SIZE);
      gdk_cairo_set_source_rgba (cr, &line_color);
      cairo_fill_preserve (cr);
      cairo_set_source_rgba (cr, 0, 0, 0, 0.8);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
  if (!isnan (self->line_cursor[0]) && !es_capture_hides_pointer ())
    es_image_overlay_ring (snapshot, (self->line_cursor[0] - viewport->left) * viewport->zoom / scale,
                           (self->line_cursor[1] - viewport->top) * viewport->zoom / scale, &line_color);
}

int
_es_image_view_pick_corner (EsImageView *self, double x, double y)
{
  double least = CORNER_DISTANCE;
  EsViewport viewport;
  int nearest = -1;

  if (!self->line_handles || self->line->len < 2 || self->corners->len > 0
      || (self->tool != ES_IMAGE_TOOL_PAN && self->tool != ES_IMAGE_TOOL_LINE))
    return -1;
  es_image_view_get_viewport (self, &viewport);
  for (guint i = 0; i < self->line->len; i++)
    {
      const Place point = point_of (self, &viewport, i);
      const double distance = hypot (point.x - x, point.y - y);

      if (distance <= least)
        {
          least = distance;
          nearest = (int) i;
        }
    }
  return nearest;
}

void
_es_image_view_drag_corner (EsImageView *self, double x, double y, gboolean final)
{
  double picture_x, picture_y;

  es_image_view_pick (self, x, y, &picture_x, &picture_y);
  g_signal_emit_by_name (self, "line-moved", (guint) self->line_corner, CLAMP (picture_x, 0, self->picture_width),
                         CLAMP (picture_y, 0, self->picture_height), final);
  if (final)
    self->line_corner = -1;
}

/* The shape of the pointer says that there is something to take hold of. */
void
_es_image_view_follow_corner (EsImageView *self, double x, double y)
{
  const gboolean over = self->line_dragging || _es_image_view_pick_corner (self, x, y) >= 0;

  if (over == self->over_corner || self->panning)
    return;
  self->over_corner = over;
  if (over)
    gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "move");
  else
    _es_image_view_set_tool_cursor (self);
}

void
es_image_view_set_line (EsImageView *self, guint n, const double *places, gboolean handles)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));
  g_return_if_fail (n == 0 || places != NULL);

  if (n == 0 && self->line->len == 0)
    return;
  g_array_set_size (self->line, 0);
  if (n > 0)
    g_array_append_vals (self->line, places, n);
  else
    self->line_cursor[0] = self->line_cursor[1] = NAN;
  self->line_handles = handles;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_image_view_set_line_cursor (EsImageView *self, double x, double y)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if ((x == self->line_cursor[0] && y == self->line_cursor[1]) || (isnan (x) && isnan (self->line_cursor[0])))
    return;
  self->line_cursor[0] = x;
  self->line_cursor[1] = y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
