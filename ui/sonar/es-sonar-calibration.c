/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What full scale is: a person tells it, takes it back, or goes back to what was before; and the file beside the
 * recording follows. */

#include "es-save-beside.h"
#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "hydrophones/es-calibration-dialog.h"
#include "readers/es-open.h"

/* Of a recording: what was there before the last change. */
#define BEFORE "es-calibration-before"
#define SAVED "es-calibration-saved"

static gboolean
write_calibration (gpointer what, GFile *file, GError **error)
{
  return es_calibration_save (what, file, error);
}

/* One that could not be saved is in no file, and says so. */
static void
on_saved (gpointer what, gboolean saved, gpointer data)
{
  EsRecording *recording = ES_RECORDING (data);
  g_autoptr (EsCalibration) now = es_recording_dup_calibration (recording);

  if (!saved && now != NULL && now == what)
    {
      g_autoptr (EsCalibration) told = es_calibration_with_source (now, ES_CALIBRATION_BY_HAND, NULL);
      es_recording_set_calibration (recording, told);
    }
}

static void
save_beside (EsShell *shell, EsRecording *recording, EsCalibration *calibration, GFile *target, gboolean foreign)
{
  _es_save_beside (shell, target, foreign, calibration != NULL ? es_calibration_ref (calibration) : NULL,
                   (GDestroyNotify) es_calibration_unref, write_calibration, on_saved, g_object_ref (recording),
                   g_object_unref);
}

/* Of files of one channel each the one beside the first is of all: it lists them. */
static EsCalibration *
for_sidecar (EsRecording *recording, EsCalibration *calibration, GFile *target)
{
  GFile * const *files = es_recording_get_files (recording);
  const gboolean several = files[0] != NULL && files[1] != NULL;
  g_autoptr (EsCalibration) all = several ? es_calibration_spread (calibration, es_recording_get_n_channels (recording))
                                          : es_calibration_ref (calibration);

  return es_calibration_with_source (all, ES_CALIBRATION_BESIDE, target);
}

/* calibration NULL: what the recording itself tells. */
static void
change (EsShell *shell, EsRecording *recording, EsCalibration *calibration, gboolean save)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) target = file != NULL && save ? es_calibration_sidecar_of (file) : NULL;
  g_autoptr (EsCalibration) before = es_recording_dup_calibration (recording), now = NULL;
  const gboolean foreign = before == NULL || es_calibration_get_source (before) != ES_CALIBRATION_BESIDE;

  if (calibration == NULL)
    now = es_recording_dup_own_calibration (recording);
  else if (target != NULL)
    now = for_sidecar (recording, calibration, target);
  else
    now = es_calibration_ref (calibration);
  es_recording_set_calibration (recording, now);
  if (target != NULL)
    save_beside (shell, recording, calibration != NULL ? now : NULL, target, foreign);
}

static void
remember (EsRecording *recording, gboolean save)
{
  EsCalibration *before = es_recording_dup_calibration (recording);

  g_object_set_data_full (G_OBJECT (recording), BEFORE, before, (GDestroyNotify) es_calibration_unref);
  g_object_set_data (G_OBJECT (recording), SAVED, GINT_TO_POINTER (save));
}

static void
on_applied (EsCalibrationDialog *dialog, EsCalibration *calibration, gboolean save, EsShell *shell)
{
  EsRecording *recording = g_object_get_data (G_OBJECT (dialog), "es-recording");
  g_autofree char *sentence = calibration != NULL
                              ? es_calibration_tell_full_scale (calibration, es_recording_get_n_channels (recording))
                              : g_strdup (_("The calibration is removed."));

  remember (recording, save);
  change (shell, recording, calibration, save);
  es_shell_say_with_action (shell, sentence, _("_Undo"), "win.undo-calibration", NULL);
}

void
_es_sonar_calibration_undo (EsShell *shell, EsRecording *recording)
{
  g_autoptr (EsCalibration) before = g_object_steal_data (G_OBJECT (recording), BEFORE);
  const gboolean saved = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (recording), SAVED));
  const gboolean was_beside = before != NULL && es_calibration_get_source (before) == ES_CALIBRATION_BESIDE;

  remember (recording, saved);
  /* The file beside it follows: it is as it was, or goes where none was taken before. */
  change (shell, recording, was_beside ? before : NULL, saved);
  if (!was_beside)
    es_recording_set_calibration (recording, before);
}

/* ---- files ---- */

typedef struct
{
  EsShell     *shell;
  EsRecording *recording;
  EsActivity  *activity;
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_object_unref (opening->shell);
  g_object_unref (opening->recording);
  g_object_unref (opening->activity);
  g_free (opening);
}

static void
load_in_thread (GTask *task, gpointer file, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsCalibration *calibration = es_calibration_load (file, NULL, &error);

  if (calibration != NULL)
    g_task_return_pointer (task, calibration, (GDestroyNotify) es_calibration_unref);
  else
    g_task_return_error (task, error);
}

static void
on_loaded (GObject *file, GAsyncResult *result, gpointer data)
{
  Opening *opening = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCalibration) calibration = g_task_propagate_pointer (G_TASK (result), &error);

  es_shell_end (opening->shell, opening->activity);
  if (calibration != NULL)
    {
      remember (opening->recording, FALSE);
      if (es_recording_name_calibration (opening->recording, calibration, &error))
        {
          g_autofree char *sentence =
            es_calibration_tell_full_scale (calibration, es_recording_get_n_channels (opening->recording));
          es_shell_say_with_action (opening->shell, sentence, _("_Undo"), "win.undo-calibration", NULL);
        }
    }
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    es_shell_say (opening->shell, error->message);
}

void
_es_sonar_calibration_open (EsShell *shell, EsRecording *recording, GFile *file)
{
  g_autofree char *name = es_error_file_name (file);
  g_autofree char *title = g_strdup_printf (_("Reading %s"), name);
  Opening *opening = g_new0 (Opening, 1);

  opening->shell = g_object_ref (shell);
  opening->recording = g_object_ref (recording);
  opening->activity = g_object_ref (es_shell_begin (shell, title));
  g_autoptr (GTask) task = g_task_new (file, es_activity_get_cancellable (opening->activity), on_loaded, NULL);
  g_task_set_source_tag (task, _es_sonar_calibration_open);
  g_task_set_task_data (task, opening, opening_free);
  g_task_run_in_thread (task, load_in_thread);
}

/* ---- the dialog ---- */

void
_es_sonar_calibration_describe (EsShell *shell, EsRecording *recording)
{
  GtkWidget *dialog = es_calibration_dialog_new (es_shell_get_window (shell), recording);

  g_object_set_data_full (G_OBJECT (dialog), "es-recording", g_object_ref (recording), g_object_unref);
  g_signal_connect_object (dialog, "applied", G_CALLBACK (on_applied), shell, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
