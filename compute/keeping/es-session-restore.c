/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-session-restore.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-show.h"
#include "cube/es-cube.h"
#include "cube/es-region-set.h"
#include "es-kept-id.h"
#include "es-result-cache.h"
#include "es-session-inputs-private.h"
#include "es-session-store.h"
#include "operations/es-operations.h"
#include "readers/es-open-input-internal.h"
#include "lab/es-machine.h"
#include "recording/es-recording.h"
#include "result/es-operation.h"
#include "result/es-result-computed-internal.h"
#include "result/es-result-internal.h"
#include "result/es-saved-internal.h"
#include "session/es-judgement.h"
#include "session/es-result-load-internal.h"

#define MOST_REGIONS 1000
#define MOST_DROPPED 10000

static void
restored_result_free (gpointer data)
{
  EsRestoredResult *restored = data;

  g_clear_pointer (&restored->told, json_object_unref);
  g_clear_object (&restored->result);
  g_free (restored);
}

static void
restored_free (gpointer data)
{
  EsRestored *restored = data;

  g_clear_pointer (&restored->told, json_object_unref);
  g_clear_object (&restored->dataset);
  g_clear_error (&restored->error);
  g_clear_pointer (&restored->results, g_ptr_array_unref);
  g_free (restored);
}

void
es_restored_session_free (EsRestoredSession *self)
{
  g_clear_pointer (&self->root, json_node_unref);
  g_clear_pointer (&self->datasets, g_ptr_array_unref);
  g_strfreev (self->notes);
  g_free (self);
}

char *
es_restored_session_describe (EsRestoredSession *self)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new (), titles = g_ptr_array_new ();

  for (guint i = 0; i < self->datasets->len; i++)
    {
      EsRestored *one = g_ptr_array_index (self->datasets, i);

      if (one->dataset != NULL)
        g_ptr_array_add (names, (gpointer) es_dataset_get_name (one->dataset));
      for (guint k = 0; k < one->results->len; k++)
        {
          EsResult *result = ((EsRestoredResult *) g_ptr_array_index (one->results, k))->result;

          if (result != NULL)
            g_ptr_array_add (titles, (gpointer) es_result_get_title (result));
        }
    }
  return _es_session_describe (names, titles);
}

/* ---- opening, on a worker ---- */

/* What took part when it was made: run again it is the same result, whatever takes part today. */
static gboolean
take_selection (JsonObject *told, EsResult *result, GError **error)
{
  JsonNode *node = json_object_get_member (told, "selection");

  return node == NULL || !ES_IS_CUBE (es_result_get_dataset (result))
         || es_result_load_selection (result, node, error);
}

/* Its parameters and what took part, and no more. */
static EsResult *
make_absent (JsonObject *told, EsDataset *dataset, GError **error)
{
  const char *id = es_saved_get_string (told, "operation"), *title = es_saved_get_string (told, "title");
  const EsOperation *operation = id != NULL ? es_operation_find (id, error) : NULL;
  g_autoptr (EsParams) params = NULL;
  g_autoptr (EsResult) result = NULL;

  if (operation == NULL)
    {
      if (id == NULL)
        g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("it does not say which operation made it"));
      return NULL;
    }
  if ((operation->takes & es_dataset_get_kind (dataset)) == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” is of another kind of data"), operation->id);
      return NULL;
    }
  params = es_params_new (operation->params);
  if (!es_result_load_params (told, params, error))
    return NULL;
  result = es_result_new (operation, dataset, params);
  if (!take_selection (told, result, error)
      || !es_result_settle_cube (result, json_object_get_member (told, "metadata"), error))
    return NULL;
  if (title != NULL)
    es_result_set_title (result, title);
  es_result_set_absent (result);
  return g_steal_pointer (&result);
}

/* A name that the file repeats would be two results in one folder. */
static gboolean
is_fresh (GHashTable *ids, const char *id)
{
  return es_kept_id_is (id) && g_hash_table_add (ids, g_strdup (id));
}

static EsRestoredResult *
restore_result (JsonObject *told, EsRestored *of, GHashTable *ids, GPtrArray *notes, GCancellable *cancellable)
{
  EsRestoredResult *restored = g_new0 (EsRestoredResult, 1);
  const char *id = es_saved_get_string (told, "id");
  g_autoptr (GError) error = NULL;

  restored->told = json_object_ref (told);
  if (is_fresh (ids, id) && !of->other && es_result_cache_has (id))
    restored->result = es_result_cache_load (id, of->dataset, cancellable, NULL);
  /* What the file says is what counts: a folder of the same name may be anybody's. */
  if (restored->result != NULL
      && g_strcmp0 (es_result_get_operation (restored->result)->id, es_saved_get_string (told, "operation")) != 0)
    g_clear_object (&restored->result);
  if (restored->result == NULL)
    restored->result = make_absent (told, of->dataset, &error);
  if (restored->result == NULL)
    {
      g_autofree char *title = es_text_show (es_saved_get_text (told, "title", "?"));

      /* TRANSLATORS: a result of a session, and why it cannot be opened again */
      g_ptr_array_add (notes, g_strdup_printf (_("“%s” is not restored: %s"), title, error->message));
    }
  else if (es_saved_get_flag (told, "saved") && !es_result_is_absent (restored->result))
    es_result_set_saved (restored->result);
  return restored;
}

/* As it was: were it not here any more, what was found of it can still be looked at. */
static EsDataset *
restore_machine (JsonObject *told, GError **error)
{
  EsDataset *machine = es_machine_restore (told);

  if (machine == NULL)
    g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("It does not say which device it is."));
  return machine;
}

static EsRestored *
restore_dataset (JsonObject *told, GFile *session, GHashTable *ids, GPtrArray *notes, GCancellable *cancellable)
{
  JsonObject *input = es_saved_get_object (told, "input");
  EsRestored *restored = g_new0 (EsRestored, 1);
  const char *identity;
  JsonArray *results;
  guint n;

  restored->told = json_object_ref (told);
  restored->results = g_ptr_array_new_with_free_func (restored_result_free);
  if (session != NULL)
    _es_session_input_resolve (input, session);
  restored->dataset = es_saved_get_object (input, "machine") != NULL
                      ? restore_machine (es_saved_get_object (input, "machine"), &restored->error)
                      : _es_dataset_open_kept (input, session != NULL && es_session_store_has (session), cancellable,
                                               &restored->error);
  if (restored->dataset == NULL)
    return restored;
  /* More may have been recorded since, which is the same recording. */
  identity = es_saved_get_string (told, "identity");
  restored->other = !ES_IS_RECORDING (restored->dataset) && identity != NULL
                    && strcmp (identity, es_dataset_get_identity (restored->dataset)) != 0;
  n = es_saved_get_array (told, "results", &results);
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    g_ptr_array_add (restored->results, restore_result (es_saved_get_element (results, i), restored, ids, notes,
                                                        cancellable));
  return restored;
}

static EsRestoredSession *
restore_all (JsonNode *root, GFile *session, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsRestoredSession) self = g_new0 (EsRestoredSession, 1);
  g_autoptr (GHashTable) ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) notes = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  JsonArray *datasets;
  guint n;

  self->root = json_node_ref (root);
  self->datasets = g_ptr_array_new_with_free_func (restored_free);
  n = es_saved_get_array (json_node_get_object (root), "datasets", &datasets);
  for (guint i = 0; i < n; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      g_ptr_array_add (self->datasets, restore_dataset (es_saved_get_element (datasets, i), session, ids, notes,
                                                        cancellable));
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  self->notes = (char **) g_ptr_array_free (g_steal_pointer (&notes), FALSE);
  return g_steal_pointer (&self);
}

EsRestoredSession *
es_session_restore (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autoptr (JsonNode) root = es_session_file_read (file, cancellable, error);

  return root != NULL ? restore_all (root, file, cancellable, error) : NULL;
}

static JsonObject *
copy_object (JsonObject *object)
{
  JsonObject *copy = json_object_new ();
  JsonObjectIter iter;
  const char *name;
  JsonNode *node;

  json_object_iter_init (&iter, object);
  while (json_object_iter_next (&iter, &name, &node))
    json_object_set_member (copy, name, json_node_copy (node));
  return copy;
}

EsRestoredSession *
es_session_restore_located (JsonObject *told, GFile *located, GCancellable *cancellable, GError **error)
{
  JsonObject *dataset = copy_object (told), *input = copy_object (es_saved_get_object (told, "input"));
  g_autoptr (JsonNode) root = json_node_init_object (json_node_alloc (), json_object_new ());
  JsonArray *list = json_array_new ();

  _es_session_input_locate (input, located);
  json_object_set_object_member (dataset, "input", input);
  json_array_add_object_element (list, dataset);
  json_object_set_array_member (json_node_get_object (root), "datasets", list);
  json_object_unref (json_node_get_object (root));
  return restore_all (root, NULL, cancellable, error);
}

typedef struct
{
  GFile      *file;
  JsonObject *told;            /* nullable */
} Restoring;

static void
restoring_free (gpointer data)
{
  Restoring *restoring = data;

  g_object_unref (restoring->file);
  g_clear_pointer (&restoring->told, json_object_unref);
  g_free (restoring);
}

static void
restore_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Restoring *restoring = data;
  GError *error = NULL;
  EsRestoredSession *session = restoring->told != NULL
                               ? es_session_restore_located (restoring->told, restoring->file, cancellable, &error)
                               : es_session_restore (restoring->file, cancellable, &error);

  if (session != NULL)
    g_task_return_pointer (task, session, (GDestroyNotify) es_restored_session_free);
  else
    g_task_return_error (task, error);
}

void
es_session_restore_located_async (JsonObject *told, GFile *located, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Restoring *restoring = g_new0 (Restoring, 1);

  restoring->file = g_object_ref (located);
  restoring->told = told != NULL ? json_object_ref (told) : NULL;
  g_task_set_source_tag (task, es_session_restore_async);
  g_task_set_task_data (task, restoring, restoring_free);
  g_task_run_in_thread (task, restore_in_thread);
}

void
es_session_restore_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  es_session_restore_located_async (NULL, file, cancellable, callback, user_data);
}

EsRestoredSession *
es_session_restore_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* ---- into a session ---- */

/* Twice the same would be two rows for one. */
static gboolean
has_id (EsSession *session, EsDataset *dataset, const char *id)
{
  GListModel *results = es_session_get_results (session, dataset);

  for (guint i = 0; es_kept_id_is (id) && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (EsResult) result = g_list_model_get_item (results, i);

      if (strcmp (es_kept_id_of (result), id) == 0)
        return TRUE;
    }
  return FALSE;
}

static EsResult *
find_result (EsRestored *restored, const char *id)
{
  for (guint i = 0; id != NULL && i < restored->results->len; i++)
    {
      EsRestoredResult *one = g_ptr_array_index (restored->results, i);

      if (one->result != NULL && g_strcmp0 (es_saved_get_string (one->told, "id"), id) == 0)
        return one->result;
    }
  return NULL;
}

static void
take_dropped (EsRestoredResult *restored)
{
  JsonArray *dropped;
  const guint n = es_saved_get_array (restored->told, "dropped", &dropped);

  for (guint i = 0; i < n && i < MOST_DROPPED; i++)
    {
      JsonNode *node = json_array_get_element (dropped, i);
      const gint64 plane = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_int (node) : -1;

      if (plane >= 0 && plane < G_MAXUINT)
        es_judgement_set_kept (es_judgement_of (restored->result), (guint) plane, FALSE);
    }
}

void
es_session_restore_add (EsSession *session, EsRestored *restored)
{
  EsDataset *dataset;

  g_return_if_fail (ES_IS_SESSION (session) && restored->dataset != NULL);

  dataset = es_session_add_dataset (session, restored->dataset);
  if (dataset == restored->dataset)
    es_kept_id_set (dataset, es_saved_get_string (restored->told, "id"));
  else
    g_set_object (&restored->dataset, dataset);
  for (guint i = 0; i < restored->results->len; i++)
    {
      EsRestoredResult *one = g_ptr_array_index (restored->results, i);
      const char *id = es_saved_get_string (one->told, "id");

      if (one->result == NULL || has_id (session, dataset, id))
        continue;
      es_kept_id_set (one->result, id);
      es_result_set_name (one->result, es_saved_get_string (one->told, "name"));
      take_dropped (one);
      es_session_adopt_result (session, one->result);
    }
  for (guint i = 0; i < restored->results->len; i++)
    {
      EsRestoredResult *one = g_ptr_array_index (restored->results, i);
      EsResult *source = find_result (restored, es_saved_get_string (one->told, "source"));

      if (one->result != NULL && source != NULL && source != one->result)
        es_judgement_set_reconstruction (es_judgement_of (source), one->result);
    }
}

/* What tells classes apart: name and pixels. Transfer full. */
static char *
name_region (const char *name, EsRegion *region)
{
  g_autofree char *text = es_region_format (region);

  return g_strconcat (name != NULL ? name : "", "\n", text, NULL);
}

static GHashTable *
list_regions (EsRegionSet *set)
{
  GHashTable *there = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (set)); i++)
    {
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (G_LIST_MODEL (set), i);

      g_hash_table_add (there, name_region (es_named_region_get_name (region), es_named_region_get_region (region)));
    }
  return there;
}

guint
es_session_restore_add_regions (EsRestored *restored)
{
  JsonArray *regions;
  guint n, added = 0;

  if (!ES_IS_CUBE (restored->dataset) || restored->other)
    return 0;
  EsRegionSet *set = es_dataset_get_regions (restored->dataset);
  g_autoptr (GHashTable) there = list_regions (set);
  n = es_saved_get_array (es_saved_get_object (restored->told, "regions"), "regions", &regions);
  for (guint i = 0; i < MIN (n, MOST_REGIONS); i++)
    {
      JsonObject *told = es_saved_get_element (regions, i);
      const char *text = es_saved_get_string (told, "region"), *name = es_saved_get_string (told, "name");
      const char *colour = es_saved_get_string (told, "colour");
      g_autoptr (EsRegion) region = text != NULL ? es_region_parse (text, NULL) : NULL;

      if (region == NULL || !g_hash_table_add (there, name_region (name, region)))
        continue;
      es_region_set_add (set, name, region, colour != NULL && *colour == '#'
                                            ? g_ascii_strtoull (colour + 1, NULL, 16) & 0xffffff : 0);
      added++;
    }
  return added;
}
