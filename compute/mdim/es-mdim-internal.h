/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "cube/es-cube-internal.h"
#include "input/es-reader-input-internal.h"

G_BEGIN_DECLS

/* The cube of an HDF5 or netCDF file: the array that was named, a product's bands, or the array that tells most of
 * itself. NULL without an error: it holds none. */
EsCube *es_mdim_open (EsReaderInput *input, GError **error);

G_END_DECLS
