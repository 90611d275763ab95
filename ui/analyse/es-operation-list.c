/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-operation-list.h"

#include <glib/gi18n-lib.h>

#include "result/es-operation.h"

#define KEPT "es-operation-row"

/* The operation of a row is written once; the heading comes and goes with what the row is used for. */
typedef struct { GtkLabel *heading, *title; } Row;

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  Row *row = g_new0 (Row, 1);

  row->heading = GTK_LABEL (gtk_label_new (NULL));
  row->title = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (row->heading, 0);
  gtk_label_set_xalign (row->title, 0);
  gtk_label_set_ellipsize (row->title, PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (row->title, 12);
  gtk_widget_add_css_class (GTK_WIDGET (row->heading), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (row->heading), "caption-heading");
  gtk_widget_set_margin_bottom (GTK_WIDGET (row->heading), 3);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (row->heading));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (row->title));
  g_object_set_data_full (G_OBJECT (box), KEPT, row, g_free);
  gtk_list_item_set_child (item, box);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, GPtrArray *operations)
{
  const Row *row = g_object_get_data (G_OBJECT (gtk_list_item_get_child (item)), KEPT);
  GtkStringObject *text = gtk_list_item_get_item (item);
  const guint position = gtk_list_item_get_position (item);
  const EsOperation *operation = position < operations->len ? g_ptr_array_index (operations, position) : NULL;
  const EsOperation *above = position > 0 && position <= operations->len ? g_ptr_array_index (operations, position - 1)
                                                                         : NULL;
  const gboolean first = operation != NULL && operation->group != NULL
                         && (above == NULL || g_strcmp0 (above->group, operation->group) != 0);

  gtk_label_set_label (row->heading, first ? _(operation->group) : "");
  gtk_widget_set_visible (GTK_WIDGET (row->heading), first);
  gtk_label_set_label (row->title, gtk_string_object_get_string (text));
}

/* GTK's own 400 pixels hold the longest list in some fonts, and all but a part of its last row in others. */
#define MOST_HEIGHT 560

static void
let_grow (GtkWidget *widget)
{
  if (GTK_IS_SCROLLED_WINDOW (widget))
    gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (widget), MOST_HEIGHT);
  else
    for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
         child = gtk_widget_get_next_sibling (child))
      let_grow (child);
}

void
es_operation_list_install (GtkDropDown *choice, GPtrArray *operations)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect_data (factory, "bind", G_CALLBACK (bind_row), g_ptr_array_ref (operations),
                         (GClosureNotify) (void (*) (void)) g_ptr_array_unref, 0);
  gtk_drop_down_set_list_factory (choice, factory);
  let_grow (GTK_WIDGET (choice));
}
