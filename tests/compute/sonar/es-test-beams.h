/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "operations/sonar/es-sonar-operations-internal.h"
#include "es-test-sonar.h"

/* Parameters of an operation: keys and values by turns, closed by NULL. Transfer full. */
EsParams *es_test_beam_params (const char *operation, ...) G_GNUC_NULL_TERMINATED;
/* Runs it there and then on a device ("cpu", "cuda:0"), and lets the main loop forget it. limits is nullable. */
EsResult *es_test_run_beams   (const char *operation, EsRecording *recording, const char *device,
                               const EsLimits *limits, EsParams *params, GError **error);
/* A number of one of values.peaks; NAN where it is null. */
double    es_test_peak        (EsResult *result, guint i, const char *member);
double    es_test_value       (EsResult *result, const char *member);
