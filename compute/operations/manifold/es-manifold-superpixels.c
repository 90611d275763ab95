/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Superpixels by simple linear iterative clustering (Achanta and others, "SLIC superpixels compared to state-of-the-art
 * superpixel methods", 2012). Here each pixel looks at the centres of the 3 x 3 cells of the grid around its own, the
 * same ones that SLIC's centres look for it from; so that every pixel is decided by itself, on any thread. Groups are
 * not made connected: samples are wanted, not outlines.
 */

#include "es-manifold-private.h"

#include <math.h>
#include <string.h>

#define ITERATIONS 8

typedef struct
{
  const float   *values;
  const guint32 *valid;
  guint64        width, height;
  guint          planes;
  guint64        columns, rows;            /* of the grid */
  double         step, weight;             /* weight of squared pixels */
  double        *centre;                   /* columns * rows x (2 + planes); NAN: no pixel */
  gint32        *label;
  GCancellable  *cancellable;
} Slic;

static guint64
cell_of (double place, double step, guint64 n)
{
  return MIN ((guint64) (place / step), n - 1);
}

static double
distance (const Slic *self, const double *centre, guint64 x, guint64 y, const float *value)
{
  double sum = 0;

  for (guint k = 0; k < self->planes; k++)
    sum += (value[k] - centre[2 + k]) * (value[k] - centre[2 + k]);
  return sum + self->weight * ((x - centre[0]) * (x - centre[0]) + (y - centre[1]) * (y - centre[1]));
}

static void
label_row (gsize y, gpointer data)
{
  Slic *self = data;
  const guint64 row = cell_of (y + 0.5, self->step, self->rows);
  const gsize length = 2 + self->planes;

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  for (guint64 x = 0; x < self->width; x++)
    {
      const guint64 pixel = y * self->width + x;
      const guint64 column = cell_of (x + 0.5, self->step, self->columns);
      double least = INFINITY;

      self->label[pixel] = -1;
      if (!es_manifold_has_pixel (self->valid, pixel))
        continue;
      for (guint64 r = row > 0 ? row - 1 : 0; r <= MIN (row + 1, self->rows - 1); r++)
        for (guint64 c = column > 0 ? column - 1 : 0; c <= MIN (column + 1, self->columns - 1); c++)
          {
            const guint64 cell = r * self->columns + c;
            const double *centre = self->centre + cell * length;
            const double d = isnan (centre[0]) ? INFINITY
                             : distance (self, centre, x, y, self->values + pixel * self->planes);

            if (d < least)
              {
                least = d;
                self->label[pixel] = (gint32) cell;
              }
          }
    }
}

/* Means of what was labelled. */
static void
move_centres (Slic *self, gint32 *count)
{
  const gsize cells = self->columns * self->rows, length = 2 + self->planes;

  memset (self->centre, 0, cells * length * sizeof (double));
  memset (count, 0, cells * sizeof *count);
  for (guint64 pixel = 0; pixel < self->width * self->height; pixel++)
    if (self->label[pixel] >= 0)
      {
        double *centre = self->centre + self->label[pixel] * length;

        count[self->label[pixel]]++;
        centre[0] += pixel % self->width;
        centre[1] += pixel / self->width;
        for (guint k = 0; k < self->planes; k++)
          centre[2 + k] += self->values[pixel * self->planes + k];
      }
  for (gsize cell = 0; cell < cells; cell++)
    for (gsize k = 0; k < length; k++)
      self->centre[cell * length + k] = count[cell] > 0 ? self->centre[cell * length + k] / count[cell] : NAN;
}

/* Every pixel is of its cell. Returns how many cells have pixels. */
static gsize
begin (Slic *self, gint32 *count)
{
  gsize n = 0;

  memset (count, 0, self->columns * self->rows * sizeof *count);
  for (guint64 pixel = 0; pixel < self->width * self->height; pixel++)
    {
      self->label[pixel] = !es_manifold_has_pixel (self->valid, pixel) ? -1
                           : (gint32) (cell_of (pixel / self->width + 0.5, self->step, self->rows) * self->columns
                                       + cell_of (pixel % self->width + 0.5, self->step, self->columns));
      if (self->label[pixel] >= 0 && count[self->label[pixel]]++ == 0)
        n++;
    }
  return n;
}

/* The finest grid of which no more cells have pixels than are wanted. */
static void
choose_grid (Slic *self, guint64 n_valid, gsize wanted, gint32 **count)
{
  for (self->step = MAX (sqrt ((double) n_valid / (double) MAX (wanted, 1)), 1);; self->step *= 1.02)
    {
      self->columns = MAX ((guint64) ceil (self->width / self->step), 1);
      self->rows = MAX ((guint64) ceil (self->height / self->step), 1);
      g_free (*count);
      *count = g_new (gint32, self->columns * self->rows);
      if (begin (self, *count) <= wanted || self->columns * self->rows == 1)
        return;
    }
}

/* Cells without pixels are no groups. */
static gsize
renumber (Slic *self, gint32 *number)
{
  gsize n = 0;

  for (gsize cell = 0; cell < self->columns * self->rows; cell++)
    number[cell] = number[cell] > 0 ? (gint32) n++ : -1;
  for (guint64 pixel = 0; pixel < self->width * self->height; pixel++)
    if (self->label[pixel] >= 0)
      self->label[pixel] = number[self->label[pixel]];
  return n;
}

gssize
es_manifold_superpixels (const float *values, const guint32 *valid, guint64 width, guint64 height, guint planes,
                         gsize wanted, double compactness, guint threads, GCancellable *cancellable, gint32 *label)
{
  guint64 n_valid = 0;

  for (guint64 pixel = 0; pixel < width * height; pixel++)
    n_valid += es_manifold_has_pixel (valid, pixel);
  if (n_valid == 0)
    return 0;

  Slic self = { .values = values, .valid = valid, .width = width, .height = height, .planes = planes, .label = label,
                .cancellable = cancellable };
  g_autofree gint32 *count = NULL;
  g_autofree double *centre = NULL;

  choose_grid (&self, n_valid, wanted, &count);
  self.weight = compactness * compactness / (self.step * self.step);
  self.centre = centre = g_new (double, self.columns * self.rows * (2 + planes));
  for (guint i = 0; i < ITERATIONS; i++)
    {
      move_centres (&self, count);
      es_manifold_run_parts (threads, height, label_row, &self);
      if (g_cancellable_is_cancelled (cancellable))
        return -1;
    }
  move_centres (&self, count);
  return (gssize) renumber (&self, count);
}
