/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-covariance.h"
#include "es-job-internal.h"

G_BEGIN_DECLS

/*
 * Covariance sums of one pass, of several processes where there are several: totals that are the same bytes for any
 * number of them. Integers are added in any order; float64 by groups of tiles (EsPass.group_done), in theirs.
 */
#define ES_SHARED_SUMS_MOST 10
#define ES_SHARED_SUMS_FLAGS 3

typedef struct
{
  guint          n;
  EskCovariance *totals[ES_SHARED_SUMS_MOST];
  gboolean       grouped;                  /* float64, of the CPU */
  EskCovariance  group[ES_SHARED_SUMS_MOST];           /* of the group under way */
  gboolean       apart;                    /* groups stay apart until all are brought together: there are several
                                            * processes, or there were some before */
  double       **kept;                     /* grouped: ES_PASS_GROUPS; those of this process, packed */
  int           *flags[ES_SHARED_SUMS_FLAGS];          /* what else a pass finds, atomic: TRUE once it has found it */
  guint          n_flags;
  int            under_way;                /* the group that is; -1: none */
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
/* EsPass.group_begun. */
void           es_shared_sums_group_begun (EsSharedSums *self, guint group);
/* After the pass: the totals, and the flags, are those of all processes. EsPassKeep.finish. */
gboolean       es_shared_sums_finish     (EsSharedSums *self, GError **error);

/* EsPassKeep.save and load, of sums that have just been made: es-shared-sums-keep.c. */
gboolean       es_shared_sums_save       (EsSharedSums *self, const EsTiling *tiling, const guint64 *done,
                                          gboolean complete, GByteArray *to, GError **error);
gboolean       es_shared_sums_load       (EsSharedSums *self, const EsTiling *tiling, const guint64 *done,
                                          gboolean complete, EsCheckpointReader *from);

/* The sums of the group under way, or of one that is done, until it is begun again or all are brought together. */
gboolean       es_shared_sums_put_aside  (EsSharedSums *self, guint group, GError **error);
/* How much of the pass may go into a piece. */
EsPassExtent   es_shared_sums_extent     (const EsSharedSums *self);

/* Numbers of 8 bytes that sums are packed into: count, sums, the lower triangle of products. to, from: so many of all
 * totals; returns what follows. */
gsize          es_shared_sums_length     (const EsSharedSums *self);
gpointer       es_shared_sums_pack       (const EskCovariance *sums, gpointer to);
gconstpointer  es_shared_sums_unpack     (EskCovariance *sums, gconstpointer from);

G_END_DECLS
