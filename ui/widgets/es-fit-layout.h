/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Children side by side at their natural width, in one row whatever the width: what does not fit is left out, the last
 * ones first. Those that are kept stay; a menu among them has what was left out. A child that expands takes what the
 * row has left.
 */
#define ES_TYPE_FIT_LAYOUT (es_fit_layout_get_type ())
G_DECLARE_FINAL_TYPE (EsFitLayout, es_fit_layout, ES, FIT_LAYOUT, GtkLayoutManager)

GtkLayoutManager *es_fit_layout_new     (int spacing);           /* in pixels */
/* The child stays, however narrow the row is. */
void              es_fit_layout_keep    (GtkWidget *child);
/* There is room for the child, as the row is now. */
gboolean          es_fit_layout_has_room (GtkWidget *child);

G_END_DECLS
