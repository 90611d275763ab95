/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-stage-advice.h"

G_BEGIN_DECLS

/* What was found of a step, from which its sentences are made. */
typedef struct
{
  EsBound  bound;
  double   seconds;            /* at the bound; 0: not known */
  double   amount;             /* of what binds: bytes, operations, launches */
  EsRoof   roof;
  double   ms;                 /* what is held against it: of the step, or of all joined ones */
  gboolean joined, beside;     /* judged with others; ran beside others */
  gboolean of_disk;            /* most of the samples came from one */
  EsWorkType type;
} EsStageVerdict;

/* verdicts: n. Pure. */
void es_stages_find_bounds (const EsStageTime *stages, guint n, const EsRoofs *roofs, EsStageVerdict *verdicts);

G_END_DECLS
