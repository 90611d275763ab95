/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Numbers as a person reads and writes them, and one number for all bands. */

#include "es-metadata-numbers-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

gboolean
_es_metadata_refuse (GError **error, const char *sentence)
{
  g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, sentence);
  return FALSE;
}

/* As short as says it all. */
char *
_es_metadata_show_number (double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (isnan (value))
    return g_strdup ("");
  for (int digits = 6; digits < 17; digits++)
    {
      g_snprintf (text, sizeof text, "%.*g", digits, value);
      if (g_ascii_strtod (text, NULL) == value)
        return g_strdup (text);
    }
  return g_strdup (g_ascii_dtostr (text, sizeof text, value));
}

gboolean
_es_metadata_read_number (const char *text, double *value)
{
  g_autofree char *own = g_strdup (text);
  char *end;

  g_strstrip (own);
  *value = g_ascii_strtod (own, &end);
  return end != own && *end == '\0';
}

gboolean
_es_metadata_is_none (const char *text)
{
  g_autofree char *own = g_utf8_casefold (text, -1), *none = g_utf8_casefold (_("none"), -1);

  g_strstrip (own);
  return strcmp (own, "none") == 0 || strcmp (own, none) == 0;
}

double
_es_metadata_get_no_data (EsCube *cube, guint band)
{
  double value;

  return es_cube_get_no_data (cube, band, &value) ? value : NAN;
}

double *
_es_metadata_repeat (double value, guint n)
{
  double *values = g_new (double, n);

  for (guint b = 0; b < n; b++)
    values[b] = value;
  return values;
}
