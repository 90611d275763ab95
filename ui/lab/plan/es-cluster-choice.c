/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-choice.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-task.h"
#include "operations/es-operations.h"
#include "plan/es-cluster-figures.h"
#include "plan/es-planned-data.h"
#include "recording/es-recording.h"

#define USUAL_CUBE "50000x50000x200:int16"
#define USUAL_RECORDING "64x3600s@4000:int16"
#define USUAL_ARRAY "line:64,0.75"
#define USUAL_CLUSTER "sixty-four"
#define HERE "here"
#define UPDATE_MS 30

struct _EsClusterChoice
{
  GObject            parent_instance;

  const EsOperation *operation;
  GHashTable        *params;         /* id -> EsParams: of what was chosen before, too */
  EsDataset         *dataset;        /* nullable */
  char              *cube, *recording, *array;   /* shapes */

  char              *source;
  EsCluster         *told;           /* as its file has it; nullable */
  EsParams          *figures;        /* nullable */
  char              *no_cluster;     /* why there is none */
  GCancellable      *measuring;      /* nullable */

  EsCluster         *cluster;        /* with its changed figures */
  EsClusterWork     *work;
  EsClusterPlan     *plan;
  char              *fault;
  guint              update_source;
};

G_DEFINE_FINAL_TYPE (EsClusterChoice, es_cluster_choice, G_TYPE_OBJECT)

enum { CHANGED, PARAMETERS, FIGURES, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- the plan ---- */

static EsDataset *
make_data (EsClusterChoice *self, GError **error)
{
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (EsArray) array = NULL;

  if (self->dataset != NULL)
    return g_object_ref (self->dataset);
  dataset = es_planned_data_new (es_cluster_choice_get_shape (self), error);
  if (dataset == NULL || !ES_IS_RECORDING (dataset) || *self->array == '\0')
    return g_steal_pointer (&dataset);
  if ((array = es_array_parse (self->array, error)) == NULL)
    return NULL;
  es_recording_set_array (ES_RECORDING (dataset), array);
  return g_steal_pointer (&dataset);
}

static void
clear_plan (EsClusterChoice *self)
{
  g_clear_pointer (&self->plan, es_cluster_plan_free);
  g_clear_pointer (&self->work, es_cluster_work_free);
  g_clear_pointer (&self->cluster, es_cluster_free);
  g_clear_pointer (&self->fault, g_free);
}

static void
make_plan (EsClusterChoice *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (EsDataset) dataset = NULL;

  clear_plan (self);
  if (self->told == NULL)
    {
      self->fault = g_strdup (self->no_cluster != NULL ? self->no_cluster : _("No cluster has been chosen."));
      return;
    }
  self->cluster = es_cluster_figures_apply (self->figures, self->told);
  dataset = make_data (self, &error);
  if (dataset != NULL)
    self->work = es_cluster_work_new (self->operation->id, dataset, es_cluster_choice_get_params (self), self->cluster,
                                      0, &error);
  if (self->work != NULL)
    self->plan = es_cluster_plan_new (self->work, self->cluster);
  else
    self->fault = g_strdup (error->message);
}

static void
update_now (EsClusterChoice *self)
{
  g_clear_handle_id (&self->update_source, g_source_remove);
  make_plan (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static gboolean
on_update (gpointer data)
{
  EsClusterChoice *self = data;

  self->update_source = 0;
  update_now (self);
  return G_SOURCE_REMOVE;
}

/* While something is dragged the plan follows, but not each pixel. */
static void
update (EsClusterChoice *self)
{
  if (self->update_source == 0)
    self->update_source = g_timeout_add (UPDATE_MS, on_update, self);
}

/* ---- what is analysed ---- */

EsDatasetKind
es_cluster_choice_get_takes (EsClusterChoice *self)
{
  return self->operation->takes;
}

const char *
es_cluster_choice_get_operation (EsClusterChoice *self)
{
  return self->operation->id;
}

EsParams *
es_cluster_choice_get_params (EsClusterChoice *self)
{
  EsParams *params = g_hash_table_lookup (self->params, self->operation->id);

  if (params != NULL)
    return params;
  params = es_params_new (self->operation->params);
  g_signal_connect_object (params, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_hash_table_insert (self->params, (gpointer) self->operation->id, params);
  return params;
}

void
es_cluster_choice_set_operation (EsClusterChoice *self, const char *id)
{
  const EsOperation *operation = es_operation_find (id, NULL);

  g_return_if_fail (ES_IS_CLUSTER_CHOICE (self) && operation != NULL);

  if (operation == self->operation)
    return;
  self->operation = operation;
  if (self->dataset != NULL && (es_dataset_get_kind (self->dataset) & operation->takes) == 0)
    g_clear_object (&self->dataset);
  g_signal_emit (self, signals[PARAMETERS], 0);
  update_now (self);
}

void
es_cluster_choice_set_dataset (EsClusterChoice *self, EsDataset *dataset)
{
  g_return_if_fail (ES_IS_CLUSTER_CHOICE (self));

  if (g_set_object (&self->dataset, dataset))
    update_now (self);
}

EsDataset *
es_cluster_choice_get_dataset (EsClusterChoice *self)
{
  return self->dataset;
}

static char **
find_shape (EsClusterChoice *self)
{
  return self->operation->takes & ES_DATASET_CUBE ? &self->cube : &self->recording;
}

static void
set_text (EsClusterChoice *self, char **text, const char *to)
{
  g_autofree char *stripped = g_strstrip (g_strdup (to));

  if (g_strcmp0 (*text, stripped) == 0)
    return;
  g_free (*text);
  *text = g_steal_pointer (&stripped);
  update (self);
}

void
es_cluster_choice_set_shape (EsClusterChoice *self, const char *shape)
{
  g_return_if_fail (ES_IS_CLUSTER_CHOICE (self));
  set_text (self, find_shape (self), shape);
}

const char *
es_cluster_choice_get_shape (EsClusterChoice *self)
{
  return *find_shape (self);
}

void
es_cluster_choice_set_array (EsClusterChoice *self, const char *array)
{
  g_return_if_fail (ES_IS_CLUSTER_CHOICE (self));
  set_text (self, &self->array, array);
}

const char *
es_cluster_choice_get_array (EsClusterChoice *self)
{
  return self->array;
}

/* ---- the cluster ---- */

/* Takes the cluster. */
static void
take_cluster (EsClusterChoice *self, EsCluster *cluster, const char *source, const char *fault)
{
  g_autofree char *kept = g_strdup (source), *why = g_strdup (fault);

  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  g_clear_pointer (&self->told, es_cluster_free);
  g_clear_object (&self->figures);
  g_free (self->source);
  g_free (self->no_cluster);
  self->source = g_steal_pointer (&kept);
  self->no_cluster = g_steal_pointer (&why);
  self->told = cluster;
  if (cluster != NULL)
    {
      self->figures = es_cluster_figures_new (cluster);
      g_signal_connect_object (self->figures, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
    }
  g_signal_emit (self, signals[FIGURES], 0);
  update_now (self);
}

void
es_cluster_choice_set_cluster (EsClusterChoice *self, EsCluster *cluster, const char *source)
{
  g_return_if_fail (ES_IS_CLUSTER_CHOICE (self) && cluster != NULL);
  take_cluster (self, cluster, source, NULL);
}

const EsCluster *
es_cluster_choice_get_told (EsClusterChoice *self)
{
  return self->told;
}

void
es_cluster_choice_set_installed (EsClusterChoice *self, const char *name)
{
  g_autoptr (GFile) file = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *fault = NULL;
  EsCluster *cluster;

  g_return_if_fail (ES_IS_CLUSTER_CHOICE (self));

  file = es_cluster_find_installed (name);
  cluster = file != NULL ? es_cluster_load (file, &error) : NULL;
  fault = file == NULL ? g_strdup_printf (_("No cluster “%s” is installed."), name)
          : g_strdup (error != NULL ? error->message : NULL);
  take_cluster (self, cluster, name, fault);
}

gboolean
es_cluster_choice_load (EsClusterChoice *self, GFile *file, GError **error)
{
  EsCluster *cluster = es_cluster_load (file, error);

  if (cluster != NULL)
    take_cluster (self, cluster, "", NULL);
  return cluster != NULL;
}

static void
measure (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_autoptr (EsCluster) cluster = es_cluster_new_here (1, 0);
  GError *error = NULL;

  if (es_cluster_measure_network (cluster, &error) && es_cluster_measure_speeds (cluster, &error))
    g_task_return_pointer (task, g_steal_pointer (&cluster), (GDestroyNotify) es_cluster_free);
  else
    g_task_return_error (task, error);
}

static void
on_measured (GObject *source, GAsyncResult *result, gpointer data)
{
  EsClusterChoice *self = ES_CLUSTER_CHOICE (source);
  g_autoptr (GError) error = NULL;
  EsCluster *cluster = g_task_propagate_pointer (G_TASK (result), &error);

  /* Another one was chosen meanwhile. */
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  take_cluster (self, cluster, HERE, error != NULL ? error->message : NULL);
}

void
es_cluster_choice_set_here (EsClusterChoice *self)
{
  g_autoptr (GTask) task = NULL;

  g_return_if_fail (ES_IS_CLUSTER_CHOICE (self));

  take_cluster (self, NULL, HERE, _("How fast this machine and its network are is being measured…"));
  self->measuring = g_cancellable_new ();
  task = g_task_new (self, self->measuring, on_measured, NULL);
  g_task_set_source_tag (task, es_cluster_choice_set_here);
  es_task_run_in_thread (task, measure);
  g_signal_emit (self, signals[CHANGED], 0);
}

gboolean
es_cluster_choice_is_measuring (EsClusterChoice *self)
{
  return self->measuring != NULL;
}

const char *
es_cluster_choice_get_source (EsClusterChoice *self)
{
  return self->source;
}

const char *
es_cluster_choice_get_name (EsClusterChoice *self)
{
  return self->told != NULL ? self->told->name : NULL;
}

EsParams *
es_cluster_choice_get_figures (EsClusterChoice *self)
{
  return self->figures;
}

const EsCluster *
es_cluster_choice_get_cluster (EsClusterChoice *self)
{
  return self->cluster;
}

const EsClusterPlan *
es_cluster_choice_get_plan (EsClusterChoice *self)
{
  return self->plan;
}

const char *
es_cluster_choice_get_fault (EsClusterChoice *self)
{
  return self->fault;
}

/* ---- the class ---- */

static void
es_cluster_choice_dispose (GObject *object)
{
  EsClusterChoice *self = ES_CLUSTER_CHOICE (object);

  g_clear_handle_id (&self->update_source, g_source_remove);
  if (self->measuring != NULL)
    g_cancellable_cancel (self->measuring);
  g_clear_object (&self->measuring);
  clear_plan (self);
  g_clear_pointer (&self->told, es_cluster_free);
  g_clear_object (&self->figures);
  g_clear_object (&self->dataset);
  g_clear_pointer (&self->params, g_hash_table_unref);
  G_OBJECT_CLASS (es_cluster_choice_parent_class)->dispose (object);
}

static void
es_cluster_choice_finalize (GObject *object)
{
  EsClusterChoice *self = ES_CLUSTER_CHOICE (object);

  g_free (self->cube);
  g_free (self->recording);
  g_free (self->array);
  g_free (self->source);
  g_free (self->no_cluster);
  G_OBJECT_CLASS (es_cluster_choice_parent_class)->finalize (object);
}

static void
es_cluster_choice_class_init (EsClusterChoiceClass *class)
{
  G_OBJECT_CLASS (class)->dispose = es_cluster_choice_dispose;
  G_OBJECT_CLASS (class)->finalize = es_cluster_choice_finalize;
  signals[CHANGED] = g_signal_new ("changed", ES_TYPE_CLUSTER_CHOICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
  signals[PARAMETERS] = g_signal_new ("parameters", ES_TYPE_CLUSTER_CHOICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 0);
  signals[FIGURES] = g_signal_new ("figures", ES_TYPE_CLUSTER_CHOICE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 0);
}

static void
es_cluster_choice_init (EsClusterChoice *self)
{
  self->operation = es_operation_find (es_cluster_work_list ()[0], NULL);
  self->params = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_object_unref);
  self->cube = g_strdup (USUAL_CUBE);
  self->recording = g_strdup (USUAL_RECORDING);
  self->array = g_strdup (USUAL_ARRAY);
  es_cluster_choice_set_installed (self, USUAL_CLUSTER);
}

EsClusterChoice *
es_cluster_choice_new (void)
{
  return g_object_new (ES_TYPE_CLUSTER_CHOICE, NULL);
}
