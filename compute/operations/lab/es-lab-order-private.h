/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab-experiments-internal.h"

G_BEGIN_DECLS

/* What a processor has in place of a warp: a vector that is gathered lane by lane, for which caches take the place of
 * memories. */
gboolean es_lab_order_measure_vectors (EsExperimentRun *run, GError **error);
#define ES_LAB_ORDER_VECTOR_PROBES 31
extern const EsFindingsGroup es_lab_order_by_footprint;

/* Figures of one row that begins some bytes late, into a group of their own, and what they say; boundary: in bytes, of
 * which the sentence speaks. */
gboolean es_lab_order_measure_offsets (EsExperimentRun *run, guint boundary, GError **error);

/* The names of the patterns in global memory: in order, shuffled, apart. */
extern const char *const es_lab_order_patterns[3];
#define ES_LAB_ORDER_BYTES ((guint64) 1 << 20)

G_END_DECLS
