/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "es-gl-painter-internal.h"
#include "es-uploader-internal.h"

#define STRIP_BYTES (8u << 20)

struct _EsGlPainter
{
  EsGlDevice *device;
  EsGlRing *ring;
  const EsGlFiller *filler;
  gpointer data;
  EsGlCopy copies[2][3][ES_PLANE_MAX_LEVELS];      /* of a frame, and of one that lies over it */
};

EsGlPainter *
es_gl_painter_new (EsGlDevice *device, const EsGlFiller *filler, gpointer data)
{
  EsGlPainter *self = g_new0 (EsGlPainter, 1);

  self->device = device;
  self->ring = es_gl_ring_new (device);
  self->filler = filler;
  self->data = data;
  return self;
}

EsGlDevice *
es_gl_painter_get_device (EsGlPainter *self)
{
  return self->device;
}

gboolean
es_gl_check (const char *what, GError **error)
{
  GLenum code = glGetError ();

  if (code == GL_NO_ERROR)
    return TRUE;
  g_set_error (error, ES_RENDER_ERROR, code == GL_OUT_OF_MEMORY ? ES_RENDER_ERROR_SIZE : ES_RENDER_ERROR_DEVICE,
               "OpenGL error 0x%x while %s", code, what);
  return FALSE;
}

/* Strip by strip, so that the staging buffer stays small whatever the plane. */
gboolean
es_gl_fill_from_host (EsGlCopy *copy, EsPlane *plane, guint level_index, gpointer device, GError **error)
{
  const EsPlaneLevel *level = es_plane_get_level (plane, level_index);
  gsize row = sizeof (float) * level->width;
  guint strip = CLAMP (STRIP_BYTES / row, 1, level->height);

  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, ((EsGlDevice *) device)->pixel_buffer);
  for (guint y = 0; y < level->height; y += strip)
    {
      guint n = MIN (strip, level->height - y);
      void *staging;

      glBufferData (GL_PIXEL_UNPACK_BUFFER, row * n, NULL, GL_STREAM_DRAW);
      staging = glMapBufferRange (GL_PIXEL_UNPACK_BUFFER, 0, row * n,
                                  GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
      if (staging == NULL)
        break;
      memcpy (staging, level->values + (gsize) level->width * y, row * n);
      glUnmapBuffer (GL_PIXEL_UNPACK_BUFFER);
      glTexSubImage2D (GL_TEXTURE_2D, 0, 0, y, level->width, n, GL_RED, GL_FLOAT, NULL);
    }
  glBindBuffer (GL_PIXEL_UNPACK_BUFFER, 0);
  return es_gl_check ("copying samples", error);
}

static void
forget (EsGlPainter *self, EsGlCopy *copy)
{
  if (copy->sharing != NULL)
    self->filler->forget (copy);
  copy->sharing = NULL;
  copy->serial = 0;
}

static gboolean
bind_plane (EsGlPainter *self, guint layer, guint unit, EsPlane *plane, guint level_index, GError **error)
{
  const EsPlaneLevel *level = &plane->levels[level_index];
  EsGlCopy *copy = &self->copies[layer][unit][level_index];

  if (MAX (level->width, level->height) > (guint) self->device->max_texture_size)
    {
      g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE, "%u × %u samples, at most %d a side fit the texture",
                   level->width, level->height, self->device->max_texture_size);
      return FALSE;
    }

  glActiveTexture (GL_TEXTURE0 + unit);
  if (copy->texture == 0)
    copy->texture = es_gl_texture_new ();
  glBindTexture (GL_TEXTURE_2D, copy->texture);
  if (copy->serial == plane->serial)
    return TRUE;

  copy->serial = 0;
  if (copy->width != level->width || copy->height != level->height)
    {
      forget (self, copy);
      copy->width = copy->height = 0;
      glTexImage2D (GL_TEXTURE_2D, 0, GL_R32F, level->width, level->height, 0, GL_RED, GL_FLOAT, NULL);
      if (!es_gl_check ("making a texture for the samples", error))
        return FALSE;
      copy->width = level->width;
      copy->height = level->height;
    }
  if (!self->filler->fill (copy, plane, level_index, self->data, error))
    return FALSE;
  copy->serial = plane->serial;
  return TRUE;
}

gboolean
es_gl_painter_bind (EsGlPainter *self, guint unit, EsPlane *plane, guint level_index, GError **error)
{
  return bind_plane (self, 0, unit, plane, level_index, error);
}

/* Rows of 256, of which the last one need not be full. */
static void
upload_entries (const EsFrame *frame)
{
  const guint n = MAX (frame->n_entries + 1, 256), rows = (n + 255) / 256;

  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8UI, 256, rows, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
                n % 256 == 0 ? frame->entries : NULL);
  if (n % 256 == 0)
    return;
  glTexSubImage2D (GL_TEXTURE_2D, 0, 0, 0, 256, n / 256, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, frame->entries);
  glTexSubImage2D (GL_TEXTURE_2D, 0, 0, n / 256, n % 256, 1, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE,
                   frame->entries + 1024 * (gsize) (n / 256));
}

static void
bind_tables (EsGlDevice *device, const EsFrame *frame)
{
  glActiveTexture (GL_TEXTURE3);
  glBindTexture (GL_TEXTURE_2D, device->columns);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA32I, frame->width, 1, 0, GL_RGBA_INTEGER, GL_INT, frame->columns);
  glActiveTexture (GL_TEXTURE4);
  glBindTexture (GL_TEXTURE_2D, device->rows);
  glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA32I, frame->height, 1, 0, GL_RGBA_INTEGER, GL_INT, frame->rows);
  glActiveTexture (GL_TEXTURE5);
  glBindTexture (GL_TEXTURE_2D, device->entries);
  upload_entries (frame);
  glActiveTexture (GL_TEXTURE6);
  glBindTexture (GL_TEXTURE_2D, device->thresholds);
  if (frame->thresholds != NULL)
    glTexImage2D (GL_TEXTURE_2D, 0, GL_R32F, ES_STRETCH_STEPS, 3, 0, GL_RED, GL_FLOAT, frame->thresholds);
}

typedef gboolean (*DrawMore) (gpointer data, gconstpointer more, GError **error);

static GdkTexture *
fill (EsGlDevice *device, EsGlRing *ring, int width, int height, DrawMore draw_more, gpointer data, gconstpointer more,
      GError **error)
{
  gboolean drawn_all = TRUE;

  glBindVertexArray (device->vertex_array);
  glBindFramebuffer (GL_FRAMEBUFFER, device->framebuffer);
  glActiveTexture (GL_TEXTURE7);

  EsGlSlot *slot = es_gl_ring_acquire (ring, width, height);
  GLenum status = glCheckFramebufferStatus (GL_FRAMEBUFFER);

  if (status == GL_FRAMEBUFFER_COMPLETE)
    {
      glViewport (0, 0, width, height);
      glDrawArrays (GL_TRIANGLES, 0, 3);
      drawn_all = more == NULL || draw_more (data, more, error);
    }
  else
    g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_DEVICE, "framebuffer incomplete (0x%x)", status);

  /* GTK 4.8 cannot be told to wait for a fence of ours, so the one triangle is waited for here. */
  GLsync drawn = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  glClientWaitSync (drawn, GL_SYNC_FLUSH_COMMANDS_BIT, G_GUINT64_CONSTANT (1000000000));
  glDeleteSync (drawn);

  if (status != GL_FRAMEBUFFER_COMPLETE || !drawn_all || !es_gl_check ("drawing", error))
    {
      es_gl_ring_cancel (ring, slot);
      return NULL;
    }
  return es_gl_ring_publish (ring, slot);
}

GdkTexture *
es_gl_device_fill (EsGlDevice *device, EsGlRing *ring, int width, int height, GError **error)
{
  return fill (device, ring, width, height, NULL, NULL, NULL, error);
}

/* All that the triangle of a frame needs. */
static gboolean
set_up (EsGlPainter *self, const EsFrame *frame, GError **error)
{
  EsGlDevice *device = self->device;

  for (guint unit = 0; unit < frame->n_planes; unit++)
    if (!bind_plane (self, frame->layer, unit, frame->planes[unit], frame->level, error))
      return FALSE;
  bind_tables (device, frame);

  glUseProgram (device->program);
  glUniform1i (device->at_n_planes, frame->n_planes);
  glUniform1i (device->at_n_taps, frame->mixed ? ES_FRAME_TAPS : 1);
  glUniform3fv (device->at_low, 1, frame->low);
  glUniform3fv (device->at_scale, 1, frame->scale);
  glUniform3iv (device->at_curve, 1, frame->curve);
  glUniform1i (device->at_n_entries, frame->n_entries);
  return TRUE;
}

/* Row 0 of the view is row 0 of the texture: rows count downwards here. */
static gboolean
draw_over (gpointer data, gconstpointer more, GError **error)
{
  const EsFrame *frame = more;

  if (!set_up (data, frame, error))
    return FALSE;
  glEnable (GL_SCISSOR_TEST);
  glScissor (frame->left, frame->top, frame->right - frame->left, frame->bottom - frame->top);
  glDrawArrays (GL_TRIANGLES, 0, 3);
  glDisable (GL_SCISSOR_TEST);
  return TRUE;
}

static GdkTexture *
draw (EsGlPainter *self, const EsFrame *frame, GError **error)
{
  if (!set_up (self, frame, error))
    return NULL;
  return fill (self->device, self->ring, frame->width, frame->height, draw_over, self, frame->over, error);
}

GdkTexture *
es_gl_painter_draw (EsGlPainter *self, const EsFrame *frame, GError **error)
{
  if (MAX (frame->width, frame->height) > self->device->max_texture_size)
    {
      g_set_error (error, ES_RENDER_ERROR, ES_RENDER_ERROR_SIZE, "a view of %d × %d pixels does not fit a texture",
                   frame->width, frame->height);
      return NULL;
    }

  GdkGLContext *previous = es_gl_device_enter (self->device);
  GdkTexture *texture = draw (self, frame, error);
  es_gl_device_leave (self->device, previous);
  return texture;
}

void
es_gl_painter_drop (EsGlPainter *self)
{
  GdkGLContext *previous = es_gl_device_enter (self->device);

  for (guint layer = 0; layer < 2; layer++)
    for (guint unit = 0; unit < 3; unit++)
      for (guint level = 0; level < ES_PLANE_MAX_LEVELS; level++)
        {
          EsGlCopy *copy = &self->copies[layer][unit][level];

          forget (self, copy);
          glDeleteTextures (1, &copy->texture);
          *copy = (EsGlCopy) { 0 };
        }
  es_gl_device_leave (self->device, previous);
}

void
es_gl_painter_free (EsGlPainter *self)
{
  es_gl_painter_drop (self);
  es_gl_ring_unref (self->ring);
  es_gl_device_unref (self->device);
  g_free (self);
}
