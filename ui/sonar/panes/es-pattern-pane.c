/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-pattern-pane.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "es-kind-chooser.h"
#include "charts/es-plot-view.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-source.h"

#define DEPTH 60                /* dB under the largest */

struct _EsPatternPane
{
  EsSonarPane  parent_instance;

  EsPlot      *plot;
  GtkWidget   *plot_view, *stack, *placeholder;
};

G_DEFINE_FINAL_TYPE (EsPatternPane, es_pattern_pane, ES_TYPE_SONAR_PANE)

static const EsBeamProbe *
find_probe (EsPatternPane *self)
{
  EsBeamHistory *history = es_sonar_source_get_history (es_sonar_source_of (self));
  const EsBeamProbe *probe = history != NULL ? es_beam_history_get_probe (history) : NULL;

  return probe != NULL && probe->n_angles > 0 && probe->patterns[ES_BEAM_CBF] != NULL ? probe : NULL;
}

/* Returns the highest level. */
static double
to_levels (const float *pattern, guint n, double *levels)
{
  double highest = 0;

  for (guint i = 0; i < n; i++)
    {
      levels[i] = pattern[i] > 0 ? 10 * log10 (pattern[i]) : pattern[i] <= 0 ? -300 : NAN;
      if (levels[i] > highest)
        highest = levels[i];
    }
  return highest;
}

static void
show_probe (EsPatternPane *self, const EsBeamProbe *probe)
{
  g_autofree double *levels = g_new (double, probe->n_angles);
  EsSonarSource *source = es_sonar_source_of (self);
  const EsBeamSettings *settings = es_sonar_source_get_settings (source);
  EsBearingScale *scale = es_bearing_scale_of (self);
  const double heading = es_sonar_heading_of (self);
  g_autofree char *bearing = es_sonar_name_bearing (self, probe->bearing), *detail = NULL;
  const guint side = es_sonar_cursor_get_side (es_sonar_cursor_of (self));
  double places[2];
  guint found;
  double first = probe->angles[0], last = probe->angles[probe->n_angles - 1], highest = 0;
  double frequency = settings != NULL ? es_beam_settings_get_frequency (settings, settings->first_bin + probe->bin)
                                      : probe->frequency;

  es_plot_clear (self->plot);
  es_plot_set_x_axis (self->plot, es_bearing_scale_get_title (scale), "°");
  es_plot_set_y_axis (self->plot, _("Response"), "dB", FALSE);
  if (es_bearing_scale_is_plain (scale))
    es_plot_set_x_range (self->plot, MIN (first, last), MAX (first, last));
  else
    es_plot_set_x_range (self->plot, 0, 360);
  for (guint kind = 0; kind < ES_BEAM_MUSIC; kind++)
    if (probe->patterns[kind] != NULL)
      {
        highest = MAX (highest, to_levels (probe->patterns[kind], probe->n_angles, levels));
        /* Deep nulls go to the edge, and not to a gap. */
        for (guint i = 0; i < probe->n_angles; i++)
          levels[i] = levels[i] < -200 ? -200 : levels[i];
        g_autofree double *shown = NULL, *unfolded = NULL;
        guint n;

        unfolded = es_bearing_scale_unfold (scale, heading, probe->n_angles, probe->angles, levels, &n, &shown);
        es_plot_add_series (self->plot, es_beam_kind_name (kind), ES_PLOT_LINE, FALSE, n, shown, unfolded);
      }
  highest = ceil ((highest + 1) / 5) * 5;
  es_plot_set_y_range (self->plot, highest - DEPTH, highest);
  /* A result whose beams are not formed again has that of one beam alone. */
  found = es_bearing_scale_show (scale, heading, probe->bearing, places);
  g_autofree char *label = es_bearing_scale_format (scale, places[side < found ? side : 0]);
  if (found > 0)
    es_plot_add_marker (self->plot, FALSE, places[side < found ? side : 0], label,
                        es_sonar_source_get_result (source) == NULL
                        || es_beam_history_is_recalled (es_sonar_source_get_history (source)));
  detail = g_strdup_printf (_("%s at %.1f Hz"), bearing, frequency);
  /* That of the moment is on its way. */
  if (!isnan (es_sonar_cursor_get_time (es_sonar_cursor_of (self))) && es_sonar_source_get_result (source) == NULL
      && !es_beam_history_is_looked_closer_at (es_sonar_source_get_history (source)))
    {
      g_autofree char *short_one = g_steal_pointer (&detail);

      detail = g_strdup_printf ("%s, %s", short_one, _("newest block"));
    }
  es_sonar_pane_set_detail (ES_SONAR_PANE (self), detail);
}

static void
es_pattern_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsPatternPane *self = ES_PATTERN_PANE (pane);
  const EsBeamProbe *probe;

  if (!(change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_APPENDED | ES_SONAR_CHANGE_FILLED
                  | ES_SONAR_CHANGE_WRITING))
      || es_plot_view_get_dragged (ES_PLOT_VIEW (self->plot_view)) >= 0)
    return;
  probe = find_probe (self);
  gtk_stack_set_visible_child (GTK_STACK (self->stack), probe != NULL ? self->plot_view : self->placeholder);
  if (probe != NULL)
    {
      show_probe (self, probe);
    }
  else
    {
      es_plot_clear (self->plot);
      es_sonar_pane_set_detail (pane, NULL);
    }
}

/* Another beam is looked at; the pattern follows with the next block. */
static void
on_marker_moved (EsPatternPane *self, int marker, double value, gboolean final)
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
on_marker_stepped (EsPatternPane *self, int marker, int steps)
{
  es_sonar_cursor_step (es_sonar_cursor_of (self), steps, 0);
}

static void
on_clicked (EsPatternPane *self, double x)
{
  es_sonar_cursor_point_now (es_sonar_cursor_of (self), x);
}

static char *
es_pattern_pane_to_text (EsSonarPane *pane, char separator)
{
  const EsBeamProbe *probe = find_probe (ES_PATTERN_PANE (pane));
  static const char *const columns[] = { "cbf_db", "mvdr_db" };
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  GString *text;

  if (probe == NULL)
    return NULL;
  text = g_string_new ("bearing_deg");
  for (guint kind = 0; kind < ES_BEAM_MUSIC; kind++)
    if (probe->patterns[kind] != NULL)
      g_string_append_printf (text, "%c%s", separator, columns[kind]);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < probe->n_angles; i++)
    {
      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.9g", probe->angles[i]));
      for (guint kind = 0; kind < ES_BEAM_MUSIC; kind++)
        if (probe->patterns[kind] != NULL)
          es_sonar_append_number (text, separator, 10 * log10 (probe->patterns[kind][i]));
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

/* At one frequency, which the detail tells. */
static char *
es_pattern_pane_name_subject (EsSonarPane *pane)
{
  return g_strdup (_("response in dB"));
}

static void
es_pattern_pane_finalize (GObject *object)
{
  g_clear_object (&ES_PATTERN_PANE (object)->plot);
  G_OBJECT_CLASS (es_pattern_pane_parent_class)->finalize (object);
}

static void
es_pattern_pane_class_init (EsPatternPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_pattern_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_pattern_pane_update;
  ES_SONAR_PANE_CLASS (klass)->to_text = es_pattern_pane_to_text;
  ES_SONAR_PANE_CLASS (klass)->is_of_array = TRUE;
  ES_SONAR_PANE_CLASS (klass)->name_subject = es_pattern_pane_name_subject;
}

static void
es_pattern_pane_init (EsPatternPane *self)
{
}

EsSonarPane *
es_pattern_pane_new (EsSonarDisplay *display)
{
  EsPatternPane *self = g_object_new (ES_TYPE_PATTERN_PANE, NULL);

  self->plot = es_plot_new ();
  es_plot_set_title (self->plot, _("Beam pattern"));
  self->plot_view = es_plot_view_new (self->plot, 190);
  es_plot_view_set_name (ES_PLOT_VIEW (self->plot_view), es_sonar_format_degrees);
  g_signal_connect_object (self->plot_view, "marker-moved", G_CALLBACK (on_marker_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot_view, "marker-stepped", G_CALLBACK (on_marker_stepped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->plot_view, "clicked", G_CALLBACK (on_clicked), self, G_CONNECT_SWAPPED);
  self->placeholder = es_sonar_placeholder_new (_("What the beam at the cursor hears of each bearing appears here "
                                                  "while it plays."));
  self->stack = gtk_stack_new ();
  gtk_stack_add_child (GTK_STACK (self->stack), self->placeholder);
  gtk_stack_add_child (GTK_STACK (self->stack), self->plot_view);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, "pattern", _("Beam pattern"), self->stack);
  es_sonar_pane_describe_plot (ES_SONAR_PANE (self), self->plot);
  return ES_SONAR_PANE (self);
}
