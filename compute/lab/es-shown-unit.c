/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-shown-unit.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

const char *
es_shown_unit (const char *unit, double largest, double *factor)
{
  static const struct { const char *unit; double factor; } times[] = {
    { "s", 1 }, { "ms", 1e3 }, { "µs", 1e6 }, { "ns", 1e9 },
  };
  static const struct { const char *bytes, *counts; double factor; } rates[] = {
    { "GB/s", "G/s", 1e-9 }, { "MB/s", "M/s", 1e-6 }, { "kB/s", "k/s", 1e-3 }, { "B/s", "1/s", 1 },
  };
  static const char *const words[] = { N_("clocks"), N_("words") };
  guint at = 0;

  *factor = 1;
  if (unit == NULL || g_str_equal (unit, "1"))
    return NULL;
  if (g_str_equal (unit, "B/s") || g_str_equal (unit, "1/s"))
    {
      while (at + 1 < G_N_ELEMENTS (rates) && largest * rates[at].factor < 1)
        at++;
      *factor = rates[at].factor;
      return g_str_equal (unit, "B/s") ? rates[at].bytes : rates[at].counts;
    }
  if (!g_str_equal (unit, "s"))
    return g_str_equal (unit, words[0]) || g_str_equal (unit, words[1]) ? g_dgettext (GETTEXT_PACKAGE, unit) : unit;
  while (largest > 0 && at + 1 < G_N_ELEMENTS (times) && largest * times[at].factor < 1)
    at++;
  *factor = times[at].factor;
  return times[at].unit;
}

/* Zeros that end the digits, and the point that nothing follows. */
static void
drop_zeros (GString *digits)
{
  while (g_str_has_suffix (digits->str, "0"))
    g_string_truncate (digits, digits->len - 1);
  if (!g_ascii_isdigit (digits->str[digits->len - 1]))
    g_string_truncate (digits, digits->len - 1);
}

char *
es_shown_digits (double value)
{
  const double size = fabs (value), magnitude = value != 0 && isfinite (value) ? floor (log10 (size)) : 0;
  const gboolean scientific = isfinite (value) && ((size > 0 && size < 1e-4) || size >= 1e15
                                                   || (size >= 1e7 && size != round (size)));
  const int decimals = scientific ? 3 : CLAMP (3 - (int) magnitude, 0, 9);
  g_autofree char *text = g_strdup_printf (scientific ? "%.*e" : "%.*f", decimals, value);
  const char *exponent = scientific ? strchr (text, 'e') : NULL;
  g_autoptr (GString) digits = g_string_new_len (text, exponent != NULL ? exponent - text : (gssize) strlen (text));

  /* Of what is no number its name. */
  if (decimals > 0 && isfinite (value))
    drop_zeros (digits);
  if (exponent != NULL)
    g_string_append (digits, exponent);
  return *digits->str == '-' ? g_strconcat ("−", digits->str + 1, NULL) : g_strdup (digits->str);
}

/* By the first unit of which there are fewer than `step`. */
static char *
show_amount (double amount, double step, const char *const *units, guint n)
{
  g_autofree char *number = NULL;
  guint unit = 0;

  for (; fabs (amount) >= step && unit + 1 < n; unit++)
    amount /= step;
  number = es_shown_digits (amount);
  return g_strdup_printf ("%s %s", number, units[unit]);
}

char *
es_shown_bytes (double bytes)
{
  static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };

  return show_amount (bytes, 1024, units, G_N_ELEMENTS (units));
}

char *
es_shown_traffic (double bytes)
{
  static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };

  return show_amount (bytes, 1000, units, G_N_ELEMENTS (units));
}
