/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-format.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "layer/es-share.h"
#include "base/es-text-show.h"
#include "lab/es-shown-unit.h"

static char *
with_true_minus (const char *text)
{
  GString *out = g_string_new (NULL);

  for (const char *at = text; *at != '\0'; at++)
    {
      if (*at == '-' && (at == text || at[-1] != 'e'))
        g_string_append (out, "−");
      else
        g_string_append_c (out, *at);
    }
  return g_string_free (out, FALSE);
}

char *
es_format_number (double value, double range)
{
  char text[64];
  double size = fabs (value);

  if (isnan (value))
    return g_strdup (_("no data"));
  if (isinf (value))
    return g_strdup (value > 0 ? "∞" : "−∞");

  if (size >= 1e7 || (size > 0 && size < 1e-4 && !(range >= 1e-2)))
    {
      g_snprintf (text, sizeof text, "%.3e", value);
    }
  else
    {
      double unit = range > 0 && isfinite (range) ? range : size;
      int digits = unit > 0 ? (int) (3 - floor (log10 (unit))) : 0;

      if (!(range > 0) && size > 0)
        digits++;
      g_snprintf (text, sizeof text, "%.*f", CLAMP (digits, 0, 7), value);
      /* "-0.00" is 0.00. */
      if (text[0] == '-' && strpbrk (text, "123456789") == NULL)
        memmove (text, text + 1, strlen (text));
    }
  return with_true_minus (text);
}

char *
es_format_share (double share)
{
  return es_share_format (share, 1);
}

char *
es_format_zoom (double zoom)
{
  double ratio = zoom >= 1 ? zoom : 1 / zoom;
  char text[32];

  if (fabs (ratio - round (ratio)) < 0.005 || ratio >= 10)
    g_snprintf (text, sizeof text, "%.0f", ratio);
  else
    g_snprintf (text, sizeof text, "%.1f", ratio);
  return zoom >= 1 ? g_strdup_printf ("%s:1", text) : g_strdup_printf ("1:%s", text);
}

char *
es_format_geographic (double latitude, double longitude)
{
  /* Translators: latitude and longitude; N, S, E and W are added. */
  const char *north = latitude < 0 ? C_("latitude", "S") : C_("latitude", "N");
  const char *east = longitude < 0 ? C_("longitude", "W") : C_("longitude", "E");

  return g_strdup_printf ("%.4f° %s %.4f° %s", fabs (latitude), north, fabs (longitude), east);
}

gboolean
es_format_parse (const char *text, double *value)
{
  g_autofree char *plain = NULL;
  g_autoptr (GString) ascii = NULL;
  char *end;

  g_return_val_if_fail (text != NULL && value != NULL, FALSE);

  ascii = g_string_new (text);
  g_string_replace (ascii, "−", "-", 0);
  g_strstrip (ascii->str);

  /* A comma is a decimal point where there is no other one. */
  if (strchr (ascii->str, '.') == NULL)
    g_strdelimit (ascii->str, ",", '.');
  errno = 0;
  *value = g_ascii_strtod (ascii->str, &end);
  return end != ascii->str && isfinite (*value) && errno == 0;
}

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

char *
es_format_shorten (const char *name, guint length)
{
  g_autofree char *shown = es_text_show (name);
  glong n = g_utf8_strlen (shown, -1), first = (length - 1) / 2, last = length - 1 - first;
  g_autofree char *before = NULL;

  if (n <= (glong) length)
    return g_steal_pointer (&shown);
  before = g_utf8_substring (shown, 0, first);
  return g_strconcat (before, "…", g_utf8_offset_to_pointer (shown, n - last), NULL);
}

/* What four digits round to one is one: no "1000 ns". */
#define ALMOST 0.99995

char *
es_format_value (double value, const char *unit)
{
  static const struct { double factor; const char *prefix; } prefixes[] = {
    { 1e12, "T" }, { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" }, { 1, "" }, { 1e-3, "m" }, { 1e-6, "µ" }, { 1e-9, "n" },
  };
  const gboolean rate = g_strcmp0 (unit, "B/s") == 0 || g_strcmp0 (unit, "1/s") == 0 || g_strcmp0 (unit, "Hz") == 0;
  g_autofree char *number = NULL;
  guint at = 4;

  if (!isfinite (value))
    return g_strdup ("–");
  if (g_strcmp0 (unit, "B") == 0)
    return es_shown_bytes (value);
  if (rate)
    for (at = 0; at < 4 && fabs (value) < ALMOST * prefixes[at].factor; at++)
      ;
  else if (g_strcmp0 (unit, "s") == 0 && value != 0)
    for (at = 4; at + 1 < G_N_ELEMENTS (prefixes) && fabs (value) < ALMOST * prefixes[at].factor; at++)
      ;
  number = es_shown_digits (value / prefixes[at].factor);
  if (unit == NULL || *unit == '\0' || g_str_equal (unit, "1"))
    return g_steal_pointer (&number);
  /* TRANSLATORS: the unit of clocks of a processor, behind a number */
  if (g_str_equal (unit, "clocks"))
    return g_strdup_printf (_("%s clocks"), number);
  if (g_str_equal (unit, "1/s"))
    return g_strdup_printf ("%s %s/s", number, prefixes[at].prefix);
  return g_strdup_printf ("%s %s%s", number, prefixes[at].prefix, unit);
}
