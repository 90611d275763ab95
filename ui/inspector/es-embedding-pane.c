/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-embedding-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-table-view.h"

#define MOST_HEIGHT 220

struct _EsEmbeddingPane
{
  GtkWidget  parent_instance;

  GtkWidget *box, *view;
  EsTable   *table;                  /* nullable */
};

G_DEFINE_FINAL_TYPE (EsEmbeddingPane, es_embedding_pane, GTK_TYPE_WIDGET)

/* A measure that none of them has was not asked for. */
static gboolean
has_measure (EsTable *table, guint column)
{
  for (guint row = 0; row < es_table_get_n_rows (table); row++)
    if (!isnan (es_table_get_value (table, row, column)))
      return TRUE;
  return FALSE;
}

/* With the digits of its column: no more are known. */
static char *
dup_value (EsTable *table, guint row, guint column)
{
  return g_strdup (isnan (es_table_get_value (table, row, column)) ? "–" : es_table_get_text (table, row, column));
}

static void
fill (EsEmbeddingPane *self)
{
  const guint n = es_table_get_n_rows (self->table), n_columns = n + 1;
  g_autoptr (GPtrArray) titles = g_ptr_array_new (), cells = g_ptr_array_new_with_free_func (g_free);
  g_autofree gboolean *numeric = g_new0 (gboolean, n_columns);

  g_ptr_array_add (titles, (gpointer) _("Measure"));
  for (guint row = 0; row < n; row++)
    {
      g_ptr_array_add (titles, (gpointer) es_table_get_text (self->table, row, 0));
      numeric[row + 1] = TRUE;
    }
  for (guint column = 1; column < es_table_get_n_columns (self->table); column++)
    {
      if (!has_measure (self->table, column))
        continue;
      g_ptr_array_add (cells, g_strdup (es_table_get_column_title (self->table, column)));
      for (guint row = 0; row < n; row++)
        g_ptr_array_add (cells, dup_value (self->table, row, column));
    }
  es_table_view_set_cells (ES_TABLE_VIEW (self->view), n_columns, (const char * const *) titles->pdata, numeric,
                           cells->len / n_columns, (const char * const *) cells->pdata);
}

void
es_embedding_pane_set_table (EsEmbeddingPane *self, EsTable *table)
{
  g_return_if_fail (ES_IS_EMBEDDING_PANE (self));

  if (table != NULL && (es_table_get_n_rows (table) == 0 || es_table_get_n_columns (table) < 2))
    table = NULL;
  if (!g_set_object (&self->table, table))
    return;
  /* Another one may have other columns. */
  if (self->view != NULL)
    gtk_box_remove (GTK_BOX (self->box), self->view);
  self->view = NULL;
  if (table == NULL)
    return;
  self->view = es_table_view_new (MOST_HEIGHT);
  es_table_view_set_compact (ES_TABLE_VIEW (self->view), TRUE);
  gtk_box_append (GTK_BOX (self->box), self->view);
  fill (self);
}

char *
es_embedding_pane_describe (EsEmbeddingPane *self)
{
  g_autofree char *value = NULL;

  g_return_val_if_fail (ES_IS_EMBEDDING_PANE (self), NULL);

  if (self->table == NULL)
    return NULL;
  value = dup_value (self->table, 0, 1);
  /* TRANSLATORS: a measure and its value: "Trustworthiness 0.98" */
  return g_strdup_printf (_("%s %s"), es_table_get_column_title (self->table, 1), value);
}

char *
es_embedding_pane_to_text (EsEmbeddingPane *self)
{
  g_return_val_if_fail (ES_IS_EMBEDDING_PANE (self), NULL);
  return self->view != NULL ? es_table_view_to_text (ES_TABLE_VIEW (self->view)) : g_strdup ("");
}

static void
es_embedding_pane_dispose (GObject *object)
{
  EsEmbeddingPane *self = ES_EMBEDDING_PANE (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  self->view = NULL;
  g_clear_object (&self->table);
  G_OBJECT_CLASS (es_embedding_pane_parent_class)->dispose (object);
}

static void
es_embedding_pane_class_init (EsEmbeddingPaneClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_embedding_pane_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_embedding_pane_init (EsEmbeddingPane *self)
{
  GtkWidget *hint = gtk_label_new (_("Of the samples, against their spectra as they were scaled. 1 is best, of "
                                     "the residual variance 0."));

  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);
  gtk_label_set_xalign (GTK_LABEL (hint), 0);
  gtk_label_set_wrap (GTK_LABEL (hint), TRUE);
  gtk_widget_set_margin_start (hint, 9);
  gtk_widget_set_margin_end (hint, 9);
  gtk_widget_add_css_class (hint, "dim-label");
  gtk_widget_add_css_class (hint, "caption");
  gtk_box_append (GTK_BOX (self->box), hint);
  gtk_widget_set_tooltip_text (self->box,
                               _("Trustworthiness: neighbours in the picture are neighbours among the spectra.\n"
                                 "Continuity: neighbours among the spectra stay neighbours in the picture.\n"
                                 "Residual variance: what of the distances the picture does not show. It is large "
                                 "where neighbours are kept and not distances, as by UMAP, which is no fault.\n"
                                 "Neighbourhood hit: how many of the nearest are of the same class.\n"
                                 "MNF weighs bands by their noise: of spectra that are scaled otherwise it keeps "
                                 "less, which says nothing against it."));
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

GtkWidget *
es_embedding_pane_new (void)
{
  return g_object_new (ES_TYPE_EMBEDDING_PANE, NULL);
}
