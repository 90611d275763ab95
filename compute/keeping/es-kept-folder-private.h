/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * The folder of one kept result. Only what Eigenscope has written there is its own: result.json, the files that this
 * names, and parts of a save that was killed; and only in a folder of this user's, never behind a link. Whatever else
 * is found under such a name is somebody's, and is neither read nor changed. Blocking.
 */

/* There is a result, as far as its result.json tells. */
gboolean _es_kept_folder_is_written (const char *path);
/* What its own files take, bytes; used: when it was last marked as used, s. */
guint64  _es_kept_folder_measure    (const char *path, gint64 *used);
/* Marks it as used now. */
void     _es_kept_folder_use        (const char *path);
/* Its own files go, and the folder where it is empty then; a link goes itself. */
void     _es_kept_folder_remove     (const char *path);

G_END_DECLS
