/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Rows of comma-separated values (RFC 4180; also semicolons and tabs). */

#include "es-csv-rows-internal.h"

/* Counted in the header, outside quotation marks. */
char
es_csv_find_separator (const char *text, const char *end)
{
  static const char separators[] = { ',', ';', '\t' };
  guint counts[G_N_ELEMENTS (separators)] = { 0 }, best = 0;
  gboolean quoted = FALSE;

  for (const char *p = text; p < end && (quoted || (*p != '\n' && *p != '\r')); p++)
    {
      if (*p == '"')
        quoted = !quoted;
      for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
        counts[i] += !quoted && *p == separators[i];
    }
  for (guint i = 0; i < G_N_ELEMENTS (separators); i++)
    if (counts[i] > counts[best])
      best = i;
  return separators[best];
}

static void
read_field (EsCsvRows *rows)
{
  g_autoptr (GString) field = g_string_new (NULL);
  gboolean quoted = FALSE;
  const char *p = rows->next;

  while (p < rows->end && (*p == ' ' || (*p == '\t' && rows->separator != '\t')))
    p++;
  if (p < rows->end && *p == '"')
    {
      quoted = TRUE;
      p++;
    }
  for (; p < rows->end; p++)
    {
      if (quoted && *p == '"' && p + 1 < rows->end && p[1] == '"')
        p++;
      else if (quoted && *p == '"')
        {
          quoted = FALSE;
          continue;
        }
      else if (!quoted && (*p == rows->separator || *p == '\n' || *p == '\r'))
        break;
      rows->line += *p == '\n';
      g_string_append_c (field, *p);
    }
  rows->next = p;
  char *valid = g_utf8_make_valid (field->str, field->len);
  g_ptr_array_add (rows->fields, g_strstrip (valid));
}

gboolean
es_csv_read_row (EsCsvRows *rows)
{
  while (rows->next < rows->end)
    {
      g_ptr_array_set_size (rows->fields, 0);
      rows->row_line = rows->line;
      for (;;)
        {
          read_field (rows);
          if (rows->next == rows->end || *rows->next != rows->separator)
            break;
          rows->too_wide = rows->fields->len == (rows->most > 0 ? rows->most : ES_CSV_MOST_COLUMNS);
          if (rows->too_wide)
            return FALSE;
          rows->next++;
        }
      if (rows->next < rows->end && *rows->next == '\r')
        rows->next++;
      else if (rows->next < rows->end && *rows->next == '\n')
        rows->next++, rows->line++;
      /* A lone carriage return ends a line too. */
      if (rows->next < rows->end && rows->next[-1] == '\r')
        {
          rows->line++;
          if (*rows->next == '\n')
            rows->next++;
        }

      gboolean empty = TRUE;
      for (guint i = 0; i < rows->fields->len; i++)
        empty = empty && *(char *) g_ptr_array_index (rows->fields, i) == '\0';
      if (!empty && *(char *) g_ptr_array_index (rows->fields, 0) != '#')
        return TRUE;
    }
  return FALSE;
}
