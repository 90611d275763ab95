/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-table-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-text-show.h"
#include "widgets/es-export.h"
#include "widgets/es-wheel.h"

/* ---- one row ---- */

G_DEFINE_TYPE (EsTableRow, es_table_row, G_TYPE_OBJECT)

static void
es_table_row_finalize (GObject *object)
{
  EsTableRow *self = ES_TABLE_ROW (object);

  for (guint i = 0; self->marks != NULL && self->texts[i] != NULL; i++)
    g_free (self->marks[i]);
  g_free (self->marks);
  g_strfreev (self->texts);
  g_free (self->values);
  G_OBJECT_CLASS (es_table_row_parent_class)->finalize (object);
}

static void
es_table_row_class_init (EsTableRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_table_row_finalize;
}

static void
es_table_row_init (EsTableRow *self)
{
}

static EsTableRow *
table_row_new (guint n_columns)
{
  EsTableRow *row = g_object_new (ES_TYPE_TABLE_ROW, NULL);

  row->texts = g_new0 (char *, n_columns + 1);
  row->values = g_new (double, n_columns);
  for (guint i = 0; i < n_columns; i++)
    row->values[i] = NAN;
  return row;
}

/* ---- the table ---- */

G_DEFINE_TYPE (EsTableView, es_table_view, GTK_TYPE_WIDGET)

/* A gap in the first row says nothing about the column. */
static gboolean
has_numbers (EsTable *table, guint column)
{
  for (guint r = 0; r < es_table_get_n_rows (table); r++)
    if (!isnan (es_table_get_value (table, r, column)))
      return TRUE;
  return FALSE;
}

static void
set_rows (EsTableView *self, GPtrArray *rows)
{
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), rows->pdata,
                       rows->len);
}

static gboolean
settle_width (gpointer data)
{
  EsTableView *self = data;

  self->idle = 0;
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller),
                                  self->wide ? GTK_POLICY_ALWAYS : GTK_POLICY_AUTOMATIC, GTK_POLICY_AUTOMATIC);
  return G_SOURCE_REMOVE;
}

/* The natural height of what scrolls has the bar in it only where that is always there: else it hides the last row.
 * Not while sizes are given out. */
static void
on_width_changed (EsTableView *self, GtkAdjustment *adjustment)
{
  const gboolean wide = gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) + 0.5;

  if (wide == self->wide)
    return;
  self->wide = wide;
  if (self->idle == 0)
    self->idle = g_idle_add (settle_width, self);
}

GtkWidget *
es_table_view_new (int most_height)
{
  EsTableView *self = g_object_new (ES_TYPE_TABLE_VIEW, NULL);

  if (most_height >= 0)
    {
      gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
      gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), most_height);
      g_signal_connect_object (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)), "changed",
                               G_CALLBACK (on_width_changed), self, G_CONNECT_SWAPPED);
    }
  else
    {
      gtk_widget_set_vexpand (self->scroller, TRUE);
    }
  return GTK_WIDGET (self);
}

void
es_table_view_set_compact (EsTableView *self, gboolean compact)
{
  g_return_if_fail (ES_IS_TABLE_VIEW (self));

  self->compact = compact;
  if (compact)
    gtk_widget_add_css_class (self->view, "compact");
  else
    gtk_widget_remove_css_class (self->view, "compact");
}

void
es_table_view_set_least_text (EsTableView *self, int characters)
{
  g_return_if_fail (ES_IS_TABLE_VIEW (self));

  self->least_text = characters;
}

void
es_table_view_set_table (EsTableView *self, EsTable *table)
{
  guint n_columns, n_rows;
  g_autofree EsTableColumn *columns = NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (ES_IS_TABLE_VIEW (self));

  if (table == NULL)
    {
      set_rows (self, rows);
      return;
    }

  n_columns = es_table_get_n_columns (table);
  n_rows = es_table_get_n_rows (table);
  columns = g_new0 (EsTableColumn, n_columns);
  for (guint i = 0; i < n_columns; i++)
    {
      g_autofree char *title = es_text_show (es_table_get_column_title (table, i));
      const char *unit = es_table_get_column_unit (table, i);

      columns[i].title = unit != NULL ? g_strdup_printf ("%s (%s)", title, unit) : g_strdup (title);
      columns[i].numeric = unit != NULL || has_numbers (table, i);
      columns[i].share = g_strcmp0 (unit, "%") == 0;
    }
  for (guint r = 0; r < n_rows; r++)
    {
      EsTableRow *row = table_row_new (n_columns);

      for (guint i = 0; i < n_columns; i++)
        {
          row->texts[i] = es_text_show (es_table_get_text (table, r, i));
          row->values[i] = es_table_get_value (table, r, i);
          if (es_table_get_mark (table, r, i) != NULL)
            {
              row->marks = row->marks != NULL ? row->marks : g_new0 (char *, n_columns);
              row->marks[i] = g_strdup (es_table_get_mark (table, r, i));
            }
        }
      g_ptr_array_add (rows, row);
    }
  _es_table_view_find_least (self, n_columns, columns, rows);
  _es_table_view_set_columns (self, n_columns, columns);
  set_rows (self, rows);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  es_layer_get_title (ES_LAYER (table)), -1);
}

void
es_table_view_set_cells (EsTableView *self, guint n_columns, const char * const *titles,
                         const gboolean *numeric,
                         guint n_rows, const char * const *cells)
{
  g_autofree EsTableColumn *columns = NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  g_return_if_fail (ES_IS_TABLE_VIEW (self));

  columns = g_new0 (EsTableColumn, n_columns);
  for (guint i = 0; i < n_columns; i++)
    {
      columns[i].title = g_strdup (titles[i]);
      columns[i].numeric = numeric[i];
    }
  for (guint r = 0; r < n_rows; r++)
    {
      EsTableRow *row = table_row_new (n_columns);

      for (guint i = 0; i < n_columns; i++)
        row->texts[i] = g_strdup (cells[r * n_columns + i]);
      g_ptr_array_add (rows, row);
    }
  _es_table_view_find_least (self, n_columns, columns, rows);
  _es_table_view_set_columns (self, n_columns, columns);
  set_rows (self, rows);
}

guint
es_table_view_get_n_rows (EsTableView *self)
{
  g_return_val_if_fail (ES_IS_TABLE_VIEW (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->rows));
}

char *
es_table_view_to_text (EsTableView *self)
{
  GString *text = g_string_new (NULL);
  g_autoptr (GtkBitset) selected = NULL;
  guint n_rows;

  g_return_val_if_fail (ES_IS_TABLE_VIEW (self), NULL);

  for (guint i = 0; i < self->columns->len; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", g_array_index (self->columns, EsTableColumn, i).title);
  g_string_append_c (text, '\n');

  n_rows = es_table_view_get_n_rows (self);
  selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  for (guint r = 0; r < n_rows; r++)
    {
      g_autoptr (EsTableRow) row = g_list_model_get_item (G_LIST_MODEL (self->rows), r);

      if (!gtk_bitset_is_empty (selected) && !gtk_bitset_contains (selected, r))
        continue;
      for (guint i = 0; i < self->columns->len; i++)
        g_string_append_printf (text, "%s%s", i > 0 ? "\t" : "", row->texts[i]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static void
copy (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_autofree char *text = es_table_view_to_text (ES_TABLE_VIEW (widget));

  es_export_copy_text (widget, text);
}

static void
es_table_view_dispose (GObject *object)
{
  EsTableView *self = ES_TABLE_VIEW (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_handle_id (&self->idle, g_source_remove);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (es_table_view_parent_class)->dispose (object);
}

static void
es_table_view_finalize (GObject *object)
{
  g_array_unref (ES_TABLE_VIEW (object)->columns);
  G_OBJECT_CLASS (es_table_view_parent_class)->finalize (object);
}

static void
es_table_view_class_init (EsTableViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = es_table_view_dispose;
  object_class->finalize = es_table_view_finalize;
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy", NULL);
  gtk_widget_class_set_css_name (widget_class, "tableview");
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
es_table_view_init (EsTableView *self)
{
  self->columns = g_array_new (FALSE, TRUE, sizeof (EsTableColumn));
  g_array_set_clear_func (self->columns, _es_table_column_clear);
  self->rows = g_list_store_new (ES_TYPE_TABLE_ROW);
  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));

  self->view = gtk_column_view_new (g_object_ref (GTK_SELECTION_MODEL (self->selection)));
  gtk_widget_add_css_class (self->view, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Table"), -1);
  self->scroller = gtk_scrolled_window_new ();
  /* Beside the last column, not over its numbers. */
  gtk_scrolled_window_set_overlay_scrolling (GTK_SCROLLED_WINDOW (self->scroller), FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->view);
  es_hand_on_wheel (self->scroller);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}
