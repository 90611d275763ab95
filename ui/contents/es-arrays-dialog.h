/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * The arrays of a data set's file, each with its size, its type and a check mark; those that are open have no choice.
 * Signal "chosen" (GStrv names): what is to be opened beside it, in the order of the list.
 */
#define ES_TYPE_ARRAYS_DIALOG (es_arrays_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsArraysDialog, es_arrays_dialog, ES, ARRAYS_DIALOG, AdwWindow)

/* parent: nullable. open: names of those that are open already, NULL-terminated. */
GtkWidget *es_arrays_dialog_new    (GtkWindow *parent, EsDataset *dataset, const char * const *open);
/* Marks an array, as a click would. FALSE: there is none of that name, or it is open. */
gboolean   es_arrays_dialog_mark   (EsArraysDialog *self, const char *name);
void       es_arrays_dialog_accept (EsArraysDialog *self);

G_END_DECLS
