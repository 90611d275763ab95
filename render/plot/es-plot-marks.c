/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What lies over a plot: draggable markers with their handles and labels, the cursor with its read-out. */
#include "config.h"

#include <math.h>

#include "es-plot-private.h"

#define PAD 5
#define HANDLE_LENGTH 14
#define HANDLE_WIDTH 8

static gboolean
overlaps (const EsPlotRect *a, const EsPlotRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static void
keep_inside (EsPlotRect *rect, const EsPlotRect *bounds)
{
  rect->x = CLAMP (rect->x, bounds->x, MAX (bounds->x, bounds->x + bounds->width - rect->width));
  rect->y = CLAMP (rect->y, bounds->y, MAX (bounds->y, bounds->y + bounds->height - rect->height));
}

static void
draw_box (cairo_t *cr, EsPlotRect rect, const GdkRGBA *background, const GdkRGBA *border, double alpha)
{
  es_plot_rounded_rect (cr, rect, 4);
  cairo_set_source_rgba (cr, background->red, background->green, background->blue, 0.95);
  cairo_fill_preserve (cr);
  cairo_set_source_rgba (cr, border->red, border->green, border->blue, border->alpha * alpha);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

/* A pill across the line, with two grooves: it can be taken. */
static void
draw_handle (cairo_t *cr, gboolean horizontal, double x, double y, const EsPlotColors *colors)
{
  double width = horizontal ? HANDLE_LENGTH : HANDLE_WIDTH, height = horizontal ? HANDLE_WIDTH : HANDLE_LENGTH;

  es_plot_rounded_rect (cr, (EsPlotRect) { x - width / 2, y - height / 2, width, height }, 4);
  gdk_cairo_set_source_rgba (cr, &colors->accent);
  cairo_fill (cr);
  for (int side = -1; side <= 1; side += 2)
    {
      cairo_move_to (cr, horizontal ? x - 3 : x + side * 1.25, horizontal ? y + side * 1.25 : y - 3);
      cairo_rel_line_to (cr, horizontal ? 6 : 0, horizontal ? 0 : 6);
    }
  gdk_cairo_set_source_rgba (cr, &colors->background);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
draw_marker_line (cairo_t *cr, const EsPlotRect *plot, const EsPlotMarker *marker, double pixel,
                  const EsPlotColors *colors)
{
  static const double dash[] = { 5, 4 };

  if (marker->horizontal)
    {
      cairo_move_to (cr, plot->x, pixel);
      cairo_rel_line_to (cr, plot->width, 0);
    }
  else
    {
      cairo_move_to (cr, pixel, plot->y);
      cairo_rel_line_to (cr, 0, plot->height);
    }
  gdk_cairo_set_source_rgba (cr, &colors->accent);
  cairo_set_line_width (cr, 1.5);
  if (!marker->draggable)
    cairo_set_dash (cr, dash, 2, 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static double
marker_pixel (EsPlot *plot, const EsPlotLayout *layout, const EsPlotMarker *marker)
{
  return es_plot_scale_to_pixel (es_plot_layout_marker_scale (layout, plot, marker), marker->value);
}

static const EsPlotRect *
find_overlap (const EsPlotRect *box, const GArray *taken)
{
  for (guint i = 0; i < taken->len; i++)
    if (overlaps (box, &g_array_index (taken, EsPlotRect, i)))
      return &g_array_index (taken, EsPlotRect, i);
  return NULL;
}

/* Whether the line of another marker than `own` runs behind a box. */
static gboolean
is_crossed (EsPlot *plot, const EsPlotLayout *layout, guint own, const EsPlotRect *box)
{
  for (guint i = 0; i < plot->markers->len; i++)
    {
      const EsPlotMarker *other = &g_array_index (plot->markers, EsPlotMarker, i);
      double pixel = marker_pixel (plot, layout, other);

      if (i != own && !other->horizontal && pixel > box->x - 2 && pixel < box->x + box->width + 2)
        return TRUE;
    }
  return FALSE;
}

/* Beside its own line; where another line would come between, on it, below the handle. */
static void
place_vertical (EsPlot *plot, const EsPlotLayout *layout, guint own, double pixel, const GArray *taken,
                EsPlotRect *box)
{
  const EsPlotRect *r = &layout->plot;
  double gap = HANDLE_WIDTH / 2.0 + 2;
  const double sides[2] = { pixel + gap, pixel - box->width - gap };

  box->y = r->y + 2;
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      box->x = sides[i];
      if (box->x >= r->x && box->x + box->width <= r->x + r->width && find_overlap (box, taken) == NULL
          && !is_crossed (plot, layout, own, box))
        return;
    }
  box->x = pixel - box->width / 2;
  box->y = r->y + HANDLE_LENGTH + 3;
}

static void
draw_marker_label (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, guint index, double pixel, GArray *taken,
                   const EsPlotColors *colors)
{
  const EsPlotRect *r = &layout->plot;
  const EsPlotMarker *marker = &g_array_index (plot->markers, EsPlotMarker, index);
  g_autoptr (PangoLayout) text = es_plot_text_new (cr, layout->font_size, FALSE, marker->label);
  const EsPlotRect *other;
  int text_width;

  pango_layout_get_size (text, &text_width, NULL);
  EsPlotRect box = { 0, 0, (double) text_width / PANGO_SCALE + 2 * PAD, layout->text_height + 2 };

  if (marker->horizontal)
    {
      box.x = r->x + r->width - box.width - HANDLE_LENGTH - 4;
      box.y = pixel - box.height - 4;
      if (box.y < r->y)
        box.y = pixel + 4;
    }
  else
    place_vertical (plot, layout, index, pixel, taken, &box);
  keep_inside (&box, r);
  while ((other = find_overlap (&box, taken)) != NULL && other->y + other->height + box.height + 2 <= r->y + r->height)
    box.y = other->y + other->height + 2;
  g_array_append_val (taken, box);

  draw_box (cr, box, &colors->background, &colors->accent, 0.6);
  gdk_cairo_set_source_rgba (cr, &colors->foreground);
  es_plot_draw_text (cr, text, box.x + PAD, box.y + 1, 0);
}

void
es_plot_draw_markers (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const EsPlotRect *r = &layout->plot;
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (EsPlotRect));

  /* All lines first: no line crosses the label of another marker. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < plot->markers->len; i++)
      {
        const EsPlotMarker *marker = &g_array_index (plot->markers, EsPlotMarker, i);
        const EsPlotScale *scale = es_plot_layout_marker_scale (layout, plot, marker);
        double pixel = marker_pixel (plot, layout, marker);

        if (!isfinite (pixel) || pixel < MIN (scale->from, scale->to) - 0.5
            || pixel > MAX (scale->from, scale->to) + 0.5)
          continue;
        if (pass == 0)
          {
            draw_marker_line (cr, r, marker, pixel, colors);
            continue;
          }
        if (marker->draggable && !layout->saved)
          draw_handle (cr, marker->horizontal, marker->horizontal ? r->x + r->width - HANDLE_LENGTH / 2.0 : pixel,
                       marker->horizontal ? pixel : r->y + HANDLE_LENGTH / 2.0, colors);
        if (marker->label != NULL && *marker->label != 0)
          draw_marker_label (plot, cr, layout, i, pixel, taken, colors);
      }
}

/* How many points of the plot a box would cover. */
static guint
count_covered (EsPlot *plot, const EsPlotLayout *layout, const EsPlotRect *box)
{
  guint n = 0;

  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);
      const EsPlotScale *y = es_plot_layout_get_scale (layout, plot, series);

      for (guint i = 0; i < series->n; i += series->n / 2000 + 1)
        {
          if (!es_plot_point_is_valid (y, &layout->x, series, i))
            continue;

          double px = es_plot_scale_to_pixel (&layout->x, series->x[i]);
          double py = es_plot_scale_to_pixel (y, series->y[i]);

          n += px >= box->x && px <= box->x + box->width && py <= box->y + box->height
               && (series->style != ES_PLOT_LINE || py >= box->y);
        }
    }
  return n;
}

/* The corner that hides least, and never the cursor's own line where there is a choice. */
static void
place_read_out (EsPlot *plot, const EsPlotLayout *layout, double cursor, EsPlotRect *box)
{
  const EsPlotRect *r = &layout->plot;
  guint best = G_MAXUINT;
  EsPlotRect found = *box;

  for (guint corner = 0; corner < 4; corner++)
    {
      EsPlotRect here = *box;

      here.x = corner % 2 == 0 ? r->x + r->width - box->width - 4 : r->x + 4;
      here.y = corner / 2 == 0 ? r->y + 4 : r->y + r->height - box->height - 4;
      keep_inside (&here, r);

      guint covered = count_covered (plot, layout, &here) * 4 + corner / 2;
      if (cursor >= here.x - 4 && cursor <= here.x + here.width + 4)
        covered += 1000000;
      if (covered < best)
        {
          best = covered;
          found = here;
        }
    }
  *box = found;
}

typedef struct { PangoLayout *name, *value; guint series; } Line;

static void
clear_line (gpointer data)
{
  Line *line = data;

  g_clear_object (&line->name);
  g_clear_object (&line->value);
}

/* "1023.4 nm" above a line for each series; as many lines as fit. */
static GArray *
make_lines (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout)
{
  GArray *lines = g_array_new (FALSE, TRUE, sizeof (Line));
  guint max_lines = MAX (2, (layout->plot.height - 8) / layout->text_height - 1);
  gboolean named = plot->series->len > 1;

  g_array_set_clear_func (lines, clear_line);
  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);
      const char *unit = series->right_axis && plot->has_right_axis ? plot->right_axis.unit : plot->left_axis.unit;
      int i = es_plot_find_point (plot, series, plot->cursor);
      g_autofree char *number = es_plot_format (i >= 0 ? series->y[i] : NAN, 4);
      g_autofree char *value = unit != NULL && i >= 0 ? g_strdup_printf ("%s %s", number, unit) : g_strdup (number);
      Line line = { NULL, NULL, s };

      if (i < 0 && named)
        continue;
      if (lines->len == max_lines - 1 && s + 1 < plot->series->len)
        {
          line.value = es_plot_text_new (cr, layout->font_size, FALSE, "…");
          line.series = G_MAXUINT;
          g_array_append_val (lines, line);
          break;
        }
      if (named && series->title != NULL && *series->title != 0)
        {
          line.name = es_plot_text_new (cr, layout->font_size, FALSE, series->title);
          int width;

          pango_layout_get_size (line.name, &width, NULL);
          pango_layout_set_ellipsize (line.name, PANGO_ELLIPSIZE_MIDDLE);
          pango_layout_set_width (line.name, MIN (width, (int) (layout->plot.width * 0.35) * PANGO_SCALE));
        }
      line.value = es_plot_text_new (cr, layout->font_size, FALSE, value);
      g_array_append_val (lines, line);
    }
  return lines;
}

static double
text_width (PangoLayout *text)
{
  int width = 0;

  if (text != NULL)
    pango_layout_get_size (text, &width, NULL);
  return (double) width / PANGO_SCALE;
}

static void
draw_read_out (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, double cursor, const EsPlotColors *colors)
{
  g_autoptr (GArray) lines = make_lines (plot, cr, layout);
  g_autofree char *head = es_plot_format_x (plot, plot->cursor);
  g_autoptr (PangoLayout) head_text = es_plot_text_new (cr, layout->font_size, TRUE, head);
  double names = 0, values = 0, swatch = plot->series->len > 1 ? 20 : 0;

  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);
      names = MAX (names, text_width (line->name));
      values = MAX (values, text_width (line->value));
    }
  double width = swatch + names + (names > 0 ? 10 : 0) + values;
  EsPlotRect box = { 0, 0, MAX (width, text_width (head_text)) + 2 * PAD, (lines->len + 1) * layout->text_height + 6 };

  place_read_out (plot, layout, cursor, &box);
  draw_box (cr, box, &colors->background, &colors->foreground, 0.25);

  double y = box.y + 3, right = box.x + box.width - PAD;
  gdk_cairo_set_source_rgba (cr, &colors->foreground);
  es_plot_draw_text (cr, head_text, box.x + PAD, y, 0);
  for (guint i = 0; i < lines->len; i++)
    {
      const Line *line = &g_array_index (lines, Line, i);

      y += layout->text_height;
      if (swatch > 0 && line->series != G_MAXUINT)
        es_plot_draw_swatch (plot, cr, line->series, box.x + PAD, y + layout->text_height / 2, 14, colors);
      gdk_cairo_set_source_rgba (cr, &colors->foreground);
      if (line->name != NULL)
        es_plot_draw_text (cr, line->name, box.x + PAD + swatch, y, 0);
      es_plot_draw_text (cr, line->value, swatch > 0 ? right : box.x + PAD, y, swatch > 0 ? 1 : 0);
    }
}

void
es_plot_draw_cursor (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  const EsPlotRect *r = &layout->plot;
  double pixel = es_plot_scale_to_pixel (&layout->x, plot->cursor);

  if (!isfinite (pixel) || pixel < r->x - 0.5 || pixel > r->x + r->width + 0.5)
    return;

  cairo_move_to (cr, floor (pixel) + 0.5, r->y);
  cairo_rel_line_to (cr, 0, r->height);
  cairo_set_source_rgba (cr, colors->foreground.red, colors->foreground.green, colors->foreground.blue, 0.5);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);

  cairo_save (cr);
  cairo_rectangle (cr, r->x - 5, r->y - 5, r->width + 10, r->height + 10);
  cairo_clip (cr);
  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);
      const EsPlotScale *y = es_plot_layout_get_scale (layout, plot, series);
      int i = es_plot_find_point (plot, series, plot->cursor);

      if (i < 0 || !es_plot_point_is_valid (y, &layout->x, series, i))
        continue;

      GdkRGBA color = es_plot_series_color (plot, s, colors);
      cairo_arc (cr, es_plot_scale_to_pixel (&layout->x, series->x[i]), es_plot_scale_to_pixel (y, series->y[i]), 4, 0,
                 2 * G_PI);
      gdk_cairo_set_source_rgba (cr, &color);
      cairo_fill_preserve (cr);
      gdk_cairo_set_source_rgba (cr, &colors->background);
      cairo_set_line_width (cr, 1.5);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
  if (!plot->no_read_out)
    draw_read_out (plot, cr, layout, pixel, colors);
}
