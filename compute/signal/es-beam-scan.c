/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A curve of power over angles, walked along: its maxima and what they are between the angles (sonar.md 11). */

#include "es-beam-scan-private.h"

EsBeamScan
_es_beam_scan (const EsBeamCurve *curve)
{
  EsBeamScan scan = { .curve = curve, .angles = curve->angles, .powers = curve->powers };

  scan.turn = es_beam_curve_get_turn (curve, &scan.n);
  return scan;
}

EsBeamCurve
_es_beam_scan_row_of (const EsBeamCurve *curve, guint row)
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
gboolean
_es_beam_scan_is_edge (const EsBeamScan *scan, guint i)
{
  const double angle = scan->angles[i];

  if (scan->turn != 0 || (i > 0 && i + 1 < scan->n))
    return FALSE;
  return !(scan->curve->line && (angle <= 1e-3 || angle >= 180 - 1e-3));
}

/* As the angles are written: from the first on, once round. */
static double
wrap (const EsBeamScan *scan, double bearing)
{
  const double turns = scan->turn == 0 ? 0 : (bearing - scan->angles[0]) / 360;

  return bearing - 360 * (scan->turn > 0 ? floor (turns) : ceil (turns));
}

gboolean
_es_beam_scan_find_parabola (const EsBeamScan *scan, int i, double *angle, double *rise)
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
refine (const EsBeamScan *scan, int i)
{
  double angle, rise;

  return _es_beam_scan_find_parabola (scan, i, &angle, &rise) ? wrap (scan, angle) : angle_at (scan, i);
}

/* How far it is, in degrees, from a peak until the power has fallen to the half, walking by `step`; NAN: it does not
 * before the end, before what is missing, before something louder, or once round. */
static double
half_width (const EsBeamScan *scan, const EsBeamPeak *peak, int step)
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

EsBeamPeak
_es_beam_scan_describe (const EsBeamScan *scan, guint i, double *exclusive)
{
  EsBeamPeak peak = {
    .bearing = scan->angles[i], .index = i, .power = power_at (scan->powers, i), .margin = NAN,
    .at_edge = _es_beam_scan_is_edge (scan, i),
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

guint
_es_beam_scan_find_maxima (const EsBeamScan *scan, guint *maxima)
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
