/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-leaving.h"

#include <glib/gi18n-lib.h>

#include "files/es-made.h"
#include "files/es-saver.h"
#include "widgets/es-format.h"
#include "widgets/es-export.h"

/* More than these are counted, not named. */
#define NAMED 6
#define NAME_LENGTH 60

struct _EsLeaving
{
  GObject     parent_instance;

  EsShell    *shell;
  EsDataset  *dataset;           /* nullable */

  AdwMessageDialog *dialog;      /* borrowed; NULL: not on the screen */
  GtkCheckButton   *wait_button; /* in it */

  /* Once the person has answered. */
  GFile      *folder;            /* nullable */
  EsActivity *activity;          /* that waits, or saves; NULL: neither is under way */
  GPtrArray  *awaited;           /* of EsJob */
};

G_DEFINE_FINAL_TYPE (EsLeaving, es_leaving, G_TYPE_OBJECT)

enum { LEAVE, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- what would be lost ---- */

/* All of it is there again when the program is started again: what came from a file, in a session that is kept. */
static gboolean
is_kept (EsLeaving *self, EsDataset *dataset)
{
  return self->dataset == NULL && es_shell_is_keeping (self->shell) && es_dataset_opens_again (dataset);
}

/* Results (EsResult) first, then what was made by hand. */
static GPtrArray *
list_unsaved (EsLeaving *self)
{
  EsSession *session = es_shell_get_session (self->shell);
  GListModel *datasets = es_session_get_datasets (session);
  GPtrArray *unsaved = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);
      GListModel *results = es_session_get_results (session, dataset);

      if ((self->dataset != NULL && dataset != self->dataset) || is_kept (self, dataset))
        continue;
      for (guint k = 0; k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (EsResult) result = g_list_model_get_item (results, k);

          if (!es_result_is_saved (result) && !es_result_is_absent (result))
            g_ptr_array_add (unsaved, g_steal_pointer (&result));
        }
    }
  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);

      if ((self->dataset == NULL || dataset == self->dataset) && !is_kept (self, dataset))
        es_made_list_unsaved (dataset, unsaved);
    }
  return unsaved;
}

static GPtrArray *
list_jobs (EsLeaving *self)
{
  EsSession *session = es_shell_get_session (self->shell);
  GListModel *jobs = es_session_get_jobs (session);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (jobs); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (jobs, i);

      if (es_session_is_under_way (session, job)
          && (self->dataset == NULL || es_job_get_dataset (job) == self->dataset))
        g_ptr_array_add (list, g_steal_pointer (&job));
    }
  return list;
}

/* Savings, openings: of the window, whatever data they are of. */
static GPtrArray *
list_activities (EsLeaving *self)
{
  GListModel *activities = es_shell_get_activities (self->shell);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; self->dataset == NULL && i < g_list_model_get_n_items (activities); i++)
    {
      g_autoptr (EsActivity) activity = g_list_model_get_item (activities, i);

      if (activity != self->activity)
        g_ptr_array_add (list, g_steal_pointer (&activity));
    }
  return list;
}

gboolean
es_leaving_is_needed (EsLeaving *self)
{
  g_autoptr (GPtrArray) unsaved = list_unsaved (self);
  g_autoptr (GPtrArray) jobs = list_jobs (self);
  g_autoptr (GPtrArray) activities = list_activities (self);

  return unsaved->len + jobs->len + activities->len > 0;
}

/* ---- after the answer ---- */

static void
stop (EsLeaving *self)
{
  g_autoptr (EsActivity) activity = g_steal_pointer (&self->activity);

  g_signal_handlers_disconnect_by_data (es_shell_get_activities (self->shell), self);
  for (guint i = 0; i < self->awaited->len; i++)
    g_signal_handlers_disconnect_by_data (g_ptr_array_index (self->awaited, i), self);
  g_ptr_array_set_size (self->awaited, 0);
  if (activity == NULL)
    return;
  g_signal_handlers_disconnect_by_data (es_activity_get_cancellable (activity), self);
  es_shell_end (self->shell, activity);
}

static gboolean
leave (gpointer data)
{
  g_signal_emit (data, signals[LEAVE], 0);
  return G_SOURCE_REMOVE;
}

/* The dialog is gone then, and whoever told of an end has told it everybody. */
static void
leave_soon (EsLeaving *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, leave, g_object_ref (self), g_object_unref);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsLeaving) self = data;
  g_autoptr (GError) error = NULL;
  gboolean saved = es_saver_save_all_finish (result, &error);

  if (!saved && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    es_shell_say (self->shell, error->message);
  /* Asked again, or given up: what has been saved stays so. */
  if (self->activity == NULL)
    return;
  stop (self);
  if (saved)
    leave_soon (self);
}

static void on_progress (EsLeaving *self);

static void
await (EsLeaving *self)
{
  g_autoptr (GPtrArray) jobs = list_jobs (self);

  for (guint i = 0; i < jobs->len; i++)
    {
      EsJob *job = g_ptr_array_index (jobs, i);

      if (g_ptr_array_find (self->awaited, job, NULL))
        continue;
      g_ptr_array_add (self->awaited, g_object_ref (job));
      /* Behind the session, which adds the result. */
      g_signal_connect_object (job, "notify::state", G_CALLBACK (on_progress), self,
                               G_CONNECT_AFTER | G_CONNECT_SWAPPED);
    }
}

static void
save (EsLeaving *self)
{
  g_autoptr (GPtrArray) unsaved = list_unsaved (self);

  g_signal_handlers_disconnect_by_data (es_shell_get_activities (self->shell), self);
  /* Unsaved, and nobody has been asked where to: a saving that was waited for has failed, which is told. */
  if (unsaved->len == 0 || self->folder == NULL)
    {
      stop (self);
      if (unsaved->len == 0)
        leave_soon (self);
      return;
    }
  es_saver_save_all_async (unsaved, self->folder, self->activity, on_saved, g_object_ref (self));
}

/* Something that was waited for may have ended, or begun. */
static void
on_progress (EsLeaving *self)
{
  g_autoptr (GPtrArray) jobs = list_jobs (self);
  g_autoptr (GPtrArray) activities = list_activities (self);

  for (guint i = 0; i < self->awaited->len; i++)
    {
      EsJobState state = es_job_get_state (g_ptr_array_index (self->awaited, i));

      /* Nobody would read why. */
      if (state == ES_JOB_FAILED)
        {
          stop (self);
          return;
        }
    }
  if (self->activity == NULL || g_cancellable_is_cancelled (es_activity_get_cancellable (self->activity)))
    return;
  if (jobs->len + activities->len > 0)
    await (self);
  else
    save (self);
}

static gboolean
stop_idle (gpointer data)
{
  stop (data);
  return G_SOURCE_REMOVE;
}

/* Not at once: whoever cancels everything goes through the list of activities. */
static void
on_cancelled (GCancellable *cancellable, EsLeaving *self)
{
  g_idle_add_full (G_PRIORITY_DEFAULT, stop_idle, g_object_ref (self), g_object_unref);
}

void
es_leaving_save (EsLeaving *self, GFile *folder, gboolean wait)
{
  g_autoptr (GPtrArray) jobs = list_jobs (self);

  g_return_if_fail (ES_IS_LEAVING (self));

  stop (self);
  g_set_object (&self->folder, folder);
  for (guint i = 0; !wait && i < jobs->len; i++)
    es_job_cancel (g_ptr_array_index (jobs, i));
  self->activity = g_object_ref (es_shell_begin (self->shell, self->dataset != NULL
                                                              ? _("Saving results, then removing the data")
                                                              : _("Saving results, then closing")));
  g_signal_connect_object (es_activity_get_cancellable (self->activity), "cancelled", G_CALLBACK (on_cancelled), self,
                           0);
  if (!wait)
    {
      save (self);
      return;
    }
  g_signal_connect_object (es_shell_get_activities (self->shell), "items-changed", G_CALLBACK (on_progress), self,
                           G_CONNECT_AFTER | G_CONNECT_SWAPPED);
  on_progress (self);
}

/* ---- asking ---- */

static void
add_line (GString *text, const char *line)
{
  g_autofree char *shown = es_format_shorten (line, NAME_LENGTH);

  g_string_append_printf (text, "\n• %s", shown);
}

static void
add_rest (GString *text, guint n)
{
  if (n > NAMED)
    /* TRANSLATORS: the end of a list whose first ones are named */
    g_string_append_printf (text, ngettext ("\n… and %u more", "\n… and %u more", n - NAMED), n - NAMED);
}

static char *
describe (GPtrArray *unsaved, GPtrArray *jobs, GPtrArray *activities)
{
  GString *text = g_string_new (NULL);
  guint n = 0, n_results = 0;

  while (n_results < unsaved->len && ES_IS_RESULT (g_ptr_array_index (unsaved, n_results)))
    n_results++;
  if (n_results > 0)
    g_string_append_printf (text, ngettext ("%u result is not saved:", "%u results are not saved:", n_results),
                            n_results);
  for (guint i = 0; i < MIN (n_results, NAMED); i++)
    {
      EsResult *result = g_ptr_array_index (unsaved, i);
      /* TRANSLATORS: a result, and the data it is of */
      g_autofree char *line = g_strdup_printf (_("%s of %s"), es_result_get_title (result),
                                               es_dataset_get_name (es_result_get_dataset (result)));

      add_line (text, line);
    }
  add_rest (text, n_results);

  if (unsaved->len > n_results)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", _("Made by hand, and in no file:"));
  for (guint i = n_results; i < MIN (unsaved->len, n_results + NAMED); i++)
    {
      g_autofree char *line = es_made_describe (g_ptr_array_index (unsaved, i));

      add_line (text, line);
    }
  add_rest (text, unsaved->len - n_results);

  if (jobs->len + activities->len > 0)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n\n" : "", _("Has not finished yet:"));
  for (guint i = 0; i < jobs->len && n < NAMED; i++, n++)
    add_line (text, es_job_get_title (g_ptr_array_index (jobs, i)));
  for (guint i = 0; i < activities->len && n < NAMED; i++, n++)
    add_line (text, es_activity_get_title (g_ptr_array_index (activities, i)));
  add_rest (text, jobs->len + activities->len);
  return g_string_free (text, FALSE);
}

static void
on_folder_chosen (GtkNativeDialog *chooser, int response, EsLeaving *self)
{
  gboolean wait = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (chooser), "es-wait"));
  g_autoptr (GFile) folder = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    folder = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser));
  if (folder != NULL)
    es_leaving_save (self, folder, wait);
}

static void
choose_folder (EsLeaving *self, gboolean wait)
{
  GtkFileChooserNative *chooser;

  if (es_shell_is_choosing (self->shell))
    return;
  chooser = gtk_file_chooser_native_new (_("Save All into a Folder"), es_shell_get_window (self->shell),
                                         GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Save"), NULL);
  es_export_place_apply (chooser);
  g_object_set_data (G_OBJECT (chooser), "es-wait", GINT_TO_POINTER (wait));
  es_shell_choose (self->shell, chooser, G_CALLBACK (on_folder_chosen), self);
}

static gboolean
is_waiting_wanted (EsLeaving *self)
{
  return self->wait_button != NULL && gtk_check_button_get_active (self->wait_button);
}

static void
on_response (EsLeaving *self, const char *response)
{
  g_autoptr (GPtrArray) unsaved = list_unsaved (self);
  g_autoptr (GPtrArray) jobs = list_jobs (self);
  gboolean wait = is_waiting_wanted (self);

  self->dialog = NULL;
  self->wait_button = NULL;
  if (g_strcmp0 (response, "discard") == 0)
    leave_soon (self);
  else if (g_strcmp0 (response, "save") == 0 && unsaved->len == 0 && (jobs->len == 0 || !wait))
    es_leaving_save (self, NULL, wait);
  else if (g_strcmp0 (response, "save") == 0)
    choose_folder (self, wait);
}

static void
add_wait_button (EsLeaving *self, gboolean jobs)
{
  GtkWidget *button = gtk_check_button_new_with_mnemonic (jobs ? _("_Wait for what has not finished, and save that too")
                                                               : _("_Wait for what has not finished"));

  gtk_check_button_set_active (GTK_CHECK_BUTTON (button), TRUE);
  gtk_widget_set_halign (button, GTK_ALIGN_CENTER);
  adw_message_dialog_set_extra_child (self->dialog, button);
  self->wait_button = GTK_CHECK_BUTTON (button);
}

void
es_leaving_ask (EsLeaving *self)
{
  g_autoptr (GPtrArray) unsaved = list_unsaved (self);
  g_autoptr (GPtrArray) jobs = list_jobs (self);
  g_autoptr (GPtrArray) activities = list_activities (self);
  g_autofree char *body = describe (unsaved, jobs, activities);
  gboolean whole = self->dataset == NULL, saves = unsaved->len + jobs->len > 0;

  g_return_if_fail (ES_IS_LEAVING (self) && self->dialog == NULL);

  self->dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (es_shell_get_window (self->shell),
                                                             whole ? _("Close the Window?") : _("Remove the Data?"),
                                                             body));
  adw_message_dialog_add_responses (self->dialog, "cancel", _("_Cancel"),
                                    "discard", whole ? _("Close _without Saving") : _("Remove _without Saving"),
                                    "save", saves ? _("_Save All into a Folder…") : _("W_ait, then Close"), NULL);
  adw_message_dialog_set_response_appearance (self->dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (self->dialog, "save", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (self->dialog, "save");
  adw_message_dialog_set_close_response (self->dialog, "cancel");
  if (jobs->len + activities->len > 0)
    add_wait_button (self, jobs->len > 0);
  g_signal_connect_object (self->dialog, "response", G_CALLBACK (on_response), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

void
es_leaving_stop (EsLeaving *self)
{
  g_autoptr (EsActivity) activity = self->activity != NULL ? g_object_ref (self->activity) : NULL;

  stop (self);
  if (activity != NULL)
    g_cancellable_cancel (es_activity_get_cancellable (activity));
}

gboolean
es_leaving_is_asking (EsLeaving *self)
{
  return self->dialog != NULL;
}

/* ---- beginning and end ---- */

static void
es_leaving_dispose (GObject *object)
{
  EsLeaving *self = ES_LEAVING (object);

  if (self->shell != NULL)
    stop (self);
  g_clear_object (&self->folder);
  g_clear_object (&self->dataset);
  g_clear_object (&self->shell);
  G_OBJECT_CLASS (es_leaving_parent_class)->dispose (object);
}

static void
es_leaving_finalize (GObject *object)
{
  g_ptr_array_unref (ES_LEAVING (object)->awaited);
  G_OBJECT_CLASS (es_leaving_parent_class)->finalize (object);
}

static void
es_leaving_class_init (EsLeavingClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_leaving_dispose;
  G_OBJECT_CLASS (class)->finalize = es_leaving_finalize;
  signals[LEAVE] = g_signal_new ("leave", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
es_leaving_init (EsLeaving *self)
{
  self->awaited = g_ptr_array_new_with_free_func (g_object_unref);
}

EsDataset *
es_leaving_get_dataset (EsLeaving *self)
{
  g_return_val_if_fail (ES_IS_LEAVING (self), NULL);
  return self->dataset;
}

EsLeaving *
es_leaving_new (EsShell *shell, EsDataset *dataset)
{
  EsLeaving *self;

  g_return_val_if_fail (ES_IS_SHELL (shell), NULL);

  self = g_object_new (ES_TYPE_LEAVING, NULL);
  self->shell = g_object_ref (shell);
  g_set_object (&self->dataset, dataset);
  return self;
}
