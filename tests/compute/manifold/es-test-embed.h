/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Methods of manifolds by themselves: spectra in, coordinates out, without a cube. */

#include "operations/manifold/es-manifold-private.h"

/* n points in `bands` dimensions, and what is known of them: n x n_truth. */
typedef struct
{
  EsManifoldSamples samples;
  guint             n_truth;
  double           *truth;
} EsTestPoints;

EsTestPoints *es_test_points_new     (gsize n, guint bands, guint n_truth);
void          es_test_points_free    (EsTestPoints *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsTestPoints, es_test_points_free)
/* A rolled sheet (truth: arc length, height), a helix (angle), a cap of a sphere of radius 1 around its pole down to an
 * angle (the azimuthal equidistant map), points of a ring at equal steps (angle). seed: where random points lie. */
EsTestPoints *es_test_swiss_roll     (gsize n, guint32 seed);
EsTestPoints *es_test_helix          (gsize n);
EsTestPoints *es_test_cap            (gsize n, double angle, guint32 seed);
EsTestPoints *es_test_ring           (gsize n);
/* Two clouds whose middles are `apart` standard deviations from each other (truth: which). */
EsTestPoints *es_test_clouds         (gsize n, double apart, guint32 seed);

typedef struct
{
  const char   *params;        /* "variant=modified landmarks=100" */
  guint         k, m, threads; /* threads 0: 2 */
  guint64       memory;        /* limit; 0: none */
  gint64        cancel_after;  /* microseconds; 0: never */
  EsNeighbours *graph;         /* NULL: found */
  gint64        cancelled_at, returned_at;     /* out: monotonic times */
} EsTestEmbed;

/* NULL with *error. */
EsEmbedding  *es_test_embed          (const EsManifoldMethod *method, const EsTestPoints *points, EsTestEmbed *how,
                                      GError **error);
EsNeighbours *es_test_find_graph     (const EsTestPoints *points, guint k);
/* n x m of the queries, whose k nearest points are found here. */
float        *es_test_extend         (const EsEmbedding *self, const EsTestPoints *points, const EsTestPoints *queries,
                                      guint k);
/* The share of the truth's variance that is a linear function of the coordinates (n x m), of the truth explained
 * worst. */
double        es_test_explained      (const double *coordinates, gsize n, guint m, const double *truth, guint n_truth);
