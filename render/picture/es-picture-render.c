/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* Pictures as pixels: what a view shows, the whole of it, and that as a file. */

#include <math.h>

#include <glib/gi18n-lib.h>

#include "es-picture-private.h"
#include "plane/es-render-file-internal.h"

static void
init_frame (EsPicture *self, EsFrame *frame, EsFrameAxis across, EsFrameAxis down)
{
  es_frame_init (frame, self->n_planes, self->planes, self->stretches, self->map, self->step, self->full_width,
                 self->full_height, across, down);
  if (es_picture_has_palette (self))
    es_frame_name (frame, self->palette, self->n_named, self->first_named, self->step, self->full_width,
                   self->full_height, across, down);
  else
    for (guint i = 0; i < self->n_planes; i++)
      es_frame_bend (frame, i, self->curve, es_picture_get_basis (self, i));
}

/* The detail as a frame of the same view. FALSE: none of it is in view, or the view is of what is so much smaller that
 * its copies do not reach. */
static gboolean
init_detail (EsPicture *self, EsFrame *frame, EsFrameAxis across, EsFrameAxis down)
{
  const guint x = self->detail_x, y = self->detail_y, step = self->detail_step;

  if (self->detail[0] == NULL)
    return FALSE;

  const EsPlaneLevel *level = &self->detail[0]->levels[0];
  const double coarsest = (double) step * (1 << (self->detail[0]->n_levels - 1));
  const guint width = (guint) MIN ((guint64) level->width * step, self->full_width - x);
  const guint height = (guint) MIN ((guint64) level->height * step, self->full_height - y);

  if (MIN (across.zoom, down.zoom) * coarsest <= 0.5)
    return FALSE;
  const EsFrameAxis part_across = { across.start - x, across.zoom, across.n };
  const EsFrameAxis part_down = { down.start - y, down.zoom, down.n };

  es_frame_init (frame, self->n_planes, self->detail, self->stretches, self->map, step, width, height, part_across,
                 part_down);
  frame->layer = 1;
  if (es_picture_has_palette (self))
    es_frame_name (frame, self->palette, self->n_named, self->first_named, step, width, height, part_across,
                   part_down);
  else
    for (guint i = 0; i < self->n_planes; i++)
      es_frame_bend (frame, i, self->curve, es_picture_get_basis (self, i));
  return es_frame_clip (frame, step, x, y, self->full_width, self->full_height, across, down);
}

static gboolean
is_all_of_view (const EsFrame *frame)
{
  return frame->left == 0 && frame->top == 0 && frame->right == frame->width && frame->bottom == frame->height;
}

/* The planes, the detail over them, or the detail alone. */
static const EsFrame *
init_frames (EsPicture *self, EsFrame *whole, EsFrame *detail, EsFrameAxis across, EsFrameAxis down)
{
  const gboolean any = init_detail (self, detail, across, down);

  if (any && is_all_of_view (detail))
    return detail;
  init_frame (self, whole, across, down);
  whole->over = any ? detail : NULL;
  return whole;
}

guint
es_picture_get_shown_step (EsPicture *self, int width, int height, const EsViewport *viewport)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), 1);
  g_return_val_if_fail (viewport != NULL && viewport->zoom > 0, 1);

  if (self->n_planes == 0)
    return 1;

  g_auto (EsFrame) detail = { 0 };
  const gboolean any = self->detail_complete && width > 0 && height > 0
                       && init_detail (self, &detail, (EsFrameAxis) { viewport->left, viewport->zoom, width },
                                       (EsFrameAxis) { viewport->top, viewport->zoom, height });

  return any && is_all_of_view (&detail) ? self->detail_step : self->step;
}

guint
es_picture_get_shade (EsPicture *self, guint plane, double value)
{
  g_auto (EsFrame) frame = { 0 };
  const EsFrameAxis axis = { 0, 1, 0 };

  g_return_val_if_fail (ES_IS_PICTURE (self), 0);
  g_return_val_if_fail (plane < self->n_planes, 0);

  init_frame (self, &frame, axis, axis);
  return es_frame_get_shade (&frame, plane, (float) value);
}

static GdkTexture *
make_texture (int width, int height, guint8 *pixels)
{
  gsize stride = 4 * (gsize) width;
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, stride * height);

  return gdk_memory_texture_new (width, height, GDK_MEMORY_R8G8B8A8, bytes, stride);
}

static GdkTexture *
render_canvas (int width, int height)
{
  gsize n = (gsize) width * height;
  guint8 *pixels = g_malloc_n (n, 4);

  for (gsize i = 0; i < 4 * n; i++)
    pixels[i] = i % 4 == 3 ? 255 : ES_FRAME_CANVAS;
  return make_texture (width, height, pixels);
}

GdkTexture *
es_picture_render (EsPicture *self, GdkGLContext *context, int width, int height, const EsViewport *viewport)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (context == NULL || GDK_IS_GL_CONTEXT (context), NULL);
  g_return_val_if_fail (width > 0 && height > 0, NULL);
  g_return_val_if_fail (viewport != NULL && viewport->zoom > 0, NULL);

  if (self->n_planes == 0)
    return render_canvas (width, height);

  g_auto (EsFrame) whole = { 0 };
  g_auto (EsFrame) detail = { 0 };
  const EsFrame *frame = init_frames (self, &whole, &detail, (EsFrameAxis) { viewport->left, viewport->zoom, width },
                                      (EsFrameAxis) { viewport->top, viewport->zoom, height });

  return es_uploaders_render (self->uploaders, context, frame, &self->uploader);
}

GdkTexture *
es_picture_render_holed (EsPicture *self, int width, int height, const EsViewport *viewport)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (width > 0 && height > 0 && viewport != NULL && viewport->zoom > 0, NULL);

  if (self->n_planes == 0)
    return render_canvas (width, height);

  g_auto (EsFrame) whole = { 0 };
  g_auto (EsFrame) detail = { 0 };
  guint8 *pixels = g_malloc_n (height, 4 * (gsize) width);
  const EsFrame *frame = init_frames (self, &whole, &detail, (EsFrameAxis) { viewport->left, viewport->zoom, width },
                                      (EsFrameAxis) { viewport->top, viewport->zoom, height });

  es_frame_paint (frame, pixels, 4 * (gsize) width, ES_FRAME_HOLED);
  return make_texture (width, height, pixels);
}

const char *
es_picture_get_uploader (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  return self->uploader;
}

gboolean
es_picture_takes_device_planes (EsDevice *gpu)
{
  g_return_val_if_fail (ES_IS_DEVICE (gpu), FALSE);

  return es_uploaders_take_device_planes (gpu);
}

/* The whole picture in width x height pixels. */
static guint8 *
paint_whole (EsPicture *self, int width, int height, EsFrameGround ground)
{
  g_auto (EsFrame) frame = { 0 };
  guint8 *pixels = g_malloc_n (height, 4 * (gsize) width);

  init_frame (self, &frame, (EsFrameAxis) { 0, (double) width / self->full_width, width },
              (EsFrameAxis) { 0, (double) height / self->full_height, height });
  es_frame_paint (&frame, pixels, 4 * (gsize) width, ground);
  return pixels;
}

GdkTexture *
es_picture_render_thumbnail (EsPicture *self, int size)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);
  g_return_val_if_fail (size > 0, NULL);

  if (self->n_planes == 0)
    return render_canvas (size, size);

  double zoom = (double) size / MAX (self->full_width, self->full_height);
  int width = CLAMP ((int) lrint (self->full_width * zoom), 1, size);
  int height = CLAMP ((int) lrint (self->full_height * zoom), 1, size);

  return make_texture (width, height, paint_whole (self, width, height, ES_FRAME_CHECKERED));
}

GdkTexture *
es_picture_render_whole (EsPicture *self)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  if (self->n_planes == 0)
    return NULL;

  const EsPlaneLevel *level = &self->planes[0]->levels[0];

  return make_texture (level->width, level->height, paint_whole (self, level->width, level->height, ES_FRAME_ALONE));
}

GBytes *
es_picture_get_pixels (EsPicture *self, guint *width, guint *height)
{
  const EsPlaneLevel *level;

  g_return_val_if_fail (ES_IS_PICTURE (self), NULL);

  if (self->n_planes == 0)
    return NULL;
  level = &self->planes[0]->levels[0];
  *width = level->width;
  *height = level->height;
  return g_bytes_new_take (paint_whole (self, level->width, level->height, ES_FRAME_ALONE),
                           4 * (gsize) level->width * level->height);
}

gboolean
es_picture_save_png (EsPicture *self, const char *path, GError **error)
{
  g_return_val_if_fail (ES_IS_PICTURE (self), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);

  g_autoptr (GFile) target = g_file_new_for_path (path);

  if (self->n_planes == 0)
    return es_render_file_fail (target, _("there is no picture"), error);

  g_autoptr (GdkTexture) texture = es_picture_render_whole (self);
  g_autoptr (GBytes) bytes = gdk_texture_save_to_png_bytes (texture);

  return es_render_file_replace (target, bytes, error);
}
