/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-geometry-internal.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* Points of the curve from which elements that are not evenly spaced take their weights. */
#define SHADING_CURVE 1025
/* The sine of an angle that is as good as along the axis of a line. */
#define NO_SIDE 1e-4

/* ---- shading ---- */

typedef struct
{
  double along;
  guint  element;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *p = a, *q = b;

  return p->along != q->along ? (p->along > q->along) - (p->along < q->along)
                              : (p->element > q->element) - (p->element < q->element);
}

/* One weight an element, dead ones included. */
static void
shade (EsArray *array, EsShading shading, float *weights)
{
  const guint n = es_array_get_n_elements (array);
  const EsElement *elements = es_array_get_elements (array);
  double axis[3];

  if (shading == ES_SHADING_NONE || !es_array_is_line (array))
    {
      for (guint k = 0; k < n; k++)
        weights[k] = 1;
      return;
    }

  g_autofree Place *places = g_new (Place, n);
  es_array_get_axis (array, axis);
  for (guint k = 0; k < n; k++)
    places[k] = (Place) { elements[k].x * axis[0] + elements[k].y * axis[1] + elements[k].z * axis[2], k };
  qsort (places, n, sizeof (Place), compare_places);

  const double from = places[0].along, length = places[n - 1].along - from;
  const gboolean even = es_array_is_uniform (array) || length <= 0;
  const guint points = even ? n : SHADING_CURVE;
  g_autofree float *curve = g_new (float, points);
  es_shading_fill (shading, curve, points);
  for (guint i = 0; i < n; i++)
    {
      const double place = even ? i : (places[i].along - from) / length * (points - 1);
      const guint before = MIN ((guint) place, points - 1), after = MIN (before + 1, points - 1);
      weights[places[i].element] = curve[before] + (place - before) * (curve[after] - curve[before]);
    }
}

EsBeamGeometry *
es_beam_geometry_new (EsArray *array, EsShading shading, double scale)
{
  EsBeamGeometry *self = g_new0 (EsBeamGeometry, 1);
  const EsElement *elements = es_array_get_elements (array);
  const guint n = es_array_get_n_elements (array), alive = es_array_get_n_alive (array);
  double origin[3];
  g_autofree float *weights = g_new (float, n);

  es_array_get_origin_place (array, origin);
  shade (array, shading, weights);
  self->channels = g_new (guint32, alive);
  self->gains = g_new (float, alive);
  self->weights = g_new (float, alive);
  self->positions = g_new (double, (gsize) alive * 3);
  for (guint k = 0; k < n; k++)
    {
      const EsElement *e = &elements[k];
      if (e->dead)
        continue;
      const double place[3] = { e->x - origin[0], e->y - origin[1], e->z - origin[2] };
      memcpy (&self->positions[(gsize) self->n * 3], place, sizeof place);
      self->channels[self->n] = e->channel;
      self->weights[self->n] = weights[k];
      self->gains[self->n] = e->gain * weights[k] * scale;
      self->sum += weights[k];
      self->sum_of_squares += (double) weights[k] * weights[k];
      self->n++;
    }
  return self;
}

EsBeamGeometry *
es_beam_geometry_new_calibrated (EsArray *array, EsShading shading, double scale, EsCalibration *calibration,
                                 GError **error)
{
  g_autoptr (EsBeamGeometry) self = es_beam_geometry_new (array, shading, 1);
  const EsElement *elements = es_array_get_elements (array);

  /* The hot spots know gains alone: what channels differ by is among them. */
  for (guint k = 0, alive = 0; k < es_array_get_n_elements (array); k++)
    {
      if (elements[k].dead)
        continue;
      if (!es_calibration_check_channel (calibration, elements[k].channel, error))
        return NULL;
      self->gains[alive] = (float) (elements[k].gain * self->weights[alive] * scale
                                    * (calibration != NULL
                                       ? es_calibration_get_upa (calibration, elements[k].channel) : 1));
      alive++;
    }
  return g_steal_pointer (&self);
}

void
es_beam_geometry_free (EsBeamGeometry *self)
{
  g_free (self->channels);
  g_free (self->gains);
  g_free (self->weights);
  g_free (self->positions);
  g_free (self);
}

/* ---- where beams look ---- */

/* Cosine and sine of degrees; those of right angles are exact, so that beams abeam of a line are symmetric. */
static void
cos_sin (double degrees, double *c, double *s)
{
  const double turn = fmod (degrees, 360);

  *c = cos (turn * G_PI / 180);
  *s = sin (turn * G_PI / 180);
  if (fmod (turn, 90) == 0)
    {
      *c = rint (*c);
      *s = rint (*s);
    }
}

/* A direction across a line's axis: level where there is one. */
static void
find_across (const double *axis, double *across)
{
  const double level = hypot (axis[0], axis[1]);

  if (level > 1e-9)
    memcpy (across, (double[]) { -axis[1] / level, axis[0] / level, 0 }, 3 * sizeof (double));
  else
    memcpy (across, (double[]) { 0, 1, 0 }, 3 * sizeof (double));
}

void
es_beam_foci_of_row (EsArray *array, const EsBeamSettings *settings, guint row, EskFocus *foci)
{
  double axis[3] = { 1, 0, 0 }, across[3] = { 0, 1, 0 };
  const double range = settings->ranges[row];
  const gboolean near = !isinf (range);

  if (es_array_is_line (array))
    {
      es_array_get_axis (array, axis);
      find_across (axis, across);
    }
  for (guint i = 0; i < settings->n_angles; i++)
    {
      double along, aside, distance = 1;
      gboolean beside = TRUE;
      cos_sin (settings->angles[i], &along, &aside);
      if (near && settings->range_kind == ES_RANGE_PERPENDICULAR && es_array_is_line (array))
        {
          /* Along the axis a perpendicular distance is infinitely far. */
          beside = aside > NO_SIDE;
          distance = beside ? range / aside : 1;
        }
      else if (near)
        distance = range;
      foci[i] = (EskFocus) {
        .x = distance * (along * axis[0] + aside * across[0]),
        .y = distance * (along * axis[1] + aside * across[1]),
        .z = distance * (along * axis[2] + aside * across[2]),
        .near = near && beside,
      };
    }
}

EskFocus
es_beam_focus_far (double azimuth, double elevation)
{
  double ca, sa, ce, se;

  cos_sin (azimuth, &ca, &sa);
  cos_sin (elevation, &ce, &se);
  return (EskFocus) { .x = ce * ca, .y = ce * sa, .z = se };
}

EskFocus
es_beam_focus_point (EsArray *array, double x, double y, double z)
{
  double origin[3];

  es_array_get_origin_place (array, origin);
  return (EskFocus) { .x = x - origin[0], .y = y - origin[1], .z = z - origin[2], .near = true };
}
