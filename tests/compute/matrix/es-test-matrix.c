/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-matrix.h"

#include <math.h>
#include <string.h>

GFile *
es_test_matrix_file (const char *name, const void *data, gsize length)
{
  static char *folder = NULL;
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  if (folder == NULL)
    folder = g_dir_make_tmp ("es-matrix-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (folder, name, NULL);
  g_file_set_contents (path, data, (gssize) length, &error);
  g_assert_no_error (error);
  return g_file_new_for_path (path);
}

GFile *
es_test_matrix_gzip (const char *name, const char *text, int level)
{
  g_autoptr (GZlibCompressor) compressor = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, level);
  g_autoptr (GError) error = NULL;
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, G_CONVERTER (compressor));

  g_output_stream_write_all (stream, text, strlen (text), NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (g_output_stream_close (stream, NULL, NULL));
  return es_test_matrix_file (name, g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (memory)),
                              g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (memory)));
}

EsSparseMatrix *
es_test_matrix_open (const char *text)
{
  g_autoptr (GFile) file = es_test_matrix_file ("m.mtx", text, strlen (text));
  g_autoptr (GError) error = NULL;
  EsDataset *matrix = es_sparse_matrix_open (file, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_SPARSE_MATRIX (matrix));
  es_test_matrix_check (ES_SPARSE_MATRIX (matrix));
  return ES_SPARSE_MATRIX (matrix);
}

GError *
es_test_matrix_fail (const char *text)
{
  g_autoptr (GFile) file = es_test_matrix_file ("m.mtx", text, strlen (text));
  GError *error = NULL;
  EsDataset *matrix = es_sparse_matrix_open (file, NULL, &error);

  g_assert_null (matrix);
  g_assert_nonnull (error);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  return error;
}

double *
es_test_matrix_dense (EsSparseMatrix *matrix)
{
  const gsize rows = es_sparse_matrix_get_n_rows (matrix), columns = es_sparse_matrix_get_n_columns (matrix);
  double *dense = g_new0 (double, rows * columns);

  for (gsize i = 0; i < rows; i++)
    for (gint32 k = es_sparse_matrix_get_row_from (matrix)[i]; k < es_sparse_matrix_get_row_from (matrix)[i + 1]; k++)
      dense[i * columns + (gsize) es_sparse_matrix_get_columns (matrix)[k]] = es_sparse_matrix_get_values (matrix)[k];
  return dense;
}

void
es_test_matrix_check (EsSparseMatrix *matrix)
{
  const gsize rows = es_sparse_matrix_get_n_rows (matrix), n = es_sparse_matrix_get_n_nonzeros (matrix);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsSparseMatrix) again
    = es_sparse_matrix_new ("again", rows, es_sparse_matrix_get_n_columns (matrix),
                            g_memdup2 (es_sparse_matrix_get_row_from (matrix), (rows + 1) * sizeof (gint32)),
                            g_memdup2 (es_sparse_matrix_get_columns (matrix), n * sizeof (gint32)),
                            g_memdup2 (es_sparse_matrix_get_values (matrix), n * sizeof (double)),
                            es_sparse_matrix_get_symmetry (matrix), &error);

  g_assert_no_error (error);
  g_assert_nonnull (again);
}

EsSparseMatrix *
es_test_matrix_make (const char *name)
{
  g_autoptr (GError) error = NULL;
  EsDataset *matrix = es_sparse_matrix_make (name, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (ES_IS_SPARSE_MATRIX (matrix));
  es_test_matrix_check (ES_SPARSE_MATRIX (matrix));
  return ES_SPARSE_MATRIX (matrix);
}
