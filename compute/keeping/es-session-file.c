/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-session-file.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-json.h"
#include "cube/es-region-set.h"
#include "dataset/es-dataset-internal.h"
#include "es-kept-id.h"
#include "es-session-inputs-private.h"
#include "result/es-operation.h"
#include "result/es-result-internal.h"
#include "result/es-saved-internal.h"
#include "saving/es-durable.h"
#include "session/es-judgement.h"

/* More is no session of anybody's. */
#define MOST_DATASETS 1000
#define MOST_RESULTS  10000

/* ---- telling ---- */

static void
set_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

/* Classes of one version: a copy that no hand changes, and their text, which a worker makes once. */
typedef struct
{
  guint        version;
  EsRegionSet *copy;
  GMutex       lock;
  JsonNode    *node;
} Regions;

static G_DEFINE_QUARK (es-session-file-regions, regions)

static void
regions_clear (gpointer data)
{
  Regions *regions = data;

  g_object_unref (regions->copy);
  g_mutex_clear (&regions->lock);
  g_clear_pointer (&regions->node, json_node_unref);
}

static void
regions_unref (gpointer data)
{
  if (data != NULL)
    g_atomic_rc_box_release_full (data, regions_clear);
}

/* Nullable, transfer full. */
static Regions *
find_regions (EsDataset *dataset)
{
  EsRegionSet *set = ES_IS_CUBE (dataset) ? es_dataset_get_regions (dataset) : NULL;
  Regions *regions;

  if (set == NULL || g_list_model_get_n_items (G_LIST_MODEL (set)) == 0)
    return NULL;
  regions = g_object_get_qdata (G_OBJECT (set), regions_quark ());
  if (regions == NULL || regions->version != es_region_set_get_version (set))
    {
      regions = g_atomic_rc_box_new0 (Regions);
      regions->version = es_region_set_get_version (set);
      regions->copy = es_region_set_copy (set);
      g_mutex_init (&regions->lock);
      g_object_set_qdata_full (G_OBJECT (set), regions_quark (), regions, regions_unref);
    }
  return g_atomic_rc_box_acquire (regions);
}

/* Transfer full. */
static JsonNode *
tell_regions (Regions *regions)
{
  JsonNode *node;

  g_mutex_lock (&regions->lock);
  if (regions->node == NULL)
    {
      g_autofree char *text = es_region_set_to_text (regions->copy);

      regions->node = es_json_parse (text, strlen (text), "", NULL);
    }
  node = regions->node != NULL ? json_node_copy (regions->node) : NULL;
  g_mutex_unlock (&regions->lock);
  return node;
}

/* What is told later, of the first data sets of the tree. */
struct _EsSessionRest
{
  GPtrArray *datasets;           /* of EsDataset */
  GPtrArray *regions;            /* of Regions, nullable ones */
};

void
es_session_rest_free (EsSessionRest *rest)
{
  if (rest == NULL)
    return;
  /* Copies of classes look at their data sets. */
  g_ptr_array_unref (rest->regions);
  g_ptr_array_unref (rest->datasets);
  g_free (rest);
}

/* Components that a person has switched off, counted from 0. */
static void
tell_dropped (JsonBuilder *builder, EsResult *result)
{
  EsJudgement *judgement = es_result_get_judgement (result) != NULL ? es_judgement_of (result) : NULL;
  const guint n = judgement != NULL ? es_judgement_get_n (judgement) : 0;

  if (n == 0 || es_judgement_count_kept (judgement) == n)
    return;
  json_builder_set_member_name (builder, "dropped");
  json_builder_begin_array (builder);
  for (guint i = 0; i < n; i++)
    if (!es_judgement_is_kept (judgement, i))
      json_builder_add_int_value (builder, i);
  json_builder_end_array (builder);
}

/* What took part of a cube, null where everything did; nothing where that is not known, of an absent result that an
 * earlier version has told. */
static void
tell_selection (JsonBuilder *builder, EsResult *result)
{
  JsonNode *node = json_object_get_member (es_result_get_values (result), "selection");

  if (!ES_IS_CUBE (es_result_get_dataset (result)) || (node == NULL && es_result_is_absent (result)))
    return;
  json_builder_set_member_name (builder, "selection");
  if (node != NULL)
    json_builder_add_value (builder, json_node_copy (node));
  else
    json_builder_add_null_value (builder);
}

/* The same of what its cube was told. */
static void
tell_metadata (JsonBuilder *builder, EsResult *result)
{
  JsonNode *node = json_object_get_member (es_result_get_values (result), "metadata");

  if (!ES_IS_CUBE (es_result_get_dataset (result)) || (node == NULL && es_result_is_absent (result)))
    return;
  json_builder_set_member_name (builder, "metadata");
  if (node != NULL)
    json_builder_add_value (builder, json_node_copy (node));
  else
    json_builder_add_null_value (builder);
}

static void
tell_result (JsonBuilder *builder, EsResult *result)
{
  EsResult *source = es_judgement_find_source (result);

  json_builder_begin_object (builder);
  set_string (builder, "id", es_kept_id_of (result));
  set_string (builder, "operation", es_result_get_operation (result)->id);
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, es_result_get_operation (result)->version);
  set_string (builder, "title", es_result_get_found_title (result));
  if (es_result_get_name (result) != NULL)
    set_string (builder, "name", es_result_get_name (result));
  es_result_add_parameters (result, builder);
  tell_selection (builder, result);
  tell_metadata (builder, result);
  if (es_result_get_device_id (result) != NULL && !es_result_is_device_automatic (result))
    set_string (builder, "device", es_result_get_device_id (result));
  if (source != NULL)
    set_string (builder, "source", es_kept_id_of (source));
  tell_dropped (builder, result);
  if (es_result_is_saved (result))
    {
      json_builder_set_member_name (builder, "saved");
      json_builder_add_boolean_value (builder, TRUE);
    }
  json_builder_end_object (builder);
}

static const char *
name_kind (EsDatasetKind kind)
{
  switch (kind)
    {
    case ES_DATASET_RECORDING:
      return "recording";
    case ES_DATASET_DEVICE:
      return "device";
    case ES_DATASET_MATRIX:
      return "matrix";
    case ES_DATASET_CUBE:
    default:
      return "cube";
    }
}

static void
tell_dataset (JsonBuilder *builder, EsSession *session, EsDataset *dataset)
{
  GListModel *results = es_session_get_results (session, dataset);
  g_autofree char *shape = es_dataset_shape (dataset);

  json_builder_begin_object (builder);
  set_string (builder, "id", es_kept_id_of (dataset));
  set_string (builder, "name", es_dataset_get_name (dataset));
  set_string (builder, "kind", name_kind (es_dataset_get_kind (dataset)));
  set_string (builder, "identity", es_dataset_get_identity (dataset));
  set_string (builder, "shape", shape);
  json_builder_set_member_name (builder, "results");
  json_builder_begin_array (builder);
  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (EsResult) result = g_list_model_get_item (results, i);

      tell_result (builder, result);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
}

/* Those that came from files, and devices; others cannot be opened again. */
static GPtrArray *
list_datasets (EsSession *session)
{
  GListModel *datasets = es_session_get_datasets (session);
  GPtrArray *list = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < g_list_model_get_n_items (datasets); i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);

      if (es_dataset_opens_again (dataset))
        g_ptr_array_add (list, g_steal_pointer (&dataset));
    }
  return list;
}

static void
add_more (JsonObject *object, EsSession *session, EsDataset *dataset, EsSessionTell tell, gpointer data)
{
  GListModel *results = es_session_get_results (session, dataset);
  JsonArray *list = json_object_get_array_member (object, "results");

  tell (G_OBJECT (dataset), object, data);
  for (guint i = 0; results != NULL && i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (GObject) result = g_list_model_get_item (results, i);

      tell (result, json_array_get_object_element (list, i), data);
    }
}

JsonNode *
es_session_file_tell_first (EsSession *session, EsSessionTell tell, gpointer data, EsSessionRest **rest)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  g_autofree char *saved = g_date_time_format_iso8601 (now);
  GPtrArray *datasets = list_datasets (session);
  JsonNode *root;

  *rest = g_new0 (EsSessionRest, 1);
  (*rest)->datasets = datasets;
  (*rest)->regions = g_ptr_array_new_with_free_func (regions_unref);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, ES_SESSION_FORMAT_MEMBER);
  json_builder_add_int_value (builder, ES_SESSION_FORMAT);
  set_string (builder, "software", "Eigenscope " ES_VERSION);
  set_string (builder, "saved", saved);
  json_builder_set_member_name (builder, "datasets");
  json_builder_begin_array (builder);
  for (guint i = 0; i < datasets->len; i++)
    {
      tell_dataset (builder, session, g_ptr_array_index (datasets, i));
      g_ptr_array_add ((*rest)->regions, find_regions (g_ptr_array_index (datasets, i)));
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);

  JsonArray *list = json_object_get_array_member (json_node_get_object (root), "datasets");
  for (guint i = 0; tell != NULL && i < datasets->len; i++)
    add_more (json_array_get_object_element (list, i), session, g_ptr_array_index (datasets, i), tell, data);
  return root;
}

/* What opens it again: of a recording with all of its hydrophones. */
static JsonNode *
tell_input (EsDataset *dataset)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  GFile *file = es_dataset_get_file (dataset);
  g_autofree char *path = file != NULL ? g_file_get_parse_name (file) : NULL;

  json_builder_begin_object (builder);
  if (path != NULL)
    set_string (builder, "path", path);
  _es_dataset_add_input (dataset, builder);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

void
es_session_file_tell_rest (JsonNode *root, EsSessionRest *rest)
{
  JsonArray *list = json_object_get_array_member (json_node_get_object (root), "datasets");

  for (guint i = 0; i < rest->datasets->len; i++)
    {
      JsonObject *object = json_array_get_object_element (list, i);
      Regions *regions = g_ptr_array_index (rest->regions, i);
      JsonNode *classes = regions != NULL ? tell_regions (regions) : NULL;

      json_object_set_member (object, "input", tell_input (g_ptr_array_index (rest->datasets, i)));
      if (classes != NULL)
        json_object_set_member (object, "regions", classes);
    }
  es_session_rest_free (rest);
}

JsonNode *
es_session_file_tell (EsSession *session, EsSessionTell tell, gpointer data)
{
  EsSessionRest *rest = NULL;
  JsonNode *root = es_session_file_tell_first (session, tell, data, &rest);

  es_session_file_tell_rest (root, rest);
  return root;
}

/* ---- files ---- */

/* Files that a section names, such as libraries: a member of it that is an object with "files". */
static void
for_each_section (JsonNode *root, GFile *session, void (*what) (JsonObject *input, GFile *session))
{
  JsonObject *sections = es_saved_get_object (json_node_get_object (root), "sections");
  g_autoptr (GList) all = sections != NULL ? json_object_get_values (sections) : NULL;

  for (GList *link = all; link != NULL; link = link->next)
    {
      g_autoptr (GList) members = JSON_NODE_HOLDS_OBJECT (link->data)
                                  ? json_object_get_values (json_node_get_object (link->data)) : NULL;

      for (GList *member = members; member != NULL; member = member->next)
        if (JSON_NODE_HOLDS_OBJECT (member->data)
            && json_object_has_member (json_node_get_object (member->data), "files"))
          what (json_node_get_object (member->data), session);
    }
}

gboolean
es_session_file_is (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ES_SESSION_ENDING);
}

gboolean
es_session_file_write (JsonNode *root, GFile *target, GError **error)
{
  JsonArray *datasets;
  guint n;

  g_return_val_if_fail (root != NULL && JSON_NODE_HOLDS_OBJECT (root), FALSE);

  n = es_saved_get_array (json_node_get_object (root), "datasets", &datasets);
  for (guint i = 0; i < n; i++)
    {
      JsonObject *input = es_saved_get_object (es_saved_get_element (datasets, i), "input");

      if (input != NULL)
        _es_session_input_relate (input, target);
    }
  for_each_section (root, target, _es_session_input_relate);
  g_autofree char *text = es_json_to_text (root);
  return es_durable_write_text (target, text, error);
}

static gboolean
refuse (const char *name, GError **error, const char *found)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s” cannot be opened as a session: %s."), name, found);
  return FALSE;
}

/* What restoring relies on; whatever else is wrong costs no more than its own thing. */
static gboolean
check_dataset (JsonObject *dataset, const char *name, guint *n_results, GError **error)
{
  JsonArray *results;
  guint n;

  JsonObject *input = es_saved_get_object (dataset, "input");

  if (es_saved_get_string (input, "path") == NULL && es_saved_get_object (input, "machine") == NULL
      && es_saved_get_string (input, "made") == NULL)
    return refuse (name, error, _("a data set has no “input” with a “path”"));
  n = es_saved_get_array (dataset, "results", &results);
  *n_results += n;
  if (*n_results > MOST_RESULTS)
    return refuse (name, error, _("it lists more results than any session has"));
  for (guint i = 0; i < n; i++)
    if (es_saved_get_element (results, i) == NULL)
      return refuse (name, error, _("a result is no object"));
  return TRUE;
}

static gboolean
check (JsonNode *root, const char *name, GError **error)
{
  JsonObject *object = root != NULL && JSON_NODE_HOLDS_OBJECT (root) ? json_node_get_object (root) : NULL;
  const double format = es_saved_get_number (object, ES_SESSION_FORMAT_MEMBER, 0);
  JsonArray *datasets;
  guint n_results = 0, n;

  if (object == NULL || format < 1)
    return refuse (name, error, _("it has no number “eigenscope_session”"));
  if (format > ES_SESSION_FORMAT)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                   _("“%s” is a session of a later Eigenscope (format %.0f, and this one reads format %d); it is left "
                     "as it is."), name, format, ES_SESSION_FORMAT);
      return FALSE;
    }
  n = es_saved_get_array (object, "datasets", &datasets);
  if (datasets == NULL || n > MOST_DATASETS)
    return refuse (name, error, datasets == NULL ? _("it has no list “datasets”")
                                                 : _("it lists more data sets than any session has"));
  for (guint i = 0; i < n; i++)
    {
      JsonObject *dataset = es_saved_get_element (datasets, i);

      if (dataset == NULL)
        return refuse (name, error, _("a data set is no object"));
      if (!check_dataset (dataset, name, &n_results, error))
        return FALSE;
    }
  return TRUE;
}

JsonNode *
es_session_file_parse (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (JsonNode) root = es_json_parse (text, length, name, error);

  return root != NULL && check (root, name, error) ? g_steal_pointer (&root) : NULL;
}

JsonNode *
es_session_file_read (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  g_autoptr (JsonNode) root = es_json_load (file, cancellable, error);

  if (root == NULL || !check (root, name, error))
    return NULL;
  for_each_section (root, file, _es_session_input_resolve);
  return g_steal_pointer (&root);
}
