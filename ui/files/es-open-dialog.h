/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/*
 * Asks for what a file does not say: the width and height of an image that a 2-D array (pixels x bands) holds.
 * "response" is "open" or "cancel", as of any AdwMessageDialog.
 */
#define ES_TYPE_OPEN_DIALOG (es_open_dialog_get_type ())
G_DECLARE_FINAL_TYPE (EsOpenDialog, es_open_dialog, ES, OPEN_DIALOG, AdwMessageDialog)

/* TRUE where opening failed for want of the shape; tells how long the array is both ways. */
gboolean   es_open_dialog_wants_shape (GFile *file, const GError *error, guint64 *rows, guint64 *columns);

GtkWidget *es_open_dialog_new        (GtkWindow *parent, GFile *file, guint64 rows, guint64 columns);
GFile     *es_open_dialog_get_file   (EsOpenDialog *self);
int        es_open_dialog_get_width  (EsOpenDialog *self);
int        es_open_dialog_get_height (EsOpenDialog *self);

G_END_DECLS
