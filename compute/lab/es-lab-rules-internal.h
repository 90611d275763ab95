/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * The rules by which numbers of experiments become verdicts: gpu-lab.md, sections 3 to 7 and 9. Pure; the tests hold
 * them against the curves that were published of a K20c.
 */

/* Section 3. lanes: the clock each of 32 lanes read, less the least, of both versions of the chain. */
typedef enum
{
  ES_BRANCHES_BY_LANE,         /* one after the other, in the same order of lanes in both versions */
  ES_BRANCHES_BY_CODE,         /* one after the other, the second version mirrored */
  ES_BRANCHES_OTHERWISE,       /* one after the other, in another order */
  ES_BRANCHES_TOGETHER,        /* lanes share times: they did not diverge */
} EsBranchOrder;
EsBranchOrder es_rule_branch_order (const double *lanes, const double *mirrored);

/* Section 5. latencies of 1, 2, 4, 8, 16 and 32 lanes at an address, and of one thread alone (NAN: not known). */
typedef enum
{
  ES_SHARING_SERIALISED,       /* falls: different addresses one after the other, one address at once */
  ES_SHARING_PARALLEL_ONLY,    /* rises: different addresses at once, one address is not */
  ES_SHARING_BOTH,             /* flat, and no more than half as long again as one thread alone: both at once */
  ES_SHARING_NEITHER,          /* flat, and one thread clearly quicker */
  ES_SHARING_FLAT,             /* flat; one thread alone is not known */
} EsSharing;
EsSharing     es_rule_sharing (const double *latencies, guint n, double alone);

/* Section 6: whether what was measured in another order is slower than in order. */
gboolean      es_rule_is_slower (double ordered, double other);

/* Section 9: clocks that a further word in the same bank costs; *fits: latency grows with them in a straight line. */
double        es_rule_conflict (const double *ways, const double *latencies, guint n, gboolean *fits);

/* A staircase of latencies over footprints: where plateaus are. A level is a run of values that stay within a quarter
 * of its first one, and further runs whose medians are within a quarter of its own; a step between two lies where the
 * curve is half-way, by its logarithm. */
typedef struct
{
  double latency;              /* median of the plateau */
  double from, to;             /* bytes: of the plateau's footprints */
  double capacity;             /* bytes: what fits, half-way to the next; NAN of the last one */
} EsLevel;
guint         es_rule_levels (const double *bytes, const double *latencies, guint n, EsLevel *levels, guint most);

/* The knee of a curve that rises and then stays: the first x from which all is within 10 % of the last. */
double        es_rule_knee (const double *x, const double *y, guint n);

G_END_DECLS
