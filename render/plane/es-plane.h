/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-region.h"
#include "layer/es-device-plane.h"
#include "es-colormap.h"

G_BEGIN_DECLS

/*
 * One plane made ready to be shown: its statistics and the halved copies that zoomed-out views need, about ten
 * milliseconds a million samples. Immutable; made on any thread, so that the UI thread does not wait for it.
 */
typedef struct _EsPlane EsPlane;
/* bytes: width x height floats, row-major, NAN where missing; kept, not copied. NULL where it holds less. */
EsPlane    *es_plane_new            (GBytes *bytes, guint width, guint height);
/* The same of a part of a picture that is soon another one: without statistics, and with few halved copies. */
EsPlane    *es_plane_new_part       (GBytes *bytes, guint width, guint height);
/*
 * Of a plane in the memory of a GPU, kept: the statistics come from there, and the halved copies are made there when
 * they are wanted. Brought to the host only as far as something here asks for it: what the GPU cannot give any more is
 * shown as missing. ES_COMPUTE_ERROR_DEVICE or _MEMORY.
 */
EsPlane    *es_plane_new_from_device (EsDevicePlane *device_plane, GError **error);
EsPlane    *es_plane_ref            (EsPlane *self);
void        es_plane_unref          (EsPlane *self);
gsize       es_plane_get_size       (EsPlane *self);                   /* bytes of all copies, the GPU's too, by now */
/* NAN outside. Of a GPU: as soon as a small window around it is here, which stays for the next ones. */
float       es_plane_get_sample     (EsPlane *self, guint x, guint y);
EsDevice   *es_plane_get_device     (EsPlane *self);                   /* the GPU that it lies on; NULL: the host */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsPlane, es_plane_unref)

/* A window of the full picture, and in it the pixels of a region; NULL: all of them. */
typedef struct
{
  guint64   x, y, width, height;
  EsRegion *region;
} EsPlanePart;
/* Of the samples there, of a million at most, evenly spread; step: how much the plane was decimated. n_valid is 0 where
 * none lies there. Transfer full (g_free ()). Any thread. */
EsPlaneStatistics *es_plane_measure_part (EsPlane *self, guint step, const EsPlanePart *part);

G_END_DECLS
