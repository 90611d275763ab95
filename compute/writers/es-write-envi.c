/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "es-companion-internal.h"
#include "es-envi-text-internal.h"
#include "base/es-file-internal.h"
#include "base/es-text-internal.h"
#include "es-strays-internal.h"
#include "es-write-stack-private.h"
#include "layer/es-layer-internal.h"

static GString *
make_header (const EsStackJob *job)
{
  EsImageStack *stack = job->stack;
  const guint planes = es_image_stack_get_planes (stack);
  GString *header = g_string_new ("ENVI\n");
  g_autofree const char **names = g_new0 (const char *, planes);
  const char *title = es_layer_get_title (ES_LAYER (stack));
  const char *description = job->description != NULL ? job->description : title;
  const double *transform, *wavelengths = es_image_stack_get_wavelengths (stack);
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
  if (wavelengths != NULL)
    {
      g_string_append (header, "wavelength units = Nanometers\nwavelength = {");
      for (guint i = 0; i < planes; i++)
        {
          g_string_append (header, i == 0 ? "\n " : ",\n ");
          es_text_append_number (header, wavelengths[i]);
        }
      g_string_append (header, "}\n");
    }

  if (es_stack_job_get_georeference (job, &transform, &projection)
      && !es_envi_append_georeference (header, transform, projection))
    g_string_append (header, "; The georeference has a shear, which an ENVI header cannot express.\n");
  return header;
}

typedef struct
{
  const EsOutput *output;
  guint64         width, height;
} Target;

static gboolean
write_rows (gpointer data, guint plane, guint64 y, guint64 rows, const float *values, GError **error)
{
  const Target *target = data;

  return es_file_write_at (target->output->fd, target->output->path, values, rows * target->width * sizeof (float),
                           (plane * target->height + y) * target->width * sizeof (float), error);
}

static gboolean
write_planes (const EsStackJob *job, const EsOutput *output, GError **error)
{
  EsImageStack *stack = job->stack;
  Target target = { output, es_image_stack_get_width (stack), es_image_stack_get_height (stack) };

  return es_file_reserve (output->fd, output->path,
                          target.width * target.height * es_image_stack_get_planes (stack) * sizeof (float), error)
         && es_stack_job_for_rows (job, 1, write_rows, &target, error);
}

static void
keep_file (const char *path, gpointer stack)
{
  es_image_stack_keep_file (stack, path);
}

gboolean
es_write_stack_envi (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error)
{
  g_autofree char *data_path = NULL, *header_path = NULL;
  const char *file = es_image_stack_is_geotiff (job->stack) ? NULL : es_image_stack_get_path (job->stack);
  const EsOutput *output;

  es_envi_paths (path, &data_path, &header_path, NULL);
  if (!job->agreed && !es_companion_check (data_path, header_path, error))
    return FALSE;
  if (!es_strays_keep (outputs, data_path, job->strays, job->cancellable, error))
    return FALSE;

  /* The file behind the stack, where it has one beside the target. */
  if (es_outputs_adopt (outputs, data_path, file, keep_file, g_object_ref (job->stack), g_object_unref))
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
