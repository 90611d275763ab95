/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

static gboolean
read_number (const char **text, double *value)
{
  char *end = NULL;

  while (g_ascii_isspace (**text))
    (*text)++;
  *value = g_ascii_strtod (*text, &end);
  if (end == *text || !isfinite (*value))
    return FALSE;
  while (g_ascii_isspace (*end))
    end++;
  *text = end;
  return TRUE;
}

/* "512,1.5,30" */
static EsArray *
parse_line (const char *text, const char *whole, GError **error)
{
  double numbers[3] = { 0 };
  guint n = 0;
  gboolean good = FALSE;

  while (n < 3 && read_number (&text, &numbers[n]))
    {
      n++;
      if (*text != ',')
        break;
      text++;
      /* Nothing behind a comma is an error. */
      good = FALSE;
    }
  good = n >= 2 && *text == '\0' && text[-1] != ',' && numbers[0] == rint (numbers[0]) && numbers[0] >= 1
         && numbers[0] <= ES_ARRAY_MOST_ELEMENTS && numbers[1] > 0;
  if (!good)
    {
      g_autofree char *shown = g_utf8_make_valid (whole, -1);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is no line of elements: expected line:ELEMENTS,SPACING[,AZIMUTH] with 1 to 1,000,000 "
                     "elements, a spacing in metres and an angle in degrees, as in “line:512,1.5”."), shown);
      return NULL;
    }
  return es_array_new_line ((guint) numbers[0], numbers[1], numbers[2], error);
}

static gboolean
is_line (const char *text)
{
  return g_ascii_strncasecmp (text, "line:", 5) == 0;
}

GFile *
es_array_find_file (const char *text)
{
  if (is_line (text) || *text == '\0')
    return NULL;
  /* A colon alone does not make a URI. */
  return strstr (text, "://") != NULL && !g_file_test (text, G_FILE_TEST_EXISTS) ? g_file_new_for_uri (text)
                                                                                 : g_file_new_for_path (text);
}

EsArray *
es_array_parse (const char *text, GError **error)
{
  g_autoptr (GFile) file = es_array_find_file (text);

  if (file != NULL)
    return es_array_load (file, NULL, error);
  if (is_line (text))
    return parse_line (text + 5, text, error);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("An array needs a file or a line of elements, as in “line:512,1.5”."));
  return NULL;
}

/* ---- for people ---- */

static double
round_to_digits (double value, int digits)
{
  const double step = value != 0 && isfinite (value) ? pow (10, floor (log10 (fabs (value))) - digits + 1) : 1;

  /* Divided where it is small: 0.01 is no binary number, 100 is. */
  return step >= 1 ? rint (value / step) * step : rint (value * rint (1 / step)) / rint (1 / step);
}

double
es_array_round (double value)
{
  const double fine = round_to_digits (value, 5);

  return fabs (value - fine) < 1e-6 * fabs (value) ? fine : round_to_digits (value, 3);
}

char *
es_array_format_metres (double metres)
{
  /* TRANSLATORS: a distance in metres */
  return g_strdup_printf (_("%.10g m"), es_array_round (metres));
}

char *
es_array_describe (EsArray *self)
{
  const guint n = es_array_get_n_elements (self), dead = n - es_array_get_n_alive (self);
  g_autofree char *spacing = es_array_format_metres (es_array_get_spacing (self));
  g_autofree char *length = es_array_format_metres (es_array_get_length (self));
  g_autofree char *text = NULL;

  if (n == 1)
    text = g_strdup (_("1 element"));
  else if (es_array_is_line (self) && es_array_is_uniform (self))
    text = g_strdup_printf (ngettext ("%u element in line, %s apart, %s long",
                                      "%u elements in line, %s apart, %s long", n),
                            n, spacing, length);
  else if (es_array_is_line (self))
    text = g_strdup_printf (ngettext ("%u element in line, on average %s apart, %s long",
                                      "%u elements in line, on average %s apart, %s long", n), n, spacing, length);
  else
    text = g_strdup_printf (ngettext ("%u element, neighbours %s apart, %s across",
                                      "%u elements, neighbours %s apart, %s across", n), n, spacing, length);
  if (dead == 0)
    return g_steal_pointer (&text);
  return g_strdup_printf (ngettext ("%s, %u of them dead", "%s, %u of them dead", dead), text, dead);
}
