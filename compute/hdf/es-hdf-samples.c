/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-samples-internal.h"

#include "base/es-memory-internal.h"
#include "es-hdf-chunks-private.h"
#include "es-hdf-fill-private.h"
#include "libraries/es-hdf-lock-internal.h"

/* Of a dataset in one piece at least so much is read at a time. */
#define SIEVE_BYTES ((size_t) 4096)
#define SMALLEST_CACHE ((guint64) 4 * 1024 * 1024)

struct _EsHdfSamples
{
  hid_t        file, dataset, memory_type;
  int          n_axes;
  EsHdfChunks *chunks;         /* read instead of the library; nullable */
  EsHdfFill    fill;           /* of what the library leaves as it was */
};

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

static EskType
integer_of (size_t size, gboolean is_signed)
{
  switch (size)
    {
    case 1:  return is_signed ? ESK_I8 : ESK_U8;
    case 2:  return is_signed ? ESK_I16 : ESK_U16;
    case 4:  return is_signed ? ESK_I32 : ESK_U32;
    default: return is_signed ? ESK_I64 : ESK_U64;
    }
}

/* Numbers of so many bits are in memory what they are in the file. */
static gboolean
holds_integers (hid_t memory_type, size_t bits, gboolean is_signed)
{
  if (H5Tget_class (memory_type) == H5T_FLOAT)
    return bits <= (H5Tget_size (memory_type) == sizeof (double) ? 53u : 24u);
  if (H5Tget_sign (memory_type) == H5T_SGN_2)
    return bits + !is_signed <= 8 * H5Tget_size (memory_type);
  return !is_signed && bits <= 8 * H5Tget_size (memory_type);
}

/* TRUE where memory gets every number as it is in the file. What GDAL takes for unsigned though the file has a sign, or
 * the other way round, as attributes may say, it takes bit by bit. */
static gboolean
keeps_numbers (hid_t dataset, hid_t *memory_type)
{
  hid_t type = H5Dget_type (dataset);
  gboolean keeps = FALSE;

  if (type < 0)
    return FALSE;
  if (H5Tget_class (type) == H5T_INTEGER)
    {
      const gboolean is_signed = H5Tget_sign (type) == H5T_SGN_2;
      const size_t bits = H5Tget_precision (type), size = H5Tget_size (type);

      if (H5Tget_class (*memory_type) == H5T_INTEGER && size == H5Tget_size (*memory_type) && bits == 8 * size)
        {
          *memory_type = es_hdf_memory_type (integer_of (size, is_signed));
          keeps = *memory_type >= 0;
        }
      else
        keeps = holds_integers (*memory_type, bits, is_signed);
    }
  else if (H5Tget_class (type) == H5T_FLOAT)
    keeps = H5Tget_class (*memory_type) == H5T_FLOAT && H5Tget_size (type) <= H5Tget_size (*memory_type);
  else if (H5Tget_class (type) == H5T_ENUM)
    {
      hid_t base = H5Tget_super (type);

      keeps = base >= 0 && holds_integers (*memory_type, H5Tget_precision (base), H5Tget_sign (base) == H5T_SGN_2);
      if (base >= 0)
        H5Tclose (base);
    }
  H5Tclose (type);
  return keeps;
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
take_fill (EsHdfFill *fill, hid_t dataset, hid_t memory_type)
{
  hid_t plist = H5Dget_create_plist (dataset);

  es_hdf_fill_init (fill, plist, memory_type);
  if (plist >= 0)
    H5Pclose (plist);
}

static void
open_dataset (EsHdfSamples *self, const char *path, gboolean exact, const guint64 *across, const EsHdfCache *cache,
              guint64 *unpacked)
{
  const guint64 largest = CLAMP (es_memory_total () / cache->share, SMALLEST_CACHE, cache->most);
  guint64 n_chunks, stretch, held;

  self->dataset = H5Dopen2 (self->file, path, H5P_DEFAULT);
  if (self->dataset < 0)
    return;
  if (!has_axes (self->dataset, self->n_axes) || (exact && !keeps_numbers (self->dataset, &self->memory_type)))
    {
      H5Dclose (self->dataset);
      self->dataset = -1;
      return;
    }
  take_fill (&self->fill, self->dataset, self->memory_type);
  stretch = bytes_of_stretch (self->dataset, self->n_axes, across, &n_chunks);
  if (stretch == 0)
    return;
  held = CLAMP (times (cache->stretches, stretch), SMALLEST_CACHE, largest);
  if (unpacked != NULL && stretch > held)
    *unpacked = stretch;
  self->chunks = es_hdf_chunks_new (self->dataset, self->memory_type, held, stretch);
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
  if (es_hdf_memory_type (type) < 0 || n_axes < 1 || n_axes > H5S_MAX_RANK)
    return NULL;
  self = g_new0 (EsHdfSamples, 1);
  self->memory_type = es_hdf_memory_type (type);
  self->n_axes = n_axes;
  self->dataset = -1;
  hid_t access = H5Pcreate (H5P_FILE_ACCESS);
  /* Rows of one band are a piece of a dataset that is not in chunks, and what is behind them somebody else reads. */
  H5Pset_sieve_buf_size (access, SIEVE_BYTES);
  self->file = H5Fopen (path, H5F_ACC_RDONLY, access);
  H5Pclose (access);
  if (self->file >= 0)
    open_dataset (self, dataset, exact, across, cache, unpacked);
  if (self->dataset >= 0)
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
  hid_t space = H5Dget_space (self->dataset);
  hid_t memory = self->n_axes > 0 ? H5Screate_simple (self->n_axes, count, NULL) : H5Screate (H5S_SCALAR);
  gboolean ok = space >= 0 && memory >= 0 &&
                (self->n_axes == 0 || H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0);

  if (ok)
    es_hdf_fill (&self->fill, buffer, (gsize) H5Sget_simple_extent_npoints (memory));
  ok = ok && H5Dread (self->dataset, self->memory_type, memory, space, H5P_DEFAULT, buffer) >= 0;

  if (memory >= 0)
    H5Sclose (memory);
  if (space >= 0)
    H5Sclose (space);
  return ok;
}

guint64
es_hdf_samples_get_least (EsHdfSamples *self)
{
  return self->chunks != NULL ? es_hdf_chunks_get_bytes (self->chunks) : 0;
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

gboolean
es_hdf_read_whole (hid_t dataset, hid_t memory_type, int n_axes, const guint64 *lengths, void *buffer)
{
  EsHdfSamples whole = { .dataset = dataset, .memory_type = memory_type, .n_axes = n_axes };
  hsize_t start[H5S_MAX_RANK] = { 0 }, count[H5S_MAX_RANK];
  hid_t space;
  gboolean ok;

  if (n_axes < 0 || n_axes > H5S_MAX_RANK || !has_axes (dataset, n_axes))
    return FALSE;
  space = H5Dget_space (dataset);
  ok = space >= 0 && H5Sget_simple_extent_dims (space, count, NULL) == n_axes;
  if (space >= 0)
    H5Sclose (space);
  for (int i = 0; i < n_axes && ok; i++)
    ok = count[i] == lengths[i];
  if (!ok)
    return FALSE;

  take_fill (&whole.fill, dataset, memory_type);
  if (n_axes > 0)
    whole.chunks = es_hdf_chunks_new (dataset, memory_type, 0, 0);
  if (whole.chunks == NULL)
    return read_by_library (&whole, start, count, buffer);
  es_hdf_unlock ();
  ok = es_hdf_chunks_read (whole.chunks, start, count, buffer);
  es_hdf_lock ();
  es_hdf_chunks_free (whole.chunks);
  return ok;
}
