/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-workspace-private.h"

#include <glib/gi18n-lib.h>

#include "lab/parts/es-lab-text.h"
#include "files/es-saver.h"
#include "lab/es-kept-profiles.h"
#include "lab/plan/es-cluster-keep.h"
#include "widgets/es-export.h"

G_DEFINE_FINAL_TYPE (EsLabWorkspace, es_lab_workspace, ES_TYPE_WORKSPACE)

static EsShell *
shell_of (EsLabWorkspace *self)
{
  return es_workspace_get_shell (ES_WORKSPACE (self));
}

/* ---- what is shown ---- */

static void
on_series (EsLabWorkspace *self)
{
  g_autofree char *status = NULL;

  if (es_lab_series_is_running (self->series))
    status = g_strdup_printf (_("%u of %u experiments done"), es_lab_series_get_n_done (self->series),
                              es_lab_series_get_n (self->series));
  es_workspace_set_status (ES_WORKSPACE (self), status != NULL ? status : "");
  es_shell_update (shell_of (self));
}

/* What the program chooses for itself follows from it: nobody has to save it for that. */
static void
on_series_finished (EsLabWorkspace *self, EsMachine *machine)
{
  g_autoptr (GPtrArray) results = es_lab_list_results (es_shell_get_session (shell_of (self)), machine);
  g_autoptr (EsDeviceProfile) profile = es_device_profile_new (results);
  g_autoptr (GError) error = NULL;

  if (profile != NULL && !es_device_profile_keep (profile, &error))
    es_shell_say (shell_of (self), error->message);
}

static void
on_profiles (EsLabWorkspace *self)
{
  es_shell_changed (shell_of (self));
}

static void
ensure_widgets (EsLabWorkspace *self)
{
  EsSession *session = es_shell_get_session (shell_of (self));

  if (self->middle != NULL)
    return;
  self->series = es_lab_series_new (session);
  self->middle = g_object_ref_sink (g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE, NULL));
  self->overview = ES_LAB_OVERVIEW (es_lab_overview_new (session, self->series, self->profiles));
  self->page = ES_LAB_PAGE (es_lab_page_new (self->profiles));
  gtk_stack_add_child (self->middle, GTK_WIDGET (self->overview));
  gtk_stack_add_child (self->middle, GTK_WIDGET (self->page));
  self->save_menu = es_workspace_load_save_menu ("es-lab-menu");
  g_signal_connect_object (self->series, "changed", G_CALLBACK (on_series), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->series, "finished", G_CALLBACK (on_series_finished), self, G_CONNECT_SWAPPED);
}

static void
update_middle (EsLabWorkspace *self)
{
  EsShown *shown = es_workspace_get_shown (ES_WORKSPACE (self));
  EsResult *result = es_shown_get_result (shown);
  const EsExperiment *experiment = result != NULL ? es_experiment_of (es_result_get_operation (result)) : self->asked;

  if (self->planning)
    {
      gtk_stack_set_visible_child (self->middle, GTK_WIDGET (self->cluster));
      return;
    }
  if (result == NULL && self->asked == NULL)
    {
      es_lab_overview_set_machine (self->overview, self->machine);
      gtk_stack_set_visible_child (self->middle, GTK_WIDGET (self->overview));
      return;
    }
  es_lab_page_show (self->page, self->machine, experiment, result);
  if (result != NULL && es_shown_get_layer (shown) != NULL)
    es_lab_page_seek (self->page, es_shown_get_layer (shown));
  gtk_stack_set_visible_child (self->middle, GTK_WIDGET (self->page));
}

void
_es_lab_workspace_ask (EsLabWorkspace *self, const EsExperiment *experiment)
{
  EsAnalysePanel *analyse = es_shell_get_analyse (shell_of (self));

  self->asked = experiment;
  self->planning = FALSE;
  if (experiment != NULL && analyse != NULL)
    es_analyse_panel_set_operation (analyse, experiment->operation->id);
  if (self->machine == NULL)
    return;
  update_middle (self);
  es_shell_update (shell_of (self));
}

static void
on_plan (EsLabWorkspace *self)
{
  es_shell_changed (shell_of (self));
  es_shell_update (shell_of (self));
}

void
_es_lab_workspace_plan (EsLabWorkspace *self, gboolean planning)
{
  if (self->machine == NULL)
    return;
  if (planning && self->cluster == NULL)
    {
      self->cluster = ES_CLUSTER_VIEW (es_cluster_view_new (es_shell_get_session (shell_of (self))));
      gtk_stack_add_child (self->middle, GTK_WIDGET (self->cluster));
      if (self->plan_told != NULL)
        es_cluster_choice_take (es_cluster_view_get_choice (self->cluster), self->plan_told);
      g_clear_pointer (&self->plan_told, json_node_unref);
      g_signal_connect_object (es_cluster_view_get_choice (self->cluster), "changed", G_CALLBACK (on_plan), self,
                               G_CONNECT_SWAPPED);
    }
  self->planning = planning;
  update_middle (self);
  es_shell_update (shell_of (self));
}

static gboolean
show (EsWorkspace *workspace, EsResult *replaced)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (workspace);
  EsShown *shown = es_workspace_get_shown (workspace);
  EsDataset *dataset = es_shown_get_dataset (shown);

  if (dataset == NULL || !ES_IS_MACHINE (dataset))
    {
      if (self->machine != NULL)
        {
          es_lab_page_show (self->page, NULL, NULL, NULL);
          es_lab_overview_set_machine (self->overview, NULL);
        }
      g_clear_object (&self->machine);
      self->asked = NULL;
      self->planning = FALSE;
      return FALSE;
    }
  ensure_widgets (self);
  g_set_object (&self->machine, ES_MACHINE (dataset));
  self->asked = NULL;
  self->planning = FALSE;
  update_middle (self);
  return TRUE;
}

/* ---- what the window asks ---- */

static EsWorkspaceAbilities
get_abilities (EsWorkspace *workspace)
{
  return ES_WORKSPACE_RUNS;
}

static GtkWidget *
get_middle (EsWorkspace *workspace)
{
  ensure_widgets (ES_LAB_WORKSPACE (workspace));
  return GTK_WIDGET (ES_LAB_WORKSPACE (workspace)->middle);
}

static GMenuModel *
get_save_menu (EsWorkspace *workspace)
{
  return ES_LAB_WORKSPACE (workspace)->save_menu;
}

static void
on_picture_saved (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (EsShell) shell = data;
  g_autoptr (GError) error = NULL;

  if (!es_export_save_texture_finish (result, &error) && es_shell_is_open (shell))
    es_shell_say (shell, error->message);
}

static void
save_picture_to (GtkWidget *widget, GFile *file, const char *choice, gpointer user_data)
{
  EsLabWorkspace *self = user_data;
  g_autoptr (GdkTexture) texture = self->machine != NULL ? _es_lab_workspace_render (self) : NULL;

  if (texture != NULL)
    es_export_save_texture_async (texture, file, NULL, on_picture_saved, g_object_ref (shell_of (self)));
}

static void
activate (EsWorkspace *workspace, const char *what)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (workspace);

  if (self->machine == NULL)
    return;
  if (g_str_equal (what, "copy"))
    {
      g_autoptr (GdkTexture) texture = _es_lab_workspace_render (self);

      if (texture != NULL)
        gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (self->middle)), texture);
    }
  else if (g_str_equal (what, "save-picture"))
    es_export_ask_file (GTK_WIDGET (self->middle), _("Save Picture"), es_dataset_get_name (ES_DATASET (self->machine)),
                        "png", save_picture_to, self);
  else if (g_str_equal (what, "save"))
    es_saver_choose (shell_of (self), ES_SAVE_ALL, NULL);
}

/* Only what a series runs: it comes one by one, and the list of experiments stays in view. */
static gboolean
owns_job (EsWorkspace *workspace, EsJob *job)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (workspace);

  return self->series != NULL && es_lab_series_owns (self->series, job);
}

static void
cancel (EsWorkspace *workspace)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (workspace);

  if (self->series != NULL)
    es_lab_series_cancel (self->series);
}

static void
forget (EsWorkspace *workspace, EsDataset *dataset)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (workspace);

  if (self->series != NULL && ES_DATASET (es_lab_series_get_machine (self->series)) == dataset)
    es_lab_series_cancel (self->series);
}

/* ---- what sessions keep ---- */

static JsonNode *
tell_profiles (gpointer owner)
{
  return es_lab_profiles_tell (ES_LAB_WORKSPACE (owner)->profiles);
}

static void
take_profiles (gpointer owner, JsonNode *told)
{
  es_lab_profiles_take (ES_LAB_WORKSPACE (owner)->profiles, told);
}

static JsonNode *
tell_plan (gpointer owner)
{
  EsLabWorkspace *self = owner;

  if (self->cluster != NULL)
    return es_cluster_choice_tell (es_cluster_view_get_choice (self->cluster));
  return self->plan_told != NULL ? json_node_copy (self->plan_told) : NULL;
}

/* Nobody may ever look at it. */
static void
take_plan (gpointer owner, JsonNode *told)
{
  EsLabWorkspace *self = owner;

  if (self->cluster != NULL)
    {
      es_cluster_choice_take (es_cluster_view_get_choice (self->cluster), told);
      return;
    }
  g_clear_pointer (&self->plan_told, json_node_unref);
  self->plan_told = json_node_copy (told);
}

static const EsShellSection section = { "lab", tell_profiles, take_profiles };
static const EsShellSection plan_section = { "lab-plan", tell_plan, take_plan };

/* ---- the class ---- */

static void
es_lab_workspace_constructed (GObject *object)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (object);

  G_OBJECT_CLASS (es_lab_workspace_parent_class)->constructed (object);
  es_shell_keep (shell_of (self), &section, object);
  es_shell_keep (shell_of (self), &plan_section, object);
}

static void
es_lab_workspace_dispose (GObject *object)
{
  EsLabWorkspace *self = ES_LAB_WORKSPACE (object);

  g_clear_object (&self->middle);
  g_clear_object (&self->series);
  g_clear_object (&self->profiles);
  g_clear_object (&self->machine);
  g_clear_object (&self->save_menu);
  g_clear_pointer (&self->plan_told, json_node_unref);
  G_OBJECT_CLASS (es_lab_workspace_parent_class)->dispose (object);
}

static void
es_lab_workspace_class_init (EsLabWorkspaceClass *class)
{
  EsWorkspaceClass *workspace_class = ES_WORKSPACE_CLASS (class);

  G_OBJECT_CLASS (class)->constructed = es_lab_workspace_constructed;
  G_OBJECT_CLASS (class)->dispose = es_lab_workspace_dispose;

  _es_lab_workspace_install_actions (workspace_class);
  workspace_class->data_height = 104;
  workspace_class->show = show;
  workspace_class->get_abilities = get_abilities;
  workspace_class->get_middle = get_middle;
  workspace_class->get_save_menu = get_save_menu;
  workspace_class->activate = activate;
  workspace_class->forget = forget;
  workspace_class->owns_job = owns_job;
  workspace_class->cancel = cancel;
  workspace_class->close = cancel;
}

static void
es_lab_workspace_init (EsLabWorkspace *self)
{
  self->profiles = es_lab_profiles_new ();
  g_signal_connect_object (self->profiles, "changed", G_CALLBACK (on_profiles), self, G_CONNECT_SWAPPED);
}

EsLabSeries *
es_lab_workspace_get_series (EsLabWorkspace *self)
{
  g_return_val_if_fail (ES_IS_LAB_WORKSPACE (self), NULL);
  return self->series;
}

EsLabProfiles *
es_lab_workspace_get_profiles (EsLabWorkspace *self)
{
  g_return_val_if_fail (ES_IS_LAB_WORKSPACE (self), NULL);
  return self->profiles;
}
