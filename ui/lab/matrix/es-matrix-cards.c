/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-cards.h"

GtkWidget *
es_matrix_label_new (const char *text, const char *class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  if (class != NULL)
    gtk_widget_add_css_class (label, class);
  return label;
}

GtkWidget *
es_matrix_card_new (const char *heading, GtkWidget *child, gboolean padded)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  if (heading != NULL)
    gtk_box_append (GTK_BOX (box), es_matrix_label_new (heading, "heading"));
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, padded ? "es-lab-card" : "es-lab-plot");
  gtk_box_append (GTK_BOX (card), child);
  gtk_widget_set_hexpand (child, TRUE);
  /* Cards beside each other end together. */
  gtk_widget_set_vexpand (card, TRUE);
  gtk_box_append (GTK_BOX (box), card);
  gtk_widget_set_vexpand (box, FALSE);
  return box;
}
