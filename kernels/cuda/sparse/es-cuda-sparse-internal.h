/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The table that this room fills, and products with what follows them in one launch, for cuda/vectors. */

#include "es-hotspots-sparse.h"

extern const EskSparseHotspots esk_cuda_sparse_hotspots;

/* What follows y = A x: slots[d] = y . with[d], n_dots 1 or 2, with[d] y itself or another vector; or, with f, y += f
 * and *slots = the maximum of |y - x|. */
typedef struct {
  size_t      n_dots;
  const void *with[2], *f;
  double     *slots;
} EskSparseBehind;

int  esk_cuda_sparse_multiply (EskStream *stream, EskSparseProduct *product, double alpha, const void *x, double beta,
                               void *y);
/* *done false: nothing was done, for the product's format cannot. */
int  esk_cuda_sparse_multiply_behind (EskStream *stream, EskSparseProduct *product, const void *x, void *y,
                                      const EskSparseBehind *behind, bool *done);
void esk_cuda_sparse_describe (const EskSparseProduct *product, size_t *rows, size_t *columns, EskType *type);
