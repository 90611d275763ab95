/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a player hears of its workers: blocks for the history, and what changes about itself. */

#include "es-player-object-private.h"

/* How long the main context is kept busy with blocks at once. */
#define MOST_MICROSECONDS 6000
/* Whose peaks are linked between two looks at the clock. */
#define ROWS_AT_ONCE 16

static void
take_queue (GQueue *own, GQueue *news)
{
  if (own->length > 0)
    return;
  *own = *news;
  g_queue_init (news);
}

/* Copies what the worker tells, and takes the blocks that are there where it has shown those it took before. */
static void
take_news (EsPlayer *self, gboolean changed[N_PROPS])
{
  EsPlayerLink *link = self->link;

  g_mutex_lock (&link->lock);
  link->queued = FALSE;
  take_queue (&self->waiting, &link->news);
  take_queue (&self->ahead_waiting, &link->ahead_news);
  changed[PROP_FACTOR] = self->factor != link->factor;
  changed[PROP_LAGGING] = self->lagging != link->lagging;
  changed[PROP_PREPARING] = self->preparing != link->preparing;
  changed[PROP_FAILURE] = g_strcmp0 (self->failure, link->failure) != 0;
  self->factor = link->factor;
  self->lagging = link->lagging;
  self->preparing = link->preparing;
  self->device = link->device;
  if (changed[PROP_FAILURE])
    {
      g_free (self->failure);
      self->failure = g_strdup (link->failure);
    }
  if (self->waiting.length > 0 && link->n_health > 0)
    {
      if (self->n_health != link->n_health)
        {
          g_free (self->health);
          self->health = g_new (EsElementHealth, link->n_health);
          self->n_health = link->n_health;
        }
      for (guint i = 0; i < link->n_health; i++)
        self->health[i] = link->health[i];
    }
  g_cond_broadcast (&link->wake);
  g_mutex_unlock (&link->lock);
}

/* What was heard first. */
static void
take_block (EsPlayer *self, gboolean heard)
{
  EsPlayerNews *news = g_queue_pop_head (heard ? &self->waiting : &self->ahead_waiting);
  EsBeamHistory *history = self->history;
  const guint64 row = es_player_link_find_row (self->link, news->block);

  if (news->is_closer)
    {
      if (es_player_link_is_closer (self->link, news->block))
        _es_beam_history_take_closer (history, (guint) row, news->block);
      es_player_news_free (news);
      return;
    }
  _es_beam_history_take (history, news->block, news->archive, news->is_again, heard);
  if (news->is_refill && !heard)
    _es_beam_history_refill (history, (guint) row);
  /* Not of the beams that are shown (they may just be changing): it is to be computed again. */
  if (!heard && !es_beam_history_is_current (history, (guint) row))
    {
      g_mutex_lock (&self->link->lock);
      if (news->archive == self->link->archive && row < self->link->n_rows)
        self->link->known[row] = 0;
      g_mutex_unlock (&self->link->lock);
    }
  es_player_news_free (news);
}

gboolean
es_player_listen (gpointer data)
{
  EsPlayerLink *link = data;
  g_autoptr (EsPlayer) self = link->owner != NULL ? g_object_ref (ES_PLAYER (link->owner)) : NULL;
  gboolean changed[N_PROPS] = { FALSE }, more = FALSE;
  const gint64 start = g_get_monotonic_time ();

  if (self == NULL)
    return G_SOURCE_REMOVE;
  take_news (self, changed);
  /* Not more at once than a frame of the screen allows. */
  while (self->link != NULL && (self->waiting.length > 0 || self->ahead_waiting.length > 0)
         && g_get_monotonic_time () - start < MOST_MICROSECONDS)
    {
      changed[PROP_POSITION] = changed[PROP_POSITION] || self->waiting.length > 0;
      changed[PROP_PROGRESS] = TRUE;
      take_block (self, self->waiting.length > 0);
    }
  while (self->link != NULL && (more = _es_beam_history_track (self->history, ROWS_AT_ONCE))
         && g_get_monotonic_time () - start < MOST_MICROSECONDS)
    continue;
  if (self->link != NULL)
    _es_beam_history_tell (self->history);
  /* Who hears of it may have let the player go. */
  if (self->link == NULL)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&link->lock);
  /* The end is told when all that was heard is there. */
  if (self->playing != link->playing && (link->playing || (self->waiting.length == 0 && link->news.length == 0)))
    {
      changed[PROP_PLAYING] = TRUE;
      self->playing = link->playing;
    }
  /* Also of what the worker left there meanwhile: it told once, and waits. */
  if (more || self->waiting.length > 0 || self->ahead_waiting.length > 0 || link->news.length > 0
      || link->ahead_news.length > 0)
    es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
  _es_player_update_timer (self);
  g_object_freeze_notify (G_OBJECT (self));
  for (guint i = 1; i < N_PROPS; i++)
    if (changed[i] || (i == PROP_POSITION && changed[PROP_PLAYING]))
      _es_player_notify (self, i);
  g_object_thaw_notify (G_OBJECT (self));
  return G_SOURCE_REMOVE;
}
