/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The list that one is chosen from: the own planes, and those of others below them. */

#include "es-band-chooser-private.h"

#include <glib/gi18n-lib.h>

#include "widgets/es-wheel.h"

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *title = gtk_label_new (NULL), *number = gtk_label_new (NULL);

  /* The names of results and bands may be of any length. */
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (title), 40);
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_label_set_xalign (GTK_LABEL (number), 1);
  gtk_widget_add_css_class (title, "numeric");
  gtk_widget_add_css_class (number, "numeric");
  gtk_widget_add_css_class (number, "dim-label");
  gtk_box_append (GTK_BOX (row), title);
  gtk_box_append (GTK_BOX (row), number);
  gtk_list_item_set_child (item, row);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  EsBandChooser *self = ES_BAND_CHOOSER (data);
  GtkWidget *row = gtk_list_item_get_child (item);
  GObject *title = gtk_list_item_get_item (item);
  const char *text = gtk_string_object_get_string (GTK_STRING_OBJECT (title));
  guint plane = GPOINTER_TO_UINT (g_object_get_data (title, "es-plane"));
  gboolean heading = g_object_get_data (title, "es-heading") != NULL;
  EsPlaneGroup *group = g_object_get_data (title, "es-group");
  EsPlaneSource *source = _es_band_chooser_source_of (self, title);
  gboolean bad = !heading && source != NULL && plane < es_plane_source_get_n_planes (source)
                 && es_plane_source_is_bad (source, plane);
  gboolean found = group != NULL && *gtk_editable_get_text (GTK_EDITABLE (self->entry)) != '\0';
  g_autofree char *number = heading ? g_strdup ("")
                            : found ? g_strdup (es_plane_group_get_title (group))
                                    : g_strdup_printf (bad ? _("bad · %u") : "%u", plane + 1);

  gtk_list_item_set_activatable (item, !heading);
  gtk_list_item_set_selectable (item, !heading);
  if (heading)
    gtk_widget_add_css_class (gtk_widget_get_first_child (row), "caption-heading");
  else
    gtk_widget_remove_css_class (gtk_widget_get_first_child (row), "caption-heading");
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_first_child (row)), text);
  es_set_tooltip (row, text);
  gtk_label_set_text (GTK_LABEL (gtk_widget_get_last_child (row)), number);
}

static void
add_planes (GPtrArray *titles, EsPlaneSource *source, EsPlaneGroup *group)
{
  for (guint i = 0; source != NULL && i < es_plane_source_get_n_planes (source); i++)
    {
      g_autofree char *title = es_plane_source_get_plane_title (source, i);
      GtkStringObject *item = gtk_string_object_new (title);

      g_object_set_data (G_OBJECT (item), "es-plane", GUINT_TO_POINTER (i));
      if (group != NULL)
        g_object_set_data_full (G_OBJECT (item), "es-group", g_object_ref (group), g_object_unref);
      g_ptr_array_add (titles, item);
    }
}

static void
add_heading (GPtrArray *titles, const char *title)
{
  GtkStringObject *item = gtk_string_object_new (title);

  g_object_set_data (G_OBJECT (item), "es-heading", GUINT_TO_POINTER (1));
  g_ptr_array_add (titles, item);
}

/* An item knows its plane before the list does: rows are bound, and filtered, while it is put in. The own planes come
 * first. */
void
_es_band_chooser_fill (EsBandChooser *self)
{
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_object_unref);
  GObject *own = self->source != NULL ? es_plane_source_get_data (self->source) : NULL;
  EsPlaneGroup *own_group = es_plane_groups_find (self->groups, own);
  const guint n = self->groups != NULL && own != NULL ? g_list_model_get_n_items (self->groups) : 0;

  if (own_group != NULL && n > 1)
    add_heading (titles, es_plane_group_get_title (own_group));
  add_planes (titles, self->source, NULL);
  /* Bands are many: behind them nothing would be found. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n; i++)
      {
        g_autoptr (EsPlaneGroup) group = g_list_model_get_item (self->groups, i);
        const gboolean bands = es_plane_source_get_cube (es_plane_group_get_source (group)) != NULL;

        if (group == own_group || bands != (pass == 1))
          continue;
        add_heading (titles, es_plane_group_get_title (group));
        add_planes (titles, es_plane_group_get_source (group), group);
      }
  g_list_store_splice (self->titles, 0, g_list_model_get_n_items (G_LIST_MODEL (self->titles)), titles->pdata,
                       titles->len);
  self->stale = FALSE;
}

static void
on_activate_row (EsBandChooser *self, guint position)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  if (item != NULL && g_object_get_data (item, "es-heading") == NULL)
    _es_band_chooser_choose (self, g_object_get_data (item, "es-group"),
                             (int) GPOINTER_TO_UINT (g_object_get_data (item, "es-plane")));
}

GtkWidget *
_es_band_chooser_make_list (EsBandChooser *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkFilterListModel *filtered;

  self->titles = g_list_store_new (GTK_TYPE_STRING_OBJECT);
  self->filter = gtk_custom_filter_new (_es_band_chooser_matches, self, NULL);
  filtered = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->titles)),
                                        GTK_FILTER (self->filter));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (filtered));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_row), self, 0);
  self->list = gtk_list_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (self->list), TRUE);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (on_activate_row), self, G_CONNECT_SWAPPED);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 260);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->list);
  return scroller;
}
