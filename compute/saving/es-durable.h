/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Saving what is in memory, for all layers: written beside the target, brought to the disk, renamed, and the folder
 * brought to the disk; the old file is there until the new one is. What lies on another machine goes by GIO's way. A
 * device or a pipe is written in place. ES_DATA_ERROR_WRITE: one sentence.
 */
gboolean es_durable_write       (GFile *target, const void *data, gsize size, GError **error);
/* Whether it could be written there now, for whoever works long before there is anything to write; changes nothing. */
gboolean es_durable_try         (GFile *target, GError **error);
/* The same of what was in a file before: whoever brings it back knows what is in its place, which may be open. */
gboolean es_durable_write_back  (GFile *target, const void *data, gsize size, GError **error);
/* Text as it is usually at hand. */
gboolean es_durable_write_text  (GFile *target, const char *text, GError **error);

/* Makes what is missing of a folder, and each one is on the disk when it returns; made (nullable) gets their paths,
 * outermost first. ES_DATA_ERROR_WRITE. */
gboolean es_durable_make_folder (const char *path, GPtrArray *made, GError **error);
/* What processes that are gone have left half done in a folder is put in order. TRUE: something of theirs was removed,
 * and the folder is empty now: nobody else has a use for it. */
gboolean es_durable_tidy_folder (const char *path);
/* Brings the names in an open folder to the disk, where its file system can do that. FALSE: errno. */
gboolean es_durable_sync_folder (int folder);

G_END_DECLS
