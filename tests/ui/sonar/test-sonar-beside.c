/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files beside a recording that somebody else has written, where what is told in the window is to be saved in their
 * place: they are kept, it is said where, and taking it back brings them back, with a trash and without one. */

#include <glib/gstdio.h>
#include <string.h>

#include "hydrophones/es-array-dialog.h"
#include "hydrophones/es-calibration-dialog.h"
#include "hydrophones/es-navigation-dialog.h"
#include "es-test-sonar-shell.h"

static const char theirs[] = "{ \"eigenscope-calibration\": 1, \"by hand\": }\n";

static void
write_text (GFile *file, const char *text)
{
  g_assert_true (g_file_set_contents (g_file_peek_path (file), text, -1, NULL));
}

static void
assert_text (const char *path, const char *expected)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (text, ==, expected);
}

/* A trash that cannot be made: a file is in its place. */
static void
take_trash_away (void)
{
  g_autofree char *trash = g_build_filename (g_get_user_data_dir (), "Trash", NULL);
  g_autofree char *aside = g_strconcat (trash, "-aside", NULL);

  g_mkdir_with_parents (g_get_user_data_dir (), 0700);
  g_rename (trash, aside);
  g_assert_true (g_file_set_contents (trash, "x", 1, NULL));
}

static void
give_trash_back (void)
{
  g_autofree char *trash = g_build_filename (g_get_user_data_dir (), "Trash", NULL);
  g_autofree char *aside = g_strconcat (trash, "-aside", NULL);

  g_assert_cmpint (g_unlink (trash), ==, 0);
  g_rename (aside, trash);
}

static gboolean
is_kept (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "before is kept beside it as “") != NULL;
}

static gboolean
is_said (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "before is ") != NULL;
}

static void
calibrate (EsWindow *window, const char *upa)
{
  GtkWidget *dialog;

  es_test_activate (window, "calibrate");
  dialog = es_test_find_toplevel (ES_TYPE_CALIBRATION_DIALOG);
  es_calibration_dialog_type (ES_CALIBRATION_DIALOG (dialog), "", "", "", upa, NULL);
  es_calibration_dialog_apply (ES_CALIBRATION_DIALOG (dialog));
}

/* What could not be read, and an editor's own copy. */
static void
test_calibration (gconstpointer trash)
{
  const gboolean has_trash = GPOINTER_TO_INT (trash);
  g_autoptr (GFile) file = es_test_recording (has_trash ? "kept.wav" : "bare.wav", 1);
  g_autoptr (GFile) sidecar = es_calibration_sidecar_of (file);
  const char *path = g_file_peek_path (sidecar);
  g_autofree char *editors = g_strconcat (path, "~", NULL), *first = g_strconcat (path, ".~1~", NULL);
  g_autofree char *second = g_strconcat (path, ".~2~", NULL);
  EsWindow *window;

  write_text (sidecar, theirs);
  g_assert_true (g_file_set_contents (editors, "an editor's", -1, NULL));
  if (!has_trash)
    take_trash_away ();
  window = es_test_window_of (&file, 1);
  calibrate (window, "2e6");
  ES_TEST_WAIT (has_trash ? is_said : is_kept, window);
  es_test_wait_idle (window);
  g_autoptr (EsCalibration) ours = es_calibration_load (sidecar, NULL, NULL);
  g_assert_nonnull (ours);
  if (!has_trash)
    assert_text (first, theirs);

  /* And back. */
  es_test_activate (window, "undo-calibration");
  es_test_wait_idle (window);
  assert_text (path, theirs);

  /* Another one of theirs does not take the place of the first. */
  write_text (sidecar, "{ \"more of it\": 1 }");
  calibrate (window, "3e6");
  es_test_wait_idle (window);
  if (!has_trash)
    {
      assert_text (first, theirs);
      assert_text (second, "{ \"more of it\": 1 }");
    }
  assert_text (editors, "an editor's");
  /* Taken back at once, before it can have been written: there is an order. */
  es_test_activate (window, "undo-calibration");
  es_test_activate (window, "undo-calibration");
  es_test_activate (window, "undo-calibration");
  es_test_wait_idle (window);
  assert_text (path, "{ \"more of it\": 1 }");
  es_test_close (window);
  if (!has_trash)
    give_trash_back ();
}

/* Where nothing was, nothing is. */
static void
test_nothing (void)
{
  g_autoptr (GFile) file = es_test_recording ("nothing.wav", 1);
  g_autoptr (GFile) sidecar = es_navigation_sidecar_of (file);
  EsWindow *window = es_test_window_of (&file, 1);
  GtkWidget *dialog;

  es_test_activate (window, "navigation");
  dialog = es_test_find_toplevel (ES_TYPE_NAVIGATION_DIALOG);
  es_navigation_dialog_type (ES_NAVIGATION_DIALOG (dialog), NULL, "90");
  es_navigation_dialog_apply (ES_NAVIGATION_DIALOG (dialog));
  es_test_wait_idle (window);
  g_assert_true (g_file_query_exists (sidecar, NULL));
  g_assert_false (is_said (window));
  es_test_activate (window, "undo-navigation");
  es_test_wait_idle (window);
  g_assert_false (g_file_query_exists (sidecar, NULL));
  es_test_activate (window, "undo-navigation");
  es_test_wait_idle (window);
  g_assert_true (g_file_query_exists (sidecar, NULL));
  es_test_close (window);
}

/* ---- hydrophones ---- */

static void
describe (EsWindow *window, double spacing)
{
  EsArrayDialog *dialog;

  es_test_activate (window, "describe-array");
  dialog = ES_ARRAY_DIALOG (es_test_find_toplevel (ES_TYPE_ARRAY_DIALOG));
  es_array_dialog_set_line (dialog, 12, spacing, 0);
  es_array_dialog_apply (dialog);
}

static void
test_array (void)
{
  g_autoptr (GFile) file = es_test_recording ("array.wav", 1);
  g_autoptr (GFile) sidecar = es_array_sidecar_of (file);
  const char *path = g_file_peek_path (sidecar);
  g_autofree char *first = g_strconcat (path, ".~1~", NULL), *second = g_strconcat (path, ".~2~", NULL);
  const char *const others[] = { "{ \"eigenscope-array\": 1, \"elements\": [ }",
                                 "{ \"eigenscope-array\": 1, \"elements\": [ { \"x\": 7, \"y\": 7 } ] }" };
  EsWindow *window = es_test_window_of (&file, 1);

  take_trash_away ();
  /* What was read or written here is known. */
  describe (window, 1.25);
  es_test_wait_idle (window);
  describe (window, 1.5);
  describe (window, 2.5);
  es_test_wait_idle (window);
  g_assert_false (is_said (window));
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      g_autoptr (EsArray) array = NULL;

      write_text (sidecar, others[i]);
      describe (window, 3 + i);
      ES_TEST_WAIT (is_kept, window);
      es_test_wait_idle (window);
      assert_text (i == 0 ? first : second, others[i]);
      array = es_array_load (sidecar, NULL, NULL);
      g_assert_nonnull (array);
      g_assert_cmpfloat_with_epsilon (es_array_get_spacing (array), 3 + i, 1e-9);
    }
  assert_text (first, others[0]);
  es_test_close (window);
  give_trash_back ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_data_func ("/sonar-beside/calibration", GINT_TO_POINTER (TRUE), test_calibration);
  g_test_add_data_func ("/sonar-beside/calibration-without-trash", GINT_TO_POINTER (FALSE), test_calibration);
  g_test_add_func ("/sonar-beside/nothing", test_nothing);
  g_test_add_func ("/sonar-beside/array", test_array);
  return g_test_run ();
}
