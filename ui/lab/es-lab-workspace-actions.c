/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What can be done with a machine: actions of the window. */

#include "es-lab-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-json.h"
#include "base/es-task.h"
#include "device/es-device.h"
#include "lab/parts/es-lab-text.h"
#include "es-profile-window.h"
#include "operations/es-operations.h"
#include "page/es-cluster-page.h"
#include "page/es-ladder-page.h"
#include "saving/es-durable.h"
#include "widgets/es-capture.h"
#include "widgets/es-export.h"

/* What an action needs to make sense. */
enum
{
  NEEDS_MACHINE = 1 << 0,            /* a machine, or what was found of one, is shown */
  NEEDS_FINDINGS = 1 << 1,           /* something has been found of it */
  NEEDS_IDLE = 1 << 2,               /* no series is under way */
  NEEDS_SERIES = 1 << 3,             /* one is */
  NEEDS_LADDER = 1 << 4,             /* what a climb found is shown */
  NEEDS_FORM = 1 << 5,               /* the form of plans for a cluster is shown */
  NEEDS_PLAN = 1 << 6,               /* and what is chosen there makes a plan */
};

static EsShell *
shell_of (EsLabWorkspace *self)
{
  return es_workspace_get_shell (ES_WORKSPACE (self));
}

static const EsExperiment *
find_experiment (GVariant *parameter)
{
  const EsOperation *operation = es_operation_find (g_variant_get_string (parameter, NULL), NULL);

  return operation != NULL ? es_experiment_of (operation) : NULL;
}

static void
activate_run (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;
  EsAnalysePanel *analyse = es_shell_get_analyse (shell_of (self));
  const EsExperiment *experiment = find_experiment (parameter);
  EsParams *params;

  if (experiment == NULL || analyse == NULL || self->machine == NULL)
    return;
  /* With what stands in the panel, which shows it. */
  es_analyse_panel_set_operation (analyse, experiment->operation->id);
  params = es_analyse_panel_get_params_of (analyse, experiment->operation->id);
  es_session_run (es_shell_get_session (shell_of (self)), experiment->operation, ES_DATASET (self->machine), params,
                  NULL, NULL);
}

/* Of the picture that is shown: what lies around a place of it, or (0) the whole. */
static void
activate_zoom (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;
  EsResult *result = es_lab_page_get_result (self->page);
  EsAnalysePanel *analyse = es_shell_get_analyse (shell_of (self));
  const EsOperation *operation = result != NULL ? es_result_get_operation (result) : NULL;
  EsParams *params = analyse != NULL && operation != NULL
                     ? es_analyse_panel_get_params_of (analyse, operation->id) : NULL;
  double across, down, factor;

  if (params == NULL || self->machine == NULL)
    return;
  g_variant_get (parameter, "(ddd)", &across, &down, &factor);
  const char *const keys[] = { "x", "y", "width" };
  const double width = es_params_get_float (es_result_get_params (result), "width");
  const double values[] = { es_params_get_float (es_result_get_params (result), "x") + (across - 0.5) * width,
                            es_params_get_float (es_result_get_params (result), "y") + (down - 0.5) * width,
                            width / factor };
  /* The panel shows them. */
  es_analyse_panel_set_operation (analyse, operation->id);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (factor > 0)
      es_params_set_value (params, keys[i], values[i]);
    else
      es_params_reset_key (params, keys[i]);
  es_session_run (es_shell_get_session (shell_of (self)), operation, ES_DATASET (self->machine), params, NULL, NULL);
}

static void
activate_show (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;
  const EsExperiment *experiment = find_experiment (parameter);
  EsResult *result;

  if (experiment == NULL || self->machine == NULL)
    return;
  result = es_lab_find_result (es_shell_get_session (shell_of (self)), self->machine, experiment->operation);
  if (result != NULL)
    es_shown_set (es_workspace_get_shown (owner), ES_DATASET (self->machine), result, NULL);
  else
    _es_lab_workspace_ask (self, experiment);
}

static void
activate_back (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;

  if (self->planning)
    _es_lab_workspace_plan (self, FALSE);
  else if (self->asked != NULL)
    _es_lab_workspace_ask (self, NULL);
  else if (self->machine != NULL)
    es_shown_set (es_workspace_get_shown (owner), ES_DATASET (self->machine), NULL, NULL);
}

static void
activate_run_all (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;

  if (self->machine != NULL)
    es_lab_series_start (self->series, self->machine);
}

static void
activate_cancel (gpointer owner, const char *name, GVariant *parameter)
{
  es_lab_series_cancel (ES_LAB_WORKSPACE (owner)->series);
}

/* ---- profiles ---- */

/* Of what has been found of the machine that is shown; NULL, and it is said: nothing yet. Transfer full. */
static EsDeviceProfile *
make_profile (EsLabWorkspace *self)
{
  g_autoptr (GPtrArray) results = es_lab_list_results (es_shell_get_session (shell_of (self)), self->machine);
  EsDeviceProfile *profile = results->len > 0 ? es_device_profile_new (results) : NULL;

  if (profile == NULL)
    es_shell_say (shell_of (self), _("Nothing has been measured yet that a profile could hold."));
  return profile;
}

static void
save_profile_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsLabWorkspace *self = user_data;
  g_autoptr (EsDeviceProfile) profile = self->machine != NULL ? make_profile (self) : NULL;
  g_autoptr (GError) error = NULL;

  if (profile == NULL)
    return;
  if (es_device_profile_save (profile, file, &error))
    es_shell_say_saved (shell_of (self), file);
  else
    es_export_report (widget, error->message);
}

static void
activate_save_profile (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;

  if (self->machine != NULL)
    es_export_ask_file (GTK_WIDGET (self->middle), _("Save Profile"),
                        es_dataset_get_name (ES_DATASET (self->machine)), "json", save_profile_to, self);
}

static void
on_profile_opened (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsShell) shell = data;
  g_autoptr (GError) error = NULL;

  if (!es_lab_profiles_open_finish (ES_LAB_PROFILES (source), result, &error) && es_shell_is_open (shell))
    es_shell_say (shell, error->message);
}

static void
on_profile_chosen (GtkFileChooserNative *chooser, int response, gpointer owner)
{
  EsLabWorkspace *self = owner;
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                                                           : NULL;

  if (file != NULL)
    es_lab_profiles_open_async (self->profiles, file, NULL, on_profile_opened, g_object_ref (shell_of (self)));
}

static void
choose_json (EsLabWorkspace *self, const char *title, const char *kind, GCallback chosen)
{
  GtkWindow *window = es_shell_get_window (shell_of (self));
  GtkFileChooserNative *chooser;
  GtkFileFilter *filter;

  if (window == NULL || es_shell_is_choosing (shell_of (self)))
    return;
  chooser = gtk_file_chooser_native_new (title, window, GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
  filter = gtk_file_filter_new ();
  gtk_file_filter_set_name (filter, kind);
  gtk_file_filter_add_pattern (filter, "*.json");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  g_object_unref (filter);
  es_shell_choose (shell_of (self), chooser, chosen, self);
}

static void
activate_open_profile (gpointer owner, const char *name, GVariant *parameter)
{
  choose_json (owner, _("Open a Profile"), _("Profiles of devices"), G_CALLBACK (on_profile_chosen));
}

static void
activate_profile (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;
  GtkWindow *window = es_shell_get_window (shell_of (self));
  g_autoptr (EsDeviceProfile) profile = self->machine != NULL && window != NULL ? make_profile (self) : NULL;

  if (profile != NULL)
    gtk_window_present (GTK_WINDOW (es_profile_window_new (window, profile, self->profiles)));
}

static void
on_profile_read (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsLabWorkspace) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDeviceProfile) profile = es_lab_profile_read_finish (result, &error);
  GtkWindow *window = es_shell_is_open (shell_of (self)) ? es_shell_get_window (shell_of (self)) : NULL;

  if (window == NULL)
    return;
  if (profile != NULL)
    gtk_window_present (GTK_WINDOW (es_profile_window_new (window, profile, self->profiles)));
  else
    es_shell_say (shell_of (self), error->message);
}

void
es_lab_workspace_show_profile (EsLabWorkspace *self, GFile *file)
{
  g_return_if_fail (ES_IS_LAB_WORKSPACE (self) && G_IS_FILE (file));

  es_lab_profile_read_async (file, NULL, on_profile_read, g_object_ref (self));
}

/* ---- ladders ---- */

/* Of the result that was shown when it was asked for. */
typedef struct
{
  EsShell  *shell;
  EsResult *result;
} LadderSaving;

static void
free_ladder_saving (gpointer data)
{
  LadderSaving *self = data;

  g_object_unref (self->shell);
  g_object_unref (self->result);
  g_free (self);
}

static void
write_ladder (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  LadderSaving *self = data;
  GError *error = NULL;

  if (es_ladder_page_write (self->result, G_FILE (source), es_ladder_page_get_format (G_FILE (source)), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_ladder_written (GObject *source, GAsyncResult *result, gpointer data)
{
  LadderSaving *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  const gboolean done = g_task_propagate_boolean (G_TASK (result), &error);

  if (!es_shell_is_open (self->shell))
    return;
  if (done)
    es_shell_say_saved (self->shell, G_FILE (source));
  else
    es_shell_say (self->shell, error->message);
}

void
es_lab_workspace_save_ladder (EsLabWorkspace *self, GFile *file)
{
  EsResult *result = self->page != NULL ? es_lab_page_get_result (self->page) : NULL;
  LadderSaving *saving;
  g_autoptr (GTask) task = NULL;

  if (result == NULL || !es_ladder_page_suits (result))
    return;
  saving = g_new0 (LadderSaving, 1);
  saving->shell = g_object_ref (shell_of (self));
  saving->result = g_object_ref (result);
  task = g_task_new (file, NULL, on_ladder_written, NULL);
  g_task_set_source_tag (task, es_lab_workspace_save_ladder);
  g_task_set_task_data (task, saving, free_ladder_saving);
  es_task_run_in_thread (task, write_ladder);
}

static void
save_ladder_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  es_lab_workspace_save_ladder (user_data, file);
}

static void
activate_save_ladder (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;
  EsResult *result = es_lab_page_get_result (self->page);

  if (result != NULL)
    es_export_ask_file (GTK_WIDGET (self->middle), _("Save Ladder"), es_result_get_title (result),
                        g_variant_get_string (parameter, NULL), save_ladder_to, self);
}

/* ---- plans ---- */

static void
activate_plan (gpointer owner, const char *name, GVariant *parameter)
{
  _es_lab_workspace_plan (owner, TRUE);
}

static const EsClusterPlan *
get_plan (EsLabWorkspace *self)
{
  return self->cluster != NULL ? es_cluster_choice_get_plan (es_cluster_view_get_choice (self->cluster)) : NULL;
}

void
es_lab_workspace_save_plan (EsLabWorkspace *self, GFile *file, gboolean cluster)
{
  /* Meanwhile what is chosen may make no plan. */
  const EsClusterPlan *plan = get_plan (self);
  g_autoptr (JsonNode) root = plan != NULL ? es_cluster_to_json (plan->cluster) : NULL;
  g_autofree char *text = root != NULL ? es_json_to_text (root) : NULL;
  g_autoptr (GError) error = NULL;

  if (plan == NULL)
    return;
  if (cluster ? es_durable_write_text (file, text, &error) : es_cluster_page_write (plan, file, &error))
    es_shell_say_saved (shell_of (self), file);
  else
    es_shell_say (shell_of (self), error->message);
}

static void
save_plan_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  es_lab_workspace_save_plan (user_data, file, FALSE);
}

static void
save_cluster_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  es_lab_workspace_save_plan (user_data, file, TRUE);
}

static void
activate_save_plan (gpointer owner, const char *name, GVariant *parameter)
{
  EsLabWorkspace *self = owner;
  const char *target = g_variant_get_string (parameter, NULL);
  const EsClusterPlan *plan = get_plan (self);
  const gboolean cluster = g_str_equal (target, "cluster");

  if (plan != NULL)
    es_export_ask_file (GTK_WIDGET (self->middle), cluster ? _("Save Cluster") : _("Save Plan"),
                        cluster ? _("cluster") : plan->work->operation, cluster ? "json" : target,
                        cluster ? save_cluster_to : save_plan_to, self);
}

static void
on_cluster_chosen (GtkFileChooserNative *chooser, int response, gpointer owner)
{
  EsLabWorkspace *self = owner;
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                                                           : NULL;
  g_autoptr (GError) error = NULL;

  if (file != NULL && self->cluster != NULL
      && !es_cluster_choice_load (es_cluster_view_get_choice (self->cluster), file, &error))
    es_shell_say (shell_of (self), error->message);
}

static void
activate_open_cluster (gpointer owner, const char *name, GVariant *parameter)
{
  choose_json (owner, _("Open a Cluster"), _("Clusters"), G_CALLBACK (on_cluster_chosen));
}

/* ---- the table ---- */

static const EsAction actions[] = {
  { "lab-run", "s", activate_run, NEEDS_MACHINE },
  { "lab-show", "s", activate_show, NEEDS_MACHINE },
  { "lab-zoom", "(ddd)", activate_zoom, NEEDS_MACHINE | NEEDS_FINDINGS },
  { "lab-back", NULL, activate_back, NEEDS_MACHINE },
  { "lab-run-all", NULL, activate_run_all, NEEDS_MACHINE | NEEDS_IDLE },
  { "lab-cancel", NULL, activate_cancel, NEEDS_SERIES },
  { "lab-save-profile", NULL, activate_save_profile, NEEDS_MACHINE | NEEDS_FINDINGS },
  { "lab-open-profile", NULL, activate_open_profile, NEEDS_MACHINE },
  { "lab-save-ladder", "s", activate_save_ladder, NEEDS_LADDER },
  { "lab-plan", NULL, activate_plan, NEEDS_MACHINE },
  { "lab-open-cluster", NULL, activate_open_cluster, NEEDS_MACHINE | NEEDS_FORM },
  { "lab-save-plan", "s", activate_save_plan, NEEDS_MACHINE | NEEDS_PLAN },
  { "lab-profile", NULL, activate_profile, NEEDS_MACHINE | NEEDS_FINDINGS },
};

static const EsWorkspaceKey keys[] = {
  { GDK_KEY_Left, GDK_ALT_MASK, "win.lab-back" },
};

static guint
get_met (EsWorkspace *workspace)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (workspace);
  EsResult *shown = es_shown_get_result (es_workspace_get_shown (workspace));
  const gboolean running = self->series != NULL && es_lab_series_is_running (self->series);
  guint met = running ? NEEDS_SERIES : NEEDS_IDLE;

  if (self->machine != NULL)
    {
      g_autoptr (GPtrArray) results = es_lab_list_results (es_shell_get_session (shell_of (self)), self->machine);

      met |= NEEDS_MACHINE | (results->len > 0 ? NEEDS_FINDINGS : 0);
      met |= self->planning ? NEEDS_FORM : 0;
      met |= self->planning && get_plan (self) != NULL ? NEEDS_PLAN : 0;
      met |= shown != NULL && es_ladder_page_suits (shown) ? NEEDS_LADDER : 0;
    }
  return met;
}

GdkTexture *
_es_lab_workspace_render (EsLabWorkspace *self)
{
  if (self->planning)
    return es_capture_render (GTK_WIDGET (self->cluster), 2);
  return gtk_stack_get_visible_child (self->middle) == GTK_WIDGET (self->page)
         ? es_lab_page_render (self->page)
         : es_capture_render (GTK_WIDGET (self->overview), 2);
}

void
_es_lab_workspace_install_actions (EsWorkspaceClass *class)
{
  class->actions = actions;
  class->n_actions = G_N_ELEMENTS (actions);
  class->keys = keys;
  class->n_keys = G_N_ELEMENTS (keys);
  class->get_met = get_met;
}
