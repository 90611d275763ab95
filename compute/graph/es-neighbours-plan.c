/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

#include <math.h>

#include "device/es-device-internal.h"

/* An exact search that takes no longer than that is worth it. */
#define SOME_SECONDS 20.0
/* Points of a block of the CPU's search, and the coordinates of its boxes. */
#define BLOCK 32
#define KEYS 16

/*
 * On two cores of an EPYC with AVX-512 the loops come to this share of what plain multiply-adds do, and of spectra of
 * real scenes (EnMAP, bands as they are or of unit variance) or of mixtures with noise, a twentieth to a seventh of all
 * differences is looked at; of white noise all of them: a quarter is between.
 */
#define SHARE_OF_FLOPS 0.6
#define SHARE_LOOKED_AT 0.25

static double
get_flops (EsDevice *device, guint threads)
{
  const double flops = es_device_get_flops (device);
  const guint lanes = es_device_get_lanes (device);

  return MAX (es_device_is_cpu (device) && threads > 0 && threads < lanes ? flops * threads / lanes : flops, 1e9);
}

/* On the CPU: turning all points and ordering them, then looking. */
static double
plan_exact (EsDevice *device, guint threads, gsize n_points, guint dimensions, guint k, guint64 *memory)
{
  const double n = n_points, d = dimensions, flops = get_flops (device, threads);
  const double differences = 2 * n * n * d;

  if (!es_device_is_cpu (device))
    {
      *memory = 0;
      return differences / (0.25 * flops) + n * d * sizeof (float) / es_device_get_bandwidth (device);
    }
  *memory = n_points * (dimensions * sizeof (float) + KEYS * sizeof (float) + 2 * sizeof (gint32))
            + (guint64) MAX (threads, es_device_get_lanes (device)) * BLOCK * (k + dimensions) * 16;
  return (differences * SHARE_LOOKED_AT + 8 * n * d * d) / (SHARE_OF_FLOPS * flops) + 100 * n * (k + log2 (n)) / flops;
}

EsNeighboursSearch
es_neighbours_choose_search (EsDevice *device, guint threads, gsize n_points, guint dimensions, guint k,
                             EsNeighboursSearch search)
{
  return ES_NEIGHBOURS_EXACT;
}

double
es_neighbours_plan (EsDevice *device, guint threads, gsize n_points, guint dimensions, guint k,
                    EsNeighboursSearch search, guint64 *memory)
{
  guint64 host = 0;
  const double seconds = plan_exact (es_neighbours_choose_device (device), threads, n_points, dimensions, k, &host);

  if (memory != NULL)
    *memory = host + (guint64) n_points * k * (sizeof (gint32) + sizeof (float));
  return seconds;
}
