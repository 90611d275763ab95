/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-navigation-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-csv-rows-internal.h"
#include "base/es-error.h"
#include "base/es-text-file-internal.h"
#include "base/es-text-show.h"
#include "saving/es-json-file-internal.h"

#define LARGEST_FILE ((gsize) 128 << 20)
#define LONGEST_QUOTE 40

gpointer
es_navigation_refuse (GError **error, const char *name, char *message)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, "“%s”: %s", name, message);
  g_free (message);
  return NULL;
}

/* ---- tables ---- */

typedef struct { int heading, seconds, clock, other_heading; } Columns;

/* A clock may be told in whole seconds, and so may the start. */
#define LARGEST_DIFFERENCE 1.5

static gboolean
is_one_of (const char *title, const char *const *names)
{
  g_autofree char *plain = g_ascii_strdown (title, -1);

  return g_strv_contains (names, g_strdelimit (plain, " -()[]", '_'));
}

static gboolean
read_head (EsCsvRows *rows, Columns *columns)
{
  static const char *const headings[] = { "heading", "heading_deg", "heading_true", "heading_true_deg", "heading__deg_",
                                          "hdg", "yaw_true_deg", NULL };
  static const char *const seconds[] = { "time_s", "seconds", "t", "t_s", "time__s_", "elapsed_s", NULL };
  static const char *const clocks[] = { "time", "time_utc", "utc", "datetime", "timestamp", "date_time", NULL };

  *columns = (Columns) { -1, -1, -1, -1 };
  for (guint i = 0; i < rows->fields->len; i++)
    {
      const char *title = g_ptr_array_index (rows->fields, i);

      if (is_one_of (title, headings))
        {
          if (columns->heading < 0)
            columns->heading = (int) i;
          else
            columns->other_heading = (int) i;
        }
      else if (columns->seconds < 0 && is_one_of (title, seconds))
        columns->seconds = (int) i;
      else if (columns->clock < 0 && is_one_of (title, clocks))
        columns->clock = (int) i;
    }
  return columns->heading >= 0 && (columns->seconds >= 0 || columns->clock >= 0);
}

/* What one cannot take is not shown whole: it may be the rest of the file. */
char *
es_navigation_quote (const char *text)
{
  g_autofree char *shown = es_text_show (text);

  if (g_utf8_strlen (shown, -1) <= LONGEST_QUOTE)
    return g_steal_pointer (&shown);
  g_autofree char *begin = g_utf8_substring (shown, 0, LONGEST_QUOTE - 1);
  return g_strconcat (begin, "…", NULL);
}

static const char *
field_of (EsCsvRows *rows, int column)
{
  return column >= 0 && (guint) column < rows->fields->len ? g_ptr_array_index (rows->fields, column) : "";
}

static gboolean
read_number (const char *text, double *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

/* Microseconds of GLib's, exact to a microsecond over centuries. */
static double
seconds_between (GDateTime *from, GDateTime *to)
{
  return (double) g_date_time_difference (to, from) / 1e6;
}

/* Seconds and a clock that tell different times: nobody knows which of them is meant. */
static gboolean
check_clock (EsCsvRows *rows, const Columns *columns, const char *name, GDateTime *start, double time, GError **error)
{
  const char *text = field_of (rows, columns->clock);
  g_autoptr (GDateTime) clock = start != NULL && *text != '\0' ? es_navigation_parse_start (text, NULL) : NULL;
  g_autofree char *shown = NULL;

  if (clock == NULL || fabs (seconds_between (start, clock) - time) <= LARGEST_DIFFERENCE)
    return TRUE;
  shown = es_navigation_quote (text);
  es_navigation_refuse (error, name,
                        g_strdup_printf (_("line %u is of %.3f s and of “%s”, which is %.3f s after the recording "
                                           "began; expected one time, or two that agree."), rows->row_line, time,
                                         shown, seconds_between (start, clock)));
  return FALSE;
}

static gboolean
read_row (EsCsvRows *rows, const Columns *columns, const char *name, GDateTime *start, double *time, double *heading,
          GError **error)
{
  const char *text = field_of (rows, columns->heading);
  g_autoptr (GDateTime) clock = NULL;
  g_autofree char *shown = NULL;

  if (!read_number (text, heading) || fabs (*heading) > 360)
    {
      shown = es_navigation_quote (text);
      es_navigation_refuse (error, name, g_strdup_printf (_("line %u has “%s” for the heading, expected degrees "
                                                            "clockwise from true north, 0 to 360."), rows->row_line,
                                                          shown));
      return FALSE;
    }
  if (columns->seconds >= 0)
    {
      text = field_of (rows, columns->seconds);
      if (read_number (text, time) && fabs (*time) < ES_NAVIGATION_LARGEST_TIME)
        return check_clock (rows, columns, name, start, *time, error);
      shown = es_navigation_quote (text);
      es_navigation_refuse (error, name, g_strdup_printf (_("line %u has “%s” for the time, expected seconds from the "
                                                            "beginning of the recording."), rows->row_line, shown));
      return FALSE;
    }
  text = field_of (rows, columns->clock);
  clock = es_navigation_parse_start (text, NULL);
  if (clock == NULL)
    {
      shown = es_navigation_quote (text);
      es_navigation_refuse (error, name, g_strdup_printf (_("line %u has “%s” for the time, expected one as in "
                                                            "2026-05-01T12:00:00Z."), rows->row_line, shown));
      return FALSE;
    }
  *time = seconds_between (start, clock);
  return TRUE;
}

EsNavigation *
es_navigation_read_table (const char *text, gsize length, const char *name, GDateTime *start, GError **error)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) headings = g_array_new (FALSE, FALSE, sizeof (double));
  EsCsvRows rows = { text, text + length, 1, ',', 1, fields, FALSE };
  Columns columns;
  EsNavigation *self;

  rows.separator = es_csv_find_separator (rows.next, rows.end);
  if (!es_csv_read_row (&rows) || !read_head (&rows, &columns))
    return es_navigation_refuse (error, name,
                                 g_strdup (_("there are no headings in it, expected a line of titles with "
                                             "“heading_deg” and “time_s” (seconds from the beginning) or “time” "
                                             "(clock), and a line a heading.")));
  if (columns.other_heading >= 0)
    {
      g_autofree char *one = es_navigation_quote (g_ptr_array_index (fields, (guint) columns.heading));
      g_autofree char *other = es_navigation_quote (g_ptr_array_index (fields, (guint) columns.other_heading));

      return es_navigation_refuse (error, name, g_strdup_printf (_("there are two columns of headings, “%s” and “%s”, "
                                                                   "expected one."), one, other));
    }
  if (columns.seconds < 0 && start == NULL)
    return es_navigation_refuse (error, name,
                                 g_strdup (_("its headings are of a clock, and nobody knows when the recording began: "
                                             "tell its start first.")));
  while (es_csv_read_row (&rows))
    {
      double time, heading;

      if (!read_row (&rows, &columns, name, start, &time, &heading, error))
        return NULL;
      if (times->len > 0 && !(time > g_array_index (times, double, times->len - 1)))
        return es_navigation_refuse (error, name,
                                     g_strdup_printf (_("line %u is of %.3f s, and the heading before it of %.3f s; "
                                                        "expected times that ascend."), rows.row_line, time,
                                                      g_array_index (times, double, times->len - 1)));
      g_array_append_val (times, time);
      g_array_append_val (headings, heading);
      if (headings->len > ES_NAVIGATION_MOST_HEADINGS)
        break;
    }
  if (rows.too_wide)
    return es_navigation_refuse (error, name, g_strdup_printf (_("line %u has more than %d columns."), rows.row_line,
                                                               ES_CSV_MOST_COLUMNS));
  if (headings->len == 0)
    return es_navigation_refuse (error, name, g_strdup (_("there is no heading in it, expected a line a heading.")));
  self = es_navigation_new (start, (double *) times->data, (double *) headings->data, headings->len, error);
  if (self == NULL)
    g_prefix_error (error, "“%s”: ", name);
  else if (columns.seconds < 0)
    {
      EsNavigation *timed = es_navigation_by_clock (self);

      es_navigation_unref (self);
      self = timed;
    }
  return self;
}

/* ---- files ---- */

EsNavigation *
es_navigation_load (GFile *file, GDateTime *start, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, NULL, error);
  g_autoptr (EsNavigation) plain = NULL;
  const char *first = text;

  if (text == NULL)
    return NULL;
  if (memchr (text, '\0', length) != NULL || !g_utf8_validate_len (text, length, NULL))
    return es_navigation_refuse (error, name, g_strdup (_("this is no text, expected headings as JSON or CSV.")));
  if (g_str_has_prefix (first, "\xef\xbb\xbf"))
    first += 3;
  while (g_ascii_isspace (*first))
    first++;
  length -= (gsize) (first - text);
  plain = *first == '{' || *first == '[' ? es_navigation_read_json (first, length, name, error)
                                         : es_navigation_read_table (first, length, name, start, error);
  if (plain == NULL)
    return NULL;
  if (es_navigation_get_start (plain) != NULL || start == NULL)
    return es_navigation_with_source (plain, ES_NAVIGATION_NAMED, file);
  g_autoptr (EsNavigation) timed = es_navigation_with_start (plain, start);
  return es_navigation_with_source (timed, ES_NAVIGATION_NAMED, file);
}

GFile *
es_navigation_sidecar_of (GFile *recording)
{
  return es_json_file_beside (recording, ES_NAVIGATION_ENDING);
}

gboolean
es_navigation_is_file (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);

  return name != NULL && g_str_has_suffix (name, ES_NAVIGATION_ENDING);
}
