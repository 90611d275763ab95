/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-text-internal.h"

#include <math.h>
#include <string.h>

void
es_text_append_number (GString *text, double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 15; digits <= 17; digits++)
    {
      char format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (text, buffer);
}

void
es_text_append_cell (GString *text, double value)
{
  if (!isnan (value))
    es_text_append_number (text, value);
}

double
es_text_round_tenth (double value)
{
  return round (value * 10) / 10 + 0.0;
}

void
es_text_append_field (GString *text, const char *field)
{
  if (field == NULL)
    return;
  if (strpbrk (field, ",\"\r\n") == NULL)
    {
      g_string_append (text, field);
      return;
    }
  g_string_append_c (text, '"');
  for (const char *p = field; *p != '\0'; p++)
    {
      if (*p == '"')
        g_string_append_c (text, '"');
      g_string_append_c (text, *p);
    }
  g_string_append_c (text, '"');
}

void
es_text_append_title (GString *text, const char *title, const char *unit)
{
  g_autofree char *whole = unit != NULL ? g_strdup_printf ("%s (%s)", title, unit) : NULL;

  es_text_append_field (text, whole != NULL ? whole : title);
}
