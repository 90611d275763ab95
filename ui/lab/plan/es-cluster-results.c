/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-results.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "charts/es-table-view.h"
#include "es-cluster-charts.h"
#include "lab/parts/es-lab-cards.h"
#include "widgets/es-wheel.h"

#define PLOT_HEIGHT 360
#define TABLE_HEIGHT 460
/* Of a step, or a cause, characters that are never cut. */
#define LEAST_TEXT 24

struct _EsClusterResults
{
  GtkBox           parent_instance;

  EsClusterChoice *choice;
  guint            nodes;            /* 0: as many as the cluster has */

  GtkWidget       *fault;            /* why there is no plan */
  GtkWidget       *fault_card, *parts;         /* one of both is seen */
  GtkWidget       *sentences, *of_nodes;
  EsPlot          *time, *causes;
  GtkWidget       *spin, *bars, *table, *steps;
  GtkWidget       *basis;            /* what the times come from */
  gboolean         syncing;
};

G_DEFINE_FINAL_TYPE (EsClusterResults, es_cluster_results, GTK_TYPE_BOX)

/* ---- what is shown ---- */

static void
show_lines (GtkWidget *label, char **lines)
{
  g_autofree char *text = g_strjoinv ("\n", lines);

  gtk_label_set_label (GTK_LABEL (label), text);
}

static void
show_nodes (EsClusterResults *self)
{
  const EsClusterPlan *plan = es_cluster_choice_get_plan (self->choice);
  const guint nodes = es_cluster_results_get_nodes (self);
  g_auto (GStrv) lines = plan != NULL ? es_cluster_plan_describe_nodes (plan, nodes) : NULL;
  g_autoptr (EsTable) steps = plan != NULL ? es_cluster_plan_make_steps (plan, nodes) : NULL;
  g_autofree char *label = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u node", "%u nodes", nodes), nodes);

  self->syncing = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->spin), nodes);
  self->syncing = FALSE;
  if (plan == NULL)
    return;
  show_lines (self->of_nodes, lines);
  es_plot_set_marker (self->time, 0, nodes, label);
  es_table_view_set_table (ES_TABLE_VIEW (self->steps), steps);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (self->bars), es_cluster_chart_steps_height (plan, nodes));
  gtk_widget_queue_draw (self->bars);
}

static void
show (EsClusterResults *self)
{
  const EsClusterPlan *plan = es_cluster_choice_get_plan (self->choice);
  const char *fault = es_cluster_choice_get_fault (self->choice);
  g_auto (GStrv) lines = plan != NULL ? es_cluster_plan_describe (plan) : NULL;
  g_autoptr (EsTable) table = plan != NULL ? es_cluster_plan_make_table (plan, FALSE) : NULL;

  gtk_widget_set_visible (self->fault_card, plan == NULL);
  gtk_widget_set_visible (self->parts, plan != NULL);
  gtk_label_set_label (GTK_LABEL (self->fault), fault != NULL ? fault : "");
  /* That it comes soon is no error. */
  if (es_cluster_choice_is_measuring (self->choice))
    gtk_widget_remove_css_class (self->fault, "error");
  else
    gtk_widget_add_css_class (self->fault, "error");
  if (plan != NULL)
    {
      show_lines (self->sentences, lines);
      es_cluster_chart_time (self->time, plan, es_cluster_results_get_nodes (self));
      es_cluster_chart_causes (self->causes, plan);
      es_table_view_set_table (ES_TABLE_VIEW (self->table), table);
      gtk_label_set_label (GTK_LABEL (self->basis), es_cluster_plan_describe_basis (plan));
    }
  show_nodes (self);
}

/* ---- the number that is looked at ---- */

guint
es_cluster_results_get_nodes (EsClusterResults *self)
{
  const EsCluster *cluster;

  g_return_val_if_fail (ES_IS_CLUSTER_RESULTS (self), 1);

  cluster = es_cluster_choice_get_cluster (self->choice);
  return self->nodes > 0 ? self->nodes : cluster != NULL ? cluster->nodes : 1;
}

void
es_cluster_results_set_nodes (EsClusterResults *self, guint nodes)
{
  g_return_if_fail (ES_IS_CLUSTER_RESULTS (self));

  nodes = CLAMP (nodes, 1, ES_CLUSTER_MOST_NODES);
  if (nodes == self->nodes)
    return;
  self->nodes = nodes;
  show_nodes (self);
}

static void
on_spin (EsClusterResults *self)
{
  if (!self->syncing)
    es_cluster_results_set_nodes (self, (guint) gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->spin)));
}

static void
on_marker_moved (EsClusterResults *self, int marker, double value, gboolean final)
{
  if (isfinite (value))
    es_cluster_results_set_nodes (self, (guint) CLAMP (floor (value + 0.5), 1, ES_CLUSTER_MOST_NODES));
}

static void
on_marker_stepped (EsClusterResults *self, int marker, int steps)
{
  const int nodes = (int) es_cluster_results_get_nodes (self);

  es_cluster_results_set_nodes (self, (guint) MAX (nodes + steps, 1));
}

static void
on_figures (EsClusterResults *self)
{
  self->nodes = 0;
}

static void
draw_bars (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  EsClusterResults *self = data;
  const gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  const EsClusterPlan *plan = es_cluster_choice_get_plan (self->choice);
  EsPlotColors colors = dark ? es_plot_colors_dark : es_plot_colors_light;

  if (plan == NULL)
    return;
  colors.opaque = FALSE;
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &colors.foreground);
  es_cluster_chart_steps (plan, es_cluster_results_get_nodes (self), cr, width, height, &colors);
}

/* ---- the widget ---- */

/* A heading, and children on a card below it. */
static void
add_card (GtkWidget *column, GtkWidget *heading, const char *class, GtkWidget *first, GtkWidget *second)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6), *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);

  gtk_widget_add_css_class (card, "card");
  gtk_widget_add_css_class (card, class);
  gtk_widget_set_hexpand (first, TRUE);
  gtk_box_append (GTK_BOX (card), first);
  if (second != NULL)
    gtk_box_append (GTK_BOX (card), second);
  gtk_box_append (GTK_BOX (box), heading);
  gtk_box_append (GTK_BOX (box), card);
  gtk_box_append (GTK_BOX (column), box);
}

static GtkWidget *
make_plot (EsPlot *plot)
{
  GtkWidget *view = es_plot_view_new (plot, PLOT_HEIGHT);

  es_plot_zoom_add (ES_PLOT_VIEW (view));
  return view;
}

static GtkWidget *
make_spin_line (EsClusterResults *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("Steps with _nodes:"));

  self->spin = gtk_spin_button_new_with_range (1, ES_CLUSTER_MOST_NODES, 1);
  es_ignore_wheel (self->spin);
  gtk_widget_add_css_class (label, "heading");
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), self->spin);
  gtk_widget_set_tooltip_text (self->spin, _("The number of nodes that is looked at, as is the marker in the plot "
                                             "above"));
  g_signal_connect_object (self->spin, "value-changed", G_CALLBACK (on_spin), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (line), label);
  gtk_box_append (GTK_BOX (line), self->spin);
  return line;
}

static void
build (EsClusterResults *self)
{
  GtkWidget *time, *causes;

  self->fault = es_lab_label_new (NULL, "error");
  self->fault_card = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_add_css_class (self->fault_card, "card");
  gtk_widget_add_css_class (self->fault_card, "es-lab-card");
  gtk_box_append (GTK_BOX (self->fault_card), self->fault);
  self->parts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  self->sentences = es_lab_label_new (NULL, NULL);
  self->of_nodes = es_lab_label_new (NULL, NULL);
  gtk_label_set_selectable (GTK_LABEL (self->sentences), TRUE);
  gtk_label_set_selectable (GTK_LABEL (self->of_nodes), TRUE);
  self->time = es_plot_new ();
  self->causes = es_plot_new ();
  es_plot_set_title (self->time, _("Time by nodes"));
  es_plot_set_title (self->causes, _("What the time goes to"));
  time = make_plot (self->time);
  causes = make_plot (self->causes);
  g_signal_connect_object (time, "marker-moved", G_CALLBACK (on_marker_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (time, "marker-stepped", G_CALLBACK (on_marker_stepped), self, G_CONNECT_SWAPPED);
  self->bars = gtk_drawing_area_new ();
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->bars), draw_bars, self, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->bars), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Times of the steps as bars; they are in the table below"), -1);
  self->table = es_table_view_new (TABLE_HEIGHT);
  self->steps = es_table_view_new (TABLE_HEIGHT);
  es_table_view_set_least_text (ES_TABLE_VIEW (self->table), LEAST_TEXT);
  es_table_view_set_least_text (ES_TABLE_VIEW (self->steps), LEAST_TEXT);
  add_card (self->parts, es_lab_label_new (_("What follows"), "heading"), "es-lab-card", self->sentences, NULL);
  add_card (self->parts, es_lab_label_new (_("Time by nodes"), "heading"), "es-lab-plot", time, NULL);
  add_card (self->parts, make_spin_line (self), "es-lab-card", self->of_nodes, self->bars);
  add_card (self->parts, es_lab_label_new (_("What the steps do"), "heading"), "es-lab-plot", self->steps, NULL);
  add_card (self->parts, es_lab_label_new (_("What the time goes to"), "heading"), "es-lab-plot", causes, NULL);
  add_card (self->parts, es_lab_label_new (_("Numbers of nodes"), "heading"), "es-lab-plot", self->table, NULL);
  self->basis = es_lab_label_new (NULL, "dim-label");
  gtk_box_append (GTK_BOX (self->parts), self->basis);
  gtk_box_append (GTK_BOX (self), self->fault_card);
  gtk_box_append (GTK_BOX (self), self->parts);
}

static void
es_cluster_results_dispose (GObject *object)
{
  EsClusterResults *self = ES_CLUSTER_RESULTS (object);

  g_clear_object (&self->time);
  g_clear_object (&self->causes);
  g_clear_object (&self->choice);
  G_OBJECT_CLASS (es_cluster_results_parent_class)->dispose (object);
}

static void
es_cluster_results_class_init (EsClusterResultsClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_cluster_results_dispose;
}

static void
es_cluster_results_init (EsClusterResults *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self), GTK_ORIENTATION_VERTICAL);
}

GtkWidget *
es_cluster_results_new (EsClusterChoice *choice)
{
  EsClusterResults *self = g_object_new (ES_TYPE_CLUSTER_RESULTS, NULL);

  self->choice = g_object_ref (choice);
  build (self);
  g_signal_connect_object (choice, "changed", G_CALLBACK (show), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (choice, "figures", G_CALLBACK (on_figures), self, G_CONNECT_SWAPPED);
  show (self);
  return GTK_WIDGET (self);
}
