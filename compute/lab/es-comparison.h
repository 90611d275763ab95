/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "job/es-job.h"
#include "layer/es-table.h"
#include "result/es-operation.h"

G_BEGIN_DECLS

/*
 * One operation on one cube, on several devices in turn: the CPU with one thread ("serial"), the CPU with all of them,
 * each GPU, all GPUs. Contestants that take part run `repeats` times; what is kept is the run with the median total
 * time. A GPU runs once more before, unmeasured, so that starting the driver is nobody's step. Nothing is taken over
 * from earlier results.
 *
 * Signal "changed", in the main context and coalesced: something that the functions below say is different. Setters are
 * for the main thread while nothing runs; getters for the thread that runs the main context, at any time, and where it
 * runs by es_comparison_run () in a program without one, after that.
 */
#define ES_TYPE_COMPARISON (es_comparison_get_type ())
G_DECLARE_FINAL_TYPE (EsComparison, es_comparison, ES, COMPARISON, GObject)

/* params is copied; limits (nullable) hold for every contestant, except that output_dir and cpu_fallback are ignored:
 * a contestant whose device fails has failed. The contestants are those of the devices there are now, serial first, all
 * taking part. */
EsComparison *es_comparison_new            (const EsOperation *operation, EsDataset *dataset, EsParams *params,
                                            const EsLimits *limits);
/* For an operation of results (es_job_set_source ()). */
void          es_comparison_set_source     (EsComparison *self, EsResult *source);
const EsOperation *es_comparison_get_operation (EsComparison *self);
EsDataset    *es_comparison_get_dataset    (EsComparison *self);
EsParams     *es_comparison_get_params     (EsComparison *self);
void          es_comparison_set_repeats    (EsComparison *self, guint repeats);       /* 1..99; 3 at first */
guint         es_comparison_get_repeats    (EsComparison *self);

typedef enum
{
  ES_CONTESTANT_WAITING,
  ES_CONTESTANT_RUNNING,
  ES_CONTESTANT_DONE,
  ES_CONTESTANT_FAILED,        /* es_comparison_get_error () says why; the others go on */
  ES_CONTESTANT_LEFT_OUT,
} EsContestantState;

/* ---- contestants, numbered from 0 in the order to be shown ---- */
guint         es_comparison_get_n_contestants (EsComparison *self);
/* "1 thread", "8 threads", "NVIDIA H200 0", "2 GPUs", translated. */
const char   *es_comparison_get_title      (EsComparison *self, guint contestant);
/* "cpu-1", "cpu", "cuda:0", "cuda:all": unique, for files and --devices. */
const char   *es_comparison_get_id         (EsComparison *self, guint contestant);
EsDevice     *es_comparison_get_device     (EsComparison *self, guint contestant);
guint         es_comparison_get_threads    (EsComparison *self, guint contestant);    /* of the CPU; GPUs: 0 */
/* What a run is expected to take, in seconds (measures the device the first time: a GPU is started). */
double        es_comparison_predict        (EsComparison *self, guint contestant);
void          es_comparison_set_takes_part (EsComparison *self, guint contestant, gboolean takes_part);
EsContestantState es_comparison_get_state  (EsComparison *self, guint contestant);
const char   *es_comparison_get_error      (EsComparison *self, guint contestant);    /* nullable */

/* ---- running ---- */

/* Blocking; to be cancelled by `cancellable`. FALSE: cancelled, or no contestant finished (the first one's error).
 * What is finished stays there. What an earlier run left goes at once, also where it returns at once; until then errors
 * and steps that were given out stay, and while it runs they only become more. */
gboolean      es_comparison_run            (EsComparison *self, GCancellable *cancellable, GError **error);
void          es_comparison_run_async      (EsComparison *self, GCancellable *cancellable,
                                            GAsyncReadyCallback callback, gpointer user_data);
gboolean      es_comparison_run_finish     (EsComparison *self, GAsyncResult *result, GError **error);
gboolean      es_comparison_is_running     (EsComparison *self);
double        es_comparison_get_progress   (EsComparison *self);    /* 0..1, of everything, by what was expected */
/* "8 threads, run 2 of 3: Covariance"; translated, nullable; until it is asked for again. */
const char   *es_comparison_get_status     (EsComparison *self);

/* ---- what came out: steps are numbered from 0, the union of all contestants' in the order they happen in ---- */
guint         es_comparison_get_n_steps    (EsComparison *self);
const char   *es_comparison_get_step_name  (EsComparison *self, guint step);          /* "covariance" */
const char   *es_comparison_get_step_title (EsComparison *self, guint step);          /* translated */
/* Milliseconds of the median run; 0 where the contestant has no such step, NAN where it has not finished. */
double        es_comparison_get_step_ms    (EsComparison *self, guint contestant, guint step);
double        es_comparison_get_total_ms   (EsComparison *self, guint contestant);
/* Fastest and slowest total; FALSE where it has not finished. */
gboolean      es_comparison_get_spread     (EsComparison *self, guint contestant, double *fastest, double *slowest);
/* The first finished contestant is 1. NAN where it has not finished. */
double        es_comparison_get_speed_up   (EsComparison *self, guint contestant);
/* One row a step, then total and speed-up; a column a finished contestant. Transfer full. */
EsTable      *es_comparison_make_table     (EsComparison *self);
/* {operation, version, software, parameters, input, repeats, contestants: [{id, title, device, name, threads, state,
 * error, steps: [{name, ms}], total_ms, fastest_ms, slowest_ms, speed_up}]}. Transfer full. */
JsonNode     *es_comparison_to_json        (EsComparison *self);
/* The eigenscope-batch line that does it again. Transfer full. */
char         *es_comparison_to_command     (EsComparison *self);

G_END_DECLS
