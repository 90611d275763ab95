/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* PCA on cards of host memory (tests/kernels/fake): the same numbers as the CPU's, whatever way the samples
 * take, and no way in which memory or a card may fail leaves anything behind. */

#include <math.h>

#include "device/es-buffer-internal.h"
#include "cube/es-cube-internal.h"
#include "base/es-error.h"
#include "resident/es-resident.h"
#include "../job/es-test-scene.h"
#include "es-test-pca-device.h"

static char *directory;

static const EsTestScene scenes[] = {
  { 83, 211, 24, ESK_I16, "bsq", FALSE, -9999, NULL, 0.1 },
  { 83, 211, 24, ESK_I16, "bil", TRUE, NAN, NULL, 0 },
  { 64, 130, 24, ESK_U8, "bip", FALSE, NAN, NULL, 0 },
  { 131, 77, 17, ESK_U16, "bip", TRUE, 0, (const int[]) { 0, 5, 6, -1 }, 0.1 },
  { 83, 211, 24, ESK_F32, "bil", FALSE, NAN, NULL, 0.1 },
  { 64, 130, 12, ESK_F32, "bsq", TRUE, -32768, (const int[]) { 3, -1 }, 0.1 },
  { 1, 129, 5, ESK_U16, "bsq", TRUE, 0, NULL, 0.1 },
  { 129, 1, 5, ESK_F32, "bip", FALSE, NAN, NULL, 0.1 },
  { 2, 2, 3, ESK_I16, "bil", FALSE, NAN, NULL, 0 },
};

static void
test_same_as_cpu (gconstpointer data)
{
  EsTestScene scene = scenes[GPOINTER_TO_UINT (data)];
  static const char *const devices[] = { "cuda:0", "cuda:all" };
  static const char *const quantise[] = { "none", "8bit" };
  g_autofree char *name = g_strdup_printf ("scene-%u", GPOINTER_TO_UINT (data));
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 7);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, name);
  for (guint q = 0; q < 2; q++)
    {
      const double tolerance = scene.type == ESK_F32 && q == 0 ? 1e-6 : 0;
      g_autoptr (EsResult) cpu = es_test_pca_run (cube, "cpu", NULL, NULL, &error, "quantise", quantise[q], NULL);
      g_assert_no_error (error);

      for (guint d = 0; d < 2; d++)
        {
          /* Room for the cube, for tiles only, for hardly anything. */
          static const guint64 allowed[] = { 0, 600 << 10, 300 << 10 };
          EsDevice *device = es_device_find (devices[d], NULL);

          for (guint a = 0; a < G_N_ELEMENTS (allowed); a++)
            {
              const EsLimits limits = { .device_memory = allowed[a] };
              const guint64 before = es_buffers_get_used (device);

              for (guint run = 0; run < 2; run++)
                {
                  g_autoptr (EsResult) gpu = es_test_pca_run (cube, devices[d], &limits, NULL, &error, "quantise",
                                                              quantise[q],
                                                              NULL);
                  g_assert_no_error (error);
                  g_assert_null (es_result_get_warnings (gpu));
                  es_test_pca_assert_same (cpu, gpu, tolerance);
                }
              es_resident_clear (device);
              es_test_pca_assert_used (device, before);
            }
        }
    }
  es_test_scene_clear (&scene);
}

/* Every run on the same device gives the same bytes, also the first one, which brings the cube there. */
static void
test_repeats (void)
{
  EsTestScene scene = scenes[4];
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 8);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "repeats");
  g_autoptr (EsDataset) again = es_test_scene_open (&scene, directory, "repeats");
  for (guint all = 0; all < 2; all++)
    {
      const char *device = all ? "cuda:all" : "cuda:1";
      g_autoptr (EsResult) first = es_test_pca_run (cube, device, NULL, NULL, &error, NULL);
      g_autoptr (EsResult) second = es_test_pca_run (cube, device, NULL, NULL, &error, NULL);
      g_autoptr (EsResult) other = es_test_pca_run (again, device, NULL, NULL, &error, NULL);
      g_assert_no_error (error);
      es_test_pca_assert_same (first, second, 0);
      es_test_pca_assert_same (first, other, 0);
    }
  es_test_scene_clear (&scene);
}

/* ---- a source that counts what is read of it ---- */

/* The file is read once; then the card has it, until the cube goes. */
static void
test_read_once (void)
{
  static const char *const devices[] = { "cuda:0", "cuda:all" };

  for (guint d = 0; d < 2; d++)
    {
      EsDevice *device = es_device_find (devices[d], NULL);
      const guint64 before = es_buffers_get_used (device);
      g_autoptr (GError) error = NULL;
      EsTestSource *source;
      EsDataset *cube = es_test_pca_make_source (200, 300, 40, 1, 1, &source);
      const EsLimits small = { .device_memory = 2 << 20 };
      EsLimits folder = { .output_dir = directory };
      guint64 bytes;
      guint cubes;

      g_assert_false (es_resident_is_on (ES_CUBE (cube), device));
      g_autoptr (EsResult) first = es_test_pca_run (cube, devices[d], NULL, NULL, &error, NULL);
      g_assert_no_error (error);
      const int reads = source->reads;
      g_assert_cmpint (reads, >, 0);
      g_assert_true (es_resident_is_on (ES_CUBE (cube), device));
      es_resident_get_statistics (device, &bytes, &cubes);
      g_assert_cmpuint (cubes, ==, 1);
      g_assert_cmpuint (bytes, >=, 200 * 300 * 40 * 2);

      g_autoptr (EsResult) second = es_test_pca_run (cube, devices[d], NULL, NULL, &error, NULL);
      g_autoptr (EsResult) moved = es_test_pca_run (cube, devices[d], NULL, first, &error, "threshold", "0.9999", NULL);
      g_autoptr (EsResult) quantised = es_test_pca_run (cube, devices[d], NULL, NULL, &error, "quantise", "8bit", NULL);
      g_autoptr (EsResult) written = es_test_pca_run (cube, devices[d], &folder, NULL, &error, NULL);
      g_assert_no_error (error);
      g_assert_cmpint (source->reads, ==, reads);
      es_test_pca_assert_same (first, second, 0);
      es_test_pca_assert_same (first, written, 0);

      /* Another cube on the other card only does not make this one known there. */
      if (d == 0)
        g_assert_false (es_resident_is_on (ES_CUBE (cube), es_device_find ("cuda:1", NULL)));

      /* Who allows little reads it twice. */
      g_autoptr (EsResult) streamed = es_test_pca_run (cube, devices[d], &small, NULL, &error, NULL);
      g_assert_no_error (error);
      g_assert_cmpint (source->reads, >, reads);
      es_test_pca_assert_same (first, streamed, 0);

      g_object_unref (cube);
      g_clear_object (&first);
      g_clear_object (&second);
      g_clear_object (&moved);
      g_clear_object (&quantised);
      g_clear_object (&written);
      g_clear_object (&streamed);
      es_test_pca_assert_used (device, before);
    }
}

/* A moved threshold projects anew, from what is on the card, and sums nothing. */
static void
test_previous (void)
{
  EsTestSource *source;
  g_autoptr (EsDataset) cube = es_test_pca_make_source (97, 201, 20, 1, 1, &source);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsResult) first = es_test_pca_run (cube, "cuda:0", NULL, NULL, &error, "threshold", "0.7", NULL);
  g_autoptr (EsResult) moved = es_test_pca_run (cube, "cuda:0", NULL, first, &error, "threshold", "0.999", NULL);
  g_autoptr (EsResult) cpu = es_test_pca_run (cube, "cpu", NULL, NULL, &error, "threshold", "0.999", NULL);
  guint n;

  g_assert_no_error (error);
  es_test_pca_assert_same (cpu, moved, 0);
  const EsStageTime *stages = es_result_get_stages (moved, &n);
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (stages[i].name, !=, "covariance");
  es_resident_clear (es_device_find ("cuda:0", NULL));
}

/* Files of blocks: whole ones, ones as wide as the cube, and ones so large that they are cut. */
static void
test_blocks (void)
{
  static const struct { guint width, height, bands, block_width, block_height; } cases[] = {
    { 131, 257, 50, 131, 5 }, { 131, 257, 50, 64, 64 }, { 257, 131, 20, 16, 16 }, { 131, 257, 100, 131, 257 },
    { 257, 13, 100, 257, 4 }, { 700, 90, 30, 100, 90 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      EsTestSource *source;
      g_autoptr (EsDataset) cube = es_test_pca_make_source (cases[i].width, cases[i].height, cases[i].bands,
                                                            cases[i].block_width,
                                                            cases[i].block_height, &source);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) cpu = es_test_pca_run (cube, "cpu", NULL, NULL, &error, NULL);

      g_assert_no_error (error);
      for (guint all = 0; all < 2; all++)
        for (guint64 memory = 0; memory <= 4 << 20; memory += 2 << 20)
          {
            const EsLimits limits = { .device_memory = memory };
            g_autoptr (EsResult) gpu = es_test_pca_run (cube, all ? "cuda:all" : "cuda:0", &limits, NULL, &error, NULL);
            g_assert_no_error (error);
            es_test_pca_assert_same (cpu, gpu, 0);
            es_resident_clear (es_device_find ("cuda:all", NULL));
          }
    }
}

/* ---- samples that lie in page-locked memory ---- */

static void
test_staging_cube (void)
{
  static const char *const orders[] = { "bsq", "bil", "bip" };
  EsTestScene scene = scenes[0];
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 3);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "staging");
  g_autoptr (EsResult) cpu = es_test_pca_run (cube, "cpu", NULL, NULL, &error, NULL);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      EsDevice *device = es_device_find ("cuda:0", NULL);
      g_autoptr (EsCube) copy = es_cube_copy_to_staging (ES_CUBE (cube), device, orders[i], NULL, &error);
      g_assert_no_error (error);
      g_assert_true (es_cube_get_source (copy)->page_locked);

      for (guint64 memory = 0; memory <= 600 << 10; memory += 600 << 10)
        {
          const EsLimits limits = { .device_memory = memory };
          g_autoptr (EsResult) gpu = es_test_pca_run (ES_DATASET (copy), "cuda:0", &limits, NULL, &error, NULL);
          g_assert_no_error (error);
          es_test_pca_assert_same (cpu, gpu, 0);
        }
    }

  gpointer samples;
  g_autoptr (EsCube) empty = es_cube_new_in_staging (es_device_find ("cuda:0", NULL), 10, 7, 3, "float32", "bip",
                                                     &samples, &error);
  g_assert_no_error (error);
  g_assert_nonnull (samples);
  g_assert_cmpuint (es_cube_get_n_good_bands (empty), ==, 3);
  g_assert_null (es_cube_new_in_staging (es_device_find ("cuda:0", NULL), 10, 7, 3, "complex", "bip", &samples,
                                         &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/pca-device/same-as-cpu/%u", i);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_same_as_cpu);
    }
  g_test_add_func ("/pca-device/repeats", test_repeats);
  g_test_add_func ("/pca-device/read-once", test_read_once);
  g_test_add_func ("/pca-device/previous", test_previous);
  g_test_add_func ("/pca-device/blocks", test_blocks);
  g_test_add_func ("/pca-device/staging-cube", test_staging_cube);
  int status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
