/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-display-private.h"

/* Rows. */
#define SHORTEST_SPAN 8
#define USUAL_SPAN    300
#define FEWEST_USUAL  60

struct _EsSonarExtent
{
  GObject        parent_instance;

  EsSonarSource *source;
  double         top, span, usual_span;
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

void
es_sonar_extent_set_rows (EsSonarExtent *self, double top, double span)
{
  double first, end, longest;

  g_return_if_fail (ES_IS_SONAR_EXTENT (self));

  first = es_sonar_source_get_first (self->source);
  end = es_sonar_source_get_end (self->source);
  longest = MAX (end - first, USUAL_SPAN);
  span = CLAMP (span, SHORTEST_SPAN, MAX (longest, SHORTEST_SPAN));
  top = CLAMP (top, MIN (first + span, end), end);
  if (top == self->top && span == self->span)
    return;
  self->top = top;
  self->span = span;
  self->follow = top >= end && es_sonar_source_get_result (self->source) == NULL;
  changed (self);
}

gboolean
es_sonar_extent_get_follow (EsSonarExtent *self)
{
  return self->follow;
}

void
_es_sonar_extent_set_follow (EsSonarExtent *self, gboolean follow)
{
  self->follow = follow;
  if (follow)
    self->top = es_sonar_source_get_end (self->source);
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
  self->top = top;
  self->follow = FALSE;
  changed (self);
}

/* ---- another source, more of it ---- */

/* A result is looked at as a whole, a short recording too once it has been heard, a long one in part. */
static double
find_usual_span (EsSonarExtent *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  EsRecording *recording = es_sonar_source_get_recording (self->source);

  if (es_sonar_source_get_result (self->source) != NULL)
    return MAX (es_sonar_source_get_end (self->source), SHORTEST_SPAN);
  if (recording == NULL || settings == NULL || settings->block == 0)
    return USUAL_SPAN;
  return CLAMP ((double) (es_recording_get_frames (recording) / settings->block), FEWEST_USUAL, USUAL_SPAN);
}

void
_es_sonar_extent_follow_source (EsSonarExtent *self, EsSonarChange change)
{
  gboolean usual = self->span == self->usual_span;

  if (change == ES_SONAR_CHANGE_ALL)
    {
      self->top = es_sonar_source_get_end (self->source);
      /* Who has zoomed keeps it when the settings change. */
      self->usual_span = find_usual_span (self);
      if (usual)
        self->span = self->usual_span;
      changed (self);
    }
  else if ((change & ES_SONAR_CHANGE_APPENDED) && self->follow)
    {
      self->top = es_sonar_source_get_end (self->source);
      changed (self);
    }
}

void
_es_sonar_extent_reset (EsSonarExtent *self)
{
  self->follow = es_sonar_source_get_result (self->source) == NULL;
  self->span = self->usual_span;
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
