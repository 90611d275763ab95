/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-spy-picture.h"

#include <math.h>
#include <string.h>

#define NARROWEST 16
/* What a single nonzero is drawn with: grey on white, and an entry of a colour map on black. */
#define ONE_GREY 160
#define ONE_ENTRY 85

void
es_spy_picture_choose_size (gsize n_rows, gsize n_columns, guint longest, guint *width, guint *height)
{
  const double most = (double) MAX (n_rows, n_columns);
  const double shorter = rint (longest * ((double) MIN (n_rows, n_columns) / most));
  const guint other = (guint) CLAMP (shorter, MIN (NARROWEST, longest), longest);

  *width = n_columns >= n_rows ? longest : other;
  *height = n_columns >= n_rows ? other : longest;
}

double
es_spy_picture_get_share (guint32 n, guint32 most)
{
  return n > 0 && most > 1 ? log ((double) n) / log ((double) most) : 0;
}

static void
colour_of (guint32 n, guint32 most, EsColormap map, guint8 colour[4])
{
  const guint8 *entries = es_colormap_entries (map);

  colour[3] = 255;
  if (n == 0)
    memset (colour, map == ES_COLORMAP_GRAY ? 255 : 0, 3);
  else if (map == ES_COLORMAP_GRAY)
    memset (colour, (int) rint (ONE_GREY * (1 - es_spy_picture_get_share (n, most))), 3);
  else
    memcpy (colour, entries + 4 * (gsize) rint (ONE_ENTRY + (255 - ONE_ENTRY) * es_spy_picture_get_share (n, most)), 3);
}

void
es_spy_picture_paint (const guint32 *cells, guint columns, guint rows, EsColormap map, guint width, guint height,
                      guint8 *pixels)
{
  g_autofree guint8 *colours = g_malloc ((gsize) columns * rows * 4);
  guint32 most = 0;

  for (gsize i = 0; i < (gsize) columns * rows; i++)
    most = MAX (most, cells[i]);
  for (gsize i = 0; i < (gsize) columns * rows; i++)
    colour_of (cells[i], most, map, colours + 4 * i);
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++)
      {
        const gsize row = (guint64) y * rows / height, column = (guint64) x * columns / width;

        memcpy (pixels + ((gsize) y * width + x) * 4, colours + 4 * (row * columns + column), 4);
      }
}
