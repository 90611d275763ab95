/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Text with one spectrum a file, in columns of numbers under a head: ECOSTRESS and ASTER, USGS splib06. */

#include "es-spectra-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* A head is a page of text at most. */
#define LONGEST_HEAD 200

typedef struct
{
  GArray *x, *y;               /* double */
} Columns;

static void
columns_clear (Columns *self)
{
  g_clear_pointer (&self->x, g_array_unref);
  g_clear_pointer (&self->y, g_array_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Columns, columns_clear)

/* The first two numbers of a row of numbers. */
static gboolean
split_row (const char *line, double *x, double *y)
{
  g_auto (GStrv) parts = g_strsplit_set (line, " \t,", -1);
  double *const places[] = { x, y };
  guint n = 0;

  for (char **part = parts; *part != NULL && n < 2; part++)
    if (**part != '\0' && !es_spectra_number (*part, places[n++]))
      return FALSE;
  return n == 2;
}

static gboolean
read_columns (const EsSpectraText *text, const char *at, guint row, Columns *columns, GError **error)
{
  char *next;

  columns->x = g_array_new (FALSE, FALSE, sizeof (double));
  columns->y = g_array_new (FALSE, FALSE, sizeof (double));
  for (; es_spectra_next_line (&at, text->end, &next); row++)
    {
      g_autofree char *line = next;
      double x, y;

      if (*line == '\0')
        continue;
      if (!split_row (line, &x, &y))
        {
          g_autofree char *shown = g_utf8_substring (line, 0, MIN (g_utf8_strlen (line, -1), 40));

          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("“%s”, row %u: “%s” was found; a wavelength and a value were expected."), text->name, row,
                       shown);
          return FALSE;
        }
      if (columns->x->len == ES_SPECTRA_MOST_BANDS)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE, _("“%s” has more than %u rows of values."),
                       text->name, ES_SPECTRA_MOST_BANDS);
          return FALSE;
        }
      g_array_append_val (columns->x, x);
      g_array_append_val (columns->y, y);
    }
  if (columns->x->len == 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("“%s” has a head, but no values below it."), text->name);
  return columns->x->len > 0;
}

static gboolean
add_columns (EsSpectralLibrary *library, const EsSpectraText *text, Columns *columns, const char *name,
             const char *unit, double scale, const char *details, GError **error)
{
  const guint n = columns->x->len;
  double *y = (double *) columns->y->data;
  g_autoptr (EsSpectralAxis) axis = NULL;
  g_autoptr (EsSpectrum) spectrum = NULL;
  gboolean turned;

  axis = es_spectra_make_axis (library, text->name, n, (double *) columns->x->data, NULL, unit, &turned, error);
  if (axis == NULL)
    return FALSE;
  if (turned)
    es_spectra_turn (y, n);
  for (guint i = 0; i < n; i++)
    y[i] *= scale;
  axis = es_spectra_share_axis (library, axis);
  spectrum = es_spectrum_new (name, axis, y, details);
  if (es_spectrum_count_valid (spectrum) < n)
    es_spectral_library_add_note (library, _("“%s” has missing values, which were left empty."), text->name);
  es_spectral_library_add (library, spectrum);
  return TRUE;
}

/* ---- ECOSTRESS and ASTER ---- */

gboolean
es_spectra_is_ecostress (const EsSpectraText *text)
{
  const char *at = text->text;
  gboolean named = FALSE;
  char *next;

  for (guint i = 0; i < LONGEST_HEAD && es_spectra_next_line (&at, text->end, &next); i++)
    {
      g_autofree char *line = next;

      named = named || g_ascii_strncasecmp (line, "Name:", 5) == 0;
      if (g_ascii_strncasecmp (line, "X Units:", 8) == 0)
        return named;
      if (!named && *line != '\0')
        return FALSE;
    }
  return FALSE;
}

/* "Wavelength (micrometers)": what is in the brackets; "cm-1" of "Wavenumber (cm-1)". */
static char *
bracketed (const char *text)
{
  const char *open = strchr (text, '('), *shut = open != NULL ? strchr (open, ')') : NULL;

  return shut != NULL ? g_strndup (open + 1, shut - open - 1) : g_strdup (text);
}

gboolean
es_spectra_read_ecostress (EsSpectralLibrary *library, const EsSpectraText *text, GError **error)
{
  const char *at = text->text, *begin = at;
  g_autofree char *name = NULL, *unit = NULL, *values = NULL;
  g_autoptr (GString) details = g_string_new (NULL);
  g_auto (Columns) columns = { NULL, NULL };
  gboolean percent, in_values = FALSE;
  guint row = 1, promised = 0;
  char *next;

  for (; !in_values && es_spectra_next_line (&at, text->end, &next); row++)
    {
      g_autofree char *line = next;
      double x, y;
      const char *colon = strchr (line, ':');
      g_autofree char *value = colon != NULL ? g_strstrip (g_strdup (colon + 1)) : NULL;

      in_values = colon == NULL && split_row (line, &x, &y);
      if (in_values)
        break;
      begin = at;
      if (promised == 0 && g_ascii_strncasecmp (line, "Number of X Values:", 19) == 0)
        promised = (guint) CLAMP (g_ascii_strtoll (value, NULL, 10), 0, G_MAXUINT);
      if (name == NULL && g_ascii_strncasecmp (line, "Name:", 5) == 0)
        name = g_steal_pointer (&value);
      else if (unit == NULL && g_ascii_strncasecmp (line, "X Units:", 8) == 0)
        unit = bracketed (value);
      else if (values == NULL && g_ascii_strncasecmp (line, "Y Units:", 8) == 0)
        values = g_steal_pointer (&value);
      else if (*line != '\0' && details->len < 4000)
        g_string_append_printf (details, "%s%s", details->len > 0 ? "\n" : "", line);
    }
  percent = values != NULL && strcasestr (values, "percent") != NULL;
  if (percent)
    es_spectral_library_add_note (library, _("Values in percent were divided by 100."));
  es_spectral_library_set_format (library, _("ECOSTRESS text"));
  es_spectral_library_set_unit (library, percent ? NULL : values);
  if (!read_columns (text, begin, row, &columns, error))
    return FALSE;
  if (columns.x->len < promised)
    es_spectral_library_add_note (library, _("“%s” is cut short: its head promises %u values, and %u are there."),
                                  text->name, promised, columns.x->len);
  return add_columns (library, text, &columns, name != NULL ? name : text->name,
                         text->options->unit != NULL ? text->options->unit : unit, percent ? 0.01 : 1, details->str,
                         error);
}

/* ---- USGS splib06 ---- */

static gboolean
is_rule (const char *line)
{
  return strlen (line) >= 10 && strspn (line, "-") == strlen (line);
}

gboolean
es_spectra_is_splib06 (const EsSpectraText *text)
{
  const char *at = text->text;
  gboolean known = FALSE;
  char *next;

  for (guint i = 0; i < LONGEST_HEAD && es_spectra_next_line (&at, text->end, &next); i++)
    {
      g_autofree char *line = next;

      known = known || strstr (line, "USGS") != NULL;
      if (is_rule (line))
        return known;
    }
  return FALSE;
}

gboolean
es_spectra_read_splib06 (EsSpectralLibrary *library, const EsSpectraText *text, GError **error)
{
  const char *at = text->text;
  g_autofree char *name = NULL, *history = NULL;
  g_auto (Columns) columns = { NULL, NULL };
  gboolean below = FALSE;
  guint row = 1;
  char *next;

  for (; history == NULL && es_spectra_next_line (&at, text->end, &next); row++)
    {
      g_autofree char *line = next;

      if (below && name == NULL)
        name = g_steal_pointer (&line);
      else if (below)
        history = g_steal_pointer (&line);
      else
        below = is_rule (line);
    }
  es_spectral_library_set_format (library, _("USGS splib06 text"));
  return read_columns (text, at, row, &columns, error)
         && add_columns (library, text, &columns, name != NULL && *name != '\0' ? name : text->name,
                         text->options->unit != NULL ? text->options->unit : "um", 1, history, error);
}
