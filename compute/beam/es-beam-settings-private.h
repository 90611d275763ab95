/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-beam-params-internal.h"

G_BEGIN_DECLS

/* Where there are fewer snapshots than elements (sonar.md 6.1). */
#define ES_ADAPTIVE_LOADING_FEW 0.1
/* What forgets begins anew with at most so many blocks. */
#define ES_ADAPTIVE_MOST_PRIMING 64

/* The adaptive part of settings whose bands, snapshots and directions are there: from a table with its rows. */
gboolean es_adaptive_settings_read  (EsBeamSettings *self, EsParams *params, guint n_alive, GError **error);
/* Whether it can be: ES_COMPUTE_ERROR_PARAMETER. */
gboolean es_adaptive_settings_check (const EsBeamSettings *self, guint n_alive, GError **error);
/* Of a block, in float64. method: not AUTO. */
double   es_adaptive_settings_get_flops (const EsBeamSettings *self, EsAdaptiveMethod method, guint n_alive);
/* The same beams, but for method, loading, sources and eigenvalues of adaptive ones, and for what does not matter for
 * them (library). */
gboolean es_beam_settings_equal_beams (const EsBeamSettings *a, const EsBeamSettings *b);

G_END_DECLS
