/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

#include "es-ladder-sheet.h"

G_BEGIN_DECLS

/*
 * Where somebody is on a ladder: which rung is looked at, and, while it is climbed, how far its times have been
 * revealed and what was guessed of each before. Signals: "changed": what may be seen, or a guess; "selected".
 */
#define ES_TYPE_LADDER_WALK (es_ladder_walk_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderWalk, es_ladder_walk, ES, LADDER_WALK, GObject)

EsLadderWalk *es_ladder_walk_new          (void);
/* Another one of the same rungs; times that were seen before are hidden again while it is climbed. Guesses stay where
 * nothing had been measured yet. */
void           es_ladder_walk_set_sheet    (EsLadderWalk *self, EsLadderSheet *sheet);
EsLadderSheet *es_ladder_walk_get_sheet    (EsLadderWalk *self);                /* borrowed, nullable */

/* Climbing: nothing of a rung's time is seen before it has been revealed. Each beginning begins with none. */
void           es_ladder_walk_set_on       (EsLadderWalk *self, gboolean on);
gboolean       es_ladder_walk_is_on        (EsLadderWalk *self);
gboolean       es_ladder_walk_is_seen      (EsLadderWalk *self, guint rung);
gboolean       es_ladder_walk_is_all_seen  (EsLadderWalk *self);
/* The rung that is revealed next; -1: all are, or nothing is hidden. */
int            es_ladder_walk_get_next     (EsLadderWalk *self);
/* Whether a speed-up can be guessed of it: it is over a rung below. */
gboolean       es_ladder_walk_can_guess    (EsLadderWalk *self, guint rung);
/* Of the next one; NAN: none. It is kept beside what was found. */
void           es_ladder_walk_guess        (EsLadderWalk *self, double speedup);
double         es_ladder_walk_get_guess    (EsLadderWalk *self, guint rung);    /* NAN: none */
/* The next one, which is then looked at. FALSE: there is none, or it has not been measured. */
gboolean       es_ladder_walk_reveal       (EsLadderWalk *self);
void           es_ladder_walk_reveal_all   (EsLadderWalk *self);
/* Hidden again, and without guesses. */
void           es_ladder_walk_restart      (EsLadderWalk *self);

void           es_ladder_walk_select       (EsLadderWalk *self, guint rung);
int            es_ladder_walk_get_selected (EsLadderWalk *self);                /* -1: there are no rungs */

G_END_DECLS
