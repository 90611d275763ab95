/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Which beams are played, the conventional or the adaptive ones: the switch above the displays, and the bar below it
 * with what adaptive beams are made with. The panel's page follows the switch, and leads it. */

#include "es-sonar-workspace-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "sonar/adaptive/es-adaptive-bar.h"
#include "sonar/adaptive/es-methods-dialog.h"
#include "result/es-operation.h"
#include "widgets/es-settings.h"
#include "widgets/es-wheel.h"

#define CONVENTIONAL "cbf"
#define ADAPTIVE "mvdr"

struct _EsSonarAdaptive
{
  EsSonarWorkspace *workspace; /* borrowed */
  EsAdaptiveBar *bar;          /* in the view */
  GtkWidget     *kinds;        /* the switch */
  const char    *live;         /* the operation that is played */
  EsPlayer      *player;       /* borrowed; nullable */
};

static EsAnalysePanel *
analyse_of (EsSonarAdaptive *self)
{
  return _es_sonar_workspace_get_panel (self->workspace);
}

static GSimpleAction *
action_of (EsSonarAdaptive *self)
{
  GtkWindow *window = es_shell_get_window (_es_sonar_workspace_get_shell (self->workspace));

  return G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (window), "live"));
}

/* ---- the switch ---- */

/* Those that look at the same sea: another way to form beams is no reason to look elsewhere. */
static void
carry_over (EsParams *from, EsParams *to)
{
  static const char * const keys[] = { "band", "angles", "sound-speed", "block", "from", "to", "lofar-bearing" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      const EsParamSpec *spec = es_param_specs_find (es_params_get_specs (from), keys[i]);
      g_autofree char *value = NULL;

      if (spec == NULL || es_param_specs_find (es_params_get_specs (to), keys[i]) == NULL)
        continue;
      value = es_params_format (from, keys[i]);
      if (es_params_is_key_default (from, keys[i]))
        es_params_reset_key (to, keys[i]);
      else
        es_params_parse (to, keys[i], value, NULL);
    }
}

static void
update_bar (EsSonarAdaptive *self)
{
  const gboolean shown = self->player != NULL && _es_sonar_workspace_is_live (self->workspace)
                         && g_str_equal (self->live, ADAPTIVE);

  gtk_widget_set_visible (GTK_WIDGET (self->bar), shown);
  es_adaptive_bar_set_params (self->bar, shown ? es_analyse_panel_get_params_of (analyse_of (self), ADAPTIVE)
                                               : NULL);
  es_adaptive_bar_set_history (self->bar, shown ? es_player_get_history (self->player) : NULL);
}

static void
set_live (EsSonarAdaptive *self, const char *live)
{
  EsAnalysePanel *analyse = analyse_of (self);
  EsParams *before = es_analyse_panel_get_params_of (analyse, self->live);
  EsParams *after = es_analyse_panel_get_params_of (analyse, live);

  if (g_str_equal (self->live, live) || after == NULL)
    return;
  self->live = g_str_equal (live, ADAPTIVE) ? ADAPTIVE : CONVENTIONAL;
  if (before != NULL)
    carry_over (before, after);
  g_simple_action_set_state (action_of (self), g_variant_new_string (self->live));
  update_bar (self);
  if (self->workspace->shown)
    _es_sonar_live_apply (self->workspace);
}

void
_es_sonar_adaptive_choose (EsSonarAdaptive *self, const char *live)
{
  if (self == NULL || (!g_str_equal (live, CONVENTIONAL) && !g_str_equal (live, ADAPTIVE)))
    return;
  set_live (self, live);
  if (g_str_equal (self->live, live))
    es_analyse_panel_set_operation (analyse_of (self), live);
}

void
_es_sonar_adaptive_switch (EsSonarAdaptive *self)
{
  if (self != NULL)
    _es_sonar_adaptive_choose (self, g_str_equal (self->live, CONVENTIONAL) ? ADAPTIVE : CONVENTIONAL);
}

void
_es_sonar_adaptive_follow_panel (EsSonarAdaptive *self)
{
  const EsOperation *operation = es_analyse_panel_get_operation (analyse_of (self));

  if (operation != NULL && (g_str_equal (operation->id, CONVENTIONAL) || g_str_equal (operation->id, ADAPTIVE)))
    set_live (self, operation->id);
}

const char *
_es_sonar_adaptive_get_live (EsSonarAdaptive *self)
{
  return self->live;
}

/* ---- making ---- */

static GtkWidget *
make_kind (const char *label, const char *target, const char *tooltip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);

  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), target);
  gtk_widget_set_tooltip_text (button, tooltip);
  es_keep_focus (button);
  return button;
}

EsSonarAdaptive *
_es_sonar_adaptive_new (EsSonarWorkspace *workspace)
{
  EsSonarAdaptive *self = g_new0 (EsSonarAdaptive, 1);
  g_autofree char *chosen = g_settings_get_string (es_settings_get (), "recording-operation");

  self->workspace = workspace;
  /* What the panel is about to begin with. */
  self->live = g_str_equal (chosen, ADAPTIVE) ? ADAPTIVE : CONVENTIONAL;
  g_simple_action_set_state (action_of (self), g_variant_new_string (self->live));
  self->kinds = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class (self->kinds, "linked");
  gtk_widget_set_valign (self->kinds, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->kinds), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Kind of beams"), -1);
  /* TRANSLATORS: conventional beamforming, as it is called for short */
  gtk_box_append (GTK_BOX (self->kinds), make_kind (_("CBF"), "win.live::" CONVENTIONAL,
                                                    _("Conventional beams alone (F4)")));
  gtk_box_append (GTK_BOX (self->kinds), make_kind (_("Adaptive"), "win.live::" ADAPTIVE,
                                                    _("Adaptive beams (MVDR) beside the conventional ones (F4)")));
  es_sonar_view_add_leading (workspace->view, self->kinds);
  self->bar = ES_ADAPTIVE_BAR (es_adaptive_bar_new ());
  gtk_widget_set_visible (GTK_WIDGET (self->bar), FALSE);
  es_sonar_view_set_strip (workspace->view, GTK_WIDGET (self->bar));
  return self;
}

void
_es_sonar_adaptive_free (EsSonarAdaptive *self)
{
  if (self == NULL)
    return;
  es_adaptive_bar_set_params (self->bar, NULL);
  es_adaptive_bar_set_history (self->bar, NULL);
  g_free (self);
}

void
_es_sonar_adaptive_set_player (EsSonarAdaptive *self, EsPlayer *player)
{
  self->player = player;
  update_bar (self);
}

void
_es_sonar_adaptive_set_settings (EsSonarAdaptive *self, const EsBeamSettings *settings, guint n_alive)
{
  es_adaptive_bar_set_settings (self->bar, settings, n_alive);
}

/* ---- what is done with the parameters by name ---- */

static gboolean
set_param (EsParams *params, const char *word, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (word, "=", 2);

  if (parts[1][0] == '\0' && es_param_specs_find (es_params_get_specs (params), parts[0]) != NULL)
    {
      es_params_reset_key (params, parts[0]);
      return TRUE;
    }
  return es_params_parse (params, parts[0], parts[1], error);
}

void
_es_sonar_adaptive_set (EsSonarAdaptive *self, const char *words)
{
  g_auto (GStrv) each = g_strsplit (words, " ", -1);

  for (guint i = 0; self != NULL && each[i] != NULL; i++)
    {
      EsParams *params = es_analyse_panel_get_params_of (analyse_of (self), self->live);
      g_autoptr (GError) error = NULL;

      if (strchr (each[i], '=') == NULL)
        _es_sonar_adaptive_choose (self, each[i]);
      else if (params != NULL && !set_param (params, each[i], &error))
        es_shell_say (_es_sonar_workspace_get_shell (self->workspace), error->message);
    }
}

/* ---- methods ---- */

static EsMethodsDialog *
find_dialog (GtkWindow *window)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *at = windows; at != NULL; at = at->next)
    if (ES_IS_METHODS_DIALOG (at->data) && gtk_window_get_transient_for (at->data) == window)
      return at->data;
  return NULL;
}

/* The block that was heard last, else that of the position. */
static guint64
frame_of (EsPlayer *player)
{
  EsBeamHistory *history = es_player_get_history (player);
  guint now;
  const double time = es_beam_history_get_now (history, &now) ? es_beam_history_get_begin (history, now)
                                                             : es_player_get_position (player);

  return (guint64) (time * es_recording_get_rate (es_player_get_recording (player)) + 0.5);
}

static void
compare (EsSonarAdaptive *self, EsPlayer *player)
{
  EsShell *shell = _es_sonar_workspace_get_shell (self->workspace);
  GtkWindow *window = es_shell_get_window (shell);
  EsParams *params = es_analyse_panel_get_params_of (analyse_of (self), ADAPTIVE);
  EsMethodsDialog *open = find_dialog (window);
  g_autoptr (EsArray) array = NULL;
  g_autoptr (EsBeamSettings) settings = NULL;
  g_autoptr (GError) error = NULL;
  EsDevice *device;

  if (params == NULL)
    return;
  array = es_recording_get_array (es_player_get_recording (player));
  settings = array != NULL ? es_beam_settings_new (params, es_player_get_recording (player), array, &error) : NULL;
  if (settings == NULL)
    {
      if (error != NULL)
        es_shell_say (shell, error->message);
      return;
    }
  /* What plays would be measured along. */
  es_player_pause (player);
  device = es_player_get_device (player);
  if (device == NULL)
    device = es_device_choice_find_device (es_session_get_device_choice (es_shell_get_session (shell)));
  if (open != NULL)
    gtk_window_destroy (GTK_WINDOW (open));
  open = ES_METHODS_DIALOG (es_methods_dialog_new (window, es_player_get_recording (player), array,
                                                   settings, device, frame_of (player)));
  gtk_window_present (GTK_WINDOW (open));
  es_methods_dialog_run (open);
}

void
_es_sonar_adaptive_compare (EsSonarAdaptive *self)
{
  EsPlayer *player = self != NULL ? es_sonar_workspace_get_player (self->workspace) : NULL;

  if (player != NULL)
    compare (self, player);
}
