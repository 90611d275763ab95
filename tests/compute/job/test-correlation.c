/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Correlations of planes and their matching: against naive loops in long double. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "es-test-scene.h"
#include "writers/es-writer.h"
#include "es-test-planes.h"

static char *directory;

/* ---- correlations ---- */

static void
test_correlate (void)
{
  g_autofree float *a = g_new (float, ES_TEST_PIXELS * ES_TEST_N_KINDS), *b = g_new (float,
                                                                                     ES_TEST_PIXELS * ES_TEST_N_KINDS);
  g_autoptr (EsImageStack) rows = es_test_make_stack (3, a), columns = es_test_make_stack (4, b);
  g_autoptr (EsImageStack) other = es_image_stack_new ("other", "Other", 8, 8, 1, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMatrix) matrix = es_correlate (G_OBJECT (rows), G_OBJECT (columns), "Rows", "Columns", NULL, NULL, NULL,
                                              &error);
  double minimum, maximum;

  g_assert_no_error (error);
  g_assert_cmpuint (es_matrix_get_n_rows (matrix), ==, ES_TEST_N_KINDS);
  g_assert_cmpuint (es_matrix_get_n_columns (matrix), ==, ES_TEST_N_KINDS);
  g_assert_cmpstr (es_matrix_get_row_title (matrix, 2), ==, "P 3");
  g_assert_cmpstr (es_matrix_get_columns_title (matrix), ==, "Columns");
  es_matrix_get_range (matrix, &minimum, &maximum);
  g_assert_cmpfloat (minimum, ==, -1);
  g_assert_cmpfloat (maximum, ==, 1);
  for (guint i = 0; i < ES_TEST_N_KINDS; i++)
    for (guint j = 0; j < ES_TEST_N_KINDS; j++)
      {
        gboolean counts[ES_TEST_PIXELS];
        for (guint p = 0; p < ES_TEST_PIXELS; p++)
          counts[p] = isfinite (a[i * ES_TEST_PIXELS + p]) && isfinite (b[j * ES_TEST_PIXELS + p]);
        es_test_assert_close (es_matrix_get_values (matrix)[i * ES_TEST_N_KINDS + j],
                              es_test_naive_correlation (a + i * ES_TEST_PIXELS, b + j * ES_TEST_PIXELS, counts,
                                                         ES_TEST_PIXELS), 1e-6);
      }
  g_assert_cmpfloat (es_matrix_get_values (matrix)[ES_TEST_SMOOTH * ES_TEST_N_KINDS + ES_TEST_SMOOTH], >, 0.999999);

  g_assert_null (es_correlate (G_OBJECT (rows), G_OBJECT (other), NULL, NULL, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
}

/* Bands of a cube as well as planes of a stack. */
static void
test_correlate_cube (void)
{
  EsTestScene scene = { .width = 23, .height = 19, .bands = 5, .type = ESK_I16, .interleave = "bip", .no_data = 0,
                        .missing = 0.1 };
  g_autoptr (GError) error = NULL;
  gboolean counts[23 * 19];
  float a[23 * 19], b[23 * 19];

  es_test_scene_fill (&scene, 9);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "correlated");
  g_autoptr (EsMatrix) matrix = es_correlate (G_OBJECT (dataset), G_OBJECT (dataset), NULL, NULL, NULL, NULL, NULL,
                                              &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 5; i++)
    for (guint j = 0; j < 5; j++)
      {
        g_assert_true (es_cube_read_band (ES_CUBE (dataset), i, 0, 0, 23, 19, 1, a, NULL, NULL));
        g_assert_true (es_cube_read_band (ES_CUBE (dataset), j, 0, 0, 23, 19, 1, b, NULL, NULL));
        for (guint p = 0; p < 23 * 19; p++)
          counts[p] = isfinite (a[p]) && isfinite (b[p]);
        es_test_assert_close (es_matrix_get_values (matrix)[i * 5 + j],
                              es_test_naive_correlation (a, b, counts, 23 * 19), 1e-6);
      }
  es_test_scene_clear (&scene);
}

/* ---- matching ---- */

static double
best_of_all (const double *values, guint n, guint m, guint row, guint used)
{
  double best = -INFINITY;

  if (row == n)
    return 0;
  for (guint j = 0; j < m; j++)
    if ((used >> j & 1) == 0)
      best = MAX (best, fabs (values[row * m + j]) + best_of_all (values, n, m, row + 1, used | 1u << j));
  return best;
}

static void
test_match (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (6);

  for (guint round = 0; round < 200; round++)
    {
      const guint n = g_rand_int_range (random, 1, 6), m = g_rand_int_range (random, 1, 8);
      double values[6 * 8], turned[6 * 8], sum = 0;
      const char *titles[8] = { "1", "2", "3", "4", "5", "6", "7", "8" };
      g_autoptr (EsMatrix) matrix = NULL;
      g_autofree EsComponentMatch *matches = NULL;
      guint n_matches, rows = 0, columns = 0;

      for (guint i = 0; i < n; i++)
        for (guint j = 0; j < m; j++)
          turned[j * n + i] = values[i * m + j] = g_rand_double_range (random, -1, 1);
      matrix = es_matrix_new ("c", "C", n, m, values, titles, titles);
      matches = es_match_components (matrix, &n_matches);
      g_assert_cmpuint (n_matches, ==, MIN (n, m));
      for (guint i = 0; i < n_matches; i++)
        {
          g_assert_true (i == 0 || matches[i].row > matches[i - 1].row);
          g_assert_cmpuint (rows & 1u << matches[i].row, ==, 0);
          g_assert_cmpuint (columns & 1u << matches[i].column, ==, 0);
          rows |= 1u << matches[i].row;
          columns |= 1u << matches[i].column;
          g_assert_cmpfloat (matches[i].correlation, ==, values[matches[i].row * m + matches[i].column]);
          sum += fabs (matches[i].correlation);
        }
      g_assert_cmpfloat_with_epsilon (sum, n <= m ? best_of_all (values, n, m, 0, 0)
                                                  : best_of_all (turned, m, n, 0, 0), 1e-12);
    }
}

static void
test_match_without (void)
{
  const double values[] = { NAN, NAN, 0.5, -0.9 };
  const char *titles[] = { "1", "2" };
  g_autoptr (EsMatrix) matrix = es_matrix_new ("c", "C", 2, 2, values, titles, titles);
  guint n;
  g_autofree EsComponentMatch *matches = es_match_components (matrix, &n);

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpuint (matches[0].row, ==, 1);
  g_assert_cmpuint (matches[0].column, ==, 1);
  g_assert_cmpfloat (matches[0].correlation, ==, -0.9);
}

static void
test_truth (void)
{
  EsTestScene scene = { .width = 4, .height = 4, .bands = 3, .type = ESK_I16, .interleave = "bsq", .no_data = NAN };
  g_autoptr (GError) error = NULL;

  es_test_scene_fill (&scene, 1);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "simulated");
  g_assert_false (es_dataset_has_truth (dataset));
  g_assert_null (es_dataset_open_truth (dataset, NULL, &error));
  g_assert_no_error (error);

  g_autofree char *stem = NULL, *base = g_file_get_basename (es_dataset_get_file (dataset));
  if (strrchr (base, '.') != NULL)
    *strrchr (base, '.') = '\0';
  stem = g_strconcat (base, "_abundances", NULL);
  g_autoptr (EsDataset) written = es_test_scene_open (&scene, directory, stem);
  /* The simulator's truth is an .img. */
  g_autoptr (GFile) truth = g_file_new_build_filename (directory, "simulated_abundances.img", NULL);
  g_file_copy (es_dataset_get_file (written), truth, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL);
  g_assert_true (es_dataset_has_truth (dataset));
  g_autoptr (EsDataset) found = es_dataset_open_truth (dataset, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_cube_get_bands (ES_CUBE (found)), ==, 3);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/components/correlate", test_correlate);
  g_test_add_func ("/components/correlate-cube", test_correlate_cube);
  g_test_add_func ("/components/match", test_match);
  g_test_add_func ("/components/match-without", test_match_without);
  g_test_add_func ("/components/truth", test_truth);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
