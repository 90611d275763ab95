/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * Which hydrophones of a recording are dead, reversed, late, noisy, hot or quiet: listens as soon as it is open, lists
 * all of them with those in trouble on top, and puts right what a click asks for, in the recording's array, which is
 * saved like any that a person has described. Every change can be undone. Closing it cancels.
 */
#define ES_TYPE_HEALTH_DIALOG (es_health_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsHealthDialog, es_health_dialog, ES, HEALTH_DIALOG, AdwWindow)

GtkWidget  *es_health_dialog_new         (GtkWindow *parent, EsRecording *recording);
/* What the buttons do. */
void        es_health_dialog_run         (EsHealthDialog *self);
void        es_health_dialog_cancel      (EsHealthDialog *self);
gboolean    es_health_dialog_is_running  (EsHealthDialog *self);
/* element: from 0; -1: all of them. */
void        es_health_dialog_mend        (EsHealthDialog *self, int element);
void        es_health_dialog_undo        (EsHealthDialog *self);
/* The sentence above the list: what was found, or why nothing was. */
const char *es_health_dialog_get_summary (EsHealthDialog *self);

G_END_DECLS
