/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-metadata.h"

G_BEGIN_DECLS

/*
 * What another file tells of the bands of a cube: a text of wavelengths (es_band_table_load ()), what was told of
 * another cube (*.metadata.json, of the same shape), or another cube of as many bands. To be told of this one. *guessed
 * (nullable): the unit of a text's wavelengths is no more than a guess. ES_DATA_ERROR: one sentence that names the
 * file. Blocking. Transfer full.
 */
EsMetadata *es_cube_import_metadata        (EsCube *self, GFile *file, gboolean *guessed, GCancellable *cancellable,
                                            GError **error);
void        es_cube_import_metadata_async  (EsCube *self, GFile *file, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
EsMetadata *es_cube_import_metadata_finish (GAsyncResult *result, gboolean *guessed, GError **error);

G_END_DECLS
