/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Whatever people type: settings of beams are made of it, or one sentence says why not. */

#include <math.h>
#include <string.h>

#include "beam/es-beam-settings.h"
#include "beam/es-beamformer.h"
#include "base/es-error.h"
#include "operations/sonar/es-sonar-operations-internal.h"
#include "es-test-sonar.h"
#include "operations/es-operations.h"

#define ROUNDS 30000
#define LONG_TEXT 300000

static const char *const pieces[] = {
  "0", "1", "2", "3", "10", "169", "180", "360", "361", "-1", "-180", "0.5", "0.1", "1e-9", "1e-320", "1e9",
  "1e308", "1e309", "99999999999999999999", "4294967295", "4294967296", "2147483648", "16777216", "67108864",
  "67108865", "100000", "100001", "nan", "inf", "-inf", "0x10", "1,5", "１", "½", ".", "-", "+", "e", ":",
  ":", ":", ":", "::", ",", ",", ",,", " ", "\t", "\n", "far", "FAR", "near", "s", "ms", "Hz", "kHz", "m", "°",
  "%", "\"", "“", "\\", "%s%n", "$(", ";", "\xff", "\xc3", "\xe2\x82", "\x01", "\x7f", "320", "480", "1000",
  "1001", "8192", "500", "50", "100", "200", "0.01", "-0", "-0.0", "100.0000001", "101", "1:1:1", "0:180:1",
  "10:169:1", "1:2:0", "0:1:1e-9", "0:1e9:1", "180:0:-1", "0:180:0.001", "0:100:0.001",
};

/* Now and then what works, so that the rest of the checks is reached. */
static const char *const good[][5] = {
  { "band", "320:480", "0:1000", "100:100.1", "999.9:1000" },
  { "lofar-band", "10:100", "0:1000", "1:2", "500:600" },
  { "angles", "10:169:1", "0,90,180", "90", "0.01:179.99:0.17" },
  { "ranges", "far", "far,50,100", "1e9", "1:100:1" },
  { "block", "1s", "500ms", "2", "4000" },
  { "loading", "0", "0.1", "100", "1e-12" },
  { "transform", "0", "4096", "2", "67108864" },
  { "overlap", "0", "0.5", "0.95", "0.3333" },
  { "snapshots", "1", "8", "1000", "65536" },
  { "blocks", "0", "1", "8", "4096" },
  { "forgetting", "0", "1", "0.001", "1e-9" },
  { "sources", "0", "1", "7", "65535" },
  { "sound-speed", "0", "1500", "10", "20000" },
  { "method", "auto", "woodbury", "jacobi", "cholesky" },
  { "range-kind", "perpendicular", "slant", "slant", "slant" },
  { "window", "hann", "rectangular", "blackman", "hamming" },
  { "eigenvalues", "auto", "yes", "no", "yes" },
};

static guint64 state = 20261122;

static guint
random_below (guint n)
{
  return (guint) (es_test_uniform (&state) * n);
}

static char *
make_text (void)
{
  GString *text = g_string_new (NULL);
  const guint n = random_below (8);

  for (guint i = 0; i < n; i++)
    g_string_append (text, pieces[random_below (G_N_ELEMENTS (pieces))]);
  return g_string_free (text, FALSE);
}

/* One sentence that can be shown. */
static void
check_error (const GError *error)
{
  g_assert_nonnull (error);
  g_assert_true (error->domain == ES_COMPUTE_ERROR || error->domain == ES_DATA_ERROR);
  if (error->domain == ES_COMPUTE_ERROR)
    g_assert_cmpint (error->code, ==, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (strlen (error->message), >, 10);
}

static void
check_settings (const EsBeamSettings *settings, EsRecording *recording, EsArray *array)
{
  const guint far = es_beam_settings_find_far (settings), n_alive = es_array_get_n_alive (array);
  guint64 memory = 0, device_memory = 0;
  double flops = NAN;

  g_assert_cmpuint (settings->block, >=, 2);
  g_assert_cmpuint (settings->block, <=, es_recording_get_frames (recording));
  g_assert_cmpuint (settings->snapshots, >=, 1);
  g_assert_cmpuint (settings->hop, >=, 1);
  g_assert_cmpuint (settings->window_length, >=, 1);
  g_assert_true ((guint64) (settings->snapshots - 1) * settings->hop + settings->window_length <= settings->block);
  g_assert_cmpuint (settings->length, >=, settings->window_length);
  g_assert_cmpuint (settings->length, <=, 1 << 26);
  g_assert_cmpuint (settings->length % 2, ==, 0);
  g_assert_cmpuint (settings->n_bins, >=, 1);
  g_assert_true ((guint64) settings->first_bin + settings->n_bins <= settings->length / 2 + 1);
  g_assert_true (settings->cbf_first >= settings->first_bin && settings->cbf_bins >= 1
                 && settings->cbf_first + settings->cbf_bins <= settings->first_bin + settings->n_bins);
  g_assert_true (settings->lofar_first >= settings->first_bin && settings->lofar_bins >= 1
                 && settings->lofar_first + settings->lofar_bins <= settings->first_bin + settings->n_bins);
  g_assert_true (settings->n_angles >= 1 && settings->n_angles <= 100000);
  g_assert_true (settings->n_ranges >= 1 && settings->n_ranges <= 10000);
  for (guint i = 0; i < settings->n_angles; i++)
    g_assert_true (fabs (settings->angles[i]) <= 360);
  for (guint i = 0; i < settings->n_ranges; i++)
    g_assert_true (settings->ranges[i] > 0 && (i == far || isfinite (settings->ranges[i])));
  g_assert_true (settings->sound_speed >= 10 && settings->sound_speed <= 20000);
  if (settings->adaptive.on)
    {
      const double loading = es_beam_settings_get_loading (settings, n_alive);
      const EsAdaptiveMethod method = es_beam_settings_get_method (settings, n_alive);

      g_assert_true (loading >= 0 && loading <= 100);
      g_assert_true (method > ES_ADAPTIVE_AUTO && method < ES_N_ADAPTIVE_METHODS);
      g_assert_true (method != ES_ADAPTIVE_WOODBURY || loading > 0);
      g_assert_cmpuint (settings->adaptive.blocks, >=, 1);
      g_assert_true (settings->adaptive.sources < n_alive || settings->adaptive.sources == 0);
      g_assert_true (es_beam_settings_get_effective_snapshots (settings) >= 1);
      g_assert_true (isfinite (es_beam_settings_get_effective_snapshots (settings)));
    }
  es_beamformer_estimate (recording, array, settings, es_device_get_cpu (), &memory, &device_memory, &flops);
  g_assert_true (isfinite (flops) && flops > 0);
  g_assert_cmpuint (memory, >, 0);
  g_assert_cmpuint (device_memory, ==, 0);

  g_autoptr (EsBeamSettings) copy = es_beam_settings_copy (settings);
  g_assert_true (es_beam_settings_equal_but_adaptive (settings, copy));
}

typedef struct
{
  EsArray     *array;
  EsRecording *recording;
} Scene;

/* A line, a ring, a single element, one with a dead element and no time to speak of, nothing but dead ones. */
static Scene
make_scene (guint which)
{
  EsElement elements[8] = { { 0 } };
  const guint n = which == 2 ? 1 : 8;
  const gsize frames[] = { 9000, 9000, 500, 3, 4000 };
  const double rates[] = { 2000, 2000, 50, 1e6, 2000 };
  g_autoptr (GError) error = NULL;
  Scene scene;

  for (guint i = 0; i < n; i++)
    elements[i] = (EsElement) { .x = which == 1 ? cos (i) : 1.5 * i, .y = which == 1 ? sin (i) : 0, .channel = i,
                                .gain = 1, .dead = which == 4 || (which == 3 && i == 4) };
  scene.array = es_array_new (elements, n, &error);
  g_assert_no_error (error);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (scene.array, rates[which], frames[which], 1500);
  scene.recording = es_test_sonar_record (sonar, ESK_I16, 1);
  return scene;
}

static void
test_texts (gconstpointer data)
{
  const EsOperation *operation = es_operation_find (data, NULL);
  Scene scenes[5];
  guint made = 0, refused = 0, unread = 0;

  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    scenes[i] = make_scene (i);

  for (guint round = 0; round < ROUNDS; round++)
    {
      const guint which = random_below (8);
      const Scene *scene = &scenes[which < G_N_ELEMENTS (scenes) ? which : 0];
      g_autoptr (EsParams) params = es_params_new (operation->params);
      g_autoptr (EsBeamSettings) settings = NULL;
      g_autoptr (GError) error = NULL;

      for (guint i = 0; i < G_N_ELEMENTS (good); i++)
        {
          g_autofree char *text = random_below (6) == 0 ? make_text () : g_strdup (good[i][1 + random_below (4)]);
          g_autoptr (GError) unreadable = NULL;

          if (random_below (4) != 0 || es_param_specs_find (operation->params, good[i][0]) == NULL)
            continue;
          if (!es_params_parse (params, good[i][0], text, &unreadable))
            {
              check_error (unreadable);
              unread++;
            }
        }
      settings = es_beam_settings_new (params, scene->recording, scene->array, &error);
      if (settings != NULL)
        {
          g_assert_no_error (error);
          check_settings (settings, scene->recording, scene->array);
          made++;
        }
      else
        {
          check_error (error);
          refused++;
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      es_array_unref (scenes[i].array);
      g_object_unref (scenes[i].recording);
    }
  g_test_message ("%u made, %u refused, %u texts not read", made, refused, unread);
  g_assert_cmpuint (made, >, ROUNDS / 10);
  g_assert_cmpuint (refused, >, ROUNDS / 10);
  g_assert_cmpuint (unread, >, ROUNDS / 10);
}

/* The parsers themselves, where nothing has looked at the text before; texts without an end. */
static void
test_parsers (void)
{
  const guint n_long = 6;
  const char *const repeated[] = { "1,", "1:2:1,", ":", "far,", "9", " " };

  for (guint round = 0; round < 4 * ROUNDS + n_long; round++)
    {
      g_autofree char *text = NULL;
      g_autofree double *angles = NULL, *ranges = NULL;
      GError *errors[4] = { NULL };
      double low = NAN, high = NAN;
      guint n = 0, samples = 0;
      gboolean done;

      if (round < n_long)
        {
          GString *long_text = g_string_new (NULL);
          while (long_text->len < LONG_TEXT)
            g_string_append (long_text, repeated[round]);
          text = g_string_free (long_text, FALSE);
        }
      else
        text = make_text ();

      done = es_parse_band (text, &low, &high, &errors[0]);
      g_assert_true (done == (errors[0] == NULL));
      if (done)
        g_assert_true (low >= 0 && high > low && isfinite (high));
      else
        check_error (errors[0]);
      done = es_parse_angles (text, &angles, &n, &errors[1]);
      g_assert_true (done == (errors[1] == NULL) && done == (angles != NULL));
      if (done)
        g_assert_true (n >= 1 && n <= 100000);
      else
        check_error (errors[1]);
      done = es_parse_ranges (text, &ranges, &n, &errors[2]);
      g_assert_true (done == (errors[2] == NULL) && done == (ranges != NULL));
      if (done)
        g_assert_true (n >= 1 && n <= 10000);
      else
        check_error (errors[2]);
      done = es_parse_block (text, round % 3 == 0 ? 1e-3 : round % 3 == 1 ? 44100 : 1e9, &samples, &errors[3]);
      g_assert_true (done == (errors[3] == NULL));
      if (done)
        g_assert_true (samples >= 2 && samples <= 1 << 26);
      else
        check_error (errors[3]);
      for (guint i = 0; i < 4; i++)
        g_clear_error (&errors[i]);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/beam-settings-texts/cbf", "cbf", test_texts);
  g_test_add_data_func ("/beam-settings-texts/mvdr", "mvdr", test_texts);
  g_test_add_func ("/beam-settings-texts/parsers", test_parsers);
  return g_test_run ();
}
