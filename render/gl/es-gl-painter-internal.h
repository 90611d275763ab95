/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "plane/es-frame-internal.h"
#include "es-gl-device-internal.h"

G_BEGIN_DECLS

/*
 * What the uploaders that draw with OpenGL have in common: R32F textures of the planes of one picture, filled once for
 * each plane, and one triangle a view. Textures are looked up by integer coordinates only: es-frame-internal.h tells
 * the arithmetic, picture.frag is the same in GLSL. The pixels do not depend on how the samples came.
 */
typedef struct
{
  GLuint texture;              /* 0: none */
  guint width, height;         /* of its storage; 0: none */
  guint64 serial;              /* of the plane that lies in it; 0: none */
  gpointer sharing;            /* the filler's own; NULL: nothing to end */
} EsGlCopy;

/* How samples get into a texture. The context is current. */
typedef struct
{
  /* Puts the level into copy->texture, which is bound and of its size. */
  gboolean (*fill)    (EsGlCopy *copy, EsPlane *plane, guint level, gpointer data, GError **error);
  /* Ends copy->sharing: the storage is about to change or to go. Nullable. */
  void     (*forget)  (EsGlCopy *copy);
} EsGlFiller;

typedef struct _EsGlPainter EsGlPainter;

/* device: transfer full. data: for fill. */
EsGlPainter *es_gl_painter_new         (EsGlDevice *device, const EsGlFiller *filler, gpointer data);
/* Drops first. */
void         es_gl_painter_free        (EsGlPainter *self);
/* Deletes the textures of the planes. */
void         es_gl_painter_drop        (EsGlPainter *self);
EsGlDevice  *es_gl_painter_get_device  (EsGlPainter *self);
/* Makes the device's context current, copies what has changed, and draws. */
GdkTexture  *es_gl_painter_draw        (EsGlPainter *self, const EsFrame *frame, GError **error);
/* One level of a plane into the texture of unit 0..2, which is then bound; the context is current. */
gboolean     es_gl_painter_bind        (EsGlPainter *self, guint unit, EsPlane *plane, guint level, GError **error);

/* For fill (): the host's samples through a pixel buffer object. device: an EsGlDevice. */
gboolean     es_gl_fill_from_host      (EsGlCopy *copy, EsPlane *plane, guint level, gpointer device, GError **error);
/* What OpenGL says of the last commands: ES_RENDER_ERROR_SIZE where memory ran out, else _DEVICE. */
gboolean     es_gl_check               (const char *what, GError **error);

G_END_DECLS
