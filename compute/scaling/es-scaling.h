/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "layer/es-table.h"
#include "result/es-operation.h"

G_BEGIN_DECLS

/*
 * One operation on the same data by several numbers of processes: what each run took, as its result.json tells it.
 * Speed-up is the total of the first number of processes over that of another one, times the first number: that of one
 * process, where the first number is 1. Efficiency is speed-up by processes. Any thread, one at a time.
 */
typedef struct _EsScaling EsScaling;

/* threads: of each process; 0: each has a card, and nothing that was published stands beside it. input: what it is of,
 * as people are told; name: of the data set. */
EsScaling *es_scaling_new            (const EsOperation *operation, const char *name, const char *input, guint threads);
void       es_scaling_free           (EsScaling *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsScaling, es_scaling_free)

/* One run of so many processes; of several of one number that of the median total counts. result: the root of its
 * result.json; whole_ms: the program from its start to its end. FALSE where that does not tell what it took, or of how
 * many processes it is: ES_DATA_ERROR_FORMAT. */
gboolean   es_scaling_add            (EsScaling *self, guint processes, JsonObject *result, double whole_ms,
                                      GError **error);
/* A row a step, of several processes the one that took longest for it; then total, the whole program, speed-up,
 * efficiency and waiting. A column a number of processes, in the order in which they were added. Transfer full. */
EsTable   *es_scaling_make_table     (EsScaling *self);
/* A published table with ours in it (es_published_make_table_with ()): programs of one thread, of processes, and of
 * processes that have threads, are those that were run, the greatest number of processes first; and what that is, in
 * *what, a sentence, NULL where there is nothing. Transfer full of both. */
EsTable   *es_scaling_make_published_table (EsScaling *self, guint published, char **what);

/* Numbers of processes, in the order in which they were added, and what the median run of each took for a step; for
 * all of it by the name "total". NAN: it has no such step. iterations: of the median run; 0: it does not iterate. */
guint       es_scaling_get_n_counts    (EsScaling *self);
guint       es_scaling_get_processes   (EsScaling *self, guint count);
guint       es_scaling_get_iterations  (EsScaling *self, guint count);
/* Of the median run, that it found; 0: it has none. */
guint       es_scaling_get_components  (EsScaling *self, guint count);
double      es_scaling_get_ms          (EsScaling *self, guint count, const char *step);
guint       es_scaling_get_threads     (EsScaling *self);      /* of a process */
/* Names of the steps of all runs, in the order in which they happen. Borrowed. */
guint       es_scaling_get_n_steps     (EsScaling *self);
const char *es_scaling_get_step        (EsScaling *self, guint step);
const char *es_scaling_get_step_title  (EsScaling *self, const char *name);
/* {operation, software, input, threads, repeats, runs: [{processes, steps: [{name, ms, least_ms, mean_ms, waiting}],
 * total_ms, whole_ms, fastest_ms, slowest_ms, speed_up, efficiency, waiting}], published}. Transfer full. */
JsonNode  *es_scaling_to_json        (EsScaling *self);

G_END_DECLS
