/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-session-keeper-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "base/es-task.h"
#include "cube/es-region-set.h"
#include "es-kept-settings.h"
#include "keeping/es-kept-id.h"

/* A moment after a change; a drag is not written at every step. */
#define DELAY_MS 1000

G_DEFINE_FINAL_TYPE (EsSessionKeeper, es_session_keeper, G_TYPE_OBJECT)

enum { LOST, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- telling ---- */

/* A tree of its own: the worker puts paths into what it writes. */
static JsonNode *
copy_lost (JsonObject *told)
{
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), told);
  g_autofree char *text = es_json_to_text (node);

  return es_json_parse (text, strlen (text), "", NULL);
}

JsonNode *
_es_session_keeper_tell (EsSessionKeeper *self, EsSessionRest **rest)
{
  EsSession *session = es_shell_get_session (self->shell);
  EsShown *shown = es_shell_get_shown (self->shell);
  const gint64 begun = g_get_monotonic_time ();
  JsonNode *root = es_session_file_tell_first (session, _es_session_keeper_tell_look, self, rest);
  JsonObject *object = json_node_get_object (root), *at = json_object_new ();
  JsonArray *datasets = json_object_get_array_member (object, "datasets");
  g_autofree char *item = es_kept_id_refer (session, es_shown_get_item (shown));
  GHashTableIter iter;
  gpointer told;

  g_hash_table_iter_init (&iter, self->lost);
  while (g_hash_table_iter_next (&iter, NULL, &told))
    {
      JsonNode *copy = copy_lost (told);

      if (copy != NULL)
        json_array_add_element (datasets, copy);
    }
  if (item != NULL)
    json_object_set_string_member (at, "item", item);
  json_object_set_object_member (object, "shown", at);
  json_object_set_member (object, "sections", es_shell_tell_sections (self->shell));
  self->told_us = g_get_monotonic_time () - begun;
  return root;
}

static gboolean
is_empty (EsSessionKeeper *self)
{
  GListModel *datasets = es_session_get_datasets (es_shell_get_session (self->shell));

  return g_list_model_get_n_items (datasets) == 0 && g_hash_table_size (self->lost) == 0
         && !es_shell_has_work (self->shell);
}

/* ---- writing ---- */

typedef struct
{
  JsonNode      *root;
  EsSessionRest *rest;         /* of it; NULL: it is whole */
  GFile         *file;
  char          *before;       /* the checksum of what is there; nullable */
  char          *checksum;
} Writing;

/* How many workers write by themselves: a window that goes waits for them. */
static GMutex lock;
static GCond  done;
static guint  n_writing;

static void
writing_free (gpointer data)
{
  Writing *writing = data;

  json_node_unref (writing->root);
  es_session_rest_free (writing->rest);
  g_object_unref (writing->file);
  g_free (writing->before);
  g_free (writing->checksum);
  g_free (writing);
}

static Writing *
writing_new (EsSessionKeeper *self, GFile *file)
{
  Writing *writing = g_new0 (Writing, 1);

  writing->root = _es_session_keeper_tell (self, &writing->rest);
  writing->file = g_object_ref (file);
  writing->before = g_strdup (self->checksum);
  return writing;
}

static void
finish (Writing *writing)
{
  if (writing->rest != NULL)
    es_session_file_tell_rest (writing->root, g_steal_pointer (&writing->rest));
}

/* What is there already is not written again: its time alone would be another. */
static gboolean
write_session (Writing *writing, GError **error)
{
  JsonObject *object = json_node_get_object (writing->root);
  g_autofree char *saved = g_strdup (json_object_get_string_member (object, "saved")), *text = NULL;

  finish (writing);
  json_object_remove_member (object, "saved");
  text = es_json_to_text (writing->root);
  writing->checksum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
  if (g_strcmp0 (writing->checksum, writing->before) == 0)
    return TRUE;
  json_object_set_string_member (object, "saved", saved);
  return es_session_file_write (writing->root, writing->file, error);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  const gboolean written = write_session (data, &error);

  g_mutex_lock (&lock);
  n_writing--;
  g_cond_broadcast (&done);
  g_mutex_unlock (&lock);
  if (written)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
tell_failure (EsSessionKeeper *self, const GError *error)
{
  es_shell_set_keeping (self->shell, FALSE);
  if (self->told_failure || !es_shell_is_open (self->shell))
    return;
  self->told_failure = TRUE;
  g_autofree char *sentence = g_strdup_printf (_("This session is not kept: %s"), error->message);
  es_shell_say (self->shell, sentence);
}

static void
drop_absorbed (EsSessionKeeper *self, gboolean keep)
{
  for (guint i = 0; i < self->absorbed->len; i++)
    es_session_store_end (g_ptr_array_index (self->absorbed, i), keep);
  g_ptr_array_set_size (self->absorbed, 0);
}

static void
was_written (EsSessionKeeper *self, const char *checksum)
{
  g_free (self->checksum);
  self->checksum = g_strdup (checksum);
  self->written = TRUE;
  self->told_failure = FALSE;
  es_shell_set_keeping (self->shell, TRUE);
  if (self->opening > 0)
    return;
  drop_absorbed (self, FALSE);
  if (self->marked)
    es_session_store_mark (self->store, FALSE);
  self->marked = FALSE;
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  EsSessionKeeper *self = ES_SESSION_KEEPER (source);
  Writing *writing = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean written = g_task_propagate_boolean (G_TASK (result), &error);

  self->saving = FALSE;
  if (self->ended)
    return;
  /* The window may have gone on with another one in between. */
  if (!g_file_equal (writing->file, es_session_store_get_file (self->store)))
    self->again = TRUE;
  else if (written)
    was_written (self, writing->checksum);
  else
    tell_failure (self, error);
  if (self->again)
    _es_session_keeper_queue (self);
  self->again = FALSE;
  _es_session_keeper_keep_results (self);
}

static void
save (EsSessionKeeper *self)
{
  g_autoptr (GTask) task = NULL;

  if (is_empty (self) && !self->written)
    return;
  task = g_task_new (self, NULL, on_written, NULL);
  g_task_set_source_tag (task, save);
  g_task_set_task_data (task, writing_new (self, es_session_store_get_file (self->store)), writing_free);
  self->saving = TRUE;
  g_mutex_lock (&lock);
  n_writing++;
  g_mutex_unlock (&lock);
  es_task_run_in_thread (task, write_in_thread);
}

static gboolean
on_delay (gpointer data)
{
  EsSessionKeeper *self = data;

  self->delay = 0;
  /* What is on its way in would be left out. */
  if (self->saving || self->opening > 0)
    self->again = TRUE;
  else
    save (self);
  return G_SOURCE_REMOVE;
}

void
_es_session_keeper_queue (EsSessionKeeper *self)
{
  if (self->store != NULL && !self->ended && self->delay == 0)
    self->delay = g_timeout_add (DELAY_MS, on_delay, self);
}

/* ---- what changes ---- */

static void
on_items (EsSessionKeeper *self)
{
  _es_session_keeper_queue (self);
}

static void
on_datasets (EsSessionKeeper *self, guint position, guint removed, guint added, GListModel *datasets)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);

      g_signal_connect_object (es_session_get_results (es_shell_get_session (self->shell), dataset), "items-changed",
                               G_CALLBACK (on_items), self, G_CONNECT_SWAPPED);
      /* Arrays and what else is told of a recording. */
      g_signal_connect_object (dataset, "notify", G_CALLBACK (on_items), self, G_CONNECT_SWAPPED);
      if (ES_IS_CUBE (dataset))
        g_signal_connect_object (es_dataset_get_regions (dataset), "items-changed", G_CALLBACK (on_items), self,
                                 G_CONNECT_SWAPPED);
    }
  _es_session_keeper_queue (self);
}

static gboolean
is_still (EsSessionKeeper *self)
{
  return self->shell != NULL && g_list_model_get_n_items (es_shell_get_activities (self->shell)) == 0;
}

static gboolean
on_still (gpointer data)
{
  if (is_still (data))
    _es_session_keeper_add_regions (data);
  return G_SOURCE_REMOVE;
}

/* Whoever ends a reading takes what it has read after that. */
static void
on_activities (EsSessionKeeper *self)
{
  if (self->regions != NULL && is_still (self))
    g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, on_still, g_object_ref (self), g_object_unref);
  _es_session_keeper_queue (self);
}

static void
on_result_added (EsSessionKeeper *self, EsResult *result, EsJob *job)
{
  if (job != NULL && es_job_get_replaces (job) != NULL)
    _es_session_keeper_replace (self, es_job_get_replaces (job), result);
  g_signal_connect_object (result, "notify::title", G_CALLBACK (on_items), self, G_CONNECT_SWAPPED);
  _es_session_keeper_queue (self);
}

/* Whatever a person does may change something that has no signal of its own: colours of classes, a divider. */
static gboolean
on_event (EsSessionKeeper *self, GdkEvent *event)
{
  switch (gdk_event_get_event_type (event))
    {
    case GDK_BUTTON_RELEASE:
    case GDK_KEY_RELEASE:
    case GDK_SCROLL:
    case GDK_TOUCH_END:
      _es_session_keeper_queue (self);
      break;
    default:
      break;
    }
  return FALSE;
}

static void
watch_window (EsSessionKeeper *self)
{
  GtkEventController *controller = gtk_event_controller_legacy_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "event", G_CALLBACK (on_event), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (es_shell_get_window (self->shell)), controller);
}

/* ---- for others ---- */

void
es_session_keeper_begin (EsSessionKeeper *self, gboolean files)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (ES_IS_SESSION_KEEPER (self) && self->store == NULL);

  self->store = es_session_store_new (&error);
  if (self->store == NULL)
    {
      tell_failure (self, error);
      return;
    }
  es_shell_set_keeping (self->shell, TRUE);
  watch_window (self);
  _es_session_keeper_look_back (self, files);
}

typedef struct
{
  EsShell    *shell;
  EsActivity *activity;
} SavingAs;

static void
on_saved_as (GObject *source, GAsyncResult *result, gpointer data)
{
  SavingAs *saving = data;
  Writing *writing = g_task_get_task_data (G_TASK (result));
  g_autoptr (EsShell) shell = saving->shell;
  g_autoptr (EsActivity) activity = saving->activity;
  g_autoptr (GError) error = NULL;
  const gboolean written = g_task_propagate_boolean (G_TASK (result), &error);

  g_free (saving);
  es_shell_end_saving (shell, activity, written ? writing->file : NULL, error);
}

static void
write_as_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Writing *writing = data;
  GError *error = NULL;

  finish (writing);
  if (es_session_file_write (writing->root, writing->file, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
es_session_keeper_save_as (EsSessionKeeper *self, GFile *target)
{
  g_autoptr (GTask) task = NULL;
  SavingAs *saving;

  g_return_if_fail (ES_IS_SESSION_KEEPER (self) && G_IS_FILE (target));

  saving = g_new0 (SavingAs, 1);
  saving->shell = g_object_ref (self->shell);
  saving->activity = g_object_ref (es_shell_begin_saving (self->shell, target));
  task = g_task_new (self, NULL, on_saved_as, saving);
  g_task_set_source_tag (task, es_session_keeper_save_as);
  g_task_set_task_data (task, writing_new (self, target), writing_free);
  es_task_run_in_thread (task, write_as_in_thread);
}

/* The window and what it shows are still there. */
void
es_session_keeper_end (EsSessionKeeper *self)
{
  g_return_if_fail (ES_IS_SESSION_KEEPER (self));

  if (self->ended)
    return;
  self->ended = TRUE;
  g_clear_handle_id (&self->delay, g_source_remove);
  if (self->store == NULL)
    return;
  g_mutex_lock (&lock);
  while (n_writing > 0)
    g_cond_wait (&done, &lock);
  g_mutex_unlock (&lock);
  /* What was still being opened is in the file that it came from. */
  if (self->opening == 0 && (self->written || !is_empty (self)))
    {
      Writing *writing = writing_new (self, es_session_store_get_file (self->store));

      g_clear_pointer (&writing->before, g_free);
      if (write_session (writing, NULL))
        drop_absorbed (self, FALSE);
      writing_free (writing);
      _es_session_keeper_keep_results (self);
    }
  drop_absorbed (self, TRUE);
  es_session_store_end (g_steal_pointer (&self->store), self->opening > 0 || !is_empty (self));
}

gint64
es_session_keeper_get_told_us (EsSessionKeeper *self)
{
  return self->told_us;
}

gboolean
es_session_keeper_is_idle (EsSessionKeeper *self)
{
  return self->delay == 0 && !self->saving && self->opening == 0 && !self->keeping_results;
}

static void
es_session_keeper_dispose (GObject *object)
{
  EsSessionKeeper *self = ES_SESSION_KEEPER (object);

  g_clear_handle_id (&self->delay, g_source_remove);
  if (self->absorbed != NULL)
    drop_absorbed (self, TRUE);
  if (self->store != NULL)
    es_session_store_end (g_steal_pointer (&self->store), TRUE);
  g_clear_object (&self->shell);
  g_clear_pointer (&self->regions, g_ptr_array_unref);
  G_OBJECT_CLASS (es_session_keeper_parent_class)->dispose (object);
}

static void
es_session_keeper_finalize (GObject *object)
{
  EsSessionKeeper *self = ES_SESSION_KEEPER (object);

  g_hash_table_unref (self->lost);
  g_hash_table_unref (self->forgotten);
  g_hash_table_unref (self->kept);
  g_ptr_array_unref (self->absorbed);
  g_free (self->checksum);
  G_OBJECT_CLASS (es_session_keeper_parent_class)->finalize (object);
}

static void
es_session_keeper_class_init (EsSessionKeeperClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_session_keeper_dispose;
  G_OBJECT_CLASS (class)->finalize = es_session_keeper_finalize;
  signals[LOST] = g_signal_new ("lost", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
es_session_keeper_init (EsSessionKeeper *self)
{
  self->lost = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_object_unref);
  self->forgotten = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify) json_object_unref);
  self->kept = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->absorbed = g_ptr_array_new ();
}

EsSessionKeeper *
es_session_keeper_new (EsShell *shell)
{
  EsSessionKeeper *self = g_object_new (ES_TYPE_SESSION_KEEPER, NULL);
  EsSession *session = es_shell_get_session (shell);

  self->shell = g_object_ref (shell);
  es_kept_settings_add (shell);
  g_signal_connect_object (shell, "changed", G_CALLBACK (on_items), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_shell_get_shown (shell), "changed", G_CALLBACK (on_items), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_session_get_datasets (session), "items-changed", G_CALLBACK (on_datasets), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "result-added", G_CALLBACK (on_result_added), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_shell_get_activities (shell), "items-changed", G_CALLBACK (on_activities), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  return self;
}
