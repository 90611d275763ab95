/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-density.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-order.h"

/* Pixels of both planes that are in memory at once, and that the quantiles are taken of. */
#define STRIP_PIXELS ((guint64) 1 << 20)
#define QUANTILE_PIXELS ((guint64) 1 << 20)
#define QUANTILE 0.001
#define MARGIN 0.05

typedef struct
{
  EsDensity        density;
  gatomicrefcount  references;
} Counted;

EsDensity *
es_density_ref (EsDensity *self)
{
  g_atomic_ref_count_inc (&((Counted *) self)->references);
  return self;
}

void
es_density_unref (EsDensity *self)
{
  if (!g_atomic_ref_count_dec (&((Counted *) self)->references))
    return;
  g_object_unref (self->planes);
  g_free (self->counts);
  g_free ((Counted *) self);
}

static gboolean
out_of_memory (GError **error)
{
  g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                       _("There is not enough memory for a scatter plot of these planes."));
  return FALSE;
}

/* ---- all pixels, strip by strip ---- */

/* Whole rows of both planes. */
typedef void (*StripFunc) (const float *x, const float *y, guint64 first_row, guint64 rows, gpointer data);

static gboolean
for_strips (EsDensity *self, guint64 top, guint64 bottom, StripFunc strip_func, gpointer data,
            GCancellable *cancellable, GError **error)
{
  const guint64 width = es_planes_get_width (self->planes);
  const guint64 strip = CLAMP (STRIP_PIXELS / width, 1, bottom - top);
  g_autofree float *x = g_try_new (float, strip * width), *y = g_try_new (float, strip * width);

  if (x == NULL || y == NULL)
    return out_of_memory (error);
  for (guint64 row = top; row < bottom; row += strip)
    {
      const guint64 rows = MIN (strip, bottom - row);

      if (!es_planes_read (self->planes, self->x_plane, 0, row, width, rows, 1, x, cancellable, error)
          || !es_planes_read (self->planes, self->y_plane, 0, row, width, rows, 1, y, cancellable, error))
        return FALSE;
      strip_func (x, y, row, rows, data);
    }
  return TRUE;
}

/* ---- ranges ---- */

/* Of n sorted values. */
static void
find_range (const float *values, gsize n, double *minimum, double *maximum)
{
  const double low = values[(gsize) (QUANTILE * (n - 1))], high = values[n - 1 - (gsize) (QUANTILE * (n - 1))];
  const double margin = MARGIN * (high - low);

  *minimum = MAX (low - margin, values[0]);
  *maximum = MIN (high + margin, values[n - 1]);
  /* Where nearly all pixels are equal the quantiles are, too. */
  if (!(*maximum > *minimum))
    {
      *minimum = values[0];
      *maximum = values[n - 1];
    }
  if (!(*maximum > *minimum))
    {
      *minimum -= 0.5;
      *maximum += 0.5;
    }
}

/* Of the pixels of every step-th row and column that are valid in both planes. *n: how many there are. */
static gboolean
sample_ranges (EsDensity *self, guint step, gsize *n, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_planes_get_width (self->planes), height = es_planes_get_height (self->planes);
  const gsize pixels = ((width - 1) / step + 1) * ((height - 1) / step + 1);
  g_autofree float *x = g_try_new (float, pixels), *y = g_try_new (float, pixels);

  *n = 0;
  if (x == NULL || y == NULL)
    return out_of_memory (error);
  if (!es_planes_read (self->planes, self->x_plane, 0, 0, width, height, step, x, cancellable, error)
      || !es_planes_read (self->planes, self->y_plane, 0, 0, width, height, step, y, cancellable, error))
    return FALSE;
  for (gsize i = 0; i < pixels; i++)
    if (isfinite (x[i]) && isfinite (y[i]))
      {
        x[*n] = x[i];
        y[*n] = y[i];
        (*n)++;
      }
  if (*n == 0)
    return TRUE;
  qsort (x, *n, sizeof *x, es_compare_floats);
  qsort (y, *n, sizeof *y, es_compare_floats);
  find_range (x, *n, &self->x_minimum, &self->x_maximum);
  find_range (y, *n, &self->y_minimum, &self->y_maximum);
  return TRUE;
}

static gboolean
find_ranges (EsDensity *self, GCancellable *cancellable, GError **error)
{
  const double pixels = (double) es_planes_get_width (self->planes) * es_planes_get_height (self->planes);
  gsize n;

  /* A few valid pixels in a large image may be missed by a coarse look. */
  for (guint step = MAX (ceil (sqrt (pixels / QUANTILE_PIXELS)), 1);; step /= 2)
    {
      if (!sample_ranges (self, step, &n, cancellable, error))
        return FALSE;
      if (n > 0)
        return TRUE;
      if (step == 1)
        break;
    }
  g_set_error_literal (error, ES_DATA_ERROR, ES_DATA_ERROR_EMPTY,
                       _("No pixel has a value in both of these planes."));
  return FALSE;
}

/* ---- counting ---- */

/* The cell of a pair of values; FALSE: outside of the ranges. */
static inline gboolean
find_cell (const EsDensity *self, float x, float y, gsize *cell)
{
  if (!(x >= self->x_minimum && x <= self->x_maximum && y >= self->y_minimum && y <= self->y_maximum))
    return FALSE;

  const guint column = (guint) ((x - self->x_minimum) * (self->width / (self->x_maximum - self->x_minimum)));
  const guint row = (guint) ((y - self->y_minimum) * (self->height / (self->y_maximum - self->y_minimum)));
  *cell = (gsize) MIN (row, self->height - 1) * self->width + MIN (column, self->width - 1);
  return TRUE;
}

static void
count_strip (const float *x, const float *y, guint64 first_row, guint64 rows, gpointer data)
{
  EsDensity *self = data;
  const gsize n = rows * es_planes_get_width (self->planes);

  for (gsize i = 0; i < n; i++)
    {
      gsize cell;

      if (!isfinite (x[i]) || !isfinite (y[i]))
        continue;
      self->total++;
      if (find_cell (self, x[i], y[i], &cell))
        self->counts[cell] += self->counts[cell] < G_MAXUINT32;
      else
        self->outside++;
    }
}

EsDensity *
es_density_new (GObject *planes, guint x_plane, guint y_plane, guint width, guint height, GCancellable *cancellable,
                GError **error)
{
  Counted *counted = g_new0 (Counted, 1);
  g_autoptr (EsDensity) self = &counted->density;

  g_atomic_ref_count_init (&counted->references);
  self->planes = g_object_ref (planes);
  self->x_plane = x_plane;
  self->y_plane = y_plane;
  self->width = width > 0 ? width : ES_DENSITY_SIZE;
  self->height = height > 0 ? height : ES_DENSITY_SIZE;
  self->counts = g_try_malloc0_n ((gsize) self->width * self->height, sizeof *self->counts);
  if (self->counts == NULL)
    {
      out_of_memory (error);
      return NULL;
    }
  g_return_val_if_fail (x_plane < es_planes_get_n (planes) && y_plane < es_planes_get_n (planes), NULL);

  if (!find_ranges (self, cancellable, error)
      || !for_strips (self, 0, es_planes_get_height (planes), count_strip, self, cancellable, error))
    return NULL;
  for (gsize i = 0; i < (gsize) self->width * self->height; i++)
    self->largest = MAX (self->largest, self->counts[i]);
  return g_steal_pointer (&self);
}

/* ---- from the plot to the image ---- */

typedef struct
{
  const double *polygon;
  guint         n;
  double        left, right, bottom, top;       /* of the polygon */
  guint64       width;
  guint8       *mask;
} Lasso;

static gboolean
is_inside (const Lasso *lasso, double x, double y)
{
  gboolean inside = FALSE;

  if (x < lasso->left || x > lasso->right || y < lasso->bottom || y > lasso->top)
    return FALSE;
  for (guint i = 0, j = lasso->n - 1; i < lasso->n; j = i++)
    {
      const double *a = lasso->polygon + 2 * j, *b = lasso->polygon + 2 * i;
      if ((a[1] <= y) != (b[1] <= y) && x < a[0] + (b[0] - a[0]) * ((y - a[1]) / (b[1] - a[1])))
        inside = !inside;
    }
  return inside;
}

static void
lasso_strip (const float *x, const float *y, guint64 first_row, guint64 rows, gpointer data)
{
  Lasso *lasso = data;
  guint8 *mask = lasso->mask + first_row * lasso->width;

  for (gsize i = 0; i < rows * lasso->width; i++)
    mask[i] = isfinite (x[i]) && isfinite (y[i]) && is_inside (lasso, x[i], y[i]);
}

EsRegion *
es_density_find_pixels (EsDensity *self, const double *polygon, guint n, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_planes_get_width (self->planes), height = es_planes_get_height (self->planes);
  g_autofree guint8 *mask = g_try_malloc (width * height);
  Lasso lasso = { polygon, n, polygon[0], polygon[0], polygon[1], polygon[1], width, mask };

  if (mask == NULL)
    {
      out_of_memory (error);
      return NULL;
    }
  for (guint i = 1; i < n; i++)
    {
      lasso.left = MIN (lasso.left, polygon[2 * i]);
      lasso.right = MAX (lasso.right, polygon[2 * i]);
      lasso.bottom = MIN (lasso.bottom, polygon[2 * i + 1]);
      lasso.top = MAX (lasso.top, polygon[2 * i + 1]);
    }
  if (!for_strips (self, 0, height, lasso_strip, &lasso, cancellable, error))
    return NULL;
  return es_region_new_mask (mask, width, height);
}

/* ---- from the image to the plot ---- */

typedef struct
{
  EsDensity *density;
  EsRegion  *region;
  guint8    *mask;
  guint32   *counts;
} Points;

static void
points_strip (const float *x, const float *y, guint64 first_row, guint64 rows, gpointer data)
{
  Points *points = data;
  const guint64 width = es_planes_get_width (points->density->planes);

  es_region_fill_mask (points->region, 0, first_row, width, rows, points->mask);
  for (gsize i = 0; i < rows * width; i++)
    {
      gsize cell;
      if (points->mask[i] && find_cell (points->density, x[i], y[i], &cell))
        points->counts[cell] += points->counts[cell] < G_MAXUINT32;
    }
}

guint32 *
es_density_find_points (EsDensity *self, EsRegion *region, GCancellable *cancellable, GError **error)
{
  const guint64 width = es_planes_get_width (self->planes), height = es_planes_get_height (self->planes);
  g_autofree guint32 *counts = g_try_malloc0_n ((gsize) self->width * self->height, sizeof *counts);
  g_autofree guint8 *mask = g_try_malloc (CLAMP (STRIP_PIXELS / width, 1, height) * width);
  Points points = { self, region, mask, counts };
  guint64 x, y, columns, rows;

  if (counts == NULL || mask == NULL)
    {
      out_of_memory (error);
      return NULL;
    }
  if (es_region_get_bounds (region, width, height, &x, &y, &columns, &rows)
      && !for_strips (self, y, y + rows, points_strip, &points, cancellable, error))
    return NULL;
  return g_steal_pointer (&counts);
}

/* ---- in the background ---- */

typedef struct
{
  GObject   *planes;           /* of a new one, else NULL */
  guint      x_plane, y_plane, width, height;
  EsDensity *density;
  double    *polygon;
  guint      n;
  EsRegion  *region;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_clear_object (&self->planes);
  g_clear_pointer (&self->density, es_density_unref);
  g_clear_pointer (&self->region, es_region_unref);
  g_free (self->polygon);
  g_free (self);
}

static void
start (GTask *task, gpointer tag, Request *request, GTaskThreadFunc thread)
{
  g_task_set_source_tag (task, tag);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, thread);
  g_object_unref (task);
}

static void
give_back (GTask *task, gpointer result, GError *error, GDestroyNotify destroy)
{
  if (result != NULL)
    g_task_return_pointer (task, result, destroy);
  else
    g_task_return_error (task, error);
}

static void
new_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *request = data;
  GError *error = NULL;
  EsDensity *density = es_density_new (request->planes, request->x_plane, request->y_plane, request->width,
                                       request->height, cancellable, &error);

  give_back (task, density, error, (GDestroyNotify) es_density_unref);
}

void
es_density_new_async (GObject *planes, guint x_plane, guint y_plane, guint width, guint height,
                      GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  *request = (Request) { .planes = g_object_ref (planes), .x_plane = x_plane, .y_plane = y_plane, .width = width,
                         .height = height };
  start (g_task_new (NULL, cancellable, callback, user_data), es_density_new_async, request, new_thread);
}

EsDensity *
es_density_new_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
pixels_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *request = data;
  GError *error = NULL;
  EsRegion *region = es_density_find_pixels (request->density, request->polygon, request->n, cancellable, &error);

  give_back (task, region, error, (GDestroyNotify) es_region_unref);
}

void
es_density_find_pixels_async (EsDensity *self, const double *polygon, guint n, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  *request = (Request) { .density = es_density_ref (self), .n = n,
                         .polygon = g_memdup2 (polygon, 2 * (gsize) n * sizeof (double)) };
  start (g_task_new (NULL, cancellable, callback, user_data), es_density_find_pixels_async, request, pixels_thread);
}

EsRegion *
es_density_find_pixels_finish (EsDensity *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
points_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Request *request = data;
  GError *error = NULL;
  guint32 *counts = es_density_find_points (request->density, request->region, cancellable, &error);

  give_back (task, counts, error, g_free);
}

void
es_density_find_points_async (EsDensity *self, EsRegion *region, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data)
{
  Request *request = g_new0 (Request, 1);

  *request = (Request) { .density = es_density_ref (self), .region = es_region_ref (region) };
  start (g_task_new (NULL, cancellable, callback, user_data), es_density_find_points_async, request, points_thread);
}

guint32 *
es_density_find_points_finish (EsDensity *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
