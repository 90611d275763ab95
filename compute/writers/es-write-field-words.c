/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a field is, in words: unit, start, caption. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-write-field-private.h"

char *
es_field_describe_values (EsField *field)
{
  const char *reference = es_field_get_reference (field);

  if (reference == NULL)
    return g_strdup (es_field_get_unit (field));
  /* As displays have it; of the powers in files it is the square. */
  if (g_str_equal (reference, "full scale²") || g_str_equal (reference, _("full scale²")))
    return g_strdup (_("dB re full scale"));
  return *reference != '\0' ? g_strdup_printf ("dB re %s", reference) : g_strdup ("dB");
}

static const char *
find (EsField *field, const char *key)
{
  const char * const *metadata = es_field_get_metadata (field);

  for (guint i = 0; metadata != NULL && metadata[i] != NULL; i += 2)
    if (strcmp (metadata[i], key) == 0)
      return metadata[i + 1];
  return NULL;
}

GDateTime *
es_field_dup_start (EsField *field)
{
  const char *start = find (field, "start");
  g_autoptr (GDateTime) time = start != NULL ? g_date_time_new_from_iso8601 (start, NULL) : NULL;

  return time != NULL ? g_date_time_to_utc (time) : NULL;
}

/* Takes the words; NULL: nothing. */
static void
add (GString *caption, char *words)
{
  if (words != NULL)
    g_string_append_printf (caption, "%s%s", caption->len > 0 ? " · " : "", words);
  g_free (words);
}

/* "319.3–480.5": to be read, not to be computed with. */
static char *
make_span (const char *from, const char *to)
{
  return from != NULL && to != NULL ? g_strdup_printf ("%.4g–%.4g", g_ascii_strtod (from, NULL),
                                                       g_ascii_strtod (to, NULL))
                                    : NULL;
}

/* The same of "319.335938:480.46875"; NULL: of none. */
static char *
make_band (const char *band)
{
  g_auto (GStrv) ends = band != NULL ? g_strsplit (band, ":", 2) : NULL;

  return ends != NULL && ends[0] != NULL ? make_span (ends[0], ends[1]) : NULL;
}

static gboolean
is_over_frequency (EsField *field)
{
  return g_strcmp0 (es_field_get_rows (field)->unit, "Hz") == 0
         || g_strcmp0 (es_field_get_columns (field)->unit, "Hz") == 0;
}

/* "heading 213.5° true", and "heading 213.5° to 238.0° true" where that is another one in the first row that knows it
 * than in the last. */
static char *
describe_heading (EsField *field)
{
  const double *headings = es_field_get_headings (field);
  const char *fixed = find (field, "heading_deg");
  g_autofree char *only = NULL;
  double first = NAN, last = NAN;

  for (guint i = 0; headings != NULL && i < es_field_get_rows (field)->n; i++)
    if (!isnan (headings[i]))
      {
        first = isnan (first) ? headings[i] : first;
        last = headings[i];
      }
  if (fixed == NULL && first == last)
    fixed = only = g_strdup_printf ("%.9g", first);
  if (fixed != NULL)
    /* Translators: where the array points, "heading 213.5° true". */
    return g_strdup_printf (_("heading %s° true"), fixed);
  /* Translators: where the array points at the beginning and at the end, "heading 213.5° to 238.0° true". */
  return isnan (first) ? NULL : g_strdup_printf (_("heading %.1f° to %.1f° true"), first, last);
}

char *
es_field_caption (EsField *field, gboolean has_missing)
{
  GString *caption = g_string_new (NULL);
  const char *line = find (field, "line"), *beams = find (field, "beams");
  const char *bearing = find (field, "bearing_deg"), *tone = find (field, "tone_factor");
  g_autofree char *hertz = is_over_frequency (field) ? NULL : make_band (find (field, "band_hz"));
  g_autofree char *carrier = make_band (find (field, "carrier_hz"));
  g_autofree char *seconds = make_span (find (field, "from_s"), find (field, "to_s"));
  g_autoptr (GDateTime) start = es_field_dup_start (field);
  g_autofree char *began = start != NULL ? g_date_time_format (start, "%C%y-%m-%d %H:%M:%S UTC") : NULL;

  add (caption, g_strdup (find (field, "recording")));
  add (caption, g_strdup (line));
  add (caption, beams != NULL ? g_ascii_strup (beams, -1) : NULL);
  /* Translators: a band, "100–480 Hz". */
  add (caption, hertz != NULL ? g_strdup_printf (_("%s Hz"), hertz) : NULL);
  /* Translators: the band of the noise whose beats are shown, "carrier band 500–1500 Hz". */
  add (caption, carrier != NULL ? g_strdup_printf (_("carrier band %s Hz"), carrier) : NULL);
  /* A line has said its own. */
  if (line == NULL && bearing != NULL)
    /* Translators: the direction of a beam, in degrees: "beam at 48°". */
    add (caption, g_strdup_printf (_("beam at %.4g°"), g_ascii_strtod (bearing, NULL)));
  /* Translators: from .. to, "10–20 s". */
  add (caption, seconds != NULL ? g_strdup_printf (_("%s s"), seconds) : NULL);
  /* Translators: when the recording began, "began 2026-05-01 12:00:00 UTC". */
  add (caption, began != NULL ? g_strdup_printf (_("began %s"), began) : NULL);
  const gsize length = caption->len;
  add (caption, describe_heading (field));
  /* Who reads a heading may take them for true ones. */
  add (caption, caption->len > length ? g_strdup (_("bearings from the array")) : NULL);
  /* Translators: of what is shown bin by bin, "a tone reads 4.1 dB more". */
  add (caption, tone != NULL && is_over_frequency (field)
                ? g_strdup_printf (_("a tone reads %.1f dB more"), 10 * log10 (g_ascii_strtod (tone, NULL))) : NULL);
  add (caption, has_missing ? g_strdup (_("grey: no value")) : NULL);
  return g_string_free (caption, FALSE);
}
