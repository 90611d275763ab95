/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-chunks-private.h"

#include <string.h>

#include "es-hdf-fill-private.h"
#include "es-hdf-unpack-private.h"
#include "libraries/es-hdf-lock-internal.h"

typedef struct
{
  guint64  index;
  guint    users;
  guint8  *samples;            /* NULL while they are being unpacked */
  GList    link;               /* in the order of use */
} Chunk;

struct _EsHdfChunks
{
  hid_t        dataset, memory_type;
  hid_t        file_type;                /* converted from chunk by chunk; -1: the bytes are memory's, but for: */
  gboolean     swapped;                  /* they stand the other way round */
  gboolean     bare_edges;               /* chunks that reach over an end are not packed */
  EsHdfPacking packing;
  EsHdfFill    fill;
  int          n_axes;
  hsize_t      lengths[H5S_MAX_RANK], chunk[H5S_MAX_RANK];
  guint64      per_axis[H5S_MAX_RANK];   /* chunks along it */
  guint64      samples;                  /* of one chunk */
  gsize        bytes;                    /* of them in memory */
  guint64      most;                     /* bytes that are held */
  guint64      stretch;                  /* that are wanted in turn */

  GMutex       mutex;
  GCond        changed;
  GHashTable  *held;                     /* index to Chunk */
  GQueue       order;                    /* of Chunk, the one used last first */
  guint64      total;
};

static void
chunk_free (gpointer data)
{
  Chunk *chunk = data;

  g_free (chunk->samples);
  g_free (chunk);
}

/* TRUE where the bits of a number of this type mean what they mean in memory, but for the order of its bytes. */
static gboolean
is_as_memory (hid_t type, hid_t memory_type)
{
  size_t sign[2], exponent[2], exponent_bits[2], mantissa[2], mantissa_bits[2];
  const H5T_order_t order = H5Tget_order (type);

  if (H5Tget_class (type) != H5Tget_class (memory_type) || H5Tget_size (type) != H5Tget_size (memory_type)
      || H5Tget_precision (type) != 8 * H5Tget_size (type) || H5Tget_offset (type) != 0
      || (H5Tget_size (type) > 1 && order != H5T_ORDER_LE && order != H5T_ORDER_BE))
    return FALSE;
  if (H5Tget_class (type) != H5T_FLOAT)
    return H5Tget_class (type) == H5T_INTEGER && H5Tget_sign (type) == H5Tget_sign (memory_type);
  return H5Tget_fields (type, &sign[0], &exponent[0], &exponent_bits[0], &mantissa[0], &mantissa_bits[0]) >= 0
         && H5Tget_fields (memory_type, &sign[1], &exponent[1], &exponent_bits[1], &mantissa[1], &mantissa_bits[1]) >= 0
         && sign[0] == sign[1] && exponent[0] == exponent[1] && exponent_bits[0] == exponent_bits[1]
         && mantissa[0] == mantissa[1] && mantissa_bits[0] == mantissa_bits[1]
         && H5Tget_ebias (type) == H5Tget_ebias (memory_type) && H5Tget_norm (type) == H5Tget_norm (memory_type);
}

static gboolean
take_layout (EsHdfChunks *self, hid_t plist, hid_t space, gsize size)
{
  guint64 bytes = size, n = 1;
  unsigned options = 0;

  if (H5Pget_chunk_opts (plist, &options) < 0 || (options & ~H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS) != 0)
    return FALSE;
  self->bare_edges = options != 0;
  self->n_axes = H5Sget_simple_extent_ndims (space);
  if (self->n_axes < 1 || H5Pget_chunk (plist, H5S_MAX_RANK, self->chunk) != self->n_axes
      || H5Sget_simple_extent_dims (space, self->lengths, NULL) != self->n_axes)
    return FALSE;
  for (int i = 0; i < self->n_axes; i++)
    {
      if (self->chunk[i] == 0 || __builtin_mul_overflow (bytes, (guint64) self->chunk[i], &bytes))
        return FALSE;
      self->per_axis[i] = self->lengths[i] / self->chunk[i] + (self->lengths[i] % self->chunk[i] > 0);
      if (__builtin_mul_overflow (n, MAX (self->per_axis[i], 1), &n))
        return FALSE;
    }
  if (bytes > G_MAXUINT32)
    return FALSE;
  self->samples = bytes / size;
  self->bytes = self->samples * H5Tget_size (self->memory_type);
  return TRUE;
}

/* How the numbers of the file become memory's. */
static gboolean
take_type (EsHdfChunks *self, hid_t type)
{
  if (is_as_memory (type, self->memory_type))
    {
      self->swapped = H5Tget_size (type) > 1
                      && H5Tget_order (type) != (G_BYTE_ORDER == G_LITTLE_ENDIAN ? H5T_ORDER_LE : H5T_ORDER_BE);
      return TRUE;
    }
  switch (H5Tget_class (type))
    {
    case H5T_INTEGER:
    case H5T_FLOAT:
    case H5T_ENUM:
      return (self->file_type = H5Tcopy (type)) >= 0;
    default:
      return FALSE;
    }
}

EsHdfChunks *
es_hdf_chunks_new (hid_t dataset, hid_t memory_type, guint64 cache_bytes, guint64 stretch)
{
  hid_t plist = H5Dget_create_plist (dataset), type = H5Dget_type (dataset);
  hid_t space = H5Dget_space (dataset);
  EsHdfChunks *self = g_new0 (EsHdfChunks, 1);
  gboolean ok;

  self->dataset = dataset;
  self->memory_type = memory_type;
  self->file_type = -1;
  ok = plist >= 0 && type >= 0 && space >= 0 && H5Pget_layout (plist) == H5D_CHUNKED
       && es_hdf_packing_init (&self->packing, plist, type) && take_layout (self, plist, space, self->packing.size)
       && take_type (self, type);
  if (ok)
    es_hdf_fill_init (&self->fill, plist, memory_type);

  if (plist >= 0)
    H5Pclose (plist);
  if (type >= 0)
    H5Tclose (type);
  if (space >= 0)
    H5Sclose (space);
  if (!ok)
    {
      g_free (self);
      return NULL;
    }
  self->stretch = stretch;
  self->most = MAX (cache_bytes, self->bytes);
  self->held = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, chunk_free);
  g_queue_init (&self->order);
  g_mutex_init (&self->mutex);
  g_cond_init (&self->changed);
  return self;
}

void
es_hdf_chunks_free (EsHdfChunks *self)
{
  if (self == NULL)
    return;
  if (self->file_type >= 0)
    H5Tclose (self->file_type);
  g_hash_table_unref (self->held);
  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->changed);
  g_free (self);
}

gsize
es_hdf_chunks_get_bytes (EsHdfChunks *self)
{
  return self->bytes;
}

/* ---- out of the file ---- */

static guint8 *
make_unwritten (EsHdfChunks *self)
{
  guint8 *samples = g_try_malloc (self->bytes);

  if (samples != NULL)
    es_hdf_fill (&self->fill, samples, self->samples);
  return samples;
}

static void
swap (guint8 *data, gsize bytes, gsize size)
{
  for (gsize i = 0; i + size <= bytes; i += size)
    for (gsize k = 0; k < size / 2; k++)
      {
        const guint8 first = data[i + k];

        data[i + k] = data[i + size - 1 - k];
        data[i + size - 1 - k] = first;
      }
}

/* In its own place. */
static gboolean
convert (EsHdfChunks *self, guint8 *samples)
{
  gboolean ok;

  if (self->file_type < 0)
    {
      if (self->swapped)
        swap (samples, self->bytes, self->packing.size);
      return TRUE;
    }
  es_hdf_lock ();
  ok = H5Tconvert (self->file_type, self->memory_type, self->samples, samples, NULL, H5P_DEFAULT) >= 0;
  es_hdf_unlock ();
  return ok;
}

static gboolean
is_over_an_end (const EsHdfChunks *self, const hsize_t *at)
{
  for (int k = 0; k < self->n_axes; k++)
    if (self->chunk[k] > self->lengths[k] - at[k])
      return TRUE;
  return FALSE;
}

static guint8 *
load (EsHdfChunks *self, const hsize_t *at)
{
  const gsize stored = self->samples * self->packing.size;
  guint8 *packed = NULL, *samples;
  hsize_t n = 0;
  guint32 skipped = 0;
  gboolean is_written;

  es_hdf_lock ();
  /* The library does not find what was never written. */
  is_written = H5Dget_chunk_storage_size (self->dataset, at, &n) >= 0 && n > 0;
  if (is_written && n <= ES_HDF_LONGEST_PACKED ((guint64) stored))
    packed = g_try_malloc (n);
  if (packed != NULL && H5Dread_chunk (self->dataset, H5P_DEFAULT, at, &skipped, packed) < 0)
    g_clear_pointer (&packed, g_free);
  es_hdf_unlock ();
  if (!is_written)
    return make_unwritten (self);
  if (packed == NULL)
    return NULL;
  if (self->bare_edges && is_over_an_end (self, at))
    skipped = G_MAXUINT32;
  samples = es_hdf_unpack (&self->packing, packed, n, skipped, stored, MAX (stored, self->bytes));
  if (samples != NULL && !convert (self, samples))
    g_clear_pointer (&samples, g_free);
  return samples;
}

/* ---- the cache ---- */

/* With the mutex. */
static void
drop (EsHdfChunks *self, Chunk *chunk)
{
  g_queue_unlink (&self->order, &chunk->link);
  g_hash_table_remove (self->held, &chunk->index);
  self->total -= self->bytes;
}

/* With the mutex. Makes room for one more; FALSE where all that is held is in use. Of chunks that are wanted in turn,
 * more than there is room for, the one used last is wanted again the latest. */
static gboolean
make_room (EsHdfChunks *self)
{
  const guint64 most = MIN (self->most, MAX (es_hdf_get_cache_limit (), self->bytes));
  const gboolean in_turn = self->stretch > most;
  GList *link = in_turn ? self->order.head : self->order.tail;

  while (self->total + self->bytes > most && link != NULL)
    {
      Chunk *chunk = link->data;

      link = in_turn ? link->next : link->prev;
      if (chunk->users == 0)
        drop (self, chunk);
    }
  return self->total + self->bytes <= most;
}

typedef enum { TAKEN, BUSY, FAILED } Taken;

/* The chunk, in use; BUSY: another thread unpacks it, or there is no room for it now. */
static Taken
take (EsHdfChunks *self, guint64 index, const hsize_t *at, Chunk **taken)
{
  Taken result = BUSY;
  Chunk *chunk;

  g_mutex_lock (&self->mutex);
  chunk = g_hash_table_lookup (self->held, &index);
  if (chunk != NULL && chunk->samples != NULL)
    {
      chunk->users++;
      g_queue_unlink (&self->order, &chunk->link);
      g_queue_push_head_link (&self->order, &chunk->link);
      result = TAKEN;
    }
  else if (chunk == NULL && make_room (self))
    {
      guint8 *samples;

      chunk = g_new0 (Chunk, 1);
      chunk->index = index;
      chunk->users = 1;
      chunk->link.data = chunk;
      g_hash_table_insert (self->held, &chunk->index, chunk);
      g_queue_push_head_link (&self->order, &chunk->link);
      self->total += self->bytes;
      g_mutex_unlock (&self->mutex);

      samples = load (self, at);

      g_mutex_lock (&self->mutex);
      result = samples != NULL ? TAKEN : FAILED;
      chunk->samples = samples;
      if (samples == NULL)
        drop (self, chunk);
      g_cond_broadcast (&self->changed);
    }
  g_mutex_unlock (&self->mutex);
  *taken = result == TAKEN ? chunk : NULL;
  return result;
}

static void
give_back (EsHdfChunks *self, Chunk *chunk)
{
  g_mutex_lock (&self->mutex);
  if (--chunk->users == 0)
    g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->mutex);
}

/* ---- a slab of many chunks ---- */

/* What of the chunk at these samples belongs to the slab. */
static void
copy_part (const EsHdfChunks *self, const guint8 *samples, const hsize_t *at, const hsize_t *start,
           const hsize_t *count, guint8 *buffer)
{
  const int last = self->n_axes - 1;
  const gsize size = self->fill.size;
  hsize_t first[H5S_MAX_RANK], n[H5S_MAX_RANK], i[H5S_MAX_RANK] = { 0 };

  for (int k = 0; k <= last; k++)
    {
      first[k] = MAX (at[k], start[k]);
      n[k] = MIN (at[k] + self->chunk[k], start[k] + count[k]) - first[k];
    }
  for (;;)
    {
      gsize from = 0, to = 0;
      int k = last - 1;

      for (int a = 0; a <= last; a++)
        {
          from = from * self->chunk[a] + (first[a] + i[a] - at[a]);
          to = to * count[a] + (first[a] + i[a] - start[a]);
        }
      memcpy (buffer + to * size, samples + from * size, n[last] * size);
      for (; k >= 0 && ++i[k] == n[k]; k--)
        i[k] = 0;
      if (k < 0)
        return;
    }
}

/* The n-th of the chunks that the slab touches: its number in the dataset, and its first sample. */
static guint64
locate (const EsHdfChunks *self, const hsize_t *start, const hsize_t *count, guint64 n, hsize_t *at)
{
  guint64 index = 0, step = 1;

  for (int k = self->n_axes - 1; k >= 0; k--)
    {
      const guint64 first = start[k] / self->chunk[k], touched = (start[k] + count[k] - 1) / self->chunk[k] - first + 1;
      const guint64 here = first + n % touched;

      n /= touched;
      at[k] = here * self->chunk[k];
      index += here * step;
      step *= self->per_axis[k];
    }
  return index;
}

/* The chunks that are still wanted, one after the other, passing over those that another thread is busy with. *moved:
 * one of them was read. */
static gboolean
read_some (EsHdfChunks *self, const hsize_t *start, const hsize_t *count, guint64 *wanted, guint64 *n, guint8 *buffer,
           gboolean *moved)
{
  guint64 left = 0;

  *moved = FALSE;
  for (guint64 i = 0; i < *n; i++)
    {
      hsize_t at[H5S_MAX_RANK];
      guint64 index = locate (self, start, count, wanted[i], at);
      Chunk *chunk = NULL;

      switch (take (self, index, at, &chunk))
        {
        case TAKEN:
          copy_part (self, chunk->samples, at, start, count, buffer);
          give_back (self, chunk);
          *moved = TRUE;
          break;
        case BUSY:
          wanted[left++] = wanted[i];
          break;
        default:
          return FALSE;
        }
    }
  *n = left;
  return TRUE;
}

/* Until a chunk that is wanted is there, or may be fetched. */
static void
wait_for_change (EsHdfChunks *self, const hsize_t *start, const hsize_t *count, guint64 wanted)
{
  hsize_t at[H5S_MAX_RANK];
  const guint64 index = locate (self, start, count, wanted, at);

  g_mutex_lock (&self->mutex);
  for (;;)
    {
      const Chunk *chunk = g_hash_table_lookup (self->held, &index);

      if (chunk != NULL ? chunk->samples != NULL : make_room (self))
        break;
      g_cond_wait (&self->changed, &self->mutex);
    }
  g_mutex_unlock (&self->mutex);
}

gboolean
es_hdf_chunks_read (EsHdfChunks *self, const hsize_t *start, const hsize_t *count, void *buffer)
{
  g_autofree guint64 *wanted = NULL;
  guint64 n = 1;

  for (int k = 0; k < self->n_axes; k++)
    {
      if (count[k] == 0)
        return TRUE;
      if (start[k] >= self->lengths[k] || count[k] > self->lengths[k] - start[k])
        return FALSE;
      n *= (start[k] + count[k] - 1) / self->chunk[k] - start[k] / self->chunk[k] + 1;
    }
  wanted = g_try_new (guint64, n);
  if (wanted == NULL)
    return FALSE;
  for (guint64 i = 0; i < n; i++)
    wanted[i] = i;
  while (n > 0)
    {
      gboolean moved;

      if (!read_some (self, start, count, wanted, &n, buffer, &moved))
        return FALSE;
      if (n > 0 && !moved)
        wait_for_change (self, start, count, wanted[0]);
    }
  return TRUE;
}
