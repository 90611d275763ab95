/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Closing a window: what a person has made by hand and no file holds is asked about, and can be saved. */

#include "cube/es-region-set.h"
#include "files/es-region-store.h"
#include "hydrophones/es-array-dialog.h"
#include "hydrophones/es-calibration-dialog.h"
#include "es-test-shell.h"
#include "es-test-sonar-shell.h"

static GtkWidget *
find_dialog (EsWindow *window)
{
  GtkWidget *dialog = es_test_find_toplevel (ADW_TYPE_MESSAGE_DIALOG);

  return dialog != NULL && gtk_window_get_transient_for (GTK_WINDOW (dialog)) == GTK_WINDOW (window) ? dialog : NULL;
}

static gboolean
is_null (gpointer data)
{
  return *(gpointer *) data == NULL;
}

/* Asked about it: the dialog, which names it. */
static GtkWidget *
close_and_get_dialog (EsWindow *window, const char *line)
{
  GtkWidget *dialog;

  gtk_window_close (GTK_WINDOW (window));
  dialog = find_dialog (window);
  g_assert_nonnull (dialog);
  g_assert_nonnull (strstr (adw_message_dialog_get_body (ADW_MESSAGE_DIALOG (dialog)), line));
  return dialog;
}

static void
close_unasked (EsWindow *window)
{
  gpointer weak = window;

  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  gtk_window_close (GTK_WINDOW (window));
  ES_TEST_WAIT (is_null, &weak);
}

/* ---- hydrophones ---- */

static void
describe (EsWindow *window, double spacing, gboolean beside)
{
  EsArrayDialog *dialog;
  GtkWidget *label;

  es_test_activate (window, "describe-array");
  dialog = ES_ARRAY_DIALOG (es_test_find_toplevel (ES_TYPE_ARRAY_DIALOG));
  es_array_dialog_set_line (dialog, 12, spacing, 0);
  label = es_test_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "Save _beside the recording");
  g_assert_nonnull (label);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (gtk_widget_get_ancestor (label, GTK_TYPE_CHECK_BUTTON)), beside);
  es_array_dialog_apply (dialog);
}

/* A recording of this test program, in a folder of its own, with its array beside it. */
static GFile *
copy_recording (const char *folder, GFile **sidecar)
{
  g_autoptr (GFile) simulated = es_test_recording ("made.wav", 1), beside = es_array_sidecar_of (simulated);
  GFile *file = es_test_file_in (folder, "made.wav");
  g_autoptr (GError) error = NULL;

  *sidecar = es_array_sidecar_of (file);
  g_file_copy (simulated, file, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_file_copy (beside, *sidecar, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return file;
}

static void
test_positions (void)
{
  g_autoptr (GFile) sidecar = NULL, file = copy_recording ("described-once", &sidecar);
  g_autoptr (GFile) folder = es_test_file_in ("saved-positions", "x"), parent = g_file_get_parent (folder);
  g_autoptr (GFile) first = g_file_get_child (parent, "made.wav.array.json");
  g_autoptr (GFile) second = g_file_get_child (parent, "made.wav-2.array.json");
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  g_autoptr (EsArray) described = NULL, again = NULL, kept = NULL;
  g_autoptr (GError) error = NULL;
  gpointer weak;

  /* The same as before is no work, and what has been written beside is in a file. */
  describe (window, 1.5, FALSE);
  g_assert_true (es_recording_is_array_saved (recording));
  describe (window, 1.25, TRUE);
  es_test_wait_idle (window);
  g_assert_true (es_recording_is_array_saved (recording));
  close_unasked (window);

  window = es_test_window_of (&file, 1);
  recording = ES_RECORDING (es_test_first_dataset (window));
  describe (window, 0.75, FALSE);
  described = es_recording_get_array (recording);
  es_test_respond (close_and_get_dialog (window, "Hydrophones of made.wav"), "cancel");
  /* Removing the data is asked about in the same way. */
  es_test_activate (window, "remove");
  g_assert_nonnull (find_dialog (window));
  es_test_respond (find_dialog (window), "cancel");

  /* Nothing of that name is replaced. */
  g_assert_true (g_file_set_contents (g_file_peek_path (first), "mine", 4, NULL));
  es_test_respond (close_and_get_dialog (window, "Made by hand"), "cancel");
  weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  g_assert_true (es_window_leave_into (window, parent, TRUE));
  ES_TEST_WAIT (is_null, &weak);
  again = es_array_load (second, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (es_array_equal (again, described));
  kept = es_array_load (sidecar, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (es_array_get_spacing (kept), 1.25, 1e-9);
}

/* What was to be saved beside the recording and could not be is still only in the window. */
static void
test_positions_not_written (void)
{
  g_autoptr (GFile) sidecar = NULL, file = copy_recording ("described-in-vain", &sidecar);
  g_autoptr (GFile) stone = g_file_get_child (sidecar, "stone");
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));

  g_file_delete (sidecar, NULL, NULL);
  g_assert_true (g_file_make_directory_with_parents (stone, NULL, NULL));
  describe (window, 0.5, TRUE);
  /* Waiting for it alone does not close the window over its failure. */
  gtk_window_close (GTK_WINDOW (window));
  g_assert_nonnull (find_dialog (window));
  es_test_respond (find_dialog (window), "save");
  es_test_wait_idle (window);
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (window)));
  g_assert_false (es_recording_is_array_saved (recording));
  es_test_respond (close_and_get_dialog (window, "Hydrophones of made.wav"), "cancel");
  es_test_close (window);
  g_file_delete (stone, NULL, NULL);
  g_file_delete (sidecar, NULL, NULL);
}

/* ---- full scale ---- */

static void
calibrate (EsWindow *window, const char *upa, gboolean beside)
{
  EsCalibrationDialog *dialog;
  GtkWidget *label;

  es_test_activate (window, "calibrate");
  dialog = ES_CALIBRATION_DIALOG (es_test_find_toplevel (ES_TYPE_CALIBRATION_DIALOG));
  es_calibration_dialog_type (dialog, "", "", "", upa, NULL);
  label = es_test_find (GTK_WIDGET (dialog), GTK_TYPE_LABEL, "beside the recording");
  g_assert_nonnull (label);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (gtk_widget_get_ancestor (label, GTK_TYPE_CHECK_BUTTON)), beside);
  es_calibration_dialog_apply (dialog);
}

/* One that is in no file is asked about, and saved where all is saved. */
static void
test_calibration (void)
{
  g_autoptr (GFile) sidecar = NULL, file = copy_recording ("calibrated-once", &sidecar);
  g_autoptr (GFile) folder = es_test_file_in ("saved-calibration", "x"), parent = g_file_get_parent (folder);
  g_autoptr (GFile) target = g_file_get_child (parent, "made.wav" ES_CALIBRATION_ENDING);
  g_autoptr (GFile) beside = es_calibration_sidecar_of (file);
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  g_autoptr (EsCalibration) told = NULL, again = NULL;
  g_autoptr (GError) error = NULL;
  gpointer weak;

  calibrate (window, "2e6", TRUE);
  es_test_wait_idle (window);
  close_unasked (window);
  g_assert_true (g_file_query_exists (beside, NULL));

  window = es_test_window_of (&file, 1);
  recording = ES_RECORDING (es_test_first_dataset (window));
  calibrate (window, "3e6", FALSE);
  told = es_recording_dup_calibration (recording);
  es_test_respond (close_and_get_dialog (window, "Calibration of made.wav"), "cancel");
  weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  g_assert_true (es_window_leave_into (window, parent, TRUE));
  ES_TEST_WAIT (is_null, &weak);
  again = es_calibration_load (target, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (es_calibration_equal (again, told));
}

/* ---- classes ---- */

static void
draw (EsRegionSet *classes, const char *name)
{
  g_autoptr (EsRegion) region = es_region_new_rectangle (2, 3, 5, 6);

  es_region_set_add (classes, name, region, 0x3584e4);
}

static void
test_classes (void)
{
  g_autoptr (GFile) cube = es_test_cube ("drawn.img", 31);
  g_autoptr (GFile) in_the_way = g_file_new_build_filename (g_get_user_data_dir (), "eigenscope", NULL);
  g_autoptr (GFile) folder = es_test_file_in ("saved-classes", "x"), parent = g_file_get_parent (folder);
  g_autoptr (GFile) saved = g_file_get_child (parent, "drawn-classes.json");
  EsWindow *window = es_test_window_with (cube);
  EsRegionSet *classes = es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)));
  g_autoptr (GFile) aside = g_file_new_build_filename (g_get_user_data_dir (), "aside", NULL);
  g_autoptr (GError) error = NULL;
  gpointer weak;

  /* Kept by themselves: nothing to be asked, now and the next time. */
  draw (classes, "Lake");
  g_assert_false (es_region_set_is_saved (classes));
  close_unasked (window);
  window = es_test_window_with (cube);
  classes = es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (classes)), ==, 1);
  g_assert_true (es_region_set_is_saved (classes));

  /* Where they cannot be kept it is told, and asked. */
  g_file_move (in_the_way, aside, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_file_set_contents (g_file_peek_path (in_the_way), "x", 1, NULL));
  draw (classes, "Wood");
  es_region_store_write ();
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "The classes of “drawn.img” are not kept"));
  es_test_respond (close_and_get_dialog (window, "Classes of drawn.img"), "cancel");
  weak = window;
  g_object_add_weak_pointer (G_OBJECT (window), &weak);
  g_assert_true (es_window_leave_into (window, parent, TRUE));
  ES_TEST_WAIT (is_null, &weak);
  g_file_delete (in_the_way, NULL, NULL);
  g_file_move (aside, in_the_way, G_FILE_COPY_NONE, NULL, NULL, NULL, &error);
  g_assert_no_error (error);

  window = es_test_window_with (cube);
  classes = es_dataset_get_regions (es_viewer_get_dataset (es_test_viewer (window)));
  es_region_set_clear (classes);
  g_assert_true (es_region_set_load (classes, saved, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (classes)), ==, 2);
  close_unasked (window);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/leaving-made/positions", test_positions);
  g_test_add_func ("/leaving-made/positions-not-written", test_positions_not_written);
  g_test_add_func ("/leaving-made/calibration", test_calibration);
  g_test_add_func ("/leaving-made/classes", test_classes);
  return g_test_run ();
}
