/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-data-tree.h"

#include <glib/gi18n-lib.h>

#include "recording/es-recording.h"
#include "es-tree-cell-private.h"

struct _EsDataTree
{
  GtkWidget           parent_instance;

  /* Template widgets. */
  GtkListView        *list;
  GtkPopoverMenu     *menu;

  EsSession          *session;
  GtkTreeListModel   *tree;
  GtkSingleSelection *selection;
  EsShown            *shown;
  gboolean            following;     /* the selection changes because something else is shown */
};

G_DEFINE_FINAL_TYPE (EsDataTree, es_data_tree, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_SHOWN, N_PROPS };
static GParamSpec *properties[N_PROPS];

/* Curves and tables are in the right column, where a cube's have all a place of their own; of a recording's tables
 * there is room for one, which is chosen here. */
static gboolean
is_picture (gpointer item, gpointer of_recording)
{
  EsLayerKind kind = es_layer_get_kind (item);

  if (kind == ES_LAYER_TABLE)
    return of_recording != NULL && es_table_get_n_rows (item) > 0;
  return kind == ES_LAYER_IMAGE_STACK || kind == ES_LAYER_FIELD || kind == ES_LAYER_WATERFALL
         || kind == ES_LAYER_MATRIX;
}

static GListModel *
create_children (gpointer item, gpointer data)
{
  EsDataTree *self = data;

  if (ES_IS_DATASET (item))
    {
      GListModel *results = es_session_get_results (self->session, item);

      return results != NULL ? g_object_ref (results) : NULL;
    }
  if (ES_IS_RESULT (item))
    {
      gpointer of_recording = ES_IS_RECORDING (es_result_get_dataset (item)) ? self : NULL;

      return G_LIST_MODEL (gtk_filter_list_model_new (g_object_ref (es_result_get_layers (item)),
                                                      GTK_FILTER (gtk_custom_filter_new (is_picture, of_recording,
                                                                                         NULL))));
    }
  return NULL;
}

static void
show_menu (EsDataTree *self, double x, double y)
{
  GdkRectangle at = { (int) x, (int) y, 1, 1 };

  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
on_secondary_press (GtkGestureClick *gesture, int n_press, double x, double y, EsDataTree *self)
{
  GtkWidget *cell = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (gesture));
  guint position = es_tree_cell_get_position (ES_TREE_CELL (cell));
  double tree_x, tree_y;

  if (position == GTK_INVALID_LIST_POSITION)
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_translate_coordinates (cell, GTK_WIDGET (self), x, y, &tree_x, &tree_y);
  show_menu (self, tree_x, tree_y);
}

/* What has the eye. */
static GObject *
eye_of (EsDataTree *self)
{
  return self->shown != NULL ? es_shown_get_in_view (self->shown) : NULL;
}

static void
update_eye (EsDataTree *self, GParamSpec *pspec, EsTreeCell *cell)
{
  es_tree_cell_set_shown (cell, eye_of (self));
}

static void
setup_cell (GtkSignalListItemFactory *factory, GtkListItem *item, EsDataTree *self)
{
  GtkWidget *cell = es_tree_cell_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (on_secondary_press), self, 0);
  gtk_widget_add_controller (cell, GTK_EVENT_CONTROLLER (click));
  g_signal_connect_object (self, "notify::shown", G_CALLBACK (update_eye), cell, 0);
  gtk_list_item_set_child (item, cell);
}

static void
bind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, EsDataTree *self)
{
  EsTreeCell *cell = ES_TREE_CELL (gtk_list_item_get_child (item));
  g_autoptr (GObject) thing = gtk_tree_list_row_get_item (gtk_list_item_get_item (item));

  es_tree_cell_bind (cell, item, ES_IS_RESULT (thing)
                                 ? es_session_get_results (self->session, es_result_get_dataset (ES_RESULT (thing)))
                                 : NULL);
  es_tree_cell_set_shown (cell, eye_of (self));
}

static void
unbind_cell (GtkSignalListItemFactory *factory, GtkListItem *item, EsDataTree *self)
{
  es_tree_cell_unbind (ES_TREE_CELL (gtk_list_item_get_child (item)));
}

static void
on_selected (EsDataTree *self)
{
  GtkTreeListRow *row = gtk_single_selection_get_selected_item (self->selection);
  EsDataset *dataset = NULL;
  EsResult *result = NULL;
  EsLayer *layer = NULL;

  /* Nothing selected: a row went away, and what comes after it is the window's to say. */
  if (row == NULL || self->following)
    return;

  for (g_autoptr (GtkTreeListRow) at = g_object_ref (row); at != NULL;)
    {
      g_autoptr (GObject) item = gtk_tree_list_row_get_item (at);
      GtkTreeListRow *parent = gtk_tree_list_row_get_parent (at);

      /* The rows' owners outlive this function: they are in the session. */
      if (ES_IS_DATASET (item))
        dataset = ES_DATASET (item);
      else if (ES_IS_RESULT (item))
        result = ES_RESULT (item);
      else if (ES_IS_LAYER (item))
        layer = ES_LAYER (item);
      g_object_unref (at);
      at = parent;
    }
  if (dataset != NULL)
    es_shown_set (self->shown, dataset, result, layer);
}

static void
popup_menu (GtkWidget *widget, const char *action, GVariant *parameter)
{
  EsDataTree *self = ES_DATA_TREE (widget);

  if (es_data_tree_get_selected (self) != NULL)
    show_menu (self, gtk_widget_get_width (widget) / 2.0, gtk_widget_get_height (widget) / 2.0);
}

static void
es_data_tree_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  EsDataTree *self = ES_DATA_TREE (widget);

  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, baseline, NULL);
  gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
es_data_tree_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural,
                      minimum_baseline, natural_baseline);
}

static void
es_data_tree_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsDataTree *self = ES_DATA_TREE (object);

  switch (id)
    {
    case PROP_SHOWN:
      g_value_set_object (value, eye_of (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_data_tree_dispose (GObject *object)
{
  EsDataTree *self = ES_DATA_TREE (object);
  GtkWidget *child;

  if (self->list != NULL)
    gtk_list_view_set_model (self->list, NULL);
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->selection);
  g_clear_object (&self->tree);
  g_clear_object (&self->session);
  g_clear_object (&self->shown);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->list = NULL;
  G_OBJECT_CLASS (es_data_tree_parent_class)->dispose (object);
}

static void
es_data_tree_class_init (EsDataTreeClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = es_data_tree_dispose;
  object_class->get_property = es_data_tree_get_property;
  widget_class->size_allocate = es_data_tree_size_allocate;
  widget_class->measure = es_data_tree_measure;

  properties[PROP_SHOWN] =
    g_param_spec_object ("shown", NULL, NULL, G_TYPE_OBJECT, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-data-tree.ui");
  gtk_widget_class_bind_template_child (widget_class, EsDataTree, list);
  gtk_widget_class_bind_template_child (widget_class, EsDataTree, menu);
  gtk_widget_class_install_action (widget_class, "tree.menu", NULL, popup_menu);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "tree.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "tree.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, 0, "win.rename", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Delete, 0, "win.remove", NULL);
  /* The menu shows the last one. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "win.remove", NULL);
}

/* Rows would take it for themselves; the window knows what it does. */
static gboolean
on_space (GtkWidget *list, GVariant *arguments, gpointer unused)
{
  GtkRoot *root = gtk_widget_get_root (list);

  if (!GTK_IS_WINDOW (root))
    return FALSE;
  g_signal_emit_by_name (root, "activate-focus");
  return TRUE;
}

static void
es_data_tree_init (EsDataTree *self)
{
  GtkEventController *keys = gtk_shortcut_controller_new ();
  g_autoptr (GtkListItemFactory) factory = NULL;

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (keys),
                                        gtk_shortcut_new (gtk_keyval_trigger_new (GDK_KEY_space, 0),
                                                          gtk_callback_action_new (on_space, NULL, NULL)));
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  factory = gtk_signal_list_item_factory_new ();
  g_signal_connect_object (factory, "setup", G_CALLBACK (setup_cell), self, 0);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_cell), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind_cell), self, 0);
  gtk_list_view_set_factory (self->list, factory);
}

/* The row of what is shown, where it has one: else that of its result. */
static void
on_shown_changed (EsDataTree *self)
{
  GObject *item = es_shown_get_item (self->shown), *result = (GObject *) es_shown_get_result (self->shown);

  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOWN]);
  if (item == NULL || item == es_data_tree_get_selected (self))
    return;
  self->following = TRUE;
  if (!es_data_tree_select (self, item) && result != NULL && item != result)
    es_data_tree_select (self, result);
  self->following = FALSE;
}

void
es_data_tree_set_session (EsDataTree *self, EsSession *session, EsShown *shown)
{
  g_return_if_fail (ES_IS_DATA_TREE (self) && self->session == NULL && ES_IS_SESSION (session));

  self->session = g_object_ref (session);
  self->shown = g_object_ref (shown);
  g_signal_connect_object (shown, "changed", G_CALLBACK (on_shown_changed), self, G_CONNECT_SWAPPED);
  self->tree = gtk_tree_list_model_new (g_object_ref (es_session_get_datasets (session)), FALSE, TRUE,
                                        create_children, self, NULL);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->tree)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, FALSE);
  g_signal_connect_swapped (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
}

/* The data set under which an item hangs. */
static GObject *
root_of (GObject *item)
{
  return ES_IS_RESULT (item) ? G_OBJECT (es_result_get_dataset (ES_RESULT (item))) : NULL;
}

static gboolean
show_selected (gpointer user_data)
{
  EsDataTree *self = user_data;
  guint position = gtk_single_selection_get_selected (self->selection);

  if (position != GTK_INVALID_LIST_POSITION && gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", position);
  return G_SOURCE_REMOVE;
}

gboolean
es_data_tree_select (EsDataTree *self, GObject *item)
{
  g_return_val_if_fail (ES_IS_DATA_TREE (self) && G_IS_OBJECT (item), FALSE);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->tree)); i++)
    {
      g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->tree), i);
      g_autoptr (GObject) at = gtk_tree_list_row_get_item (row);

      if (at == item)
        {
          gtk_single_selection_set_selected (self->selection, i);
          /* The row of a new result has no place yet. */
          g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, show_selected, g_object_ref (self), g_object_unref);
          return TRUE;
        }
      if (at == root_of (item))
        gtk_tree_list_row_set_expanded (row, TRUE);
    }
  return FALSE;
}

GObject *
es_data_tree_get_selected (EsDataTree *self)
{
  GtkTreeListRow *row;
  g_autoptr (GObject) item = NULL;

  g_return_val_if_fail (ES_IS_DATA_TREE (self), NULL);

  row = self->selection != NULL ? gtk_single_selection_get_selected_item (self->selection) : NULL;
  item = row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
  return item;
}

guint
es_data_tree_get_n_rows (EsDataTree *self)
{
  g_return_val_if_fail (ES_IS_DATA_TREE (self), 0);
  return self->tree != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->tree)) : 0;
}
