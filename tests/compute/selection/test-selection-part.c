/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is computed of a part of a cube, against sums in long double over the pixels and bands that are left. */

#include "../job/es-test-scene.h"
#include "cube/es-cube-internal.h"
#include "operations/es-operations.h"
#include "readers/es-open.h"

#include <math.h>
#include <string.h>

static char *directory;

typedef struct
{
  const char *bands, *excluded;
  EsSelectionWindow window;
  const char *sets[4];         /* "inside:", "outside:" before it */
} Told;

static EsSelection *
make_selection (const Told *told)
{
  g_autoptr (GPtrArray) sets = g_ptr_array_new_with_free_func ((GDestroyNotify) es_pixel_set_free);

  for (guint i = 0; i < G_N_ELEMENTS (told->sets) && told->sets[i] != NULL; i++)
    g_ptr_array_add (sets, es_pixel_set_new (told->sets[i][0] == 'o', "Set", strchr (told->sets[i], ':') + 1));
  return es_selection_new (told->bands, told->excluded, &told->window, (EsPixelSet * const *) sets->pdata, sets->len);
}

static EsResult *
run (const char *id, EsDataset *dataset, EsDevice *device, EsResult *previous, EsResult *source, const char *assignment,
     GError **error)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_auto (GStrv) pair = assignment != NULL ? g_strsplit (assignment, "=", 2) : NULL;
  g_autoptr (EsJob) job = NULL;

  if (pair != NULL)
    g_assert_true (es_params_parse (params, pair[0], pair[1], NULL));
  job = es_job_new (operation, dataset, params, device, NULL, previous);
  /* As sessions do, whatever the operation is. */
  es_job_set_source (job, source);
  return es_job_run (job, error);
}

static double
number_of (EsResult *result, const char *list, guint i)
{
  return json_array_get_double_element (json_object_get_array_member (es_result_get_values (result), list), i);
}

/* taken: of every pixel; it is valid as well where all n bands have data. */
static gint64
find_valid (const EsTestScene *scene, const guint *bands, guint n, const gboolean *taken, gboolean *valid)
{
  const gsize pixels = (gsize) scene->width * scene->height;
  gint64 count = 0;

  for (gsize p = 0; p < pixels; p++)
    {
      valid[p] = taken[p];
      for (guint i = 0; i < n; i++)
        valid[p] = valid[p] && isfinite (scene->values[bands[i] * pixels + p])
                   && scene->values[bands[i] * pixels + p] != scene->no_data;
      count += valid[p];
    }
  return count;
}

static void
find_covariance (const EsTestScene *scene, const guint *bands, guint n, const gboolean *valid, gint64 count,
                 long double *mean, long double *covariance)
{
  const gsize pixels = (gsize) scene->width * scene->height;

  memset (mean, 0, n * sizeof *mean);
  memset (covariance, 0, n * n * sizeof *covariance);
  for (gsize p = 0; p < pixels; p++)
    for (guint i = 0; valid[p] && i < n; i++)
      mean[i] += scene->values[bands[i] * pixels + p] / (long double) count;
  for (gsize p = 0; p < pixels; p++)
    for (guint i = 0; valid[p] && i < n; i++)
      for (guint j = 0; j < n; j++)
        covariance[i * n + j] += (scene->values[bands[i] * pixels + p] - mean[i])
                                 * (scene->values[bands[j] * pixels + p] - mean[j]) / (long double) (count - 1);
}

static void
check_planes (EsResult *result, const char *layer, const EsTestScene *scene, const gboolean *valid)
{
  const gsize pixels = (gsize) scene->width * scene->height;
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, layer));
  g_autofree float *plane = g_new (float, pixels), *some = g_new (float, pixels), *means = g_new (float, pixels);

  g_assert_cmpuint (es_image_stack_get_width (stack), ==, scene->width);
  g_assert_cmpuint (es_image_stack_get_height (stack), ==, scene->height);
  for (guint k = 0; k < es_image_stack_get_planes (stack); k++)
    {
      g_assert_true (es_image_stack_read (stack, k, 0, 0, scene->width, scene->height, 1, plane, NULL));
      for (gsize p = 0; p < pixels; p++)
        g_assert_cmpint (isnan (plane[p]), ==, !valid[p]);
      /* Windows and steps see the same image. */
      for (guint step = 1; step < 6; step++)
        {
          const guint x = step, y = 2 * step - 1, width = scene->width - x - step / 2, height = scene->height - y;
          const guint columns = (width - 1) / step + 1;

          g_assert_true (es_image_stack_read (stack, k, x, y, width, height, step, some, NULL));
          for (guint j = 0; j < height; j += step)
            for (guint i = 0; i < width; i += step)
              {
                const float there = plane[(y + j) * scene->width + x + i], read = some[j / step * columns + i / step];

                g_assert_true (there == read || (isnan (there) && isnan (read)));
              }
        }
      g_assert_true (es_image_stack_read_means (stack, k, 1, means, NULL, NULL));
      g_assert_cmpmem (means, pixels * sizeof *means, plane, pixels * sizeof *plane);
    }
}

/* Of a PCA: the pairs of the covariance, and the planes. */
static void
check_pca (EsResult *result, const EsTestScene *scene, const guint *bands, guint n, const gboolean *taken)
{
  const gsize pixels = (gsize) scene->width * scene->height;
  g_autofree gboolean *valid = g_new (gboolean, pixels);
  g_autofree long double *mean = g_new (long double, n), *covariance = g_new (long double, n * n);
  g_autofree float *plane = g_new (float, pixels);
  const gint64 count = find_valid (scene, bands, n, taken, valid);
  const guint m = json_object_get_int_member (es_result_get_values (result), "components");
  EsImageStack *stack = ES_IMAGE_STACK (es_result_find_layer (result, "components"));
  JsonArray *loadings = json_object_get_array_member (es_result_get_values (result), "loadings");
  double trace = 0;

  g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "valid_pixels"), ==, count);
  find_covariance (scene, bands, n, valid, count, mean, covariance);
  for (guint i = 0; i < n; i++)
    {
      trace += covariance[i * n + i];
      g_assert_cmpfloat (fabs (number_of (result, "mean", i) - (double) mean[i]), <,
                         1e-6 * (fabs ((double) mean[i]) + 1));
    }
  check_planes (result, "components", scene, valid);
  for (guint k = 0; k < m; k++)
    {
      JsonArray *row = json_array_get_array_element (loadings, k);
      const double lambda = number_of (result, "eigenvalues", k);

      for (guint i = 0; i < n; i++)
        {
          double product = 0;

          for (guint j = 0; j < n; j++)
            product += covariance[i * n + j] * json_array_get_double_element (row, j);
          g_assert_cmpfloat (fabs (product - lambda * json_array_get_double_element (row, i)), <, 1e-6 * trace);
        }
      g_assert_true (es_image_stack_read (stack, k, 0, 0, scene->width, scene->height, 1, plane, NULL));
      for (gsize p = 0; p < pixels; p++)
        {
          double y = 0, bound = 1;

          for (guint i = 0; valid[p] && i < n; i++)
            {
              const double value = scene->values[bands[i] * pixels + p];

              y += json_array_get_double_element (row, i) * (value - (double) mean[i]);
              bound += fabs (value);
            }
          if (valid[p])
            g_assert_cmpfloat (fabs (plane[p] - y), <, 2e-6 * bound);
        }
    }
}

/* ---- scenes ---- */

static const int bad[] = { 3, -1 };

static EsDataset *
open_scene (EsTestScene *scene, EskType type, const char *interleave, const char *name)
{
  *scene = (EsTestScene) { .width = 37, .height = 29, .bands = 8, .type = type, .interleave = interleave,
                           .no_data = 7, .bad_bands = bad, .missing = 0.1 };
  es_test_scene_fill (scene, 5);
  /* A band that is called bad and holds data all the same. */
  for (gsize p = 0, pixels = scene->width * scene->height; p < pixels; p++)
    scene->values[bad[0] * pixels + p] = 20 + (p * p + 3 * p) % 101;
  return es_test_scene_open (scene, directory, name);
}

/* Which pixels, told by hand here and in words in the table. */
static gboolean
takes_window (guint x, guint y)
{
  return x >= 5 && x < 25 && y >= 4 && y < 24;
}

static gboolean
takes_sets (guint x, guint y)
{
  const gboolean first = x >= 3 && x < 20 && y >= 2 && y < 20, second = y == 25 && x >= 30 && x <= 33;
  const gboolean hole = x >= 8 && x < 12 && y >= 6 && y < 14;

  return (first || second) && !hole;
}

static gboolean
takes_both (guint x, guint y)
{
  return takes_window (x, y) && takes_sets (x, y);
}

static gboolean
takes_all (guint x, guint y)
{
  return TRUE;
}

static gboolean
takes_outside (guint x, guint y)
{
  return !(x >= 10 && x < 20);
}

static const struct
{
  Told       told;
  guint      bands[8], n;
  gboolean (*takes) (guint x, guint y);
} cases[] = {
  { { .bands = "1-3,6" }, { 0, 1, 2, 5 }, 4, takes_all },
  { { .bands = "all", .excluded = "1-2" }, { 2, 3, 4, 5, 6, 7 }, 6, takes_all },  /* a bad one that is wanted */
  { { .excluded = "1,8" }, { 1, 2, 4, 5, 6 }, 5, takes_all },
  { { .window = { 5, 4, 20, 20 } }, { 0, 1, 2, 4, 5, 6, 7 }, 7, takes_window },
  { { .sets = { "inside:rectangle 3 2 17 18", "inside:runs 25:30-33", "outside:rectangle 8 6 4 8" } },
    { 0, 1, 2, 4, 5, 6, 7 }, 7, takes_sets },
  { { .bands = "2-6", .window = { 5, 4, 20, 20 },
      .sets = { "outside:rectangle 8 6 4 8", "inside:rectangle 3 2 17 18", "inside:runs 25:30-33" } },
    { 1, 2, 3, 4, 5 }, 5, takes_both },
  { { .sets = { "outside:rectangle 10 0 10 29" } }, { 0, 1, 2, 4, 5, 6, 7 }, 7, takes_outside },
};

static void
fill_taken (const EsTestScene *scene, gboolean (*takes) (guint x, guint y), gboolean *taken)
{
  for (guint y = 0; y < scene->height; y++)
    for (guint x = 0; x < scene->width; x++)
      taken[y * scene->width + x] = takes (x, y);
}

static void
check_on (EskType type, const char *interleave, EsDevice *device, const char *name)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, type, interleave, name);
  g_autofree gboolean *taken = g_new (gboolean, scene.width * scene.height);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (EsSelection) selection = make_selection (&cases[i].told), told = NULL;
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = NULL;

      es_cube_set_selection (ES_CUBE (dataset), selection);
      result = run ("pca", dataset, device, NULL, NULL, "threshold=1", &error);
      g_assert_no_error (error);
      g_assert_true (es_result_get_dataset (result) == dataset);
      told = es_result_dup_selection (result);
      g_assert_true (es_selection_equal (told, selection));
      fill_taken (&scene, cases[i].takes, taken);
      check_pca (result, &scene, cases[i].bands, cases[i].n, taken);
    }
  es_test_scene_clear (&scene);
}

static void
test_pca (void)
{
  check_on (ESK_I16, "bsq", es_device_get_cpu (), "i16");
  check_on (ESK_F32, "bil", es_device_get_cpu (), "f32");
  check_on (ESK_U8, "bip", es_device_get_cpu (), "u8");
}

/* The same with a card, or what stands for one. */
static void
test_device (void)
{
  EsDevice *device = es_device_find ("cuda:0", NULL);

  if (device == NULL)
    {
      g_test_skip ("no device");
      return;
    }
  check_on (ESK_I16, "bsq", device, "i16-card");
  check_on (ESK_F32, "bip", device, "f32-card");
}

/* ---- what goes with it ---- */

static EsSelection *
tell (EsDataset *dataset, const Told *told)
{
  EsSelection *selection = make_selection (told);

  es_cube_set_selection (ES_CUBE (dataset), selection);
  return selection;
}

/* Stages are used again only where the same takes part. */
static void
test_previous (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, ESK_I16, "bsq", "previous");
  EsDevice *cpu = es_device_get_cpu ();
  g_autoptr (EsResult) first = run ("pca", dataset, cpu, NULL, NULL, "threshold=1", NULL), second = NULL, third = NULL;
  g_autoptr (EsSelection) selection = tell (dataset, &(Told) { .window = { 5, 4, 20, 20 } });
  g_autofree gboolean *taken = g_new (gboolean, scene.width * scene.height);
  const guint bands[] = { 0, 1, 2, 4, 5, 6, 7 };

  fill_taken (&scene, takes_window, taken);
  second = run ("pca", dataset, cpu, first, NULL, "threshold=1", NULL);
  check_pca (second, &scene, bands, 7, taken);
  third = run ("pca", dataset, cpu, second, NULL, "components=2", NULL);
  check_pca (third, &scene, bands, 7, taken);
  g_assert_false (json_object_has_member (es_result_get_values (first), "selection"));
  es_test_scene_clear (&scene);
}

static void
test_others (void)
{
  static const char *const ids[] = { "mnf", "fastica" };
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, ESK_F32, "bsq", "others");
  g_autoptr (EsSelection) selection = tell (dataset, &cases[5].told), none = NULL;
  const gsize pixels = (gsize) scene.width * scene.height;
  g_autofree gboolean *taken = g_new (gboolean, pixels), *valid = g_new (gboolean, pixels);
  g_autoptr (EsResult) pca = run ("pca", dataset, es_device_get_cpu (), NULL, NULL, "components=2", NULL);
  g_autoptr (EsResult) back = NULL;
  gint64 count;

  fill_taken (&scene, takes_both, taken);
  count = find_valid (&scene, cases[5].bands, cases[5].n, taken, valid);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = run (ids[i], dataset, es_device_get_cpu (), NULL, NULL, "components=2", &error);

      g_assert_no_error (error);
      g_assert_cmpint (json_object_get_int_member (es_result_get_values (result), "valid_pixels"), ==, count);
      check_planes (result, "components", &scene, valid);
    }

  /* A reconstruction is of what took part in its source, whatever does by now. */
  es_cube_set_selection (ES_CUBE (dataset), NULL);
  back = run ("reconstruct", dataset, es_device_get_cpu (), NULL, pca, "output=cube", NULL);
  g_assert_nonnull (back);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (back), "pixels"), ==, count);
  check_planes (back, "error", &scene, valid);
  check_planes (back, "residual", &scene, valid);
  check_planes (back, "reconstruction", &scene, valid);
  none = es_result_dup_selection (back);
  g_assert_true (es_selection_equal (none, selection));
  es_test_scene_clear (&scene);
}

/* A noise region is told of the whole cube. */
static void
test_noise_region (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, ESK_F32, "bsq", "noise-region");
  g_autoptr (EsSelection) all = NULL, selection = NULL;
  const EsOperation *mnf = es_operation_find ("mnf", NULL);
  g_autoptr (EsParams) params = es_params_new (mnf->params);
  g_autoptr (EsResult) whole = NULL, part = NULL;
  g_autoptr (GError) error = NULL;

  es_params_parse (params, "noise", "region", NULL);
  es_params_parse (params, "region", "rectangle 8 6 10 12", NULL);
  g_autoptr (EsJob) first = es_job_new (mnf, dataset, params, es_device_get_cpu (), NULL, NULL);
  whole = es_job_run (first, &error);
  g_assert_no_error (error);
  selection = tell (dataset, &(Told) { .window = { 5, 4, 20, 20 } });
  g_autoptr (EsJob) second = es_job_new (mnf, dataset, params, es_device_get_cpu (), NULL, NULL);
  part = es_job_run (second, &error);
  g_assert_no_error (error);
  /* The noise is that of the same pixels. */
  EsCurve *a = ES_CURVE (es_result_find_layer (whole, "noise")), *b = ES_CURVE (es_result_find_layer (part, "noise"));
  const guint n = es_curve_get_length (a);
  g_assert_cmpuint (n, ==, es_curve_get_length (b));
  for (guint i = 0; i < n; i++)
    {
      const double u = es_curve_get_series (a, 0)->y[i], v = es_curve_get_series (b, 0)->y[i];

      g_assert_true ((isnan (u) && isnan (v)) || fabs (u - v) <= 1e-9 * fabs (u));
    }
  es_test_scene_clear (&scene);
}

/* Nothing is left: one sentence. */
static void
test_nothing (void)
{
  static const struct { Told told; const char *part; } nothing[] = {
    { { .excluded = "all" }, "No band of" },
    { { .bands = "3000-4000 nm" }, "wavelengths" },
    { { .bands = "2" }, "at least two" },
    { { .window = { 30, 0, 10, 10 } }, "does not lie in" },
    { { .sets = { "outside:rectangle 0 0 37 29" } }, "No pixel of" },
    { { .sets = { "inside:rectangle 40 0 37 29" } }, "No pixel of" },
    { { .window = { 0, 0, 5, 5 }, .sets = { "inside:rectangle 10 10 5 5" } }, "No pixel of" },
    { { .sets = { "inside:runs" } }, "No pixel of" },
    { { .sets = { "inside:oval 3" } }, "not a region" },
  };
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, ESK_I16, "bsq", "nothing");

  for (guint i = 0; i < G_N_ELEMENTS (nothing); i++)
    {
      g_autoptr (EsSelection) selection = tell (dataset, &nothing[i].told);
      g_autoptr (GError) error = NULL;
      g_autoptr (EsResult) result = run ("pca", dataset, NULL, NULL, NULL, NULL, &error);

      g_assert_null (result);
      g_assert_nonnull (error);
      g_assert_nonnull (strstr (error->message, nothing[i].part));
    }
  es_test_scene_clear (&scene);
}

/* A real scene: float32 reflectance with no-data, wavelengths that do not rise, a bad band list. */
static void
fill_scene (EsTestScene *scene, EsCube *cube)
{
  const gsize pixels = es_cube_get_width (cube) * es_cube_get_height (cube);
  g_autofree float *band = g_new (float, pixels);

  *scene = (EsTestScene) { .width = es_cube_get_width (cube), .height = es_cube_get_height (cube),
                           .bands = es_cube_get_bands (cube), .no_data = NAN };
  scene->values = g_new (double, pixels * scene->bands);
  for (guint b = 0; b < scene->bands; b++)
    {
      g_assert_true (es_cube_read_band (cube, b, 0, 0, scene->width, scene->height, 1, band, NULL, NULL));
      /* As stored: whole numbers there. */
      for (gsize p = 0; p < pixels; p++)
        scene->values[b * pixels + p] = rint ((band[p] - es_cube_get_offset (cube, b)) / es_cube_get_scale (cube, b));
    }
}

static gboolean
takes_scene (guint x, guint y)
{
  return x >= 10 && x < 60 && y >= 20 && y < 80 && !(x >= 20 && x < 40 && y >= 30 && y < 55);
}

static void
test_enmap (void)
{
  const char *folder = g_getenv ("ES_TEST_DATA");
  g_autofree char *path = folder != NULL ? g_build_filename (folder, "enmap", "enmap_potsdam_mosaic.img", NULL) : NULL;
  const Told told = { .bands = "450-1300, 1500-1750, 2000-2400 nm", .excluded = "92", .window = { 10, 20, 50, 60 },
                      .sets = { "outside:rectangle 20 30 20 25" } };
  g_autoptr (GFile) file = path != NULL ? g_file_new_for_path (path) : NULL;
  g_autoptr (EsDataset) dataset = file != NULL ? es_dataset_open (file, NULL, NULL, NULL) : NULL;
  g_autoptr (EsResult) whole = NULL, part = NULL;
  g_autoptr (EsSelection) selection = NULL;
  g_autofree gboolean *taken = NULL;
  g_autofree guint *bands = NULL;
  EsTestScene scene;
  guint n = 0;

  if (dataset == NULL)
    {
      g_test_skip ("ES_TEST_DATA has no such file");
      return;
    }
  fill_scene (&scene, ES_CUBE (dataset));
  taken = g_new (gboolean, scene.width * scene.height);
  bands = g_new (guint, scene.bands);
  whole = run ("pca", dataset, es_device_get_cpu (), NULL, NULL, NULL, NULL);
  g_assert_cmpint (json_object_get_int_member (es_result_get_values (whole), "valid_pixels"), ==, 18432);
  g_assert_cmpfloat (fabs (number_of (whole, "eigenvalues", 0) / 7.0296608e7 - 1), <, 1e-7);

  selection = tell (dataset, &told);
  part = run ("pca", dataset, es_device_get_cpu (), NULL, NULL, "threshold=0.999", NULL);
  for (guint b = 0; b < scene.bands; b++)
    {
      const double nm = es_cube_get_wavelengths (ES_CUBE (dataset))[b];

      if (b != 91 && es_cube_get_good_bands (ES_CUBE (dataset))[b]
          && ((nm >= 450 && nm <= 1300) || (nm >= 1500 && nm <= 1750) || (nm >= 2000 && nm <= 2400)))
        bands[n++] = b;
    }
  fill_taken (&scene, takes_scene, taken);
  check_pca (part, &scene, bands, n, taken);
  es_test_scene_clear (&scene);
}

/* The cost is that of what is left. */
static void
test_cost (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, ESK_I16, "bsq", "cost");
  g_autoptr (EsSelection) selection = make_selection (&(Told) { .window = { 3, 5, 10, 7 } });
  g_autoptr (EsCube) part = es_cube_take_part (ES_CUBE (dataset), selection, TRUE, NULL);
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  const EsPlan whole = pca->plan (dataset, params, es_device_get_cpu (), NULL);
  const EsPlan plan = pca->plan (ES_DATASET (part), params, es_device_get_cpu (), NULL);

  g_assert_cmpfloat (fabs (plan.read_bytes - whole.read_bytes * 70.0 / (37 * 29)), <, 2);
  g_assert_cmpfloat (fabs (plan.flops / whole.flops - 70.0 / (37 * 29)), <, 1e-9);
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/compute/selection-part/pca", test_pca);
  g_test_add_func ("/compute/selection-part/device", test_device);
  g_test_add_func ("/compute/selection-part/previous", test_previous);
  g_test_add_func ("/compute/selection-part/others", test_others);
  g_test_add_func ("/compute/selection-part/noise-region", test_noise_region);
  g_test_add_func ("/compute/selection-part/nothing", test_nothing);
  g_test_add_func ("/compute/selection-part/enmap", test_enmap);
  g_test_add_func ("/compute/selection-part/cost", test_cost);
  const int status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
