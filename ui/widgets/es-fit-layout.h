/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * Children side by side at their natural width, in one row whatever the width: those that may shrink go down to their
 * minimum, and what does not fit then is left out, the last ones first. Those that are kept stay; a menu, which may be
 * there only then, has what was left out. A child that expands takes what the row has left.
 */
#define ES_TYPE_FIT_LAYOUT (es_fit_layout_get_type ())
G_DECLARE_FINAL_TYPE (EsFitLayout, es_fit_layout, ES, FIT_LAYOUT, GtkLayoutManager)

GtkLayoutManager *es_fit_layout_new     (int spacing);           /* in pixels */
/* The child stays, however narrow the row is. */
void              es_fit_layout_keep    (GtkWidget *child);
/* The child gets less than its natural width before another one is left out. */
void              es_fit_layout_shrink  (GtkWidget *child);
/* The child is there only while something is left out: the menu that has it. */
void              es_fit_layout_set_rest (GtkWidget *child);
/* There is room for the child, as the row is now. */
gboolean          es_fit_layout_has_room (GtkWidget *child);

G_END_DECLS
