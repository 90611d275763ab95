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

/* ---- marks and what they are called ---- */

static const double intensities[] = { 0.25, 0.25, 0.26, 4, 60 }, rates[] = { 40, 41, 40, 600, 2000 };
static const char *const names[] = { "v0", "v1", "v2", NULL, "production" };

static EsPlot *
make_marks (void)
{
  EsPlot *plot = es_plot_new ();

  es_plot_set_x_axis (plot, "Operations a byte", NULL);
  es_plot_set_y_axis (plot, "Operations a second", "1/s", TRUE);
  es_plot_set_x_division (plot, ES_PLOT_X_DECADES);
  es_plot_set_x_range (plot, 0.1, 100);
  es_plot_set_y_range (plot, 10, 10000);
  es_plot_add_series (plot, "Rungs", ES_PLOT_DOTS, FALSE, G_N_ELEMENTS (rates), intensities, rates);
  return plot;
}

static cairo_surface_t *
draw (EsPlot *plot)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);

  es_plot_draw (plot, cr, WIDTH, HEIGHT, &es_plot_colors_print);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

/* Pixels that differ between two plots. */
static guint
count_different (EsPlot *a, EsPlot *b)
{
  cairo_surface_t *surfaces[2] = { draw (a), draw (b) };
  guint n = 0;

  const guint32 *x = (const guint32 *) cairo_image_surface_get_data (surfaces[0]);
  const guint32 *y = (const guint32 *) cairo_image_surface_get_data (surfaces[1]);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    n += x[i] != y[i];
  cairo_surface_destroy (surfaces[0]);
  cairo_surface_destroy (surfaces[1]);
  return n;
}

/* Those that lie on each other all have their names, none over another: together they take what they take alone. */
static void
test_labels (void)
{
  g_autoptr (EsPlot) without = make_marks (), with = make_marks ();
  guint apart = 0;

  es_plot_set_labels (with, 0, names);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (EsPlot) one = make_marks ();
      const char *alone[G_N_ELEMENTS (names)] = { NULL };

      alone[i] = names[i];
      es_plot_set_labels (one, 0, alone);
      g_assert_true ((count_different (without, one) > 0) == (names[i] != NULL));
      apart += count_different (without, one);
    }
  /* Leaders of those that stand further away are besides. */
  g_assert_cmpuint (count_different (without, with), >=, apart * 9 / 10);
  es_plot_set_labels (with, 0, NULL);
  g_assert_cmpuint (count_different (without, with), ==, 0);
  /* Other points have other names. */
  es_plot_set_labels (with, 0, names);
  es_plot_set_points (with, 0, "Rungs", 2, intensities + 3, rates + 3);
  es_plot_set_points (without, 0, "Rungs", 2, intensities + 3, rates + 3);
  g_assert_cmpuint (count_different (without, with), ==, 0);
}

/* What a bar is called stands in the middle above it, whatever its width. */
static void
test_bar_labels (void)
{
  static const char *const called[] = { NULL, "16–31", NULL };
  static const double x[] = { 1, 2, 3 }, y[] = { 3, 4, 5 };
  g_autoptr (EsPlot) without = es_plot_new (), with = es_plot_new ();
  cairo_surface_t *surfaces[2];
  double from = WIDTH, to = 0, px, py;

  for (guint k = 0; k < 2; k++)
    {
      EsPlot *plot = k == 0 ? without : with;

      es_plot_set_y_range (plot, 0, 8);
      es_plot_add_series (plot, "Rows", ES_PLOT_BARS, FALSE, G_N_ELEMENTS (x), x, y);
      if (k == 1)
        es_plot_set_labels (plot, 0, called);
      surfaces[k] = draw (plot);
    }
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (((const guint32 *) cairo_image_surface_get_data (surfaces[0]))[i]
        != ((const guint32 *) cairo_image_surface_get_data (surfaces[1]))[i])
      {
        from = MIN (from, i % WIDTH);
        to = MAX (to, i % WIDTH + 1);
      }
  g_assert_true (es_plot_point_of (with, x[1], y[1], WIDTH, HEIGHT, &px, &py));
  g_assert_cmpfloat (to - from, >, 15);
  g_assert_cmpfloat_with_epsilon ((from + to) / 2, px, 2);
  for (guint k = 0; k < 2; k++)
    cairo_surface_destroy (surfaces[k]);
}

static void
test_pick (void)
{
  g_autoptr (EsPlot) plot = make_marks ();
  const double x[] = { 0.2, 50 }, y[] = { 100, 100 };
  guint series = 9, point = 9;
  double px, py;

  es_plot_add_series (plot, "Roof", ES_PLOT_LINE, FALSE, 2, x, y);
  g_assert_true (es_plot_point_of (plot, intensities[3], rates[3], WIDTH, HEIGHT, &px, &py));
  g_assert_true (es_plot_pick_point (plot, px + 6, py - 6, WIDTH, HEIGHT, &series, &point));
  g_assert_cmpuint (series, ==, 0);
  g_assert_cmpuint (point, ==, 3);
  g_assert_false (es_plot_pick_point (plot, px + 30, py, WIDTH, HEIGHT, &series, &point));
  /* A line is no mark. */
  g_assert_true (es_plot_point_of (plot, x[1], y[1], WIDTH, HEIGHT, &px, &py));
  g_assert_false (es_plot_pick_point (plot, px, py, WIDTH, HEIGHT, &series, &point));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/plot-x/ticks", test_ticks);
  g_test_add_func ("/render/plot-x/places", test_places);
  g_test_add_func ("/render/plot-x/nothing", test_nothing);
  g_test_add_func ("/render/plot-x/beside", test_beside);
  g_test_add_func ("/render/plot-x/labels", test_labels);
  g_test_add_func ("/render/plot-x/bar-labels", test_bar_labels);
  g_test_add_func ("/render/plot-x/pick", test_pick);
  return g_test_run ();
}
