/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

#include "plane/es-frame-internal.h"

G_BEGIN_DECLS

#define ES_RENDER_ERROR (es_render_error_quark ())
typedef enum
{
  ES_RENDER_ERROR_SIZE,        /* too large for the device: another uploader for these planes only */
  ES_RENDER_ERROR_PLANES,      /* of a GPU that this path does not reach: another uploader for these planes only */
  ES_RENDER_ERROR_DEVICE,      /* the path does not work here: demoted for good */
} EsRenderError;
GQuark es_render_error_quark (void);

/*
 * A way for pixels to reach the screen. The table in es-uploader.c lists them in order; the first that works is used,
 * and the last, "memory", always works. A new one is a const object in a file of its own and one line there.
 */
typedef struct
{
  const char *name;
  /* May it work with this context (nullable) and these planes? Cheap, wakes no device. */
  gboolean    (*check)  (GdkGLContext *context, const EsFrame *frame);
  gpointer    (*open)   (GdkGLContext *context, GError **error);
  /* Copies what it has no copy of yet (by EsPlane.serial) and draws. Exactly the pixels es_frame_paint() gives. */
  GdkTexture *(*render) (gpointer state, const EsFrame *frame, GError **error);
  /* Forgets the copies: the picture is empty. Nullable. */
  void        (*drop)   (gpointer state);
  void        (*close)  (gpointer state);
} EsUploader;

extern const EsUploader es_uploader_cuda;
extern const EsUploader es_uploader_pbo;
extern const EsUploader es_uploader_memory;

/* The uploaders of one picture, opened as they are needed. */
typedef struct _EsUploaders EsUploaders;

EsUploaders *es_uploaders_new    (void);
void         es_uploaders_free   (EsUploaders *self);
void         es_uploaders_drop   (EsUploaders *self);
/* Never NULL. name: which one did it. */
GdkTexture  *es_uploaders_render (EsUploaders *self, GdkGLContext *context, const EsFrame *frame, const char **name);
/* As es_picture_takes_device_planes (). Any thread. */
gboolean     es_uploaders_take_device_planes (EsDevice *gpu);
/* The GPU has not been found to be lost or to drive no context here. Any thread. */
gboolean     es_uploader_cuda_reaches (EsDevice *gpu);
/* ES_UPLOADER asks for this one. */
gboolean     es_uploader_is_forced (const EsUploader *driver);

G_END_DECLS
