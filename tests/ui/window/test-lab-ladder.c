/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Ladders in the window: what one can be climbed before it was, is climbed by guessing first, and those of other
 * machines. Measured by the fake laboratory and the fake ladder. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "es-test-shell.h"
#include "lab/es-lab-page.h"
#include "lab/parts/es-lab-text.h"
#include "lab/es-lab-workspace.h"
#include "lab/ladder/es-ladder-diff-view.h"
#include "lab/ladder/es-ladder-rows.h"
#include "lab/ladder/es-ladder-view.h"
#include "window/es-window-private.h"

#define COVARIANCE "ladder-covariance"

static EsShown *
shown_of (EsWindow *window)
{
  return es_workspace_get_shown (es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE));
}

static void
activate (EsWindow *window, const char *name, const char *target)
{
  g_autofree char *full = g_strconcat ("win.", name, NULL);

  g_assert_true (es_test_enabled (window, name));
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (window), full, target != NULL ? "s" : NULL, target));
}

static EsWindow *
open_machine (void)
{
  EsWindow *window = es_test_window_with (NULL);

  activate (window, "open-device", "cpu");
  ES_TEST_WAIT (es_test_is_idle, window);
  return window;
}

static GtkWidget *
view_of (EsWindow *window)
{
  return es_test_find (GTK_WIDGET (window), ES_TYPE_LADDER_VIEW, NULL);
}

static GtkWidget *
page_of (EsWindow *window)
{
  return es_test_find (GTK_WIDGET (window), ES_TYPE_LAB_PAGE, NULL);
}

static gboolean
says (EsWindow *window, const char *text)
{
  return es_test_find (page_of (window), GTK_TYPE_LABEL, text) != NULL;
}

static gboolean
has_rungs (gpointer window)
{
  return view_of (window) != NULL && es_test_find (view_of (window), GTK_TYPE_LABEL, "v4-4") != NULL;
}

static gboolean
has_result (gpointer window)
{
  return es_test_is_idle (window) && es_shown_get_result (shown_of (window)) != NULL && has_rungs (window);
}

static void
do_ladder (EsWindow *window, const char *action)
{
  g_assert_true (gtk_widget_activate_action (view_of (window), action, NULL));
}

/* What it would climb is there before, with the source; nothing tells a time. */
static void
test_before (void)
{
  EsWindow *window = open_machine ();
  g_autofree char *source = NULL;

  activate (window, "lab-show", COVARIANCE);
  ES_TEST_WAIT (has_rungs, window);
  g_assert_true (says (window, "Predict first"));
  g_assert_true (says (window, "G_3"));
  g_assert_false (says (window, " ms"));
  source = es_ladder_diff_view_get_text (ES_LADDER_DIFF_VIEW (es_test_find (view_of (window),
                                                                            ES_TYPE_LADDER_DIFF_VIEW, NULL)));
  g_assert_nonnull (strstr (source, "sum (x, y);"));
  es_test_close (window);
}

/* By guessing first: to reveal runs it, what was found is hidden until all is, and who leaves comes back to where they
 * were. */
static void
test_climb (void)
{
  EsWindow *window = open_machine ();
  EsResult *result;
  EsVerdictState state;

  activate (window, "lab-show", COVARIANCE);
  ES_TEST_WAIT (has_rungs, window);
  do_ladder (window, "ladder.climb");
  do_ladder (window, "ladder.reveal");
  ES_TEST_WAIT (has_result, window);
  result = es_shown_get_result (shown_of (window));
  g_assert_cmpstr (es_result_get_operation (result)->id, ==, COVARIANCE);
  g_assert_false (says (window, "What was found"));
  g_assert_false (says (window, es_lab_find_sentence (result, &state)));
  g_assert_false (says (window, "8.262 s"));
  g_assert_false (says (window, "Memory, "));
  do_ladder (window, "ladder.reveal");
  g_assert_true (says (window, "8.262 s"));
  g_assert_false (says (window, "775 ms"));
  g_assert_false (says (window, "What was found"));

  activate (window, "lab-back", NULL);
  activate (window, "lab-show", COVARIANCE);
  ES_TEST_WAIT (has_result, window);
  g_assert_true (says (window, "8.262 s"));
  g_assert_false (says (window, "775 ms"));
  do_ladder (window, "ladder.reveal-all");
  g_assert_true (says (window, "775 ms"));
  g_assert_true (says (window, "10.7×"));
  g_assert_true (says (window, "What was found"));
  g_assert_true (says (window, es_lab_find_sentence (result, &state)));
  es_test_close (window);
}

/* One that was refused says why, and the sentences are those of the numbers. */
static void
test_refused (void)
{
  EsWindow *window;

  g_setenv ("ES_FAKE_LADDER", "shared", TRUE);
  window = open_machine ();
  activate (window, "lab-run", COVARIANCE);
  ES_TEST_WAIT (has_result, window);
  g_assert_true (says (window, "of shared memory a block"));
  g_unsetenv ("ES_FAKE_LADDER");
  es_test_close (window);
}

static gboolean
has_other (gpointer window)
{
  return view_of (window) != NULL && es_test_find (view_of (window), GTK_TYPE_LABEL, "Old Processor") != NULL;
}

static gboolean
is_saved (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
has_latency (gpointer window)
{
  EsResult *result = es_test_is_idle (window) ? es_shown_get_result (shown_of (window)) : NULL;

  return result != NULL && g_str_equal (es_result_get_operation (result)->id, "lab-latency");
}

/* A ladder that comes with the program is offered beside one's own, and instead where one's own cannot be climbed. */
static void
test_stored (void)
{
  EsWindow *window = open_machine ();
  g_autofree char *data = g_build_filename (es_test_folder (), "data", NULL);
  g_autofree char *path = g_build_filename (data, "ladders", "other", "covariance", NULL);
  g_autofree char *index = g_build_filename (path, "result.json", NULL);
  g_autofree char *old = g_strdup (g_getenv ("ES_DATA_DIR"));
  g_autoptr (GFile) folder = g_file_new_for_path (path);
  GtkWidget *button;

  activate (window, "lab-run", COVARIANCE);
  ES_TEST_WAIT (has_result, window);
  g_assert_false (has_other (window));
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (es_window_save (window, ES_SAVE_ALL, folder));
  ES_TEST_WAIT (is_saved, index);
  ES_TEST_WAIT (es_test_is_idle, window);
  /* What was found with a chip of another name is another machine's. */
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_assert_true (g_file_get_contents (index, &text, NULL, &error));
  g_auto (GStrv) parts = g_strsplit (text, es_dataset_get_name (es_shown_get_dataset (shown_of (window))), -1);
  g_autofree char *changed = g_strjoinv ("Old Processor", parts);
  g_assert_true (g_file_set_contents (index, changed, -1, &error));
  es_test_close (window);

  g_setenv ("ES_DATA_DIR", data, TRUE);
  window = open_machine ();
  activate (window, "lab-run", COVARIANCE);
  ES_TEST_WAIT (has_other, window);
  button = gtk_widget_get_ancestor (es_test_find (view_of (window), GTK_TYPE_LABEL, "Old Processor"),
                                    GTK_TYPE_TOGGLE_BUTTON);
  g_assert_nonnull (button);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (button), TRUE);
  g_assert_true (says (window, "8.262 s"));
  es_test_close (window);
  g_setenv ("ES_DATA_DIR", old, TRUE);
}

/* The page is saved of what is shown; nothing else has one. */
static void
test_saving (void)
{
  EsWindow *window = open_machine ();
  g_autofree char *path = g_build_filename (es_test_folder (), "page.html", NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_false (es_test_enabled (window, "lab-save-ladder"));
  activate (window, "lab-run", COVARIANCE);
  ES_TEST_WAIT (has_result, window);
  g_assert_true (es_test_enabled (window, "lab-save-ladder"));
  es_lab_workspace_save_ladder (ES_LAB_WORKSPACE (es_window_get_workspace (window, ES_TYPE_LAB_WORKSPACE)), file);
  ES_TEST_WAIT (is_saved, path);
  ES_TEST_WAIT (es_test_is_idle, window);
  g_assert_true (g_file_get_contents (path, &text, NULL, &error));
  g_assert_nonnull (strstr (text, "v4-1"));
  g_assert_nonnull (strstr (text, "sum (transposed (x), y);"));
  activate (window, "lab-run", "lab-latency");
  ES_TEST_WAIT (has_latency, window);
  g_assert_false (es_test_enabled (window, "lab-save-ladder"));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_setenv ("GSETTINGS_BACKEND", "memory", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/lab-ladder/before", test_before);
  g_test_add_func ("/ui/lab-ladder/climb", test_climb);
  g_test_add_func ("/ui/lab-ladder/refused", test_refused);
  g_test_add_func ("/ui/lab-ladder/saving", test_saving);
  g_test_add_func ("/ui/lab-ladder/stored", test_stored);
  return g_test_run ();
}
