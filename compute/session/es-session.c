/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-session-private.h"

#include "job/es-job-internal.h"
#include "recording/es-recording.h"
#include "result/es-result-computed-internal.h"

/* How many jobs that have ended stay in the list. */
#define ENDED_JOBS_KEPT 8

/* What becomes of what a job finds. */
typedef enum
{
  TO_PUBLISH = 1,
  OVERTAKEN,                     /* done perhaps, but not published yet: then it never is */
} Fate;

struct _EsSession
{
  GObject     parent_instance;

  GListStore *datasets;
  GListStore *jobs;
  GHashTable *under_way;         /* EsJob whose end has not been told -> Fate */
  GHashTable *results;           /* EsDataset -> GListStore of EsResult */
  GHashTable *heirs;             /* EsDataset that was there -> EsDataset in its place */
  EsLimits    limits;            /* of new jobs */
  EsDeviceChoice *device_choice;
};

G_DEFINE_FINAL_TYPE (EsSession, es_session, G_TYPE_OBJECT)

enum { FAILED, RESULT_ADDED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
es_session_dispose (GObject *object)
{
  EsSession *self = ES_SESSION (object);

  if (self->jobs != NULL)
    es_session_cancel_all (self);
  g_clear_pointer (&self->results, g_hash_table_unref);
  g_clear_pointer (&self->heirs, g_hash_table_unref);
  g_clear_pointer (&self->under_way, g_hash_table_unref);
  g_clear_object (&self->jobs);
  g_clear_object (&self->datasets);
  g_clear_object (&self->device_choice);
  G_OBJECT_CLASS (es_session_parent_class)->dispose (object);
}

static void
es_session_class_init (EsSessionClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_session_dispose;

  signals[FAILED] = g_signal_new ("failed", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, ES_TYPE_JOB);
  signals[RESULT_ADDED] = g_signal_new ("result-added", G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 2, ES_TYPE_RESULT, ES_TYPE_JOB);
}

static void
es_session_init (EsSession *self)
{
  self->datasets = g_list_store_new (ES_TYPE_DATASET);
  self->jobs = g_list_store_new (ES_TYPE_JOB);
  self->device_choice = es_device_choice_new ();
  self->under_way = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->results = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
  self->heirs = g_hash_table_new_full (NULL, NULL, g_object_unref, g_object_unref);
}

EsSession *
es_session_new (void)
{
  return g_object_new (ES_TYPE_SESSION, NULL);
}

EsDeviceChoice *
es_session_get_device_choice (EsSession *self)
{
  g_return_val_if_fail (ES_IS_SESSION (self), NULL);
  return self->device_choice;
}

GListModel *
es_session_get_datasets (EsSession *self)
{
  return G_LIST_MODEL (self->datasets);
}

GListModel *
es_session_get_jobs (EsSession *self)
{
  return G_LIST_MODEL (self->jobs);
}

static GListStore *
results_of (EsSession *self, EsDataset *dataset)
{
  return g_hash_table_lookup (self->results, dataset);
}

GListModel *
es_session_get_results (EsSession *self, EsDataset *dataset)
{
  return G_LIST_MODEL (results_of (self, dataset));
}

gboolean
es_session_is_under_way (EsSession *self, EsJob *job)
{
  return self->under_way != NULL && g_hash_table_contains (self->under_way, job);
}

guint
es_session_get_n_active (EsSession *self)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->jobs)); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);
      n += es_session_is_under_way (self, job);
    }
  return n;
}

static gboolean
same_samples (const EsRawSamples *a, const EsRawSamples *b)
{
  return a->channels == b->channels && a->rate == b->rate && g_strcmp0 (a->type, b->type) == 0
         && a->big_endian == b->big_endian && a->by_channel == b->by_channel && a->offset == b->offset
         && a->bands == b->bands && a->interleave == b->interleave;
}

static gboolean
same_device (EsDataset *a, EsDataset *b)
{
  const char *id_a = es_dataset_get_device_id (a);

  return id_a != NULL && g_strcmp0 (id_a, es_dataset_get_device_id (b)) == 0
         && g_strcmp0 (es_dataset_get_identity (a), es_dataset_get_identity (b)) == 0;
}

static gboolean
same_made (EsDataset *a, EsDataset *b)
{
  return es_dataset_get_made_name (a) != NULL && es_dataset_get_made_name (b) != NULL
         && g_strcmp0 (es_dataset_get_identity (a), es_dataset_get_identity (b)) == 0;
}

static gboolean
same_file (EsDataset *a, EsDataset *b)
{
  GFile *file_a = es_dataset_get_file (a), *file_b = es_dataset_get_file (b);
  const EsOpenOptions *told_a = es_dataset_get_options (a), *told_b = es_dataset_get_options (b);

  return g_strcmp0 (told_a->variable, told_b->variable) == 0 && g_strcmp0 (told_a->driver, told_b->driver) == 0
         && told_a->width == told_b->width
         && same_samples (&told_a->samples, &told_b->samples)
         && told_a->height == told_b->height && file_a != NULL && file_b != NULL && g_file_equal (file_a, file_b)
         && (g_strcmp0 (es_dataset_get_identity (a), es_dataset_get_identity (b)) == 0
             /* More has been written since; what is open has it, too. */
             || (ES_IS_RECORDING (a) && es_recording_is_growing (ES_RECORDING (a))));
}

EsDataset *
es_session_add_dataset (EsSession *self, EsDataset *dataset)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->datasets)); i++)
    {
      g_autoptr (EsDataset) other = g_list_model_get_item (G_LIST_MODEL (self->datasets), i);
      if (other == dataset || same_file (other, dataset) || same_device (other, dataset)
          || same_made (other, dataset))
        return other;
    }

  g_hash_table_insert (self->results, g_object_ref (dataset), g_list_store_new (ES_TYPE_RESULT));
  g_list_store_append (self->datasets, dataset);
  return dataset;
}

EsDataset *
es_session_get_current (EsSession *self, EsDataset *dataset)
{
  EsDataset *heir = self->heirs != NULL && dataset != NULL ? g_hash_table_lookup (self->heirs, dataset) : NULL;

  return heir != NULL ? heir : dataset;
}

void
es_session_replace_dataset (EsSession *self, EsDataset *old, EsDataset *dataset)
{
  g_autoptr (EsDataset) keep = g_object_ref (old);
  g_autoptr (GListStore) results = NULL;
  GHashTableIter iter;
  gpointer before, heir;
  guint position;

  g_return_if_fail (old != dataset);

  if (!g_list_store_find (self->datasets, old, &position))
    return;
  results = g_object_ref (results_of (self, old));
  g_hash_table_remove (self->results, old);
  g_hash_table_insert (self->results, g_object_ref (dataset), g_object_ref (results));
  g_hash_table_remove (self->heirs, dataset);
  g_hash_table_iter_init (&iter, self->heirs);
  while (g_hash_table_iter_next (&iter, &before, &heir))
    if (heir == old)
      g_hash_table_iter_replace (&iter, g_object_ref (dataset));
  g_hash_table_insert (self->heirs, g_object_ref (old), g_object_ref (dataset));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (results)); i++)
    {
      g_autoptr (EsResult) result = g_list_model_get_item (G_LIST_MODEL (results), i);

      es_result_move (result, dataset);
    }
  g_list_store_splice (self->datasets, position, 1, (gpointer *) &dataset, 1);
}

static void
forget_heirs (EsSession *self, EsDataset *dataset)
{
  GHashTableIter iter;
  gpointer heir;

  g_hash_table_iter_init (&iter, self->heirs);
  while (g_hash_table_iter_next (&iter, NULL, &heir))
    if (heir == dataset)
      g_hash_table_iter_remove (&iter);
}

/* An ended job keeps its result, and that its picture: they go together. result NULL: all of the data set's. */
static void
forget_jobs_of (EsSession *self, EsDataset *dataset, EsResult *result)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->jobs));)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);
      if (es_job_is_active (job) || es_session_get_current (self, es_job_get_dataset (job)) != dataset
          || (result != NULL && es_job_get_result (job) != result))
        i++;
      else
        g_list_store_remove (self->jobs, i);
    }
}

static void
cancel_jobs_of (EsSession *self, EsDataset *dataset)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->jobs)); i++)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);
      if (es_job_is_active (job)
          && (dataset == NULL || es_session_get_current (self, es_job_get_dataset (job)) == dataset))
        es_job_cancel (job);
    }
}

void
es_session_remove_dataset (EsSession *self, EsDataset *dataset)
{
  g_autoptr (EsDataset) keep = g_object_ref (dataset);
  guint position;

  if (!g_list_store_find (self->datasets, dataset, &position))
    return;
  cancel_jobs_of (self, dataset);
  g_list_store_remove (self->datasets, position);
  g_hash_table_remove (self->results, dataset);
  forget_jobs_of (self, dataset, NULL);
  forget_heirs (self, dataset);
}

/* Puts a result where the one that its job's replaces stood; appended where that has gone, or there is no job. */
static void
publish (EsSession *self, EsResult *result, EsJob *job)
{
  EsDataset *current = es_session_get_current (self, es_result_get_dataset (result));
  GListStore *results = results_of (self, current);
  EsResult *replaces = job != NULL ? es_job_get_replaces (job) : NULL;
  guint position;

  /* The data set may have been closed while the job ran its last tile. */
  if (results == NULL)
    return;
  /* Its cube has been told something else meanwhile. */
  if (current != es_result_get_dataset (result))
    es_result_move (result, current);
  if (replaces != NULL && g_list_store_find (results, replaces, &position))
    {
      g_list_store_splice (results, position, 1, (gpointer *) &result, 1);
      g_signal_emit (self, signals[RESULT_ADDED], 0, result, job);
      forget_jobs_of (self, es_result_get_dataset (result), replaces);
    }
  else if (!g_list_store_find (results, result, NULL))
    {
      g_list_store_append (results, result);
      g_signal_emit (self, signals[RESULT_ADDED], 0, result, job);
    }
}

void
es_session_add_result (EsSession *self, EsResult *result)
{
  publish (self, result, NULL);
}

EsDataset *
es_session_adopt_result (EsSession *self, EsResult *result)
{
  EsDataset *dataset = es_session_add_dataset (self, es_result_get_dataset (result));

  es_result_move (result, dataset);
  es_session_add_result (self, result);
  return dataset;
}

void
es_session_remove_result (EsSession *self, EsResult *result)
{
  GListStore *results = results_of (self, es_result_get_dataset (result));
  guint position;

  if (results == NULL || !g_list_store_find (results, result, &position))
    return;
  g_list_store_remove (results, position);
  forget_jobs_of (self, es_result_get_dataset (result), result);
}

static void
forget_old_jobs (EsSession *self)
{
  guint ended = g_list_model_get_n_items (G_LIST_MODEL (self->jobs)) - es_session_get_n_active (self);

  for (guint i = 0; ended > ENDED_JOBS_KEPT && i < g_list_model_get_n_items (G_LIST_MODEL (self->jobs));)
    {
      g_autoptr (EsJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);
      if (es_session_is_under_way (self, job))
        {
          i++;
          continue;
        }
      g_list_store_remove (self->jobs, i);
      ended--;
    }
}

static void
on_job_state (EsJob *job, GParamSpec *spec, EsSession *self)
{
  gboolean overtaken, replacing = es_job_get_replaces (job) != NULL;
  guint position;

  /* What the worker has done since this state was told is told with it, and once. */
  if (es_job_is_active (job) || self->jobs == NULL || !es_session_is_under_way (self, job))
    return;
  overtaken = GPOINTER_TO_INT (g_hash_table_lookup (self->under_way, job)) == OVERTAKEN;
  g_hash_table_remove (self->under_way, job);

  if (es_job_get_state (job) == ES_JOB_DONE && !overtaken)
    publish (self, es_job_get_result (job), job);
  else if (es_job_get_state (job) == ES_JOB_FAILED)
    g_signal_emit (self, signals[FAILED], 0, job);

  /* One whose GPU is lost may be repeated in the same place. */
  if (!es_job_failed_on_lost_device (job))
    es_job_set_replaces (job, NULL);
  if (results_of (self, es_session_get_current (self, es_job_get_dataset (job))) == NULL)
    forget_jobs_of (self, es_job_get_dataset (job), NULL);
  else if (es_job_get_state (job) == ES_JOB_DONE && overtaken)
    forget_jobs_of (self, es_session_get_current (self, es_job_get_dataset (job)), es_job_get_result (job));
  else if (es_job_get_state (job) == ES_JOB_CANCELLED && replacing
           && g_list_store_find (self->jobs, job, &position))
    g_list_store_remove (self->jobs, position);    /* one step of a drag: nothing to be told of */
  forget_old_jobs (self);
}

static void
overtake_jobs (EsSession *self, EsResult *replaces)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->jobs)); i++)
    {
      g_autoptr (EsJob) other = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);

      if (es_job_get_replaces (other) != replaces || !es_session_is_under_way (self, other))
        continue;
      g_hash_table_insert (self->under_way, g_object_ref (other), GINT_TO_POINTER (OVERTAKEN));
      if (es_job_is_active (other))
        es_job_cancel (other);
    }
}

EsJob *
es_session_make_job (EsSession *self, const EsOperation *operation, EsDataset *dataset, EsResult *source,
                     EsParams *params, EsDevice *device, EsResult *replaces)
{
  EsJob *job = es_job_new (operation, dataset, params, device, &self->limits, replaces);

  es_job_set_replaces (job, replaces);
  es_job_set_source (job, source);
  return job;
}

void
es_session_start_job (EsSession *self, EsJob *job)
{
  if (es_job_get_replaces (job) != NULL)
    overtake_jobs (self, es_job_get_replaces (job));
  g_signal_connect_object (job, "notify::state", G_CALLBACK (on_job_state), self, 0);
  g_hash_table_insert (self->under_way, g_object_ref (job), GINT_TO_POINTER (TO_PUBLISH));
  g_list_store_append (self->jobs, job);
  es_job_start (job);
}

/* The list keeps it. */
static EsJob *
start_run (EsSession *self, EsJob *made)
{
  g_autoptr (EsJob) job = made;

  es_session_start_job (self, job);
  return job;
}

EsJob *
es_session_run (EsSession *self, const EsOperation *operation, EsDataset *dataset, EsParams *params,
                EsDevice *device, EsResult *replaces)
{
  return start_run (self, es_session_make_job (self, operation, es_session_get_current (self, dataset), NULL, params,
                                               device, replaces));
}

EsJob *
es_session_run_on_result (EsSession *self, const EsOperation *operation, EsResult *source, EsParams *params,
                          EsDevice *device, EsResult *replaces)
{
  return start_run (self, es_session_make_job (self, operation, es_result_get_computed (source), source, params, device,
                                               replaces));
}

EsJob *
es_session_run_again (EsSession *self, EsResult *absent, EsResult *source, EsDevice *device)
{
  EsJob *job = es_session_make_job (self, es_result_get_operation (absent), es_result_get_computed (absent), source,
                                    es_result_get_params (absent), device, absent);

  if (source == NULL && json_object_has_member (es_result_get_values (absent), "selection"))
    es_job_take_selection (job, absent);
  return start_run (self, job);
}

EsJob *
es_session_repeat (EsSession *self, EsJob *failed, EsDevice *device)
{
  EsResult *source = es_job_failed_on_lost_device (failed) ? es_job_get_source (failed) : NULL;
  g_autoptr (EsResult) replaces = NULL;
  EsJob *job;

  if (results_of (self, es_session_get_current (self, es_job_get_dataset (failed))) == NULL)
    return NULL;
  g_set_object (&replaces, es_job_get_replaces (failed));
  es_job_set_replaces (failed, NULL);
  job = es_session_make_job (self, es_job_get_operation (failed), es_job_get_dataset (failed), source,
                             es_job_get_params (failed), device, replaces);
  es_job_repeat_selection (job, failed);
  return start_run (self, job);
}

void
es_session_set_cpu_fallback (EsSession *self, gboolean cpu_fallback)
{
  self->limits.cpu_fallback = cpu_fallback;
}

void
es_session_set_device_memory (EsSession *self, guint64 bytes)
{
  self->limits.device_memory = bytes;
}

void
es_session_cancel_all (EsSession *self)
{
  cancel_jobs_of (self, NULL);
}
