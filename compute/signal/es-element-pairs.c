/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Who is whose neighbour. */

#include "es-element-check-private.h"

#include <math.h>
#include <stdlib.h>

#define MOST_NEIGHBOURS 4
#define FEWEST_NEIGHBOURS 2
/* Neighbours beyond the second may be so much further away than the first. */
#define REACH 2.1

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsElementOrder *self = data;
  const guint i = *(const guint *) a, k = *(const guint *) b;
  const double x = self->positions[3 * i + self->axis], y = self->positions[3 * k + self->axis];

  return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

void
es_element_order_init (EsElementOrder *self, const double *positions, const guint8 *usable, guint n)
{
  double longest = -1;

  *self = (EsElementOrder) { .positions = positions, .order = g_new (guint, n), .place = g_new0 (guint, n) };
  for (guint i = 0; i < n; i++)
    if (usable[i])
      self->order[self->n++] = i;
  for (guint axis = 0; axis < 3; axis++)
    {
      double low = INFINITY, high = -INFINITY;

      for (guint i = 0; i < self->n; i++)
        {
          low = fmin (low, positions[3 * self->order[i] + axis]);
          high = fmax (high, positions[3 * self->order[i] + axis]);
        }
      if (high - low > longest)
        {
          longest = high - low;
          self->axis = axis;
        }
    }
  g_qsort_with_data (self->order, (int) self->n, sizeof *self->order, compare_places, self);
  for (guint i = 0; i < self->n; i++)
    self->place[self->order[i]] = i;
}

void
es_element_order_clear (EsElementOrder *self)
{
  g_free (self->order);
  g_free (self->place);
}

static double
distance_of (const double *positions, guint i, guint k)
{
  const double x = positions[3 * i] - positions[3 * k], y = positions[3 * i + 1] - positions[3 * k + 1];
  const double z = positions[3 * i + 2] - positions[3 * k + 2];

  return sqrt (x * x + y * y + z * z);
}

/* Equal distances that differ by rounding go by number, so that a line's neighbours are the same on every machine. */
static gboolean
is_nearer (double distance, guint i, double than, guint k)
{
  return distance < than * (1 - 1e-9) || (distance <= than * (1 + 1e-9) && i < k);
}

guint
es_element_nearest (const EsElementOrder *self, guint i, guint most, guint *nearest, double *distances)
{
  const double here = self->positions[3 * i + self->axis];
  guint below = self->place[i], above = self->place[i], n = 0;

  nearest[n] = i;
  distances[n++] = 0;
  while (below > 0 || above + 1 < self->n)
    {
      const double down = below > 0 ? here - self->positions[3 * self->order[below - 1] + self->axis] : INFINITY;
      const double up = above + 1 < self->n ? self->positions[3 * self->order[above + 1] + self->axis] - here
                                            : INFINITY;
      const guint k = down <= up ? self->order[--below] : self->order[++above];
      const double distance = distance_of (self->positions, i, k);
      guint at;

      if (n == most && fmin (down, up) > distances[n - 1] * (1 + 1e-9))
        break;
      if (n == most && !is_nearer (distance, k, distances[n - 1], nearest[n - 1]))
        continue;
      at = n < most ? n++ : n - 1;
      for (; at > 1 && is_nearer (distance, k, distances[at - 1], nearest[at - 1]); at--)
        {
          nearest[at] = nearest[at - 1];
          distances[at] = distances[at - 1];
        }
      nearest[at] = k;
      distances[at] = distance;
    }
  return n;
}

static int
compare_pairs (const void *a, const void *b)
{
  const EsElementPair *p = a, *q = b;

  return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

EsElementPair *
es_element_pairs_find (const double *positions, const guint8 *usable, guint n, guint *n_pairs)
{
  EsElementPair *pairs = g_new (EsElementPair, (gsize) n * MOST_NEIGHBOURS + 1);
  EsElementOrder order;
  guint found = 0, kept = 0;

  es_element_order_init (&order, positions, usable, n);
  for (guint i = 0; i < n; i++)
    {
      guint nearest[MOST_NEIGHBOURS + 1];
      double distances[MOST_NEIGHBOURS + 1];
      const guint near = usable[i] ? es_element_nearest (&order, i, MOST_NEIGHBOURS + 1, nearest, distances) : 0;

      for (guint k = 1; k < near; k++)
        if (k <= FEWEST_NEIGHBOURS || distances[k] <= REACH * distances[1])
          pairs[found++] = (EsElementPair) { MIN (i, nearest[k]), MAX (i, nearest[k]), distances[k] };
    }
  es_element_order_clear (&order);
  qsort (pairs, found, sizeof *pairs, compare_pairs);
  for (guint i = 0; i < found; i++)
    if (kept == 0 || compare_pairs (&pairs[kept - 1], &pairs[i]) != 0)
      pairs[kept++] = pairs[i];
  *n_pairs = kept;
  return pairs;
}
