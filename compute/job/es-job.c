/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-job-object-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "device/es-device-internal.h"
#include "base/es-error.h"
#include "cube/es-cube.h"
#include "es-disk-bytes-private.h"
#include "result/es-result-internal.h"

G_DEFINE_FINAL_TYPE (EsJob, es_job, G_TYPE_OBJECT)

enum { PROP_0, PROP_STATE, PROP_STAGE, PROP_PROGRESS, PROP_RESULT, PROP_TITLE, PROP_PREVIEW, PROP_LIVE_CURVE,
       N_PROPS };
static GParamSpec *properties[N_PROPS];

GType
es_job_state_get_type (void)
{
  static gsize once;
  static GType type;
  static const GEnumValue values[] = {
    { ES_JOB_PENDING, "ES_JOB_PENDING", "pending" },
    { ES_JOB_RUNNING, "ES_JOB_RUNNING", "running" },
    { ES_JOB_DONE, "ES_JOB_DONE", "done" },
    { ES_JOB_FAILED, "ES_JOB_FAILED", "failed" },
    { ES_JOB_CANCELLED, "ES_JOB_CANCELLED", "cancelled" },
    { 0, NULL, NULL }
  };

  if (g_once_init_enter (&once))
    {
      type = g_enum_register_static ("EsJobState", values);
      g_once_init_leave (&once, 1);
    }
  return type;
}

static void
es_job_finalize (GObject *object)
{
  EsJob *self = ES_JOB (object);

  g_clear_object (&self->dataset);
  g_clear_object (&self->params);
  g_clear_object (&self->previous);
  g_clear_object (&self->source);
  g_clear_object (&self->replaces);
  g_clear_pointer (&self->selection, es_selection_unref);
  g_clear_object (&self->part);
  g_clear_error (&self->part_error);
  g_clear_pointer (&self->checkpoint, es_checkpoint_unref);
  g_clear_object (&self->preview);
  g_clear_object (&self->told_preview);
  g_clear_object (&self->curve);
  g_clear_object (&self->told_curve);
  g_cancellable_disconnect (self->cancellable, self->cancel_handler);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->result);
  g_clear_error (&self->error);
  g_clear_pointer (&self->stages, g_array_unref);
  g_clear_pointer (&self->context, g_main_context_unref);
  g_clear_pointer (&self->warnings, g_ptr_array_unref);
  g_free (self->output_dir);
  es_inputs_release (self->inputs);
  g_free (self->reason);
  g_free (self->sums);
  g_free (self->title);
  g_free (self->stage_name);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->has_ended);
  G_OBJECT_CLASS (es_job_parent_class)->finalize (object);
}

static void
es_job_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  EsJob *self = ES_JOB (object);

  switch (id)
    {
    case PROP_STATE:
      g_value_set_enum (value, es_job_get_state (self));
      break;
    case PROP_STAGE:
      g_value_set_string (value, es_job_get_stage (self));
      break;
    case PROP_PROGRESS:
      g_value_set_double (value, es_job_get_progress (self));
      break;
    case PROP_RESULT:
      g_value_set_object (value, es_job_get_result (self));
      break;
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_PREVIEW:
      g_value_set_object (value, es_job_get_preview (self));
      break;
    case PROP_LIVE_CURVE:
      g_value_set_object (value, es_job_get_live_curve (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, spec);
    }
}

static void
es_job_class_init (EsJobClass *class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = es_job_finalize;
  object_class->get_property = es_job_get_property;

  properties[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, ES_TYPE_JOB_STATE, ES_JOB_PENDING, flags);
  properties[PROP_STAGE] = g_param_spec_string ("stage", NULL, NULL, NULL, flags);
  properties[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0, flags);
  properties[PROP_RESULT] = g_param_spec_object ("result", NULL, NULL, ES_TYPE_RESULT, flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_PREVIEW] = g_param_spec_object ("preview", NULL, NULL, ES_TYPE_IMAGE_STACK, flags);
  properties[PROP_LIVE_CURVE] = g_param_spec_object ("live-curve", NULL, NULL, ES_TYPE_CURVE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
tell_hotspots (GCancellable *cancellable, gpointer data)
{
  EsJob *self = data;

  g_atomic_int_set (&self->cancelled, 1);
}

static void
es_job_init (EsJob *self)
{
  g_mutex_init (&self->lock);
  g_cond_init (&self->has_ended);
  self->cancellable = g_cancellable_new ();
  self->cancel_handler = g_cancellable_connect (self->cancellable, G_CALLBACK (tell_hotspots), self, NULL);
  self->weight_total = 1;
  self->warnings = g_ptr_array_new_with_free_func (g_free);
  self->stages = g_array_new (FALSE, TRUE, sizeof (EsStageTime));
  g_array_set_clear_func (self->stages, es_stage_time_clear);
  self->context = g_main_context_ref_thread_default ();
}

/* The files that parameters name: nothing that is saved while the job is there replaces one. */
static EsInputs *
hold_files (EsParams *params)
{
  g_autoptr (GPtrArray) files = g_ptr_array_new ();
  EsInputs *inputs;

  for (const EsParamSpec *spec = es_params_get_specs (params); spec->type != ES_PARAM_END; spec++)
    {
      const char *name = spec->type == ES_PARAM_FILE ? es_params_get_text (params, spec->key) : "";
      if (*name != '\0')
        g_ptr_array_add (files, g_file_parse_name (name));
    }
  g_ptr_array_add (files, NULL);
  inputs = es_inputs_hold ((GFile * const *) files->pdata);
  for (guint i = 0; i + 1 < files->len; i++)
    g_object_unref (g_ptr_array_index (files, i));
  return inputs;
}

EsJob *
es_job_new (const EsOperation *operation, EsDataset *dataset, EsParams *params, EsDevice *device,
            const EsLimits *limits, EsResult *previous)
{
  EsJob *self = g_object_new (ES_TYPE_JOB, NULL);

  self->operation = operation;
  self->dataset = g_object_ref (dataset);
  self->params = es_params_copy (params);
  /* A device has to work on itself, whichever was chosen for other data. */
  self->device = es_dataset_get_device_id (dataset) == NULL ? device : NULL;
  self->automatic = self->device == NULL;
  if (limits != NULL)
    self->limits = *limits;
  self->inputs = hold_files (params);
  self->output_dir = g_strdup (self->limits.output_dir);
  self->limits.output_dir = self->output_dir;
  g_set_object (&self->previous, previous);
  if (ES_IS_CUBE (dataset) && !operation->of_result)
    self->selection = es_cube_dup_selection (ES_CUBE (dataset));
  self->title = g_strdup_printf (_("%s of %s"), g_dgettext (GETTEXT_PACKAGE, operation->short_title),
                                 es_dataset_get_name (dataset));
  return self;
}

void
es_job_set_chosen (EsJob *self, const char *reason)
{
  g_return_if_fail (es_job_get_state (self) == ES_JOB_PENDING);
  self->automatic = TRUE;
  g_free (self->reason);
  self->reason = g_strdup (reason);
}

void
es_job_set_source (EsJob *self, EsResult *source)
{
  g_return_if_fail (es_job_get_state (self) == ES_JOB_PENDING);
  g_set_object (&self->source, source);
  if (source == NULL)
    return;
  g_clear_pointer (&self->selection, es_selection_unref);
  self->selection = es_result_dup_selection (source);
}

void
es_job_take_selection (EsJob *self, EsResult *of)
{
  g_return_if_fail (es_job_get_state (self) == ES_JOB_PENDING);
  g_clear_pointer (&self->selection, es_selection_unref);
  self->selection = es_result_dup_selection (of);
}

void
es_job_repeat_selection (EsJob *self, EsJob *of)
{
  g_return_if_fail (es_job_get_state (self) == ES_JOB_PENDING);
  g_clear_pointer (&self->selection, es_selection_unref);
  self->selection = of->selection != NULL ? es_selection_ref (of->selection) : NULL;
}

void
es_job_set_replaces (EsJob *self, EsResult *replaces)
{
  g_set_object (&self->replaces, replaces);
}

EsResult *
es_job_get_replaces (EsJob *self)
{
  return self->replaces;
}

/* ---- telling the main context ---- */

double
es_job_get_progress_locked (EsJob *self)
{
  if (self->state == ES_JOB_DONE)
    return 1;
  return CLAMP ((self->weight_done + self->stage_weight * self->fraction) / self->weight_total, 0, 1);
}

static gboolean
notify_idle (gpointer data)
{
  EsJob *self = data;
  g_autoptr (EsImageStack) preview = NULL;
  g_autoptr (EsCurve) curve = NULL;
  EsJobState state;
  const char *stage;
  double progress;

  g_mutex_lock (&self->lock);
  self->notify_queued = FALSE;
  g_set_object (&preview, self->preview);
  g_set_object (&curve, self->curve);
  state = self->state;
  stage = self->stage_title;
  progress = es_job_get_progress_locked (self);
  g_mutex_unlock (&self->lock);

  g_object_freeze_notify (G_OBJECT (self));
  if (g_strcmp0 (stage, self->told_stage) != 0)
    {
      self->told_stage = stage;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STAGE]);
    }
  if (progress != self->told_progress)
    {
      self->told_progress = progress;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PROGRESS]);
    }
  if (g_set_object (&self->told_preview, preview))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PREVIEW]);
  if (g_set_object (&self->told_curve, curve))
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LIVE_CURVE]);
  if (state != self->told_state)
    {
      self->told_state = state;
      if (state == ES_JOB_DONE)
        g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RESULT]);
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_STATE]);
    }
  g_object_thaw_notify (G_OBJECT (self));
  return G_SOURCE_REMOVE;
}

static void
attach_notify (EsJob *self, int priority)
{
  g_autoptr (GSource) source = g_idle_source_new ();

  g_source_set_priority (source, priority);
  g_source_set_static_name (source, "[Eigenscope] job");
  g_source_set_callback (source, notify_idle, g_object_ref (self), g_object_unref);
  g_source_attach (source, self->context);
}

/* With the lock held: one idle under way at most, however often the worker reports. */
void
es_job_queue_notify_locked (EsJob *self)
{
  if (self->notify_queued)
    return;
  self->notify_queued = TRUE;
  attach_notify (self, G_PRIORITY_DEFAULT_IDLE);
}

/* With the lock held: an end is told once, and does not wait until nothing is left to be drawn: frames come before
 * idles, and a spinner has always one more. */
static void
queue_end_locked (EsJob *self)
{
  attach_notify (self, G_PRIORITY_DEFAULT);
}

/* FALSE where it was cancelled before its turn came. */
gboolean
es_job_begin (EsJob *self)
{
  g_mutex_lock (&self->lock);
  gboolean pending = self->state == ES_JOB_PENDING;
  if (pending)
    {
      self->state = ES_JOB_RUNNING;
      self->started = g_get_monotonic_time ();
      self->disk_before = es_disk_bytes ();
      es_job_queue_notify_locked (self);
    }
  g_mutex_unlock (&self->lock);
  return pending;
}

void
es_job_end (EsJob *self, EsJobState state, EsResult *result, const GError *error)
{
  g_autoptr (EsImageStack) preview = NULL;
  g_autoptr (EsCurve) curve = NULL;

  g_mutex_lock (&self->lock);
  preview = g_steal_pointer (&self->preview);
  curve = g_steal_pointer (&self->curve);
  self->state = state;
  g_cond_broadcast (&self->has_ended);
  if (result != NULL)
    self->result = g_object_ref (result);
  if (error != NULL)
    self->error = g_error_copy (error);
  self->ended = g_get_monotonic_time ();
  queue_end_locked (self);
  g_mutex_unlock (&self->lock);
}

gboolean
es_job_is_cancelled (EsJob *self, GError **error)
{
  return g_cancellable_set_error_if_cancelled (self->cancellable, error);
}

GCancellable *
es_job_get_cancellable (EsJob *self)
{
  return self->cancellable;
}

void
es_job_watch_stream (EsJob *self, const EskHotspots *hotspots, EskStream *stream)
{
  if (stream != NULL)
    esk_hotspots_set_cancelled (hotspots, stream, &self->cancelled);
}

const EsLimits *
es_job_get_limits (EsJob *self)
{
  return &self->limits;
}

EsResult *
es_job_get_previous (EsJob *self)
{
  return self->previous;
}

EsResult *
es_job_get_source (EsJob *self)
{
  return self->source;
}

/* ---- cancelling ---- */

void
es_job_cancel (EsJob *self)
{
  g_cancellable_cancel (self->cancellable);

  /* One that waits behind others has ended now, not only when its turn comes. */
  g_mutex_lock (&self->lock);
  if (self->state == ES_JOB_PENDING)
    {
      self->state = ES_JOB_CANCELLED;
      g_cond_broadcast (&self->has_ended);
      queue_end_locked (self);
    }
  g_mutex_unlock (&self->lock);
}

/* ---- reading ---- */

const EsOperation *
es_job_get_operation (EsJob *self)
{
  return self->operation;
}

EsDataset *
es_job_get_dataset (EsJob *self)
{
  return self->dataset;
}

EsParams *
es_job_get_params (EsJob *self)
{
  return self->params;
}

EsDevice *
es_job_get_device (EsJob *self)
{
  g_mutex_lock (&self->lock);
  EsDevice *device = self->device;
  g_mutex_unlock (&self->lock);
  return device;
}

gboolean
es_job_is_automatic (EsJob *self)
{
  return self->automatic;
}

const char *
es_job_get_title (EsJob *self)
{
  return self->title;
}
