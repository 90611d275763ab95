/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "files/es-saver.h"
#include "widgets/es-settings.h"

G_DEFINE_FINAL_TYPE (EsSonarWorkspace, es_sonar_workspace, ES_TYPE_WORKSPACE)

/* ---- the player ---- */

static void
on_failure (EsSonarWorkspace *self)
{
  es_shell_update (_es_sonar_workspace_get_shell (self));
}

static void
update_sound (EsSonarWorkspace *self)
{
  gboolean live = self->shown && _es_sonar_workspace_is_live (self);

  _es_sonar_beam_set (self->beam, live ? self->player : NULL, es_sonar_view_get_aim (self->view));
}

static void
on_bearing (EsSonarWorkspace *self)
{
  _es_sonar_replay_follow (self->replay, es_sonar_view_get_aim (self->view));
  _es_sonar_live_follow_bearing (self);
  update_sound (self);
}

/* What is played is what is shown: from a result it goes back to the recording. */
static void
on_playing (EsSonarWorkspace *self)
{
  if (es_player_is_playing (self->player))
    _es_sonar_replay_stop (self->replay);
  if (self->shown && !_es_sonar_workspace_is_live (self) && es_player_is_playing (self->player))
    {
      es_shown_set (es_workspace_get_shown (ES_WORKSPACE (self)), ES_DATASET (self->recording), NULL, NULL);
      g_object_set (self->view, "follow", TRUE, NULL);
    }
}

static void
on_position (EsSonarWorkspace *self)
{
  guint n = 0;
  const EsElementHealth *health = es_player_get_health (self->player, &n);

  es_array_pane_set_health (self->array, health, health != NULL ? n : 0);
}

static void
on_seek (EsSonarWorkspace *self, double seconds)
{
  if (self->player == NULL)
    return;
  es_player_seek (self->player, seconds);
  /* What is looked at is what is heard; in a result nothing is. */
  if (_es_sonar_workspace_is_live (self))
    g_object_set (self->view, "follow", TRUE, NULL);
}

static void
on_sought (EsSonarWorkspace *self)
{
  if (_es_sonar_workspace_is_live (self))
    g_object_set (self->view, "follow", TRUE, NULL);
}

void
_es_sonar_workspace_toggle_play (EsSonarWorkspace *self)
{
  double moment;

  if (self->player == NULL)
    return;
  if (es_player_is_playing (self->player))
    {
      es_player_pause (self->player);
      return;
    }
  /* From where somebody has pointed. */
  g_object_get (self->view, "time", &moment, NULL);
  if (isfinite (moment))
    on_seek (self, es_sonar_view_get_begin (self->view));
  es_player_play (self->player);
}

/* One a recording, made when it is first shown and has an array. */
static EsPlayer *
ensure_player (EsSonarWorkspace *self, EsRecording *recording)
{
  EsPlayer *player = g_hash_table_lookup (self->players, recording);
  g_autoptr (EsArray) array = es_recording_get_array (recording);

  if (array == NULL)
    return NULL;
  if (player == NULL)
    {
      player = es_player_new (recording);
      g_hash_table_insert (self->players, g_object_ref (recording), player);
    }
  return player;
}

static void
set_player (EsSonarWorkspace *self, EsPlayer *player)
{
  gboolean fresh = player != NULL && es_beam_history_get_n_known (es_player_get_history (player)) == 0;

  if (self->player == player)
    return;
  _es_sonar_replay_stop (self->replay);
  if (self->player != NULL)
    {
      es_player_pause (self->player);
      es_player_set_ahead (self->player, FALSE);
    }
  self->player = player;
  g_signal_group_set_target (self->player_signals, player);
  es_transport_bar_set_player (self->transport, player);
  es_sonar_view_set_player (self->view, player);
  _es_sonar_adaptive_set_player (self->adaptive, player);
  if (player == NULL)
    return;
  _es_sonar_live_apply (self);
  es_player_set_ahead (player, TRUE);
  if (self->play_next == es_player_get_recording (player))
    es_player_play (player);
  else if (fresh)
    /* Something to look at before anybody has pressed a button. */
    es_player_seek (player, 0);
}

/* ---- what is shown ---- */

static gboolean
take_focus (gpointer data)
{
  EsSonarWorkspace *self = data;
  GtkWindow *window = es_shell_get_window (_es_sonar_workspace_get_shell (self));
  GtkWidget *focus = window != NULL ? gtk_window_get_focus (window) : NULL;

  self->focus_source = 0;
  /* Whoever goes through the rows with the keys, or types, is left where they are. */
  if (self->player != NULL && (focus == NULL || GTK_IS_BUTTON (focus)
                                      || !gtk_widget_get_mapped (focus)))
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
  return G_SOURCE_REMOVE;
}

/* Once all is shown, and the dialog that opened the recording has gone: Space then plays, and opens nothing anew. */
static void
take_focus_later (EsSonarWorkspace *self)
{
  if (self->focus_source == 0)
    self->focus_source = g_idle_add_full (G_PRIORITY_LOW, take_focus, self, NULL);
}

/* A result brings its own bearings along. */
static gboolean
has_displays (EsSonarWorkspace *self)
{
  return self->player != NULL || !_es_sonar_workspace_is_live (self);
}

static void
update_pages (EsSonarWorkspace *self)
{
  gboolean displays = has_displays (self);

  gtk_stack_set_visible_child (self->middle, displays ? GTK_WIDGET (self->view) : self->empty);
  gtk_widget_set_visible (GTK_WIDGET (self->transport), self->shown && self->player != NULL);
  if (self->shown)
    es_workspace_layout (ES_WORKSPACE (self));
}

static void
on_array (EsSonarWorkspace *self)
{
  EsPlayer *player = ensure_player (self, self->recording);

  /* The same player goes on with the other array. */
  if (player != NULL && player == self->player)
    _es_sonar_live_apply (self);
  set_player (self, player);
  update_pages (self);
  take_focus_later (self);
  update_sound (self);
  es_shell_update (_es_sonar_workspace_get_shell (self));
}

static void
unref_player (gpointer player)
{
  es_player_pause (player);
  g_object_unref (player);
}

static void
ensure_widgets (EsSonarWorkspace *self)
{
  if (self->view != NULL)
    return;
  self->players = g_hash_table_new_full (NULL, NULL, g_object_unref, unref_player);
  self->view = ES_SONAR_VIEW (es_sonar_view_new ());
  self->empty = _es_sonar_workspace_make_empty ();
  self->middle = g_object_ref_sink (g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE, NULL));
  gtk_stack_add_child (self->middle, GTK_WIDGET (self->view));
  gtk_stack_add_child (self->middle, self->empty);
  _es_sonar_workspace_make_side (self);
  self->array = ES_ARRAY_PANE (es_array_pane_new ());
  self->section = g_object_ref_sink (es_section_new ("array", _("Array"), GTK_WIDGET (self->array)));
  gtk_widget_add_css_class (self->section, "es-array-section");
  self->transport = g_object_ref_sink (ES_TRANSPORT_BAR (es_transport_bar_new ()));
  g_object_bind_property (self->view, "start", self->transport, "start", G_BINDING_SYNC_CREATE);
  gtk_widget_set_hexpand (GTK_WIDGET (self->transport), TRUE);
  self->save_menu = es_workspace_load_save_menu ("es-sonar-menu");
  self->beam = _es_sonar_beam_new (_es_sonar_workspace_get_shell (self), self->view, self->transport);
  self->replay = _es_sonar_replay_new (self);
  self->adaptive = _es_sonar_adaptive_new (self);
  self->memory = _es_sonar_memory_new (self->view, es_settings_get ());
  es_workspace_bind_status (ES_WORKSPACE (self), self->view);

  self->player_signals = g_signal_group_new (ES_TYPE_PLAYER);
  g_signal_group_connect_swapped (self->player_signals, "notify::failure", G_CALLBACK (on_failure), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::playing", G_CALLBACK (on_playing), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::position", G_CALLBACK (on_position), self);
  self->recording_signals = g_signal_group_new (ES_TYPE_RECORDING);
  g_signal_group_connect_swapped (self->recording_signals, "notify::array", G_CALLBACK (on_array), self);
  g_signal_connect_object (self->view, "notify::bearing", G_CALLBACK (on_bearing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "seek", G_CALLBACK (on_seek), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->transport, "sought", G_CALLBACK (on_sought), self, G_CONNECT_SWAPPED);
  _es_sonar_live_init (self);
}

static void
hide (EsSonarWorkspace *self)
{
  if (!self->shown)
    return;
  self->shown = FALSE;
  es_array_pane_set_recording (self->array, NULL);
  g_signal_group_set_target (self->recording_signals, NULL);
  es_sonar_view_show_result (self->view, NULL);
  set_player (self, NULL);
  g_signal_group_set_target (self->live_signals, NULL);
  g_clear_object (&self->recording);
  _es_sonar_workspace_watch (self);
  update_sound (self);
  update_pages (self);
}

static gboolean
show (EsWorkspace *workspace, EsResult *replaced)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);
  EsShown *shown = es_workspace_get_shown (workspace);
  EsDataset *dataset = es_shown_get_dataset (shown);
  EsResult *result = es_shown_get_result (shown);
  EsLayer *layer = es_shown_get_layer (shown);
  /* Tables are listed beside the displays. */
  EsLayer *map = result == NULL || (layer != NULL && !ES_IS_TABLE (layer)) ? layer
                 : _es_sonar_workspace_first_map (result);
  EsRecording *recording;

  if (dataset == NULL || !ES_IS_RECORDING (dataset))
    {
      hide (self);
      return FALSE;
    }
  recording = ES_RECORDING (dataset);
  ensure_widgets (self);
  self->shown = TRUE;
  /* Whoever comes back to it has asked for it, whatever was changed before. */
  if (result != self->left_result)
    self->left_result = NULL;
  if (g_set_object (&self->recording, recording))
    {
      es_array_pane_set_recording (self->array, recording);
      g_signal_group_set_target (self->recording_signals, recording);
      _es_sonar_live_forget_bearing (self);
      set_player (self, ensure_player (self, recording));
      _es_sonar_live_follow_bearing (self);
      _es_sonar_workspace_watch (self);
      take_focus_later (self);
    }
  if (result != NULL && self->player != NULL)
    es_player_pause (self->player);
  es_sonar_view_show_result (self->view, result);
  _es_sonar_live_update_thresholds (self);
  es_sonar_view_show_layer (self->view, map);
  _es_sonar_workspace_show_table (self, result, layer);
  _es_sonar_adaptive_set_player (self->adaptive, self->player);
  update_pages (self);
  update_sound (self);
  /* Where its hydrophones are may still be on its way. */
  if (self->player != NULL || self->play_next != recording)
    self->play_next = NULL;
  return TRUE;
}

/* ---- what the window asks ---- */

static EsWorkspaceAbilities
get_abilities (EsWorkspace *workspace)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);

  /* Beams are nothing without an array. */
  if (self->player == NULL)
    return 0;
  return ES_WORKSPACE_RUNS | (_es_sonar_workspace_is_live (self) ? ES_WORKSPACE_TELLS : 0);
}

static const char *
get_failure (EsWorkspace *workspace)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);

  if (self->shown && _es_sonar_workspace_get_problem (self) != NULL)
    return _es_sonar_workspace_get_problem (self);
  return self->shown && self->player != NULL && _es_sonar_workspace_is_live (self)
         ? es_player_get_failure (self->player) : NULL;
}

static gboolean
says (EsWorkspace *workspace, const char *sentence)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);

  return self->shown && es_array_pane_says (self->array, sentence);
}

static GtkWidget *
get_middle (EsWorkspace *workspace)
{
  return GTK_WIDGET (ES_SONAR_WORKSPACE (workspace)->middle);
}

/* Without displays there is nothing yet that could stand there. */
static GtkWidget *
get_side (EsWorkspace *workspace)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);

  return has_displays (self) ? self->side : NULL;
}

static GtkWidget *
get_footer (EsWorkspace *workspace)
{
  return GTK_WIDGET (ES_SONAR_WORKSPACE (workspace)->transport);
}

static GtkWidget *
get_section (EsWorkspace *workspace)
{
  return ES_SONAR_WORKSPACE (workspace)->section;
}

static GMenuModel *
get_save_menu (EsWorkspace *workspace)
{
  return ES_SONAR_WORKSPACE (workspace)->save_menu;
}

static void
activate (EsWorkspace *workspace, const char *what)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);
  g_autofree char *name = g_strconcat ("sonar.", what, NULL);

  if (g_str_equal (what, "reset-layout"))
    {
      if (self->view != NULL)
        gtk_widget_activate_action (GTK_WIDGET (self->view), "sonar.restore", NULL);
    }
  else if (g_str_equal (what, "save"))
    es_saver_choose (es_workspace_get_shell (workspace), ES_SAVE_FIELD_HDF5, NULL);
  else if (self->view != NULL && !gtk_widget_activate_action (GTK_WIDGET (self->view), name, NULL))
    es_shell_say (es_workspace_get_shell (workspace), _("There is nothing to be saved yet."));
}

static void
prepare (EsWorkspace *workspace, EsDataset *dataset, EsOpenRequest *request)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);
  g_autofree char *text = NULL;

  if (!ES_IS_RECORDING (dataset))
    return;
  text = g_steal_pointer (&request->array);
  if (text != NULL)
    _es_sonar_array_set (es_workspace_get_shell (workspace), ES_RECORDING (dataset), text);
  if (request->play && self->recording == ES_RECORDING (dataset) && self->player != NULL)
    es_player_play (self->player);
  else if (request->play)
    self->play_next = ES_RECORDING (dataset);
  request->play = FALSE;
}

/* What was heard of it. */
static void
forget (EsWorkspace *workspace, EsDataset *dataset)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);

  if (self->players == NULL)
    return;
  if (self->player != NULL && g_hash_table_lookup (self->players, dataset) == self->player)
    set_player (self, NULL);
  g_hash_table_remove (self->players, dataset);
}

static gboolean
take_file (EsWorkspace *workspace, GFile *file)
{
  _es_sonar_array_open (es_workspace_get_shell (workspace), ES_SONAR_WORKSPACE (workspace)->recording, file);
  return TRUE;
}

static void
close_workspace (EsWorkspace *workspace)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);

  if (self->view == NULL)
    return;
  g_clear_handle_id (&self->focus_source, g_source_remove);
  g_signal_handlers_disconnect_by_data (self->view, self);
  _es_sonar_live_close (self);
  g_clear_object (&self->player_signals);
  g_clear_object (&self->recording_signals);
  g_clear_pointer (&self->memory, _es_sonar_memory_free);
  g_clear_pointer (&self->adaptive, _es_sonar_adaptive_free);
  g_clear_pointer (&self->beam, _es_sonar_beam_free);
  g_clear_pointer (&self->replay, _es_sonar_replay_free);
  es_transport_bar_set_player (self->transport, NULL);
  es_sonar_view_set_player (self->view, NULL);
  self->player = NULL;
  g_clear_pointer (&self->players, g_hash_table_unref);
  g_clear_object (&self->recording);
  _es_sonar_workspace_watch (self);
  self->shown = FALSE;
  self->view = NULL;
  g_clear_object (&self->listed);
  g_clear_object (&self->middle);
  g_clear_object (&self->side);
  g_clear_object (&self->section);
  g_clear_object (&self->transport);
  g_clear_object (&self->save_menu);
}

/* ---- the class ---- */

static void
es_sonar_workspace_dispose (GObject *object)
{
  close_workspace (ES_WORKSPACE (object));
  G_OBJECT_CLASS (es_sonar_workspace_parent_class)->dispose (object);
}

static void
es_sonar_workspace_constructed (GObject *object)
{
  G_OBJECT_CLASS (es_sonar_workspace_parent_class)->constructed (object);
  _es_sonar_keep_init (ES_SONAR_WORKSPACE (object));
}

static void
es_sonar_workspace_class_init (EsSonarWorkspaceClass *class)
{
  EsWorkspaceClass *workspace_class = ES_WORKSPACE_CLASS (class);

  G_OBJECT_CLASS (class)->constructed = es_sonar_workspace_constructed;
  G_OBJECT_CLASS (class)->dispose = es_sonar_workspace_dispose;

  _es_sonar_workspace_install_actions (workspace_class);
  /* Results of recordings have more to choose from. */
  workspace_class->data_height = 108;
  workspace_class->show = show;
  workspace_class->get_abilities = get_abilities;
  workspace_class->get_failure = get_failure;
  workspace_class->says = says;
  workspace_class->get_middle = get_middle;
  workspace_class->get_side = get_side;
  workspace_class->get_footer = get_footer;
  workspace_class->get_large = _es_sonar_workspace_get_large;
  workspace_class->get_section = get_section;
  workspace_class->get_save_menu = get_save_menu;
  workspace_class->activate = activate;
  workspace_class->prepare = prepare;
  workspace_class->forget = forget;
  workspace_class->take_file = take_file;
  workspace_class->close = close_workspace;
}

static void
es_sonar_workspace_init (EsSonarWorkspace *self)
{
}

EsSonarView *
es_sonar_workspace_get_view (EsSonarWorkspace *self)
{
  g_return_val_if_fail (ES_IS_SONAR_WORKSPACE (self), NULL);
  return self->view;
}

EsPlayer *
es_sonar_workspace_get_player (EsSonarWorkspace *self)
{
  g_return_val_if_fail (ES_IS_SONAR_WORKSPACE (self), NULL);
  return self->shown ? self->player : NULL;
}
