/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-azimuth-pane.h"
#include "es-azimuth-trace.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "signal/es-beam-peaks.h"
#include "es-kind-chooser.h"
#include "es-peak-list.h"
#include "charts/es-plot-view.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"
#include "widgets/es-wheel.h"

struct _EsAzimuthPane
{
  EsSonarPane  parent_instance;

  EsPlot      *plot;
  GtkWidget   *plot_view;
  GtkWidget   *toggles;          /* a reference */
  GtkWidget   *toggle[ES_N_BEAM_KINDS];
  GtkWidget   *list, *placeholder;
  EsBeamPeak   peaks[ES_PEAK_LIST_ROWS];
  guint        n_peaks;
  guint        top;              /* the point of the curve at the first of them */
  double       low, high;        /* of the axis: NAN: not yet */
  double       music_low, music_high;
  gboolean     hidden[ES_N_BEAM_KINDS];
};

G_DEFINE_FINAL_TYPE (EsAzimuthPane, es_azimuth_pane, ES_TYPE_SONAR_PANE)

static gboolean
has_kind (EsAzimuthPane *self, EsBeamKind kind)
{
  return (es_sonar_source_get_kinds (es_sonar_source_of (self)) & 1u << kind) != 0;
}

static gboolean
shows_kind (EsAzimuthPane *self, EsBeamKind kind)
{
  return has_kind (self, kind) && !self->hidden[kind];
}

/* ---- the list of arrivals ---- */

/* Of the beams that tell the most apart, of those that are shown. */
static EsBeamKind
find_listed (EsAzimuthPane *self)
{
  return shows_kind (self, ES_BEAM_MVDR) ? ES_BEAM_MVDR : shows_kind (self, ES_BEAM_CBF) ? ES_BEAM_CBF : ES_BEAM_MUSIC;
}

static void
find_arrivals (EsAzimuthPane *self)
{
  EsBeamKind kind = find_listed (self);
  EsSonarSource *source = es_sonar_source_of (self);
  const float *powers = es_sonar_cursor_get_powers (es_sonar_cursor_of (self), kind);
  g_autofree char *words = NULL;
  guint row = 0;

  self->n_peaks = 0;
  if (powers != NULL && es_sonar_cursor_get_powers_row (es_sonar_cursor_of (self), &row))
    self->n_peaks = es_beam_history_list_arrivals (es_sonar_source_get_history (source), kind, row,
                                                   ES_PEAK_LIST_ROWS, self->peaks);
  if (has_kind (self, ES_BEAM_MVDR))
    words = g_strdup_printf (ngettext ("%s: %u arrival", "%s: %u arrivals", self->n_peaks), es_beam_kind_name (kind),
                             self->n_peaks);
  /* As the list and the energy field of a result that nobody has pointed into; where it kept no mean, the last row. */
  if (powers != NULL && es_sonar_source_get_result (source) != NULL
      && isnan (es_sonar_cursor_get_time (es_sonar_cursor_of (self))))
    {
      g_autofree char *time = row == G_MAXUINT ? NULL
                              : es_sonar_display_format_time (es_sonar_pane_get_display (ES_SONAR_PANE (self)),
                                                              es_sonar_source_get_row_time (source, row), 0.1);

      g_free (words);
      words = time != NULL ? g_strdup_printf (_("At %s"), time) : g_strdup (_("Mean over its time"));
    }
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), words);
}

/* ---- the curves ---- */

/* The axis follows at once where a curve would leave it, and by steps of 5 dB where it need not be so wide. */
static void
follow (double *axis_low, double *axis_high, double lowest, double highest)
{
  double low, high;

  if (!(lowest <= highest))
    return;
  lowest = MAX (lowest, highest - 80);
  low = floor ((lowest - 1) / 5) * 5;
  high = ceil ((highest + 1) / 5) * 5;
  if (isnan (*axis_low) || lowest < *axis_low || low > *axis_low + 5)
    *axis_low = low;
  if (isnan (*axis_high) || highest > *axis_high || high < *axis_high - 5)
    *axis_high = high;
}

static void
update_axes (EsAzimuthPane *self, const double *lowest, const double *highest)
{
  double low = NAN, high = NAN;
  gboolean first = isnan (self->low);

  for (guint kind = 0; kind < ES_BEAM_MUSIC; kind++)
    {
      low = fmin (low, lowest[kind]);
      high = fmax (high, highest[kind]);
    }
  follow (&self->low, &self->high, low, high);
  follow (&self->music_low, &self->music_high, lowest[ES_BEAM_MUSIC], highest[ES_BEAM_MUSIC]);
  if (es_sonar_look_get_auto_top (es_sonar_look_of (self)) || first)
    es_plot_set_y_range (self->plot, self->low, self->high);
  /* No power: on an axis of its own. */
  if (!isnan (highest[ES_BEAM_MUSIC]))
    es_plot_set_right_axis (self->plot, es_beam_kind_name (ES_BEAM_MUSIC), "dB", self->music_low, self->music_high);
  else
    es_plot_remove_right_axis (self->plot);
}

/* The series of a kind that is hidden is empty, so that the others keep their colours and dashes. Returns its index. */
static guint
add_curve (EsAzimuthPane *self, EsBeamKind kind, const EsBeamSettings *settings, double *lowest, double *highest)
{
  const float *powers = shows_kind (self, kind) ? es_sonar_cursor_get_powers (es_sonar_cursor_of (self), kind) : NULL;
  gboolean several = has_kind (self, ES_BEAM_MVDR);
  const guint room = settings->n_angles + ES_BEAM_MOST_LIFTS;
  g_autofree double *bearings = g_new (double, room), *levels = g_new (double, room);

  *lowest = *highest = NAN;
  if (powers == NULL)
    return es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, FALSE, 0, NULL, NULL);
  const EsBeamLift *lifts = NULL;
  guint64 row;
  guint n_lifts = 0;

  if (es_sonar_cursor_get_row (es_sonar_cursor_of (self), &row))
    lifts = es_beam_history_get_lifts (es_sonar_source_get_history (es_sonar_source_of (self)), kind, (guint) row,
                                       &n_lifts);
  const guint n_traced = es_azimuth_trace (settings, powers, lifts, n_lifts, bearings, levels);
  for (guint i = 0; i < n_traced; i++)
    {
      *lowest = fmin (*lowest, levels[i]);
      *highest = fmax (*highest, levels[i]);
    }
  g_autofree double *shown = NULL, *unfolded = NULL;
  guint n;

  if (kind == find_listed (self) && self->n_peaks > 0)
    self->top = es_azimuth_find_place (bearings, levels, n_traced, &self->peaks[0]);
  unfolded = es_bearing_scale_unfold (es_bearing_scale_of (self), es_sonar_heading_of (self), n_traced, bearings,
                                      levels, &n, &shown);
  return es_plot_add_series (self->plot, several ? es_beam_kind_name (kind) : NULL, ES_PLOT_LINE,
                             kind == ES_BEAM_MUSIC, n, shown, unfolded);
}

static void
add_dots (EsAzimuthPane *self)
{
  EsBearingScale *scale = es_bearing_scale_of (self);
  const double heading = es_sonar_heading_of (self);
  double x[4 * ES_PEAK_LIST_ROWS], y[4 * ES_PEAK_LIST_ROWS], places[2];
  guint series, n = 0;

  /* Single points, kept apart: dots. */
  for (guint i = 0; i < self->n_peaks; i++)
    for (guint side = 0, found = es_bearing_scale_show (scale, heading, self->peaks[i].bearing, places); side < found;
         side++)
      {
        x[n] = x[n + 1] = places[side];
        y[n++] = self->peaks[i].level;
        y[n++] = NAN;
      }
  series = es_plot_add_series (self->plot, NULL, ES_PLOT_LINE, find_listed (self) == ES_BEAM_MUSIC, n, x, y);
  es_plot_set_series_color (self->plot, series, NULL);
}

static void
update_curves (EsAzimuthPane *self, const EsBeamSettings *settings)
{
  double lowest[ES_N_BEAM_KINDS] = { NAN, NAN, NAN }, highest[ES_N_BEAM_KINDS] = { NAN, NAN, NAN };
  EsBearingScale *scale = es_bearing_scale_of (self);
  guint n = settings->n_angles, listed = 0;

  es_plot_clear (self->plot);
  es_plot_set_x_axis (self->plot, es_bearing_scale_get_title (scale), "°");
  es_plot_set_y_axis (self->plot, _("Level"), es_sonar_source_get_unit (es_sonar_source_of (self)), FALSE);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    if (has_kind (self, kind))
      {
        guint series = add_curve (self, kind, settings, &lowest[kind], &highest[kind]);

        if (kind == find_listed (self))
          listed = series;
      }
  if (!es_bearing_scale_is_plain (scale))
    es_plot_set_x_range (self->plot, 0, 360);
  else if (n > 1)
    es_plot_set_x_range (self->plot, MIN (settings->angles[0], settings->angles[n - 1]),
                         MAX (settings->angles[0], settings->angles[n - 1]));
  /* Peaks are those of the curve between its angles, which may be above all of them. */
  for (guint i = 0, kind = find_listed (self); i < self->n_peaks; i++)
    if (highest[kind] < self->peaks[i].level && isfinite (self->peaks[i].level))
      highest[kind] = self->peaks[i].level;
  update_axes (self, lowest, highest);
  if (self->n_peaks > 0 && es_bearing_scale_is_plain (scale))
    es_plot_set_highlight (self->plot, listed, (int) self->top);
  if (self->n_peaks > 1 || !es_bearing_scale_is_plain (scale))
    add_dots (self);
}

static void
update_cursor (EsAzimuthPane *self)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  double places[2];
  const guint n = es_bearing_scale_show (es_bearing_scale_of (self), es_sonar_heading_of (self),
                                         es_sonar_cursor_get_bearing (cursor), places);
  const double bearing = places[n > es_sonar_cursor_get_side (cursor) ? es_sonar_cursor_get_side (cursor) : 0];
  g_autofree char *label = NULL;

  if (es_plot_get_n_series (self->plot) == 0 || isnan (bearing)
      || es_plot_view_get_dragged (ES_PLOT_VIEW (self->plot_view)) >= 0)
    return;
  label = es_bearing_scale_format (es_bearing_scale_of (self), bearing);
  if (es_plot_get_n_markers (self->plot) == 0)
    es_plot_add_marker (self->plot, FALSE, bearing, label, TRUE);
  else
    es_plot_set_marker (self->plot, 0, bearing, label);
}

static void
update_toggles (EsAzimuthPane *self)
{
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    gtk_widget_set_visible (self->toggle[kind], has_kind (self, kind));
  gtk_widget_set_visible (self->toggles, has_kind (self, ES_BEAM_MVDR));
}

static void
es_azimuth_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsAzimuthPane *self = ES_AZIMUTH_PANE (pane);
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  gboolean any;
  guint row = 0;

  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_LOOK))
    self->low = self->high = self->music_low = self->music_high = NAN;
  if (change & ES_SONAR_CHANGE_HISTORY)
    update_toggles (self);
  if (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_MOMENT | ES_SONAR_CHANGE_LOOK | ES_SONAR_CHANGE_WRITING))
    {
      any = settings != NULL && es_sonar_cursor_get_powers (cursor, ES_BEAM_CBF) != NULL;
      /* A mean over a turn is nowhere from north. */
      const gboolean turned = any && es_sonar_cursor_get_powers_row (cursor, &row) && row == G_MAXUINT
                              && isnan (es_sonar_heading_of (self));
      gtk_label_set_label (GTK_LABEL (self->placeholder),
                           turned ? _("The heading is not known, or not one for all of the time: click a moment.")
                                  : _("Band energy against bearing appears here."));
      any = any && !turned;
      gtk_stack_set_visible_child (GTK_STACK (gtk_widget_get_parent (self->placeholder)),
                                   any ? gtk_widget_get_parent (self->plot_view) : self->placeholder);
      self->n_peaks = 0;
      if (any)
        {
          find_arrivals (self);
          update_curves (self, settings);
        }
      else
        {
          es_plot_clear (self->plot);
          es_sonar_pane_set_detail (pane, NULL);
        }
      es_peak_list_show (ES_PEAK_LIST (self->list), self->n_peaks, self->peaks,
                         es_bearing_scale_of (self), es_sonar_heading_of (self));
    }
  update_cursor (self);
}

/* ---- what a person does ---- */

static void
on_marker_moved (EsAzimuthPane *self, int marker, double value, gboolean final)
{
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  g_autofree char *label = NULL;
  double places[2];
  guint n;

  es_sonar_cursor_point_now (cursor, value);
  n = es_bearing_scale_show (es_bearing_scale_of (self), es_sonar_heading_of (self),
                             es_sonar_cursor_get_bearing (cursor), places);
  if (n == 0)
    return;
  value = places[n > es_sonar_cursor_get_side (cursor) ? es_sonar_cursor_get_side (cursor) : 0];
  label = es_bearing_scale_format (es_bearing_scale_of (self), value);
  es_plot_set_marker (self->plot, (guint) marker, value, label);
}

static void
on_marker_stepped (EsAzimuthPane *self, int marker, int steps)
{
  es_sonar_cursor_step (es_sonar_cursor_of (self), steps, 0);
}

static void
on_clicked (EsAzimuthPane *self, double x)
{
  es_sonar_cursor_point_now (es_sonar_cursor_of (self), x);
}

static void
on_listed (EsAzimuthPane *self, double bearing)
{
  es_sonar_cursor_set_bearing_at (es_sonar_cursor_of (self), bearing);
}

/* One of them stays. */
static void
on_toggled (EsAzimuthPane *self, GtkToggleButton *button)
{
  gboolean any = FALSE;

  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    any = any || (has_kind (self, kind) && gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->toggle[kind])));
  if (!any)
    {
      gtk_toggle_button_set_active (button, TRUE);
      return;
    }
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    self->hidden[kind] = !gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (self->toggle[kind]));
  es_sonar_pane_want (ES_SONAR_PANE (self), ES_SONAR_CHANGE_LOOK);
}

static char *
es_azimuth_pane_to_text (EsSonarPane *pane, char separator)
{
  static const char *const columns[ES_N_BEAM_KINDS] = { "cbf_db", "mvdr_db", "music_db" };
  EsSonarSource *source = es_sonar_source_of (pane);
  EsSonarCursor *cursor = es_sonar_cursor_of (pane);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  const float *powers[ES_N_BEAM_KINDS];
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text;

  if (settings == NULL || es_sonar_cursor_get_powers (cursor, ES_BEAM_CBF) == NULL)
    return NULL;
  text = g_string_new ("bearing_deg");
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      powers[kind] = es_sonar_cursor_get_powers (cursor, kind);
      if (powers[kind] != NULL)
        g_string_append_printf (text, "%c%s", separator, columns[kind]);
    }
  g_string_append_c (text, '\n');
  for (guint i = 0; i < settings->n_angles; i++)
    {
      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", settings->angles[i]));
      for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
        if (powers[kind] != NULL)
          es_sonar_append_number (text, separator, 10 * log10 (powers[kind][i]));
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* ---- making ---- */

static void
make_toggles (EsAzimuthPane *self)
{
  self->toggles = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0));
  gtk_widget_add_css_class (self->toggles, "linked");
  gtk_widget_set_valign (self->toggles, GTK_ALIGN_CENTER);
  gtk_widget_set_visible (self->toggles, FALSE);
  for (guint kind = 0; kind < ES_N_BEAM_KINDS; kind++)
    {
      g_autofree char *words = g_strdup_printf (_("Show the curve of %s"), es_beam_kind_name (kind));

      self->toggle[kind] = gtk_toggle_button_new_with_label (es_beam_kind_name (kind));
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (self->toggle[kind]), TRUE);
      gtk_widget_add_css_class (self->toggle[kind], "caption");
      es_keep_focus (self->toggle[kind]);
      gtk_widget_set_tooltip_text (self->toggle[kind], words);
      g_signal_connect_object (self->toggle[kind], "toggled", G_CALLBACK (on_toggled), self, G_CONNECT_SWAPPED);
      gtk_box_append (GTK_BOX (self->toggles), self->toggle[kind]);
    }
}

GtkWidget *
es_azimuth_pane_get_toggles (EsAzimuthPane *self)
{
  g_return_val_if_fail (ES_IS_AZIMUTH_PANE (self), NULL);
  return self->toggles;
}

static void
es_azimuth_pane_dispose (GObject *object)
{
  EsAzimuthPane *self = ES_AZIMUTH_PANE (object);

  for (guint kind = 0; self->toggles != NULL && kind < ES_N_BEAM_KINDS; kind++)
    g_signal_handlers_disconnect_by_data (self->toggle[kind], self);
  g_clear_object (&self->toggles);
  g_clear_object (&self->plot);
  G_OBJECT_CLASS (es_azimuth_pane_parent_class)->dispose (object);
}

static void
es_azimuth_pane_class_init (EsAzimuthPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = es_azimuth_pane_dispose;
  ES_SONAR_PANE_CLASS (klass)->update = es_azimuth_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_azimuth_pane_to_text;
  ES_SONAR_PANE_CLASS (klass)->is_of_array = TRUE;
}

static void
es_azimuth_pane_init (EsAzimuthPane *self)
{
  self->low = self->high = self->music_low = self->music_high = NAN;
}

EsSonarPane *
es_azimuth_pane_new (EsSonarDisplay *display)
{
  EsAzimuthPane *self = g_object_new (ES_TYPE_AZIMUTH_PANE, NULL);
  GtkWidget *stack = gtk_stack_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Band energy against bearing"));
  self->plot_view = es_plot_view_new (self->plot, 180);
  es_plot_view_set_name (ES_PLOT_VIEW (self->plot_view), es_sonar_format_degrees);
  gtk_widget_set_vexpand (self->plot_view, TRUE);
  g_signal_connect_object (self->plot_view, "marker-moved", G_CALLBACK (on_marker_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot_view, "marker-stepped", G_CALLBACK (on_marker_stepped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot_view, "clicked", G_CALLBACK (on_clicked), self, G_CONNECT_SWAPPED);
  self->list = es_peak_list_new ();
  g_signal_connect_object (self->list, "picked", G_CALLBACK (on_listed), self, G_CONNECT_SWAPPED);
  make_toggles (self);
  gtk_box_append (GTK_BOX (box), self->plot_view);
  gtk_box_append (GTK_BOX (box), self->list);
  self->placeholder = es_sonar_placeholder_new (_("Band energy against bearing appears here."));
  gtk_stack_add_child (GTK_STACK (stack), self->placeholder);
  gtk_stack_add_child (GTK_STACK (stack), box);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "azimuth", C_("display", "Azimuth"), stack);
  es_sonar_pane_describe_plot (ES_SONAR_PANE (self), self->plot);
  return ES_SONAR_PANE (self);
}
