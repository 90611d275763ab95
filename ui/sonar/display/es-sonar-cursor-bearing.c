/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The bearing of the cursor: a beam, or a true bearing whose beam is another one while the array turns. */

#include "es-sonar-cursor-private.h"

#include <math.h>

/* ---- while the array turns ---- */

static int
nearest_angle (EsSonarCursor *self, double bearing)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  int best = -1;

  if (settings == NULL || isnan (bearing))
    return -1;
  for (guint i = 0; i < settings->n_angles; i++)
    if (best < 0 || fabs (settings->angles[i] - bearing) < fabs (settings->angles[best] - bearing))
      best = (int) i;
  return best;
}

/* Where the heading of all times is one, the bearing is kept, not the true one. */
static gboolean
does_turn (EsSonarCursor *self)
{
  EsRecording *recording = es_sonar_source_get_recording (self->source);
  g_autoptr (EsNavigation) navigation = NULL;

  if (self->scale == NULL || recording == NULL || es_bearing_scale_get_kind (self->scale) != ES_BEARINGS_TRUE)
    return FALSE;
  navigation = es_recording_dup_navigation (recording);
  return navigation != NULL && !es_navigation_is_fixed (navigation);
}

/* What is held of the bearing there is, at a row. */
static void
hold_at (EsSonarCursor *self, guint64 row)
{
  double places[2];
  guint n;

  self->held = NAN;
  if (isnan (self->bearing) || !does_turn (self))
    return;
  n = es_bearing_scale_show (self->scale, es_bearing_scale_get_heading (self->scale, row), self->bearing, places);
  if (n > 0)
    self->held = places[self->side < n ? self->side : 0];
}

void
_es_sonar_cursor_hold (EsSonarCursor *self)
{
  guint64 row;

  if (es_sonar_cursor_get_row (self, &row))
    hold_at (self, row);
  else
    self->held = NAN;
}

EsSonarChange
_es_sonar_cursor_turn (EsSonarCursor *self)
{
  guint64 row;
  int angle;

  if (isnan (self->held) || !es_sonar_cursor_get_row (self, &row))
    return 0;
  angle = es_sonar_cursor_get_angle_at (self, row);
  if (angle < 0 || es_sonar_source_get_settings (self->source)->angles[angle] == self->bearing)
    return 0;
  self->bearing = self->wanted = es_sonar_source_get_settings (self->source)->angles[angle];
  es_bearing_scale_find (self->scale, es_bearing_scale_get_heading (self->scale, row), self->held, &self->side);
  return ES_SONAR_CHANGE_TURNED;
}

/* Of other angles it is the beam nearest to what was pointed at: what is written of it is of no beam in between. */
static void
fit_bearing (EsSonarCursor *self)
{
  const int angle = nearest_angle (self, self->wanted);

  if (angle >= 0)
    self->bearing = es_sonar_source_get_settings (self->source)->angles[angle];
}

void
_es_sonar_cursor_set_scale (EsSonarCursor *self, EsBearingScale *scale)
{
  self->scale = scale;
  if (scale == NULL)
    return;
  fit_bearing (self);
  if (es_bearing_scale_is_plain (scale))
    self->side = 0;
  /* Of a result of the same recording it is the same source, whatever its moment. */
  if (!isnan (self->held) && does_turn (self))
    _es_sonar_cursor_turn (self);
  else
    _es_sonar_cursor_hold (self);
}

double
es_sonar_cursor_get_held (EsSonarCursor *self)
{
  return self->held;
}

guint
es_sonar_cursor_get_side (EsSonarCursor *self)
{
  return self->side;
}

/* ---- the bearing ---- */

double
es_sonar_cursor_get_bearing (EsSonarCursor *self)
{
  return self->bearing;
}

void
es_sonar_cursor_set_bearing (EsSonarCursor *self, double bearing)
{
  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  if (self->bearing == bearing || (isnan (bearing) && isnan (self->bearing)))
    return;
  self->bearing = self->wanted = bearing;
  _es_sonar_cursor_hold (self);
  _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_BEARING);
}

void
es_sonar_cursor_point (EsSonarCursor *self, double shown, guint64 row)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  guint side = 0;
  int angle;

  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  const double found = self->scale == NULL ? shown
                       : es_bearing_scale_find (self->scale, es_bearing_scale_get_heading (self->scale, row), shown,
                                                &side);

  angle = nearest_angle (self, found);
  if (angle < 0)
    return;
  const gboolean same = self->bearing == settings->angles[angle] && self->side == side;
  const double held = self->held;

  self->bearing = settings->angles[angle];
  self->wanted = found;
  self->side = side;
  hold_at (self, row);
  /* At the moment that is looked at it is another beam again. */
  _es_sonar_cursor_turn (self);
  if (!same || (self->held != held && !(isnan (self->held) && isnan (held))))
    _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_BEARING);
}

void
es_sonar_cursor_point_now (EsSonarCursor *self, double shown)
{
  guint64 row = 0;

  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  es_sonar_cursor_get_row (self, &row);
  es_sonar_cursor_point (self, shown, row);
}

int
es_sonar_cursor_get_angle (EsSonarCursor *self)
{
  return nearest_angle (self, self->bearing);
}

int
es_sonar_cursor_get_angle_at (EsSonarCursor *self, guint64 row)
{
  if (isnan (self->held) || self->scale == NULL)
    return es_sonar_cursor_get_angle (self);
  return nearest_angle (self, es_bearing_scale_find (self->scale, es_bearing_scale_get_heading (self->scale, row),
                                                     self->held, NULL));
}

void
es_sonar_cursor_set_bearing_at (EsSonarCursor *self, double bearing)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  const int best = nearest_angle (self, bearing);

  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  if (best < 0)
    return;
  es_sonar_cursor_set_bearing (self, settings->angles[best]);
  self->wanted = bearing;
}

gboolean
_es_sonar_cursor_is_reversed (EsSonarCursor *self, int angle)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  double here[2], next[2], heading;
  guint64 row = 0;

  if (angle < 0 || self->scale == NULL || es_bearing_scale_is_plain (self->scale) || settings->n_angles < 2)
    return FALSE;
  es_sonar_cursor_get_row (self, &row);
  heading = es_bearing_scale_get_heading (self->scale, row);
  angle = MIN (angle, (int) settings->n_angles - 2);
  return es_bearing_scale_show (self->scale, heading, settings->angles[angle], here) > self->side
         && es_bearing_scale_show (self->scale, heading, settings->angles[angle + 1], next) > self->side
         && remainder (next[self->side] - here[self->side], 360) < 0;
}
