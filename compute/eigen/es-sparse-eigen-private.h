/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"
#include "es-sparse-eigen-internal.h"

G_BEGIN_DECLS

/* ---- es-eigen-product.c: y = A x on the CPU ---- */

typedef struct _EsEigenProduct EsEigenProduct;

/* The matrix outlives it. */
EsEigenProduct *es_eigen_product_new   (const EskCsr *matrix, guint threads, GError **error);
void            es_eigen_product_free  (EsEigenProduct *self);
gboolean        es_eigen_product_apply (gpointer self, const double *x, double *y, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsEigenProduct, es_eigen_product_free)

/* ---- es-eigen-lanczos.c: ARPACK ---- */

#define ES_LANCZOS_FEW 20
#define ES_LANCZOS_MOST 40

/* Restarts between two looks at how far a run is. */
#define ES_LANCZOS_LOOKS 3

/* How far a run is. */
typedef struct
{
  double above;                /* an estimate that no value is above */
  double last;                 /* of the m largest one, so far */
  double fraction;             /* of the progress */
  double remaining;            /* products that it will take at the pace so far */
} EsLanczosView;

typedef struct
{
  gsize         n;
  guint         m;
  guint         basis;         /* vectors kept at least: FEW where values lie far apart or products are dear */
  double        tolerance;     /* ARPACK's: of a value, relative to it */
  double        rough;         /* how well the next value is found at first, where values lie far apart; 0: as well */
  double        least;         /* what a value found later has to be beyond the last one, relative to it */
  double        least_inverse; /* the same of their inverses, where that is less: those are wanted; 0: they are not */
  guint         most_products;
  EsEigenApply  apply;
  gpointer      data;
  const int    *cancelled;     /* atomic */
  void        (*progress) (double fraction, gpointer data);   /* nullable; data: the one above */
  /* Nullable. FALSE: with its error, or the run is left without one. */
  gboolean    (*look) (const EsLanczosView *view, gpointer data, GError **error);
  gpointer      look_data;
} EsLanczos;

/* ARPACK keeps what it is doing in variables of its own: one at a time. FALSE: cancelled meanwhile. */
gboolean es_lanczos_begin (GCancellable *cancellable, GError **error);
void     es_lanczos_end   (void);
/* Between the two: the m largest values of the operator (descending) with their vectors (m x n). None is negative, so
 * that what has been found is nothing at the other end. FALSE without an error: `look` wanted no more of it. */
gboolean es_lanczos_run   (const EsLanczos *self, double *values, double *vectors, EsEigenFacts *facts,
                           GError **error);
/* Bytes of a run. */
guint64  es_lanczos_bytes (gsize n, guint m);
/* What a product takes, with the vector that it makes held against a basis of MOST; products before the first look. */
double   es_lanczos_get_work (gsize n, gsize n_nonzeros, guint m);
guint    es_lanczos_count_before_look (guint m);

/* Vector `which` of those that no problem is made for: -0.5 .. 0.5 (splitmix64). */
void     es_eigen_fill_start (gsize n, guint which, double *x);

/* ---- the smallest values by the largest of (A + shift)^-1 ---- */

/* From 0 on: the shift to be tried next, in steps of a thousand; in the end a little more than the norm, with which
 * every matrix is positive definite. FALSE: that has been tried. */
static inline gboolean
es_eigen_raise_shift (double *shift, double norm)
{
  const double last = 1.01 * norm;

  if (*shift >= last)
    return FALSE;
  *shift = MIN (*shift > 0 ? 1000 * *shift : 1e-10 * norm, last);
  return TRUE;
}

/* What the inverse has to be solved to: |(A + shift)^-1 v - t v| <= e t leaves |A v - value v| <= |A + shift| e. */
static inline double
es_eigen_tolerance_of_inverse (double tolerance, double shift, double norm)
{
  return tolerance * (norm / (norm + shift));
}

/* ---- es-eigen-check.c ---- */

/* Square, of ESK_F64. */
gboolean es_eigen_check_shape  (const EskCsr *matrix, GError **error);
/* Finite and symmetric; the place of the first that is not is told. *norm: the largest sum of magnitudes of a row. */
gboolean es_eigen_check_values (const EskCsr *matrix, guint threads, GCancellable *cancellable, double *norm,
                                GError **error);

/* ---- es-eigen-filter.c: SMALLEST by polynomials of products ---- */

/* Whether the block that is filtered is small beside the matrix, and fits into the limits' memory. */
gboolean es_eigen_filter_takes (const EskCsr *matrix, guint m, const EsEigenOptions *options);
/* As es_sparse_eigen_find (); another facts->method than FILTER with TRUE: it would take too many products. */
gboolean es_eigen_find_by_filter (const EskCsr *matrix, guint m, const EsEigenOptions *options, double *values,
                                  double *vectors, EsEigenFacts *facts, GError **error);

/* ---- es-eigen-card.c: SMALLEST by a dense factor on a GPU ---- */

/* Whether options->device has a way that is worth to be tried: its entry, and room for n x n numbers. */
gboolean es_eigen_card_takes   (const EskCsr *matrix, guint m, const EsEigenOptions *options);
/* As es_eigen_find_inverse (); another facts->method than CARD with TRUE: nothing was found. */
gboolean es_eigen_find_on_card (const EskCsr *matrix, guint m, const EsEigenOptions *options, double *values,
                                double *vectors, EsEigenFacts *facts, GError **error);

/* ---- es-eigen-inverse.c: by a factor ---- */

/* The factor of A + shift, or, for LARGEST, of shift - A, and what is solved by it. */
typedef struct _EsEigenInverse EsEigenInverse;

/* With a copy of the matrix. */
EsEigenInverse *es_eigen_inverse_new     (const EskCsr *matrix, EsEigenEnd end, guint m, double norm,
                                          const EsEigenOptions *options, GError **error);
void            es_eigen_inverse_unref   (EsEigenInverse *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsEigenInverse, es_eigen_inverse_unref)
/* Orders the matrix and counts what a factor takes: facts->factor_... A better order is looked for where that may come
 * to no more work than `budget`. Between es_lanczos_begin () and its end, as es_eigen_inverse_solve () is. */
gboolean        es_eigen_inverse_analyze (EsEigenInverse *self, double budget, const EsEigenOptions *options,
                                          EsEigenFacts *facts, GError **error);
/* After it, where the factor is not too large: the pairs by the factor of sign A + base + what has to be added to that
 * to make it positive definite; base is no less than the smallest value of sign A with its sign changed, or about so.
 * values are those of A, to the precision of the inverse. */
gboolean        es_eigen_inverse_solve   (EsEigenInverse *self, double base, const EsEigenOptions *options,
                                          double *values, double *vectors, EsEigenFacts *facts, GError **error);
/* The caller of one of the two was cancelled: a thread goes on, and calls es_lanczos_end () when it is done. */
gboolean        es_eigen_inverse_is_left (const EsEigenInverse *self);
/* What a factor and the solutions of m pairs by it will take, in operations of products and combinations of vectors. */
double          es_eigen_inverse_get_work (gsize n, guint m, const EsEigenFacts *facts);

/* ---- es-eigen-largest.c: LARGEST by products, and by a factor where they come too slowly ---- */

typedef struct
{
  const EskCsr         *matrix;
  guint                 m;
  const EsEigenOptions *options;
  EsEigenFacts         *facts;
  EsEigenInverse       *inverse;   /* NULL: not asked for yet */
  double                base;      /* of es_eigen_inverse_solve () */
  double                told;      /* progress when products were left */
  double                work;      /* of the factor */
  gboolean              refused;   /* it is nothing for a factor */
  gboolean              leaves;    /* products have been left for it */
} EsEigenLargest;

void     es_eigen_largest_clear (EsEigenLargest *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (EsEigenLargest, es_eigen_largest_clear)
/* EsLanczos' look; data: EsEigenLargest. Of the operator A + norm. */
gboolean es_eigen_largest_look  (const EsLanczosView *view, gpointer data, GError **error);
/* After products were left. TRUE with facts->method other than INVERSE: they have to do. */
gboolean es_eigen_largest_solve (EsEigenLargest *self, double *values, double *vectors, GError **error);

/* As es_sparse_eigen_find () of SMALLEST; facts->factor_too_large with TRUE: nothing was done but that. */
gboolean es_eigen_find_inverse (const EskCsr *matrix, guint m, const EsEigenOptions *options, double *values,
                                double *vectors, EsEigenFacts *facts, GError **error);

G_END_DECLS
