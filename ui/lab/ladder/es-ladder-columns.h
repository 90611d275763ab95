/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Two children below each other, or, where there is room for both, side by side: the first one gets a little more. */
#define ES_TYPE_LADDER_COLUMNS (es_ladder_columns_get_type ())
G_DECLARE_FINAL_TYPE (EsLadderColumns, es_ladder_columns, ES, LADDER_COLUMNS, GtkLayoutManager)

/* wide: from that width on they are side by side; in pixels, as spacing. */
GtkLayoutManager *es_ladder_columns_new (int wide, int spacing);

G_END_DECLS
