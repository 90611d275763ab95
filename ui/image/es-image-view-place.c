/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the picture lies in its view, and which of its pixels is meant. */
#include "config.h"

#include "es-image-view-private.h"

#include <math.h>

#define SMALLEST_ZOOM (1 / 64.)
#define LARGEST_ZOOM  64.
#define FIT_MARGIN    12        /* widget pixels left round a fitted picture */

/* ---- where the picture lies ---- */

static double
device_width (EsImageView *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self)) * (double) gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

static double
device_height (EsImageView *self)
{
  return gtk_widget_get_height (GTK_WIDGET (self)) * (double) gtk_widget_get_scale_factor (GTK_WIDGET (self));
}

static double
fitting_zoom (EsImageView *self)
{
  double margin = 2. * FIT_MARGIN * gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double width = MAX (device_width (self) - margin, 1);
  double height = MAX (device_height (self) - margin, 1);

  return MIN (MIN (width / self->picture_width, height / self->picture_height), LARGEST_ZOOM);
}

/* One coordinate of the centre: a picture smaller than the view stays wholly inside, a larger one keeps
 * its edge on this side of the middle. */
static double
clamp_center (double center, double length, double view)
{
  if (length <= view)
    return CLAMP (center, length - view / 2, view / 2);
  return CLAMP (center, 0, length);
}

void
_es_image_view_move_to (EsImageView *self, double zoom, double center_x, double center_y)
{
  gboolean zoomed;

  if (self->picture_width == 0)
    return;

  zoom = CLAMP (zoom, MIN (SMALLEST_ZOOM, fitting_zoom (self)), LARGEST_ZOOM);
  zoomed = zoom != self->zoom;
  self->zoom = zoom;
  self->center_x = clamp_center (center_x, self->picture_width, device_width (self) / zoom);
  self->center_y = clamp_center (center_y, self->picture_height, device_height (self) / zoom);
  g_clear_object (&self->texture);
  _es_image_view_drop_marks (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (zoomed)
    g_object_notify (G_OBJECT (self), "zoom");
  g_signal_emit_by_name (self, "moved");
}

void
_es_image_view_apply_fit (EsImageView *self)
{
  if (self->picture_width > 0)
    _es_image_view_move_to (self, fitting_zoom (self), self->picture_width / 2., self->picture_height / 2.);
}

gboolean
_es_image_view_follow (EsImageView *self, EsImageView *from)
{
  if (from->picture_width == 0)
    return FALSE;
  self->fit = from->fit;
  _es_image_view_move_to (self, from->zoom, from->center_x, from->center_y);
  return self->picture_width > 0;
}

void
_es_image_view_zoom_at (EsImageView *self, double zoom, double x, double y)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  double from_middle_x = x * scale - device_width (self) / 2;
  double from_middle_y = y * scale - device_height (self) / 2;
  double fixed_x = self->center_x + from_middle_x / self->zoom;
  double fixed_y = self->center_y + from_middle_y / self->zoom;

  if (self->picture_width == 0)
    return;
  self->fit = FALSE;
  zoom = CLAMP (zoom, MIN (SMALLEST_ZOOM, fitting_zoom (self)), LARGEST_ZOOM);
  _es_image_view_move_to (self, zoom, fixed_x - from_middle_x / zoom, fixed_y - from_middle_y / zoom);
}

void
_es_image_view_pan_by (EsImageView *self, double dx, double dy)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));

  self->fit = FALSE;
  _es_image_view_move_to (self, self->zoom, self->center_x + dx * scale / self->zoom,
                          self->center_y + dy * scale / self->zoom);
}

void
es_image_view_get_viewport (EsImageView *self, EsViewport *viewport)
{
  double zoom;

  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  /* The corner lies on a whole device pixel, so that 1:1 is exact. */
  zoom = self->zoom;
  viewport->zoom = zoom;
  viewport->left = round (self->center_x * zoom - device_width (self) / 2) / zoom;
  viewport->top = round (self->center_y * zoom - device_height (self) / 2) / zoom;
}

gboolean
es_image_view_pick (EsImageView *self, double x, double y, double *picture_x, double *picture_y)
{
  int scale;
  EsViewport viewport;

  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);

  scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  es_image_view_get_viewport (self, &viewport);
  *picture_x = viewport.left + x * scale / viewport.zoom;
  *picture_y = viewport.top + y * scale / viewport.zoom;
  return *picture_x >= 0 && *picture_y >= 0 && *picture_x < self->picture_width
  && *picture_y < self->picture_height;
}

/* ---- hovering and selecting ---- */

void
_es_image_view_set_hovered (EsImageView *self, gboolean inside, guint x, guint y)
{
  if (self->has_hovered == inside && (!inside || (self->hovered_x == x && self->hovered_y == y)))
    return;
  self->has_hovered = inside;
  self->hovered_x = x;
  self->hovered_y = y;
  g_signal_emit_by_name (self, "hovered", inside, x, y);
}

gboolean
_es_image_view_get_hovered (EsImageView *self, guint *x, guint *y)
{
  *x = self->hovered_x;
  *y = self->hovered_y;
  return self->has_hovered;
}

void
_es_image_view_hover_at (EsImageView *self, double x, double y)
{
  double picture_x, picture_y;

  self->has_pointer = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  if (es_image_view_pick (self, x, y, &picture_x, &picture_y))
    _es_image_view_set_hovered (self, TRUE, (guint) picture_x, (guint) picture_y);
  else
    _es_image_view_set_hovered (self, FALSE, 0, 0);
}

static void
reveal (EsImageView *self, double x, double y)
{
  double half_width = device_width (self) / self->zoom / 2;
  double half_height = device_height (self) / self->zoom / 2;
  double center_x = self->center_x, center_y = self->center_y;

  if (x < center_x - half_width || x + 1 > center_x + half_width)
    center_x = x + 0.5;
  if (y < center_y - half_height || y + 1 > center_y + half_height)
    center_y = y + 0.5;
  if (center_x == self->center_x && center_y == self->center_y)
    return;
  self->fit = FALSE;
  _es_image_view_move_to (self, self->zoom, center_x, center_y);
}

void
es_image_view_select (EsImageView *self, guint x, guint y)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (x >= self->picture_width || y >= self->picture_height)
    return;
  if (gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    reveal (self, x, y);
  if (self->has_selected && self->selected_x == x && self->selected_y == y)
    return;
  self->has_selected = TRUE;
  self->selected_x = x;
  self->selected_y = y;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "selected", TRUE, x, y);
}

void
es_image_view_unselect (EsImageView *self)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (!self->has_selected)
    return;
  self->has_selected = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "selected", FALSE, 0, 0);
}

gboolean
es_image_view_get_selected (EsImageView *self, guint *x, guint *y)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);

  if (!self->has_selected)
    return FALSE;
  *x = self->selected_x;
  *y = self->selected_y;
  return TRUE;
}

/* ---- zoom for others ---- */

double
es_image_view_get_zoom (EsImageView *self)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), 1);
  return self->zoom;
}

gboolean
es_image_view_get_fit (EsImageView *self)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);
  return self->fit;
}

/* The picture has moved under a pointer that has not. */
static void
hover_again (EsImageView *self)
{
  if (self->has_pointer)
    _es_image_view_hover_at (self, self->pointer_x, self->pointer_y);
}

void
es_image_view_set_zoom (EsImageView *self, double zoom)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));
  g_return_if_fail (zoom > 0);

  self->fit = FALSE;
  _es_image_view_move_to (self, zoom, self->center_x, self->center_y);
  hover_again (self);
}

void
es_image_view_zoom_by (EsImageView *self, double factor)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));
  es_image_view_set_zoom (self, self->zoom * factor);
}

gboolean
es_image_view_get_place (EsImageView *self, double *x, double *y)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);

  *x = self->center_x;
  *y = self->center_y;
  return self->picture_width > 0;
}

gboolean
es_image_view_set_place (EsImageView *self, double zoom, double x, double y)
{
  g_return_val_if_fail (ES_IS_IMAGE_VIEW (self), FALSE);

  if (self->picture_width == 0 || !(zoom > 0) || !isfinite (x) || !isfinite (y))
    return FALSE;
  self->fit = FALSE;
  _es_image_view_move_to (self, zoom, x, y);
  hover_again (self);
  return TRUE;
}

void
es_image_view_fit (EsImageView *self)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  self->fit = TRUE;
  _es_image_view_apply_fit (self);
  hover_again (self);
}
