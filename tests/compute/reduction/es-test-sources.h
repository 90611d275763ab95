/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../job/es-test-scene.h"

/* What a mixture is of. */
typedef enum
{
  ES_TEST_MIXED,               /* flat, peaked, two-valued, skewed */
  ES_TEST_NORMAL,              /* Gaussian: nothing to find */
} EsTestSourceKind;

/*
 * Fills the scene with a mixture of n_sources independent sources of unit variance and a little noise; with noise 0 and
 * samples of float32 its covariance has the rank n_sources. sources (n_sources x pixels; nullable) are what was mixed.
 */
void     es_test_scene_mix     (EsTestScene *scene, guint n_sources, EsTestSourceKind kind, double noise, guint32 seed,
                                double *sources);
/* The least, over the sources, of the largest |correlation| with any plane, over pixels that are not NAN. */
double   es_test_worst_match   (EsImageStack *stack, guint n_sources, const double *sources);
/* FastICA with key, value pairs closed by NULL; device: "cpu", "cuda:0". */
EsResult *es_test_run_fastica  (EsDataset *dataset, const char *device, const EsLimits *limits, EsResult *previous,
                                GError **error, ...) G_GNUC_NULL_TERMINATED;
JsonArray *es_test_values      (EsResult *result, const char *name);
/* Whether a warning contains the text. */
gboolean es_test_has_warning   (EsResult *result, const char *text);
/* Largest difference of two results' components, relative to the largest sample; infinite where their shapes, or where
 * they have no data, are different. */
double   es_test_difference    (EsResult *a, EsResult *b);

EsImageStack *es_test_components_of (EsResult *result);
gint64        es_test_integer_of    (EsResult *result, const char *name);
double        es_test_number_of     (EsResult *result, const char *name, guint i);
gboolean      es_test_all_converged (EsResult *result);
