/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spectral-match.h"

#include <math.h>
#include <string.h>

#include "es-resampler.h"
#include "es-spectrum-shape.h"

/* Shallower ones are noise. */
#define LEAST_DEPTH 0.02
#define LEAST_INSIDE 3

/* An absorption of one spectrum, in places of the matcher's order. */
typedef struct
{
  guint  begin, end;           /* its ends, both with values */
  double area;
} Feature;

typedef struct
{
  guint    first, n;           /* features */
  gboolean whole;              /* it has all good bands */
  guint    n_bands;            /* good ones that it has */
  double   square;             /* of its values at them */
} Entry;

struct _EsSpectralMatcher
{
  gatomicrefcount    count;
  EsSpectralLibrary *library, *resampled;
  guint    n, n_bands;         /* spectra, good bands */
  guint   *bands;              /* good ones by rising wavelength */
  double  *x;                  /* their wavelengths */
  double  *units;              /* n x n_bands: unit vectors over the good bands, 0 where missing */
  guint8  *present;            /* the same: has a value */
  Entry   *entries;
  GArray  *features;           /* Feature */
  double  *removed;            /* n x n_bands: within features, without their continuum */
};

/* ---- preparing ---- */

static double
line_at (const double *x, double from, double to, guint begin, guint end, guint i)
{
  return from + (to - from) * (x[i] - x[begin]) / (x[end] - x[begin]);
}

/* Between two corners of the hull: taken where it is deep and wide enough. */
static void
take_feature (EsSpectralMatcher *self, Entry *entry, const double *values, double *removed, guint begin, guint end)
{
  double depth = 0, area = 0;
  guint n_inside = 0, last = begin;
  double last_removed = 1;

  if (!(values[begin] > 0) || !(values[end] > 0))
    return;
  for (guint i = begin + 1; i <= end; i++)
    {
      if (isnan (values[i]))
        continue;
      const double value = values[i] / line_at (self->x, values[begin], values[end], begin, end, i);

      removed[i] = value;
      depth = MAX (depth, 1 - value);
      area += (1 - (value + last_removed) / 2) * (self->x[i] - self->x[last]);
      last = i;
      last_removed = value;
      n_inside += i < end;
    }
  if (n_inside < LEAST_INSIDE || depth < LEAST_DEPTH || !(area > 0))
    return;
  const Feature feature = { begin, end, area };
  g_array_append_val (self->features, feature);
  entry->n++;
}

static void
find_features (EsSpectralMatcher *self, Entry *entry, const double *values, double *removed)
{
  g_autoptr (EsSpectralAxis) axis = es_spectral_axis_new (self->n_bands, self->x, NULL);
  g_autofree double *continuum = g_new (double, self->n_bands + 1);
  guint begin = G_MAXUINT;

  entry->first = self->features->len;
  es_spectrum_find_continuum (axis, values, continuum);
  for (guint i = 0; i < self->n_bands; i++)
    {
      if (isnan (values[i]) || values[i] < continuum[i])
        continue;
      if (begin != G_MAXUINT && self->x[i] > self->x[begin])
        take_feature (self, entry, values, removed, begin, i);
      begin = i;
    }
}

static void
prepare (EsSpectralMatcher *self, guint index, double *values)
{
  const double *all = es_spectrum_get_values (es_spectral_library_get (self->resampled, index));
  Entry *entry = &self->entries[index];
  double *unit = self->units + (gsize) index * self->n_bands;
  guint8 *present = self->present + (gsize) index * self->n_bands;

  for (guint i = 0; i < self->n_bands; i++)
    {
      values[i] = all[self->bands[i]];
      present[i] = !isnan (values[i]);
      if (!present[i])
        continue;
      entry->n_bands++;
      entry->square += values[i] * values[i];
    }
  entry->whole = entry->n_bands == self->n_bands;
  for (guint i = 0; i < self->n_bands; i++)
    unit[i] = present[i] && entry->square > 0 ? values[i] / sqrt (entry->square) : 0;
  find_features (self, entry, values, self->removed + (gsize) index * self->n_bands);
}

EsSpectralMatcher *
es_spectral_matcher_new (EsSpectralLibrary *library, EsSpectralAxis *axis, const gboolean *good,
                         GCancellable *cancellable, GError **error)
{
  const guint n_all = es_spectral_axis_get_n (axis), *order = es_spectral_axis_get_order (axis);
  const double *wavelengths = es_spectral_axis_get_wavelengths (axis);
  g_autoptr (EsSpectralMatcher) self = NULL;
  EsSpectralLibrary *resampled = es_spectral_library_resample (library, axis, cancellable, error);
  g_autofree double *values = NULL;

  if (resampled == NULL)
    return NULL;
  self = g_new0 (EsSpectralMatcher, 1);
  g_atomic_ref_count_init (&self->count);
  self->library = g_object_ref (library);
  self->resampled = resampled;
  self->n = es_spectral_library_get_n (library);
  self->bands = g_new (guint, n_all + 1);
  self->x = g_new (double, n_all + 1);
  for (guint k = 0; k < n_all; k++)
    if (good == NULL || good[order[k]])
      {
        self->bands[self->n_bands] = order[k];
        self->x[self->n_bands++] = wavelengths[order[k]];
      }
  self->units = g_new0 (double, (gsize) self->n * self->n_bands + 1);
  self->present = g_new0 (guint8, (gsize) self->n * self->n_bands + 1);
  self->removed = g_new0 (double, (gsize) self->n * self->n_bands + 1);
  self->entries = g_new0 (Entry, self->n + 1);
  self->features = g_array_new (FALSE, FALSE, sizeof (Feature));
  values = g_new (double, self->n_bands + 1);
  for (guint i = 0; i < self->n; i++)
    {
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      prepare (self, i, values);
    }
  return g_steal_pointer (&self);
}

EsSpectralMatcher *
es_spectral_matcher_ref (EsSpectralMatcher *self)
{
  g_atomic_ref_count_inc (&self->count);
  return self;
}

void
es_spectral_matcher_unref (EsSpectralMatcher *self)
{
  if (!g_atomic_ref_count_dec (&self->count))
    return;
  g_clear_object (&self->library);
  g_clear_object (&self->resampled);
  g_free (self->bands);
  g_free (self->x);
  g_free (self->units);
  g_free (self->present);
  g_free (self->removed);
  g_free (self->entries);
  g_array_unref (self->features);
  g_free (self);
}

EsSpectralLibrary *
es_spectral_matcher_get_library (EsSpectralMatcher *self)
{
  return self->library;
}

EsSpectralLibrary *
es_spectral_matcher_get_resampled (EsSpectralMatcher *self)
{
  return self->resampled;
}

/* ---- asking ---- */

/* The spectrum that is asked for, at the good bands. */
typedef struct
{
  const double *values;        /* 0 where missing */
  const guint8 *present;
  guint         n_present;
  double        square;
} Question;

static double
clamp_angle (double product, double a, double b)
{
  return a > 0 && b > 0 ? acos (CLAMP (product / sqrt (a * b), -1, 1)) : NAN;
}

/* Where both have all good bands, one product with the prepared unit vector is all. */
static void
find_angle (const EsSpectralMatcher *self, const Question *question, guint index, EsSpectralMatch *match)
{
  const double *unit = self->units + (gsize) index * self->n_bands;
  const guint8 *present = self->present + (gsize) index * self->n_bands;
  double product = 0, own = 0, other = 0;
  guint n = 0;

  if (self->entries[index].whole && question->n_present == self->n_bands)
    {
      for (guint i = 0; i < self->n_bands; i++)
        product += question->values[i] * unit[i];
      match->n_bands = self->n_bands;
      match->angle = clamp_angle (product, question->square, self->entries[index].square > 0 ? 1 : 0);
      return;
    }
  for (guint i = 0; i < self->n_bands; i++)
    {
      const double both = present[i] & question->present[i];

      product += question->values[i] * unit[i];
      own += both * question->values[i] * question->values[i];
      other += both * unit[i] * unit[i];
      n += present[i] & question->present[i];
    }
  match->n_bands = n;
  match->angle = clamp_angle (product, own, other);
}

/* FALSE: the feature cannot be seen in what is asked for. */
static gboolean
fit_feature (const EsSpectralMatcher *self, const Question *question, const double *removed, const guint8 *present,
             const Feature *feature, double *fit, double *depth)
{
  const guint begin = feature->begin, end = feature->end;
  const double from = question->values[begin], to = question->values[end];
  double n = 0, sum_l = 0, sum_o = 0, sum_ll = 0, sum_oo = 0, sum_lo = 0;

  if (!question->present[begin] || !question->present[end] || !(from > 0) || !(to > 0))
    return FALSE;
  *depth = 0;
  for (guint i = begin + 1; i < end; i++)
    {
      if (!present[i] || !question->present[i])
        continue;
      const double o = question->values[i] / line_at (self->x, from, to, begin, end, i), l = removed[i];

      n++;
      sum_l += l;
      sum_o += o;
      sum_ll += l * l;
      sum_oo += o * o;
      sum_lo += l * o;
      *depth = MAX (*depth, 1 - o);
    }
  if (n < LEAST_INSIDE)
    return FALSE;
  /* The ends are 1 in both. */
  n += 2;
  sum_l += 2, sum_o += 2, sum_ll += 2, sum_oo += 2, sum_lo += 2;
  const double variance_l = sum_ll - sum_l * sum_l / n, variance_o = sum_oo - sum_o * sum_o / n;
  const double covariance = sum_lo - sum_l * sum_o / n;

  *fit = covariance > 0 && variance_l > 0 && variance_o > 0 ? MIN (covariance / sqrt (variance_l * variance_o), 1) : 0;
  return TRUE;
}

static void
find_fit (const EsSpectralMatcher *self, const Question *question, guint index, EsSpectralMatch *match)
{
  const Entry *entry = &self->entries[index];
  const double *removed = self->removed + (gsize) index * self->n_bands;
  const guint8 *present = self->present + (gsize) index * self->n_bands;
  double all = 0, seen = 0, fits = 0, depths = 0;

  match->fit = match->depth = NAN;
  for (guint i = 0; i < entry->n; i++)
    {
      const Feature *feature = &g_array_index (self->features, Feature, entry->first + i);
      double fit, depth;

      all += feature->area;
      if (!fit_feature (self, question, removed, present, feature, &fit, &depth))
        continue;
      seen += feature->area;
      fits += feature->area * fit;
      depths += feature->area * depth;
    }
  if (!(seen > 0) || seen < all / 2)
    return;
  match->fit = fits / seen;
  match->depth = depths / seen;
}

static int
compare (const EsSpectralMatch *a, const EsSpectralMatch *b, EsMatchKind by)
{
  const double x = by == ES_MATCH_ANGLE ? a->angle : -a->fit, y = by == ES_MATCH_ANGLE ? b->angle : -b->fit;

  if (isnan (x) || isnan (y))
    return isnan (x) - isnan (y);
  if (x != y)
    return x < y ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

/* The best so far stay sorted: few of many get in. */
static void
insert (EsSpectralMatch *matches, guint *n, guint most, const EsSpectralMatch *match, EsMatchKind by)
{
  guint at = *n;

  if (at == most && compare (match, &matches[at - 1], by) >= 0)
    return;
  if (at == most)
    at--;
  else
    ++*n;
  for (; at > 0 && compare (match, &matches[at - 1], by) < 0; at--)
    matches[at] = matches[at - 1];
  matches[at] = *match;
}

guint
es_spectral_matcher_search (EsSpectralMatcher *self, const double *values, EsMatchKind by, guint most,
                            EsSpectralMatch *matches, guint *n_compared)
{
  g_autofree double *asked = g_new0 (double, self->n_bands + 1);
  g_autofree guint8 *present = g_new0 (guint8, self->n_bands + 1);
  Question question = { .values = asked, .present = present };
  guint n = 0, n_taken = 0;

  for (guint i = 0; i < self->n_bands; i++)
    {
      const double value = values[self->bands[i]];

      if (!isfinite (value))
        continue;
      asked[i] = value;
      present[i] = 1;
      question.n_present++;
      question.square += value * value;
    }
  for (guint i = 0; i < self->n && most > 0; i++)
    {
      EsSpectralMatch match = { .index = i };

      find_angle (self, &question, i, &match);
      if (match.n_bands < 3 || match.n_bands * 4 < question.n_present)
        continue;
      n_taken++;
      /* By angle, the fit is only of those that are told. */
      if (by == ES_MATCH_FIT)
        find_fit (self, &question, i, &match);
      if (!isnan (by == ES_MATCH_FIT ? match.fit : match.angle))
        insert (matches, &n, most, &match, by);
    }
  for (guint i = 0; by == ES_MATCH_ANGLE && i < n; i++)
    find_fit (self, &question, matches[i].index, &matches[i]);
  if (n_compared != NULL)
    *n_compared = n_taken;
  return n;
}
