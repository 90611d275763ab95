/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "base/es-params.h"

G_BEGIN_DECLS

/*
 * The three groups of an operation's parameters (algorithm, thresholds, device), generated from its table. Knows no
 * operation; rows appear and go as their visible_if demands. Advanced ones are folded away at the end of their group.
 */
#define ES_TYPE_PARAM_PANEL (es_param_panel_get_type ())
G_DECLARE_FINAL_TYPE (EsParamPanel, es_param_panel, ES, PARAM_PANEL, GtkBox)

GtkWidget *es_param_panel_new         (void);
/* NULL: no rows but those of es_param_panel_add_control (). */
void       es_param_panel_set_params  (EsParamPanel *self, EsParams *params);
EsParams  *es_param_panel_get_params  (EsParamPanel *self);
/* A row of the panel's own, above those of the table. */
void       es_param_panel_add_control (EsParamPanel *self, EsParamGroup group, const char *label, GtkWidget *control,
                                       GtkWidget *detail);
/* A group that has nothing to say of what is shown, whatever rows it has; visible at first. */
void       es_param_panel_set_group_visible (EsParamPanel *self, EsParamGroup group, gboolean visible);
/* The row of a key; NULL where there is none. */
GtkWidget *es_param_panel_find_row    (EsParamPanel *self, const char *key);
void       es_param_panel_set_note    (EsParamPanel *self, const char *key, const char *note);

G_END_DECLS
