/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Runs of the operation cbf: what is refused and cancelled, health, memory, and a beamformer by itself. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "beam/es-beamformer.h"
#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "writers/es-write-field-private.h"
#include "es-test-beams.h"
#include "es-test-cbf.h"
#include "operations/es-operations.h"
#include "job/es-device-choose.h"

/* Scenes take longer to make than their beams: one for all es_test_cbf_devices. */
static GHashTable *scenes;

/* ---- what may go wrong ---- */

static EsRecording *
make_plain (guint elements, gsize frames)
{
  g_autoptr (EsArray) array = es_test_cbf_make_line (elements, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, frames, 1500);

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 400, 0.25, 0);
  return es_test_sonar_record (sonar, ESK_F32, 1);
}

static void
test_refused (gconstpointer data)
{
  const char *device = data;
  const struct { const char *key, *value, *key_2, *value_2; GQuark domain; int code; const char *says; } cases[] = {
    { "block", "3s", "peaks", "1", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "longer than the recording" },
    { "band", "800:1200", "peaks", "1", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "1000 Hz" },
    { "from", "1.5", "to", "1.9", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "there is no block" },
    { "from", "20", "to", "0", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER, "there is no block" },
  };
  g_autoptr (EsRecording) recording = make_plain (8, 4000);
  const guint64 used = es_buffers_get_used (es_device_find (device, NULL));

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles",
                                                         "10:169:1", cases[i].key, cases[i].value, cases[i].key_2,
                                                         cases[i].value_2, NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (es_test_run_beams ("cbf", recording, device, NULL, params, &error));
      g_assert_error (error, cases[i].domain, cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].says));
    }

  /* One element, or one channel, has no direction, but it is no failure. */
  g_autoptr (EsRecording) single = make_plain (1, 4000);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:500", "ranges",
                                                     "far", NULL);
  g_autoptr (EsResult) result = es_test_cbf_run (single, device, params);
  JsonArray *peaks = json_object_get_array_member (es_result_get_values (result), "peaks");
  g_assert_cmpuint (json_array_get_length (peaks), ==, 0);
  g_assert_nonnull (es_result_get_warnings (result));
  g_autoptr (EsParams) removed = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:500", "diagonal",
                                                      "remove", NULL);
  g_autoptr (GError) error = NULL;
  g_assert_null (es_test_run_beams ("cbf", single, device, NULL, removed, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_clear_error (&error);

  /* Without an array; with too little memory. */
  es_recording_set_array (single, NULL);
  g_assert_null (es_test_run_beams ("cbf", single, device, NULL, params, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_clear_error (&error);
  const EsLimits limits = { .memory = 10000 };
  g_assert_null (es_test_run_beams ("cbf", recording, device, &limits, params, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  if (used == 0)
    g_assert_cmpuint (es_buffers_get_used (es_device_find (device, NULL)), ==, 0);
}

static gboolean
cancel_soon (gpointer data)
{
  es_job_cancel (data);
  return G_SOURCE_REMOVE;
}

static void
test_cancel (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsRecording) recording = make_plain (64, 2000 * 40);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "block", "100ms", "angles", "1:179:0.25", NULL);
  g_autoptr (EsJob) job = es_job_new (es_operation_find ("cbf", NULL), ES_DATASET (recording), params,
                                      es_device_find (device, NULL), NULL, NULL);

  es_job_start (job);
  while (es_job_get_progress (job) <= 0 && es_job_is_active (job))
    g_main_context_iteration (NULL, FALSE);
  g_idle_add (cancel_soon, job);
  while (es_job_is_active (job))
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  g_assert_null (es_job_get_result (job));
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

/* Elements that are broken are told by name, and do not spoil the rest. */
static void
test_health (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsArray) array = es_test_cbf_make_line (12, 1.5);
  g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 4000, 8000, 1500);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "320:480", "ranges",
                                                     "far", NULL);
  gboolean has_nan = FALSE, has_clipped = FALSE, has_silent = FALSE;

  es_test_sonar_add_tone (sonar, es_test_place_far (array, 60), 400, 0.25, 0);
  for (gsize i = 0; i < sonar->frames; i++)
    {
      sonar->samples[i * 12 + 4] = i % 100 == 7 ? NAN : sonar->samples[i * 12 + 4];
      sonar->samples[i * 12 + 6] = CLAMP (20 * sonar->samples[i * 12 + 6], -1, 1);
      sonar->samples[i * 12 + 9] = 0;
    }
  /* Floats beyond full scale are not clipped there. */
  sonar->samples[100 * 12 + 2] = 1.5;
  g_autoptr (EsRecording) recording = es_test_sonar_record (sonar, ESK_F32, 1);
  g_autoptr (EsResult) result = es_test_cbf_run (recording, device, params);
  const char *const *warnings = es_result_get_warnings (result);

  g_assert_nonnull (warnings);
  for (guint i = 0; warnings[i] != NULL; i++)
    {
      has_nan = has_nan || (strstr (warnings[i], "no numbers") != NULL && strstr (warnings[i], ": 5.") != NULL);
      has_clipped = has_clipped || (strstr (warnings[i], "clipped") != NULL && strstr (warnings[i], ": 7.") != NULL);
      has_silent = has_silent || (strstr (warnings[i], "silent") != NULL && strstr (warnings[i], ": 10.") != NULL);
    }
  g_assert_true (has_nan);
  g_assert_true (has_clipped);
  g_assert_true (has_silent);
  g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 60), <, 1);
}

/* The plan knows what a es_test_cbf_run costs, and which device is chosen follows from it. */
static void
test_plan (void)
{
  const EsOperation *cbf = es_operation_find ("cbf", NULL);
  g_autoptr (EsRecording) recording = make_plain (16, 2000 * 10);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", NULL);
  g_autoptr (EsParams) wrong = es_test_beam_params ("cbf", "angles", "10:169:1", "block", "1000s", NULL);
  g_autoptr (EsParams) small = es_test_beam_params ("cbf", "angles", "10:169:1", "block", "10ms", NULL);
  g_autoptr (EsParams) adaptive = es_test_beam_params ("mvdr", "angles", "10:169:1", NULL);
  const EsLimits limits = { .threads = 1 };
  EsPlan plan = cbf->plan (ES_DATASET (recording), params, es_device_get_cpu (), NULL);
  g_autofree char *reason = NULL, *reason_2 = NULL;

  g_assert_cmpuint (plan.tiles, ==, 10);
  g_assert_cmpuint (plan.read_bytes, ==, 2000 * 10 * 16 * 4);
  g_assert_cmpfloat (plan.flops, >, 1e6);
  g_assert_cmpfloat (plan.seconds, >, 0);
  g_assert_cmpuint (plan.memory, >, 0);
  g_assert_cmpuint (plan.device_memory, ==, 0);
  /* A flop of small blocks takes longer than one of large blocks, as each block and direction has its own cost. */
  const EsPlan many = cbf->plan (ES_DATASET (recording), small, es_device_get_cpu (), NULL);
  g_assert_cmpuint (many.tiles, ==, 1000);
  g_assert_cmpfloat (many.seconds / many.flops, >, 2 * plan.seconds / plan.flops);
  g_assert_cmpfloat (many.seconds, >, many.tiles * 2e-5);
  /* On one thread work takes longer, but for what threads cost themselves; adaptive beams have more of everything. */
  if (es_device_get_lanes (es_device_get_cpu ()) > 1)
    g_assert_cmpfloat (cbf->plan (ES_DATASET (recording), params, es_device_get_cpu (), &limits).seconds, >,
                       plan.seconds);
  g_assert_cmpfloat (es_operation_find ("mvdr", NULL)->plan (ES_DATASET (recording), adaptive, es_device_get_cpu (),
                                                            NULL).seconds, >, plan.tiles * 7e-5);
  plan = cbf->plan (ES_DATASET (recording), params, es_device_find ("cuda:0", NULL), NULL);
  g_assert_cmpuint (plan.device_memory, >, 0);
  plan = cbf->plan (ES_DATASET (recording), wrong, es_device_get_cpu (), NULL);
  g_assert_cmpuint (plan.tiles, ==, 0);
  g_assert_nonnull (es_device_choose (cbf, ES_DATASET (recording), params, NULL, &reason));
  g_assert_nonnull (reason);
  g_assert_nonnull (es_device_choose (cbf, ES_DATASET (recording), wrong, NULL, &reason_2));
}

/* ---- a beamformer by itself ---- */

static gboolean
count_blocks (EsBeamBlock *block, gpointer data, GError **error)
{
  guint *n = data;

  g_assert_cmpuint (es_beam_block_get_frame (block), ==, *n * 1000);
  return ++*n < 7;
}

G_GNUC_UNUSED static gboolean
take_any (EsBeamBlock *block, gpointer data, GError **error)
{
  ++*(guint *) data;
  return TRUE;
}

static void
test_beamformer (gconstpointer data)
{
  const char *device = data;
  g_autoptr (EsRecording) recording = make_plain (8, 20000);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:500", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_find (device, NULL),
                                                           NULL, &error);
  double input, transform, beams;
  guint n = 0;

  g_assert_no_error (error);
  /* One after the other, out of order and past the end: the same as they come. */
  const guint64 frames[] = { 0, 2000, 4000, 6000, 2000, 19000, 19999, 20000, 40000, 0, 500 };
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++)
    {
      g_autoptr (EsBeamBlock) block = es_beamformer_process (beamformer, frames[i], &error);
      g_autoptr (EsBeamBlock) again = es_beamformer_process (beamformer, frames[i], &error);
      g_assert_no_error (error);
      g_assert_cmpuint (es_beam_block_get_frame (block), ==, frames[i]);
      /* The middle of a second. */
      g_assert_cmpfloat (es_beam_block_get_time (block), ==, (frames[i] + 1000) / 2000.0);
      g_assert_cmpmem (es_beam_block_get_field (block), 8 * 160 * sizeof (float), es_beam_block_get_field (again),
                       8 * 160 * sizeof (float));
      for (guint k = 0; frames[i] >= 20000 && k < 8 * 160; k++)
        g_assert_cmpfloat (es_beam_block_get_field (block)[k], ==, 0);
    }
  /* Overlapping blocks, and a taker that has enough. */
  g_assert_true (es_beamformer_run (beamformer, 0, 1000, 15, count_blocks, &n, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (n, ==, 7);
  es_beamformer_get_times (beamformer, &input, &transform, &beams);
  g_assert_cmpfloat (transform, >, 0);
  g_assert_cmpfloat (beams, >, 0);
  g_assert_cmpfloat (es_beamformer_get_setup_seconds (beamformer), >, 0);
  guint n_elements;
  const EsElementHealth *health = es_beamformer_get_health (beamformer, &n_elements);
  g_assert_cmpuint (n_elements, ==, 8);
  g_assert_cmpfloat (health[3].peak, >, 0.2);
  g_assert_cmpfloat (health[3].peak, <=, 0.25);
  g_assert_cmpuint (health[3].not_finite, ==, 0);
}

/* What a es_test_cbf_run takes does not grow with its length. (Freed memory is kept by the sanitizers.) */
static void
test_flat (void)
{
#ifndef __SANITIZE_ADDRESS__
  g_autoptr (EsRecording) recording = make_plain (8, 40000);
  g_autoptr (EsArray) array = es_recording_get_array (recording);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:500", "block",
                                                     "100ms", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, recording, array, &error);
  g_autoptr (EsBeamformer) beamformer = es_beamformer_new (recording, array, settings, es_device_get_cpu (), NULL,
                                                           &error);
  long pages[2] = { 0 };

  g_assert_no_error (error);
  for (guint round = 0; round < 2; round++)
    {
      g_autofree char *text = NULL;
      guint n = 0;

      /* Every block at the recording's beginning; each has 40 kB. */
      g_assert_true (es_beamformer_run (beamformer, 0, 0, round == 0 ? 100 : 3000, take_any, &n, NULL, &error));
      g_assert_cmpuint (n, ==, round == 0 ? 100 : 3000);
      g_assert_true (g_file_get_contents ("/proc/self/statm", &text, NULL, NULL));
      g_assert_cmpint (sscanf (text, "%*d %ld", &pages[round]), ==, 1);
    }
  g_assert_cmpint ((pages[1] - pages[0]) * 4096, <, 30 << 20);
#else
  g_test_skip ("with sanitizers memory grows");
#endif
}

/* Cards that are full or fall off the bus: the CPU goes on where that is allowed, and nothing stays behind. */
static void
test_failing_card (void)
{
  g_autoptr (EsRecording) recording = make_plain (8, 40000);
  g_autoptr (EsParams) params = es_test_beam_params ("cbf", "angles", "10:169:1", "band", "300:500", NULL);
  g_autoptr (GError) error = NULL;
  EsLimits limits = { .device_memory = 100000 };

  /* Nothing fits: the CPU does it. */
  {
    g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cuda:0", &limits, params, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (es_result_get_device_id (result), ==, "cpu");
    g_assert_nonnull (es_result_get_warnings (result));
    g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 60), <, 1);
  }
  for (guint n = 1; n <= 8; n++)
    {
      g_autofree char *text = g_strdup_printf ("%u", n);
      g_setenv ("ES_FAKE_FAIL_ALLOCATION", text, TRUE);
      g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cuda:1", NULL, params, &error);
      g_assert_no_error (error);
      g_assert_cmpfloat (fabs (es_test_peak (result, 0, "bearing_deg") - 60), <, 1);
      g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
    }
  g_assert_cmpuint (es_buffers_get_used (es_device_find ("cuda:1", NULL)), ==, 0);

  limits = (EsLimits) { .cpu_fallback = TRUE };
  g_setenv ("ES_FAKE_LOSE_AT", "37", TRUE);
  g_autoptr (EsResult) result = es_test_run_beams ("cbf", recording, "cuda:1", &limits, params, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (es_result_get_device_id (result), ==, "cpu");
  g_assert_cmpuint (json_object_get_int_member (es_result_get_values (result), "blocks"), ==, 20);
}

/* A loud line below the automatic band (320 to 480 Hz) is pointed out; not a weak one, nor noise, nor where a band was
 * chosen. */
static void
test_line_outside (gconstpointer data)
{
  static const struct { double tone, amplitude, noise; const char *band; gboolean told; } cases[] = {
    { 85.3, 0.2, 0, "", TRUE },     { 85.3, 0.01, 0, "", FALSE }, { 400, 0.2, 0, "", FALSE },
    { 85.3, 0.2, 0, "300:450", FALSE }, { 85.3, 0, 0.1, "", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsArray) array = es_test_cbf_make_line (8, 1.5);
      g_autoptr (EsTestSonar) sonar = es_test_sonar_new (array, 2000, 8000, 1500);
      g_autoptr (EsParams) params = es_test_beam_params ("cbf", "band", cases[i].band, NULL);
      g_autoptr (EsRecording) recording = NULL;
      g_autoptr (EsResult) result = NULL;
      g_autoptr (GError) error = NULL;

      es_test_sonar_add_noise (sonar, es_test_place_far (array, 60), 300, 500, 0.001, 3);
      es_test_sonar_add_white (sonar, 1e-4, 4);
      if (cases[i].amplitude > 0)
        es_test_sonar_add_tone (sonar, es_test_place_far (array, 110), cases[i].tone, cases[i].amplitude, 0);
      if (cases[i].noise > 0)
        es_test_sonar_add_noise (sonar, es_test_place_far (array, 110), 40, 300, cases[i].noise, 5);
      recording = es_test_sonar_record (sonar, ESK_F32, 1);
      result = es_test_run_beams ("cbf", recording, data, NULL, params, &error);
      g_assert_no_error (error);
      /* 10 log10 (1.5 x 2048 / 2000) */
      g_autofree char *caption = es_field_caption (ES_FIELD (es_result_find_layer (result, "lofar")), FALSE);
      g_assert_nonnull (strstr (caption, "a tone reads 1.9 dB more"));
      g_assert_cmpint (es_test_says (es_result_get_warnings (result), "a line at 85.3 Hz"), ==, cases[i].told);
      g_assert_cmpint (es_test_says (es_result_get_warnings (result), "a line at"), ==, cases[i].told);
    }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  scenes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  es_test_cbf_add ("refused", test_refused);
  es_test_cbf_add ("cancel", test_cancel);
  es_test_cbf_add ("health", test_health);
  es_test_cbf_add ("line-outside", test_line_outside);
  g_test_add_func ("/cbf/plan", test_plan);
  es_test_cbf_add ("beamformer", test_beamformer);
  g_test_add_func ("/cbf/memory/flat", test_flat);
  /* Last: its card stays lost. */
  g_test_add_func ("/cbf/failing/card", test_failing_card);
  const int status = g_test_run ();
  g_hash_table_unref (scenes);
  return status;
}
