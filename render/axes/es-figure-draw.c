/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-figure-draw.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-axis-ticks.h"
#include "es-plot-internal.h"
#include "plane/es-colormap.h"

#define FONT_SIZE 13.0         /* pixels, of a picture of a usual size */
#define MISSING 0xd0d0d0u
#define INK 0.0
#define SPINE 0.45
#define MOST_BYTES ((gsize) 1 << 30)
/* Seconds; longer times are easier to read in hours and minutes. */
#define LONG_TIME 600
/* An axis with a wider one than so many times the gap beside it has its values named. */
#define WIDEST_GAP 3

typedef struct
{
  double position;             /* pixels from the axis' beginning */
  char  *label;
} Tick;

typedef struct
{
  GArray *ticks;
  char   *title;
  double  width, height;       /* of the widest label */
} Side;

typedef struct
{
  const EsFigure *figure;
  cairo_t    *cr;              /* NULL: to measure */
  double      font, line, gap; /* gap: between any two things */
  Side        x, y, scale;
  EsPlotRect  plot, bar;
  PangoLayout *title, *caption;
  int         title_height, caption_height;
  double      width, height;
} Drawing;

/* Another family than the desktop's: a picture is the same wherever it is drawn. */
static PangoLayout *
make_text (const Drawing *self, const char *words, double size, gboolean bold)
{
  PangoLayout *text = es_plot_text_new (self->cr, size, bold, words);
  PangoFontDescription *font = pango_font_description_copy (pango_layout_get_font_description (text));

  pango_font_description_set_family_static (font, "Sans");
  pango_layout_set_font_description (text, font);
  pango_font_description_free (font);
  return text;
}

static void
measure (const Drawing *self, const char *words, double *width, double *height)
{
  g_autoptr (PangoLayout) text = make_text (self, words, self->font, FALSE);
  int w, h;

  pango_layout_get_size (text, &w, &h);
  *width = ceil ((double) w / PANGO_SCALE);
  *height = ceil ((double) h / PANGO_SCALE);
}

/* ---- ticks ---- */

static void
clear_tick (gpointer data)
{
  g_free (((Tick *) data)->label);
}

static void
clear_side (Side *side)
{
  g_clear_pointer (&side->ticks, g_array_unref);
  g_clear_pointer (&side->title, g_free);
}

static void
add_tick (Side *side, double position, char *label)
{
  const Tick tick = { position, label };

  g_array_append_val (side->ticks, tick);
}

static gboolean
is_ascending (const EsFigureAxis *axis)
{
  for (guint i = 0; i < axis->n; i++)
    if (!isfinite (axis->values[i]) || (i > 0 && !(axis->values[i] > axis->values[i - 1])))
      return FALSE;
  return axis->n > 1;
}

/* Whether there is nothing between values that are next to each other: angles may lie evenly in the cosine, but no gap
 * is many times as wide as the one beside it. */
static gboolean
is_smooth (const EsFigureAxis *axis)
{
  for (guint i = 2; i < axis->n; i++)
    {
      const double gap = axis->values[i] - axis->values[i - 1], before = axis->values[i - 1] - axis->values[i - 2];

      if (gap > WIDEST_GAP * before || before > WIDEST_GAP * gap)
        return FALSE;
    }
  return TRUE;
}

/* Where a value lies, between those of the axis: the middle of value i is i + 0.5. */
static double
find_place (const EsFigureAxis *axis, double value)
{
  guint low = 0, high = axis->n - 1;

  while (high - low > 1)
    {
      const guint middle = (low + high) / 2;

      if (axis->values[middle] <= value)
        low = middle;
      else
        high = middle;
    }
  return low + (value - axis->values[low]) / (axis->values[high] - axis->values[low]) + 0.5;
}

/* Every so many of the values themselves: ranges end in infinity. */
static void
name_values (Side *side, const EsFigureAxis *axis, double pixels, guint most)
{
  const guint every = axis->n > most ? (axis->n - 1) / most + 1 : 1;

  for (guint i = 0; i < axis->n; i += every)
    add_tick (side, (i + 0.5) * pixels, es_plot_format (axis->values[i], 6));
}

static void
tick_times (Side *side, const EsFigureAxis *axis, GDateTime *start, double from, double to, double pixels, guint most)
{
  const double offset = start != NULL ? es_axis_seconds_of_day (start) : 0;
  const double step = es_axis_time_step ((to - from) / most);

  for (double k = ceil ((from + offset) / step - 1e-6); k * step - offset <= to + 1e-6 * step; k++)
    {
      const double time = k * step - offset;

      add_tick (side, find_place (axis, time) * pixels,
                start != NULL ? es_axis_format_moment (start, time, step) : es_axis_format_time (time, step));
    }
}

static void
make_ticks (Side *side, const EsFigureAxis *axis, GDateTime *start, guint most)
{
  const double pixels = (double) axis->factor / axis->step;
  const char *title = axis->title != NULL ? axis->title : "", *unit = axis->unit;
  g_autofree char *factor = NULL;

  clear_side (side);
  side->ticks = g_array_new (FALSE, FALSE, sizeof (Tick));
  g_array_set_clear_func (side->ticks, clear_tick);
  if (!is_ascending (axis) || (!axis->is_time && axis->factor > 1 && !is_smooth (axis)))
    name_values (side, axis, pixels, most);
  else
    {
      const double *values = axis->values;
      const double from = values[0] - (values[1] - values[0]) / 2;
      const double to = values[axis->n - 1] + (values[axis->n - 1] - values[axis->n - 2]) / 2;

      if (axis->is_time && (start != NULL || to - from >= LONG_TIME))
        {
          tick_times (side, axis, start, from, to, pixels, most);
          unit = start != NULL ? g_date_time_get_timezone_abbreviation (start) : _("h:min:s");
        }
      else
        {
          g_autoptr (GArray) ticks = es_axis_ticks_new (from, to, most, &factor);

          for (guint i = 0; i < ticks->len; i++)
            {
              EsAxisTick *tick = &g_array_index (ticks, EsAxisTick, i);

              add_tick (side, find_place (axis, tick->value) * pixels, g_steal_pointer (&tick->label));
            }
        }
    }
  if (unit == NULL && factor == NULL)
    side->title = g_strdup (title);
  else
    side->title = g_strdup_printf ("%s%s(%s%s%s)", title, *title != '\0' ? " " : "", factor != NULL ? factor : "",
                                   factor != NULL && unit != NULL ? " " : "", unit != NULL ? unit : "");
}

static void
measure_labels (const Drawing *self, Side *side)
{
  side->width = side->height = 0;
  for (guint i = 0; i < side->ticks->len; i++)
    {
      double width, height;

      measure (self, g_array_index (side->ticks, Tick, i).label, &width, &height);
      side->width = MAX (side->width, width);
      side->height = MAX (side->height, height);
    }
}

/* Where values do not lie evenly (angles even in their cosine), labels may touch though there is room for as many: what
 * touches one before it is left out, but the last, which makes the one before it give way. */
static void
leave_out_touching (const Drawing *self, Side *side)
{
  double end = -INFINITY;

  for (guint i = 0; i < side->ticks->len;)
    {
      const Tick *tick = &g_array_index (side->ticks, Tick, i);
      double width, height;

      measure (self, tick->label, &width, &height);
      if (tick->position - width / 2 >= end)
        {
          end = tick->position + width / 2 + self->font / 2;
          i++;
        }
      else if (i > 1 && i + 1 == side->ticks->len)
        {
          g_array_remove_index (side->ticks, i - 1);
          end = -INFINITY;
          i = 0;
        }
      else
        {
          g_array_remove_index (side->ticks, i);
        }
    }
}

/* As many as have room beside each other. */
static void
place_x_ticks (Drawing *self)
{
  for (guint most = (guint) CLAMP (self->plot.width / (3 * self->font), 2, 14);; most--)
    {
      make_ticks (&self->x, &self->figure->x, self->figure->start, most);
      measure_labels (self, &self->x);
      if (most <= 1 || self->x.ticks->len * (self->x.width + self->font) <= self->plot.width + self->font)
        break;
    }
  leave_out_touching (self, &self->x);
}

static void
place_y_ticks (Drawing *self)
{
  make_ticks (&self->y, &self->figure->y, self->figure->start,
              (guint) CLAMP (self->plot.height / (2.4 * self->line), 1, 14));
  measure_labels (self, &self->y);
}

static void
place_scale (Drawing *self)
{
  const EsFigure *figure = self->figure;
  Side *side = &self->scale;
  g_autofree char *factor = NULL;

  side->ticks = g_array_new (FALSE, FALSE, sizeof (Tick));
  g_array_set_clear_func (side->ticks, clear_tick);
  if (!isfinite (figure->low))
    return;
  g_autoptr (GArray) ticks = es_axis_ticks_new (figure->low, figure->high,
                                                (guint) CLAMP (self->plot.height / (2.4 * self->line), 2, 10), &factor);
  for (guint i = 0; i < ticks->len; i++)
    {
      EsAxisTick *tick = &g_array_index (ticks, EsAxisTick, i);

      add_tick (side, (tick->value - figure->low) / (figure->high - figure->low) * self->plot.height,
                g_steal_pointer (&tick->label));
    }
  side->title = factor != NULL ? g_strdup_printf ("%s %s", factor, figure->scale) : g_strdup (figure->scale);
  measure_labels (self, side);
}

/* ---- layout ---- */

static PangoLayout *
make_head (const Drawing *self, const char *words, double size, gboolean bold, int *height)
{
  PangoLayout *text = make_text (self, words, size, bold);

  pango_layout_set_width (text, (int) ((self->width - 2 * self->gap) * PANGO_SCALE));
  pango_layout_set_wrap (text, PANGO_WRAP_WORD_CHAR);
  pango_layout_get_pixel_size (text, NULL, height);
  return text;
}

static void
lay_out (Drawing *self)
{
  const EsFigure *figure = self->figure;
  const double width = (double) figure->columns * figure->x.factor, height = (double) figure->rows * figure->y.factor;
  double unused, left, right;

  /* A larger picture is looked at from farther off, as far as its shorter side allows. */
  self->font = FONT_SIZE * CLAMP (MAX (width, height) / 1000, 1, MAX (1, MIN (width, height) / 400));
  measure (self, "0", &unused, &self->line);
  self->gap = ceil (0.6 * self->font);
  self->plot = (EsPlotRect) { 0, 0, width, height };
  place_y_ticks (self);
  place_x_ticks (self);
  place_scale (self);

  left = 3 * self->gap + self->line + self->y.width;
  right = self->scale.title != NULL ? 6 * self->gap + 2 * self->line + self->scale.width
                                    : self->gap + self->x.width / 2;
  self->width = left + width + right;
  self->title = make_head (self, figure->title, 1.15 * self->font, TRUE, &self->title_height);
  self->caption = make_head (self, figure->caption, self->font, FALSE, &self->caption_height);
  self->plot.x = left;
  self->plot.y = 3 * self->gap + self->title_height + self->caption_height;
  self->height = self->plot.y + height + 3 * self->gap + 2 * self->line;
  self->bar = (EsPlotRect) { left + width + 2 * self->gap, self->plot.y, self->line, height };
}

/* ---- pixels ---- */

static guint32
color_of (float t)
{
  const guint8 *entry = es_colormap_entries (ES_COLORMAP_VIRIDIS) + 4 * (gsize) (CLAMP (t, 0.0f, 1.0f) * 255 + 0.5f);

  return (guint32) entry[0] << 16 | (guint32) entry[1] << 8 | entry[2];
}

static void
fill_cells (const Drawing *self, EsFigureImage *image)
{
  const EsFigure *figure = self->figure;
  const guint width = figure->columns * figure->x.factor, height = figure->rows * figure->y.factor;

  for (guint y = 0; y < height; y++)
    {
      const float *from = figure->cells + (gsize) ((height - 1 - y) / figure->y.factor) * figure->columns;
      guint32 *to = image->pixels + ((gsize) self->plot.y + y) * image->width + (gsize) self->plot.x;

      for (guint x = 0; x < width; x++)
        {
          const float t = from[x / figure->x.factor];

          to[x] = isnan (t) ? MISSING : color_of (t);
        }
    }
  for (guint y = 0; self->scale.title != NULL && y < height; y++)
    for (guint x = 0; x < (guint) self->bar.width; x++)
      image->pixels[((gsize) self->bar.y + y) * image->width + (gsize) self->bar.x + x]
        = color_of (height > 1 ? (float) (height - 1 - y) / (height - 1) : 0.5f);
}

static void
draw_frame (const Drawing *self, const EsPlotRect *r)
{
  cairo_rectangle (self->cr, r->x - 0.5, r->y - 0.5, r->width + 1, r->height + 1);
  cairo_stroke (self->cr);
}

/* Of an upright side; right: to the right of its rectangle. */
static void
draw_upright (const Drawing *self, const Side *side, const EsPlotRect *r, gboolean right)
{
  const double edge = right ? r->x + r->width : r->x, sign = right ? 1 : -1;
  const double middle = edge + sign * (2 * self->gap + side->width + self->line / 2);

  for (guint i = 0; i < side->ticks->len; i++)
    {
      const Tick *tick = &g_array_index (side->ticks, Tick, i);
      const double y = r->y + r->height - tick->position;
      g_autoptr (PangoLayout) text = make_text (self, tick->label, self->font, FALSE);

      cairo_move_to (self->cr, edge, floor (y) + 0.5);
      cairo_rel_line_to (self->cr, sign * self->gap / 2, 0);
      cairo_stroke (self->cr);
      es_plot_draw_text (self->cr, text, edge + sign * self->gap, y - side->height / 2, right ? 0 : 1);
    }
  if (side->title == NULL)
    return;

  g_autoptr (PangoLayout) title = make_text (self, side->title, self->font, FALSE);
  const double room = r->height + 4 * self->line;
  pango_layout_set_width (title, (int) (room * PANGO_SCALE));
  pango_layout_set_ellipsize (title, PANGO_ELLIPSIZE_END);
  pango_layout_set_alignment (title, PANGO_ALIGN_CENTER);
  cairo_save (self->cr);
  cairo_translate (self->cr, middle, r->y + r->height / 2);
  cairo_rotate (self->cr, -G_PI / 2);
  cairo_move_to (self->cr, -room / 2, -self->line / 2);
  pango_cairo_show_layout (self->cr, title);
  cairo_restore (self->cr);
}

static void
draw_below (const Drawing *self)
{
  const EsPlotRect *r = &self->plot;
  const double bottom = r->y + r->height;
  g_autoptr (PangoLayout) title = make_text (self, self->x.title, self->font, FALSE);

  for (guint i = 0; i < self->x.ticks->len; i++)
    {
      const Tick *tick = &g_array_index (self->x.ticks, Tick, i);
      g_autoptr (PangoLayout) text = make_text (self, tick->label, self->font, FALSE);

      cairo_move_to (self->cr, floor (r->x + tick->position) + 0.5, bottom);
      cairo_rel_line_to (self->cr, 0, self->gap / 2);
      cairo_stroke (self->cr);
      es_plot_draw_text (self->cr, text, r->x + tick->position, bottom + self->gap, 0.5);
    }
  es_plot_draw_text (self->cr, title, r->x + r->width / 2, bottom + 1.5 * self->gap + self->line, 0.5);
}

static void
draw_all (const Drawing *self)
{
  cairo_set_line_width (self->cr, 1);
  cairo_set_source_rgb (self->cr, INK, INK, INK);
  cairo_move_to (self->cr, self->gap, self->gap);
  pango_cairo_show_layout (self->cr, self->title);
  cairo_move_to (self->cr, self->gap, 1.5 * self->gap + self->title_height);
  pango_cairo_show_layout (self->cr, self->caption);
  draw_upright (self, &self->y, &self->plot, FALSE);
  draw_upright (self, &self->scale, &self->bar, TRUE);
  draw_below (self);
  cairo_set_source_rgb (self->cr, SPINE, SPINE, SPINE);
  draw_frame (self, &self->plot);
  if (self->scale.title != NULL)
    draw_frame (self, &self->bar);
}

/* Whether digits and letters can be drawn. A list of families tells it not: without a font it may name "Sans". */
static gboolean
has_fonts (const Drawing *self)
{
  g_autoptr (PangoLayout) text = make_text (self, "0 dB", FONT_SIZE, FALSE);

  return pango_layout_get_unknown_glyphs_count (text) == 0;
}

static gboolean
paint (Drawing *self, EsFigureImage *image)
{
  const gsize n = (gsize) self->width * (gsize) self->height;
  cairo_surface_t *surface;
  cairo_status_t status;

  image->width = (guint) self->width;
  image->height = (guint) self->height;
  image->pixels = n <= MOST_BYTES / 4 ? g_try_new (guint32, n) : NULL;
  if (image->pixels == NULL)
    return FALSE;
  memset (image->pixels, 0xff, n * 4);
  fill_cells (self, image);
  surface = cairo_image_surface_create_for_data ((guchar *) image->pixels, CAIRO_FORMAT_RGB24, (int) image->width,
                                                 (int) image->height, (int) image->width * 4);
  self->cr = cairo_create (surface);
  draw_all (self);
  status = cairo_status (self->cr);
  cairo_destroy (self->cr);
  cairo_surface_finish (surface);
  cairo_surface_destroy (surface);
  if (status != CAIRO_STATUS_SUCCESS)
    g_clear_pointer (&image->pixels, g_free);
  return image->pixels != NULL;
}

gboolean
es_figure_draw_axes (const EsFigure *figure, EsFigureImage *image)
{
  Drawing self = { .figure = figure };
  gboolean painted;

  *image = (EsFigureImage) { 0 };
  if (figure->abi != ES_FIGURE_ABI || !has_fonts (&self))
    return FALSE;
  lay_out (&self);
  painted = paint (&self, image);
  clear_side (&self.x);
  clear_side (&self.y);
  clear_side (&self.scale);
  g_clear_object (&self.title);
  g_clear_object (&self.caption);
  return painted;
}
