/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* As es_lab_card_new (); cards beside each other end together. */
GtkWidget *es_matrix_card_new (const char *heading, GtkWidget *child, gboolean padded);

G_END_DECLS
