/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-covariance.h"
#include "job/es-job-internal.h"

G_BEGIN_DECLS

/*
 * Covariance sums of one pass, of several processes where there are several: totals that are the same bytes for any
 * number of them. Integers are added in any order; float64 by groups of tiles (EsPass.group_done), in theirs.
 */
#define ES_SHARED_SUMS_MOST 10

typedef struct
{
  guint          n;
  EskCovariance *totals[ES_SHARED_SUMS_MOST];
  gboolean       grouped;                  /* float64, of the CPU */
  EskCovariance  group[ES_SHARED_SUMS_MOST];           /* of the group under way */
  double       **kept;                     /* ES_PASS_GROUPS: those of this process, until all are brought together;
                                            * NULL: whole numbers, or one process */
} EsSharedSums;

/* totals: n of them, empty, which stay the caller's; all exact, or none. ES_COMPUTE_ERROR_MEMORY. */
gboolean       es_shared_sums_init       (EsSharedSums *self, EsJob *job, EskCovariance *const *totals, guint n,
                                          GError **error);
void           es_shared_sums_clear      (EsSharedSums *self);
/* Where the sums of a tile are merged into; those of the total i. */
EskCovariance *es_shared_sums_get        (EsSharedSums *self, guint i);
/* EsPass.group_done. */
gboolean       es_shared_sums_group_done (EsSharedSums *self, guint group, GError **error);
/* EsPass.restart. */
void           es_shared_sums_forget     (EsSharedSums *self);
/* After the pass: the totals are those of all processes. */
gboolean       es_shared_sums_finish     (EsSharedSums *self, GError **error);

G_END_DECLS
