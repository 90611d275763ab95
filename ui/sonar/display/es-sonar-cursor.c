/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-cursor-private.h"

#include <math.h>

enum { CHANGED, SEEK, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (EsSonarCursor, es_sonar_cursor, G_TYPE_OBJECT)

void
_es_sonar_cursor_changed (EsSonarCursor *self, EsSonarChange change)
{
  g_signal_emit (self, signals[CHANGED], 0, (guint) change);
}

/* ---- the moment ---- */

double
es_sonar_cursor_get_time (EsSonarCursor *self)
{
  return self->time;
}

gboolean
es_sonar_cursor_get_row (EsSonarCursor *self, guint64 *row)
{
  const guint64 end = es_sonar_source_get_end (self->source);

  if (end == 0)
    return FALSE;
  if (isnan (self->time))
    return es_sonar_source_get_now (self->source, row);
  *row = MIN (self->row, end - 1);
  return TRUE;
}

gboolean
es_sonar_cursor_get_spectra_row (EsSonarCursor *self, guint *row)
{
  guint64 at = G_MAXUINT;

  if (es_sonar_source_get_result (self->source) != NULL
      && (isnan (self->time) || es_sonar_source_get_end (self->source) == 0))
    *row = G_MAXUINT;
  else if (!es_sonar_cursor_get_row (self, &at))
    return FALSE;
  else
    *row = (guint) at;
  return TRUE;
}

void
es_sonar_cursor_set_row (EsSonarCursor *self, guint64 row)
{
  double time;

  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  time = es_sonar_source_get_row_time (self->source, row);
  if (isnan (time) || (time == self->time && row == self->row))
    return;
  self->time = self->chosen = time;
  self->row = self->seen_row = row;
  _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_MOMENT | _es_sonar_cursor_turn (self));
}

void
es_sonar_cursor_set_time (EsSonarCursor *self, double time)
{
  EsBeamHistory *history;

  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  if (isnan (time))
    {
      self->chosen = NAN;
      if (!isnan (self->time))
        {
          self->time = NAN;
          _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_MOMENT | _es_sonar_cursor_turn (self));
        }
      return;
    }
  history = es_sonar_source_get_history (self->source);
  if (history != NULL && es_beam_history_get_n_rows (history) > 0)
    es_sonar_cursor_set_row (self, es_beam_history_find_row (history, time));
}

gboolean
es_sonar_cursor_get_powers_row (EsSonarCursor *self, guint *row)
{
  EsBeamHistory *history = es_sonar_source_get_history (self->source);
  guint64 at;

  if (history == NULL || !es_sonar_cursor_get_row (self, &at))
    return FALSE;
  *row = (guint) at;
  /* Nobody points at a moment of a result: all of its time, if it kept that. */
  if (es_sonar_source_get_result (self->source) != NULL && isnan (self->time)
      && es_beam_history_get_row_of (history, ES_BEAM_CBF, G_MAXUINT) != NULL)
    *row = G_MAXUINT;
  return TRUE;
}

const float *
es_sonar_cursor_get_powers (EsSonarCursor *self, EsBeamKind kind)
{
  guint row;

  return es_sonar_cursor_get_powers_row (self, &row)
         ? es_beam_history_get_shown_row (es_sonar_source_get_history (self->source), kind, row) : NULL;
}

void
es_sonar_cursor_seek (EsSonarCursor *self, double seconds)
{
  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  if (isfinite (seconds))
    g_signal_emit (self, signals[SEEK], 0, seconds);
}

/* ---- the frequency ---- */

double
es_sonar_cursor_get_probe_frequency (EsSonarCursor *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);

  if (settings == NULL || settings->n_bins == 0)
    return NAN;
  return !isnan (self->frequency) ? self->frequency
         : es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins / 2);
}

guint
es_sonar_cursor_find_bin (EsSonarCursor *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  double bin;

  if (settings == NULL || settings->n_bins == 0)
    return 0;
  bin = es_sonar_cursor_get_probe_frequency (self) * settings->length / settings->rate - settings->first_bin;
  return (guint) CLAMP (floor (bin + 0.5), 0, settings->n_bins - 1.);
}

double
es_sonar_cursor_get_frequency (EsSonarCursor *self)
{
  return self->frequency;
}

void
es_sonar_cursor_set_frequency (EsSonarCursor *self, double frequency)
{
  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  if (self->frequency == frequency || (isnan (frequency) && isnan (self->frequency)))
    return;
  self->frequency = frequency;
  _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_FREQUENCY);
}

/* ---- the stretch ---- */

gboolean
es_sonar_cursor_get_stretch (EsSonarCursor *self, double *begin, double *end)
{
  *begin = self->begin;
  *end = self->end;
  return !isnan (self->begin);
}

gboolean
es_sonar_cursor_is_selected_by_other (EsSonarCursor *self, gconstpointer owner)
{
  return self->selector != NULL && self->selector != owner;
}

void
es_sonar_cursor_select_rows (EsSonarCursor *self, gconstpointer owner, double bottom, double top)
{
  const double rows = (double) es_sonar_source_get_end (self->source);

  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  if (isnan (bottom) && owner != self->selector)
    return;
  self->begin = self->end = NAN;
  self->selector = isnan (bottom) ? NULL : owner;
  if (!isnan (bottom) && rows > 0)
    {
      const guint64 first = (guint64) CLAMP (floor (bottom), 0, rows - 1);
      const guint64 last = MAX ((guint64) CLAMP (ceil (top), 1, rows) - 1, first);

      self->begin = es_sonar_source_get_row_begin (self->source, first);
      self->end = es_sonar_source_get_row_end (self->source, last);
    }
  _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_STRETCH);
}

/* ---- what is heard ---- */

void
es_sonar_cursor_set_heard (EsSonarCursor *self, double seconds)
{
  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  if (seconds == self->heard || (isnan (seconds) && isnan (self->heard)))
    return;
  self->heard = seconds;
  _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_HEARD);
}

double
es_sonar_cursor_get_heard_place (EsSonarCursor *self)
{
  EsBeamHistory *history = es_sonar_source_get_history (self->source);
  guint64 now;

  if (!isnan (self->heard) && history != NULL && es_beam_history_get_n_rows (history) > 0)
    return es_beam_history_find_place (history, ES_BEAM_CBF, self->heard);
  return !isnan (self->time) && es_sonar_source_get_result (self->source) == NULL
         && es_sonar_source_get_now (self->source, &now) ? now + 0.5 : NAN;
}

/* ---- all of it ---- */

void
es_sonar_cursor_clear (EsSonarCursor *self)
{
  g_return_if_fail (ES_IS_SONAR_CURSOR (self));

  self->cleared = TRUE;
  self->time = self->chosen = self->bearing = self->wanted = self->frequency = self->held = NAN;
  _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_BEARING | ES_SONAR_CHANGE_FREQUENCY);
}

void
es_sonar_cursor_step (EsSonarCursor *self, int beams, int rows)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  int angle = es_sonar_cursor_get_angle (self);
  guint64 row;

  if (settings != NULL && beams != 0 && settings->n_angles > 0)
    {
      if (_es_sonar_cursor_is_reversed (self, angle))
        beams = -beams;
      angle = angle < 0 ? (int) settings->n_angles / 2 : CLAMP (angle + beams, 0, (int) settings->n_angles - 1);
      es_sonar_cursor_set_bearing (self, settings->angles[angle]);
    }
  if (rows != 0 && es_sonar_cursor_get_row (self, &row))
    {
      gint64 last = (gint64) es_sonar_source_get_end (self->source) - 1;

      es_sonar_cursor_set_row (self, (guint64) CLAMP ((gint64) row - rows, 0, last));
    }
}

/* ---- another source, more of it ---- */

/* Before a person has pointed anywhere, the loudest beam is the one to look at. */
static gboolean
propose_bearing (EsSonarCursor *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  EsBeamKind kind = es_sonar_source_get_kinds (self->source) & 1u << ES_BEAM_MVDR ? ES_BEAM_MVDR : ES_BEAM_CBF;
  const float *powers;
  guint best = 0;
  gboolean any = FALSE;
  guint64 now;

  if (!isnan (self->bearing) || self->cleared || settings == NULL || !es_sonar_source_get_now (self->source, &now))
    return FALSE;
  powers = es_beam_history_get_shown_row (es_sonar_source_get_history (self->source), kind, (guint) now);
  for (guint i = 0; powers != NULL && i < settings->n_angles; i++)
    if (!isnan (powers[i]) && (!any || powers[i] > powers[best]))
      {
        best = i;
        any = TRUE;
      }
  if (any)
    {
      self->bearing = self->wanted = settings->angles[best];
      self->side = 0;
      _es_sonar_cursor_hold (self);
    }
  return any;
}

/* Whether the row that is looked at is another one, or other than before. */
static gboolean
is_moment_new (EsSonarCursor *self)
{
  EsBeamHistory *history = es_sonar_source_get_history (self->source);
  const guint n = history != NULL ? es_beam_history_get_n_fills (history) : 0;
  guint64 row = G_MAXUINT64;
  gboolean is_new;

  if (history == NULL || !es_sonar_cursor_get_row (self, &row))
    row = G_MAXUINT64;
  if (isnan (self->time) && row != G_MAXUINT64 && es_sonar_source_get_result (self->source) == NULL)
    self->listened = row > 0 ? es_sonar_source_get_row_time (self->source, row) : NAN;
  is_new = row != self->seen_row;
  for (guint i = n > 0 ? MAX (self->seen_fills, es_beam_history_get_first_fill (history)) : 0; i < n && !is_new; i++)
    is_new = es_beam_history_get_fill (history, i) == row;
  self->seen_row = row;
  self->seen_fills = n;
  return is_new;
}

/* The chosen moment among the rows that there are now, in a result also the one that was heard where none was chosen. A
 * result of another stretch has none of it. */
static void
find_chosen (EsSonarCursor *self)
{
  const gboolean is_result = es_sonar_source_get_result (self->source) != NULL;
  const double wanted = isnan (self->chosen) && is_result ? self->listened : self->chosen;
  double time;
  guint64 row;

  self->time = NAN;
  if (isnan (wanted) || es_sonar_source_get_end (self->source) == 0)
    return;
  row = es_beam_history_find_row (es_sonar_source_get_history (self->source), wanted);
  time = es_sonar_source_get_row_time (self->source, row);
  /* Half a block beyond the ends: where the blocks are longer, what is left over at the end is in none of them. */
  if (!(fabs (time - wanted) <= 2 * (time - es_sonar_source_get_row_begin (self->source, row))))
    return;
  self->time = time;
  self->row = row;
}

/* A frequency that was shown, and that no display of other bins has any more, is none. */
static gboolean
drop_frequency (EsSonarCursor *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);
  const gboolean was_shown = self->frequency >= self->band[0] && self->frequency <= self->band[1];

  if (settings == NULL || settings->n_bins == 0)
    return FALSE;
  const double half = settings->rate / settings->length / 2;
  self->band[0] = es_beam_settings_get_frequency (settings, settings->first_bin) - half;
  self->band[1] = es_beam_settings_get_frequency (settings, settings->first_bin + settings->n_bins - 1) + half;
  if (!was_shown || (self->frequency >= self->band[0] && self->frequency <= self->band[1]))
    return FALSE;
  self->frequency = NAN;
  return TRUE;
}

void
_es_sonar_cursor_follow_source (EsSonarCursor *self, EsSonarChange change)
{
  EsSonarChange own = 0;

  if (change == ES_SONAR_CHANGE_ALL)
    {
      self->begin = self->end = NAN;
      self->selector = NULL;
      self->seen_row = G_MAXUINT64;
      self->seen_fills = 0;
    }
  if (change == ES_SONAR_CHANGE_ALL || (isnan (self->time) && !isnan (self->chosen)))
    find_chosen (self);
  if (is_moment_new (self))
    own |= ES_SONAR_CHANGE_MOMENT | _es_sonar_cursor_turn (self);
  if (propose_bearing (self))
    own |= ES_SONAR_CHANGE_BEARING;
  if ((change & ES_SONAR_CHANGE_HISTORY) && drop_frequency (self))
    own |= ES_SONAR_CHANGE_FREQUENCY;
  if (own != 0)
    _es_sonar_cursor_changed (self, own);
}

void
_es_sonar_cursor_forget (EsSonarCursor *self)
{
  self->chosen = self->listened = self->bearing = self->wanted = self->frequency = self->held = NAN;
  self->side = 0;
  self->cleared = FALSE;
  _es_sonar_cursor_changed (self, ES_SONAR_CHANGE_BEARING | ES_SONAR_CHANGE_FREQUENCY);
}

/* ---- the object ---- */

static void
es_sonar_cursor_finalize (GObject *object)
{
  g_clear_object (&ES_SONAR_CURSOR (object)->source);
  G_OBJECT_CLASS (es_sonar_cursor_parent_class)->finalize (object);
}

static void
es_sonar_cursor_class_init (EsSonarCursorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_sonar_cursor_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[SEEK] = g_signal_new ("seek", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_DOUBLE);
}

static void
es_sonar_cursor_init (EsSonarCursor *self)
{
  self->time = self->chosen = self->listened = self->bearing = self->wanted = self->frequency = self->held = NAN;
  self->begin = self->end = self->heard = self->band[0] = self->band[1] = NAN;
}

EsSonarCursor *
es_sonar_cursor_new (EsSonarSource *source)
{
  EsSonarCursor *self = g_object_new (ES_TYPE_SONAR_CURSOR, NULL);

  self->source = g_object_ref (source);
  return self;
}
