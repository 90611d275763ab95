/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Large files of classes and positions: the window goes on while they are read, and nothing is lost. */

#include <string.h>

#include "cube/es-region-set.h"
#include "files/es-region-store.h"
#include "files/es-simulate-dialog.h"
#include "hydrophones/es-array-dialog.h"
#include "es-test-shell.h"
#include "es-test-sonar-shell.h"

#define N_KEPT 4
#define N_ELEMENTS 60000
#define N_SOME 40
/* Of text that nobody needs: time to read, none to draw. */
#define PADDING ((gsize) 16 << 20)

static gboolean
tick (gpointer data)
{
  guint *ticks = data;

  (*ticks)++;
  return G_SOURCE_CONTINUE;
}

static GFile *
write_text (GFile *file, const char *text, gsize length)
{
  g_autoptr (GFile) folder = g_file_get_parent (file);
  g_autoptr (GError) error = NULL;

  g_file_make_directory_with_parents (folder, NULL, NULL);
  g_file_delete (file, NULL, NULL);
  g_assert_true (g_file_set_contents_full (g_file_peek_path (file), text, (gssize) length,
                                           G_FILE_SET_CONTENTS_NONE, 0600, &error));
  g_assert_no_error (error);
  return file;
}

static EsActivity *
activity_of (EsShell *shell, const char *title)
{
  GListModel *activities = es_shell_get_activities (shell);

  for (guint i = 0; i < g_list_model_get_n_items (activities); i++)
    {
      g_autoptr (EsActivity) activity = g_list_model_get_item (activities, i);

      if (g_str_equal (es_activity_get_title (activity), title))
        return activity;
    }
  return NULL;
}

typedef struct
{
  EsShell    *shell;
  const char *title;
} Wanted;

static gboolean
has_begun (gpointer data)
{
  Wanted *wanted = data;

  return activity_of (wanted->shell, wanted->title) != NULL;
}

/* It may end in the turn of the main loop after the one that began it: looked for after each. */
static EsActivity *
wait_for_activity (EsShell *shell, const char *title)
{
  const gint64 end = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;
  Wanted wanted = { shell, title };
  guint ticks = 0, source = g_timeout_add (10, tick, &ticks);

  while (!has_begun (&wanted) && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (source);
  g_assert_true (has_begun (&wanted));
  return activity_of (shell, title);
}

static gboolean
has_ended (gpointer data)
{
  return !has_begun (data);
}

/* The main loop turns until an activity ends; how often a timer of 10 ms came to its turn. */
static guint
count_ticks (EsShell *shell, const char *title)
{
  Wanted wanted = { shell, title };
  guint ticks = 0, source = g_timeout_add (10, tick, &ticks);

  ES_TEST_WAIT (has_ended, &wanted);
  g_source_remove (source);
  return ticks;
}

/* ---- classes ---- */

static char *
make_classes (const char *last)
{
  g_autofree char *padding = g_strnfill (PADDING, 'x');
  GString *text = g_string_new ("{\"comment\": \"");

  g_string_append_printf (text, "%s\", \"regions\": [", padding);
  for (guint i = 0; i < N_KEPT; i++)
    g_string_append_printf (text, "%s{\"region\": \"rectangle %u 2 4 3\"}", i > 0 ? ", " : "", i);
  g_string_append_printf (text, "%s]}", last);
  return g_string_free (text, FALSE);
}

static guint
count (EsRegionSet *classes)
{
  return g_list_model_get_n_items (G_LIST_MODEL (classes));
}

static void
draw (EsRegionSet *classes, const char *name)
{
  g_autoptr (EsRegion) region = es_region_new_rectangle (2, 3, 5, 6);

  es_region_set_add (classes, name, region, 0x3584e4);
}

static EsShell *
shell_of (EsWindow *window, GType type)
{
  return es_workspace_get_shell (es_window_get_workspace (window, type));
}

static void
open_classes (EsWindow *window, EsRegionSet *classes, GFile *file)
{
  GtkWidget *inspector = es_viewer_get_inspector (es_test_viewer (window));

  g_signal_emit_by_name (inspector, "open-classes", classes, file);
}

static void
test_open_classes (void)
{
  g_autoptr (GFile) cube = es_test_cube ("opened.img", 21);
  g_autoptr (GFile) file = es_test_file_in ("classes", "large.json");
  g_autoptr (GFile) bad = es_test_file_in ("classes", "bad.json");
  g_autofree char *text = make_classes (""), *wrong = make_classes (", {\"region\": \"circle\"}");
  EsWindow *window = es_test_window_with (cube);
  EsShell *shell = shell_of (window, ES_TYPE_CUBE_WORKSPACE);
  EsRegionSet *classes = es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)));

  write_text (file, text, strlen (text));
  write_text (bad, wrong, strlen (wrong));

  open_classes (window, classes, file);
  g_assert_cmpuint (count (classes), ==, 0);
  draw (classes, "Lake");
  g_assert_cmpuint (count_ticks (shell, "Reading large.json"), >, 0);
  g_assert_cmpuint (count (classes), ==, 1 + N_KEPT);

  open_classes (window, classes, file);
  g_cancellable_cancel (es_activity_get_cancellable (activity_of (shell, "Reading large.json")));
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (count (classes), ==, 1 + N_KEPT);

  open_classes (window, classes, bad);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (count (classes), ==, 1 + N_KEPT);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "“bad.json”, region 5"));
  es_test_close (window);
}

static GFile *
kept_file_of (EsDataset *dataset)
{
  g_autofree char *name = g_strdup_printf ("%.40s.json", es_dataset_get_identity (dataset));

  return g_file_new_build_filename (g_get_user_data_dir (), "eigenscope", "classes", name, NULL);
}

/* Shown, while what was kept of it is still being read. */
static EsWindow *
open_while_reading (GFile *cube, EsRegionSet **classes)
{
  EsWindow *window = ES_WINDOW (es_window_new (GTK_APPLICATION (es_test_application ())));
  g_autofree char *name = g_file_get_basename (cube), *title = g_strdup_printf ("Reading the classes of %s", name);

  gtk_window_present (GTK_WINDOW (window));
  es_window_open (window, &cube, 1, ES_OPEN_GIVEN);
  wait_for_activity (shell_of (window, ES_TYPE_CUBE_WORKSPACE), title);
  *classes = es_dataset_get_regions (es_test_first_dataset (window));
  return window;
}

static void
test_kept_classes (void)
{
  g_autoptr (GFile) cube = es_test_cube ("kept.img", 22);
  g_autofree char *text = make_classes (""), *aside = NULL, *found = NULL;
  EsWindow *window = es_test_window_with (cube);
  g_autoptr (GFile) file = kept_file_of (es_viewer_get_dataset (es_test_viewer (window)));
  EsShell *shell;
  EsRegionSet *classes;

  es_test_close (window);
  write_text (file, text, strlen (text));

  /* Drawn meanwhile. */
  window = open_while_reading (cube, &classes);
  shell = shell_of (window, ES_TYPE_CUBE_WORKSPACE);
  draw (classes, "Lake");
  g_assert_cmpuint (count_ticks (shell, "Reading the classes of kept.img"), >, 0);
  g_assert_cmpuint (count (classes), ==, 1 + N_KEPT);
  es_test_close (window);
  write_text (file, text, strlen (text));

  /* The end of the program does not wait for the main loop. */
  window = open_while_reading (cube, &classes);
  draw (classes, "Wood");
  es_region_store_flush ();
  g_assert_cmpuint (count (classes), ==, 1 + N_KEPT);
  es_test_close (window);
  write_text (file, text, strlen (text));

  /* Cancelled: what is in the file comes as soon as there is something to be kept beside it. */
  window = open_while_reading (cube, &classes);
  shell = shell_of (window, ES_TYPE_CUBE_WORKSPACE);
  es_shell_cancel_all (shell);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (count (classes), ==, 0);
  draw (classes, "Road");
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_cmpuint (count (classes), ==, 1 + N_KEPT);
  es_test_close (window);

  /* What cannot be read is put aside, not replaced. */
  write_text (file, "{\"regions\": 7}", 14);
  window = es_test_window_with (cube);
  classes = es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "put aside as"));
  aside = g_strconcat (g_file_peek_path (file), ".damaged-1", NULL);
  g_assert_true (g_file_get_contents (aside, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, "{\"regions\": 7}");
  draw (classes, "Field");
  es_test_close (window);
  window = es_test_window_with (cube);
  g_assert_cmpuint (count (es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)))), ==, 1);
  es_test_close (window);
}

/* ---- positions ---- */

/* Of the four channels that the recording has, and of very many that are dead. */
static void
write_some_positions (GFile *file, guint n)
{
  g_autoptr (GString) text = g_string_new ("name,x,y,z,channel,dead\n");

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "hydrophone %u,%.1f,0,0,%u,%s\n", i, i * 1.5, i, i < 4 ? "no" : "yes");
  write_text (file, text->str, text->len);
}

static void
write_positions (GFile *file)
{
  write_some_positions (file, N_ELEMENTS);
}

static EsWindow *
window_of_recording (const char *name)
{
  g_autoptr (GFile) file = es_test_recording (name, 1);
  EsWindow *window = es_test_window_of (&file, 1);

  return window;
}

static void
test_positions (void)
{
  g_autoptr (GFile) file = es_test_file_in ("positions", "large.csv");
  EsWindow *window = window_of_recording ("positions.wav");
  EsShell *shell = shell_of (window, ES_TYPE_SONAR_WORKSPACE);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  g_autoptr (EsArray) before = es_recording_get_array (recording), after = NULL;

  write_positions (file);
  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  g_cancellable_cancel (es_activity_get_cancellable (wait_for_activity (shell, "Reading large.csv")));
  es_test_wait_idle (window);
  after = es_recording_get_array (recording);
  g_assert_true (after == before);
  g_clear_pointer (&after, es_array_unref);

  es_window_open (window, &file, 1, ES_OPEN_GIVEN);
  wait_for_activity (shell, "Reading large.csv");
  g_assert_cmpuint (count_ticks (shell, "Reading large.csv"), >, 0);
  es_test_close (window);
}

static gboolean
is_read (gpointer dialog)
{
  return !es_array_dialog_is_reading (dialog);
}

static void
test_dialog (void)
{
  g_autoptr (GFile) file = es_test_file_in ("positions", "dialog.csv");
  g_autoptr (GFile) nonsense = es_test_file_in ("positions", "nonsense.csv");
  EsWindow *window = window_of_recording ("dialog.wav");
  EsArrayDialog *dialog;
  EsElementTable *table;
  guint ticks = 0, source, before;

  write_positions (file);
  write_text (nonsense, "apples,pears\n1,2\n", 17);
  es_test_activate (window, "describe-array");
  dialog = ES_ARRAY_DIALOG (es_test_find_toplevel (ES_TYPE_ARRAY_DIALOG));
  table = es_array_dialog_get_table (dialog);
  before = es_element_table_get_n (table);

  /* Stopped: as if nothing had been asked. */
  es_array_dialog_load (dialog, file);
  g_assert_true (es_array_dialog_is_reading (dialog));
  g_assert_nonnull (strstr (es_array_dialog_get_verdict (dialog), "Reading dialog.csv"));
  g_assert_false (gtk_widget_is_sensitive (GTK_WIDGET (table)));
  GtkWidget *stop = es_test_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "S_top Reading");
  g_assert_nonnull (stop);
  stop = gtk_widget_get_ancestor (stop, GTK_TYPE_BUTTON);
  g_signal_emit_by_name (stop, "clicked");
  g_assert_false (es_array_dialog_is_reading (dialog));
  g_assert_true (gtk_widget_is_sensitive (GTK_WIDGET (table)));

  /* The newest counts. */
  es_array_dialog_load (dialog, file);
  es_array_dialog_load (dialog, nonsense);
  ES_TEST_WAIT (is_read, dialog);
  g_assert_cmpuint (es_element_table_get_n (table), ==, before);
  g_assert_nonnull (strstr (es_array_dialog_get_verdict (dialog), "nonsense.csv"));

  source = g_timeout_add (10, tick, &ticks);
  es_array_dialog_load (dialog, file);
  es_array_dialog_apply (dialog);
  ES_TEST_WAIT (is_read, dialog);
  g_source_remove (source);
  g_assert_cmpuint (ticks, >, 0);
  g_assert_cmpuint (es_element_table_get_n (table), ==, N_ELEMENTS);
  g_assert_true (gtk_widget_is_sensitive (GTK_WIDGET (table)));

  /* The end of the dialog ends the reading. */
  es_array_dialog_load (dialog, file);
  gtk_window_close (GTK_WINDOW (dialog));
  es_test_close (window);
}

/* Given with the recording: the window is there before the file has been read, and plays once it has. */
static void
test_given (void)
{
  g_autoptr (GFile) file = es_test_file_in ("positions", "given.csv"), sound = es_test_recording ("given.wav", 1);
  EsWindow *window = es_test_window_with (NULL);
  EsShell *shell = shell_of (window, ES_TYPE_SONAR_WORKSPACE);
  g_autoptr (EsOpenRequest) request = es_open_request_new (&sound, 1, ES_OPEN_GIVEN);
  g_autoptr (EsArray) array = NULL;

  write_some_positions (file, N_SOME);
  request->array = g_file_get_path (file);
  es_window_open_request (window, request);
  wait_for_activity (shell, "Reading given.csv");
  es_test_wait_idle (window);
  array = es_recording_get_array (ES_RECORDING (es_test_first_dataset (window)));
  g_assert_cmpuint (es_array_get_n_elements (array), ==, N_SOME);
  es_test_close (window);
}

static gboolean
is_good (gpointer dialog)
{
  return es_simulate_dialog_is_good (dialog);
}

static gboolean
is_missed (gpointer dialog)
{
  return strstr (es_simulate_dialog_get_verdict (dialog), "nowhere.csv") != NULL
         && strstr (es_simulate_dialog_get_verdict (dialog), "Reading") == NULL;
}

/* The row of the array is typed: a file in it is read when the text has rested, and by nobody who draws. */
static void
test_scene (void)
{
  g_autoptr (GFile) file = es_test_file_in ("positions", "scene.csv");
  g_autofree char *nowhere = g_build_filename (es_test_folder (), "nowhere.csv", NULL);
  EsSimulateDialog *dialog = ES_SIMULATE_DIALOG (es_simulate_dialog_new (NULL, NULL));
  GtkEditable *row;

  write_some_positions (file, N_SOME);
  gtk_window_present (GTK_WINDOW (dialog));
  row = GTK_EDITABLE (es_test_find (GTK_WIDGET (dialog), GTK_TYPE_ENTRY, NULL));
  g_assert_cmpstr (gtk_editable_get_text (row), ==, "line:64,1.5");
  gtk_widget_grab_focus (GTK_WIDGET (row));
  g_assert_true (es_simulate_dialog_is_good (dialog));
  gtk_editable_set_text (row, nowhere);
  g_assert_nonnull (strstr (es_simulate_dialog_get_verdict (dialog), "Reading nowhere.csv"));
  gtk_editable_set_text (row, g_file_peek_path (file));
  g_assert_false (es_simulate_dialog_is_good (dialog));
  g_assert_nonnull (strstr (es_simulate_dialog_get_verdict (dialog), "Reading scene.csv"));
  ES_TEST_WAIT (is_good, dialog);
  g_assert_nonnull (strstr (es_simulate_dialog_get_verdict (dialog), "40 channels"));
  gtk_editable_set_text (row, nowhere);
  ES_TEST_WAIT (is_missed, dialog);
  g_assert_false (es_simulate_dialog_is_good (dialog));
  gtk_editable_set_text (row, "line:8,2");
  g_assert_true (es_simulate_dialog_is_good (dialog));
  /* The end of the dialog ends the reading. */
  gtk_editable_set_text (row, g_file_peek_path (file));
  gtk_window_destroy (GTK_WINDOW (dialog));
}

static gboolean
has_command (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "Command copied") != NULL;
}

/* The line tells what the file beside the recording does not: that is looked at, and may have become large. */
static void
test_command (void)
{
  g_autoptr (GFile) sound = es_test_recording ("command.wav", 1), sidecar = es_array_sidecar_of (sound);
  EsWindow *window = es_test_window_of (&sound, 1);

  write_some_positions (sidecar, N_SOME);
  es_test_activate (window, "copy-command");
  g_assert_false (has_command (window));
  ES_TEST_WAIT (has_command, window);
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/background-files/open-classes", test_open_classes);
  g_test_add_func ("/background-files/kept-classes", test_kept_classes);
  g_test_add_func ("/background-files/positions", test_positions);
  g_test_add_func ("/background-files/dialog", test_dialog);
  g_test_add_func ("/background-files/given", test_given);
  g_test_add_func ("/background-files/scene", test_scene);
  g_test_add_func ("/background-files/command", test_command);
  return g_test_run ();
}
