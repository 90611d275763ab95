/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-file-facts-view.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "inspection/es-file-facts.h"

/* Entries that are put into the list in one go. */
#define AT_ONCE 500

/* ---- one fact ---- */

#define ES_TYPE_FACT_ITEM (es_fact_item_get_type ())
G_DECLARE_FINAL_TYPE (EsFactItem, es_fact_item, ES, FACT_ITEM, GObject)

struct _EsFactItem
{
  GObject     parent_instance;
  EsFileFact *fact;
};

G_DEFINE_FINAL_TYPE (EsFactItem, es_fact_item, G_TYPE_OBJECT)

static void
es_fact_item_finalize (GObject *object)
{
  es_file_fact_free (ES_FACT_ITEM (object)->fact);
  G_OBJECT_CLASS (es_fact_item_parent_class)->finalize (object);
}

static void
es_fact_item_class_init (EsFactItemClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_fact_item_finalize;
}

static void
es_fact_item_init (EsFactItem *self)
{
}

/* ---- the view ---- */

struct _EsFileFactsView
{
  AdwBin              parent_instance;

  EsDataset          *dataset;
  GCancellable       *cancellable;
  GListStore         *facts;         /* of EsFactItem */
  GtkFilter          *filter;
  GListModel         *found;
  GtkSelectionModel  *selection;
  char               *searched;      /* folded; nullable */
  GtkWidget          *search, *pages, *copy;
  GtkLabel           *count, *why;
  gboolean            asked;
  GPtrArray          *waiting;       /* of EsFileFact: those behind the facts that are in the list are not there yet */
  guint               idle;
};

G_DEFINE_FINAL_TYPE (EsFileFactsView, es_file_facts_view, ADW_TYPE_BIN)

static gboolean
has_text (const char *text, const char *searched)
{
  g_autofree char *folded = g_utf8_casefold (text, -1);

  return strstr (folded, searched) != NULL;
}

static gboolean
matches (gpointer item, gpointer data)
{
  const EsFileFactsView *self = data;
  const EsFileFact *fact = ES_FACT_ITEM (item)->fact;

  return self->searched == NULL || has_text (fact->key, self->searched) || has_text (fact->value, self->searched)
         || has_text (fact->group, self->searched);
}

static void
show_count (EsFileFactsView *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->facts)), found = g_list_model_get_n_items (self->found);
  g_autofree char *text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u of %u entry", "%u of %u entries", n),
                                           found, n);

  gtk_label_set_label (self->count, text);
  gtk_widget_set_sensitive (self->copy, found > 0);
}

static void
on_search (EsFileFactsView *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  g_free (self->searched);
  self->searched = *text != '\0' ? g_utf8_casefold (text, -1) : NULL;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

/* ---- reading ---- */

/* A file of thousands of bands has hundreds of thousands. */
static gboolean
add_some (gpointer data)
{
  EsFileFactsView *self = data;
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->facts));

  for (guint i = n; i < self->waiting->len && i < n + AT_ONCE; i++)
    {
      EsFactItem *item = g_object_new (ES_TYPE_FACT_ITEM, NULL);

      item->fact = g_steal_pointer (&g_ptr_array_index (self->waiting, i));
      g_ptr_array_add (items, item);
    }
  g_list_store_splice (self->facts, n, 0, items->pdata, items->len);
  show_count (self);
  if (n + items->len < self->waiting->len)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  self->idle = 0;
  return G_SOURCE_REMOVE;
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsFileFactsView) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) facts = es_file_facts_list_finish (result, &error);

  if (self->facts == NULL || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  if (facts == NULL || facts->len == 0)
    {
      gtk_label_set_label (self->why, error != NULL ? error->message : _("The file says nothing beside its samples."));
      gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "why");
      return;
    }
  self->waiting = g_steal_pointer (&facts);
  self->idle = g_idle_add (add_some, self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->pages), "list");
}

static void
es_file_facts_view_map (GtkWidget *widget)
{
  EsFileFactsView *self = ES_FILE_FACTS_VIEW (widget);

  GTK_WIDGET_CLASS (es_file_facts_view_parent_class)->map (widget);
  if (self->asked)
    return;
  self->asked = TRUE;
  es_file_facts_list_async (self->dataset, self->cancellable, on_listed, g_object_ref (self));
}

/* ---- copying ---- */

guint
es_file_facts_view_get_n (EsFileFactsView *self)
{
  g_return_val_if_fail (ES_IS_FILE_FACTS_VIEW (self), 0);
  return g_list_model_get_n_items (self->found);
}

/* selected: nullable, all of them. */
static char *
write_text (EsFileFactsView *self, GtkBitset *selected)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const guint n = g_list_model_get_n_items (self->found);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsFactItem) item = g_list_model_get_item (self->found, i);

      if (selected == NULL || gtk_bitset_contains (selected, i))
        g_string_append_printf (text, "%s\t%s\t%s\n", item->fact->group, item->fact->key, item->fact->value);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

char *
es_file_facts_view_to_text (EsFileFactsView *self)
{
  g_return_val_if_fail (ES_IS_FILE_FACTS_VIEW (self), NULL);
  return write_text (self, NULL);
}

static void
on_copy (EsFileFactsView *self)
{
  g_autofree char *text = write_text (self, NULL);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
}

static gboolean
on_copy_key (GtkWidget *widget, GVariant *args, gpointer data)
{
  EsFileFactsView *self = data;
  g_autoptr (GtkBitset) selected = gtk_selection_model_get_selection (self->selection);
  g_autofree char *text = write_text (self, selected);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
  return TRUE;
}

/* ---- the list ---- */

typedef enum { GROUP, KEY, VALUE } Column;

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (GPOINTER_TO_UINT (data) == GROUP)
    gtk_widget_add_css_class (label, "dim-label");
  gtk_list_item_set_child (item, label);
}

static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const EsFileFact *fact = ES_FACT_ITEM (gtk_list_item_get_item (item))->fact;
  const Column column = GPOINTER_TO_UINT (data);
  const char *text = column == GROUP ? fact->group : column == KEY ? fact->key : fact->value;
  GtkWidget *label = gtk_list_item_get_child (item);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, g_utf8_strlen (text, -1) > 12 && strlen (text) < 4000 ? text : NULL);
}

static void
add_column (GtkWidget *view, Column column, const char *title, int width)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *made = gtk_column_view_column_new (title, factory);

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), GUINT_TO_POINTER (column));
  gtk_column_view_column_set_resizable (made, TRUE);
  if (width > 0)
    gtk_column_view_column_set_fixed_width (made, width);
  gtk_column_view_column_set_expand (made, column == VALUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (view), made);
  g_object_unref (made);
}

static GtkWidget *
make_list (EsFileFactsView *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new (), *view;
  GtkEventController *keys = gtk_shortcut_controller_new ();
  GtkFilterListModel *found;

  self->facts = g_list_store_new (ES_TYPE_FACT_ITEM);
  self->filter = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  found = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->facts)), g_object_ref (self->filter));
  /* Hundreds of thousands of entries are not looked through in one go. */
  gtk_filter_list_model_set_incremental (found, TRUE);
  self->found = G_LIST_MODEL (found);
  g_signal_connect_object (found, "items-changed", G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
  self->selection = GTK_SELECTION_MODEL (gtk_multi_selection_new (g_object_ref (self->found)));
  view = gtk_column_view_new (g_object_ref (self->selection));
  add_column (view, GROUP, _("Where"), 150);
  add_column (view, KEY, _("What"), 190);
  add_column (view, VALUE, _("Value"), 0);
  gtk_widget_add_css_class (view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("What the file says"), -1);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_c, GDK_CONTROL_MASK),
                                                          gtk_callback_action_new (on_copy_key, self, NULL)));
  gtk_widget_add_controller (view, keys);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  return scroller;
}

GtkWidget *
es_file_facts_view_get_search (EsFileFactsView *self)
{
  g_return_val_if_fail (ES_IS_FILE_FACTS_VIEW (self), NULL);
  return self->search;
}

GtkWidget *
es_file_facts_view_new (EsDataset *dataset)
{
  EsFileFactsView *self = g_object_new (ES_TYPE_FILE_FACTS_VIEW, NULL);

  self->dataset = g_object_ref (dataset);
  return GTK_WIDGET (self);
}

static void
es_file_facts_view_dispose (GObject *object)
{
  EsFileFactsView *self = ES_FILE_FACTS_VIEW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_object (&self->selection);
  g_clear_object (&self->found);
  g_clear_object (&self->filter);
  g_clear_object (&self->facts);
  g_clear_object (&self->dataset);
  G_OBJECT_CLASS (es_file_facts_view_parent_class)->dispose (object);
}

static void
es_file_facts_view_finalize (GObject *object)
{
  EsFileFactsView *self = ES_FILE_FACTS_VIEW (object);

  g_clear_object (&self->cancellable);
  g_free (self->searched);
  G_OBJECT_CLASS (es_file_facts_view_parent_class)->finalize (object);
}

static void
es_file_facts_view_class_init (EsFileFactsViewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_file_facts_view_dispose;
  G_OBJECT_CLASS (class)->finalize = es_file_facts_view_finalize;
  GTK_WIDGET_CLASS (class)->map = es_file_facts_view_map;
}

static void
es_file_facts_view_init (EsFileFactsView *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->cancellable = g_cancellable_new ();
  self->search = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->search, TRUE);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_search), self, G_CONNECT_SWAPPED);
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  self->copy = gtk_button_new_with_mnemonic (_("_Copy"));
  gtk_widget_set_tooltip_text (self->copy, _("Everything that is found, as text; Ctrl+C in the list copies what is "
                                             "selected"));
  gtk_widget_set_sensitive (self->copy, FALSE);
  g_signal_connect_object (self->copy, "clicked", G_CALLBACK (on_copy), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (head), self->search);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->count));
  gtk_box_append (GTK_BOX (head), self->copy);
  gtk_widget_set_margin_start (head, 12);
  gtk_widget_set_margin_end (head, 12);
  gtk_widget_set_margin_top (head, 6);
  self->why = GTK_LABEL (gtk_label_new (_("Reading…")));
  gtk_label_set_wrap (self->why, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->why), "dim-label");
  self->pages = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->pages), GTK_WIDGET (self->why), "why");
  gtk_stack_add_named (GTK_STACK (self->pages), make_list (self), "list");
  gtk_widget_set_vexpand (self->pages, TRUE);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->pages);
  adw_bin_set_child (ADW_BIN (self), box);
}
