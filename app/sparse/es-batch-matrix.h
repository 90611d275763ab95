/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "matrix/es-sparse-matrix.h"

G_BEGIN_DECLS

/* Of "poisson2d:1000x1000", where no file here is called so. is_one: it was such a name, or another "word:", of which
 * error tells the words that there are. Transfer full. */
EsDataset *es_batch_matrix_make  (GPtrArray *files, gboolean *is_one, GCancellable *cancellable, GError **error);
/* "info" of one. */
void       es_batch_matrix_print (EsSparseMatrix *matrix);
JsonNode  *es_batch_matrix_json  (EsSparseMatrix *matrix);

G_END_DECLS
