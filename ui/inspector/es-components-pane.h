/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * The components of a result, one a row: a switch, its title, eigenvalue or kurtosis, share, SNR, spatial coherence,
 * entropy, histogram. The numbers of the planes are computed while the pane can be seen, and kept with the stack.
 * What is switched off is remembered in the result's judgement (EsJudgement), which may change by other hands.
 *
 * Signals: "kept-changed" (): other components are switched on; "chosen" (guint plane): one is to be shown.
 * Action: table.copy (Ctrl+C): the rows as text.
 */
#define ES_TYPE_COMPONENTS_PANE (es_components_pane_get_type ())
G_DECLARE_FINAL_TYPE (EsComponentsPane, es_components_pane, ES, COMPONENTS_PANE, GtkWidget)

GtkWidget *es_components_pane_new        (void);
/* NULL, or one without a stack of components: nothing. */
void       es_components_pane_set_result (EsComponentsPane *self, EsResult *result);
EsResult  *es_components_pane_get_result (EsComponentsPane *self);
gboolean   es_components_pane_is_loading (EsComponentsPane *self);
/* What is shown in the middle; G_MAXUINT: no component. */
void       es_components_pane_set_shown  (EsComponentsPane *self, guint plane);
guint      es_components_pane_get_n      (EsComponentsPane *self);
gboolean   es_components_pane_get_kept   (EsComponentsPane *self, guint plane);
/* As the switch does. */
void       es_components_pane_set_kept   (EsComponentsPane *self, guint plane, gboolean kept);
/* "1-3, 5", counted from 1; "" for all of them. Transfer full. */
char      *es_components_pane_format     (EsComponentsPane *self);
/* "4 of 5 used". Transfer full. */
char      *es_components_pane_describe   (EsComponentsPane *self);
/* Tab-separated, header row. Transfer full. */
char      *es_components_pane_to_text    (EsComponentsPane *self);

G_END_DECLS
