/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-lab-series.h"

struct _EsLabSeries
{
  GObject       parent_instance;

  EsSession    *session;
  EsMachine    *machine;             /* NULL: it does not run */
  GPtrArray    *experiments;         /* borrowed: they are constant */
  guint         done;
  EsJob        *job;                 /* the one that runs, or has run last; nullable */
  GSignalGroup *job_signals;
};

G_DEFINE_FINAL_TYPE (EsLabSeries, es_lab_series, G_TYPE_OBJECT)

enum { CHANGED, FINISHED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void run_next (EsLabSeries *self);

static void
end (EsLabSeries *self)
{
  g_signal_group_set_target (self->job_signals, NULL);
  g_clear_object (&self->machine);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
on_state (EsLabSeries *self)
{
  /* What it has found is in the session, or its failure has been told. */
  if (self->machine == NULL || es_session_is_under_way (self->session, self->job))
    return;
  if (es_job_get_state (self->job) == ES_JOB_CANCELLED)
    {
      end (self);
      return;
    }
  self->done++;
  run_next (self);
}

static void
on_progress (EsLabSeries *self)
{
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
run_next (EsLabSeries *self)
{
  const EsExperiment *experiment;
  g_autoptr (EsParams) params = NULL;

  if (self->done >= self->experiments->len)
    {
      g_autoptr (EsMachine) machine = g_object_ref (self->machine);

      end (self);
      g_signal_emit (self, signals[FINISHED], 0, machine);
      return;
    }
  experiment = g_ptr_array_index (self->experiments, self->done);
  params = es_params_new (experiment->operation->params);
  g_signal_group_set_target (self->job_signals, NULL);
  g_set_object (&self->job, es_session_run (self->session, experiment->operation, ES_DATASET (self->machine), params,
                                            NULL, NULL));
  g_signal_group_set_target (self->job_signals, self->job);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
es_lab_series_dispose (GObject *object)
{
  EsLabSeries *self = ES_LAB_SERIES (object);

  g_clear_object (&self->job_signals);
  g_clear_object (&self->job);
  g_clear_object (&self->machine);
  g_clear_object (&self->session);
  g_clear_pointer (&self->experiments, g_ptr_array_unref);
  G_OBJECT_CLASS (es_lab_series_parent_class)->dispose (object);
}

static void
es_lab_series_class_init (EsLabSeriesClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_lab_series_dispose;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[FINISHED] = g_signal_new ("finished", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, ES_TYPE_MACHINE);
}

static void
es_lab_series_init (EsLabSeries *self)
{
  self->experiments = g_ptr_array_new ();
  self->job_signals = g_signal_group_new (ES_TYPE_JOB);
  /* Behind the session, which adds what was found. */
  g_signal_group_connect_data (self->job_signals, "notify::state", G_CALLBACK (on_state), self, NULL,
                               G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_group_connect_swapped (self->job_signals, "notify::progress", G_CALLBACK (on_progress), self);
}

EsLabSeries *
es_lab_series_new (EsSession *session)
{
  EsLabSeries *self = g_object_new (ES_TYPE_LAB_SERIES, NULL);

  self->session = g_object_ref (session);
  return self;
}

static gboolean
takes_part (const EsExperiment *experiment, EsMachine *machine)
{
  return experiment->in_profile && es_experiment_suits (experiment, machine);
}

guint
es_lab_series_count (EsMachine *machine)
{
  guint n = 0;

  for (const EsExperiment * const *at = es_experiments_get (); *at != NULL; at++)
    n += takes_part (*at, machine);
  return n;
}

void
es_lab_series_start (EsLabSeries *self, EsMachine *machine)
{
  g_return_if_fail (ES_IS_LAB_SERIES (self) && ES_IS_MACHINE (machine));

  if (self->machine != NULL)
    return;
  g_ptr_array_set_size (self->experiments, 0);
  for (const EsExperiment * const *at = es_experiments_get (); *at != NULL; at++)
    if (takes_part (*at, machine))
      g_ptr_array_add (self->experiments, (gpointer) *at);
  self->machine = g_object_ref (machine);
  self->done = 0;
  run_next (self);
}

void
es_lab_series_cancel (EsLabSeries *self)
{
  g_return_if_fail (ES_IS_LAB_SERIES (self));

  if (self->machine == NULL)
    return;
  g_signal_group_set_target (self->job_signals, NULL);
  if (self->job != NULL)
    es_job_cancel (self->job);
  end (self);
}

gboolean
es_lab_series_is_running (EsLabSeries *self)
{
  g_return_val_if_fail (ES_IS_LAB_SERIES (self), FALSE);
  return self->machine != NULL;
}

EsMachine *
es_lab_series_get_machine (EsLabSeries *self)
{
  g_return_val_if_fail (ES_IS_LAB_SERIES (self), NULL);
  return self->machine;
}

guint
es_lab_series_get_n (EsLabSeries *self)
{
  g_return_val_if_fail (ES_IS_LAB_SERIES (self), 0);
  return self->experiments->len;
}

guint
es_lab_series_get_n_done (EsLabSeries *self)
{
  g_return_val_if_fail (ES_IS_LAB_SERIES (self), 0);
  return self->done;
}

double
es_lab_series_get_progress (EsLabSeries *self)
{
  const guint n = es_lab_series_get_n (self);

  if (self->machine == NULL || n == 0)
    return 0;
  return (self->done + (self->job != NULL ? CLAMP (es_job_get_progress (self->job), 0, 1) : 0)) / n;
}

gboolean
es_lab_series_owns (EsLabSeries *self, EsJob *job)
{
  g_return_val_if_fail (ES_IS_LAB_SERIES (self), FALSE);
  return job != NULL && self->job == job;
}
