/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-comparison-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

G_DEFINE_FINAL_TYPE (EsComparison, es_comparison, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
contestant_free (gpointer data)
{
  EsContestant *self = data;

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
  g_rec_mutex_clear (&self->lock);
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
  g_rec_mutex_init (&self->lock);
  self->contestants = g_ptr_array_new_with_free_func (contestant_free);
  self->repeats = 3;
}

static gboolean
emit_changed (gpointer data)
{
  EsComparison *self = data;

  g_rec_mutex_lock (&self->lock);
  self->idle = 0;
  g_rec_mutex_unlock (&self->lock);
  g_signal_emit (self, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* With the lock held. */
void
es_comparison_tell (EsComparison *self)
{
  if (self->idle == 0)
    self->idle = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, emit_changed, g_object_ref (self), g_object_unref);
}

static void
add_contestant (EsComparison *self, EsDevice *device, guint threads, const char *id, char *title)
{
  EsContestant *contestant = g_new0 (EsContestant, 1);

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
  g_return_if_fail (ES_IS_COMPARISON (self) && !es_comparison_is_running (self));
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
  g_return_if_fail (ES_IS_COMPARISON (self) && !es_comparison_is_running (self));
  self->repeats = CLAMP (repeats, 1, 99);
}

guint
es_comparison_get_repeats (EsComparison *self)
{
  return self->repeats;
}

/* ---- contestants ---- */

EsContestant *
es_comparison_get_contestant (EsComparison *self, guint i)
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
  EsContestant *found = es_comparison_get_contestant (self, contestant);

  return found != NULL ? found->title : NULL;
}

const char *
es_comparison_get_id (EsComparison *self, guint contestant)
{
  EsContestant *found = es_comparison_get_contestant (self, contestant);

  return found != NULL ? found->id : NULL;
}

EsDevice *
es_comparison_get_device (EsComparison *self, guint contestant)
{
  EsContestant *found = es_comparison_get_contestant (self, contestant);

  return found != NULL ? found->device : NULL;
}

guint
es_comparison_get_threads (EsComparison *self, guint contestant)
{
  EsContestant *found = es_comparison_get_contestant (self, contestant);

  return found != NULL ? found->threads : 0;
}

EsLimits
es_comparison_get_limits (EsComparison *self, const EsContestant *contestant)
{
  EsLimits limits = self->limits;

  if (contestant->threads > 0)
    limits.threads = contestant->threads;
  return limits;
}

double
es_comparison_predict (EsComparison *self, guint i)
{
  EsContestant *contestant = es_comparison_get_contestant (self, i);
  double seconds;

  if (contestant == NULL)
    return NAN;
  g_rec_mutex_lock (&self->lock);
  seconds = contestant->predicted;
  g_rec_mutex_unlock (&self->lock);
  if (!isnan (seconds) || self->operation->plan == NULL)
    return seconds;

  EsLimits limits = es_comparison_get_limits (self, contestant);
  seconds = self->operation->plan (self->dataset, self->params, contestant->device, &limits).seconds;
  g_rec_mutex_lock (&self->lock);
  contestant->predicted = seconds;
  g_rec_mutex_unlock (&self->lock);
  return seconds;
}

void
es_comparison_set_takes_part (EsComparison *self, guint i, gboolean takes_part)
{
  EsContestant *contestant = es_comparison_get_contestant (self, i);

  g_return_if_fail (contestant != NULL && !es_comparison_is_running (self));
  g_rec_mutex_lock (&self->lock);
  if (takes_part != (contestant->state != ES_CONTESTANT_LEFT_OUT))
    {
      contestant->state = !takes_part ? ES_CONTESTANT_LEFT_OUT
                          : contestant->steps != NULL ? ES_CONTESTANT_DONE : ES_CONTESTANT_WAITING;
      es_comparison_tell (self);
    }
  g_rec_mutex_unlock (&self->lock);
}

EsContestantState
es_comparison_get_state (EsComparison *self, guint contestant)
{
  EsContestant *found = es_comparison_get_contestant (self, contestant);

  EsContestantState state = ES_CONTESTANT_LEFT_OUT;

  if (found != NULL)
    {
      g_rec_mutex_lock (&self->lock);
      state = found->state;
      g_rec_mutex_unlock (&self->lock);
    }

  return state;
}

const char *
es_comparison_get_error (EsComparison *self, guint contestant)
{
  EsContestant *found = es_comparison_get_contestant (self, contestant);
  const char *error = NULL;

  if (found != NULL)
    {
      g_rec_mutex_lock (&self->lock);
      error = found->error;
      g_rec_mutex_unlock (&self->lock);
    }

  return error;
}
