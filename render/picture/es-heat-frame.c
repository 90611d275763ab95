/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "es-heat-frame-private.h"

/*
 * One axis: n pixels between `from` and `to` (in units of what is counted; from > to: descending) over what exists,
 * first .. end, of which the first and the last may be parts. Zoomed out, each of these belongs to the one pixel that
 * the middle of it falls in.
 */
static EsHeatTap *
make_taps (double from, double to, int n, double first, double end, gint64 base)
{
  EsHeatTap *taps = g_new0 (EsHeatTap, n);
  double step = (to - from) / n, lowest = floor (first), highest = ceil (end) - 1;
  double first_middle = (first + MIN (lowest + 1, end)) / 2, last_middle = (MAX (highest, first) + end) / 2;

  for (int i = 0; i < n && first < end; i++)
    {
      double a = from + i * step, b = i + 1 < n ? from + (i + 1) * step : to;
      double low = MIN (a, b), high = MAX (a, b);

      if (fabs (step) < 1)
        {
          double place = floor ((low + high) / 2);

          if (place >= lowest && place <= highest)
            taps[i] = (EsHeatTap) { (gint32) (place - base), 1 };
          continue;
        }

      double begin = MAX (ceil (low - 0.5), lowest + 1), stop = MIN (ceil (high - 0.5), highest);

      if (first_middle >= low && first_middle < high)
        begin = lowest;
      if (highest > lowest && last_middle >= low && last_middle < high)
        stop = highest + 1;
      else if (highest == lowest)
        stop = highest + 1;
      if (begin < stop)
        taps[i] = (EsHeatTap) { (gint32) (begin - base), (gint32) (stop - begin) };
    }
  return taps;
}

static void
init_look (EsHeatFrame *self, EsHeatmap *map, int width, int height)
{
  double low, high;

  memset (self, 0, sizeof *self);
  es_heatmap_get_range (map, &low, &high);
  self->width = width;
  self->height = height;
  self->n_columns = es_heatmap_get_n_columns (map);
  self->entries = es_colormap_entries (es_heatmap_get_colormap (map));
  self->awaiting = es_heatmap_get_awaiting (map);
  self->low = (float) low;
  self->scale = (float) (256 / (high - low));
  if (!isfinite (self->scale))
    self->scale = 0;
}

void
es_heat_frame_init (EsHeatFrame *self, EsHeatmap *map, int width, int height, const EsHeatmapView *view)
{
  double first = es_heatmap_get_first (map), end = es_heatmap_get_end (map);
  double unit = 1, low, high;

  init_look (self, map, width, height);
  while (fabs (view->bottom - view->top) / height / unit >= ES_HEAT_FACTOR && self->level + 1 < ES_HEAT_MAX_LEVELS)
    {
      self->level++;
      unit *= ES_HEAT_FACTOR;
    }
  first /= unit;
  end /= unit;
  low = CLAMP (floor (MIN (view->top, view->bottom) / unit), floor (first), ceil (end));
  high = CLAMP (ceil (MAX (view->top, view->bottom) / unit), floor (first), ceil (end));
  self->base = (guint64) low;
  self->n_rows = (guint64) (high - low);
  self->columns = make_taps (view->left, view->right, width, 0, self->n_columns, 0);
  self->rows = make_taps (view->top / unit, view->bottom / unit, height, first, end, (gint64) low);
  /* Rounding at the edges of the view may ask for one more. */
  for (int j = 0; j < height; j++)
    {
      EsHeatTap *tap = &self->rows[j];
      gint64 begin = MAX (tap->first, 0), stop = MIN ((gint64) tap->first + tap->n, (gint64) self->n_rows);

      *tap = begin < stop ? (EsHeatTap) { (gint32) begin, (gint32) (stop - begin) } : (EsHeatTap) { 0, 0 };
    }
}

void
es_heat_frame_init_places (EsHeatFrame *self, EsHeatmap *map, int width, int height, GBytes *places)
{
  init_look (self, map, width, height);
  self->places = places;
  self->n_rows = es_heatmap_get_end (map);
}

void
es_heat_frame_clear (EsHeatFrame *self)
{
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->rows, g_free);
}

/* ---- painting ---- */

static const guint8 canvas[4] = { ES_FRAME_CANVAS, ES_FRAME_CANVAS, ES_FRAME_CANVAS, 255 };

static inline guint
color_index (const EsHeatFrame *self, float value)
{
  if (self->scale == 0)
    return value < self->low ? 0 : value > self->low ? 255 : 128;

  float place = (value - self->low) * self->scale;

  return place <= 0 ? 0 : place >= 255 ? 255 : (guint) place;
}

static inline void
put_pixel (const EsHeatFrame *self, float value, int i, int j, guint8 *pixel)
{
  if (isnan (value) && (self->holed || self->awaiting))
    {
      memset (pixel, 0, 4);
      return;
    }
  if (isnan (value))
    {
      gboolean light = (i / ES_FRAME_CHECKER_SIZE + j / ES_FRAME_CHECKER_SIZE) & 1;

      memset (pixel, light ? ES_FRAME_CHECKER_LIGHT : ES_FRAME_CHECKER_DARK, 3);
      pixel[3] = 255;
      return;
    }
  memcpy (pixel, self->entries + 4 * color_index (self, value), 4);
}

static void
collect (const EsHeatFrame *self, EsHeatmap *map, const EsHeatTap *tap, float *line)
{
  for (guint c = 0; c < self->n_columns; c++)
    line[c] = NAN;
  for (int k = 0; k < tap->n; k++)
    {
      const float *values = es_heatmap_peek_rows (map, self->level, self->base + tap->first + k, NULL);

      for (guint c = 0; values != NULL && c < self->n_columns; c++)
        line[c] = isnan (line[c]) || values[c] > line[c] ? values[c] : line[c];
    }
}

static void
paint_row (const EsHeatFrame *self, const float *line, int j, guint8 *pixel)
{
  for (int i = 0; i < self->width; i++, pixel += 4)
    {
      const EsHeatTap *tap = &self->columns[i];
      float value;

      if (tap->n == 0)
        {
          memcpy (pixel, canvas, 4);
          continue;
        }
      value = line[tap->first];
      for (int k = 1; k < tap->n; k++)
        {
          float other = line[tap->first + k];
          value = isnan (value) || other > value ? other : value;
        }
      put_pixel (self, value, i, j, pixel);
    }
}

static void
paint_places (const EsHeatFrame *self, EsHeatmap *map, guint8 *pixels, gsize stride)
{
  const gint32 *place = g_bytes_get_data (self->places, NULL);

  for (int j = 0; j < self->height; j++)
    {
      guint8 *pixel = pixels + stride * j;

      for (int i = 0; i < self->width; i++, pixel += 4, place += 2)
        if (place[0] < 0 || place[1] < 0)
          memcpy (pixel, canvas, 4);
        else
          put_pixel (self, es_heatmap_get_value (map, place[0], place[1]), i, j, pixel);
    }
}

void
es_heat_frame_paint (const EsHeatFrame *self, EsHeatmap *map, guint8 *pixels, gsize stride)
{
  g_autofree float *line = g_new (float, MAX (self->n_columns, 1));

  if (self->places != NULL)
    {
      paint_places (self, map, pixels, stride);
      return;
    }
  for (int j = 0; j < self->height; j++)
    {
      const EsHeatTap *tap = &self->rows[j], *before = &self->rows[MAX (j - 1, 0)];
      guint8 *row = pixels + stride * j;

      if (j > 0 && j % ES_FRAME_CHECKER_SIZE != 0 && tap->first == before->first && tap->n == before->n)
        {
          memcpy (row, row - stride, 4 * (gsize) self->width);
          continue;
        }
      if (tap->n == 0)
        {
          for (int i = 0; i < self->width; i++)
            memcpy (row + 4 * i, canvas, 4);
          continue;
        }
      collect (self, map, tap, line);
      paint_row (self, line, j, row);
    }
}

/* ---- the plan ---- */

/* The cell that a value lies in, of n between ascending edges; -1: outside. */
static gint32
find_cell (const double *edges, guint n, double value)
{
  guint low = 0, high = n;

  if (!(value >= edges[0]) || !(value < edges[n]))
    return -1;
  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (value >= edges[middle])
        low = middle;
      else
        high = middle;
    }
  return (gint32) low;
}

GBytes *
es_heatmap_places_of_plan (int width, int height, double x, double y, guint n_columns, const double *angle_edges,
                           guint n_rows, const double *radii, gboolean mirror)
{
  g_return_val_if_fail (width > 0 && height > 0, NULL);
  g_return_val_if_fail (n_columns > 0 && n_rows > 0, NULL);

  gint32 *places = g_new (gint32, 2 * (gsize) width * height);
  gint32 *place = places;

  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++, place += 2)
      {
        double dx = i + 0.5 - x, dy = y - (j + 0.5);
        double angle = atan2 (mirror ? fabs (dy) : dy, dx) * 180 / G_PI;

        /* The same direction, where the edges count on over 180 degrees. */
        if (angle < angle_edges[0] && angle + 360 < angle_edges[n_columns])
          angle += 360;
        place[0] = find_cell (angle_edges, n_columns, angle);
        place[1] = find_cell (radii, n_rows, hypot (dx, dy));
      }
  return g_bytes_new_take (places, 8 * (gsize) width * height);
}
