/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The columns of an array's comma-separated values, by the titles in their header. */

#include "es-array-columns-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"

static const struct { const char *name; EsArrayColumn column; } aliases[] = {
  { "x", COLUMN_X }, { "pos_x", COLUMN_X }, { "x_pos", COLUMN_X }, { "position_x", COLUMN_X },
  { "x_position", COLUMN_X },
  { "y", COLUMN_Y }, { "pos_y", COLUMN_Y }, { "y_pos", COLUMN_Y }, { "position_y", COLUMN_Y },
  { "y_position", COLUMN_Y },
  { "z", COLUMN_Z }, { "pos_z", COLUMN_Z }, { "z_pos", COLUMN_Z }, { "position_z", COLUMN_Z },
  { "z_position", COLUMN_Z },
  { "name", COLUMN_NAME }, { "label", COLUMN_NAME }, { "hydrophone", COLUMN_NAME }, { "element", COLUMN_NAME },
  { "sensor", COLUMN_NAME }, { "id", COLUMN_NAME }, { "channel_name", COLUMN_NAME }, { "channel_label", COLUMN_NAME },
  { "channel", COLUMN_CHANNEL }, { "ch", COLUMN_CHANNEL }, { "chan", COLUMN_CHANNEL }, { "chn", COLUMN_CHANNEL },
  { "channel_no", COLUMN_CHANNEL }, { "channel_nr", COLUMN_CHANNEL }, { "channel_num", COLUMN_CHANNEL },
  { "channel_number", COLUMN_CHANNEL }, { "channel_id", COLUMN_CHANNEL }, { "channel_index", COLUMN_CHANNEL },
  { "ch_no", COLUMN_CHANNEL }, { "ch_nr", COLUMN_CHANNEL }, { "ch_num", COLUMN_CHANNEL },
  { "ch_number", COLUMN_CHANNEL }, { "chan_no", COLUMN_CHANNEL }, { "chan_num", COLUMN_CHANNEL },
  { "channelnumber", COLUMN_CHANNEL }, { "hydrophone_channel", COLUMN_CHANNEL },
  { "recording_channel", COLUMN_CHANNEL },
  { "recorder_channel", COLUMN_CHANNEL }, { "input_channel", COLUMN_CHANNEL }, { "adc_channel", COLUMN_CHANNEL },
  { "daq_channel", COLUMN_CHANNEL },
  { "audio_file_channel", COLUMN_FILE_CHANNEL }, { "audio_channel", COLUMN_FILE_CHANNEL },
  { "file_channel", COLUMN_FILE_CHANNEL }, { "wav_channel", COLUMN_FILE_CHANNEL },
  { "array_channel", COLUMN_ARRAY_CHANNEL },
  { "gain", COLUMN_GAIN }, { "channel_gain", COLUMN_GAIN }, { "gain_db", COLUMN_GAIN_DB },
  { "channel_gain_db", COLUMN_GAIN_DB }, { "dead", COLUMN_DEAD }, { "bad", COLUMN_DEAD },
  { "polarity", COLUMN_POLARITY }, { "channel_polarity", COLUMN_POLARITY },
  { "depth", COLUMN_DEPTH }, { "sensitivity", COLUMN_SENSITIVITY }, { "sensitivity_db", COLUMN_SENSITIVITY },
  { "channel_sensitivity", COLUMN_SENSITIVITY }, { "channel_sensitivity_db", COLUMN_SENSITIVITY },
};

/* Titles that a note names. */
#define MOST_NAMED 5

static const struct { const char *name; double metres; } units[] = {
  { "m", 1 }, { "meter", 1 }, { "meters", 1 }, { "metre", 1 }, { "metres", 1 },
  { "cm", 0.01 }, { "centimeters", 0.01 }, { "centimetres", 0.01 },
  { "mm", 0.001 }, { "millimeters", 0.001 }, { "millimetres", 0.001 },
  { "km", 1000 },
  { "ft", 0 }, { "feet", 0 }, { "foot", 0 }, { "in", 0 }, { "inch", 0 }, { "inches", 0 }, { "yd", 0 }, { "yards", 0 },
};

void
es_array_table_clear (EsArrayTable *table)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    g_free (table->titles[i]);
  if (table->unused != NULL)
    g_string_free (table->unused, TRUE);
}

/* "X [mm]", "x (mm)", "x_mm" -> "x" and "mm"; "Array Channel" -> "array_channel". */
static char *
normalise_title (const char *title, const char **unit, double *metres)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (const char *p = title; *p != '\0'; p++)
    if (g_ascii_isalnum (*p))
      g_string_append_c (text, g_ascii_tolower (*p));
    else if (text->len > 0 && text->str[text->len - 1] != '_')
      g_string_append_c (text, '_');
  if (text->len > 0 && text->str[text->len - 1] == '_')
    g_string_truncate (text, text->len - 1);

  *unit = NULL;
  const char *last = strrchr (text->str, '_');
  for (guint i = 0; last != NULL && i < G_N_ELEMENTS (units); i++)
    if (strcmp (last + 1, units[i].name) == 0)
      {
        *unit = units[i].name;
        *metres = units[i].metres;
      }
  if (*unit != NULL)
    g_string_truncate (text, last - text->str);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static gboolean
take_unit (EsArrayTable *table, const char *title, const char *unit, double metres, GError **error)
{
  if (metres == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” gives positions in another unit than metres (column “%s”): expected m, cm or mm; a foot is "
                     "0.3048 m."), table->name, title);
      return FALSE;
    }
  if (table->unit != NULL && table->metres != metres)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” mixes the units %s and %s in its header: expected one for all positions."), table->name,
                   table->unit, unit);
      return FALSE;
    }
  table->unit = unit;
  table->metres = metres;
  return TRUE;
}

static void
add_unused (EsArrayTable *table, const char *title)
{
  if (*title == '\0')
    return;
  if (table->unused == NULL)
    table->unused = g_string_new (NULL);
  if (table->n_unused < MOST_NAMED)
    g_string_append_printf (table->unused, "%s“%s”", table->n_unused == 0 ? "" : ", ", title);
  else if (table->n_unused == MOST_NAMED)
    g_string_append (table->unused, " …");
  table->n_unused++;
}

static int
find_alias (const char *plain)
{
  for (guint a = 0; a < G_N_ELEMENTS (aliases); a++)
    if (strcmp (plain, aliases[a].name) == 0)
      return (int) aliases[a].column;
  return -1;
}

/* One title; unit: what it says of that. */
static gboolean
take_title (EsArrayTable *table, guint place, const char *title, const char *plain, const char *unit, double metres,
            GError **error)
{
  const int column = find_alias (plain);

  if (column < 0 && strstr (plain, "channel") != NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” has a column “%s”, and it is not known which channels that tells: expected a title such as "
                     "“channel” or “audio_file_channel”."), table->name, title);
      return FALSE;
    }
  if (column < 0 || (column == COLUMN_NAME && table->places[column] >= 0))
    {
      add_unused (table, title);
      return TRUE;
    }
  if (table->places[column] >= 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” has the columns “%s” and “%s”: expected one of them."), table->name,
                   table->titles[column], title);
      return FALSE;
    }
  if (column <= COLUMN_Z && unit != NULL && !take_unit (table, title, unit, metres, error))
    return FALSE;
  table->places[column] = (int) place;
  table->titles[column] = g_strdup (title);
  return TRUE;
}

gboolean
es_array_table_read_header (EsArrayTable *table, GPtrArray *fields, GError **error)
{
  g_autoptr (GString) found = g_string_new (NULL);
  const char *unit_of_depth = NULL;
  double metres_of_depth = 1;

  for (guint i = 0; i < N_COLUMNS; i++)
    table->places[i] = -1;
  table->metres = 1;
  for (guint i = 0; i < fields->len; i++)
    {
      const char *title = g_ptr_array_index (fields, i), *unit;
      double metres = 1;
      g_autofree char *plain = normalise_title (title, &unit, &metres);

      g_string_append_printf (found, "%s%s", i == 0 ? "" : ", ", title);
      if (!take_title (table, i, title, plain, unit, metres, error))
        return FALSE;
      if (table->places[COLUMN_DEPTH] == (int) i)
        {
          unit_of_depth = unit;
          metres_of_depth = metres;
        }
    }
  if (table->places[COLUMN_DEPTH] >= 0 && table->places[COLUMN_Z] >= 0)
    add_unused (table, table->titles[COLUMN_DEPTH]);
  else if (table->places[COLUMN_DEPTH] >= 0)
    {
      const char *title = table->titles[COLUMN_DEPTH];

      if (unit_of_depth != NULL && !take_unit (table, title, unit_of_depth, metres_of_depth, error))
        return FALSE;
      table->upside_down = TRUE;
      table->places[COLUMN_Z] = table->places[COLUMN_DEPTH];
      table->titles[COLUMN_Z] = g_strdup (title);
    }
  if (table->places[COLUMN_X] >= 0 || table->places[COLUMN_Y] >= 0 || table->places[COLUMN_Z] >= 0)
    return TRUE;
  if (found->len > 80)
    {
      g_string_truncate (found, g_utf8_offset_to_pointer (found->str, MIN (g_utf8_strlen (found->str, -1), 60))
                                - found->str);
      g_string_append (found, "…");
    }
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s” has no columns x, y and z: its first row is “%s”, but a header that names them is expected."),
               table->name, found->str);
  return FALSE;
}
