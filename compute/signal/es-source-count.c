/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Wax and Kailath, "Detection of signals by information theoretic criteria", IEEE ASSP 33 (1985), 387-392: the fit of k
 * sources in noise that is equal in all directions left over, and a penalty for the numbers that k sources take. */

#include "es-source-count.h"

#include <math.h>
#include <stdlib.h>

/* Below this share of the largest an eigenvalue is 0: dead elements, directions that no snapshot has. */
#define ZERO 1e-13

/* How many of the eigenvalues say anything. */
static guint
count_informative (const double *eigenvalues, guint n, double snapshots)
{
  guint informative = 0;

  if (n == 0 || !(eigenvalues[0] > 0) || !isfinite (eigenvalues[0]) || !(snapshots >= 1))
    return 0;
  /* The least of as many eigenvalues as snapshots is next to nothing, noise or not. */
  if (snapshots <= n)
    n = (guint) floor (snapshots) - 1;
  while (informative < n && eigenvalues[informative] > ZERO * eigenvalues[0])
    informative++;
  return informative;
}

/* fits of k sources are found from the end: sums of the smallest n - k values and of their logarithms. */
static guint
find_count (const double *eigenvalues, guint n, double snapshots, gboolean mdl)
{
  const guint informative = count_informative (eigenvalues, n, snapshots);
  double sum = 0, sum_of_logs = 0, least = INFINITY;
  guint count = 0;

  for (guint k = informative; k-- > 0;)
    {
      const double left = informative - k, parameters = (double) k * (2.0 * informative - k);

      sum += eigenvalues[k];
      sum_of_logs += log (eigenvalues[k]);
      const double misfit = MAX (snapshots * (left * log (sum / left) - sum_of_logs), 0);
      const double criterion = mdl ? misfit + 0.5 * parameters * log (snapshots) : 2 * misfit + 2 * parameters;
      /* Of two that are as good, the fewer. */
      if (criterion <= least)
        {
          least = criterion;
          count = k;
        }
    }
  return count;
}

guint
es_source_count_aic (const double *eigenvalues, guint n, double snapshots)
{
  return find_count (eigenvalues, n, snapshots, FALSE);
}

guint
es_source_count_mdl (const double *eigenvalues, guint n, double snapshots)
{
  return find_count (eigenvalues, n, snapshots, TRUE);
}

static int
compare_counts (const void *a, const void *b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;

  return x < y ? -1 : x > y;
}

guint
es_source_count_over_bins (const double *eigenvalues, guint n_bins, guint stride, guint n, double snapshots,
                           gboolean mdl)
{
  g_autofree guint *counts = NULL;

  if (n_bins == 0)
    return 0;
  counts = g_new (guint, n_bins);
  for (guint b = 0; b < n_bins; b++)
    counts[b] = find_count (eigenvalues + (gsize) b * stride, n, snapshots, mdl);
  qsort (counts, n_bins, sizeof *counts, compare_counts);
  return counts[(n_bins - 1) / 2];
}

double
es_noise_floor (const double *eigenvalues, guint n, guint n_sources)
{
  double sum = 0;

  if (n_sources >= n)
    return 0;
  for (guint i = n_sources; i < n; i++)
    sum += eigenvalues[i];
  return sum / (n - n_sources);
}
