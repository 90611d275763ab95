/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Nearest neighbours of all queries: batches of them, each in the order of its own k-d tree. */

#include "es-cpu-neighbours-private.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/core/es-cpu-team-internal.h"

/* Queries of which keys are in memory at once. */
#define BATCH ((size_t) 1 << 18)
/* Principal axes are worth it from so many points and coordinates on, ... */
#define LEAST_POINTS 1024
#define LEAST_DIMENSIONS 8
/* ... and finding them must not take longer than somebody waits who has cancelled. */
#define MOST_DIMENSIONS 512

void *
esk_near_alloc (size_t count,
                size_t size)
{
  size_t bytes;

  if (__builtin_mul_overflow (count, size, &bytes) || bytes > SIZE_MAX / 2)
    return NULL;

  return aligned_alloc (ESK_PANEL_ALIGNMENT, esk_round_up (bytes > 0 ? bytes : 1, ESK_PANEL_ALIGNMENT));
}

bool
esk_near_is_worth_turning (size_t n_points,
                           size_t dimensions)
{
  return n_points >= LEAST_POINTS && dimensions >= LEAST_DIMENSIONS && dimensions <= MOST_DIMENSIONS;
}

const EskNearLoops *
esk_near_choose_loops (const EskStream *stream)
{
  if (stream->wide && esk_near_loops_avx512 != NULL)
    return esk_near_loops_avx512;
  if (stream->has_avx2 && esk_near_loops_avx2 != NULL)
    return esk_near_loops_avx2;

  return &esk_near_loops_portable;
}

void
esk_near_tell (EskStream *stream,
               unsigned   worker,
               double     share)
{
  if (worker == 0 && stream->tell != NULL)
    stream->tell (share, stream->tell_data);
}

void
esk_cpu_neighbours_set_progress (EskStream *stream,
                                 void     (*tell) (double share, void *data),
                                 void      *data)
{
  stream->tell = tell;
  stream->tell_data = data;
}

typedef struct
{
  EskStream     *stream;
  EskNearSearch  search;       /* queries, index and distance: of the batch */
  const int32_t *order;
  size_t         n;
  bool           same;         /* queries are the points, in the order of their leaves */
  EskNearLooker *lookers;      /* a worker */
  atomic_int     code;
  size_t         n_queries;    /* of all batches */
  atomic_size_t  done;
} Batch;

static void
search_block (void    *data,
              size_t   item,
              unsigned worker)
{
  Batch *self = data;
  const size_t first = item * ESK_NEAR_BLOCK;
  const size_t count = self->n - first < ESK_NEAR_BLOCK ? self->n - first : ESK_NEAR_BLOCK;
  const EskNearLeaves *leaves = self->search.leaves;
  int code;

  if (atomic_load_explicit (&self->code, memory_order_relaxed) != ESK_OK)
    return;
  code = esk_near_search_block (&self->search, &self->lookers[worker], self->order + first, count,
                                self->same ? leaves->blocks + first * self->search.space->dimensions : NULL,
                                self->same ? leaves->error[item] : 0);
  if (code != ESK_OK)
    atomic_store (&self->code, code);
  esk_near_tell (self->stream, worker, (double) atomic_fetch_add (&self->done, count) / (double) self->n_queries);
}

static int
lookers_init (EskNearLooker       *lookers,
              unsigned             threads,
              const EskNearSpace  *space,
              const EskNearLeaves *leaves,
              size_t               k)
{
  for (unsigned t = 0; t < threads; t++)
    {
      EskNearLooker *looker = &lookers[t];

      looker->block = esk_near_alloc (ESK_NEAR_BLOCK * space->dimensions, sizeof *looker->block);
      looker->bound = esk_near_alloc (leaves->stride, sizeof *looker->bound);
      looker->items = esk_near_alloc (leaves->n_blocks, sizeof *looker->items);
      looker->found = esk_near_alloc (ESK_NEAR_BLOCK * k, sizeof *looker->found);
      if (looker->block == NULL || looker->bound == NULL || looker->items == NULL || looker->found == NULL
          || esk_near_room_init (&looker->room, space) != ESK_OK)
        return ESK_ERROR_MEMORY;
    }

  return ESK_OK;
}

static void
lookers_free (EskNearLooker *lookers,
              unsigned       threads)
{
  for (unsigned t = 0; lookers != NULL && t < threads; t++)
    {
      free (lookers[t].block);
      free (lookers[t].bound);
      free (lookers[t].items);
      free (lookers[t].found);
      esk_near_room_clear (&lookers[t].room);
    }
  free (lookers);
}

static int
search_all (EskStream           *stream,
            const EskNearSearch *search,
            size_t               n_queries)
{
  const EskNearSpace *space = search->space;
  const EskNearLeaves *leaves = search->leaves;
  const unsigned threads = esk_team_size (stream);
  Batch self = { .stream = stream, .search = *search, .n_queries = n_queries };
  int code;

  self.same = search->own && search->own_first == 0 && n_queries == leaves->n;
  self.lookers = calloc (threads, sizeof *self.lookers);
  code = self.lookers == NULL ? ESK_ERROR_MEMORY : lookers_init (self.lookers, threads, space, leaves, search->k);
  for (size_t from = 0; code == ESK_OK && from < n_queries; from += self.n)
    {
      EskNearLeaves own = { 0 };

      self.n = self.same || n_queries - from < BATCH ? n_queries - from : BATCH;
      self.search.queries = search->queries + from * space->dimensions;
      self.search.own_first = search->own_first + from;
      self.search.index = search->index + from * search->k;
      self.search.distance = search->distance + from * search->k;
      if (!self.same)
        code = esk_near_leaves_order (&own, stream, space, self.search.queries, self.n);
      self.order = self.same ? leaves->order : own.order;
      if (code == ESK_OK)
        code = esk_team_try (stream, (self.n + ESK_NEAR_BLOCK - 1) / ESK_NEAR_BLOCK, search_block, &self);
      code = code != ESK_OK ? code : atomic_load (&self.code);
      esk_near_leaves_clear (&own);
    }
  lookers_free (self.lookers, threads);

  return code;
}

bool
esk_near_is_possible (size_t n,
                      size_t dimensions)
{
  size_t all;

  return !__builtin_mul_overflow (n, dimensions, &all) && all <= SIZE_MAX / (4 * ESK_NEAR_BLOCK);
}

int
esk_cpu_nearest (EskStream   *stream,
                 const float *points,
                 size_t       n_points,
                 const float *queries,
                 size_t       n_queries,
                 size_t       dimensions,
                 size_t       k,
                 bool         own,
                 size_t       own_first,
                 int32_t     *index,
                 float       *distance)
{
  EskNearSpace space;
  EskNearLeaves leaves = { 0 };
  EskNearSearch search;
  bool turn;
  int code;

  if (stream == NULL || points == NULL || queries == NULL || index == NULL || distance == NULL || n_points == 0
      || n_points > INT32_MAX || n_queries > INT32_MAX || dimensions == 0 || dimensions > INT32_MAX
      || !esk_near_is_possible (n_points, dimensions) || !esk_near_is_possible (n_queries, dimensions) || k == 0
      || k > n_points - (own ? 1 : 0) || (own && (own_first > n_points || n_queries > n_points - own_first)))
    return ESK_ERROR_ARGUMENT;
  if (n_queries == 0)
    return ESK_OK;

  /* Turning all points costs as much as 4 d queries would look at. */
  turn = esk_near_is_worth_turning (n_points, dimensions) && n_queries >= 4 * dimensions;
  code = esk_near_space_init (&space, stream, points, n_points, queries, n_queries, dimensions, turn);
  if (code == ESK_OK)
    code = esk_near_leaves_init (&leaves, stream, &space, points, n_points);
  if (code == ESK_OK)
    {
      search = (EskNearSearch) {
        .loops = esk_near_choose_loops (stream), .space = &space, .leaves = &leaves, .points = points,
        .queries = queries, .k = k, .own = own, .own_first = own_first, .cancelled = stream->cancelled, .index = index,
        .distance = distance
      };
      code = search_all (stream, &search, n_queries);
    }
  esk_near_leaves_clear (&leaves);
  esk_near_space_clear (&space);

  return code;
}

/* ---- distances ---- */

/* Points of one item, for some queries after the others: they stay in the second-level cache. */
#define POINTS 256
#define QUERIES 16

typedef struct
{
  const EskNearLoops *loops;
  const float        *points, *queries;
  size_t              n_points, n_queries, dimensions;
  const int          *cancelled;
  double             *square;
} Squares;

static void
find_squares (void    *data,
              size_t   item,
              unsigned worker)
{
  const Squares *self = data;
  const size_t first = item * POINTS, d = self->dimensions;
  const size_t end = self->n_points - first < POINTS ? self->n_points : first + POINTS;

  (void) worker;
  for (size_t q = 0; q < self->n_queries && !esk_is_cancelled (self->cancelled); q += QUERIES)
    self->loops->squares (d, self->queries + q * d, self->n_queries - q < QUERIES ? self->n_queries - q : QUERIES,
                          self->points + first * d, end - first, self->square + q * self->n_points + first,
                          self->n_points);
}

int
esk_cpu_squares (EskStream   *stream,
                 const float *points,
                 size_t       n_points,
                 const float *queries,
                 size_t       n_queries,
                 size_t       dimensions,
                 double      *square)
{
  Squares self;

  if (stream == NULL || points == NULL || queries == NULL || square == NULL || dimensions == 0
      || !esk_near_is_possible (n_points, dimensions) || !esk_near_is_possible (n_queries, dimensions)
      || (n_points > 0 && n_queries > SIZE_MAX / sizeof (double) / n_points))
    return ESK_ERROR_ARGUMENT;

  self = (Squares) {
    .loops = esk_near_choose_loops (stream), .points = points, .queries = queries, .n_points = n_points,
    .n_queries = n_queries, .dimensions = dimensions, .cancelled = stream->cancelled, .square = square
  };

  return esk_team_try (stream, (n_points + POINTS - 1) / POINTS, find_squares, &self);
}
