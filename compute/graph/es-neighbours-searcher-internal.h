/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-neighbours.h"

#include "es-hotspots.h"

G_BEGIN_DECLS

/* A stream of a device for searches and distances, which look at the cancellable and use so many threads (0: all). */
typedef struct
{
  EsDevice          *device;
  const EskHotspots *hotspots;
  EskStream         *stream;
  GCancellable      *cancellable;
  gulong             handler;
  int                cancelled;      /* atomic */
} EsNeighboursSearcher;

/* Who searches: a GPU that can, or else the CPU; of all GPUs together the first. device: nullable, the CPU. */
EsDevice *es_neighbours_choose_device (EsDevice *device);
gboolean  es_neighbours_searcher_begin (EsNeighboursSearcher *self, EsDevice *device, guint threads,
                                        GCancellable *cancellable, GError **error);
void      es_neighbours_searcher_end   (EsNeighboursSearcher *self);

/* splitmix64 (Steele, Lea and Flood 2014): the next of a sequence that the state begins. */
guint64   es_neighbours_next_random (guint64 *state);
/* One out of each of n_probes runs of n: ascending. n_probes: from 1 to n. */
void      es_neighbours_choose_probes (gsize n, gsize n_probes, guint64 seed, gsize *probes);

/* Lengths of the shortest paths from one point to all, along the edges of the graph both ways (Dijkstra 1959);
 * INFINITY: there is none. One thread at a time. */
typedef struct _EsNeighboursPaths EsNeighboursPaths;

EsNeighboursPaths *es_neighbours_paths_new        (EsNeighbours *graph);
/* For another thread, along the same edges; `other` is freed after it. */
EsNeighboursPaths *es_neighbours_paths_new_beside (EsNeighboursPaths *other);
void               es_neighbours_paths_free       (EsNeighboursPaths *self);
void               es_neighbours_paths_find       (EsNeighboursPaths *self, gsize from, double *length);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsNeighboursPaths, es_neighbours_paths_free)

G_END_DECLS
