/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-signature-internal.h"

#include <string.h>

/* Two runs of bytes at two places; the second may be empty. */
typedef struct
{
  const char  *name;
  EsSignature  strength;
  guint        at, length;
  const char  *bytes;
  guint        second_at, second_length;
  const char  *second;
} Entry;

#define STRONG ES_SIGNATURE_STRONG
#define WEAK   ES_SIGNATURE_WEAK

/* Strong ones first: the first that fits is taken. */
static const Entry entries[] = {
  { "HDF5", STRONG, 0, 8, "\211HDF\r\n\032\n", 0, 0, "" },
  /* Behind a user block. */
  { "HDF5", STRONG, 512, 8, "\211HDF\r\n\032\n", 0, 0, "" },
  { "HDF5", STRONG, 1024, 8, "\211HDF\r\n\032\n", 0, 0, "" },
  { "netCDF", STRONG, 0, 4, "CDF\001", 8, 4, "\0\0\0\n" },
  { "netCDF", STRONG, 0, 4, "CDF\002", 8, 4, "\0\0\0\n" },
  { "netCDF", STRONG, 0, 4, "CDF\005", 12, 4, "\0\0\0\n" },
  { "MATLAB", STRONG, 0, 10, "MATLAB 5.0", 0, 0, "" },
  { "MATLAB", STRONG, 0, 9, "MATLAB 7.", 0, 0, "" },
  { "BigTIFF", STRONG, 0, 8, "II+\0\010\0\0\0", 0, 0, "" },
  { "BigTIFF", STRONG, 0, 8, "MM\0+\0\010\0\0", 0, 0, "" },
  { "WAV", STRONG, 0, 4, "RIFF", 8, 4, "WAVE" },
  { "WAV", STRONG, 0, 4, "RIFX", 8, 4, "WAVE" },
  { "RF64", STRONG, 0, 4, "RF64", 8, 4, "WAVE" },
  { "W64", STRONG, 0, 12, "riff\x2e\x91\xcf\x11\xa5\xd6\x28\xdb", 0, 0, "" },
  { "AIFF", STRONG, 0, 4, "FORM", 8, 4, "AIFF" },
  { "AIFF", STRONG, 0, 4, "FORM", 8, 4, "AIFC" },
  { "FLAC", STRONG, 0, 4, "fLaC", 5, 3, "\0\0\042" },
  { "CAF", STRONG, 0, 8, "caff\0\001\0\0", 0, 0, "" },
  { "Ogg", STRONG, 0, 6, "OggS\0\002", 0, 0, "" },
  { "PCIDSK", STRONG, 0, 8, "PCIDSK  ", 0, 0, "" },
  { "PNG", STRONG, 0, 8, "\211PNG\r\n\032\n", 0, 0, "" },
  { "JPEG", STRONG, 0, 4, "\377\330\377\340", 6, 5, "JFIF" },
  { "JPEG 2000", STRONG, 0, 12, "\0\0\0\014jP  \r\n\207\n", 0, 0, "" },
  { "NITF", STRONG, 0, 5, "NITF0", 0, 0, "" },
  { "NITF", STRONG, 0, 5, "NSIF0", 0, 0, "" },
  { "FITS", STRONG, 0, 9, "SIMPLE  =", 0, 0, "" },
  { "HFA", STRONG, 0, 15, "EHFA_HEADER_TAG", 0, 0, "" },
  { "PDS", STRONG, 0, 14, "PDS_VERSION_ID", 0, 0, "" },
  { "VICAR", STRONG, 0, 8, "LBLSIZE=", 0, 0, "" },
  { "GIF", STRONG, 0, 6, "GIF87a", 0, 0, "" },
  { "GIF", STRONG, 0, 6, "GIF89a", 0, 0, "" },
  { "netCDF", WEAK, 0, 4, "CDF\001", 0, 0, "" },
  { "netCDF", WEAK, 0, 4, "CDF\002", 0, 0, "" },
  { "netCDF", WEAK, 0, 4, "CDF\005", 0, 0, "" },
  { "TIFF", WEAK, 0, 4, "II*\0", 0, 0, "" },
  { "TIFF", WEAK, 0, 4, "MM\0*", 0, 0, "" },
  { "BigTIFF", WEAK, 0, 4, "II+\0", 0, 0, "" },
  { "BigTIFF", WEAK, 0, 4, "MM\0+", 0, 0, "" },
  { "AU", WEAK, 0, 4, ".snd", 0, 0, "" },
  { "FLAC", WEAK, 0, 4, "fLaC", 0, 0, "" },
  { "CAF", WEAK, 0, 4, "caff", 0, 0, "" },
  { "Ogg", WEAK, 0, 4, "OggS", 0, 0, "" },
  { "HDF4", WEAK, 0, 4, "\016\003\023\001", 0, 0, "" },
  { "JPEG", WEAK, 0, 3, "\377\330\377", 0, 0, "" },
  { "JPEG 2000", WEAK, 0, 4, "\377\117\377\121", 0, 0, "" },
  { "GRIB", WEAK, 0, 4, "GRIB", 0, 0, "" },
  { "Scripps SIO", WEAK, 28, 4, "\245\177\0\0", 0, 0, "" },
  { "Scripps SIO", WEAK, 28, 4, "\0\0\177\245", 0, 0, "" },
};

static gboolean
has_bytes (const guint8 *head, gsize length, guint at, guint n, const char *bytes)
{
  return length >= (gsize) at + n && memcmp (head + at, bytes, n) == 0;
}

EsSignature
es_signature_find (const guint8 *head, gsize length, const char **name)
{
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    if (has_bytes (head, length, entries[i].at, entries[i].length, entries[i].bytes) &&
        has_bytes (head, length, entries[i].second_at, entries[i].second_length, entries[i].second))
      {
        if (name != NULL)
          *name = entries[i].name;
        return entries[i].strength;
      }
  return ES_SIGNATURE_NONE;
}
