/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "layer/es-table.h"

G_BEGIN_DECLS

/* A table of spans: what, a row's number, from and to in one unit: what happened when. */
gboolean   es_lab_spans_is  (EsTable *table);
/* Such a table as bars over time, a lane each row, a colour each what, with a legend. Draws what it is given; the table
 * itself is for whoever reads. */
GtkWidget *es_lab_spans_new (EsTable *table);

G_END_DECLS
