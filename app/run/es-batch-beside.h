/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"
#include "writers/es-writer.h"

G_BEGIN_DECLS

/*
 * What is written beside a result. What somebody else has under such a name is kept beside it, and named: notes (of
 * char *) gets the sentences.
 */

/* Of "health": the recording's array with what it found put right, as path. */
gboolean es_batch_beside_mended    (EsResult *result, const char *path, GPtrArray *notes, GError **error);
/* Three of its images as a picture in its folder, as es_batch_composite_write () does it; PNG, or GeoTIFF where its
 * images are that. Blocking. */
gboolean es_batch_beside_composite (EsResult *result, EsParams *composite, GFile *directory, EsStackFormat format,
                                    GPtrArray *notes, GCancellable *cancellable, GError **error);
/* Of a climbed ladder: its pages, in its folder. */
gboolean es_batch_beside_ladder    (EsResult *result, GFile *directory, GPtrArray *notes, GCancellable *cancellable,
                                    GError **error);

G_END_DECLS
