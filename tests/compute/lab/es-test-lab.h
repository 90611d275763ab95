/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "layer/es-table.h"
#include "layer/es-verdict.h"
#include "operations/es-operations.h"
#include "operations/lab/es-experiment.h"
#include "result/es-result.h"

G_BEGIN_DECLS

/* The recorded card. */
EsMachine  *es_test_lab_machine  (void);
/* What an experiment finds on it, settings as key and value, NULL-terminated. Transfer full. */
EsResult   *es_test_lab_run      (const char *id, ...) G_GNUC_NULL_TERMINATED;
/* The same of the processor, as the recorded back end answers for it. */
EsResult   *es_test_lab_run_on_cpu (const char *id, ...) G_GNUC_NULL_TERMINATED;
/* The sentence that begins with or has `part`, which must be there once at least; -1: none. */
gint        es_test_lab_find     (EsResult *result, const char *part);
/* Asserts that there is a sentence with `part` and that it is of that state. */
void        es_test_lab_says     (EsResult *result, EsVerdictState state, const char *part);
/* The figure among the values; NAN: there is none. x NAN: of a table. */
double      es_test_lab_figure   (EsResult *result, const char *group, const char *name, double x);
EsTable    *es_test_lab_table    (EsResult *result, const char *name);

G_END_DECLS
