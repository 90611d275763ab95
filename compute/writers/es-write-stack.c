/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-write-stack-private.h"

#define SLICE_BYTES (4 << 20)

gboolean
es_stack_job_get_georeference (const EsStackJob *job, const double **transform, const char **projection)
{
  if (job->dataset == NULL || !ES_IS_CUBE (job->dataset))
    return FALSE;

  EsCube *cube = ES_CUBE (job->dataset);
  *transform = es_cube_get_geotransform (cube);
  *projection = es_cube_get_projection (cube);
  return *transform != NULL
         && es_cube_get_width (cube) == es_image_stack_get_width (job->stack)
         && es_cube_get_height (cube) == es_image_stack_get_height (job->stack);
}

gboolean
es_stack_job_step (const EsStackJob *job, guint plane, guint64 rows, GError **error)
{
  double planes = es_image_stack_get_planes (job->stack);
  double height = es_image_stack_get_height (job->stack);

  if (job->progress != NULL)
    job->progress ((plane + rows / height) / planes, job->data);
  return g_cancellable_set_error_if_cancelled (job->cancellable, error);
}

guint64
es_stack_job_rows (const EsStackJob *job)
{
  guint64 height = es_image_stack_get_height (job->stack);
  guint64 rows = SLICE_BYTES / sizeof (float) / es_image_stack_get_width (job->stack);

  return CLAMP (rows, 1, height);
}

gboolean
es_write_image_stack (EsImageStack *stack, EsDataset *dataset, const char *description, EsStackFormat format,
                      GFile *target, void (*progress) (double fraction, gpointer data), gpointer data,
                      GCancellable *cancellable, GError **error)
{
  EsStackJob job = { stack, dataset, description, progress, data, cancellable };
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);

  if (path == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (format == ES_STACK_GEOTIFF ? !es_write_stack_geotiff (&job, path, outputs, error)
                                 : !es_write_stack_envi (&job, path, outputs, error))
    return FALSE;
  return es_outputs_commit (outputs, error);
}
