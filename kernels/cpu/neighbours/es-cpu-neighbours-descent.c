/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Approximate neighbours: nearest-neighbour descent (Dong, Moses and Li 2011) from a forest of random projections.
 *
 * Points keep the order of the leaves of the first tree, the k-d tree of exact searches, and are known by their place
 * in it; the other trees are of random turns of its keys. In each tree every point meets those of its leaf. Then, round
 * by round, the points of a leaf meet the neighbours of their neighbours, as far as one of the two steps is new; each
 * looks at the graph of the round before and changes its own row alone, so that threads do not matter.
 */

#include "es-cpu-neighbours-descent-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/core/es-cpu-team-internal.h"

/* Rounds at most; and the share of all neighbours that is new in a round that is the last one. */
#define ROUNDS 12
#define SETTLED 0.002
/* Neighbours of a point that steps are taken along, forwards and as many backwards. */
#define MOST_STEPS 16

/* ---- the descent ---- */

static int
compare (const void *a,
         const void *b)
{
  return esk_near_is_farther (*(const EskNearFound *) a, *(const EskNearFound *) b) ? 1 : -1;
}

/* place_of: from a point to its place. */
static void
note_graph (EskNearDescent *self,
            const int32_t  *place_of)
{
  EskNearFound *sorted = self->meetings[0].sorted;
  size_t n_new = 0;

  for (size_t i = 0; i < self->n; i++)
    {
      EskNearFound *row = self->found + i * self->k;
      const size_t n = (size_t) self->n_found[i];

      memcpy (sorted, row, n * sizeof *row);
      qsort (sorted, n, sizeof *sorted, compare);
      for (size_t m = 0; m < n; m++)
        {
          n_new += (size_t) row[m].fresh;
          row[m].fresh = 0;
        }
      for (size_t m = 0; m < self->steps; m++)
        {
          self->before[i * self->steps + m] = m < n ? place_of[sorted[m].index] : -1;
          self->fresh[i * self->steps + m] = m < n && sorted[m].fresh != 0;
        }
    }
  atomic_store (&self->n_new, n_new);

  /* Backwards: nearest first, as far as there is room. */
  memset (self->n_back, 0, self->n * sizeof *self->n_back);
  for (size_t i = 0; i < self->n * self->steps; i++)
    self->back[i] = -1;
  for (size_t m = 0; m < self->steps; m++)
    for (size_t i = 0; i < self->n; i++)
      {
        const int32_t to = self->before[i * self->steps + m];

        if (to < 0 || (size_t) self->n_back[to] == self->steps)
          continue;
        self->back[(size_t) to * self->steps + (size_t) self->n_back[to]] = (int32_t) i;
        self->back_fresh[(size_t) to * self->steps + (size_t) self->n_back[to]++] = self->fresh[i * self->steps + m];
      }
}

/* One step from a place, or two. */
static void
invite_steps (EskNearDescent *self,
              EskNearMeeting *meeting,
              const int32_t  *hosts,
              size_t          n_hosts,
              int32_t         from,
              bool            all,
              int32_t         stamp)
{
  const size_t at = (size_t) from * self->steps;

  for (size_t m = 0; m < self->steps && self->before[at + m] >= 0; m++)
    if (all || self->fresh[at + m])
      esk_near_invite (self, meeting, hosts, n_hosts, self->before[at + m], stamp);
  for (size_t m = 0; m < self->steps && self->back[at + m] >= 0; m++)
    if (all || self->back_fresh[at + m])
      esk_near_invite (self, meeting, hosts, n_hosts, self->back[at + m], stamp);
}

static void
descend (void    *data,
         size_t   leaf,
         unsigned worker)
{
  EskNearDescent *self = data;
  EskNearMeeting *meeting = &self->meetings[worker];
  const size_t first = leaf * ESK_NEAR_BLOCK;
  const size_t count = self->n - first < ESK_NEAR_BLOCK ? self->n - first : ESK_NEAR_BLOCK;
  const int32_t stamp = (int32_t) leaf + 1;
  int32_t hosts[ESK_NEAR_BLOCK];

  for (size_t h = 0; h < count; h++)
    hosts[h] = (int32_t) (first + h);
  memcpy (meeting->hosts, self->leaves.blocks + first * self->d, ESK_NEAR_BLOCK * self->d * sizeof (float));
  for (size_t h = 0; h < count; h++)
    {
      const size_t at = (first + h) * self->steps;

      for (size_t m = 0; m < self->steps && self->before[at + m] >= 0; m++)
        invite_steps (self, meeting, hosts, count, self->before[at + m], self->fresh[at + m], stamp);
      for (size_t m = 0; m < self->steps && self->back[at + m] >= 0; m++)
        {
          invite_steps (self, meeting, hosts, count, self->back[at + m], self->back_fresh[at + m], stamp);
          if (self->back_fresh[at + m])
            esk_near_invite (self, meeting, hosts, count, self->back[at + m], stamp);
        }
    }
  esk_near_meet (self, meeting, hosts, count);
  esk_near_tell (self->stream, worker, self->done + self->step * (double) leaf / (double) self->leaves.n_blocks);
}

static int
settle (EskNearDescent *self)
{
  int32_t *place_of = esk_near_alloc (self->n, sizeof *place_of);
  int code = place_of == NULL ? ESK_ERROR_MEMORY : ESK_OK;

  for (size_t i = 0; code == ESK_OK && i < self->n; i++)
    place_of[self->leaves.order[i]] = (int32_t) i;
  for (unsigned round = 0; round < ROUNDS && code == ESK_OK; round++)
    {
      note_graph (self, place_of);
      if ((double) atomic_load (&self->n_new) <= SETTLED * (double) self->n * (double) self->k)
        break;
      for (unsigned t = 0; t < esk_team_size (self->stream); t++)
        memset (self->meetings[t].met, 0, self->n * sizeof *self->meetings[t].met);
      /* Half of what is left, each time. */
      self->step = (1 - self->done) / 2;
      code = esk_team_try (self->stream, self->leaves.n_blocks, descend, self);
      self->done += self->step;
    }
  free (place_of);

  return code;
}

/* A point that has met fewer than k others meets all. */
static int
fill_row (EskNearDescent *self,
          size_t          place)
{
  for (size_t other = 0; other < self->n; other++)
    {
      if (other % 4096 == 0 && esk_is_cancelled (self->stream->cancelled))
        return ESK_ERROR_CANCELLED;
      if (other != place)
        esk_near_insert (self, place, (int32_t) other);
    }

  return ESK_OK;
}

/* ---- all of it ---- */

static int
allocate (EskNearDescent *self)
{
  const size_t n = self->n, keys = self->space.keys;
  const unsigned threads = esk_team_size (self->stream);

  self->rows = esk_near_alloc (n, self->d * sizeof *self->rows);
  self->keys = esk_near_alloc (n, keys * sizeof *self->keys);
  self->turned = esk_near_alloc (n, keys * sizeof *self->turned);
  self->tree = esk_near_alloc (n, sizeof *self->tree);
  self->found = esk_near_alloc (n, self->k * sizeof *self->found);
  self->n_found = esk_near_alloc (n, sizeof *self->n_found);
  self->before = esk_near_alloc (n, self->steps * sizeof *self->before);
  self->fresh = esk_near_alloc (n, self->steps);
  self->back = esk_near_alloc (n, self->steps * sizeof *self->back);
  self->back_fresh = esk_near_alloc (n, self->steps);
  self->n_back = esk_near_alloc (n, sizeof *self->n_back);
  self->meetings = calloc (threads, sizeof *self->meetings);
  if (self->rows == NULL || self->keys == NULL || self->turned == NULL || self->tree == NULL || self->found == NULL
      || self->n_found == NULL || self->before == NULL || self->fresh == NULL || self->back == NULL
      || self->back_fresh == NULL || self->n_back == NULL || self->meetings == NULL)
    return ESK_ERROR_MEMORY;
  memset (self->n_found, 0, n * sizeof *self->n_found);
  for (unsigned t = 0; t < threads; t++)
    {
      EskNearMeeting *meeting = &self->meetings[t];

      meeting->hosts = esk_near_alloc (ESK_NEAR_BLOCK, self->d * sizeof (float));
      meeting->guests = esk_near_alloc (ESK_NEAR_BLOCK, self->d * sizeof (float));
      meeting->met = esk_near_alloc (n, sizeof *meeting->met);
      meeting->sorted = esk_near_alloc (self->k, sizeof *meeting->sorted);
      if (meeting->hosts == NULL || meeting->guests == NULL || meeting->met == NULL || meeting->sorted == NULL)
        return ESK_ERROR_MEMORY;
    }

  return ESK_OK;
}

static void
release (EskNearDescent *self)
{
  for (unsigned t = 0; self->meetings != NULL && t < esk_team_size (self->stream); t++)
    {
      free (self->meetings[t].hosts);
      free (self->meetings[t].guests);
      free (self->meetings[t].met);
      free (self->meetings[t].sorted);
    }
  free (self->meetings);
  free (self->rows);
  free (self->keys);
  free (self->turned);
  free (self->tree);
  free (self->found);
  free (self->n_found);
  free (self->before);
  free (self->fresh);
  free (self->back);
  free (self->back_fresh);
  free (self->n_back);
}

static void
tell_rows (const EskNearDescent *self,
           int32_t              *index,
           float                *distance)
{
  for (size_t i = 0; i < self->n; i++)
    {
      EskNearFound *row = self->found + i * self->k;
      const size_t to = (size_t) self->leaves.order[i] * self->k;

      qsort (row, self->k, sizeof *row, compare);
      for (size_t m = 0; m < self->k; m++)
        {
          index[to + m] = row[m].index;
          distance[to + m] = (float) sqrt (row[m].square);
        }
    }
}

int
esk_cpu_approximate (EskStream   *stream,
                     const float *points,
                     size_t       n,
                     size_t       dimensions,
                     size_t       k,
                     uint64_t     seed,
                     int32_t     *index,
                     float       *distance)
{
  EskNearDescent self = { .stream = stream, .points = points, .n = n, .d = dimensions, .k = k, .seed = seed };
  int code;

  if (stream == NULL || points == NULL || index == NULL || distance == NULL || n < 2 || n > INT32_MAX
      || dimensions == 0 || dimensions > INT32_MAX || !esk_near_is_possible (n, dimensions) || k == 0 || k >= n)
    return ESK_ERROR_ARGUMENT;
  /* A leaf that holds fewer than k others leaves rows that are not full: few points are as fast to look at all. */
  if (n <= 1024 || k > n / 32)
    return esk_cpu_nearest (stream, points, n, points, n, dimensions, k, true, 0, index, distance);

  self.loops = esk_near_choose_loops (stream);
  self.steps = k < MOST_STEPS ? k : MOST_STEPS;
  code = esk_near_space_init (&self.space, stream, points, n, points, n, dimensions,
                              esk_near_is_worth_turning (n, dimensions));
  if (code == ESK_OK)
    code = esk_near_leaves_init (&self.leaves, stream, &self.space, points, n);
  if (code == ESK_OK)
    code = allocate (&self);
  if (code == ESK_OK)
    code = esk_near_grow_forest (&self);
  if (code == ESK_OK)
    code = settle (&self);
  /* Where leaves and steps have brought a point fewer than k others, k being large, all are looked at. */
  for (size_t i = 0; code == ESK_OK && i < n; i++)
    if ((size_t) self.n_found[i] < k)
      code = fill_row (&self, i);
  if (code == ESK_OK)
    tell_rows (&self, index, distance);
  release (&self);
  esk_near_leaves_clear (&self.leaves);
  esk_near_space_clear (&self.space);

  return code;
}
