/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Nearest neighbours among spectra, and distances of spectra. */

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

  /*
   * square[q * n_points + p]: the squared distance of query q and point p, in float64: of the differences
   * lane l of eight adds the squares of l, l + 8, l + 16 ..., each rounded once with its sum, and the lanes are added
   * as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)), so that every device has the same bytes. These are what nearest ()
   * orders by. Cancelled as above.
   */
  int (*squares) (EskStream *stream, const float *points, size_t n_points, const float *queries, size_t n_queries,
                  size_t dimensions, double *square);

  /*
   * As nearest () of all points among themselves, but not always the nearest ones: from the leaves of a forest of
   * random projections, by looking at neighbours of neighbours (Dong, Moses and Li 2011). What is found depends on
   * the seed, not on the threads. NULL: nearest () is fast enough.
   */
  int (*approximate) (EskStream *stream, const float *points, size_t n_points, size_t dimensions, size_t k,
                      uint64_t seed, int32_t *index, float *distance);

  /* From now on nearest () and approximate () on this stream tell now and then what share is done, from the thread that
   * called them; NULL: nobody wants to know. A NULL entry: they are too short to tell. */
  void (*set_progress) (EskStream *stream, void (*tell) (double share, void *data), void *data);
} EskNeighboursHotspots;

#ifdef __cplusplus
}
#endif
