/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-source.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-sonar-change.h"
#include "signal/es-tone.h"

struct _EsSonarSource
{
  GObject        parent_instance;

  EsBeamHistory *history;
  EsRecording   *recording;
  EsResult      *result;
  guint64        end;            /* rows that the record has */
  guint          kinds;          /* of beams that there are; bits */
  guint          generation;     /* of the history's rows */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (EsSonarSource, es_sonar_source, G_TYPE_OBJECT)

static void
changed (EsSonarSource *self, EsSonarChange change)
{
  g_signal_emit (self, changed_signal, 0, (guint) change);
}

/* TRUE: they are others than before. */
static gboolean
update_kinds (EsSonarSource *self)
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

/* Rows have come, or are others than before; the record has grown by n of them. */
static void
on_filled (EsSonarSource *self, guint n)
{
  EsSonarChange change = ES_SONAR_CHANGE_FILLED;

  if (n > 0)
    change |= ES_SONAR_CHANGE_APPENDED;
  if (es_beam_history_get_generation (self->history) != self->generation)
    change |= ES_SONAR_CHANGE_RENEWED;
  self->generation = es_beam_history_get_generation (self->history);
  self->end = es_beam_history_get_n_rows (self->history);
  if (update_kinds (self))
    change |= ES_SONAR_CHANGE_HISTORY;
  changed (self, change);
}

static void
begin_anew (EsSonarSource *self)
{
  self->end = self->history != NULL ? es_beam_history_get_n_rows (self->history) : 0;
  self->generation = self->history != NULL ? es_beam_history_get_generation (self->history) : 0;
  update_kinds (self);
  changed (self, ES_SONAR_CHANGE_ALL);
}

static void
on_navigation (EsSonarSource *self)
{
  changed (self, ES_SONAR_CHANGE_WRITING);
}

static void
disconnect (EsSonarSource *self)
{
  if (self->recording != NULL)
    g_signal_handlers_disconnect_by_data (self->recording, self);
  if (self->history != NULL)
    g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_object (&self->history);
  g_clear_object (&self->recording);
  g_clear_object (&self->result);
}

gboolean
es_sonar_source_set (EsSonarSource *self, EsBeamHistory *history, EsRecording *recording, EsResult *result)
{
  g_return_val_if_fail (ES_IS_SONAR_SOURCE (self), FALSE);

  if (history == self->history && recording == self->recording && result == self->result)
    return FALSE;
  if (history != NULL)
    g_object_ref (history);
  if (recording != NULL)
    g_object_ref (recording);
  if (result != NULL)
    g_object_ref (result);
  disconnect (self);
  self->history = history;
  self->recording = recording;
  self->result = result;
  if (history != NULL)
    {
      g_signal_connect_object (history, "filled", G_CALLBACK (on_filled), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (history, "reset", G_CALLBACK (begin_anew), self, G_CONNECT_SWAPPED);
    }
  if (recording != NULL)
    g_signal_connect_object (recording, "notify::navigation", G_CALLBACK (on_navigation), self, G_CONNECT_SWAPPED);
  begin_anew (self);
  return TRUE;
}

EsBeamHistory *
es_sonar_source_get_history (EsSonarSource *self)
{
  return self->history;
}

EsRecording *
es_sonar_source_get_recording (EsSonarSource *self)
{
  return self->recording;
}

EsResult *
es_sonar_source_get_result (EsSonarSource *self)
{
  return self->result;
}

const EsBeamSettings *
es_sonar_source_get_settings (EsSonarSource *self)
{
  return self->history != NULL ? es_beam_history_get_settings (self->history) : NULL;
}

EsArray *
es_sonar_source_get_array (EsSonarSource *self)
{
  return self->recording != NULL ? es_recording_get_array (self->recording) : NULL;
}

gboolean
es_sonar_source_is_line (EsSonarSource *self)
{
  g_autoptr (EsArray) array = es_sonar_source_get_array (self);
  const EsBeamSettings *settings = es_sonar_source_get_settings (self);

  if (array != NULL)
    return es_array_is_line (array);
  /* A result without its recording: only a line has no bearing beyond 0..180. */
  for (guint i = 0; settings != NULL && i < settings->n_angles; i++)
    if (settings->angles[i] < 0 || settings->angles[i] > 180)
      return FALSE;
  return TRUE;
}

const char *
es_sonar_source_get_unit (EsSonarSource *self)
{
  return self->history != NULL && es_beam_history_is_calibrated (self->history) ? _("dB re 1 µPa²")
                                                                                : _("dB re full scale");
}

const char *
es_sonar_source_get_unit_of (EsSonarSource *self, EsBeamKind kind)
{
  return kind == ES_BEAM_MUSIC ? _("dB") : es_sonar_source_get_unit (self);
}

/* A result without its parameters does not say what its bins are of. */
static gboolean
knows_window (EsSonarSource *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self);

  return settings != NULL && settings->window_length > 1 && self->recording != NULL
         && settings->rate == es_recording_get_rate (self->recording);
}

double
es_sonar_source_get_tone_factor (EsSonarSource *self, EsBeamKind kind)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self);

  return kind != ES_BEAM_MUSIC && knows_window (self)
         ? es_window_get_noise_bandwidth (settings->window) * settings->length / settings->window_length : 1;
}

const char *
es_sonar_source_get_line_unit (EsSonarSource *self, EsBeamKind kind)
{
  const gboolean calibrated = self->history != NULL && es_beam_history_is_calibrated (self->history);

  if (kind == ES_BEAM_MUSIC)
    return es_sonar_source_get_unit_of (self, kind);
  if (knows_window (self))
    return calibrated ? _("dB re 1 µPa (tones)") : _("dB re full scale (tones)");
  return calibrated ? _("dB re 1 µPa² a bin") : _("dB re full scale a bin");
}

guint
es_sonar_source_get_kinds (EsSonarSource *self)
{
  return self->kinds;
}

guint
es_sonar_source_count_elements (EsSonarSource *self)
{
  g_autoptr (EsArray) array = es_sonar_source_get_array (self);

  return array != NULL ? es_array_get_n_alive (array) : 0;
}

/* ---- rows ---- */

guint64
es_sonar_source_get_end (EsSonarSource *self)
{
  return self->end;
}

gboolean
es_sonar_source_get_now (EsSonarSource *self, guint64 *row)
{
  guint now;

  if (self->history == NULL || !es_beam_history_get_now (self->history, &now))
    return FALSE;
  *row = now;
  return now < self->end;
}

static gboolean
has_row (EsSonarSource *self, guint64 row)
{
  return self->history != NULL && row < self->end;
}

double
es_sonar_source_get_row_time (EsSonarSource *self, guint64 row)
{
  return es_sonar_source_get_row_time_of (self, ES_BEAM_CBF, row);
}

double
es_sonar_source_get_row_time_of (EsSonarSource *self, EsBeamKind kind, guint64 row)
{
  return has_row (self, row)
         ? es_beam_history_get_time_of (self->history, kind, (guint) row) : NAN;
}

double
es_sonar_source_get_row_begin (EsSonarSource *self, guint64 row)
{
  return has_row (self, row) ? es_beam_history_get_begin (self->history, (guint) row) : NAN;
}

double
es_sonar_source_get_row_end (EsSonarSource *self, guint64 row)
{
  return 2 * es_sonar_source_get_row_time (self, row) - es_sonar_source_get_row_begin (self, row);
}

gboolean
es_sonar_source_is_awaited (EsSonarSource *self, guint64 row)
{
  return has_row (self, row) && !es_beam_history_is_known (self->history, (guint) row);
}

/* ---- the object ---- */

static void
es_sonar_source_dispose (GObject *object)
{
  disconnect (ES_SONAR_SOURCE (object));
  G_OBJECT_CLASS (es_sonar_source_parent_class)->dispose (object);
}

static void
es_sonar_source_class_init (EsSonarSourceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_sonar_source_dispose;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 1, G_TYPE_UINT);
}

static void
es_sonar_source_init (EsSonarSource *self)
{
}

EsSonarSource *
es_sonar_source_new (void)
{
  return g_object_new (ES_TYPE_SONAR_SOURCE, NULL);
}
