/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-hdf-unpack-private.h"

#include <gio/gio.h>
#include <string.h>

#include "es-hdf-fill-private.h"

#define CHECKSUM_BYTES 4u

gboolean
es_hdf_packing_init (EsHdfPacking *self, hid_t plist, hid_t type)
{
  const int n = H5Pget_nfilters (plist);

  memset (self, 0, sizeof *self);
  self->size = H5Tget_size (type);
  if (n < 1 || n > ES_HDF_MOST_FILTERS || self->size == 0 || self->size > ES_HDF_LARGEST_SAMPLE)
    return FALSE;
  for (self->n = 0; self->n < (guint) n; self->n++)
    {
      unsigned flags, values[16] = { 0 };
      size_t n_values = G_N_ELEMENTS (values);
      H5Z_filter_t filter = H5Pget_filter2 (plist, self->n, &flags, &n_values, values, 0, NULL, NULL);

      if (filter == H5Z_FILTER_SHUFFLE ? n_values < 1 || values[0] != self->size
                                       : filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_FLETCHER32)
        return FALSE;
      self->filters[self->n] = filter;
    }
  return TRUE;
}

/* As H5checksum.c has it: of words of two bytes, the first the higher one. */
static guint32
fletcher32 (const guint8 *data, gsize n)
{
  guint32 sum1 = 0, sum2 = 0;

  for (gsize words = n / 2; words > 0;)
    {
      gsize run = MIN (words, 360);

      words -= run;
      for (; run > 0; run--, data += 2)
        {
          sum1 += (guint32) (data[0] << 8 | data[1]);
          sum2 += sum1;
        }
      sum1 = (sum1 & 0xffff) + (sum1 >> 16);
      sum2 = (sum2 & 0xffff) + (sum2 >> 16);
    }
  if (n % 2 != 0)
    {
      sum1 += (guint32) (*data << 8);
      sum2 += sum1;
      sum1 = (sum1 & 0xffff) + (sum1 >> 16);
      sum2 = (sum2 & 0xffff) + (sum2 >> 16);
    }
  sum1 = (sum1 & 0xffff) + (sum1 >> 16);
  sum2 = (sum2 & 0xffff) + (sum2 >> 16);
  return sum2 << 16 | sum1;
}

/* Of HDF5 1.6.2 on machines that begin with the lowest byte there are files whose sums have their bytes in pairs the
 * other way round; the library takes them as well. */
static gboolean
has_checksum (const guint8 *data, gsize n)
{
  const guint8 *stored = data + n;
  const guint32 sum = fletcher32 (data, n);
  const guint32 value = stored[0] | (guint32) stored[1] << 8 | (guint32) stored[2] << 16 | (guint32) stored[3] << 24;

  return value == sum || value == ((sum & 0x00ff00ff) << 8 | (sum >> 8 & 0x00ff00ff));
}

/* At most so many bytes; how many there are, or -1: it is damaged, or goes on. */
static gssize
inflate_to (const guint8 *from, gsize n, guint8 *to, gsize most)
{
  g_autoptr (GZlibDecompressor) zlib = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB);
  gsize read = 0, written = 0;

  /* One byte more than there may be tells of a stream that goes on. */
  if (g_converter_convert (G_CONVERTER (zlib), from, n, to, most + 1, G_CONVERTER_INPUT_AT_END, &read, &written, NULL)
        != G_CONVERTER_FINISHED || written > most)
    return -1;
  return (gssize) written;
}

/* The first bytes of all numbers, then the second ones, ...; what is left over stands as it is. */
static void
unshuffle (const guint8 *from, guint8 *to, gsize bytes, gsize size)
{
  const gsize count = bytes / size;

  for (gsize k = 0; k < size; k++)
    for (gsize i = 0; i < count; i++)
      to[i * size + k] = from[k * count + i];
  memcpy (to + count * size, from + count * size, bytes - count * size);
}

/* How long the data are before filter k packs them. FALSE: as long as deflate has made them. */
static gboolean
find_length_before (const EsHdfPacking *self, guint k, guint32 skipped, gsize *bytes)
{
  for (guint i = 0; i < k; i++)
    {
      if ((skipped >> i & 1) != 0)
        continue;
      if (self->filters[i] == H5Z_FILTER_DEFLATE)
        return FALSE;
      if (self->filters[i] == H5Z_FILTER_FLETCHER32)
        *bytes += CHECKSUM_BYTES;
    }
  return TRUE;
}

guint8 *
es_hdf_unpack (const EsHdfPacking *self, guint8 *packed, gsize n, guint32 skipped, gsize bytes, gsize room)
{
  guint8 *data = packed, *other = NULL;
  gboolean ok = TRUE;

  for (guint k = self->n; ok && k-- > 0;)
    {
      if ((skipped >> k & 1) != 0)
        continue;
      if (self->filters[k] == H5Z_FILTER_FLETCHER32)
        {
          ok = n >= CHECKSUM_BYTES && has_checksum (data, n - CHECKSUM_BYTES);
          n -= ok ? CHECKSUM_BYTES : 0;
          continue;
        }
      if (self->filters[k] == H5Z_FILTER_DEFLATE)
        {
          gsize length = bytes;
          const gboolean is_known = find_length_before (self, k, skipped, &length);
          gssize written = -1;

          if (!is_known)
            length = ES_HDF_LONGEST_PACKED (bytes);
          other = g_try_malloc (MAX (room, length + 1));
          if (other != NULL)
            written = inflate_to (data, n, other, length);
          ok = written >= 0 && (!is_known || (gsize) written == length);
          n = (gsize) MAX (written, 0);
        }
      else
        {
          other = g_try_malloc (MAX (room, n));
          ok = other != NULL;
          if (ok)
            unshuffle (data, other, n, self->size);
        }
      g_free (data);
      data = other;
    }
  /* Chunks that are not packed may be longer in the file. */
  if (ok && n >= bytes && data == packed && n < room)
    {
      other = g_try_realloc (data, room);
      ok = other != NULL;
      data = ok ? other : data;
    }
  if (!ok || n < bytes)
    g_clear_pointer (&data, g_free);
  return data;
}
