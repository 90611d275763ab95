/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Tables of a saved result: CSV as the writer makes it (RFC 4180), columns as result.json describes them. */

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"
#include "base/es-text-file-internal.h"
#include "result/es-saved-internal.h"
#include "es-result-load-private.h"

/* Every cell is kept as text, too. */
#define LARGEST_TEXT (ES_RESULT_LARGEST_TEXT / 4)
#define MOST_COLUMNS 1000
#define MOST_DIGITS (ES_TABLE_SIGNIFICANT + 17)

static gboolean
refuse (GFile *file, GError **error)
{
  g_autofree char *name = es_error_file_name (file);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s” is not a layer of its result: its columns are not those that result.json tells."), name);
  return FALSE;
}

/* The next cell, in place: *text goes behind it, *last tells that its row ends with it. FALSE: the text has ended. */
static gboolean
next_cell (char **text, char **cell, gboolean *last)
{
  char *from = *text, *to;

  if (*from == '\0')
    return FALSE;
  if (*from == '"')
    {
      *cell = to = ++from;
      for (; *from != '\0'; from++)
        {
          if (*from == '"' && from[1] != '"')
            break;
          from += *from == '"';
          *to++ = *from;
        }
      from += *from == '"';
    }
  else
    {
      *cell = from;
      while (*from != '\0' && *from != ',' && *from != '\r' && *from != '\n')
        from++;
      to = from;
    }
  *last = *from != ',';
  if (*from == '\r' && from[1] == '\n')
    from++;
  if (*from != '\0')
    from++;
  *to = '\0';
  *text = from;
  return TRUE;
}

static EsTable *
make_table (JsonObject *object, GFile *file, guint *n_columns, GError **error)
{
  g_autoptr (EsTable) table = es_table_new (es_saved_get_string (object, "name"),
                                            es_saved_get_string (object, "title"));
  JsonArray *columns;

  *n_columns = es_saved_get_array (object, "columns", &columns);
  if (*n_columns == 0 || *n_columns > MOST_COLUMNS)
    {
      refuse (file, error);
      return NULL;
    }
  for (guint i = 0; i < *n_columns; i++)
    {
      JsonObject *column = es_saved_get_element (columns, i);
      const double digits = es_saved_get_number (column, "digits", NAN);

      if (isnan (digits))
        {
          refuse (file, error);
          return NULL;
        }
      es_table_add_column (table, es_saved_get_text (column, "title", ""), es_saved_get_string (column, "unit"),
                           (int) CLAMP (digits, -1, MOST_DIGITS));
    }
  return g_steal_pointer (&table);
}

EsLayer *
es_result_load_table (JsonObject *object, GFile *file, GCancellable *cancellable, GError **error)
{
  guint n, column = 0, row = 0;
  g_autoptr (EsTable) table = make_table (object, file, &n, error);
  g_autofree char *text = table != NULL ? es_text_file_load_at_most (file, LARGEST_TEXT, NULL, cancellable, error)
                                        : NULL;
  g_autofree gconstpointer *cells = NULL;
  g_autofree double *values = NULL;
  gboolean last = TRUE;
  char *at = text, *cell;

  if (text == NULL)
    return NULL;
  cells = g_new (gconstpointer, n);
  values = g_new (double, n);
  while (next_cell (&at, &cell, &last))
    {
      if (column < n && es_table_column_is_text (table, column))
        cells[column] = cell;
      else if (column < n)
        {
          values[column] = *cell != '\0' ? g_ascii_strtod (cell, NULL) : NAN;
          cells[column] = &values[column];
        }
      column++;
      if (!last)
        continue;
      if (column != n)
        {
          refuse (file, error);
          return NULL;
        }
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (row++ > 0)           /* titles */
        es_table_add_row (table, cells);
      column = 0;
    }
  if (row == 0 || column != 0)
    {
      refuse (file, error);
      return NULL;
    }
  return ES_LAYER (g_steal_pointer (&table));
}
