/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What part of the work is whose. */

#include "es-ranks-private.h"

#include <math.h>

/* Weights become whole numbers, so that all processes cut the same whatever their processors. */
#define WHOLE 1048576.0

/* NULL: all processes are equal; otherwise one of each process, 0: it has no part. */
static guint64 *weights;
static guint    n_weights;

/* Of the greatest one. What is not 0 stays so. */
static guint64
to_whole (double weight, double greatest)
{
  return weight > 0 ? MAX ((guint64) llround (weight / greatest * WHOLE), 1) : 0;
}

void
es_ranks_set_weights (const double *values)
{
  const guint size = es_ranks.place.size;
  gboolean equal = TRUE;
  double greatest = 0;

  g_clear_pointer (&weights, g_free);
  for (guint i = 0; values != NULL && i < size; i++)
    greatest = MAX (greatest, values[i]);
  if (!(greatest > 0) || !isfinite (greatest))
    return;
  weights = g_new (guint64, size);
  n_weights = size;
  for (guint i = 0; i < size; i++)
    {
      weights[i] = to_whole (values[i], greatest);
      equal &= weights[i] == weights[0];
    }
  /* Equal ones are none. */
  if (equal)
    g_clear_pointer (&weights, g_free);
}

double
es_ranks_get_weight (guint rank)
{
  double all = 0;

  if (weights == NULL || es_ranks.alone)
    return 1.0 / es_ranks_get_size ();
  for (guint i = 0; i < n_weights; i++)
    all += weights[i];
  return rank < n_weights ? weights[rank] / all : 0;
}

/* The first thing behind the share of process `rank`: by the sums of weights, to the nearest whole thing, but that
 * everybody of any weight has one where there are enough. */
static guint64
end_of_share (guint rank, guint64 n)
{
  guint64 sum = 0, all = 0, end = 0;
  guint working = 0, seen = 0;

  for (guint i = 0; i < n_weights; i++)
    {
      all += weights[i];
      working += weights[i] > 0;
    }
  for (guint i = 0; i <= rank; i++)
    {
      if (weights[i] == 0)
        continue;
      sum += weights[i];
      seen++;
      const guint64 nearest = (guint64) (((unsigned __int128) n * sum * 2 + all) / ((unsigned __int128) all * 2));

      if (n < working)
        end = nearest;
      else
        end = MIN (MAX (nearest, end + 1), n - (working - seen));
    }
  return end;
}

void
es_ranks_share_of (guint rank, guint64 n, guint64 *first, guint64 *end)
{
  const guint64 size = es_ranks_get_size ();

  if (weights != NULL && !es_ranks.alone)
    {
      *first = rank > 0 ? end_of_share (rank - 1, n) : 0;
      *end = end_of_share (rank, n);
      return;
    }
  /* Without n * rank, which has no room. */
  *first = n / size * rank + n % size * rank / size;
  *end = n / size * (rank + 1) + n % size * (rank + 1) / size;
}

void
es_ranks_share (guint64 n, guint64 *first, guint64 *end)
{
  es_ranks_share_of (es_ranks_get_rank (), n, first, end);
}
