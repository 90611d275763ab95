/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ui.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-popovers.h"
#include "es-resources.h"

static void (*construct_icon) (GObject *icon);

/* Icons of files (pictures of any size) are in no cache. */
static void
keep_icon (GObject *icon)
{
  construct_icon (icon);
  if (gtk_icon_paintable_get_icon_name (GTK_ICON_PAINTABLE (icon)) != NULL)
    g_object_ref (icon);
}

/* GTK loads icons on threads, which may be the last to let go of one. Its cache of them owns none, and hands out also
 * the one that a thread is finalizing: gtk_icon_theme_lookup_icon () dies of that (GTK 4.8). So those of themes live as
 * long as the program does; there are some hundreds, of a few kB. */
static void
keep_icons (void)
{
  GObjectClass *class = g_type_class_ref (GTK_TYPE_ICON_PAINTABLE);

  construct_icon = class->constructed;
  class->constructed = keep_icon;
}

void
es_ui_init (void)
{
  static gboolean done;

  if (gtk_is_initialized ())
    es_popovers_init ();
  if (done)
    return;
  done = TRUE;
  /* By hand: a constructor in a static library is dropped by the linker. */
  es_register_resource ();
  keep_icons ();
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
