/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Writes a tree as a file beside a data set that it tells about, which may be open: beside, then renamed.
 * ES_DATA_ERROR_WRITE. */
gboolean es_json_file_save   (JsonNode *root, GFile *file, GError **error);

/* The same, and where the file there tells of the same thing (it has the member `mark`), what it says beyond `known`
 * (NULL-terminated) and the tree stays in it: comments of whoever wrote it. Entries of the lists that `entries` names
 * (nullable, as the tree has them) keep theirs, too: those whose member of that name is equal. */
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
