/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>

#include "base/es-error.h"
#include "readers/es-open.h"
#include "simulate/es-simulate-private.h"
#include "simulate/es-simulate.h"
#include "es-test-folder.h"

static const char all_files[] =
  "scene.hdr scene.img scene_abundances.hdr scene_abundances.img scene_endmembers.csv";

/* settings: "key=value", NULL at the end. */
static void
simulate (const char *folder, const char *name, ...)
{
  g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);
  g_autoptr (GFile) target = es_test_file (folder, name);
  g_autoptr (GError) error = NULL;
  const char *setting;
  va_list settings;

  va_start (settings, name);
  while ((setting = va_arg (settings, const char *)) != NULL)
    {
      g_auto (GStrv) pair = g_strsplit (setting, "=", 2);
      es_params_parse (params, pair[0], pair[1], &error);
      g_assert_no_error (error);
    }
  va_end (settings);
  es_simulate_cube (target, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
check_same (const char *folder, const char *a, const char *b, gboolean same)
{
  gsize a_length, b_length;
  g_autofree char *a_bytes = es_test_read (folder, a, &a_length);
  g_autofree char *b_bytes = es_test_read (folder, b, &b_length);

  g_assert_cmpuint (a_length, ==, b_length);
  g_assert_true ((memcmp (a_bytes, b_bytes, a_length) == 0) == same);
}

static void
test_deterministic (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  cpu_set_t all, one;

  simulate (folder, "a.img", "width=90", "height=70", "bands=40", NULL);
  simulate (folder, "b.img", "width=90", "height=70", "bands=40", NULL);
  simulate (folder, "c.img", "width=90", "height=70", "bands=40", "seed=2", NULL);
  check_same (folder, "a.img", "b.img", TRUE);
  check_same (folder, "a.hdr", "b.hdr", TRUE);
  check_same (folder, "a_abundances.img", "b_abundances.img", TRUE);
  check_same (folder, "a_endmembers.csv", "b_endmembers.csv", TRUE);
  check_same (folder, "a.img", "c.img", FALSE);
  check_same (folder, "a_abundances.img", "c_abundances.img", FALSE);

  /* One thread instead of as many as there are. */
  g_assert_cmpint (sched_getaffinity (0, sizeof all, &all), ==, 0);
  CPU_ZERO (&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT (&one) == 0; i++)
    if (CPU_ISSET (i, &all))
      CPU_SET (i, &one);
  g_assert_cmpint (sched_setaffinity (0, sizeof one, &one), ==, 0);
  simulate (folder, "d.img", "width=90", "height=70", "bands=40", NULL);
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
  check_same (folder, "a.img", "d.img", TRUE);
}

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
      simulate (folder, "a.img", "width=150", "height=9", "bands=31", setting, interleave,
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

static void
test_noise (void)
{
  const gsize n = 200000;
  g_autofree float *a = g_new0 (float, n), *b = g_new0 (float, n);
  double sum = 0, squares = 0, next = 0, across = 0, fourth = 0;

  es_random_add_normal (a, n, 1, 0, 1);
  es_random_add_normal (b, n, 2, 0, 1);
  for (gsize i = 0; i < n; i++)
    {
      sum += a[i];
      squares += a[i] * a[i];
      fourth += pow (a[i], 4);
      across += a[i] * b[i];
      if (i > 0)
        next += a[i] * a[i - 1];
    }
  /* Five standard errors. */
  g_assert_cmpfloat (fabs (sum / n), <, 5 / sqrt (n));
  g_assert_cmpfloat (fabs (squares / n - 1), <, 5 * sqrt (2.0 / n));
  g_assert_cmpfloat (fabs (next / n), <, 5 / sqrt (n));
  g_assert_cmpfloat (fabs (across / n), <, 5 / sqrt (n));
  /* Four uniform numbers have a kurtosis of 2.7, a normal one 3. */
  g_assert_cmpfloat (fabs (fourth / n - 2.7), <, 0.1);
}

static void
check_spectra_csv (const char *folder, guint bands, double *endmembers)
{
  g_autofree char *text = es_test_read (folder, "scene_endmembers.csv", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);

  g_assert_cmpuint (g_strv_length (lines), ==, bands + 2);
  g_assert_cmpstr (lines[0], ==, "Wavelength (nm),Vegetation,Soil,Water,Kaolinite,Iron oxide");
  for (guint b = 0; b < bands; b++)
    {
      g_auto (GStrv) cells = g_strsplit (lines[b + 1], ",", -1);
      g_assert_cmpuint (g_strv_length (cells), ==, ES_N_MATERIALS + 1);
      for (guint k = 0; k < ES_N_MATERIALS; k++)
        endmembers[b * ES_N_MATERIALS + k] = g_ascii_strtod (cells[k + 1], NULL);
    }
}

/* Without noise, relief and holes a pixel is its truths multiplied. */
static void
test_truths (void)
{
  const gsize width = 80, height = 60, pixels = width * height;
  const guint bands = 50;
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree double *endmembers = g_new (double, bands * ES_N_MATERIALS);
  double mean[ES_N_MATERIALS] = { 0 };

  simulate (folder, "scene.img", "width=80", "height=60", "bands=50", "type=float32", "noise=0", "stripes=0",
            "dead-bands=0", "no-data=0", "relief=0", NULL);
  g_autofree char *files = es_test_folder_list (folder);
  g_assert_cmpstr (files, ==, all_files);
  g_autofree float *cube = (float *) es_test_read (folder, "scene.img", NULL);
  g_autofree float *abundances = (float *) es_test_read (folder, "scene_abundances.img", NULL);
  check_spectra_csv (folder, bands, endmembers);

  for (gsize p = 0; p < pixels; p++)
    {
      double sum = 0;
      for (guint k = 0; k < ES_N_MATERIALS; k++)
        {
          g_assert_cmpfloat (abundances[k * pixels + p], >=, 0);
          sum += abundances[k * pixels + p];
          mean[k] += abundances[k * pixels + p] / pixels;
        }
      g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
      for (guint b = 0; b < bands; b++)
        {
          double expected = 0;
          for (guint k = 0; k < ES_N_MATERIALS; k++)
            expected += abundances[k * pixels + p] * endmembers[b * ES_N_MATERIALS + k];
          g_assert_cmpfloat_with_epsilon (cube[b * pixels + p], expected, 1e-6);
        }
    }
  /* Something of everything. */
  for (guint k = 0; k < ES_N_MATERIALS; k++)
    g_assert_cmpfloat (mean[k], >, 0.005);
}

static void
test_spectra (void)
{
  for (guint k = 0; k < ES_N_MATERIALS; k++)
    for (double w = 400; w <= 2500; w += 1)
      {
        g_assert_cmpfloat (es_material_reflectance (k, w), >=, 0);
        g_assert_cmpfloat (es_material_reflectance (k, w), <=, 1);
        g_assert_cmpfloat (es_sensor_noise (w), >=, 1);
      }
  /* What each is known by. */
  const EsMaterial vegetation = ES_MATERIAL_VEGETATION, kaolinite = ES_MATERIAL_KAOLINITE;
  g_assert_cmpfloat (es_material_reflectance (vegetation, 550), >,
                     2 * es_material_reflectance (vegetation, 670));
  g_assert_cmpfloat (es_material_reflectance (vegetation, 850), >,
                     8 * es_material_reflectance (vegetation, 670));
  g_assert_cmpfloat (es_material_reflectance (ES_MATERIAL_WATER, 1600), <, 0.01);
  g_assert_cmpfloat (es_material_reflectance (kaolinite, 2206), <,
                     0.8 * es_material_reflectance (kaolinite, 2130));
  g_assert_cmpfloat (es_material_reflectance (kaolinite, 2165), <, es_material_reflectance (kaolinite, 2184));
  g_assert_cmpfloat (es_material_reflectance (kaolinite, 2206), <, es_material_reflectance (kaolinite, 2184));
  g_assert_cmpfloat (es_material_reflectance (ES_MATERIAL_IRON_OXIDE, 880), <,
                     es_material_reflectance (ES_MATERIAL_IRON_OXIDE, 750));
}

/* The dimension of the data: Cholesky with pivoting of the covariance, computed here. */
static guint
find_rank (const float *cube, gsize pixels, guint bands)
{
  g_autofree double *mean = g_new0 (double, bands), *matrix = g_new0 (double, bands * bands);
  double trace = 0;
  guint rank = 0;

  for (guint b = 0; b < bands; b++)
    for (gsize p = 0; p < pixels; p++)
      mean[b] += cube[b * pixels + p] / pixels;
  for (guint i = 0; i < bands; i++)
    {
      for (guint j = 0; j < bands; j++)
        for (gsize p = 0; p < pixels; p++)
          matrix[i * bands + j] += (cube[i * pixels + p] - mean[i]) * (cube[j * pixels + p] - mean[j]);
      trace += matrix[i * bands + i];
    }
  for (; rank < bands; rank++)
    {
      guint pivot = 0;
      for (guint i = 1; i < bands; i++)
        if (matrix[i * bands + i] > matrix[pivot * bands + pivot])
          pivot = i;
      double top = matrix[pivot * bands + pivot];
      if (top < 1e-9 * trace)
        break;
      g_autofree double *column = g_new (double, bands);
      for (guint i = 0; i < bands; i++)
        column[i] = matrix[i * bands + pivot];
      for (guint i = 0; i < bands; i++)
        for (guint j = 0; j < bands; j++)
          matrix[i * bands + j] -= column[i] * column[j] / top;
    }
  return rank;
}

static void
test_dimension (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();

  simulate (folder, "flat.img", "width=64", "height=48", "bands=24", "type=float32", "noise=0", "stripes=0",
            "dead-bands=0", "no-data=0", "relief=0", NULL);
  simulate (folder, "hills.img", "width=64", "height=48", "bands=24", "type=float32", "noise=0", "stripes=0",
            "dead-bands=0", "no-data=0", "relief=0.5", NULL);
  simulate (folder, "noisy.img", "width=64", "height=48", "bands=24", "type=float32", "dead-bands=0",
            "no-data=0", NULL);
  g_autofree float *flat = (float *) es_test_read (folder, "flat.img", NULL);
  g_autofree float *hills = (float *) es_test_read (folder, "hills.img", NULL);
  g_autofree float *noisy = (float *) es_test_read (folder, "noisy.img", NULL);

  /* Shares of one whole have one dimension less than there are; the light gives it back. */
  g_assert_cmpuint (find_rank (flat, 64 * 48, 24), ==, ES_N_MATERIALS - 1);
  g_assert_cmpuint (find_rank (hills, 64 * 48, 24), ==, ES_N_MATERIALS);
  g_assert_cmpuint (find_rank (noisy, 64 * 48, 24), ==, 24);
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

  simulate (folder, "scene.hdr", "width=100", "height=80", "bands=60", setting, "dead-bands=3", "no-data=5%",
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

        simulate (folder, "scene.img", shapes[i].width, shapes[i].height, shapes[i].bands, orders[k],
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

  simulate (folder, "whole.img", "width=300", "height=1", "bands=50", "dead-bands=0", "stripes=1%", NULL);
  simulate (folder, "parts.img", "width=300", "height=1", "bands=9000", "dead-bands=0", "stripes=1%", NULL);
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
  g_autoptr (GError) cancelled = NULL, absurd = NULL, full = NULL, no_folder = NULL;

  es_test_write_text (folder, "scene.img", "old cube");
  es_test_write_text (folder, "scene.hdr", "old header");

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

static double
correlation (const float *a, const float *b, gsize n)
{
  double sa = 0, sb = 0, saa = 0, sbb = 0, sab = 0;

  for (gsize i = 0; i < n; i++)
    {
      sa += a[i];
      sb += b[i];
      saa += (double) a[i] * a[i];
      sbb += (double) b[i] * b[i];
      sab += (double) a[i] * b[i];
    }
  return (n * sab - sa * sb) / sqrt ((n * saa - sa * sa) * (n * sbb - sb * sb));
}

static double
excess_kurtosis (const float *a, gsize n)
{
  double mean = 0, second = 0, fourth = 0;

  for (gsize i = 0; i < n; i++)
    mean += a[i] / n;
  for (gsize i = 0; i < n; i++)
    {
      double d = (a[i] - mean) * (a[i] - mean);
      second += d / n;
      fourth += d * d / n;
    }
  return fourth / (second * second) - 3;
}

/* Maps that know nothing of each other, far from normal, and mixed linearly. */
static void
test_independent (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  const gsize pixels = 200 * 150;
  gsize length;

  simulate (folder, "a.img", "width=200", "height=150", "bands=20", "sources=independent", "type=float32", "noise=0",
            "stripes=0", "no-data=0", "dead-bands=0", NULL);
  simulate (folder, "b.img", "width=200", "height=150", "bands=20", "sources=independent", "type=float32", "noise=0",
            "stripes=0", "no-data=0", "dead-bands=0", "relief=0", NULL);
  check_same (folder, "a.img", "b.img", TRUE);

  g_autofree char *truth_bytes = es_test_read (folder, "a_abundances.img", &length);
  const float *truth = (const float *) truth_bytes;
  g_assert_cmpuint (length, ==, pixels * ES_N_MATERIALS * sizeof (float));
  for (guint k = 0; k < ES_N_MATERIALS; k++)
    {
      g_assert_cmpfloat (fabs (excess_kurtosis (truth + k * pixels, pixels)), >, 0.5);
      for (guint l = 0; l < k; l++)
        g_assert_cmpfloat (fabs (correlation (truth + k * pixels, truth + l * pixels, pixels)), <, 0.1);
    }

  g_autofree char *cube_bytes = es_test_read (folder, "a.img", &length);
  const float *cube = (const float *) cube_bytes;
  for (guint b = 0; b < 20; b++)
    for (gsize p = 0; p < pixels; p += 37)
      {
        double expected = 0;
        for (guint k = 0; k < ES_N_MATERIALS; k++)
          expected += truth[k * pixels + p] * es_material_reflectance (k, 400 + 2100.0 * b / 19);
        g_assert_cmpfloat_with_epsilon (cube[b * pixels + p], expected, 1e-5);
      }
}

int
main (int argc, char **argv)
{
  static const char *const types[] = { "uint8", "int16", "uint16", "float32" };

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulate/deterministic", test_deterministic);
  g_test_add_func ("/simulate/windows", test_windows);
  g_test_add_func ("/simulate/noise", test_noise);
  g_test_add_func ("/simulate/spectra", test_spectra);
  g_test_add_func ("/simulate/truths", test_truths);
  g_test_add_func ("/simulate/dimension", test_dimension);
  g_test_add_func ("/simulate/shapes", test_shapes);
  g_test_add_func ("/simulate/parts", test_parts);
  g_test_add_func ("/simulate/independent", test_independent);
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
