/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Clusters as files, and shapes of data that are only planned: an input is a file, and behind "=== shape" a shape. */

#include <math.h>

#include "es-fuzz.h"
#include "operations/es-operations.h"
#include "plan/es-cluster-plan.h"
#include "plan/es-planned-data.h"

/* Whatever the figures, times are numbers, and their parts come to the whole. */
static void
look_at_plan (const EsCluster *cluster, EsDataset *dataset, const char *operation)
{
  g_autoptr (EsParams) params = es_params_new (es_operation_find (operation, NULL)->params);
  g_autoptr (GError) error = NULL;
  g_autoptr (EsClusterWork) work = es_cluster_work_new (operation, dataset, params, cluster, 0, &error);

  if (work == NULL)
    {
      es_fuzz_check_error (error);
      return;
    }
  for (guint nodes = 1; nodes <= ES_CLUSTER_MOST_NODES; nodes = 10 * nodes)
    {
      const EsClusterTime time = es_cluster_plan_time (work, cluster, nodes, NULL);
      double all = 0;

      for (guint c = 0; c < ES_N_CLUSTER_CAUSES; c++)
        {
          g_assert_true (time.of[c] >= 0);
          all += time.of[c];
        }
      g_assert_true (isfinite (time.seconds) && fabs (all - time.seconds) <= 1e-9 * all);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const char *at = (const char *) data, *end = at + size;
  g_autoptr (EsCluster) cluster = NULL;
  g_autoptr (EsDataset) dataset = NULL;
  g_autoptr (GError) error = NULL;
  EsFuzzPart part;

  if (!es_fuzz_next_part (&at, end, &part))
    return 0;
  g_autofree char *path = es_fuzz_write ("cluster.json", part.bytes, part.length);
  g_autoptr (GFile) file = g_file_new_for_path (path);

  cluster = es_cluster_load (file, &error);
  if (cluster == NULL)
    es_fuzz_check_error (error);
  g_clear_error (&error);
  if (es_fuzz_next_part (&at, end, &part))
    {
      g_autofree char *shape = g_utf8_make_valid (part.bytes, part.length);

      dataset = es_planned_data_new (g_strchomp (shape), &error);
      if (dataset == NULL)
        es_fuzz_check_error (error);
    }
  if (cluster != NULL && dataset != NULL)
    look_at_plan (cluster, dataset, es_dataset_get_kind (dataset) == ES_DATASET_CUBE ? "fastica" : "lofar");
  return 0;
}
