/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* GDAL reads HDF5 without a cache that holds a chunk of more than a megabyte, and so unpacks it for every row. Samples
 * that the library can hand over as they are stored come from it directly, with a cache for the chunks of one row. */

#include "es-mdim-private.h"

#include "es-hdf-private.h"

/* A stretch: one row of pixels of all bands. */
static const EsHdfCache cache = { .stretches = 1, .share = 16, .most = (guint64) 512 * 1024 * 1024 };

struct _EsMdimHdf
{
  hid_t  file, dataset, memory_type;
  int    n_axes;
};

/* TRUE where nothing but the order of bytes may differ: what GDAL makes of a type (signs told by attributes) stays its
 * own business. */
static gboolean
is_same_type (hid_t dataset, hid_t memory_type)
{
  hid_t type = H5Dget_type (dataset);
  gboolean same;

  if (type < 0)
    return FALSE;
  same = H5Tget_class (type) == H5Tget_class (memory_type) && H5Tget_size (type) == H5Tget_size (memory_type) &&
         H5Tget_precision (type) == 8 * H5Tget_size (type) &&
         (H5Tget_class (type) != H5T_INTEGER || H5Tget_sign (type) == H5Tget_sign (memory_type));
  H5Tclose (type);
  return same;
}

EsMdimHdf *
es_mdim_hdf_new (EsReaderInput *input, const char *variable, const EsMdimShape *shape, EskType type)
{
  guint64 across[H5S_MAX_RANK];
  EsMdimHdf *self;

  if (!es_reader_is_hdf5 (input) || es_hdf_memory_type (type) < 0 || shape->n_axes > H5S_MAX_RANK)
    return NULL;
  self = g_new0 (EsMdimHdf, 1);
  self->memory_type = es_hdf_memory_type (type);
  self->n_axes = (int) shape->n_axes;
  self->dataset = -1;
  for (int i = 0; i < self->n_axes; i++)
    across[i] = 1;
  across[shape->axis[ES_AXIS_COLUMN]] = shape->length[ES_AXIS_COLUMN];
  across[shape->axis[ES_AXIS_BAND]] = shape->length[ES_AXIS_BAND];
  self->file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (self->file >= 0)
    self->dataset = es_hdf_open_cached (self->file, variable, self->n_axes, across, &cache, NULL);
  if (self->dataset >= 0 && is_same_type (self->dataset, self->memory_type))
    return self;
  es_mdim_hdf_free (self);
  return NULL;
}

void
es_mdim_hdf_free (EsMdimHdf *self)
{
  if (self->dataset >= 0)
    H5Dclose (self->dataset);
  if (self->file >= 0)
    H5Fclose (self->file);
  g_free (self);
}

gboolean
es_mdim_hdf_read (EsMdimHdf *self, const guint64 *start, const size_t *count, void *buffer)
{
  hsize_t first[H5S_MAX_RANK], lengths[H5S_MAX_RANK];

  for (int i = 0; i < self->n_axes; i++)
    {
      first[i] = start[i];
      lengths[i] = count[i];
    }
  return es_hdf_read_slab (self->dataset, self->memory_type, self->n_axes, first, lengths, buffer);
}
