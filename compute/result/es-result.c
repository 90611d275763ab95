/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-result-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-text-show.h"
#include "dataset/es-dataset-internal.h"
#include "layer/es-layer-internal.h"
#include "es-linear-model-internal.h"
#include "es-operation.h"

struct _EsResult
{
  GObject            parent_instance;

  /* Provenance */
  const EsOperation *operation;
  EsDataset         *dataset;
  char              *identity, *shape;         /* of the data set then: a recording may have grown since */
  EsParams          *params;
  EsDevice          *device;
  char              *device_id, *device_name;
  gboolean           automatic;
  char              *reason;
  guint              threads;
  GArray            *stages;         /* EsStageTime */
  double             total_ms;

  /* What was found */
  char              *title;
  GListStore        *layers;
  JsonObject        *values;
  GPtrArray         *warnings;       /* NULL-terminated */
  EsLinearModel     *model;

  /* For a later run */
  gpointer           state;
  GDestroyNotify     state_destroy;

  GObject           *judgement;      /* what is thought of it: the session's */
  int                saved;          /* atomic */
  gboolean           absent;

  char              *name;           /* atomic: what a person calls it; nullable */
  GPtrArray         *names;          /* all that it has had: workers may still read one */
};

enum { PROP_0, PROP_TITLE, N_PROPS };
static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (EsResult, es_result, G_TYPE_OBJECT)

static void
es_result_finalize (GObject *object)
{
  EsResult *self = ES_RESULT (object);

  g_clear_object (&self->dataset);
  g_free (self->identity);
  g_free (self->shape);
  g_clear_object (&self->params);
  g_clear_object (&self->device);
  g_free (self->device_id);
  g_free (self->device_name);
  g_free (self->reason);
  g_clear_pointer (&self->stages, g_array_unref);
  g_free (self->title);
  g_clear_object (&self->layers);
  g_clear_pointer (&self->values, json_object_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_clear_pointer (&self->model, es_linear_model_unref);
  g_clear_object (&self->judgement);
  g_clear_pointer (&self->names, g_ptr_array_unref);
  if (self->state_destroy != NULL)
    self->state_destroy (self->state);
  G_OBJECT_CLASS (es_result_parent_class)->finalize (object);
}

static void
es_result_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TITLE)
    g_value_set_string (value, es_result_get_title (ES_RESULT (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
es_result_class_init (EsResultClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_result_finalize;
  G_OBJECT_CLASS (class)->get_property = es_result_get_property;
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (class), N_PROPS, properties);
}

static void
es_result_init (EsResult *self)
{
  self->layers = g_list_store_new (ES_TYPE_LAYER);
  self->values = json_object_new ();
  self->warnings = g_ptr_array_new_with_free_func (g_free);
}

static void
set_dataset (EsResult *self, EsDataset *dataset)
{
  g_set_object (&self->dataset, dataset);
  g_free (self->identity);
  g_free (self->shape);
  self->identity = g_strdup (es_dataset_get_identity (dataset));
  self->shape = es_dataset_shape (dataset);
}

EsResult *
es_result_new (const EsOperation *operation, EsDataset *dataset, EsParams *params)
{
  EsResult *self = g_object_new (ES_TYPE_RESULT, NULL);

  self->operation = operation;
  set_dataset (self, dataset);
  self->params = es_params_copy (params);
  self->title = g_strdup (g_dgettext (GETTEXT_PACKAGE, operation->short_title));
  return self;
}

void
es_result_set_dataset (EsResult *self, EsDataset *dataset)
{
  set_dataset (self, dataset);
}

void
es_result_set_title (EsResult *self, const char *title)
{
  g_free (self->title);
  self->title = es_text_show (title);
}

void
es_result_add_layer (EsResult *self, EsLayer *layer)
{
  g_list_store_append (self->layers, layer);
}

void
es_result_add_warning (EsResult *self, const char *format, ...)
{
  va_list arguments;

  if (self->warnings->len > 0)
    g_ptr_array_set_size (self->warnings, self->warnings->len - 1);
  va_start (arguments, format);
  g_autofree char *warning = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (self->warnings, es_text_show (warning));
  g_ptr_array_add (self->warnings, NULL);
}

void
es_result_set_run (EsResult *self, EsDevice *device, guint threads, GArray *stages, double total_ms)
{
  g_set_object (&self->device, device);
  if (device != NULL)
    es_result_set_device_text (self, es_device_get_id (device), es_device_get_name (device));
  self->threads = threads;
  g_clear_pointer (&self->stages, g_array_unref);
  self->stages = g_array_ref (stages);
  self->total_ms = total_ms;
}

void
es_result_set_choice (EsResult *self, const char *reason)
{
  self->automatic = TRUE;
  g_free (self->reason);
  self->reason = es_text_show (reason);
}

void
es_result_set_device_text (EsResult *self, const char *id, const char *name)
{
  g_free (self->device_id);
  g_free (self->device_name);
  self->device_id = es_text_show (id);
  self->device_name = es_text_show (name);
}

void
es_result_set_values (EsResult *self, JsonObject *values)
{
  json_object_unref (self->values);
  self->values = values;
}

void
es_result_set_model (EsResult *self, EsLinearModel *model)
{
  g_clear_pointer (&self->model, es_linear_model_unref);
  self->model = model;
}

const EsLinearModel *
es_result_get_model (EsResult *self)
{
  return self->model;
}

void
es_result_set_state (EsResult *self, gpointer state, GDestroyNotify destroy)
{
  self->state = state;
  self->state_destroy = destroy;
}

gpointer
es_result_get_state (EsResult *self)
{
  return self->state;
}

void
es_result_take_judgement (EsResult *self, GObject *judgement)
{
  g_set_object (&self->judgement, judgement);
  g_object_unref (judgement);
}

GObject *
es_result_get_judgement (EsResult *self)
{
  return self->judgement;
}

void
es_result_set_saved (EsResult *self)
{
  g_return_if_fail (ES_IS_RESULT (self));
  g_atomic_int_set (&self->saved, TRUE);
}

gboolean
es_result_is_saved (EsResult *self)
{
  g_return_val_if_fail (ES_IS_RESULT (self), FALSE);
  return g_atomic_int_get (&self->saved);
}

const EsOperation *
es_result_get_operation (EsResult *self)
{
  return self->operation;
}

EsDataset *
es_result_get_dataset (EsResult *self)
{
  return self->dataset;
}

EsParams *
es_result_get_params (EsResult *self)
{
  return self->params;
}

EsDevice *
es_result_get_device (EsResult *self)
{
  return self->device;
}

const char *
es_result_get_device_id (EsResult *self)
{
  return self->device_id;
}

const char *
es_result_get_device_name (EsResult *self)
{
  return self->device_name;
}

const char *
es_result_get_device_reason (EsResult *self)
{
  return self->reason;
}

gboolean
es_result_is_device_automatic (EsResult *self)
{
  return self->automatic;
}

guint
es_result_get_threads (EsResult *self)
{
  return self->threads;
}

const char *
es_result_get_title (EsResult *self)
{
  const char *name = g_atomic_pointer_get (&self->name);

  return name != NULL ? name : self->title;
}

const char *
es_result_get_found_title (EsResult *self)
{
  return self->title;
}

const char *
es_result_get_name (EsResult *self)
{
  return g_atomic_pointer_get (&self->name);
}

void
es_result_set_name (EsResult *self, const char *name)
{
  g_autofree char *shown = name != NULL ? g_strstrip (es_text_show (name)) : NULL;

  g_return_if_fail (ES_IS_RESULT (self));

  if (shown != NULL && *shown == '\0')
    g_clear_pointer (&shown, g_free);
  if (g_strcmp0 (shown, self->name) == 0)
    return;
  if (self->names == NULL)
    self->names = g_ptr_array_new_with_free_func (g_free);
  g_atomic_pointer_set (&self->name, shown);
  if (shown != NULL)
    g_ptr_array_add (self->names, g_steal_pointer (&shown));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

void
es_result_set_absent (EsResult *self)
{
  self->absent = TRUE;
}

gboolean
es_result_is_absent (EsResult *self)
{
  g_return_val_if_fail (ES_IS_RESULT (self), FALSE);
  return self->absent;
}

GListModel *
es_result_get_layers (EsResult *self)
{
  return G_LIST_MODEL (self->layers);
}

EsLayer *
es_result_find_layer (EsResult *self, const char *name)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->layers)); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (G_LIST_MODEL (self->layers), i);
      if (g_strcmp0 (es_layer_get_name (layer), name) == 0)
        return layer;
    }
  return NULL;
}

const EsStageTime *
es_result_get_stages (EsResult *self, guint *n)
{
  *n = self->stages != NULL ? self->stages->len : 0;
  return self->stages != NULL ? (const EsStageTime *) self->stages->data : NULL;
}

double
es_result_get_total_ms (EsResult *self)
{
  return self->total_ms;
}

JsonObject *
es_result_get_values (EsResult *self)
{
  return self->values;
}

EsSelection *
es_result_dup_selection (EsResult *self)
{
  JsonNode *node = json_object_get_member (self->values, "selection");

  return node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? es_selection_from_node (node, NULL) : NULL;
}

gboolean
es_result_load_selection (EsResult *self, JsonNode *node, GError **error)
{
  g_autoptr (EsSelection) selection = JSON_NODE_HOLDS_NULL (node) ? NULL : es_selection_from_node (node, error);

  if (selection == NULL && !JSON_NODE_HOLDS_NULL (node))
    return FALSE;
  json_object_set_member (self->values, "selection", json_node_copy (node));
  return TRUE;
}

const char * const *
es_result_get_warnings (EsResult *self)
{
  return self->warnings->len > 0 ? (const char * const *) self->warnings->pdata : NULL;
}

static gboolean
are_judged (const EsStageTime *stages, guint n)
{
  for (guint i = 0; i < n; i++)
    if (stages[i].advice != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
are_shared (const EsStageTime *stages, guint n)
{
  for (guint i = 0; i < n; i++)
    if (stages[i].processes.n > 1)
      return TRUE;
  return FALSE;
}

EsTable *
es_result_make_step_table (EsResult *self)
{
  EsTable *table = es_table_new ("steps", _("Steps"));
  guint n;
  const EsStageTime *stages = es_result_get_stages (self, &n);
  const gboolean judged = are_judged (stages, n), shared = are_shared (stages, n);
  const double whole = 100, none = NAN;

  es_table_add_column (table, _("Step"), NULL, -1);
  es_table_add_column (table, _("Time"), "ms", 1);
  es_table_add_column (table, _("Share"), "%", 1);
  if (shared)
    {
      es_table_add_column (table, _("Least"), "ms", 1);
      es_table_add_column (table, _("Mean"), "ms", 1);
      es_table_add_column (table, _("Greatest"), "ms", 1);
      es_table_add_column (table, _("Waiting"), "%", 1);
    }
  if (judged)
    es_table_add_column (table, _("Bound by"), NULL, -1);
  for (guint i = 0; i < n; i++)
    {
      double share = self->total_ms > 0 ? 100 * stages[i].ms / self->total_ms : 0;
      g_autofree char *bound = es_stage_time_describe_bound (&stages[i]);

      if (shared)
        {
          const EsStageProcesses *of = &stages[i].processes;
          const double waiting = 100 * of->waiting;

          es_table_add_row (table, (gconstpointer[]) { stages[i].title, &stages[i].ms, &share, &of->least_ms,
                                                       &of->mean_ms, &of->greatest_ms, &waiting, bound });
        }
      else
        es_table_add_row (table, (gconstpointer[]) { stages[i].title, &stages[i].ms, &share, bound });
    }
  if (shared)
    es_table_add_row (table, (gconstpointer[]) { _("Total"), &self->total_ms, &whole, &none, &none, &none, &none, "" });
  else
    es_table_add_row (table, (gconstpointer[]) { _("Total"), &self->total_ms, &whole, "" });
  return table;
}

char **
es_result_list_advice (EsResult *self)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  guint n;
  const EsStageTime *stages = es_result_get_stages (self, &n);

  for (guint i = 0; i < n; i++)
    if (stages[i].advice != NULL)
      /* TRANSLATORS: a step, and what is to be said of it: "Covariance: 1.9 times its bound, ...". */
      g_ptr_array_add (list, g_strdup_printf (_("%s: %s"), stages[i].title, stages[i].advice));
  if (list->len == 0)
    return NULL;
  g_ptr_array_add (list, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&list), FALSE);
}

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

static void
append_source (GString *line, EsDataset *dataset, EsParams *params, JsonObject *values)
{
  _es_dataset_append_input_of (dataset, line, values);
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (es_params_is_visible (params, spec->key) && !es_params_is_key_default (params, spec->key))
      {
        g_autofree char *value = es_params_format (params, spec->key);
        g_autofree char *quoted = g_shell_quote (value);
        g_string_append_printf (line, " %s=%s", spec->key, es_param_type_is_text (spec->type) ? quoted : value);
      }
}

void
es_result_append_source (GString *line, EsDataset *dataset, EsParams *params)
{
  append_source (line, dataset, params, NULL);
}

static char *
make_command (const EsOperation *operation, EsDataset *dataset, EsParams *params, const char *device_id,
              JsonObject *values)
{
  g_autoptr (GString) line = g_string_new ("eigenscope-batch run ");

  g_string_append_printf (line, "%s ", operation->id);
  _es_dataset_append_files (dataset, line);
  g_string_append_printf (line, " -o %s-result", operation->id);
  if (device_id != NULL)
    {
      /* A loaded result may be forged. */
      const gboolean plain = strspn (device_id, "abcdefghijklmnopqrstuvwxyz0123456789:") == strlen (device_id);
      g_autofree char *quoted_id = g_shell_quote (device_id);
      g_string_append_printf (line, " --device %s", plain ? device_id : quoted_id);
    }

  append_source (line, dataset, params, values);
  return g_string_free (g_steal_pointer (&line), FALSE);
}

char *
es_operation_to_command (const EsOperation *operation, EsDataset *dataset, EsParams *params, const char *device_id)
{
  return make_command (operation, dataset, params, device_id, NULL);
}

char *
es_result_to_command (EsResult *self)
{
  return make_command (self->operation, self->dataset, self->params, self->device_id, self->values);
}
