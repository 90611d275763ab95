/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Runs the contestants of a comparison one after the other. */

#include "es-comparison-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "result/es-result-internal.h"

static void
on_job_progress (EsJob *job, GParamSpec *spec, EsComparison *self)
{
  const char *stage = es_job_get_stage (job);
  double progress = es_job_get_progress (job);

  g_rec_mutex_lock (&self->lock);
  /* A notification that comes late belongs to a run that is over. */
  if (self->job == job)
    {
      self->progress = CLAMP (self->base + self->weight * progress, self->progress, 1);
      if (stage != NULL && self->status != NULL)
        {
          char *colon = strstr (self->status, ": ");
          g_autofree char *run = colon != NULL ? g_strndup (self->status, colon - self->status)
                                               : g_strdup (self->status);
          g_free (self->status);
          self->status = g_strdup_printf ("%s: %s", run, stage);
        }
      es_comparison_tell (self);
    }
  g_rec_mutex_unlock (&self->lock);
}

static void
cancel_job (GCancellable *cancellable, gpointer job)
{
  es_job_cancel (job);
}

/* One run; transfer full. */
static EsResult *
run_once (EsComparison *self, EsContestant *contestant, const char *what, double weight, GCancellable *cancellable,
          GError **error)
{
  EsLimits limits = es_comparison_get_limits (self, contestant);
  g_autoptr (EsJob) job = es_job_new (self->operation, self->dataset, self->params, contestant->device, &limits, NULL);
  EsResult *result;

  if (self->source != NULL)
    es_job_set_source (job, self->source);
  g_rec_mutex_lock (&self->lock);
  self->job = job;
  self->weight = weight;
  g_free (self->status);
  self->status = g_strdup_printf ("%s, %s", contestant->title, what);
  es_comparison_tell (self);
  g_rec_mutex_unlock (&self->lock);

  gulong progress = g_signal_connect_object (job, "notify::progress", G_CALLBACK (on_job_progress), self, 0);
  gulong cancelled = g_cancellable_connect (cancellable, G_CALLBACK (cancel_job), job, NULL);
  result = es_job_run (job, error);
  g_cancellable_disconnect (cancellable, cancelled);
  g_signal_handler_disconnect (job, progress);

  g_rec_mutex_lock (&self->lock);
  self->job = NULL;
  self->base += weight;
  self->progress = MAX (self->progress, MIN (self->base, 1));
  es_comparison_tell (self);
  g_rec_mutex_unlock (&self->lock);

  /* The device may have handed the work to another one; then this is no time of its own. */
  if (result != NULL && es_result_get_device (result) != contestant->device)
    {
      const char *const *warnings = es_result_get_warnings (result);
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, "%s",
                   warnings != NULL && warnings[0] != NULL ? warnings[0] : _("Another device computed this."));
      g_clear_object (&result);
    }
  return result;
}

static GArray *
copy_steps (EsResult *result)
{
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (EsComparisonStep));
  guint n;
  const EsStageTime *stages = es_result_get_stages (result, &n);

  for (guint i = 0; i < n; i++)
    {
      EsComparisonStep step = { g_intern_string (stages[i].name), g_intern_string (stages[i].title), stages[i].ms };
      g_array_append_val (steps, step);
    }
  return steps;
}

static int
compare_totals (gconstpointer a, gconstpointer b)
{
  double x = es_result_get_total_ms (*(EsResult *const *) a), y = es_result_get_total_ms (*(EsResult *const *) b);

  return (x > y) - (x < y);
}

static gboolean
run_contestant (EsComparison *self, EsContestant *contestant, double weight, GCancellable *cancellable, GError **error)
{
  const gboolean warm_up = contestant->threads == 0;
  const double share = weight / (self->repeats + (warm_up ? 1 : 0));
  g_autoptr (GPtrArray) results = g_ptr_array_new_with_free_func (g_object_unref);

  if (warm_up)
    {
      g_autoptr (EsResult) unmeasured = run_once (self, contestant, _("warming up"), share, cancellable, error);
      if (unmeasured == NULL)
        return FALSE;
    }
  for (guint i = 0; i < self->repeats; i++)
    {
      g_autofree char *what = g_strdup_printf (_("run %u of %u"), i + 1, self->repeats);
      EsResult *result = run_once (self, contestant, what, share, cancellable, error);

      if (result == NULL)
        return FALSE;
      g_ptr_array_add (results, result);
    }

  g_ptr_array_sort (results, compare_totals);
  EsResult *middle = g_ptr_array_index (results, (results->len - 1) / 2);
  GArray *steps = copy_steps (middle);
  g_rec_mutex_lock (&self->lock);
  contestant->steps = steps;
  contestant->total = es_result_get_total_ms (middle);
  contestant->fastest = es_result_get_total_ms (g_ptr_array_index (results, 0));
  contestant->slowest = es_result_get_total_ms (g_ptr_array_index (results, results->len - 1));
  contestant->state = ES_CONTESTANT_DONE;
  es_comparison_tell (self);
  g_rec_mutex_unlock (&self->lock);
  return TRUE;
}

/* What the getters gave until now goes, so that this is for their thread: a text that one of them gave is there until
 * then, and so is a step that was counted. */
static void
begin (EsComparison *self)
{
  g_rec_mutex_lock (&self->lock);
  self->running = TRUE;
  self->progress = self->base = 0;
  for (guint i = 0; i < self->contestants->len; i++)
    {
      EsContestant *contestant = g_ptr_array_index (self->contestants, i);

      if (contestant->state == ES_CONTESTANT_LEFT_OUT)
        continue;
      contestant->state = ES_CONTESTANT_WAITING;
      g_clear_pointer (&contestant->error, g_free);
      g_clear_pointer (&contestant->steps, g_array_unref);
    }
  es_comparison_tell (self);
  g_rec_mutex_unlock (&self->lock);
}

static double
predict_all (EsComparison *self)
{
  double total = 0;

  for (guint i = 0; i < self->contestants->len; i++)
    if (es_comparison_get_state (self, i) == ES_CONTESTANT_WAITING)
      total += MAX (es_comparison_predict (self, i), 1e-3);
  return total;
}

static void
end (EsComparison *self)
{
  g_rec_mutex_lock (&self->lock);
  self->running = FALSE;
  g_clear_pointer (&self->status, g_free);
  for (guint i = 0; i < self->contestants->len; i++)
    {
      EsContestant *contestant = g_ptr_array_index (self->contestants, i);
      if (contestant->state == ES_CONTESTANT_RUNNING)
        contestant->state = ES_CONTESTANT_WAITING;
    }
  es_comparison_tell (self);
  g_rec_mutex_unlock (&self->lock);
}

static gboolean
run_all (EsComparison *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GCancellable) own = cancellable == NULL ? g_cancellable_new () : NULL;
  g_autoptr (GError) first = NULL;
  gboolean any = FALSE;
  double total;

  if (cancellable == NULL)
    cancellable = own;
  total = predict_all (self);
  for (guint i = 0; i < self->contestants->len; i++)
    {
      EsContestant *contestant = g_ptr_array_index (self->contestants, i);
      g_autoptr (GError) local_error = NULL;

      if (contestant->state == ES_CONTESTANT_LEFT_OUT)
        continue;
      g_rec_mutex_lock (&self->lock);
      contestant->state = ES_CONTESTANT_RUNNING;
      g_rec_mutex_unlock (&self->lock);
      const double weight = MAX (es_comparison_predict (self, i), 1e-3) / total;
      if (run_contestant (self, contestant, weight, cancellable, &local_error))
        {
          any = TRUE;
          continue;
        }
      if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        {
          end (self);
          g_propagate_error (error, g_steal_pointer (&local_error));
          return FALSE;
        }
      g_rec_mutex_lock (&self->lock);
      contestant->state = ES_CONTESTANT_FAILED;
      contestant->error = g_strdup (local_error->message);
      es_comparison_tell (self);
      g_rec_mutex_unlock (&self->lock);
      if (first == NULL)
        first = g_steal_pointer (&local_error);
    }
  end (self);
  if (!any && first == NULL)
    g_set_error (&first, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_DEVICE, _("No device takes part in the comparison."));
  if (!any)
    g_propagate_error (error, g_steal_pointer (&first));
  return any;
}

gboolean
es_comparison_run (EsComparison *self, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (ES_IS_COMPARISON (self) && !es_comparison_is_running (self), FALSE);

  begin (self);

  return run_all (self, cancellable, error);
}

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (run_all (source, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
es_comparison_run_async (EsComparison *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (ES_IS_COMPARISON (self) && !es_comparison_is_running (self));

  begin (self);
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, es_comparison_run_async);
  g_task_run_in_thread (task, run_thread);
}

gboolean
es_comparison_run_finish (EsComparison *self, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

gboolean
es_comparison_is_running (EsComparison *self)
{
  gboolean running;

  g_return_val_if_fail (ES_IS_COMPARISON (self), FALSE);
  g_rec_mutex_lock (&self->lock);
  running = self->running;
  g_rec_mutex_unlock (&self->lock);
  return running;
}

double
es_comparison_get_progress (EsComparison *self)
{
  double progress;

  g_rec_mutex_lock (&self->lock);
  progress = self->progress;
  g_rec_mutex_unlock (&self->lock);
  return progress;
}

const char *
es_comparison_get_status (EsComparison *self)
{
  g_rec_mutex_lock (&self->lock);
  g_free (self->shown_status);
  self->shown_status = g_strdup (self->status);
  g_rec_mutex_unlock (&self->lock);
  return self->shown_status;
}
