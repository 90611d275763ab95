/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/es-error.h"
#include "es-raw-internal.h"

/* Below this the kernel's own read-ahead has the next rows anyway. */
#define PREFETCH_FROM ((guint64) 1024 * 1024)
/* Reads of a window that had to wait for the disk, from which on it is asked for more: single pages may be missing of a
 * file that is in the system's cache, and asking takes a quarter of the time that reading it there does. */
#define COLD_FROM 4

typedef struct
{
  EsSampleSource parent;

  int            fd;
  EsAddressFile *address;            /* read instead; nullable */
  char          *name;
  guint64        offset;
  EsInterleave   interleave;
  EskType        type;
  gboolean       byte_swapped;
  guint64        width, height, bands;
  guint64        size;               /* of a sample */
  int            cold;               /* atomic: a window was not in the system's cache */
} RawSource;

static gpointer
raw_handle_new (EsSampleSource *source, GError **error)
{
  /* pread has no position to share: one descriptor serves every thread. */
  return source;
}

static void
raw_handle_free (EsSampleSource *source, gpointer handle)
{
}

/* What of it is there without waiting for the disk. */
static guint64
read_cached (RawSource *self, guint64 offset, guint64 length, guint8 *buffer)
{
#ifdef RWF_NOWAIT
  if (self->address != NULL)
    return 0;
  const struct iovec place = { buffer, length };
  ssize_t n = preadv2 (self->fd, &place, 1, (off_t) offset, RWF_NOWAIT);

  return n > 0 ? (guint64) n : 0;
#else
  return 0;
#endif
}

/* The rest of it, from `done` on. */
static gboolean
read_bytes_from (RawSource *self, guint64 offset, guint64 length, guint64 done, guint8 *buffer, GError **error)
{
  if (self->address != NULL)
    return es_address_file_read (self->address, offset + done, length - done, buffer + done, error);
  while (done < length)
    {
      ssize_t n = pread (self->fd, buffer + done, length - done, (off_t) (offset + done));

      if (n > 0)
        done += (guint64) n;
      else if (n == 0)
        {
          g_autofree char *found = g_strdup_printf ("%" G_GUINT64_FORMAT, offset + done);
          g_autofree char *expected = g_strdup_printf ("%" G_GUINT64_FORMAT, offset + length);

          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
                       _("“%s” ends at or before byte %s, where samples up to byte %s were expected: it was "
                         "cut short after it had been opened"), self->name, found, expected);
          return FALSE;
        }
      else if (errno != EINTR)
        {
          g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be read: %s"), self->name,
                       g_strerror (errno));
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
read_bytes (RawSource *self, guint64 offset, guint64 length, guint8 *buffer, GError **error)
{
  return read_bytes_from (self, offset, length, 0, buffer, error);
}

/* n pieces of `length` bytes, `step` apart in the file, one behind the other in memory. */
static gboolean
read_pieces (RawSource *self, guint64 offset, guint64 n, guint64 step, guint64 length, guint8 *buffer,
             GError **error)
{
  if (step == length)
    return read_bytes (self, offset, n * length, buffer, error);
  for (guint64 i = 0; i < n; i++)
    if (!read_bytes (self, offset + i * step, length, buffer + i * length, error))
      return FALSE;
  return TRUE;
}

/* Asks for the rows below a window of whole ones while these are computed with. BIL and BIP are one run, which needs no
 * hint. */
static void
prefetch_below (RawSource *self, const EsCubeWindow *window)
{
  guint64 row = self->width * self->size, y = window->y + window->height;
  guint64 rows = y < self->height ? MIN (window->height, self->height - y) : 0;

  if (self->address != NULL || rows * row * self->bands < PREFETCH_FROM)
    return;
  for (guint64 band = 0; band < self->bands; band++)
    posix_fadvise (self->fd, (off_t) (self->offset + (band * self->height + y) * row), (off_t) (rows * row),
                   POSIX_FADV_WILLNEED);
}

/* Whole rows of every band. */
static gboolean
read_rows (RawSource *self, const EsCubeWindow *window, guint8 *out, GError **error)
{
  const guint64 row_bytes = self->width * self->size, length = window->height * row_bytes;
  guint waited = 0;

  /* A pass begins: what it finds may have come in the meantime. */
  if (window->y == 0)
    g_atomic_int_set (&self->cold, FALSE);
  gboolean cold = g_atomic_int_get (&self->cold);
  /* Before this window's own reads: the disk then works through both in one sweep. */
  if (cold)
    prefetch_below (self, window);
  for (guint64 band = 0; band < self->bands; band++)
    {
      const guint64 offset = self->offset + (band * self->height + window->y) * row_bytes;
      const guint64 done = cold ? 0 : read_cached (self, offset, length, out);

      if (done < length && !cold && ++waited >= COLD_FROM)
        {
          g_atomic_int_set (&self->cold, TRUE);
          cold = TRUE;
          prefetch_below (self, window);
        }
      if (!read_bytes_from (self, offset, length, done, out, error))
        return FALSE;
      out += length;
    }
  return TRUE;
}

static gboolean
raw_read (EsSampleSource *source, gpointer handle, const EsCubeWindow *window, void *buffer, EskTile *tile,
          GError **error)
{
  RawSource *self = (RawSource *) source;
  guint64 size = self->size, columns = window->width, rows = window->height;
  guint64 row_bytes = self->width * size;
  guint8 *out = buffer;

  *tile = (EskTile) {
    .data = buffer, .type = self->type, .byte_swapped = self->byte_swapped,
    .width = columns, .height = rows, .bands = self->bands,
  };

  switch (self->interleave)
    {
    case ES_INTERLEAVE_BSQ:
      tile->column_stride = 1;
      tile->row_stride = (ptrdiff_t) columns;
      tile->band_stride = (ptrdiff_t) (columns * rows);
      if (columns == self->width && rows == self->height)
        return read_bytes (self, self->offset, row_bytes * rows * self->bands, out, error);
      if (columns == self->width)
        return read_rows (self, window, out, error);
      for (guint64 band = 0; band < self->bands; band++)
        if (!read_pieces (self,
                          self->offset + (band * self->height + window->y) * row_bytes + window->x * size,
                          rows, row_bytes, columns * size, out + band * columns * rows * size, error))
          return FALSE;
      return TRUE;

    case ES_INTERLEAVE_BIL:
      tile->column_stride = 1;
      tile->row_stride = (ptrdiff_t) (columns * self->bands);
      tile->band_stride = (ptrdiff_t) columns;
      return read_pieces (self, self->offset + window->y * row_bytes * self->bands + window->x * size,
                          rows * self->bands, row_bytes, columns * size, out, error);

    case ES_INTERLEAVE_BIP:
      tile->column_stride = (ptrdiff_t) self->bands;
      tile->row_stride = (ptrdiff_t) (columns * self->bands);
      tile->band_stride = 1;
      return read_pieces (self, self->offset + (window->y * self->width + window->x) * self->bands * size,
                          rows, row_bytes * self->bands, columns * self->bands * size, out, error);

    default:
      g_assert_not_reached ();
    }
}

static gboolean
raw_read_band (EsSampleSource *source, gpointer handle, guint band, const EsCubeWindow *window, void *buffer,
               EskTile *tile, GError **error)
{
  RawSource *self = (RawSource *) source;
  guint64 size = self->size, columns = window->width, rows = window->height;
  guint64 row_bytes = self->width * size;

  if (self->interleave == ES_INTERLEAVE_BIP)
    {
      if (!raw_read (source, handle, window, buffer, tile, error))
        return FALSE;
      tile->data = (const guint8 *) tile->data + band * size;
      tile->bands = 1;
      return TRUE;
    }

  *tile = (EskTile) {
    .data = buffer, .type = self->type, .byte_swapped = self->byte_swapped,
    .width = columns, .height = rows, .bands = 1,
    .column_stride = 1, .row_stride = (ptrdiff_t) columns, .band_stride = (ptrdiff_t) (columns * rows),
  };
  if (self->interleave == ES_INTERLEAVE_BSQ)
    return read_pieces (self, self->offset + (band * self->height + window->y) * row_bytes + window->x * size,
                        rows, row_bytes, columns * size, buffer, error);
  return read_pieces (self, self->offset + (window->y * self->bands + band) * row_bytes + window->x * size,
                      rows, row_bytes * self->bands, columns * size, buffer, error);
}

static void
raw_free (EsSampleSource *source)
{
  RawSource *self = (RawSource *) source;

  if (self->address == NULL)
    close (self->fd);
  g_clear_pointer (&self->address, es_address_file_free);
  g_free (self->name);
  g_free (self);
}

EsSampleSource *
es_raw_source_new (int fd, const char *name, guint64 offset, EsInterleave interleave, EskType type,
                   gboolean byte_swapped, guint64 width, guint64 height, guint bands)
{
  RawSource *self = g_new0 (RawSource, 1);

  self->parent = (EsSampleSource) {
    .handle_new = raw_handle_new, .handle_free = raw_handle_free,
    .read = raw_read, .read_band = raw_read_band, .free = raw_free,
    .block_width = 1, .block_height = 1, .by_bytes = TRUE,
  };
  self->parent.bands_apart = interleave != ES_INTERLEAVE_BIP;
  self->parent.bands_in_runs = interleave == ES_INTERLEAVE_BSQ;
  self->fd = fd;
  self->name = g_strdup (name);
  self->offset = offset;
  self->interleave = interleave;
  self->type = type;
  self->byte_swapped = byte_swapped;
  self->width = width;
  self->height = height;
  self->bands = bands;
  self->size = esk_type_size (type);
  return &self->parent;
}

EsSampleSource *
es_raw_source_new_of (const EsRawFile *file, const char *name, guint64 offset, EsInterleave interleave, EskType type,
                      gboolean byte_swapped, guint64 width, guint64 height, guint bands)
{
  EsSampleSource *source = es_raw_source_new (file->fd, name, offset, interleave, type, byte_swapped, width, height,
                                              bands);

  ((RawSource *) source)->address = file->address;
  return source;
}
