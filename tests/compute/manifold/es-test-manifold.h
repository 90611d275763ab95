/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../job/es-test-scene.h"

/* A float32 cube of width x height pixels, whose pixel p has the spectrum rows + p * bands. Transfer full. */
EsDataset  *es_test_manifold_cube (const char *directory, const char *name, guint width, guint height, guint bands,
                                   const double *rows);
/* text: "samples=0 neighbours=8". */
EsResult   *es_test_manifold_run  (EsDataset *cube, const char *operation, const char *text, const EsLimits *limits,
                                   GError **error);
/* The pixels of the components, pixel by pixel: m numbers each; *m nullable. Transfer full. */
float      *es_test_manifold_read (EsResult *result, guint *m);
/* Trustworthiness of an embedding (n x m) of n x bands by all ranks (Venna and Kaski 2001), in float64. */
double      es_test_manifold_trust (const double *rows, gsize n, guint bands, const float *embedded, guint m, guint k);
/* A roll of n points in three dimensions, as scikit-learn's: (t cos t, height, t sin t). Transfer full. */
double     *es_test_manifold_roll (gsize n, guint32 seed);
