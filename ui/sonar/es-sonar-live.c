/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* The parameters of what is played: what changes in the panel or the bar reaches the player a moment later. */

#include "es-sonar-workspace-private.h"

#include <math.h>

#include "beam/es-beam-settings.h"
#include "operations/es-operations.h"

/* What is typed or dragged is played when it has rested so long. */
#define PARAMS_DELAY_MS 200
/* What needs no new snapshots is shown while it is dragged, so often. */
#define CHEAP_DELAY_MS 40

/* Those of the panel's operations that ask for a bearing. */
static const char * const of_bearing[] = { "lofar", "demon" };

/* ---- parameters ---- */

/* Those of the operation whose beams are played. */
static EsParams *
live_params (EsSonarWorkspace *self)
{
  return es_analyse_panel_get_params_of (_es_sonar_workspace_get_panel (self),
                                         _es_sonar_adaptive_get_live (self->adaptive));
}

/* What the array pane and the adaptive bar warn of depends on what is asked of the array. */
static void
update_checks (EsSonarWorkspace *self, EsParams *params, EsArray *array)
{
  g_autoptr (EsBeamSettings) settings = es_beam_settings_new (params, self->recording, array, NULL);
  g_autoptr (EsParams) loaded = es_params_copy (params);
  guint last;

  /* How many snapshots there are is told also where they are too few for the loading. */
  if (settings == NULL && es_param_specs_find (es_params_get_specs (loaded), "loading") != NULL)
    {
      es_params_reset_key (loaded, "loading");
      settings = es_beam_settings_new (loaded, self->recording, array, NULL);
    }
  _es_sonar_adaptive_set_settings (self->adaptive, settings, es_array_get_n_alive (array));
  if (settings == NULL)
    return;
  last = settings->cbf_bins > 0 ? settings->cbf_first + settings->cbf_bins - 1 : settings->first_bin;
  g_autofree char *angles = es_beam_settings_warn_of_angles (settings, array);
  g_autofree char *horizon = es_array_warn_of_horizon (array);
  g_autofree char *both = angles != NULL && horizon != NULL ? g_strconcat (horizon, " ", angles, NULL) : NULL;
  es_array_pane_set_remark (self->array, both != NULL ? both : horizon != NULL ? horizon : angles);
  es_array_pane_set_band (self->array, es_beam_settings_get_frequency (settings, last), settings->ranges,
                          settings->n_ranges, settings->window_length / settings->rate,
                          es_params_get_float (params, "sound-speed"));
}

static gboolean
is_readable (EsParams *params, const EsParamSpec *spec)
{
  return spec->type != ES_PARAM_TEXT || spec->check == NULL || *es_params_get_text (params, spec->key) == '\0'
         || spec->check (es_params_get_text (params, spec->key), NULL);
}

/* A text that cannot be read is said at its row, and what plays goes on as it was (NULL); unless that was of other
 * beams, which now stand under the wrong heading: then it is as if nothing were said there. Transfer full. */
static EsParams *
make_readable (EsSonarWorkspace *self, EsParams *params)
{
  g_autoptr (EsParams) copy = es_params_copy (params);
  gboolean all = TRUE;

  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (!is_readable (params, spec))
      {
        es_params_reset_key (copy, spec->key);
        all = FALSE;
      }
  if (!all && self->applied != NULL && es_params_get_specs (self->applied) == es_params_get_specs (params))
    return NULL;
  return g_steal_pointer (&copy);
}

static EsDevice *
wanted_device (EsSonarWorkspace *self)
{
  EsSession *session = es_shell_get_session (_es_sonar_workspace_get_shell (self));

  return es_device_choice_get_device (es_session_get_device_choice (session));
}

void
_es_sonar_live_apply (EsSonarWorkspace *self)
{
  EsParams *params = live_params (self);
  g_autoptr (EsArray) array = self->recording != NULL ? es_recording_get_array (self->recording) : NULL;
  g_autoptr (EsParams) readable = NULL;

  g_clear_handle_id (&self->params_source, g_source_remove);
  g_signal_group_set_target (self->live_signals, params);
  if (self->player == NULL || params == NULL || array == NULL || (readable = make_readable (self, params)) == NULL)
    return;
  params = readable;
  _es_sonar_live_update_thresholds (self);
  update_checks (self, params, array);
  g_clear_object (&self->applied);
  self->applied = g_object_ref (params);
  self->applied_device = wanted_device (self);
  es_player_set_params (self->player, es_operation_find (_es_sonar_adaptive_get_live (self->adaptive), NULL), params,
                        wanted_device (self));
}

void
_es_sonar_live_update_thresholds (EsSonarWorkspace *self)
{
  EsAnalysePanel *panel = _es_sonar_workspace_get_panel (self);
  EsResult *result = es_shown_get_result (es_workspace_get_shown (ES_WORKSPACE (self)));
  EsParams *params = result == NULL ? live_params (self)
                     : es_analyse_panel_get_operation (panel) == es_result_get_operation (result)
                     ? es_analyse_panel_get_params (panel) : es_result_get_params (result);
  EsPeakThresholds thresholds = { 0, 0, 0 };

  if (params != NULL && es_param_specs_find (es_params_get_specs (params), "peak-distance") != NULL)
    thresholds = (EsPeakThresholds) { (guint) es_params_get_int (params, "peaks"),
                                      es_params_get_float (params, "peak-range"),
                                      es_params_get_float (params, "peak-distance") };
  es_sonar_view_set_thresholds (self->view, &thresholds);
  _es_sonar_workspace_update_table (self);
}

/* Thresholds find other peaks in what there is; all else makes other beams. */
static gboolean
makes_other_beams (EsParams *params, EsParams *applied)
{
  if (applied == NULL || es_params_get_specs (params) != es_params_get_specs (applied))
    return FALSE;
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    if (spec->group != ES_PARAM_GROUP_THRESHOLDS
        && (es_param_type_is_text (spec->type)
            ? g_strcmp0 (es_params_get_text (params, spec->key), es_params_get_text (applied, spec->key)) != 0
            : es_params_get_value (params, spec->key) != es_params_get_value (applied, spec->key)))
      return TRUE;
  return FALSE;
}

static gboolean
awaits_result (EsSonarWorkspace *self)
{
  EsSession *session = es_shell_get_session (_es_sonar_workspace_get_shell (self));
  GListModel *jobs = es_session_get_jobs (session);

  for (guint i = 0; i < g_list_model_get_n_items (jobs); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (jobs, i);

      if (es_session_is_under_way (session, job) && es_job_get_dataset (job) == ES_DATASET (self->recording))
        return TRUE;
    }
  return FALSE;
}

static gboolean
apply_params_later (gpointer data)
{
  EsSonarWorkspace *self = data;
  EsParams *params = live_params (self);
  /* Who has asked for a result meanwhile stays with it, or waits for it. */
  const gboolean turns_live = self->left_result != NULL && self->left_result == es_sonar_view_get_result (self->view)
                              && !awaits_result (self);

  self->left_result = NULL;
  self->params_source = 0;
  /* The panel also tells of a device's memory, every second: nothing is formed again for that. */
  if (params == NULL || self->applied == NULL || !es_params_equal (params, self->applied)
      || self->applied_device != wanted_device (self))
    _es_sonar_live_apply (self);
  /* A result does not change: what is asked for now is seen in the recording. */
  if (turns_live && self->recording != NULL && params != NULL && self->applied != NULL
      && es_params_equal (params, self->applied))
    es_shown_set (es_workspace_get_shown (ES_WORKSPACE (self)), ES_DATASET (self->recording), NULL, NULL);
  return G_SOURCE_REMOVE;
}

/* What was heard stays, and the newest block is shown anew at once: es_player_set_params (). */
static gboolean
differs_cheaply (EsParams *params, EsParams *applied)
{
  return applied != NULL && es_params_get_specs (params) == es_params_get_specs (applied)
         && es_params_first_changed_stage (params, applied) >= ES_BEAM_STAGE_ADAPTIVE;
}

static void
apply_soon (EsSonarWorkspace *self)
{
  EsParams *params = live_params (self);
  const gboolean cheap = params != NULL && differs_cheaply (params, self->applied);

  if (self->player == NULL || !self->shown || (cheap && self->params_cheap && self->params_source != 0))
    return;
  g_clear_handle_id (&self->params_source, g_source_remove);
  self->params_cheap = cheap;
  self->params_source = g_timeout_add (cheap ? CHEAP_DELAY_MS : PARAMS_DELAY_MS, apply_params_later, self);
}

static void
on_panel_changed (EsSonarWorkspace *self)
{
  if (!self->shown)
    return;
  /* What a result was made with is looked at, and not played. */
  if (!es_analyse_panel_shows_result (_es_sonar_workspace_get_panel (self)))
    {
      EsParams *params = live_params (self);

      _es_sonar_adaptive_follow_panel (self->adaptive);
      if (params != NULL && !_es_sonar_workspace_is_live (self) && makes_other_beams (params, self->applied))
        self->left_result = es_sonar_view_get_result (self->view);
    }
  _es_sonar_live_update_thresholds (self);
  apply_soon (self);
}

/* ---- the bearing ---- */

void
_es_sonar_live_follow_bearing (EsSonarWorkspace *self)
{
  const double bearing = es_sonar_view_get_bearing (self->view);
  g_autofree char *text = NULL;
  char digits[G_ASCII_DTOSTR_BUF_SIZE];

  if (!self->shown || self->player == NULL || isnan (bearing))
    return;
  text = g_strdup (g_ascii_formatd (digits, sizeof digits, "%.6g", bearing));
  for (guint i = 0; i < G_N_ELEMENTS (of_bearing); i++)
    {
      EsParams *params = es_analyse_panel_get_params_of (_es_sonar_workspace_get_panel (self), of_bearing[i]);

      if (params != NULL && (self->bearing == NULL
                             || g_strcmp0 (es_params_get_text (params, "bearing"), self->bearing) == 0))
        es_params_set_text (params, "bearing", text);
    }
  g_free (self->bearing);
  self->bearing = g_steal_pointer (&text);
}

void
_es_sonar_live_forget_bearing (EsSonarWorkspace *self)
{
  g_clear_pointer (&self->bearing, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (of_bearing); i++)
    {
      EsParams *params = es_analyse_panel_get_params_of (_es_sonar_workspace_get_panel (self), of_bearing[i]);

      if (params != NULL)
        es_params_reset_key (params, "bearing");
    }
}

/* ---- beginning and end ---- */

void
_es_sonar_live_init (EsSonarWorkspace *self)
{
  self->live_signals = g_signal_group_new (ES_TYPE_PARAMS);
  g_signal_group_connect_swapped (self->live_signals, "changed", G_CALLBACK (apply_soon), self);
  g_signal_connect_object (_es_sonar_workspace_get_panel (self), "changed", G_CALLBACK (on_panel_changed), self,
                           G_CONNECT_SWAPPED);
}

void
_es_sonar_live_close (EsSonarWorkspace *self)
{
  g_clear_handle_id (&self->params_source, g_source_remove);
  if (_es_sonar_workspace_get_panel (self) != NULL)
    g_signal_handlers_disconnect_by_func (_es_sonar_workspace_get_panel (self), on_panel_changed, self);
  g_clear_object (&self->live_signals);
  g_clear_object (&self->applied);
  g_clear_pointer (&self->bearing, g_free);
}
