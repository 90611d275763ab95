/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Three-term recurrences of a sparse matrix on many vectors at once: what polynomials of it are made of. */

#include "es-hotspots-stream.h"
#include "es-sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Vectors of a panel: a row of it is one cache line. */
#define ESK_PANEL_VECTORS 8

/* y = a A x + b x + c y */
typedef struct {
  double a, b, c;
} EskRecurrence;

/*
 * For each of `steps`: y = a A x + b x + c y, and then x and y change places, so that what came last is in x after an
 * even number of steps and in y after an odd one. c = 0: y is not read. A is square, of ESK_F64. x and y are `panels`
 * panels, one after the other, each of n rows of ESK_PANEL_VECTORS values, aligned to 64 bytes. A panel goes through
 * all steps in one thread of the stream, the CPU's, and the bytes are the same for any number of them.
 * ESK_ERROR_ARGUMENT: not square, or of another type.
 */
int esk_recur (EskStream *stream, const EskCsr *matrix, size_t steps, const EskRecurrence *recurrence, size_t panels,
               double *x, double *y);

#ifdef __cplusplus
}
#endif
