/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Running a job: on which device, when, and on which one next where that fails. */

#include "es-job-object-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "cube/es-cube-metadata.h"
#include "cube/es-cube-taken.h"
#include "resident/es-resident.h"
#include "dataset/es-dataset-internal.h"
#include "device/es-device-internal.h"
#include "es-device-choose.h"
#include "es-device-fallback-internal.h"
#include "layer/es-layer-internal.h"
#include "libraries/es-gdal-internal.h"
#include "libraries/es-hdf-lock-internal.h"
#include "ranks/es-ranks-internal.h"
#include "result/es-result-computed-internal.h"
#include "result/es-result-internal.h"

/* Of the memory that a run may take: what is kept of unpacked blocks. */
#define CACHE_SHARE 4

static gboolean
takes_data (EsJob *self)
{
  return (self->operation->takes & es_dataset_get_kind (self->dataset)) != 0;
}

/* ---- what takes part ---- */

/* Notes that are of the part alone: bands that hold nothing where it is. */
static void
tell_notes (EsJob *self)
{
  const char * const *notes = es_dataset_get_notes (self->part), * const *known = es_dataset_get_notes (self->dataset);

  for (; self->part != self->dataset && notes != NULL && *notes != NULL; notes++)
    if (known == NULL || !g_strv_contains (known, *notes))
      es_job_add_warning (self, *notes);
}

gboolean
es_job_take_part (EsJob *self, EsSelection *selection, GError **error)
{
  EsSelection *old = self->selection;
  EsCube *part;

  self->selection = selection != NULL ? es_selection_ref (selection) : NULL;
  g_clear_pointer (&old, es_selection_unref);
  part = es_cube_take_part (ES_CUBE (self->dataset), selection, FALSE, error);
  if (part == NULL)
    return FALSE;
  g_clear_object (&self->part);
  self->part = ES_DATASET (part);
  tell_notes (self);
  return TRUE;
}

EsDataset *
es_job_get_part (EsJob *self)
{
  return self->part;
}

/* Once, before anybody plans. What an earlier result found of other data, or another part of them, is none of its. */
static void
find_part (EsJob *self)
{
  g_autoptr (EsSelection) selection = self->selection != NULL ? es_selection_ref (self->selection) : NULL;
  g_autoptr (EsSelection) before = self->previous != NULL ? es_result_dup_selection (self->previous) : NULL;
  g_autofree char *refused = NULL;

  if (self->part != NULL || self->part_error != NULL)
    return;
  if (!ES_IS_CUBE (self->dataset))
    self->part = g_object_ref (self->dataset);
  else
    es_job_take_part (self, selection, &self->part_error);
  /* Numbers of more than somebody has told are told with it. */
  if (ES_IS_CUBE (self->dataset) && !self->operation->of_result
      && (refused = es_cube_dup_refused (ES_CUBE (self->dataset))) != NULL)
    es_job_add_warning (self, refused);
  if (ES_IS_CUBE (self->dataset) && es_cube_get_metadata_refused (ES_CUBE (self->dataset)) != NULL)
    es_job_add_warning (self, es_cube_get_metadata_refused (ES_CUBE (self->dataset)));
  if (self->previous != NULL
      && (es_result_get_computed (self->previous) != self->dataset || !es_selection_equal (before, selection)))
    g_clear_object (&self->previous);
}

/* As the calibration of a recording: null where what lies beside the cube was not taken, and nothing where there is
 * nothing to be told. */
static void
tell_selection (EsJob *self, JsonObject *values)
{
  GFile *file = es_dataset_get_file (self->dataset);
  g_autoptr (GFile) sidecar = file != NULL ? es_selection_sidecar_of (file) : NULL;

  if (!es_selection_is_everything (self->selection))
    json_object_set_member (values, "selection", es_selection_to_node (self->selection));
  else if (ES_IS_CUBE (self->dataset) && sidecar != NULL && g_file_query_exists (sidecar, NULL))
    json_object_set_null_member (values, "selection");
}

char **
es_job_list_planes (EsJob *self, guint64 *width, guint64 *height)
{
  if (self->operation->list_planes == NULL || !takes_data (self))
    return NULL;
  find_part (self);
  if (!ES_IS_CUBE (self->part))
    return NULL;
  *width = es_cube_get_width (ES_CUBE (self->part));
  *height = es_cube_get_height (ES_CUBE (self->part));
  return self->operation->list_planes (self->part, self->params);
}

static void
tell_upload (EsJob *self, JsonObject *values)
{
  JsonObject *upload;

  if (self->upload.threads == 0)
    return;
  upload = json_object_new ();
  json_object_set_int_member (upload, "threads", self->upload.threads);
  json_object_set_int_member (upload, "piece_bytes", (gint64) self->upload.piece_bytes);
  json_object_set_int_member (upload, "pieces", self->upload.pieces);
  json_object_set_boolean_member (upload, "page_locked", !self->upload.pageable);
  json_object_set_string_member (upload, "from", self->upload.profile != NULL ? "profile" : "defaults");
  if (self->upload.profile != NULL)
    json_object_set_string_member (upload, "profile_date", self->upload.profile);
  json_object_set_object_member (values, "upload", upload);
}

/* The same of what the cube was told to be. */
static void
tell_metadata (EsJob *self, JsonObject *values)
{
  GFile *file = es_dataset_get_file (self->dataset);
  EsMetadata *metadata = ES_IS_CUBE (self->dataset) ? es_cube_get_metadata (ES_CUBE (self->dataset)) : NULL;
  g_autoptr (GFile) sidecar = file != NULL ? es_metadata_sidecar_of (file) : NULL;

  if (metadata != NULL)
    json_object_set_member (values, "metadata", es_metadata_to_node (metadata));
  else if (ES_IS_CUBE (self->dataset) && sidecar != NULL && g_file_query_exists (sidecar, NULL))
    json_object_set_null_member (values, "metadata");
}

static void
set_device (EsJob *self, EsDevice *device)
{
  g_mutex_lock (&self->lock);
  self->device = device;
  g_mutex_unlock (&self->lock);
}

/* Where nobody has said which device. Data of the wrong kind has no plan. */
static void
ensure_device (EsJob *self)
{
  gint64 start;

  find_part (self);
  if (self->device == NULL && es_dataset_get_device_id (self->dataset) != NULL)
    set_device (self, es_device_find (es_dataset_get_device_id (self->dataset), NULL) ?: es_device_get_cpu ());
  if (self->device != NULL)
    return;
  start = g_get_monotonic_time ();
  set_device (self, takes_data (self) && self->part != NULL
                    ? es_device_choose (self->operation, self->part, self->params, &self->limits, &self->reason)
                    : es_device_get_cpu ());
  self->choice_ms = (g_get_monotonic_time () - start) * 1e-3;
}

/* What unpacks the samples counts as well: one block of the file has to be, and is kept. */
static gboolean
settle_blocks (EsJob *self, GError **error)
{
  const guint64 memory = self->limits.memory;
  guint64 unpacked;

  if (memory == 0)
    return TRUE;
  es_hdf_limit_cache (memory / CACHE_SHARE);
  if (!ES_IS_CUBE (self->dataset))
    return TRUE;
  unpacked = es_cube_get_source (ES_CUBE (self->dataset))->unpacked;
  if (unpacked > memory)
    {
      g_autofree char *block = g_format_size_full (unpacked, G_FORMAT_SIZE_IEC_UNITS);
      g_autofree char *limit = g_format_size_full (memory, G_FORMAT_SIZE_IEC_UNITS);

      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                   _("“%s” is packed in blocks of %s, of which one does not fit in the %s that the run may take"),
                   es_dataset_get_name (self->dataset), block, limit);
      return FALSE;
    }
  es_gdal_limit_cache (MAX (memory / CACHE_SHARE, 2 * unpacked));
  return TRUE;
}

/* What each of several processes has written of the same files. */
static gboolean
bring_together (EsResult *result, GError **error)
{
  GListModel *layers = es_result_get_layers (result);
  gboolean out = TRUE;

  if (es_ranks_get_size () == 1)
    return TRUE;
  for (guint i = 0; out && i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      out = !ES_IS_IMAGE_STACK (layer) || es_image_stack_bring_out (ES_IMAGE_STACK (layer), error);
    }
  if (!es_ranks_agree (out, error))
    return FALSE;
  for (guint i = 0; i < g_list_model_get_n_items (layers); i++)
    {
      g_autoptr (EsLayer) layer = g_list_model_get_item (layers, i);
      if (ES_IS_IMAGE_STACK (layer))
        es_image_stack_look_again (ES_IMAGE_STACK (layer));
    }
  return TRUE;
}

static EsResult *
run_once (EsJob *self, GError **error)
{
  g_autoptr (EsResult) result = NULL;

  self->waited_ms = es_ranks_get_waited_ms ();
  self->prepared = FALSE;
  if (g_cancellable_set_error_if_cancelled (self->cancellable, error))
    return NULL;
  if (!takes_data (self))
    {
      self->prepared = TRUE;
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION,
                   _("“%s” does not work on this kind of data: %s."), self->operation->id,
                   es_dataset_get_name (self->dataset));
      return NULL;
    }
  if (self->part == NULL)
    {
      self->prepared = TRUE;
      g_propagate_error (error, g_error_copy (self->part_error));
      return NULL;
    }

  if (!es_device_is_started (self->device))
    es_job_begin_stage (self, "start", _("Start of the GPU"), 0);
  if (!es_device_prepare (self->device, error))
    return NULL;
  self->prepared = TRUE;
  if (!es_limits_check_address_space (error) || !settle_blocks (self, error)
      || !es_job_begin_checkpoint (self, error))
    return NULL;
  result = self->operation->run (self, self->part, self->params, error);
  if (result == NULL || !bring_together (result, error) || !es_job_tell_processes (self, result, error))
    return NULL;
  return g_steal_pointer (&result);
}

/* What another attempt starts from; the time of those before it is told as one step. */
static void
forget_stages (EsJob *self)
{
  self->upload = (EsUploadChoice) { 0 };
  g_mutex_lock (&self->lock);
  es_job_end_stage_locked (self);
  g_array_set_size (self->stages, 0);
  es_job_account_locked (self, "retry", _("Attempts that failed"), (g_get_monotonic_time () - self->started) * 1e-3);
  self->stage_title = NULL;
  self->weight_done = 0;
  self->weight_total = 1;
  es_job_queue_notify_locked (self);
  g_mutex_unlock (&self->lock);
}

void
es_job_add_warning (EsJob *self, const char *warning)
{
  /* Another attempt may find the same. */
  if (!g_ptr_array_find_with_equal_func (self->warnings, warning, g_str_equal, NULL))
    g_ptr_array_add (self->warnings, g_strdup (warning));
}

/* After an attempt failed: TRUE where another one is to be made, with the job changed for it. */
static gboolean
try_otherwise (EsJob *self, const GError *error)
{
  const char *name = es_device_get_name (self->device);
  const gboolean out_of_memory = g_error_matches (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY);
  const gboolean may_replace = self->limits.cpu_fallback || (self->automatic && !self->prepared);

  /* What a device is nobody else can do. */
  if (g_cancellable_is_cancelled (self->cancellable) || es_dataset_get_device_id (self->dataset) != NULL)
    return FALSE;
  switch (es_device_fall_back (self->device, error, may_replace ? ES_FALLBACK_FOR_DEVICE : ES_FALLBACK_FOR_MEMORY,
                               self->prepared && !self->cut ? &self->limits.device_memory : NULL))
    {
    case ES_FALLBACK_LESS_MEMORY:
      self->cut = TRUE;
      es_resident_clear (self->device);
      g_ptr_array_add (self->warnings, g_strdup_printf (_("%s ran out of memory; it repeated the run with a quarter of "
                                                          "it."), name));
      break;
    case ES_FALLBACK_CPU:
      g_ptr_array_add (self->warnings, out_of_memory && self->prepared
                       ? g_strdup_printf (_("The CPU computed this, for %s ran out of memory."), name)
                       : g_strdup_printf (_("The CPU computed this instead. %s"), error->message));
      set_device (self, es_device_get_cpu ());
      break;
    case ES_FALLBACK_NONE:
    default:
      return FALSE;
    }
  forget_stages (self);
  return TRUE;
}

/* Until it is done, or nothing more can be tried. *begun: its turn came before it was cancelled. */
static EsResult *
run_attempts (EsJob *self, gboolean *begun, GError **error)
{
  EsResult *result;

  *begun = FALSE;
  for (;;)
    {
      EsDevice *device = self->device;
      g_autoptr (GError) local_error = NULL;

      if (!es_device_occupy (device, self->cancellable, error))
        return NULL;
      *begun = *begun || es_job_begin (self);
      result = run_once (self, &local_error);
      es_job_set_preview (self, NULL);
      es_job_set_live_curve (self, NULL);
      es_device_vacate (device);

      /* Cancelled means that nothing is published, even when the last tile was just done. */
      if (result != NULL && g_cancellable_set_error_if_cancelled (self->cancellable, &local_error))
        g_clear_object (&result);
      if (result != NULL)
        return result;
      if (!try_otherwise (self, local_error))
        {
          g_propagate_error (error, g_steal_pointer (&local_error));
          return NULL;
        }
    }
}

static void
complete_result (EsJob *self, EsResult *result)
{
  const guint lanes = es_device_get_lanes (self->device);
  const guint threads = self->limits.threads > 0 ? MIN (self->limits.threads, lanes) : lanes;
  g_autofree char *rewritten = _es_dataset_find_rewritten (self->dataset);
  double total;

  /* What it was computed of is a part of the data set that everybody knows. */
  if (self->part != self->dataset)
    es_result_set_dataset (result, self->dataset);
  tell_selection (self, es_result_get_values (result));
  tell_metadata (self, es_result_get_values (result));
  tell_upload (self, es_result_get_values (result));
  g_mutex_lock (&self->lock);
  es_job_end_stage_locked (self);
  if (self->upload.threads > 0)
    es_job_describe_input_locked (self);
  total = (g_get_monotonic_time () - self->started) * 1e-3 + self->choice_ms;
  if (self->choice_ms >= 1)
    {
      EsStageTime stage = { g_strdup ("choice"), g_strdup (_("Choice of the device")), self->choice_ms, { 0 } };
      g_array_prepend_val (self->stages, stage);
    }
  es_job_tell_disk_locked (self);
  g_mutex_unlock (&self->lock);
  /* Nobody changes them any more. What an experiment measures is no work to be judged. */
  if (es_dataset_get_device_id (self->dataset) == NULL)
    es_stages_judge ((EsStageTime *) self->stages->data, self->stages->len, self->device, threads);
  es_result_set_run (result, self->device, threads, self->stages, total);
  if (self->automatic && es_dataset_get_device_id (self->dataset) == NULL)
    es_result_set_choice (result, self->reason);
  for (guint i = 0; i < self->warnings->len; i++)
    es_result_add_warning (result, "%s", (const char *) g_ptr_array_index (self->warnings, i));
  if (rewritten != NULL)
    es_result_add_warning (result, _("“%s” was written to after it had been opened: the numbers are those of what was "
                                     "read, which may be neither the old file nor the new one. Open it again."),
                           rewritten);
}

EsResult *
es_job_run (EsJob *self, GError **error)
{
  g_autoptr (EsResult) result = NULL;
  g_autoptr (GError) local_error = NULL;
  gboolean begun;

  ensure_device (self);
  if (es_dataset_get_device_id (self->dataset) == NULL)
    es_stages_prepare (self->device);
  result = run_attempts (self, &begun, &local_error);
  /* The state of the earlier result is not needed any more, nor should a chain of them stay alive; whoever repeats what
   * a lost device has left undone needs the source. */
  g_clear_object (&self->previous);
  if (result != NULL)
    complete_result (self, result);
  g_clear_object (&self->part);
  if (!es_job_lost_device (self, local_error))
    g_clear_object (&self->source);

  if (result != NULL)
    es_job_end (self, ES_JOB_DONE, result, NULL);
  else if (begun && g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    es_job_end (self, ES_JOB_CANCELLED, NULL, NULL);
  else if (begun)
    es_job_end (self, ES_JOB_FAILED, NULL, local_error);

  if (local_error != NULL)
    g_propagate_error (error, g_steal_pointer (&local_error));
  return g_steal_pointer (&result);
}

static void
run_in_pool (gpointer data, gpointer user_data)
{
  g_autoptr (EsJob) self = data;
  g_autoptr (EsResult) result = es_job_run (self, NULL);
}

/* One worker a device: jobs on it queue up. Those on all GPUs and on one of them wait for each other, too
 * (es_device_occupy ()). */
static GThreadPool *
device_pool (EsDevice *device)
{
  static GMutex lock;
  GThreadPool *pool;

  g_mutex_lock (&lock);
  pool = g_object_get_data (G_OBJECT (device), "es-worker");
  if (pool == NULL)
    {
      pool = g_thread_pool_new (run_in_pool, NULL, 1, FALSE, NULL);
      g_object_set_data (G_OBJECT (device), "es-worker", pool);
    }
  g_mutex_unlock (&lock);
  return pool;
}

static void
choose_in_pool (gpointer data, gpointer user_data)
{
  EsJob *self = data;

  /* One that was cancelled meanwhile ends at once wherever it comes to. */
  if (g_cancellable_is_cancelled (self->cancellable))
    set_device (self, es_device_get_cpu ());
  /* One that is cancelled has ended for everybody else, though it may be starting a GPU now. */
  es_devices_hold ();
  ensure_device (self);
  es_devices_release ();
  g_thread_pool_push (device_pool (self->device), self, NULL);
}

/* Choosing may start and measure GPUs: not for the main loop. Nor for a device's queue, where it would wait for jobs on
 * a device that it may well not choose. */
static GThreadPool *
choosing_pool (void)
{
  static GThreadPool *pool;

  if (g_once_init_enter (&pool))
    g_once_init_leave (&pool, g_thread_pool_new (choose_in_pool, NULL, 1, FALSE, NULL));
  return pool;
}

void
es_job_start (EsJob *self)
{
  g_thread_pool_push (self->automatic ? choosing_pool () : device_pool (self->device), g_object_ref (self), NULL);
}
