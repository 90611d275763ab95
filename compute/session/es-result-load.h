/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * Opens a saved result: its result.json (DESIGN section 7), the layers beside it and the data set it came from. What a
 * later run could use again is not saved: the next run computes everything. Files that are not those that it was saved
 * with (of large ones some blocks are looked at) and layers that cannot be read, which are left out, are told among the
 * result's warnings. Blocking. Errors: ES_DATA_ERROR, and those of es_dataset_open (). Transfer full.
 */
EsResult          *es_result_load          (GFile *file, GCancellable *cancellable, GError **error);
void               es_result_load_async    (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                                            gpointer user_data);
EsResult          *es_result_load_finish   (GAsyncResult *result, GError **error);

G_END_DECLS
