/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What part of a map is in view, and rectangles that are measured. */
#include "config.h"

#include "es-map-view-private.h"

#include <math.h>

/* Columns and rows that are in view at least. */
#define FEWEST 4
/* Pixels: less is a click. */
#define SMALLEST 4
#define KEY_STEP 4              /* pixels, at least */

static const GdkRGBA ink = { 1, 1, 1, 0.95f };
static const GdkRGBA veil = { 1, 1, 1, 0.12f };
static const GdkRGBA shade = { 0, 0, 0, 0.6f };

static void
redraw (EsMapView *self)
{
  g_clear_object (&self->textures[0]);
  g_clear_object (&self->textures[1]);
  g_clear_object (&self->under_texture);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* A part of 0 .. 1, as long as it was where it would go beyond. */
static void
set_part (double *from, double *to, double begin, double end, double shortest)
{
  const double length = CLAMP (end - begin, MIN (shortest, 1), 1);
  const double middle = (begin + end) / 2;

  *from = CLAMP (middle - length / 2, 0, 1 - length);
  *to = *from + length;
}

static void
set_columns (EsMapView *self, double left, double right)
{
  const guint n = MAX (es_heatmap_get_n_columns (self->map), 1);

  set_part (&self->left, &self->right, left / n, right / n, (double) FEWEST / n);
  redraw (self);
}

static void
set_rows (EsMapView *self, double bottom, double top)
{
  const double n = MAX (es_heatmap_get_end (self->map), 1);

  set_part (&self->low, &self->high, bottom / n, top / n, FEWEST / n);
  redraw (self);
}

void
_es_map_view_zoom_columns (EsMapView *self, double factor, double column)
{
  double left, right;

  _es_map_view_get_columns (self, &left, &right);
  set_columns (self, column - (column - left) * factor, column + (right - column) * factor);
}

void
_es_map_view_zoom_rows (EsMapView *self, double factor, double row)
{
  double top, bottom;

  if (self->rows == ES_MAP_TIMES)
    g_signal_emit_by_name (self, "zoomed", factor, row);
  if (self->rows != ES_MAP_VALUES)
    return;
  _es_map_view_get_rows (self, &top, &bottom);
  set_rows (self, row - (row - bottom) * factor, row + (top - row) * factor);
}

void
_es_map_view_pan (EsMapView *self, double x, double y)
{
  double left, right, top, bottom, n;
  graphene_rect_t area;

  if (!es_map_view_get_area (self, &area))
    return;
  _es_map_view_get_columns (self, &left, &right);
  n = MAX (es_heatmap_get_n_columns (self->map), 1);
  const double columns = CLAMP (-x / area.size.width * (right - left), -left, n - right);
  if (columns != 0)
    set_columns (self, left + columns, right + columns);
  if (y == 0)
    return;
  if (self->rows == ES_MAP_TIMES)
    g_signal_emit_by_name (self, "scrolled", -y / area.size.height);
  if (self->rows != ES_MAP_VALUES)
    return;
  _es_map_view_get_rows (self, &top, &bottom);
  n = es_heatmap_get_end (self->map);
  const double rows = CLAMP (y / area.size.height * (top - bottom), -bottom, n - top);
  if (rows != 0)
    set_rows (self, bottom + rows, top + rows);
}

void
_es_map_view_drop_selection (EsMapView *self)
{
  self->extended_from[0] = NAN;
  if (isnan (self->selected[0]))
    return;
  self->selected[0] = NAN;
  g_signal_emit_by_name (self, "selected", NAN, NAN);
}

void
_es_map_view_reset_zoom (EsMapView *self)
{
  self->left = self->low = 0;
  self->right = self->high = 1;
  _es_map_view_drop_selection (self);
  redraw (self);
  if (self->rows == ES_MAP_TIMES)
    g_signal_emit_by_name (self, "zoomed", 0., 0.);
}

/* ---- rectangles ---- */

static gboolean
get_selection (EsMapView *self, double *left, double *right, double *bottom, double *top)
{
  if (isnan (self->selected[0]))
    return FALSE;
  *left = MIN (self->selected[0], self->selected[2]);
  *right = MAX (self->selected[0], self->selected[2]);
  *bottom = MIN (self->selected[1], self->selected[3]);
  *top = MAX (self->selected[1], self->selected[3]);
  return TRUE;
}

void
_es_map_view_zoom_to_selection (EsMapView *self)
{
  double left, right, bottom, top, high, low;

  if (!get_selection (self, &left, &right, &bottom, &top))
    return;
  _es_map_view_drop_selection (self);
  _es_map_view_get_rows (self, &high, &low);
  set_columns (self, left, right);
  if (self->rows == ES_MAP_VALUES)
    set_rows (self, bottom, top);
  if (self->rows != ES_MAP_TIMES || top - bottom >= high - low || top - bottom < 1e-6)
    return;
  /* Which row stays where it is when what is in view becomes the rectangle. */
  const double factor = (top - bottom) / (high - low);
  g_signal_emit_by_name (self, "zoomed", factor, (top - high * factor) / (1 - factor));
}

static void
append_frame (GtkSnapshot *snapshot, const graphene_rect_t *rect)
{
  GskRoundedRect outline;
  graphene_rect_t outer = *rect;

  gtk_snapshot_append_color (snapshot, &veil, rect);
  graphene_rect_inset (&outer, -1, -1);
  gsk_rounded_rect_init_from_rect (&outline, &outer, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 },
                              (GdkRGBA[4]) { shade, shade, shade, shade });
  gsk_rounded_rect_init_from_rect (&outline, rect, 0);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]) { 1, 1, 1, 1 }, (GdkRGBA[4]) { ink, ink, ink, ink });
}

PangoLayout *
_es_map_view_snapshot_selection (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  double left, right, bottom, top;
  g_autofree char *words = NULL;
  int width, height;

  self->measured = GRAPHENE_RECT_INIT (0, 0, 0, 0);
  if (!get_selection (self, &left, &right, &bottom, &top) || self->measure == NULL)
    return NULL;
  const double x = _es_map_view_column_to_pixel (self, area, left);
  const double end = _es_map_view_column_to_pixel (self, area, right);
  const double y = _es_map_view_row_to_pixel (self, area, top);
  const double below = _es_map_view_row_to_pixel (self, area, bottom);
  const graphene_rect_t rect = GRAPHENE_RECT_INIT ((float) round (x), (float) round (y), (float) round (end - x),
                                                   (float) round (below - y));
  append_frame (snapshot, &rect);
  words = self->measure (self->measure_data, left, right, bottom, top);
  if (words == NULL)
    return NULL;
  PangoLayout *text = _es_map_make_text (self, words);
  pango_layout_set_width (text, (int) MAX (area->size.width - 20, 60) * PANGO_SCALE);
  pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
  pango_layout_get_pixel_size (text, &width, &height);
  /* Above it, or below, or inside, wherever there is room. */
  double at = y - height - 10;
  if (at < area->origin.y)
    at = below + 4 + height + 6 <= area->origin.y + area->size.height ? below + 4 : y + 4;
  const double from = CLAMP (x, area->origin.x + 2, MAX (area->origin.x + area->size.width - width - 16,
                                                         area->origin.x + 2));
  self->measured = GRAPHENE_RECT_INIT ((float) from, (float) at, (float) width + 12, (float) height + 6);
  return text;
}

/* ---- pointer and keys ---- */

static void
on_select_begin (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);
  double column, row;

  self->selecting = FALSE;
  if (self->measure == NULL
      || !(gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture)) & GDK_SHIFT_MASK)
      || !es_map_view_pick (self, x, y, &column, &row))
    return;
  gtk_widget_grab_focus (GTK_WIDGET (self));
  self->selecting = TRUE;
  _es_map_view_drop_selection (self);
  self->selected[1] = row;
  self->pan_x = column;
}

static void
on_select_update (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);
  double x, y, column, row;

  if (!self->selecting || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  es_map_view_pick (self, x + dx, y + dy, &column, &row);
  self->selected[0] = hypot (dx, dy) >= SMALLEST ? self->pan_x : NAN;
  self->selected[2] = column;
  self->selected[3] = row;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
on_select_end (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);
  double left, right, bottom, top;

  if (self->selecting && get_selection (self, &left, &right, &bottom, &top))
    g_signal_emit_by_name (self, "selected", bottom, top);
  self->selecting = FALSE;
}

static void
on_pan_begin (GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);

  self->pan_x = self->pan_y = 0;
}

static void
on_pan_update (GtkGestureDrag *gesture, double dx, double dy, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);

  _es_map_view_pan (self, dx - self->pan_x, dy - self->pan_y);
  self->pan_x = dx;
  self->pan_y = dy;
}

static void
on_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (user_data);
  double column, row;

  if (n_press == 2 && !es_map_view_pick (self, x, y, &column, &row))
    _es_map_view_reset_zoom (self);
}

void
_es_map_view_add_zoom_controllers (EsMapView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *select = gtk_gesture_drag_new (), *pan = gtk_gesture_drag_new (), *click = gtk_gesture_click_new ();

  g_signal_connect (select, "drag-begin", G_CALLBACK (on_select_begin), self);
  g_signal_connect (select, "drag-update", G_CALLBACK (on_select_update), self);
  g_signal_connect (select, "drag-end", G_CALLBACK (on_select_end), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (select));
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (pan), GDK_BUTTON_MIDDLE);
  g_signal_connect (pan, "drag-begin", G_CALLBACK (on_pan_begin), self);
  g_signal_connect (pan, "drag-update", G_CALLBACK (on_pan_update), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pan));
  g_signal_connect (click, "pressed", G_CALLBACK (on_pressed), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (click));
}

static gboolean
on_key_reset (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  _es_map_view_reset_zoom (ES_MAP_VIEW (widget));
  return GDK_EVENT_STOP;
}

static gboolean
on_key_selection (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  if (isnan (ES_MAP_VIEW (widget)->selected[0]))
    return GDK_EVENT_PROPAGATE;
  _es_map_view_zoom_to_selection (ES_MAP_VIEW (widget));
  return GDK_EVENT_STOP;
}

/* Whole cells: from the one that it began with to the one so many steps beyond. */
static void
extend (double from, int steps, double n, double *begin, double *end)
{
  *begin = CLAMP (steps < 0 ? from + 1 : from, 0, n);
  *end = CLAMP (steps < 0 ? from + steps : from + steps + 1, 0, n);
}

/* The cell of the cursor, or what is in the middle where there is none. */
static void
begin_extending (EsMapView *self)
{
  double left, right, top, bottom;

  _es_map_view_get_columns (self, &left, &right);
  _es_map_view_get_rows (self, &top, &bottom);
  _es_map_view_drop_selection (self);
  self->extended_from[0] = floor (isnan (self->cursor_column) ? (left + right) / 2 : self->cursor_column);
  self->extended_from[1] = floor (isnan (self->cursor_row) ? (top + bottom) / 2 : self->cursor_row);
  self->extended[0] = self->extended[1] = 0;
}

/* A step is a cell, or where cells are finer than the eye, as many as are seen as a step. */
static gboolean
on_key_extend (GtkWidget *widget, GVariant *steps, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (widget);
  const double n[2] = { es_heatmap_get_n_columns (self->map), es_heatmap_get_end (self->map) };
  double left, right, top, bottom, most;
  graphene_rect_t area;
  int direction[2];

  if (self->measure == NULL || self->rows == ES_MAP_NAMES || n[0] < 1 || n[1] < 1
      || !es_map_view_get_area (self, &area))
    return GDK_EVENT_PROPAGATE;
  g_variant_get (steps, "(ii)", &direction[0], &direction[1]);
  _es_map_view_get_columns (self, &left, &right);
  _es_map_view_get_rows (self, &top, &bottom);
  if (isnan (self->extended_from[0]))
    begin_extending (self);
  const double seen[2] = { (right - left) / area.size.width, (top - bottom) / area.size.height };
  for (guint i = 0; i < 2; i++)
    {
      most = n[i] - 1 - self->extended_from[i];
      self->extended[i] += direction[i] * (int) MAX (ceil (KEY_STEP * seen[i]), 1);
      self->extended[i] = (int) CLAMP (self->extended[i], -self->extended_from[i], MAX (most, 0));
      extend (self->extended_from[i], self->extended[i], n[i], &self->selected[i], &self->selected[i + 2]);
    }
  g_signal_emit_by_name (self, "selected", MIN (self->selected[1], self->selected[3]),
                         MAX (self->selected[1], self->selected[3]));
  gtk_widget_queue_draw (widget);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_clear (GtkWidget *widget, GVariant *unused, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (widget);

  if (isnan (self->selected[0]))
    return GDK_EVENT_PROPAGATE;
  _es_map_view_drop_selection (self);
  gtk_widget_queue_draw (widget);
  return GDK_EVENT_STOP;
}

static gboolean
on_key_zoom (GtkWidget *widget, GVariant *factor, gpointer user_data)
{
  EsMapView *self = ES_MAP_VIEW (widget);
  double left, right;

  _es_map_view_get_columns (self, &left, &right);
  _es_map_view_zoom_columns (self, g_variant_get_double (factor),
                             self->cursor_column >= left && self->cursor_column <= right ? self->cursor_column
                                                                                         : (left + right) / 2);
  return GDK_EVENT_STOP;
}

void
_es_map_view_bind_zoom_keys (GtkWidgetClass *klass)
{
  static const struct { guint key; int columns, rows; } arrows[] = {
    { GDK_KEY_Left, -1, 0 }, { GDK_KEY_KP_Left, -1, 0 }, { GDK_KEY_Right, 1, 0 }, { GDK_KEY_KP_Right, 1, 0 },
    { GDK_KEY_Up, 0, 1 }, { GDK_KEY_KP_Up, 0, 1 }, { GDK_KEY_Down, 0, -1 }, { GDK_KEY_KP_Down, 0, -1 },
  };

  gtk_widget_class_add_binding (klass, GDK_KEY_0, 0, on_key_reset, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_KP_0, 0, on_key_reset, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_z, 0, on_key_selection, NULL);
  gtk_widget_class_add_binding (klass, GDK_KEY_Escape, 0, on_key_clear, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (arrows); i++)
    gtk_widget_class_add_binding (klass, arrows[i].key, GDK_CONTROL_MASK | GDK_SHIFT_MASK, on_key_extend, "(ii)",
                                  arrows[i].columns, arrows[i].rows);
  gtk_widget_class_add_binding (klass, GDK_KEY_bracketright, 0, on_key_zoom, "d", 1 / 1.5);
  gtk_widget_class_add_binding (klass, GDK_KEY_bracketleft, 0, on_key_zoom, "d", 1.5);
}
