/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-tree-cell-private.h"

#include <glib/gi18n-lib.h>

#include "eigenscope.h"
#include "keeping/es-result-tell.h"
#include "result/es-operation.h"
#include "widgets/es-format.h"
#include "widgets/es-wheel.h"

#define LONGEST_NAME 120

struct _EsTreeCell
{
  GtkWidget        parent_instance;

  GtkWidget       *expander;
  GtkImage        *icon;
  GtkLabel        *label;
  GtkLabel        *detail;       /* a second line */
  GtkImage        *eye;

  GtkListItem     *item;         /* borrowed */
  GListModel      *children;
  gulong           children_handler;
  EsResult        *result;       /* nullable, as the next */
  GListModel      *results;
};

G_DEFINE_FINAL_TYPE (EsTreeCell, es_tree_cell, GTK_TYPE_WIDGET)

static GObject *
cell_item (EsTreeCell *self)
{
  GtkTreeListRow *row = self->item != NULL ? gtk_list_item_get_item (self->item) : NULL;

  return row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
}

static void
update_arrow (EsTreeCell *self)
{
  if (self->children != NULL && g_list_model_get_n_items (self->children) > 0)
    gtk_widget_remove_css_class (self->expander, "es-leaf");
  else
    gtk_widget_add_css_class (self->expander, "es-leaf");
}

/* ---- results ---- */

static void
update_result (EsTreeCell *self)
{
  EsResult *result = self->result;
  const EsOperation *operation = es_result_get_operation (result);
  g_autofree char *shown = es_format_shorten (es_result_get_title (result), LONGEST_NAME);
  g_autofree char *difference = es_result_tell_difference (result, self->results);
  g_autofree char *parameters = es_result_tell_parameters (result);
  g_autoptr (GString) detail = g_string_new (difference), tooltip = g_string_new (es_result_get_title (result));

  if (es_result_is_absent (result))
    {
      g_string_append (detail, detail->len > 0 ? " · " : "");
      /* TRANSLATORS: of a result of an earlier session, below its name */
      g_string_append (detail, _("not kept: run again"));
    }
  if (es_result_get_name (result) != NULL)
    g_string_append_printf (tooltip, "\n%s", es_result_get_found_title (result));
  g_string_append_printf (tooltip, "\n%s", g_dgettext (GETTEXT_PACKAGE, operation->title));
  if (parameters != NULL)
    g_string_append_printf (tooltip, "\n\n%s", parameters);
  gtk_label_set_label (self->label, shown);
  gtk_label_set_label (self->detail, detail->str);
  gtk_widget_set_visible (GTK_WIDGET (self->detail), detail->len > 0);
  es_set_tooltip (GTK_WIDGET (self), tooltip->str);
  if (es_result_is_absent (result))
    gtk_widget_add_css_class (GTK_WIDGET (self->label), "dim-label");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->label), "dim-label");
}

/* It may be of another result by now, or of none: rows are used again. */
static void
drop_result (EsTreeCell *self)
{
  if (self->result != NULL)
    g_signal_handlers_disconnect_by_data (self->result, self);
  if (self->results != NULL)
    g_signal_handlers_disconnect_by_data (self->results, self);
  g_clear_object (&self->result);
  g_clear_object (&self->results);
  gtk_widget_set_visible (GTK_WIDGET (self->detail), FALSE);
  gtk_widget_remove_css_class (GTK_WIDGET (self->label), "dim-label");
}

static void
take_result (EsTreeCell *self, EsResult *result, GListModel *results)
{
  g_set_object (&self->result, result);
  g_set_object (&self->results, results);
  gtk_label_set_ellipsize (self->detail, PANGO_ELLIPSIZE_END);
  g_signal_connect_swapped (result, "notify::title", G_CALLBACK (update_result), self);
  if (results != NULL)
    g_signal_connect_data (results, "items-changed", G_CALLBACK (update_result), self, NULL,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  update_result (self);
}

/* ---- rows ---- */

/* Of a file that holds several: which of its arrays this is. */
static void
tell_array (EsTreeCell *self, EsDataset *dataset)
{
  const char *name = es_dataset_get_array_name (dataset);
  g_autofree char *shown = name != NULL ? es_format_shorten (name, LONGEST_NAME) : NULL;

  gtk_label_set_ellipsize (self->detail, name != NULL ? PANGO_ELLIPSIZE_START : PANGO_ELLIPSIZE_END);
  gtk_label_set_label (self->detail, name != NULL ? shown : "");
  gtk_widget_set_visible (GTK_WIDGET (self->detail), name != NULL);
}

void
es_tree_cell_unbind (EsTreeCell *self)
{
  if (self->children != NULL)
    g_clear_signal_handler (&self->children_handler, self->children);
  g_clear_object (&self->children);
  drop_result (self);
  self->item = NULL;
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (self->expander), NULL);
}

static const char *
icon_of (EsDatasetKind kind)
{
  switch (kind)
    {
    case ES_DATASET_RECORDING:
      return "es-recording-symbolic";
    case ES_DATASET_DEVICE:
      return "es-machine-symbolic";
    case ES_DATASET_MATRIX:
      return "es-matrix-symbolic";
    case ES_DATASET_CUBE:
    default:
      return "es-cube-symbolic";
    }
}

void
es_tree_cell_bind (EsTreeCell *self, GtkListItem *list_item, GListModel *results)
{
  GtkTreeListRow *row = gtk_list_item_get_item (list_item);
  g_autoptr (GObject) item = gtk_tree_list_row_get_item (row);
  g_autofree char *tooltip = NULL, *shown = NULL;
  const char *text = "", *icon = "";

  self->item = list_item;
  if (ES_IS_DATASET (item))
    {
      GFile *file = es_dataset_get_file (ES_DATASET (item));
      g_autofree char *description = es_dataset_describe (ES_DATASET (item));
      g_autofree char *place = file != NULL ? g_file_get_parse_name (file) : NULL;

      text = es_dataset_get_name (ES_DATASET (item));
      icon = icon_of (es_dataset_get_kind (ES_DATASET (item)));
      g_autofree char *name = es_format_shorten (text, 2 * LONGEST_NAME);

      tooltip = place != NULL ? g_strdup_printf ("%s\n%s\n%s", name, description, place)
                              : g_strdup_printf ("%s\n%s", name, description);
    }
  else if (ES_IS_RESULT (item))
    {
      text = es_result_get_title (ES_RESULT (item));
      icon = "es-result-symbolic";
    }
  else if (ES_IS_LAYER (item))
    {
      EsLayerKind kind = es_layer_get_kind (ES_LAYER (item));

      text = es_layer_get_title (ES_LAYER (item));
      icon = kind == ES_LAYER_FIELD || kind == ES_LAYER_WATERFALL ? "es-field-symbolic"
             : kind == ES_LAYER_TABLE ? "es-table-symbolic"
             : kind == ES_LAYER_VERDICT ? "es-verdict-tells-symbolic" : "es-layer-symbolic";
      tooltip = g_strdup (text);
    }
  /* A file may be called anything; its row is one line. */
  shown = es_format_shorten (text, LONGEST_NAME);
  gtk_label_set_label (self->label, shown);
  gtk_image_set_from_icon_name (self->icon, icon);
  es_set_tooltip (GTK_WIDGET (self), tooltip);
  drop_result (self);
  if (ES_IS_DATASET (item))
    tell_array (self, ES_DATASET (item));
  if (ES_IS_RESULT (item))
    take_result (self, ES_RESULT (item), results);

  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (self->expander), row);
  self->children = gtk_tree_list_row_get_children (row);
  if (self->children != NULL)
    {
      g_object_ref (self->children);
      self->children_handler = g_signal_connect_swapped (self->children, "items-changed",
                                                         G_CALLBACK (update_arrow), self);
    }
  update_arrow (self);
}

static void
es_tree_cell_dispose (GObject *object)
{
  EsTreeCell *self = ES_TREE_CELL (object);

  if (self->children != NULL)
    g_clear_signal_handler (&self->children_handler, self->children);
  g_clear_object (&self->children);
  if (self->expander != NULL)
    drop_result (self);
  g_clear_pointer (&self->expander, gtk_widget_unparent);
  G_OBJECT_CLASS (es_tree_cell_parent_class)->dispose (object);
}

static void
es_tree_cell_class_init (EsTreeCellClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_tree_cell_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_tree_cell_init (EsTreeCell *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8), *lines = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->expander = gtk_tree_expander_new ();
  self->icon = GTK_IMAGE (gtk_image_new ());
  self->label = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->label, 0);
  /* Names of scenes differ at both ends. */
  gtk_label_set_ellipsize (self->label, PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "numeric");
  self->detail = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->detail, 0);
  gtk_label_set_ellipsize (self->detail, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->detail), "numeric");
  gtk_widget_set_visible (GTK_WIDGET (self->detail), FALSE);
  gtk_box_append (GTK_BOX (lines), GTK_WIDGET (self->label));
  gtk_box_append (GTK_BOX (lines), GTK_WIDGET (self->detail));
  gtk_widget_set_hexpand (lines, TRUE);
  gtk_widget_set_valign (lines, GTK_ALIGN_CENTER);
  self->eye = GTK_IMAGE (gtk_image_new_from_icon_name ("view-reveal-symbolic"));
  gtk_widget_add_css_class (GTK_WIDGET (self->eye), "dim-label");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->eye), _("Shown"));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->icon));
  gtk_box_append (GTK_BOX (box), lines);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->eye));
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (self->expander), box);
  gtk_widget_set_parent (self->expander, GTK_WIDGET (self));
}

GtkWidget *
es_tree_cell_new (void)
{
  return g_object_new (ES_TYPE_TREE_CELL, NULL);
}

guint
es_tree_cell_get_position (EsTreeCell *self)
{
  return self->item != NULL ? gtk_list_item_get_position (self->item) : GTK_INVALID_LIST_POSITION;
}

void
es_tree_cell_set_shown (EsTreeCell *self, GObject *shown)
{
  g_autoptr (GObject) item = cell_item (self);

  gtk_widget_set_visible (GTK_WIDGET (self->eye), item != NULL && item == shown);
}
