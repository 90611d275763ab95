/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-envi-header-internal.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "es-error.h"

/* A list of 65,535 band names is some 2 MB. */
#define LONGEST ((gsize) 32 * 1024 * 1024)
/* No cube has as many bands: what a list has beyond is not made into strings and numbers. */
#define LONGEST_LIST 70000

struct _EsEnviHeader
{
  char       *name;
  GHashTable *fields;          /* folded name to value */
  GPtrArray  *order;           /* of char *: folded names as the file has them, each once */
};

void
es_envi_header_free (EsEnviHeader *self)
{
  g_free (self->name);
  g_hash_table_unref (self->fields);
  g_ptr_array_unref (self->order);
  g_free (self);
}

const char *
es_envi_header_get_name (EsEnviHeader *self)
{
  return self->name;
}

static gsize
skip_mark (const guint8 *bytes, gsize length)
{
  return length >= 3 && memcmp (bytes, "\357\273\277", 3) == 0 ? 3 : 0;
}

gboolean
es_envi_header_is_one (const guint8 *bytes, gsize length)
{
  gsize i = skip_mark (bytes, length);

  if (length < i + 4 || memcmp (bytes + i, "ENVI", 4) != 0)
    return FALSE;
  for (i += 4; i < length && (bytes[i] == ' ' || bytes[i] == '\t'); i++)
    ;
  return i == length || bytes[i] == '\n' || bytes[i] == '\r';
}

/* Whether a file, and no pipe or device, at that path begins as a header does. */
gboolean
es_envi_header_is_at (const char *path)
{
  guint8 head[64];
  struct stat status;

  if (stat (path, &status) != 0 || !S_ISREG (status.st_mode))
    return FALSE;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  ssize_t n = fd < 0 ? -1 : read (fd, head, sizeof head);

  if (fd >= 0)
    close (fd);
  return n > 0 && es_envi_header_is_one (head, (gsize) n);
}

/* "Wavelength_Units  " and "wavelength units" are the same field. */
static char *
fold_field (const char *text, gsize length)
{
  GString *folded = g_string_sized_new (length);

  for (gsize i = 0; i < length; i++)
    if (g_ascii_isspace (text[i]) || text[i] == '_')
      {
        if (folded->len > 0 && folded->str[folded->len - 1] != ' ')
          g_string_append_c (folded, ' ');
      }
    else
      g_string_append_c (folded, g_ascii_tolower (text[i]));

  if (folded->len > 0 && folded->str[folded->len - 1] == ' ')
    g_string_truncate (folded, folded->len - 1);
  return g_string_free (folded, FALSE);
}

/* Lines end with \n, \r\n or a lone \r. Returns the next line's start; *stop is this one's end. */
static const char *
next_line (const char *line, const char *end, const char **stop)
{
  const char *p = line;

  while (p < end && *p != '\n' && *p != '\r')
    p++;
  *stop = p;
  if (p < end && *p == '\r' && p + 1 < end && p[1] == '\n')
    return p + 2;
  return p < end ? p + 1 : end;
}

static gboolean
is_comment (const char *line, const char *stop)
{
  while (line < stop && g_ascii_isspace (*line))
    line++;
  return line < stop && *line == ';';
}

/* Reads on from behind an opening brace to the closing one. NULL where there is none. */
static const char *
read_braces (const char *from, const char *end, GString *value)
{
  while (from < end)
    {
      const char *stop, *next = next_line (from, end, &stop), *brace;

      if (!is_comment (from, stop))
        {
          brace = memchr (from, '}', stop - from);
          g_string_append_len (value, from, (brace != NULL ? brace : stop) - from);
          if (brace != NULL)
            return next;
          g_string_append_c (value, '\n');
        }
      from = next;
    }
  return NULL;
}

static gboolean
read_fields (EsEnviHeader *self, const char *text, const char *end, GError **error)
{
  const char *line = text, *stop;

  while (line < end)
    {
      const char *next = next_line (line, end, &stop), *equals;
      g_autoptr (GString) value = NULL;

      equals = is_comment (line, stop) ? NULL : memchr (line, '=', stop - line);
      if (equals != NULL)
        {
          g_autofree char *field = fold_field (line, equals - line);
          const char *start = equals + 1;

          while (start < stop && g_ascii_isspace (*start))
            start++;
          value = g_string_new (NULL);
          if (start < stop && *start == '{')
            {
              next = read_braces (start + 1, end, value);
              if (next == NULL)
                {
                  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                               _("The list “%s” in the header “%s” has no closing brace"), field, self->name);
                  return FALSE;
                }
            }
          else
            g_string_append_len (value, start, stop - start);

          if (*field != '\0' && !g_hash_table_contains (self->fields, field))
            g_ptr_array_add (self->order, g_strdup (field));
          if (*field != '\0')
            g_hash_table_replace (self->fields, g_steal_pointer (&field),
                                  g_strdup (g_strstrip (value->str)));
        }
      line = next;
    }
  return TRUE;
}

EsEnviHeader *
es_envi_header_parse (const char *text, gsize length, const char *name, GError **error)
{
  g_autoptr (EsEnviHeader) self = NULL;
  g_autofree char *converted = NULL;
  gsize mark = skip_mark ((const guint8 *) text, length);

  if (!es_envi_header_is_one ((const guint8 *) text, length) || memchr (text, '\0', length) != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is not an ENVI header: its first line is not the word ENVI"), name);
      return NULL;
    }
  if (!g_utf8_validate (text, (gssize) length, NULL))
    {
      converted = g_convert (text, (gssize) length, "UTF-8", "ISO-8859-1", NULL, &length, NULL);
      if (converted == NULL)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("The header “%s” is not text in UTF-8 or Latin-1"), name);
          return NULL;
        }
      text = converted;
      mark = 0;
    }

  self = g_new0 (EsEnviHeader, 1);
  self->name = g_strdup (name);
  self->fields = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->order = g_ptr_array_new_with_free_func (g_free);
  if (!read_fields (self, text + mark, text + length, error))
    return NULL;
  return g_steal_pointer (&self);
}

EsEnviHeader *
es_envi_header_load (const char *path, const char *name, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autofree char *text = NULL;
  struct stat status;
  gsize length;

  if (stat (path, &status) == 0 && (!S_ISREG (status.st_mode) || (guint64) status.st_size > LONGEST))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is too large for the header of an ENVI file"), name);
      return NULL;
    }
  if (!g_file_get_contents (path, &text, &length, &failure))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("The header “%s” cannot be read: %s"), name,
                   failure->message);
      return NULL;
    }
  return es_envi_header_parse (text, length, name, error);
}

const char *
es_envi_header_get_field (EsEnviHeader *self, guint i)
{
  return i < self->order->len ? g_ptr_array_index (self->order, i) : NULL;
}

const char *
es_envi_header_get (EsEnviHeader *self, const char *field)
{
  const char *value = g_hash_table_lookup (self->fields, field);

  return value != NULL && *value != '\0' ? value : NULL;
}

gboolean
es_envi_header_get_count (EsEnviHeader *self, const char *field, guint64 fallback, guint64 *value,
                          GError **error)
{
  const char *text = es_envi_header_get (self, field);
  g_autoptr (GError) failure = NULL;

  if (text == NULL)
    {
      *value = fallback;
      if (fallback != G_MAXUINT64)
        return TRUE;
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("The header “%s” has no field “%s”"),
                   self->name, field);
      return FALSE;
    }
  if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64 - 1, value, &failure))
    {
      g_autofree char *shown = g_utf8_substring (text, 0, MIN (g_utf8_strlen (text, -1), 40));

      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("The field “%s” of the header “%s” is “%s”; a whole number was expected"),
                   field, self->name, shown);
      return FALSE;
    }
  return TRUE;
}

char **
es_envi_header_get_strings (EsEnviHeader *self, const char *field, guint *n)
{
  const char *text = es_envi_header_get (self, field);
  char **parts;

  *n = 0;
  if (text == NULL)
    return NULL;
  parts = g_strsplit (text, ",", LONGEST_LIST);
  for (char **part = parts; *part != NULL; part++)
    {
      g_strstrip (*part);
      *n += 1;
    }
  /* "1, 2, 3," is a list of three. */
  if (*n > 1 && *parts[*n - 1] == '\0')
    g_clear_pointer (&parts[--*n], g_free);
  return parts;
}

double *
es_envi_header_get_doubles (EsEnviHeader *self, const char *field, guint *n, gboolean *broken)
{
  const char *text = es_envi_header_get (self, field);
  g_autoptr (GArray) values = NULL;

  *n = 0;
  *broken = FALSE;
  if (text == NULL)
    return NULL;

  values = g_array_new (FALSE, FALSE, sizeof (double));
  while (*text != '\0' && values->len < LONGEST_LIST)
    {
      char *end;
      double value;

      if (g_ascii_isspace (*text) || *text == ',')
        {
          text++;
          continue;
        }
      value = g_ascii_strtod (text, &end);
      if (end == text || (*end != '\0' && *end != ',' && !g_ascii_isspace (*end)))
        {
          *broken = TRUE;
          return NULL;
        }
      g_array_append_val (values, value);
      text = end;
    }
  *n = values->len;
  return *n > 0 ? (double *) g_array_free (g_steal_pointer (&values), FALSE) : NULL;
}
