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
  EsDataset    *dataset;       /* that it is of, open already; NULL: its input is opened */
} EsResultLoading;

/* Curves, matrices and tables; numbers of them fill arrays of GLib, which end the program above 4 GiB. */
#define ES_RESULT_LARGEST_TEXT ((gsize) 256 << 20)
/* The next line of a text that is not empty, in place: *rest goes behind it. NULL: there is none. */
char     *es_result_next_line    (char **rest);

/* All of "layers", added to the result. Those that cannot be read are left out, with a warning each, where others can.
 */
gboolean  es_result_load_layers  (EsResultLoading *loading, JsonObject *root, EsResult *result, GError **error);
/* One matrix of "layers" of the result.json in a folder. Transfer full. */
EsLayer  *es_result_load_matrix  (JsonObject *object, GFile *directory, GError **error);
/* A field or waterfall of "layers" from its file, HDF5 or text; long ones stay there. array: the JSON of the result's
 * array, which layers do not repeat (nullable). Transfer full. */
EsLayer  *es_result_load_field   (JsonObject *object, const char *array, GFile *file, GCancellable *cancellable,
                                  GError **error);
/* Reads what a field's file of HDF5 holds, at its beginning and end, and makes nothing of it: in the helper of
 * rehearsals. */
void      es_result_try_field    (const char *path);
/* A table of "layers" that tells its columns. Transfer full. */
EsLayer  *es_result_load_table   (JsonObject *object, GFile *file, GCancellable *cancellable, GError **error);
/* A verdict, from its description in result.json. Transfer full. */
EsLayer  *es_result_load_verdict (EsResultLoading *loading, JsonObject *object, GError **error);

G_END_DECLS
