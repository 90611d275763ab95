/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ui.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-resources.h"

void
es_ui_init (void)
{
  static gboolean done;

  if (done)
    return;
  done = TRUE;
  /* By hand: a constructor in a static library is dropped by the linker. */
  es_register_resource ();
}

char *
es_ui_format_bytes (guint64 bytes)
{
  double value = bytes / 1e3;
  guint unit = 0;
  int digits;

  while (value >= 999.5 && unit < 3)
    {
      value /= 1e3;
      unit++;
    }
  digits = value < 9.95 ? 1 : 0;
  /* TRANSLATORS: a size; the number has one digit behind the point, or none */
  return g_strdup_printf (unit == 0 ? _("%.*f kB") : unit == 1 ? _("%.*f MB") : unit == 2 ? _("%.*f GB")
                                                                              : _("%.*f TB"), digits, value);
}

char *
es_ui_format_seconds (double seconds)
{
  if (!(seconds >= 0))
    return g_strdup ("–");
  if (seconds < 0.001)
    /* TRANSLATORS: less than a millisecond */
    return g_strdup (_("< 1 ms"));
  if (seconds < 0.095)
    return g_strdup_printf (_("%.0f ms"), seconds * 1e3);
  if (seconds < 9.95)
    return g_strdup_printf (_("%.1f s"), seconds);
  if (seconds < 119.5)
    return g_strdup_printf (_("%.0f s"), seconds);
  if (seconds < 5400)
    return g_strdup_printf (_("%.0f min"), seconds / 60);
  return g_strdup_printf (_("%.1f h"), seconds / 3600);
}
