/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-cluster-work.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "cube/es-cube-internal.h"
#include "es-cluster-work-private.h"
#include "recording/es-recording-internal.h"

void
es_cluster_work_free (EsClusterWork *self)
{
  if (self == NULL)
    return;
  g_free (self->data);
  g_free (self->steps);
  g_free (self);
}

static gboolean
is_one_of (const char *operation, const char *words)
{
  g_auto (GStrv) known = g_strsplit (words, " ", -1);

  return g_strv_contains ((const char *const *) known, operation);
}

const char *const *
es_cluster_work_list (void)
{
  static const char *const list[] = { "pca", "mnf", "fastica", "cbf", "mvdr", "lofar", "demon", NULL };

  return list;
}

static gboolean
add_steps (GArray *steps, const char *operation, EsDataset *dataset, EsParams *params, const EsCluster *cluster,
           guint expected, GError **error)
{
  const gboolean of_cube = is_one_of (operation, "pca mnf fastica");

  if (!of_cube && !is_one_of (operation, "cbf mvdr lofar demon"))
    {
      g_autofree char *known = g_strjoinv (", ", (char **) es_cluster_work_list ());

      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION,
                   _("“%s” cannot be planned: expected one of %s."), operation, known);
      return FALSE;
    }
  if (of_cube ? !ES_IS_CUBE (dataset) : !ES_IS_RECORDING (dataset))
    {
      g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_OPERATION,
                   of_cube ? _("“%s” works on a cube, and this is none.") : _("“%s” works on a recording, and this is "
                                                                              "none."), operation);
      return FALSE;
    }
  if (strcmp (operation, "pca") == 0)
    _es_cluster_add_pca (steps, ES_CUBE (dataset), params);
  else if (strcmp (operation, "mnf") == 0)
    _es_cluster_add_mnf (steps, ES_CUBE (dataset), params);
  else if (strcmp (operation, "fastica") == 0)
    _es_cluster_add_fastica (steps, ES_CUBE (dataset), params, cluster, expected);
  else if (strcmp (operation, "lofar") == 0)
    return _es_cluster_add_lofar (steps, ES_RECORDING (dataset), params, error);
  else if (strcmp (operation, "demon") == 0)
    return _es_cluster_add_demon (steps, ES_RECORDING (dataset), params, error);
  else
    return _es_cluster_add_beams (steps, ES_RECORDING (dataset), params, error);
  return TRUE;
}

static double
count_bytes (EsDataset *dataset)
{
  EsRecording *recording;

  if (ES_IS_CUBE (dataset))
    return (double) es_cube_get_bytes (ES_CUBE (dataset));
  recording = ES_RECORDING (dataset);
  return (double) es_recording_get_frames (recording) * es_recording_get_n_channels (recording)
         * (double) esk_type_size (es_recording_get_type_code (recording));
}

EsClusterWork *
es_cluster_work_new (const char *operation, EsDataset *dataset, EsParams *params, const EsCluster *cluster,
                     guint steps, GError **error)
{
  g_autoptr (GArray) made = g_array_new (FALSE, TRUE, sizeof (EsClusterStep));
  EsClusterWork *self;

  if (!add_steps (made, operation, dataset, params, cluster, steps > 0 ? steps : ES_CLUSTER_STEPS, error))
    return NULL;
  self = g_new0 (EsClusterWork, 1);
  self->operation = g_intern_string (operation);
  self->data = es_dataset_describe (dataset);
  self->bytes = count_bytes (dataset);
  self->n = made->len;
  self->steps = (EsClusterStep *) g_array_free (g_steal_pointer (&made), FALSE);
  return self;
}

/* A step alone, or its share of what ran beside others. */
static double
measured_rate (const EsStageTime *stage)
{
  const double ms = stage->work.busy_ms > 0 ? stage->work.busy_ms : stage->ms;

  return ms > 0 ? 1e3 * stage->work.operations / ms : 0;
}

gboolean
es_cluster_work_take_measured (EsClusterWork *self, const EsStageTime *stages, guint n, guint threads,
                               const EsCluster *cluster)
{
  gboolean any = FALSE;

  for (guint i = 0; i < self->n; i++)
    for (guint j = 0; j < n; j++)
      {
        EsClusterStep *step = &self->steps[i];
        const guint used = step->threads > 0 ? step->threads : threads;
        const double rate = strcmp (step->name, stages[j].name) == 0 ? measured_rate (&stages[j]) : 0;

        if (!(rate > 0))
          continue;
        step->reach_cpu = rate / used / (cluster->host.operations[step->type] / cluster->threads);
        memset (step->parts, 0, sizeof step->parts);
        any = TRUE;
      }
  return any;
}
