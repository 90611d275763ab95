/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How far a job is and what came of it: what other threads ask while it runs. */

#include "es-job-object-private.h"

#include "base/es-error.h"
#include "device/es-device-internal.h"

EsJobState
es_job_get_state (EsJob *self)
{
  g_mutex_lock (&self->lock);
  EsJobState state = self->state;
  g_mutex_unlock (&self->lock);
  return state;
}

gboolean
es_job_is_active (EsJob *self)
{
  return es_job_get_state (self) <= ES_JOB_RUNNING;
}

gboolean
es_job_wait (EsJob *self, gint64 latest)
{
  gboolean ended;

  g_mutex_lock (&self->lock);
  while (self->state <= ES_JOB_RUNNING && g_cond_wait_until (&self->has_ended, &self->lock, latest))
    ;
  ended = self->state > ES_JOB_RUNNING;
  g_mutex_unlock (&self->lock);
  return ended;
}

const char *
es_job_get_stage (EsJob *self)
{
  g_mutex_lock (&self->lock);
  const char *stage = self->stage_title;
  g_mutex_unlock (&self->lock);
  return stage;
}

double
es_job_get_progress (EsJob *self)
{
  g_mutex_lock (&self->lock);
  double progress = es_job_get_progress_locked (self);
  g_mutex_unlock (&self->lock);
  return progress;
}

double
es_job_get_elapsed (EsJob *self)
{
  g_mutex_lock (&self->lock);
  gint64 end = self->state > ES_JOB_RUNNING ? self->ended : g_get_monotonic_time ();
  double elapsed = self->started == 0 ? 0 : (end - self->started) * 1e-6;
  g_mutex_unlock (&self->lock);
  return elapsed;
}

double
es_job_get_remaining (EsJob *self)
{
  double remaining = -1;

  g_mutex_lock (&self->lock);
  if (self->state == ES_JOB_RUNNING)
    remaining = es_time_left_update (&self->time_left, (g_get_monotonic_time () - self->started) * 1e-6,
                                     es_job_get_progress_locked (self));
  g_mutex_unlock (&self->lock);
  return remaining;
}

EsResult *
es_job_get_result (EsJob *self)
{
  g_mutex_lock (&self->lock);
  EsResult *result = self->result;
  g_mutex_unlock (&self->lock);
  return result;
}

const GError *
es_job_get_error (EsJob *self)
{
  g_mutex_lock (&self->lock);
  const GError *error = self->error;
  g_mutex_unlock (&self->lock);
  return error;
}

gboolean
es_job_lost_device (EsJob *self, const GError *error)
{
  return g_error_matches (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE) && es_device_is_lost (self->device);
}

gboolean
es_job_failed_on_lost_device (EsJob *self)
{
  g_mutex_lock (&self->lock);
  gboolean failed = self->state == ES_JOB_FAILED && es_job_lost_device (self, self->error);
  g_mutex_unlock (&self->lock);
  return failed;
}

EsImageStack *
es_job_get_preview (EsJob *self)
{
  return self->told_preview;
}

EsCurve *
es_job_get_live_curve (EsJob *self)
{
  return self->told_curve;
}
