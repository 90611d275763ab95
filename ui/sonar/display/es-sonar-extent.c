/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-display-private.h"

#include <math.h>

/* Rows. */
#define USUAL_SPAN    300
/* Of a page: how much of what was before stays in view when it turns. */
#define BEFORE 0.1

struct _EsSonarExtent
{
  GObject        parent_instance;

  EsSonarSource *source;
  double         top, span, usual_span;
  double         end;          /* rows that there were */
  gboolean       follow;
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (EsSonarExtent, es_sonar_extent, G_TYPE_OBJECT)

static void
changed (EsSonarExtent *self)
{
  g_signal_emit (self, changed_signal, 0, (guint) ES_SONAR_CHANGE_SCROLL);
}

void
es_sonar_extent_get_rows (EsSonarExtent *self, double *top, double *span)
{
  *top = self->top;
  *span = self->span;
}

/* Whether the row that is heard is in view; no row, or that of a result, is nowhere. */
static gboolean
sees_now (EsSonarExtent *self)
{
  guint64 now;

  return es_sonar_source_get_result (self->source) == NULL
         && (!es_sonar_source_get_now (self->source, &now) || (now + 1 <= self->top && now >= self->top - self->span));
}

/* How many rows there can be in view at most: a record that grows has room for more. */
static double
find_longest (EsSonarExtent *self)
{
  const double end = es_sonar_source_get_end (self->source);
  const gboolean grows = es_sonar_source_get_recording (self->source) == NULL
                         && es_sonar_source_get_result (self->source) == NULL;

  return MAX (end, grows ? USUAL_SPAN : ES_SONAR_SHORTEST_SPAN);
}

static double
clamp_top (EsSonarExtent *self, double top, double span)
{
  const double end = es_sonar_source_get_end (self->source);

  return CLAMP (top, MIN (span, end), end);
}

void
es_sonar_extent_set_rows (EsSonarExtent *self, double top, double span)
{
  g_return_if_fail (ES_IS_SONAR_EXTENT (self));

  span = CLAMP (span, ES_SONAR_SHORTEST_SPAN, find_longest (self));
  top = clamp_top (self, top, span);
  if (top == self->top && span == self->span)
    return;
  self->top = top;
  self->span = span;
  /* Who looks elsewhere stays there. */
  self->follow = sees_now (self);
  changed (self);
}

gboolean
es_sonar_extent_get_follow (EsSonarExtent *self)
{
  return self->follow;
}

/* The page that begins with what is heard, a little of what was before it included. TRUE: it is another one. */
static gboolean
turn_page (EsSonarExtent *self)
{
  const double old = self->top;
  guint64 now;

  if (sees_now (self) || !es_sonar_source_get_now (self->source, &now))
    return FALSE;
  self->top = clamp_top (self, now + (1 - BEFORE) * self->span, self->span);
  return self->top != old;
}

void
_es_sonar_extent_set_follow (EsSonarExtent *self, gboolean follow)
{
  self->follow = follow;
  if (follow)
    turn_page (self);
  changed (self);
}

void
_es_sonar_extent_reveal (EsSonarExtent *self, guint64 row)
{
  double top = self->top;

  if (row + 1 > top)
    top = row + 1;
  else if (row < top - self->span)
    top = row + self->span;
  if (top == self->top)
    return;
  self->top = clamp_top (self, top, self->span);
  self->follow = sees_now (self);
  changed (self);
}

/* ---- another source, more of it ---- */

/* A result or a recording is looked at as a whole; what grows, in part. */
static double
find_usual_span (EsSonarExtent *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  EsRecording *recording = es_sonar_source_get_recording (self->source);

  if (es_sonar_source_get_result (self->source) != NULL)
    return MAX (es_sonar_source_get_end (self->source), ES_SONAR_SHORTEST_SPAN);
  if (recording == NULL || settings == NULL || settings->block == 0)
    return USUAL_SPAN;
  return MAX ((double) (es_recording_get_frames (recording) / settings->block), ES_SONAR_SHORTEST_SPAN);
}

void
_es_sonar_extent_follow_source (EsSonarExtent *self, EsSonarChange change)
{
  const gboolean usual = self->span == self->usual_span;
  const double old = self->usual_span, top = self->top;
  const gboolean at_end = self->top >= self->end;
  EsRecording *recording = es_sonar_source_get_recording (self->source);

  self->end = es_sonar_source_get_end (self->source);

  if (change == ES_SONAR_CHANGE_ALL)
    {
      self->usual_span = find_usual_span (self);
      if (usual)
        {
          self->span = self->usual_span;
          self->top = clamp_top (self, INFINITY, self->span);
        }
      /* Who has zoomed keeps the times when other settings have rows of another length. */
      else if (recording != NULL && old > 0)
        {
          self->span = CLAMP (self->span * self->usual_span / old, ES_SONAR_SHORTEST_SPAN, find_longest (self));
          self->top = clamp_top (self, self->top * self->usual_span / old, self->span);
        }
      else
        {
          self->top = clamp_top (self, INFINITY, self->span);
        }
      changed (self);
      return;
    }
  /* A recording that has grown is still looked at as a whole. */
  if ((change & ES_SONAR_CHANGE_APPENDED) && usual && recording != NULL)
    self->span = self->usual_span = MAX (self->usual_span, es_sonar_source_get_end (self->source));
  /* Who looks at the end of a recording sees what comes; who looks elsewhere stays there. */
  if ((change & ES_SONAR_CHANGE_APPENDED) && (recording != NULL ? at_end : self->follow))
    self->top = clamp_top (self, INFINITY, self->span);
  if ((change & ES_SONAR_CHANGE_FILLED) && self->follow)
    turn_page (self);
  if (self->top != top || self->usual_span != old)
    changed (self);
}

void
_es_sonar_extent_reset (EsSonarExtent *self)
{
  self->follow = es_sonar_source_get_result (self->source) == NULL;
  self->usual_span = find_usual_span (self);
  self->span = self->usual_span;
  self->top = clamp_top (self, INFINITY, self->span);
  self->end = es_sonar_source_get_end (self->source);
  changed (self);
}

/* ---- the object ---- */

static void
es_sonar_extent_finalize (GObject *object)
{
  g_clear_object (&ES_SONAR_EXTENT (object)->source);
  G_OBJECT_CLASS (es_sonar_extent_parent_class)->finalize (object);
}

static void
es_sonar_extent_class_init (EsSonarExtentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_sonar_extent_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
es_sonar_extent_init (EsSonarExtent *self)
{
  self->follow = TRUE;
  self->span = self->usual_span = USUAL_SPAN;
}

EsSonarExtent *
es_sonar_extent_new (EsSonarSource *source)
{
  EsSonarExtent *self = g_object_new (ES_TYPE_SONAR_EXTENT, NULL);

  self->source = g_object_ref (source);
  return self;
}
