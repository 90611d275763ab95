/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Displays that are copied or saved as they are on the screen: missing pixels are transparent, there and only there;
 * and what is opaque, for a report. */

#include "charts/es-map-view.h"
#include "charts/es-plot-view.h"
#include "es-test-sonar-view.h"
#include "es-test-views.h"
#include "plot/es-plot-private.h"
#include "sonar/display/es-sonar-cursor.h"
#include "widgets/es-capture.h"

#include <math.h>
#include <string.h>

#include <glib/gstdio.h>

#define SIDE 64

static GtkWidget *
make_image (void)
{
  g_autoptr (EsPicture) picture = es_picture_new ();
  float *values = g_new (float, SIDE * SIDE);
  g_autoptr (GBytes) plane = g_bytes_new_take (values, SIDE * SIDE * sizeof *values);

  for (int i = 0; i < SIDE * SIDE; i++)
    values[i] = i % SIDE < SIDE / 2 ? NAN : 1 + i;
  es_picture_set_planes (picture, 1, (GBytes *[]) { plane }, SIDE, SIDE, 1, SIDE, SIDE);
  es_picture_set_stretch (picture, 0, 0, SIDE * SIDE);
  return es_image_view_new (picture);
}

static GtkWidget *
make_map (void)
{
  g_autoptr (EsHeatmap) map = es_heatmap_new ();
  float values[SIDE];

  for (int i = 0; i < SIDE; i++)
    values[i] = i < SIDE / 2 ? NAN : i;
  es_heatmap_reset (map, SIDE, 0, FALSE);
  for (int i = 0; i < SIDE; i++)
    es_heatmap_append (map, values);
  es_heatmap_set_range (map, 0, SIDE);
  return es_map_view_new (map, 200);
}

/* What share of a texture is transparent altogether. */
static double
share_of_holes (GdkTexture *texture)
{
  const int width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);
  gsize n = 0;

  gdk_texture_download (texture, (guchar *) pixels, 4 * (gsize) width);
  for (gsize i = 0; i < (gsize) width * height; i++)
    n += pixels[i] >> 24 == 0;
  return (double) n / ((double) width * height);
}

/* What the window itself shows of a widget. */
static GdkTexture *
shown (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;
  const int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);

  gdk_paintable_snapshot (paintable, snapshot, width, height);
  node = gtk_snapshot_to_node (snapshot);
  return gsk_renderer_render_texture (gtk_native_get_renderer (gtk_widget_get_native (widget)), node,
                                      &GRAPHENE_RECT_INIT (0, 0, width, height));
}

static void
turn (void)
{
  for (guint i = 0; i < 40; i++)
    {
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_usleep (5000);
    }
}

/* Round the axes of a map nothing is drawn on the screen either. */
static void
check (GtkWidget *view)
{
  GtkWidget *window = gtk_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autoptr (GdkTexture) before = NULL, captured = NULL, after = NULL;
  double beside;

  gtk_widget_set_vexpand (view, TRUE);
  gtk_widget_set_hexpand (view, TRUE);
  gtk_widget_set_margin_start (view, 17);
  gtk_box_append (GTK_BOX (box), view);
  gtk_window_set_child (GTK_WINDOW (window), box);
  gtk_window_set_default_size (GTK_WINDOW (window), 420, 400);
  gtk_window_present (GTK_WINDOW (window));
  turn ();
  before = shown (view);
  captured = es_capture_render (view, 2);
  g_assert_nonnull (captured);
  g_assert_cmpint (gdk_texture_get_width (captured), ==, 2 * gtk_widget_get_width (view));
  beside = share_of_holes (before);
  g_assert_cmpfloat (share_of_holes (captured), >, beside + 0.2);
  g_assert_cmpfloat (share_of_holes (captured), <, beside + 0.55);
  /* The screen is as it was. */
  turn ();
  after = shown (view);
  g_assert_cmpfloat_with_epsilon (share_of_holes (after), beside, 1e-3);
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_image (void)
{
  check (make_image ());
}

static void
test_map (void)
{
  check (make_map ());
}

/* ---- for a report: opaque, and it says what it is of ---- */

static GBytes *
download (GdkTexture *texture)
{
  const gsize n = 4 * (gsize) gdk_texture_get_width (texture) * gdk_texture_get_height (texture);
  guchar *pixels = g_malloc (n);

  gdk_texture_download (texture, pixels, 4 * (gsize) gdk_texture_get_width (texture));
  return g_bytes_new_take (pixels, n);
}

static void
assert_opaque (GdkTexture *texture)
{
  g_autoptr (GBytes) bytes = download (texture);
  gsize n;
  const guint32 *pixels = g_bytes_get_data (bytes, &n);

  for (gsize i = 0; i < n / 4; i++)
    g_assert_cmphex (pixels[i] >> 24, ==, 0xff);
}

/* Row 12 of 20, at 100 degrees. */
static void
look_at_row (SonarFixture *fixture)
{
  es_test_sonar_fill (fixture->test, fixture->history, 0, 20);
  es_test_sonar_settle (fixture);
  es_sonar_cursor_set_row (fixture->view->cursor, 12);
  es_sonar_cursor_set_bearing (fixture->view->cursor, 100);
  es_test_sonar_settle (fixture);
}

static void
test_page (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = es_test_sonar_pane (fixture, "btr");
  EsPaneFrame *frame = es_test_sonar_frame (fixture, "btr");
  GtkWidget *child = es_sonar_pane_get_child (pane);
  g_autoptr (GdkTexture) texture = NULL, moved = NULL;
  g_autofree char *heading = NULL, *words = NULL, *again = NULL, *expected = NULL, *elapsed = NULL;

  look_at_row (fixture);
  words = es_sonar_pane_describe_picture (pane, &heading);
  expected = g_strconcat (es_dataset_get_name (ES_DATASET (fixture->recording)), ": ", es_sonar_pane_get_title (pane),
                          " (CBF)", NULL);
  g_assert_cmpstr (heading, ==, expected);
  g_assert_nonnull (strstr (words, "dB re 1 µPa²; band "));
  g_assert_nonnull (strstr (words, "; cursor at 00:00:12"));
  g_assert_true (g_str_has_suffix (words, ", 100.0°"));
  g_assert_null (strstr (words, "began"));

  texture = es_pane_frame_render (frame);
  g_assert_nonnull (texture);
  assert_opaque (texture);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 2 * gtk_widget_get_width (child));
  g_assert_cmpint (gdk_texture_get_height (texture), >, 2 * gtk_widget_get_height (child) + 40);

  /* A clock has its zone, and is in the picture. */
  g_autoptr (GDateTime) start = g_date_time_new_utc (2026, 5, 1, 12, 0, 0);
  g_autoptr (EsNavigation) navigation = es_navigation_new (start, NULL, NULL, 0, NULL);
  es_recording_set_navigation (fixture->recording, navigation);
  es_test_sonar_settle (fixture);
  /* It is known when it began, whatever clock is shown. */
  g_free (heading);
  elapsed = es_sonar_pane_describe_picture (pane, &heading);
  g_assert_nonnull (strstr (elapsed, "; began 2026-05-01 12:00:00 UTC; cursor at 00:00:12"));
  es_test_sonar_act (fixture, "sonar.clock", g_variant_new_string ("utc"));
  es_test_sonar_settle (fixture);
  g_free (heading);
  again = es_sonar_pane_describe_picture (pane, &heading);
  g_assert_nonnull (strstr (again, "; began 2026-05-01 12:00:00 UTC; cursor at 2026-05-01 12:00:12"));
  moved = es_pane_frame_render (frame);
  assert_opaque (moved);
  g_autoptr (GBytes) before = download (texture), after = download (moved);
  g_assert_false (g_bytes_equal (before, after));
}

static EsPlot *
save_plot_of (SonarFixture *fixture, const char *pane)
{
  GtkWidget *view = es_views_find (GTK_WIDGET (es_test_sonar_pane (fixture, pane)), ES_TYPE_PLOT_VIEW);
  EsPlot *plot = es_plot_view_get_plot (ES_PLOT_VIEW (view));
  g_autofree char *folder = g_dir_make_tmp ("es-capture-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "plot.svg", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_plot_save (plot, file, ES_PLOT_SVG, 720, 420, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_delete (file, NULL, NULL));
  g_rmdir (folder);
  return plot;
}

/* A curve that is saved from its own menu says what it is of, as a picture of its display does; so do its numbers. */
static void
test_plot (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = es_test_sonar_pane (fixture, "azimuth");
  const char *recording = es_dataset_get_name (ES_DATASET (fixture->recording));
  g_autofree char *heading = NULL, *words = NULL, *expected = NULL, *data = NULL, *line = NULL;
  EsPlot *plot;

  look_at_row (fixture);
  words = es_sonar_pane_describe_picture (pane, &heading);
  plot = save_plot_of (fixture, "azimuth");
  expected = g_strdup_printf ("%s: %s (CBF)", recording, es_plot_get_title (plot));
  g_assert_cmpstr (plot->heading, ==, expected);
  g_assert_cmpstr (plot->words, ==, words);
  g_assert_nonnull (strstr (plot->words, "; band "));
  g_assert_true (g_str_has_suffix (plot->words, "; cursor at 00:00:12.5, 100.0°"));
  data = es_sonar_pane_describe_data (pane);
  line = g_strdup_printf ("# %s; %s\n", heading, words);
  g_assert_cmpstr (data, ==, line);

  /* It is asked again every time. */
  es_sonar_cursor_set_row (fixture->view->cursor, 3);
  es_test_sonar_settle (fixture);
  g_assert_nonnull (strstr (save_plot_of (fixture, "azimuth")->words, "; cursor at 00:00:03.5, "));

  /* The picture of the pane has nothing of the pointer. */
  g_autoptr (GdkTexture) without = es_pane_frame_render (es_test_sonar_frame (fixture, "azimuth"));
  es_plot_set_cursor (plot, 100);
  g_assert_false (isnan (plot->cursor));
  es_test_sonar_settle (fixture);
  g_autoptr (GdkTexture) with = es_pane_frame_render (es_test_sonar_frame (fixture, "azimuth"));
  g_assert_false (isnan (plot->cursor));
  g_autoptr (GBytes) plain = download (without), pointed = download (with);
  g_assert_true (g_bytes_equal (plain, pointed));
  es_plot_set_cursor (plot, NAN);

  /* An element has no beam. */
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "element"), TRUE);
  es_test_sonar_settle (fixture);
  plot = save_plot_of (fixture, "element");
  g_assert_true (g_str_has_prefix (plot->heading, recording));
  g_assert_true (g_str_has_prefix (plot->words, "channel 1") || strstr (plot->words, ", channel 1") != NULL);
  g_assert_null (strstr (plot->words, "band"));
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  g_test_add_func ("/capture/image", test_image);
  g_test_add_func ("/capture/map", test_map);
  ES_TEST_ADD_SONAR ("/capture/page", NULL, test_page);
  ES_TEST_ADD_SONAR ("/capture/plot", NULL, test_plot);
  return g_test_run ();
}
