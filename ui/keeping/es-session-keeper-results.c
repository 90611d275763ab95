/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Results on their way to the cache, and how they and data sets are shown. */

#include "es-session-keeper-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "base/es-task.h"
#include "image/es-display.h"
#include "keeping/es-kept-id.h"
#include "keeping/es-result-cache.h"
#include "result/es-operation.h"

#define LARGEST_OF_RESULT ((guint64) 64 << 20)
/* The end of the program waits for what is being kept so long. */
#define LONGEST_WAIT (30 * G_USEC_PER_SEC)

/* ---- the cache ---- */

typedef struct
{
  EsResult *result;
  char     *id;
} Keeping;

static void
keeping_free (gpointer data)
{
  Keeping *keeping = data;

  g_object_unref (keeping->result);
  g_free (keeping->id);
  g_free (keeping);
}

static Keeping *
keeping_new (EsResult *result)
{
  Keeping *keeping = g_new0 (Keeping, 1);

  keeping->result = g_object_ref (result);
  keeping->id = g_strdup (es_kept_id_of (result));
  return keeping;
}

/* What is made of another result follows switches and thresholds, and is soon made again: as large as its cube, it
 * would drive out what took longer. */
static gboolean
is_worth_keeping (EsResult *result)
{
  return !es_result_is_absent (result)
         && (!es_result_get_operation (result)->of_result || es_result_cache_size (result) <= LARGEST_OF_RESULT);
}

/* What is in the cache stays there; an absent one is nothing to be kept. */
static GPtrArray *
list_unkept (EsSessionKeeper *self)
{
  EsSession *session = es_shell_get_session (self->shell);
  GListModel *datasets = es_session_get_datasets (session);
  GPtrArray *list = g_ptr_array_new_with_free_func (keeping_free);

  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);
      GListModel *results = es_session_get_results (session, dataset);

      for (guint k = 0; es_dataset_opens_again (dataset) && k < g_list_model_get_n_items (results); k++)
        {
          g_autoptr (EsResult) result = g_list_model_get_item (results, k);

          if (is_worth_keeping (result) && !g_hash_table_contains (self->kept, es_kept_id_of (result)))
            g_ptr_array_add (list, keeping_new (result));
        }
    }
  return list;
}

static void
keep_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Keeping *keeping = data;
  GError *error = NULL;

  if (es_result_cache_keep (keeping->result, keeping->id, ES_RESULT_CACHE_BUDGET, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_kept (GObject *source, GAsyncResult *result, gpointer data)
{
  EsSessionKeeper *self = ES_SESSION_KEEPER (source);
  g_autoptr (GError) error = NULL;
  const gboolean kept = g_task_propagate_boolean (G_TASK (result), &error);

  self->keeping_results = FALSE;
  if (self->ended)
    return;
  if (!kept && !self->told_not_kept && es_shell_is_open (self->shell))
    {
      self->told_not_kept = TRUE;
      es_shell_say (self->shell, error->message);
    }
  _es_session_keeper_keep_results (self);
}

/* The window has gone: the program ends once they are kept. */
static GThread      *ending;
static GCancellable *ending_cancellable;
static GAsyncQueue  *ended;

static gpointer
keep_all (gpointer data)
{
  g_autoptr (GPtrArray) list = data;

  for (guint i = 0; i < list->len && !g_cancellable_is_cancelled (ending_cancellable); i++)
    {
      Keeping *keeping = g_ptr_array_index (list, i);

      es_result_cache_keep (keeping->result, keeping->id, ES_RESULT_CACHE_BUDGET, ending_cancellable, NULL);
    }
  g_async_queue_push (ended, ended);
  return NULL;
}

void
_es_session_keeper_keep_results (EsSessionKeeper *self)
{
  g_autoptr (GPtrArray) list = NULL;
  g_autoptr (GTask) task = NULL;
  Keeping *first;

  if (self->keeping_results && !self->ended)
    return;
  list = list_unkept (self);
  if (list->len == 0)
    return;
  if (self->ended)
    {
      es_session_keeper_wait ();
      ending_cancellable = g_cancellable_new ();
      ended = g_async_queue_new ();
      ending = g_thread_new ("es-keeping", keep_all, g_steal_pointer (&list));
      return;
    }
  first = g_ptr_array_steal_index (list, 0);
  g_hash_table_add (self->kept, g_strdup (first->id));
  self->keeping_results = TRUE;
  task = g_task_new (self, NULL, on_kept, NULL);
  g_task_set_source_tag (task, _es_session_keeper_keep_results);
  g_task_set_task_data (task, first, keeping_free);
  es_task_run_in_thread (task, keep_in_thread);
}

void
es_session_keeper_wait (void)
{
  if (ending == NULL)
    return;
  if (g_async_queue_timeout_pop (ended, LONGEST_WAIT) == NULL)
    g_cancellable_cancel (ending_cancellable);
  g_thread_join (g_steal_pointer (&ending));
  g_clear_object (&ending_cancellable);
  g_clear_pointer (&ended, g_async_queue_unref);
}

/* ---- how they are shown ---- */

/* Of a result that was not kept: what is known of its layers until it is run again. */
static G_DEFINE_QUARK (es-session-keeper-look, look)

static void
tell_layers (EsResult *result, JsonObject *object)
{
  GListModel *layers = es_result_get_layers (result);
  g_autoptr (JsonObject) displays = json_object_new ();

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      JsonNode *told = es_display_tell (G_OBJECT (layer));

      if (told != NULL)
        json_object_set_member (displays, es_layer_get_name (layer), told);
    }
  if (json_object_get_size (displays) > 0)
    json_object_set_object_member (object, "displays", json_object_ref (displays));
}

void
_es_session_keeper_tell_look (GObject *thing, JsonObject *object, gpointer data)
{
  JsonNode *look = g_object_get_qdata (thing, look_quark ());
  JsonNode *told = ES_IS_DATASET (thing) ? es_display_tell (thing) : NULL;

  if (told != NULL)
    json_object_set_member (object, "display", told);
  if (ES_IS_RESULT (thing) && look != NULL)
    json_object_set_member (object, "displays", json_node_copy (look));
  else if (ES_IS_RESULT (thing))
    tell_layers (ES_RESULT (thing), object);
}

static void
take_layers (EsResult *result, JsonNode *displays)
{
  GListModel *layers = es_result_get_layers (result);
  JsonObject *object = displays != NULL && JSON_NODE_HOLDS_OBJECT (displays) ? json_node_get_object (displays) : NULL;

  for (guint i = 0; object != NULL && i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      es_display_take (G_OBJECT (layer), json_object_get_member (object, es_layer_get_name (layer)));
    }
}

void
_es_session_keeper_take_look (GObject *thing, JsonObject *told)
{
  JsonNode *displays = json_object_get_member (told, "displays");

  if (ES_IS_DATASET (thing))
    es_display_take (thing, json_object_get_member (told, "display"));
  else if (!es_result_is_absent (ES_RESULT (thing)))
    take_layers (ES_RESULT (thing), displays);
  else if (displays != NULL)
    g_object_set_qdata_full (thing, look_quark (), json_node_copy (displays), (GDestroyNotify) json_node_unref);
}

void
_es_session_keeper_replace (EsSessionKeeper *self, EsResult *replaced, EsResult *result)
{
  if (es_result_get_name (result) == NULL)
    es_result_set_name (result, es_result_get_name (replaced));
  take_layers (result, g_object_get_qdata (G_OBJECT (replaced), look_quark ()));
}
