/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-map-view-private.h"

#include <math.h>

/* µs: a pointer that has not moved for so long is not read from any more where the moment moves. */
#define POINTER_RESTS (2 * G_USEC_PER_SEC)

G_DEFINE_FINAL_TYPE (EsMapView, es_map_view, GTK_TYPE_WIDGET)

/* ---- axes ---- */

static void
drop_textures (EsMapView *self)
{
  g_clear_object (&self->textures[0]);
  g_clear_object (&self->textures[1]);
  g_clear_object (&self->under_texture);
}

static void
redraw (EsMapView *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_axis (EsMapAxis *axis, const char *title, const char *unit, guint n, const double *values)
{
  g_free (axis->title);
  g_free (axis->unit);
  g_free (axis->values);
  axis->title = g_strdup (title);
  axis->unit = g_strdup (unit);
  axis->n = n;
  axis->values = g_memdup2 (values, sizeof (double) * n);
}

void
es_map_view_set_x_axis (EsMapView *self, const char *title, const char *unit, guint n, const double *values)
{
  double first, last, new_first = NAN, new_last = NAN;

  g_return_if_fail (ES_IS_MAP_VIEW (self));

  es_map_view_get_x_ends (self, &first, &last);
  set_axis (&self->x, title, unit, n, values);
  es_map_view_get_x_ends (self, &new_first, &new_last);
  /* Another axis is seen as a whole. */
  if (fabs (new_first - first) > 1e-6 * fabs (last - first) || fabs (new_last - last) > 1e-6 * fabs (last - first))
    {
      self->left = 0;
      self->right = 1;
      _es_map_view_drop_selection (self);
    }
  redraw (self);
}

void
es_map_view_get_x_ends (EsMapView *self, double *first, double *last)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  *first = self->x.n > 0 ? self->x.values[0] : NAN;
  *last = self->x.n > 0 ? self->x.values[self->x.n - 1] : NAN;
}

void
es_map_view_set_under (EsMapView *self, EsHeatmap *under, double factor)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (self->under == under && self->under_factor == factor)
    return;
  g_set_object (&self->under, under);
  self->under_factor = factor;
  g_clear_object (&self->under_texture);
  redraw (self);
}

void
es_map_view_clear_selection (EsMapView *self)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  _es_map_view_drop_selection (self);
  redraw (self);
}

void
es_map_view_set_measure (EsMapView *self, EsMapMeasure measure, gpointer data)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  self->measure = measure;
  self->measure_data = data;
}

static void
set_rows (EsMapView *self, EsMapRows rows)
{
  self->rows = rows;
  g_clear_pointer (&self->names, g_strfreev);
  self->apart = 0;
  drop_textures (self);
  redraw (self);
}

void
es_map_view_set_y_values (EsMapView *self, const char *title, const char *unit, guint n, const double *values)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  set_axis (&self->y, title, unit, n, values);
  set_rows (self, ES_MAP_VALUES);
}

void
es_map_view_set_y_names (EsMapView *self, const char *title, const char *const *names, guint apart)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  set_axis (&self->y, title, NULL, 0, NULL);
  set_rows (self, ES_MAP_NAMES);
  self->names = g_strdupv ((char **) names);
  self->apart = apart;
}

void
es_map_view_set_y_times (EsMapView *self, const char *title, EsMapTime time, gpointer data)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  set_axis (&self->y, title, NULL, 0, NULL);
  set_rows (self, ES_MAP_TIMES);
  self->time = time;
  self->time_data = data;
}

void
es_map_view_set_start (EsMapView *self, GDateTime *start)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (start == self->start || (start != NULL && self->start != NULL && g_date_time_equal (start, self->start)
                               && g_date_time_get_utc_offset (start) == g_date_time_get_utc_offset (self->start)))
    return;
  g_clear_pointer (&self->start, g_date_time_unref);
  self->start = start != NULL ? g_date_time_ref (start) : NULL;
  redraw (self);
}

void
es_map_view_set_rows (EsMapView *self, double top, double bottom)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (self->top == top && self->bottom == bottom)
    return;
  self->top = top;
  self->bottom = bottom;
  drop_textures (self);
  redraw (self);
}

void
es_map_view_set_unit (EsMapView *self, const char *unit)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (g_strcmp0 (self->unit, unit) == 0)
    return;
  g_free (self->unit);
  self->unit = g_strdup (unit);
  redraw (self);
}

void
es_map_view_set_message (EsMapView *self, const char *sentence)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (g_strcmp0 (self->message, sentence) == 0)
    return;
  g_free (self->message);
  self->message = g_strdup (sentence);
  redraw (self);
}

double
es_map_view_column_of (EsMapView *self, double value)
{
  const EsMapAxis *axis = &self->x;

  g_return_val_if_fail (ES_IS_MAP_VIEW (self), NAN);

  if (axis->n == 0 || isnan (value))
    return NAN;
  if (axis->n == 1)
    return value == axis->values[0] ? 0.5 : NAN;

  gboolean rising = axis->values[axis->n - 1] > axis->values[0];
  guint low = 0, high = axis->n - 1;

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (rising ? value >= axis->values[middle] : value <= axis->values[middle])
        low = middle;
      else
        high = middle;
    }

  double column = low + 0.5 + (value - axis->values[low]) / (axis->values[high] - axis->values[low]);

  return column >= 0 && column <= axis->n ? column : NAN;
}

double
es_map_view_value_of (EsMapView *self, double column)
{
  const EsMapAxis *axis = &self->x;

  g_return_val_if_fail (ES_IS_MAP_VIEW (self), NAN);

  if (axis->n == 0 || isnan (column))
    return NAN;
  if (axis->n == 1)
    return axis->values[0];

  double place = CLAMP (column - 0.5, -0.5, axis->n - 0.5);
  guint low = (guint) CLAMP (floor (place), 0, axis->n - 2);

  return axis->values[low] + (place - low) * (axis->values[low + 1] - axis->values[low]);
}

/* ---- marks ---- */

static gboolean
same (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

/* The moment moves on under a pointer that rests: what is said of the place there would be taken for what is heard. */
static void
move_on (EsMapView *self)
{
  if (self->rows == ES_MAP_TIMES && self->pointer_moved != 0
      && g_get_monotonic_time () - self->pointer_moved > POINTER_RESTS)
    self->rested = TRUE;
}

void
es_map_view_set_cursor (EsMapView *self, double column, double row)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (same (self->cursor_column, column) && same (self->cursor_row, row))
    return;
  if (!same (self->cursor_row, row))
    move_on (self);
  self->cursor_column = column;
  self->cursor_row = row;
  redraw (self);
}

void
es_map_view_set_now (EsMapView *self, double row)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (same (self->now_row, row))
    return;
  move_on (self);
  self->now_row = row;
  redraw (self);
}

void
es_map_view_set_lines (EsMapView *self, guint n, const double *columns, gboolean draggable)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  self->n_lines = MIN (n, ES_MAP_MAX_LINES);
  for (guint i = 0; i < self->n_lines; i++)
    self->lines[i] = columns[i];
  self->draggable = draggable;
  redraw (self);
}

void
es_map_view_set_peaks (EsMapView *self, guint n, const double *columns)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  g_free (self->peaks);
  self->peaks = g_memdup2 (columns, sizeof (double) * n);
  self->n_peaks = n;
  redraw (self);
}

void
es_map_view_set_tracks (EsMapView *self, guint n, const double *columns, const double *rows, const guint *numbers)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (n == 0 && self->n_track_points == 0)
    return;
  g_free (self->track_columns);
  g_free (self->track_rows);
  g_free (self->track_numbers);
  self->track_columns = g_memdup2 (columns, sizeof (double) * n);
  self->track_rows = g_memdup2 (rows, sizeof (double) * n);
  self->track_numbers = g_memdup2 (numbers, sizeof (guint) * n);
  self->n_track_points = n;
  self->n_tracks = 0;
  for (guint i = 0; i < n; i++)
    self->n_tracks += isnan (columns[i]);
  redraw (self);
}

void
es_map_view_set_mark (EsMapView *self, double column, double row)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  if (same (self->mark_column, column) && same (self->mark_row, row))
    return;
  self->mark_column = column;
  self->mark_row = row;
  redraw (self);
}

void
es_map_view_set_describe (EsMapView *self, EsMapDescribe describe, gpointer data)
{
  g_return_if_fail (ES_IS_MAP_VIEW (self));

  self->describe = describe;
  self->describe_data = data;
}

EsHeatmap *
es_map_view_get_map (EsMapView *self)
{
  g_return_val_if_fail (ES_IS_MAP_VIEW (self), NULL);
  return self->map;
}

/* ---- places ---- */

gboolean
es_map_view_get_area (EsMapView *self, graphene_rect_t *area)
{
  EsMapLayout layout;

  g_return_val_if_fail (ES_IS_MAP_VIEW (self), FALSE);

  if (!_es_map_view_get_layout (self, &layout))
    return FALSE;
  *area = layout.area;
  return TRUE;
}

gboolean
es_map_view_pick (EsMapView *self, double x, double y, double *column, double *row)
{
  graphene_rect_t area;
  double left, right;
  guint n;

  if (!es_map_view_get_area (self, &area))
    return FALSE;
  n = es_heatmap_get_n_columns (self->map);
  _es_map_view_get_columns (self, &left, &right);
  *column = CLAMP (left + (x - area.origin.x) / area.size.width * (right - left), 0, n);
  *row = _es_map_view_pixel_to_row (self, &area, CLAMP (y, area.origin.y, area.origin.y + area.size.height));
  return n > 0 && x >= area.origin.x && y >= area.origin.y && x < area.origin.x + area.size.width
         && y < area.origin.y + area.size.height;
}

/* ---- the widget ---- */

static void
on_map_changed (EsMapView *self)
{
  g_clear_object (&self->textures[0]);
  g_clear_object (&self->textures[1]);
  redraw (self);
}

GtkWidget *
es_map_view_new (EsHeatmap *map, int natural_height)
{
  EsMapView *self;

  g_return_val_if_fail (ES_IS_HEATMAP (map), NULL);

  self = g_object_new (ES_TYPE_MAP_VIEW, NULL);
  self->map = g_object_ref (map);
  self->natural_height = natural_height;
  g_signal_connect_object (map, "changed", G_CALLBACK (on_map_changed), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_map_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  EsMapView *self = ES_MAP_VIEW (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : MIN (self->natural_height, 76);
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 280 : self->natural_height;
}

static void
es_map_view_unrealize (GtkWidget *widget)
{
  EsMapView *self = ES_MAP_VIEW (widget);

  drop_textures (self);
  g_clear_object (&self->context);
  self->context_tried = FALSE;
  GTK_WIDGET_CLASS (es_map_view_parent_class)->unrealize (widget);
}

static void
es_map_view_dispose (GObject *object)
{
  EsMapView *self = ES_MAP_VIEW (object);

  drop_textures (self);
  g_clear_object (&self->context);
  g_clear_object (&self->map);
  g_clear_object (&self->under);
  G_OBJECT_CLASS (es_map_view_parent_class)->dispose (object);
}

static void
es_map_view_finalize (GObject *object)
{
  EsMapView *self = ES_MAP_VIEW (object);

  set_axis (&self->x, NULL, NULL, 0, NULL);
  set_axis (&self->y, NULL, NULL, 0, NULL);
  g_clear_pointer (&self->start, g_date_time_unref);
  g_strfreev (self->names);
  g_free (self->unit);
  g_free (self->message);
  g_free (self->peaks);
  g_free (self->track_columns);
  g_free (self->track_rows);
  g_free (self->track_numbers);
  G_OBJECT_CLASS (es_map_view_parent_class)->finalize (object);
}

static void
es_map_view_class_init (EsMapViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = es_map_view_dispose;
  object_class->finalize = es_map_view_finalize;
  widget_class->snapshot = _es_map_view_snapshot;
  widget_class->measure = es_map_view_measure;
  widget_class->unrealize = es_map_view_unrealize;

  g_signal_new ("picked", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                G_TYPE_DOUBLE, G_TYPE_DOUBLE, G_TYPE_UINT);
  g_signal_new ("stepped", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  g_signal_new ("jumped", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT);
  g_signal_new ("scrolled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  g_signal_new ("zoomed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  g_signal_new ("dragged", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                G_TYPE_UINT, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
  g_signal_new ("selected", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
  _es_map_view_bind_keys (widget_class);
  _es_map_view_bind_zoom_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "mapview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
es_map_view_init (EsMapView *self)
{
  self->cursor_column = self->cursor_row = self->now_row = NAN;
  self->mark_column = self->mark_row = NAN;
  self->dragged = -1;
  self->right = self->high = 1;
  self->selected[0] = self->extended_from[0] = NAN;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  _es_map_view_add_controllers (self);
  _es_map_view_add_zoom_controllers (self);
}
