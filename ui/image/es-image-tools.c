/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Rectangles, polygons and lines drawn by hand in an image view. */

#include "es-image-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define CLOSE_DISTANCE 8        /* widget pixels: a click this near to the first corner closes a polygon */
#define FREEHAND_STEP  3        /* widget pixels between the corners of a line drawn freehand */

typedef struct { double x, y; } Corner;

static Corner
corner_at (EsImageView *self, guint i)
{
  return g_array_index (self->corners, Corner, i);
}

/* A widget point as a place in the picture; outside of it, the nearest of its border. */
static Corner
place_of (EsImageView *self, double x, double y)
{
  Corner place;

  es_image_view_pick (self, x, y, &place.x, &place.y);
  place.x = CLAMP (place.x, 0, self->picture_width);
  place.y = CLAMP (place.y, 0, self->picture_height);
  return place;
}

static Corner
widget_point (EsImageView *self, Corner place)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  EsViewport viewport;

  es_image_view_get_viewport (self, &viewport);
  return (Corner) { (place.x - viewport.left) * viewport.zoom / scale,
                    (place.y - viewport.top) * viewport.zoom / scale };
}

static double
distance_to (EsImageView *self, guint corner, double x, double y)
{
  Corner point = widget_point (self, corner_at (self, corner));

  return hypot (point.x - x, point.y - y);
}

static void
add_corner (EsImageView *self, Corner corner)
{
  g_array_append_val (self->corners, corner);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
forget (EsImageView *self)
{
  g_array_set_size (self->corners, 0);
  self->drawing = FALSE;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* The pixels that two opposite corners lie in, and all between them. */
static EsRegion *
make_rectangle (EsImageView *self)
{
  Corner a = corner_at (self, 0), b = corner_at (self, 1);
  double right = self->picture_width - 1., bottom = self->picture_height - 1.;
  double x0 = CLAMP (floor (MIN (a.x, b.x)), 0, right), x1 = CLAMP (floor (MAX (a.x, b.x)), 0, right);
  double y0 = CLAMP (floor (MIN (a.y, b.y)), 0, bottom), y1 = CLAMP (floor (MAX (a.y, b.y)), 0, bottom);

  return es_region_new_rectangle ((gint64) x0, (gint64) y0, (gint64) (x1 - x0) + 1, (gint64) (y1 - y0) + 1);
}

static void
finish (EsImageView *self)
{
  const gboolean polygon = self->tool == ES_IMAGE_TOOL_POLYGON;
  g_autoptr (EsRegion) region = NULL;

  if (self->tool == ES_IMAGE_TOOL_LINE)
    {
      g_autoptr (GArray) places = g_array_copy (self->corners);

      forget (self);
      if (places->len >= 2)
        g_signal_emit_by_name (self, "line-drawn", places->len, places->data);
      return;
    }
  if (self->corners->len >= (polygon ? 3 : 2))
    region = polygon ? es_region_new_polygon ((const double *) self->corners->data, self->corners->len)
                     : make_rectangle (self);
  forget (self);
  if (region != NULL)
    _es_image_view_region_drawn (self, region);
}

/* ---- the pointer ---- */

gboolean
_es_image_view_tool_begin (EsImageView *self, double x, double y)
{
  if (self->tool == ES_IMAGE_TOOL_PAN || self->picture_width == 0)
    return FALSE;
  if (self->tool == ES_IMAGE_TOOL_RECTANGLE)
    g_array_set_size (self->corners, 0);
  self->drawing = TRUE;
  /* A line whose corners are being set goes on from the last of them. */
  if (self->tool != ES_IMAGE_TOOL_LINE || self->corners->len == 0)
    add_corner (self, place_of (self, x, y));
  if (self->tool == ES_IMAGE_TOOL_RECTANGLE || self->tool == ES_IMAGE_TOOL_LINE)
    add_corner (self, place_of (self, x, y));
  return TRUE;
}

void
_es_image_view_tool_drag (EsImageView *self, double x, double y)
{
  if (!self->drawing)
    return;
  if (self->tool == ES_IMAGE_TOOL_RECTANGLE || self->tool == ES_IMAGE_TOOL_LINE)
    {
      g_array_index (self->corners, Corner, self->corners->len - 1) = place_of (self, x, y);
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  else if (distance_to (self, self->corners->len - 1, x, y) >= FREEHAND_STEP)
    {
      add_corner (self, place_of (self, x, y));
    }
}

void
_es_image_view_tool_end (EsImageView *self)
{
  if (!self->drawing)
    return;
  if (self->tool == ES_IMAGE_TOOL_LINE && self->corners->len > 2)
    self->drawing = FALSE;
  else
    finish (self);
}

gboolean
_es_image_view_tool_click (EsImageView *self, double x, double y, guint n_press)
{
  guint n = self->corners->len;

  if (self->picture_width == 0 || (self->tool != ES_IMAGE_TOOL_POLYGON && self->tool != ES_IMAGE_TOOL_LINE))
    return FALSE;
  if (self->tool == ES_IMAGE_TOOL_LINE && n_press > 1)
    {
      if (n >= 2)
        finish (self);
    }
  else if (self->tool == ES_IMAGE_TOOL_POLYGON && n >= 3
           && (n_press > 1 || distance_to (self, 0, x, y) <= CLOSE_DISTANCE))
    finish (self);
  else if (n_press <= 1)
    add_corner (self, place_of (self, x, y));
  return TRUE;
}

gboolean
_es_image_view_tool_close (EsImageView *self)
{
  if ((self->tool != ES_IMAGE_TOOL_POLYGON || self->corners->len < 3)
      && (self->tool != ES_IMAGE_TOOL_LINE || self->corners->len < 2))
    return FALSE;
  finish (self);
  return TRUE;
}

gboolean
_es_image_view_tool_cancel (EsImageView *self)
{
  if (self->corners->len == 0)
    return FALSE;
  forget (self);
  return TRUE;
}

void
_es_image_view_set_tool_cursor (EsImageView *self)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), self->tool == ES_IMAGE_TOOL_PAN ? "crosshair" : "cell");
}

/* ---- keys ---- */

static gboolean
on_key_tool (GtkWidget *widget, GVariant *tool, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);

  if (self->tool_box == NULL)
    return GDK_EVENT_PROPAGATE;
  es_image_view_set_tool (self, (EsImageTool) g_variant_get_int32 (tool));
  return GDK_EVENT_STOP;
}

/* A corner where the crosshair is: the middle of its pixel. */
static gboolean
on_key_corner (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);

  if (self->tool == ES_IMAGE_TOOL_PAN || self->picture_width == 0)
    return GDK_EVENT_PROPAGATE;
  if (!self->has_selected)
    es_image_view_select (self, (guint) CLAMP (self->center_x, 0, self->picture_width - 1),
                          (guint) CLAMP (self->center_y, 0, self->picture_height - 1));
  add_corner (self, (Corner) { self->selected_x + 0.5, self->selected_y + 0.5 });
  if (self->tool == ES_IMAGE_TOOL_RECTANGLE && self->corners->len == 2)
    finish (self);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_back (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);

  if (self->corners->len == 0)
    return GDK_EVENT_PROPAGATE;
  g_array_set_size (self->corners, self->corners->len - 1);
  gtk_widget_queue_draw (widget);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_cancel (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsImageView *self = ES_IMAGE_VIEW (widget);

  if (_es_image_view_tool_cancel (self))
    return GDK_EVENT_STOP;
  if (self->tool == ES_IMAGE_TOOL_PAN)
    return GDK_EVENT_PROPAGATE;
  es_image_view_set_tool (self, ES_IMAGE_TOOL_PAN);
  return GDK_EVENT_STOP;
}

void
_es_image_view_bind_tool_keys (GtkWidgetClass *klass)
{
  static const guint keys[ES_N_IMAGE_TOOLS] = { GDK_KEY_v, GDK_KEY_r, GDK_KEY_p, GDK_KEY_l };

  for (int i = 0; i < ES_N_IMAGE_TOOLS; i++)
    gtk_widget_class_add_binding (klass, keys[i], 0, on_key_tool, "i", i);
  gtk_widget_class_add_binding (klass, GDK_KEY_space, 0, on_key_corner, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_BackSpace, 0, on_key_back, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Escape, 0, on_key_cancel, NULL);
}

/* ---- what is being drawn ---- */

static void
trace (EsImageView *self, cairo_t *cr)
{
  Corner first = widget_point (self, corner_at (self, 0));

  if (self->tool == ES_IMAGE_TOOL_RECTANGLE)
    {
      Corner other = self->corners->len > 1 ? widget_point (self, corner_at (self, 1))
                                            : (Corner) { self->pointer_x, self->pointer_y };

      cairo_rectangle (cr, MIN (first.x, other.x), MIN (first.y, other.y), fabs (other.x - first.x),
                       fabs (other.y - first.y));
      return;
    }
  cairo_move_to (cr, first.x, first.y);
  for (guint i = 1; i < self->corners->len; i++)
    {
      Corner point = widget_point (self, corner_at (self, i));

      cairo_line_to (cr, point.x, point.y);
    }
  if (self->drawing && self->tool == ES_IMAGE_TOOL_POLYGON)
    cairo_close_path (cr);
  else if (self->drawing)
    return;
  else if (self->has_pointer)
    cairo_line_to (cr, self->pointer_x, self->pointer_y);
}

void
_es_image_view_draw_tool (EsImageView *self, GtkSnapshot *snapshot)
{
  static const double dash[] = { 5, 4 };
  cairo_t *cr;

  if (self->corners->len == 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                                                       gtk_widget_get_height (GTK_WIDGET (self))));
  /* Dark beneath light: seen on any picture. */
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  trace (self, cr);
  cairo_set_source_rgba (cr, 0, 0, 0, 0.7);
  cairo_set_line_width (cr, 3);
  cairo_stroke_preserve (cr);
  cairo_set_source_rgb (cr, 1, 1, 1);
  cairo_set_line_width (cr, 1.5);
  cairo_set_dash (cr, dash, G_N_ELEMENTS (dash), 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (guint i = 0; i < self->corners->len && !self->drawing; i++)
    {
      Corner point = widget_point (self, corner_at (self, i));

      cairo_rectangle (cr, point.x - 2.5, point.y - 2.5, 5, 5);
      cairo_set_source_rgb (cr, 1, 1, 1);
      cairo_fill_preserve (cr);
      cairo_set_source_rgba (cr, 0, 0, 0, 0.7);
      cairo_set_line_width (cr, 1);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
}

/* ---- the buttons ---- */

static void
on_toggled (EsImageView *self, GtkToggleButton *button)
{
  for (guint i = 0; i < ES_N_IMAGE_TOOLS; i++)
    if (gtk_toggle_button_get_active (button) && GTK_WIDGET (button) == self->tool_buttons[i])
      es_image_view_set_tool (self, (EsImageTool) i);
}

static void
make_tools (EsImageView *self)
{
  const struct { const char *icon, *name, *tooltip; } tools[ES_N_IMAGE_TOOLS] = {
    { "es-tool-pan-symbolic", _("Move"), _("Move the picture, select pixels (V)") },
    { "es-tool-rectangle-symbolic", _("Rectangle"), _("Draw a rectangle: a region of pixels (R)") },
    { "es-tool-polygon-symbolic", _("Lasso"),
      _("Draw a region: freehand by dragging, or corner by corner by clicks and a double click (P)") },
    { "es-tool-line-symbolic", _("Line"),
      _("Draw a line, whose profile is shown: by dragging, or corner by corner by clicks and a double click (L)") },
  };

  self->tool_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->tool_box, "linked");
  gtk_widget_add_css_class (self->tool_box, "image-tools");
  for (guint i = 0; i < ES_N_IMAGE_TOOLS; i++)
    {
      GtkWidget *button = gtk_toggle_button_new ();

      gtk_button_set_icon_name (GTK_BUTTON (button), tools[i].icon);
      gtk_widget_add_css_class (button, "osd");
      gtk_widget_set_tooltip_text (button, tools[i].tooltip);
      gtk_widget_set_cursor_from_name (button, "default");
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tools[i].name, -1);
      if (i > 0)
        gtk_toggle_button_set_group (GTK_TOGGLE_BUTTON (button), GTK_TOGGLE_BUTTON (self->tool_buttons[0]));
      self->tool_buttons[i] = button;
      gtk_box_append (GTK_BOX (self->tool_box), button);
    }
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->tool_buttons[self->tool]), TRUE);
  for (guint i = 0; i < ES_N_IMAGE_TOOLS; i++)
    g_signal_connect_object (self->tool_buttons[i], "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->tool_box, GTK_WIDGET (self));
}

void
es_image_view_set_tools (EsImageView *self, gboolean tools)
{
  g_return_if_fail (ES_IS_IMAGE_VIEW (self));

  if (tools == (self->tool_box != NULL))
    return;
  if (tools)
    {
      make_tools (self);
      return;
    }
  es_image_view_set_tool (self, ES_IMAGE_TOOL_PAN);
  g_clear_pointer (&self->tool_box, gtk_widget_unparent);
}
