/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-beam-replay.h"

#include <math.h>

#include "base/es-task.h"
#include "beam/es-beam-sound.h"

/* How much is formed at once, and how much of it waits to be heard, s. */
#define PIECE 0.2
#define LEAD 0.6

/* What the object and its thread share; counted, for the thread may live a little longer. */
typedef struct
{
  EsRecording   *recording;
  EsArray       *array;
  EsShading      shading;
  guint64        first, end;   /* frames */
  EsSoundTake    take;
  gpointer       data;
  GDestroyNotify destroy;
  GMainContext  *context;

  GMutex         lock;         /* all below */
  GCond          wake;
  gboolean       quit;
  EsBeamAim      aim;
  guint64        next;         /* frame that has not been given yet */
  gint64         start;        /* when `first` is heard, by what has been given; 0: nothing yet */
  GError        *error;
  EsBeamReplay  *owner;        /* borrowed; main context only; NULL: it has gone */
} Shared;

struct _EsBeamReplay
{
  GObject  parent_instance;

  Shared  *shared;
  GThread *thread;
};

G_DEFINE_FINAL_TYPE (EsBeamReplay, es_beam_replay, G_TYPE_OBJECT)

static guint ended_signal;

static void
clear_shared (gpointer data)
{
  Shared *self = data;

  if (self->destroy != NULL)
    self->destroy (self->data);
  /* As a player's worker does. */
  es_unref_in_context (self->recording, self->context);
  es_array_unref (self->array);
  g_main_context_unref (self->context);
  g_clear_error (&self->error);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
}

static void
unref_shared (gpointer data)
{
  g_atomic_rc_box_release_full (data, clear_shared);
}

/* ---- the thread ---- */

static gboolean
tell_end (gpointer data)
{
  Shared *shared = data;
  g_autoptr (EsBeamReplay) owner = shared->owner != NULL ? g_object_ref (shared->owner) : NULL;

  if (owner != NULL)
    g_signal_emit (owner, ended_signal, 0, shared->error != NULL ? shared->error->message : NULL);
  return G_SOURCE_REMOVE;
}

/* With the lock held: until so many seconds of what has been given are left, or somebody quits. */
static void
wait_until_left (Shared *self, double left)
{
  const double rate = es_recording_get_rate (self->recording);
  const gint64 due = self->start + (gint64) (((self->next - self->first) / rate - left) * G_USEC_PER_SEC);

  while (!self->quit && g_get_monotonic_time () < due)
    g_cond_wait_until (&self->wake, &self->lock, due);
}

/* With the lock held. Where the machine is late, what has not been heard is heard later. */
static void
note_given (Shared *self, guint n)
{
  const double rate = es_recording_get_rate (self->recording);
  const gint64 now = g_get_monotonic_time (), before = (gint64) ((self->next - self->first) / rate * G_USEC_PER_SEC);

  if (self->start == 0 || now > self->start + before)
    self->start = now - before;
  self->next += n;
}

/* FALSE: the end, or an error. */
static gboolean
give_piece (Shared *self, EsBeamSound **sound, EsBeamAim *aim, float *samples, guint most)
{
  const double rate = es_recording_get_rate (self->recording);
  GError *error = NULL;
  guint n = 0;

  g_mutex_lock (&self->lock);
  const EsBeamAim wanted = self->aim;
  const guint64 first = self->next;
  g_mutex_unlock (&self->lock);
  if (*sound == NULL || !es_beam_aim_equal (&wanted, aim))
    {
      g_clear_pointer (sound, es_beam_sound_free);
      *sound = es_beam_sound_new (self->recording, self->array, self->shading, wanted, 0, &error);
      *aim = wanted;
    }
  if (*sound != NULL)
    {
      n = (guint) MIN ((guint64) most, self->end - first);
      if (n > 0 && es_beam_sound_read (*sound, first, n, samples, &error))
        self->take (samples, n, rate, self->data);
    }
  g_mutex_lock (&self->lock);
  if (error == NULL && n > 0)
    note_given (self, n);
  if (error == NULL)
    wait_until_left (self, n > 0 ? LEAD : 0);
  self->error = error;
  const gboolean more = !self->quit && error == NULL && n > 0;
  g_mutex_unlock (&self->lock);
  return more;
}

static gpointer
work (gpointer data)
{
  Shared *self = data;
  const guint most = (guint) MAX (PIECE * es_recording_get_rate (self->recording), 1);
  g_autofree float *samples = g_new (float, most);
  g_autoptr (GSource) source = g_idle_source_new ();
  EsBeamSound *sound = NULL;
  EsBeamAim aim = es_beam_aim_at (NAN);

  while (give_piece (self, &sound, &aim, samples, most))
    continue;
  g_clear_pointer (&sound, es_beam_sound_free);
  g_source_set_static_name (source, "[Eigenscope] replay");
  g_source_set_callback (source, tell_end, g_atomic_rc_box_acquire (self), unref_shared);
  g_source_attach (source, self->context);
  unref_shared (self);
  return NULL;
}

/* ---- the object ---- */

/* The thread is not waited for: it ends by itself, within a piece. */
static void
es_beam_replay_dispose (GObject *object)
{
  EsBeamReplay *self = ES_BEAM_REPLAY (object);

  if (self->shared != NULL)
    {
      g_mutex_lock (&self->shared->lock);
      self->shared->quit = TRUE;
      self->shared->owner = NULL;
      g_cond_broadcast (&self->shared->wake);
      g_mutex_unlock (&self->shared->lock);
      g_clear_pointer (&self->thread, g_thread_unref);
      g_clear_pointer (&self->shared, unref_shared);
    }
  G_OBJECT_CLASS (es_beam_replay_parent_class)->dispose (object);
}

static void
es_beam_replay_class_init (EsBeamReplayClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_beam_replay_dispose;
  ended_signal = g_signal_new ("ended", ES_TYPE_BEAM_REPLAY, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_STRING);
}

static void
es_beam_replay_init (EsBeamReplay *self)
{
}

EsBeamReplay *
es_beam_replay_new (EsRecording *recording, EsArray *array, EsShading shading, EsBeamAim aim, double begin, double end,
                    EsSoundTake take, gpointer data, GDestroyNotify destroy)
{
  EsBeamReplay *self = g_object_new (ES_TYPE_BEAM_REPLAY, NULL);
  const double rate = es_recording_get_rate (recording), frames = (double) es_recording_get_frames (recording);
  Shared *shared = g_atomic_rc_box_new0 (Shared);

  shared->recording = g_object_ref (recording);
  shared->array = es_array_ref (array);
  shared->shading = shading;
  shared->aim = aim;
  shared->first = shared->next = (guint64) CLAMP (floor (begin * rate + 0.5), 0, frames);
  shared->end = MAX ((guint64) CLAMP (floor (end * rate + 0.5), 0, frames), shared->first);
  shared->take = take;
  shared->data = data;
  shared->destroy = destroy;
  shared->context = g_main_context_ref_thread_default ();
  shared->owner = self;
  g_mutex_init (&shared->lock);
  g_cond_init (&shared->wake);
  self->shared = shared;
  self->thread = g_thread_new ("es-replay", work, g_atomic_rc_box_acquire (shared));
  return self;
}

void
es_beam_replay_set_aim (EsBeamReplay *self, EsBeamAim aim)
{
  g_return_if_fail (ES_IS_BEAM_REPLAY (self));

  g_mutex_lock (&self->shared->lock);
  self->shared->aim = aim;
  g_mutex_unlock (&self->shared->lock);
}

double
es_beam_replay_get_position (EsBeamReplay *self)
{
  Shared *shared = self->shared;
  const double rate = es_recording_get_rate (shared->recording);

  g_mutex_lock (&shared->lock);
  const double heard = shared->start > 0 ? (g_get_monotonic_time () - shared->start) * 1e-6 * rate : 0;
  const double frame = shared->first + CLAMP (heard, 0, (double) (shared->next - shared->first));
  g_mutex_unlock (&shared->lock);
  return frame / rate;
}
