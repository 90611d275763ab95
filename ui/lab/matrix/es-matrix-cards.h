/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What the pages of a matrix are made of. A label that wraps, of a class of style (nullable); a heading (nullable) and
 * what stands below it on a card, with room around it or not. */
GtkWidget *es_matrix_label_new (const char *text, const char *class);
GtkWidget *es_matrix_card_new  (const char *heading, GtkWidget *child, gboolean padded);

G_END_DECLS
