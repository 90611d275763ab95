/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-result-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-text-show.h"
#include "dataset/es-dataset-internal.h"

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
