/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-result-load.h"

G_BEGIN_DECLS

/* What is being opened. */
typedef struct
{
  const char   *name;          /* of result.json, for messages */
  GFile        *directory;
  GCancellable *cancellable;
} EsResultLoading;

/* All of "layers", added to the result. */
gboolean  es_result_load_layers  (EsResultLoading *loading, JsonObject *root, EsResult *result, GError **error);
/* One matrix of "layers" of the result.json in a folder. Transfer full. */
EsLayer  *es_result_load_matrix  (JsonObject *object, GFile *directory, GError **error);
/* A field or waterfall of "layers" from its file, HDF5 or text; long ones stay there. array: the JSON of the result's
 * array, which layers do not repeat (nullable). Transfer full. */
EsLayer  *es_result_load_field   (JsonObject *object, const char *array, GFile *file, GCancellable *cancellable,
                                  GError **error);
/* A table of "layers" that tells its columns. Transfer full. */
EsLayer  *es_result_load_table   (JsonObject *object, GFile *file, GCancellable *cancellable, GError **error);

G_END_DECLS
