/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cube-workspace-private.h"

#include "cube/es-cube.h"
#include "files/es-open-set.h"
#include "files/es-saver.h"
#include "tiles/es-level-keeper.h"
#include "inspector/es-inspector.h"
#include "places/es-section-places.h"
#include "widgets/es-settings.h"

G_DEFINE_FINAL_TYPE (EsCubeWorkspace, es_cube_workspace, ES_TYPE_WORKSPACE)

static gboolean
show (EsWorkspace *workspace, EsResult *replaced)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);
  EsShown *shown = es_workspace_get_shown (workspace);
  EsDataset *dataset = es_shown_get_dataset (shown);

  self->shown = ES_IS_CUBE (dataset);
  if (self->shown && es_shown_get_result (shown) != NULL)
    es_viewer_show_result (self->viewer, es_shown_get_result (shown), es_shown_get_layer (shown), replaced);
  else
    es_viewer_show_dataset (self->viewer, self->shown ? dataset : NULL);
  _es_cube_preview_end (self);
  return self->shown;
}

static EsWorkspaceAbilities
get_abilities (EsWorkspace *workspace)
{
  return ES_WORKSPACE_RUNS | ES_WORKSPACE_COMPARES;
}

static gboolean
is_loading (EsWorkspace *workspace)
{
  return es_viewer_is_loading (ES_CUBE_WORKSPACE (workspace)->viewer);
}

static GtkWidget *
get_middle (EsWorkspace *workspace)
{
  return GTK_WIDGET (ES_CUBE_WORKSPACE (workspace)->viewer);
}

static GtkWidget *
get_side (EsWorkspace *workspace)
{
  return es_viewer_get_inspector (ES_CUBE_WORKSPACE (workspace)->viewer);
}

static guint
get_side_columns (EsWorkspace *workspace)
{
  guint n;

  g_object_get (es_viewer_get_inspector (ES_CUBE_WORKSPACE (workspace)->viewer), "n-columns", &n, NULL);
  return n;
}

static GMenuModel *
get_save_menu (EsWorkspace *workspace)
{
  return ES_CUBE_WORKSPACE (workspace)->save_menu;
}

/* Where everything stands follows the settings. */
static void
reset_layout (void)
{
  static const char *const keys[] = { ES_SECTION_PLACES_SETTINGS, "folded-sections", "own-windows" };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_settings_reset (es_settings_get (), keys[i]);
}

static void
activate (EsWorkspace *workspace, const char *what)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);
  g_autofree char *name = g_strconcat ("view.", what, NULL);

  if (g_str_equal (what, "reset-layout"))
    reset_layout ();
  else if (g_str_equal (what, "save"))
    es_saver_choose (es_workspace_get_shell (workspace), ES_SAVE_STACK_ENVI, NULL);
  else
    gtk_widget_activate_action (GTK_WIDGET (self->viewer), name, NULL);
}

/* A library of spectra; of tables that may be one, those that come while a cube is shown. */
static gboolean
take_file (EsWorkspace *workspace, GFile *file)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);
  g_autofree char *name = g_file_get_basename (file);

  if (!es_open_set_is_library (file) && !(self->shown && name != NULL && g_str_has_suffix (name, ".csv")))
    return FALSE;
  g_object_set (self->viewer, "spectra", TRUE, NULL);
  es_spectra_view_open_library (es_viewer_get_spectra (self->viewer), &file, 1);
  return TRUE;
}

static void
close_workspace (EsWorkspace *workspace)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);

  _es_cube_quality_close (self);
  if (self->faces != NULL)
    gtk_window_destroy (GTK_WINDOW (self->faces));
  g_clear_weak_pointer (&self->faces);
  g_clear_handle_id (&self->preview_source, g_source_remove);
  g_clear_object (&self->preview_job);
}

static void
watch_job (EsWorkspace *workspace, EsJob *job)
{
  _es_cube_preview_begin (ES_CUBE_WORKSPACE (workspace), job);
}

/* A dragged threshold, and what follows it. */
static guint
get_n_own (EsWorkspace *workspace)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);

  return (self->threshold != NULL && es_live_run_is_under_way (self->threshold) ? 1 : 0)
         + (self->judge != NULL && es_judge_is_under_way (self->judge) ? 1 : 0);
}

/* What waits is not begun. */
static void
cancel (EsWorkspace *workspace)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);

  if (self->judge == NULL)
    return;
  es_live_run_forget (self->threshold);
  es_judge_forget (self->judge);
}

static void
drop_result (EsWorkspace *workspace, EsResult *result)
{
  es_live_run_cancel (ES_CUBE_WORKSPACE (workspace)->threshold);
}

static void
forget (EsWorkspace *workspace, EsDataset *dataset)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);

  es_live_run_forget_dataset (self->threshold, dataset);
  if (self->judge != NULL)
    es_judge_forget_dataset (self->judge, dataset);
}

/* ---- what sessions keep ---- */

static JsonNode *
tell_view (gpointer owner)
{
  EsCubeWorkspace *self = owner;

  return self->shown ? es_viewer_tell (self->viewer, es_shell_get_session (es_workspace_get_shell (owner))) : NULL;
}

static void
take_view (gpointer owner, JsonNode *told)
{
  EsCubeWorkspace *self = owner;

  if (self->shown)
    es_viewer_take (self->viewer, es_shell_get_session (es_workspace_get_shell (owner)), told);
}

/* Of whatever cubes they are, and whatever is shown. */
static JsonNode *
tell_spectra (gpointer owner)
{
  return es_viewer_tell_spectra (ES_CUBE_WORKSPACE (owner)->viewer);
}

static void
take_spectra (gpointer owner, JsonNode *told)
{
  es_viewer_take_spectra (ES_CUBE_WORKSPACE (owner)->viewer, told);
}

static gboolean
has_spectra (gpointer owner)
{
  return es_spectrum_collection_get_n (es_viewer_get_collection (ES_CUBE_WORKSPACE (owner)->viewer)) > 0;
}

static const EsShellSection section = { "cube-view", tell_view, take_view };
static const EsShellSection spectra_section = { "spectra", tell_spectra, take_spectra, has_spectra };

/* Once: what is shown is the same without them, only later. */
static void
on_levels_failed (EsShell *shell, const GError *error)
{
  es_shell_say (shell, error->message);
}

/* ---- the class ---- */

/* Whether three planes are shown changes without another thing being shown. */
static void
on_view_changed (EsCubeWorkspace *self)
{
  GtkRoot *window = gtk_widget_get_root (GTK_WIDGET (self->viewer));
  GAction *action = G_IS_ACTION_MAP (window)
    ? g_action_map_lookup_action (G_ACTION_MAP (window), "copy-picture-command") : NULL;

  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), self->shown && es_viewer_shows_composite (self->viewer));
}

static void
es_cube_workspace_constructed (GObject *object)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (object);
  EsShell *shell = es_workspace_get_shell (ES_WORKSPACE (self));

  G_OBJECT_CLASS (es_cube_workspace_parent_class)->constructed (object);
  es_viewer_set_session (self->viewer, es_shell_get_session (shell));
  es_workspace_bind_status (ES_WORKSPACE (self), self->viewer);
  g_signal_connect_object (es_inspector_get_places (ES_INSPECTOR (es_viewer_get_inspector (self->viewer))), "changed",
                           G_CALLBACK (es_shell_update), shell, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_viewer_get_inspector (self->viewer), "notify::n-columns",
                           G_CALLBACK (es_workspace_layout), self, G_CONNECT_SWAPPED);
  g_object_bind_property (self->viewer, "plane", es_shell_get_shown (shell), "plane",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  _es_cube_quality_init (self);
  es_shell_keep (shell, &section, object);
  es_shell_keep (shell, &spectra_section, object);
  g_signal_connect_object (self->viewer, "notify::dataset", G_CALLBACK (_es_cube_workspace_update_faces), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewer, "view-changed", G_CALLBACK (es_shell_changed), shell, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_level_keeper_get (), "failed", G_CALLBACK (on_levels_failed), shell, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->viewer, "view-changed", G_CALLBACK (on_view_changed), self, G_CONNECT_SWAPPED);
}

static void
es_cube_workspace_dispose (GObject *object)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (object);

  close_workspace (ES_WORKSPACE (self));
  g_clear_object (&self->viewer);
  g_clear_object (&self->save_menu);
  G_OBJECT_CLASS (es_cube_workspace_parent_class)->dispose (object);
}

static void
es_cube_workspace_class_init (EsCubeWorkspaceClass *class)
{
  EsWorkspaceClass *workspace_class = ES_WORKSPACE_CLASS (class);

  G_OBJECT_CLASS (class)->constructed = es_cube_workspace_constructed;
  G_OBJECT_CLASS (class)->dispose = es_cube_workspace_dispose;

  _es_cube_workspace_install_actions (workspace_class);
  workspace_class->data_height = 104;
  workspace_class->show = show;
  workspace_class->get_abilities = get_abilities;
  workspace_class->is_loading = is_loading;
  workspace_class->get_middle = get_middle;
  workspace_class->get_side = get_side;
  workspace_class->get_side_columns = get_side_columns;
  workspace_class->get_save_menu = get_save_menu;
  workspace_class->activate = activate;
  workspace_class->forget = forget;
  workspace_class->watch_job = watch_job;
  workspace_class->get_n_own = get_n_own;
  workspace_class->cancel = cancel;
  workspace_class->drop_result = drop_result;
  workspace_class->take_file = take_file;
  workspace_class->close = close_workspace;
}

static void
es_cube_workspace_init (EsCubeWorkspace *self)
{
  self->viewer = g_object_ref_sink (ES_VIEWER (es_viewer_new ()));
  self->save_menu = es_workspace_load_save_menu ("es-cube-menu");
}

EsViewer *
es_cube_workspace_get_viewer (EsCubeWorkspace *self)
{
  g_return_val_if_fail (ES_IS_CUBE_WORKSPACE (self), NULL);
  return self->viewer;
}
