/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Tracks of bearings: made-up peaks whose paths are known. */

#include <math.h>
#include <string.h>

#include "es-test-sonar.h"
#include "signal/es-tracker.h"

static EsBeamPeak
make_peak (double bearing, double width)
{
  return (EsBeamPeak) { .bearing = bearing, .width = width, .level = -3, .power = 0.5, .margin = NAN };
}

static EsTrack *
track_of (EsTracker *tracker, guint i)
{
  GPtrArray *tracks = es_tracker_get_tracks (tracker);

  g_assert_cmpuint (i, <, tracks->len);
  return g_ptr_array_index (tracks, i);
}

static const EsTrackPoint *
point_of (EsTrack *track, guint i)
{
  g_assert_cmpuint (i, <, track->points->len);
  return &g_array_index (track->points, EsTrackPoint, i);
}

/* One that moves evenly: the estimate settles on its bearing and rate, better than a single peak, and the deviation
 * says by how much it errs. */
static void
test_steady (void)
{
  const EsTrackerSettings settings = { .error = 0.5, .acceleration = 0.002 };
  g_autoptr (EsTracker) tracker = es_tracker_new (&settings);
  guint64 state = 5;
  double squares = 0, measured = 0, expected = 0;

  for (guint t = 0; t < 200; t++)
    {
      const double true_bearing = 30 + 0.4 * t;
      const EsBeamPeak peak = make_peak (true_bearing + 0.5 * es_test_normal (&state), 5);
      es_tracker_add (tracker, 2.0 * t, &peak, 1);
      g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, ==, t >= 2 ? 1 : 0);
      if (t < 20)
        continue;
      const EsTrackPoint *point = point_of (track_of (tracker, 0), t);
      squares += pow (point->bearing - true_bearing, 2);
      measured += pow (point->measured - true_bearing, 2);
      expected += point->deviation * point->deviation;
      g_assert_cmpfloat_with_epsilon (point->rate, 0.2, 0.05);
      g_assert_cmpfloat (point->level, ==, -3);
    }
  g_assert_cmpfloat (squares, <, 0.4 * measured);
  g_assert_cmpfloat_with_epsilon (squares / expected, 1, 0.6);
  EsTrack *track = track_of (tracker, 0);
  g_assert_cmpuint (track->id, ==, 1);
  g_assert_false (track->ended);
  g_assert_cmpuint (track->points->len, ==, 200);
}

/* The first step of the filter by hand: variance r and rate variance v become the known gains. */
static void
test_filter (void)
{
  const EsTrackerSettings settings = { .error = 0.2, .acceleration = 0.1 };
  g_autoptr (EsTracker) tracker = es_tracker_new (&settings);
  const double r = 0.04, v = 0.25, q = 0.01, bearings[] = { 10, 10.3, 10.4 };
  double p00 = r, p01 = 0, p11 = v, x = 10, rate = 0;

  for (guint t = 0; t < 3; t++)
    {
      const EsBeamPeak peak = make_peak (bearings[t], 1);
      es_tracker_add (tracker, t, &peak, 1);
      if (t == 0)
        continue;
      /* P <- F P F' + q [1/4 1/2; 1/2 1], dt = 1 */
      const double a = p00 + 2 * p01 + p11 + q / 4, b = p01 + p11 + q / 2, c = p11 + q, s = a + r;
      x += rate;
      const double innovation = bearings[t] - x;
      x += a / s * innovation;
      rate += b / s * innovation;
      p00 = a * r / s;
      p01 = b * r / s;
      p11 = c - b * b / s;
      g_assert_cmpfloat (a / s, >, 0.5);
    }
  const EsTrackPoint *point = point_of (track_of (tracker, 0), 2);
  g_assert_cmpfloat_with_epsilon (point->bearing, x, 1e-12);
  g_assert_cmpfloat_with_epsilon (point->rate, rate, 1e-12);
  g_assert_cmpfloat_with_epsilon (point->deviation, sqrt (p00), 1e-12);
}

/* Two paths that cross, the peaks in whatever order, and false ones between: two tracks, each its own to the end. */
static void
test_crossing (void)
{
  g_autoptr (EsTracker) tracker = es_tracker_new (NULL);
  guint64 state = 9;

  for (guint t = 0; t < 80; t++)
    {
      EsBeamPeak peaks[3];
      guint n = 0;

      /* Each is missed now and then, and where they meet there is one peak alone. */
      const double a = 60 + 0.5 * t, b = 100 - 0.5 * t;
      if (t % 11 != 5)
        peaks[n++] = make_peak (a + 0.1 * es_test_normal (&state), 2);
      if (t % 13 != 7 && fabs (a - b) > 1.2)
        peaks[n++] = make_peak (b + 0.1 * es_test_normal (&state), 2);
      if (t % 3 == 0)
        peaks[n++] = make_peak (10 + 160 * es_test_uniform (&state), 2);
      if (n > 1 && t % 2 == 0)
        {
          const EsBeamPeak other = peaks[0];
          peaks[0] = peaks[1];
          peaks[1] = other;
        }
      es_tracker_add (tracker, t, peaks, n);
    }
  guint n_long = 0;
  GPtrArray *tracks = es_tracker_get_tracks (tracker);
  for (guint i = 0; i < tracks->len; i++)
    {
      EsTrack *track = g_ptr_array_index (tracks, i);
      if (track->points->len < 60)
        continue;
      const EsTrackPoint *first = point_of (track, 0), *last = point_of (track, track->points->len - 1);
      const double slope = (last->bearing - first->bearing) / (last->time - first->time);
      n_long++;
      g_assert_cmpfloat_with_epsilon (fabs (slope), 0.5, 0.02);
      g_assert_cmpfloat_with_epsilon (first->bearing, slope > 0 ? 60 : 100, 3);
    }
  g_assert_cmpuint (n_long, ==, 2);
}

/* Sources that stand 2.5 degrees apart are not taken for each other. */
static void
test_neighbours (void)
{
  g_autoptr (EsTracker) tracker = es_tracker_new (NULL);
  guint64 state = 3;

  for (guint t = 0; t < 60; t++)
    {
      const double strong = t % 2 == 0 ? 88.75 : 91.25, weak = t % 2 == 0 ? 91.25 : 88.75;
      const EsBeamPeak peaks[] = { make_peak (strong + 0.1 * es_test_normal (&state), 1),
                                   make_peak (weak + 0.1 * es_test_normal (&state), 1) };
      es_tracker_add (tracker, t, peaks, 2);
    }
  g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    for (guint t = 0; t < 60; t++)
      g_assert_cmpfloat_with_epsilon (point_of (track_of (tracker, i), t)->measured, i == 0 ? 88.75 : 91.25, 0.6);
}

/* Confirmed by three of five; ended after `patience` without a peak; what lies between is predicted, what lies behind
 * the last peak is not listed. */
static void
test_life (void)
{
  const EsTrackerSettings settings = { .patience = 4, .error = 0.1 };
  g_autoptr (EsTracker) tracker = es_tracker_new (&settings);
  const EsBeamPeak peak = make_peak (40, 1);
  const char *const pattern = "1..1." "......" "1.1..1" "..1" "....";
  guint serial = es_tracker_get_serial (tracker);

  for (guint t = 0; pattern[t] != '\0'; t++)
    {
      es_tracker_add (tracker, t, &peak, pattern[t] == '1' ? 1 : 0);
      g_assert_cmpuint (es_tracker_get_serial (tracker), !=, serial);
      serial = es_tracker_get_serial (tracker);
      /* Never three of five: "1..1." has two, and of "1.1..1" the third is the sixth block's. */
      g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, ==, 0);
    }

  for (guint t = 100; t < 112; t++)
    es_tracker_add (tracker, t, &peak, t == 100 || t == 102 || t == 104 || t == 107 ? 1 : 0);
  EsTrack *track = track_of (tracker, 0);
  g_assert_true (track->ended);
  g_assert_cmpuint (track->points->len, ==, 8);
  g_assert_cmpfloat (point_of (track, 7)->time, ==, 107);
  g_assert_cmpfloat (point_of (track, 7)->measured, ==, 40);
  g_assert_true (isnan (point_of (track, 6)->measured));
  g_assert_true (isnan (point_of (track, 6)->level));
  g_assert_cmpfloat (point_of (track, 6)->deviation, >, point_of (track, 4)->deviation);

  /* Back in time, and far ahead: another track. */
  for (guint round = 0; round < 3; round++)
    for (guint t = 0; t < 5; t++)
      es_tracker_add (tracker, (round == 1 ? 50 : round == 2 ? 1000 : 200) + t, &peak, 1);
  g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpuint (track_of (tracker, i)->id, ==, i + 1);
      g_assert_cmpint (track_of (tracker, i)->ended, ==, i < 3);
    }
  es_tracker_finish (tracker);
  g_assert_true (track_of (tracker, 3)->ended);
}

/* Bearings that go round: 359 and 1 are two degrees apart, of a line they are not. */
static void
test_circular (void)
{
  for (guint line = 0; line < 2; line++)
    for (guint with_sign = 0; with_sign < 2; with_sign++)
      {
        const EsTrackerSettings settings = { .circular = line == 0 };
        g_autoptr (EsTracker) tracker = es_tracker_new (&settings);
        const double from = with_sign ? 170 : 350, least = with_sign ? -180 : 0;

        for (guint t = 0; t < 40; t++)
          {
            const double bearing = from + 0.5 * t;
            const EsBeamPeak peak = make_peak (bearing >= least + 360 ? bearing - 360 : bearing, 2);
            es_tracker_add (tracker, t, &peak, 1);
          }
        g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, ==, line == 0 ? 1 : 2);
        if (line == 1)
          continue;
        g_assert_cmpuint (track_of (tracker, 0)->points->len, ==, 40);
        for (guint t = 0; t < 40; t++)
          {
            const EsTrackPoint *point = point_of (track_of (tracker, 0), t);
            g_assert_cmpfloat (fabs (remainder (point->bearing - (from + 0.5 * t), 360)), <, 0.5);
            /* The sign is known from the first negative bearing on. */
            g_assert_cmpfloat (point->bearing, >=, with_sign ? -180 : 0);
            g_assert_cmpfloat (point->bearing, <, 360);
            if (with_sign && t > 20)
              g_assert_cmpfloat (point->bearing, <, 180);
          }
      }
}

/* What peaks may be: none, not numbers, without width, a thousand at once. */
static void
test_odd (void)
{
  g_autoptr (EsTracker) tracker = es_tracker_new (NULL);
  g_autofree EsBeamPeak *many = g_new0 (EsBeamPeak, 1000);
  const EsBeamPeak odd[] = { make_peak (NAN, 1), make_peak (INFINITY, NAN), make_peak (70, NAN) };

  es_tracker_finish (tracker);
  es_tracker_add (tracker, 0, NULL, 0);
  es_tracker_add (tracker, NAN, odd, 3);
  for (guint t = 1; t < 6; t++)
    es_tracker_add (tracker, t, odd, 3);
  g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, ==, 1);
  g_assert_cmpfloat (point_of (track_of (tracker, 0), 4)->bearing, ==, 70);
  for (guint i = 0; i < 1000; i++)
    many[i] = make_peak (0.18 * i, 0.1);
  for (guint t = 6; t < 10; t++)
    es_tracker_add (tracker, t, many, 1000);
  g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, >=, 900);
}

/* No more than 10,000 are kept: the oldest that ended go. */
static void
test_many (void)
{
  g_autoptr (EsTracker) tracker = es_tracker_new (NULL);
  EsBeamPeak peaks[160];
  double time = 0;

  for (guint round = 0; round < 70; round++)
    {
      for (guint t = 0; t < 3; t++)
        {
          for (guint i = 0; i < G_N_ELEMENTS (peaks); i++)
            peaks[i] = make_peak (10 + i, 0.5);
          es_tracker_add (tracker, time++, peaks, G_N_ELEMENTS (peaks));
        }
      es_tracker_finish (tracker);
    }
  g_assert_cmpuint (es_tracker_get_tracks (tracker)->len, ==, 10000);
  g_assert_cmpuint (track_of (tracker, 9999)->id, ==, 70 * 160);
  g_assert_cmpuint (track_of (tracker, 0)->id, ==, 70 * 160 - 9999);
}

/* Nor more than 500,000 points of all of them; what goes on stays. */
static void
test_long (void)
{
  g_autoptr (EsTracker) tracker = es_tracker_new (NULL);
  EsBeamPeak peaks[150];
  guint64 n_points = 0;

  for (guint i = 0; i < G_N_ELEMENTS (peaks); i++)
    peaks[i] = make_peak (10 + i, 0.5);
  /* The first of them goes on, the others end and begin anew. */
  for (guint t = 0; t < 4000; t++)
    es_tracker_add (tracker, t, peaks, t % 100 < 90 ? G_N_ELEMENTS (peaks) : 1);
  GPtrArray *tracks = es_tracker_get_tracks (tracker);
  for (guint i = 0; i < tracks->len; i++)
    n_points += ((EsTrack *) g_ptr_array_index (tracks, i))->points->len;
  g_assert_cmpuint (n_points, <=, 500000);
  g_assert_cmpuint (n_points, >, 490000);
  g_assert_cmpuint (track_of (tracker, 0)->id, ==, 1);
  g_assert_cmpuint (track_of (tracker, 0)->points->len, ==, 4000);
  g_assert_cmpuint (track_of (tracker, 1)->id, >, 150);
}

static void
append_twice (const EsTrackPoint *point, GString *text, gpointer data)
{
  g_string_append_printf (text, ",%g", 2 * point->time);
}

static void
test_csv (void)
{
  const EsTrackerSettings settings = { .error = 0.1 };
  g_autoptr (EsTracker) tracker = es_tracker_new (&settings);
  const EsBeamPeak peak = make_peak (123.25, 1);

  for (guint t = 0; t < 5; t++)
    es_tracker_add (tracker, 0.5 * t, &peak, t == 1 ? 0 : 1);
  g_autofree char *text = es_tracks_to_csv (es_tracker_get_tracks (tracker), NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 7);
  g_assert_cmpstr (lines[0], ==, "track,time_s,bearing_deg,rate_deg_s,deviation_deg,level_db,measured_deg");
  g_assert_cmpstr (lines[1], ==, "1,0.000000,123.2500,0.000000,0.1000,-3.000,123.2500");
  g_assert_true (g_str_has_prefix (lines[2], "1,0.500000,123.2500,"));
  g_assert_true (g_str_has_suffix (lines[2], ",,"));
  g_assert_true (g_str_has_prefix (lines[5], "1,2.000000,123.2500,"));
  g_assert_cmpstr (lines[6], ==, "");

  const EsTrackColumns more = { ",twice", append_twice, NULL };
  g_autofree char *wide = es_tracks_to_csv (es_tracker_get_tracks (tracker), &more);
  g_auto (GStrv) rows = g_strsplit (wide, "\n", -1);
  g_assert_true (g_str_has_suffix (rows[0], ",measured_deg,twice"));
  g_assert_true (g_str_has_suffix (rows[1], ",123.2500,0"));
  g_assert_true (g_str_has_suffix (rows[2], ",,1"));

  g_autoptr (GPtrArray) none = g_ptr_array_new ();
  g_autofree char *empty = es_tracks_to_csv (none, NULL);
  g_assert_cmpstr (empty, ==, "track,time_s,bearing_deg,rate_deg_s,deviation_deg,level_db,measured_deg\n");
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tracker/steady", test_steady);
  g_test_add_func ("/tracker/filter", test_filter);
  g_test_add_func ("/tracker/crossing", test_crossing);
  g_test_add_func ("/tracker/neighbours", test_neighbours);
  g_test_add_func ("/tracker/life", test_life);
  g_test_add_func ("/tracker/circular", test_circular);
  g_test_add_func ("/tracker/odd", test_odd);
  g_test_add_func ("/tracker/many", test_many);
  g_test_add_func ("/tracker/long", test_long);
  g_test_add_func ("/tracker/csv", test_csv);
  return g_test_run ();
}
