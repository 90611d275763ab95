/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The player's worker. It forms the beams of the block that the clock has come to; of those that it cannot keep up with
 * it leaves out whole ones instead of lagging. Whatever is asked for last is done next.
 */

#include "es-player-worker-private.h"

#include <math.h>

#include "beam/es-beam-params-internal.h"
#include "device/es-device-internal.h"

/* Blocks on time after which it is not said to lag any more. */
#define PUNCTUAL_BLOCKS 4
/* At the end of a recording that grows the clock stands still; it is set so often, us. */
#define END_LOOK 100000

gboolean
_es_player_worker_is_interrupted (EsPlayerWorker *self)
{
  const EsPlayerLink *link = self->link;

  return link->quit || link->params_serial != self->params_seen || link->seek_serial != self->seek_seen;
}

/* ---- the clock; with the lock held ---- */

/* No whole block is left. */
static void
reach_end (EsPlayerWorker *self)
{
  EsPlayerLink *link = self->link;
  const double frames = link->frames;
  const double rate = es_recording_get_rate (link->recording);

  if (link->speed > 0 && es_player_link_get_clock (link) < frames)
    {
      const double left = (frames - es_player_link_get_clock (link)) / (rate * link->speed);
      g_cond_wait_until (&link->wake, &link->lock, g_get_monotonic_time () + (gint64) (1e6 * left) + 1);
      return;
    }
  /* More is on its way: whoever plays goes on with it. */
  if (link->is_growing && !link->loop)
    {
      es_player_link_set_clock (link, frames);
      g_cond_wait_until (&link->wake, &link->lock, g_get_monotonic_time () + END_LOOK);
      return;
    }
  if (link->loop)
    {
      self->next = 0;
      es_player_link_set_clock (link, 0);
    }
  else
    {
      es_player_link_set_clock (link, frames);
      link->playing = FALSE;
    }
  es_player_link_tell (link);
}

/* TRUE: it is time for `next`. Otherwise it has waited, or found that it is late for too much. */
static gboolean
is_due (EsPlayerWorker *self)
{
  EsPlayerLink *link = self->link;
  const guint64 frames = link->frames;
  const double rate = es_recording_get_rate (link->recording);

  if (self->next > frames || frames - self->next < self->block)
    {
      reach_end (self);
      return FALSE;
    }
  if (link->speed == ES_PLAYER_FASTEST)
    return TRUE;

  const double late = es_player_link_get_clock (link) - (double) self->next;
  if (late < -0.5)
    {
      g_cond_wait_until (&link->wake, &link->lock,
                         g_get_monotonic_time () + (gint64) ceil (1e6 * -late / (rate * link->speed)));
      return FALSE;
    }
  if (late >= self->block)
    {
      self->next += (guint64) (late / self->block) * self->block;
      self->punctual = 0;
      if (!link->lagging)
        {
          link->lagging = TRUE;
          es_player_link_tell (link);
        }
      return FALSE;
    }
  if (link->lagging && ++self->punctual >= PUNCTUAL_BLOCKS)
    {
      link->lagging = FALSE;
      es_player_link_tell (link);
    }
  return TRUE;
}

/* ---- what is asked for ---- */

/* Whether the beamformer that there is can do it; then it does from now on. */
static gboolean
adapt (EsPlayerWorker *self, EsBeamSettings *settings, EsArray *array, EsDevice *wanted)
{
  g_autoptr (EsCalibration) calibration = es_recording_dup_calibration (self->link->recording);

  if (self->beamformer == NULL || settings == NULL || !settings->adaptive.on || wanted != self->wanted
      || !es_array_equal (array, self->array) || !es_calibration_equal (calibration, self->calibration)
      || !es_beam_settings_equal_but_adaptive (settings, self->settings)
      || !es_beamformer_set_adaptive (self->beamformer, &settings->adaptive, NULL))
    return FALSE;
  self->settings->adaptive = settings->adaptive;
  return TRUE;
}

/* With the lock held. The record is of the blocks of the recording, from its beginning. */
static guint64
align (EsPlayerWorker *self, guint64 frame)
{
  return self->block > 0 ? frame - frame % self->block : frame;
}

/* With the lock held on entry and on return. */
static void
take_params (EsPlayerWorker *self)
{
  EsPlayerLink *link = self->link;
  g_autoptr (EsParams) params = link->params != NULL ? g_object_ref (link->params) : NULL;
  g_autoptr (EsBeamSettings) settings = NULL;
  g_autoptr (EsArray) array = NULL;
  GError *error = NULL;
  const EsOperation *operation = link->operation;
  EsDevice *wanted = link->wanted;
  const gboolean on_cpu = link->on_cpu, playing = link->playing;

  self->params_seen = link->params_serial;
  link->on_cpu = FALSE;
  if (params == NULL)
    return;
  g_mutex_unlock (&link->lock);
  array = es_recording_get_array (link->recording);
  settings = es_beam_settings_new (params, link->recording, array, &error);
  if (!on_cpu && adapt (self, settings, array, wanted))
    {
      g_autoptr (EsBeamForm) form = es_beam_form_new_calibrated (settings, array, self->calibration);

      g_mutex_lock (&link->lock);
      es_player_link_set_form (link, form);
      self->generation = link->generation;
      g_mutex_unlock (&link->lock);
      _es_player_worker_compute_again (self, playing);
      g_mutex_lock (&link->lock);
      return;
    }
  g_mutex_lock (&link->lock);

  es_player_link_set_clock (link, es_player_link_get_clock (link));
  link->preparing = TRUE;
  es_player_link_tell (link);
  self->probe_seen = link->probe_serial;
  const double bearing = link->probe_bearing, frequency = link->probe_frequency;
  g_mutex_unlock (&link->lock);
  _es_player_worker_prepare (self, operation, params, g_steal_pointer (&settings), g_steal_pointer (&array), wanted,
                             on_cpu, bearing, frequency, error);
  g_mutex_lock (&link->lock);
  link->preparing = FALSE;
  /* The clock has stood still meanwhile. */
  es_player_link_set_clock (link, link->clock_frame);
  es_player_link_tell (link);
  /* What is seen is formed again at once. */
  if (self->has_shown)
    self->next = self->shown = align (self, self->shown);
  self->show = TRUE;
}

/* With the lock held on entry and on return. */
static void
take_probe (EsPlayerWorker *self)
{
  EsPlayerLink *link = self->link;
  const gboolean again = !link->playing && !self->show;

  self->probe_seen = link->probe_serial;
  if (self->beamformer == NULL)
    return;
  es_beamformer_set_probe (self->beamformer, link->probe_bearing, link->probe_frequency);
  if (!again)
    return;
  g_mutex_unlock (&link->lock);
  _es_player_worker_compute_again (self, FALSE);
  g_mutex_lock (&link->lock);
}

/* With the lock held on entry and on return. */
static void
go_on (EsPlayerWorker *self)
{
  EsPlayerLink *link = self->link;
  const guint64 frames = link->frames;
  const gboolean show = self->show;
  guint64 frame;

  /* The last whole block, where what is asked for is past it. */
  if (show && (self->next > frames || frames - self->next < self->block))
    self->next = frames > self->block ? frames - self->block : 0;
  self->show = FALSE;
  if (self->shown == self->next)
    self->shown = align (self, self->next);
  self->next = align (self, self->next);
  if (!show && !is_due (self))
    return;
  const gboolean fastest = link->playing && link->speed == ES_PLAYER_FASTEST && !show;
  /* What is formed again has been heard. */
  const gboolean is_again = show && self->has_shown && self->shown == self->next;
  const gboolean with_sound = link->playing && !is_again;

  frame = self->next;
  g_mutex_unlock (&link->lock);
  if (fastest)
    _es_player_worker_run (self);
  else
    {
      _es_player_worker_compute (self, frame, is_again, with_sound);
      self->next = frame + self->block;
    }
  g_mutex_lock (&link->lock);
}

gpointer
es_player_work (gpointer data)
{
  EsPlayerLink *link = data;
  EsPlayerWorker self = { .link = link };

  g_mutex_lock (&link->lock);
  while (!link->quit)
    {
      const gboolean busy = _es_player_worker_is_interrupted (&self) || link->probe_serial != self.probe_seen
                            || (self.beamformer != NULL && (link->playing || self.show));

      if (!busy)
        {
          g_cond_wait (&link->wake, &link->lock);
          continue;
        }
      link->answered = link->asked;
      g_atomic_int_set (&link->give_up, 0);
      if (link->seek_serial != self.seek_seen)
        {
          self.seek_seen = link->seek_serial;
          self.next = self.shown = align (&self, link->seek_frame);
          self.has_shown = TRUE;
          /* What is heard begins with its block. */
          if (link->playing)
            es_player_link_set_clock (link, self.next);
          self.show = !link->playing;
        }
      /* A program that ends waits for those who are inside a driver; nobody begins then. */
      g_mutex_unlock (&link->lock);
      const gboolean held = es_devices_try_hold ();
      g_mutex_lock (&link->lock);
      if (!held)
        {
          /* The driver may be gone already: what lies on a card stays there. */
          if (link->device != NULL && !es_device_is_cpu (link->device))
            self.beamformer = NULL;
          break;
        }
      if (link->params_serial != self.params_seen)
        take_params (&self);
      else if (link->probe_serial != self.probe_seen)
        take_probe (&self);
      else if (self.beamformer != NULL)
        go_on (&self);
      es_devices_release ();
    }
  g_mutex_unlock (&link->lock);

  _es_player_worker_drop (&self);
  g_free (self.notice);
  /* Of whoever asked for the end. */
  g_mutex_lock (&link->lock);
  const gboolean asked = link->quit;
  g_mutex_unlock (&link->lock);
  es_player_link_unref (link);
  if (asked)
    es_devices_release ();
  return NULL;
}
