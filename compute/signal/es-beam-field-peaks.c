/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Picking arrivals of a field, several rows over the same angles (sonar.md 11). */

#include "es-beam-scan-private.h"

/* What a grid may leave of a top, as a power, where angles are as far apart as they may be. */
#define GRID_LOSS 2.5
/* What a parabola errs by at most, as a power, and how many tops are looked at more closely. */
#define PARABOLA_ERROR 1.12
#define MOST_TOPS 16

/* A maximum of a row. */
typedef struct
{
  guint  row, index;
  double power;                /* between the angles, as far as it is known */
} Top;

static int
compare_tops (const void *a, const void *b)
{
  const Top *p = a, *q = b;

  if (p->power != q->power)
    return p->power > q->power ? -1 : 1;
  return p->row != q->row ? (p->row < q->row ? -1 : 1) : (p->index > q->index) - (p->index < q->index);
}

/* Of adaptive beams only what they are at the angles is known in all rows. */
static Top
top_at (const EsBeamCurve *curve, guint row, guint index)
{
  const EsBeamCurve one = _es_beam_scan_row_of (curve, row);
  const EsBeamScan scan = _es_beam_scan (&one);
  Top top = { row, index, power_at (scan.powers, index) };
  double angle, rise;

  if (!curve->reciprocal && !_es_beam_scan_is_edge (&scan, index)
      && (scan.turn != 0 || (index > 0 && index + 1 < scan.n))
      && _es_beam_scan_find_parabola (&scan, (int) index, &angle, &rise) && rise > 0)
    top.power *= pow (10, rise / 10);
  return top;
}

/* Rows lie on their own sides of the angles: it is the tops between those that tell which row is the strongest. The
 * tops, of which there is one, are put in order, strongest first. */
static void
sort_tops (const EsBeamCurve *curve, Top *tops, guint n)
{
  double bearing, power;
  guint close = 0;

  qsort (tops, n, sizeof *tops, compare_tops);
  while (close < MIN (n, MOST_TOPS) && tops[close].power * PARABOLA_ERROR >= tops[0].power)
    close++;
  for (guint i = 0; !curve->reciprocal && close > 1 && i < close; i++)
    {
      const EsBeamCurve one = _es_beam_scan_row_of (curve, tops[i].row);
      const EsBeamScan scan = _es_beam_scan (&one);

      if (!_es_beam_scan_is_edge (&scan, tops[i].index)
          && es_beam_curve_find_top (&one, tops[i].index, &bearing, &power))
        tops[i].power = power;
    }
  qsort (tops, close, sizeof *tops, compare_tops);
}

gboolean
es_find_field_peak (const EsBeamCurve *curve, guint n_rows, EsBeamPeak *peak)
{
  const float *field = curve->powers;
  const guint n = curve->n;
  g_autofree guint *maxima = g_new (guint, (gsize) n + 1);
  g_autoptr (GArray) tops = g_array_new (FALSE, FALSE, sizeof (Top));
  double best = 0, other = 0, exclusive;
  guint row = 0, index = 0;

  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; i < n; i++)
      {
        const double power = power_at (field + (gsize) r * n, i);
        if (power > best)
          {
            best = power;
            row = r;
            index = i;
          }
      }
  if (best <= 0)
    return FALSE;
  for (guint r = 0; n_rows > 1 && r < n_rows; r++)
    {
      const EsBeamCurve one = _es_beam_scan_row_of (curve, r);
      const EsBeamScan scan = _es_beam_scan (&one);
      const guint found = _es_beam_scan_find_maxima (&scan, maxima);

      for (guint i = 0; i < found; i++)
        if (power_at (scan.powers, maxima[i]) * GRID_LOSS >= best)
          {
            const Top top = top_at (curve, r, maxima[i]);

            g_array_append_val (tops, top);
          }
    }
  if (tops->len > 0)
    {
      sort_tops (curve, (Top *) tops->data, tops->len);
      row = g_array_index (tops, Top, 0).row;
      index = g_array_index (tops, Top, 0).index;
      best = MAX (g_array_index (tops, Top, 0).power, power_at (field + (gsize) row * n, index));
    }
  for (guint i = 0; i < tops->len; i++)
    if (g_array_index (tops, Top, i).row != row)
      other = MAX (other, MIN (g_array_index (tops, Top, i).power, best));
  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; r != row && i < n; i++)
      other = MAX (other, power_at (field + (gsize) r * n, i));

  const EsBeamCurve one = _es_beam_scan_row_of (curve, row);
  const EsBeamScan scan = _es_beam_scan (&one);
  /* The same direction as the first. */
  *peak = _es_beam_scan_describe (&scan, index < scan.n ? index : 0, &exclusive);
  peak->row = row;
  peak->margin = other > 0 ? to_level (best / other) : NAN;
  return TRUE;
}

/* The strongest of the other rows inside the lobe; 0: there is none. tops: of the rows, its own first. */
static double
best_other_row (const EsBeamCurve *curve, guint n_rows, const EsBeamPeak *peak, const Top *tops, guint n_tops)
{
  const EsBeamScan scan = _es_beam_scan (curve);
  const float *field = curve->powers;
  const guint n = curve->n;
  double best = 0;

  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; r != peak->row && i < n; i++)
      if (i == peak->index || distance_of (&scan, curve->angles[i], peak->bearing) <= peak->width)
        best = MAX (best, power_at (field + (gsize) r * n, i));
  /* None of them is above it. */
  for (guint t = 1; t < n_tops; t++)
    if (tops[t].row != peak->row && distance_of (&scan, curve->angles[tops[t].index], peak->bearing) <= peak->width)
      best = MAX (best, MIN (tops[t].power, tops[0].power));
  return best;
}

/* Whether what comes next still is the same hill: it goes down, or has not yet gone down to the half and does not rise
 * above the top. */
static gboolean
goes_on (const EsBeamScan *over_all, guint index, int from, int to, double *lowest)
{
  const double top = power_at (over_all->powers, index), next = power_at (over_all->powers, index_of (over_all, to));

  if (next > power_at (over_all->powers, index_of (over_all, from)) && (2 * *lowest < top || next > top))
    return FALSE;
  *lowest = MIN (*lowest, next);
  return TRUE;
}

/* The rows' own maxima on the hill of all of them that has its top at an index, no farther away than `reach` degrees;
 * that of its row is the top itself. Returns how many there are. */
static guint
find_tops (const EsBeamCurve *curve, guint n_rows, const EsBeamScan *over_all, guint index, guint row, double reach,
           Top *tops)
{
  const int n = (int) over_all->n, round = over_all->turn != 0, at = (int) index;
  int first = at, last = at;
  double lowest = power_at (over_all->powers, index);
  guint found = 0;

  while ((round ? at - first < n / 2 : first > 0)
         && fabs (angle_at (over_all, first - 1) - angle_at (over_all, at)) < reach
         && goes_on (over_all, index, first, first - 1, &lowest))
    first--;
  lowest = power_at (over_all->powers, index);
  while ((round ? last - at < (n - 1) / 2 : last < n - 1)
         && fabs (angle_at (over_all, last + 1) - angle_at (over_all, at)) < reach
         && goes_on (over_all, index, last, last + 1, &lowest))
    last++;
  for (guint r = 0; r < n_rows; r++)
    {
      const float *powers = curve->powers + (gsize) r * curve->n;
      int strongest = first;

      for (int k = first; k <= last; k++)
        if (power_at (powers, index_of (over_all, k)) > power_at (powers, index_of (over_all, strongest)))
          strongest = k;
      const double power = power_at (powers, index_of (over_all, strongest));
      /* At its foot it is the flank of another. */
      if (power > 0 && power * GRID_LOSS >= power_at (over_all->powers, index)
          && (r == row || (strongest > first && strongest < last)))
        tops[found++] = top_at (curve, r, r == row ? index : index_of (over_all, strongest));
    }
  return found;
}

guint
es_find_peaks_of_field (const EsBeamCurve *curve, guint n_rows, guint count, double range_db, double distance,
                        EsBeamPeak *peaks)
{
  const float *field = curve->powers;
  const guint n = curve->n;
  g_autofree float *strongest = NULL;
  g_autofree guint *rows = NULL;
  g_autofree Top *tops = NULL;
  g_autofree EsBeamCandidate *candidates = NULL;
  guint found, kept = 0;

  if (n_rows <= 1)
    return n_rows == 0 ? 0 : es_find_peaks (curve, count, range_db, distance, peaks);
  strongest = g_new0 (float, n);
  rows = g_new0 (guint, n);
  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; i < n; i++)
      if (power_at (field + (gsize) r * n, i) > strongest[i])
        {
          strongest[i] = (float) power_at (field + (gsize) r * n, i);
          rows[i] = r;
        }
  EsBeamCurve over_all = *curve;
  over_all.powers = strongest;
  over_all.spectra = NULL;
  over_all.between = NULL;
  /* It has bends where rows change places. */
  over_all.fine = FALSE;
  found = es_find_peaks (&over_all, count, range_db, distance, peaks);
  candidates = g_new (EsBeamCandidate, found + 1);
  tops = g_new (Top, n_rows);
  const EsBeamScan scan = _es_beam_scan (&over_all);
  for (guint k = 0; k < found; k++)
    {
      EsBeamCandidate *candidate = &candidates[k];
      double reach = INFINITY;

      /* What is nearer to another peak is that one's. */
      for (guint i = 0; i < found; i++)
        if (i != k)
          reach = MIN (reach, distance_of (&scan, peaks[i].bearing, peaks[k].bearing) / 2);
      const guint n_tops = find_tops (curve, n_rows, &scan, peaks[k].index, rows[peaks[k].index], reach, tops);

      sort_tops (curve, tops, n_tops);
      /* Its neighbours in the row may be weaker than those of other rows. */
      const EsBeamCurve one = _es_beam_scan_row_of (curve, tops[0].row);
      const EsBeamScan of_row = _es_beam_scan (&one);
      candidate->peak = _es_beam_scan_describe (&of_row, tops[0].index, &candidate->exclusive);
      candidate->peak.row = tops[0].row;
      const double other = best_other_row (curve, n_rows, &candidate->peak, tops, n_tops);
      if (other > 0)
        candidate->peak.margin = to_level (MAX (tops[0].power, candidate->peak.power) / other);
    }
  qsort (candidates, found, sizeof *candidates, _es_beam_candidate_compare);
  for (guint k = 0; k < found; k++)
    {
      gboolean apart = TRUE;

      /* The flank of what is stronger in another row is no arrival. */
      for (guint i = 0; i < k && apart; i++)
        apart = _es_beam_candidate_is_apart (&scan, &candidates[i], &candidates[k].peak);
      if (k == 0 || (apart && !(candidates[k].peak.margin < 0)))
        peaks[kept++] = candidates[k].peak;
    }
  return kept;
}
