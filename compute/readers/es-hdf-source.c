/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-recording-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "base/es-error.h"
#include "base/es-hdf-lock-internal.h"
#include "base/es-memory-internal.h"

#define SMALLEST_CACHE ((guint64) 4 * 1024 * 1024)
#define LARGEST_CACHE  ((guint64) 1024 * 1024 * 1024)

/* One way into the file for all threads: the library takes one at a time anyway, and they then share its cache. */
typedef struct
{
  EsFrameSource  parent;

  char          *name;
  EsHdfShape     shape;
  hid_t          file, dataset, memory_type;
} HdfSource;

static gpointer
hdf_handle_new (EsFrameSource *source, GError **error)
{
  return source;
}

static void
hdf_handle_free (EsFrameSource *source, gpointer handle)
{
}

static gboolean
read_slab (HdfSource *self, guint64 first, guint64 n, guint first_channel, guint channels, void *buffer)
{
  const guint frame_axis = self->shape.by_channel, channel_axis = !frame_axis;
  hsize_t start[2], count[2];
  hid_t space = H5Dget_space (self->dataset), memory;
  gboolean ok;

  start[frame_axis] = first;
  start[channel_axis] = first_channel;
  count[frame_axis] = n;
  count[channel_axis] = channels;
  memory = H5Screate_simple (2, count, NULL);
  ok = space >= 0 && memory >= 0 &&
       H5Sselect_hyperslab (space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
       H5Dread (self->dataset, self->memory_type, memory, space, H5P_DEFAULT, buffer) >= 0;
  if (memory >= 0)
    H5Sclose (memory);
  if (space >= 0)
    H5Sclose (space);
  return ok;
}

static gboolean
hdf_read_channels (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, guint first_channel,
                   guint n_channels, void *buffer, EskFrames *frames, GError **error)
{
  HdfSource *self = (HdfSource *) source;
  gboolean ok;

  *frames = (EskFrames) {
    .data = buffer, .type = self->shape.type, .frames = n, .channels = n_channels,
    .frame_stride = self->shape.by_channel ? 1 : (ptrdiff_t) n_channels,
    .channel_stride = self->shape.by_channel ? (ptrdiff_t) n : 1,
  };
  es_hdf_lock ();
  ok = read_slab (self, first, n, first_channel, n_channels, buffer);
  es_hdf_unlock ();
  if (!ok)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                 _("“%s” cannot be read between the frames %" PRIu64 " and %" PRIu64 ": it is "
                   "damaged, cut short or packed in a way that is not known here"), self->name, first, first + n);
  return ok;
}

static gboolean
hdf_read (EsFrameSource *source, gpointer handle, guint64 first, guint64 n, void *buffer, EskFrames *frames,
          GError **error)
{
  HdfSource *self = (HdfSource *) source;

  return hdf_read_channels (source, handle, first, n, 0, (guint) self->shape.channels, buffer, frames, error);
}

static void
close_all (HdfSource *self)
{
  if (self->dataset >= 0)
    H5Dclose (self->dataset);
  if (self->file >= 0)
    H5Fclose (self->file);
  g_free (self->name);
  g_free (self);
}

static void
hdf_free (EsFrameSource *source)
{
  es_hdf_lock ();
  close_all ((HdfSource *) source);
  es_hdf_unlock ();
}

/* Bytes and number of the chunks that a stretch of one chunk's frames of every channel takes; 0: not in chunks. */
static guint64
bytes_of_row (hid_t dataset, const EsHdfShape *shape, guint64 *n_chunks)
{
  hid_t plist = H5Dget_create_plist (dataset), type = H5Dget_type (dataset);
  hsize_t chunk[2] = { 0 };
  guint64 bytes = 0;

  *n_chunks = 0;
  if (plist >= 0 && type >= 0 && H5Pget_layout (plist) == H5D_CHUNKED && H5Pget_chunk (plist, 2, chunk) == 2)
    {
      guint64 across = chunk[shape->by_channel ? 0 : 1], along = chunk[shape->by_channel ? 1 : 0];

      *n_chunks = across > 0 ? (shape->channels + across - 1) / across : 0;
      if (__builtin_mul_overflow (*n_chunks * across, along, &bytes) ||
          __builtin_mul_overflow (bytes, (guint64) H5Tget_size (type), &bytes))
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
  return CLAMP (es_memory_total () / 8, SMALLEST_CACHE, LARGEST_CACHE);
}

/* The dataset once more, with a cache for two such stretches: a block may reach from one into the next. */
static hid_t
open_with_cache (hid_t file, const char *path, const EsHdfShape *shape, guint64 *unpacked)
{
  hid_t probe = H5Dopen2 (file, path, H5P_DEFAULT), access, dataset;
  guint64 n_chunks, row, cache;

  *unpacked = 0;
  if (probe < 0)
    return probe;
  row = bytes_of_row (probe, shape, &n_chunks);
  if (row == 0)
    return probe;
  /* What a dataset opens with it keeps for as long as it is open at all. */
  H5Dclose (probe);

  cache = row > largest_cache () / 2 ? largest_cache () : MAX (2 * row, SMALLEST_CACHE);
  if (row > cache)
    *unpacked = row;
  access = H5Pcreate (H5P_DATASET_ACCESS);
  if (access >= 0)
    H5Pset_chunk_cache (access, (size_t) MIN (n_chunks, 100000) * 20 + 521, (size_t) cache, 1.0);
  dataset = H5Dopen2 (file, path, access >= 0 ? access : H5P_DEFAULT);
  if (access >= 0)
    H5Pclose (access);
  return dataset;
}

static hid_t
memory_type_of (EskType type)
{
  switch (type)
    {
    case ESK_I16: return H5T_NATIVE_INT16;
    case ESK_I32: return H5T_NATIVE_INT32;
    case ESK_F64: return H5T_NATIVE_DOUBLE;
    default:      return H5T_NATIVE_FLOAT;
    }
}

EsFrameSource *
es_hdf_source_new (EsReaderInput *input, const char *path, const EsHdfShape *shape, guint64 *unpacked, GError **error)
{
  HdfSource *self = g_new0 (HdfSource, 1);
  g_autofree guint8 *frame = NULL;

  self->parent = (EsFrameSource) {
    .handle_new = hdf_handle_new, .handle_free = hdf_handle_free, .read = hdf_read,
    .read_channels = hdf_read_channels, .free = hdf_free,
  };
  self->name = g_strdup (input->name);
  self->shape = *shape;
  self->memory_type = memory_type_of (shape->type);
  self->dataset = -1;
  self->file = H5Fopen (input->path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (self->file >= 0)
    self->dataset = open_with_cache (self->file, path, shape, unpacked);

  /* The last frame tells of a file that was cut short, and of filters that are not here. */
  if (shape->channels <= 65536 && shape->frames > 0)
    frame = g_try_malloc (shape->channels * esk_type_size (shape->type));
  if (self->dataset < 0 ||
      (frame != NULL && !read_slab (self, shape->frames - 1, 1, 0, (guint) shape->channels, frame)))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                   _("The samples “%s” of “%s” cannot be read: they are damaged, cut short or packed in a way that is "
                     "not known here"), path, input->name);
      close_all (self);
      return NULL;
    }
  return &self->parent;
}
