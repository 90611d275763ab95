/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-sonar.h"

#include <math.h>
#include <string.h>

#include "beam/es-beam-geometry-internal.h"

/* ---- helpers ---- */

static EsRecording *
silence (guint channels, double rate, gsize frames)
{
  g_autoptr (GError) error = NULL;
  gint16 *data = g_new0 (gint16, channels * frames);
  EsRecording *recording = es_recording_new_in_memory (data, ESK_I16, channels, rate, frames, FALSE, data, g_free,
                                                       &error);

  g_assert_no_error (error);
  return recording;
}

static EsBeamSettings *
settings_of (EsParams *params, const char *array_text, double rate, gsize frames)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_parse (array_text, &error);
  g_autoptr (EsRecording) recording = silence (es_array_get_n_elements (array), rate, frames);
  EsBeamSettings *settings = es_beam_settings_new (params, recording, array, &error);

  g_assert_no_error (error);
  g_assert_nonnull (settings);
  return settings;
}

static EsParams *
params_of (const char *first, ...)
{
  EsParams *params = es_params_new (es_beam_params);
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

/* ---- texts ---- */

static void
test_band (void)
{
  static const char *const bad[] = { "", "320", "320:", ":480", "480:320", "320:320", "-1:5", "a:b", "1:2:3", "nan:480",
                                     "0:inf", "0x10:0x20", "320:480x", "0:1e10" };
  g_autoptr (GError) error = NULL;
  double low, high;

  g_assert_true (es_parse_band ("320:480", &low, &high, &error));
  g_assert_cmpfloat (low, ==, 320);
  g_assert_cmpfloat (high, ==, 480);
  g_assert_true (es_parse_band (" 0.5 : 1e3 Hz", &low, &high, &error));
  g_assert_cmpfloat (high, ==, 1000);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (es_parse_band (bad[i], &low, &high, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_null (strchr (error->message, '\n'));
      g_clear_error (&error);
    }
}

static void
test_angles (void)
{
  static const char *const bad[] = { "", ",", "10:169", "10:169:0", "169:10:1", "0:1e9:1", "a", "10,,20", "361",
                                     "0:0.001:1e-9", "nan", "10:20:1:1", "-400:0:1" };
  g_autoptr (GError) error = NULL;
  double *angles;
  guint n;

  g_assert_true (es_parse_angles ("10:169:1", &angles, &n, &error));
  g_assert_cmpuint (n, ==, 160);
  g_assert_cmpfloat (angles[0], ==, 10);
  g_assert_cmpfloat (angles[159], ==, 169);
  g_free (angles);
  g_assert_true (es_parse_angles ("0:180:0.1", &angles, &n, &error));
  g_assert_cmpuint (n, ==, 1801);
  g_assert_cmpfloat (angles[3], ==, 0.3);
  g_assert_cmpfloat (angles[1800], ==, 180);
  g_free (angles);
  g_assert_true (es_parse_angles ("90, 20 , 100:80:-10,5°", &angles, &n, &error));
  g_assert_cmpuint (n, ==, 6);
  g_assert_cmpfloat (angles[2], ==, 100);
  g_assert_cmpfloat (angles[4], ==, 80);
  g_assert_cmpfloat (angles[5], ==, 5);
  g_free (angles);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (es_parse_angles (bad[i], &angles, &n, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_clear_error (&error);
    }
}

static void
test_ranges (void)
{
  static const char *const bad[] = { "", "0", "-5", "near", "50,50", "far,far", "50,,100", "inf", "nan",
                                     "1:1000000:0.1" };
  g_autoptr (GError) error = NULL;
  double *ranges;
  guint n;

  g_assert_true (es_parse_ranges ("far,50,100,200,400,800,1600,3200", &ranges, &n, &error));
  g_assert_cmpuint (n, ==, 8);
  g_assert_true (isinf (ranges[0]));
  g_assert_cmpfloat (ranges[7], ==, 3200);
  g_free (ranges);
  g_assert_true (es_parse_ranges ("100:300:100, FAR ,12.5 m", &ranges, &n, &error));
  g_assert_cmpuint (n, ==, 5);
  g_assert_cmpfloat (ranges[2], ==, 300);
  g_assert_cmpfloat (ranges[4], ==, 12.5);
  g_free (ranges);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (es_parse_ranges (bad[i], &ranges, &n, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_clear_error (&error);
    }
}

static void
test_block (void)
{
  static const char *const bad[] = { "", "s", "0", "0s", "-1s", "1m", "1.5", "1", "1e9", "1e9s", "nans", "1 hour" };
  g_autoptr (GError) error = NULL;
  guint samples;

  g_assert_true (es_parse_block ("1s", 8000, &samples, &error));
  g_assert_cmpuint (samples, ==, 8000);
  g_assert_true (es_parse_block (" 500 ms ", 44100, &samples, &error));
  g_assert_cmpuint (samples, ==, 22050);
  g_assert_true (es_parse_block ("8192", 44100, &samples, &error));
  g_assert_cmpuint (samples, ==, 8192);
  g_assert_true (es_parse_block ("0.5s", 11025, &samples, &error));
  g_assert_cmpuint (samples, ==, 5512);
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_assert_false (es_parse_block (bad[i], 8000, &samples, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_clear_error (&error);
    }
}

/* ---- settings ---- */

/* 8 kHz, as published: 160 angles, 8 rows, transforms of 8,192, bins 327 to 492, LOFAR below them. */
static void
test_published (void)
{
  g_autoptr (EsParams) params = params_of (NULL, NULL);
  g_autoptr (EsParams) told = params_of ("band", "320:480", "lofar-band", "33.3:318", NULL);
  g_autoptr (EsBeamSettings) s = settings_of (params, "line:8,1.5", 8000, 16000);
  g_autoptr (EsBeamSettings) t = settings_of (told, "line:8,9", 8000, 8000);

  g_assert_cmpuint (s->block, ==, 8000);
  g_assert_cmpuint (s->window_length, ==, 8000);
  g_assert_cmpuint (s->snapshots, ==, 1);
  g_assert_cmpuint (s->length, ==, 8192);
  g_assert_cmpuint (s->cbf_first, ==, 327);
  g_assert_cmpuint (s->cbf_bins, ==, 166);
  g_assert_cmpuint (s->lofar_first, ==, 32);
  g_assert_cmpuint (s->lofar_first + s->lofar_bins, ==, 327);
  g_assert_cmpuint (s->first_bin, ==, 32);
  g_assert_cmpuint (s->first_bin + s->n_bins, ==, 493);
  g_assert_cmpuint (s->n_angles, ==, 160);
  g_assert_cmpuint (s->n_ranges, ==, 8);
  g_assert_cmpuint (es_beam_settings_find_far (s), ==, 0);
  g_assert_cmpfloat (s->sound_speed, ==, 1500);
  g_assert_cmpfloat (es_beam_settings_get_frequency (s, 327), ==, 327 * 8000.0 / 8192);
  g_assert_cmpint (s->window, ==, ES_WINDOW_RECTANGULAR);
  g_assert_cmpint (s->shading, ==, ES_SHADING_NONE);
  g_assert_false (s->remove_diagonal);
  g_assert_cmpuint (s->library, ==, ESK_DFT_AUTO);
  g_autofree char *far = es_beam_settings_name_range (s, 0), *near = es_beam_settings_name_range (s, 1);
  g_assert_cmpstr (far, ==, "far");
  g_assert_cmpstr (near, ==, "perpendicular distance 50 m");

  g_assert_cmpuint (t->cbf_first, ==, 327);
  g_assert_cmpuint (t->lofar_first, ==, 34);
  g_assert_cmpuint (t->lofar_bins, ==, 293);

  /* The transform's length over the published rates. */
  static const guint lengths[][2] = { { 2000, 2048 }, { 4000, 4096 }, { 6000, 8192 }, { 10000, 16384 },
                                      { 16000, 16384 }, { 18000, 32768 }, { 20000, 32768 }, { 1024, 1024 } };
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autoptr (EsBeamSettings) other = settings_of (params, "line:2,1.5", lengths[i][0], lengths[i][0]);
      g_assert_cmpuint (other->length, ==, lengths[i][1]);
    }
}

static void
test_automatic (void)
{
  g_autoptr (EsParams) params = params_of (NULL, NULL), fast = params_of ("sound-speed", "3000", NULL);
  /* 184 elements at 2.5 m: 192 to 288 Hz; a low rate: what half of it allows; one element has no spacing. */
  g_autoptr (EsBeamSettings) wide = settings_of (params, "line:4,2.5", 20000, 20000);
  g_autoptr (EsBeamSettings) low = settings_of (params, "line:4,1.5", 500, 500);
  g_autoptr (EsBeamSettings) one = settings_of (params, "line:1,1.5", 1000, 1000);
  g_autoptr (EsBeamSettings) hot = settings_of (fast, "line:4,1.5", 8192, 8192);

  g_assert_cmpuint (wide->cbf_first, ==, (guint) floor (192 * 32768 / 20000.0));
  g_assert_cmpuint (wide->cbf_first + wide->cbf_bins - 1, ==, (guint) ceil (288 * 32768 / 20000.0));
  g_assert_cmpfloat (es_beam_settings_get_frequency (low, low->cbf_first + low->cbf_bins - 1), <=, 250);
  g_assert_cmpuint (low->cbf_bins, >, 50);
  g_assert_cmpuint (one->cbf_bins, >, 50);
  g_assert_cmpuint (hot->cbf_first, ==, 640);
  g_assert_cmpuint (hot->cbf_bins, ==, 321);

  /* What is not a line looks all round, at slant ranges. */
  g_autoptr (GError) error = NULL;
  const EsElement e[] = { { .gain = 1 }, { .x = 1, .channel = 1, .gain = 1 }, { .y = 1, .channel = 2, .gain = 1 } };
  g_autoptr (EsArray) corner = es_array_new (e, 3, &error);
  g_autoptr (EsRecording) recording = silence (3, 8000, 8000);
  g_autoptr (EsBeamSettings) round = es_beam_settings_new (params, recording, corner, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (round->n_angles, ==, 360);
  g_assert_cmpfloat (round->angles[0], ==, -180);
  g_assert_cmpint (round->range_kind, ==, ES_RANGE_SLANT);
  g_autofree char *name = es_beam_settings_name_range (round, 2);
  g_assert_cmpstr (name, ==, "slant range 100 m");

  /* Nothing lies below a band that begins at 0. */
  g_autoptr (EsParams) lowest = params_of ("band", "0:100", NULL);
  g_autoptr (EsBeamSettings) bottom = settings_of (lowest, "line:4,1.5", 8000, 8000);
  g_assert_cmpuint (bottom->cbf_first, ==, 0);
  g_assert_cmpuint (bottom->lofar_bins, ==, bottom->cbf_bins);
  g_assert_cmpuint (bottom->n_bins, ==, bottom->cbf_bins);
  /* Up to half of the rate is possible. */
  g_autoptr (EsParams) highest = params_of ("band", "3000:4000", "lofar-band", "10:20", NULL);
  g_autoptr (EsBeamSettings) top = settings_of (highest, "line:4,1.5", 8000, 8000);
  g_assert_cmpuint (top->cbf_first + top->cbf_bins, ==, 4097);
  g_assert_cmpuint (top->first_bin, ==, 10);
  g_assert_cmpuint (top->first_bin + top->n_bins, ==, 4097);
}

static void
test_snapshots (void)
{
  for (guint k = 1; k <= 40; k += 3)
    for (guint overlap = 0; overlap <= 95; overlap += 19)
      {
        g_autofree char *snapshots = g_strdup_printf ("%u", k), *percent = g_strdup_printf ("%u%%", overlap);
        g_autoptr (EsParams) params = params_of ("snapshots", snapshots, "overlap", percent, "window", "hann", NULL);
        g_autoptr (EsBeamSettings) s = settings_of (params, "line:2,1.5", 8000, 8000);

        g_assert_cmpuint (s->snapshots, ==, k);
        g_assert_cmpuint (s->hop, >=, 1);
        g_assert_cmpuint ((k - 1) * s->hop + s->window_length, <=, s->block);
        /* Little is left over, and the overlap is what was asked for. */
        g_assert_cmpuint ((k - 1) * s->hop + s->window_length + 2 * k, >=, s->block);
        g_assert_cmpuint (s->length, >=, s->window_length);
        g_assert_cmpuint (s->length / 2, <, s->window_length);
        if (k > 1)
          g_assert_cmpfloat_with_epsilon (1 - (double) s->hop / s->window_length, overlap / 100.0, 0.01);
      }
  g_autoptr (EsParams) params = params_of ("transform", "10000", "block", "1s", NULL);
  g_autoptr (EsBeamSettings) s = settings_of (params, "line:2,1.5", 8000, 8000);
  g_assert_cmpuint (s->length, ==, 10000);

  g_autoptr (EsBeamSettings) copy = es_beam_settings_copy (s);
  g_assert_cmpmem (copy->angles, copy->n_angles * sizeof (double), s->angles, s->n_angles * sizeof (double));
  g_assert_true (copy->angles != s->angles);
}

static void
assert_refused (EsArray *array, guint channels, double rate, gsize frames, GQuark domain, const char *word,
                const char *first, ...)
{
  EsParams *params = es_params_new (es_beam_params);
  g_autoptr (EsRecording) recording = silence (channels, rate, frames);
  g_autoptr (GError) error = NULL;
  va_list list;

  va_start (list, first);
  for (const char *key = first; key != NULL; key = va_arg (list, const char *))
    g_assert_true (es_params_parse (params, key, va_arg (list, const char *), NULL));
  va_end (list);
  g_assert_null (es_beam_settings_new (params, recording, array, &error));
  g_assert_nonnull (error);
  g_assert_true (error->domain == domain);
  g_assert_null (strchr (error->message, '\n'));
  g_assert_true (g_str_has_suffix (error->message, "."));
  if (strstr (error->message, word) == NULL)
    g_error ("“%s” does not say “%s”", error->message, word);
  g_object_unref (params);
}

static void
test_refused (void)
{
  g_autoptr (EsArray) line = es_array_parse ("line:4,1.5", NULL);
  const EsElement dead[] = { { .gain = 1, .dead = TRUE } };
  g_autoptr (EsArray) silent = es_array_new (dead, 1, NULL);
  const GQuark parameter = ES_COMPUTE_ERROR, data = ES_DATA_ERROR;

  assert_refused (line, 4, 8000, 8000, parameter, "4000 Hz", "band", "3900:4001", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "4000 Hz", "lofar-band", "3900:4001", NULL);
  assert_refused (line, 4, 8000, 7999, parameter, "7999 samples", NULL, NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "at most 4000", "snapshots", "5000", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "at least 8000", "transform", "4096", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "even", "transform", "8193", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "190°", "angles", "100:190:45", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "perpendicular", "angles", "0:180:1", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "sound-speed", "sound-speed", "3", NULL);
  assert_refused (line, 3, 8000, 8000, data, "channel 3", NULL, NULL);
  assert_refused (NULL, 4, 8000, 8000, data, "line:4", NULL, NULL);
  assert_refused (silent, 1, 8000, 8000, data, "dead", NULL, NULL);

  /* With slant ranges, or far alone, the ends of a line can be looked at. */
  g_autoptr (EsParams) slant = params_of ("angles", "0:180:1", "range-kind", "slant", NULL);
  g_autoptr (EsBeamSettings) a = settings_of (slant, "line:4,1.5", 8000, 8000);
  g_autoptr (EsParams) far = params_of ("angles", "0:180:1", "ranges", "far", NULL);
  g_autoptr (EsBeamSettings) b = settings_of (far, "line:4,1.5", 8000, 8000);
  g_assert_cmpuint (a->n_angles, ==, 181);
  g_assert_cmpuint (b->n_ranges, ==, 1);

  /* The parameters refuse what cannot be read, before there is a recording. */
  g_autoptr (EsParams) params = es_params_new (es_beam_params);
  static const char *const bad[][2] = { { "band", "480" }, { "lofar-band", "9:1" }, { "angles", "10:1" },
                                        { "ranges", "x" },
                                        { "block", "1h" }, { "window", "triangle" }, { "overlap", "96%" } };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_false (es_params_parse (params, bad[i][0], bad[i][1], &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
    }
  g_assert_true (es_params_is_default (params));
}

/* ---- weights ---- */

static void
test_windows (void)
{
  float w[1024];

  for (EsWindowKind kind = 0; kind < ES_N_WINDOWS; kind++)
    for (guint n = 1; n <= 9; n++)
      {
        es_window_fill (kind, w, n);
        /* Periodic: one more weight would be the first again. */
        for (guint i = 1; i < n; i++)
          g_assert_cmpfloat_with_epsilon (w[i], w[n - i], 1e-6);
      }
  es_window_fill (ES_WINDOW_HANN, w, 1024);
  double sum = 0, squares = 0;
  for (guint i = 0; i < 1024; i++)
    {
      sum += w[i];
      squares += (double) w[i] * w[i];
    }
  g_assert_cmpfloat_with_epsilon (sum / 1024, 0.5, 1e-6);
  g_assert_cmpfloat_with_epsilon (squares / 1024, 0.375, 1e-6);
  g_assert_cmpfloat_with_epsilon (w[512], 1, 1e-6);
  es_window_fill (ES_WINDOW_BLACKMAN, w, 8);
  g_assert_cmpfloat_with_epsilon (w[0], 0, 1e-6);
  g_assert_cmpfloat_with_epsilon (w[2], 0.34, 1e-6);
  es_window_fill (ES_WINDOW_HAMMING, w, 8);
  g_assert_cmpfloat_with_epsilon (w[0], 0.08, 1e-6);
}

static void
test_shadings (void)
{
  static const guint sizes[] = { 1, 2, 3, 4, 5, 31, 64, 501, 2048, 2049, 5000 };

  for (EsShading kind = 0; kind < ES_N_SHADINGS; kind++)
    for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
      {
        g_autofree float *w = g_new (float, sizes[i]);
        double sum = 0;
        es_shading_fill (kind, w, sizes[i]);
        for (guint k = 0; k < sizes[i]; k++)
          {
            g_assert_cmpfloat (w[k], ==, w[sizes[i] - 1 - k]);
            g_assert_cmpfloat (w[k], >, 0);
            g_assert_cmpfloat (w[k], <=, 1);
            sum += w[k];
          }
        g_assert_cmpfloat (sum, >, sizes[i] > 2 ? 0.3 * sizes[i] : 0.1);
      }

  /* Chebyshev: every side lobe is 40 dB below the main one, and none lower. */
  static const guint lines[] = { 9, 24, 65 };
  for (guint i = 0; i < G_N_ELEMENTS (lines); i++)
    {
      float w[65];
      double main_lobe = 0, before = INFINITY, now = INFINITY;
      guint lobes = 0;
      es_shading_fill (ES_SHADING_CHEBYSHEV, w, lines[i]);
      for (guint k = 0; k < lines[i]; k++)
        main_lobe += w[k];
      for (double u = 0; u <= 0.5; u += 1e-4)
        {
          double re = 0, im = 0;
          for (guint k = 0; k < lines[i]; k++)
            {
              re += w[k] * cos (2 * G_PI * u * k);
              im += w[k] * sin (2 * G_PI * u * k);
            }
          const double next = hypot (re, im) / main_lobe;
          if (now > before && now > next)
            {
              g_assert_cmpfloat_with_epsilon (20 * log10 (now), -40, 0.1);
              lobes++;
            }
          before = now;
          now = next;
        }
      g_assert_cmpuint (lobes, >=, lines[i] / 2 - 3);
    }

  /* Long ones have no side lobe above that either. */
  g_autofree float *w = g_new (float, 700);
  double main_lobe = 0;
  es_shading_fill (ES_SHADING_CHEBYSHEV, w, 700);
  for (guint k = 0; k < 700; k++)
    main_lobe += w[k];
  for (double u = 2.5 / 700; u <= 0.5; u += 1e-4)
    {
      double re = 0, im = 0;
      for (guint k = 0; k < 700; k++)
        {
          re += w[k] * cos (2 * G_PI * u * k);
          im += w[k] * sin (2 * G_PI * u * k);
        }
      g_assert_cmpfloat (20 * log10 (hypot (re, im) / main_lobe), <, -38.5);
    }
}

/* ---- geometry ---- */

static void
test_geometry (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) line = es_array_parse ("line:6,2,90", NULL), holed = es_array_with_dead (line, 2, TRUE);
  g_autoptr (EsBeamGeometry) plain = es_beam_geometry_new (line, ES_SHADING_NONE, 0.5);
  g_autoptr (EsBeamGeometry) shaded = es_beam_geometry_new (holed, ES_SHADING_HAMMING, 2);
  float hamming[6];

  g_assert_cmpuint (plain->n, ==, 6);
  g_assert_cmpfloat (plain->gains[3], ==, 0.5);
  g_assert_cmpfloat (plain->sum, ==, 6);
  g_assert_cmpfloat (plain->sum_of_squares, ==, 6);
  /* Element 2 of 0 .. 5 is the reference; the line lies along +y. */
  g_assert_cmpfloat (plain->positions[3 * 2 + 1], ==, 0);
  g_assert_cmpfloat (plain->positions[3 * 5 + 1], ==, 6);
  g_assert_cmpfloat (plain->positions[3 * 0 + 1], ==, -4);

  /* The reference is dead, and stays the origin; the others keep their weights. */
  es_shading_fill (ES_SHADING_HAMMING, hamming, 6);
  g_assert_cmpuint (shaded->n, ==, 5);
  g_assert_cmpuint (shaded->channels[2], ==, 3);
  g_assert_cmpfloat (shaded->positions[3 * 2 + 1], ==, 2);
  g_assert_cmpfloat_with_epsilon (shaded->gains[2], 2 * hamming[3], 1e-6);
  g_assert_cmpfloat_with_epsilon (shaded->sum, hamming[0] + hamming[1] + hamming[3] + hamming[4] + hamming[5], 1e-5);

  /* Uneven, and not in order: weights go by place. */
  const EsElement e[] = { { .x = 10, .channel = 0, .gain = -3 }, { .x = 0, .channel = 1, .gain = 1 },
                          { .x = 2.5, .channel = 2, .gain = 1 }, { .x = 7.5, .channel = 3, .gain = 1 } };
  g_autoptr (EsArray) uneven = es_array_new (e, 4, &error);
  g_autoptr (EsBeamGeometry) weighted = es_beam_geometry_new (uneven, ES_SHADING_HAMMING, 1);
  g_assert_no_error (error);
  g_assert_cmpfloat_with_epsilon (weighted->gains[0], -3 * 0.08, 1e-6);
  g_assert_cmpfloat_with_epsilon (weighted->gains[1], 0.08, 1e-6);
  g_assert_cmpfloat_with_epsilon (weighted->gains[2], 0.54, 1e-5);
  g_assert_cmpfloat_with_epsilon (weighted->gains[3], 0.54, 1e-5);
}

/* The delays of every row and angle are those with which the generator makes scenes; the near ones tend to the far. */
static void
test_foci (void)
{
  static const char *const arrays[] = { "line:64,1.5", "line:33,0.5,-120", "line:2,3,45" };
  static const char *const kinds[] = { "perpendicular", "slant" };

  for (guint a = 0; a < G_N_ELEMENTS (arrays); a++)
    for (guint kind = 0; kind < 2; kind++)
      {
        g_autoptr (EsArray) array = es_array_parse (arrays[a], NULL);
        g_autoptr (EsParams) params = params_of ("range-kind", kinds[kind], "ranges", "50,far,3200,10000000", "angles",
                                                 "1,20,90,123,179", NULL);
        g_autoptr (EsBeamSettings) s = settings_of (params, arrays[a], 8000, 8000);
        g_autoptr (EsBeamGeometry) geometry = es_beam_geometry_new (array, ES_SHADING_NONE, 1);
        g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 8000, 1, 1500);
        g_autofree double *delays = g_new (double, geometry->n), *far = g_new (double, geometry->n * s->n_angles);
        const guint rows[] = { 1, 0, 2, 3 };

        for (guint r = 0; r < 4; r++)
          {
            EskFocus foci[5];
            g_autoptr (GError) error = NULL;
            const double range = s->ranges[rows[r]];
            g_assert_true (es_beam_foci_of_row (array, s, rows[r], foci, &error));
            g_assert_no_error (error);
            const EskBeamPlan plan = {
              .elements = geometry->n, .positions = geometry->positions, .n_foci = 5, .foci = foci, .sound_speed = 1500,
            };
            for (guint i = 0; i < 5; i++)
              {
                const EsTestPlace place = isinf (range) ? es_test_place_far (array, s->angles[i])
                                          : kind == 1 ? es_test_place_slant (array, s->angles[i], range)
                                                      : es_test_place_perpendicular (array, s->angles[i], range);
                g_assert_true (foci[i].near == !isinf (range));
                esk_beam_delays (&plan, i, delays);
                for (guint k = 0; k < geometry->n; k++)
                  {
                    /* Positive: earlier than the reference. 1e-5 m are 7e-9 s. */
                    g_assert_cmpfloat_with_epsilon (delays[k], -es_test_sonar_delay (sonar, place, k), 5e-9);
                    if (isinf (range))
                      far[i * geometry->n + k] = delays[k];
                    if (range == 10000000)
                      g_assert_cmpfloat_with_epsilon (delays[k], far[i * geometry->n + k], 1e-3 / 1500);
                  }
              }
          }
      }

  /* Any array: azimuth from +x to +y, elevation to +z; points in the array's frame. */
  const EskFocus up = es_beam_focus_far (0, 90), side = es_beam_focus_far (90, 0);
  const EskFocus between = es_beam_focus_far (-135, 30);
  g_assert_cmpfloat (up.z, ==, 1);
  g_assert_cmpfloat (up.x, ==, 0);
  g_assert_cmpfloat (side.y, ==, 1);
  g_assert_cmpfloat_with_epsilon (between.x, -sqrt (0.5) * sqrt (0.75), 1e-12);
  g_assert_cmpfloat_with_epsilon (between.z, 0.5, 1e-12);
  const EsElement e[] = { { .x = 1, .y = 2, .z = 3, .gain = 1 }, { .x = 9, .channel = 1, .gain = 1 } };
  g_autoptr (EsArray) pair = es_array_new (e, 2, NULL);
  const EskFocus point = es_beam_focus_point (pair, 5, 5, 5);
  g_assert_cmpfloat (point.x, ==, 4);
  g_assert_cmpfloat (point.z, ==, 2);
  g_assert_true (point.near);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/beam-settings/band", test_band);
  g_test_add_func ("/beam-settings/angles", test_angles);
  g_test_add_func ("/beam-settings/ranges", test_ranges);
  g_test_add_func ("/beam-settings/block", test_block);
  g_test_add_func ("/beam-settings/published", test_published);
  g_test_add_func ("/beam-settings/automatic", test_automatic);
  g_test_add_func ("/beam-settings/snapshots", test_snapshots);
  g_test_add_func ("/beam-settings/refused", test_refused);
  g_test_add_func ("/beam-settings/windows", test_windows);
  g_test_add_func ("/beam-settings/shadings", test_shadings);
  g_test_add_func ("/beam-settings/geometry", test_geometry);
  g_test_add_func ("/beam-settings/foci", test_foci);
  return g_test_run ();
}
