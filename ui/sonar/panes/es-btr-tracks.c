/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-btr-tracks.h"

#include <math.h>
#include <stdlib.h>

#define MOST_NUMBERS 30         /* of a display */
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

double
es_btr_find_column (EsMapView *view, double shown)
{
  double column = es_map_view_column_of (view, shown);

  if (isnan (column))
    column = es_map_view_column_of (view, shown + 360);
  return isnan (column) ? es_map_view_column_of (view, shown - 360) : column;
}

/* The first point that is not before a time. */
static guint
find_point (const EsTrack *track, double time)
{
  guint low = 0, high = track->points->len;

  while (low < high)
    {
      const guint middle = low + (high - low) / 2;

      if (g_array_index (track->points, EsTrackPoint, middle).time < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static double
place_of (EsBearingScale *scale, double row, double bearing, guint side)
{
  double places[2];
  const guint n = es_bearing_scale_show (scale, es_bearing_scale_get_heading (scale, (guint64) MAX (row, 0)), bearing,
                                         places);

  return side < n ? places[side] : NAN;
}

/* The points of a track that are in view, and those beside them; FALSE: none is. */
static gboolean
find_seen (const EsTrack *track, double from_time, double to_time, guint *from, guint *to)
{
  const guint n = track->points->len, begin = find_point (track, from_time), end = find_point (track, to_time);

  *from = begin > 0 ? begin - 1 : 0;
  *to = n > 0 ? MIN (end, n - 1) : 0;
  return begin < n && (end > 0 || g_array_index (track->points, EsTrackPoint, 0).time <= to_time);
}

typedef struct { double seconds; guint index; } Seen;

static int
compare_longest (gconstpointer a, gconstpointer b)
{
  const Seen *first = a, *second = b;

  if (first->seconds != second->seconds)
    return first->seconds < second->seconds ? 1 : -1;
  return first->index < second->index ? 1 : -1;
}

void
es_btr_choose_longest (const double *seconds, guint n, guint most, gboolean *chosen)
{
  g_autofree Seen *seen = g_new (Seen, MAX (n, 1));
  guint n_seen = 0;

  for (guint i = 0; i < n; i++)
    {
      chosen[i] = FALSE;
      if (seconds[i] >= 0)
        seen[n_seen++] = (Seen) { seconds[i], i };
    }
  qsort (seen, n_seen, sizeof (Seen), compare_longest);
  for (guint i = 0; i < MIN (n_seen, most); i++)
    chosen[seen[i].index] = TRUE;
}

/* Transfer full. */
static gboolean *
choose_numbered (GPtrArray *tracks, double from_time, double to_time, guint most)
{
  g_autofree double *seconds = g_new (double, MAX (tracks->len, 1));
  gboolean *numbered = g_new (gboolean, MAX (tracks->len, 1));

  for (guint i = 0; i < tracks->len; i++)
    {
      const EsTrack *track = g_ptr_array_index (tracks, i);
      guint from, to;

      seconds[i] = find_seen (track, from_time, to_time, &from, &to)
                   ? g_array_index (track->points, EsTrackPoint, to).time
                     - g_array_index (track->points, EsTrackPoint, from).time : -1;
    }
  es_btr_choose_longest (seconds, tracks->len, most, numbered);
  return numbered;
}

static void
add_track (EsBtrTracks *self, const EsTrack *track, EsMapView *view, EsBearingScale *scale, guint side,
           EsBeamHistory *history, double from_time, double to_time, gboolean numbered)
{
  const EsBeamKind kind = es_beam_history_get_tracked (history);
  double last = NAN;
  guint from, to;

  if (!find_seen (track, from_time, to_time, &from, &to))
    return;
  const guint stride = MAX ((to - MIN (from, to)) / MOST_ROWS, 1);
  for (guint i = from; i <= to; i = i < to ? MIN (i + stride, to) : i + 1)
    {
      const EsTrackPoint *point = &g_array_index (track->points, EsTrackPoint, i);
      const double row = es_beam_history_find_place (history, kind, point->time);
      double column = es_btr_find_column (view, place_of (scale, row, point->bearing, side));

      /* Over the end of the axis it goes on at the other. */
      if (fabs (column - last) > es_heatmap_get_n_columns (es_map_view_get_map (view)) / 2.)
        add_point (self, NAN, NAN, 0);
      last = column;
      add_point (self, column, row, i == to && numbered ? track->id : 0);
    }
  add_point (self, NAN, NAN, 0);
}

void
es_btr_tracks_update (EsBtrTracks *self, EsSonarSource *source, EsSonarExtent *extent, EsSonarLook *look,
                      EsBearingScale *scale, EsMapView *view)
{
  EsBeamHistory *history = es_sonar_source_get_history (source);
  gboolean shown = history != NULL && es_sonar_look_get_tracks (look);
  guint serial = history != NULL ? es_beam_history_get_tracks_serial (history) : 0;
  GPtrArray *tracks;
  double top, span, from_time = 0, to_time = 0;
  guint n_rows;

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
  n_rows = history != NULL ? es_beam_history_get_n_rows (history) : 0;
  if (tracks == NULL || n_rows == 0)
    tracks = NULL;
  else
    {
      const EsBeamKind kind = es_beam_history_get_tracked (history);

      from_time = es_beam_history_get_time_of (history, kind, (guint) CLAMP (top - span - 1, 0, n_rows - 1.));
      to_time = es_beam_history_get_time_of (history, kind, (guint) CLAMP (top, 0, n_rows - 1.));
    }
  /* The newest first: where there is no room for all numbers they have theirs. */
  const guint n_sides = es_bearing_scale_is_plain (scale) ? 1 : 2;
  g_autofree gboolean *numbered = tracks != NULL && es_beam_history_has_track_numbers (history)
                                  ? choose_numbered (tracks, from_time, to_time, MOST_NUMBERS / n_sides) : NULL;
  for (guint i = tracks != NULL ? tracks->len : 0; i-- > 0;)
    {
      const EsTrack *track = g_ptr_array_index (tracks, i);

      if (track->points->len > 0)
        for (guint side = 0; side < n_sides; side++)
          add_track (self, track, view, scale, side, history, from_time, to_time, numbered != NULL && numbered[i]);
    }
  es_map_view_set_tracks (view, self->columns->len, (const double *) self->columns->data,
                          (const double *) self->rows->data, (const guint *) self->numbers->data);
}
