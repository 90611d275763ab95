/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-ica-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

/* Between two pictures; and what share of the time they may take. */
#define INTERVAL_US (G_USEC_PER_SEC / 4)
#define LARGEST_SHARE 0.02

struct _EsIcaPreview
{
  EsJob        *job;               /* borrowed, like the samples */
  EsIcaSamples *samples;
  float        *picture;
  gint64        next;              /* not before this time */
};

/* NULL where there is nothing to make pictures of. */
EsIcaPreview *
es_ica_preview_new (EsJob *job, EsIcaSamples *samples)
{
  EsIcaPreview *self;

  if (samples->preview == NULL)
    return NULL;
  self = g_new0 (EsIcaPreview, 1);
  self->job = job;
  self->samples = samples;
  self->picture = g_new (float, samples->preview_width * samples->preview_height);
  /* What is over before is not shown. */
  self->next = g_get_monotonic_time () + INTERVAL_US;
  return self;
}

void
es_ica_preview_free (EsIcaPreview *self)
{
  g_free (self->picture);
  g_free (self);
}

static void
draw (EsIcaPreview *self, const double *w)
{
  const gsize pixels = self->samples->preview_width * self->samples->preview_height;

  for (gsize p = 0; p < pixels; p++)
    self->picture[p] = 0;
  for (gsize k = 0; k < self->samples->m; k++)
    {
      const float *plane = self->samples->preview + k * pixels, factor = w[k];
      for (gsize p = 0; p < pixels; p++)
        self->picture[p] += factor * plane[p];
    }
}

/* Of a part of a cube the picture is a window of the whole, to the step. */
static void
frame (const EsIcaSamples *samples, EsImageStack *stack)
{
  const guint64 step = samples->preview_step;
  const guint64 left = samples->place.x / step, top = samples->place.y / step;
  const guint64 width = (samples->whole_width + step - 1) / step, height = (samples->whole_height + step - 1) / step;

  if (samples->place.width != samples->whole_width || samples->place.height != samples->whole_height)
    es_image_stack_set_frame (stack, MAX (width, left + samples->preview_width),
                              MAX (height, top + samples->preview_height), left, top);
}

void
es_ica_preview_show (EsIcaPreview *self, const double *w, guint component, guint step)
{
  const gint64 start = g_get_monotonic_time ();
  const guint64 width = self->samples->preview_width, height = self->samples->preview_height;

  if (start < self->next)
    return;
  g_autoptr (EsImageStack) stack = es_image_stack_new ("components", _("Components"), width, height, 1, 0, NULL, NULL);
  if (stack != NULL)
    {
      g_autofree char *title = g_strdup_printf (_("IC %u, step %u"), component + 1, step);

      draw (self, w);
      es_image_stack_set_plane (stack, 0, title, NAN);
      es_image_stack_set_signed (stack, TRUE);
      frame (self->samples, stack);
      if (es_image_stack_write (stack, 0, 0, width, height, self->picture, width * height, NULL))
        es_job_set_preview (self->job, stack);
    }
  const gint64 end = g_get_monotonic_time ();
  self->next = end + MAX (INTERVAL_US, (gint64) ((end - start) / LARGEST_SHARE));
}
