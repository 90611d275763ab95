/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-look-choosers.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Both are plain drop-downs tied to a display; a type of its own would add nothing. */

static const double cuts[] = { 0, 0.005, 0.01, 0.02, 0.05 };

static gboolean
is_updating (GtkWidget *widget)
{
  return g_object_get_data (G_OBJECT (widget), "es-updating") != NULL;
}

static void
select_quietly (GtkDropDown *drop_down, guint position)
{
  g_object_set_data (G_OBJECT (drop_down), "es-updating", GINT_TO_POINTER (TRUE));
  gtk_drop_down_set_selected (drop_down, position);
  g_object_set_data (G_OBJECT (drop_down), "es-updating", NULL);
}

/* ---- cut ---- */

static void
on_cut_selected (GtkDropDown *drop_down, GParamSpec *pspec, EsDisplay *display)
{
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (!is_updating (GTK_WIDGET (drop_down)) && selected < G_N_ELEMENTS (cuts))
    es_display_set_cut (display, cuts[selected]);
}

static void
update_cut (GtkDropDown *drop_down, EsDisplay *display)
{
  double cut = es_display_get_cut (display);
  guint nearest = 0;

  for (guint i = 1; i < G_N_ELEMENTS (cuts); i++)
    if (fabs (cuts[i] - cut) < fabs (cuts[nearest] - cut))
      nearest = i;
  select_quietly (drop_down, nearest);
}

GtkWidget *
es_cut_chooser_new (EsDisplay *display)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);
  GtkWidget *drop_down;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cuts); i++)
    gtk_string_list_take (titles, g_strdup_printf (_("%g %%"), cuts[i] * 100));

  drop_down = gtk_drop_down_new (G_LIST_MODEL (g_steal_pointer (&titles)), NULL);
  gtk_widget_set_tooltip_text (drop_down, _("Cut off at both ends of the histogram"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Cut off at both ends of the histogram"), -1);
  gtk_widget_set_valign (drop_down, GTK_ALIGN_CENTER);
  update_cut (GTK_DROP_DOWN (drop_down), display);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (on_cut_selected), display, 0);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update_cut), drop_down, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "look-changed", G_CALLBACK (update_cut), drop_down, G_CONNECT_SWAPPED);
  return drop_down;
}

/* ---- colour map ---- */

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

static void
on_colormap_selected (GtkDropDown *drop_down, GParamSpec *pspec, EsDisplay *display)
{
  guint selected = gtk_drop_down_get_selected (drop_down);

  if (!is_updating (GTK_WIDGET (drop_down)) && selected < ES_N_COLORMAPS)
    es_display_set_colormap (display, selected);
}

static void
update_colormap (GtkDropDown *drop_down, EsDisplay *display)
{
  EsColormap colormap = es_display_get_colormap (display);
  g_autofree char *name = g_strdup_printf (_("Colour map: %s"), g_dgettext (GETTEXT_PACKAGE,
                                                                            es_colormap_title (colormap)));

  select_quietly (drop_down, colormap);
  gtk_widget_set_tooltip_text (GTK_WIDGET (drop_down), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (drop_down), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
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

GtkWidget *
es_colormap_chooser_new (EsDisplay *display)
{
  GtkWidget *drop_down;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  drop_down = es_colormap_drop_down_new ();
  update_colormap (GTK_DROP_DOWN (drop_down), display);
  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (on_colormap_selected), display, 0);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (update_colormap), drop_down,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "look-changed", G_CALLBACK (update_colormap), drop_down,
                           G_CONNECT_SWAPPED);
  return drop_down;
}
