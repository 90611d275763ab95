/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-samples-internal.h"

#include "base/es-hdf-lock-internal.h"
#include "base/es-memory-internal.h"
#include "es-hdf-chunks-private.h"

#define SMALLEST_CACHE ((guint64) 4 * 1024 * 1024)

struct _EsHdfSamples
{
  hid_t        file, dataset, memory_type;
  int          n_axes;
  EsHdfChunks *chunks;         /* read instead of the library; nullable */
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

static guint64
times (guint64 a, guint64 b)
{
  guint64 product;

  return __builtin_mul_overflow (a, b, &product) ? G_MAXUINT64 : product;
}

/* Bytes of the chunks that a stretch lies in, and how many they are; 0: not in chunks. */
static guint64
bytes_of_stretch (hid_t dataset, int n_axes, const guint64 *across, guint64 *n_chunks)
{
  hid_t plist = H5Dget_create_plist (dataset), type = H5Dget_type (dataset);
  hsize_t chunk[H5S_MAX_RANK];
  guint64 bytes = 0;

  *n_chunks = 1;
  if (plist >= 0 && type >= 0 && H5Pget_layout (plist) == H5D_CHUNKED &&
      H5Pget_chunk (plist, H5S_MAX_RANK, chunk) == n_axes)
    {
      bytes = H5Tget_size (type);
      for (int i = 0; i < n_axes; i++)
        {
          const guint64 along = MAX (chunk[i], 1);

          bytes = times (bytes, along);
          *n_chunks = times (*n_chunks, across[i] / along + (across[i] % along > 0));
        }
      bytes = times (bytes, *n_chunks);
    }
  if (type >= 0)
    H5Tclose (type);
  if (plist >= 0)
    H5Pclose (plist);
  return bytes;
}

static gboolean
has_axes (hid_t dataset, int n_axes)
{
  hid_t space = H5Dget_space (dataset);
  gboolean has = space >= 0 && H5Sget_simple_extent_ndims (space) == n_axes;

  if (space >= 0)
    H5Sclose (space);
  return has;
}

/* The dataset once more, with a cache of the library's own. */
static hid_t
open_with_cache (hid_t file, const char *path, guint64 n_chunks, guint64 bytes)
{
  hid_t access = H5Pcreate (H5P_DATASET_ACCESS), dataset;

  if (access >= 0)
    H5Pset_chunk_cache (access, (size_t) MIN (n_chunks, 100000) * 20 + 521, (size_t) bytes, 1.0);
  dataset = H5Dopen2 (file, path, access >= 0 ? access : H5P_DEFAULT);
  if (access >= 0)
    H5Pclose (access);
  return dataset;
}

static void
open_dataset (EsHdfSamples *self, const char *path, const guint64 *across, const EsHdfCache *cache, guint64 *unpacked)
{
  const guint64 largest = CLAMP (es_memory_total () / cache->share, SMALLEST_CACHE, cache->most);
  guint64 n_chunks, stretch, held;

  self->dataset = H5Dopen2 (self->file, path, H5P_DEFAULT);
  if (self->dataset < 0)
    return;
  stretch = bytes_of_stretch (self->dataset, self->n_axes, across, &n_chunks);
  if (stretch == 0)
    return;
  held = CLAMP (times (cache->stretches, stretch), SMALLEST_CACHE, largest);
  if (unpacked != NULL && stretch > held)
    *unpacked = stretch;
  if (is_same_type (self->dataset, self->memory_type))
    self->chunks = es_hdf_chunks_new (self->dataset, self->memory_type, held);
  if (self->chunks == NULL)
    {
      /* What a dataset opens with it keeps for as long as it is open at all. */
      H5Dclose (self->dataset);
      self->dataset = open_with_cache (self->file, path, n_chunks, held);
    }
}

EsHdfSamples *
es_hdf_samples_new (const char *path, const char *dataset, EskType type, gboolean exact, int n_axes,
                    const guint64 *across, const EsHdfCache *cache, guint64 *unpacked)
{
  EsHdfSamples *self;

  if (unpacked != NULL)
    *unpacked = 0;
  if (memory_type_of (type) < 0 || n_axes < 1 || n_axes > H5S_MAX_RANK)
    return NULL;
  self = g_new0 (EsHdfSamples, 1);
  self->memory_type = memory_type_of (type);
  self->n_axes = n_axes;
  self->dataset = -1;
  self->file = H5Fopen (path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (self->file >= 0)
    open_dataset (self, dataset, across, cache, unpacked);
  if (self->dataset >= 0 && has_axes (self->dataset, n_axes)
      && (!exact || is_same_type (self->dataset, self->memory_type)))
    return self;
  es_hdf_samples_free (self);
  return NULL;
}

void
es_hdf_samples_free (EsHdfSamples *self)
{
  if (self == NULL)
    return;
  es_hdf_chunks_free (self->chunks);
  if (self->dataset >= 0)
    H5Dclose (self->dataset);
  if (self->file >= 0)
    H5Fclose (self->file);
  g_free (self);
}

static gboolean
read_by_library (EsHdfSamples *self, const hsize_t *start, const hsize_t *count, void *buffer)
{
  hid_t space = H5Dget_space (self->dataset), memory = H5Screate_simple (self->n_axes, count, NULL);
  gboolean ok = space >= 0 && memory >= 0 &&
                H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread (self->dataset, self->memory_type, memory, space, H5P_DEFAULT, buffer) >= 0;

  if (memory >= 0)
    H5Sclose (memory);
  if (space >= 0)
    H5Sclose (space);
  return ok;
}

gboolean
es_hdf_samples_read (EsHdfSamples *self, const guint64 *start, const guint64 *count, void *buffer)
{
  hsize_t first[H5S_MAX_RANK], lengths[H5S_MAX_RANK];
  gboolean ok;

  for (int i = 0; i < self->n_axes; i++)
    {
      first[i] = start[i];
      lengths[i] = count[i];
    }
  if (self->chunks != NULL)
    return es_hdf_chunks_read (self->chunks, first, lengths, buffer);
  es_hdf_lock ();
  ok = read_by_library (self, first, lengths, buffer);
  es_hdf_unlock ();
  return ok;
}
