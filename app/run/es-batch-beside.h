/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"
#include "writers/es-writer.h"

G_BEGIN_DECLS

/*
 * What is written beside a result. What somebody else has under such a name is kept beside it, and named: notes (of
 * char *) gets the sentences.
 */

/* Before anything is computed: FALSE where that array cannot be mended, or not saved as path beside the result in
 * directory (nullable). */
gboolean es_batch_beside_check_mended (EsDataset *dataset, const char *path, GFile *directory, GError **error);
/* Of "health": the recording's array with what it found put right, as path. */
gboolean es_batch_beside_mended    (EsResult *result, const char *path, GFile *directory, GPtrArray *notes,
                                    GError **error);
/* Before anything is computed: FALSE where no such picture can be saved there. */
gboolean es_batch_beside_check_composite (GFile *directory, EsStackFormat format, GError **error);
/* Three of its images as a picture in its folder, as es_batch_composite_write () does it; PNG, or GeoTIFF where its
 * images are that. Blocking. */
gboolean es_batch_beside_composite (EsResult *result, EsParams *composite, GFile *directory, EsStackFormat format,
                                    GPtrArray *notes, GCancellable *cancellable, GError **error);
/* Of a climbed ladder: its pages, in its folder. */
gboolean es_batch_beside_ladder    (EsResult *result, GFile *directory, GPtrArray *notes, GCancellable *cancellable,
                                    GError **error);

/* What is said where one of these could not be done: that the result was saved, and where (directory, nullable: it was
 * not), and what is missing (option: "--rgb"). What was wrong with a name that only the data tell is a fault of what is
 * written by then, ES_DATA_ERROR_WRITE. A cancellation stays one. */
void     es_batch_beside_tell_saved (GFile *directory, const char *option, GError **error);

G_END_DECLS
