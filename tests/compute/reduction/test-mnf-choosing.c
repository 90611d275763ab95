/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Minimum noise fraction: ways of choosing, back to a cube, singular noise, and real data. */

#include <math.h>
#include <string.h>

#include "device/es-buffer-internal.h"
#include "base/es-error.h"
#include "job/es-job-internal.h"
#include "resident/es-resident.h"
#include "es-test-mnf.h"
#include "../job/es-test-scene.h"
#include "readers/es-open.h"
#include "operations/es-operations.h"

static char *directory;

/* ---- choosing, and doing no more than has changed ---- */

static gboolean
has_stage (EsResult *result, const char *name)
{
  guint n;
  const EsStageTime *stages = es_result_get_stages (result, &n);

  for (guint i = 0; i < n; i++)
    if (strcmp (stages[i].name, name) == 0)
      return TRUE;
  return FALSE;
}

static void
test_choosing (void)
{
  EsTestScene scene = { .width = 60, .height = 50, .bands = 14, .type = ESK_I16, .interleave = "bsq", .no_data = NAN };
  g_autoptr (GError) error = NULL;

  /* A picture and noise: columns of pictures in four directions, a coherent scene. */
  es_test_scene_fill (&scene, 4);
  for (guint b = 0; b < scene.bands; b++)
    for (guint p = 0; p < 3000; p++)
      scene.values[b * 3000 + p] = rint (scene.values[b * 3000 + p] * 0.02
                                         + 3000 * (b % 4 + 1) * sin (p % 60 * 0.1 + b % 2) + 50 * (p / 60) * (b % 3));
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "choosing.img");
  g_autoptr (EsResult) first = es_test_mnf_run_well (cube, "keep=eigenvalue; snr=5");
  guint n = 0;
  double total = 0, sum = 0;

  for (guint i = 0; i < 14; i++)
    {
      n += es_test_value (first, "eigenvalues", i) - 1 >= 5;
      total += fmax (es_test_value (first, "eigenvalues", i) - 1, 0);
      const double value = es_test_value (first, "eigenvalues", i);
      g_assert_cmpfloat (fabs (es_test_value (first, "snr", i) - value + 1), <, 1e-12);
    }
  g_assert_cmpuint (n, >, 1);
  g_assert_cmpuint (n, <, 14);
  g_assert_cmpint (es_test_number (first, "components"), ==, n);
  g_assert_true (has_stage (first, "noise") && has_stage (first, "noise-eigenproblem"));

  g_autoptr (EsResult) share = es_test_mnf_run (cube, "cpu", NULL, first, &error, "keep=share; threshold=0.9");
  g_assert_no_error (error);
  for (n = 0; sum < 0.9 * total; n++)
    sum += fmax (es_test_value (share, "eigenvalues", n) - 1, 0);
  g_assert_cmpint (es_test_number (share, "components"), ==, n);
  g_assert_false (has_stage (share, "noise") || has_stage (share, "covariance") || has_stage (share, "eigenproblem"));
  es_test_mnf_assert_same (share, first);

  g_autoptr (EsResult) count = es_test_mnf_run (cube, "cpu", NULL, share, &error, "keep=count; components=3");
  g_assert_cmpint (es_test_number (count, "components"), ==, 3);
  g_assert_cmpuint (es_image_stack_get_planes (ES_IMAGE_STACK (es_result_find_layer (count, "components"))), ==, 3);
  g_assert_cmpstr (es_image_stack_get_plane_title (ES_IMAGE_STACK (es_result_find_layer (count, "components")), 2), ==,
                   "MNF 3");

  /* Coherence takes sums that were not taken before; the data's stay. */
  g_autoptr (EsResult) coherent = es_test_mnf_run (cube, "cpu", NULL, count, &error, "keep=coherence; coherence=0.5");
  g_assert_no_error (error);
  g_assert_true (has_stage (coherent, "noise") && !has_stage (coherent, "covariance"));
  for (n = 0; n < 14 && es_test_value (coherent, "coherence", n) >= 0.5;)
    n++;
  g_assert_cmpuint (n, >, 0);
  g_assert_cmpint (es_test_number (coherent, "components"), ==, n);
  es_test_mnf_assert_same (coherent, first);

  /* Other noise over the same data; the other solver over the same sums. */
  g_autoptr (EsResult) mean = es_test_mnf_run (cube, "cpu", NULL, coherent, &error, "noise=mean-residual");
  g_autoptr (EsResult) mean_anew = es_test_mnf_run_well (cube, "noise=mean-residual");
  g_assert_false (has_stage (mean, "covariance"));
  es_test_mnf_assert_same (mean, mean_anew);
  g_autoptr (EsResult) jacobi = es_test_mnf_run (cube, "cpu", NULL, mean, &error,
                                                 "noise=mean-residual; eigensolver=jacobi");
  g_assert_false (has_stage (jacobi, "noise"));
  for (guint i = 0; i < 14; i++)
    {
      const double value = es_test_value (mean, "eigenvalues", i);
      g_assert_cmpfloat (fabs (es_test_value (jacobi, "eigenvalues", i) / value - 1), <, 1e-6);
    }

  /* Nothing reaches it: the first is kept, and it says so. */
  g_autoptr (EsResult) none = es_test_mnf_run_well (cube, "keep=coherence; coherence=1");
  g_assert_cmpint (es_test_number (none, "components"), ==, 1);
  g_assert_cmpuint (g_strv_length ((char **) es_result_get_warnings (none)), ==, 1);
  es_test_scene_clear (&scene);
}

/* ---- back to a cube ---- */

static void
test_denoise (void)
{
  EsTestScene scene = { .width = 30, .height = 20, .bands = 6, .type = ESK_I16, .interleave = "bip", .no_data = -999,
                        .missing = 0.05 };
  static const char *const devices[] = { "cpu", "cuda:all" };
  g_autofree float *plane = g_new (float, 600);

  es_test_scene_fill (&scene, 6);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "denoise.img");
  for (guint d = 0; d < 2; d++)
    {
      g_autoptr (EsResult) all = es_test_mnf_run (cube, devices[d], NULL, NULL, NULL,
                                          "keep=count; components=6; denoise=yes");
      g_autoptr (EsResult) some = es_test_mnf_run (cube, devices[d], NULL, all, NULL,
                                           "keep=count; components=2; denoise=yes");
      EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (all, "denoised"));
      EsImageStack *reduced = ES_IMAGE_STACK (es_result_find_layer (some, "denoised"));
      const EsLinearModel *model = es_result_get_model (some);

      g_assert_cmpuint (es_image_stack_get_planes (stack), ==, 6);
      for (guint b = 0; b < 6; b++)
        {
          g_assert_true (es_image_stack_read (stack, b, 0, 0, 30, 20, 1, plane, NULL));
          for (guint p = 0; p < 600; p++)
            if (!isnan (plane[p]))
              g_assert_cmpfloat (fabs (plane[p] - scene.values[b * 600 + p]), <, 0.05);
            else
              g_assert_true (scene.values[5 * 600 + p] == -999);

          g_assert_true (es_image_stack_read (reduced, b, 0, 0, 30, 20, 1, plane, NULL));
          for (guint p = 0; p < 600; p++)
            {
              double estimate = model->mean[b];

              for (guint k = 0; k < 2; k++)
                for (guint i = 0; i < 6; i++)
                  estimate += model->mixing[b * 2 + k] * model->transform[k * 6 + i]
                              * (scene.values[i * 600 + p] - model->mean[i]);
              if (!isnan (plane[p]))
                g_assert_cmpfloat (fabs (plane[p] - estimate), <, 0.05);
            }
        }
    }
  es_test_scene_clear (&scene);
}

/* Bands that are dead are left out, bands that are copies of others are taken to have the least noise. */
static void
test_singular (void)
{
  EsTestScene scene = { .width = 30, .height = 20, .bands = 6, .type = ESK_I16, .interleave = "bip", .no_data = NAN };

  es_test_scene_fill (&scene, 6);
  for (guint p = 0; p < 600; p++)
    {
      scene.values[1 * 600 + p] = 7;
      scene.values[4 * 600 + p] = 100 + p % 2 * 0;
    }
  g_autoptr (EsDataset) dead = es_test_scene_open (&scene, directory, "dead.img");
  g_autoptr (EsResult) without = es_test_mnf_run_well (dead, "keep=count; components=100; denoise=yes");
  g_assert_cmpint (es_test_number (without, "bands_used"), ==, 4);
  g_assert_cmpuint (json_array_get_length (es_test_values (without, "bands_left_out")), ==, 2);
  g_assert_cmpint (json_array_get_int_element (es_test_values (without, "bands_left_out"), 1), ==, 5);
  g_assert_cmpuint (es_result_get_model (without)->n, ==, 4);
  g_assert_cmpuint (g_strv_length ((char **) es_result_get_warnings (without)), ==, 2);
  /* They come back as they were. */
  float plane[600];
  g_assert_true (es_image_stack_read (ES_IMAGE_STACK (es_result_find_layer (without, "denoised")), 1, 0, 0, 30, 20, 1,
                                      plane, NULL));
  for (guint p = 0; p < 600; p++)
    g_assert_cmpfloat (plane[p], ==, 7);

  for (guint p = 0; p < 600; p++)
    scene.values[600 + p] = scene.values[2 * 600 + p];
  g_autoptr (EsDataset) copies = es_test_scene_open (&scene, directory, "copies.img");
  g_autoptr (EsResult) floored = es_test_mnf_run_well (copies, "keep=count; components=100");
  g_assert_cmpint (es_test_number (floored, "bands_used"), ==, 5);
  g_assert_cmpuint (g_strv_length ((char **) es_result_get_warnings (floored)), ==, 3);
  for (guint i = 0; i < 5; i++)
    g_assert_true (isfinite (es_test_value (floored, "eigenvalues", i)));

  /* Nothing but dead ones. */
  for (guint i = 0; i < 3600; i++)
    scene.values[i] = 3;
  g_autoptr (EsDataset) constant = es_test_scene_open (&scene, directory, "constant.img");
  es_test_mnf_refuse (constant, "", ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_scene_clear (&scene);
}

static void
test_cancel (void)
{
  EsTestScene scene = { .width = 30, .height = 20, .bands = 6, .type = ESK_I16, .interleave = "bip", .no_data = NAN };
  static const char *const devices[] = { "cpu", "cuda:0", "cuda:all" };
  const EsOperation *mnf = es_operation_find ("mnf", NULL);
  g_autoptr (EsParams) params = es_params_new (mnf->params);
  EsDevice *all = es_device_find ("cuda:all", NULL);

  es_test_scene_fill (&scene, 6);
  const guint64 before = es_buffers_get_used (all);
  for (guint d = 0; d < 3; d++)
    {
      g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "cancel.img");
      g_autoptr (GError) error = NULL;
      g_autoptr (EsJob) job = es_job_new (mnf, cube, params, es_device_find (devices[d], NULL), NULL, NULL);

      es_job_cancel (job);
      g_assert_null (es_job_run (job, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  es_resident_clear (all);
  g_assert_cmpuint (es_buffers_get_used (all), ==, before);
  es_test_scene_clear (&scene);
}

/* ---- real data ---- */

static void
test_enmap (void)
{
  static const double truth[] = { 123.658, 29.522, 16.961, 10.306, 9.930, 7.149 };
  const char *data = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = data != NULL ? g_build_filename (data, "enmap", "enmap_potsdam_mosaic.img", NULL) : NULL;
  g_autoptr (GError) error = NULL;
  guint above = 0;

  if (path == NULL || !g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the real data are not here");
      return;
    }
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsDataset) cube = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsResult) result = es_test_mnf_run_well (cube, "direction=lower-right; keep=eigenvalue; snr=1");
  g_assert_cmpint (es_test_number (result, "noise_count"), ==, 18020);
  g_assert_cmpint (es_test_number (result, "valid_pixels"), ==, 18432);
  for (guint i = 0; i < G_N_ELEMENTS (truth); i++)
    g_assert_cmpfloat (fabs (es_test_value (result, "eigenvalues", i) - truth[i]), <=, 0.0005);
  for (guint i = 0; i < 218; i++)
    above += es_test_value (result, "eigenvalues", i) > 2;
  g_assert_cmpuint (above, ==, 33);
  g_assert_cmpint (es_test_number (result, "components"), ==, 33);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/mnf/choosing", test_choosing);
  g_test_add_func ("/mnf/denoise", test_denoise);
  g_test_add_func ("/mnf/singular", test_singular);
  g_test_add_func ("/mnf/cancel", test_cancel);
  g_test_add_func ("/mnf/enmap", test_enmap);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
