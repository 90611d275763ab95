/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "../job/es-test-scene.h"
#include "cube/es-cube-taken.h"
#include "operations/es-operations.h"
#include "preparation/es-open-pixels.h"
#include "readers/es-open.h"

#include <math.h>
#include <string.h>

/* ---- lists of bands ---- */

static const double wavelengths[] = { 400, 500, 600, 700, 800, 900, 850, 1000 };
static const gboolean good[] = { TRUE, TRUE, TRUE, FALSE, TRUE, TRUE, TRUE, TRUE };
#define N G_N_ELEMENTS (good)

static void
check_list (const char *text, const char *expected)
{
  gboolean which[N];
  g_autoptr (GError) error = NULL;
  g_autofree char *list = NULL;

  g_assert_true (es_band_ranges_parse (text, wavelengths, good, N, which, &error));
  g_assert_no_error (error);
  list = es_band_ranges_format (which, N);
  g_assert_cmpstr (list, ==, expected);
}

static void
check_refused (const char *text, const double *nm, const char *part)
{
  gboolean which[N];
  g_autoptr (GError) error = NULL;

  g_assert_false (es_band_ranges_parse (text, nm, good, N, which, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_ranges (void)
{
  check_list ("1-3,5", "1-3,5");
  check_list ("4", "4");                                 /* named by its number, whatever the file says */
  check_list (" 2 - 4 , 8 ", "2-4,8");
  check_list ("500-900 nm", "2-3,5-7");                  /* 4 is bad; 7 lies there although it comes later */
  check_list ("0.5-0.6um,0.95-1.2 µm", "2-3,8");
  check_list ("500-600,900-1000 nm", "2-3,6,8");         /* the unit of the last is that of all before it */
  check_list ("500nm-600nm", "2-3");
  check_list ("500–600 nm", "2-3");
  check_list ("#1-2,900-1000 nm", "1-2,6,8");
  check_list ("1-2 b, 900-1000 nm", "1-2,6,8");
  check_list ("790 nm", "5");
  check_list ("690nm", "3");                             /* the nearest that is not bad */
  check_list ("good", "1-3,5-8");
  check_list ("all", "1-8");
  check_list ("good,4", "1-8");
  check_list ("3000-4000 nm", "");
}

static void
test_ranges_refused (void)
{
  static const char *const texts[] = { "", ",", "1-", "-3", "3-1", "1..", "abc", "1-2-3", "5 parsecs", "#400 nm", "1e3",
                                       "0x4", "500-400 nm", "nan", "1,,2" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    check_refused (texts[i], wavelengths, "expected");
  check_refused ("0", wavelengths, "no band 0");
  check_refused ("9", wavelengths, "no band 9");
  check_refused ("1-9", wavelengths, "no band 9");
  check_refused ("1.5", wavelengths, "no band 1.5");
  check_refused ("400-500", wavelengths, "no band 400");
  check_refused ("400-500 nm", NULL, "does not tell its wavelengths");
}

/* ---- the file ---- */

static char *directory;

static EsSelection *
make_selection (void)
{
  const EsSelectionWindow window = { 2, 3, 10, 8 };
  g_autoptr (EsPixelSet) water = es_pixel_set_new (TRUE, "Wäter", "rectangle 2 3 4 4");
  g_autoptr (EsPixelSet) mask = es_pixel_set_new (FALSE, "mask.tif", "runs 3:2-9 4:2-9");
  EsPixelSet *sets[] = { water, mask };

  mask->file = g_strdup ("/somewhere/mask.tif");
  mask->identity = g_strdup ("abc");
  return es_selection_new (" 1-3 ", "2", &window, sets, 2);
}

static void
test_round_trip (void)
{
  g_autoptr (EsSelection) selection = make_selection (), again = NULL, loaded = NULL;
  g_autoptr (JsonNode) node = es_selection_to_node (selection);
  g_autofree char *path = g_build_filename (directory, "cube.img.selection.json", NULL), *text = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;

  again = es_selection_from_node (node, &error);
  g_assert_no_error (error);
  g_assert_true (es_selection_equal (selection, again));
  g_assert_cmpint (es_selection_get_source (again), ==, ES_SELECTION_BY_HAND);

  /* What somebody else has written into it stays. */
  g_assert_true (g_file_set_contents (path, "{\"eigenscope-selection\":1,\"comment\":\"mine\",\"bands\":\"7\"}",
                                      -1, NULL));
  g_assert_true (es_selection_save (selection, file, "20x12x5", &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\"mine\""));
  loaded = es_selection_load (file, "20x12x5", &error);
  g_assert_no_error (error);
  g_assert_true (es_selection_equal (selection, loaded));
  g_assert_cmpint (es_selection_get_source (loaded), ==, ES_SELECTION_NAMED);

  /* One of another cube. */
  g_assert_null (es_selection_load (file, "20x12x6", &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "20x12x5"));
  g_assert_nonnull (strstr (error->message, "20x12x6"));
  g_assert_nonnull (strstr (error->message, "cube.img.selection.json"));
}

static void
test_damaged (void)
{
  static const char *const texts[] = {
    "", "[]", "{}", "{\"eigenscope-selection\":2}", "{\"eigenscope-selection\":\"1\"}",
    "{\"eigenscope-selection\":1,\"bands\":3}", "{\"eigenscope-selection\":1,\"subset\":[1,2,3]}",
    "{\"eigenscope-selection\":1,\"subset\":[1,2,0,3]}", "{\"eigenscope-selection\":1,\"subset\":[-1,2,1,3]}",
    "{\"eigenscope-selection\":1,\"subset\":[1,2,1.5,3]}", "{\"eigenscope-selection\":1,\"pixels\":{}}",
    "{\"eigenscope-selection\":1,\"pixels\":[{\"take\":\"inside\"}]}",
    "{\"eigenscope-selection\":1,\"pixels\":[{\"take\":\"both\",\"region\":\"runs\"}]}",
    "{\"eigenscope-selection\":1,\"pixels\":[3]}",
  };
  g_autofree char *path = g_build_filename (directory, "damaged.selection.json", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_true (g_file_set_contents (path, texts[i], -1, NULL));
      g_assert_null (es_selection_load (file, NULL, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
      g_assert_nonnull (strstr (error->message, "damaged.selection.json"));
    }
}

/* ---- beside a cube ---- */

static EsDataset *
open_scene (EsTestScene *scene, const char *name)
{
  *scene = (EsTestScene) { .width = 20, .height = 12, .bands = 5, .type = ESK_I16, .interleave = "bsq",
                           .no_data = NAN };
  es_test_scene_fill (scene, 7);
  return es_test_scene_open (scene, directory, name);
}

static EsDataset *
reopen (EsDataset *dataset)
{
  EsDataset *again = es_dataset_open (es_dataset_get_file (dataset), NULL, NULL, NULL);

  g_assert_nonnull (again);
  return again;
}

static void
test_sidecar (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "beside"), again = NULL, refused = NULL, none = NULL;
  g_autoptr (GFile) sidecar = es_selection_sidecar_of (es_dataset_get_file (dataset));
  g_autoptr (EsSelection) selection = make_selection (), taken = NULL, nothing = NULL;
  g_autofree char *shape = es_dataset_shape (dataset);

  g_assert_null (es_cube_dup_selection (ES_CUBE (dataset)));
  g_assert_true (es_selection_save (selection, sidecar, shape, NULL));
  again = reopen (dataset);
  taken = es_cube_dup_selection (ES_CUBE (again));
  g_assert_true (es_selection_equal (selection, taken));
  g_assert_cmpint (es_selection_get_source (taken), ==, ES_SELECTION_BESIDE);

  /* One of another cube is not taken, and that is told. */
  g_assert_true (es_selection_save (selection, sidecar, "1x2x3", NULL));
  refused = reopen (dataset);
  nothing = es_cube_dup_selection (ES_CUBE (refused));
  g_assert_null (nothing);
  g_assert_nonnull (es_dataset_get_notes (refused));
  g_assert_nonnull (strstr (es_dataset_get_notes (refused)[0], "1x2x3"));

  /* It is no data set. */
  none = es_dataset_open (sidecar, NULL, NULL, NULL);
  g_assert_null (none);
  es_test_scene_clear (&scene);
}

static void
test_command (void)
{
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "command");
  const EsOperation *pca = es_operation_find ("pca", NULL);
  g_autoptr (EsParams) params = es_params_new (pca->params);
  g_autoptr (EsSelection) selection = make_selection ();
  g_autoptr (GFile) sidecar = es_selection_sidecar_of (es_dataset_get_file (dataset));
  g_autofree char *shape = es_dataset_shape (dataset);
  g_autofree char *plain = es_operation_to_command (pca, dataset, params, NULL), *told = NULL;
  g_autofree char *beside = NULL, *none = NULL;

  g_assert_null (strstr (plain, "--"));
  es_cube_set_selection (ES_CUBE (dataset), selection);
  told = es_operation_to_command (pca, dataset, params, NULL);
  g_assert_nonnull (strstr (told, " --bands '1-3' --exclude-bands '2' --subset 2,3,10,8"
                            " --pixels 'outside:rectangle 2 3 4 4' --pixels 'inside:runs 3:2-9 4:2-9'"));
  g_assert_null (strstr (told, "--selection"));
  /* What lies beside the cube is taken without being asked for. */
  g_assert_true (es_selection_save (selection, sidecar, shape, NULL));
  beside = es_operation_to_command (pca, dataset, params, NULL);
  g_assert_cmpstr (beside, ==, plain);
  es_cube_set_selection (ES_CUBE (dataset), NULL);
  none = es_operation_to_command (pca, dataset, params, NULL);
  g_assert_nonnull (strstr (none, " --selection none"));
  es_test_scene_clear (&scene);
}

/* ---- sets of pixels of files ---- */

static EsDataset *
write_mask (EsTestScene *mask, guint width, guint height, guint bands, const char *name)
{
  *mask = (EsTestScene) { .width = width, .height = height, .bands = bands, .type = ESK_U8, .interleave = "bsq",
                          .no_data = 255 };
  mask->values = g_new0 (double, width * height * bands);
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      mask->values[y * width + x] = x == 0 ? 255 : x < 3 ? 1 : y == 2 && x < 9 ? 2 : 0;
  return es_test_scene_open (mask, directory, name);
}

static void
check_pixels (EsCube *cube, const char *text, const char *region)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsPixelSet) set = es_cube_parse_pixels (cube, text, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (set->region, ==, region);
  g_assert_cmpint (set->outside, ==, g_str_has_prefix (text, "outside:"));
}

static void
check_no_pixels (EsCube *cube, const char *text, const char *part)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsPixelSet) set = es_cube_parse_pixels (cube, text, NULL, &error);

  g_assert_null (set);
  g_assert_nonnull (error);
  g_assert_nonnull (strstr (error->message, part));
}

static void
test_pixels (void)
{
  EsTestScene scene, mask, small, deep;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "pixels");
  g_autoptr (EsDataset) fits = write_mask (&mask, 20, 12, 1, "mask"), other = write_mask (&small, 20, 4, 1, "small");
  g_autoptr (EsDataset) many = write_mask (&deep, 20, 12, 2, "deep");
  EsCube *cube = ES_CUBE (dataset);
  g_autofree char *path = g_file_get_path (es_dataset_get_file (fits));
  g_autofree char *small_path = g_file_get_path (es_dataset_get_file (other));
  g_autofree char *deep_path = g_file_get_path (es_dataset_get_file (many));
  g_autofree char *classes = g_build_filename (directory, "classes.json", NULL);
  g_autofree char *all = g_strdup_printf ("inside:%s", path), *twos = g_strdup_printf ("outside:%s#2", path);
  g_autofree char *word = g_strdup_printf ("%s#two", path);
  g_autofree char *water = g_strdup_printf ("outside:%s#Water", classes), *joined = g_strdup_printf ("%s", classes);
  g_autofree char *missing = g_strdup_printf ("%s#Sky", classes), *lakes = g_strdup_printf ("%s#Lake", classes);

  check_pixels (cube, all, "runs 0:1-2 1:1-2 2:1-8 3:1-2 4:1-2 5:1-2 6:1-2 7:1-2 8:1-2 9:1-2 10:1-2 11:1-2");
  check_pixels (cube, twos, "runs 2:3-8");
  check_pixels (cube, "outside:rectangle 1 2 3 4", "rectangle 1 2 3 4");
  g_assert_true (g_file_set_contents (classes, "{\"regions\":[{\"name\":\"Water\",\"region\":\"rectangle 0 0 2 1\"},"
                                               "{\"name\":\"Soil\",\"region\":\"runs 3:4-5\"},"
                                               "{\"name\":\"Lake\",\"region\":\"rectangle 5 0 2 1\"},"
                                               "{\"name\":\"Lake\",\"region\":\"rectangle 6 0 2 1\"}]}", -1, NULL));
  check_pixels (cube, water, "rectangle 0 0 2 1");
  check_pixels (cube, joined, "runs 0:0-1,5-7 3:4-5");
  check_pixels (cube, lakes, "runs 0:5-7");
  check_no_pixels (cube, missing, "no class “Sky”");
  check_no_pixels (cube, word, "expected a number");
  check_no_pixels (cube, small_path, "20 × 4 pixels: expected 20 × 12");
  check_no_pixels (cube, deep_path, "2 bands");
  check_no_pixels (cube, "inside:nowhere.tif", "neither a file nor a region");
  es_test_scene_clear (&scene);
  es_test_scene_clear (&mask);
  es_test_scene_clear (&small);
  es_test_scene_clear (&deep);
}

/* A region that is read is read where pixels take part. */
static void
test_cut (void)
{
  static const struct { const char *region, *cut; } cases[] = {
    { "rectangle 4 3 2 2", "rectangle 4 3 2 2" }, { "rectangle 0 0 5 4", "runs 3:2-4" }, { "rectangle 9 4 9 1", NULL },
    { "rectangle 10 5 9 3", "runs 5:10-10 6:10-10" }, { "rectangle 19 11 1 1", NULL }, { "rectangle 7 6 1 1", NULL },
  };
  EsTestScene scene;
  g_autoptr (EsDataset) dataset = open_scene (&scene, "cut");
  EsCube *cube = ES_CUBE (dataset);
  const EsSelectionWindow place = { 2, 3, 9, 4 };
  g_autoptr (EsPixelSet) hole = es_pixel_set_new (TRUE, NULL, "rectangle 7 4 6 1");
  g_autoptr (EsPixelSet) dot = es_pixel_set_new (TRUE, NULL, "rectangle 7 6 1 1");
  EsPixelSet *const sets[] = { hole, dot };
  g_autoptr (EsSelection) selection = es_selection_new (NULL, NULL, &place, sets, 2);

  es_cube_set_selection (cube, selection);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsRegion) region = es_region_parse (cases[i].region, NULL);
      g_autoptr (EsRegion) cut = es_cube_cut_region (cube, region, &error);
      g_autofree char *text = cut != NULL ? es_region_format (cut) : NULL;

      g_assert_cmpstr (text, ==, cases[i].cut);
      if (cut != NULL)
        g_assert_no_error (error);
      else
        g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY);
    }
  es_test_scene_clear (&scene);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/compute/selection/ranges", test_ranges);
  g_test_add_func ("/compute/selection/ranges-refused", test_ranges_refused);
  g_test_add_func ("/compute/selection/round-trip", test_round_trip);
  g_test_add_func ("/compute/selection/damaged", test_damaged);
  g_test_add_func ("/compute/selection/sidecar", test_sidecar);
  g_test_add_func ("/compute/selection/command", test_command);
  g_test_add_func ("/compute/selection/pixels", test_pixels);
  g_test_add_func ("/compute/selection/cut", test_cut);
  const int status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
