/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"

G_BEGIN_DECLS

/* Of each of n points its k nearest others: nearest first, equal ones by index. Immutable, counted; any thread. */
typedef struct _EsNeighbours EsNeighbours;

EsNeighbours *es_neighbours_ref   (EsNeighbours *self);
void          es_neighbours_unref (EsNeighbours *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsNeighbours, es_neighbours_unref)

/* Takes the two arrays (g_malloc), n_points x k, rows nearest first, every index that of another point; 0 < k <
 * n_points < 2^31. For graphs that are made otherwise, and for tests. */
EsNeighbours *es_neighbours_new   (gsize n_points, guint k, gint32 *indices, float *distances, gboolean exact);

gsize         es_neighbours_get_n_points (EsNeighbours *self);
guint         es_neighbours_get_k        (EsNeighbours *self);
const gint32 *es_neighbours_get_indices  (EsNeighbours *self);      /* n_points x k */
const float  *es_neighbours_get_distances (EsNeighbours *self);     /* n_points x k, Euclid's */
gboolean      es_neighbours_is_exact     (EsNeighbours *self);

typedef enum { ES_NEIGHBOURS_AUTOMATIC, ES_NEIGHBOURS_EXACT, ES_NEIGHBOURS_APPROXIMATE } EsNeighboursSearch;

/* Share of the search that is done, 0..1; from the thread that called. */
typedef void (*EsNeighboursProgress) (double fraction, gpointer user_data);

/*
 * Searches on a device: points n_points x dimensions, row-major float32, finite. Exactly by EskNeighboursHotspots, or
 * approximately (nearest-neighbour descent, Dong and others 2011, from a forest of random projections) with `seed`; the
 * same bytes for any number of threads. AUTOMATIC: exactly where that takes less than some seconds on this device.
 * ES_COMPUTE_ERROR_PARAMETER: k is 0, or not below n_points (both numbers are told). G_IO_ERROR_CANCELLED.
 */
EsNeighbours *es_neighbours_find (EsDevice *device, guint threads, const float *points, gsize n_points,
                                  guint dimensions, guint k, EsNeighboursSearch search, guint64 seed,
                                  EsNeighboursProgress progress, gpointer user_data, GCancellable *cancellable,
                                  GError **error);
/* How long that would take there, seconds; and bytes of the host's memory beside the points. Pure arithmetic. */
double        es_neighbours_plan (EsDevice *device, guint threads, gsize n_points, guint dimensions, guint k,
                                  EsNeighboursSearch search, guint64 *memory);
/* Share of true neighbours among those found, measured exactly for `n_probes` points chosen by `seed`. */
gboolean      es_neighbours_measure_recall (EsNeighbours *self, EsDevice *device, guint threads, const float *points,
                                  guint dimensions, gsize n_probes, guint64 seed, double *recall,
                                  GCancellable *cancellable, GError **error);

/*
 * Parts of the graph in which i and j are joined where one is a neighbour of the other: part[i] is counted from 0 in
 * the order of their sizes, the largest first (equal: by the first point). Returns how many; sizes: as many, transfer
 * full; nullable.
 */
guint         es_neighbours_find_parts (EsNeighbours *self, guint32 *part, gsize **sizes);
/* The fewest neighbours of each point, of those that the graph has, with which its points are one such part: 1 .. k; 0:
 * not even all of them join it. */
guint         es_neighbours_find_joining (EsNeighbours *self);

G_END_DECLS
