/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-walk.h"

G_BEGIN_DECLS

/* What a class does on its way up: it guesses how many times as fast the next rung is, reveals it, and sees how far off
 * it was. Enter reveals, Up and Down move among the rungs. Actions that it needs around it: "ladder.reveal",
 * "ladder.reveal-all", "ladder.restart". */
#define ES_TYPE_LADDER_GUESS (es_ladder_guess_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderGuess, es_ladder_guess, ES, LADDER_GUESS, GtkWidget)

GtkWidget *es_ladder_guess_new  (EsLadderWalk *walk);
/* What was typed becomes the guess of the next rung. FALSE: it is no number, which is said. */
gboolean   es_ladder_guess_take (EsLadderGuess *self);

G_END_DECLS
