/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"

guint64
es_neighbours_next_random (guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);

  z = (z ^ z >> 30) * G_GUINT64_CONSTANT (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * G_GUINT64_CONSTANT (0x94d049bb133111eb);
  return z ^ z >> 31;
}

void
es_neighbours_choose_probes (gsize n, gsize n_probes, guint64 seed, gsize *probes)
{
  for (gsize i = 0; i < n_probes; i++)
    {
      const gsize from = i * n / n_probes, until = (i + 1) * n / n_probes;

      probes[i] = from + es_neighbours_next_random (&seed) % (until - from);
    }
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
  EsNeighboursSearcher searcher;
  gboolean found;
  int code;

  n_probes = CLAMP (n_probes, 1, n);
  queries = g_try_new (float, n_probes * dimensions);
  probes = g_try_new (gsize, n_probes);
  index = g_try_new (gint32, n_probes * all);
  distance = g_try_new (float, n_probes * all);
  if (queries == NULL || probes == NULL || index == NULL || distance == NULL)
    return es_compute_error_no_memory (_("the graph of neighbours"), error);
  es_neighbours_choose_probes (n, n_probes, seed, probes);
  for (gsize i = 0; i < n_probes; i++)
    memcpy (queries + i * dimensions, points + probes[i] * dimensions, dimensions * sizeof (float));

  device = es_neighbours_choose_device (device);
  if (!es_neighbours_searcher_begin (&searcher, device, threads, cancellable, error))
    return FALSE;
  code = searcher.hotspots->neighbours->nearest (searcher.stream, points, n, queries, n_probes, dimensions, all, false,
                                                 0, index, distance);
  found = es_device_check (device, searcher.stream, code, _("the search of neighbours"), error);
  es_neighbours_searcher_end (&searcher);
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
