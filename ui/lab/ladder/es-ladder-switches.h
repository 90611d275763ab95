/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-walk.h"

G_BEGIN_DECLS

/* The strategies of a ladder, switched on and off: those of the rung that is looked at are on, and switching one looks
 * at the rung that differs in it alone. Where there is none, it cannot be switched. */
#define ES_TYPE_LADDER_SWITCHES (es_ladder_switches_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderSwitches, es_ladder_switches, ES, LADDER_SWITCHES, GtkWidget)

GtkWidget *es_ladder_switches_new (EsLadderWalk *walk);
/* The button of a strategy; NULL: the ladder has none of that id. Borrowed. */
GtkWidget *es_ladder_switches_get (EsLadderSwitches *self, const char *strategy);

G_END_DECLS
