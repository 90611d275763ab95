/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-cubes.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "readers/es-open.h"

char *
es_test_folder_new (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("eigenscope-readers-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

void
es_test_folder_free (char *folder)
{
  g_autoptr (GDir) directory = g_dir_open (folder, 0, NULL);
  const char *name;

  while (directory != NULL && (name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_remove (path);
    }
  g_rmdir (folder);
  g_free (folder);
}

char *
es_test_write (const char *folder, const char *name, const void *bytes, gsize length)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, bytes, (gssize) length, &error);
  g_assert_no_error (error);
  return path;
}

char *
es_test_write_text (const char *folder, const char *name, const char *text)
{
  return es_test_write (folder, name, text, strlen (text));
}

double
es_test_value (EskType type, guint64 x, guint64 y, guint64 band)
{
  double value = (double) ((x * 7 + y * 31 + band * 101) % 251);

  switch (type)
    {
    case ESK_U8:  return value;
    case ESK_I8:  return value - 125;
    case ESK_U16: return value * 261;
    case ESK_I16: return (value - 125) * 259;
    case ESK_U32: return value * 17000001;
    case ESK_I32: return (value - 125) * 16999999;
    case ESK_U64: return value * 35184372088831.0;
    case ESK_I64: return (value - 125) * 35184372088831.0;
    case ESK_F32: return (value - 125) * 0.375;
    case ESK_F64: return (value - 125) * 0.1;
    default:      g_assert_not_reached ();
    }
}

void
es_test_store (EskType type, double value, gboolean swapped, guint8 *bytes)
{
  union {
    guint8 u8; gint8 i8; guint16 u16; gint16 i16; guint32 u32; gint32 i32; guint64 u64; gint64 i64;
    float f32; double f64; guint8 bytes[8];
  } sample;
  gsize size = esk_type_size (type);

  switch (type)
    {
    case ESK_U8:  sample.u8 = (guint8) value;   break;
    case ESK_I8:  sample.i8 = (gint8) value;    break;
    case ESK_U16: sample.u16 = (guint16) value; break;
    case ESK_I16: sample.i16 = (gint16) value;  break;
    case ESK_U32: sample.u32 = (guint32) value; break;
    case ESK_I32: sample.i32 = (gint32) value;  break;
    case ESK_U64: sample.u64 = (guint64) value; break;
    case ESK_I64: sample.i64 = (gint64) value;  break;
    case ESK_F32: sample.f32 = (float) value;   break;
    case ESK_F64: sample.f64 = value;           break;
    default:      g_assert_not_reached ();
    }
  for (gsize i = 0; i < size; i++)
    bytes[i] = sample.bytes[swapped ? size - 1 - i : i];
}

double
es_test_tile_value (const EskTile *tile, guint64 x, guint64 y, guint64 band)
{
  union {
    guint8 u8; gint8 i8; guint16 u16; gint16 i16; guint32 u32; gint32 i32; guint64 u64; gint64 i64;
    float f32; double f64; guint8 bytes[8];
  } sample;
  gsize size = esk_type_size (tile->type);
  ptrdiff_t index = (ptrdiff_t) x * tile->column_stride + (ptrdiff_t) y * tile->row_stride +
                    (ptrdiff_t) band * tile->band_stride;
  const guint8 *bytes = (const guint8 *) tile->data + index * (ptrdiff_t) size;

  for (gsize i = 0; i < size; i++)
    sample.bytes[i] = bytes[tile->byte_swapped ? size - 1 - i : i];
  switch (tile->type)
    {
    case ESK_U8:  return sample.u8;
    case ESK_I8:  return sample.i8;
    case ESK_U16: return sample.u16;
    case ESK_I16: return sample.i16;
    case ESK_U32: return sample.u32;
    case ESK_I32: return sample.i32;
    case ESK_U64: return (double) sample.u64;
    case ESK_I64: return (double) sample.i64;
    case ESK_F32: return (double) sample.f32;
    case ESK_F64: return sample.f64;
    default:      g_assert_not_reached ();
    }
}

guint8 *
es_test_samples (EskType type, const char *interleave, gboolean swapped, guint64 width, guint64 height,
                 guint bands, gsize *length)
{
  gsize size = esk_type_size (type);
  guint8 *bytes = g_malloc (width * height * bands * size);

  for (guint64 y = 0; y < height; y++)
    for (guint64 x = 0; x < width; x++)
      for (guint b = 0; b < bands; b++)
        {
          guint64 index;

          if (g_str_equal (interleave, "bsq"))
            index = (b * height + y) * width + x;
          else if (g_str_equal (interleave, "bil"))
            index = (y * bands + b) * width + x;
          else
            index = (y * width + x) * bands + b;
          es_test_store (type, es_test_value (type, x, y, b), swapped, bytes + index * size);
        }
  *length = width * height * bands * size;
  return bytes;
}

char *
es_test_header (guint64 width, guint64 height, guint64 bands, int type_code, const char *interleave,
                int byte_order, const char *extra)
{
  return g_strdup_printf ("ENVI\n"
                          "description = {\n  written by a test}\n"
                          "samples = %" G_GUINT64_FORMAT "\n"
                          "lines   = %" G_GUINT64_FORMAT "\n"
                          "bands   = %" G_GUINT64_FORMAT "\n"
                          "file type = ENVI Standard\n"
                          "data type = %d\n"
                          "interleave = %s\n"
                          "byte order = %d\n"
                          "%s", width, height, bands, type_code, interleave, byte_order,
                          extra != NULL ? extra : "");
}

int
es_test_envi_code (EskType type)
{
  switch (type)
    {
    case ESK_U8:  return 1;
    case ESK_I16: return 2;
    case ESK_I32: return 3;
    case ESK_F32: return 4;
    case ESK_F64: return 5;
    case ESK_U16: return 12;
    case ESK_U32: return 13;
    case ESK_I64: return 14;
    case ESK_U64: return 15;
    default:      g_assert_not_reached ();
    }
}

char *
es_test_write_envi (const char *folder, EskType type, const char *interleave, gboolean swapped, guint64 width,
                    guint64 height, guint bands, const char *extra)
{
  gboolean big = swapped == (G_BYTE_ORDER == G_LITTLE_ENDIAN);
  gsize length;
  g_autofree guint8 *bytes = es_test_samples (type, interleave, swapped, width, height, bands, &length);
  g_autofree char *text = es_test_header (width, height, bands, es_test_envi_code (type), interleave, big,
                                          extra);
  g_autofree char *header = es_test_write_text (folder, "cube.hdr", text);

  return es_test_write (folder, "cube.img", bytes, length);
}

EsCube *
es_test_open_with (const char *path, const EsOpenOptions *options)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  EsDataset *dataset = es_dataset_open (file, options, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_CUBE (dataset));
  g_assert_cmpint (es_dataset_get_kind (dataset), ==, ES_DATASET_CUBE);
  return ES_CUBE (dataset);
}

EsCube *
es_test_open (const char *path)
{
  return es_test_open_with (path, NULL);
}

void
es_test_refused (const char *path, const EsOpenOptions *options, int code, ...)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = es_dataset_open (file, options, NULL, &error);
  const char *word;
  va_list words;

  g_assert_null (dataset);
  g_assert_error (error, ES_DATA_ERROR, code);
  g_test_message ("%s", error->message);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strchr (error->message, '\n'));
  va_start (words, code);
  while ((word = va_arg (words, const char *)) != NULL)
    if (strstr (error->message, word) == NULL)
      g_error ("“%s” does not mention “%s”", error->message, word);
  va_end (words);
}

static void
compare_window (EsCubeReader *reader, const EsCubeWindow *window, guint bands, EsTestExpected expected,
                gpointer data)
{
  g_autoptr (GError) error = NULL;
  EskTile tile;

  es_cube_reader_read (reader, window, &tile, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (tile.width, ==, window->width);
  g_assert_cmpuint (tile.height, ==, window->height);
  g_assert_cmpuint (tile.bands, ==, bands);
  for (guint64 y = 0; y < window->height; y++)
    for (guint64 x = 0; x < window->width; x++)
      for (guint b = 0; b < bands; b++)
        g_assert_cmpfloat (es_test_tile_value (&tile, x, y, b), ==,
                           expected (window->x + x, window->y + y, b, data));
}

static double
scaled (EsCube *cube, guint band, double stored)
{
  double no_data;

  if (es_cube_get_no_data (cube, band, &no_data) && stored == no_data)
    return NAN;
  return stored * es_cube_get_scale (cube, band) + es_cube_get_offset (cube, band);
}

static void
assert_same (double found, double wanted)
{
  if (isnan (wanted))
    g_assert_true (isnan (found));
  else
    g_assert_cmpfloat (found, ==, wanted);
}

static void
compare_band (EsCube *cube, guint band, const EsCubeWindow *window, guint step, EsTestExpected expected,
              gpointer data)
{
  guint64 columns = (window->width + step - 1) / step, rows = (window->height + step - 1) / step;
  g_autofree float *values = g_new (float, columns * rows + 1);
  g_autoptr (GError) error = NULL;

  values[columns * rows] = 4711;
  es_cube_read_band (cube, band, window->x, window->y, window->width, window->height, step, values, NULL,
                     &error);
  g_assert_no_error (error);
  for (guint64 y = 0; y < rows; y++)
    for (guint64 x = 0; x < columns; x++)
      assert_same (values[y * columns + x],
                   (float) scaled (cube, band,
                                   expected (window->x + x * step, window->y + y * step, band, data)));
  g_assert_cmpfloat (values[columns * rows], ==, 4711);
}

void
es_test_compare (EsCube *cube, EsTestExpected expected, gpointer data)
{
  guint64 width = es_cube_get_width (cube), height = es_cube_get_height (cube);
  guint bands = es_cube_get_bands (cube);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsCubeReader) reader = es_cube_reader_new (cube, &error);
  g_autofree double *spectrum = g_new (double, bands);
  const EsCubeWindow windows[] = {
    { 0, 0, width, height },                                     /* everything */
    { 0, height / 3, width, (height + 1) / 2 },                  /* whole rows */
    { width / 3, height / 4, (width + 2) / 3, MAX (1, (height + 1) / 3) },
    { width - 1, height - 1, 1, 1 },
    { width / 2, 0, 1, height },                                 /* a column */
    { 0, height / 2, width, 1 },
  };

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (windows); i++)
    {
      compare_window (reader, &windows[i], bands, expected, data);
      for (guint step = 1; step <= 4; step++)
        compare_band (cube, (i * 3 + step) % bands, &windows[i], step, expected, data);
    }
  for (guint64 i = 0; i < 5; i++)
    {
      guint64 x = i * (width - 1) / 4, y = (4 - i) * (height - 1) / 4;

      es_cube_read_spectrum (cube, x, y, spectrum, &error);
      g_assert_no_error (error);
      for (guint b = 0; b < bands; b++)
        assert_same (spectrum[b], scaled (cube, b, expected (x, y, b, data)));
    }
}

gboolean
es_test_has_note (EsCube *cube, const char *words)
{
  const char * const *notes = es_dataset_get_notes (ES_DATASET (cube));

  for (; notes != NULL && *notes != NULL; notes++)
    if (strstr (*notes, words) != NULL)
      return TRUE;
  return FALSE;
}

static double
int16_value (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (ESK_I16, x, y, band);
}

static gpointer
read_all_the_time (gpointer data)
{
  for (guint i = 0; i < 3; i++)
    es_test_compare (data, int16_value, NULL);
  return NULL;
}

void
es_test_read_in_threads (EsCube *cube)
{
  GThread *threads[4];

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("reader", read_all_the_time, cube);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}
