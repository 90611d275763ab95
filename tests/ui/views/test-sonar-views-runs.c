/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The sonar displays: places, what a run found and what a player hears, and time. */

#include "beam/es-beam-block-private.h"
#include "es-test-sonar-view.h"
#include "es-test-views.h"

#include <math.h>
#include <string.h>

#include "sonar/panes/es-demon-pane.h"
#include "sonar/panes/es-element-pane.h"
#include "job/es-job.h"
#include "layer/es-layer-internal.h"
#include "charts/es-map-view-private.h"
#include "charts/es-plot-view.h"
#include "operations/es-operations.h"

/* ---- places ---- */

static void
test_places (SonarFixture *fixture, gconstpointer size)
{
  EsSonarView *view = fixture->view;
  EsPaneFrame *btr = es_test_sonar_frame (fixture, "btr"), *energy = es_test_sonar_frame (fixture, "energy");
  EsPaneFrame *lofar = es_test_sonar_frame (fixture, "lofar");

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
  es_test_sonar_act (fixture, "sonar.restore", NULL);
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

/* ---- bands of plots ---- */

static gboolean
press (GtkWidget *widget, guint key, GdkModifierType modifiers)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);

      for (guint k = 0; GTK_IS_SHORTCUT_CONTROLLER (controller)
                        && k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (GTK_IS_KEYVAL_TRIGGER (trigger) && gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) == key
              && gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) == modifiers)
            return gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), GTK_SHORTCUT_ACTION_EXCLUSIVE,
                                                 widget, gtk_shortcut_get_arguments (shortcut));
        }
    }
  return FALSE;
}

/* Of the curve as it is copied: mean of powers and the highest. */
static void
measure (EsSonarPane *pane, double from, double to, double *mean, double *highest, double *where)
{
  g_autofree char *text = es_sonar_pane_to_text (pane, '\t');
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  double sum = 0;
  guint n = 0;

  *highest = -INFINITY;
  for (guint i = 1; lines[i] != NULL && *lines[i] != '\0'; i++)
    {
      double x = g_ascii_strtod (lines[i], NULL), y = g_ascii_strtod (strchr (lines[i], '\t') + 1, NULL);

      if (x < from || x > to)
        continue;
      sum += pow (10, y / 10);
      n++;
      if (y > *highest)
        {
          *highest = y;
          *where = x;
        }
    }
  *mean = 10 * log10 (sum / n);
}

static void
test_band (SonarFixture *fixture, gconstpointer size)
{
  EsSonarPane *pane = es_test_sonar_pane (fixture, "azimuth");
  EsPlotView *view = ES_PLOT_VIEW (es_views_find (GTK_WIDGET (pane), ES_TYPE_PLOT_VIEW));
  g_autofree char *words = NULL, *wanted = NULL, *later = NULL, *again = NULL;
  double mean, highest, where = 0, from, to;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 20);
  es_test_sonar_settle (fixture);
  g_assert_false (es_plot_view_get_band (view, &from, &to));
  g_assert_false (press (GTK_WIDGET (view), GDK_KEY_Escape, 0));
  es_plot_view_set_band (view, 70.5, 50.2);
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, "sonar-sector");
  measure (pane, 50.2, 70.5, &mean, &highest, &where);
  words = es_plot_view_describe_band (view);
  wanted = g_strdup_printf ("50.2° to 70.5°: 20.3°\nmean %.1f dB, highest %.1f dB at %.1f°", mean, highest, where);
  g_assert_cmpstr (words, ==, wanted);
  g_assert_cmpfloat_with_epsilon (where, es_test_sonar_bearing (fixture->test, 19), 2.01);
  /* It stays where it is, and what is heard later is measured. */
  es_test_sonar_fill (fixture->test, fixture->history, 20, 10);
  es_test_sonar_settle (fixture);
  later = es_plot_view_describe_band (view);
  g_assert_cmpstr (later, !=, words);
  g_assert_true (es_plot_view_get_band (view, &from, &to));
  g_assert_cmpfloat (from, ==, 50.2);
  g_assert_cmpfloat (to, ==, 70.5);
  /* Esc clears it, and it alone. */
  g_assert_true (press (GTK_WIDGET (view), GDK_KEY_Escape, 0));
  g_assert_false (es_plot_view_get_band (view, &from, &to));
  /* By the keys. */
  for (guint i = 0; i < 4; i++)
    g_assert_true (press (GTK_WIDGET (view), GDK_KEY_Right, GDK_SHIFT_MASK));
  g_assert_true (es_plot_view_get_band (view, &from, &to));
  g_assert_cmpfloat (to - from, >, 2);
  g_assert_cmpfloat (to - from, <, 6);
  press (GTK_WIDGET (view), GDK_KEY_Escape, 0);

  /* Of two kinds of beams each is told. */
  es_beam_history_clear (fixture->history);
  es_test_sonar_fill_adaptive (fixture, 6);
  es_plot_view_set_band (view, 20, 80);
  again = es_plot_view_describe_band (view);
  g_assert_nonnull (strstr (again, "\nCBF: mean "));
  g_assert_nonnull (strstr (again, "\nMVDR: mean "));
}

/* ---- rectangles of records ---- */

/* From the cursor by the keys: what a drag over the same cells measures. */
static void
test_rectangle_keys (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *view = es_test_sonar_map (fixture, "btr");
  GtkWidget *widget = GTK_WIDGET (view);
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;
  double begin, end, left, right, top, bottom;
  graphene_rect_t area;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 40);
  es_test_sonar_settle (fixture);
  es_sonar_cursor_set_bearing_at (fixture->view->cursor, 60);
  es_sonar_cursor_set_row (fixture->view->cursor, 20);
  es_test_sonar_settle (fixture);
  g_assert_true (es_map_view_get_area (view, &area));
  _es_map_view_get_columns (view, &left, &right);
  _es_map_view_get_rows (view, &top, &bottom);
  const double column = floor (view->cursor_column), step = MAX (ceil (4 * (right - left) / area.size.width), 1);
  g_assert_cmpfloat (floor (view->cursor_row), ==, 20);
  g_assert_cmpfloat (4 * (top - bottom) / area.size.height, <=, 1);
  g_assert_false (press (widget, GDK_KEY_Escape, 0));
  /* Down is older. */
  for (guint i = 0; i < 3; i++)
    g_assert_true (press (widget, GDK_KEY_Down, both));
  for (guint i = 0; i < 2; i++)
    g_assert_true (press (widget, GDK_KEY_Right, both));
  g_assert_cmpfloat (view->selected[0], ==, column);
  g_assert_cmpfloat (view->selected[2], ==, column + 2 * step + 1);
  g_assert_cmpfloat (MIN (view->selected[1], view->selected[3]), ==, 17);
  g_assert_cmpfloat (MAX (view->selected[1], view->selected[3]), ==, 21);
  g_assert_true (es_sonar_cursor_get_stretch (fixture->view->cursor, &begin, &end));
  g_assert_cmpfloat (begin, ==, es_sonar_source_get_row_begin (fixture->view->source, 17));
  g_assert_cmpfloat (end, ==, es_sonar_source_get_row_end (fixture->view->source, 20));
  g_autofree char *words = view->measure (view->measure_data, view->selected[0], view->selected[2], 17, 21);
  g_assert_nonnull (strstr (words, "00:00:17.0 to 00:00:21.0: 4.0 s"));
  es_test_sonar_settle (fixture);
  es_views_screenshot (fixture->window, "sonar-rectangle-keys");
  /* Back beyond where it began, and not beyond the record. */
  for (guint i = 0; i < 5; i++)
    press (widget, GDK_KEY_Up, both);
  g_assert_cmpfloat (MIN (view->selected[1], view->selected[3]), ==, 20);
  g_assert_cmpfloat (MAX (view->selected[1], view->selected[3]), ==, 23);
  for (guint i = 0; i < 60; i++)
    press (widget, GDK_KEY_Up, both);
  g_assert_cmpfloat (MAX (view->selected[1], view->selected[3]), ==, 40);
  press (widget, GDK_KEY_Down, both);
  g_assert_cmpfloat (MAX (view->selected[1], view->selected[3]), ==, 39);
  g_assert_true (press (widget, GDK_KEY_Escape, 0));
  g_assert_true (isnan (view->selected[0]));
  g_assert_false (es_sonar_cursor_get_stretch (fixture->view->cursor, &begin, &end));
  /* After a step of the cursor the next one begins there. */
  press (widget, GDK_KEY_Down, both);
  press (widget, GDK_KEY_Up, 0);
  es_test_sonar_settle (fixture);
  press (widget, GDK_KEY_Up, both);
  g_assert_cmpfloat (MIN (view->selected[1], view->selected[3]), ==, 21);
  g_assert_cmpfloat (MAX (view->selected[1], view->selected[3]), ==, 23);
}

/* A rectangle in another display takes the place of the one that was there. */
static void
test_rectangle_alone (SonarFixture *fixture, gconstpointer size)
{
  EsMapView *first = es_test_sonar_map (fixture, "btr"), *second = es_test_sonar_map (fixture, "lofar");
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;
  double begin, end;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 40);
  es_test_sonar_settle (fixture);
  press (GTK_WIDGET (first), GDK_KEY_Up, both);
  es_test_sonar_settle (fixture);
  g_assert_false (isnan (first->selected[0]));
  press (GTK_WIDGET (second), GDK_KEY_Up, both);
  es_test_sonar_settle (fixture);
  g_assert_true (isnan (first->selected[0]));
  g_assert_false (isnan (second->selected[0]));
  g_assert_true (es_sonar_cursor_get_stretch (fixture->view->cursor, &begin, &end));
  press (GTK_WIDGET (first), GDK_KEY_Down, both);
  es_test_sonar_settle (fixture);
  g_assert_false (isnan (first->selected[0]));
  g_assert_true (isnan (second->selected[0]));
}

/* Words at the pointer are not over those of a rectangle, wherever both are. */
static void
test_read_outs (void)
{
  const graphene_rect_t area = GRAPHENE_RECT_INIT (10, 20, 300, 200);
  const graphene_rect_t nothing = GRAPHENE_RECT_INIT (0, 0, 0, 0);

  g_assert_cmpfloat (_es_map_view_place_read_out (&area, &nothing, 100, 40, 80, 20), ==, 74);
  g_assert_cmpfloat (_es_map_view_place_read_out (&area, &nothing, 30, 40, 80, 20), ==, 46);
  for (float taken = 20; taken <= 160; taken += 3)
    for (double pointer = 20; pointer < 220; pointer += 3)
      {
        const graphene_rect_t box = GRAPHENE_RECT_INIT (30, taken, 120, 60);
        const double y = _es_map_view_place_read_out (&area, &box, pointer, 40, 80, 20);
        const graphene_rect_t words = GRAPHENE_RECT_INIT (40, (float) y, 80, 20);

        g_assert_false (graphene_rect_intersection (&box, &words, NULL));
        g_assert_cmpfloat (y, >=, 20);
        g_assert_cmpfloat (y, <=, 200);
      }
}

/* Two tracks side by side: neither number is on a line, or on the other number, as long as there is room. */
static void
test_numbers (void)
{
  const graphene_rect_t area = GRAPHENE_RECT_INIT (10, 20, 300, 200);

  for (double apart = 4; apart < 100; apart += 3)
    {
      /* The first ends in the middle, the second goes up to the top; a gap is between them. */
      const double xs[] = { 150, 150, NAN, 150 + apart, 150 + apart }, ys[] = { 200, 100, NAN, 210, 21 };
      graphene_rect_t boxes[2];

      g_assert_true (_es_map_view_place_number (&area, NULL, 0, xs, ys, 5, 1, 20, 18, &boxes[0]));
      g_assert_true (_es_map_view_place_number (&area, boxes, 1, xs, ys, 5, 4, 20, 18, &boxes[1]));
      g_assert_false (graphene_rect_intersection (&boxes[0], &boxes[1], NULL));
      for (guint i = 0; i < 2; i++)
        for (guint k = 0; k < 2; k++)
          {
            const graphene_rect_t *box = &boxes[i];
            const double x = k == 0 ? 150 : 150 + apart, top = k == 0 ? 100 : 21;

            g_assert_false (x >= box->origin.x && x <= box->origin.x + 20 && box->origin.y + 18 >= top);
            g_assert_true (box->origin.x >= 10 && box->origin.x + 20 <= 310);
          }
    }
  /* No room beside: over a line rather than left out, but never over another number. */
  {
    const double xs[] = { 20, 300, NAN, 160 }, ys[] = { 100, 100, NAN, 100 };
    const graphene_rect_t everywhere = area;
    graphene_rect_t box;

    g_assert_true (_es_map_view_place_number (&area, NULL, 0, xs, ys, 4, 3, 20, 18, &box));
    g_assert_false (_es_map_view_place_number (&area, &everywhere, 1, xs, ys, 4, 3, 20, 18, &box));
  }
}

static void
test_element (SonarFixture *fixture, gconstpointer size)
{
  EsElementPane *pane = ES_ELEMENT_PANE (es_test_sonar_pane (fixture, "element"));
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;
  double best = -INFINITY, frequency = 0;

  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "element"), TRUE);
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
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (es_test_sonar_map (fixture, "btr"))), ==, 16);
  g_assert_cmpuint (es_heatmap_get_n_columns (es_map_view_get_map (es_test_sonar_map (fixture, "lofar"))), >, 10);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (es_test_sonar_map (fixture, "energy"))), ==, 3);
  g_assert_nonnull (es_sonar_pane_get_detail (es_test_sonar_pane (fixture, "energy")));
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
      g_assert_false (gtk_widget_get_visible (GTK_WIDGET (es_test_sonar_frame (fixture, "field"))));
      if (g_strcmp0 (es_field_get_role (ES_FIELD (layer)), "energy-field") == 0)
        g_assert_true (es_pane_frame_get_in_middle (es_test_sonar_frame (fixture, "energy")));
    }
  g_assert_cmpuint (n_shown, >=, 3);
  es_sonar_view_show_layer (fixture->view, NULL);
  g_assert_true (es_pane_frame_get_in_middle (es_test_sonar_frame (fixture, "btr")));
  es_sonar_view_show_result (fixture->view, NULL);
  g_assert_true (es_sonar_view_get_history (fixture->view) == fixture->history);
}

static EsResult *
run_with_bearing (SonarFixture *fixture, const char *bearing)
{
  g_autoptr (EsParams) params = make_params ();
  g_autoptr (EsJob) job = NULL;
  g_autoptr (GError) error = NULL;
  EsResult *result;

  es_params_set_text (params, "lofar-bearing", bearing);
  job = es_job_new (es_operation_find ("cbf", NULL), ES_DATASET (fixture->recording), params, es_device_get_cpu (),
                    NULL, NULL);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}

/* The LOFARgram of a bearing that the result did not keep is that of a run that was asked for it. */
static void
test_result_bearing (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsResult) result = run_with_bearing (fixture, "60"), other = run_with_bearing (fixture, "120");
  EsField *lofar = ES_FIELD (es_result_find_layer (other, "lofar"));
  EsMapView *view = es_test_sonar_map (fixture, "lofar");
  const guint n_bins = es_field_get_columns (lofar)->n, n_rows = es_field_get_rows (lofar)->n;
  g_autofree float *powers = g_new (float, n_bins);
  const gint64 until = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  double offset = NAN;
  guint n = 0;

  es_sonar_view_show_result (fixture->view, result);
  es_test_sonar_settle (fixture);
  g_assert_cmpfloat_with_epsilon (es_sonar_view_get_bearing (fixture->view), 60, 2);
  es_sonar_view_set_bearing (fixture->view, 120);
  es_test_sonar_settle (fixture);
  for (guint row = 0; row < n_rows; row++)
    while (isnan (es_heatmap_get_value (es_map_view_get_map (view), 3, row)) && g_get_monotonic_time () < until)
      es_test_sonar_settle (fixture);
  for (guint row = 0; row < n_rows; row++)
    {
      g_assert_true (es_field_read (lofar, row, 1, powers, NULL));
      for (guint c = 0; c < es_heatmap_get_n_columns (es_map_view_get_map (view)); c++)
        {
          const double *frequencies = es_field_get_columns (lofar)->values;
          guint bin = 0;

          while (bin + 1 < n_bins && frequencies[bin] < es_map_view_value_of (view, c + 0.5) - 1e-6)
            bin++;
          /* Levels of tones: the same of all. */
          const double difference = es_heatmap_get_value (es_map_view_get_map (view), c, row)
                                    - 10 * log10 (powers[bin]);
          offset = isnan (offset) ? difference : offset;
          g_assert_cmpfloat_with_epsilon (difference, offset, 0.05);
          n++;
        }
    }
  g_assert_cmpuint (n, >, 100);
  es_views_screenshot (fixture->window, "sonar-result-bearing");
  es_sonar_view_show_result (fixture->view, NULL);
}

static void
assert_demon (SonarFixture *fixture, const char *stretch)
{
  EsSonarPane *pane = es_test_sonar_pane (fixture, "demon");
  g_autofree char *text = NULL;

  es_test_sonar_settle (fixture);
  while (es_demon_pane_is_busy (ES_DEMON_PANE (pane)))
    g_main_context_iteration (NULL, TRUE);
  text = es_sonar_pane_to_text (pane, ',');
  g_assert_nonnull (text);
  g_test_message ("%s", es_sonar_pane_get_detail (pane));
  g_assert_nonnull (strstr (es_sonar_pane_get_detail (pane), stretch));
}

/* Nothing plays, and DEMON is of what is in view, of what is selected, of what is pointed at. */
static void
test_demon (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsResult) result = run_with_bearing (fixture, "60");
  EsSonarCursor *cursor = fixture->view->cursor;

  es_sonar_view_show_result (fixture->view, result);
  es_pane_frame_set_expanded (es_test_sonar_frame (fixture, "demon"), TRUE);
  assert_demon (fixture, "00:00:00.0 to 00:00:04.0");
  es_sonar_cursor_select_rows (cursor, fixture, 4.3, 7.2);
  assert_demon (fixture, "00:00:01.0 to 00:00:02.0");
  /* Another's rectangle is gone, and then his. */
  es_sonar_cursor_select_rows (cursor, result, NAN, NAN);
  assert_demon (fixture, "00:00:01.0 to 00:00:02.0");
  es_sonar_cursor_set_bearing (cursor, 90);
  assert_demon (fixture, "00:00:01.0 to 00:00:02.0");
  es_sonar_cursor_select_rows (cursor, fixture, NAN, NAN);
  assert_demon (fixture, "00:00:00.0 to 00:00:04.0");
  es_sonar_view_show_result (fixture->view, NULL);
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
    g_assert_false (gtk_widget_get_visible (GTK_WIDGET (es_test_sonar_frame (fixture, hidden[i]))));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (es_test_sonar_frame (fixture, "field"))));
  g_assert_true (es_pane_frame_get_in_middle (es_test_sonar_frame (fixture, "field")));
  g_assert_cmpstr (es_sonar_pane_get_title (es_test_sonar_pane (fixture, "field")), ==, es_layer_get_title (layer));

  es_sonar_view_show_result (fixture->view, NULL);
  es_test_sonar_settle (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (hidden); i++)
    g_assert_true (gtk_widget_get_visible (GTK_WIDGET (es_test_sonar_frame (fixture, hidden[i]))));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (es_test_sonar_frame (fixture, "field"))));
  g_assert_true (es_pane_frame_get_in_middle (es_test_sonar_frame (fixture, "btr")));
}

/* A field that no display is for. */
static void
test_field (SonarFixture *fixture, gconstpointer size)
{
  double x[5] = { 0, 1, 2, 3, 4 }, y[3] = { 10, 20, 30 };
  const EsAxis rows = { (char *) "y", (char *) "m", 3, y }, columns = { (char *) "x", (char *) "m", 5, x };
  g_autoptr (EsField) field = es_field_new ("volume", "Volume", ES_LAYER_FIELD, "volume", &rows, &columns, 0, NULL);
  EsHeatmap *map = es_map_view_get_map (es_test_sonar_map (fixture, "field"));
  float *values = es_field_get_writable (field);

  for (guint i = 0; i < 15; i++)
    values[i] = (float) pow (10, i / 10.);
  es_field_set_reference (field, "1 µPa²", NULL);
  es_sonar_view_show_layer (fixture->view, ES_LAYER (field));
  es_test_sonar_settle (fixture);
  g_assert_true (es_pane_frame_get_in_middle (es_test_sonar_frame (fixture, "field")));
  g_assert_cmpfloat_with_epsilon (es_heatmap_get_value (map, 2, 1), 7, 1e-4);
  es_views_screenshot (fixture->window, "sonar-field");
  es_sonar_view_show_layer (fixture->view, NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (es_test_sonar_frame (fixture, "field"))));
}

static void
test_player (SonarFixture *fixture, gconstpointer size)
{
  g_autoptr (EsParams) params = make_params ();
  EsHeatmap *map = es_map_view_get_map (es_test_sonar_map (fixture, "btr"));
  gint64 limit = g_get_monotonic_time () + 15 * G_USEC_PER_SEC;

  es_player_set_params (fixture->player, es_operation_find ("cbf", NULL), params, NULL);
  es_player_set_speed (fixture->player, ES_PLAYER_FASTEST);
  es_player_set_loop (fixture->player, TRUE);
  es_player_play (fixture->player);
  while ((es_heatmap_get_end (map) < 16 || isnan (es_heatmap_get_value (map, 0, 15)))
         && g_get_monotonic_time () < limit)
    es_test_sonar_settle (fixture);
  es_player_pause (fixture->player);
  g_assert_null (es_player_get_failure (fixture->player));
  /* Played again and again, it is one record. */
  g_assert_cmpuint (es_heatmap_get_end (map), ==, 16);
  g_assert_false (isnan (es_sonar_view_get_bearing (fixture->view)));
}

/* ---- time ---- */

/* A day of seconds: it is filled, scrolled and zoomed without a frame that waits for it. */
static void
test_day (SonarFixture *fixture, gconstpointer size)
{
  enum { DAY = 86400 };
  EsHeatmap *map = es_map_view_get_map (es_test_sonar_map (fixture, "btr"));
  g_autoptr (EsBeamBlock) template = es_test_sonar_make (fixture->test, 0);
  EsTestFrames frames;

  es_test_sonar_fill (fixture->test, fixture->history, 0, 200);
  /* A record that is there when it is shown: the view looks at it only now. */
  es_sonar_view_set_player (fixture->view, NULL);
  es_test_sonar_strip (template);
  for (guint i = 200; i < DAY; i++)
    {
      template->frame = (guint64) i * es_beam_block_get_settings (template)->block;
      es_beam_history_append (fixture->history, template);
    }
  es_test_frames_begin (fixture, &frames);
  es_sonar_view_set_player (fixture->view, fixture->player);
  es_test_sonar_settle (fixture);
  es_test_frames_end (fixture, &frames, "filling a day");
  g_assert_cmpuint (es_heatmap_get_end (map), ==, DAY);
  g_assert_false (isnan (es_heatmap_get_value (map, 0, 0)));

  es_test_frames_begin (fixture, &frames);
  for (guint i = 0; i < 40; i++)
    {
      g_signal_emit_by_name (es_test_sonar_map (fixture, "btr"), "scrolled", i < 10 ? 0.3 : 3.7);
      if (i >= 20)
        es_sonar_extent_set_rows (fixture->view->extent, DAY, DAY / pow (1.2, i - 20));
      es_test_sonar_settle (fixture);
    }
  es_test_frames_end (fixture, &frames, "scrolling and zooming a day");
  /* All of it in one view: the first rows are still seen at the bottom. */
  es_sonar_extent_set_rows (fixture->view->extent, DAY, DAY);
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
    es_pane_frame_set_expanded (es_test_sonar_frame (fixture, folded[i]), TRUE);
  es_test_sonar_settle (fixture);
  es_test_frames_begin (fixture, &frames);
  for (guint frame = 0; frame < 120; frame++)
    {
      gint64 counter = gdk_frame_clock_get_frame_counter (clock);

      for (guint i = 0; i < 3; i++, next++)
        {
          EsBeamBlock *block = g_ptr_array_index (blocks, next % blocks->len);

          block->frame = (guint64) next * es_beam_block_get_settings (block)->block;
          es_beam_history_append (fixture->history, block);
        }
      while (gdk_frame_clock_get_frame_counter (clock) == counter)
        g_main_context_iteration (NULL, TRUE);
    }
  es_test_frames_end (fixture, &frames, "three blocks a frame");
  g_ptr_array_unref (blocks);
  es_test_sonar_settle (fixture);
  g_assert_cmpuint (es_heatmap_get_end (es_map_view_get_map (es_test_sonar_map (fixture, "btr"))), ==, 360);
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);
  ES_TEST_ADD_SONAR ("/sonar/places", NULL, test_places);
  ES_TEST_ADD_SONAR ("/sonar/band", NULL, test_band);
  ES_TEST_ADD_SONAR ("/sonar/rectangle/keys", NULL, test_rectangle_keys);
  ES_TEST_ADD_SONAR ("/sonar/rectangle/alone", NULL, test_rectangle_alone);
  g_test_add_func ("/sonar/rectangle/read-outs", test_read_outs);
  g_test_add_func ("/sonar/track-numbers", test_numbers);
  ES_TEST_ADD_SONAR ("/sonar/element", NULL, test_element);
  ES_TEST_ADD_SONAR ("/sonar/result", NULL, test_result);
  ES_TEST_ADD_SONAR ("/sonar/result-bearing", NULL, test_result_bearing);
  ES_TEST_ADD_SONAR ("/sonar/demon", NULL, test_demon);
  ES_TEST_ADD_SONAR ("/sonar/without-bearings", NULL, test_without_bearings);
  ES_TEST_ADD_SONAR ("/sonar/field", NULL, test_field);
  ES_TEST_ADD_SONAR ("/sonar/player", NULL, test_player);
  ES_TEST_ADD_SONAR ("/sonar/day", NULL, test_day);
  ES_TEST_ADD_SONAR ("/sonar/fastest", NULL, test_fastest);
  return g_test_run ();
}
