/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cluster-choice.h"

G_BEGIN_DECLS

/* What sessions keep of a choice: operation, shape, array, parameters, cluster and figures that were changed. Data that
 * are open are not part of it. Transfer full. */
JsonNode *es_cluster_choice_tell (EsClusterChoice *self);
/* It may come from anybody's file: what is none of that is left out. */
void      es_cluster_choice_take (EsClusterChoice *self, JsonNode *told);

G_END_DECLS
