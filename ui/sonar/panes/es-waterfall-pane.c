/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-waterfall-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "axes/es-axis-ticks.h"
#include "sonar/display/es-row-sweep.h"
#include "sonar/display/es-sonar-cursor.h"
#include "sonar/display/es-sonar-extent.h"
#include "sonar/display/es-sonar-look.h"
#include "sonar/display/es-sonar-source.h"

#define MEMORY_LIMIT (256u << 20)
#define ROWS_AT_ONCE 8          /* between looks at the clock */

typedef struct
{
  EsHeatmap *map;
  EsMapView *view;
  float     *powers;
  guint      n_columns;
  EsRowSweep *sweep;
  guint      seen;               /* of the rows that have come to the history */
  double     view_top, view_span;
  double     high, low;          /* of the colours; NAN: not yet */
  EsHeatmap *under;              /* what was seen before the settings changed; NULL: nothing */
  EsRecording *recording;        /* of what is seen; borrowed, never looked into */
  guint      n_filled;
} EsWaterfallPanePrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (EsWaterfallPane, es_waterfall_pane, ES_TYPE_SONAR_PANE)

#define PRIVATE(self) ((EsWaterfallPanePrivate *) es_waterfall_pane_get_instance_private (self))

EsMapView *
es_waterfall_pane_get_view (EsWaterfallPane *self)
{
  return PRIVATE (self)->view;
}

EsHeatmap *
es_waterfall_pane_get_map (EsWaterfallPane *self)
{
  return PRIVATE (self)->map;
}

gboolean
es_waterfall_pane_is_filling (EsWaterfallPane *self)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  EsBeamHistory *history = es_sonar_source_get_history (es_sonar_source_of (self));

  return priv->n_columns > 0 && history != NULL
         && (!es_row_sweep_is_done (priv->sweep) || priv->seen < es_beam_history_get_n_fills (history));
}

/* ---- filling ---- */

/* Rows that there is memory for. */
static guint64
count_affordable (EsWaterfallPane *self)
{
  return MEMORY_LIMIT / (sizeof (float) * MAX (PRIVATE (self)->n_columns, 1));
}

static void
update_sweep (EsWaterfallPane *self)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  double top, span;

  es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
  if (priv->n_columns == 0 || (top == priv->view_top && span == priv->view_span))
    return;
  priv->view_top = top;
  priv->view_span = span;
  /* Of a longer view only the largest values of many rows are seen, and those are kept. */
  es_row_sweep_set_view (priv->sweep, top - span, top, span < count_affordable (self) / 2.);
}

static void
drop_under (EsWaterfallPane *self)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);

  g_clear_object (&priv->under);
  es_map_view_set_under (priv->view, NULL, 1);
}

/* What was seen of the same recording stays until the new rows are there: behind them, in grey. */
static void
keep_old (EsWaterfallPane *self, double rows_before, guint64 rows_now)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);

  /* Of two changes one after the other the first has more to show. */
  if (rows_now > 0 && rows_before > 0 && (priv->under == NULL || priv->n_filled >= rows_before / 2))
    {
      double low, high;

      g_clear_object (&priv->under);
      priv->under = es_heatmap_new ();
      es_heatmap_set_awaiting (priv->under, TRUE);
      es_heatmap_get_range (priv->map, &low, &high);
      es_heatmap_take (priv->under, priv->map);
      es_heatmap_set_range (priv->under, low, high);
      es_heatmap_set_colormap (priv->under, ES_COLORMAP_GRAY);
    }
  if (priv->under != NULL && rows_now > 0)
    es_map_view_set_under (priv->view, priv->under, es_heatmap_get_end (priv->under) / (double) rows_now);
}

static void
refill (EsWaterfallPane *self, EsSonarChange change)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  const guint64 before = es_heatmap_get_end (priv->map);
  double first, last, new_first, new_last;

  es_map_view_get_x_ends (priv->view, &first, &last);
  guint n = ES_WATERFALL_PANE_GET_CLASS (self)->prepare (self);
  EsSonarSource *source = es_sonar_source_of (self);
  EsBeamHistory *history = es_sonar_source_get_history (source);
  guint64 end = n > 0 ? es_sonar_source_get_end (source) : 0;
  EsRecording *recording = es_sonar_source_get_result (source) == NULL ? es_sonar_source_get_recording (source) : NULL;

  es_map_view_get_x_ends (priv->view, &new_first, &new_last);
  if (recording != NULL && recording == priv->recording && first == new_first && last == new_last
      && (change & (ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_RENEWED | ES_SONAR_CHANGE_FILLED))
      && (change == ES_SONAR_CHANGE_ALL || !(change & (ES_SONAR_CHANGE_BEARING | ES_SONAR_CHANGE_NORMALISER))))
    keep_old (self, before, end);
  /* Between two settings there is nothing for a moment. */
  else if (end > 0 || recording != priv->recording)
    drop_under (self);
  if (recording != priv->recording || n != priv->n_columns || end != before)
    es_map_view_clear_selection (priv->view);
  priv->recording = recording;
  priv->n_filled = 0;
  priv->n_columns = n;
  priv->powers = g_renew (float, priv->powers, MAX (n, 1));
  es_heatmap_reset (priv->map, n, 0, TRUE);
  es_heatmap_extend (priv->map, end);
  es_row_sweep_reset (priv->sweep, (guint) end);
  priv->seen = history != NULL ? es_beam_history_get_n_fills (history) : 0;
  priv->view_span = NAN;
  update_sweep (self);
  priv->high = priv->low = NAN;
}

static void
fill_row (EsWaterfallPane *self, guint row)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  EsNormaliser normaliser = es_sonar_look_make_normaliser (es_sonar_look_of (self), priv->n_columns);

  if (row >= es_heatmap_get_end (priv->map)
      || !es_beam_history_is_current (es_sonar_source_get_history (es_sonar_source_of (self)), row)
      || !ES_WATERFALL_PANE_GET_CLASS (self)->fill (self, row, priv->powers))
    return;
  priv->n_filled++;
  if (normaliser.kind != ES_NORMALISER_NONE)
    es_normalise_line (&normaliser, priv->powers, 1, priv->n_columns, priv->powers, 1);
  es_heatmap_set_row (priv->map, row, priv->powers);
  es_row_sweep_set (priv->sweep, row, ES_ROW_FILLED);
}

/* Some rows, those that have just come first; FALSE: none is left. */
static gboolean
fill_some (EsWaterfallPane *self)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  EsBeamHistory *history = es_sonar_source_get_history (es_sonar_source_of (self));
  guint row;

  priv->seen = MAX (priv->seen, es_beam_history_get_first_fill (history));
  for (guint i = 0; i < ROWS_AT_ONCE; i++)
    {
      if (priv->seen < es_beam_history_get_n_fills (history))
        fill_row (self, es_beam_history_get_fill (history, priv->seen++));
      else if (es_row_sweep_next (priv->sweep, &row))
        fill_row (self, row);
      else
        return FALSE;
    }
  return TRUE;
}

/* What is not in view gives its memory back, but for the largest values of rows side by side. */
static void
keep_within_memory (EsWaterfallPane *self)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  const guint64 end = es_heatmap_get_end (priv->map), most = count_affordable (self);
  double top, span, middle;

  if (end <= most || es_heatmap_get_memory (priv->map) <= MEMORY_LIMIT + MEMORY_LIMIT / 2)
    return;
  es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
  middle = top - span / 2;
  const guint64 from = (guint64) CLAMP (middle - most / 2., 0, end), to = (guint64) CLAMP (middle + most / 2., 0, end);
  es_heatmap_forget (priv->map, 0, from);
  es_heatmap_forget (priv->map, to, end);
  for (guint64 row = 0; row < end; row++)
    if ((row < from || row >= to) && es_row_sweep_get (priv->sweep, (guint) row) == ES_ROW_FILLED
        && isnan (es_heatmap_get_value (priv->map, 0, row)))
      es_row_sweep_set (priv->sweep, (guint) row, ES_ROW_DROPPED);
}

/* ---- colours ---- */

static void
update_range (EsWaterfallPane *self)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  double top, span;

  es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
  es_sonar_look_fit (es_sonar_look_of (self), priv->map, (guint64) MAX (top - span, 0), (guint64) MAX (ceil (top), 0),
                     es_sonar_look_get_normaliser (es_sonar_look_of (self)) != ES_NORMALISER_NONE, &priv->low,
                     &priv->high);
}

static void
update_view (EsWaterfallPane *self)
{
  double top, span;

  es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
  es_map_view_set_rows (PRIVATE (self)->view, top, top - span);
}

static void
es_waterfall_pane_update (EsSonarPane *pane, EsSonarChange change)
{
  EsWaterfallPane *self = ES_WATERFALL_PANE (pane);
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  EsWaterfallPaneClass *klass = ES_WATERFALL_PANE_GET_CLASS (self);
  guint64 end = es_sonar_source_get_end (es_sonar_source_of (self));

  if ((change & klass->refill)
      || (priv->n_columns == 0 && (change & (ES_SONAR_CHANGE_APPENDED | ES_SONAR_CHANGE_FILLED))))
    refill (self, change);
  else if (priv->n_columns > 0 && end > es_heatmap_get_end (priv->map))
    {
      es_row_sweep_extend (priv->sweep, (guint) (end - es_heatmap_get_end (priv->map)));
      es_heatmap_extend (priv->map, end - es_heatmap_get_end (priv->map));
    }
  /* There is one selection: another's takes the place of this one. */
  if ((change & ES_SONAR_CHANGE_STRETCH) && es_sonar_cursor_is_selected_by_other (es_sonar_cursor_of (self), self))
    es_map_view_clear_selection (priv->view);
  update_sweep (self);
  es_map_view_set_start (priv->view, es_sonar_display_get_start (es_sonar_pane_get_display (pane)));
  es_map_view_set_unit (priv->view, es_sonar_look_get_normaliser (es_sonar_look_of (self)) != ES_NORMALISER_NONE
                                    ? _("dB over background")
                                    : klass->get_unit != NULL ? klass->get_unit (self)
                                                              : es_sonar_source_get_unit (es_sonar_source_of (self)));
  update_view (self);
  klass->mark (self);
  update_range (self);
}

static gboolean
es_waterfall_pane_work (EsSonarPane *pane, gint64 until)
{
  EsWaterfallPane *self = ES_WATERFALL_PANE (pane);
  EsWaterfallPanePrivate *priv = PRIVATE (self);
  gboolean any = es_waterfall_pane_is_filling (self), more = any;

  while (more && (more = fill_some (self)) && g_get_monotonic_time () < until)
    continue;
  if (any)
    {
      EsBeamHistory *history = es_sonar_source_get_history (es_sonar_source_of (self));

      if (priv->under != NULL && !es_waterfall_pane_is_filling (self)
          && es_beam_history_get_n_current (history) == es_beam_history_get_n_rows (history))
        drop_under (self);
      keep_within_memory (self);
      update_range (self);
    }
  return more;
}

/* ---- the view's signals ---- */

static double
time_of (gpointer data, guint64 row)
{
  return es_sonar_source_get_row_time_of (es_sonar_source_of (data), es_sonar_pane_get_kind (data), row);
}

static void
on_picked (EsWaterfallPane *self, double column, double row, guint n_press)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);
  const gboolean follows = es_sonar_extent_get_follow (es_sonar_extent_of (self))
                           && es_sonar_display_is_playing (es_sonar_pane_get_display (ES_SONAR_PANE (self)));
  guint64 at = (guint64) MAX (row, 0);

  if (at >= es_sonar_source_get_end (source))
    return;
  ES_WATERFALL_PANE_GET_CLASS (self)->picked (self, column, at);
  /* While it follows what plays, the moment stays the one that is heard: only the beam is chosen. */
  if (n_press >= 2)
    es_sonar_cursor_seek (cursor, es_sonar_source_get_row_begin (source, at));
  else if (!follows)
    es_sonar_cursor_set_row (cursor, at);
}

static void
on_jumped (EsWaterfallPane *self, int direction)
{
  EsSonarSource *source = es_sonar_source_of (self);
  EsSonarCursor *cursor = es_sonar_cursor_of (self);

  if (es_sonar_source_get_end (source) > 0)
    es_sonar_cursor_set_row (cursor, direction < 0 ? es_sonar_source_get_end (source) - 1 : 0);
}

static void
on_selected (EsWaterfallPane *self, double bottom, double top)
{
  es_sonar_cursor_select_rows (es_sonar_cursor_of (self), self, bottom, top);
}

static void
on_scrolled (EsWaterfallPane *self, double fraction)
{
  double top, span;

  es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
  es_sonar_extent_set_rows (es_sonar_extent_of (self), top - fraction * span, span);
}

static void
on_zoomed (EsWaterfallPane *self, double factor, double row)
{
  double top, span;

  es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
  /* All of it. */
  if (factor == 0)
    es_sonar_extent_set_rows (es_sonar_extent_of (self), INFINITY, INFINITY);
  else
    {
      /* The row stays where it is, however close it gets. */
      factor = MAX (factor, MIN (ES_SONAR_SHORTEST_SPAN / span, 1));
      es_sonar_extent_set_rows (es_sonar_extent_of (self), row + (top - row) * factor, span * factor);
    }
}

/* For the spectra of all that is in view: what is missing of it is on its way. */
static gboolean
has_room (EsWaterfallPane *self)
{
  guint64 rows, most;
  double top, span;

  es_sonar_extent_get_rows (es_sonar_extent_of (self), &top, &span);
  es_beam_history_count_spectra (es_sonar_source_get_history (es_sonar_source_of (self)), &rows, &most);
  return span <= most / 2.;
}

static char *
describe (gpointer data, double column, double row)
{
  EsWaterfallPane *self = ES_WATERFALL_PANE (data);
  EsWaterfallPaneClass *klass = ES_WATERFALL_PANE_GET_CLASS (self);
  EsSonarSource *source = es_sonar_source_of (self);
  double time = row >= 0 ? es_sonar_source_get_row_time_of (source, es_sonar_pane_get_kind (data), (guint64) row) : NAN;
  g_autofree char *moment = NULL, *rest = NULL;

  if (isnan (time))
    return NULL;
  moment = es_sonar_display_format_time (es_sonar_pane_get_display (data), time, 0.1);
  if (!es_beam_history_is_known (es_sonar_source_get_history (source), (guint) row))
    return g_strdup_printf (_("%s  not computed yet"), moment);
  if (klass->explain != NULL && column >= 0 && klass->explain (self, column, (guint64) row) != NULL)
    return g_strdup_printf ("%s  %s", moment, klass->explain (self, column, (guint64) row));
  if (column >= 0 && isnan (es_heatmap_get_value (PRIVATE (self)->map, (guint) column, (guint64) row))
      && es_row_sweep_is_done (PRIVATE (self)->sweep))
    return g_strdup_printf (has_room (self) ? _("%s  not computed yet")
                                            : _("%s  not kept: there was no room for it"), moment);
  rest = ES_WATERFALL_PANE_GET_CLASS (self)->describe (self, column, (guint64) row);
  return g_strdup_printf ("%s  %s", moment, rest);
}

void
es_waterfall_pane_set_up (EsWaterfallPane *self, EsSonarDisplay *display, const char *id, const char *title)
{
  EsWaterfallPanePrivate *priv = PRIVATE (self);

  priv->map = es_heatmap_new ();
  es_heatmap_set_awaiting (priv->map, TRUE);
  priv->sweep = es_row_sweep_new ();
  priv->view = ES_MAP_VIEW (es_map_view_new (priv->map, 200));
  es_map_view_set_y_times (priv->view, _("Time"), time_of, self);
  es_map_view_set_describe (priv->view, describe, self);
  es_map_view_set_measure (priv->view, _es_waterfall_pane_measure, self);
  g_signal_connect_object (priv->view, "picked", G_CALLBACK (on_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (priv->view, "jumped", G_CALLBACK (on_jumped), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (priv->view, "selected", G_CALLBACK (on_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (priv->view, "scrolled", G_CALLBACK (on_scrolled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (priv->view, "zoomed", G_CALLBACK (on_zoomed), self, G_CONNECT_SWAPPED);
  es_sonar_pane_set_up (ES_SONAR_PANE (self), display, id, title, GTK_WIDGET (priv->view));
}

static void
es_waterfall_pane_finalize (GObject *object)
{
  EsWaterfallPanePrivate *priv = PRIVATE (ES_WATERFALL_PANE (object));

  g_clear_object (&priv->map);
  g_clear_object (&priv->under);
  g_clear_pointer (&priv->sweep, es_row_sweep_free);
  g_free (priv->powers);
  G_OBJECT_CLASS (es_waterfall_pane_parent_class)->finalize (object);
}

static void
es_waterfall_pane_class_init (EsWaterfallPaneClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = es_waterfall_pane_finalize;
  ES_SONAR_PANE_CLASS (klass)->update = es_waterfall_pane_update;
  ES_SONAR_PANE_CLASS (klass)->work = es_waterfall_pane_work;
  ES_SONAR_PANE_CLASS (klass)->to_text = _es_waterfall_pane_to_text;
  klass->refill = ES_SONAR_CHANGE_HISTORY | ES_SONAR_CHANGE_NORMALISER | ES_SONAR_CHANGE_RENEWED;
}

static void
es_waterfall_pane_init (EsWaterfallPane *self)
{
}
