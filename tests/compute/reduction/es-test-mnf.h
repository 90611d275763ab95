/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "eigenscope.h"
#include "operations/reduction/es-noise-statistics-private.h"

/* Runs it, with "key=value; key=value", and lets the main context do what it has to. */
EsResult          *es_test_mnf_run          (EsDataset *dataset, const char *device, const EsLimits *limits,
                                             EsResult *previous, GError **error, const char *parameters);
/* On the CPU, where it must not fail. */
EsResult          *es_test_mnf_run_well     (EsDataset *dataset, const char *parameters);
/* On the CPU, where it must fail like this. */
void               es_test_mnf_refuse       (EsDataset *cube, const char *parameters, GQuark domain, int code);
/* The same noise and eigenvalues to the last bit. */
/* The same noise, to the bit, and the same eigenvalues; of alike ones to the rounding of another solver. */
void               es_test_mnf_assert_same  (EsResult *a, EsResult *b);
void               es_test_mnf_assert_alike (EsResult *a, EsResult *b);

JsonArray         *es_test_values           (EsResult *result, const char *name);
gint64             es_test_number           (EsResult *result, const char *name);
double             es_test_value            (EsResult *result, const char *name, guint i);
EsNoiseStatistics *es_test_noise            (EsResult *result);
/* Of n numbers, against the largest of b. */
double             es_test_largest_difference (const double *a, const double *b, gsize n);
