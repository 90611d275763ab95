/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "job/es-job.h"

G_BEGIN_DECLS

/*
 * What runs on a matrix: what it is about, how far it is, and the curve that grows meanwhile
 * (es_job_get_live_curve ()). It is visible while something runs. Action that it offers: "win.cancel".
 */
#define ES_TYPE_MATRIX_LIVE (es_matrix_live_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrixLive, es_matrix_live, ES, MATRIX_LIVE, GtkWidget)

GtkWidget *es_matrix_live_new     (void);
/* NULL, or one that has ended: nothing runs. */
void       es_matrix_live_set_job (EsMatrixLive *self, EsJob *job);
EsJob     *es_matrix_live_get_job (EsMatrixLive *self);            /* borrowed; NULL: nothing runs */
/* The curve so far, as it is drawn; NULL: there is none yet. Borrowed. */
EsCurve   *es_matrix_live_get_curve (EsMatrixLive *self);

G_END_DECLS
