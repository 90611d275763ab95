/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Plain file access that loops over partial transfers and speaks in sentences. path is what messages name. */

/* ES_DATA_ERROR_WRITE, "“x.img” could not be written: there is no space left on the disk." Returns FALSE. */
gboolean es_file_set_error   (GError **error, const char *path, int saved_errno);
/* The same for a reason that is no errno: how the sentence ends. */
gboolean es_file_set_reason  (GError **error, const char *path, const char *reason);
/* Gives the file its final size, all blocks reserved: a full disk is found before the work starts. */
gboolean es_file_reserve     (int fd, const char *path, guint64 bytes, GError **error);
gboolean es_file_write_at    (int fd, const char *path, const void *data, gsize bytes, guint64 offset,
                              GError **error);
/* At the file's own position: devices and pipes. */
gboolean es_file_write       (int fd, const char *path, const void *data, gsize bytes, GError **error);
gboolean es_file_read_at     (int fd, const char *path, void *data, gsize bytes, guint64 offset,
                              GError **error);

G_END_DECLS
