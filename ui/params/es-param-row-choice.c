/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Rows of choices: a list that drops down. */

#include "es-param-row-private.h"
#include "widgets/es-wheel.h"

#include <glib/gi18n-lib.h>

static void
on_choice_changed (EsParamRow *self)
{
  guint selected = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->control));

  if (!self->syncing && selected != GTK_INVALID_LIST_POSITION)
    es_params_set_value (self->params, self->spec->key, selected);
}

/* The text of a choice is cut rather than widening the column. */
static void
setup_choice_item (GtkSignalListItemFactory *factory_, GtkListItem *item)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (label), 8);
  gtk_list_item_set_child (item, label);
}

static void
bind_choice_item (GtkSignalListItemFactory *factory_, GtkListItem *item)
{
  GtkStringObject *string = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_label (GTK_LABEL (label), gtk_string_object_get_string (string));
  es_set_tooltip (label, gtk_string_object_get_string (string));
}

GtkWidget *
es_param_row_make_choice (EsParamRow *self)
{
  g_autoptr (GtkStringList) strings = gtk_string_list_new (NULL);
  GtkListItemFactory *item_factory = gtk_signal_list_item_factory_new ();
  GtkWidget *drop_down;

  for (const EsParamChoice *choice = self->spec->choices; choice->id != NULL; choice++)
    gtk_string_list_append (strings, _(choice->label));
  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&strings)), NULL);
  g_signal_connect (item_factory, "setup", G_CALLBACK (setup_choice_item), NULL);
  g_signal_connect (item_factory, "bind", G_CALLBACK (bind_choice_item), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop_down), item_factory);
  g_object_unref (item_factory);
  g_signal_connect_swapped (drop_down, "notify::selected", G_CALLBACK (on_choice_changed), self);
  return drop_down;
}
