/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * What X'a need not be computed twice for: elements that lie opposite each other, and foci that look the other way.
 * Phases are counted from the middle of the array, which no power depends on.
 */

#include "es-cpu-adaptive-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Differences of places that are rounding. */
#define PLACE_TOLERANCE 1e-12
#define DIRECTION_TOLERANCE 1e-14

static int
compare_places (const void *a,
                const void *b,
                void       *data)
{
  const double *positions = data, *x = positions + 3 * *(const uint32_t *) a;
  const double *y = positions + 3 * *(const uint32_t *) b;

  for (size_t axis = 0; axis < 3; axis++)
    if (x[axis] != y[axis])
      return x[axis] < y[axis] ? -1 : 1;
  return 0;
}

static double
extent_of (const EskAdaptivePlan *plan,
           const double           middle[3])
{
  double extent = 0.0;

  for (size_t k = 0; k < plan->elements; k++)
    for (size_t axis = 0; axis < 3; axis++)
      extent = fmax (extent, fabs (plan->positions[3 * k + axis] - middle[axis]));

  return extent;
}

/* The order of places is turned round where each has an opposite. false: no memory. */
static bool
find_opposites (EskAdaptive *self,
                double       middle[3])
{
  const EskAdaptivePlan *plan = &self->plan;
  const size_t n = plan->elements, n_half = (n + 1) / 2;
  uint32_t *order = malloc (n * sizeof *order);
  double extent;
  bool symmetric = true;

  self->half_positions = malloc (n_half * 3 * sizeof (double));
  if (order == NULL || self->half_positions == NULL)
    {
      free (order);
      return false;
    }
  for (size_t k = 0; k < n; k++)
    order[k] = (uint32_t) k;
  qsort_r (order, n, sizeof *order, compare_places, (void *) plan->positions);
  for (size_t axis = 0; axis < 3; axis++)
    middle[axis] = 0.5 * (plan->positions[3 * order[0] + axis] + plan->positions[3 * order[n - 1] + axis]);
  extent = extent_of (plan, middle);
  for (size_t k = 0; k < n_half && symmetric; k++)
    {
      const double *x = plan->positions + 3 * order[k], *y = plan->positions + 3 * order[n - 1 - k];

      for (size_t axis = 0; axis < 3; axis++)
        {
          symmetric &= fabs (x[axis] + y[axis] - 2.0 * middle[axis]) <= PLACE_TOLERANCE * extent;
          self->half_positions[3 * k + axis] = 0.5 * (x[axis] - y[axis]);
        }
    }
  for (size_t f = 0; f < plan->n_foci; f++)
    symmetric &= !plan->foci[f].near;

  self->opposites = order;
  self->n_half = symmetric ? n_half : 0;
  return true;
}

/* Whether the delays of two foci far away are each other's negatives. */
static bool
look_away (const EskAdaptivePlan *plan,
           const double           middle[3],
           double                 least,
           const EskFocus        *p,
           const EskFocus        *q,
           size_t                 first)
{
  const double x = p->x + q->x, y = p->y + q->y, z = p->z + q->z;

  /* The element that tells the most first. */
  for (size_t n = 0; n <= plan->elements; n++)
    {
      const double *at = plan->positions + 3 * (n == 0 ? first : n - 1);

      if (fabs (x * (at[0] - middle[0]) + y * (at[1] - middle[1]) + z * (at[2] - middle[2])) > least)
        return false;
    }

  return true;
}

/* Foci in the order in which they are taken: those with a twin, far ones without, near ones. */
static bool
find_twins (EskAdaptive  *self,
            const double  middle[3])
{
  const EskAdaptivePlan *plan = &self->plan;
  const double extent = extent_of (plan, middle), least = DIRECTION_TOLERANCE * extent;
  size_t first = 0, n = 0;
  uint8_t *taken = calloc (plan->n_foci, 1);

  self->looks = malloc (plan->n_foci * sizeof *self->looks);
  if (taken == NULL || self->looks == NULL)
    {
      free (taken);
      return false;
    }
  for (size_t k = 0; k < plan->elements; k++)
    for (size_t axis = 0; axis < 3; axis++)
      if (fabs (plan->positions[3 * k + axis] - middle[axis]) == extent)
        first = k;

  for (size_t f = 0; f < plan->n_foci; f++)
    for (size_t g = f + 1; g < plan->n_foci && !plan->foci[f].near && !taken[f]; g++)
      if (!plan->foci[g].near && !taken[g]
          && look_away (plan, middle, least, &plan->foci[f], &plan->foci[g], first))
        {
          self->looks[n++] = (EskAdaptiveLook) { f, g };
          taken[f] = taken[g] = 1;
        }
  self->n_twins = n;
  for (int near = 0; near < 2; near++)
    {
      for (size_t f = 0; f < plan->n_foci; f++)
        if (!taken[f] && plan->foci[f].near == (near > 0))
          self->looks[n++] = (EskAdaptiveLook) { f, SIZE_MAX };
      if (near == 0)
        self->n_far = n;
    }
  self->n_looks = n;
  free (taken);

  return true;
}

bool
esk_adaptive_find_symmetry (EskAdaptive *self)
{
  double middle[3];

  return find_opposites (self, middle) && find_twins (self, middle);
}
