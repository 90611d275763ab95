/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be done with a cube: actions of the window, by whatever is shown, and keys. */

#include "es-cube-workspace-private.h"

#include "cube/es-cube-classes.h"
#include "files/es-class-target.h"
#include "files/es-saver.h"
#include "files/es-selection-store.h"
#include "metadata/es-metadata-store.h"
#include "metadata/es-metadata-window.h"
#include "inspector/es-inspector.h"

/* What an action needs to make sense. */
enum
{
  NEEDS_CUBE = 1 << 0,               /* a cube, or a result of one, is shown */
  NEEDS_STACK = 1 << 1,              /* the result has images */
  NEEDS_NOISE = 1 << 2,              /* the result knows the noise of its cube */
  NEEDS_CLASSES = 1 << 3,            /* a classification is shown */
  NEEDS_COMPOSITE = 1 << 4,          /* three planes as colours are shown */
  NEEDS_LARGE = 1 << 5,              /* a section is large in the middle */
};

static void
activate_correlate (gpointer owner, const char *name, GVariant *parameter)
{
  es_workspace_activate (owner, "correlate");
}

static void
activate_save_components (gpointer owner, const char *name, GVariant *parameter)
{
  es_saver_choose (es_workspace_get_shell (owner),
                   g_str_has_suffix (name, "geotiff") ? ES_SAVE_STACK_GEOTIFF : ES_SAVE_STACK_ENVI, NULL);
}

static void
activate_save_noise (gpointer owner, const char *name, GVariant *parameter)
{
  _es_cube_noise_choose (owner);
}

static void
activate_undo_selection (gpointer owner, const char *name, GVariant *parameter)
{
  EsDataset *dataset = es_shown_get_dataset (es_workspace_get_shown (owner));

  if (ES_IS_CUBE (dataset))
    es_selection_store_undo (ES_CUBE (dataset));
}

static EsSection *
find_large (EsCubeWorkspace *self)
{
  EsSection *large = es_section_places_get_large (es_inspector_get_places (ES_INSPECTOR (
                                                    es_viewer_get_inspector (self->viewer))));

  return self->shown && large != NULL && gtk_widget_get_visible (GTK_WIDGET (large)) ? large : NULL;
}

/* Escape, whatever was clicked last: the picture has its room again before anything is cancelled. */
static void
activate_shrink (gpointer owner, const char *name, GVariant *parameter)
{
  EsSection *large = find_large (owner);

  if (large != NULL)
    es_section_places_put (es_inspector_get_places (ES_INSPECTOR (es_viewer_get_inspector (
                                                      ES_CUBE_WORKSPACE (owner)->viewer))), large,
                           ES_SECTION_IN_COLUMN);
}

static void
activate_enlarge (gpointer owner, const char *name, GVariant *parameter)
{
  es_workspace_activate (owner, "enlarge");
}

static void
activate_metadata (gpointer owner, const char *name, GVariant *parameter)
{
  EsDataset *dataset = es_shown_get_dataset (es_workspace_get_shown (owner));

  if (ES_IS_CUBE (dataset))
    es_metadata_window_present (es_workspace_get_shell (owner), ES_CUBE (dataset));
}

static void
activate_undo_metadata (gpointer owner, const char *name, GVariant *parameter)
{
  EsDataset *dataset = es_shown_get_dataset (es_workspace_get_shown (owner));

  if (ES_IS_CUBE (dataset))
    es_metadata_store_undo (es_workspace_get_shell (owner), ES_CUBE (dataset));
}

static void
activate_keep (gpointer owner, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action (GTK_WIDGET (ES_CUBE_WORKSPACE (owner)->viewer), "view.keep-spectrum", "s",
                              g_str_equal (name, "keep-mean") ? "mean" : "pixel");
}

static void
activate_add_classes (gpointer owner, const char *name, GVariant *parameter)
{
  EsDataset *dataset = es_shown_get_dataset (es_workspace_get_shown (owner));

  if (ES_IS_CUBE (dataset))
    es_class_target_choose (es_workspace_get_shell (owner), ES_CUBE (dataset));
}

static void
activate_of_viewer (gpointer owner, const char *name, GVariant *parameter)
{
  g_autofree char *action = g_strconcat ("view.", g_str_equal (name, "play-planes") ? "play" : name, NULL);

  gtk_widget_activate_action (GTK_WIDGET (ES_CUBE_WORKSPACE (owner)->viewer), action, NULL);
}

static void
activate_pane (gpointer owner, const char *name, GVariant *parameter)
{
  _es_cube_workspace_go_round (owner, g_str_equal (name, "previous-pane"));
}

static void
activate_faces (gpointer owner, const char *name, GVariant *parameter)
{
  _es_cube_workspace_show_faces (owner);
}

static const EsAction actions[] = {
  { "add-classes", NULL, activate_add_classes, NEEDS_CLASSES },
  { "copy-picture-command", NULL, activate_of_viewer, NEEDS_COMPOSITE },
  { "play-planes", NULL, activate_of_viewer, NEEDS_CUBE },
  { "save-picture-geotiff", NULL, activate_of_viewer, NEEDS_CUBE },
  { "cube-faces", NULL, activate_faces, NEEDS_CUBE },
  { "next-pane", NULL, activate_pane, NEEDS_CUBE },
  { "previous-pane", NULL, activate_pane, NEEDS_CUBE },
  { "keep-pixel", NULL, activate_keep, NEEDS_CUBE },
  { "keep-mean", NULL, activate_keep, NEEDS_CUBE },
  { "enlarge-section", NULL, activate_enlarge, NEEDS_CUBE },
  { "shrink-section", NULL, activate_shrink, NEEDS_LARGE },
  { "correlate", NULL, activate_correlate, NEEDS_STACK | NEEDS_CUBE },
  { "save-components-envi", NULL, activate_save_components, NEEDS_STACK },
  { "save-components-geotiff", NULL, activate_save_components, NEEDS_STACK },
  { "undo-selection", NULL, activate_undo_selection, NEEDS_CUBE },
  { "metadata", NULL, activate_metadata, NEEDS_CUBE },
  { "undo-metadata", NULL, activate_undo_metadata, NEEDS_CUBE },
  { "save-noise", NULL, activate_save_noise, NEEDS_NOISE },
};

static const EsWorkspaceKey keys[] = {
  { GDK_KEY_F3, 0, "win.cube-faces" },
  { GDK_KEY_F5, 0, "win.play-planes" },
  { GDK_KEY_F6, 0, "win.next-pane" },
  { GDK_KEY_F6, GDK_SHIFT_MASK, "win.previous-pane" },
  { GDK_KEY_F7, 0, "win.compare" },
  { GDK_KEY_F7, GDK_SHIFT_MASK, "win.correlate" },
  { GDK_KEY_F8, 0, "win.spectra" },
  { GDK_KEY_F11, GDK_SHIFT_MASK, "win.enlarge-section" },
  { GDK_KEY_Return, GDK_ALT_MASK, "win.metadata" },
  { GDK_KEY_Escape, 0, "win.shrink-section" },
  { GDK_KEY_k, GDK_CONTROL_MASK, "win.keep-pixel" },
  { GDK_KEY_k, GDK_CONTROL_MASK | GDK_SHIFT_MASK, "win.keep-mean" },
};

static gboolean
has_stack (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (es_layer_get_kind (layer) == ES_LAYER_IMAGE_STACK)
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_classification (EsShown *shown)
{
  EsDataset *dataset = es_shown_get_dataset (shown);

  return ES_IS_CUBE (dataset) && es_cube_get_classes (ES_CUBE (dataset)) != NULL;
}

static guint
get_met (EsWorkspace *workspace)
{
  EsCubeWorkspace *self = ES_CUBE_WORKSPACE (workspace);
  EsResult *result = es_shown_get_result (es_workspace_get_shown (workspace));

  return (self->shown ? NEEDS_CUBE : 0) | (is_classification (es_workspace_get_shown (workspace)) ? NEEDS_CLASSES : 0)
         | (result != NULL && has_stack (result) ? NEEDS_STACK : 0)
         | (self->shown && es_viewer_shows_composite (self->viewer) ? NEEDS_COMPOSITE : 0)
         | (_es_cube_noise_get (self) != NULL ? NEEDS_NOISE : 0)
         | (find_large (self) != NULL ? NEEDS_LARGE : 0);
}

static void
add_actions (EsWorkspace *workspace, GActionMap *map)
{
  g_autoptr (GPropertyAction) compare = g_property_action_new ("compare", ES_CUBE_WORKSPACE (workspace)->viewer,
                                                               "comparing");
  g_autoptr (GPropertyAction) spectra = g_property_action_new ("spectra", ES_CUBE_WORKSPACE (workspace)->viewer,
                                                               "spectra");

  g_action_map_add_action (map, G_ACTION (compare));
  g_action_map_add_action (map, G_ACTION (spectra));
}

void
_es_cube_workspace_install_actions (EsWorkspaceClass *class)
{
  class->actions = actions;
  class->n_actions = G_N_ELEMENTS (actions);
  class->keys = keys;
  class->n_keys = G_N_ELEMENTS (keys);
  class->space = "win.play-planes";
  class->get_met = get_met;
  class->add_actions = add_actions;
}
