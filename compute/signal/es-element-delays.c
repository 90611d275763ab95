/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Whose samples come late. Round each element a group of its nearest ones: between neighbours sound takes delays that
 * are differences of a smooth surface (a plane for sources far away, curved for near ones, the mean of them for several
 * at once); an element whose own delay is wrong stands out of it in all of its pairs. Those that explain most are taken
 * one by one, until none is left that is beyond what the others scatter.
 */

#include "es-element-check-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/es-order.h"

#define GROUP 24
#define FEWEST 4
#define MOST_SURFACE 9
#define MOST_FAULTS 6
#define MOST_UNKNOWNS (MOST_SURFACE + MOST_FAULTS + 1)
/* Standard deviations that an element has to stand out; and where no surface fits, whose errors are no noise. */
#define CLEAR 6.0
#define CLEAR_OF_MISFIT 12.0
#define MISFIT 2.0
/* Several sources at once have delays that do not grow with the distance: pairs that are so much longer than the ends'
 * shortest ones do not count. */
#define LONG 1.5
/* Of the way from element to element: how far no surface is trusted, of a pair; and what nobody is blamed for, by what
 * the surface is. */
#define MODEL_ERROR 0.004
#define FLOOR 0.01
#define FLOOR_OF_FEW 0.06
#define FLOOR_OF_PLANE 0.25
/* What a second element explains instead of the best one, at most, for the best to be named. */
#define SECOND 0.85
/* By how much of itself a delay may change with a plainer surface: what changes more is the sound's, from close by. */
#define STEADY 0.35

typedef struct
{
  guint  a, b;                 /* in the group */
  double delay, weight;
  double surface[MOST_SURFACE];
} Row;

typedef struct
{
  const EsElementSpectra *spectra;
  const EsPairFinding    *pairs;
  const EsElementFinding *findings;
  guint   *starts, *links;     /* of each element: its pairs */
  double  *shortest;           /* m, of each element: to the nearest that tells */
  guint   *marks;              /* 1 + index in the group; 0: not in it */
  EsElementOrder order;

  guint    n, members[GROUP];
  guint    n_rows, n_surface, n_plainer, n_faults, faults[MOST_FAULTS + 1];
  Row      rows[GROUP * GROUP];
  double   floor;              /* s */
  double   solution[MOST_UNKNOWNS], variance;      /* of the last unknown */
} Group;

/* ---- least squares ---- */

/* In place by Cholesky; a little on the diagonal takes what the places cannot tell apart (a circle's curvature). */
static gboolean
solve (double matrix[MOST_UNKNOWNS][MOST_UNKNOWNS], double *right, guint n, double *last_variance)
{
  double last[MOST_UNKNOWNS] = { 0 };

  for (guint i = 0; i < n; i++)
    matrix[i][i] = matrix[i][i] * (1 + 1e-9) + 1e-300;
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k <= i; k++)
      {
        double sum = matrix[i][k];

        for (guint j = 0; j < k; j++)
          sum -= matrix[i][j] * matrix[k][j];
        if (i == k && !(sum > 0))
          return FALSE;
        matrix[i][k] = i == k ? sqrt (sum) : sum / matrix[k][k];
      }
  for (guint i = 0; i < n; i++)
    {
      for (guint k = 0; k < i; k++)
        right[i] -= matrix[i][k] * right[k];
      right[i] /= matrix[i][i];
    }
  for (guint i = n; i-- > 0; )
    {
      for (guint k = i + 1; k < n; k++)
        right[i] -= matrix[k][i] * right[k];
      right[i] /= matrix[i][i];
    }
  last[n - 1] = 1 / matrix[n - 1][n - 1];
  *last_variance = last[n - 1] * last[n - 1];
  return TRUE;
}

static double
column_of (const Group *self, const Row *row, guint column)
{
  if (column < self->n_surface)
    return row->surface[column];
  const guint fault = self->faults[column - self->n_surface];
  return row->b == fault ? 1 : row->a == fault ? -1 : 0;
}

static double
residual_of (const Group *self, const Row *row, guint unknowns)
{
  double left = row->delay;

  for (guint i = 0; i < unknowns; i++)
    left -= self->solution[i] * column_of (self, row, i);
  return left;
}

/* With the first n_faults elements having delays of their own. Returns the weighted sum of squares that is left. */
static double
fit (Group *self, guint n_faults)
{
  const guint n = self->n_surface + n_faults;
  double matrix[MOST_UNKNOWNS][MOST_UNKNOWNS] = { 0 }, sum = 0;

  memset (self->solution, 0, sizeof self->solution);
  for (guint r = 0; r < self->n_rows; r++)
    for (guint i = 0; i < n; i++)
      {
        const double value = self->rows[r].weight * column_of (self, &self->rows[r], i);

        if (value == 0)
          continue;
        self->solution[i] += value * self->rows[r].delay;
        for (guint k = 0; k <= i; k++)
          matrix[i][k] += value * column_of (self, &self->rows[r], k);
      }
  if (n > 0 && !solve (matrix, self->solution, n, &self->variance))
    return INFINITY;
  for (guint r = 0; r < self->n_rows; r++)
    {
      const double left = residual_of (self, &self->rows[r], n);

      sum += self->rows[r].weight * left * left;
    }
  return sum;
}

/* How much more the pairs scatter than they should, by their median, so that a fault that is still in them counts
 * little; 1 at least. After fit (). */
static double
scatter (const Group *self, guint n_faults)
{
  const guint n = self->n_surface + n_faults;
  double values[GROUP * GROUP];

  if (self->n_rows <= n)
    return INFINITY;
  for (guint r = 0; r < self->n_rows; r++)
    values[r] = fabs (residual_of (self, &self->rows[r], n)) * sqrt (self->rows[r].weight);
  qsort (values, self->n_rows, sizeof *values, es_compare_doubles);
  return fmax (1.4826 * values[self->n_rows / 2] * sqrt ((double) self->n_rows / (self->n_rows - n)), 1);
}

static double
least_delay (const Group *self, double spread, double error)
{
  return fmax (self->floor, (spread > MISFIT ? CLEAR_OF_MISFIT : CLEAR) * error);
}

/* ---- the surface ---- */

/* Axes along which the group has an extent: the longest first. Returns how many. */
static guint
find_axes (const Group *self, double axes[3][3], double *scale)
{
  const double *first = self->spectra->positions + 3 * self->members[0];
  guint n = 0;

  *scale = 0;
  for (; n < 3; n++)
    {
      double longest = 0;

      for (guint i = 1; i < self->n; i++)
        {
          const double *place = self->spectra->positions + 3 * self->members[i];
          double d[3] = { place[0] - first[0], place[1] - first[1], place[2] - first[2] };

          for (guint k = 0; k < n; k++)
            {
              const double along = d[0] * axes[k][0] + d[1] * axes[k][1] + d[2] * axes[k][2];

              for (guint j = 0; j < 3; j++)
                d[j] -= along * axes[k][j];
            }
          const double length = sqrt (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
          if (length > longest)
            {
              longest = length;
              for (guint j = 0; j < 3; j++)
                axes[n][j] = d[j] / length;
            }
        }
      *scale = fmax (*scale, longest);
      if (longest < 0.02 * *scale || longest == 0)
        break;
    }
  return n;
}

static guint
fill_surface (const double u[3], guint dimensions, guint order, double *out)
{
  guint n = 0;

  for (guint i = 0; i < dimensions; i++)
    out[n++] = u[i];
  for (guint i = 0; i < dimensions && order >= 2; i++)
    for (guint k = i; k < dimensions; k++)
      out[n++] = u[i] * u[k];
  if (order >= 3)
    out[n++] = u[0] * u[0] * u[0];
  return n;
}

static gboolean
tells (const Group *self, guint pair)
{
  const EsElementPair *p = &self->spectra->pairs[pair];

  return isfinite (self->pairs[pair].delay)
         && self->pairs[pair].sign == self->findings[p->a].polarity * self->findings[p->b].polarity;
}

static void
make_rows (Group *self)
{
  static const guint quadratic[] = { 0, 5, 9, 18 };
  const double *first = self->spectra->positions + 3 * self->members[0];
  double axes[3][3], scale, places[GROUP][MOST_SURFACE], way = 0;
  const guint dimensions = find_axes (self, axes, &scale);
  const guint order = dimensions == 1 && self->n >= 10 ? 3 : self->n >= quadratic[dimensions] ? 2 : 1;

  for (guint i = 0; i < self->n; i++)
    {
      const double *place = self->spectra->positions + 3 * self->members[i];
      double u[3] = { 0 };

      for (guint k = 0; k < dimensions; k++)
        for (guint j = 0; j < 3; j++)
          u[k] += (place[j] - first[j]) * axes[k][j] / scale;
      self->n_surface = fill_surface (u, dimensions, order, places[i]);
      self->marks[self->members[i]] = i + 1;
    }
  self->n_plainer = order == 1 ? self->n_surface : order == 2 ? dimensions : self->n_surface - 1;
  self->n_rows = 0;
  for (guint i = 0; i < self->n; i++)
    for (guint l = self->starts[self->members[i]]; l < self->starts[self->members[i] + 1]; l++)
      {
        const guint pair = self->links[l];
        const EsElementPair *p = &self->spectra->pairs[pair];
        Row *row = &self->rows[self->n_rows];

        if (p->a != self->members[i] || self->marks[p->b] == 0 || !tells (self, pair)
            || p->distance > LONG * fmax (self->shortest[p->a], self->shortest[p->b]))
          continue;
        const double error = hypot (self->pairs[pair].delay_error,
                                    MODEL_ERROR * p->distance / self->spectra->sound_speed);
        *row = (Row) { .a = i, .b = self->marks[p->b] - 1, .delay = self->pairs[pair].delay,
                       .weight = 1 / (error * error) };
        for (guint k = 0; k < self->n_surface; k++)
          row->surface[k] = places[row->b][k] - places[i][k];
        way += p->distance;
        self->n_rows++;
      }
  for (guint i = 0; i < self->n; i++)
    self->marks[self->members[i]] = 0;
  self->floor = (order == 1 ? FLOOR_OF_PLANE : self->n < 12 ? FLOOR_OF_FEW : FLOOR)
                * way / MAX (self->n_rows, 1) / self->spectra->sound_speed;
}

/* ---- who it is ---- */

static gboolean
is_fault (const Group *self, guint element)
{
  for (guint i = 0; i < self->n_faults; i++)
    if (self->faults[i] == element)
      return TRUE;
  return FALSE;
}

static gboolean
has_rows (const Group *self, guint element)
{
  for (guint r = 0; r < self->n_rows; r++)
    if (self->rows[r].a == element || self->rows[r].b == element)
      return TRUE;
  return FALSE;
}

/* Adds the element that explains most. FALSE: nobody stands out any more; *unclear: somebody does, but who? */
static gboolean
add_fault (Group *self, gboolean *unclear)
{
  const double before = fit (self, self->n_faults);
  double best = INFINITY, second = INFINITY;
  guint who = G_MAXUINT;

  for (guint i = 0; i < self->n; i++)
    {
      if (is_fault (self, i) || !has_rows (self, i))
        continue;
      self->faults[self->n_faults] = i;
      const double left = fit (self, self->n_faults + 1);
      if (left < best)
        {
          second = best;
          best = left;
          who = i;
        }
      else
        second = fmin (second, left);
    }
  if (who == G_MAXUINT || !isfinite (best))
    return FALSE;
  self->faults[self->n_faults] = who;
  fit (self, self->n_faults + 1);
  const double delay = self->solution[self->n_surface + self->n_faults];
  const double spread = scatter (self, self->n_faults + 1), error = spread * sqrt (self->variance);
  if (!(fabs (delay) > least_delay (self, spread, error)))
    return FALSE;
  *unclear = before - second > SECOND * (before - best);
  self->n_faults += !*unclear;
  return !*unclear;
}

static void
judge (Group *self, EsElementFinding *finding)
{
  gboolean unclear = FALSE;

  make_rows (self);
  self->n_faults = 0;
  if (self->n < FEWEST || self->n_rows < self->n_surface + 2 || !has_rows (self, 0))
    return;
  while (self->n_faults < MIN (MOST_FAULTS, MAX (self->n / 4, 1)) && add_fault (self, &unclear))
    ;
  if (unclear)
    return;

  /* Its own delay, whether or not it stands out: it comes last. */
  guint n = 0;
  const gboolean stood_out = is_fault (self, 0);
  for (guint i = 0; i < self->n_faults; i++)
    if (self->faults[i] != 0)
      self->faults[n++] = self->faults[i];
  self->n_faults = n;
  self->faults[n] = 0;
  if (!isfinite (fit (self, n + 1)))
    return;
  const double spread = scatter (self, n + 1), error = spread * sqrt (self->variance);
  const double delay = self->solution[self->n_surface + n];
  if (!isfinite (error))
    return;
  finding->delay = delay;
  finding->delay_error = error;
  if (!stood_out || fabs (delay) <= least_delay (self, spread, error))
    return;
  self->n_surface = self->n_plainer;
  if (!isfinite (fit (self, n + 1)) || fabs (self->solution[self->n_surface + n] - delay) > STEADY * fabs (delay))
    {
      finding->delay = finding->delay_error = NAN;
      return;
    }
  finding->flags |= delay > 0 ? ES_FINDING_LATE : ES_FINDING_EARLY;
  finding->confidence = fmin (finding->confidence, erf (fabs (delay) / error / sqrt (2)));
}

static void
link_pairs (Group *self)
{
  const EsElementSpectra *spectra = self->spectra;
  g_autofree guint *filled = g_new0 (guint, spectra->n);

  self->shortest = g_new (double, spectra->n);
  for (guint i = 0; i < spectra->n; i++)
    self->shortest[i] = INFINITY;
  for (guint i = 0; i < spectra->n_pairs; i++)
    if (tells (self, i))
      {
        double *a = &self->shortest[spectra->pairs[i].a], *b = &self->shortest[spectra->pairs[i].b];

        *a = fmin (*a, spectra->pairs[i].distance);
        *b = fmin (*b, spectra->pairs[i].distance);
      }
  self->starts = g_new0 (guint, spectra->n + 1);
  self->links = g_new (guint, 2 * (gsize) spectra->n_pairs + 1);
  for (guint i = 0; i < spectra->n_pairs; i++)
    {
      self->starts[spectra->pairs[i].a + 1]++;
      self->starts[spectra->pairs[i].b + 1]++;
    }
  for (guint i = 0; i < spectra->n; i++)
    self->starts[i + 1] += self->starts[i];
  for (guint i = 0; i < spectra->n_pairs; i++)
    {
      const guint a = spectra->pairs[i].a, b = spectra->pairs[i].b;

      self->links[self->starts[a] + filled[a]++] = i;
      self->links[self->starts[b] + filled[b]++] = i;
    }
}

void
es_element_judge_delays (const EsElementSpectra *spectra, const EsPairFinding *pairs, EsElementFinding *findings)
{
  Group *self = g_new0 (Group, 1);
  double distances[GROUP];
  g_autofree guint8 *judged = g_new0 (guint8, spectra->n);

  *self = (Group) { .spectra = spectra, .pairs = pairs, .findings = findings,
                    .marks = g_new0 (guint, spectra->n) };
  /* Who does not hear what the others hear says nothing of them. */
  for (guint i = 0; i < spectra->n; i++)
    {
      judged[i] = spectra->usable[i] && isfinite (findings[i].polarity);
      findings[i].delay = findings[i].delay_error = NAN;
    }
  link_pairs (self);
  es_element_order_init (&self->order, spectra->positions, judged, spectra->n);
  for (guint i = 0; i < spectra->n; i++)
    if (judged[i])
      {
        self->n = es_element_nearest (&self->order, i, GROUP, self->members, distances);
        judge (self, &findings[i]);
      }
  es_element_order_clear (&self->order);
  g_free (self->starts);
  g_free (self->links);
  g_free (self->marks);
  g_free (self->shortest);
  g_free (self);
}
