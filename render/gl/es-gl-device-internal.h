/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <epoxy/gl.h>
#include <gdk/gdk.h>

G_BEGIN_DECLS

/*
 * A GL context of the display's own share group with the program that draws pictures, one for all pictures of a
 * display. It depends on no widget and no surface: textures survive when a view is unrealized, and no state that GTK
 * relies on is touched.
 */
typedef struct
{
  GLuint program;              /* 0: not made yet */
  GLint at_by_place, at_awaiting, at_ring, at_offset, at_low, at_scale;
} EsGlHeat;

typedef struct
{
  gint ref_count;
  GdkGLContext *context;
  int max_texture_size;
  gboolean software;           /* drawn by the CPU */
  GLuint program, vertex_array, framebuffer, pixel_buffer;
  GLuint columns, rows, entries, thresholds;     /* textures of the frame's tables */
  GLint at_n_planes, at_n_taps, at_low, at_scale, at_curve, at_n_entries;   /* uniforms */
  EsGlHeat heat;               /* the program that draws heat maps */
} EsGlDevice;

/* The one of the display, made if need be; transfer full. ES_RENDER_ERROR_DEVICE where GL is missing or too old. */
EsGlDevice *es_gl_device_get   (GdkDisplay *display, GError **error);
EsGlDevice *es_gl_device_ref   (EsGlDevice *self);
void        es_gl_device_unref (EsGlDevice *self);

/* Between enter and leave the device's context is current; what was current before is so again afterwards. */
GdkGLContext *es_gl_device_enter (EsGlDevice *self);
void          es_gl_device_leave (EsGlDevice *self, GdkGLContext *previous);

/* Makes the program of heat maps if need be; the device is entered. */
gboolean      es_gl_device_prepare_heat (EsGlDevice *self, GError **error);

/* A new texture without filtering: texels are looked up, never mixed. */
GLuint        es_gl_texture_new (void);

/*
 * Textures that a picture is drawn into. GTK owns one until it releases it; a slot is drawn into again only then, and
 * after what GTK had been doing with it. Keeps up to three free ones.
 */
typedef struct _EsGlRing EsGlRing;
typedef struct _EsGlSlot EsGlSlot;

EsGlRing   *es_gl_ring_new     (EsGlDevice *device);
void        es_gl_ring_unref   (EsGlRing *self);
/* The context is current for these two. acquire attaches the slot to the bound framebuffer. */
EsGlSlot   *es_gl_ring_acquire (EsGlRing *self, int width, int height);
void        es_gl_ring_cancel  (EsGlRing *self, EsGlSlot *slot);
GdkTexture *es_gl_ring_publish (EsGlRing *self, EsGlSlot *slot);
/* Draws one triangle over a texture of the ring with the program, textures and uniforms that are set, and waits for it.
 * ES_RENDER_ERROR. */
GdkTexture *es_gl_device_fill  (EsGlDevice *device, EsGlRing *ring, int width, int height, GError **error);

G_END_DECLS
