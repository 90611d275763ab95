/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-told.h"

typedef struct
{
  const EsSonarTold *told;
  EsRecording       *recording;
  gpointer           before;     /* what the file is known to say; nullable */
} Saving;

static void
drop (const EsSonarTold *told, gpointer what)
{
  if (what != NULL)
    told->unref (what);
}

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  drop (saving->told, saving->before);
  g_object_unref (saving->recording);
  g_free (saving);
}

/* What cannot be read, somebody else has written. */
static gboolean
is_known (GFile *file, gpointer data)
{
  const Saving *saving = data;
  gpointer there = saving->told->load (file, NULL);
  const gboolean known = there != NULL && saving->told->same (saving->before, there);

  drop (saving->told, there);
  return known;
}

/* What could not be saved is in no file, and is asked about when the window closes. */
static void
on_saved (gpointer what, gboolean saved, gpointer data)
{
  Saving *saving = data;
  const EsSonarTold *told = saving->told;
  gpointer now = told->dup (saving->recording);

  if (!saved && now != NULL && now == what)
    {
      gpointer kept = told->by_hand (now);

      told->set (saving->recording, kept);
      drop (told, kept);
    }
  drop (told, now);
}

/* file: gets what the file beside it was. back: what that is to be again; both nullable. */
static void
save_beside (const EsSonarTold *told, EsShell *shell, EsRecording *recording, gpointer what, GFile *target,
             gpointer before, EsSaveBesideThere there, EsFileBefore *file, EsFileBefore *back)
{
  Saving *saving = g_new (Saving, 1);

  *saving = (Saving) { told, g_object_ref (recording), before != NULL ? told->ref (before) : NULL };
  _es_save_beside (shell, target, &(EsSaveBeside) {
    .there = there, .what = what != NULL ? told->ref (what) : NULL, .free_what = told->unref, .write = told->write,
    .know = is_known, .done = on_saved, .data = saving, .free_data = saving_free,
    .before = file != NULL ? _es_file_before_ref (file) : NULL,
    .back = back != NULL ? _es_file_before_ref (back) : NULL,
  });
}

static void
change (const EsSonarTold *told, EsShell *shell, EsRecording *recording, gpointer what, gboolean save,
        EsFileBefore *was)
{
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) target = file != NULL && save ? told->sidecar_of (file) : NULL;
  gpointer before = told->dup (recording), now;
  const gboolean foreign = before == NULL || !told->is_beside (before);
  const gboolean there = what != NULL && !foreign && told->equal != NULL && told->equal (what, before);

  /* What the file says already stays as it is there, unless it says something else by now. */
  if (there)
    {
      if (target != NULL)
        save_beside (told, shell, recording, before, target, before, ES_SAVE_BESIDE_SAME, was, NULL);
      drop (told, before);
      return;
    }
  if (what == NULL)
    now = told->dup_own (recording);
  else if (target != NULL)
    now = told->for_sidecar (recording, what, target);
  else
    now = told->ref (what);
  told->set (recording, now);
  if (target != NULL)
    save_beside (told, shell, recording, what != NULL ? now : NULL, target, foreign ? NULL : before,
                 foreign ? ES_SAVE_BESIDE_FOREIGN : ES_SAVE_BESIDE_OURS, was, NULL);
  drop (told, now);
  drop (told, before);
}

/* ---- what can be brought back ---- */

typedef struct
{
  const EsSonarTold *told;
  gpointer           what;       /* nullable */
  gboolean           save;       /* the file followed */
  EsFileBefore      *file;       /* what it was */
} Before;

static void
before_free (gpointer data)
{
  Before *before = data;

  drop (before->told, before->what);
  _es_file_before_unref (before->file);
  g_free (before);
}

static Before *
remember (const EsSonarTold *told, EsRecording *recording, gboolean save)
{
  Before *before = g_new (Before, 1);

  *before = (Before) { told, told->dup (recording), save, _es_file_before_new () };
  g_object_set_data_full (G_OBJECT (recording), told->before, before, before_free);
  return before;
}

void
_es_sonar_told_remember (const EsSonarTold *told, EsRecording *recording, gboolean save)
{
  remember (told, recording, save);
}

void
_es_sonar_told_apply (const EsSonarTold *told, EsShell *shell, EsRecording *recording, gpointer what, gboolean save)
{
  Before *before = remember (told, recording, save);

  change (told, shell, recording, what, save, before->file);
}

void
_es_sonar_told_undo (const EsSonarTold *told, EsShell *shell, EsRecording *recording)
{
  Before *back = g_object_steal_data (G_OBJECT (recording), told->before);
  GFile *file = es_dataset_get_file (ES_DATASET (recording));
  g_autoptr (GFile) target = NULL;
  gpointer now = told->dup (recording);
  Before *before;

  /* Nobody has told anything yet. */
  if (back == NULL)
    {
      drop (told, now);
      return;
    }
  before = remember (told, recording, back->save);
  target = file != NULL && back->save ? told->sidecar_of (file) : NULL;
  told->set (recording, back->what);
  /* The file beside it follows: it is as it was, or goes where there was none. */
  if (target != NULL)
    {
      const gboolean foreign = now == NULL || !told->is_beside (now);
      const gboolean was_beside = back->what != NULL && told->is_beside (back->what);

      save_beside (told, shell, recording, was_beside ? back->what : NULL, target, foreign ? NULL : now,
                   foreign ? ES_SAVE_BESIDE_FOREIGN : ES_SAVE_BESIDE_OURS, before->file, back->file);
    }
  drop (told, now);
  before_free (back);
}

/* ---- the form ---- */

EsRecording *
_es_sonar_told_get_recording (gpointer form)
{
  return g_object_get_data (G_OBJECT (form), "es-recording");
}

void
_es_sonar_told_present (EsShell *shell, EsRecording *recording, GtkWidget *form, GCallback applied)
{
  g_object_set_data_full (G_OBJECT (form), "es-recording", g_object_ref (recording), g_object_unref);
  g_signal_connect_object (form, "applied", applied, shell, 0);
  gtk_window_present (GTK_WINDOW (form));
}
