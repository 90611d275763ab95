/* SPDX-License-Identifier: GPL-3.0-or-later */

/*
 * The space in which neighbours are looked for: the principal axes of some of the points. What they are worth
 * decides how fast a search is, never what it finds: any orthonormal axes leave distances as they are, up to
 * rounding, of which the size is known for each block.
 */

#include "es-cpu-neighbours-private.h"

#include <cblas.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/core/es-cpu-team-internal.h"
#include "es-eigen.h"
#include "host/es-blas-internal.h"

/* Points that the axes are found from, at most. */
#define SAMPLED 4096
/* Points of one item of the team. */
#define ITEM 4096

/*
 * Of a coordinate in float64: its rounding to float32 (half of FLT_EPSILON of it), and all that goes before it, which
 * is far less: the axes are orthonormal to some DBL_EPSILON, and their products with points are sums of so many terms.
 */
#define ROUNDING(dimensions) (0.5 * FLT_EPSILON + 16.0 * (double) (dimensions) * DBL_EPSILON)
/* A coordinate that is smaller than any normal number loses so much at most. */
#define SMALLEST 0x1p-149

typedef struct
{
  const float *points;
  size_t       n, dimensions;
  float       *largest;        /* an item */
} Largest;

static void
find_largest (void    *data,
              size_t   item,
              unsigned worker)
{
  Largest *self = data;
  const size_t from = item * ITEM * self->dimensions;
  const size_t all = self->n * self->dimensions, rest = all - from;
  const size_t count = rest < ITEM * self->dimensions ? rest : ITEM * self->dimensions;
  const float *values = self->points + from;
  float lanes[16] = { 0 };
  size_t i = 0;

  (void) worker;
  for (; i + 16 <= count; i += 16)
    for (size_t lane = 0; lane < 16; lane++)
      {
        const float magnitude = fabsf (values[i + lane]);

        lanes[lane] = magnitude > lanes[lane] ? magnitude : lanes[lane];
      }
  for (; i < count; i++)
    lanes[0] = fmaxf (lanes[0], fabsf (values[i]));
  self->largest[item] = 0;
  for (size_t lane = 0; lane < 16; lane++)
    self->largest[item] = fmaxf (self->largest[item], lanes[lane]);
}

static int
largest_of (EskStream   *stream,
            const float *points,
            size_t       n,
            size_t       dimensions,
            float       *largest)
{
  const size_t n_items = (n + ITEM - 1) / ITEM;
  Largest self = { points, n, dimensions, calloc (n_items + 1, sizeof (float)) };
  int code;

  if (self.largest == NULL)
    return ESK_ERROR_MEMORY;
  code = esk_team_try (stream, n_items, find_largest, &self);
  for (size_t i = 0; i < n_items; i++)
    *largest = fmaxf (*largest, self.largest[i]);
  free (self.largest);

  return code;
}

/* Of n points at even distances, the sum of squares and products about their mean, which becomes the centre. */
static int
find_axes (EskNearSpace *space,
           EskStream    *stream,
           const float  *points,
           size_t        n_points)
{
  const size_t d = space->dimensions, n = n_points < SAMPLED ? n_points : SAMPLED;
  double *sampled = esk_near_alloc (n * d, sizeof *sampled);
  double *products = esk_near_alloc (d * d, sizeof *products), *values = esk_near_alloc (d, sizeof *values);
  int code = ESK_ERROR_MEMORY;

  if (sampled == NULL || products == NULL || values == NULL)
    goto out;
  memset (space->centre, 0, d * sizeof *space->centre);
  for (size_t i = 0; i < n; i++)
    {
      const float *point = points + (size_t) ((double) i * (double) n_points / (double) n) * d;

      for (size_t b = 0; b < d; b++)
        {
          sampled[i * d + b] = space->scale * point[b];
          space->centre[b] += sampled[i * d + b];
        }
    }
  for (size_t b = 0; b < d; b++)
    space->centre[b] /= (double) n;
  for (size_t i = 0; i < n; i++)
    for (size_t b = 0; b < d; b++)
      sampled[i * d + b] -= space->centre[b];
  code = esk_blas_enter ();
  if (code != ESK_OK)
    goto out;
  cblas_dsyrk (CblasRowMajor, CblasLower, CblasTrans, (blasint) d, (blasint) n, 1.0, sampled, (blasint) d, 0.0,
               products, (blasint) d);
  esk_blas_leave ();
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; j < i; j++)
      products[j * d + i] = products[i * d + j];
  code = esk_is_cancelled (stream->cancelled) ? ESK_ERROR_CANCELLED
                                              : esk_eigen_lapack (d, products, values, space->rotation);

out:
  free (sampled);
  free (products);
  free (values);

  return code;
}

int
esk_near_space_init (EskNearSpace *space,
                     EskStream    *stream,
                     const float  *points,
                     size_t        n_points,
                     const float  *queries,
                     size_t        n_queries,
                     size_t        dimensions,
                     bool          turn)
{
  float largest = 0;
  int exponent = 0, code;

  memset (space, 0, sizeof *space);
  space->dimensions = dimensions;
  space->keys = dimensions < ESK_NEAR_KEYS ? dimensions : ESK_NEAR_KEYS;

  code = largest_of (stream, points, n_points, dimensions, &largest);
  if (code == ESK_OK && queries != points)
    code = largest_of (stream, queries, n_queries, dimensions, &largest);
  if (code != ESK_OK)
    return code;
  /* Below 1: sums of squares stay below 16 dimensions^2. */
  frexpf (largest, &exponent);
  space->scale = ldexp (1.0, -exponent);

  if (!turn)
    return ESK_OK;
  space->centre = esk_near_alloc (dimensions, sizeof *space->centre);
  space->rotation = esk_near_alloc (dimensions * dimensions, sizeof *space->rotation);
  code = space->centre == NULL || space->rotation == NULL ? ESK_ERROR_MEMORY
                                                          : find_axes (space, stream, points, n_points);
  if (code == ESK_ERROR_NO_CONVERGENCE)
    {
      free (space->centre);
      free (space->rotation);
      space->centre = space->rotation = NULL;
      code = ESK_OK;
    }

  return code;
}

void
esk_near_space_clear (EskNearSpace *space)
{
  free (space->centre);
  free (space->rotation);
  space->centre = space->rotation = NULL;
}

int
esk_near_room_init (EskNearRoom        *room,
                    const EskNearSpace *space)
{
  room->centred = room->turned = NULL;
  if (space->rotation == NULL)
    return ESK_OK;
  room->centred = esk_near_alloc (ESK_NEAR_BLOCK * space->dimensions, sizeof *room->centred);
  room->turned = esk_near_alloc (ESK_NEAR_BLOCK * space->dimensions, sizeof *room->turned);

  return room->centred == NULL || room->turned == NULL ? ESK_ERROR_MEMORY : ESK_OK;
}

void
esk_near_room_clear (EskNearRoom *room)
{
  free (room->centred);
  free (room->turned);
}

int
esk_near_space_place (const EskNearSpace *space,
                      EskNearRoom        *room,
                      const float        *points,
                      const int32_t      *order,
                      size_t              count,
                      size_t              only,
                      float              *block,
                      double             *error)
{
  const size_t d = space->dimensions;
  double farthest = 0;

  for (size_t p = 0; p < ESK_NEAR_BLOCK; p++)
    {
      const size_t i = p < count ? p : count - 1;
      const float *point = points + (order != NULL ? (size_t) order[i] : i) * d;
      double length = 0;

      if (space->rotation == NULL)
        {
          for (size_t b = 0; b < only; b++)
            block[b * ESK_NEAR_BLOCK + p] = (float) (space->scale * point[b]);
          continue;
        }
      for (size_t b = 0; b < d; b++)
        {
          const double x = space->scale * point[b] - space->centre[b];

          room->centred[p * d + b] = x;
          length += x * x;
        }
      farthest = length > farthest ? length : farthest;
    }
  /* A power of two changes nothing but what becomes too small. */
  *error = sqrt ((double) d) * SMALLEST;
  if (space->rotation == NULL)
    return ESK_OK;

  *error += ROUNDING (d) * sqrt (farthest) * (1 + 1e-9) + sqrt ((double) d) * 16.0 * DBL_EPSILON;
  if (esk_blas_enter () != ESK_OK)
    return ESK_ERROR_MEMORY;
  cblas_dgemm (CblasRowMajor, CblasNoTrans, CblasTrans, (blasint) only, ESK_NEAR_BLOCK, (blasint) d, 1.0,
               space->rotation, (blasint) d, room->centred, (blasint) d, 0.0, room->turned, ESK_NEAR_BLOCK);
  esk_blas_leave ();
  for (size_t i = 0; i < only * ESK_NEAR_BLOCK; i++)
    block[i] = (float) room->turned[i];

  return ESK_OK;
}
