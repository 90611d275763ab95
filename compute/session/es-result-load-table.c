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
#include "es-result-load-private.h"

#define MOST_COLUMNS 1000
#define MOST_DIGITS 17

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING
         ? json_node_get_string (node) : NULL;
}

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
  JsonNode *node = json_object_get_member (object, "columns");
  JsonArray *columns = node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
  g_autoptr (EsTable) table = es_table_new (get_string (object, "name"), get_string (object, "title"));

  *n_columns = columns != NULL ? json_array_get_length (columns) : 0;
  if (*n_columns == 0 || *n_columns > MOST_COLUMNS)
    {
      refuse (file, error);
      return NULL;
    }
  for (guint i = 0; i < *n_columns; i++)
    {
      JsonNode *element = json_array_get_element (columns, i);
      JsonObject *column = JSON_NODE_HOLDS_OBJECT (element) ? json_node_get_object (element) : NULL;
      JsonNode *digits = column != NULL ? json_object_get_member (column, "digits") : NULL;

      if (column == NULL || digits == NULL || !JSON_NODE_HOLDS_VALUE (digits))
        {
          refuse (file, error);
          return NULL;
        }
      es_table_add_column (table, get_string (column, "title"), get_string (column, "unit"),
                           (int) CLAMP (json_node_get_double (digits), -1, MOST_DIGITS));
    }
  return g_steal_pointer (&table);
}

EsLayer *
es_result_load_table (JsonObject *object, GFile *file, GCancellable *cancellable, GError **error)
{
  guint n, column = 0, row = 0;
  g_autoptr (EsTable) table = make_table (object, file, &n, error);
  g_autofree char *text = table != NULL ? es_text_file_load (file, NULL, cancellable, error) : NULL;
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
