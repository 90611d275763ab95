/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What full scale is, as a person tells it, or a file that is opened for it. */

#include "es-sonar-told.h"
#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "hydrophones/es-calibration-dialog.h"
#include "readers/es-open.h"

static gboolean
write_calibration (gpointer what, GFile *file, GError **error)
{
  return es_calibration_save (what, file, error);
}

static gboolean
is_beside (gpointer what)
{
  return es_calibration_get_source (what) == ES_CALIBRATION_BESIDE;
}

static gpointer
by_hand (gpointer what)
{
  return es_calibration_with_source (what, ES_CALIBRATION_BY_HAND, NULL);
}

/* Of files of one channel each the one beside the first is of all: it lists them. */
static gpointer
for_sidecar (EsRecording *recording, gpointer what, GFile *target)
{
  GFile * const *files = es_recording_get_files (recording);
  const gboolean several = files[0] != NULL && files[1] != NULL;
  g_autoptr (EsCalibration) all = several ? es_calibration_spread (what, es_recording_get_n_channels (recording))
                                          : es_calibration_ref (what);

  return es_calibration_with_source (all, ES_CALIBRATION_BESIDE, target);
}

static gpointer
load_calibration (GFile *file, GError **error)
{
  return es_calibration_load (file, NULL, error);
}

static const EsSonarTold calibration_told = {
  .before = "es-calibration-before",
  .dup = (gpointer (*) (EsRecording *)) es_recording_dup_calibration,
  .dup_own = (gpointer (*) (EsRecording *)) es_recording_dup_own_calibration,
  .set = (void (*) (EsRecording *, gpointer)) es_recording_set_calibration,
  .ref = (gpointer (*) (gpointer)) es_calibration_ref,
  .unref = (GDestroyNotify) es_calibration_unref,
  .is_beside = is_beside,
  .by_hand = by_hand,
  .for_sidecar = for_sidecar,
  .sidecar_of = es_calibration_sidecar_of,
  .load = load_calibration,
  .same = (gboolean (*) (gpointer, gpointer)) es_calibration_equal,
  .write = write_calibration,
};

static void
on_applied (EsCalibrationDialog *dialog, EsCalibration *calibration, gboolean save, EsShell *shell)
{
  EsRecording *recording = _es_sonar_told_get_recording (dialog);
  g_autofree char *sentence = calibration != NULL
                              ? es_calibration_tell_full_scale (calibration, es_recording_get_n_channels (recording))
                              : g_strdup (_("The calibration is removed."));

  _es_sonar_told_apply (&calibration_told, shell, recording, calibration, save);
  es_shell_say_with_action (shell, sentence, _("_Undo"), "win.undo-calibration", NULL);
}

void
_es_sonar_calibration_undo (EsShell *shell, EsRecording *recording)
{
  _es_sonar_told_undo (&calibration_told, shell, recording);
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
      _es_sonar_told_remember (&calibration_told, opening->recording, FALSE);
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
  es_task_run_in_thread (task, load_in_thread);
}

/* ---- the dialog ---- */

void
_es_sonar_calibration_describe (EsShell *shell, EsRecording *recording)
{
  _es_sonar_told_present (shell, recording, es_calibration_dialog_new (es_shell_get_window (shell), recording),
                          G_CALLBACK (on_applied));
}
