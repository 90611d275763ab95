/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-walk.h"
#include "lab/es-machine.h"
#include "ladder/es-ladders.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/* The part of an experiment's page that is about its ladder: what a result found of it, or what a machine could climb;
 * ladders of other machines are offered once they have been read. */
#define ES_TYPE_LADDER_PART (es_ladder_part_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderPart, es_ladder_part, ES, LADDER_PART, GtkWidget)

/* result NULL: it has not been climbed. */
GtkWidget *es_ladder_part_new (EsLadderWalk *walk, const EsLadder *ladder, EsMachine *machine, EsResult *result);

G_END_DECLS
