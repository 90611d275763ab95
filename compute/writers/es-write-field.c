/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-file-internal.h"
#include "base/es-text-internal.h"
#include "layer/es-layer-internal.h"
#include "es-write-field-private.h"

#define LINE_END "\r\n"
/* Rows that are read and written at a time, in samples. */
#define CHUNK_SAMPLES 65536

/* The shortest level that reads back as the same power. */
static void
append_level (GString *text, float power)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  const double level = 10 * log10 (power);

  if (!isfinite (level))
    {
      es_text_append_number (text, level);
      return;
    }
  for (int digits = 7; digits <= 17; digits++)
    {
      char format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, level);
      if (es_field_power_of_level (g_ascii_strtod (buffer, NULL)) == power)
        break;
    }
  g_string_append (text, buffer);
}

/* The shortest text that reads back as the same float. */
static void
append_float (GString *text, float value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];

  for (int digits = 6; digits <= 9; digits++)
    {
      char format[8];
      g_snprintf (format, sizeof format, "%%.%dg", digits);
      g_ascii_formatd (buffer, sizeof buffer, format, value);
      if ((float) g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  g_string_append (text, buffer);
}

/* What rows, columns and values are, and in which unit: "Time (s) × Bearing (°): Level (dB)". */
static void
append_corner (GString *text, EsField *field)
{
  const EsAxis *rows = es_field_get_rows (field), *columns = es_field_get_columns (field);
  g_autofree char *of_values = es_field_describe_values (field);
  g_autofree char *corner = g_strdup_printf ("%s (%s) × %s (%s): %s (%s)", rows->title != NULL ? rows->title : "",
                                             rows->unit != NULL ? rows->unit : "1",
                                             columns->title != NULL ? columns->title : "",
                                             columns->unit != NULL ? columns->unit : "1",
                                             es_layer_get_title (ES_LAYER (field)),
                                             of_values != NULL ? of_values : "1");

  es_text_append_field (text, corner);
}

static gboolean
flush (const EsOutput *output, GString *text, GError **error)
{
  const gboolean written = es_file_write (output->fd, output->path, text->str, text->len, error);

  g_string_truncate (text, 0);
  return written;
}

gboolean
es_write_field_text (EsField *field, const EsOutput *output, GCancellable *cancellable, GError **error)
{
  const EsAxis *rows = es_field_get_rows (field), *columns = es_field_get_columns (field);
  const gboolean levels = es_field_get_reference (field) != NULL;
  const guint at_a_time = MAX (1, CHUNK_SAMPLES / columns->n);
  g_autofree float *values = g_new (float, (gsize) MIN (at_a_time, MAX (rows->n, 1)) * columns->n);
  g_autoptr (GString) text = g_string_new (NULL);

  append_corner (text, field);
  for (guint j = 0; j < columns->n; j++)
    {
      g_string_append_c (text, ',');
      es_text_append_number (text, columns->values[j]);
    }
  g_string_append (text, LINE_END);

  for (guint first = 0; first < rows->n; first += at_a_time)
    {
      const guint n = MIN (at_a_time, rows->n - first);

      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !es_field_read (field, first, n, values, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        {
          const float *row = values + (gsize) i * columns->n;

          es_text_append_number (text, rows->values[first + i]);
          for (guint j = 0; j < columns->n; j++)
            {
              g_string_append_c (text, ',');
              if (isnan (row[j]))
                continue;
              if (levels)
                append_level (text, row[j]);
              else
                append_float (text, row[j]);
            }
          g_string_append (text, LINE_END);
        }
      if (!flush (output, text, error))
        return FALSE;
    }
  return flush (output, text, error);
}

gboolean
es_write_field_csv (EsField *field, GFile *target, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);
  const EsOutput *output = path != NULL ? es_outputs_add (outputs, path, TRUE, error) : NULL;

  return output != NULL && es_write_field_text (field, output, cancellable, error)
         && !g_cancellable_set_error_if_cancelled (cancellable, error) && es_outputs_commit (outputs, error);
}
