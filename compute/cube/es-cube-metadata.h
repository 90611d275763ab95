/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "es-cube.h"
#include "metadata/es-metadata.h"

G_BEGIN_DECLS

/*
 * What a cube is told beside its file. A cube stays what it is: told something else it is another cube over the same
 * samples, which takes part as the first one does. Any thread.
 */

/* What is told of it; NULL: nothing. Borrowed. */
EsMetadata   *es_cube_get_metadata       (EsCube *self);
/* As the file says it: itself, where nothing is told. Borrowed. */
EsCube       *es_cube_get_original       (EsCube *self);
/*
 * The same file, told this instead of all that self was told; metadata nullable: nothing. Blocking: bands without data
 * are looked for. ES_DATA_ERROR_FORMAT: it is of another number of bands, or holds what no cube can be told (a
 * coordinate system that is none, wavelengths of an unknown unit); one sentence that names the cube. Transfer full.
 */
EsCube       *es_cube_with_metadata      (EsCube *self, EsMetadata *metadata, GError **error);
void          es_cube_with_metadata_async  (EsCube *self, EsMetadata *metadata, GAsyncReadyCallback callback,
                                            gpointer user_data);
EsCube       *es_cube_with_metadata_finish (GAsyncResult *result, GError **error);

/* The classes of one become those of another cube that takes its place; their spectra are computed anew. Main
 * context. */
void          es_dataset_pass_regions    (EsDataset *from, EsDataset *to);

/* The wavelengths and widths in the unit that they are counted in, also where they are taken for none; nullable,
 * borrowed. */
const double *es_cube_get_said_wavelengths (EsCube *self);
const double *es_cube_get_said_fwhm        (EsCube *self);
/* That unit, "nm", "um" or another one's name; *guessed: by the size of the numbers alone. NULL: there are none.
 * Borrowed. */
const char   *es_cube_get_wavelength_unit  (EsCube *self, gboolean *guessed);
/* The bad-band list alone: `bands` booleans, or NULL: there is none. Bands without data are not looked at. Borrowed. */
const gboolean *es_cube_get_listed_bands   (EsCube *self);
/* The default bands, from 0. FALSE: there are none. */
gboolean      es_cube_get_default_bands    (EsCube *self, int bands[3]);
/* What tells it lies beside the file and was not taken: why, one sentence; else NULL. Borrowed. */
const char   *es_cube_get_metadata_refused (EsCube *self);
/* All that another cube of as many bands says of its own (wavelengths, widths, bad bands, names), to be told of this
 * one. ES_DATA_ERROR_FORMAT: it has more or fewer bands, or says nothing. Transfer full. */
EsMetadata   *es_cube_take_metadata_of     (EsCube *self, EsCube *other, GError **error);

G_END_DECLS
