/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Every layout of a stack's file: written in parts, read while it is written, taken over by a writer or written by one,
 * with the same bytes, and opened as a cube of the same samples. */

#include <math.h>
#include <string.h>

#include "es-test-folder.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "writers/es-writer.h"

#define PLANES 4

static const double transform[6] = { 372000, 30, 0, 5808000, 0, -30 };

static float
value_at (guint plane, guint64 x, guint64 y)
{
  return (plane + x + y) % 11 == 3 ? NAN : 1000.0f * plane + 10.5f * x - 0.25f * y;
}

static void
assert_value (float found, guint plane, guint64 x, guint64 y)
{
  const float expected = value_at (plane, x, y);

  g_assert_true (found == expected || (isnan (found) && isnan (expected)));
}

static void
write_window (EsImageStack *stack, guint64 x, guint64 y, guint64 width, guint64 height)
{
  const gsize pixels = width * height, stride = pixels + 5;
  g_autofree float *values = g_new (float, PLANES * stride);
  g_autoptr (GError) error = NULL;

  for (guint plane = 0; plane < PLANES; plane++)
    for (gsize i = 0; i < pixels; i++)
      values[plane * stride + i] = value_at (plane, x + i % width, y + i / width);
  es_image_stack_write (stack, x, y, width, height, values, stride, &error);
  g_assert_no_error (error);
}

static void
check_window (EsImageStack *stack, guint64 x, guint64 y, guint64 width, guint64 height, guint step)
{
  const guint64 columns = (width - 1) / step + 1, rows = (height - 1) / step + 1;
  g_autofree float *out = g_new (float, columns * rows);
  g_autoptr (GError) error = NULL;

  for (guint plane = 0; plane < PLANES; plane++)
    {
      es_image_stack_read (stack, plane, x, y, width, height, step, out, &error);
      g_assert_no_error (error);
      for (guint64 j = 0; j < rows; j++)
        for (guint64 i = 0; i < columns; i++)
          assert_value (out[j * columns + i], plane, x + i * step, y + j * step);
    }
}

/* path NULL: in memory. */
static EsImageStack *
make_stack (const char *path, guint64 width, guint64 height)
{
  static const double wavelengths[PLANES] = { 450.5, 550, 1650.25, 2200 };
  g_autoptr (GError) error = NULL;
  EsImageStack *stack = es_image_stack_new ("components", "Components", width, height, PLANES, 0, path, &error);
  const guint64 left = (width + 1) / 2, upper = (height + 1) / 2;

  g_assert_no_error (error);
  /* Parts of rows, then whole ones, from below. */
  write_window (stack, 0, 0, left, upper);
  if (left < width)
    write_window (stack, left, 0, width - left, upper);
  check_window (stack, 0, 0, width, upper, 1);
  if (upper < height)
    write_window (stack, 0, upper, width, height - upper);
  g_assert_true (es_image_stack_is_complete (stack));
  for (guint plane = 0; plane < PLANES; plane++)
    es_image_stack_set_plane (stack, plane, plane == 1 ? "PC 2, {second}" : "PC", 0.5 / (plane + 1));
  es_image_stack_set_wavelengths (stack, wavelengths);
  es_image_stack_set_unit (stack, "µW");
  return stack;
}

static void
check_cube (const char *folder, const char *name, guint64 width, guint64 height)
{
  g_autoptr (GFile) file = es_test_file (folder, name);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  g_autofree float *out = g_new (float, width * height);

  g_assert_no_error (error);
  EsCube *cube = ES_CUBE (dataset);
  g_assert_cmpuint (es_cube_get_width (cube), ==, width);
  g_assert_cmpuint (es_cube_get_height (cube), ==, height);
  g_assert_cmpuint (es_cube_get_bands (cube), ==, PLANES);
  g_assert_cmpfloat (es_cube_get_wavelengths (cube)[2], ==, 1650.25);
  const double *found = es_cube_get_geotransform (cube);
  g_assert_nonnull (found);
  for (guint i = 0; i < 6; i++)
    g_assert_cmpfloat (found[i], ==, transform[i]);
  for (guint plane = 0; plane < PLANES; plane++)
    {
      es_cube_read_band (cube, plane, 0, 0, width, height, 1, out, NULL, &error);
      g_assert_no_error (error);
      for (guint64 i = 0; i < width * height; i++)
        assert_value (out[i], plane, i % width, i / width);
    }
}

static void
write_file (EsImageStack *stack, EsCube *cube, EsStackFormat format, const char *folder, const char *name)
{
  g_autoptr (GFile) target = es_test_file (folder, name);
  g_autoptr (GError) error = NULL;

  es_write_image_stack (stack, ES_DATASET (cube), "PCA of a scene", format, target, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
assert_same_bytes (const char *folder, const char *name, const char *other)
{
  gsize length, other_length;
  g_autofree char *bytes = es_test_read (folder, name, &length), *others = es_test_read (folder, other, &other_length);

  g_assert_cmpmem (bytes, length, others, other_length);
}

static void
test_format (gconstpointer data)
{
  static const guint64 sizes[][2] = { { 1, 1 }, { 37, 1 }, { 1, 29 }, { 61, 47 } };
  const EsStackFormat format = (EsStackFormat) GPOINTER_TO_INT (data);
  const char *ending = es_stack_format_get_ending (format);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (EsTestFolder) folder = es_test_folder_make ();
      const guint64 width = sizes[i][0], height = sizes[i][1];
      g_autofree char *name = g_strconcat ("made", ending, NULL), *other = g_strconcat ("written", ending, NULL);
      g_autofree char *again = g_strconcat ("again", ending, NULL), *path = g_build_filename (folder, name, NULL);
      g_autoptr (EsCube) cube = es_test_cube_new (width, height, transform, NULL);
      g_autoptr (EsImageStack) made = make_stack (path, width, height);
      g_autoptr (EsImageStack) memory = make_stack (NULL, width, height);

      g_assert_cmpint (es_image_stack_get_format (made), ==, format);
      check_window (made, 0, 0, width, height, 1);
      check_window (made, width / 3, height / 4, width - width / 3, height - height / 4, 3);
      write_file (made, cube, format, folder, name);
      write_file (memory, cube, format, folder, other);
      /* It stays open, and is nobody else's to take. */
      check_window (made, 0, 0, width, height, 2);
      write_file (made, cube, format, folder, again);
      check_cube (folder, name, width, height);
      check_cube (folder, other, width, height);
      assert_same_bytes (folder, again, other);
      /* GDAL arranges a GeoTIFF that it writes as it likes. */
      if (format != ES_STACK_GEOTIFF)
        assert_same_bytes (folder, name, other);
      g_autofree char *files = es_test_folder_list (folder);
      g_assert_null (strstr (files, ".part-"));
    }
}

static void
test_names (void)
{
  static const char *const names[] = { "envi", "geotiff", "bil", "bip", "hdf5" };
  EsStackFormat format;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (es_stack_format_find (names[i], &format));
      g_assert_cmpint (format, ==, i);
    }
  g_assert_false (es_stack_format_find ("bsq", &format));
  g_assert_false (es_stack_format_find ("", &format));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/stack-formats/names", test_names);
  g_test_add_data_func ("/stack-formats/envi", GINT_TO_POINTER (ES_STACK_ENVI), test_format);
  g_test_add_data_func ("/stack-formats/geotiff", GINT_TO_POINTER (ES_STACK_GEOTIFF), test_format);
  g_test_add_data_func ("/stack-formats/bil", GINT_TO_POINTER (ES_STACK_BIL), test_format);
  g_test_add_data_func ("/stack-formats/bip", GINT_TO_POINTER (ES_STACK_BIP), test_format);
  g_test_add_data_func ("/stack-formats/hdf5", GINT_TO_POINTER (ES_STACK_HDF5), test_format);
  return g_test_run ();
}
