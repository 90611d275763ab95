/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "checkpoint/es-checkpoint.h"
#include "layer/es-curve.h"
#include "layer/es-image-stack.h"
#include "result/es-operation.h"

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
 * nullable), "progress" (0..1), "result", "title", "preview", "live-curve". Cancelled means: nothing published, nothing
 * leaked.
 *
 * A GPU that runs out of memory is tried once more with a quarter of it, and then the CPU computes, as it does at once
 * where the GPU is full before the job begins; a GPU that fails or is lost makes the job fail, or the CPU repeats it
 * where the limits allow that (cpu_fallback). A GPU that cannot even start makes the job fail where it was chosen by
 * hand. Each repetition is a warning in the result.
 */
#define ES_TYPE_JOB (es_job_get_type ())
G_DECLARE_FINAL_TYPE (EsJob, es_job, ES, JOB, GObject)

/* What takes part of a cube (es_cube_set_selection ()) is what did when the job was made, or of an operation of results
 * what did in the source; it is in the result's values ("selection"). params is copied; limits may be NULL. device
 * NULL: chosen when the job runs (es_device_choose ()). previous: an earlier result of the same operation on the same
 * data whose unchanged stages are used again (nullable). */
EsJob        *es_job_new            (const EsOperation *operation, EsDataset *dataset, EsParams *params,
                                     EsDevice *device, const EsLimits *limits, EsResult *previous);
/* The result that an operation of results works on (EsOperation.of_result), where it is at hand; without it the
 * operation opens the file its parameter "result" names. Before the job starts. */
void          es_job_set_source     (EsJob *self, EsResult *source);
/* What took part in a result of that cube does in this one. Before the job starts. */
void          es_job_take_selection (EsJob *self, EsResult *of);
/* The same of a job of that cube, which is repeated. */
void          es_job_repeat_selection (EsJob *self, EsJob *of);
/* What the run is to leave behind when it is stopped; of an operation that knows how to (EsOperation.resumes), of
 * others nothing. Before the job starts. */
void          es_job_set_checkpoint (EsJob *self, EsCheckpoint *checkpoint);
/* The result that its own takes the place of; before the job starts. The session forgets it (NULL) once it has told of
 * the end, but for a job whose GPU is lost: that may be repeated in the same place. */
void          es_job_set_replaces   (EsJob *self, EsResult *replaces);
EsResult     *es_job_get_replaces   (EsJob *self);          /* in the main context; nullable */
/* The device that it was given is no one's choice but the program's, for a reason (translated, nullable): the result
 * says so. Before the job starts. */
void          es_job_set_chosen     (EsJob *self, const char *reason);
/* Queues it on its device's worker (one job a device at a time) and returns. */
void          es_job_start          (EsJob *self);
/* Runs it here and now. Transfer full; the job also keeps it. */
EsResult     *es_job_run            (EsJob *self, GError **error);
/* From any thread, a signal handler's main-loop source included; returns at once. */
void          es_job_cancel         (EsJob *self);

/* EsOperation.list_planes of what takes part; *width and *height are that one's. Before the job starts. NULL: nobody
 * knows, or nothing can take part, which running the job tells. Transfer full. */
char        **es_job_list_planes    (EsJob *self, guint64 *width, guint64 *height);

const EsOperation *es_job_get_operation (EsJob *self);
EsDataset    *es_job_get_dataset    (EsJob *self);
EsParams     *es_job_get_params     (EsJob *self);
/* The one that computes now, or did at last; NULL until an automatic choice has been made. */
EsDevice     *es_job_get_device     (EsJob *self);
gboolean      es_job_is_automatic   (EsJob *self);          /* no device was given */
EsJobState    es_job_get_state      (EsJob *self);
gboolean      es_job_is_active      (EsJob *self);          /* pending or running */
/* Until it is not active any more; FALSE: it still is at that monotonic time, in microseconds. */
gboolean      es_job_wait           (EsJob *self, gint64 latest);
const char   *es_job_get_title      (EsJob *self);          /* "PCA of Potsdam" */
const char   *es_job_get_stage      (EsJob *self);          /* as of the last notification */
double        es_job_get_progress   (EsJob *self);
double        es_job_get_elapsed    (EsJob *self);          /* seconds */
double        es_job_get_remaining  (EsJob *self);          /* seconds; negative: not known yet */
EsResult     *es_job_get_result     (EsJob *self);          /* borrowed; NULL until DONE */
const GError *es_job_get_error      (EsJob *self);          /* NULL unless FAILED */
/* FAILED because its GPU is lost: the CPU could repeat it. */
gboolean      es_job_failed_on_lost_device (EsJob *self);
/* What is there already while the job runs: a stack whose windows are filled one after the other; NULL before and
 * after. In the main context; borrowed until "preview" is notified again. */
EsImageStack *es_job_get_preview    (EsJob *self);
/*
 * The same of a curve that grows: the residual of a solver, iteration by iteration. Every notification has another
 * curve, which is not changed any more; it has the name, axes and series of the layer that the result will have. NULL
 * before, after, and where the operation has none. In the main context; borrowed until "live-curve" is notified again.
 */
EsCurve      *es_job_get_live_curve (EsJob *self);

G_END_DECLS
