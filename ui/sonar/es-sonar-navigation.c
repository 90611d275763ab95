/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* When a recording began and where its array points, as a person tells it. */

#include "es-sonar-told.h"
#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "hydrophones/es-navigation-dialog.h"

static gboolean
write_navigation (gpointer what, GFile *file, GError **error)
{
  return es_navigation_save (what, file, error);
}

static gboolean
is_beside (gpointer what)
{
  return es_navigation_get_source (what) == ES_NAVIGATION_BESIDE;
}

static gpointer
by_hand (gpointer what)
{
  return es_navigation_with_source (what, ES_NAVIGATION_BY_HAND, NULL);
}

static gpointer
for_sidecar (EsRecording *recording, gpointer what, GFile *target)
{
  return es_navigation_with_source (what, ES_NAVIGATION_BESIDE, target);
}

static gpointer
load_navigation (GFile *file, GError **error)
{
  return es_navigation_load (file, NULL, error);
}

static const EsSonarTold navigation_told = {
  .before = "es-navigation-before",
  .dup = (gpointer (*) (EsRecording *)) es_recording_dup_navigation,
  .dup_own = (gpointer (*) (EsRecording *)) es_recording_dup_own_navigation,
  .set = (void (*) (EsRecording *, gpointer)) es_recording_set_navigation,
  .ref = (gpointer (*) (gpointer)) es_navigation_ref,
  .unref = (GDestroyNotify) es_navigation_unref,
  .is_beside = is_beside,
  .equal = (gboolean (*) (gpointer, gpointer)) es_navigation_equal,
  .by_hand = by_hand,
  .for_sidecar = for_sidecar,
  .sidecar_of = es_navigation_sidecar_of,
  .load = load_navigation,
  .same = (gboolean (*) (gpointer, gpointer)) es_navigation_equal,
  .write = write_navigation,
};

static void
on_applied (EsNavigationDialog *dialog, EsNavigation *navigation, gboolean save, EsShell *shell)
{
  g_autofree char *sentence = navigation != NULL ? es_navigation_describe (navigation)
                                                 : g_strdup (_("Start and heading are what the recording tells."));

  _es_sonar_told_apply (&navigation_told, shell, _es_sonar_told_get_recording (dialog), navigation, save);
  es_shell_say_with_action (shell, sentence, _("_Undo"), "win.undo-navigation", NULL);
}

void
_es_sonar_navigation_undo (EsShell *shell, EsRecording *recording)
{
  _es_sonar_told_undo (&navigation_told, shell, recording);
}

void
_es_sonar_navigation_describe (EsShell *shell, EsRecording *recording)
{
  _es_sonar_told_present (shell, recording, es_navigation_dialog_new (es_shell_get_window (shell), recording),
                          G_CALLBACK (on_applied));
}
