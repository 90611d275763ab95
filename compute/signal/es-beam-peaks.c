/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Picking directions of arrival (sonar.md 11). */

#include "es-beam-lifts-private.h"
#include "es-beam-scan-private.h"

/* Maxima that are looked at between the angles, the strongest at them: adaptive beams rise by decibels there. */
#define FEWEST_CANDIDATES 64

static int
compare_powers (const void *a, const void *b, void *data)
{
  const float *powers = data;
  const guint i = *(const guint *) a, j = *(const guint *) b;

  if (power_at (powers, i) != power_at (powers, j))
    return power_at (powers, i) > power_at (powers, j) ? -1 : 1;
  return i < j ? -1 : i > j;
}

/* Strongest first. */
static int
compare_peaks (const void *a, const void *b)
{
  const EsBeamPeak *p = a, *q = b;

  if (p->power != q->power)
    return p->power > q->power ? -1 : 1;
  return p->index < q->index ? -1 : p->index > q->index;
}

int
_es_beam_candidate_compare (const void *a, const void *b)
{
  return compare_peaks (&((const EsBeamCandidate *) a)->peak, &((const EsBeamCandidate *) b)->peak);
}

gboolean
_es_beam_candidate_is_apart (const EsBeamScan *scan, const EsBeamCandidate *stronger, const EsBeamPeak *peak)
{
  const int from = (int) peak->index;
  int way = (int) stronger->peak.index - from;

  if (distance_of (scan, peak->bearing, stronger->peak.bearing) >= stronger->exclusive)
    return TRUE;
  if (scan->turn != 0 && abs (way) > (int) scan->n / 2)
    way -= way > 0 ? (int) scan->n : -(int) scan->n;
  for (int k = way < 0 ? -1 : 1; abs (k) < abs (way); k += way < 0 ? -1 : 1)
    {
      const guint at = index_of (scan, from + k);

      /* What is missing is no valley. */
      if (isfinite (scan->powers[at]) && 2 * power_at (scan->powers, at) <= power_at (scan->powers, peak->index))
        return TRUE;
    }
  return FALSE;
}

/* The strongest maxima, by what they are between the angles, strongest first. *n: how many. */
static EsBeamCandidate *
find_candidates (const EsBeamScan *scan, guint most, guint *n)
{
  g_autofree guint *maxima = g_new (guint, scan->n + 1);
  EsBeamCandidate *candidates;

  *n = _es_beam_scan_find_maxima (scan, maxima);
  g_qsort_with_data (maxima, (gint) *n, sizeof *maxima, compare_powers, (gpointer) scan->powers);
  *n = MIN (*n, most);
  candidates = g_new (EsBeamCandidate, *n + 1);
  for (guint i = 0; i < *n; i++)
    candidates[i].peak = _es_beam_scan_describe (scan, maxima[i], &candidates[i].exclusive);
  qsort (candidates, *n, sizeof *candidates, _es_beam_candidate_compare);
  return candidates;
}

static guint
find_lifts (const EsBeamCurve *curve, const EsBeamCandidate *candidates, guint n, EsBeamLift *lifts)
{
  g_autofree EsBeamPeak *tops = g_new (EsBeamPeak, n + 1);

  for (guint i = 0; i < n; i++)
    tops[i] = candidates[i].peak;
  return _es_beam_find_lifts (curve, tops, n, lifts);
}

guint
es_find_peaks_and_lifts (const EsBeamCurve *curve, guint count, double range_db, double distance, EsBeamPeak *peaks,
                         EsBeamLift *lifts, guint *n_lifts)
{
  const EsBeamScan scan = _es_beam_scan (curve);
  g_autofree EsBeamCandidate *candidates = NULL;
  g_autofree guint *listed = g_new (guint, (gsize) count + 1);
  double next_level = NAN;
  guint found = 0, n = 0;

  if (lifts != NULL)
    *n_lifts = 0;
  if (count == 0 && lifts == NULL)
    return 0;
  candidates = find_candidates (&scan, MAX (4 * count, FEWEST_CANDIDATES), &n);
  if (lifts != NULL)
    *n_lifts = find_lifts (curve, candidates, n, lifts);
  for (guint i = 0; i < n && count > 0; i++)
    {
      const EsBeamPeak *peak = &candidates[i].peak;
      gboolean apart = TRUE;

      for (guint k = 0; k < found && apart; k++)
        apart = distance_of (&scan, peak->bearing, peaks[k].bearing) >= distance
                && _es_beam_candidate_is_apart (&scan, &candidates[listed[k]], peak);
      if (!apart)
        continue;
      /* The first that is not listed any more still says how far the last one stands out. */
      next_level = peak->level;
      if (found == count || (found > 0 && peak->level < peaks[0].level - range_db))
        break;
      peaks[found] = *peak;
      listed[found++] = i;
      next_level = NAN;
    }
  for (guint k = 0; k < found; k++)
    peaks[k].margin = peaks[k].level - (k + 1 < found ? peaks[k + 1].level : next_level);
  return found;
}

guint
es_find_peaks (const EsBeamCurve *curve, guint count, double range_db, double distance, EsBeamPeak *peaks)
{
  return es_find_peaks_and_lifts (curve, count, range_db, distance, peaks, NULL, NULL);
}
