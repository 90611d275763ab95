/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gdal.h>
#include <glib/gstdio.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "readers/es-open.h"
#include "operations/es-operations.h"
#include "result/es-result-internal.h"
#include "es-test-folder.h"
#include "writers/es-write-field-private.h"
#include "writers/es-writer.h"
#include "session/es-result-load.h"

#define COLUMNS 37

static double angles[COLUMNS];

static float
value_at (guint row, guint column)
{
  return (row * COLUMNS + column) % 17 == 5 ? NAN : powf (10, 0.013f * row - 0.1f * column);
}

static EsAxis
get_columns (void)
{
  for (guint j = 0; j < COLUMNS; j++)
    angles[j] = 10 + 0.5 * j;
  return (EsAxis) { (char *) "Bearing", (char *) "°", COLUMNS, angles };
}

static EsField *
make_waterfall (guint n, guint64 limit)
{
  const EsAxis columns = get_columns (), rows = { (char *) "Time", (char *) "s", 0, NULL };
  g_autoptr (GError) error = NULL;
  EsField *field = es_field_new ("btr", "Bearing-time record", ES_LAYER_WATERFALL, "btr", &rows, &columns, limit,
                                 &error);
  float row[COLUMNS];

  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < COLUMNS; j++)
        row[j] = value_at (i, j);
      g_assert_true (es_field_append (field, 0.25 * i, row, &error));
      g_assert_no_error (error);
    }
  es_field_set_reference (field, "1 µPa²", "dB");
  es_field_add_metadata (field, "window", "hann");
  es_field_add_metadata (field, "note", "two \"words\", and a comma");
  return field;
}

static EsField *
make_field (void)
{
  double ranges[] = { INFINITY, 50, 100 };
  const EsAxis columns = get_columns (), rows = { (char *) "Range, slant", (char *) "m", 3, ranges };
  g_autoptr (GError) error = NULL;
  EsField *field = es_field_new ("energy-field", "Energy field", ES_LAYER_FIELD, "energy-field", &rows, &columns, 0,
                                 &error);

  g_assert_no_error (error);
  ranges[0] = 0;               /* copied */
  for (guint i = 0; i < 3; i++)
    for (guint j = 0; j < COLUMNS; j++)
      {
        g_assert_true (isnan (es_field_peek (field)[i * COLUMNS + j]));
        es_field_get_writable (field)[i * COLUMNS + j] = value_at (i, j);
      }
  es_field_set_reference (field, "full scale²", "dB");
  return field;
}

static void
assert_values (EsField *field, guint first, guint n)
{
  g_autofree float *out = g_new (float, (gsize) n * COLUMNS);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_field_read (field, first, n, out, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < COLUMNS; j++)
      {
        const float expected = value_at (first + i, j), found = out[i * COLUMNS + j];
        g_assert_true (isnan (expected) ? isnan (found) : expected == found);
      }
}

static void
test_field (void)
{
  g_autoptr (EsField) field = make_field ();
  g_autoptr (GError) error = NULL;
  float value;

  g_assert_cmpint (es_layer_get_kind (ES_LAYER (field)), ==, ES_LAYER_FIELD);
  g_assert_cmpstr (es_field_get_role (field), ==, "energy-field");
  g_assert_cmpstr (es_field_get_reference (field), ==, "full scale²");
  g_assert_null (es_field_get_metadata (field));
  g_assert_cmpuint (es_field_get_rows (field)->n, ==, 3);
  g_assert_true (isinf (es_field_get_rows (field)->values[0]));
  assert_values (field, 0, 3);
  assert_values (field, 1, 1);
  g_assert_true (es_field_read (field, 3, 0, &value, &error));
  g_assert_false (es_field_read (field, 3, 1, &value, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
}

/* limit: 0, none; else the rows go into a file in the middle. */
static void
test_waterfall (gconstpointer limit)
{
  g_autoptr (EsField) field = make_waterfall (900, GPOINTER_TO_UINT (limit));

  g_assert_cmpint (es_layer_get_kind (ES_LAYER (field)), ==, ES_LAYER_WATERFALL);
  g_assert_true ((es_field_peek (field) != NULL) == (limit == NULL));
  g_assert_null (es_field_get_writable (field));
  g_assert_cmpuint (es_field_get_rows (field)->n, ==, 900);
  g_assert_cmpfloat (es_field_get_rows (field)->values[899], ==, 0.25 * 899);
  assert_values (field, 0, 900);
  assert_values (field, 431, 7);
  g_assert_cmpstr (es_field_get_metadata (field)[2], ==, "note");
  g_assert_null (es_field_get_metadata (field)[4]);
}

static void
test_too_large (void)
{
  double one = 0;
  const EsAxis none = { (char *) "x", NULL, 0, NULL }, single = { (char *) "y", NULL, 1, &one };
  g_autoptr (GError) error = NULL, limited = NULL;

  g_assert_null (es_field_new ("a", "A", ES_LAYER_FIELD, "fraz", &single, &none, 0, &error));
  g_assert_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  g_assert_null (es_field_new ("a", "A", ES_LAYER_FIELD, "fraz", &single, &single, 3, &limited));
  g_assert_error (limited, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
}

static void
test_csv (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) target = es_test_file (folder, "field.csv");
  g_autoptr (EsField) field = make_field ();
  g_autoptr (GError) error = NULL;

  g_assert_true (es_write_field_csv (field, target, NULL, &error));
  g_assert_no_error (error);
  g_autofree char *text = es_test_read (folder, "field.csv", NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\r\n", -1);
  g_assert_cmpuint (g_strv_length (lines), ==, 5);
  g_assert_true (g_str_has_prefix (lines[0],
                                  "\"Range, slant (m) × Bearing (°): Energy field (dB re full scale)\",10,10.5,11,"));
  g_assert_true (g_str_has_prefix (lines[1], "inf,0,-1,-2,"));
  /* Column 5 is missing, and 22 with it. */
  g_auto (GStrv) cells = g_strsplit (lines[1], ",", -1);
  g_assert_cmpuint (g_strv_length (cells), ==, COLUMNS + 1);
  g_assert_cmpstr (cells[6], ==, "");
  g_assert_true (es_field_power_of_level (g_ascii_strtod (cells[4], NULL)) == value_at (0, 3));

  /* What are no powers are written as they are. */
  es_field_set_reference (field, NULL, "m");
  g_assert_true (es_write_field_csv (field, target, NULL, &error));
  g_autofree char *plain = es_test_read (folder, "field.csv", NULL);
  g_assert_nonnull (strstr (plain, "\r\ninf,1,0.794328"));
}

/* Of what colour a pixel is, and whether it is there. */
static void
read_pixel (GDALDatasetH picture, int x, int y, guint8 *pixel)
{
  for (int band = 0; band < 4; band++)
    g_assert_cmpint (GDALRasterIO (GDALGetRasterBand (picture, band + 1), GF_Read, x, y, 1, 1, pixel + band, 1, 1,
                                   GDT_Byte, 0, 0), ==, CE_None);
}

static void
test_png (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) target = es_test_file (folder, "field.png");
  g_autofree char *path = g_file_get_path (target);
  g_autoptr (EsField) field = make_field (), tall = NULL;
  g_autoptr (GError) error = NULL;
  guint8 pixel[4];

  g_assert_true (es_write_field_png (field, target, NULL, &error));
  g_assert_no_error (error);
  GDALDatasetH picture = GDALOpen (path, GA_ReadOnly);
  g_assert_nonnull (picture);
  const int width = GDALGetRasterXSize (picture), height = GDALGetRasterYSize (picture);
  g_assert_cmpint (width, ==, 800 / COLUMNS * COLUMNS);
  g_assert_cmpint (height, ==, 133 * 3);
  /* The first row is below; the loudest is at the upper left (third row, first column): viridis' yellow. */
  read_pixel (picture, 0, 0, pixel);
  g_assert_cmpint (ABS (pixel[0] - 253) + ABS (pixel[1] - 231) + ABS (pixel[2] - 37), <, 12);
  g_assert_cmpint (pixel[3], ==, 255);
  /* The quietest, 36 dB down, is in the last column: viridis' dark violet. */
  read_pixel (picture, width - 1, height - 1, pixel);
  g_assert_cmpint (ABS (pixel[0] - 68) + ABS (pixel[1] - 1) + ABS (pixel[2] - 84), <, 12);
  /* Missing: transparent. */
  read_pixel (picture, 5 * (800 / COLUMNS), height - 1, pixel);
  g_assert_cmpint (pixel[3], ==, 0);
  g_assert_nonnull (strstr (GDALGetMetadataItem (picture, "DESCRIPTION", NULL), "Bearing 10..28 °"));
  GDALClose (picture);

  /* A long one: a pixel is the maximum of what falls into it. */
  tall = make_waterfall (9000, 0);
  g_assert_true (es_write_field_png (tall, target, NULL, &error));
  g_assert_no_error (error);
  picture = GDALOpen (path, GA_ReadOnly);
  g_assert_cmpint (GDALGetRasterYSize (picture), ==, 3000);
  GDALClose (picture);
}

/* Turns, and is not known now and then. */
static double
heading_at (guint row)
{
  return row % 100 == 7 ? NAN : fmod (213.5 + 0.25 * row, 360);
}

static void
turn (EsField *field)
{
  const guint n = es_field_get_rows (field)->n;
  g_autofree double *headings = g_new (double, n);

  for (guint i = 0; i < n; i++)
    headings[i] = heading_at (i);
  es_field_set_headings (field, headings);
}

static void
assert_headings (const double *headings, guint n)
{
  g_assert_nonnull (headings);
  for (guint i = 0; i < n; i++)
    g_assert_true (isnan (heading_at (i)) ? isnan (headings[i]) : headings[i] == heading_at (i));
}

static void
test_hdf5 (gconstpointer limit)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (GFile) target = es_test_file (folder, "btr.h5"), again = es_test_file (folder, "again.h5");
  g_autofree char *path = g_file_get_path (target);
  g_autoptr (EsField) field = make_waterfall (60000, GPOINTER_TO_UINT (limit));
  g_autofree char *geometry = g_strnfill (200000, 'x');
  g_autoptr (GError) error = NULL;
  gsize length, length_again;
  hsize_t shape[2];
  char text[64] = { 0 };

  /* More than an object header holds. */
  es_field_add_metadata (field, "array", geometry);
  turn (field);
  g_assert_true (es_write_field_hdf5 (field, target, NULL, &error));
  g_assert_no_error (error);

  hid_t file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  g_assert_cmpint (file, >=, 0);
  g_assert_cmpint (H5LTget_dataset_info (file, "values", shape, NULL, NULL), >=, 0);
  g_assert_cmpuint (shape[0], ==, 60000);
  g_assert_cmpuint (shape[1], ==, COLUMNS);
  g_autofree float *values = g_new (float, 60000 * COLUMNS);
  g_autofree double *times = g_new (double, 60000);
  g_assert_cmpint (H5LTread_dataset_float (file, "values", values), >=, 0);
  g_assert_cmpint (H5LTread_dataset_double (file, "rows", times), >=, 0);
  for (guint i = 0; i < 60000; i += 777)
    {
      g_assert_cmpfloat (times[i], ==, 0.25 * i);
      for (guint j = 0; j < COLUMNS; j++)
        g_assert_true (isnan (value_at (i, j)) ? isnan (values[i * COLUMNS + j])
                                               : values[i * COLUMNS + j] == value_at (i, j));
    }
  g_assert_cmpint (H5LTget_attribute_string (file, "values", "reference", text), >=, 0);
  g_assert_true (g_str_has_prefix (text, "1 µPa²"));
  /* A heading a row, along the rows. */
  hsize_t n_headings = 0;
  g_assert_cmpint (H5LTget_dataset_info (file, "headings", &n_headings, NULL, NULL), >=, 0);
  g_assert_cmpuint (n_headings, ==, 60000);
  g_assert_cmpint (H5LTread_dataset_double (file, "headings", times), >=, 0);
  assert_headings (times, 60000);
  memset (text, 0, sizeof text);
  g_assert_cmpint (H5LTget_attribute_string (file, "headings", "units", text), >=, 0);
  g_assert_cmpstr (text, ==, "°");
  memset (text, 0, sizeof text);
  g_assert_cmpint (H5LTget_attribute_string (file, "headings", "reference", text), >=, 0);
  g_assert_cmpstr (text, ==, "true north, clockwise");
  hid_t along = H5Dopen2 (file, "headings", H5P_DEFAULT), time = H5Dopen2 (file, "rows", H5P_DEFAULT);
  g_assert_cmpint (H5DSis_attached (along, time, 0), ==, 1);
  H5Dclose (time);
  H5Dclose (along);
  hid_t dataset = H5Dopen2 (file, "values", H5P_DEFAULT), scale = H5Dopen2 (file, "columns", H5P_DEFAULT);
  g_assert_cmpint (H5DSis_attached (dataset, scale, 1), ==, 1);
  /* Short texts are attributes, long ones data sets. */
  g_assert_cmpint (H5Aexists (dataset, "window"), >, 0);
  g_assert_cmpint (H5Aexists (dataset, "array"), ==, 0);
  hid_t array = H5Dopen2 (file, "array", H5P_DEFAULT), type = H5Dget_type (array);
  g_autofree char *saved = g_malloc0 (200001);
  g_assert_cmpuint (H5Tget_size (type), ==, 200000);
  g_assert_cmpint (H5Dread (array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, saved), >=, 0);
  g_assert_cmpstr (saved, ==, geometry);
  H5Tclose (type);
  H5Dclose (array);
  H5Dclose (scale);
  H5Dclose (dataset);
  H5Fclose (file);

  /* The same bytes. */
  g_assert_true (es_write_field_hdf5 (field, again, NULL, &error));
  g_autofree char *first = es_test_read (folder, "btr.h5", &length);
  g_autofree char *second = es_test_read (folder, "again.h5", &length_again);
  g_assert_cmpmem (first, length, second, length_again);

  /* Where no heading is told there is nothing of it; a row that came later is told of none either. */
  float row[COLUMNS] = { 0 };
  g_assert_true (es_field_append (field, 15000, row, &error));
  g_assert_null (es_field_get_headings (field));
  g_assert_true (es_write_field_hdf5 (field, again, NULL, &error));
  g_autofree char *again_path = g_file_get_path (again);
  file = H5Fopen (again_path, H5F_ACC_RDONLY, H5P_DEFAULT);
  g_assert_cmpint (H5Lexists (file, "headings", H5P_DEFAULT), ==, 0);
  H5Fclose (file);
}

/* What is said above a picture. */
static void
test_caption (void)
{
  g_autoptr (EsField) field = make_waterfall (30, 0);
  double headings[30];

  es_field_add_metadata (field, "recording", "sea.wav");
  es_field_add_metadata (field, "beams", "mvdr");
  es_field_add_metadata (field, "band_hz", "319.335938:480.46875");
  es_field_add_metadata (field, "bearing_deg", "51.7533801");
  es_field_add_metadata (field, "start", "2026-05-01T12:00:00.250Z");
  g_autofree char *plain = es_field_caption (field, FALSE);
  g_assert_cmpstr (plain, ==, "sea.wav · MVDR · 319.3–480.5 Hz · beam at 51.75° · began 2026-05-01 12:00:00 UTC");
  for (guint i = 0; i < 30; i++)
    headings[i] = i < 3 ? NAN : 213.5;
  es_field_set_headings (field, headings);
  g_autofree char *fixed = es_field_caption (field, TRUE);
  g_assert_true (g_str_has_suffix (fixed, " UTC · heading 213.5° true · bearings from the array · grey: no value"));
  turn (field);
  g_autofree char *turning = es_field_caption (field, FALSE);
  g_assert_true (g_str_has_suffix (turning, " UTC · heading 213.5° to 220.8° true · bearings from the array"));
}

/* Cancelled, or with a full disk: nothing is left, and what was there is as it was. */
static void
test_nothing_half (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autoptr (EsField) field = make_waterfall (20000, 0);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  gboolean (*const writers[]) (EsField *, GFile *, GCancellable *, GError **)
    = { es_write_field_csv, es_write_field_png, es_write_field_hdf5 };

  g_cancellable_cancel (cancellable);
  es_test_write_text (folder, "old", "what was there");
  for (guint i = 0; i < G_N_ELEMENTS (writers); i++)
    {
      g_autoptr (GFile) target = es_test_file (folder, "old");
      g_autoptr (GError) cancelled = NULL, full = NULL;

      g_assert_false (writers[i] (field, target, cancellable, &cancelled));
      g_assert_error (cancelled, G_IO_ERROR, G_IO_ERROR_CANCELLED);
      es_test_limit_files (1000);
      g_assert_false (writers[i] (field, target, NULL, &full));
      es_test_limit_files (G_MAXUINT64);
      g_assert_error (full, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
      /* In the words of every file, not in those of a library. */
      g_assert_nonnull (strstr (full->message, writers[i] == es_write_field_hdf5 ? "perhaps the disk is full"
                                                                                 : g_strerror (EFBIG)));
      g_assert_null (strstr (full->message, "libpng"));
      g_autofree char *files = es_test_folder_list (folder);
      g_assert_cmpstr (files, ==, "old");
      es_test_assert_text (folder, "old", "what was there");
    }
}

/* ---- saved results ---- */

static EsResult *
make_result (const char *folder, EsField *first, EsField *second)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find ("pca", &error);
  const float samples[8] = { 1, 2, 3, 4, 4, 1, 2, 9 };
  g_autofree char *path = g_build_filename (folder, "scene.img", NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsTable) table = es_table_new ("peaks", "Peaks");
  JsonObject *values = json_object_new ();
  const double numbers[] = { 0.1, 57, NAN };
  EsResult *result;

  es_table_add_column (table, "Bearing, steered", "°", 2);
  es_table_add_column (table, "Name", NULL, -1);
  es_table_add_column (table, "Margin", "dB", 1);
  es_table_add_row (table, (gconstpointer[]) { &numbers[0], "\"quoted\",\r\nand more", &numbers[1] });
  es_table_add_row (table, (gconstpointer[]) { &numbers[1], "", &numbers[2] });
  g_assert_true (g_file_set_contents (path, (const char *) samples, sizeof samples, NULL));
  es_test_write_text (folder, "scene.hdr", "ENVI\nsamples = 2\nlines = 2\nbands = 2\ndata type = 4\n"
                                           "interleave = bsq\nbyte order = 0\n");
  g_autoptr (EsDataset) dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (EsParams) params = es_params_new (operation->params);
  result = es_result_new (operation, dataset, params);
  es_result_add_layer (result, ES_LAYER (first));
  es_result_add_layer (result, ES_LAYER (second));
  es_result_add_layer (result, ES_LAYER (table));
  json_object_set_object_member (values, "array", json_object_new ());
  json_object_set_int_member (json_object_get_object_member (values, "array"), "elements", 3);
  es_result_set_values (result, values);
  return result;
}

static void
assert_same (EsField *a, EsField *b)
{
  const EsAxis *rows = es_field_get_rows (a), *columns = es_field_get_columns (a);

  g_assert_cmpint (es_layer_get_kind (ES_LAYER (a)), ==, es_layer_get_kind (ES_LAYER (b)));
  g_assert_cmpstr (es_layer_get_title (ES_LAYER (a)), ==, es_layer_get_title (ES_LAYER (b)));
  g_assert_cmpstr (es_field_get_role (a), ==, es_field_get_role (b));
  g_assert_cmpstr (es_field_get_reference (a), ==, es_field_get_reference (b));
  g_assert_cmpstr (es_field_get_unit (a), ==, es_field_get_unit (b));
  g_assert_cmpstr (rows->title, ==, es_field_get_rows (b)->title);
  g_assert_cmpmem (rows->values, rows->n * sizeof (double), es_field_get_rows (b)->values,
                   es_field_get_rows (b)->n * sizeof (double));
  g_assert_cmpmem (columns->values, columns->n * sizeof (double), es_field_get_columns (b)->values,
                   es_field_get_columns (b)->n * sizeof (double));
  assert_values (b, 0, rows->n);
}

static void
test_saved (gconstpointer rows)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "saved", NULL);
  g_autoptr (GFile) directory = g_file_new_for_path (path);
  g_autoptr (GFile) file = es_test_file (path, "result.json");
  g_autoptr (EsField) field = make_field (), waterfall = make_waterfall (GPOINTER_TO_UINT (rows), 0);
  g_autoptr (EsResult) result = make_result (folder, field, waterfall);
  const gboolean small = GPOINTER_TO_UINT (rows) * COLUMNS <= 100000;
  g_autoptr (GError) error = NULL;

  turn (waterfall);
  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (es_write_result (result, directory, ES_STACK_ENVI, NULL, &error));
      g_assert_no_error (error);
      g_autofree char *files = es_test_folder_list (path);
      g_autofree char *expected = g_strconcat (small ? "btr.csv " : "", "btr.h5 btr.png energy-field.csv "
                                               "energy-field.png peaks.csv result.json steps.csv", NULL);
      g_assert_cmpstr (files, ==, expected);
    }

  g_autoptr (EsResult) loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  assert_same (field, ES_FIELD (es_result_find_layer (loaded, "energy-field")));
  EsField *saved = ES_FIELD (es_result_find_layer (loaded, "btr"));
  assert_same (waterfall, saved);
  assert_headings (es_field_get_headings (saved), GPOINTER_TO_UINT (rows));
  g_assert_null (es_field_get_headings (ES_FIELD (es_result_find_layer (loaded, "energy-field"))));
  /* The array is told once, with the values, and comes back to each. */
  g_assert_cmpstr (es_field_get_metadata (saved)[0], ==, "array");
  g_assert_cmpstr (es_field_get_metadata (saved)[1], ==, "{\n  \"elements\" : 3\n}\n");
  g_assert_cmpstr (es_field_get_metadata (saved)[5], ==, "two \"words\", and a comma");
  EsTable *table = ES_TABLE (es_result_find_layer (loaded, "peaks"));
  g_assert_cmpuint (es_table_get_n_rows (table), ==, 2);
  g_assert_cmpstr (es_table_get_column_title (table, 0), ==, "Bearing, steered");
  g_assert_cmpstr (es_table_get_column_unit (table, 2), ==, "dB");
  g_assert_cmpstr (es_table_get_text (table, 0, 0), ==, "0.10");
  g_assert_cmpstr (es_table_get_text (table, 0, 1), ==, "\"quoted\",\r\nand more");
  g_assert_cmpfloat (es_table_get_value (table, 0, 0), ==, 0.1);
  g_assert_true (isnan (es_table_get_value (table, 1, 2)));
  /* 64 MB and more stay where they are. */
  g_assert_true ((es_field_peek (saved) == NULL) == (GPOINTER_TO_UINT (rows) > 500000));

  /* With neither there is nothing left of them. */
  g_autoptr (EsField) other = make_field ();
  es_layer_set_name (ES_LAYER (other), "fraz", "Other");
  g_autoptr (EsResult) smaller = make_result (folder, other, other);
  g_assert_true (es_write_result (smaller, directory, ES_STACK_ENVI, NULL, &error));
  g_autofree char *files = es_test_folder_list (path);
  g_assert_cmpstr (files, ==, "fraz-2.csv fraz-2.png fraz.csv fraz.png peaks.csv result.json steps.csv");
  assert_values (saved, 0, 20);          /* still open */
}

static gboolean
says (EsResult *result, const char *words)
{
  for (const char *const *warning = es_result_get_warnings (result); warning != NULL && *warning != NULL; warning++)
    if (strstr (*warning, words) != NULL)
      return TRUE;
  return FALSE;
}

/* Whatever a hand or a disk does to the files: a sentence. */
static void
test_damaged (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "saved", NULL);
  g_autoptr (GFile) directory = g_file_new_for_path (path);
  g_autoptr (GFile) file = es_test_file (path, "result.json");
  g_autoptr (EsField) field = make_field (), waterfall = make_waterfall (50, 0);
  g_autoptr (EsResult) result = make_result (folder, field, waterfall);
  static const struct { const char *from, *to; } changes[] = {
    { "\"n\" : 37", "\"n\" : 36" }, { "\"n\" : 37", "\"n\" : 0" }, { "\"n\" : 37", "\"n\" : 4294967295" },
    { "\"n\" : 37", "\"n\" : -5" }, { "\"n\" : 3,", "\"n\" : 4," }, { "\"n\" : 3\n", "\"n\" : 4\n" },
    { "\"n\" : 50", "\"n\" : 51" }, { "\"n\" : 50", "\"n\" : 4e9" }, { "\"rows\"", "\"lines\"" },
    { "\"digits\" : 2", "\"digits\" : 9e99" }, { "\"digits\" : 2", "\"dots\" : 2" }, { "peaks.csv", "btr.csv" },
    /* Headings that are promised, and not there. */
    { "\"role\" : \"btr\"", "\"headings\" : true, \"role\" : \"btr\"" },
    { "btr.h5", "btr.png" }, { "btr.h5", "btr.csv" }, { "energy-field.csv", "btr.h5" },
  };
  g_autoptr (GError) error = NULL;
  guint refused = 0;

  g_assert_true (es_write_result (result, directory, ES_STACK_ENVI, NULL, &error));
  g_autofree char *text = es_test_read (path, "result.json", NULL);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    {
      g_auto (GStrv) parts = g_strsplit (text, changes[i].from, 2);
      g_autofree char *changed = g_strjoinv (changes[i].to, parts);
      g_autoptr (GError) local = NULL;

      es_test_write_text (path, "result.json", changed);
      g_autoptr (EsResult) loaded = es_result_load (file, NULL, &local);
      g_assert_true ((loaded == NULL) == (local != NULL));
      refused += loaded == NULL || es_result_get_warnings (loaded) != NULL;
    }
  /* One of the two ways in which json-glib may write a number is not there; a waterfall may be read from its CSV; so
   * many digits are as good as fewer. */
  g_assert_cmpuint (refused, >=, G_N_ELEMENTS (changes) - 3);

  es_test_write_text (path, "result.json", text);
  g_autofree char *store = g_build_filename (path, "btr.h5", NULL);
  gsize length;
  g_autofree char *bytes = es_test_read (path, "btr.h5", &length);
  for (gsize cut = 0; cut < length; cut += length / 7 + 1)
    {
      g_autoptr (GError) local = NULL;
      g_assert_true (g_file_set_contents (store, bytes, cut, NULL));
      g_autoptr (EsResult) loaded = es_result_load (file, NULL, &local);
      g_assert_no_error (local);
      g_assert_null (es_result_find_layer (loaded, "btr"));
      g_assert_nonnull (es_result_find_layer (loaded, "energy-field"));
      g_assert_true (says (loaded, "“btr.h5” of the layer “btr” has another size"));
      g_assert_true (says (loaded, "is left out"));
    }
}

/* A store on which the library crashes: here it is the helper itself, which is not asked about anything else. */
static void
test_crash (void)
{
  g_autoptr (EsTestFolder) folder = es_test_folder_make ();
  g_autofree char *path = g_build_filename (folder, "saved", NULL), *helper = g_build_filename (folder, "helper", NULL);
  g_autofree char *before = g_strdup (g_getenv ("ES_REHEARSE"));
  g_autoptr (GFile) directory = g_file_new_for_path (path);
  g_autoptr (GFile) file = es_test_file (path, "result.json");
  g_autoptr (EsField) field = make_field (), waterfall = make_waterfall (50, 0);
  g_autoptr (EsResult) result = make_result (folder, field, waterfall);
  g_autoptr (GError) error = NULL;

  g_assert_true (es_write_result (result, directory, ES_STACK_ENVI, NULL, &error));
  g_assert_no_error (error);
  es_test_write_text (folder, "helper", "#!/bin/sh\nprintf 'ready " ES_VERSION "\\n' >&3\n"
                                        "[ \"$5\" != field ] || kill -SEGV $$\necho done >&3\n");
  g_assert_cmpint (g_chmod (helper, 0700), ==, 0);
  g_setenv ("ES_REHEARSE", helper, TRUE);
  g_autoptr (EsResult) loaded = es_result_load (file, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (es_result_find_layer (loaded, "btr"));
  g_assert_nonnull (es_result_find_layer (loaded, "energy-field"));
  g_assert_true (says (loaded, "“btr.h5” is damaged"));
  g_assert_true (says (loaded, "crashed"));
  if (before != NULL)
    g_setenv ("ES_REHEARSE", before, TRUE);
  else
    g_unsetenv ("ES_REHEARSE");
}

int
main (int argc, char **argv)
{
  g_autoptr (EsTestFolder) cache = es_test_folder_make ();

  /* Where files without a name live; read once. */
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  GDALAllRegister ();
  g_test_add_func ("/field/field", test_field);
  g_test_add_data_func ("/field/waterfall/memory", GUINT_TO_POINTER (0), test_waterfall);
  g_test_add_data_func ("/field/waterfall/file", GUINT_TO_POINTER (1), test_waterfall);
  g_test_add_data_func ("/field/waterfall/both", GUINT_TO_POINTER (70001), test_waterfall);
  g_test_add_func ("/field/too-large", test_too_large);
  g_test_add_func ("/field/csv", test_csv);
  g_test_add_func ("/field/png", test_png);
  g_test_add_func ("/field/caption", test_caption);
  g_test_add_data_func ("/field/hdf5/memory", GUINT_TO_POINTER (0), test_hdf5);
  g_test_add_data_func ("/field/hdf5/file", GUINT_TO_POINTER (1), test_hdf5);
  g_test_add_func ("/field/nothing-half", test_nothing_half);
  g_test_add_data_func ("/field/saved/small", GUINT_TO_POINTER (100), test_saved);
  g_test_add_data_func ("/field/saved/large", GUINT_TO_POINTER (500010), test_saved);
  g_test_add_func ("/field/damaged", test_damaged);
  g_test_add_func ("/field/crash", test_crash);
  return g_test_run ();
}
