/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* When a recording began and where its array points: a person tells it, takes it back, or goes back to what was before;
 * and the file beside the recording follows. */

#include "es-save-beside.h"
#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "hydrophones/es-navigation-dialog.h"

/* Of a recording: what was there before the last change, and whether the file followed. */
#define BEFORE "es-navigation-before"
#define SAVED "es-navigation-saved"

static gboolean
write_navigation (gpointer what, GFile *file, GError **error)
{
  return es_navigation_save (what, file, error);
}

/* What could not be saved is in no file, and is asked about when the window closes. */
static void
on_saved (gpointer what, gboolean saved, gpointer data)
{
  EsRecording *recording = ES_RECORDING (data);
  g_autoptr (EsNavigation) now = es_recording_dup_navigation (recording);

  if (!saved && now != NULL && now == what)
    {
      g_autoptr (EsNavigation) told = es_navigation_with_source (now, ES_NAVIGATION_BY_HAND, NULL);
      es_recording_set_navigation (recording, told);
    }
}

/* navigation NULL: what the recording itself tells. */
static void
change (EsShell *shell, EsRecording *recording, EsNavigation *navigation, gboolean save)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) target = file != NULL && save ? es_navigation_sidecar_of (file) : NULL;
  g_autoptr (EsNavigation) before = es_recording_dup_navigation (recording), now = NULL;
  const gboolean foreign = before == NULL || es_navigation_get_source (before) != ES_NAVIGATION_BESIDE;

  /* What the file says already stays as it is there. */
  if (navigation != NULL && !foreign && es_navigation_equal (navigation, before))
    return;
  if (navigation == NULL)
    now = es_recording_dup_own_navigation (recording);
  else if (target != NULL)
    now = es_navigation_with_source (navigation, ES_NAVIGATION_BESIDE, target);
  else
    now = es_navigation_ref (navigation);
  es_recording_set_navigation (recording, now);
  if (target != NULL)
    _es_save_beside (shell, target, foreign, navigation != NULL ? es_navigation_ref (now) : NULL,
                     (GDestroyNotify) es_navigation_unref, write_navigation, on_saved, g_object_ref (recording),
                     g_object_unref);
}

static void
remember (EsRecording *recording, gboolean save)
{
  EsNavigation *before = es_recording_dup_navigation (recording);

  g_object_set_data_full (G_OBJECT (recording), BEFORE, before,
                          before != NULL ? (GDestroyNotify) es_navigation_unref : NULL);
  g_object_set_data (G_OBJECT (recording), SAVED, GINT_TO_POINTER (save));
}

static void
on_applied (EsNavigationDialog *dialog, EsNavigation *navigation, gboolean save, EsShell *shell)
{
  EsRecording *recording = g_object_get_data (G_OBJECT (dialog), "es-recording");
  g_autofree char *sentence = navigation != NULL ? es_navigation_describe (navigation)
                                                 : g_strdup (_("Start and heading are what the recording tells."));

  remember (recording, save);
  change (shell, recording, navigation, save);
  es_shell_say_with_action (shell, sentence, _("_Undo"), "win.undo-navigation", NULL);
}

void
_es_sonar_navigation_undo (EsShell *shell, EsRecording *recording)
{
  g_autoptr (EsNavigation) before = g_object_steal_data (G_OBJECT (recording), BEFORE);
  const gboolean saved = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (recording), SAVED));
  const gboolean was_beside = before != NULL && es_navigation_get_source (before) == ES_NAVIGATION_BESIDE;

  remember (recording, saved);
  /* The file beside it follows: it is as it was, or goes where none was taken before. */
  change (shell, recording, was_beside ? before : NULL, saved);
  if (!was_beside)
    es_recording_set_navigation (recording, before);
}

void
_es_sonar_navigation_describe (EsShell *shell, EsRecording *recording)
{
  GtkWidget *dialog = es_navigation_dialog_new (es_shell_get_window (shell), recording);

  g_object_set_data_full (G_OBJECT (dialog), "es-recording", g_object_ref (recording), g_object_unref);
  g_signal_connect_object (dialog, "applied", G_CALLBACK (on_applied), shell, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}
