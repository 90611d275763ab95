/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-fuzz.h"

/* The bytes describe the array beside a recording, which is opened with it. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *recording = es_fuzz_recording ();
  g_autofree char *path = es_fuzz_write ("recording.wav.array.json", data, size);

  es_fuzz_open (recording, NULL);
  return 0;
}
