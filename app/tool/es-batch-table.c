/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A table on a terminal. */

#include "es-batch-tool.h"

guint
es_batch_count_columns (const char *text)
{
  guint columns = 0;

  for (; *text != '\0'; text = g_utf8_next_char (text))
    columns += g_unichar_iszerowidth (g_utf8_get_char (text)) ? 0 : g_unichar_iswide (g_utf8_get_char (text)) ? 2 : 1;
  return columns;
}

char *
es_batch_pad (const char *text, guint width)
{
  const guint columns = es_batch_count_columns (text), space = width > columns ? width - columns : 0;

  return g_strdup_printf ("%s%*s", text, (int) space, "");
}

static void
print_cell (const char *text, guint width, gboolean left)
{
  const guint columns = es_batch_count_columns (text), space = width > columns ? width - columns : 0;

  if (left)
    g_print ("%s%*s", text, (int) space, "");
  else
    g_print ("%*s%s", (int) space, "", text);
}

static char *
make_heading (EsTable *table, guint column)
{
  const char *unit = es_table_get_column_unit (table, column);

  return unit != NULL ? g_strdup_printf ("%s (%s)", es_table_get_column_title (table, column), unit)
                      : g_strdup (es_table_get_column_title (table, column));
}

/* Marks stand behind texts, and before numbers, whose ends stay below each other. */
static char *
make_cell (EsTable *table, guint row, guint column)
{
  const char *text = es_table_get_text (table, row, column), *mark = es_table_get_mark (table, row, column);

  if (mark == NULL)
    return g_strdup (text);
  return column == 0 ? g_strdup_printf ("%s [%s]", text, mark) : g_strdup_printf ("[%s] %s", mark, text);
}

void
es_batch_print_table (EsTable *table, const char *indent)
{
  const guint n = es_table_get_n_columns (table), rows = es_table_get_n_rows (table) + 1;
  g_autofree guint *widths = g_new0 (guint, n);
  g_autoptr (GPtrArray) cells = g_ptr_array_new_with_free_func (g_free);

  for (guint r = 0; r < rows; r++)
    for (guint c = 0; c < n; c++)
      {
        char *cell = r == 0 ? make_heading (table, c) : make_cell (table, r - 1, c);

        g_ptr_array_add (cells, cell);
        widths[c] = MAX (widths[c], es_batch_count_columns (cell));
      }
  for (guint r = 0; r < rows; r++)
    {
      g_print ("%s", indent);
      for (guint c = 0; c < n; c++)
        {
          print_cell (g_ptr_array_index (cells, r * n + c), widths[c], c == 0);
          g_print ("%s", c + 1 < n ? "  " : "\n");
        }
    }
}
