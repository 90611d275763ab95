/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/*
 * A window for a widget that stands in another window otherwise. Under its id it has the size that it had last, is
 * maximised as it was, and covers the monitor that it covered (F11, until Escape; where there is none such any more it
 * is an ordinary window). Keys that nothing in it takes, and the actions "win.", are those of the other window.
 * es_export_report () says things in it.
 *
 * owner: a widget of the other window, borrowed. content: taken. Neither is destroyed with it: "close-request" is for
 * whoever made it, who then calls es_own_window_take ().
 */
GtkWindow *es_own_window_new  (const char *id, const char *title, int width, int height, GtkWidget *content,
                               GtkWidget *owner);
/* What stands behind the title: "x 88  y 120"; nullable. */
void       es_own_window_set_detail (GtkWindow *window, const char *detail);
/* The content (transfer full), out of a window that goes. */
GtkWidget *es_own_window_take (GtkWindow *window);

G_END_DECLS
