/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-fuzz.h"

/*
 * The bytes are a .mat file of version 5; where their number is odd, nobody told a rate. Those of version 7.3 are HDF5,
 * whose library crashes on much that chance makes: a process of its own tries them, which takes too long for here.
 * tests/compute/readers/test-rehearsal.c has some.
 */

static int
is_hdf5 (const uint8_t *data, size_t size)
{
  for (size_t at = 512; at + 8 <= size; at *= 2)
    if (memcmp (data + at, "\211HDF\r\n\032\n", 8) == 0)
      return 1;
  return 0;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const EsOpenOptions options = { .samples = { .rate = size % 2 == 0 ? 1000 : 0 } };

  if (size < 128 || memcmp (data, "MATLAB ", 7) != 0 || is_hdf5 (data, size))
    return 0;
  g_autofree char *path = es_fuzz_write ("x.mat", data, size);
  es_fuzz_open (path, &options);
  return 0;
}
