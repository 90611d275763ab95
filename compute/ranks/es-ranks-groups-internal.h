/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Sums over n things, whose bytes are the same however many processes (es-ranks.h) share the things. Things that follow
 * each other are one group, of which there are up to 64, as n alone will have it; groups are added up by eights, and
 * these in their order. Each process has whole groups, and adds up what it has alone; then each adds up a range of the
 * numbers of all. A process alone keeps three arrays of the numbers.
 */
#define ES_RANKS_GROUPS 64

guint          es_ranks_groups_count (guint64 n_things);
/* Of group 0 .. the number of groups. */
guint64        es_ranks_groups_get_first (guint64 n_things, guint group);

typedef struct _EsRanksGroups EsRanksGroups;

/* begins: the first group of each process, and of one more the number of groups; the same in all of them. */
EsRanksGroups *es_ranks_groups_new   (guint64 n_things, gsize n_values, const guint *begins);
void           es_ranks_groups_free  (EsRanksGroups *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsRanksGroups, es_ranks_groups_free)
/* What the numbers of a thing are added to, n_values of them; all things of this process are asked for, in order. NULL:
 * no memory. */
double        *es_ranks_groups_get   (EsRanksGroups *self, guint64 thing);
/* The sums over all things, once, in all processes; transfer full. NULL: ES_COMPUTE_ERROR_MEMORY, or what the others
 * have failed by. */
double        *es_ranks_groups_finish (EsRanksGroups *self, GError **error);

G_END_DECLS
