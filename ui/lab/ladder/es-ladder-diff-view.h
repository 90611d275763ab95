/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-sheet.h"

G_BEGIN_DECLS

/* The source of a rung beside that of the rung below: what was added and taken out, with the numbers of the lines; only
 * what changed and a few lines around it, or all. What is copied is the text alone. */
#define ES_TYPE_LADDER_DIFF_VIEW (es_ladder_diff_view_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderDiffView, es_ladder_diff_view, ES, LADDER_DIFF_VIEW, GtkWidget)

GtkWidget *es_ladder_diff_view_new       (void);
/* below: the rung it is compared with; NULL: none. rung NULL: nothing. Both are borrowed while they are shown. */
void       es_ladder_diff_view_show      (EsLadderDiffView *self, const EsSheetRung *rung, const EsSheetRung *below);
void       es_ladder_diff_view_set_whole (EsLadderDiffView *self, gboolean whole);
/* What is shown, a line each, as "+ text", "- text" or "  text". Transfer full. */
char      *es_ladder_diff_view_get_text  (EsLadderDiffView *self);

G_END_DECLS
