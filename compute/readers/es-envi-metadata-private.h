/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "base/es-envi-header-internal.h"
#include "es-reader-private.h"

G_BEGIN_DECLS

/* Fills what the header says besides the samples: wavelengths, bad bands, no-data, scale, names, georeference. The
 * number of bands of info is set before. es-envi-metadata.c. */
void          es_envi_read_metadata      (EsReaderInput *input, EsEnviHeader *header, EsCubeInfo *info);
/* The same of a classification: names and colours of its classes. What it lacks is a note. */
void          es_envi_read_classes       (EsReaderInput *input, EsEnviHeader *header, EsCubeInfo *info);

G_END_DECLS
