/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-envi-text-private.h"
#include "es-file-private.h"
#include "es-write-stack-private.h"

static GString *
make_header (const EsStackJob *job)
{
  EsImageStack *stack = job->stack;
  const guint planes = es_image_stack_get_planes (stack);
  GString *header = g_string_new ("ENVI\n");
  g_autofree const char **names = g_new0 (const char *, planes);
  const char *title = es_layer_get_title (ES_LAYER (stack));
  const char *description = job->description != NULL ? job->description : title;
  const double *transform;
  const char *projection;

  if (description != NULL)
    es_envi_append_text (header, "description", description);
  g_string_append_printf (header,
                          "samples = %" G_GUINT64_FORMAT "\n"
                          "lines = %" G_GUINT64_FORMAT "\n"
                          "bands = %u\n"
                          "header offset = 0\n"
                          "file type = ENVI Standard\n"
                          "data type = 4\n"
                          "interleave = bsq\n"
                          "byte order = %d\n"
                          "data ignore value = nan\n",
                          es_image_stack_get_width (stack), es_image_stack_get_height (stack), planes,
                          G_BYTE_ORDER == G_BIG_ENDIAN ? 1 : 0);
  if (es_image_stack_get_unit (stack) != NULL)
    es_envi_append_text (header, "data units", es_image_stack_get_unit (stack));
  for (guint i = 0; i < planes; i++)
    names[i] = es_image_stack_get_plane_title (stack, i);
  es_envi_append_names (header, "band names", names, planes);

  if (es_stack_job_get_georeference (job, &transform, &projection)
      && !es_envi_append_georeference (header, transform, projection))
    g_string_append (header, "; The georeference has a shear, which an ENVI header cannot express.\n");
  return header;
}

static gboolean
write_planes (const EsStackJob *job, const EsOutput *output, GError **error)
{
  EsImageStack *stack = job->stack;
  const guint64 width = es_image_stack_get_width (stack), height = es_image_stack_get_height (stack);
  const guint64 slice = es_stack_job_rows (job);
  const gsize plane_bytes = width * height * sizeof (float);
  g_autofree float *buffer = NULL;

  if (!es_file_reserve (output->fd, output->path, plane_bytes * es_image_stack_get_planes (stack), error))
    return FALSE;

  for (guint plane = 0; plane < es_image_stack_get_planes (stack); plane++)
    for (guint64 y = 0; y < height; y += slice)
      {
        guint64 rows = MIN (slice, height - y);
        const float *values = es_image_stack_get_host (stack, plane);

        if (values != NULL)
          values += y * width;
        else
          {
            if (buffer == NULL)
              buffer = g_new (float, slice * width);
            if (!es_image_stack_read (stack, plane, 0, y, width, rows, 1, buffer, error))
              return FALSE;
            values = buffer;
          }
        if (!es_file_write_at (output->fd, output->path, values, rows * width * sizeof (float),
                               plane * plane_bytes + y * width * sizeof (float), error)
            || es_stack_job_step (job, plane, y + rows, error))
          return FALSE;
      }
  return TRUE;
}

gboolean
es_write_stack_envi (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error)
{
  g_autofree char *data_path = NULL, *header_path = NULL;
  const EsOutput *output;

  es_envi_paths (path, &data_path, &header_path, NULL);

  if (es_outputs_add_stack (outputs, job->stack, data_path))
    {
      if (es_stack_job_step (job, es_image_stack_get_planes (job->stack), 0, error))
        return FALSE;
    }
  else
    {
      output = es_outputs_add (outputs, data_path, FALSE, error);
      if (output == NULL || !write_planes (job, output, error))
        return FALSE;
    }

  output = es_outputs_add (outputs, header_path, FALSE, error);
  if (output == NULL)
    return FALSE;

  g_autoptr (GString) header = make_header (job);
  return es_file_write (output->fd, output->path, header->str, header->len, error);
}
