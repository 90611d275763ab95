/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "device/es-buffer-internal.h"
#include "es-device-plane.h"

G_BEGIN_DECLS

/* A plane that begins `first` floats into the buffer. Takes a reference of its own. */
EsDevicePlane *es_device_plane_new (EsBuffer *buffer, gsize first, guint width, guint height);

/* Copies every step-th sample of every step-th row of a window to the host, packed; from: its first sample on the
 * device, in rows of `stride` samples. Blocking. ES_COMPUTE_ERROR_DEVICE or _MEMORY. */
gboolean       es_device_read_window (EsDevice *device, const float *from, gsize stride, gsize width, gsize height,
                                      guint step, float *out, GError **error);

G_END_DECLS
