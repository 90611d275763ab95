/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Products of sparse matrices with vectors (sparse.md 1). */

#include "es-sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix in one format on one device; the back end's own. Used by one stream at a time. */
typedef struct _EskSparseProduct EskSparseProduct;

typedef struct {
  /*
   * The matrix in a format, in the stream's memory; `matrix` need not outlive the call. options NULL: all 0; cost
   * nullable. ESK_ERROR_MEMORY: padding would need more than there is, or than `stored_limit` values (0: no limit).
   * ESK_ERROR_ARGUMENT: the format does not exist here (LIBRARY without its library).
   */
  int  (*product_new)  (EskStream *stream, const EskCsr *matrix, EskSparseFormat format,
                        const EskSparseOptions *options, uint64_t stored_limit, EskSparseProduct **product,
                        EskSparseCost *cost);
  void (*product_free) (EskStream *stream, EskSparseProduct *product);
  /*
   * y = alpha A x + beta y; x of `columns`, y of `rows` values of the matrix's type in the stream's memory, which do
   * not overlap. beta 0: y is not read. Sums in the matrix's type. The same bytes every time and for any number of
   * threads (LIBRARY: as its library does). Launched; wait () of the device tells when it is done.
   */
  int  (*multiply)     (EskStream *stream, EskSparseProduct *product, double alpha, const void *x, double beta,
                        void *y);
  /* The name of what stands behind LIBRARY, with its version ("cuSPARSE 12.6"); NULL: none is there. */
  const char *(*library) (EskStream *stream);
} EskSparseHotspots;

#ifdef __cplusplus
}
#endif
