/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-columns-private.h"
#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-csv-rows-internal.h"
#include "base/es-error.h"

/* Positions as comma-separated values: a header row, then a row an element. */

/* ---- values ---- */

static const char *
field_of (const EsArrayTable *table, const EsCsvRows *rows, EsArrayColumn column)
{
  const int place = table->places[column];

  return place >= 0 && place < (int) rows->fields->len ? g_ptr_array_index (rows->fields, place) : NULL;
}

static gboolean
refuse (const EsArrayTable *table, const EsCsvRows *rows, EsArrayColumn column, const char *found, const char *expected,
        GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s”, row %u: “%s” in column “%s” cannot be read, expected %s."), table->name, rows->row_line,
               found != NULL ? found : "", table->titles[column], expected);
  return FALSE;
}

static gboolean
read_number (const EsArrayTable *table, const char *text, double *value)
{
  g_autofree char *plain = g_strdup (text);
  char *end = NULL;

  if (table->decimal_comma)
    g_strdelimit (plain, ",", '.');
  *value = g_ascii_strtod (plain, &end);
  return end != plain && *end == '\0' && isfinite (*value) && strpbrk (plain, "xX") == NULL;
}

/* A dead element may have none. */
static gboolean
read_channel (const EsArrayTable *table, const EsCsvRows *rows, EsArrayColumn column, gboolean dead, guint *channel,
              GError **error)
{
  const char *text = field_of (table, rows, column);
  double value;

  if (text == NULL || !read_number (table, text, &value) || value != rint (value) || value < 0 || value > G_MAXINT32)
    {
      *channel = ES_ARRAY_NO_CHANNEL;
      return dead || refuse (table, rows, column, text, _("the number of a channel, 0 or above"), error);
    }
  *channel = (guint) value;
  return TRUE;
}

static gboolean
read_dead (const EsArrayTable *table, const EsCsvRows *rows, gboolean *dead, GError **error)
{
  static const char *const yes[] = { "yes", "true", "on", "1", "x", "dead", "bad", NULL };
  static const char *const no[] = { "no", "false", "off", "0", "", "ok", "good", NULL };
  const char *text = field_of (table, rows, COLUMN_DEAD);
  g_autofree char *lower = g_ascii_strdown (text != NULL ? text : "", -1);

  *dead = g_strv_contains (yes, lower);
  return *dead || g_strv_contains (no, lower) || refuse (table, rows, COLUMN_DEAD, text, _("yes or no"), error);
}

static gboolean
read_polarity (const EsArrayTable *table, const EsCsvRows *rows, double *sign, GError **error)
{
  static const char *const upright[] = { "", "+", "1", "+1", "normal", "positive", "pos", "ok", NULL };
  static const char *const turned[] = { "-", "-1", "\xe2\x88\x92", "\xe2\x88\x92" "1", "reversed", "reverse",
                                        "inverted", "negative", "neg", NULL };
  const char *text = field_of (table, rows, COLUMN_POLARITY);
  g_autofree char *lower = g_ascii_strdown (text != NULL ? text : "", -1);

  *sign = g_strv_contains (turned, lower) ? -1 : 1;
  return *sign < 0 || g_strv_contains (upright, lower)
         || refuse (table, rows, COLUMN_POLARITY, text, _("1 or -1"), error);
}

/* The channel columns of a row are kept apart until it is known which of them tells channels apart. */
typedef struct
{
  guint channels[3];
} Channels;

static gboolean
read_element (const EsArrayTable *table, const EsCsvRows *rows, EsElement *element, Channels *channels, GError **error)
{
  double *position[] = { &element->x, &element->y, &element->z };

  *element = (EsElement) { .gain = 1 };
  if (table->places[COLUMN_POLARITY] >= 0 && !read_polarity (table, rows, &element->gain, error))
    return FALSE;
  if (table->places[COLUMN_DEAD] >= 0 && !read_dead (table, rows, &element->dead, error))
    return FALSE;
  for (EsArrayColumn c = COLUMN_X; c <= COLUMN_Z; c++)
    {
      const char *text = field_of (table, rows, c);
      if (table->places[c] < 0)
        continue;
      if (text == NULL || !read_number (table, text, position[c]))
        return refuse (table, rows, c, text, _("a finite number"), error);
      *position[c] *= c == COLUMN_Z && table->upside_down ? -table->metres : table->metres;
    }
  for (EsArrayColumn c = COLUMN_CHANNEL; c <= COLUMN_ARRAY_CHANNEL; c++)
    if (table->places[c] >= 0
        && !read_channel (table, rows, c, element->dead, &channels->channels[c - COLUMN_CHANNEL], error))
      return FALSE;
  for (EsArrayColumn c = COLUMN_GAIN; c <= COLUMN_GAIN_DB; c++)
    {
      const char *text = field_of (table, rows, c);
      double gain;
      if (table->places[c] < 0 || text == NULL || *text == '\0')
        continue;
      if (!read_number (table, text, &gain) || !isfinite (c == COLUMN_GAIN ? gain : pow (10, gain / 20)))
        return refuse (table, rows, c, text, _("a finite number"), error);
      element->gain *= c == COLUMN_GAIN ? gain : pow (10, gain / 20);
    }

  const char *name = field_of (table, rows, COLUMN_NAME);
  element->name = name != NULL && *name != '\0' ? g_strdup (name) : NULL;
  return TRUE;
}

/* ---- channels ---- */

static int
compare_guints (gconstpointer a, gconstpointer b)
{
  const guint x = *(const guint *) a, y = *(const guint *) b;

  return (x > y) - (x < y);
}

/* Whether one column gives each living element a channel of its own. */
static gboolean
tells_apart (const EsElement *elements, const Channels *channels, guint n, guint column, guint *sorted)
{
  guint n_sorted = 0;

  for (guint k = 0; k < n; k++)
    if (!elements[k].dead)
      sorted[n_sorted++] = channels[k].channels[column];
  qsort (sorted, n_sorted, sizeof (guint), compare_guints);
  for (guint i = 0; i + 1 < n_sorted; i++)
    if (sorted[i] == sorted[i + 1])
      return FALSE;
  return TRUE;
}

/* Mono files all call their channel 0: a column that does not tell elements apart gives way to one that does. */
static int
choose_column (const EsArrayTable *table, const EsElement *elements, const Channels *channels, guint n, gboolean *apart)
{
  g_autofree guint *sorted = g_new (guint, n);
  int chosen = -1;

  *apart = FALSE;
  for (guint c = 0; c < 3 && !*apart; c++)
    if (table->places[COLUMN_CHANNEL + c] >= 0)
      {
        *apart = tells_apart (elements, channels, n, c, sorted);
        if (*apart || chosen < 0)
          chosen = c;
      }
  return chosen;
}

/* The recording has 0 to n - 1; a dead element without a channel gets that of its row. */
static void
choose_channels (const EsArrayTable *table, EsElement *elements, const Channels *channels, guint n, char **note,
                 char **doubt, guint *certain)
{
  g_autofree guint *numbers = g_new (guint, n);
  gboolean apart, from_one = FALSE, doubtful = FALSE;
  const int chosen = choose_column (table, elements, channels, n, &apart);
  guint low = 0, high = 0;

  *certain = 0;
  for (guint k = 0; k < n; k++)
    numbers[k] = chosen >= 0 ? channels[k].channels[chosen] : k;
  if (apart)
    from_one = es_array_counts_from_one (elements, numbers, n, &low, &high, &doubtful, certain);
  for (guint k = 0; k < n; k++)
    elements[k].channel = numbers[k] == ES_ARRAY_NO_CHANNEL || numbers[k] < from_one ? k : numbers[k] - from_one;
  if (doubtful)
    *doubt = g_strdup_printf (_("The numbers %u to %u in the column “%s” do not tell whether channels count from 0 or "
                                "from 1: from %d was taken."),
                              low, high, table->titles[COLUMN_CHANNEL + chosen], from_one ? 1 : 0);
  if (from_one && (!doubtful || *certain > 0))
    *note = g_strdup_printf (_("The column “%s” counts from 1: channel 1 is taken for the recording's first."),
                             table->titles[COLUMN_CHANNEL + chosen]);
}

/* ---- the whole ---- */

static EsArray *
make_array (const EsArrayTable *table, GArray *elements, GArray *channels, GError **error)
{
  static const char letters[] = "xyz";
  g_autoptr (GString) missing = g_string_new (NULL);
  g_autoptr (GError) local_error = NULL;
  g_autofree char *counting = NULL, *doubt = NULL;
  guint certain;

  if (elements->len == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("“%s” has a header but no element: expected a row for each."), table->name);
      return NULL;
    }
  choose_channels (table, (EsElement *) elements->data, (Channels *) channels->data, elements->len, &counting, &doubt,
                   &certain);
  EsArray *array = es_array_new ((EsElement *) elements->data, elements->len, &local_error);
  if (array == NULL)
    {
      g_set_error (error, local_error->domain, local_error->code, _("“%s” cannot be used: %s"), table->name,
                   local_error->message);
      return NULL;
    }

  if (counting != NULL)
    es_array_add_note (array, g_steal_pointer (&counting));
  es_array_set_doubt (array, g_steal_pointer (&doubt), certain);
  for (EsArrayColumn c = COLUMN_X; c <= COLUMN_Z; c++)
    if (table->places[c] < 0)
      g_string_append_printf (missing, "%s%c", missing->len > 0 ? ", " : "", letters[c]);
  if (missing->len > 0)
    es_array_add_note (array, g_strdup_printf (_("There is no column %s: 0 m is taken for it."), missing->str));
  if (table->upside_down)
    es_array_add_note (array,
                       g_strdup_printf (_("The column “%s” is taken for depths: z, which points up, is minus it."),
                                        table->titles[COLUMN_Z]));
  if (table->places[COLUMN_SENSITIVITY] >= 0)
    es_array_add_note (array,
                       g_strdup_printf (_("The column “%s” is no part of an array and is not used: sensitivities are "
                                          "told as a calibration, which may be the same file."),
                                        table->titles[COLUMN_SENSITIVITY]));
  if (table->unused != NULL)
    es_array_add_note (array, g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "This column is not used: %s.",
                                                            "These columns are not used: %s.", table->n_unused),
                                               table->unused->str));
  if (table->metres != 1)
    es_array_add_note (array, g_strdup_printf (_("Positions were given in %s and are shown in metres."), table->unit));
  else if (table->unit == NULL)
    es_array_note_unit (array);
  return array;
}

static gboolean
check_width (const EsCsvRows *rows, const char *name, GError **error)
{
  if (rows->too_wide)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 _("“%s”, row %u: more than %u columns, expected x, y, z and what is known of an element."), name,
                 rows->row_line, ES_CSV_MOST_COLUMNS);
  return !rows->too_wide;
}

EsArray *
es_array_read_csv (const char *text, gsize length, const char *name, GError **error)
{
  g_auto (EsArrayTable) table = { .name = name };
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) elements = es_array_elements_new (), channels = g_array_new (FALSE, TRUE, sizeof (Channels));
  EsCsvRows rows = { text, text + length, 1, ',', 1, fields, FALSE };

  /* The header decides; comments before it do not. */
  while (rows.next < rows.end && (*rows.next == '#' || g_ascii_isspace (*rows.next)))
    {
      if (*rows.next == '#')
        while (rows.next < rows.end && *rows.next != '\n')
          rows.next++;
      else
        rows.line += *rows.next++ == '\n';
    }
  rows.separator = es_csv_find_separator (rows.next, rows.end);
  table.decimal_comma = rows.separator == ';';
  if (!es_csv_read_row (&rows))
    {
      if (!check_width (&rows, name, error))
        return NULL;
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                   _("“%s” is empty: expected a header that names x, y and z, and a row for each element."), name);
      return NULL;
    }
  if (!es_array_table_read_header (&table, fields, error))
    return NULL;
  while (es_csv_read_row (&rows))
    {
      EsElement element;
      Channels row = { { 0 } };
      if (!read_element (&table, &rows, &element, &row, error))
        return NULL;
      g_array_append_val (elements, element);
      g_array_append_val (channels, row);
      if (elements->len > ES_ARRAY_MOST_ELEMENTS)
        break;
    }
  return check_width (&rows, name, error) ? make_array (&table, elements, channels, error) : NULL;
}
