/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-write-stack-private.h"

#include <glib/gi18n-lib.h>

#include "base/es-error.h"
#include "es-companion-internal.h"
#include "es-strays-internal.h"
#include "layer/es-layer-internal.h"

#define SLICE_BYTES (4 << 20)
/* Of all planes at once. */
#define COMPUTED_BYTES ((guint64) 8 << 20)

gboolean
es_stack_job_get_georeference (const EsStackJob *job, const double **transform, const char **projection)
{
  if (job->dataset == NULL || !ES_IS_CUBE (job->dataset))
    return FALSE;

  EsCube *cube = ES_CUBE (job->dataset);
  *transform = es_cube_get_geotransform (cube);
  *projection = es_write_knows_projection (cube) ? es_cube_get_projection (cube) : NULL;
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

/* NULL: there is no memory. */
static float *
make_buffer (const EsStackJob *job, guint64 rows, guint64 row_samples, GError **error)
{
  float *buffer = g_try_new (float, rows * row_samples);

  if (buffer == NULL)
    g_set_error (error, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY,
                 _("There is no memory for %llu rows of the layer “%s”."), (unsigned long long) rows,
                 es_layer_get_title (ES_LAYER (job->stack)));
  return buffer;
}

static guint64
round_up (guint64 rows, guint64 multiple, guint64 height)
{
  return MIN ((rows + multiple - 1) / multiple * multiple, height);
}

static gboolean
read_all_planes (EsImageStack *stack, guint64 y, guint64 rows, float *out, GError **error)
{
  const guint64 width = es_image_stack_get_width (stack);

  if (es_image_stack_has_read_rows (stack))
    return es_image_stack_read_rows (stack, y, rows, out, error);
  for (guint plane = 0; plane < es_image_stack_get_planes (stack); plane++)
    if (!es_image_stack_read (stack, plane, 0, y, width, rows, 1, out + plane * rows * width, error))
      return FALSE;
  return TRUE;
}

static gboolean
for_all_planes (const EsStackJob *job, guint64 rows_multiple, EsStackWriteTogether write, gpointer data,
                GError **error)
{
  EsImageStack *stack = job->stack;
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  const guint planes = es_image_stack_get_planes (stack);
  const guint64 slice = round_up (CLAMP (COMPUTED_BYTES / sizeof (float) / width / planes, 1, height), rows_multiple,
                                  height);
  g_autofree float *buffer = make_buffer (job, slice, width * planes, error);

  if (buffer == NULL)
    return FALSE;
  for (guint64 y = 0; y < height; y += slice)
    {
      const guint64 rows = MIN (slice, height - y);

      if (!read_all_planes (stack, y, rows, buffer, error) || !write (data, y, rows, buffer, error))
        return FALSE;
      if (job->progress != NULL)
        job->progress ((double) (y + rows) / height, job->data);
      if (g_cancellable_set_error_if_cancelled (job->cancellable, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
es_stack_job_for_all_planes (const EsStackJob *job, EsStackWriteTogether write, gpointer data, GError **error)
{
  return for_all_planes (job, 1, write, data, error);
}

typedef struct
{
  EsImageStack    *stack;
  EsStackWriteRows write;
  gpointer         data;
} OneByOne;

static gboolean
write_one_by_one (gpointer data, guint64 y, guint64 rows, const float *values, GError **error)
{
  const OneByOne *way = data;

  for (guint plane = 0; plane < es_image_stack_get_planes (way->stack); plane++)
    if (!way->write (way->data, plane, y, rows, values + plane * rows * es_image_stack_get_width (way->stack), error))
      return FALSE;
  return TRUE;
}

gboolean
es_stack_job_for_rows (const EsStackJob *job, guint64 rows_multiple, EsStackWriteRows write, gpointer data,
                       GError **error)
{
  EsImageStack *stack = job->stack;
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  const guint64 slice = round_up (es_stack_job_rows (job), rows_multiple, height);
  g_autofree float *buffer = NULL;

  if (es_image_stack_has_read_rows (stack))
    return for_all_planes (job, rows_multiple, write_one_by_one, &(OneByOne) { stack, write, data }, error);
  for (guint plane = 0; plane < es_image_stack_get_planes (stack); plane++)
    for (guint64 y = 0; y < height; y += slice)
      {
        const guint64 rows = MIN (slice, height - y);
        const float *values = es_image_stack_get_host (stack, plane);

        if (values != NULL)
          values += y * width;
        else
          {
            if (buffer == NULL && (buffer = make_buffer (job, slice, width, error)) == NULL)
              return FALSE;
            if (!es_image_stack_read (stack, plane, 0, y, width, rows, 1, buffer, error))
              return FALSE;
            values = buffer;
          }
        if (!write (data, plane, y, rows, values, error) || es_stack_job_step (job, plane, y + rows, error))
          return FALSE;
      }
  return TRUE;
}

static void
keep_file (const char *path, gpointer stack)
{
  es_image_stack_keep_file (stack, path);
}

gboolean
es_stack_job_adopt (const EsStackJob *job, const char *path, EsOutputs *outputs)
{
  EsImageStack *stack = job->stack;
  const char *file = es_image_stack_get_format (stack) == job->format ? es_image_stack_get_path (stack) : NULL;

  return es_outputs_adopt (outputs, path, file, keep_file, g_object_ref (stack), g_object_unref);
}

gboolean
es_write_stack (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error)
{
  switch (job->format)
    {
    case ES_STACK_GEOTIFF:
      return es_write_stack_geotiff (job, path, outputs, error);
    case ES_STACK_HDF5:
      return es_write_stack_hdf5 (job, path, outputs, error);
    case ES_STACK_ENVI:
    case ES_STACK_BIL:
    case ES_STACK_BIP:
    default:
      return es_write_stack_envi (job, path, outputs, error);
    }
}

gboolean
es_write_image_stack (EsImageStack *stack, EsDataset *dataset, const char *description, EsStackFormat format,
                      GFile *target, void (*progress) (double fraction, gpointer data), gpointer data,
                      GPtrArray *notes, GCancellable *cancellable, GError **error)
{
  g_autoptr (GPtrArray) strays = g_ptr_array_new_with_free_func (g_free);
  EsStackJob job = { stack, format, dataset, description, progress, data, cancellable, es_companion_is_agreed (target),
                     .strays = strays };
  g_autoptr (EsOutputs) outputs = es_outputs_new ();
  g_autofree char *path = es_output_local_path (target, error);

  if (path == NULL || g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (!es_write_stack (&job, path, outputs, error)
      || !es_outputs_commit (outputs, error))
    {
      es_kept_forget (strays);
      return FALSE;
    }
  if (notes != NULL && strays->len > 0)
    g_ptr_array_add (notes, es_strays_tell (strays));
  return TRUE;
}
