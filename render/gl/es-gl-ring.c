/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-gl-device-internal.h"

#define N_KEPT 3

struct _EsGlSlot
{
  EsGlRing *ring;              /* a reference while GTK has the texture */
  GLuint texture;
  int width, height;
  GLsync released;             /* what the drawing context was asked for until the release */
};

struct _EsGlRing
{
  gint ref_count;
  EsGlDevice *device;
  GQueue free_slots;           /* oldest release first */
};

EsGlRing *
es_gl_ring_new (EsGlDevice *device)
{
  EsGlRing *self = g_new0 (EsGlRing, 1);

  self->ref_count = 1;
  self->device = es_gl_device_ref (device);
  g_queue_init (&self->free_slots);
  return self;
}

static void
free_slot (EsGlSlot *slot)
{
  if (slot->released != NULL)
    glDeleteSync (slot->released);
  glDeleteTextures (1, &slot->texture);
  g_free (slot);
}

void
es_gl_ring_unref (EsGlRing *self)
{
  if (--self->ref_count > 0)
    return;

  GdkGLContext *previous = es_gl_device_enter (self->device);
  EsGlSlot *slot;

  while ((slot = g_queue_pop_head (&self->free_slots)) != NULL)
    free_slot (slot);
  es_gl_device_leave (self->device, previous);
  es_gl_device_unref (self->device);
  g_free (self);
}

EsGlSlot *
es_gl_ring_acquire (EsGlRing *self, int width, int height)
{
  EsGlSlot *slot = NULL;

  /* With fewer than three free ones the oldest may still be on its way to the screen: take another. */
  if (g_queue_get_length (&self->free_slots) >= N_KEPT)
    slot = g_queue_pop_head (&self->free_slots);
  if (slot != NULL && (slot->width != width || slot->height != height))
    g_clear_pointer (&slot, free_slot);

  if (slot == NULL)
    {
      slot = g_new0 (EsGlSlot, 1);
      slot->width = width;
      slot->height = height;
      slot->texture = es_gl_texture_new ();
      glTexImage2D (GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    }
  if (slot->released != NULL)
    {
      glWaitSync (slot->released, 0, GL_TIMEOUT_IGNORED);
      glDeleteSync (slot->released);
      slot->released = NULL;
    }
  glFramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, slot->texture, 0);
  return slot;
}

void
es_gl_ring_cancel (EsGlRing *self, EsGlSlot *slot)
{
  glFramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
  free_slot (slot);
}

static gboolean
take_back (gpointer data)
{
  EsGlSlot *slot = data;
  EsGlRing *ring = g_steal_pointer (&slot->ring);
  GdkGLContext *user = gdk_gl_context_get_current ();

  /* Whoever drew with it may have commands queued: the fence lies behind them. */
  if (user != NULL && user != ring->device->context && gdk_gl_context_is_shared (user, ring->device->context))
    {
      slot->released = glFenceSync (GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
      glFlush ();
    }
  g_queue_push_tail (&ring->free_slots, slot);

  if (g_queue_get_length (&ring->free_slots) > N_KEPT)
    {
      GdkGLContext *previous = es_gl_device_enter (ring->device);

      free_slot (g_queue_pop_head (&ring->free_slots));
      es_gl_device_leave (ring->device, previous);
    }
  es_gl_ring_unref (ring);
  return G_SOURCE_REMOVE;
}

/* The last reference may be dropped on a worker that wrote the texture to a file. */
static void
release (gpointer data)
{
  g_main_context_invoke (NULL, take_back, data);
}

GdkTexture *
es_gl_ring_publish (EsGlRing *self, EsGlSlot *slot)
{
  glFramebufferTexture2D (GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
  slot->ring = self;
  self->ref_count++;
  return gdk_gl_texture_new (self->device->context, slot->texture, slot->width, slot->height, release, slot);
}
