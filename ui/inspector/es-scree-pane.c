/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-scree-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "layer/es-share.h"
#include "charts/es-plot-zoom.h"

#define FEW 24                  /* components shown at least, before all are asked for */

struct _EsScreePane
{
  GtkWidget  parent_instance;

  GtkWidget *view;
  GtkWidget *all;
  EsPlot    *plot;

  EsDisplay *display;
  EsCurve   *curve;
  guint      kept;               /* as the result has it, or as the dragged threshold would */
  double     threshold;          /* 0..1 */
  double     minimum, maximum;
};

enum { THRESHOLD_MOVED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_TYPE (EsScreePane, es_scree_pane, GTK_TYPE_WIDGET)

static const EsCurveSeries *
find_series (EsScreePane *self, gboolean right_axis)
{
  for (guint i = 0; self->curve != NULL && i < es_curve_get_n_series (self->curve); i++)
    if (es_curve_get_series (self->curve, i)->right_axis == right_axis)
      return es_curve_get_series (self->curve, i);
  return NULL;
}

/* What "all" is on the right axis. */
static double
full_share (EsScreePane *self)
{
  const EsCurveSeries *shares = find_series (self, TRUE);

  return shares != NULL && g_strcmp0 (shares->unit, "%") == 0 ? 100 : 1;
}

static gboolean
has_threshold (EsScreePane *self)
{
  return self->curve != NULL && es_curve_get_threshold_key (self->curve) != NULL
  && find_series (self, TRUE) != NULL;
}

/* There is nothing to be dropped: what was asked for is there, and is no share of anything. */
static gboolean
is_all (EsScreePane *self)
{
  return find_series (self, TRUE) == NULL && es_curve_get_threshold_key (self->curve) == NULL
         && self->kept >= es_curve_get_length (self->curve);
}

guint
es_scree_pane_count (EsScreePane *self, double threshold)
{
  g_return_val_if_fail (ES_IS_SCREE_PANE (self), 0);
  return self->curve != NULL ? es_curve_count_kept (self->curve, TRUE, threshold) : 0;
}

char *
es_scree_pane_get_label (EsScreePane *self)
{
  double percent = self->threshold * 100;
  g_autofree char *share = NULL;

  g_return_val_if_fail (ES_IS_SCREE_PANE (self), NULL);

  /* As many decimals as can be dragged and typed, where they say something. */
  share = es_share_format (self->threshold, fabs (percent - round (percent)) < 5e-5 ? 0 : 2);
  /* TRANSLATORS: a share of the variance, and how many components keep it */
  return g_strdup_printf (_("%s · %u"), share != NULL ? share : "–", self->kept);
}

static void
update_marker (EsScreePane *self)
{
  double full = full_share (self);
  g_autofree char *label = NULL;

  if (!has_threshold (self))
    return;
  label = es_scree_pane_get_label (self);
  if (es_plot_get_n_markers (self->plot) == 0)
    es_plot_add_marker (self->plot, TRUE, self->threshold * full, label, TRUE);
  else
    es_plot_set_marker (self->plot, 0, self->threshold * full, label);
}

static void
highlight_shown (EsScreePane *self)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  gboolean stack = source != NULL && es_plane_source_get_stack (source) != NULL;
  guint plane = es_display_get_plane (self->display);

  if (self->curve != NULL && es_plot_get_n_series (self->plot) > 0)
    es_plot_set_highlight (self->plot, 0, stack && plane < self->kept ? (int) plane : -1);
}

/* Bars of one colour up to here, of another from here on. */
static void
add_bars (EsScreePane *self, const EsCurveSeries *values, guint from, guint to, const char *title, gboolean muted)
{
  guint n = es_curve_get_length (self->curve);
  g_autofree double *y = g_new (double, n);

  for (guint i = 0; i < n; i++)
    y[i] = i >= from && i < to ? values->y[i] : NAN;
  es_plot_set_muted (self->plot, es_plot_add_series (self->plot, title, ES_PLOT_BARS, FALSE, n,
                                                     es_curve_get_x (self->curve), y), muted);
}

static void
rebuild (EsScreePane *self)
{
  const EsCurveSeries *values, *shares;
  guint n, shown;

  es_plot_clear (self->plot);
  if (self->curve == NULL)
    return;

  n = es_curve_get_length (self->curve);
  values = find_series (self, FALSE);
  shares = find_series (self, TRUE);
  shown = gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->all)) ? n : MIN (n,
                                                                                  MAX (FEW, 2 * self->kept));
  gtk_widget_set_visible (self->all, n > FEW);

  es_plot_set_title (self->plot, es_layer_get_title (ES_LAYER (self->curve)));
  es_plot_set_x_axis (self->plot, es_curve_get_x_title (self->curve), es_curve_get_x_unit (self->curve));
  es_plot_set_x_range (self->plot, 0.25, shown + 0.75);
  if (values != NULL)
    {
      es_plot_set_y_axis (self->plot, values->title, values->unit, es_curve_get_log_y (self->curve));
      add_bars (self, values, 0, self->kept, is_all (self) ? values->title : _("kept"), FALSE);
      if (!is_all (self))
        add_bars (self, values, self->kept, n, _("dropped"), TRUE);
    }
  if (shares != NULL)
    {
      double full = full_share (self);
      double least = n > 0 && isfinite (shares->y[0]) ? shares->y[0] / full : 0;

      /* Nothing happens below the first share, and the room above it is needed to aim. */
      least = floor (MIN (least, self->threshold) * 10 - 0.2) / 10;
      es_plot_set_right_axis (self->plot, shares->title, shares->unit, CLAMP (least, 0, 0.9) * full, full);
      es_plot_add_series (self->plot, shares->title, ES_PLOT_LINE, TRUE, n, es_curve_get_x (self->curve),
                          shares->y);
    }
  else
    {
      es_plot_remove_right_axis (self->plot);
    }
  update_marker (self);
  highlight_shown (self);
}

void
es_scree_pane_set_curve (EsScreePane *self, EsCurve *curve, guint kept, double minimum, double maximum)
{
  gboolean held;

  g_return_if_fail (ES_IS_SCREE_PANE (self));

  held = es_plot_view_get_dragged (ES_PLOT_VIEW (self->view)) >= 0;
  /* Of as many bands it is the same cube, with another threshold. */
  if (curve == NULL || self->curve == NULL || es_curve_get_length (curve) != es_curve_get_length (self->curve))
    es_plot_zoom_reset (ES_PLOT_VIEW (self->view));
  g_set_object (&self->curve, curve);
  self->minimum = minimum;
  self->maximum = maximum;
  if (!held)
    {
      self->kept = kept;
      self->threshold = curve != NULL ? es_curve_get_threshold (curve) : 1;
    }
  rebuild (self);
}

void
es_scree_pane_move (EsScreePane *self, double threshold, gboolean final)
{
  guint kept;

  g_return_if_fail (ES_IS_SCREE_PANE (self));

  if (!has_threshold (self))
    return;
  /* A hundredth of a per cent is as fine as anybody can mean. */
  threshold = CLAMP (round (threshold * 1e4) / 1e4, self->minimum, self->maximum);
  if (threshold == self->threshold && !final)
    return;
  self->threshold = threshold;
  kept = es_scree_pane_count (self, threshold);
  if (kept != self->kept)
    {
      self->kept = kept;
      rebuild (self);
    }
  else
    {
      update_marker (self);
    }
  g_signal_emit (self, signals[THRESHOLD_MOVED], 0, threshold, final);
}

static void
on_marker_moved (EsScreePane *self, int marker, double value, gboolean final)
{
  es_scree_pane_move (self, value / full_share (self), final);
}

/* By key from one number of components to the next. */
static void
on_marker_stepped (EsScreePane *self, int marker, int steps)
{
  const EsCurveSeries *shares = find_series (self, TRUE);
  gint64 kept = (gint64) self->kept + steps;

  if (shares == NULL)
    return;
  kept = CLAMP (kept, 1, (gint64) es_curve_get_length (self->curve));
  /* The least threshold of four digits that keeps this many. */
  es_scree_pane_move (self, floor (shares->y[kept - 1] / full_share (self) * 1e4) / 1e4, TRUE);
}

static void
on_clicked (EsScreePane *self, double x)
{
  EsPlaneSource *source = es_display_get_source (self->display);
  double plane = round (x) - 1;

  if (source != NULL && es_plane_source_get_stack (source) != NULL && plane >= 0
      && plane < es_plane_source_get_n_planes (source))
    es_display_show_plane (self->display, (guint) plane);
}

EsCurve *
es_scree_pane_get_curve (EsScreePane *self)
{
  g_return_val_if_fail (ES_IS_SCREE_PANE (self), NULL);
  return self->curve;
}

EsPlot *
es_scree_pane_get_plot (EsScreePane *self)
{
  g_return_val_if_fail (ES_IS_SCREE_PANE (self), NULL);
  return self->plot;
}

char *
es_scree_pane_describe (EsScreePane *self)
{
  g_return_val_if_fail (ES_IS_SCREE_PANE (self), NULL);

  if (self->curve == NULL || is_all (self))
    return g_strdup ("");
  return g_strdup_printf (_("%u of %u kept"), self->kept, es_curve_get_length (self->curve));
}

GtkWidget *
es_scree_pane_new (EsDisplay *display)
{
  EsScreePane *self;

  g_return_val_if_fail (ES_IS_DISPLAY (display), NULL);

  self = g_object_new (ES_TYPE_SCREE_PANE, NULL);
  self->display = g_object_ref (display);
  g_signal_connect_object (display, "source-changed", G_CALLBACK (highlight_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (display, "planes-changed", G_CALLBACK (highlight_shown), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}

static void
es_scree_pane_dispose (GObject *object)
{
  EsScreePane *self = ES_SCREE_PANE (object);

  g_clear_pointer (&self->view, gtk_widget_unparent);
  g_clear_pointer (&self->all, gtk_widget_unparent);
  g_clear_object (&self->plot);
  g_clear_object (&self->curve);
  g_clear_object (&self->display);
  G_OBJECT_CLASS (es_scree_pane_parent_class)->dispose (object);
}

static void
es_scree_pane_class_init (EsScreePaneClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = es_scree_pane_dispose;
  signals[THRESHOLD_MOVED] = g_signal_new ("threshold-moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                           NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_BOOLEAN);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
}

static void
es_scree_pane_init (EsScreePane *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  self->threshold = 1;
  self->plot = es_plot_new ();
  self->view = es_plot_view_new (self->plot, 190);
  es_plot_zoom_add (ES_PLOT_VIEW (self->view));
  gtk_widget_set_vexpand (self->view, TRUE);
  g_signal_connect_object (self->view, "marker-moved", G_CALLBACK (on_marker_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "marker-stepped", G_CALLBACK (on_marker_stepped), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "clicked", G_CALLBACK (on_clicked), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->view, GTK_WIDGET (self));
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);

  self->all = gtk_toggle_button_new_with_label (_("Show All"));
  gtk_widget_set_halign (self->all, GTK_ALIGN_END);
  gtk_widget_add_css_class (self->all, "flat");
  gtk_widget_add_css_class (self->all, "caption");
  gtk_widget_set_tooltip_text (self->all, _("Show the eigenvalues of all components, not of the first only"));
  g_signal_connect_object (self->all, "toggled", G_CALLBACK (rebuild), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (self->all, GTK_WIDGET (self));
}
