/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-display.h"

#include <math.h>

#include "es-sonar-display-private.h"
#include "axes/es-axis-ticks.h"
#include "es-sonar-look.h"

struct _EsSonarDisplay
{
  GObject        parent_instance;

  EsSonarSource *source;
  EsSonarCursor *cursor;
  EsSonarExtent *extent;
  EsSonarLook   *look;
  EsBearingScale *scale;
  GDateTime     *start;          /* nullable */
  gboolean       playing;
  guint          holds;          /* while there are any, changes are gathered */
  guint          pending;        /* EsSonarChange */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (EsSonarDisplay, es_sonar_display, G_TYPE_OBJECT)

/* ---- one change of all parts ---- */

static void
hold (EsSonarDisplay *self)
{
  self->holds++;
}

static void
release (EsSonarDisplay *self, guint change)
{
  self->pending |= change;
  if (--self->holds > 0 || self->pending == 0)
    return;
  change = self->pending;
  self->pending = 0;
  g_signal_emit (self, changed_signal, 0, change);
}

/* What a change of source, array, heading or wish makes of how bearings and times are written. */
static void
update_writing (EsSonarDisplay *self)
{
  static GTimeZone *(*const zones[ES_N_CLOCKS]) (void) = { NULL, g_time_zone_new_utc, g_time_zone_new_local };
  EsRecording *recording = es_sonar_source_get_recording (self->source);
  const EsClock clock = es_sonar_look_get_clock (self->look);
  g_autoptr (GDateTime) start = recording != NULL && zones[clock] != NULL ? es_recording_dup_start (recording) : NULL;
  g_autoptr (GTimeZone) zone = start != NULL ? zones[clock] () : NULL;

  g_clear_pointer (&self->start, g_date_time_unref);
  if (start != NULL)
    self->start = g_date_time_to_timezone (start, zone);
  _es_sonar_cursor_set_scale (self->cursor, NULL);
  g_clear_pointer (&self->scale, es_bearing_scale_free);
  self->scale = es_bearing_scale_new (self->source, es_sonar_look_get_bearings (self->look));
  _es_sonar_cursor_set_scale (self->cursor, self->scale);
}

static void
on_look_changed (EsSonarDisplay *self, guint change)
{
  hold (self);
  if (change & ES_SONAR_CHANGE_WRITING)
    update_writing (self);
  release (self, change);
}

static void
on_part_changed (EsSonarDisplay *self, guint change)
{
  hold (self);
  release (self, change);
}

/* What a person points at comes into view; what has only become of the source scrolls nothing. */
static void
on_cursor_changed (EsSonarDisplay *self, guint change)
{
  gboolean alone = self->holds == 0;
  guint64 row;

  hold (self);
  if (alone && (change & ES_SONAR_CHANGE_MOMENT) && !isnan (es_sonar_cursor_get_time (self->cursor))
      && es_sonar_cursor_get_row (self->cursor, &row))
    _es_sonar_extent_reveal (self->extent, row);
  release (self, change);
}

static void
on_source_changed (EsSonarDisplay *self, guint change)
{
  hold (self);
  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_WRITING))
    update_writing (self);
  _es_sonar_extent_follow_source (self->extent, change);
  _es_sonar_cursor_follow_source (self->cursor, change);
  release (self, change);
}

/* ---- what concerns several parts ---- */

void
es_sonar_display_set_source (EsSonarDisplay *self, EsBeamHistory *history, EsRecording *recording, EsResult *result)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  hold (self);
  if (recording != es_sonar_source_get_recording (self->source))
    _es_sonar_cursor_forget (self->cursor);
  if (es_sonar_source_set (self->source, history, recording, result))
    _es_sonar_extent_reset (self->extent);
  release (self, 0);
}

void
es_sonar_display_set_follow (EsSonarDisplay *self, gboolean follow)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  follow = !!follow;
  if (es_sonar_extent_get_follow (self->extent) == follow
      && (!follow || isnan (es_sonar_cursor_get_time (self->cursor))))
    return;
  hold (self);
  _es_sonar_extent_set_follow (self->extent, follow);
  if (follow)
    es_sonar_cursor_set_time (self->cursor, NAN);
  release (self, 0);
}

void
es_sonar_display_set_playing (EsSonarDisplay *self, gboolean playing)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));
  self->playing = playing;
}

gboolean
es_sonar_display_is_playing (EsSonarDisplay *self)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), FALSE);
  return self->playing;
}

/* ---- parts ---- */

EsSonarSource *
es_sonar_display_get_source (EsSonarDisplay *self)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), NULL);
  return self->source;
}

EsSonarCursor *
es_sonar_display_get_cursor (EsSonarDisplay *self)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), NULL);
  return self->cursor;
}

EsSonarExtent *
es_sonar_display_get_extent (EsSonarDisplay *self)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), NULL);
  return self->extent;
}

EsSonarLook *
es_sonar_display_get_look (EsSonarDisplay *self)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), NULL);
  return self->look;
}

EsBearingScale *
es_sonar_display_get_scale (EsSonarDisplay *self)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), NULL);
  return self->scale;
}

GDateTime *
es_sonar_display_get_start (EsSonarDisplay *self)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), NULL);
  return self->start;
}

char *
es_sonar_display_format_time (EsSonarDisplay *self, double seconds, double step)
{
  g_return_val_if_fail (ES_IS_SONAR_DISPLAY (self), NULL);

  if (self->start == NULL || !isfinite (seconds))
    return es_axis_format_time (seconds, step);
  g_autofree char *time = es_axis_format_clock (self->start, seconds, step);
  g_autoptr (GDateTime) moment = g_date_time_add_seconds (self->start, seconds);
  g_autofree char *date = moment != NULL ? g_date_time_format (moment, "%C%y-%m-%d") : NULL;
  g_autofree char *zone = moment != NULL ? g_date_time_format (moment, "%Z") : NULL;

  return moment != NULL ? g_strdup_printf ("%s %s %s", date, time, zone) : g_steal_pointer (&time);
}

/* ---- the object ---- */

static void
es_sonar_display_finalize (GObject *object)
{
  EsSonarDisplay *self = ES_SONAR_DISPLAY (object);

  _es_sonar_cursor_set_scale (self->cursor, NULL);
  es_bearing_scale_free (self->scale);
  g_clear_pointer (&self->start, g_date_time_unref);
  g_object_unref (self->look);
  g_object_unref (self->extent);
  g_object_unref (self->cursor);
  g_object_unref (self->source);
  G_OBJECT_CLASS (es_sonar_display_parent_class)->finalize (object);
}

static void
es_sonar_display_class_init (EsSonarDisplayClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_sonar_display_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
es_sonar_display_init (EsSonarDisplay *self)
{
  self->source = es_sonar_source_new ();
  self->cursor = es_sonar_cursor_new (self->source);
  self->extent = es_sonar_extent_new (self->source);
  self->look = es_sonar_look_new ();
  g_signal_connect_object (self->source, "changed", G_CALLBACK (on_source_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->cursor, "changed", G_CALLBACK (on_cursor_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->extent, "changed", G_CALLBACK (on_part_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->look, "changed", G_CALLBACK (on_look_changed), self, G_CONNECT_SWAPPED);
  update_writing (self);
}

EsSonarDisplay *
es_sonar_display_new (void)
{
  return g_object_new (ES_TYPE_SONAR_DISPLAY, NULL);
}
