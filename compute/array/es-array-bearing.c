/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a bearing of an array is to others: its mirror image, and what it is from true north. */

#include "es-array-private.h"

#include <math.h>

/* A line steeper than this points nowhere on the horizon; elements so close to one vertical plane, as a share of the
 * array's length, are in it. */
#define STEEPEST_LINE 0.0871557427476582      /* sin 5 degrees, from the horizon */
#define UPRIGHT_LINE 0.0871557427476582       /* sin 5 degrees, from the vertical */
#define PLANE_TOLERANCE 1e-3

static double
turn (double degrees, double least)
{
  const double turned = fmod (degrees - least, 360);

  return least + (turned < 0 ? fmod (turned + 360, 360) : turned);
}

/* The direction in which the places of living elements, seen from above, lie on one straight line. */
static gboolean
find_plane (EsArray *self, double *azimuth)
{
  const EsElement *elements = es_array_get_elements (self);
  const guint n = es_array_get_n_elements (self);
  double mean[2] = { 0 }, xx = 0, xy = 0, yy = 0, widest = 0, c, s;
  guint alive = 0;

  for (guint i = 0; i < n; i++)
    if (!elements[i].dead)
      {
        mean[0] += elements[i].x;
        mean[1] += elements[i].y;
        alive++;
      }
  for (guint i = 0; i < n && alive > 0; i++)
    if (!elements[i].dead)
      {
        const double x = elements[i].x - mean[0] / alive, y = elements[i].y - mean[1] / alive;

        xx += x * x;
        xy += x * y;
        yy += y * y;
      }
  *azimuth = atan2 (2 * xy, xx - yy) / 2 * 180 / G_PI;
  c = cos (*azimuth * G_PI / 180);
  s = sin (*azimuth * G_PI / 180);
  for (guint i = 0; i < n && alive > 0; i++)
    if (!elements[i].dead)
      widest = fmax (widest, fabs ((elements[i].y - mean[1] / alive) * c - (elements[i].x - mean[0] / alive) * s));
  return xx + yy > 0 && widest <= PLANE_TOLERANCE * es_array_get_length (self);
}

gboolean
es_array_get_mirror_plane (EsArray *self, double *azimuth)
{
  double axis[3];

  if (!es_array_is_line (self))
    return find_plane (self, azimuth);
  es_array_get_axis (self, axis);
  *azimuth = atan2 (axis[1], axis[0]) * 180 / G_PI;
  return hypot (axis[0], axis[1]) > UPRIGHT_LINE;
}

double
es_array_get_mirror (EsArray *self, double bearing)
{
  double plane;

  if (!es_array_get_mirror_plane (self, &plane))
    return NAN;
  return es_array_is_line (self) ? 360 - bearing : turn (2 * plane - bearing, -180);
}

gboolean
es_array_has_true_bearings (EsArray *self)
{
  double axis[3];

  if (!es_array_is_line (self))
    return TRUE;
  es_array_get_axis (self, axis);
  return fabs (axis[2]) <= STEEPEST_LINE;
}

guint
es_array_get_true_bearings (EsArray *self, double heading, double bearing, double found[2])
{
  double plane = 0;
  const gboolean mirrored = es_array_get_mirror_plane (self, &plane);

  found[0] = found[1] = NAN;
  if (!isfinite (heading) || !isfinite (bearing) || !es_array_has_true_bearings (self))
    return 0;
  if (es_array_is_line (self))
    {
      /* Starboard of the axis first: clockwise of it. */
      found[0] = turn (heading - plane + bearing, 0);
      found[1] = turn (heading - plane - bearing, 0);
      return 2;
    }
  found[0] = turn (heading - bearing, 0);
  if (mirrored)
    found[1] = turn (heading - (2 * plane - bearing), 0);
  return mirrored ? 2 : 1;
}

double
es_array_find_bearing (EsArray *self, double heading, double true_bearing)
{
  double plane = 0;

  if (!isfinite (heading) || !isfinite (true_bearing) || !es_array_has_true_bearings (self))
    return NAN;
  es_array_get_mirror_plane (self, &plane);
  return es_array_is_line (self) ? fabs (remainder (true_bearing - heading + plane, 360))
                                 : turn (heading - true_bearing, -180);
}
