/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a pair of neighbours says of itself, and the signs of all elements that agree best with the signs of pairs. */

#include "es-element-check-private.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-order.h"

/* A bin's coherence counts up to that ratio of common to own power: a tone does not outweigh everything. */
#define MOST_WEIGHT 4.0
/* So many bins have to have something in common, of so many snapshots together: less is chance. */
#define FEWEST_BINS 5
#define FEWEST_SAMPLES 150
/* A bin whose power may be so much of others' that leaks through Hann's window says nothing of its own frequency. */
#define MOST_LEAKAGE 0.1
#define LEAKING 256
/* Below so many standard deviations a sign is not told; and below that share of what it could be. */
#define LEAST_STRENGTH 6.0
#define LEAST_SHARE 0.1
#define MOST_STRENGTH 50.0
/* Of an element's pairs, by strength, that have to agree with its sign. */
#define LEAST_AGREEMENT 0.75
/* A delay that no wave has: by how much it has to explain more than those that waves have. */
#define CLEARER 1.25
#define BEYOND 0.5
/* Further apart than a quarter of a wavelength: what one source's delay has to explain, and the other sign at most. */
#define ONE_SOURCE 0.7
#define OTHER_SIGN 0.8
/* And the band's width (a standard deviation) against its middle: in a narrow one the other sign is half a period. */
#define LEAST_WIDTH 0.2

/* Magnitude-squared coherence without what chance adds. */
static double
coherence_of (const EsElementSpectra *self, guint pair, guint bin)
{
  const double *c = self->cross + 2 * ((gsize) pair * self->bins + bin);
  const double p = self->powers[(gsize) self->pairs[pair].a * self->bins + bin];
  const double q = self->powers[(gsize) self->pairs[pair].b * self->bins + bin];
  const double square = p > 0 && q > 0 ? (c[0] * c[0] + c[1] * c[1]) / (p * q) : 0;

  return fmax ((square - 1 / self->snapshots) / (1 - 1 / self->snapshots), 0);
}

/* Of a bin by the power of all others, with those beside the band taken for as strong as its ends. */
static double
leakage_of (const double *powers, int bins, int bin)
{
  double sum = 0;

  for (int b = -LEAKING; b < bins + LEAKING; b++)
    {
      const double m = abs (b - bin);

      if (m >= 2)
        sum += powers[CLAMP (b, 0, bins - 1)] * 0.5 / pow (G_PI * m * (m * m - 1), 2);
    }
  return sum;
}

double
es_element_weigh_bins (const EsElementSpectra *self, double *weights, double *coherence)
{
  g_autofree double *values = g_new (double, MAX (MAX (self->n_pairs, self->n), 1));
  g_autofree double *powers = g_new (double, MAX (self->bins, 1));
  double sum = 0, total = 0, squares = 0;

  for (guint b = 0; b < self->bins; b++)
    {
      for (guint i = 0; i < self->n; i++)
        values[i] = self->powers[(gsize) i * self->bins + b];
      qsort (values, self->n, sizeof *values, es_compare_doubles);
      powers[b] = values[self->n / 2];
    }
  for (guint b = 0; b < self->bins; b++)
    {
      for (guint i = 0; i < self->n_pairs; i++)
        values[i] = coherence_of (self, i, b);
      qsort (values, self->n_pairs, sizeof *values, es_compare_doubles);
      const double median = self->n_pairs > 0 ? values[self->n_pairs / 2] : 0;
      coherence[b] = median;
      const gboolean own = leakage_of (powers, (int) self->bins, (int) b) < MOST_LEAKAGE * powers[b];

      weights[b] = own && median > 3 / self->snapshots ? fmin (median / (1 - median + 1e-9), MOST_WEIGHT) : 0;
      sum += median;
      total += weights[b];
      squares += weights[b] * weights[b];
    }
  const double used = squares > 0 ? total * total / squares : 0;
  if (used < FEWEST_BINS || used * self->snapshots < FEWEST_SAMPLES)
    memset (weights, 0, self->bins * sizeof *weights);
  return sum / MAX (self->bins, 1);
}

typedef struct
{
  double complex *values;      /* weighted, of each bin: power in common against the powers */
  const double   *weights;
  double         *omega;
  guint           n;
  double          total, sigma;
} Heard;

/* Of the bins that are to count. Returns whether the pair is close enough for all of them. */
static gboolean
hear (const EsElementSpectra *self, guint pair, const double *weights, const double *coherence, Heard *heard)
{
  const EsElementPair *p = &self->pairs[pair];
  const double highest = self->sound_speed / (4 * p->distance) * (1 + 1e-9);
  double all = 0, close = 0;

  for (guint b = 0; b < self->bins; b++)
    {
      all += weights[b];
      close += self->first_frequency + b * self->bin_spacing <= highest ? weights[b] : 0;
    }
  const gboolean is_close = close > 0.2 * all;

  for (guint b = 0; b < self->bins; b++)
    {
      const double frequency = self->first_frequency + b * self->bin_spacing;
      const double *c = self->cross + 2 * ((gsize) pair * self->bins + b);
      const double product = self->powers[(gsize) p->a * self->bins + b] * self->powers[(gsize) p->b * self->bins + b];

      if (weights[b] <= 0 || !(product > 0) || (is_close && frequency > highest))
        continue;
      heard->values[heard->n] = weights[b] * (c[0] + c[1] * I) / sqrt (product * coherence[b]);
      heard->omega[heard->n] = 2 * G_PI * frequency;
      heard->total += weights[b];
      heard->sigma += weights[b] * weights[b] * (1 - coherence[b] + 1e-3) / (2 * self->snapshots * coherence[b]);
      heard->n++;
    }
  heard->sigma = sqrt (heard->sigma);
  return is_close;
}

static double
correlate (const Heard *heard, double delay)
{
  double sum = 0;

  for (guint i = 0; i < heard->n; i++)
    sum += creal (heard->values[i]) * cos (heard->omega[i] * delay) - cimag (heard->values[i])
           * sin (heard->omega[i] * delay);
  return sum;
}

static gboolean
is_wide (const Heard *heard)
{
  double weights = 0, sum = 0, squares = 0;

  for (guint i = 0; i < heard->n; i++)
    {
      const double weight = cabs (heard->values[i]);

      weights += weight;
      sum += weight * heard->omega[i];
      squares += weight * heard->omega[i] * heard->omega[i];
    }
  return weights > 0 && squares * weights - sum * sum > LEAST_WIDTH * LEAST_WIDTH * sum * sum;
}

typedef struct { double value, delay; } Peak;

/* The largest correlation of either sign, among delays that waves have and among those that they have not. */
static void
search (const Heard *heard, double longest, double physical, Peak inside[2], Peak outside[2])
{
  const double step = 2 * G_PI / heard->omega[heard->n - 1] / 16;
  const int most = (int) fmin (ceil (longest / step), 100000);

  memset (inside, 0, 2 * sizeof *inside);
  memset (outside, 0, 2 * sizeof *outside);
  for (int i = -most; i <= most; i++)
    {
      const double value = correlate (heard, i * step);
      Peak *peak = fabs (i * step) <= physical ? &inside[value < 0] : &outside[value < 0];

      if (fabs (value) > peak->value)
        *peak = (Peak) { fabs (value), i * step };
    }
}

/* A line through the phases, turned back by a delay that is about right. */
static void
fit_delay (const EsElementSpectra *self, guint pair, const Heard *heard, double about, EsPairFinding *finding)
{
  double sum = 0, squares = 0, error = 0;

  for (guint i = 0; i < heard->n; i++)
    {
      const double omega = heard->omega[i];
      const double phase = carg (finding->sign * heard->values[i] * cexp (I * omega * about));
      const guint bin = (guint) rint ((omega / (2 * G_PI) - self->first_frequency) / self->bin_spacing);
      const double weight = heard->total > 0 ? cabs (heard->values[i]) : 0;
      const double c = CLAMP (coherence_of (self, pair, bin), 1e-3, 1 - 1e-6);

      sum += weight * omega * phase;
      squares += weight * omega * omega;
      error += weight * weight * omega * omega * (1 - c) / (2 * self->snapshots * c);
    }
  if (squares <= 0)
    return;
  finding->delay = about - sum / squares;
  finding->delay_error = sqrt (error) / squares;
}

gboolean
es_element_judge_pair (const EsElementSpectra *self, guint pair, const double *weights, const double *coherence,
                       EsPairFinding *finding)
{
  Heard heard = { .values = g_new (double complex, self->bins), .omega = g_new (double, self->bins),
                  .weights = weights };
  const double physical = 1.05 * self->pairs[pair].distance / self->sound_speed;
  const gboolean is_close = hear (self, pair, weights, coherence, &heard);
  gboolean told = FALSE;
  double sum = 0;

  *finding = (EsPairFinding) { .delay = NAN, .delay_error = NAN };
  for (guint b = 0; b < self->bins; b++)
    sum += coherence_of (self, pair, b);
  finding->coherence = sum / self->bins;
  /* What takes longer than a piece of the signal lasts is not in the same piece. */
  if (heard.n >= 2 && (is_close || (physical <= 2 * self->longest && is_wide (&heard))))
    {
      Peak inside[2], outside[2];
      const double least = fmax (LEAST_STRENGTH * heard.sigma, LEAST_SHARE * heard.total);
      const double together = correlate (&heard, 0);
      double power = 0;

      for (guint i = 0; i < heard.n; i++)
        power += cabs (heard.values[i]);
      search (&heard, CLAMP (2 * physical, self->longest, 4 * self->longest), physical, inside, outside);
      const guint best = inside[0].value < inside[1].value, beyond = outside[0].value < outside[1].value;
      if (is_wide (&heard) && outside[beyond].value > CLEARER * inside[best].value
          && outside[beyond].value > fmax (least, BEYOND * power))
        {
          finding->sign = beyond == 0 ? 1 : -1;
          finding->strength = outside[beyond].value / heard.sigma;
          fit_delay (self, pair, &heard, outside[beyond].delay, finding);
          told = TRUE;
        }
      else if (is_close)
        {
          told = TRUE;
          if (fabs (together) > least)
            {
              finding->sign = together > 0 ? 1 : -1;
              finding->strength = fabs (together) / heard.sigma;
              fit_delay (self, pair, &heard, inside[finding->sign < 0].delay, finding);
            }
        }
      else if (inside[best].value > fmax (least, ONE_SOURCE * power)
               && inside[!best].value < OTHER_SIGN * inside[best].value)
        {
          finding->sign = best == 0 ? 1 : -1;
          finding->strength = inside[best].value / heard.sigma;
          fit_delay (self, pair, &heard, inside[best].delay, finding);
          told = TRUE;
        }
      finding->strength = fmin (finding->strength, MOST_STRENGTH);
    }
  g_free (heard.values);
  g_free (heard.omega);
  return told;
}

/* ---- all of them together ---- */

typedef struct { double strength; guint pair; } Link;

static int
compare_links (const void *a, const void *b)
{
  const Link *p = a, *q = b;

  return p->strength != q->strength ? (p->strength < q->strength) - (p->strength > q->strength)
                                    : (p->pair > q->pair) - (p->pair < q->pair);
}

/* The root of i's group; sign: that of i against it. */
static guint
find_root (guint *parents, double *signs, guint i, double *sign)
{
  guint root = i;

  *sign = 1;
  while (parents[root] != root)
    {
      *sign *= signs[root];
      root = parents[root];
    }
  /* The way is made shorter for the next one. */
  double left = *sign;
  while (parents[i] != i)
    {
      const guint next = parents[i];
      const double own = signs[i];

      parents[i] = root;
      signs[i] = left;
      left *= own;
      i = next;
    }
  return root;
}

/* Along the clearest pairs first; then each element against all of its pairs, until nobody has reason to turn. */
static void
choose_signs (const EsElementSpectra *self, const EsPairFinding *pairs, double *element_signs, guint *groups)
{
  g_autofree Link *links = g_new (Link, MAX (self->n_pairs, 1));
  g_autofree double *signs = g_new (double, self->n), *sums = g_new (double, self->n);
  guint n_links = 0;

  for (guint i = 0; i < self->n; i++)
    {
      groups[i] = i;
      signs[i] = 1;
    }
  for (guint i = 0; i < self->n_pairs; i++)
    if (pairs[i].sign != 0)
      links[n_links++] = (Link) { pairs[i].strength, i };
  qsort (links, n_links, sizeof *links, compare_links);
  for (guint i = 0; i < n_links; i++)
    {
      const EsElementPair *pair = &self->pairs[links[i].pair];
      double a, b;
      const guint root = find_root (groups, signs, pair->a, &a), other = find_root (groups, signs, pair->b, &b);

      if (root == other)
        continue;
      groups[other] = root;
      signs[other] = a * b * pairs[links[i].pair].sign;
    }
  for (guint i = 0; i < self->n; i++)
    find_root (groups, signs, i, &element_signs[i]);
  for (guint i = 0; i < self->n; i++)
    {
      double ignored;

      groups[i] = find_root (groups, signs, i, &ignored);
    }
  for (guint turn = 0; turn < self->n; turn++)
    {
      guint worst = G_MAXUINT;

      memset (sums, 0, self->n * sizeof *sums);
      for (guint i = 0; i < self->n_pairs; i++)
        {
          const guint a = self->pairs[i].a, b = self->pairs[i].b;
          const double agree = pairs[i].sign * pairs[i].strength * element_signs[a] * element_signs[b];

          sums[a] += agree;
          sums[b] += agree;
        }
      for (guint i = 0; i < self->n; i++)
        if (sums[i] < 0 && (worst == G_MAXUINT || sums[i] < sums[worst]))
          worst = i;
      if (worst == G_MAXUINT)
        break;
      element_signs[worst] = -element_signs[worst];
    }
}

void
es_element_judge_polarity (const EsElementSpectra *self, const EsPairFinding *pairs, EsElementFinding *findings)
{
  g_autofree double *signs = g_new (double, self->n), *for_it = g_new0 (double, self->n);
  g_autofree double *against = g_new0 (double, self->n), *strongest = g_new0 (double, self->n);
  g_autofree guint *groups = g_new (guint, self->n), *plus = g_new0 (guint, self->n), *minus = g_new0 (guint, self->n);

  choose_signs (self, pairs, signs, groups);
  for (guint i = 0; i < self->n_pairs; i++)
    {
      const guint ends[2] = { self->pairs[i].a, self->pairs[i].b };
      const gboolean agrees = pairs[i].sign * signs[ends[0]] * signs[ends[1]] > 0;

      for (guint k = 0; k < 2 && pairs[i].sign != 0; k++)
        {
          (agrees ? for_it : against)[ends[k]] += pairs[i].strength;
          strongest[ends[k]] = fmax (strongest[ends[k]], agrees ? pairs[i].strength : 0);
          findings[ends[k]].n_pairs++;
        }
    }
  for (guint i = 0; i < self->n; i++)
    if (self->usable[i])
      (signs[i] > 0 ? plus : minus)[groups[i]]++;
  for (guint i = 0; i < self->n; i++)
    {
      const guint more = MAX (plus[groups[i]], minus[groups[i]]), fewer = MIN (plus[groups[i]], minus[groups[i]]);
      const double agreement = for_it[i] > 0 ? for_it[i] / (for_it[i] + against[i]) : 0;

      findings[i].polarity = NAN;
      /* Who is right where as many say the one as the other? */
      if (!self->usable[i] || more == fewer || more + fewer < 2 || agreement < LEAST_AGREEMENT)
        continue;
      findings[i].polarity = (signs[i] > 0) == (plus[groups[i]] > minus[groups[i]]) ? 1 : -1;
      findings[i].confidence = agreement * erf (strongest[i] / sqrt (2)) * (1 - 0.5 * fewer / more);
      if (findings[i].polarity < 0)
        findings[i].flags |= ES_FINDING_REVERSED;
    }
}
