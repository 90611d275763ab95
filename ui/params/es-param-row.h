/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "base/es-params.h"

G_BEGIN_DECLS

/*
 * One row of a parameter table: label, reset button and the control that fits its type. What is typed goes into the
 * params, and what changes there is shown, without loops.
 */
#define ES_TYPE_PARAM_ROW (es_param_row_get_type ())
G_DECLARE_FINAL_TYPE (EsParamRow, es_param_row, ES, PARAM_ROW, GtkBox)

GtkWidget         *es_param_row_new         (EsParams *params, const EsParamSpec *spec);
const EsParamSpec *es_param_row_get_spec    (EsParamRow *self);
/* The spin button, drop-down, switch, entry, button of a file, or box around the label of a region. */
GtkWidget         *es_param_row_get_control (EsParamRow *self);
/* A line below the control about what the value means for the data ("keeps 5 of 218"); NULL: none. */
void               es_param_row_set_note    (EsParamRow *self, const char *note);

G_END_DECLS
