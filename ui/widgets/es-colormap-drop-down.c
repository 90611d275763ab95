/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-colormap-drop-down.h"
#include "plane/es-colormap.h"

#include <glib/gi18n-lib.h>

/* A picture as wide as it is asked for: a drop-down gives its button the natural width of what is in it. */
static GtkWidget *
swatch_new (int width)
{
  GtkWidget *swatch = gtk_picture_new ();

  gtk_picture_set_content_fit (GTK_PICTURE (swatch), GTK_CONTENT_FIT_FILL);
  gtk_widget_set_size_request (swatch, width, 14);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (swatch, GTK_ALIGN_START);
  gtk_widget_set_overflow (swatch, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (swatch, "colormap-swatch");
  return swatch;
}

static void
swatch_set (GtkWidget *swatch, EsColormap colormap)
{
  const guint32 *entries = (const guint32 *) es_colormap_entries (colormap);
  guint32 pixels[32];
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (pixels); i++)
    pixels[i] = entries[i * 255 / (G_N_ELEMENTS (pixels) - 1)];
  bytes = g_bytes_new (pixels, sizeof pixels);
  texture = gdk_memory_texture_new (G_N_ELEMENTS (pixels), 1, GDK_MEMORY_R8G8B8A8, bytes, sizeof pixels);
  gtk_picture_set_paintable (GTK_PICTURE (swatch), GDK_PAINTABLE (texture));
}

static void
setup_button (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  gtk_list_item_set_child (item, swatch_new (44));
}

static void
bind_button (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  swatch_set (gtk_list_item_get_child (item), gtk_list_item_get_position (item));
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  gtk_box_append (GTK_BOX (row), swatch_new (72));
  gtk_box_append (GTK_BOX (row), gtk_label_new (NULL));
  gtk_list_item_set_child (item, row);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *row = gtk_list_item_get_child (item);
  GtkStringObject *title = gtk_list_item_get_item (item);

  swatch_set (gtk_widget_get_first_child (row), gtk_list_item_get_position (item));
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (row)), gtk_string_object_get_string (title));
}

GtkWidget *
es_colormap_drop_down_new (void)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  g_autoptr (GtkListItemFactory) button_factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkListItemFactory) row_factory = gtk_signal_list_item_factory_new ();
  GtkWidget *drop_down;

  for (guint i = 0; i < ES_N_COLORMAPS; i++)
    gtk_string_list_append (titles, g_dgettext (GETTEXT_PACKAGE, es_colormap_title (i)));

  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  g_signal_connect (button_factory, "setup", G_CALLBACK (setup_button), NULL);
  g_signal_connect (button_factory, "bind", G_CALLBACK (bind_button), NULL);
  g_signal_connect (row_factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (row_factory, "bind", G_CALLBACK (bind_row), NULL);
  gtk_drop_down_set_factory (GTK_DROP_DOWN (drop_down), button_factory);
  gtk_drop_down_set_list_factory (GTK_DROP_DOWN (drop_down), row_factory);
  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  return drop_down;
}
