/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-keep.h"

#include "base/es-json.h"

/* ---- telling ---- */

/* Those that are not as usual, as the command line has them. */
static JsonObject *
tell_params (EsParams *params)
{
  const EsParamSpec *specs = es_params_get_specs (params);
  JsonObject *object = json_object_new ();

  for (guint i = 0; specs[i].type != ES_PARAM_END; i++)
    if (!es_params_is_key_default (params, specs[i].key))
      {
        g_autofree char *text = es_params_format (params, specs[i].key);

        json_object_set_string_member (object, specs[i].key, text);
      }
  return object;
}

JsonNode *
es_cluster_choice_tell (EsClusterChoice *self)
{
  JsonObject *object = json_object_new ();
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  const EsCluster *told = es_cluster_choice_get_told (self);
  const char *source = es_cluster_choice_get_source (self);

  json_object_set_string_member (object, "operation", es_cluster_choice_get_operation (self));
  json_object_set_string_member (object, "shape", es_cluster_choice_get_shape (self));
  json_object_set_string_member (object, "array", es_cluster_choice_get_array (self));
  json_object_set_object_member (object, "params", tell_params (es_cluster_choice_get_params (self)));
  json_object_set_string_member (object, "source", source);
  /* A file may not be there any more, nor this be the machine. */
  if (told != NULL)
    {
      json_object_set_member (object, "cluster", es_cluster_to_json (told));
      json_object_set_object_member (object, "figures", tell_params (es_cluster_choice_get_figures (self)));
    }
  json_node_take_object (node, object);
  return node;
}

/* ---- taking ---- */

static const char *
get_text (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

static void
take_params (EsParams *params, JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);
  const EsParamSpec *specs = es_params_get_specs (params);

  for (guint i = 0; node != NULL && JSON_NODE_HOLDS_OBJECT (node) && specs[i].type != ES_PARAM_END; i++)
    {
      const char *text = get_text (json_node_get_object (node), specs[i].key);

      if (text != NULL)
        es_params_parse (params, specs[i].key, text, NULL);
    }
}

static void
take_cluster (EsClusterChoice *self, JsonObject *object)
{
  JsonNode *node = json_object_get_member (object, "cluster");
  g_autofree char *text = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? es_json_to_text (node) : NULL;
  const char *source = get_text (object, "source");
  EsCluster *cluster = text != NULL && source != NULL ? es_cluster_parse (text, "session", NULL, NULL) : NULL;

  if (cluster == NULL)
    return;
  es_cluster_choice_set_cluster (self, cluster, source);
  take_params (es_cluster_choice_get_figures (self), object, "figures");
}

void
es_cluster_choice_take (EsClusterChoice *self, JsonNode *told)
{
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;
  const char *operation = object != NULL ? get_text (object, "operation") : NULL;
  const char *shape, *array;

  if (operation == NULL || !g_strv_contains (es_cluster_work_list (), operation))
    return;
  es_cluster_choice_set_operation (self, operation);
  if ((shape = get_text (object, "shape")) != NULL)
    es_cluster_choice_set_shape (self, shape);
  if ((array = get_text (object, "array")) != NULL)
    es_cluster_choice_set_array (self, array);
  take_params (es_cluster_choice_get_params (self), object, "params");
  take_cluster (self, object);
}
