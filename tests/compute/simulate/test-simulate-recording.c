/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Simulated recordings against delays, levels and spectra in float64. */

#include "es-test-sonar.h"

#include <math.h>
#include "es-test-simulated.h"

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
  g_autoptr (EsParams) params = es_test_scene_params ("array", m->array, "sources", m->source, "ambient", "-200",
                                                      "type",
                                                      "float32", "seconds", "3.3", NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("delay.wav", params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 1, 1500);
  gsize frames;
  g_autofree double *units = es_test_read_units (recording, &frames);
  const double *reference = units + (es_array_get_n_elements (array) - 1) / 2 * frames;
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
  g_autoptr (EsParams) params = es_test_scene_params ("array", "line:64,1.5", "sources", "noise,20,0,50:3900",
                                                      "ambient",
                                                      "-200", "type", "float32", "seconds", "5", NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("correlation.wav", params);
  gsize frames;
  g_autofree double *units = es_test_read_units (recording, &frames);
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
  g_autoptr (EsParams) params = es_test_scene_params ("array", m->array, "sources", m->source, "ambient", "-200",
                                                      "type",
                                                      "float32",
                                                      "seconds", "2.03", "rate", "4000", "sound-speed", "1480", NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("tone.w64", params);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 1, 1480);
  gsize frames;
  g_autofree double *units = es_test_read_units (recording, &frames);
  const double *reference = units + (es_array_get_n_elements (array) - 1) / 2 * frames;
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
  g_autoptr (EsParams) params = es_test_scene_params ("array", "line:2,1", "sources", "tone,90,0,125,harmonics=4",
                                                      "ambient",
                                                      "-200", "type", "float32", "seconds", "64", "rate", "2000", NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("harmonics.wav", params);
  gsize frames;
  g_autofree double *units = es_test_read_units (recording, &frames);

  g_assert_cmpfloat_with_epsilon (es_test_mean_square (units, frames), 1, 1e-4);
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
      g_autoptr (EsParams) params = es_test_scene_params ("array", "line:1,1", "sources", cases[i].sources, "ambient",
                                                          "-200",
                                                          "seconds", "32", NULL);
      g_autoptr (EsRecording) recording = es_test_simulate ("copies.wav", params);
      g_autoptr (GError) error = NULL;
      gsize frames;
      g_autofree double *units = es_test_read_units (recording, &frames);
      g_autofree float *stored = g_new (float, frames);

      g_assert_cmpfloat_with_epsilon (10 * log10 (es_test_mean_square (units, frames)), cases[i].level, 0.15);
      g_assert_true (es_recording_read (recording, 0, frames, 0, 1, stored, &error));
      for (gsize k = 0; k < frames; k++)
        g_assert_cmpfloat (fabsf (stored[k]), <, 0.99);
    }
}

static void
test_levels (void)
{
  g_autoptr (EsParams) loud = es_test_scene_params ("array", "line:2,1.5", "sources", "noise,40,20,500:1000",
                                                    "ambient", "-200",
                                                    "seconds", "64", NULL);
  g_autoptr (EsRecording) recording = es_test_simulate ("levels.wav", loud);
  gsize frames;
  g_autofree double *units = es_test_read_units (recording, &frames);
  g_autofree float *stored = g_new (float, frames * 2);
  g_autoptr (GError) error = NULL;
  float largest = 0;

  g_assert_cmpfloat_with_epsilon (10 * log10 (es_test_mean_square (units, frames)), 20, 0.1);
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
  g_autoptr (EsParams) propeller = es_test_scene_params ("array", "line:1,1", "sources",
                                                         "propeller,40,-10,1000:3000,shaft=2,blades=5", "ambient",
                                                         "-200", "seconds", "64", "type", "float32", NULL);
  g_autoptr (EsRecording) turning = es_test_simulate ("propeller.wav", propeller);
  g_autofree double *turned = es_test_read_units (turning, &frames);
  g_assert_cmpfloat_with_epsilon (10 * log10 (es_test_mean_square (turned, frames)), -10, 0.2);
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
      lines[f] = hypot (s, c) / (4000 * 64) / es_test_mean_square (turned, frames);
    }
  g_assert_cmpfloat (lines[0], >, 0.2);
  g_assert_cmpfloat (lines[1], >, 0.5);
  g_assert_cmpfloat (lines[2], >, 0.2);
  g_assert_cmpfloat (lines[3], <, 0.02);
}

static void
test_ambient (void)
{
  g_autoptr (EsParams) white = es_test_scene_params ("array", "line:3,1.5", "sources", "none", "ambient", "-6",
                                                     "seconds", "66",
                                                     NULL);
  g_autoptr (EsParams) sea = es_test_scene_params ("array", "line:3,1.5", "sources", "none", "ambient", "3",
                                                   "ambient-spectrum",
                                                   "sea", "seconds", "66", "type", "float32", NULL);
  g_autoptr (EsRecording) flat = es_test_simulate ("white.wav", white), sloping = es_test_simulate ("sea.wav", sea);
  gsize frames;
  g_autofree double *a = es_test_read_units (flat, &frames), *b = es_test_read_units (sloping, &frames);

  for (guint which = 0; which < 2; which++)
    {
      const double *units = which == 0 ? a : b, level = which == 0 ? -6 : 3;
      for (guint k = 0; k < 3; k++)
        {
          double product = 0;
          g_assert_cmpfloat_with_epsilon (10 * log10 (es_test_mean_square (units + k * frames, frames)), level, 0.2);
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  es_test_simulated_folder = g_dir_make_tmp ("eigenscope-simulate-XXXXXX", NULL);
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
  int status = g_test_run ();

  es_test_remove_folder (es_test_simulated_folder);
  return status;
}
