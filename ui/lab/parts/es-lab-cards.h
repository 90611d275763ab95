/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A text (nullable) that begins on the left and wraps, of a class of style (nullable). */
GtkWidget *es_lab_label_new (const char *text, const char *class);
/* A heading (nullable), and what stands below it on a card, with room around it or not. Returns the whole; the card is
 * its last child. */
GtkWidget *es_lab_card_new  (const char *heading, GtkWidget *child, gboolean padded);
/* A page, on which column is all that scrolls, shows it from place on; NULL: from its top. */
void       es_lab_scroll_to (GtkScrolledWindow *page, GtkWidget *column, GtkWidget *place);

G_END_DECLS
