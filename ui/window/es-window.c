/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "files/es-recent.h"
#include "files/es-saver.h"
#include "files/es-welcome.h"
#include "lab/es-lab-workspace.h"
#include "widgets/es-format.h"
#include "widgets/es-export.h"
#include "widgets/es-ui.h"
#include "workspace/es-start-trace.h"

#define LONGEST_TITLE 120

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

static void
update_title (EsWindow *self)
{
  EsDataset *dataset = es_shown_get_dataset (self->shown);
  g_autofree char *description = NULL;
  g_autofree char *title = NULL;
  g_autofree char *name = NULL;

  if (dataset == NULL)
    {
      es_header_bar_set_title (self->header, _("Eigenscope"), "");
      gtk_window_set_title (GTK_WINDOW (self), _("Eigenscope"));
      return;
    }
  name = es_format_shorten (es_dataset_get_name (dataset), LONGEST_TITLE);
  description = es_dataset_describe (dataset);
  es_header_bar_set_title (self->header, name, description);
  /* TRANSLATORS: title of the window: a data set's name, and the program's */
  title = g_strdup_printf (_("%s – Eigenscope"), name);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

/* Sentences that stay true of what is shown. */
static void
update_banner (EsWindow *self)
{
  EsDataset *dataset = es_shown_get_dataset (self->shown);
  EsResult *result = es_shown_get_result (self->shown);
  const char * const *sentences = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (self->current != NULL && es_workspace_get_failure (self->current) != NULL)
    {
      es_banner_set_text (self->banner, es_workspace_get_failure (self->current));
      return;
    }
  if (result != NULL)
    sentences = es_result_get_warnings (result);
  else if (dataset != NULL)
    sentences = es_dataset_get_notes (dataset);
  for (guint i = 0; sentences != NULL && sentences[i] != NULL; i++)
    if (!es_workspace_says (self->current, sentences[i]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentences[i]);
  es_banner_set_text (self->banner, text->str);
}

static void
on_update (EsWindow *self)
{
  /* A recording may have grown. */
  update_title (self);
  update_banner (self);
  es_window_update_actions (self);
}

/* The workspaces first; the panel and the tree hear of it behind this. */
static void
on_shown (EsWindow *self, EsResult *replaced)
{
  EsWorkspace *current;

  es_window_complete (self);
  current = g_ptr_array_index (self->workspaces, 0);
  for (guint i = 0; i < self->workspaces->len; i++)
    if (es_workspace_show (g_ptr_array_index (self->workspaces, i), replaced))
      current = g_ptr_array_index (self->workspaces, i);
  self->current = current;
  es_window_place_workspace (self);
}

/* What depends on them all. */
static void
on_shown_everywhere (EsWindow *self)
{
  EsDataset *dataset = es_shown_get_dataset (self->shown);

  es_export_place_set_data (dataset != NULL ? es_dataset_get_file (dataset) : NULL);
  es_window_place_page (self);
  update_title (self);
  on_update (self);
  es_window_tell_absent (self);
}

void
es_window_watch_job (EsWindow *self, EsJob *job)
{
  es_workspace_watch_job (self->current, job);
}

/* ---- what is opened ---- */

static void
on_opened (EsWindow *self, EsDataset *dataset, EsOpenRequest *request)
{
  es_start_trace ("opened");
  for (guint i = 0; i < self->workspaces->len; i++)
    es_workspace_prepare (g_ptr_array_index (self->workspaces, i), dataset, request);
  es_shown_set (self->shown, dataset, NULL, NULL);
  if (request->operation != NULL)
    {
      g_autofree char *id = g_steal_pointer (&request->operation);

      if (es_analyse_panel_set_operation (es_sidebar_get_analyse (self->sidebar), id))
        es_window_run_when_known (self);
    }
}

static void
on_loaded (EsWindow *self, EsResult *result)
{
  es_shown_set (self->shown, es_result_get_dataset (result), result, NULL);
}

static void
on_session_file (EsWindow *self, GFile *file)
{
  es_recent_add_session (file);
  es_session_keeper_open (self->keeper, file, FALSE);
}

static void
on_other_file (EsWindow *self, GFile *file)
{
  es_window_complete (self);
  for (guint i = 0; i < self->workspaces->len; i++)
    if (es_workspace_take_file (g_ptr_array_index (self->workspaces, i), file))
      return;
}

static void
on_profile_file (EsWindow *self, GFile *file)
{
  es_lab_workspace_show_profile (ES_LAB_WORKSPACE (es_window_get_workspace (self, ES_TYPE_LAB_WORKSPACE)), file);
}

void
es_window_open_request (EsWindow *self, EsOpenRequest *request)
{
  g_return_if_fail (ES_IS_WINDOW (self));
  es_opener_open (self->opener, request);
}

void
es_window_open_device (EsWindow *self, const char *id, EsOpenRequest *request)
{
  g_return_if_fail (ES_IS_WINDOW (self));
  es_opener_open_device (self->opener, id, request);
}

void
es_window_make_matrix (EsWindow *self, const char *name, EsOpenRequest *request)
{
  g_return_if_fail (ES_IS_WINDOW (self));
  es_opener_make_matrix (self->opener, name, request);
}

void
es_window_open (EsWindow *self, GFile **files, guint n_files, EsOpenOrigin origin)
{
  g_autoptr (EsOpenRequest) request = es_open_request_new (files, n_files, origin);

  es_window_open_request (self, request);
}

/* ---- leaving ---- */

static void
on_leave (EsWindow *self, EsLeaving *leaving)
{
  EsDataset *dataset = es_leaving_get_dataset (leaving);

  if (dataset != NULL)
    {
      /* It may have gone meanwhile. */
      if (es_session_get_results (self->session, dataset) != NULL)
        es_window_remove_dataset (self, dataset);
      return;
    }
  self->leaving = TRUE;
  gtk_window_close (GTK_WINDOW (self));
}

gboolean
es_window_ask_to_leave (EsWindow *self, EsDataset *dataset)
{
  g_autoptr (EsLeaving) leaving = es_leaving_new (self->shell, dataset);

  /* One question at a time. */
  if (self->asked != NULL && es_leaving_is_asking (self->asked))
    return TRUE;
  if (!es_leaving_is_needed (leaving))
    return FALSE;
  g_signal_connect_object (leaving, "leave", G_CALLBACK (on_leave), self, G_CONNECT_SWAPPED);
  if (self->asked != NULL)
    es_leaving_stop (self->asked);
  g_set_object (&self->asked, leaving);
  es_leaving_ask (leaving);
  return TRUE;
}

gboolean
es_window_leave_into (EsWindow *self, GFile *folder, gboolean wait)
{
  g_return_val_if_fail (ES_IS_WINDOW (self) && G_IS_FILE (folder), FALSE);

  if (self->asked == NULL)
    return FALSE;
  es_leaving_save (self->asked, folder, wait);
  return TRUE;
}

static gboolean
es_window_close_request (GtkWindow *window)
{
  EsWindow *self = ES_WINDOW (window);

  if (!self->leaving && es_window_ask_to_leave (self, NULL))
    return TRUE;
  es_window_store_geometry (self);
  es_window_cancel (self);
  return GTK_WINDOW_CLASS (es_window_parent_class)->close_request (window);
}

/* GTK 4.8 leaves handlers on the surface, which may live on: a size that it was about to ask for is asked of what the
 * window was. */
static void
es_window_unrealize (GtkWidget *widget)
{
  g_autoptr (GdkSurface) surface = gtk_native_get_surface (GTK_NATIVE (widget));

  if (surface != NULL)
    g_object_ref (surface);
  GTK_WIDGET_CLASS (es_window_parent_class)->unrealize (widget);
  if (surface != NULL)
    g_signal_handlers_disconnect_by_data (surface, widget);
}

static void
es_window_dispose (GObject *object)
{
  EsWindow *self = ES_WINDOW (object);

  g_clear_handle_id (&self->store_source, g_source_remove);
  es_window_leave_start (self);
  /* While all that is told of is there. */
  if (self->keeper != NULL)
    es_session_keeper_end (self->keeper);
  g_clear_object (&self->keeper);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      es_window_leave_jobs (self);
    }
  for (guint i = 0; self->workspaces != NULL && i < self->workspaces->len; i++)
    {
      g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->workspaces, i), self);
      es_workspace_close (g_ptr_array_index (self->workspaces, i));
    }
  if (self->right != NULL)
    g_signal_handlers_disconnect_by_data (self->right, self);
  g_clear_object (&self->right);
  g_clear_pointer (&self->lost_jobs, g_ptr_array_unref);
  g_clear_object (&self->comparison);
  if (self->asked != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->asked, self);
      es_leaving_stop (self->asked);
    }
  g_clear_object (&self->asked);
  if (self->shown != NULL)
    g_signal_handlers_disconnect_by_data (self->shown, self);
  g_clear_object (&self->opener);
  if (self->shell != NULL)
    es_shell_close (self->shell);
  G_OBJECT_CLASS (es_window_parent_class)->dispose (object);
}

static void
es_window_finalize (GObject *object)
{
  g_clear_pointer (&ES_WINDOW (object)->workspaces, g_ptr_array_unref);
  g_clear_object (&ES_WINDOW (object)->shell);
  G_OBJECT_CLASS (es_window_parent_class)->finalize (object);
}

/* Space: the window's own binding stands before any of this class; it is taken for what has nothing to be pressed, and
 * rows of lists are chosen by the arrows. */
static void
es_window_activate_focus (GtkWindow *window)
{
  EsWorkspace *current = ES_WINDOW (window)->current;
  const char *action = current != NULL ? ES_WORKSPACE_GET_CLASS (current)->space : NULL;
  GtkWidget *focus = gtk_window_get_focus (window);

  if (focus != NULL && action != NULL && gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_VIEW) != NULL)
    focus = NULL;
  if ((focus == NULL || !gtk_widget_activate (focus)) && action != NULL)
    gtk_widget_activate_action (GTK_WIDGET (window), action, NULL);
}

static void
es_window_class_init (EsWindowClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

  object_class->dispose = es_window_dispose;
  object_class->finalize = es_window_finalize;
  widget_class->unrealize = es_window_unrealize;
  GTK_WINDOW_CLASS (class)->activate_focus = es_window_activate_focus;
  GTK_WINDOW_CLASS (class)->close_request = es_window_close_request;

  g_type_ensure (ES_TYPE_HEADER_BAR);
  g_type_ensure (ES_TYPE_WELCOME);
  g_type_ensure (ES_TYPE_SIDEBAR);
  g_type_ensure (ES_TYPE_BANNER);
  g_type_ensure (ES_TYPE_STATUS_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/eigenscope/Eigenscope/ui/es-window.ui");
  gtk_widget_class_bind_template_child (widget_class, EsWindow, header);
  gtk_widget_class_bind_template_child_full (widget_class, "toasts", FALSE, 0);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, columns);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, right_columns);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, sidebar);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, device_banners);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, banner);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, middle);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, footer);
  gtk_widget_class_bind_template_child (widget_class, EsWindow, status_bar);
  /* Bubbling, unlike an accelerator of the application: Esc closes a popover first. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "win.cancel", NULL);
}

static void
es_window_init (EsWindow *self)
{
  GObject *toasts;

  gtk_widget_init_template (GTK_WIDGET (self));
  toasts = gtk_widget_get_template_child (GTK_WIDGET (self), ES_TYPE_WINDOW, "toasts");
  self->shell = es_shell_new (GTK_WINDOW (self), ADW_TOAST_OVERLAY (toasts), es_sidebar_get_analyse (self->sidebar));
  self->session = es_shell_get_session (self->shell);
  self->opener = es_opener_new (self->shell);
  /* Hears of results first: it tells how they were shown. */
  es_window_connect_keeper (self);

  self->shown = es_shell_get_shown (self->shell);
  g_signal_connect_swapped (self->shown, "changed", G_CALLBACK (on_shown), self);
  self->workspaces = g_ptr_array_new_with_free_func (g_object_unref);
  es_window_add_right (self);
  es_window_restore_geometry (self);

  es_data_tree_set_session (es_sidebar_get_tree (self->sidebar), self->session, self->shown);
  es_analyse_panel_set_shown (es_sidebar_get_analyse (self->sidebar), self->shown);
  es_analyse_panel_set_device_choice (es_sidebar_get_analyse (self->sidebar),
                                      es_session_get_device_choice (self->session));
  g_signal_connect_data (self->shown, "changed", G_CALLBACK (on_shown_everywhere), self, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->shell, "update", G_CALLBACK (on_update), self, G_CONNECT_SWAPPED);
  es_status_bar_set_model (self->status_bar, es_shell_get_work (self->shell));

  es_window_install_actions (self);
  es_window_connect_start (self);
  es_window_connect_devices (self);
  es_opener_install_drop (self->opener, GTK_WIDGET (self));
  es_opener_install_actions (self->opener, G_ACTION_MAP (self));
  g_signal_connect_object (self->opener, "opened", G_CALLBACK (on_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->opener, "loaded", G_CALLBACK (on_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->opener, "session", G_CALLBACK (on_session_file), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->opener, "profile", G_CALLBACK (on_profile_file), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->opener, "positions", G_CALLBACK (on_other_file), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_shell_get_work (self->shell), "items-changed", G_CALLBACK (es_window_update_actions),
                           self, G_CONNECT_SWAPPED);
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
  /* Whoever asks may put something into it. */
  es_window_complete (self);
  return self->session;
}

EsWorkspace *
es_window_get_workspace (EsWindow *self, GType type)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), NULL);

  es_window_complete (self);
  for (guint i = 0; i < self->workspaces->len; i++)
    if (G_TYPE_CHECK_INSTANCE_TYPE (g_ptr_array_index (self->workspaces, i), type))
      return g_ptr_array_index (self->workspaces, i);
  return NULL;
}

gboolean
es_window_save (EsWindow *self, EsSaveKind kind, GFile *target)
{
  g_return_val_if_fail (ES_IS_WINDOW (self) && G_IS_FILE (target), FALSE);
  return es_saver_save (self->shell, kind, target);
}

guint
es_window_get_n_activities (EsWindow *self)
{
  g_return_val_if_fail (ES_IS_WINDOW (self), 0);
  return g_list_model_get_n_items (es_shell_get_activities (self->shell));
}

static gboolean
destroy_idle (gpointer data)
{
  gtk_window_destroy (data);
  return G_SOURCE_REMOVE;
}

/* Not at once: others hear of the list as well. */
static void
end_when_idle (GListModel *activities, guint position, guint removed, guint added, EsWindow *self)
{
  if (g_list_model_get_n_items (activities) > 0)
    return;
  g_signal_handlers_disconnect_by_func (activities, end_when_idle, self);
  g_idle_add_full (G_PRIORITY_DEFAULT, destroy_idle, g_object_ref (self), g_object_unref);
}

void
es_window_end (EsWindow *self)
{
  GListModel *activities;

  g_return_if_fail (ES_IS_WINDOW (self));

  if (self->ending)
    return;
  self->ending = TRUE;
  activities = es_shell_get_activities (self->shell);
  es_session_cancel_all (self->session);
  for (guint i = 0; i < g_list_model_get_n_items (activities); i++)
    {
      g_autoptr (EsActivity) activity = g_list_model_get_item (activities, i);

      g_cancellable_cancel (es_activity_get_cancellable (activity));
    }
  g_signal_connect_object (activities, "items-changed", G_CALLBACK (end_when_idle), self, 0);
  end_when_idle (activities, 0, 0, 0, self);
}
