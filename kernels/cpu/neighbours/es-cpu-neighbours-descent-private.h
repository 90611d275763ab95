/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cpu-neighbours-private.h"

#include <stdatomic.h>

/*
 * What approximate neighbours are found with: es-cpu-neighbours-descent.c says how. Points are known by their places in
 * the leaves of the first tree.
 */

/* Room of a worker: the points of a leaf, and others that they meet by blocks. */
typedef struct
{
  float        *hosts, *guests;        /* blocks */
  int32_t      *met;                   /* n: the leaf that a place was last met by, plus 1 */
  EskNearFound *sorted;                /* k */
  int32_t       guest[ESK_NEAR_BLOCK];
  size_t        n_guests;
} EskNearMeeting;

typedef struct
{
  EskStream          *stream;
  const EskNearLoops *loops;
  const float        *points;
  size_t              n, d, k, steps;
  EskNearSpace        space;
  EskNearLeaves       leaves;
  uint64_t            seed;
  /* By places */
  float              *rows;    /* n x d, as they are placed */
  float              *keys, *turned;   /* n x keys; of another tree */
  int32_t            *tree;    /* the order of that tree, of places */
  EskNearFound       *found;   /* n x k */
  int32_t            *n_found;
  int32_t            *before;  /* n x steps: the graph of the round before; -1: none; nearest first */
  uint8_t            *fresh;   /* likewise: whether that neighbour was new */
  int32_t            *back;    /* n x steps: whose neighbour a point is; -1: none */
  uint8_t            *back_fresh;
  int32_t            *n_back;
  /* Of a worker */
  EskNearMeeting     *meetings;
  atomic_size_t       n_new;
  double              done, step;      /* share */
} EskNearDescent;

/* ---- es-cpu-neighbours-meet.c ---- */

/* Up to ESK_NEAR_BLOCK places (count > 0) as a block: d x ESK_NEAR_BLOCK, the last one again behind them. */
void esk_near_gather (const EskNearDescent *self, const int32_t *places, size_t count, float *block);
/* The other place among the neighbours of a place, where it is near enough and not yet there. */
void esk_near_insert (EskNearDescent *self, size_t place, int32_t other);
/* The guests that have come so far. hosts: places of the block of hosts. */
void esk_near_meet   (EskNearDescent *self, EskNearMeeting *meeting, const int32_t *hosts, size_t n_hosts);

/* A guest for a leaf's hosts, once a stamp; a block of them that is full meets the hosts. */
static inline void
esk_near_invite (EskNearDescent *self,
                 EskNearMeeting *meeting,
                 const int32_t  *hosts,
                 size_t          n_hosts,
                 int32_t         place,
                 int32_t         stamp)
{
  if (meeting->met[place] == stamp)
    return;
  meeting->met[place] = stamp;
  meeting->guest[meeting->n_guests++] = place;
  if (meeting->n_guests == ESK_NEAR_BLOCK)
    esk_near_meet (self, meeting, hosts, n_hosts);
}

/* ---- es-cpu-neighbours-forest.c ---- */

/* In each tree every point meets those of its leaf. A code. */
int  esk_near_grow_forest (EskNearDescent *self);
