/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset-internal.h"
#include "es-sparse-matrix.h"

G_BEGIN_DECLS

/* Of rows, of columns and of nonzeros: what 32 bits with a sign count. */
#define ES_MATRIX_MOST ((guint64) G_MAXINT32)

struct _EsSparseMatrix
{
  EsDataset  parent_instance;

  gsize      n_rows, n_columns;
  gint32    *row_from, *columns;
  double    *values;
  EsSymmetry symmetry;
  guint64    n_duplicates;
  char      *made;             /* the name by which it is made; NULL: it was not */

  GMutex     lock;             /* of the rest */
  gboolean   is_counted;
  EsMatrixStatistics statistics;
};

/* Takes the arrays, which are as they have to be. No file, no name, no identity yet. */
EsSparseMatrix *_es_sparse_matrix_new_checked (gsize n_rows, gsize n_columns, gint32 *row_from, gint32 *columns,
                                               double *values, EsSymmetry symmetry);
/* Whether each element is `sign` times the one across the diagonal: 1, symmetric; -1, skew. Not square: FALSE. */
gboolean _es_sparse_matrix_is_mirrored  (EsSparseMatrix *self, double sign);
/* ES_DATA_ERROR_SIZE where sizes are none, or more than the program counts; name: as messages have it. */
gboolean _es_sparse_matrix_check_sizes  (const char *name, guint64 n_rows, guint64 n_columns, guint64 n_nonzeros,
                                         GError **error);
/* ES_DATA_ERROR_SIZE where so many bytes are more than the machine has for one matrix. */
gboolean _es_sparse_matrix_check_memory (const char *name, guint64 bytes, GError **error);
/* The same where it turned out only when they were asked for. Returns FALSE. */
gboolean _es_sparse_matrix_set_memory_error (const char *name, guint64 bytes, GError **error);

G_END_DECLS
