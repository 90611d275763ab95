/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-test-scene.h"

#define ES_TEST_WIDTH 67
#define ES_TEST_HEIGHT 45
#define ES_TEST_PIXELS (ES_TEST_WIDTH * ES_TEST_HEIGHT)

/* Smooth, noise, skewed, constant, empty, with gaps. */
enum { ES_TEST_SMOOTH, ES_TEST_NOISE, ES_TEST_SKEWED, ES_TEST_CONSTANT, ES_TEST_EMPTY, ES_TEST_GAPS, ES_TEST_N_KINDS };

EsImageStack *es_test_make_stack        (guint32 seed, float *copy);
/* Of pairs (a[p], b[p]) that both are there. */
double        es_test_naive_correlation (const float *a, const float *b, const gboolean *counts, guint n);
void          es_test_assert_close      (double found, double expected, double tolerance);
