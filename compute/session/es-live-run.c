/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-live-run.h"

#include "es-session-private.h"
#include "result/es-result-computed-internal.h"

struct _EsLiveRun
{
  GObject            parent_instance;

  EsSession         *session;
  const EsOperation *operation;        /* on results; NULL: their own */
  EsLiveRunReplaced  replaced;
  gpointer           replaced_data;
  EsLiveRunWanted    wanted;
  gpointer           wanted_data;

  EsJob             *job;              /* under way; nullable */
  EsResult          *running;          /* what it is of */
  EsResult          *waiting;          /* what the next one is of; NULL: none waits */
  EsParams          *params;           /* of that */
};

G_DEFINE_FINAL_TYPE (EsLiveRun, es_live_run, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void on_job_state (EsLiveRun *self, GParamSpec *pspec, EsJob *job);

static void
es_live_run_dispose (GObject *object)
{
  EsLiveRun *self = ES_LIVE_RUN (object);

  if (self->job != NULL)
    g_signal_handlers_disconnect_by_func (self->job, on_job_state, self);
  g_clear_object (&self->job);
  g_clear_object (&self->running);
  g_clear_object (&self->waiting);
  g_clear_object (&self->params);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (es_live_run_parent_class)->dispose (object);
}

static void
es_live_run_class_init (EsLiveRunClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_live_run_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_live_run_init (EsLiveRun *self)
{
}

EsLiveRun *
es_live_run_new (EsSession *session)
{
  EsLiveRun *self = g_object_new (ES_TYPE_LIVE_RUN, NULL);

  self->session = g_object_ref (session);
  return self;
}

EsLiveRun *
es_live_run_new_on_results (EsSession *session, const EsOperation *operation, EsLiveRunReplaced replaced,
                            gpointer data)
{
  EsLiveRun *self = es_live_run_new (session);

  self->operation = operation;
  self->replaced = replaced;
  self->replaced_data = data;
  return self;
}

void
es_live_run_set_wanted (EsLiveRun *self, EsLiveRunWanted wanted, gpointer data)
{
  self->wanted = wanted;
  self->wanted_data = data;
}

/* ---- one is under way ---- */

/* Where the result was computed, while that can be; chosen anew where it was chosen by the program. */
static EsDevice *
device_of (EsResult *result)
{
  EsDevice *device = es_result_is_device_automatic (result) ? NULL : es_result_get_device (result);

  return device != NULL && !es_device_is_lost (device) ? device : NULL;
}

static void
start (EsLiveRun *self, EsResult *of, EsParams *params)
{
  const EsOperation *operation = self->operation != NULL ? self->operation : es_result_get_operation (of);
  EsResult *replaces = self->operation == NULL ? of
                       : self->replaced != NULL ? self->replaced (of, self->replaced_data) : NULL;

  g_set_object (&self->running, of);
  self->job = es_session_make_job (self->session, operation, es_result_get_computed (of),
                                   self->operation != NULL ? of : NULL, params, device_of (of), replaces);
  es_session_start_job (self->session, self->job);
  /* After the session's own handler, and those of whoever looks at the list. */
  g_signal_connect_object (self->job, "notify::state", G_CALLBACK (on_job_state), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

/* What came while it ran is run now: on its result, where that has taken the place of what was asked for. */
static void
on_job_state (EsLiveRun *self, GParamSpec *pspec, EsJob *job)
{
  g_autoptr (EsLiveRun) keep = NULL;
  g_autoptr (EsJob) ended = NULL;
  g_autoptr (EsResult) of = NULL;
  g_autoptr (EsResult) next = NULL;
  g_autoptr (EsParams) params = NULL;

  if (job != self->job || es_session_is_under_way (self->session, job))
    return;
  keep = g_object_ref (self);
  g_signal_handlers_disconnect_by_func (job, on_job_state, self);
  ended = g_steal_pointer (&self->job);
  of = g_steal_pointer (&self->running);
  next = g_steal_pointer (&self->waiting);
  params = g_steal_pointer (&self->params);
  if (self->operation == NULL && next == of && es_job_get_state (job) == ES_JOB_DONE)
    g_set_object (&next, es_job_get_result (job));
  if (next != NULL && (self->wanted == NULL || self->wanted (next, self->wanted_data)))
    start (self, next, params);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- and one waits ---- */

void
es_live_run_ask (EsLiveRun *self, EsResult *of, EsParams *params, gboolean hurry)
{
  g_return_if_fail (ES_IS_LIVE_RUN (self));
  g_return_if_fail (ES_IS_RESULT (of));

  if (self->job == NULL)
    {
      if (self->operation == NULL && es_params_equal (params, es_result_get_params (of)))
        return;
      start (self, of, params);
    }
  else
    {
      g_set_object (&self->waiting, of);
      g_set_object (&self->params, params);
      if (hurry)
        es_job_cancel (self->job);
    }
  g_signal_emit (self, signals[CHANGED], 0);
}

void
es_live_run_forget (EsLiveRun *self)
{
  g_return_if_fail (ES_IS_LIVE_RUN (self));

  if (self->waiting == NULL)
    return;
  g_clear_object (&self->waiting);
  g_clear_object (&self->params);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
es_live_run_forget_dataset (EsLiveRun *self, EsDataset *dataset)
{
  g_return_if_fail (ES_IS_LIVE_RUN (self));

  if (self->waiting != NULL && es_result_get_dataset (self->waiting) == dataset)
    es_live_run_forget (self);
}

void
es_live_run_cancel (EsLiveRun *self)
{
  es_live_run_forget (self);
  if (self->job != NULL)
    es_job_cancel (self->job);
}

/* ---- reading ---- */

gboolean
es_live_run_is_under_way (EsLiveRun *self)
{
  g_return_val_if_fail (ES_IS_LIVE_RUN (self), FALSE);
  return self->job != NULL && es_session_is_under_way (self->session, self->job);
}

EsJob *
es_live_run_get_job (EsLiveRun *self)
{
  g_return_val_if_fail (ES_IS_LIVE_RUN (self), NULL);
  return self->job;
}

EsResult *
es_live_run_get_running (EsLiveRun *self)
{
  g_return_val_if_fail (ES_IS_LIVE_RUN (self), NULL);
  return self->running;
}

EsResult *
es_live_run_get_waiting (EsLiveRun *self)
{
  g_return_val_if_fail (ES_IS_LIVE_RUN (self), NULL);
  return self->waiting;
}
