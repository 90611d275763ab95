/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Where the hydrophones are: a person describes it, opens a file, or drops one. */

#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "files/es-save-beside.h"
#include "hydrophones/es-array-dialog.h"
#include "hydrophones/es-open-beside.h"
#include "base/es-error.h"

/* ---- saved beside the recording ---- */

typedef struct
{
  EsRecording *recording;
  EsArray     *array;
} Told;

static void
told_free (gpointer data)
{
  Told *told = data;

  g_object_unref (told->recording);
  es_array_unref (told->array);
  g_free (told);
}

static gboolean
write_array (gpointer what, GFile *file, GError **error)
{
  Told *told = what;

  if (!es_array_save (told->array, file, error))
    return FALSE;
  es_recording_set_array_beside (told->recording, told->array);
  return TRUE;
}

/* What cannot be read, somebody else has written. */
static gboolean
is_known (GFile *file, gpointer recording)
{
  g_autoptr (EsArray) there = es_array_load (file, NULL, NULL), known = es_recording_dup_array_beside (recording);

  return there != NULL && known != NULL && es_array_equal (there, known);
}

static void
on_saved (gpointer what, gboolean saved, gpointer recording)
{
  es_recording_set_array_saved (recording, ((Told *) what)->array, saved);
}

static void
save_beside (EsShell *shell, EsRecording *recording, EsArray *array)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) target = file != NULL ? es_array_sidecar_of (file) : NULL;
  Told *told;

  if (target == NULL)
    return;
  told = g_new (Told, 1);
  *told = (Told) { g_object_ref (recording), es_array_ref (array) };
  /* Closing the window waits for it, or asks, and need not ask for the array too. */
  es_recording_set_array_saved (recording, array, TRUE);
  _es_save_beside (shell, target, &(EsSaveBeside) {
    .there = ES_SAVE_BESIDE_OURS, .what = told, .free_what = told_free, .write = write_array, .know = is_known,
    .done = on_saved, .data = g_object_ref (recording), .free_data = g_object_unref,
  });
}

/* ---- files that are being read ---- */

/* The newest word on where a recording's hydrophones are counts: what is still being read of an older one ends. */
static void
stop_reading (EsRecording *recording)
{
  EsActivity *activity = g_object_get_data (G_OBJECT (recording), "es-reading-positions");

  if (activity != NULL)
    g_cancellable_cancel (es_activity_get_cancellable (activity));
  g_object_set_data (G_OBJECT (recording), "es-reading-positions", NULL);
}

/* ---- the dialog ---- */

static void
on_applied (EsArrayDialog *dialog, EsArray *array, gboolean save, EsShell *shell)
{
  EsRecording *recording = g_object_get_data (G_OBJECT (dialog), "es-recording");

  stop_reading (recording);
  es_recording_describe_array (recording, array);
  if (save)
    save_beside (shell, recording, array);
}

void
_es_sonar_array_describe (EsShell *shell, EsRecording *recording)
{
  GtkWidget *dialog = es_array_dialog_new (es_shell_get_window (shell), recording);

  g_object_set_data_full (G_OBJECT (dialog), "es-recording", g_object_ref (recording), g_object_unref);
  g_signal_connect_object (dialog, "applied", G_CALLBACK (on_applied), shell, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

/* ---- files ---- */

static void
say_array (EsShell *shell, EsArray *array)
{
  g_autofree char *description = es_array_describe (array);

  es_shell_say (shell, description);
}

/* Elements whose channels the recording has none of would be heard as silence. */
static gboolean
fits (EsRecording *recording, EsArray *array, GFile *file, char **sentence)
{
  const EsElement *elements = es_array_get_elements (array);
  guint n_channels = es_recording_get_n_channels (recording);

  for (guint i = 0; i < es_array_get_n_elements (array); i++)
    if (!elements[i].dead && elements[i].channel >= n_channels)
      {
        g_autofree char *name = es_error_file_name (file);

        *sentence = g_strdup_printf (ngettext ("“%s” describes %u hydrophones up to channel %u, but the recording has "
                                               "%u channel.",
                                               "“%s” describes %u hydrophones up to channel %u, but the recording has "
                                               "%u channels.", n_channels),
                                     name, es_array_get_n_elements (array), elements[i].channel + 1, n_channels);
        return FALSE;
      }
  return TRUE;
}

typedef struct
{
  EsShell     *shell;
  EsRecording *recording;
  GFile       *file;
  EsActivity  *activity;
} Positions;

static void
positions_free (Positions *positions)
{
  g_object_unref (positions->shell);
  g_object_unref (positions->recording);
  g_object_unref (positions->file);
  g_object_unref (positions->activity);
  g_free (positions);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Positions, positions_free)

static void
on_positions_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Positions) positions = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_load_finish (result, &error);
  g_autofree char *sentence = NULL;

  es_shell_end (positions->shell, positions->activity);
  if (g_object_get_data (G_OBJECT (positions->recording), "es-reading-positions") == positions->activity)
    g_object_set_data (G_OBJECT (positions->recording), "es-reading-positions", NULL);
  if (array == NULL)
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        es_shell_say (positions->shell, error->message);
    }
  else if (!fits (positions->recording, array, positions->file, &sentence))
    es_shell_say (positions->shell, sentence);
  else
    {
      es_recording_set_array (positions->recording, array);
      say_array (positions->shell, array);
    }
}

void
_es_sonar_array_open (EsShell *shell, EsRecording *recording, GFile *file)
{
  g_autofree char *name = es_error_file_name (file), *sentence = NULL, *title = NULL;
  Positions *positions;

  if (recording == NULL)
    {
      sentence = g_strdup_printf (_("“%s” tells where hydrophones are: open their recording first, then this file, or "
                                    "both at once."), name);
      es_shell_say (shell, sentence);
      return;
    }
  if (es_calibration_is_file (file))
    {
      _es_sonar_calibration_open (shell, recording, file);
      return;
    }
  stop_reading (recording);
  title = g_strdup_printf (_("Reading %s"), name);
  positions = g_new0 (Positions, 1);
  positions->shell = g_object_ref (shell);
  positions->recording = g_object_ref (recording);
  positions->file = g_object_ref (file);
  positions->activity = g_object_ref (es_shell_begin (shell, title));
  g_object_set_data_full (G_OBJECT (recording), "es-reading-positions", g_object_ref (positions->activity),
                          g_object_unref);
  es_array_load_async (file, es_activity_get_cancellable (positions->activity), on_positions_read, positions);
}

static void
on_positions_chosen (GtkNativeDialog *dialog, int response, EsSonarWorkspace *self)
{
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (dialog))
                                                           : NULL;

  if (file != NULL)
    _es_sonar_array_open (_es_sonar_workspace_get_shell (self), self->recording, file);
}

void
_es_sonar_array_choose (EsSonarWorkspace *self)
{
  EsShell *shell = _es_sonar_workspace_get_shell (self);
  EsRecording *recording = self->recording;
  GFile *file = recording != NULL ? es_dataset_get_file (ES_DATASET (recording)) : NULL;
  g_autoptr (GFile) folder = file != NULL ? g_file_get_parent (file) : NULL;
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (shell) || recording == NULL)
    return;
  chooser = gtk_file_chooser_native_new (_("Open Positions"), es_shell_get_window (shell),
                                         GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  es_open_add_filters (GTK_FILE_CHOOSER (chooser), _("Hydrophone positions"), es_open_positions_suffixes);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (chooser), folder, NULL);
  es_shell_choose (shell, chooser, G_CALLBACK (on_positions_chosen), self);
}

void
_es_sonar_array_set (EsShell *shell, EsRecording *recording, const char *text)
{
  g_autoptr (GFile) file = es_array_find_file (text);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = NULL;

  if (file != NULL)
    {
      _es_sonar_array_open (shell, recording, file);
      return;
    }
  array = es_array_parse (text, &error);
  if (array != NULL)
    {
      stop_reading (recording);
      es_recording_set_array (recording, array);
    }
  else
    es_shell_say (shell, error->message);
}
