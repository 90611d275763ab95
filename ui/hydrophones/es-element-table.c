/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-element-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "widgets/es-format.h"

/* ---- a row ---- */

#define ES_TYPE_ELEMENT_ITEM (es_element_item_get_type ())
G_DECLARE_FINAL_TYPE (EsElementItem, es_element_item, ES, ELEMENT_ITEM, GObject)

struct _EsElementItem
{
  GObject   parent_instance;

  EsElement element;
};

G_DEFINE_FINAL_TYPE (EsElementItem, es_element_item, G_TYPE_OBJECT)

static void
es_element_item_finalize (GObject *object)
{
  g_free (ES_ELEMENT_ITEM (object)->element.name);
  G_OBJECT_CLASS (es_element_item_parent_class)->finalize (object);
}

static void
es_element_item_class_init (EsElementItemClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_element_item_finalize;
}

static void
es_element_item_init (EsElementItem *self)
{
}

/* ---- columns ---- */

typedef enum { NUMBER, NAME, X, Y, Z, CHANNEL, GAIN, DEAD, N_COLUMNS } Column;

static const struct { const char *id; const char *title; int width; } columns[N_COLUMNS] = {
  [NUMBER] = { "number", "#", 5 },
  [NAME] = { "name", N_("Name"), 10 },
  [X] = { "x", N_("x (m)"), 8 },
  [Y] = { "y", N_("y (m)"), 8 },
  [Z] = { "z", N_("z (m)"), 8 },
  [CHANNEL] = { "channel", N_("Channel"), 6 },
  [GAIN] = { "gain", N_("Gain"), 6 },
  [DEAD] = { "dead", N_("Dead"), 4 },
};

struct _EsElementTable
{
  GtkWidget   parent_instance;

  GtkWidget  *scroller;
  GListStore *store;
  gboolean    binding;
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsElementTable, es_element_table, GTK_TYPE_WIDGET)

/* As typed, with a true minus sign. */
static char *
format_value (double value)
{
  return g_strdup_printf ("%s%.6g", value < 0 ? "−" : "", fabs (value));
}

static char *
format_cell (const EsElement *element, Column column, guint row)
{
  switch (column)
    {
    case NUMBER:
      return g_strdup_printf ("%u", row + 1);
    case NAME:
      return es_text_show (element->name != NULL ? element->name : "");
    case X:
      return format_value (element->x);
    case Y:
      return format_value (element->y);
    case Z:
      return format_value (element->z);
    case CHANNEL:
      return g_strdup_printf ("%u", element->channel + 1);
    case GAIN:
      return format_value (element->gain);
    case DEAD:
    case N_COLUMNS:
      break;
    }
  return g_strdup ("");
}

/* FALSE: not something that can be in this column. */
static gboolean
take_text (EsElement *element, Column column, const char *text)
{
  double value;

  if (column == NAME)
    {
      g_autofree char *before = es_text_show (element->name);

      /* What is only shown otherwise is not changed by leaving its cell. */
      if (g_strcmp0 (text, before) == 0)
        return TRUE;
      g_free (element->name);
      element->name = *text != '\0' ? g_strdup (text) : NULL;
      return TRUE;
    }
  if (!es_format_parse (text, &value) || !isfinite (value))
    return FALSE;
  switch (column)
    {
    case X:
      element->x = value;
      return TRUE;
    case Y:
      element->y = value;
      return TRUE;
    case Z:
      element->z = value;
      return TRUE;
    case CHANNEL:
      if (value < 1 || value > 1e6 || value != floor (value))
        return FALSE;
      element->channel = (guint) value - 1;
      return TRUE;
    case GAIN:
      element->gain = value;
      return TRUE;
    case NUMBER:
    case NAME:
    case DEAD:
    case N_COLUMNS:
      break;
    }
  return FALSE;
}

/* ---- cells ---- */

static Column
column_of (gpointer cell)
{
  return GPOINTER_TO_UINT (g_object_get_data (cell, "es-column"));
}

static void
on_editing (GtkEditableLabel *label, GParamSpec *pspec, EsElementTable *self)
{
  GtkListItem *list_item = g_object_get_data (G_OBJECT (label), "es-list-item");
  EsElementItem *item = list_item != NULL ? gtk_list_item_get_item (list_item) : NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  const char *text = gtk_editable_get_text (GTK_EDITABLE (label));

  if (item == NULL || gtk_editable_label_get_editing (label))
    return;
  before = format_cell (&item->element, column_of (label), gtk_list_item_get_position (list_item));
  if (g_str_equal (text, before))
    return;
  if (take_text (&item->element, column_of (label), text))
    g_signal_emit (self, signals[CHANGED], 0);
  after = format_cell (&item->element, column_of (label), gtk_list_item_get_position (list_item));
  gtk_editable_set_text (GTK_EDITABLE (label), after);
}

static void
on_dead (GtkCheckButton *check, EsElementTable *self)
{
  GtkListItem *list_item = g_object_get_data (G_OBJECT (check), "es-list-item");
  EsElementItem *item = list_item != NULL ? gtk_list_item_get_item (list_item) : NULL;

  if (self->binding || item == NULL)
    return;
  item->element.dead = gtk_check_button_get_active (check);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, EsElementTable *self)
{
  Column column = column_of (factory);
  GtkWidget *cell;

  if (column == DEAD)
    {
      cell = gtk_check_button_new ();
      g_signal_connect_object (cell, "toggled", G_CALLBACK (on_dead), self, 0);
    }
  else if (column == NUMBER)
    {
      cell = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (cell), 1);
      gtk_widget_add_css_class (cell, "dim-label");
    }
  else
    {
      cell = gtk_editable_label_new ("");
      gtk_editable_set_width_chars (GTK_EDITABLE (cell), columns[column].width);
      gtk_editable_set_max_width_chars (GTK_EDITABLE (cell), columns[column].width);
      if (column != NAME)
        gtk_editable_set_alignment (GTK_EDITABLE (cell), 1);
      g_signal_connect_object (cell, "notify::editing", G_CALLBACK (on_editing), self, 0);
    }
  gtk_widget_add_css_class (cell, "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (cell), GTK_ACCESSIBLE_PROPERTY_LABEL, _(columns[column].title), -1);
  g_object_set_data (G_OBJECT (cell), "es-column", GUINT_TO_POINTER (column));
  gtk_list_item_set_child (item, cell);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, EsElementTable *self)
{
  GtkWidget *cell = gtk_list_item_get_child (list_item);
  EsElementItem *item = gtk_list_item_get_item (list_item);
  g_autofree char *text = format_cell (&item->element, column_of (cell), gtk_list_item_get_position (list_item));

  self->binding = TRUE;
  if (GTK_IS_CHECK_BUTTON (cell))
    gtk_check_button_set_active (GTK_CHECK_BUTTON (cell), item->element.dead);
  else if (GTK_IS_LABEL (cell))
    gtk_label_set_label (GTK_LABEL (cell), text);
  else
    gtk_editable_set_text (GTK_EDITABLE (cell), text);
  self->binding = FALSE;
  g_object_set_data (G_OBJECT (cell), "es-list-item", list_item);
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *list_item, EsElementTable *self)
{
  g_object_set_data (G_OBJECT (gtk_list_item_get_child (list_item)), "es-list-item", NULL);
}

/* ---- the widget ---- */

static void
es_element_table_dispose (GObject *object)
{
  EsElementTable *self = ES_ELEMENT_TABLE (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (es_element_table_parent_class)->dispose (object);
}

static void
es_element_table_class_init (EsElementTableClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_element_table_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_element_table_init (EsElementTable *self)
{
  GtkWidget *view;

  self->store = g_list_store_new (ES_TYPE_ELEMENT_ITEM);
  view = gtk_column_view_new (GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->store)))));
  gtk_widget_add_css_class (view, "data-table");
  for (Column column = 0; column < N_COLUMNS; column++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      GtkColumnViewColumn *made;

      g_object_set_data (G_OBJECT (factory), "es-column", GUINT_TO_POINTER (column));
      g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cell), self, 0);
      g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cell), self, 0);
      g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cell), self, 0);
      made = gtk_column_view_column_new (column == NUMBER ? columns[column].title : _(columns[column].title), factory);
      gtk_column_view_column_set_expand (made, column == NAME);
      gtk_column_view_append_column (GTK_COLUMN_VIEW (view), made);
      g_object_unref (made);
    }
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), view);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

GtkWidget *
es_element_table_new (void)
{
  return g_object_new (ES_TYPE_ELEMENT_TABLE, NULL);
}

void
es_element_table_set_elements (EsElementTable *self, const EsElement *elements, guint n)
{
  g_autoptr (GPtrArray) items = NULL;

  g_return_if_fail (ES_IS_ELEMENT_TABLE (self) && (n == 0 || elements != NULL));

  items = g_ptr_array_new_full (n, g_object_unref);
  for (guint i = 0; i < n; i++)
    {
      EsElementItem *item = g_object_new (ES_TYPE_ELEMENT_ITEM, NULL);

      item->element = elements[i];
      item->element.name = g_strdup (elements[i].name);
      g_ptr_array_add (items, item);
    }
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)), items->pdata, n);
}

guint
es_element_table_get_n (EsElementTable *self)
{
  g_return_val_if_fail (ES_IS_ELEMENT_TABLE (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->store));
}

EsElement *
es_element_table_get_elements (EsElementTable *self)
{
  const guint n = es_element_table_get_n (self);
  EsElement *elements = g_new0 (EsElement, MAX (n, 1));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (EsElementItem) item = g_list_model_get_item (G_LIST_MODEL (self->store), i);

      elements[i] = item->element;
    }
  return elements;
}

static void
renew (EsElementTable *self, guint row, EsElementItem *item)
{
  gpointer items[] = { item };

  g_list_store_splice (self->store, row, 1, items, 1);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
es_element_table_edit (EsElementTable *self, guint row, const char *column, const char *text)
{
  g_autoptr (EsElementItem) item = NULL;

  g_return_val_if_fail (ES_IS_ELEMENT_TABLE (self) && row < es_element_table_get_n (self), FALSE);

  item = g_list_model_get_item (G_LIST_MODEL (self->store), row);
  for (Column i = 0; i < N_COLUMNS; i++)
    if (g_str_equal (columns[i].id, column) && take_text (&item->element, i, text))
      {
        renew (self, row, item);
        return TRUE;
      }
  return FALSE;
}

void
es_element_table_set_dead (EsElementTable *self, guint row, gboolean dead)
{
  g_autoptr (EsElementItem) item = NULL;

  g_return_if_fail (ES_IS_ELEMENT_TABLE (self) && row < es_element_table_get_n (self));

  item = g_list_model_get_item (G_LIST_MODEL (self->store), row);
  item->element.dead = dead;
  renew (self, row, item);
}
