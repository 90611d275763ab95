/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A result as result.json tells it. */

#include "es-result-private.h"

#include "dataset/es-dataset-internal.h"

static void
set_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

void
es_result_add_parameters (EsResult *self, JsonBuilder *builder)
{
  json_builder_set_member_name (builder, "parameters");
  json_builder_begin_object (builder);
  for (const EsParamSpec *spec = es_params_get_specs (self->params); spec->type != ES_PARAM_END; spec++)
    {
      json_builder_set_member_name (builder, spec->key);
      switch (spec->type)
        {
        case ES_PARAM_FLOAT:
          json_builder_add_double_value (builder, es_params_get_float (self->params, spec->key));
          break;
        case ES_PARAM_INT:
          json_builder_add_int_value (builder, es_params_get_int (self->params, spec->key));
          break;
        case ES_PARAM_BOOL:
          json_builder_add_boolean_value (builder, es_params_get_bool (self->params, spec->key));
          break;
        case ES_PARAM_TEXT:
        case ES_PARAM_FILE:
        case ES_PARAM_REGION:
          json_builder_add_string_value (builder, es_params_get_text (self->params, spec->key));
          break;
        case ES_PARAM_CHOICE:
        case ES_PARAM_END:
        default:
          json_builder_add_string_value (builder, es_params_get_choice_id (self->params, spec->key));
        }
    }
  json_builder_end_object (builder);
}

JsonNode *
es_result_to_json (EsResult *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  GFile *file = es_dataset_get_file (self->dataset);
  g_autofree char *path = file != NULL ? _es_dataset_name_place (file) : NULL;
  const char * const *warnings = es_result_get_warnings (self);

  json_builder_begin_object (builder);
  set_string (builder, "operation", self->operation->id);
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, self->operation->version);
  set_string (builder, "title", self->title);
  if (es_result_get_name (self) != NULL)
    set_string (builder, "name", es_result_get_name (self));
  set_string (builder, "software", "Eigenscope " ES_VERSION);
  es_result_add_parameters (self, builder);

  json_builder_set_member_name (builder, "input");
  json_builder_begin_object (builder);
  set_string (builder, "path", path);
  set_string (builder, "identity", self->identity);
  set_string (builder, "shape", self->shape);
  _es_dataset_add_input_of (self->dataset, builder, self->values);
  json_builder_end_object (builder);

  json_builder_set_member_name (builder, "device");
  json_builder_begin_object (builder);
  set_string (builder, "id", self->device_id);
  set_string (builder, "name", self->device_name);
  json_builder_set_member_name (builder, "threads");
  json_builder_add_int_value (builder, self->threads);
  set_string (builder, "chosen", self->automatic ? "automatic" : "by hand");
  if (self->reason != NULL)
    set_string (builder, "reason", self->reason);
  json_builder_end_object (builder);

  json_builder_set_member_name (builder, "stages");
  json_builder_begin_array (builder);
  guint n;
  const EsStageTime *stages = es_result_get_stages (self, &n);
  for (guint i = 0; i < n; i++)
    {
      json_builder_begin_object (builder);
      set_string (builder, "name", stages[i].name);
      set_string (builder, "title", stages[i].title);
      json_builder_set_member_name (builder, "ms");
      json_builder_add_double_value (builder, stages[i].ms);
      json_builder_set_member_name (builder, "share");
      json_builder_add_double_value (builder, self->total_ms > 0 ? stages[i].ms / self->total_ms : 0);
      es_stage_time_write (&stages[i], builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "total_ms");
  json_builder_add_double_value (builder, self->total_ms);

  json_builder_set_member_name (builder, "warnings");
  json_builder_begin_array (builder);
  for (guint i = 0; warnings != NULL && warnings[i] != NULL; i++)
    json_builder_add_string_value (builder, warnings[i]);
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "values");
  JsonNode *values = json_node_alloc ();
  json_node_init_object (values, self->values);
  json_builder_add_value (builder, values);
  if (self->model != NULL)
    {
      json_builder_set_member_name (builder, "model");
      json_builder_add_value (builder, es_linear_model_to_json (self->model));
    }
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
