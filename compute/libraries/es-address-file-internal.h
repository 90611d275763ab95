/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "base/es-address.h"

G_BEGIN_DECLS

/*
 * What lies at an address (es-address.h), read in pieces: of a server only the bytes that are asked for, in blocks of
 * 16 KiB. One that does not answer is given up after some seconds. path: a guarded one (es_address_guard ()).
 */
typedef struct _EsAddressFile EsAddressFile;

typedef struct
{
  guint64  size;               /* bytes */
  gint64   time;               /* seconds since 1970 when it was changed; 0: it is not told */
  gboolean is_folder;
} EsAddressStatus;

/* FALSE: nothing is there, or it cannot be asked. */
gboolean       es_address_look      (const char *path, EsAddressStatus *status);
/* ES_DATA_ERROR_OPEN, in a sentence with the address. */
EsAddressFile *es_address_file_open (const char *path, GError **error);
void           es_address_file_free (EsAddressFile *self);
guint64        es_address_file_get_size (EsAddressFile *self);
/* All n bytes from offset on. Any thread. ES_DATA_ERROR_TRUNCATED: the file ends before, or its server stops. */
gboolean       es_address_file_read (EsAddressFile *self, guint64 offset, gsize n, void *buffer, GError **error);
/* The whole of one that has no more bytes than most; NULL: there is none, or it has more. Transfer full, with a zero
 * behind. */
char          *es_address_load      (const char *path, gsize most, gsize *length);
/* What it consists of, by its size, time and content at three places, as of files of this machine. Transfer full. */
char          *es_address_identify  (const char *path);

/* Of what GDAL's drivers open themselves, and go on without where they cannot: whether servers have answered of all of
 * it, since es_address_listen () on this thread, that it is there or that it is not. ES_DATA_ERROR_OPEN: one has
 * refused a file, or said nothing. */
void           es_address_listen    (void);
gboolean       es_address_heard_all (GError **error);
/* The same of everything that was looked for or opened since es_address_ask (), but that whatever a server refuses for
 * good (4xx) counts as not there: stores refuse what they have not. */
void           es_address_ask       (void);
gboolean       es_address_was_answered (GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (EsAddressFile, es_address_file_free)

/* For es_gdal_prepare (), once: the guarded name for what GDAL's drivers read, and how long a server may take. */
void           es_address_put_guard (void);

G_END_DECLS
