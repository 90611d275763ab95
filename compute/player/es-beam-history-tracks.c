/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Peaks linked over time: of all rows from the first one on, as far as they have come without a gap; of what is heard
 * beyond that; or of a result's table.
 */

#include "es-beam-history-private.h"

#include <math.h>

/* As many as the operations list by default, and as strong. */
#define USUAL_PEAKS 5
#define MOST_PEAKS 64
#define PEAK_RANGE 10
/* Rows between two that were heard one after the other: what a slow machine leaves out. */
#define LONGEST_GAP 16

static void
free_track (gpointer data)
{
  EsTrack *track = data;

  g_array_unref (track->points);
  g_free (track);
}

static void
drop_tracker (EsBeamHistory *self, EsTracker **tracker)
{
  if (*tracker != NULL)
    self->tracks_serial += es_tracker_get_serial (*tracker);
  self->tracks_serial++;
  g_clear_pointer (tracker, es_tracker_free);
}

void
_es_beam_history_drop_tracks (EsBeamHistory *self)
{
  if (self->own_tracks == NULL)
    self->own_tracks = g_ptr_array_new_with_free_func (free_track);
  g_ptr_array_set_size (self->own_tracks, 0);
  drop_tracker (self, &self->tracker);
  drop_tracker (self, &self->heard);
  self->tracked = 0;
  self->heard_row = G_MAXUINT;
}

void
_es_beam_history_retrack (EsBeamHistory *self)
{
  drop_tracker (self, &self->tracker);
  self->tracked = 0;
}

static void
add_row (EsBeamHistory *self, EsTracker **tracker, guint row)
{
  const EsBeamKind kind = es_beam_history_get_row_of (self, ES_BEAM_MVDR, row) != NULL ? ES_BEAM_MVDR : ES_BEAM_CBF;
  const float *far = es_beam_history_get_row_of (self, kind, row);
  EsBeamPeak peaks[MOST_PEAKS];
  guint n;

  if (far == NULL)
    return;
  if (*tracker == NULL)
    {
      const EsTrackerSettings how = { .circular = self->form->array != NULL && !es_array_is_line (self->form->array) };
      *tracker = es_tracker_new (&how);
    }
  n = es_beam_history_list_peaks (self, kind, row, self->thresholds.count > 0 ? MOST_PEAKS : USUAL_PEAKS, PEAK_RANGE, 0,
                                  peaks);
  if (kind == ES_BEAM_MVDR)
    n = es_peaks_above_noise (peaks, n, far, self->form->settings->n_angles);
  es_tracker_add (*tracker, es_beam_history_get_time_of (self, kind, row), peaks, n);
}

void
_es_beam_history_track_heard (EsBeamHistory *self, guint row)
{
  /* The other one sees it in a moment, or has seen it. */
  if (row <= self->tracked)
    return;
  if (self->heard != NULL && (row <= self->heard_row || row - self->heard_row > LONGEST_GAP))
    drop_tracker (self, &self->heard);
  self->heard_row = row;
  add_row (self, &self->heard, row);
}

gboolean
_es_beam_history_track (EsBeamHistory *self, guint most_rows)
{
  for (guint i = 0; i < most_rows; i++)
    {
      if (self->result != NULL || !es_beam_history_is_current (self, self->tracked))
        return FALSE;
      add_row (self, &self->tracker, self->tracked++);
      /* Also those of rows that were told of before. */
      self->is_news = TRUE;
    }
  return TRUE;
}

/* ---- thresholds ---- */

static gboolean
are_equal (const EsPeakThresholds *a, const EsPeakThresholds *b)
{
  return a->count == b->count && a->range == b->range && a->distance == b->distance;
}

/* Those that the result was made with. */
static gboolean
is_as_made (EsBeamHistory *self)
{
  EsParams *params = es_result_get_params (self->result);
  EsPeakThresholds made;

  if (self->thresholds.count == 0 || params == NULL
      || es_param_specs_find (es_params_get_specs (params), "peak-distance") == NULL)
    return TRUE;
  made = (EsPeakThresholds) { (guint) es_params_get_int (params, "peaks"), es_params_get_float (params, "peak-range"),
                              es_params_get_float (params, "peak-distance") };
  return are_equal (&made, &self->thresholds);
}

void
es_beam_history_set_thresholds (EsBeamHistory *self, const EsPeakThresholds *thresholds)
{
  g_return_if_fail (ES_IS_BEAM_HISTORY (self) && thresholds != NULL);

  if (are_equal (&self->thresholds, thresholds))
    return;
  self->thresholds = *thresholds;
  drop_tracker (self, &self->heard);
  self->heard_row = G_MAXUINT;
  _es_beam_history_retrack (self);
  if (self->result == NULL)
    {
      while (self->form != NULL && _es_beam_history_track (self, G_MAXUINT))
        continue;
      return;
    }
  if (self->form != NULL && !is_as_made (self))
    for (guint row = 0; row < self->n_rows; row++)
      add_row (self, &self->tracker, row);
}

EsPeakThresholds
es_beam_history_get_thresholds (EsBeamHistory *self)
{
  const EsPeakThresholds none = { 0, 0, 0 };

  g_return_val_if_fail (ES_IS_BEAM_HISTORY (self), none);
  return self->thresholds;
}

void
_es_beam_history_take_tracks (EsBeamHistory *self, EsTable *table)
{
  EsTrack *track = NULL;

  if (es_table_get_n_columns (table) < 7)
    return;
  for (guint row = 0; row < es_table_get_n_rows (table); row++)
    {
      const double id = es_table_get_value (table, row, 0);
      const EsTrackPoint point = {
        .time = es_table_get_value (table, row, 1), .bearing = es_table_get_value (table, row, 2),
        .rate = es_table_get_value (table, row, 3), .deviation = es_table_get_value (table, row, 4),
        .level = es_table_get_value (table, row, 5), .measured = es_table_get_value (table, row, 6),
      };

      if (!(id >= 1 && id <= G_MAXUINT) || !isfinite (point.time) || !isfinite (point.bearing))
        continue;
      if (track == NULL || track->id != (guint) id)
        {
          track = g_new0 (EsTrack, 1);
          track->id = (guint) id;
          track->ended = TRUE;
          track->points = g_array_new (FALSE, FALSE, sizeof (EsTrackPoint));
          g_ptr_array_add (self->own_tracks, track);
        }
      g_array_append_val (track->points, point);
    }
}

gboolean
es_beam_history_has_track_numbers (EsBeamHistory *self)
{
  return self->heard == NULL || self->now == G_MAXUINT || self->now < self->tracked;
}

GPtrArray *
es_beam_history_get_tracks (EsBeamHistory *self)
{
  return !es_beam_history_has_track_numbers (self) ? es_tracker_get_tracks (self->heard)
         : self->tracker != NULL ? es_tracker_get_tracks (self->tracker) : self->own_tracks;
}

guint
es_beam_history_get_tracks_serial (EsBeamHistory *self)
{
  return self->tracks_serial + (self->tracker != NULL ? es_tracker_get_serial (self->tracker) : 0)
         + (self->heard != NULL ? es_tracker_get_serial (self->heard) : 0);
}
