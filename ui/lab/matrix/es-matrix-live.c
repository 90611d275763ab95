/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-matrix-live.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "charts/es-plot-view.h"
#include "charts/es-plot-zoom.h"
#include "es-matrix-cards.h"
#include "es-matrix-residual.h"
#include "lab/parts/es-lab-cards.h"

#define PLOT_HEIGHT 340

struct _EsMatrixLive
{
  GtkWidget     parent_instance;

  EsJob        *job;                 /* nullable, as the next */
  EsCurve      *curve;
  GSignalGroup *signals;

  GtkWidget    *box;
  GtkLabel     *title, *stage;
  GtkWidget    *progress;
  GtkWidget    *card;                /* of the plot; NULL: none */
  EsPlot       *plot;
};

G_DEFINE_FINAL_TYPE (EsMatrixLive, es_matrix_live, GTK_TYPE_WIDGET)

/* ---- the curve ---- */

static void
drop_plot (EsMatrixLive *self)
{
  if (self->card != NULL)
    gtk_box_remove (GTK_BOX (self->box), self->card);
  self->card = NULL;
  g_clear_object (&self->plot);
}

static gboolean
is_same_kind (EsMatrixLive *self, EsCurve *curve)
{
  return self->curve != NULL && self->plot != NULL
         && es_curve_get_n_series (curve) == es_curve_get_n_series (self->curve)
         && g_strcmp0 (es_layer_get_name (ES_LAYER (curve)), es_layer_get_name (ES_LAYER (self->curve))) == 0;
}

/* What it has to reach; NAN: nothing that is told. */
static double
get_tolerance (EsMatrixLive *self)
{
  EsParams *params = es_job_get_params (self->job);
  const EsParamSpec *spec = es_param_specs_find (es_params_get_specs (params), "tolerance");

  return spec != NULL && spec->type == ES_PARAM_FLOAT ? es_params_get_float (params, "tolerance") : NAN;
}

static void
make_plot (EsMatrixLive *self, EsCurve *curve)
{
  GtkWidget *view;

  drop_plot (self);
  self->plot = es_matrix_residual_plot_new (curve, get_tolerance (self));
  view = es_plot_view_new (self->plot, PLOT_HEIGHT);
  es_plot_zoom_add (ES_PLOT_VIEW (view));
  self->card = es_matrix_card_new (NULL, view, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->card);
}

/* What is zoomed stays so: the plot is the same, its points are more. */
static void
follow_curve (EsMatrixLive *self)
{
  EsCurve *curve = self->job != NULL ? es_job_get_live_curve (self->job) : NULL;

  if (curve == NULL)
    return;
  if (is_same_kind (self, curve))
    es_matrix_residual_plot_follow (self->plot, curve, get_tolerance (self));
  else
    make_plot (self, curve);
  g_set_object (&self->curve, curve);
}

/* ---- the job ---- */

static void
follow_progress (EsMatrixLive *self)
{
  const char *stage = es_job_get_stage (self->job);

  gtk_label_set_label (self->stage, es_job_get_state (self->job) == ES_JOB_PENDING ? _("Waits for the one before it")
                                    : stage != NULL ? stage : "");
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), CLAMP (es_job_get_progress (self->job), 0, 1));
}

static void
follow_state (EsMatrixLive *self)
{
  if (es_job_is_active (self->job))
    follow_progress (self);
  else
    es_matrix_live_set_job (self, NULL);
}

void
es_matrix_live_set_job (EsMatrixLive *self, EsJob *job)
{
  g_return_if_fail (ES_IS_MATRIX_LIVE (self));

  if (job != NULL && !es_job_is_active (job))
    job = NULL;
  if (!g_set_object (&self->job, job))
    return;
  drop_plot (self);
  g_clear_object (&self->curve);
  g_signal_group_set_target (self->signals, job);
  gtk_widget_set_visible (GTK_WIDGET (self), job != NULL);
  if (job == NULL)
    return;
  gtk_label_set_label (self->title, es_job_get_title (job));
  follow_progress (self);
  follow_curve (self);
}

EsJob *
es_matrix_live_get_job (EsMatrixLive *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_LIVE (self), NULL);
  return self->job;
}

EsCurve *
es_matrix_live_get_curve (EsMatrixLive *self)
{
  g_return_val_if_fail (ES_IS_MATRIX_LIVE (self), NULL);
  return self->curve;
}

/* ---- the widget ---- */

static void
es_matrix_live_dispose (GObject *object)
{
  EsMatrixLive *self = ES_MATRIX_LIVE (object);

  g_clear_object (&self->signals);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  self->card = NULL;
  g_clear_object (&self->plot);
  g_clear_object (&self->curve);
  g_clear_object (&self->job);
  G_OBJECT_CLASS (es_matrix_live_parent_class)->dispose (object);
}

static void
es_matrix_live_class_init (EsMatrixLiveClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_matrix_live_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (class), GTK_TYPE_BIN_LAYOUT);
}

static void
es_matrix_live_init (EsMatrixLive *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12), *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *cancel = gtk_button_new_with_mnemonic (_("_Cancel"));

  self->signals = g_signal_group_new (ES_TYPE_JOB);
  g_signal_group_connect_swapped (self->signals, "notify::live-curve", G_CALLBACK (follow_curve), self);
  g_signal_group_connect_swapped (self->signals, "notify::stage", G_CALLBACK (follow_progress), self);
  g_signal_group_connect_swapped (self->signals, "notify::progress", G_CALLBACK (follow_progress), self);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (follow_state), self);

  self->title = GTK_LABEL (es_lab_label_new (NULL, "heading"));
  self->stage = GTK_LABEL (es_lab_label_new (NULL, "dim-label"));
  gtk_label_set_ellipsize (self->stage, PANGO_ELLIPSIZE_END);
  gtk_label_set_lines (self->stage, 1);
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (words), GTK_WIDGET (self->stage));
  gtk_widget_set_hexpand (words, TRUE);
  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (self->progress, 160, -1);
  gtk_widget_set_valign (cancel, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (cancel), "win.cancel");
  gtk_box_append (GTK_BOX (line), words);
  gtk_box_append (GTK_BOX (line), self->progress);
  gtk_box_append (GTK_BOX (line), cancel);
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 9);
  gtk_box_append (GTK_BOX (self->box), line);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
es_matrix_live_new (void)
{
  return g_object_new (ES_TYPE_MATRIX_LIVE, NULL);
}
