/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-lab-experiments-internal.h"
#include "es-lab-operations-internal.h"
#include "ladder/es-ladder-climb-internal.h"

G_BEGIN_DECLS

/* The plan () and run () of all ladders: which one is the operation's. */
EsPlan    es_lab_ladder_plan (EsDataset *dataset, EsParams *values, EsDevice *device, const EsLimits *limits);
EsResult *es_lab_ladder_run  (EsJob *job, EsDataset *dataset, EsParams *params, GError **error);

/* What reading memory and a large cache, and arithmetic of each type, reach on the machine. threads: of a processor, 0:
 * all. FALSE: cancelled, or what the machine said; what it does not have is left out. */
gboolean  es_lab_ladder_measure_roofs (EsProbing *probing, EsLadderClimb *climb, guint threads, GError **error);

/* The layers: rungs, what carries the roofs, threads (where they were swept), the verdict. */
void      es_lab_ladder_publish (const EsLadderClimb *climb, EsResult *result);
EsVerdict *es_lab_ladder_make_verdict (const EsLadderClimb *climb);                     /* transfer full */

G_END_DECLS
