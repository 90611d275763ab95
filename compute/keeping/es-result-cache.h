/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "result/es-result.h"

G_BEGIN_DECLS

/*
 * Results that are kept for sessions, each in a folder of its own in the person's cache folder, written and read like
 * any saved result: what is read again is what was there, to the last bit of its images. There is a budget: what was
 * used longest ago goes first. Only what Eigenscope wrote into such a folder goes with it (es-kept-folder-private.h):
 * what somebody has put there, or leads to by a link, is neither used nor touched. Blocking, for workers; several
 * processes may use it at once.
 */
#define ES_RESULT_CACHE_BUDGET ((guint64) 4 << 30)

/* Keeps it under this name (es_kept_id_of ()), after what has to go for it. TRUE: it is there, or was already. FALSE:
 * it cannot be, or files of somebody else are in its place, ES_DATA_ERROR_WRITE; ES_DATA_ERROR_SIZE where it takes more
 * than half of the budget alone. */
gboolean  es_result_cache_keep  (EsResult *result, const char *id, guint64 budget, GCancellable *cancellable,
                                 GError **error);
/* Whether something is kept under this name. */
gboolean  es_result_cache_has   (const char *id);
/* Reads it as a result of that data set, and marks it as used. ES_DATA_ERROR where it is not there, or not of this data
 * set's content, or damaged: then it goes. Transfer full. */
EsResult *es_result_cache_load  (const char *id, EsDataset *dataset, GCancellable *cancellable, GError **error);
/* What its layers take in files, about. */
guint64   es_result_cache_size  (EsResult *result);
/* Removes what was used longest ago until the rest takes no more than that. Returns what the rest takes, bytes. */
guint64   es_result_cache_limit (guint64 bytes);

G_END_DECLS
