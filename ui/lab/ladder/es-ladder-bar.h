/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-sheet.h"

G_BEGIN_DECLS

/* The time of a rung as a bar on a logarithmic axis, its spread as a whisker, the published one as a mark and another
 * machine's as a thin bar below; or that axis itself, above all of them. What a rung is tells its pattern. */
#define ES_TYPE_LADDER_BAR (es_ladder_bar_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderBar, es_ladder_bar, ES, LADDER_BAR, GtkWidget)

/* Where bars begin and end, in pixels from the edges. */
#define ES_LADDER_BAR_EDGE 26

GtkWidget *es_ladder_bar_new       (EsSheetMark mark);
GtkWidget *es_ladder_bar_new_axis  (void);
/* Seconds at both ends, whole decades; NAN: nothing is drawn. */
void       es_ladder_bar_set_range (EsLadderBar *self, double from, double to);
/* Seconds; NAN: it is not drawn. */
void       es_ladder_bar_set_time  (EsLadderBar *self, double seconds, double low, double high);
void       es_ladder_bar_set_others (EsLadderBar *self, double published, double beside);
/* Nothing of it may be seen yet: a question mark. */
void       es_ladder_bar_set_hidden (EsLadderBar *self, gboolean hidden);

G_END_DECLS
