/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* FastICA on the CPU: known sources come back, whatever way is chosen, and the same bytes every time. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "readers/es-open.h"
#include "result/es-linear-model.h"
#include "simulate/es-simulate.h"
#include "es-test-sources.h"

static char *directory;

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

/* ---- what it finds ---- */

static void
test_recovers (void)
{
  static const char *const contrasts[] = { "cubic", "tanh", "gauss" };
  static const char *const approaches[] = { "deflation", "symmetric" };
  static const char *const starts[] = { "random", "identity", "pca" };
  static const int bad[] = { 3, 9, -1 };
  static const EsTestScene scenes[] = {
    { 160, 120, 12, ESK_I16, "bsq", FALSE, NAN, NULL, 0 },
    { 120, 150, 14, ESK_F32, "bil", TRUE, -32768, bad, 0.2 },
  };
  g_autoptr (GError) error = NULL;

  for (guint s = 0; s < G_N_ELEMENTS (scenes); s++)
    {
      EsTestScene scene = scenes[s];
      g_autofree double *sources = g_new (double, 4 * scene.width * scene.height);
      g_autofree char *name = g_strdup_printf ("recovers-%u", s);

      es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.002, 11 + s, sources);
      g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, name);
      for (guint g = 0; g < 3; g++)
        for (guint a = 0; a < 2; a++)
          for (guint i = 0; i < 3; i++)
            {
              g_autoptr (EsResult) result = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "4",
                                                                 "g", contrasts[g], "approach", approaches[a],
                                                                 "start", starts[i], NULL);
              g_assert_no_error (error);
              g_assert_true (es_test_all_converged (result));
              g_assert_null (es_result_get_warnings (result));
              g_assert_cmpfloat (es_test_worst_match (es_test_components_of (result), 4, sources), >=, 0.99);
              for (guint k = 0; k < 4; k++)
                {
                  g_assert_cmpfloat (es_test_number_of (result, "skewness", k), >=, -0.01);
                  if (k > 0)
                    g_assert_cmpfloat (fabs (es_test_number_of (result, "kurtosis", k)), <=,
                                       fabs (es_test_number_of (result, "kurtosis", k - 1)));
                }
              g_assert_cmpstr (es_image_stack_get_plane_title (es_test_components_of (result), 0), ==, "IC 1");
            }
      es_test_scene_clear (&scene);
    }
}

/* Shares of all components are those of the eigenvalues kept; the layers and their sizes. */
static void
test_describes (void)
{
  EsTestScene scene = { 100, 90, 10, ESK_I16, "bip", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;
  static const char *const orders[] = { "kurtosis", "negentropy", "variance" };
  static const char *const keys[] = { "kurtosis", "negentropy", "explained" };

  es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.01, 3, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "describes");
  g_autoptr (EsResult) result = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "4", NULL);
  g_assert_no_error (error);

  double share = 0, kept = 0;
  for (guint k = 0; k < 4; k++)
    {
      share += es_test_number_of (result, "explained", k);
      kept += es_test_number_of (result, "eigenvalues", k);
      g_assert_cmpfloat (fabs (es_image_stack_get_plane_share (es_test_components_of (result), k)
                               - es_test_number_of (result, "explained", k)), <, 1e-12);
    }
  kept /= json_object_get_double_member (es_result_get_values (result), "total_variance");
  g_assert_cmpfloat (fabs (share - kept), <, 1e-9);

  EsCurve *convergence = ES_CURVE (es_result_find_layer (result, "convergence"));
  g_assert_cmpstr (es_curve_get_role (convergence), ==, "convergence");
  g_assert_true (es_curve_get_log_y (convergence));
  g_assert_cmpuint (es_curve_get_n_series (convergence), ==, 2 + 4);
  g_assert_cmpint (es_curve_get_length (convergence), ==,
                   json_array_get_int_element (es_test_values (result, "steps"), 0));
  EsCurve *scree = ES_CURVE (es_result_find_layer (result, "eigenvalues"));
  g_assert_cmpstr (es_curve_get_threshold_key (scree), ==, "threshold");
  EsCurve *loadings = ES_CURVE (es_result_find_layer (result, "loadings"));
  g_assert_cmpuint (es_curve_get_n_series (loadings), ==, 4);
  g_assert_cmpuint (es_curve_get_length (loadings), ==, 10);

  for (guint o = 0; o < 3; o++)
    {
      g_autoptr (EsResult) ordered = es_test_run_fastica (cube, "cpu", NULL, result, &error, "components", "4",
                                                          "order", orders[o], NULL);
      g_assert_no_error (error);
      for (guint k = 1; k < 4; k++)
        g_assert_cmpfloat (fabs (es_test_number_of (ordered, keys[o], k)), <=,
                           fabs (es_test_number_of (ordered, keys[o], k - 1)));
    }
  es_test_scene_clear (&scene);
}

/* transform times mixing is the unit matrix, and the planes are what the model says: read anew, or where every pixel
 * counts turned from the samples that the iteration worked on. */
static void
test_model (gconstpointer missing)
{
  EsTestScene scene = { 61, 47, 9, ESK_I16, "bsq", FALSE, -9999, (const int[]) { 2, -1 },
                        GPOINTER_TO_INT (missing) / 100.0 };
  const gsize pixels = (gsize) scene.width * scene.height;
  g_autofree float *plane = g_new (float, pixels);
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 3, ES_TEST_MIXED, 0.01, 4, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory,
                                                   GPOINTER_TO_INT (missing) > 0 ? "model" : "model-whole");
  for (guint centred = 0; centred < 2; centred++)
    {
      g_autoptr (EsResult) result = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "3", "center",
                                                         centred ? "yes" : "no", NULL);
      g_assert_no_error (error);
      const EsLinearModel *model = es_result_get_model (result);
      g_assert_nonnull (model);
      g_assert_cmpuint (model->m, ==, 3);
      g_assert_cmpuint (model->n, ==, 8);
      g_assert_cmpint (model->origin != NULL, ==, centred);
      for (guint i = 0; i < 3; i++)
        {
          for (guint j = 0; j < 3; j++)
            {
              double sum = 0;
              for (guint b = 0; b < 8; b++)
                sum += model->transform[i * 8 + b] * model->mixing[b * 3 + j];
              g_assert_cmpfloat (fabs (sum - (i == j)), <, 1e-9);
            }
          g_assert_true (es_image_stack_read (es_test_components_of (result), i, 0, 0, scene.width, scene.height, 1,
                                              plane,
                                              NULL));
          for (gsize p = 0; p < pixels; p++)
            {
              double y = 0, bound = 0;
              for (guint b = 0; b < 8; b++)
                {
                  const double x = scene.values[model->bands[b] * pixels + p];
                  y += model->transform[i * 8 + b] * (x - (centred ? model->mean[b] : 0));
                  bound += fabs (model->transform[i * 8 + b] * x);
                }
              if (scene.values[p] == -9999)
                g_assert_true (isnan (plane[p]));
              else
                g_assert_cmpfloat (fabs (plane[p] - y), <=, 2e-6 * bound + 1e-6);
            }
        }
    }
  es_test_scene_clear (&scene);
}

/* One pass for the moments, or the samples in every step: the same components. */
static void
test_moments (void)
{
  static const char *const approaches[] = { "deflation", "symmetric" };
  static const char *const samples[] = { "1", "0.5" };
  EsTestScene scene = { 150, 110, 12, ESK_I16, "bil", FALSE, -9999, NULL, 0.1 };
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 6, ES_TEST_MIXED, 0.01, 21, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "moments");
  for (guint a = 0; a < 2; a++)
    for (guint s = 0; s < 2; s++)
      {
        g_autoptr (EsResult) direct = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "7", "g",
                                                           "cubic", "approach", approaches[a], "moments", "never",
                                                           "sample", samples[s], NULL);
        g_assert_no_error (error);
        g_autoptr (EsResult) moments = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "7", "g",
                                                            "cubic", "approach", approaches[a], "moments", "always",
                                                            "sample", samples[s], NULL);
        g_assert_no_error (error);
        g_assert_false (json_object_get_boolean_member (es_result_get_values (direct), "by_moments"));
        g_assert_true (json_object_get_boolean_member (es_result_get_values (moments), "by_moments"));
        g_assert_cmpint (es_test_integer_of (direct, "samples"), ==, es_test_integer_of (moments, "samples"));
        for (guint k = 0; k < 7; k++)
          {
            JsonArray *x = json_array_get_array_element (es_test_values (direct, "unmixing"), k);
            JsonArray *y = json_array_get_array_element (es_test_values (moments, "unmixing"), k);
            double difference = 0, square = 0;

            for (guint b = 0; b < 12; b++)
              {
                const double u = json_array_get_double_element (x, b), v = json_array_get_double_element (y, b);
                difference += (u - v) * (u - v);
                square += u * u;
              }
            g_assert_cmpfloat (sqrt (difference / square), <, 2e-5);
            g_assert_cmpfloat (fabs (es_test_number_of (direct, "kurtosis", k)
                                     - es_test_number_of (moments, "kurtosis", k)), <, 1e-4);
            g_assert_cmpfloat (fabs (es_test_number_of (direct, "skewness", k)
                                     - es_test_number_of (moments, "skewness", k)), <, 1e-4);
            g_assert_cmpint (json_array_get_int_element (es_test_values (direct, "steps"), k), ==,
                             json_array_get_int_element (es_test_values (moments, "steps"), k));
          }
      }

  g_autoptr (EsResult) none = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "g", "tanh", "moments", "always",
                                                   NULL);
  g_assert_null (none);
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  es_test_scene_clear (&scene);
}

/* A simulated scene whose materials know nothing of each other: their maps come back. */
static void
test_simulated (void)
{
  g_autofree char *path = g_build_filename (directory, "simulated.img", NULL);
  g_autofree char *truth_path = g_build_filename (directory, "simulated_abundances.img", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path), truth_file = g_file_new_for_path (truth_path);
  g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);
  static const char *const contrasts[] = { "cubic", "tanh", "gauss" };
  g_autoptr (GError) error = NULL;

  es_params_parse (params, "sources", "independent", &error);
  g_assert_no_error (error);
  es_params_set_value (params, "width", 240);
  es_params_set_value (params, "height", 200);
  es_params_set_value (params, "bands", 80);
  es_params_set_value (params, "seed", 7);
  es_simulate_cube (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsDataset) cube = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsDataset) truth = es_dataset_open (truth_file, NULL, NULL, &error);
  g_assert_no_error (error);

  const guint n = es_cube_get_bands (ES_CUBE (truth));
  const gsize pixels = 240 * 200;
  g_autofree double *sources = g_new (double, n * pixels);
  g_autofree float *plane = g_new (float, pixels);
  for (guint k = 0; k < n; k++)
    {
      g_assert_true (es_cube_read_band (ES_CUBE (truth), k, 0, 0, 240, 200, 1, plane, NULL, NULL));
      for (gsize p = 0; p < pixels; p++)
        sources[k * pixels + p] = plane[p];
    }
  g_assert_cmpuint (n, >=, 3);
  /* As many components as there are, and as many as are kept where nobody says how many. */
  for (guint g = 0; g < 6; g++)
    {
      g_autofree char *m = g_strdup_printf ("%u", g < 3 ? n : 10);
      g_autoptr (EsResult) result = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", m, "g",
                                                         contrasts[g % 3], NULL);
      g_assert_no_error (error);
      g_assert_cmpfloat (es_test_worst_match (es_test_components_of (result), n, sources), >=, 0.95);
    }
}

/* ---- the same bytes ---- */

static void
test_repeats (void)
{
  EsTestScene scene = { 300, 260, 40, ESK_I16, "bsq", FALSE, -9999, NULL, 0.1 };
  g_autofree double *sources = g_new (double, 4 * scene.width * scene.height);
  const EsLimits one = { .threads = 1 }, small = { .memory = 12 << 20 };
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.01, 5, sources);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "repeats");
  g_autoptr (EsResult) first = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "sample", "0.4", NULL);
  g_autoptr (EsResult) second = es_test_run_fastica (cube, "cpu", &one, NULL, &error, "sample", "0.4", NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat (es_test_difference (first, second), ==, 0);
  /* Four tenths of nine tenths of the pixels. */
  const double share = es_test_integer_of (first, "samples") / (double) es_test_integer_of (first, "valid_pixels");
  g_assert_cmpfloat (fabs (share - 0.4), <, 0.01);

  /* Another seed is another choice of pixels; and the sources are found all the same. */
  g_autoptr (EsResult) other = es_test_run_fastica (cube, "cpu", NULL, first, &error, "sample", "0.4", "seed", "2",
                                                    NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat (es_test_difference (first, other), >, 0);
  g_autoptr (EsResult) four = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "sample", "0.4", "components",
                                                   "4", NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat (es_test_worst_match (es_test_components_of (four), 4, sources), >=, 0.99);

  /* 4.5 MB of samples, of which no more than 3 may be in memory. */
  g_autoptr (EsResult) all = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "16", NULL);
  g_assert_no_error (error);
  g_autoptr (EsResult) streamed = es_test_run_fastica (cube, "cpu", &small, NULL, &error, "components", "4", NULL);
  g_assert_no_error (error);
  g_assert_cmpfloat (es_test_worst_match (es_test_components_of (streamed), 4, sources), >=, 0.99);
  g_autoptr (EsResult) in_file = es_test_run_fastica (cube, "cpu", &small, NULL, &error, "components", "16", NULL);
  g_assert_no_error (error);
  for (guint k = 0; k < 4; k++)
    g_assert_cmpfloat (fabs (es_test_number_of (all, "kurtosis", k) - es_test_number_of (in_file, "kurtosis", k)), <,
                       1e-2);
  es_test_scene_clear (&scene);
}

/* What did not change is not done again, and the result is that of a run that does everything. */
static void
test_reuses (void)
{
  static const struct { const char *key, *value; gboolean whitens, iterates; } changes[] = {
    { "order", "variance", FALSE, FALSE }, { "center", "no", FALSE, FALSE }, { "g", "gauss", FALSE, TRUE },
    { "seed", "9", FALSE, TRUE }, { "approach", "deflation", FALSE, TRUE }, { "tolerance", "1e-4", FALSE, TRUE },
    { "components", "3", TRUE, TRUE }, { "sample", "0.7", TRUE, TRUE }, { "eigensolver", "jacobi", TRUE, TRUE },
    { "quantise", "8bit", TRUE, TRUE },
  };
  EsTestScene scene = { 90, 80, 10, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  g_autoptr (GError) error = NULL;

  es_test_scene_mix (&scene, 4, ES_TEST_MIXED, 0.01, 6, NULL);
  g_autoptr (EsDataset) cube = es_test_scene_open (&scene, directory, "reuses");
  g_autoptr (EsResult) first = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "4", NULL);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_autoptr (EsResult) after = es_test_run_fastica (cube, "cpu", NULL, first, &error, "components", "4",
                                                        changes[i].key, changes[i].value, NULL);
      g_assert_no_error (error);
      g_autoptr (EsResult) fresh = es_test_run_fastica (cube, "cpu", NULL, NULL, &error, "components", "4",
                                                        changes[i].key, changes[i].value, NULL);
      g_assert_no_error (error);
      g_assert_cmpfloat (es_test_difference (after, fresh), ==, 0);
      g_assert_cmpint (has_stage (after, "whitening"), ==, changes[i].whitens);
      g_assert_cmpint (has_stage (after, "iteration"), ==, changes[i].iterates);
      g_assert_cmpint (has_stage (after, "covariance"), ==, strcmp (changes[i].key, "quantise") == 0);
    }
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/ica/recovers", test_recovers);
  g_test_add_func ("/ica/describes", test_describes);
  g_test_add_data_func ("/ica/model", GINT_TO_POINTER (10), test_model);
  g_test_add_data_func ("/ica/model-whole", GINT_TO_POINTER (0), test_model);
  g_test_add_func ("/ica/moments", test_moments);
  g_test_add_func ("/ica/simulated", test_simulated);
  g_test_add_func ("/ica/repeats", test_repeats);
  g_test_add_func ("/ica/reuses", test_reuses);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
