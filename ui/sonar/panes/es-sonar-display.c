/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown: a history of beams, its recording, its rows. */
#include "config.h"

#include "es-sonar-display-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#define FEWEST_USUAL 60

static guint changed_signal;

G_DEFINE_FINAL_TYPE (EsSonarDisplay, es_sonar_display, G_TYPE_OBJECT)

void
_es_sonar_display_changed (EsSonarDisplay *self, EsSonarChange change)
{
  g_signal_emit (self, changed_signal, 0, (guint) change);
}

/* ---- source ---- */

/* Before a person has pointed anywhere, the loudest beam is the one to look at. */
static gboolean
propose_bearing (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);
  EsBeamKind kind = self->kinds & 1u << ES_BEAM_MVDR ? ES_BEAM_MVDR : ES_BEAM_CBF;
  const float *powers = settings != NULL && self->end > 0 ? es_beam_history_get_row_of (self->history, kind, 0) : NULL;
  guint best = 0;
  gboolean any = FALSE;

  if (!isnan (self->bearing) || self->cleared || powers == NULL)
    return FALSE;
  for (guint i = 0; i < settings->n_angles; i++)
    if (!isnan (powers[i]) && (!any || powers[i] > powers[best]))
      {
        best = i;
        any = TRUE;
      }
  if (any)
    self->bearing = settings->angles[best];
  return any;
}

/* TRUE: they are others than before. */
static gboolean
update_kinds (EsSonarDisplay *self)
{
  guint kinds = 0;

  for (guint kind = 0; self->history != NULL && kind < ES_N_BEAM_KINDS; kind++)
    if (es_beam_history_has (self->history, kind))
      kinds |= 1u << kind;
  if (self->kinds == kinds)
    return FALSE;
  self->kinds = kinds;
  return TRUE;
}

static void
on_appended (EsSonarDisplay *self, guint n)
{
  EsSonarChange change = ES_SONAR_APPENDED;

  self->end += n;
  es_track_rows_update (self->track_rows, self->history, self->end);
  if (update_kinds (self))
    change |= ES_SONAR_HISTORY;
  if (self->follow)
    {
      self->top = self->end;
      change |= ES_SONAR_SCROLL;
    }
  if (isnan (self->time))
    change |= ES_SONAR_MOMENT;
  if (propose_bearing (self))
    change |= ES_SONAR_BEARING;
  _es_sonar_display_changed (self, change);
}

/* The newest row is another one: the same block of other adaptive beams. */
static void
on_replaced (EsSonarDisplay *self)
{
  EsSonarChange change = ES_SONAR_REPLACED;
  guint64 row;

  es_track_rows_update (self->track_rows, self->history, self->end);
  if (update_kinds (self))
    change |= ES_SONAR_HISTORY;
  if (es_sonar_display_get_row (self, &row) && row + 1 == self->end)
    change |= ES_SONAR_MOMENT;
  _es_sonar_display_changed (self, change);
}

/* A result is looked at as a whole, a short recording too once it has been heard, a long one in part. */
static double
find_usual_span (EsSonarDisplay *self)
{
  const EsBeamSettings *settings = self->history != NULL ? es_beam_history_get_settings (self->history) : NULL;

  if (self->result != NULL)
    return MAX (self->end, ES_SONAR_SHORTEST_SPAN);
  if (self->recording == NULL || settings == NULL || settings->block == 0)
    return ES_SONAR_USUAL_SPAN;
  return CLAMP ((double) (es_recording_get_frames (self->recording) / settings->block), FEWEST_USUAL,
                ES_SONAR_USUAL_SPAN);
}

static void
begin_anew (EsSonarDisplay *self)
{
  gboolean usual = self->span == self->usual_span;

  self->end = self->history != NULL ? es_beam_history_get_n_rows (self->history) : 0;
  self->time = NAN;
  self->top = self->end;
  /* Who has zoomed keeps it when the settings change. */
  self->usual_span = find_usual_span (self);
  if (usual)
    self->span = self->usual_span;
  update_kinds (self);
  es_track_rows_clear (self->track_rows);
  if (self->history != NULL)
    es_track_rows_update (self->track_rows, self->history, self->end);
  propose_bearing (self);
}

static void
on_reset (EsSonarDisplay *self)
{
  begin_anew (self);
  _es_sonar_display_changed (self, ES_SONAR_ALL);
}

static void
disconnect (EsSonarDisplay *self)
{
  if (self->history != NULL)
    g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_object (&self->history);
  g_clear_object (&self->recording);
  g_clear_object (&self->result);
}

void
es_sonar_display_set_source (EsSonarDisplay *self, EsBeamHistory *history, EsRecording *recording, EsResult *result)
{
  g_return_if_fail (ES_IS_SONAR_DISPLAY (self));

  if (history == self->history && recording == self->recording && result == self->result)
    return;
  if (history != NULL)
    g_object_ref (history);
  if (recording != NULL)
    g_object_ref (recording);
  if (result != NULL)
    g_object_ref (result);
  if (recording != self->recording)
    {
      self->bearing = self->frequency = NAN;
      self->cleared = FALSE;
    }
  disconnect (self);
  self->history = history;
  self->recording = recording;
  self->result = result;
  if (history != NULL)
    {
      g_signal_connect_object (history, "appended", G_CALLBACK (on_appended), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (history, "replaced", G_CALLBACK (on_replaced), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (history, "reset", G_CALLBACK (on_reset), self, G_CONNECT_SWAPPED);
    }
  self->follow = result == NULL;
  begin_anew (self);
  self->span = self->usual_span;
  _es_sonar_display_changed (self, ES_SONAR_ALL);
}

EsBeamHistory *
es_sonar_display_get_history (EsSonarDisplay *self)
{
  return self->history;
}

EsRecording *
es_sonar_display_get_recording (EsSonarDisplay *self)
{
  return self->recording;
}

EsResult *
es_sonar_display_get_result (EsSonarDisplay *self)
{
  return self->result;
}

const EsBeamSettings *
es_sonar_display_get_settings (EsSonarDisplay *self)
{
  return self->history != NULL ? es_beam_history_get_settings (self->history) : NULL;
}

EsArray *
es_sonar_display_get_array (EsSonarDisplay *self)
{
  return self->recording != NULL ? es_recording_get_array (self->recording) : NULL;
}

gboolean
es_sonar_display_is_line (EsSonarDisplay *self)
{
  g_autoptr (EsArray) array = es_sonar_display_get_array (self);
  const EsBeamSettings *settings = es_sonar_display_get_settings (self);

  if (array != NULL)
    return es_array_is_line (array);
  /* A result without its recording: only a line has no bearing beyond 0..180. */
  for (guint i = 0; settings != NULL && i < settings->n_angles; i++)
    if (settings->angles[i] < 0 || settings->angles[i] > 180)
      return FALSE;
  return TRUE;
}

const char *
es_sonar_display_get_unit (EsSonarDisplay *self)
{
  return self->history != NULL && es_beam_history_is_calibrated (self->history) ? _("dB re 1 µPa²")
                                                                                : _("dB re full scale");
}

const char *
es_sonar_display_get_unit_of (EsSonarDisplay *self, EsBeamKind kind)
{
  return kind == ES_BEAM_MUSIC ? _("dB") : es_sonar_display_get_unit (self);
}

guint
es_sonar_display_get_kinds (EsSonarDisplay *self)
{
  return self->kinds;
}

guint
es_sonar_display_count_elements (EsSonarDisplay *self)
{
  g_autoptr (EsArray) array = es_sonar_display_get_array (self);

  return array != NULL ? es_array_get_n_alive (array) : 0;
}

/* ---- rows ---- */

guint64
es_sonar_display_get_first (EsSonarDisplay *self)
{
  guint n = self->history != NULL ? es_beam_history_get_n_rows (self->history) : 0;

  return self->end - MIN (n, self->end);
}

guint64
es_sonar_display_get_end (EsSonarDisplay *self)
{
  return self->end;
}

guint
es_sonar_display_to_history (EsSonarDisplay *self, guint64 row)
{
  return row < self->end ? (guint) (self->end - 1 - row) : 0;
}

double
es_sonar_display_get_row_time (EsSonarDisplay *self, guint64 row)
{
  if (self->history == NULL || row < es_sonar_display_get_first (self) || row >= self->end)
    return NAN;
  return es_beam_history_get_time (self->history, es_sonar_display_to_history (self, row));
}

const float *
es_sonar_display_get_powers (EsSonarDisplay *self, EsBeamKind kind)
{
  guint64 row;

  if (self->history == NULL || !es_sonar_display_get_row (self, &row))
    return NULL;
  return es_beam_history_get_row_of (self->history, kind, es_sonar_display_to_history (self, row));
}

gboolean
es_sonar_display_find_track (EsSonarDisplay *self, guint id, gint64 *row)
{
  return es_track_rows_find (self->track_rows, id, row);
}

/* ---- the object ---- */

static void
es_sonar_display_dispose (GObject *object)
{
  disconnect (ES_SONAR_DISPLAY (object));
  G_OBJECT_CLASS (es_sonar_display_parent_class)->dispose (object);
}

static void
es_sonar_display_finalize (GObject *object)
{
  es_track_rows_free (ES_SONAR_DISPLAY (object)->track_rows);
  G_OBJECT_CLASS (es_sonar_display_parent_class)->finalize (object);
}

static void
es_sonar_display_class_init (EsSonarDisplayClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_sonar_display_dispose;
  G_OBJECT_CLASS (klass)->finalize = es_sonar_display_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_UINT);
  g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                1, G_TYPE_DOUBLE);
}

static void
es_sonar_display_init (EsSonarDisplay *self)
{
  self->time = self->bearing = self->frequency = NAN;
  self->follow = TRUE;
  self->span = self->usual_span = ES_SONAR_USUAL_SPAN;
  self->colormap = ES_COLORMAP_VIRIDIS;
  self->range = 30;
  self->auto_top = self->tracks = self->beside = TRUE;
  self->track_rows = es_track_rows_new ();
}

EsSonarDisplay *
es_sonar_display_new (void)
{
  return g_object_new (ES_TYPE_SONAR_DISPLAY, NULL);
}
