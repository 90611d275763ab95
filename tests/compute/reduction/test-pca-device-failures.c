/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* PCA on cards of host memory that are full or lost, files that fail, and runs that are cancelled. */

#include <stdlib.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "cube/es-cube-internal.h"
#include "base/es-error.h"
#include "resident/es-resident.h"
#include "../job/es-test-scene.h"
#include "es-test-pca-device.h"
#include "operations/es-operations.h"

static char *directory;

/* ---- what fails ---- */

/* A card that hands out n - 1 blocks and then none, or then one less: the result, or one sentence; nothing stays. */
static void
test_out_of_memory (gconstpointer data)
{
  const char *every = data;
  EsDevice *device = es_device_find ("cuda:0", NULL), *cpu_device = es_device_get_cpu ();
  const EsLimits streamed = { .device_memory = 3 << 20 };
  guint failed = 0, done = 0, warned = 0;
  EsTestSource *source;
  g_autoptr (EsDataset) cube = es_test_pca_make_source (150, 200, 30, 1, 1, &source);
  g_autoptr (GError) cpu_error = NULL;
  g_autoptr (EsResult) cpu = es_test_pca_run (cube, "cpu", NULL, NULL, &cpu_error, NULL);

  g_assert_no_error (cpu_error);
  for (guint way = 0; way < 2; way++)
    for (guint n = 1; n <= 50; n++)
      {
        g_autofree char *value = g_strdup_printf ("%u%s", n, every);
        const guint64 before = es_buffers_get_used (device), host = es_buffers_get_used (cpu_device);
        g_autoptr (GError) error = NULL;

        es_buffers_trim (device);
        g_setenv ("ES_FAKE_FAIL_ALLOCATION", value, TRUE);
        {
          g_autoptr (EsResult) result = es_test_pca_run (cube, "cuda:0", way == 0 ? NULL : &streamed, NULL, &error,
                                                         NULL);

          g_unsetenv ("ES_FAKE_FAIL_ALLOCATION");
          if (result != NULL)
            {
              es_test_pca_assert_same (cpu, result, 0);
              done++;
              warned += es_result_get_warnings (result) != NULL;
            }
          else
            {
              g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
              g_assert_null (strchr (error->message, '\n'));
              failed++;
            }
        }
        es_resident_clear (device);
        es_test_pca_assert_used (device, before);
        es_test_pca_assert_used (cpu_device, host);
      }
  g_test_message ("done %u (of them with a warning %u), failed %u", done, warned, failed);
  g_assert_cmpuint (done, >, 0);
}

/* A card that goes at its n-th call: with and without the CPU in its place. A new value brings it back to life in the
 * back end, but not for the program: a process each. */
static void
test_lost (void)
{
  if (!g_test_subprocess ())
    {
      static const int calls[] = { 1, 2, 3, 4, 5, 6, 8, 10, 13, 21, 34, 45 };

      for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
        {
          g_autofree char *value = g_strdup_printf ("%d", calls[i]);

          g_setenv ("ES_TEST_LOSE_AT", value, TRUE);
          g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_INHERIT_STDERR);
          g_test_trap_assert_passed ();
        }
      g_unsetenv ("ES_TEST_LOSE_AT");
      return;
    }

  EsDevice *device = es_device_find ("cuda:0", NULL);
  const EsLimits limits = { .device_memory = atoi (g_getenv ("ES_TEST_LOSE_AT")) % 2 ? 3 << 20 : 0 };
  const guint64 before = es_buffers_get_used (device);
  EsTestSource *source;
  g_autoptr (EsDataset) cube = es_test_pca_make_source (150, 200, 30, 1, 1, &source);
  g_autoptr (GError) error = NULL;

  g_setenv ("ES_FAKE_LOSE_AT", g_getenv ("ES_TEST_LOSE_AT"), TRUE);
  {
    g_autoptr (EsResult) result = es_test_pca_run (cube, "cuda:0", &limits, NULL, &error, NULL);
    if (result == NULL)
      {
        g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE);
        g_assert_true (es_device_is_lost (device));
        g_assert_null (strchr (error->message, '\n'));
      }
  }
  es_resident_clear (device);
  es_test_pca_assert_used (device, before);
}

static void
test_failing_file (void)
{
  EsDevice *device = es_device_find ("cuda:all", NULL);
  const guint64 before = es_buffers_get_used (device);

  for (int n = 1; n < 12; n++)
    {
      const EsLimits limits = { .device_memory = n % 2 ? 0 : 3 << 20 };
      g_autoptr (GError) error = NULL;
      EsTestSource *source;
      g_autoptr (EsDataset) cube = es_test_pca_make_source (150, 400, 40, 1, 1, &source);

      source->fail_at = n;
      g_autoptr (EsResult) result = es_test_pca_run (cube, "cuda:all", &limits, NULL, &error, NULL);
      if (result == NULL)
        g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      g_clear_object (&result);
      g_clear_object (&cube);
      es_test_pca_assert_used (device, before);
    }
}

static gpointer
cancel_later (gpointer data)
{
  g_usleep (60 * 1000);
  g_object_set_data (data, "cancelled-at", g_memdup2 (&(gint64) { g_get_monotonic_time () }, sizeof (gint64)));
  es_job_cancel (data);
  return NULL;
}

static void
test_cancel (void)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  EsDevice *device = es_device_find ("cuda:all", NULL);
  const guint64 before = es_buffers_get_used (device);
  gint64 shortest[2] = { G_MAXINT64, G_MAXINT64 };

  g_setenv ("ES_FAKE_DELAY_US", "80000", TRUE);
  for (guint i = 0; i < 4; i++)
    {
      const EsLimits limits = { .device_memory = i % 2 ? 3 << 20 : 0, .threads = 4 };
      g_autoptr (EsParams) params = es_params_new (pca->params);
      g_autoptr (GError) error = NULL;
      EsTestSource *source;
      g_autoptr (EsDataset) cube = es_test_pca_make_source (300, 800, 40, 1, 1, &source);
      g_autoptr (EsJob) job = es_job_new (pca, cube, params, device, &limits, NULL);
      g_autoptr (EsResult) result = NULL;
      GThread *thread = g_thread_new ("cancel", cancel_later, job);

      result = es_job_run (job, &error);
      const gint64 now = g_get_monotonic_time ();
      g_thread_join (thread);
      g_assert_null (result);
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      g_autofree gint64 *cancelled = g_object_steal_data (G_OBJECT (job), "cancelled-at");
      g_test_message ("%.1f ms", (now - *cancelled) * 1e-3);
      shortest[i % 2] = MIN (shortest[i % 2], now - *cancelled);
      while (g_main_context_iteration (NULL, FALSE))
        ;
      g_clear_object (&cube);
      g_clear_object (&job);
      es_test_pca_assert_used (device, before);
    }
  g_unsetenv ("ES_FAKE_DELAY_US");
  /* Of two tries each: a machine that is busy with other things lengthens one. */
  g_assert_cmpint (shortest[0], <, 1500 * 1000);
  g_assert_cmpint (shortest[1], <, 1500 * 1000);
}

/* Three cubes of which two fit: those used last stay. */
static void
test_eviction (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);
  const guint64 before = es_buffers_get_used (device);
  g_autoptr (GError) error = NULL;
  EsTestSource *source[3];
  EsDataset *cubes[3];

  es_device_set_budget (device, 52 << 20);
  for (guint i = 0; i < 3; i++)
    {
      cubes[i] = es_test_pca_make_source (300, 400, 80, 1, 1, &source[i]);
      g_autoptr (EsResult) result = es_test_pca_run (cubes[i], "cuda:0", NULL, NULL, &error, NULL);
      g_assert_no_error (error);
      g_assert_true (es_resident_is_on (ES_CUBE (cubes[i]), device));
      g_assert_cmpuint (es_buffers_get_used (device), <=, 52 << 20);
    }
  g_assert_false (es_resident_is_on (ES_CUBE (cubes[0]), device));
  g_assert_true (es_resident_is_on (ES_CUBE (cubes[2]), device));
  es_device_set_budget (device, 0);
  for (guint i = 0; i < 3; i++)
    g_object_unref (cubes[i]);
  es_test_pca_assert_used (device, before);
}

/* What the plan says of memory is what is taken at most. */
static void
test_plan (void)
{
  const EsOperation *pca = es_operation_find ("pca", NULL);
  EsDevice *device = es_device_find ("cuda:0", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  EsTestSource *source;
  g_autoptr (EsDataset) cube = es_test_pca_make_source (200, 300, 40, 1, 1, &source);
  g_autoptr (GError) error = NULL;
  const EsLimits small = { .device_memory = 3 << 20 };
  EsPlan plan = pca->plan (cube, params, device, NULL);

  g_assert_cmpuint (plan.passes, ==, 2);
  g_assert_cmpuint (plan.read_bytes, ==, es_cube_get_bytes (ES_CUBE (cube)));
  g_assert_cmpuint (plan.device_memory, >, es_cube_get_bytes (ES_CUBE (cube)));
  g_assert_cmpfloat (plan.seconds, >, 0);
  g_assert_cmpuint (pca->plan (cube, params, device, &small).read_bytes, ==, 2 * es_cube_get_bytes (ES_CUBE (cube)));
  g_assert_cmpuint (pca->plan (cube, params, device, &small).device_memory, <, plan.device_memory);
  g_assert_cmpuint (pca->plan (cube, params, es_device_get_cpu (), NULL).device_memory, ==, 0);

  g_autoptr (EsResult) result = es_test_pca_run (cube, "cuda:0", NULL, NULL, &error, NULL);
  g_assert_no_error (error);
  plan = pca->plan (cube, params, device, NULL);
  g_assert_cmpuint (plan.read_bytes, ==, 0);
  es_resident_clear (device);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_data_func ("/pca-device/out-of-memory/once", "", test_out_of_memory);
  g_test_add_data_func ("/pca-device/out-of-memory/for-good", "+", test_out_of_memory);
  g_test_add_func ("/pca-device/lost", test_lost);
  g_test_add_func ("/pca-device/failing-file", test_failing_file);
  g_test_add_func ("/pca-device/cancel", test_cancel);
  g_test_add_func ("/pca-device/eviction", test_eviction);
  g_test_add_func ("/pca-device/plan", test_plan);
  int status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
