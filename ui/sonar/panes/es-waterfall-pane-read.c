/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What is read off a waterfall: a rectangle's numbers, and the rows in view as text. */

#include "es-waterfall-pane-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "sonar/display/es-sonar-extent.h"
#include "sonar/display/es-sonar-source.h"

#define MOST_MEASURED 1000000   /* values of a rectangle */

/* The mean power of what is there, and the strongest value; *whole: of all of it, not of every so many rows. */
static gboolean
average (EsWaterfallPane *self, guint left, guint right, guint64 bottom, guint64 top, double *mean, double *most,
         gboolean *whole)
{
  EsHeatmap *map = es_waterfall_pane_get_map (self);
  /* Of a large rectangle not every value. */
  const guint64 stride = MAX ((top - bottom) * (right - left + 1) / MOST_MEASURED, 1);
  double sum = 0;
  guint64 n = 0;

  *whole = stride == 1;
  *most = -INFINITY;
  for (guint64 row = bottom; row < top; row += stride)
    for (guint column = left; column < right; column++)
      {
        const double level = es_heatmap_get_value (map, column, row);

        if (!isfinite (level))
          continue;
        sum += pow (10, level / 10);
        *most = MAX (*most, level);
        n++;
      }
  *mean = 10 * log10 (sum / MAX (n, 1));
  return n > 0;
}

/* Of n cells those whose middles lie between two places: what they hold is of what the limits say. At least one. */
static void
find_cells (double first, double last, guint64 n, guint64 *from, guint64 *to)
{
  double begin = ceil (first - 0.5), end = floor (last + 0.5);

  if (end <= begin)
    {
      begin = floor ((first + last) / 2);
      end = begin + 1;
    }
  *from = (guint64) CLAMP (begin, 0, n - 1.);
  *to = (guint64) CLAMP (end, *from + 1., n);
}

/* A rectangle: from when to when, from where to where, how fast, and how loud. */
char *
_es_waterfall_pane_measure (gpointer data, double left, double right, double bottom, double top)
{
  EsWaterfallPane *self = ES_WATERFALL_PANE (data);
  EsMapView *view = es_waterfall_pane_get_view (self);
  EsSonarSource *source = es_sonar_source_of (self);
  const guint64 end = es_sonar_source_get_end (source);
  const guint n = es_heatmap_get_n_columns (es_waterfall_pane_get_map (self));
  double first, last, mean, most;
  gboolean whole;

  if (n == 0 || end == 0)
    return NULL;
  guint64 low, high, from, to;

  find_cells (bottom, top, end, &low, &high);
  find_cells (left, right, n, &from, &to);
  /* Rows of adaptive beams are of an earlier moment. */
  const double lag = es_sonar_source_get_row_time (source, low)
                     - es_sonar_source_get_row_time_of (source, es_sonar_pane_get_kind (data), low);
  const double begin = es_sonar_source_get_row_begin (source, low) - (isfinite (lag) ? lag : 0);
  const double step = end > 1 ? es_sonar_source_get_row_time (source, 1) - es_sonar_source_get_row_time (source, 0) : 0;
  const double seconds = (top - bottom) * step;
  EsSonarDisplay *display = es_sonar_pane_get_display (data);
  g_autofree char *times = es_sonar_display_format_time (display, begin + (bottom - (double) low) * step, 0.1);
  g_autofree char *until = es_sonar_display_format_time (display, begin + (top - (double) low) * step, 0.1);
  g_autoptr (GString) text = g_string_new (NULL);

  first = es_map_view_value_of (view, left);
  last = es_map_view_value_of (view, right);
  /* TRANSLATORS: from time to time, so many seconds */
  g_string_append_printf (text, _("%s to %s: %.1f s"), times, until, seconds);
  g_string_append_c (text, '\n');
  g_string_append (text, ES_WATERFALL_PANE_GET_CLASS (self)->measure (self, first, last, seconds));
  if (average (self, (guint) from, (guint) to, low, high, &mean, &most, &whole))
    {
      g_autofree char *middle = es_sonar_format_level (mean), *highest = es_sonar_format_level (most);

      g_string_append_c (text, '\n');
      g_string_append_printf (text, whole ? _("mean %s dB, highest %s dB")
                                          : _("mean about %s dB, highest at least %s dB"), middle, highest);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* ---- as text ---- */

/* The rows in view: a day of them would be no text any more. */
char *
_es_waterfall_pane_to_text (EsSonarPane *pane, char separator)
{
  EsMapView *view = es_waterfall_pane_get_view (ES_WATERFALL_PANE (pane));
  EsHeatmap *map = es_waterfall_pane_get_map (ES_WATERFALL_PANE (pane));
  const guint n = es_heatmap_get_n_columns (map);
  EsSonarSource *source = es_sonar_source_of (pane);
  EsSonarExtent *extent = es_sonar_extent_of (pane);
  guint64 first = es_heatmap_get_first (map), end = es_heatmap_get_end (map);
  EsRecording *recording = es_sonar_source_get_recording (source);
  g_autoptr (GDateTime) start = recording != NULL ? es_recording_dup_start (recording) : NULL;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  double top, span;
  GString *text;

  if (n == 0 || end == 0)
    return NULL;
  es_sonar_extent_get_rows (extent, &top, &span);
  first = MAX (first, (guint64) MAX (floor (top - span), 0));
  end = MIN (end, (guint64) MAX (ceil (top), 0));
  text = g_string_new ("time_s");
  if (start != NULL)
    g_string_append_printf (text, "%ctime_utc", separator);
  for (guint c = 0; c < n; c++)
    es_sonar_append_number (text, separator, es_map_view_value_of (view, c + 0.5));
  g_string_append_c (text, '\n');
  for (guint64 row = first; row < end; row++)
    {
      const double time = es_sonar_source_get_row_time_of (source, es_sonar_pane_get_kind (pane), row);

      g_string_append (text, g_ascii_formatd (number, sizeof number, "%.6f", time));
      if (start != NULL)
        {
          g_autofree char *clock = es_navigation_format_time (start, time);

          g_string_append_printf (text, "%c%s", separator, clock);
        }
      es_sonar_append_map_row (text, separator, map, row, n);
    }
  return g_string_free (text, FALSE);
}
