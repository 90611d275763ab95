/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "beam/es-adaptive-compare.h"

G_BEGIN_DECLS

/*
 * Every method of adaptive beams on the same snapshots: what each step takes, how far the spectra are apart, why one
 * cannot be used, beside what has been published. Measures on a thread; closing it cancels.
 */
#define ES_TYPE_METHODS_DIALOG (es_methods_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsMethodsDialog, es_methods_dialog, ES, METHODS_DIALOG, AdwWindow)

/* settings: copied. frame: the first of the block whose snapshots are taken. */
GtkWidget             *es_methods_dialog_new        (GtkWindow *parent, EsRecording *recording, EsArray *array,
                                                     const EsBeamSettings *settings, EsDevice *device, guint64 frame);
/* What the buttons do. */
void                   es_methods_dialog_run        (EsMethodsDialog *self);
void                   es_methods_dialog_cancel     (EsMethodsDialog *self);
gboolean               es_methods_dialog_is_running (EsMethodsDialog *self);
/* ES_N_ADAPTIVE_METHODS - 1 of them; NULL: none yet. Borrowed. */
const EsAdaptiveRoute *es_methods_dialog_get_routes (EsMethodsDialog *self);
/* What is copied: a table with tabs, what was measured in front. Transfer full. */
char                  *es_methods_dialog_to_text    (EsMethodsDialog *self);

G_END_DECLS
