/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Points that meet: blocks of hosts and guests, and what of them becomes neighbours. */

#include "es-cpu-neighbours-descent-private.h"

#include <math.h>

void
esk_near_gather (const EskNearDescent *self,
                 const int32_t        *places,
                 size_t                count,
                 float                *block)
{
  const size_t d = self->d;
  const float *rows[ESK_NEAR_BLOCK];

  for (size_t p = 0; p < ESK_NEAR_BLOCK; p++)
    rows[p] = self->rows + (size_t) places[p < count ? p : count - 1] * d;
  /* By pieces that stay in the first-level cache on both sides. */
  for (size_t from = 0; from < d; from += 16)
    {
      const size_t until = from + 16 < d ? from + 16 : d;

      for (size_t p = 0; p < ESK_NEAR_BLOCK; p++)
        for (size_t b = from; b < until; b++)
          block[b * ESK_NEAR_BLOCK + p] = rows[p][b];
    }
}

void
esk_near_insert (EskNearDescent *self,
                 size_t          place,
                 int32_t         other)
{
  EskNearFound *row = self->found + place * self->k;
  const int32_t *order = self->leaves.order;
  size_t n = (size_t) self->n_found[place];
  EskNearFound item = { .index = order[other], .fresh = 1 };

  for (size_t m = 0; m < n; m++)
    if (row[m].index == item.index)
      return;
  item.square = self->loops->square (self->d, self->points + (size_t) order[place] * self->d,
                                     self->points + (size_t) item.index * self->d);
  if (n < self->k)
    {
      esk_near_sift_up (row, n, item);
      self->n_found[place] = (int32_t) n + 1;
    }
  else if (esk_near_is_farther (row[0], item))
    esk_near_sift_down (row, n, 0, item);
}

void
esk_near_meet (EskNearDescent *self,
               EskNearMeeting *meeting,
               const int32_t  *hosts,
               size_t          n_hosts)
{
  float reach[ESK_NEAR_BLOCK];
  uint32_t mask[ESK_NEAR_BLOCK];
  double error = 0;

  if (meeting->n_guests == 0)
    return;
  for (size_t h = 0; h < n_hosts; h++)
    error = fmax (error, self->leaves.error[hosts[h] / ESK_NEAR_BLOCK]);
  for (size_t g = 0; g < meeting->n_guests; g++)
    error = fmax (error, self->leaves.error[meeting->guest[g] / ESK_NEAR_BLOCK]);
  for (size_t h = 0; h < ESK_NEAR_BLOCK; h++)
    {
      const EskNearFound *row = h < n_hosts ? self->found + (size_t) hosts[h] * self->k : NULL;

      if (row == NULL)
        reach[h] = -1.0f;
      else if ((size_t) self->n_found[hosts[h]] < self->k)
        reach[h] = INFINITY;
      else
        reach[h] = esk_near_reach (self->d, sqrt (row[0].square) * self->space.scale, 2 * error);
    }
  esk_near_gather (self, meeting->guest, meeting->n_guests, meeting->guests);
  self->loops->within (self->d, meeting->hosts, meeting->guests, reach, mask);
  for (size_t h = 0; h < n_hosts; h++)
    {
      uint32_t bits = mask[h];

      if (meeting->n_guests < ESK_NEAR_BLOCK)
        bits &= (UINT32_C (1) << meeting->n_guests) - 1;
      for (; bits != 0; bits &= bits - 1)
        {
          const int32_t guest = meeting->guest[__builtin_ctz (bits)];

          if (guest != hosts[h])
            esk_near_insert (self, (size_t) hosts[h], guest);
        }
    }
  meeting->n_guests = 0;
}
