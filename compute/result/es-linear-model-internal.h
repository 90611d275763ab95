/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-linear-model.h"

G_BEGIN_DECLS

/* "model" of result.json: numbers with all their digits. Transfer full. */
JsonNode      *es_linear_model_to_json   (const EsLinearModel *self);
/* NULL where the object is none of a cube of that many bands: sizes that contradict each other, numbers that are not
 * finite. Transfer full. */
EsLinearModel *es_linear_model_from_json (JsonObject *object, guint n_cube_bands);

/* What result.json says of a result with a model, without its layers and its cube. */
typedef struct
{
  EsLinearModel *model;        /* NULL: it has none, or none of this many bands */
  gboolean       wrong;        /* it has one, but damaged, or of another number of bands */
  char          *operation, *title;
  char          *identity, *shape;      /* of its input; nullable */
  JsonNode      *selection;    /* what took part: member "selection" of its values; nullable */
  JsonNode      *metadata;     /* what its cube was told: member "metadata"; nullable */
} EsSavedModel;

/* Blocking. FALSE: it is no saved result (ES_DATA_ERROR_FORMAT), or cannot be read. Everything is transfer full. */
gboolean       es_result_load_model      (GFile *file, guint n_cube_bands, EsSavedModel *saved,
                                          GCancellable *cancellable, GError **error);

G_END_DECLS
