/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A file that is one compressed strip: it is unpacked once or twice, not once for every tile and thread. */

#include <gdal.h>
#include <string.h>
#include <sys/stat.h>

#include "../job/es-test-scene.h"
#include "base/es-error.h"
#include "es-test-pca-device.h"

#define WIDTH  700
#define HEIGHT 2600
#define BANDS  3

static char *directory;

static char *
write_strip (const char *name, const char *rows)
{
  char *path = g_build_filename (directory, name, NULL);
  g_autofree char *height = g_strconcat ("BLOCKYSIZE=", rows, NULL);
  const char *options[] = { "COMPRESS=DEFLATE", "ZLEVEL=1", "INTERLEAVE=PIXEL", height, NULL };
  g_autofree guint16 *line = g_new (guint16, WIDTH * BANDS);
  GDALDatasetH tiff = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, BANDS, GDT_UInt16,
                                  (char **) options);
  guint32 state = 1;

  g_assert_nonnull (tiff);
  for (int y = 0; y < HEIGHT; y++)
    {
      for (guint i = 0; i < WIDTH * BANDS; i++)
        {
          state = state * 1664525 + 1013904223;
          line[i] = (guint16) (1000 + (state >> 22));
        }
      g_assert_cmpint (GDALDatasetRasterIOEx (tiff, GF_Write, 0, y, WIDTH, 1, line, WIDTH, 1, GDT_UInt16, BANDS, NULL,
                                              2 * BANDS, 2 * BANDS * WIDTH, 2, NULL), ==, CE_None);
    }
  GDALClose (tiff);
  return path;
}

/* Bytes that this process has read so far. */
static guint64
bytes_read (void)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents ("/proc/self/io", &text, NULL, NULL));
  g_assert_true (g_str_has_prefix (text, "rchar: "));
  return g_ascii_strtoull (text + strlen ("rchar: "), NULL, 10);
}

static EsDataset *
open_path (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, NULL, NULL, &error);

  g_assert_no_error (error);
  return dataset;
}

static void
test_unpacked_once (void)
{
  static const EsLimits limits = { .threads = 8 };
  g_autofree char *path = write_strip ("one.tif", G_STRINGIFY (HEIGHT)), *other = write_strip ("rows.tif", "16");
  g_autoptr (EsDataset) strip = open_path (path), rows = open_path (other);
  g_autoptr (GError) error = NULL;
  struct stat status;
  guint64 before;

  g_assert_cmpint (stat (path, &status), ==, 0);
  before = bytes_read ();
  g_autoptr (EsResult) first = es_test_pca_run (strip, "cpu", &limits, NULL, &error, "components", "2", NULL);
  g_assert_no_error (error);
  g_assert_cmpuint (bytes_read () - before, <, 3 * (guint64) status.st_size);

  g_autoptr (EsResult) second = es_test_pca_run (rows, "cpu", &limits, NULL, &error, "components", "2", NULL);
  g_assert_no_error (error);
  es_test_pca_assert_values (first, second, "eigenvalues", 1e-9);
}

/* One pixel after the other from the bottom: no row is far from those that are unpacked. */
static void
test_upwards (void)
{
  g_autofree char *path = write_strip ("up.tif", G_STRINGIFY (HEIGHT));
  g_autoptr (EsDataset) cube = open_path (path);
  double spectrum[BANDS];
  struct stat status;
  const guint64 before = bytes_read ();

  g_assert_cmpint (stat (path, &status), ==, 0);
  for (int y = HEIGHT - 1; y > 0; y -= 200)
    g_assert_true (es_cube_read_spectrum (ES_CUBE (cube), 5, (guint64) y, spectrum, NULL));
  g_assert_cmpuint (bytes_read () - before, <, 2 * (guint64) status.st_size);
}

static void
test_too_large (void)
{
  static const EsLimits limits = { .memory = 8 << 20 };
  g_autofree char *path = write_strip ("large.tif", G_STRINGIFY (HEIGHT));
  g_autoptr (EsDataset) cube = open_path (path);
  g_autoptr (GError) error = NULL;

  g_assert_null (es_test_pca_run (cube, "cpu", &limits, NULL, &error, "components", "2", NULL));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_assert_nonnull (strstr (error->message, "large.tif"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();
  directory = es_test_directory ();
  g_test_add_func ("/strips/unpacked-once", test_unpacked_once);
  g_test_add_func ("/strips/upwards", test_upwards);
  g_test_add_func ("/strips/too-large", test_too_large);
  status = g_test_run ();
  es_test_remove (directory);
  return status;
}
