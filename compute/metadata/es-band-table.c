/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-band-table.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-text-file-internal.h"

#define LARGEST_FILE ((gsize) 32 << 20)
#define MOST_BANDS 65535
#define MOST_COLUMNS 64

typedef enum { WAVELENGTH, FWHM, GOOD, BAD, NUMBER, UNKNOWN } Column;

typedef struct
{
  char       *name;            /* of the file, for messages */
  Column      columns[MOST_COLUMNS];
  guint       n_columns;       /* 0: not known yet */
  gboolean    has_heading;
  const char *unit, *width_unit;   /* nullable; of widths where the heading says it of them */
  GArray     *numbers;         /* of double: n_columns a row */
  guint       rows;
  guint       line;
} Table;

static gboolean
refuse (Table *self, GError **error, const char *expected)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("“%s”, line %u: %s"), self->name, self->line, expected);
  return FALSE;
}

/* The fields of a line, which it is cut into; empty ones between commas count. */
static GPtrArray *
split (char *line)
{
  const char *between = strchr (line, ';') != NULL ? ";" : strchr (line, '\t') != NULL ? "\t"
                        : strchr (line, ',') != NULL ? "," : " ";
  GPtrArray *fields = g_ptr_array_new ();
  char *rest = line, *field;

  while ((field = strsep (&rest, between)) != NULL)
    {
      g_strstrip (field);
      if (*field != '\0' || *between != ' ')
        g_ptr_array_add (fields, field);
    }
  /* "400;" is one column. */
  while (fields->len > 0 && *(char *) g_ptr_array_index (fields, fields->len - 1) == '\0')
    g_ptr_array_set_size (fields, (int) fields->len - 1);
  for (guint i = 0; *between == ';' && i < fields->len; i++)
    g_strdelimit (g_ptr_array_index (fields, i), ",", '.');
  return fields;
}

static gboolean
read_number (const char *text, double *value)
{
  char *end;

  *value = g_ascii_strtod (text, &end);
  return end != text && *end == '\0' && isfinite (*value);
}

/* ---- the heading ---- */

static const char *
find_unit (const char *word)
{
  static const struct { const char *part, *unit; } units[] = {
    { "nanomet", "nm" }, { "micromet", "um" }, { "micron", "um" }, { "wavenumber", "cm-1" }, { "cm-1", "cm-1" },
    { "cm^-1", "cm-1" }, { "1/cm", "cm-1" }, { "µm", "um" }, { "μm", "um" },
  };
  g_auto (GStrv) parts = g_strsplit_set (word, " _()[]/,:", -1);

  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strstr (word, units[i].part) != NULL)
      return units[i].unit;
  return g_strv_contains ((const char * const *) parts, "nm") ? "nm"
         : g_strv_contains ((const char * const *) parts, "um") ? "um" : NULL;
}

static Column
name_column (const char *word)
{
  static const struct { const char *part; Column column; } names[] = {
    { "fwhm", FWHM }, { "width", FWHM }, { "bad", BAD }, { "bbl", GOOD }, { "good", GOOD }, { "flag", GOOD },
    { "wave", WAVELENGTH }, { "lambda", WAVELENGTH }, { "cent", WAVELENGTH }, { "nanomet", WAVELENGTH },
    { "micro", WAVELENGTH }, { "band", NUMBER }, { "channel", NUMBER }, { "number", NUMBER }, { "index", NUMBER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strstr (word, names[i].part) != NULL)
      return names[i].column;
  if (strcmp (word, "wl") == 0 || strcmp (word, "nm") == 0 || strcmp (word, "um") == 0 || strcmp (word, "λ") == 0)
    return WAVELENGTH;
  return strcmp (word, "#") == 0 || strcmp (word, "no") == 0 ? NUMBER : UNKNOWN;
}

/* Of "wavelength (nm) fwhm (nm)" the units are none of the columns, but said of the ones before. */
static void
take_units (GPtrArray *fields, const char **units)
{
  for (guint i = 1; i < fields->len;)
    {
      const char *field = g_ptr_array_index (fields, i);
      g_autofree char *folded = g_utf8_strdown (field, -1);

      if (*field != '(' && *field != '[')
        {
          i++;
          continue;
        }
      if (units[i - 1] == NULL)
        units[i - 1] = find_unit (folded);
      g_ptr_array_remove_index (fields, i);
    }
}

static gboolean
take_heading (Table *self, GPtrArray *fields, GError **error)
{
  const char *units[MOST_COLUMNS] = { NULL };
  guint wavelengths = 0;

  take_units (fields, units);
  self->has_heading = TRUE;
  self->n_columns = fields->len;
  for (guint i = 0; i < fields->len; i++)
    {
      g_autofree char *word = g_utf8_strdown (g_ptr_array_index (fields, i), -1);
      const char *unit = units[i] != NULL ? units[i] : find_unit (word);

      self->columns[i] = name_column (word);
      wavelengths += self->columns[i] == WAVELENGTH;
      if (unit != NULL && self->columns[i] == WAVELENGTH)
        self->unit = unit;
      if (self->width_unit == NULL && self->columns[i] == FWHM)
        self->width_unit = unit;
    }
  if (self->unit == NULL)
    self->unit = self->width_unit;
  if (wavelengths != 1)
    return refuse (self, error, _("the heading names no column of wavelengths, or several; one such as “wavelength "
                                  "(nm)” was expected."));
  if (self->width_unit != NULL && strcmp (self->width_unit, self->unit) != 0
      && (strcmp (self->width_unit, "cm-1") == 0 || strcmp (self->unit, "cm-1") == 0))
    return refuse (self, error, _("the heading says another unit of the widths than of the wavelengths; the same was "
                                  "expected."));
  return TRUE;
}

/* ---- rows ---- */

static gboolean
take_row (Table *self, GPtrArray *fields, GError **error)
{
  g_autofree char *expected = NULL;

  if (self->n_columns == 0)
    self->n_columns = fields->len;
  if (fields->len != self->n_columns)
    {
      expected = g_strdup_printf (_("%u columns were found; the lines before have %u."), fields->len, self->n_columns);
      return refuse (self, error, expected);
    }
  for (guint i = 0; i < fields->len; i++)
    {
      const char *field = g_ptr_array_index (fields, i);
      double value = NAN;

      if (!read_number (field, &value) && !(self->has_heading && self->columns[i] == UNKNOWN))
        {
          g_autofree char *shown = g_utf8_make_valid (field, MIN ((gssize) strlen (field), 40));

          expected = g_strdup_printf (_("“%s” was found where a number was expected."), shown);
          return refuse (self, error, expected);
        }
      g_array_append_val (self->numbers, value);
    }
  if (++self->rows > MOST_BANDS)
    {
      expected = g_strdup_printf (_("there are more lines than any cube has bands, %u."), MOST_BANDS);
      return refuse (self, error, expected);
    }
  return TRUE;
}

static gboolean
is_heading (Table *self, GPtrArray *fields)
{
  double value;

  return self->rows == 0 && !self->has_heading && !read_number (g_ptr_array_index (fields, 0), &value)
         && g_ascii_strcasecmp (g_ptr_array_index (fields, 0), "nan") != 0;
}

/* "# wavelength (um)" above the numbers says the unit as well. */
static void
take_comment (Table *self, const char *line)
{
  g_autofree char *word = g_utf8_validate (line, -1, NULL) ? g_utf8_strdown (line, -1) : NULL;

  if (self->rows == 0 && self->unit == NULL && word != NULL)
    self->unit = find_unit (word);
}

static gboolean
read_lines (Table *self, char *text, GError **error)
{
  char *rest = g_str_has_prefix (text, "\357\273\277") ? text + 3 : text, *line;

  while ((line = strsep (&rest, "\n")) != NULL)
    {
      g_autoptr (GPtrArray) fields = NULL;

      self->line++;
      g_strstrip (line);
      if (*line == '#')
        take_comment (self, line);
      if (*line == '\0' || *line == '#')
        continue;
      fields = split (line);
      if (fields->len == 0 || fields->len > MOST_COLUMNS)
        return refuse (self, error, _("a few numbers were expected."));
      if (!(is_heading (self, fields) ? take_heading (self, fields, error) : take_row (self, fields, error)))
        return FALSE;
    }
  return TRUE;
}

/* ---- what the columns are ---- */

static double
number_at (const Table *self, guint row, guint column)
{
  return g_array_index (self->numbers, double, row * self->n_columns + column);
}

static gboolean
counts (const Table *self, guint column)
{
  const double first = number_at (self, 0, column);

  if (self->rows < 2 || (first != 0 && first != 1))
    return FALSE;
  for (guint row = 1; row < self->rows; row++)
    if (number_at (self, row, column) != first + row)
      return FALSE;
  return TRUE;
}

static gboolean
are_flags (const Table *self, guint column)
{
  for (guint row = 0; row < self->rows; row++)
    if (number_at (self, row, column) != 0 && number_at (self, row, column) != 1)
      return FALSE;
  return TRUE;
}

/* Without a heading. */
static gboolean
guess_columns (Table *self, GError **error)
{
  guint column = 0;

  if (self->n_columns > 1 && counts (self, 0))
    self->columns[column++] = NUMBER;
  self->columns[column++] = WAVELENGTH;
  if (column < self->n_columns)
    {
      self->columns[column] = are_flags (self, column) ? GOOD : FWHM;
      column++;
    }
  if (column < self->n_columns && self->columns[column - 1] == FWHM && are_flags (self, column))
    self->columns[column++] = GOOD;
  if (column == self->n_columns)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s” has %u columns, of which not all can be understood; wavelength, width and a flag 0 or 1 were "
                 "expected, or a heading that names the columns"), self->name, self->n_columns);
  return FALSE;
}

static double *
take_column (const Table *self, guint column)
{
  double *values = g_new (double, self->rows);

  for (guint row = 0; row < self->rows; row++)
    values[row] = number_at (self, row, column);
  return values;
}

/* In the unit of the wavelengths. */
static double *
take_widths (const Table *self, guint column)
{
  double *values = take_column (self, column);
  const double factor = self->width_unit == NULL || strcmp (self->width_unit, self->unit) == 0 ? 1
                        : strcmp (self->unit, "um") == 0 ? 1e-3 : 1e3;

  for (guint row = 0; row < self->rows; row++)
    values[row] *= factor;
  return values;
}

/* By the numbers of the bands where each is there once, from 0 or 1 on; others are as they come: those of several
 * detectors begin again. */
static void
sort_rows (Table *self)
{
  const gsize size = self->n_columns * sizeof (double);
  g_autoptr (GArray) sorted = g_array_sized_new (FALSE, FALSE, sizeof (double), self->numbers->len);
  g_autofree gboolean *seen = g_new0 (gboolean, self->rows);
  double first = INFINITY;
  guint column = 0;

  while (column < self->n_columns && self->columns[column] != NUMBER)
    column++;
  if (column == self->n_columns)
    return;
  g_array_set_size (sorted, self->numbers->len);
  for (guint row = 0; row < self->rows; row++)
    first = MIN (first, number_at (self, row, column));
  for (guint row = 0; row < self->rows; row++)
    {
      const double at = number_at (self, row, column) - first;

      if ((first != 0 && first != 1) || !(at < self->rows) || at != floor (at) || seen[(guint) at])
        return;
      seen[(guint) at] = TRUE;
      memcpy (&g_array_index (sorted, double, (guint) at * self->n_columns),
              &g_array_index (self->numbers, double, row * self->n_columns), size);
    }
  memcpy (self->numbers->data, sorted->data, self->rows * size);
}

static EsMetadata *
make_metadata (Table *self, gboolean *guessed, GError **error)
{
  EsMetadataFacts facts = { .bands = self->rows };
  g_autofree double *wavelengths = NULL, *fwhm = NULL;
  g_autofree gboolean *good = NULL;
  double largest = 0;

  sort_rows (self);
  for (guint i = 0; i < self->n_columns; i++)
    if (self->columns[i] == WAVELENGTH)
      facts.wavelengths = wavelengths = take_column (self, i);
    else if (self->columns[i] == FWHM && fwhm == NULL)
      facts.fwhm = fwhm = take_widths (self, i);
    else if ((self->columns[i] == GOOD || self->columns[i] == BAD) && good == NULL)
      {
        facts.good = good = g_new (gboolean, self->rows);
        for (guint row = 0; row < self->rows; row++)
          good[row] = (number_at (self, row, i) != 0) == (self->columns[i] == GOOD);
      }
  for (guint row = 0; row < self->rows; row++)
    largest = MAX (largest, wavelengths[row]);
  if (guessed != NULL)
    *guessed = self->unit == NULL;
  facts.wavelength_unit = (char *) (self->unit != NULL ? self->unit : largest < 100 ? "um" : "nm");
  if (es_metadata_check (&facts, self->rows, error))
    return es_metadata_new (&facts);
  g_prefix_error (error, "“%s”: ", self->name);
  return NULL;
}

EsMetadata *
es_band_table_load (GFile *file, guint bands, gboolean *guessed, GError **error)
{
  g_autofree char *name = es_error_file_name (file);
  gsize length = 0;
  g_autofree char *text = es_text_file_load_at_most (file, LARGEST_FILE, &length, NULL, error);
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));
  Table table = { .name = name, .numbers = numbers };

  if (text == NULL)
    return NULL;
  if (strlen (text) < length || !g_utf8_validate (text, -1, NULL))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is no text; a line for each band was expected"), name);
      return NULL;
    }
  if (!read_lines (&table, text, error))
    return NULL;
  if (table.rows != bands)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” tells of %u bands; the cube has %u"), name, table.rows, bands);
      return NULL;
    }
  if (!table.has_heading && !guess_columns (&table, error))
    return NULL;
  return make_metadata (&table, guessed, error);
}
