/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-judge.h"

#include "es-live-run.h"
#include "operations/es-operations.h"

struct _EsJudge
{
  GObject            parent_instance;

  EsSession         *session;
  const EsOperation *operation;
  EsLiveRun         *run;              /* of reconstructions */
  EsResult          *busy;             /* whose judgement says that one is being computed; nullable */
};

G_DEFINE_FINAL_TYPE (EsJudge, es_judge, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
es_judge_dispose (GObject *object)
{
  EsJudge *self = ES_JUDGE (object);

  g_clear_object (&self->busy);
  g_clear_object (&self->run);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (es_judge_parent_class)->dispose (object);
}

static void
es_judge_class_init (EsJudgeClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_judge_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_judge_init (EsJudge *self)
{
}

/* ---- what is asked for ---- */

static void
on_run_changed (EsJudge *self)
{
  EsResult *waiting = es_live_run_get_waiting (self->run);
  EsResult *now = waiting != NULL ? waiting : es_live_run_get_running (self->run);

  if (self->busy != NULL && self->busy != now)
    es_judgement_set_busy (es_judgement_of (self->busy), FALSE);
  g_set_object (&self->busy, now);
  if (now != NULL)
    es_judgement_set_busy (es_judgement_of (now), TRUE);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
ask (EsJudge *self, EsResult *judged, const char *components, gboolean hurry)
{
  g_autoptr (EsParams) params = es_params_new (self->operation->params);

  es_params_set_text (params, "components", components);
  es_live_run_ask (self->run, judged, params, hurry);
}

void
es_judge_reconstruct (EsJudge *self, EsResult *judged, const char *components)
{
  g_return_if_fail (ES_IS_JUDGE (self));
  ask (self, judged, components, TRUE);
}

/* ---- what comes of it ---- */

/* What was switched off stays so in the result that takes its place, and its reconstruction follows; where nobody waits
 * for what is under way, that may end. */
static void
follow (EsJudge *self, EsResult *before, EsResult *result)
{
  EsJudgement *judgement = es_judgement_of (result);
  EsResult *reconstruction = es_judgement_get_reconstruction (es_judgement_of (before));
  gboolean asked = reconstruction != NULL || es_live_run_get_running (self->run) == before
                   || es_live_run_get_waiting (self->run) == before;
  g_autofree char *components = NULL;

  es_judgement_inherit (judgement, before);
  if (!asked || es_result_get_model (result) == NULL)
    return;
  if (reconstruction != NULL)
    es_judgement_set_reconstruction (judgement, reconstruction);
  components = es_judgement_format_kept (judgement);
  ask (self, result, components, FALSE);
}

static void
on_result_added (EsJudge *self, EsResult *result, EsJob *job)
{
  if (job != NULL && job == es_live_run_get_job (self->run))
    es_judgement_set_reconstruction (es_judgement_of (es_live_run_get_running (self->run)), result);
  else if (job != NULL && es_job_get_replaces (job) != NULL)
    follow (self, es_job_get_replaces (job), result);
}

static EsResult *
find_replaced (EsResult *of, gpointer data)
{
  return es_judgement_get_reconstruction (es_judgement_of (of));
}

EsJudge *
es_judge_new (EsSession *session)
{
  EsJudge *self = g_object_new (ES_TYPE_JUDGE, NULL);

  self->session = g_object_ref (session);
  self->operation = es_operation_find ("reconstruct", NULL);
  self->run = es_live_run_new_on_results (session, self->operation, find_replaced, NULL);
  g_signal_connect_object (self->run, "changed", G_CALLBACK (on_run_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "result-added", G_CALLBACK (on_result_added), self, G_CONNECT_SWAPPED);
  return self;
}

void
es_judge_forget (EsJudge *self)
{
  g_return_if_fail (ES_IS_JUDGE (self));
  es_live_run_forget (self->run);
}

void
es_judge_forget_dataset (EsJudge *self, EsDataset *dataset)
{
  g_return_if_fail (ES_IS_JUDGE (self));
  es_live_run_forget_dataset (self->run, dataset);
}

gboolean
es_judge_is_under_way (EsJudge *self)
{
  g_return_val_if_fail (ES_IS_JUDGE (self), FALSE);
  return es_live_run_is_under_way (self->run);
}
