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
/* Neighbours that steps of an approximate search are taken along. */
#define MOST_STEPS 16

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

/* From the forest on, a point meets some hundred others in each of some rounds; more dimensions, and more neighbours,
 * which are put in order, make it longer. */
static double
plan_approximate (EsDevice *device, guint threads, gsize n_points, guint dimensions, guint k, guint64 *memory)
{
  const double n = n_points, d = dimensions, flops = get_flops (device, threads);
  const guint lanes = MAX (threads, es_device_get_lanes (device));

  *memory = n_points * (2 * dimensions * sizeof (float) + 3 * KEYS * sizeof (float) + 16 * (guint64) k
                        + MOST_STEPS * 10 + 16 + 4 * lanes);
  return n * (8 * d * d + 12000 * d + 40000 * (double) MIN (k, MOST_STEPS) + 1000 * (double) k)
         / (SHARE_OF_FLOPS * flops);
}

EsNeighboursSearch
es_neighbours_choose_search (EsDevice *device, guint threads, gsize n_points, guint dimensions, guint k,
                             EsNeighboursSearch search)
{
  guint64 memory;
  double exact;

  if (!ESK_HAS (es_device_get_hotspots (device), neighbours, approximate))
    return ES_NEIGHBOURS_EXACT;
  if (search != ES_NEIGHBOURS_AUTOMATIC)
    return search;
  exact = plan_exact (device, threads, n_points, dimensions, k, &memory);
  return exact <= SOME_SECONDS || exact <= plan_approximate (device, threads, n_points, dimensions, k, &memory)
         ? ES_NEIGHBOURS_EXACT : ES_NEIGHBOURS_APPROXIMATE;
}

double
es_neighbours_plan (EsDevice *device, guint threads, gsize n_points, guint dimensions, guint k,
                    EsNeighboursSearch search, guint64 *memory)
{
  guint64 host = 0;
  double seconds;

  device = es_neighbours_choose_device (device);
  search = es_neighbours_choose_search (device, threads, n_points, dimensions, k, search);
  seconds = search == ES_NEIGHBOURS_EXACT ? plan_exact (device, threads, n_points, dimensions, k, &host)
                                          : plan_approximate (device, threads, n_points, dimensions, k, &host);
  if (memory != NULL)
    *memory = host + (guint64) n_points * k * (sizeof (gint32) + sizeof (float));
  return seconds;
}
