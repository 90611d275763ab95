/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What files say, as they say it. */

#include "../job/es-test-scene.h"
#include "inspection/es-file-facts.h"
#include "inspection/es-metadata-import.h"
#include "readers/es-open.h"

#include <gdal.h>
#include <hdf5.h>
#include <matio.h>
#include <string.h>

static char *directory;

static const char *
find (GPtrArray *facts, const char *group, const char *key)
{
  for (guint i = 0; i < facts->len; i++)
    {
      const EsFileFact *fact = g_ptr_array_index (facts, i);

      if (strcmp (fact->group, group) == 0 && strcmp (fact->key, key) == 0)
        return fact->value;
    }
  return NULL;
}

static GPtrArray *
list (const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  GPtrArray *facts;

  g_assert_no_error (error);
  facts = es_file_facts_list (dataset, NULL, &error);
  g_assert_no_error (error);
  return facts;
}

static void
test_envi (void)
{
  g_autofree char *path = g_build_filename (directory, "x.img", NULL), *header = g_strconcat (path, ".hdr", NULL);
  const char samples[2 * 2 * 2] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  g_autoptr (GPtrArray) facts = NULL;

  g_assert_true (g_file_set_contents (path, samples, sizeof samples, NULL));
  g_assert_true (g_file_set_contents (header, "ENVI\nsamples = 2\nlines = 2\nbands = 2\ndata type = 1\n"
                                              "interleave = bsq\n; a comment\n"
                                              "My Own_Field = {one,\n two}\nwavelength = {400, 500}\n", -1,
                                      NULL));
  facts = list (path);
  g_assert_cmpstr (find (facts, "ENVI", "samples"), ==, "2");
  g_assert_cmpstr (find (facts, "ENVI", "my own field"), ==, "one,  two");
  g_assert_cmpstr (find (facts, "ENVI", "wavelength"), ==, "400, 500");
  /* In the order of the file. */
  g_assert_cmpstr (((EsFileFact *) g_ptr_array_index (facts, 0))->key, ==, "samples");
}

static void
test_geotiff (void)
{
  g_autofree char *path = g_build_filename (directory, "x.tif", NULL);
  GDALDatasetH handle;
  g_autoptr (GPtrArray) facts = NULL;
  double transform[6] = { 100, 10, 0, 200, 0, -10 };

  GDALAllRegister ();
  handle = GDALCreate (GDALGetDriverByName ("GTiff"), path, 4, 3, 2, GDT_Int16, NULL);
  g_assert_nonnull (handle);
  GDALSetGeoTransform (handle, transform);
  GDALSetMetadataItem (handle, "station", "Kiruna", NULL);
  GDALSetMetadataItem (handle, "sun", "37.5", "GEOMETRY");
  GDALSetRasterNoDataValue (GDALGetRasterBand (handle, 1), -7);
  GDALSetMetadataItem (GDALGetRasterBand (handle, 2), "wavelength", "500", NULL);
  GDALClose (handle);
  facts = list (path);
  g_assert_cmpstr (find (facts, "GeoTIFF", "station"), ==, "Kiruna");
  g_assert_cmpstr (find (facts, "GeoTIFF · GEOMETRY", "sun"), ==, "37.5");
  g_assert_cmpstr (find (facts, "Band 1", "no-data"), ==, "-7");
  g_assert_cmpstr (find (facts, "Band 2", "wavelength"), ==, "500");
  g_assert_nonnull (find (facts, "GeoTIFF", "geotransform"));
}

static void
add_text (hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy (H5T_C_S1), space = H5Screate (H5S_SCALAR), attribute;

  H5Tset_size (type, strlen (text) + 1);
  attribute = H5Acreate2 (object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite (attribute, type, text);
  H5Aclose (attribute);
  H5Sclose (space);
  H5Tclose (type);
}

static void
test_hdf5 (void)
{
  g_autofree char *path = g_build_filename (directory, "x.h5", NULL);
  const hsize_t size[3] = { 6, 5, 4 };
  float samples[6 * 5 * 4];
  hid_t file = H5Fcreate (path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t group = H5Gcreate2 (file, "scene", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  hid_t space = H5Screate_simple (3, size, NULL);
  hid_t dataset = H5Dcreate2 (group, "cube", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  g_autoptr (GPtrArray) facts = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    samples[i] = (float) i;
  H5Dwrite (dataset, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, samples);
  add_text (file, "mission", "test");
  add_text (group, "level", "2A");
  add_text (dataset, "quality", "fine");
  H5Dclose (dataset);
  H5Sclose (space);
  H5Gclose (group);
  H5Fclose (file);
  facts = list (path);
  g_assert_cmpstr (find (facts, "/", "mission"), ==, "test");
  g_assert_cmpstr (find (facts, "/scene", "level"), ==, "2A");
  g_assert_cmpstr (find (facts, "/scene/cube", "quality"), ==, "fine");
  g_assert_nonnull (strstr (find (facts, "/scene/cube", "size"), "6"));
}

static void
test_matlab (void)
{
  g_autofree char *path = g_build_filename (directory, "x.mat", NULL);
  size_t size[3] = { 5, 4, 6 }, other[2] = { 1, 3 };
  double samples[5 * 4 * 6], vector[3] = { 1, 2, 3 };
  mat_t *file = Mat_CreateVer (path, NULL, MAT_FT_MAT5);
  matvar_t *variable;
  g_autoptr (GPtrArray) facts = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    samples[i] = i;
  variable = Mat_VarCreate ("cube", MAT_C_DOUBLE, MAT_T_DOUBLE, 3, size, samples, 0);
  Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE);
  Mat_VarFree (variable);
  variable = Mat_VarCreate ("angles", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, other, vector, 0);
  Mat_VarWrite (file, variable, MAT_COMPRESSION_NONE);
  Mat_VarFree (variable);
  Mat_Close (file);
  facts = list (path);
  g_assert_cmpstr (find (facts, "MATLAB", "cube"), ==, "5 × 4 × 6 double");
  g_assert_cmpstr (find (facts, "MATLAB", "angles"), ==, "1 × 3 double");
}

/* Wavelengths of another cube. */
static void
test_import (void)
{
  g_autofree char *path = g_build_filename (directory, "x.img", NULL);
  g_autofree char *tif = g_build_filename (directory, "x.tif", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path), other = g_file_new_for_path (tif);
  g_autoptr (EsDataset) cube = es_dataset_open (other, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsMetadata) taken = es_cube_import_metadata (ES_CUBE (cube), file, NULL, NULL, &error);
  g_autofree char *h5 = g_build_filename (directory, "x.h5", NULL);
  g_autoptr (GFile) third = g_file_new_for_path (h5);

  g_assert_no_error (error);
  g_assert_cmpfloat (es_metadata_get_facts (taken)->wavelengths[1], ==, 500);
  g_assert_cmpstr (es_metadata_get_facts (taken)->wavelength_unit, ==, "nm");
  /* One of other bands is refused with both numbers. */
  g_assert_null (es_cube_import_metadata (ES_CUBE (cube), third, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "the cube has 2"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  directory = es_test_directory ();
  g_test_add_func ("/file-facts/envi", test_envi);
  g_test_add_func ("/file-facts/geotiff", test_geotiff);
  g_test_add_func ("/file-facts/hdf5", test_hdf5);
  g_test_add_func ("/file-facts/matlab", test_matlab);
  g_test_add_func ("/file-facts/import", test_import);
  status = g_test_run ();
  es_test_remove (directory);
  g_free (directory);
  return status;
}
