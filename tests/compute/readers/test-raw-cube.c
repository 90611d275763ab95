/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes that a person describes: every sample, what does not fit, the header that is written beside them. */

#include "base/es-error.h"
#include "es-test-cubes.h"
#include "raw/es-raw-glimpse.h"
#include "raw/es-raw-shapes.h"
#include "readers/es-open-input-internal.h"
#include "readers/es-open-words-internal.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

typedef char TestFolder;
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestFolder, es_test_folder_free)

#define WIDTH  13u
#define HEIGHT 7u
#define BANDS  5u

static const struct { EskType type; const char *name; } types[] = {
  { ESK_U8, "uint8" }, { ESK_I16, "int16" }, { ESK_U16, "uint16" }, { ESK_I32, "int32" }, { ESK_U32, "uint32" },
  { ESK_F32, "float32" }, { ESK_F64, "float64" },
};

static double
expected (guint64 x, guint64 y, guint band, gpointer data)
{
  return es_test_value (*(EskType *) data, x, y, band);
}

/* A header of `offset` bytes, the samples, and `left` bytes behind them. */
static char *
write_raw (const char *folder, EskType type, const char *layout, gboolean swapped, gsize offset, gsize left)
{
  gsize length;
  g_autofree guint8 *samples = es_test_samples (type, layout, swapped, WIDTH, HEIGHT, BANDS, &length);
  g_autofree guint8 *bytes = g_malloc (offset + length + left);

  memset (bytes, 0xa5, offset + length + left);
  memcpy (bytes + offset, samples, length);
  return es_test_write (folder, "scene.xyz", bytes, offset + length + left);
}

static void
test_samples (void)
{
  static const char * const layouts[] = { "bsq", "bil", "bip" };

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint l = 0; l < 3; l++)
      {
        const gboolean swapped = (t + l) % 2 == 1 && types[t].type != ESK_U8;
        const gsize offset = t % 3 == 0 ? 37 : 0;
        g_autoptr (TestFolder) folder = es_test_folder_new ();
        g_autofree char *path = write_raw (folder, types[t].type, layouts[l], swapped, offset, l == 2 ? 3 : 0);
        EskType type = types[t].type;
        EsOpenOptions options, again;
        EsRawShape shape = {
          .width = WIDTH, .height = HEIGHT, .bands = BANDS, .offset = offset, .type = types[t].name,
          .interleave = (EsInterleave) l, .big_endian = swapped != (G_BYTE_ORDER == G_BIG_ENDIAN),
        };
        g_autoptr (EsCube) cube = NULL;
        g_auto (GStrv) words = NULL;

        es_raw_shape_to_options (&shape, &options);
        cube = es_test_open_with (path, &options);
        g_assert_cmpuint (es_cube_get_width (cube), ==, WIDTH);
        g_assert_cmpuint (es_cube_get_bands (cube), ==, BANDS);
        g_assert_cmpstr (es_cube_get_type_name (cube), ==, types[t].name);
        es_test_compare (cube, expected, &type);
        g_assert_true (es_test_has_note (cube, "3 bytes are left over") == (l == 2));
        /* As the helper of rehearsals would be told. */
        words = es_open_words_new (&options);
        g_assert_true (es_open_words_read ((const char * const *) words, &again));
        g_assert_cmpuint (again.samples.bands, ==, BANDS);
        g_assert_cmpint (again.samples.interleave, ==, l);
      }
}

/* What result.json and sessions keep of it opens it again, and a command line says it. */
static void
test_again (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_raw (folder, ESK_U16, "bip", TRUE, 11, 0), *other = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path);
  EskType type = ESK_U16;
  const EsRawShape shape = { .width = WIDTH, .height = HEIGHT, .bands = BANDS, .offset = 11, .type = "uint16",
                             .interleave = ES_INTERLEAVE_BIP, .big_endian = G_BYTE_ORDER == G_LITTLE_ENDIAN };
  EsRawShape otherwise = shape;
  EsOpenOptions options;
  g_autoptr (EsCube) cube = NULL, changed = NULL;
  g_autoptr (EsDataset) again = NULL;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GString) line = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  es_raw_shape_to_options (&shape, &options);
  cube = es_test_open_with (path, &options);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  json_builder_add_string_value (builder, path);
  _es_dataset_add_input (ES_DATASET (cube), builder);
  json_builder_end_object (builder);
  node = json_builder_get_root (builder);
  again = _es_dataset_open_input (json_node_get_object (node), NULL, &error);
  g_assert_no_error (error);
  es_test_compare (ES_CUBE (again), expected, &type);
  g_assert_cmpstr (es_dataset_get_identity (again), ==, es_dataset_get_identity (ES_DATASET (cube)));

  _es_dataset_append_input (ES_DATASET (cube), line);
  g_assert_cmpstr (line->str, ==, G_BYTE_ORDER == G_LITTLE_ENDIAN
                   ? " --width 13 --height 7 --raw-bands 5 --type uint16 --layout bip --byte-order big --offset 11"
                   : " --width 13 --height 7 --raw-bands 5 --type uint16 --layout bip --offset 11");

  /* Other numbers of the same bytes are other data. */
  otherwise.interleave = ES_INTERLEAVE_BIL;
  es_raw_shape_to_options (&otherwise, &options);
  changed = es_test_open_with (path, &options);
  g_assert_cmpstr (es_dataset_get_identity (ES_DATASET (changed)), !=, es_dataset_get_identity (ES_DATASET (cube)));
}

static void
assert_refused (const EsRawShape *shape, guint64 size, int code, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (es_raw_shape_check (shape, size, "x.raw", NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_nonnull (strstr (error->message, "x.raw"));
  g_assert_null (strchr (error->message, '\n'));
}

static void
test_refused (void)
{
  const EsRawShape good = { .width = 4, .height = 3, .bands = 2, .type = "int16" };
  EsRawShape shape = good;
  guint64 left = 99;
  g_autofree char *tail = NULL, *rows = NULL;
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *empty = es_test_write (folder, "empty.raw", "", 0);
  g_autoptr (GFile) file = g_file_new_for_path (empty);
  g_autoptr (GError) error = NULL;
  EsOpenOptions options;

  g_assert_true (es_raw_shape_check (&good, 48, "x.raw", &left, NULL));
  g_assert_cmpuint (left, ==, 0);
  g_assert_null (es_raw_shape_tell_left (&good, 48));
  assert_refused (&good, 47, ES_DATA_ERROR_TRUNCATED, "47");
  assert_refused (&good, 0, ES_DATA_ERROR_TRUNCATED, "48");
  shape.offset = 1;
  assert_refused (&shape, 48, ES_DATA_ERROR_TRUNCATED, "49");
  shape.offset = G_MAXUINT64 - 10;
  assert_refused (&shape, 48, ES_DATA_ERROR_SIZE, "4 × 3 × 2");
  shape = good;
  shape.type = "int24";
  assert_refused (&shape, 48, ES_DATA_ERROR_UNSUPPORTED, "int24");
  shape.type = NULL;
  assert_refused (&shape, 48, ES_DATA_ERROR_UNSUPPORTED, "uint8");
  shape = good;
  shape.width = 0;
  assert_refused (&shape, 48, ES_DATA_ERROR_SIZE, "0 × 3 × 2");
  shape = (EsRawShape) { .width = G_MAXINT, .height = G_MAXINT, .bands = 65535, .type = "float64" };
  assert_refused (&shape, 48, ES_DATA_ERROR_SIZE, "65535");
  shape = good;
  shape.bands = 65536;
  assert_refused (&shape, 48, ES_DATA_ERROR_SIZE, "65536");

  /* A type that does not divide what is there. */
  tail = es_raw_shape_tell_left (&good, 49);
  g_assert_cmpstr (tail, ==, "1 byte is left over behind the last sample.");
  shape = good;
  shape.interleave = ES_INTERLEAVE_BIL;
  rows = es_raw_shape_tell_left (&shape, 48 + 32);
  g_assert_cmpstr (rows, ==, "32 bytes are left over, 2 rows more.");

  es_raw_shape_to_options (&good, &options);
  es_test_refused (empty, &options, ES_DATA_ERROR_FORMAT, "empty.raw", "empty", NULL);
  g_assert_null (es_raw_shapes_propose_file (file, NULL, 0, NULL, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT);
}

static void
test_header (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree char *path = write_raw (folder, ESK_I32, "bil", TRUE, 24, 0), *text = NULL, *beside = NULL;
  g_autoptr (GFile) file = g_file_new_for_path (path), place = NULL;
  EskType type = ESK_I32;
  const EsRawShape shape = { .width = WIDTH, .height = HEIGHT, .bands = BANDS, .offset = 24, .type = "int32",
                             .interleave = ES_INTERLEAVE_BIL, .big_endian = G_BYTE_ORDER == G_LITTLE_ENDIAN };
  g_autoptr (EsCube) cube = NULL;
  g_autoptr (GError) error = NULL;

  es_test_refused (path, NULL, ES_DATA_ERROR_FORMAT, "scene.xyz", NULL);
  place = es_raw_header_place (file);
  g_assert_nonnull (place);
  g_assert_true (es_raw_header_write (file, &shape, &error));
  g_assert_no_error (error);
  cube = es_test_open (path);
  es_test_compare (cube, expected, &type);

  /* What is there stays, whatever it is. */
  g_assert_null (es_raw_header_place (file));
  g_assert_false (es_raw_header_write (file, &shape, &error));
  g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_WRITE);
  g_clear_error (&error);
  g_assert_cmpint (g_unlink (g_file_peek_path (place)), ==, 0);
  beside = es_test_write_text (folder, "scene.xyz.hdr", "notes of mine");
  g_assert_false (es_raw_header_write (file, &shape, NULL));
  g_assert_true (g_file_get_contents (beside, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "notes of mine");
}

/* The picture is the band, thinned, and the spectrum that of the middle. */
static void
test_glimpse (void)
{
  static const char * const layouts[] = { "bsq", "bil", "bip" };

  for (guint l = 0; l < 3; l++)
    {
      g_autoptr (TestFolder) folder = es_test_folder_new ();
      g_autofree char *path = write_raw (folder, ESK_I16, layouts[l], FALSE, 6, 5);
      g_autoptr (GFile) file = g_file_new_for_path (path);
      EsRawShape shape = { .width = WIDTH, .height = HEIGHT, .bands = BANDS, .offset = 6, .type = "int16",
                           .interleave = (EsInterleave) l, .big_endian = G_BYTE_ORDER == G_BIG_ENDIAN };
      g_autoptr (GError) error = NULL;
      g_autoptr (EsRawGlimpse) small = es_raw_glimpse_new (file, &shape, 3, 5, NULL, &error);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();

      g_assert_no_error (error);
      g_assert_cmpuint (small->step, ==, 3);
      g_assert_cmpuint (small->width, ==, 5);
      g_assert_cmpuint (small->height, ==, 3);
      for (guint y = 0; y < small->height; y++)
        for (guint x = 0; x < small->width; x++)
          g_assert_cmpfloat (small->values[y * small->width + x], ==, es_test_value (ESK_I16, 3 * x, 3 * y, 3));
      for (guint b = 0; b < BANDS; b++)
        g_assert_cmpfloat (small->spectrum[b], ==, es_test_value (ESK_I16, WIDTH / 2, HEIGHT / 2, b));
      g_assert_nonnull (strstr (small->left, "5 bytes"));

      shape.height = 1000;
      g_assert_null (es_raw_glimpse_new (file, &shape, 0, 5, NULL, &error));
      g_assert_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED);
      shape.height = HEIGHT;
      g_clear_error (&error);
      g_cancellable_cancel (cancellable);
      g_assert_null (es_raw_glimpse_new (file, &shape, 0, 5, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* Of noise it is said that it is none of a scene. */
static void
test_doubt (void)
{
  g_autoptr (TestFolder) folder = es_test_folder_new ();
  g_autofree guint8 *bytes = g_malloc (64 * 64 * 2);
  g_autofree char *path = NULL;
  g_autoptr (GFile) file = NULL;
  g_autoptr (EsRawGlimpse) glimpse = NULL, floats = NULL;
  const EsRawShape shape = { .width = 64, .height = 64, .bands = 1, .type = "uint16" };
  const EsRawShape as_float = { .width = 64, .height = 32, .bands = 1, .type = "float32" };
  guint32 state = 3;

  for (guint i = 0; i < 64 * 64 * 2; i++)
    bytes[i] = (guint8) ((state = state * 1664525u + 1013904223u) >> 24);
  path = es_test_write (folder, "noise", bytes, 64 * 64 * 2);
  file = g_file_new_for_path (path);
  glimpse = es_raw_glimpse_new (file, &shape, 0, 100, NULL, NULL);
  g_assert_nonnull (strstr (glimpse->doubt, "nothing in common"));
  floats = es_raw_glimpse_new (file, &as_float, 0, 100, NULL, NULL);
  g_assert_nonnull (strstr (floats->doubt, "Numbers that nothing measures"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raw/cube/samples", test_samples);
  g_test_add_func ("/raw/cube/again", test_again);
  g_test_add_func ("/raw/cube/refused", test_refused);
  g_test_add_func ("/raw/cube/header", test_header);
  g_test_add_func ("/raw/cube/glimpse", test_glimpse);
  g_test_add_func ("/raw/cube/doubt", test_doubt);
  return g_test_run ();
}
