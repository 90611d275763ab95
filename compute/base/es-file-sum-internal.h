/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Checksums of files: SHA-256 of every block, so that a large file is read by several threads, a part of it can be
 * checked by itself, and a file of one block has what `sha256sum` says.
 */
#define ES_FILE_SUM_BLOCK ((guint64) 16 << 20)

/* Of a file of so many bytes: at least one. */
guint64  es_file_sum_n_blocks (guint64 bytes);
/* Of the n blocks listed (ascending; NULL: the first n), as text of 64 digits each, in the order of the list. A block
 * behind the file's end is that of no bytes. Transfer full. NULL: it could not be read, or was cancelled. */
char   **es_file_sum          (const char *path, const guint64 *blocks, guint n, GCancellable *cancellable,
                               GError **error);

G_END_DECLS
