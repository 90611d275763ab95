/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <matio.h>

#include "es-reader-private.h"

G_BEGIN_DECLS

/* All of these are called with es_hdf_lock () held. */

/* The data of an array, all of them: matio takes what a damaged file lacks from memory that nobody has filled. */
gboolean es_mat_read_data       (EsReaderInput *input, mat_t *file, matvar_t *variable);
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
