/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What points are called, beside them: each text is put where it covers least. */

#include <math.h>

#include "es-plot-private.h"
#include "base/es-text-show.h"

#define MARK 8                 /* half of what a mark takes of the plot */
#define GAP 11                 /* between a mark and its text */
#define RINGS 5                /* how far from its point a text may be, in heights of text */
#define PICK 14

/* What a place costs: it is never over another text while any place is free. */
#define COST_TEXT 1000.0
#define COST_MARK 120.0
#define COST_LINE 25.0
#define COST_RING 9.0

void
es_plot_clear_labels (EsPlotSeries *series)
{
  for (guint i = 0; series->labels != NULL && i < series->n; i++)
    g_free (series->labels[i]);
  g_clear_pointer (&series->labels, g_free);
}

void
es_plot_set_labels (EsPlot *self, guint index, const char * const *labels)
{
  g_return_if_fail (ES_IS_PLOT (self));
  g_return_if_fail (index < self->series->len);

  EsPlotSeries *series = g_ptr_array_index (self->series, index);

  es_plot_clear_labels (series);
  if (labels != NULL)
    {
      series->labels = g_new0 (char *, MAX (series->n, 1));
      for (guint i = 0; i < series->n; i++)
        series->labels[i] = labels[i] != NULL ? es_text_show (labels[i]) : NULL;
    }
  es_plot_place_again (self);
}

/* ---- where ---- */

static gboolean
overlaps (const EsPlotRect *a, const EsPlotRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height && b->y < a->y + a->height;
}

static gboolean
is_inside (const EsPlotRect *box, const EsPlotRect *bounds)
{
  return box->x >= bounds->x && box->x + box->width <= bounds->x + bounds->width && box->y >= bounds->y
         && box->y + box->height <= bounds->y + bounds->height;
}

/* Whether the segment passes through the box: some step of it lies in it. */
static gboolean
is_crossed (const EsPlotRect *box, double ax, double ay, double bx, double by)
{
  double from = 0, to = 1;
  const double starts[] = { ax, ay }, steps[] = { bx - ax, by - ay };
  const double lows[] = { box->x, box->y }, highs[] = { box->x + box->width, box->y + box->height };

  for (guint k = 0; k < 2; k++)
    {
      if (fabs (steps[k]) < 1e-9)
        {
          if (starts[k] < lows[k] || starts[k] > highs[k])
            return FALSE;
          continue;
        }
      const double a = (lows[k] - starts[k]) / steps[k], b = (highs[k] - starts[k]) / steps[k];
      from = fmax (from, fmin (a, b));
      to = fmin (to, fmax (a, b));
    }
  return from <= to;
}

static double
count_lines (EsPlot *plot, const EsPlotLayout *layout, const EsPlotRect *box)
{
  double n = 0;

  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);
      const EsPlotScale *y = es_plot_layout_get_scale (layout, plot, series);

      for (guint i = 1; series->style == ES_PLOT_LINE && i < series->n; i++)
        if (es_plot_point_is_valid (y, &layout->x, series, i - 1) && es_plot_point_is_valid (y, &layout->x, series, i))
          n += is_crossed (box, es_plot_scale_to_pixel (&layout->x, series->x[i - 1]),
                           es_plot_scale_to_pixel (y, series->y[i - 1]),
                           es_plot_scale_to_pixel (&layout->x, series->x[i]),
                           es_plot_scale_to_pixel (y, series->y[i]));
    }
  return n;
}

typedef struct
{
  EsPlot             *plot;
  const EsPlotLayout *layout;
  GArray             *marks, *taken;         /* EsPlotRect */
} Places;

static double
cost_of (const Places *self, const EsPlotRect *box)
{
  double cost = COST_LINE * count_lines (self->plot, self->layout, box);

  for (guint i = 0; i < self->taken->len; i++)
    cost += COST_TEXT * overlaps (box, &g_array_index (self->taken, EsPlotRect, i));
  for (guint i = 0; i < self->marks->len; i++)
    cost += COST_MARK * overlaps (box, &g_array_index (self->marks, EsPlotRect, i));
  return cost;
}

/* To the right, the left, above, below, and the corners; of a line (which runs through its point) above it first, of a
 * bar in the middle above it. FALSE: everywhere it would cover another text. */
static gboolean
find_place (const Places *self, double px, double py, double width, double height, const EsPlotSeries *series,
            EsPlotRect *best)
{
  static const struct { double across, down; } sides[] = {
    { 1, 0 }, { -1, 0 }, { 0, -1 }, { 0, 1 }, { 1, -1 }, { 1, 1 }, { -1, -1 }, { -1, 1 },
  };
  static const guint of_lines[] = { 6, 4, 2, 5, 7, 3, 0, 1 }, of_bars[] = { 2, 6, 4, 5, 7, 3, 0, 1 };
  const gboolean line = !es_plot_has_marks (series);
  const guint *order = series->style == ES_PLOT_BARS ? of_bars : of_lines;
  double least = COST_TEXT;

  for (guint ring = 0; ring < RINGS; ring++)
    for (guint k = 0; k < G_N_ELEMENTS (sides); k++)
      {
        const guint side = line ? order[k] : k;
        const double reach = (line ? 3 : GAP) + ring * height, across = sides[side].across, down = sides[side].down;
        const double away = down != 0 && ring == 0 && across != 0 && !line ? GAP / 2.0 : reach;
        EsPlotRect box = { px + across * (line ? 0 : away) + (across < 0 ? -width : across > 0 ? 0 : -width / 2),
                           py + down * away + (down < 0 ? -height : down > 0 ? 0 : -height / 2), width, height };
        double cost;

        if (!is_inside (&box, &self->layout->plot))
          continue;
        cost = cost_of (self, &box) + COST_RING * ring + k;
        if (cost < least)
          {
            least = cost;
            *best = box;
          }
      }
  return least < COST_TEXT;
}

/* ---- drawing ---- */

static void
list_marks (const Places *self)
{
  for (guint s = 0; s < self->plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (self->plot->series, s);
      const EsPlotScale *y = es_plot_layout_get_scale (self->layout, self->plot, series);

      for (guint i = 0; es_plot_has_marks (series) && i < series->n; i++)
        if (es_plot_point_is_valid (y, &self->layout->x, series, i))
          {
            const EsPlotRect box = { es_plot_scale_to_pixel (&self->layout->x, series->x[i]) - MARK,
                                     es_plot_scale_to_pixel (y, series->y[i]) - MARK, 2 * MARK, 2 * MARK };

            g_array_append_val (self->marks, box);
          }
    }
}

/* From the mark to a text that is not beside it. */
static void
draw_leader (cairo_t *cr, const EsPlotRect *box, double px, double py, const EsPlotColors *colors)
{
  const double x = CLAMP (px, box->x, box->x + box->width), y = CLAMP (py, box->y, box->y + box->height);
  const double length = hypot (x - px, y - py);

  if (length < GAP + 4)
    return;
  cairo_move_to (cr, px + (x - px) * MARK / length, py + (y - py) * MARK / length);
  cairo_line_to (cr, x, y);
  cairo_set_source_rgba (cr, colors->foreground.red, colors->foreground.green, colors->foreground.blue, 0.4);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);
}

static void
draw_label (const Places *self, cairo_t *cr, guint index, guint i, const EsPlotColors *colors)
{
  const EsPlotSeries *series = g_ptr_array_index (self->plot->series, index);
  const EsPlotScale *scale = es_plot_layout_get_scale (self->layout, self->plot, series);
  const gboolean line = !es_plot_has_marks (series);
  const EsPlotRect *r = &self->layout->plot;
  EsPlotRect box;
  int width;

  if (!es_plot_point_is_valid (scale, &self->layout->x, series, i))
    return;
  const double px = es_plot_scale_to_pixel (&self->layout->x, series->x[i]);
  const double py = es_plot_scale_to_pixel (scale, series->y[i]);
  if (px < r->x - 1 || px > r->x + r->width + 1 || py < r->y - 1 || py > r->y + r->height + 1)
    return;
  g_autoptr (PangoLayout) text = es_plot_text_new (cr, self->layout->font_size, (int) i == series->highlight,
                                                   series->labels[i]);
  pango_layout_get_size (text, &width, NULL);
  if (!find_place (self, px, py, (double) width / PANGO_SCALE + 2, self->layout->text_height, series, &box))
    return;
  g_array_append_val (self->taken, box);
  if (!line)
    draw_leader (cr, &box, px, py, colors);
  cairo_set_source_rgba (cr, colors->foreground.red, colors->foreground.green, colors->foreground.blue,
                         colors->foreground.alpha * (line ? 0.75 : 1));
  es_plot_draw_text (cr, text, box.x + 1, box.y, 0);
}

void
es_plot_draw_point_labels (EsPlot *plot, cairo_t *cr, const EsPlotLayout *layout, const EsPlotColors *colors)
{
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (EsPlotRect));
  g_autoptr (GArray) taken = g_array_new (FALSE, FALSE, sizeof (EsPlotRect));
  const Places places = { plot, layout, marks, taken };

  list_marks (&places);
  /* What lines are called has fewer places. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint s = 0; s < plot->series->len; s++)
      {
        const EsPlotSeries *series = g_ptr_array_index (plot->series, s);

        for (guint i = 0; series->labels != NULL && es_plot_has_marks (series) == (pass == 1) && i < series->n; i++)
          if (series->labels[i] != NULL)
            draw_label (&places, cr, s, i, colors);
      }
}

/* ---- picking ---- */

gboolean
es_plot_pick_point (EsPlot *self, double px, double py, int width, int height, guint *series, guint *point)
{
  double nearest = PICK;

  g_return_val_if_fail (ES_IS_PLOT (self) && series != NULL && point != NULL, FALSE);

  if (width < 1 || height < 1)
    return FALSE;
  const EsPlotLayout *layout = es_plot_get_layout (self, width, height);
  for (guint s = 0; s < self->series->len; s++)
    {
      const EsPlotSeries *its = g_ptr_array_index (self->series, s);
      const EsPlotScale *y = es_plot_layout_get_scale (layout, self, its);

      for (guint i = 0; es_plot_has_marks (its) && i < its->n; i++)
        {
          const double away = es_plot_point_is_valid (y, &layout->x, its, i)
                              ? hypot (es_plot_scale_to_pixel (&layout->x, its->x[i]) - px,
                                       es_plot_scale_to_pixel (y, its->y[i]) - py) : INFINITY;

          if (away >= nearest)
            continue;
          nearest = away;
          *series = s;
          *point = i;
        }
    }
  return nearest < PICK;
}
