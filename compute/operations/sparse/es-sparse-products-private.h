/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-buffer-internal.h"
#include "job/es-job-internal.h"
#include "lab/es-probing-internal.h"
#include "layer/es-layer-internal.h"
#include "matrix/es-sparse-matrix.h"
#include "result/es-result-internal.h"
#include "sparse/es-sparse-choice.h"

G_BEGIN_DECLS

/* One format: measured, or why not. */
typedef struct
{
  EskSparseFormat format;
  gboolean        measured;
  char           *why;         /* not measured: translated, a sentence without a full stop */
  EskSparseCost   cost;
  EsMeasured      time;        /* seconds of one product */
  double          error;       /* relative, in the 2-norm, against float64 CSR on one thread */
  double          over_scalar, over_vector;    /* after how many products it pays back; NAN: never, or not known */
} EsSparseRow;

/* How vectors came to the card and back. */
typedef struct
{
  gboolean locked;
  guint    streams;
  double   transfer, product;  /* seconds: x there and y back, and of the product */
  double   together, model;    /* measured, and transfer / streams + product */
} EsSparseTransfer;

#define ES_SPARSE_MOST_TRANSFERS 5

typedef struct
{
  EsJob             *job;
  EsParams          *params;
  EsSparseMatrix    *matrix;
  EsDevice          *device;   /* borrowed: one, of several the first */
  const EskHotspots *hotspots;
  EskStream         *stream;
  gboolean           on_card;
  guint              threads;  /* of the processor */

  EskCsr             csr;      /* in the type that is computed in */
  float             *narrow;   /* its values as float32; nullable */
  double            *reference, reference_norm;        /* A x in float64, and its 2-norm */
  void              *host_x, *host_y;
  EsBuffer          *x, *y;
  EskSparseOptions   options;
  guint64            stored_limit;

  EsSparseProblem    problem;
  EskSparseFormat    chosen;
  char              *reason;
  double             bandwidth;                /* bytes a second, of as many as a product moves at least: the best of
                                                * all readings; NAN */
  double             slowest_reading;
  guint              n_readings;               /* before, between and after the formats */
  gboolean           bandwidth_is_measured;    /* else by a profile that was kept, or assumed */
  double             least_bytes;
  guint              n_rows;
  EsSparseRow        rows[ESK_N_SPARSE_FORMATS];
  guint              n_transfers;
  EsSparseTransfer   transfers[ES_SPARSE_MOST_TRANSFERS];
  EsProbing         *probing;                  /* of the readings; NULL: there are none (any more) */
} EsSparseProducts;

/* Bytes of the device's memory at `to`, and back. */
gboolean es_sparse_products_put     (EsSparseProducts *self, void *to, const void *from, gsize bytes, GError **error);
gboolean es_sparse_products_get     (EsSparseProducts *self, void *to, const void *from, gsize bytes, GError **error);
/* Makes the format, measures it, frees it; FALSE: cancelled, or the device failed. What it cannot make is told in the
 * row. */
gboolean es_sparse_products_measure (EsSparseProducts *self, EsSparseRow *row, GError **error);
/* Vectors of the format there and back, of a card. */
gboolean es_sparse_products_transfer (EsSparseProducts *self, EskSparseFormat format, GError **error);
/* Layers, values and the title. */
void     es_sparse_products_publish (EsSparseProducts *self, EsResult *result);

/* The fastest that was measured; NULL: none. with_library: of all, else of ours. */
const EsSparseRow *es_sparse_products_best (const EsSparseProducts *self, gboolean with_library);
const EsSparseRow *es_sparse_products_find (const EsSparseProducts *self, EskSparseFormat format);
/* Within a tenth of the fastest, the library's included; FALSE too where the chosen was not measured. */
gboolean es_sparse_products_choice_holds (const EsSparseProducts *self);
/* Preparing and products of a format against CSR's, at the first of which the sums are equal; 0: at once; NAN: never.
 * Pure. */
double   es_sparse_pays_back (double prepare, double product, double other_prepare, double other_product);

G_END_DECLS
