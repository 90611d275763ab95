/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/* What a header promises, held against the file: drivers of GDAL's open a file that is cut short without a word. */

#include "es-raster-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/es-error.h"
#include "claims/es-claim-file-internal.h"
#include "libraries/es-address-file-internal.h"
#include "libraries/es-gdal-internal.h"

/* So many blocks are asked about; of files that have more, as many spread over all of them. */
#define MOST_BLOCKS 20000
/* Of PCIDSK, in which tiles are kept. */
#define PCIDSK_BLOCK ((guint64) 8192)
/* The last sample is read where no more than this has to be unpacked for it. */
#define MOST_UNPACKED ((gint64) 16 * 1024 * 1024)
/* Of a TIFF's directories so many are followed: the first ones, a mask's among them. */
#define MOST_DIRECTORIES 4096
#define MOST_ENTRIES ((guint64) 1 << 20)
/* Of a TIFF, before anything else. */
#define HEAD_BYTES 8

static const char *
driver_of (GDALDatasetH handle)
{
  return GDALGetDriverShortName (GDALGetDatasetDriver (handle));
}

static gboolean
item (GDALRasterBandH band, const char *what, gint64 x, gint64 y, guint64 *value)
{
  char key[80];
  const char *text;

  g_snprintf (key, sizeof key, "BLOCK_%s_%" G_GINT64_FORMAT "_%" G_GINT64_FORMAT, what, x, y);
  text = GDALGetMetadataItem (band, key, "TIFF");
  return text != NULL && g_ascii_string_to_unsigned (text, 10, 0, G_MAXINT64, value, NULL);
}

/* Where the blocks of one band of a TIFF end, the last of them. Blocks that are not there (sparse files) have no
 * place. */
static guint64
end_of_blocks (GDALRasterBandH band, gint64 most)
{
  gint64 across, n, step;
  guint64 end = 0;
  int width, height;

  GDALGetBlockSize (band, &width, &height);
  across = (GDALGetRasterBandXSize (band) - 1) / width + 1;
  n = across * ((GDALGetRasterBandYSize (band) - 1) / height + 1);
  step = MAX (n / MAX (most, 1), 1);
  /* The last ones, and the very first. */
  for (gint64 i = n - 1; i >= 0; i = i > 0 && i < step ? 0 : i - step)
    {
      guint64 offset, size;

      if (item (band, "OFFSET", i % across, i / across, &offset) && item (band, "SIZE", i % across, i / across, &size)
          && offset > 0)
        end = MAX (end, offset + size);
    }
  return end;
}

static guint64
promised_by_tiff (GDALDatasetH handle, const EsRasterBands *bands)
{
  const char *interleave = GDALGetMetadataItem (handle, "INTERLEAVE", "IMAGE_STRUCTURE");
  const gboolean together = interleave != NULL && g_ascii_strcasecmp (interleave, "PIXEL") == 0;
  const guint n = together ? 1 : bands->n;
  guint64 end = 0;

  for (guint i = 0; i < n; i++)
    end = MAX (end, end_of_blocks (GDALGetRasterBand (handle, bands->list[i]), MOST_BLOCKS / n));
  if (bands->alpha > 0 && !together)
    end = MAX (end, end_of_blocks (GDALGetRasterBand (handle, bands->alpha), MOST_BLOCKS));
  return end;
}

/* The head of a PCIDSK file counts its blocks of 512 bytes. Where it is made of tiles, these are kept in larger blocks,
 * the last of which need not have been filled. */
static guint64
promised_by_pcidsk (EsClaimFile *file)
{
  char text[17] = "", order[9] = "";
  guint64 blocks;

  if (!es_claim_file_read (file, 360, order, 8) || !es_claim_file_read (file, 16, text, 16)
      || !g_ascii_string_to_unsigned (g_strstrip (text), 10, 0, G_MAXINT64 / 512, &blocks, NULL))
    return 0;
  return blocks * 512 - (g_str_has_prefix (order, "FILE") ? MIN (blocks * 512, PCIDSK_BLOCK - 1) : 0);
}

/* Raw samples of which GDAL makes zeros where there are none. */
static guint64
promised_by_envi (GDALDatasetH handle)
{
  const char *compressed = GDALGetMetadataItem (handle, "file_compression", "ENVI");
  const char *offset = GDALGetMetadataItem (handle, "header_offset", "ENVI");
  guint64 bytes = 0;

  if (compressed != NULL && strcmp (compressed, "0") != 0)
    return 0;
  for (int b = 1; b <= GDALGetRasterCount (handle); b++)
    bytes += (guint64) GDALGetRasterXSize (handle) * (guint64) GDALGetRasterYSize (handle)
             * (guint64) GDALGetDataTypeSizeBytes (GDALGetRasterDataType (GDALGetRasterBand (handle, b)));
  return bytes + (offset != NULL ? g_ascii_strtoull (offset, NULL, 10) : 0);
}

/* How long the file has to be as far as it says so; 0: it does not. */
static guint64
promised_by (EsClaimFile *file, GDALDatasetH handle, const EsRasterBands *bands)
{
  const char *driver = driver_of (handle);

  if (strcmp (driver, "GTiff") == 0)
    return promised_by_tiff (handle, bands);
  if (strcmp (driver, "PCIDSK") == 0)
    return promised_by_pcidsk (file);
  if (strcmp (driver, "ENVI") == 0)
    return promised_by_envi (handle);
  return 0;
}

/* The last sample of the last band, where it costs little: what is stored in order ends there. */
static gboolean
reaches_end (GDALDatasetH handle, const EsRasterBands *bands)
{
  GDALRasterBandH band = GDALGetRasterBand (handle, bands->list[bands->n - 1]);
  const char *driver = driver_of (handle);
  const gint64 size = GDALGetDataTypeSizeBytes (GDALGetRasterDataType (band));
  const int width = GDALGetRasterXSize (handle), height = GDALGetRasterYSize (handle);
  int block_width, block_height;
  gint64 bytes;
  double value;

  GDALGetBlockSize (band, &block_width, &block_height);
  bytes = (gint64) block_width * block_height * GDALGetRasterCount (handle) * size;
  /* One stream from beginning to end, whatever its blocks are called. */
  if (strcmp (driver, "PNG") == 0 || strcmp (driver, "JPEG") == 0 || strcmp (driver, "WEBP") == 0)
    bytes = (gint64) width * height * GDALGetRasterCount (handle) * size;
  return bytes > MOST_UNPACKED
         || GDALRasterIO (band, GF_Read, width - 1, height - 1, 1, 1, &value, 1, 1, GDT_Float64, 0, 0) == CE_None;
}

/* What an entry of a TIFF's directory keeps elsewhere, its end; 0: nothing. */
static guint64
end_of_entry (EsClaimFile *file, gboolean big_tiff, gboolean big_endian, guint64 at)
{
  static const guint8 sizes[] = { 0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8 };
  const guint place_bytes = big_tiff ? 8 : 4;
  guint64 type, n, place;

  if (!es_claim_file_number (file, at + 2, 2, big_endian, &type) || type >= G_N_ELEMENTS (sizes)
      || !es_claim_file_number (file, at + 4, place_bytes, big_endian, &n)
      || !es_claim_file_number (file, at + 4 + place_bytes, place_bytes, big_endian, &place)
      || n > G_MAXINT64 / 8 || n * sizes[type] <= place_bytes || place > G_MAXINT64)
    return 0;
  return place + n * sizes[type];
}

/* All directories of a TIFF, and what they tell, have to be in the file: libtiff leaves out what is not, and with it a
 * mask or a no-data value. */
static gboolean
check_directories (EsClaimFile *file, gboolean big_tiff, gboolean big_endian, guint64 at, GError **error)
{
  const guint count_bytes = big_tiff ? 8 : 2, entry_bytes = big_tiff ? 20 : 12, place_bytes = big_tiff ? 8 : 4;

  guint64 n_entries = 0;

  for (guint i = 0; i < MOST_DIRECTORIES && n_entries < MOST_ENTRIES && at > 0 && at < G_MAXINT64; i++)
    {
      guint64 n;

      if (!es_claim_file_number (file, at, count_bytes, big_endian, &n))
        return es_claim_file_refuse (file, at + count_bytes, error);
      n = MIN (n, G_MAXUINT16);
      n_entries += n;
      at += count_bytes;
      if (at + n * entry_bytes > file->size)
        return es_claim_file_refuse (file, at + n * entry_bytes, error);
      for (; n > 0; n--, at += entry_bytes)
        {
          const guint64 end = end_of_entry (file, big_tiff, big_endian, at);
          if (end > file->size)
            return es_claim_file_refuse (file, end, error);
        }
      /* Some writers forget the last place, which says that there is no other directory. */
      if (!es_claim_file_number (file, at, place_bytes, big_endian, &at))
        return TRUE;
    }
  return TRUE;
}

static gboolean
check_head (const char *name, const char *path, guint64 least, GError **error)
{
  g_auto (EsClaimFile) file = { 0 };
  guint8 head[4];
  guint64 version, first;

  if (!es_claim_file_open (&file, path, name, NULL, error))
    return FALSE;
  if (file.size < least)
    return es_claim_file_refuse (&file, least, error);
  if (!es_claim_file_read (&file, 0, head, sizeof head)
      || (memcmp (head, "II", 2) != 0 && memcmp (head, "MM", 2) != 0)
      || !es_claim_file_number (&file, 2, 2, head[0] == 'M', &version) || (version != 42 && version != 43))
    return TRUE;
  /* Where the first directory is: as a rule behind the samples. */
  if (!es_claim_file_number (&file, version == 42 ? 4 : 8, version == 42 ? 4 : 8, head[0] == 'M', &first))
    return es_claim_file_refuse (&file, version == 42 ? 8 : 16, error);
  return check_directories (&file, version == 43, head[0] == 'M', first, error);
}

gboolean
es_raster_check_head (const char *name, const char *path, GError **error)
{
  g_autofree char *mask = g_strconcat (path, ".msk", NULL), *mask_name = g_strconcat (name, ".msk", NULL);

  /* GDAL leaves out a mask of a file of its own, too, where it cannot be read. */
  return check_head (name, path, 0, error)
         && (!es_raster_has_file (mask) || check_head (mask_name, mask, HEAD_BYTES, error));
}

gboolean
es_raster_check (const char *name, const char *path, GDALDatasetH handle, const EsRasterBands *bands,
                 guint64 *promised, GError **error)
{
  g_auto (EsClaimFile) file = { 0 };
  g_autofree char *message = NULL, *reason = NULL;
  gboolean reaches = TRUE;

  *promised = 0;
  if (!es_claim_file_open (&file, path, name, NULL, error))
    return FALSE;
  es_gdal_begin ();
  *promised = promised_by (&file, handle, bands);
  /* What HDF5 and netCDF promise, claims/ has looked at. */
  if (*promised == 0 && !es_raster_is_locked (handle))
    reaches = reaches_end (handle, bands);
  message = es_gdal_end ();
  if (*promised > file.size)
    return es_claim_file_refuse (&file, *promised, error);
  /* What has opened it is not there any more where the file becomes shorter. */
  *promised = file.size;
  if (reaches)
    return TRUE;
  reason = es_gdal_reason (message, path);
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED, _("“%s” is damaged or cut short: %s"), name, reason);
  return FALSE;
}

gboolean
es_raster_is_whole (const char *name, const char *path, guint64 promised, GError **error)
{
  struct stat status;

  /* What a server does not give is an error of its own. */
  if (es_address_of_guarded (path) != NULL)
    return TRUE;
  if (stat (path, &status) == 0 && (guint64) status.st_size >= promised)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED, _("“%s” has become shorter while it was read"), name);
  return FALSE;
}
