/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is known of the navigation, in words; times as text. */

#include "es-navigation-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* A recording is looked at in so many places for a heading. */
#define LOOKS 2000

/* A second that is put in, which no count of seconds has: it would become another. */
static gboolean
is_leap_second (const char *text)
{
  const char *at = strpbrk (text, "Tt");
  guint n = 0;

  if (at == NULL)
    return FALSE;
  for (at++; *at != '\0' && n < 4; at++)
    if (g_ascii_isdigit (*at))
      n++;
    else if (*at != ':')
      return FALSE;
  if (*at == ':')
    at++;
  return n == 4 && at[0] == '6' && at[1] == '0';
}

GDateTime *
es_navigation_parse_start (const char *text, GError **error)
{
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autofree char *clean = g_strstrip (g_strdup (text));
  GDateTime *time;

  /* "2026-05-01 12:00:00" as people write it. */
  if (g_utf8_strlen (clean, -1) > 10 && clean[10] == ' ')
    clean[10] = 'T';
  time = is_leap_second (clean) ? NULL : g_date_time_new_from_iso8601 (clean, utc);
  if (time == NULL)
    {
      g_autofree char *shown = es_navigation_quote (text);

      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                   _("“%s” is no time, expected a date and a time of day as in 2026-05-01T12:00:00Z."), shown);
      return NULL;
    }
  return time;
}

/* Years before 1000 have four digits as all others: %C%y, where %Y has less. */
char *
es_navigation_format_time (GDateTime *start, double seconds)
{
  g_autoptr (GDateTime) utc = g_date_time_to_utc (start), time = NULL;
  g_autofree char *text = NULL;

  if (fabs (seconds) < ES_NAVIGATION_LARGEST_TIME)
    {
      /* Milliseconds of the clock, rounded once. */
      const double fraction = g_date_time_get_microsecond (utc);
      const double clock = rint ((fraction + seconds * 1e6) / 1000) * 1000;

      time = g_date_time_add (utc, (GTimeSpan) (clock - fraction));
    }
  text = time != NULL ? g_date_time_format (time, "%C%y-%m-%dT%H:%M:%S") : NULL;
  return text != NULL ? g_strdup_printf ("%s.%03dZ", text, g_date_time_get_microsecond (time) / 1000)
                      : g_strdup ("");
}

char *
es_navigation_describe (EsNavigation *self)
{
  GDateTime *start = es_navigation_get_start (self);
  const guint n = es_navigation_get_n_headings (self);
  GString *text = g_string_new (NULL);

  if (start != NULL)
    {
      g_autofree char *time = g_date_time_format (start, "%C%y-%m-%d %H:%M:%S");

      g_string_append_printf (text, _("began %s UTC"), time);
    }
  if (start != NULL && n > 0)
    g_string_append (text, "; ");
  if (es_navigation_is_fixed (self))
    g_string_append_printf (text, _("heading %.6g°"), es_navigation_get_heading (self, 0));
  else if (n > 0)
    g_string_append_printf (text, g_dngettext (GETTEXT_PACKAGE, "%u heading from %.6g to %.6g s",
                                               "%u headings from %.6g to %.6g s", n),
                            n, es_navigation_get_times (self)[0], es_navigation_get_times (self)[n - 1]);
  return g_string_free (text, FALSE);
}

char *
es_navigation_tell_gaps (EsNavigation *self, double seconds)
{
  guint missing = 0;
  double first = NAN;

  if (es_navigation_get_n_headings (self) == 0)
    return NULL;
  for (guint i = 0; i < LOOKS; i++)
    {
      const double time = seconds * (i + 0.5) / LOOKS;

      if (!isnan (es_navigation_get_heading (self, time)))
        continue;
      if (missing++ == 0)
        first = i > 0 ? time : 0;
    }
  if (missing == 0)
    return NULL;
  return g_strdup_printf (_("The heading is not known for %.3g %% of the recording, first at about %.4g s: there are "
                            "no true bearings there."), 100. * missing / LOOKS, first);
}
