/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The forest that a descent begins with: the first tree, and others of random turns of its keys. */

#include "es-cpu-neighbours-descent-private.h"

#include <string.h>

#include "cpu/core/es-cpu-team-internal.h"

/* Trees, the first among them. */
#define TREES 4

static uint64_t
mix (uint64_t z)
{
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* About normal, of variance 1. */
static double
normal_of (uint64_t state)
{
  double sum = -2;

  for (unsigned i = 0; i < 4; i++)
    sum += (double) (mix (state + (i + 1) * UINT64_C (0x9e3779b97f4a7c15)) >> 11) * 0x1p-53;
  return sum * 1.7320508075688772;
}

static void
lay_row (void    *data,
         size_t   leaf,
         unsigned worker)
{
  EskNearDescent *self = data;
  const size_t first = leaf * ESK_NEAR_BLOCK, d = self->d, keys = self->space.keys;
  const float *block = self->leaves.blocks + first * d;

  (void) worker;
  for (size_t p = 0; p < ESK_NEAR_BLOCK && first + p < self->n; p++)
    for (size_t b = 0; b < d; b++)
      {
        self->rows[(first + p) * d + b] = block[b * ESK_NEAR_BLOCK + p];
        if (b < keys)
          self->keys[(first + p) * keys + b] = block[b * ESK_NEAR_BLOCK + p];
      }
}

static void
turn_keys (void    *data,
           size_t   leaf,
           unsigned worker)
{
  EskNearDescent *self = data;
  const size_t first = leaf * ESK_NEAR_BLOCK, keys = self->space.keys;
  double weight[ESK_NEAR_KEYS * ESK_NEAR_KEYS];

  (void) worker;
  for (size_t i = 0; i < keys * keys; i++)
    weight[i] = normal_of (self->seed + (i + 1) * UINT64_C (0xd1342543de82ef95));
  for (size_t i = first; i < first + ESK_NEAR_BLOCK && i < self->n; i++)
    for (size_t r = 0; r < keys; r++)
      {
        double sum = 0;

        for (size_t b = 0; b < keys; b++)
          sum += weight[r * keys + b] * self->keys[i * keys + b];
        self->turned[i * keys + r] = (float) sum;
      }
}

/* All points of a leaf of the tree. */
static void
meet_leaf (void    *data,
           size_t   leaf,
           unsigned worker)
{
  EskNearDescent *self = data;
  EskNearMeeting *meeting = &self->meetings[worker];
  const size_t first = leaf * ESK_NEAR_BLOCK;
  const size_t count = self->n - first < ESK_NEAR_BLOCK ? self->n - first : ESK_NEAR_BLOCK;
  const int32_t *hosts = self->tree + first;

  esk_near_gather (self, hosts, count, meeting->hosts);
  memcpy (meeting->guest, hosts, count * sizeof *hosts);
  meeting->n_guests = count;
  esk_near_meet (self, meeting, hosts, count);
  esk_near_tell (self->stream, worker, self->done + self->step * (double) leaf / (double) self->leaves.n_blocks);
}

int
esk_near_grow_forest (EskNearDescent *self)
{
  const size_t keys = self->space.keys;
  int code = esk_team_try (self->stream, self->leaves.n_blocks, lay_row, self);

  self->step = 0.5 / TREES;
  for (size_t i = 0; i < self->n; i++)
    self->tree[i] = (int32_t) i;
  for (unsigned t = 0; t < TREES && code == ESK_OK; t++)
    {
      if (t > 0)
        {
          self->seed = mix (self->seed + UINT64_C (0x9e3779b97f4a7c15));
          code = esk_team_try (self->stream, self->leaves.n_blocks, turn_keys, self);
          if (code == ESK_OK)
            code = esk_near_order (self->n, keys, self->turned, keys, self->stream->cancelled, self->tree);
        }
      if (code == ESK_OK)
        code = esk_team_try (self->stream, self->leaves.n_blocks, meet_leaf, self);
      self->done += self->step;
    }

  return code;
}
