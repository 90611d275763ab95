/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* One entry of the jobs list: an EsJob or an EsActivity with what it is doing, its progress and a cancel button. */
#define ES_TYPE_PROGRESS_ROW (es_progress_row_get_type ())
G_DECLARE_FINAL_TYPE (EsProgressRow, es_progress_row, ES, PROGRESS_ROW, GtkBox)

GtkWidget *es_progress_row_new (GObject *work);

/* What the rows and the status line say about either kind. */
const char *es_progress_get_title     (GObject *work);
gboolean    es_progress_is_active     (GObject *work);
double      es_progress_get_fraction  (GObject *work);           /* negative: not known */
/* "Covariance, 62 %, about 3 s left", "Done in 0.4 s", or the sentence of its failure. Transfer full. */
char       *es_progress_describe      (GObject *work);
void        es_progress_cancel        (GObject *work);

G_END_DECLS
