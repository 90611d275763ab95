/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Numbers of channels as comma-separated values: laboratories hand out one line a hydrophone. */

#include "es-calibration-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

#define MINUS "\xe2\x88\x92"

static const struct
{
  const char *title;
  gssize      offset;              /* -1: the channel */
} known[] = {
  { "channel", -1 },
  { "sensitivity_db", G_STRUCT_OFFSET (EsCalibrationNumbers, sensitivity_db) },
  { "sensitivity", G_STRUCT_OFFSET (EsCalibrationNumbers, sensitivity_db) },
  { "gain_db", G_STRUCT_OFFSET (EsCalibrationNumbers, gain_db) },
  { "gain", G_STRUCT_OFFSET (EsCalibrationNumbers, gain_db) },
  { "adc_volts", G_STRUCT_OFFSET (EsCalibrationNumbers, adc_volts) },
  { "adc", G_STRUCT_OFFSET (EsCalibrationNumbers, adc_volts) },
  { "upa_per_unit", G_STRUCT_OFFSET (EsCalibrationNumbers, upa) },
};

typedef struct
{
  const char *name;
  char        separator[2];
  GArray     *columns;             /* of int: in known, -1: not looked at */
} Table;

static char *
clean (const char *cell)
{
  g_autofree char *copy = g_strstrip (g_strdup (cell));
  gsize length = strlen (copy);

  return length >= 2 && copy[0] == '"' && copy[length - 1] == '"' ? g_strndup (copy + 1, length - 2)
                                                                  : g_steal_pointer (&copy);
}

static gboolean
read_head (Table *table, const char *line, GError **error)
{
  gboolean has_channel = FALSE, has_number = FALSE;

  table->separator[0] = strchr (line, '\t') != NULL ? '\t' : strchr (line, ';') != NULL ? ';' : ',';
  g_auto (GStrv) cells = g_strsplit (line, table->separator, -1);
  for (guint i = 0; cells[i] != NULL; i++)
    {
      g_autofree char *cell = clean (cells[i]);
      int column = -1;

      for (guint k = 0; k < G_N_ELEMENTS (known); k++)
        if (g_ascii_strcasecmp (cell, known[k].title) == 0)
          column = (int) k;
      for (guint k = 0; column >= 0 && k < table->columns->len; k++)
        {
          const int other = g_array_index (table->columns, int, k);

          if (other >= 0 && known[other].offset == known[column].offset)
            return es_calibration_refuse (error, table->name, g_strdup_printf (_("the column “%s” is there twice."),
                                                                               cell));
        }
      has_channel = has_channel || (column >= 0 && known[column].offset < 0);
      has_number = has_number || (column >= 0 && known[column].offset >= 0);
      g_array_append_val (table->columns, column);
    }
  if (has_channel && has_number)
    return TRUE;
  return es_calibration_refuse (error, table->name,
                                g_strdup (_("the first line names no calibration, expected “channel” and columns as "
                                            "“sensitivity_db”, “gain_db”, “adc_volts” or “upa_per_unit”.")));
}

/* NAN of an empty cell. */
static gboolean
read_cell (const Table *table, const char *cell, double *value)
{
  g_autoptr (GString) text = g_string_new (cell);
  char *end;

  *value = NAN;
  if (text->len == 0)
    return TRUE;
  g_string_replace (text, MINUS, "-", 0);
  if (table->separator[0] != ',')
    g_string_replace (text, ",", ".", 0);
  *value = g_ascii_strtod (text->str, &end);
  return end != text->str && *end == '\0' && isfinite (*value);
}

static gboolean
read_row (const Table *table, const char *line, guint row, EsCalibrationTold *told, GError **error)
{
  g_auto (GStrv) cells = g_strsplit (line, table->separator, -1);
  EsCalibrationNumbers numbers = ES_CALIBRATION_NOTHING, *channel;
  double number = NAN;

  if (g_strv_length (cells) > table->columns->len)
    return es_calibration_refuse (error, table->name,
                                  g_strdup_printf (_("row %u has %u cells, expected %u."), row, g_strv_length (cells),
                                                   table->columns->len));
  for (guint i = 0; cells[i] != NULL; i++)
    {
      g_autofree char *cell = clean (cells[i]);
      const int column = g_array_index (table->columns, int, i);
      double value;

      if (column < 0)
        continue;
      if (!read_cell (table, cell, &value))
        return es_calibration_refuse (error, table->name,
                                      g_strdup_printf (_("row %u has “%s” for %s, expected a finite number."), row,
                                                       cell, known[column].title));
      if (known[column].offset < 0)
        number = value;
      else
        G_STRUCT_MEMBER (double, &numbers, known[column].offset) = value;
    }
  if (!(number >= 1 && number <= ES_CALIBRATION_MOST_CHANNELS && number == rint (number)))
    return es_calibration_refuse (error, table->name,
                                  g_strdup_printf (_("row %u has no number of a channel, expected a whole one from 1 "
                                                     "on."), row));
  channel = es_calibration_told_channel (told, (guint) number - 1);
  if (!es_calibration_is_nothing (channel))
    return es_calibration_refuse (error, table->name, g_strdup_printf (_("channel %u is there twice."),
                                                                       (guint) number));
  *channel = numbers;
  return TRUE;
}

gboolean
es_calibration_read_table (const char *text, const char *name, EsCalibrationTold *told, GError **error)
{
  g_auto (GStrv) lines = g_strsplit_set (text, "\n\r", -1);
  g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (int));
  Table table = { .name = name, .columns = columns };
  gboolean has_head = FALSE;
  guint row = 0;

  for (char **line = lines; *line != NULL; line++)
    {
      g_strchomp (*line);
      if (**line == '\0' || **line == '#')
        continue;
      if (has_head ? !read_row (&table, *line, ++row, told, error) : !read_head (&table, *line, error))
        return FALSE;
      has_head = TRUE;
    }
  if (row > 0)
    return TRUE;
  return es_calibration_refuse (error, name, g_strdup (_("there is no channel in it, expected a line of titles and a "
                                                         "line a channel.")));
}

EsCalibrationNumbers *
es_calibration_parse_table (const char *text, const char *name, guint *n, GError **error)
{
  g_auto (EsCalibrationTold) told = { .common = ES_CALIBRATION_NOTHING };

  if (!es_calibration_read_table (text, name, &told, error))
    return NULL;
  *n = told.n;
  return g_steal_pointer (&told.channels);
}

char *
es_calibration_to_table (EsCalibration *self)
{
  const EsCalibrationNumbers *channels;
  guint n;

  channels = es_calibration_get_channels (self, &n);
  return es_calibration_write_table (channels, n);
}

char *
es_calibration_write_table (const EsCalibrationNumbers *channels, guint n)
{
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean is_direct = FALSE, has_gain = FALSE, has_adc = FALSE;

  for (guint i = 0; i < n; i++)
    {
      is_direct = is_direct || !isnan (channels[i].upa);
      has_gain = has_gain || !isnan (channels[i].gain_db);
      has_adc = has_adc || !isnan (channels[i].adc_volts);
    }
  if (n > 0)
    g_string_printf (text, "channel,sensitivity_db%s%s%s\n", has_gain ? ",gain_db" : "", has_adc ? ",adc_volts" : "",
                     is_direct ? ",upa_per_unit" : "");
  for (guint i = 0; i < n; i++)
    {
      const double row[] = { channels[i].sensitivity_db, channels[i].gain_db, channels[i].adc_volts, channels[i].upa };
      const gboolean is_there[] = { TRUE, has_gain, has_adc, is_direct };
      char number[G_ASCII_DTOSTR_BUF_SIZE];

      if (es_calibration_is_nothing (&channels[i]))
        continue;
      g_string_append_printf (text, "%u", i + 1);
      for (guint k = 0; k < G_N_ELEMENTS (row); k++)
        if (is_there[k])
          g_string_append_printf (text, ",%s", isnan (row[k]) ? ""
                                               : g_ascii_formatd (number, sizeof number, "%.10g", row[k]));
      g_string_append_c (text, '\n');
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
