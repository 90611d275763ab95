/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* FastICA on cards of host memory (tests/kernels/fake): the CPU's components, whether the samples stay on the
 * cards, come to the host, or are moments. */

#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "operations/reduction/es-reduction-operations-internal.h"
#include "resident/es-resident.h"
#include "es-test-sources.h"

static char *directory;

/* The thread that brings components to the host may hold some for a moment. */
static void
assert_used (EsDevice *device, guint64 bytes)
{
  for (guint i = 0; i < 100 && es_buffers_get_used (device) != bytes; i++)
    g_usleep (20000);
  g_assert_cmpuint (es_buffers_get_used (device), ==, bytes);
}

static EsImageStack *
components_of (EsResult *result)
{
  return ES_IMAGE_STACK (es_result_find_layer (result, "components"));
}

static const struct
{
  EsTestScene scene;
  const char *sample;
} cases[] = {
  { { 83, 211, 24, ESK_I16, "bsq", FALSE, -9999, NULL, 0.1 }, "1" },
  { { 83, 211, 24, ESK_I16, "bil", TRUE, NAN, NULL, 0 }, "1" },
  { { 64, 190, 24, ESK_U8, "bip", FALSE, NAN, NULL, 0 }, "0.5" },
  { { 83, 211, 24, ESK_F32, "bil", FALSE, NAN, NULL, 0.1 }, "0.5" },
};

static void
test_same_as_cpu (gconstpointer data)
{
  static const char *const devices[] = { "cuda:0", "cuda:all" };
  static const char *const contrasts[] = { "cubic", "tanh", "gauss" };
  static const char *const moments[] = { "never", "always" };
  const guint index = GPOINTER_TO_UINT (data);
  EsTestScene scene = cases[index].scene;
  g_autofree double *sources = g_new (double, 4 * scene.width * scene.height);
  g_autofree char *name = g_strdup_printf ("scene-%u", index);
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.01, 30 + index, sources);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, name);
  for (guint g = 0; g < 3; g++)
    for (guint way = 0; way < (g == 0 ? 2 : 1); way++)
      {
        g_autoptr (EsResult) cpu = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "4", "g",
                                                        contrasts[g], "moments", moments[way], "sample",
                                                        cases[index].sample, NULL);
        g_assert_no_error (error);
        g_assert_cmpfloat (es_test_worst_match (components_of (cpu), 4, sources), >=, 0.99);

        for (guint d = 0; d < 2; d++)
          {
            /* Room for the cube and the samples, for tiles only, for hardly anything. */
            static const guint64 allowed[] = { 0, 600 << 10, 300 << 10 };
            EsDevice *device = es_device_find (devices[d], NULL);

            for (guint a = 0; a < G_N_ELEMENTS (allowed); a++)
              {
                const EsLimits limits = { .device_memory = allowed[a] };
                const guint64 before = es_buffers_get_used (device);
                g_autoptr (EsResult) first = NULL;

                for (guint run = 0; run < 2; run++)
                  {
                    g_autoptr (EsResult) gpu = es_test_run_fastica (cube, devices[d], &limits, NULL, &error,
                                                                    "components", "4", "g", contrasts[g], "moments",
                                                                    moments[way], "sample", cases[index].sample, NULL);
                    g_assert_no_error (error);
                    g_assert_null (es_result_get_warnings (gpu));
                    g_assert_cmpint (json_object_get_int_member (es_result_get_values (gpu), "samples"), ==,
                                     json_object_get_int_member (es_result_get_values (cpu), "samples"));
                    g_assert_cmpfloat (es_test_difference (cpu, gpu), <, 5e-4);
                    if (first != NULL)
                      g_assert_cmpfloat (es_test_difference (first, gpu), ==, 0);
                    g_set_object (&first, gpu);
                  }
                g_clear_object (&first);
                es_resident_clear (device);
                assert_used (device, before);
              }
          }
      }
  es_test_scene_clear (&scene);
}

/* The samples stay with the result, and make room where that is needed. */
static void
test_reuses (void)
{
  EsTestScene scene = cases[0].scene;
  EsDevice *device = es_device_find ("cuda:0", NULL);
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.01, 40, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "reuses");
  g_autoptr (EsResult) first = es_test_run_fastica (cube, "cuda:0", NULL, NULL, &error, "components", "4", NULL);
  g_assert_no_error (error);
  for (guint cleared = 0; cleared < 2; cleared++)
    {
      if (cleared)
        es_buffer_caches_clear (device);
      g_autoptr (EsResult) again = es_test_run_fastica (cube, "cuda:0", NULL, first, &error, "components", "4", "g",
                                                        "gauss", NULL);
      g_assert_no_error (error);
      g_autoptr (EsResult) fresh = es_test_run_fastica (cube, "cuda:0", NULL, NULL, &error, "components", "4", "g",
                                                        "gauss", NULL);
      g_assert_no_error (error);
      guint n, whitenings = 0;
      const EsStageTime *stages = es_result_get_stages (again, &n);
      for (guint i = 0; i < n; i++)
        whitenings += strcmp (stages[i].name, "whitening") == 0;
      g_assert_cmpuint (whitenings, ==, cleared);
      g_assert_cmpfloat (es_test_difference (again, fresh), ==, 0);
    }
  /* What a card left serves another device as little as the other way round: the CPU whitens again. */
  g_autoptr (EsResult) cpu = es_test_run_fastica (cube, "cpu", NULL, first, &error, "components", "4", "g", "gauss",
                                                  NULL);
  g_assert_no_error (error);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/ica-device/same-as-cpu/%u", i);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_same_as_cpu);
    }
  g_test_add_func ("/ica-device/reuses", test_reuses);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
