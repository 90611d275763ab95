/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "es-plane-private.h"

/* Samples under a pointer: squares of the plane that came to the host for one of them. */
#define WINDOW_SIDE 64
#define N_WINDOWS 4

typedef struct
{
  guint x, y, width, height;   /* width 0: empty */
  float values[WINDOW_SIDE * WINDOW_SIDE];
} Window;

struct _EsPlaneDevice
{
  GMutex device_lock;          /* levels */
  EsDevicePlane *levels[ES_PLANE_MAX_LEVELS];
  GMutex host_lock;            /* the rest, and EsPlane.levels[].values; taken before the other */
  Window *windows;             /* N_WINDOWS, made at the first sample */
  guint oldest_window;
  gboolean told;               /* the one line about what failed is written */
};

static void
copy_statistics (EsPlaneStatistics *to, const EsDevicePlaneStatistics *from)
{
  G_STATIC_ASSERT (sizeof to->histogram == sizeof from->histogram);
  G_STATIC_ASSERT (sizeof to->quantiles == sizeof from->quantiles);

  to->n_valid = from->n_valid;
  to->minimum = from->minimum;
  to->maximum = from->maximum;
  to->mean = from->mean;
  to->deviation = from->deviation;
  memcpy (to->histogram, from->histogram, sizeof to->histogram);
  memcpy (to->quantiles, from->quantiles, sizeof to->quantiles);
}

EsPlane *
es_plane_new_from_device (EsDevicePlane *device_plane, GError **error)
{
  g_return_val_if_fail (device_plane != NULL, NULL);

  guint width = es_device_plane_get_width (device_plane), height = es_device_plane_get_height (device_plane);
  g_autofree EsDevicePlaneStatistics *statistics = g_new0 (EsDevicePlaneStatistics, 1);
  guint64 step = es_plane_statistics_step ((guint64) width * height);

  if (!es_device_plane_get_statistics (device_plane, step, statistics, error))
    return NULL;

  EsPlane *self = es_plane_alloc (width, height);

  if (self == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, "a plane of %u × %u samples cannot be shown",
                   width, height);
      return NULL;
    }
  copy_statistics (self->statistics, statistics);
  self->device = g_new0 (EsPlaneDevice, 1);
  g_mutex_init (&self->device->device_lock);
  g_mutex_init (&self->device->host_lock);
  self->device->levels[0] = es_device_plane_ref (device_plane);
  return self;
}

void
es_plane_device_free (EsPlane *self)
{
  EsPlaneDevice *device = g_steal_pointer (&self->device);

  for (guint i = 0; i < self->n_levels; i++)
    g_clear_pointer (&device->levels[i], es_device_plane_unref);
  g_mutex_clear (&device->device_lock);
  g_mutex_clear (&device->host_lock);
  g_free (device->windows);
  g_free (device);
}

EsDevice *
es_plane_get_device (EsPlane *self)
{
  return self->device != NULL ? es_device_plane_get_device (self->device->levels[0]) : NULL;
}

gsize
es_plane_device_get_size (EsPlane *self)
{
  EsPlaneDevice *device = self->device;
  gsize samples = 0;

  g_mutex_lock (&device->host_lock);
  g_mutex_lock (&device->device_lock);
  for (guint i = 0; i < self->n_levels; i++)
    {
      gsize n = (gsize) self->levels[i].width * self->levels[i].height;

      samples += (self->levels[i].values != NULL ? n : 0) + (device->levels[i] != NULL ? n : 0);
    }
  gsize windows = device->windows != NULL ? N_WINDOWS * sizeof (Window) : 0;
  g_mutex_unlock (&device->device_lock);
  g_mutex_unlock (&device->host_lock);
  return samples * sizeof (float) + windows;
}

EsDevicePlane *
es_plane_get_device_level (EsPlane *self, guint level, GError **error)
{
  EsPlaneDevice *device = self->device;

  g_return_val_if_fail (level < self->n_levels, NULL);

  if (device == NULL)
    {
      g_set_error_literal (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, "the plane lies on the host");
      return NULL;
    }

  g_mutex_lock (&device->device_lock);
  guint made = level;
  while (device->levels[made] == NULL)
    made--;
  while (made < level && (device->levels[made + 1] = es_device_plane_halve (device->levels[made], error)) != NULL)
    made++;
  EsDevicePlane *found = device->levels[level];
  g_mutex_unlock (&device->device_lock);
  return found;
}

/* With the host's lock held. */
static void
tell (EsPlane *self, const char *what, const GError *error)
{
  if (!self->device->told)
    g_debug ("%s of a plane on %s: %s", what, es_device_get_id (es_plane_get_device (self)), error->message);
  self->device->told = TRUE;
}

/* NULL where it cannot be read; the values belong to whoever asked. */
static float *
bring (EsPlane *self, EsDevicePlane *from, guint level, GError **error)
{
  guint width = self->levels[level].width, height = self->levels[level].height;
  g_autofree float *values = g_try_new (float, (gsize) width * height);

  if (values == NULL)
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY, "no memory for %u × %u samples", width, height);
      return NULL;
    }
  return es_device_plane_read (from, 0, 0, width, height, 1, values, error) ? g_steal_pointer (&values) : NULL;
}

/* The GPU made the level, or else the host makes it of the last one that it has or that can be brought. */
static gboolean
make_host_level (EsPlane *self, guint level, GError **error)
{
  EsPlaneLevel *levels = self->levels;
  g_autoptr (GError) halving = NULL;
  EsDevicePlane *from = es_plane_get_device_level (self, level, &halving);

  if (from != NULL)
    return (levels[level].values = bring (self, from, level, error)) != NULL;

  tell (self, "Making a smaller copy", halving);
  guint made = level;
  while (made > 0 && levels[made].values == NULL)
    made--;
  if (levels[made].values == NULL && (levels[0].values = bring (self, self->device->levels[0], 0, error)) == NULL)
    return FALSE;
  for (; made < level; made++)
    if (levels[made + 1].values == NULL)
      levels[made + 1].values = es_plane_halve (&levels[made], &levels[made + 1]);
  return TRUE;
}

const EsPlaneLevel *
es_plane_device_get_level (EsPlane *self, guint level)
{
  EsPlaneDevice *device = self->device;
  EsPlaneLevel *wanted = &self->levels[level];
  g_autoptr (GError) error = NULL;

  g_mutex_lock (&device->host_lock);
  if (wanted->values == NULL && !make_host_level (self, level, &error))
    {
      gsize n = (gsize) wanted->width * wanted->height;
      float *missing = g_new (float, n);

      for (gsize i = 0; i < n; i++)
        missing[i] = NAN;
      wanted->values = missing;
      tell (self, "Bringing the samples", error);
    }
  g_mutex_unlock (&device->host_lock);
  return wanted;
}

/* NULL where it cannot be read. With the host's lock held. */
static const Window *
get_window (EsPlane *self, guint x, guint y)
{
  EsPlaneDevice *device = self->device;
  const EsPlaneLevel *whole = &self->levels[0];
  g_autoptr (GError) error = NULL;

  if (device->windows == NULL)
    device->windows = g_new0 (Window, N_WINDOWS);
  for (guint i = 0; i < N_WINDOWS; i++)
    {
      const Window *window = &device->windows[i];

      if (x - window->x < window->width && y - window->y < window->height)
        return window;
    }

  Window *window = &device->windows[device->oldest_window++ % N_WINDOWS];
  guint left = x - x % WINDOW_SIDE, top = y - y % WINDOW_SIDE;
  guint width = MIN (WINDOW_SIDE, whole->width - left), height = MIN (WINDOW_SIDE, whole->height - top);

  window->width = 0;
  if (!es_device_plane_read (device->levels[0], left, top, width, height, 1, window->values, &error))
    {
      tell (self, "Reading samples", error);
      return NULL;
    }
  window->x = left;
  window->y = top;
  window->width = width;
  window->height = height;
  return window;
}

float
es_plane_device_get_sample (EsPlane *self, guint x, guint y)
{
  const EsPlaneLevel *whole = &self->levels[0];
  float value = NAN;

  g_mutex_lock (&self->device->host_lock);
  if (whole->values != NULL)
    value = whole->values[(gsize) y * whole->width + x];
  else
    {
      const Window *window = get_window (self, x, y);

      if (window != NULL)
        value = window->values[(y - window->y) * window->width + (x - window->x)];
    }
  g_mutex_unlock (&self->device->host_lock);
  return value;
}
