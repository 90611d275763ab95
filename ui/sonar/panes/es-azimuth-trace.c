/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-azimuth-trace.h"

#include <math.h>

static double
to_level (double power)
{
  return power > 0 ? 10 * log10 (power) : power == 0 ? -INFINITY : NAN;
}

/* Powers may be others than those of the row that the lifts are of. */
static const EsBeamLift *
find_lift (const EsBeamLift *lifts, guint n, guint index, float power)
{
  for (guint k = 0; k < n; k++)
    if (lifts[k].index == index && lifts[k].power == power)
      return &lifts[k];
  return NULL;
}

guint
es_azimuth_trace (const EsBeamSettings *settings, const float *powers, const EsBeamLift *lifts, guint n_lifts,
                  double *bearings, double *levels)
{
  const double *angles = settings->angles;
  const guint n_angles = settings->n_angles;
  const gboolean falls = n_angles > 1 && angles[n_angles - 1] < angles[0];
  guint n = 0;

  for (guint i = 0; i < n_angles; i++)
    {
      const EsBeamLift *lift = find_lift (lifts, n_lifts, i, powers[i]);
      /* All round, the last angle may be the nearest to what lies before the first. */
      const double away = lift != NULL ? remainder (lift->bearing - angles[i], 360) : 0;

      if (lift != NULL && (falls ? away > 0 : away < 0))
        {
          bearings[n] = angles[i] + away;
          levels[n++] = to_level (lift->power);
        }
      bearings[n] = angles[i];
      levels[n++] = to_level (lift == NULL ? powers[i] : away == 0 ? lift->power : lift->sample);
      if (lift != NULL && (falls ? away < 0 : away > 0))
        {
          bearings[n] = angles[i] + away;
          levels[n++] = to_level (lift->power);
        }
    }
  return n;
}

guint
es_azimuth_find_place (const double *bearings, const double *levels, guint n, const EsBeamPeak *peak)
{
  guint nearest = 0;

  for (guint i = 1; i < n; i++)
    if (fabs (remainder (bearings[i] - peak->bearing, 360)) < fabs (remainder (bearings[nearest] - peak->bearing, 360)))
      nearest = i;
  /* Refined by a parabola, a peak may lie nearer to the point beside its own. */
  if (nearest > 0 && levels[nearest - 1] > levels[nearest])
    return nearest - 1;
  return nearest + 1 < n && levels[nearest + 1] > levels[nearest] ? nearest + 1 : nearest;
}
