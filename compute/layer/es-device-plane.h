/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-device.h"
#include "es-image-stack.h"

G_BEGIN_DECLS

/*
 * A plane of float32 (width x height, row-major, NAN where missing) in the memory of a GPU: how pictures reach the
 * screen without a trip through the host. Immutable, counted; any thread. Keeps the memory that it lies in.
 */
typedef struct _EsDevicePlane EsDevicePlane;

EsDevicePlane *es_device_plane_ref        (EsDevicePlane *self);
void           es_device_plane_unref      (EsDevicePlane *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsDevicePlane, es_device_plane_unref)
guint          es_device_plane_get_width  (EsDevicePlane *self);
guint          es_device_plane_get_height (EsDevicePlane *self);
EsDevice      *es_device_plane_get_device (EsDevicePlane *self);

/* As es_plane_statistics_compute () in render/ computes them, of every step-th sample, on the device; the same numbers
 * but for the last bits of mean and deviation. ES_COMPUTE_ERROR_DEVICE or _MEMORY. */
typedef struct
{
  guint64 n_valid;
  double  minimum, maximum, mean, deviation;
  guint   histogram[256];
  double  quantiles[1001];
} EsDevicePlaneStatistics;

gboolean       es_device_plane_get_statistics (EsDevicePlane *self, guint64 step, EsDevicePlaneStatistics *out,
                                               GError **error);
/* The next level of a pyramid, on the device, bit for bit what render/ does on the CPU. Transfer full. */
EsDevicePlane *es_device_plane_halve      (EsDevicePlane *self, GError **error);
/* Brings a window to the host: every step-th sample of every step-th row, packed. */
gboolean       es_device_plane_read       (EsDevicePlane *self, guint x, guint y, guint width, guint height, guint step,
                                           float *out, GError **error);

/* The plane of a stack that (also) lies on a device; NULL where it does not, or not any more. Transfer full. Cheap. */
EsDevicePlane *es_image_stack_get_device_plane (EsImageStack *stack, guint plane);
/* A plane of the caller's own numbers on a device: for tests and measurements. */
EsDevicePlane *es_device_plane_new_from_host   (EsDevice *device, const float *values, guint width, guint height,
                                                GError **error);

/*
 * An OpenGL texture that a device writes. The context is current on the calling thread in each of these. `texture`:
 * a GL_TEXTURE_2D of GL_R32F with the size of the planes that will be copied; not resized while this lives.
 */
typedef struct _EsDeviceTexture EsDeviceTexture;

/* ES_COMPUTE_ERROR_DEVICE where the context is driven by another device, or by none that CUDA knows (Mesa). */
EsDeviceTexture *es_device_texture_new    (EsDevice *device, guint texture, GError **error);
/* The copy may still be under way when this returns: it comes before later commands of the context, and before nothing
 * else. The caller keeps the plane until what draws the texture is done. */
gboolean         es_device_texture_copy   (EsDeviceTexture *self, EsDevicePlane *plane, GError **error);
void             es_device_texture_free   (EsDeviceTexture *self);

G_END_DECLS
