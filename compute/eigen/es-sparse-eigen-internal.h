/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-limits.h"
#include "es-sparse.h"

G_BEGIN_DECLS

/* Some eigenpairs of a large sparse symmetric matrix: es-sparse-eigen.c. */

typedef enum
{
  ES_EIGEN_LARGEST,            /* the algebraically largest values, descending */
  ES_EIGEN_SMALLEST,           /* the algebraically smallest values, ascending */
} EsEigenEnd;

typedef enum
{
  ES_EIGEN_DENSE,              /* LAPACK: the matrix is small, or nearly all pairs are wanted */
  ES_EIGEN_LANCZOS,            /* ARPACK on products with the matrix */
  ES_EIGEN_INVERSE,            /* ARPACK on solutions with a factor of the shifted matrix, by CHOLMOD */
  ES_EIGEN_CARD,               /* block Lanczos on solutions with a dense factor on a GPU (eigen_sparse_smallest ()) */
  ES_EIGEN_FILTER,             /* subspace iteration with Chebyshev polynomials of the matrix */
} EsEigenMethod;

/* Share of what is under way that is done, 0..1, an estimate; from the thread that called. */
typedef void (*EsEigenProgress) (double fraction, gpointer user_data);

/* What is 0 or NULL is chosen. */
typedef struct
{
  double          tolerance;     /* of a pair, times the matrix's norm; 0: 1e-10 */
  guint           threads;       /* of products; 0: as many as the CPU has */
  guint           most_products; /* products or solutions, then it is given up; 0: 20,000 */
  gboolean        without_factor; /* by ARPACK on products alone */
  gboolean        filter;        /* SMALLEST by a filter where that takes few products; else as without it */
  const EsLimits *limits;        /* of the memory that a factor may take */
  EsDevice       *device;        /* borrowed; whose first member, where it is a GPU that can, finds SMALLEST */
  EsEigenProgress progress;
  gpointer        user_data;
  GCancellable   *cancellable;
} EsEigenOptions;

typedef struct
{
  EsEigenMethod method;
  guint         products;      /* with the matrix, or solutions with its factor */
  guint         products_before; /* INVERSE of LARGEST: products that came before it, too slowly */
  guint         restarts;      /* of ARPACK, all runs together; FILTER: polynomials */
  guint         found_later;   /* pairs that the first run had missed: further vectors of a value that repeats */
  double        residual;      /* largest |A v - value v| of the pairs */
  double        norm;          /* of the matrix: largest sum of magnitudes of a row */
  double        shift;         /* INVERSE, CARD: A + shift was factored; INVERSE of LARGEST: shift - A */
  guint64       factor_values, factor_bytes;       /* INVERSE, CARD: in the factor; of its memory */
  double        factor_flops;
  gboolean      card_refused;  /* the GPU that was asked did not find them: no memory, or no convergence */
  gboolean      factor_too_large;  /* LANCZOS: a factor of factor_bytes was over the limit */
} EsEigenFacts;

/*
 * m pairs from one end of a symmetric matrix (ESK_F64, square): values (m), vectors (m x n, row k of value k, unit
 * length, at right angles to each other, the component of largest magnitude positive). facts: nullable.
 *
 * LARGEST are found by the implicitly restarted Lanczos method (ARPACK; Lehoucq, Sorensen and Yang 1998) on products.
 * Where by what was gained from one look to the next these would take longer than it, by the same on (shift - A)^-1
 * from then on, with shift a little above all values: the least of Gershgorin's bound and what ARPACK knows of its
 * largest value; what that takes is counted by the symbolic factor, so that it depends on the matrix alone.
 * SMALLEST by the same on (A + shift)^-1 (Ericsson and Ruhe 1980), whose supernodal Cholesky factor is CHOLMOD's (Chen,
 * Davis, Hager and Rajamanickam 2008), in the order that METIS or AMD finds; shift is the smallest power of 1000 times
 * 1e-10 |A| for which there is a factor. Where that would not fit into half of the limits' memory, and where
 * `without_factor` asks for it, on products instead. On a GPU that has memory for n x n numbers, by block Lanczos on
 * a dense factor of the same, with no library of these; where that fails for want of memory or convergence, as above.
 * With `filter` SMALLEST are first looked for by subspace iteration with Chebyshev polynomials of the matrix (Zhou,
 * Saad, Tiago and Chelikowsky 2006): a block of m and at least 8 vectors more, so that values repeat as often as they
 * do there; the pairs come to 1e-3 of the tolerance, at best to 1e-12 of the norm. That pays where some of the smallest
 * values lie well apart from the rest, as those of a graph of neighbours do, and is given up after a few products where
 * they do not. The GPU that was asked for comes first.
 * A Krylov space holds one vector of a value that repeats: both are therefore repeated at right angles to what was
 * found until nothing beyond the last value comes any more. Every pair is held against its residual. The start is
 * always the same, and so are the bytes for any number of threads.
 *
 * ES_COMPUTE_ERROR_PARAMETER: m is 0 or above n. ES_DATA_ERROR_UNSUPPORTED: not square, not symmetric (the place is
 * told), not finite, too large.
 * ES_COMPUTE_ERROR_NUMERIC: did not converge within most_products (what was wanted, how many pairs came).
 * ES_COMPUTE_ERROR_MEMORY; ES_DATA_ERROR_UNSUPPORTED: the libraries are missing. G_IO_ERROR_CANCELLED within 0.2 s:
 * what CHOLMOD has begun is left to a thread that ends by itself.
 */
gboolean    es_sparse_eigen_find        (const EskCsr *matrix, EsEigenEnd end, guint m, const EsEigenOptions *options,
                                         double *values, double *vectors, EsEigenFacts *facts, GError **error);

/* y = operator x, n values each. FALSE with *error. */
typedef gboolean (*EsEigenApply) (gpointer data, const double *x, double *y, GError **error);

/* The m largest pairs of a symmetric operator that there is no matrix of, by the same method and with the same errors.
 * bound: none of its values is of larger magnitude; 0: it is zero. apply: from the thread that called. */
gboolean    es_operator_eigen_find      (gsize n, double bound, EsEigenApply apply, gpointer data, guint m,
                                         const EsEigenOptions *options, double *values, double *vectors,
                                         EsEigenFacts *facts, GError **error);
/* Bytes of the host's memory beside matrix and results, without a factor; pure arithmetic. */
guint64     es_sparse_eigen_plan_memory (gsize n, gsize n_nonzeros, guint m);
/*
 * What finding them takes, about: operations that wait for the memory, of which a processor does some 4e9 a second;
 * pure arithmetic. factor_limit: bytes that a factor may take; 0: without one. *guessed: products with the matrix that
 * it counts on where they have to do alone, for how many that takes nobody knows; else 0. How full a factor becomes
 * is known only of an order of the matrix: here as full as that of a grid in the plane (George 1973: n log n), which is
 * too little for others.
 */
double      es_sparse_eigen_plan_work   (gsize n, gsize n_nonzeros, EsEigenEnd end, guint m, guint64 factor_limit,
                                         guint *guessed);
/* As es_sparse_eigen_plan_memory (), of a filter. */
guint64     es_eigen_plan_filter        (gsize n, guint m);
/* "Lanczos on products (ARPACK)", translated. */
const char *es_eigen_method_get_name    (EsEigenMethod method);

G_END_DECLS
