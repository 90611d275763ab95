/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* GDAL reads HDF5 without a cache that holds a chunk of more than a megabyte, and so unpacks it for every row. Samples
 * that can be handed over as they are stored are read without it, with a cache for the chunks of one row. */

#include "es-mdim-private.h"

/* A stretch: one row of pixels of all bands. */
static const EsHdfCache cache = { .stretches = 1, .share = 16, .most = (guint64) 512 * 1024 * 1024 };

EsHdfSamples *
es_mdim_hdf_new (EsReaderInput *input, const char *variable, const EsMdimShape *shape, EskType type)
{
  g_autofree guint64 *across = g_new (guint64, shape->n_axes);

  if (!es_reader_is_hdf5 (input) || shape->n_axes > H5S_MAX_RANK)
    return NULL;
  for (size_t i = 0; i < shape->n_axes; i++)
    across[i] = 1;
  across[shape->axis[ES_AXIS_COLUMN]] = shape->length[ES_AXIS_COLUMN];
  across[shape->axis[ES_AXIS_BAND]] = shape->length[ES_AXIS_BAND];
  return es_hdf_samples_new (input->path, variable, type, TRUE, (int) shape->n_axes, across, &cache, NULL);
}
