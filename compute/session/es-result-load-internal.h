/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "es-result-load.h"

G_BEGIN_DECLS

/* For what outlives the program: results that it keeps for itself. */

/* The same as es_result_load (), of a data set that is open already and whose input is not opened again. dataset NULL:
 * it is. Otherwise the result does not count as saved. */
EsResult *es_result_load_for    (GFile *file, EsDataset *dataset, GCancellable *cancellable, GError **error);
/* "parameters" of such an object, into the table of its operation; what is missing keeps its default. FALSE: one of
 * them has a value that it cannot have. */
gboolean  es_result_load_params (JsonObject *root, EsParams *params, GError **error);

G_END_DECLS
