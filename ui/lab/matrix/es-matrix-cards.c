/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-cards.h"

#include "lab/parts/es-lab-cards.h"

GtkWidget *
es_matrix_card_new (const char *heading, GtkWidget *child, gboolean padded)
{
  GtkWidget *box = es_lab_card_new (heading, child, padded);

  gtk_widget_set_vexpand (gtk_widget_get_last_child (box), TRUE);
  gtk_widget_set_vexpand (box, FALSE);
  return box;
}
