/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spy-paint.h"

#include <math.h>
#include <string.h>

#include "plane/es-spy-picture.h"

#define THINNEST 4.0

const EsSpyColors es_spy_colors_light = {
  .nothing = { 1, 1, 1, 1 }, .one = { 0.33, 0.56, 0.86, 1 }, .most = { 0.02, 0.10, 0.30, 1 },
};
const EsSpyColors es_spy_colors_dark = {
  .nothing = { 0.10, 0.10, 0.10, 1 }, .one = { 0.25, 0.50, 0.80, 1 }, .most = { 0.92, 0.97, 1, 1 },
};

gsize
es_spy_part (guint64 i, guint64 places, guint64 n)
{
  return (gsize) (((i + 1) * n - 1) / places);
}

gsize
es_spy_begin (guint64 k, guint64 places, guint64 n)
{
  return (gsize) (k * places / n);
}

void
es_spy_fit (guint64 rows, guint64 columns, guint room_width, guint room_height, guint *width, guint *height)
{
  const double shape = CLAMP ((double) MAX (columns, 1) / (double) MAX (rows, 1), 1 / THINNEST, THINNEST);
  const double across = MIN ((double) room_width, room_height * shape);

  *width = MAX ((guint) across, 1);
  *height = MAX ((guint) (across / shape + 0.5), 1);
  *height = MIN (*height, MAX (room_height, 1));
}

static guint8
mix (double one, double other, double share)
{
  return (guint8) lrint (255 * ((1 - share) * one + share * other));
}

static void
colour_of (guint32 count, guint32 most, const EsSpyColors *colors, guint8 *pixel)
{
  const GdkRGBA *from = &colors->one, *to = &colors->most;
  const double share = es_spy_picture_get_share (count, most);

  if (count == 0)
    from = to = &colors->nothing;
  pixel[0] = mix (from->red, to->red, share);
  pixel[1] = mix (from->green, to->green, share);
  pixel[2] = mix (from->blue, to->blue, share);
}

void
es_spy_paint (const guint32 *cells, guint width, guint height, guint columns, guint rows, const EsSpyColors *colors,
              guint8 *pixels)
{
  const gsize stride = 3 * (gsize) columns;
  guint32 most = 1;
  gsize drawn = G_MAXSIZE;

  g_return_if_fail (columns >= width && rows >= height && width > 0 && height > 0);

  for (gsize i = 0; i < (gsize) width * height; i++)
    most = MAX (most, cells[i]);
  for (guint y = 0; y < rows; y++)
    {
      const gsize line = es_spy_part (y, rows, height);
      guint8 *row = pixels + y * stride;

      if (line == drawn)
        {
          memcpy (row, row - stride, stride);
          continue;
        }
      for (guint x = 0; x < columns; x++)
        colour_of (cells[line * width + es_spy_part (x, columns, width)], most, colors, row + 3 * x);
      drawn = line;
    }
}
