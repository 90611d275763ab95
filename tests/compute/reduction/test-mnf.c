/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Minimum noise fraction: noise covariances against sums by hand, both identities (T' C_N T = I, T' C_D T diagonal),
 * the same integers on the CPU and on cards of host memory whatever way the samples take, ways of choosing.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "job/es-job-internal.h"
#include "resident/es-resident.h"
#include "es-test-mnf.h"
#include "../job/es-test-scene.h"

static char *directory;

/* ---- by hand ---- */

static int
compare_doubles (const void *a, const void *b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* The residual of a pixel, or FALSE where it has none. */
static gboolean
residual_at (const EsTestScene *scene, const gboolean *valid, const char *kind, guint x, guint y, guint band,
             double *residual)
{
  const gsize w = scene->width, h = scene->height;
  const double *plane = scene->values + band * w * h;
  const gboolean right = strcmp (kind, "right") == 0 || strcmp (kind, "lower-right") == 0;
  const gboolean lower = strcmp (kind, "lower") == 0 || strcmp (kind, "lower-right") == 0;
  double around[9], sum = 0;

  if (right || lower)
    {
      if (x + right >= w || y + lower >= h || !valid[y * w + x] || !valid[(y + lower) * w + x + right])
        return FALSE;
      *residual = plane[y * w + x] - plane[(y + lower) * w + x + right];
      return TRUE;
    }
  if (x < 1 || y < 1 || x + 1 >= w || y + 1 >= h)
    return FALSE;
  for (guint k = 0; k < 9; k++)
    {
      const gsize at = (y + k / 3 - 1) * w + x + k % 3 - 1;
      if (!valid[at])
        return FALSE;
      around[k] = plane[at];
      sum += plane[at];
    }
  qsort (around, 9, sizeof (double), compare_doubles);
  *residual = plane[y * w + x] - (strcmp (kind, "median-residual") == 0 ? around[4] : sum / 9);
  return TRUE;
}

static gint64
noise_by_hand (const EsTestScene *scene, const char *kind, const guint *bands, guint n, const gboolean *valid,
               double *covariance)
{
  const gsize pixels = (gsize) scene->width * scene->height;
  const double divisor = g_str_has_suffix (kind, "residual") ? 1 : 2;
  g_autofree double *residuals = g_new (double, pixels * n);
  gint64 count = 0;

  for (guint y = 0; y < scene->height; y++)
    for (guint x = 0; x < scene->width; x++)
      {
        gboolean has = FALSE;
        for (guint i = 0; i < n; i++)
          has = residual_at (scene, valid, kind, x, y, bands[i], &residuals[count * n + i]);
        count += has;
      }
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j <= i; j++)
      {
        long double a = 0, b = 0, product = 0;

        for (gint64 p = 0; p < count; p++)
          {
            a += residuals[p * n + i];
            b += residuals[p * n + j];
          }
        for (gint64 p = 0; p < count; p++)
          product += (residuals[p * n + i] - a / count) * (residuals[p * n + j] - b / count);
        covariance[i * n + j] = covariance[j * n + i] = (double) (product / (count - 1)) / divisor;
      }
  return count;
}

/* T' C T of the result's model, against a diagonal. */
static void
check_identity (const EsLinearModel *model, const double *covariance, const double *diagonal, double tolerance)
{
  const guint n = model->n;

  for (guint k = 0; k < model->m; k++)
    for (guint l = 0; l <= k; l++)
      {
        double sum = 0;

        for (guint i = 0; i < n; i++)
          for (guint j = 0; j < n; j++)
            sum += model->transform[k * n + i] * covariance[i * n + j] * model->transform[l * n + j];
        g_assert_cmpfloat (fabs (sum - (k == l ? diagonal[k] : 0)), <=, tolerance * fmax (diagonal[l], 1));
      }
}

/* Fills a scene; 16-bit ones with differences that do not fit 16 bits where `wide`. */
static void
fill (EsTestScene *scene, guint seed, gboolean wide)
{
  const gsize samples = (gsize) scene->width * scene->height * scene->bands;

  es_test_scene_fill (scene, seed);
  for (gsize i = 0; wide && i < samples; i++)
    if (scene->values[i] != scene->no_data)
      scene->values[i] = scene->type == ESK_U16 ? fmod (scene->values[i] * 37, 65536)
                                                : fmod (scene->values[i] * 37, 65535) - 32767;
}

/* ---- what the noise is ---- */

static void
test_noise (void)
{
  static const int bad[] = { 3, -1 };
  static const struct { EsTestScene scene; gboolean wide; double tolerance; } cases[] = {
    { { .width = 33, .height = 29, .bands = 7, .type = ESK_I16, .interleave = "bsq", .no_data = -999,
        .bad_bands = bad, .missing = 0.02 }, FALSE, 1e-13 },
    { { .width = 33, .height = 41, .bands = 9, .type = ESK_U16, .interleave = "bil", .big_endian = TRUE,
        .no_data = NAN }, TRUE, 1e-13 },
    { { .width = 40, .height = 23, .bands = 5, .type = ESK_I16, .interleave = "bip", .no_data = -32768,
        .missing = 0.05 }, TRUE, 1e-13 },
    { { .width = 3, .height = 300, .bands = 4, .type = ESK_U8, .interleave = "bsq", .no_data = NAN }, FALSE, 1e-13 },
    { { .width = 300, .height = 3, .bands = 4, .type = ESK_F32, .interleave = "bip", .no_data = NAN,
        .missing = 0.01 }, FALSE, 2e-7 },
  };
  static const char *const kinds[] = { "right", "lower", "lower-right", "mean-residual", "median-residual" };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++)
    {
      EsTestScene scene = cases[c].scene;
      guint bands[16];

      fill (&scene, 3 + c, cases[c].wide);
      g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "noise.img");
      const guint n = es_test_scene_good_bands (&scene, bands);
      g_autofree double *mean = g_new (double, n), *data = g_new (double, n * n), *noise = g_new (double, n * n);
      g_autofree gboolean *valid = g_new (gboolean, (gsize) scene.width * scene.height);
      const gint64 pixels = es_test_scene_covariance (&scene, bands, n, mean, data, valid);

      for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
        {
          g_autofree char *parameters =
            g_strdup_printf (k < 3 ? "noise=shift-difference; direction=%s; keep=count; components=100"
                                   : "noise=%s; keep=count; components=100", kinds[k]);
          g_autoptr (EsResult) result = es_test_mnf_run_well (cube, parameters);
          g_autoptr (EsNoiseStatistics) found = es_test_noise (result);
          const gint64 count = noise_by_hand (&scene, kinds[k], bands, n, valid, noise);
          const EsLinearModel *model = es_result_get_model (result);
          g_autofree double *ones = g_new (double, n), *values = g_new (double, n);

          g_assert_cmpint (es_test_number (result, "valid_pixels"), ==, pixels);
          g_assert_cmpint (es_test_number (result, "noise_count"), ==, count);
          g_assert_cmpstr (found->kind, ==, kinds[k]);
          g_assert_cmpuint (found->n, ==, n);
          g_assert_cmpfloat (es_test_largest_difference (found->covariance, noise, n * n), <=, cases[c].tolerance);

          g_assert_nonnull (model);
          g_assert_cmpuint (model->m, ==, n);
          for (guint i = 0; i < n; i++)
            {
              ones[i] = 1;
              values[i] = es_test_value (result, "eigenvalues", i);
              g_assert_true (i == 0 || values[i] <= values[i - 1]);
            }
          check_identity (model, found->covariance, ones, 1e-8);
          check_identity (model, data, values, fmax (1e-8, cases[c].tolerance));
          /* mixing is the inverse of the transform. */
          for (guint a = 0; a < n; a++)
            for (guint b = 0; b < n; b++)
              {
                double sum = 0;
                for (guint i = 0; i < n; i++)
                  sum += model->transform[a * n + i] * model->mixing[i * n + b];
                g_assert_cmpfloat (fabs (sum - (a == b)), <, 1e-8);
              }
        }
      es_test_scene_clear (&scene);
    }
}

/* Each by its own pairs; and the coherence, which comes of the same differences. */
static void
test_average (void)
{
  EsTestScene scene = { .width = 37, .height = 31, .bands = 6, .type = ESK_I16, .interleave = "bil", .no_data = -999,
                        .missing = 0.03 };
  guint bands[16];

  fill (&scene, 8, TRUE);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "average.img");
  const guint n = es_test_scene_good_bands (&scene, bands);
  g_autofree double *mean = g_new (double, n), *data = g_new (double, n * n), *right = g_new (double, n * n);
  g_autofree double *lower = g_new (double, n * n);
  g_autofree gboolean *valid = g_new (gboolean, (gsize) scene.width * scene.height);
  es_test_scene_covariance (&scene, bands, n, mean, data, valid);
  const gint64 count = noise_by_hand (&scene, "right", bands, n, valid, right)
                       + noise_by_hand (&scene, "lower", bands, n, valid, lower);
  for (guint i = 0; i < n * n; i++)
    right[i] = (right[i] + lower[i]) / 2;

  g_autoptr (EsResult) result = es_test_mnf_run_well (cube, "direction=average; keep=count; components=6");
  g_autoptr (EsNoiseStatistics) found = es_test_noise (result);
  g_assert_cmpint (es_test_number (result, "noise_count"), ==, count);
  g_assert_cmpfloat (es_test_largest_difference (found->covariance, right, n * n), <, 1e-13);
  g_assert_false (json_object_has_member (es_result_get_values (result), "coherence"));

  /* Other noise, the same differences beside it. */
  g_autoptr (EsResult) other = es_test_mnf_run_well (cube, "noise=mean-residual; keep=coherence; coherence=0");
  const EsLinearModel *model = es_result_get_model (other);
  for (guint k = 0; k < model->m; k++)
    {
      double sum = 0;

      for (guint i = 0; i < n; i++)
        for (guint j = 0; j < n; j++)
          sum += model->transform[k * n + i] * right[i * n + j] * model->transform[k * n + j];
      const double expected = 1 - sum / es_test_value (other, "eigenvalues", k);
      g_assert_cmpfloat (fabs (es_test_value (other, "coherence", k) - expected), <, 1e-8);
    }
  es_test_scene_clear (&scene);
}

/* ---- devices ---- */

/* The same integers: streamed, resident, the second time, on one card and on all, with and without overlap. */
static void
test_devices (void)
{
  static const char *const noises[] = {
    "direction=lower-right", "direction=average; overlap=yes", "noise=mean-residual", "noise=median-residual",
    "noise=mean-residual; keep=coherence; overlap=yes", "direction=right; keep=coherence",
    "noise=mean-residual; quantise=8bit",
  };
  static const char *const devices[] = { "cuda:0", "cuda:all" };
  EsDevice *all = es_device_find ("cuda:all", NULL);

  for (guint wide = 0; wide < 2; wide++)
    {
      EsTestScene scene = { .width = 61, .height = 113, .bands = 12, .type = ESK_I16, .interleave = "bil",
                            .no_data = wide ? NAN : -999, .missing = wide ? 0 : 0.02 };

      fill (&scene, 5, wide);
      g_autofree char *name = g_strdup_printf ("devices%u.img", wide);
      for (guint k = 0; k < G_N_ELEMENTS (noises); k++)
        {
          g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, name);
          g_autoptr (EsResult) expected = es_test_mnf_run_well (cube, noises[k]);
          const EsLimits small = { .memory = 1 << 20 };
          g_autoptr (EsResult) tiles = es_test_mnf_run (cube, "cpu", &small, NULL, NULL, noises[k]);

          es_test_mnf_assert_same (tiles, expected);
          for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
            for (guint again = 0; again < 3; again++)
              {
                const EsLimits limits = { .device_memory = again == 0 ? 40 << 10 : 0 };
                g_autoptr (GError) error = NULL;
                g_autoptr (EsResult) result = es_test_mnf_run (cube, devices[d], &limits, NULL, &error, noises[k]);

                g_assert_no_error (error);
                es_test_mnf_assert_alike (result, expected);
              }
          es_resident_clear (all);
        }
      es_test_scene_clear (&scene);
    }
}

/* Floats: to rounding, and the same bytes again. */
static void
test_devices_float (void)
{
  EsTestScene scene = { .width = 61, .height = 113, .bands = 12, .type = ESK_F32, .interleave = "bsq", .no_data = -99,
                        .missing = 0.02 };
  es_test_scene_fill (&scene, 5);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "float.img");
  g_autoptr (EsResult) expected = es_test_mnf_run_well (cube, "noise=mean-residual");
  static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };

  for (guint d = 0; d < G_N_ELEMENTS (devices); d++)
    {
      g_autoptr (EsResult) first = es_test_mnf_run (cube, devices[d], NULL, NULL, NULL, "noise=mean-residual");
      g_autoptr (EsResult) second = es_test_mnf_run (cube, devices[d], NULL, NULL, NULL, "noise=mean-residual");

      es_test_mnf_assert_same (first, second);
      g_assert_cmpint (es_test_number (first, "noise_count"), ==, es_test_number (expected, "noise_count"));
      for (guint i = 0; i < 12; i++)
        {
          const double value = es_test_value (expected, "eigenvalues", i);
          g_assert_cmpfloat (fabs (es_test_value (first, "eigenvalues", i) / value - 1), <, 1e-6);
        }
    }
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/mnf/noise", test_noise);
  g_test_add_func ("/mnf/average", test_average);
  g_test_add_func ("/mnf/devices", test_devices);
  g_test_add_func ("/mnf/devices-float", test_devices_float);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
