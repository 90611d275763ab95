/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-test-cube.h"

#include <glib/gstdio.h>

#include "readers/es-open.h"
#include "operations/es-operations.h"

EsTestCube *
es_test_cube_new (void)
{
  EsTestCube *self = g_new0 (EsTestCube, 1);
  g_autoptr (EsParams) params = es_params_new (es_simulate_cube_params);
  g_autoptr (GError) error = NULL;
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL;
  EsDataset *dataset;

  self->folder = g_dir_make_tmp ("eigenscope-views-XXXXXX", &error);
  g_assert_no_error (error);
  path = g_build_filename (self->folder, "scene.img", NULL);
  file = g_file_new_for_path (path);

  es_params_set_value (params, "width", 96);
  es_params_set_value (params, "height", 80);
  es_params_set_value (params, "bands", 60);
  es_params_set_value (params, "seed", 7);
  es_simulate_cube (file, params, NULL, NULL, NULL, &error);
  g_assert_no_error (error);

  dataset = es_dataset_open (file, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (ES_IS_CUBE (dataset));
  self->cube = ES_CUBE (dataset);
  return self;
}

void
es_test_cube_free (EsTestCube *self)
{
  g_autoptr (GDir) folder = g_dir_open (self->folder, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->folder, name, NULL);

      g_unlink (path);
    }
  g_rmdir (self->folder);
  g_clear_object (&self->cube);
  g_free (self->folder);
  g_free (self);
}

EsResult *
es_test_cube_pca (EsTestCube *self, double threshold, EsResult *previous)
{
  g_autoptr (GError) error = NULL;
  const EsOperation *operation = es_operation_find ("pca", &error);
  g_autoptr (EsParams) params = NULL;
  g_autoptr (EsJob) job = NULL;
  EsResult *result;

  g_assert_no_error (error);
  params = es_params_new (operation->params);
  es_params_set_value (params, "threshold", threshold);
  job = es_job_new (operation, ES_DATASET (self->cube), params, es_device_get_cpu (), NULL, previous);
  result = es_job_run (job, &error);
  g_assert_no_error (error);
  return result;
}
