/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A number in a table with a bar of its share behind it. */
#define ES_TYPE_SHARE_CELL (es_share_cell_get_type ())
G_DECLARE_FINAL_TYPE (EsShareCell, es_share_cell, ES, SHARE_CELL, GtkWidget)

GtkWidget *es_share_cell_new (void);
/* share: 0..1, or NAN for no bar. */
void       es_share_cell_set (EsShareCell *self, const char *text, double share);

G_END_DECLS
