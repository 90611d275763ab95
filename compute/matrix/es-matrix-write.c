/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-file-internal.h"
#include "es-matrix-market-private.h"
#include "es-matrix-number-private.h"
#include "es-sparse-matrix-private.h"
#include "saving/es-output-internal.h"

/* What is written at once; between two pieces somebody may cancel. */
#define PIECE ((gsize) 256 * 1024)
/* Whole numbers that a double tells apart from their neighbours. */
#define MOST_WHOLE 1e15

static const char mark[] = "% Eigenscope: ";

typedef struct
{
  const EsOutput  *output;
  GString         *text;
  GZlibCompressor *packer;     /* NULL: it is not compressed */
  char            *packed;
} Writing;

static void
writing_clear (Writing *self)
{
  g_string_free (self->text, TRUE);
  g_clear_object (&self->packer);
  g_free (self->packed);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writing, writing_clear)

/* All of the text, through the packer where there is one; last: nothing follows. */
static gboolean
flush (Writing *self, gboolean last, GError **error)
{
  GConverterResult result = G_CONVERTER_CONVERTED;
  gsize from = 0;

  if (self->packer == NULL)
    {
      if (!es_file_write (self->output->fd, self->output->path, self->text->str, self->text->len, error))
        return FALSE;
      from = self->text->len;
    }
  while (self->packer != NULL && (from < self->text->len || (last && result != G_CONVERTER_FINISHED)))
    {
      gsize taken = 0, made = 0;

      result = g_converter_convert (G_CONVERTER (self->packer), self->text->str + from, self->text->len - from,
                                    self->packed, PIECE, last ? G_CONVERTER_INPUT_AT_END : G_CONVERTER_NO_FLAGS, &taken,
                                    &made, error);
      if (result == G_CONVERTER_ERROR
          || !es_file_write (self->output->fd, self->output->path, self->packed, made, error))
        return FALSE;
      from += taken;
    }
  g_string_truncate (self->text, 0);
  return TRUE;
}

/* As short as it can be and still be that number. */
static void
append_number (GString *text, double value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double again = NAN;
  gboolean is_whole;

  if (fabs (value) <= MOST_WHOLE && value == floor (value) && !(value == 0 && signbit (value)))
    {
      g_string_append_printf (text, "%" PRId64, (gint64) value);
      return;
    }
  g_ascii_formatd (number, sizeof number, "%.15g", value);
  const char *at = number;
  _es_matrix_parse_number (&at, &again, &is_whole);
  if (again != value)
    g_ascii_formatd (number, sizeof number, "%.17g", value);
  g_string_append (text, number);
}

/* Of a row of a symmetric matrix what lies left of the diagonal and on it, of a skew one what lies left. */
static gint32
end_of_row (EsSparseMatrix *self, gsize row)
{
  gint32 end = self->row_from[row + 1];

  if (self->symmetry == ES_SYMMETRY_GENERAL)
    return end;
  while (end > self->row_from[row]
         && (gsize) self->columns[end - 1] >= row + (self->symmetry == ES_SYMMETRY_SYMMETRIC))
    end--;
  return end;
}

static void
append_head (EsSparseMatrix *self, GString *text)
{
  static const char * const symmetries[] = { "general", "symmetric", "skew-symmetric" };
  guint64 n = 0;

  for (gsize row = 0; row < self->n_rows; row++)
    n += (guint64) (end_of_row (self, row) - self->row_from[row]);
  g_string_append_printf (text, "%%%%MatrixMarket matrix coordinate real %s\n%s%s\n%zu %zu %" PRIu64 "\n",
                          symmetries[self->symmetry], mark, es_dataset_get_name (ES_DATASET (self)), self->n_rows,
                          self->n_columns, n);
}

static gboolean
write_rows (EsSparseMatrix *self, Writing *writing, void (*progress) (double fraction, gpointer data), gpointer data,
            GCancellable *cancellable, GError **error)
{
  for (gsize row = 0; row < self->n_rows; row++)
    for (gint32 k = self->row_from[row]; k < end_of_row (self, row); k++)
      {
        g_string_append_printf (writing->text, "%zu %d ", row + 1, self->columns[k] + 1);
        append_number (writing->text, self->values[k]);
        g_string_append_c (writing->text, '\n');
        if (writing->text->len < PIECE)
          continue;
        if (g_cancellable_set_error_if_cancelled (cancellable, error) || !flush (writing, FALSE, error))
          return FALSE;
        if (progress != NULL)
          progress ((double) k / (double) es_sparse_matrix_get_n_nonzeros (self), data);
      }
  return flush (writing, TRUE, error);
}

gboolean
es_sparse_matrix_write (EsSparseMatrix *self, GFile *target, void (*progress) (double fraction, gpointer data),
                        gpointer data, GCancellable *cancellable, GError **error)
{
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);
  g_auto (Writing) writing = { .text = g_string_sized_new (PIECE + 128) };

  g_return_val_if_fail (ES_IS_SPARSE_MATRIX (self), FALSE);
  if (path == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  writing.output = es_outputs_add (outputs, path, TRUE, error);
  if (writing.output == NULL)
    return FALSE;
  if (g_str_has_suffix (path, ".gz"))
    {
      writing.packer = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
      writing.packed = g_malloc (PIECE);
    }
  append_head (self, writing.text);
  return write_rows (self, &writing, progress, data, cancellable, error) && es_outputs_commit (outputs, error);
}

gboolean
es_sparse_matrix_is_written (GFile *file)
{
  const char *path = g_file_peek_path (file), *line = NULL;
  g_auto (EsMatrixLines) lines = { .fd = -1 };
  g_autoptr (GError) silence = NULL;

  if (path != NULL && _es_matrix_lines_open (&lines, path, path, NULL, &silence)
      && _es_matrix_lines_next (&lines, &silence) != NULL)
    line = _es_matrix_lines_next (&lines, &silence);
  return line != NULL && g_str_has_prefix (line, mark);
}
