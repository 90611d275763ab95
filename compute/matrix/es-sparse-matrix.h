/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"

G_BEGIN_DECLS

/*
 * A sparse matrix as a data set (ES_DATASET_MATRIX): rows x columns real numbers in CSR, float64, columns ascending in
 * each row, none twice. What a file has once of a symmetric or skew matrix is there twice. Immutable; any thread.
 */
#define ES_TYPE_SPARSE_MATRIX (es_sparse_matrix_get_type ())
G_DECLARE_FINAL_TYPE (EsSparseMatrix, es_sparse_matrix, ES, SPARSE_MATRIX, EsDataset)

typedef enum { ES_SYMMETRY_GENERAL, ES_SYMMETRY_SYMMETRIC, ES_SYMMETRY_SKEW } EsSymmetry;

gsize         es_sparse_matrix_get_n_rows     (EsSparseMatrix *self);
gsize         es_sparse_matrix_get_n_columns  (EsSparseMatrix *self);
gsize         es_sparse_matrix_get_n_nonzeros (EsSparseMatrix *self);   /* expanded; below 2^31 */
const gint32 *es_sparse_matrix_get_row_from   (EsSparseMatrix *self);   /* n_rows + 1 */
const gint32 *es_sparse_matrix_get_columns    (EsSparseMatrix *self);
const double *es_sparse_matrix_get_values     (EsSparseMatrix *self);
EsSymmetry    es_sparse_matrix_get_symmetry   (EsSparseMatrix *self);   /* as its file said, or as it was made */

/*
 * Takes the three arrays (g_malloc), which it checks: ES_DATA_ERROR_FORMAT names the row and what is wrong with it.
 * What is computed of it is of `name`; identity is of the content. For tests, generators and graphs. Frees the arrays
 * where it fails, too.
 */
EsSparseMatrix *es_sparse_matrix_new (const char *name, gsize n_rows, gsize n_columns, gint32 *row_from,
                                      gint32 *columns, double *values, EsSymmetry symmetry, GError **error);
/* Whether a file that begins so is one in Matrix Market's form, also a compressed one. */
gboolean        es_matrix_market_is_head (const guint8 *head, gsize length);
/* A file in Matrix Market's form, also compressed (.mtx.gz). ES_DATA_ERROR names the file and the line. */
EsDataset      *es_sparse_matrix_open (GFile *file, GCancellable *cancellable, GError **error);
/*
 * Whether text names a generated one, which begins like:
 *
 *   poisson2d:1000x1000:5      Poisson's equation on a grid, 5 or 9 points; the first size is that of neighbouring rows
 *   poisson3d:100x100x100:7    the same, 7 or 27 points
 *   random:n=100000,mean=20,deviation=10,seed=1
 *                              also rows= and columns= for n=, lengths=0x10+3x60 (lengths of rows with weights) for
 *                              mean= and deviation=; spread= columns from the diagonal at most; symmetric=1; dominant=1
 *   banded:n=1000,lower=2,upper=3
 *   power:n=100000,exponent=2.5,seed=1
 *                              lengths of rows by a power law; also longest=, dominant=1
 *   like:cage14                in place of a matrix of sparse.md 2: of its order, its nonzeros and its symmetry
 *   example:4x4                that of sparse.md 1.0
 *
 * Values at random are from -1 to 1. dominant: the diagonal is 1 more than the magnitudes of its row together.
 */
gboolean        es_sparse_matrix_is_made_name (const char *text);
/* The matrix of such a name; it opens again by it. The same name makes the same bytes. ES_DATA_ERROR. */
EsDataset      *es_sparse_matrix_make (const char *text, GCancellable *cancellable, GError **error);
/*
 * A file in Matrix Market's form, from which the same numbers come to the last bit; compressed where its name ends in
 * .gz. Of a symmetric or skew matrix it has one side. Deterministic. progress: nullable, of 0 to 1 on this thread.
 * ES_DATA_ERROR_WRITE; G_IO_ERROR_CANCELLED leaves nothing behind.
 */
gboolean        es_sparse_matrix_write (EsSparseMatrix *self, GFile *target,
                                        void (*progress) (double fraction, gpointer data), gpointer data,
                                        GCancellable *cancellable, GError **error);
/* Whether what lies there was written by that, as far as its first lines tell. */
gboolean        es_sparse_matrix_is_written (GFile *file);
/* The second and further values of the same place were added up; entries that were so. 0: none. */
guint64         es_sparse_matrix_get_n_duplicates (EsSparseMatrix *self);

typedef struct
{
  gsize    n_empty_rows;
  gsize    shortest, longest;  /* nonzeros of a row */
  double   mean, deviation;    /* of the lengths of rows; deviation of N */
  gsize    lower, upper;       /* bandwidth: largest i - j and j - i of a nonzero */
  gsize    n_diagonals;        /* that hold a nonzero */
  gsize    n_zero_diagonal;    /* places of the main diagonal that are 0 or not stored */
  double   dominant;           /* share of rows with |a_ii| >= the sum of the others' magnitudes (0 >= 0 if empty) */
  gboolean is_square, is_symmetric;       /* in numbers, whatever the file says */
  /* Rows by length: bin b > 0 has those of 2^(b - 1) to 2^b - 1, bin 0 the empty ones. */
  guint64  lengths[33];
} EsMatrixStatistics;

/* Computed once, by whoever asks first (one pass over the nonzeros); borrowed. */
const EsMatrixStatistics *es_sparse_matrix_get_statistics (EsSparseMatrix *self);

/*
 * How many nonzeros lie in each of width x height cells of the matrix, row-major: what a spy picture is drawn from, at
 * any size. Cell (r, c) has rows from r * n_rows / height on (whole numbers): where there are more cells than rows,
 * some have none, so that pictures of small matrices count as many as there are and are enlarged. FALSE with
 * G_IO_ERROR_CANCELLED.
 */
gboolean es_sparse_matrix_count_cells (EsSparseMatrix *self, guint width, guint height, guint32 *cells,
                                       GCancellable *cancellable, GError **error);

G_END_DECLS
