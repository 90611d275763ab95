/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * What a result consists of. Views know layer kinds, not operations. Immutable once their result is published.
 */
typedef enum
{
  ES_LAYER_IMAGE_STACK,
  ES_LAYER_CURVE,
  ES_LAYER_TABLE,
  ES_LAYER_FIELD,              /* rows x columns of powers over two axes */
  ES_LAYER_WATERFALL,          /* the same, rows in time */
  ES_LAYER_MATRIX,             /* rows x columns of float64, a heat map */
  ES_LAYER_VERDICT,            /* what follows from numbers, as sentences */
} EsLayerKind;

#define ES_TYPE_LAYER (es_layer_get_type ())
G_DECLARE_DERIVABLE_TYPE (EsLayer, es_layer, ES, LAYER, GObject)
struct _EsLayerClass
{
  GObjectClass parent_class;
  EsLayerKind  kind;
};

EsLayerKind  es_layer_get_kind      (EsLayer *self);
const char  *es_layer_kind_name     (EsLayerKind kind);      /* "image-stack", "curve", "table": in result.json */
const char  *es_layer_get_name      (EsLayer *self);         /* "components": file name and result.json */
const char  *es_layer_get_title     (EsLayer *self);         /* translated, for people */

G_END_DECLS
