/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/es-error.h"
#include "es-matrix-market-private.h"
#include "es-matrix-number-private.h"
#include "es-matrix-triplets-private.h"

/* From entry number `entry` on (from 0), entry k stands in line k + offset. */
typedef struct
{
  gsize   entry;
  guint64 offset;
} Jump;

typedef struct
{
  EsMatrixLines  lines;
  EsMarketHeader header;
  EsTriplets     triplets;
  GArray        *jumps;        /* of Jump: behind lines that are no entries */
  guint64        n_read;       /* lines of entries */
  guint64        row, column;  /* of an array: of the next element */
} Reading;

static void
reading_clear (Reading *self)
{
  _es_matrix_lines_clear (&self->lines);
  _es_triplets_clear (&self->triplets);
  g_clear_pointer (&self->jumps, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

static gboolean
refuse_word (Reading *self, const char *at, const char *expected, GError **error)
{
  g_autofree char *word = _es_matrix_show_word (at);

  if (*word == '\0')
    return _es_matrix_lines_refuse (&self->lines, self->lines.line, ES_DATA_ERROR_FORMAT, error,
                                    _("the line ends where %s was expected"), expected);
  return _es_matrix_lines_refuse (&self->lines, self->lines.line, ES_DATA_ERROR_FORMAT, error,
                                  _("found “%s” where %s was expected"), word, expected);
}

static inline gboolean
is_blank (char c)
{
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static gboolean
read_index (Reading *self, const char **at, guint64 most, gboolean is_row, gint32 *index, GError **error)
{
  const char *from = *at = _es_matrix_skip_blanks (*at);
  guint64 value;

  if (!_es_matrix_parse_count (at, &value) || !is_blank (**at))
    return refuse_word (self, from, is_row ? _("a row number") : _("a column number"), error);
  if (value < 1 || value > most)
    return _es_matrix_lines_refuse (&self->lines, self->lines.line, ES_DATA_ERROR_FORMAT, error,
                                    is_row ? _("row %" PRIu64 " is not among the %" PRIu64 " of the matrix")
                                           : _("column %" PRIu64 " is not among the %" PRIu64 " of the matrix"),
                                    value, most);
  *index = (gint32) (value - 1);
  return TRUE;
}

static gboolean
read_value (Reading *self, const char **at, double *value, GError **error)
{
  const char *from = *at = _es_matrix_skip_blanks (*at);
  gboolean is_whole;

  if (!_es_matrix_parse_number (at, value, &is_whole) || !is_blank (**at))
    return refuse_word (self, from, _("a finite number"), error);
  if (!isfinite (*value))
    return refuse_word (self, from, _("a number that is not too large"), error);
  if (self->header.field == ES_MARKET_INTEGER && !is_whole)
    return refuse_word (self, from, _("a whole number"), error);
  return TRUE;
}

static gboolean
check_end (Reading *self, const char *at, GError **error)
{
  at = _es_matrix_skip_blanks (at);
  return *at == '\n' || refuse_word (self, at, _("the end of the line"), error);
}

/* Which line the entry that is added next stands in. */
static void
mark_line (Reading *self)
{
  const guint64 offset = self->lines.line - self->triplets.n;
  const Jump *last = self->jumps->len > 0 ? &g_array_index (self->jumps, Jump, self->jumps->len - 1) : NULL;
  const Jump jump = { self->triplets.n, offset };

  if (last == NULL || last->offset != offset)
    g_array_append_val (self->jumps, jump);
}

static guint64
line_of (Reading *self, gsize entry)
{
  guint from = 0, to = self->jumps->len;

  while (to - from > 1)
    {
      const guint middle = from + (to - from) / 2;

      if (g_array_index (self->jumps, Jump, middle).entry <= entry)
        from = middle;
      else
        to = middle;
    }
  return to > 0 ? entry + g_array_index (self->jumps, Jump, from).offset : 0;
}

static gboolean
read_entry (Reading *self, const char *at, GError **error)
{
  const EsMarketHeader *header = &self->header;
  gint32 row, column;
  double value = 1;

  if (!read_index (self, &at, header->n_rows, TRUE, &row, error)
      || !read_index (self, &at, header->n_columns, FALSE, &column, error)
      || (header->field != ES_MARKET_PATTERN && !read_value (self, &at, &value, error))
      || !check_end (self, at, error))
    return FALSE;
  if (header->symmetry == ES_SYMMETRY_SKEW && row == column && value != 0)
    return _es_matrix_lines_refuse (&self->lines, self->lines.line, ES_DATA_ERROR_FORMAT, error,
                                    _("element %d, %d is not 0, as the diagonal of a skew-symmetric matrix is"),
                                    row + 1, column + 1);
  if (header->symmetry == ES_SYMMETRY_SKEW && row == column)
    return TRUE;
  mark_line (self);
  return _es_triplets_add (&self->triplets, row, column, value, error);
}

/* Column by column; of a symmetric one from the diagonal on, of a skew one from below it. */
static gboolean
read_element (Reading *self, const char *at, GError **error)
{
  const guint64 row = self->row, column = self->column;
  double value;

  if (!read_value (self, &at, &value, error) || !check_end (self, at, error))
    return FALSE;
  if (++self->row == self->header.n_rows)
    {
      self->column++;
      self->row = self->header.symmetry == ES_SYMMETRY_GENERAL ? 0
                  : self->column + (self->header.symmetry == ES_SYMMETRY_SKEW);
    }
  if (value == 0)
    return TRUE;
  if (self->triplets.n == ES_MATRIX_MOST)
    return _es_sparse_matrix_check_sizes (self->lines.name, self->header.n_rows, self->header.n_columns,
                                          (guint64) self->triplets.n + 1, error);
  mark_line (self);
  return _es_triplets_add (&self->triplets, (gint32) row, (gint32) column, value, error);
}

static gboolean
read_entries (Reading *self, GError **error)
{
  g_autoptr (GError) failure = NULL;
  const char *line;

  self->row = self->header.symmetry == ES_SYMMETRY_SKEW;
  while ((line = _es_matrix_lines_next (&self->lines, &failure)) != NULL)
    {
      line = _es_matrix_skip_blanks (line);
      if (*line == '\n' || *line == '%')
        continue;
      if (self->n_read == self->header.n_entries)
        return _es_matrix_lines_refuse (&self->lines, self->lines.line, ES_DATA_ERROR_FORMAT, error,
                                        _("there is more than the %" PRIu64 " entries that line %" PRIu64 " promises"),
                                        self->header.n_entries, self->header.line);
      self->n_read++;
      if (!(self->header.is_array ? read_element (self, line, error) : read_entry (self, line, error)))
        return FALSE;
    }
  if (failure != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  if (self->n_read < self->header.n_entries)
    return _es_matrix_lines_refuse (&self->lines, self->lines.line, ES_DATA_ERROR_TRUNCATED, error,
                                    _("the file ends here, after %" PRIu64 " of the %" PRIu64 " entries that line %"
                                      PRIu64 " promises"), self->n_read, self->header.n_entries, self->header.line);
  return TRUE;
}

static gboolean
refuse_together (Reading *self, const EsTripletsRefusal *refusal, GError **error)
{
  const guint64 line = line_of (self, refusal->entry);
  const gsize row = refusal->row + 1, column = refusal->column + 1;

  if (refusal->fault == ES_TRIPLETS_OVERFLOW)
    return _es_matrix_lines_refuse (&self->lines, line, ES_DATA_ERROR_FORMAT, error,
                                    _("all entries of row %zu and column %zu together are too large a number"), row,
                                    column);
  return _es_matrix_lines_refuse (&self->lines, line, ES_DATA_ERROR_FORMAT, error,
                                  _("a symmetric matrix says each element once, on one side of its diagonal, and this "
                                    "file has both row %zu, column %zu and row %zu, column %zu"), MAX (row, column),
                                  MIN (row, column), MIN (row, column), MAX (row, column));
}

static EsSparseMatrix *
read_matrix (Reading *self, GError **error)
{
  const EsMarketHeader *header = &self->header;
  EsTripletsRefusal refusal = { 0 };
  g_autoptr (GError) failure = NULL;
  EsSparseMatrix *matrix;

  _es_triplets_begin (&self->triplets, self->lines.name, header->n_rows, header->n_columns, header->symmetry,
                      MIN (header->n_entries, ES_MATRIX_MOST));
  if (!read_entries (self, error))
    return NULL;
  matrix = _es_triplets_finish (&self->triplets, &refusal, self->lines.cancellable, &failure);
  if (matrix == NULL && failure == NULL)
    refuse_together (self, &refusal, error);
  else if (matrix == NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return matrix;
}

EsDataset *
es_sparse_matrix_open (GFile *file, GCancellable *cancellable, GError **error)
{
  g_autofree char *path = g_file_get_path (file), *name = es_error_file_name (file), *identity = NULL;
  g_auto (Reading) self = { .lines.fd = -1, .jumps = g_array_new (FALSE, FALSE, sizeof (Jump)) };
  EsSparseMatrix *matrix;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (path == NULL)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is not on this machine; copy it to a local folder first"), name);
      return NULL;
    }
  identity = _es_dataset_identity_of (file);
  if (!_es_matrix_lines_open (&self.lines, path, name, cancellable, error)
      || !_es_market_header_read (&self.header, &self.lines, error))
    return NULL;
  matrix = read_matrix (&self, error);
  if (matrix == NULL)
    return NULL;
  _es_dataset_set_file (ES_DATASET (matrix), file, name);
  _es_dataset_set_identity (ES_DATASET (matrix), identity);
  if (matrix->n_duplicates > 0)
    _es_dataset_add_note (ES_DATASET (matrix),
                          g_dngettext (GETTEXT_PACKAGE,
                                       "%" PRIu64 " entry is of a place that an earlier one has; they were added up.",
                                       "%" PRIu64 " entries are of places that earlier ones have; they were added up.",
                                       matrix->n_duplicates), matrix->n_duplicates);
  return ES_DATASET (matrix);
}
