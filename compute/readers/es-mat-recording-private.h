/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "claims/es-claim-file-internal.h"
#include "es-reader-private.h"
#include "libraries/es-matio-library-internal.h"

G_BEGIN_DECLS

/* All of these are called with es_hdf_lock () held. */

/* FALSE: no full array of real numbers. */
gboolean es_mat_get_type        (const matvar_t *variable, EskType *type);
/* The data of an array, all of them: matio takes what a damaged file lacks from memory that nobody has filled. Gives
 * the lock up for a while. */
gboolean es_mat_read_data       (EsReaderInput *input, mat_t *file, matvar_t *variable);
/* A file without a name, of version 5 as that one up to `end`, but for these ranges (of EsClaimRange, ascending); to be
 * closed. -1 with a sentence. Without the lock. */
int      es_mat_copy_without    (EsClaimFile *file, guint64 end, GArray *left_out, GError **error);
/* A number beside the arrays that is a sampling rate ("fs", "sample_rate" ...), or 0. */
double   es_mat_find_rate       (EsReaderInput *input, mat_t *file);
/*
 * An array of two axes as a recording: the longer axis is time. Arrays of version 7.3 are read by block, older ones are
 * loaded; variable: without data yet; transfer full. Fills info; a sentence where it cannot be one.
 */
gboolean es_mat_load_recording  (EsReaderInput *input, mat_t *file, matvar_t *variable, double rate,
                                 EsRecordingInfo *info, GError **error);

/* FALSE with a sentence where an array of so many bytes cannot be loaded (es-reader-mat.c). */
gboolean es_mat_check_memory    (EsReaderInput *input, guint64 bytes, GError **error);

G_END_DECLS
