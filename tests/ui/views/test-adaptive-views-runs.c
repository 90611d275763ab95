/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar displays of adaptive beams: tracks, what a run found and what a player hears, time, and looks. */

#include "es-test-sonar-view.h"
#include "es-test-views.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "widgets/es-export.h"
#include "job/es-job.h"
#include "charts/es-map-view-private.h"
#include "operations/es-operations.h"

/* ---- tracks ---- */

/* Whether a way goes through there. */
static gboolean
passes (EsMapView *view, double column, double row)
{
  for (guint i = 0; i < view->n_track_points; i++)
    if (fabs (view->track_columns[i] - column) < 1.5 && view->track_rows[i] == row)
      return TRUE;
  return FALSE;
}

static void
test_tracks (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *first = es_test_sonar_map (fixture, "btr"), *second = es_test_sonar_map (fixture, "btr-adaptive");
  guint numbers = 0;

  es_test_sonar_fill_adaptive (fixture, 60);
  g_assert_cmpuint (es_beam_history_get_tracks (fixture->history)->len, >=, 2);
  for (guint k = 0; k < 2; k++)
    {
      EsMapView *view = k == 0 ? first : second;

      /* The one that stays, and the one that goes one degree a second, from their first block on. */
      g_assert_true (passes (view, 47.5, 0.5));
      g_assert_true (passes (view, 47.5, 59.5));
      for (guint second_ = 5; second_ < 60; second_ += 9)
        if (fabs (es_test_sonar_bearing (fixture->test, second_) - 57) > 4)
          g_assert_true (passes (view, es_test_sonar_bearing (fixture->test, second_) - 10 + 0.5, second_ + 0.5));
    }
  for (guint i = 0; i < second->n_track_points; i++)
    numbers += second->track_numbers[i] > 0;
  g_assert_cmpuint (numbers, ==, es_beam_history_get_tracks (fixture->history)->len);

  /* What is heard once more is the same: nothing is drawn twice, and no contact has another number. */
  numbers = es_beam_history_get_tracks_serial (fixture->history);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 30);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (second)), ==, 60);
  g_assert_cmpuint (es_beam_history_get_tracks_serial (fixture->history), ==, numbers);
  g_assert_true (passes (second, es_test_sonar_bearing (fixture->test, 12) - 10 + 0.5, 12.5));
  /* Scrolled away, those in view alone. */
  es_sonar_extent_set_rows (fixture->view->extent, 20, 10);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < second->n_track_points; i++)
    if (!isnan (second->track_rows[i]))
      g_assert_true (second->track_rows[i] > 8 && second->track_rows[i] < 22);
  g_assert_cmpuint (second->n_track_points, >, 10);

  es_test_sonar_act (fixture, "sonar.tracks", NULL);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (first->n_track_points, ==, 0);
  g_assert_cmpuint (second->n_track_points, ==, 0);
}

static void
test_save_tracks (SonarFixture *fixture, gconstpointer size)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "eigenscope-test-tracks.csv", NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gint64 limit = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  guint references;

  g_remove (path);
  es_test_sonar_fill_adaptive (fixture, 20);
  references = G_OBJECT (fixture->view)->ref_count;
  es_export_save_text (GTK_WIDGET (fixture->view), file,
                       es_tracks_to_csv (es_beam_history_get_tracks (fixture->history), NULL));
  /* It holds the view until it is done. */
  while (G_OBJECT (fixture->view)->ref_count > references && g_get_monotonic_time () < limit)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "track,"));
  g_assert_cmpuint (strlen (text), >, 500);
  g_remove (path);
}

/* ---- what a run found, and what a player hears ---- */

static EsParams *
make_params (void)
{
  const EsOperation *operation = es_operation_find ("mvdr", NULL);
  EsParams *params = operation != NULL ? es_params_new (operation->params) : NULL;

  if (params == NULL)
    return NULL;
  es_params_set_text (params, "band", "300:480");
  es_params_set_text (params, "block", "250ms");
  es_params_set_value (params, "sources", 1);
  g_assert_true (es_params_parse (params, "eigenvalues", "yes", NULL));
  return params;
}

static void
test_result (SonarFixture *fixture, gconstpointer size)
{
  static const struct { const char *layer, *pane; EsBeamKind kind; } homes[] = {
    { "btr", "btr", ES_BEAM_CBF }, { "btr-mvdr", "btr-adaptive", ES_BEAM_MVDR },
    { "btr-music", "btr-adaptive", ES_BEAM_MUSIC }, { "fraz-mvdr", "fraz-adaptive", ES_BEAM_MVDR },
    { "band-energy", "azimuth", ES_BEAM_CBF }, { "beam-pattern", "pattern", ES_BEAM_CBF },
    { "eigenvalues", "field", ES_BEAM_CBF },
  };
  g_autoptr (EsParams) params = make_params ();
  g_autoptr (EsJob) job = NULL;
  g_autoptr (EsResult) result = NULL;
  g_autoptr (GError) error = NULL;

  if (params == NULL)
    {
      g_test_skip ("there is no such operation");
      return;
    }
  job = es_job_new (es_operation_find ("mvdr", NULL), ES_DATASET (fixture->recording), params, es_device_get_cpu (),
                    NULL, NULL);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  es_sonar_view_show_result (fixture->view, result);
  es_test_sonar_settle (fixture);
  g_assert_true (es_test_sonar_is_visible (fixture, "btr-adaptive"));
  g_assert_true (es_test_sonar_is_visible (fixture, "pattern"));
  g_assert_true (es_test_sonar_is_visible (fixture, "eigen"));
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (es_test_sonar_map (fixture, "btr-adaptive"))), ==, 16);
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "pattern"), TRUE);
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "eigen"), TRUE);
  es_test_sonar_settle (fixture);
  g_assert_nonnull (es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "pattern")));
  g_assert_nonnull (es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "eigen")));
  es_views_screenshot (fixture->window, "adaptive-result");
  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    {
      EsLayer *layer = es_result_find_layer (result, homes[i].layer);
      EsSonarPane *pane = es_test_sonar_pane (fixture, homes[i].pane);

      g_test_message ("%s", homes[i].layer);
      g_assert_nonnull (layer);
      es_sonar_view_show_layer (fixture->view, layer);
      es_test_sonar_settle (fixture);
      g_assert_true (es_pane_frame_get_in_middle (es_test_sonar_frame (fixture, homes[i].pane)));
      g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (pane)));
      g_assert_cmpint (es_sonar_pane_get_kind (pane), ==, homes[i].kind);
      g_assert_true (es_test_sonar_is_visible (fixture, "field") == g_str_equal (homes[i].pane, "field"));
    }
  es_sonar_view_show_result (fixture->view, NULL);
  es_test_sonar_settle (fixture);
  g_assert_false (es_test_sonar_is_visible (fixture, "btr-adaptive"));
}

static void
test_player (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsParams) params = make_params ();
  EsHeatmap *map = es_map_view_get_map (es_test_sonar_map (fixture, "btr-adaptive"));
  gint64 limit = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

  if (params == NULL)
    {
      g_test_skip ("there is no such operation");
      return;
    }
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "pattern"), TRUE);
  es_player_set_params (fixture->player, es_operation_find ("mvdr", NULL), params, NULL);
  es_player_set_speed (fixture->player, ES_PLAYER_FASTEST);
  es_player_set_loop (fixture->player, TRUE);
  es_player_play (fixture->player);
  while ((es_heatmap_get_end (map) < 16 || isnan (es_heatmap_get_value (map, 0, 15))
          || es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "pattern")) == NULL)
         && g_get_monotonic_time () < limit)
    es_test_sonar_settle (fixture);
  es_player_pause (fixture->player);
  g_assert_cmpstr (es_player_get_failure (fixture->player), ==, NULL);
  g_assert_cmpuint (es_heatmap_get_end (map), ==, 16);
  g_assert_nonnull (es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "pattern")));
  g_assert_nonnull (es_beam_history_get_probe (fixture->history));

  /* Paused, another bearing is looked at: the pattern follows, of the beam that is nearest to it. */
  es_sonar_view_set_bearing (fixture->view, 120);
  const double bearing = es_sonar_view_get_bearing (fixture->view);
  g_autofree char *told = g_strdup_printf ("%.1f°", bearing);

  g_assert_cmpfloat_with_epsilon (bearing, 120, 1);
  while (es_beam_history_get_probe (fixture->history)->bearing != bearing && g_get_monotonic_time () < limit)
    es_test_sonar_settle (fixture);
  g_assert_cmpfloat (es_beam_history_get_probe (fixture->history)->bearing, ==, bearing);
  es_test_sonar_settle (fixture);
  g_assert_true (g_str_has_prefix (es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "pattern")), told));
}

/* ---- time, and looks ---- */

/* Adaptive blocks as fast as frames, with everything unfolded. */
static void
test_fastest (SonarFixture *fixture, gconstpointer size)
{
  static const char *const folded[] = { "fraz", "fraz-adaptive", "eigen", "pattern" };
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) es_beam_block_unref);
  GdkFrameClock *clock = gtk_widget_get_frame_clock (fixture->window);
  EsTestFrames frames;

  es_test_sonar_fill_adaptive (fixture, 3);
  for (guint i = 0; i < 60; i++)
    g_ptr_array_add (blocks, es_test_sonar_make (fixture->test, i + 3));
  for (guint i = 0; i < G_N_ELEMENTS (folded); i++)
    es_pane_frame_set_expanded (es_test_sonar_frame (fixture, folded[i]), TRUE);
  es_test_sonar_settle (fixture);
  es_test_frames_begin (fixture, &frames);
  for (guint i = 0; i < blocks->len; i++)
    {
      gint64 counter = gdk_frame_clock_get_frame_counter (clock);

      es_beam_history_append (fixture->history, g_ptr_array_index (blocks, i));
      while (gdk_frame_clock_get_frame_counter (clock) == counter)
        g_main_context_iteration (NULL, TRUE);
    }
  es_test_frames_end (fixture, &frames, "an adaptive block a frame");
  g_ptr_array_unref (blocks);
}

static void
test_look (SonarFixture *fixture, gconstpointer size)
{
  static const char *const folded[] = { "fraz", "fraz-adaptive", "eigen", "pattern" };

  es_test_sonar_fill_adaptive (fixture, 110);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "adaptive-large" : "adaptive");
  for (guint i = 0; i < G_N_ELEMENTS (folded); i++)
    es_pane_frame_set_expanded (es_test_sonar_frame (fixture, folded[i]), TRUE);
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "energy"), FALSE);
  if (size == NULL)
    es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "azimuth"), FALSE);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "adaptive-open-large" : "adaptive-open");
}

int
main (int argc, char **argv)
{
  static const int large[2] = { 2560, 1440 };

  es_views_init (&argc, &argv);
  ES_TEST_ADD_SONAR ("/adaptive/tracks", NULL, test_tracks);
  ES_TEST_ADD_SONAR ("/adaptive/save-tracks", NULL, test_save_tracks);
  ES_TEST_ADD_SONAR ("/adaptive/result", NULL, test_result);
  ES_TEST_ADD_SONAR ("/adaptive/player", NULL, test_player);
  ES_TEST_ADD_SONAR ("/adaptive/fastest", NULL, test_fastest);
  ES_TEST_ADD_SONAR ("/adaptive/look", NULL, test_look);
  if (g_getenv ("ES_SCREENSHOTS") != NULL)
    ES_TEST_ADD_SONAR ("/adaptive/look-large", large, test_look);
  return g_test_run ();
}
