/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-plane-private.h"

EsPlane *
es_plane_alloc (guint width, guint height)
{
  static guint64 last_serial;                      /* planes are made on any thread */
  gsize n, size;

  if (width == 0 || height == 0 || !g_size_checked_mul (&n, width, height)
      || !g_size_checked_mul (&size, n, sizeof (float)))
    return NULL;

  EsPlane *self = g_new0 (EsPlane, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->serial = __atomic_add_fetch (&last_serial, 1, __ATOMIC_RELAXED);
  self->statistics = g_new0 (EsPlaneStatistics, 1);
  self->n_levels = es_plane_count_levels (width, height);
  for (guint i = 0; i < self->n_levels; i++)
    {
      self->levels[i] = (EsPlaneLevel) { width, height, NULL };
      width = width / 2 + width % 2;
      height = height / 2 + height % 2;
    }
  return self;
}

/* Halved copies of a part: as far as a view zooms out before the next part is there. */
#define PART_LEVELS 3

static EsPlane *
make_plane (GBytes *bytes, guint width, guint height, gboolean part)
{
  g_return_val_if_fail (bytes != NULL, NULL);
  g_return_val_if_fail (width > 0 && height > 0, NULL);

  EsPlane *self = es_plane_alloc (width, height);

  if (self == NULL)
    return NULL;

  gsize n = (gsize) width * height;

  if (g_bytes_get_size (bytes) < n * sizeof (float))
    {
      es_plane_unref (self);
      return NULL;
    }
  self->bytes = g_bytes_ref (bytes);
  self->levels[0].values = g_bytes_get_data (bytes, NULL);
  if (part)
    self->n_levels = MIN (self->n_levels, PART_LEVELS);
  else
    es_plane_statistics_compute (self->statistics, self->levels[0].values, n);
  for (guint i = 1; i < self->n_levels; i++)
    self->levels[i].values = es_plane_halve (&self->levels[i - 1], &self->levels[i]);
  return self;
}

EsPlane *
es_plane_new (GBytes *bytes, guint width, guint height)
{
  return make_plane (bytes, width, height, FALSE);
}

EsPlane *
es_plane_new_part (GBytes *bytes, guint width, guint height)
{
  return make_plane (bytes, width, height, TRUE);
}

EsPlane *
es_plane_ref (EsPlane *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
es_plane_unref (EsPlane *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = self->bytes != NULL ? 1 : 0; i < self->n_levels; i++)
    g_free ((float *) self->levels[i].values);
  if (self->device != NULL)
    es_plane_device_free (self);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_free (self->statistics);
  g_free (self);
}

gsize
es_plane_get_size (EsPlane *self)
{
  gsize samples = 0;

  if (self->device != NULL)
    return es_plane_device_get_size (self);
  for (guint i = 0; i < self->n_levels; i++)
    samples += (gsize) self->levels[i].width * self->levels[i].height;
  return samples * sizeof (float);
}

float
es_plane_get_sample (EsPlane *self, guint x, guint y)
{
  const EsPlaneLevel *level = &self->levels[0];

  if (x >= level->width || y >= level->height)
    return NAN;
  return self->device != NULL ? es_plane_device_get_sample (self, x, y)
                              : level->values[(gsize) y * level->width + x];
}

guint
es_plane_count_levels (guint width, guint height)
{
  guint n = 1;

  for (guint side = MAX (width, height); side > 1; side = side / 2 + side % 2)
    n++;
  return n;
}

/* Samples with both neighbours are the many: they go without the tests that the last column and row need. */
static void
halve_rows (const EsPlaneLevel *from, guint width, guint y, float *row)
{
  const float *upper = from->values + (gsize) from->width * (2 * y);
  const float *lower = 2 * y + 1 < from->height ? upper + from->width : upper;

  for (guint x = 0; x < width; x++)
    {
      guint right = MIN (2 * x + 1, from->width - 1);
      float four[4] = { upper[2 * x], upper[right], lower[2 * x], lower[right] };
      float all = (four[0] + four[1]) + (four[2] + four[3]);

      if (G_LIKELY (!isnan (all)))
        {
          row[x] = all * 0.25f;
          continue;
        }

      float sum = 0;
      int n = 0;
      for (guint i = 0; i < 4; i++)
        if (!isnan (four[i]))
          {
            sum += four[i];
            n++;
          }
      row[x] = n > 0 ? sum / n : NAN;
    }
}

float *
es_plane_halve (const EsPlaneLevel *from, const EsPlaneLevel *to)
{
  float *values = g_new (float, (gsize) to->width * to->height);

  for (guint y = 0; y < to->height; y++)
    halve_rows (from, to->width, y, values + (gsize) to->width * y);
  return values;
}

const EsPlaneLevel *
es_plane_get_level (EsPlane *self, guint level)
{
  g_return_val_if_fail (level < self->n_levels, NULL);

  return self->device != NULL ? es_plane_device_get_level (self, level) : &self->levels[level];
}
