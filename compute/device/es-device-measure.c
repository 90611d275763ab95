/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How fast a device is at what plans are made of; a few milliseconds of the real work. */

#include "es-device-private.h"

#include <string.h>

enum { BANDS = 128 };

/* One lane at a known piece of work: covariance sums for the flops, a sum over the bands for the bytes. */
static void
measure_cpu (EsDevice *self, const EskHotspots *hotspots, double *flops, double *bandwidth)
{
  enum { PIXELS = 8192 };
  g_autofree float *samples = g_new (float, PIXELS * BANDS);
  g_autofree guint8 *valid = g_malloc (PIXELS);
  g_autofree guint32 *bands = g_new (guint32, BANDS);
  g_autofree double *shift = g_new0 (double, BANDS);
  EskTile tile = { samples, ESK_F32, false, PIXELS, 1, BANDS, 1, PIXELS, PIXELS };
  EskSelection selection = { bands, BANDS, NULL, NULL, NULL };
  EskCovariance sums = { 0 };
  EskStream *stream = hotspots->stream->stream_new (0);
  const guint lanes = es_device_get_lanes (self);
  double best_covariance = G_MAXDOUBLE, best_sums = G_MAXDOUBLE;

  for (guint i = 0; i < PIXELS * BANDS; i++)
    samples[i] = i % 251;
  memset (valid, 1, PIXELS);
  for (guint i = 0; i < BANDS; i++)
    bands[i] = i;

  if (stream != NULL && esk_covariance_init (&sums, BANDS, false, shift) == ESK_OK)
    {
      for (int i = 0; i < 4; i++)
        {
          gint64 count = 0, start = g_get_monotonic_time ();
          if (hotspots->cube->covariance_sums (stream, &tile, &selection, valid, &sums) != ESK_OK)
            break;
          gint64 middle = g_get_monotonic_time ();
          if (hotspots->cube->band_sums (stream, &tile, &selection, valid, shift, &count) != ESK_OK)
            break;
          best_covariance = MIN (best_covariance, (middle - start) * 1e-6);
          best_sums = MIN (best_sums, (g_get_monotonic_time () - middle) * 1e-6);
        }
      if (best_covariance < 10)
        *flops = lanes * (double) PIXELS * BANDS * (BANDS + 1) / MAX (best_covariance, 1e-6);
      if (best_sums < 10)
        *bandwidth = lanes * (double) PIXELS * BANDS * sizeof (float) / MAX (best_sums, 1e-6);
    }
  esk_covariance_clear (&sums);
  if (stream != NULL)
    hotspots->stream->stream_free (stream);
}

/* The best of some copies of page-locked memory to the card; as many of them as the card then sums over, which a slow
 * link ends early. Returns how many parts there are on the card. */
static guint
measure_upload (const EskHotspots *hotspots, EskStream *stream, char *on_card, const float *staging, gsize part,
                guint n_parts, double *bandwidth)
{
  const gint64 end = g_get_monotonic_time () + 10000;
  double best = G_MAXDOUBLE;
  guint n = 0;

  while (n < n_parts && (n == 0 || g_get_monotonic_time () < end))
    {
      gint64 start = g_get_monotonic_time ();
      if (hotspots->device->upload (stream, on_card + n * part, staging, part) != ESK_OK
          || hotspots->device->wait (stream) != ESK_OK)
        return 0;
      /* The first one may find the link asleep. */
      if (n > 0 || n_parts == 1)
        best = MIN (best, MAX ((g_get_monotonic_time () - start) * 1e-6, 1e-6));
      n++;
    }
  if (best < G_MAXDOUBLE)
    *bandwidth = part / best;
  return n;
}

static void
measure_covariance (const EskHotspots *hotspots, EskStream *stream, const void *planes, gsize pixels, double *flops)
{
  const gint64 end = g_get_monotonic_time () + 10000;
  guint32 bands[BANDS];
  double shift[BANDS] = { 0 }, best = G_MAXDOUBLE;
  EskTile tile = { planes, ESK_F32, false, pixels, 1, BANDS, 1, pixels, pixels };
  EskSelection selection = { bands, BANDS, NULL, NULL, NULL };
  EskCovariance sums = { 0 };

  for (guint i = 0; i < BANDS; i++)
    bands[i] = i;
  if (esk_covariance_init (&sums, BANDS, false, shift) == ESK_OK)
    for (int i = 0; i < 4 && (i < 2 || g_get_monotonic_time () < end); i++)
      {
        gint64 start = g_get_monotonic_time ();
        if (hotspots->cube->covariance_sums (stream, &tile, &selection, NULL, &sums) != ESK_OK
            || hotspots->device->wait (stream) != ESK_OK)
          break;
        if (i > 0)             /* the first one loads the kernels */
          best = MIN (best, MAX ((g_get_monotonic_time () - start) * 1e-6, 1e-6));
      }
  if (best < G_MAXDOUBLE)
    *flops = (double) pixels * BANDS * (BANDS + 1) / best;
  esk_covariance_clear (&sums);
}

/* What a card copies from page-locked memory, and what it sums over samples that it has. A tile of 128 MB where there
 * is room: smaller ones would measure the launch. */
static void
measure_gpu (EsDevice *self, const EskHotspots *hotspots, int index, double *flops, double *bandwidth)
{
  const gsize part = 8 << 20;
  guint n_parts = CLAMP (es_device_get_budget (self) / 4 / part, 1, 16);
  float *staging = hotspots->device->staging_new (part);
  char *on_card = NULL;
  EskStream *stream = hotspots->stream->stream_new (index);

  while (n_parts > 0 && (on_card = hotspots->device->memory_new (index, n_parts * part)) == NULL)
    n_parts /= 2;
  if (staging != NULL && on_card != NULL && stream != NULL)
    {
      for (gsize i = 0; i < part / sizeof (float); i++)
        staging[i] = (i * 2654435761u >> 16) % 1021;
      n_parts = measure_upload (hotspots, stream, on_card, staging, part, n_parts, bandwidth);
      if (n_parts > 0)
        measure_covariance (hotspots, stream, on_card, n_parts * part / sizeof (float) / BANDS, flops);
    }
  if (stream != NULL)
    hotspots->stream->stream_free (stream);
  hotspots->device->memory_free (index, on_card);
  if (staging != NULL)
    hotspots->device->staging_free (staging);
}

void
es_device_measure (EsDevice *self, double *flops, double *bandwidth)
{
  switch (es_device_get_kind (self))
    {
    case ES_DEVICE_GPU:
      if (es_device_prepare (self, NULL))
        measure_gpu (self, es_device_get_hotspots (self), es_device_get_index (self), flops, bandwidth);
      break;
    case ES_DEVICE_ALL_GPUS:
      es_device_prepare (self, NULL);
      *flops = *bandwidth = 0;
      for (guint i = 0; i < es_device_get_n_members (self); i++)
        {
          *flops += es_device_get_flops (es_device_get_member (self, i));
          *bandwidth += es_device_get_bandwidth (es_device_get_member (self, i));
        }
      break;
    case ES_DEVICE_CPU:
    default:
      measure_cpu (self, es_device_get_hotspots (self), flops, bandwidth);
    }
}
