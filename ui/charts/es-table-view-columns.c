/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The columns of a table: headings, cells, and how wide they are at least. */

#include "es-table-view-private.h"

#include <math.h>
#include <string.h>

#include "es-share-cell.h"

#define SHORT_TEXT 12              /* characters that are hardly ever cut */

void
_es_table_column_clear (gpointer data)
{
  g_free (((EsTableColumn *) data)->title);
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const EsTableColumn *column = g_object_get_data (G_OBJECT (factory), "es-column");
  GtkWidget *label;

  if (column->share)
    {
      gtk_list_item_set_child (item, es_share_cell_new ());
      return;
    }
  label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), column->numeric ? 1 : 0);
  if (column->numeric)
    gtk_widget_add_css_class (label, "numeric");
  else
    {
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_label_set_width_chars (GTK_LABEL (label), column->least);
    }
  gtk_list_item_set_child (item, label);
}

/* A mark is small and raised: behind texts, before numbers, whose ends stay below each other. */
static void
show_mark (GtkLabel *label, const char *mark, gboolean numeric)
{
  g_autofree char *text = g_markup_escape_text (gtk_label_get_text (label), -1);
  g_autofree char *raised = g_markup_printf_escaped ("<span size='smaller' rise='3000'>%s</span>", mark);
  g_autofree char *markup = numeric ? g_strconcat (raised, " ", text, NULL) : g_strconcat (text, " ", raised, NULL);

  gtk_label_set_markup (label, markup);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  EsTableRow *row = gtk_list_item_get_item (item);
  GtkWidget *child = gtk_list_item_get_child (item);
  guint column = GPOINTER_TO_UINT (data);

  if (ES_IS_SHARE_CELL (child))
    es_share_cell_set (ES_SHARE_CELL (child), row->texts[column], row->values[column] / 100);
  else if (isinf (row->values[column]))
    gtk_label_set_text (GTK_LABEL (child), row->values[column] < 0 ? "−∞" : "∞");
  else if (!isnan (row->values[column]) && row->texts[column][0] == '-')
    {
      /* A true minus sign for the eye; what is copied stays a number for other programs. */
      g_autofree char *text = g_strconcat ("−", row->texts[column] + 1, NULL);

      gtk_label_set_text (GTK_LABEL (child), text);
    }
  else
    gtk_label_set_text (GTK_LABEL (child), row->texts[column]);
  if (GTK_IS_LABEL (child) && row->marks != NULL && row->marks[column] != NULL)
    show_mark (GTK_LABEL (child), row->marks[column],
               ((const EsTableColumn *) g_object_get_data (G_OBJECT (factory), "es-column"))->numeric);
  /* What is cut can be read all the same. */
  if (GTK_IS_LABEL (child) && gtk_label_get_ellipsize (GTK_LABEL (child)) != PANGO_ELLIPSIZE_NONE)
    gtk_widget_set_tooltip_text (child, g_utf8_strlen (row->texts[column], -1) > SHORT_TEXT ? row->texts[column]
                                                                                           : NULL);
}

static void
free_column_copy (gpointer data)
{
  _es_table_column_clear (data);
  g_free (data);
}

static gboolean
same_columns (EsTableView *self, guint n, const EsTableColumn *columns)
{
  if (self->columns->len != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      const EsTableColumn *own = &g_array_index (self->columns, EsTableColumn, i);

      if (g_strcmp0 (own->title, columns[i].title) != 0 || own->numeric != columns[i].numeric
          || own->share != columns[i].share || own->least != columns[i].least)
        return FALSE;
    }
  return TRUE;
}

/* The space nearest to the middle of a title that is long; NULL: there is none. */
static const char *
find_middle (const char *title)
{
  const char *middle = title + strlen (title) / 2, *found = NULL;

  if (g_utf8_strlen (title, -1) <= SHORT_TEXT)
    return NULL;
  for (const char *space = strchr (title, ' '); space != NULL; space = strchr (space + 1, ' '))
    if (found == NULL || ABS (space - middle) < ABS (found - middle))
      found = space;
  return found;
}

/* "Level (dB)" takes two lines where there is little room, and so does what is wider than the numbers below it. */
static char *
make_heading (EsTableView *self, const EsTableColumn *column)
{
  const char *title = column->title, *unit = self->compact ? g_strrstr (title, " (") : NULL;

  if (unit == NULL && self->compact && column->numeric)
    unit = find_middle (title);
  return unit != NULL ? g_strdup_printf ("%.*s\n%s", (int) (unit - title), title, unit + 1) : g_strdup (title);
}

/* Headings over numbers end where the numbers do. The headings are no part of the interface of the column view; where
 * it is made otherwise, they begin on the left. */
static void
align_headings (EsTableView *self)
{
  GtkWidget *header = gtk_widget_get_first_child (self->view);
  GtkWidget *heading = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (guint i = 0; i < self->columns->len && heading != NULL; i++, heading = gtk_widget_get_next_sibling (heading))
    {
      GtkWidget *label = heading;

      while (label != NULL && !GTK_IS_LABEL (label))
        label = gtk_widget_get_first_child (label);
      if (label == NULL || !g_array_index (self->columns, EsTableColumn, i).numeric)
        continue;
      gtk_widget_set_hexpand (label, TRUE);
      gtk_label_set_xalign (GTK_LABEL (label), 1);
      gtk_label_set_justify (GTK_LABEL (label), GTK_JUSTIFY_RIGHT);
    }
}

/* How many characters of the mean width, as labels count them, a text is as wide as: capitals are wider than most, and
 * those of Chinese as wide as two. */
static int
count_widths (GtkWidget *widget, const char *text)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, text);
  PangoContext *context = pango_layout_get_context (layout);
  PangoFontMetrics *metrics = pango_context_get_metrics (context, pango_context_get_font_description (context),
                                                         pango_context_get_language (context));
  const int mean = MAX (MAX (pango_font_metrics_get_approximate_char_width (metrics),
                             pango_font_metrics_get_approximate_digit_width (metrics)),
                        1);
  int width;

  pango_font_metrics_unref (metrics);
  pango_layout_get_size (layout, &width, NULL);
  return (width + mean - 1) / mean;
}

/* Of the longest text of each column as much as is never cut. */
void
_es_table_view_find_least (EsTableView *self, guint n, EsTableColumn *columns, GPtrArray *rows)
{
  if (self->least_text == 0)
    return;
  for (guint i = 0; i < n; i++)
    for (guint r = 0; r < rows->len && !columns[i].numeric; r++)
      columns[i].least = MAX (columns[i].least,
                              MIN (count_widths (self->view, ((EsTableRow *) g_ptr_array_index (rows, r))->texts[i]),
                                   self->least_text));
}

/* Takes the titles. Columns that stay the same are kept, so that widths and scroll place stay. */
void
_es_table_view_set_columns (EsTableView *self, guint n, EsTableColumn *columns)
{
  GListModel *present = gtk_column_view_get_columns (GTK_COLUMN_VIEW (self->view));

  if (same_columns (self, n, columns))
    {
      for (guint i = 0; i < n; i++)
        _es_table_column_clear (&columns[i]);
      return;
    }

  /* Rows of the last table have no cells for these. */
  g_list_store_remove_all (self->rows);
  while (g_list_model_get_n_items (present) > 0)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (present, 0);

      gtk_column_view_remove_column (GTK_COLUMN_VIEW (self->view), column);
    }
  g_array_set_size (self->columns, 0);
  g_array_append_vals (self->columns, columns, n);

  for (guint i = 0; i < n; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_autofree char *heading = NULL;
      GtkColumnViewColumn *column;
      EsTableColumn *copy = g_new (EsTableColumn, 1);

      *copy = columns[i];
      copy->title = g_strdup (columns[i].title);
      g_object_set_data_full (G_OBJECT (factory), "es-column", copy, free_column_copy);
      g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), NULL);
      g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (i));
      heading = make_heading (self, &columns[i]);
      column = gtk_column_view_column_new (heading, factory);
      /* Where a number is the first, all share the room: it would stand in the middle of nowhere. */
      gtk_column_view_column_set_expand (column, self->compact || i == 0 || columns[i].share || columns[0].numeric);
      gtk_column_view_column_set_resizable (column, TRUE);
      gtk_column_view_append_column (GTK_COLUMN_VIEW (self->view), column);
      g_object_unref (column);
    }
  align_headings (self);
}
