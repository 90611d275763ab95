/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-session.h"

G_BEGIN_DECLS

/*
 * Runs that follow a hand: a threshold that is dragged, components that are switched. One is under way at most and one
 * waits, the newest that was asked for; while the hand moves each run may end, or none ever would. Main context only.
 *
 * Each is "of" a result: either the operation of that result once more with other parameters, whose result takes its
 * place (what waits for the old one then waits for the new), or an operation on that result (EsOperation.of_result). It
 * runs where that result was computed, if that was chosen by hand and can still be.
 *
 * Signal: "changed" (): another job is under way, or none, or something else waits.
 */
#define ES_TYPE_LIVE_RUN (es_live_run_get_type ())
G_DECLARE_FINAL_TYPE (EsLiveRun, es_live_run, ES, LIVE_RUN, GObject)

/* What waited for this result may begin, now that nothing else is under way. */
typedef gboolean  (*EsLiveRunWanted)   (EsResult *of, gpointer data);
/* The result whose place that of the operation on `of` takes; nullable. Borrowed. */
typedef EsResult *(*EsLiveRunReplaced) (EsResult *of, gpointer data);

/* Keeps the session. */
EsLiveRun *es_live_run_new            (EsSession *session);
EsLiveRun *es_live_run_new_on_results (EsSession *session, const EsOperation *operation, EsLiveRunReplaced replaced,
                                       gpointer data);
/* Without: whatever waits is wanted. */
void       es_live_run_set_wanted     (EsLiveRun *self, EsLiveRunWanted wanted, gpointer data);

/* params is kept, and not to be changed any more. Nothing happens where nothing is under way and these are the
 * parameters of the result. hurry: what is under way is out of date, and is cancelled. */
void       es_live_run_ask            (EsLiveRun *self, EsResult *of, EsParams *params, gboolean hurry);
/* What waits is not begun. */
void       es_live_run_forget         (EsLiveRun *self);
/* The same where it is of a result of this data set, which is closed. */
void       es_live_run_forget_dataset (EsLiveRun *self, EsDataset *dataset);
/* The same, and what is under way is cancelled. */
void       es_live_run_cancel         (EsLiveRun *self);

/* Its job has not been told of as ended (es_session_is_under_way ()). */
gboolean   es_live_run_is_under_way   (EsLiveRun *self);
EsJob     *es_live_run_get_job        (EsLiveRun *self);       /* nullable */
/* What that job is of. */
EsResult  *es_live_run_get_running    (EsLiveRun *self);       /* nullable */
EsResult  *es_live_run_get_waiting    (EsLiveRun *self);       /* nullable */

G_END_DECLS
