/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-places-internal.h"

#include <math.h>

/* Degrees of longitude between neighbours that are round the world. */
#define ROUND_THE_WORLD 180.0

/* As differences from the first place: float32 tells those of a scene to centimetres. */
struct _EsPlaces
{
  gatomicrefcount ref_count;
  guint64         width, height;
  double          latitude, longitude;
  float          *differences;   /* latitude and longitude of each pixel; NAN: none */
};

static gboolean
is_place (double latitude, double longitude)
{
  return fabs (latitude) <= 90 && fabs (longitude) <= 360;
}

EsPlaces *
es_places_new (const double *latitudes, const double *longitudes, guint64 width, guint64 height)
{
  const gsize n = width * height;
  EsPlaces *self;
  float *differences;
  gsize first = 0;

  while (first < n && !is_place (latitudes[first], longitudes[first]))
    first++;
  differences = first < n ? g_try_malloc_n (n, 2 * sizeof *differences) : NULL;
  if (differences == NULL)
    return NULL;
  self = g_new0 (EsPlaces, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->width = width;
  self->height = height;
  self->latitude = latitudes[first];
  self->longitude = longitudes[first];
  self->differences = differences;
  for (gsize i = 0; i < n; i++)
    {
      const gboolean is = is_place (latitudes[i], longitudes[i]);

      differences[2 * i] = is ? (float) (latitudes[i] - self->latitude) : NAN;
      differences[2 * i + 1] = is ? (float) remainder (longitudes[i] - self->longitude, 360) : NAN;
    }
  return self;
}

EsPlaces *
es_places_ref (EsPlaces *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
es_places_unref (EsPlaces *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->differences);
  g_free (self);
}

static const float *
at (const EsPlaces *self, guint64 x, guint64 y)
{
  return self->differences + 2 * (y * self->width + x);
}

gboolean
es_places_get (const EsPlaces *self, double x, double y, double *latitude, double *longitude)
{
  double sums[2] = { 0 };

  if (!(x >= -0.5 && y >= -0.5 && x <= (double) self->width - 0.5 && y <= (double) self->height - 0.5))
    return FALSE;
  x = CLAMP (x, 0, (double) (self->width - 1));
  y = CLAMP (y, 0, (double) (self->height - 1));

  const guint64 left = (guint64) x, top = (guint64) y;
  const guint64 right = MIN (left + 1, self->width - 1), bottom = MIN (top + 1, self->height - 1);
  const double over = x - (double) left, down = y - (double) top;
  const float *corners[] = { at (self, left, top), at (self, right, top), at (self, left, bottom),
                             at (self, right, bottom) };
  const double weights[] = { (1 - over) * (1 - down), over * (1 - down), (1 - over) * down, over * down };
  const float *nearest = at (self, (guint64) (x + 0.5), (guint64) (y + 0.5));
  gboolean all = TRUE;

  for (guint i = 0; i < 4; i++)
    {
      if (weights[i] == 0)
        continue;
      all = all && isfinite (corners[i][0]) && fabs (corners[i][1] - nearest[1]) < ROUND_THE_WORLD;
      sums[0] += weights[i] * corners[i][0];
      sums[1] += weights[i] * corners[i][1];
    }
  if (!isfinite (nearest[0]))
    return FALSE;
  *latitude = self->latitude + (all ? sums[0] : (double) nearest[0]);
  *longitude = remainder (self->longitude + (all ? sums[1] : (double) nearest[1]), 360);
  return TRUE;
}
