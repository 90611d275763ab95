/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Classifications: what their files say of their values, how they are shown, whose pixels they are. */

#include <cpl_string.h>
#include <gdal.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-classes.h"
#include "cube/es-cube-metadata.h"
#include "es-test-cubes.h"
#include "preparation/es-class-pixels.h"

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  6u
#define HEIGHT 4u

/* 0 nothing, 1 left, 2 right, 7 one pixel. */
static void
fill (guint8 *pixels)
{
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      pixels[y * WIDTH + x] = y == 0 ? 0 : x < 3 ? 1 : 2;
  pixels[2 * WIDTH + 4] = 7;
}

static char *
write_envi (const char *folder, const char *extra)
{
  guint8 pixels[WIDTH * HEIGHT];
  g_autofree char *header = es_test_header (WIDTH, HEIGHT, 1, 1, "bsq", 0, extra);
  char *path;

  fill (pixels);
  g_free (es_test_write_text (folder, "map.hdr", header));
  path = es_test_write (folder, "map.img", pixels, sizeof pixels);
  return path;
}

static void
assert_class (EsClassTable *classes, guint i, gint64 value, const char *name, guint32 colour)
{
  const EsClass *class = es_class_table_get (classes, i);
  g_autofree char *shown = es_class_table_name (classes, value);

  g_assert_cmpint (class->value, ==, value);
  g_assert_cmpstr (shown, ==, name);
  g_assert_cmpuint (class->colour, ==, colour);
}

static guint64
pixels_of (GArray *counts, gint64 value)
{
  for (guint i = 0; i < counts->len; i++)
    if (g_array_index (counts, EsClassCount, i).value == value)
      return g_array_index (counts, EsClassCount, i).pixels;
  return G_MAXUINT64;
}

static void
test_envi (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_envi (folder, "file type = ENVI Classification\nclasses = 3\n"
                                              "class names = {Unclassified, Water, Dry land}\n"
                                              "class lookup = {0, 0, 0, 0, 80, 200, 120, 90, 30}\n");
  g_autoptr (EsCube) cube = es_test_open (path);
  EsClassTable *classes = es_cube_get_classes (cube);
  g_autofree char *described = es_dataset_describe (ES_DATASET (cube));
  guint64 missing = 99;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) counts = NULL;

  g_assert_nonnull (classes);
  g_assert_cmpuint (es_class_table_get_n (classes), ==, 3);
  assert_class (classes, 0, 0, "Unclassified", 0);
  assert_class (classes, 1, 1, "Water", 0x0050c8);
  assert_class (classes, 2, 2, "Dry land", 0x785a1e);
  g_assert_nonnull (strstr (described, "3 classes"));
  g_assert_cmpuint (es_cube_get_n_good_bands (cube), ==, 1);
  counts = es_class_count_pixels (cube, &missing, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (counts->len, ==, 4);
  g_assert_cmpuint (pixels_of (counts, 0), ==, 6);
  g_assert_cmpuint (pixels_of (counts, 1), ==, 9);
  g_assert_cmpuint (pixels_of (counts, 2), ==, 8);
  g_assert_cmpuint (pixels_of (counts, 7), ==, 1);
  g_assert_false (g_array_index (counts, EsClassCount, 3).listed);
  g_assert_cmpuint (missing, ==, 0);
}

/* Fewer names than classes, colours out of range and too few, numbers of classes that are none. */
static void
test_envi_damaged (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new (), other = es_test_folder_new (), third = es_test_folder_new ();
  g_autofree char *path = write_envi (folder, "file type = ENVI Classification\nclasses = 4\nclass names = {a, b}\n"
                                              "class lookup = {0, 0, 0, 300, -5, 20}\n");
  g_autofree char *bare = write_envi (other, "file type = ENVI Classification\n");
  g_autofree char *odd = write_envi (third, "file type = ENVI Classification\nclasses = 99999999\n"
                                            "class names = {x, y, z}\nclass lookup = {1, 2, red}\n");
  g_autoptr (EsCube) cube = es_test_open (path), without = es_test_open (bare), strange = es_test_open (odd);
  EsClassTable *classes = es_cube_get_classes (cube);
  g_autofree char *name = NULL;

  g_assert_cmpuint (es_class_table_get_n (classes), ==, 4);
  assert_class (classes, 1, 1, "b", 0xff0014);
  name = es_class_table_name (classes, 3);
  g_assert_cmpstr (name, ==, "class 3");
  g_assert_true (es_test_has_note (cube, "2 of 4 classes have a name"));
  g_assert_true (es_test_has_note (cube, "2 of 4 classes have a colour"));
  g_assert_true (es_test_has_note (cube, "not within 0 to 255"));
  /* Those that were given one tell apart. */
  g_assert_cmpuint (es_class_table_colour (classes, 2), !=, es_class_table_colour (classes, 3));
  g_assert_cmpuint (es_class_table_get_n (es_cube_get_classes (without)), ==, 0);
  g_assert_cmpuint (es_class_table_get_n (es_cube_get_classes (strange)), ==, 3);
  g_assert_true (es_test_has_note (strange, "99999999"));
  g_assert_true (es_test_has_note (strange, "class lookup"));
}

static void
create (const char *path, GDALDataType type, GDALDatasetH *tiff, GDALRasterBandH *band)
{
  guint8 pixels[WIDTH * HEIGHT];

  GDALAllRegister ();
  fill (pixels);
  *tiff = GDALCreate (GDALGetDriverByName ("GTiff"), path, WIDTH, HEIGHT, 1, type, NULL);
  *band = GDALGetRasterBand (*tiff, 1);
  g_assert_cmpint (GDALRasterIO (*band, GF_Write, 0, 0, WIDTH, HEIGHT, pixels, WIDTH, HEIGHT, GDT_Byte, 0, 0), ==,
                   CE_None);
}

static void
test_tiff (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "cover.tif", NULL);
  const GDALColorEntry colours[] = { { 0, 0, 0, 255 }, { 10, 20, 30, 255 }, { 200, 100, 50, 255 } };
  GDALColorTableH table = GDALCreateColorTable (GPI_RGB);
  char **names = NULL;
  GDALDatasetH tiff;
  GDALRasterBandH band;
  guint64 missing = 0;

  create (path, GDT_Byte, &tiff, &band);
  for (guint i = 0; i < G_N_ELEMENTS (colours); i++)
    GDALSetColorEntry (table, (int) i, &colours[i]);
  GDALSetRasterColorTable (band, table);
  GDALDestroyColorTable (table);
  names = CSLAddString (CSLAddString (CSLAddString (names, "none"), "Sea"), "Land");
  GDALSetRasterCategoryNames (band, names);
  CSLDestroy (names);
  GDALSetRasterNoDataValue (band, 0);
  GDALClose (tiff);

  g_autoptr (EsCube) cube = es_test_open (path);
  EsClassTable *classes = es_cube_get_classes (cube);
  g_autoptr (GArray) counts = es_class_count_pixels (cube, &missing, NULL, NULL);

  g_assert_nonnull (classes);
  g_assert_cmpuint (es_class_table_get_n (classes), ==, 3);
  assert_class (classes, 1, 1, "Sea", 0x0a141e);
  assert_class (classes, 2, 2, "Land", 0xc86432);
  g_assert_cmpuint (missing, ==, 6);
  g_assert_cmpuint (pixels_of (counts, 0), ==, 0);
  g_assert_cmpuint (pixels_of (counts, 2), ==, 8);
}

/* What is told of a classification beside its file leaves it one, but for what makes other numbers of its samples. */
static void
test_told (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_envi (folder, "file type = ENVI Classification\nclasses = 3\n"
                                              "class names = {none, Sea, Land}\n");
  g_autoptr (EsCube) cube = es_test_open (path);
  g_autoptr (EsMetadata) none = es_metadata_from_line ("{\"no-data\": 0, \"band-names\": [\"cover\"]}", 1, NULL);
  g_autoptr (EsMetadata) scale = es_metadata_from_line ("{\"scale\": 0.5}", 1, NULL);
  g_autoptr (EsCube) told = es_cube_with_metadata (cube, none, NULL);
  g_autoptr (EsCube) scaled = es_cube_with_metadata (told, scale, NULL);
  g_autoptr (GArray) counts = es_class_count_pixels (told, NULL, NULL, NULL);

  assert_class (es_cube_get_classes (told), 2, 2, "Land", es_class_table_colour (es_cube_get_classes (cube), 2));
  g_assert_cmpuint (pixels_of (counts, 0), ==, 0);
  g_assert_cmpuint (pixels_of (counts, 1), ==, 9);
  g_assert_null (es_cube_get_classes (scaled));
  g_clear_object (&cube);
  g_assert_cmpuint (es_class_table_get_n (es_cube_get_classes (told)), ==, 3);
}

/* Numbers that float32 takes for one are not counted as one. */
static void
test_large_values (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "parcels.tif", NULL);
  GDALRasterAttributeTableH table = GDALCreateRasterAttributeTable ();
  g_autoptr (GError) error = NULL;
  guint32 pixel = 16777217;
  GDALDatasetH tiff;
  GDALRasterBandH band;

  create (path, GDT_UInt32, &tiff, &band);
  g_assert_cmpint (GDALRasterIO (band, GF_Write, 1, 2, 1, 1, &pixel, 1, 1, GDT_UInt32, 0, 0), ==, CE_None);
  GDALRATCreateColumn (table, "Value", GFT_Integer, GFU_MinMax);
  GDALRATCreateColumn (table, "Name", GFT_String, GFU_Name);
  GDALRATSetRowCount (table, 1);
  GDALRATSetValueAsInt (table, 0, 0, 16777216);
  GDALRATSetValueAsString (table, 0, 1, "another");
  GDALSetDefaultRAT (band, table);
  GDALDestroyRasterAttributeTable (table);
  GDALClose (tiff);

  g_autoptr (EsCube) cube = es_test_open (path);
  g_assert_null (es_class_count_pixels (cube, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "column 1, row 2"));
  g_assert_null (es_class_table_find_sample (es_cube_get_classes (cube), 16777216));
}

/* What is too long for a name is cut. */
static void
test_long_name (void)
{
  g_autoptr (EsClassTable) classes = es_class_table_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *name = NULL;

  for (guint i = 0; i < 100000; i++)
    g_string_append (text, "名");
  es_class_table_set (classes, 3, text->str, NULL);
  name = es_class_table_name (classes, 3);
  g_assert_cmpint (g_utf8_strlen (name, -1), ==, 200);
  g_assert_true (g_str_has_suffix (name, "名…"));
}

/* Values and names by a table of attributes, in any order. */
static void
test_attributes (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "kinds.tif", NULL);
  GDALRasterAttributeTableH table = GDALCreateRasterAttributeTable ();
  static const int values[] = { 7, 2, 1 };
  static const char * const names[] = { "Seven", "Two", "One" };
  GDALDatasetH tiff;
  GDALRasterBandH band;

  create (path, GDT_Int16, &tiff, &band);
  GDALRATCreateColumn (table, "Value", GFT_Integer, GFU_MinMax);
  GDALRATCreateColumn (table, "Name", GFT_String, GFU_Name);
  GDALRATCreateColumn (table, "R", GFT_Integer, GFU_Red);
  GDALRATCreateColumn (table, "G", GFT_Integer, GFU_Green);
  GDALRATCreateColumn (table, "B", GFT_Integer, GFU_Blue);
  for (int i = 0; i < 3; i++)
    {
      GDALRATSetValueAsInt (table, i, 0, values[i]);
      GDALRATSetValueAsString (table, i, 1, names[i]);
      for (int c = 0; c < 3; c++)
        GDALRATSetValueAsInt (table, i, 2 + c, 300 * (i == 0) + 10 * i + c);
    }
  GDALSetDefaultRAT (band, table);
  GDALDestroyRasterAttributeTable (table);
  GDALClose (tiff);

  g_autoptr (EsCube) cube = es_test_open (path);
  EsClassTable *classes = es_cube_get_classes (cube);

  g_assert_nonnull (classes);
  g_assert_cmpuint (es_class_table_get_n (classes), ==, 3);
  assert_class (classes, 0, 1, "One", 0x141516);
  assert_class (classes, 1, 2, "Two", 0x0a0b0c);
  assert_class (classes, 2, 7, "Seven", 0xffffff);
  g_assert_null (es_class_table_find_sample (classes, 1.5));
  g_assert_null (es_class_table_find_sample (classes, NAN));
  g_assert_nonnull (es_class_table_find_sample (classes, 7));
}

/* A raster of one band that says nothing of classes is measured. */
static void
test_plain (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "height.tif", NULL);
  GDALDatasetH tiff;
  GDALRasterBandH band;
  guint rgb[3];

  create (path, GDT_Float32, &tiff, &band);
  GDALClose (tiff);
  g_autoptr (EsCube) cube = es_test_open (path);

  g_assert_null (es_cube_get_classes (cube));
  g_assert_cmpuint (es_cube_get_bands (cube), ==, 1);
  es_cube_pick_rgb (cube, rgb);
  g_assert_cmpuint (rgb[0] + rgb[1] + rgb[2], ==, 0);
}

static guint32
colour_of (const guint8 *entries, gint64 first, guint n, gint64 value)
{
  const guint8 *entry = entries + 4 * (gsize) (value >= first && value < first + n ? (guint) (value - first) : n);

  return (guint32) entry[0] << 16 | (guint32) entry[1] << 8 | entry[2];
}

static void
test_palette (void)
{
  static const guint sizes[] = { 0, 1, 2, 100, 256, 300, 5000 };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (guint stride = 1; stride < 4; stride += 2)
      {
        g_autoptr (EsClassTable) classes = es_class_table_new ();
        g_autofree guint8 *entries = NULL;
        gint64 first;
        guint n;

        for (guint i = sizes[s]; i > 0; i--)
          {
            const guint32 colour = i * 2654435761u >> 8;
            g_assert_true (es_class_table_set (classes, (gint64) (i - 1) * stride - 5, NULL, &colour));
          }
        entries = es_class_table_make_palette (classes, &first, &n);
        g_assert_cmpuint (n, ==, sizes[s] > 0 ? (sizes[s] - 1) * stride + 1 : 0);
        for (guint i = 0; i < sizes[s]; i++)
          g_assert_cmpuint (colour_of (entries, first, n, (gint64) i * stride - 5), ==,
                            es_class_table_colour (classes, (gint64) i * stride - 5));
        /* What is not listed looks like none of them. */
        g_assert_cmpuint (colour_of (entries, first, n, -6), ==, ES_CLASS_UNLISTED);
        g_assert_cmpuint (colour_of (entries, first, n, (gint64) sizes[s] * stride - 4), ==, ES_CLASS_UNLISTED);
        if (stride == 3 && sizes[s] > 1)
          g_assert_cmpuint (colour_of (entries, first, n, -4), ==, ES_CLASS_UNLISTED);
      }
}

/* Values as far apart as they can be: no size is believed. */
static void
test_palette_far (void)
{
  g_autoptr (EsClassTable) classes = es_class_table_new ();
  g_autofree guint8 *entries = NULL;
  const guint32 red = 0xff0000;
  gint64 first;
  guint n;

  es_class_table_set (classes, G_MININT64, "least", &red);
  es_class_table_set (classes, G_MAXINT64, "most", &red);
  entries = es_class_table_make_palette (classes, &first, &n);
  g_assert_cmpuint (n, <=, ES_CLASS_TABLE_MOST);
}

/* ---- as the classes of a cube ---- */

typedef struct
{
  gboolean done, ok;
  GError  *error;
} Added;

static void
on_added (GObject *source, GAsyncResult *result, gpointer data)
{
  Added *added = data;

  added->ok = es_region_set_load_finish (ES_REGION_SET (source), result, &added->error);
  added->done = TRUE;
}

static void
add_classes (EsCube *cube, EsCube *classification, GFile *file, Added *added)
{
  *added = (Added) { 0 };
  es_region_set_add_classes_async (es_dataset_get_regions (ES_DATASET (cube)), classification, file, NULL, on_added,
                                   added);
  while (!added->done)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_regions (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new (), second = es_test_folder_new (), third = es_test_folder_new ();
  g_autofree char *map = write_envi (folder, "file type = ENVI Classification\nclasses = 3\n"
                                             "class names = {Unclassified, Water, Dry land}\n"
                                             "class lookup = {0, 0, 0, 0, 80, 200, 0, 0, 0}\n");
  g_autofree char *same = es_test_write_envi (second, ESK_I16, "bil", FALSE, WIDTH, HEIGHT, 3, "");
  g_autofree char *larger = es_test_write_envi (third, ESK_I16, "bil", FALSE, WIDTH + 1, HEIGHT, 3, "");
  g_autoptr (EsCube) classification = es_test_open (map), cube = es_test_open (same), other = es_test_open (larger);
  g_autoptr (GFile) file = g_file_new_for_path (map);
  GListModel *set = G_LIST_MODEL (es_dataset_get_regions (ES_DATASET (cube)));
  g_autoptr (EsNamedRegion) water = NULL, land = NULL, seven = NULL;
  guint8 mask[WIDTH * HEIGHT], pixels[WIDTH * HEIGHT];
  Added added;

  add_classes (cube, classification, NULL, &added);
  g_assert_no_error (added.error);
  g_assert_true (added.ok);
  /* What is not classified is no class. */
  g_assert_cmpuint (g_list_model_get_n_items (set), ==, 3);
  water = g_list_model_get_item (set, 0);
  land = g_list_model_get_item (set, 1);
  seven = g_list_model_get_item (set, 2);
  g_assert_cmpstr (es_named_region_get_name (water), ==, "Water");
  g_assert_cmpuint (es_named_region_get_colour (water), ==, 0x0050c8);
  g_assert_cmpuint (es_named_region_get_count (water), ==, 9);
  g_assert_cmpstr (es_named_region_get_name (land), ==, "Dry land");
  g_assert_cmpuint (es_named_region_get_count (land), ==, 8);
  g_assert_cmpstr (es_named_region_get_name (seven), ==, "class 7");
  fill (pixels);
  es_region_fill_mask (es_named_region_get_region (land), 0, 0, WIDTH, HEIGHT, mask);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_true ((mask[i] != 0) == (pixels[i] == 2));

  /* The same by its file; and of another size, nothing. */
  add_classes (cube, NULL, file, &added);
  g_assert_no_error (added.error);
  g_assert_cmpuint (g_list_model_get_n_items (set), ==, 6);
  add_classes (other, classification, NULL, &added);
  g_assert_false (added.ok);
  g_assert_error (added.error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE);
  g_assert_nonnull (strstr (added.error->message, "6 × 4"));
  g_assert_nonnull (strstr (added.error->message, "7 × 4"));
  g_clear_error (&added.error);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (es_dataset_get_regions (ES_DATASET (other)))), ==, 0);
}

/* Measured numbers are no classes. */
static void
test_no_classes (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree float *values = g_new (float, 60 * 40);
  g_autofree char *header = es_test_header (60, 40, 1, 4, "bsq", 0, ""), *path = NULL;
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 60 * 40; i++)
    values[i] = (float) i + 0.25f;
  g_free (es_test_write_text (folder, "heights.hdr", header));
  path = es_test_write (folder, "heights.img", values, 60 * 40 * sizeof (float));
  g_autoptr (EsCube) cube = es_test_open (path);

  g_assert_null (es_class_count_pixels (cube, NULL, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "whole numbers"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/classes/envi", test_envi);
  g_test_add_func ("/classes/envi-damaged", test_envi_damaged);
  g_test_add_func ("/classes/tiff", test_tiff);
  g_test_add_func ("/classes/told", test_told);
  g_test_add_func ("/classes/large-values", test_large_values);
  g_test_add_func ("/classes/long-name", test_long_name);
  g_test_add_func ("/classes/attributes", test_attributes);
  g_test_add_func ("/classes/plain", test_plain);
  g_test_add_func ("/classes/palette", test_palette);
  g_test_add_func ("/classes/palette-far", test_palette_far);
  g_test_add_func ("/classes/regions", test_regions);
  g_test_add_func ("/classes/no-classes", test_no_classes);
  return g_test_run ();
}
