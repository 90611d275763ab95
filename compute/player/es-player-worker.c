/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * The player's worker. It forms the beams of the block that the clock has come to; of those that it cannot keep up with
 * it leaves out whole ones instead of lagging. Whatever is asked for last is done next.
 */

#include "es-player-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "beam/es-beam-params-internal.h"
#include "device/es-device-internal.h"
#include "base/es-error.h"
#include "job/es-device-choose.h"
#include "job/es-device-fallback-internal.h"

/* Blocks that wait for the main context. */
#define MOST_WAITING 32
/* Over which the real-time factor is taken. */
#define FACTOR_BLOCKS 8
/* Blocks on time after which it is not said to lag any more. */
#define PUNCTUAL_BLOCKS 4
/* As fast as possible: blocks between two looks at whether the program ends. */
#define RUN_BLOCKS 64
/* As fast as possible: how long a closer look waits, so that a pointer that moves does not begin everything anew,
 * microseconds. */
#define PROBE_INTERVAL 300000

typedef struct
{
  EsPlayerLink *link;
  EsBeamformer *beamformer;    /* NULL: it cannot be made from the parameters there are */
  EsArray      *array;
  EsBeamSettings *settings;    /* of the beamformer */
  EsDevice     *wanted;        /* as it was asked for when it was made */
  guint64       block;         /* frames */
  guint         params_seen, seek_seen, probe_seen;
  guint64       next;          /* the frame of the next block */
  guint64       shown;         /* of the last one; what is seen while paused */
  gboolean      has_shown, show;       /* show: compute `next` though nothing plays */

  /* The last blocks: seconds of signal, and what they cost */
  double        signal[FACTOR_BLOCKS], cost[FACTOR_BLOCKS];
  guint         n_factor;
  gint64        run_time, run_start;   /* when the last block of a run came, 0: none yet; and when it began */
  double        handed_over;   /* seconds that handing it over took */
  guint         punctual;

  char         *notice;        /* what became of a card; NULL */

  EsBeamSound  *sound;
  guint         sound_seen;
  float        *samples;       /* block of them */
} Worker;

/* With the lock held: something else than going on is asked for. */
static gboolean
is_interrupted (Worker *self)
{
  const EsPlayerLink *link = self->link;

  return link->quit || link->params_serial != self->params_seen || link->seek_serial != self->seek_seen;
}

static void
set_failure (EsPlayerLink *link, const char *message)
{
  g_mutex_lock (&link->lock);
  g_free (link->failure);
  link->failure = g_strdup (message);
  es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
}

/* ---- making ready ---- */

static void
drop_beamformer (Worker *self)
{
  g_clear_pointer (&self->beamformer, es_beamformer_free);
  g_clear_pointer (&self->sound, es_beam_sound_free);
  g_clear_pointer (&self->array, es_array_unref);
  g_clear_pointer (&self->settings, es_beam_settings_free);
  g_clear_pointer (&self->samples, g_free);
}

/* The operation knows what its beams cost. */
static EsDevice *
choose_device (Worker *self, const EsOperation *operation, EsParams *params, EsDevice *wanted)
{
  g_autofree char *reason = NULL;

  return wanted != NULL ? wanted
                        : es_device_choose (operation, ES_DATASET (self->link->recording), params, NULL, &reason);
}

/* Whether the CPU is to play instead of a card that is full or does not work; then that will be told. What plays can
 * neither ask nor begin anew with less memory. */
static gboolean
falls_back (Worker *self, EsDevice *device, const GError *error)
{
  if (es_device_fall_back (device, error, ES_FALLBACK_FOR_ANYTHING, NULL) != ES_FALLBACK_CPU)
    return FALSE;
  g_free (self->notice);
  self->notice = g_strdup_printf (_("The CPU computes instead. %s"), error->message);
  return TRUE;
}

static EsBeamformer *
make_beamformer (Worker *self, EsBeamSettings *settings, EsDevice **device, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  EsBeamformer *beamformer = es_beamformer_new (self->link->recording, self->array, settings, *device, NULL,
                                                &local_error);

  if (beamformer == NULL && falls_back (self, *device, local_error))
    {
      *device = es_device_get_cpu ();
      beamformer = es_beamformer_new (self->link->recording, self->array, settings, *device, NULL, error);
    }
  else if (beamformer == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  if (beamformer != NULL)
    es_beamformer_set_give_up (beamformer, &self->link->give_up);
  return beamformer;
}

/* Takes settings and array over; NULL: there are none, because of the error. */
static void
prepare (Worker *self, const EsOperation *operation, EsParams *params, EsBeamSettings *settings, EsArray *array,
         EsDevice *wanted, gboolean on_cpu, double bearing, double frequency, GError *settings_error)
{
  EsPlayerLink *link = self->link;
  g_autoptr (GError) error = settings_error;
  EsDevice *device = NULL;

  drop_beamformer (self);
  self->array = array;
  self->settings = settings;
  self->wanted = wanted;
  if (settings != NULL)
    {
      device = on_cpu ? es_device_get_cpu () : choose_device (self, operation, params, wanted);
      self->beamformer = make_beamformer (self, settings, &device, &error);
    }
  if (self->beamformer != NULL)
    {
      self->block = settings->block;
      self->n_factor = self->punctual = 0;
      es_beamformer_set_probe (self->beamformer, bearing, frequency);
    }

  g_mutex_lock (&link->lock);
  g_free (link->failure);
  link->failure = error != NULL ? g_strdup (error->message) : g_steal_pointer (&self->notice);
  link->device = self->beamformer != NULL ? device : NULL;
  if (self->beamformer != NULL)
    link->factor = 0;
  link->lagging = FALSE;
  /* Beams of other settings that nobody has seen yet. */
  g_queue_clear_full (&link->news, (GDestroyNotify) es_player_news_free);
  es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
}

/* ---- sound ---- */

static void
give_sound (Worker *self, guint64 frame)
{
  EsPlayerLink *link = self->link;
  EsPlayerListener *listener;
  guint serial;

  g_mutex_lock (&link->lock);
  listener = link->listener != NULL && link->speed > 0 ? g_atomic_rc_box_acquire (link->listener) : NULL;
  serial = link->listener_serial;
  g_mutex_unlock (&link->lock);

  if (serial != self->sound_seen)
    g_clear_pointer (&self->sound, es_beam_sound_free);
  self->sound_seen = serial;
  if (listener == NULL)
    return;
  if (self->sound == NULL)
    {
      g_autoptr (EsArray) array = es_array_with_sound_speed (self->array, self->settings->sound_speed);
      self->sound = es_beam_sound_new (link->recording, array, self->settings->shading, listener->bearing, 0, 0, NULL);
    }
  if (self->samples == NULL)
    self->samples = g_try_new (float, self->block);
  if (self->sound != NULL && self->samples != NULL
      && es_beam_sound_read (self->sound, frame, (guint) self->block, self->samples, NULL))
    listener->take (self->samples, (guint) self->block, es_recording_get_rate (link->recording), listener->data);
  es_player_listener_unref (listener);
}

/* ---- blocks ---- */

static double
find_factor (Worker *self, double signal, double cost)
{
  const guint n = MIN (self->n_factor + 1, FACTOR_BLOCKS);
  double signals = 0, costs = 0;

  self->signal[self->n_factor % FACTOR_BLOCKS] = signal;
  self->cost[self->n_factor++ % FACTOR_BLOCKS] = cost;
  for (guint i = 0; i < n; i++)
    {
      signals += self->signal[i];
      costs += self->cost[i];
    }
  return costs > 0 ? signals / costs : 0;
}

/* Who moves a slider sees what is newest. */
static void
push_news (EsPlayerLink *link, EsPlayerNews *news)
{
  EsPlayerNews *last = g_queue_peek_tail (&link->news);

  if (news->is_again && last != NULL && es_beam_block_get_frame (last->block) == es_beam_block_get_frame (news->block))
    {
      news->is_again = last->is_again;
      es_player_news_free (g_queue_pop_tail (&link->news));
    }
  g_queue_push_tail (&link->news, news);
}

/* cost: seconds; NAN: does not count. is_again: what was seen last, formed anew. */
static void
hand_over (Worker *self, EsBeamBlock *block, double cost, gboolean is_again)
{
  EsPlayerLink *link = self->link;
  const double factor = isnan (cost) ? NAN : find_factor (self, es_beam_block_get_seconds (block), cost);
  guint n;
  const EsElementHealth *health = es_beamformer_get_health (self->beamformer, &n);
  EsPlayerNews *news = g_new0 (EsPlayerNews, 1);

  news->block = es_beam_block_ref (block);
  news->is_again = is_again;
  _es_beam_levels_make (&news->levels, block);

  g_mutex_lock (&link->lock);
  while (link->news.length >= MOST_WAITING && !is_interrupted (self))
    g_cond_wait (&link->wake, &link->lock);
  /* Whatever is asked for meanwhile, this block has been heard; who begins anew clears the queue. */
  push_news (link, news);
  if (!isnan (factor))
    link->factor = factor;
  if (link->n_health != n)
    {
      g_free (link->health);
      link->health = g_new (EsElementHealth, n);
      link->n_health = n;
    }
  for (guint i = 0; i < n; i++)
    link->health[i] = health[i];
  es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
  self->shown = es_beam_block_get_frame (block);
  self->has_shown = TRUE;
}

/* What cannot be mended ends the playing. A card that fails is replaced by the CPU. */
static void
fail (Worker *self, const GError *error)
{
  EsPlayerLink *link = self->link;

  g_mutex_lock (&link->lock);
  const gboolean on_card = falls_back (self, link->device, error);
  if (on_card)
    {
      link->on_cpu = TRUE;
      link->params_serial++;
    }
  else
    {
      es_player_link_set_clock (link, es_player_link_get_clock (link));
      link->playing = FALSE;
      link->device = NULL;
    }
  es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
  if (!on_card)
    {
      set_failure (link, error->message);
      drop_beamformer (self);
    }
}

/* Something else is asked for, and this took long. What is not seen yet will be, formed as is asked for now. */
static gboolean
was_given_up (Worker *self, const GError *error, guint64 frame)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return FALSE;
  self->shown = frame;
  self->has_shown = TRUE;
  return TRUE;
}

static void
compute (Worker *self, guint64 frame, gboolean is_again, gboolean with_sound)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamBlock) block = es_beamformer_process (self->beamformer, frame, &error);

  if (block == NULL)
    {
      if (!was_given_up (self, error, frame))
        fail (self, error);
      return;
    }
  hand_over (self, block, es_beam_block_get_compute_seconds (block), is_again);
  if (with_sound)
    give_sound (self, frame);
}

/* What is seen now, with other adaptive beams or another probe. While it plays as fast as possible the next block will
 * be. */
static void
compute_again (Worker *self, gboolean playing)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamBlock) block = es_beamformer_again (self->beamformer, &error);

  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fail (self, error);
  else if (block != NULL)
    hand_over (self, block, NAN, TRUE);
  else if (!playing && self->has_shown)
    {
      self->next = self->shown;
      self->show = TRUE;
    }
}

static gboolean
take_of_run (EsBeamBlock *block, gpointer data, GError **error)
{
  Worker *self = data;
  EsPlayerLink *link = self->link;
  const gint64 now = g_get_monotonic_time ();
  const double waited = self->handed_over;
  double cost = es_beam_block_get_compute_seconds (block);
  gboolean more;

  /* Steps of neighbouring blocks overlap: what counts is how quickly blocks come, unless the main context held them
   * up. */
  if (self->run_time > 0 && waited < 0.1 * (now - self->run_time) * 1e-6)
    cost = (now - self->run_time) * 1e-6;
  hand_over (self, block, cost, FALSE);
  self->handed_over = (g_get_monotonic_time () - now) * 1e-6;
  self->run_time = now;
  self->next = es_beam_block_get_frame (block) + self->block;
  g_mutex_lock (&link->lock);
  more = !is_interrupted (self) && link->playing && link->speed == ES_PLAYER_FASTEST
         && (link->probe_serial == self->probe_seen || now - self->run_start < PROBE_INTERVAL);
  if (!is_interrupted (self))
    es_player_link_set_clock (link, self->next);
  g_mutex_unlock (&link->lock);
  return more;
}

static void
run_as_fast_as_possible (Worker *self)
{
  const guint64 frames = es_recording_get_frames (self->link->recording);
  /* What is remembered is heard again when a run begins. */
  const guint64 most = RUN_BLOCKS + 16 * (guint64) es_adaptive_settings_get_memory (self->settings);
  const guint64 n = MIN ((frames - self->next) / self->block, most);
  g_autoptr (GError) error = NULL;

  self->run_time = 0;
  self->run_start = g_get_monotonic_time ();
  self->handed_over = 0;
  if (!es_beamformer_run (self->beamformer, self->next, self->block, n, take_of_run, self, NULL, &error)
      && !was_given_up (self, error, self->next))
    fail (self, error);
}

/* ---- the clock; with the lock held ---- */

/* No whole block is left. */
static void
reach_end (Worker *self)
{
  EsPlayerLink *link = self->link;
  const double frames = es_recording_get_frames (link->recording);
  const double rate = es_recording_get_rate (link->recording);

  if (link->speed > 0 && es_player_link_get_clock (link) < frames)
    {
      const double left = (frames - es_player_link_get_clock (link)) / (rate * link->speed);
      g_cond_wait_until (&link->wake, &link->lock, g_get_monotonic_time () + (gint64) (1e6 * left) + 1);
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
is_due (Worker *self)
{
  EsPlayerLink *link = self->link;
  const guint64 frames = es_recording_get_frames (link->recording);
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
adapt (Worker *self, EsBeamSettings *settings, EsArray *array, EsDevice *wanted)
{
  if (self->beamformer == NULL || settings == NULL || !settings->adaptive.on || wanted != self->wanted
      || !es_array_equal (array, self->array) || !es_beam_settings_equal_but_adaptive (settings, self->settings)
      || !es_beamformer_set_adaptive (self->beamformer, &settings->adaptive, NULL))
    return FALSE;
  self->settings->adaptive = settings->adaptive;
  return TRUE;
}

/* With the lock held on entry and on return. */
static void
take_params (Worker *self)
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
      compute_again (self, playing);
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
  prepare (self, operation, params, g_steal_pointer (&settings), g_steal_pointer (&array), wanted, on_cpu, bearing,
           frequency, error);
  g_mutex_lock (&link->lock);
  link->preparing = FALSE;
  /* The clock has stood still meanwhile. */
  es_player_link_set_clock (link, link->clock_frame);
  es_player_link_tell (link);
  /* What is seen is formed again at once. */
  if (self->has_shown)
    self->next = self->shown;
  self->show = TRUE;
}

/* With the lock held on entry and on return. */
static void
take_probe (Worker *self)
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
  compute_again (self, FALSE);
  g_mutex_lock (&link->lock);
}

/* With the lock held on entry and on return. */
static void
go_on (Worker *self)
{
  EsPlayerLink *link = self->link;
  const guint64 frames = es_recording_get_frames (link->recording);
  const gboolean show = self->show;
  guint64 frame;

  /* The last whole block, where what is asked for is past it. */
  if (show && (self->next > frames || frames - self->next < self->block))
    self->next = frames > self->block ? frames - self->block : 0;
  self->show = FALSE;
  if (!show && !is_due (self))
    return;
  const gboolean fastest = link->playing && link->speed == ES_PLAYER_FASTEST && !show;
  /* What is formed again has been heard. */
  const gboolean is_again = show && self->has_shown && self->shown == self->next;
  const gboolean with_sound = link->playing && !is_again;

  frame = self->next;
  g_mutex_unlock (&link->lock);
  if (fastest)
    run_as_fast_as_possible (self);
  else
    {
      compute (self, frame, is_again, with_sound);
      self->next = frame + self->block;
    }
  g_mutex_lock (&link->lock);
}

gpointer
es_player_work (gpointer data)
{
  EsPlayerLink *link = data;
  Worker self = { .link = link };

  g_mutex_lock (&link->lock);
  while (!link->quit)
    {
      const gboolean busy = is_interrupted (&self) || link->probe_serial != self.probe_seen
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
          self.next = self.shown = link->seek_frame;
          self.has_shown = TRUE;
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

  drop_beamformer (&self);
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
