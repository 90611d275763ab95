/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "es-element-table.h"
#include "recording/es-recording.h"

G_BEGIN_DECLS

/*
 * Where the hydrophones of a recording are: a line by numbers, a file of positions, or each by itself. What is wrong
 * stands below the table, and only what is right can be applied.
 *
 * Signal "applied" (EsArray *array, gboolean save): the person is done; save: beside the recording, too.
 */
#define ES_TYPE_ARRAY_DIALOG (es_array_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsArrayDialog, es_array_dialog, ES, ARRAY_DIALOG, AdwWindow)

/* Begins with the recording's array, or with a line of as many elements as it has channels. */
GtkWidget      *es_array_dialog_new         (GtkWindow *parent, EsRecording *recording);
EsElementTable *es_array_dialog_get_table   (EsArrayDialog *self);
/* As the numbers of the first row do. */
void            es_array_dialog_set_line    (EsArrayDialog *self, guint n, double spacing, double azimuth);
/* In the background: nothing can be edited or applied until it is there, it is refused, or the person stops it. */
void            es_array_dialog_load        (EsArrayDialog *self, GFile *file);
gboolean        es_array_dialog_is_reading  (EsArrayDialog *self);
/* As it would be applied; NULL: it cannot be, why says the sentence below the table. Transfer full. */
EsArray        *es_array_dialog_get_array   (EsArrayDialog *self);
const char     *es_array_dialog_get_verdict (EsArrayDialog *self);
void            es_array_dialog_apply       (EsArrayDialog *self);

G_END_DECLS
