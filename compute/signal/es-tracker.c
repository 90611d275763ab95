/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Tracks of bearings: Bar-Shalom, Li and Kirubarajan, "Estimation with Applications to Tracking and Navigation" (2001),
 * sections 5.2 (filter), 6.3.2 (discrete white acceleration). */

#include "es-tracker.h"

#include <math.h>
#include <stdlib.h>

#define ACCELERATION 0.02      /* degrees / s^2 */
#define PATIENCE 5
#define GATE 4                 /* standard deviations */
/* How fast a source may move at first, degrees / s, standard deviation. */
#define FIRST_RATE 0.5
/* Of a peak whose width is not known, and the least of any, degrees. */
#define UNKNOWN_ERROR 0.5
#define LEAST_ERROR 0.1
/* Confirmed by so many peaks in its first so many blocks. */
#define NEEDED 3
#define PROBATION 5
#define MOST_TRACKS 10000
/* Of all confirmed tracks together: 28 MB. */
#define MOST_POINTS 500000

typedef struct
{
  EsTrack shown;               /* the first member: what es_tracker_get_tracks () lists */
  GArray *pending;             /* EsTrackPoint of blocks without a peak since the last that had one; NULL: ended */
  double  bearing, rate;       /* not wrapped */
  double  variance, covariance, rate_variance;
  guint   blocks, peaks, missed;       /* missed: since the last peak */
  gboolean has_peak;           /* in this block */
} Track;

struct _EsTracker
{
  EsTrackerSettings settings;
  GPtrArray *confirmed;        /* owned, Track */
  GPtrArray *active;           /* Track; owns those that are not confirmed */
  double     time, interval;   /* of the last block; NAN: none. The shortest between two blocks; INFINITY */
  guint64    n_points;         /* of the confirmed */
  guint      next_id, serial;
  gboolean   is_signed;        /* a bearing below 0 was seen: -180..180 instead of 0..360 */
};

static void
track_free (gpointer data)
{
  Track *track = data;

  if (track == NULL)
    return;
  g_array_unref (track->shown.points);
  g_clear_pointer (&track->pending, g_array_unref);
  g_free (track);
}

EsTracker *
es_tracker_new (const EsTrackerSettings *settings)
{
  EsTracker *self = g_new0 (EsTracker, 1);

  if (settings != NULL)
    self->settings = *settings;
  if (!(self->settings.acceleration > 0))
    self->settings.acceleration = ACCELERATION;
  if (self->settings.patience == 0)
    self->settings.patience = PATIENCE;
  self->confirmed = g_ptr_array_new_with_free_func (track_free);
  self->active = g_ptr_array_new ();
  self->time = NAN;
  self->interval = INFINITY;
  return self;
}

/* It has been taken out of `active`. */
static void
end_track (Track *track)
{
  g_autoptr (GArray) points = track->shown.points;

  track->shown.ended = TRUE;
  g_clear_pointer (&track->pending, g_array_unref);
  /* It grows no more. */
  track->shown.points = g_array_sized_new (FALSE, FALSE, sizeof (EsTrackPoint), points->len);
  g_array_append_vals (track->shown.points, points->data, points->len);
  if (track->shown.id == 0)
    track_free (track);
}

static void
forget_oldest (EsTracker *self)
{
  guint n = 0, kept = 0;

  if (self->confirmed->len <= MOST_TRACKS && self->n_points <= MOST_POINTS)
    return;
  /* Those that go are the first that ended. */
  for (guint i = 0; i < self->confirmed->len; i++)
    {
      const Track *track = g_ptr_array_index (self->confirmed, i);
      if (!track->shown.ended
          || (self->confirmed->len - n <= MOST_TRACKS && self->n_points <= MOST_POINTS))
        continue;
      self->n_points -= track->shown.points->len;
      n++;
      track_free (g_steal_pointer (&self->confirmed->pdata[i]));
    }
  for (guint i = 0; i < self->confirmed->len; i++)
    if (self->confirmed->pdata[i] != NULL)
      self->confirmed->pdata[kept++] = self->confirmed->pdata[i];
  /* The places behind are the old ones of tracks that moved up. */
  for (guint i = kept; i < self->confirmed->len; i++)
    self->confirmed->pdata[i] = NULL;
  g_ptr_array_set_size (self->confirmed, (int) kept);
}

static void
end_all (EsTracker *self)
{
  if (self->active->len > 0)
    self->serial++;
  for (guint i = 0; i < self->active->len; i++)
    end_track (g_ptr_array_index (self->active, i));
  g_ptr_array_set_size (self->active, 0);
}

void
es_tracker_free (EsTracker *self)
{
  end_all (self);
  g_ptr_array_unref (self->active);
  g_ptr_array_unref (self->confirmed);
  g_free (self);
}

/* ---- bearings ---- */

/* From one to another, the short way round. */
static double
difference (EsTracker *self, double to, double from)
{
  return self->settings.circular ? remainder (to - from, 360) : to - from;
}

static double
wrap (EsTracker *self, double bearing)
{
  if (!self->settings.circular)
    return bearing;
  const double least = self->is_signed ? -180 : 0;
  const double wrapped = bearing - 360 * floor ((bearing - least) / 360);
  return wrapped >= least + 360 ? least : wrapped;
}

static double
error_of (EsTracker *self, const EsBeamPeak *peak)
{
  if (self->settings.error > 0)
    return self->settings.error;
  return isfinite (peak->width) ? MAX (peak->width / 10, LEAST_ERROR) : UNKNOWN_ERROR;
}

/* ---- the filter ---- */

static void
predict (Track *track, double seconds, double acceleration)
{
  const double q = acceleration * acceleration * seconds * seconds;

  track->bearing += track->rate * seconds;
  track->variance += 2 * seconds * track->covariance + seconds * seconds * (track->rate_variance + q / 4);
  track->covariance += seconds * (track->rate_variance + q / 2);
  track->rate_variance += q;
}

static void
update (Track *track, double innovation, double error)
{
  const double total = track->variance + error * error;
  const double gain = track->variance / total, rate_gain = track->covariance / total;

  track->bearing += gain * innovation;
  track->rate += rate_gain * innovation;
  track->rate_variance -= rate_gain * track->covariance;
  track->variance *= 1 - gain;
  track->covariance *= 1 - gain;
}

static void
add_point (EsTracker *self, Track *track, const EsBeamPeak *peak)
{
  const EsTrackPoint point = {
    .time = self->time, .bearing = wrap (self, track->bearing), .rate = track->rate,
    .deviation = sqrt (track->variance), .level = peak != NULL ? peak->level : NAN,
    .measured = peak != NULL ? peak->bearing : NAN,
  };

  if (peak == NULL)
    {
      g_array_append_val (track->pending, point);
      return;
    }
  if (track->pending->len > 0)
    g_array_append_vals (track->shown.points, track->pending->data, track->pending->len);
  self->n_points += track->shown.id != 0 ? track->pending->len + 1 : 0;
  g_array_set_size (track->pending, 0);
  g_array_append_val (track->shown.points, point);
}

static void
begin_track (EsTracker *self, const EsBeamPeak *peak)
{
  Track *track = g_new0 (Track, 1);
  const double error = error_of (self, peak);

  track->shown.points = g_array_new (FALSE, FALSE, sizeof (EsTrackPoint));
  track->pending = g_array_new (FALSE, FALSE, sizeof (EsTrackPoint));
  track->bearing = peak->bearing;
  track->variance = error * error;
  track->rate_variance = FIRST_RATE * FIRST_RATE;
  track->blocks = track->peaks = 1;
  add_point (self, track, peak);
  g_ptr_array_add (self->active, track);
}

/* ---- which peak belongs to which track ---- */

typedef struct
{
  double distance;
  guint  track, peak;
} Pair;

static int
compare_pairs (const void *a, const void *b)
{
  const Pair *x = a, *y = b;

  if (x->distance != y->distance)
    return x->distance < y->distance ? -1 : 1;
  if (x->track != y->track)
    return x->track < y->track ? -1 : 1;
  return x->peak < y->peak ? -1 : x->peak > y->peak;
}

/* The likeliest first: of two tracks as near in standard deviations the one that knows better where it is. */
static void
assign (EsTracker *self, const EsBeamPeak *peaks, guint n, gboolean *taken)
{
  g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (Pair));

  for (guint i = 0; i < self->active->len; i++)
    for (guint k = 0; k < n; k++)
      {
        const Track *track = g_ptr_array_index (self->active, i);
        const double error = error_of (self, &peaks[k]), total = track->variance + error * error;
        const double innovation = difference (self, peaks[k].bearing, track->bearing);
        const Pair pair = { innovation * innovation / total + log (total), i, k };

        if (!taken[k] && innovation * innovation <= GATE * GATE * total)
          g_array_append_val (pairs, pair);
      }
  g_array_sort (pairs, compare_pairs);
  for (guint i = 0; i < pairs->len; i++)
    {
      const Pair *pair = &g_array_index (pairs, Pair, i);
      const EsBeamPeak *peak = &peaks[pair->peak];
      Track *track = g_ptr_array_index (self->active, pair->track);

      if (taken[pair->peak] || track->has_peak)
        continue;
      taken[pair->peak] = track->has_peak = TRUE;
      update (track, difference (self, peak->bearing, track->bearing), error_of (self, peak));
      add_point (self, track, peak);
    }
}

static void
confirm (EsTracker *self, Track *track)
{
  track->shown.id = ++self->next_id;
  g_ptr_array_add (self->confirmed, track);
  self->n_points += track->shown.points->len;
}

/* After a block's peaks were given out: whether it goes on. */
static gboolean
judge (EsTracker *self, Track *track)
{
  track->blocks++;
  if (track->has_peak)
    {
      track->peaks++;
      track->missed = 0;
    }
  else
    {
      track->missed++;
      add_point (self, track, NULL);
    }
  if (track->shown.id == 0 && track->peaks >= NEEDED)
    confirm (self, track);
  if (track->shown.id == 0)
    return track->blocks - track->peaks <= PROBATION - NEEDED;
  return track->missed < self->settings.patience;
}

void
es_tracker_add (EsTracker *self, double time, const EsBeamPeak *peaks, guint n)
{
  g_autofree gboolean *taken = g_new0 (gboolean, (gsize) n + 1);
  const double seconds = time - self->time;

  if (!isfinite (time))
    return;
  /* Back, or so far ahead that a block without peaks each would have ended them. */
  if (!(seconds > 0) || seconds > (self->settings.patience + 0.5) * self->interval)
    end_all (self);
  else
    self->interval = MIN (self->interval, seconds);
  self->time = time;
  for (guint k = 0; k < n; k++)
    {
      taken[k] = !isfinite (peaks[k].bearing);
      self->is_signed = self->is_signed || peaks[k].bearing < 0;
    }
  for (guint i = 0; i < self->active->len; i++)
    {
      Track *track = g_ptr_array_index (self->active, i);

      track->has_peak = FALSE;
      predict (track, seconds, self->settings.acceleration);
    }
  assign (self, peaks, n, taken);
  for (guint i = 0; i < self->active->len;)
    {
      Track *track = g_ptr_array_index (self->active, i);

      if (judge (self, track))
        {
          i++;
          continue;
        }
      g_ptr_array_remove_index (self->active, i);
      end_track (track);
    }
  for (guint k = 0; k < n; k++)
    if (!taken[k])
      begin_track (self, &peaks[k]);
  forget_oldest (self);
  self->serial++;
}

void
es_tracker_finish (EsTracker *self)
{
  end_all (self);
  self->time = NAN;
  self->interval = INFINITY;
}

GPtrArray *
es_tracker_get_tracks (EsTracker *self)
{
  return self->confirmed;
}

guint
es_tracker_get_serial (EsTracker *self)
{
  return self->serial;
}

/* ---- CSV ---- */

static void
append_number (GString *text, const char *format, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_c (text, ',');
  if (!isnan (value))
    g_string_append (text, g_ascii_formatd (number, sizeof number, format, value));
}

char *
es_tracks_to_csv (GPtrArray *tracks, const EsTrackColumns *more)
{
  GString *text = g_string_new ("track,time_s,bearing_deg,rate_deg_s,deviation_deg,level_db,measured_deg");

  g_string_append_printf (text, "%s\n", more != NULL ? more->header : "");
  for (guint i = 0; i < tracks->len; i++)
    {
      const EsTrack *track = g_ptr_array_index (tracks, i);

      for (guint k = 0; k < track->points->len; k++)
        {
          const EsTrackPoint *point = &g_array_index (track->points, EsTrackPoint, k);

          g_string_append_printf (text, "%u", track->id);
          append_number (text, "%.6f", point->time);
          append_number (text, "%.4f", point->bearing);
          append_number (text, "%.6f", point->rate);
          append_number (text, "%.4f", point->deviation);
          append_number (text, "%.3f", point->level);
          append_number (text, "%.4f", point->measured);
          if (more != NULL)
            more->append (point, text, more->data);
          g_string_append_c (text, '\n');
        }
    }
  return g_string_free (text, FALSE);
}
