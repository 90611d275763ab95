/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-region-marks.h"

#include <math.h>

#define VEIL 0.4f               /* how much of the colour lies over the picture inside of an outline */

typedef struct
{
  EsRegion *region;
  GdkRGBA   color;
  guint64   x, y, width, height; /* its bounds in the picture */
  guint8   *mask;                /* of the bounds; NULL: nothing of it is inside */
} Mark;

struct _EsRegionMarks
{
  GArray *marks;
  guint64 width, height;
};

static void
clear_mark (gpointer data)
{
  Mark *mark = data;

  es_region_unref (mark->region);
  g_free (mark->mask);
}

EsRegionMarks *
es_region_marks_new (void)
{
  EsRegionMarks *self = g_new0 (EsRegionMarks, 1);

  self->marks = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_array_set_clear_func (self->marks, clear_mark);
  return self;
}

void
es_region_marks_free (EsRegionMarks *self)
{
  g_array_unref (self->marks);
  g_free (self);
}

static void
fill_mark (Mark *mark, guint64 width, guint64 height)
{
  if (!es_region_get_bounds (mark->region, width, height, &mark->x, &mark->y, &mark->width, &mark->height))
    return;
  mark->mask = g_try_malloc (mark->width * mark->height);
  if (mark->mask != NULL)
    es_region_fill_mask (mark->region, mark->x, mark->y, mark->width, mark->height, mark->mask);
}

void
es_region_marks_set (EsRegionMarks *self, guint n, EsRegion *const *regions, const GdkRGBA *colors, guint64 width,
                     guint64 height)
{
  g_autoptr (GArray) before = self->marks;

  self->marks = g_array_sized_new (FALSE, FALSE, sizeof (Mark), n);
  g_array_set_clear_func (self->marks, clear_mark);
  for (guint i = 0; i < n; i++)
    {
      Mark mark = { es_region_ref (regions[i]), colors[i] };
      gboolean found = FALSE;

      for (guint k = 0; k < before->len && width == self->width && height == self->height && !found; k++)
        {
          Mark *old = &g_array_index (before, Mark, k);

          if (old->region != regions[i] || old->mask == NULL)
            continue;
          mark.x = old->x;
          mark.y = old->y;
          mark.width = old->width;
          mark.height = old->height;
          mark.mask = g_steal_pointer (&old->mask);
          found = TRUE;
        }
      if (!found)
        fill_mark (&mark, width, height);
      g_array_append_val (self->marks, mark);
    }
  self->width = width;
  self->height = height;
}

gboolean
es_region_marks_is_empty (EsRegionMarks *self)
{
  return self->marks->len == 0;
}

gboolean
es_region_marks_pick (EsRegionMarks *self, guint64 x, guint64 y, GdkRGBA *color)
{
  for (guint i = self->marks->len; i > 0; i--)
    {
      const Mark *mark = &g_array_index (self->marks, Mark, i - 1);

      if (mark->mask == NULL || x < mark->x || y < mark->y || x >= mark->x + mark->width
          || y >= mark->y + mark->height || mark->mask[(y - mark->y) * mark->width + (x - mark->x)] == 0)
        continue;
      *color = mark->color;
      return TRUE;
    }
  return FALSE;
}

/* ---- drawing ---- */

static guint32
pack (const GdkRGBA *color, float alpha)
{
  guint32 a = (guint32) (alpha * 255 + 0.5f);
  guint32 r = (guint32) (color->red * alpha * 255 + 0.5f), g = (guint32) (color->green * alpha * 255 + 0.5f);
  guint32 b = (guint32) (color->blue * alpha * 255 + 0.5f);

  return a << 24 | r << 16 | g << 8 | b;
}

/* Premultiplied, a over b. */
static guint32
over (guint32 a, guint32 b)
{
  guint32 left = 255 - (a >> 24), sum = 0;

  if (b == 0 || left == 0)
    return a;
  for (guint shift = 0; shift < 32; shift += 8)
    {
      guint32 value = (a >> shift & 255) + ((b >> shift & 255) * left + 127) / 255;

      sum |= MIN (value, 255) << shift;
    }
  return sum;
}

typedef struct { int from, to; } Range;

/* The device pixels of a side that show picture pixels first .. first + n - 1. */
static Range
visible_range (double start, double zoom, guint64 first, guint64 n, int length)
{
  double from = floor ((first - start) * zoom) - 1, to = ceil ((first + n - start) * zoom) + 1;

  return (Range) { (int) CLAMP (from, 0, length), (int) CLAMP (to, 0, length) };
}

/* One line of device pixels: 1 where the mask is set. */
static void
sample_line (const Mark *mark, const int *columns, Range range, double row, guint8 *line)
{
  const guint8 *source = NULL;

  if (row >= mark->y && row < mark->y + mark->height)
    source = mark->mask + ((guint64) row - mark->y) * mark->width;
  for (int i = range.from; i < range.to; i++)
    line[i] = source != NULL && columns[i] >= 0 && source[columns[i]] != 0;
}

static gboolean
draw_mark (const Mark *mark, const EsViewport *viewport, int width, int height, int outline, guint32 *pixels)
{
  Range across = visible_range (viewport->left, viewport->zoom, mark->x, mark->width, width);
  Range down = visible_range (viewport->top, viewport->zoom, mark->y, mark->height, height);
  const guint32 edge = pack (&mark->color, 1), veil = pack (&mark->color, VEIL);
  g_autofree int *columns = NULL;
  g_autofree guint8 *lines = NULL;
  const int n_lines = 2 * outline + 1, stride = width + 2 * outline;

  if (across.from >= across.to || down.from >= down.to)
    return FALSE;
  columns = g_new (int, width);
  for (int i = across.from; i < across.to; i++)
    {
      double x = floor (viewport->left + (i + 0.5) / viewport->zoom) - (double) mark->x;

      columns[i] = x >= 0 && x < mark->width ? (int) x : -1;
    }

  /* A window of lines round the one that is drawn; beside the view counts as inside, or its border would be an edge. */
  lines = g_malloc0 ((gsize) n_lines * stride);
  for (int k = 0; k < n_lines; k++)
    sample_line (mark, columns, across, floor (viewport->top + (down.from - outline + k + 0.5) / viewport->zoom),
                 lines + (gsize) ((down.from + k) % n_lines) * stride + outline);
  for (int j = down.from; j < down.to; j++)
    {
      const guint8 *line = lines + (gsize) ((j + outline) % n_lines) * stride + outline;

      for (int i = across.from; i < across.to; i++)
        {
          gboolean inner = TRUE;

          if (line[i] == 0)
            continue;
          for (int k = 1; k <= outline && inner; k++)
            inner = (i - k < 0 || line[i - k]) && (i + k >= width || line[i + k])
                    && lines[(gsize) ((j + outline - k + n_lines) % n_lines) * stride + outline + i]
                    && lines[(gsize) ((j + outline + k) % n_lines) * stride + outline + i];
          pixels[(gsize) j * width + i] = over (inner ? veil : edge, pixels[(gsize) j * width + i]);
        }
      sample_line (mark, columns, across, floor (viewport->top + (j + outline + 1 + 0.5) / viewport->zoom),
                   lines + (gsize) (j % n_lines) * stride + outline);
    }
  return TRUE;
}

GdkTexture *
es_region_marks_render (EsRegionMarks *self, const EsViewport *viewport, int width, int height, int outline)
{
  g_autofree guint32 *pixels = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gboolean any = FALSE;

  if (self->marks->len == 0 || width < 1 || height < 1)
    return NULL;
  pixels = g_try_malloc0_n ((gsize) width * height, sizeof (guint32));
  if (pixels == NULL)
    return NULL;
  for (guint i = 0; i < self->marks->len; i++)
    {
      const Mark *mark = &g_array_index (self->marks, Mark, i);

      if (mark->mask != NULL)
        any |= draw_mark (mark, viewport, width, height, MAX (outline, 1), pixels);
    }
  if (!any)
    return NULL;
  bytes = g_bytes_new_take (g_steal_pointer (&pixels), (gsize) width * height * sizeof (guint32));
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, (gsize) width * sizeof (guint32));
}
