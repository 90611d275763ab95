/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-area-means-internal.h"

#include <math.h>
#include <string.h>

/* Rows of this many samples are read at once. */
#define PORTION       (1024 * 1024)
/* What may be read for a picture as if it were nothing, and what a few rows a cell may cost. */
#define CHEAP_BYTES   (64 * 1024 * 1024ull)
#define DEAR_BYTES    (512 * 1024 * 1024ull)
#define DEAR_ROWS     4

typedef struct
{
  guint64    width, height;
  EsReadRows read;
  gpointer   data;
  float     *rows;               /* `portion` of them */
  guint64    portion;
  guint64    first, n;           /* those that are there */
} Rows;

static const float *
get_row (Rows *self, guint64 y, gboolean ahead, GError **error)
{
  if (y < self->first || y >= self->first + self->n)
    {
      self->first = y;
      self->n = ahead ? MIN (self->portion, self->height - y) : 1;
      if (!self->read (self->data, y, self->n, self->rows, error))
        return NULL;
    }
  return self->rows + (y - self->first) * self->width;
}

static void
add_row (const float *row, guint64 width, guint step, double *sums, guint32 *counts)
{
  for (guint64 x = 0, cell = 0; x < width; cell++)
    for (guint64 end = MIN (x + step, width); x < end; x++)
      if (!isnan (row[x]))
        {
          sums[cell] += row[x];
          counts[cell]++;
        }
}

static guint64
rows_a_cell (guint64 cells, guint step, guint64 row_bytes)
{
  double each = (double) cells * row_bytes;

  if (row_bytes == 0 || each * step <= CHEAP_BYTES)
    return step;
  return (guint64) CLAMP (MAX (CHEAP_BYTES / each, MIN (DEAR_BYTES / each, DEAR_ROWS)), 1, step);
}

gboolean
es_area_means (guint64 width, guint64 height, guint step, guint64 row_bytes, EsReadRows read, gpointer data,
               float *out, GCancellable *cancellable, GError **error)
{
  guint64 columns = (width - 1) / step + 1, cells = (height - 1) / step + 1;
  guint64 wanted = rows_a_cell (cells, step, row_bytes);
  guint64 portion = CLAMP (PORTION / width, 1, height);
  g_autofree float *buffer = g_new (float, portion * width);
  g_autofree double *sums = g_new (double, columns);
  g_autofree guint32 *counts = g_new (guint32, columns);
  Rows rows = { width, height, read, data, buffer, portion, 0, 0 };

  g_return_val_if_fail (width > 0 && height > 0 && step > 0, FALSE);

  for (guint64 cell = 0; cell < cells; cell++, out += columns)
    {
      guint64 top = cell * step, in_cell = MIN (step, height - top), n = MIN (wanted, in_cell);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      memset (sums, 0, columns * sizeof *sums);
      memset (counts, 0, columns * sizeof *counts);
      for (guint64 k = 0; k < n; k++)
        {
          const float *row = get_row (&rows, top + (2 * k + 1) * in_cell / (2 * n), wanted >= step, error);

          if (row == NULL)
            return FALSE;
          add_row (row, width, step, sums, counts);
        }
      for (guint64 i = 0; i < columns; i++)
        out[i] = counts[i] > 0 ? (float) (sums[i] / counts[i]) : NAN;
    }
  return TRUE;
}
