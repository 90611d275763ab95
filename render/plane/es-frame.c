/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "es-frame-internal.h"

#define FULL_WEIGHT (ES_FRAME_WEIGHT * ES_FRAME_WEIGHT)

/* unit: full-picture pixels a sample; single: never more than one sample a view pixel. */
static EsFrameTap *
make_taps (EsFrameAxis axis, double unit, guint n_samples, guint full, gboolean single)
{
  EsFrameTap *taps = g_new0 (EsFrameTap, axis.n);

  for (int i = 0; i < axis.n; i++)
    {
      EsFrameTap *tap = &taps[i];

      if (single || axis.zoom * unit >= 1)
        {
          double place = floor (axis.start + (i + 0.5) / axis.zoom);

          if (place < 0 || place >= full)
            continue;
          tap->first = MIN ((guint) (place / unit), n_samples - 1);
          tap->weights[0] = ES_FRAME_WEIGHT;
          continue;
        }

      double begin = (axis.start + i / axis.zoom) / unit, end = (axis.start + (i + 1) / axis.zoom) / unit;
      double from = MAX (begin, 0), to = MIN (end, full / unit);

      if (!(from < to))
        continue;
      tap->first = MIN ((guint) from, n_samples - 1);

      /* Differences of a rounded running share: whatever the rounding, they add up. */
      int before = (int) lrint ((from - begin) / (end - begin) * ES_FRAME_WEIGHT);
      for (guint k = 0; k < ES_FRAME_TAPS && tap->first + k < n_samples; k++)
        {
          double edge = MIN (tap->first + k + 1.0, to);
          int share = (int) lrint ((edge - begin) / (end - begin) * ES_FRAME_WEIGHT);

          tap->weights[k] = MAX (share - before, 0);
          before = MAX (share, before);
        }
    }
  return taps;
}

void
es_frame_init (EsFrame *self, guint n_planes, EsPlane **planes, const double *ends, EsColormap map,
               guint step, guint full_width, guint full_height, EsFrameAxis across, EsFrameAxis down)
{
  const EsPlaneLevel *level = &planes[0]->levels[0];
  guint n_levels = planes[0]->n_levels;
  double samples = 1 / (MIN (across.zoom, down.zoom) * step);     /* a view pixel */
  double unit = step;

  memset (self, 0, sizeof *self);
  while (samples >= 2 && self->level + 1 < n_levels)
    {
      self->level++;
      samples /= 2;
      unit *= 2;
    }

  self->width = self->right = across.n;
  self->height = self->bottom = down.n;
  self->n_planes = n_planes;
  self->ends = ends;
  self->entries = es_colormap_entries (n_planes == 1 ? map : ES_COLORMAP_GRAY);
  for (guint p = 0; p < n_planes; p++)
    {
      float low = (float) ends[2 * p];
      float scale = (float) (256 / (ends[2 * p + 1] - ends[2 * p]));

      self->planes[p] = planes[p];
      self->low[p] = low;
      self->scale[p] = isfinite (scale) ? scale : 0;
      level = &planes[p]->levels[self->level];
    }
  self->columns = make_taps (across, unit, level->width, full_width, FALSE);
  self->rows = make_taps (down, unit, level->height, full_height, FALSE);
  self->mixed = across.zoom * unit < 1 || down.zoom * unit < 1;
}

void
es_frame_bend (EsFrame *self, guint p, EsStretch stretch, const EsPlaneStatistics *statistics)
{
  const double low = self->ends[2 * p], high = self->ends[2 * p + 1];

  /* A step has no values in between. */
  if (stretch == ES_STRETCH_LINEAR || self->scale[p] == 0)
    return;
  if (self->thresholds == NULL)
    self->thresholds = g_malloc0_n (3, sizeof *self->thresholds);
  self->curve[p] = low < high ? 1 : -1;
  es_stretch_fill (stretch, MIN (low, high), MAX (low, high), statistics, self->thresholds[p]);
}

/* The view pixels of an axis that lie in samples from `begin` to `end` of the full picture, or beside all of it. */
static void
clip_axis (EsFrameAxis axis, double begin, double end, double full, int *from, int *to)
{
  /* Corners of views lie on whole pixels but for rounding. */
  const double first = begin > 0 ? ceil ((begin - axis.start) * axis.zoom - 1e-6) : 0;
  const double last = end < full ? floor ((end - axis.start) * axis.zoom + 1e-6) : axis.n;

  *from = (int) CLAMP (first, 0, axis.n);
  *to = (int) CLAMP (last, 0, axis.n);
}

gboolean
es_frame_clip (EsFrame *self, guint step, guint x, guint y, guint full_width, guint full_height, EsFrameAxis across,
               EsFrameAxis down)
{
  const EsPlaneLevel *level = &self->planes[0]->levels[0];

  clip_axis (across, x, x + (double) level->width * step, full_width, &self->left, &self->right);
  clip_axis (down, y, y + (double) level->height * step, full_height, &self->top, &self->bottom);
  return self->left < self->right && self->top < self->bottom;
}

void
es_frame_name (EsFrame *self, const guint8 *entries, guint n, float first, guint step, guint full_width,
               guint full_height, EsFrameAxis across, EsFrameAxis down)
{
  const EsPlaneLevel *level = &self->planes[0]->levels[0];

  self->curve[0] = ES_FRAME_PALETTE;
  self->low[0] = first;
  self->n_entries = n;
  self->entries = entries;
  self->level = 0;
  self->mixed = FALSE;
  g_free (self->columns);
  g_free (self->rows);
  self->columns = make_taps (across, step, level->width, full_width, TRUE);
  self->rows = make_taps (down, step, level->height, full_height, TRUE);
}

void
es_frame_clear (EsFrame *self)
{
  g_clear_pointer (&self->thresholds, g_free);
  g_clear_pointer (&self->columns, g_free);
  g_clear_pointer (&self->rows, g_free);
}

/* How many thresholds are at or below a value. */
static guint
count_thresholds (const float *thresholds, float value)
{
  guint place = 0;

  for (guint stride = 128; stride > 0; stride /= 2)
    if (thresholds[place + stride - 1] <= value)
      place += stride;
  return place;
}

static inline guint
color_index (const EsFrame *self, guint plane, float value)
{
  const float low = self->low[plane], scale = self->scale[plane];

  if (self->curve[plane] == ES_FRAME_PALETTE)
    {
      const float offset = value - low;

      return offset >= 0 && offset < (float) self->n_entries ? (guint) offset : self->n_entries;
    }
  if (self->curve[plane] != 0)
    {
      const guint place = count_thresholds (self->thresholds[plane], value);

      return self->curve[plane] > 0 ? place : ES_STRETCH_STEPS - place;
    }
  if (scale == 0)
    return value < low ? 0 : value > low ? 255 : 128;

  float place = (value - low) * scale;

  return place <= 0 ? 0 : place >= 255 ? 255 : (guint) place;
}

guint
es_frame_get_shade (const EsFrame *self, guint p, float value)
{
  return color_index (self, p, value);
}

/* Weighted sums of a row of samples for every view pixel: red, green, blue, and the weight of what is missing. */
static void
mix_row (const EsFrame *self, guint row, guint32 *sums)
{
  const float *values[3];
  const guint8 *entries = self->entries;

  for (guint p = 0; p < self->n_planes; p++)
    {
      const EsPlaneLevel *level = &self->planes[p]->levels[self->level];
      values[p] = level->values + (gsize) level->width * row;
    }

  sums += 4 * (gsize) self->left;
  for (int i = self->left; i < self->right; i++, sums += 4)
    {
      const EsFrameTap *tap = &self->columns[i];

      memset (sums, 0, 4 * sizeof *sums);
      for (guint k = 0; k < ES_FRAME_TAPS; k++)
        {
          guint32 weight = tap->weights[k];
          gsize at = (gsize) tap->first + k;

          if (weight == 0)
            continue;
          if (self->n_planes == 1)
            {
              if (isnan (values[0][at]))
                {
                  sums[3] += weight;
                  continue;
                }
              const guint8 *entry = entries + 4 * color_index (self, 0, values[0][at]);
              for (guint c = 0; c < 3; c++)
                sums[c] += weight * entry[c];
            }
          else if (isnan (values[0][at]) || isnan (values[1][at]) || isnan (values[2][at]))
            sums[3] += weight;
          else
            for (guint c = 0; c < 3; c++)
              sums[c] += weight * entries[4 * color_index (self, c, values[c][at])];
        }
    }
}

static inline void
finish_pixel (const EsFrame *self, const guint32 *sum, guint32 inside, int i, int j, EsFrameGround ground,
              guint8 *pixel)
{
  guint32 missing = sum[3];

  if (ground != ES_FRAME_CHECKERED)
    {
      const guint32 beside = ground == ES_FRAME_HOLED ? FULL_WEIGHT - inside : 0;
      const guint32 shown = inside - missing + beside;

      for (guint c = 0; c < 3; c++)
        pixel[c] = shown > 0 ? (sum[c] + beside * ES_FRAME_CANVAS + shown / 2) / shown : 0;
      pixel[3] = (shown * 255 + FULL_WEIGHT / 2) / FULL_WEIGHT;
      return;
    }

  gboolean light = (i / ES_FRAME_CHECKER_SIZE + j / ES_FRAME_CHECKER_SIZE) & 1;
  guint32 rest = missing * (light ? ES_FRAME_CHECKER_LIGHT : ES_FRAME_CHECKER_DARK)
                + (FULL_WEIGHT - inside) * ES_FRAME_CANVAS;

  for (guint c = 0; c < 3; c++)
    pixel[c] = (sum[c] + rest + FULL_WEIGHT / 2) / FULL_WEIGHT;
  pixel[3] = 255;
}

/* One sample a pixel, or none: what paint_mixed() would give, without sums. */
static void
paint_plain_row (const EsFrame *self, int j, EsFrameGround ground, guint8 *pixel)
{
  const EsFrameTap *row = &self->rows[j];
  const float *values[3] = { NULL };

  for (guint p = 0; p < self->n_planes && row->weights[0] != 0; p++)
    {
      const EsPlaneLevel *level = &self->planes[p]->levels[self->level];
      values[p] = level->values + (gsize) level->width * row->first;
    }

  pixel += 4 * (gsize) self->left;
  for (int i = self->left; i < self->right; i++, pixel += 4)
    {
      gsize at = self->columns[i].first;
      gboolean missing;

      pixel[3] = 255;
      if (row->weights[0] == 0 || self->columns[i].weights[0] == 0)
        {
          memset (pixel, ES_FRAME_CANVAS, 3);
          if (ground == ES_FRAME_ALONE)
            memset (pixel, 0, 4);
          continue;
        }
      missing = isnan (values[0][at]) || (self->n_planes == 3 && (isnan (values[1][at]) || isnan (values[2][at])));
      if (missing && ground != ES_FRAME_CHECKERED)
        memset (pixel, 0, 4);
      else if (missing)
        memset (pixel,
                (i / ES_FRAME_CHECKER_SIZE + j / ES_FRAME_CHECKER_SIZE) & 1 ? ES_FRAME_CHECKER_LIGHT
                                                                            : ES_FRAME_CHECKER_DARK,
                3);
      else if (self->n_planes == 1)
        memcpy (pixel, self->entries + 4 * color_index (self, 0, values[0][at]), 4);
      else
        for (guint c = 0; c < 3; c++)
          pixel[c] = self->entries[4 * color_index (self, c, values[c][at])];
    }
}

static void
paint_plain (const EsFrame *self, guint8 *pixels, gsize stride, EsFrameGround ground)
{
  const gsize from = 4 * (gsize) self->left, length = 4 * (gsize) (self->right - self->left);

  for (int j = self->top; j < self->bottom; j++)
    {
      const EsFrameTap *row = &self->rows[j], *before = &self->rows[MAX (j - 1, 0)];

      /* Zoomed in, most rows repeat the one above, as long as the checker does. */
      if (j > self->top && j % ES_FRAME_CHECKER_SIZE != 0 && row->first == before->first
          && row->weights[0] == before->weights[0])
        memcpy (pixels + stride * j + from, pixels + stride * (j - 1) + from, length);
      else
        paint_plain_row (self, j, ground, pixels + stride * j);
    }
}

static void
paint_mixed (const EsFrame *self, guint8 *pixels, gsize stride, EsFrameGround ground)
{
  gsize row_length = 4 * (gsize) self->width;
  g_autofree guint32 *ring = g_new (guint32, ES_FRAME_TAPS * row_length);
  gint64 kept[ES_FRAME_TAPS] = { -1, -1, -1 };      /* which row of samples each place of the ring holds */

  for (int j = self->top; j < self->bottom; j++)
    {
      const EsFrameTap *tap = &self->rows[j];
      const guint32 *sums[ES_FRAME_TAPS];
      guint32 weights[ES_FRAME_TAPS], row_weight = 0;
      guint n = 0;
      guint8 *pixel = pixels + stride * j + 4 * (gsize) self->left;

      for (guint k = 0; k < ES_FRAME_TAPS; k++)
        {
          gint64 row = (gint64) tap->first + k;
          guint place = row % ES_FRAME_TAPS;

          if (tap->weights[k] == 0)
            continue;
          if (kept[place] != row)
            {
              mix_row (self, row, ring + row_length * place);
              kept[place] = row;
            }
          sums[n] = ring + row_length * place;
          weights[n++] = tap->weights[k];
          row_weight += tap->weights[k];
        }

      for (int i = self->left; i < self->right; i++, pixel += 4)
        {
          const EsFrameTap *column = &self->columns[i];
          guint32 column_weight = column->weights[0] + column->weights[1] + column->weights[2];
          guint32 sum[4] = { 0 };

          for (guint k = 0; k < n; k++)
            for (guint c = 0; c < 4; c++)
              sum[c] += weights[k] * sums[k][4 * i + c];
          finish_pixel (self, sum, row_weight * column_weight, i, j, ground, pixel);
        }
    }
}

void
es_frame_paint (const EsFrame *self, guint8 *pixels, gsize stride, EsFrameGround ground)
{
  for (guint p = 0; p < self->n_planes; p++)
    es_plane_get_level (self->planes[p], self->level);      /* from here on it is on the host */
  if (self->mixed)
    paint_mixed (self, pixels, stride, ground);
  else
    paint_plain (self, pixels, stride, ground);
  if (self->over != NULL)
    es_frame_paint (self->over, pixels, stride, ground);
}
