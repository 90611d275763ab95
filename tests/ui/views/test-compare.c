/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Two pictures compared, the difference of two planes, correlations, and previews smaller than their cube. */

#include "es-test-views.h"

#include <math.h>

#include "viewer/es-compare-difference.h"
#include "viewer/es-compare-sources.h"
#include "viewer/es-compare-view.h"
#include "image/es-display.h"
#include "layer/es-layer-internal.h"
#include "viewer/es-match-view.h"
#include "charts/es-matrix-view.h"

typedef struct
{
  Fixture    views;
  EsSession *session;
  EsResult  *result;
} Compare;

static EsCompareView *
compare_of (Compare *fixture)
{
  return ES_COMPARE_VIEW (es_views_find (GTK_WIDGET (fixture->views.viewer), ES_TYPE_COMPARE_VIEW));
}

static EsImageView *
view_of (Compare *fixture, EsComparePicture which)
{
  return es_compare_view_get_view (compare_of (fixture), which);
}

static void
set_up (Compare *fixture, gconstpointer data)
{
  es_views_set_up (&fixture->views, NULL);
  fixture->session = es_session_new ();
  fixture->result = es_test_cube_pca (fixture->views.test, 0.999, NULL);
  es_viewer_set_session (fixture->views.viewer, fixture->session);
  es_session_add_dataset (fixture->session, ES_DATASET (fixture->views.test->cube));
  es_session_add_result (fixture->session, fixture->result);
  es_viewer_show_result (fixture->views.viewer, fixture->result, NULL, NULL);
  es_views_settle (&fixture->views);
}

static void
tear_down (Compare *fixture, gconstpointer data)
{
  g_clear_object (&fixture->session);
  g_clear_object (&fixture->result);
  es_views_tear_down (&fixture->views, NULL);
}

static EsImageStack *
components_of (Compare *fixture)
{
  return ES_IMAGE_STACK (es_result_find_layer (fixture->result, "components"));
}

static void
set_mode (Compare *fixture, const char *mode)
{
  g_object_set (fixture->views.viewer, "compare-mode", mode, NULL);
  es_views_settle (&fixture->views);
}

static void
assert_same_place (Compare *fixture, EsComparePicture other)
{
  EsViewport left, right;

  es_image_view_get_viewport (view_of (fixture, ES_COMPARE_LEFT), &left);
  es_image_view_get_viewport (view_of (fixture, other), &right);
  g_assert_cmpfloat_with_epsilon (left.zoom, right.zoom, 1e-12);
  g_assert_cmpfloat_with_epsilon (left.left, right.left, 1e-9);
  g_assert_cmpfloat_with_epsilon (left.top, right.top, 1e-9);
}

/* ---- the difference itself ---- */

static void
test_difference_values (void)
{
  const float first[5] = { 1, 2, 3, NAN, 5 }, second[5] = { -2, -4, -6, 7, -10 }, flat[5] = { 4, 4, 4, 4, 4 };
  float difference[5];
  EsDifference answer = { 0 };

  es_difference_compute (first, second, 5, FALSE, difference, &answer);
  g_assert_cmpuint (answer.n_valid, ==, 4);
  g_assert_cmpfloat_with_epsilon (answer.correlation, -1, 1e-12);
  g_assert_false (answer.standardised);
  g_assert_cmpfloat (difference[0], ==, 3);
  g_assert_cmpfloat (difference[4], ==, 15);
  g_assert_true (isnan (difference[3]));

  /* One is a multiple of the other: standardised and with its sign matched nothing is left. */
  es_difference_compute (first, second, 5, TRUE, difference, &answer);
  g_assert_true (answer.standardised && answer.reversed);
  for (guint i = 0; i < 5; i++)
    if (i != 3)
      g_assert_cmpfloat_with_epsilon (difference[i], 0, 1e-6);

  es_difference_compute (first, flat, 5, TRUE, difference, &answer);
  g_assert_true (isnan (answer.correlation));
  g_assert_false (answer.standardised);
  g_assert_cmpfloat (difference[1], ==, -2);
}

/* ---- two pictures ---- */

static void
test_side (Compare *fixture, gconstpointer data)
{
  EsImageView *left = view_of (fixture, ES_COMPARE_LEFT), *right = view_of (fixture, ES_COMPARE_RIGHT);
  g_autofree char *status = NULL;
  gboolean comparing;
  guint x, y;

  es_viewer_select_pixel (fixture->views.viewer, 30, 20);
  g_object_set (fixture->views.viewer, "comparing", TRUE, NULL);
  es_views_settle (&fixture->views);
  g_assert_cmpint (es_compare_view_get_mode (compare_of (fixture)), ==, ES_COMPARE_SIDE);
  /* Beside a result lies its cube, in three bands. */
  g_assert_true (es_viewer_get_beside (fixture->views.viewer) == G_OBJECT (fixture->views.test->cube));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (right)));
  g_assert_cmpuint (es_picture_get_n_planes (es_image_view_get_picture (right)), ==, 3);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (left)), ==, gtk_widget_get_width (GTK_WIDGET (right)));
  assert_same_place (fixture, ES_COMPARE_RIGHT);
  g_assert_true (es_image_view_get_selected (right, &x, &y));
  g_assert_cmpuint (x, ==, 30);
  es_views_screenshot (fixture->views.window, "compare-side");

  /* Either leads. */
  es_image_view_set_zoom (left, 7);
  assert_same_place (fixture, ES_COMPARE_RIGHT);
  es_image_view_zoom_by (right, 0.5);
  assert_same_place (fixture, ES_COMPARE_RIGHT);
  es_image_view_fit (right);
  g_assert_true (es_image_view_get_fit (left));
  es_image_view_select (right, 50, 40);
  g_assert_true (es_image_view_get_selected (left, &x, &y));
  g_assert_cmpuint (x, ==, 50);
  g_assert_cmpuint (y, ==, 40);
  es_views_settle (&fixture->views);
  status = es_views_get_status (&fixture->views);
  g_test_message ("%s", status);
  g_assert_nonnull (strstr (status, "right R "));
  g_assert_nonnull (strstr (es_compare_view_get_caption (compare_of (fixture), ES_COMPARE_RIGHT), "R "));
  es_image_view_unselect (left);
  g_assert_false (es_image_view_get_selected (right, &x, &y));

  es_views_activate (&fixture->views, "view.compare");
  es_views_settle (&fixture->views);
  g_object_get (fixture->views.viewer, "comparing", &comparing, NULL);
  g_assert_false (comparing);
  g_assert_false (gtk_widget_get_mapped (GTK_WIDGET (right)));
  g_assert_null (es_viewer_get_beside (fixture->views.viewer));
}

/* Two planes of one stack, each with its own. */
static void
test_one_stack (Compare *fixture, gconstpointer data)
{
  EsImageStack *stack = components_of (fixture);
  EsPicture *right = es_image_view_get_picture (view_of (fixture, ES_COMPARE_RIGHT));

  g_assert_true (es_viewer_show_beside (fixture->views.viewer, G_OBJECT (stack), 1));
  es_views_settle (&fixture->views);
  g_assert_cmpuint (es_views_get_plane (&fixture->views), ==, 0);
  g_assert_cmpfloat (es_picture_get_sample (right, 0, 50.5, 20.5), ==, es_image_stack_peek (stack, 1)[20 * 96 + 50]);
  g_object_set (fixture->views.viewer, "plane", 1, NULL);
  es_views_settle (&fixture->views);
  g_assert_true (es_viewer_show_beside (fixture->views.viewer, G_OBJECT (stack), 0));
  es_views_settle (&fixture->views);
  g_assert_cmpuint (es_views_get_plane (&fixture->views), ==, 1);
  g_assert_cmpfloat (es_picture_get_sample (right, 0, 50.5, 20.5), ==, es_image_stack_peek (stack, 0)[20 * 96 + 50]);
}

static void
test_swipe_and_blink (Compare *fixture, gconstpointer data)
{
  EsCompareView *compare = compare_of (fixture);
  gint64 until;

  set_mode (fixture, "swipe");
  es_compare_view_set_divider (compare, 0.3);
  es_views_settle (&fixture->views);
  assert_same_place (fixture, ES_COMPARE_RIGHT);
  g_assert_cmpint (gtk_widget_get_width (GTK_WIDGET (view_of (fixture, ES_COMPARE_RIGHT))), ==,
                   gtk_widget_get_width (GTK_WIDGET (compare)));
  es_views_screenshot (fixture->views.window, "compare-swipe");

  es_compare_view_set_interval (compare, 50);
  set_mode (fixture, "blink");
  until = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  while (es_compare_view_get_shown (compare) != ES_COMPARE_RIGHT && g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (es_compare_view_get_shown (compare), ==, ES_COMPARE_RIGHT);
  es_compare_view_set_paused (compare, TRUE);
  until = g_get_monotonic_time () + G_USEC_PER_SEC / 4;
  while (g_get_monotonic_time () < until)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (es_compare_view_get_shown (compare), ==, ES_COMPARE_RIGHT);
  es_views_screenshot (fixture->views.window, "compare-blink");
}

static void
test_difference (Compare *fixture, gconstpointer data)
{
  EsPicture *difference = es_image_view_get_picture (view_of (fixture, ES_COMPARE_BOTH));
  g_autofree char *status = NULL;

  /* A composite is no single plane: said, not shown. */
  set_mode (fixture, "difference");
  g_assert_true (es_picture_is_empty (difference));
  es_views_screenshot (fixture->views.window, "compare-rgb-difference");

  g_assert_true (es_viewer_show_beside (fixture->views.viewer, G_OBJECT (components_of (fixture)), 1));
  es_views_settle (&fixture->views);
  g_assert_false (es_picture_is_empty (difference));
  g_assert_cmpint (es_picture_get_colormap (difference), ==, ES_COLORMAP_DIVERGING);
  assert_same_place (fixture, ES_COMPARE_BOTH);
  g_assert_nonnull (strstr (es_compare_view_get_caption (compare_of (fixture), ES_COMPARE_BOTH), "r = "));
  es_image_view_select (view_of (fixture, ES_COMPARE_BOTH), 10, 12);
  es_views_settle (&fixture->views);
  status = es_views_get_status (&fixture->views);
  g_assert_nonnull (strstr (status, "difference "));
  es_views_screenshot (fixture->views.window, "compare-difference");

  /* A plane less itself. */
  g_assert_true (es_viewer_show_beside (fixture->views.viewer, G_OBJECT (components_of (fixture)), 0));
  es_views_settle (&fixture->views);
  g_assert_cmpfloat (es_picture_get_sample (difference, 0, 10.5, 12.5), ==, 0);
}

static void
test_refused (Compare *fixture, gconstpointer data)
{
  g_autoptr (EsImageStack) small = es_image_stack_new ("small", "Small", 20, 10, 1, 0, NULL, NULL);
  g_autoptr (EsPlaneSource) one = es_plane_source_new_for_stack (small);
  g_autoptr (EsPlaneSource) other = es_plane_source_new_for_cube (fixture->views.test->cube);
  g_autofree char *why = NULL;

  g_assert_false (es_compare_can_pair (one, other, &why));
  g_assert_cmpstr (why, ==, "Only pictures of one size can be compared: this one has 20 × 10 pixels, the other one "
                            "96 × 80.");
  /* What is in no session is not there. */
  g_assert_false (es_viewer_show_beside (fixture->views.viewer, G_OBJECT (small), 0));
}

/* The second picture goes with its result; its successor takes its place. */
static void
test_replaced (Compare *fixture, gconstpointer data)
{
  g_autoptr (EsResult) fewer = es_test_cube_pca (fixture->views.test, 0.9, fixture->result);

  es_viewer_show_dataset (fixture->views.viewer, ES_DATASET (fixture->views.test->cube));
  g_assert_true (es_viewer_show_beside (fixture->views.viewer, G_OBJECT (components_of (fixture)), 0));
  es_views_settle (&fixture->views);
  es_session_add_result (fixture->session, fewer);
  es_session_remove_result (fixture->session, fixture->result);
  es_views_settle (&fixture->views);
  g_assert_true (es_viewer_get_beside (fixture->views.viewer) == G_OBJECT (es_result_find_layer (fewer,
                                                                                                 "components")));
  es_session_remove_result (fixture->session, fewer);
  es_views_settle (&fixture->views);
  g_assert_true (es_viewer_get_beside (fixture->views.viewer) == G_OBJECT (fixture->views.test->cube));
}

/* ---- correlations ---- */

static void
test_correlations (Compare *fixture, gconstpointer data)
{
  EsMatchView *matches = ES_MATCH_VIEW (es_views_find (GTK_WIDGET (fixture->views.viewer), ES_TYPE_MATCH_VIEW));
  EsMatrixView *matrix = es_match_view_get_matrix_view (matches);
  guint n = es_image_stack_get_planes (components_of (fixture));

  g_assert_true (es_viewer_show_beside (fixture->views.viewer, G_OBJECT (components_of (fixture)), 0));
  es_views_activate (&fixture->views, "view.correlate");
  es_views_settle (&fixture->views);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (matrix)));
  g_assert_cmpuint (es_matrix_get_n_rows (es_matrix_view_get_matrix (matrix)), ==, n);
  /* Components with themselves: each with its own. */
  g_assert_cmpuint (es_match_view_get_n_matches (matches), ==, n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat_with_epsilon (es_matrix_get_values (es_matrix_view_get_matrix (matrix))[i * n + i], 1, 1e-6);
  es_views_screenshot (fixture->views.window, "correlations");

  g_signal_emit_by_name (matrix, "cell-activated", 1, 0);
  es_views_settle (&fixture->views);
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (view_of (fixture, ES_COMPARE_RIGHT))));
  g_assert_cmpuint (es_views_get_plane (&fixture->views), ==, 1);
  g_assert_true (es_viewer_get_beside (fixture->views.viewer) == G_OBJECT (components_of (fixture)));
}

static void
test_truth (Compare *fixture, gconstpointer data)
{
  EsMatchView *matches = ES_MATCH_VIEW (es_views_find (GTK_WIDGET (fixture->views.viewer), ES_TYPE_MATCH_VIEW));
  EsMatrixView *matrix = es_match_view_get_matrix_view (matches);
  g_autofree char *title = NULL;

  /* Without a second picture it is the truth that a simulated cube has beside it. */
  es_views_activate (&fixture->views, "view.correlate");
  es_views_settle (&fixture->views);
  g_assert_nonnull (es_matrix_view_get_matrix (matrix));
  title = g_strdup (es_matrix_get_columns_title (es_matrix_view_get_matrix (matrix)));
  g_assert_nonnull (strstr (title, "True abundances"));
  es_views_screenshot (fixture->views.window, "truth");
}

static void
test_matrix (Compare *fixture, gconstpointer data)
{
  const double values[6] = { 0.5, -1, NAN, 0, 0.25, 1 };
  const char *rows[2] = { "IC 1", "IC, 2" }, *columns[3] = { "a", "b", "c" };
  g_autoptr (EsMatrix) matrix = es_matrix_new ("correlations", "Correlations", 2, 3, values, rows, columns);
  GtkWidget *window = gtk_window_new ();
  EsMatrixView *view = ES_MATRIX_VIEW (es_matrix_view_new ());
  g_autofree char *text = NULL;
  g_autofree char *described = NULL;
  guint row = 9, column = 9, hits = 0;

  gtk_window_set_default_size (GTK_WINDOW (window), 500, 360);
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (view));
  es_matrix_view_set_matrix (view, matrix);
  es_matrix_view_set_matches (view, (int[]) { 1, 2 });
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (GTK_WIDGET (view)) || gtk_widget_get_width (GTK_WIDGET (view)) == 0)
    g_main_context_iteration (NULL, TRUE);
  es_views_screenshot (window, "matrix");

  for (int y = 0; y < 360; y += 4)
    for (int x = 0; x < 500; x += 4)
      hits += es_matrix_view_pick (view, x, y, &row, &column);
  g_assert_cmpuint (hits, >, 6);
  g_assert_cmpuint (row, <, 2);
  g_assert_cmpuint (column, <, 3);
  described = es_matrix_view_describe (view, 0, 1);
  g_assert_nonnull (strstr (described, "IC 1 · b"));
  g_assert_nonnull (strstr (described, "matched"));
  text = es_matrix_view_to_text (view, ',');
  g_assert_cmpstr (text, ==, ",a,b,c\nIC 1,0.5,-1,\n\"IC, 2\",0,0.25,1\n");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* ---- previews ---- */

static void
test_preview (Compare *fixture, gconstpointer data)
{
  EsImageView *image = view_of (fixture, ES_COMPARE_LEFT);
  EsPicture *picture = es_image_view_get_picture (image);
  g_autofree float *values = g_new (float, 48 * 40);

  es_image_view_set_zoom (image, 5);
  for (guint i = 0; i < 48 * 40; i++)
    values[i] = (float) i;
  for (guint step = 1; step <= 3; step++)
    {
      g_autofree char *title = g_strdup_printf ("IC 1, step %u", step);
      g_autoptr (EsImageStack) stack = es_image_stack_new ("components", "Components", 48, 40, 1, 0, NULL, NULL);
      gint64 until = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

      es_image_stack_set_plane (stack, 0, title, NAN);
      g_assert_true (es_image_stack_write (stack, 0, 0, 48, 40, values, 48 * 40, NULL));
      es_viewer_show_preview (fixture->views.viewer, stack);
      while (strstr (es_compare_view_get_caption (compare_of (fixture), ES_COMPARE_LEFT), title) == NULL
             && g_get_monotonic_time () < until)
        g_main_context_iteration (NULL, TRUE);
      es_views_assert_caption_says (&fixture->views, title);
    }
  /* It lies where the cube does. */
  g_assert_cmpuint (es_picture_get_width (picture), ==, 96);
  g_assert_cmpuint (es_picture_get_height (picture), ==, 80);
  g_assert_cmpuint (es_picture_get_step (picture), ==, 2);
  g_assert_cmpfloat (es_picture_get_sample (picture, 0, 95.5, 79.5), ==, 48 * 40 - 1);
  g_assert_cmpfloat (es_image_view_get_zoom (image), ==, 5);
  es_viewer_end_preview (fixture->views.viewer);
  es_views_settle (&fixture->views);
  g_assert_cmpfloat (es_image_view_get_zoom (image), ==, 5);
  g_assert_cmpuint (es_picture_get_step (picture), ==, 1);
}

static void
test_hints (Compare *fixture, gconstpointer data)
{
  static const struct { EsImageHint hint; EsColormap colormap; gboolean symmetric; } looks[] = {
    { ES_IMAGE_HINT_NONE, ES_COLORMAP_GRAY, FALSE },
    { ES_IMAGE_HINT_DIVERGING, ES_COLORMAP_DIVERGING, TRUE },
    { ES_IMAGE_HINT_SEQUENTIAL, ES_COLORMAP_VIRIDIS, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (looks); i++)
    {
      g_autoptr (EsImageStack) stack = es_image_stack_new ("error", "Error", 4, 2, 1, 0, NULL, NULL);
      g_autoptr (EsDisplay) display = es_display_new ();
      g_autoptr (EsPicture) picture = es_picture_new ();
      const float values[8] = { 2, 3, 4, 5, 6, 7, 8, 9 };
      g_autoptr (EsPlaneSource) source = NULL;
      g_autoptr (GBytes) bytes = NULL;
      double low, high;

      es_image_stack_set_hint (stack, looks[i].hint);
      g_assert_true (es_image_stack_write (stack, 0, 0, 4, 2, values, 8, NULL));
      source = es_plane_source_new_for_stack (stack);
      bytes = es_plane_source_read (source, 0, 1, NULL, NULL);
      es_display_set_source (display, source, NULL);
      g_assert_cmpint (es_display_get_colormap (display), ==, looks[i].colormap);
      g_assert_cmpint (es_display_get_symmetric (display), ==, looks[i].symmetric);
      es_picture_set_planes (picture, 1, &bytes, 4, 2, 1, 4, 2);
      es_display_apply_look (display, picture);
      es_picture_get_stretch (picture, 0, &low, &high);
      if (looks[i].hint == ES_IMAGE_HINT_SEQUENTIAL)
        g_assert_cmpfloat (low, ==, 0);
      else if (looks[i].symmetric)
        g_assert_cmpfloat (low, ==, -high);
      else
        g_assert_cmpfloat (low, >=, 2);
    }
}

int
main (int argc, char **argv)
{
  es_views_init (&argc, &argv);

  g_test_add_func ("/compare/difference-values", test_difference_values);
#define ADD_COMPARE(path, function) g_test_add (path, Compare, NULL, set_up, function, tear_down)
  ADD_COMPARE ("/compare/side", test_side);
  ADD_COMPARE ("/compare/one-stack", test_one_stack);
  ADD_COMPARE ("/compare/swipe-and-blink", test_swipe_and_blink);
  ADD_COMPARE ("/compare/difference", test_difference);
  ADD_COMPARE ("/compare/refused", test_refused);
  ADD_COMPARE ("/compare/replaced", test_replaced);
  ADD_COMPARE ("/compare/correlations", test_correlations);
  ADD_COMPARE ("/compare/truth", test_truth);
  ADD_COMPARE ("/compare/matrix", test_matrix);
  ADD_COMPARE ("/compare/preview", test_preview);
  ADD_COMPARE ("/compare/hints", test_hints);
  return g_test_run ();
}
