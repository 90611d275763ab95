/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A record of which nothing is played, and all is known but the spectra: what computes ahead does the rest. */

#include "es-beam-recall.h"

#include <math.h>

#include "device/es-device-internal.h"
#include "es-player-private.h"
#include "job/es-device-choose.h"

/* How long the main context is kept busy at once, µs. */
#define MOST_MICROSECONDS 6000

struct _EsBeamRecall
{
  GObject        parent_instance;

  EsBeamHistory *history;
  EsPlayerLink  *link;         /* NULL: nothing can be formed, or not any more */
  GThread       *thread;
};

G_DEFINE_FINAL_TYPE (EsBeamRecall, es_beam_recall, G_TYPE_OBJECT)

/* It is not waited for, as a player's worker: es_devices_stop () does. */
static void
stop (EsBeamRecall *self)
{
  EsPlayerLink *link = g_steal_pointer (&self->link);

  if (link == NULL)
    return;
  es_devices_hold ();
  g_mutex_lock (&link->lock);
  link->quit = TRUE;
  link->owner = NULL;
  g_atomic_int_set (&link->ahead_give_up, 1);
  g_cond_broadcast (&link->wake);
  g_mutex_unlock (&link->lock);
  g_clear_pointer (&self->thread, g_thread_unref);
  es_player_link_unref (link);
}

static void
es_beam_recall_dispose (GObject *object)
{
  EsBeamRecall *self = ES_BEAM_RECALL (object);

  stop (self);
  g_clear_object (&self->history);
  G_OBJECT_CLASS (es_beam_recall_parent_class)->dispose (object);
}

static void
es_beam_recall_class_init (EsBeamRecallClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_beam_recall_dispose;
}

static void
es_beam_recall_init (EsBeamRecall *self)
{
}

/* ---- what the thread tells ---- */

/* FALSE: it is at an end. */
static gboolean
take_block (EsBeamRecall *self, EsPlayerNews *news)
{
  const guint64 row = es_player_link_find_row (self->link, news->block);

  if (news->is_closer && !es_player_link_is_closer (self->link, news->block))
    {
      es_player_news_free (news);
      return TRUE;
    }
  const gboolean same = news->is_closer ? _es_beam_history_take_closer (self->history, (guint) row, news->block)
                                        : _es_beam_history_recall (self->history, (guint) row, news->block);

  es_player_news_free (news);
  if (!same)
    stop (self);
  return same;
}

static gboolean
listen (gpointer data)
{
  EsPlayerLink *link = data;
  g_autoptr (EsBeamRecall) self = link->owner != NULL ? g_object_ref (ES_BEAM_RECALL (link->owner)) : NULL;
  const gint64 start = g_get_monotonic_time ();
  g_autofree char *failure = NULL;
  EsPlayerNews *news;
  gboolean more = TRUE;

  if (self == NULL)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&link->lock);
  link->queued = FALSE;
  failure = g_steal_pointer (&link->failure);
  g_mutex_unlock (&link->lock);
  while (more && self->link != NULL && g_get_monotonic_time () - start < MOST_MICROSECONDS)
    {
      g_mutex_lock (&link->lock);
      news = g_queue_pop_head (&link->ahead_news);
      g_cond_broadcast (&link->wake);
      g_mutex_unlock (&link->lock);
      more = news != NULL && take_block (self, news);
    }
  _es_beam_history_tell (self->history);
  /* Who hears of it may have let it go. */
  if (self->link == NULL)
    return G_SOURCE_REMOVE;
  g_mutex_lock (&link->lock);
  if (link->ahead_news.length > 0)
    es_player_link_tell (link);
  const gboolean any = es_beam_archive_count (link->archive) > 0;
  g_mutex_unlock (&link->lock);
  /* One place that cannot be read is not all of it. */
  if (failure != NULL && !any)
    {
      stop (self);
      _es_beam_history_end_recall (self->history, failure);
    }
  return G_SOURCE_REMOVE;
}

/* ---- the thread ---- */

/* The result's device, or, where it is not here, the fastest. */
static gpointer
work (gpointer data)
{
  EsPlayerLink *link = data;

  if (link->wanted == NULL && es_devices_try_hold ())
    {
      g_autofree char *reason = NULL;
      EsDevice *device = es_device_choose (link->operation, ES_DATASET (link->recording), link->params, NULL, &reason);

      g_mutex_lock (&link->lock);
      link->device = device;
      g_mutex_unlock (&link->lock);
      es_devices_release ();
    }
  return es_player_work_ahead (link);
}

EsBeamRecall *
es_beam_recall_new (EsBeamHistory *history)
{
  EsBeamRecall *self = g_object_new (ES_TYPE_BEAM_RECALL, NULL);
  guint64 origin = 0;
  g_autoptr (EsBeamForm) form = _es_beam_history_begin_recall (history, &origin);
  EsPlayerLink *link;

  self->history = g_object_ref (history);
  if (form == NULL)
    return self;
  self->link = link = es_player_link_new (ES_RECORDING (es_result_get_dataset (history->result)));
  link->listen = listen;
  link->owner = self;
  link->origin = origin;
  link->most_rows = es_beam_history_get_n_rows (history);
  link->operation = es_result_get_operation (history->result);
  link->params = g_object_ref (es_result_get_params (history->result));
  link->wanted = link->device = es_result_get_device (history->result);
  g_mutex_lock (&link->lock);
  es_player_link_set_form (link, form);
  es_beam_archive_unref (link->archive);
  link->archive = es_beam_archive_ref (history->archive);
  for (guint row = 0; row < link->n_rows; row++)
    link->known[row] = link->generation;
  link->ahead = TRUE;
  g_mutex_unlock (&link->lock);
  self->thread = g_thread_new ("es-recall", work, es_player_link_ref (link));
  return self;
}

void
es_beam_recall_set_view (EsBeamRecall *self, double first, double end)
{
  if (self->link == NULL)
    return;
  g_mutex_lock (&self->link->lock);
  es_player_link_set_view (self->link, first, end);
  g_mutex_unlock (&self->link->lock);
}

void
es_beam_recall_look_at (EsBeamRecall *self, double row)
{
  if (self->link == NULL)
    return;
  g_mutex_lock (&self->link->lock);
  es_player_link_set_focus (self->link, row);
  g_mutex_unlock (&self->link->lock);
}

/* The angle nearest to a bearing. */
static guint
find_angle (const EsBeamSettings *settings, double bearing)
{
  guint best = 0;

  for (guint i = 1; i < settings->n_angles; i++)
    if (fabs (settings->angles[i] - bearing) < fabs (settings->angles[best] - bearing))
      best = i;
  return best;
}

void
es_beam_recall_look_closer (EsBeamRecall *self, double bearing, double frequency, guint row)
{
  const EsBeamSettings *settings = es_beam_history_get_settings (self->history);
  const EsBeamProbe *kept = self->history->probe;
  EsPlayerLink *link = self->link;
  gboolean any = link != NULL && !isnan (bearing) && settings->n_bins > 0;

  if (any && isnan (frequency) && row == G_MAXUINT && kept != NULL
      && find_angle (settings, kept->bearing) == find_angle (settings, bearing))
    any = FALSE;
  if (any && isnan (frequency))
    frequency = kept != NULL ? kept->frequency
                : es_beam_settings_get_frequency (settings, settings->first_bin + settings->n_bins / 2);
  if (any && row == G_MAXUINT)
    row = _es_beam_history_find_loudest (self->history, find_angle (settings, bearing));
  if (link != NULL)
    es_player_link_look_closer (link, any ? row : G_MAXUINT, bearing, frequency);
  if (!any)
    _es_beam_history_drop_closer (self->history);
}
