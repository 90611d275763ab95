/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* JSON looked through before a parser sees it that calls itself for every bracket: RFC 8259, without recursion. */

#include "es-json-check-private.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "es-error.h"

/* Ours have five levels, SigMF's seven. A tree takes about 150 bytes a value. */
#define DEEPEST_NESTING 64
#define MOST_VALUES 10000000
/* Digits that no double's range ends within. */
#define SHORT_NUMBER 300

typedef struct
{
  const char *at;                       /* a NUL ends the text */
  const char *found;                    /* what is wrong there, for people */
  gboolean    too_much;
  guint       depth, values;
  guint64     members;
  char        closing[DEEPEST_NESTING]; /* of the brackets that are open */
  gboolean    look_for_names;
  GHashTable *names[DEEPEST_NESTING];   /* of the object at that depth */
} Scan;

static gboolean
refuse (Scan *scan, const char *found)
{
  scan->found = found;
  return FALSE;
}

static gboolean
refuse_amount (Scan *scan, const char *found)
{
  scan->too_much = TRUE;
  return refuse (scan, found);
}

static void
skip_space (Scan *scan)
{
  scan->at += strspn (scan->at, " \t\r\n");
}

/* Four hexadecimal digits. */
static gboolean
read_unit (Scan *scan, guint *unit)
{
  *unit = 0;
  for (guint i = 0; i < 4; i++, scan->at++)
    {
      if (!g_ascii_isxdigit (*scan->at))
        return refuse (scan, _("expected four hexadecimal digits behind “\\u”"));
      *unit = *unit << 4 | (guint) g_ascii_xdigit_value (*scan->at);
    }
  return TRUE;
}

/* Behind "\u". */
static gboolean
read_character (Scan *scan, gunichar *character)
{
  guint first, second;

  if (!read_unit (scan, &first))
    return FALSE;
  *character = first;
  if (first == 0)
    return refuse (scan, _("a text contains the character U+0000"));
  if (first >= 0xd800 && first <= 0xdbff)
    {
      if (scan->at[0] != '\\' || scan->at[1] != 'u')
        return refuse (scan, _("a text contains one half of a surrogate pair"));
      scan->at += 2;
      if (!read_unit (scan, &second))
        return FALSE;
      if (second < 0xdc00 || second > 0xdfff)
        return refuse (scan, _("a text contains one half of a surrogate pair"));
      *character = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
    }
  else if (first >= 0xdc00 && first <= 0xdfff)
    return refuse (scan, _("a text contains one half of a surrogate pair"));
  return TRUE;
}

/* Behind the quotation mark that begins it; what it says is appended to `said`, which may be NULL. */
static gboolean
read_text (Scan *scan, GString *said)
{
  static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";

  for (;; scan->at++)
    {
      const char *start = scan->at, *escape;
      gunichar character;

      while (*scan->at != '"' && *scan->at != '\\' && (guchar) *scan->at >= 0x20)
        scan->at++;
      if (said != NULL)
        g_string_append_len (said, start, scan->at - start);
      if (*scan->at == '"')
        break;
      if (*scan->at != '\\')
        return refuse (scan, *scan->at == '\0' ? _("a text is not closed by a quotation mark")
                                               : _("a text contains a line end or another control character"));
      scan->at++;
      if (*scan->at == 'u')
        {
          scan->at++;
          if (!read_character (scan, &character))
            return FALSE;
          if (said != NULL)
            g_string_append_unichar (said, character);
          scan->at--;
          continue;
        }
      escape = *scan->at != '\0' ? strchr (escapes, *scan->at) : NULL;
      if (escape == NULL)
        return refuse (scan, _("a text contains a backslash before a character that has no such escape"));
      if (said != NULL)
        g_string_append_c (said, meant[escape - escapes]);
    }
  scan->at++;
  return TRUE;
}

static gboolean
read_digits (Scan *scan)
{
  const char *start = scan->at;

  while (g_ascii_isdigit (*scan->at))
    scan->at++;
  return scan->at > start || refuse (scan, _("expected a digit"));
}

static gboolean
read_number (Scan *scan)
{
  const char *start = scan->at;
  gboolean whole = TRUE, exponent = FALSE;

  if (*scan->at == '-')
    scan->at++;
  if (*scan->at == '0' && g_ascii_isdigit (scan->at[1]))
    return refuse (scan, _("a number begins with 0"));
  if (!read_digits (scan))
    return FALSE;
  if (*scan->at == '.')
    {
      whole = FALSE;
      scan->at++;
      if (!read_digits (scan))
        return FALSE;
    }
  if (*scan->at == 'e' || *scan->at == 'E')
    {
      whole = FALSE;
      exponent = TRUE;
      scan->at += scan->at[1] == '+' || scan->at[1] == '-' ? 2 : 1;
      if (!read_digits (scan))
        return FALSE;
    }
  errno = 0;
  if (whole && (g_ascii_strtoll (start, NULL, 10), errno == ERANGE))
    return refuse (scan, _("a whole number is beyond 64 bits"));
  if (!whole && (exponent || scan->at - start > SHORT_NUMBER) && !isfinite (g_ascii_strtod (start, NULL)))
    return refuse (scan, _("a number is beyond 1.8e308"));
  return TRUE;
}

static gboolean
read_word (Scan *scan)
{
  static const char *const words[] = { "true", "false", "null" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (scan->at, words[i]) && !g_ascii_isalnum (scan->at[strlen (words[i])]))
      {
        scan->at += strlen (words[i]);
        return TRUE;
      }
  return refuse (scan, _("expected a value: an object, a list, a text, a number, true, false or null"));
}

/* A member's name and the colon behind it. */
static gboolean
read_name (Scan *scan)
{
  g_autoptr (GString) name = scan->look_for_names ? g_string_new (NULL) : NULL;
  const char *start;

  skip_space (scan);
  start = scan->at;
  if (*scan->at != '"')
    return refuse (scan, _("expected the name of a member in quotation marks"));
  scan->at++;
  if (!read_text (scan, name))
    return FALSE;
  if (name != NULL && !g_hash_table_add (scan->names[scan->depth - 1], g_strdup (name->str)))
    {
      scan->at = start;
      return refuse (scan, _("the name of this member stands twice in its object"));
    }
  skip_space (scan);
  if (*scan->at != ':')
    return refuse (scan, _("expected “:” behind the name of a member"));
  scan->at++;
  scan->members++;
  return TRUE;
}

/* Behind a bracket that opens; *empty where the one that closes follows. */
static gboolean
open_bracket (Scan *scan, gboolean *empty)
{
  const char closing = *scan->at == '{' ? '}' : ']';

  if (scan->depth == DEEPEST_NESTING)
    return refuse (scan, _("brackets are nested more than 64 deep"));
  scan->closing[scan->depth++] = closing;
  if (scan->look_for_names && closing == '}')
    {
      GHashTable **names = &scan->names[scan->depth - 1];
      if (*names == NULL)
        *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
      g_hash_table_remove_all (*names);
    }
  scan->at++;
  skip_space (scan);
  *empty = *scan->at == closing;
  return *empty || closing == ']' || read_name (scan);
}

/* Behind a value: what closes, then the comma before the next value. */
static gboolean
close_brackets (Scan *scan)
{
  for (; scan->depth > 0; scan->depth--, scan->at++)
    {
      const gboolean object = scan->closing[scan->depth - 1] == '}';

      skip_space (scan);
      if (*scan->at == ',')
        {
          scan->at++;
          return !object || read_name (scan);
        }
      if (*scan->at != scan->closing[scan->depth - 1])
        return refuse (scan, object ? _("expected “,” or “}” behind a member")
                                    : _("expected “,” or “]” behind a value"));
    }
  skip_space (scan);
  return TRUE;
}

static gboolean
scan_all (Scan *scan)
{
  do
    {
      gboolean empty = FALSE, good;

      skip_space (scan);
      if (++scan->values > MOST_VALUES)
        return refuse_amount (scan, _("there are more than 10 million values"));
      if (*scan->at == '{' || *scan->at == '[')
        {
          if (!open_bracket (scan, &empty))
            return FALSE;
          if (!empty)
            continue;
          good = TRUE;
        }
      else if (*scan->at == '"')
        {
          scan->at++;
          good = read_text (scan, NULL);
        }
      else
        good = *scan->at == '-' || g_ascii_isdigit (*scan->at) ? read_number (scan) : read_word (scan);
      if (!good || !close_brackets (scan))
        return FALSE;
    }
  while (scan->depth > 0);
  return *scan->at == '\0' || refuse (scan, _("expected the end of the text behind its value"));
}

static guint
line_of (const char *text, const char *at)
{
  guint line = 1;

  for (; text < at; text++)
    line += *text == '\n';
  return line;
}

gboolean
es_json_check (const char *text, gsize length, const char *name, gboolean names, guint64 *members, GError **error)
{
  Scan scan = { .at = text, .look_for_names = names };
  gboolean good;

  if (!g_utf8_validate_len (text, length, &scan.at))
    good = refuse (&scan, *scan.at == '\0' ? _("there is a NUL among the text") : _("the text is not UTF-8"));
  else
    {
      scan.at = text;
      good = scan_all (&scan);
    }
  for (guint i = 0; i < DEEPEST_NESTING; i++)
    g_clear_pointer (&scan.names[i], g_hash_table_unref);
  *members = scan.members;
  if (!good)
    g_set_error (error, ES_DATA_ERROR, scan.too_much ? ES_DATA_ERROR_SIZE : ES_DATA_ERROR_FORMAT,
                 scan.too_much ? _("“%s” holds more JSON than is read here: line %u: %s.")
                               : _("“%s” is not valid JSON: line %u: %s."),
                 name, line_of (text, scan.at), scan.found);
  return good;
}
