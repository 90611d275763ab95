/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * Addresses: paths below which GDAL reads what is no file of this machine, or a part of one. /vsicurl/http://HOST/FILE
 * (https, ftp), /vsis3/BUCKET/FILE, and /vsizip/, /vsitar/ or /vsigzip/ in front of one of them, or of a file of this
 * machine. Nothing is read from one that a person has not named, nor from outside the folder of one that was, whatever
 * a file says.
 */

/* Whether a path, as a person writes it, is one of these; another file system of GDAL's is not. */
gboolean es_address_is     (const char *path);
/* The address that a person means by a path as GLib's files keep it, without double slashes. Transfer full. NULL: it is
 * no address. */
char    *es_address_find   (const char *path);

/* What a person has named may be read, and what lies in the same folder: before anything is opened. Nothing where it is
 * no address. */
void     es_address_allow  (const char *path);
gboolean es_address_any_is_allowed (void);
/* Whether it was, as es_address_find () has it. Any thread. */
gboolean es_address_is_allowed (const char *address);

/* What is read of it goes by another name, below which there is nothing but what was allowed: what GDAL's drivers are
 * given. Transfer full. */
char    *es_address_guard  (const char *address);
/* The address of such a name; NULL: it is none. */
const char *es_address_of_guarded (const char *path);
#define ES_ADDRESS_GUARD "/vsieigenscope/"

G_END_DECLS
