/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-player-private.h"

#include <math.h>

#include "base/es-task.h"

/* What the worker is at takes longer than this, and something else is asked for: it gives up. Milliseconds. */
#define PATIENCE 400
/* Of the spectra: memory, and then a file as large as the archive thinks right. */
#define MEMORY_LIMIT (256u << 20)

EsPlayerListener *
es_player_listener_new (EsBeamAim aim, EsSoundTake take, gpointer data, GDestroyNotify destroy)
{
  EsPlayerListener *self = g_atomic_rc_box_new0 (EsPlayerListener);

  *self = (EsPlayerListener) { aim, take, data, destroy };
  return self;
}

static void
clear_listener (gpointer data)
{
  EsPlayerListener *self = data;

  if (self->destroy != NULL)
    self->destroy (self->data);
}

void
es_player_listener_unref (EsPlayerListener *self)
{
  g_atomic_rc_box_release_full (self, clear_listener);
}

void
es_player_news_free (EsPlayerNews *self)
{
  es_beam_block_unref (self->block);
  g_clear_pointer (&self->archive, es_beam_archive_unref);
  g_free (self);
}

EsPlayerLink *
es_player_link_new (EsRecording *recording)
{
  EsPlayerLink *self = g_atomic_rc_box_new0 (EsPlayerLink);

  self->recording = g_object_ref (recording);
  self->frames = es_recording_get_frames (recording);
  self->common = es_recording_get_common_frames (recording);
  self->context = g_main_context_ref_thread_default ();
  self->listen = es_player_listen;
  self->most_rows = G_MAXINT / 2;
  self->speed = 1;
  self->probe_bearing = self->probe_frequency = NAN;
  self->closer_bearing = self->closer_frequency = NAN;
  self->closer_row = G_MAXUINT;
  self->memory_limit = MEMORY_LIMIT;
  self->file_limit = G_MAXUINT64;
  self->view_serial = 1;
  self->focus = G_MAXUINT;
  g_queue_init (&self->news);
  g_queue_init (&self->ahead_news);
  g_mutex_init (&self->lock);
  g_cond_init (&self->wake);
  return self;
}

EsPlayerLink *
es_player_link_ref (EsPlayerLink *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear_link (gpointer data)
{
  EsPlayerLink *self = data;

  g_clear_object (&self->params);
  g_clear_pointer (&self->listener, es_player_listener_unref);
  g_queue_clear_full (&self->news, (GDestroyNotify) es_player_news_free);
  g_queue_clear_full (&self->ahead_news, (GDestroyNotify) es_player_news_free);
  g_clear_pointer (&self->form, es_beam_form_unref);
  g_clear_pointer (&self->archive, es_beam_archive_unref);
  g_free (self->known);
  g_free (self->in_vain);
  /* The worker may be the last here, and who looks at the recording listens to it in the context. */
  es_unref_in_context (self->recording, self->context);
  g_main_context_unref (self->context);
  g_free (self->failure);
  g_free (self->health);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->wake);
}

void
es_player_link_unref (EsPlayerLink *self)
{
  g_atomic_rc_box_release_full (self, clear_link);
}

double
es_player_link_get_clock (EsPlayerLink *self)
{
  const double end = self->frames;
  double frame = self->clock_frame;

  if (self->playing && !self->preparing && self->device != NULL && self->speed > 0)
    frame += (g_get_monotonic_time () - self->clock_time) * 1e-6 * self->speed
             * es_recording_get_rate (self->recording);
  return MIN (frame, end);
}

void
es_player_link_set_clock (EsPlayerLink *self, double frame)
{
  self->clock_frame = frame;
  self->clock_time = g_get_monotonic_time ();
}

guint64
es_player_link_find_row (EsPlayerLink *self, EsBeamBlock *block)
{
  const guint64 frame = es_beam_block_get_frame (block);

  return (frame - MIN (self->origin, frame)) / MAX (es_beam_block_get_settings (block)->block, 1);
}

void
es_player_link_tell (EsPlayerLink *self)
{
  g_autoptr (GSource) source = NULL;

  if (self->queued || self->quit)
    return;
  self->queued = TRUE;
  source = g_idle_source_new ();
  /* Behind drawing, as what is drawn is what counts. */
  g_source_set_priority (source, G_PRIORITY_DEFAULT_IDLE);
  g_source_set_static_name (source, "[Eigenscope] player");
  g_source_set_callback (source, self->listen, es_player_link_ref (self), (GDestroyNotify) es_player_link_unref);
  g_source_attach (source, self->context);
}

/* ---- asking the worker ---- */

typedef struct
{
  EsPlayerLink *link;
  guint         asked;
} Impatience;

static gboolean
lose_patience (gpointer data)
{
  const Impatience *self = data;

  g_mutex_lock (&self->link->lock);
  if ((int) (self->asked - self->link->answered) > 0)
    g_atomic_int_set (&self->link->give_up, 1);
  g_mutex_unlock (&self->link->lock);
  return G_SOURCE_REMOVE;
}

static void
impatience_free (gpointer data)
{
  Impatience *self = data;

  es_player_link_unref (self->link);
  g_free (self);
}

void
es_player_link_ask (EsPlayerLink *self)
{
  Impatience *impatience = g_new (Impatience, 1);
  g_autoptr (GSource) timer = g_timeout_source_new (PATIENCE);

  impatience->link = es_player_link_ref (self);
  impatience->asked = ++self->asked;
  self->asked_time = g_get_monotonic_time ();
  g_atomic_int_set (&self->ahead_give_up, 1);
  g_source_set_callback (timer, lose_patience, impatience, impatience_free);
  g_source_attach (timer, self->context);
  g_cond_broadcast (&self->wake);
}

void
es_player_link_set_listener (EsPlayerLink *self, EsPlayerListener *listener)
{
  EsPlayerListener *old;

  g_mutex_lock (&self->lock);
  old = self->listener;
  self->listener = listener;
  self->listener_serial++;
  g_mutex_unlock (&self->lock);
  g_clear_pointer (&old, es_player_listener_unref);
}

void
es_player_link_set_probe (EsPlayerLink *self, double bearing, double frequency)
{
  const gboolean none = isnan (bearing) || isnan (frequency);

  g_mutex_lock (&self->lock);
  if (none ? !isnan (self->probe_bearing) : bearing != self->probe_bearing || frequency != self->probe_frequency)
    {
      self->probe_bearing = none ? NAN : bearing;
      self->probe_frequency = none ? NAN : frequency;
      self->probe_serial++;
      g_cond_broadcast (&self->wake);
    }
  g_mutex_unlock (&self->lock);
}

void
es_player_link_look_closer (EsPlayerLink *self, guint row, double bearing, double frequency)
{
  g_mutex_lock (&self->lock);
  self->closer_row = row;
  self->closer_bearing = row != G_MAXUINT ? bearing : NAN;
  self->closer_frequency = row != G_MAXUINT ? frequency : NAN;
  self->closer_serial++;
  g_cond_broadcast (&self->wake);
  g_mutex_unlock (&self->lock);
}

gboolean
es_player_link_is_closer (EsPlayerLink *self, EsBeamBlock *block)
{
  const EsBeamProbe *probe = es_beam_block_get_probe (block);

  if (es_player_link_find_row (self, block) != self->closer_row)
    return FALSE;
  /* One that could not be had is none of another bearing. */
  return probe == NULL || (probe->bearing == self->closer_bearing && probe->frequency == self->closer_frequency);
}
