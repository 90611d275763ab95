/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-manifold-private.h"

G_BEGIN_DECLS

/*
 * Uniform manifold approximation and projection: McInnes, Healy and Melville, "UMAP: Uniform Manifold Approximation and
 * Projection for Dimension Reduction" (2018), by its sections.
 */

/* The distances of a point's k neighbours, nearest first, as memberships exp (-max (0, d - rho) / sigma) (algorithm 3):
 * connected: rho is the distance of the nearest that is not 0, else 0; sigma makes their sum log2 (k + 1).
 * mean: of the distances of all points, the scale of the least sigma. */
void     es_umap_memberships (const float *distance, guint k, gboolean connected, double mean, float *out);

/* Edges of the fuzzy union w + w' - w w' (algorithm 1), both ways, by rows: those of i are first[i] .. first[i + 1]. */
typedef struct
{
  gsize   n;
  gsize  *first;               /* n + 1 */
  gint32 *to;
  float  *weight;
} EsUmapGraph;

/* mean: of all distances. FALSE: no memory. */
gboolean es_umap_graph_init  (EsUmapGraph *self, EsNeighbours *neighbours, guint threads, double *mean);
void     es_umap_graph_clear (EsUmapGraph *self);

/* What the distance d in the embedding counts: 1 / (1 + a d^2b), fitted to 1 up to min_distance and exp (min_distance -
 * d) beyond (section 3.2, definition 11). */
void     es_umap_fit_curve   (double min_distance, double *a, double *b);

typedef struct
{
  double  a, b;
  guint   m, epochs, negatives;
  guint64 seed;
} EsUmapForces;

/* Moves n points (n x m) by the edges of the graph, in place: the same bytes for any number of threads. FALSE:
 * cancelled. */
gboolean es_umap_lay_out     (const EsUmapForces *forces, const EsUmapGraph *graph, float *points, guint threads,
                              EsJob *job);
/* Moves one new point among n that stay: its k neighbours and their memberships. number: what its draws begin with. */
void     es_umap_place       (const EsUmapForces *forces, const float *points, gsize n, const gint32 *index,
                              const float *weight, guint k, guint64 number, float *point);

G_END_DECLS
