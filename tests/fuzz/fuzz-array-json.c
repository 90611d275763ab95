/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fuzz.h"

/* The bytes are an array in Eigenscope's own JSON. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  es_fuzz_load_array ("x.json", data, size);
  return 0;
}
