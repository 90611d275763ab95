/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Numbers that are read off a screen, with the settings that nobody changes, of scenes whose truth is known: bearings,
 * ranges and levels, of made-up recordings whose delays and powers are computed here, not by what is tested. */

#include <math.h>
#include <string.h>

#include "es-test-beams.h"
#include "es-test-cbf.h"

#define CIRCLE 16

static void
assert_bearing (double bearing, double truth, double within)
{
  g_assert_cmpfloat (fabs (remainder (bearing - truth, 360)), <, within);
}

static EsArray *
make_circle (double radius, const char *origin_text)
{
  g_autofree EsElement *elements = g_new0 (EsElement, CIRCLE);
  g_autoptr (EsArray) circle = NULL, airy = NULL;
  g_autoptr (GError) error = NULL;
  EsOrigin origin;

  for (guint k = 0; k < CIRCLE; k++)
    elements[k] = (EsElement) { .x = 5 + radius * cos (2 * G_PI * k / CIRCLE),
                                .y = radius * sin (2 * G_PI * k / CIRCLE), .channel = k, .gain = 1 };
  circle = es_array_new (elements, CIRCLE, &error);
  g_assert_no_error (error);
  airy = es_array_with_sound_speed (circle, 343);
  g_assert_true (es_origin_parse (origin_text, &origin, &error));
  return es_array_with_origin (airy, &origin, &error);
}

/* A near source is where it is from the middle of a circle of microphones, and from any other place that is named. */
static void
test_circle (void)
{
  const char *const origins[] = { "centre", "element:1", "5,0.5,0" };

  for (guint i = 0; i < G_N_ELEMENTS (origins); i++)
    {
      g_autoptr (EsArray) circle = make_circle (0.5, origins[i]);
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (circle, 16000, 32768, 343);
      g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", "400:3000", "ranges",
                                                         "0.5,0.55,0.6,0.65,0.7,0.75,0.8,0.85,0.9,0.95,1,1.05,1.1",
                                                         NULL);
      const double x = 5 + 0.6 * cos (245 * G_PI / 180), y = 0.6 * sin (245 * G_PI / 180);
      double origin[3];

      es_test_sonar_add_noise (sonar, es_test_place_point (x - 5, y, 0), 400, 3000, 1, 3);
      es_test_sonar_add_white (sonar, 0.05, 4);
      g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
      g_autoptr (EsResult) result = es_test_cbf_run (recording, "cpu", params);
      es_array_get_origin_place (circle, origin);
      assert_bearing (es_test_peak (result, 0, "bearing_deg"),
                      atan2 (y - origin[1], x - origin[0]) * 180 / G_PI, 1);
      g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "range_m"),
                                      hypot (x - origin[0], y - origin[1]), 0.051);
      g_assert_cmpstr (json_object_get_string_member (es_result_get_values (result), "origin"), ==, origins[i]);
    }
}

/* Levels and bearings of plane waves, with automatic angles, whatever lies between them. */
static void
assert_plane_wave (const char *operation, EsArray *array, double bearing, double within_degrees, double within_db)
{
  const gboolean adaptive = strcmp (operation, "mvdr") == 0;
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, adaptive ? 40000 : 8192, 1500);
  g_autoptr (EsParams) params = es_test_beam_params (operation, "band", "320:480", "ranges", "far", NULL);
  g_autoptr (GError) error = NULL;
  const EsTestPlace place = es_array_is_line (array) ? es_test_place_far (array, bearing)
                                                     : es_test_place_direction (bearing, 0);

  es_test_sonar_add_noise (sonar, place, 325, 475, 4, 11);
  es_test_sonar_add_white (sonar, 0.04, 12);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = es_test_run_beams (operation, recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  const double found = es_test_peak (result, 0, "bearing_deg"), level = es_test_peak (result, 0, "level_db");
  g_test_message ("%s, %u elements, %g: %.4f, %.2f dB of 6.02", operation, es_array_get_n_elements (array), bearing,
                  found, level);
  assert_bearing (found, bearing, within_degrees);
  g_assert_cmpfloat_with_epsilon (level, 10 * log10 (4), within_db);
}

static void
test_grid_of_lines (void)
{
  const double bearings[] = { 3.3, 17.2, 57.1234, 90.21, 123.4567, 179 };
  const guint counts[] = { 8, 32, 128 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (bearings); k++)
      {
        g_autoptr (EsArray) line = es_test_cbf_make_line (counts[i], 1.5);

        /* A beam along the axis is as wide as the square root of one across it. */
        assert_plane_wave ("cbf", line, bearings[k], bearings[k] > 15 && bearings[k] < 165 ? 2.0 / counts[i] : 4, 0.25);
      }
}

/* Adaptive beams of loud sources are many times narrower than what is between two angles. */
static void
test_grid_of_adaptive (void)
{
  const double bearings[] = { 17.2, 57.1234, 90.21, 123.4567 };
  const guint counts[] = { 8, 24 };

  for (guint i = 0; i < G_N_ELEMENTS (counts); i++)
    for (guint k = 0; k < G_N_ELEMENTS (bearings); k++)
      {
        g_autoptr (EsArray) line = es_test_cbf_make_line (counts[i], 1.5);

        assert_plane_wave ("mvdr", line, bearings[k], 0.05, 1);
      }
}

static void
test_grid_of_circles (void)
{
  const double bearings[] = { -179.9, -90.3, 0.05, 57.1234, 178.9, 179.3, 179.5, 179.95 };

  for (guint k = 0; k < G_N_ELEMENTS (bearings); k++)
    {
      g_autoptr (EsArray) circle = make_circle (6, "centre"), wet = es_array_with_sound_speed (circle, 1500);

      assert_plane_wave ("cbf", wet, bearings[k], 0.05, 0.1);
      assert_plane_wave ("mvdr", wet, bearings[k], 0.05, 1);
    }
}

/* Angles that somebody gave are judged. */
static void
test_coarse (void)
{
  const struct { guint n; const char *operation, *angles, *says; } cases[] = {
    { 256, "cbf", "0:180:1", "may be missed" }, { 64, "cbf", "0:180:1", "dB too low" },
    { 16, "cbf", "0:180:1", NULL }, { 24, "mvdr", "0:180:2", "adaptive beams" }, { 8, "mvdr", "0:180:1", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsArray) line = es_test_cbf_make_line (cases[i].n, 1.5);
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (line, 2000, 2000, 1500);
      g_autoptr (EsParams) params = es_test_beam_params (cases[i].operation, "band", "320:480", "ranges", "far",
                                                         "angles", cases[i].angles, NULL);
      es_test_sonar_add_white (sonar, 1, 4);
      g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
      g_autoptr (EsResult) result = es_test_run_beams (cases[i].operation, recording, "cpu", NULL, params, NULL);
      const char * const *warnings = es_result_get_warnings (result);
      if (cases[i].says != NULL)
        g_assert_true (es_test_says (warnings, cases[i].says));
      else
        g_assert_false (warnings != NULL && es_test_says (warnings, "Angles are"));
    }
}

/* ---- all round ---- */

/* Elements on a sphere: directions of all elevations. */
static EsArray *
make_sphere (void)
{
  g_autofree EsElement *elements = g_new0 (EsElement, 24);
  g_autoptr (GError) error = NULL;

  for (guint k = 0; k < 24; k++)
    {
      const double z = 1 - 2 * (k + 0.5) / 24, turn = k * G_PI * (3 - sqrt (5)), r = sqrt (1 - z * z);
      elements[k] = (EsElement) { .x = 3 * r * cos (turn), .y = 3 * r * sin (turn), .z = 3 * z, .channel = k,
                                  .gain = 1 };
    }
  return es_array_new (elements, 24, &error);
}

/* One source is one arrival, also where azimuths meet and straight up, with the first azimuth listed twice or not. */
static void
test_round (void)
{
  const double places[][2] = { { 178.6, 10 }, { -178.7, -20 }, { 1.4, 5 }, { 180, 0 }, { 33, 90 }, { 0, -90 },
                               { 70, 88 } };
  const char *const azimuths[] = { "-180:180:2", "-180:178:2", "0:360:2" };
  g_autoptr (EsArray) sphere = make_sphere ();

  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (sphere, 4000, 4096, 1500);

      es_test_sonar_add_noise (sonar, es_test_place_direction (places[i][0], places[i][1]), 200, 900, 1, 11);
      es_test_sonar_add_white (sonar, 0.02, 12);
      g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
      for (guint k = 0; k < G_N_ELEMENTS (azimuths); k++)
        {
          g_autoptr (EsParams) params = es_test_beam_params ("localize", "azimuth", azimuths[k], "elevation",
                                                             "-90:90:2", "band", "200:900", NULL);
          g_autoptr (GError) error = NULL;
          g_autoptr (EsResult) result = es_test_run_beams ("localize", recording, "cpu", NULL, params, &error);
          g_assert_no_error (error);
          JsonArray *peaks = json_object_get_array_member (es_result_get_values (result), "peaks");
          const EsTestPlace truth = es_test_place_direction (places[i][0], places[i][1]);
          guint close = 0;

          for (guint n = 0; n < json_array_get_length (peaks); n++)
            {
              const EsTestPlace found = es_test_place_direction (es_test_peak (result, n, "azimuth_deg"),
                                                                 es_test_peak (result, n, "elevation_deg"));
              const double away = acos (MIN (found.x * truth.x + found.y * truth.y + found.z * truth.z, 1));
              close += away < 15 * G_PI / 180;
              if (n == 0)
                g_assert_cmpfloat (away * 180 / G_PI, <, 0.5);
            }
          g_assert_cmpuint (close, ==, 1);
          g_assert_false (json_object_get_boolean_member (json_array_get_object_element (peaks, 0), "at_edge"));
        }
    }
}

/* ---- stamps ---- */

#define STAMP_SECONDS 40
#define STAMP_TONES 30

/* Where a source is that moves by a degree a second. */
static double
moving_bearing (double seconds)
{
  return 70 + seconds;
}

static EsRecording *
make_moving (void)
{
  g_autoptr (EsArray) line = es_test_cbf_make_line (12, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (line, 2000, 2000 * STAMP_SECONDS, 1500);
  double frequencies[STAMP_TONES], phases[STAMP_TONES];
  guint64 state = 5;

  for (guint f = 0; f < STAMP_TONES; f++)
    {
      frequencies[f] = 330 + 140 * es_test_uniform (&state);
      phases[f] = 2 * G_PI * es_test_uniform (&state);
    }
  for (gsize i = 0; i < sonar->frames; i++)
    {
      const EsTestPlace place = es_test_place_far (line, moving_bearing (i / 2000.0));

      for (guint k = 0; k < 12; k++)
        {
          const double time = i / 2000.0 - es_test_sonar_delay (sonar, place, k);
          for (guint f = 0; f < STAMP_TONES; f++)
            sonar->samples[i * sonar->channels + k] += 0.3 * sin (2 * G_PI * frequencies[f] * time + phases[f]);
        }
    }
  es_test_sonar_add_white (sonar, 0.01, 8);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

/* Rows, detections and tracks say when what they show was, not when its first sample was. */
static void
test_stamps (void)
{
  const struct { const char *operation, *keys[2], *values[2]; double within; } cases[] = {
    { "cbf", { "block", "overlap" }, { "1s", "0" }, 0.1 },
    { "cbf", { "block", "snapshots" }, { "3s", "4" }, 0.1 },
    { "mvdr", { "blocks", "snapshots" }, { "6", "8" }, 0.35 },
    /* The newest counts the most: a narrow beam is ahead of the mean of what is remembered. */
    { "mvdr", { "forgetting", "snapshots" }, { "0.3", "24" }, 1.3 },
  };
  g_autoptr (EsRecording) recording = make_moving ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params (cases[i].operation, "band", "320:480", "ranges", "far",
                                                         cases[i].keys[0], cases[i].values[0], cases[i].keys[1],
                                                         cases[i].values[1], "peaks", "1", NULL);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = es_test_run_beams (cases[i].operation, recording, "cpu", NULL, params, &error);
      g_assert_no_error (error);
      EsTable *table = ES_TABLE (es_result_find_layer (result, "detections"));
      const guint bearing = 1, n = es_table_get_n_rows (table);
      double off = 0;
      guint counted = 0;

      for (guint r = n / 2; r < n; r++, counted++)
        off += es_table_get_value (table, r, bearing) - moving_bearing (es_table_get_value (table, r, 0));
      g_test_message ("%s %u: %.3f degrees off on average", cases[i].operation, i, off / counted);
      g_assert_cmpuint (counted, >, 5);
      g_assert_cmpfloat (fabs (off / counted), <, cases[i].within);
    }
}

/* ---- tones of beams ---- */

/* Wherever between two bins of their transforms: conventional beams, and adaptive ones, whose peaks of so loud a source
 * are a hundred times narrower than what a bin's own frequency shifts them by. */
static void
test_beams_of_tones (void)
{
  const struct { const char *operation, *window, *ranges, *transform; double within_degrees, within_db; } cases[] = {
    { "cbf", "rectangular", "far", "0", 0.02, 0.05 }, { "cbf", "hann", "far", "0", 0.02, 0.05 },
    { "mvdr", "hann", "far", "0", 0.05, 0.5 }, { "mvdr", "blackman", "far", "0", 0.05, 0.5 },
    /* Zeros behind the window make its bins finer; the far row is as good with others beside it. */
    { "mvdr", "hann", "far", "4096", 0.05, 0.5 }, { "mvdr", "hann", "far,100,400", "0", 0.05, 0.5 },
  };
  const double frequencies[] = { 400, 400.33, 401.9 };

  for (guint f = 0; f < G_N_ELEMENTS (frequencies); f++)
    {
      g_autoptr (EsArray) line = es_test_cbf_make_line (24, 1.5);
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (line, 2000, 40000, 1500);

      es_test_sonar_add_tone (sonar, es_test_place_far (line, 53.3), frequencies[f], sqrt (2), 0.4);
      es_test_sonar_add_white (sonar, 0.01, 8);
      g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
      for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
        {
          g_autoptr (EsParams) params = es_test_beam_params (cases[i].operation, "band", "320:480", "ranges",
                                                             cases[i].ranges, "window", cases[i].window, "transform",
                                                             cases[i].transform, NULL);
          g_autoptr (GError) error = NULL;
          g_autoptr (EsResult) result = es_test_run_beams (cases[i].operation, recording, "cpu", NULL, params, &error);
          g_assert_no_error (error);
          g_test_message ("%s, %s, %g Hz: %.4f, %.2f dB", cases[i].operation, cases[i].window, frequencies[f],
                          es_test_peak (result, 0, "bearing_deg"), es_test_peak (result, 0, "level_db"));
          assert_bearing (es_test_peak (result, 0, "bearing_deg"), 53.3, cases[i].within_degrees);
          g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "level_db"), 0, cases[i].within_db);
          /* However narrow it is, a peak has a width. */
          g_assert_cmpfloat (es_test_peak (result, 0, "width_deg"), >, 0.01);
          g_assert_cmpfloat (es_test_peak (result, 0, "width_deg"), <, 7);
        }
    }
}

#define N_OTHERS 3

/* A ship's broad band, loud enough to be narrow, and tones between two bins at other bearings, or none. */
static EsResult *
hear_ship (double bearing, gboolean tones)
{
  static const double frequencies[N_OTHERS] = { 346.8, 375.4, 431.5 }, bearings[N_OTHERS] = { 110, 113.5, 135 };
  g_autoptr (EsArray) line = es_test_cbf_make_line (24, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (line, 2000, 60000, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("mvdr", "band", "320:480", "ranges", "far", "peak-range", "30",
                                                     "blocks", "20", "from", "20", NULL);
  g_autoptr (GError) error = NULL;
  EsResult *result;

  es_test_sonar_add_noise (sonar, es_test_place_far (line, bearing), 325, 475, 0.5, 21);
  es_test_sonar_add_white (sonar, 0.004, 22);
  for (guint i = 0; tones && i < N_OTHERS; i++)
    es_test_sonar_add_tone (sonar, es_test_place_far (line, bearings[i]), frequencies[i], sqrt (2), i);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  result = es_test_run_beams ("mvdr", recording, "cpu", NULL, params, &error);
  g_assert_no_error (error);
  return result;
}

/* The peak nearest to a bearing. */
static guint
find_nearest (EsResult *result, double bearing)
{
  const guint n = json_array_get_length (json_object_get_array_member (es_result_get_values (result), "peaks"));
  guint nearest = 0;

  for (guint i = 1; i < n; i++)
    if (fabs (es_test_peak (result, i, "bearing_deg") - bearing)
        < fabs (es_test_peak (result, nearest, "bearing_deg") - bearing))
      nearest = i;
  return nearest;
}

/* Of a bin that a tone fills, what comes from elsewhere is what it is without the tone. */
static void
test_beside_tones (void)
{
  static const double bearings[N_OTHERS] = { 110, 113.5, 135 };
  g_autoptr (EsResult) alone = hear_ship (48.07, FALSE), beside = hear_ship (48.07, TRUE);
  const guint ship = find_nearest (beside, 48.07);

  g_test_message ("alone %.3f degrees, %.3f dB, %.3f wide; beside tones %.3f, %.3f, %.3f",
                  es_test_peak (alone, 0, "bearing_deg"), es_test_peak (alone, 0, "level_db"),
                  es_test_peak (alone, 0, "width_deg"), es_test_peak (beside, ship, "bearing_deg"),
                  es_test_peak (beside, ship, "level_db"), es_test_peak (beside, ship, "width_deg"));
  assert_bearing (es_test_peak (beside, ship, "bearing_deg"), 48.07, 0.05);
  g_assert_cmpfloat_with_epsilon (es_test_peak (beside, ship, "level_db"), es_test_peak (alone, 0, "level_db"), 0.1);
  /* Loading is a share of all that is in a bin: it widens a little. */
  g_assert_cmpfloat_with_epsilon (es_test_peak (beside, ship, "width_deg") / es_test_peak (alone, 0, "width_deg"), 1,
                                  0.15);
  for (guint i = 0; i < N_OTHERS; i++)
    {
      const guint peak = find_nearest (beside, bearings[i]);

      g_test_message ("tone: %.4f, %.2f dB", es_test_peak (beside, peak, "bearing_deg"),
                      es_test_peak (beside, peak, "level_db"));
      assert_bearing (es_test_peak (beside, peak, "bearing_deg"), bearings[i], 0.05);
      g_assert_cmpfloat_with_epsilon (es_test_peak (beside, peak, "level_db"), 0, 0.5);
    }
}

/* A ship that passes a tone: as long as it stands in the tone's lobe, neither reads more than is there. */
static void
test_passing_tones (void)
{
  for (double bearing = 106.2; bearing < 119; bearing += 2.1)
    {
      g_autoptr (EsResult) result = hear_ship (bearing, TRUE);
      const double level = es_test_peak (result, 0, "level_db");

      g_test_message ("%.1f degrees: %.2f dB at %.2f", bearing, level, es_test_peak (result, 0, "bearing_deg"));
      /* A tone of 0 dB, and 0.5 of the ship where they are at one bearing. */
      g_assert_cmpfloat (level, >, -0.5);
      g_assert_cmpfloat (level, <, 10 * log10 (1.5) + 0.5);
    }
}

/* ---- tones, bins and densities ---- */

/* Two tones, one of them between two bins, in white noise of one element: 1 Hz a bin. */
#define TONE_FREQUENCY 180.37
#define TONE_LEVEL -10.0        /* dB of its mean square */
#define NOISE_POWER 1e-3        /* over 1,000 Hz */

static EsRecording *
make_tone_in_noise (double frequency)
{
  g_autoptr (EsArray) alone = es_array_parse ("line:1,1", NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (alone, 2000, 200000, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (alone, 90), frequency, sqrt (2 * pow (10, TONE_LEVEL / 10)), 0.3);
  es_test_sonar_add_white (sonar, NOISE_POWER, 9);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

/* Whatever the window and wherever between two bins: the list of lines tells a tone's power and frequency; the mean
 * spectrum the power of a tone in the middle of a bin, bins that add up to the mean square, or a density. */
static void
test_tones (void)
{
  static const char *const windows[] = { "rectangular", "hann", "hamming", "blackman" };
  static const char *const levels[] = { "tone", "bin", "density" };
  static const double bandwidths[] = { 1, 1.5, 1.36283, 1.72676 };      /* Harris 1978, Table I */

  for (guint o = 0; o < 3; o++)
    for (guint w = 0; w < G_N_ELEMENTS (windows); w++)
      for (guint l = 0; l < G_N_ELEMENTS (levels); l++)
        {
          const double frequency = o == 0 ? 180 : o == 1 ? 180.5 : TONE_FREQUENCY;
          g_autoptr (EsRecording) recording = make_tone_in_noise (frequency);
          g_autoptr (EsParams) params = es_test_beam_params ("lofar", "transform", "2000", "window", windows[w],
                                                             "levels", levels[l], "lines", "1", NULL);
          g_autoptr (GError) error = NULL;
          g_autoptr (EsResult) result = es_test_run_beams ("lofar", recording, "cpu", NULL, params, &error);
          g_assert_no_error (error);
          JsonObject *values = es_result_get_values (result);
          JsonObject *line = json_array_get_object_element (json_object_get_array_member (values, "lines"), 0);
          EsCurve *spectrum = ES_CURVE (es_result_find_layer (result, "spectrum"));
          const EsCurveSeries *series = es_curve_get_series (spectrum, 0);
          double noise = 0;

          g_test_message ("%s, %s, %g Hz: %.4f Hz, %.3f dB", windows[w], levels[l], frequency,
                          json_object_get_double_member (line, "frequency_hz"),
                          json_object_get_double_member (line, "level_db"));
          g_assert_cmpfloat_with_epsilon (json_object_get_double_member (line, "frequency_hz"), frequency, 0.01);
          g_assert_cmpfloat_with_epsilon (json_object_get_double_member (line, "level_db"), TONE_LEVEL, 0.1);
          g_assert_cmpstr (json_object_get_string_member (values, "level_reference"), ==, "full scale");
          /* Noise far from the tone, in a bin of 1 Hz of 1,000. */
          for (guint b = 600; b < 900; b++)
            noise += pow (10, series->y[b] / 10) / 300;
          /* Between two bins a rectangle lets a tone leak everywhere. */
          if (o == 0 || w > 0)
            g_assert_cmpfloat_with_epsilon (10 * log10 (noise),
                                            10 * log10 (NOISE_POWER / 1000 * (l == 0 ? bandwidths[w] : 1)), 0.15);
          if (o == 0 && l == 0)
            g_assert_cmpfloat_with_epsilon (series->y[180], TONE_LEVEL, 0.05);
          g_assert_cmpstr (series->unit, ==, l == 0 ? "dB re full scale" : l == 1 ? "dB re full scale² a bin"
                                             : "dB re full scale²/Hz");
        }
}

/* A loud tone below the band is in no band energy: at its edge it would be steered to another bearing. */
static void
test_beside_band (void)
{
  g_autoptr (EsArray) line = es_array_new_line (16, 1.5, 0, NULL);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (line, 4000, 20000, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "ranges", "far", NULL);

  es_test_sonar_add_tone (sonar, es_test_place_far (line, 60), 300, 1, 0);
  es_test_sonar_add_noise (sonar, es_test_place_far (line, 110), 340, 460, 0.001, 5);
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = es_test_cbf_run (recording, "cpu", params);

  assert_bearing (es_test_peak (result, 0, "bearing_deg"), 110, 0.5);
  g_assert_cmpfloat_with_epsilon (es_test_peak (result, 0, "level_db"), -30, 0.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sonar/truth/beside-band", test_beside_band);
  g_test_add_func ("/sonar/truth/circle", test_circle);
  g_test_add_func ("/sonar/truth/grid/lines", test_grid_of_lines);
  g_test_add_func ("/sonar/truth/grid/adaptive", test_grid_of_adaptive);
  g_test_add_func ("/sonar/truth/grid/circles", test_grid_of_circles);
  g_test_add_func ("/sonar/truth/grid/coarse", test_coarse);
  g_test_add_func ("/sonar/truth/round", test_round);
  g_test_add_func ("/sonar/truth/stamps", test_stamps);
  g_test_add_func ("/sonar/truth/beams-of-tones", test_beams_of_tones);
  g_test_add_func ("/sonar/truth/beside-tones", test_beside_tones);
  g_test_add_func ("/sonar/truth/passing-tones", test_passing_tones);
  g_test_add_func ("/sonar/truth/tones", test_tones);
  return g_test_run ();
}
