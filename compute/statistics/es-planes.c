/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layer/es-image-stack.h"
#include "es-planes.h"

gboolean
es_planes_is (gpointer object)
{
  return ES_IS_IMAGE_STACK (object) || ES_IS_CUBE (object);
}

guint64
es_planes_get_width (GObject *self)
{
  return ES_IS_CUBE (self) ? es_cube_get_width (ES_CUBE (self)) : es_image_stack_get_width (ES_IMAGE_STACK (self));
}

guint64
es_planes_get_height (GObject *self)
{
  return ES_IS_CUBE (self) ? es_cube_get_height (ES_CUBE (self)) : es_image_stack_get_height (ES_IMAGE_STACK (self));
}

guint
es_planes_get_n (GObject *self)
{
  return ES_IS_CUBE (self) ? es_cube_get_bands (ES_CUBE (self)) : es_image_stack_get_planes (ES_IMAGE_STACK (self));
}

char *
es_planes_get_title (GObject *self, guint plane)
{
  return ES_IS_CUBE (self) ? es_cube_get_band_label (ES_CUBE (self), plane)
                           : g_strdup (es_image_stack_get_plane_title (ES_IMAGE_STACK (self), plane));
}

gboolean
es_planes_read (GObject *self, guint plane, guint64 x, guint64 y, guint64 width, guint64 height, guint step,
                float *out, GCancellable *cancellable, GError **error)
{
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (ES_IS_CUBE (self))
    return es_cube_read_band (ES_CUBE (self), plane, x, y, width, height, step, out, cancellable, error);
  return es_image_stack_read (ES_IMAGE_STACK (self), plane, x, y, width, height, step, out, error);
}
