/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-walk.h"

G_BEGIN_DECLS

/* The rungs of a ladder one below the other, below what the columns are called. Arrows move, Enter reveals the next one
 * while it is climbed. */
#define ES_TYPE_LADDER_ROWS (es_ladder_rows_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderRows, es_ladder_rows, ES, LADDER_ROWS, GtkWidget)

GtkWidget *es_ladder_rows_new        (EsLadderWalk *walk);
/* The same ladder of another machine: thin bars below; nullable. */
void       es_ladder_rows_set_beside (EsLadderRows *self, EsLadderSheet *beside);

G_END_DECLS
