/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Figures of planes, densities, named regions: against naive loops in long double. */

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "es-test-scene.h"
#include "writers/es-writer.h"
#include "es-test-planes.h"

static char *directory;

/* ---- figures of one plane ---- */

static double
naive_coherence (const float *plane)
{
  gboolean right_counts[ES_TEST_PIXELS], lower_counts[ES_TEST_PIXELS];
  float right[ES_TEST_PIXELS], lower[ES_TEST_PIXELS];

  for (guint p = 0; p < ES_TEST_PIXELS; p++)
    {
      right[p] = p % ES_TEST_WIDTH + 1 < ES_TEST_WIDTH ? plane[p + 1] : NAN;
      lower[p] = p + ES_TEST_WIDTH < ES_TEST_PIXELS ? plane[p + ES_TEST_WIDTH] : NAN;
      right_counts[p] = isfinite (plane[p]) && isfinite (right[p]);
      lower_counts[p] = isfinite (plane[p]) && isfinite (lower[p]);
    }
  return (es_test_naive_correlation (plane, right, right_counts, ES_TEST_PIXELS)
          + es_test_naive_correlation (plane, lower, lower_counts, ES_TEST_PIXELS)) / 2;
}

static void
check_numbers (const EsComponentNumbers *numbers, const float *plane)
{
  long double sum = 0, m2 = 0, m3 = 0, m4 = 0;
  double minimum = INFINITY, maximum = -INFINITY, entropy = 0;
  guint64 count = 0, in_bins = 0;

  for (guint p = 0; p < ES_TEST_PIXELS; p++)
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
  for (guint p = 0; p < ES_TEST_PIXELS; p++)
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
  es_test_assert_close (numbers->mean, sum / count, 1e-12);
  es_test_assert_close (numbers->deviation, sqrtl (m2 * count / (count - 1)), 1e-9);
  es_test_assert_close (numbers->skewness, m2 > 0 ? (double) (m3 / powl (m2, 1.5L)) : NAN, 1e-8);
  es_test_assert_close (numbers->kurtosis, m2 > 0 ? (double) (m4 / (m2 * m2) - 3) : NAN, 1e-8);
  es_test_assert_close (numbers->entropy, entropy, 1e-9);
  es_test_assert_close (numbers->coherence, naive_coherence (plane), 1e-8);
}

static void
test_numbers (void)
{
  g_autofree float *values = g_new (float, ES_TEST_PIXELS * ES_TEST_N_KINDS);
  g_autoptr (EsImageStack) stack = es_test_make_stack (1, values);
  g_autoptr (GError) error = NULL;
  EsComponentNumbers numbers;

  for (guint k = 0; k < ES_TEST_N_KINDS; k++)
    {
      g_assert_true (es_component_numbers_compute (stack, k, &numbers, NULL, &error));
      g_assert_no_error (error);
      check_numbers (&numbers, values + k * ES_TEST_PIXELS);
      if (k == ES_TEST_SMOOTH)
        g_assert_cmpfloat (numbers.coherence, >, 0.95);
      if (k == ES_TEST_NOISE)
        g_assert_cmpfloat (fabs (numbers.coherence), <, 0.1);
      if (k == ES_TEST_SKEWED)
        g_assert_cmpfloat (numbers.skewness, >, 1);
      if (k == ES_TEST_CONSTANT)
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
  g_autoptr (EsImageStack) first = es_test_make_stack (1, NULL), second = es_test_make_stack (2, NULL);
  g_autoptr (EsImageStack) empty = es_image_stack_new ("part", "Part", 8, 8, 1, 0, NULL, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  guint told[2][ES_TEST_N_KINDS] = { 0 };
  Waiting waiting = { 0 };

  g_assert_null (es_image_stack_get_numbers (first, 0));
  es_image_stack_fill_numbers_async (first, on_told, told[0], NULL, on_filled, &waiting);
  es_image_stack_fill_numbers_async (second, on_told, told[1], NULL, on_filled, &waiting);
  while (waiting.ended < 2)
    g_main_context_iteration (NULL, TRUE);
  g_assert_no_error (waiting.error);
  for (guint k = 0; k < ES_TEST_N_KINDS; k++)
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

/* ---- densities ---- */

static guint
cell_of (double value, double minimum, double maximum, guint n)
{
  return MIN ((guint) ((value - minimum) * (n / (maximum - minimum))), n - 1);
}

static void
test_density (void)
{
  g_autofree float *values = g_new (float, ES_TEST_PIXELS * ES_TEST_N_KINDS);
  g_autoptr (EsImageStack) stack = es_test_make_stack (5, values);
  const float *x = values + ES_TEST_SKEWED * ES_TEST_PIXELS, *y = values + ES_TEST_GAPS * ES_TEST_PIXELS;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDensity) density = es_density_new (G_OBJECT (stack), ES_TEST_SKEWED, ES_TEST_GAPS, 40, 30, NULL, &error);
  g_autofree guint32 *expected = g_new0 (guint32, 40 * 30);
  guint64 total = 0, outside = 0;

  g_assert_no_error (error);
  for (guint p = 0; p < ES_TEST_PIXELS; p++)
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
  g_autofree guint8 *mask = g_malloc (ES_TEST_PIXELS);
  guint64 count = 0;
  es_region_fill_mask (region, 0, 0, ES_TEST_WIDTH, ES_TEST_HEIGHT, mask);
  memset (expected, 0, 1200 * sizeof *expected);
  for (guint p = 0; p < ES_TEST_PIXELS; p++)
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

  g_autoptr (EsDensity) flat = es_density_new (G_OBJECT (stack), ES_TEST_CONSTANT, ES_TEST_NOISE, 0, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (flat->width, ==, ES_DENSITY_SIZE);
  g_assert_cmpfloat (flat->x_minimum, ==, 2.75);
  g_assert_cmpfloat (flat->x_maximum, ==, 3.75);
  g_assert_null (es_density_new (G_OBJECT (stack), ES_TEST_EMPTY, ES_TEST_NOISE, 0, 0, NULL, &error));
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
      es_test_assert_close (es_named_region_get_mean (region)[band], mean, 1e-9);
      es_test_assert_close (es_named_region_get_deviation (region)[band], deviation, 1e-9);
    }
}

typedef struct
{
  EsRegionSet *set;
  GFile       *file;
} Writing;

static gpointer
write_classes (gpointer data)
{
  Writing *writing = data;
  g_autoptr (GError) error = NULL;

  es_region_set_write_classification (writing->set, writing->file, NULL, &error);
  g_assert_no_error (error);
  return NULL;
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
  /* By a thread of its own, while the set goes on to change. */
  g_autoptr (EsRegionSet) copy = es_region_set_copy (set);
  g_assert_true (es_region_set_get_cube (copy) == ES_CUBE (dataset));
  es_region_set_remove (set, c);
  Writing writing = { copy, classes };
  g_assert_null (g_thread_join (g_thread_new ("classes", write_classes, &writing)));
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
  g_test_add_func ("/components/density", test_density);
  g_test_add_func ("/components/regions", test_regions);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
