/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-reduction-operations-internal.h"
#include "es-reduction-private.h"

G_BEGIN_DECLS

/* The result: layers, values, warnings and the model. basis: m x n, what the stack was projected with.
 * Transfer full. */
EsResult *es_pca_describe (EsCube *cube, EsParams *params, EsImageStack *stack, EsReduction *found,
                           const double *basis, guint m);

G_END_DECLS
