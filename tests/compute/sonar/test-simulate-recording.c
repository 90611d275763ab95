/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sonar.h"
#include "readers/es-open.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sched.h>
#include <string.h>

static char *folder;

/* ---- helpers ---- */

static EsParams *
scene_params (const char *first, ...)
{
  EsParams *params = es_params_new (es_simulate_recording_params);
  va_list list;

  va_start (list, first);
  for (const char *key = first; key != NULL; key = va_arg (list, const char *))
    {
      g_autoptr (GError) error = NULL;
      g_assert_true (es_params_parse (params, key, va_arg (list, const char *), &error));
      g_assert_no_error (error);
    }
  va_end (list);
  return params;
}

static GFile *
file_named (const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);

  return g_file_new_for_path (path);
}

static EsRecording *
open_recording (GFile *file, const EsOpenOptions *options)
{
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_RECORDING (dataset));
  return ES_RECORDING (dataset);
}

/* Simulates to `name` and opens it. */
static EsRecording *
simulate (const char *name, EsParams *params)
{
  g_autoptr (GFile) file = file_named (name);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_simulate_recording (file, params, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  return open_recording (file, NULL);
}

/* All of it, channel after channel, in units: the array's gains applied. */
static double *
read_units (EsRecording *recording, gsize *frames)
{
  const guint channels = es_recording_get_n_channels (recording);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (GError) error = NULL;

  *frames = es_recording_get_frames (recording);
  g_autofree float *samples = g_new (float, *frames * channels);
  double *units = g_new (double, *frames * channels);
  g_assert_true (es_recording_read (recording, 0, *frames, 0, channels, samples, &error));
  g_assert_no_error (error);
  g_assert_nonnull (array);
  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    {
      const EsElement *e = &es_array_get_elements (array)[k];
      for (gsize i = 0; i < *frames; i++)
        units[e->channel * *frames + i] = samples[i * channels + e->channel] * e->gain;
    }
  return units;
}

static void
assert_same_file (const char *a, const char *b)
{
  g_autofree char *path_a = g_build_filename (folder, a, NULL), *path_b = g_build_filename (folder, b, NULL);
  g_autofree char *text_a = NULL, *text_b = NULL;
  gsize length_a, length_b;

  g_assert_true (g_file_get_contents (path_a, &text_a, &length_a, NULL));
  g_assert_true (g_file_get_contents (path_b, &text_b, &length_b, NULL));
  g_assert_cmpmem (text_a, length_a, text_b, length_b);
}

static double
mean_square (const double *values, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += values[i] * values[i];
  return sum / n;
}

/* ---- delays ---- */

typedef struct
{
  const char *array, *source;
  double      bearing, rate, elevation, range;      /* degrees, degrees a minute, degrees, m */
} Motion;

static const Motion motions[] = {
  { "line:9,1.5", "noise,35,3,100:3000", 35, 0, 0, INFINITY },
  { "line:9,1.5,30", "noise,150,0,500:2500,range=25", 150, 0, 0, 25 },
  { "line:9,1.5", "noise,60,0,100:3000,rate=90", 60, 90, 0, INFINITY },
  { "line:9,2,-45", "propeller,120,-6,200:2000,shaft=5,blades=4,rate=-300,range=30", 120, -300, 0, 30 },
};

static EsTestPlace
place_at (EsArray *array, const Motion *m, double seconds)
{
  const double bearing = m->bearing + m->rate * seconds / 60;

  return isinf (m->range) ? es_test_place_far (array, bearing) : es_test_place_slant (array, bearing, m->range);
}

/*
 * Every element hears the reference's signal late by |p - x| - |p|, everywhere: read between the reference's samples
 * by a long sinc in double precision. At 1,500 Hz a delay that is wrong by 1e-6 s makes an error of 1e-2; here it is
 * 50 times less.
 */
static void
test_broadband (gconstpointer data)
{
  const Motion *m = data;
  g_autoptr (EsParams) params = scene_params ("array", m->array, "sources", m->source, "ambient", "-200", "type",
                                              "float32", "seconds", "3.3", NULL);
  g_autoptr (EsRecording) recording = simulate ("delay.wav", params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 1, 1500);
  gsize frames;
  g_autofree double *units = read_units (recording, &frames);
  const double *reference = units + es_array_get_reference (array) * frames;
  const int half = 256;

  g_assert_cmpuint (frames, ==, 26400);
  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    {
      double wrong = 0, power = 0;
      for (gsize i = 1000; i < frames - 1000; i += 7)
        {
          const double place = i - 8000 * es_test_sonar_delay (sonar, place_at (array, m, i / 8000.0), k);
          double expected = 0;
          for (int j = -half + 1; j <= half; j++)
            {
              const double d = place - (floor (place) + j), share = d / half;
              expected += reference[(gsize) (floor (place) + j)] * (d == 0 ? 1 : sin (G_PI * d) / (G_PI * d))
                          * (0.42 + 0.5 * cos (G_PI * share) + 0.08 * cos (2 * G_PI * share));
            }
          wrong += (units[k * frames + i] - expected) * (units[k * frames + i] - expected);
          power += expected * expected;
        }
      g_assert_cmpfloat (sqrt (wrong / power), <, 2e-4);
    }
}

/* As the specification measures it: the peak of the cross-correlation of two elements, by the slope of its phase. */
static void
test_correlation (void)
{
  g_autoptr (EsParams) params = scene_params ("array", "line:64,1.5", "sources", "noise,20,0,50:3900", "ambient",
                                              "-200", "type", "float32", "seconds", "5", NULL);
  g_autoptr (EsRecording) recording = simulate ("correlation.wav", params);
  gsize frames;
  g_autofree double *units = read_units (recording, &frames);
  const gsize n = 32768;
  const double expected = 63 * 1.5 * cos (20 * G_PI / 180) / 1500;
  const gsize whole = (gsize) rint (expected * 8000);
  g_autofree double *early = g_new0 (double, 2 * n), *late = g_new0 (double, 2 * n);
  double above = 0, below = 0;

  /* The last element hears it first. */
  for (gsize i = 0; i < n; i++)
    {
      const double weight = 0.5 - 0.5 * cos (2 * G_PI * i / n);
      early[2 * i] = weight * units[63 * frames + 100 + i];
      late[2 * i] = weight * units[0 * frames + 100 + whole + i];
    }
  es_test_transform (early, n, -1);
  es_test_transform (late, n, -1);
  for (gsize b = n / 40; b < n * 19 / 40; b++)
    {
      const double re = early[2 * b] * late[2 * b] + early[2 * b + 1] * late[2 * b + 1];
      const double im = early[2 * b] * late[2 * b + 1] - early[2 * b + 1] * late[2 * b];
      const double omega = 2 * G_PI * b * 8000 / n;
      above -= hypot (re, im) * omega * atan2 (im, re);
      below += hypot (re, im) * omega * omega;
    }
  g_assert_cmpfloat_with_epsilon (whole / 8000.0 + above / below, expected, 1e-7);
}

static const Motion tones[] = {
  { "line:33,0.75", "tone,70,6.0206,937.5", 70, 0, 0, INFINITY },
  { "line:33,0.75", "tone,70,6.0206,937.5,range=40", 70, 0, 0, 40 },
  { "line:33,0.75", "tone,10,6.0206,937.5,rate=240", 10, 240, 0, INFINITY },
  { "line:33,0.75,77", "tone,170,6.0206,937.5,rate=-400,range=20", 170, -400, 0, 20 },
};

static void
test_tone (gconstpointer data)
{
  const Motion *m = data;
  g_autoptr (EsParams) params = scene_params ("array", m->array, "sources", m->source, "ambient", "-200", "type",
                                              "float32",
                                              "seconds", "2.03", "rate", "4000", "sound-speed", "1480", NULL);
  g_autoptr (EsRecording) recording = simulate ("tone.w64", params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 1, 1480);
  gsize frames;
  g_autofree double *units = read_units (recording, &frames);
  const double *reference = units + es_array_get_reference (array) * frames;
  double s = 0, c = 0;

  g_assert_cmpfloat (es_array_get_sound_speed (array), ==, 1480);
  /* The reference hears 937.5 Hz without delay: 15 turns in 64 samples. */
  for (gsize i = 0; i < 64 * 64; i++)
    {
      s += reference[i] * sin (2 * G_PI * 937.5 * i / 4000) / 2048;
      c += reference[i] * cos (2 * G_PI * 937.5 * i / 4000) / 2048;
    }
  /* 6.02 dB of mean square are an amplitude of 2 sqrt (2). */
  g_assert_cmpfloat_with_epsilon (hypot (s, c), 2 * G_SQRT2, 1e-4);
  for (guint k = 0; k < es_array_get_n_elements (array); k++)
    for (gsize i = 0; i < frames; i++)
      {
        const double late = es_test_sonar_delay (sonar, place_at (array, m, i / 4000.0), k);
        const double angle = 2 * G_PI * 937.5 * (i / 4000.0 - late);
        /* 1e-6 s would be 1.7e-2. */
        g_assert_cmpfloat_with_epsilon (units[k * frames + i], s * sin (angle) + c * cos (angle), 4e-4);
      }
}

/* Harmonics share the level; late in a long recording a tone is still what it was. */
static void
test_harmonics (void)
{
  g_autoptr (EsParams) params = scene_params ("array", "line:2,1", "sources", "tone,90,0,125,harmonics=4", "ambient",
                                              "-200", "type", "float32", "seconds", "64", "rate", "2000", NULL);
  g_autoptr (EsRecording) recording = simulate ("harmonics.wav", params);
  gsize frames;
  g_autofree double *units = read_units (recording, &frames);

  g_assert_cmpfloat_with_epsilon (mean_square (units, frames), 1, 1e-4);
  for (guint h = 1; h <= 4; h++)
    {
      double phase[2];
      for (guint end = 0; end < 2; end++)
        {
          const gsize first = end * (frames - 2000);
          double s = 0, c = 0;
          for (gsize i = first; i < first + 2000; i++)
            {
              s += units[i] * sin (2 * G_PI * fmod (125.0 * h * i / 2000, 1)) / 1000;
              c += units[i] * cos (2 * G_PI * fmod (125.0 * h * i / 2000, 1)) / 1000;
            }
          g_assert_cmpfloat_with_epsilon (hypot (s, c), sqrt (2 / 4.0), 1e-4);
          phase[end] = atan2 (c, s);
        }
      g_assert_cmpfloat_with_epsilon (phase[0], phase[1], 1e-4);
    }
}

/* ---- levels ---- */

/* Mean square within low .. high Hz of n samples (a power of two). */
static double
band_power (const double *values, gsize n, double rate, double low, double high)
{
  g_autofree double *spectrum = g_new0 (double, 2 * n);
  double sum = 0, weights = 0;

  for (gsize i = 0; i < n; i++)
    {
      const double weight = 0.5 - 0.5 * cos (2 * G_PI * i / n);
      spectrum[2 * i] = values[i] * weight;
      weights += weight * weight;
    }
  es_test_transform (spectrum, n, -1);
  for (gsize b = 1; b < n / 2; b++)
    if (b * rate / n >= low && b * rate / n < high)
      sum += spectrum[2 * b] * spectrum[2 * b] + spectrum[2 * b + 1] * spectrum[2 * b + 1];
  return 2 * sum / (n * weights);
}

/* Sources of their own add up as powers, copies as pressures: at the reference all paths arrive at once. */
static void
test_copies (void)
{
  static const struct { const char *sources; double level; } cases[] = {
    { "noise,40,0,500:1000;noise,120,0,500:1000", 3.01 },
    { "noise,40,0,500:1000;noise,120,0,500:1000,copy=1", 6.02 },
    { "noise,40,0,500:1000;noise,120,0,500:1000,copy=1;noise,80,0,500:1000,copy=2", 9.54 },
    { "tone,40,0,500;tone,120,-6.0206,500,copy=1", 3.52 },
    { "propeller,40,0,500:1000;propeller,90,0,500:1000,copy=1", 6.02 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = scene_params ("array", "line:1,1", "sources", cases[i].sources, "ambient", "-200",
                                                  "seconds", "32", NULL);
      g_autoptr (EsRecording) recording = simulate ("copies.wav", params);
      g_autoptr (GError) error = NULL;
      gsize frames;
      g_autofree double *units = read_units (recording, &frames);
      g_autofree float *stored = g_new (float, frames);

      g_assert_cmpfloat_with_epsilon (10 * log10 (mean_square (units, frames)), cases[i].level, 0.15);
      g_assert_true (es_recording_read (recording, 0, frames, 0, 1, stored, &error));
      for (gsize k = 0; k < frames; k++)
        g_assert_cmpfloat (fabsf (stored[k]), <, 0.99);
    }
}

static void
test_levels (void)
{
  g_autoptr (EsParams) loud = scene_params ("array", "line:2,1.5", "sources", "noise,40,20,500:1000", "ambient", "-200",
                                            "seconds", "64", NULL);
  g_autoptr (EsRecording) recording = simulate ("levels.wav", loud);
  gsize frames;
  g_autofree double *units = read_units (recording, &frames);
  g_autofree float *stored = g_new (float, frames * 2);
  g_autoptr (GError) error = NULL;
  float largest = 0;

  g_assert_cmpfloat_with_epsilon (10 * log10 (mean_square (units, frames)), 20, 0.1);
  g_assert_cmpfloat_with_epsilon (10 * log10 (band_power (units, 1 << 18, 8000, 495, 1005)), 20, 0.1);
  g_assert_cmpfloat (10 * log10 (band_power (units, 1 << 18, 8000, 0, 490)), <, -40);
  g_assert_cmpfloat (10 * log10 (band_power (units, 1 << 18, 8000, 1010, 4000)), <, -40);

  /* Integers use their range and are not clipped. */
  g_assert_true (es_recording_read (recording, 0, frames, 0, 2, stored, &error));
  for (gsize i = 0; i < frames * 2; i++)
    largest = MAX (largest, fabsf (stored[i]));
  g_assert_cmpfloat (largest, <, 0.95);
  g_assert_cmpfloat (largest, >, 0.4);

  /* A propeller has the level that was asked for, and its power rises and falls with shaft and blades. */
  g_autoptr (EsParams) propeller = scene_params ("array", "line:1,1", "sources",
                                                 "propeller,40,-10,1000:3000,shaft=2,blades=5", "ambient", "-200",
                                                 "seconds", "64", "type", "float32", NULL);
  g_autoptr (EsRecording) turning = simulate ("propeller.wav", propeller);
  g_autofree double *turned = read_units (turning, &frames);
  g_assert_cmpfloat_with_epsilon (10 * log10 (mean_square (turned, frames)), -10, 0.2);
  double lines[4] = { 0 };
  static const double frequencies[] = { 2, 10, 20, 7 };
  for (guint f = 0; f < 4; f++)
    {
      double s = 0, c = 0;
      for (gsize i = 0; i < 8000 * 64; i++)
        {
          s += turned[i] * turned[i] * sin (2 * G_PI * frequencies[f] * i / 8000);
          c += turned[i] * turned[i] * cos (2 * G_PI * frequencies[f] * i / 8000);
        }
      lines[f] = hypot (s, c) / (4000 * 64) / mean_square (turned, frames);
    }
  g_assert_cmpfloat (lines[0], >, 0.2);
  g_assert_cmpfloat (lines[1], >, 0.5);
  g_assert_cmpfloat (lines[2], >, 0.2);
  g_assert_cmpfloat (lines[3], <, 0.02);
}

static void
test_ambient (void)
{
  g_autoptr (EsParams) white = scene_params ("array", "line:3,1.5", "sources", "none", "ambient", "-6", "seconds", "66",
                                             NULL);
  g_autoptr (EsParams) sea = scene_params ("array", "line:3,1.5", "sources", "none", "ambient", "3", "ambient-spectrum",
                                           "sea", "seconds", "66", "type", "float32", NULL);
  g_autoptr (EsRecording) flat = simulate ("white.wav", white), sloping = simulate ("sea.wav", sea);
  gsize frames;
  g_autofree double *a = read_units (flat, &frames), *b = read_units (sloping, &frames);

  for (guint which = 0; which < 2; which++)
    {
      const double *units = which == 0 ? a : b, level = which == 0 ? -6 : 3;
      for (guint k = 0; k < 3; k++)
        {
          double product = 0;
          g_assert_cmpfloat_with_epsilon (10 * log10 (mean_square (units + k * frames, frames)), level, 0.2);
          for (gsize i = 0; i < frames; i++)
            product += units[k * frames + i] * units[(k + 1) % 3 * frames + i];
          g_assert_cmpfloat (fabs (product / frames), <, 0.02 * pow (10, level / 10));
        }
    }

  /* White: as much in every hertz; the sea: 5 dB less of it an octave, the octave being twice as wide. */
  for (double low = 62.5; low <= 1000; low *= 2)
    {
      const double octaves[2] = { 10 * log10 (band_power (a, 1 << 19, 8000, 2 * low, 4 * low)
                                              / band_power (a, 1 << 19, 8000, low, 2 * low)),
                                  10 * log10 (band_power (b, 1 << 19, 8000, 2 * low, 4 * low)
                                              / band_power (b, 1 << 19, 8000, low, 2 * low)) };
      g_assert_cmpfloat_with_epsilon (octaves[0], 3.01, 0.25);
      g_assert_cmpfloat_with_epsilon (octaves[1], 3.01 - 5, 0.25);
    }
}

/* ---- files ---- */

static void
test_formats (void)
{
  static const struct { const char *name, *format; } files[] = {
    { "f.wav", "wav" }, { "f.w64", "auto" }, { "f.rf64", "auto" }, { "f.h5", "auto" }, { "f.sio", "auto" },
    { "f.raw", "auto" },
  };
  static const char *const types[] = { "int16", "float32" };

  for (guint t = 0; t < 2; t++)
    {
      g_autofree double *first = NULL;
      for (guint i = 0; i < G_N_ELEMENTS (files); i++)
        {
          g_autoptr (EsParams) params = scene_params ("array", "line:5,1.5", "seconds", "1.2345", "format",
                                                      files[i].format, "type", types[t], NULL);
          g_autoptr (GFile) file = file_named (files[i].name);
          g_autoptr (GError) error = NULL;
          EsOpenOptions options = { 0 };
          gsize frames;

          g_assert_true (es_simulate_recording (file, params, NULL, NULL, NULL, &error));
          g_assert_no_error (error);
          if (g_str_has_suffix (files[i].name, "sio") || g_str_has_suffix (files[i].name, "raw"))
            options.samples.rate = 8000;
          if (g_str_has_suffix (files[i].name, "raw"))
            {
              options.samples.channels = 5;
              options.samples.type = types[t];
            }
          g_autoptr (EsRecording) recording = open_recording (file, &options);
          g_assert_cmpfloat (es_recording_get_rate (recording), ==, 8000);
          g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 5);
          g_assert_cmpstr (es_recording_get_type_name (recording), ==, types[t]);
          g_autofree double *units = read_units (recording, &frames);
          g_assert_cmpuint (frames, ==, 9876);
          if (i == 0)
            {
              first = g_steal_pointer (&units);
              continue;
            }
          for (gsize j = 0; j < frames * 5; j++)
            g_assert_cmpfloat_with_epsilon (units[j], first[j], 1e-6);
        }
    }
}

/* Integers times the gains are the floats, to half a step. */
static void
test_integers (void)
{
  g_autoptr (EsParams) a = scene_params ("array", "line:7,1.5", "seconds", "1", NULL);
  g_autoptr (EsParams) b = scene_params ("array", "line:7,1.5", "seconds", "1", "type", "float32", NULL);
  g_autoptr (EsRecording) integers = simulate ("a.wav", a), floats = simulate ("b.wav", b);
  g_autoptr (EsArray) array = es_recording_get_array (integers);
  const double step = es_array_get_elements (array)[0].gain / 32768;
  gsize frames;
  g_autofree double *rounded = read_units (integers, &frames), *exact = read_units (floats, &frames);

  for (gsize i = 0; i < frames * 7; i++)
    g_assert_cmpfloat (fabs (rounded[i] - exact[i]), <=, 0.5001 * step + 1e-6);
}

/* An array's own gains, channels and dead elements are as they were told. */
static void
test_array_file (void)
{
  g_autoptr (GFile) csv = file_named ("array.csv");
  g_autofree char *path = g_file_get_path (csv);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path,
                                      "x,y,z,channel,gain,dead\n0,0,0,4,2,\n1,2,0,1,-0.5,\n3,1,1,2,1,yes\n2,3,4,0,1,\n",
                                      -1, &error));
  g_autoptr (EsParams) params = scene_params ("array", path, "sources", "tone,35,0,50,elevation=20", "ambient", "-200",
                                              "seconds", "1", NULL);
  g_autoptr (EsRecording) recording = simulate ("array.wav", params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  gsize frames;
  g_autofree double *units = read_units (recording, &frames);

  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 5);
  g_assert_cmpuint (es_array_get_n_alive (array), ==, 3);
  g_assert_cmpfloat_with_epsilon (es_array_get_elements (array)[0].gain / es_array_get_elements (array)[1].gain, -4,
                                  1e-9);
  g_assert_cmpfloat_with_epsilon (mean_square (units + 4 * frames, frames), 1, 1e-3);
  g_assert_cmpfloat_with_epsilon (mean_square (units + 1 * frames, frames), 1, 1e-3);
  g_assert_cmpfloat_with_epsilon (mean_square (units + 0 * frames, frames), 1, 1e-3);
  g_assert_cmpfloat (mean_square (units + 2 * frames, frames), ==, 0);

  /* Out of a line's world: azimuth and elevation. The reference is element 1, channel 1. */
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 1, 1500);
  const EsTestPlace place = es_test_place_direction (35, 20);
  double phases[2];
  for (guint k = 0; k < 2; k++)
    {
      const guint channel = k == 0 ? 1 : 0;
      double s = 0, c = 0;
      for (gsize i = 0; i < frames; i++)
        {
          s += units[channel * frames + i] * sin (2 * G_PI * 50 * i / 8000);
          c += units[channel * frames + i] * cos (2 * G_PI * 50 * i / 8000);
        }
      phases[k] = atan2 (c, s);
    }
  const double late = remainder ((phases[0] - phases[1]) / (2 * G_PI), 1) / 50;
  g_assert_cmpfloat_with_epsilon (late, es_test_sonar_delay (sonar, place, 3), 1e-6);
}

static void
test_truth (void)
{
  g_autoptr (EsParams) params = scene_params ("array", "line:4,1", "seconds", "2.5", "sources",
                                              "tone,170,-3,60,harmonics=3,rate=600;noise,10,0,100:200,range=50", NULL);
  g_autoptr (EsRecording) recording = simulate ("truth.wav", params);
  g_autofree char *path = g_build_filename (folder, "truth_truth.csv", NULL), *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 1 + 3 + 3 + 1);
  g_assert_true (g_str_has_prefix (lines[0], "source,kind,time_s,bearing_deg,"));
  g_assert_true (g_str_has_prefix (lines[1], "1,tone,0,170,0,inf,-3,60,180,"));
  /* Past the end of a line it comes back on the other side. */
  g_assert_true (g_str_has_prefix (lines[3], "1,tone,2,170,0,inf,"));
  g_assert_true (g_str_has_prefix (lines[2], "1,tone,1,180,0,inf,"));
  g_assert_true (g_str_has_prefix (lines[6], "2,noise,2,10,0,50,0,100,200,"));
}

/* ---- the same bytes ---- */

static void
test_repeatable (void)
{
  g_autoptr (EsParams) params = scene_params ("array", "line:40,1.5", "seconds", "4", "ambient-spectrum", "sea", NULL);
  g_autoptr (EsParams) shorter = scene_params ("array", "line:40,1.5", "seconds", "1.5", "ambient-spectrum", "sea",
                                               NULL);
  g_autoptr (EsParams) other = scene_params ("array", "line:40,1.5", "seconds", "1.5", "ambient-spectrum", "sea",
                                             "seed", "2", NULL);
  cpu_set_t all, one;
  gsize frames, fewer;

  g_autoptr (EsRecording) long_one = simulate ("x.wav", params);
  g_object_unref (simulate ("y.h5", params));
  if (sched_getaffinity (0, sizeof all, &all) == 0)
    {
      guint cpu = 0;
      while (!CPU_ISSET (cpu, &all))
        cpu++;
      CPU_ZERO (&one);
      CPU_SET (cpu, &one);
      g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
      g_object_unref (simulate ("z.wav", params));
      g_object_unref (simulate ("z.h5", params));
      g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
      assert_same_file ("x.wav", "z.wav");
      assert_same_file ("x_truth.csv", "z_truth.csv");
      assert_same_file ("y.h5", "z.h5");
    }

  /* A shorter one is the beginning of a longer one; another seed is another recording. */
  g_autoptr (EsRecording) short_one = simulate ("s.wav", shorter), changed = simulate ("o.wav", other);
  g_autofree double *a = read_units (long_one, &frames), *b = read_units (short_one, &fewer);
  g_autofree double *c = read_units (changed, &fewer);
  for (guint k = 0; k < 40; k++)
    g_assert_cmpmem (a + k * frames, fewer * sizeof (double), b + k * fewer, fewer * sizeof (double));
  g_assert_cmpint (memcmp (b, c, fewer * sizeof (double)), !=, 0);
}

/* ---- what is refused ---- */

static void
test_sources (void)
{
  static const char text[] = "noise,123,0,300:440;tone,60,-10,60,harmonics=5,range=12.5;"
                             "propeller,30,-3,200:1000,shaft=2,blades=5,rate=-4,elevation=7,range=400;"
                             "noise,20,-3,300:440,copy=1";
  static const char *const bad[] = {
    "whale,1,2,3", "noise", "noise,1,2", "noise,1,2,300", "noise,1,2,400:300", "tone,1,2,3:4", "tone,x,2,3",
    "tone,1,x,3", "tone,1,2,0", "tone,1,2,-5", "tone,1,2,nan", "tone,1,2,3,shaft=2", "noise,1,2,3:4,harmonics=2",
    "tone,1,2,3,harmonics=0", "tone,1,2,3,harmonics=1.5", "tone,1,2,3,range=0", "tone,1,2,3,range=near",
    "tone,1,2,3,rate", "tone,1,2,3,=", "tone,1,2,3;tone,4", "noise,361,2,3:4", "propeller,1,2,3:4,blades=0",
    "noise,1,2,3:4,elevation=91", "\xff", "noise,1,2,3:4,copy=1", "noise,1,2,3:4;noise,1,2,3:4,copy=2",
    "noise,1,2,3:4;noise,1,2,3:5,copy=1", "tone,1,2,3;noise,1,2,3:4,copy=1", "tone,1,2,3;tone,1,2,3,copy=0.5",
  };
  g_autoptr (GArray) sources = NULL, again = NULL, nothing = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_true (es_sources_parse (text, &sources, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (sources->len, ==, 4);
  g_assert_cmpuint (g_array_index (sources, EsSource, 3).copy, ==, 1);
  const EsSource *s = (const EsSource *) sources->data;
  g_assert_cmpint (s[2].kind, ==, ES_SOURCE_PROPELLER);
  g_assert_cmpfloat (s[2].bearing_rate, ==, -4);
  g_assert_cmpfloat (s[1].range, ==, 12.5);
  g_assert_true (isinf (s[0].range));
  g_autofree char *written = es_sources_to_text (sources);
  g_assert_true (es_sources_parse (written, &again, &error));
  for (guint i = 0; i < 4; i++)
    g_assert_cmpmem (&s[i], sizeof *s, &g_array_index (again, EsSource, i), sizeof *s);
  g_assert_true (es_sources_parse (" none ;; ", &nothing, &error));
  g_assert_cmpuint (nothing->len, ==, 0);
  g_autofree char *none = es_sources_to_text (nothing);
  g_assert_cmpstr (none, ==, "none");

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GArray) array = NULL;
      g_assert_false (es_sources_parse (bad[i], &array, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      /* A range says between which it has to be. */
      g_assert_cmpint (strstr (bad[i], "range=") != NULL, ==, strstr (error->message, "from 0.001 to") != NULL);
      g_clear_error (&error);
    }
}

static void
assert_refused (EsParams *params, const char *name, GQuark domain, int code, const char *word)
{
  g_autoptr (GFile) file = file_named (name);
  g_autoptr (GError) error = NULL;

  g_assert_false (es_simulate_recording (file, params, NULL, NULL, NULL, &error));
  g_assert_error (error, domain, code);
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” does not say “%s”", error->message, word);
  g_assert_false (g_file_query_exists (file, NULL));
}

static void
cancel (double fraction, gpointer data)
{
  g_cancellable_cancel (data);
}

static guint
count_files (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static void
test_refused (void)
{
  const guint before = count_files ();
  g_autoptr (EsParams) high = scene_params ("rate", "800", NULL);
  g_autoptr (EsParams) many = scene_params ("array", "line:1025,1.5", "seconds", "0.1", NULL);
  g_autoptr (EsParams) most = scene_params ("array", "line:65537,1.5", "seconds", "0.1", NULL);
  g_autoptr (EsParams) missing = scene_params ("array", "/nowhere/array.csv", NULL);
  g_autoptr (EsParams) slow = scene_params ("sound-speed", "3", NULL);
  g_autoptr (EsParams) fine = scene_params ("seconds", "30", NULL);
  g_autoptr (EsParams) brief = scene_params ("seconds", "0.001", "rate", "10", "sources", "none", NULL);

  assert_refused (high, "no.wav", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "Source 1");
  assert_refused (many, "no.wav", ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED, "1024");
  assert_refused (most, "no.h5", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "65,536");
  assert_refused (missing, "no.wav", ES_DATA_ERROR, ES_DATA_ERROR_OPEN, "array.csv");
  assert_refused (slow, "no.wav", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "sound-speed");
  assert_refused (fine, "no/where.wav", ES_DATA_ERROR, ES_DATA_ERROR_WRITE, "where.wav");
  assert_refused (brief, "no.wav", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "no sample");

  static const char *const names[] = { "cancel.wav", "cancel.h5", "cancel.sio" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GFile) file = file_named (names[i]);
      g_autoptr (GError) error = NULL;
      g_assert_false (es_simulate_recording (file, fine, cancel, cancellable, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
  g_assert_cmpuint (count_files (), ==, before);

  g_autoptr (EsParams) params = es_params_new (es_simulate_recording_params);
  g_autoptr (GError) error = NULL;
  g_assert_false (es_params_parse (params, "sources", "whale,3", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);
  g_assert_false (es_params_parse (params, "array", "line:0,2", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_true (es_params_is_default (params));
}

/* More channels than a sound file has, and a long way from end to end. */
static void
test_large (void)
{
  g_autoptr (EsParams) params = scene_params ("array", "line:4096,1.5", "seconds", "0.5", "rate", "2000", "sources",
                                              "noise,30,0,100:900", "ambient", "-200", "type", "float32", NULL);
  g_autoptr (EsRecording) recording = simulate ("large.h5", params);
  gsize frames;
  g_autofree double *units = read_units (recording, &frames);

  g_assert_cmpuint (es_recording_get_n_channels (recording), ==, 4096);
  for (guint k = 0; k < 4096; k += 455)
    g_assert_cmpfloat_with_epsilon (10 * log10 (mean_square (units + k * frames, frames)), 0, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("eigenscope-simulate-XXXXXX", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (motions); i++)
    {
      g_autofree char *path = g_strdup_printf ("/simulate-recording/broadband/%u", i);
      g_test_add_data_func (path, &motions[i], test_broadband);
    }
  for (guint i = 0; i < G_N_ELEMENTS (tones); i++)
    {
      g_autofree char *path = g_strdup_printf ("/simulate-recording/tone/%u", i);
      g_test_add_data_func (path, &tones[i], test_tone);
    }
  g_test_add_func ("/simulate-recording/correlation", test_correlation);
  g_test_add_func ("/simulate-recording/harmonics", test_harmonics);
  g_test_add_func ("/simulate-recording/copies", test_copies);
  g_test_add_func ("/simulate-recording/levels", test_levels);
  g_test_add_func ("/simulate-recording/ambient", test_ambient);
  g_test_add_func ("/simulate-recording/formats", test_formats);
  g_test_add_func ("/simulate-recording/integers", test_integers);
  g_test_add_func ("/simulate-recording/array-file", test_array_file);
  g_test_add_func ("/simulate-recording/truth", test_truth);
  g_test_add_func ("/simulate-recording/repeatable", test_repeatable);
  g_test_add_func ("/simulate-recording/sources", test_sources);
  g_test_add_func ("/simulate-recording/refused", test_refused);
  g_test_add_func ("/simulate-recording/large", test_large);
  int status = g_test_run ();

  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL; )
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_unlink (path);
    }
  g_rmdir (folder);
  g_free (folder);
  return status;
}
