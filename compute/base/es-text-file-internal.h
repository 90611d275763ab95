/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * The whole of a text file and a NUL, its length without that in *length (may be NULL). Transfer full. NULL and one
 * sentence: it is not there, a folder, a device or a pipe (which might never end), or above 1 GiB.
 */
char *es_text_file_load (GFile *file, gsize *length, GCancellable *cancellable, GError **error);

/* json-glib's parser calls itself for every bracket; text that only opens them would use up the stack. */
gboolean es_json_is_nested_too_deeply (const char *text, gsize length);

G_END_DECLS
