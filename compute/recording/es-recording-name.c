/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-recording-internal.h"

#include <string.h>

/* n digits as a number; FALSE where one is missing. */
static gboolean
take_digits (const char *text, guint n, int *value)
{
  *value = 0;
  for (guint i = 0; i < n; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return FALSE;
      *value = *value * 10 + (text[i] - '0');
    }
  return TRUE;
}

/* A separator of these, or none. */
static const char *
skip_one (const char *text, const char *separators)
{
  return *text != '\0' && strchr (separators, *text) != NULL ? text + 1 : text;
}

/* ---- zones ---- */

#define MOST_FRACTION 9
#define MOST_ZONE_HOURS 14

typedef enum { ZONE_TAKEN, ZONE_NONE, ZONE_UNKNOWN } Zone;

/* What is not known to be UTC, and stands for different hours in different places. */
static const char *const local_zones[] = {
  "ACDT", "ACST", "ADT", "AEDT", "AEST", "AKDT", "AKST", "ART", "AST", "AWST", "BRT", "BST", "CDT", "CEST", "CET",
  "CLT", "CST", "EAT", "EDT", "EEST", "EET", "EST", "GST", "HKT", "HST", "ICT", "IST", "JST", "KST", "LOCAL", "LT",
  "MDT", "MSK", "MST", "NDT", "NST", "NZDT", "NZST", "PDT", "PHT", "PKT", "PST", "SAST", "SGT", "WAT", "WEST", "WET",
  "WIB", NULL
};

/* +1000, -0500, +02, +02-00, +02:00 at a sign. A minus may also stand before the number of a part or the end of a span
 * of time: without a T it is a zone's where four digits are one. */
static Zone
take_offset (const char **text, gboolean iso, int *minutes)
{
  const gboolean plus = **text == '+';
  const char *at = *text + 1;
  const gsize digits = strspn (at, "0123456789");
  int hours, rest = 0;
  gboolean parts = FALSE;

  if (digits == 0)
    return ZONE_NONE;
  if (digits == 4)
    {
      take_digits (at, 2, &hours);
      take_digits (at + 2, 2, &rest);
      at += 4;
    }
  else if (digits == 2)
    {
      take_digits (at, 2, &hours);
      parts = (at[2] == ':' || at[2] == '-') && strspn (at + 3, "0123456789") == 2 && take_digits (at + 3, 2, &rest);
      at += parts ? 5 : 2;
    }
  else
    return plus ? ZONE_UNKNOWN : ZONE_NONE;
  if (hours > MOST_ZONE_HOURS || rest >= 60 || rest % 15 != 0)
    return plus ? ZONE_UNKNOWN : ZONE_NONE;
  if (!plus && !iso && digits == 2 && !(parts && (*text)[3] == ':'))
    return ZONE_NONE;
  *minutes = (plus ? 1 : -1) * (60 * hours + rest);
  *text = at;
  return ZONE_TAKEN;
}

/* Z, UTC, GMT, an offset, or nothing; at the end of a time. */
static Zone
take_zone (const char **text, gboolean iso, int *minutes)
{
  const char *word = skip_one (*text, "_- .");
  g_autofree char *letters = NULL;
  gsize n = 0;

  *minutes = 0;
  if (**text == '+' || **text == '-' || (*word == '+' && **text != '.'))
    {
      const char *at = **text == '-' || **text == '+' ? *text : word;
      const Zone zone = take_offset (&at, iso, minutes);

      *text = zone == ZONE_TAKEN ? at : *text;
      if (zone != ZONE_NONE)
        return zone;
    }
  while (g_ascii_isalpha (word[n]))
    n++;
  letters = g_ascii_strup (word, (gssize) n);
  if (strcmp (letters, "UTC") == 0 || strcmp (letters, "GMT") == 0)
    {
      const char *at = word + n;

      /* UTC+02 */
      *text = at;
      if (*at != '+' && *at != '-')
        return ZONE_TAKEN;
      const Zone zone = take_offset (&at, TRUE, minutes);
      *text = at;
      return zone == ZONE_NONE && *at == '+' ? ZONE_UNKNOWN : zone;
    }
  /* Small letters are a word of the name, as in “120000_est”; not where they end the time. */
  if (!g_ascii_isdigit (word[n]) && g_strv_contains (local_zones, letters)
      && (word == *text || g_ascii_isupper (*word) || strcmp (letters, "LOCAL") == 0))
    return ZONE_UNKNOWN;
  if (**text == 'Z' || **text == 'z')
    (*text)++;
  return ZONE_NONE;
}

/* ---- times ---- */

/* 20190920T163858Z, 20190920_163858, 2019-09-20T16-38-58.250Z, 20260501T120000+1000: at the beginning of text.
 * elsewhere: it is a time, but of a zone that nobody knows. */
static gboolean
take_time (const char *text, GDateTime **time, gsize *length, gboolean *elsewhere)
{
  const char *at = text;
  int year, month, day, hour, minute, second, offset;
  gboolean iso;
  double seconds;

  *elsewhere = FALSE;
  if (!take_digits (at, 4, &year) || year < 1900 || year > 2199)
    return FALSE;
  at = skip_one (at + 4, "-");
  if (!take_digits (at, 2, &month))
    return FALSE;
  at = skip_one (at + 2, "-");
  if (!take_digits (at, 2, &day))
    return FALSE;
  iso = at[2] == 'T' || at[2] == 't';
  at = skip_one (at + 2, "Tt_- ");
  if (!take_digits (at, 2, &hour))
    return FALSE;
  at = skip_one (at + 2, ":-");
  if (!take_digits (at, 2, &minute))
    return FALSE;
  at = skip_one (at + 2, ":-");
  if (!take_digits (at, 2, &second))
    return FALSE;
  at += 2;
  seconds = second;
  if (*at == '.' && g_ascii_isdigit (at[1]))
    {
      const gsize digits = strspn (at + 1, "0123456789");
      double unit = 0.1;

      if (digits > MOST_FRACTION)
        return FALSE;
      for (gsize i = 1; i <= digits; i++, unit /= 10)
        seconds += unit * (at[i] - '0');
      at += 1 + digits;
    }
  /* More digits: another number that only begins like a time. */
  if (g_ascii_isdigit (*at))
    return FALSE;
  g_autoptr (GDateTime) clock = g_date_time_new_utc (year, month, day, hour, minute, seconds);
  if (clock == NULL)
    return FALSE;
  *elsewhere = take_zone (&at, iso, &offset) == ZONE_UNKNOWN;
  *time = *elsewhere ? NULL : g_date_time_add_minutes (clock, -offset);
  *length = (gsize) (at - text);
  return *time != NULL;
}

GDateTime *
es_recording_time_of_name (const char *name, char **rest)
{
  gboolean elsewhere = FALSE;

  for (const char *at = name; *at != '\0' && !elsewhere; at++)
    {
      GDateTime *time;
      gsize length;

      if ((at > name && g_ascii_isdigit (at[-1])) || !take_time (at, &time, &length, &elsewhere))
        continue;
      if (rest != NULL)
        {
          g_autofree char *before = g_strndup (name, (gsize) (at - name));

          *rest = g_strconcat (before, at + length, NULL);
        }
      return time;
    }
  if (rest != NULL)
    *rest = g_strdup (name);
  return NULL;
}

int
es_recording_compare_names (const char *a, const char *b)
{
  const char *first = a, *second = b;

  while (*a != '\0' && *b != '\0')
    if (g_ascii_isdigit (*a) && g_ascii_isdigit (*b))
      {
        gsize m, n;

        while (*a == '0' && g_ascii_isdigit (a[1]))
          a++;
        while (*b == '0' && g_ascii_isdigit (b[1]))
          b++;
        m = strspn (a, "0123456789");
        n = strspn (b, "0123456789");
        if (m != n)
          return m < n ? -1 : 1;
        int order = strncmp (a, b, m);
        if (order != 0)
          return order;
        a += m;
        b += n;
      }
    else
      {
        char x = g_ascii_tolower (*a), y = g_ascii_tolower (*b);

        if (x != y)
          return (guchar) x < (guchar) y ? -1 : 1;
        a++;
        b++;
      }
  if (*a != *b)
    return *a == '\0' ? -1 : 1;
  return strcmp (first, second);
}
