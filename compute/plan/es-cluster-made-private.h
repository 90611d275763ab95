/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dataset/es-dataset.h"
#include "es-hotspots.h"

G_BEGIN_DECLS

/* Data sets of numbers that mean nothing, in a file without a name, so that they are read as any other file is. */

/* Bands one after the other, every band independent of the others. Types: ESK_U8, ESK_I16, ESK_F32. *seconds: what
 * writing the file took, which has the samples' bytes. G_IO_ERROR. Transfer full. */
EsDataset *_es_cluster_make_cube      (EskType type, guint width, guint height, guint bands, double *seconds,
                                       GError **error);
/* Frames of so many channels one after the other, of a line of elements half a wavelength of 500 Hz apart. Types:
 * ESK_I16, ESK_F32. */
EsDataset *_es_cluster_make_recording (EskType type, guint channels, guint64 frames, double rate, double *seconds,
                                       GError **error);

G_END_DECLS
