/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Simulated cubes as files: headers, shapes, parts, and failures. */

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/es-error.h"
#include "readers/es-open.h"
#include "simulate/es-simulate-private.h"
#include "simulate/es-simulate.h"
#include "writers/es-companion.h"
#include "es-test-folder.h"

/* The same samples in every order of the file, which also means in pieces of another size. */
static void
test_interleaves (gconstpointer data)
{
  const gsize width = 150, height = 9, bands = 31;
  const char *type = data;
  const gsize size = g_str_equal (type, "uint8") ? 1 : g_str_equal (type, "float32") ? 4 : 2;
  g_autofree char *setting = g_strconcat ("type=", type, NULL);
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  static const char *const orders[] = { "bsq", "bil", "bip" };
  char *bytes[4];

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *interleave = g_strconcat ("interleave=", orders[i % 3], NULL);
      es_test_simulate_cube (folder, "a.img", "width=150", "height=9", "bands=31", setting, interleave,
                             i == 3 ? "byte-order=big" : "byte-order=little", NULL);
      gsize length;
      bytes[i] = es_test_read (folder, "a.img", &length);
      g_assert_cmpuint (length, ==, width * height * bands * size);
    }
  for (gsize b = 0; b < bands; b++)
    for (gsize y = 0; y < height; y++)
      for (gsize x = 0; x < width; x++)
        {
          const char *bsq = bytes[0] + ((b * height + y) * width + x) * size;
          const char *big = bytes[3] + ((b * height + y) * width + x) * size;

          g_assert_cmpmem (bsq, size, bytes[1] + ((y * bands + b) * width + x) * size, size);
          g_assert_cmpmem (bsq, size, bytes[2] + ((y * width + x) * bands + b) * size, size);
          for (gsize k = 0; k < size; k++)
            g_assert_cmpint (bsq[k], ==, big[size - 1 - k]);
        }
  for (guint i = 0; i < 4; i++)
    g_free (bytes[i]);
}

/* A landscape and its noise are the same whatever window they are asked for in. */
static void
test_windows (void)
{
  const gsize width = 61, height = 47, pixels = width * height;
  g_autofree float *whole = g_new (float, pixels * ES_N_MATERIALS), *light = g_new (float, pixels);
  g_autofree float *part = g_new (float, pixels * ES_N_MATERIALS), *part_light = g_new (float, pixels);
  g_autofree guint8 *missing = g_new (guint8, pixels), *part_missing = g_new (guint8, pixels);
  EsScene scene;

  es_scene_init (&scene, width, height, 5, 0.5, 0.1);
  es_scene_render (&scene, 0, 0, width, height, whole, light, missing);
  for (gsize y = 0; y < height; y += 11)
    for (gsize x = 0; x < width; x += 17)
      {
        gsize w = MIN (17, width - x), h = MIN (11, height - y);

        es_scene_render (&scene, x, y, w, h, part, part_light, part_missing);
        for (gsize j = 0; j < h; j++)
          for (gsize i = 0; i < w; i++)
            {
              gsize p = (y + j) * width + x + i, q = j * w + i;
              for (guint k = 0; k < ES_N_MATERIALS; k++)
                g_assert_cmpfloat (whole[k * pixels + p], ==, part[k * w * h + q]);
              g_assert_cmpfloat (light[p], ==, part_light[q]);
              g_assert_cmpint (missing[p], ==, part_missing[q]);
            }
      }

  float noise[100] = { 0 }, pieces[100] = { 0 };
  es_random_add_normal (noise, 100, 77, 1000, 2);
  es_random_add_normal (pieces, 3, 77, 1000, 2);
  es_random_add_normal (pieces + 3, 97, 77, 1003, 2);
  g_assert_cmpmem (noise, sizeof noise, pieces, sizeof pieces);
}

/* The header as our own reader understands it, and samples that agree with it. */
static void
test_header (gconstpointer data)
{
  const char *type = data;
  g_autofree char *setting = g_strconcat ("type=", type, NULL);
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) file = es_test_file (folder, "scene.img");
  g_autoptr (GError) error = NULL;
  const guint64 width = 100, height = 80;
  const guint bands = 60;
  g_autofree float *plane = g_new (float, width * height), *dead = g_new (float, width * height);
  guint rgb[3], n_dead = 0, missing = 0;

  es_test_simulate_cube (folder, "scene.hdr", "width=100", "height=80", "bands=60", setting, "dead-bands=3",
                         "no-data=5%",
                         NULL);
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  EsCube *cube = ES_CUBE (dataset);

  g_assert_cmpuint (es_cube_get_width (cube), ==, width);
  g_assert_cmpuint (es_cube_get_height (cube), ==, height);
  g_assert_cmpuint (es_cube_get_bands (cube), ==, bands);
  g_assert_cmpstr (es_cube_get_type_name (cube), ==, type);
  g_assert_cmpfloat (es_cube_get_wavelengths (cube)[0], ==, 400);
  g_assert_cmpfloat (es_cube_get_wavelengths (cube)[bands - 1], ==, 2500);
  g_assert_cmpfloat_with_epsilon (es_cube_get_fwhm (cube)[7], 1.1 * 2100 / 59, 1e-3);
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, bands - 3);
  g_assert_cmpstr (es_cube_pick_rgb (cube, rgb), ==, "header");
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[rgb[0]], 640, 18);
  g_assert_cmpfloat_with_epsilon (es_cube_get_wavelengths (cube)[rgb[2]], 460, 18);
  g_assert_cmpfloat (es_cube_get_geotransform (cube)[0], ==, 372000);
  g_assert_cmpfloat (es_cube_get_geotransform (cube)[1], ==, 30);
  g_assert_nonnull (es_cube_get_projection (cube));

  g_assert_true (es_cube_read_band (cube, rgb[1], 0, 0, width, height, 1, plane, NULL, &error));
  for (gsize p = 0; p < width * height; p++)
    if (isnan (plane[p]))
      missing++;
    else
      {
        g_assert_cmpfloat (plane[p], >, -0.05);
        g_assert_cmpfloat (plane[p], <, 1.5);
      }
  g_assert_cmpfloat_with_epsilon ((double) missing / (width * height), 0.05, 0.005);
  for (guint b = 0; b < bands; b++)
    {
      if (es_cube_get_good_bands (cube)[b])
        continue;
      n_dead++;
      g_assert_true (es_cube_read_band (cube, b, 0, 0, width, height, 1, dead, NULL, &error));
      for (gsize p = 0; p < width * height; p++)
        if (!isnan (plane[p]))
          g_assert_cmpfloat (dead[p], ==, 0);
    }
  g_assert_cmpuint (n_dead, ==, 3);

  g_autoptr (GFile) truth_file = es_test_file (folder, "scene_abundances.img");
  g_autoptr (EsDataset) truth = es_dataset_open (truth_file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_cube_get_bands (ES_CUBE (truth)), ==, ES_N_MATERIALS);
  g_assert_cmpstr (es_cube_get_band_name (ES_CUBE (truth), 2), ==, "Water");
}

/* The least, the most uneven, and one so wide in bands that rows are made in parts. */
static void
test_shapes (void)
{
  const struct { const char *width, *height, *bands; gsize samples; } shapes[] = {
    { "width=1", "height=1", "bands=1", 1 },
    { "width=1", "height=300", "bands=2", 600 },
    { "width=257", "height=1", "bands=3", 771 },
    { "width=300", "height=2", "bands=9000", 5400000 },
  };
  static const char *const orders[] = { "interleave=bsq", "interleave=bil", "interleave=bip" };

  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++)
    for (guint k = 0; k < G_N_ELEMENTS (orders); k++)
      {
        g_autoptr (EsTestFolder) folder = es_test_folder_make ();
        gsize length, nonzero = 0;

        es_test_simulate_cube (folder, "scene.img", shapes[i].width, shapes[i].height, shapes[i].bands, orders[k],
                               "noise=0", "stripes=0", "no-data=0", "dead-bands=0", NULL);
        g_autofree gint16 *samples = (gint16 *) es_test_read (folder, "scene.img", &length);
        g_assert_cmpuint (length, ==, shapes[i].samples * 2);
        for (gsize p = 0; p < shapes[i].samples; p++)
          nonzero += samples[p] > 0;
        g_assert_cmpuint (nonzero, ==, shapes[i].samples);
      }
}

/* Rows that are made in parts hold what whole ones do: the first band does not depend on how many follow. */
static void
test_parts (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();

  es_test_simulate_cube (folder, "whole.img", "width=300", "height=1", "bands=50", "dead-bands=0", "stripes=1%", NULL);
  es_test_simulate_cube (folder, "parts.img", "width=300", "height=1", "bands=9000", "dead-bands=0", "stripes=1%",
                         NULL);
  g_autofree char *whole = es_test_read (folder, "whole.img", NULL);
  g_autofree char *parts = es_test_read (folder, "parts.img", NULL);
  g_assert_cmpmem (whole, 600, parts, 600);
}

/* ---- failures ---- */

static void
cancel_now (double fraction, gpointer data)
{
  g_cancellable_cancel (data);
}

static void
test_failures (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);
  g_autoptr (GFile) target = es_test_file (folder, "scene.img");
  g_autoptr (GFile) nowhere = es_test_file (folder, "missing/scene.img");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) foreign = NULL, cancelled = NULL, absurd = NULL, full = NULL, no_folder = NULL;

  es_test_write_text (folder, "scene.img", "old cube");
  es_test_write_text (folder, "scene.hdr", "old header");

  /* It is no simulation, and nobody has agreed. */
  g_assert_false (es_simulate_cube (target, params, NULL, NULL, NULL, &foreign));
  g_assert_error (foreign, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  es_companion_agree (target);

  g_assert_false (es_simulate_cube (target, params, cancel_now, cancellable, cancellable, &cancelled));
  g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);

  es_test_limit_files (100000);
  g_assert_false (es_simulate_cube (target, params, NULL, NULL, NULL, &full));
  es_test_limit_files (G_MAXUINT64);
  g_assert_error (full, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);

  g_assert_false (es_simulate_cube (nowhere, params, NULL, NULL, NULL, &no_folder));
  g_assert_error (no_folder, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);

  es_params_set_value (params, "width", 1000000);
  es_params_set_value (params, "height", 1000000);
  es_params_set_value (params, "bands", 65535);
  g_assert_false (es_simulate_cube (target, params, NULL, NULL, NULL, &absurd));
  g_assert_error (absurd, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_nonnull (strstr (absurd->message, "scene.img"));

  g_autofree char *files = es_test_folder_list (folder);
  g_assert_cmpstr (files, ==, "scene.hdr scene.img");
  es_test_assert_text (folder, "scene.img", "old cube");
  es_test_assert_text (folder, "scene.hdr", "old header");
}

int
main (int argc, char **argv)
{
  static const char *const types[] = { "uint8", "int16", "uint16", "float32" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulate/windows", test_windows);
  g_test_add_func ("/simulate/shapes", test_shapes);
  g_test_add_func ("/simulate/parts", test_parts);
  g_test_add_func ("/simulate/failures", test_failures);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autofree char *interleaves = g_strdup_printf ("/simulate/interleaves/%s", types[i]);
      g_autofree char *header = g_strdup_printf ("/simulate/header/%s", types[i]);
      g_test_add_data_func (interleaves, types[i], test_interleaves);
      g_test_add_data_func (header, types[i], test_header);
    }
  return g_test_run ();
}
