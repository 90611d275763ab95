/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Peaks linked over time: of blocks as they come, or of a result's table. */

#include "es-beam-history-private.h"

#include <math.h>

/* As many as the operations list by default, and as strong. */
#define MOST_PEAKS 5
#define PEAK_RANGE 10

static void
free_track (gpointer data)
{
  EsTrack *track = data;

  g_array_unref (track->points);
  g_free (track);
}

void
_es_beam_history_drop_tracks (EsBeamHistory *self)
{
  if (self->own_tracks == NULL)
    self->own_tracks = g_ptr_array_new_with_free_func (free_track);
  g_ptr_array_set_size (self->own_tracks, 0);
  if (self->tracker != NULL)
    self->tracks_serial += es_tracker_get_serial (self->tracker);
  self->tracks_serial++;
  g_clear_pointer (&self->tracker, es_tracker_free);
}

void
_es_beam_history_track (EsBeamHistory *self, EsBeamBlock *block)
{
  const EsBeamSettings *settings = self->form->settings;
  const EsBeamKind kind = es_beam_block_has (block, ES_BEAM_MVDR) ? ES_BEAM_MVDR : ES_BEAM_CBF;
  const float *far = es_beam_block_get_far_of (block, kind);
  EsBeamPeak peaks[MOST_PEAKS];
  guint n = 0;

  if (far == NULL)
    return;
  if (self->tracker == NULL)
    {
      const EsTrackerSettings how = { .circular = self->form->array != NULL && !es_array_is_line (self->form->array) };
      self->tracker = es_tracker_new (&how);
    }
  const EsBeamCurve curve = es_beam_settings_get_curve (settings, kind, far,
                                                        es_beam_block_get_spectra_of (block, kind));
  n = es_find_peaks (&curve, MOST_PEAKS, PEAK_RANGE, 0, peaks);
  if (kind == ES_BEAM_MVDR)
    n = es_peaks_above_noise (peaks, n, far, settings->n_angles);
  es_tracker_add (self->tracker, es_beam_block_get_time_of (block, kind), peaks, n);
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

GPtrArray *
es_beam_history_get_tracks (EsBeamHistory *self)
{
  return self->tracker != NULL ? es_tracker_get_tracks (self->tracker) : self->own_tracks;
}

guint
es_beam_history_get_tracks_serial (EsBeamHistory *self)
{
  return self->tracks_serial + (self->tracker != NULL ? es_tracker_get_serial (self->tracker) : 0);
}
