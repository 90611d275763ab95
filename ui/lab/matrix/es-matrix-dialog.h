/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "base/es-params.h"

G_BEGIN_DECLS

/*
 * Which matrix is to be made: a kind and its sizes. What is chosen is the name by which eigenscope-batch makes the
 * same.
 *
 * Signal "make" (const char *name): the person agrees; the dialog goes.
 */
#define ES_TYPE_MATRIX_DIALOG (es_matrix_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsMatrixDialog, es_matrix_dialog, ES, MATRIX_DIALOG, AdwWindow)

GtkWidget *es_matrix_dialog_new        (GtkWindow *parent);
EsParams  *es_matrix_dialog_get_params (EsMatrixDialog *self);     /* borrowed; what changes is shown */
/* "random:n=100000,mean=20,seed=1". Transfer full. */
char      *es_matrix_dialog_get_name   (EsMatrixDialog *self);
void       es_matrix_dialog_make       (EsMatrixDialog *self);     /* as its button does */

/* The same without a window: new parameters, and the name that follows from such. Transfer full. */
EsParams  *es_matrix_made_params       (void);
char      *es_matrix_made_name         (EsParams *params);
/* How many rows, and about how many nonzeros, such a matrix has; FALSE: only its maker knows. */
gboolean   es_matrix_made_size         (EsParams *params, double *rows, double *nonzeros);

G_END_DECLS
