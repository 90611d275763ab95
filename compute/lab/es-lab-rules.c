/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-rules-internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/es-order.h"

#define LANES 32
/* What two latencies differ by that are told to be the same: five to ten clocks of 215 were called so. */
#define SAME 0.1
/* A warp that takes so many times as long as one thread is not served at once; indices in place of pointers cost
 * less. */
#define CLEARLY 1.5
/* A plateau may slope a little: caches are not left all at once. */
#define PLATEAU 1.25

/* ---- branches ---- */

typedef struct
{
  double clock;
  guint  lane;
} Lane;

static int
compare_lanes (const void *a, const void *b)
{
  const Lane *x = a, *y = b;

  if (x->clock != y->clock)
    return x->clock < y->clock ? -1 : 1;
  return x->lane < y->lane ? -1 : x->lane > y->lane;
}

/* FALSE: two lanes share a time. */
static gboolean
order_lanes (const double *clocks, guint *order)
{
  Lane lanes[LANES];

  for (guint i = 0; i < LANES; i++)
    lanes[i] = (Lane) { clocks[i], i };
  qsort (lanes, LANES, sizeof *lanes, compare_lanes);
  for (guint i = 0; i < LANES; i++)
    order[i] = lanes[i].lane;
  for (guint i = 1; i < LANES; i++)
    if (lanes[i].clock <= lanes[i - 1].clock)
      return FALSE;
  return TRUE;
}

EsBranchOrder
es_rule_branch_order (const double *lanes, const double *mirrored)
{
  guint first[LANES], second[LANES], same = 0, mirror = 0;

  if (!order_lanes (lanes, first) || !order_lanes (mirrored, second))
    return ES_BRANCHES_TOGETHER;
  for (guint i = 0; i < LANES; i++)
    {
      same += second[i] == first[i];
      mirror += second[i] == LANES - 1 - first[i];
    }
  return same == LANES ? ES_BRANCHES_BY_LANE : mirror == LANES ? ES_BRANCHES_BY_CODE : ES_BRANCHES_OTHERWISE;
}

/* ---- warps ---- */

EsSharing
es_rule_sharing (const double *latencies, guint n, double alone)
{
  const double parallel = latencies[0], broadcast = latencies[n - 1];

  if (broadcast < parallel * (1 - SAME))
    return ES_SHARING_SERIALISED;
  if (broadcast > parallel * (1 + SAME))
    return ES_SHARING_PARALLEL_ONLY;
  if (isnan (alone))
    return ES_SHARING_FLAT;
  return alone * CLEARLY < parallel ? ES_SHARING_NEITHER : ES_SHARING_BOTH;
}

gboolean
es_rule_is_slower (double ordered, double other)
{
  return other > ordered * (1 + SAME);
}

double
es_rule_conflict (const double *ways, const double *latencies, guint n, gboolean *fits)
{
  double sx = 0, sy = 0, sxx = 0, sxy = 0, worst = 0;

  for (guint i = 0; i < n; i++)
    {
      sx += ways[i];
      sy += latencies[i];
      sxx += ways[i] * ways[i];
      sxy += ways[i] * latencies[i];
    }
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx), start = (sy - slope * sx) / n;
  for (guint i = 0; i < n; i++)
    worst = fmax (worst, fabs (start + slope * ways[i] - latencies[i]) / latencies[i]);
  *fits = slope > 0 && worst <= 2 * SAME;
  return slope;
}

/* ---- staircases ---- */

static double
median_of (const double *values, guint n)
{
  g_autofree double *sorted = g_memdup2 (values, n * sizeof *values);

  qsort (sorted, n, sizeof *sorted, es_compare_doubles);
  return n % 2 == 1 ? sorted[n / 2] : 0.5 * (sorted[n / 2 - 1] + sorted[n / 2]);
}

/* Between two plateaus, where their logarithms are half-way. */
static double
capacity_of (const double *bytes, const double *latencies, guint from, guint to, double below, double above)
{
  const double middle = sqrt (below * above);

  for (guint i = from; i < to; i++)
    if (latencies[i] <= middle && latencies[i + 1] > middle)
      {
        const double share = log (middle / latencies[i]) / log (latencies[i + 1] / latencies[i]);
        return bytes[i] * pow (bytes[i + 1] / bytes[i], share);
      }
  return bytes[from];
}

guint
es_rule_levels (const double *bytes, const double *latencies, guint n, EsLevel *levels, guint most)
{
  guint found = 0, starts[64], ends[64];

  for (guint i = 0; i < n && found < MIN (most, 64u);)
    {
      guint end = i + 1;

      while (end < n && latencies[end] <= latencies[i] * PLATEAU && latencies[end] >= latencies[i] / PLATEAU)
        end++;
      /* Three points in a row, or the two that are left at an end, are a plateau; fewer are on the way up. */
      if (end - i >= 3 || (end - i == 2 && (i == 0 || end == n)))
        {
          const double here = median_of (latencies + i, end - i), before = found > 0 ? levels[found - 1].latency : NAN;
          /* What a single point, or a first one that is low, keeps apart is one plateau. */
          const gboolean same = here <= before * PLATEAU && here >= before / PLATEAU;
          const guint start = same ? starts[--found] : i;

          levels[found] = (EsLevel) { median_of (latencies + start, end - start), bytes[start], bytes[end - 1], NAN };
          starts[found] = start;
          ends[found++] = end - 1;
          i = end;
        }
      else
        i++;
    }
  for (guint k = 0; k + 1 < found; k++)
    levels[k].capacity = capacity_of (bytes, latencies, ends[k], starts[k + 1], levels[k].latency,
                                      levels[k + 1].latency);
  return found;
}

double
es_rule_knee (const double *x, const double *y, guint n)
{
  guint knee = n - 1;

  while (knee > 0 && fabs (y[knee - 1] - y[n - 1]) <= SAME * fabs (y[n - 1]))
    knee--;
  return x[knee];
}
