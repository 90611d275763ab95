/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "../job/es-test-scene.h"

static const int es_test_bad_bands[] = { 3, -1 };

EsTestScene   es_test_small_scene (EskType type, const char *interleave);
/* An operation with keys and values by turns, closed by NULL; source and previous are nullable. Transfer full. */
EsResult     *es_test_run         (const char *operation_id, EsDataset *dataset, const char *device, EsResult *source,
                                   EsResult *previous, GError **error, ...);
EsImageStack *es_test_stack_of    (EsResult *result, const char *name);
double        es_test_value_of    (EsResult *result, const char *name);
