/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a map view looks: its layout, the map, axes, legend, cursor and marks. */
#include "config.h"

#include "es-map-view-private.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "plot/es-axis-ticks.h"
#include "widgets/es-format.h"

#define MARGIN     6
#define TICK       4
#define SMALL      0.85         /* of the font */
#define BAR_WIDTH  64           /* of the legend */

static const GdkRGBA canvas = { 0x2e / 255.f, 0x2e / 255.f, 0x2e / 255.f, 1 };
static const GdkRGBA ink = { 1, 1, 1, 0.95f };
static const GdkRGBA weak_ink = { 1, 1, 1, 0.55f };
static const GdkRGBA shade = { 0, 0, 0, 0.6f };

/* ---- text ---- */

static PangoLayout *
make_text (EsMapView *self, const char *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (SMALL));
  pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
  pango_layout_set_attributes (layout, attributes);
  return layout;
}

static int
text_width (EsMapView *self, const char *text, int *height)
{
  g_autoptr (PangoLayout) layout = make_text (self, text);
  int width, own_height;

  pango_layout_get_pixel_size (layout, &width, &own_height);
  if (height != NULL)
    *height = own_height;
  return width;
}

static void
append_layout (GtkSnapshot *snapshot, PangoLayout *layout, double x, double y, const GdkRGBA *color)
{
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

/* align: 0 the text's left edge is at x, 0.5 its middle, 1 its right edge. Returns its width. */
static int
append_text (EsMapView *self, GtkSnapshot *snapshot, const char *text, double x, double y, double align,
             const GdkRGBA *color)
{
  g_autoptr (PangoLayout) layout = make_text (self, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  append_layout (snapshot, layout, round (x - align * width), y, color);
  return width;
}

/* ---- layout ---- */

/* As many digits as the time between two rows may ask for; days where it is so long. */
static int
times_width (EsMapView *self)
{
  guint64 first = es_heatmap_get_first (self->map), end = es_heatmap_get_end (self->map);
  g_autofree char *label = NULL;
  double last, step;

  if (self->time == NULL || end < first + 2)
    return text_width (self, "00:00:00", NULL);
  last = self->time (self->time_data, end - 1);
  step = fabs (last - self->time (self->time_data, end - 2));
  label = es_axis_format_time (isfinite (last) ? fabs (last) : 0, step > 0 ? step : 1);
  return MAX (text_width (self, label, NULL), text_width (self, "00:00:00", NULL));
}

/* How wide labels of the rows may get. */
static int
row_labels_width (EsMapView *self)
{
  int widest = 0;

  if (self->rows == ES_MAP_TIMES)
    return times_width (self);
  if (self->rows == ES_MAP_NAMES)
    {
      for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
        widest = MAX (widest, text_width (self, self->names[i], NULL));
      return MIN (widest, 90);
    }
  for (guint i = 0; self->y.n > 0 && i < 2; i++)
    {
      /* With the digits that round steps of so short an axis have, and the sign that is drawn. */
      double value = self->y.values[i == 0 ? 0 : self->y.n - 1], span = fabs (self->y.values[self->y.n - 1]
                                                                               - self->y.values[0]);
      int digits = span < 0.4 ? 3 : span < 4 ? 2 : span < 40 ? 1 : 0;
      g_autofree char *label = g_strdup_printf ("%s%.*f", value < 0 ? "−" : "", digits, fabs (value));

      widest = MAX (widest, text_width (self, label, NULL));
    }
  return widest;
}

gboolean
_es_map_view_get_layout (EsMapView *self, EsMapLayout *layout)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  double left, top, right, bottom;

  text_width (self, "0", &layout->line);
  layout->left = row_labels_width (self);
  layout->title = height >= 240 && self->x.title != NULL;
  left = MARGIN + layout->left + TICK + 3;
  top = 2 + layout->line + 3;
  right = width - MARGIN - 4;
  bottom = height - layout->line - TICK - 3 - (layout->title ? layout->line + 1 : 0);
  layout->area = GRAPHENE_RECT_INIT ((float) ceil (left), (float) ceil (top), (float) floor (right - ceil (left)),
                                     (float) floor (bottom - ceil (top)));
  return layout->area.size.width >= 16 && layout->area.size.height >= 8;
}

static void
get_rows (EsMapView *self, double *top, double *bottom)
{
  *top = self->rows == ES_MAP_TIMES ? self->top : es_heatmap_get_end (self->map);
  *bottom = self->rows == ES_MAP_TIMES ? self->bottom : 0;
}

/* Rows from `apart` on have the upper part of the height, less the gap. */
static void
split_height (EsMapView *self, const graphene_rect_t *area, double *upper, double *lower)
{
  double n = es_heatmap_get_end (self->map), height = area->size.height;

  *upper = 0;
  *lower = height;
  if (self->rows != ES_MAP_NAMES || self->apart == 0 || self->apart >= n || height < 4 * ES_MAP_GAP)
    return;
  *upper = round ((height - ES_MAP_GAP) * (n - self->apart) / n);
  *lower = height - ES_MAP_GAP - *upper;
}

double
_es_map_view_row_to_pixel (EsMapView *self, const graphene_rect_t *area, double row)
{
  double top, bottom, upper, lower;

  get_rows (self, &top, &bottom);
  if (top == bottom)
    return NAN;
  split_height (self, area, &upper, &lower);
  if (upper > 0 && row >= self->apart)
    return area->origin.y + (top - row) / (top - self->apart) * upper;
  if (upper > 0)
    return area->origin.y + area->size.height - row / self->apart * lower;
  return area->origin.y + (row - top) / (bottom - top) * area->size.height;
}

double
_es_map_view_pixel_to_row (EsMapView *self, const graphene_rect_t *area, double y)
{
  double top, bottom, upper, lower, place = y - area->origin.y;

  get_rows (self, &top, &bottom);
  split_height (self, area, &upper, &lower);
  if (upper > 0 && place < upper + ES_MAP_GAP / 2.)
    return MAX (top - place / upper * (top - self->apart), self->apart);
  if (upper > 0)
    return CLAMP ((area->size.height - place) / lower, 0, 1) * self->apart - 1e-9;
  return top + place / area->size.height * (bottom - top);
}

/* ---- the map ---- */

static void
ensure_context (EsMapView *self)
{
  GtkNative *native = gtk_widget_get_native (GTK_WIDGET (self));
  g_autoptr (GdkGLContext) context = NULL;

  if (self->context_tried || native == NULL)
    return;
  self->context_tried = TRUE;

  /* A cairo renderer would have to fetch a GL texture back. */
  if (GSK_IS_CAIRO_RENDERER (gtk_native_get_renderer (native)))
    return;
  context = gdk_surface_create_gl_context (gtk_native_get_surface (native), NULL);
  if (context != NULL && gdk_gl_context_realize (context, NULL))
    self->context = g_steal_pointer (&context);
}

static void
snapshot_part (EsMapView *self, GtkSnapshot *snapshot, guint part, const graphene_rect_t *area, double top,
               double bottom)
{
  int scale = gtk_widget_get_scale_factor (GTK_WIDGET (self));
  EsHeatmapView view = { 0, es_heatmap_get_n_columns (self->map), top, bottom };

  if (self->textures[part] == NULL)
    self->textures[part] = es_heatmap_render (self->map, self->context, (int) area->size.width * scale,
                                              (int) area->size.height * scale, &view);
  gtk_snapshot_append_texture (snapshot, self->textures[part], area);
}

static void
snapshot_map (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  double top, bottom, upper, lower;

  gtk_snapshot_append_color (snapshot, &canvas, area);
  if (es_heatmap_get_n_columns (self->map) == 0 || es_heatmap_get_end (self->map) == 0)
    return;
  ensure_context (self);
  if (!graphene_rect_equal (&self->drawn, area))
    {
      g_clear_object (&self->textures[0]);
      g_clear_object (&self->textures[1]);
      self->drawn = *area;
    }
  get_rows (self, &top, &bottom);
  split_height (self, area, &upper, &lower);
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

static double
column_to_pixel (EsMapView *self, const graphene_rect_t *area, double column)
{
  return area->origin.x + column / MAX (es_heatmap_get_n_columns (self->map), 1) * area->size.width;
}

static void
append_rect (GtkSnapshot *snapshot, const GdkRGBA *color, double x, double y, double width, double height)
{
  gtk_snapshot_append_color (snapshot, color,
                             &GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width, (float) height));
}

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
  double from, to;

  if (self->x.n == 0 || n == 0)
    return;
  dim.alpha *= 0.55f;
  from = es_map_view_value_of (self, 0);
  to = es_map_view_value_of (self, n);
  g_autoptr (GArray) ticks = make_x_ticks (from, to, (guint) MAX (area->size.width / 56, 2), &factor);
  for (guint i = 0; i < ticks->len; i++)
    {
      const EsAxisTick *tick = &g_array_index (ticks, EsAxisTick, i);
      double column = es_map_view_column_of (self, tick->value), x;
      gboolean last = i + 1 == ticks->len;
      g_autofree char *label = label_with_unit (tick->label, layout->title ? NULL : self->x.unit, last);
      int width;

      if (isnan (column))
        continue;
      x = column_to_pixel (self, area, column);
      append_rect (snapshot, &dim, round (x - 0.5), y, 1, TICK);
      width = text_width (self, label, NULL);
      double middle = MIN (x, gtk_widget_get_width (GTK_WIDGET (self)) - 2 - width / 2.);
      if (middle - width / 2. < taken + 6)
        continue;
      append_text (self, snapshot, label, middle, y + TICK + 1, 0.5, foreground);
      taken = middle + width / 2.;
    }
  if (layout->title)
    {
      g_autofree char *title = self->x.unit != NULL ? g_strdup_printf ("%s (%s%s%s)", self->x.title,
                                                                       factor != NULL ? factor : "",
                                                                       factor != NULL ? " " : "", self->x.unit)
                                                    : g_strdup (self->x.title);

      append_text (self, snapshot, title, area->origin.x + area->size.width / 2, y + TICK + 1 + layout->line, 0.5,
                   &dim);
    }
}

static void
append_row_tick (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, double y, const char *label,
                 const GdkRGBA *foreground)
{
  GdkRGBA dim = *foreground;

  dim.alpha *= 0.55f;
  append_rect (snapshot, &dim, layout->area.origin.x - TICK, round (y - 0.5), TICK, 1);
  append_text (self, snapshot, label, layout->area.origin.x - TICK - 3, round (y - layout->line / 2.), 1, foreground);
}

/* Where a moment begins that is a multiple of the step; also where time leaps, since rows say their own. */
static void
snapshot_times (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  const graphene_rect_t *area = &layout->area;
  double height = area->size.height, rows = fabs (self->top - self->bottom) / height, last_label = -1e9;
  guint64 first = es_heatmap_get_first (self->map), end = es_heatmap_get_end (self->map);
  double newest = NAN, oldest = NAN, before = NAN, step;

  if (self->time == NULL || end <= first)
    return;

  double high = CLAMP (ceil (self->top) - 1, first, end - 1.), low = CLAMP (floor (self->bottom), first, end - 1.);
  newest = self->time (self->time_data, (guint64) high);
  oldest = self->time (self->time_data, (guint64) low);
  if (high <= low || isnan (newest) || isnan (oldest))
    {
      g_autofree char *label = es_axis_format_time (newest, 1);

      append_row_tick (self, snapshot, layout, _es_map_view_row_to_pixel (self, area, high + 0.5), label, foreground);
      return;
    }
  step = es_axis_time_step (fabs (newest - oldest) / (high - low) * rows * 2.6 * layout->line);

  for (int j = 0; j <= height; j++)
    {
      double row = floor (self->top + (self->bottom - self->top) * j / height);
      double time = row >= first && row < end ? self->time (self->time_data, (guint64) row) : NAN;

      /* Downwards time runs back: the tick stands above the row with which a step begins. */
      if (!isnan (before) && !isnan (time) && floor (time / step + 1e-9) != floor (before / step + 1e-9)
          && j - last_label >= 1.6 * layout->line)
        {
          double at = MAX (time, before);
          g_autofree char *label = es_axis_format_time (floor (at / step + 1e-9) * step, step);

          append_row_tick (self, snapshot, layout, area->origin.y + j - 0.5, label, foreground);
          last_label = j;
        }
      if (!isnan (time))
        before = time;
    }
}

static void
snapshot_names (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  double last = 1e9;

  for (guint i = 0; self->names != NULL && self->names[i] != NULL; i++)
    {
      double y = _es_map_view_row_to_pixel (self, &layout->area, i + 0.5);
      g_autoptr (PangoLayout) text = make_text (self, self->names[i]);
      int width;

      /* The first one of those that are set apart is worth more than the one below it. */
      if (last - y < layout->line && !(self->apart > 0 && i == self->apart))
        continue;
      pango_layout_set_ellipsize (text, PANGO_ELLIPSIZE_END);
      pango_layout_set_width (text, layout->left * PANGO_SCALE);
      pango_layout_set_alignment (text, PANGO_ALIGN_RIGHT);
      pango_layout_get_pixel_size (text, &width, NULL);
      append_layout (snapshot, text, layout->area.origin.x - TICK - 3 - layout->left, round (y - layout->line / 2.),
                     foreground);
      last = y;
    }
}

static void
snapshot_y_values (EsMapView *self, GtkSnapshot *snapshot, const EsMapLayout *layout, const GdkRGBA *foreground)
{
  const EsMapAxis *axis = &self->y;
  double height = layout->area.size.height;
  g_autofree char *factor = NULL;
  double half;

  if (axis->n == 0)
    return;
  half = axis->n > 1 ? (axis->values[1] - axis->values[0]) / 2 : 0.5;
  g_autoptr (GArray) ticks = es_axis_ticks_new (axis->values[0] - half, axis->values[axis->n - 1] + half,
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
  title_width = title != NULL ? text_width (self, title, NULL) : 0;
  es_heatmap_get_range (self->map, &low, &high);
  if (es_heatmap_get_end (self->map) > 0 && self->unit != NULL)
    {
      g_autofree char *first = es_format_number (low, 100), *second = es_format_number (high, 100);
      g_autofree char *last = g_strdup_printf ("%s %s", second, self->unit);
      int last_width = text_width (self, last, NULL), first_width = text_width (self, first, NULL);
      int bar = MIN (BAR_WIDTH, width - 3 * MARGIN - title_width - last_width - first_width - 20);

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
      if (title != NULL && MARGIN + title_width + 8 > right - last_width - (bar > 0 ? bar + first_width + 10 : 0))
        g_clear_pointer (&title, g_free);
    }
  if (title != NULL)
    append_text (self, snapshot, title, MARGIN, 2, 0, &dim);
}

/* ---- cursor and marks ---- */

static void
append_line (GtkSnapshot *snapshot, double x, double y, double width, double height, const GdkRGBA *color)
{
  append_rect (snapshot, &shade, x - (width == 1), y - (height == 1), width + 2 * (width == 1),
               height + 2 * (height == 1));
  append_rect (snapshot, color, x, y, width, height);
}

static void
append_peak (GtkSnapshot *snapshot, double x, double y)
{
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT ((float) x - 6, (float) y - 1, 12, 9));

  cairo_move_to (cr, x - 4.5, y);
  cairo_line_to (cr, x + 4.5, y);
  cairo_line_to (cr, x, y + 7);
  cairo_close_path (cr);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_fill_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &shade);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
append_ring (GtkSnapshot *snapshot, double x, double y, double width, double height)
{
  GskRoundedRect outer, inner;

  width = MAX (width, 7);
  height = MAX (height, 7);
  graphene_rect_t rect = GRAPHENE_RECT_INIT ((float) round (x - width / 2), (float) round (y - height / 2),
                                             (float) round (width), (float) round (height));

  gsk_rounded_rect_init_from_rect (&inner, &rect, 2);
  graphene_rect_inset (&rect, -1, -1);
  gsk_rounded_rect_init_from_rect (&outer, &rect, 3);
  gtk_snapshot_append_border (snapshot, &outer, (float[4]) { 1, 1, 1, 1 }, (GdkRGBA[4]) { shade, shade, shade, shade });
  gtk_snapshot_append_border (snapshot, &inner, (float[4]) { 2, 2, 2, 2 }, (GdkRGBA[4]) { ink, ink, ink, ink });
}

/* Light on a dark edge: seen on every colour of the map. */
static void
snapshot_tracks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  cairo_t *cr;

  if (self->n_track_points == 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, area);
  for (guint i = 0; i < self->n_track_points; i++)
    {
      double x = column_to_pixel (self, area, self->track_columns[i]);
      double y = _es_map_view_row_to_pixel (self, area, self->track_rows[i]);

      if (isnan (x) || isnan (y))
        cairo_new_sub_path (cr);
      else
        cairo_line_to (cr, x, y);
    }
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_ROUND);
  gdk_cairo_set_source_rgba (cr, &shade);
  cairo_set_line_width (cr, 3.5);
  cairo_stroke_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &ink);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
  cairo_destroy (cr);
}

static void
snapshot_marks (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  guint n = MAX (es_heatmap_get_n_columns (self->map), 1);

  gtk_snapshot_push_clip (snapshot, area);
  snapshot_tracks (self, snapshot, area);
  for (guint i = 0; i < self->n_lines; i++)
    append_line (snapshot, round (column_to_pixel (self, area, self->lines[i]) - 0.5), area->origin.y, 1,
                 area->size.height, &weak_ink);
  if (!isnan (self->cursor_column))
    append_line (snapshot, round (column_to_pixel (self, area, self->cursor_column) - 0.5), area->origin.y, 1,
                 area->size.height, &ink);
  if (!isnan (self->cursor_row))
    append_line (snapshot, area->origin.x, round (_es_map_view_row_to_pixel (self, area, self->cursor_row) - 0.5),
                 area->size.width, 1, &ink);
  for (guint i = 0; i < self->n_peaks; i++)
    append_peak (snapshot, column_to_pixel (self, area, self->peaks[i]), area->origin.y);
  if (!isnan (self->mark_column) && !isnan (self->mark_row))
    {
      double y = _es_map_view_row_to_pixel (self, area, self->mark_row);
      double height = fabs (_es_map_view_row_to_pixel (self, area, floor (self->mark_row))
                            - _es_map_view_row_to_pixel (self, area, floor (self->mark_row) + 0.999));

      append_ring (snapshot, column_to_pixel (self, area, self->mark_column), y, area->size.width / n + 4, height + 2);
    }
  gtk_snapshot_pop (snapshot);
}

/* A text on a translucent chip. */
static void
append_chip (GtkSnapshot *snapshot, PangoLayout *text, double x, double y, int width, int height)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT ((float) x, (float) y, (float) width + 12, (float) height + 4);
  GskRoundedRect chip;

  gsk_rounded_rect_init_from_rect (&chip, &bounds, 5);
  gtk_snapshot_push_rounded_clip (snapshot, &chip);
  gtk_snapshot_append_color (snapshot, &(GdkRGBA) { 0, 0, 0, 0.7f }, &bounds);
  gtk_snapshot_pop (snapshot);
  append_layout (snapshot, text, x + 6, y + 2, &ink);
}

/* Beside their points, inside of the map; what would stand over another one is left out. */
static void
snapshot_track_numbers (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  enum { MOST = 64 };
  graphene_rect_t taken[MOST];
  guint n = 0;

  for (guint i = 0; i < self->n_track_points && n < MOST; i++)
    {
      double x = column_to_pixel (self, area, self->track_columns[i]);
      double y = _es_map_view_row_to_pixel (self, area, self->track_rows[i]);
      gboolean free = TRUE;
      char number[16];
      int width, height;

      if (self->track_numbers[i] == 0 || isnan (x) || isnan (y))
        continue;
      g_snprintf (number, sizeof number, "%u", self->track_numbers[i]);

      g_autoptr (PangoLayout) text = make_text (self, number);
      pango_layout_get_pixel_size (text, &width, &height);
      x = x + 8 + width + 12 > area->origin.x + area->size.width ? x - 8 - width - 12 : x + 8;
      y = CLAMP (y - height / 2., area->origin.y + 10, area->origin.y + area->size.height - height - 4);
      taken[n] = GRAPHENE_RECT_INIT ((float) round (x), (float) round (y), (float) width + 12, (float) height + 4);
      for (guint k = 0; k < n && free; k++)
        free = !graphene_rect_intersection (&taken[k], &taken[n], NULL);
      if (free)
        append_chip (snapshot, text, taken[n].origin.x, taken[n].origin.y, width, height);
      n += free;
    }
}

static void
snapshot_read_out (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  double column, row, x, y;
  g_autofree char *words = NULL;
  int width, height;

  if (!self->has_pointer || self->describe == NULL || self->message != NULL
      || !es_map_view_pick (self, self->pointer_x, self->pointer_y, &column, &row))
    return;
  words = self->describe (self->describe_data, column, row);
  if (words == NULL)
    return;

  g_autoptr (PangoLayout) text = make_text (self, words);
  pango_layout_get_pixel_size (text, &width, &height);
  /* Beside the pointer, inside of the map, and never under it. */
  x = self->pointer_x + 14;
  if (x + width + 12 > area->origin.x + area->size.width)
    x = self->pointer_x - 14 - width - 12;
  x = MAX (x, area->origin.x);
  y = self->pointer_y - height - 10;
  if (y < area->origin.y)
    y = self->pointer_y + 16;
  append_chip (snapshot, text, x, y, width, height);
}

static void
snapshot_message (EsMapView *self, GtkSnapshot *snapshot, const graphene_rect_t *area)
{
  g_autoptr (PangoLayout) text = make_text (self, self->message);
  int width, height;

  pango_layout_set_width (text, (int) (MAX (area->size.width - 24, 40) * PANGO_SCALE));
  pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (text, PANGO_ALIGN_CENTER);
  pango_layout_get_pixel_size (text, &width, &height);
  append_layout (snapshot, text, area->origin.x + 12, area->origin.y + (area->size.height - height) / 2, &ink);
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
  snapshot_marks (self, snapshot, &layout.area);
  snapshot_track_numbers (self, snapshot, &layout.area);
  snapshot_read_out (self, snapshot, &layout.area);
}
