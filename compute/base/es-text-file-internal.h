/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * The whole of a text file and a NUL, its length without that in *length (may be NULL). Transfer full. NULL and one
 * sentence: it is not there, a folder, a device or a pipe (which might never end), or larger than 1 GiB.
 */
char *es_text_file_load         (GFile *file, gsize *length, GCancellable *cancellable, GError **error);
/* The same of no more than `most` bytes, also where the file grows meanwhile. */
char *es_text_file_load_at_most (GFile *file, gsize most, gsize *length, GCancellable *cancellable, GError **error);

G_END_DECLS
