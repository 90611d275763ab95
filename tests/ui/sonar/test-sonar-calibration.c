/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What full scale of a recording is, told in the window: the form, the file beside the recording, levels of what is
 * displayed, and the way back. */

#include <math.h>
#include <string.h>

#include "hydrophones/es-calibration-dialog.h"
#include "hydrophones/es-told-row.h"
#include "readers/es-open.h"
#include "es-test-shell.h"
#include "es-test-sonar-shell.h"

/* ---- the form ---- */

static EsCalibrationDialog *
open_form (EsWindow *window)
{
  GtkWidget *dialog;

  es_test_activate (window, "calibrate");
  dialog = es_test_find_toplevel (ES_TYPE_CALIBRATION_DIALOG);
  g_assert_nonnull (dialog);
  return ES_CALIBRATION_DIALOG (dialog);
}

static gboolean
says (EsCalibrationDialog *dialog, const char *word)
{
  g_test_message ("%s", es_calibration_dialog_get_verdict (dialog));
  return strstr (es_calibration_dialog_get_verdict (dialog), word) != NULL;
}

static gboolean
can_apply (EsCalibrationDialog *dialog)
{
  g_autoptr (EsCalibration) calibration = es_calibration_dialog_get (dialog);

  return calibration != NULL;
}

static gboolean
has_read (gpointer dialog)
{
  return !es_calibration_dialog_is_reading (dialog);
}

static gboolean
is_there (gpointer file)
{
  return g_file_query_exists (file, NULL);
}

static gboolean
is_gone (gpointer file)
{
  return !g_file_query_exists (file, NULL);
}

static void
test_form (void)
{
  g_autoptr (GFile) file = es_test_recording ("form.wav", 2);
  g_autoptr (GFile) table = es_test_file_in ("form", "lab.csv");
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  EsCalibrationDialog *dialog = open_form (window);
  g_autoptr (GError) error = NULL;

  /* Nothing is filled in that nobody has told. */
  g_assert_false (can_apply (dialog));
  g_assert_true (says (dialog, "Not calibrated"));
  es_calibration_dialog_type (dialog, "-180", NULL, NULL, NULL, NULL);
  g_assert_false (can_apply (dialog));
  g_assert_true (says (dialog, "ADC range is missing"));
  es_calibration_dialog_type (dialog, NULL, "16.75", "2,5", NULL, NULL);
  g_assert_true (can_apply (dialog));
  g_assert_true (says (dialog, "Full scale is 171.2 dB re 1 µPa"));
  es_calibration_dialog_type (dialog, "180", NULL, NULL, NULL, NULL);
  g_assert_false (can_apply (dialog));
  g_assert_true (says (dialog, "expected dB re 1 V/µPa"));
  es_calibration_dialog_type (dialog, "loud", NULL, NULL, NULL, NULL);
  g_assert_true (says (dialog, "“loud” is no number"));
  es_calibration_dialog_type (dialog, "\xe2\x88\x92" "60", NULL, NULL, NULL, NULL);
  g_assert_true (can_apply (dialog));
  g_assert_true (says (dialog, "high for a hydrophone"));
  es_calibration_dialog_type (dialog, "-180", NULL, NULL, NULL, "channel,sensitivity_db\n2,-190\n");
  g_assert_true (says (dialog, "171.2 to 181.2 dB re 1 µPa, by channel"));
  es_calibration_dialog_type (dialog, NULL, NULL, NULL, NULL, "channel,sensitivity_db\n200,-190\n");
  g_assert_false (can_apply (dialog));
  g_assert_true (says (dialog, "200 channels"));
  es_calibration_dialog_type (dialog, NULL, NULL, NULL, "1e9", "");
  g_assert_true (says (dialog, "told twice"));
  es_calibration_dialog_type (dialog, "", "", "", NULL, NULL);
  g_assert_true (says (dialog, "Full scale is 180.0 dB"));

  /* The gain that the form begins with is no second telling. */
  es_calibration_dialog_type (dialog, "", "0", "", "1e6", NULL);
  g_assert_true (can_apply (dialog));
  g_assert_true (says (dialog, "Full scale is 120.0 dB"));
  es_calibration_dialog_type (dialog, "", "1", "", "1e6", NULL);
  g_assert_false (can_apply (dialog));

  /* A laboratory's table brings sensitivities; the rest is told beside it. */
  es_calibration_dialog_type (dialog, "-180", "20", "1", "", NULL);
  g_assert_true (g_file_replace_contents (table, "channel,sensitivity_db\n1,-185\n", 30, NULL, FALSE, 0, NULL, NULL,
                                          &error));
  es_calibration_dialog_load (dialog, table);
  g_assert_true (es_calibration_dialog_is_reading (dialog));
  ES_TEST_WAIT (has_read, dialog);
  g_assert_true (says (dialog, "160.0 to 165.0 dB re 1 µPa"));
  g_assert_true (g_file_replace_contents (table, "apples\n", 7, NULL, FALSE, 0, NULL, NULL, &error));
  es_calibration_dialog_load (dialog, table);
  ES_TEST_WAIT (has_read, dialog);
  g_assert_true (says (dialog, "lab.csv"));
  g_assert_true (isnan (es_recording_get_calibration (recording)));
  gtk_window_close (GTK_WINDOW (dialog));
  es_test_close (window);
}

/* ---- what it does ---- */

static gboolean
is_calibrated (gpointer player)
{
  EsBeamHistory *history = es_player_get_history (player);

  return es_beam_history_get_n_rows (history) > 0 && es_beam_history_is_calibrated (history);
}

static gboolean
is_not_calibrated (gpointer player)
{
  EsBeamHistory *history = es_player_get_history (player);

  return es_beam_history_get_n_rows (history) > 0 && !es_beam_history_is_calibrated (history);
}

static gboolean
row_says (EsWindow *window, const char *word)
{
  GtkWidget *row = es_test_find (GTK_WIDGET (window), ES_TYPE_TOLD_ROW, NULL);

  g_assert_nonnull (row);
  return strstr (es_told_row_get_text (ES_TOLD_ROW (row)), word) != NULL;
}

static gboolean
has_been_changed (gpointer window)
{
  return es_test_find (window, GTK_TYPE_LABEL, "What was in “applied.wav.calibration.json” before is") != NULL;
}

static void
test_applied (void)
{
  g_autoptr (GFile) file = es_test_recording ("applied.wav", 2);
  g_autoptr (GFile) sidecar = es_calibration_sidecar_of (file);
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));
  static const char other[] = "{\"eigenscope-calibration\":1,\"upa-per-unit\":8e6}";
  EsCalibrationDialog *dialog;
  g_autofree char *text = NULL;

  ES_TEST_WAIT (is_not_calibrated, es_test_player (window));
  g_assert_true (row_says (window, "not calibrated; gains applied"));

  dialog = open_form (window);
  es_calibration_dialog_type (dialog, "-180", "20", "1", NULL, NULL);
  es_calibration_dialog_apply (dialog);
  g_assert_cmpfloat_with_epsilon (es_recording_get_calibration (recording), 1e8, 1);
  ES_TEST_WAIT (is_calibrated, es_test_player (window));
  ES_TEST_WAIT (is_there, sidecar);
  g_assert_true (row_says (window, "160.0 dB re 1 µPa"));
  g_assert_true (row_says (window, "applied.wav.calibration.json"));

  /* Another one, and back. */
  dialog = open_form (window);
  es_calibration_dialog_type (dialog, "-170", NULL, NULL, NULL, NULL);
  es_calibration_dialog_apply (dialog);
  g_assert_true (row_says (window, "150.0 dB"));
  es_test_wait_idle (window);
  es_test_activate (window, "undo-calibration");
  g_assert_true (row_says (window, "160.0 dB"));
  es_test_wait_idle (window);
  g_assert_false (has_been_changed (window));

  /* Another window has written it meanwhile: that is put away, and said. */
  g_assert_true (g_file_replace_contents (sidecar, other, strlen (other), NULL, FALSE, 0, NULL, NULL, NULL));
  dialog = open_form (window);
  es_calibration_dialog_type (dialog, "-150", NULL, NULL, NULL, NULL);
  es_calibration_dialog_apply (dialog);
  ES_TEST_WAIT (has_been_changed, window);
  es_test_wait_idle (window);
  es_test_activate (window, "undo-calibration");
  g_assert_true (row_says (window, "160.0 dB"));
  es_test_wait_idle (window);
  /* What they have written is there again, and what is told in this window. */
  g_assert_true (g_file_load_contents (sidecar, NULL, &text, NULL, NULL, NULL));
  g_assert_cmpstr (text, ==, other);
  es_test_activate (window, "undo-calibration");
  es_test_activate (window, "undo-calibration");
  es_test_wait_idle (window);
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_load_contents (sidecar, NULL, &text, NULL, NULL, NULL));
  g_assert_cmpstr (text, ==, other);
  dialog = open_form (window);
  es_calibration_dialog_apply (dialog);
  es_test_wait_idle (window);
  es_test_close (window);

  /* The next time it is known. */
  window = es_test_window_of (&file, 1);
  recording = ES_RECORDING (es_test_first_dataset (window));
  g_assert_cmpfloat_with_epsilon (es_recording_get_calibration (recording), 1e8, 1);
  ES_TEST_WAIT (is_calibrated, es_test_player (window));

  /* Taken away, with its file; and that taken back. */
  dialog = open_form (window);
  es_calibration_dialog_remove (dialog);
  g_assert_true (row_says (window, "not calibrated"));
  ES_TEST_WAIT (is_gone, sidecar);
  ES_TEST_WAIT (is_not_calibrated, es_test_player (window));
  es_test_wait_idle (window);
  es_test_activate (window, "undo-calibration");
  ES_TEST_WAIT (is_there, sidecar);
  ES_TEST_WAIT (is_calibrated, es_test_player (window));
  es_test_wait_idle (window);
  es_test_close (window);
}

static gboolean
has_8e6 (gpointer recording)
{
  return es_recording_get_calibration (recording) == 8e6;
}

/* A file that is dropped. */
static void
test_dropped (void)
{
  static const char text[] = "{\"eigenscope-calibration\":1,\"upa-per-unit\":8e6}";
  g_autoptr (GFile) file = es_test_recording ("dropped.wav", 2);
  g_autoptr (GFile) told = es_test_file_in ("dropped", "lab.calibration.json");
  g_autoptr (GFile) bad = es_test_file_in ("dropped", "bad.calibration.json");
  EsWindow *window = es_test_window_of (&file, 1);
  EsRecording *recording = ES_RECORDING (es_test_first_dataset (window));

  g_assert_true (g_file_replace_contents (told, text, strlen (text), NULL, FALSE, 0, NULL, NULL, NULL));
  g_assert_true (g_file_replace_contents (bad, "{}", 2, NULL, FALSE, 0, NULL, NULL, NULL));
  es_window_open (window, &bad, 1, ES_OPEN_GIVEN);
  es_test_wait_idle (window);
  g_assert_nonnull (es_test_find (GTK_WIDGET (window), GTK_TYPE_LABEL, "bad.calibration.json"));
  g_assert_true (isnan (es_recording_get_calibration (recording)));
  es_window_open (window, &told, 1, ES_OPEN_GIVEN);
  ES_TEST_WAIT (has_8e6, recording);
  g_assert_true (row_says (window, "lab.calibration.json"));
  es_test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_application ();
  g_test_add_func ("/sonar-calibration/form", test_form);
  g_test_add_func ("/sonar-calibration/applied", test_applied);
  g_test_add_func ("/sonar-calibration/dropped", test_dropped);
  return g_test_run ();
}
