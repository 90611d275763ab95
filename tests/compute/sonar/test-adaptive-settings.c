/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What adaptive beams are asked to be: automatic values, costs, methods side by side, what cannot be, broken samples;
 * on every device. */

#include <math.h>
#include <string.h>

#include "beam/es-adaptive-compare.h"
#include "beam/es-beam-params-internal.h"
#include "beam/es-beam-settings-private.h"
#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "es-test-adaptive.h"
#include "operations/sonar/es-beam-gather-private.h"

static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };

/* ---- methods side by side ---- */

static void
test_compare (gconstpointer data)
{
  EsDevice *device = es_device_find (data, NULL);
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (8);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings =
    es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:1", "ranges", "far,100", "block", "4000",
                          "snapshots", "12", "blocks", "2", "method", "jacobi", NULL);
  g_autoptr (EsBeamSettings) forgetting =
    es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:1", "block", "4000", "snapshots", "12",
                          "forgetting", "0.1", NULL);
  g_autoptr (GError) error = NULL;
  EsAdaptiveRoute *routes = es_adaptive_compare (recording, array, settings, device, 8000, 10, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < ES_N_ADAPTIVE_METHODS - 1; i++)
    {
      g_assert_cmpint (routes[i].method, ==, i + 1);
      g_assert_null (routes[i].refusal);
      g_assert_cmpfloat (routes[i].total_ms, >, 0);
      g_assert_cmpfloat (routes[i].difference, <, 1e-6);
      g_assert_cmpfloat (MIN (fabs (routes[i].bearing - 60), fabs (routes[i].bearing - 100)), <=, 2);
      g_assert_cmpuint (routes[i].rotations > 0, ==, routes[i].method == ES_ADAPTIVE_JACOBI);
      g_test_message ("%s: %.2f ms (%.2f, %.2f, %.2f), difference %.2g", es_adaptive_method_get_name (routes[i].method),
                      routes[i].total_ms, routes[i].matrix_ms, routes[i].factor_ms, routes[i].spectrum_ms,
                      routes[i].difference);
    }
  g_assert_cmpfloat (routes[0].difference, ==, 0);
  es_adaptive_routes_free (routes);

  routes = es_adaptive_compare (recording, array, forgetting, device, 8000, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (routes[ES_ADAPTIVE_WOODBURY - 1].refusal);
  g_assert_null (routes[ES_ADAPTIVE_EIGEN - 1].refusal);
  es_adaptive_routes_free (routes);

  /* Nothing may take that little. */
  routes = es_adaptive_compare (recording, array, settings, device, 8000, 1e-12, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < ES_N_ADAPTIVE_METHODS - 1; i++)
    g_assert_nonnull (strstr (routes[i].refusal, "1e-12 s"));
  es_adaptive_routes_free (routes);

  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (es_adaptive_compare (recording, array, settings, device, 8000, 10, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpstr (es_adaptive_method_get_id (ES_ADAPTIVE_JACOBI), ==, "jacobi");
}

/* ---- bad input ---- */

/* Dead channels, silence, samples that are no numbers; a band of one bin. */
static void
test_broken (gconstpointer data)
{
  g_autoptr (EsTestSonar) sonar = es_test_adaptive_sonar (8);
  const char *const methods[] = { "cholesky", "woodbury", "jacobi", "eigen" };
  g_autoptr (GError) error = NULL;

  /* Channel 3 is silent all the time, 5 is at times no number. The last second is silence. */
  for (gsize i = 0; i < ES_TEST_ADAPTIVE_FRAMES; i++)
    {
      sonar->samples[i * 8 + 3] = 0;
      if (i % 977 == 0)
        sonar->samples[i * 8 + 5] = i % 2 == 0 ? NAN : INFINITY;
      for (guint k = 0; i >= 16000 && k < 8; k++)
        sonar->samples[i * 8 + k] = 0;
    }
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsRecording) without = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsArray) all = es_recording_get_array (recording), marked = es_array_with_dead (all, 3, TRUE);
  es_recording_set_array (without, marked);

  for (guint method = 0; method < G_N_ELEMENTS (methods); method++)
    {
      g_autoptr (EsBeamSettings) settings =
        es_test_adaptive_new (recording, "band", "400:400.0001", "angles", "10:170:1", "block", "4000", "snapshots",
                              "16", "loading", "0.01", "blocks", "1", "sources", "2", "method", methods[method], NULL);
      g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, data);
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, 4000, &error);
      g_assert_no_error (error);
      g_autoptr (EsBeamBlock) marked_block = es_test_adaptive_block (without, settings, data, 4000);
      g_autoptr (EsBeamBlock) silence = es_beamformer_process (beamformer, 18000, &error);
      g_assert_no_error (error);
      g_autoptr (EsBeamBlock) beyond = es_beamformer_process (beamformer, 10 * ES_TEST_ADAPTIVE_FRAMES, &error);
      g_assert_no_error (error);

      g_assert_cmpuint (settings->n_bins, <=, 2);
      for (guint i = 0; i < settings->n_angles; i++)
        {
          const double power = es_beam_block_get_far_of (block, ES_BEAM_MVDR)[i];

          g_assert_true (isfinite (power) && power > 0);
          g_assert_cmpfloat_with_epsilon (es_beam_block_get_far_of (marked_block, ES_BEAM_MVDR)[i] / power, 1, 1e-4);
          g_assert_cmpfloat (es_beam_block_get_far_of (silence, ES_BEAM_MVDR)[i], ==, 0);
          g_assert_cmpfloat (es_beam_block_get_far_of (silence, ES_BEAM_MUSIC)[i], ==, 1);
          g_assert_cmpfloat (es_beam_block_get_far_of (beyond, ES_BEAM_MVDR)[i], ==, 0);
        }
      /* And a closer look at silence. */
      es_beamformer_set_probe (beamformer, 60, 400);
      g_autoptr (EsBeamBlock) probed = es_beamformer_again (beamformer, &error);
      g_assert_no_error (error);
      g_assert_nonnull (es_beam_block_get_probe (probed));
    }
}

static gboolean
count (EsBeamBlock *block, gpointer data, GError **error)
{
  ++*(guint *) data;
  return TRUE;
}

/* Two channels that are the same have no inverse without loading; the sentence says what would do. */
static void
test_singular (gconstpointer data)
{
  g_autoptr (EsTestSonar) sonar = es_test_adaptive_sonar (4);
  g_autoptr (GError) error = NULL;
  guint n;

  for (gsize i = 0; i < ES_TEST_ADAPTIVE_FRAMES; i++)
    sonar->samples[i * 4 + 2] = sonar->samples[i * 4 + 1];
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  for (EsAdaptiveMethod method = ES_ADAPTIVE_CHOLESKY; method < ES_N_ADAPTIVE_METHODS; method++)
    {
      if (method == ES_ADAPTIVE_WOODBURY)
        continue;
      g_autoptr (EsBeamSettings) settings =
        es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:10", "block", "4000", "snapshots", "16",
                              "loading", "0", "blocks", "1", "method", es_adaptive_method_get_id (method), NULL);
      g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, data);
      EsAdaptiveSettings adaptive = settings->adaptive;

      g_assert_null (es_beamformer_process (beamformer, 0, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_assert_nonnull (strstr (error->message, "0.1 would do"));
      g_assert_nonnull (strstr (error->message, "elements: 4"));
      g_test_message ("%s", error->message);
      g_clear_error (&error);
      g_assert_false (es_beamformer_run (beamformer, 0, 4000, 3, count, &n, NULL, &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
      g_clear_error (&error);
      /* It does. */
      adaptive.loading = 0.1;
      g_assert_true (es_beamformer_set_adaptive (beamformer, &adaptive, &error));
      n = 0;
      g_assert_true (es_beamformer_run (beamformer, 0, 4000, 3, count, &n, NULL, &error));
      g_assert_no_error (error);
      g_assert_cmpuint (n, ==, 3);
    }
}

static gboolean
refuses (EsRecording *recording, const char *key, const char *value, const char *other, const char *other_value,
         const char *words)
{
  g_autofree char *message = es_test_adaptive_refuse (recording, "band", "300:500", "block", "2000", key, value,
                                                      other, other_value, NULL);

  g_test_message ("%s", message);
  return strstr (message, words) != NULL;
}

static void
test_settings (void)
{
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (16);
  g_autoptr (GError) error = NULL;
  double loading;

  g_autoptr (EsBeamSettings) plain = es_test_adaptive_new (recording, NULL);
  g_assert_true (plain->adaptive.on);
  g_assert_cmpuint (plain->snapshots, ==, 8);
  g_assert_cmpuint (plain->n_ranges, ==, 1);
  g_assert_cmpuint (plain->n_bins, ==, plain->cbf_bins);
  g_assert_cmpuint (plain->lofar_bins, ==, plain->cbf_bins);
  g_assert_cmpint (plain->window, ==, ES_WINDOW_HANN);
  g_assert_cmpuint (plain->adaptive.blocks, ==, 4);
  g_assert_cmpfloat (es_beam_settings_get_effective_snapshots (plain), ==, 32);
  g_assert_cmpfloat (es_beam_settings_get_loading (plain, 16), ==, 0.01);
  g_assert_cmpfloat (es_beam_settings_get_loading (plain, 33), ==, 0.1);
  g_assert_true (plain->adaptive.eigenvalues);
  g_assert_cmpuint (es_adaptive_settings_get_n_eigenvalues (plain, 16), ==, 16);
  /* Few snapshots of many elements: their Gram matrix; otherwise the matrix. */
  g_assert_cmpint (es_beam_settings_get_method (plain, 512), ==, ES_ADAPTIVE_WOODBURY);
  g_assert_cmpint (es_beam_settings_get_method (plain, 16), ==, ES_ADAPTIVE_CHOLESKY);

  g_autoptr (EsBeamSettings) one = es_test_adaptive_new (recording, "snapshots", "1", "sources", "1", "loading", "5e-3",
                                                         NULL);
  g_assert_cmpuint (one->adaptive.blocks, ==, 8);
  g_assert_cmpfloat (one->adaptive.loading, ==, 0.005);
  g_assert_true (one->adaptive.eigenvalues);
  g_autoptr (EsBeamSettings) fading = es_test_adaptive_new (recording, "forgetting", "0.1", "eigenvalues", "no", NULL);
  g_assert_cmpfloat (es_beam_settings_get_effective_snapshots (fading), ==, 8 * 1.9 / 0.1);
  g_assert_cmpuint (es_adaptive_settings_get_columns (fading, 16), ==, 0);
  g_assert_cmpuint (es_adaptive_settings_get_columns (fading, 1000), ==, 8 * 44);
  g_assert_cmpuint (es_adaptive_settings_get_memory (fading), ==, 43);
  g_assert_false (fading->adaptive.eigenvalues);
  g_assert_false (es_beam_settings_equal_but_adaptive (plain, fading));
  g_autoptr (EsBeamSettings) music = es_test_adaptive_new (recording, "sources", "3", "loading", "1", "method", "eigen",
                                                           "eigenvalues", "no", NULL);
  g_assert_true (es_beam_settings_equal_but_adaptive (plain, music));
  g_autoptr (EsBeamSettings) other = es_test_adaptive_new (recording, "window", "hamming", NULL);
  g_assert_false (es_beam_settings_equal_but_adaptive (plain, other));

  g_assert_true (refuses (recording, "loading", "0", "blocks", "1", "0.1 would do"));
  g_assert_true (refuses (recording, "loading", "0", "method", "woodbury", "woodbury"));
  g_assert_true (refuses (recording, "forgetting", "0.1", "method", "woodbury", "woodbury"));
  g_assert_true (refuses (recording, "sources", "16", "blocks", "8", "15"));
  g_assert_true (refuses (recording, "sources", "9", "blocks", "1", "8"));
  g_assert_true (refuses (recording, "snapshots", "0", "blocks", "1", "snapshots"));
  g_assert_true (refuses (recording, "snapshots", "5000", "blocks", "1", "2000"));
  g_assert_true (refuses (recording, "method", "qr", "blocks", "1", "jacobi"));
  g_assert_true (refuses (recording, "blocks", "-1", "method", "auto", "blocks"));
  g_assert_true (refuses (recording, "forgetting", "1.5", "method", "auto", "forgetting"));
  const char *const bad[] = { "-1", "101", "nan", "inf", "0x1", "a", "0.1 dB", "1e999" };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_true (refuses (recording, "loading", bad[i], "blocks", "1", "from 0 to 100"));
  g_assert_true (es_parse_loading (" 1e-2 ", &loading, &error));
  g_assert_cmpfloat (loading, ==, 0.01);
}

/* Costs grow with what is asked for, and what is too much is refused before it is tried. */
/* What the table calls cheap is what a beamformer can change and keep what it has heard. */
static void
test_stages (void)
{
  static const struct { const char *key, *text; } others[] = {
    { "band", "300:400" }, { "angles", "10:170:2" }, { "ranges", "far,100" }, { "range-kind", NULL },
    { "sound-speed", "1400" }, { "block", "5000" }, { "transform", "4096" }, { "window", "rectangular" },
    { "overlap", "0.25" }, { "snapshots", "6" }, { "method", NULL }, { "loading", "0.3" }, { "blocks", "3" },
    { "forgetting", "0.5" }, { "sources", "1" }, { "eigenvalues", NULL }, { "library", NULL },
  };
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (8);
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  g_assert_cmpuint (es_param_specs_length (es_adaptive_params), ==, G_N_ELEMENTS (others));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    {
      const EsParamSpec *spec = es_param_specs_find (es_adaptive_params, others[i].key);
      g_autoptr (EsParams) params = es_params_new (es_adaptive_params);
      g_autoptr (GError) error = NULL;

      g_assert_nonnull (spec);
      es_params_set_text (params, "band", "310:490");
      es_params_set_text (params, "angles", "10:170:1");
      es_params_set_text (params, "block", "4000");
      g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
      g_assert_no_error (error);

      g_autoptr (EsParams) other_params = es_params_copy (params);
      g_assert_true (es_params_parse (other_params, spec->key,
                                      others[i].text != NULL ? others[i].text : spec->choices[1].id, &error));
      g_autoptr (EsBeamSettings) other = es_beam_settings_new (other_params, recording, array, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (es_params_first_changed_stage (params, other_params), ==, spec->stage);
      g_assert_cmpint (es_beam_settings_equal_but_adaptive (settings, other), ==,
                       spec->stage >= ES_BEAM_STAGE_ADAPTIVE);
    }
}

static void
test_cost (void)
{
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (16);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings = es_test_adaptive_new (recording, "band", "300:500", NULL);
  g_autoptr (EsBeamSettings) plain = es_beam_settings_copy (settings);
  g_autoptr (EsBeamSettings) jacobi = es_beam_settings_copy (settings);
  EsDevice *cpu = es_device_get_cpu ();
  guint64 memory[2], device_memory;
  double flops[3];

  plain->adaptive.on = FALSE;
  jacobi->adaptive.method = ES_ADAPTIVE_JACOBI;
  es_beamformer_estimate (recording, array, plain, cpu, &memory[0], &device_memory, &flops[0]);
  es_beamformer_estimate (recording, array, settings, cpu, &memory[1], &device_memory, &flops[1]);
  es_beamformer_estimate (recording, array, jacobi, cpu, &memory[1], &device_memory, &flops[2]);
  g_assert_cmpfloat (flops[0], <, flops[1]);
  g_assert_cmpfloat (flops[1], <, flops[2]);
  g_assert_cmpuint (memory[0], <, memory[1]);

  g_autoptr (EsBeamSettings) large = es_test_adaptive_new (recording, "band", "1:3999", "transform", "1048576",
                                                           "blocks", "4096", NULL);
  g_autoptr (GError) error = NULL;
  const EsLimits limits = { .memory = (guint64) 1 << 30 };
  g_assert_null (es_beamformer_new (recording, array, large, cpu, &limits, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
}

/* So many elements that a matrix does not fit: snapshots do, and whoever wants another method hears why not. */
static void
test_large (void)
{
  const double matrix = sqrt (es_device_get_memory (es_device_get_cpu ()) / 2.0 / 48);
  const guint n = (guint) MIN (matrix * 1.1, 60000);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = es_array_new_line (n, 0.01, 0, &error);
  g_autoptr (EsRecording) recording = NULL;
  float *samples = g_new (float, (gsize) n * 64);
  guint64 seed = 1;

  if (matrix > 60000)
    {
      g_test_skip ("there is memory for any matrix");
      g_free (samples);
      return;
    }
  for (gsize i = 0; i < (gsize) n * 64; i++)
    samples[i] = es_test_uniform (&seed) - 0.5;
  recording = es_recording_new_in_memory (samples, ESK_F32, n, 8000, 64, FALSE, samples, g_free, &error);
  g_assert_no_error (error);
  es_recording_set_array (recording, array);
  g_autoptr (EsBeamSettings) settings =
    es_test_adaptive_new (recording, "band", "1000:1001", "angles", "90,91", "block", "64", "snapshots", "2", "blocks",
                          "1", NULL);
  EsAdaptiveRoute *routes = es_adaptive_compare (recording, array, settings, es_device_get_cpu (), 0, 0, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < ES_N_ADAPTIVE_METHODS - 1; i++)
    if (routes[i].method == ES_ADAPTIVE_WOODBURY)
      g_assert_null (routes[i].refusal);
    else
      g_assert_nonnull (strstr (routes[i].refusal, "memory"));
  es_adaptive_routes_free (routes);

  g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, "cpu");
  EsAdaptiveSettings adaptive = settings->adaptive;
  es_beamformer_set_probe (beamformer, 90, 1000);
  g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, 0, &error);
  g_assert_no_error (error);
  g_assert_true (es_beam_block_get_far_of (block, ES_BEAM_MVDR)[0] > 0);
  g_assert_null (es_beam_block_get_probe (block));
  adaptive.method = ES_ADAPTIVE_CHOLESKY;
  g_assert_false (es_beamformer_set_adaptive (beamformer, &adaptive, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_test_message ("%u elements: %s", n, error->message);
}

/* Cards that are full, or fall off the bus at any step: an error, nothing that stays behind, and no half a block. */
static void
test_failing_card (void)
{
  EsDevice *device = es_device_find ("cuda:1", NULL);
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (8);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsBeamSettings) settings =
    es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:10", "block", "4000", "snapshots", "8",
                          "blocks", "2", "sources", "2", NULL);
  gboolean worked = FALSE;

  for (guint n = 1; n < 40 && !worked; n++)
    {
      g_autofree char *text = g_strdup_printf ("%u", n);
      g_autoptr (GError) error = NULL;

      g_setenv ("ES_FAKE_FAIL_ALLOCATION", text, TRUE);
      g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, device, NULL, &error);
      worked = beamformer != NULL;
      if (!worked)
        g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
      g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
    }
  g_assert_true (worked);
  g_assert_cmpuint (es_buffers_get_used (device), ==, 0);

  g_autoptr (EsBeamformer) beamformer = es_test_beamformer_new (recording, settings, "cuda:1");
  g_autoptr (GError) error = NULL;
  es_beamformer_set_probe (beamformer, 60, 400);
  /* The second block: what it adds, its powers, its probe. */
  g_autoptr (EsBeamBlock) first = es_beamformer_process (beamformer, 4000, &error);
  g_assert_no_error (error);
  g_setenv ("ES_FAKE_LOSE_AT", "8", TRUE);
  g_assert_null (es_beamformer_process (beamformer, 8000, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_true (es_device_is_lost (device));
  /* Of the block before there is nothing to be had any more. */
  g_assert_null (es_beamformer_again (beamformer, &error));
  g_assert_no_error (error);
  g_assert_null (es_beamformer_process (beamformer, 8000, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_unsetenv ("ES_FAKE_LOSE_AT");
}

static void
add (const char *name, void (*function) (gconstpointer))
{
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    {
      /* A machine with one real card has no "all". */
      if (es_device_find (devices[i], NULL) == NULL)
        continue;
      g_autofree char *path = g_strdup_printf ("/adaptive-settings/%s/%s", name, devices[i]);
      g_test_add_data_func (path, devices[i], function);
    }
}

/* ---- what the first blocks cost ---- */

/* The matrices of the first blocks hold fewer snapshots: processes that share a short recording count on it. */
static void
test_early (void)
{
  g_autoptr (EsRecording) recording = es_test_adaptive_recording (8);
  g_autoptr (EsBeamSettings) small =
    es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:1", "block", "4000", "snapshots", "2",
                          "blocks", "4", "method", "woodbury", NULL);
  g_autoptr (EsBeamSettings) kept =
    es_test_adaptive_new (recording, "band", "300:500", "angles", "10:170:1", "block", "4000", "snapshots", "12",
                          "forgetting", "0.1", NULL);
  double before = 0;

  for (guint i = 0; i < 3; i++)
    {
      const double cost = es_beam_get_cost_of_early (small, 16, i);

      g_assert_cmpfloat (cost, >, before);
      g_assert_cmpfloat (cost, <, 1);
      before = cost;
    }
  g_assert_cmpfloat (es_beam_get_cost_of_early (small, 16, 3), ==, 1);
  g_assert_cmpfloat (es_beam_get_cost_of_early (small, 16, G_MAXUINT), ==, 1);
  /* A matrix that is kept is as large from the first block on. */
  g_assert_cmpfloat (es_beam_get_cost_of_early (kept, 16, 0), ==, 1);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/adaptive-settings/settings", test_settings);
  g_test_add_func ("/adaptive-settings/stages", test_stages);
  g_test_add_func ("/adaptive-settings/cost", test_cost);
  g_test_add_func ("/adaptive-settings/early", test_early);
  g_test_add_func ("/adaptive-settings/large", test_large);
  add ("compare", test_compare);
  add ("broken", test_broken);
  add ("singular", test_singular);
  /* Last: its card stays lost. */
  g_test_add_func ("/adaptive-settings/failing/card", test_failing_card);
  return g_test_run ();
}
