/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which devices are found, and what is said where there is none; with cards of host memory, for ES_CUDA_MODULE names
 * the module of tests/kernels/fake. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "job/es-job-internal.h"
#include "result/es-result-internal.h"
#include "es-test-devices.h"
#include "es-test-scene.h"
#include "job/es-device-choose.h"

static EsDevice *
nth_device (guint i)
{
  g_autoptr (EsDevice) device = g_list_model_get_item (es_devices_get (), i);

  g_assert_nonnull (device);
  return device;
}

static void
assert_ids (const char *expected)
{
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (es_devices_get ()); i++)
    g_string_append_printf (ids, "%s%s", i > 0 ? " " : "", es_device_get_id (nth_device (i)));
  g_assert_cmpstr (ids->str, ==, expected);
}

static void
test_list (void)
{
  EsDeviceStatus status;
  g_autoptr (GError) error = NULL;

  if (!es_test_in_own_process ("ES_FAKE_DEVICES", NULL, NULL))
    return;
  assert_ids ("cuda:0 cuda:1 cuda:all cpu");
  g_assert_null (es_devices_why_no_gpu ());

  EsDevice *card = es_device_find ("cuda:1", NULL), *all = es_device_find ("cuda:all", NULL);
  EsDevice *cpu = es_device_get_cpu ();
  g_assert_true (card == nth_device (1));
  g_assert_cmpint (es_device_get_kind (card), ==, ES_DEVICE_GPU);
  g_assert_cmpstr (es_device_get_name (card), ==, "Fake card 1");
  g_assert_cmpstr (es_device_get_backend (card), ==, "cuda");
  g_assert_cmpint (es_device_get_index (card), ==, 1);
  g_assert_cmpuint (es_device_get_memory (card), ==, 256 << 20);
  g_assert_cmpuint (es_device_get_lanes (card), >=, 1);
  g_assert_cmpuint (es_device_get_lanes (card), <=, 8);
  g_assert_nonnull (strstr (es_device_get_detail (card), "compute capability 9.0, PCIe 5 x16"));
  g_assert_true (es_device_get_status (card, &status));
  g_assert_cmpuint (status.memory, ==, 256 << 20);
  g_assert_cmpfloat (status.busy, ==, 0.25);
  g_assert_cmpint (status.driver, ==, 13000);
  g_assert_cmpuint (es_device_get_n_members (card), ==, 1);
  g_assert_true (es_device_get_member (card, 0) == card);

  g_assert_cmpint (es_device_get_kind (all), ==, ES_DEVICE_ALL_GPUS);
  g_assert_cmpuint (es_device_get_n_members (all), ==, 2);
  g_assert_true (es_device_get_member (all, 1) == card);
  g_assert_cmpuint (es_device_get_memory (all), ==, 512 << 20);
  g_assert_cmpuint (es_device_get_lanes (all), ==, 2 * es_device_get_lanes (card));
  g_assert_false (es_device_get_status (all, &status));

  g_assert_cmpint (es_device_get_kind (cpu), ==, ES_DEVICE_CPU);
  g_assert_cmpuint (es_device_get_budget (cpu), ==, 0);
  g_assert_true (es_device_get_member (cpu, 0) == cpu);
  g_assert_false (es_device_get_status (cpu, &status));

  /* What is allowed. */
  guint64 budget = es_device_get_budget (card);
  g_assert_cmpuint (budget, >, 64 << 20);
  g_assert_cmpuint (budget, <, 256 << 20);
  g_assert_cmpuint (es_device_get_budget (all), ==, 2 * budget);
  es_device_set_budget (card, 20 << 20);
  g_assert_cmpuint (es_device_get_budget (card), ==, 20 << 20);
  g_assert_cmpuint (es_device_get_budget (all), ==, budget + (20 << 20));
  es_device_set_budget (all, 60 << 20);
  g_assert_cmpuint (es_device_get_budget (card), ==, 30 << 20);
  es_device_set_budget (all, 0);
  g_assert_cmpuint (es_device_get_budget (card), ==, budget);

  g_assert_null (es_device_find ("cuda:2", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "“cuda:2”"));
  g_assert_nonnull (strstr (error->message, "cuda:0, cuda:1, cuda:all, cpu"));

  for (guint i = 0; i < 4; i++)
    {
      g_assert_cmpfloat (es_device_get_flops (nth_device (i)), >, 1e6);
      g_assert_cmpfloat (es_device_get_bandwidth (nth_device (i)), >, 1e6);
    }
  g_assert_cmpfloat (es_device_get_flops (all), ==, es_device_get_flops (nth_device (0)) + es_device_get_flops (card));
}

static void
test_one_card (void)
{
  if (!es_test_in_own_process ("ES_FAKE_DEVICES", "1", NULL))
    return;
  assert_ids ("cuda:0 cpu");
  g_assert_null (es_device_find ("cuda:all", NULL));
}

/* The CPU alone, and why. */
static void
assert_no_gpu (const char *why)
{
  g_autoptr (GError) error = NULL;

  assert_ids ("cpu");
  g_test_message ("%s", es_devices_why_no_gpu ());
  g_assert_nonnull (strstr (es_devices_why_no_gpu (), why));
  g_assert_null (es_device_find ("cuda:0", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "“cuda:0”"));
  g_assert_nonnull (strstr (error->message, "cpu"));
  g_assert_nonnull (strstr (error->message, why));
}

static void
test_no_card (void)
{
  if (es_test_in_own_process ("ES_FAKE_DEVICES", "0", NULL))
    assert_no_gpu ("no fake card is plugged in");
}

static void
test_no_module (void)
{
  if (es_test_in_own_process ("ES_CUDA_MODULE", "/nowhere/libeigenscope-cuda.so", NULL))
    assert_no_gpu ("/nowhere/libeigenscope-cuda.so");
}

static void
test_turned_off (void)
{
  if (es_test_in_own_process ("ES_CUDA_MODULE", "none", NULL))
    assert_no_gpu ("turned off");
}

static void
test_other_abi (void)
{
  if (es_test_in_own_process ("ES_FAKE_ABI", "99", NULL))
    assert_no_gpu ("it is made for interface 99");
}

/* A library, but not such a one. */
static void
test_other_library (void)
{
  if (es_test_in_own_process ("ES_CUDA_MODULE", "libm.so.6", NULL))
    assert_no_gpu (ESK_MODULE_ENTRY);
}

/* How long a process of its own looks for a driver, written into a file. */
static void
look_for_driver (const char *path)
{
  gint64 start = g_get_monotonic_time ();
  const char *why = es_devices_why_no_gpu ();
  double ms = (g_get_monotonic_time () - start) * 1e-3;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (why == NULL || strstr (why, "driver is installed") == NULL)
    ms = 0;                    /* there is a driver: the other tests are of more use */
  else
    assert_no_gpu ("No NVIDIA driver is installed");
  g_assert_true (g_file_set_contents (path, g_ascii_dtostr (text, sizeof text, ms), -1, NULL));
}

/* As on a machine without the driver: nothing else is touched, and nobody waits. A busy machine makes one look slow,
 * not every one. */
static void
test_no_driver (void)
{
  g_autofree char *path = NULL;
  double best = INFINITY;

  if (g_test_subprocess ())
    {
      look_for_driver (g_getenv ("ES_TEST_MS"));
      return;
    }
  path = g_build_filename (g_get_tmp_dir (), "eigenscope-no-driver-XXXXXX", NULL);
  g_assert_true (g_close (g_mkstemp (path), NULL));
  for (guint i = 0; i < 10 && !(best < 20); i++)
    {
      g_autofree char *text = NULL;

      es_test_in_own_process ("ES_CUDA_MODULE", NULL, "ES_TEST_MS", path, NULL);
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL) && *text != '\0');
      best = MIN (best, g_ascii_strtod (text, NULL));
      g_test_message ("%s ms", text);
    }
  g_remove (path);
  g_assert_cmpfloat (best, <, 20);
}

/* ---- in the background ---- */

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, guint *n)
{
  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  *n += 1;
}

static void
spin_until (guint *n)
{
  gint64 end = g_get_monotonic_time () + 90 * G_USEC_PER_SEC;

  while (*n == 0 && g_get_monotonic_time () < end)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (*n, ==, 1);
}

static void
start_and_wait (void)
{
  guint n = 0;

  g_assert_true (g_main_context_acquire (NULL));
  es_devices_start ();
  es_devices_start ();
  GListModel *devices = es_devices_get ();
  g_assert_cmpuint (g_list_model_get_n_items (devices), ==, 1);
  g_assert_true (nth_device (0) == es_device_get_cpu ());
  g_signal_connect (devices, "items-changed", G_CALLBACK (on_items_changed), &n);
  spin_until (&n);
  g_assert_true (es_devices_get () == devices);
  g_main_context_release (NULL);
  es_devices_stop ();
}

static void
test_background (void)
{
  if (!es_test_in_own_process ("ES_FAKE_DELAY_US", "1000", NULL))
    return;
  start_and_wait ();
  assert_ids ("cuda:0 cuda:1 cuda:all cpu");

  /* The main loop is given an estimate of a card that has not been started. */
  g_assert_true (g_main_context_acquire (NULL));
  gint64 start = g_get_monotonic_time ();
  g_assert_cmpfloat (es_device_get_flops (es_device_find ("cuda:1", NULL)), >, 0);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 500000);
  g_main_context_release (NULL);
  es_devices_stop ();
  g_assert_true (es_device_is_started (es_device_find ("cuda:1", NULL)));
}

/* The end of the search is told even where it found nothing. */
static void
test_background_none (void)
{
  if (!es_test_in_own_process ("ES_FAKE_DEVICES", "0", NULL))
    return;
  start_and_wait ();
  assert_no_gpu ("no fake card is plugged in");
}

/* ---- lost ---- */

static void
count_notify (EsDevice *device, GParamSpec *spec, guint *n)
{
  g_assert_true (g_main_context_is_owner (g_main_context_default ()));
  *n += 1;
}

static void
test_lost (void)
{
  guint n = 0, n_all = 0;
  g_autoptr (GError) error = NULL;

  if (!es_test_in_own_process ("ES_FAKE_DEVICES", "3", NULL))
    return;
  EsDevice *card = es_device_find ("cuda:1", NULL), *all = es_device_find ("cuda:all", NULL);
  g_signal_connect (card, "notify::lost", G_CALLBACK (count_notify), &n);
  g_signal_connect (all, "notify::lost", G_CALLBACK (count_notify), &n_all);

  g_assert_false (es_device_check (card, NULL, ESK_ERROR_DEVICE, "a trial", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_clear_error (&error);
  g_assert_false (es_device_is_lost (card));
  g_assert_false (es_device_check (card, NULL, ESK_ERROR_MEMORY, "a trial", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "Fake card 1 (cuda:1)"));
  g_clear_error (&error);

  for (int i = 0; i < 2; i++)
    {
      g_assert_false (es_device_check (card, NULL, ESK_ERROR_LOST, "a trial", &error));
      g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
      g_assert_nonnull (strstr (error->message, "Fake card 1 (cuda:1) was lost at a trial"));
      g_clear_error (&error);
    }
  g_assert_true (es_device_is_lost (card));
  g_assert_true (es_device_is_lost (all));
  g_assert_cmpuint (n, ==, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (n_all, ==, 1);

  g_assert_null (es_device_find ("cuda:1", &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
  g_assert_nonnull (strstr (error->message, "lost"));
  g_assert_null (es_device_find ("cuda:all", NULL));
  g_assert_nonnull (es_device_find ("cuda:2", NULL));
}

/* A card that answers nothing but that it is gone. */
static void
test_lost_by_asking (void)
{
  EsDeviceStatus status;

  if (!es_test_in_own_process ("ES_FAKE_LOSE_AT", "1", NULL))
    return;
  EsDevice *card = es_device_find ("cuda:0", NULL);
  EskStream *stream = es_device_get_hotspots (card)->stream->stream_new (0);
  g_assert_cmpint (es_device_get_hotspots (card)->device->wait (stream), ==, ESK_ERROR_LOST);
  es_device_get_hotspots (card)->stream->stream_free (stream);
  g_assert_false (es_device_is_lost (card));
  g_assert_false (es_device_get_status (card, &status));
  g_assert_true (es_device_is_lost (card));
}

/* ---- choosing ---- */

static double cpu_seconds, gpu_seconds, all_seconds;

static EsPlan
plan_seconds (EsDataset *dataset, EsParams *params, EsDevice *device, const EsLimits *limits)
{
  EsPlan plan = { 0 };

  plan.seconds = es_device_is_cpu (device) ? cpu_seconds
                 : es_device_get_kind (device) == ES_DEVICE_ALL_GPUS ? all_seconds : gpu_seconds;
  return plan;
}

static void
assert_choice (const char *id, const char *reason_has)
{
  static const EsParamSpec specs[] = { { .type = ES_PARAM_END } };
  static const EsOperation operation = { .id = "none", .title = "None", .short_title = "None", .summary = "None",
                                         .version = 1, .takes = ES_DATASET_CUBE, .params = specs,
                                         .plan = plan_seconds };
  EsTestScene scene = { 8, 8, 4, ESK_U8, "bsq", FALSE, NAN, NULL, 0 };
  g_autofree char *directory = es_test_directory (), *reason = NULL;
  g_autoptr (EsParams) params = es_params_new (specs);

  es_test_scene_fill (&scene, 1);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "scene");
  EsDevice *chosen = es_device_choose (&operation, cube, params, NULL, &reason);
  g_test_message ("%s: %s", es_device_get_id (chosen), reason);
  g_assert_cmpstr (es_device_get_id (chosen), ==, id);
  g_assert_nonnull (strstr (reason, reason_has));
  es_test_scene_clear (&scene);
  es_test_remove (directory);
}

static void
test_choose (void)
{
  if (!es_test_in_own_process ("ES_FAKE_DEVICES", NULL, NULL))
    return;
  cpu_seconds = 0.05, gpu_seconds = 0.001, all_seconds = 0.001;
  assert_choice ("cpu", "less than a GPU takes to start");
  g_assert_false (es_devices_are_known ());
  cpu_seconds = 10, gpu_seconds = 20, all_seconds = 15;
  assert_choice ("cpu", "would not be quicker");
  cpu_seconds = 1.9, gpu_seconds = 0.1, all_seconds = 0.09;
  assert_choice ("cuda:0", "1.9 s on the CPU");
  cpu_seconds = 100, gpu_seconds = 10, all_seconds = 5.5;
  assert_choice ("cuda:all", "100 s on the CPU");

  /* Once started a card is quick at small things, too. */
  g_assert_true (es_device_prepare (es_device_find ("cuda:1", NULL), NULL));
  cpu_seconds = 0.2, gpu_seconds = 0.02, all_seconds = 0.02;
  assert_choice ("cuda:1", "20 ms, 0.2 s on the CPU");

  es_device_mark_lost (es_device_find ("cuda:1", NULL));
  cpu_seconds = 100, gpu_seconds = 10, all_seconds = 5.5;
  assert_choice ("cuda:0", "on the CPU");
  es_device_mark_lost (es_device_find ("cuda:0", NULL));
  assert_choice ("cpu", "");
}

static void
test_choose_full (void)
{
  g_autoptr (GError) error = NULL;

  if (!es_test_in_own_process ("ES_FAKE_MEMORY", "1000000", NULL))
    return;
  cpu_seconds = 100, gpu_seconds = 1, all_seconds = 1;
  assert_choice ("cpu", "too little memory free");
  g_assert_false (es_device_prepare (es_device_find ("cuda:0", NULL), &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, "Fake card 0 (cuda:0)"));
}

static void
test_choose_none (void)
{
  if (!es_test_in_own_process ("ES_FAKE_DEVICES", "0", NULL))
    return;
  cpu_seconds = 100, gpu_seconds = 1, all_seconds = 1;
  assert_choice ("cpu", "no fake card is plugged in");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/device/list", test_list);
  g_test_add_func ("/device/one-card", test_one_card);
  g_test_add_func ("/device/no-card", test_no_card);
  g_test_add_func ("/device/no-module", test_no_module);
  g_test_add_func ("/device/turned-off", test_turned_off);
  g_test_add_func ("/device/other-abi", test_other_abi);
  g_test_add_func ("/device/other-library", test_other_library);
  g_test_add_func ("/device/no-driver", test_no_driver);
  g_test_add_func ("/device/background", test_background);
  g_test_add_func ("/device/background-none", test_background_none);
  g_test_add_func ("/device/lost", test_lost);
  g_test_add_func ("/device/lost-by-asking", test_lost_by_asking);
  g_test_add_func ("/device/choose", test_choose);
  g_test_add_func ("/device/choose-full", test_choose_full);
  g_test_add_func ("/device/choose-none", test_choose_none);
  return g_test_run ();
}
