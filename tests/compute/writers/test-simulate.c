/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Simulated cubes: the same again, noise, truth, spectra, dimension. */

#include <math.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>

#include "simulate/es-simulate-private.h"
#include "simulate/es-simulate.h"
#include "es-test-folder.h"

static const char all_files[] =
  "scene.hdr scene.img scene_abundances.hdr scene_abundances.img scene_endmembers.csv";

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

  es_test_simulate_cube (folder, "a.img", "width=90", "height=70", "bands=40", NULL);
  es_test_simulate_cube (folder, "b.img", "width=90", "height=70", "bands=40", NULL);
  es_test_simulate_cube (folder, "c.img", "width=90", "height=70", "bands=40", "seed=2", NULL);
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
  es_test_simulate_cube (folder, "d.img", "width=90", "height=70", "bands=40", NULL);
  g_assert_cmpint (sched_setaffinity (0, sizeof all, &all), ==, 0);
  check_same (folder, "a.img", "d.img", TRUE);
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

  es_test_simulate_cube (folder, "scene.img", "width=80", "height=60", "bands=50", "type=float32", "noise=0",
                         "stripes=0",
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

  es_test_simulate_cube (folder, "flat.img", "width=64", "height=48", "bands=24", "type=float32", "noise=0",
                         "stripes=0",
                         "dead-bands=0", "no-data=0", "relief=0", NULL);
  es_test_simulate_cube (folder, "hills.img", "width=64", "height=48", "bands=24", "type=float32", "noise=0",
                         "stripes=0",
                         "dead-bands=0", "no-data=0", "relief=0.5", NULL);
  es_test_simulate_cube (folder, "noisy.img", "width=64", "height=48", "bands=24", "type=float32", "dead-bands=0",
                         "no-data=0", NULL);
  g_autofree float *flat = (float *) es_test_read (folder, "flat.img", NULL);
  g_autofree float *hills = (float *) es_test_read (folder, "hills.img", NULL);
  g_autofree float *noisy = (float *) es_test_read (folder, "noisy.img", NULL);

  /* Shares of one whole have one dimension less than there are; the light gives it back. */
  g_assert_cmpuint (find_rank (flat, 64 * 48, 24), ==, ES_N_MATERIALS - 1);
  g_assert_cmpuint (find_rank (hills, 64 * 48, 24), ==, ES_N_MATERIALS);
  g_assert_cmpuint (find_rank (noisy, 64 * 48, 24), ==, 24);
}

/* ---- failures ---- */

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

  es_test_simulate_cube (folder, "a.img", "width=200", "height=150", "bands=20", "sources=independent", "type=float32",
                         "noise=0",
                         "stripes=0", "no-data=0", "dead-bands=0", NULL);
  es_test_simulate_cube (folder, "b.img", "width=200", "height=150", "bands=20", "sources=independent", "type=float32",
                         "noise=0",
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
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/simulate/deterministic", test_deterministic);
  g_test_add_func ("/simulate/noise", test_noise);
  g_test_add_func ("/simulate/spectra", test_spectra);
  g_test_add_func ("/simulate/truths", test_truths);
  g_test_add_func ("/simulate/dimension", test_dimension);
  g_test_add_func ("/simulate/independent", test_independent);
  return g_test_run ();
}
