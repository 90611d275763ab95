/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "es-fuzz.h"

/* The first line is what a person tells of a raw file: channels, rate, offset, type, "big" or "little", "interleaved"
 * or "by-channel". The bytes behind it are the file. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *stop = memchr (data, '\n', size);
  char type[16] = "", order[8] = "", layout[16] = "";
  unsigned long long offset = 0;
  EsOpenOptions options = { 0 };

  if (stop == NULL || stop - data > 200)
    return 0;
  g_autofree char *line = g_strndup ((const char *) data, (gsize) (stop - data));
  if (sscanf (line, "%u %lf %llu %15s %7s %15s", &options.samples.channels, &options.samples.rate, &offset, type, order,
              layout) < 2 || options.samples.channels == 0)
    return 0;
  options.samples.offset = offset;
  options.samples.type = g_utf8_validate (type, -1, NULL) ? type : NULL;
  options.samples.big_endian = strcmp (order, "big") == 0;
  options.samples.by_channel = strcmp (layout, "by-channel") == 0;

  g_autofree char *path = es_fuzz_write ("x.raw", stop + 1, size - (gsize) (stop + 1 - data));
  es_fuzz_open (path, &options);
  return 0;
}
