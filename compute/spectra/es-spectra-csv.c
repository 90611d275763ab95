/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Spectra as a table: a column of wavelengths and a column a spectrum, or a row a spectrum under wavelengths. */

#include "es-spectra-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-csv-rows-internal.h"
#include "base/es-error.h"
#include "cube/es-wavelength-internal.h"

#define MOST_COLUMNS 70000

typedef enum { VALUES, WAVELENGTHS, WIDTHS, NUMBERS, NOTHING } Role;

typedef struct
{
  Role    role;
  char   *title;
  char   *unit;                /* of wavelengths; nullable */
  GArray *cells;               /* double */
} Column;

typedef struct
{
  const EsSpectraText *text;
  EsCsvRows rows;
  GPtrArray *columns;          /* Column */
  guint64 n_cells;
} Table;

static void
column_free (gpointer data)
{
  Column *column = data;

  g_free (column->title);
  g_free (column->unit);
  g_clear_pointer (&column->cells, g_array_unref);
  g_free (column);
}

static Column *
column_at (const Table *table, guint i)
{
  return g_ptr_array_index (table->columns, i);
}

/* "0,5" in tables that are not separated by commas. Nothing, "nan" and "NA" are no values. */
static gboolean
read_cell (const Table *table, const char *field, double *value)
{
  g_autofree char *plain = NULL;

  if (*field == '\0' || g_ascii_strcasecmp (field, "nan") == 0 || g_ascii_strcasecmp (field, "na") == 0
      || g_ascii_strcasecmp (field, "n/a") == 0 || g_ascii_strcasecmp (field, "null") == 0)
    {
      *value = NAN;
      return TRUE;
    }
  if (table->rows.separator == ',' || strchr (field, ',') == NULL)
    return es_spectra_number (field, value);
  plain = g_strdelimit (g_strdup (field), ",", '.');
  return es_spectra_number (plain, value);
}

static gboolean
is_number (const Table *table, const char *field)
{
  double value;

  return *field != '\0' && read_cell (table, field, &value) && !isnan (value);
}

/* ---- the header ---- */

/* The unit among the words of a title: "Wavelength (nm)", "wavelength_um", "nm". */
static char *
unit_of (const char *title)
{
  g_autofree char *plain = g_strdelimit (g_strdup (title), "()[]{}_:,;/", ' ');
  g_auto (GStrv) words = g_strsplit (plain, " ", 200);
  g_autofree char *lower = g_utf8_strdown (title, -1);

  for (guint i = 0; words[i] != NULL; i++)
    if (*words[i] != '\0' && es_wavelength_unit_is_known (words[i]))
      return g_strdup (words[i]);
  return strstr (lower, "wavenumber") != NULL || strstr (lower, "波数") != NULL || strstr (lower, "1/cm") != NULL
         ? g_strdup ("cm-1") : NULL;
}

static Role
role_of (const char *title)
{
  static const char *const waves[] = { "wavelength", "wave length", "wavenumber", "wave number", "wvl", "lambda", "λ",
                                       "波长", "波数" };
  static const char *const numbers[] = { "band", "bands", "channel", "band number", "index", "波段" };
  g_autofree char *lower = g_utf8_strdown (title, -1);

  if (g_str_has_prefix (lower, "fwhm") || strcmp (lower, "bandwidth") == 0 || strcmp (lower, "bandpass") == 0)
    return WIDTHS;
  for (guint i = 0; i < G_N_ELEMENTS (waves); i++)
    if (g_str_has_prefix (lower, waves[i]))
      return WAVELENGTHS;
  if (es_wavelength_unit_is_known (lower) && strcmp (lower, "m") != 0)
    return WAVELENGTHS;
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (strcmp (lower, numbers[i]) == 0)
      return NUMBERS;
  return VALUES;
}

gboolean
es_spectra_is_value_title (const char *title)
{
  return role_of (title) == VALUES;
}

/* Columns by the titles of the first row; a table without one begins with its wavelengths. TRUE: the row is values. */
static gboolean
read_header (Table *table, EsSpectralLibrary *library)
{
  const GPtrArray *fields = table->rows.fields;
  gboolean numbers = TRUE, waves = FALSE;

  for (guint i = 0; i < fields->len; i++)
    numbers = numbers && is_number (table, g_ptr_array_index (fields, i));
  for (guint i = 0; i < fields->len; i++)
    {
      const char *title = g_ptr_array_index (fields, i);
      Column *column = g_new0 (Column, 1);

      column->role = numbers ? VALUES : role_of (title);
      column->title = numbers || *title == '\0' ? g_strdup_printf (_("Spectrum %u"), MAX (i, 1)) : g_strdup (title);
      column->unit = column->role == WAVELENGTHS ? unit_of (title) : NULL;
      column->cells = g_array_new (FALSE, FALSE, sizeof (double));
      waves = waves || column->role == WAVELENGTHS;
      g_ptr_array_add (table->columns, column);
    }
  if (waves)
    for (guint i = 0; i < table->columns->len; i++)
      if (column_at (table, i)->role == NUMBERS)
        column_at (table, i)->role = NOTHING;
  if (!waves && column_at (table, 0)->role != NUMBERS)
    {
      column_at (table, 0)->role = WAVELENGTHS;
      column_at (table, 0)->unit = numbers ? NULL : unit_of (column_at (table, 0)->title);
      es_spectral_library_add_note (library, _("No column of “%s” is named as wavelengths; its first one was taken for "
                                               "them."), table->text->name);
    }
  return numbers;
}

/* ---- the rows ---- */

static gboolean
refuse_cell (const Table *table, guint column, const char *found, GError **error)
{
  g_autofree char *shown = g_utf8_substring (found, 0, MIN (g_utf8_strlen (found, -1), 40));

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
               _("“%s”, row %u: “%s” in column %u cannot be read, expected a number."), table->text->name,
               table->rows.row_line, shown, column + 1);
  return FALSE;
}

static gboolean
refuse_size (const Table *table, GError **error)
{
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
               _("“%s” is too large for a table of spectra: at most %u columns, %u bands and %u million values are "
                 "read."), table->text->name, MOST_COLUMNS, ES_SPECTRA_MOST_BANDS,
               (guint) (ES_SPECTRA_MOST_VALUES / 1000000));
  return FALSE;
}

static gboolean
take_row (Table *table, GError **error)
{
  const GPtrArray *fields = table->rows.fields;

  for (guint i = 0; i < table->columns->len; i++)
    {
      const char *field = i < fields->len ? g_ptr_array_index (fields, i) : "";
      Column *column = column_at (table, i);
      double value;

      if (column->role == NOTHING)
        continue;
      if (!read_cell (table, field, &value))
        return refuse_cell (table, i, field, error);
      if (column->cells->len == ES_SPECTRA_MOST_BANDS || ++table->n_cells > ES_SPECTRA_MOST_VALUES)
        return refuse_size (table, error);
      g_array_append_val (column->cells, value);
    }
  return TRUE;
}

/* Rows that have no wavelength have no values either: columns of several axes need not be equally long. */
static gboolean
add_block (EsSpectralLibrary *library, const Table *table, guint first, guint end, GError **error)
{
  const Column *x = column_at (table, first), *widths = NULL;
  g_autofree double *waves = g_new (double, x->cells->len + 1), *fwhm = NULL, *values = NULL;
  g_autofree guint *rows = g_new (guint, x->cells->len + 1);
  g_autoptr (EsSpectralAxis) axis = NULL;
  gboolean turned = FALSE;
  guint n = 0, n_missing = 0;

  for (guint i = 0; i < x->cells->len; i++)
    {
      const double wave = g_array_index (x->cells, double, i);

      for (guint c = first + 1; isnan (wave) && c < end; c++)
        if (column_at (table, c)->role == VALUES && !isnan (g_array_index (column_at (table, c)->cells, double, i)))
          {
            g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                         _("“%s”: the spectrum “%s” has a value in a row (%u of values) without a wavelength."),
                         table->text->name, column_at (table, c)->title, i + 1);
            return FALSE;
          }
      if (!isnan (wave))
        {
          rows[n] = i;
          waves[n++] = wave;
        }
    }
  if (n == 0)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY, _("“%s” has a head, but no values below it."),
                   table->text->name);
      return FALSE;
    }
  for (guint c = first + 1; c < end && widths == NULL; c++)
    if (column_at (table, c)->role == WIDTHS)
      widths = column_at (table, c);
  fwhm = widths != NULL ? g_new (double, n) : NULL;
  for (guint i = 0; widths != NULL && i < n; i++)
    fwhm[i] = g_array_index (widths->cells, double, rows[i]);
  if (x->role == NUMBERS)
    axis = es_spectral_axis_new (n, NULL, NULL);
  else
    axis = es_spectra_make_axis (library, table->text->name, n, waves, fwhm,
                                 table->text->options->unit != NULL ? table->text->options->unit : x->unit, &turned,
                                 error);
  if (axis == NULL)
    return FALSE;
  axis = es_spectra_share_axis (library, axis);
  values = g_new (double, n);
  for (guint c = first + 1; c < end; c++)
    {
      const Column *column = column_at (table, c);
      g_autoptr (EsSpectrum) spectrum = NULL;

      if (column->role != VALUES)
        continue;
      for (guint i = 0; i < n; i++)
        values[i] = g_array_index (column->cells, double, rows[i]);
      if (turned)
        es_spectra_turn (values, n);
      spectrum = es_spectrum_new (column->title, axis, values, NULL);
      n_missing += es_spectrum_count_valid (spectrum) < n;
      es_spectral_library_add (library, spectrum);
    }
  if (n_missing > 0)
    es_spectral_library_add_note (library, g_dngettext (GETTEXT_PACKAGE, "%u spectrum has missing values.",
                                                        "%u spectra have missing values.", n_missing), n_missing);
  return TRUE;
}

/* A block is a column of wavelengths and what comes behind it. */
static gboolean
add_columns (EsSpectralLibrary *library, const Table *table, GError **error)
{
  const guint n = table->columns->len;
  guint first = 0;

  while (first < n && column_at (table, first)->role != WAVELENGTHS && column_at (table, first)->role != NUMBERS)
    {
      if (column_at (table, first)->role == VALUES)
        es_spectral_library_add_note (library, _("The column “%s” of “%s” comes before its wavelengths and was "
                                                 "ignored."), column_at (table, first)->title, table->text->name);
      first++;
    }
  while (first < n)
    {
      guint end = first + 1;

      while (end < n && column_at (table, end)->role != WAVELENGTHS && column_at (table, end)->role != NUMBERS)
        end++;
      if (!add_block (library, table, first, end, error))
        return FALSE;
      first = end;
    }
  return TRUE;
}

/* ---- a row a spectrum ---- */

/* "Wavelength (nm), 1, 2": spectra whose names are numbers, where a number stands below the title as well. */
static gboolean
is_above_numbers (Table *table)
{
  const EsCsvRows before = table->rows;
  const gboolean numbers = es_csv_read_row (&table->rows)
                           && is_number (table, g_ptr_array_index (table->rows.fields, 0));

  table->rows = before;
  table->rows.next = table->text->text;
  table->rows.line = 1;
  es_csv_read_row (&table->rows);
  return numbers;
}

/* The column from which on the header is wavelengths alone; 0: it is not. */
static guint
find_row_values (Table *table)
{
  const GPtrArray *fields = table->rows.fields;
  guint from = fields->len;

  while (from > 0 && is_number (table, g_ptr_array_index (fields, from - 1)))
    from--;
  if (from == 0 || fields->len - from < 2
      || (role_of (g_ptr_array_index (fields, 0)) != VALUES && is_above_numbers (table)))
    return 0;
  return from;
}

static gboolean
read_by_rows (EsSpectralLibrary *library, Table *table, guint from, GError **error)
{
  const guint n = table->rows.fields->len - from;
  g_autofree double *waves = g_new (double, n), *values = g_new (double, n);
  g_autofree char *unit = unit_of (g_ptr_array_index (table->rows.fields, 0));
  g_autoptr (EsSpectralAxis) axis = NULL;
  gboolean turned;

  for (guint i = 0; i < n; i++)
    read_cell (table, g_ptr_array_index (table->rows.fields, from + i), &waves[i]);
  if (n > ES_SPECTRA_MOST_BANDS)
    return refuse_size (table, error);
  axis = es_spectra_make_axis (library, table->text->name, n, waves, NULL,
                               table->text->options->unit != NULL ? table->text->options->unit : unit, &turned, error);
  if (axis == NULL)
    return FALSE;
  axis = es_spectra_share_axis (library, axis);
  while (es_csv_read_row (&table->rows))
    {
      const GPtrArray *fields = table->rows.fields;
      g_autoptr (EsSpectrum) spectrum = NULL;

      if ((table->n_cells += n) > ES_SPECTRA_MOST_VALUES)
        return refuse_size (table, error);
      for (guint i = 0; i < n; i++)
        {
          const char *field = from + i < fields->len ? g_ptr_array_index (fields, from + i) : "";

          if (!read_cell (table, field, &values[i]))
            return refuse_cell (table, from + i, field, error);
        }
      if (turned)
        es_spectra_turn (values, n);
      spectrum = es_spectrum_new (g_ptr_array_index (fields, 0), axis, values, NULL);
      es_spectral_library_add (library, spectrum);
    }
  return !table->rows.too_wide || refuse_size (table, error);
}

gboolean
es_spectra_read_csv (EsSpectralLibrary *library, const EsSpectraText *text, GError **error)
{
  g_autoptr (GPtrArray) fields = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) columns = g_ptr_array_new_with_free_func (column_free);
  Table table = {
    .text = text, .columns = columns,
    .rows = { .next = text->text, .end = text->end, .line = 1, .fields = fields, .most = MOST_COLUMNS,
              .separator = es_csv_find_separator (text->text, text->end) },
  };
  guint from;

  if (!es_csv_read_row (&table.rows) || table.rows.fields->len < 2)
    {
      if (table.rows.too_wide)
        return refuse_size (&table, error);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is no spectral library: expected an ENVI library, text of USGS or ECOSTRESS, or a table "
                     "whose first row names a column of wavelengths and columns of spectra."), text->name);
      return FALSE;
    }
  es_spectral_library_set_format (library, _("table of spectra"));
  if ((from = find_row_values (&table)) > 0)
    return read_by_rows (library, &table, from, error);
  if (read_header (&table, library) && !take_row (&table, error))
    return FALSE;
  while (es_csv_read_row (&table.rows))
    {
      if (table.rows.fields->len > columns->len)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                       _("“%s”, row %u has %u columns; the first row has %u."), text->name, table.rows.row_line,
                       table.rows.fields->len, columns->len);
          return FALSE;
        }
      if (!take_row (&table, error) || g_cancellable_set_error_if_cancelled (text->cancellable, error))
        return FALSE;
    }
  return table.rows.too_wide ? refuse_size (&table, error) : add_columns (library, &table, error);
}
