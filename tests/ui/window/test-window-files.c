/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The window: saving, commands, files that are wrong, several files, and scenes. */

#include <glib/gstdio.h>
#include <matio.h>

#include "readers/es-open.h"
#include "window/es-data-tree.h"
#include "files/es-open-dialog.h"
#include "es-test-shell.h"
#include "files/es-welcome.h"

/* ---- tests ---- */

static gboolean
has_saved (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "saved") != NULL;
}

static void
assert_files (const char *folder, const char * const *names)
{
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *path = g_build_filename (folder, names[i], NULL);
      GStatBuf status;

      if (g_stat (path, &status) != 0)
        g_error ("%s was not written", path);
      g_assert_cmpint (status.st_size, >, 0);
    }
}

static void
save_to (EsWindow *window, EsSaveKind kind, const char *path)
{
  g_autoptr (GFile) target = g_file_new_for_path (path);

  g_assert_true (es_window_save (window, kind, target));
  ES_TEST_WAIT (es_test_is_idle, window);
}

static void
test_save (void)
{
  static const char * const stacks[] = { "pc.img", "pc.hdr", "pc.tif", NULL };
  static const char * const tables[] = { "eigenvalues.csv", "loadings.csv", "steps.csv", NULL };
  static const char * const plots[] = { "eigenvalues.pdf", "loadings.pdf", "eigenvalues.svg", "eigenvalues.png", NULL };
  static const char * const all[] = { "result.json", "components.img", "components.hdr", NULL };
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  g_autofree char *folder = g_build_filename (es_test_folder (), "saved", NULL);
  g_autofree char *envi = g_build_filename (folder, "pc.img", NULL);
  g_autofree char *geotiff = g_build_filename (folder, "pc.tif", NULL);
  g_autofree char *table_folder = g_build_filename (folder, "tables", NULL);
  g_autofree char *plot_folder = g_build_filename (folder, "plots", NULL);
  g_autofree char *all_folder = g_build_filename (folder, "all", NULL);
  g_autofree char *nowhere = g_build_filename (folder, "no such folder", "pc.img", NULL);
  g_autoptr (GFile) unused = g_file_new_for_path (envi);

  g_assert_false (es_window_save (window, ES_SAVE_STACK_ENVI, unused));
  es_test_run_and_wait (window);
  g_mkdir (folder, 0700);
  save_to (window, ES_SAVE_STACK_ENVI, envi);
  ES_TEST_WAIT (has_saved, window);
  save_to (window, ES_SAVE_STACK_GEOTIFF, geotiff);
  assert_files (folder, stacks);
  save_to (window, ES_SAVE_TABLES, table_folder);
  assert_files (table_folder, tables);
  save_to (window, ES_SAVE_PLOTS_PDF, plot_folder);
  save_to (window, ES_SAVE_PLOTS_SVG, plot_folder);
  save_to (window, ES_SAVE_PLOTS_PNG, plot_folder);
  assert_files (plot_folder, plots);
  save_to (window, ES_SAVE_ALL, all_folder);
  assert_files (all_folder, all);

  /* Opened again, in this window and in an empty one: beside the data set that is there, or with it. */
  g_autofree char *json = g_build_filename (all_folder, "result.json", NULL);
  g_autoptr (GFile) saved = g_file_new_for_path (json);
  EsDataset *dataset = es_viewer_get_dataset (es_test_viewer (window));
  EsWindow *empty = es_test_window_with (NULL);
  es_window_open (window, &saved, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_results (es_window_get_session (window), dataset)), ==, 2);
  es_window_open (empty, &saved, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, empty);
  g_assert_nonnull (es_viewer_get_result (es_test_viewer (empty)));
  es_test_close (empty);

  save_to (window, ES_SAVE_STACK_ENVI, nowhere);
  g_assert_false (g_file_test (nowhere, G_FILE_TEST_EXISTS));
  es_test_close (window);
}

static void
test_suggested_names (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsResult *result = es_test_run_and_wait (window);
  g_autofree char *envi = es_save_suggest (ES_SAVE_STACK_ENVI, result, NULL);
  g_autofree char *geotiff = es_save_suggest (ES_SAVE_STACK_GEOTIFF, result, NULL);
  g_autofree char *folder = es_save_suggest (ES_SAVE_ALL, result, NULL);

  g_assert_cmpstr (envi, ==, "scene-pca-components.img");
  g_assert_cmpstr (geotiff, ==, "scene-pca-components.tif");
  g_assert_cmpstr (folder, ==, "scene-pca");
  es_test_close (window);
}

static gboolean
has_command (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "Command copied") != NULL;
}

static void
on_text_read (GObject *source, GAsyncResult *result, gpointer data)
{
  *(char **) data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

static gboolean
has_text (gpointer data)
{
  return *(char **) data != NULL;
}

static void
test_copy_command (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsResult *result = es_test_run_and_wait (window);
  g_autofree char *expected = es_result_to_command (result);
  g_autofree char *text = NULL;

  es_test_activate (window, "copy-command");
  ES_TEST_WAIT (has_command, window);
  gdk_clipboard_read_text_async (gtk_widget_get_clipboard (GTK_WIDGET (window)), NULL, on_text_read, &text);
  ES_TEST_WAIT (has_text, &text);
  g_assert_cmpstr (text, ==, expected);
  g_assert_true (g_str_has_prefix (text, "eigenscope-batch run pca "));
  es_test_close (window);
}

static GFile *
bad_file (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "bad & <odd>.hdr", NULL);

  g_assert_true (g_file_set_contents (path, "ENVI\nsamples = -3\n", -1, NULL));
  return g_file_new_for_path (path);
}

static gboolean
has_sentence (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "bad & <odd>") != NULL;
}

static gboolean
has_dialog (gpointer unused)
{
  return es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG) != NULL;
}

static void
test_bad_file (void)
{
  g_autoptr (GFile) file = bad_file ();
  g_autoptr (EsDataset) none = NULL;
  g_autoptr (GError) error = NULL;
  EsWindow *window = es_test_window_with (NULL);
  GtkWidget *dialog;

  none = es_dataset_open (file, NULL, NULL, &error);
  g_assert_null (none);

  /* Given: a toast, and the whole sentence in it. */
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (has_sentence, window);
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "bad & <odd>"))),
                   ==, error->message);
  g_assert_null (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG));

  /* Chosen: a dialog. */
  es_window_open (window, &file, 1, ES_OPEN_CHOSEN);
  ES_TEST_WAIT (has_dialog, NULL);
  dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);
  g_assert_cmpstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog)), ==, error->message);
  gtk_window_close (GTK_WINDOW (dialog));

  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))), ==, 0);
  es_test_close (window);
}

/* 2-D, pixels by bands: 12 x 10 pixels of 7 bands. */
static GFile *
matlab_file (void)
{
  g_autofree char *path = g_build_filename (es_test_folder (), "plane.mat", NULL);
  size_t dims[2] = { 120, 7 };
  double values[120 * 7];
  mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT5);
  matvar_t *variable;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    values[i] = i % 97;
  variable = Mat_VarCreate ("X", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, dims, values, 0);
  g_assert_cmpint (Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE), ==, 0);
  Mat_VarFree (variable);
  Mat_Close (file);
  return g_file_new_for_path (path);
}

static void
test_matlab_shape (void)
{
  g_autoptr (GFile) file = matlab_file ();
  EsWindow *window = es_test_window_with (NULL);
  EsCube *cube;
  GtkWidget *dialog, *width;

  es_window_open (window, &file, 1, ES_OPEN_CHOSEN);
  ES_TEST_WAIT (has_dialog, NULL);
  dialog = es_test_find_toplevel (ES_TYPE_OPEN_DIALOG);
  g_assert_nonnull (dialog);
  g_assert_cmpint (es_open_dialog_get_width (ES_OPEN_DIALOG (dialog))
                   * es_open_dialog_get_height (ES_OPEN_DIALOG (dialog)), ==, 120);

  /* A width that leaves no whole height cannot be opened; one that does fills it in. */
  width = es_test_find (dialog, GTK_TYPE_SPIN_BUTTON, NULL);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (width), 11);
  g_assert_false (adw_message_dialog_get_response_enabled (ADW_MESSAGE_DIALOG (dialog), "open"));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (width), 15);
  g_assert_true (adw_message_dialog_get_response_enabled (ADW_MESSAGE_DIALOG (dialog), "open"));
  g_assert_cmpint (es_open_dialog_get_height (ES_OPEN_DIALOG (dialog)), ==, 8);
  g_signal_emit_by_name (gtk_widget_get_ancestor (es_test_find (dialog, GTK_TYPE_LABEL, "_Open"), GTK_TYPE_BUTTON),
                         "clicked");
  ES_TEST_WAIT (es_test_is_idle, window);
  cube = ES_CUBE (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_nonnull (cube);
  g_assert_cmpuint (es_cube_get_width (cube), ==, 15);
  g_assert_cmpuint (es_cube_get_height (cube), ==, 8);
  g_assert_cmpuint (es_cube_get_bands (cube), ==, 7);
  es_test_close (window);
}

static void
test_several_files (void)
{
  g_autoptr (GFile) one = es_test_cube ("scene.img", 3);
  g_autoptr (GFile) two = es_test_cube ("a second scene with a name that is longer than any column is wide.img", 4);
  GFile *files[] = { one, two, one };
  EsWindow *window = es_test_window_with (NULL);
  EsSession *session = es_window_get_session (window);
  g_autoptr (EsDataset) left = NULL;

  es_window_open (window, files, G_N_ELEMENTS (files), ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  /* A file that is open already is shown again, not opened twice. */
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (session)), ==, 2);
  g_assert_cmpuint (es_data_tree_get_n_rows (es_test_tree (window)), ==, 2);

  es_test_activate (window, "remove");
  g_assert_cmpuint (g_list_model_get_n_items (es_session_get_datasets (session)), ==, 1);
  left = g_list_model_get_item (es_session_get_datasets (session), 0);
  g_assert_true (es_viewer_get_dataset (es_test_viewer (window)) == left);
  es_test_activate (window, "remove");
  g_assert_true (gtk_widget_get_mapped (es_test_find (GTK_WIDGET (window), ES_TYPE_WELCOME, NULL)));
  g_assert_false (es_test_enabled (window, "remove"));
  g_assert_false (es_test_enabled (window, "run"));
  es_test_close (window);
}

static void
test_simulate (void)
{
  EsWindow *window = es_test_window_with (NULL);

  es_test_activate (window, "simulate");
  g_assert_true (es_test_enabled (window, "cancel"));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (es_viewer_get_dataset (es_test_viewer (window)));
  es_test_close (window);
}

static void
test_run_on_open (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autoptr (EsOpenRequest) request = es_open_request_new (&file, 1, ES_OPEN_GIVEN);
  EsWindow *window = es_test_window_with (NULL);

  request->operation = g_strdup ("pca");
  es_window_open_request (window, request);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (es_viewer_get_result (es_test_viewer (window)));
  es_test_close (window);
}

/* What is to happen with one file does not happen with another that comes sooner, nor does it wait for a next one. */
static void
test_two_openings (void)
{
  g_autoptr (GFile) missing = g_file_new_for_path ("/nowhere/missing.img");
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autoptr (EsOpenRequest) request = es_open_request_new (&missing, 1, ES_OPEN_GIVEN);
  EsWindow *window = es_test_window_with (NULL);

  request->operation = g_strdup ("pca");
  es_window_open_request (window, request);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_nonnull (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_null (es_viewer_get_result (es_test_viewer (window)));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();

  g_test_add_func ("/shell/save", test_save);
  g_test_add_func ("/shell/suggested-names", test_suggested_names);
  g_test_add_func ("/shell/copy-command", test_copy_command);
  g_test_add_func ("/shell/bad-file", test_bad_file);
  g_test_add_func ("/shell/matlab-shape", test_matlab_shape);
  g_test_add_func ("/shell/several-files", test_several_files);
  g_test_add_func ("/shell/simulate", test_simulate);
  g_test_add_func ("/shell/run-on-open", test_run_on_open);
  g_test_add_func ("/shell/two-openings", test_two_openings);
  return g_test_run ();
}
