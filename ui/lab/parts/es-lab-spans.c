/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-spans.h"

#include <adwaita.h>
#include <math.h>

#include "axes/es-axis-ticks.h"
#include "plot/es-plot.h"

#define LANE 22
#define GAP 4
#define LEFT 34                /* of the lanes' numbers */
#define ABOVE 26               /* the legend */
#define BELOW 40               /* ticks and the axis' title */
#define EDGE 16                /* a tick's text in the middle needs as much beside it */
#define MOST_LANES 64

enum { WHAT, ROW, FROM, TO, N_COLUMNS };

gboolean
es_lab_spans_is (EsTable *table)
{
  return g_str_has_prefix (es_layer_get_name (ES_LAYER (table)), "timeline")
         && es_table_get_n_columns (table) == N_COLUMNS && es_table_get_n_rows (table) > 0
         && es_table_get_column_unit (table, FROM) != NULL
         && g_strcmp0 (es_table_get_column_unit (table, FROM), es_table_get_column_unit (table, TO)) == 0;
}

static guint
count_lanes (EsTable *table)
{
  double last = 0;

  for (guint i = 0; i < es_table_get_n_rows (table); i++)
    last = fmax (last, es_table_get_value (table, i, ROW));
  return (guint) CLAMP (last + 1, 1, MOST_LANES);
}

/* Which of the kinds it is, in the order in which they come first. */
static guint
find_kind (GPtrArray *kinds, const char *what)
{
  guint i = 0;

  while (i < kinds->len && !g_str_equal (g_ptr_array_index (kinds, i), what))
    i++;
  if (i == kinds->len)
    g_ptr_array_add (kinds, (gpointer) what);
  return i;
}

static void
draw_text (GtkWidget *widget, cairo_t *cr, const char *text, double x, double y, double align, double *width)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  int pixels, height;

  pango_layout_get_pixel_size (layout, &pixels, &height);
  cairo_move_to (cr, x - align * pixels, y);
  pango_cairo_show_layout (cr, layout);
  if (width != NULL)
    *width = pixels;
}

static void
draw_axis (GtkWidget *widget, cairo_t *cr, EsTable *table, double end, int width, int bottom,
           const EsPlotColors *colors)
{
  g_autofree char *factor = NULL, *title = NULL;
  g_autoptr (GArray) ticks = es_axis_ticks_new (0, end, MAX (width / 90, 2), &factor);

  for (guint i = 0; i < ticks->len; i++)
    {
      const EsAxisTick *tick = &g_array_index (ticks, EsAxisTick, i);
      const double x = LEFT + tick->value / end * (width - LEFT - GAP);

      gdk_cairo_set_source_rgba (cr, &colors->grid);
      cairo_rectangle (cr, floor (x), ABOVE, 1, bottom - ABOVE);
      cairo_fill (cr);
      gdk_cairo_set_source_rgba (cr, &colors->foreground);
      draw_text (widget, cr, tick->label, x, bottom + 2, x > width - EDGE ? 0.9 : 0.5, NULL);
    }
  title = factor != NULL ? g_strdup_printf ("%s %s", factor, es_table_get_column_unit (table, FROM))
                         : g_strdup (es_table_get_column_unit (table, FROM));
  draw_text (widget, cr, title, LEFT + (width - LEFT) / 2.0, bottom + 20, 0.5, NULL);
}

static void
draw (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  EsTable *table = data;
  GtkWidget *widget = GTK_WIDGET (area);
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const EsPlotColors *colors = dark ? &es_plot_colors_dark : &es_plot_colors_light;
  const int bottom = ABOVE + (int) count_lanes (table) * LANE;
  g_autoptr (GPtrArray) kinds = g_ptr_array_new ();
  double end = 0, x = LEFT;

  for (guint i = 0; i < es_table_get_n_rows (table); i++)
    end = fmax (end, es_table_get_value (table, i, TO));
  if (!(end > 0) || !isfinite (end))
    return;
  draw_axis (widget, cr, table, end, width, bottom, colors);
  for (guint i = 0; i < es_table_get_n_rows (table); i++)
    {
      const double scale = (width - LEFT - GAP) / end, row = es_table_get_value (table, i, ROW);
      const double from = es_table_get_value (table, i, FROM), to = es_table_get_value (table, i, TO);
      const guint kind = find_kind (kinds, es_table_get_text (table, i, WHAT));

      if (!(row >= 0 && row < MOST_LANES && to >= from))
        continue;
      gdk_cairo_set_source_rgba (cr, &colors->series[kind % G_N_ELEMENTS (colors->series)]);
      cairo_rectangle (cr, LEFT + from * scale, ABOVE + row * LANE + GAP / 2.0, fmax ((to - from) * scale, 1),
                       LANE - GAP);
      cairo_fill (cr);
    }
  for (guint lane = 0; lane < count_lanes (table); lane++)
    {
      g_autofree char *number = g_strdup_printf ("%u", lane);

      gdk_cairo_set_source_rgba (cr, &colors->foreground);
      draw_text (widget, cr, number, LEFT - 8, ABOVE + lane * LANE + 2, 1, NULL);
    }
  for (guint i = 0; i < kinds->len; i++)
    {
      double taken = 0;

      gdk_cairo_set_source_rgba (cr, &colors->series[i % G_N_ELEMENTS (colors->series)]);
      cairo_rectangle (cr, x, 5, 12, 12);
      cairo_fill (cr);
      gdk_cairo_set_source_rgba (cr, &colors->foreground);
      draw_text (widget, cr, g_ptr_array_index (kinds, i), x + 18, 2, 0, &taken);
      x += taken + 36;
    }
}

GtkWidget *
es_lab_spans_new (EsTable *table)
{
  GtkWidget *area = gtk_drawing_area_new ();

  g_return_val_if_fail (es_lab_spans_is (table), area);

  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (area),
                                       ABOVE + (int) count_lanes (table) * LANE + BELOW);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (area), draw, g_object_ref (table), g_object_unref);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), area,
                           G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  es_layer_get_title (ES_LAYER (table)), -1);
  return area;
}
