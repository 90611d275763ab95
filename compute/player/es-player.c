/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-player-object-private.h"

#include <math.h>

#include "device/es-device-internal.h"

/* How often the position is told while it moves, ms. */
#define POSITION_INTERVAL 100
/* Rows. */
#define SHORT_RECORD 8

G_DEFINE_FINAL_TYPE (EsPlayer, es_player, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

void
_es_player_notify (EsPlayer *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

/* ---- the position ---- */

static gboolean
tell_position (gpointer data)
{
  _es_player_notify (data, PROP_POSITION);
  return G_SOURCE_CONTINUE;
}

void
_es_player_update_timer (EsPlayer *self)
{
  const gboolean moves = self->playing && self->speed > 0;

  if (moves && self->position_timer == 0)
    self->position_timer = g_timeout_add (POSITION_INTERVAL, tell_position, self);
  else if (!moves)
    g_clear_handle_id (&self->position_timer, g_source_remove);
}

/* ---- the object ---- */

/* The worker is not waited for: it ends by itself, within a block, and programs that end wait for it in
 * es_devices_stop (). */
static void
es_player_dispose (GObject *object)
{
  EsPlayer *self = ES_PLAYER (object);

  g_clear_handle_id (&self->position_timer, g_source_remove);
  if (self->link != NULL)
    {
      EsPlayerListener *listener;

      g_clear_signal_handler (&self->array_handler, self->link->recording);
      g_clear_signal_handler (&self->calibration_handler, self->link->recording);
      g_clear_signal_handler (&self->frames_handler, self->link->recording);
      g_clear_signal_handler (&self->growing_handler, self->link->recording);
      if (self->worker != NULL)
        es_devices_hold ();
      if (self->ahead != NULL)
        es_devices_hold ();
      g_mutex_lock (&self->link->lock);
      self->link->quit = TRUE;
      g_atomic_int_set (&self->link->give_up, 1);
      g_atomic_int_set (&self->link->ahead_give_up, 1);
      self->link->owner = NULL;
      listener = g_steal_pointer (&self->link->listener);
      g_cond_broadcast (&self->link->wake);
      g_mutex_unlock (&self->link->lock);
      g_clear_pointer (&listener, es_player_listener_unref);
      g_clear_pointer (&self->worker, g_thread_unref);
      g_clear_pointer (&self->ahead, g_thread_unref);
      g_clear_pointer (&self->link, es_player_link_unref);
    }
  g_clear_object (&self->history);
  G_OBJECT_CLASS (es_player_parent_class)->dispose (object);
}

static void
es_player_finalize (GObject *object)
{
  EsPlayer *self = ES_PLAYER (object);

  g_queue_clear_full (&self->waiting, (GDestroyNotify) es_player_news_free);
  g_queue_clear_full (&self->ahead_waiting, (GDestroyNotify) es_player_news_free);
  g_free (self->failure);
  g_free (self->health);
  G_OBJECT_CLASS (es_player_parent_class)->finalize (object);
}

static void
es_player_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  EsPlayer *self = ES_PLAYER (object);

  switch (id)
    {
    case PROP_PLAYING:
      g_value_set_boolean (value, self->playing);
      break;
    case PROP_POSITION:
      g_value_set_double (value, es_player_get_position (self));
      break;
    case PROP_FACTOR:
      g_value_set_double (value, self->factor);
      break;
    case PROP_SPEED:
      g_value_set_double (value, self->speed);
      break;
    case PROP_LOOP:
      g_value_set_boolean (value, self->loop);
      break;
    case PROP_FAILURE:
      g_value_set_string (value, self->failure);
      break;
    case PROP_LAGGING:
      g_value_set_boolean (value, self->lagging);
      break;
    case PROP_PREPARING:
      g_value_set_boolean (value, self->preparing);
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, es_player_get_progress (self));
      break;
    case PROP_DURATION:
      g_value_set_double (value, es_player_get_duration (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_player_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  EsPlayer *self = ES_PLAYER (object);

  switch (id)
    {
    case PROP_SPEED:
      es_player_set_speed (self, g_value_get_double (value));
      break;
    case PROP_LOOP:
      es_player_set_loop (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_player_class_init (EsPlayerClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  const GParamFlags readable = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags both = readable | G_PARAM_WRITABLE;

  object_class->dispose = es_player_dispose;
  object_class->finalize = es_player_finalize;
  object_class->get_property = es_player_get_property;
  object_class->set_property = es_player_set_property;

  properties[PROP_PLAYING] = g_param_spec_boolean ("playing", NULL, NULL, FALSE, readable);
  properties[PROP_POSITION] = g_param_spec_double ("position", NULL, NULL, 0, G_MAXDOUBLE, 0, readable);
  properties[PROP_FACTOR] = g_param_spec_double ("real-time-factor", NULL, NULL, 0, G_MAXDOUBLE, 0, readable);
  properties[PROP_SPEED] = g_param_spec_double ("speed", NULL, NULL, 0, 1000, 1, both);
  properties[PROP_LOOP] = g_param_spec_boolean ("loop", NULL, NULL, FALSE, both);
  properties[PROP_FAILURE] = g_param_spec_string ("failure", NULL, NULL, NULL, readable);
  properties[PROP_LAGGING] = g_param_spec_boolean ("lagging", NULL, NULL, FALSE, readable);
  properties[PROP_PREPARING] = g_param_spec_boolean ("preparing", NULL, NULL, FALSE, readable);
  properties[PROP_DURATION] = g_param_spec_double ("duration", NULL, NULL, 0, G_MAXDOUBLE, 0, readable);
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0, readable);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
es_player_init (EsPlayer *self)
{
  self->history = es_beam_history_new (0);
  g_queue_init (&self->waiting);
  g_queue_init (&self->ahead_waiting);
  self->speed = 1;
}

/* A person has described the array anew, or what full scale is: the same beams of it. */
static void
array_changed (EsPlayer *self)
{
  g_mutex_lock (&self->link->lock);
  self->link->params_serial++;
  es_player_link_ask (self->link);
  g_mutex_unlock (&self->link->lock);
}

/* More of it has been written. */
static void
frames_changed (EsPlayer *self)
{
  EsPlayerLink *link = self->link;
  const guint64 frames = es_recording_get_frames (link->recording), before = link->frames;
  /* Files of a channel each are written one after the other: some were silent at the end. */
  const guint64 stale = MIN (link->common, before);

  link->common = es_recording_get_common_frames (link->recording);
  es_player_link_grow (link, frames, stale);
  if (stale < before)
    _es_beam_history_forget_from (self->history, stale);
  es_beam_history_set_frames (self->history, frames);
  g_mutex_lock (&link->lock);
  /* Of what was very short blocks were shorter, too. */
  if (link->n_rows <= SHORT_RECORD)
    {
      link->params_serial++;
      es_player_link_ask (link);
    }
  g_mutex_unlock (&link->lock);
  _es_player_notify (self, PROP_DURATION);
  _es_player_notify (self, PROP_PROGRESS);
}

static void
growing_changed (EsPlayer *self)
{
  g_mutex_lock (&self->link->lock);
  self->link->is_growing = es_recording_is_growing (self->link->recording);
  g_cond_broadcast (&self->link->wake);
  g_mutex_unlock (&self->link->lock);
  _es_player_notify (self, PROP_DURATION);
}

EsPlayer *
es_player_new (EsRecording *recording)
{
  EsPlayer *self = g_object_new (ES_TYPE_PLAYER, NULL);

  self->link = es_player_link_new (recording);
  self->link->owner = self;
  self->link->is_growing = es_recording_is_growing (recording);
  es_beam_history_set_frames (self->history, es_recording_get_frames (recording));
  self->array_handler = g_signal_connect_swapped (recording, "notify::array", G_CALLBACK (array_changed), self);
  self->calibration_handler = g_signal_connect_swapped (recording, "notify::calibration", G_CALLBACK (array_changed),
                                                        self);
  self->frames_handler = g_signal_connect_swapped (recording, "notify::frames", G_CALLBACK (frames_changed), self);
  self->growing_handler = g_signal_connect_swapped (recording, "notify::growing", G_CALLBACK (growing_changed), self);
  return self;
}

static void
ensure_worker (EsPlayer *self)
{
  if (self->worker == NULL)
    self->worker = g_thread_new ("es-player", es_player_work, es_player_link_ref (self->link));
}

/* ---- asking the worker ---- */

void
es_player_set_ahead (EsPlayer *self, gboolean ahead)
{
  g_mutex_lock (&self->link->lock);
  self->link->ahead = ahead != FALSE;
  g_cond_broadcast (&self->link->wake);
  g_mutex_unlock (&self->link->lock);
  if (ahead && self->ahead == NULL)
    self->ahead = g_thread_new ("es-ahead", es_player_work_ahead, es_player_link_ref (self->link));
}

void
es_player_set_view (EsPlayer *self, double first, double end)
{
  EsPlayerLink *link = self->link;

  g_mutex_lock (&link->lock);
  const guint serial = link->view_serial;
  es_player_link_set_view (link, first, end);
  /* What the history had no room for any more is wanted again. */
  for (guint row = link->view_first; link->archive != NULL && serial != link->view_serial
                                     && row < MIN (link->view_end, link->n_rows); row++)
    if (link->known[row] == link->generation && self->ahead_waiting.length == 0 && link->ahead_news.length == 0
        && es_beam_history_get_n_rows (self->history) == link->n_rows
        && !es_beam_history_is_known (self->history, row))
      link->known[row] = 0;
  g_mutex_unlock (&link->lock);
}

void
es_player_look_at (EsPlayer *self, double row)
{
  g_mutex_lock (&self->link->lock);
  es_player_link_set_focus (self->link, row);
  g_mutex_unlock (&self->link->lock);
}

double
es_player_get_progress (EsPlayer *self)
{
  const guint n = es_beam_history_get_n_rows (self->history);

  return n > 0 ? (double) es_beam_history_get_n_current (self->history) / n : 0;
}

void
es_player_set_params (EsPlayer *self, const EsOperation *operation, EsParams *params, EsDevice *device)
{
  g_autoptr (EsParams) copy = es_params_copy (params), old = NULL;

  ensure_worker (self);
  g_mutex_lock (&self->link->lock);
  old = g_steal_pointer (&self->link->params);
  self->link->params = g_steal_pointer (&copy);
  self->link->operation = operation;
  self->link->wanted = device;
  self->link->params_serial++;
  es_player_link_ask (self->link);
  g_mutex_unlock (&self->link->lock);
}

void
es_player_set_probe (EsPlayer *self, double bearing, double frequency)
{
  es_player_link_set_probe (self->link, bearing, frequency);
}

void
es_player_look_closer (EsPlayer *self, guint row, double bearing, double frequency)
{
  g_return_if_fail (ES_IS_PLAYER (self));

  es_player_link_look_closer (self->link, row, bearing, frequency);
  if (row == G_MAXUINT)
    _es_beam_history_drop_closer (self->history);
}

static void
set_playing (EsPlayer *self, gboolean playing)
{
  EsPlayerLink *link = self->link;

  g_mutex_lock (&link->lock);
  double frame = es_player_link_get_clock (link);
  if (playing && !link->playing)
    {
      /* From the end it begins again; what has failed is tried again. */
      if (frame >= link->frames && !(link->is_growing && !link->loop))
        {
          frame = 0;
          link->seek_frame = 0;
          link->seek_serial++;
        }
      if (link->failure != NULL && link->device == NULL)
        link->params_serial++;
    }
  link->playing = playing;
  es_player_link_set_clock (link, frame);
  g_cond_broadcast (&link->wake);
  g_mutex_unlock (&link->lock);

  if (self->playing == playing)
    return;
  self->playing = playing;
  _es_player_update_timer (self);
  _es_player_notify (self, PROP_PLAYING);
  _es_player_notify (self, PROP_POSITION);
}

void
es_player_play (EsPlayer *self)
{
  ensure_worker (self);
  set_playing (self, TRUE);
}

void
es_player_pause (EsPlayer *self)
{
  set_playing (self, FALSE);
}

void
es_player_seek (EsPlayer *self, double seconds)
{
  EsPlayerLink *link = self->link;
  const double frames = link->frames;  /* nobody else changes it */
  const double frame = isnan (seconds) ? 0 : CLAMP (seconds * es_recording_get_rate (link->recording), 0, frames);

  ensure_worker (self);
  g_mutex_lock (&link->lock);
  link->seek_frame = (guint64) (frame + 0.5);
  link->seek_serial++;
  es_player_link_set_clock (link, link->seek_frame);
  es_player_link_ask (link);
  g_mutex_unlock (&link->lock);
  _es_player_notify (self, PROP_POSITION);
}

void
es_player_set_speed (EsPlayer *self, double speed)
{
  g_return_if_fail (speed >= 0);

  if (speed == self->speed)
    return;
  self->speed = speed;
  g_mutex_lock (&self->link->lock);
  es_player_link_set_clock (self->link, es_player_link_get_clock (self->link));
  self->link->speed = speed;
  g_cond_broadcast (&self->link->wake);
  g_mutex_unlock (&self->link->lock);
  _es_player_update_timer (self);
  _es_player_notify (self, PROP_SPEED);
}

void
es_player_set_loop (EsPlayer *self, gboolean loop)
{
  loop = loop != FALSE;
  if (loop == self->loop)
    return;
  self->loop = loop;
  g_mutex_lock (&self->link->lock);
  self->link->loop = loop;
  g_mutex_unlock (&self->link->lock);
  _es_player_notify (self, PROP_LOOP);
}

void
es_player_set_listener (EsPlayer *self, EsBeamAim aim, EsSoundTake take, gpointer data, GDestroyNotify destroy)
{
  es_player_link_set_listener (self->link, take != NULL && !(isnan (aim.bearing) && isnan (aim.true_bearing))
                                             ? es_player_listener_new (aim, take, data, destroy) : NULL);
}

/* ---- what is ---- */

EsRecording *
es_player_get_recording (EsPlayer *self)
{
  return self->link->recording;
}

EsBeamHistory *
es_player_get_history (EsPlayer *self)
{
  return self->history;
}

EsDevice *
es_player_get_device (EsPlayer *self)
{
  return self->device;
}

gboolean
es_player_is_playing (EsPlayer *self)
{
  return self->playing;
}

double
es_player_get_position (EsPlayer *self)
{
  g_mutex_lock (&self->link->lock);
  const double frame = es_player_link_get_clock (self->link);
  g_mutex_unlock (&self->link->lock);
  return frame / es_recording_get_rate (self->link->recording);
}

double
es_player_get_duration (EsPlayer *self)
{
  return (double) self->link->frames / es_recording_get_rate (self->link->recording);
}

double
es_player_get_speed (EsPlayer *self)
{
  return self->speed;
}

double
es_player_get_real_time_factor (EsPlayer *self)
{
  return self->factor;
}

const char *
es_player_get_failure (EsPlayer *self)
{
  return self->failure;
}

const EsElementHealth *
es_player_get_health (EsPlayer *self, guint *n_elements)
{
  *n_elements = self->n_health;
  return self->health;
}
