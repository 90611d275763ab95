/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-step-bars.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "axes/es-plot-internal.h"

#define FONT       11           /* pixels */
#define MARGIN     10
#define GAP        8            /* between titles and bars, bars and their numbers */
#define THICK      22           /* a stacked bar, and its pitch */
#define THICK_PITCH 34
#define THIN       11           /* one of a group */
#define THIN_PITCH 13
#define GROUP_GAP  12
#define AXIS       22
#define SWATCH     10
#define N_COLORS   G_N_ELEMENTS (es_plot_colors_print.series)

typedef struct
{
  EsComparison       *comparison;
  const EsStepBarsRows *rows;    /* NULL: the comparison's */
  EsStepBarsStyle     style;
  cairo_t            *cr;
  int                 width, height;
  const EsPlotColors *colors;

  guint               n_contestants, n_steps;
  guint              *shown;     /* the contestants that take part */
  guint               n_shown;
  double              top;       /* below the legend */
  double              titles;    /* width of the column of titles */
  EsPlotScale         scale;
} Drawing;

char *
es_step_bars_format_ms (double ms)
{
  if (isnan (ms))
    return g_strdup ("–");
  if (ms >= 1000)
    return g_strdup_printf (_("%.*f s"), ms >= 10000 ? 1 : 2, ms / 1000);
  return g_strdup_printf (_("%.*f ms"), ms >= 100 ? 0 : ms >= 10 ? 1 : 2, ms);
}

/* ---- what is drawn ---- */

static const char *
title_of (Drawing *self, guint row)
{
  return self->rows != NULL ? self->rows->titles[row] : es_comparison_get_title (self->comparison, row);
}

static const char *
step_title_of (Drawing *self, guint step)
{
  return self->rows != NULL ? self->rows->step_titles[step] : es_comparison_get_step_title (self->comparison, step);
}

static double
step_ms_of (Drawing *self, guint row, guint step)
{
  return self->rows != NULL ? self->rows->ms[row * self->rows->n_steps + step]
                            : es_comparison_get_step_ms (self->comparison, row, step);
}

static double
total_ms_of (Drawing *self, guint row)
{
  return self->rows != NULL ? self->rows->totals[row] : es_comparison_get_total_ms (self->comparison, row);
}

static gboolean
get_spread (Drawing *self, guint row, double *fastest, double *slowest)
{
  return self->rows == NULL && es_comparison_get_spread (self->comparison, row, fastest, slowest);
}

static double
speed_up_of (Drawing *self, guint row)
{
  return self->rows != NULL ? NAN : es_comparison_get_speed_up (self->comparison, row);
}

static guint
count_shown (EsComparison *comparison)
{
  guint n = 0;

  for (guint i = 0; i < es_comparison_get_n_contestants (comparison); i++)
    n += es_comparison_get_state (comparison, i) != ES_CONTESTANT_LEFT_OUT;
  return n;
}

static int
find_height (guint n, guint steps, EsStepBarsStyle style)
{
  int legend = 2 * MARGIN + 2 * 18;

  if (style == ES_STEP_BARS_STACKED)
    return legend + (int) n * THICK_PITCH + AXIS + MARGIN;
  return legend + (int) (steps * (n * THIN_PITCH + GROUP_GAP)) + AXIS + MARGIN;
}

int
es_step_bars_get_height (EsComparison *comparison, EsStepBarsStyle style)
{
  return find_height (count_shown (comparison), es_comparison_get_n_steps (comparison), style);
}

int
es_step_bars_get_rows_height (const EsStepBarsRows *rows, EsStepBarsStyle style)
{
  return find_height (rows->n_rows, rows->n_steps, style);
}

/* ---- texts ---- */

static double
text_width (Drawing *self, const char *text)
{
  g_autoptr (PangoLayout) layout = es_plot_text_new (self->cr, FONT, FALSE, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  return width;
}

/* Centred at y. Where it ends. */
static double
draw_text (Drawing *self, const char *text, double x, double y, double align, double most, gboolean dim)
{
  g_autoptr (PangoLayout) layout = es_plot_text_new (self->cr, FONT, FALSE, text);
  GdkRGBA color = self->colors->foreground;
  int width, height;

  if (dim)
    color.alpha *= 0.6f;
  if (most > 0)
    {
      pango_layout_get_pixel_size (layout, &width, NULL);
      if (width > most)
        {
          pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_MIDDLE);
          pango_layout_set_width (layout, (int) (most * PANGO_SCALE));
        }
    }
  pango_layout_get_pixel_size (layout, &width, &height);
  gdk_cairo_set_source_rgba (self->cr, &color);
  cairo_move_to (self->cr, x - align * width, y - height / 2.);
  pango_cairo_show_layout (self->cr, layout);
  return x + (1 - align) * width;
}

/* Where the six colours begin anew they are paler. */
static void
set_color (Drawing *self, guint index)
{
  GdkRGBA color = self->colors->series[index % N_COLORS];

  color.alpha *= index / N_COLORS % 2 == 0 ? 1 : 0.5f;
  gdk_cairo_set_source_rgba (self->cr, &color);
}

static void
draw_legend (Drawing *self)
{
  gboolean steps = self->style == ES_STEP_BARS_STACKED;
  guint n = steps ? self->n_steps : self->n_shown;
  double x = MARGIN, y = MARGIN + 9;

  for (guint i = 0; i < n; i++)
    {
      const char *title = steps ? step_title_of (self, i)
                                : title_of (self, self->shown[i]);
      double width = SWATCH + 5 + text_width (self, title);

      if (x > MARGIN && x + width > self->width - MARGIN)
        {
          x = MARGIN;
          y += 18;
        }
      set_color (self, i);
      es_plot_rounded_rect (self->cr, (EsPlotRect) { x, y - SWATCH / 2., SWATCH, SWATCH }, 2);
      cairo_fill (self->cr);
      draw_text (self, title, x + SWATCH + 5, y, 0, self->width - x - MARGIN - SWATCH - 5, FALSE);
      x += width + 16;
    }
  self->top = y + 9 + MARGIN;
}

/* ---- the axis ---- */

static void
find_scale (Drawing *self)
{
  gboolean grouped = self->style == ES_STEP_BARS_GROUPED;
  double low = INFINITY, high = 0, number = text_width (self, "00.00 ms · 000.0 ×");

  for (guint i = 0; i < self->n_shown; i++)
    {
      double fastest, slowest, total = total_ms_of (self, self->shown[i]);

      if (!grouped && total > high)
        high = total;
      if (!grouped && get_spread (self, self->shown[i], &fastest, &slowest))
        high = MAX (high, slowest);
      for (guint k = 0; grouped && k < self->n_steps; k++)
        {
          double ms = step_ms_of (self, self->shown[i], k);

          if (!(ms > 0))
            continue;
          low = MIN (low, ms);
          high = MAX (high, ms);
        }
    }
  if (!(high > 0))
    high = 1;
  self->scale.logarithmic = grouped;
  self->scale.minimum = grouped ? pow (10, floor (log10 (MAX (MIN (low, high / 10), high * 1e-6)))) : 0;
  self->scale.maximum = high;
  self->scale.from = MARGIN + self->titles + GAP;
  self->scale.to = MAX (self->width - MARGIN - GAP - number, self->scale.from + 40);
}

static void
draw_axis (Drawing *self, double bottom)
{
  gboolean seconds = !self->scale.logarithmic && self->scale.maximum >= 2000;
  EsPlotScale scale = self->scale;
  double end = scale.to;
  EsPlotTicks ticks;

  if (seconds)
    {
      scale.minimum /= 1000;
      scale.maximum /= 1000;
    }
  ticks = es_plot_ticks_new (&scale, (guint) CLAMP ((scale.to - scale.from) / 70, 2, 8));
  cairo_set_line_width (self->cr, 1);
  for (guint i = 0; i < ticks.ticks->len; i++)
    {
      const EsPlotTick *tick = &g_array_index (ticks.ticks, EsPlotTick, i);
      double x = floor (tick->pixel) + 0.5;

      if (tick->label == NULL)
        continue;
      gdk_cairo_set_source_rgba (self->cr, &self->colors->grid);
      cairo_move_to (self->cr, x, self->top);
      cairo_line_to (self->cr, x, bottom);
      cairo_stroke (self->cr);
      end = MAX (end, draw_text (self, tick->label, tick->pixel, bottom + AXIS / 2., 0.5, 0, TRUE));
    }
  draw_text (self, seconds ? _("s") : _("ms"), end + GAP, bottom + AXIS / 2., 0, 0, TRUE);
  es_plot_ticks_clear (&ticks);
}

/* ---- the bars ---- */

static char *
describe_total (Drawing *self, guint contestant)
{
  double speed_up = speed_up_of (self, contestant);
  g_autofree char *total = es_step_bars_format_ms (total_ms_of (self, contestant));

  if (isnan (speed_up))
    return g_steal_pointer (&total);
  /* TRANSLATORS: a time and how many times as fast as the first: "38 ms · 12.4 ×" */
  return g_strdup_printf (_("%s · %.*f ×"), total, speed_up >= 100 ? 0 : 1, speed_up);
}

static const char *
describe_state (Drawing *self, guint contestant)
{
  if (self->rows != NULL)
    return self->rows->notes != NULL && self->rows->notes[contestant] != NULL ? self->rows->notes[contestant] : "";
  switch (es_comparison_get_state (self->comparison, contestant))
    {
    case ES_CONTESTANT_RUNNING:
      return _("running");
    case ES_CONTESTANT_FAILED:
      return _("failed");
    case ES_CONTESTANT_WAITING:
    case ES_CONTESTANT_DONE:
    case ES_CONTESTANT_LEFT_OUT:
    default:
      return "";
    }
}

static void
draw_stacked_bar (Drawing *self, guint contestant, double y)
{
  double at = 0, x = self->scale.from, end, fastest, slowest;
  g_autofree char *text = NULL;

  for (guint k = 0; k < self->n_steps; k++)
    {
      double ms = step_ms_of (self, contestant, k), to;

      if (!(ms > 0))
        continue;
      at += ms;
      to = es_plot_scale_to_pixel (&self->scale, at);
      set_color (self, k);
      cairo_rectangle (self->cr, x, y - THICK / 2., MAX (to - x, 0.5), THICK);
      cairo_fill (self->cr);
      x = to;
    }
  end = es_plot_scale_to_pixel (&self->scale, total_ms_of (self, contestant));
  if (get_spread (self, contestant, &fastest, &slowest) && slowest > fastest)
    {
      double from = es_plot_scale_to_pixel (&self->scale, fastest), to = es_plot_scale_to_pixel (&self->scale, slowest);

      gdk_cairo_set_source_rgba (self->cr, &self->colors->foreground);
      cairo_set_line_width (self->cr, 1);
      cairo_move_to (self->cr, from, y);
      cairo_line_to (self->cr, to, y);
      for (guint i = 0; i < 2; i++)
        {
          cairo_move_to (self->cr, i == 0 ? from : to, y - 4);
          cairo_rel_line_to (self->cr, 0, 8);
        }
      cairo_stroke (self->cr);
      end = MAX (end, to);
    }
  text = describe_total (self, contestant);
  draw_text (self, text, end + GAP, y, 0, 0, FALSE);
}

static void
draw_stacked (Drawing *self)
{
  double pitch = CLAMP ((self->height - self->top - AXIS - MARGIN) / MAX (self->n_shown, 1), THICK, THICK_PITCH);

  draw_axis (self, self->top + self->n_shown * pitch);
  for (guint i = 0; i < self->n_shown; i++)
    {
      guint contestant = self->shown[i];
      double y = self->top + (i + 0.5) * pitch;

      draw_text (self, title_of (self, contestant), MARGIN + self->titles, y, 1,
                 self->titles, FALSE);
      if (isnan (total_ms_of (self, contestant)))
        draw_text (self, describe_state (self, contestant), self->scale.from + 4, y, 0,
                   self->width - self->scale.from - 4 - MARGIN, TRUE);
      else
        draw_stacked_bar (self, contestant, y);
    }
}

static void
draw_grouped (Drawing *self)
{
  double group = self->n_shown * THIN_PITCH + GROUP_GAP;

  draw_axis (self, self->top + self->n_steps * group);
  for (guint k = 0; k < self->n_steps; k++)
    {
      double y = self->top + k * group + GROUP_GAP / 2.;

      draw_text (self, step_title_of (self, k), MARGIN + self->titles,
                 y + self->n_shown * THIN_PITCH / 2., 1, self->titles, FALSE);
      for (guint i = 0; i < self->n_shown; i++, y += THIN_PITCH)
        {
          double ms = step_ms_of (self, self->shown[i], k);
          g_autofree char *text = es_step_bars_format_ms (ms);
          double to;

          if (!(ms > 0))
            continue;
          to = es_plot_scale_to_pixel (&self->scale, MAX (ms, self->scale.minimum));
          set_color (self, i);
          cairo_rectangle (self->cr, self->scale.from, y + (THIN_PITCH - THIN) / 2., MAX (to - self->scale.from, 1),
                           THIN);
          cairo_fill (self->cr);
          draw_text (self, text, MAX (to, self->scale.from) + GAP / 2., y + THIN_PITCH / 2., 0, 0, TRUE);
        }
    }
}

static void
find_titles (Drawing *self)
{
  gboolean steps = self->style == ES_STEP_BARS_GROUPED;
  guint n = steps ? self->n_steps : self->n_shown;

  for (guint i = 0; i < n; i++)
    self->titles = MAX (self->titles,
                        text_width (self, steps ? step_title_of (self, i)
                                                : title_of (self, self->shown[i])));
  self->titles = MIN (self->titles, 0.3 * self->width);
}

static void
draw_all (Drawing *self)
{
  es_plot_use_desktop_font ();
  if (self->colors->opaque)
    {
      gdk_cairo_set_source_rgba (self->cr, &self->colors->background);
      cairo_paint (self->cr);
    }
  if (self->n_steps == 0 || self->n_shown == 0 || self->width < 160)
    return;
  find_titles (self);
  find_scale (self);
  draw_legend (self);
  if (self->style == ES_STEP_BARS_STACKED)
    draw_stacked (self);
  else
    draw_grouped (self);
}

void
es_step_bars_draw (EsComparison *comparison, EsStepBarsStyle style, cairo_t *cr, int width, int height,
                   const EsPlotColors *colors)
{
  Drawing self = { .comparison = comparison, .style = style, .cr = cr, .width = width, .height = height,
                   .colors = colors };
  g_autofree guint *shown = NULL;

  g_return_if_fail (ES_IS_COMPARISON (comparison));

  self.n_contestants = es_comparison_get_n_contestants (comparison);
  self.n_steps = es_comparison_get_n_steps (comparison);
  self.shown = shown = g_new (guint, MAX (self.n_contestants, 1));
  for (guint i = 0; i < self.n_contestants; i++)
    if (es_comparison_get_state (comparison, i) != ES_CONTESTANT_LEFT_OUT)
      shown[self.n_shown++] = i;
  draw_all (&self);
}

void
es_step_bars_draw_rows (const EsStepBarsRows *rows, EsStepBarsStyle style, cairo_t *cr, int width, int height,
                        const EsPlotColors *colors)
{
  Drawing self = { .rows = rows, .style = style, .cr = cr, .width = width, .height = height, .colors = colors };
  g_autofree guint *shown = NULL;

  g_return_if_fail (rows != NULL);

  self.n_contestants = self.n_shown = rows->n_rows;
  self.n_steps = rows->n_steps;
  self.shown = shown = g_new (guint, MAX (self.n_contestants, 1));
  for (guint i = 0; i < rows->n_rows; i++)
    shown[i] = i;
  draw_all (&self);
}
