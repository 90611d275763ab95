/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What outlives the program of a view of a recording: where it is played, and what the cursor is at. How the displays
 * look is in the settings (es-sonar-memory.c). */

#include "es-sonar-view-private.h"
#include "es-sonar-workspace-private.h"

#include <math.h>

#include "player/es-player.h"

static void
tell_number (JsonObject *object, const char *name, double value)
{
  if (isfinite (value))
    json_object_set_double_member (object, name, value);
}

static JsonNode *
tell (gpointer owner)
{
  EsSonarWorkspace *self = owner;
  g_autoptr (JsonObject) object = NULL;

  if (!self->shown || self->view == NULL)
    return NULL;
  object = json_object_new ();
  if (self->player != NULL)
    tell_number (object, "position", es_player_get_position (self->player));
  tell_number (object, "time", es_sonar_cursor_get_time (self->view->cursor));
  tell_number (object, "bearing", es_sonar_cursor_get_bearing (self->view->cursor));
  tell_number (object, "frequency", es_sonar_cursor_get_frequency (self->view->cursor));
  return json_node_init_object (json_node_alloc (), object);
}

/* NAN: it is not there, or no number. */
static double
get_number (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) != G_TYPE_STRING
         ? json_node_get_double (node) : NAN;
}

static void
take (gpointer owner, JsonNode *told)
{
  EsSonarWorkspace *self = owner;
  JsonObject *object = JSON_NODE_HOLDS_OBJECT (told) ? json_node_get_object (told) : NULL;
  double seconds, duration, frequency;

  if (object == NULL || !self->shown || self->view == NULL)
    return;
  duration = es_recording_get_seconds (self->recording);
  seconds = get_number (object, "position");
  if (self->player != NULL && seconds > 0 && seconds < duration)
    es_player_seek (self->player, seconds);
  seconds = get_number (object, "time");
  if (seconds >= 0 && seconds < duration)
    es_sonar_cursor_set_time (self->view->cursor, seconds);
  if (fabs (get_number (object, "bearing")) <= 360)
    es_sonar_cursor_set_bearing (self->view->cursor, get_number (object, "bearing"));
  frequency = get_number (object, "frequency");
  if (frequency > 0 && frequency <= es_recording_get_rate (self->recording) / 2)
    es_sonar_cursor_set_frequency (self->view->cursor, frequency);
}

void
_es_sonar_keep_init (EsSonarWorkspace *self)
{
  static const EsShellSection section = { "sonar-view", tell, take };

  es_shell_keep (_es_sonar_workspace_get_shell (self), &section, G_OBJECT (self));
}
