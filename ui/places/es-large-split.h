/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * The middle of a window, and below it what is large for now, which may take all of its room. Property "share" (double,
 * 0.15 to 0.85): how much of the height that has otherwise; dragging the divider changes it.
 */
#define ES_TYPE_LARGE_SPLIT (es_large_split_get_type ())
G_DECLARE_FINAL_TYPE (EsLargeSplit, es_large_split, ES, LARGE_SPLIT, GtkWidget)

GtkWidget *es_large_split_new       (GtkWidget *middle);
/* NULL: nothing is large. The one before it is let go. */
void       es_large_split_set_large (EsLargeSplit *self, GtkWidget *large);
void       es_large_split_set_fills (EsLargeSplit *self, gboolean fills);

G_END_DECLS
