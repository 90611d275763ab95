/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * Exact nearest neighbours, by blocks of points that lie next to each other.
 *
 * Points are turned into the axes of their principal components, where distances are what they were and the first few
 * coordinates tell most of them (a "space"), and are laid out in the leaves of a k-d tree, blocks of ESK_NEAR_BLOCK.
 * A block of queries takes the leaves by the distance of their boxes from its own, and of each those pairs whose sum of
 * squared differences in float32 does not pass what the query still reaches to; a sum that has passed it is not
 * finished. The reach is widened by all that rounding may have done, and what is left is measured again from the
 * points themselves in float64: the result is exact, and the same for any number of threads and set of loops.
 */

#include "cpu/core/es-cpu-internal.h"

#include "es-hotspots-neighbours.h"

#include <stdbool.h>
#include <stdint.h>

/* Points of a block; a mask has a bit for each. */
#define ESK_NEAR_BLOCK 32
/* Coordinates that boxes have, and by which points are laid out: the first ones. */
#define ESK_NEAR_KEYS 16

typedef struct
{
  /* Bit p of mask[q]: the sum of squared differences of query q and point p is at most reach[q]. Both blocks are
   * dimensions x ESK_NEAR_BLOCK, aligned to ESK_PANEL_ALIGNMENT. A reach below 0: none. */
  void (*within) (size_t dimensions, const float *queries, const float *points, const float *reach, uint32_t *mask);
  /* bound[l] = squared distance of box l from the one of the queries; low and high are keys x stride, l < n; n and the
   * stride are multiples of ESK_NEAR_BLOCK. */
  void (*bounds) (size_t keys, size_t n, const float *low, const float *high, size_t stride, const float *query_low,
                  const float *query_high, float *bound);
  /* Squared distance in float64, the terms added in an order that is the same on every device: lane l of eight has
   * the differences l, l + 8, l + 16 ..., each product and its sum rounded once; then the lanes are added as
   * ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)). */
  double (*square) (size_t dimensions, const float *a, const float *b);
  /* square[q * stride + p]: those of all queries and points, rows of both, to the same bytes. */
  void (*squares) (size_t dimensions, const float *queries, size_t n_queries, const float *points, size_t n_points,
                   double *square, size_t stride);
} EskNearLoops;

extern const EskNearLoops esk_near_loops_portable;
/* NULL where the program has been built for another processor. */
extern const EskNearLoops * const esk_near_loops_avx2;
extern const EskNearLoops * const esk_near_loops_avx512;

/* ---- es-cpu-neighbours-space.c ---- */

/* Coordinates: y = rotation (scale (x - centre)). Nothing overflows, whatever finite points there are. */
typedef struct
{
  size_t  dimensions, keys;
  double  scale;               /* a power of two */
  double *centre, *rotation;   /* dimensions x dimensions, rows the new axes; both NULL: points stay as they are */
} EskNearSpace;

/* Room of a thread for placing. */
typedef struct
{
  double *centred, *turned;    /* ESK_NEAR_BLOCK x dimensions each; NULL where nothing is turned */
} EskNearRoom;

/* turn: whether principal axes are worth their time. */
int    esk_near_space_init  (EskNearSpace *space, EskStream *stream, const float *points, size_t n_points,
                             const float *queries, size_t n_queries, size_t dimensions, bool turn);
void   esk_near_space_clear (EskNearSpace *space);
int    esk_near_room_init   (EskNearRoom *room, const EskNearSpace *space);
void   esk_near_room_clear  (EskNearRoom *room);
/* count points, at most ESK_NEAR_BLOCK, those of `order` (NULL: the first), as a block dimensions x ESK_NEAR_BLOCK
 * filled up with the last one. `only`: so many coordinates, the first. *error: how far a point may be from where it
 * ought to be, at most. */
int    esk_near_space_place (const EskNearSpace *space, EskNearRoom *room, const float *points, const int32_t *order,
                             size_t count, size_t only, float *block, double *error);

/* ---- es-cpu-neighbours-order.c ---- */

/* Orders 0 .. n - 1 so that every ESK_NEAR_BLOCK in turn are a leaf of a k-d tree of the keys (n_keys x stride). */
int    esk_near_order (size_t n, size_t n_keys, const float *keys, size_t stride, const int *cancelled,
                       int32_t *order);

typedef struct
{
  float   bound;
  int32_t item;
} EskNearItem;

/* The `count` smallest come first, by bound and then by item, in no order. */
void   esk_near_select (EskNearItem *items, size_t n, size_t count);
void   esk_near_sort   (EskNearItem *items, size_t n);

/* ---- es-cpu-neighbours-search.c ---- */

typedef struct
{
  size_t   n, n_blocks, stride;  /* stride: n_blocks rounded up to ESK_NEAR_BLOCK */
  int32_t *order;                /* n */
  float   *blocks;               /* n_blocks x dimensions x ESK_NEAR_BLOCK */
  double  *error;                /* n_blocks */
  float   *low, *high;           /* keys x stride; boxes behind the last are never near */
} EskNearLeaves;

/* One found: of the k of a query the farthest is on top. */
typedef struct
{
  double  square;
  int32_t index;
  int32_t fresh;               /* of es-cpu-neighbours-descent.c: it came in this round */
} EskNearFound;

static inline bool
esk_near_is_farther (EskNearFound a,
                     EskNearFound b)
{
  return a.square > b.square || (a.square == b.square && a.index > b.index);
}

static inline void
esk_near_sift_down (EskNearFound *found,
                    size_t        n,
                    size_t        at,
                    EskNearFound  item)
{
  for (size_t child; (child = 2 * at + 1) < n; at = child)
    {
      if (child + 1 < n && esk_near_is_farther (found[child + 1], found[child]))
        child++;
      if (!esk_near_is_farther (found[child], item))
        break;
      found[at] = found[child];
    }
  found[at] = item;
}

static inline void
esk_near_sift_up (EskNearFound *found,
                  size_t        at,
                  EskNearFound  item)
{
  for (size_t parent; at > 0 && esk_near_is_farther (item, found[parent = (at - 1) / 2]); at = parent)
    found[at] = found[parent];
  found[at] = item;
}

/* What a thread looks with. */
typedef struct
{
  EskNearRoom   room;
  float        *block;         /* of queries */
  float        *bound;         /* stride */
  EskNearItem  *items;         /* n_blocks */
  EskNearFound *found;         /* ESK_NEAR_BLOCK x k */
} EskNearLooker;

typedef struct
{
  const EskNearLoops  *loops;
  const EskNearSpace  *space;
  const EskNearLeaves *leaves;
  const float         *points, *queries;
  size_t               k;
  bool                 own;
  size_t               own_first;
  const int           *cancelled;
  int32_t             *index;
  float               *distance;
} EskNearSearch;

/* The order alone. Both: esk_near_leaves_clear () in any case. */
int    esk_near_leaves_order (EskNearLeaves *leaves, EskStream *stream, const EskNearSpace *space,
                              const float *points, size_t n);
int    esk_near_leaves_init  (EskNearLeaves *leaves, EskStream *stream, const EskNearSpace *space,
                              const float *points, size_t n);
void   esk_near_leaves_clear (EskNearLeaves *leaves);
/* count queries, by their numbers; block: as they are placed, or NULL: not yet. */
int    esk_near_search_block (const EskNearSearch *search, EskNearLooker *looker, const int32_t *number, size_t count,
                              const float *block, double error);

/* In float32, not below what a pair within `root` (scaled) could come to whose points may be off by `error`
 * together. */
float  esk_near_reach (size_t dimensions, double root, double error);

/* ---- es-cpu-neighbours-descent.c ---- */

int    esk_cpu_approximate (EskStream *stream, const float *points, size_t n, size_t dimensions, size_t k,
                            uint64_t seed, int32_t *index, float *distance);

/* ---- es-cpu-neighbours.c ---- */

int    esk_cpu_nearest (EskStream *stream, const float *points, size_t n_points, const float *queries,
                        size_t n_queries, size_t dimensions, size_t k, bool own, size_t own_first, int32_t *index,
                        float *distance);

int    esk_cpu_squares (EskStream *stream, const float *points, size_t n_points, const float *queries,
                        size_t n_queries, size_t dimensions, double *square);
void   esk_cpu_neighbours_set_progress (EskStream *stream, void (*tell) (double share, void *data), void *data);

const EskNearLoops *esk_near_choose_loops (const EskStream *stream);
/* Whether principal axes are worth their time for as many queries as points. */
bool   esk_near_is_worth_turning (size_t n_points, size_t dimensions);
/* Whether so many numbers can be counted and their memory be asked for. */
bool   esk_near_is_possible (size_t n, size_t dimensions);
/* From worker 0, which is the thread that called; others tell nothing. */
void   esk_near_tell (EskStream *stream, unsigned worker, double share);
/* NULL: no memory. Aligned to ESK_PANEL_ALIGNMENT. */
void  *esk_near_alloc (size_t count, size_t size);
