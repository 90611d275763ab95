/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Shortest paths along the samples' graph, from sixteen sources that lie next to each other at a time: what Dijkstra's
 * algorithm (1959) does of one, with a length for each of them at every point, all of which are looked at when a point
 * is reached. A point may be reached again by a shorter path from one of the others; in the end every length is the
 * least sum along any path, whatever the order, as sums of float32 do not fall when one of their terms grows.
 */

#include "es-spectral-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "device/es-device-internal.h"

#define LANES 16

/* Points of one piece of work when rows become columns: lines of the cache as a whole. */
#define PIECE 64
/* Points that are reached before a job that is cancelled ends. */
#define CHECK_POINTS 4096

typedef float Four __attribute__ ((vector_size (16)));
typedef gint32 FourBits __attribute__ ((vector_size (16)));

typedef struct
{
  Four part[LANES / 4];
} Lengths;

typedef struct
{
  float  length;
  gint32 point;
} Reached;

/* A heap of four branches. A point may be there several times, of which the one that `waiting` has counts. */
typedef struct
{
  gsize    count, room;
  Reached *at;
} Heap;

static gboolean
push (Heap *self, float length, gint32 point)
{
  gsize place = self->count;

  if (self->count == self->room)
    {
      Reached *more = g_try_realloc_n (self->at, 2 * self->room + 64, sizeof (Reached));

      if (more == NULL)
        return FALSE;
      self->at = more;
      self->room = 2 * self->room + 64;
    }
  self->count++;
  while (place > 0 && self->at[(place - 1) / 4].length > length)
    {
      self->at[place] = self->at[(place - 1) / 4];
      place = (place - 1) / 4;
    }
  self->at[place] = (Reached) { length, point };
  return TRUE;
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

/* Goes on from one point along a joint; whether any length there becomes less. */
static inline gboolean
go_on (const Lengths *from, float step, Lengths *to)
{
  Four further[LANES / 4];
  FourBits less[LANES / 4], any = { 0 };
  guint64 bits[2];

  for (guint p = 0; p < LANES / 4; p++)
    {
      further[p] = from->part[p] + step;
      less[p] = further[p] < to->part[p];
      any |= less[p];
    }
  memcpy (bits, &any, sizeof bits);
  if ((bits[0] | bits[1]) == 0)
    return FALSE;
  for (guint p = 0; p < LANES / 4; p++)
    to->part[p] = (Four) ((less[p] & (FourBits) further[p]) | (~less[p] & (FourBits) to->part[p]));
  return TRUE;
}

typedef struct
{
  const EsManifoldInput  *input;
  const EsSpectralMatrix *joined;
  const gsize *sources;
  gsize        n_sources, n_groups;
  guint32     *grouped;        /* n_sources: which of them, those of a group next to each other */
  gsize       *group_from;     /* n_groups + 1 */
  float       *lengths;        /* n_sources x n */
  float       *turned;         /* n x n_sources */
  int          done, failed;   /* atomic */
} Paths;

static gboolean
is_cancelled (const Paths *self)
{
  return g_cancellable_is_cancelled (es_job_get_cancellable (self->input->job));
}

/* lengths, waiting: n each. FALSE: no memory, or cancelled. */
static gboolean
find_from (Paths *self, gsize group, Heap *heap, Lengths *lengths, float *waiting)
{
  const EsSpectralMatrix *joined = self->joined;
  const gsize first = self->group_from[group], end = self->group_from[group + 1];
  guint count = 0;

  for (gsize i = 0; i < joined->n; i++)
    {
      for (guint p = 0; p < LANES / 4; p++)
        lengths[i].part[p] = (Four) { INFINITY, INFINITY, INFINITY, INFINITY };
      waiting[i] = INFINITY;
    }
  for (gsize s = first; s < end; s++)
    {
      const gsize source = self->sources[self->grouped[s]];

      lengths[source].part[(s - first) / 4][(s - first) % 4] = 0;
      waiting[source] = 0;
      if (!push (heap, 0, (gint32) source))
        return FALSE;
    }
  while (heap->count > 0)
    {
      const Reached reached = pop (heap);

      if (reached.length != waiting[reached.point])
        continue;
      if (++count % CHECK_POINTS == 0 && is_cancelled (self))
        return FALSE;
      waiting[reached.point] = INFINITY;

      const Lengths from = lengths[reached.point];

      for (gint32 j = joined->row_from[reached.point]; j < joined->row_from[reached.point + 1]; j++)
        {
          const gint32 next = joined->column[j];
          const float step = (float) joined->value[j];

          if (go_on (&from, step, &lengths[next]) && reached.length + step < waiting[next])
            {
              waiting[next] = reached.length + step;
              if (!push (heap, waiting[next], next))
                return FALSE;
            }
        }
    }
  return TRUE;
}

static void
find_group (gsize group, gpointer data)
{
  Paths *self = data;
  const gsize n = self->joined->n, first = self->group_from[group], end = self->group_from[group + 1];
  g_autofree Lengths *lengths = NULL;
  g_autofree float *waiting = NULL;
  Heap heap = { 0, 0, NULL };

  if (is_cancelled (self))
    return;
  lengths = g_try_new (Lengths, n);
  waiting = g_try_new (float, n);
  if (lengths != NULL && waiting != NULL && find_from (self, group, &heap, lengths, waiting))
    for (gsize s = first; s < end; s++)
      for (gsize i = 0; i < n; i++)
        self->lengths[self->grouped[s] * n + i] = lengths[i].part[(s - first) / 4][(s - first) % 4];
  else
    g_atomic_int_set (&self->failed, 1);
  g_free (heap.at);
  es_job_set_fraction (self->input->job, 0.8 * g_atomic_int_add (&self->done, 1) / (double) self->n_groups);
}

/* The first source that is left, and the next ones that are found from it. */
static gboolean
group_sources (Paths *self)
{
  const EsSpectralMatrix *joined = self->joined;
  g_autofree guint32 *source_of = g_try_new0 (guint32, joined->n);     /* and 1; 0: none, or grouped already */
  g_autofree gint32 *queue = g_try_new (gint32, joined->n);
  g_autofree guint32 *seen = g_try_new0 (guint32, joined->n);          /* by which group, and 1 */
  gsize count = 0;

  if (source_of == NULL || queue == NULL || seen == NULL)
    return FALSE;
  for (gsize s = 0; s < self->n_sources; s++)
    source_of[self->sources[s]] = (guint32) s + 1;
  for (gsize s = 0; s < self->n_sources && !is_cancelled (self); s++)
    {
      const gsize first = count;
      gsize head = 0, tail = 1;

      if (source_of[self->sources[s]] == 0)
        continue;
      queue[0] = (gint32) self->sources[s];
      self->group_from[self->n_groups++] = first;
      seen[queue[0]] = (guint32) self->n_groups;
      while (head < tail && count < first + LANES)
        {
          const gint32 point = queue[head++];

          if (source_of[point] > 0)
            self->grouped[count++] = source_of[point] - 1;
          source_of[point] = 0;
          for (gint32 j = joined->row_from[point]; j < joined->row_from[point + 1]; j++)
            if (seen[joined->column[j]] != self->n_groups)
              {
                seen[joined->column[j]] = (guint32) self->n_groups;
                queue[tail++] = joined->column[j];
              }
        }
    }
  self->group_from[self->n_groups] = count;
  return TRUE;
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
  g_autofree guint32 *grouped = g_try_new (guint32, n_sources);
  g_autofree gsize *group_from = g_try_new (gsize, n_sources + 1);
  Paths self = { .input = input, .joined = joined, .sources = sources, .n_sources = n_sources, .grouped = grouped,
                 .group_from = group_from, .lengths = lengths };

  if (lengths != NULL && grouped != NULL && group_from != NULL && group_sources (&self))
    es_manifold_run_parts (input->threads, self.n_groups, find_group, &self);
  else
    self.failed = 1;
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
