/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-private.h"

#include <math.h>
#include <string.h>

#include "base/es-order.h"

EsRegion *
es_region_alloc (void)
{
  EsRegion *self = g_new0 (EsRegion, 1);

  g_atomic_ref_count_init (&self->references);
  return self;
}

EsRegion *
es_region_ref (EsRegion *self)
{
  g_atomic_ref_count_inc (&self->references);
  return self;
}

void
es_region_unref (EsRegion *self)
{
  if (!g_atomic_ref_count_dec (&self->references))
    return;
  g_free (self->outline);
  g_free (self->runs);
  g_free (self);
}

EsRegion *
es_region_new_rectangle (gint64 x, gint64 y, gint64 width, gint64 height)
{
  const double left = x, top = y, right = left + MAX (width, 0), bottom = top + MAX (height, 0);
  EsRegion *self = es_region_new_polygon ((double[]) { left, top, right, top, right, bottom, left, bottom }, 4);

  self->is_rectangle = TRUE;
  return self;
}

EsRegion *
es_region_new_polygon (const double *points, guint n)
{
  EsRegion *self = es_region_alloc ();

  self->outline = g_memdup2 (points, 2 * (gsize) n * sizeof (double));
  self->n_corners = n;
  return self;
}

EsRegion *
es_region_new_mask (const guint8 *mask, guint64 width, guint64 height)
{
  EsRegion *self = es_region_alloc ();
  g_autoptr (GArray) runs = g_array_new (FALSE, FALSE, sizeof (EsRegionRun));

  for (guint64 y = 0; y < height; y++, mask += width)
    for (guint64 x = 0; x < width; x++)
      {
        EsRegionRun run = { y, x, x };

        if (mask[x] == 0)
          continue;
        while (x + 1 < width && mask[x + 1] != 0)
          x++;
        run.to = x;
        g_array_append_val (runs, run);
      }
  self->n_runs = runs->len;
  self->runs = (EsRegionRun *) g_array_free (g_steal_pointer (&runs), FALSE);
  return self;
}

EsRegion *
es_region_shift (const EsRegion *self, gint64 right, gint64 down)
{
  EsRegion *shifted = es_region_alloc ();

  shifted->is_rectangle = self->is_rectangle;
  shifted->n_corners = self->n_corners;
  shifted->n_runs = self->n_runs;
  shifted->outline = g_memdup2 (self->outline, 2 * (gsize) self->n_corners * sizeof (double));
  shifted->runs = g_memdup2 (self->runs, self->n_runs * sizeof *self->runs);
  for (guint i = 0; i < self->n_corners; i++)
    {
      shifted->outline[2 * i] += right;
      shifted->outline[2 * i + 1] += down;
    }
  for (gsize i = 0; i < self->n_runs; i++)
    {
      shifted->runs[i].y += down;
      shifted->runs[i].from += right;
      shifted->runs[i].to += right;
    }
  return shifted;
}

const double *
es_region_get_outline (const EsRegion *self, guint *n)
{
  *n = self->n_corners;
  return self->outline;
}

/* ---- which pixels ---- */

/* The pixels from..to of a row, clipped. */
typedef void (*SpanFunc) (gint64 from, gint64 to, gpointer data);

static void
polygon_row (const EsRegion *self, gint64 y, gint64 left, gint64 right, double *crossings, SpanFunc span, gpointer data)
{
  const double centre = y + 0.5;
  guint n = 0;

  for (guint i = 0, j = self->n_corners - 1; i < self->n_corners; j = i++)
    {
      const double *a = self->outline + 2 * j, *b = self->outline + 2 * i;
      if ((a[1] <= centre) != (b[1] <= centre))
        crossings[n++] = a[0] + (b[0] - a[0]) * ((centre - a[1]) / (b[1] - a[1]));
    }
  qsort (crossings, n, sizeof *crossings, es_compare_doubles);
  for (guint i = 0; i + 1 < n; i += 2)
    {
      const double from = MAX (ceil (crossings[i] - 0.5), left);
      const double to = MIN (ceil (crossings[i + 1] - 0.5) - 1, right);
      if (from <= to)
        span (from, to, data);
    }
}

/* The first run of row y, or of the first row after it that has any. */
static gsize
find_row (const EsRegion *self, gint64 y)
{
  gsize low = 0, high = self->n_runs;

  while (low < high)
    {
      const gsize middle = low + (high - low) / 2;
      if (self->runs[middle].y < y)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
for_row (const EsRegion *self, gint64 y, gint64 left, gint64 right, double *crossings, SpanFunc span, gpointer data)
{
  if (self->outline != NULL)
    {
      polygon_row (self, y, left, right, crossings, span, data);
      return;
    }
  for (gsize i = find_row (self, y); i < self->n_runs && self->runs[i].y == y; i++)
    {
      const gint64 from = MAX (self->runs[i].from, left), to = MIN (self->runs[i].to, right);
      if (from <= to)
        span (from, to, data);
    }
}

/* The rows that may have pixels in 0..height - 1; FALSE: none. */
static gboolean
find_rows (const EsRegion *self, guint64 height, gint64 *top, gint64 *bottom)
{
  double first, last;

  if (self->outline != NULL)
    {
      first = last = self->outline[1];
      for (guint i = 1; i < self->n_corners; i++)
        {
          first = MIN (first, self->outline[2 * i + 1]);
          last = MAX (last, self->outline[2 * i + 1]);
        }
      first = floor (first);
      last = ceil (last);
    }
  else if (self->n_runs > 0)
    {
      first = self->runs[0].y;
      last = self->runs[self->n_runs - 1].y;
    }
  else
    return FALSE;
  if (height == 0 || last < 0 || first > (double) (height - 1))
    return FALSE;
  *top = MAX (first, 0);
  *bottom = MIN (last, (double) (height - 1));
  return TRUE;
}

typedef struct
{
  guint64 count;               /* of the pixels in all spans */
  gint64  left, right, top, bottom, y;
} Extent;

static void
extend (gint64 from, gint64 to, gpointer data)
{
  Extent *extent = data;

  if (extent->count == 0)
    {
      extent->top = extent->y;
      extent->left = from;
      extent->right = to;
    }
  extent->left = MIN (extent->left, from);
  extent->right = MAX (extent->right, to);
  extent->bottom = extent->y;
  extent->count += to - from + 1;
}

static Extent
measure (const EsRegion *self, guint64 width, guint64 height)
{
  g_autofree double *crossings = g_new (double, self->n_corners + 1);
  Extent extent = { 0 };
  gint64 top, bottom;

  if (width == 0 || !find_rows (self, height, &top, &bottom))
    return extent;
  /* Rows between runs may be very many. */
  for (gsize i = 0; self->outline == NULL && i < self->n_runs; i++)
    {
      extent.y = self->runs[i].y;
      if (extent.y <= bottom && self->runs[i].from <= (gint64) width - 1)
        extend (self->runs[i].from, MIN (self->runs[i].to, (gint64) width - 1), &extent);
    }
  for (extent.y = top; self->outline != NULL && extent.y <= bottom; extent.y++)
    polygon_row (self, extent.y, 0, width - 1, crossings, extend, &extent);
  return extent;
}

gboolean
es_region_get_box (const EsRegion *self, guint64 width, guint64 height, guint64 *x, guint64 *y, guint64 *box_width,
                   guint64 *box_height)
{
  double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };

  if (self->outline == NULL)
    return es_region_get_bounds (self, width, height, x, y, box_width, box_height);
  for (guint i = 0; i < 2 * self->n_corners; i++)
    {
      low[i % 2] = MIN (low[i % 2], self->outline[i]);
      high[i % 2] = MAX (high[i % 2], self->outline[i]);
    }
  const double left = MAX (ceil (low[0] - 0.5), 0), right = MIN (ceil (high[0] - 0.5), (double) width);
  const double top = MAX (ceil (low[1] - 0.5), 0), bottom = MIN (ceil (high[1] - 0.5), (double) height);
  if (!(left < right) || !(top < bottom))
    return FALSE;
  *x = left;
  *y = top;
  *box_width = right - left;
  *box_height = bottom - top;
  return TRUE;
}

gboolean
es_region_get_bounds (const EsRegion *self, guint64 width, guint64 height, guint64 *x, guint64 *y,
                      guint64 *bounds_width, guint64 *bounds_height)
{
  const Extent extent = measure (self, width, height);

  if (extent.count == 0)
    return FALSE;
  *x = extent.left;
  *y = extent.top;
  *bounds_width = extent.right - extent.left + 1;
  *bounds_height = extent.bottom - extent.top + 1;
  return TRUE;
}

guint64
es_region_count (const EsRegion *self, guint64 width, guint64 height)
{
  return measure (self, width, height).count;
}

typedef struct
{
  guint8 *row;
  gint64  left;
} Fill;

static void
fill_span (gint64 from, gint64 to, gpointer data)
{
  Fill *fill = data;

  memset (fill->row + (from - fill->left), 1, to - from + 1);
}

void
es_region_fill_mask (const EsRegion *self, guint64 x, guint64 y, guint64 window_width, guint64 window_height,
                     guint8 *mask)
{
  g_autofree double *crossings = g_new (double, self->n_corners + 1);
  gint64 top, bottom;

  memset (mask, 0, window_width * window_height);
  if (window_width == 0 || !find_rows (self, y + window_height, &top, &bottom))
    return;
  for (gint64 row = MAX (top, (gint64) y); row <= bottom; row++)
    {
      Fill fill = { mask + (row - (gint64) y) * window_width, x };
      for_row (self, row, x, x + window_width - 1, crossings, fill_span, &fill);
    }
}
