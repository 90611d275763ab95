/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-params.h"

G_BEGIN_DECLS

/* The parameter table of `simulate cube`: width, height, bands, seed, type, interleave, noise ... */
extern const EsParamSpec es_simulate_cube_params[];

/*
 * Writes a synthetic cube as ENVI at target (and target's .hdr), and beside it the truths: <stem>_abundances
 * (ENVI) and <stem>_endmembers.csv. Deterministic: the same parameters give the same bytes. Streams by rows:
 * any size up to the disk's. Blocking. progress is nullable. Errors as the writers'; G_IO_ERROR_CANCELLED
 * leaves nothing behind.
 */
gboolean es_simulate_cube (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data),
                           gpointer data, GCancellable *cancellable, GError **error);

/* The parameter table of `simulate matrix`: name (es_sparse_matrix_make ()). */
extern const EsParamSpec es_simulate_matrix_params[];

/* Writes a sparse matrix in Matrix Market's form at target, which ends in .mtx, or .mtx.gz to be compressed. Otherwise
 * as es_simulate_cube (). */
gboolean es_simulate_matrix (GFile *target, EsParams *params, void (*progress) (double fraction, gpointer data),
                             gpointer data, GCancellable *cancellable, GError **error);

G_END_DECLS
