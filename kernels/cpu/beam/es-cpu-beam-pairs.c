/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds the reflection that saves the most: elements in pairs, foci that mirror each other. */

#include "es-cpu-beam-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Delays count as the same where phases differ by less than this many turns at the highest frequency: a tenth of the
 * rounding of float32 phases. */
#define SAME_TURNS 1e-8
/* Positions and directions that are compared before, relative to the largest; delays decide. */
#define NEARLY 1e-9

#define NONE UINT32_MAX

/* Signs of the axes: bit 0 is x, 1 y, 2 z. */
#define N_REFLECTIONS 8

typedef struct
{
  double   key;
  uint32_t index;
} Key;

/* Multiplications per bin of what a focus may be, for a pair of elements or a single one. */
#define COST_SINGLE 6
#define COST_ALONE 16
#define COST_TWIN 8
#define COST_CONJUGATE 6
#define COST_CONJUGATE_TWIN 3

/* No two places of any array that people build have the same. */
static double
key_of (const double place[3])
{
  return place[0] + 0.7548776662466927 * place[1] + 0.5698402909980532 * place[2];
}

static int
compare_keys (const void *a,
              const void *b)
{
  const Key *x = a, *y = b;

  if (x->key != y->key)
    return x->key < y->key ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

static void
reflect (unsigned      reflection,
         const double  from[3],
         double        to[3])
{
  for (unsigned axis = 0; axis < 3; axis++)
    to[axis] = reflection & 1u << axis ? -from[axis] : from[axis];
}

static void
place_of_focus (const EskFocus *focus,
                double          place[3])
{
  place[0] = focus->x;
  place[1] = focus->y;
  place[2] = focus->z;
}

/* The first of the sorted keys that is not below. */
static size_t
find_key (const Key *keys,
          size_t     n,
          double     key)
{
  size_t low = 0, high = n;

  while (low < high)
    {
      size_t middle = low + (high - low) / 2;

      if (keys[middle].key < key)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static double
distance (const double a[3],
          const double b[3])
{
  return fmax (fabs (a[0] - b[0]), fmax (fabs (a[1] - b[1]), fabs (a[2] - b[2])));
}

/*
 * mirror[k] = which of the n places is the reflection of place k, NONE where there is none that is still free or where
 * it is k itself. kind: nullable; only places of the same kind go together. Returns how many have one.
 */
static size_t
find_mirrors (size_t        n,
              const double *places,
              const bool   *kind,
              const Key    *keys,
              unsigned      reflection,
              double        tolerance,
              uint32_t     *mirror)
{
  size_t found = 0;

  for (size_t k = 0; k < n; k++)
    mirror[k] = NONE;
  for (size_t k = 0; k < n; k++)
    {
      double target[3], key;

      if (mirror[k] != NONE)
        continue;
      reflect (reflection, places + 3 * k, target);
      key = key_of (target);
      for (size_t at = find_key (keys, n, key - 3.0 * tolerance); at < n && keys[at].key <= key + 3.0 * tolerance; at++)
        {
          const uint32_t other = keys[at].index;

          if (other == k || mirror[other] != NONE || distance (places + 3 * (size_t) other, target) > tolerance
              || (kind != NULL && kind[k] != kind[other]))
            continue;
          mirror[k] = other;
          mirror[other] = (uint32_t) k;
          found += 2;
          break;
        }
    }

  return found;
}

static double
largest_of (const double *places,
            size_t        n)
{
  double largest = 0.0;

  for (size_t k = 0; k < 3 * n; k++)
    largest = fmax (largest, fabs (places[k]));
  return largest;
}

/* Places of elements or foci, sorted; NULL: no memory. */
static Key *
keys_new (const double *places,
          size_t        n)
{
  Key *keys = reallocarray (NULL, n, sizeof *keys);

  if (keys == NULL)
    return NULL;
  for (size_t k = 0; k < n; k++)
    keys[k] = (Key) { key_of (places + 3 * k), (uint32_t) k };
  qsort (keys, n, sizeof *keys, compare_keys);

  return keys;
}

typedef struct
{
  const EskBeamPlan *plan;
  double            *foci;     /* places */
  bool              *near;
  Key               *element_keys, *focus_keys;
  uint32_t          *elements, *twins, *trial_elements, *trial_twins;
  double             same;     /* seconds */
} Search;

static void
search_clear (Search *self)
{
  free (self->foci);
  free (self->near);
  free (self->element_keys);
  free (self->focus_keys);
  free (self->elements);
  free (self->twins);
  free (self->trial_elements);
  free (self->trial_twins);
}

static bool
search_init (Search            *self,
             const EskBeamPlan *plan)
{
  const double last = plan->first_frequency + (double) (plan->bins - 1) * plan->bin_spacing;

  *self = (Search) { .plan = plan };
  self->same = SAME_TURNS / fmax (fmax (fabs (plan->first_frequency), fabs (last)), 1e-3);
  self->foci = reallocarray (NULL, plan->n_foci, 3 * sizeof (double));
  self->near = reallocarray (NULL, plan->n_foci, sizeof (bool));
  self->elements = reallocarray (NULL, plan->elements, sizeof (uint32_t));
  self->trial_elements = reallocarray (NULL, plan->elements, sizeof (uint32_t));
  self->twins = reallocarray (NULL, plan->n_foci, sizeof (uint32_t));
  self->trial_twins = reallocarray (NULL, plan->n_foci, sizeof (uint32_t));
  self->element_keys = keys_new (plan->positions, plan->elements);
  if (self->foci == NULL || self->near == NULL || self->elements == NULL || self->trial_elements == NULL
      || self->twins == NULL || self->trial_twins == NULL || self->element_keys == NULL)
    return false;
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      place_of_focus (&plan->foci[f], self->foci + 3 * f);
      self->near[f] = plan->foci[f].near;
    }
  self->focus_keys = keys_new (self->foci, plan->n_foci);

  return self->focus_keys != NULL;
}

/* What a reflection would cost, by the places alone. */
static double
trial_cost (const Search *self,
            size_t        mirrored)
{
  const EskBeamPlan *plan = self->plan;
  const double pairs = (double) mirrored / 2, singles = (double) (plan->elements - mirrored);
  const double tolerance = NEARLY * largest_of (plan->positions, plan->elements);
  bool inverted = true;
  double total = 0.0;

  for (size_t k = 0; k < plan->elements && inverted; k++)
    if (self->trial_elements[k] != NONE)
      {
        double target[3];

        reflect (7, plan->positions + 3 * k, target);
        inverted = distance (target, plan->positions + 3 * (size_t) self->trial_elements[k]) <= 2 * tolerance;
      }
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      const bool conjugate = inverted && !self->near[f], twin = self->trial_twins[f] != NONE;

      total += singles * COST_SINGLE
               + pairs * (conjugate ? (twin ? COST_CONJUGATE_TWIN : COST_CONJUGATE) : twin ? COST_TWIN : COST_ALONE);
    }

  return total;
}

/* Leaves the best reflection in elements and twins; false: there is none worth it. */
static bool
search_reflection (Search *self)
{
  const EskBeamPlan *plan = self->plan;
  const double element_tolerance = NEARLY * largest_of (plan->positions, plan->elements);
  double least = (double) plan->elements * (double) plan->n_foci * COST_SINGLE, focus_tolerance;
  bool found = false;

  focus_tolerance = NEARLY * largest_of (self->foci, plan->n_foci);
  for (unsigned reflection = 1; reflection < N_REFLECTIONS; reflection++)
    {
      size_t mirrored = find_mirrors (plan->elements, plan->positions, NULL, self->element_keys, reflection,
                                      element_tolerance, self->trial_elements);
      double cost;

      /* Fewer leave vectors empty. */
      if (mirrored < 2 * ESK_BEAM_VECTOR)
        continue;
      find_mirrors (plan->n_foci, self->foci, self->near, self->focus_keys, reflection, focus_tolerance,
                    self->trial_twins);
      cost = trial_cost (self, mirrored);
      if (cost < least)
        {
          uint32_t *elements = self->elements, *twins = self->twins;

          self->elements = self->trial_elements;
          self->trial_elements = elements;
          self->twins = self->trial_twins;
          self->trial_twins = twins;
          least = cost;
          found = true;
        }
    }

  return found;
}

/* ---- what has been found ---- */

static int
places_init (EskBeamPlaces     *self,
             const EskBeamPlan *plan,
             const uint32_t    *elements,
             size_t             n)
{
  double *at;

  self->n = n;
  self->padded = esk_round_up (n, ESK_BEAM_VECTOR);
  self->x = at = calloc (self->padded > 0 ? self->padded : 1, 3 * sizeof *at);
  if (at == NULL)
    return ESK_ERROR_MEMORY;
  self->y = at + self->padded;
  self->z = at + 2 * self->padded;
  for (size_t k = 0; k < n; k++)
    {
      self->x[k] = plan->positions[3 * (size_t) elements[k]];
      self->y[k] = plan->positions[3 * (size_t) elements[k] + 1];
      self->z[k] = plan->positions[3 * (size_t) elements[k] + 2];
    }

  return ESK_OK;
}

/* Delays decide. room: for two foci's. */
static EskBeamItem
check_item (const EskBeams *beams,
            const Search   *search,
            size_t          focus,
            size_t          twin,
            double         *room)
{
  const EskBeamPlan *plan = &beams->plan;
  EskBeamItem item = { focus, SIZE_MAX, beams->n_pairs > 0 };
  bool same = twin != SIZE_MAX;

  esk_beam_delays (plan, focus, room);
  if (same)
    esk_beam_delays (plan, twin, room + plan->elements);
  for (size_t k = 0; k < beams->n_pairs; k++)
    {
      const uint32_t one = beams->pair[k], other = beams->partner[k];

      if (fabs (room[one] + room[other]) > search->same)
        item.conjugate = false;
      if (same && (fabs (room[one] - room[plan->elements + other]) > search->same
                   || fabs (room[other] - room[plan->elements + one]) > search->same))
        same = false;
    }
  if (same)
    item.twin = twin;

  return item;
}

static int
take (EskBeams     *beams,
      const Search *search,
      bool          found)
{
  const EskBeamPlan *plan = &beams->plan;
  double *room = reallocarray (NULL, plan->elements, 2 * sizeof *room);
  int code;

  if (room == NULL)
    return ESK_ERROR_MEMORY;
  for (size_t k = 0; k < plan->elements; k++)
    {
      const uint32_t other = found ? search->elements[k] : NONE;

      if (other == NONE)
        beams->single[beams->n_singles++] = (uint32_t) k;
      else if (other > k)
        {
          beams->pair[beams->n_pairs] = (uint32_t) k;
          beams->partner[beams->n_pairs++] = other;
        }
    }
  for (size_t f = 0; f < plan->n_foci; f++)
    {
      const uint32_t twin = found ? search->twins[f] : NONE;
      EskBeamItem item;

      if (twin != NONE && twin < f)
        continue;
      item = check_item (beams, search, f, twin != NONE ? twin : SIZE_MAX, room);
      beams->items[beams->n_items++] = item;
      if (twin != NONE && item.twin == SIZE_MAX)
        beams->items[beams->n_items++] = check_item (beams, search, twin, SIZE_MAX, room);
    }
  free (room);

  code = places_init (&beams->pairs, plan, beams->pair, beams->n_pairs);
  if (code == ESK_OK)
    code = places_init (&beams->partners, plan, beams->partner, beams->n_pairs);
  if (code == ESK_OK)
    code = places_init (&beams->singles, plan, beams->single, beams->n_singles);

  return code;
}

int
esk_beam_find_pairs (EskBeams *beams)
{
  const EskBeamPlan *plan = &beams->plan;
  Search search = { 0 };
  int code = ESK_ERROR_MEMORY;

  beams->pair = reallocarray (NULL, plan->elements, sizeof *beams->pair);
  beams->partner = reallocarray (NULL, plan->elements, sizeof *beams->partner);
  beams->single = reallocarray (NULL, plan->elements, sizeof *beams->single);
  beams->items = reallocarray (NULL, plan->n_foci, sizeof *beams->items);
  if (beams->pair != NULL && beams->partner != NULL && beams->single != NULL && beams->items != NULL
      && search_init (&search, plan))
    code = take (beams, &search, search_reflection (&search));
  search_clear (&search);

  return code;
}
