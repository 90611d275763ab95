/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Labels and cards of which the pages of the laboratory are columns, and where such a page is scrolled to. */

#include "es-lab-cards.h"

GtkWidget *
es_lab_label_new (const char *text, const char *class)
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
es_lab_card_new (const char *heading, GtkWidget *child, gboolean padded)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  if (heading != NULL)
    gtk_box_append (GTK_BOX (box), es_lab_label_new (heading, "heading"));
  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, padded ? "es-lab-card" : "es-lab-plot");
  gtk_box_append (GTK_BOX (card), child);
  gtk_widget_set_hexpand (child, TRUE);
  gtk_box_append (GTK_BOX (box), card);
  return box;
}

void
es_lab_scroll_to (GtkScrolledWindow *page, GtkWidget *column, GtkWidget *place)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (page);
  graphene_point_t at = GRAPHENE_POINT_INIT (0, 0);

  if (place != NULL && gtk_widget_compute_point (place, column, &GRAPHENE_POINT_INIT (0, 0), &at))
    gtk_adjustment_set_value (adjustment, at.y);
  else
    gtk_adjustment_set_value (adjustment, 0);
}
