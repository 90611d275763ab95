/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colour mapping on the CPU into a texture of exactly the view: for the cairo renderer, remote desktops, and planes
 * that are too large for the graphics card.
 */
#include "config.h"

#include "es-uploader-internal.h"

static gboolean
memory_check (GdkGLContext *context, const EsFrame *frame)
{
  return TRUE;
}

static gpointer
memory_open (GdkGLContext *context, GError **error)
{
  return g_new0 (char, 1);     /* nothing to remember, but not NULL */
}

static GdkTexture *
memory_render (gpointer state, const EsFrame *frame, GError **error)
{
  gsize stride = 4 * (gsize) frame->width;
  guint8 *pixels = g_malloc_n (frame->height, stride);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, stride * frame->height);

  es_frame_paint (frame, pixels, stride, ES_FRAME_CHECKERED);
  return gdk_memory_texture_new (frame->width, frame->height, GDK_MEMORY_R8G8B8A8, bytes, stride);
}

const EsUploader es_uploader_memory = {
  .name = "memory",
  .check = memory_check,
  .open = memory_open,
  .render = memory_render,
  .close = g_free,
};
