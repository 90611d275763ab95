/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-neighbours-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "base/es-error.h"
#include "device/es-device-internal.h"

static gboolean
check_points (const float *points, gsize n_points, guint dimensions, GError **error)
{
  for (gsize i = 0; i < n_points * dimensions; i++)
    if (!isfinite (points[i]))
      {
        g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_NUMERIC,
                     _("Value %zu of spectrum %zu is %g; neighbours are looked for among finite values."),
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
                 _("%u neighbours were asked for among %zu spectra: there can be from 1 to one less than spectra."), k,
                 n_points);
  else if (n_points > G_MAXINT32 || dimensions == 0)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_PARAMETER,
                 _("Neighbours are looked for among fewer than 2^31 spectra of at least one band, not %zu of %u."),
                 n_points, dimensions);
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
  EsNeighboursSearcher searcher;
  gboolean found;
  int code;

  if (!check_sizes (n_points, dimensions, k, error) || !check_points (points, n_points, dimensions, error)
      || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  device = es_neighbours_choose_device (device);
  search = es_neighbours_choose_search (device, threads, n_points, dimensions, k, search);
  index = g_try_new (gint32, n_points * k);
  distance = g_try_new (float, n_points * k);
  if (index == NULL || distance == NULL)
    {
      es_compute_error_no_memory (_("the graph of neighbours"), error);
      return NULL;
    }

  if (!es_neighbours_searcher_begin (&searcher, device, threads, cancellable, error))
    return NULL;
  if (progress != NULL && ESK_HAS (searcher.hotspots, neighbours, set_progress))
    searcher.hotspots->neighbours->set_progress (searcher.stream, progress, user_data);
  if (progress != NULL)
    progress (0, user_data);
  if (search == ES_NEIGHBOURS_EXACT)
    code = searcher.hotspots->neighbours->nearest (searcher.stream, points, n_points, points, n_points, dimensions, k,
                                                   true, 0, index, distance);
  else
    code = searcher.hotspots->neighbours->approximate (searcher.stream, points, n_points, dimensions, k, seed, index,
                                                       distance);
  found = es_device_check (device, searcher.stream, code, _("the search of neighbours"), error);
  if (ESK_HAS (searcher.hotspots, neighbours, set_progress))
    searcher.hotspots->neighbours->set_progress (searcher.stream, NULL, NULL);
  es_neighbours_searcher_end (&searcher);
  if (!found)
    return NULL;
  if (progress != NULL)
    progress (1, user_data);
  return es_neighbours_new (n_points, k, g_steal_pointer (&index), g_steal_pointer (&distance),
                            search == ES_NEIGHBOURS_EXACT);
}
