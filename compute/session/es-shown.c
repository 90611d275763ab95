/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-shown.h"

struct _EsShown
{
  GObject    parent_instance;

  EsDataset *dataset;
  EsResult  *result;
  EsLayer   *layer;
  guint      plane;
};

G_DEFINE_FINAL_TYPE (EsShown, es_shown, G_TYPE_OBJECT)

enum { PROP_0, PROP_DATASET, PROP_RESULT, PROP_LAYER, PROP_PLANE, N_PROPS };
static GParamSpec *properties[N_PROPS];

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
es_shown_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  EsShown *self = ES_SHOWN (object);

  switch (id)
    {
    case PROP_DATASET:
      g_value_set_object (value, self->dataset);
      break;
    case PROP_RESULT:
      g_value_set_object (value, self->result);
      break;
    case PROP_LAYER:
      g_value_set_object (value, self->layer);
      break;
    case PROP_PLANE:
      g_value_set_uint (value, self->plane);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_shown_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch (id)
    {
    case PROP_PLANE:
      es_shown_set_plane (ES_SHOWN (object), g_value_get_uint (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
es_shown_dispose (GObject *object)
{
  EsShown *self = ES_SHOWN (object);

  g_clear_object (&self->layer);
  g_clear_object (&self->result);
  g_clear_object (&self->dataset);
  G_OBJECT_CLASS (es_shown_parent_class)->dispose (object);
}

static void
es_shown_class_init (EsShownClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  const GParamFlags read_only = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->get_property = es_shown_get_property;
  object_class->set_property = es_shown_set_property;
  object_class->dispose = es_shown_dispose;

  properties[PROP_DATASET] = g_param_spec_object ("dataset", NULL, NULL, ES_TYPE_DATASET, read_only);
  properties[PROP_RESULT] = g_param_spec_object ("result", NULL, NULL, ES_TYPE_RESULT, read_only);
  properties[PROP_LAYER] = g_param_spec_object ("layer", NULL, NULL, ES_TYPE_LAYER, read_only);
  properties[PROP_PLANE] = g_param_spec_uint ("plane", NULL, NULL, 0, G_MAXUINT, 0,
                                              G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, ES_TYPE_RESULT);
}

static void
es_shown_init (EsShown *self)
{
}

EsShown *
es_shown_new (void)
{
  return g_object_new (ES_TYPE_SHOWN, NULL);
}

static void
set (EsShown *self, EsDataset *dataset, EsResult *result, EsLayer *layer, EsResult *replaced)
{
  GObject *object = G_OBJECT (self);

  if (dataset == self->dataset && result == self->result && layer == self->layer)
    return;
  /* Nobody hears of one before all are there. */
  g_object_freeze_notify (object);
  if (g_set_object (&self->dataset, dataset))
    g_object_notify_by_pspec (object, properties[PROP_DATASET]);
  if (g_set_object (&self->result, result))
    g_object_notify_by_pspec (object, properties[PROP_RESULT]);
  if (g_set_object (&self->layer, layer))
    g_object_notify_by_pspec (object, properties[PROP_LAYER]);
  g_object_thaw_notify (object);
  g_signal_emit (self, signals[CHANGED], 0, replaced);
}

void
es_shown_set (EsShown *self, EsDataset *dataset, EsResult *result, EsLayer *layer)
{
  g_return_if_fail (ES_IS_SHOWN (self));
  g_return_if_fail (result == NULL || es_result_get_dataset (result) == dataset);
  g_return_if_fail (layer == NULL || result != NULL);

  set (self, dataset, result, layer, NULL);
}

void
es_shown_replace (EsShown *self, EsResult *result)
{
  g_autoptr (EsResult) replaced = NULL;
  EsLayer *layer = NULL;

  g_return_if_fail (ES_IS_SHOWN (self));
  g_return_if_fail (ES_IS_RESULT (result));

  g_set_object (&replaced, self->result);
  if (self->layer != NULL)
    layer = es_result_find_layer (result, es_layer_get_name (self->layer));
  set (self, es_result_get_dataset (result), result, layer, replaced);
}

void
es_shown_set_plane (EsShown *self, guint plane)
{
  g_return_if_fail (ES_IS_SHOWN (self));

  if (plane == self->plane)
    return;
  self->plane = plane;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLANE]);
}

EsDataset *
es_shown_get_dataset (EsShown *self)
{
  g_return_val_if_fail (ES_IS_SHOWN (self), NULL);
  return self->dataset;
}

EsResult *
es_shown_get_result (EsShown *self)
{
  g_return_val_if_fail (ES_IS_SHOWN (self), NULL);
  return self->result;
}

EsLayer *
es_shown_get_layer (EsShown *self)
{
  g_return_val_if_fail (ES_IS_SHOWN (self), NULL);
  return self->layer;
}

guint
es_shown_get_plane (EsShown *self)
{
  g_return_val_if_fail (ES_IS_SHOWN (self), 0);
  return self->plane;
}

GObject *
es_shown_get_item (EsShown *self)
{
  g_return_val_if_fail (ES_IS_SHOWN (self), NULL);

  if (self->layer != NULL)
    return G_OBJECT (self->layer);
  if (self->result != NULL)
    return G_OBJECT (self->result);
  return self->dataset != NULL ? G_OBJECT (self->dataset) : NULL;
}

GObject *
es_shown_get_in_view (EsShown *self)
{
  GListModel *layers;

  g_return_val_if_fail (ES_IS_SHOWN (self), NULL);

  if (self->layer != NULL || self->result == NULL)
    return es_shown_get_item (self);
  layers = es_result_get_layers (self->result);
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      /* The result keeps it. */
      if (es_layer_get_kind (layer) == ES_LAYER_IMAGE_STACK)
        return G_OBJECT (layer);
    }
  return G_OBJECT (self->result);
}
