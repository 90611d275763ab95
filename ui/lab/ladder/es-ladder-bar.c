/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ladder-bar.h"

#include <adwaita.h>
#include <math.h>

#include "plot/es-plot.h"
#include "widgets/es-format.h"

#define LEAST_WIDTH 130
#define NATURAL_WIDTH 300
#define HEIGHT 28
#define AXIS_HEIGHT 20
#define THICK 15
#define THIN 5
#define EDGE ES_LADDER_BAR_EDGE /* half a tick's text */
#define MOST_DECADES 12

struct _EsLadderBar
{
  GtkWidget   parent_instance;

  gboolean    axis, hidden;
  EsSheetMark mark;
  double      from, to;              /* NAN: none */
  double      seconds, low, high, published, beside;
};

G_DEFINE_FINAL_TYPE (EsLadderBar, es_ladder_bar, GTK_TYPE_WIDGET)

static double
place_of (EsLadderBar *self, double seconds, int width)
{
  const double share = log (seconds / self->from) / log (self->to / self->from);

  return EDGE + CLAMP (share, 0, 1) * (width - 2 * EDGE);
}

static const EsPlotColors *
get_colors (void)
{
  return adw_style_manager_get_dark (adw_style_manager_get_default ()) ? &es_plot_colors_dark : &es_plot_colors_light;
}

/* ---- what is drawn ---- */

static void
draw_grid (EsLadderBar *self, cairo_t *cr, int width, int height, const EsPlotColors *colors)
{
  gdk_cairo_set_source_rgba (cr, &colors->grid);
  for (double at = self->from; at < self->to * 1.01; at *= 10)
    cairo_rectangle (cr, floor (place_of (self, at, width)), 0, 1, height);
  cairo_fill (cr);
}

static void
draw_axis (EsLadderBar *self, cairo_t *cr, int width, int height, const EsPlotColors *colors)
{
  double last = -INFINITY;

  cairo_set_source_rgba (cr, colors->foreground.red, colors->foreground.green, colors->foreground.blue, 0.7);
  for (double at = self->from; at < self->to * 1.01; at *= 10)
    {
      /* Exactly a power of ten: the product of many is not. */
      g_autofree char *text = es_format_value (pow (10, round (log10 (at))), "s");
      g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
      const double x = place_of (self, at, width);
      int text_width, text_height;

      pango_layout_get_pixel_size (layout, &text_width, &text_height);
      if (x - text_width / 2.0 < last + 6)
        continue;
      last = x + text_width / 2.0;
      cairo_move_to (cr, CLAMP (x - text_width / 2.0, 0, MAX (width - text_width, 0)), height - text_height);
      pango_cairo_show_layout (cr, layout);
    }
}

/* A rung of the ladder is filled, what the program uses has a frame too, a library's is hatched. */
static void
draw_bar (EsLadderBar *self, cairo_t *cr, double x, double y, double width, const EsPlotColors *colors)
{
  const GdkRGBA *color = &colors->series[self->mark == ES_SHEET_STEP ? 0 : self->mark == ES_SHEET_LIBRARY ? 1 : 2];

  cairo_save (cr);
  cairo_rectangle (cr, x, y, width, THICK);
  cairo_clip (cr);
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, self->mark == ES_SHEET_LIBRARY ? 0.25 : 0.85);
  cairo_paint (cr);
  gdk_cairo_set_source_rgba (cr, color);
  if (self->mark == ES_SHEET_LIBRARY)
    {
      cairo_set_line_width (cr, 1.5);
      for (double at = x - THICK; at < x + width; at += 6)
        {
          cairo_move_to (cr, at, y + THICK);
          cairo_rel_line_to (cr, THICK, -THICK);
        }
      cairo_stroke (cr);
    }
  if (self->mark != ES_SHEET_STEP)
    {
      cairo_rectangle (cr, x, y, width, THICK);
      cairo_set_line_width (cr, 4);
      cairo_stroke (cr);
    }
  cairo_restore (cr);
}

static void
draw_whisker (EsLadderBar *self, cairo_t *cr, double y, int width, const EsPlotColors *colors)
{
  const double from = place_of (self, self->low, width), to = place_of (self, self->high, width);

  cairo_set_source_rgba (cr, colors->foreground.red, colors->foreground.green, colors->foreground.blue, 0.9);
  cairo_set_line_width (cr, 1.5);
  cairo_move_to (cr, from, y);
  cairo_line_to (cr, to, y);
  for (guint i = 0; i < 2; i++)
    {
      cairo_move_to (cr, i == 0 ? from : to, y - 4);
      cairo_rel_line_to (cr, 0, 8);
    }
  cairo_stroke (cr);
}

static void
draw_published (EsLadderBar *self, cairo_t *cr, double y, int width, const EsPlotColors *colors)
{
  const double x = place_of (self, self->published, width);

  cairo_move_to (cr, x, y - 6);
  cairo_line_to (cr, x + 5, y);
  cairo_line_to (cr, x, y + 6);
  cairo_line_to (cr, x - 5, y);
  cairo_close_path (cr);
  gdk_cairo_set_source_rgba (cr, &colors->background);
  cairo_fill_preserve (cr);
  gdk_cairo_set_source_rgba (cr, &colors->series[3]);
  cairo_set_line_width (cr, 1.75);
  cairo_stroke (cr);
}

static void
draw_hidden (EsLadderBar *self, cairo_t *cr, int height, const EsPlotColors *colors)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "?");
  int text_height;

  pango_layout_get_pixel_size (layout, NULL, &text_height);
  cairo_set_source_rgba (cr, colors->foreground.red, colors->foreground.green, colors->foreground.blue, 0.55);
  cairo_move_to (cr, EDGE + 4, (height - text_height) / 2.0);
  pango_cairo_show_layout (cr, layout);
}

static void
es_ladder_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  EsLadderBar *self = ES_LADDER_BAR (widget);
  const EsPlotColors *colors = get_colors ();
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  const gboolean ranged = isfinite (self->from) && isfinite (self->to);
  const double middle = height / 2.0;
  cairo_t *cr;

  if (width <= 2 * EDGE || height <= 0)
    return;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  if (self->axis && ranged)
    draw_axis (self, cr, width, height, colors);
  else if (!self->axis && ranged)
    draw_grid (self, cr, width, height, colors);
  if (self->hidden && !self->axis)
    draw_hidden (self, cr, height, colors);
  else if (!self->axis && ranged)
    {
      if (isfinite (self->seconds))
        draw_bar (self, cr, EDGE, middle - THICK / 2.0, MAX (place_of (self, self->seconds, width) - EDGE, 2), colors);
      if (isfinite (self->beside))
        {
          cairo_set_source_rgba (cr, colors->foreground.red, colors->foreground.green, colors->foreground.blue, 0.45);
          cairo_rectangle (cr, EDGE, middle + THICK / 2.0 + 1, MAX (place_of (self, self->beside, width) - EDGE, 2),
                           THIN);
          cairo_fill (cr);
        }
      if (isfinite (self->seconds) && isfinite (self->low) && isfinite (self->high))
        draw_whisker (self, cr, middle, width, colors);
      if (isfinite (self->published))
        draw_published (self, cr, middle, width, colors);
    }
  cairo_destroy (cr);
}

/* ---- the widget ---- */

static void
es_ladder_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  const int height = ES_LADDER_BAR (widget)->axis ? AXIS_HEIGHT : HEIGHT;

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? LEAST_WIDTH : height;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? NATURAL_WIDTH : height;
}

static void
es_ladder_bar_class_init (EsLadderBarClass *class)
{
  GTK_WIDGET_CLASS (class)->snapshot = es_ladder_bar_snapshot;
  GTK_WIDGET_CLASS (class)->measure = es_ladder_bar_measure;
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
es_ladder_bar_init (EsLadderBar *self)
{
  self->from = self->to = self->seconds = self->low = self->high = self->published = self->beside = NAN;
  gtk_widget_set_hexpand (GTK_WIDGET (self), TRUE);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}

GtkWidget *
es_ladder_bar_new (EsSheetMark mark)
{
  EsLadderBar *self = g_object_new (ES_TYPE_LADDER_BAR, NULL);

  self->mark = mark;
  return GTK_WIDGET (self);
}

GtkWidget *
es_ladder_bar_new_axis (void)
{
  EsLadderBar *self = g_object_new (ES_TYPE_LADDER_BAR, NULL);

  self->axis = TRUE;
  gtk_widget_add_css_class (GTK_WIDGET (self), "caption");
  return GTK_WIDGET (self);
}

void
es_ladder_bar_set_range (EsLadderBar *self, double from, double to)
{
  const gboolean sound = isfinite (from) && isfinite (to) && from > 0 && to > from
                         && log10 (to / from) <= MOST_DECADES;

  self->from = sound ? from : NAN;
  self->to = sound ? to : NAN;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What is not positive has no place. */
static double
as_time (double seconds)
{
  return isfinite (seconds) && seconds > 0 ? seconds : NAN;
}

void
es_ladder_bar_set_time (EsLadderBar *self, double seconds, double low, double high)
{
  self->seconds = as_time (seconds);
  self->low = as_time (low);
  self->high = as_time (high);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_ladder_bar_set_others (EsLadderBar *self, double published, double beside)
{
  self->published = as_time (published);
  self->beside = as_time (beside);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
es_ladder_bar_set_hidden (EsLadderBar *self, gboolean hidden)
{
  self->hidden = hidden;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
