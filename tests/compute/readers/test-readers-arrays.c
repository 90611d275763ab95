/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Files of several arrays: what is told of them, which opens by itself, and what a description of others names. */

#include <cpl_string.h>
#include <gdal.h>
#include <hdf5.h>
#include <matio.h>
#include <stdio.h>
#include <string.h>

#include "base/es-error.h"
#include "dataset/es-file-array.h"
#include "es-test-cubes.h"
#include "readers/es-open-input-internal.h"
#include "readers/es-open.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  9u
#define HEIGHT 8u
#define BANDS  5u

static const EsFileArray *
array_named (EsCube *cube, const char *name)
{
  GPtrArray *arrays = es_dataset_get_arrays (ES_DATASET (cube));
  const int i = es_file_arrays_find (arrays, name);

  g_assert_cmpint (i, >=, 0);
  return g_ptr_array_index (arrays, i);
}

/* Exactly one is open, and exactly one opens by itself. */
static void
assert_one (EsCube *cube, const char *open, const char *by_itself, EsFileArrayReason reason)
{
  GPtrArray *arrays = es_dataset_get_arrays (ES_DATASET (cube));
  guint n_open = 0, n_reasons = 0;

  for (guint i = 0; i < arrays->len; i++)
    {
      const EsFileArray *array = g_ptr_array_index (arrays, i);

      n_open += array->open;
      n_reasons += array->reason != ES_FILE_ARRAY_NAMED_ONLY;
      g_assert_true ((array->reason != ES_FILE_ARRAY_NAMED_ONLY) == (es_file_array_tell_reason (array) != NULL));
    }
  g_assert_cmpuint (n_open, ==, 1);
  g_assert_cmpuint (n_reasons, ==, 1);
  g_assert_true (array_named (cube, open)->open);
  g_assert_cmpint (array_named (cube, by_itself)->reason, ==, reason);
}

/* ---- HDF5 ---- */

/* As which array, from 0, and where in it. */
static double
sample (guint array, guint64 x, guint64 y, guint64 band)
{
  return (double) (10000 * array + 100 * y + 10 * x + band);
}

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return sample (GPOINTER_TO_UINT (data), x, y, band);
}

static void
add_cube (hid_t file, const char *path, guint array, guint bands)
{
  const hsize_t lengths[3] = { HEIGHT, WIDTH, bands };
  hid_t links = H5Pcreate (H5P_LINK_CREATE), space = H5Screate_simple (3, lengths, NULL), dataset;
  g_autofree double *values = g_new (double, HEIGHT * WIDTH * bands);

  for (guint i = 0; i < HEIGHT * WIDTH * bands; i++)
    values[i] = sample (array, i / bands % WIDTH, i / bands / WIDTH, i % bands);
  H5Pset_create_intermediate_group (links, 1);
  dataset = H5Dcreate2 (file, path, H5T_NATIVE_DOUBLE, space, links, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint (H5Dwrite (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), >=, 0);
  H5Dclose (dataset);
  H5Sclose (space);
  H5Pclose (links);
}

static char *
write_hdf5 (const char *folder, gboolean with_wavelengths)
{
  char *path = g_build_filename (folder, "several.h5", NULL);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);

  add_cube (file, "/a/radiance", 0, BANDS);
  add_cube (file, "/b/reflectance", 1, BANDS);
  add_cube (file, "/weights", 2, BANDS + 2);
  if (with_wavelengths)
    {
      const hsize_t n = BANDS;
      const double values[BANDS] = { 400, 500, 600, 700, 800 };
      hid_t space = H5Screate_simple (1, &n, NULL);
      hid_t dataset = H5Dcreate2 (file, "/wavelength", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);

      H5Dwrite (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
      H5Dclose (dataset);
      H5Sclose (space);
    }
  H5Fclose (file);
  return path;
}

static void
test_hdf5 (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_hdf5 (folder, TRUE);
  g_autoptr (EsCube) cube = es_test_open (path);
  g_autofree char *description = NULL;

  /* One with wavelengths goes before a larger one without. */
  assert_one (cube, "/a/radiance", "/a/radiance", ES_FILE_ARRAY_WAVELENGTHS);
  es_test_compare (cube, expected, GUINT_TO_POINTER (0));
  g_assert_cmpuint (array_named (cube, "weights")->bands, ==, BANDS + 2);
  g_assert_cmpuint (array_named (cube, "weights")->width, ==, WIDTH);
  g_assert_cmpuint (array_named (cube, "weights")->height, ==, HEIGHT);
  g_assert_cmpstr (array_named (cube, "weights")->type, ==, "float64");
  g_assert_false (array_named (cube, "weights")->wavelengths);
  g_assert_true (array_named (cube, "b/reflectance")->wavelengths);
  description = es_file_array_describe (array_named (cube, "b/reflectance"));
  g_assert_cmpstr (description, ==, "9 × 8 × 5, float64, with wavelengths");

  for (guint i = 0; i < 3; i++)
    {
      static const char * const names[] = { "/a/radiance", "b/reflectance", "weights" };
      g_autoptr (EsCube) other = es_test_open_with (path, &(EsOpenOptions) { .variable = names[i] });

      assert_one (other, names[i], "/a/radiance", ES_FILE_ARRAY_WAVELENGTHS);
      es_test_compare (other, expected, GUINT_TO_POINTER (i));
      g_assert_cmpstr (es_dataset_get_options (ES_DATASET (other))->variable, ==, names[i]);
    }
  /* A part of a name is none. */
  es_test_refused (path, &(EsOpenOptions) { .variable = "eights" }, ES_DATA_ERROR_FORMAT, "several.h5", "eights",
                   "/weights", NULL);

  g_clear_object (&cube);
  g_autofree char *plain_path = write_hdf5 (folder, FALSE);
  g_autoptr (EsCube) plain = es_test_open (plain_path);
  assert_one (plain, "/weights", "/weights", ES_FILE_ARRAY_LARGEST);
}

static void
test_single (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "one.h5", NULL);
  g_autofree char *envi = es_test_write_envi (folder, ESK_I16, "bsq", FALSE, WIDTH, HEIGHT, BANDS, NULL);
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  g_autoptr (EsCube) cube = NULL, raw = NULL;

  add_cube (file, "/cube", 0, BANDS);
  H5Fclose (file);
  cube = es_test_open (path);
  assert_one (cube, "cube", "cube", ES_FILE_ARRAY_ONLY);
  /* There is nothing to be told apart. */
  g_assert_null (es_dataset_get_array_name (ES_DATASET (cube)));
  raw = es_test_open (envi);
  g_assert_cmpuint (es_dataset_get_arrays (ES_DATASET (raw))->len, ==, 0);
}

/* ---- MATLAB ---- */

static void
add_matlab (mat_t *file, const char *name, guint array, size_t bands)
{
  size_t lengths[3] = { HEIGHT, WIDTH, bands };
  g_autofree double *values = g_new (double, HEIGHT * WIDTH * bands);
  matvar_t *variable;

  for (size_t i = 0; i < HEIGHT * WIDTH * bands; i++)
    values[i] = sample (array, i / HEIGHT % WIDTH, i % HEIGHT, i / HEIGHT / WIDTH);
  variable = Mat_VarCreate (name, MAT_C_DOUBLE, MAT_T_DOUBLE, 3, lengths, values, 0);
  g_assert_cmpint (Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE), ==, 0);
  Mat_VarFree (variable);
}

static void
test_matlab (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "several.mat", NULL);
  mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT5);

  add_matlab (file, "small", 0, BANDS);
  add_matlab (file, "large", 1, BANDS + 1);
  Mat_Close (file);
  g_autoptr (EsCube) cube = es_test_open (path);
  g_autoptr (EsCube) other = es_test_open_with (path, &(EsOpenOptions) { .variable = "small" });
  assert_one (cube, "large", "large", ES_FILE_ARRAY_LARGEST);
  es_test_compare (cube, expected, GUINT_TO_POINTER (1));
  g_assert_cmpuint (array_named (cube, "small")->width, ==, WIDTH);
  g_assert_cmpuint (array_named (cube, "small")->height, ==, HEIGHT);
  assert_one (other, "small", "large", ES_FILE_ARRAY_LARGEST);
  es_test_compare (other, expected, GUINT_TO_POINTER (0));
}

/* ---- subdatasets ---- */

static GDALDatasetH
make_image (guint array, guint width, guint bands)
{
  GDALDatasetH image = GDALCreate (GDALGetDriverByName ("MEM"), "", (int) width, HEIGHT, (int) bands, GDT_UInt16, NULL);
  guint16 row[64];

  for (guint b = 0; b < bands; b++)
    for (guint y = 0; y < HEIGHT; y++)
      {
        for (guint x = 0; x < width; x++)
          row[x] = (guint16) sample (array, x, y, b);
        g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (image, (int) b + 1), GF_Write, 0, (int) y, (int) width, 1,
                                       row, (int) width, 1, GDT_UInt16, 0, 0), ==, CE_None);
      }
  return image;
}

static void
append_image (const char *path, guint array, guint width, guint bands, gboolean first)
{
  GDALDatasetH image = make_image (array, width, bands);
  char **options = first ? NULL : CSLAddString (NULL, "APPEND_SUBDATASET=YES");
  GDALDatasetH copy = GDALCreateCopy (GDALGetDriverByName ("GTiff"), path, image, FALSE, options, NULL, NULL);

  g_assert_nonnull (copy);
  GDALClose (copy);
  GDALClose (image);
  CSLDestroy (options);
}

static void
test_tiff (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "several.tif", NULL);

  GDALAllRegister ();
  append_image (path, 0, WIDTH, BANDS, TRUE);
  append_image (path, 1, WIDTH + 3, BANDS + 2, FALSE);
  append_image (path, 2, WIDTH, 1, FALSE);
  g_autoptr (EsCube) cube = es_test_open (path);
  g_autoptr (EsCube) first = es_test_open_with (path, &(EsOpenOptions) { .variable = "1" });
  assert_one (cube, "2", "2", ES_FILE_ARRAY_LARGEST);
  g_assert_cmpuint (es_cube_get_width (cube), ==, WIDTH + 3);
  es_test_compare (cube, expected, GUINT_TO_POINTER (1));
  assert_one (first, "1", "2", ES_FILE_ARRAY_LARGEST);
  es_test_compare (first, expected, GUINT_TO_POINTER (0));
  /* What has one band is no cube. */
  g_assert_cmpuint (es_dataset_get_arrays (ES_DATASET (cube))->len, ==, 2);
  es_test_refused (path, &(EsOpenOptions) { .variable = "7" }, ES_DATA_ERROR_FORMAT, "several.tif", "“7”", "1, 2",
                   NULL);
}

/* What is written down opens the same array again, wherever the file lies by then. */
static void
test_again (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new (), elsewhere = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "several.tif", NULL);
  g_autofree char *moved = g_build_filename (elsewhere, "moved.tif", NULL);
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  GDALAllRegister ();
  append_image (path, 0, WIDTH, BANDS, TRUE);
  append_image (path, 1, WIDTH + 3, BANDS + 2, FALSE);
  g_autoptr (EsCube) cube = es_test_open_with (path, &(EsOpenOptions) { .variable = "1" });
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, moved);
  _es_dataset_add_input (ES_DATASET (cube), builder);
  json_builder_end_object (builder);
  _es_dataset_append_input (ES_DATASET (cube), line);
  g_assert_cmpstr (line->str, ==, " --variable '1'");
  g_assert_cmpint (rename (path, moved), ==, 0);

  g_autoptr (JsonNode) node = json_builder_get_root (builder);
  g_autoptr (EsDataset) again = _es_dataset_open_input (json_node_get_object (node), NULL, &error);
  g_assert_no_error (error);
  es_test_compare (ES_CUBE (again), expected, GUINT_TO_POINTER (0));
  assert_one (ES_CUBE (again), "1", "2", ES_FILE_ARRAY_LARGEST);
}

/* ---- descriptions ---- */

static void
test_sources (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *inner = es_test_write_text (folder, "inner.vrt", "<VRTDataset><VRTRasterBand><SimpleSource>"
                                               "<SourceFilename relativeToVRT='1'>deep.tif</SourceFilename>"
                                               "</SimpleSource></VRTRasterBand></VRTDataset>");
  g_autofree char *outer = es_test_write_text (folder, "outer.vrt", "<VRTDataset rasterXSize='2'>"
                                               "<SourceFilename relativeToVRT=\"1\">inner.vrt</SourceFilename>"
                                               "<SourceFilename>/vsicurl/http://example.org/a.tif</SourceFilename>"
                                               "<SourceDataset relativeToVRT=\"0\">/etc/passwd</SourceDataset>"
                                               "<SourceFilename relativeToVRT=\"1\">inner.vrt</SourceFilename>"
                                               "</VRTDataset>");
  g_autofree char *loop = es_test_write_text (folder, "loop.vrt", "<VRTDataset><SourceFilename relativeToVRT='1'>"
                                              "loop.vrt</SourceFilename></VRTDataset>");
  g_autofree char *broken = es_test_write_text (folder, "broken.vrt", "<VRTDataset><SourceFilename>");
  g_autofree char *text = es_test_write_text (folder, "text.txt", "something else");
  g_autofree char *deep = g_build_filename (folder, "deep.tif", NULL);
  g_autoptr (GFile) outer_file = g_file_new_for_path (outer), loop_file = g_file_new_for_path (loop);
  g_autoptr (GFile) broken_file = g_file_new_for_path (broken), text_file = g_file_new_for_path (text);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) sources = es_dataset_list_sources (outer_file, NULL, &error);
  g_auto (GStrv) own = es_dataset_list_sources (loop_file, NULL, NULL);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (sources), ==, 4);
  g_assert_cmpstr (sources[0], ==, inner);
  g_assert_cmpstr (sources[1], ==, "/vsicurl/http://example.org/a.tif");
  g_assert_cmpstr (sources[2], ==, "/etc/passwd");
  g_assert_cmpstr (sources[3], ==, deep);
  g_assert_cmpuint (g_strv_length (own), ==, 1);
  g_assert_null (es_dataset_list_sources (text_file, NULL, &error));
  g_assert_no_error (error);
  g_assert_null (es_dataset_list_sources (broken_file, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);

  es_test_refused ("/vsicurl/http://example.org/a.tif", NULL, ES_DATA_ERROR_OPEN, "/vsicurl/", "local folder", NULL);
}

/* Names that GDAL follows, however they are written. */
static void
test_sources_hidden (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *deep = g_build_filename (folder, "deep.tif", NULL);
  g_autofree char *inner = es_test_write_text (folder, "inner.vrt", "junk <VRTDataset><sourcefilename "
                                               "RELATIVETOVRT=' 2'>deep.tif</sourcefilename></VRTDataset>");
  g_autofree char *outer = es_test_write_text (folder, "outer.vrt", "<VRTDataset rasterXSize='2'>"
                                               "<SourceFilename relativeToVRT='1'><![CDATA[inner.vrt]]>"
                                               "</SourceFilename><SimpleSource SourceFilename='/a.tif'/>"
                                               "<Metadata domain='OVERVIEWS'><MDI key='OVERVIEW_FILE'>/b.tif</MDI>"
                                               "</Metadata><DEMPath>/c.tif</DEMPath></VRTDataset>");
  g_autoptr (GString) many = g_string_new ("<VRTDataset>");
  g_autoptr (GFile) outer_file = g_file_new_for_path (outer);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) sources = es_dataset_list_sources (outer_file, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (sources), ==, 5);
  g_assert_cmpstr (sources[0], ==, inner);
  g_assert_cmpstr (sources[1], ==, "/a.tif");
  g_assert_cmpstr (sources[2], ==, "/b.tif");
  g_assert_cmpstr (sources[3], ==, "/c.tif");
  g_assert_cmpstr (sources[4], ==, deep);

  /* Of more than anybody reads it is told that there are more. */
  for (guint i = 0; i < 1001; i++)
    g_string_append_printf (many, "<SourceFilename>/%u.tif</SourceFilename>", i);
  g_string_append (many, "</VRTDataset>");

  g_autofree char *many_path = es_test_write_text (folder, "many.vrt", many->str);
  g_autoptr (GFile) many_file = g_file_new_for_path (many_path);
  g_auto (GStrv) all = es_dataset_list_sources (many_file, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (g_strv_length (all), ==, 1001);
  g_assert_cmpstr (all[1000], ==, "…");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  H5Eset_auto2 (H5E_DEFAULT, NULL, NULL);
  g_test_add_func ("/arrays/hdf5", test_hdf5);
  g_test_add_func ("/arrays/single", test_single);
  g_test_add_func ("/arrays/matlab", test_matlab);
  g_test_add_func ("/arrays/tiff", test_tiff);
  g_test_add_func ("/arrays/again", test_again);
  g_test_add_func ("/arrays/sources", test_sources);
  g_test_add_func ("/arrays/sources/hidden", test_sources_hidden);
  return g_test_run ();
}
