/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Points in the order of the leaves of a k-d tree; and the smallest of some numbers. */

#include "es-cpu-neighbours-private.h"

#include <stdlib.h>

/* Below so many a sort by insertion is faster. */
#define FEW 24

static inline bool
is_before (EskNearItem a,
           EskNearItem b)
{
  return a.bound < b.bound || (a.bound == b.bound && a.item < b.item);
}

static inline void
swap (EskNearItem *a,
      EskNearItem *b)
{
  const EskNearItem kept = *a;

  *a = *b;
  *b = kept;
}

static void
insert_all (EskNearItem *items,
            size_t       n)
{
  for (size_t i = 1; i < n; i++)
    {
      const EskNearItem item = items[i];
      size_t j = i;

      for (; j > 0 && is_before (item, items[j - 1]); j--)
        items[j] = items[j - 1];
      items[j] = item;
    }
}

/* Hoare's partition about one that is picked without looking at the numbers, so that no order of them is a bad one.
 * Both parts, [0, result) and the rest, are shorter than n. */
static size_t
part (EskNearItem *items,
      size_t       n,
      uint64_t    *state)
{
  EskNearItem pivot;
  size_t i = 0, j = n - 1;

  *state = *state * 6364136223846793005u + 1442695040888963407u;
  swap (items, items + (*state >> 33) % n);
  pivot = items[0];
  for (;;)
    {
      while (is_before (items[i], pivot))
        i++;
      while (is_before (pivot, items[j]))
        j--;
      if (i >= j)
        return j + 1;
      swap (items + i++, items + j--);
    }
}

void
esk_near_select (EskNearItem *items,
                 size_t       n,
                 size_t       count)
{
  uint64_t state = n;

  while (n > FEW && count > 0 && count < n)
    {
      const size_t middle = part (items, n, &state);

      if (count < middle)
        n = middle;
      else
        {
          items += middle;
          n -= middle;
          count -= middle;
        }
    }
  if (count > 0 && count < n)
    insert_all (items, n);
}

static int
compare (const void *a,
         const void *b)
{
  const EskNearItem *x = a, *y = b;

  return is_before (*x, *y) ? -1 : is_before (*y, *x);
}

void
esk_near_sort (EskNearItem *items,
               size_t       n)
{
  if (n <= FEW)
    insert_all (items, n);
  else
    qsort (items, n, sizeof *items, compare);
}

/* The key along which those of [from, until) are spread the widest. */
static size_t
find_widest (size_t         n_keys,
             const float   *keys,
             size_t         stride,
             const int32_t *order,
             size_t         n)
{
  float low[ESK_NEAR_KEYS], high[ESK_NEAR_KEYS];
  size_t widest = 0;

  for (size_t b = 0; b < n_keys; b++)
    low[b] = high[b] = keys[(size_t) order[0] * stride + b];
  for (size_t i = 1; i < n; i++)
    for (size_t b = 0; b < n_keys; b++)
      {
        const float key = keys[(size_t) order[i] * stride + b];

        low[b] = key < low[b] ? key : low[b];
        high[b] = key > high[b] ? key : high[b];
      }
  for (size_t b = 1; b < n_keys; b++)
    if (high[b] - low[b] > high[widest] - low[widest])
      widest = b;
  return widest;
}

int
esk_near_order (size_t       n,
                size_t       n_keys,
                const float *keys,
                size_t       stride,
                const int   *cancelled,
                int32_t     *order)
{
  /* Halves of halves: never more than the bits of n, and one waits of each. */
  struct { size_t from, n; } waiting[8 * sizeof (size_t) + 1];
  size_t n_waiting = 1;
  EskNearItem *items = malloc (n * sizeof *items);

  if (items == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t i = 0; i < n; i++)
    order[i] = (int32_t) i;

  waiting[0].from = 0;
  waiting[0].n = n;
  while (n_waiting > 0 && !esk_is_cancelled (cancelled))
    {
      const size_t from = waiting[--n_waiting].from, count = waiting[n_waiting].n;
      const size_t half = esk_round_up (count / 2, ESK_NEAR_BLOCK);
      size_t key;

      if (count <= ESK_NEAR_BLOCK)
        continue;
      key = find_widest (n_keys, keys, stride, order + from, count);
      for (size_t i = 0; i < count; i++)
        items[i] = (EskNearItem) { keys[(size_t) order[from + i] * stride + key], order[from + i] };
      esk_near_select (items, count, half);
      for (size_t i = 0; i < count; i++)
        order[from + i] = items[i].item;
      /* The larger half waits first, so that the list stays short. */
      waiting[n_waiting].from = from;
      waiting[n_waiting++].n = half;
      waiting[n_waiting].from = from + half;
      waiting[n_waiting++].n = count - half;
    }
  free (items);

  return esk_is_cancelled (cancelled) ? ESK_ERROR_CANCELLED : ESK_OK;
}
