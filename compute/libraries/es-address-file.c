/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "es-address-file-internal.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "base/es-error.h"
#include "es-address-guard-private.h"
#include "es-gdal-internal.h"
#include "es-gdal-library-internal.h"

/* Open handles that wait for the next reader. */
#define IDLE_HANDLES 16
/* So much at a time: a server that goes on for long is asked again. */
#define MOST_AT_ONCE ((gsize) 8 << 20)
#define PIECE ((gsize) 64 * 1024)
/* There is no such file any more, says a server; that there is none GDAL takes for an answer. */
#define GONE 410
/* From here on it is the server's trouble. */
#define SERVER_ERRORS 500

struct _EsAddressFile
{
  char      *address;
  guint64    size;
  gint64     time;
  GMutex     mutex;
  GPtrArray *idle;             /* of VSILFILE */
};

/* What servers have answered instead of a file, which GDAL says once and remembers: numbers of HTTP; 0: nothing. */
G_LOCK_DEFINE_STATIC (refusals);
static GHashTable *refusals;   /* address: number + 1 */
static GPrivate last_refusal;  /* number + 1 */
static GPrivate unheard = G_PRIVATE_INIT (g_free);     /* an address, since es_address_listen () */
static GPrivate unanswered = G_PRIVATE_INIT (g_free);  /* the same, since es_address_ask () */

/* "HTTP response code on http://host/file: 403", a warning. */
static void CPL_STDCALL
listen (CPLErr class, CPLErrorNum number, const char *message)
{
  const char *colon = strstr (message, "HTTP response code on ") != NULL ? strrchr (message, ':') : NULL;

  if (colon != NULL)
    g_private_set (&last_refusal, GUINT_TO_POINTER (1 + (guint) g_ascii_strtoull (colon + 1, NULL, 10)));
}

static void
remember_refusal (const char *address)
{
  if (g_private_get (&last_refusal) == NULL)
    return;
  G_LOCK (refusals);
  if (refusals == NULL)
    refusals = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_hash_table_replace (refusals, g_strdup (address), g_private_get (&last_refusal));
  G_UNLOCK (refusals);
}

/* A number + 1; 0: its server has answered, or was not asked. */
static guint
find_refusal (const char *address)
{
  guint known = 0;

  G_LOCK (refusals);
  if (refusals != NULL)
    known = GPOINTER_TO_UINT (g_hash_table_lookup (refusals, address));
  G_UNLOCK (refusals);
  return known;
}

/* What is not to be had: for now, or because it is not there. */
static guint
note_refusal (const char *address)
{
  guint known;

  remember_refusal (address);
  known = find_refusal (address);
  if (known == 1 || known > SERVER_ERRORS)
    g_private_replace (&unanswered, g_strdup (address));
  return known;
}

/* Called with the address admitted. */
static gboolean
look (const char *address, EsAddressStatus *status)
{
  VSIStatBufL found;
  gboolean there;

  g_private_set (&last_refusal, NULL);
  CPLPushErrorHandler (listen);
  there = VSIStatExL (address, &found, VSI_STAT_EXISTS_FLAG | VSI_STAT_NATURE_FLAG | VSI_STAT_SIZE_FLAG) == 0;
  CPLPopErrorHandler ();
  if (!there)
    {
      note_refusal (address);
      return FALSE;
    }
  *status = (EsAddressStatus) {
    .size = (guint64) MAX (found.st_size, 0), .time = (gint64) found.st_mtime, .is_folder = VSI_ISDIR (found.st_mode),
  };
  return TRUE;
}

gpointer
es_address_open_heard (const char *address)
{
  VSILFILE *file;
  guint known;

  g_private_set (&last_refusal, NULL);
  CPLPushErrorHandler (listen);
  file = VSIFOpenL (address, "rb");
  CPLPopErrorHandler ();
  if (file != NULL)
    return file;
  known = note_refusal (address);
  if (known > 0 && known != 1 + GONE)
    g_private_replace (&unheard, g_strdup (address));
  return NULL;
}

static gboolean
is_ready (const char *address, GError **error)
{
  return es_address_is_allowed (address) && es_gdal_prepare (NULL, error);
}

gboolean
es_address_look (const char *path, EsAddressStatus *status)
{
  const char *address = es_address_of_guarded (path);
  gboolean found;

  if (!is_ready (address, NULL))
    return FALSE;
  es_gdal_begin ();
  es_address_admit (address);
  found = look (address, status);
  es_address_admit_no_more ();
  g_free (es_gdal_end ());
  return found;
}

/* message: GDAL's; nullable. */
static void
refuse (const char *address, const char *message, GError **error)
{
  const guint known = find_refusal (address);

  if (known == 1)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: its server does not answer"),
                 address);
  else if (known > 1)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: its server refuses it (HTTP %u)"),
                 address, known - 1);
  else if (message != NULL)
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN, _("“%s” cannot be opened: %s"), address, message);
  else
    g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                 _("“%s” cannot be opened: there is no file at that address, or its server gives no parts of one"),
                 address);
}

void
es_address_listen (void)
{
  g_private_replace (&unheard, NULL);
}

static gboolean
tell (GPrivate *what, GError **error)
{
  const char *address = g_private_get (what);

  if (address == NULL)
    return TRUE;
  refuse (address, NULL, error);
  g_private_replace (what, NULL);
  return FALSE;
}

gboolean
es_address_heard_all (GError **error)
{
  return tell (&unheard, error);
}

void
es_address_ask (void)
{
  g_private_replace (&unanswered, NULL);
}

gboolean
es_address_was_answered (GError **error)
{
  return tell (&unanswered, error);
}

EsAddressFile *
es_address_file_open (const char *path, GError **error)
{
  const char *address = es_address_of_guarded (path);
  g_autofree char *message = NULL;
  EsAddressStatus status = { 0 };
  VSILFILE *file = NULL;
  EsAddressFile *self;

  if (!es_address_is_allowed (address))
    {
      g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_OPEN,
                   _("“%s” is an address that nobody has named, and is not opened"), address);
      return NULL;
    }
  if (!es_gdal_prepare (NULL, error))
    return NULL;
  es_gdal_begin ();
  es_address_admit (address);
  if (look (address, &status) && !status.is_folder)
    file = VSIFOpenL (address, "rb");
  es_address_admit_no_more ();
  message = es_gdal_end ();
  if (file == NULL)
    {
      refuse (address, message, error);
      return NULL;
    }
  self = g_new0 (EsAddressFile, 1);
  self->address = g_strdup (address);
  self->size = status.size;
  self->time = status.time;
  g_mutex_init (&self->mutex);
  self->idle = g_ptr_array_new ();
  g_ptr_array_add (self->idle, file);
  return self;
}

void
es_address_file_free (EsAddressFile *self)
{
  for (guint i = 0; i < self->idle->len; i++)
    VSIFCloseL (g_ptr_array_index (self->idle, i));
  g_ptr_array_unref (self->idle);
  g_mutex_clear (&self->mutex);
  g_free (self->address);
  g_free (self);
}

guint64
es_address_file_get_size (EsAddressFile *self)
{
  return self->size;
}

/* NULL: it cannot be opened any more. */
static VSILFILE *
take_handle (EsAddressFile *self)
{
  VSILFILE *file = NULL;

  g_mutex_lock (&self->mutex);
  if (self->idle->len > 0)
    file = g_ptr_array_steal_index_fast (self->idle, self->idle->len - 1);
  g_mutex_unlock (&self->mutex);
  if (file != NULL)
    return file;
  es_address_admit (self->address);
  file = VSIFOpenL (self->address, "rb");
  es_address_admit_no_more ();
  return file;
}

static void
give_handle (EsAddressFile *self, VSILFILE *file)
{
  gboolean kept;

  g_mutex_lock (&self->mutex);
  kept = self->idle->len < IDLE_HANDLES;
  if (kept)
    g_ptr_array_add (self->idle, file);
  g_mutex_unlock (&self->mutex);
  if (!kept)
    VSIFCloseL (file);
}

gboolean
es_address_file_read (EsAddressFile *self, guint64 offset, gsize n, void *buffer, GError **error)
{
  g_autofree char *message = NULL;
  VSILFILE *file;
  gsize done = 0;

  es_gdal_begin ();
  file = take_handle (self);
  while (file != NULL && done < n)
    {
      const gsize wanted = MIN (n - done, MOST_AT_ONCE);
      const gsize got = VSIFSeekL (file, offset + done, SEEK_SET) == 0
                        ? VSIFReadL ((char *) buffer + done, 1, wanted, file) : 0;

      done += got;
      if (got < wanted)
        break;
    }
  if (file != NULL)
    give_handle (self, file);
  message = es_gdal_end ();
  if (done == n)
    return TRUE;
  g_set_error (error, ES_DATA_ERROR, ES_DATA_ERROR_TRUNCATED,
               _("“%s” cannot be read on: of %llu bytes from byte %llu on its server gave %llu%s%s"), self->address,
               (unsigned long long) n, (unsigned long long) offset, (unsigned long long) done,
               message != NULL ? ": " : "", message != NULL ? message : "");
  return FALSE;
}

char *
es_address_load (const char *path, gsize most, gsize *length)
{
  g_autoptr (EsAddressFile) file = es_address_file_open (path, NULL);
  g_autofree char *text = NULL;

  if (file == NULL || file->size > most)
    return NULL;
  text = g_malloc (file->size + 1);
  text[file->size] = '\0';
  *length = file->size;
  return es_address_file_read (file, 0, file->size, text, NULL) ? g_steal_pointer (&text) : NULL;
}

static void
add_piece (GChecksum *checksum, EsAddressFile *file, guint64 offset, guint8 *buffer)
{
  const gsize n = MIN (PIECE, file->size - offset);

  if (es_address_file_read (file, offset, n, buffer, NULL))
    g_checksum_update (checksum, buffer, (gssize) n);
}

char *
es_address_identify (const char *path)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (EsAddressFile) file = es_address_file_open (path, NULL);
  g_autofree guint8 *buffer = NULL;
  g_autofree char *stamp = NULL;

  if (file == NULL)
    {
      g_checksum_update (checksum, (const guint8 *) path, -1);
      return g_strdup (g_checksum_get_string (checksum));
    }
  stamp = g_strdup_printf ("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT "\n", file->size, file->time);
  buffer = g_malloc (PIECE);
  g_checksum_update (checksum, (const guint8 *) stamp, -1);
  add_piece (checksum, file, 0, buffer);
  if (file->size > PIECE)
    add_piece (checksum, file, MAX (PIECE, file->size / 2 - MIN (file->size / 2, PIECE / 2)), buffer);
  if (file->size > 2 * PIECE)
    add_piece (checksum, file, file->size - PIECE, buffer);
  return g_strdup (g_checksum_get_string (checksum));
}
