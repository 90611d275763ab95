/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The blocks of the player's worker: formed, made audible, and handed to the main context. */

#include "es-player-worker-private.h"

#include <math.h>

#include "beam/es-beam-params-internal.h"

/* Blocks that wait for the main context. */
#define MOST_WAITING 32
/* As fast as possible: blocks between two looks at whether the program ends. */
#define RUN_BLOCKS 64
/* As fast as possible: how long a closer look waits, so that a pointer that moves does not begin everything anew,
 * microseconds. */
#define PROBE_INTERVAL 300000

static void
set_failure (EsPlayerLink *link, const char *message)
{
  g_mutex_lock (&link->lock);
  g_free (link->failure);
  link->failure = g_strdup (message);
  es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
}

/* ---- sound ---- */

static void
give_sound (EsPlayerWorker *self, guint64 frame)
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
      self->sound = es_beam_sound_new (link->recording, array, self->settings->shading, listener->aim, 0, NULL);
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
find_factor (EsPlayerWorker *self, double signal, double cost)
{
  const guint n = MIN (self->n_factor + 1, ES_PLAYER_FACTOR_BLOCKS);
  double signals = 0, costs = 0;

  self->signal[self->n_factor % ES_PLAYER_FACTOR_BLOCKS] = signal;
  self->cost[self->n_factor++ % ES_PLAYER_FACTOR_BLOCKS] = cost;
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
hand_over (EsPlayerWorker *self, EsBeamBlock *block, double cost, gboolean is_again)
{
  EsPlayerLink *link = self->link;
  const double factor = isnan (cost) ? NAN : find_factor (self, es_beam_block_get_seconds (block), cost);
  guint n;
  const EsElementHealth *health = es_beamformer_get_health (self->beamformer, &n);
  EsPlayerNews *news = g_new0 (EsPlayerNews, 1);

  news->block = es_beam_block_ref (block);
  news->is_again = is_again;
  news->archive = self->archive != NULL ? es_beam_archive_ref (self->archive) : NULL;
  if (self->archive != NULL)
    es_player_link_keep (link, self->archive, block, self->generation, TRUE, is_again);

  g_mutex_lock (&link->lock);
  while (link->news.length >= MOST_WAITING && !_es_player_worker_is_interrupted (self))
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
fail (EsPlayerWorker *self, const GError *error)
{
  EsPlayerLink *link = self->link;

  g_mutex_lock (&link->lock);
  const gboolean on_card = _es_player_worker_falls_back (self, link->device, error);
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
      _es_player_worker_drop (self);
    }
}

/* Something else is asked for, and this took long. What is not seen yet will be, formed as is asked for now. */
static gboolean
was_given_up (EsPlayerWorker *self, const GError *error, guint64 frame)
{
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return FALSE;
  self->shown = frame;
  self->has_shown = TRUE;
  return TRUE;
}

void
_es_player_worker_compute (EsPlayerWorker *self, guint64 frame, gboolean is_again, gboolean with_sound)
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
void
_es_player_worker_compute_again (EsPlayerWorker *self, gboolean playing)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsBeamBlock) block = es_beamformer_again (self->beamformer, &error);

  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fail (self, error);
  else if (block != NULL)
    hand_over (self, block, NAN, TRUE);
  /* Also while it plays: the end may be near, and whoever computes ahead waits for what is heard. */
  else if (self->has_shown)
    {
      self->next = self->shown;
      self->show = TRUE;
    }
}

static gboolean
take_of_run (EsBeamBlock *block, gpointer data, GError **error)
{
  EsPlayerWorker *self = data;
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
  more = !_es_player_worker_is_interrupted (self) && link->playing && link->speed == ES_PLAYER_FASTEST
         && (link->probe_serial == self->probe_seen || now - self->run_start < PROBE_INTERVAL);
  if (!_es_player_worker_is_interrupted (self))
    es_player_link_set_clock (link, self->next);
  g_mutex_unlock (&link->lock);
  return more;
}

void
_es_player_worker_run (EsPlayerWorker *self)
{
  EsPlayerLink *link = self->link;
  /* What is remembered is heard again when a run begins. */
  const guint64 most = RUN_BLOCKS + 16 * (guint64) es_adaptive_settings_get_memory (self->settings);
  g_autoptr (GError) error = NULL;

  g_mutex_lock (&link->lock);
  const guint64 n = MIN ((link->frames - self->next) / self->block, most);
  g_mutex_unlock (&link->lock);
  self->run_time = 0;
  self->run_start = g_get_monotonic_time ();
  self->handed_over = 0;
  if (!es_beamformer_run (self->beamformer, self->next, self->block, n, take_of_run, self, NULL, &error)
      && !was_given_up (self, error, self->next))
    fail (self, error);
}
