/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-gdal-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "es-gdal-library-internal.h"

/* What GDAL may keep of unpacked blocks, all files together. */
#define BLOCK_CACHE ((guint64) 64 * 1024 * 1024)
#define SMALLEST_CACHE ((guint64) 4 * 1024 * 1024)

static GMutex cache_mutex;
static guint64 cache_limit = BLOCK_CACHE;
static gboolean cache_is_set;

static GPrivate last_failure = G_PRIVATE_INIT (g_free);

static void CPL_STDCALL
keep_message (CPLErr class, CPLErrorNum number, const char *message)
{
  /* The first failure is the cause; what follows are its consequences. */
  if (class >= CE_Failure && g_private_get (&last_failure) == NULL)
    {
      g_autofree char *line = g_utf8_make_valid (message, -1);

      g_strdelimit (line, "\r\n", ' ');
      g_strchomp (line);
      g_private_replace (&last_failure, g_steal_pointer (&line));
    }
}

static void
set_cache (void)
{
  g_mutex_lock (&cache_mutex);
  cache_is_set = TRUE;
  GDALSetCacheMax64 ((GIntBig) cache_limit);
  g_mutex_unlock (&cache_mutex);
}

gboolean
es_gdal_prepare (const char *name, GError **error)
{
  static gsize ready = 0;

  if (!es_library_load (&es_library_gdal, name, error))
    return FALSE;
  if (g_once_init_enter (&ready))
    {
      CPLPushErrorHandler (keep_message);
      /* What is said where nobody listens is not for the terminal. */
      CPLSetErrorHandler (keep_message);
      es_gdal_make_handlers ();
      GDALAllRegister ();
      es_gdal_put_drivers_away ();
      set_cache ();
      CPLPopErrorHandler ();
      g_private_replace (&last_failure, NULL);
      g_once_init_leave (&ready, 1);
    }
  return TRUE;
}

void
es_gdal_limit_cache (guint64 bytes)
{
  g_mutex_lock (&cache_mutex);
  cache_limit = MIN (cache_limit, MAX (bytes, SMALLEST_CACHE));
  /* Who has not needed GDAL yet learns it then. */
  if (cache_is_set)
    GDALSetCacheMax64 ((GIntBig) cache_limit);
  g_mutex_unlock (&cache_mutex);
}

void
es_gdal_begin (void)
{
  g_private_replace (&last_failure, NULL);
  CPLPushErrorHandler (keep_message);
}

char *
es_gdal_end (void)
{
  char *message = g_strdup (g_private_get (&last_failure));

  CPLPopErrorHandler ();
  g_private_replace (&last_failure, NULL);
  return message;
}

char *
es_gdal_reason (const char *message, const char *path)
{
  g_autoptr (GString) text = NULL;
  g_autofree char *prefix = NULL;

  if (message == NULL || *message == '\0')
    return g_strdup (_("no reason was given"));
  /* Drivers put the path, often twice, before what they have to say. */
  text = g_string_new (message);
  prefix = g_strconcat (path, ":", NULL);
  g_string_replace (text, prefix, "", 0);
  g_string_replace (text, path, _("the file"), 0);
  return g_strstrip (g_string_free (g_steal_pointer (&text), FALSE));
}

gboolean
es_gdal_read_system (gpointer system, const char *text)
{
  char *rest = (char *) text;
  guint64 code;

  if (!es_library_load (&es_library_gdal, NULL, NULL))
    return FALSE;
  if (g_ascii_strncasecmp (text, "EPSG:", 5) == 0
      && g_ascii_string_to_unsigned (text + 5, 10, 1, G_MAXINT, &code, NULL))
    return OSRImportFromEPSG (system, (int) code) == OGRERR_NONE;
  return OSRImportFromWkt (system, &rest) == OGRERR_NONE;
}

gboolean
es_gdal_type (int gdal_type, EskType *type)
{
  switch ((GDALDataType) gdal_type)
    {
    case GDT_Byte:    *type = ESK_U8;  return TRUE;
    case GDT_UInt16:  *type = ESK_U16; return TRUE;
    case GDT_Int16:   *type = ESK_I16; return TRUE;
    case GDT_UInt32:  *type = ESK_U32; return TRUE;
    case GDT_Int32:   *type = ESK_I32; return TRUE;
    case GDT_UInt64:  *type = ESK_U64; return TRUE;
    case GDT_Int64:   *type = ESK_I64; return TRUE;
    case GDT_Float32: *type = ESK_F32; return TRUE;
    case GDT_Float64: *type = ESK_F64; return TRUE;
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION (3, 7, 0)
    case GDT_Int8:    *type = ESK_I8;  return TRUE;
#endif
    default:          return FALSE;
    }
}

int
es_gdal_type_of (EskType type)
{
  switch (type)
    {
    case ESK_U8:  return GDT_Byte;
    case ESK_U16: return GDT_UInt16;
    case ESK_I16: return GDT_Int16;
    case ESK_U32: return GDT_UInt32;
    case ESK_I32: return GDT_Int32;
    case ESK_U64: return GDT_UInt64;
    case ESK_I64: return GDT_Int64;
    case ESK_F32: return GDT_Float32;
    case ESK_F64: return GDT_Float64;
    case ESK_I8:
#if GDAL_VERSION_NUM >= GDAL_COMPUTE_VERSION (3, 7, 0)
      return GDT_Int8;
#else
      return GDT_Byte;
#endif
    default:      return GDT_Unknown;
    }
}
