/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Many blocks in flight: one thread reads them in order, or has them read by a feed, each device has one that copies
 * to it (GPUs) and one that computes, and the caller takes what comes out in order. Slot i % n carries block i, and
 * thereby blocks go to several GPUs in turn. On a GPU the copy of a block runs beside the computation of the one
 * before.
 */

#include "es-beamformer-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"

typedef struct
{
  EsBeamformer *beamformer;
  guint64       first, step, n;
  guint64       before;        /* how many blocks are heard before the first one */
  guint64       total;         /* with what is heard for the sake of adaptive beams only */

  GMutex        lock;
  GCond         changed;
  gboolean      stop;
  guint64       failed;        /* the first block that failed, for `error`; those before it are still taken */
  GError       *error;
} Run;

typedef enum { STEP_READ, STEP_UPLOAD, STEP_COMPUTE } Step;

typedef struct
{
  Run   *run;
  Step   step;
  guint  member;               /* which blocks: member, member + n_members, ... */
} Worker;

/* Waits until the slot of block i is at a stage. FALSE: the run has stopped, or ends before that block. */
static gboolean
wait_for (Run *run, guint64 i, EsBeamSlot *slot, EsSlotStage stage)
{
  gboolean go;

  g_mutex_lock (&run->lock);
  while (!run->stop && i < run->failed && slot->stage != stage)
    g_cond_wait (&run->changed, &run->lock);
  go = !run->stop && i < run->failed;
  g_mutex_unlock (&run->lock);
  return go;
}

static void
advance (Run *run, EsBeamSlot *slot, EsSlotStage stage)
{
  g_mutex_lock (&run->lock);
  slot->stage = stage;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
}

/* Whoever reads ahead may come to what fails before somebody wants it. Takes the error; NULL: the run has stopped. */
static void
fail (Run *run, guint64 i, GError *error)
{
  g_mutex_lock (&run->lock);
  if (i < run->failed)
    {
      g_clear_error (&run->error);
      run->error = g_steal_pointer (&error);
      run->failed = i;
    }
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
  g_clear_error (&error);
}

static void
stop (Run *run)
{
  g_mutex_lock (&run->lock);
  run->stop = TRUE;
  g_cond_broadcast (&run->changed);
  g_mutex_unlock (&run->lock);
  if (run->beamformer->feed != NULL)
    _es_frame_feed_give_up (run->beamformer->feed, TRUE);
}

/* What is read one after the other: where adaptive beams begin anew, first the blocks before. */
typedef struct
{
  guint64  block;              /* of the run */
  guint64  before;             /* how many are still to be heard before it */
  gboolean begins;
} Place;

static Place
place_at (const Run *run, guint64 block)
{
  const EsBeamformer *self = run->beamformer;
  const gboolean follows = block > 0 && run->step == self->settings->block && self->memory > 0;
  const guint64 before = follows ? 0 : block == 0 ? run->before
                         : _es_beamformer_count_before (run->beamformer, run->first + block * run->step);

  return (Place) { block, before, !follows };
}

static gboolean
read_next (Run *run, EsBeamSlot *slot, Place *place, GError **error)
{
  EsBeamformer *self = run->beamformer;
  const guint64 frame = run->first + place->block * run->step;

  slot->is_before = place->before > 0;
  slot->begins = place->begins;
  if (!_es_beamformer_begin (self, slot, frame - place->before * self->settings->block, error))
    return FALSE;
  if (place->before == 0)
    *place = place_at (run, place->block + 1);
  else
    {
      place->before--;
      place->begins = FALSE;
    }
  return TRUE;
}

static gpointer
work (gpointer data)
{
  const Worker *worker = data;
  Run *run = worker->run;
  EsBeamformer *self = run->beamformer;
  const guint64 stride = worker->step == STEP_READ ? 1 : self->n_members;
  const EsSlotStage from = worker->step == STEP_READ ? ES_SLOT_EMPTY
                           : worker->step == STEP_UPLOAD || self->on_cpu ? ES_SLOT_READ : ES_SLOT_UPLOADED;
  const EsSlotStage to = worker->step == STEP_READ ? ES_SLOT_READ
                         : worker->step == STEP_UPLOAD ? ES_SLOT_UPLOADED : ES_SLOT_COMPUTED;
  Place place = place_at (run, 0);

  for (guint64 i = worker->member; i < run->total; i += stride)
    {
      EsBeamSlot *slot = &self->slots[i % self->n_slots];
      GError *error = NULL;
      gboolean done;

      if (!wait_for (run, i, slot, from))
        break;
      switch (worker->step)
        {
        case STEP_READ:
          done = read_next (run, slot, &place, &error);
          break;
        case STEP_UPLOAD:
          done = _es_beamformer_upload (self, slot, &error);
          break;
        case STEP_COMPUTE:
        default:
          done = (!self->on_cpu || _es_beamformer_upload (self, slot, &error))
                 && _es_beamformer_compute (self, slot, &error);
        }
      if (!done)
        {
          fail (run, i, error);
          break;
        }
      advance (run, slot, to);
    }
  return NULL;
}

/* On the caller's thread. *refused: `take` wanted no more. */
static gboolean
take_blocks (Run *run, EsBeamTake take, gpointer data, GCancellable *cancellable, gboolean *refused, GError **error)
{
  EsBeamformer *self = run->beamformer;

  for (guint64 i = 0; i < run->total; i++)
    {
      EsBeamSlot *slot = &self->slots[i % self->n_slots];
      g_autoptr (EsBeamBlock) block = NULL;

      if (!wait_for (run, i, slot, ES_SLOT_COMPUTED))
        return FALSE;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (slot->is_before)
        {
          self->times[0] += slot->input + slot->upload;
          self->times[1] += slot->transform;
          advance (run, slot, ES_SLOT_EMPTY);
          continue;
        }
      block = _es_beamformer_finish (self, slot);
      advance (run, slot, ES_SLOT_EMPTY);
      if (!take (block, data, error))
        {
          *refused = TRUE;
          return FALSE;
        }
    }
  return TRUE;
}

static void
wake (GCancellable *cancellable, gpointer data)
{
  Run *run = data;

  g_atomic_int_set (&run->beamformer->cancelled, 1);
  stop (run);
}

gboolean
_es_beamformer_run_after (EsBeamformer *self, guint64 first, guint64 step, guint64 n, guint64 before, EsBeamTake take,
                          gpointer data, GCancellable *cancellable, GError **error)
{
  Run run = { .beamformer = self, .first = first, .step = step, .n = n, .before = before, .failed = G_MAXUINT64 };
  const guint n_workers = 1 + self->n_members * (self->on_cpu ? 1 : 2);
  g_autofree Worker *workers = g_new (Worker, n_workers);
  g_autofree GThread **threads = g_new0 (GThread *, n_workers);
  g_autoptr (GError) local_error = NULL;
  gulong handler = 0;
  gboolean done = TRUE, refused = FALSE;

  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  /* What was read ahead for single blocks is in the way. */
  g_mutex_lock (&self->lock);
  while (self->ahead_running)
    g_cond_wait (&self->changed, &self->lock);
  self->ahead_slot = NULL;
  self->has_last = FALSE;
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&self->last, es_beam_block_unref);
  self->has_next = FALSE;
  run.total = n;
  if (self->memory > 0)
    for (guint64 i = 0; i < n; i++)
      run.total += place_at (&run, i).before;

  g_mutex_init (&run.lock);
  g_cond_init (&run.changed);
  for (guint i = 0; i < self->n_slots; i++)
    self->slots[i].stage = ES_SLOT_EMPTY;
  workers[0] = (Worker) { &run, STEP_READ, 0 };
  for (guint i = 1; i < n_workers; i++)
    workers[i] = (Worker) { &run, self->on_cpu || i % 2 == 0 ? STEP_COMPUTE : STEP_UPLOAD,
                            self->on_cpu ? 0 : (i - 1) / 2 };
  if (cancellable != NULL)
    handler = g_cancellable_connect (cancellable, G_CALLBACK (wake), &run, NULL);
  for (guint i = 0; i < n_workers && done; i++)
    {
      threads[i] = g_thread_try_new ("es-beams", work, &workers[i], &local_error);
      done = threads[i] != NULL;
    }
  if (done)
    done = take_blocks (&run, take, data, cancellable, &refused, &local_error);
  stop (&run);
  for (guint i = 0; i < n_workers; i++)
    if (threads[i] != NULL)
      g_thread_join (threads[i]);
  g_cancellable_disconnect (cancellable, handler);
  for (guint i = 0; self->feed != NULL && i < self->n_slots; i++)
    _es_frame_feed_drop (self->feed, g_steal_pointer (&self->slots[i].coming));
  if (self->feed != NULL)
    _es_frame_feed_give_up (self->feed, FALSE);
  g_atomic_int_set (&self->cancelled, 0);

  /* What fails after the last one that was wanted is nobody's business. */
  if (!done && !refused && local_error == NULL)
    local_error = g_steal_pointer (&run.error);
  g_clear_error (&run.error);
  g_mutex_clear (&run.lock);
  g_cond_clear (&run.changed);
  if (done)
    return TRUE;
  /* Cancelled while it waited; or `take` wanted no more, and said nothing: that is no failure. */
  if (local_error == NULL && g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

gboolean
es_beamformer_run (EsBeamformer *self, guint64 first, guint64 step, guint64 n, EsBeamTake take, gpointer data,
                   GCancellable *cancellable, GError **error)
{
  return _es_beamformer_run_after (self, first, step, n, _es_beamformer_count_before (self, first), take, data,
                                   cancellable, error);
}
