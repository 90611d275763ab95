/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Results in the cache: exact, of their own data, within a budget, and gone when damaged. */

#include <fcntl.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "../job/es-test-scene.h"
#include "base/es-error.h"
#include "keeping/es-result-cache.h"
#include "operations/es-operations.h"

static char *directory;

static EsDataset *
make_cube (const char *name, guint32 seed)
{
  EsTestScene scene = { 40, 30, 6, ESK_I16, "bsq", FALSE, NAN, NULL, 0 };
  EsDataset *cube;

  scene.missing = 0;
  es_test_scene_fill (&scene, seed);
  cube = es_test_scene_open (&scene, directory, name);
  es_test_scene_clear (&scene);
  return cube;
}

static EsResult *
run (EsDataset *cube, const char *id)
{
  const EsOperation *operation = es_operation_find (id, NULL);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsJob) job = es_job_new (operation, cube, params, es_device_get_cpu (), NULL, NULL);
  EsResult *result = es_job_run (job, &error);

  g_assert_no_error (error);
  return result;
}

static char *
path_of (const char *id, const char *name)
{
  return g_build_filename (directory, "eigenscope", "results", id, name, NULL);
}

static void
compare_curves (EsCurve *a, EsCurve *b)
{
  g_assert_cmpuint (es_curve_get_length (a), ==, es_curve_get_length (b));
  g_assert_cmpmem (es_curve_get_x (a), es_curve_get_length (a) * sizeof (double), es_curve_get_x (b),
                   es_curve_get_length (b) * sizeof (double));
  for (guint i = 0; i < es_curve_get_n_series (a); i++)
    g_assert_cmpmem (es_curve_get_series (a, i)->y, es_curve_get_length (a) * sizeof (double),
                     es_curve_get_series (b, i)->y, es_curve_get_length (b) * sizeof (double));
}

static void
compare (EsResult *a, EsResult *b)
{
  GListModel *layers = es_result_get_layers (a);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      EsLayer *other = es_result_find_layer (b, es_layer_get_name (layer));

      g_assert_nonnull (other);
      if (ES_IS_CURVE (layer))
        compare_curves (ES_CURVE (layer), ES_CURVE (other));
      for (guint k = 0; ES_IS_IMAGE_STACK (layer) && k < es_image_stack_get_planes (ES_IMAGE_STACK (layer)); k++)
        {
          g_autofree float *one = g_new (float, 40 * 30), *two = g_new (float, 40 * 30);

          g_assert_true (es_image_stack_read (ES_IMAGE_STACK (layer), k, 0, 0, 40, 30, 1, one, NULL));
          g_assert_true (es_image_stack_read (ES_IMAGE_STACK (other), k, 0, 0, 40, 30, 1, two, NULL));
          g_assert_cmpmem (one, 40 * 30 * sizeof (float), two, 40 * 30 * sizeof (float));
        }
    }
}

static void
test_exact (void)
{
  static const char * const operations[] = { "pca", "mnf", "fastica" };
  g_autoptr (EsDataset) cube = make_cube ("exact", 1), other = make_cube ("another", 2);

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    {
      g_autofree char *id = g_strdup_printf ("%032x", i + 1);
      g_autoptr (EsResult) result = run (cube, operations[i]);
      g_autoptr (GError) error = NULL, refused = NULL;

      g_assert_false (es_result_cache_has (id));
      g_assert_true (es_result_cache_keep (result, id, ES_RESULT_CACHE_BUDGET, NULL, &error));
      g_assert_no_error (error);
      g_assert_true (es_result_cache_has (id));
      /* For the program, not for a person. */
      g_assert_false (es_result_is_saved (result));
      g_autoptr (EsResult) loaded = es_result_cache_load (id, cube, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (es_result_get_dataset (loaded) == cube);
      g_assert_false (es_result_is_saved (loaded));
      g_assert_true (es_params_equal (es_result_get_params (loaded), es_result_get_params (result)));
      compare (result, loaded);

      g_assert_null (es_result_cache_load (id, other, NULL, &refused));
      g_assert_error (refused, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
    }
}

static void
test_damaged (void)
{
  g_autoptr (EsDataset) cube = make_cube ("damaged", 3);
  g_autoptr (EsResult) result = run (cube, "pca");
  g_autofree char *id = g_strdup_printf ("%032x", 0xdau), *path = path_of (id, "components.img");
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_assert_true (es_result_cache_keep (result, id, ES_RESULT_CACHE_BUDGET, NULL, NULL));
  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  text[length / 2] ^= 1;
  g_assert_true (g_file_set_contents (path, text, (gssize) length, NULL));
  g_assert_null (es_result_cache_load (id, cube, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_false (es_result_cache_has (id));
}

/* When each was used last, so many seconds ago. */
static void
set_used (const char *id, guint ago)
{
  g_autofree char *path = path_of (id, NULL);
  const struct utimbuf times = { .actime = time (NULL), .modtime = time (NULL) - ago };

  g_assert_cmpint (utime (path, &times), ==, 0);
}

static void
test_budget (void)
{
  g_autoptr (EsDataset) cube = make_cube ("budget", 4);
  g_autoptr (EsResult) result = run (cube, "pca");
  g_autoptr (GError) error = NULL;
  char *ids[4];
  guint64 all, one;

  g_assert_cmpuint (es_result_cache_limit (0), ==, 0);
  for (guint i = 0; i < 4; i++)
    {
      ids[i] = g_strdup_printf ("%032x", 0x100 + i);
      g_assert_true (es_result_cache_keep (result, ids[i], ES_RESULT_CACHE_BUDGET, NULL, NULL));
      set_used (ids[i], 1000 - 100 * i);
    }
  all = es_result_cache_limit (G_MAXUINT64);
  one = all / 4;
  /* The oldest is used again, and no longer the first to go. */
  g_autoptr (EsResult) used = es_result_cache_load (ids[0], cube, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (es_result_cache_limit (3 * one), <=, 3 * one);
  g_assert_true (es_result_cache_has (ids[0]));
  g_assert_false (es_result_cache_has (ids[1]));
  g_assert_true (es_result_cache_has (ids[2]));
  g_assert_cmpuint (es_result_cache_limit (one), <=, one);
  g_assert_true (es_result_cache_has (ids[0]));
  g_assert_false (es_result_cache_has (ids[3]));

  /* What would be most of it alone is not kept, and drives nothing out. */
  g_assert_false (es_result_cache_keep (result, ids[1], es_result_cache_size (result), NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
  g_assert_true (es_result_cache_has (ids[0]));
  for (guint i = 0; i < 4; i++)
    g_free (ids[i]);
}

/* No folder can be made where a file is. */
static void
test_unwritable (void)
{
  g_autoptr (EsDataset) cube = make_cube ("unwritable", 5);
  g_autoptr (EsResult) result = run (cube, "pca");
  g_autofree char *id = g_strdup_printf ("%032x", 0xffu), *path = path_of (id, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, "in the way", -1, NULL));
  g_assert_false (es_result_cache_keep (result, id, ES_RESULT_CACHE_BUDGET, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_false (es_result_cache_has ("../../etc"));
}

/* Somebody's folder with a photograph, and a result.json that says this. Transfer full. */
static char *
make_foreign (const char *path, const char *text)
{
  g_autofree char *first = g_build_filename (path, "result.json", NULL);
  char *photo = g_build_filename (path, "photo.png", NULL);

  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  g_assert_true (g_file_set_contents (first, text, -1, NULL));
  g_assert_true (g_file_set_contents (photo, "a photograph", -1, NULL));
  return photo;
}

static void
assert_foreign (const char *path, const char *photo)
{
  g_autofree char *first = g_build_filename (path, "result.json", NULL);

  g_assert_true (g_file_test (first, G_FILE_TEST_IS_REGULAR));
  g_assert_true (g_file_test (photo, G_FILE_TEST_IS_REGULAR));
}

/* A link to a folder, whatever is in that: nothing behind it is read, changed or removed. */
static void
test_link (void)
{
  static const char *const texts[] = {
    "my notes",
    "{}",
    "{\"result_format\": 2, \"operation\": \"pca\", \"files\": [{\"name\": \"photo.png\"}]}",
  };
  g_autoptr (EsDataset) cube = make_cube ("link", 6);
  g_autoptr (EsResult) result = run (cube, "pca");

  for (guint i = 0; i < 3 * G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *id = g_strdup_printf ("%032x", 0x200 + i), *path = path_of (id, NULL);
      g_autofree char *name = g_strdup_printf ("pictures-%u", i), *others = g_build_filename (directory, name, NULL);
      g_autofree char *photo = make_foreign (others, texts[i / 3]), *image = g_build_filename (others, "components.img",
                                                                                               NULL);

      g_assert_cmpint (symlink (others, path), ==, 0);
      g_assert_false (es_result_cache_has (id));
      if (i % 3 == 0)
        g_assert_null (es_result_cache_load (id, cube, NULL, NULL));
      else if (i % 3 == 1)
        {
          const struct timespec times[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
          g_autofree char *newer = g_strdup_printf ("%032x", 0x280 + i);

          /* It is the first to go, and what makes the room is the other. */
          g_assert_true (es_result_cache_keep (result, newer, ES_RESULT_CACHE_BUDGET, NULL, NULL));
          g_assert_cmpint (utimensat (AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), ==, 0);
          g_assert_cmpuint (es_result_cache_limit (0), ==, 0);
          g_assert_false (es_result_cache_has (newer));
        }
      else
        {
          g_assert_true (es_result_cache_keep (result, id, ES_RESULT_CACHE_BUDGET, NULL, NULL));
          g_assert_true (es_result_cache_has (id));
        }
      assert_foreign (others, photo);
      g_assert_false (g_file_test (image, G_FILE_TEST_EXISTS));
      g_assert_false (g_file_test (path, G_FILE_TEST_IS_SYMLINK));
      es_result_cache_limit (0);
    }
}

/* A folder that Eigenscope has not made, or that holds more than it has written. */
static void
test_foreign (void)
{
  g_autoptr (EsDataset) cube = make_cube ("foreign", 7);
  g_autoptr (EsResult) result = run (cube, "pca");
  g_autofree char *id = g_strdup_printf ("%032x", 0x300u), *path = path_of (id, NULL);
  g_autofree char *photo = make_foreign (path, "{}");
  g_autofree char *mixed = g_strdup_printf ("%032x", 0x301u), *more = path_of (mixed, "notes.csv");
  g_autofree char *image = path_of (mixed, "components.img"), *first = path_of (mixed, "result.json");
  g_autoptr (GError) error = NULL;

  g_assert_false (es_result_cache_has (id));
  g_assert_null (es_result_cache_load (id, cube, NULL, NULL));
  g_assert_false (es_result_cache_keep (result, id, ES_RESULT_CACHE_BUDGET, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  es_result_cache_limit (0);
  assert_foreign (path, photo);

  /* Of somebody's files in a folder of ours the same is true; they are no part of what room is made of. */
  g_assert_true (es_result_cache_keep (result, mixed, ES_RESULT_CACHE_BUDGET, NULL, NULL));
  g_assert_true (g_file_set_contents (more, "my notes", -1, NULL));
  g_assert_cmpuint (es_result_cache_limit (0), ==, 0);
  g_assert_false (es_result_cache_has (mixed));
  g_assert_false (g_file_test (image, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (first, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (more, G_FILE_TEST_IS_REGULAR));
  g_assert_false (es_result_cache_keep (result, mixed, ES_RESULT_CACHE_BUDGET, NULL, NULL));
}

int
main (int argc, char **argv)
{
  int status;

  directory = es_test_directory ();
  g_setenv ("XDG_CACHE_HOME", directory, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compute/keeping/cache/exact", test_exact);
  g_test_add_func ("/compute/keeping/cache/damaged", test_damaged);
  g_test_add_func ("/compute/keeping/cache/budget", test_budget);
  g_test_add_func ("/compute/keeping/cache/unwritable", test_unwritable);
  g_test_add_func ("/compute/keeping/cache/link", test_link);
  g_test_add_func ("/compute/keeping/cache/foreign", test_foreign);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
