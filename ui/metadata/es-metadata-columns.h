/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-metadata.h"

G_BEGIN_DECLS

/* The columns of one band. */
typedef enum
{
  ES_BAND_NUMBER, ES_BAND_NAME, ES_BAND_WAVELENGTH, ES_BAND_FWHM, ES_BAND_GOOD, ES_BAND_NO_DATA, ES_BAND_SCALE,
  ES_BAND_OFFSET, ES_N_BAND_COLUMNS
} EsBandColumn;

/* Wavelengths and widths in the unit that they are counted in. Transfer full; "" where there is none. */
char       *es_metadata_band_show (EsCube *cube, guint band, EsBandColumn column);
/* What all bands are to be told where this one is told that. NULL: one sentence. base: what is told by now, nullable.
 * Transfer full. */
EsMetadata *es_metadata_band_read (EsCube *cube, EsMetadata *base, guint band, EsBandColumn column, const char *text,
                                   GError **error);

G_END_DECLS
