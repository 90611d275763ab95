/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-tile-pool.h"

/* What a queue and the threads know of each other; it outlives the queue until the last of its jobs is done. */
typedef struct
{
  gint         generation;     /* atomic: jobs of an older one are not begun */
  gint         telling;        /* atomic: the main context has been asked to look */
  GMutex       mutex;
  GError      *error;
  EsTilesCame  came;           /* NULL: the queue is gone; main context */
  gpointer     user_data;
} Link;

struct _EsTileQueue
{
  Link         *link;
  GCancellable *cancellable;
};

typedef struct
{
  Link          *link;
  EsPlaneSource *source;
  GCancellable  *cancellable;
  EsTileKey      key;
  gint           generation;
  guint64        serial;       /* of what was asked for together */
  double         distance;
} Job;

static GThreadPool *pool;      /* main context makes it */
static gint reading;

static void
link_clear (gpointer data)
{
  Link *link = data;

  g_mutex_clear (&link->mutex);
  g_clear_error (&link->error);
}

static void
link_unref (gpointer link)
{
  g_atomic_rc_box_release_full (link, link_clear);
}

static void
job_free (Job *job)
{
  link_unref (job->link);
  g_object_unref (job->source);
  g_object_unref (job->cancellable);
  g_free (job);
}

static gboolean
tell (gpointer data)
{
  Link *link = data;
  g_autoptr (GError) error = NULL;

  g_atomic_int_set (&link->telling, 0);
  g_mutex_lock (&link->mutex);
  error = g_steal_pointer (&link->error);
  g_mutex_unlock (&link->mutex);
  if (link->came != NULL)
    link->came (error, link->user_data);
  return G_SOURCE_REMOVE;
}

static void
done (Job *job, GError *error)
{
  g_mutex_lock (&job->link->mutex);
  /* What nobody waits for any more need not be complained about. */
  if (job->link->error == NULL && job->generation == g_atomic_int_get (&job->link->generation))
    job->link->error = g_steal_pointer (&error);
  g_mutex_unlock (&job->link->mutex);
  g_clear_error (&error);
  if (g_atomic_int_compare_and_exchange (&job->link->telling, 0, 1))
    g_idle_add_full (G_PRIORITY_DEFAULT, tell, g_atomic_rc_box_acquire (job->link), link_unref);
}

static void
run (gpointer data, gpointer unused)
{
  Job *job = data;
  g_autoptr (GBytes) samples = NULL;
  GError *error = NULL;

  if (job->generation != g_atomic_int_get (&job->link->generation) || g_cancellable_is_cancelled (job->cancellable))
    {
      job_free (job);
      return;
    }
  samples = es_tile_cache_find (&job->key);
  if (samples == NULL)
    {
      g_atomic_int_inc (&reading);
      samples = es_plane_source_read_tile (job->source, job->key.plane, job->key.level,
                                           (guint64) job->key.x * ES_TILE_SIDE, (guint64) job->key.y * ES_TILE_SIDE,
                                           ES_TILE_SIDE, job->cancellable, &error);
      g_atomic_int_add (&reading, -1);
      if (samples != NULL)
        es_tile_cache_add (&job->key, samples);
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_clear_error (&error);
  else
    done (job, error);
  job_free (job);
}

static int
compare (gconstpointer a, gconstpointer b, gpointer unused)
{
  const Job *one = a, *other = b;

  if (one->serial != other->serial)
    return one->serial > other->serial ? -1 : 1;
  return (one->distance > other->distance) - (one->distance < other->distance);
}

static guint64 asked;

EsTileQueue *
es_tile_queue_new (EsTilesCame came, gpointer user_data)
{
  EsTileQueue *self = g_new0 (EsTileQueue, 1);

  if (pool == NULL)
    {
      pool = g_thread_pool_new (run, NULL, (int) CLAMP (g_get_num_processors () / 2, 2, 4), FALSE, NULL);
      g_thread_pool_set_sort_function (pool, compare, NULL);
    }
  self->link = g_atomic_rc_box_new0 (Link);
  g_mutex_init (&self->link->mutex);
  self->link->came = came;
  self->link->user_data = user_data;
  self->cancellable = g_cancellable_new ();
  return self;
}

void
es_tile_queue_free (EsTileQueue *self)
{
  self->link->came = NULL;
  g_atomic_int_inc (&self->link->generation);
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  link_unref (self->link);
  g_free (self);
}

void
es_tile_queue_clear (EsTileQueue *self)
{
  g_atomic_int_inc (&self->link->generation);
  asked++;
}

void
es_tile_queue_ask (EsTileQueue *self, EsPlaneSource *source, const EsTileKey *key, double distance)
{
  Job *job = g_new0 (Job, 1);

  job->link = g_atomic_rc_box_acquire (self->link);
  job->source = g_object_ref (source);
  job->cancellable = g_object_ref (self->cancellable);
  job->key = *key;
  job->generation = g_atomic_int_get (&self->link->generation);
  job->serial = asked;
  job->distance = distance;
  g_thread_pool_push (pool, job, NULL);
}

guint
es_tile_pool_count (void)
{
  return (guint) g_atomic_int_get (&reading);
}
