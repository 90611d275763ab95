/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Writes a tree as a file that somebody names, as any output: no file that is read is replaced, under whatever name,
 * and what is there and says anything else stays under a name of its own, which is added to kept (es-kept.h).
 * ES_DATA_ERROR_WRITE. */
gboolean es_json_file_save_as (JsonNode *root, GFile *file, GPtrArray *kept, GError **error);

/* The same beside a data set that it tells about, which may be open: of the files that are read only one that tells of
 * the same thing (it has the member `mark`) is replaced, and what that says beyond `known` (NULL-terminated) and the
 * tree stays in it: comments of whoever wrote it. Entries of the lists that `entries` names (nullable, as the tree has
 * them) keep theirs, too: those whose member of that name is equal. */
typedef struct
{
  const char        *list, *key;       /* "channels", "channel" */
  const char *const *known;
} EsJsonEntries;
gboolean es_json_file_save_over (JsonNode *root, GFile *file, const char *mark, const char *const *known,
                                 const EsJsonEntries *entries, GError **error);

/* Where what is told of a data set lies: its own name with `ending` behind it. Transfer full. */
GFile   *es_json_file_beside (GFile *dataset, const char *ending);

G_END_DECLS
