/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-sparse.h"
#include "matrix/es-sparse-matrix.h"

G_BEGIN_DECLS

/* ---- formats by name ---- */

/* "csr-vector": on the command line and in files; "CSR, vector": for people, translated. Static. */
const char *es_sparse_format_get_id    (EskSparseFormat format);
const char *es_sparse_format_get_title (EskSparseFormat format);
gboolean    es_sparse_format_find      (const char *id, EskSparseFormat *format);
/* "csr-vector, sell" as a set of bits, 1 << format; empty: all. ES_COMPUTE_ERROR_PARAMETER names the word and those
 * that there are. set: nullable. */
gboolean    es_sparse_formats_parse    (const char *text, guint *set, GError **error);

/* ---- what a product moves, by a model of bytes ---- */

typedef struct
{
  gsize                     n_rows, n_columns, n_nonzeros;
  const EsMatrixStatistics *statistics;
  EskType                   type;          /* of values and vectors */
  gboolean                  on_card;       /* else the processor's formats and their speeds */
  double                    bandwidth;     /* bytes a second; 0: not known */
  double                    launch;        /* seconds that a kernel takes at least; 0: none */
} EsSparseProblem;

typedef struct
{
  double stored;               /* values with their padding, as the statistics let expect */
  double bytes;                /* of matrix and vectors, that a product moves */
  double seconds;              /* at that bandwidth, by how well the format comes up to it; NAN: not known */
} EsSparsePrediction;

/* Bytes that every product has to move whatever its format: each nonzero's value once, x and y once. Pure. */
double es_sparse_least_bytes (const EsSparseProblem *problem);
/* Of every format but the library's, whose way is its own (NAN). Pure. */
void   es_sparse_predict     (const EsSparseProblem *problem, EsSparsePrediction *predictions);

/*
 * The format that products of the matrix are best taken in, and why: one translated sentence (nullable), transfer full.
 * That of the least predicted time, among those whose padding is no more than `most_padding` values a nonzero; never
 * the library. Pure: the same statistics, the same choice.
 */
#define ES_SPARSE_MOST_PADDING 4.0
EskSparseFormat es_sparse_choose (const EsSparseProblem *problem, char **reason);

/* ---- what was published (sparse.md, table 4.1; a GTX 260+ of 2009, float32) ---- */

typedef struct
{
  const char *name;            /* "c-26": of the collection */
  gsize       order, nonzeros; /* as printed: of some matrices one triangle */
  double      vector_seconds, vab_seconds;
} EsSparsePublished;

/* By the name of a file or data set ("c-26.mtx", "like:c-26"); NULL: nothing was published of it. Static. */
const EsSparsePublished *es_sparse_find_published (const char *name);

G_END_DECLS
