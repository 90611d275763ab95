/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

#include "cube/es-cube.h"
#include "files/es-saver.h"
#include "recording/es-recording.h"
#include "es-tutorial.h"

/* What an action needs to make sense. */
enum
{
  NEEDS_NOTHING = 0,
  NEEDS_DATASET = 1 << 0,
  NEEDS_RESULT = 1 << 1,
  NEEDS_FILE = 1 << 2,           /* what is shown came from a file */
  NEEDS_OPERATION = 1 << 3,      /* there is one for this kind of data, and none runs */
  NEEDS_BUSY = 1 << 4,
  NEEDS_WORK = 1 << 5,           /* the jobs list is not empty */
  NEEDS_SAVABLE = 1 << 6,        /* what Ctrl+S saves is there */
  NEEDS_COMMAND = 1 << 7,        /* a command line can say it: a result, or what is played */
  NEEDS_ABSENT = 1 << 8,         /* a result that was not kept */
  NEEDS_ANY_RESULT = 1 << 9,     /* one or the other */
  NEEDS_DEVICES = 1 << 10,       /* any device may work on it */
};

static void
activate_open (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_opener_choose_files (self->opener);
}

static void
activate_open_device (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;
  g_autoptr (EsOpenRequest) request = es_open_request_new (NULL, 0, ES_OPEN_CHOSEN);

  es_window_open_device (self, g_variant_get_string (parameter, NULL), request);
}

static void
activate_make_matrix (gpointer owner, const char *name, GVariant *parameter)
{
  /* It is no file, as the dialog would say of one. */
  g_autoptr (EsOpenRequest) request = es_open_request_new (NULL, 0, ES_OPEN_GIVEN);

  es_window_make_matrix (owner, g_variant_get_string (parameter, NULL), request);
}

static void
activate_open_recent (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  es_window_open (self, &file, 1, ES_OPEN_GIVEN);
}

static void
activate_simulate (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_opener_simulate_cube (self->opener);
}

static void
activate_simulate_recording (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_opener_choose_scene (self->opener);
}

static void
activate_import (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;
  const char *uri = parameter != NULL ? g_variant_get_string (parameter, NULL) : NULL;

  if (uri == NULL)
    es_opener_choose_import (self->opener);
  else if (g_str_equal (name, "import-raw"))
    es_opener_import_raw (self->opener, uri);
  else if (g_str_equal (name, "import-cube"))
    es_opener_import_cube (self->opener, uri);
  else
    es_opener_import_as (self->opener, uri);
}

static void
activate_run (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_run (self);
}

/* As if it had been chosen in the panel: with what was last set there. */
static void
activate_run_operation (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  if (es_analyse_panel_set_operation (es_sidebar_get_analyse (self->sidebar), g_variant_get_string (parameter, NULL)))
    es_window_run (self);
}

static void
activate_cancel (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_cancel (self);
}

static void
activate_remove (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_remove_selected (self);
}

static void
activate_jobs (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_status_bar_show_jobs (self->status_bar);
}

static void
activate_compare_devices (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_compare_devices (self);
}

static void
activate_tutorial (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_tutorial_present (GTK_WINDOW (self));
}

static void
activate_save_report (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_choose_report (self);
}

/* Made when it is first asked for: GTK would make it with the window, where a resource had the name that it looks
 * for. */
static void
activate_shortcuts (gpointer owner, const char *name, GVariant *parameter)
{
  GtkApplicationWindow *window = owner;
  EsDataset *dataset = es_shown_get_dataset (ES_WINDOW (owner)->shown);
  g_autoptr (GtkBuilder) builder = NULL;

  if (gtk_application_window_get_help_overlay (window) == NULL)
    {
      builder = gtk_builder_new_from_resource ("/org/eigenscope/Eigenscope/ui/help-overlay.ui");
      gtk_application_window_set_help_overlay (window,
                                               GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
    }
  g_object_set (gtk_application_window_get_help_overlay (window), "section-name",
                dataset != NULL && ES_IS_CUBE (dataset) ? "cubes"
                : dataset != NULL && ES_IS_RECORDING (dataset) ? "recordings" : "general", NULL);
  gtk_window_present (GTK_WINDOW (gtk_application_window_get_help_overlay (window)));
}

static void
activate_current (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_workspace_activate (self->current, g_str_equal (name, "copy-picture") ? "copy" : name);
}

static void
activate_simulate_scene (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_opener_simulate_scene (self->opener, g_variant_get_string (parameter, NULL));
}

static void
activate_copy_command (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_copy_command (self);
}

static void
activate_save_plots (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;
  const char *format = g_variant_get_string (parameter, NULL);

  es_saver_choose (self->shell, g_str_equal (format, "svg") ? ES_SAVE_PLOTS_SVG
                               : g_str_equal (format, "png") ? ES_SAVE_PLOTS_PNG : ES_SAVE_PLOTS_PDF, NULL);
}

static void
activate_save (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_saver_choose (self->shell, g_str_equal (name, "save-tables") ? ES_SAVE_TABLES : ES_SAVE_ALL, NULL);
}

static void
activate_show_in_folder (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;
  EsDataset *dataset = es_shown_get_dataset (self->shown);
  GFile *file = dataset != NULL ? es_dataset_get_file (dataset) : NULL;
  g_autofree char *uri = file != NULL ? g_file_get_uri (file) : NULL;

  if (uri != NULL)
    es_window_show_in_folder (self, uri);
}

/* Where something that was saved lies: the target of a toast's button. */
static void
activate_show_saved (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_show_in_folder (self, g_variant_get_string (parameter, NULL));
}

static void
activate_close (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  gtk_window_close (GTK_WINDOW (self));
}

/* Not a property action: it would own the window that owns it. */
static void
activate_reset_layout (gpointer owner, const char *name, GVariant *parameter)
{
  es_window_reset_layout (owner);
}

static void
activate_fullscreen (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
  else
    gtk_window_fullscreen (GTK_WINDOW (self));
}

static void
activate_save_session (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_session_keeper_choose (self->keeper);
}

/* One that was saved by itself, of a process that is gone. */
static void
activate_continue_session (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  es_session_keeper_open (self->keeper, file, TRUE);
}

static void
activate_locate (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_locate (self, g_variant_get_string (parameter, NULL));
}

static void
activate_forget_lost (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  if (g_str_equal (name, "remember-lost"))
    es_window_remember_lost (self, g_variant_get_string (parameter, NULL));
  else
    es_window_forget_lost (self, g_variant_get_string (parameter, NULL));
}

static void
activate_rename (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_rename_result (self);
}

static void
activate_show_steps (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_show_steps (self);
}

static void
activate_run_again (gpointer owner, const char *name, GVariant *parameter)
{
  EsWindow *self = owner;

  es_window_run_again (self);
}

static const EsAction actions[] = {
  { "open", NULL, activate_open, NEEDS_NOTHING },
  { "open-recent", "s", activate_open_recent, NEEDS_NOTHING },
  { "open-device", "s", activate_open_device, NEEDS_NOTHING },
  { "make-matrix", "s", activate_make_matrix, NEEDS_NOTHING },
  { "simulate", NULL, activate_simulate, NEEDS_NOTHING },
  { "simulate-recording", NULL, activate_simulate_recording, NEEDS_NOTHING },
  { "simulate-scene", "s", activate_simulate_scene, NEEDS_NOTHING },
  { "import", NULL, activate_import, NEEDS_NOTHING },
  { "import-as", "s", activate_import, NEEDS_NOTHING },
  { "import-cube", "s", activate_import, NEEDS_NOTHING },
  { "import-raw", "s", activate_import, NEEDS_NOTHING },
  { "run", NULL, activate_run, NEEDS_DATASET | NEEDS_OPERATION },
  { "run-operation", "s", activate_run_operation, NEEDS_DATASET | NEEDS_OPERATION },
  { "cancel", NULL, activate_cancel, NEEDS_BUSY },
  { "remove", NULL, activate_remove, NEEDS_DATASET },
  { "jobs", NULL, activate_jobs, NEEDS_WORK },
  { "compare-devices", NULL, activate_compare_devices, NEEDS_DATASET | NEEDS_OPERATION | NEEDS_DEVICES },
  { "copy-picture", NULL, activate_current, NEEDS_DATASET },
  { "copy-command", NULL, activate_copy_command, NEEDS_COMMAND },
  { "save", NULL, activate_current, NEEDS_RESULT | NEEDS_SAVABLE },
  { "save-picture", NULL, activate_current, NEEDS_DATASET },
  { "save-plots", "s", activate_save_plots, NEEDS_RESULT },
  { "save-tables", NULL, activate_save, NEEDS_RESULT },
  { "save-all", NULL, activate_save, NEEDS_RESULT },
  { "tutorial", NULL, activate_tutorial, NEEDS_NOTHING },
  { "show-help-overlay", NULL, activate_shortcuts, NEEDS_NOTHING },
  { "save-report", NULL, activate_save_report, NEEDS_RESULT },
  { "show-in-folder", NULL, activate_show_in_folder, NEEDS_DATASET | NEEDS_FILE },
  { "show-saved", "s", activate_show_saved, NEEDS_NOTHING },
  { "fullscreen", NULL, activate_fullscreen, NEEDS_NOTHING },
  { "reset-layout", NULL, activate_reset_layout, NEEDS_NOTHING },
  { "close", NULL, activate_close, NEEDS_NOTHING },
  { "save-session", NULL, activate_save_session, NEEDS_DATASET },
  { "continue-session", "s", activate_continue_session, NEEDS_NOTHING },
  { "locate", "s", activate_locate, NEEDS_NOTHING },
  { "forget-lost", "s", activate_forget_lost, NEEDS_NOTHING },
  { "remember-lost", "s", activate_forget_lost, NEEDS_NOTHING },
  { "rename", NULL, activate_rename, NEEDS_ANY_RESULT },
  { "show-steps", NULL, activate_show_steps, NEEDS_RESULT },
  { "run-again", NULL, activate_run_again, NEEDS_ABSENT },
};

void
es_window_install_actions (EsWindow *self)
{
  const struct { const char *name; GtkWidget *widget; } toggles[] = {
    { "sidebar", GTK_WIDGET (self->sidebar) },
    { "inspector", GTK_WIDGET (self->right) },
  };

  /* The action map belongs to the window. */
  es_actions_add (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), G_OBJECT (self));
  for (guint i = 0; i < G_N_ELEMENTS (toggles); i++)
    {
      g_autoptr (GPropertyAction) action = g_property_action_new (toggles[i].name, toggles[i].widget, "visible");

      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
}

gboolean
es_window_is_busy (EsWindow *self)
{
  return es_session_get_n_active (self->session) > 0 || es_window_get_n_activities (self) > 0;
}

/* Pictures or maps; of an experiment all of it. */
static gboolean
is_savable (EsResult *result)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      EsLayerKind kind = es_layer_get_kind (layer);

      if (kind == ES_LAYER_IMAGE_STACK || kind == ES_LAYER_FIELD || kind == ES_LAYER_WATERFALL
          || kind == ES_LAYER_VERDICT)
        return TRUE;
    }
  return FALSE;
}

/* A run of the panel's: what workspaces run by themselves is none, or the button would flicker. */
static gboolean
is_running (EsWindow *self)
{
  guint n_own = 0;

  for (guint i = 0; i < self->workspaces->len; i++)
    n_own += es_workspace_get_n_own (g_ptr_array_index (self->workspaces, i));
  return es_session_get_n_active (self->session) > n_own;
}

void
es_window_update_actions (EsWindow *self)
{
  EsDataset *dataset = es_shown_get_dataset (self->shown);
  EsResult *result = es_shown_get_result (self->shown);
  EsWorkspaceAbilities able = dataset != NULL ? es_workspace_get_abilities (self->current) : 0;
  guint met = NEEDS_NOTHING;
  EsAnalysePanel *analyse;
  gboolean running;

  /* The last jobs end while the window is being taken apart. */
  if (!es_shell_is_open (self->shell))
    return;
  analyse = es_sidebar_get_analyse (self->sidebar);
  running = is_running (self);
  if (dataset != NULL)
    met |= NEEDS_DATASET | (es_dataset_get_file (dataset) != NULL ? NEEDS_FILE : 0)
           | (es_dataset_get_device_id (dataset) == NULL ? NEEDS_DEVICES : 0);
  if (es_analyse_panel_get_operation (analyse) != NULL && !running && (able & ES_WORKSPACE_RUNS) != 0)
    met |= NEEDS_OPERATION;
  if (result != NULL)
    met |= NEEDS_ANY_RESULT | (es_result_is_absent (result) ? NEEDS_ABSENT : 0);
  /* There is nothing of it to be saved, or told. */
  if (result != NULL && es_result_is_absent (result))
    result = NULL;
  if (result != NULL || (able & ES_WORKSPACE_TELLS) != 0)
    met |= NEEDS_COMMAND;
  if (result != NULL)
    met |= NEEDS_RESULT | (is_savable (result) ? NEEDS_SAVABLE : 0);
  if (es_window_is_busy (self))
    met |= NEEDS_BUSY;
  if (g_list_model_get_n_items (es_shell_get_work (self->shell)) > 0)
    met |= NEEDS_WORK;

  es_actions_update (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), met);
  for (guint i = 0; i < self->workspaces->len; i++)
    es_workspace_update_actions (g_ptr_array_index (self->workspaces, i), G_ACTION_MAP (self));
  es_header_bar_set_shown (self->header, dataset != NULL, able,
                           self->current != NULL && ES_WORKSPACE_GET_CLASS (self->current)->get_side != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->status_bar), (met & (NEEDS_DATASET | NEEDS_WORK)) != 0);
  es_analyse_panel_set_running (analyse, running);
}
