/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-fuzz.h"

/* The bytes are the header beside a file of 16 KiB. Where their number is even the header is opened, else the file. */

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static char *samples;

  if (samples == NULL)
    {
      guint8 bytes[16384];

      for (guint i = 0; i < sizeof bytes; i++)
        bytes[i] = (guint8) (i * 13 + i / 251);
      samples = es_fuzz_write ("x.img", bytes, sizeof bytes);
    }
  /* Anything else is another reader's. */
  if (size < 4 || (memcmp (data, "ENVI", 4) != 0 && memcmp (data, "\357\273\277", 3) != 0))
    return 0;
  g_autofree char *header = es_fuzz_write ("x.hdr", data, size);
  es_fuzz_open (size % 2 == 0 ? header : samples, NULL);
  return 0;
}
