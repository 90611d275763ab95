/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The beam at the cursor, heard while nothing plays: over the stretch that is selected, or from the moment on. */

#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "sonar/transport/es-sound.h"
#include "player/es-beam-replay.h"

/* How often the line moves, ms. */
#define INTERVAL 100

struct _EsSonarReplay
{
  EsSonarWorkspace *workspace;       /* borrowed */
  EsBeamReplay     *replay;          /* NULL: nothing is heard */
  EsSound          *sound;
  guint             timer;           /* tells where it is */
};

static void
take (const float *samples, guint n, double rate, gpointer data)
{
  es_sound_push (data, samples, n);
}

void
_es_sonar_replay_stop (EsSonarReplay *self)
{
  if (self == NULL || self->replay == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->replay, self);
  g_signal_handlers_disconnect_by_data (self->sound, self);
  g_clear_object (&self->replay);
  g_clear_object (&self->sound);
  g_clear_handle_id (&self->timer, g_source_remove);
  es_sonar_view_set_heard (self->workspace->view, NAN);
  es_transport_bar_set_replaying (self->workspace->transport, FALSE);
}

static gboolean
tell_position (gpointer data)
{
  EsSonarReplay *self = data;

  es_sonar_view_set_heard (self->workspace->view, es_beam_replay_get_position (self->replay));
  return G_SOURCE_CONTINUE;
}

/* failure: nullable. */
static void
on_ended (EsSonarReplay *self, const char *failure)
{
  if (failure != NULL)
    es_shell_say (_es_sonar_workspace_get_shell (self->workspace), failure);
  _es_sonar_replay_stop (self);
}

static void
start (EsSonarReplay *self)
{
  EsSonarWorkspace *workspace = self->workspace;
  EsShell *shell = _es_sonar_workspace_get_shell (workspace);
  const EsBeamAim aim = es_sonar_view_get_aim (workspace->view);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsArray) array = NULL;
  EsShading shading;
  double begin, end;

  if (workspace->recording == NULL || (array = _es_sonar_workspace_dup_beam (workspace, &shading)) == NULL)
    return;
  if (isnan (aim.bearing))
    {
      es_shell_say (shell, _("Click a bearing first: the beam that points there is heard."));
      return;
    }
  if (!es_sonar_view_get_stretch (workspace->view, &begin, &end))
    {
      begin = es_sonar_view_get_begin (workspace->view);
      begin = isnan (begin) ? 0 : begin;
      end = es_recording_get_seconds (workspace->recording);
    }
  self->sound = es_sound_new (es_recording_get_rate (workspace->recording), &error);
  if (self->sound == NULL)
    {
      es_shell_say (shell, error->message);
      return;
    }
  if (workspace->player != NULL)
    es_player_pause (workspace->player);
  self->replay = es_beam_replay_new (workspace->recording, array, shading, aim, begin, end, take,
                                     g_object_ref (self->sound), g_object_unref);
  g_signal_connect_swapped (self->replay, "ended", G_CALLBACK (on_ended), self);
  g_signal_connect_swapped (self->sound, "failed", G_CALLBACK (on_ended), self);
  self->timer = g_timeout_add (INTERVAL, tell_position, self);
  es_transport_bar_set_replaying (workspace->transport, TRUE);
}

void
_es_sonar_replay_toggle (EsSonarReplay *self)
{
  if (self->replay != NULL)
    _es_sonar_replay_stop (self);
  else
    start (self);
}

void
_es_sonar_replay_follow (EsSonarReplay *self, EsBeamAim aim)
{
  if (self->replay != NULL && !isnan (aim.bearing))
    es_beam_replay_set_aim (self->replay, aim);
}

EsSonarReplay *
_es_sonar_replay_new (EsSonarWorkspace *workspace)
{
  EsSonarReplay *self = g_new0 (EsSonarReplay, 1);

  self->workspace = workspace;
  return self;
}

void
_es_sonar_replay_free (EsSonarReplay *self)
{
  _es_sonar_replay_stop (self);
  g_free (self);
}
