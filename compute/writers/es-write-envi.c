/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "es-companion-internal.h"
#include "es-envi-text-internal.h"
#include "base/es-file-internal.h"
#include "base/es-text-internal.h"
#include "es-strays-internal.h"
#include "es-write-stack-private.h"
#include "layer/es-layer-internal.h"

static const char *
interleave_of (EsStackFormat format)
{
  return es_interleave_name (format == ES_STACK_BIL ? ES_INTERLEAVE_BIL
                             : format == ES_STACK_BIP ? ES_INTERLEAVE_BIP : ES_INTERLEAVE_BSQ);
}

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
                          "interleave = %s\n"
                          "byte order = %d\n"
                          "data ignore value = nan\n",
                          es_image_stack_get_width (stack), es_image_stack_get_height (stack), planes,
                          interleave_of (job->format), G_BYTE_ORDER == G_BIG_ENDIAN ? 1 : 0);
  if (es_image_stack_get_unit (stack) != NULL)
    es_envi_append_text (header, "data units", es_image_stack_get_unit (stack));
  for (guint i = 0; i < planes; i++)
    names[i] = es_image_stack_get_plane_title (stack, i);
  es_envi_append_names (header, "band names", names, planes);
  /* Whoever opens the file sees the colours that the result has. */
  if (es_image_stack_get_hint (stack) == ES_IMAGE_HINT_TOGETHER && planes >= 3)
    g_string_append (header, "default bands = {1, 2, 3}\n");
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
  guint           planes;
  gboolean        by_pixels;
  float          *together;    /* rows in the file's order */
  guint64         room;        /* samples of it */
} Target;

static gboolean
write_rows (gpointer data, guint plane, guint64 y, guint64 rows, const float *values, GError **error)
{
  const Target *target = data;

  return es_file_write_at (target->output->fd, target->output->path, values, rows * target->width * sizeof (float),
                           (plane * target->height + y) * target->width * sizeof (float), error);
}

/* Rows, or pixels, of all planes after the other. */
static gboolean
write_together (gpointer data, guint64 y, guint64 rows, const float *values, GError **error)
{
  Target *target = data;
  const guint64 row = target->width * target->planes;

  if (rows * row > target->room)
    {
      target->room = rows * row;
      target->together = g_renew (float, target->together, target->room);
    }
  for (guint plane = 0; plane < target->planes; plane++)
    for (guint64 j = 0; j < rows; j++)
      {
        const float *from = values + (plane * rows + j) * target->width;
        float *to = target->together + j * row;

        if (!target->by_pixels)
          memcpy (to + plane * target->width, from, target->width * sizeof *from);
        else
          for (guint64 i = 0; i < target->width; i++)
            to[i * target->planes + plane] = from[i];
      }
  return es_file_write_at (target->output->fd, target->output->path, target->together, rows * row * sizeof (float),
                           y * row * sizeof (float), error);
}

static gboolean
write_planes (const EsStackJob *job, const EsOutput *output, GError **error)
{
  EsImageStack *stack = job->stack;
  Target target = { output, es_image_stack_get_width (stack), es_image_stack_get_height (stack),
                    es_image_stack_get_planes (stack), job->format == ES_STACK_BIP, NULL, 0 };
  const gboolean written = es_file_reserve (output->fd, output->path, target.width * target.height * target.planes
                                                                      * sizeof (float), error)
                           && (job->format == ES_STACK_ENVI
                               ? es_stack_job_for_rows (job, 1, write_rows, &target, error)
                               : es_stack_job_for_all_planes (job, write_together, &target, error));

  g_free (target.together);
  return written;
}

gboolean
es_write_stack_envi (const EsStackJob *job, const char *path, EsOutputs *outputs, GError **error)
{
  g_autofree char *data_path = NULL, *header_path = NULL;
  const EsOutput *output;

  es_envi_paths (path, &data_path, &header_path, NULL);
  if (!job->agreed && !es_companion_check (data_path, header_path, job->replaced, error))
    return FALSE;
  if (!es_strays_keep (outputs, data_path, job->strays, job->cancellable, error))
    return FALSE;

  /* The file behind the stack, where it has one beside the target. */
  if (es_stack_job_adopt (job, data_path, outputs))
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
