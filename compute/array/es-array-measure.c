/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What positions say: whether they are a line, how long it is, how far elements are apart. */

#include "es-array-private.h"

#include <math.h>
#include <string.h>

#include "base/es-order.h"

/* How far an element may be from a straight line, and a gap from the mean gap, as shares of the length and of the
 * gap. */
#define LINE_TOLERANCE 1e-3
#define UNIFORM_TOLERANCE 1e-6
/* Up to so many elements every pair is looked at; beyond that only those that are outermost in some direction. */
#define MOST_PAIRS 3000
#define DIRECTIONS 500

static double
dot (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double
distance_of (const double *a, const double *b)
{
  const double d[3] = { b[0] - a[0], b[1] - a[1], b[2] - a[2] };

  return sqrt (dot (d, d));
}

static guint
farthest_from (const double *points, guint n, const double *from, double *distance)
{
  guint found = 0;

  *distance = 0;
  for (guint k = 0; k < n; k++)
    {
      double d = distance_of (&points[3 * k], from);
      if (d > *distance)
        {
          *distance = d;
          found = k;
        }
    }
  return found;
}

static double
largest_distance_of_pairs (const double *points, guint n)
{
  double largest = 0;

  for (guint i = 0; i < n; i++)
    for (guint k = i + 1; k < n; k++)
      largest = MAX (largest, distance_of (&points[3 * i], &points[3 * k]));
  return largest;
}

/* Of many elements: among those that are outermost in one of many directions, spread evenly over the sphere. */
static double
largest_distance (const double *points, guint n)
{
  g_autofree double *outer = NULL;

  if (n <= MOST_PAIRS)
    return largest_distance_of_pairs (points, n);

  outer = g_new (double, DIRECTIONS * 3);
  for (guint i = 0; i < DIRECTIONS; i++)
    {
      const double z = 1 - (2 * i + 1.0) / DIRECTIONS, turn = i * G_PI * (3 - sqrt (5)), r = sqrt (1 - z * z);
      const double direction[3] = { r * cos (turn), r * sin (turn), z };
      double best = -INFINITY;
      for (guint k = 0; k < n; k++)
        if (dot (&points[3 * k], direction) > best)
          {
            best = dot (&points[3 * k], direction);
            memcpy (&outer[3 * i], &points[3 * k], 3 * sizeof (double));
          }
    }
  double largest = largest_distance_of_pairs (outer, DIRECTIONS);
  /* The corner of a long thin array may lie between directions: from each end once more to whatever is farthest. */
  double distance;
  guint end = farthest_from (points, n, points, &distance);
  farthest_from (points, n, &points[3 * end], &distance);
  return MAX (largest, distance);
}

/* The direction in which the points are spread most, by the power method from a guess that is nearly it. */
static void
principal_axis (const double *points, guint n, const double *centre, double *axis)
{
  double c[6] = { 0 };

  for (guint k = 0; k < n; k++)
    {
      const double x = points[3 * k] - centre[0], y = points[3 * k + 1] - centre[1], z = points[3 * k + 2] - centre[2];
      c[0] += x * x, c[1] += x * y, c[2] += x * z, c[3] += y * y, c[4] += y * z, c[5] += z * z;
    }
  for (guint i = 0; i < 20; i++)
    {
      const double v[3] = { c[0] * axis[0] + c[1] * axis[1] + c[2] * axis[2],
                            c[1] * axis[0] + c[3] * axis[1] + c[4] * axis[2],
                            c[2] * axis[0] + c[4] * axis[1] + c[5] * axis[2] };
      const double length = sqrt (dot (v, v));
      if (length == 0)
        return;
      for (guint j = 0; j < 3; j++)
        axis[j] = v[j] / length;
    }
}

/* Are n points on one straight line? Its axis then points from the first to the last; its spacing and length are
 * set. */
static gboolean
find_line (EsArray *self, const double *points, guint n)
{
  double axis[3] = { 1, 0, 0 }, centre[3] = { 0 }, length, distance;

  const guint end = farthest_from (points, n, points, &distance);
  const guint other = farthest_from (points, n, &points[3 * end], &length);
  if (length > 0)
    for (guint j = 0; j < 3; j++)
      axis[j] = (points[3 * other + j] - points[3 * end + j]) / length;
  for (guint k = 0; k < n; k++)
    for (guint j = 0; j < 3; j++)
      centre[j] += points[3 * k + j] / n;
  if (n > 2)
    principal_axis (points, n, centre, axis);

  g_autofree double *along = g_new (double, n);
  for (guint k = 0; k < n; k++)
    {
      const double p[3] = { points[3 * k] - centre[0], points[3 * k + 1] - centre[1], points[3 * k + 2] - centre[2] };
      along[k] = dot (p, axis);
      const double off[3] = { p[0] - along[k] * axis[0], p[1] - along[k] * axis[1], p[2] - along[k] * axis[2] };
      if (dot (off, off) > length * LINE_TOLERANCE * length * LINE_TOLERANCE)
        return FALSE;
    }

  const double sign = along[n - 1] < along[0] ? -1 : 1;
  for (guint j = 0; j < 3; j++)
    self->axis[j] = axis[j] == 0 ? 0 : sign * axis[j];
  qsort (along, n, sizeof (double), es_compare_doubles);
  self->line = TRUE;
  self->length = along[n - 1] - along[0];
  self->spacing = n > 1 ? self->length / (n - 1) : 0;
  self->uniform = TRUE;
  for (guint k = 0; k + 1 < n; k++)
    if (fabs (along[k + 1] - along[k] - self->spacing) > UNIFORM_TOLERANCE * self->spacing)
      self->uniform = FALSE;
  return TRUE;
}

/* ---- the median distance to the nearest neighbour, by cells of a grid ---- */

typedef struct
{
  guint64 cell;
  guint   point;
} CellEntry;

static int
compare_cells (gconstpointer a, gconstpointer b)
{
  const CellEntry *x = a, *y = b;

  return x->cell != y->cell ? (x->cell > y->cell) - (x->cell < y->cell) : (x->point > y->point) - (x->point < y->point);
}

/* The points of a cell are neighbours in the sorted list; from the first of them. */
static guint
find_cell (const CellEntry *entries, guint n, guint64 cell)
{
  guint low = 0, high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (entries[middle].cell < cell)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static double
nearest_in_cells (const double *points, const CellEntry *entries, guint n, guint k, const gint64 *cell)
{
  double nearest = INFINITY;

  for (gint64 z = cell[2] - 1; z <= cell[2] + 1; z++)
    for (gint64 y = cell[1] - 1; y <= cell[1] + 1; y++)
      for (gint64 x = cell[0] - 1; x <= cell[0] + 1; x++)
        {
          const guint64 code = ((guint64) x << 42) + ((guint64) y << 21) + (guint64) z;
          for (guint i = find_cell (entries, n, code); i < n && entries[i].cell == code; i++)
            if (entries[i].point != k)
              nearest = MIN (nearest, distance_of (&points[3 * k], &points[3 * entries[i].point]));
        }
  return nearest;
}

static double
median_nearest_neighbour (const double *points, guint n, double length)
{
  g_autofree double *nearest = g_new (double, n);
  double low[3] = { INFINITY, INFINITY, INFINITY };

  if (n <= MOST_PAIRS)
    {
      for (guint k = 0; k < n; k++)
        {
          nearest[k] = INFINITY;
          for (guint i = 0; i < n; i++)
            if (i != k)
              nearest[k] = MIN (nearest[k], distance_of (&points[3 * k], &points[3 * i]));
        }
      qsort (nearest, n, sizeof (double), es_compare_doubles);
      return n > 1 ? nearest[(n - 1) / 2] : 0;
    }

  /* Cells of the size that an even spread over a surface of that length would need. What has no neighbour in the cells
   * round it is an outlier and does not change a median. */
  g_autofree CellEntry *entries = g_new (CellEntry, n);
  const double size = length / sqrt (n);
  for (guint k = 0; k < n; k++)
    for (guint j = 0; j < 3; j++)
      low[j] = MIN (low[j], points[3 * k + j]);
  for (guint k = 0; k < n; k++)
    {
      guint64 cell[3];
      for (guint j = 0; j < 3; j++)
        cell[j] = 1 + (guint64) ((points[3 * k + j] - low[j]) / size);
      entries[k] = (CellEntry) { (cell[0] << 42) + (cell[1] << 21) + cell[2], k };
    }
  qsort (entries, n, sizeof (CellEntry), compare_cells);

  /* Of very many a sample is enough. */
  const guint step = n / 20000 + 1;
  guint taken = 0;
  for (guint k = 0; k < n; k += step)
    {
      gint64 cell[3];
      for (guint j = 0; j < 3; j++)
        cell[j] = 1 + (gint64) ((points[3 * k + j] - low[j]) / size);
      nearest[taken++] = nearest_in_cells (points, entries, n, k, cell);
    }
  qsort (nearest, taken, sizeof (double), es_compare_doubles);
  return isfinite (nearest[(taken - 1) / 2]) ? nearest[(taken - 1) / 2] : size;
}

static void
find_centre (EsArray *self, const double *points, guint n)
{
  for (guint j = 0; j < 3; j++)
    {
      double sum = 0;

      for (guint k = 0; k < n; k++)
        sum += points[3 * k + j];
      self->centre[j] = sum / n;
    }
}

void
es_array_measure (EsArray *self)
{
  g_autofree double *points = g_new (double, (gsize) self->n * 3);
  guint alive = 0;

  for (guint k = 0; k < self->n; k++)
    {
      const EsElement *e = &self->elements[k];
      memcpy (&points[3 * k], (double[]) { e->x, e->y, e->z }, 3 * sizeof (double));
    }
  self->axis[0] = 1;
  /* Also of dead ones: what is measured does not move when an element dies. */
  find_centre (self, points, self->n);
  if (find_line (self, points, self->n))
    return;

  /* A dead element may have been given any place. */
  for (guint k = 0; k < self->n; k++)
    if (!self->elements[k].dead)
      memmove (&points[3 * alive++], &points[3 * k], 3 * sizeof (double));
  if (alive > 0 && alive < self->n && find_line (self, points, alive))
    {
      find_centre (self, points, alive);
      return;
    }
  if (alive == 0)
    alive = self->n;
  self->length = largest_distance (points, alive);
  self->spacing = median_nearest_neighbour (points, alive, self->length);
}
