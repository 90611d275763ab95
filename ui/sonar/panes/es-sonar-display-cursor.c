/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The moment, bearing and frequency that are looked at, and the rows in view. */
#include "config.h"

#include "es-sonar-display-private.h"

#include <math.h>

/* ---- the cursor ---- */

double
es_sonar_display_get_time (EsSonarDisplay *self)
{
  return self->time;
}

gboolean
es_sonar_display_get_row (EsSonarDisplay *self, guint64 *row)
{
  guint64 first = es_sonar_display_get_first (self);

  if (first >= self->end)
    return FALSE;
  *row = isnan (self->time) ? self->end - 1 : CLAMP (self->row, first, self->end - 1);
  return TRUE;
}

/* Keeps the row of the cursor in view. */
static EsSonarChange
reveal (EsSonarDisplay *self, guint64 row)
{
  double top = self->top;

  if (row + 1 > top)
    top = row + 1;
  else if (row < top - self->span)
    top = row + self->span;
  if (top == self->top)
    return 0;
  self->top = top;
  self->follow = FALSE;
  return ES_SONAR_SCROLL;
}

void
es_sonar_display_set_row (EsSonarDisplay *self, guint64 row)
{
  double time;

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  time = es_sonar_display_get_row_time (self, row);
  if (isnan (time) || (time == self->time && row == self->row))
    return;
  self->time = time;
  self->row = row;
  _es_sonar_display_changed (self, ES_SONAR_MOMENT | reveal (self, row));
}

void
es_sonar_display_set_time (EsSonarDisplay *self, double time)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (isnan (time))
    {
      if (!isnan (self->time))
        {
          self->time = NAN;
          _es_sonar_display_changed (self, ES_SONAR_MOMENT);
        }
      return;
    }
  if (self->history != NULL && es_beam_history_get_n_rows (self->history) > 0)
    es_sonar_display_set_row (self, self->end - 1 - es_beam_history_find_row (self->history, time));
}

double
es_sonar_display_get_bearing (EsSonarDisplay *self)
{
  return self->bearing;
}

void
es_sonar_display_set_bearing (EsSonarDisplay *self, double bearing)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->bearing == bearing || (isnan (bearing) && isnan (self->bearing)))
    return;
  self->bearing = bearing;
  _es_sonar_display_changed (self, ES_SONAR_BEARING);
}

int
es_sonar_display_get_angle (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  int best = -1;

  if (settings == NULL || isnan (self->bearing))
    return -1;
  for (guint i = 0; i < settings->n_angles; i++)
    if (best < 0 || fabs (settings->angles[i] - self->bearing) < fabs (settings->angles[best] - self->bearing))
      best = (int) i;
  return best;
}

void
es_sonar_display_set_bearing_at (EsSonarDisplay *self, double bearing)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  guint best = 0;

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (settings == NULL || settings->n_angles == 0 || isnan (bearing))
    return;
  for (guint i = 1; i < settings->n_angles; i++)
    if (fabs (settings->angles[i] - bearing) < fabs (settings->angles[best] - bearing))
      best = i;
  es_sonar_display_set_bearing (self, settings->angles[best]);
}

double
es_sonar_display_get_probe_frequency (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);

  if (settings == NULL || settings->n_bins == 0)
    return NAN;
  return !isnan (self->frequency) ? self->frequency
         : es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins / 2);
}

guint
es_sonar_display_find_bin (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  double bin;

  if (settings == NULL || settings->n_bins == 0)
    return 0;
  bin = es_sonar_display_get_probe_frequency (self) * settings->length / settings->rate - settings->first_bin;
  return (guint) CLAMP (floor (bin + 0.5), 0, settings->n_bins - 1.);
}

double
es_sonar_display_get_frequency (EsSonarDisplay *self)
{
  return self->frequency;
}

void
es_sonar_display_set_frequency (EsSonarDisplay *self, double frequency)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (self->frequency == frequency || (isnan (frequency) && isnan (self->frequency)))
    return;
  self->frequency = frequency;
  _es_sonar_display_changed (self, ES_SONAR_FREQUENCY);
}

void
es_sonar_display_seek (EsSonarDisplay *self, double seconds)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (isfinite (seconds))
    g_signal_emit_by_name (self, "seek", seconds);
}

void
es_sonar_display_clear_cursor (EsSonarDisplay *self)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  self->cleared = TRUE;
  self->time = self->bearing = self->frequency = NAN;
  _es_sonar_display_changed (self, ES_SONAR_MOMENT | ES_SONAR_BEARING | ES_SONAR_FREQUENCY);
}

void
es_sonar_display_step (EsSonarDisplay *self, int beams, int rows)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  int angle = es_sonar_display_get_angle (self);
  guint64 row;

  if (settings != NULL && beams != 0 && settings->n_angles > 0)
    {
      angle = angle < 0 ? (int) settings->n_angles / 2 : CLAMP (angle + beams, 0, (int) settings->n_angles - 1);
      es_sonar_display_set_bearing (self, settings->angles[angle]);
    }
  if (rows != 0 && es_sonar_display_get_row (self, &row))
    {
      gint64 first = (gint64) es_sonar_display_get_first (self), last = (gint64) self->end - 1;

      es_sonar_display_set_row (self, (guint64) CLAMP ((gint64) row - rows, first, last));
    }
}

/* ---- the view ---- */

gboolean
es_sonar_display_get_follow (EsSonarDisplay *self)
{
  return self->follow;
}

void
es_sonar_display_set_follow (EsSonarDisplay *self, gboolean follow)
{
  EsSonarChange change = ES_SONAR_SCROLL;

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  follow = !!follow;
  if (self->follow == follow && (!follow || isnan (self->time)))
    return;
  self->follow = follow;
  if (follow)
    {
      self->top = self->end;
      if (!isnan (self->time))
        change |= ES_SONAR_MOMENT;
      self->time = NAN;
    }
  _es_sonar_display_changed (self, change);
}

void
es_sonar_display_get_view (EsSonarDisplay *self, double *top, double *span)
{
  *top = self->top;
  *span = self->span;
}

void
es_sonar_display_set_view (EsSonarDisplay *self, double top, double span)
{
  double first = es_sonar_display_get_first (self), end = self->end, longest = MAX (end - first, ES_SONAR_USUAL_SPAN);

  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  span = CLAMP (span, ES_SONAR_SHORTEST_SPAN, MAX (longest, ES_SONAR_SHORTEST_SPAN));
  top = CLAMP (top, MIN (first + span, end), end);
  if (top == self->top && span == self->span)
    return;
  self->top = top;
  self->span = span;
  self->follow = top >= end && self->result == NULL;
  _es_sonar_display_changed (self, ES_SONAR_SCROLL);
}
