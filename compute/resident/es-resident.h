/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube.h"
#include "device/es-device.h"

G_BEGIN_DECLS

/*
 * Cubes that lie on GPUs: a cube that fits is kept there after the first pass over it, for later passes and operations,
 * until another needs the room. Any thread.
 */

/* Whether a job on the device would find the cube there; of all GPUs: each its share. */
gboolean es_resident_is_on          (EsCube *cube, EsDevice *device);
/* What lies on a device (or on its members together); either may be NULL. */
void     es_resident_get_statistics (EsDevice *device, guint64 *bytes, guint *cubes);
/* Gives the memory back, as far as no job uses it now. */
void     es_resident_clear          (EsDevice *device);

/*
 * A cube in page-locked memory, which devices load from where it lies: for measurements, and for data that come from
 * elsewhere than a file. type: "int16"; interleave: "bsq", "bil", "bip". The caller fills *samples before anybody
 * reads. ES_COMPUTE_ERROR_MEMORY, ES_DATA_ERROR_SIZE. Transfer full.
 */
EsCube  *es_cube_new_in_staging     (EsDevice *device, guint64 width, guint64 height, guint bands, const char *type,
                                     const char *interleave, gpointer *samples, GError **error);
/* A copy of a cube there, in the machine's byte order. Blocking. What reading answers besides. Transfer full. */
EsCube  *es_cube_copy_to_staging    (EsCube *cube, EsDevice *device, const char *interleave, GCancellable *cancellable,
                                     GError **error);

G_END_DECLS
