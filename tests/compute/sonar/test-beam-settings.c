/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Settings of beams: their texts, what is automatic, and what is refused. */

#include <math.h>
#include <string.h>

#include "es-test-settings.h"

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
  g_assert_cmpuint (n, ==, 5);
  for (guint i = 0; i < n; i++)
    g_assert_cmpfloat (angles[i], ==, ((double[]) { 5, 20, 80, 90, 100 })[i]);
  g_free (angles);
  g_assert_true (es_parse_angles ("169:10:-1", &angles, &n, &error));
  g_assert_cmpuint (n, ==, 160);
  g_assert_cmpfloat (angles[0], ==, 169);
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
  g_autoptr (EsParams) params = es_test_settings_params ("angles", "10:169:1", NULL);
  g_autoptr (EsParams) told = es_test_settings_params ("band", "320:480", "lofar-band", "33.3:318", NULL);
  g_autoptr (EsBeamSettings) s = es_test_settings_of (params, "line:8,1.5", 8000, 16000);
  g_autoptr (EsBeamSettings) t = es_test_settings_of (told, "line:8,9", 8000, 8000);

  g_assert_cmpuint (s->block, ==, 8000);
  g_assert_cmpuint (s->window_length, ==, 8000);
  g_assert_cmpuint (s->snapshots, ==, 1);
  g_assert_cmpuint (s->length, ==, 8192);
  g_assert_cmpuint (s->cbf_first, ==, 327);
  g_assert_cmpuint (s->cbf_bins, ==, 166);
  g_assert_cmpuint (s->lofar_first, ==, 32);
  g_assert_cmpuint (s->lofar_first + s->lofar_bins, ==, 493);
  g_assert_cmpuint (s->first_bin, ==, 32);
  g_assert_cmpuint (s->first_bin + s->n_bins, ==, 493);
  g_assert_cmpuint (s->n_angles, ==, 160);
  g_assert_cmpuint (s->n_ranges, ==, 8);
  g_assert_cmpuint (es_beam_settings_find_far (s), ==, 0);
  g_assert_cmpfloat (s->sound_speed, ==, 1500);
  g_assert_cmpfloat (es_beam_settings_get_frequency (s, 327), ==, 327 * 8000.0 / 8192);
  /* Not as published: strong tones beside the band would be seen in it, and at wrong bearings. */
  g_assert_cmpint (s->window, ==, ES_WINDOW_HANN);
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
      g_autoptr (EsBeamSettings) other = es_test_settings_of (params, "line:2,1.5", lengths[i][0], lengths[i][0]);
      g_assert_cmpuint (other->length, ==, lengths[i][1]);
    }
}

static void
test_automatic (void)
{
  g_autoptr (EsParams) params = es_test_settings_params (NULL, NULL), fast = es_test_settings_params ("sound-speed",
                                                                                                      "3000", NULL);
  /* 184 elements at 2.5 m: 192 to 288 Hz; a low rate: what half of it allows; one element has no spacing. */
  g_autoptr (EsBeamSettings) wide = es_test_settings_of (params, "line:4,2.5", 20000, 20000);
  g_autoptr (EsBeamSettings) low = es_test_settings_of (params, "line:4,1.5", 500, 500);
  g_autoptr (EsBeamSettings) one = es_test_settings_of (params, "line:1,1.5", 1000, 1000);
  g_autoptr (EsBeamSettings) hot = es_test_settings_of (fast, "line:4,1.5", 8192, 8192);

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
  g_autoptr (EsRecording) recording = es_test_silence (3, 8000, 8000);
  g_autoptr (EsBeamSettings) round = es_beam_settings_new (params, recording, corner, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (round->n_angles, ==, 72);
  g_assert_cmpfloat (round->angles[0], ==, -180);
  g_assert_cmpint (round->range_kind, ==, ES_RANGE_SLANT);
  g_autofree char *name = es_beam_settings_name_range (round, 2);
  g_assert_cmpstr (name, ==, "slant range 100 m");

  /* Nothing lies below a band that begins at 0. */
  g_autoptr (EsParams) lowest = es_test_settings_params ("band", "0:100", NULL);
  g_autoptr (EsBeamSettings) bottom = es_test_settings_of (lowest, "line:4,1.5", 8000, 8000);
  g_assert_cmpuint (bottom->cbf_first, ==, 0);
  g_assert_cmpuint (bottom->lofar_bins, ==, bottom->cbf_bins);
  g_assert_cmpuint (bottom->n_bins, ==, bottom->cbf_bins);
  /* Up to half of the rate is possible. */
  g_autoptr (EsParams) highest = es_test_settings_params ("band", "3000:4000", "lofar-band", "10:20", NULL);
  g_autoptr (EsBeamSettings) top = es_test_settings_of (highest, "line:4,1.5", 8000, 8000);
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
        g_autoptr (EsParams) params = es_test_settings_params ("snapshots", snapshots, "overlap", percent, "window",
                                                               "hann", NULL);
        g_autoptr (EsBeamSettings) s = es_test_settings_of (params, "line:2,1.5", 8000, 8000);

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
  g_autoptr (EsParams) params = es_test_settings_params ("transform", "10000", "block", "1s", NULL);
  g_autoptr (EsBeamSettings) s = es_test_settings_of (params, "line:2,1.5", 8000, 8000);
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
  g_autoptr (EsRecording) recording = es_test_silence (channels, rate, frames);
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
  assert_refused (line, 4, 1000, 8000, parameter, "at most 2", "block", "5ms", "overlap", "95%", "snapshots", "8",
                  NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "at least 8000", "transform", "4096", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "even", "transform", "8193", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "190°", "angles", "100:190:45", NULL);
  assert_refused (line, 4, 8000, 8000, parameter, "sound-speed", "sound-speed", "3", NULL);
  assert_refused (line, 3, 8000, 8000, data, "channel 3", NULL, NULL);
  assert_refused (NULL, 4, 8000, 8000, data, "line:4", NULL, NULL);
  assert_refused (silent, 1, 8000, 8000, data, "dead", NULL, NULL);

  /* The ends of a line can be looked at; at a perpendicular distance they are far. */
  g_autoptr (EsParams) beside = es_test_settings_params ("angles", "0:180:1", "ranges", "50", NULL);
  g_autoptr (EsBeamSettings) c = es_test_settings_of (beside, "line:4,1.5", 8000, 8000);
  g_autoptr (EsParams) slant = es_test_settings_params ("angles", "0:180:1", "range-kind", "slant", NULL);
  g_autoptr (EsBeamSettings) a = es_test_settings_of (slant, "line:4,1.5", 8000, 8000);
  g_autoptr (EsParams) far = es_test_settings_params ("angles", "0:180:1", "ranges", "far", NULL);
  g_autoptr (EsBeamSettings) b = es_test_settings_of (far, "line:4,1.5", 8000, 8000);
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
  return g_test_run ();
}
