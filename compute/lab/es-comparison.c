/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-comparison.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "base/es-error.h"
#include "layer/es-layer-internal.h"
#include "result/es-result-internal.h"

/* One step of a contestant's median run; interned strings. */
typedef struct
{
  const char *name, *title;
  double      ms;
} Step;

typedef struct
{
  char             *title, *id;
  EsDevice         *device;            /* borrowed: it lives as long as the program */
  guint             threads;           /* of the CPU; 0: a GPU */
  double            predicted;         /* seconds; NAN: not yet */
  EsContestantState state;
  char             *error;
  GArray           *steps;             /* Step; NULL until it has finished */
  double            total, fastest, slowest;
} Contestant;

struct _EsComparison
{
  GObject            parent_instance;

  const EsOperation *operation;
  EsDataset         *dataset;
  EsParams          *params;
  EsResult          *source;
  EsLimits           limits;
  guint              repeats;
  char              *shown_status;     /* what es_comparison_get_status () gave last */

  /* Written by the thread that runs, read by all. */
  GMutex             lock;
  GPtrArray         *contestants;      /* Contestant */
  EsJob             *job;              /* borrowed; the one under way */
  char              *status;
  double             progress, base, weight;   /* of the whole; before the run under way; of it */
  gboolean           running;
  guint              idle;
};

G_DEFINE_FINAL_TYPE (EsComparison, es_comparison, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
contestant_free (gpointer data)
{
  Contestant *self = data;

  g_free (self->title);
  g_free (self->id);
  g_free (self->error);
  g_clear_pointer (&self->steps, g_array_unref);
  g_free (self);
}

static void
es_comparison_finalize (GObject *object)
{
  EsComparison *self = ES_COMPARISON (object);

  g_clear_object (&self->dataset);
  g_clear_object (&self->params);
  g_clear_object (&self->source);
  g_ptr_array_unref (self->contestants);
  g_free (self->shown_status);
  g_free (self->status);
  g_mutex_clear (&self->lock);
  G_OBJECT_CLASS (es_comparison_parent_class)->finalize (object);
}

static void
es_comparison_class_init (EsComparisonClass *class)
{
  G_OBJECT_CLASS (class)->finalize = es_comparison_finalize;
  signals[CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_comparison_init (EsComparison *self)
{
  g_mutex_init (&self->lock);
  self->contestants = g_ptr_array_new_with_free_func (contestant_free);
  self->repeats = 3;
}

static gboolean
emit_changed (gpointer data)
{
  EsComparison *self = data;

  g_mutex_lock (&self->lock);
  self->idle = 0;
  g_mutex_unlock (&self->lock);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* With the lock held. */
static void
tell (EsComparison *self)
{
  if (self->idle == 0)
    self->idle = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, emit_changed, g_object_ref (self), g_object_unref);
}

static void
add_contestant (EsComparison *self, EsDevice *device, guint threads, const char *id, char *title)
{
  Contestant *contestant = g_new0 (Contestant, 1);

  contestant->device = device;
  contestant->threads = threads;
  contestant->id = g_strdup (id);
  contestant->title = title;
  contestant->predicted = NAN;
  contestant->state = ES_CONTESTANT_WAITING;
  g_ptr_array_add (self->contestants, contestant);
}

EsComparison *
es_comparison_new (const EsOperation *operation, EsDataset *dataset, EsParams *params, const EsLimits *limits)
{
  EsComparison *self = g_object_new (ES_TYPE_COMPARISON, NULL);
  EsDevice *cpu = es_device_get_cpu ();
  GListModel *devices = es_devices_get ();
  guint threads;

  self->operation = operation;
  self->dataset = g_object_ref (dataset);
  self->params = es_params_copy (params);
  if (limits != NULL)
    self->limits = *limits;
  self->limits.output_dir = NULL;
  self->limits.cpu_fallback = FALSE;

  threads = es_device_get_lanes (cpu);
  if (self->limits.threads > 0)
    threads = MIN (threads, self->limits.threads);
  add_contestant (self, cpu, 1, threads > 1 ? "cpu-1" : "cpu", g_strdup (_("1 thread")));
  if (threads > 1)
    add_contestant (self, cpu, threads, "cpu",
                    g_strdup_printf (ngettext ("%u thread", "%u threads", threads), threads));

  /* All GPUs together come last, whatever the order of preference is. */
  for (int all = 0; all <= 1; all++)
    for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
      {
        g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);
        const char *id = es_device_get_id (device), *number = strchr (id, ':');
        guint n = es_device_get_n_members (device);

        if (es_device_is_lost (device))
          continue;
        if (all && es_device_get_kind (device) == ES_DEVICE_ALL_GPUS)
          add_contestant (self, device, 0, id, g_strdup_printf (ngettext ("%u GPU", "%u GPUs", n), n));
        else if (!all && es_device_get_kind (device) == ES_DEVICE_GPU)
          add_contestant (self, device, 0, id, g_strdup_printf ("%s %s", es_device_get_name (device),
                                                                number != NULL ? number + 1 : ""));
      }
  return self;
}

void
es_comparison_set_source (EsComparison *self, EsResult *source)
{
  g_return_if_fail (ES_IS_COMPARISON (self) && !self->running);
  g_set_object (&self->source, source);
}

const EsOperation *
es_comparison_get_operation (EsComparison *self)
{
  return self->operation;
}

EsDataset *
es_comparison_get_dataset (EsComparison *self)
{
  return self->dataset;
}

EsParams *
es_comparison_get_params (EsComparison *self)
{
  return self->params;
}

void
es_comparison_set_repeats (EsComparison *self, guint repeats)
{
  g_return_if_fail (ES_IS_COMPARISON (self) && !self->running);
  self->repeats = CLAMP (repeats, 1, 99);
}

guint
es_comparison_get_repeats (EsComparison *self)
{
  return self->repeats;
}

/* ---- contestants ---- */

static Contestant *
get_contestant (EsComparison *self, guint i)
{
  g_return_val_if_fail (ES_IS_COMPARISON (self) && i < self->contestants->len, NULL);
  return g_ptr_array_index (self->contestants, i);
}

guint
es_comparison_get_n_contestants (EsComparison *self)
{
  g_return_val_if_fail (ES_IS_COMPARISON (self), 0);
  return self->contestants->len;
}

const char *
es_comparison_get_title (EsComparison *self, guint contestant)
{
  Contestant *found = get_contestant (self, contestant);

  return found != NULL ? found->title : NULL;
}

const char *
es_comparison_get_id (EsComparison *self, guint contestant)
{
  Contestant *found = get_contestant (self, contestant);

  return found != NULL ? found->id : NULL;
}

EsDevice *
es_comparison_get_device (EsComparison *self, guint contestant)
{
  Contestant *found = get_contestant (self, contestant);

  return found != NULL ? found->device : NULL;
}

guint
es_comparison_get_threads (EsComparison *self, guint contestant)
{
  Contestant *found = get_contestant (self, contestant);

  return found != NULL ? found->threads : 0;
}

static EsLimits
limits_of (EsComparison *self, const Contestant *contestant)
{
  EsLimits limits = self->limits;

  if (contestant->threads > 0)
    limits.threads = contestant->threads;
  return limits;
}

double
es_comparison_predict (EsComparison *self, guint i)
{
  Contestant *contestant = get_contestant (self, i);
  double seconds;

  if (contestant == NULL)
    return NAN;
  g_mutex_lock (&self->lock);
  seconds = contestant->predicted;
  g_mutex_unlock (&self->lock);
  if (!isnan (seconds) || self->operation->plan == NULL)
    return seconds;

  EsLimits limits = limits_of (self, contestant);
  seconds = self->operation->plan (self->dataset, self->params, contestant->device, &limits).seconds;
  g_mutex_lock (&self->lock);
  contestant->predicted = seconds;
  g_mutex_unlock (&self->lock);
  return seconds;
}

void
es_comparison_set_takes_part (EsComparison *self, guint i, gboolean takes_part)
{
  Contestant *contestant = get_contestant (self, i);

  g_return_if_fail (contestant != NULL && !self->running);
  if (takes_part == (contestant->state != ES_CONTESTANT_LEFT_OUT))
    return;
  contestant->state = !takes_part ? ES_CONTESTANT_LEFT_OUT
                      : contestant->steps != NULL ? ES_CONTESTANT_DONE : ES_CONTESTANT_WAITING;
  tell (self);
}

EsContestantState
es_comparison_get_state (EsComparison *self, guint contestant)
{
  Contestant *found = get_contestant (self, contestant);

  return found != NULL ? found->state : ES_CONTESTANT_LEFT_OUT;
}

const char *
es_comparison_get_error (EsComparison *self, guint contestant)
{
  Contestant *found = get_contestant (self, contestant);

  return found != NULL ? found->error : NULL;
}

/* ---- running ---- */

static void
on_job_progress (EsJob *job, GParamSpec *spec, EsComparison *self)
{
  const char *stage = es_job_get_stage (job);
  double progress = es_job_get_progress (job);

  g_mutex_lock (&self->lock);
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
      tell (self);
    }
  g_mutex_unlock (&self->lock);
}

static void
cancel_job (GCancellable *cancellable, gpointer job)
{
  es_job_cancel (job);
}

/* One run; transfer full. */
static EsResult *
run_once (EsComparison *self, Contestant *contestant, const char *what, double weight, GCancellable *cancellable,
          GError **error)
{
  EsLimits limits = limits_of (self, contestant);
  g_autoptr (EsJob) job = es_job_new (self->operation, self->dataset, self->params, contestant->device, &limits, NULL);
  EsResult *result;

  if (self->source != NULL)
    es_job_set_source (job, self->source);
  g_mutex_lock (&self->lock);
  self->job = job;
  self->weight = weight;
  g_free (self->status);
  self->status = g_strdup_printf ("%s, %s", contestant->title, what);
  tell (self);
  g_mutex_unlock (&self->lock);

  gulong progress = g_signal_connect_object (job, "notify::progress", G_CALLBACK (on_job_progress), self, 0);
  gulong cancelled = g_cancellable_connect (cancellable, G_CALLBACK (cancel_job), job, NULL);
  result = es_job_run (job, error);
  g_cancellable_disconnect (cancellable, cancelled);
  g_signal_handler_disconnect (job, progress);

  g_mutex_lock (&self->lock);
  self->job = NULL;
  self->base += weight;
  self->progress = MAX (self->progress, MIN (self->base, 1));
  tell (self);
  g_mutex_unlock (&self->lock);

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
  GArray *steps = g_array_new (FALSE, FALSE, sizeof (Step));
  guint n;
  const EsStageTime *stages = es_result_get_stages (result, &n);

  for (guint i = 0; i < n; i++)
    {
      Step step = { g_intern_string (stages[i].name), g_intern_string (stages[i].title), stages[i].ms };
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
run_contestant (EsComparison *self, Contestant *contestant, double weight, GCancellable *cancellable, GError **error)
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
  g_mutex_lock (&self->lock);
  contestant->steps = steps;
  contestant->total = es_result_get_total_ms (middle);
  contestant->fastest = es_result_get_total_ms (g_ptr_array_index (results, 0));
  contestant->slowest = es_result_get_total_ms (g_ptr_array_index (results, results->len - 1));
  contestant->state = ES_CONTESTANT_DONE;
  tell (self);
  g_mutex_unlock (&self->lock);
  return TRUE;
}

static double
begin (EsComparison *self)
{
  double total = 0;

  g_mutex_lock (&self->lock);
  self->running = TRUE;
  self->progress = self->base = 0;
  for (guint i = 0; i < self->contestants->len; i++)
    {
      Contestant *contestant = g_ptr_array_index (self->contestants, i);

      if (contestant->state == ES_CONTESTANT_LEFT_OUT)
        continue;
      contestant->state = ES_CONTESTANT_WAITING;
      g_clear_pointer (&contestant->error, g_free);
      g_clear_pointer (&contestant->steps, g_array_unref);
    }
  tell (self);
  g_mutex_unlock (&self->lock);

  for (guint i = 0; i < self->contestants->len; i++)
    if (es_comparison_get_state (self, i) == ES_CONTESTANT_WAITING)
      total += MAX (es_comparison_predict (self, i), 1e-3);
  return total;
}

static void
end (EsComparison *self)
{
  g_mutex_lock (&self->lock);
  self->running = FALSE;
  g_clear_pointer (&self->status, g_free);
  for (guint i = 0; i < self->contestants->len; i++)
    {
      Contestant *contestant = g_ptr_array_index (self->contestants, i);
      if (contestant->state == ES_CONTESTANT_RUNNING)
        contestant->state = ES_CONTESTANT_WAITING;
    }
  tell (self);
  g_mutex_unlock (&self->lock);
}

gboolean
es_comparison_run (EsComparison *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GCancellable) own = cancellable == NULL ? g_cancellable_new () : NULL;
  g_autoptr (GError) first = NULL;
  gboolean any = FALSE;
  double total;

  g_return_val_if_fail (ES_IS_COMPARISON (self) && !self->running, FALSE);

  if (cancellable == NULL)
    cancellable = own;
  total = begin (self);
  for (guint i = 0; i < self->contestants->len; i++)
    {
      Contestant *contestant = g_ptr_array_index (self->contestants, i);
      g_autoptr (GError) local_error = NULL;

      if (contestant->state == ES_CONTESTANT_LEFT_OUT)
        continue;
      g_mutex_lock (&self->lock);
      contestant->state = ES_CONTESTANT_RUNNING;
      g_mutex_unlock (&self->lock);
      if (run_contestant (self, contestant, MAX (contestant->predicted, 1e-3) / total, cancellable, &local_error))
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
      g_mutex_lock (&self->lock);
      contestant->state = ES_CONTESTANT_FAILED;
      contestant->error = g_strdup (local_error->message);
      tell (self);
      g_mutex_unlock (&self->lock);
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

static void
run_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;

  if (es_comparison_run (source, cancellable, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
es_comparison_run_async (EsComparison *self, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);

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
  g_mutex_lock (&self->lock);
  running = self->running;
  g_mutex_unlock (&self->lock);
  return running;
}

double
es_comparison_get_progress (EsComparison *self)
{
  double progress;

  g_mutex_lock (&self->lock);
  progress = self->progress;
  g_mutex_unlock (&self->lock);
  return progress;
}

const char *
es_comparison_get_status (EsComparison *self)
{
  g_mutex_lock (&self->lock);
  g_free (self->shown_status);
  self->shown_status = g_strdup (self->status);
  g_mutex_unlock (&self->lock);
  return self->shown_status;
}

/* ---- what came out ---- */

static gboolean
is_done (const Contestant *contestant)
{
  return contestant->state == ES_CONTESTANT_DONE && contestant->steps != NULL;
}

/* The steps of all, each where the first contestant that has it takes it. Transfer full. */
static GArray *
union_of_steps (EsComparison *self)
{
  GArray *all = g_array_new (FALSE, FALSE, sizeof (Step));

  g_mutex_lock (&self->lock);
  for (guint i = 0; i < self->contestants->len; i++)
    {
      Contestant *contestant = g_ptr_array_index (self->contestants, i);
      guint place = 0;

      if (!is_done (contestant))
        continue;
      for (guint s = 0; s < contestant->steps->len; s++)
        {
          Step *step = &g_array_index (contestant->steps, Step, s);
          guint at = 0;

          while (at < all->len && g_array_index (all, Step, at).name != step->name)
            at++;
          if (at == all->len)
            g_array_insert_val (all, place++, *step);
          else
            place = at + 1;
        }
    }
  g_mutex_unlock (&self->lock);
  return all;
}

guint
es_comparison_get_n_steps (EsComparison *self)
{
  g_autoptr (GArray) steps = union_of_steps (self);

  return steps->len;
}

const char *
es_comparison_get_step_name (EsComparison *self, guint step)
{
  g_autoptr (GArray) steps = union_of_steps (self);

  g_return_val_if_fail (step < steps->len, NULL);
  return g_array_index (steps, Step, step).name;
}

const char *
es_comparison_get_step_title (EsComparison *self, guint step)
{
  g_autoptr (GArray) steps = union_of_steps (self);

  g_return_val_if_fail (step < steps->len, NULL);
  return g_array_index (steps, Step, step).title;
}

double
es_comparison_get_step_ms (EsComparison *self, guint i, guint step)
{
  Contestant *contestant = get_contestant (self, i);
  const char *name = es_comparison_get_step_name (self, step);
  double ms = NAN;

  g_return_val_if_fail (contestant != NULL && name != NULL, NAN);
  g_mutex_lock (&self->lock);
  if (is_done (contestant))
    {
      ms = 0;
      for (guint s = 0; s < contestant->steps->len; s++)
        if (g_array_index (contestant->steps, Step, s).name == name)
          ms += g_array_index (contestant->steps, Step, s).ms;
    }
  g_mutex_unlock (&self->lock);
  return ms;
}

double
es_comparison_get_total_ms (EsComparison *self, guint i)
{
  Contestant *contestant = get_contestant (self, i);
  double total;

  g_return_val_if_fail (contestant != NULL, NAN);
  g_mutex_lock (&self->lock);
  total = is_done (contestant) ? contestant->total : NAN;
  g_mutex_unlock (&self->lock);
  return total;
}

gboolean
es_comparison_get_spread (EsComparison *self, guint i, double *fastest, double *slowest)
{
  Contestant *contestant = get_contestant (self, i);
  gboolean done;

  g_return_val_if_fail (contestant != NULL, FALSE);
  g_mutex_lock (&self->lock);
  done = is_done (contestant);
  *fastest = done ? contestant->fastest : NAN;
  *slowest = done ? contestant->slowest : NAN;
  g_mutex_unlock (&self->lock);
  return done;
}

double
es_comparison_get_speed_up (EsComparison *self, guint contestant)
{
  for (guint i = 0; i < self->contestants->len; i++)
    {
      double first = es_comparison_get_total_ms (self, i);

      if (!isnan (first))
        return first / es_comparison_get_total_ms (self, contestant);
    }
  return NAN;
}
