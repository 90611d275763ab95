/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "result/es-operation.h"
#include "widgets/es-format.h"

void
es_window_run (EsWindow *self)
{
  EsAnalysePanel *analyse = es_sidebar_get_analyse (self->sidebar);
  EsDeviceChoice *choice = es_session_get_device_choice (self->session);
  const EsOperation *operation = es_analyse_panel_get_operation (analyse);

  if (es_shown_get_dataset (self->shown) == NULL || operation == NULL)
    return;
  /* What is run is one's own, also where it was seen with a result. */
  es_analyse_panel_make_own (analyse);
  es_window_watch_job (self, es_session_run (self->session, operation, es_shown_get_dataset (self->shown),
                                             es_analyse_panel_get_params (analyse),
                                             es_device_choice_find_device (choice), NULL));
}

static void
on_devices_known (EsWindow *self)
{
  g_signal_handlers_disconnect_by_func (es_devices_get (), on_devices_known, self);
  es_window_run (self);
}

void
es_window_run_when_known (EsWindow *self)
{
  EsDeviceChoice *choice = es_session_get_device_choice (self->session);

  if (es_device_choice_is_known (choice))
    es_window_run (self);
  else
    g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (on_devices_known), self,
                             G_CONNECT_SWAPPED);
}

void
es_window_cancel (EsWindow *self)
{
  for (guint i = 0; i < self->workspaces->len; i++)
    es_workspace_cancel (g_ptr_array_index (self->workspaces, i));
  es_shell_cancel_all (self->shell);
}

/* ---- results ---- */

static void
show_result (EsWindow *self, EsResult *result)
{
  es_shown_set (self->shown, es_result_get_dataset (result), result, NULL);
}

static gboolean
is_owned (EsWindow *self, EsJob *job)
{
  for (guint i = 0; i < self->workspaces->len; i++)
    if (es_workspace_owns_job (g_ptr_array_index (self->workspaces, i), job))
      return TRUE;
  return FALSE;
}

static void
on_result_added (EsWindow *self, EsResult *result, EsJob *job)
{
  EsDataset *dataset = es_result_get_dataset (result), *shown = es_shown_get_dataset (self->shown);
  EsResult *replaces;

  /* Opened, or put back: whoever did that shows what is to be shown. */
  if (job == NULL)
    {
      es_window_update_actions (self);
      return;
    }
  replaces = es_job_get_replaces (job);
  if (is_owned (self, job))
    {
      /* One of many, which are looked at when they are all there, or one by one when somebody wants it. */
    }
  else if (replaces != NULL && es_shown_get_result (self->shown) == replaces)
    es_shown_replace (self->shown, result);
  else if (replaces == NULL && es_result_get_operation (result)->of_result)
    {
      /* It judges another result, which stays in view: the instruments that asked for it show what it says. */
    }
  else if (replaces == NULL && (shown == dataset || shown == NULL))
    show_result (self, result);
  else if (replaces == NULL)
    {
      /* The person has moved on to other data: told, not pulled away. */
      g_autofree char *name = es_format_shorten (es_dataset_get_name (dataset), 80);
      g_autofree char *sentence = g_strdup_printf (_("%s of %s is ready"), es_result_get_title (result), name);

      es_window_say (self, sentence);
    }
  es_window_update_actions (self);
}

static void
on_failed (EsWindow *self, EsJob *job)
{
  if (!es_window_take_lost_job (self, job))
    es_window_say (self, es_job_get_error (job)->message);
}

void
es_window_repeat_job (EsWindow *self, EsJob *job, EsDevice *device)
{
  EsJob *again = es_session_repeat (self->session, job, device);

  if (again != NULL && es_job_get_replaces (again) == NULL
      && es_shown_get_dataset (self->shown) == es_job_get_dataset (again))
    es_window_watch_job (self, again);
}

/* ---- beginning ---- */

static void
on_jobs_changed (EsWindow *self, guint position, guint removed, guint added, GListModel *jobs)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (jobs, i);

      g_signal_connect_object (job, "notify::state", G_CALLBACK (es_window_update_actions), self, G_CONNECT_SWAPPED);
    }
}

void
es_window_connect_session (EsWindow *self)
{
  g_signal_connect_swapped (self->session, "result-added", G_CALLBACK (on_result_added), self);
  g_signal_connect_swapped (self->session, "failed", G_CALLBACK (on_failed), self);
  g_signal_connect_object (es_session_get_jobs (self->session), "items-changed", G_CALLBACK (on_jobs_changed), self,
                           G_CONNECT_SWAPPED);
}

/* ---- removal ---- */

/* What a toast's Undo puts back. */
typedef struct
{
  EsWindow  *window;             /* borrowed: the toast is inside it */
  EsDataset *dataset;            /* NULL where only a result was removed */
  GPtrArray *results;
} Removed;

static void
removed_free (gpointer data, GClosure *closure)
{
  Removed *removed = data;

  g_clear_object (&removed->dataset);
  g_ptr_array_unref (removed->results);
  g_free (removed);
}

static void
on_undo (Removed *removed)
{
  EsWindow *self = removed->window;

  if (removed->dataset != NULL)
    es_session_add_dataset (self->session, removed->dataset);
  for (guint i = 0; i < removed->results->len; i++)
    es_session_add_result (self->session, g_ptr_array_index (removed->results, i));
  if (removed->dataset != NULL)
    es_shown_set (self->shown, removed->dataset, NULL, NULL);
  else
    show_result (self, g_ptr_array_index (removed->results, 0));
}

static void
say_removed (EsWindow *self, const char *name, Removed *removed)
{
  g_autofree char *short_name = es_format_shorten (name, 40);
  g_autofree char *sentence = g_strdup_printf (_("“%s” removed"), short_name);
  g_autofree char *markup = g_markup_escape_text (sentence, -1);
  AdwToast *toast = adw_toast_new (markup);

  adw_toast_set_button_label (toast, _("_Undo"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_undo), removed, removed_free, G_CONNECT_SWAPPED);
  es_shell_add_toast (self->shell, toast);
}

static void
remove_result (EsWindow *self, EsResult *result)
{
  Removed *removed = g_new0 (Removed, 1);
  EsDataset *dataset = es_result_get_dataset (result);

  removed->window = self;
  removed->results = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (removed->results, g_object_ref (result));
  for (guint i = 0; i < self->workspaces->len; i++)
    es_workspace_drop_result (g_ptr_array_index (self->workspaces, i), result);
  es_session_remove_result (self->session, result);
  es_shown_set (self->shown, dataset, NULL, NULL);
  say_removed (self, es_result_get_title (result), removed);
}

void
es_window_remove_dataset (EsWindow *self, EsDataset *dataset)
{
  GListModel *datasets = es_session_get_datasets (self->session);
  GListModel *results = es_session_get_results (self->session, dataset);
  Removed *removed = g_new0 (Removed, 1);
  g_autoptr (EsDataset) next = NULL;

  removed->window = self;
  removed->dataset = g_object_ref (dataset);
  removed->results = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    g_ptr_array_add (removed->results, g_list_model_get_item (results, i));
  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) other = g_list_model_get_item (datasets, i);

      /* The one before it, else the one behind. */
      if (other != dataset)
        g_set_object (&next, other);
      else if (next != NULL)
        break;
    }
  es_session_remove_dataset (self->session, dataset);
  for (guint i = 0; i < self->workspaces->len; i++)
    es_workspace_forget (g_ptr_array_index (self->workspaces, i), dataset);
  es_shown_set (self->shown, next, NULL, NULL);
  say_removed (self, es_dataset_get_name (dataset), removed);
}

void
es_window_remove_selected (EsWindow *self)
{
  g_autoptr (EsResult) result = NULL;
  g_autoptr (EsDataset) dataset = NULL;

  g_set_object (&result, es_shown_get_result (self->shown));
  g_set_object (&dataset, es_shown_get_dataset (self->shown));
  if (result != NULL)
    remove_result (self, result);
  else if (dataset != NULL && !es_window_ask_to_leave (self, dataset))
    es_window_remove_dataset (self, dataset);
}
