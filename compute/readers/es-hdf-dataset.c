/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-private.h"

#include <math.h>

#include "base/es-memory-internal.h"

#define SMALLEST_CACHE ((guint64) 4 * 1024 * 1024)

const char * const es_hdf_rate_names[] = {
  "sample_freq", "sampleRateHz", "sample_rate", "sampling_rate", "sampling_frequency", "samplerate", "SampleRate",
  "sampleRate", "fs", "Fs", "FS", "rate_hz", "rate", NULL,
};

/* As what the numbers are read, and what full scale is: integers by the bits they really use. */
static gboolean
type_of (hid_t type, EsHdfShape *shape)
{
  const size_t size = H5Tget_size (type), precision = H5Tget_precision (type);

  switch (H5Tget_class (type))
    {
    case H5T_INTEGER:
      if (H5Tget_sign (type) != H5T_SGN_2 || size > 4 || precision < 2 || precision > 32)
        return FALSE;
      shape->type = size <= 2 ? ESK_I16 : ESK_I32;
      shape->scale = ldexp (1, 1 - (int) precision);
      g_snprintf (shape->type_name, sizeof shape->type_name, "int%u", (guint) precision);
      return TRUE;
    case H5T_FLOAT:
      if (size > 8)
        return FALSE;
      shape->type = size <= 4 ? ESK_F32 : ESK_F64;
      shape->scale = 1;
      g_snprintf (shape->type_name, sizeof shape->type_name, "float%u", (guint) size * 8);
      return TRUE;
    default:
      return FALSE;
    }
}

gboolean
es_hdf_find_shape (hid_t dataset, const gboolean *channels_first, EsHdfShape *shape)
{
  hid_t space = H5Dget_space (dataset), type = H5Dget_type (dataset);
  hsize_t lengths[2] = { 0 };
  gboolean ok = space >= 0 && type >= 0 && H5Sget_simple_extent_ndims (space) == 2 &&
                H5Sget_simple_extent_dims (space, lengths, NULL) == 2 && type_of (type, shape);

  if (ok)
    {
      shape->by_channel = channels_first != NULL ? *channels_first : lengths[0] < lengths[1];
      shape->channels = lengths[shape->by_channel ? 0 : 1];
      shape->frames = lengths[shape->by_channel ? 1 : 0];
    }
  if (type >= 0)
    H5Tclose (type);
  if (space >= 0)
    H5Sclose (space);
  return ok;
}

static gboolean
is_number (hid_t type, hid_t space)
{
  H5T_class_t class = type >= 0 ? H5Tget_class (type) : H5T_NO_CLASS;

  return space >= 0 && (class == H5T_INTEGER || class == H5T_FLOAT) && H5Sget_simple_extent_npoints (space) == 1;
}

gboolean
es_hdf_read_number (hid_t object, const char * const *names, double *value)
{
  gboolean found = FALSE;

  for (; *names != NULL && !found; names++)
    {
      hid_t attribute, type, space;

      if (H5Aexists (object, *names) <= 0 || (attribute = H5Aopen (object, *names, H5P_DEFAULT)) < 0)
        continue;
      type = H5Aget_type (attribute);
      space = H5Aget_space (attribute);
      found = is_number (type, space) && H5Aread (attribute, H5T_NATIVE_DOUBLE, value) >= 0;
      if (space >= 0)
        H5Sclose (space);
      if (type >= 0)
        H5Tclose (type);
      H5Aclose (attribute);
    }
  return found;
}

gboolean
es_hdf_read_scalar (hid_t group, const char * const *names, double *value)
{
  gboolean found = FALSE;

  for (; *names != NULL && !found; names++)
    {
      hid_t dataset, type, space;

      if (H5Lexists (group, *names, H5P_DEFAULT) <= 0 || (dataset = H5Dopen2 (group, *names, H5P_DEFAULT)) < 0)
        continue;
      type = H5Dget_type (dataset);
      space = H5Dget_space (dataset);
      found = is_number (type, space) &&
              H5Dread (dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
      if (space >= 0)
        H5Sclose (space);
      if (type >= 0)
        H5Tclose (type);
      H5Dclose (dataset);
    }
  return found;
}

hid_t
es_hdf_memory_type (EskType type)
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

hid_t
es_hdf_open_cached (hid_t file, const char *path, int n_axes, const guint64 *across, const EsHdfCache *cache,
                    guint64 *unpacked)
{
  const guint64 largest = CLAMP (es_memory_total () / cache->share, SMALLEST_CACHE, cache->most);
  hid_t probe = H5Dopen2 (file, path, H5P_DEFAULT), access, dataset;
  guint64 n_chunks, stretch, held;

  if (unpacked != NULL)
    *unpacked = 0;
  if (probe < 0)
    return probe;
  stretch = bytes_of_stretch (probe, n_axes, across, &n_chunks);
  if (stretch == 0)
    return probe;
  /* What a dataset opens with it keeps for as long as it is open at all. */
  H5Dclose (probe);

  held = CLAMP (times (cache->stretches, stretch), SMALLEST_CACHE, largest);
  if (unpacked != NULL && stretch > held)
    *unpacked = stretch;
  access = H5Pcreate (H5P_DATASET_ACCESS);
  if (access >= 0)
    H5Pset_chunk_cache (access, (size_t) MIN (n_chunks, 100000) * 20 + 521, (size_t) held, 1.0);
  dataset = H5Dopen2 (file, path, access >= 0 ? access : H5P_DEFAULT);
  if (access >= 0)
    H5Pclose (access);
  return dataset;
}

gboolean
es_hdf_read_slab (hid_t dataset, hid_t memory_type, int n_axes, const hsize_t *start, const hsize_t *count,
                  void *buffer)
{
  hid_t space = H5Dget_space (dataset), memory = H5Screate_simple (n_axes, count, NULL);
  gboolean ok = space >= 0 && memory >= 0 && H5Sget_simple_extent_ndims (space) == n_axes &&
                H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread (dataset, memory_type, memory, space, H5P_DEFAULT, buffer) >= 0;

  if (memory >= 0)
    H5Sclose (memory);
  if (space >= 0)
    H5Sclose (space);
  return ok;
}
