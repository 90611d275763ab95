/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-azimuth-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-beam-peaks.h"
#include "es-plot-view.h"

#define N_PEAKS    4
#define N_COLUMNS  4
#define PEAK_RANGE 20           /* dB under the strongest */

struct _EsAzimuthPane
{
  EsSonarPane  parent_instance;

  EsPlot      *plot;
  GtkWidget   *plot_view;
  GtkWidget   *list, *placeholder;
  GtkWidget   *note;             /* what the “!” behind a peak says */
  GtkWidget   *cells[N_PEAKS][N_COLUMNS];
  EsBeamPeak   peaks[N_PEAKS];
  guint        n_peaks;
  guint        n;                /* of the curve */
  double       low, high;        /* of the axis: NAN: not yet */
};

G_DEFINE_FINAL_TYPE (EsAzimuthPane, es_azimuth_pane, ES_TYPE_SONAR_PANE)

static EsSonarDisplay *
display_of (gpointer self)
{
  return es_sonar_pane_get_display (ES_SONAR_PANE (self));
}

/* The axis follows at once where the curve would leave it, and by steps of 5 dB where it need not be so wide. */
static void
update_axis (EsAzimuthPane *self, double lowest, double highest)
{
  double low, high;

  if (!(lowest <= highest))
    return;
  lowest = MAX (lowest, highest - 80);
  low = floor ((lowest - 1) / 5) * 5;
  high = ceil ((highest + 1) / 5) * 5;
  if (isnan (self->low) || lowest < self->low || low > self->low + 5)
    self->low = low;
  if (isnan (self->high) || highest > self->high || high < self->high - 5)
    self->high = high;
  if (es_sonar_display_get_auto_top (display_of (self)) || isnan (self->low))
    es_plot_set_y_range (self->plot, self->low, self->high);
}

static void
set_cell (EsAzimuthPane *self, guint row, guint column, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->cells[row][column]), text);
}

static const char *
edge_words (void)
{
  return _("At the edge of the search: the true maximum may lie outside.");
}

static void
show_peaks (EsAzimuthPane *self)
{
  gboolean any = FALSE;

  for (guint i = 0; i < N_PEAKS; i++)
    {
      const EsBeamPeak *peak = &self->peaks[i];

      for (guint c = 0; c < N_COLUMNS; c++)
        gtk_widget_set_visible (self->cells[i][c], i < self->n_peaks);
      if (i >= self->n_peaks)
        continue;

      g_autofree char *bearing = es_sonar_format_bearing (peak->bearing, FALSE);
      g_autofree char *at_edge = g_strdup_printf ("%s!", bearing);
      g_autofree char *level = es_sonar_format_level (peak->level);
      g_autofree char *width = isnan (peak->width) ? g_strdup ("–") : es_sonar_format_bearing (peak->width, FALSE);
      g_autofree char *margin = isnan (peak->margin) ? g_strdup ("–") : es_sonar_format_level (peak->margin);

      set_cell (self, i, 0, peak->at_edge ? at_edge : bearing);
      gtk_widget_set_tooltip_text (self->cells[i][0], peak->at_edge ? edge_words () : NULL);
      set_cell (self, i, 1, level);
      set_cell (self, i, 2, width);
      set_cell (self, i, 3, margin);
      any = any || peak->at_edge;
    }
  gtk_widget_set_visible (self->note, any);
}

static void
update_curve (EsAzimuthPane *self, const EsBeamSettings *settings, const float *powers)
{
  guint n = settings->n_angles;
  g_autofree double *levels = g_new (double, n);
  double lowest = NAN, highest = NAN;

  for (guint i = 0; i < n; i++)
    {
      levels[i] = powers[i] > 0 ? 10 * log10 (powers[i]) : NAN;
      if (isnan (levels[i]))
        continue;
      lowest = isnan (lowest) ? levels[i] : MIN (lowest, levels[i]);
      highest = isnan (highest) ? levels[i] : MAX (highest, levels[i]);
    }
  self->n_peaks = es_find_peaks (settings->angles, powers, n, N_PEAKS, PEAK_RANGE, 2, self->peaks);
  es_plot_clear (self->plot);
  es_plot_set_x_axis (self->plot, _("Bearing"), "°");
  es_plot_set_y_axis (self->plot, _("Level"), es_sonar_display_get_unit (display_of (self)), FALSE);
  es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, n, settings->angles, levels);
  if (n > 1)
    es_plot_set_x_range (self->plot, MIN (settings->angles[0], settings->angles[n - 1]),
                         MAX (settings->angles[0], settings->angles[n - 1]));
  if (self->n_peaks > 0)
    es_plot_set_highlight (self->plot, 0, (int) self->peaks[0].index);
  if (self->n_peaks > 1)
    {
      double x[2 * N_PEAKS], y[2 * N_PEAKS];
      guint series;

      /* Single points, kept apart: dots. */
      for (guint i = 0; i < self->n_peaks; i++)
        {
          x[2 * i] = x[2 * i + 1] = self->peaks[i].bearing;
          y[2 * i] = self->peaks[i].level;
          y[2 * i + 1] = NAN;
        }
      series = es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, 2 * self->n_peaks, x, y);
      es_plot_set_series_color (self->plot, series, NULL);
    }
  self->n = n;
  update_axis (self, lowest, highest);
}

static void
update_cursor (EsAzimuthPane *self)
{
  double bearing = es_sonar_display_get_bearing (display_of (self));
  g_autofree char *label = NULL;

  if (es_plot_get_n_series (self->plot) == 0 || isnan (bearing)
      || es_plot_view_get_dragged (ES_PLOT_VIEW (self->plot_view)) >= 0)
    return;
  label = es_sonar_format_bearing (bearing, FALSE);
  if (es_plot_get_n_markers (self->plot) == 0)
    es_plot_add_marker (self->plot, FALSE, bearing, label, TRUE);
  else
    es_plot_set_marker (self->plot, 0, bearing, label);
}

static void
es_azimuth_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsAzimuthPane *self = ES_AZIMUTH_PANE (pane);
  EsSonarDisplay *display = display_of (self);
  const EsBeamSettings *settings = es_sonar_display_get_settings (display);
  const float *powers = NULL;
  guint64 row;

  if (change & (ES_SONAR_HISTORY | ES_SONAR_LOOK))
    self->low = self->high = NAN;
  if (change & (ES_SONAR_HISTORY | ES_SONAR_MOMENT | ES_SONAR_LOOK))
    {
      if (settings != NULL && es_sonar_display_get_row (display, &row))
        powers = es_beam_history_get_row (es_sonar_display_get_history (display),
                                          es_sonar_display_to_history (display, row));
      gtk_stack_set_visible_child (GTK_STACK (gtk_widget_get_parent (self->placeholder)),
                                   powers != NULL ? gtk_widget_get_parent (self->plot_view) : self->placeholder);
      self->n_peaks = 0;
      if (powers != NULL)
        update_curve (self, settings, powers);
      else
        es_plot_clear (self->plot);
      show_peaks (self);
    }
  update_cursor (self);
}

static void
on_marker_moved (EsAzimuthPane *self, int marker, double value, gboolean final)
{
  EsSonarDisplay *display = display_of (self);
  const EsBeamSettings *settings = es_sonar_display_get_settings (display);
  g_autofree char *label = NULL;
  int angle;

  if (settings == NULL)
    return;
  es_sonar_display_set_bearing (display, value);
  angle = es_sonar_display_get_angle (display);
  if (angle < 0)
    return;
  es_sonar_display_set_bearing (display, settings->angles[angle]);
  label = es_sonar_format_bearing (settings->angles[angle], FALSE);
  es_plot_set_marker (self->plot, (guint) marker, settings->angles[angle], label);
}

static void
on_marker_stepped (EsAzimuthPane *self, int marker, int steps)
{
  es_sonar_display_step (display_of (self), steps, 0);
}

static void
on_clicked (EsAzimuthPane *self, double x)
{
  const EsBeamSettings *settings = es_sonar_display_get_settings (display_of (self));
  guint best = 0;

  if (settings == NULL || settings->n_angles == 0)
    return;
  for (guint i = 1; i < settings->n_angles; i++)
    if (fabs (settings->angles[i] - x) < fabs (settings->angles[best] - x))
      best = i;
  es_sonar_display_set_bearing (display_of (self), settings->angles[best]);
}

/* A click on a row of the list goes to that peak. */
static void
on_list_pressed (GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
  EsAzimuthPane *self = ES_AZIMUTH_PANE (user_data);
  GtkWidget *picked = gtk_widget_pick (self->list, x, y, GTK_PICK_DEFAULT);

  for (guint i = 0; i < self->n_peaks; i++)
    for (guint c = 0; c < N_COLUMNS; c++)
      if (picked == self->cells[i][c])
        on_clicked (self, self->peaks[i].bearing);
}

static char *
es_azimuth_pane_to_text (EsSonarPane *pane, char separator)
{
  EsAzimuthPane *self = ES_AZIMUTH_PANE (pane);
  g_autofree char *text = NULL;

  if (es_plot_get_n_series (self->plot) == 0)
    return NULL;
  text = es_plot_to_text (self->plot);
  g_strdelimit (text, "\t", separator);
  return g_steal_pointer (&text);
}

static GtkWidget *
make_label (const char *text, gboolean heading)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (label, "caption");
  gtk_widget_add_css_class (label, heading ? "dim-label" : "numeric");
  return label;
}

static void
make_list (EsAzimuthPane *self)
{
  const char *titles[N_COLUMNS] = { _("Peak"), _("Level (dB)"), _("Width"), _("Margin (dB)") };
  g_autofree char *words = g_strdup_printf ("! %s", edge_words ());
  GtkGesture *click = gtk_gesture_click_new ();

  self->list = gtk_grid_new ();
  gtk_widget_add_css_class (self->list, "peak-list");
  gtk_grid_set_column_spacing (GTK_GRID (self->list), 8);
  for (guint c = 0; c < N_COLUMNS; c++)
    {
      gtk_grid_attach (GTK_GRID (self->list), make_label (titles[c], TRUE), (int) c, 0, 1, 1);
      for (guint i = 0; i < N_PEAKS; i++)
        {
          self->cells[i][c] = make_label (NULL, FALSE);
          gtk_grid_attach (GTK_GRID (self->list), self->cells[i][c], (int) c, (int) i + 1, 1, 1);
        }
    }
  self->note = make_label (words, TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->note), 0);
  gtk_label_set_wrap (GTK_LABEL (self->note), TRUE);
  gtk_widget_set_visible (self->note, FALSE);
  gtk_grid_attach (GTK_GRID (self->list), self->note, 0, N_PEAKS + 1, N_COLUMNS, 1);
  g_signal_connect (click, "pressed", G_CALLBACK (on_list_pressed), self);
  gtk_widget_add_controller (self->list, GTK_EVENT_CONTROLLER (click));
}

static void
es_azimuth_pane_finalize (GObject *object)
{
  g_clear_object (&ES_AZIMUTH_PANE (object)->plot);
  G_OBJECT_CLASS (es_azimuth_pane_parent_class)->finalize (object);
}

static void
es_azimuth_pane_class_init (EsAzimuthPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_azimuth_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_azimuth_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_azimuth_pane_to_text;
}

static void
es_azimuth_pane_init (EsAzimuthPane *self)
{
  self->low = self->high = NAN;
}

EsSonarPane *
es_azimuth_pane_new (EsSonarDisplay *display)
{
  EsAzimuthPane *self = g_object_new (ES_TYPE_AZIMUTH_PANE, NULL);
  GtkWidget *stack = gtk_stack_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Band energy against bearing"));
  self->plot_view = es_plot_view_new (self->plot, 180);
  gtk_widget_set_vexpand (self->plot_view, TRUE);
  g_signal_connect_object (self->plot_view, "marker-moved", G_CALLBACK (on_marker_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot_view, "marker-stepped", G_CALLBACK (on_marker_stepped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot_view, "clicked", G_CALLBACK (on_clicked), self, G_CONNECT_SWAPPED);
  make_list (self);
  gtk_box_append (GTK_BOX (box), self->plot_view);
  gtk_box_append (GTK_BOX (box), self->list);
  self->placeholder = es_sonar_placeholder_new (_("Band energy against bearing appears here while it plays."));
  gtk_stack_add_child (GTK_STACK (stack), self->placeholder);
  gtk_stack_add_child (GTK_STACK (stack), box);
  gtk_stack_set_vhomogeneous (GTK_STACK (stack), FALSE);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "azimuth", C_("display", "Azimuth"), stack);
  return ES_SONAR_PANE (self);
}
