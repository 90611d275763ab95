/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-embedding-ranks-private.h"

#include <math.h>
#include <stdlib.h>

static inline gboolean
is_nearer (EsEmbeddingNear a, EsEmbeddingNear b)
{
  return a.square < b.square || (a.square == b.square && a.index < b.index);
}

static int
compare (gconstpointer a, gconstpointer b)
{
  const EsEmbeddingNear *x = a, *y = b;

  return is_nearer (*x, *y) ? -1 : is_nearer (*y, *x);
}

/* The farthest is on top. */
static void
sift_down (EsEmbeddingNear *heap, guint n, EsEmbeddingNear item)
{
  guint at = 0;

  for (guint child; (child = 2 * at + 1) < n; at = child)
    {
      if (child + 1 < n && is_nearer (heap[child], heap[child + 1]))
        child++;
      if (!is_nearer (item, heap[child]))
        break;
      heap[at] = heap[child];
    }
  heap[at] = item;
}

guint
es_embedding_find_nearest (const double *square, gsize n, gsize self, guint k, const guint32 *classes,
                           EsEmbeddingNear *nearest)
{
  guint found = 0;

  for (gsize i = 0; i < n; i++)
    {
      const EsEmbeddingNear item = { square[i], (gint32) i };

      if ((found == k && !is_nearer (item, nearest[0])) || i == self || (classes != NULL && classes[i] == 0))
        continue;
      if (found == k)
        sift_down (nearest, k, item);
      else
        {
          guint at = found++;

          for (guint parent; at > 0 && is_nearer (nearest[parent = (at - 1) / 2], item); at = parent)
            nearest[at] = nearest[parent];
          nearest[at] = item;
        }
    }
  for (guint left = found; left > 1; left--)
    {
      const EsEmbeddingNear farthest = nearest[0];

      sift_down (nearest, left - 1, nearest[left - 1]);
      nearest[left - 1] = farthest;
    }
  return found;
}

double
es_embedding_sum_ranks (const double *square, gsize n, gsize self, guint k, const EsEmbeddingNear *nearest,
                        const EsEmbeddingNear *others, EsEmbeddingNear *room)
{
  const EsEmbeddingNear last = nearest[k - 1];
  guint count = 0;
  double sum;

  for (guint m = 0; m < k; m++)
    {
      const EsEmbeddingNear item = { square[others[m].index], others[m].index };

      if (is_nearer (last, item))
        room[count++] = item;
    }
  if (count == 0)
    return 0;
  qsort (room, count, sizeof *room, compare);

  /* Whoever is beyond the k nearest and nearer than one of these raises its rank, which begins with k + 1, and those of
   * all behind it. */
  sum = count;
  for (gsize i = 0; i < n; i++)
    {
      const EsEmbeddingNear item = { square[i], (gint32) i };
      guint low = 0, high = count;

      if (!is_nearer (item, room[count - 1]) || i == self || !is_nearer (last, item))
        continue;
      while (low < high)
        {
          const guint middle = (low + high) / 2;

          if (is_nearer (item, room[middle]))
            high = middle;
          else
            low = middle + 1;
        }
      sum += count - low;
    }
  return sum;
}

double
es_embedding_get_hit (const double *square, gsize n, gsize self, guint k, const guint32 *classes,
                      EsEmbeddingNear *room)
{
  guint found, same = 0;

  if (classes[self] == 0)
    return NAN;
  found = es_embedding_find_nearest (square, n, self, k, classes, room);
  for (guint m = 0; m < found; m++)
    same += classes[room[m].index] == classes[self];
  return found > 0 ? (double) same / found : NAN;
}

void
es_embedding_add_pairs (const double *high, const double *length, const double *low, gsize n, gsize self,
                        EsEmbeddingSums *sums)
{
  for (gsize i = 0; i < n; i++)
    {
      const double x = length != NULL ? length[i] : sqrt (high[i]), y = sqrt (low[i]);

      if (i == self || !isfinite (x))
        continue;
      sums->pairs++;
      sums->x += x;
      sums->y += y;
      sums->xx += x * x;
      sums->yy += y * y;
      sums->xy += x * y;
    }
}
