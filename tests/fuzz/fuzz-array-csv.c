/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fuzz.h"

/* The bytes are a table of an array's elements. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  es_fuzz_load_array ("x.csv", data, size);
  return 0;
}
