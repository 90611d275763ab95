/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Levels against means that are worked out here, kept or not; whose they are, and what becomes of them. */

#include <fcntl.h>
#include <gdal.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "../job/es-test-scene.h"
#include "base/es-error.h"
#include "pyramid/es-kept-levels.h"

#define BANDS 4
#define LAST  5

static char *directory;

static const EsTestScene scenes[] = {
  { 203, 117, BANDS, ESK_F32, "bsq", FALSE, -9999, NULL, 0.3 },
  { 96, 64, BANDS, ESK_I16, "bil", FALSE, -9999, NULL, 0.02 },
  { 1, 77, BANDS, ESK_U16, "bip", TRUE, NAN, NULL, 0 },
  { 129, 1, BANDS, ESK_U8, "bsq", FALSE, NAN, NULL, 0 },
};

static EsCube *
open_scene (EsTestScene *scene, const char *name)
{
  es_test_scene_fill (scene, 11);
  /* A corner that holds nothing: cells without a mean. */
  if (!isnan (scene->no_data))
    for (guint b = 0; b < BANDS; b++)
      for (guint y = 0; y < 40; y++)
        for (guint x = 0; x < 50; x++)
          scene->values[((gsize) b * scene->height + y) * scene->width + x] = scene->no_data;
  return ES_CUBE (es_test_scene_open (scene, directory, name));
}

static double
expect (const EsTestScene *scene, guint band, guint level, guint64 x, guint64 y)
{
  const guint64 side = 1 << level;
  double sum = 0;
  guint n = 0;

  for (guint64 row = y * side; row < MIN ((y + 1) * side, scene->height); row++)
    for (guint64 column = x * side; column < MIN ((x + 1) * side, scene->width); column++)
      {
        const double value = scene->values[((gsize) band * scene->height + row) * scene->width + column];

        if (value != scene->no_data)
          {
            sum += value;
            n++;
          }
      }
  return n > 0 ? sum / n : NAN;
}

static void
check_window (const EsTestScene *scene, EsCube *cube, guint band, const EsLevelWindow *window)
{
  g_autofree float *found = g_new (float, window->width * window->height);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_level_read_cube (cube, band, window, found, NULL, &error));
  g_assert_no_error (error);
  for (guint64 y = 0; y < window->height; y++)
    for (guint64 x = 0; x < window->width; x++)
      {
        const float value = found[y * window->width + x];
        const float expected = (float) expect (scene, band, window->level, window->x + x, window->y + y);

        if (isnan (expected) ? !isnan (value) : value != expected)
          g_error ("level %u, band %u, %u, %u: %.9g instead of %.9g", window->level, band, (guint) (window->x + x),
                   (guint) (window->y + y), value, expected);
      }
}

/* Every level as a whole, and pieces of it. */
static void
check_all (const EsTestScene *scene, EsCube *cube)
{
  for (guint band = 0; band < BANDS; band++)
    for (guint level = 0; level <= LAST; level++)
      {
        const guint64 width = es_level_length (scene->width, level), height = es_level_length (scene->height, level);
        const guint64 x = width / 3, y = height / 2;

        check_window (scene, cube, band, &(EsLevelWindow) { level, 0, 0, width, height });
        check_window (scene, cube, band, &(EsLevelWindow) { level, x, y, width - x, 1 });
        check_window (scene, cube, band, &(EsLevelWindow) { level, x, y, 1, height - y });
      }
}

static void
build (EsCube *cube, guint64 budget)
{
  const guint bands[3] = { 2, 0, 2 };
  g_autoptr (GError) error = NULL;

  g_assert_true (es_kept_levels_build (cube, 3, bands, LAST, budget, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
}

static char *
levels_folder (void)
{
  return g_build_filename (directory, "eigenscope", "levels", NULL);
}

/* How many files there are, hidden ones too; path: of one of them. */
static guint
count_files (char **path)
{
  g_autofree char *folder = levels_folder ();
  g_autoptr (GDir) names = g_dir_open (folder, 0, NULL);
  const char *name;
  guint n = 0;

  while (names != NULL && (name = g_dir_read_name (names)) != NULL)
    {
      n++;
      if (path != NULL && g_str_has_suffix (name, ".levels"))
        {
          g_free (*path);
          *path = g_build_filename (folder, name, NULL);
        }
    }
  return n;
}

static void
test_means (gconstpointer data)
{
  EsTestScene scene = *(const EsTestScene *) data;
  g_autofree char *name = g_strdup_printf ("means-%u-%u", scene.width, scene.height);
  g_autoptr (EsCube) cube = open_scene (&scene, name);

  check_all (&scene, cube);
  g_assert_false (es_kept_levels_have (cube, 0, LAST));
  build (cube, ES_KEPT_LEVELS_BUDGET);
  g_assert_true (es_kept_levels_have (cube, 0, LAST));
  g_assert_true (es_kept_levels_have (cube, 2, LAST));
  g_assert_false (es_kept_levels_have (cube, 1, LAST));
  g_assert_cmpuint (count_files (NULL), ==, 2);
  check_all (&scene, cube);

  /* From the first level that is kept on. */
  g_autofree float *level = g_new (float, es_level_length (scene.width, 3) * es_level_length (scene.height, 3));
  const EsLevelWindow window = { 3, 0, 0, es_level_length (scene.width, 3), es_level_length (scene.height, 3) };
  const EsLevelWindow finest = { 1, 0, 0, 1, 1 };

  g_assert_true (es_kept_levels_read (cube, 0, &window, level));
  g_assert_false (es_kept_levels_read (cube, 0, &finest, level));
  g_assert_cmpuint (es_kept_levels_limit (0), ==, 0);
  g_assert_false (es_kept_levels_read (cube, 0, &window, level));
  check_all (&scene, cube);
  es_test_scene_clear (&scene);
}

/* Only the first level that a whole picture of two pixels a sample needs. */
static void
test_short (void)
{
  EsTestScene scene = scenes[0];
  g_autoptr (EsCube) cube = open_scene (&scene, "short");
  const guint band = 1;

  g_assert_true (es_kept_levels_build (cube, 1, &band, 1, ES_KEPT_LEVELS_BUDGET, NULL, NULL, NULL, NULL));
  g_assert_true (es_kept_levels_have (cube, 1, 1));
  g_assert_false (es_kept_levels_have (cube, 1, 2));
  check_all (&scene, cube);
  es_kept_levels_limit (0);
  es_test_scene_clear (&scene);
}

/* With the times that it had. */
static void
rewrite_as_of_then (const char *path)
{
  struct stat status;
  int fd;
  char byte;

  /* Its clock may be as coarse as some milliseconds. */
  g_usleep (30000);
  g_assert_cmpint (stat (path, &status), ==, 0);
  fd = g_open (path, O_RDWR, 0);
  g_assert_cmpint (pread (fd, &byte, 1, 0), ==, 1);
  g_assert_cmpint (pwrite (fd, &byte, 1, 0), ==, 1);
  g_assert_cmpint (futimens (fd, (struct timespec[2]) { status.st_atim, status.st_mtim }), ==, 0);
  close (fd);
}

/* A file that has been written to, or is not whole, is not what it was. */
static void
test_identity (void)
{
  EsTestScene scene = scenes[0];
  g_autoptr (EsCube) cube = open_scene (&scene, "identity");
  g_autofree char *kept = NULL, *copy = NULL, *bytes = NULL;
  const EsLevelWindow window = { 2, 0, 0, 1, 1 };
  gsize length;
  float mean;

  build (cube, ES_KEPT_LEVELS_BUDGET);
  count_files (&kept);
  g_assert_true (g_file_get_contents (kept, &bytes, &length, NULL));
  g_assert_cmpint (truncate (kept, (off_t) length - 4), ==, 0);
  g_assert_true (es_kept_levels_have (cube, 0, LAST) != es_kept_levels_have (cube, 2, LAST));
  /* Made again where it is damaged. */
  build (cube, ES_KEPT_LEVELS_BUDGET);
  g_assert_true (es_kept_levels_have (cube, 0, LAST) && es_kept_levels_have (cube, 2, LAST));
  check_all (&scene, cube);

  /* Another content of the same size that is said to have been written at the same time. */
  g_assert_true (es_kept_levels_read (cube, 0, &window, &mean));
  rewrite_as_of_then (g_file_peek_path (es_dataset_get_file (ES_DATASET (cube))));
  g_assert_false (es_kept_levels_read (cube, 0, &window, &mean));
  build (cube, ES_KEPT_LEVELS_BUDGET);

  g_assert_true (g_utime (g_file_peek_path (es_dataset_get_file (ES_DATASET (cube))), NULL) == 0);
  g_assert_false (es_kept_levels_read (cube, 0, &window, &mean));
  check_all (&scene, cube);
  es_kept_levels_limit (0);
  es_test_scene_clear (&scene);
}

static void
test_budget (void)
{
  EsTestScene scene = scenes[0], its = scenes[0];
  g_autoptr (EsCube) one = open_scene (&scene, "budget-one"), other = open_scene (&its, "budget-other");
  struct stat status;
  g_autofree char *kept = NULL;
  guint64 size;

  build (one, ES_KEPT_LEVELS_BUDGET);
  count_files (&kept);
  g_assert_cmpint (g_stat (kept, &status), ==, 0);
  size = (guint64) status.st_size;
  g_assert_cmpuint (es_kept_levels_limit (G_MAXUINT64), ==, 2 * size);
  /* More than half of the budget is not begun. */
  build (other, 4 * size - 1);
  g_assert_false (es_kept_levels_have (other, 0, LAST));
  g_assert_true (es_kept_levels_have (one, 0, LAST));
  build (other, 4 * size);
  g_assert_true (es_kept_levels_have (other, 0, LAST));
  g_assert_true (es_kept_levels_have (one, 0, LAST));
  /* What was there goes for what comes. */
  es_kept_levels_limit (2 * size);
  build (one, 4 * size);
  build (other, 4 * size);
  g_assert_cmpuint (es_kept_levels_limit (3 * size), ==, 3 * size);
  g_assert_cmpuint (es_kept_levels_limit (0), ==, 0);
  g_assert_cmpuint (count_files (NULL), ==, 0);
  es_test_scene_clear (&scene);
  es_test_scene_clear (&its);
}

/* What is somebody else's stays, by whatever name. */
static void
test_foreign (void)
{
  EsTestScene scene = scenes[0];
  g_autoptr (EsCube) cube = open_scene (&scene, "foreign");
  g_autofree char *folder = levels_folder (), *kept = NULL, *notes = NULL, *same = NULL, *link = NULL;
  g_autofree char *name = g_strnfill (64, 'a'), *linked = g_strnfill (64, 'b');

  build (cube, ES_KEPT_LEVELS_BUDGET);
  count_files (&kept);
  notes = g_build_filename (folder, "notes.txt", NULL);
  same = g_strdup_printf ("%s/%s.levels", folder, name);
  link = g_strdup_printf ("%s/%s.levels", folder, linked);
  g_assert_true (g_file_set_contents (notes, "mine", -1, NULL));
  g_assert_true (g_file_set_contents (same, "mine, too", -1, NULL));
  g_assert_cmpint (symlink (kept, link), ==, 0);
  g_assert_cmpuint (es_kept_levels_limit (0), ==, 0);
  g_assert_false (g_file_test (kept, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (notes, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (same, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (link, G_FILE_TEST_IS_SYMLINK));
  g_unlink (notes);
  g_unlink (same);
  g_unlink (link);
  es_test_scene_clear (&scene);
}

static gboolean
stop (gpointer data)
{
  g_cancellable_cancel (data);
  return TRUE;
}

/* Given up, or where nothing can be written: nothing of it is left, and one sentence. */
static void
test_given_up (void)
{
  EsTestScene scene = scenes[0];
  g_autoptr (EsCube) cube = open_scene (&scene, "given-up");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *folder = levels_folder ();
  g_autoptr (GError) error = NULL;
  const guint band = 0;

  g_assert_false (es_kept_levels_build (cube, 1, &band, LAST, ES_KEPT_LEVELS_BUDGET, stop, cancellable, cancellable,
                                        &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_cmpuint (count_files (NULL), ==, 0);

  /* A file in the place of the folder, which stops the administrator, too. */
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  g_assert_true (g_file_set_contents (folder, "", 0, NULL));
  g_assert_false (es_kept_levels_build (cube, 1, &band, LAST, ES_KEPT_LEVELS_BUDGET, NULL, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_assert_cmpint (strchr (error->message, '\n') == NULL, ==, TRUE);
  g_unlink (folder);
  check_all (&scene, cube);
  es_test_scene_clear (&scene);
}

/* In a hurry: a row a cell; or the overviews that a file has, and those for nothing else. */
static void
test_glance (void)
{
  enum { SIDE = 256 };
  g_autofree char *path = g_build_filename (directory, "glance.tif", NULL);
  g_autofree guint8 *pixels = g_malloc (SIDE * SIDE);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  float found[64 * 64], means[64 * 64];

  for (guint i = 0; i < SIDE * SIDE; i++)
    pixels[i] = (guint8) (i * 7 + i / SIDE * 31);
  GDALDatasetH made = GDALCreate (GDALGetDriverByName ("GTiff"), path, SIDE, SIDE, 2, GDT_Byte, NULL);
  for (int band = 1; band <= 2; band++)
    g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (made, band), GF_Write, 0, 0, SIDE, SIDE, pixels, SIDE, SIDE,
                                   GDT_Byte, 0, 0), ==, CE_None);
  GDALClose (made);
  for (guint turn = 0; turn < 2; turn++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (EsDataset) cube = es_dataset_open (file, NULL, NULL, &error);
      const EsLevelWindow whole = { 2, 0, 0, 64, 64 };

      g_assert_no_error (error);
      g_assert_true (es_level_glance_cube (ES_CUBE (cube), 0, 2, found, NULL, &error));
      g_assert_true (es_level_read_cube (ES_CUBE (cube), 0, &whole, means, NULL, &error));
      for (guint i = 0; i < 64 * 64; i++)
        {
          const guint8 *cell = pixels + i / 64 * 4 * SIDE + i % 64 * 4;
          const guint8 *row = cell + 2 * SIDE;
          double sum = 0;

          for (guint k = 0; k < 16; k++)
            sum += cell[k / 4 * SIDE + k % 4];
          g_assert_cmpfloat (means[i], ==, (float) (sum / 16));
          /* Overviews of every fourth pixel are one of the cell's; means of a row hardly ever. */
          if (turn == 0)
            g_assert_cmpfloat (found[i], ==, (float) ((row[0] + row[1] + row[2] + row[3]) / 4.));
          else
            {
              gboolean any = FALSE;

              for (guint k = 0; k < 16; k++)
                any = any || found[i] == cell[k / 4 * SIDE + k % 4];
              g_assert_true (any);
            }
        }
      if (turn == 0)
        {
          GDALDatasetH again = GDALOpen (path, GA_Update);

          g_assert_cmpint (GDALBuildOverviews (again, "NEAREST", 2, (int[]) { 2, 4 }, 0, NULL, NULL, NULL), ==,
                           CE_None);
          GDALClose (again);
        }
    }
}

int
main (int argc, char **argv)
{
  int status;

  directory = es_test_directory ();
  g_setenv ("XDG_CACHE_HOME", directory, TRUE);
  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();
  for (guint i = 0; i < G_N_ELEMENTS (scenes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/compute/pyramid/means/%u-%u", scenes[i].width, scenes[i].height);

      g_test_add_data_func (path, &scenes[i], test_means);
    }
  g_test_add_func ("/compute/pyramid/short", test_short);
  g_test_add_func ("/compute/pyramid/identity", test_identity);
  g_test_add_func ("/compute/pyramid/budget", test_budget);
  g_test_add_func ("/compute/pyramid/foreign", test_foreign);
  g_test_add_func ("/compute/pyramid/given-up", test_given_up);
  g_test_add_func ("/compute/pyramid/glance", test_glance);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
