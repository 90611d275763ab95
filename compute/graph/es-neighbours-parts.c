/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

#include <stdlib.h>

typedef struct
{
  gsize   size;
  guint32 first;               /* point */
} Part;

/* The root of a tree of points, which becomes flatter (path halving). */
static guint32
find_root (guint32 *parent, guint32 i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const Part *x = a, *y = b;

  if (x->size != y->size)
    return x->size > y->size ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

guint
es_neighbours_find_parts (EsNeighbours *self, guint32 *part, gsize **sizes)
{
  g_autofree guint32 *parent = g_new (guint32, self->n);
  g_autofree guint32 *place = g_new (guint32, self->n);
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Part));

  for (gsize i = 0; i < self->n; i++)
    parent[i] = i;
  for (gsize i = 0; i < self->n; i++)
    for (guint m = 0; m < self->k; m++)
      {
        const guint32 a = find_root (parent, i), b = find_root (parent, self->index[i * self->k + m]);

        /* The root is the first point of its part. */
        parent[MAX (a, b)] = MIN (a, b);
      }

  for (gsize i = 0; i < self->n; i++)
    {
      const guint32 root = find_root (parent, i);

      if (root == i)
        {
          const Part one = { 0, i };
          place[i] = parts->len;
          g_array_append_val (parts, one);
        }
      part[i] = place[root];
      g_array_index (parts, Part, part[i]).size++;
    }
  /* From the order in which parts were met to the one of their sizes. */
  g_array_sort (parts, compare_parts);
  for (guint p = 0; p < parts->len; p++)
    place[g_array_index (parts, Part, p).first] = p;
  for (gsize i = 0; i < self->n; i++)
    part[i] = place[find_root (parent, i)];

  if (sizes != NULL)
    {
      *sizes = g_new (gsize, parts->len);
      for (guint p = 0; p < parts->len; p++)
        (*sizes)[p] = g_array_index (parts, Part, p).size;
    }
  return parts->len;
}

guint
es_neighbours_find_joining (EsNeighbours *self)
{
  g_autofree guint32 *parent = g_new (guint32, self->n);
  gsize n_parts = self->n;

  for (gsize i = 0; i < self->n; i++)
    parent[i] = i;
  /* The links of rank m of all points before any of the next: Kruskal's tree. */
  for (guint m = 0; m < self->k; m++)
    {
      for (gsize i = 0; i < self->n; i++)
        {
          const guint32 a = find_root (parent, i), b = find_root (parent, self->index[i * self->k + m]);

          n_parts -= a != b;
          parent[MAX (a, b)] = MIN (a, b);
        }
      if (n_parts == 1)
        return m + 1;
    }
  return 0;
}
