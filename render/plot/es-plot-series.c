/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-plot-private.h"

/* Beyond this many points a pixel, a column of pixels is drawn as the span of its values. */
#define DENSE 6

GdkRGBA
es_plot_series_color (EsPlot *plot, guint index, const EsPlotColors *colors)
{
  const EsPlotSeries *series = g_ptr_array_index (plot->series, index);

  if (series->beside >= 0 && !series->muted)
    return es_plot_series_color (plot, (guint) series->beside, colors);
  if (series->muted)
    {
      GdkRGBA color = colors->foreground;
      color.alpha *= 0.35;
      return color;
    }
  if (series->has_color)
    return series->color;
  return colors->series[index % G_N_ELEMENTS (colors->series)];
}

/* Among lines, that is: bars tell themselves apart. Where the colours begin anew, the dashes are one on: 36 lines
 * differ. */
static void
set_dash (cairo_t *cr, EsPlot *plot, guint index)
{
  static const double dashes[][4] = {
    { 0 }, { 7, 3, 7, 3 }, { 2, 3, 2, 3 }, { 8, 3, 2, 3 }, { 12, 4, 12, 4 }, { 4, 2, 4, 2 },
  };
  const EsPlotSeries *own = g_ptr_array_index (plot->series, index);
  gboolean compared = FALSE;
  guint which = 0, n_beside = 0;

  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);

      which += s < index && series->style == ES_PLOT_LINE;
      compared = compared || series->beside >= 0;
      n_beside += s < index && series->beside >= 0 && series->beside == own->beside;
    }
  if (compared && own->beside < 0)
    {
      cairo_set_dash (cr, NULL, 0, 0);
      return;
    }
  if (own->beside >= 0)
    {
      const guint dash = 1 + n_beside % (G_N_ELEMENTS (dashes) - 1);

      cairo_set_dash (cr, dashes[dash], 4, 0);
      return;
    }
  which = (which + which / G_N_ELEMENTS (es_plot_colors_print.series)) % G_N_ELEMENTS (dashes);

  cairo_set_dash (cr, dashes[which], which == 0 ? 0 : 4, 0);
}

gboolean
es_plot_point_is_valid (const EsPlotScale *y_scale, const EsPlotScale *x_scale, const EsPlotSeries *series, guint i)
{
  return isfinite (series->x[i]) && isfinite (series->y[i]) && (!y_scale->logarithmic || series->y[i] > 0)
         && (!x_scale->logarithmic || series->x[i] > 0);
}

int
es_plot_find_point (EsPlot *plot, const EsPlotSeries *series, double x)
{
  double nearest = INFINITY, spacing = INFINITY;
  int found = -1;

  for (guint i = 0; i < series->n; i++)
    {
      double distance = es_plot_x_distance (plot, series->x[i], x);

      if (isfinite (series->y[i]) && distance < nearest)
        {
          nearest = distance;
          found = i;
        }
    }
  if (found < 0 || nearest == 0)
    return found;

  /* What stands alone, as a dot, is of its own place and no other. */
  if ((found == 0 || !isfinite (series->y[found - 1]))
      && (found + 1 == (int) series->n || !isfinite (series->y[found + 1])))
    return -1;
  /* Series on axes of their own: a neighbour counts where it is nearer than half a step of this series. */
  for (int i = MAX (found - 1, 0); i <= found && i + 1 < (int) series->n; i++)
    {
      double step = es_plot_x_distance (plot, series->x[i + 1], series->x[i]);
      if (step > 0)
        spacing = MIN (spacing, step);
    }
  return isfinite (spacing) && nearest <= spacing / 2 ? found : -1;
}

/* The end of the run that begins at `begin`: before a gap, or before x turns back. */
static guint
find_run_end (const EsPlotSeries *series, const EsPlotScale *x, const EsPlotScale *y, guint begin)
{
  double direction = 0;
  guint i = begin + 1;

  for (; i < series->n && es_plot_point_is_valid (y, x, series, i); i++)
    {
      double step = series->x[i] - series->x[i - 1];

      if (step * direction < 0)
        break;
      if (step != 0)
        direction = step;
    }
  return i;
}

static void
draw_run (cairo_t *cr, const EsPlotSeries *series, const EsPlotScale *x, const EsPlotScale *y, guint begin, guint end)
{
  gboolean dense = end - begin > DENSE * fabs (x->to - x->from);

  for (guint i = begin; i < end; i++)
    {
      double px = es_plot_scale_to_pixel (x, series->x[i]);

      if (!dense)
        {
          cairo_line_to (cr, px, es_plot_scale_to_pixel (y, series->y[i]));
          continue;
        }

      double low = series->y[i], high = low, first = low, last = low;
      for (; i + 1 < end && floor (es_plot_scale_to_pixel (x, series->x[i + 1])) == floor (px); i++)
        {
          last = series->y[i + 1];
          low = MIN (low, last);
          high = MAX (high, last);
        }
      const double path[4] = { first, low, high, last };
      for (guint k = 0; k < 4; k++)
        cairo_line_to (cr, px, es_plot_scale_to_pixel (y, path[k]));
    }
  cairo_stroke (cr);
}

static void
draw_line (EsPlot *plot, cairo_t *cr, const EsPlotSeries *series, const EsPlotScale *x, const EsPlotScale *y,
           guint index)
{
  cairo_set_line_width (cr, series->beside >= 0 ? 1.25 : 2);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap (cr, CAIRO_LINE_CAP_BUTT);
  for (guint i = 0; i < series->n;)
    {
      if (!es_plot_point_is_valid (y, x, series, i))
        {
          i++;
          continue;
        }

      guint end = find_run_end (series, x, y, i);
      if (end == i + 1)
        {
          /* Alone between gaps: a dot, or it would vanish. */
          cairo_new_path (cr);
          cairo_arc (cr, es_plot_scale_to_pixel (x, series->x[i]), es_plot_scale_to_pixel (y, series->y[i]),
                     series->beside >= 0 ? 4 : 2, 0, 2 * G_PI);
          cairo_fill (cr);
        }
      else
        {
          set_dash (cr, plot, index);
          draw_run (cr, series, x, y, i, end);
          cairo_set_dash (cr, NULL, 0, 0);
        }
      i = end;
    }
}

/* From a gap, or where x turns back, to the next. */
static void
draw_span (cairo_t *cr, const EsPlotSeries *series, const double *low, const double *high, const EsPlotScale *x,
           const EsPlotScale *y)
{
  for (guint begin = 0, end; begin < series->n; begin = end)
    {
      double direction = 0;

      for (end = begin; end < series->n; end++)
        {
          const double step = end > begin ? series->x[end] - series->x[end - 1] : 0;

          if (!isfinite (low[end]) || !isfinite (high[end]) || !isfinite (series->x[end]) || step * direction < 0)
            break;
          direction = step != 0 ? step : direction;
        }
      for (guint i = begin; i < end; i++)
        cairo_line_to (cr, es_plot_scale_to_pixel (x, series->x[i]), es_plot_scale_to_pixel (y, high[i]));
      for (guint i = end; i-- > begin;)
        cairo_line_to (cr, es_plot_scale_to_pixel (x, series->x[i]), es_plot_scale_to_pixel (y, low[i]));
      cairo_close_path (cr);
      cairo_fill (cr);
      if (end == begin)
        end++;
    }
}

void
es_plot_draw_spans (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, guint index, const EsPlotColors *colors)
{
  const EsPlotSeries *series = g_ptr_array_index (plot->series, index);
  const EsPlotScale *y = es_plot_layout_get_scale (layout, plot, series);
  const GdkRGBA color = es_plot_series_color (plot, index, colors);

  for (guint i = 0; i < ES_PLOT_N_SPANS; i++)
    {
      if (series->low[i] == NULL)
        continue;
      cairo_new_path (cr);
      cairo_set_source_rgba (cr, color.red, color.green, color.blue, color.alpha * (i == 0 ? 0.12 : 0.22));
      draw_span (cr, series, series->low[i], series->high[i], &layout->x, y);
    }
}

static double
find_baseline (const EsPlotScale *y)
{
  if (y->logarithmic)
    return y->from;
  return es_plot_scale_to_pixel (y, CLAMP (0, MIN (y->minimum, y->maximum), MAX (y->minimum, y->maximum)));
}

static void
draw_bars (cairo_t *cr, const EsPlotSeries *series, const EsPlotScale *x, const EsPlotScale *y, double spacing,
           const EsPlotColors *colors)
{
  double pitch = x->logarithmic
                 ? fabs (es_plot_scale_to_pixel (x, pow (10, spacing)) - es_plot_scale_to_pixel (x, 1))
                 : fabs (es_plot_scale_to_pixel (x, spacing) - es_plot_scale_to_pixel (x, 0));
  double width = pitch < 5 ? pitch : 0.8 * pitch, base = find_baseline (y);
  cairo_antialias_t antialias = cairo_get_antialias (cr);

  /* Touching bars without seams between them. */
  if (pitch < 5)
    cairo_set_antialias (cr, CAIRO_ANTIALIAS_NONE);
  for (guint i = 0; i < series->n; i++)
    {
      if (!es_plot_point_is_valid (y, x, series, i))
        continue;

      double px = es_plot_scale_to_pixel (x, series->x[i]), py = es_plot_scale_to_pixel (y, series->y[i]);
      double from = px - width / 2, to = px + width / 2;

      if (pitch >= 5)
        {
          from = round (from);
          to = MAX (round (to), from + 1);
        }
      else if (to - from < 1)
        to = from + 1;
      cairo_rectangle (cr, from, MIN (py, base), to - from, fabs (base - py));
      if ((int) i == series->highlight)
        {
          cairo_save (cr);
          gdk_cairo_set_source_rgba (cr, &colors->accent);
          cairo_fill (cr);
          cairo_restore (cr);
        }
      else
        cairo_fill (cr);
    }
  cairo_set_antialias (cr, antialias);
}

static void
draw_stems (cairo_t *cr, const EsPlotSeries *series, const EsPlotScale *x, const EsPlotScale *y)
{
  double base = find_baseline (y);

  cairo_set_line_width (cr, 1.5);
  for (guint i = 0; i < series->n; i++)
    {
      if (!es_plot_point_is_valid (y, x, series, i))
        continue;

      double px = es_plot_scale_to_pixel (x, series->x[i]), py = es_plot_scale_to_pixel (y, series->y[i]);

      cairo_move_to (cr, px, base);
      cairo_line_to (cr, px, py);
      cairo_stroke (cr);
      cairo_arc (cr, px, py, 3, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

gboolean
es_plot_has_marks (const EsPlotSeries *series)
{
  return series->style == ES_PLOT_DOTS || series->style == ES_PLOT_SQUARES || series->style == ES_PLOT_DIAMONDS;
}

static void
add_mark (cairo_t *cr, EsPlotStyle style, double x, double y, double size)
{
  cairo_new_sub_path (cr);
  if (style == ES_PLOT_SQUARES)
    cairo_rectangle (cr, x - size, y - size, 2 * size, 2 * size);
  else if (style == ES_PLOT_DIAMONDS)
    {
      const double reach = 1.4 * size;

      cairo_move_to (cr, x, y - reach);
      cairo_line_to (cr, x + reach, y);
      cairo_line_to (cr, x, y + reach);
      cairo_line_to (cr, x - reach, y);
      cairo_close_path (cr);
    }
  else
    cairo_arc (cr, x, y, size, 0, 2 * G_PI);
}

static void
draw_marks (cairo_t *cr, const EsPlotSeries *series, const EsPlotScale *x, const EsPlotScale *y,
            const EsPlotColors *colors)
{
  for (guint i = 0; i < series->n; i++)
    {
      const double px = es_plot_scale_to_pixel (x, series->x[i]), py = es_plot_scale_to_pixel (y, series->y[i]);
      const gboolean chosen = (int) i == series->highlight;

      if (!es_plot_point_is_valid (y, x, series, i))
        continue;
      add_mark (cr, series->style, px, py, chosen ? 5 : 4);
      cairo_fill (cr);
      if (!chosen)
        continue;
      /* A ring round it: not by its colour alone. */
      cairo_save (cr);
      gdk_cairo_set_source_rgba (cr, &colors->accent);
      cairo_set_line_width (cr, 2);
      cairo_arc (cr, px, py, 9, 0, 2 * G_PI);
      cairo_stroke (cr);
      cairo_restore (cr);
    }
}

static void
draw_highlight (cairo_t *cr, const EsPlotSeries *series, const EsPlotScale *x, const EsPlotScale *y,
                const EsPlotColors *colors)
{
  int i = series->highlight;

  if (series->style == ES_PLOT_BARS || es_plot_has_marks (series) || i < 0 || i >= (int) series->n
      || !es_plot_point_is_valid (y, x, series, i))
    return;
  cairo_arc (cr, es_plot_scale_to_pixel (x, series->x[i]), es_plot_scale_to_pixel (y, series->y[i]), 4.5, 0, 2 * G_PI);
  gdk_cairo_set_source_rgba (cr, &colors->accent);
  cairo_fill_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &colors->background);
  cairo_set_line_width (cr, 1.5);
  cairo_stroke (cr);
}

void
es_plot_draw_series (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, guint index, const EsPlotColors *colors)
{
  const EsPlotSeries *series = g_ptr_array_index (plot->series, index);
  const EsPlotScale *y = es_plot_layout_get_scale (layout, plot, series);
  GdkRGBA color = es_plot_series_color (plot, index, colors);

  cairo_new_path (cr);
  gdk_cairo_set_source_rgba (cr, &color);
  switch (series->style)
    {
    case ES_PLOT_LINE:
      draw_line (plot, cr, series, &layout->x, y, index);
      break;
    case ES_PLOT_BARS:
      draw_bars (cr, series, &layout->x, y, layout->bar_spacing, colors);
      break;
    case ES_PLOT_STEM:
      draw_stems (cr, series, &layout->x, y);
      break;
    case ES_PLOT_DOTS:
    case ES_PLOT_SQUARES:
    case ES_PLOT_DIAMONDS:
      draw_marks (cr, series, &layout->x, y, colors);
      break;
    default:
      g_assert_not_reached ();
    }
  draw_highlight (cr, series, &layout->x, y, colors);
}

void
es_plot_draw_swatch (EsPlot *plot, cairo_t *cr, guint index, double x, double y, double size,
                     const EsPlotColors *colors)
{
  const EsPlotSeries *series = g_ptr_array_index (plot->series, index);
  GdkRGBA color = es_plot_series_color (plot, index, colors);

  gdk_cairo_set_source_rgba (cr, &color);
  if (series->style == ES_PLOT_LINE)
    {
      cairo_save (cr);
      set_dash (cr, plot, index);
      cairo_set_line_width (cr, series->beside >= 0 ? 1.25 : 2);
      cairo_move_to (cr, x, y);
      cairo_line_to (cr, x + size, y);
      cairo_stroke (cr);
      cairo_restore (cr);
    }
  else if (es_plot_has_marks (series))
    {
      add_mark (cr, series->style, x + size / 2, y, 4);
      cairo_fill (cr);
    }
  else
    {
      es_plot_rounded_rect (cr, (EsPlotRect) { x + size / 2 - 5, y - 5, 10, 10 }, 2);
      cairo_fill (cr);
    }
}
