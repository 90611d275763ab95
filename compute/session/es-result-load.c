/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A saved result, opened again: result.json, and with it the layers beside it (es-result-load-layers.c). */

#include <glib/gi18n-lib.h>
#include <math.h>

#include "cube/es-cube.h"
#include "dataset/es-dataset-internal.h"
#include "base/es-error.h"
#include "base/es-text-show.h"
#include "saving/es-output-internal.h"
#include "lab/es-machine.h"
#include "readers/es-open-input-internal.h"
#include "result/es-linear-model-internal.h"
#include "result/es-result-computed-internal.h"
#include "result/es-saved-files-internal.h"
#include "result/es-saved-internal.h"
#include "operations/es-operations.h"
#include "result/es-result-internal.h"
#include "es-result-load-internal.h"
#include "es-result-load-private.h"

/* Of a run and of what is told of it; more are of no result. */
#define MOST_STAGES 1000
#define MOST_WARNINGS 100

/* ---- provenance ---- */

gboolean
es_result_load_params (JsonObject *root, EsParams *params, GError **error)
{
  JsonObject *object = es_saved_get_object (root, "parameters");

  for (const EsParamSpec *spec = es_params_get_specs (params); object != NULL && spec->type != ES_PARAM_END; spec++)
    {
      const double number = es_saved_get_number (object, spec->key, NAN);

      if (!json_object_has_member (object, spec->key))
        continue;              /* saved before the parameter existed: its default */
      if (spec->type == ES_PARAM_CHOICE || es_param_type_is_text (spec->type))
        {
          if (!es_params_parse (params, spec->key, es_saved_get_text (object, spec->key, ""), error))
            return FALSE;
        }
      else if (spec->type == ES_PARAM_BOOL)
        es_params_set_value (params, spec->key, es_saved_get_flag (object, spec->key));
      else if (!isnan (number))
        es_params_set_value (params, spec->key, number);
    }
  return TRUE;
}

static void
load_run (JsonObject *root, EsResult *result)
{
  g_autoptr (GArray) stages = g_array_new (FALSE, TRUE, sizeof (EsStageTime));
  JsonObject *device = es_saved_get_object (root, "device");
  const char *id = es_saved_get_string (device, "id");
  JsonArray *array;
  const guint n = MIN (es_saved_get_array (root, "stages", &array), MOST_STAGES);

  g_array_set_clear_func (stages, es_stage_time_clear);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *object = es_saved_get_element (array, i);
      const char *name = es_saved_get_string (object, "name"), *title = es_saved_get_string (object, "title");
      EsStageTime stage = { g_strdup (name), es_text_show (title != NULL ? title : name),
                            es_saved_get_number (object, "ms", 0) };

      es_stage_time_read (&stage, object);
      if (name != NULL)
        g_array_append_val (stages, stage);
      else
        es_stage_time_clear (&stage);
    }
  es_result_set_run (result, id != NULL ? es_device_find (id, NULL) : NULL,
                     (guint) CLAMP (es_saved_get_number (device, "threads", 1), 0, G_MAXINT), stages,
                     es_saved_get_number (root, "total_ms", 0));
  /* As it was, though this machine's device of that id may be another one. */
  es_result_set_device_text (result, id, es_saved_get_string (device, "name"));
  if (g_strcmp0 (es_saved_get_string (device, "chosen"), "automatic") == 0)
    es_result_set_choice (result, es_saved_get_string (device, "reason"));
}

static EsDataset *
open_input (EsResultLoading *loading, JsonObject *root, GError **error)
{
  JsonObject *input = es_saved_get_object (root, "input");
  const char *path = es_saved_get_string (input, "path");

  if (loading->dataset != NULL)
    return g_object_ref (loading->dataset);
  if (es_saved_get_object (input, "machine") != NULL)
    {
      EsDataset *machine = es_machine_restore (es_saved_get_object (input, "machine"));
      if (machine == NULL)
        es_saved_refuse (loading->name, error, _("it does not say which device it is of"));
      return machine;
    }
  if (path == NULL && es_saved_get_string (input, "made") == NULL)
    {
      es_saved_refuse (loading->name, error, _("it does not name its input"));
      return NULL;
    }
  return _es_dataset_open_input (input, loading->cancellable, error);
}

/* A set that was mixed or altered is opened as far as it goes, and says so. */
static gboolean
check_files (EsResultLoading *loading, JsonObject *root, EsResult *result, GError **error)
{
  g_autofree char *folder = g_file_get_path (loading->directory);
  guint64 budget = ES_SAVED_CHECKED_AT_ONCE;
  g_auto (GStrv) wrong = NULL;

  if (folder != NULL)
    wrong = es_saved_check_files (root, folder, &budget, NULL, loading->cancellable);
  /* What the program keeps is whole, or it is computed again. */
  if (loading->dataset != NULL && wrong != NULL && wrong[0] != NULL)
    return es_saved_refuse (loading->name, error, wrong[0]);
  for (char **sentence = wrong; sentence != NULL && *sentence != NULL; sentence++)
    es_result_add_warning (result, "%s", *sentence);
  return !g_cancellable_set_error_if_cancelled (loading->cancellable, error);
}

static EsResult *
load_result (EsResultLoading *loading, JsonObject *root, GError **error)
{
  const char *id = es_saved_get_string (root, "operation"), *title = es_saved_get_string (root, "title");
  const EsOperation *operation = id != NULL ? es_operation_find (id, error) : NULL;
  JsonObject *values = es_saved_get_object (root, "values");
  JsonArray *warnings;

  if (operation == NULL)
    {
      if (id == NULL)
        es_saved_refuse (loading->name, error, _("it does not say which operation made it"));
      return NULL;
    }

  g_autoptr (EsDataset) dataset = open_input (loading, root, error);
  if (dataset == NULL)
    return NULL;
  if (loading->dataset != NULL && g_strcmp0 (es_saved_get_string (es_saved_get_object (root, "input"), "identity"),
                                             es_dataset_get_identity (dataset)) != 0)
    {
      es_saved_refuse (loading->name, error, _("it is of other data"));
      return NULL;
    }
  g_autoptr (EsParams) params = es_params_new (operation->params);
  if (!es_result_load_params (root, params, error))
    return NULL;

  g_autoptr (EsResult) result = es_result_new (operation, dataset, params);
  if (!check_files (loading, root, result, error) || !es_result_load_layers (loading, root, result, error))
    return NULL;
  if (title != NULL)
    es_result_set_title (result, title);
  es_result_set_name (result, es_saved_get_string (root, "name"));
  if (values != NULL)
    es_result_set_values (result, json_object_ref (values));
  if (values != NULL && !es_result_settle_cube (result, json_object_get_member (values, "metadata"), error))
    return NULL;
  if (json_object_has_member (root, "model"))
    {
      JsonObject *object = es_saved_get_object (root, "model");
      EsLinearModel *model = object != NULL && ES_IS_CUBE (dataset)
                             ? es_linear_model_from_json (object, es_cube_get_bands (ES_CUBE (dataset))) : NULL;

      if (model == NULL)
        {
          es_saved_refuse (loading->name, error, _("its model is not one of the cube's bands"));
          return NULL;
        }
      es_result_set_model (result, model);
    }
  load_run (root, result);

  const guint n = MIN (es_saved_get_array (root, "warnings", &warnings), MOST_WARNINGS);
  for (guint i = 0; i < n; i++)
    {
      JsonNode *warning = json_array_get_element (warnings, i);
      if (JSON_NODE_HOLDS_VALUE (warning) && json_node_get_value_type (warning) == G_TYPE_STRING)
        es_result_add_warning (result, "%s", json_node_get_string (warning));
    }
  if (g_strcmp0 (es_saved_get_string (es_saved_get_object (root, "input"), "identity"),
                 es_dataset_get_identity (dataset)) != 0)
    es_result_add_warning (result, _("“%s” has changed since this result was computed."),
                           es_dataset_get_name (dataset));
  /* What the program keeps for itself is in no file of a person's. */
  if (loading->dataset == NULL)
    es_result_set_saved (result);
  return g_steal_pointer (&result);
}

EsResult *
es_result_load (GFile *file, GCancellable *cancellable, GError **error)
{
  return es_result_load_for (file, NULL, cancellable, error);
}

EsResult *
es_result_load_for (GFile *file, EsDataset *dataset, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (GFile) directory = g_file_get_parent (file);
  EsResultLoading loading = { name, directory, cancellable, dataset };
  g_autofree char *path = g_file_get_path (file);
  g_autoptr (JsonNode) root = NULL;

  if (path == NULL || es_outputs_settle (path, error))
    root = es_saved_parse (file, name, cancellable, error);
  return root != NULL ? load_result (&loading, json_node_get_object (root), error) : NULL;
}

static void
load_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  EsResult *result = es_result_load (data, cancellable, &error);

  if (result != NULL)
    g_task_return_pointer (task, result, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_result_load_async (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);

  g_task_set_source_tag (task, es_result_load_async);
  g_task_set_task_data (task, g_object_ref (file), g_object_unref);
  g_task_run_in_thread (task, load_thread);
}

EsResult *
es_result_load_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
