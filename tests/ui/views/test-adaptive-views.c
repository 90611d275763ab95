/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar displays of adaptive beams: a history filled by hand, in a real window. */

#include "es-test-sonar-view.h"
#include "es-test-views.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "sonar/panes/es-azimuth-pane.h"
#include "beam/es-beam-block-private.h"
#include "sonar/panes/es-demon-pane.h"
#include "sonar/panes/es-element-pane.h"
#include "widgets/es-export.h"
#include "job/es-job.h"
#include "sonar/panes/es-kind-chooser.h"
#include "charts/es-map-view-private.h"
#include "charts/es-plot-view.h"

#define ADD_SONAR(path, size, function) \
  g_test_add (path, SonarFixture, size, es_test_sonar_set_up, function, es_test_sonar_tear_down)

static EsPaneFrame *
frame_of (SonarFixture *fixture, const char *id)
{
  EsPaneFrame *frame = _es_sonar_view_find_frame (fixture->view, id);

  g_assert_nonnull (frame);
  return frame;
}

static EsSonarPane *
pane_of (SonarFixture *fixture, const char *id)
{
  return es_pane_frame_get_pane (frame_of (fixture, id));
}

static EsMapView *
map_of (SonarFixture *fixture, const char *id)
{
  return ES_MAP_VIEW (es_views_find (GTK_WIDGET (pane_of (fixture, id)), ES_TYPE_MAP_VIEW));
}

static EsPlot *
plot_of (SonarFixture *fixture, const char *id)
{
  return es_plot_view_get_plot (ES_PLOT_VIEW (es_views_find (GTK_WIDGET (pane_of (fixture, id)), ES_TYPE_PLOT_VIEW)));
}

static gboolean
is_visible (SonarFixture *fixture, const char *id)
{
  return gtk_widget_get_visible (GTK_WIDGET (frame_of (fixture, id)));
}

static void
act (SonarFixture *fixture, const char *action, GVariant *target)
{
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture->view), action, target));
}

/* An adaptive record of n seconds. */
static void
fill (SonarFixture *fixture, guint n)
{
  es_test_sonar_adapt (fixture->test, TRUE);
  es_test_sonar_fill (fixture->test, fixture->history, 0, n);
  es_test_sonar_settle (fixture);
}

/* Which labels can be seen somewhere below a widget, one a line. */
static void
list_labels (GtkWidget *widget, GString *text)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_visible (widget))
    g_string_append_printf (text, "%s\n", gtk_label_get_text (GTK_LABEL (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    list_labels (child, text);
}

/* ---- azimuth ---- */

static void
test_azimuth (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = pane_of (fixture, "azimuth");
  GtkWidget *toggles = es_azimuth_pane_get_toggles (ES_AZIMUTH_PANE (pane)), *mvdr;
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *text = NULL, *first = NULL;
  g_auto (GStrv) lines = NULL;

  /* One kind: nothing to choose. */
  es_test_sonar_fill (fixture->test, fixture->history, 0, 3);
  es_test_sonar_settle (fixture);
  g_assert_false (gtk_widget_get_visible (toggles));
  g_assert_null (es_sonar_pane_get_detail (pane));

  fill (fixture, 41);
  g_assert_true (gtk_widget_get_visible (toggles));
  /* 30 + 40 = 70 degrees and 57: both of them, and no side lobe. */
  g_assert_cmpstr (es_sonar_pane_get_detail (pane), ==, "MVDR: 2 arrivals");
  list_labels (GTK_WIDGET (pane), list);
  g_assert_nonnull (strstr (list->str, "Mirror\n"));
  g_assert_nonnull (strstr (list->str, "\n70.0°\n290.0°\n"));
  g_assert_nonnull (strstr (list->str, "\n57.0°\n303.0°\n"));

  text = es_sonar_pane_to_text (pane, ',');
  lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 162);
  g_assert_cmpstr (lines[0], ==, "bearing_deg,cbf_db,mvdr_db,music_db");
  first = g_strdup_printf ("70,%.9g,%.9g,", 10 * log10 (es_beam_history_get_row (fixture->history, 0)[60]),
                           10 * log10 (es_beam_history_get_row_of (fixture->history, ES_BEAM_MVDR, 0)[60]));
  g_assert_true (g_str_has_prefix (lines[61], first));

  /* Without the curve of MVDR the list is that of CBF, whose side lobes are in it. */
  mvdr = gtk_widget_get_next_sibling (gtk_widget_get_first_child (toggles));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (mvdr), FALSE);
  es_test_sonar_settle (fixture);
  g_assert_true (g_str_has_prefix (es_sonar_pane_get_detail (pane), "CBF: "));
  g_assert_cmpstr (es_sonar_pane_get_detail (pane), !=, "CBF: 2 arrivals");
  /* One of them stays. */
  for (GtkWidget *toggle = gtk_widget_get_first_child (toggles); toggle != NULL;
       toggle = gtk_widget_get_next_sibling (toggle))
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggle), FALSE);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (gtk_widget_get_last_child (toggles))));
  es_test_sonar_settle (fixture);
  g_assert_cmpstr (es_sonar_pane_get_detail (pane), ==, "MUSIC: 2 arrivals");
}

/* ---- pairs ---- */

static double
value_of (SonarFixture *fixture, const char *id, guint column, guint64 row)
{
  return es_heatmap_get_value (es_map_view_get_map (map_of (fixture, id)), column, row);
}

static void
test_pairs (SonarFixture *fixture, gconstpointer size)
{
  static const char *const adaptive[] = { "btr-adaptive", "fraz-adaptive", "eigen", "pattern" };
  const float *rows[2];
  graphene_rect_t first, second;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 5);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (adaptive); i++)
    g_assert_false (is_visible (fixture, adaptive[i]));
  g_assert_false (gtk_widget_get_visible (fixture->view->beside));

  fill (fixture, 30);
  for (guint i = 0; i < G_N_ELEMENTS (adaptive); i++)
    g_assert_true (is_visible (fixture, adaptive[i]));
  g_assert_true (gtk_widget_get_visible (fixture->view->beside));
  /* Side by side, as wide as each other. */
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (frame_of (fixture, "btr")), fixture->window, &first));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (frame_of (fixture, "btr-adaptive")), fixture->window, &second));
  g_assert_cmpfloat (first.origin.y, ==, second.origin.y);
  g_assert_cmpfloat (second.origin.x, >=, first.origin.x + first.size.width);
  g_assert_cmpfloat_with_epsilon (first.size.width, second.size.width, 0.15 * first.size.width);

  for (guint kind = 0; kind < 2; kind++)
    rows[kind] = es_beam_history_get_row_of (fixture->history, kind, 0);
  for (guint column = 3; column < 160; column += 31)
    {
      g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr", column, 29), 10 * log10 (rows[0][column]), 1e-3);
      g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr-adaptive", column, 29), 10 * log10 (rows[1][column]),
                                      1e-3);
    }

  /* One cursor. */
  g_signal_emit_by_name (map_of (fixture, "btr-adaptive"), "picked", 47.6, 20.5, 1u);
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 57);
  g_assert_cmpfloat_with_epsilon (map_of (fixture, "btr")->cursor_column, 47.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (map_of (fixture, "btr-adaptive")->cursor_column, 47.5, 1e-9);

  /* Put away, and back. */
  act (fixture, "sonar.beside", NULL);
  es_test_sonar_settle (fixture);
  g_assert_false (is_visible (fixture, "btr-adaptive"));
  g_assert_false (is_visible (fixture, "fraz-adaptive"));
  g_assert_true (is_visible (fixture, "eigen"));
  act (fixture, "sonar.beside", NULL);
  g_assert_true (is_visible (fixture, "btr-adaptive"));

  /* Conventional beams again. */
  fixture->test->settings->adaptive.on = FALSE;
  es_beam_history_clear (fixture->history);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (adaptive); i++)
    g_assert_false (is_visible (fixture, adaptive[i]));
}

/* The two of a pair change places with the other pair together, and come back in order. */
static void
test_places (SonarFixture *fixture, gconstpointer size)
{
  EsPaneFrame *btr = frame_of (fixture, "btr"), *beside = frame_of (fixture, "btr-adaptive");
  EsPaneFrame *fraz = frame_of (fixture, "fraz"), *other = frame_of (fixture, "fraz-adaptive");
  EsPaneFrame *energy = frame_of (fixture, "energy");

  fill (fixture, 12);
  g_signal_emit_by_name (other, "swap");
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (fraz) && es_pane_frame_get_in_middle (other));
  g_assert_false (es_pane_frame_get_in_middle (btr) || es_pane_frame_get_in_middle (beside));
  g_assert_true (gtk_widget_get_next_sibling (GTK_WIDGET (btr)) == GTK_WIDGET (beside));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (other)));
  es_views_screenshot (fixture->window, "adaptive-fraz");

  /* A single one stands alone. */
  g_signal_emit_by_name (energy, "swap");
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (energy));
  g_assert_false (es_pane_frame_get_in_middle (fraz) || es_pane_frame_get_in_middle (other));
  g_assert_null (fixture->view->middle[ES_SONAR_BESIDE]);

  act (fixture, "sonar.restore", NULL);
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (btr) && es_pane_frame_get_in_middle (beside));
  g_assert_true (gtk_widget_get_next_sibling (GTK_WIDGET (fraz)) == GTK_WIDGET (other));
  g_assert_true (gtk_widget_get_first_child (fixture->view->column) == GTK_WIDGET (energy));

  /* One of two fills the middle alone. */
  g_signal_emit_by_name (beside, "maximise");
  es_test_sonar_settle (fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (beside)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (btr)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (frame_of (fixture, "lofar"))));
  /* Its beams go: the middle is not left empty. */
  fixture->test->settings->adaptive.on = FALSE;
  es_beam_history_clear (fixture->history);
  es_test_sonar_settle (fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (btr)));
}

static void
test_chooser (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = pane_of (fixture, "btr-adaptive"), *fraz = pane_of (fixture, "fraz");
  EsSonarPane *energy = pane_of (fixture, "energy");
  g_autofree char *before = NULL, *after = NULL, *name = NULL;
  float *powers;

  g_assert_cmpint (es_sonar_pane_get_kind (pane), ==, ES_BEAM_CBF);      /* there are no others yet */
  fill (fixture, 10);
  g_assert_cmpint (es_sonar_pane_get_kind (pane), ==, ES_BEAM_MVDR);
  name = es_sonar_pane_make_name (pane);
  g_assert_cmpstr (name, ==, "Bearing-time record (MVDR)");
  es_sonar_pane_set_kind (pane, ES_BEAM_MUSIC);
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr-adaptive", 47, 9),
                                  10 * log10 (es_beam_history_get_row_of (fixture->history, ES_BEAM_MUSIC, 0)[47]),
                                  1e-3);
  /* No power. */
  g_assert_cmpstr (map_of (fixture, "btr-adaptive")->unit, ==, "dB");
  g_assert_cmpstr (map_of (fixture, "btr")->unit, ==, "dB re 1 µPa²");

  es_pane_frame_set_expanded (frame_of (fixture, "fraz"), TRUE);
  es_test_sonar_settle (fixture);
  before = es_sonar_pane_to_text (fraz, '\t');
  es_sonar_pane_set_kind (fraz, ES_BEAM_MVDR);
  es_test_sonar_settle (fixture);
  after = es_sonar_pane_to_text (fraz, '\t');
  g_assert_cmpstr (before, !=, after);
  powers = g_new (float, 459 * 160);
  g_assert_true (es_beam_history_copy_fraz_of (fixture->history, ES_BEAM_MVDR, 0, powers));
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "fraz", 47, 300), 10 * log10 (powers[300 * 160 + 47]), 1e-3);
  g_free (powers);

  es_sonar_pane_set_kind (energy, ES_BEAM_MVDR);
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "energy", 47, 6),
                                  10 * log10 (es_beam_history_get_field_of (fixture->history, ES_BEAM_MVDR, 0)[47]),
                                  1e-3);

  /* Without adaptive beams: what there is. */
  es_beam_history_clear (fixture->history);
  g_assert_cmpint (es_sonar_pane_get_kind (energy), ==, ES_BEAM_CBF);
}

/* The newest block again, of another loading: its row alone is another. */
static void
test_replaced (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsBeamBlock) block = NULL;
  g_autofree char *before = NULL, *after = NULL;
  double older;

  fill (fixture, 20);
  older = value_of (fixture, "btr-adaptive", 100, 18);
  before = es_sonar_pane_to_text (pane_of (fixture, "azimuth"), ',');
  block = es_test_sonar_make (fixture->test, 19);
  for (guint i = 0; i < 160; i++)
    block->fields[ES_BEAM_MVDR][i] *= 100;
  es_beam_history_replace (fixture->history, block);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (map_of (fixture, "btr-adaptive"))), ==, 20);
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr-adaptive", 100, 19),
                                  10 * log10 (block->fields[ES_BEAM_MVDR][100]), 1e-3);
  g_assert_cmpfloat (value_of (fixture, "btr-adaptive", 100, 18), ==, older);
  after = es_sonar_pane_to_text (pane_of (fixture, "azimuth"), ',');
  g_assert_cmpstr (before, !=, after);
}

/* ---- eigenvalues, patterns ---- */

static void
test_eigen (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = pane_of (fixture, "eigen");
  EsPlot *plot = plot_of (fixture, "eigen");
  const EsBeamSettings *settings;
  g_autofree char *text = NULL, *other = NULL;
  g_auto (GStrv) lines = NULL;
  double frequency;

  es_pane_frame_set_expanded (frame_of (fixture, "eigen"), TRUE);
  fill (fixture, 4);
  settings = es_beam_history_get_settings (fixture->history);
  frequency = es_beam_settings_get_frequency (settings, settings->first_bin + 20);
  g_object_set (fixture->view, "frequency", frequency + 0.3, NULL);
  es_test_sonar_settle (fixture);
  text = es_sonar_pane_to_text (pane, ',');
  lines = g_strsplit (text, "\n", -1);
  /* A head and 32 values; the first is the same in all bins, the second is that of the bin. */
  g_assert_cmpuint (g_strv_length (lines), ==, 34);
  g_assert_true (g_str_has_prefix (lines[0], "number,eigenvalue_at_52.73"));
  g_assert_cmpstr (lines[1], ==, "1,4000000");
  g_assert_cmpfloat_with_epsilon (g_ascii_strtod (lines[2] + 2, NULL), 1e6 / 21, 1e-3);
  g_test_message ("%s", es_sonar_pane_get_detail (pane));
  g_assert_true (g_str_has_prefix (es_sonar_pane_get_detail (pane), "52.7 Hz, K = 32, B = 16"));
  /* Two sources by both criteria: one mark between the second and the third; and the noise. */
  g_assert_cmpuint (es_plot_get_n_markers (plot), ==, 2);
  g_assert_cmpfloat (es_plot_get_marker (plot, 0), ==, 2.5);
  g_assert_cmpfloat_with_epsilon (es_plot_get_marker (plot, 1), 30, 0.5);

  g_object_set (fixture->view, "frequency", frequency + 100, NULL);
  es_test_sonar_settle (fixture);
  other = es_sonar_pane_to_text (pane, ',');
  g_assert_cmpstr (text, !=, other);

  /* Where the settings ask for none of every bin: those of the closer look. */
  es_beam_history_clear (fixture->history);
  es_test_sonar_adapt (fixture->test, FALSE);
  es_test_sonar_fill (fixture->test, fixture->history, 0, 2);
  es_test_sonar_settle (fixture);
  g_free (g_steal_pointer (&text));
  text = es_sonar_pane_to_text (pane, ',');
  g_assert_true (g_str_has_prefix (text, "number,eigenvalue_at_400.39"));
}

static void
test_pattern (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = pane_of (fixture, "pattern");
  EsPlot *plot = plot_of (fixture, "pattern");
  g_autofree char *text = NULL;

  es_pane_frame_set_expanded (frame_of (fixture, "pattern"), TRUE);
  es_test_sonar_settle (fixture);
  g_assert_null (es_sonar_pane_to_text (pane, ','));
  fill (fixture, 31);
  g_assert_cmpuint (es_plot_get_n_series (plot), ==, 2);
  g_assert_cmpfloat (es_plot_get_marker (plot, 0), ==, 60);
  g_assert_cmpstr (es_sonar_pane_get_detail (pane), ==, "60.0° at 400.4 Hz");
  text = es_sonar_pane_to_text (pane, ',');
  g_assert_true (g_str_has_prefix (text, "bearing_deg,cbf_db,mvdr_db\n10,"));

  /* Dragging the mark looks at another beam, of those there are. */
  g_signal_emit_by_name (es_views_find (GTK_WIDGET (pane), ES_TYPE_PLOT_VIEW), "marker-moved", 0, 80.3, TRUE);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 80);
  g_assert_cmpfloat (es_plot_get_marker (plot, 0), ==, 80);

  /* The player is asked for it as long as somebody sees it. */
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat (fixture->view->probe_bearing, ==, 80);
  g_object_set (fixture->view, "bearing", 90., "frequency", 250., NULL);
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat (fixture->view->probe_bearing, ==, 90);
  g_assert_cmpfloat (fixture->view->probe_frequency, ==, 250);
  gtk_widget_set_visible (es_sonar_view_get_inspector (fixture->view), FALSE);
  es_test_sonar_settle (fixture);
  g_assert_true (isnan (fixture->view->probe_bearing));
}

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
  EsMapView *first = map_of (fixture, "btr"), *second = map_of (fixture, "btr-adaptive");
  guint numbers = 0;
  gint64 row;

  fill (fixture, 60);
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

  /* What is played once more has its own: the same times are other rows now. */
  es_test_sonar_fill (fixture->test, fixture->history, 0, 30);
  es_sonar_display_set_view (fixture->view->display, 90, 90);
  es_test_sonar_settle (fixture);
  g_assert_true (passes (second, es_test_sonar_bearing (fixture->test, 12) - 10 + 0.5, 12.5));
  g_assert_true (passes (second, es_test_sonar_bearing (fixture->test, 12) - 10 + 0.5, 72.5));
  g_assert_false (passes (second, es_test_sonar_bearing (fixture->test, 40) - 10 + 0.5, 72.5));
  g_assert_true (es_sonar_display_find_track (fixture->view->display, 1, &row));
  g_assert_cmpint (row, ==, 0);
  /* Scrolled away, those in view alone. */
  es_sonar_display_set_view (fixture->view->display, 20, 10);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < second->n_track_points; i++)
    if (!isnan (second->track_rows[i]))
      g_assert_true (second->track_rows[i] > 8 && second->track_rows[i] < 22);
  g_assert_cmpuint (second->n_track_points, >, 10);

  act (fixture, "sonar.tracks", NULL);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (first->n_track_points, ==, 0);
  g_assert_cmpuint (second->n_track_points, ==, 0);
}

static void
test_save_tracks (SonarFixture *fixture, gconstpointer size)
{
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "eigenscope-test-tracks.csv", NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  gint64 limit = g_get_monotonic_time () + 10 * G_USEC_PER_SEC;
  guint references;

  g_remove (path);
  fill (fixture, 20);
  references = G_OBJECT (fixture->view)->ref_count;
  es_export_save_text (GTK_WIDGET (fixture->view), file,
                       es_tracks_to_csv (es_beam_history_get_tracks (fixture->history)));
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
  g_assert_true (is_visible (fixture, "btr-adaptive"));
  g_assert_true (is_visible (fixture, "pattern"));
  g_assert_true (is_visible (fixture, "eigen"));
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (map_of (fixture, "btr-adaptive"))), ==, 16);
  es_pane_frame_set_expanded (frame_of (fixture, "pattern"), TRUE);
  es_pane_frame_set_expanded (frame_of (fixture, "eigen"), TRUE);
  es_test_sonar_settle (fixture);
  g_assert_nonnull (es_sonar_pane_get_detail (pane_of (fixture, "pattern")));
  g_assert_nonnull (es_sonar_pane_get_detail (pane_of (fixture, "eigen")));
  es_views_screenshot (fixture->window, "adaptive-result");
  for (guint i = 0; i < G_N_ELEMENTS (homes); i++)
    {
      EsLayer *layer = es_result_find_layer (result, homes[i].layer);
      EsSonarPane *pane = pane_of (fixture, homes[i].pane);

      g_test_message ("%s", homes[i].layer);
      g_assert_nonnull (layer);
      es_sonar_view_show_layer (fixture->view, layer);
      es_test_sonar_settle (fixture);
      g_assert_true (es_pane_frame_get_in_middle (frame_of (fixture, homes[i].pane)));
      g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (pane)));
      g_assert_cmpint (es_sonar_pane_get_kind (pane), ==, homes[i].kind);
      g_assert_true (is_visible (fixture, "field") == g_str_equal (homes[i].pane, "field"));
    }
  es_sonar_view_show_result (fixture->view, NULL);
  es_test_sonar_settle (fixture);
  g_assert_false (is_visible (fixture, "btr-adaptive"));
}

static void
test_player (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsParams) params = make_params ();
  EsHeatmap *map = es_map_view_get_map (map_of (fixture, "btr-adaptive"));
  gint64 limit = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;

  if (params == NULL)
    {
      g_test_skip ("there is no such operation");
      return;
    }
  es_pane_frame_set_expanded (frame_of (fixture, "pattern"), TRUE);
  es_player_set_params (fixture->player, params, NULL);
  es_player_set_speed (fixture->player, ES_PLAYER_FASTEST);
  es_player_set_loop (fixture->player, TRUE);
  es_player_play (fixture->player);
  while ((es_heatmap_get_end (map) < 40 || es_sonar_pane_get_detail (pane_of (fixture, "pattern")) == NULL)
         && g_get_monotonic_time () < limit)
    es_test_sonar_settle (fixture);
  es_player_pause (fixture->player);
  g_assert_cmpstr (es_player_get_failure (fixture->player), ==, NULL);
  g_assert_cmpuint (es_heatmap_get_end (map), >=, 40);
  g_assert_nonnull (es_sonar_pane_get_detail (pane_of (fixture, "pattern")));
  g_assert_nonnull (es_beam_history_get_probe (fixture->history));

  /* Paused, another bearing is looked at: the pattern follows. */
  es_sonar_view_set_bearing (fixture->view, 120);
  while (es_beam_history_get_probe (fixture->history)->bearing != 120 && g_get_monotonic_time () < limit)
    es_test_sonar_settle (fixture);
  g_assert_cmpfloat (es_beam_history_get_probe (fixture->history)->bearing, ==, 120);
  es_test_sonar_settle (fixture);
  g_assert_true (g_str_has_prefix (es_sonar_pane_get_detail (pane_of (fixture, "pattern")), "120.0°"));
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

  fill (fixture, 3);
  for (guint i = 0; i < 60; i++)
    g_ptr_array_add (blocks, es_test_sonar_make (fixture->test, i + 3));
  for (guint i = 0; i < G_N_ELEMENTS (folded); i++)
    es_pane_frame_set_expanded (frame_of (fixture, folded[i]), TRUE);
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

  fill (fixture, 110);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "adaptive-large" : "adaptive");
  for (guint i = 0; i < G_N_ELEMENTS (folded); i++)
    es_pane_frame_set_expanded (frame_of (fixture, folded[i]), TRUE);
  es_pane_frame_set_expanded (frame_of (fixture, "energy"), FALSE);
  if (size == NULL)
    es_pane_frame_set_expanded (frame_of (fixture, "azimuth"), FALSE);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, size != NULL ? "adaptive-open-large" : "adaptive-open");
}

int
main (int argc, char **argv)
{
  static const int large[2] = { 2560, 1440 };

  es_views_init (&argc, &argv);
  ADD_SONAR ("/adaptive/azimuth", NULL, test_azimuth);
  ADD_SONAR ("/adaptive/pairs", NULL, test_pairs);
  ADD_SONAR ("/adaptive/places", NULL, test_places);
  ADD_SONAR ("/adaptive/chooser", NULL, test_chooser);
  ADD_SONAR ("/adaptive/replaced", NULL, test_replaced);
  ADD_SONAR ("/adaptive/eigen", NULL, test_eigen);
  ADD_SONAR ("/adaptive/pattern", NULL, test_pattern);
  ADD_SONAR ("/adaptive/tracks", NULL, test_tracks);
  ADD_SONAR ("/adaptive/save-tracks", NULL, test_save_tracks);
  ADD_SONAR ("/adaptive/result", NULL, test_result);
  ADD_SONAR ("/adaptive/player", NULL, test_player);
  ADD_SONAR ("/adaptive/fastest", NULL, test_fastest);
  ADD_SONAR ("/adaptive/look", NULL, test_look);
  if (g_getenv ("ES_SCREENSHOTS") != NULL)
    ADD_SONAR ("/adaptive/look-large", large, test_look);
  return g_test_run ();
}
