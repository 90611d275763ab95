/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Whether a file or folder is one that es_result_info () describes: a folder with a result.json, or a JSON file that
 * describes no array. */
gboolean  es_result_info_is_for (GFile *file);
/*
 * What a saved result says of itself, without opening what it was made of: an object with the members of result.json
 * that tell what it is, each of its type or null, whatever the file holds:
 *   operation, version, title, software, result_format, parameters (an object), input (path, identity, shape),
 *   device (id, name, threads, chosen), stages (title, ms), total_ms, warnings,
 *   layers (name, title, kind, file, shape, type, unit);
 * and of its files, every byte of which is read: files (how many), bytes, checked (FALSE: it was saved without
 * checksums), whole, wrong (a sentence for each that is not as it was saved).
 * Blocking. Errors: ES_DATA_ERROR. Transfer full.
 */
JsonNode *es_result_info        (GFile *file, GCancellable *cancellable, GError **error);

G_END_DECLS
