/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "result/es-result.h"

G_BEGIN_DECLS

/* The steps of a result: what each took, what bound it, in sentences how far it is from that and what would help, and
 * which device computed. */
#define ES_TYPE_STEPS_VIEW (es_steps_view_get_type ())
G_DECLARE_FINAL_TYPE (EsStepsView, es_steps_view, ES, STEPS_VIEW, GtkBox)

/* compact: for a narrow place. */
GtkWidget *es_steps_view_new        (gboolean compact);
void       es_steps_view_set_result (EsStepsView *self, EsResult *result);        /* nullable */

G_END_DECLS
