/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar displays: a history filled by hand, in a real window. */

#include "charts/es-map-view-private.h"
#include "es-test-sonar-view.h"
#include "operations/es-operations.h"
#include "es-test-views.h"

#include <math.h>
#include <string.h>

#include "sonar/panes/es-demon-pane.h"
#include "sonar/panes/es-element-pane.h"
#include "layer/es-layer-internal.h"
#include "charts/es-map-view.h"
#include "widgets/es-capture.h"

static char *
get_status (SonarFixture *fixture)
{
  char *status;

  g_object_get (fixture->view, "status", &status, NULL);
  return status;
}

/* Everything unfolded, for looking at. */
static void
test_look (SonarFixture *fixture, gconstpointer size)
{
  static const char *const folded[] = { "fraz", "demon", "element" };

  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "sonar-empty-large" : "sonar-empty");
  es_test_sonar_fill (fixture->test, fixture->history, 0, 240);
  es_sonar_view_set_bearing (fixture->view, 57);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "sonar-large" : "sonar");
  for (guint i = 0; i < G_N_ELEMENTS (folded); i++)
    es_pane_frame_set_expanded (es_test_sonar_frame (fixture, folded[i]), TRUE);
  es_test_sonar_act (fixture, "sonar.plan", NULL);
  es_test_sonar_act (fixture, "sonar.harmonics", NULL);
  g_object_set (fixture->view, "frequency", 60., "time", 2., NULL);
  es_test_sonar_settle (fixture);
  while (es_demon_pane_is_busy (ES_DEMON_PANE (es_test_sonar_pane (fixture, "demon")))
         || es_element_pane_is_busy (ES_ELEMENT_PANE (es_test_sonar_pane (fixture, "element"))))
    g_main_context_iteration (NULL, TRUE);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "sonar-open-large" : "sonar-open");
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "energy"), FALSE);
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "azimuth"), FALSE);
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "fraz"), FALSE);
  es_test_sonar_act (fixture, "sonar.normaliser", g_variant_new_string ("split-window"));
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "sonar-normalised-large" : "sonar-normalised");
}

/* ---- what lies where ---- */

static guint
loudest (EsHeatmap *map, guint64 row)
{
  guint best = 0;

  for (guint c = 1; c < es_heatmap_get_n_columns (map); c++)
    if (es_heatmap_get_value (map, c, row) > es_heatmap_get_value (map, best, row))
      best = c;
  return best;
}

/* The colour of a place in what is on the screen. */
static guint32
pixel_at (EsMapView *view, double column, double row)
{
  g_autoptr (GdkTexture) texture = es_capture_render (GTK_WIDGET (view), 1);
  int width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);
  double found_column, found_row, left, right;
  graphene_rect_t area;
  int x;

  gdk_texture_download (texture, (guchar *) pixels, 4 * (gsize) width);
  g_assert_true (es_map_view_get_area (view, &area));
  _es_map_view_get_columns (view, &left, &right);
  x = (int) (area.origin.x + (column - left) / (right - left) * area.size.width);
  for (int y = 0; y < height; y++)
    if (es_map_view_pick (view, x + 0.5, y + 0.5, &found_column, &found_row) && floor (found_row) == floor (row))
      {
        g_assert_cmpfloat (floor (found_column), ==, floor (column));
        return pixels[(gsize) y * width + x] & 0xffffff;
      }
  g_assert_not_reached ();
}

static guint32
color_of (EsHeatmap *map, guint column, guint64 row)
{
  double low, high;
  float place;
  const guint8 *entry;

  es_heatmap_get_range (map, &low, &high);
  place = (es_heatmap_get_value (map, column, row) - (float) low) * (float) (256 / (high - low));
  entry = es_colormap_entries (es_heatmap_get_colormap (map)) + 4 * (place <= 0 ? 0 : place >= 255 ? 255 : (int) place);
  return (guint32) entry[0] << 16 | (guint32) entry[1] << 8 | entry[2];
}

static void
test_record (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  EsHeatmap *map = es_map_view_get_map (view);

  es_test_sonar_fill (fixture->test, fixture->history, 0, 60);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (map), ==, 60);
  for (guint second = 0; second < 60; second++)
    {
      const float *powers = es_beam_history_get_row (fixture->history, second);
      guint column = loudest (map, second);

      g_assert_cmpfloat_with_epsilon (10. + column, es_test_sonar_bearing (fixture->test, second), 0.51);
      g_assert_cmpfloat_with_epsilon (es_heatmap_get_value (map, column, second), 10 * log10 (powers[column]), 1e-3);
    }
  /* Zoomed in, a value is a square on the screen: newest above, where nothing is drawn over it. */
  es_sonar_look_set_tracks (fixture->view->look, FALSE);
  es_sonar_extent_set_rows (fixture->view->extent, 60, 20);
  es_test_sonar_settle (fixture);
  for (guint second = 42; second < 58; second += 5)
    for (guint column = 24; column < 150; column += 41)      /* beside the cursor */
      g_assert_cmphex (pixel_at (view, column + 0.5, second + 0.5), ==, color_of (map, column, second));
  /* Another range is other colours of the same values. */
  es_test_sonar_act (fixture, "sonar.dynamic-range", g_variant_new_double (10));
  es_test_sonar_act (fixture, "sonar.colormap", g_variant_new_string ("magma"));
  es_test_sonar_settle (fixture);
  g_assert_cmpint (es_heatmap_get_colormap (map), ==, ES_COLORMAP_MAGMA);
  g_assert_cmphex (pixel_at (view, 47.5, 50.5), ==, color_of (map, 47, 50));
}

/* The newest stays in view until somebody scrolls away from it. */
static void
test_follow (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  EsSonarCursor *cursor = fixture->view->cursor;
  EsSonarExtent *extent = fixture->view->extent;
  gboolean follow;
  double top, span, later;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 500);
  es_test_sonar_settle (fixture);
  es_sonar_extent_get_rows (extent, &top, &span);
  g_assert_cmpfloat (top, ==, 500);
  /* All of it is in view; a part of it can be scrolled. */
  g_assert_cmpfloat (span, ==, 500);
  es_sonar_extent_set_rows (extent, 500, 200);
  g_assert_true (es_sonar_extent_get_follow (extent));
  g_signal_emit_by_name (view, "scrolled", 0.5);
  g_object_get (fixture->view, "follow", &follow, NULL);
  g_assert_false (follow);
  es_sonar_extent_get_rows (extent, &top, &span);
  g_assert_cmpfloat (top, <, 500);
  es_test_sonar_fill (fixture->test, fixture->history, 500, 20);
  es_test_sonar_settle (fixture);
  es_sonar_extent_get_rows (extent, &later, &span);
  g_assert_cmpfloat (later, ==, top);
  /* Home. */
  g_signal_emit_by_name (view, "jumped", -1);
  es_sonar_extent_get_rows (extent, &top, &span);
  g_assert_cmpfloat (top, ==, 520);
  g_assert_true (es_sonar_extent_get_follow (extent));
  /* End: the oldest row; it comes into view. */
  g_signal_emit_by_name (view, "jumped", 1);
  es_sonar_extent_get_rows (extent, &top, &span);
  g_assert_cmpfloat (top - span, <=, 0);
  g_assert_cmpfloat (es_sonar_cursor_get_time (cursor), ==, 0.5);
  /* Zoom keeps the row under the pointer. */
  es_sonar_extent_set_rows (extent, 400, 200);
  g_signal_emit_by_name (view, "zoomed", 0.5, 300.);
  es_sonar_extent_get_rows (extent, &top, &span);
  g_assert_cmpfloat (span, ==, 100);
  g_assert_cmpfloat (top, ==, 350);
}

/* Zoomed in both directions, what is drawn is still where it belongs; a rectangle says what is in it. */
static void
test_zoom (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  EsHeatmap *map = es_map_view_get_map (view);
  g_autofree char *words = NULL;
  double left, right, top, span, sum = 0, highest = -INFINITY;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 200);
  es_sonar_look_set_tracks (fixture->view->look, FALSE);
  es_test_sonar_settle (fixture);
  _es_map_view_zoom_columns (view, 0.25, 100);
  _es_map_view_zoom_rows (view, 0.25, 100);
  es_test_sonar_settle (fixture);
  _es_map_view_get_columns (view, &left, &right);
  g_assert_cmpfloat_with_epsilon (left, 75, 1e-9);
  g_assert_cmpfloat_with_epsilon (right, 115, 1e-9);
  es_sonar_extent_get_rows (fixture->view->extent, &top, &span);
  g_assert_cmpfloat_with_epsilon (top, 125, 1e-9);
  g_assert_cmpfloat_with_epsilon (span, 50, 1e-9);
  for (guint row = 80; row < 122; row += 10)
    for (guint column = 78; column < 113; column += 7)
      g_assert_cmphex (pixel_at (view, column + 0.5, row + 0.5), ==, color_of (map, column, row));
  /* By pixels, and not beyond the ends. */
  _es_map_view_pan (view, 1e6, 0);
  _es_map_view_get_columns (view, &left, &right);
  g_assert_cmpfloat (left, ==, 0);
  g_assert_cmpfloat_with_epsilon (right, 40, 1e-9);
  _es_map_view_reset_zoom (view);
  _es_map_view_get_columns (view, &left, &right);
  g_assert_cmpfloat (left, ==, 0);
  g_assert_cmpfloat (right, ==, 160);
  es_sonar_extent_get_rows (fixture->view->extent, &top, &span);
  g_assert_cmpfloat (top, ==, 200);
  g_assert_cmpfloat (span, ==, 200);

  /* As close as it goes the row stays where it is; a rectangle without height is no time to zoom to. */
  for (guint i = 0; i < 100; i++)
    {
      g_signal_emit_by_name (view, "zoomed", 0.8, 77.5);
      es_sonar_extent_get_rows (fixture->view->extent, &top, &span);
      g_assert_cmpfloat_with_epsilon ((top - 77.5) / span, 122.5 / 200, 1e-6);
    }
  g_assert_cmpfloat (span, ==, ES_SONAR_SHORTEST_SPAN);
  es_test_sonar_settle (fixture);
  view->selected[0] = 40;
  view->selected[1] = view->selected[3] = 77;
  view->selected[2] = 50;
  _es_map_view_zoom_to_selection (view);
  es_sonar_extent_get_rows (fixture->view->extent, &top, &span);
  g_assert_cmpfloat (span, ==, ES_SONAR_SHORTEST_SPAN);
  /* Rows of another length: no rectangle is left of it. */
  view->selected[0] = 40;
  es_beam_history_clear (fixture->history);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 100);
  es_test_sonar_settle (fixture);
  g_assert_true (isnan (view->selected[0]));
  es_test_sonar_fill (fixture->test, fixture->history, 100, 100);
  _es_map_view_reset_zoom (view);
  es_test_sonar_settle (fixture);

  /* 20 seconds of ten beams. */
  for (guint row = 100; row < 120; row++)
    for (guint column = 40; column < 50; column++)
      {
        sum += pow (10, es_heatmap_get_value (map, column, row) / 10);
        highest = MAX (highest, es_heatmap_get_value (map, column, row));
      }
  words = view->measure (view->measure_data, 40, 50, 100, 120);
  g_autofree char *levels = g_strdup_printf ("mean %.1f dB, highest %.1f dB", 10 * log10 (sum / 200), highest);
  g_assert_nonnull (strstr (words, "00:01:40.0 to 00:02:00.0: 20.0 s"));
  g_assert_nonnull (strstr (words, "49.5° to 59.5°: 10.0°, 0.5°/s"));
  g_assert_nonnull (strstr (words, levels));
  /* Z shows it alone. */
  es_test_sonar_settle (fixture);
  view->selected[0] = 50;
  view->selected[1] = 120;
  view->selected[2] = 40;
  view->selected[3] = 100;
  _es_map_view_zoom_to_selection (view);
  _es_map_view_get_columns (view, &left, &right);
  g_assert_cmpfloat_with_epsilon (left, 40, 1e-9);
  g_assert_cmpfloat_with_epsilon (right, 50, 1e-9);
  es_sonar_extent_get_rows (fixture->view->extent, &top, &span);
  g_assert_cmpfloat_with_epsilon (top, 120, 1e-6);
  g_assert_cmpfloat_with_epsilon (span, 20, 1e-6);
}

/* What was seen stays, in grey, until what is asked for now is there. */
static void
test_before (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  EsHeatmap *map = es_map_view_get_map (view);
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("cbf", NULL)->params);

  es_params_set_text (params, "band", "300:480");
  es_player_set_params (fixture->player, es_operation_find ("cbf", NULL), params, NULL);
  es_player_set_ahead (fixture->player, TRUE);
  while (es_player_get_progress (fixture->player) < 1 || isnan (es_heatmap_get_value (map, 3, 2)))
    es_test_sonar_settle (fixture);
  g_assert_null (view->under);
  const float before = es_heatmap_get_value (map, 3, 2);

  /* Nothing is computed but the block that is heard. */
  es_player_set_ahead (fixture->player, FALSE);
  es_params_set_text (params, "band", "100:200");
  es_player_set_params (fixture->player, es_operation_find ("cbf", NULL), params, NULL);
  while (view->under == NULL)
    es_test_sonar_settle (fixture);
  es_test_sonar_settle (fixture);
  g_assert_true (isnan (es_heatmap_get_value (map, 3, 2)));
  g_assert_cmpfloat (es_heatmap_get_value (view->under, 3, 2), ==, before);
  g_assert_nonnull (view->under_texture);
  g_assert_cmpint (es_heatmap_get_colormap (view->under), ==, ES_COLORMAP_GRAY);

  es_player_set_ahead (fixture->player, TRUE);
  while (view->under != NULL)
    es_test_sonar_settle (fixture);
  g_assert_false (isnan (es_heatmap_get_value (map, 3, 2)));
  g_assert_cmpfloat (es_heatmap_get_value (map, 3, 2), !=, before);
}

static void
on_seek (EsSonarView *view, double seconds, double *asked)
{
  *asked = seconds;
}

/* One cursor through all of them. */
static void
test_cursor (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *btr = es_test_sonar_map (fixture, "btr"), *lofar = es_test_sonar_map (fixture, "lofar");
  EsHeatmap *lines = es_map_view_get_map (lofar);
  g_autofree char *status = NULL;
  double seek = NAN, time;

  g_signal_connect (fixture->view, "seek", G_CALLBACK (on_seek), &seek);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 100);
  es_test_sonar_settle (fixture);
  /* Before anybody points anywhere: the loudest beam of the first row. */
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 30);

  /* Between two beams, which are a degree apart: all panes tell of the nearer one. */
  es_sonar_view_set_bearing (fixture->view, 48.19);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 48);

  /* While it follows what plays a click chooses the beam only; a double click asks to go there. */
  es_sonar_display_set_playing (fixture->view->display, TRUE);
  g_signal_emit_by_name (btr, "picked", 47.6, 80.5, 1u);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 57);
  g_object_get (fixture->view, "time", &time, NULL);
  g_assert_true (isnan (time));
  g_signal_emit_by_name (btr, "picked", 47.6, 80.5, 2u);
  g_assert_cmpfloat (seek, ==, 80);
  es_test_sonar_settle (fixture);
  g_assert_cmpstr (es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "lofar")), ==, "57.0°");
  g_assert_cmpuint (es_heatmap_get_end (lines), ==, 100);

  /* The moving source's tones are in its beam only while it is there. */
  g_object_set (fixture->view, "bearing", es_test_sonar_bearing (fixture->test, 40), NULL);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint ((guint) round (es_map_view_value_of (lofar, loudest (lines, 40) + 0.5) / 59.57), >=, 1);
  g_assert_cmpuint ((loudest (lines, 40) + 34) % 61, ==, 0);
  g_assert_cmpfloat (es_heatmap_get_value (lines, 61 - 34, 40), >, es_heatmap_get_value (lines, 61 - 34, 80) + 10);

  /* Not following, it is the moment too. */
  es_sonar_extent_set_rows (fixture->view->extent, 90, 50);
  g_signal_emit_by_name (btr, "picked", 20.2, 70.5, 1u);
  g_object_get (fixture->view, "time", &time, NULL);
  g_assert_cmpfloat (time, ==, 70.5);
  es_test_sonar_settle (fixture);
  status = get_status (fixture);
  g_test_message ("%s", status);
  g_assert_true (g_str_has_prefix (status, "00:01:10.5"));
  g_assert_nonnull (strstr (status, "30.0° (mirror 330.0°)"));
  g_assert_nonnull (strstr (status, "dB re 1 µPa²"));

  /* Arrows. */
  g_signal_emit_by_name (btr, "stepped", 1, 2);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 31);
  g_object_get (fixture->view, "time", &time, NULL);
  g_assert_cmpfloat (time, ==, 68.5);
  es_test_sonar_act (fixture, "sonar.cursor-clear", NULL);
  g_assert_true (isnan (es_sonar_view_get_bearing (fixture->view)));
  es_test_sonar_fill (fixture->test, fixture->history, 100, 3);
  g_assert_true (isnan (es_sonar_view_get_bearing (fixture->view)));
}

static void
test_harmonics (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *lofar = es_test_sonar_map (fixture, "lofar");
  double frequency;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 10);
  es_test_sonar_settle (fixture);
  es_test_sonar_act (fixture, "sonar.harmonics", NULL);
  g_object_set (fixture->view, "frequency", 50., NULL);
  es_test_sonar_settle (fixture);
  /* The second line of those in view is the third harmonic: at 180 Hz the fundamental is 60. */
  g_signal_emit_by_name (lofar, "dragged", 1u, es_map_view_column_of (lofar, 180), TRUE);
  g_object_get (fixture->view, "frequency", &frequency, NULL);
  g_assert_cmpfloat_with_epsilon (frequency, 60, 1e-6);
}

static void
test_energy (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "energy");
  EsHeatmap *map = es_map_view_get_map (view);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 5);
  es_test_sonar_settle (fixture);
  g_assert_true (g_str_has_prefix (es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "energy")),
                                   "100 m, 60.0°, margin "));
  /* Nearest below: row 1 is 100 m; the far field is the last. */
  g_assert_cmpuint (loudest (map, 1), ==, 50);
  g_assert_cmpfloat (es_heatmap_get_value (map, 50, 1), >, es_heatmap_get_value (map, 50, 0));
  text = es_sonar_pane_to_text (es_test_sonar_pane (fixture, "energy"), ',');
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 9);
  g_assert_true (g_str_has_prefix (lines[0], "range_m,10,11,"));
  g_assert_true (g_str_has_prefix (lines[1], "50,"));
  g_assert_true (g_str_has_prefix (lines[7], "inf,"));
  g_signal_emit_by_name (view, "picked", 100.5, 3.5, 1u);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 110);
  es_test_sonar_act (fixture, "sonar.plan", NULL);
  es_test_sonar_settle (fixture);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (view)));
}

static void
test_texts (SonarFixture *fixture, gconstpointer size)
{
  static const struct { const char *id, *head; guint lines; } texts[] = {
    { "btr", "time_s\t10\t11\t", 22 }, { "lofar", "time_s\t33.203125\t", 22 }, { "azimuth", NULL, 0 },
    { "fraz", "frequency_hz\t10\t", 461 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    g_assert_null (es_sonar_pane_to_text (es_test_sonar_pane (fixture, texts[i].id), '\t'));
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "fraz"), TRUE);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 20);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = es_sonar_pane_to_text (es_test_sonar_pane (fixture, texts[i].id), '\t');
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

      if (texts[i].head != NULL)
        g_assert_true (g_str_has_prefix (text, texts[i].head));
      if (texts[i].lines > 0)
        g_assert_cmpuint (g_strv_length (lines), ==, texts[i].lines);
    }
}

/* A bearing that rounds to 0 has no sign. */
static void
test_bearing (void)
{
  static const struct { double bearing; const char *text; } cases[] = {
    { -0.04, "0.0°" }, { -0.0, "0.0°" }, { -0.06, "−0.1°" }, { 90, "90.0°" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = es_sonar_format_degrees (cases[i].bearing);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  static const int large[2] = { 2560, 1440 };

  es_views_init (&argc, &argv);
  g_test_add_func ("/sonar/bearing", test_bearing);
  ES_TEST_ADD_SONAR ("/sonar/record", NULL, test_record);
  ES_TEST_ADD_SONAR ("/sonar/follow", NULL, test_follow);
  ES_TEST_ADD_SONAR ("/sonar/zoom", NULL, test_zoom);
  ES_TEST_ADD_SONAR ("/sonar/before", NULL, test_before);
  ES_TEST_ADD_SONAR ("/sonar/cursor", NULL, test_cursor);
  ES_TEST_ADD_SONAR ("/sonar/harmonics", NULL, test_harmonics);
  ES_TEST_ADD_SONAR ("/sonar/energy", NULL, test_energy);
  ES_TEST_ADD_SONAR ("/sonar/texts", NULL, test_texts);
  ES_TEST_ADD_SONAR ("/sonar/look", NULL, test_look);
  if (g_getenv ("ES_SCREENSHOTS") != NULL)
    ES_TEST_ADD_SONAR ("/sonar/look-large", large, test_look);
  return g_test_run ();
}
