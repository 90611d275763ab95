/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Nearest neighbours among spectra. */

#include "es-hotspots-stream.h"
#include "es-type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  /*
   * Of each of n_queries points the k nearest of n_points by Euclid's distance, exactly: points n_points x dimensions
   * and queries n_queries x dimensions, row-major float32, all finite, in host memory. own: query i is point
   * own_first + i, which is no neighbour of itself (a twin at distance 0 is one). 1 <= k <= n_points (less one with
   * `own`). index and distance are n_queries x k in host memory, nearest first, equal ones by index; distances are
   * computed again from the differences in float64 and rounded once, so that they, and the order of what differs by
   * more than float32's rounding of a sum, are the same on every device. There when this returns. Looks at the
   * stream's flag of cancellation. ESK_ERROR_MEMORY, ESK_ERROR_CANCELLED.
   */
  int (*nearest) (EskStream *stream, const float *points, size_t n_points, const float *queries, size_t n_queries,
                  size_t dimensions, size_t k, bool own, size_t own_first, int32_t *index, float *distance);
} EskNeighboursHotspots;

#ifdef __cplusplus
}
#endif
