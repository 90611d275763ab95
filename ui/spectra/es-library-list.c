/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-library-list.h"

#include <glib/gi18n-lib.h>
#include <string.h>

struct _EsLibraryList
{
  GtkWidget           parent_instance;

  GtkWidget          *head, *about, *search, *pages;
  EsSpectralLibrary  *library;
  GtkCustomFilter    *filter;
  GtkFilterListModel *found;
  GtkSingleSelection *selection;
  char              **words;           /* folded; NULL: none */
};

G_DEFINE_FINAL_TYPE (EsLibraryList, es_library_list, GTK_TYPE_WIDGET)

enum { LOOKED_AT, KEEP, OPEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean
matches (gpointer item, gpointer data)
{
  EsLibraryList *self = data;
  g_autofree char *name = NULL;

  if (self->words == NULL)
    return TRUE;
  name = g_utf8_casefold (es_spectrum_get_name (item), -1);
  for (char **word = self->words; *word != NULL; word++)
    if (strstr (name, *word) == NULL)
      return FALSE;
  return TRUE;
}

static void
on_search (EsLibraryList *self)
{
  g_autofree char *folded = g_utf8_casefold (gtk_editable_get_text (GTK_EDITABLE (self->search)), -1);

  g_strfreev (self->words);
  self->words = *g_strstrip (folded) != '\0' ? g_strsplit (folded, " ", -1) : NULL;
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
}

static void
on_selected (EsLibraryList *self)
{
  g_signal_emit (self, signals[LOOKED_AT], 0, gtk_single_selection_get_selected_item (self->selection));
}

static void
on_activate (EsLibraryList *self, guint position)
{
  g_autoptr (EsSpectrum) spectrum = g_list_model_get_item (G_LIST_MODEL (self->found), position);

  if (spectrum != NULL)
    g_signal_emit (self, signals[KEEP], 0, spectrum);
}

static void
on_keep (EsLibraryList *self)
{
  EsSpectrum *spectrum = gtk_single_selection_get_selected_item (self->selection);

  if (spectrum != NULL)
    g_signal_emit (self, signals[KEEP], 0, spectrum);
}

static void
on_open (EsLibraryList *self)
{
  g_signal_emit (self, signals[OPEN], 0);
}

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  EsSpectrum *spectrum = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  const char *details = es_spectrum_get_details (spectrum);

  gtk_label_set_text (GTK_LABEL (label), es_spectrum_get_name (spectrum));
  gtk_widget_set_tooltip_text (label, details != NULL ? details : es_spectrum_get_name (spectrum));
}

void
es_library_list_set_library (EsLibraryList *self, EsSpectralLibrary *library)
{
  g_return_if_fail (ES_IS_LIBRARY_LIST (self));

  if (!g_set_object (&self->library, library))
    return;
  gtk_filter_list_model_set_model (self->found, library != NULL ? G_LIST_MODEL (library) : NULL);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), library != NULL ? "list" : "hint");
  gtk_widget_set_sensitive (self->search, library != NULL);
  if (library != NULL)
    {
      g_autofree char *words = es_spectral_library_describe (library);
      g_autofree char *text = g_strdup_printf ("%s: %s", es_spectral_library_get_name (library), words);
      g_autofree char *notes = g_strjoinv ("\n", (char **) es_spectral_library_get_notes (library));

      gtk_label_set_text (GTK_LABEL (self->about), text);
      gtk_widget_set_tooltip_text (self->about, *notes != '\0' ? notes : text);
    }
  gtk_widget_set_visible (self->about, library != NULL);
}

EsSpectralLibrary *
es_library_list_get_library (EsLibraryList *self)
{
  g_return_val_if_fail (ES_IS_LIBRARY_LIST (self), NULL);
  return self->library;
}

guint
es_library_list_get_n (EsLibraryList *self)
{
  g_return_val_if_fail (ES_IS_LIBRARY_LIST (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->found));
}

void
es_library_list_search (EsLibraryList *self, const char *words)
{
  g_return_if_fail (ES_IS_LIBRARY_LIST (self));
  gtk_editable_set_text (GTK_EDITABLE (self->search), words);
  on_search (self);
}

/* ---- the widget ---- */

GtkWidget *
es_library_list_new (void)
{
  return g_object_new (ES_TYPE_LIBRARY_LIST, NULL);
}

static void
es_library_list_dispose (GObject *object)
{
  EsLibraryList *self = ES_LIBRARY_LIST (object);

  g_clear_pointer (&self->head, gtk_widget_unparent);
  g_clear_pointer (&self->about, gtk_widget_unparent);
  g_clear_pointer (&self->pages, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->found);
  g_clear_object (&self->filter);
  g_clear_object (&self->library);
  G_OBJECT_CLASS (es_library_list_parent_class)->dispose (object);
}

static void
es_library_list_finalize (GObject *object)
{
  g_strfreev (ES_LIBRARY_LIST (object)->words);
  G_OBJECT_CLASS (es_library_list_parent_class)->finalize (object);
}

static void
es_library_list_class_init (EsLibraryListClass *class)
{
  const GType type = G_TYPE_FROM_CLASS (class);

  G_OBJECT_CLASS (class)->dispose = es_library_list_dispose;
  G_OBJECT_CLASS (class)->finalize = es_library_list_finalize;
  signals[LOOKED_AT] = g_signal_new ("looked-at", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                     ES_TYPE_SPECTRUM);
  signals[KEEP] = g_signal_new ("keep", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, ES_TYPE_SPECTRUM);
  signals[OPEN] = g_signal_new ("open", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BOX_LAYOUT);
}

static GtkWidget *
make_hint (EsLibraryList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *button;
  GtkWidget *label = gtk_label_new (_("A library of spectra: ENVI, a table, text of USGS or ECOSTRESS."));

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_CENTER);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 30);
  gtk_widget_add_css_class (label, "dim-label");
  button = gtk_button_new_with_mnemonic (_("Open _Library…"));
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), button);
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  return box;
}

static void
make_head (EsLibraryList *self)
{
  GtkWidget *keep = gtk_button_new_with_mnemonic (_("_Keep"));
  GtkWidget *open = gtk_button_new_from_icon_name ("document-open-symbolic");

  self->head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  self->search = gtk_search_entry_new ();
  gtk_widget_set_sensitive (self->search, FALSE);
  gtk_widget_set_hexpand (self->search, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->search), 8);
  g_object_set (self->search, "placeholder-text", _("Words of names"), NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Words of names"),
                                  -1);
  gtk_widget_set_tooltip_text (keep, _("Keep the selected spectrum of the library"));
  gtk_widget_set_tooltip_text (open, _("Open another library"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (open), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Open another library"), -1);
  gtk_box_append (GTK_BOX (self->head), self->search);
  gtk_box_append (GTK_BOX (self->head), keep);
  gtk_box_append (GTK_BOX (self->head), open);
  gtk_widget_set_margin_start (self->head, 4);
  gtk_widget_set_margin_end (self->head, 4);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (keep, "clicked", G_CALLBACK (on_keep), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (open, "clicked", G_CALLBACK (on_open), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->head, GTK_WIDGET (self));
}

static void
es_library_list_init (EsLibraryList *self)
{
  GtkBoxLayout *layout = GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self)));
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scroller = gtk_scrolled_window_new (), *view;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (layout, 4);
  self->filter = gtk_custom_filter_new (matches, self, NULL);
  self->found = gtk_filter_list_model_new (NULL, GTK_FILTER (g_object_ref (self->filter)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->found)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  make_head (self);
  self->about = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->about), 0);
  gtk_label_set_ellipsize (GTK_LABEL (self->about), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (self->about, "caption");
  gtk_widget_add_css_class (self->about, "dim-label");
  gtk_widget_set_margin_start (self->about, 8);
  gtk_widget_set_margin_end (self->about, 8);
  gtk_widget_set_visible (self->about, FALSE);
  gtk_widget_set_parent (self->about, GTK_WIDGET (self));

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  view = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_widget_add_css_class (view, "spectra-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Spectra of the library"),
                                  -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  g_signal_connect_object (view, "activate", G_CALLBACK (on_activate), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  self->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->pages), make_hint (self), "hint");
  gtk_stack_add_named (GTK_STACK (self->pages), scroller, "list");
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_widget_set_parent (self->pages, GTK_WIDGET (self));
}
