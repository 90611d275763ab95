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

/* 20190920T163858Z, 20190920_163858, 2019-09-20T16-38-58.250Z: at the beginning of text. */
static gboolean
take_time (const char *text, GDateTime **time, gsize *length)
{
  const char *at = text;
  int year, month, day, hour, minute, second, fraction = 0;
  double seconds;

  if (!take_digits (at, 4, &year) || year < 1900 || year > 2199)
    return FALSE;
  at = skip_one (at + 4, "-");
  if (!take_digits (at, 2, &month))
    return FALSE;
  at = skip_one (at + 2, "-");
  if (!take_digits (at, 2, &day))
    return FALSE;
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
  if (*at == '.' && take_digits (at + 1, 3, &fraction))
    {
      at += 4;
      seconds += fraction / 1000.0;
    }
  /* More digits: another number that only begins like a time. */
  if (g_ascii_isdigit (*at))
    return FALSE;
  *time = g_date_time_new_utc (year, month, day, hour, minute, seconds);
  if (*time == NULL)
    return FALSE;
  *length = (gsize) (skip_one (at, "Zz") - text);
  return TRUE;
}

GDateTime *
es_recording_time_of_name (const char *name, char **rest)
{
  for (const char *at = name; *at != '\0'; at++)
    {
      GDateTime *time;
      gsize length;

      if ((at > name && g_ascii_isdigit (at[-1])) || !take_time (at, &time, &length))
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
