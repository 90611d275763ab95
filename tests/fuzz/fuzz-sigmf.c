/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fuzz.h"

/* The bytes are an array in SigMF metadata. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  es_fuzz_load_array ("x.sigmf-meta", data, size);
  return 0;
}
