/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples go through a pixel buffer object into textures, once; every view after that is one triangle.
 */
#include "config.h"

#include "es-gl-painter-internal.h"
#include "es-uploader-internal.h"

static const EsGlFiller filler = { .fill = es_gl_fill_from_host };

static gboolean
pbo_check (GdkGLContext *context, const EsFrame *frame)
{
  return context != NULL;
}

static gpointer
pbo_open (GdkGLContext *context, GError **error)
{
  EsGlDevice *device = es_gl_device_get (gdk_gl_context_get_display (context), error);

  if (device == NULL)
    return NULL;

  /* A software rasteriser does on the CPU what the memory uploader does there ten times faster. */
  if (device->software && !es_uploader_is_forced (&es_uploader_pbo))
    {
      es_gl_device_unref (device);
      g_set_error_literal (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, "OpenGL is drawn in software");
      return NULL;
    }
  return es_gl_painter_new (device, &filler, device);
}

static GdkTexture *
pbo_render (gpointer state, const EsFrame *frame, GError **error)
{
  return es_gl_painter_draw (state, frame, error);
}

static void
pbo_drop (gpointer state)
{
  es_gl_painter_drop (state);
}

static void
pbo_close (gpointer state)
{
  es_gl_painter_free (state);
}

const EsUploader es_uploader_pbo = {
  .name = "pbo",
  .check = pbo_check,
  .open = pbo_open,
  .render = pbo_render,
  .drop = pbo_drop,
  .close = pbo_close,
};
