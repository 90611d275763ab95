/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* A heat map as a texture: by OpenGL where that works, else by the CPU. */

#include "es-heatmap-private.h"

#include "gl/es-uploader-internal.h"

/* What failed once is not tried again in this process. */
static gboolean gl_given_up;

EsHeatGl *
es_heatmap_get_gl (EsHeatmap *self)
{
  return self->gl;
}

static GdkTexture *
render_with_gl (EsHeatmap *self, GdkGLContext *context, const EsHeatFrame *frame)
{
  g_autoptr (GError) error = NULL;
  GdkTexture *texture = NULL;
  gboolean forced = es_uploader_is_forced (&es_uploader_pbo);

  if (context == NULL || es_uploader_is_forced (&es_uploader_memory) || ((gl_given_up || self->gl_failed) && !forced))
    return NULL;
  if (self->gl == NULL)
    self->gl = es_heat_gl_new (gdk_gl_context_get_display (context), &error);
  if (self->gl != NULL)
    texture = es_heat_gl_draw (self->gl, self, frame, &error);
  if (texture == NULL)
    {
      g_debug ("A heat map is drawn by the CPU: %s", error->message);
      /* Too large is this one's trouble, anything else everybody's. */
      self->gl_failed = TRUE;
      gl_given_up = gl_given_up || !g_error_matches (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE);
      g_clear_pointer (&self->gl, es_heat_gl_free);
    }
  return texture;
}

static GdkTexture *
paint (EsHeatmap *self, const EsHeatFrame *frame)
{
  gsize stride = 4 * (gsize) frame->width;
  guint8 *pixels = g_malloc_n (frame->height, stride);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, stride * frame->height);

  es_heat_frame_paint (frame, self, pixels, stride);
  return gdk_memory_texture_new (frame->width, frame->height, GDK_MEMORY_R8G8B8A8, bytes, stride);
}

static GdkTexture *
render (EsHeatmap *self, GdkGLContext *context, const EsHeatFrame *frame)
{
  GdkTexture *texture = render_with_gl (self, context, frame);

  self->uploader = texture != NULL ? es_uploader_pbo.name : es_uploader_memory.name;
  return texture != NULL ? texture : paint (self, frame);
}

GdkTexture *
es_heatmap_render (EsHeatmap *self, GdkGLContext *context, int width, int height, const EsHeatmapView *view)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), NULL);
  g_return_val_if_fail (width > 0 && height > 0 && view != NULL, NULL);

  g_auto (EsHeatFrame) frame = { 0 };
  es_heat_frame_init (&frame, self, width, height, view);
  return render (self, context, &frame);
}

GdkTexture *
es_heatmap_render_places (EsHeatmap *self, GdkGLContext *context, int width, int height, GBytes *places)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), NULL);
  g_return_val_if_fail (width > 0 && height > 0, NULL);
  g_return_val_if_fail (g_bytes_get_size (places) == 8 * (gsize) width * height, NULL);

  g_auto (EsHeatFrame) frame = { 0 };
  es_heat_frame_init_places (&frame, self, width, height, places);
  return render (self, context, &frame);
}

GdkTexture *
es_heatmap_render_holed (EsHeatmap *self, int width, int height, const EsHeatmapView *view, GBytes *places)
{
  g_return_val_if_fail (ES_IS_HEATMAP (self), NULL);
  g_return_val_if_fail (width > 0 && height > 0 && (view != NULL) != (places != NULL), NULL);
  g_return_val_if_fail (places == NULL || g_bytes_get_size (places) == 8 * (gsize) width * height, NULL);

  g_auto (EsHeatFrame) frame = { 0 };
  if (places != NULL)
    es_heat_frame_init_places (&frame, self, width, height, places);
  else
    es_heat_frame_init (&frame, self, width, height, view);
  frame.holed = TRUE;
  return paint (self, &frame);
}
