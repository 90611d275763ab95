/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a display of adaptive beams would miss between two of them, and what of them is mere noise. */

#include "es-beam-lifts-private.h"

#include <math.h>
#include <stdlib.h>

#include "base/es-order.h"

/* Adaptive beams have no side lobes: what is less than 3 dB over the middle of all is no arrival. */
static double
find_noise (const float *powers, guint n)
{
  g_autofree float *sorted = g_memdup2 (powers, sizeof (float) * n);

  qsort (sorted, n, sizeof (float), es_compare_floats);
  return 2 * sorted[n / 2];
}

guint
es_peaks_above_noise (const EsBeamPeak *peaks, guint n, const float *powers, guint n_powers)
{
  if (n == 0 || n_powers == 0)
    return 0;
  const double noise = find_noise (powers, n_powers);
  while (n > 0 && peaks[n - 1].power < noise)
    n--;
  return n;
}

/* The angle nearest to a top, which lies beside its own; `n` and `turn` as es_beam_curve_get_turn () says. */
static guint
find_nearest (const EsBeamCurve *curve, guint n, double turn, const EsBeamPeak *top)
{
  guint nearest = top->index;
  double least = INFINITY;

  for (int k = -1; k <= 1; k++)
    {
      const int at = (int) top->index + k;

      if (turn == 0 && (at < 0 || at >= (int) n))
        continue;
      const guint index = (guint) ((at + (int) n) % (int) n);
      const double away = curve->angles[index] - top->bearing;
      const double distance = turn == 0 ? fabs (away) : fabs (remainder (away, 360));

      if (distance < least)
        {
          least = distance;
          nearest = index;
        }
    }
  return nearest;
}

guint
_es_beam_find_lifts (const EsBeamCurve *curve, const EsBeamPeak *tops, guint n, EsBeamLift *lifts)
{
  const float *powers = curve->powers;
  const double noise = n > 0 ? find_noise (powers, curve->n) : 0;
  guint n_angles, found = 0;
  const double turn = es_beam_curve_get_turn (curve, &n_angles);

  for (guint i = 0; i < n && found < ES_BEAM_MOST_LIFTS; i++)
    {
      const guint index = find_nearest (curve, n_angles, turn, &tops[i]);
      const float power = (float) tops[i].power;
      gboolean taken = FALSE;

      /* Not known between the angles, or not higher there. */
      if (!(power >= noise) || !(power > powers[tops[i].index]) || !(power > powers[index]))
        continue;
      for (guint k = 0; k < found && !taken; k++)
        taken = lifts[k].index == index;
      if (!taken)
        lifts[found++] = (EsBeamLift) { index, (float) tops[i].bearing, power, powers[index] };
    }
  /* The first angle, where it is there once more at the end. */
  for (guint k = 0, n_first = found; n_angles < curve->n && k < n_first && found < ES_BEAM_MOST_LIFTS; k++)
    if (lifts[k].index == 0)
      {
        lifts[found] = lifts[k];
        lifts[found].index = n_angles;
        lifts[found++].sample = powers[n_angles];
      }
  return found;
}

void
es_beam_lift (float *powers, const EsBeamLift *lifts, guint n_lifts)
{
  for (guint i = 0; i < n_lifts; i++)
    powers[lifts[i].index] = lifts[i].power;
}
