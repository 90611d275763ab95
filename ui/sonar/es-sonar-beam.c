/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The beam at the cursor: heard while it plays, or saved as a whole. */

#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-file-name.h"
#include "base/es-task.h"
#include "beam/es-beam-sound.h"
#include "sonar/transport/es-sound.h"
#include "widgets/es-export.h"

/* A cursor that is dragged is followed when it has rested so long. */
#define FOLLOW_DELAY_MS 120

struct _EsSonarBeam
{
  EsShell        *shell;             /* borrowed, as the next two, from the workspace */
  EsSonarView    *view;
  EsTransportBar *transport;
  EsPlayer       *player;            /* nullable */
  EsBeamAim       aim;
  EsSound        *sound;             /* while somebody listens */
  double          rate;              /* of it */
  guint           source;
};

static void
take (const float *samples, guint n, double rate, gpointer data)
{
  es_sound_push (data, samples, n);
}

static void
stop (EsSonarBeam *self)
{
  if (self->player != NULL)
    es_player_set_listener (self->player, es_beam_aim_at (NAN), NULL, NULL, NULL);
  if (self->sound != NULL)
    g_signal_handlers_disconnect_by_data (self->sound, self);
  g_clear_object (&self->sound);
}

static void
on_failed (EsSonarBeam *self, const char *sentence)
{
  es_shell_say (self->shell, sentence);
  g_object_set (self->transport, "listening", FALSE, NULL);
}

/* Played faster it sounds higher, as a tape does; as fast as possible nobody could follow. */
static double
rate_of (EsPlayer *player)
{
  double speed = es_player_get_speed (player);

  return es_recording_get_rate (es_player_get_recording (player)) * (speed > 0 ? speed : 1);
}

static gboolean
open_sound (EsSonarBeam *self)
{
  double rate = rate_of (self->player);
  g_autoptr (GError) error = NULL;

  if (self->sound != NULL && self->rate == rate)
    return TRUE;
  stop (self);
  self->sound = es_sound_new (rate, &error);
  self->rate = rate;
  if (self->sound == NULL)
    {
      es_shell_say (self->shell, error->message);
      g_object_set (self->transport, "listening", FALSE, NULL);
      return FALSE;
    }
  g_signal_connect_swapped (self->sound, "failed", G_CALLBACK (on_failed), self);
  return TRUE;
}

/* Where no beam has been chosen the loudest is heard. */
static double
loudest_bearing (EsPlayer *player)
{
  EsBeamHistory *history = es_player_get_history (player);
  const EsBeamSettings *settings = es_beam_history_get_settings (history);
  guint best = 0, now = 0;
  const float *row = es_beam_history_get_now (history, &now) ? es_beam_history_get_row (history, now) : NULL;

  if (row == NULL || settings == NULL || settings->n_angles == 0)
    return NAN;
  for (guint i = 1; i < settings->n_angles; i++)
    if (row[i] > row[best])
      best = i;
  return settings->angles[best];
}

static void
update (EsSonarBeam *self)
{
  gboolean listening = FALSE;

  g_clear_handle_id (&self->source, g_source_remove);
  g_object_get (self->transport, "listening", &listening, NULL);
  if (!listening || self->player == NULL)
    {
      stop (self);
      return;
    }
  if (isnan (self->aim.bearing))
    {
      double loudest = loudest_bearing (self->player);

      /* Its notification brings us back here. */
      if (!isnan (loudest))
        es_sonar_view_set_bearing (self->view, loudest);
      if (isnan (self->aim.bearing))
        return;
    }
  if (!open_sound (self))
    return;
  es_sound_flush (self->sound);
  es_player_set_listener (self->player, self->aim, take, g_object_ref (self->sound), g_object_unref);
}

static gboolean
update_later (gpointer data)
{
  EsSonarBeam *self = data;

  self->source = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

EsSonarBeam *
_es_sonar_beam_new (EsShell *shell, EsSonarView *view, EsTransportBar *transport)
{
  EsSonarBeam *self = g_new0 (EsSonarBeam, 1);
  g_autofree char *why = NULL;
  gboolean possible = es_sound_is_possible (&why);

  self->shell = shell;
  self->view = view;
  self->transport = transport;
  self->aim = es_beam_aim_at (NAN);
  es_transport_bar_set_sound (transport, possible, why);
  g_signal_connect_swapped (transport, "notify::listening", G_CALLBACK (update), self);
  return self;
}

void
_es_sonar_beam_free (EsSonarBeam *self)
{
  if (self == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->transport, self);
  _es_sonar_beam_set (self, NULL, es_beam_aim_at (NAN));
  stop (self);
  g_clear_handle_id (&self->source, g_source_remove);
  g_free (self);
}

void
_es_sonar_beam_set (EsSonarBeam *self, EsPlayer *player, EsBeamAim aim)
{
  if (player != self->player)
    {
      stop (self);
      if (self->player != NULL)
        g_signal_handlers_disconnect_by_data (self->player, self);
      g_set_object (&self->player, player);
      if (player != NULL)
        g_signal_connect_swapped (player, "notify::speed", G_CALLBACK (update), self);
      self->aim = aim;
      update (self);
    }
  else if (!es_beam_aim_equal (&aim, &self->aim))
    {
      self->aim = aim;
      g_clear_handle_id (&self->source, g_source_remove);
      self->source = g_timeout_add (FOLLOW_DELAY_MS, update_later, self);
    }
}

/* ---- saved ---- */

typedef struct
{
  EsShell     *shell;
  EsActivity  *activity;
  EsRecording *recording;
  EsArray     *array;
  EsShading    shading;
  EsBeamAim    aim;
  guint64      first, n;           /* frames */
  GFile       *target;
  gboolean     has_gaps;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;

  g_object_unref (saving->shell);
  g_object_unref (saving->activity);
  g_object_unref (saving->recording);
  es_array_unref (saving->array);
  g_object_unref (saving->target);
  g_free (saving);
}

static void
save_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Saving *saving = data;
  GError *error = NULL;
  g_autoptr (EsBeamSound) sound = es_beam_sound_new (saving->recording, saving->array, saving->shading,
                                                     saving->aim, 0, &error);

  if (sound != NULL
      && es_beam_sound_save (sound, saving->first, saving->n, saving->target,
                             es_activity_report, saving->activity, cancellable, &error))
    {
      saving->has_gaps = es_beam_sound_has_gaps (sound);
      g_task_return_boolean (task, TRUE);
    }
  else
    g_task_return_error (task, error);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  Saving *saving = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  gboolean saved = g_task_propagate_boolean (G_TASK (result), &error);

  es_shell_end_saving (saving->shell, saving->activity, saved ? saving->target : NULL, error);
  if (saved && saving->has_gaps)
    es_shell_say (saving->shell, _("The beam is saved. It is silent where no heading of the array is told."));
  else if (saved)
    es_shell_say (saving->shell,
                  _("The beam is saved as loud as it is in the recording, as float32: 1 is full scale."));
}

EsArray *
_es_sonar_workspace_dup_beam (EsSonarWorkspace *self, EsShading *shading)
{
  g_autoptr (EsArray) array = self->recording != NULL ? es_recording_get_array (self->recording) : NULL;
  EsParams *params = self->adaptive != NULL
                     ? es_analyse_panel_get_params_of (_es_sonar_workspace_get_panel (self),
                                                       _es_sonar_adaptive_get_live (self->adaptive)) : NULL;
  /* Adaptive beams have none. */
  const gboolean shades = params != NULL && es_param_specs_find (es_params_get_specs (params), "shading") != NULL;
  const double speed = params != NULL ? es_params_get_float (params, "sound-speed") : 0;

  *shading = shades ? (EsShading) es_params_get_choice (params, "shading") : ES_SHADING_NONE;
  return array != NULL && speed > 0 ? es_array_with_sound_speed (array, speed) : g_steal_pointer (&array);
}

static void
save_frames (EsSonarWorkspace *self, EsBeamAim aim, guint64 first, guint64 n, GFile *target)
{
  EsShell *shell = _es_sonar_workspace_get_shell (self);
  EsShading shading;
  EsArray *array = _es_sonar_workspace_dup_beam (self, &shading);
  g_autoptr (GTask) task = NULL;
  Saving *saving;

  if (array == NULL)
    return;
  saving = g_new0 (Saving, 1);
  saving->shell = g_object_ref (shell);
  saving->activity = g_object_ref (es_shell_begin_saving (shell, target));
  saving->recording = g_object_ref (self->recording);
  saving->array = array;
  saving->shading = shading;
  saving->aim = aim;
  saving->first = first;
  saving->n = n;
  saving->target = g_object_ref (target);
  task = g_task_new (NULL, es_activity_get_cancellable (saving->activity), on_saved, NULL);
  g_task_set_source_tag (task, save_frames);
  g_task_set_task_data (task, saving, saving_free);
  g_task_set_check_cancellable (task, FALSE);
  es_task_run_in_thread (task, save_in_thread);
}

void
es_sonar_workspace_save_beam (EsSonarWorkspace *self, EsBeamAim aim, GFile *target)
{
  if (self->recording != NULL)
    save_frames (self, aim, 0, es_recording_get_frames (self->recording), target);
}

void
es_sonar_workspace_save_stretch (EsSonarWorkspace *self, EsBeamAim aim, double begin, double end, GFile *target)
{
  const double frames = self->recording != NULL ? (double) es_recording_get_frames (self->recording) : 0;
  const double rate = self->recording != NULL ? es_recording_get_rate (self->recording) : 1;
  const guint64 first = (guint64) CLAMP (floor (begin * rate + 0.5), 0, frames);
  const guint64 last = (guint64) CLAMP (floor (end * rate + 0.5), 0, frames);

  if (last > first)
    save_frames (self, aim, first, last - first, target);
}

static void
save_beam_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsSonarWorkspace *self = user_data;
  const EsBeamAim aim = self->view != NULL ? es_sonar_view_get_aim (self->view) : es_beam_aim_at (NAN);

  if (!isnan (aim.bearing))
    es_sonar_workspace_save_beam (self, aim, file);
}

/* Of the stretch that is selected when the file is. */
static void
save_stretch_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsSonarWorkspace *self = user_data;
  const EsBeamAim aim = self->view != NULL ? es_sonar_view_get_aim (self->view) : es_beam_aim_at (NAN);
  double begin, end;

  if (!isnan (aim.bearing) && es_sonar_view_get_stretch (self->view, &begin, &end))
    es_sonar_workspace_save_stretch (self, aim, begin, end, file);
}

/* "60", of what is followed "true-200". */
static char *
format_aim (EsBeamAim aim)
{
  return isnan (aim.true_bearing) ? g_strdup_printf ("%.0f", aim.bearing)
                                  : g_strdup_printf ("true-%.0f", aim.true_bearing);
}

void
_es_sonar_workspace_choose_stretch (EsSonarWorkspace *self)
{
  EsShell *shell = _es_sonar_workspace_get_shell (self);
  g_autofree char *stem = NULL, *name = NULL, *where = NULL;
  EsBeamAim aim;
  double begin, end;

  if (es_sonar_workspace_get_player (self) == NULL)
    return;
  aim = es_sonar_view_get_aim (self->view);
  if (isnan (aim.bearing))
    es_shell_say (shell, _("Click a bearing first: the beam that points there is saved."));
  else if (!es_sonar_view_get_stretch (self->view, &begin, &end))
    es_shell_say (shell, _("Draw a rectangle with Shift held in the bearing-time record or the LOFARgram first: its "
                           "time is saved."));
  else
    {
      stem = es_file_name_stem (es_dataset_get_name (ES_DATASET (self->recording)), NULL);
      where = format_aim (aim);
      name = g_strdup_printf ("%s-beam-%s-%.0fs-%.0fs", stem, where, begin, end);
      es_export_ask_file (GTK_WIDGET (es_shell_get_window (shell)), _("Save the Beam"), name, "wav", save_stretch_to,
                          self);
    }
}

void
_es_sonar_workspace_choose_beam (EsSonarWorkspace *self)
{
  EsShell *shell = _es_sonar_workspace_get_shell (self);
  g_autofree char *stem = NULL, *name = NULL, *where = NULL;
  EsBeamAim aim;

  if (es_sonar_workspace_get_player (self) == NULL)
    return;
  aim = es_sonar_view_get_aim (self->view);
  if (isnan (aim.bearing))
    {
      es_shell_say (shell, _("Click a bearing first: the beam that points there is saved."));
      return;
    }
  stem = es_file_name_stem (es_dataset_get_name (ES_DATASET (self->recording)), NULL);
  where = format_aim (aim);
  name = g_strdup_printf ("%s-beam-%s", stem, where);
  es_export_ask_file (GTK_WIDGET (es_shell_get_window (shell)), _("Save the Beam"), name, "wav", save_beam_to, self);
}
