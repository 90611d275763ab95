/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-operation.h"

G_BEGIN_DECLS

typedef enum
{
  ES_JOB_PENDING,
  ES_JOB_RUNNING,
  ES_JOB_DONE,
  ES_JOB_FAILED,
  ES_JOB_CANCELLED,
} EsJobState;

#define ES_TYPE_JOB_STATE (es_job_state_get_type ())
GType es_job_state_get_type (void);

/*
 * One run of an operation: state, progress, the result at the end. Lives in the session's list, never in a window.
 * Properties, notified in the main context and coalesced (at most one idle under way): "state", "stage" (translated,
 * nullable), "progress" (0..1), "result", "title". Cancelled means: nothing published, nothing leaked.
 */
#define ES_TYPE_JOB (es_job_get_type ())
G_DECLARE_FINAL_TYPE (EsJob, es_job, ES, JOB, GObject)

/* params is copied; limits may be NULL. previous: an earlier result of the same operation on the same data whose
 * unchanged stages are used again (nullable). */
EsJob        *es_job_new            (const EsOperation *operation, EsDataset *dataset, EsParams *params,
                                     EsDevice *device, const EsLimits *limits, EsResult *previous);
/* Queues it on its device's worker (one job a device at a time) and returns. */
void          es_job_start          (EsJob *self);
/* Runs it here and now. Transfer full; the job also keeps it. */
EsResult     *es_job_run            (EsJob *self, GError **error);
/* From any thread, a signal handler's main-loop source included; returns at once. */
void          es_job_cancel         (EsJob *self);

const EsOperation *es_job_get_operation (EsJob *self);
EsDataset    *es_job_get_dataset    (EsJob *self);
EsParams     *es_job_get_params     (EsJob *self);
EsDevice     *es_job_get_device     (EsJob *self);
EsJobState    es_job_get_state      (EsJob *self);
gboolean      es_job_is_active      (EsJob *self);          /* pending or running */
const char   *es_job_get_title      (EsJob *self);          /* "PCA of Potsdam" */
const char   *es_job_get_stage      (EsJob *self);          /* as of the last notification */
double        es_job_get_progress   (EsJob *self);
double        es_job_get_elapsed    (EsJob *self);          /* seconds */
double        es_job_get_remaining  (EsJob *self);          /* seconds; negative: not known yet */
EsResult     *es_job_get_result     (EsJob *self);          /* borrowed; NULL until DONE */
const GError *es_job_get_error      (EsJob *self);          /* NULL unless FAILED */

G_END_DECLS
