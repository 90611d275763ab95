/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "base/es-error.h"
#include "base/es-memory-internal.h"
#include "base/es-text-show.h"
#include "es-sha256.h"
#include "es-sparse-matrix-private.h"

G_DEFINE_FINAL_TYPE (EsSparseMatrix, es_sparse_matrix, ES_TYPE_DATASET)

static void
es_sparse_matrix_finalize (GObject *object)
{
  EsSparseMatrix *self = ES_SPARSE_MATRIX (object);

  g_free (self->row_from);
  g_free (self->columns);
  g_free (self->values);
  g_free (self->made);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (es_sparse_matrix_parent_class)->finalize (object);
}

static char *
describe (EsDataset *dataset)
{
  EsSparseMatrix *self = ES_SPARSE_MATRIX (dataset);
  const gsize n = es_sparse_matrix_get_n_nonzeros (self);

  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%zu × %zu, %zu nonzero", "%zu × %zu, %zu nonzeros", n),
                          self->n_rows, self->n_columns, n);
}

static char *
shape (EsDataset *dataset)
{
  EsSparseMatrix *self = ES_SPARSE_MATRIX (dataset);

  return g_strdup_printf ("%zux%zu:%zu", self->n_rows, self->n_columns, es_sparse_matrix_get_n_nonzeros (self));
}

static void
add_input (EsDataset *dataset, JsonBuilder *builder, JsonObject *values)
{
  EsSparseMatrix *self = ES_SPARSE_MATRIX (dataset);

  if (self->made == NULL)
    return;
  json_builder_set_member_name (builder, "made");
  json_builder_add_string_value (builder, self->made);
}

static const char *
get_made_name (EsDataset *dataset)
{
  return ES_SPARSE_MATRIX (dataset)->made;
}

static void
es_sparse_matrix_class_init (EsSparseMatrixClass *class)
{
  EsDatasetClass *dataset_class = ES_DATASET_CLASS (class);

  G_OBJECT_CLASS (class)->finalize = es_sparse_matrix_finalize;
  dataset_class->kind = ES_DATASET_MATRIX;
  dataset_class->describe = describe;
  dataset_class->shape = shape;
  dataset_class->add_input = add_input;
  dataset_class->get_made_name = get_made_name;
}

static void
es_sparse_matrix_init (EsSparseMatrix *self)
{
  g_mutex_init (&self->lock);
}

gboolean
_es_sparse_matrix_check_sizes (const char *name, guint64 n_rows, guint64 n_columns, guint64 n_nonzeros, GError **error)
{
  if (n_rows == 0 || n_columns == 0)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 _("“%s” has %" PRIu64 " x %" PRIu64 " elements; at least one row and one column were expected"), name,
                 n_rows, n_columns);
  else if (n_rows > ES_MATRIX_MOST || n_columns > ES_MATRIX_MOST)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 _("“%s” has %" PRIu64 " x %" PRIu64 " elements; fewer than 2^31 rows and columns were expected"), name,
                 n_rows, n_columns);
  else if (n_nonzeros > ES_MATRIX_MOST)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                 _("“%s” has %" PRIu64 " nonzeros; fewer than 2^31 were expected"), name, n_nonzeros);
  else
    return TRUE;
  return FALSE;
}

gboolean
_es_sparse_matrix_set_memory_error (const char *name, guint64 bytes, GError **error)
{
  g_autofree char *wanted = g_format_size_full (bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *present = g_format_size_full (es_memory_total (), G_FORMAT_SIZE_IEC_UNITS);

  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
               _("The matrix “%s” takes %s of memory, and this machine has %s; a smaller one was expected"), name,
               wanted, present);
  return FALSE;
}

gboolean
_es_sparse_matrix_check_memory (const char *name, guint64 bytes, GError **error)
{
  return bytes <= es_memory_total () / 5 * 4 || _es_sparse_matrix_set_memory_error (name, bytes, error);
}

EsSparseMatrix *
_es_sparse_matrix_new_checked (gsize n_rows, gsize n_columns, gint32 *row_from, gint32 *columns, double *values,
                               EsSymmetry symmetry)
{
  EsSparseMatrix *self = g_object_new (ES_TYPE_SPARSE_MATRIX, NULL);

  self->n_rows = n_rows;
  self->n_columns = n_columns;
  self->row_from = row_from;
  self->columns = columns;
  self->values = values;
  self->symmetry = symmetry;
  return self;
}

static gboolean G_GNUC_PRINTF (4, 5)
refuse_row (const char *name, gsize row, GError **error, const char *format, ...)
{
  g_autofree char *found = NULL;
  va_list arguments;

  va_start (arguments, format);
  found = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT, _("Row %zu of “%s” is wrong: %s"), row + 1, name, found);
  return FALSE;
}

static gboolean
check_row (const char *name, gsize row, gsize n_columns, const gint32 *row_from, const gint32 *columns,
           const double *values, GError **error)
{
  for (gint32 k = row_from[row]; k < row_from[row + 1]; k++)
    {
      if (columns[k] < 0 || (gsize) columns[k] >= n_columns)
        return refuse_row (name, row, error, _("it has column %" PRId64 " of %zu"), (gint64) columns[k] + 1, n_columns);
      if (k > row_from[row] && columns[k] == columns[k - 1])
        return refuse_row (name, row, error, _("it has column %d twice"), columns[k] + 1);
      if (k > row_from[row] && columns[k] < columns[k - 1])
        return refuse_row (name, row, error, _("column %d follows column %d, and ascending ones were expected"),
                           columns[k] + 1, columns[k - 1] + 1);
      if (!isfinite (values[k]))
        return refuse_row (name, row, error, _("its value in column %d is no finite number"), columns[k] + 1);
    }
  return TRUE;
}

static gboolean
check (const char *name, gsize n_rows, gsize n_columns, const gint32 *row_from, const gint32 *columns,
       const double *values, EsSymmetry symmetry, GError **error)
{
  if (!_es_sparse_matrix_check_sizes (name, n_rows, n_columns, 0, error))
    return FALSE;
  if (symmetry != ES_SYMMETRY_GENERAL && n_rows != n_columns)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("“%s” is called symmetric and has %zu x %zu elements; as many rows as columns were expected"),
                   name, n_rows, n_columns);
      return FALSE;
    }
  if (row_from[0] != 0)
    return refuse_row (name, 0, error, _("it begins at nonzero %d, and 0 was expected"), row_from[0]);
  /* All of them before any is followed. */
  for (gsize i = 0; i < n_rows; i++)
    if (row_from[i + 1] < row_from[i])
      return refuse_row (name, i, error, _("it ends at nonzero %d before it begins at %d"), row_from[i + 1],
                         row_from[i]);
  for (gsize i = 0; i < n_rows; i++)
    if (!check_row (name, i, n_columns, row_from, columns, values, error))
      return FALSE;
  return TRUE;
}

/* Of sizes and arrays. */
static char *
identify (EsSparseMatrix *self)
{
  const guint64 sizes[] = { self->n_rows, self->n_columns };
  const gsize n = es_sparse_matrix_get_n_nonzeros (self);
  GString *text = g_string_new (NULL);
  unsigned char digest[32];
  EskSha256 sum;

  esk_sha256_begin (&sum);
  esk_sha256_add (&sum, sizes, sizeof sizes);
  esk_sha256_add (&sum, self->row_from, (self->n_rows + 1) * sizeof *self->row_from);
  esk_sha256_add (&sum, self->columns, n * sizeof *self->columns);
  esk_sha256_add (&sum, self->values, n * sizeof *self->values);
  esk_sha256_end (&sum, digest);
  for (guint i = 0; i < sizeof digest; i++)
    g_string_append_printf (text, "%02x", digest[i]);
  return g_string_free (text, FALSE);
}

EsSparseMatrix *
es_sparse_matrix_new (const char *name, gsize n_rows, gsize n_columns, gint32 *row_from, gint32 *columns,
                      double *values, EsSymmetry symmetry, GError **error)
{
  g_autofree char *shown = es_text_show (name), *identity = NULL;
  EsSparseMatrix *self;

  g_return_val_if_fail (name != NULL && row_from != NULL, NULL);
  if (!check (shown, n_rows, n_columns, row_from, columns, values, symmetry, error))
    {
      g_free (row_from);
      g_free (columns);
      g_free (values);
      return NULL;
    }
  self = _es_sparse_matrix_new_checked (n_rows, n_columns, row_from, columns, values, symmetry);
  if (symmetry != ES_SYMMETRY_GENERAL
      && !_es_sparse_matrix_is_mirrored (self, symmetry == ES_SYMMETRY_SKEW ? -1 : 1))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   symmetry == ES_SYMMETRY_SKEW
                   ? _("“%s” is called skew-symmetric, and its elements across the diagonal are not each other's "
                       "negatives")
                   : _("“%s” is called symmetric, and its elements across the diagonal differ"), shown);
      g_object_unref (self);
      return NULL;
    }
  identity = identify (self);
  _es_dataset_set_file (ES_DATASET (self), NULL, name);
  _es_dataset_set_identity (ES_DATASET (self), identity);
  return self;
}

gsize
es_sparse_matrix_get_n_rows (EsSparseMatrix *self)
{
  return self->n_rows;
}

gsize
es_sparse_matrix_get_n_columns (EsSparseMatrix *self)
{
  return self->n_columns;
}

gsize
es_sparse_matrix_get_n_nonzeros (EsSparseMatrix *self)
{
  return (gsize) self->row_from[self->n_rows];
}

const gint32 *
es_sparse_matrix_get_row_from (EsSparseMatrix *self)
{
  return self->row_from;
}

const gint32 *
es_sparse_matrix_get_columns (EsSparseMatrix *self)
{
  return self->columns;
}

const double *
es_sparse_matrix_get_values (EsSparseMatrix *self)
{
  return self->values;
}

EsSymmetry
es_sparse_matrix_get_symmetry (EsSparseMatrix *self)
{
  return self->symmetry;
}

guint64
es_sparse_matrix_get_n_duplicates (EsSparseMatrix *self)
{
  return self->n_duplicates;
}
