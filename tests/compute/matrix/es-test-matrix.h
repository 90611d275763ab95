/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "matrix/es-sparse-matrix.h"

G_BEGIN_DECLS

/* A file of that text, or of these bytes, in a folder that goes with the test. Transfer full. */
GFile          *es_test_matrix_file  (const char *name, const void *data, gsize length);
/* The same compressed by the program gzip's format. level: 1 to 9. */
GFile          *es_test_matrix_gzip  (const char *name, const char *text, int level);
EsSparseMatrix *es_test_matrix_open  (const char *text);
/* The error that it ends in. Transfer full. */
GError         *es_test_matrix_fail  (const char *text);
/* All elements, row by row. Transfer full. */
double         *es_test_matrix_dense (EsSparseMatrix *matrix);
/* That it is what es_sparse_matrix_new () would take. */
void            es_test_matrix_check (EsSparseMatrix *matrix);
EsSparseMatrix *es_test_matrix_make  (const char *name);

G_END_DECLS
