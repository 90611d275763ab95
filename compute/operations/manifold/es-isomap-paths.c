/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Shortest paths along the samples' graph (Dijkstra 1959), one source after the other, several at a time. */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "device/es-device-internal.h"

/* Points of one piece of work when rows become columns: lines of the cache as a whole. */
#define PIECE 64

typedef struct
{
  double length;
  gint32 point;
} Reached;

/* A heap of four branches; a point may be there several times, of which the first to come out counts. */
typedef struct
{
  gsize    count;
  Reached *at;                 /* as many as the matrix has values, and one */
} Heap;

static void
push (Heap *self, double length, gint32 point)
{
  gsize place = self->count++;

  while (place > 0 && self->at[(place - 1) / 4].length > length)
    {
      self->at[place] = self->at[(place - 1) / 4];
      place = (place - 1) / 4;
    }
  self->at[place] = (Reached) { length, point };
}

static Reached
pop (Heap *self)
{
  const Reached first = self->at[0], last = self->at[--self->count];
  gsize place = 0;

  for (;;)
    {
      gsize child = 4 * place + 1, least = child;

      if (child >= self->count)
        break;
      for (gsize other = child + 1; other < MIN (child + 4, self->count); other++)
        if (self->at[other].length < self->at[least].length)
          least = other;
      if (self->at[least].length >= last.length)
        break;
      self->at[place] = self->at[least];
      place = least;
    }
  self->at[place] = last;
  return first;
}

static void
find_from (const EsSpectralMatrix *joined, gsize source, Heap *heap, double *length)
{
  for (gsize i = 0; i < joined->n; i++)
    length[i] = INFINITY;
  length[source] = 0;
  heap->count = 0;
  push (heap, 0, (gint32) source);
  while (heap->count > 0)
    {
      const Reached reached = pop (heap);

      if (reached.length > length[reached.point])
        continue;
      for (gint32 j = joined->row_from[reached.point]; j < joined->row_from[reached.point + 1]; j++)
        {
          const gint32 next = joined->column[j];
          const double further = reached.length + joined->value[j];

          if (further < length[next])
            {
              length[next] = further;
              push (heap, further, next);
            }
        }
    }
}

typedef struct
{
  const EsManifoldInput  *input;
  const EsSpectralMatrix *joined;
  const gsize *sources;
  gsize        n_sources;
  float       *lengths;        /* n_sources x n */
  float       *turned;         /* n x n_sources */
  int          done, failed;   /* atomic */
} Paths;

static gboolean
is_cancelled (const Paths *self)
{
  return g_cancellable_is_cancelled (es_job_get_cancellable (self->input->job));
}

static void
find_source (gsize source, gpointer data)
{
  Paths *self = data;
  const gsize n = self->joined->n;
  g_autofree double *length = NULL;
  g_autofree Reached *at = NULL;
  Heap heap;

  if (is_cancelled (self))
    return;
  length = g_try_new (double, n);
  at = g_try_new (Reached, (gsize) self->joined->row_from[n] + 1);
  if (length == NULL || at == NULL)
    {
      g_atomic_int_set (&self->failed, 1);
      return;
    }
  heap = (Heap) { 0, at };
  find_from (self->joined, self->sources[source], &heap, length);
  for (gsize i = 0; i < n; i++)
    self->lengths[source * n + i] = (float) length[i];
  es_job_set_fraction (self->input->job, 0.8 * g_atomic_int_add (&self->done, 1) / (double) self->n_sources);
}

static void
turn_piece (gsize piece, gpointer data)
{
  Paths *self = data;
  const gsize n = self->joined->n, first = piece * PIECE, end = MIN (first + PIECE, n);

  if (is_cancelled (self))
    return;
  for (gsize s = 0; s < self->n_sources; s++)
    for (gsize i = first; i < end; i++)
      self->turned[i * self->n_sources + s] = self->lengths[s * n + i];
}

guint64
es_isomap_count_bytes (gsize n, gsize n_sources)
{
  return 4 * (guint64) n * n_sources * (n_sources < n ? 2 : 1);
}

float *
es_isomap_find_paths (const EsManifoldInput *input, const EsSpectralMatrix *joined, const gsize *sources,
                      gsize n_sources, GError **error)
{
  const gsize n = joined->n;
  g_autofree float *lengths = g_try_malloc_n (n, n_sources * sizeof (float)), *turned = NULL;
  Paths self = { input, joined, sources, n_sources, lengths, NULL, 0, lengths == NULL };

  if (lengths != NULL)
    es_manifold_run_parts (input->threads, n_sources, find_source, &self);
  /* Of all points they are the same both ways. */
  if (n_sources < n && !self.failed && !is_cancelled (&self))
    {
      self.turned = turned = g_try_malloc_n (n, n_sources * sizeof (float));
      if (turned != NULL)
        es_manifold_run_parts (input->threads, (n + PIECE - 1) / PIECE, turn_piece, &self);
      else
        self.failed = 1;
    }
  if (es_job_is_cancelled (input->job, error))
    return NULL;
  if (self.failed)
    {
      es_compute_error_no_memory (_("the paths between samples"), error);
      return NULL;
    }
  return n_sources < n ? g_steal_pointer (&turned) : g_steal_pointer (&lengths);
}
