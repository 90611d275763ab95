/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-window-private.h"

#include <glib/gi18n-lib.h>

#include "result/es-operation.h"
#include "es-tutorial.h"

/* What an action needs to make sense. */
typedef enum
{
  NEEDS_NOTHING = 0,
  NEEDS_DATASET = 1 << 0,
  NEEDS_RESULT = 1 << 1,
  NEEDS_STACK = 1 << 2,          /* the result has images */
  NEEDS_FILE = 1 << 3,           /* what is shown came from a file */
  NEEDS_OPERATION = 1 << 4,      /* there is one for this kind of data, and none runs */
  NEEDS_BUSY = 1 << 5,
  NEEDS_WORK = 1 << 6,           /* the jobs list is not empty */
  NEEDS_NOISE = 1 << 7,          /* the result knows the noise of its cube */
  NEEDS_CUBE = 1 << 8,           /* a cube, or a result of one, is shown */
  NEEDS_RECORDING = 1 << 9,      /* a recording, or a result of one, is shown */
  NEEDS_ARRAY = 1 << 10,         /* it is known where its hydrophones are */
  NEEDS_FIELD = 1 << 11,         /* the result has maps */
  NEEDS_SAVABLE = 1 << 12,       /* what Ctrl+S saves is there */
  NEEDS_LIVE = 1 << 13,          /* what is shown is played, and no result */
  NEEDS_COMMAND = 1 << 14,       /* a command line can say it: a result, or what is played */
} Needs;

typedef struct
{
  const char *name;
  const char *parameter;
  void      (*activate) (EsWindow *self, const char *name, GVariant *parameter);
  Needs       needs;
  const char *state;             /* which of its targets holds at first; NULL: it has no state */
} Action;

static void
activate_open (EsWindow *self, const char *name, GVariant *parameter)
{
  es_opener_choose_files (self->opener);
}

static void
activate_open_recent (EsWindow *self, const char *name, GVariant *parameter)
{
  g_autoptr (GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  es_window_open (self, &file, 1, ES_OPEN_GIVEN);
}

static void
activate_simulate (EsWindow *self, const char *name, GVariant *parameter)
{
  es_opener_simulate_cube (self->opener);
}

static void
activate_simulate_recording (EsWindow *self, const char *name, GVariant *parameter)
{
  es_opener_choose_scene (self->opener);
}

static void
activate_import_raw (EsWindow *self, const char *name, GVariant *parameter)
{
  es_opener_import_raw (self->opener, g_variant_get_string (parameter, NULL));
}

static void
activate_sonar_play (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_toggle_play (self);
}

static void
activate_live (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_choose_live (self, g_variant_get_string (parameter, NULL));
}

static void
activate_switch_live (EsWindow *self, const char *name, GVariant *parameter)
{
  EsWindowAdaptive *adaptive = es_window_get_adaptive (self);

  if (adaptive != NULL)
    es_window_choose_live (self, g_str_equal (es_window_adaptive_get_live (adaptive), "cbf") ? "mvdr" : "cbf");
}

static void
activate_set_live (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_set_live (self, g_variant_get_string (parameter, NULL));
}

static void
activate_compare_methods (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_compare_methods (self);
}

static void
activate_simulate_scene (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_simulate_scene (self, g_variant_get_string (parameter, NULL));
}

static void
activate_describe_array (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_describe_array (self);
}

static void
activate_open_positions (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_choose_positions (self);
}

static void
activate_save_beam (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_choose_beam (self);
}

/* "btr.h5": the layer's name and how. */
static void
activate_save_field (EsWindow *self, const char *name, GVariant *parameter)
{
  g_auto (GStrv) parts = g_strsplit (g_variant_get_string (parameter, NULL), ".", 2);

  if (g_strv_length (parts) == 2)
    es_window_choose_layer_target (self, g_str_equal (parts[1], "csv") ? ES_SAVE_FIELD_CSV
                                         : g_str_equal (parts[1], "png") ? ES_SAVE_FIELD_PNG : ES_SAVE_FIELD_HDF5,
                                   parts[0]);
}

static void
activate_save_display (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_activate_sonar (self, "sonar.save-data");
}

static void
activate_run (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_run (self);
}

/* As if it had been chosen in the panel: with what was last set there. */
static void
activate_run_operation (EsWindow *self, const char *name, GVariant *parameter)
{
  if (es_analyse_panel_set_operation (es_sidebar_get_analyse (self->sidebar), g_variant_get_string (parameter, NULL)))
    es_window_run (self);
}

static void
activate_cancel (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_cancel (self);
}

static void
activate_remove (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_remove_selected (self);
}

static void
activate_jobs (EsWindow *self, const char *name, GVariant *parameter)
{
  es_status_bar_show_jobs (self->status_bar);
}

static void
activate_correlate (EsWindow *self, const char *name, GVariant *parameter)
{
  gtk_widget_activate_action (GTK_WIDGET (self->viewer), "view.correlate", NULL);
}

static void
activate_compare_devices (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_compare_devices (self);
}

static void
activate_tutorial (EsWindow *self, const char *name, GVariant *parameter)
{
  es_tutorial_present (GTK_WINDOW (self));
}

static void
activate_save_report (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_choose_report (self);
}

static void
activate_save_noise (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_choose_noise (self);
}

static void
activate_copy_picture (EsWindow *self, const char *name, GVariant *parameter)
{
  if (es_window_get_recording (self) != NULL)
    es_window_activate_sonar (self, "sonar.copy");
  else
    gtk_widget_activate_action (GTK_WIDGET (self->viewer), "view.copy", NULL);
}

static void
activate_copy_command (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_copy_command (self);
}

static void
activate_save_picture (EsWindow *self, const char *name, GVariant *parameter)
{
  if (es_window_get_recording (self) != NULL)
    es_window_activate_sonar (self, "sonar.save-picture");
  else
    gtk_widget_activate_action (GTK_WIDGET (self->viewer), "view.save-picture", NULL);
}

static void
activate_save_plots (EsWindow *self, const char *name, GVariant *parameter)
{
  const char *format = g_variant_get_string (parameter, NULL);

  es_window_choose_target (self, g_str_equal (format, "svg") ? ES_SAVE_PLOTS_SVG
                               : g_str_equal (format, "png") ? ES_SAVE_PLOTS_PNG : ES_SAVE_PLOTS_PDF);
}

static void
activate_save (EsWindow *self, const char *name, GVariant *parameter)
{
  static const struct { const char *name; EsSaveKind kind; } kinds[] = {
    { "save", ES_SAVE_STACK_ENVI },
    { "save-components-envi", ES_SAVE_STACK_ENVI },
    { "save-components-geotiff", ES_SAVE_STACK_GEOTIFF },
    { "save-tables", ES_SAVE_TABLES },
    { "save-all", ES_SAVE_ALL },
  };

  if (g_str_equal (name, "save") && es_window_get_recording (self) != NULL)
    {
      es_window_choose_layer_target (self, ES_SAVE_FIELD_HDF5, NULL);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (name, kinds[i].name))
      es_window_choose_target (self, kinds[i].kind);
}

static void
activate_show_in_folder (EsWindow *self, const char *name, GVariant *parameter)
{
  GFile *file = self->dataset != NULL ? es_dataset_get_file (self->dataset) : NULL;
  g_autofree char *uri = file != NULL ? g_file_get_uri (file) : NULL;

  if (uri != NULL)
    es_window_show_in_folder (self, uri);
}

/* Where something that was saved lies: the target of a toast's button. */
static void
activate_show_saved (EsWindow *self, const char *name, GVariant *parameter)
{
  es_window_show_in_folder (self, g_variant_get_string (parameter, NULL));
}

static void
activate_close (EsWindow *self, const char *name, GVariant *parameter)
{
  gtk_window_close (GTK_WINDOW (self));
}

/* Not a property action: it would own the window that owns it. */
static void
activate_fullscreen (EsWindow *self, const char *name, GVariant *parameter)
{
  if (gtk_window_is_fullscreen (GTK_WINDOW (self)))
    gtk_window_unfullscreen (GTK_WINDOW (self));
  else
    gtk_window_fullscreen (GTK_WINDOW (self));
}

static const Action actions[] = {
  { "open", NULL, activate_open, NEEDS_NOTHING },
  { "open-recent", "s", activate_open_recent, NEEDS_NOTHING },
  { "simulate", NULL, activate_simulate, NEEDS_NOTHING },
  { "simulate-recording", NULL, activate_simulate_recording, NEEDS_NOTHING },
  { "simulate-scene", "s", activate_simulate_scene, NEEDS_NOTHING },
  { "import-raw", "s", activate_import_raw, NEEDS_NOTHING },
  { "sonar-play", NULL, activate_sonar_play, NEEDS_RECORDING | NEEDS_ARRAY },
  { "live", "s", activate_live, NEEDS_LIVE, "cbf" },
  { "switch-live", NULL, activate_switch_live, NEEDS_LIVE },
  { "set-live", "s", activate_set_live, NEEDS_LIVE },
  { "compare-methods", NULL, activate_compare_methods, NEEDS_RECORDING | NEEDS_ARRAY },
  { "describe-array", NULL, activate_describe_array, NEEDS_RECORDING },
  { "open-positions", NULL, activate_open_positions, NEEDS_RECORDING },
  { "run", NULL, activate_run, NEEDS_DATASET | NEEDS_OPERATION },
  { "run-operation", "s", activate_run_operation, NEEDS_DATASET | NEEDS_OPERATION },
  { "cancel", NULL, activate_cancel, NEEDS_BUSY },
  { "remove", NULL, activate_remove, NEEDS_DATASET },
  { "jobs", NULL, activate_jobs, NEEDS_WORK },
  { "correlate", NULL, activate_correlate, NEEDS_RESULT | NEEDS_STACK | NEEDS_CUBE },
  { "compare-devices", NULL, activate_compare_devices, NEEDS_DATASET | NEEDS_OPERATION },
  { "copy-picture", NULL, activate_copy_picture, NEEDS_DATASET },
  { "copy-command", NULL, activate_copy_command, NEEDS_COMMAND },
  { "save", NULL, activate_save, NEEDS_RESULT | NEEDS_SAVABLE },
  { "save-components-envi", NULL, activate_save, NEEDS_RESULT | NEEDS_STACK },
  { "save-components-geotiff", NULL, activate_save, NEEDS_RESULT | NEEDS_STACK },
  { "save-field", "s", activate_save_field, NEEDS_RESULT | NEEDS_FIELD },
  { "save-display", NULL, activate_save_display, NEEDS_RECORDING | NEEDS_ARRAY },
  { "save-beam", NULL, activate_save_beam, NEEDS_RECORDING | NEEDS_ARRAY },
  { "save-picture", NULL, activate_save_picture, NEEDS_DATASET },
  { "save-plots", "s", activate_save_plots, NEEDS_RESULT },
  { "save-tables", NULL, activate_save, NEEDS_RESULT },
  { "save-all", NULL, activate_save, NEEDS_RESULT },
  { "tutorial", NULL, activate_tutorial, NEEDS_NOTHING },
  { "save-report", NULL, activate_save_report, NEEDS_RESULT },
  { "save-noise", NULL, activate_save_noise, NEEDS_RESULT | NEEDS_NOISE },
  { "show-in-folder", NULL, activate_show_in_folder, NEEDS_DATASET | NEEDS_FILE },
  { "show-saved", "s", activate_show_saved, NEEDS_NOTHING },
  { "fullscreen", NULL, activate_fullscreen, NEEDS_NOTHING },
  { "close", NULL, activate_close, NEEDS_NOTHING },
};

static void
on_activate (GSimpleAction *simple, GVariant *parameter, gpointer data)
{
  EsWindow *self = data;
  const char *name = g_action_get_name (G_ACTION (simple));

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    if (g_str_equal (actions[i].name, name))
      actions[i].activate (self, name, parameter);
}

void
es_window_install_actions (EsWindow *self)
{
  const struct { const char *name; GtkWidget *widget; const char *property; } toggles[] = {
    { "sidebar", GTK_WIDGET (self->sidebar), "visible" },
    { "inspector", GTK_WIDGET (self->right), "visible" },
    { "compare", GTK_WIDGET (self->viewer), "comparing" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      g_autoptr (GVariantType) type = actions[i].parameter != NULL ? g_variant_type_new (actions[i].parameter) : NULL;
      g_autoptr (GSimpleAction) action = actions[i].state == NULL
                                         ? g_simple_action_new (actions[i].name, type)
                                         : g_simple_action_new_stateful (actions[i].name, type,
                                                                         g_variant_new_string (actions[i].state));

      /* The action map belongs to the window. */
      g_signal_connect (action, "activate", G_CALLBACK (on_activate), self);
      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
  for (guint i = 0; i < G_N_ELEMENTS (toggles); i++)
    {
      g_autoptr (GPropertyAction) action = g_property_action_new (toggles[i].name, toggles[i].widget,
                                                                  toggles[i].property);

      g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
    }
}

gboolean
es_window_is_busy (EsWindow *self)
{
  return es_session_get_n_active (self->session) > 0 || es_window_get_n_activities (self) > 0;
}

static gboolean
has_layer (EsResult *result, EsLayerKind one, EsLayerKind other)
{
  GListModel *layers = es_result_get_layers (result);

  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);

      if (es_layer_get_kind (layer) == one || es_layer_get_kind (layer) == other)
        return TRUE;
    }
  return FALSE;
}

void
es_window_update_actions (EsWindow *self)
{
  EsAnalysePanel *analyse = es_sidebar_get_analyse (self->sidebar);
  guint n_active, n_live;
  Needs met = NEEDS_NOTHING;
  gboolean running;

  /* The last jobs end while the window is being taken apart. */
  if (!es_shell_is_open (self->shell))
    return;
  n_active = es_session_get_n_active (self->session);
  /* A dragged threshold is no run of its own, nor is what follows it: the button would flicker. */
  n_live = (self->starting_live ? 1 : 0)
           + (self->live_job != NULL && es_session_is_under_way (self->session, self->live_job) ? 1 : 0)
           + (es_window_is_reconstructing (self) ? 1 : 0);
  running = n_active > n_live;

  if (self->dataset != NULL)
    {
      met |= NEEDS_DATASET;
      if (es_dataset_get_file (self->dataset) != NULL)
        met |= NEEDS_FILE;
      met |= es_window_get_recording (self) != NULL ? NEEDS_RECORDING : NEEDS_CUBE;
      if (es_window_can_play (self))
        met |= NEEDS_ARRAY | (self->result == NULL ? NEEDS_LIVE | NEEDS_COMMAND : 0);
      /* Beams are nothing without an array. */
      if (es_analyse_panel_get_operation (analyse) != NULL && !running && (met & (NEEDS_CUBE | NEEDS_ARRAY)) != 0)
        met |= NEEDS_OPERATION;
    }
  if (self->result != NULL)
    met |= NEEDS_RESULT | NEEDS_COMMAND
           | (has_layer (self->result, ES_LAYER_IMAGE_STACK, ES_LAYER_IMAGE_STACK) ? NEEDS_STACK | NEEDS_SAVABLE : 0)
           | (has_layer (self->result, ES_LAYER_FIELD, ES_LAYER_WATERFALL) ? NEEDS_FIELD | NEEDS_SAVABLE : 0)
           | (es_window_get_noise (self) != NULL ? NEEDS_NOISE : 0);
  if (es_window_is_busy (self))
    met |= NEEDS_BUSY;
  if (g_list_model_get_n_items (es_shell_get_work (self->shell)) > 0)
    met |= NEEDS_WORK;

  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), actions[i].name);

      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), (actions[i].needs & met) == actions[i].needs);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->copy_button), self->dataset != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->save_button), self->dataset != NULL);
  gtk_widget_set_visible (self->sidebar_button, self->dataset != NULL);
  gtk_widget_set_visible (self->compare_button, (met & NEEDS_CUBE) != 0);
  gtk_widget_set_visible (self->inspector_button, self->dataset != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->status_bar), (met & (NEEDS_DATASET | NEEDS_WORK)) != 0);
  es_analyse_panel_set_running (analyse, running);
}
