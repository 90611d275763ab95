/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Sparse matrices in the window: made by a dialog, opened from files, shown, run on and there again. */

#include <glib/gstdio.h>

#include "charts/es-plot-view.h"
#include "charts/es-table-view.h"
#include "es-test-shell.h"
#include "files/es-welcome.h"
#include "keeping/es-session-file.h"
#include "lab/matrix/es-matrix-bars.h"
#include "lab/matrix/es-matrix-dialog.h"
#include "lab/matrix/es-matrix-live.h"
#include "lab/matrix/es-matrix-workspace.h"
#include "lab/matrix/es-spy-view.h"
#include "matrix/es-sparse-matrix.h"
#include "window/es-window-private.h"

static EsMatrixWorkspace *
matrices_of (EsWindow *window)
{
  return ES_MATRIX_WORKSPACE (es_window_get_workspace (window, ES_TYPE_MATRIX_WORKSPACE));
}

static EsShown *
shown_of (EsWindow *window)
{
  return es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_MATRIX_WORKSPACE));
}

static EsWindow *
make_matrix (const char *name)
{
  EsWindow *window = es_test_window_with (NULL);

  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.make-matrix", "s", name));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (ES_IS_SPARSE_MATRIX (es_shown_get_dataset (shown_of (window))));
  return window;
}

static GFile *
write_file (const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (es_test_folder (), name, NULL);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  return g_file_new_for_path (path);
}

static gboolean
is_whole (gpointer window)
{
  EsMatrixPage *page = es_matrix_workspace_get_page (matrices_of (window));
  GtkWidget *spy = page != NULL ? es_test_find (GTK_WIDGET (page), ES_TYPE_SPY_VIEW, NULL) : NULL;

  return spy != NULL && es_spy_view_is_drawn (ES_SPY_VIEW (spy))
         && es_test_find (GTK_WIDGET (page), ES_TYPE_PLOT_VIEW, NULL) != NULL;
}

static gboolean
has_matrix (gpointer window)
{
  return es_test_is_idle (window) && es_shown_get_dataset (shown_of (window)) != NULL;
}

/* Until what has come is laid out, too. */
static void
settle (EsWindow *window)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (window));
  const gint64 latest = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  const gint64 last = gdk_frame_clock_get_frame_counter (clock) + 3;

  while (gdk_frame_clock_get_frame_counter (clock) < last)
    {
      g_assert_cmpint (g_get_monotonic_time (), <, latest);
      gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_LAYOUT);
      g_main_context_iteration (NULL, TRUE);
    }
}

/* The welcome offers it; the dialog says what it will be, and what is made is shown under that name. */
static void
test_dialog (void)
{
  EsWindow *window = es_test_window_with (NULL);
  GtkWidget *welcome = es_test_find (GTK_WIDGET (window), ES_TYPE_WELCOME, NULL), *dialog;
  g_autofree char *name = NULL;

  g_assert_nonnull (es_test_find (welcome, GTK_TYPE_LABEL, "New _Matrix"));
  es_window_complete (window);
  es_test_activate (window, "new-matrix");
  dialog = es_test_find_toplevel (ES_TYPE_MATRIX_DIALOG);
  g_assert_nonnull (dialog);
  es_params_set_value (es_matrix_dialog_get_params (ES_MATRIX_DIALOG (dialog)), "width", 30);
  es_params_set_value (es_matrix_dialog_get_params (ES_MATRIX_DIALOG (dialog)), "height", 20);
  name = es_matrix_dialog_get_name (ES_MATRIX_DIALOG (dialog));
  g_assert_cmpstr (name, ==, "poisson2d:30x20:5");
  g_assert_nonnull (es_test_find (dialog, GTK_TYPE_LABEL, name));
  g_assert_nonnull (es_test_find (dialog, GTK_TYPE_LABEL, "600 rows, about 2900 nonzeros"));
  es_matrix_dialog_make (ES_MATRIX_DIALOG (dialog));
  ES_TEST_WAIT (has_matrix, window);
  g_assert_cmpstr (es_dataset_get_name (es_shown_get_dataset (shown_of (window))), ==, name);
  g_assert_cmpuint (es_sparse_matrix_get_n_nonzeros (ES_SPARSE_MATRIX (es_shown_get_dataset (shown_of (window)))), ==,
                    2900);
  ES_TEST_WAIT (is_whole, window);
  g_assert_null (es_test_find_toplevel (ES_TYPE_MATRIX_DIALOG));
  es_test_close (window);
}

/* Every kind has a name that can be made, of the size that was told; what is too large cannot be asked for. */
static void
test_names (void)
{
  g_autoptr (EsParams) params = es_matrix_made_params ();
  const EsParamChoice *kinds = es_param_specs_find (es_params_get_specs (params), "kind")->choices;
  double rows, nonzeros;

  es_params_set_value (params, "width", 13);
  es_params_set_value (params, "height", 7);
  es_params_set_value (params, "side", 6);
  es_params_set_value (params, "n", 500);
  es_params_set_value (params, "spread", 40);
  for (guint turn = 0; turn < 2; turn++)
    for (guint kind = 0; kinds[kind].id != NULL; kind++)
      {
        g_autoptr (GError) error = NULL;
        g_autoptr (EsDataset) matrix = NULL;
        g_autofree char *name = NULL;

        es_params_set_value (params, "kind", kind);
        es_params_set_value (params, "stencil", turn);
        es_params_set_value (params, "stencil-3d", turn);
        es_params_set_value (params, "symmetric", turn);
        es_params_set_value (params, "dominant", !turn);
        es_params_set_value (params, "lower", 2 * turn);
        es_params_set_value (params, "mean", turn == 0 ? 20 : 0);
        es_params_set_value (params, "deviation", turn == 0 ? 3 : 0);
        name = es_matrix_made_name (params);
        g_assert_true (es_sparse_matrix_is_made_name (name));
        matrix = es_sparse_matrix_make (name, NULL, &error);
        g_assert_no_error (error);
        g_assert_cmpstr (es_dataset_get_name (matrix), ==, name);
        if (!es_matrix_made_size (params, &rows, &nonzeros))
          continue;
        g_assert_cmpfloat (rows, ==, (double) es_sparse_matrix_get_n_rows (ES_SPARSE_MATRIX (matrix)));
        if (g_str_has_prefix (kinds[kind].id, "poisson"))
          g_assert_cmpfloat (nonzeros, ==, (double) es_sparse_matrix_get_n_nonzeros (ES_SPARSE_MATRIX (matrix)));
      }
}

static void
test_too_large (void)
{
  EsMatrixDialog *dialog = ES_MATRIX_DIALOG (g_object_ref_sink (es_matrix_dialog_new (NULL)));
  EsParams *params = es_matrix_dialog_get_params (dialog);

  es_params_set_value (params, "width", 100000);
  es_params_set_value (params, "height", 100000);
  gtk_window_present (GTK_WINDOW (dialog));
  g_assert_nonnull (es_test_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "too large"));
  g_assert_false (gtk_widget_get_sensitive (gtk_window_get_default_widget (GTK_WINDOW (dialog))));
  es_params_set_value (params, "height", 10);
  g_assert_true (gtk_widget_get_sensitive (gtk_window_get_default_widget (GTK_WINDOW (dialog))));
  gtk_window_destroy (GTK_WINDOW (dialog));
  g_object_unref (dialog);
}

static const char *symmetric = "%%MatrixMarket matrix coordinate real symmetric\n"
                               "3 3 5\n1 1 4\n2 1 -1\n2 2 4\n3 2 -1\n3 3 4\n";

static void
test_file (void)
{
  g_autoptr (GFile) file = write_file ("chain.mtx", symmetric);
  EsWindow *window = es_test_window_with (NULL);
  EsDataset *dataset;

  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (has_matrix, window);
  dataset = es_shown_get_dataset (shown_of (window));
  g_assert_true (ES_IS_SPARSE_MATRIX (dataset));
  g_assert_cmpuint (es_sparse_matrix_get_n_nonzeros (ES_SPARSE_MATRIX (dataset)), ==, 7);
  ES_TEST_WAIT (is_whole, window);
  g_assert_true (es_test_enabled (window, "save-picture"));
  g_assert_false (es_test_enabled (window, "matrix-back"));
  settle (window);
  es_test_activate (window, "copy-picture");
  es_test_close (window);
}

/* A file that is broken is told by its line, and nobody offers to take its bytes for samples. */
static void
test_broken (void)
{
  g_autoptr (GFile) file = write_file ("broken.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                                     "3 3 2\n1 1 4\n9 1 -1\n");
  EsWindow *window = es_test_window_with (NULL);
  GtkWidget *dialog;

  es_window_open (window, &file, 1, ES_OPEN_CHOSEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_nonnull (dialog);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog)), "broken.mtx"));
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog)), "4"));
  g_assert_false (adw_message_dialog_has_response (ADW_MESSAGE_DIALOG (dialog), "raw"));
  es_test_respond (dialog, "close");
  g_assert_null (es_shown_get_dataset (shown_of (window)));
  es_test_close (window);
}

/* Another kind of data takes the place, and the matrix is there again with what was seen of it. */
static void
test_beside (void)
{
  EsWindow *window = make_matrix ("poisson2d:40x40");
  g_autoptr (GFile) cube = es_test_cube ("a.img", 1);
  EsDataset *matrix = es_shown_get_dataset (shown_of (window));

  ES_TEST_WAIT (is_whole, window);
  es_window_open (window, &cube, 1, ES_OPEN_CHOSEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (es_shown_get_dataset (shown_of (window)) != matrix);
  g_assert_null (es_test_find (GTK_WIDGET (window), ES_TYPE_SPY_VIEW, NULL));
  es_shown_set (shown_of (window), matrix, NULL, NULL);
  ES_TEST_WAIT (is_whole, window);
  es_test_activate (window, "remove");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_null (es_test_find (GTK_WIDGET (window), ES_TYPE_SPY_VIEW, NULL));
  es_test_close (window);
}

static gboolean
has_result (gpointer window)
{
  return es_test_is_idle (window) && es_shown_get_result (shown_of (window)) != NULL;
}

static void
run (EsWindow *window, const char *operation)
{
  g_assert_true (es_test_enabled (window, "run-operation"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.run-operation", "s", operation));
  ES_TEST_WAIT (has_result, window);
  g_assert_cmpstr (es_result_get_operation (es_shown_get_result (shown_of (window)))->id, ==, operation);
}

/* Products in every format: bars with the choice marked, the table, the sentences; and back to the matrix. */
static void
test_products (void)
{
  EsWindow *window = make_matrix ("poisson2d:30x30");
  GtkWidget *page = GTK_WIDGET (es_matrix_workspace_get_page (matrices_of (window))), *bars;
  EsAnalysePanel *analyse = es_shell_get_analyse (es_workspace_get_shell (ES_WORKSPACE (matrices_of (window))));
  g_autofree char *text = NULL;

  /* Not the library's, which waits for processors that others work on. */
  es_params_set_text (es_analyse_panel_get_params_of (analyse, "sparse-products"), "formats",
                      "coo,dia,csr-scalar,csr-vector");
  run (window, "sparse-products");
  bars = es_test_find (page, ES_TYPE_MATRIX_BARS, NULL);
  g_assert_nonnull (bars);
  text = es_matrix_bars_to_text (ES_MATRIX_BARS (bars));
  g_assert_nonnull (strstr (text, ", chosen"));
  g_assert_nonnull (es_test_find (page, ES_TYPE_TABLE_VIEW, NULL));
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, "Chosen by itself"));
  es_test_activate (window, "matrix-back");
  g_assert_null (es_shown_get_result (shown_of (window)));
  g_assert_nonnull (es_test_find (page, ES_TYPE_SPY_VIEW, NULL));
  g_assert_false (es_test_enabled (window, "matrix-back"));
  es_test_close (window);
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

/* Cells that nobody can read but by pointing at them. */
static void
check_is_whole (GtkWidget *page, const char *text)
{
  GtkWidget *label = es_test_find (page, GTK_TYPE_LABEL, text);

  g_assert_nonnull (label);
  g_assert_true (gtk_widget_get_mapped (label));
  g_assert_cmpint (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))), ==, FALSE);
}

/* A system is solved: the residual with its tolerance, what the run cost, how it ended. */
static void
test_solve (void)
{
  EsWindow *window = make_matrix ("poisson2d:30x30");
  GtkWidget *page = GTK_WIDGET (es_matrix_workspace_get_page (matrices_of (window))), *view;
  EsAnalysePanel *analyse;
  g_autofree char *text = NULL;

  analyse = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));
  g_assert_true (es_params_parse (es_analyse_panel_get_params_of (analyse, "sparse-solve"), "compare", "yes", NULL));
  run (window, "sparse-solve");
  view = es_test_find (page, ES_TYPE_PLOT_VIEW, NULL);
  g_assert_nonnull (view);
  g_assert_true (es_plot_is_logarithmic (es_plot_view_get_plot (ES_PLOT_VIEW (view))));
  text = es_plot_to_text (es_plot_view_get_plot (ES_PLOT_VIEW (view)));
  g_assert_nonnull (strstr (text, "Tolerance"));
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, "What was found"));
  g_assert_nonnull (es_test_find (page, ES_TYPE_TABLE_VIEW, NULL));
  settle (window);
  /* Where it was computed, in the first column of many. */
  check_is_whole (page, "One thread of the processor");
  check_is_whole (page, es_device_get_name (es_device_get_cpu ()));
  es_test_activate (window, "copy-picture");
  es_test_close (window);
}

/* Why a format was not measured is longer than a format's name. */
static void
test_notes (void)
{
  EsWindow *window = make_matrix ("random:n=3000,mean=9,deviation=4,seed=5");
  GtkWidget *page = GTK_WIDGET (es_matrix_workspace_get_page (matrices_of (window)));
  EsAnalysePanel *analyse = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));
  EsParams *params = es_analyse_panel_get_params_of (analyse, "sparse-products");
  EsTable *table;

  g_assert_true (es_params_parse (params, "formats", "dia", NULL));
  run (window, "sparse-products");
  settle (window);
  table = ES_TABLE (es_result_find_layer (es_shown_get_result (shown_of (window)), "products"));
  check_is_whole (page, es_table_get_text (table, 0, es_table_get_n_columns (table) - 1));
  es_test_close (window);
}

/* Capitals are wider than the mean letter: a name of them is whole where other columns want the room. */
static void
test_capitals (void)
{
  const char *titles[] = { "Where", "A", "B", "C", "D", "E", "F", "G", "H" };
  const gboolean numeric[] = { FALSE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };
  const char *cells[] = { "AMD WMMW", "100000000", "100000000", "100000000", "100000000", "100000000", "100000000",
                          "100000000", "100000000" };
  EsWindow *window = make_matrix ("poisson2d:3x3");
  GtkWidget *view = es_table_view_new (200);
  GtkWidget *host = gtk_window_new ();

  es_table_view_set_least_text (ES_TABLE_VIEW (view), 48);
  es_table_view_set_cells (ES_TABLE_VIEW (view), G_N_ELEMENTS (titles), titles, numeric, 1, cells);
  gtk_window_set_default_size (GTK_WINDOW (host), 400, 200);
  gtk_window_set_child (GTK_WINDOW (host), view);
  gtk_window_present (GTK_WINDOW (host));
  settle (window);
  ES_TEST_WAIT (is_mapped, view);
  settle (window);
  check_is_whole (view, cells[0]);
  gtk_window_destroy (GTK_WINDOW (host));
  es_test_close (window);
}

static gboolean
grows (gpointer window)
{
  GtkWidget *live = es_test_find (GTK_WIDGET (window), ES_TYPE_MATRIX_LIVE, NULL);
  EsCurve *curve = live != NULL ? es_matrix_live_get_curve (ES_MATRIX_LIVE (live)) : NULL;

  return curve != NULL && es_curve_get_length (curve) > 5;
}

/* While it runs, the residual is seen to fall, also after one has looked elsewhere; cancelled, nothing is left. */
static void
test_live (void)
{
  EsWindow *window = make_matrix ("poisson2d:600x600");
  EsAnalysePanel *analyse = es_shell_get_analyse (es_workspace_get_shell (ES_WORKSPACE (matrices_of (window))));
  EsParams *params = es_analyse_panel_get_params_of (analyse, "sparse-solve");
  EsDataset *matrix = es_shown_get_dataset (shown_of (window));

  g_assert_true (es_params_parse (params, "solver", "jacobi", NULL));
  g_assert_true (es_params_parse (params, "iterations", "10000000", NULL));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.run-operation", "s", "sparse-solve"));
  ES_TEST_WAIT (grows, window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), ES_TYPE_SPY_VIEW, NULL));
  es_shown_set (shown_of (window), NULL, NULL, NULL);
  es_shown_set (shown_of (window), matrix, NULL, NULL);
  ES_TEST_WAIT (grows, window);
  es_test_activate (window, "cancel");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_null (es_test_find (GTK_WIDGET (window), ES_TYPE_MATRIX_LIVE, NULL));
  g_assert_null (es_shown_get_result (shown_of (window)));
  es_params_reset (params);
  es_test_close (window);
}

/* What cannot be solved is said with the reason. */
static void
test_refused (void)
{
  EsWindow *window = make_matrix ("random:rows=40,columns=30,mean=3");
  GtkWidget *page = GTK_WIDGET (es_matrix_workspace_get_page (matrices_of (window)));

  ES_TEST_WAIT (is_whole, window);
  g_assert_nonnull (es_test_find (page, GTK_TYPE_LABEL, "Not square"));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), "win.run-operation", "s", "sparse-solve"));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_null (es_shown_get_result (shown_of (window)));
  g_assert_nonnull (es_test_find (page, ES_TYPE_SPY_VIEW, NULL));
  es_test_close (window);
}

/* A made matrix and what was found of it are there again with the session. */
static void
test_session (void)
{
  EsWindow *window = make_matrix ("poisson2d:12x12");
  g_autofree char *path = g_build_filename (es_test_folder (), "matrix" ES_SESSION_ENDING, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (JsonNode) told = NULL;
  g_autoptr (GError) error = NULL;
  GListModel *results;

  run (window, "sparse-solve");
  told = es_session_file_tell (es_window_get_session (window), NULL, NULL);
  g_assert_true (es_session_file_write (told, file, &error));
  g_assert_no_error (error);
  es_test_close (window);

  window = es_test_window_with (NULL);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (has_matrix, window);
  g_assert_true (ES_IS_SPARSE_MATRIX (es_shown_get_dataset (shown_of (window))));
  g_assert_cmpstr (es_dataset_get_name (es_shown_get_dataset (shown_of (window))), ==, "poisson2d:12x12");
  results = es_session_get_results (es_window_get_session (window), es_shown_get_dataset (shown_of (window)));
  g_assert_cmpuint (g_list_model_get_n_items (results), ==, 1);
  es_test_close (window);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);

  g_test_add_func ("/matrix-window/dialog", test_dialog);
  g_test_add_func ("/matrix-window/names", test_names);
  g_test_add_func ("/matrix-window/too-large", test_too_large);
  g_test_add_func ("/matrix-window/file", test_file);
  g_test_add_func ("/matrix-window/broken", test_broken);
  g_test_add_func ("/matrix-window/beside", test_beside);
  g_test_add_func ("/matrix-window/products", test_products);
  g_test_add_func ("/matrix-window/solve", test_solve);
  g_test_add_func ("/matrix-window/notes", test_notes);
  g_test_add_func ("/matrix-window/capitals", test_capitals);
  g_test_add_func ("/matrix-window/live", test_live);
  g_test_add_func ("/matrix-window/refused", test_refused);
  g_test_add_func ("/matrix-window/session", test_session);
  return g_test_run ();
}
