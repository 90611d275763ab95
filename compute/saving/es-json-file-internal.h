/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Writes a tree as a file beside a data set that it tells about, which may be open: beside, then renamed.
 * ES_DATA_ERROR_WRITE. */
gboolean es_json_file_save   (JsonNode *root, GFile *file, GError **error);

/* Where what is told of a data set lies: its own name with `ending` behind it. Transfer full. */
GFile   *es_json_file_beside (GFile *dataset, const char *ending);

G_END_DECLS
