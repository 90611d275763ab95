/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-plot-private.h"

#define MARGIN 8
#define TICK_GAP 6             /* between an axis and its labels */
#define SWATCH 18
#define SWATCH_GAP 6
#define LEGEND_GAP 16
#define SMALL 0.85             /* words under a heading, of the font */

/* What is given up, in this order, when the plot itself would be squeezed. */
enum { ALL, NO_LEGEND, NO_TITLES, NO_LABELS };

/* Large text, as set for the desktop. */
static double
text_scale (void)
{
  GdkDisplay *display = gdk_display_get_default ();
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_INT);
  if (display != NULL && gdk_display_get_setting (display, "gtk-xft-dpi", &value) && g_value_get_int (&value) > 0)
    return CLAMP (g_value_get_int (&value) / 1024.0 / 96, 0.75, 2);
  return 1;
}

static double
measure (double font_size, const char *text)
{
  g_autoptr (PangoLayout) layout = es_plot_text_new (NULL, font_size, FALSE, text);
  int width;

  pango_layout_get_size (layout, &width, NULL);
  return (double) width / PANGO_SCALE;
}

static double
widest_label (double font_size, const EsPlotTicks *ticks)
{
  double widest = 0;

  for (guint i = 0; i < ticks->ticks->len; i++)
    {
      const EsPlotTick *tick = &g_array_index (ticks->ticks, EsPlotTick, i);
      if (tick->label != NULL)
        widest = MAX (widest, measure (font_size, tick->label));
    }
  return widest;
}

/* "Wavelength (nm)", "Radiance (×10⁴ W/m²)". */
static char *
axis_title (const EsPlotAxis *axis, const char *factor)
{
  if ((axis->title == NULL || *axis->title == 0) && axis->unit == NULL && factor == NULL)
    return NULL;
  if (axis->unit == NULL && factor == NULL)
    return g_strdup (axis->title);
  return g_strdup_printf ("%s%s(%s%s%s)", axis->title != NULL ? axis->title : "", axis->title != NULL ? " " : "",
                          factor != NULL ? factor : "", factor != NULL && axis->unit != NULL ? " " : "",
                          axis->unit != NULL ? axis->unit : "");
}

const char *
es_plot_get_heading (EsPlot *self)
{
  const char *heading = self->heading != NULL ? self->heading : self->title;

  return heading != NULL && *heading != '\0' ? heading : NULL;
}

PangoLayout *
es_plot_make_words (EsPlot *self, cairo_t *cr, int width, double font_size)
{
  PangoLayout *text;

  if (self->words == NULL || *self->words == '\0')
    return NULL;
  text = es_plot_text_new (cr, SMALL * font_size, FALSE, self->words);
  pango_layout_set_width (text, MAX (width - 2 * MARGIN, 1) * PANGO_SCALE);
  pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_alignment (text, PANGO_ALIGN_CENTER);
  return text;
}

/* Rows that may stand above the plot: what is large has room for more. */
static guint
count_rows (EsPlot *plot, const EsPlotLayout *self, double row_height)
{
  double share = self->saved || plot->legend == ES_PLOT_LEGEND_ALL ? 0.5 : 0.25;
  guint rows = (guint) MAX (share * self->height / row_height, 0);

  return self->height < 200 && share < 0.5 ? 1 : MAX (rows, 2);
}

static gboolean
is_named (EsPlot *plot, guint series)
{
  const char *title = es_plot_get_series_title (plot, series);

  return title != NULL && *title != '\0';
}

/* Rows of swatches from the left margin on; what does not fit is counted. Returns the height taken. */
static double
place_legend (EsPlot *plot, EsPlotLayout *self, double top)
{
  double x = MARGIN, y = top, right = self->width - MARGIN, row_height = self->text_height + 4;
  guint max_rows = count_rows (plot, self, row_height), row = 0, n_left;
  double more_width = measure (self->font_size, "+000") + LEGEND_GAP;

  for (guint s = 0; s < plot->series->len; s++)
    self->n_legend += is_named (plot, s);
  self->legend_top = top;
  /* Its number alone, behind the arrow. */
  if (plot->legend == ES_PLOT_LEGEND_FOLDED && !self->saved)
    {
      self->n_legend_hidden = self->n_legend;
      self->legend_bottom = top + (self->n_legend > 0 ? row_height : 0);
      return self->legend_bottom - top;
    }
  /* Room for the arrow. */
  right -= self->saved ? 0 : ES_PLOT_FOLD_WIDTH;
  n_left = self->n_legend;
  for (guint s = 0; s < plot->series->len; s++)
    {
      const EsPlotSeries *series = g_ptr_array_index (plot->series, s);
      gboolean last;

      if (!is_named (plot, s))
        continue;
      last = --n_left == 0;

      double width = SWATCH + SWATCH_GAP + measure (self->font_size, series->title);
      width = MIN (width, right - MARGIN - more_width);
      double limit = row + 1 == max_rows && !last ? right - more_width : right;

      if (x > MARGIN && x + width > limit)
        {
          if (row + 1 == max_rows)
            {
              self->n_legend_hidden++;
              continue;
            }
          row++;
          x = MARGIN;
          y += row_height;
        }
      if (self->n_legend_hidden > 0)
        {
          self->n_legend_hidden++;
          continue;
        }

      EsPlotLegendItem item = { s, x, y, width };
      g_array_append_val (self->legend, item);
      x += width + LEGEND_GAP;
    }
  self->legend_more_x = x;
  self->legend_more_y = y;
  self->legend_bottom = self->legend->len > 0 ? y + row_height : top;
  return self->legend_bottom - top;
}

static guint
count_labels (const EsPlotTicks *ticks)
{
  guint n = 0;

  for (guint i = 0; i < ticks->ticks->len; i++)
    n += g_array_index (ticks->ticks, EsPlotTick, i).label != NULL;
  return n;
}

static void
place_x_ticks (EsPlotLayout *self, gboolean labels)
{
  for (guint max = labels ? CLAMP (self->plot.width / 45, 2, 14) : 0;; max--)
    {
      es_plot_ticks_clear (&self->x_ticks);
      self->x_ticks = es_plot_ticks_new (&self->x, max);
      if (max <= 1 || count_labels (&self->x_ticks) * (widest_label (self->font_size, &self->x_ticks) + 14)
                        <= self->plot.width + 14)
        break;
    }
}

/* How far the last label would stand over the edge of the drawing. */
static double
find_overhang (const EsPlotLayout *self)
{
  const GArray *ticks = self->x_ticks.ticks;
  const EsPlotTick *last = ticks->len > 0 ? &g_array_index (ticks, EsPlotTick, ticks->len - 1) : NULL;

  if (last == NULL || last->label == NULL)
    return 0;
  return last->pixel + measure (self->font_size, last->label) / 2 + MARGIN / 2.0 - self->width;
}

/* One label says nothing about a scale: where two fit at all, there are two. */
static EsPlotTicks
make_y_ticks (const EsPlotLayout *self, const EsPlotScale *scale, guint max_ticks)
{
  EsPlotTicks ticks = es_plot_ticks_new (scale, max_ticks);

  for (guint more = 1; max_ticks > 0 && more <= 3 && count_labels (&ticks) < 2; more++)
    {
      es_plot_ticks_clear (&ticks);
      ticks = es_plot_ticks_new (scale, max_ticks + more);
    }
  return ticks;
}

static void
clear_measures (EsPlotLayout *self)
{
  es_plot_ticks_clear (&self->x_ticks);
  es_plot_ticks_clear (&self->left_ticks);
  es_plot_ticks_clear (&self->right_ticks);
  g_clear_pointer (&self->x_title, g_free);
  g_clear_pointer (&self->left_title, g_free);
  g_clear_pointer (&self->right_title, g_free);
  g_array_set_size (self->legend, 0);
  self->n_legend = self->n_legend_hidden = 0;
  self->legend_top = self->legend_bottom = 0;
}

static gboolean
has_title (const EsPlotAxis *axis)
{
  return (axis->title != NULL && *axis->title != 0) || axis->unit != NULL;
}

/* Everything but what `detail` gives up. FALSE: too little is left for the plot itself. */
static gboolean
place (EsPlot *plot, EsPlotLayout *self, int detail)
{
  double line = self->text_height, top = self->compact ? MARGIN / 2.0 : MARGIN;
  gboolean titles = detail < NO_TITLES, labels = detail < NO_LABELS;
  gboolean right = plot->has_right_axis;
  gboolean header = self->compact && titles
                    && (has_title (&plot->left_axis) || (right && has_title (&plot->right_axis)));

  clear_measures (self);
  if (self->saved && es_plot_get_heading (plot) != NULL)
    {
      self->title_baseline = top;
      top += 1.3 * line + 6;
    }
  if (self->saved)
    {
      g_autoptr (PangoLayout) words = es_plot_make_words (plot, NULL, self->width, self->font_size);
      int height = 0;

      self->words_top = top;
      if (words != NULL)
        pango_layout_get_size (words, NULL, &height);
      top += height > 0 ? ceil ((double) height / PANGO_SCALE) + 6 : 0;
    }
  if (detail < NO_LEGEND && plot->series->len > 1)
    top += plot->legend_elsewhere && !self->saved ? 0 : place_legend (plot, self, top);
  self->header_top = top;
  top += header ? line + 5 : labels ? line / 2 : 2;

  double bottom = self->height - (self->compact ? MARGIN / 2.0 : MARGIN);
  if (titles && has_title (&plot->x_axis))
    bottom -= line;
  self->x_title_top = bottom;
  if (titles && has_title (&plot->x_axis))
    bottom -= 2;
  bottom -= labels ? line + TICK_GAP : 2;

  self->plot.y = floor (top);
  self->plot.height = floor (bottom) - self->plot.y;
  self->left.from = self->right.from = self->plot.y + self->plot.height;
  self->left.to = self->right.to = self->plot.y;

  guint max_ticks = labels ? CLAMP (self->plot.height / (2.4 * line), 2, 9) : 0;
  self->left_ticks = make_y_ticks (self, &self->left, max_ticks);
  self->right_ticks = make_y_ticks (self, &self->right, right ? max_ticks : 0);
  if (titles)
    {
      self->left_title = axis_title (&plot->left_axis, labels ? self->left_ticks.factor : NULL);
      self->right_title = right ? axis_title (&plot->right_axis, labels ? self->right_ticks.factor : NULL) : NULL;
    }

  double rotated = self->compact ? 0 : line + 4;
  double from = MARGIN, to = self->width - MARGIN - (labels ? 6 : 0);
  if (labels)
    from += widest_label (self->font_size, &self->left_ticks) + TICK_GAP;
  if (self->left_title != NULL)
    from += rotated;
  if (right)
    {
      to = self->width - MARGIN - (self->right_title != NULL ? rotated : 0);
      if (labels)
        to -= widest_label (self->font_size, &self->right_ticks) + TICK_GAP;
    }
  self->plot.x = ceil (from);
  self->plot.width = floor (to) - self->plot.x;
  self->x.from = self->plot.x;
  self->x.to = self->plot.x + self->plot.width;
  place_x_ticks (self, labels);

  double over = find_overhang (self);
  if (over > 0)
    {
      self->plot.width -= ceil (over);
      self->x.to = self->plot.x + self->plot.width;
      place_x_ticks (self, labels);
    }
  if (titles)
    {
      EsPlotAxis axis = plot->x_axis;

      axis.unit = (char *) es_plot_get_x_title_unit (plot);
      self->x_title = axis_title (&axis, labels ? self->x_ticks.factor : NULL);
    }
  return self->plot.width >= 90 && self->plot.height >= 48;
}

EsPlotLayout *
es_plot_layout_new (EsPlot *plot, int width, int height, double font_size, gboolean saved)
{
  EsPlotLayout *self = g_new0 (EsPlotLayout, 1);

  self->width = width;
  self->height = height;
  self->saved = saved;
  self->font_size = font_size;
  self->compact = width < 430 || height < 230;
  self->legend = g_array_new (FALSE, FALSE, sizeof (EsPlotLegendItem));

  g_autoptr (PangoLayout) text = es_plot_text_new (NULL, font_size, FALSE, "0");
  int text_height;
  pango_layout_get_size (text, NULL, &text_height);
  self->text_height = ceil ((double) text_height / PANGO_SCALE);

  es_plot_layout_find_scales (self, plot);
  for (int detail = ALL; detail <= NO_LABELS; detail++)
    if (place (plot, self, detail))
      break;
  self->plot.width = MAX (self->plot.width, 1);
  self->plot.height = MAX (self->plot.height, 1);
  self->left.from = self->right.from = self->plot.y + self->plot.height;
  self->x.to = self->plot.x + self->plot.width;
  return self;
}

void
es_plot_layout_free (EsPlotLayout *self)
{
  clear_measures (self);
  g_array_unref (self->legend);
  g_free (self);
}

const EsPlotLayout *
es_plot_get_layout (EsPlot *plot, int width, int height)
{
  if (plot->layout == NULL || plot->layout->width != width || plot->layout->height != height)
    {
      double font_size = (width < 240 || height < 130 ? 10 : 12) * text_scale ();

      g_clear_pointer (&plot->layout, es_plot_layout_free);
      plot->layout = es_plot_layout_new (plot, width, height, font_size, FALSE);
    }
  return plot->layout;
}

const EsPlotScale *
es_plot_layout_get_scale (const EsPlotLayout *self, EsPlot *plot, const EsPlotSeries *series)
{
  return series->right_axis && plot->has_right_axis ? &self->right : &self->left;
}

const EsPlotScale *
es_plot_layout_marker_scale (const EsPlotLayout *self, EsPlot *plot, const EsPlotMarker *marker)
{
  if (!marker->horizontal)
    return &self->x;
  return plot->has_right_axis ? &self->right : &self->left;
}
