/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * Which of GDAL's drivers open a file, and that none of them goes anywhere else.
 *
 * A file may be a description that names other files or servers, and GDAL follows: from a .vrt to any path, from a few
 * lines of XML to an address. What is opened by itself is opened by local formats alone, that read one file and its
 * documented siblings. The other drivers are put away, so that a mask or an overview that a file names is not opened by
 * them either. One that reads local files comes back when a person names it; one that asks servers never does.
 */

#include "es-gdal-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-address-file-internal.h"
#include "es-gdal-library-internal.h"

#ifdef __has_feature
#if __has_feature (address_sanitizer)
#define LEAKS_ARE_LOOKED_FOR
#endif
#endif
#if defined (__SANITIZE_ADDRESS__) || defined (LEAKS_ARE_LOOKED_FOR)
/* Of sanitizer/lsan_interface.h. */
void __lsan_disable (void);
void __lsan_enable  (void);
#else
#define __lsan_disable() (void) 0
#define __lsan_enable() (void) 0
#endif

static const char * const drivers[] = {
  "GTiff", "NITF", "HFA", "PCIDSK", "PNG", "JPEG", "JP2OpenJPEG", "WEBP", "BMP", "PNM", "EHdr", "ERS", "ISIS2",
  "ISIS3", "PDS", "VICAR", "FITS", "RMF", "GRIB", "netCDF", "HDF4", "HDF4Image", "HDF5", "HDF5Image", "BAG", NULL
};

/* Not for files: what the program itself makes. */
static const char * const makers[] = { "MEM", NULL };

/* What asks a server, whatever else it may do. */
static const char * const remote[] = {
  "WMS", "WCS", "WMTS", "HTTP", "PLMOSAIC", "PLSCENES", "NGW", "EEDAI", "EEDA", "DAAS", "OGCAPI", "STACTA", "STACIT",
  "RDA", "PostGISRaster", "KMLSUPEROVERLAY", "WFS", "OAPIF", "CSW", "Carto", "AmigoCloud", "Elasticsearch", "GMLAS",
  "PostgreSQL", "MySQL", "MSSQLSpatial", "ODBC", "MongoDBv3", "HANA", NULL
};

typedef struct
{
  const char *driver, *begins;
} Signature;

static const Signature signatures[] = {
  { "VRT", "<VRTDataset" }, { "WMS", "<GDAL_WMS" }, { "WMS", "<WMS_" }, { "WMS", "<WMT_MS_Capabilities" },
  { "WMS", "<TileMap" }, { "WCS", "<WCS_GDAL" }, { "WMTS", "<GDAL_WMTS" }, { "WMTS", "<Capabilities" },
  { "STACTA", "\"stac_version\"" }, { "DIMAP", "<Dimap_Document" },
  { "SENTINEL2", "<n1:Level-" }, { "SAFE", "<xfdu:XFDU" }, { "PDS4", "<Product_Observational" },
};

static GMutex mutex;
static GHashTable *put_away;      /* name in lower case: GDALDriverH */

static gboolean
is_in (const char * const *list, const char *name)
{
  for (guint i = 0; list[i] != NULL; i++)
    if (g_ascii_strcasecmp (list[i], name) == 0)
      return TRUE;
  return FALSE;
}

static CPLHTTPResult *
no_fetch (const char *url, CSLConstList options, GDALProgressFunc progress, void *progress_data,
          CPLHTTPFetchWriteFunc write, void *write_data, void *user_data)
{
  CPLHTTPResult *result = CPLCalloc (1, sizeof *result);

  /* Without an answer GDAL would ask by itself. */
  CPLError (CE_Failure, CPLE_NotSupported, "the network is not used");
  result->nStatus = 1;
  result->pszErrBuf = CPLStrdup ("the network is not used");
  return result;
}

static void *
no_file (void *user_data, const char *path, const char *access)
{
  CPLError (CE_Failure, CPLE_NotSupported, "only files of this machine are opened");
  return NULL;
}

static int
no_status (void *user_data, const char *path, VSIStatBufL *status, int flags)
{
  return -1;
}

/* GDAL makes all its handlers of paths the first time that it needs one. Those that close_addresses () replaces are
 * lost then, as it has no way to give them back: the one leak that is known, and left out here alone. */
void
es_gdal_make_handlers (void)
{
  __lsan_disable ();
  CSLDestroy (VSIGetFileSystemsPrefixes ());
  __lsan_enable ();
}

/* Paths that are addresses: /vsicurl/ and the stores of clouds. What lies in memory or is a part of a file may be
 * read. Where a person has named an address, the file systems that it may be of stay, and open what es-address-guard.c
 * admits. */
static void
close_addresses (void)
{
  static const char * const guarded[] = { "/vsicurl/", "/vsis3/", NULL };
  const gboolean any = es_address_any_is_allowed ();
  static const char * const local[] = { "/vsimem/", "/vsisubfile/", "/vsisparse/", "/vsigzip/", "/vsizip/", "/vsitar/",
                                        "/vsicrypt/", "/vsistdout/", "/vsistdout_redirect/", NULL };
  /* GDAL 3.6 keeps the very texts that handlers are installed for. */
  static char **prefixes = NULL;

  prefixes = VSIGetFileSystemsPrefixes ();
  for (int i = 0; prefixes != NULL && prefixes[i] != NULL; i++)
    if (!is_in (local, prefixes[i]) && !(any && is_in (guarded, prefixes[i])))
      {
        VSIFilesystemPluginCallbacksStruct *nothing = VSIAllocFilesystemPluginCallbacksStruct ();

        nothing->open = no_file;
        nothing->stat = no_status;
        VSIInstallPluginHandler (prefixes[i], nothing);
        VSIFreeFilesystemPluginCallbacksStruct (nothing);
      }
  if (any)
    es_address_put_guard ();
}

void
es_gdal_put_drivers_away (void)
{
  put_away = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (int i = GDALGetDriverCount () - 1; i >= 0; i--)
    {
      GDALDriverH driver = GDALGetDriver (i);
      const char *name = GDALGetDriverShortName (driver);

      if (is_in (drivers, name) || is_in (makers, name))
        continue;
      g_hash_table_insert (put_away, g_ascii_strdown (name, -1), driver);
      GDALDeregisterDriver (driver);
    }
  close_addresses ();
  CPLHTTPSetFetchCallback (no_fetch, NULL);
  CPLSetConfigOption ("CPL_VSIL_CURL_ALLOWED_FILENAME", "/");
  CPLSetConfigOption ("GDAL_ERROR_ON_LIBJPEG_WARNING", "TRUE");
  OSRSetPROJEnableNetwork (FALSE);
}

const char * const *
es_gdal_raster_drivers (void)
{
  return drivers;
}

gboolean
es_gdal_allow_driver (const char *name, GError **error)
{
  g_autoptr (GMutexLocker) locker = NULL;
  g_autofree char *key = g_ascii_strdown (name, -1);
  GDALDriverH driver;

  if (!es_gdal_prepare (NULL, error))
    return FALSE;
  locker = g_mutex_locker_new (&mutex);
  driver = g_hash_table_lookup (put_away, key);
  if (driver != NULL && !is_in (remote, name) && GDALGetDriverByName (name) == NULL)
    GDALRegisterDriver (driver);
  driver = GDALGetDriverByName (name);
  if (driver != NULL && GDALGetMetadataItem (driver, GDAL_DCAP_RASTER, NULL) != NULL && !is_in (remote, name))
    return TRUE;
  if (is_in (remote, name))
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("The driver “%s” asks servers on the network; only files of this machine are opened"), name);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_UNSUPPORTED,
                 _("GDAL has no driver “%s” for rasters here; a short name of GDAL's such as VRT was expected"), name);
  return FALSE;
}

const char *
es_gdal_guess_driver (const guint8 *head, gsize length)
{
  gsize first = 0;

  while (first < length && (g_ascii_isspace (head[first]) || head[first] >= 0x80))
    first++;
  /* Descriptions are texts; what is binary may hold one as metadata. */
  if (first == length || (head[first] != '<' && head[first] != '{'))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (signatures); i++)
    if (memmem (head, length, signatures[i].begins, strlen (signatures[i].begins)) != NULL)
      return signatures[i].driver;
  return NULL;
}

gboolean
es_gdal_driver_is_remote (const char *name)
{
  return is_in (remote, name);
}
