/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The columns with their widths, and the workspaces in them. */

#include "es-window-private.h"

#include "es-workspaces.h"
#include "widgets/es-settings.h"

#define SIDEBAR_MINIMUM   220
#define INSPECTOR_MINIMUM 240
#define STORE_DELAY       400    /* ms */

/* ---- workspaces ---- */

static gboolean
is_function_key (guint key)
{
  return key >= GDK_KEY_F1 && key <= GDK_KEY_F35;
}

/* Function keys before the widgets: columns that can be moved take F6 and F8. All others behind them: an entry has its
 * own use for those. */
static void
add_keys (EsWindow *self, const EsWorkspaceKey *keys, guint n)
{
  GtkEventController *before = gtk_shortcut_controller_new (), *behind = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (before, GTK_PHASE_CAPTURE);
  for (guint i = 0; i < n; i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (is_function_key (keys[i].key) ? before : behind),
                                          gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, keys[i].modifiers),
                                                            gtk_named_action_new (keys[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self), before);
  gtk_widget_add_controller (GTK_WIDGET (self), behind);
}

static void
on_status (EsWindow *self, GParamSpec *pspec, EsWorkspace *workspace)
{
  if (workspace == self->current)
    g_object_set (self->status_bar, "text", es_workspace_get_status (workspace), NULL);
}

static void
on_layout (EsWindow *self, EsWorkspace *workspace)
{
  if (workspace == self->current)
    es_window_place_workspace (self);
}

void
es_window_add_right (EsWindow *self)
{
  self->right = g_object_ref_sink (g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE, NULL));
  gtk_paned_set_end_child (self->right_columns, GTK_WIDGET (self->right));
}

void
es_window_add_workspaces (EsWindow *self)
{
  guint n = 0;
  const GType *types = es_workspaces_get (&n);

  for (guint i = 0; i < n; i++)
    {
      EsWorkspace *workspace = g_object_new (types[i], "shell", self->shell, NULL);

      g_ptr_array_add (self->workspaces, workspace);
      es_workspace_add_actions (workspace, G_ACTION_MAP (self));
      add_keys (self, ES_WORKSPACE_GET_CLASS (workspace)->keys, ES_WORKSPACE_GET_CLASS (workspace)->n_keys);
      g_signal_connect_swapped (workspace, "layout", G_CALLBACK (on_layout), self);
      g_signal_connect_swapped (workspace, "notify::status", G_CALLBACK (on_status), self);
    }
  self->current = g_ptr_array_index (self->workspaces, 0);
  es_window_place_workspace (self);
}

static void
show_in (GtkStack *stack, GtkWidget *child)
{
  if (gtk_widget_get_parent (child) == NULL)
    gtk_stack_add_child (stack, child);
  gtk_stack_set_visible_child (stack, child);
}

void
es_window_place_page (EsWindow *self)
{
  GtkWidget *large = self->current != NULL ? es_workspace_get_large (self->current) : NULL;

  if (es_shown_get_dataset (self->shown) == NULL)
    gtk_stack_set_visible_child_name (self->stack, "welcome");
  else if (large != NULL)
    show_in (self->stack, large);
  else
    gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->columns));
}

/* Of the divider, which has no share of the column's width: it would become a little narrower each time. */
static int
get_handle_width (EsWindow *self)
{
  GtkWidget *handle = gtk_widget_get_first_child (GTK_WIDGET (self->right_columns));

  while (handle != NULL && !g_str_equal (gtk_widget_get_css_name (handle), "separator"))
    handle = gtk_widget_get_next_sibling (handle);
  return handle != NULL ? gtk_widget_get_width (handle) : 0;
}

/* Two columns beside each other have a width of their own. */
static const char *
get_width_key (EsWindow *self)
{
  return self->side_columns > 1 ? "inspector-width-two" : "inspector-width";
}

static void
place_inspector (EsWindow *self)
{
  int width = g_settings_get_int (es_settings_get (), get_width_key (self));
  int all = gtk_widget_get_width (GTK_WIDGET (self->right_columns));

  if (self->right != NULL && gtk_widget_get_visible (GTK_WIDGET (self->right)) && all > width + 200)
    gtk_paned_set_position (self->right_columns, all - width - get_handle_width (self));
}

static gboolean
place_inspector_again (gpointer data)
{
  place_inspector (data);
  return G_SOURCE_REMOVE;
}

static void store_columns (EsWindow *self);

/* From one column to two, or back: what is wide is remembered, and the other width taken. */
static void
place_other_columns (EsWindow *self, guint n)
{
  if (self->store_source != 0)
    store_columns (self);
  g_clear_handle_id (&self->store_source, g_source_remove);
  self->side_columns = n;
  place_inspector (self);
  g_idle_add_full (G_PRIORITY_LOW, place_inspector_again, g_object_ref (self), g_object_unref);
}

void
es_window_place_workspace (EsWindow *self)
{
  GtkWidget *side = es_workspace_get_side (self->current), *footer = es_workspace_get_footer (self->current);

  show_in (self->middle, es_workspace_get_middle (self->current));
  if (side != NULL)
    show_in (self->right, side);
  /* There is nothing yet that could stand there. */
  if (side == NULL)
    gtk_paned_set_end_child (self->right_columns, NULL);
  else if (gtk_paned_get_end_child (self->right_columns) == NULL)
    {
      gtk_paned_set_end_child (self->right_columns, GTK_WIDGET (self->right));
      /* As wide as it was; what stands beside it had all of the width. */
      place_inspector (self);
      g_idle_add_full (G_PRIORITY_LOW, place_inspector_again, g_object_ref (self), g_object_unref);
    }
  if (side != NULL && self->side_columns != es_workspace_get_side_columns (self->current))
    place_other_columns (self, es_workspace_get_side_columns (self->current));
  if (footer != NULL && gtk_widget_get_parent (footer) == NULL)
    gtk_box_append (self->footer, footer);
  es_sidebar_set_section (self->sidebar, es_workspace_get_section (self->current),
                          ES_WORKSPACE_GET_CLASS (self->current)->data_height);
  es_header_bar_set_save_menu (self->header, es_workspace_get_save_menu (self->current));
  on_status (self, NULL, self->current);
  if (self->shown != NULL)
    es_window_place_page (self);
}

/* ---- columns ---- */

/* Once the columns have their places: the inspector may be made narrower than it began. */
static gboolean
release_inspector (gpointer data)
{
  EsWindow *self = data;

  if (self->right != NULL && gtk_widget_get_mapped (GTK_WIDGET (self->right_columns))
      && gtk_widget_get_visible (GTK_WIDGET (self->right)))
    {
      gtk_paned_set_position (self->right_columns, gtk_paned_get_position (self->right_columns));
      gtk_widget_set_size_request (GTK_WIDGET (self->right), INSPECTOR_MINIMUM, -1);
    }
  return G_SOURCE_REMOVE;
}

static void
on_columns_mapped (EsWindow *self)
{
  g_idle_add_full (G_PRIORITY_LOW, release_inspector, g_object_ref (self), g_object_unref);
}

static int
inspector_width (EsWindow *self)
{
  return gtk_widget_get_width (GTK_WIDGET (self->right));
}

/* A pane that comes back takes the width it had: now, and once the other column has come or gone as well. */
static void
on_inspector_visible (EsWindow *self)
{
  place_inspector (self);
  g_idle_add_full (G_PRIORITY_LOW, place_inspector_again, g_object_ref (self), g_object_unref);
}

static void
store_columns (EsWindow *self)
{
  GSettings *settings = es_settings_get ();

  if (!gtk_widget_get_mapped (GTK_WIDGET (self->columns)))
    return;
  if (gtk_widget_get_visible (GTK_WIDGET (self->sidebar)))
    g_settings_set_int (settings, "sidebar-width", CLAMP (gtk_paned_get_position (self->columns), 200, 2000));
  if (gtk_widget_get_visible (GTK_WIDGET (self->right)) && inspector_width (self) > 0)
    g_settings_set_int (settings, get_width_key (self), CLAMP (inspector_width (self), 200, 2000));
}

/* A moment after a divider was moved: were the program to end otherwise than by itself, it is remembered. */
static gboolean
store_columns_now (gpointer data)
{
  EsWindow *self = data;

  self->store_source = 0;
  store_columns (self);
  return G_SOURCE_REMOVE;
}

static void
on_divider (EsWindow *self)
{
  g_clear_handle_id (&self->store_source, g_source_remove);
  self->store_source = g_timeout_add (STORE_DELAY, store_columns_now, self);
}

void
es_window_reset_layout (EsWindow *self)
{
  static const char *const keys[] = { "sidebar-visible", "sidebar-width", "inspector-visible", "inspector-width",
                                      "inspector-width-two" };

  es_window_complete (self);
  es_workspace_activate (self->current, "reset-layout");
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (es_settings_get (), keys[i]);
  gtk_paned_set_position (self->columns, g_settings_get_int (es_settings_get (), "sidebar-width"));
  place_inspector (self);
  g_idle_add_full (G_PRIORITY_LOW, place_inspector_again, g_object_ref (self), g_object_unref);
}

void
es_window_restore_geometry (EsWindow *self)
{
  GSettings *settings = es_settings_get ();
  int width, height;

  g_settings_get (settings, "window-size", "(ii)", &width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), MAX (width, 360), MAX (height, 294));
  if (g_settings_get_boolean (settings, "window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  /* In a small window the picture comes first. */
  gtk_paned_set_position (self->columns,
                          MIN (g_settings_get_int (settings, "sidebar-width"), MAX (SIDEBAR_MINIMUM, width * 3 / 10)));
  gtk_widget_set_size_request (GTK_WIDGET (self->right),
                               MIN (g_settings_get_int (settings, "inspector-width"),
                                    MAX (INSPECTOR_MINIMUM, width * 3 / 10)), -1);
  g_settings_bind (settings, "sidebar-visible", self->sidebar, "visible", G_SETTINGS_BIND_DEFAULT);
  g_settings_bind (settings, "inspector-visible", self->right, "visible", G_SETTINGS_BIND_DEFAULT);
  g_signal_connect_swapped (self->right, "notify::visible", G_CALLBACK (on_inspector_visible), self);
  g_signal_connect_object (self->right_columns, "map", G_CALLBACK (on_columns_mapped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->columns, "notify::position", G_CALLBACK (on_divider), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->right_columns, "notify::position", G_CALLBACK (on_divider), self, G_CONNECT_SWAPPED);
}

void
es_window_store_geometry (EsWindow *self)
{
  GSettings *settings = es_settings_get ();
  gboolean maximized = gtk_window_is_maximized (GTK_WINDOW (self));
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (!maximized && !gtk_window_is_fullscreen (GTK_WINDOW (self)) && width > 0 && height > 0)
    g_settings_set (settings, "window-size", "(ii)", width, height);
  g_settings_set_boolean (settings, "window-maximized", maximized);
  store_columns (self);
}
