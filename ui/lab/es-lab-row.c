/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-row.h"

#include <glib/gi18n-lib.h>

#include "lab/parts/es-lab-text.h"

struct _EsLabRow
{
  AdwActionRow        parent_instance;

  const EsExperiment *experiment;
  GtkWidget          *icon;
  GtkWidget          *progress, *run;
};

G_DEFINE_FINAL_TYPE (EsLabRow, es_lab_row, ADW_TYPE_ACTION_ROW)

static void
es_lab_row_class_init (EsLabRowClass *class)
{
}

static void
es_lab_row_init (EsLabRow *self)
{
  self->icon = gtk_image_new ();
  gtk_widget_set_valign (self->icon, GTK_ALIGN_CENTER);
  adw_action_row_add_prefix (ADW_ACTION_ROW (self), self->icon);

  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_size_request (self->progress, 80, -1);
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->progress, FALSE);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->progress);
  self->run = gtk_button_new_from_icon_name ("media-playback-start-symbolic");
  gtk_widget_set_valign (self->run, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->run, "flat");
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), self->run);
  adw_action_row_add_suffix (ADW_ACTION_ROW (self), gtk_image_new_from_icon_name ("go-next-symbolic"));
  adw_action_row_set_title_lines (ADW_ACTION_ROW (self), 0);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (self), 3);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), TRUE);
}

GtkWidget *
es_lab_row_new (const EsExperiment *experiment)
{
  EsLabRow *self = g_object_new (ES_TYPE_LAB_ROW, NULL);
  const char *id = experiment->operation->id;
  g_autofree char *label = g_strdup_printf (_("Run “%s”"), _(experiment->operation->short_title));

  self->experiment = experiment;
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self), "win.lab-show");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self), "s", id);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->run), "win.lab-run");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->run), "s", id);
  gtk_widget_set_tooltip_text (self->run, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->run), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return GTK_WIDGET (self);
}

const EsExperiment *
es_lab_row_get_experiment (EsLabRow *self)
{
  g_return_val_if_fail (ES_IS_LAB_ROW (self), NULL);
  return self->experiment;
}

static void
set_icon (EsLabRow *self, const char *name, const char *class, const char *word)
{
  static const char *const classes[] = { "success", "warning", "dim-label" };

  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), name);
  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    gtk_widget_remove_css_class (self->icon, classes[i]);
  if (class != NULL)
    gtk_widget_add_css_class (self->icon, class);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->icon), GTK_ACCESSIBLE_PROPERTY_LABEL, word, -1);
}

static void
set_subtitle (EsLabRow *self, const char *text)
{
  g_autofree char *markup = g_markup_escape_text (text, -1);

  if (g_strcmp0 (adw_action_row_get_subtitle (ADW_ACTION_ROW (self)), markup) != 0)
    adw_action_row_set_subtitle (ADW_ACTION_ROW (self), markup);
}

static void
tell_result (EsLabRow *self, EsResult *result)
{
  EsVerdictState state = ES_VERDICT_TELLS;
  const char *sentence = result != NULL ? es_lab_find_sentence (result, &state) : NULL;

  if (result == NULL)
    set_icon (self, "es-result-symbolic", "dim-label", _("Not run yet"));
  else
    set_icon (self, es_lab_state_icon (state), es_lab_state_class (state), es_lab_state_word (state));
  set_subtitle (self, result == NULL ? _("Not run yet") : sentence != NULL ? sentence : _("Done"));
}

static void
tell_job (EsLabRow *self, EsJob *job)
{
  const double progress = CLAMP (es_job_get_progress (job), 0, 1);
  const char *stage = es_job_get_stage (job);

  /* Nothing that turns: a display without a card would have time for nothing else, nor would what is measured. */
  set_icon (self, "content-loading-symbolic", NULL, _("Running"));
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), progress);
  set_subtitle (self, es_job_get_state (job) == ES_JOB_PENDING ? _("Waits for the one before it")
                      : stage != NULL ? stage : _("Running"));
}

void
es_lab_row_update (EsLabRow *self, EsSession *session, EsMachine *machine, gboolean here)
{
  EsJob *job;

  g_return_if_fail (ES_IS_LAB_ROW (self) && ES_IS_MACHINE (machine));

  g_autofree char *title = g_markup_escape_text (es_experiment_get_question (self->experiment, machine), -1);
  if (g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (self)), title) != 0)
    adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self), title);

  job = es_lab_find_job (session, machine, self->experiment->operation);
  gtk_widget_set_visible (self->progress, job != NULL);
  gtk_widget_set_visible (self->run, here && job == NULL);
  if (job != NULL)
    tell_job (self, job);
  else
    tell_result (self, es_lab_find_result (session, machine, self->experiment->operation));
}
