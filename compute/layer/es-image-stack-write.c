/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* How a stack comes to have its samples: who writes them, and which rows are complete. */

#include "es-image-stack-private.h"

#include <string.h>

#include "es-store-internal.h"

void
es_image_stack_mark_written (EsImageStack *self, guint64 y, guint64 width, guint64 height)
{
  if (g_atomic_int_get (&self->complete))
    return;
  g_mutex_lock (&self->lock);
  for (guint64 row = y; row < y + height; row++)
    {
      const guint64 before = self->written[row];
      self->written[row] = MIN (before + width, self->width);
      self->complete_rows += before < self->width && self->written[row] == self->width;
    }
  if (self->complete_rows == self->height)
    g_atomic_int_set (&self->complete, TRUE);
  g_mutex_unlock (&self->lock);
}

void
es_image_stack_forget_written (EsImageStack *self)
{
  if (g_atomic_int_get (&self->complete))
    return;
  g_mutex_lock (&self->lock);
  memset (self->written, 0, self->height * sizeof *self->written);
  self->complete_rows = 0;
  g_mutex_unlock (&self->lock);
}

gboolean
es_image_stack_is_complete (EsImageStack *self)
{
  return g_atomic_int_get (&self->complete);
}

gboolean
es_image_stack_bring_out (EsImageStack *self, GError **error)
{
  return self->samples == NULL || es_store_bring_out (self->samples, error);
}

void
es_image_stack_look_again (EsImageStack *self)
{
  if (self->samples != NULL)
    es_store_look_again (self->samples);
}

gboolean
es_image_stack_write (EsImageStack *self, guint64 x, guint64 y, guint64 width, guint64 height,
                      const float *values, gsize plane_stride, GError **error)
{
  g_return_val_if_fail (self->store == NULL && self->compute == NULL, FALSE);
  if (!es_image_stack_check_window (self, self->width, self->height, x, y, width, height, error))
    return FALSE;

  if (self->format == ES_STACK_BIL || self->format == ES_STACK_BIP)
    {
      if (!es_image_stack_put_together (self, x, y, width, height, values, plane_stride, error))
        return FALSE;
      es_image_stack_mark_written (self, y, width, height);
      return TRUE;
    }

  /* Whole rows are one piece. */
  guint64 pieces = width == self->width ? 1 : height;
  gsize piece = width * (height / pieces);
  for (guint plane = 0; plane < self->planes; plane++)
    for (guint64 i = 0; i < pieces; i++)
      {
        const float *from = values + plane * plane_stride + i * piece;
        const guint64 to = ((y + i) * self->width + x) * sizeof (float);

        if (!es_store_write (self->samples, from, piece * sizeof (float), self->start + plane * self->pitch + to,
                             error))
          return FALSE;
      }
  es_image_stack_mark_written (self, y, width, height);
  return TRUE;
}
