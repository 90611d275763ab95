/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/*
 * Files or folders that are kept as long as there is room for them: what was used longest ago goes first. A GPtrArray
 * of them frees them.
 */
typedef struct
{
  char   *path;
  guint64 size;                /* bytes */
  gint64  used;                /* when it was used last, s */
} EsUsedFile;

GPtrArray *es_used_files_new   (void);
void       es_used_files_add   (GPtrArray *self, const char *path, guint64 size, gint64 used);
/* Removes as many as it takes for the rest to have no more than these bytes; what cannot be removed counts on. remove:
 * FALSE where it is still there. Bytes of the rest. */
guint64    es_used_files_limit (GPtrArray *self, guint64 bytes, gboolean (*remove) (const char *path));

G_END_DECLS
