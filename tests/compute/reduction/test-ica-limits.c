/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* FastICA on the CPU: what cannot be found is said; what is told while it runs, and before. */

#include <math.h>

#include "base/es-error.h"
#include "operations/ica/es-ica-operations-internal.h"
#include "simulate/es-simulate.h"
#include "es-test-sources.h"

static char *directory;

/* ---- what cannot be found ---- */

static void
test_gaussian (void)
{
  static const char *const contrasts[] = { "cubic", "tanh", "gauss" };
  EsTestScene scene = { 200, 150, 12, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 8, ES_TEST_NORMAL, 0.05, 7, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "gaussian");
  for (guint g = 0; g < 3; g++)
    {
      g_autoptr (EsResult) result = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "8", "g",
                                                         contrasts[g], "approach", "deflation", NULL);
      const double chance = (2 + 2 * sqrt (8)) * sqrt (24.0 / 30000);

      g_assert_no_error (error);
      g_assert_true (es_test_has_warning (result, "nothing independent to find"));
      for (guint k = 0; k < 8; k++)
        {
          g_assert_cmpfloat (fabs (es_test_number_of (result, "kurtosis", k)), <, chance);
          /* (E G - E G of a normal variable)^2 of N samples is about the variance of G over N. */
          g_assert_cmpfloat (es_test_number_of (result, "negentropy", k), <, 1e-1 * chance * chance);
          g_assert_true (json_array_get_boolean_element (es_test_values (result, "gaussian"), k));
        }
    }
  es_test_scene_clear (&scene);
}

static void
test_not_converged (void)
{
  static const char *const approaches[] = { "deflation", "symmetric" };
  EsTestScene scene = { 80, 70, 9, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.01, 8, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "not-converged");
  for (guint a = 0; a < 2; a++)
    {
      g_autoptr (EsResult) result = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "4",
                                                         "iterations", "2", "tolerance", "1e-10", "approach",
                                                         approaches[a], NULL);
      g_assert_no_error (error);
      g_assert_true (es_test_has_warning (result, "not converged"));
      g_assert_true (es_test_has_warning (result, "IC 1 (2 steps"));
      g_assert_false (es_test_all_converged (result));
      g_assert_cmpuint (es_image_stack_get_planes (es_test_components_of (result)), ==, 4);
      g_assert_cmpint (json_array_get_int_element (es_test_values (result, "steps"), 0), ==, 2);
      g_assert_cmpuint (es_curve_get_length (ES_CURVE (es_result_find_layer (result, "convergence"))), ==, 2);
    }
  es_test_scene_clear (&scene);
}

/* Three sources in twelve bands of float32: nine of the eigenvalues are rounding. */
static void
test_rank (void)
{
  EsTestScene scene = { 90, 70, 12, ESK_F32, "bsq", FALSE, NAN, NULL, 0 };
  const gsize pixels = (gsize) scene.width * scene.height;
  g_autofree double *sources = g_new (double, 3 * pixels);
  g_autofree float *plane = g_new (float, pixels);
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 3, ES_TEST_MIXED, 0, 9, sources);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "rank");
  g_autoptr (EsResult) asked = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "8", NULL);
  g_assert_no_error (error);
  g_autoptr (EsResult) standard = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, NULL);
  g_assert_no_error (error);
  g_autoptr (EsResult) by_variance = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "0",
                                                          "threshold", "1", NULL);
  g_assert_no_error (error);
  g_assert_true (es_test_has_warning (asked, "8 components were asked for; the data have the rank 3"));
  g_assert_true (es_test_has_warning (standard, "rank 3 of 12"));
  g_assert_true (es_test_has_warning (by_variance, "rank 3 of 12"));
  g_assert_cmpfloat (es_test_difference (asked, standard), ==, 0);
  g_assert_cmpfloat (es_test_difference (asked, by_variance), ==, 0);
  g_assert_cmpint (es_test_integer_of (asked, "rank"), ==, 3);
  g_assert_cmpuint (es_image_stack_get_planes (es_test_components_of (asked)), ==, 3);
  g_assert_cmpfloat (es_test_worst_match (es_test_components_of (asked), 3, sources), >=, 0.99);
  for (guint k = 0; k < 3; k++)
    {
      double square = 0;

      g_assert_true (es_image_stack_read (es_test_components_of (asked), k, 0, 0, scene.width, scene.height, 1, plane,
                                          NULL));
      for (gsize p = 0; p < pixels; p++)
        square += (double) plane[p] * plane[p];
      g_assert_cmpfloat (fabs (square / pixels - 1), <, 0.01);
    }
  es_test_scene_clear (&scene);
}

/* As few pixels and components as there may be, and fewer. */
static void
test_small (void)
{
  static const char *const contrasts[] = { "cubic", "tanh", "gauss" };
  static const char *const approaches[] = { "deflation", "symmetric" };
  EsTestScene scene = { 40, 30, 6, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  EsTestScene pair = { 2, 1, 3, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 3, ES_TEST_MIXED, 0.01, 10, NULL);
  es_test_scene_mix (&pair, 2, ES_TEST_MIXED, 0.01, 10, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "small");
  g_autoptr (EsDataset) two = es_test_scene_open (&pair, directory, "two");
  for (guint g = 0; g < 3; g++)
    for (guint a = 0; a < 2; a++)
      {
        g_autoptr (EsResult) one = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "1", "g",
                                                        contrasts[g], "approach", approaches[a], NULL);
        g_assert_no_error (error);
        g_assert_cmpuint (es_image_stack_get_planes (es_test_components_of (one)), ==, 1);
        g_assert_true (es_test_all_converged (one));
        g_autoptr (EsResult) tiny = es_test_run_fastica (two, "cpu", NULL, NULL, &error, "g", contrasts[g],
                                                         "approach", approaches[a], NULL);
        g_assert_no_error (error);
        g_assert_cmpuint (es_image_stack_get_planes (es_test_components_of (tiny)), ==, 1);
      }

  g_autoptr (EsResult) few = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "sample", "0.001", NULL);
  g_assert_null (few);
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
  es_test_scene_clear (&scene);
  es_test_scene_clear (&pair);
}

/* ---- while it runs ---- */

typedef struct
{
  guint pictures;
  guint64 width, height;
  EsImageStack *last;
} Watched;

static void
on_preview (EsJob *job, GParamSpec *pspec, gpointer data)
{
  Watched *watched = data;
  EsImageStack *stack = es_job_get_preview (job);

  if (stack == NULL || es_image_stack_get_planes (stack) != 1 || stack == watched->last)
    return;
  watched->last = stack;
  watched->pictures++;
  watched->width = es_image_stack_get_width (stack);
  watched->height = es_image_stack_get_height (stack);
  g_assert_true (g_str_has_prefix (es_image_stack_get_plane_title (stack, 0), "IC 1, step "));
  if (watched->pictures == 2)
    es_job_cancel (job);
}

/* Gaussian data that never converge to 1e-10 are watched until the second picture, and then cancelled. */
static void
test_watched (void)
{
  EsTestScene scene = { 700, 500, 12, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  const EsOperation *fastica = &es_operation_fastica;
  g_autoptr (EsParams) params = es_params_new (fastica->params);
  Watched watched = { 0 };

  es_test_scene_mix (&scene, 10, ES_TEST_NORMAL, 0.05, 12, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "watched");
  es_params_set_value (params, "tolerance", 1e-10);
  es_params_set_value (params, "iterations", 10000);
  g_autoptr (EsJob) job = es_job_new (fastica, cube, params, es_device_get_cpu (), NULL, NULL);
  g_signal_connect (job, "notify::preview", G_CALLBACK (on_preview), &watched);
  es_job_start (job);
  es_test_spin_until_ended (job);
  g_assert_cmpint (es_job_get_state (job), ==, ES_JOB_CANCELLED);
  g_assert_null (es_job_get_result (job));
  g_assert_cmpuint (watched.pictures, >=, 2);
  g_assert_cmpuint (watched.width, ==, 350);
  g_assert_cmpuint (watched.height, ==, 250);
  es_test_scene_clear (&scene);
}

/* Passes, bytes and seconds before anything is computed; moments where they are expected to be faster. */
static void
test_plan (void)
{
  EsTestScene scene = { 100, 90, 10, ESK_I16, "bip", FALSE, NAN, NULL, 0 };
  const EsOperation *fastica = &es_operation_fastica;
  g_autoptr (EsParams) params = es_params_new (fastica->params);
  EsDevice *cpu = es_device_get_cpu ();

  es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.01, 3, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "plan");
  EsPlan plan = fastica->plan (cube, params, cpu, NULL);
  g_assert_cmpuint (plan.passes, ==, 3);
  g_assert_cmpuint (plan.read_bytes, ==, 3 * 100 * 90 * 10 * 2);
  g_assert_cmpuint (plan.written_bytes, ==, 100 * 90 * 10 * 4);
  g_assert_cmpfloat (plan.seconds, >, 0);
  g_assert_cmpuint (plan.memory, >, 100 * 90 * 10 * 4 * 2);
  /* How soon it converges nobody knows, but that it ends at its limit. */
  g_assert_cmpuint (plan.guessed, ==, 30);
  es_params_set_value (params, "iterations", 30);
  g_assert_cmpuint (fastica->plan (cube, params, cpu, NULL).guessed, ==, 0);
  es_params_set_value (params, "quantise", 1);
  g_assert_cmpuint (fastica->plan (cube, params, cpu, NULL).passes, ==, 4);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/ica/gaussian", test_gaussian);
  g_test_add_func ("/ica/not-converged", test_not_converged);
  g_test_add_func ("/ica/rank", test_rank);
  g_test_add_func ("/ica/small", test_small);
  g_test_add_func ("/ica/watched", test_watched);
  g_test_add_func ("/ica/plan", test_plan);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
