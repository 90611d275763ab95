/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Exact nearest neighbours on a card.
 *
 * A block takes 128 queries through the points by tiles of 128 x 128 pairs, whose sums of squared differences it adds
 * up in float32: differences, not products, so that nothing cancels and a sum is right up to some roundings of its own.
 * Pairs that are not above the query's reach are appended to its candidates; when these are many, the k-th smallest
 * sum becomes the reach, widened by what rounding may have done. What is left at the end is measured again in
 * float64 and put in order. A query of which more are alike than there is room for (twins), and all queries where k is
 * large, are done by whole rows of distances in float64.
 */

#include "cuda/core/es-cuda-internal.h"

#include <stdint.h>

/* Queries, and points, of a tile. */
#define ESK_NEAR_TILE 128
/* Rows of points and queries are filled up with zeros to a multiple of this: differences of 0 change no sum. */
#define ESK_NEAR_ROUND 8
/* The most neighbours that candidates are collected for. */
#define ESK_NEAR_MOST 384

/* n rows, pitch floats apart, on the card. */
typedef struct {
  const float *rows;
  size_t       n;
} EskNearRows;

/* What a sum in float32 may be off by is on both sides of the reach: it is multiplied by `growth`, and raised by
 * `smallest`, what products too small for a number may have lost. */
typedef struct {
  EskNearRows points, queries;
  size_t      dimensions, pitch;
  unsigned    k, slices, capacity;   /* slices: of the points, each with candidates of its own */
  long long   own_first;             /* the first query's own point; negative: queries are no points */
  float       growth, smallest;
  float      *sums;                  /* slices x queries x capacity */
  int32_t    *candidates;            /* likewise */
  int32_t    *counts;                /* slices x queries; negative: there was no room */
} EskNearTiles;

/* The room of candidates for k neighbours; 0: they are too many. */
unsigned esk_near_capacity (size_t k);
int      esk_near_tiles    (EskStream *stream, const EskNearTiles *tiles);

/* es-cuda-neighbours-exact.cu: the candidates measured and put in order: index and distance are queries x k. keys: as
 * sums. hard[query]: 1 where there was no room; the row is then undefined. */
int      esk_near_measure  (EskStream *stream, const EskNearTiles *tiles, double *keys, int32_t *index,
                            float *distance, uint8_t *hard);
/* square: n_queries x points, of the queries `which` (NULL: the first). */
int      esk_near_squares  (EskStream *stream, const EskNearRows *points, const float *queries, const int32_t *which,
                            size_t n_queries, size_t pitch, double *square);
/* Of each row of squares (n_queries x n_points) the k smallest, in order, into rows of index and distance. own_first:
 * as above; of which[q]. keys: n_queries x k; picked: likewise. */
int      esk_cuda_near_select (EskStream *stream, const double *square, size_t n_points, const int32_t *which,
                            size_t n_queries, size_t k, long long own_first, double *keys, int32_t *picked,
                            int32_t *index, float *distance);

/* es-cuda-neighbours.cu */
int      esk_cuda_nearest  (EskStream *stream, const float *points, size_t n_points, const float *queries,
                            size_t n_queries, size_t dimensions, size_t k, bool own, size_t own_first,
                            int32_t *index, float *distance);
int      esk_cuda_squares  (EskStream *stream, const float *points, size_t n_points, const float *queries,
                            size_t n_queries, size_t dimensions, double *square);
