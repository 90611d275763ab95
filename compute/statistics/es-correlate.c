/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-correlate.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"

/* Samples of both sets that are in memory at once. */
#define STRIP_SAMPLES ((guint64) 4 << 20)

/* Of the pixels valid in both planes of a pair; values less their planes' shifts. */
typedef struct
{
  double count, row, column, row_square, column_square, product;
} PairSums;

/* Planes of one of the two sets, a strip of rows at a time. */
typedef struct
{
  GObject  *planes;
  guint     n;
  float    *values;            /* n x pixels of the strip, less the shift; NAN where missing */
  gboolean *has_shift;
  double   *shift;             /* the first valid value: sums about zero lose nothing */
  gboolean *whole;             /* of the strip: no pixel is missing */
  double   *sum, *square;      /* of the strip, where it is whole */
} Side;

static void
side_clear (Side *self)
{
  g_free (self->values);
  g_free (self->has_shift);
  g_free (self->shift);
  g_free (self->whole);
  g_free (self->sum);
  g_free (self->square);
}

static gboolean
side_init (Side *self, GObject *planes, gsize pixels)
{
  self->planes = planes;
  self->n = es_planes_get_n (planes);
  self->values = g_try_new (float, pixels * self->n);
  self->has_shift = g_new0 (gboolean, self->n);
  self->shift = g_new0 (double, self->n);
  self->whole = g_new0 (gboolean, self->n);
  self->sum = g_new0 (double, self->n);
  self->square = g_new0 (double, self->n);
  return self->values != NULL;
}

static gboolean
side_read (Side *self, guint64 y, guint64 rows, gsize stride, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_planes_get_width (self->planes);
  const gsize pixels = rows * width;

  for (guint k = 0; k < self->n; k++)
    {
      float *values = self->values + k * stride;
      gsize missing = 0;
      double sum = 0, square = 0;

      if (!es_planes_read (self->planes, k, 0, y, width, rows, 1, values, cancellable, error))
        return FALSE;
      for (gsize i = 0; !self->has_shift[k] && i < pixels; i++)
        if (isfinite (values[i]))
          {
            self->has_shift[k] = TRUE;
            self->shift[k] = values[i];
          }
      for (gsize i = 0; i < pixels; i++)
        if (isfinite (values[i]))
          {
            const double value = values[i] - self->shift[k];
            values[i] = (float) value;
            sum += values[i];
            square += (double) values[i] * values[i];
          }
        else
          {
            values[i] = NAN;
            missing++;
          }
      self->whole[k] = missing == 0;
      self->sum[k] = sum;
      self->square[k] = square;
    }
  return TRUE;
}

static void
add_whole (PairSums *sums, const float *a, const float *b, gsize n)
{
  double lanes[4] = { 0 };
  gsize i = 0;

  for (; i + 4 <= n; i += 4)
    for (guint lane = 0; lane < 4; lane++)
      lanes[lane] += (double) a[i + lane] * b[i + lane];
  for (; i < n; i++)
    lanes[0] += (double) a[i] * b[i];
  sums->product += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  sums->count += n;
}

static void
add_with_gaps (PairSums *sums, const float *a, const float *b, gsize n)
{
  PairSums strip = { 0 };

  for (gsize i = 0; i < n; i++)
    {
      const gboolean valid = a[i] == a[i] && b[i] == b[i];
      const double row = valid ? a[i] : 0, column = valid ? b[i] : 0;

      strip.count += valid;
      strip.row += row;
      strip.column += column;
      strip.row_square += row * row;
      strip.column_square += column * column;
      strip.product += row * column;
    }
  sums->count += strip.count;
  sums->row += strip.row;
  sums->column += strip.column;
  sums->row_square += strip.row_square;
  sums->column_square += strip.column_square;
  sums->product += strip.product;
}

static void
add_strip (PairSums *sums, const Side *rows, const Side *columns, gsize stride, gsize pixels)
{
  for (guint i = 0; i < rows->n; i++)
    for (guint j = 0; j < columns->n; j++)
      {
        PairSums *pair = &sums[(gsize) i * columns->n + j];
        const float *a = rows->values + i * stride, *b = columns->values + j * stride;

        if (!rows->whole[i] || !columns->whole[j])
          {
            add_with_gaps (pair, a, b, pixels);
            continue;
          }
        add_whole (pair, a, b, pixels);
        pair->row += rows->sum[i];
        pair->row_square += rows->square[i];
        pair->column += columns->sum[j];
        pair->column_square += columns->square[j];
      }
}

static double
correlation_of (const PairSums *sums)
{
  const double n = sums->count;
  const double row = sums->row_square - sums->row * sums->row / n;
  const double column = sums->column_square - sums->column * sums->column / n;

  /* What is left of a constant plane is rounding. */
  if (n < 2 || !(row > 1e-14 * sums->row_square) || !(column > 1e-14 * sums->column_square))
    return NAN;
  return CLAMP ((sums->product - sums->row * sums->column / n) / sqrt (row * column), -1, 1);
}

static char **
titles_of (GObject *planes)
{
  const guint n = es_planes_get_n (planes);
  char **titles = g_new0 (char *, n + 1);

  for (guint i = 0; i < n; i++)
    titles[i] = es_planes_get_title (planes, i) ?: g_strdup_printf ("%u", i + 1);
  return titles;
}

static EsMatrix *
make_matrix (const Side *rows, const Side *columns, const PairSums *sums, const char *rows_title,
             const char *columns_title)
{
  const gsize n = (gsize) rows->n * columns->n;
  g_autofree double *values = g_new (double, n);
  g_auto (GStrv) row_titles = titles_of (rows->planes), column_titles = titles_of (columns->planes);
  EsMatrix *matrix;

  for (gsize i = 0; i < n; i++)
    values[i] = correlation_of (&sums[i]);
  matrix = es_matrix_new ("correlations", _("Correlations"), rows->n, columns->n, values,
                          (const char *const *) row_titles, (const char *const *) column_titles);
  es_matrix_set_titles (matrix, rows_title, columns_title);
  es_matrix_set_range (matrix, -1, 1);
  return matrix;
}

EsMatrix *
es_correlate (GObject *rows, GObject *columns, const char *rows_title, const char *columns_title,
              void (*progress) (double fraction, gpointer data), gpointer data, GCancellable *cancellable,
              GError **error)
{
  const guint64 width = es_planes_get_width (rows), height = es_planes_get_height (rows);
  const guint n = es_planes_get_n (rows) + es_planes_get_n (columns);
  const guint64 strip = CLAMP (STRIP_SAMPLES / n / width, 1, height);
  Side row_side = { 0 }, column_side = { 0 };
  EsMatrix *matrix = NULL;

  if (es_planes_get_width (columns) != width || es_planes_get_height (columns) != height)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("Pictures of %llu × %llu and %llu × %llu pixels cannot be compared pixel by pixel."),
                   (unsigned long long) width, (unsigned long long) height,
                   (unsigned long long) es_planes_get_width (columns),
                   (unsigned long long) es_planes_get_height (columns));
      return NULL;
    }

  g_autofree PairSums *sums = g_new0 (PairSums, (gsize) es_planes_get_n (rows) * es_planes_get_n (columns));
  const gsize stride = strip * width;
  const gboolean has_room = side_init (&row_side, rows, stride);
  gboolean done = side_init (&column_side, columns, stride) && has_room;
  if (!done)
    g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                         _("There is not enough memory to compare these pictures."));
  for (guint64 y = 0; done && y < height; y += strip)
    {
      const guint64 n_rows = MIN (strip, height - y);

      done = side_read (&row_side, y, n_rows, stride, cancellable, error)
             && side_read (&column_side, y, n_rows, stride, cancellable, error);
      if (!done)
        break;
      add_strip (sums, &row_side, &column_side, stride, n_rows * width);
      if (progress != NULL)
        progress ((double) (y + n_rows) / height, data);
    }
  if (done)
    matrix = make_matrix (&row_side, &column_side, sums, rows_title, columns_title);
  side_clear (&row_side);
  side_clear (&column_side);
  return matrix;
}

/* ---- in the background ---- */

typedef struct
{
  GObject *rows, *columns;
  char    *rows_title, *columns_title;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_object_unref (self->rows);
  g_object_unref (self->columns);
  g_free (self->rows_title);
  g_free (self->columns_title);
  g_free (self);
}

static void
correlate_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *self = data;
  GError *error = NULL;
  EsMatrix *matrix = es_correlate (self->rows, self->columns, self->rows_title, self->columns_title, NULL, NULL,
                                   cancellable, &error);

  if (matrix != NULL)
    g_task_return_pointer (task, matrix, g_object_unref);
  else
    g_task_return_error (task, error);
}

void
es_correlate_async (GObject *rows, GObject *columns, const char *rows_title, const char *columns_title,
                    GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *self = g_new (Request, 1);

  *self = (Request) { g_object_ref (rows), g_object_ref (columns), g_strdup (rows_title), g_strdup (columns_title) };
  g_task_set_source_tag (task, es_correlate_async);
  g_task_set_task_data (task, self, request_free);
  g_task_run_in_thread (task, correlate_thread);
}

EsMatrix *
es_correlate_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
