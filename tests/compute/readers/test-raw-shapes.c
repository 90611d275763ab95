/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Cubes without their headers: the right shape has to be among the first that are proposed. */

#include "es-test-cubes.h"
#include "raw/es-raw-shapes.h"

#include <math.h>
#include <string.h>

/* Bytes in memory, as a file would be read; how much was read of it. */
typedef struct
{
  guint8 *bytes;
  gsize   n;
  guint64 taken;
} Memory;

static gboolean
read_memory (gpointer data, guint64 offset, gsize n, guint8 *buffer)
{
  Memory *memory = data;

  g_assert_cmpuint (offset, <=, memory->n);
  g_assert_cmpuint (n, <=, memory->n - offset);
  memcpy (buffer, memory->bytes + offset, n);
  memory->taken += n;
  return TRUE;
}

/* ---- a scene: patches of materials whose spectra are smooth, light and shade, noise ---- */

#define WIDTH  96u
#define HEIGHT 70u
#define BANDS  41u

static double
noise (guint32 *state)
{
  *state = *state * 1664525u + 1013904223u;
  return (*state >> 8) / (double) (1 << 24) - 0.5;
}

static double *
make_scene (void)
{
  double *values = g_new (double, WIDTH * HEIGHT * BANDS);
  guint32 state = 7;

  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      {
        const double light = 0.8 + 0.2 * sin (x * 0.07 + y * 0.03) + 0.1 * cos (y * 0.11 - x * 0.02);
        const guint kind = ((x + y / 2) / 17 + y / 13) % 3;

        for (guint b = 0; b < BANDS; b++)
          {
            const double t = b / (double) BANDS;
            const double of_kind = kind == 0 ? 0.2 + 0.5 * exp (-8 * (t - 0.6) * (t - 0.6))
                                   : kind == 1 ? 0.7 - 0.4 * t : 0.15 + 0.6 / (1 + exp (-25 * (t - 0.4)));

            values[(b * HEIGHT + y) * WIDTH + x] = light * of_kind * (1.3 - t) + 0.01 * noise (&state);
          }
      }
  return values;
}

static gsize
place_of (const char *interleave, guint x, guint y, guint b)
{
  return strcmp (interleave, "bil") == 0 ? (y * BANDS + b) * WIDTH + x
         : strcmp (interleave, "bip") == 0 ? (y * WIDTH + x) * BANDS + b : (b * HEIGHT + y) * WIDTH + x;
}

static void
store (Memory *memory, const double *scene, EskType type, const char *interleave, gboolean swapped, gsize offset)
{
  const gsize size = esk_type_size (type);
  const double scale = type == ESK_U8 ? 220 : type == ESK_F32 || type == ESK_F64 ? 1
                       : type == ESK_I32 || type == ESK_U32 ? 200000 : 9000;

  memory->n = offset + (gsize) WIDTH * HEIGHT * BANDS * size;
  memory->bytes = g_malloc0 (memory->n);
  memory->taken = 0;
  for (guint b = 0; b < BANDS; b++)
    for (guint y = 0; y < HEIGHT; y++)
      for (guint x = 0; x < WIDTH; x++)
        {
          double value = MAX (scene[(b * HEIGHT + y) * WIDTH + x], 0) * scale;

          if (type != ESK_F32 && type != ESK_F64)
            value = rint (MIN (value, type == ESK_U8 ? 255 : 1e9));
          es_test_store (type, value, swapped, memory->bytes + offset + place_of (interleave, x, y, b) * size);
        }
}

/* Integers without a sign's bit are the same numbers either way. */
static gboolean
is_same_type (const char *a, const char *b)
{
  return strcmp (a, b) == 0 || (g_str_has_suffix (a, "int16") && g_str_has_suffix (b, "int16"))
         || (g_str_has_suffix (a, "int32") && g_str_has_suffix (b, "int32"));
}

/* The place of the right one; -1: it is not there. */
static int
find_shape (GArray *shapes, const EsRawShape *right)
{
  for (guint i = 0; i < shapes->len; i++)
    {
      const EsRawShape *shape = &g_array_index (shapes, EsRawShape, i);

      if (shape->width == right->width && shape->height == right->height && shape->bands == right->bands
          && shape->offset == right->offset && shape->interleave == right->interleave
          && is_same_type (shape->type, right->type)
          && (es_raw_type_size (right->type) == 1 || shape->big_endian == right->big_endian))
        return (int) i;
    }
  return -1;
}

static const struct { EskType type; const char *name; } types[] = {
  { ESK_U8, "uint8" }, { ESK_I16, "int16" }, { ESK_U16, "uint16" }, { ESK_I32, "int32" }, { ESK_U32, "uint32" },
  { ESK_F32, "float32" }, { ESK_F64, "float64" },
};

/* Every type, layout and order, with a header of 512 bytes in front of some. */
static void
test_types (void)
{
  g_autofree double *scene = make_scene ();
  static const char * const layouts[] = { "bsq", "bil", "bip" };
  guint first = 0, three = 0, all = 0;

  for (guint t = 0; t < G_N_ELEMENTS (types); t++)
    for (guint l = 0; l < 3; l++)
      {
          const guint swapped = types[t].type != ESK_U8 ? (t + l) % 2 : 0;
          const gsize offset = (t + l + swapped) % 3 == 0 ? 512 : 0;
          const EsRawShape right = {
            .width = WIDTH, .height = HEIGHT, .bands = BANDS, .offset = offset, .type = types[t].name,
            .interleave = (EsInterleave) l,
            .big_endian = (swapped != 0) != (G_BYTE_ORDER == G_BIG_ENDIAN),
          };
          Memory memory;
          g_autoptr (GArray) shapes = NULL;
          int place;

          store (&memory, scene, types[t].type, layouts[l], swapped != 0, offset);
          shapes = es_raw_shapes_propose (read_memory, &memory, memory.n, NULL, 0, NULL);
          place = find_shape (shapes, &right);
          first += place == 0;
          three += place >= 0 && place < 3;
          all++;
          if (place != 0)
            g_test_message ("%s %s%s from %zu on: place %d", types[t].name, layouts[l], swapped ? ", swapped" : "",
                            offset, place);
          g_free (memory.bytes);
        }
  g_test_message ("first: %u, among three: %u of %u", first, three, all);
  g_assert_cmpuint (three * 20, >=, all * 18);
  g_assert_cmpuint (first * 10, >=, all * 8);
}

/* What a person tells stays; the rest is found. */
static void
test_told (void)
{
  g_autofree double *scene = make_scene ();
  const EsRawShape width = { .width = WIDTH }, two = { .width = WIDTH, .bands = BANDS, .type = "int16" };
  const EsRawShape odd = { .width = WIDTH + 1 };
  const EsRawShape right = { .width = WIDTH, .height = HEIGHT, .bands = BANDS, .type = "int16",
                             .interleave = ES_INTERLEAVE_BIL, .big_endian = G_BYTE_ORDER == G_BIG_ENDIAN };
  g_autoptr (GArray) by_width = NULL, by_two = NULL, by_odd = NULL;
  Memory memory;

  store (&memory, scene, ESK_I16, "bil", FALSE, 0);
  by_width = es_raw_shapes_propose (read_memory, &memory, memory.n, &width, ES_RAW_WIDTH, NULL);
  g_assert_cmpint (find_shape (by_width, &right), ==, 0);
  for (guint i = 0; i < by_width->len; i++)
    g_assert_cmpuint (g_array_index (by_width, EsRawShape, i).width, ==, WIDTH);
  by_two = es_raw_shapes_propose (read_memory, &memory, memory.n, &two, ES_RAW_WIDTH | ES_RAW_BANDS | ES_RAW_TYPE,
                                  NULL);
  g_assert_cmpint (find_shape (by_two, &right), ==, 0);
  for (guint i = 0; i < by_two->len; i++)
    {
      const EsRawShape *shape = &g_array_index (by_two, EsRawShape, i);

      g_assert_cmpuint (shape->width * shape->height * shape->bands * 2 + shape->offset, ==, memory.n);
      g_assert_cmpuint (shape->bands, ==, BANDS);
      g_assert_cmpstr (shape->type, ==, "int16");
    }
  /* 97 columns divide nothing of it, wherever it begins by habit. */
  by_odd = es_raw_shapes_propose (read_memory, &memory, memory.n, &odd, ES_RAW_WIDTH, NULL);
  for (guint i = 0; i < by_odd->len; i++)
    g_assert_cmpuint (g_array_index (by_odd, EsRawShape, i).width, ==, WIDTH + 1);
  g_free (memory.bytes);
}

/* One band by itself is a picture and no cube. */
static void
test_plane (void)
{
  g_autofree double *scene = make_scene ();
  const EsRawShape right = { .width = WIDTH, .height = HEIGHT, .bands = 1, .type = "float32",
                             .big_endian = G_BYTE_ORDER == G_BIG_ENDIAN };
  Memory memory = { .n = WIDTH * HEIGHT * 4 };
  g_autoptr (GArray) shapes = NULL;

  memory.bytes = g_malloc (memory.n);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    es_test_store (ESK_F32, (float) scene[10 * WIDTH * HEIGHT + i], FALSE, memory.bytes + 4 * i);
  shapes = es_raw_shapes_propose (read_memory, &memory, memory.n, NULL, 0, NULL);
  g_assert_cmpint (find_shape (shapes, &right), >=, 0);
  g_assert_cmpint (find_shape (shapes, &right), <, 3);
  g_free (memory.bytes);
}

/* A file of terabytes costs no more: all that is read are samples here and there. */
static gboolean
read_holes (gpointer data, guint64 offset, gsize n, guint8 *buffer)
{
  *(guint64 *) data += n;
  for (gsize i = 0; i < n; i++)
    buffer[i] = (guint8) ((offset + i) % 2 == 0 ? ((offset + i) / 2 % 640) / 3 : 4);
  return TRUE;
}

static void
test_huge (void)
{
  guint64 taken = 0;
  const guint64 size = (guint64) 640 * 100000 * 224 * 2;
  g_autoptr (GArray) shapes = es_raw_shapes_propose (read_holes, &taken, size, NULL, 0, NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();

  g_assert_nonnull (shapes);
  g_assert_cmpuint (taken, <, 1000u << 20);
  g_cancellable_cancel (cancellable);
  g_assert_null (es_raw_shapes_propose (read_holes, &taken, 1 << 20, NULL, 0, cancellable));
}

/* Nothing to go by: no crash, no division by nothing. */
static void
test_nothing (void)
{
  static guint8 zeros[4096], few[7] = { 1, 2, 3, 4, 5, 6, 7 };
  const gsize sizes[] = { 1, 2, 3, 7, 8, 63, 64, 511, 513, 4096 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      Memory memory = { zeros, sizes[i], 0 };
      g_autoptr (GArray) shapes = es_raw_shapes_propose (read_memory, &memory, memory.n, NULL, 0, NULL);

      g_assert_nonnull (shapes);
    }
  for (guint offset = 0; offset < 9; offset++)
    {
      Memory memory = { few, sizeof few, 0 };
      const EsRawShape told = { .offset = offset };
      g_autoptr (GArray) shapes = es_raw_shapes_propose (read_memory, &memory, memory.n, &told, ES_RAW_OFFSET, NULL);

      g_assert_nonnull (shapes);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/raw/shapes/types", test_types);
  g_test_add_func ("/raw/shapes/told", test_told);
  g_test_add_func ("/raw/shapes/plane", test_plane);
  g_test_add_func ("/raw/shapes/huge", test_huge);
  g_test_add_func ("/raw/shapes/nothing", test_nothing);
  return g_test_run ();
}
