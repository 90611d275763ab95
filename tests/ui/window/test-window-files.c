/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The window: saving, commands, files that are wrong, several files, and scenes. */

#include <glib/gstdio.h>
#include <matio.h>
#include <unistd.h>

#include "readers/es-open.h"
#include "window/es-data-tree.h"
#include "files/es-open-dialog.h"
#include "files/es-saver.h"
#include "es-test-shell.h"
#include "files/es-welcome.h"
#include "viewer/es-viewer-private.h"

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
save_into (EsWindow *window, EsSaveKind kind, const char *folder)
{
  g_autoptr (GFile) parent = g_file_new_for_path (folder);
  EsWorkspace *workspace = es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE);

  g_assert_true (es_saver_save_into (es_workspace_get_shell (workspace), kind, parent));
  ES_TEST_WAIT (es_test_is_idle, window);
}

/* Whatever is saved into a folder gets one of its own there: an earlier result, and what is not ours, stays. */
static void
test_save_into (void)
{
  static const char * const all[] = { "result.json", "components.img", "components.hdr", NULL };
  static const char * const tables[] = { "eigenvalues.csv", "loadings.csv", "steps.csv", NULL };
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  g_autofree char *parent = g_build_filename (es_test_folder (), "parent", NULL);
  g_autofree char *first = g_build_filename (parent, "scene-pca", NULL);
  g_autofree char *json = g_build_filename (first, "result.json", NULL);
  g_autofree char *second = g_strconcat (first, "-2", NULL), *third = g_strconcat (first, "-3", NULL);
  g_autofree char *fourth = g_strconcat (first, "-4", NULL);
  g_autofree char *before = NULL, *after = NULL;

  es_test_run_and_wait (window);
  save_into (window, ES_SAVE_ALL, parent);
  assert_files (first, all);
  g_assert_true (g_file_get_contents (json, &before, NULL, NULL));
  g_assert_true (g_file_set_contents (second, "somebody's", -1, NULL));
  es_test_run_and_wait (window);
  save_into (window, ES_SAVE_ALL, parent);
  assert_files (third, all);
  g_assert_true (g_file_get_contents (json, &after, NULL, NULL));
  g_assert_cmpstr (after, ==, before);
  save_into (window, ES_SAVE_TABLES, parent);
  assert_files (fourth, tables);

  /* Nowhere to save: nothing is left behind. */
  save_into (window, ES_SAVE_ALL, second);
  g_assert_true (g_file_test (second, G_FILE_TEST_IS_REGULAR));
  es_test_close (window);
}

/* Plots of the inspector have fixed names: those of before, and a person's own, stay. */
static void
test_save_plots (void)
{
  static const char * const plots[] = { "eigenvalues.svg", "loadings.svg", NULL };
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  g_autofree char *parent_path = g_build_filename (es_test_folder (), "plots-parent", NULL);
  g_autofree char *own = g_build_filename (parent_path, "eigenvalues.svg", NULL);
  g_autofree char *first = g_build_filename (parent_path, "scene-plots", NULL);
  g_autofree char *drawn = g_build_filename (first, "eigenvalues.svg", NULL);
  g_autofree char *second = g_strconcat (first, "-2", NULL), *nowhere = g_build_filename (own, "below", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GFile) parent = g_file_new_for_path (parent_path), below = g_file_new_for_path (nowhere);

  g_assert_cmpint (g_mkdir (parent_path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (own, "a person's", -1, NULL));
  es_test_run_and_wait (window);
  _es_viewer_save_plots (es_test_viewer (window), parent, "svg");
  assert_files (first, plots);
  g_assert_true (g_file_set_contents (drawn, "altered", -1, NULL));
  _es_viewer_save_plots (es_test_viewer (window), parent, "svg");
  assert_files (second, plots);
  g_assert_true (g_file_get_contents (drawn, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "altered");
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_get_contents (own, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "a person's");

  /* Not a folder: said, and nothing is there. */
  _es_viewer_save_plots (es_test_viewer (window), below, "svg");
  g_assert_false (g_file_test (nowhere, G_FILE_TEST_EXISTS));
  es_test_close (window);
}

static char *
checksum_of (const char *path)
{
  g_autofree char *data = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &data, &length, NULL));
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) data, length);
}

static gboolean
has_refused (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "is not replaced") != NULL;
}

/* What is open is never saved over, nor what belongs to it, whatever it is called. */
static void
test_save_over_input (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  const char *path = g_file_peek_path (file);
  g_autofree char *alias = g_build_filename (es_test_folder (), "hard-link.img", NULL);
  g_autofree char *tiff = g_build_filename (es_test_folder (), "scene.hdr", NULL);
  g_autofree char *before = checksum_of (path), *header = checksum_of (tiff);

  es_test_run_and_wait (window);
  save_to (window, ES_SAVE_STACK_ENVI, path);
  ES_TEST_WAIT (has_refused, window);
  g_assert_cmpint (link (path, alias), ==, 0);
  save_to (window, ES_SAVE_STACK_GEOTIFF, alias);
  save_to (window, ES_SAVE_STACK_GEOTIFF, tiff);
  g_autofree char *after = checksum_of (path), *header_after = checksum_of (tiff);
  g_assert_cmpstr (after, ==, before);
  g_assert_cmpstr (header_after, ==, header);
  g_unlink (alias);
  es_test_close (window);
}

static gboolean
has_question (gpointer unused)
{
  return es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG) != NULL;
}

static void
answer (EsWindow *window, const char *path, const char *response)
{
  g_autoptr (GFile) target = g_file_new_for_path (path);

  g_assert_true (es_window_save (window, ES_SAVE_STACK_ENVI, target));
  ES_TEST_WAIT (has_question, NULL);
  adw_message_dialog_response (ADW_MESSAGE_DIALOG (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG)), response);
  gtk_window_close (GTK_WINDOW (es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG)));
  ES_TEST_WAIT (es_test_is_idle, window);
}

/* A header of something else is asked about. */
static void
test_save_over_header (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  g_autofree char *target = g_build_filename (es_test_folder (), "theirs.img", NULL);
  g_autofree char *theirs = g_build_filename (es_test_folder (), "theirs.dat", NULL);
  g_autofree char *header = g_build_filename (es_test_folder (), "theirs.hdr", NULL);

  g_assert_true (g_file_set_contents (theirs, "data", -1, NULL));
  g_assert_true (g_file_set_contents (header, "ENVI\n", -1, NULL));
  g_autofree char *before = checksum_of (header);
  es_test_run_and_wait (window);
  answer (window, target, "cancel");
  g_assert_false (g_file_test (target, G_FILE_TEST_EXISTS));
  g_autofree char *kept = checksum_of (header);
  g_assert_cmpstr (kept, ==, before);
  answer (window, target, "replace");
  g_assert_true (g_file_test (target, G_FILE_TEST_EXISTS));
  g_autofree char *replaced = checksum_of (header);
  g_assert_cmpstr (replaced, !=, before);
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
has_left (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "not certainly its own") != NULL;
}

/* A result whose layers have names of other places: its tables stay where they are told to go. */
static void
test_forged_names (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsWindow *forged = es_test_window_with (NULL);
  g_autofree char *folder = g_build_filename (es_test_folder (), "forged", NULL);
  g_autofree char *json = g_build_filename (folder, "result.json", NULL);
  g_autofree char *tables = g_build_filename (folder, "tables", NULL);
  g_autofree char *outside = g_build_filename (folder, "PWNED-curve.csv", NULL);
  g_autofree char *inside = g_build_filename (tables, "_._PWNED-curve.csv", NULL);
  g_autofree char *mine = g_build_filename (folder, "loadings.csv", NULL);
  g_autoptr (GFile) saved = g_file_new_for_path (json);
  g_autofree char *text = NULL;

  es_test_run_and_wait (window);
  save_to (window, ES_SAVE_ALL, folder);
  g_assert_true (g_file_get_contents (json, &text, NULL, NULL));
  g_auto (GStrv) parts = g_strsplit (text, "\"name\" : \"eigenvalues\"", -1);
  g_autofree char *other = g_strjoinv ("\"name\" : \"../PWNED-curve\"", parts);
  g_assert_cmpuint (g_strv_length (parts), >=, 2);
  g_assert_true (g_file_set_contents (json, other, -1, NULL));
  es_window_open (forged, &saved, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, forged);
  g_assert_nonnull (es_viewer_get_result (es_test_viewer (forged)));
  save_to (forged, ES_SAVE_TABLES, tables);
  g_assert_true (g_file_test (inside, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (outside, G_FILE_TEST_EXISTS));
  es_test_close (forged);

  /* Saved over it: what is not certainly the earlier result's stays, and is named. */
  g_auto (GStrv) pieces = g_strsplit (text, "loadings.csv", -1);
  g_autofree char *third = g_strjoinv ("photo.png", pieces);
  g_autofree char *photo = g_build_filename (folder, "photo.png", NULL);
  g_assert_true (g_file_set_contents (json, third, -1, NULL));
  g_assert_cmpint (g_rename (mine, photo), ==, 0);
  g_assert_true (g_file_set_contents (photo, "mine", -1, NULL));
  save_to (window, ES_SAVE_ALL, folder);
  ES_TEST_WAIT (has_left, window);
  g_assert_true (g_file_test (photo, G_FILE_TEST_EXISTS));
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
  return es_test_find (window, GTK_TYPE_LABEL, "The field") != NULL;
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
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "The field"))),
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

/* A file of a name that is long, of two lines, and looks like markup: one line everywhere, and no wider a window. */
static void
test_odd_name (void)
{
  g_autoptr (GFile) plain = es_test_cube ("scene.img", 3);
  g_autoptr (GError) error = NULL;
  GString *name = g_string_new ("<b>&\n");
  g_autoptr (GFile) odd = NULL, header = NULL, plain_header = NULL;
  g_autofree char *plain_header_path = g_build_filename (es_test_folder (), "scene.hdr", NULL);
  g_autofree char *odd_path = NULL, *odd_header_path = NULL;
  EsWindow *window = es_test_window_with (plain);
  GtkWidget *tree = GTK_WIDGET (es_test_tree (window)), *tree_label;
  int before, after, height, height_after;

  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &before, NULL, NULL, NULL);
  gtk_widget_measure (tree, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  while (name->len < 200)
    g_string_append_c (name, 'w');
  odd_path = g_strdup_printf ("%s/%s.img", es_test_folder (), name->str);
  odd_header_path = g_strdup_printf ("%s/%s.hdr", es_test_folder (), name->str);
  odd = g_file_new_for_path (odd_path);
  header = g_file_new_for_path (odd_header_path);
  plain_header = g_file_new_for_path (plain_header_path);
  g_assert_true (g_file_copy (plain, odd, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error));
  g_assert_true (g_file_copy (plain_header, header, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error));
  es_window_open (window, &odd, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (g_str_has_prefix (es_dataset_get_name (es_viewer_get_dataset (es_test_viewer (window))), "<b>&"));
  es_test_run_and_wait (window);

  g_assert_null (strchr (gtk_window_get_title (GTK_WINDOW (window)), '\n'));
  tree_label = es_test_find (GTK_WIDGET (es_test_tree (window)), GTK_TYPE_LABEL, "<b>&");
  g_assert_nonnull (tree_label);
  g_assert_null (strchr (gtk_label_get_label (GTK_LABEL (tree_label)), '\n'));
  g_assert_cmpstr (gtk_label_get_text (GTK_LABEL (tree_label)), ==, gtk_label_get_label (GTK_LABEL (tree_label)));
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &after, NULL, NULL, NULL);
  gtk_widget_measure (tree, GTK_ORIENTATION_VERTICAL, -1, &height_after, NULL, NULL, NULL);
  g_assert_cmpint (after, <=, before);
  g_assert_cmpint (height_after, <=, height);
  /* Removed, and said so: the toast is as narrow. */
  es_test_activate (window, "remove");
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &after, NULL, NULL, NULL);
  g_assert_cmpint (after, <=, before);
  g_string_free (name, TRUE);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();

  g_test_add_func ("/shell/save", test_save);
  g_test_add_func ("/shell/save-into", test_save_into);
  g_test_add_func ("/shell/save-plots", test_save_plots);
  g_test_add_func ("/shell/save-over-input", test_save_over_input);
  g_test_add_func ("/shell/save-over-header", test_save_over_header);
  g_test_add_func ("/shell/suggested-names", test_suggested_names);
  g_test_add_func ("/shell/forged-names", test_forged_names);
  g_test_add_func ("/shell/odd-name", test_odd_name);
  g_test_add_func ("/shell/copy-command", test_copy_command);
  g_test_add_func ("/shell/bad-file", test_bad_file);
  g_test_add_func ("/shell/matlab-shape", test_matlab_shape);
  g_test_add_func ("/shell/several-files", test_several_files);
  g_test_add_func ("/shell/simulate", test_simulate);
  g_test_add_func ("/shell/run-on-open", test_run_on_open);
  g_test_add_func ("/shell/two-openings", test_two_openings);
  return g_test_run ();
}
