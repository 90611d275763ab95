/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-layer-internal.h"
#include "base/es-text-show.h"

typedef struct
{
  char *name;
  char *title;
  int   kind;                  /* EsLayerKind, or -1: the class's */
} EsLayerPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EsLayer, es_layer, G_TYPE_OBJECT)

static EsLayerPrivate *
private_of (EsLayer *self)
{
  return es_layer_get_instance_private (self);
}

static void
es_layer_finalize (GObject *object)
{
  EsLayerPrivate *priv = private_of (ES_LAYER (object));

  g_free (priv->name);
  g_free (priv->title);
  G_OBJECT_CLASS (es_layer_parent_class)->finalize (object);
}

static void
es_layer_class_init (EsLayerClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_layer_finalize;
}

static void
es_layer_init (EsLayer *self)
{
  private_of (self)->kind = -1;
}

EsLayerKind
es_layer_get_kind (EsLayer *self)
{
  g_return_val_if_fail (ES_IS_LAYER (self), ES_LAYER_TABLE);
  return private_of (self)->kind >= 0 ? (EsLayerKind) private_of (self)->kind : ES_LAYER_GET_CLASS (self)->kind;
}

void
es_layer_set_kind (EsLayer *self, EsLayerKind kind)
{
  g_return_if_fail (ES_IS_LAYER (self));
  private_of (self)->kind = kind;
}

const char *
es_layer_kind_name (EsLayerKind kind)
{
  switch (kind)
    {
    case ES_LAYER_IMAGE_STACK:
      return "image-stack";
    case ES_LAYER_CURVE:
      return "curve";
    case ES_LAYER_TABLE:
      return "table";
    case ES_LAYER_FIELD:
      return "field";
    case ES_LAYER_WATERFALL:
      return "waterfall";
    case ES_LAYER_MATRIX:
      return "matrix";
    case ES_LAYER_VERDICT:
      return "verdict";
    default:
      g_return_val_if_reached ("unknown");
    }
}

const char *
es_layer_get_name (EsLayer *self)
{
  g_return_val_if_fail (ES_IS_LAYER (self), NULL);
  return private_of (self)->name;
}

const char *
es_layer_get_title (EsLayer *self)
{
  g_return_val_if_fail (ES_IS_LAYER (self), NULL);
  return private_of (self)->title;
}

void
es_layer_set_name (EsLayer *self, const char *name, const char *title)
{
  EsLayerPrivate *priv = private_of (self);

  g_return_if_fail (ES_IS_LAYER (self));

  g_free (priv->name);
  g_free (priv->title);
  /* What opens files may not know them. */
  priv->name = g_strdup (name != NULL ? name : "layer");
  priv->title = es_text_show (title != NULL ? title : priv->name);
}
