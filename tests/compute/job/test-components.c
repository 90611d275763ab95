/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Figures of planes, correlations and their matching, densities, named regions: against naive loops in long double. */

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "es-test-scene.h"
#include "writers/es-writer.h"

#define WIDTH 67
#define HEIGHT 45
#define PIXELS (WIDTH * HEIGHT)

static char *directory;

/* Smooth, noise, skewed, constant, empty, with gaps. */
enum { SMOOTH, NOISE, SKEWED, CONSTANT, EMPTY, GAPS, N_KINDS };

static double
make_value (guint kind, guint x, guint y, GRand *random)
{
  switch (kind)
    {
    case SMOOTH:
      return 1e6 + sin (x * 0.1) * cos (y * 0.07);
    case NOISE:
      return g_rand_double (random);
    case SKEWED:
      return -5 * log (g_rand_double_range (random, 1e-9, 1));
    case CONSTANT:
      return 3.25;
    case EMPTY:
      return NAN;
    default:
      return g_rand_double (random) < 0.3 ? NAN : x + 0.01 * y * y;
    }
}

static EsImageStack *
make_stack (guint32 seed, float *copy)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autofree float *values = g_new (float, PIXELS * N_KINDS);
  g_autoptr (GError) error = NULL;
  EsImageStack *stack = es_image_stack_new ("kinds", "Kinds", WIDTH, HEIGHT, N_KINDS, 0, NULL, &error);

  g_assert_no_error (error);
  for (guint k = 0; k < N_KINDS; k++)
    {
      g_autofree char *title = g_strdup_printf ("P %u", k + 1);
      for (guint p = 0; p < PIXELS; p++)
        values[k * PIXELS + p] = (float) make_value (k, p % WIDTH, p / WIDTH, random);
      es_image_stack_set_plane (stack, k, title, NAN);
    }
  g_assert_true (es_image_stack_write (stack, 0, 0, WIDTH, HEIGHT, values, PIXELS, NULL));
  if (copy != NULL)
    memcpy (copy, values, PIXELS * N_KINDS * sizeof (float));
  return stack;
}

/* ---- figures of one plane ---- */

/* Of pairs (a[p], b[p]) that both are there. */
static double
naive_correlation (const float *a, const float *b, const gboolean *counts, guint n)
{
  long double sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0, count = 0;

  for (guint p = 0; p < n; p++)
    if (counts[p])
      {
        sum_a += a[p];
        sum_b += b[p];
        count++;
      }
  for (guint p = 0; p < n; p++)
    if (counts[p])
      {
        aa += (a[p] - sum_a / count) * (a[p] - sum_a / count);
        bb += (b[p] - sum_b / count) * (b[p] - sum_b / count);
        ab += (a[p] - sum_a / count) * (b[p] - sum_b / count);
      }
  return aa > 0 && bb > 0 ? (double) (ab / sqrtl (aa * bb)) : NAN;
}

static double
naive_coherence (const float *plane)
{
  gboolean right_counts[PIXELS], lower_counts[PIXELS];
  float right[PIXELS], lower[PIXELS];

  for (guint p = 0; p < PIXELS; p++)
    {
      right[p] = p % WIDTH + 1 < WIDTH ? plane[p + 1] : NAN;
      lower[p] = p + WIDTH < PIXELS ? plane[p + WIDTH] : NAN;
      right_counts[p] = isfinite (plane[p]) && isfinite (right[p]);
      lower_counts[p] = isfinite (plane[p]) && isfinite (lower[p]);
    }
  return (naive_correlation (plane, right, right_counts, PIXELS)
          + naive_correlation (plane, lower, lower_counts, PIXELS)) / 2;
}

static void
assert_close (double found, double expected, double tolerance)
{
  if (isnan (expected))
    g_assert_true (isnan (found));
  else
    g_assert_cmpfloat_with_epsilon (found, expected, tolerance * (1 + fabs (expected)));
}

static void
check_numbers (const EsComponentNumbers *numbers, const float *plane)
{
  long double sum = 0, m2 = 0, m3 = 0, m4 = 0;
  double minimum = INFINITY, maximum = -INFINITY, entropy = 0;
  guint64 count = 0, in_bins = 0;

  for (guint p = 0; p < PIXELS; p++)
    if (isfinite (plane[p]))
      {
        count++;
        sum += plane[p];
        minimum = MIN (minimum, plane[p]);
        maximum = MAX (maximum, plane[p]);
      }
  g_assert_cmpuint (numbers->count, ==, count);
  if (count == 0)
    {
      g_assert_true (isnan (numbers->mean) && isnan (numbers->minimum) && isnan (numbers->entropy)
                     && isnan (numbers->coherence) && isnan (numbers->skewness));
      return;
    }
  for (guint p = 0; p < PIXELS; p++)
    if (isfinite (plane[p]))
      {
        const long double d = plane[p] - sum / count;
        m2 += d * d / count;
        m3 += d * d * d / count;
        m4 += d * d * d * d / count;
      }
  for (guint i = 0; i < ES_COMPONENT_BINS; i++)
    {
      const double share = (double) numbers->histogram[i] / count;
      in_bins += numbers->histogram[i];
      entropy -= share > 0 ? share * log2 (share) : 0;
    }
  g_assert_cmpuint (in_bins, ==, count);
  g_assert_cmpfloat (numbers->minimum, ==, minimum);
  g_assert_cmpfloat (numbers->maximum, ==, maximum);
  g_assert_cmpuint (numbers->histogram[0], >, 0);
  assert_close (numbers->mean, sum / count, 1e-12);
  assert_close (numbers->deviation, sqrtl (m2 * count / (count - 1)), 1e-9);
  assert_close (numbers->skewness, m2 > 0 ? (double) (m3 / powl (m2, 1.5L)) : NAN, 1e-8);
  assert_close (numbers->kurtosis, m2 > 0 ? (double) (m4 / (m2 * m2) - 3) : NAN, 1e-8);
  assert_close (numbers->entropy, entropy, 1e-9);
  assert_close (numbers->coherence, naive_coherence (plane), 1e-8);
}

static void
test_numbers (void)
{
  g_autofree float *values = g_new (float, PIXELS * N_KINDS);
  g_autoptr (EsImageStack) stack = make_stack (1, values);
  g_autoptr (GError) error = NULL;
  EsComponentNumbers numbers;

  for (guint k = 0; k < N_KINDS; k++)
    {
      g_assert_true (es_component_numbers_compute (stack, k, &numbers, NULL, &error));
      g_assert_no_error (error);
      check_numbers (&numbers, values + k * PIXELS);
      if (k == SMOOTH)
        g_assert_cmpfloat (numbers.coherence, >, 0.95);
      if (k == NOISE)
        g_assert_cmpfloat (fabs (numbers.coherence), <, 0.1);
      if (k == SKEWED)
        g_assert_cmpfloat (numbers.skewness, >, 1);
      if (k == CONSTANT)
        g_assert_cmpfloat (numbers.entropy, ==, 0);
    }

  g_autoptr (GCancellable) cancelled = g_cancellable_new ();
  g_cancellable_cancel (cancelled);
  g_assert_false (es_component_numbers_compute (stack, 0, &numbers, cancelled, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static void
on_told (EsImageStack *stack, guint plane, gpointer data)
{
  guint *told = data;

  g_assert_nonnull (es_image_stack_get_numbers (stack, plane));
  told[plane]++;
}

typedef struct
{
  guint   ended;
  GError *error;
} Waiting;

static void
on_filled (GObject *source, GAsyncResult *result, gpointer data)
{
  Waiting *waiting = data;

  g_clear_error (&waiting->error);
  es_image_stack_fill_numbers_finish (ES_IMAGE_STACK (source), result, &waiting->error);
  waiting->ended++;
}

static void
test_fill (void)
{
  g_autoptr (EsImageStack) first = make_stack (1, NULL), second = make_stack (2, NULL);
  g_autoptr (EsImageStack) empty = es_image_stack_new ("part", "Part", 8, 8, 1, 0, NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint told[2][N_KINDS] = { 0 };
  Waiting waiting = { 0 };

  g_assert_null (es_image_stack_get_numbers (first, 0));
  es_image_stack_fill_numbers_async (first, on_told, told[0], NULL, on_filled, &waiting);
  es_image_stack_fill_numbers_async (second, on_told, told[1], NULL, on_filled, &waiting);
  while (waiting.ended < 2)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (waiting.error);
  for (guint k = 0; k < N_KINDS; k++)
    {
      g_assert_cmpuint (told[0][k], ==, 1);
      g_assert_cmpuint (told[1][k], ==, 1);
      g_assert_nonnull (es_image_stack_get_numbers (second, k));
    }

  const EsComponentNumbers *kept = es_image_stack_get_numbers (first, 2);
  g_cancellable_cancel (cancellable);
  es_image_stack_fill_numbers_async (first, NULL, NULL, cancellable, on_filled, &waiting);
  while (waiting.ended < 3)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (waiting.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_true (es_image_stack_get_numbers (first, 2) == kept);

  es_image_stack_fill_numbers_async (empty, NULL, NULL, NULL, on_filled, &waiting);
  while (waiting.ended < 4)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (waiting.error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION);
  g_clear_error (&waiting.error);
}

/* ---- correlations ---- */

static void
test_correlate (void)
{
  g_autofree float *a = g_new (float, PIXELS * N_KINDS), *b = g_new (float, PIXELS * N_KINDS);
  g_autoptr (EsImageStack) rows = make_stack (3, a), columns = make_stack (4, b);
  g_autoptr (EsImageStack) other = es_image_stack_new ("other", "Other", 8, 8, 1, 0, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMatrix) matrix = es_correlate (G_OBJECT (rows), G_OBJECT (columns), "Rows", "Columns", NULL, NULL, NULL,
                                              &error);
  double minimum, maximum;

  g_assert_no_error (error);
  g_assert_cmpuint (es_matrix_get_n_rows (matrix), ==, N_KINDS);
  g_assert_cmpuint (es_matrix_get_n_columns (matrix), ==, N_KINDS);
  g_assert_cmpstr (es_matrix_get_row_title (matrix, 2), ==, "P 3");
  g_assert_cmpstr (es_matrix_get_columns_title (matrix), ==, "Columns");
  es_matrix_get_range (matrix, &minimum, &maximum);
  g_assert_cmpfloat (minimum, ==, -1);
  g_assert_cmpfloat (maximum, ==, 1);
  for (guint i = 0; i < N_KINDS; i++)
    for (guint j = 0; j < N_KINDS; j++)
      {
        gboolean counts[PIXELS];
        for (guint p = 0; p < PIXELS; p++)
          counts[p] = isfinite (a[i * PIXELS + p]) && isfinite (b[j * PIXELS + p]);
        assert_close (es_matrix_get_values (matrix)[i * N_KINDS + j],
                      naive_correlation (a + i * PIXELS, b + j * PIXELS, counts, PIXELS), 1e-6);
      }
  g_assert_cmpfloat (es_matrix_get_values (matrix)[SMOOTH * N_KINDS + SMOOTH], >, 0.999999);

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
        assert_close (es_matrix_get_values (matrix)[i * 5 + j], naive_correlation (a, b, counts, 23 * 19), 1e-6);
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

/* ---- densities ---- */

static guint
cell_of (double value, double minimum, double maximum, guint n)
{
  return MIN ((guint) ((value - minimum) * (n / (maximum - minimum))), n - 1);
}

static void
test_density (void)
{
  g_autofree float *values = g_new (float, PIXELS * N_KINDS);
  g_autoptr (EsImageStack) stack = make_stack (5, values);
  const float *x = values + SKEWED * PIXELS, *y = values + GAPS * PIXELS;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDensity) density = es_density_new (G_OBJECT (stack), SKEWED, GAPS, 40, 30, NULL, &error);
  g_autofree guint32 *expected = g_new0 (guint32, 40 * 30);
  guint64 total = 0, outside = 0;

  g_assert_no_error (error);
  for (guint p = 0; p < PIXELS; p++)
    if (isfinite (x[p]) && isfinite (y[p]))
      {
        total++;
        if (x[p] < density->x_minimum || x[p] > density->x_maximum || y[p] < density->y_minimum
            || y[p] > density->y_maximum)
          outside++;
        else
          expected[cell_of (y[p], density->y_minimum, density->y_maximum, 30) * 40
                   + cell_of (x[p], density->x_minimum, density->x_maximum, 40)]++;
      }
  g_assert_cmpuint (density->total, ==, total);
  g_assert_cmpuint (density->outside, ==, outside);
  /* A thousandth on each side of each axis at most. */
  g_assert_cmpuint (outside, <=, 4 * total / 1000 + 4);
  g_assert_cmpmem (density->counts, 1200 * sizeof (guint32), expected, 1200 * sizeof (guint32));
  g_assert_cmpuint (density->largest, >, 0);

  /* From the plot to the image and back: the same pixels. */
  const double lasso[] = { 2, 5, 14, 10, 9, 40, 1, 30 };
  g_autoptr (EsRegion) region = es_density_find_pixels (density, lasso, 4, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsRegion) in_values = es_region_new_polygon (lasso, 4);
  g_autofree guint8 *mask = g_malloc (PIXELS);
  guint64 count = 0;
  es_region_fill_mask (region, 0, 0, WIDTH, HEIGHT, mask);
  memset (expected, 0, 1200 * sizeof *expected);
  for (guint p = 0; p < PIXELS; p++)
    {
      gboolean inside = FALSE;
      for (guint i = 0, j = 3; i < 4; j = i++)
        if ((lasso[2 * i + 1] > y[p]) != (lasso[2 * j + 1] > y[p])
            && x[p] < (lasso[2 * j] - lasso[2 * i]) * (y[p] - lasso[2 * i + 1]) / (lasso[2 * j + 1] - lasso[2 * i + 1])
                      + lasso[2 * i])
          inside = !inside;
      inside = inside && isfinite (x[p]) && isfinite (y[p]);
      g_assert_cmpint (mask[p], ==, inside);
      count += inside;
      if (inside && x[p] <= density->x_maximum && y[p] <= density->y_maximum && x[p] >= density->x_minimum
          && y[p] >= density->y_minimum)
        expected[cell_of (y[p], density->y_minimum, density->y_maximum, 30) * 40
                 + cell_of (x[p], density->x_minimum, density->x_maximum, 40)]++;
    }
  g_assert_cmpuint (count, >, 20);
  g_autofree guint32 *points = es_density_find_points (density, region, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (points, 1200 * sizeof (guint32), expected, 1200 * sizeof (guint32));

  g_autoptr (EsDensity) flat = es_density_new (G_OBJECT (stack), CONSTANT, NOISE, 0, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flat->width, ==, ES_DENSITY_SIZE);
  g_assert_cmpfloat (flat->x_minimum, ==, 2.75);
  g_assert_cmpfloat (flat->x_maximum, ==, 3.75);
  g_assert_null (es_density_new (G_OBJECT (stack), EMPTY, NOISE, 0, 0, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
}

/* ---- named regions ---- */

static gboolean
all_ready (GListModel *model)
{
  for (guint i = 0; i < g_list_model_get_n_items (model); i++)
    {
      gboolean ready;
      g_autoptr (EsNamedRegion) region = g_list_model_get_item (model, i);
      g_object_get (region, "ready", &ready, NULL);
      if (!ready)
        return FALSE;
    }
  return TRUE;
}

static void
check_spectra (EsNamedRegion *region, EsCube *cube)
{
  const guint width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  g_autofree float *values = g_new (float, width * height);
  g_autofree guint8 *mask = g_malloc (width * height);

  g_assert_null (es_named_region_get_error (region));
  es_region_fill_mask (es_named_region_get_region (region), 0, 0, width, height, mask);
  for (guint band = 0; band < es_cube_get_bands (cube); band++)
    {
      long double sum = 0, square = 0, count = 0;

      g_assert_true (es_cube_read_band (cube, band, 0, 0, width, height, 1, values, NULL, NULL));
      for (guint p = 0; p < width * height; p++)
        if (mask[p] && isfinite (values[p]))
          {
            sum += values[p];
            count++;
          }
      for (guint p = 0; p < width * height; p++)
        if (mask[p] && isfinite (values[p]))
          square += (values[p] - sum / count) * (values[p] - sum / count);
      const double mean = count > 0 ? (double) (sum / count) : NAN;
      const double deviation = count > 1 ? (double) sqrtl (square / (count - 1)) : NAN;
      assert_close (es_named_region_get_mean (region)[band], mean, 1e-9);
      assert_close (es_named_region_get_deviation (region)[band], deviation, 1e-9);
    }
}

static void
test_regions (void)
{
  EsTestScene scene = { .width = 30, .height = 20, .bands = 6, .type = ESK_I16, .interleave = "bil", .no_data = 0,
                        .missing = 0.2 };
  const double triangle[] = { 2, 2, 20, 4, 8, 19 };
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  es_test_scene_fill (&scene, 12);
  g_autoptr (EsDataset) dataset = es_test_scene_open (&scene, directory, "regions");
  EsRegionSet *set = es_dataset_get_regions (dataset);
  g_assert_true (set == es_dataset_get_regions (dataset));
  g_autoptr (EsRegion) first = es_region_new_polygon (triangle, 3), second = es_region_new_rectangle (10, 5, 8, 8);
  g_autoptr (EsRegion) away = es_region_new_rectangle (100, 100, 5, 5);
  EsNamedRegion *a = es_region_set_add (set, NULL, first, 0);
  EsNamedRegion *b = es_region_set_add (set, "Water, deep", second, 0x0000ff);
  EsNamedRegion *c = es_region_set_add (set, "Nowhere", away, 0);

  g_assert_cmpstr (es_named_region_get_name (a), ==, "Class 1");
  g_assert_cmpuint (es_named_region_get_colour (b), ==, 0x0000ff);
  g_assert_cmpuint (es_named_region_get_colour (a), !=, es_named_region_get_colour (c));
  g_assert_cmpuint (es_named_region_get_count (b), ==, 64);
  g_assert_cmpuint (es_named_region_get_count (c), ==, 0);
  while (!all_ready (G_LIST_MODEL (set)))
    g_main_context_iteration (NULL, TRUE);
  check_spectra (a, ES_CUBE (dataset));
  check_spectra (b, ES_CUBE (dataset));
  check_spectra (c, ES_CUBE (dataset));

  /* Files. */
  g_autoptr (GFile) json = g_file_new_build_filename (directory, "regions.json", NULL);
  g_autoptr (GFile) classes = g_file_new_build_filename (directory, "classes.img", NULL);
  g_autoptr (GFile) csv = g_file_new_build_filename (directory, "classes.csv", NULL);
  g_assert_true (es_region_set_save (set, json, &error));
  g_assert_no_error (error);
  g_assert_true (es_region_set_write_classification (set, classes, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (es_region_set_write_spectra (set, csv, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_load_contents (classes, NULL, &text, &length, NULL, NULL));
  g_assert_cmpuint (length, ==, 600);
  guint8 mask_a[600], mask_b[600];
  es_region_fill_mask (first, 0, 0, 30, 20, mask_a);
  es_region_fill_mask (second, 0, 0, 30, 20, mask_b);
  for (guint p = 0; p < 600; p++)
    g_assert_cmpint (text[p], ==, mask_b[p] ? 2 : mask_a[p] ? 1 : 0);
  g_clear_pointer (&text, g_free);
  g_autoptr (GFile) header = g_file_new_build_filename (directory, "classes.hdr", NULL);
  g_assert_true (g_file_load_contents (header, NULL, &text, &length, NULL, NULL));
  g_assert_nonnull (strstr (text, "classes = 4"));
  g_assert_nonnull (strstr (text, "Water; deep"));
  g_assert_nonnull (strstr (text, "ENVI Classification"));
  g_clear_pointer (&text, g_free);
  g_assert_true (g_file_load_contents (csv, NULL, &text, &length, NULL, NULL));
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 8);

  /* Loaded beside what is there. */
  es_region_set_remove (set, c);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (set)), ==, 2);
  g_assert_true (es_region_set_load (set, json, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (set)), ==, 5);
  g_autoptr (EsNamedRegion) loaded = g_list_model_get_item (G_LIST_MODEL (set), 3);
  g_assert_cmpstr (es_named_region_get_name (loaded), ==, "Water, deep");
  g_assert_cmpuint (es_named_region_get_colour (loaded), ==, 0x0000ff);
  g_assert_true (g_file_set_contents (g_file_peek_path (json), "{\"regions\": [{\"region\": \"circle\"}]}", -1, NULL));
  g_assert_false (es_region_set_load (set, json, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (set)), ==, 5);

  /* Taken away while its spectrum is computed. */
  es_region_set_clear (set);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (set)), ==, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/components/numbers", test_numbers);
  g_test_add_func ("/components/fill", test_fill);
  g_test_add_func ("/components/correlate", test_correlate);
  g_test_add_func ("/components/correlate-cube", test_correlate_cube);
  g_test_add_func ("/components/match", test_match);
  g_test_add_func ("/components/match-without", test_match_without);
  g_test_add_func ("/components/truth", test_truth);
  g_test_add_func ("/components/density", test_density);
  g_test_add_func ("/components/regions", test_regions);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
