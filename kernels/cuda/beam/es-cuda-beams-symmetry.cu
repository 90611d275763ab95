/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * Which symmetries an array has. On a line the delays depend on how far an element is along it, and on a focus's
 * distance and place along it alone. Where an element's mirror image about the reference is an element too, and a
 * focus's a focus, the two exchange their delays, which saves half of the arithmetic or more
 * (es-cuda-arrays-private.h). Positions are compared, nothing is assumed of them.
 */

#include "es-cuda-beams-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two delays are the same where their phases differ by less than this fraction of a turn at the highest frequency. */
#define SAME_TURNS 1e-8

/* Where a point is along the line, and what decides which are tried as mirror images of each other. */
typedef struct {
  double   along, distance;
  int64_t  key[3];
  int      index;
} Place;

static int
compare_places (const void *a,
                const void *b)
{
  const Place *x = (const Place *) a, *y = (const Place *) b;

  for (int k = 0; k < 3; k++)
    if (x->key[k] != y->key[k])
      return x->key[k] < y->key[k] ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* The direction of the element that is farthest away. False: the elements are not on a line through the reference. */
static bool
find_line (const EskBeamPlan *plan,
           double             tolerance,
           double             axis[3],
           double            *half_length)
{
  double largest = 0.0;

  for (size_t k = 0; k < plan->elements; k++)
    {
      const double *x = plan->positions + 3 * k;
      double length = sqrt (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);

      if (length > largest)
        {
          largest = length;
          for (int i = 0; i < 3; i++)
            axis[i] = x[i] / length;
        }
    }
  *half_length = largest;
  if (!(largest > 0.0) || !isfinite (largest))
    return false;

  for (size_t k = 0; k < plan->elements; k++)
    {
      const double *x = plan->positions + 3 * k;
      double along = x[0] * axis[0] + x[1] * axis[1] + x[2] * axis[2], off = 0.0;

      for (int i = 0; i < 3; i++)
        off += (x[i] - along * axis[i]) * (x[i] - along * axis[i]);
      if (!(sqrt (off) <= tolerance))
        return false;
    }

  return true;
}

/* In steps far finer than anything differs by, and far coarser than rounding. */
static int64_t
in_steps (double value,
          double step)
{
  double steps = floor (fabs (value) / step + 0.381966);

  return steps < 9e18 ? (int64_t) steps : INT64_MAX;
}

/* Neighbours in the order of their keys that are mirror images: partners[] by index, -1 where there is none. */
static void
find_partners (Place  *places,
               size_t  n,
               double  tolerance,
               double  distance_tolerance,
               int    *partners)
{
  qsort (places, n, sizeof *places, compare_places);
  for (size_t k = 0; k < n; k++)
    partners[places[k].index] = -1;
  for (size_t k = 0; k + 1 < n; k++)
    {
      const Place *a = &places[k], *b = &places[k + 1];

      if (memcmp (a->key, b->key, sizeof a->key) == 0 && partners[a->index] < 0
          && (a->along > 0.0) != (b->along > 0.0) && fabs (a->along + b->along) <= tolerance
          && fabs (a->distance - b->distance) <= distance_tolerance)
        {
          partners[a->index] = b->index;
          partners[b->index] = a->index;
        }
    }
}

/* Each once, with its partner behind it. Returns how many. */
static size_t
list_pairs (const int *partners,
            size_t     n,
            int2      *pairs)
{
  size_t count = 0;

  for (size_t k = 0; k < n; k++)
    if (partners[k] < 0 || partners[k] > (int) k)
      pairs[count++] = make_int2 ((int) k, partners[k]);

  return count;
}

int
esk_cuda_beams_choose_mode (EskBeams          *beams,
                            const EskBeamPlan *plan,
                            int2              *units,
                            int2              *pairs)
{
  const double top = fmax (fabs (plan->first_frequency),
                           fabs (plan->first_frequency + (double) (plan->bins - 1) * plan->bin_spacing));
  const double tolerance = top > 0.0 ? SAME_TURNS * plan->sound_speed / top : HUGE_VAL;
  const size_t most = plan->elements > plan->n_foci ? plan->elements : plan->n_foci;
  double half_length = 0.0, mirror_cost, plain_cost;
  bool all_far = true;
  Place *places;
  int *partners;

  for (size_t f = 0; f < plan->n_foci; f++)
    all_far = all_far && !plan->foci[f].near;
  beams->mode = ESK_BEAMS_PLAIN;
  if (isfinite (tolerance) && find_line (plan, tolerance, beams->axis, &half_length))
    {
      places = (Place *) calloc (most, sizeof *places);
      partners = (int *) calloc (most, sizeof *partners);
      if (places == NULL || partners == NULL)
        {
          free (places);
          free (partners);
          return ESK_ERROR_MEMORY;
        }

      for (size_t k = 0; k < plan->elements; k++)
        {
          const double *x = plan->positions + 3 * k;

          places[k].along = x[0] * beams->axis[0] + x[1] * beams->axis[1] + x[2] * beams->axis[2];
          places[k].key[0] = in_steps (places[k].along, 16.0 * tolerance);
          places[k].index = (int) k;
        }
      find_partners (places, plan->elements, tolerance, HUGE_VAL, partners);
      beams->n_units = list_pairs (partners, plan->elements, units);

      memset (places, 0, plan->n_foci * sizeof *places);
      for (size_t f = 0; f < plan->n_foci; f++)
        {
          const EskFocus *p = &plan->foci[f];
          /* A direction's error moves the far end of the line; a point's moves no delay by more than twice itself. */
          const double scale = p->near ? 2.0 : half_length;
          Place *place = &places[f];

          place->along = scale * (p->x * beams->axis[0] + p->y * beams->axis[1] + p->z * beams->axis[2]);
          place->distance = p->near ? scale * sqrt (p->x * p->x + p->y * p->y + p->z * p->z) : 0.0;
          place->key[0] = p->near;
          place->key[1] = in_steps (place->distance, 16.0 * tolerance);
          place->key[2] = in_steps (place->along, 16.0 * tolerance);
          place->index = (int) f;
        }
      find_partners (places, plan->n_foci, tolerance, tolerance, partners);
      beams->n_pairs = list_pairs (partners, plan->n_foci, pairs);
      free (places);
      free (partners);

      /* Operations a bin: of a unit and a pair, or of two elements and a focus. */
      mirror_cost = (all_far ? 8.5 : 20.0) * (double) beams->n_units * (double) beams->n_pairs;
      plain_cost = 16.0 * ((double) plan->elements + 1.0) / 2.0 * (double) plan->n_foci;
      if (mirror_cost < plain_cost)
        {
          beams->mode = all_far ? ESK_BEAMS_FAR : ESK_BEAMS_MIRROR;
          return ESK_OK;
        }
    }

  beams->n_units = (plan->elements + 1) / 2;
  for (size_t u = 0; u < beams->n_units; u++)
    units[u] = make_int2 ((int) (2 * u), 2 * u + 1 < plan->elements ? (int) (2 * u + 1) : -1);
  beams->n_pairs = plan->n_foci;
  for (size_t f = 0; f < plan->n_foci; f++)
    pairs[f] = make_int2 ((int) f, -1);

  return ESK_OK;
}
