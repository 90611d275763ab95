/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Picking directions of arrival (sonar.md 11). */

#include "es-beam-lifts-private.h"

#include <math.h>
#include <stdlib.h>

/* Maxima that are looked at between the angles, the strongest at them: adaptive beams rise by decibels there. */
#define FEWEST_CANDIDATES 64

/* Powers over angles, as the peaks see them: where the angles go all round, the last has the first for a neighbour. */
typedef struct
{
  const EsBeamCurve *curve;
  const double *angles;
  const float  *powers;
  guint         n;             /* without a first that is there once more at the end */
  double        turn;          /* degrees once round, in the order of the angles; 0: they do not go all round */
} Scan;

static Scan
scan_of (const EsBeamCurve *curve)
{
  Scan scan = { .curve = curve, .angles = curve->angles, .powers = curve->powers };

  scan.turn = es_beam_curve_get_turn (curve, &scan.n);
  return scan;
}

/* One row of a field. */
static EsBeamCurve
row_of (const EsBeamCurve *curve, guint row)
{
  EsBeamCurve one = *curve;

  one.powers += (gsize) row * curve->n;
  if (row != curve->row)
    {
      one.spectra = NULL;
      one.between = NULL;
    }
  return one;
}

/* Nothing lies beyond the axis of a line. */
static gboolean
is_edge (const Scan *scan, guint i)
{
  const double angle = scan->angles[i];

  if (scan->turn != 0 || (i > 0 && i + 1 < scan->n))
    return FALSE;
  return !(scan->curve->line && (angle <= 1e-3 || angle >= 180 - 1e-3));
}

/* k from -n to 2 n - 1. */
static guint
index_of (const Scan *scan, int k)
{
  const int n = (int) scan->n;

  return (guint) (k < 0 ? k + n : k >= n ? k - n : k);
}

static double
angle_at (const Scan *scan, int k)
{
  const int n = (int) scan->n;

  return scan->angles[index_of (scan, k)] + (k < 0 ? -scan->turn : k >= n ? scan->turn : 0);
}

/* As the angles are written: from the first on, once round. */
static double
wrap (const Scan *scan, double bearing)
{
  const double turns = scan->turn == 0 ? 0 : (bearing - scan->angles[0]) / 360;

  return bearing - 360 * (scan->turn > 0 ? floor (turns) : ceil (turns));
}

static double
distance_of (const Scan *scan, double a, double b)
{
  return scan->turn == 0 ? fabs (a - b) : fabs (remainder (a - b, 360));
}

/* A power that can be compared: what is missing lies below everything. */
static inline double
power_at (const float *powers, guint i)
{
  return powers[i] > 0 && isfinite (powers[i]) ? powers[i] : 0;
}

static inline double
to_level (double power)
{
  return 10 * log10 (power);
}

/* Where the parabola through three levels has its top, and how far that is above the middle one, dB; angles need not be
 * equally far apart. FALSE: it has none. */
static gboolean
find_parabola (const Scan *scan, int i, double *angle, double *rise)
{
  const double p0 = power_at (scan->powers, index_of (scan, i - 1)), p1 = power_at (scan->powers, index_of (scan, i));
  const double p2 = power_at (scan->powers, index_of (scan, i + 1)), at = angle_at (scan, i);

  if (p0 <= 0 || p2 <= 0)
    return FALSE;
  const double before = angle_at (scan, i - 1) - at, after = angle_at (scan, i + 1) - at;
  const double fall_before = to_level (p0 / p1), fall_after = to_level (p2 / p1);       /* not above 0: a maximum */
  /* y = a x^2 + b x through (before, fall_before), (0, 0), (after, fall_after) */
  const double determinant = before * after * (before - after);
  const double a = (fall_before * after - fall_after * before) / determinant;
  const double b = (before * before * fall_after - after * after * fall_before) / determinant;
  const double top = CLAMP (-b / (2 * a), MIN (before, after) / 2, MAX (before, after) / 2);

  if (!isfinite (-b / (2 * a)))
    return FALSE;
  *angle = at + top;
  *rise = (a * top + b) * top;
  return TRUE;
}

static double
refine (const Scan *scan, int i)
{
  double angle, rise;

  return find_parabola (scan, i, &angle, &rise) ? wrap (scan, angle) : angle_at (scan, i);
}

/* How far it is, in degrees, from a peak until the power has fallen to the half, walking by `step`; NAN: it does not
 * before the end, before what is missing, before something louder, or once round. */
static double
half_width (const Scan *scan, const EsBeamPeak *peak, int step)
{
  const int first = (int) peak->index;
  const double node = power_at (scan->powers, peak->index), half = peak->power / 2, at = scan->angles[peak->index];
  const double top = scan->turn != 0 ? at + remainder (peak->bearing - at, 360) : peak->bearing;
  const double ahead = scan->n > 1 ? step * (scan->angles[1] - scan->angles[0]) : step;
  double above = top, level_above = peak->power, crossing;

  /* The angle itself comes first where the top lies behind it. */
  for (int k = (top - at) * ahead < 0 ? first : first + step, walked = 0; walked < (int) scan->n; k += step, walked++)
    {
      if (scan->turn == 0 && (k < 0 || k >= (int) scan->n))
        return NAN;
      const guint to = index_of (scan, k);
      const double below = angle_at (scan, k), next = power_at (scan->powers, to);

      if (!isfinite (scan->powers[to]) || next > node)
        return NAN;
      if (next > half)
        {
          above = below;
          level_above = next;
          continue;
        }
      if (es_beam_curve_find_crossing (scan->curve, index_of (scan, k == first ? k : k - step), above, below, half,
                                       &crossing))
        return fabs (crossing - top);
      /* Between the two in dB; a power of 0 has none, it is interpolated as a power. */
      const double share = next > 0 ? to_level (level_above / half) / to_level (level_above / next)
                                    : (level_above - half) / level_above;
      return fabs (above + share * (below - above) - top);
    }
  return NAN;
}

/* exclusive: how far another peak has to be away, degrees. */
static EsBeamPeak
describe (const Scan *scan, guint i, double *exclusive)
{
  EsBeamPeak peak = {
    .bearing = scan->angles[i], .index = i, .power = power_at (scan->powers, i), .margin = NAN,
    .at_edge = is_edge (scan, i),
  };

  if (!peak.at_edge && es_beam_curve_find_top (scan->curve, i, &peak.bearing, &peak.power))
    peak.bearing = wrap (scan, peak.bearing);
  else if (!peak.at_edge && (scan->turn != 0 || (i > 0 && i + 1 < scan->n)))
    peak.bearing = refine (scan, (int) i);
  peak.level = to_level (peak.power);
  const double left = half_width (scan, &peak, -1), right = half_width (scan, &peak, 1);
  peak.width = left + right;
  /* One flank may be hidden behind another peak or the end of the search. */
  *exclusive = !isnan (peak.width) ? peak.width : !isnan (left) ? 2 * left : !isnan (right) ? 2 * right : 0;
  return peak;
}

/* Of a plateau the middle. Returns how many there are. */
static guint
find_maxima (const Scan *scan, guint *maxima)
{
  const gboolean round = scan->turn != 0;
  guint found = 0, begin = 0, end;

  /* All round there is no end: begin where a plateau does. */
  while (round && begin < scan->n && power_at (scan->powers, begin) == power_at (scan->powers, begin > 0 ? begin - 1
                                                                                                 : scan->n - 1))
    begin++;
  if (begin == scan->n)
    return 0;
  for (guint i = begin; i < begin + scan->n; i = end)
    {
      const double power = power_at (scan->powers, i % scan->n);
      const gboolean first = !round && i == 0;

      for (end = i + 1; end < begin + scan->n && power_at (scan->powers, end % scan->n) == power; end++)
        ;
      const gboolean last = !round && end == scan->n;
      if (power > 0 && (first || power_at (scan->powers, (i + scan->n - 1) % scan->n) < power)
          && (last || power_at (scan->powers, end % scan->n) < power))
        {
          /* A plateau over everything is no direction. */
          if (scan->n > 1 && first && last)
            return 0;
          maxima[found++] = (i + (end - 1 - i) / 2) % scan->n;
        }
    }
  return found;
}

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

/* A maximum as it stands between the angles, and how far another one has to be away, degrees. */
typedef struct
{
  EsBeamPeak peak;
  double     exclusive;
} Candidate;

static int
compare_candidates (const void *a, const void *b)
{
  return compare_peaks (&((const Candidate *) a)->peak, &((const Candidate *) b)->peak);
}

/* Whether a maximum stands apart from a stronger one: outside of its width, or with a valley between them that is half
 * as high as it is at most. What is wide, as moving ships leave it in a mean, may have a neighbour nearer than that. */
static gboolean
is_apart (const Scan *scan, const Candidate *stronger, const EsBeamPeak *peak)
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
static Candidate *
find_candidates (const Scan *scan, guint most, guint *n)
{
  g_autofree guint *maxima = g_new (guint, scan->n + 1);
  Candidate *candidates;

  *n = find_maxima (scan, maxima);
  g_qsort_with_data (maxima, (gint) *n, sizeof *maxima, compare_powers, (gpointer) scan->powers);
  *n = MIN (*n, most);
  candidates = g_new (Candidate, *n + 1);
  for (guint i = 0; i < *n; i++)
    candidates[i].peak = describe (scan, maxima[i], &candidates[i].exclusive);
  qsort (candidates, *n, sizeof *candidates, compare_candidates);
  return candidates;
}

static guint
find_lifts (const EsBeamCurve *curve, const Candidate *candidates, guint n, EsBeamLift *lifts)
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
  const Scan scan = scan_of (curve);
  g_autofree Candidate *candidates = NULL;
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
                && is_apart (&scan, &candidates[listed[k]], peak);
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

/* ---- rows of a field ---- */

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
  const EsBeamCurve one = row_of (curve, row);
  const Scan scan = scan_of (&one);
  Top top = { row, index, power_at (scan.powers, index) };
  double angle, rise;

  if (!curve->reciprocal && !is_edge (&scan, index) && (scan.turn != 0 || (index > 0 && index + 1 < scan.n))
      && find_parabola (&scan, (int) index, &angle, &rise) && rise > 0)
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
      const EsBeamCurve one = row_of (curve, tops[i].row);
      const Scan scan = scan_of (&one);

      if (!is_edge (&scan, tops[i].index) && es_beam_curve_find_top (&one, tops[i].index, &bearing, &power))
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
      const EsBeamCurve one = row_of (curve, r);
      const Scan scan = scan_of (&one);
      const guint found = find_maxima (&scan, maxima);

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

  const EsBeamCurve one = row_of (curve, row);
  const Scan scan = scan_of (&one);
  /* The same direction as the first. */
  *peak = describe (&scan, index < scan.n ? index : 0, &exclusive);
  peak->row = row;
  peak->margin = other > 0 ? to_level (best / other) : NAN;
  return TRUE;
}

/* The strongest of the other rows inside the lobe; 0: there is none. tops: of the rows, its own first. */
static double
best_other_row (const EsBeamCurve *curve, guint n_rows, const EsBeamPeak *peak, const Top *tops, guint n_tops)
{
  const Scan scan = scan_of (curve);
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
goes_on (const Scan *over_all, guint index, int from, int to, double *lowest)
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
find_tops (const EsBeamCurve *curve, guint n_rows, const Scan *over_all, guint index, guint row, double reach,
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
  g_autofree Candidate *candidates = NULL;
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
  candidates = g_new (Candidate, found + 1);
  tops = g_new (Top, n_rows);
  const Scan scan = scan_of (&over_all);
  for (guint k = 0; k < found; k++)
    {
      Candidate *candidate = &candidates[k];
      double reach = INFINITY;

      /* What is nearer to another peak is that one's. */
      for (guint i = 0; i < found; i++)
        if (i != k)
          reach = MIN (reach, distance_of (&scan, peaks[i].bearing, peaks[k].bearing) / 2);
      const guint n_tops = find_tops (curve, n_rows, &scan, peaks[k].index, rows[peaks[k].index], reach, tops);

      sort_tops (curve, tops, n_tops);
      /* Its neighbours in the row may be weaker than those of other rows. */
      const EsBeamCurve one = row_of (curve, tops[0].row);
      const Scan of_row = scan_of (&one);
      candidate->peak = describe (&of_row, tops[0].index, &candidate->exclusive);
      candidate->peak.row = tops[0].row;
      const double other = best_other_row (curve, n_rows, &candidate->peak, tops, n_tops);
      if (other > 0)
        candidate->peak.margin = to_level (MAX (tops[0].power, candidate->peak.power) / other);
    }
  qsort (candidates, found, sizeof *candidates, compare_candidates);
  for (guint k = 0; k < found; k++)
    {
      gboolean apart = TRUE;

      /* The flank of what is stronger in another row is no arrival. */
      for (guint i = 0; i < k && apart; i++)
        apart = is_apart (&scan, &candidates[i], &candidates[k].peak);
      if (k == 0 || (apart && !(candidates[k].peak.margin < 0)))
        peaks[kept++] = candidates[k].peak;
    }
  return kept;
}
