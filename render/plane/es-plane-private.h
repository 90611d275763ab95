/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-plane-internal.h"

G_BEGIN_DECLS

/* Every how many samples statistics take one, of n. */
guint64             es_plane_statistics_step  (guint64 n);

/* ---- between es-plane.c and es-plane-device.c ---- */

/* Sizes, serial and room for the statistics; NULL where width x height floats cannot be. */
EsPlane            *es_plane_alloc            (guint width, guint height);
/* The next level; `to` has its sizes. */
float              *es_plane_halve            (const EsPlaneLevel *from, const EsPlaneLevel *to);
const EsPlaneLevel *es_plane_device_get_level (EsPlane *self, guint level);
float               es_plane_device_get_sample (EsPlane *self, guint x, guint y);
gsize               es_plane_device_get_size  (EsPlane *self);
void                es_plane_device_free      (EsPlane *self);

G_END_DECLS
