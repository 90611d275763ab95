/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Closing a window or a data set: nothing that is not saved is lost without a word. */

#include "analyse/es-analyse-panel.h"
#include "es-test-shell.h"
#include "result/es-operation.h"
#include "session/es-result-load.h"
#include "widgets/es-format.h"
#include "widgets/es-settings.h"
#include "writers/es-writer.h"

static GtkWidget *
dialog_of (EsWindow *window)
{
  GtkWidget *dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);

  return dialog != NULL && gtk_window_get_transient_for (GTK_WINDOW (dialog)) == GTK_WINDOW (window) ? dialog : NULL;
}

static const char *
body_of (GtkWidget *dialog)
{
  return adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog));
}

/* Asked to close, it asks: the dialog. */
static GtkWidget *
close_and_get_dialog (EsWindow *window)
{
  gtk_window_close (GTK_WINDOW (window));
  g_assert_nonnull (dialog_of (window));
  return dialog_of (window);
}

static gboolean
is_null (gpointer data)
{
  return *(gpointer *) data == NULL;
}

static gboolean
is_removed (gpointer window)
{
  return g_list_model_get_n_items (es_session_get_datasets (es_window_get_session (window))) == 0;
}

/* The folders of results in a folder, sorted; each must be one that can be opened again. */
static guint
count_saved (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, "result.json", NULL);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_result_load (file, NULL, &error);

      g_assert_no_error (error);
      g_assert_true (es_result_is_saved (result));
      n++;
    }
  return n;
}

static GFile *
folder_named (const char *name)
{
  g_autofree char *path = g_build_filename (es_test_folder (), name, NULL);

  return g_file_new_for_path (path);
}

static void
slow_down (EsWindow *window)
{
  EsAnalysePanel *analyse = ES_ANALYSE_PANEL (es_test_find (GTK_WIDGET (window), ES_TYPE_ANALYSE_PANEL, NULL));

  g_assert_true (es_params_parse (es_analyse_panel_get_params (analyse), "eigensolver", "jacobi", NULL));
}

/* ---- tests ---- */

static void
test_nothing_to_lose (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  gpointer weak = window;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_close (GTK_WINDOW (window));
  ES_TEST_WAIT (is_null, &weak);
}

static void
test_unsaved (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autoptr (GFile) folder = folder_named ("all");
  g_autoptr (GFile) tables = folder_named ("tables");
  EsWindow *window = es_test_window_with (file);
  EsResult *first = es_test_run_and_wait (window), *second = es_test_run_and_wait (window);
  g_autofree char *line = g_strdup_printf ("%s of ", es_result_get_title (first));
  gpointer weak = window;
  GtkWidget *dialog;

  g_assert_false (es_result_is_saved (first) || es_result_is_saved (second));
  dialog = close_and_get_dialog (window);
  g_assert_nonnull (strstr (body_of (dialog), "2 results"));
  g_assert_nonnull (strstr (body_of (dialog), line));
  /* However often it is asked, one question. */
  gtk_window_close (GTK_WINDOW (window));
  es_test_respond (dialog, "cancel");
  g_assert_null (dialog_of (window));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window)));

  /* The tables alone are not the result. */
  g_assert_true (es_window_save (window, ES_SAVE_TABLES, tables));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_false (es_result_is_saved (second));
  /* One that is saved is not named any more. */
  g_assert_true (es_window_save (window, ES_SAVE_ALL, tables));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (es_result_is_saved (second) && !es_result_is_saved (first));
  dialog = close_and_get_dialog (window);
  g_assert_nonnull (strstr (body_of (dialog), "1 result "));
  es_test_respond (dialog, "cancel");

  es_test_run_and_wait (window);
  es_test_respond (close_and_get_dialog (window), "cancel");
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  g_assert_true (es_window_leave_into (window, folder, TRUE));
  ES_TEST_WAIT (is_null, &weak);
  g_assert_cmpuint (count_saved (g_file_peek_path (folder)), ==, 2);
}

static void
test_saving_fails (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autofree char *path = g_build_filename (es_test_folder (), "a-file", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  EsWindow *window = es_test_window_with (file);

  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  es_test_run_and_wait (window);
  es_test_respond (close_and_get_dialog (window), "cancel");
  g_assert_true (es_window_leave_into (window, target, TRUE));
  ES_TEST_WAIT (es_test_is_idle, window);
  /* It is told, and the window stays with what it has. */
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "a-file"));
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window)));
  es_test_close (window);
}

static void
test_reopened (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autoptr (GFile) folder = folder_named ("reopened");
  g_autoptr (GFile) json = g_file_get_child (folder, "result.json");
  EsWindow *window = es_test_window_with (file);
  g_autoptr (GError) error = NULL;
  gpointer weak;

  es_write_result (es_test_run_and_wait (window), folder, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  es_test_close (window);
  window = es_test_window_with (json);
  g_assert_nonnull (es_viewer_get_result (es_test_viewer (window)));
  weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_close (GTK_WINDOW (window));
  g_assert_null (dialog_of (window));
  ES_TEST_WAIT (is_null, &weak);
}

static void
test_running (void)
{
  g_autoptr (GFile) file = es_test_slow_cube ();
  g_autoptr (GFile) folder = folder_named ("waited");
  EsWindow *window = es_test_window_with (file);
  g_autoptr (EsSession) session = g_object_ref (es_window_get_session (window));
  g_autoptr (EsJob) job = NULL;
  gpointer weak = window;
  GtkWidget *dialog;

  slow_down (window);
  /* Its end is told in the main loop, which does not run in between: the job is active for sure. */
  es_test_activate (window, "run");
  job = g_list_model_get_item (es_session_get_jobs (session), 0);
  dialog = close_and_get_dialog (window);
  g_assert_nonnull (strstr (body_of (dialog), es_job_get_title (job)));
  es_test_respond (dialog, "cancel");
  g_assert_true (es_job_is_active (job));
  g_object_add_weak_pointer (G_OBJECT (window), &weak);

  /* Waited for, and what it found is saved. */
  g_assert_true (es_window_leave_into (window, folder, TRUE));
  g_assert_nonnull (window);
  ES_TEST_WAIT (is_null, &weak);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_DONE);
  g_assert_cmpuint (count_saved (g_file_peek_path (folder)), ==, 1);
  g_settings_reset (es_settings_get (), "parameters");
}

static void
test_running_given_up (void)
{
  g_autoptr (GFile) file = es_test_slow_cube ();
  EsWindow *window = es_test_window_with (file);
  g_autoptr (EsSession) session = g_object_ref (es_window_get_session (window));
  GListModel *jobs = es_session_get_jobs (session);
  g_autoptr (GFile) folder = folder_named ("given-up");
  g_autoptr (EsJob) job = NULL;
  gpointer weak = window;

  slow_down (window);
  es_test_activate (window, "run");
  job = g_list_model_get_item (es_session_get_jobs (session), 0);
  es_test_respond (close_and_get_dialog (window), "cancel");
  /* Waiting is given up with everything else that is under way. */
  g_assert_true (es_window_leave_into (window, folder, TRUE));
  es_test_activate (window, "cancel");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window)));
  g_clear_object (&job);

  es_test_activate (window, "run");
  job = g_list_model_get_item (jobs, g_list_model_get_n_items (jobs) - 1);
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  es_test_respond (close_and_get_dialog (window), "discard");
  ES_TEST_WAIT (is_null, &weak);
  while (es_job_is_active (job))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  g_settings_reset (es_settings_get (), "parameters");
}

/* The program is told to end amid a saving and a run: both end, without a question, and leave nothing half done. */
static void
test_told_to_end (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autoptr (GFile) folder = folder_named ("told");
  EsWindow *window = es_test_window_with (file);
  g_autoptr (EsResult) first = g_object_ref (es_test_run_and_wait (window));
  gpointer weak = window;
  const char *name;
  guint n = 0;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  slow_down (window);
  gtk_widget_activate_action (GTK_WIDGET (window), "win.run", NULL);
  g_assert_true (es_window_save (window, ES_SAVE_ALL, folder));
  es_window_end (window);
  es_window_end (window);
  ES_TEST_WAIT (is_null, &weak);
  /* Cancelled, or over before: none of it, or all. */
  g_autoptr (GDir) dir = g_dir_open (g_file_peek_path (folder), 0, NULL);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_assert_false (g_str_has_prefix (name, "."));
      n++;
    }
  g_assert_true (n == 0 || es_result_is_saved (first));
}

static void
test_data_set (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  g_autoptr (GFile) folder = folder_named ("removed");
  EsWindow *window = es_test_window_with (file);
  EsWorkspace *workspace = es_window_get_workspace (window, ES_TYPE_CUBE_WORKSPACE);
  EsShown *shown = es_workspace_get_shown (workspace);
  GtkWidget *dialog;

  es_test_run_and_wait (window);
  es_shown_set (shown, es_shown_get_dataset (shown), NULL, NULL);
  es_test_activate (window, "remove");
  dialog = dialog_of (window);
  g_assert_nonnull (dialog);
  g_assert_nonnull (strstr (body_of (dialog), "1 result "));
  es_test_respond (dialog, "cancel");
  g_assert_false (is_removed (window));

  g_assert_true (es_window_leave_into (window, folder, TRUE));
  ES_TEST_WAIT (is_removed, window);
  g_assert_cmpuint (count_saved (g_file_peek_path (folder)), ==, 1);
  ES_TEST_WAIT (es_test_is_idle, window);
  es_test_close (window);
}

static void
test_long_list (void)
{
  g_autoptr (GFile) file = es_test_cube ("scene.img", 3);
  EsWindow *window = es_test_window_with (file);
  EsSession *session = es_window_get_session (window);
  g_autofree char *name = NULL;
  GtkWidget *dialog;
  GString *odd = g_string_new ("<b>&\n");
  int natural;

  for (guint i = 0; i < 200; i++)
    g_string_append_c (odd, 'x');
  name = es_format_shorten (odd->str, 60);
  g_assert_cmpint (g_utf8_strlen (name, -1), ==, 60);
  g_assert_true (g_str_has_prefix (name, "<b>&"));
  g_assert_null (strchr (name, '\n'));
  es_test_run_and_wait (window);
  for (guint i = 0; i < 40; i++)
    es_session_run (session, es_result_get_operation (es_viewer_get_result (es_test_viewer (window))),
                    es_viewer_get_dataset (es_test_viewer (window)),
                    es_result_get_params (es_viewer_get_result (es_test_viewer (window))), NULL, NULL);
  ES_TEST_WAIT (es_test_is_idle, window);
  dialog = close_and_get_dialog (window);
  g_assert_nonnull (strstr (body_of (dialog), "41 results"));
  g_assert_nonnull (strstr (body_of (dialog), "35 more"));
  gtk_widget_measure (dialog, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  g_assert_cmpint (natural, <, 900);
  gtk_widget_measure (dialog, GTK_ORIENTATION_VERTICAL, -1, NULL, &natural, NULL, NULL);
  g_assert_cmpint (natural, <, 700);
  es_test_respond (dialog, "cancel");
  g_string_free (odd, TRUE);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/leaving/nothing-to-lose", test_nothing_to_lose);
  g_test_add_func ("/leaving/unsaved", test_unsaved);
  g_test_add_func ("/leaving/saving-fails", test_saving_fails);
  g_test_add_func ("/leaving/reopened", test_reopened);
  g_test_add_func ("/leaving/running", test_running);
  g_test_add_func ("/leaving/running-given-up", test_running_given_up);
  g_test_add_func ("/leaving/told-to-end", test_told_to_end);
  g_test_add_func ("/leaving/data-set", test_data_set);
  g_test_add_func ("/leaving/long-list", test_long_list);
  return g_test_run ();
}
