/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-class-legend.h"

#include <glib/gi18n-lib.h>

#include "cube/es-cube-classes.h"
#include "es-class-row.h"
#include "preparation/es-class-pixels.h"

#define HEIGHT 260

struct _EsClassLegend
{
  GtkBox        parent_instance;

  GtkWidget    *list;
  GtkWidget    *scroller;
  GtkLabel     *missing;
  GListStore   *rows;
  EsCube       *cube;            /* nullable */
  GCancellable *counting;        /* nullable: nothing is counted */
};

G_DEFINE_FINAL_TYPE (EsClassLegend, es_class_legend, GTK_TYPE_BOX)

typedef enum { COLUMN_NAME, COLUMN_VALUE, COLUMN_PIXELS, COLUMN_SHARE, N_COLUMNS } Column;

/* ---- cells ---- */

static void
draw_swatch (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  const guint32 colour = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (area), "es-colour"));

  cairo_rectangle (cr, 0.5, 0.5, width - 1, height - 1);
  cairo_set_source_rgb (cr, (colour >> 16 & 0xff) / 255.0, (colour >> 8 & 0xff) / 255.0, (colour & 0xff) / 255.0);
  cairo_fill_preserve (cr);
  cairo_set_line_width (cr, 1);
  cairo_set_source_rgba (cr, 0.5, 0.5, 0.5, 0.7);
  cairo_stroke (cr);
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  const Column column = GPOINTER_TO_UINT (data);
  GtkWidget *label = gtk_label_new (NULL), *box, *swatch;

  gtk_label_set_xalign (GTK_LABEL (label), column == COLUMN_NAME ? 0 : 1);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, "numeric");
  if (column != COLUMN_NAME)
    {
      gtk_list_item_set_child (cell, label);
      return;
    }
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  /* A long one leaves room for what is counted. */
  gtk_label_set_max_width_chars (GTK_LABEL (label), 16);
  box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  swatch = gtk_drawing_area_new ();
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (swatch), 16);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (swatch), 14);
  gtk_widget_set_valign (swatch, GTK_ALIGN_CENTER);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (swatch), draw_swatch, NULL, NULL);
  gtk_box_append (GTK_BOX (box), swatch);
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (cell, box);
}

static char *
format_cell (const EsClassRow *row, Column column)
{
  switch (column)
    {
    case COLUMN_VALUE:
      return g_strdup_printf ("%lld", (long long) row->value);
    case COLUMN_PIXELS:
      return row->counted ? g_strdup_printf ("%\'llu", (unsigned long long) row->pixels) : g_strdup ("…");
    case COLUMN_SHARE:
      return !row->counted ? g_strdup ("…") : row->pixels > 0 && row->share < 0.0005 ? g_strdup ("< 0.1")
             : g_strdup_printf ("%.1f", row->share * 100);
    case COLUMN_NAME:
    default:
      /* TRANSLATORS: a class of pixels that the file does not list */
      return row->listed ? g_strdup (row->name) : g_strdup_printf (_("%s (not listed)"), row->name);
    }
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer data)
{
  const Column column = GPOINTER_TO_UINT (data);
  EsClassRow *row = gtk_list_item_get_item (cell);
  GtkWidget *child = gtk_list_item_get_child (cell);
  GtkWidget *label = column == COLUMN_NAME ? gtk_widget_get_last_child (child) : child;
  g_autofree char *text = format_cell (row, column);

  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, column == COLUMN_NAME ? text : NULL);
  gtk_widget_set_opacity (child, row->counted && row->pixels == 0 ? 0.55 : 1);
  if (column == COLUMN_NAME)
    {
      GtkWidget *swatch = gtk_widget_get_first_child (child);

      g_object_set_data (G_OBJECT (swatch), "es-colour", GUINT_TO_POINTER (row->colour));
      gtk_widget_queue_draw (swatch);
    }
}

/* ---- counting ---- */

static void
fill (EsClassLegend *self, GArray *counts)
{
  EsClassTable *classes = es_cube_get_classes (self->cube);
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  const guint n = counts != NULL ? counts->len : es_class_table_get_n (classes);
  guint64 all = 0;

  for (guint i = 0; counts != NULL && i < n; i++)
    all += g_array_index (counts, EsClassCount, i).pixels;
  for (guint i = 0; i < n; i++)
    {
      const EsClassCount *count = counts != NULL ? &g_array_index (counts, EsClassCount, i) : NULL;
      const gint64 value = count != NULL ? count->value : es_class_table_get (classes, i)->value;
      EsClassRow *row = es_class_row_new (value, es_class_table_name (classes, value),
                                          es_class_table_colour (classes, value));

      row->counted = count != NULL;
      row->listed = count == NULL || count->listed;
      row->pixels = count != NULL ? count->pixels : 0;
      row->share = all > 0 ? (double) row->pixels / all : 0;
      g_ptr_array_add (rows, row);
    }
  g_list_store_splice (self->rows, 0, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), rows->pdata, rows->len);
}

static void
on_counted (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsClassLegend) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) counts = NULL;
  guint64 missing = 0;

  counts = es_class_count_pixels_finish (result, &missing, &error);
  if (g_task_get_cancellable (G_TASK (result)) != self->counting)
    return;
  g_clear_object (&self->counting);
  if (counts != NULL)
    fill (self, counts);
  if (counts == NULL || missing > 0)
    {
      g_autofree char *text = counts == NULL ? g_strdup (error->message)
        : g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%\'llu pixel is of no class: no data.",
                                        "%\'llu pixels are of no class: no data.",
                                        (gulong) MIN (missing, G_MAXUINT32)), (unsigned long long) missing);

      gtk_label_set_label (self->missing, text);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->missing), counts == NULL || missing > 0);
}

static void
stop (EsClassLegend *self)
{
  if (self->counting != NULL)
    g_cancellable_cancel (self->counting);
  g_clear_object (&self->counting);
}

void
es_class_legend_set_cube (EsClassLegend *self, EsCube *cube)
{
  g_return_if_fail (ES_IS_CLASS_LEGEND (self));

  if (cube != NULL && es_cube_get_classes (cube) == NULL)
    cube = NULL;
  if (!g_set_object (&self->cube, cube))
    return;
  stop (self);
  gtk_widget_set_visible (GTK_WIDGET (self->missing), FALSE);
  g_list_store_remove_all (self->rows);
  if (cube == NULL)
    return;
  fill (self, NULL);
  self->counting = g_cancellable_new ();
  es_class_count_pixels_async (cube, self->counting, on_counted, g_object_ref (self));
}

GListModel *
es_class_legend_get_rows (EsClassLegend *self)
{
  g_return_val_if_fail (ES_IS_CLASS_LEGEND (self), NULL);
  return G_LIST_MODEL (self->rows);
}

gboolean
es_class_legend_is_busy (EsClassLegend *self)
{
  g_return_val_if_fail (ES_IS_CLASS_LEGEND (self), FALSE);
  return self->counting != NULL;
}

char *
es_class_legend_describe (EsClassLegend *self)
{
  guint n;

  g_return_val_if_fail (ES_IS_CLASS_LEGEND (self), NULL);

  if (self->cube == NULL)
    return NULL;
  n = es_class_table_get_n (es_cube_get_classes (self->cube));
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u class", "%u classes", n), n);
}

/* ---- the widget ---- */

static void
es_class_legend_dispose (GObject *object)
{
  EsClassLegend *self = ES_CLASS_LEGEND (object);

  stop (self);
  g_clear_object (&self->cube);
  g_clear_object (&self->rows);
  G_OBJECT_CLASS (es_class_legend_parent_class)->dispose (object);
}

static void
es_class_legend_class_init (EsClassLegendClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_class_legend_dispose;
}

static void
add_column (EsClassLegend *self, Column which, const char *title)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkColumnViewColumn) column = NULL;

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell), GUINT_TO_POINTER (which));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell), GUINT_TO_POINTER (which));
  column = gtk_column_view_column_new (title, factory);
  gtk_column_view_column_set_expand (column, which == COLUMN_NAME);
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_append_column (GTK_COLUMN_VIEW (self->list), column);
}

static void
es_class_legend_init (EsClassLegend *self)
{
  GtkWidget *add = gtk_button_new_with_mnemonic (_("_Add to a Cube…"));
  GtkNoSelection *rows;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
  self->rows = g_list_store_new (ES_TYPE_CLASS_ROW);
  rows = gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  self->list = gtk_column_view_new (GTK_SELECTION_MODEL (rows));
  gtk_widget_add_css_class (self->list, "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Classes of the file"), -1);
  add_column (self, COLUMN_NAME, _("Class"));
  add_column (self, COLUMN_VALUE, _("Value"));
  add_column (self, COLUMN_PIXELS, _("Pixels"));
  add_column (self, COLUMN_SHARE, "%");
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), HEIGHT);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (self->scroller), HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), self->list);
  gtk_box_append (GTK_BOX (self), self->scroller);
  self->missing = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->missing, TRUE);
  gtk_label_set_xalign (self->missing, 0);
  gtk_widget_add_css_class (GTK_WIDGET (self->missing), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->missing), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->missing), "pane-margins");
  gtk_widget_set_visible (GTK_WIDGET (self->missing), FALSE);
  gtk_box_append (GTK_BOX (self), GTK_WIDGET (self->missing));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (add), "win.add-classes");
  gtk_widget_set_tooltip_text (add, _("Add these classes to the regions of an open cube of the same size"));
  gtk_widget_set_halign (add, GTK_ALIGN_END);
  gtk_widget_add_css_class (add, "pane-button");
  gtk_widget_add_css_class (add, "pane-margins");
  gtk_box_append (GTK_BOX (self), add);
}

GtkWidget *
es_class_legend_new (void)
{
  return g_object_new (ES_TYPE_CLASS_LEGEND, NULL);
}
