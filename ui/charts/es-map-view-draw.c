/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a map view looks: the map, axes, legend. What is drawn over them is in es-map-view-marks.c. */
#include "config.h"

#include "es-map-view-private.h"

#include <math.h>

#include "axes/es-axis-ticks.h"
#include "widgets/es-capture.h"
#include "widgets/es-format.h"
#include "widgets/es-gl-context.h"

#define BAR_WIDTH 64            /* of the legend */

static const GdkRGBA canvas = { 0x2e / 255.f, 0x2e / 255.f, 0x2e / 255.f, 1 };
static const GdkRGBA ink = { 1, 1, 1, 0.95f };

/* align: 0 the text's left edge is at x, 0.5 its middle, 1 its right edge. Returns its width. */
static int
append_text (EsMapView *self, GtkSnapshot *snapshot, const char *text, double x, double y, double align,
             const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = _es_map_make_text (self, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  _es_map_append_layout (snapshot, layout, round (x - align * width), y, color);
  return width;
}

/* ---- the map ---- */

static void
snapshot_under (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area, const EsHeatmapView *view,
                int scale)
{
  const double n = MAX (es_heatmap_get_n_columns (self->map), 1);
  EsHeatmapView old;

  if (self->under == NULL)
    return;
  old = (EsHeatmapView) { view->left / n * es_heatmap_get_n_columns (self->under),
                          view->right / n * es_heatmap_get_n_columns (self->under),
                          view->top * self->under_factor, view->bottom * self->under_factor };
  if (self->under_texture == NULL)
    self->under_texture = es_heatmap_render (self->under, self->context, (int) area->size.width * scale,
                                             (int) area->size.height * scale, &old);
  gtk_snapshot_push_opacity (snapshot, 0.6);
  gtk_snapshot_append_texture (snapshot, self->under_texture, area);
  gtk_snapshot_pop (snapshot);
}

static void
snapshot_part (EsMapView *self, GtkSnapshot *snapshot, guint part, const graphene_rect_t *area, double top,
               double bottom)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  EsHeatmapView view = { .top = top, .bottom = bottom };

  _es_map_view_get_columns (self, &view.left, &view.right);
  if (es_capture_is_under_way ())
    {
      g_autoptr (GdkTexture) holed = es_heatmap_render_holed (self->map, (int) area->size.width * scale,
                                                              (int) area->size.height * scale, &view, NULL);

      gtk_snapshot_append_texture (snapshot, holed, area);
      return;
    }
  snapshot_under (self, snapshot, area, &view, scale);
  if (self->textures[part] == NULL)
    self->textures[part] = es_heatmap_render (self->map, self->context, (int) area->size.width * scale,
                                              (int) area->size.height * scale, &view);
  gtk_snapshot_append_texture (snapshot, self->textures[part], area);
}

static void
snapshot_map (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  double top, bottom, upper, lower;

  const gboolean empty = es_heatmap_get_n_columns (self->map) == 0 || es_heatmap_get_end (self->map) == 0;

  /* The textures have a canvas of their own, behind which nothing may lie where values are missing. */
  if (empty || !es_capture_is_under_way ())
    gtk_snapshot_append_color (snapshot, &canvas, area);
  if (empty)
    return;
  es_gl_context_ensure (GTK_WIDGET (self), &self->context, &self->context_tried);
  if (!graphene_rect_equal (&self->drawn, area))
    {
      g_clear_object (&self->textures[0]);
      g_clear_object (&self->textures[1]);
      g_clear_object (&self->under_texture);
      self->drawn = *area;
    }
  _es_map_view_get_rows (self, &top, &bottom);
  _es_map_view_split_height (self, area, &upper, &lower);
  if (upper > 0)
    {
      graphene_rect_t above = *area, below = *area;

      above.size.height = (float) upper;
      below.size.height = (float) lower;
      below.origin.y += (float) (upper + ES_MAP_GAP);
      snapshot_part (self, snapshot, 1, &above, top, self->apart);
      snapshot_part (self, snapshot, 0, &below, self->apart, bottom);
    }
  else
    {
      snapshot_part (self, snapshot, 0, area, top, bottom);
    }
}

/* ---- axes ---- */

/* "30°" beside every tick, other units only once. */
static char *
label_with_unit (const char *label, const char *unit, gboolean last)
{
  if (g_strcmp0 (unit, "°") == 0)
    return g_strconcat (label, unit, NULL);
  return unit != NULL && last ? g_strdup_printf ("%s %s", label, unit) : g_strdup (label);
}

/* One tick says nothing about a scale. */
static GArray *
make_x_ticks (double from, double to, guint most, char **factor)
{
  GArray *ticks = es_axis_ticks_new (from, to, most, factor);

  for (guint more = 1; more <= 3 && ticks->len < 2; more++)
    {
      g_array_unref (ticks);
      g_clear_pointer (factor, g_free);
      ticks = es_axis_ticks_new (from, to, most + more, factor);
    }
  return ticks;
}

static void
snapshot_x_axis (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  const graphene_rect_t *area = &layout->area;
  double y = area->origin.y + area->size.height, taken = -1e9;
  guint n = es_heatmap_get_n_columns (self->map);
  g_autofree char *factor = NULL;
  GdkRGBA dim = *foreground;
  double from, to, left, right;

  if (self->x.n == 0 || n == 0)
    return;
  dim.alpha *= 0.55f;
  _es_map_view_get_columns (self, &left, &right);
  from = es_map_view_value_of (self, left);
  to = es_map_view_value_of (self, right);
  g_autoptr (GArray) ticks = make_x_ticks (from, to, (guint) MAX (area->size.width / 56, 2), &factor);
  for (guint i = 0; i < ticks->len; i++)
    {
      const EsAxisTick *tick = &g_array_index (ticks, EsAxisTick, i);
      double column = es_map_view_column_of (self, tick->value), x;
      gboolean last = i + 1 == ticks->len;
      g_autofree char *label = label_with_unit (tick->label, layout->title ? NULL : self->x.unit, last);
      int width;

      if (isnan (column) || column < left || column > right)
        continue;
      x = _es_map_view_column_to_pixel (self, area, column);
      _es_map_append_rect (snapshot, &dim, round (x - 0.5), y, 1, ES_MAP_TICK);
      width = _es_map_text_width (self, label, NULL);
      double middle = MIN (x, gtk_widget_get_width (GTK_WIDGET (self)) - 2 - width / 2.);
      if (middle - width / 2. < taken + 6)
        continue;
      append_text (self, snapshot, label, middle, y + ES_MAP_TICK + 1, 0.5, foreground);
      taken = middle + width / 2.;
    }
  if (layout->title)
    {
      g_autofree char *title = self->x.unit != NULL ? g_strdup_printf ("%s (%s%s%s)", self->x.title,
                                                                       factor != NULL ? factor : "",
                                                                       factor != NULL ? " " : "", self->x.unit)
                                                    : g_strdup (self->x.title);

      append_text (self, snapshot, title, area->origin.x + area->size.width / 2,
                   y + ES_MAP_TICK + 1 + layout->line, 0.5, &dim);
    }
}

static void
append_row_tick (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, double y, const char *label,
                 const GdkRGBA *foreground)
{
  GdkRGBA dim = *foreground;

  dim.alpha *= 0.55f;
  _es_map_append_rect (snapshot, &dim, layout->area.origin.x - ES_MAP_TICK, round (y - 0.5), ES_MAP_TICK, 1);
  append_text (self, snapshot, label, layout->area.origin.x - ES_MAP_TICK - 3, round (y - layout->line / 2.), 1,
               foreground);
}

/* Where a moment between those of two rows lies, the first of which is below; where time leaps, between the rows. */
static double
find_moment (double row, double time, double next_row, double next_time, double moment, double interval)
{
  const double rows = next_row - row, passed = next_time - time;

  if (!(passed > 0) || passed > 1.5 * interval * rows)
    return next_row;
  return row + 0.5 + CLAMP ((moment - time) / passed, 0, 1) * rows;
}

/* Where a moment begins that is a multiple of the step; also where time leaps, since rows say their own. */
static void
snapshot_times (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  const graphene_rect_t *area = &layout->area;
  double height = area->size.height, rows = fabs (self->top - self->bottom) / height, last_label = -1e9;
  guint64 first = es_heatmap_get_first (self->map), end = es_heatmap_get_end (self->map);
  const double offset = _es_map_view_get_clock_offset (self);
  double newest = NAN, oldest = NAN, before = NAN, before_row = NAN, step, interval;

  if (self->time == NULL || end <= first)
    return;

  double high = CLAMP (ceil (self->top) - 1, first, end - 1.), low = CLAMP (floor (self->bottom), first, end - 1.);
  newest = self->time (self->time_data, (guint64) high);
  oldest = self->time (self->time_data, (guint64) low);
  if (high <= low || isnan (newest) || isnan (oldest))
    {
      g_autofree char *label = _es_map_view_format_time (self, newest, 1);

      append_row_tick (self, snapshot, layout, _es_map_view_row_to_pixel (self, area, high + 0.5), label, foreground);
      return;
    }
  interval = fabs (newest - oldest) / (high - low);
  step = es_axis_time_step (interval * rows * 2.6 * layout->line);

  for (int j = 0; j <= height; j++)
    {
      double row = floor (self->top + (self->bottom - self->top) * j / height);
      double time = row >= first && row < end ? self->time (self->time_data, (guint64) row) + offset : NAN;

      /* Downwards time runs back. */
      if (!isnan (before) && !isnan (time) && floor (time / step + 1e-9) != floor (before / step + 1e-9)
          && j - last_label >= 1.6 * layout->line)
        {
          const double moment = floor (MAX (time, before) / step + 1e-9) * step;
          const double place = find_moment (row, time, before_row, before, moment, interval);
          g_autofree char *label = _es_map_view_format_time (self, moment - offset, step);

          append_row_tick (self, snapshot, layout, _es_map_view_row_to_pixel (self, area, place), label, foreground);
          last_label = j;
        }
      if (!isnan (time))
        {
          before = time;
          before_row = row;
        }
    }
}

static void
snapshot_names (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  double last = 1e9;

  for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
    {
      double y = _es_map_view_row_to_pixel (self, &layout->area, i + 0.5);
      g_autoptr (PangoLayout) text = _es_map_make_text (self, self->names[i]);
      int width;

      /* The first one of those that are set apart is worth more than the one below it. */
      if (last - y < layout->line && !(self->apart > 0 && i == self->apart))
        continue;
      pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (text, layout->left * PANGO_SCALE);
      pango_layout_set_alignment (text, PANGO_ALIGN_RIGHT);
      pango_layout_get_pixel_size (text, &width, NULL);
      _es_map_append_layout (snapshot, text, layout->area.origin.x - ES_MAP_TICK - 3 - layout->left,
                             round (y - layout->line / 2.), foreground);
      last = y;
    }
}

static void
snapshot_y_values (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  const EsMapAxis *axis = &self->y;
  double height = layout->area.size.height;
  g_autofree char *factor = NULL;
  double half, from, to;

  if (axis->n == 0)
    return;
  half = axis->n > 1 ? (axis->values[1] - axis->values[0]) / 2 : 0.5;
  from = axis->values[0] - half;
  to = axis->values[axis->n - 1] + half;
  g_autoptr (GArray) ticks = es_axis_ticks_new (from + self->low * (to - from), from + self->high * (to - from),
                                                (guint) MAX (height / (2.4 * layout->line), 2), &factor);
  for (guint i = 0; i < ticks->len; i++)
    {
      const EsAxisTick *tick = &g_array_index (ticks, EsAxisTick, i);
      double span = axis->values[axis->n - 1] - axis->values[0];
      double row = axis->n > 1 ? (tick->value - axis->values[0]) / span * (axis->n - 1) + 0.5 : 0.5;

      append_row_tick (self, snapshot, layout, _es_map_view_row_to_pixel (self, &layout->area, row), tick->label,
                       foreground);
    }
}

/* ---- legend ---- */

static void
snapshot_header (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  const guint8 *entries = es_colormap_entries (es_heatmap_get_colormap (self->map));
  double right = layout->area.origin.x + layout->area.size.width, low, high, x;
  int width = gtk_widget_get_width (GTK_WIDGET (self)), title_width;
  GskColorStop stops[17];
  GdkRGBA dim = *foreground;
  g_autofree char *title = NULL;

  dim.alpha *= 0.7f;
  title = self->y.unit != NULL ? g_strdup_printf ("%s (%s)", self->y.title, self->y.unit) : g_strdup (self->y.title);
  title_width = title != NULL ? _es_map_text_width (self, title, NULL) : 0;
  es_heatmap_get_range (self->map, &low, &high);
  if (es_heatmap_get_end (self->map) > 0 && self->unit != NULL)
    {
      g_autofree char *first = es_format_number (low, 100), *second = es_format_number (high, 100);
      g_autofree char *last = g_strdup_printf ("%s %s", second, self->unit);
      int last_width = _es_map_text_width (self, last, NULL), first_width = _es_map_text_width (self, first, NULL);
      int bar = MIN (BAR_WIDTH, width - 3 * ES_MAP_MARGIN - title_width - last_width - first_width - 20);

      /* Where it is too narrow, the unit is what must stay. */
      if (bar < 16)
        {
          bar = 0;
          first_width = 0;
        }
      x = right - last_width;
      append_text (self, snapshot, last, x, 2, 0, &dim);
      if (bar > 0)
        {
          graphene_rect_t rect = GRAPHENE_RECT_INIT ((float) (x - 5 - bar), (float) (2 + layout->line / 2. - 4),
                                                     (float) bar, 8);

          for (guint i = 0; i < G_N_ELEMENTS (stops); i++)
            {
              const guint8 *entry = entries + 4 * (i * 255 / (G_N_ELEMENTS (stops) - 1));

              stops[i].offset = (float) i / (G_N_ELEMENTS (stops) - 1);
              stops[i].color = (GdkRGBA) { entry[0] / 255.f, entry[1] / 255.f, entry[2] / 255.f, 1 };
            }
          gtk_snapshot_append_linear_gradient (snapshot, &rect, &rect.origin,
                                               &GRAPHENE_POINT_INIT (rect.origin.x + rect.size.width, rect.origin.y),
                                               stops, G_N_ELEMENTS (stops));
          append_text (self, snapshot, first, rect.origin.x - 5, 2, 1, &dim);
        }
      if (title != NULL
          && ES_MAP_MARGIN + title_width + 8 > right - last_width - (bar > 0 ? bar + first_width + 10 : 0))
        g_clear_pointer (&title, g_free);
    }
  if (title != NULL)
    append_text (self, snapshot, title, ES_MAP_MARGIN, 2, 0, &dim);
}

/* ---- all of it ---- */

static void
snapshot_message (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  g_autoptr (PangoLayout) text = _es_map_make_text (self, self->message);
  int width, height;

  pango_layout_set_width (text, (int) (MAX (area->size.width - 24, 40) * PANGO_SCALE));
  pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (text, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (text, &width, &height);
  _es_map_append_layout (snapshot, text, area->origin.x + 12, area->origin.y + (area->size.height - height) / 2, &ink);
}

void
_es_map_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsMapView *self = ES_MAP_VIEW (widget);
  EsMapLayout layout;
  GdkRGBA foreground;

  if (!_es_map_view_get_layout (self, &layout))
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &foreground);
  if (self->message != NULL)
    {
      gtk_snapshot_append_color (snapshot, &canvas, &layout.area);
      snapshot_message (self, snapshot, &layout.area);
      return;
    }
  snapshot_map (self, snapshot, &layout.area);
  snapshot_header (self, snapshot, &layout, &foreground);
  snapshot_x_axis (self, snapshot, &layout, &foreground);
  if (self->rows == ES_MAP_TIMES)
    snapshot_times (self, snapshot, &layout, &foreground);
  else if (self->rows == ES_MAP_NAMES)
    snapshot_names (self, snapshot, &layout, &foreground);
  else
    snapshot_y_values (self, snapshot, &layout, &foreground);
  _es_map_view_snapshot_marks (self, snapshot, &layout.area);
}
