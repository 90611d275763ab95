/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Picking directions of arrival (sonar.md 11). */

#include "es-beam-peaks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Where the parabola through three levels has its top; angles need not be equally far apart. */
static double
refine (const double *angles, const float *powers, guint i)
{
  const double p0 = power_at (powers, i - 1), p1 = power_at (powers, i), p2 = power_at (powers, i + 1);

  if (p0 <= 0 || p2 <= 0)
    return angles[i];
  const double before = angles[i - 1] - angles[i], after = angles[i + 1] - angles[i];
  const double fall_before = to_level (p0 / p1), fall_after = to_level (p2 / p1);       /* not above 0: a maximum */
  /* y = a x^2 + b x through (before, fall_before), (0, 0), (after, fall_after) */
  const double determinant = before * after * (before - after);
  const double a = (fall_before * after - fall_after * before) / determinant;
  const double b = (before * before * fall_after - after * after * fall_before) / determinant;
  const double top = -b / (2 * a);

  if (!isfinite (top))
    return angles[i];
  return angles[i] + CLAMP (top, MIN (before, after) / 2, MAX (before, after) / 2);
}

/* How far it is, in degrees, from i until the power has fallen to the half, walking by `step`; NAN: it does not before
 * the end, before what is missing, or before something louder. */
static double
half_width (const double *angles, const float *powers, guint n, guint i, int step)
{
  const double top = power_at (powers, i);

  for (guint k = i; step > 0 ? k + 1 < n : k > 0; k += step)
    {
      const double here = power_at (powers, k), next = power_at (powers, k + step);

      if (!isfinite (powers[k + step]) || next > top)
        return NAN;
      if (next <= top / 2)
        {
          /* Between the two in dB; a power of 0 has none, it is interpolated as a power. */
          const double share = next > 0 ? (to_level (here / top) + 10 * log10 (2.0)) / to_level (here / next)
                                        : (here - top / 2) / here;
          return fabs (angles[k] + share * (angles[k + step] - angles[k]) - angles[i]);
        }
    }
  return NAN;
}

/* exclusive: how far another peak has to be away, degrees. */
static EsBeamPeak
describe (const double *angles, const float *powers, guint n, guint i, double *exclusive)
{
  const double left = half_width (angles, powers, n, i, -1), right = half_width (angles, powers, n, i, 1);
  EsBeamPeak peak = {
    .bearing = angles[i], .index = i, .power = power_at (powers, i), .level = to_level (power_at (powers, i)),
    .width = left + right, .margin = NAN, .at_edge = i == 0 || i + 1 == n,
  };

  if (!peak.at_edge)
    peak.bearing = refine (angles, powers, i);
  /* One flank may be hidden behind another peak or the end of the search. */
  *exclusive = !isnan (peak.width) ? peak.width : !isnan (left) ? 2 * left : !isnan (right) ? 2 * right : 0;
  return peak;
}

/* Of a plateau the middle. Returns how many there are. */
static guint
find_maxima (const float *powers, guint n, guint *maxima)
{
  guint found = 0;

  for (guint i = 0, end; i < n; i = end)
    {
      const double power = power_at (powers, i);

      for (end = i + 1; end < n && power_at (powers, end) == power; end++)
        ;
      if (power > 0 && (i == 0 || power_at (powers, i - 1) < power)
          && (end == n || power_at (powers, end) < power))
        {
          /* A plateau over everything is no direction. */
          if (n > 1 && i == 0 && end == n)
            return 0;
          maxima[found++] = i + (end - 1 - i) / 2;
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

guint
es_find_peaks (const double *angles, const float *powers, guint n, guint count, double range_db, double distance,
               EsBeamPeak *peaks)
{
  g_autofree guint *maxima = g_new (guint, n + 1);
  g_autofree double *exclusive = g_new (double, (gsize) count + 1);
  const guint n_maxima = find_maxima (powers, n, maxima);
  double next_level = NAN;
  guint found = 0;

  if (count == 0)
    return 0;
  g_qsort_with_data (maxima, (gint) n_maxima, sizeof *maxima, compare_powers, (gpointer) powers);
  for (guint i = 0; i < n_maxima; i++)
    {
      double own;
      EsBeamPeak peak = describe (angles, powers, n, maxima[i], &own);
      gboolean apart = TRUE;

      for (guint k = 0; k < found && apart; k++)
        {
          const double between = fabs (peak.bearing - peaks[k].bearing);
          apart = between >= distance && between >= exclusive[k];
        }
      if (!apart)
        continue;
      /* The first that is not listed any more still says how far the last one stands out. */
      next_level = peak.level;
      if (found == count || (found > 0 && peak.level < peaks[0].level - range_db))
        break;
      peaks[found] = peak;
      exclusive[found++] = own;
      next_level = NAN;
    }
  for (guint k = 0; k < found; k++)
    peaks[k].margin = peaks[k].level - (k + 1 < found ? peaks[k + 1].level : next_level);
  return found;
}

gboolean
es_find_field_peak (const double *angles, const float *field, guint n_rows, guint n, EsBeamPeak *peak)
{
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
  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; r != row && i < n; i++)
      other = MAX (other, power_at (field + (gsize) r * n, i));

  *peak = describe (angles, field + (gsize) row * n, n, index, &exclusive);
  peak->row = row;
  peak->margin = other > 0 ? to_level (best / other) : NAN;
  return TRUE;
}

/* The strongest of the other rows inside the lobe; 0: there is none. */
static double
best_other_row (const double *angles, const float *field, guint n_rows, guint n, const EsBeamPeak *peak)
{
  double best = 0;

  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; r != peak->row && i < n; i++)
      if (i == peak->index || fabs (angles[i] - peak->bearing) <= peak->width)
        best = MAX (best, power_at (field + (gsize) r * n, i));
  return best;
}

guint
es_find_peaks_of_field (const double *angles, const float *field, guint n_rows, guint n, guint count, double range_db,
                        double distance, EsBeamPeak *peaks)
{
  g_autofree float *strongest = NULL;
  g_autofree guint *rows = NULL;
  guint found;

  if (n_rows <= 1)
    return n_rows == 0 ? 0 : es_find_peaks (angles, field, n, count, range_db, distance, peaks);
  strongest = g_new0 (float, n);
  rows = g_new0 (guint, n);
  for (guint r = 0; r < n_rows; r++)
    for (guint i = 0; i < n; i++)
      if (power_at (field + (gsize) r * n, i) > strongest[i])
        {
          strongest[i] = (float) power_at (field + (gsize) r * n, i);
          rows[i] = r;
        }
  found = es_find_peaks (angles, strongest, n, count, range_db, distance, peaks);
  for (guint k = 0; k < found; k++)
    {
      const guint row = rows[peaks[k].index];
      double exclusive;

      /* Its neighbours in the row may be weaker than those of other rows. */
      peaks[k] = describe (angles, field + (gsize) row * n, n, peaks[k].index, &exclusive);
      peaks[k].row = row;
      const double other = best_other_row (angles, field, n_rows, n, &peaks[k]);
      if (other > 0)
        peaks[k].margin = peaks[k].level - to_level (other);
    }
  return found;
}

static int
compare_floats (gconstpointer a, gconstpointer b)
{
  const float x = *(const float *) a, y = *(const float *) b;

  return (x > y) - (x < y);
}

/* Adaptive beams have no side lobes: what is less than 3 dB over the middle of all is no arrival. */
guint
es_peaks_above_noise (const EsBeamPeak *peaks, guint n, const float *powers, guint n_powers)
{
  g_autofree float *sorted = NULL;

  if (n == 0 || n_powers == 0)
    return 0;
  sorted = g_memdup2 (powers, sizeof (float) * n_powers);
  qsort (sorted, n_powers, sizeof (float), compare_floats);
  while (n > 0 && peaks[n - 1].power < 2 * sorted[n_powers / 2])
    n--;
  return n;
}
