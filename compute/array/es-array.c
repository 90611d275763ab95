/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-array-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"

/* How far an element may be from a straight line, and a gap from the mean gap, as shares of the length and of the
 * gap. */
#define LINE_TOLERANCE 1e-3
#define UNIFORM_TOLERANCE 1e-6
/* Up to so many elements every pair is looked at; beyond that only those that are outermost in some direction. */
#define MOST_PAIRS 3000
#define DIRECTIONS 500

struct _EsArray
{
  gatomicrefcount refs;
  EsElement      *elements;
  guint           n, n_alive;
  double          sound_speed;
  GPtrArray      *notes;           /* NULL-terminated once there is one */

  gboolean        line, uniform;
  double          spacing, length;
  double          axis[3];
};

G_DEFINE_BOXED_TYPE (EsArray, es_array, es_array_ref, es_array_unref)

EsArray *
es_array_ref (EsArray *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

void
es_array_unref (EsArray *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  for (guint k = 0; k < self->n; k++)
    g_free (self->elements[k].name);
  g_free (self->elements);
  g_ptr_array_unref (self->notes);
  g_free (self);
}

/* ---- geometry ---- */

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

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  const double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
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
  qsort (along, n, sizeof (double), compare_doubles);
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
      qsort (nearest, n, sizeof (double), compare_doubles);
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
  qsort (nearest, taken, sizeof (double), compare_doubles);
  return isfinite (nearest[(taken - 1) / 2]) ? nearest[(taken - 1) / 2] : size;
}

static void
measure (EsArray *self)
{
  g_autofree double *points = g_new (double, (gsize) self->n * 3);
  guint alive = 0;

  for (guint k = 0; k < self->n; k++)
    {
      const EsElement *e = &self->elements[k];
      memcpy (&points[3 * k], (double[]) { e->x, e->y, e->z }, 3 * sizeof (double));
    }
  self->axis[0] = 1;
  if (find_line (self, points, self->n))
    return;

  /* A dead element may have been given any place. */
  for (guint k = 0; k < self->n; k++)
    if (!self->elements[k].dead)
      memmove (&points[3 * alive++], &points[3 * k], 3 * sizeof (double));
  if (alive > 0 && alive < self->n && find_line (self, points, alive))
    return;
  if (alive == 0)
    alive = self->n;
  self->length = largest_distance (points, alive);
  self->spacing = median_nearest_neighbour (points, alive, self->length);
}

/* ---- making ---- */

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsElement *elements = data, *p = &elements[*(const guint *) a], *q = &elements[*(const guint *) b];
  const double place[3] = { p->x - q->x, p->y - q->y, p->z - q->z };

  for (guint j = 0; j < 3; j++)
    if (place[j] != 0)
      return place[j] > 0 ? 1 : -1;
  return (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

static int
compare_channels (gconstpointer a, gconstpointer b, gpointer data)
{
  const EsElement *elements = data, *p = &elements[*(const guint *) a], *q = &elements[*(const guint *) b];

  if (p->channel != q->channel)
    return p->channel > q->channel ? 1 : -1;
  return (*(const guint *) a > *(const guint *) b) - (*(const guint *) a < *(const guint *) b);
}

/* "12 (“Hydrophone 11”)" */
static char *
name_element (const EsElement *elements, guint k)
{
  return elements[k].name != NULL ? g_strdup_printf (_("%u (“%s”)"), k + 1, elements[k].name)
                                  : g_strdup_printf ("%u", k + 1);
}

static gboolean
check_doubles (const EsElement *elements, guint n, GError **error)
{
  g_autofree guint *order = g_new (guint, MAX (n, 1));
  guint alive = 0;

  for (guint k = 0; k < n; k++)
    if (!elements[k].dead)
      order[alive++] = k;
  g_qsort_with_data (order, alive, sizeof (guint), compare_places, (gpointer) elements);
  for (guint i = 0; i + 1 < alive; i++)
    {
      const EsElement *a = &elements[order[i]], *b = &elements[order[i + 1]];
      if (a->x != b->x || a->y != b->y || a->z != b->z)
        continue;
      g_autofree char *first = name_element (elements, order[i]), *second = name_element (elements, order[i + 1]);
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("Elements %s and %s are at one place (%g, %g, %g m): each needs its own, or to be marked dead."),
                   first, second, a->x, a->y, a->z);
      return FALSE;
    }
  g_qsort_with_data (order, alive, sizeof (guint), compare_channels, (gpointer) elements);
  for (guint i = 0; i + 1 < alive; i++)
    if (elements[order[i]].channel == elements[order[i + 1]].channel)
      {
        g_autofree char *first = name_element (elements, order[i]), *second = name_element (elements, order[i + 1]);
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("Elements %s and %s both have channel %u: each needs its own, or to be marked dead."),
                     first, second, elements[order[i]].channel);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_elements (const EsElement *elements, guint n, GError **error)
{
  if (n == 0 || n > ES_ARRAY_MOST_ELEMENTS)
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_SIZE,
                   _("An array of %u elements cannot be used: expected 1 to 1,000,000."), n);
      return FALSE;
    }
  for (guint k = 0; k < n; k++)
    {
      const EsElement *e = &elements[k];
      /* Written so that what is not a number fails too. */
      const gboolean placed = fabs (e->x) <= ES_ARRAY_MOST_METRES && fabs (e->y) <= ES_ARRAY_MOST_METRES
                              && fabs (e->z) <= ES_ARRAY_MOST_METRES;
      if (placed && isfinite (e->gain))
        continue;
      g_autofree char *name = name_element (elements, k);
      if (!placed)
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("Element %s is at (%g, %g, %g): expected finite numbers of metres."), name, e->x, e->y, e->z);
      else
        g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                     _("Element %s has the gain %g: expected a finite number."), name, e->gain);
      return FALSE;
    }
  return check_doubles (elements, n, error);
}

static EsArray *
copy_elements (const EsElement *elements, guint n)
{
  EsArray *self = g_new0 (EsArray, 1);

  g_atomic_ref_count_init (&self->refs);
  self->notes = g_ptr_array_new_with_free_func (g_free);
  self->sound_speed = ES_ARRAY_SOUND_SPEED;
  self->n = n;
  self->elements = g_memdup2 (elements, sizeof (EsElement) * n);
  for (guint k = 0; k < n; k++)
    {
      self->elements[k].name = g_strdup (elements[k].name);
      self->elements[k].dead = elements[k].dead != FALSE;
      self->n_alive += !elements[k].dead;
    }
  return self;
}

EsArray *
es_array_new (const EsElement *elements, guint n, GError **error)
{
  if (!check_elements (elements, n, error))
    return NULL;

  EsArray *self = copy_elements (elements, n);
  measure (self);
  return self;
}

EsArray *
es_array_new_line (guint n, double spacing, double azimuth, GError **error)
{
  if (!(spacing > 0) || !isfinite (spacing) || !isfinite (azimuth))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_FORMAT,
                   _("A line of elements cannot be %g m apart at an azimuth of %g°: expected a distance above 0 and an "
                     "angle."), spacing, azimuth);
      return NULL;
    }
  if (n == 0 || n > ES_ARRAY_MOST_ELEMENTS)
    return es_array_new (NULL, n, error);

  g_autofree EsElement *elements = g_new0 (EsElement, n);
  const gint64 middle = (n - 1) / 2;
  /* Right angles are exact. */
  const double turn = fmod (azimuth, 360), quarter = fmod (turn + 360, 90) == 0;
  const double c = quarter ? rint (cos (turn * G_PI / 180)) : cos (turn * G_PI / 180);
  const double s = quarter ? rint (sin (turn * G_PI / 180)) : sin (turn * G_PI / 180);
  for (guint k = 0; k < n; k++)
    {
      const double along = ((gint64) k - middle) * spacing;
      elements[k] = (EsElement) { .x = along * c + 0.0, .y = along * s + 0.0, .channel = k, .gain = 1 };
    }
  return es_array_new (elements, n, error);
}

void
es_array_add_note (EsArray *self, char *note)
{
  if (self->notes->len > 0)
    g_ptr_array_remove_index (self->notes, self->notes->len - 1);
  g_ptr_array_add (self->notes, note);
  g_ptr_array_add (self->notes, NULL);
}

void
es_array_set_sound_speed (EsArray *self, double sound_speed)
{
  self->sound_speed = sound_speed;
}

/* What is kept in all copies. */
static EsArray *
with_the_same (EsArray *copy, EsArray *self)
{
  copy->sound_speed = self->sound_speed;
  for (guint i = 0; i + 1 < self->notes->len; i++)
    es_array_add_note (copy, g_strdup (g_ptr_array_index (self->notes, i)));
  return copy;
}

EsArray *
es_array_with_sound_speed (EsArray *self, double sound_speed)
{
  EsArray *copy = with_the_same (copy_elements (self->elements, self->n), self);

  g_return_val_if_fail (sound_speed > 0 && isfinite (sound_speed), copy);
  measure (copy);
  copy->sound_speed = sound_speed;
  return copy;
}

EsArray *
es_array_with_dead (EsArray *self, guint element, gboolean dead)
{
  EsArray *copy = with_the_same (copy_elements (self->elements, self->n), self);

  if (element < copy->n && copy->elements[element].dead != (dead != FALSE))
    {
      copy->elements[element].dead = dead != FALSE;
      copy->n_alive += dead ? -1 : 1;
    }
  measure (copy);
  return copy;
}

/* ---- questions ---- */

guint
es_array_get_n_elements (EsArray *self)
{
  return self->n;
}

const EsElement *
es_array_get_elements (EsArray *self)
{
  return self->elements;
}

guint
es_array_get_n_alive (EsArray *self)
{
  return self->n_alive;
}

guint
es_array_get_reference (EsArray *self)
{
  return (self->n - 1) / 2;
}

double
es_array_get_sound_speed (EsArray *self)
{
  return self->sound_speed;
}

const char * const *
es_array_get_notes (EsArray *self)
{
  return self->notes->len > 0 ? (const char * const *) self->notes->pdata : NULL;
}

gboolean
es_array_equal (EsArray *self, EsArray *other)
{
  if (self == other)
    return TRUE;
  if (self == NULL || other == NULL || self->n != other->n || self->sound_speed != other->sound_speed)
    return FALSE;
  for (guint k = 0; k < self->n; k++)
    {
      const EsElement *a = &self->elements[k], *b = &other->elements[k];
      if (a->x != b->x || a->y != b->y || a->z != b->z || a->channel != b->channel || a->gain != b->gain
          || a->dead != b->dead || g_strcmp0 (a->name, b->name) != 0)
        return FALSE;
    }
  return TRUE;
}

gboolean
es_array_is_line (EsArray *self)
{
  return self->line;
}

gboolean
es_array_is_uniform (EsArray *self)
{
  return self->uniform;
}

double
es_array_get_spacing (EsArray *self)
{
  return self->spacing;
}

double
es_array_get_length (EsArray *self)
{
  return self->length;
}

void
es_array_get_axis (EsArray *self, double axis[3])
{
  memcpy (axis, self->axis, sizeof self->axis);
}
