/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "files/es-save-beside.h"
#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * What a person tells of a recording, a calibration or a navigation: it is told, taken back, or what was before comes
 * back, and the file beside the recording follows. All of it is counted, and NULL where there is none.
 */
typedef struct
{
  const char  *before;           /* name of data of a recording: what was there, in its file, too */
  gpointer   (*dup) (EsRecording *recording);
  gpointer   (*dup_own) (EsRecording *recording);        /* what the recording itself tells */
  void       (*set) (EsRecording *recording, gpointer what);
  gpointer   (*ref) (gpointer what);
  GDestroyNotify unref;
  gboolean   (*is_beside) (gpointer what);
  gboolean   (*equal) (gpointer what, gpointer other);   /* nullable: what is told again is written again */
  gpointer   (*by_hand) (gpointer what);
  gpointer   (*for_sidecar) (EsRecording *recording, gpointer what, GFile *target);
  GFile     *(*sidecar_of) (GFile *recording);
  gpointer   (*load) (GFile *file, GError **error);      /* any thread */
  gboolean   (*same) (gpointer what, gpointer other);    /* the same; whatever told it */
  EsSaveBesideWrite write;
} EsSonarTold;

/* what NULL: what the recording itself tells. */
void _es_sonar_told_apply    (const EsSonarTold *told, EsShell *shell, EsRecording *recording, gpointer what,
                              gboolean save);
/* The same without a file: what is there now can be brought back. */
void _es_sonar_told_remember (const EsSonarTold *told, EsRecording *recording, gboolean save);
void _es_sonar_told_undo     (const EsSonarTold *told, EsShell *shell, EsRecording *recording);
/* The form of a recording, whose signal "applied" calls `applied` with the form, what, save and the shell. */
void _es_sonar_told_present  (EsShell *shell, EsRecording *recording, GtkWidget *form, GCallback applied);
EsRecording *_es_sonar_told_get_recording (gpointer form);

G_END_DECLS
