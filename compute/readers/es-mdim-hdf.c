/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* GDAL reads HDF5 without a cache that holds a chunk of more than a megabyte, and so unpacks it for every row. Samples
 * that the library can hand over as they are stored come from it directly, with a cache for the chunks of one row. */

#include "es-mdim-private.h"

#include <hdf5.h>

#include "base/es-memory-internal.h"

#define SMALLEST_CACHE ((guint64) 4 * 1024 * 1024)
#define LARGEST_CACHE  ((guint64) 512 * 1024 * 1024)

struct _EsMdimHdf
{
  hid_t  file, dataset, memory_type;
  int    n_axes;
};

static hid_t
memory_type_of (EskType type)
{
  switch (type)
    {
    case ESK_U8:  return H5T_NATIVE_UINT8;
    case ESK_I8:  return H5T_NATIVE_INT8;
    case ESK_U16: return H5T_NATIVE_UINT16;
    case ESK_I16: return H5T_NATIVE_INT16;
    case ESK_U32: return H5T_NATIVE_UINT32;
    case ESK_I32: return H5T_NATIVE_INT32;
    case ESK_U64: return H5T_NATIVE_UINT64;
    case ESK_I64: return H5T_NATIVE_INT64;
    case ESK_F32: return H5T_NATIVE_FLOAT;
    case ESK_F64: return H5T_NATIVE_DOUBLE;
    default:      return -1;
    }
}

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

/* Bytes of the chunks that one row of pixels of all bands goes through, and how many they are; 0: not in chunks. */
static guint64
bytes_of_row (hid_t dataset, const EsMdimShape *shape, guint64 *n_chunks)
{
  hid_t plist = H5Dget_create_plist (dataset), type = H5Dget_type (dataset);
  hsize_t chunk[H5S_MAX_RANK];
  guint64 bytes = 0;

  *n_chunks = 1;
  if (plist >= 0 && type >= 0 && H5Pget_layout (plist) == H5D_CHUNKED &&
      H5Pget_chunk (plist, H5S_MAX_RANK, chunk) == (int) shape->n_axes)
    {
      bytes = H5Tget_size (type);
      for (size_t i = 0; i < shape->n_axes; i++)
        if (__builtin_mul_overflow (bytes, (guint64) MAX (chunk[i], 1), &bytes))
          bytes = G_MAXUINT64;
      for (guint role = 0; role < 3; role++)
        if (role != ES_AXIS_ROW)
          {
            guint64 along = MAX (chunk[shape->axis[role]], 1);

            if (__builtin_mul_overflow (*n_chunks, (shape->length[role] + along - 1) / along, n_chunks))
              *n_chunks = G_MAXUINT64;
          }
      if (__builtin_mul_overflow (bytes, *n_chunks, &bytes))
        bytes = G_MAXUINT64;
    }
  if (type >= 0)
    H5Tclose (type);
  if (plist >= 0)
    H5Pclose (plist);
  return bytes;
}

static guint64
largest_cache (void)
{
  return CLAMP (es_memory_total () / 16, SMALLEST_CACHE, LARGEST_CACHE);
}

static hid_t
open_with_cache (hid_t file, const char *path, const EsMdimShape *shape)
{
  hid_t probe = H5Dopen2 (file, path, H5P_DEFAULT), access, dataset;
  guint64 n_chunks, row;

  if (probe < 0)
    return probe;
  row = bytes_of_row (probe, shape, &n_chunks);
  if (row == 0)
    return probe;
  /* What a dataset opens with it keeps for as long as it is open at all. */
  H5Dclose (probe);
  access = H5Pcreate (H5P_DATASET_ACCESS);
  if (access < 0)
    return -1;
  H5Pset_chunk_cache (access, (size_t) MIN (n_chunks, 100000) * 20 + 521,
                      (size_t) CLAMP (row, SMALLEST_CACHE, largest_cache ()), 1.0);
  dataset = H5Dopen2 (file, path, access);
  H5Pclose (access);
  return dataset;
}

EsMdimHdf *
es_mdim_hdf_new (EsReaderInput *input, const char *variable, const EsMdimShape *shape, EskType type)
{
  EsMdimHdf *self;

  if (!es_reader_is_hdf5 (input) || memory_type_of (type) < 0 || shape->n_axes > H5S_MAX_RANK)
    return NULL;
  self = g_new0 (EsMdimHdf, 1);
  self->memory_type = memory_type_of (type);
  self->n_axes = (int) shape->n_axes;
  self->dataset = -1;
  self->file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (self->file >= 0)
    self->dataset = open_with_cache (self->file, variable, shape);
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
  hid_t space = H5Dget_space (self->dataset), memory;
  hsize_t first[H5S_MAX_RANK], lengths[H5S_MAX_RANK];
  gboolean ok;

  for (int i = 0; i < self->n_axes; i++)
    {
      first[i] = start[i];
      lengths[i] = count[i];
    }
  memory = H5Screate_simple (self->n_axes, lengths, NULL);
  ok = space >= 0 && memory >= 0 && H5Sget_simple_extent_ndims (space) == self->n_axes &&
       H5Sselect_hyperslab (space, H5S_SELECT_SET, first, NULL, lengths, NULL) >= 0 &&
       H5Dread (self->dataset, self->memory_type, memory, space, H5P_DEFAULT, buffer) >= 0;
  if (memory >= 0)
    H5Sclose (memory);
  if (space >= 0)
    H5Sclose (space);
  return ok;
}
