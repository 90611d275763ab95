/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Minimum noise fraction: noise from regions and files, and what is refused. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "es-test-mnf.h"
#include "../job/es-test-scene.h"

static char *directory;

static void
test_region (void)
{
  EsTestScene scene = { .width = 40, .height = 30, .bands = 5, .type = ESK_I16, .interleave = "bip", .no_data = -999,
                        .missing = 0.05 };
  guint bands[16];

  es_test_scene_fill (&scene, 6);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "region.img");
  g_autoptr (EsResult) result = es_test_mnf_run_well (cube, "noise=region; region=rectangle 5 7 12 9");
  g_autoptr (EsNoiseStatistics) found = es_test_noise (result);
  EsTestScene part = scene;

  part.width = 12;
  part.height = 9;
  part.values = g_new (double, 12 * 9 * 5);
  for (guint b = 0; b < 5; b++)
    for (guint p = 0; p < 12 * 9; p++)
      part.values[b * 12 * 9 + p] = scene.values[(b * 30 + 7 + p / 12) * 40 + 5 + p % 12];
  const guint n = es_test_scene_good_bands (&part, bands);
  double mean[5], covariance[25];
  gboolean valid[12 * 9];
  g_assert_cmpint (es_test_number (result, "noise_count"), ==,
                   es_test_scene_covariance (&part, bands, n, mean, covariance, valid));
  g_assert_cmpfloat (es_test_largest_difference (found->covariance, covariance, 25), <, 1e-12);
  g_assert_cmpstr (found->kind, ==, "region");

  g_autoptr (EsResult) on_card = es_test_mnf_run (cube, "cuda:all", NULL, NULL, NULL,
                                          "noise=region; region=rectangle 5 7 12 9");
  es_test_mnf_assert_alike (on_card, result);
  es_test_scene_clear (&part);
  es_test_scene_clear (&scene);
}

static void
test_dark (void)
{
  EsTestScene scene = { .width = 40, .height = 30, .bands = 5, .type = ESK_I16, .interleave = "bip", .no_data = NAN };
  EsTestScene dark = { .width = 11, .height = 60, .bands = 5, .type = ESK_U16, .interleave = "bsq", .no_data = NAN };
  guint bands[16];
  double mean[5], covariance[25];
  g_autofree gboolean *valid = g_new (gboolean, 11 * 60);

  es_test_scene_fill (&scene, 6);
  es_test_scene_fill (&dark, 7);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "scene.img");
  g_autoptr (EsDataset) dark_cube = es_test_scene_open (&dark, directory, "dark.img");
  g_autofree char *parameters = g_strdup_printf ("noise=file; noise-file=%s/dark.img", directory);
  g_autoptr (EsResult) result = es_test_mnf_run_well (cube, parameters);
  g_autoptr (EsNoiseStatistics) found = es_test_noise (result);
  g_autoptr (EsResult) on_card = es_test_mnf_run (cube, "cuda:0", NULL, NULL, NULL, parameters);

  es_test_scene_good_bands (&dark, bands);
  es_test_scene_covariance (&dark, bands, 5, mean, covariance, valid);
  g_assert_cmpfloat (es_test_largest_difference (found->covariance, covariance, 25), <, 1e-12);
  g_assert_cmpint (es_test_number (result, "noise_count"), ==, 11 * 60);
  es_test_mnf_assert_alike (on_card, result);
  es_test_scene_clear (&dark);
  es_test_scene_clear (&scene);
}

static void
test_statistics (void)
{
  EsTestScene scene = { .width = 40, .height = 30, .bands = 6, .type = ESK_I16, .interleave = "bip", .no_data = NAN };
  g_autofree char *path = g_build_filename (directory, "saved", NULL);
  g_autofree char *parameters = g_strdup_printf ("noise=file; noise-file=%s/result.json", path);
  g_autofree char *quantised = g_strconcat (parameters, "; quantise=8bit", NULL);
  g_autoptr (GFile) target = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 6);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "scene.img");
  g_autoptr (EsResult) first = es_test_mnf_run_well (cube, "noise=median-residual");
  es_write_result (first, target, ES_STACK_ENVI, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) again = es_test_mnf_run_well (cube, parameters);
  es_test_mnf_assert_same (first, again);
  g_assert_cmpstr (json_object_get_string_member (es_result_get_values (again), "noise"), ==, "median-residual");

  /* Of values that were not quantised. */
  g_assert_null (es_test_mnf_run (cube, "cpu", NULL, NULL, &error, quantised));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_clear_error (&error);

  /* Of a cube of other bands. */
  static const int bad[] = { 2, -1 };
  scene.bad_bands = bad;
  g_autoptr (EsDataset) fewer = es_test_scene_open (&scene, directory, "fewer.img");
  g_assert_null (es_test_mnf_run (fewer, "cpu", NULL, NULL, &error, parameters));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  scene.bad_bands = NULL;
  es_test_scene_clear (&scene);
  scene.bands = 5;
  es_test_scene_fill (&scene, 6);
  g_autoptr (EsDataset) other = es_test_scene_open (&scene, directory, "other.img");
  g_assert_null (es_test_mnf_run (other, "cpu", NULL, NULL, &error, parameters));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  es_test_scene_clear (&scene);
}

/* Text that is nearly noise statistics is refused, and breaks nothing. */
static void
test_statistics_damaged (void)
{
  EsTestScene scene = { .width = 20, .height = 10, .bands = 3, .type = ESK_I16, .interleave = "bip", .no_data = NAN };

  es_test_scene_fill (&scene, 6);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "small.img");
  g_autoptr (EsResult) result = es_test_mnf_run_well (cube, "");
  g_autoptr (EsNoiseStatistics) noise = es_test_noise (result);
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), es_noise_statistics_to_json (noise));
  g_autofree char *text = json_to_string (node, FALSE);
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autoptr (EsNoiseStatistics) whole = es_noise_statistics_from_json (node, "a test", NULL);
  const gsize length = strlen (text);

  g_assert_nonnull (whole);
  g_assert_cmpmem (whole->covariance, 72, noise->covariance, 72);

  /* Numbers that no covariance has: too large, and a correlation above 1. */
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (JsonObject) object = NULL;
      g_autoptr (JsonNode) impossible = json_node_alloc ();
      g_autoptr (GError) error = NULL;
      const double kept = noise->covariance[1];
      const double most = sqrt (noise->covariance[0] * noise->covariance[4]);

      noise->covariance[1] = noise->covariance[3] = i == 0 ? 1e300 : 2 * most;
      object = es_noise_statistics_to_json (noise);
      json_node_init_object (impossible, object);
      g_assert_null (es_noise_statistics_from_json (impossible, "a test", &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      noise->covariance[1] = noise->covariance[3] = kept;
    }
  for (guint round = 0; round < 3000; round++)
    {
      g_autofree char *damaged = g_strdup (text);
      g_autoptr (JsonParser) parser = json_parser_new ();

      for (gint i = g_rand_int_range (random, 1, 4); i > 0; i--)
        damaged[g_rand_int_range (random, 0, length)] = "0123456789{}[],.-eA"[g_rand_int_range (random, 0, 19)];
      if (json_parser_load_from_data (parser, damaged, -1, NULL))
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (EsNoiseStatistics) read =
            es_noise_statistics_from_json (json_parser_get_root (parser), "a test", &error);
          g_assert_true ((read != NULL) == (error == NULL));
        }
    }
  es_test_scene_clear (&scene);
}

/* ---- bad input ---- */

static void
test_refused (void)
{
  EsTestScene scene = { .width = 20, .height = 10, .bands = 4, .type = ESK_I16, .interleave = "bip", .no_data = -999 };
  EsTestScene dark = { .width = 20, .height = 10, .bands = 3, .type = ESK_I16, .interleave = "bip", .no_data = NAN };
  g_autofree char *file = g_strdup_printf ("noise=file; noise-file=%s/dark3.img", directory);
  g_autofree char *missing = g_strdup_printf ("noise=file; noise-file=%s/nowhere.img", directory);
  g_autofree char *header = g_strdup_printf ("noise=file; noise-file=%s/text.json", directory);
  g_autofree char *text = g_build_filename (directory, "text.json", NULL);

  es_test_scene_fill (&scene, 6);
  es_test_scene_fill (&dark, 6);
  g_assert_true (g_file_set_contents (text, "{\"values\": {}}", -1, NULL));
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "refused.img");
  g_autoptr (EsDataset) dark_cube = es_test_scene_open (&dark, directory, "dark3.img");

  es_test_mnf_refuse (cube, "noise=region", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  es_test_mnf_refuse (cube, "noise=region; region=rectangle 0 0 4 1", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_mnf_refuse (cube, "noise=region; region=rectangle 100 100 40 40", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_mnf_refuse (cube, "noise=file", ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  es_test_mnf_refuse (cube, file, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  es_test_mnf_refuse (cube, missing, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  es_test_mnf_refuse (cube, header, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);

  /* The parser of JSON calls itself for every bracket. */
  g_autofree char *nested = g_malloc0 (1000001);
  memset (nested, '[', 1000000);
  memcpy (nested, "{\"a\":", 5);
  g_assert_true (g_file_set_contents (text, nested, -1, NULL));
  es_test_mnf_refuse (cube, header, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_autofree char *pipe = g_build_filename (directory, "pipe", NULL);
  g_autofree char *from_pipe = g_strdup_printf ("noise=file; noise-file=%s", pipe);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  es_test_mnf_refuse (cube, from_pipe, ES_DATA_ERROR, ES_DATA_ERROR_OPEN);
  g_assert_cmpint (g_unlink (pipe), ==, 0);

  /* A chessboard of no-data has pixels whose lower right neighbour is there, but no right one and no 3 by 3. */
  for (guint p = 0; p < 200; p++)
    if ((p % 20 + p / 20) % 2 != 0)
      scene.values[p] = -999;
  g_autoptr (EsDataset) chessboard = es_test_scene_open (&scene, directory, "chessboard.img");
  es_test_mnf_refuse (chessboard, "direction=right", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_mnf_refuse (chessboard, "noise=mean-residual", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_mnf_refuse (chessboard, "direction=lower-right; keep=coherence", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  g_autoptr (EsResult) diagonal = es_test_mnf_run_well (chessboard, "direction=lower-right");
  g_assert_nonnull (diagonal);
  es_test_scene_clear (&dark);
  es_test_scene_clear (&scene);

  /* Fewer pairs than bands; one pixel. */
  EsTestScene small = { .width = 3, .height = 3, .bands = 6, .type = ESK_I16, .interleave = "bip", .no_data = NAN };
  es_test_scene_fill (&small, 2);
  g_autoptr (EsDataset) few = es_test_scene_open (&small, directory, "few.img");
  es_test_mnf_refuse (few, "", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_mnf_refuse (few, "noise=mean-residual", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_scene_clear (&small);
  small.width = small.height = 1;
  es_test_scene_fill (&small, 2);
  g_autoptr (EsDataset) one = es_test_scene_open (&small, directory, "one.img");
  es_test_mnf_refuse (one, "", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_scene_clear (&small);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/mnf-source/region", test_region);
  g_test_add_func ("/mnf-source/dark", test_dark);
  g_test_add_func ("/mnf-source/statistics", test_statistics);
  g_test_add_func ("/mnf-source/statistics-damaged", test_statistics_damaged);
  g_test_add_func ("/mnf-source/refused", test_refused);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
