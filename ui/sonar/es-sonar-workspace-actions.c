/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be done with a recording: actions of the window, by whatever is shown, and keys. */

#include "es-sonar-workspace-private.h"

#include "files/es-saver.h"
#include "hydrophones/es-health-dialog.h"

/* What an action needs to make sense. */
enum
{
  NEEDS_RECORDING = 1 << 0,          /* a recording, or a result of one, is shown */
  NEEDS_ARRAY = 1 << 1,              /* it is known where its hydrophones are */
  NEEDS_LIVE = 1 << 2,               /* what is shown is played, and no result */
  NEEDS_MAPS = 1 << 3,               /* the result has some */
  NEEDS_LARGE = 1 << 4,              /* a display fills the window */
};

static void
activate_play (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_workspace_toggle_play (owner);
}

static void
activate_live (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_adaptive_choose (ES_SONAR_WORKSPACE (owner)->adaptive, g_variant_get_string (parameter, NULL));
}

static void
activate_switch_live (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_adaptive_switch (ES_SONAR_WORKSPACE (owner)->adaptive);
}

static void
activate_set_live (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_adaptive_set (ES_SONAR_WORKSPACE (owner)->adaptive, g_variant_get_string (parameter, NULL));
}

static void
activate_compare_methods (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_adaptive_compare (ES_SONAR_WORKSPACE (owner)->adaptive);
}

static void
activate_describe_array (gpointer owner, const char *name, GVariant *parameter)
{
  EsSonarWorkspace *self = owner;

  if (self->recording != NULL)
    _es_sonar_array_describe (_es_sonar_workspace_get_shell (self), self->recording);
}

static void
activate_calibrate (gpointer owner, const char *name, GVariant *parameter)
{
  EsSonarWorkspace *self = owner;

  if (self->recording != NULL)
    _es_sonar_calibration_describe (_es_sonar_workspace_get_shell (self), self->recording);
}

static void
activate_undo_calibration (gpointer owner, const char *name, GVariant *parameter)
{
  EsSonarWorkspace *self = owner;

  if (self->recording != NULL)
    _es_sonar_calibration_undo (_es_sonar_workspace_get_shell (self), self->recording);
}

static void
activate_navigation (gpointer owner, const char *name, GVariant *parameter)
{
  EsSonarWorkspace *self = owner;

  if (self->recording != NULL)
    _es_sonar_navigation_describe (_es_sonar_workspace_get_shell (self), self->recording);
}

static void
activate_undo_navigation (gpointer owner, const char *name, GVariant *parameter)
{
  EsSonarWorkspace *self = owner;

  if (self->recording != NULL)
    _es_sonar_navigation_undo (_es_sonar_workspace_get_shell (self), self->recording);
}

static void
activate_array_health (gpointer owner, const char *name, GVariant *parameter)
{
  EsSonarWorkspace *self = owner;

  if (self->recording != NULL)
    gtk_window_present (GTK_WINDOW (es_health_dialog_new (es_shell_get_window (_es_sonar_workspace_get_shell (self)),
                                                          self->recording)));
}

static void
activate_open_positions (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_array_choose (owner);
}

static void
activate_save_beam (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_workspace_choose_beam (owner);
}

static void
activate_save_stretch (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_workspace_choose_stretch (owner);
}

static void
activate_replay (gpointer owner, const char *name, GVariant *parameter)
{
  _es_sonar_replay_toggle (ES_SONAR_WORKSPACE (owner)->replay);
}

/* "btr.h5": the layer's name and how. */
static void
activate_save_field (gpointer owner, const char *name, GVariant *parameter)
{
  g_auto (GStrv) parts = g_strsplit (g_variant_get_string (parameter, NULL), ".", 2);

  if (g_strv_length (parts) == 2)
    es_saver_choose (_es_sonar_workspace_get_shell (owner),
                     g_str_equal (parts[1], "csv") ? ES_SAVE_FIELD_CSV
                     : g_str_equal (parts[1], "png") ? ES_SAVE_FIELD_PNG : ES_SAVE_FIELD_HDF5, parts[0]);
}

static void
activate_save_display (gpointer owner, const char *name, GVariant *parameter)
{
  es_workspace_activate (owner, "save-data");
}

/* And back. */
static void
activate_enlarge (gpointer owner, const char *name, GVariant *parameter)
{
  es_workspace_activate (owner, g_str_equal (name, "shrink-display") ? "shrink" : "enlarge");
}

static const EsAction actions[] = {
  { "shrink-display", NULL, activate_enlarge, NEEDS_LARGE },
  { "enlarge-display", NULL, activate_enlarge, NEEDS_RECORDING | NEEDS_ARRAY },
  { "sonar-play", NULL, activate_play, NEEDS_RECORDING | NEEDS_ARRAY },
  { "live", "s", activate_live, NEEDS_LIVE, "cbf" },
  { "switch-live", NULL, activate_switch_live, NEEDS_LIVE },
  { "set-live", "s", activate_set_live, NEEDS_LIVE },
  { "compare-methods", NULL, activate_compare_methods, NEEDS_RECORDING | NEEDS_ARRAY },
  { "describe-array", NULL, activate_describe_array, NEEDS_RECORDING },
  { "calibrate", NULL, activate_calibrate, NEEDS_RECORDING },
  { "undo-calibration", NULL, activate_undo_calibration, NEEDS_RECORDING },
  { "navigation", NULL, activate_navigation, NEEDS_RECORDING },
  { "undo-navigation", NULL, activate_undo_navigation, NEEDS_RECORDING },
  { "array-health", NULL, activate_array_health, NEEDS_RECORDING | NEEDS_ARRAY },
  { "open-positions", NULL, activate_open_positions, NEEDS_RECORDING },
  { "save-field", "s", activate_save_field, NEEDS_MAPS },
  { "save-display", NULL, activate_save_display, NEEDS_RECORDING | NEEDS_ARRAY },
  { "save-beam", NULL, activate_save_beam, NEEDS_RECORDING | NEEDS_ARRAY },
  { "save-beam-stretch", NULL, activate_save_stretch, NEEDS_RECORDING | NEEDS_ARRAY },
  { "replay-beam", NULL, activate_replay, NEEDS_RECORDING | NEEDS_ARRAY },
};

static const EsWorkspaceKey keys[] = {
  { GDK_KEY_F4, 0, "win.switch-live" },
  { GDK_KEY_Escape, 0, "win.shrink-display" },
  { GDK_KEY_F11, GDK_SHIFT_MASK, "win.enlarge-display" },
  { GDK_KEY_space, GDK_SHIFT_MASK, "win.replay-beam" },
};

static gboolean
has_maps (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (es_layer_get_kind (layer) == ES_LAYER_FIELD || es_layer_get_kind (layer) == ES_LAYER_WATERFALL)
        return TRUE;
    }
  return FALSE;
}

static guint
get_met (EsWorkspace *workspace)
{
  EsSonarWorkspace *self = ES_SONAR_WORKSPACE (workspace);
  EsResult *result = es_shown_get_result (es_workspace_get_shown (workspace));
  guint met = result != NULL && has_maps (result) ? NEEDS_MAPS : 0;

  if (self->shown)
    met |= NEEDS_RECORDING | (_es_sonar_workspace_get_large (workspace) != NULL ? NEEDS_LARGE : 0);
  if (self->shown && self->player != NULL)
    met |= NEEDS_ARRAY | (result == NULL ? NEEDS_LIVE : 0);
  return met;
}

void
_es_sonar_workspace_install_actions (EsWorkspaceClass *class)
{
  class->actions = actions;
  class->n_actions = G_N_ELEMENTS (actions);
  class->keys = keys;
  class->n_keys = G_N_ELEMENTS (keys);
  class->space = "win.sonar-play";
  class->get_met = get_met;
}
