/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-overview.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include "device/es-device.h"
#include "es-lab-compare.h"
#include "es-lab-row.h"
#include "lab/parts/es-lab-cards.h"
#include "widgets/es-wrap-layout.h"

#define WIDEST 1160
#define UPDATE_MS 40

struct _EsLabOverview
{
  GtkWidget      parent_instance;

  EsSession     *session;
  EsLabSeries   *series;
  EsMachine     *machine;            /* nullable */

  GtkWidget     *page;               /* what scrolls */
  GtkWidget     *name, *detail, *absent;
  GtkWidget     *facts;
  char          *shown_facts;
  GtkWidget     *bar;                /* of what can be done with all */
  GtkWidget     *run_all, *cancel, *progress, *progress_text;
  GtkWidget     *groups;
  GPtrArray     *rows;               /* of EsLabRow; borrowed */
  guint          update_source;
};

G_DEFINE_FINAL_TYPE (EsLabOverview, es_lab_overview, GTK_TYPE_WIDGET)

/* ---- as it is ---- */

/* Among those that are known by now: nobody waits for a search. */
static gboolean
is_here (EsMachine *machine)
{
  GListModel *devices = es_devices_get ();

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      if (g_strcmp0 (es_device_get_id (device), es_machine_get_id (machine)) == 0)
        return es_machine_is_here (machine);
    }
  return FALSE;
}

static GtkWidget *
make_fact (const char *title, const char *text)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *above = gtk_label_new (title), *below = gtk_label_new (text);
  GtkWidget *labels[] = { above, below };

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      gtk_label_set_xalign (GTK_LABEL (labels[i]), 0);
      gtk_label_set_wrap (GTK_LABEL (labels[i]), TRUE);
      gtk_label_set_wrap_mode (GTK_LABEL (labels[i]), PANGO_WRAP_WORD_CHAR);
      gtk_label_set_max_width_chars (GTK_LABEL (labels[i]), 30);
      gtk_box_append (GTK_BOX (box), labels[i]);
    }
  gtk_widget_add_css_class (above, "caption");
  gtk_widget_add_css_class (above, "dim-label");
  gtk_label_set_selectable (GTK_LABEL (below), TRUE);
  gtk_widget_add_css_class (box, "es-fact");
  return box;
}

static void
fill_facts (EsLabOverview *self)
{
  g_auto (GStrv) facts = es_machine_list_facts (self->machine);
  g_autofree char *all = g_strjoinv ("\n", facts);
  GtkWidget *child;

  /* Whatever is selected in it stays selected. */
  if (g_strcmp0 (all, self->shown_facts) == 0)
    return;
  g_free (self->shown_facts);
  self->shown_facts = g_steal_pointer (&all);
  while ((child = gtk_widget_get_first_child (self->facts)) != NULL)
    gtk_flow_box_remove (GTK_FLOW_BOX (self->facts), child);
  for (guint i = 0; facts[i] != NULL && facts[i + 1] != NULL; i += 2)
    {
      gtk_flow_box_append (GTK_FLOW_BOX (self->facts), make_fact (facts[i], facts[i + 1]));
      gtk_widget_set_focusable (gtk_widget_get_last_child (self->facts), FALSE);
    }
}

static void
update_series (EsLabOverview *self)
{
  const gboolean running = es_lab_series_get_machine (self->series) == self->machine;
  const guint n = es_lab_series_get_n (self->series), done = es_lab_series_get_n_done (self->series);
  g_autofree char *text = g_strdup_printf (_("%u of %u experiments done"), done, n);

  gtk_widget_set_visible (self->run_all, !running);
  gtk_widget_set_visible (self->cancel, running);
  gtk_widget_set_visible (self->progress, running);
  gtk_widget_set_visible (self->progress_text, running);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), es_lab_series_get_progress (self->series));
  gtk_label_set_label (GTK_LABEL (self->progress_text), text);
}

static gboolean
on_update (gpointer data)
{
  EsLabOverview *self = data;
  gboolean here;

  self->update_source = 0;
  if (self->machine == NULL)
    return G_SOURCE_REMOVE;
  here = is_here (self->machine);
  gtk_widget_set_visible (self->absent, !here);
  for (guint i = 0; i < self->rows->len; i++)
    es_lab_row_update (g_ptr_array_index (self->rows, i), self->session, self->machine, here);
  update_series (self);
  fill_facts (self);
  return G_SOURCE_REMOVE;
}

void
es_lab_overview_update (EsLabOverview *self)
{
  g_return_if_fail (ES_IS_LAB_OVERVIEW (self));

  /* Not when idle: while something is drawn all the time, a slow display never is. */
  if (self->update_source == 0)
    self->update_source = g_timeout_add (UPDATE_MS, on_update, self);
}

/* ---- which experiments ---- */

static GtkWidget *
make_group (EsLabOverview *self, EsExperimentGroup group)
{
  GtkWidget *widget = NULL;

  for (const EsExperiment * const *at = es_experiments_get (); *at != NULL; at++)
    {
      GtkWidget *row;

      if ((*at)->group != group || !es_experiment_suits (*at, self->machine))
        continue;
      if (widget == NULL)
        {
          g_autofree char *title = g_markup_escape_text (es_experiment_group_title (group), -1);

          widget = adw_preferences_group_new ();
          adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (widget), title);
        }
      row = es_lab_row_new (*at);
      adw_preferences_group_add (ADW_PREFERENCES_GROUP (widget), row);
      g_ptr_array_add (self->rows, row);
    }
  return widget;
}

/* What is no experiment of this device, and yet follows from what is known of devices. */
static GtkWidget *
make_plan_group (void)
{
  GtkWidget *group = adw_preferences_group_new (), *row = adw_action_row_new ();

  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _("More than one machine"));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), _("How long would it take on a cluster?"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), _("An analysis on 1 to 1,000 nodes: time, efficiency, what it is "
                                                       "held back by, what it costs"));
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 3);
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("network-workgroup-symbolic"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.lab-plan");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
  return group;
}

static void
fill_groups (EsLabOverview *self)
{
  GtkWidget *child;

  g_ptr_array_set_size (self->rows, 0);
  while ((child = gtk_widget_get_first_child (self->groups)) != NULL)
    gtk_box_remove (GTK_BOX (self->groups), child);
  for (guint group = 0; self->machine != NULL && group < ES_N_EXPERIMENT_GROUPS; group++)
    {
      GtkWidget *widget = make_group (self, group);

      if (widget != NULL)
        gtk_box_append (GTK_BOX (self->groups), widget);
    }
  if (self->rows->len == 0)
    {
      GtkWidget *label = gtk_label_new (_("No experiment suits this device."));

      gtk_widget_add_css_class (label, "dim-label");
      gtk_box_append (GTK_BOX (self->groups), label);
    }
  gtk_box_append (GTK_BOX (self->groups), make_plan_group ());
}

void
es_lab_overview_set_machine (EsLabOverview *self, EsMachine *machine)
{
  g_autofree char *described = NULL;

  g_return_if_fail (ES_IS_LAB_OVERVIEW (self));

  if (g_set_object (&self->machine, machine) && machine != NULL)
    {
      described = es_dataset_describe (ES_DATASET (machine));
      gtk_label_set_label (GTK_LABEL (self->name), es_dataset_get_name (ES_DATASET (machine)));
      gtk_label_set_label (GTK_LABEL (self->detail), described);
      fill_groups (self);
    }
  /* It is about to be seen: as it is now. */
  g_clear_handle_id (&self->update_source, g_source_remove);
  on_update (self);
}

/* ---- the widget ---- */

static void
on_jobs (EsLabOverview *self, guint position, guint removed, guint added, GListModel *jobs)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (jobs, i);

      g_signal_connect_object (job, "notify::state", G_CALLBACK (es_lab_overview_update), self,
                               G_CONNECT_SWAPPED | G_CONNECT_AFTER);
      g_signal_connect_object (job, "notify::progress", G_CALLBACK (es_lab_overview_update), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (job, "notify::stage", G_CALLBACK (es_lab_overview_update), self, G_CONNECT_SWAPPED);
    }
  es_lab_overview_update (self);
}

static GtkWidget *
make_button (const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
fill_bar (EsLabOverview *self, EsLabProfiles *profiles)
{
  GtkWidget *profile = make_button (_("Profile as a P_age"), "win.lab-profile");
  GtkWidget *save = make_button (_("_Save Profile…"), "win.lab-save-profile");

  self->run_all = make_button (_("Run _All"), "win.lab-run-all");
  gtk_widget_add_css_class (self->run_all, "suggested-action");
  gtk_widget_set_tooltip_text (self->run_all, _("Every experiment that a profile is made of, one after the other"));
  self->cancel = make_button (_("_Cancel"), "win.lab-cancel");
  gtk_widget_set_tooltip_text (profile, _("What was found of this machine on one page, beside others"));
  self->bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_layout_manager (self->bar, es_wrap_layout_new (6, 6));
  gtk_box_append (GTK_BOX (self->bar), self->run_all);
  gtk_box_append (GTK_BOX (self->bar), self->cancel);
  gtk_box_append (GTK_BOX (self->bar), profile);
  gtk_box_append (GTK_BOX (self->bar), save);
  gtk_box_append (GTK_BOX (self->bar), es_lab_compare_new (profiles));
}

static void
es_lab_overview_dispose (GObject *object)
{
  EsLabOverview *self = ES_LAB_OVERVIEW (object);

  g_clear_handle_id (&self->update_source, g_source_remove);
  g_clear_pointer (&self->page, gtk_widget_unparent);
  g_clear_object (&self->machine);
  g_clear_object (&self->session);
  g_clear_object (&self->series);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  g_clear_pointer (&self->shown_facts, g_free);
  G_OBJECT_CLASS (es_lab_overview_parent_class)->dispose (object);
}

static void
es_lab_overview_class_init (EsLabOverviewClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_lab_overview_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (class), "laboverview");
}

static void
es_lab_overview_init (EsLabOverview *self)
{
  self->rows = g_ptr_array_new ();
}

static GtkWidget *
make_column (EsLabOverview *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18), *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 3);

  self->name = es_lab_label_new (NULL, "title-1");
  self->detail = es_lab_label_new (NULL, "dim-label");
  self->absent = es_lab_label_new (NULL, "warning");
  gtk_label_set_label (GTK_LABEL (self->absent), _("This machine is not here. What it has found can be looked at; "
                                                   "nothing can be measured."));
  self->progress = gtk_progress_bar_new ();
  self->progress_text = es_lab_label_new (NULL, "dim-label");
  self->facts = gtk_flow_box_new ();
  /* They are selected by the mouse: two dozen would stand between the keyboard and the experiments. */
  gtk_widget_set_can_focus (self->facts, FALSE);
  gtk_flow_box_set_selection_mode (GTK_FLOW_BOX (self->facts), GTK_SELECTION_NONE);
  gtk_flow_box_set_min_children_per_line (GTK_FLOW_BOX (self->facts), 1);
  gtk_flow_box_set_max_children_per_line (GTK_FLOW_BOX (self->facts), 6);
  gtk_flow_box_set_homogeneous (GTK_FLOW_BOX (self->facts), TRUE);
  gtk_flow_box_set_column_spacing (GTK_FLOW_BOX (self->facts), 12);
  gtk_flow_box_set_row_spacing (GTK_FLOW_BOX (self->facts), 6);
  gtk_widget_add_css_class (self->facts, "card");
  gtk_widget_add_css_class (self->facts, "es-facts");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->facts), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What the machine says of itself"), -1);
  self->groups = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  gtk_box_append (GTK_BOX (head), self->name);
  gtk_box_append (GTK_BOX (head), self->detail);
  gtk_box_append (GTK_BOX (head), self->absent);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), self->bar);
  gtk_box_append (GTK_BOX (box), self->progress_text);
  gtk_box_append (GTK_BOX (box), self->progress);
  gtk_box_append (GTK_BOX (box), self->facts);
  gtk_box_append (GTK_BOX (box), self->groups);
  gtk_widget_add_css_class (box, "es-lab-column");
  return box;
}

GtkWidget *
es_lab_overview_new (EsSession *session, EsLabSeries *series, EsLabProfiles *profiles)
{
  EsLabOverview *self = g_object_new (ES_TYPE_LAB_OVERVIEW, NULL);
  GtkWidget *clamp = adw_clamp_new ();
  GListModel *jobs = es_session_get_jobs (session);

  self->session = g_object_ref (session);
  self->series = g_object_ref (series);
  fill_bar (self, profiles);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDEST);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), WIDEST * 3 / 4);
  adw_clamp_set_child (ADW_CLAMP (clamp), make_column (self));
  self->page = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->page), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->page), clamp);
  gtk_widget_set_parent (self->page, GTK_WIDGET (self));
  g_signal_connect_object (series, "changed", G_CALLBACK (es_lab_overview_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (es_devices_get (), "items-changed", G_CALLBACK (es_lab_overview_update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (jobs, "items-changed", G_CALLBACK (on_jobs), self, G_CONNECT_SWAPPED);
  on_jobs (self, 0, 0, g_list_model_get_n_items (jobs), jobs);
  return GTK_WIDGET (self);
}
