/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include <gio/gio.h>
#include <glib/gstdio.h>

#include "base/es-error.h"
#include "plot/es-plot-private.h"

#define WIDTH 640
#define HEIGHT 400

static EsPlot *
make_spectrum (void)
{
  static const double x[] = { 400, 500, 600, 700, 800, 900, 850, 950, 1050 };
  static const double y[] = { 0.1, 0.2, NAN, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7 };
  EsPlot *plot = es_plot_new ();

  es_plot_set_title (plot, "Spectrum");
  es_plot_set_x_axis (plot, "Wavelength", "nm");
  es_plot_set_y_axis (plot, "Reflectance", "", FALSE);
  es_plot_add_series (plot, "pixel", ES_PLOT_LINE, FALSE, G_N_ELEMENTS (x), x, y);
  return plot;
}

static cairo_surface_t *
draw (EsPlot *plot, int width, int height, const EsPlotColors *colors)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);

  es_plot_draw (plot, cr, width, height, colors);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel_at (cairo_surface_t *surface, double x, double y)
{
  const guint8 *row = cairo_image_surface_get_data (surface) + cairo_image_surface_get_stride (surface) * (int) y;

  return ((const guint32 *) (const void *) row)[(int) x];
}

static gboolean
is_painted (EsPlot *plot, double x, double y)
{
  cairo_surface_t *surface = draw (plot, WIDTH, HEIGHT, &es_plot_colors_light);
  gboolean painted = pixel_at (surface, x, y) >> 24 > 200;

  cairo_surface_destroy (surface);
  return painted;
}

static void
check_ticks (double minimum, double maximum, gboolean logarithmic, guint max_ticks, const char *expected,
             const char *factor)
{
  EsPlotScale scale = { minimum, maximum, 0, 100, logarithmic };
  EsPlotTicks ticks = es_plot_ticks_new (&scale, max_ticks);
  g_autoptr (GString) labels = g_string_new (NULL);

  for (guint i = 0; i < ticks.ticks->len; i++)
    {
      const EsPlotTick *tick = &g_array_index (ticks.ticks, EsPlotTick, i);

      g_assert_cmpfloat_with_epsilon (es_plot_scale_to_pixel (&scale, tick->value), tick->pixel, 1e-9);
      if (tick->label != NULL)
        g_string_append_printf (labels, "%s%s", labels->len > 0 ? " " : "", tick->label);
    }
  g_assert_cmpstr (labels->str, ==, expected);
  g_assert_cmpstr (ticks.factor, ==, factor);
  es_plot_ticks_clear (&ticks);
}

static void
test_ticks (void)
{
  check_ticks (0, 1, FALSE, 5, "0.0 0.2 0.4 0.6 0.8 1.0", NULL);
  check_ticks (-3, 7.2, FALSE, 6, "−2 0 2 4 6", NULL);
  check_ticks (420, 2450, FALSE, 5, "500 1000 1500 2000", NULL);
  check_ticks (100, 0, FALSE, 4, "0 50 100", NULL);
  check_ticks (0, 250000, FALSE, 5, "0.0 0.5 1.0 1.5 2.0 2.5", "×10⁵");
  check_ticks (-2e-5, 4e-5, FALSE, 4, "−2 0 2 4", "×10⁻⁵");
  check_ticks (0.5, 2000, TRUE, 5, "1 10 100 1000", NULL);
  check_ticks (1e-7, 1e5, TRUE, 4, "10⁻⁴ 1 10⁴", NULL);
  check_ticks (1e-7, 1e5, TRUE, 20, "10⁻⁷ 10⁻⁶ 10⁻⁵ 10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 1 10¹ 10² 10³ 10⁴ 10⁵", NULL);
  check_ticks (15, 90, TRUE, 6, "20 50", NULL);
  check_ticks (10, 12, TRUE, 4, "10.0 10.5 11.0 11.5 12.0", NULL);
}

static void
test_format (void)
{
  static const struct { double value; int digits; const char *text; } cases[] = {
    { -0.2134, 4, "−0.2134" }, { 1023.4, 6, "1023.4" },    { -0.0, 4, "0" },         { 1.25e-7, 4, "1.25×10⁻⁷" },
    { 6.02e23, 3, "6.02×10²³" }, { NAN, 4, "–" },          { INFINITY, 4, "∞" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = es_plot_format (cases[i].value, cases[i].digits);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_scale (void)
{
  static const EsPlotScale scales[] = {
    { 0, 10, 50, 550, FALSE }, { 10, 0, 50, 550, FALSE }, { 1e-3, 1e4, 300, 20, TRUE }, { -5, 5, 300, 20, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      const EsPlotScale *scale = &scales[i];
      double low = MIN (scale->from, scale->to);

      for (double pixel = low; pixel <= MAX (scale->from, scale->to); pixel += 7)
        g_assert_cmpfloat_with_epsilon (es_plot_scale_to_pixel (scale, es_plot_scale_to_value (scale, pixel)), pixel,
                                        1e-6);
      /* Beyond the ends: the ends. */
      g_assert_cmpfloat (es_plot_scale_to_value (scale, scale->to + (scale->to - scale->from)), ==, scale->maximum);
      g_assert_cmpfloat (es_plot_scale_to_value (scale, scale->from - (scale->to - scale->from)), ==, scale->minimum);
    }
}

/* Everything drawn lies on the drawing; what is inside the axes is where the scales say. */
static void
test_layout (void)
{
  static const int sizes[][2] = {
    { 200, 120 }, { 320, 200 }, { 640, 400 }, { 1600, 900 }, { 60, 30 }, { 1, 1 }, { 900, 60 },
  };
  g_autoptr (EsPlot) plot = make_spectrum ();

  es_plot_set_right_axis (plot, "Share", "%", 0, 100);
  es_plot_add_series (plot, "share", ES_PLOT_LINE, TRUE, 2, (double[]) { 400, 1000 }, (double[]) { 10, 90 });
  es_plot_set_cursor (plot, 700);
  es_plot_add_marker (plot, TRUE, 50, "50 %", TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      int width = sizes[i][0], height = sizes[i][1];
      const EsPlotLayout *layout = es_plot_get_layout (plot, width, height);

      g_assert_false (layout->empty);
      if (width >= 200 && height >= 120)
        {
          g_assert_cmpfloat (layout->plot.x, >=, 0);
          g_assert_cmpfloat (layout->plot.y, >=, 0);
          g_assert_cmpfloat (layout->plot.x + layout->plot.width, <=, width);
          g_assert_cmpfloat (layout->plot.y + layout->plot.height, <, height);
          g_assert_cmpfloat (layout->plot.width * layout->plot.height, >, 0.2 * width * height);
          g_assert_cmpfloat (layout->x.minimum, ==, 400);
          g_assert_cmpfloat (layout->x.maximum, ==, 1050);
          g_assert_cmpfloat (layout->right.maximum, ==, 100);
          g_assert_cmpuint (layout->x_ticks.ticks->len, >=, 2);
        }
      for (guint c = 0; c < 3; c++)
        cairo_surface_destroy (draw (plot, width, height,
                                     c == 0   ? &es_plot_colors_light
                                     : c == 1 ? &es_plot_colors_dark
                                              : &es_plot_colors_print));
    }
}

/* Lines are drawn where data is; a gap, and the step back between two detectors, stay open. */
static void
test_gaps (void)
{
  g_autoptr (EsPlot) plot = make_spectrum ();
  const EsPlotLayout *layout = es_plot_get_layout (plot, WIDTH, HEIGHT);
  EsPlotScale x = layout->x, y = layout->left;

  g_assert_true (is_painted (plot, es_plot_scale_to_pixel (&x, 450), es_plot_scale_to_pixel (&y, 0.15)));
  g_assert_true (is_painted (plot, es_plot_scale_to_pixel (&x, 1000), es_plot_scale_to_pixel (&y, 0.65)));
  /* 600 nm is missing: half-way to it there is nothing, though both neighbours are there. */
  g_assert_false (is_painted (plot, es_plot_scale_to_pixel (&x, 550), es_plot_scale_to_pixel (&y, 0.225)));
  /* Nothing joins (900, 0.5) to (850, 0.55). */
  g_assert_false (is_painted (plot, es_plot_scale_to_pixel (&x, 875), es_plot_scale_to_pixel (&y, 0.525)));
}

/* As many lines as a legend can show are each told apart, by colour or by dash. */
static void
test_swatches (void)
{
  static const double x[] = { 0, 1 }, y[] = { 0, 1 };
  enum { N_LINES = 36, WIDE = 64, HIGH = 4 };
  g_autoptr (EsPlot) plot = es_plot_new ();
  cairo_surface_t *swatches[N_LINES];

  for (guint i = 0; i < N_LINES; i++)
    {
      cairo_t *cr;

      es_plot_add_series (plot, "line", ES_PLOT_LINE, FALSE, 2, x, y);
      swatches[i] = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, WIDE, HIGH);
      cr = cairo_create (swatches[i]);
      es_plot_draw_swatch (plot, cr, i, 0, HIGH / 2, WIDE, &es_plot_colors_print);
      cairo_destroy (cr);
      cairo_surface_flush (swatches[i]);
      for (guint j = 0; j < i; j++)
        g_assert_cmpint (memcmp (cairo_image_surface_get_data (swatches[i]),
                                 cairo_image_surface_get_data (swatches[j]),
                                 (gsize) HIGH * cairo_image_surface_get_stride (swatches[i])), !=, 0);
    }
  for (guint i = 0; i < N_LINES; i++)
    cairo_surface_destroy (swatches[i]);
}

/* A label at the very end of the axis stands on the drawing, in the middle below its tick. */
static void
test_last_label (void)
{
  static const double x[] = { 380, 2500 }, y[] = { 0, 1 };
  g_autoptr (EsPlot) plot = es_plot_new ();

  es_plot_add_series (plot, "line", ES_PLOT_LINE, FALSE, 2, x, y);
  for (int width = 240; width < 400; width += 7)
    {
      const EsPlotLayout *layout = es_plot_get_layout (plot, width, 180);
      const EsPlotTick *last = &g_array_index (layout->x_ticks.ticks, EsPlotTick, layout->x_ticks.ticks->len - 1);
      g_autoptr (PangoLayout) text = es_plot_text_new (NULL, layout->font_size, FALSE, last->label);
      int label_width;

      pango_layout_get_size (text, &label_width, NULL);
      g_assert_cmpfloat (last->pixel + label_width / 2.0 / PANGO_SCALE, <=, width - 2);
    }
}

static void
test_bars (void)
{
  static const double x[] = { 1, 2, 3 }, y[] = { 1000, 10, 0.5 };
  g_autoptr (EsPlot) plot = es_plot_new ();

  es_plot_set_y_axis (plot, "Eigenvalue", NULL, TRUE);
  es_plot_add_series (plot, NULL, ES_PLOT_BARS, FALSE, 3, x, y);

  const EsPlotLayout *layout = es_plot_get_layout (plot, WIDTH, HEIGHT);
  EsPlotScale across = layout->x, up = layout->left;
  double second = es_plot_scale_to_pixel (&across, 2);

  g_assert_cmpfloat (layout->bar_spacing, ==, 1);
  g_assert_cmpfloat (up.minimum, <=, 0.5);
  g_assert_true (is_painted (plot, second, es_plot_scale_to_pixel (&up, 5)));
  g_assert_false (is_painted (plot, second, es_plot_scale_to_pixel (&up, 30)));
  g_assert_false (is_painted (plot, es_plot_scale_to_pixel (&across, 2.5), es_plot_scale_to_pixel (&up, 5)));

  /* A highlighted bar has the accent. */
  es_plot_set_highlight (plot, 0, 1);
  cairo_surface_t *surface = draw (plot, WIDTH, HEIGHT, &es_plot_colors_print);
  guint32 accent = pixel_at (surface, second, es_plot_scale_to_pixel (&up, 5));
  g_assert_cmphex (accent & 0xffffff, ==, 0xc01c28);
  cairo_surface_destroy (surface);
}

static void
test_markers (void)
{
  g_autoptr (EsPlot) plot = make_spectrum ();
  guint band = es_plot_add_marker (plot, FALSE, 700, "R", TRUE);
  guint limit = es_plot_add_marker (plot, TRUE, 0.5, NULL, FALSE);
  const EsPlotLayout *layout = es_plot_get_layout (plot, WIDTH, HEIGHT);
  double px = es_plot_scale_to_pixel (&layout->x, 700), py = layout->plot.y + 100;

  g_assert_cmpint (es_plot_pick_marker (plot, px + 5, py, WIDTH, HEIGHT), ==, band);
  g_assert_cmpint (es_plot_pick_marker (plot, px + 8, py, WIDTH, HEIGHT), ==, -1);
  g_assert_cmpint (es_plot_pick_marker (plot, px, HEIGHT + 50, WIDTH, HEIGHT), ==, -1);
  /* Not draggable: cannot be taken. */
  g_assert_cmpint (es_plot_pick_marker (plot, px + 100, es_plot_scale_to_pixel (&layout->left, 0.5), WIDTH, HEIGHT), ==,
                   -1);

  /* Drag: where the hand is, the marker is, and it can be taken again there. */
  for (double to = layout->plot.x; to <= layout->plot.x + layout->plot.width; to += 37)
    {
      double value = es_plot_marker_value_at (plot, band, to, py, WIDTH, HEIGHT);

      es_plot_set_marker (plot, band, value, "R");
      g_assert_cmpfloat (es_plot_get_marker (plot, band), ==, value);
      g_assert_cmpint (es_plot_pick_marker (plot, to, py, WIDTH, HEIGHT), ==, band);
      g_assert_cmpfloat_with_epsilon (es_plot_x_at (plot, to, WIDTH, HEIGHT), value, 1e-9);
    }
  g_assert_cmpfloat (es_plot_marker_value_at (plot, band, -500, py, WIDTH, HEIGHT), ==, 400);
  g_assert_cmpfloat (es_plot_marker_value_at (plot, band, 5000, py, WIDTH, HEIGHT), ==, 1050);

  /* A horizontal one speaks of the right axis once there is one. */
  es_plot_set_right_axis (plot, "Share", "%", 0, 100);
  layout = es_plot_get_layout (plot, WIDTH, HEIGHT);
  g_assert_cmpfloat_with_epsilon (
    es_plot_marker_value_at (plot, limit, px, es_plot_scale_to_pixel (&layout->right, 99), WIDTH, HEIGHT), 99, 1e-9);
  es_plot_clear (plot);
  g_assert_cmpuint (es_plot_get_n_markers (plot), ==, 0);
}

static void
test_cursor (void)
{
  g_autoptr (EsPlot) plot = make_spectrum ();
  guint n_changed = 0;
  char *text;

  g_assert_null (es_plot_read_out (plot));
  g_signal_connect_swapped (plot, "changed", G_CALLBACK (g_atomic_int_inc), &n_changed);
  es_plot_set_cursor (plot, 712);
  es_plot_set_cursor (plot, 715);      /* the same point */
  g_assert_cmpuint (n_changed, ==, 1);
  text = es_plot_read_out (plot);
  g_assert_cmpstr (text, ==, "700 nm: 0.3");
  g_free (text);

  /* The missing point is no place for a cursor. A series without a point there says so. */
  es_plot_set_right_axis (plot, "Share", "%", 0, 100);
  es_plot_add_series (plot, "share", ES_PLOT_LINE, TRUE, 3, (double[]) { 400, 500, 600 }, (double[]) { 10, 60, 80 });
  es_plot_set_cursor (plot, 510);
  text = es_plot_read_out (plot);
  g_assert_cmpstr (text, ==, "500 nm: 0.2, 60 %");
  g_free (text);
  es_plot_set_cursor (plot, 1100);
  text = es_plot_read_out (plot);
  g_assert_cmpstr (text, ==, "1050 nm: 0.7, –");
  g_free (text);

  /* Dots, however far apart, are read where they are and nowhere else. */
  es_plot_clear (plot);
  es_plot_add_series (plot, NULL, ES_PLOT_LINE, FALSE, 3, (double[]) { 400, 500, 900 }, (double[]) { 1, 2, 3 });
  es_plot_add_series (plot, NULL, ES_PLOT_LINE, FALSE, 4, (double[]) { 490, 490, 890, 890 },
                      (double[]) { 7, NAN, 8, NAN });
  es_plot_set_cursor (plot, 501);
  text = es_plot_read_out (plot);
  g_assert_cmpstr (text, ==, "500 nm: 2, –");
  g_free (text);
  es_plot_set_cursor (plot, 491);
  text = es_plot_read_out (plot);
  g_assert_cmpstr (text, ==, "490 nm: 2, 7");
  g_free (text);
  es_plot_set_cursor (plot, NAN);
  g_assert_null (es_plot_read_out (plot));
}

static void
test_empty (void)
{
  static const double nothing[] = { NAN, NAN }, negative[] = { -1, 0 }, one[] = { 5, 5 };
  g_autoptr (EsPlot) plot = es_plot_new ();
  g_autofree char *text = es_plot_to_text (plot);

  g_assert_cmpstr (text, ==, "");
  g_assert_true (es_plot_get_layout (plot, WIDTH, HEIGHT)->empty);
  g_assert_true (isnan (es_plot_x_at (plot, 100, WIDTH, HEIGHT)));
  cairo_surface_destroy (draw (plot, WIDTH, HEIGHT, &es_plot_colors_dark));

  es_plot_add_series (plot, "a", ES_PLOT_LINE, FALSE, 2, one, nothing);
  es_plot_add_series (plot, "b", ES_PLOT_LINE, FALSE, 0, NULL, NULL);
  g_assert_true (es_plot_get_layout (plot, WIDTH, HEIGHT)->empty);

  /* Nothing a logarithm knows. */
  es_plot_set_y_axis (plot, "P", NULL, TRUE);
  es_plot_add_series (plot, "c", ES_PLOT_BARS, FALSE, 2, one, negative);
  g_assert_true (es_plot_get_layout (plot, WIDTH, HEIGHT)->empty);

  /* One constant point twice, and enormous spans, still give an axis. */
  es_plot_add_series (plot, "d", ES_PLOT_LINE, FALSE, 2, one, one);
  g_assert_false (es_plot_get_layout (plot, WIDTH, HEIGHT)->empty);
  es_plot_add_series (plot, "e", ES_PLOT_STEM, FALSE, 2, (double[]) { -1e300, 1e300 }, (double[]) { 1e-300, 1e300 });
  cairo_surface_destroy (draw (plot, WIDTH, HEIGHT, &es_plot_colors_dark));
  es_plot_set_y_axis (plot, "P", NULL, FALSE);
  cairo_surface_destroy (draw (plot, WIDTH, HEIGHT, &es_plot_colors_dark));
}

static void
test_text (void)
{
  g_autoptr (EsPlot) plot = es_plot_new ();
  g_autofree char *shared = NULL, *apart = NULL, *broken = NULL;

  es_plot_set_x_axis (plot, "Wavelength", "nm");
  es_plot_set_y_axis (plot, "Radiance", "W", FALSE);
  es_plot_add_series (plot, "a", ES_PLOT_LINE, FALSE, 2, (double[]) { 400.5, 410 }, (double[]) { -0.25, NAN });
  es_plot_add_series (plot, "b\tc", ES_PLOT_LINE, FALSE, 2, (double[]) { 400.5, 410 }, (double[]) { 1, 2 });
  shared = es_plot_to_text (plot);
  g_assert_cmpstr (shared, ==, "Wavelength (nm)\ta (W)\tb\\x09c (W)\n400.5\t-0.25\t1\n410\t\t2\n");
  es_plot_add_series (plot, "d", ES_PLOT_LINE, FALSE, 1, (double[]) { 7 }, (double[]) { 8 });
  apart = es_plot_to_text (plot);
  g_assert_cmpstr (apart, ==,
                   "Wavelength (nm)\ta (W)\tWavelength (nm)\tb\\x09c (W)\tWavelength (nm)\td (W)\n"
                   "400.5\t-0.25\t400.5\t1\t7\t8\n410\t\t410\t2\t\t\n");

  /* What only interrupts a line is no row. */
  es_plot_clear (plot);
  es_plot_add_series (plot, "a", ES_PLOT_LINE, FALSE, 3, (double[]) { 1, 1, 5 }, (double[]) { 2, NAN, 4 });
  broken = es_plot_to_text (plot);
  g_assert_cmpstr (broken, ==, "Wavelength (nm)\ta (W)\n1\t2\n5\t4\n");
}

/* What is said of it stands above what is saved, and has its place there; nothing of it is on the screen. */
static void
test_caption (void)
{
  g_autoptr (EsPlot) plot = make_spectrum ();
  EsPlotLayout *plain = es_plot_layout_new (plot, 720, 420, 10, TRUE), *captioned, *shown;
  EsPlotLayout *before = es_plot_layout_new (plot, 720, 420, 10, FALSE);
  g_autofree char *words = g_strnfill (300, 'w');

  es_plot_set_caption (plot, "sea.wav: spectrum", "in one line");
  captioned = es_plot_layout_new (plot, 720, 420, 10, TRUE);
  g_assert_cmpfloat (captioned->plot.y, >=, plain->plot.y + 8);
  g_assert_cmpfloat (captioned->words_top, >, captioned->title_baseline);
  g_assert_cmpstr (es_plot_get_heading (plot), ==, "sea.wav: spectrum");
  shown = es_plot_layout_new (plot, 720, 420, 10, FALSE);
  g_assert_cmpfloat (shown->plot.y, ==, before->plot.y);
  es_plot_layout_free (shown);
  es_plot_layout_free (plain);
  /* In as many lines as it takes. */
  es_plot_set_caption (plot, NULL, words);
  plain = es_plot_layout_new (plot, 720, 420, 10, TRUE);
  g_assert_cmpfloat (plain->plot.y, >, captioned->plot.y + 8);
  g_assert_cmpstr (es_plot_get_heading (plot), ==, es_plot_get_title (plot));
  es_plot_layout_free (plain);
  es_plot_layout_free (captioned);
  es_plot_layout_free (before);
}

static void
test_save (void)
{
  static const struct { EsPlotFormat format; const char *name, *begins; } kinds[] = {
    { ES_PLOT_PDF, "plot.pdf", "%PDF-" }, { ES_PLOT_SVG, "plot.svg", "<?xml" }, { ES_PLOT_PNG, "plot.png", "\x89PNG" },
  };
  g_autofree char *directory = g_dir_make_tmp ("es-plot-XXXXXX", NULL);
  g_autoptr (EsPlot) plot = make_spectrum ();

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *path = g_build_filename (directory, kinds[i].name, NULL);
      g_autoptr (GFile) target = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autofree char *contents = NULL, *after = NULL;
      gsize size;

      g_assert_true (es_plot_save (plot, target, kinds[i].format, 480, 320, &error));
      g_assert_no_error (error);
      g_assert_true (g_file_get_contents (path, &contents, &size, NULL));
      g_assert_cmpuint (size, >, 2000);
      g_assert_true (g_str_has_prefix (contents, kinds[i].begins));
      if (kinds[i].format == ES_PLOT_PNG)
        {
          cairo_surface_t *surface = cairo_image_surface_create_from_png (path);

          g_assert_cmpint (cairo_image_surface_get_width (surface), ==, 960);
          g_assert_cmpint (cairo_image_surface_get_height (surface), ==, 640);
          cairo_surface_destroy (surface);
        }

      /* A failure leaves the old file. */
      g_assert_true (g_file_set_contents (path, "old", -1, NULL));
      g_assert_false (es_plot_save (plot, target, kinds[i].format, 0, 100000, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
      g_assert_nonnull (strstr (error->message, kinds[i].name));
      g_assert_true (g_file_get_contents (path, &after, NULL, NULL));
      g_assert_cmpstr (after, ==, "old");
      g_unlink (path);
    }

  /* A folder that is not there; a target that is a folder. Neither leaves anything behind. */
  g_autofree char *absent = g_build_filename (directory, "absent", "plot.svg", NULL);
  g_autofree char *folder = g_build_filename (directory, "folder", NULL);
  g_mkdir (folder, 0700);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (GFile) target = g_file_new_for_path (i == 0 ? absent : folder);
      g_autoptr (GError) error = NULL;

      g_assert_false (es_plot_save (plot, target, ES_PLOT_SVG, 480, 320, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
    }
  g_rmdir (folder);
  g_assert_cmpint (g_rmdir (directory), ==, 0);
}

/* Names of channels and classes are text of one line, however they are written. */
static void
test_names (void)
{
  static const char hostile[] = "<b>&amp;\n\033[31m\342\200\256", shown[] = "<b>&amp;\\x0a\\x1b[31m\\u202e";
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "es-plot-names.svg", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autofree char *long_part = g_strnfill (300, 'x'), *name = g_strconcat (hostile, long_part, NULL);
  g_autoptr (EsPlot) plot = make_spectrum ();
  const double x[] = { 400, 900 }, y[] = { 0.2, 0.6 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL, *svg = NULL;

  es_plot_set_title (plot, name);
  g_assert_true (g_str_has_prefix (es_plot_get_title (plot), shown));
  es_plot_set_x_axis (plot, name, hostile);
  es_plot_set_y_axis (plot, name, hostile, FALSE);
  es_plot_add_series (plot, name, ES_PLOT_LINE, FALSE, 2, x, y);
  es_plot_add_marker (plot, FALSE, 600, name, FALSE);
  text = es_plot_to_text (plot);
  g_assert_null (strchr (text, '\033'));
  g_assert_nonnull (strstr (text, shown));
  g_assert_true (es_plot_save (plot, file, ES_PLOT_SVG, WIDTH, HEIGHT, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &svg, NULL, NULL));
  g_assert_null (strstr (svg, "<b>"));
  g_assert_null (strchr (svg, '\033'));
  g_unlink (path);
}

/* A veil lies between its two lists and nowhere else, makes room for itself, and has the gaps that they have. */
static void
test_spans (void)
{
  const double x[] = { 0, 1, 2, 3, 4 }, y[] = { 1, 1, 1, 1, 1 }, low[] = { 0.5, 0.5, NAN, -3, -3 };
  const double high[] = { 1.5, 1.5, NAN, 5, 5 };
  g_autoptr (EsPlot) plot = es_plot_new ();
  const guint series = es_plot_add_series (plot, "mean", ES_PLOT_LINE, FALSE, 5, x, y);
  double px, py, left, bottom, right, top;
  cairo_rectangle_t area;

  es_plot_set_span (plot, series, 0, low, high);
  g_assert_true (es_plot_get_area (plot, WIDTH, HEIGHT, &area));
  es_plot_values_at (plot, area.x, area.y + area.height, WIDTH, HEIGHT, &left, &bottom);
  es_plot_values_at (plot, area.x + area.width, area.y, WIDTH, HEIGHT, &right, &top);
  g_assert_cmpfloat (bottom, <=, -3);
  g_assert_cmpfloat (top, >=, 5);
  const struct { double x, y; gboolean veiled; } places[] = {
    { 0.5, 0.7, TRUE }, { 0.5, 3.1, FALSE }, { 2.45, 1.3, FALSE }, { 1.6, 1.3, FALSE }, { 3.5, 3.1, TRUE },
  };
  cairo_surface_t *surface = draw (plot, WIDTH, HEIGHT, &es_plot_colors_light);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_assert_true (es_plot_point_of (plot, places[i].x, places[i].y, WIDTH, HEIGHT, &px, &py));
      g_test_message ("%g, %g: %08x", places[i].x, places[i].y, pixel_at (surface, px, py));
      g_assert_cmpint (pixel_at (surface, px, py) >> 24 >= 20, ==, places[i].veiled);
    }
  cairo_surface_destroy (surface);

  /* Other points are without it; a series without points is no column of the data. */
  es_plot_set_points (plot, series, "other", 2, x, y);
  es_plot_values_at (plot, area.x, area.y, WIDTH, HEIGHT, &left, &top);
  g_assert_cmpfloat (top, <, 2);
  es_plot_add_series (plot, NULL, ES_PLOT_LINE, FALSE, 0, NULL, NULL);
  g_autofree char *text = es_plot_to_text (plot);
  g_assert_cmpstr (text, ==, "\tother\n0\t1\n1\t1\n");
}

/* ---- what a person wants to see of it ---- */

static void
test_seen (void)
{
  static const double x[] = { 1, 2, 3, 4 }, y[] = { 1000, 100, 10, 1 }, share[] = { 50, 80, 95, 100 };
  g_autoptr (EsPlot) plot = es_plot_new ();
  double from = 0, to = 0, low[2], high[2], all[2], all_high[2];
  cairo_rectangle_t area;

  es_plot_set_x_axis (plot, "Component", NULL);
  es_plot_set_y_axis (plot, "Eigenvalue", "K", TRUE);
  es_plot_set_right_axis (plot, "Share", "%", 0, 100);
  es_plot_add_series (plot, "eigenvalues", ES_PLOT_LINE, FALSE, 4, x, y);
  es_plot_add_series (plot, "shares", ES_PLOT_LINE, TRUE, 4, x, share);
  const guint marker = es_plot_add_marker (plot, TRUE, 60, NULL, TRUE);

  g_assert_true (es_plot_get_area (plot, WIDTH, HEIGHT, &area));
  es_plot_values_at (plot, area.x, area.y + area.height, WIDTH, HEIGHT, &all[0], &all[1]);
  es_plot_values_at (plot, area.x + area.width, area.y, WIDTH, HEIGHT, &all_high[0], &all_high[1]);
  g_assert_false (es_plot_get_x_seen (plot, &from, &to));
  es_plot_set_x_seen (plot, 2, 3);
  /* The upper half of a logarithmic axis is that of the right one, too. */
  const double half = all[1] * sqrt (all_high[1] / all[1]);
  es_plot_set_y_seen (plot, half, all_high[1]);
  g_assert_true (es_plot_get_x_seen (plot, &from, &to));
  g_assert_cmpfloat (from, ==, 2);
  g_assert_cmpfloat (to, ==, 3);
  g_assert_true (es_plot_get_area (plot, WIDTH, HEIGHT, &area));
  es_plot_values_at (plot, area.x, area.y + area.height, WIDTH, HEIGHT, &low[0], &low[1]);
  es_plot_values_at (plot, area.x + area.width, area.y, WIDTH, HEIGHT, &high[0], &high[1]);
  g_assert_cmpfloat_with_epsilon (low[0], 2, 1e-9);
  g_assert_cmpfloat_with_epsilon (high[0], 3, 1e-9);
  g_assert_cmpfloat_with_epsilon (low[1] / half, 1, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_plot_marker_value_at (plot, marker, 0, area.y + area.height, WIDTH, HEIGHT), 50,
                                  1e-6);
  g_assert_cmpfloat_with_epsilon (es_plot_marker_value_at (plot, marker, 0, area.y, WIDTH, HEIGHT), 100, 1e-6);

  /* Whoever made the plot sets other limits: what is seen stays, until all is. What is none is all. */
  es_plot_set_x_range (plot, 0, 10);
  g_assert_cmpfloat_with_epsilon (es_plot_x_at (plot, area.x, WIDTH, HEIGHT), 2, 1e-9);
  es_plot_set_x_seen (plot, 5, 5);
  g_assert_false (es_plot_get_x_seen (plot, &from, &to));
  g_assert_true (es_plot_get_area (plot, WIDTH, HEIGHT, &area));
  g_assert_cmpfloat_with_epsilon (es_plot_x_at (plot, area.x, WIDTH, HEIGHT), 0, 1e-9);

  /* Another division shows all of it, and outlives other titles. */
  g_assert_true (es_plot_can_be_logarithmic (plot));
  es_plot_set_division (plot, ES_PLOT_LINEAR);
  es_plot_set_y_axis (plot, "Eigenvalue", "K", TRUE);
  g_assert_false (es_plot_is_logarithmic (plot));
  g_assert_false (es_plot_get_y_seen (plot, &from, &to));
  es_plot_set_division (plot, ES_PLOT_AS_MADE);
  g_assert_true (es_plot_is_logarithmic (plot));
  es_plot_add_series (plot, "below", ES_PLOT_LINE, FALSE, 1, (const double[]) { 1 }, (const double[]) { -1 });
  g_assert_false (es_plot_can_be_logarithmic (plot));
  g_autofree char *axis = es_plot_describe_axis (plot, TRUE), *bare = es_plot_describe_axis (plot, FALSE);
  g_assert_cmpstr (axis, ==, "Eigenvalue (K)");
  g_assert_cmpstr (bare, ==, "Component");
}

/* All names there is room for; all of them when asked; their number alone. What is saved names all. */
static void
test_legend (void)
{
  static const double x[] = { 1, 2 }, y[] = { 1, 2 };
  g_autoptr (EsPlot) plot = es_plot_new ();
  cairo_rectangle_t area, folded;
  guint n_unnamed = 0, n_fewer = 0;

  for (guint i = 0; i < 24; i++)
    {
      g_autofree char *title = g_strdup_printf ("A class of number %u", i);

      es_plot_add_series (plot, title, ES_PLOT_LINE, FALSE, 2, x, y);
    }
  es_plot_pick_legend (plot, 0, 0, 340, 180, &n_unnamed);
  g_assert_cmpuint (n_unnamed, >, 18);
  es_plot_pick_legend (plot, 0, 0, 1200, 600, &n_fewer);
  g_assert_cmpuint (n_fewer, ==, 0);

  /* Above the data, not on them. */
  es_plot_get_area (plot, 1200, 600, &area);
  g_assert_true (es_plot_pick_legend (plot, 20, 12, 1200, 600, NULL));
  g_assert_false (es_plot_pick_legend (plot, 20, area.y + 1, 1200, 600, NULL));
  es_plot_set_legend (plot, ES_PLOT_LEGEND_FOLDED);
  es_plot_get_area (plot, 1200, 600, &folded);
  g_assert_cmpfloat (folded.height, >, area.height);
  g_assert_true (es_plot_pick_legend (plot, 20, 12, 1200, 600, &n_unnamed));
  g_assert_cmpuint (n_unnamed, ==, 24);
  es_plot_set_legend (plot, ES_PLOT_LEGEND_ALL);
  es_plot_pick_legend (plot, 0, 0, 340, 180, &n_fewer);
  g_assert_cmpuint (n_fewer, <, 19);

  EsPlotLayout *saved = es_plot_layout_new (plot, 900, 600, 12, TRUE);
  g_assert_cmpuint (saved->n_legend_hidden, ==, 0);
  es_plot_layout_free (saved);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/plot/ticks", test_ticks);
  g_test_add_func ("/render/plot/format", test_format);
  g_test_add_func ("/render/plot/scale", test_scale);
  g_test_add_func ("/render/plot/layout", test_layout);
  g_test_add_func ("/render/plot/gaps", test_gaps);
  g_test_add_func ("/render/plot/swatches", test_swatches);
  g_test_add_func ("/render/plot/last-label", test_last_label);
  g_test_add_func ("/render/plot/bars", test_bars);
  g_test_add_func ("/render/plot/markers", test_markers);
  g_test_add_func ("/render/plot/cursor", test_cursor);
  g_test_add_func ("/render/plot/empty", test_empty);
  g_test_add_func ("/render/plot/text", test_text);
  g_test_add_func ("/plot/names", test_names);
  g_test_add_func ("/render/plot/caption", test_caption);
  g_test_add_func ("/render/plot/save", test_save);
  g_test_add_func ("/render/plot/spans", test_spans);
  g_test_add_func ("/render/plot/seen", test_seen);
  g_test_add_func ("/render/plot/legend", test_legend);
  return g_test_run ();
}
