/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-band-ranges.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

typedef enum { UNIT_NOT_TOLD, UNIT_BAND, UNIT_NM, UNIT_UM } Unit;

/* One range of a list; first = last where it is one number. */
typedef struct
{
  gboolean all, good;          /* a word instead */
  double   first, last;
  Unit     unit;
} Term;

typedef struct
{
  const double   *wavelengths;
  const gboolean *good;
  guint           n;
  gboolean       *which;
} Bands;

static gboolean
refuse (const char *text, GError **error)
{
  g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
               _("“%s” is no list of bands: expected wavelengths such as “400-1340,1460-1790 nm”, or numbers such as "
                 "“1-20,25”."), text);
  return FALSE;
}

static const char *
skip_blanks (const char *text)
{
  while (g_ascii_isspace (*text))
    text++;
  return text;
}

/* Digits and a point, without sign and exponent: a minus stands between two of them. */
static gboolean
read_number (const char **text, double *value)
{
  const gsize length = strspn (*text, "0123456789.");
  g_autofree char *digits = g_strndup (*text, length);
  char *end;

  if (length == 0)
    return FALSE;
  *value = g_ascii_strtod (digits, &end);
  *text += length;
  return *end == '\0' && isfinite (*value);
}

static gboolean
skip_dash (const char **text)
{
  static const char *const dashes[] = { "-", "–", "…", ".." };
  const char *from = skip_blanks (*text);

  for (guint i = 0; i < G_N_ELEMENTS (dashes); i++)
    if (g_str_has_prefix (from, dashes[i]))
      {
        *text = skip_blanks (from + strlen (dashes[i]));
        return TRUE;
      }
  return FALSE;
}

static gboolean
read_unit (const char *text, Unit *unit)
{
  static const struct { const char *name; Unit unit; } units[] = {
    { "nm", UNIT_NM }, { "um", UNIT_UM }, { "µm", UNIT_UM }, { "μm", UNIT_UM }, { "b", UNIT_BAND },
  };

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (g_ascii_strcasecmp (text, units[i].name) == 0)
      {
        *unit = units[i].unit;
        return TRUE;
      }
  return *text == '\0';
}

static gboolean
read_term (char *given, Term *term)
{
  const char *text = g_strstrip (given);
  Unit unit = UNIT_NOT_TOLD;

  *term = (Term) { 0 };
  term->all = g_ascii_strcasecmp (text, "all") == 0;
  term->good = g_ascii_strcasecmp (text, "good") == 0;
  if (term->all || term->good)
    return TRUE;
  if (*text == '#')
    {
      text = skip_blanks (text + 1);
      unit = UNIT_BAND;
    }
  if (!read_number (&text, &term->first))
    return FALSE;
  term->last = term->first;
  /* A unit may stand behind both numbers. */
  if (!skip_dash (&text))
    {
      const char *rest = skip_blanks (text);
      const char *dash = strpbrk (rest, "-.");
      const char *wide = strstr (rest, "–");
      const char *end = dash != NULL ? dash : wide;

      if (end != NULL)
        {
          g_autofree char *first_unit = g_strndup (rest, end - rest);

          if (!read_unit (g_strstrip (first_unit), &unit))
            return FALSE;
          text = end;
          if (!skip_dash (&text) || !read_number (&text, &term->last))
            return FALSE;
        }
    }
  else if (!read_number (&text, &term->last))
    return FALSE;
  term->unit = unit;
  return read_unit (skip_blanks (text), &term->unit) && (unit == UNIT_NOT_TOLD || term->unit == unit)
         && term->last >= term->first;
}

/* ---- what they mean ---- */

static gboolean
take_numbers (const Bands *bands, const Term *term, GError **error)
{
  if (term->first != rint (term->first) || term->last != rint (term->last) || term->first < 1 || term->last > bands->n)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("There is no band %.10g: they are numbered from 1 to %u; wavelengths are followed by their unit, "
                     "nm or um."),
                   term->first < 1 || term->first != rint (term->first) || term->first > bands->n ? term->first
                                                                                                  : term->last,
                   bands->n);
      return FALSE;
    }
  for (guint b = (guint) term->first; b <= (guint) term->last; b++)
    bands->which[b - 1] = TRUE;
  return TRUE;
}

/* The band nearest to it. */
static void
take_nearest (const Bands *bands, double nanometres)
{
  guint best = bands->n;

  for (guint b = 0; b < bands->n; b++)
    if (bands->good[b]
        && (best == bands->n
            || fabs (bands->wavelengths[b] - nanometres) < fabs (bands->wavelengths[best] - nanometres)))
      best = b;
  if (best < bands->n)
    bands->which[best] = TRUE;
}

static gboolean
take_wavelengths (const Bands *bands, const Term *term, GError **error)
{
  const double factor = term->unit == UNIT_UM ? 1000 : 1;

  if (bands->wavelengths == NULL)
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                           _("The cube does not tell its wavelengths: its bands are named by number, such as "
                             "“1-20,25”."));
      return FALSE;
    }
  if (term->first == term->last)
    take_nearest (bands, term->first * factor);
  for (guint b = 0; b < bands->n; b++)
    if (bands->good[b] && bands->wavelengths[b] >= term->first * factor
        && bands->wavelengths[b] <= term->last * factor)
      bands->which[b] = TRUE;
  return TRUE;
}

static gboolean
take_term (const Bands *bands, const Term *term, GError **error)
{
  if (term->all || term->good)
    for (guint b = 0; b < bands->n; b++)
      bands->which[b] = bands->which[b] || term->all || bands->good[b];
  else if (term->unit == UNIT_BAND)
    return take_numbers (bands, term, error);
  else
    return take_wavelengths (bands, term, error);
  return TRUE;
}

gboolean
es_band_ranges_parse (const char *text, const double *wavelengths, const gboolean *good, guint n, gboolean *which,
                      GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);
  const guint n_parts = g_strv_length (parts);
  g_autofree Term *terms = g_new0 (Term, n_parts + 1);
  const Bands bands = { wavelengths, good, n, which };
  Unit unit = UNIT_BAND;

  memset (which, 0, n * sizeof *which);
  for (guint i = 0; i < n_parts; i++)
    if (!read_term (parts[i], &terms[i]))
      return refuse (text, error);
  for (guint i = n_parts; i-- > 0;)
    {
      const gboolean is_word = terms[i].all || terms[i].good;

      if (!is_word && terms[i].unit == UNIT_NOT_TOLD)
        terms[i].unit = unit;
      else if (!is_word)
        unit = terms[i].unit;
    }
  for (guint i = 0; i < n_parts; i++)
    if (!take_term (&bands, &terms[i], error))
      return FALSE;
  return n_parts > 0 || refuse (text, error);
}

char *
es_band_ranges_format (const gboolean *which, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint b = 0; b < n; b++)
    {
      guint last = b;

      if (!which[b])
        continue;
      while (last + 1 < n && which[last + 1])
        last++;
      g_string_append_printf (text, last > b ? "%s%u-%u" : "%s%u", text->len > 0 ? "," : "", b + 1, last + 1);
      b = last;
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
