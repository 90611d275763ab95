/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "es-fuzz.h"
#include "raw/es-raw-glimpse.h"

/* The first line is what a person tells of a raw cube: width, height, bands, offset, type, "big" or "little", "bsq",
 * "bil" or "bip". The bytes behind it are the file, whose shapes are proposed as well. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *stop = memchr (data, '\n', size);
  unsigned long long width = 0, height = 0, bands = 0, offset = 0;
  char type[16] = "", order[8] = "", layout[8] = "";
  EsOpenOptions options;
  EsRawShape shape = { 0 };

  if (stop == NULL || stop - data > 200)
    return 0;
  g_autofree char *line = g_strndup ((const char *) data, (gsize) (stop - data));
  if (sscanf (line, "%llu %llu %llu %llu %15s %7s %7s", &width, &height, &bands, &offset, type, order, layout) < 3)
    return 0;
  shape = (EsRawShape) { .width = width, .height = height, .bands = bands, .offset = offset };
  shape.type = g_utf8_validate (type, -1, NULL) ? type : NULL;
  shape.big_endian = strcmp (order, "big") == 0;
  es_interleave_find (layout, &shape.interleave);

  g_autofree char *path = es_fuzz_write ("x.raw", stop + 1, size - (gsize) (stop + 1 - data));
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (EsRawGlimpse) glimpse = es_raw_glimpse_new (file, &shape, bands / 2, 16, NULL, NULL);
  g_autoptr (GArray) shapes = NULL;

  if (size < 2000)
    shapes = es_raw_shapes_propose_file (file, &shape, (EsRawFields) (width + height) & 0x3f, NULL, NULL);
  for (guint i = 0; shapes != NULL && i < shapes->len; i++)
    {
      g_autofree char *described = es_raw_shape_describe (&g_array_index (shapes, EsRawShape, i));
      g_assert_true (g_utf8_validate (described, -1, NULL));
    }
  es_raw_shape_to_options (&shape, &options);
  if (options.samples.bands > 0)
    es_fuzz_open (path, &options);
  return 0;
}
