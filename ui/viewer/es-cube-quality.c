/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What the person does in the inspector: a threshold that is dragged, components that are switched, regions that become
 * parameters; and the results that follow it. */

#include "es-cube-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "inspector/es-inspector.h"
#include "result/es-operation.h"
#include "files/es-region-store.h"
#include "files/es-selection-store.h"

static EsInspector *
inspector_of (EsCubeWorkspace *self)
{
  return ES_INSPECTOR (es_viewer_get_inspector (self->viewer));
}

static EsShell *
shell_of (EsCubeWorkspace *self)
{
  return es_workspace_get_shell (ES_WORKSPACE (self));
}

static EsShown *
shown_of (EsCubeWorkspace *self)
{
  return es_workspace_get_shown (ES_WORKSPACE (self));
}

/* ---- the dragged threshold ---- */

/* What waits for a result that has gone from view is not begun. */
static gboolean
is_in_view (EsResult *result, gpointer data)
{
  EsCubeWorkspace *self = data;

  return result == es_shown_get_result (shown_of (self)) || es_inspector_get_judged (inspector_of (self)) == result;
}

/* A threshold that another parameter switches off is switched on by dragging it. */
static void
set_threshold (EsParams *params, const char *key, double value)
{
  const EsParamSpec *spec = es_param_specs_find (es_params_get_specs (params), key);

  if (spec == NULL)
    return;
  if (!es_params_is_visible (params, key) && spec->visible_if != NULL)
    {
      g_auto (GStrv) condition = g_strsplit (spec->visible_if, "=", 2);

      es_params_parse (params, condition[0], condition[1], NULL);
    }
  es_params_set_value (params, key, value);
}

static void
on_threshold_moved (EsCubeWorkspace *self, EsResult *result, const char *key, double value, gboolean final)
{
  EsAnalysePanel *analyse = es_shell_get_analyse (shell_of (self));
  g_autoptr (EsParams) params = es_params_copy (es_result_get_params (result));

  set_threshold (params, key, value);
  if (es_analyse_panel_get_operation (analyse) == es_result_get_operation (result))
    set_threshold (es_analyse_panel_get_params (analyse), key, value);

  /* Newest wins; but while the hand moves each run may end, or none ever would. */
  es_live_run_ask (self->threshold, result, params, final);
}

/* ---- what else the inspector asks for ---- */

static void
on_reconstruct (EsCubeWorkspace *self, EsResult *judged, const char *components)
{
  es_judge_reconstruct (self->judge, judged, components);
}

static void
on_show_layer (EsCubeWorkspace *self, EsResult *result, EsLayer *layer, guint plane)
{
  es_shown_set (shown_of (self), es_result_get_dataset (result), result, layer);
  es_shown_set_plane (shown_of (self), plane);
  es_viewer_show_plane (self->viewer, plane);
}

static void
on_noise_region (EsCubeWorkspace *self, const char *text)
{
  EsAnalysePanel *analyse = es_shell_get_analyse (shell_of (self));
  EsParams *params;

  if (!es_analyse_panel_set_operation (analyse, "mnf"))
    return;
  params = es_analyse_panel_get_params (analyse);
  if (!es_params_parse (params, "noise", "region", NULL) || !es_params_parse (params, "region", text, NULL))
    return;
  g_action_group_change_action_state (G_ACTION_GROUP (es_shell_get_window (shell_of (self))), "sidebar",
                                      g_variant_new_boolean (TRUE));
  es_shell_say (shell_of (self), _("MNF will estimate the noise from these pixels."));
}

/* The parameters that ask for pixels now, and what using some as each is called. What the noise of MNF is taken from
 * has its own way, wherever it is asked from. */
static void
update_uses (EsCubeWorkspace *self)
{
  EsAnalysePanel *analyse = es_shell_get_analyse (shell_of (self));
  const EsOperation *operation = analyse != NULL ? es_analyse_panel_get_operation (analyse) : NULL;
  EsParams *params = analyse != NULL ? es_analyse_panel_get_params (analyse) : NULL;
  g_autoptr (GStrvBuilder) keys = g_strv_builder_new (), labels = g_strv_builder_new ();
  g_auto (GStrv) all_keys = NULL, all_labels = NULL;

  if (self->viewer == NULL || operation == NULL || params == NULL)
    return;
  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    {
      g_autofree char *label = NULL;

      if (spec->type != ES_PARAM_REGION || !es_params_is_visible (params, spec->key)
          || g_str_equal (operation->id, "mnf"))
        continue;
      /* TRANSLATORS: of drawn pixels: a parameter, and the method that it is of: "Use as “Region” of UMAP" */
      label = g_strdup_printf (_("Use as “%s” of %s"), _(spec->label), _(operation->short_title));
      g_strv_builder_add (keys, spec->key);
      g_strv_builder_add (labels, label);
    }
  all_keys = g_strv_builder_end (keys);
  all_labels = g_strv_builder_end (labels);
  es_inspector_set_region_uses (inspector_of (self), (const char *const *) all_keys, (const char *const *) all_labels);
}

/* The method stays the one that is chosen. */
static void
on_use_region (EsCubeWorkspace *self, const char *key, const char *text)
{
  EsAnalysePanel *analyse = es_shell_get_analyse (shell_of (self));
  EsParams *params = analyse != NULL ? es_analyse_panel_get_params (analyse) : NULL;

  if (params == NULL || es_param_specs_find (es_params_get_specs (params), key) == NULL
      || !es_params_parse (params, key, text, NULL))
    return;
  g_action_group_change_action_state (G_ACTION_GROUP (es_shell_get_window (shell_of (self))), "sidebar",
                                      g_variant_new_boolean (TRUE));
}

static void
on_open_classes (EsCubeWorkspace *self, EsRegionSet *classes, GFile *file)
{
  es_region_store_open (shell_of (self), classes, file);
}

/* ---- beginning and end ---- */

static void
on_datasets_changed (EsCubeWorkspace *self, guint position, guint removed, guint added, GListModel *datasets)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (EsDataset) dataset = g_list_model_get_item (datasets, i);

      es_region_store_attach (dataset, shell_of (self));
      es_selection_store_attach (dataset, shell_of (self));
    }
}

void
_es_cube_quality_init (EsCubeWorkspace *self)
{
  EsSession *session = es_shell_get_session (shell_of (self));
  EsInspector *inspector = inspector_of (self);

  self->threshold = es_live_run_new (session);
  es_live_run_set_wanted (self->threshold, is_in_view, self);
  self->judge = es_judge_new (session);
  g_signal_connect_object (self->threshold, "changed", G_CALLBACK (es_shell_update), shell_of (self),
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->judge, "changed", G_CALLBACK (es_shell_update), shell_of (self), G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewer, "threshold-moved", G_CALLBACK (on_threshold_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "reconstruct", G_CALLBACK (on_reconstruct), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "show-layer", G_CALLBACK (on_show_layer), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "noise-region", G_CALLBACK (on_noise_region), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (inspector, "use-region", G_CALLBACK (on_use_region), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_shell_get_analyse (shell_of (self)), "changed", G_CALLBACK (update_uses), self,
                           G_CONNECT_SWAPPED);
  update_uses (self);
  g_signal_connect_object (inspector, "open-classes", G_CALLBACK (on_open_classes), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_session_get_datasets (session), "items-changed", G_CALLBACK (on_datasets_changed), self,
                           G_CONNECT_SWAPPED);
}

void
_es_cube_quality_close (EsCubeWorkspace *self)
{
  if (self->judge == NULL)
    return;
  g_clear_object (&self->judge);
  es_region_store_flush ();
  g_clear_object (&self->threshold);
}
