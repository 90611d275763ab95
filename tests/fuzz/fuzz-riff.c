/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-fuzz.h"

/* The bytes are a sound file made of chunks: WAV, RF64, W64, AIFF, AU, CAF. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char * const beginnings[] = { "RIFF", "RIFX", "RF64", "riff", "FORM", ".snd", "caff" };

  for (guint i = 0; i < G_N_ELEMENTS (beginnings) && size >= 12; i++)
    if (memcmp (data, beginnings[i], 4) == 0)
      {
        g_autofree char *path = es_fuzz_write ("x.wav", data, size);

        es_fuzz_open (path, NULL);
        break;
      }
  return 0;
}
