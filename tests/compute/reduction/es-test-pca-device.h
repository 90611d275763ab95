/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../job/es-test-scene.h"
#include "readers/es-reader-private.h"

typedef struct
{
  EsSampleSource parent;
  gint16        *samples;
  guint          width, height, bands;
  guint64        block_width, block_height;
  int            reads;            /* atomic */
  int            fail_at;          /* the n-th read fails; 0: none */
  GCancellable  *cancel;           /* when half of it is read; nullable */
} EsTestSource;

/* Keys and values by turns, closed by NULL. Transfer full. */
EsResult     *es_test_pca_run           (EsDataset *dataset, const char *device, const EsLimits *limits,
                                         EsResult *previous, GError **error, ...);
/* The thread that brings components to the host may hold some for a moment. */
void          es_test_pca_assert_used   (EsDevice *device, guint64 bytes);
JsonArray    *es_test_pca_values_of     (EsResult *result, const char *name);
EsImageStack *es_test_pca_components_of (EsResult *result);
void          es_test_pca_assert_values (EsResult *a, EsResult *b, const char *name, double tolerance);
/* tolerance 0: the same bytes; otherwise of the largest eigenvalue, and of the largest sample of each plane. */
void          es_test_pca_assert_same   (EsResult *a, EsResult *b, double tolerance);
EsDataset    *es_test_pca_make_source   (guint width, guint height, guint bands, guint64 block_width,
                                         guint64 block_height, EsTestSource **source);
