/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-sonar-view-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "axes/es-axis-ticks.h"
#include "sonar/panes/es-kind-chooser.h"

/* Of a frame, for bringing panes up to date; what is left over waits for the next one. */
#define BUDGET 3000             /* µs */

/* ---- the read-out ---- */

/* Adaptive beams remember blocks: their row is of an earlier moment. */
static void
append_lag (GString *text, EsSonarSource *source, EsBeamKind kind, guint64 row)
{
  const double lag = es_sonar_source_get_row_time (source, row) - es_sonar_source_get_row_time_of (source, kind, row);

  /* TRANSLATORS: behind a level, of which moment it is: “MVDR 91.1 (2.5 s earlier)” */
  if (lag >= 0.05)
    g_string_append_printf (text, _(" (%.1f s earlier)"), lag);
}

static char *
make_status (EsSonarView *self)
{
  EsSonarSource *source = self->source;
  EsSonarCursor *cursor = self->cursor;
  guint kinds = es_sonar_source_get_kinds (source);
  double bearing = es_sonar_cursor_get_bearing (cursor), frequency = es_sonar_cursor_get_frequency (cursor);
  int angle = es_sonar_cursor_get_angle (cursor);
  GString *text = g_string_new (NULL);
  const float *powers;
  gboolean any = FALSE;
  guint64 row;
  guint shown = 0;

  if (!es_sonar_cursor_get_row (cursor, &row))
    return g_string_free (text, FALSE);
  es_sonar_cursor_get_powers_row (cursor, &shown);
  if (shown == G_MAXUINT)
    {
      g_string_append (text, _("Mean over its time"));
    }
  else
    {
      g_autofree char *time = es_sonar_display_format_time (self->display, es_sonar_source_get_row_time (source, row),
                                                            0.1);

      g_string_append (text, time);
    }
  if (!isnan (bearing))
    {
      g_autofree char *where = es_sonar_describe_bearing (es_pane_frame_get_pane (self->frames[0]), bearing);

      g_string_append_printf (text, "   %s", where);
    }
  for (guint kind = 0; kind < ES_BEAM_MUSIC && angle >= 0; kind++)
    if ((powers = es_sonar_cursor_get_powers (cursor, kind)) != NULL)
      {
        g_autofree char *level = es_sonar_format_level (10 * log10 (powers[angle]));

        g_string_append (text, kind == ES_BEAM_CBF ? "   " : ", ");
        if (kinds > 1u << ES_BEAM_CBF)
          g_string_append_printf (text, "%s ", es_beam_kind_name (kind));
        g_string_append (text, level);
        if (shown != G_MAXUINT)
          append_lag (text, source, kind, row);
        any = TRUE;
      }
  if (any)
    g_string_append_printf (text, " %s", es_sonar_source_get_unit (source));
  if (any && !isnan (frequency))
    {
      const EsBeamSettings *settings = es_sonar_source_get_settings (source);

      /* TRANSLATORS: what a level before is of: the band of the beams, not the frequency that follows */
      g_string_append_printf (text, _(" in %.0f–%.0f Hz"),
                              es_beam_settings_get_frequency (settings, settings->cbf_first),
                              es_beam_settings_get_frequency (settings, settings->cbf_first + settings->cbf_bins - 1));
    }
  if (!isnan (frequency))
    {
      g_string_append (text, "   ");
      g_string_append_printf (text, _("%.2f Hz"), frequency);
    }
  return g_string_free (text, FALSE);
}

static void
update_status (EsSonarView *self)
{
  g_autofree char *status = make_status (self);

  self->status_stale = FALSE;
  if (g_strcmp0 (status, self->status) == 0)
    return;
  g_free (self->status);
  self->status = g_steal_pointer (&status);
  g_object_notify (G_OBJECT (self), "status");
}

/* ---- the closer look ---- */

static gboolean
is_same (double a, double b)
{
  return a == b || (isnan (a) && isnan (b));
}

static gboolean
is_seen (EsSonarView *self, const char *id)
{
  EsPaneFrame *frame = _es_sonar_view_find_frame (self, id);

  return frame != NULL && gtk_widget_get_mapped (GTK_WIDGET (es_pane_frame_get_pane (frame)));
}

static gboolean
is_probe_seen (EsSonarView *self)
{
  const EsBeamSettings *settings = es_sonar_source_get_settings (self->source);

  return settings != NULL && (es_sonar_source_get_kinds (self->source) & 1u << ES_BEAM_MVDR)
         && (is_seen (self, "pattern") || (is_seen (self, "eigen") && !settings->adaptive.eigenvalues));
}

/* Patterns and eigenvalues of what is heard are asked for while somebody sees them. */
static void
update_probe (EsSonarView *self)
{
  gboolean wanted = self->player != NULL && self->result == NULL && is_probe_seen (self);
  double bearing = wanted ? es_sonar_cursor_get_bearing (self->cursor) : NAN;
  double frequency = wanted ? es_sonar_cursor_get_probe_frequency (self->cursor) : NAN;

  if (isnan (bearing) || isnan (frequency))
    bearing = frequency = NAN;
  if (self->player == NULL || (isnan (bearing) && isnan (self->probe_bearing))
      || (bearing == self->probe_bearing && frequency == self->probe_frequency))
    return;
  self->probe_bearing = bearing;
  self->probe_frequency = frequency;
  es_player_set_probe (self->player, bearing, frequency);
}

/* And so are those of a moment that somebody points at, and what is said of it; of a result, of other bearings too. */
static void
update_closer (EsSonarView *self)
{
  const gboolean adaptive = (es_sonar_source_get_kinds (self->source) & 1u << ES_BEAM_MVDR) != 0;
  const gboolean pointed = !isnan (es_sonar_cursor_get_time (self->cursor));
  const gboolean recalled = self->result != NULL && self->recall != NULL && es_beam_history_is_recalled (self->history);
  double bearing = is_probe_seen (self) ? es_sonar_cursor_get_bearing (self->cursor) : NAN;
  double frequency = recalled ? es_sonar_cursor_get_frequency (self->cursor)
                              : es_sonar_cursor_get_probe_frequency (self->cursor);
  guint64 at;
  guint row = G_MAXUINT;

  if (adaptive && pointed && es_sonar_cursor_get_row (self->cursor, &at))
    row = (guint) at;
  if (isnan (bearing))
    frequency = NAN;
  if (is_same (bearing, self->closer_bearing) && is_same (frequency, self->closer_frequency) && row == self->closer_row)
    return;
  self->closer_bearing = bearing;
  self->closer_frequency = frequency;
  self->closer_row = row;
  if (recalled)
    es_beam_recall_look_closer (self->recall, bearing, frequency, row);
  else if (self->result == NULL && self->player != NULL)
    es_player_look_closer (self->player, row, bearing, frequency);
}

/* ---- bringing panes up to date: on frames, a few milliseconds each ---- */

static gboolean
on_tick (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  EsSonarView *self = ES_SONAR_VIEW (widget);
  gint64 begin = g_get_monotonic_time (), until = begin + BUDGET;
  gboolean stale = FALSE;

  /* Each in turn is the first, so that none waits for long. */
  for (guint i = 0; i < self->n_frames; i++)
    {
      EsSonarPane *pane = es_pane_frame_get_pane (self->frames[(self->turn + i) % self->n_frames]);

      if (es_sonar_pane_is_stale (pane))
        es_sonar_pane_refresh (pane, until);
      if (g_get_monotonic_time () >= until)
        {
          self->turn = (self->turn + i + 1) % self->n_frames;
          break;
        }
    }
  if (self->status_stale)
    update_status (self);
  update_probe (self);
  update_closer (self);
  for (guint i = 0; i < self->n_frames; i++)
    stale = stale || es_sonar_pane_is_stale (es_pane_frame_get_pane (self->frames[i]));
  self->longest = MAX (self->longest, g_get_monotonic_time () - begin);
  if (stale)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

void
_es_sonar_view_want_tick (EsSonarView *self)
{
  if (self->tick == 0)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_tick, NULL, NULL);
}
