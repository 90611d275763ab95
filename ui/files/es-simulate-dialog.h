/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "simulate/es-simulate-recording.h"

G_BEGIN_DECLS

/*
 * A scene for a simulated recording: the array, how long, what noise, and the sources that are heard. What is wrong
 * stands at the bottom, and only what is right can be simulated.
 *
 * Signal "simulate" (EsParams *params of es_simulate_recording_params): the person wants it.
 */
#define ES_TYPE_SIMULATE_DIALOG (es_simulate_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsSimulateDialog, es_simulate_dialog, ES, SIMULATE_DIALOG, AdwWindow)

/* params: what it begins with (copied); NULL: the scene of es_simulate_default_recording (). */
GtkWidget  *es_simulate_dialog_new          (GtkWindow *parent, EsParams *params);
/* As they are now. Transfer full. */
EsParams   *es_simulate_dialog_get_params   (EsSimulateDialog *self);
/* One of es_simulate_get_scenes (), by its id: everything as it is there. FALSE: there is none. */
gboolean    es_simulate_dialog_choose_scene (EsSimulateDialog *self, const char *id);
guint       es_simulate_dialog_get_n_sources (EsSimulateDialog *self);
void        es_simulate_dialog_add_source   (EsSimulateDialog *self, const EsSource *source);
void        es_simulate_dialog_remove_source (EsSimulateDialog *self, guint i);
const char *es_simulate_dialog_get_verdict  (EsSimulateDialog *self);
gboolean    es_simulate_dialog_is_good      (EsSimulateDialog *self);
void        es_simulate_dialog_simulate     (EsSimulateDialog *self);

G_END_DECLS
