/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-market-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/es-error.h"
#include "es-matrix-number-private.h"
#include "es-sparse-matrix-private.h"

/* Boisvert, Pozo and Remington, The Matrix Market exchange formats (NISTIR 5935, 1996). */
static const char banner[] = "%%MatrixMarket";

/* The shortest line of an entry: "1 1\n", and with a value "1 1 1\n"; of an array "1\n". */
#define LEAST_PATTERN 4
#define LEAST_ENTRY 6
#define LEAST_ELEMENT 2
/* Rows take memory, too: so many at most that the file has no entries for, or these for each entry. */
#define ROWS_FREE (G_GUINT64_CONSTANT (1) << 22)
#define ROWS_OF_ENTRY 1024

gboolean
es_matrix_market_is_head (const guint8 *head, gsize length)
{
  const gsize n = strlen (banner);
  char text[sizeof banner];
  gsize taken = 0, made = 0;

  if (length >= n && g_ascii_strncasecmp ((const char *) head, banner, n) == 0)
    return TRUE;
  if (length < 2 || head[0] != 0x1f || head[1] != 0x8b)
    return FALSE;
  g_autoptr (GZlibDecompressor) unpacker = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  return g_converter_convert (G_CONVERTER (unpacker), head, length, text, n, G_CONVERTER_NO_FLAGS, &taken, &made, NULL)
           != G_CONVERTER_ERROR
         && made == n && g_ascii_strncasecmp (text, banner, n) == 0;
}

/* Which of the words comes next; n where it is none of them. */
static guint
take_word (const char **at, const char * const *words, guint n)
{
  const char *from = _es_matrix_skip_blanks (*at);
  const gsize length = strcspn (from, " \t\r\n");
  guint i = 0;

  while (i < n && !(strlen (words[i]) == length && g_ascii_strncasecmp (from, words[i], length) == 0))
    i++;
  if (i < n)
    *at = from + length;
  return i;
}

static gboolean
refuse_word (EsMatrixLines *lines, const char *at, const char *expected, GError **error)
{
  g_autofree char *word = _es_matrix_show_word (_es_matrix_skip_blanks (at));

  if (*word == '\0')
    return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_FORMAT, error,
                                    _("the line ends where %s was expected"), expected);
  return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_FORMAT, error,
                                  _("found “%s” where %s was expected"), word, expected);
}

static gboolean
refuse_complex (EsMatrixLines *lines, GError **error)
{
  return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_UNSUPPORTED, error,
                                  _("the matrix is complex; real, integer and pattern ones are read"));
}

static gboolean
read_banner (EsMarketHeader *self, EsMatrixLines *lines, GError **error)
{
  static const char * const objects[] = { "matrix" }, * const formats[] = { "coordinate", "array" };
  static const char * const fields[] = { "real", "integer", "pattern", "double", "unsigned-integer", "complex" };
  static const char * const symmetries[] = { "general", "symmetric", "skew-symmetric", "hermitian" };
  static const EsMarketField of_fields[] = { ES_MARKET_REAL, ES_MARKET_INTEGER, ES_MARKET_PATTERN, ES_MARKET_REAL,
                                             ES_MARKET_INTEGER };
  static const EsSymmetry of_symmetries[] = { ES_SYMMETRY_GENERAL, ES_SYMMETRY_SYMMETRIC, ES_SYMMETRY_SKEW,
                                              ES_SYMMETRY_SYMMETRIC };
  const char *at = _es_matrix_lines_next (lines, error);
  guint format, field, symmetry;

  if (at == NULL)
    return *error == NULL ? _es_matrix_lines_refuse (lines, 1, ES_DATA_ERROR_TRUNCATED, error, _("the file is empty"))
                          : FALSE;
  if (g_ascii_strncasecmp (at, banner, strlen (banner)) != 0)
    return refuse_word (lines, at, "“%%MatrixMarket”", error);
  at += strlen (banner);
  if (take_word (&at, objects, G_N_ELEMENTS (objects)) == G_N_ELEMENTS (objects))
    return refuse_word (lines, at, "“matrix”", error);
  format = take_word (&at, formats, G_N_ELEMENTS (formats));
  if (format == G_N_ELEMENTS (formats))
    return refuse_word (lines, at, _("“coordinate” or “array”"), error);
  field = take_word (&at, fields, G_N_ELEMENTS (fields));
  if (field == G_N_ELEMENTS (fields))
    return refuse_word (lines, at, _("“real”, “integer” or “pattern”"), error);
  if (field == G_N_ELEMENTS (of_fields))
    return refuse_complex (lines, error);
  symmetry = take_word (&at, symmetries, G_N_ELEMENTS (symmetries));
  if (symmetry == G_N_ELEMENTS (symmetries))
    return refuse_word (lines, at, _("“general”, “symmetric”, “skew-symmetric” or “hermitian”"), error);
  if (*_es_matrix_skip_blanks (at) != '\n')
    return refuse_word (lines, at, _("the end of the line"), error);
  self->is_array = format == 1;
  self->field = of_fields[field];
  self->symmetry = of_symmetries[symmetry];
  if (self->field == ES_MARKET_PATTERN && (self->is_array || self->symmetry == ES_SYMMETRY_SKEW))
    return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_FORMAT, error,
                                    _("a pattern without values is neither an array nor skew-symmetric"));
  return TRUE;
}

/* Lines that an array of such a size has. */
static guint64
count_elements (const EsMarketHeader *self)
{
  const guint64 n = self->n_columns;

  switch (self->symmetry)
    {
    case ES_SYMMETRY_SYMMETRIC:
      return n * (n + 1) / 2;
    case ES_SYMMETRY_SKEW:
      return n * (n - 1) / 2;
    case ES_SYMMETRY_GENERAL:
    default:
      return self->n_rows * n;
    }
}

static gboolean
read_sizes (EsMarketHeader *self, EsMatrixLines *lines, const char *at, GError **error)
{
  guint64 * const sizes[] = { &self->n_rows, &self->n_columns, &self->n_entries };
  const char * const expected[] = { _("the number of rows"), _("the number of columns"), _("the number of entries") };

  for (guint i = 0; i < (self->is_array ? 2 : G_N_ELEMENTS (sizes)); i++)
    {
      const char *from = at = _es_matrix_skip_blanks (at);

      if (!_es_matrix_parse_count (&at, sizes[i]) || strchr (" \t\r\n", *at) == NULL)
        return refuse_word (lines, from, expected[i], error);
      /* What is larger than any number here: its own digits, not those of the largest. */
      if (*sizes[i] == G_MAXUINT64)
        {
          g_autofree char *word = _es_matrix_show_word (from);

          return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_SIZE, error,
                                          _("found “%s” where %s was expected"), word, _("a number below 2^31"));
        }
    }
  if (*_es_matrix_skip_blanks (at) != '\n')
    return refuse_word (lines, at, _("the end of the line"), error);
  return TRUE;
}

/* What is promised is held against the file before anybody believes it. */
static gboolean
check_sizes (EsMarketHeader *self, EsMatrixLines *lines, GError **error)
{
  const guint64 least = self->is_array ? LEAST_ELEMENT : self->field == ES_MARKET_PATTERN ? LEAST_PATTERN : LEAST_ENTRY;
  /* The last line may lack its end. */
  const guint64 bound = _es_matrix_lines_bound (lines), most = bound / least + 1;

  if (!_es_sparse_matrix_check_sizes (lines->name, self->n_rows, self->n_columns, self->is_array ? 0 : self->n_entries,
                                      error))
    return FALSE;
  if (self->symmetry != ES_SYMMETRY_GENERAL && self->n_rows != self->n_columns)
    return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_FORMAT, error,
                                    _("%" PRIu64 " x %" PRIu64 " elements cannot be symmetric; as many rows as columns "
                                      "were expected"), self->n_rows, self->n_columns);
  /* Only the diagonal is not there twice. */
  if (!self->is_array && self->symmetry != ES_SYMMETRY_GENERAL && self->n_entries > self->n_rows
      && !_es_sparse_matrix_check_sizes (lines->name, self->n_rows, self->n_columns,
                                         2 * self->n_entries - self->n_rows, error))
    return FALSE;
  if (self->is_array)
    self->n_entries = count_elements (self);
  if (self->n_entries > most)
    return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_TRUNCATED, error,
                                    _("it promises %" PRIu64 " entries, and the file is too short for more than %"
                                      PRIu64), self->n_entries, most);
  if (self->n_rows > MAX (ROWS_FREE, ROWS_OF_ENTRY * self->n_entries))
    return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_SIZE, error,
                                    _("it promises %" PRIu64 " rows for %" PRIu64 " entries: more than a thousand rows "
                                      "would be empty for each that is not"), self->n_rows, self->n_entries);
  return TRUE;
}

gboolean
_es_market_header_read (EsMarketHeader *self, EsMatrixLines *lines, GError **error)
{
  g_autoptr (GError) failure = NULL;
  const char *at;

  *self = (EsMarketHeader) { 0 };
  if (!read_banner (self, lines, &failure))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  do
    at = _es_matrix_lines_next (lines, &failure);
  while (at != NULL && (*at == '%' || *_es_matrix_skip_blanks (at) == '\n'));
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (at == NULL)
    return _es_matrix_lines_refuse (lines, lines->line, ES_DATA_ERROR_TRUNCATED, error,
                                    _("the file ends before it says how large the matrix is"));
  self->line = lines->line;
  return read_sizes (self, lines, at, error) && check_sizes (self, lines, error);
}
