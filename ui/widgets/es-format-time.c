/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-format-time.h"

#include <math.h>

char *
es_format_time (double seconds)
{
  guint64 tenths;

  if (!isfinite (seconds))
    return g_strdup ("–");
  /* Rounded once, so that 59.97 is a minute and not sixty seconds. */
  tenths = (guint64) llround (fmin (fmax (seconds, 0), 3.6e9) * 10);
  return g_strdup_printf ("%02" G_GUINT64_FORMAT ":%02u:%02u.%u", tenths / 36000, (guint) (tenths / 600 % 60),
                          (guint) (tenths / 10 % 60), (guint) (tenths % 10));
}
