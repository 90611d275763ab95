/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The leaves, and how a block of queries looks through them. */

#include "es-cpu-neighbours-private.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/core/es-cpu-team-internal.h"

/* Leaves that are looked at before all others are sorted: beside those that hold k points, so many. */
#define FIRST_LEAVES 8
/* Leaves between two looks at the flag of cancellation. */
#define UNTIL_LOOK 64

/* ---- leaves ---- */

typedef struct
{
  EskNearLeaves      *leaves;
  const EskNearSpace *space;
  EskNearRoom        *rooms;   /* a worker */
  const float        *points;
  float              *keys;    /* n x keys, before the leaves are ordered */
  float              *block;   /* of keys, a worker */
  size_t              n;
  atomic_int          code;
} Laying;

static void
find_keys (void    *data,
           size_t   item,
           unsigned worker)
{
  Laying *self = data;
  const size_t d = self->space->dimensions, keys = self->space->keys, first = item * ESK_NEAR_BLOCK;
  const size_t count = self->n - first < ESK_NEAR_BLOCK ? self->n - first : ESK_NEAR_BLOCK;
  float *block = self->block + worker * keys * ESK_NEAR_BLOCK;
  double error;

  if (esk_near_space_place (self->space, &self->rooms[worker], self->points + first * d, NULL, count, keys, block,
                            &error) != ESK_OK)
    atomic_store (&self->code, ESK_ERROR_MEMORY);
  else
    for (size_t p = 0; p < count; p++)
      for (size_t b = 0; b < keys; b++)
        self->keys[(first + p) * keys + b] = block[b * ESK_NEAR_BLOCK + p];
}

/* The box of a block. */
static void
find_box (const float *block,
          size_t       keys,
          float       *low,
          float       *high,
          size_t       stride)
{
  for (size_t b = 0; b < keys; b++)
    {
      const float *row = block + b * ESK_NEAR_BLOCK;

      low[b * stride] = high[b * stride] = row[0];
      for (size_t p = 1; p < ESK_NEAR_BLOCK; p++)
        {
          low[b * stride] = row[p] < low[b * stride] ? row[p] : low[b * stride];
          high[b * stride] = row[p] > high[b * stride] ? row[p] : high[b * stride];
        }
    }
}

static void
lay_leaf (void    *data,
          size_t   item,
          unsigned worker)
{
  Laying *self = data;
  EskNearLeaves *leaves = self->leaves;
  const size_t d = self->space->dimensions, first = item * ESK_NEAR_BLOCK;
  const size_t count = self->n - first < ESK_NEAR_BLOCK ? self->n - first : ESK_NEAR_BLOCK;
  float *block = leaves->blocks + item * d * ESK_NEAR_BLOCK;

  if (esk_near_space_place (self->space, &self->rooms[worker], self->points, leaves->order + first, count, d, block,
                            &leaves->error[item]) != ESK_OK)
    atomic_store (&self->code, ESK_ERROR_MEMORY);
  else
    find_box (block, self->space->keys, leaves->low + item, leaves->high + item, leaves->stride);
}

static void
free_rooms (EskNearRoom *rooms,
            unsigned     n)
{
  for (unsigned t = 0; rooms != NULL && t < n; t++)
    esk_near_room_clear (&rooms[t]);
  free (rooms);
}

/* Rooms of all workers; NULL: no memory. */
static EskNearRoom *
make_rooms (const EskNearSpace *space,
            unsigned            threads)
{
  EskNearRoom *rooms = calloc (threads, sizeof *rooms);

  for (unsigned t = 0; rooms != NULL && t < threads; t++)
    if (esk_near_room_init (&rooms[t], space) != ESK_OK)
      {
        free_rooms (rooms, t + 1);
        return NULL;
      }
  return rooms;
}

int
esk_near_leaves_order (EskNearLeaves      *leaves,
                       EskStream          *stream,
                       const EskNearSpace *space,
                       const float        *points,
                       size_t              n)
{
  const size_t keys = space->keys;
  const unsigned threads = esk_team_size (stream);
  Laying self = { .space = space, .points = points, .n = n };
  int code = ESK_ERROR_MEMORY;

  memset (leaves, 0, sizeof *leaves);
  leaves->n = n;
  leaves->n_blocks = (n + ESK_NEAR_BLOCK - 1) / ESK_NEAR_BLOCK;
  leaves->stride = esk_round_up (leaves->n_blocks, ESK_NEAR_BLOCK);
  leaves->order = esk_near_alloc (n, sizeof *leaves->order);
  self.keys = esk_near_alloc (n * keys, sizeof *self.keys);
  self.block = esk_near_alloc (threads * keys * ESK_NEAR_BLOCK, sizeof *self.block);
  self.rooms = make_rooms (space, threads);
  if (leaves->order != NULL && self.keys != NULL && self.block != NULL && self.rooms != NULL)
    {
      code = esk_team_try (stream, leaves->n_blocks, find_keys, &self);
      code = code != ESK_OK ? code : atomic_load (&self.code);
    }
  if (code == ESK_OK)
    code = esk_near_order (n, keys, self.keys, keys, stream->cancelled, leaves->order);
  free_rooms (self.rooms, threads);
  free (self.block);
  free (self.keys);

  return code;
}

int
esk_near_leaves_init (EskNearLeaves      *leaves,
                      EskStream          *stream,
                      const EskNearSpace *space,
                      const float        *points,
                      size_t              n)
{
  const size_t d = space->dimensions, keys = space->keys;
  const unsigned threads = esk_team_size (stream);
  Laying self = { .leaves = leaves, .space = space, .points = points, .n = n };
  int code = esk_near_leaves_order (leaves, stream, space, points, n);

  if (code != ESK_OK)
    return code;
  leaves->blocks = esk_near_alloc (leaves->n_blocks * ESK_NEAR_BLOCK, d * sizeof *leaves->blocks);
  leaves->error = esk_near_alloc (leaves->n_blocks, sizeof *leaves->error);
  leaves->low = esk_near_alloc (keys * leaves->stride, sizeof *leaves->low);
  leaves->high = esk_near_alloc (keys * leaves->stride, sizeof *leaves->high);
  self.rooms = make_rooms (space, threads);
  if (leaves->blocks == NULL || leaves->error == NULL || leaves->low == NULL || leaves->high == NULL
      || self.rooms == NULL)
    code = ESK_ERROR_MEMORY;
  else
    {
      for (size_t i = 0; i < keys * leaves->stride; i++)
        leaves->low[i] = leaves->high[i] = FLT_MAX;
      code = esk_team_try (stream, leaves->n_blocks, lay_leaf, &self);
      code = code != ESK_OK ? code : atomic_load (&self.code);
    }
  free_rooms (self.rooms, threads);

  return code;
}

void
esk_near_leaves_clear (EskNearLeaves *leaves)
{
  free (leaves->order);
  free (leaves->blocks);
  free (leaves->error);
  free (leaves->low);
  free (leaves->high);
}

/* ---- a block of queries ---- */

typedef struct
{
  const EskNearSearch *search;
  EskNearLooker *looker;
  const int32_t *number;
  size_t         count;
  const float   *block;
  double         error;
  size_t         n_found[ESK_NEAR_BLOCK];
  double         root[ESK_NEAR_BLOCK];       /* how far a query still reaches, scaled; INFINITY: anything */
  double         farthest;     /* the largest of these */
} Looking;

float
esk_near_reach (size_t dimensions,
                double root,
                double error)
{
  /* Twice what the sum of so many products may be off by, each by half of FLT_EPSILON. */
  const double growth = 1 + (double) (dimensions + 4) * FLT_EPSILON, reach = root + error;
  const double sum = reach * reach * growth + (double) dimensions * 0x1p-148;

  return sum < FLT_MAX ? (float) sum * (1 + FLT_EPSILON) : INFINITY;
}

static inline float
reach_of (const Looking *self,
          double         root,
          double         error)
{
  return esk_near_reach (self->search->space->dimensions, root, self->error + error);
}

static void
find_farthest (Looking *self)
{
  self->farthest = 0;
  for (size_t q = 0; q < self->count; q++)
    self->farthest = self->root[q] > self->farthest ? self->root[q] : self->farthest;
}

static void
measure (Looking *self,
         size_t   q,
         size_t   leaf,
         uint32_t mask)
{
  const EskNearSearch *search = self->search;
  const size_t d = search->space->dimensions, k = search->k, number = (size_t) self->number[q];
  const float *query = search->queries + number * d;
  const int32_t *order = search->leaves->order + leaf * ESK_NEAR_BLOCK;
  EskNearFound *found = self->looker->found + q * k;
  size_t n = self->n_found[q];

  for (; mask != 0; mask &= mask - 1)
    {
      const int32_t i = order[__builtin_ctz (mask)];
      EskNearFound item = { .index = i };

      if (search->own && (size_t) i == search->own_first + number)
        continue;
      item.square = search->loops->square (d, query, search->points + (size_t) i * d);
      if (n < k)
        esk_near_sift_up (found, n++, item);
      else if (esk_near_is_farther (found[0], item))
        esk_near_sift_down (found, k, 0, item);
    }
  self->n_found[q] = n;
  if (n == k)
    self->root[q] = sqrt (found[0].square) * search->space->scale;
}

static void
look_at (Looking *self,
         size_t   leaf)
{
  const EskNearSearch *search = self->search;
  const EskNearLeaves *leaves = search->leaves;
  const size_t first = leaf * ESK_NEAR_BLOCK, d = search->space->dimensions;
  const uint32_t there = leaves->n - first < ESK_NEAR_BLOCK ? (UINT32_C (1) << (leaves->n - first)) - 1 : UINT32_MAX;
  float reach[ESK_NEAR_BLOCK];
  uint32_t mask[ESK_NEAR_BLOCK];
  bool any = false;

  for (size_t q = 0; q < ESK_NEAR_BLOCK; q++)
    reach[q] = q < self->count ? reach_of (self, self->root[q], leaves->error[leaf]) : -1.0f;
  search->loops->within (d, self->block, leaves->blocks + first * d, reach, mask);
  for (size_t q = 0; q < self->count; q++)
    if ((mask[q] & there) != 0)
      {
        measure (self, q, leaf, mask[q] & there);
        any = true;
      }
  if (any)
    find_farthest (self);
}

/* In turn, until the next one is too far for every query. */
static int
look_through (Looking           *self,
              const EskNearItem *items,
              size_t             n)
{
  const EskNearSearch *search = self->search;

  for (size_t i = 0; i < n; i++)
    {
      if (i % UNTIL_LOOK == 0 && esk_is_cancelled (search->cancelled))
        return ESK_ERROR_CANCELLED;
      if (items[i].bound <= reach_of (self, self->farthest, search->leaves->error[items[i].item]))
        look_at (self, (size_t) items[i].item);
    }

  return ESK_OK;
}

/* Nearest first, into the caller's rows. */
static void
tell (Looking *self)
{
  const EskNearSearch *search = self->search;

  for (size_t q = 0; q < self->count; q++)
    {
      EskNearFound *found = self->looker->found + q * search->k;
      int32_t *index = search->index + (size_t) self->number[q] * search->k;
      float *distance = search->distance + (size_t) self->number[q] * search->k;

      for (size_t n = search->k; n > 0; n--)
        {
          index[n - 1] = found[0].index;
          distance[n - 1] = (float) sqrt (found[0].square);
          esk_near_sift_down (found, n - 1, 0, found[n - 1]);
        }
    }
}

int
esk_near_search_block (const EskNearSearch *search,
                       EskNearLooker       *looker,
                       const int32_t       *number,
                       size_t               count,
                       const float         *block,
                       double               error)
{
  const EskNearSpace *space = search->space;
  const EskNearLeaves *leaves = search->leaves;
  Looking self = { .search = search, .looker = looker, .number = number, .count = count, .error = error };
  float low[ESK_NEAR_KEYS], high[ESK_NEAR_KEYS];
  size_t first, n = 0;
  int code;

  if (block == NULL)
    {
      code = esk_near_space_place (space, &looker->room, search->queries, number, count, space->dimensions,
                                   looker->block, &self.error);
      if (code != ESK_OK)
        return code;
      block = looker->block;
    }
  self.block = block;
  for (size_t q = 0; q < count; q++)
    self.root[q] = INFINITY;
  self.farthest = INFINITY;

  find_box (block, space->keys, low, high, 1);
  search->loops->bounds (space->keys, leaves->stride, leaves->low, leaves->high, leaves->stride, low, high,
                         looker->bound);

  /* The nearest leaves tell how far is near enough; of the others only those are sorted that may matter. */
  for (size_t l = 0; l < leaves->n_blocks; l++)
    looker->items[l] = (EskNearItem) { looker->bound[l], (int32_t) l };
  first = search->k / ESK_NEAR_BLOCK + FIRST_LEAVES;
  first = first < leaves->n_blocks ? first : leaves->n_blocks;
  esk_near_select (looker->items, leaves->n_blocks, first);
  esk_near_sort (looker->items, first);
  code = look_through (&self, looker->items, first);
  if (code != ESK_OK)
    return code;
  for (size_t l = first; l < leaves->n_blocks; l++)
    {
      const EskNearItem item = looker->items[l];

      if (item.bound <= reach_of (&self, self.farthest, leaves->error[item.item]))
        looker->items[n++] = item;
    }
  esk_near_sort (looker->items, n);
  code = look_through (&self, looker->items, n);
  if (code == ESK_OK)
    tell (&self);

  return code;
}
