/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

#include <math.h>
#include <string.h>

typedef struct
{
  gint32 point;
  float  length;
} Edge;

struct _EsNeighboursPaths
{
  gsize    n;
  gsize   *from;               /* n + 1: where the edges of a point begin */
  Edge    *edges;
  gboolean borrowed;           /* edges and where they begin */
  /* A heap of points whose length is not final; place: where a point is in it, -1: not, or not any more. */
  gint32  *heap, *place;
  gsize    n_heap;
};

EsNeighboursPaths *
es_neighbours_paths_new (EsNeighbours *graph)
{
  EsNeighboursPaths *self = g_new0 (EsNeighboursPaths, 1);
  g_autofree gsize *next = NULL;
  const gsize n = graph->n, k = graph->k;

  self->n = n;
  self->from = g_new0 (gsize, n + 1);
  self->edges = g_new (Edge, 2 * n * k);
  self->heap = g_new (gint32, n);
  self->place = g_new (gint32, n);
  for (gsize e = 0; e < n * k; e++)
    {
      self->from[e / k + 1]++;
      self->from[graph->index[e] + 1]++;
    }
  for (gsize i = 0; i < n; i++)
    self->from[i + 1] += self->from[i];
  next = g_memdup2 (self->from, n * sizeof *next);
  for (gsize e = 0; e < n * k; e++)
    {
      self->edges[next[e / k]++] = (Edge) { graph->index[e], graph->distance[e] };
      self->edges[next[graph->index[e]]++] = (Edge) { (gint32) (e / k), graph->distance[e] };
    }
  return self;
}

EsNeighboursPaths *
es_neighbours_paths_new_beside (EsNeighboursPaths *other)
{
  EsNeighboursPaths *self = g_new0 (EsNeighboursPaths, 1);

  *self = (EsNeighboursPaths) { .n = other->n, .from = other->from, .edges = other->edges, .borrowed = TRUE,
                                .heap = g_new (gint32, other->n), .place = g_new (gint32, other->n) };
  return self;
}

void
es_neighbours_paths_free (EsNeighboursPaths *self)
{
  if (!self->borrowed)
    {
      g_free (self->from);
      g_free (self->edges);
    }
  g_free (self->heap);
  g_free (self->place);
  g_free (self);
}

static void
put (EsNeighboursPaths *self, gsize at, gint32 point)
{
  self->heap[at] = point;
  self->place[point] = (gint32) at;
}

static void
rise (EsNeighboursPaths *self, gsize at, gint32 point, const double *length)
{
  for (gsize parent; at > 0 && length[point] < length[self->heap[parent = (at - 1) / 2]]; at = parent)
    put (self, at, self->heap[parent]);
  put (self, at, point);
}

static gint32
take_nearest (EsNeighboursPaths *self, const double *length)
{
  const gint32 nearest = self->heap[0], last = self->heap[--self->n_heap];
  gsize at = 0;

  self->place[nearest] = -1;
  if (self->n_heap == 0)
    return nearest;
  for (gsize child; (child = 2 * at + 1) < self->n_heap; at = child)
    {
      if (child + 1 < self->n_heap && length[self->heap[child + 1]] < length[self->heap[child]])
        child++;
      if (length[self->heap[child]] >= length[last])
        break;
      put (self, at, self->heap[child]);
    }
  put (self, at, last);
  return nearest;
}

void
es_neighbours_paths_find (EsNeighboursPaths *self, gsize from, double *length)
{
  for (gsize i = 0; i < self->n; i++)
    {
      length[i] = INFINITY;
      self->place[i] = -1;
    }
  length[from] = 0;
  self->n_heap = 1;
  put (self, 0, (gint32) from);
  while (self->n_heap > 0)
    {
      const gint32 at = take_nearest (self, length);

      for (gsize e = self->from[at]; e < self->from[at + 1]; e++)
        {
          const gint32 point = self->edges[e].point;
          const double through = length[at] + self->edges[e].length;

          if (through >= length[point])
            continue;
          length[point] = through;
          rise (self, self->place[point] >= 0 ? (gsize) self->place[point] : self->n_heap++, point, length);
        }
    }
}
