/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The layout (algorithm 5): edges pull their ends together, points drawn at random push each other away.
 *
 * In each epoch the points move in GROUPS groups, one after the other. Every point of a group gathers what pulls and
 * pushes it from where all points were before the group moved, so that it does not matter which thread does it; draws
 * are made by epoch, point and edge.
 */

#include "es-umap-private.h"

#include <math.h>
#include <string.h>

#define GROUPS 16
/* Looks at whether the others have come, before a thread sleeps: some microseconds. */
#define LOOKS 4000
/* A single force moves a point so far at most. */
#define LARGEST 4.0f
#define MOST_DIMENSIONS 32
/* Transform: epochs, and how much smaller the first steps are (umap-learn's). */
#define PLACE_EPOCHS 30
#define PLACE_RATE 0.25f

static inline float
clip (float force)
{
  const float below = LARGEST < force ? LARGEST : force;

  return -LARGEST > below ? -LARGEST : below;
}

/* Forces are computed by loops that are unrolled for the usual numbers of dimensions, m. */
#define ALWAYS_INLINE static inline __attribute__ ((always_inline))

ALWAYS_INLINE float
squared_distance (const float *a, const float *b, guint m)
{
  float sum = 0;

#pragma GCC unroll 4
  for (guint k = 0; k < m; k++)
    sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

/* Adds to `move` what the other end of an edge does. */
ALWAYS_INLINE void
pull (const EsUmapForces *forces, guint m, const float *here, const float *there, float times, float *move)
{
  const float d = squared_distance (here, there, m);

  if (!(d > 0))
    return;
  const float power = powf (d, (float) forces->b);
  const float factor = -2 * (float) (forces->a * forces->b) * power / (d * ((float) forces->a * power + 1));

#pragma GCC unroll 4
  for (guint k = 0; k < m; k++)
    move[k] += times * clip (factor * (here[k] - there[k]));
}

ALWAYS_INLINE void
push (const EsUmapForces *forces, guint m, const float *here, const float *there, float *move)
{
  const float d = squared_distance (here, there, m);

  if (!(d > 0))
    return;
  const float factor = 2 * (float) forces->b / ((0.001f + d) * ((float) forces->a * powf (d, (float) forces->b) + 1));

#pragma GCC unroll 4
  for (guint k = 0; k < m; k++)
    move[k] += clip (factor * (here[k] - there[k]));
}

/* An edge of weight w, as a share of the largest, counts in every 1/w-th epoch. */
static inline gboolean
is_due (float share, guint epoch)
{
  return (guint) (share * (float) (epoch + 1)) > (guint) (share * (float) epoch);
}

/* ---- all points ---- */

typedef struct
{
  const EsUmapForces *forces;
  const EsUmapGraph  *graph;
  /* n x m each: a point is in one of them, and moves to the other one. */
  float              *places[2];
  float              *share;               /* of each edge, of the largest weight */
  EsJob              *job;

  GMutex              lock;
  GCond               turn;
  guint               threads, waiting, round;       /* atomic */
  int                 cancelled;           /* atomic */
} Layout;

typedef struct
{
  Layout *layout;
  guint   index;
} Worker;

/* Where a point is while `group` moves: groups take turns, so that those before it have moved once more. */
ALWAYS_INLINE const float *
find_point (const Layout *self, guint m, gsize i, guint group, guint epoch)
{
  return self->places[(epoch + (i % GROUPS < group)) & 1] + i * m;
}

ALWAYS_INLINE void
move_point (const Layout *self, guint m, gsize i, guint group, guint epoch, float rate)
{
  const EsUmapForces *forces = self->forces;
  const EsUmapGraph *graph = self->graph;
  const float *here = find_point (self, m, i, group, epoch);
  const guint64 seed = es_manifold_hash (forces->seed + epoch, i);
  float *moved = self->places[(epoch + 1) & 1] + i * m;
  float move[MOST_DIMENSIONS] = { 0 };

  for (gsize e = graph->first[i]; e < graph->first[i + 1]; e++)
    {
      if (!is_due (self->share[e], epoch))
        continue;
      /* Once as the edge of this point, and once as the other end's. */
      pull (forces, m, here, find_point (self, m, (gsize) graph->to[e], group, epoch), 2, move);
      for (guint s = 0; s < forces->negatives; s++)
        {
          const guint64 draw = es_manifold_hash (seed, (e - graph->first[i]) * forces->negatives + s);
          const gsize other = (gsize) (((draw >> 32) * graph->n) >> 32);

          if (other != i)
            push (forces, m, here, find_point (self, m, other, group, epoch), move);
        }
    }
#pragma GCC unroll 4
  for (guint k = 0; k < m; k++)
    moved[k] = here[k] + rate * move[k];
}

/* All threads have come so far. Most come at nearly the same time: it takes longer to sleep and be woken. */
static void
meet (Layout *self)
{
  const guint round = g_atomic_int_get (&self->round);

  if ((guint) g_atomic_int_add (&self->waiting, 1) + 1 == (guint) g_atomic_int_get (&self->threads))
    {
      g_atomic_int_set (&self->waiting, 0);
      g_mutex_lock (&self->lock);
      g_atomic_int_inc (&self->round);
      g_cond_broadcast (&self->turn);
      g_mutex_unlock (&self->lock);
      return;
    }
  for (guint i = 0; i < LOOKS; i++)
    if ((guint) g_atomic_int_get (&self->round) != round)
      return;
  g_mutex_lock (&self->lock);
  while ((guint) g_atomic_int_get (&self->round) == round)
    g_cond_wait (&self->turn, &self->lock);
  g_mutex_unlock (&self->lock);
}

/* The points of a group that are one thread's: every threads-th. Nobody reads where they come to before all are there,
 * and nobody writes where they were before all have moved on twice. */
static void
move_group (Layout *self, guint thread, guint group, guint epoch, float rate)
{
  const gsize first = group + (gsize) GROUPS * thread, step = (gsize) GROUPS * self->threads, n = self->graph->n;
  const guint m = self->forces->m;

  if (m == 2)
    for (gsize i = first; i < n; i += step)
      move_point (self, 2, i, group, epoch, rate);
  else if (m == 3)
    for (gsize i = first; i < n; i += step)
      move_point (self, 3, i, group, epoch, rate);
  else
    for (gsize i = first; i < n; i += step)
      move_point (self, m, i, group, epoch, rate);
  meet (self);
}

static gpointer
worker_main (gpointer data)
{
  Layout *self = ((Worker *) data)->layout;
  const guint thread = ((Worker *) data)->index, epochs = self->forces->epochs;

  /* Until all are there, and counted. */
  if (thread > 0)
    {
      g_mutex_lock (&self->lock);
      g_mutex_unlock (&self->lock);
    }

  for (guint epoch = 0; epoch < epochs; epoch++)
    {
      if (thread == 0)
        {
          g_atomic_int_set (&self->cancelled, g_cancellable_is_cancelled (es_job_get_cancellable (self->job)));
          /* What comes before takes a third of the time or less. */
          es_job_set_fraction (self->job, 0.3 + 0.7 * epoch / epochs);
        }
      meet (self);
      if (g_atomic_int_get (&self->cancelled))
        break;
      for (guint group = 0; group < GROUPS; group++)
        move_group (self, thread, group, epoch, 1 - (float) epoch / (float) epochs);
    }
  return NULL;
}

gboolean
es_umap_lay_out (const EsUmapForces *forces, const EsUmapGraph *graph, float *points, guint threads, EsJob *job)
{
  const gsize numbers = graph->n * forces->m, edges = graph->first[graph->n];
  g_autofree float *other_places = g_new (float, numbers), *share = g_new (float, edges);
  g_autofree Worker *workers = g_new (Worker, MAX (threads, 1));
  g_autoptr (GPtrArray) others = g_ptr_array_new ();
  Layout self = { .forces = forces, .graph = graph, .places = { points, other_places }, .share = share, .job = job,
                  .threads = MAX (threads, 1) };
  float largest = 0;

  g_return_val_if_fail (forces->m <= MOST_DIMENSIONS, FALSE);
  for (gsize e = 0; e < edges; e++)
    largest = MAX (largest, graph->weight[e]);
  for (gsize e = 0; e < edges; e++)
    share[e] = graph->weight[e] / largest;
  g_mutex_init (&self.lock);
  g_cond_init (&self.turn);
  /* As many as there are to be: they wait for each other from the first epoch on. */
  g_mutex_lock (&self.lock);
  for (guint i = 1; i < threads; i++)
    {
      workers[i] = (Worker) { &self, i };
      GThread *thread = g_thread_try_new ("es-umap", worker_main, &workers[i], NULL);
      if (thread == NULL)
        break;
      g_ptr_array_add (others, thread);
    }
  g_atomic_int_set (&self.threads, others->len + 1);
  g_mutex_unlock (&self.lock);
  workers[0] = (Worker) { &self, 0 };
  worker_main (&workers[0]);
  for (guint i = 0; i < others->len; i++)
    g_thread_join (g_ptr_array_index (others, i));
  g_mutex_clear (&self.lock);
  g_cond_clear (&self.turn);
  if (forces->epochs % 2 == 1)
    memcpy (points, other_places, numbers * sizeof *points);
  return !self.cancelled;
}

/* ---- a new point ---- */

ALWAYS_INLINE void
place_point (const EsUmapForces *forces, guint m, const float *points, gsize n, const gint32 *index,
             const float *weight, guint k, guint64 number, float *point)
{
  float largest = 0, sum = 0;

  for (guint j = 0; j < k; j++)
    {
      largest = MAX (largest, weight[j]);
      sum += weight[j];
    }
  for (guint d = 0; d < m; d++)
    {
      point[d] = 0;
      for (guint j = 0; j < k; j++)
        point[d] += weight[j] / sum * points[(gsize) index[j] * m + d];
    }
  for (guint epoch = 0; epoch < PLACE_EPOCHS; epoch++)
    {
      const guint64 seed = es_manifold_hash (forces->seed + epoch, number);
      const float rate = PLACE_RATE * (1 - (float) epoch / PLACE_EPOCHS);
      float move[MOST_DIMENSIONS] = { 0 };

      for (guint j = 0; j < k; j++)
        {
          if (!is_due (weight[j] / largest, epoch))
            continue;
          pull (forces, m, point, points + (gsize) index[j] * m, 1, move);
          for (guint s = 0; s < forces->negatives; s++)
            {
              const guint64 draw = es_manifold_hash (seed, (guint64) j * forces->negatives + s);

              push (forces, m, point, points + (gsize) (((draw >> 32) * n) >> 32) * m, move);
            }
        }
#pragma GCC unroll 4
      for (guint d = 0; d < m; d++)
        point[d] += rate * move[d];
    }
}

void
es_umap_place (const EsUmapForces *forces, const float *points, gsize n, const gint32 *index, const float *weight,
               guint k, guint64 number, float *point)
{
  if (forces->m == 2)
    place_point (forces, 2, points, n, index, weight, k, number, point);
  else if (forces->m == 3)
    place_point (forces, 3, points, n, index, weight, k, number, point);
  else
    place_point (forces, forces->m, points, n, index, weight, k, number, point);
}
