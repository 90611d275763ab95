/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "es-ladder-walk.h"

G_BEGIN_DECLS

/* The rung that is looked at: what it changes and why, its numbers once they may be seen, and its source. */
#define ES_TYPE_LADDER_DETAIL (es_ladder_detail_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderDetail, es_ladder_detail, ES, LADDER_DETAIL, GtkWidget)

GtkWidget *es_ladder_detail_new (EsLadderWalk *walk);

G_END_DECLS
