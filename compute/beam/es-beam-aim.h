/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <math.h>

G_BEGIN_DECLS

/*
 * Where one far-field beam looks: at a bearing from the array, or at a true bearing, which is another one from the
 * array as that turns (EsNavigation). Where no heading is told nothing is heard of it.
 */
typedef struct
{
  double bearing, elevation;   /* degrees from the array: azimuth, or the angle to the axis of a line */
  double true_bearing;         /* degrees, followed; NAN: it stays where it is */
} EsBeamAim;

static inline EsBeamAim
es_beam_aim_at (double bearing)
{
  return (EsBeamAim) { .bearing = bearing, .true_bearing = NAN };
}

/* While a true bearing is followed it does not matter where from. */
static inline gboolean
es_beam_aim_equal (const EsBeamAim *a, const EsBeamAim *b)
{
  if (!isnan (a->true_bearing) || !isnan (b->true_bearing))
    return a->true_bearing == b->true_bearing;
  return (a->bearing == b->bearing || (isnan (a->bearing) && isnan (b->bearing))) && a->elevation == b->elevation;
}

G_END_DECLS
