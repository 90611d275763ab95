/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "base/es-file-internal.h"
#include "saving/es-output-internal.h"
#include "base/es-text-internal.h"
#include "es-write-text-private.h"
#include "es-writer.h"
#include "layer/es-layer-internal.h"

#define LINE_END "\r\n"

/* Every column of numbers names its unit; 1: there is none. */
static void
append_title (GString *text, const char *title, const char *unit)
{
  es_text_append_title (text, title, unit != NULL && *unit != '\0' ? unit : "1");
}

GString *
es_text_curve (EsCurve *curve)
{
  GString *text = g_string_new (NULL);
  const double *x = es_curve_get_x (curve);
  guint n_series = es_curve_get_n_series (curve);

  append_title (text, es_curve_get_x_title (curve), es_curve_get_x_unit (curve));
  for (guint j = 0; j < n_series; j++)
    {
      const EsCurveSeries *series = es_curve_get_series (curve, j);
      g_string_append_c (text, ',');
      append_title (text, series->title, series->unit);
    }
  g_string_append (text, LINE_END);

  for (guint i = 0; i < es_curve_get_length (curve); i++)
    {
      es_text_append_cell (text, x[i]);
      for (guint j = 0; j < n_series; j++)
        {
          g_string_append_c (text, ',');
          es_text_append_cell (text, es_curve_get_series (curve, j)->y[i]);
        }
      g_string_append (text, LINE_END);
    }
  return text;
}

GString *
es_text_table (EsTable *table)
{
  GString *text = g_string_new (NULL);
  guint n_columns = es_table_get_n_columns (table);

  for (guint j = 0; j < n_columns; j++)
    {
      if (j > 0)
        g_string_append_c (text, ',');
      if (es_table_column_is_text (table, j))
        es_text_append_title (text, es_table_get_column_title (table, j), es_table_get_column_unit (table, j));
      else
        append_title (text, es_table_get_column_title (table, j), es_table_get_column_unit (table, j));
    }
  g_string_append (text, LINE_END);

  for (guint i = 0; i < es_table_get_n_rows (table); i++)
    {
      for (guint j = 0; j < n_columns; j++)
        {
          if (j > 0)
            g_string_append_c (text, ',');
          if (es_table_column_is_text (table, j))
            es_text_append_field (text, es_table_get_text (table, i, j));
          else
            es_text_append_cell (text, es_table_get_value (table, i, j));
        }
      g_string_append (text, LINE_END);
    }
  return text;
}

/* Titles without line ends: whoever reads it back goes by lines. */
static void
append_name (GString *text, const char *name)
{
  g_autofree char *clean = g_strdelimit (g_strdup (name != NULL ? name : ""), "\r\n", ' ');

  es_text_append_field (text, clean);
}

GString *
es_text_matrix (EsMatrix *matrix)
{
  const guint n_rows = es_matrix_get_n_rows (matrix), n_columns = es_matrix_get_n_columns (matrix);
  const double *values = es_matrix_get_values (matrix);
  GString *text = g_string_new (NULL);

  append_name (text, es_matrix_get_rows_title (matrix));
  for (guint j = 0; j < n_columns; j++)
    {
      g_string_append_c (text, ',');
      append_name (text, es_matrix_get_column_title (matrix, j));
    }
  g_string_append (text, LINE_END);
  for (guint i = 0; i < n_rows; i++)
    {
      append_name (text, es_matrix_get_row_title (matrix, i));
      for (guint j = 0; j < n_columns; j++)
        {
          g_string_append_c (text, ',');
          es_text_append_cell (text, values[(gsize) i * n_columns + j]);
        }
      g_string_append (text, LINE_END);
    }
  return text;
}

static gboolean
write_text (GString *text, GFile *target, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);
  const EsOutput *output;

  if (path == NULL || (output = es_outputs_add (outputs, path, TRUE, error)) == NULL)
    return FALSE;
  return es_file_write (output->fd, output->path, text->str, text->len, error)
         && es_outputs_commit (outputs, error);
}

gboolean
es_write_curve_csv (EsCurve *curve, GFile *target, GError **error)
{
  GString *text = es_text_curve (curve);
  gboolean written = write_text (text, target, error);

  g_string_free (text, TRUE);
  return written;
}

gboolean
es_write_table_csv (EsTable *table, GFile *target, GError **error)
{
  GString *text = es_text_table (table);
  gboolean written = write_text (text, target, error);

  g_string_free (text, TRUE);
  return written;
}

gboolean
es_write_matrix_csv (EsMatrix *matrix, GFile *target, GError **error)
{
  GString *text = es_text_matrix (matrix);
  gboolean written = write_text (text, target, error);

  g_string_free (text, TRUE);
  return written;
}
