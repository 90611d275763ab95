/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-btr-tracks.h"

#include <math.h>

#define MOST_ROWS 1000          /* of one track: more are no more than the pixels of a screen */

struct _EsBtrTracks
{
  GArray  *columns, *rows, *numbers;   /* double, double, guint; kept for the next time */
  gboolean shown, known;
  guint    serial;
  double   top, span;
};

EsBtrTracks *
es_btr_tracks_new (void)
{
  EsBtrTracks *self = g_new0 (EsBtrTracks, 1);

  self->columns = g_array_new (FALSE, FALSE, sizeof (double));
  self->rows = g_array_new (FALSE, FALSE, sizeof (double));
  self->numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  return self;
}

void
es_btr_tracks_free (EsBtrTracks *self)
{
  g_array_unref (self->columns);
  g_array_unref (self->rows);
  g_array_unref (self->numbers);
  g_free (self);
}

void
es_btr_tracks_forget (EsBtrTracks *self)
{
  self->known = FALSE;
}

static void
add_point (EsBtrTracks *self, double column, double row, guint number)
{
  g_array_append_val (self->columns, column);
  g_array_append_val (self->rows, row);
  g_array_append_val (self->numbers, number);
}

/* A whole turn away is the same bearing. */
static double
column_of (EsMapView *view, double bearing)
{
  double column = es_map_view_column_of (view, bearing);

  if (isnan (column))
    column = es_map_view_column_of (view, bearing + 360);
  return isnan (column) ? es_map_view_column_of (view, bearing - 360) : column;
}

static void
add_track (EsBtrTracks *self, const EsTrack *track, EsMapView *view, gint64 first, double bottom, double top)
{
  gint64 n = track->points->len, from = MAX ((gint64) floor (bottom) - first - 1, 0);
  gint64 to = MIN ((gint64) ceil (top) - first, n - 1), stride = MAX ((to - from) / MOST_ROWS, 1);
  double last = NAN;

  for (gint64 i = from; i <= to; i = i < to ? MIN (i + stride, to) : i + 1)
    {
      const EsTrackPoint *point = &g_array_index (track->points, EsTrackPoint, i);
      double column = column_of (view, point->bearing);

      /* Over the end of the axis it goes on at the other. */
      if (fabs (column - last) > es_heatmap_get_n_columns (es_map_view_get_map (view)) / 2.)
        add_point (self, NAN, NAN, 0);
      last = column;
      add_point (self, column, first + i + 0.5, i == to ? track->id : 0);
    }
  if (from <= to)
    add_point (self, NAN, NAN, 0);
}

void
es_btr_tracks_update (EsBtrTracks *self, EsSonarSource *source, EsSonarExtent *extent, EsSonarLook *look,
                      EsMapView *view)
{
  EsBeamHistory *history = es_sonar_source_get_history (source);
  gboolean shown = history != NULL && es_sonar_look_get_tracks (look);
  guint serial = history != NULL ? es_beam_history_get_tracks_serial (history) : 0;
  GPtrArray *tracks;
  double top, span;
  gint64 first;

  es_sonar_extent_get_rows (extent, &top, &span);
  if (self->known && self->shown == shown && self->serial == serial && self->top == top && self->span == span)
    return;
  self->known = TRUE;
  self->shown = shown;
  self->serial = serial;
  self->top = top;
  self->span = span;
  g_array_set_size (self->columns, 0);
  g_array_set_size (self->rows, 0);
  g_array_set_size (self->numbers, 0);
  tracks = shown ? es_beam_history_get_tracks (history) : NULL;
  /* The newest first: where there is no room for all numbers they have theirs. */
  for (guint i = tracks != NULL ? tracks->len : 0; i-- > 0;)
    {
      const EsTrack *track = g_ptr_array_index (tracks, i);

      if (es_sonar_source_find_track (source, track->id, &first) && first <= top
          && first + (gint64) track->points->len >= top - span)
        add_track (self, track, view, first, top - span, top);
    }
  es_map_view_set_tracks (view, self->columns->len, (const double *) self->columns->data,
                          (const double *) self->rows->data, (const guint *) self->numbers->data);
}
