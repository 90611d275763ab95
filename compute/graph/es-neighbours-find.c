/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "device/es-buffer-internal.h"
#include "device/es-device-internal.h"

/* A stream of a device, for one search. */
typedef struct
{
  EsDevice          *device;
  const EskHotspots *hotspots;
  EskStream         *stream;
  GCancellable      *cancellable;
  gulong             handler;
  int                cancelled;      /* atomic */
} Searcher;

static void
tell_hotspots (GCancellable *cancellable, gpointer data)
{
  g_atomic_int_set ((int *) data, 1);
}

static gboolean
searcher_begin (Searcher *self, EsDevice *device, guint threads, GCancellable *cancellable, GError **error)
{
  int code = ESK_ERROR_MEMORY;

  *self = (Searcher) { .device = device, .hotspots = es_device_get_hotspots (device), .cancellable = cancellable };
  if (!es_device_prepare (device, error))
    return FALSE;
  self->stream = es_device_take_stream (device);
  if (self->stream != NULL)
    code = esk_hotspots_set_threads (self->hotspots, self->stream,
                                     (int) (threads > 0 ? threads : es_device_get_lanes (es_device_get_cpu ())));
  if (!es_device_check (device, self->stream, code, _("the search of neighbours"), error))
    {
      if (self->stream != NULL)
        es_device_give_stream (device, self->stream);
      self->stream = NULL;
      return FALSE;
    }
  esk_hotspots_set_cancelled (self->hotspots, self->stream, &self->cancelled);
  if (cancellable != NULL)
    self->handler = g_cancellable_connect (cancellable, G_CALLBACK (tell_hotspots), &self->cancelled, NULL);
  return TRUE;
}

static void
searcher_end (Searcher *self)
{
  if (self->handler != 0)
    g_cancellable_disconnect (self->cancellable, self->handler);
  esk_hotspots_set_cancelled (self->hotspots, self->stream, NULL);
  esk_hotspots_set_threads (self->hotspots, self->stream, 1);
  es_device_give_stream (self->device, self->stream);
}

static gboolean
check_points (const float *points, gsize n_points, guint dimensions, GError **error)
{
  for (gsize i = 0; i < n_points * dimensions; i++)
    if (!isfinite (points[i]))
      {
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                     _("Value %" G_GSIZE_FORMAT " of spectrum %" G_GSIZE_FORMAT " is %g, where neighbours are looked "
                       "for among finite ones."),
                     i % dimensions + 1, i / dimensions + 1, points[i]);
        return FALSE;
      }
  return TRUE;
}

static gboolean
check_sizes (gsize n_points, guint dimensions, guint k, GError **error)
{
  if (k == 0 || k >= n_points)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                 _("%u neighbours were asked for among %" G_GSIZE_FORMAT " spectra: there can be from 1 to one less "
                   "than spectra."), k, n_points);
  else if (n_points > G_MAXINT32 || dimensions == 0)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                 _("Neighbours are looked for among fewer than 2^31 spectra of at least one band, not %"
                   G_GSIZE_FORMAT " of %u."), n_points, dimensions);
  else
    return TRUE;
  return FALSE;
}

EsNeighbours *
es_neighbours_find (EsDevice *device, guint threads, const float *points, gsize n_points, guint dimensions, guint k,
                    EsNeighboursSearch search, guint64 seed, EsNeighboursProgress progress, gpointer user_data,
                    GCancellable *cancellable, GError **error)
{
  g_autofree gint32 *index = NULL;
  g_autofree float *distance = NULL;
  Searcher searcher;
  gboolean found;
  int code;

  if (!check_sizes (n_points, dimensions, k, error) || !check_points (points, n_points, dimensions, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  device = es_neighbours_choose_device (device);
  index = g_try_new (gint32, n_points * k);
  distance = g_try_new (float, n_points * k);
  if (index == NULL || distance == NULL)
    {
      es_compute_error_no_memory (_("the graph of neighbours"), error);
      return NULL;
    }

  if (!searcher_begin (&searcher, device, threads, cancellable, error))
    return NULL;
  if (progress != NULL)
    progress (0, user_data);
  code = searcher.hotspots->neighbours->nearest (searcher.stream, points, n_points, points, n_points, dimensions, k,
                                                 true, 0, index, distance);
  found = es_device_check (device, searcher.stream, code, _("the search of neighbours"), error);
  searcher_end (&searcher);
  if (!found)
    return NULL;
  if (progress != NULL)
    progress (1, user_data);
  return es_neighbours_new (n_points, k, g_steal_pointer (&index), g_steal_pointer (&distance), TRUE);
}

/* ---- recall ---- */

/* splitmix64 (Steele and others 2014). */
static guint64
next_random (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}

gboolean
es_neighbours_measure_recall (EsNeighbours *self, EsDevice *device, guint threads, const float *points,
                              guint dimensions, gsize n_probes, guint64 seed, double *recall,
                              GCancellable *cancellable, GError **error)
{
  const gsize n = self->n, k = self->k, all = k + 1;
  g_autofree float *queries = NULL, *distance = NULL;
  g_autofree gint32 *index = NULL;
  g_autofree gsize *probes = NULL;
  gsize right = 0;
  Searcher searcher;
  gboolean found;
  int code;

  n_probes = CLAMP (n_probes, 1, n);
  queries = g_try_new (float, n_probes * dimensions);
  probes = g_try_new (gsize, n_probes);
  index = g_try_new (gint32, n_probes * all);
  distance = g_try_new (float, n_probes * all);
  if (queries == NULL || probes == NULL || index == NULL || distance == NULL)
    return es_compute_error_no_memory (_("the graph of neighbours"), error);
  /* One out of each of n_probes runs of points. */
  for (gsize i = 0; i < n_probes; i++)
    {
      const gsize from = i * n / n_probes, until = (i + 1) * n / n_probes;

      probes[i] = from + next_random (&seed) % (until - from);
      memcpy (queries + i * dimensions, points + probes[i] * dimensions, dimensions * sizeof (float));
    }

  device = es_neighbours_choose_device (device);
  if (!searcher_begin (&searcher, device, threads, cancellable, error))
    return FALSE;
  code = searcher.hotspots->neighbours->nearest (searcher.stream, points, n, queries, n_probes, dimensions, all, false,
                                                 0, index, distance);
  found = es_device_check (device, searcher.stream, code, _("the search of neighbours"), error);
  searcher_end (&searcher);
  if (!found)
    return FALSE;
  /* A probe itself is at distance 0, so that the last of its k + 1 is its k-th neighbour; what is as far as that one
   * is as good. */
  for (gsize i = 0; i < n_probes; i++)
    for (gsize m = 0; m < k; m++)
      right += self->distance[probes[i] * k + m] <= distance[i * all + k];
  *recall = (double) right / ((double) n_probes * (double) k);
  return TRUE;
}
