/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Levels and coherence of elements beside their neighbours; what is said of them in the end. */

#include "es-element-check-private.h"

#include <math.h>
#include <stdlib.h>

#include "base/es-order.h"

/* dB against its neighbours: hot or quiet; and dead against the array, alone or where it also hears nothing of them. */
#define MUCH 6.0
#define DEAD 30.0
#define NEARLY_DEAD 15.0
/* Neighbours are coherent at all from here on; and what an element has of that at least, or it is noisy. */
#define COHERENT 0.05
#define TELLING 0.2
#define LEAST_COHERENCE 0.3
/* Fewer snapshots find coherence by chance. */
#define LEAST_SNAPSHOTS 24
#define NEIGHBOURS 4
#define TURNS 3

static double
median_of (double *values, guint n)
{
  if (n == 0)
    return NAN;
  qsort (values, n, sizeof *values, es_compare_doubles);
  return n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}

/* ---- levels ---- */

static void
measure_levels (const EsElementSpectra *self, EsElementFinding *findings)
{
  g_autofree double *levels = g_new (double, MAX (self->n, 1));
  guint n = 0;

  for (guint i = 0; i < self->n; i++)
    {
      double sum = 0;

      for (guint b = 0; b < self->bins; b++)
        sum += self->powers[(gsize) i * self->bins + b];
      findings[i].level = sum > 0 ? 10 * log10 (sum) : -INFINITY;
      if (self->usable[i] && sum > 0)
        levels[n++] = findings[i].level;
    }
  const double median = median_of (levels, n);
  for (guint i = 0; i < self->n && n > 0; i++)
    findings[i].level -= median;
}

/* The nearest of those that judge. One that does not judge others any more is still judged by them. */
static guint
look_round (const EsElementSpectra *self, const EsElementOrder *order, const guint8 *good, guint i, guint *nearest,
            double *distances)
{
  if (good[i])
    return es_element_nearest (order, i, NEIGHBOURS + 1, nearest, distances);

  g_autofree guint8 *with = g_memdup2 (good, self->n);
  EsElementOrder own;

  with[i] = TRUE;
  es_element_order_init (&own, self->positions, with, self->n);
  const guint found = es_element_nearest (&own, i, NEIGHBOURS + 1, nearest, distances);
  es_element_order_clear (&own);
  return found;
}

/* A source close by is loud in one place and fades from there: an element has to differ from all but one of its nearest
 * on the same side, and from the array. */
static void
judge_levels (const EsElementSpectra *self, EsElementFinding *findings)
{
  g_autofree guint8 *good = g_memdup2 (self->usable, self->n);
  guint n_good = 0;

  for (guint i = 0; i < self->n; i++)
    {
      if (good[i] && findings[i].level < -DEAD)
        findings[i].flags |= ES_FINDING_DEAD;
      good[i] = good[i] && !(findings[i].flags & ES_FINDING_DEAD);
      n_good += good[i];
      findings[i].deviation = NAN;
    }
  for (guint turn = 0; turn < TURNS && n_good >= 3; turn++)
    {
      EsElementOrder order;

      es_element_order_init (&order, self->positions, good, self->n);
      for (guint i = 0; i < self->n; i++)
        {
          guint nearest[NEIGHBOURS + 1], n = 0;
          double distances[NEIGHBOURS + 1], sorted[NEIGHBOURS];

          if (!self->usable[i] || findings[i].flags & ES_FINDING_DEAD)
            continue;
          const guint found = look_round (self, &order, good, i, nearest, distances);
          for (guint k = 1; k < found; k++)
            sorted[n++] = findings[nearest[k]].level;
          const double middle = median_of (sorted, n), level = findings[i].level;
          findings[i].deviation = level - middle;
          findings[i].flags &= ~(guint) (ES_FINDING_HOT | ES_FINDING_QUIET);
          if (n < 2)
            continue;
          const double low = sorted[n > 2 ? 1 : 0], high = sorted[n > 2 ? n - 2 : n - 1];
          if (level - high > MUCH && level > MUCH)
            findings[i].flags |= ES_FINDING_HOT;
          else if (low - level > MUCH && level < -MUCH)
            findings[i].flags |= ES_FINDING_QUIET;
        }
      es_element_order_clear (&order);
      n_good = 0;
      for (guint i = 0; i < self->n; i++)
        {
          good[i] = self->usable[i] && !(findings[i].flags & (ES_FINDING_DEAD | ES_FINDING_HOT | ES_FINDING_QUIET));
          n_good += good[i];
        }
    }
}

/* ---- coherence ---- */

/* Of its best pair, so that a bad neighbour is not held against it. */
static void
measure_coherence (const EsElementSpectra *self, const EsPairFinding *pairs, EsElementFinding *findings)
{
  for (guint i = 0; i < self->n; i++)
    findings[i].coherence = NAN;
  for (guint i = 0; i < self->n_pairs; i++)
    {
      double *a = &findings[self->pairs[i].a].coherence, *b = &findings[self->pairs[i].b].coherence;

      *a = isnan (*a) ? pairs[i].coherence : fmax (*a, pairs[i].coherence);
      *b = isnan (*b) ? pairs[i].coherence : fmax (*b, pairs[i].coherence);
    }
}

static void
judge_coherence (const EsElementSpectra *self, EsElementFinding *findings)
{
  g_autofree double *nearest = g_new (double, MAX (self->n, 1)), *sorted = g_new (double, MAX (self->n, 1));
  guint n = 0;

  if (self->snapshots < LEAST_SNAPSHOTS)
    return;
  for (guint i = 0; i < self->n; i++)
    nearest[i] = INFINITY;
  for (guint i = 0; i < self->n_pairs; i++)
    {
      nearest[self->pairs[i].a] = fmin (nearest[self->pairs[i].a], self->pairs[i].distance);
      nearest[self->pairs[i].b] = fmin (nearest[self->pairs[i].b], self->pairs[i].distance);
    }
  for (guint i = 0; i < self->n; i++)
    if (self->usable[i] && isfinite (nearest[i]))
      sorted[n++] = nearest[i];
  const double usual = median_of (sorted, n);
  EsElementOrder order;

  es_element_order_init (&order, self->positions, self->usable, self->n);
  for (guint i = 0; i < self->n; i++)
    {
      guint around[9], used = 0;
      double distances[9], values[9];

      /* One that lies by itself hears less in common for that. */
      if (!self->usable[i] || !(nearest[i] <= 1.5 * usual) || isnan (findings[i].coherence))
        continue;
      const guint found = es_element_nearest (&order, i, G_N_ELEMENTS (around), around, distances);
      for (guint k = 1; k < found; k++)
        if (nearest[around[k]] <= 1.5 * usual && nearest[around[k]] >= usual / 1.5)
          values[used++] = findings[around[k]].coherence;
      const double typical = median_of (values, used);
      if (used < 2 || !(typical > TELLING) || findings[i].coherence >= LEAST_COHERENCE * typical)
        continue;
      if (findings[i].level < -NEARLY_DEAD && findings[i].flags & ES_FINDING_QUIET)
        findings[i].flags |= ES_FINDING_DEAD;
      else
        /* Its noise is what makes it loud. */
        findings[i].flags = (findings[i].flags & ~(guint) ES_FINDING_HOT) | ES_FINDING_NOISY;
      findings[i].confidence = 1 - findings[i].coherence / typical;
    }
  es_element_order_clear (&order);
}

/* ---- all of it ---- */

EsCheckOutcome
es_element_check (const EsElementSpectra *self, EsElementFinding *findings)
{
  g_autofree double *weights = g_new (double, MAX (self->bins, 1)), *coherence = g_new (double, MAX (self->bins, 1));
  g_autofree EsPairFinding *pairs = g_new (EsPairFinding, MAX (self->n_pairs, 1));
  EsCheckOutcome outcome = ES_CHECK_JUDGED;
  guint n = 0, told = 0, judged = 0;

  for (guint i = 0; i < self->n; i++)
    {
      findings[i].flags &= ES_FINDING_CLIPPED | ES_FINDING_DEAD | ES_FINDING_LEFT_OUT;
      findings[i].polarity = findings[i].delay = findings[i].delay_error = findings[i].confidence = NAN;
      findings[i].n_pairs = 0;
      n += self->usable[i];
    }
  measure_levels (self, findings);
  judge_levels (self, findings);
  const double common = es_element_weigh_bins (self, weights, coherence);
  for (guint i = 0; i < self->n_pairs; i++)
    told += es_element_judge_pair (self, i, weights, coherence, &pairs[i]);
  measure_coherence (self, pairs, findings);
  judge_coherence (self, findings);
  es_element_judge_polarity (self, pairs, findings);
  es_element_judge_delays (self, pairs, findings);
  for (guint i = 0; i < self->n; i++)
    {
      judged += isfinite (findings[i].polarity);
      /* A dead one says nothing more of itself; what comes from elsewhere is not late either. */
      if (findings[i].flags & ES_FINDING_DEAD)
        findings[i].flags &= ES_FINDING_DEAD | ES_FINDING_CLIPPED;
      if (findings[i].flags & (ES_FINDING_DEAD | ES_FINDING_HOT | ES_FINDING_QUIET | ES_FINDING_CLIPPED)
          && !(findings[i].confidence > 0))
        findings[i].confidence = 1;
    }
  if (n < 3)
    outcome = ES_CHECK_FEW;
  else if (judged == 0)
    outcome = common < COHERENT ? ES_CHECK_INCOHERENT : told == 0 ? ES_CHECK_FAR : ES_CHECK_INCOHERENT;
  return outcome;
}
