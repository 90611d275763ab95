/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Samples that lie on the GPU which also draws go straight into textures that it shares with OpenGL; planes of the host
 * beside them, and what the GPU cannot give at the moment, go the way of the pixel buffer in the same draw.
 */
#include "config.h"

#include "base/es-error.h"
#include "es-gl-painter-internal.h"
#include "es-uploader-internal.h"

typedef struct
{
  EsDevice *gpu;
  EsDeviceTexture *texture;
} Sharing;

/* Set on a GPU that does not drive the GL contexts here, or fails at it. Any thread. */
static GQuark
refused_quark (void)
{
  return g_quark_from_static_string ("es-uploader-cuda-refused");
}

static gboolean
is_refused (EsDevice *gpu)
{
  return g_object_get_qdata (G_OBJECT (gpu), refused_quark ()) != NULL;
}

static gboolean
any_gpu_left (void)
{
  GListModel *devices = es_devices_get ();

  for (guint i = 0; i < g_list_model_get_n_items (devices); i++)
    {
      g_autoptr (EsDevice) device = g_list_model_get_item (devices, i);

      if (es_device_get_kind (device) == ES_DEVICE_GPU && !is_refused (device))
        return TRUE;
    }
  return FALSE;
}

/* The planes of this GPU are the next uploader's from now on; where it was the last GPU, so is everything. */
static void
refuse (EsDevice *gpu, const GError *reason, GError **error)
{
  g_object_set_qdata (G_OBJECT (gpu), refused_quark (), GINT_TO_POINTER (TRUE));
  if (any_gpu_left ())
    {
      g_debug ("Planes of %s are drawn without “cuda”: %s", es_device_get_id (gpu), reason->message);
      g_set_error_literal (error, ES_RENDER_ERROR, ES_RENDER_ERROR_PLANES, reason->message);
    }
  else
    g_set_error_literal (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, reason->message);
}

gboolean
es_uploader_cuda_reaches (EsDevice *gpu)
{
  return !is_refused (gpu) && !es_device_is_lost (gpu);
}

static void
cuda_forget (EsGlCopy *copy)
{
  Sharing *sharing = g_steal_pointer (&copy->sharing);

  es_device_texture_free (sharing->texture);
  g_free (sharing);
}

static EsDeviceTexture *
share (EsGlCopy *copy, EsDevice *gpu, GError **error)
{
  Sharing *sharing = copy->sharing;

  if (sharing != NULL && sharing->gpu == gpu)
    return sharing->texture;
  if (sharing != NULL)
    cuda_forget (copy);

  EsDeviceTexture *texture = es_device_texture_new (gpu, copy->texture, error);

  if (texture != NULL)
    {
      sharing = g_new (Sharing, 1);
      *sharing = (Sharing) { gpu, texture };
      copy->sharing = sharing;
    }
  return texture;
}

static gboolean
cuda_fill (EsGlCopy *copy, EsPlane *plane, guint level, gpointer device, GError **error)
{
  EsDevice *gpu = es_plane_get_device (plane);
  g_autoptr (GError) reason = NULL;

  if (gpu == NULL || !es_uploader_cuda_reaches (gpu))
    return es_gl_fill_from_host (copy, plane, level, device, error);

  EsDevicePlane *from = es_plane_get_device_level (plane, level, NULL);

  if (from == NULL)
    return es_gl_fill_from_host (copy, plane, level, device, error);

  EsDeviceTexture *texture = share (copy, gpu, &reason);

  if (texture != NULL && es_device_texture_copy (texture, from, &reason))
    return es_gl_check ("a GPU writes a texture", error);

  /* What the attempt left behind is not the next command's fault. */
  while (glGetError () != GL_NO_ERROR)
    ;
  if (es_device_is_lost (gpu) || g_error_matches (reason, ES_COMPUTE_ERROR, ES_COMPUTE_ERROR_MEMORY))
    return es_gl_fill_from_host (copy, plane, level, device, error);
  refuse (gpu, reason, error);
  return FALSE;
}

static const EsGlFiller filler = { .fill = cuda_fill, .forget = cuda_forget };

/* Without a plane of a GPU there is nothing to win, and no GPU is looked for. */
static gboolean
cuda_check (GdkGLContext *context, const EsFrame *frame)
{
  if (context == NULL)
    return FALSE;
  if (es_uploader_is_forced (&es_uploader_cuda))
    return TRUE;
  for (guint i = 0; i < frame->n_planes; i++)
    {
      EsDevice *gpu = es_plane_get_device (frame->planes[i]);

      if (gpu != NULL && !is_refused (gpu))
        return TRUE;
    }
  return FALSE;
}

static gpointer
cuda_open (GdkGLContext *context, GError **error)
{
  /* Where a plane lies on a GPU there is one. */
  if (es_uploader_is_forced (&es_uploader_cuda) && !any_gpu_left ())
    {
      const char *why = es_devices_why_no_gpu ();

      g_set_error_literal (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, why != NULL ? why : "no GPU drives OpenGL");
      return NULL;
    }

  EsGlDevice *device = es_gl_device_get (gdk_gl_context_get_display (context), error);

  return device != NULL ? es_gl_painter_new (device, &filler, device) : NULL;
}

static GdkTexture *
cuda_render (gpointer state, const EsFrame *frame, GError **error)
{
  return es_gl_painter_draw (state, frame, error);
}

static void
cuda_drop (gpointer state)
{
  es_gl_painter_drop (state);
}

static void
cuda_close (gpointer state)
{
  es_gl_painter_free (state);
}

const EsUploader es_uploader_cuda = {
  .name = "cuda",
  .check = cuda_check,
  .open = cuda_open,
  .render = cuda_render,
  .drop = cuda_drop,
  .close = cuda_close,
};
