/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar displays of adaptive beams: azimuth, pairs, eigenvalues and patterns; a history filled by hand, in a real
 * window. */

#include "es-test-sonar-view.h"
#include "es-test-views.h"

#include <math.h>
#include <string.h>

#include "sonar/panes/es-azimuth-pane.h"
#include "sonar/panes/es-azimuth-trace.h"
#include "widgets/es-export.h"
#include "charts/es-plot-view.h"
#include "beam/es-beam-block-private.h"
#include "charts/es-map-view-private.h"

static EsPlot *
plot_of (SonarFixture *fixture, const char *id)
{
  return es_plot_view_get_plot (ES_PLOT_VIEW (es_views_find (GTK_WIDGET (es_test_sonar_pane (fixture, id)),
                                                             ES_TYPE_PLOT_VIEW)));
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
  EsSonarPane *pane = es_test_sonar_pane (fixture, "azimuth");
  GtkWidget *toggles = es_azimuth_pane_get_toggles (ES_AZIMUTH_PANE (pane)), *mvdr;
  g_autoptr (GString) list = g_string_new (NULL);
  g_autofree char *text = NULL, *first = NULL;
  g_auto (GStrv) lines = NULL;

  /* One kind: nothing to choose. */
  es_test_sonar_fill (fixture->test, fixture->history, 0, 3);
  es_test_sonar_settle (fixture);
  g_assert_false (gtk_widget_get_visible (toggles));
  g_assert_null (es_sonar_pane_get_detail (pane));

  es_test_sonar_fill_adaptive (fixture, 41);
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
  const guint now = es_test_sonar_now (fixture->history);
  first = g_strdup_printf ("70,%.9g,%.9g,", 10 * log10 (es_beam_history_get_row (fixture->history, now)[60]),
                           10 * log10 (es_beam_history_get_shown_row (fixture->history, ES_BEAM_MVDR, now)[60]));
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
  return es_heatmap_get_value (es_map_view_get_map (es_test_sonar_map (fixture, id)), column, row);
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
    g_assert_false (es_test_sonar_is_visible (fixture, adaptive[i]));
  g_assert_false (gtk_widget_get_visible (fixture->view->beside));

  es_test_sonar_fill_adaptive (fixture, 30);
  for (guint i = 0; i < G_N_ELEMENTS (adaptive); i++)
    g_assert_true (es_test_sonar_is_visible (fixture, adaptive[i]));
  g_assert_true (gtk_widget_get_visible (fixture->view->beside));
  /* Side by side, as wide as each other. */
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (es_test_sonar_frame (fixture, "btr")), fixture->window,
                                            &first));
  g_assert_true (gtk_widget_compute_bounds (GTK_WIDGET (es_test_sonar_frame (fixture, "btr-adaptive")),
                                            fixture->window, &second));
  g_assert_cmpfloat (first.origin.y, ==, second.origin.y);
  g_assert_cmpfloat (second.origin.x, >=, first.origin.x + first.size.width);
  g_assert_cmpfloat_with_epsilon (first.size.width, second.size.width, 0.15 * first.size.width);
  const guint now = es_test_sonar_now (fixture->history);

  for (guint kind = 0; kind < 2; kind++)
    rows[kind] = es_beam_history_get_shown_row (fixture->history, kind, now);
  for (guint column = 3; column < 160; column += 31)
    {
      g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr", column, 29), 10 * log10 (rows[0][column]), 1e-3);
      g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr-adaptive", column, 29), 10 * log10 (rows[1][column]),
                                      1e-3);
    }

  /* One cursor. */
  g_signal_emit_by_name (es_test_sonar_map (fixture, "btr-adaptive"), "picked", 47.6, 20.5, 1u);
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat (es_sonar_view_get_bearing (fixture->view), ==, 57);
  g_assert_cmpfloat_with_epsilon (es_test_sonar_map (fixture, "btr")->cursor_column, 47.5, 1e-9);
  g_assert_cmpfloat_with_epsilon (es_test_sonar_map (fixture, "btr-adaptive")->cursor_column, 47.5, 1e-9);

  /* Put away, and back. */
  es_test_sonar_act (fixture, "sonar.beside", NULL);
  es_test_sonar_settle (fixture);
  g_assert_false (es_test_sonar_is_visible (fixture, "btr-adaptive"));
  g_assert_false (es_test_sonar_is_visible (fixture, "fraz-adaptive"));
  g_assert_true (es_test_sonar_is_visible (fixture, "eigen"));
  es_test_sonar_act (fixture, "sonar.beside", NULL);
  g_assert_true (es_test_sonar_is_visible (fixture, "btr-adaptive"));

  /* Conventional beams again. */
  fixture->test->settings->adaptive.on = FALSE;
  es_beam_history_clear (fixture->history);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (adaptive); i++)
    g_assert_false (es_test_sonar_is_visible (fixture, adaptive[i]));
}

/* The two of a pair change places with the other pair together, and come back in order. */
static void
test_places (SonarFixture *fixture, gconstpointer size)
{
  EsPaneFrame *btr = es_test_sonar_frame (fixture, "btr"), *beside = es_test_sonar_frame (fixture, "btr-adaptive");
  EsPaneFrame *fraz = es_test_sonar_frame (fixture, "fraz"), *other = es_test_sonar_frame (fixture, "fraz-adaptive");
  EsPaneFrame *energy = es_test_sonar_frame (fixture, "energy");

  es_test_sonar_fill_adaptive (fixture, 12);
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

  es_test_sonar_act (fixture, "sonar.restore", NULL);
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (btr) && es_pane_frame_get_in_middle (beside));
  g_assert_true (gtk_widget_get_next_sibling (GTK_WIDGET (fraz)) == GTK_WIDGET (other));
  g_assert_true (gtk_widget_get_first_child (fixture->view->column) == GTK_WIDGET (energy));

  /* One of two fills the middle alone. */
  g_signal_emit_by_name (beside, "maximise");
  es_test_sonar_settle (fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (beside)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (btr)));
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (es_test_sonar_frame (fixture, "lofar"))));
  /* Its beams go: the middle is not left empty. */
  fixture->test->settings->adaptive.on = FALSE;
  es_beam_history_clear (fixture->history);
  es_test_sonar_settle (fixture);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (btr)));
}

static void
test_chooser (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = es_test_sonar_pane (fixture, "btr-adaptive"), *fraz = es_test_sonar_pane (fixture, "fraz");
  EsSonarPane *energy = es_test_sonar_pane (fixture, "energy");
  g_autofree char *before = NULL, *after = NULL, *name = NULL;
  float *powers;

  g_assert_cmpint (es_sonar_pane_get_kind (pane), ==, ES_BEAM_CBF);      /* there are no others yet */
  es_test_sonar_fill_adaptive (fixture, 10);
  g_assert_cmpint (es_sonar_pane_get_kind (pane), ==, ES_BEAM_MVDR);
  name = es_sonar_pane_make_name (pane);
  g_assert_cmpstr (name, ==, "Bearing-time record (MVDR)");
  es_sonar_pane_set_kind (pane, ES_BEAM_MUSIC);
  es_test_sonar_settle (fixture);
  const guint now = es_test_sonar_now (fixture->history);
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr-adaptive", 47, 9),
                                  10 * log10 (es_beam_history_get_shown_row (fixture->history, ES_BEAM_MUSIC, now)[47]),
                                  1e-3);
  /* No power. */
  g_assert_cmpstr (es_test_sonar_map (fixture, "btr-adaptive")->unit, ==, "dB");
  g_assert_cmpstr (es_test_sonar_map (fixture, "btr")->unit, ==, "dB re 1 µPa²");

  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "fraz"), TRUE);
  es_test_sonar_settle (fixture);
  before = es_sonar_pane_to_text (fraz, '\t');
  es_sonar_pane_set_kind (fraz, ES_BEAM_MVDR);
  es_test_sonar_settle (fixture);
  after = es_sonar_pane_to_text (fraz, '\t');
  g_assert_cmpstr (before, !=, after);
  powers = g_new (float, 459 * 160);
  g_assert_true (es_beam_history_copy_fraz_of (fixture->history, ES_BEAM_MVDR, now, powers));
  /* As the power of a tone. */
  const double factor = es_sonar_source_get_tone_factor (fixture->view->source, ES_BEAM_MVDR);
  g_assert_cmpfloat_with_epsilon (factor, 8192. / 8000, 1e-9);
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "fraz", 47, 300), 10 * log10 (factor * powers[300 * 160 + 47]),
                                  1e-3);
  g_free (powers);

  es_sonar_pane_set_kind (energy, ES_BEAM_MVDR);
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "energy", 47, 6),
                                  10 * log10 (es_beam_history_get_field_of (fixture->history, ES_BEAM_MVDR, now)[47]),
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

  es_test_sonar_fill_adaptive (fixture, 20);
  older = value_of (fixture, "btr-adaptive", 100, 18);
  before = es_sonar_pane_to_text (es_test_sonar_pane (fixture, "azimuth"), ',');
  block = es_test_sonar_make (fixture->test, 19);
  for (guint i = 0; i < 160; i++)
    block->fields[ES_BEAM_MVDR][i] *= 100;
  es_beam_history_replace (fixture->history, block);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (es_test_sonar_map (fixture, "btr-adaptive"))), ==, 20);
  g_assert_cmpfloat_with_epsilon (value_of (fixture, "btr-adaptive", 100, 19),
                                  10 * log10 (block->fields[ES_BEAM_MVDR][100]), 1e-3);
  g_assert_cmpfloat (value_of (fixture, "btr-adaptive", 100, 18), ==, older);
  after = es_sonar_pane_to_text (es_test_sonar_pane (fixture, "azimuth"), ',');
  g_assert_cmpstr (before, !=, after);
}

/* ---- eigenvalues, patterns ---- */

static void
test_eigen (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = es_test_sonar_pane (fixture, "eigen");
  EsPlot *plot = plot_of (fixture, "eigen");
  const EsBeamSettings *settings;
  g_autofree char *text = NULL, *other = NULL;
  g_auto (GStrv) lines = NULL;
  double frequency;

  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "eigen"), TRUE);
  es_test_sonar_fill_adaptive (fixture, 4);
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
  EsSonarPane *pane = es_test_sonar_pane (fixture, "pattern");
  EsPlot *plot = plot_of (fixture, "pattern");
  g_autofree char *text = NULL;

  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "pattern"), TRUE);
  es_test_sonar_settle (fixture);
  g_assert_null (es_sonar_pane_to_text (pane, ','));
  es_test_sonar_fill_adaptive (fixture, 31);
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

/* A curve goes through the tops between its angles, whichever way they go and across the end of a turn. */
static void
test_trace (void)
{
  double rising[] = { 0, 90, 180, 270 }, falling[] = { 30, 20, 10 }, bearings[3 + 4 + ES_BEAM_MOST_LIFTS];
  double levels[3 + 4 + ES_BEAM_MOST_LIFTS];
  const EsBeamSettings round = { .angles = rising, .n_angles = 4 }, line = { .angles = falling, .n_angles = 3 };
  const float of_round[] = { 100, 1, 1000, 1 }, of_line[] = { 1, 1000, 1 };
  /* Nearest to the first angle from before it; one behind its angle; one at its own. */
  const EsBeamLift lifts_round[] = { { 0, 350, 100, 10 }, { 2, 190, 1000, 10 } };
  const EsBeamLift before = { 1, 22, 1000, 10 }, behind = { 1, 18, 1000, 10 }, other = { 1, 18, 77, 10 };
  const EsBeamPeak peak = { .bearing = 18 };

  g_assert_cmpuint (es_azimuth_trace (&round, of_round, lifts_round, 2, bearings, levels), ==, 6);
  g_assert_true (bearings[0] == -10 && levels[0] == 20 && bearings[1] == 0 && levels[1] == 10);
  g_assert_true (bearings[3] == 180 && levels[3] == 10 && bearings[4] == 190 && levels[4] == 30);
  g_assert_cmpuint (es_azimuth_trace (&line, of_line, &before, 1, bearings, levels), ==, 4);
  g_assert_true (bearings[1] == 22 && levels[1] == 30 && bearings[2] == 20 && levels[2] == 10);
  g_assert_cmpuint (es_azimuth_trace (&line, of_line, &behind, 1, bearings, levels), ==, 4);
  g_assert_true (bearings[1] == 20 && levels[1] == 10 && bearings[2] == 18 && levels[2] == 30);
  g_assert_cmpuint (es_azimuth_find_place (bearings, levels, 4, &peak), ==, 2);
  /* Powers of something else, and without any. */
  g_assert_cmpuint (es_azimuth_trace (&line, of_line, &other, 1, bearings, levels), ==, 3);
  g_assert_cmpuint (es_azimuth_trace (&line, of_line, NULL, 0, bearings, levels), ==, 3);
  g_assert_cmpfloat (levels[1], ==, 30);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  g_test_add_func ("/adaptive/trace", test_trace);
  ES_TEST_ADD_SONAR ("/adaptive/azimuth", NULL, test_azimuth);
  ES_TEST_ADD_SONAR ("/adaptive/pairs", NULL, test_pairs);
  ES_TEST_ADD_SONAR ("/adaptive/places", NULL, test_places);
  ES_TEST_ADD_SONAR ("/adaptive/chooser", NULL, test_chooser);
  ES_TEST_ADD_SONAR ("/adaptive/replaced", NULL, test_replaced);
  ES_TEST_ADD_SONAR ("/adaptive/eigen", NULL, test_eigen);
  ES_TEST_ADD_SONAR ("/adaptive/pattern", NULL, test_pattern);
  return g_test_run ();
}
