/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar displays: a history filled by hand, in a real window. */

#include "es-test-sonar-view.h"
#include "es-test-views.h"

#include <math.h>
#include <string.h>

#include "sonar/panes/es-btr-pane.h"
#include "sonar/panes/es-demon-pane.h"
#include "sonar/panes/es-element-pane.h"
#include "job/es-job.h"
#include "layer/es-layer-internal.h"
#include "sonar/panes/es-lofar-pane.h"
#include "charts/es-map-view.h"

#define ADD_SONAR(path, size, function) \
  g_test_add (path, SonarFixture, size, es_test_sonar_set_up, function, es_test_sonar_tear_down)

static EsSonarPane *
pane_of (SonarFixture *fixture, const char *id)
{
  EsPaneFrame *frame = _es_sonar_view_find_frame (fixture->view, id);

  g_assert_nonnull (frame);
  return es_pane_frame_get_pane (frame);
}

static EsMapView *
map_of (SonarFixture *fixture, const char *id)
{
  return ES_MAP_VIEW (es_views_find (GTK_WIDGET (pane_of (fixture, id)), ES_TYPE_MAP_VIEW));
}

static EsPaneFrame *
frame_of (SonarFixture *fixture, const char *id)
{
  return _es_sonar_view_find_frame (fixture->view, id);
}

static void
act (SonarFixture *fixture, const char *action, GVariant *target)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->view), action, target));
}

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
    es_pane_frame_set_expanded (frame_of (fixture, folded[i]), TRUE);
  act (fixture, "sonar.plan", NULL);
  act (fixture, "sonar.harmonics", NULL);
  g_object_set (fixture->view, "frequency", 60., "time", 2., NULL);
  es_test_sonar_settle (fixture);
  while (es_demon_pane_is_busy (ES_DEMON_PANE (pane_of (fixture, "demon")))
         || es_element_pane_is_busy (ES_ELEMENT_PANE (pane_of (fixture, "element"))))
    g_main_context_iteration (NULL, TRUE);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "sonar-open-large" : "sonar-open");
  es_pane_frame_set_expanded (frame_of (fixture, "energy"), FALSE);
  es_pane_frame_set_expanded (frame_of (fixture, "azimuth"), FALSE);
  es_pane_frame_set_expanded (frame_of (fixture, "fraz"), FALSE);
  act (fixture, "sonar.normaliser", g_variant_new_string ("split-window"));
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
  g_autoptr (GdkTexture) texture = es_widget_render (GTK_WIDGET (view), 1);
  int width = gdk_texture_get_width (texture), height = gdk_texture_get_height (texture);
  g_autofree guint32 *pixels = g_new (guint32, (gsize) width * height);
  double found_column, found_row;
  graphene_rect_t area;
  int x;

  gdk_texture_download (texture, (guchar *) pixels, 4 * (gsize) width);
  g_assert_true (es_map_view_get_area (view, &area));
  x = (int) (area.origin.x + column / es_heatmap_get_n_columns (es_map_view_get_map (view)) * area.size.width);
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
  EsMapView *view = map_of (fixture, "btr");
  EsHeatmap *map = es_map_view_get_map (view);

  es_test_sonar_fill (fixture->test, fixture->history, 0, 60);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (map), ==, 60);
  for (guint second = 0; second < 60; second++)
    {
      const float *powers = es_beam_history_get_row (fixture->history, 59 - second);
      guint column = loudest (map, second);

      g_assert_cmpfloat_with_epsilon (10. + column, es_test_sonar_bearing (fixture->test, second), 0.51);
      g_assert_cmpfloat_with_epsilon (es_heatmap_get_value (map, column, second), 10 * log10 (powers[column]), 1e-3);
    }
  /* Zoomed in, a value is a square on the screen: newest above, where nothing is drawn over it. */
  es_sonar_display_set_tracks (fixture->view->display, FALSE);
  es_sonar_display_set_view (fixture->view->display, 60, 20);
  es_test_sonar_settle (fixture);
  for (guint second = 42; second < 58; second += 5)
    for (guint column = 24; column < 150; column += 41)      /* beside the cursor */
      g_assert_cmphex (pixel_at (view, column + 0.5, second + 0.5), ==, color_of (map, column, second));
  /* Another range is other colours of the same values. */
  act (fixture, "sonar.dynamic-range", g_variant_new_double (10));
  act (fixture, "sonar.colormap", g_variant_new_string ("magma"));
  es_test_sonar_settle (fixture);
  g_assert_cmpint (es_heatmap_get_colormap (map), ==, ES_COLORMAP_MAGMA);
  g_assert_cmphex (pixel_at (view, 47.5, 50.5), ==, color_of (map, 47, 50));
}

/* The newest stays in view until somebody scrolls away from it. */
static void
test_follow (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = map_of (fixture, "btr");
  EsSonarDisplay *display = fixture->view->display;
  gboolean follow;
  double top, span, later;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 500);
  es_test_sonar_settle (fixture);
  es_sonar_display_get_view (display, &top, &span);
  g_assert_cmpfloat (top, ==, 500);
  g_signal_emit_by_name (view, "scrolled", 0.5);
  g_object_get (fixture->view, "follow", &follow, NULL);
  g_assert_false (follow);
  es_sonar_display_get_view (display, &top, &span);
  g_assert_cmpfloat (top, <, 500);
  es_test_sonar_fill (fixture->test, fixture->history, 500, 20);
  es_test_sonar_settle (fixture);
  es_sonar_display_get_view (display, &later, &span);
  g_assert_cmpfloat (later, ==, top);
  /* Home. */
  g_signal_emit_by_name (view, "jumped", -1);
  es_sonar_display_get_view (display, &top, &span);
  g_assert_cmpfloat (top, ==, 520);
  g_assert_true (es_sonar_display_get_follow (display));
  /* End: the oldest row; it comes into view. */
  g_signal_emit_by_name (view, "jumped", 1);
  es_sonar_display_get_view (display, &top, &span);
  g_assert_cmpfloat (top - span, <=, 0);
  g_assert_cmpfloat (es_sonar_display_get_time (display), ==, 0);
  /* Zoom keeps the row under the pointer. */
  es_sonar_display_set_view (display, 400, 200);
  g_signal_emit_by_name (view, "zoomed", 0.5, 300.);
  es_sonar_display_get_view (display, &top, &span);
  g_assert_cmpfloat (span, ==, 100);
  g_assert_cmpfloat (top, ==, 350);
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
  EsMapView *btr = map_of (fixture, "btr"), *lofar = map_of (fixture, "lofar");
  EsHeatmap *lines = es_map_view_get_map (lofar);
  g_autofree char *status = NULL;
  double seek = NAN, time;

  g_signal_connect (fixture->view, "seek", G_CALLBACK (on_seek), &seek);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 100);
  es_test_sonar_settle (fixture);
  /* Before anybody points anywhere: the loudest beam of the first row. */
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 30);

  /* While it follows a click chooses the beam only; a double click asks to go there. */
  g_signal_emit_by_name (btr, "picked", 47.6, 80.5, 1u);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 57);
  g_object_get (fixture->view, "time", &time, NULL);
  g_assert_true (isnan (time));
  g_signal_emit_by_name (btr, "picked", 47.6, 80.5, 2u);
  g_assert_cmpfloat (seek, ==, 80);
  es_test_sonar_settle (fixture);
  g_assert_cmpstr (es_sonar_pane_get_detail (pane_of (fixture, "lofar")), ==, "57.0°");
  g_assert_cmpuint (es_heatmap_get_end (lines), ==, 100);

  /* The moving source's tones are in its beam only while it is there. */
  g_object_set (fixture->view, "bearing", es_test_sonar_bearing (fixture->test, 40), NULL);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint ((guint) round (es_map_view_value_of (lofar, loudest (lines, 40) + 0.5) / 59.57), >=, 1);
  g_assert_cmpuint ((loudest (lines, 40) + 34) % 61, ==, 0);
  g_assert_cmpfloat (es_heatmap_get_value (lines, 61 - 34, 40), >, es_heatmap_get_value (lines, 61 - 34, 80) + 10);

  /* Not following, it is the moment too. */
  es_sonar_display_set_view (fixture->view->display, 90, 50);
  g_signal_emit_by_name (btr, "picked", 20.2, 70.5, 1u);
  g_object_get (fixture->view, "time", &time, NULL);
  g_assert_cmpfloat (time, ==, 70);
  es_test_sonar_settle (fixture);
  status = get_status (fixture);
  g_test_message ("%s", status);
  g_assert_true (g_str_has_prefix (status, "00:01:10.0"));
  g_assert_nonnull (strstr (status, "30.0° (mirror 330.0°)"));
  g_assert_nonnull (strstr (status, "dB re 1 µPa²"));

  /* Arrows. */
  g_signal_emit_by_name (btr, "stepped", 1, 2);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 31);
  g_object_get (fixture->view, "time", &time, NULL);
  g_assert_cmpfloat (time, ==, 68);
  act (fixture, "sonar.cursor-clear", NULL);
  g_assert_true (isnan (es_sonar_view_get_bearing (fixture->view)));
  es_test_sonar_fill (fixture->test, fixture->history, 100, 3);
  g_assert_true (isnan (es_sonar_view_get_bearing (fixture->view)));
}

static void
test_harmonics (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *lofar = map_of (fixture, "lofar");
  double frequency;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 10);
  es_test_sonar_settle (fixture);
  act (fixture, "sonar.harmonics", NULL);
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
  EsMapView *view = map_of (fixture, "energy");
  EsHeatmap *map = es_map_view_get_map (view);
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 5);
  es_test_sonar_settle (fixture);
  g_assert_true (g_str_has_prefix (es_sonar_pane_get_detail (pane_of (fixture, "energy")), "100 m, 60.0°, margin "));
  /* Nearest below: row 1 is 100 m; the far field is the last. */
  g_assert_cmpuint (loudest (map, 1), ==, 50);
  g_assert_cmpfloat (es_heatmap_get_value (map, 50, 1), >, es_heatmap_get_value (map, 50, 0));
  text = es_sonar_pane_to_text (pane_of (fixture, "energy"), ',');
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 9);
  g_assert_true (g_str_has_prefix (lines[0], "range_m,10,11,"));
  g_assert_true (g_str_has_prefix (lines[1], "50,"));
  g_assert_true (g_str_has_prefix (lines[7], "far,"));
  g_signal_emit_by_name (view, "picked", 100.5, 3.5, 1u);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 110);
  act (fixture, "sonar.plan", NULL);
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
    g_assert_null (es_sonar_pane_to_text (pane_of (fixture, texts[i].id), '\t'));
  es_pane_frame_set_expanded (frame_of (fixture, "fraz"), TRUE);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 20);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *text = es_sonar_pane_to_text (pane_of (fixture, texts[i].id), '\t');
      g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

      if (texts[i].head != NULL)
        g_assert_true (g_str_has_prefix (text, texts[i].head));
      if (texts[i].lines > 0)
        g_assert_cmpuint (g_strv_length (lines), ==, texts[i].lines);
    }
}

/* ---- places ---- */

static void
test_places (SonarFixture *fixture, gconstpointer size)
{
  EsSonarView *view = fixture->view;
  EsPaneFrame *btr = frame_of (fixture, "btr"), *energy = frame_of (fixture, "energy");
  EsPaneFrame *lofar = frame_of (fixture, "lofar");

  es_test_sonar_fill (fixture->test, fixture->history, 0, 30);
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (btr));
  g_signal_emit_by_name (energy, "swap");
  g_assert_true (es_pane_frame_get_in_middle (energy));
  g_assert_false (es_pane_frame_get_in_middle (btr));
  g_assert_true (gtk_widget_is_ancestor (GTK_WIDGET (btr), es_sonar_view_get_inspector (view)));
  g_assert_true (gtk_widget_is_ancestor (GTK_WIDGET (energy), GTK_WIDGET (view)));
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, "sonar-swapped");
  g_signal_emit_by_name (energy, "maximise");
  es_test_sonar_settle (fixture);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (lofar)));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (energy)));
  g_signal_emit_by_name (energy, "maximise");
  es_test_sonar_settle (fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (lofar)));
  /* As with Esc. */
  act (fixture, "sonar.restore", NULL);
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (btr));
  g_assert_true (gtk_widget_is_ancestor (GTK_WIDGET (energy), es_sonar_view_get_inspector (view)));
  g_assert_null (gtk_widget_get_prev_sibling (GTK_WIDGET (energy)));
  /* What cannot be seen is brought up to date when it can. */
  es_pane_frame_set_expanded (energy, FALSE);
  es_test_sonar_fill (fixture->test, fixture->history, 30, 5);
  es_test_sonar_settle (fixture);
  es_pane_frame_set_expanded (energy, TRUE);
  es_test_sonar_settle (fixture);
  g_assert_false (es_sonar_pane_is_stale (es_pane_frame_get_pane (energy)));
}

static void
test_element (SonarFixture *fixture, gconstpointer size)
{
  EsElementPane *pane = ES_ELEMENT_PANE (pane_of (fixture, "element"));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  double best = -INFINITY, frequency = 0;

  es_pane_frame_set_expanded (frame_of (fixture, "element"), TRUE);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 3);
  es_test_sonar_settle (fixture);
  es_element_pane_set_element (pane, 7);
  while (es_element_pane_is_busy (pane))
    g_main_context_iteration (NULL, TRUE);
  text = es_plot_to_text (es_element_pane_get_spectrum (pane));
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      double x = g_ascii_strtod (lines[i], NULL), y = g_ascii_strtod (strchr (lines[i], '\t') + 1, NULL);

      if (y > best)
        {
          best = y;
          frequency = x;
        }
    }
  /* Its tone. */
  g_assert_cmpfloat_with_epsilon (frequency, 1070, 2);
}

/* ---- what a run found, and what a player hears ---- */

static EsParams *
make_params (void)
{
  EsParams *params = es_params_new (es_operation_find ("cbf", NULL)->params);

  es_params_set_text (params, "band", "300:480");
  es_params_set_text (params, "ranges", "far,50,200");
  es_params_set_text (params, "block", "250ms");
  return params;
}

static void
test_result (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsParams) params = make_params ();
  g_autoptr (EsJob) job = es_job_new (es_operation_find ("cbf", NULL), ES_DATASET (fixture->recording), params,
                                      es_device_get_cpu (), NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) result = es_job_run (job, &error);
  GListModel *layers;
  guint n_shown = 0;

  g_assert_no_error (error);
  es_sonar_view_show_result (fixture->view, result);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (map_of (fixture, "btr"))), ==, 16);
  g_assert_cmpuint (es_heatmap_get_n_columns (es_map_view_get_map (map_of (fixture, "lofar"))), >, 10);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (map_of (fixture, "energy"))), ==, 3);
  g_assert_nonnull (es_sonar_pane_get_detail (pane_of (fixture, "energy")));
  es_views_screenshot (fixture->window, "sonar-result");

  layers = es_result_get_layers (result);
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      es_sonar_view_show_layer (fixture->view, layer);
      es_test_sonar_settle (fixture);
      if (!ES_IS_FIELD (layer))
        continue;
      n_shown++;
      /* Each has its own display here. */
      g_assert_false (gtk_widget_get_visible (GTK_WIDGET (frame_of (fixture, "field"))));
      if (g_strcmp0 (es_field_get_role (ES_FIELD (layer)), "energy-field") == 0)
        g_assert_true (es_pane_frame_get_in_middle (frame_of (fixture, "energy")));
    }
  g_assert_cmpuint (n_shown, >=, 3);
  es_sonar_view_show_layer (fixture->view, NULL);
  g_assert_true (es_pane_frame_get_in_middle (frame_of (fixture, "btr")));
  es_sonar_view_show_result (fixture->view, NULL);
  g_assert_true (es_sonar_view_get_history (fixture->view) == fixture->history);
}

/* What a result without bearings cannot fill is not there; all of it is there again for the player. */
static void
test_without_bearings (SonarFixture *fixture, gconstpointer size)
{
  static const char *const hidden[] = { "btr", "lofar", "energy", "azimuth", "fraz", "demon" };
  g_autoptr (EsParams) params = es_params_new (es_operation_find ("lofar", NULL)->params);
  g_autoptr (EsJob) job = NULL;
  g_autoptr (EsResult) result = NULL;
  g_autoptr (EsLayer) layer = NULL;
  g_autoptr (GError) error = NULL;

  es_params_set_text (params, "bearing", "90");
  job = es_job_new (es_operation_find ("lofar", NULL), ES_DATASET (fixture->recording), params, es_device_get_cpu (),
                    NULL, NULL);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  layer = g_list_model_get_item (es_result_get_layers (result), 0);
  g_assert_true (ES_IS_FIELD (layer));
  es_sonar_view_show_result (fixture->view, result);
  es_sonar_view_show_layer (fixture->view, layer);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    g_assert_false (gtk_widget_get_visible (GTK_WIDGET (frame_of (fixture, hidden[i]))));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (frame_of (fixture, "field"))));
  g_assert_true (es_pane_frame_get_in_middle (frame_of (fixture, "field")));
  g_assert_cmpstr (es_sonar_pane_get_title (pane_of (fixture, "field")), ==, es_layer_get_title (layer));

  es_sonar_view_show_result (fixture->view, NULL);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    g_assert_true (gtk_widget_get_visible (GTK_WIDGET (frame_of (fixture, hidden[i]))));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (frame_of (fixture, "field"))));
  g_assert_true (es_pane_frame_get_in_middle (frame_of (fixture, "btr")));
}

/* A field that no display is for. */
static void
test_field (SonarFixture *fixture, gconstpointer size)
{
  double x[5] = { 0, 1, 2, 3, 4 }, y[3] = { 10, 20, 30 };
  const EsAxis rows = { (char *) "y", (char *) "m", 3, y }, columns = { (char *) "x", (char *) "m", 5, x };
  g_autoptr (EsField) field = es_field_new ("volume", "Volume", ES_LAYER_FIELD, "volume", &rows, &columns, 0, NULL);
  EsHeatmap *map = es_map_view_get_map (map_of (fixture, "field"));
  float *values = es_field_get_writable (field);

  for (guint i = 0; i < 15; i++)
    values[i] = (float) pow (10, i / 10.);
  es_field_set_reference (field, "1 µPa²", NULL);
  es_sonar_view_show_layer (fixture->view, ES_LAYER (field));
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (frame_of (fixture, "field")));
  g_assert_cmpfloat_with_epsilon (es_heatmap_get_value (map, 2, 1), 7, 1e-4);
  es_views_screenshot (fixture->window, "sonar-field");
  es_sonar_view_show_layer (fixture->view, NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (frame_of (fixture, "field"))));
}

static void
test_player (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsParams) params = make_params ();
  EsHeatmap *map = es_map_view_get_map (map_of (fixture, "btr"));
  gint64 limit = g_get_monotonic_time () + 15 * G_USEC_PER_SEC;

  es_player_set_params (fixture->player, params, NULL);
  es_player_set_speed (fixture->player, ES_PLAYER_FASTEST);
  es_player_set_loop (fixture->player, TRUE);
  es_player_play (fixture->player);
  while (es_heatmap_get_end (map) < 40 && g_get_monotonic_time () < limit)
    es_test_sonar_settle (fixture);
  es_player_pause (fixture->player);
  g_assert_null (es_player_get_failure (fixture->player));
  g_assert_cmpuint (es_heatmap_get_end (map), >=, 40);
  g_assert_false (isnan (es_sonar_view_get_bearing (fixture->view)));
}

/* ---- time ---- */

/* A day of seconds: it is filled, scrolled and zoomed without a frame that waits for it. */
static void
test_day (SonarFixture *fixture, gconstpointer size)
{
  enum { DAY = 86400 };
  EsHeatmap *map = es_map_view_get_map (map_of (fixture, "btr"));
  g_autoptr (EsBeamBlock) template = es_test_sonar_make (fixture->test, 0);
  EsTestFrames frames;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 200);
  /* A record that is there when it is shown: the view looks at it only now. */
  es_sonar_view_set_player (fixture->view, NULL);
  es_test_sonar_strip (template);
  for (guint i = 200; i < DAY; i++)
    es_beam_history_append (fixture->history, template);
  es_test_frames_begin (fixture, &frames);
  es_sonar_view_set_player (fixture->view, fixture->player);
  es_test_sonar_settle (fixture);
  es_test_frames_end (fixture, &frames, "filling a day");
  g_assert_cmpuint (es_heatmap_get_end (map), ==, DAY);
  g_assert_false (isnan (es_heatmap_get_value (map, 0, 0)));

  es_test_frames_begin (fixture, &frames);
  for (guint i = 0; i < 40; i++)
    {
      g_signal_emit_by_name (map_of (fixture, "btr"), "scrolled", i < 10 ? 0.3 : 3.7);
      if (i >= 20)
        es_sonar_display_set_view (fixture->view->display, DAY, DAY / pow (1.2, i - 20));
      es_test_sonar_settle (fixture);
    }
  es_test_frames_end (fixture, &frames, "scrolling and zooming a day");
  /* All of it in one view: the first rows are still seen at the bottom. */
  es_sonar_display_set_view (fixture->view->display, DAY, DAY);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, "sonar-day");
}

/* A block a frame and more, with everything unfolded. */
static void
test_fastest (SonarFixture *fixture, gconstpointer size)
{
  static const char *const folded[] = { "fraz", "demon", "element" };
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (fixture->window);
  guint next = 0;
  EsTestFrames frames;

  for (guint i = 0; i < 120; i++)
    g_ptr_array_add (blocks, es_test_sonar_make (fixture->test, i));
  for (guint i = 0; i < G_N_ELEMENTS (folded); i++)
    es_pane_frame_set_expanded (frame_of (fixture, folded[i]), TRUE);
  es_test_sonar_settle (fixture);
  es_test_frames_begin (fixture, &frames);
  for (guint frame = 0; frame < 120; frame++)
    {
      gint64 counter = gdk_frame_clock_get_frame_counter (clock);

      for (guint i = 0; i < 3; i++)
        es_beam_history_append (fixture->history, g_ptr_array_index (blocks, next++ % blocks->len));
      while (gdk_frame_clock_get_frame_counter (clock) == counter)
        g_main_context_iteration (NULL, TRUE);
    }
  es_test_frames_end (fixture, &frames, "three blocks a frame");
  g_ptr_array_unref (blocks);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (map_of (fixture, "btr"))), ==, 360);
}

int
main (int argc, char **argv)
{
  static const int large[2] = { 2560, 1440 };

  es_views_init (&argc, &argv);
  ADD_SONAR ("/sonar/record", NULL, test_record);
  ADD_SONAR ("/sonar/follow", NULL, test_follow);
  ADD_SONAR ("/sonar/cursor", NULL, test_cursor);
  ADD_SONAR ("/sonar/harmonics", NULL, test_harmonics);
  ADD_SONAR ("/sonar/energy", NULL, test_energy);
  ADD_SONAR ("/sonar/texts", NULL, test_texts);
  ADD_SONAR ("/sonar/places", NULL, test_places);
  ADD_SONAR ("/sonar/element", NULL, test_element);
  ADD_SONAR ("/sonar/result", NULL, test_result);
  ADD_SONAR ("/sonar/without-bearings", NULL, test_without_bearings);
  ADD_SONAR ("/sonar/field", NULL, test_field);
  ADD_SONAR ("/sonar/player", NULL, test_player);
  ADD_SONAR ("/sonar/day", NULL, test_day);
  ADD_SONAR ("/sonar/fastest", NULL, test_fastest);
  ADD_SONAR ("/sonar/look", NULL, test_look);
  if (g_getenv ("ES_SCREENSHOTS") != NULL)
    ADD_SONAR ("/sonar/look-large", large, test_look);
  return g_test_run ();
}
