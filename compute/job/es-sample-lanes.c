/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Threads that wait between the steps of an iteration; each step is milliseconds, or less. */

#include "es-sample-store-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-job-internal.h"
#include "ranks/es-ranks-internal.h"

/* A part of the samples with sums of its own. */
typedef struct
{
  guint first, end;              /* chunks */
  guint member;                  /* whose it is */
  guint group;                   /* of its chunks */
} Part;

typedef struct
{
  EsSampleLanes     *owner;
  EsDevice          *device;
  const EskHotspots *hotspots;
  EskStream         *stream;
  guint              member;
  float             *staging;    /* of a file's chunk */
  EsBuffer          *buffer;     /* of a chunk that is brought to a GPU */
  GThread           *thread;     /* NULL: the caller's */
} Lane;

struct _EsSampleLanes
{
  EsSampleStore *store;
  guint          n_members, n_lanes, n_parts;
  EsCardSums    *card_sums;      /* nullable */
  Lane          *lanes;
  Part          *parts;

  GMutex         lock;
  GCond          begin, end;
  guint          generation;
  guint          working;        /* lanes that have not ended this step */
  gboolean       quit;
  guint         *next;           /* of every member: the next part to look at */
  GError        *error;

  /* This step's */
  EsSampleWork   work;
  gconstpointer  data;
  const char    *what;
  gsize          n_sums;
  double        *sums;           /* n_parts x n_sums */
  gsize          n_allocated;
  GCancellable  *cancellable;
};

/* ---- a step ---- */

static gboolean
take_part (EsSampleLanes *self, Lane *lane, guint *index)
{
  gboolean found = FALSE;

  g_mutex_lock (&self->lock);
  guint *next = &self->next[lane->member];
  while (self->error == NULL && !found && *next < self->n_parts)
    {
      *index = (*next)++;
      found = self->parts[*index].member == lane->member;
    }
  g_mutex_unlock (&self->lock);
  return found;
}

/* The chunk's samples where the lane's device computes. */
static const float *
fetch (Lane *lane, const EsSampleChunk *chunk, GError **error)
{
  EsSampleStore *store = lane->owner->store;
  const gsize bytes = chunk->count * store->planes * sizeof (float);
  const float *samples = chunk->samples;

  if (chunk->buffer != NULL)
    return es_buffer_get_data (chunk->buffer);
  if (samples == NULL)
    {
      if (!es_store_read (store->file, lane->staging, bytes, chunk->offset, error))
        return NULL;
      samples = lane->staging;
    }
  if (lane->buffer == NULL)
    return samples;
  if (!es_device_check (lane->device, lane->stream,
                        lane->hotspots->device->upload (lane->stream, es_buffer_get_data (lane->buffer), samples,
                                                        bytes),
                        _("a copy of samples"), error))
    return NULL;
  return es_buffer_get_data (lane->buffer);
}

static gboolean
process_part (Lane *lane, guint index, GError **error)
{
  EsSampleLanes *self = lane->owner;
  double *sums = self->sums + index * self->n_sums;

  memset (sums, 0, self->n_sums * sizeof (double));
  for (guint i = self->parts[index].first; i < self->parts[index].end; i++)
    {
      const EsSampleChunk *chunk = &g_array_index (self->store->chunks, EsSampleChunk, i);
      const float *samples;

      if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      samples = fetch (lane, chunk, error);
      if (samples == NULL
          || !es_device_check (lane->device, lane->stream,
                               self->work (lane->hotspots, lane->stream, samples, chunk->count, chunk->stride,
                                           self->data, sums),
                               self->what, error))
        return FALSE;
    }
  return TRUE;
}

static void
work_on_step (Lane *lane)
{
  EsSampleLanes *self = lane->owner;
  GError *error = NULL;
  guint index;

  while (error == NULL && take_part (self, lane, &index))
    process_part (lane, index, &error);

  g_mutex_lock (&self->lock);
  if (error != NULL && self->error == NULL)
    self->error = g_steal_pointer (&error);
  if (--self->working == 0)
    g_cond_signal (&self->end);
  g_mutex_unlock (&self->lock);
  g_clear_error (&error);
}

static gpointer
lane_main (gpointer data)
{
  Lane *lane = data;
  EsSampleLanes *self = lane->owner;
  guint seen = 0;

  for (;;)
    {
      g_mutex_lock (&self->lock);
      while (!self->quit && self->generation == seen)
        g_cond_wait (&self->begin, &self->lock);
      seen = self->generation;
      const gboolean quit = self->quit;
      g_mutex_unlock (&self->lock);
      if (quit)
        return NULL;
      work_on_step (lane);
    }
}

static gboolean
add_parts (EsSampleLanes *self, gsize n_sums, double *sums)
{
  memset (sums, 0, n_sums * sizeof (double));
  for (guint i = 0; i < self->n_parts; i++)
    for (gsize j = 0; j < n_sums; j++)
      sums[j] += self->sums[i * n_sums + j];
  return TRUE;
}

/* ---- of all processes ---- */

/* Of each part: its group, and its sums; nothing of those that are added between cards. */
gsize
es_sample_lanes_count (EsSampleLanes *self, gsize n_sums, gsize n_beside)
{
  return n_beside + (self->card_sums != NULL ? 0 : self->n_parts * (1 + n_sums));
}

/* By groups, whosever they are. */
static void
add_groups (EsRanksSteps *steps, gsize n_beside, gsize n_sums, double *sums)
{
  memset (sums, 0, n_sums * sizeof (double));
  for (guint g = 0; g < ES_PASS_GROUPS; g++)
    for (guint i = 0; i < es_ranks_get_size (); i++)
      {
        gsize n;
        const double *told = es_ranks_steps_of (steps, i, &n);

        for (gsize at = n_beside; at < n; at += 1 + n_sums)
          if (told[at] == g)
            for (gsize j = 0; j < n_sums; j++)
              sums[j] += told[at + 1 + j];
      }
}

static gboolean
add_of_step (EsSampleLanes *self, const EsSampleSteps *steps, gsize n_sums, double *sums, GError **error)
{
  double *own = es_ranks_steps_own (steps->steps), *to = own + steps->n_beside;

  for (guint i = 0; self->card_sums == NULL && i < self->n_parts; i++, to += 1 + n_sums)
    {
      *to = self->parts[i].group;
      memcpy (to + 1, self->sums + i * n_sums, n_sums * sizeof (double));
    }
  if (steps->tell != NULL)
    steps->tell (own, steps->data);
  /* Between cards nobody waits for one that has failed before. */
  if (!es_ranks_steps_next (steps->steps, error))
    return FALSE;
  if (self->card_sums != NULL)
    return add_parts (self, n_sums, sums) && es_card_sums_add (self->card_sums, sums, n_sums, error);
  add_groups (steps->steps, steps->n_beside, n_sums, sums);
  return TRUE;
}

/* One step, which is all of it. */
static gboolean
add_of_all (EsSampleLanes *self, gsize n_sums, double *sums, GError **error)
{
  g_autoptr (EsRanksSteps) steps = es_ranks_steps_begin (es_sample_lanes_count (self, n_sums, 0), error);

  const gboolean done = steps != NULL && add_of_step (self, &(EsSampleSteps) { .steps = steps }, n_sums, sums, error);

  return done || self->card_sums == NULL ? done : es_ranks_agree (FALSE, error);
}

gboolean
es_sample_lanes_run (EsSampleLanes *self, EsSampleWork work, gconstpointer data, const char *what, gsize n_sums,
                     double *sums, const EsSampleSteps *steps, GCancellable *cancellable, GError **error)
{
  if (n_sums > self->n_allocated)
    {
      g_free (self->sums);
      /* Of several processes one may have no part. */
      self->sums = g_try_malloc_n (n_sums, MAX (self->n_parts, 1) * sizeof (double));
      self->n_allocated = self->sums != NULL ? n_sums : 0;
      if (self->sums == NULL)
        return es_compute_error_no_memory (what, error);
    }

  g_mutex_lock (&self->lock);
  self->work = work;
  self->data = data;
  self->what = what;
  self->n_sums = n_sums;
  self->cancellable = cancellable;
  memset (self->next, 0, self->n_members * sizeof *self->next);
  self->working = self->n_lanes;
  self->generation++;
  g_cond_broadcast (&self->begin);
  g_mutex_unlock (&self->lock);

  work_on_step (&self->lanes[0]);

  g_mutex_lock (&self->lock);
  while (self->working > 0)
    g_cond_wait (&self->end, &self->lock);
  g_mutex_unlock (&self->lock);
  if (self->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&self->error));
      return steps == NULL && es_ranks_agree (FALSE, error);
    }
  if (es_ranks_get_size () == 1)
    return add_parts (self, n_sums, sums);
  return steps != NULL ? add_of_step (self, steps, n_sums, sums, error) : add_of_all (self, n_sums, sums, error);
}

/* ---- lanes ---- */

/* Of all members of all processes. */
static guint
group_of_member (EsSampleLanes *self, guint member)
{
  return (es_ranks_get_rank () * self->n_members + member) % ES_PASS_GROUPS;
}

/* Chunks of one member, or of one group; those groups are shared out to the members. */
static void
cut_parts (EsSampleLanes *self)
{
  const GArray *chunks = self->store->chunks;

  self->parts = g_new0 (Part, MAX (chunks->len, 1));
  for (guint i = 0; i < chunks->len; i++)
    {
      const EsSampleChunk *chunk = &g_array_index (chunks, EsSampleChunk, i);

      if (i > 0 && !self->store->on_devices && self->parts[self->n_parts - 1].group == chunk->group)
        {
          self->parts[self->n_parts - 1].end = i + 1;
          continue;
        }
      self->parts[self->n_parts] = (Part) { i, i + 1, self->store->on_devices ? chunk->member
                                                                              : self->n_parts % self->n_members,
                                            self->store->on_devices ? group_of_member (self, chunk->member)
                                                                    : chunk->group };
      self->n_parts++;
    }
}

static guint
count_parts (EsSampleLanes *self, guint member)
{
  guint count = 0;

  for (guint i = 0; i < self->n_parts; i++)
    count += self->parts[i].member == member;
  return count;
}

static gboolean
open_lane (EsSampleLanes *self, Lane *lane, GError **error)
{
  EsSampleStore *store = self->store;
  const gsize bytes = store->largest * store->planes * sizeof (float);
  const gboolean on_gpu = es_device_get_kind (lane->device) == ES_DEVICE_GPU;

  lane->hotspots = es_device_get_hotspots (lane->device);
  lane->stream = on_gpu ? es_device_take_stream (lane->device)
                        : lane->hotspots->stream->stream_new (es_device_get_index (lane->device));
  if (!es_device_check (lane->device, NULL, lane->stream != NULL ? ESK_OK : ESK_ERROR_MEMORY, _("a stream"), error))
    return FALSE;
  if (store->in_file && (lane->staging = g_try_malloc (bytes)) == NULL)
    return es_compute_error_no_memory (_("samples"), error);
  if (on_gpu && !store->on_devices)
    {
      lane->buffer = es_buffer_new (lane->device, bytes, error);
      return lane->buffer != NULL;
    }
  return TRUE;
}

EsSampleLanes *
es_sample_lanes_new (EsSampleStore *store, EsDevice *device, guint lanes, GError **error)
{
  g_autoptr (EsSampleLanes) self = g_new0 (EsSampleLanes, 1);

  g_mutex_init (&self->lock);
  g_cond_init (&self->begin);
  g_cond_init (&self->end);
  self->store = es_sample_store_ref (store);
  self->n_members = es_device_get_n_members (device);
  self->next = g_new0 (guint, self->n_members);
  cut_parts (self);
  self->lanes = g_new0 (Lane, (gsize) MAX (lanes, 1) * self->n_members);

  for (guint i = 0; i < MAX (lanes, 1) * self->n_members; i++)
    {
      const guint member = i % self->n_members;
      /* A lane that finds no part left would be woken and waited for in every step. */
      if (i > 0 && i / self->n_members >= count_parts (self, member))
        continue;
      Lane *lane = &self->lanes[self->n_lanes++];
      lane->owner = self;
      lane->member = member;
      lane->device = es_device_get_member (device, member);
      if (!open_lane (self, lane, error))
        return NULL;
    }
  /* The first is the caller's own thread. */
  for (guint i = 1; i < self->n_lanes; i++)
    {
      self->lanes[i].thread = g_thread_try_new ("es-samples", lane_main, &self->lanes[i], error);
      if (self->lanes[i].thread == NULL)
        return NULL;
    }
  return g_steal_pointer (&self);
}

gboolean
es_sample_lanes_join_cards (EsSampleLanes *self, EsJob *job, double steps, gsize n_sums, GError **error)
{
  double n_parts = self->n_parts;

  return es_ranks_sum_doubles (&n_parts, 1, error)
         && es_card_sums_new (job, steps, n_sums, (gsize) n_parts * (1 + n_sums), &self->card_sums, error);
}

void
es_sample_lanes_free (EsSampleLanes *self)
{
  g_mutex_lock (&self->lock);
  self->quit = TRUE;
  g_cond_broadcast (&self->begin);
  g_mutex_unlock (&self->lock);

  for (guint i = 0; i < self->n_lanes; i++)
    {
      Lane *lane = &self->lanes[i];
      if (lane->thread != NULL)
        g_thread_join (lane->thread);
      g_free (lane->staging);
      g_clear_pointer (&lane->buffer, es_buffer_unref);
      if (lane->stream == NULL)
        continue;
      if (es_device_get_kind (lane->device) == ES_DEVICE_GPU)
        es_device_give_stream (lane->device, lane->stream);
      else
        lane->hotspots->stream->stream_free (lane->stream);
    }
  g_clear_pointer (&self->card_sums, es_card_sums_free);
  es_sample_store_unref (self->store);
  g_free (self->lanes);
  g_free (self->parts);
  g_free (self->next);
  g_free (self->sums);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->begin);
  g_cond_clear (&self->end);
  g_free (self);
}
