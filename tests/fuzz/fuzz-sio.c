/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-fuzz.h"

/* The bytes are a Scripps SIO file. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const EsOpenOptions options = { .samples = { .rate = 1000 } };

  /* 32677, which the format is known by, in either order. */
  if (size < 128 || (memcmp (data + 28, "\xa5\x7f\0\0", 4) != 0 && memcmp (data + 28, "\0\0\x7f\xa5", 4) != 0))
    return 0;
  g_autofree char *path = es_fuzz_write ("x.sio", data, size);
  es_fuzz_open (path, &options);
  return 0;
}
