/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-line-layout.h"
#include "es-ladder-walk.h"

G_BEGIN_DECLS

/* A rung in the list: what it is called, its strategies, its time as a bar and as numbers, what was published of it and
 * what was guessed; or why it was refused. */
#define ES_TYPE_LADDER_ROW (es_ladder_row_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderRow, es_ladder_row, ES, LADDER_ROW, GtkListBoxRow)

GtkWidget *es_ladder_row_new    (EsLadderSheet *sheet, guint rung);
/* from, to: the ends of the axis, in seconds. beside: the same rung of another machine, nullable. columns: those that
 * are there, a bit each. */
void       es_ladder_row_update (EsLadderRow *self, EsLadderWalk *walk, double from, double to,
                                 const EsSheetRung *beside, guint columns);

/* "3.4×", "0.85×"; NULL for NAN. Transfer full. */
char      *es_ladder_format_gain  (double gain);
/* "1.70× too little", "correct"; NULL: nothing was guessed, or it is not known. Transfer full. */
char      *es_ladder_judge_guess  (double guess, double truth);

G_END_DECLS
