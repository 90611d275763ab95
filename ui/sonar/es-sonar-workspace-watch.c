/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is shown may still be written: it is looked at from time to time, and its name and length say what there is. */

#include "es-sonar-workspace-private.h"

static void
update (EsSonarWorkspace *self)
{
  es_shell_update (_es_sonar_workspace_get_shell (self));
}

static void
stop (EsSonarWorkspace *self)
{
  g_signal_handlers_disconnect_by_data (self->watch, self);
  g_clear_signal_handler (&self->frames_handler, es_recording_watch_get_recording (self->watch));
  es_recording_watch_stop (self->watch);
  g_clear_object (&self->watch);
}

void
_es_sonar_workspace_watch (EsSonarWorkspace *self)
{
  if (self->watch != NULL && es_recording_watch_get_recording (self->watch) == self->recording)
    return;
  if (self->watch != NULL)
    stop (self);
  if (self->recording == NULL)
    return;
  self->watch = es_recording_watch_new (self->recording);
  g_signal_connect_swapped (self->watch, "notify::problem", G_CALLBACK (update), self);
  self->frames_handler = g_signal_connect_swapped (self->recording, "notify::frames", G_CALLBACK (update), self);
}

const char *
_es_sonar_workspace_get_problem (EsSonarWorkspace *self)
{
  return self->watch != NULL ? es_recording_watch_get_problem (self->watch) : NULL;
}
