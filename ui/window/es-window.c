/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "cube/es-cube.h"
#include "files/es-recent.h"
#include "widgets/es-settings.h"
#include "widgets/es-ui.h"

#define SIDEBAR_MINIMUM   220
#define INSPECTOR_MINIMUM 240

G_DEFINE_FINAL_TYPE (EsWindow, es_window, ADW_TYPE_APPLICATION_WINDOW)

/* ---- what is said ---- */

void
es_window_say (EsWindow *self, const char *sentence)
{
  es_shell_say (self->shell, sentence);
}

void
es_window_say_with_action (EsWindow *self, const char *sentence, const char *label, const char *action,
                           GVariant *target)
{
  es_shell_say_with_action (self->shell, sentence, label, action, target);
}

/* ---- what is shown ---- */

void
es_window_update_title (EsWindow *self)
{
  g_autofree char *description = NULL;
  g_autofree char *title = NULL;
  const char *name;

  if (self->dataset == NULL)
    {
      adw_window_title_set_title (self->title, _("Eigenscope"));
      adw_window_title_set_subtitle (self->title, "");
      gtk_window_set_title (GTK_WINDOW (self), _("Eigenscope"));
      return;
    }
  name = es_dataset_get_name (self->dataset);
  description = es_dataset_describe (self->dataset);
  adw_window_title_set_title (self->title, name);
  adw_window_title_set_subtitle (self->title, description);
  /* TRANSLATORS: title of the window: a data set's name, and the program's */
  title = g_strdup_printf (_("%s – Eigenscope"), name);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

void
es_window_update_banner (EsWindow *self)
{
  const char * const *sentences = NULL;
  g_autofree char *text = NULL;

  if (es_window_get_sonar_failure (self) != NULL)
    {
      es_banner_set_text (self->banner, es_window_get_sonar_failure (self));
      return;
    }
  if (self->result != NULL)
    sentences = es_result_get_warnings (self->result);
  else if (self->dataset != NULL)
    sentences = es_dataset_get_notes (self->dataset);
  if (sentences != NULL)
    text = g_strjoinv (" ", (char **) sentences);
  es_banner_set_text (self->banner, text);
}

void
es_window_bind_status (EsWindow *self, gpointer view)
{
  if (self->status != NULL)
    g_binding_unbind (self->status);
  self->status = g_object_bind_property (view, "status", self->status_bar, "text", G_BINDING_SYNC_CREATE);
}

static GObject *
shown_item (EsWindow *self)
{
  GListModel *layers;

  if (self->layer != NULL)
    return G_OBJECT (self->layer);
  if (self->result == NULL)
    return self->dataset != NULL ? G_OBJECT (self->dataset) : NULL;
  /* The viewer takes the first picture of a result. */
  layers = es_result_get_layers (self->result);
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (es_layer_get_kind (layer) == ES_LAYER_IMAGE_STACK)
        return G_OBJECT (layer);
    }
  return G_OBJECT (self->result);
}

void
es_window_show_item (EsWindow *self, EsDataset *dataset, EsResult *result, EsLayer *layer, EsResult *replaces)
{
  if (dataset == self->dataset && result == self->result && layer == self->layer)
    return;

  g_set_object (&self->dataset, dataset);
  g_set_object (&self->result, result);
  g_set_object (&self->layer, layer);

  if (es_window_show_recording (self, dataset, result, layer))
    es_viewer_show_dataset (self->viewer, NULL);
  else if (result != NULL)
    es_viewer_show_result (self->viewer, result, layer, replaces);
  else
    es_viewer_show_dataset (self->viewer, dataset);
  es_window_end_preview (self);
  es_analyse_panel_set_dataset (es_sidebar_get_analyse (self->sidebar), dataset);
  es_analyse_panel_set_result (es_sidebar_get_analyse (self->sidebar), result);
  es_data_tree_set_shown (es_sidebar_get_tree (self->sidebar), shown_item (self));
  gtk_stack_set_visible_child (self->stack,
                               dataset != NULL ? GTK_WIDGET (self->columns) : GTK_WIDGET (self->welcome));
  es_window_update_title (self);
  es_window_update_banner (self);
  es_window_update_actions (self);
}

static void
on_selected (EsWindow *self, EsDataset *dataset, EsResult *result, EsLayer *layer)
{
  es_window_show_item (self, dataset, result, layer, NULL);
}

/* ---- what is opened ---- */

static void
on_opened (EsWindow *self, EsDataset *dataset, EsOpenRequest *request)
{
  if (ES_IS_RECORDING (dataset))
    es_window_prepare_recording (self, ES_RECORDING (dataset), request);
  if (!es_data_tree_select (es_sidebar_get_tree (self->sidebar), G_OBJECT (dataset)))
    es_window_show_item (self, dataset, NULL, NULL, NULL);
  if (request->operation != NULL)
    {
      g_autofree char *id = g_steal_pointer (&request->operation);

      if (es_analyse_panel_set_operation (es_sidebar_get_analyse (self->sidebar), id))
        es_window_run (self);
    }
}

static void
on_loaded (EsWindow *self, EsResult *result)
{
  es_data_tree_select (es_sidebar_get_tree (self->sidebar), G_OBJECT (result));
}

void
es_window_open_request (EsWindow *self, EsOpenRequest *request)
{
  g_return_if_fail (ES_IS_WINDOW (self));
  es_opener_open (self->opener, request);
}

void
es_window_open (EsWindow *self, GFile **files, guint n_files, EsOpenOrigin origin)
{
  g_autoptr (EsOpenRequest) request = es_open_request_new (files, n_files, origin);

  es_window_open_request (self, request);
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

static void
place_inspector (EsWindow *self)
{
  int width = g_settings_get_int (es_settings_get (), "inspector-width");
  int all = gtk_widget_get_width (GTK_WIDGET (self->right_columns));

  if (self->right != NULL && gtk_widget_get_visible (GTK_WIDGET (self->right)) && all > width + 200)
    gtk_paned_set_position (self->right_columns, all - width);
}

static gboolean
place_inspector_again (gpointer data)
{
  place_inspector (data);
  return G_SOURCE_REMOVE;
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
    g_settings_set_int (settings, "inspector-width", CLAMP (inspector_width (self), 200, 2000));
}

static void
restore_geometry (EsWindow *self)
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
}

static void
store_geometry (EsWindow *self)
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

/* ---- leaving ---- */

static gboolean
leave (gpointer data)
{
  EsWindow *self = data;

  self->leaving = TRUE;
  gtk_window_close (GTK_WINDOW (self));
  return G_SOURCE_REMOVE;
}

/* The window outlives its dialog. */
static void
on_leave_response (AdwMessageDialog *dialog, const char *response, EsWindow *self)
{
  if (g_strcmp0 (response, "close") == 0)
    g_idle_add_full (G_PRIORITY_DEFAULT, leave, g_object_ref (self), g_object_unref);
}

static void
ask_to_leave (EsWindow *self)
{
  GtkWidget *dialog = adw_message_dialog_new (GTK_WINDOW (self), _("Cancel What Is Running?"),
                                              _("A job has not finished. It is lost if the window is closed."));

  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "keep", _("_Keep Running"),
                                    "close", _("_Close"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (dialog), "close", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (ADW_MESSAGE_DIALOG (dialog), "keep");
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "keep");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_leave_response), self, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
es_window_close_request (GtkWindow *window)
{
  EsWindow *self = ES_WINDOW (window);

  if (es_window_is_busy (self) && !self->leaving)
    {
      ask_to_leave (self);
      return TRUE;
    }
  store_geometry (self);
  es_window_cancel (self);
  return GTK_WINDOW_CLASS (es_window_parent_class)->close_request (window);
}

static void
on_recent_changed (EsWindow *self)
{
  g_autoptr (GMenuModel) menu = es_recent_make_menu ();

  adw_split_button_set_menu_model (self->open_button, menu);
}

static void
es_window_dispose (GObject *object)
{
  EsWindow *self = ES_WINDOW (object);

  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      es_window_leave_jobs (self);
    }
  es_window_leave_quality (self);
  es_window_leave_sonar (self);
  if (self->live_job != NULL)
    g_signal_handlers_disconnect_by_data (self->live_job, self);
  self->live_job = NULL;
  if (self->right != NULL)
    g_signal_handlers_disconnect_by_data (self->right, self);
  g_clear_object (&self->right);
  g_clear_object (&self->inspector);
  g_clear_object (&self->live_result);
  g_clear_object (&self->live_next);
  g_clear_pointer (&self->lost_jobs, g_ptr_array_unref);
  g_clear_handle_id (&self->preview_source, g_source_remove);
  g_clear_object (&self->preview_job);
  g_clear_object (&self->comparison);
  g_clear_object (&self->dataset);
  g_clear_object (&self->result);
  g_clear_object (&self->layer);
  g_clear_object (&self->opener);
  if (self->shell != NULL)
    es_shell_close (self->shell);
  G_OBJECT_CLASS (es_window_parent_class)->dispose (object);
}

static void
es_window_finalize (GObject *object)
{
  g_clear_object (&ES_WINDOW (object)->shell);
  G_OBJECT_CLASS (es_window_parent_class)->finalize (object);
}

/* Space: the window's own binding stands before any of this class; it is taken for what has nothing to be pressed. */
static void
es_window_activate_focus (GtkWindow *window)
{
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus == NULL || !gtk_widget_activate (focus))
    gtk_widget_activate_action (GTK_WIDGET (window), "win.sonar-play", NULL);
}

static void
es_window_class_init (EsWindowClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = es_window_dispose;
  object_class->finalize = es_window_finalize;
  GTK_WINDOW_CLASS (class)->activate_focus = es_window_activate_focus;
  GTK_WINDOW_CLASS (class)->close_request = es_window_close_request;

  g_type_ensure (ES_TYPE_WELCOME);
  g_type_ensure (ES_TYPE_SIDEBAR);
  g_type_ensure (ES_TYPE_BANNER);
  g_type_ensure (ES_TYPE_VIEWER);
  g_type_ensure (ES_TYPE_STATUS_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-window.ui");
  gtk_widget_class_bind_template_child (widget_class, EsWindow, open_button);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, save_button);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, save_menu);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, sonar_save_menu);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, copy_button);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, sidebar_button);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, compare_button);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, inspector_button);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, title);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, toasts);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, welcome);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, columns);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, right_columns);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, device_banners);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, banner);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, middle);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, viewer);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, transport_place);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, status_bar);
  /* Bubbling, unlike an accelerator of the application: Esc closes a popover first. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.cancel", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F4, 0, "win.switch-live", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F7, 0, "win.compare", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F7, GDK_SHIFT_MASK, "win.correlate", NULL);
}

static void
es_window_init (EsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->shell = es_shell_new (GTK_WINDOW (self), self->toasts, es_sidebar_get_analyse (self->sidebar));
  self->session = es_shell_get_session (self->shell);
  self->opener = es_opener_new (self->shell);

  self->inspector = g_object_ref (es_viewer_get_inspector (self->viewer));
  self->right = g_object_ref_sink (g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE, NULL));
  gtk_stack_add_child (self->right, self->inspector);
  gtk_paned_set_end_child (self->right_columns, GTK_WIDGET (self->right));
  restore_geometry (self);

  es_data_tree_set_session (es_sidebar_get_tree (self->sidebar), self->session);
  g_signal_connect_object (es_sidebar_get_tree (self->sidebar), "selected", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  es_viewer_set_session (self->viewer, self->session);
  es_status_bar_set_model (self->status_bar, es_shell_get_work (self->shell));
  es_window_bind_status (self, self->viewer);

  es_window_install_actions (self);
  es_window_connect_session (self);
  es_window_connect_quality (self);
  es_window_connect_devices (self);
  es_opener_install_drop (self->opener, GTK_WIDGET (self));
  g_signal_connect_object (self->opener, "opened", G_CALLBACK (on_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->opener, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->opener, "positions", G_CALLBACK (es_window_open_array), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_shell_get_work (self->shell), "items-changed", G_CALLBACK (es_window_update_actions),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (on_recent_changed), self,
                           G_CONNECT_SWAPPED);
  on_recent_changed (self);
  es_window_update_actions (self);
}

GtkWidget *
es_window_new (GtkApplication *application)
{
  return g_object_new (ES_TYPE_WINDOW, "application", application, NULL);
}

EsSession *
es_window_get_session (EsWindow *self)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), NULL);
  return self->session;
}

EsViewer *
es_window_get_viewer (EsWindow *self)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), NULL);
  return self->viewer;
}

void
es_window_choose_device (EsWindow *self, const char *id)
{
  g_return_if_fail (ES_IS_WINDOW (self) && id != NULL);
  es_analyse_panel_choose_device (es_sidebar_get_analyse (self->sidebar), id);
}

guint
es_window_get_n_activities (EsWindow *self)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), 0);
  return g_list_model_get_n_items (es_shell_get_activities (self->shell));
}
