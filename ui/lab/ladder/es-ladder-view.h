/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-walk.h"

G_BEGIN_DECLS

/*
 * A ladder on its page: its rungs, the one that is looked at with its source, the roofline, the strategies; of the
 * machine itself, or as others have been measured, which may also stand beside it. While it is climbed a guess is asked
 * for, and nothing is told before it is revealed.
 *
 * Actions: ladder.climb (a state), ladder.reveal (Enter, too), ladder.reveal-all, ladder.restart. Where nothing has
 * been measured, the first of these activates "win.lab-run" with the operation's id.
 */
#define ES_TYPE_LADDER_VIEW (es_ladder_view_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderView, es_ladder_view, ES, LADDER_VIEW, GtkWidget)

/* own: of the machine itself, measured or not. The walk is set to it where it is of another ladder or shows none. */
GtkWidget *es_ladder_view_new       (EsLadderWalk *walk, EsLadderSheet *own, const char *operation);
/* Of the machine itself, once more is known of it. */
void       es_ladder_view_set_own   (EsLadderView *self, EsLadderSheet *own);
/* The same ladder of another machine: it can be shown instead, and, where its rungs are the same, beside. One of
 * that name is offered once. */
void       es_ladder_view_add_sheet (EsLadderView *self, EsLadderSheet *sheet);
/* Shows one that was added. */
void       es_ladder_view_show_sheet (EsLadderView *self, EsLadderSheet *sheet);
/* Whether what tells times elsewhere may be seen: nothing is hidden. */
gboolean   es_ladder_view_tells_all (EsLadderView *self);

G_END_DECLS
