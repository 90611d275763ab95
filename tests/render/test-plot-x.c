/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* An x axis by powers of two, and curves drawn beside others. */

#include <math.h>
#include <string.h>

#include "plot/es-plot-private.h"

#define WIDTH 640
#define HEIGHT 400

static const double sizes[] = { 1024, 4096, 16384, 65536, 1 << 20, 1 << 30 };
static const double clocks[] = { 4, 4, 5, 14, 40, 300 };

static EsPlot *
make_latency (void)
{
  EsPlot *plot = es_plot_new ();

  es_plot_set_x_axis (plot, "Footprint", "B");
  es_plot_set_y_axis (plot, "Latency", "clocks", TRUE);
  es_plot_set_x_division (plot, ES_PLOT_X_BINARY);
  es_plot_add_series (plot, "global", ES_PLOT_LINE, FALSE, G_N_ELEMENTS (sizes), sizes, clocks);
  return plot;
}

static char *
list_ticks (double minimum, double maximum, gboolean bytes, guint most)
{
  const EsPlotScale scale = { minimum, maximum, 0, 100, TRUE, FALSE, TRUE, bytes };
  EsPlotTicks ticks = es_plot_ticks_new (&scale, most);
  GString *labels = g_string_new (NULL);

  for (guint i = 0; i < ticks.ticks->len; i++)
    {
      const EsPlotTick *tick = &g_array_index (ticks.ticks, EsPlotTick, i);

      g_assert_cmpfloat_with_epsilon (es_plot_scale_to_pixel (&scale, tick->value), tick->pixel, 1e-9);
      if (tick->label != NULL)
        g_string_append_printf (labels, "%s%s", labels->len > 0 ? ", " : "", tick->label);
    }
  g_assert_null (ticks.factor);
  es_plot_ticks_clear (&ticks);
  return g_string_free (labels, FALSE);
}

static void
test_ticks (void)
{
  static const struct { double from, to; gboolean bytes; guint most; const char *labels; } cases[] = {
    { 1024, 1 << 30, TRUE, 6, "1 KiB, 32 KiB, 1 MiB, 32 MiB, 1 GiB" },
    { 1, 32, FALSE, 8, "1, 2, 4, 8, 16, 32" },
    { 0.25, 4, FALSE, 8, "0.25, 0.5, 1, 2, 4" },
    { 1000, 17000, TRUE, 8, "1 KiB, 2 KiB, 4 KiB, 8 KiB, 16 KiB" },
    { 1100, 1900, TRUE, 4, "1.25 KiB, 1.5 KiB, 1.75 KiB" },
    { 1, 1.5e12, TRUE, 5, "1 B, 1 KiB, 1 MiB, 1 GiB, 1 TiB" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *labels = list_ticks (cases[i].from, cases[i].to, cases[i].bytes, cases[i].most);

      g_assert_cmpstr (labels, ==, cases[i].labels);
    }
}

/* Equal factors are equally far apart, there and back. */
static void
test_places (void)
{
  g_autoptr (EsPlot) plot = make_latency ();
  double px[3], y, x;
  cairo_rectangle_t area;

  for (guint i = 0; i < 3; i++)
    g_assert_true (es_plot_point_of (plot, sizes[i], 10, WIDTH, HEIGHT, &px[i], &y));
  g_assert_cmpfloat_with_epsilon (px[1] - px[0], px[2] - px[1], 1e-6);
  g_assert_true (es_plot_get_area (plot, WIDTH, HEIGHT, &area));
  g_assert_true (es_plot_values_at (plot, px[1], area.y + 1, WIDTH, HEIGHT, &x, &y));
  g_assert_cmpfloat_with_epsilon (x, sizes[1], 1e-6);

  /* What is nearest is nearest as it is seen. */
  es_plot_set_cursor (plot, 9000);
  g_assert_cmpfloat (es_plot_get_cursor (plot), ==, 16384);
  g_autofree char *told = es_plot_read_out (plot);
  g_assert_cmpstr (told, ==, "16 KiB: 5 clocks");
  g_autofree char *words = es_plot_to_text (plot);
  g_assert_true (g_str_has_prefix (words, "Footprint (B)\t"));
}

/* What has no place on it is left out, and an empty one has an axis none the less. */
static void
test_nothing (void)
{
  static const double x[] = { -1, 0, 8, 16 }, y[] = { 1, 2, 3, 4 };
  g_autoptr (EsPlot) plot = es_plot_new ();
  double from, to, value;
  cairo_rectangle_t area;

  es_plot_set_x_division (plot, ES_PLOT_X_BINARY);
  g_assert_false (es_plot_get_area (plot, WIDTH, HEIGHT, &area));
  es_plot_add_series (plot, NULL, ES_PLOT_LINE, FALSE, 4, x, y);
  g_assert_true (es_plot_get_area (plot, WIDTH, HEIGHT, &area));
  es_plot_values_at (plot, area.x, area.y, WIDTH, HEIGHT, &from, &value);
  es_plot_values_at (plot, area.x + area.width, area.y, WIDTH, HEIGHT, &to, &value);
  g_assert_cmpfloat_with_epsilon (from, 8, 1e-9);
  g_assert_cmpfloat_with_epsilon (to, 16, 1e-9);
  /* Nor is it seen from there on. */
  es_plot_set_x_seen (plot, -4, 12);
  es_plot_values_at (plot, area.x, area.y, WIDTH, HEIGHT, &from, &value);
  g_assert_cmpfloat_with_epsilon (from, 8, 1e-9);
}

static guint
count_painted (EsPlot *plot, const GdkRGBA *color)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  guint n = 0;

  es_plot_draw (plot, cr, WIDTH, HEIGHT, &es_plot_colors_light);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 60; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++)
      {
        const guint32 pixel = ((const guint32 *) (const void *) (cairo_image_surface_get_data (surface)
                               + (gsize) cairo_image_surface_get_stride (surface) * (gsize) y))[x];

        n += pixel >> 24 > 200 && fabs ((pixel >> 16 & 255) - 255.0 * color->red) < 24
             && fabs ((pixel & 255) - 255.0 * color->blue) < 24;
      }
  cairo_surface_destroy (surface);
  return n;
}

/* In the colour of its own, with gaps; its own stays whole, were it the second line. */
static void
test_beside (void)
{
  static const double other[] = { 9, 11, 20, 50, 90, 700 };
  g_autoptr (EsPlot) plot = make_latency ();
  const GdkRGBA *color = &es_plot_colors_light.series[0];
  const guint alone = count_painted (plot, color);
  const guint beside = es_plot_add_series (plot, "K20c", ES_PLOT_LINE, FALSE, G_N_ELEMENTS (sizes), sizes, other);

  g_assert_cmpuint (count_painted (plot, color), <, alone * 5 / 4);
  es_plot_set_beside (plot, beside, 0);
  g_assert_cmpuint (count_painted (plot, color), >, alone * 5 / 4);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/plot-x/ticks", test_ticks);
  g_test_add_func ("/render/plot-x/places", test_places);
  g_test_add_func ("/render/plot-x/nothing", test_nothing);
  g_test_add_func ("/render/plot-x/beside", test_beside);
  return g_test_run ();
}
