/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

/*
 * What a person has named goes to GDAL's drivers by a name of ours, below which nothing else is found: a description
 * that leads elsewhere, to another server, leads nowhere. GDAL's own file systems of servers open the one file alone
 * that is asked for here, on the thread that asks (CPL_VSIL_CURL_ALLOWED_FILENAME).
 */

#include "es-address-file-internal.h"
#include "es-address-guard-private.h"

#include <string.h>

#include "es-gdal-library-internal.h"

/* Of a server that says nothing. */
#define CONNECT_SECONDS "10"
#define SILENT_SECONDS  "15"

#define SERVER "/vsicurl/"
#define STORE  "/vsis3/"

/* The file of a server that an address leads to: of an archive there, the archive. Transfer full; NULL: it is one of
 * this machine. */
static char *
find_remote (const char *address)
{
  static const char * const endings[] = { ".zip/", ".tar/", ".tar.gz/", ".tgz/" };
  const char *remote = strstr (address, SERVER), *end = NULL;

  if (remote == NULL)
    remote = strstr (address, STORE);
  if (remote == NULL || remote == address || g_str_has_prefix (address, "/vsigzip/"))
    return g_strdup (remote);
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      const char *found = strcasestr (remote, endings[i]);

      if (found != NULL && (end == NULL || found + strlen (endings[i]) - 1 < end))
        end = found + strlen (endings[i]) - 1;
    }
  return end != NULL ? g_strndup (remote, (gsize) (end - remote)) : g_strdup (remote);
}

void
es_address_admit (const char *address)
{
  g_autofree char *remote = find_remote (address);

  CPLSetThreadLocalConfigOption ("CPL_VSIL_CURL_ALLOWED_FILENAME", remote);
  /* What else is in its folder is not asked for. */
  CPLSetThreadLocalConfigOption ("GDAL_DISABLE_READDIR_ON_OPEN", "YES");
}

void
es_address_admit_no_more (void)
{
  CPLSetThreadLocalConfigOption ("CPL_VSIL_CURL_ALLOWED_FILENAME", NULL);
  CPLSetThreadLocalConfigOption ("GDAL_DISABLE_READDIR_ON_OPEN", NULL);
}

/* Each gets the name without ES_ADDRESS_GUARD in front of it. */
static void *
open_file (void *user_data, const char *address, const char *access)
{
  gpointer file;

  if (!es_address_is_allowed (address) || (strcmp (access, "r") != 0 && strcmp (access, "rb") != 0))
    return NULL;
  es_address_admit (address);
  file = es_address_open_heard (address);
  es_address_admit_no_more ();
  return file;
}

static int
look (void *user_data, const char *address, VSIStatBufL *status, int flags)
{
  int answer;

  if (!es_address_is_allowed (address))
    return -1;
  es_address_admit (address);
  answer = VSIStatExL (address, status, flags);
  es_address_admit_no_more ();
  return answer;
}

/* Of archives alone: what a server shows of a folder is a page for people. */
static char **
list (void *user_data, const char *address, int most)
{
  g_autofree char *folder = g_strconcat (address, "/", NULL);
  char **names;

  if (!es_address_is_allowed (folder) || g_str_has_prefix (address, SERVER))
    return NULL;
  es_address_admit (address);
  names = VSIReadDirEx (address, most);
  es_address_admit_no_more ();
  return names;
}

static vsi_l_offset
tell (void *file)
{
  return VSIFTellL (file);
}

static int
seek (void *file, vsi_l_offset offset, int whence)
{
  return VSIFSeekL (file, offset, whence);
}

static size_t
read_bytes (void *file, void *buffer, size_t size, size_t n)
{
  const size_t done = VSIFReadL (buffer, size, n, file);

  if (done < n)
    memset ((char *) buffer + done * size, 0, (n - done) * size);
  return done;
}

static int
is_at_end (void *file)
{
  return VSIFEofL (file);
}

static int
close_file (void *file)
{
  return VSIFCloseL (file);
}

static void
set_where_unset (const char *option, const char *value)
{
  if (CPLGetConfigOption (option, NULL) == NULL)
    CPLSetConfigOption (option, value);
}

void
es_address_put_guard (void)
{
  VSIFilesystemPluginCallbacksStruct *guard = VSIAllocFilesystemPluginCallbacksStruct ();

  guard->open = open_file;
  guard->stat = look;
  guard->read_dir = list;
  guard->tell = tell;
  guard->seek = seek;
  guard->read = read_bytes;
  guard->eof = is_at_end;
  guard->close = close_file;
  VSIInstallPluginHandler (ES_ADDRESS_GUARD, guard);
  VSIFreeFilesystemPluginCallbacksStruct (guard);
  set_where_unset ("GDAL_HTTP_CONNECTTIMEOUT", CONNECT_SECONDS);
  set_where_unset ("GDAL_HTTP_LOW_SPEED_TIME", SILENT_SECONDS);
  set_where_unset ("GDAL_HTTP_LOW_SPEED_LIMIT", "1");
}
