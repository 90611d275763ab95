/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-reduction-operations-internal.h"
#include "es-reduction-internal.h"

G_BEGIN_DECLS

/*
 * The result: layers, values, warnings and the model. basis: m x n, what the stack is projected with. Thousands of
 * numbers are told, which a thread of its own does while the pixels are projected: what is given stays as it is until
 * the end.
 */
typedef struct _EsPcaDescription EsPcaDescription;
EsPcaDescription *es_pca_describe_start  (EsCube *cube, EsParams *params, EsReduction *found, const double *basis,
                                          guint m);
/* Waits; frees it. Transfer full. stack: NULL where there is none, and then there is no result. */
EsResult         *es_pca_describe_finish (EsPcaDescription *self, EsImageStack *stack);

/* "PC 1" of the component 0, translated. Transfer full. */
char             *es_pca_dup_title       (guint i);

G_END_DECLS
