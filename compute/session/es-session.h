/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-device-choice.h"
#include "job/es-job.h"

G_BEGIN_DECLS

/*
 * What is open: data sets, their results, and the jobs. The model behind the window; no widgets. Main context only.
 * Signals: "failed" (EsJob *job) when a job failed; "result-added" (EsResult *result, EsJob *job): by the job that
 * found it and knows whose place it takes (es_job_get_replaces ()); NULL where it was added by hand or opened.
 */
#define ES_TYPE_SESSION (es_session_get_type ())
G_DECLARE_FINAL_TYPE (EsSession, es_session, ES, SESSION, GObject)

EsSession  *es_session_new            (void);
GListModel *es_session_get_datasets   (EsSession *self);                       /* of EsDataset */
/* Results of one data set, newest last. Borrowed; lives as long as the data set is in the session. */
GListModel *es_session_get_results    (EsSession *self, EsDataset *dataset);
GListModel *es_session_get_jobs       (EsSession *self);                       /* of EsJob: active, and the last few */
guint       es_session_get_n_active   (EsSession *self);
/* Active, or done but not told yet: what it found is not in the session, however long its worker has been done. A
 * handler of the job's "notify::state" asks this, for the worker may have gone on since that state was told. */
gboolean    es_session_is_under_way   (EsSession *self, EsJob *job);

/* Adding a file that is already open returns the one that is there (by identity and path). Borrowed. */
EsDataset  *es_session_add_dataset    (EsSession *self, EsDataset *dataset);
/* Another object of the same file takes its place, with its results, also those that are still computed of the old
 * one. */
void        es_session_replace_dataset (EsSession *self, EsDataset *old, EsDataset *dataset);
/* What stands in the place of one that was replaced; else itself. Borrowed. */
EsDataset  *es_session_get_current    (EsSession *self, EsDataset *dataset);
void        es_session_remove_dataset (EsSession *self, EsDataset *dataset);   /* cancels its jobs */
void        es_session_add_result     (EsSession *self, EsResult *result);
/* A result that was opened from a file, with its data set (or the one of the session that is the same file). Returns
 * that data set. Borrowed. */
EsDataset  *es_session_adopt_result   (EsSession *self, EsResult *result);
void        es_session_remove_result  (EsSession *self, EsResult *result);

/*
 * Makes and starts a job; its result is added when it is done. replaces (nullable): an earlier result of the same
 * operation and data that the new one takes the place of (the dragged threshold), and whose stages it may use again;
 * newest wins: an active job with the same `replaces` is cancelled. device NULL: chosen when it runs. Borrowed.
 */
EsJob      *es_session_run            (EsSession *self, const EsOperation *operation, EsDataset *dataset,
                                       EsParams *params, EsDevice *device, EsResult *replaces);
/* The same for an operation of results. Borrowed. */
EsJob      *es_session_run_on_result  (EsSession *self, const EsOperation *operation, EsResult *source,
                                       EsParams *params, EsDevice *device, EsResult *replaces);
/* A result that is absent (es_result_is_absent ()), in its own place: with its parameters, and with what took part of
 * its cube when it was made, where that is known. source: the result that it was made of, nullable. Borrowed. */
EsJob      *es_session_run_again      (EsSession *self, EsResult *absent, EsResult *source, EsDevice *device);
/* The same once more on another device, for a job that failed (es_job_failed_on_lost_device ()). Borrowed; NULL where
 * its data set has been closed. */
EsJob      *es_session_repeat         (EsSession *self, EsJob *failed, EsDevice *device);
/* Which device a person wants; who runs something for them gives it as `device`. Borrowed. */
EsDeviceChoice *es_session_get_device_choice (EsSession *self);
/* For jobs from now on: EsLimits.cpu_fallback and .device_memory. */
void        es_session_set_cpu_fallback  (EsSession *self, gboolean cpu_fallback);
void        es_session_set_device_memory (EsSession *self, guint64 bytes);
void        es_session_cancel_all     (EsSession *self);

G_END_DECLS
