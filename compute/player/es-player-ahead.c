/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Computes what is not played, so that the record is of the whole recording, and playing only moves through it. It has
 * a beamformer of its own on the same device, and steps back for what is heard, asked for or falls behind.
 */

#include "es-player-private.h"

#include <math.h>

#include "base/es-error.h"
#include "beam/es-beam-params-internal.h"
#include "device/es-device-internal.h"

/* Blocks that wait for the main context, and what they may take. */
#define MOST_WAITING 64
#define WAITING_BYTES ((gsize) 64 << 20)
/* Rows that cannot be read, after which the rest is not tried. */
#define MOST_UNREADABLE 20000
/* How long one run goes on before it is seen what is most wanted, and how long before what is looked at changes it,
 * µs. */
#define LONGEST_RUN 1000000
#define SHORTEST_RUN 100000
/* Who moves a slider is not disturbed, µs. */
#define REST 150000
/* How often it looks whether it may go on, µs. */
#define LOOK 100000
#define LONG_LOOK 2000000

typedef struct
{
  EsPlayerLink  *link;
  EsBeamformer  *beamformer;   /* NULL: none yet, or none can be */
  EsBeamForm    *form;
  EsBeamArchive *archive;
  EsDevice      *device;
  guint          params_seen, generation;
  gboolean       failed;       /* with these parameters */

  guint          view_seen, closer_seen, closer_generation;
  gint64         start;        /* of a run */
  guint          due;          /* row of it that comes next */
  guint          step;
  guint          n_unreadable; /* rows */
} EsPlayerAhead;

static void
drop (EsPlayerAhead *self)
{
  g_clear_pointer (&self->beamformer, es_beamformer_free);
  g_clear_pointer (&self->form, es_beam_form_unref);
  g_clear_pointer (&self->archive, es_beam_archive_unref);
}

/* ---- whether; with the lock held ---- */

/* Somebody else needs the machine, or what there is to do is not known. */
static gboolean
has_to_wait (EsPlayerAhead *self)
{
  const EsPlayerLink *link = self->link;

  return !link->ahead || link->preparing || link->device == NULL || link->form == NULL
         || link->prepared != link->params_serial || link->answered != link->asked
         || (link->playing && (link->speed == ES_PLAYER_FASTEST || link->lagging));
}

/* Somebody looks closer at a row, and has not been told of it, or of other beams. */
static gboolean
has_closer (EsPlayerAhead *self)
{
  const EsPlayerLink *link = self->link;

  return link->closer_row < link->n_rows
         && (link->closer_serial != self->closer_seen || link->generation != self->closer_generation);
}

/* All of it has been computed, and what it took is given back. */
static gboolean
is_done (EsPlayerAhead *self)
{
  guint first, step, n;

  return self->beamformer == NULL && self->params_seen == self->link->params_serial
         && (self->failed
             || (!has_closer (self) && !es_player_link_plan (self->link, FALSE, &first, &step, &n)));
}

static gboolean
has_changed (EsPlayerAhead *self)
{
  const EsPlayerLink *link = self->link;

  return link->quit || link->params_serial != self->params_seen || link->generation != self->generation;
}

/* ---- one run ---- */

static gboolean
take (EsBeamBlock *block, gpointer data, GError **error)
{
  EsPlayerAhead *self = data;
  EsPlayerLink *link = self->link;
  EsPlayerNews *news = g_new0 (EsPlayerNews, 1);
  const EsBeamSettings *settings = self->form->settings;
  const gsize bytes = (gsize) settings->n_angles * (settings->n_bins + settings->n_ranges) * sizeof (float)
                      * (settings->adaptive.on ? 3 : 1);
  const guint most = (guint) CLAMP (WAITING_BYTES / MAX (bytes, 1), 2, MOST_WAITING);
  gboolean more;

  news->block = es_beam_block_ref (block);
  news->archive = es_beam_archive_ref (self->archive);
  news->is_refill = es_player_link_keep (link, self->archive, block, self->generation, FALSE, FALSE);

  g_mutex_lock (&link->lock);
  while (link->ahead_news.length >= most && !has_changed (self))
    g_cond_wait (&link->wake, &link->lock);
  /* Whatever is asked for meanwhile, it is noted as computed; the history knows whether it is of its beams. */
  g_queue_push_tail (&link->ahead_news, news);
  es_player_link_tell (link);
  self->due += self->step;
  const gint64 past = g_get_monotonic_time () - self->start;
  more = !has_changed (self) && !has_to_wait (self) && past < LONGEST_RUN
         && ((link->view_serial == self->view_seen && !has_closer (self)) || past < SHORTEST_RUN);
  g_mutex_unlock (&link->lock);
  return more;
}

static gboolean
take_closer (EsBeamBlock *block, gpointer data, GError **error)
{
  EsPlayerAhead *self = data;
  EsPlayerNews *news = g_new0 (EsPlayerNews, 1);

  news->block = es_beam_block_ref (block);
  news->is_closer = TRUE;
  g_mutex_lock (&self->link->lock);
  g_queue_push_tail (&self->link->ahead_news, news);
  es_player_link_tell (self->link);
  g_mutex_unlock (&self->link->lock);
  return FALSE;
}

static void
fail (EsPlayerAhead *self, const GError *error)
{
  EsPlayerLink *link = self->link;
  /* One place of a file that cannot be read is not all of it. */
  const gboolean goes_on = error->domain == ES_DATA_ERROR && self->beamformer != NULL
                           && ++self->n_unreadable < MOST_UNREADABLE;

  if (!goes_on)
    {
      self->failed = TRUE;
      drop (self);
    }
  g_mutex_lock (&link->lock);
  if (goes_on && self->archive == link->archive && self->due < link->n_rows)
    {
      link->known[self->due] = self->generation;
      link->in_vain[self->due] = G_MAXUINT;
    }
  if (link->failure == NULL)
    link->failure = g_strdup (error->message);
  es_player_link_tell (link);
  g_mutex_unlock (&link->lock);
}

static void
make_beamformer (EsPlayerAhead *self, GError **error)
{
  g_autoptr (GError) local_error = NULL;

  self->beamformer = es_beamformer_new_calibrated (self->link->recording, self->form->array, self->form->settings,
                                                   self->form->calibration, self->device, NULL, &local_error);
  /* A card that has no room for two plays, and the CPU looks ahead. */
  if (self->beamformer == NULL && !es_device_is_cpu (self->device))
    {
      g_clear_error (&local_error);
      self->beamformer = es_beamformer_new_calibrated (self->link->recording, self->form->array,
                                                       self->form->settings, self->form->calibration,
                                                       es_device_get_cpu (), NULL, &local_error);
    }
  if (self->beamformer == NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  else
    es_beamformer_set_give_up (self->beamformer, &self->link->ahead_give_up);
}

static void
run (EsPlayerAhead *self, guint first, guint step, guint n)
{
  const guint64 block = self->form->settings->block;
  g_autoptr (GError) error = NULL;

  if (self->beamformer == NULL)
    make_beamformer (self, &error);
  self->start = g_get_monotonic_time ();
  self->due = first;
  self->step = step;
  if (self->beamformer != NULL
      && es_beamformer_run (self->beamformer, self->link->origin + first * block, step * block, n, take, self, NULL,
                            &error))
    return;
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fail (self, error);
}

static void
look_closer (EsPlayerAhead *self, guint row, double bearing, double frequency)
{
  g_autoptr (GError) error = NULL;

  if (self->beamformer == NULL)
    make_beamformer (self, &error);
  self->due = row;
  if (self->beamformer != NULL)
    {
      const guint64 block = self->form->settings->block;

      es_beamformer_set_probe (self->beamformer, bearing, frequency);
      es_beamformer_run (self->beamformer, self->link->origin + row * block, block, 1, take_closer, self, NULL, &error);
      es_beamformer_set_probe (self->beamformer, NAN, NAN);
    }
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fail (self, error);
}

/* With the lock held on entry and on return: what is asked for now. */
static void
follow (EsPlayerAhead *self)
{
  EsPlayerLink *link = self->link;

  if (self->params_seen != link->params_serial || self->device != link->device || self->archive != link->archive)
    {
      drop (self);
      self->failed = FALSE;
      self->n_unreadable = 0;
    }
  else if (self->generation != link->generation && self->beamformer != NULL
           && !es_beamformer_set_adaptive (self->beamformer, &link->form->settings->adaptive, NULL))
    {
      drop (self);
    }
  self->params_seen = link->params_serial;
  self->device = link->device;
  self->generation = link->generation;
  self->view_seen = link->view_serial;
  g_clear_pointer (&self->form, es_beam_form_unref);
  g_clear_pointer (&self->archive, es_beam_archive_unref);
  self->form = es_beam_form_ref (link->form);
  self->archive = es_beam_archive_ref (link->archive);
  g_atomic_int_set (&link->ahead_give_up, 0);
}

/* With the lock held on entry and on return. FALSE: nothing is left to do. */
static gboolean
go_on (EsPlayerAhead *self)
{
  EsPlayerLink *link = self->link;
  guint first, step, n;
  gboolean any;

  /* A program that ends waits for those who are inside a driver; nobody begins then. */
  g_mutex_unlock (&link->lock);
  const gboolean held = es_devices_try_hold ();
  g_mutex_lock (&link->lock);
  if (!held)
    {
      /* The driver may be gone already: what lies on a card stays there. */
      if (self->device != NULL && !es_device_is_cpu (self->device))
        self->beamformer = NULL;
      link->ahead = FALSE;
      return TRUE;
    }
  if (link->quit || has_to_wait (self))
    {
      es_devices_release ();
      return TRUE;
    }
  follow (self);
  if (!self->failed && has_closer (self))
    {
      const guint row = link->closer_row;
      const double bearing = link->closer_bearing, frequency = link->closer_frequency;

      self->closer_seen = link->closer_serial;
      self->closer_generation = link->generation;
      g_mutex_unlock (&link->lock);
      look_closer (self, row, bearing, frequency);
      es_devices_release ();
      g_mutex_lock (&link->lock);
      return TRUE;
    }
  any = !self->failed && es_player_link_plan (link, es_adaptive_settings_get_memory (self->form->settings) > 0, &first,
                                              &step, &n);
  g_mutex_unlock (&link->lock);
  if (any)
    run (self, first, step, n);
  else
    /* What it took is given back until something is asked for. */
    drop (self);
  es_devices_release ();
  g_mutex_lock (&link->lock);
  return any;
}

gpointer
es_player_work_ahead (gpointer data)
{
  EsPlayerLink *link = data;
  EsPlayerAhead self = { .link = link };

  g_mutex_lock (&link->lock);
  while (!link->quit)
    {
      const gint64 now = g_get_monotonic_time ();

      if (has_to_wait (&self))
        g_cond_wait_until (&link->wake, &link->lock, now + (link->playing ? LOOK : LONG_LOOK));
      else if (now < link->asked_time + REST)
        g_cond_wait_until (&link->wake, &link->lock, link->asked_time + REST);
      else if (is_done (&self) || !go_on (&self))
        g_cond_wait_until (&link->wake, &link->lock, now + LONG_LOOK);
    }
  g_mutex_unlock (&link->lock);
  drop (&self);
  es_player_link_unref (link);
  es_devices_release ();
  return NULL;
}
